// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>

#include "prm/translate_private.h"

/*
 * Judges each region once: do its numbers agree with each other and with those of its decoders?
 * One that contradicts itself is not used at all, because an interval computed from a wrong number
 * need not hold the address. Each check returns NULL or a sentence naming what disagrees.
 */

typedef const char *check_fn(struct translator *t, struct region_map *s);

static const char *check_known(struct translator *t, struct region_map *s)
{
	const struct region *r = s->region;

	if (!r->resource.present)
		return translator_text(t, "%s has no address range", r->name);
	if (!s->has_range)
		return translator_text(t, "the size of %s is not known or impossible", r->name);
	if (!r->ways.present || !interleave_ways_valid(r->ways.value))
		return translator_text(t, "the interleave ways of %s are not known or impossible",
				       r->name);
	if (!r->granularity.present || !interleave_granularity_valid(r->granularity.value))
		return translator_text(
			t, "the interleave granularity of %s is not known or impossible", r->name);
	s->ways = (unsigned int)r->ways.value;
	s->granularity = (unsigned int)r->granularity.value;
	s->block = (uint64_t)s->ways * s->granularity;
	return NULL;
}

static const char *check_complete(struct translator *t, struct region_map *s)
{
	const struct region *r = s->region;

	if (r->n_targets != s->ways)
		return translator_text(t, "%s has %u ways and lists %zu targets", r->name, s->ways,
				       r->n_targets);
	for (unsigned int i = 0; i < s->ways; i++)
		if (!s->members[i])
			return translator_text(t,
					       "%s is incomplete: no device at position %u of %u",
					       r->name, i, s->ways);
	return NULL;
}

static const char *check_committed(struct translator *t, struct region_map *s)
{
	const struct region *r = s->region;

	if (r->commit == REGION_NOT_COMMITTED)
		return translator_text(t, "%s is not committed", r->name);
	for (unsigned int i = 0; i < s->ways; i++)
		if (s->members[i]->mapping == MAPPING_IDLE)
			return translator_text(t, "%s of %s is not committed",
					       s->members[i]->decoder->name, r->name);
	return NULL;
}

static uint64_t dpa_size(const struct segment *m)
{
	return m->last - m->first + 1;
}

/*
 * The extended linear cache: DRAM in front of the CXL memory, inside the region. The attribute
 * exists since 6.19; before, the decoders show it by covering the upper half only.
 */
static const char *find_cache(struct translator *t, struct region_map *s)
{
	const struct region *r = s->region;
	const struct decoder *d = s->members[0]->decoder;
	uint64_t size = r->size.value, half = size / 2;

	s->cache = 0;
	if (r->extended_linear_cache_size.present)
		s->cache = r->extended_linear_cache_size.value;
	else if (s->members[0]->mapping == MAPPING_ORDINARY && d->start.present && size % 2 == 0 &&
		 d->start.value > s->first && d->start.value - s->first == half &&
		 half % s->ways == 0 && half / s->ways == dpa_size(s->members[0]))
		s->cache = half;
	if (s->cache >= size)
		return translator_text(
			t, "the extended linear cache of %s (%#llx) is not smaller than it (%#llx)",
			r->name, (unsigned long long)s->cache, (unsigned long long)size);
	s->base = s->first + s->cache;
	return NULL;
}

static const char *check_sizes(struct translator *t, struct region_map *s)
{
	uint64_t size = s->region->size.value;

	for (unsigned int i = 0; i < s->ways; i++) {
		const struct segment *m = s->members[i];

		if ((size - s->cache) % s->ways == 0 && (size - s->cache) / s->ways == dpa_size(m))
			continue;
		if (s->cache)
			return translator_text(
				t,
				"%s is %#llx bytes with %#llx of cache, but %u times %#llx of %s",
				s->region->name, (unsigned long long)size,
				(unsigned long long)s->cache, s->ways,
				(unsigned long long)dpa_size(m), m->decoder->name);
		return translator_text(t, "%s is %#llx bytes, but %u times %#llx of %s",
				       s->region->name, (unsigned long long)size, s->ways,
				       (unsigned long long)dpa_size(m), m->decoder->name);
	}
	return NULL;
}

/* What an ordinary decoder says of the region; a Normalized one says nothing of it. */
static const char *check_decoder(struct translator *t, const struct region_map *s,
				 const struct segment *m)
{
	const struct decoder *d = m->decoder;

	if (m->mapping != MAPPING_ORDINARY)
		return NULL;
	if (d->start.present && d->start.value != s->base)
		return translator_text(t, "%s starts at %#llx, but the CXL memory of %s at %#llx",
				       d->name, (unsigned long long)d->start.value, s->region->name,
				       (unsigned long long)s->base);
	if (d->ways.present && d->ways.value != s->ways)
		return translator_text(t, "%s has %llu ways, but %s %u", d->name,
				       (unsigned long long)d->ways.value, s->region->name, s->ways);
	if (s->ways > 1 && d->granularity.present && d->granularity.value != s->granularity)
		return translator_text(t, "%s has granularity %llu, but %s %u", d->name,
				       (unsigned long long)d->granularity.value, s->region->name,
				       s->granularity);
	return NULL;
}

static const char *check_decoders(struct translator *t, struct region_map *s)
{
	const char *why = NULL;

	for (unsigned int i = 0; i < s->ways && !why; i++)
		why = s->members[i]->unusable ? s->members[i]->unusable
					      : check_decoder(t, s, s->members[i]);
	return why;
}

static const char *check_window(struct translator *t, struct region_map *s)
{
	const struct decoder *d = s->window ? s->window->decoder : NULL;

	if (!d || !d->start.present || !d->size.present)
		return NULL;
	if (s->first >= d->start.value && s->last - d->start.value < d->size.value)
		return NULL;
	return translator_text(t, "%s (%#llx to %#llx) does not lie in its window %s",
			       s->region->name, (unsigned long long)s->first,
			       (unsigned long long)s->last, d->name);
}

/* The kind of its decoders forbids or allows arithmetic. */
static const char *check_mappings(struct translator *t, struct region_map *s)
{
	for (unsigned int i = 0; i < s->ways; i++) {
		const struct segment *m = s->members[i];

		if (m->mapping == MAPPING_NORMALIZED)
			return translator_text(
				t,
				"%s uses Normalized addressing: only firmware knows the order "
				"of devices inside an interleave block",
				s->region->name);
		if (m->mapping != MAPPING_ORDINARY)
			return translator_text(
				t,
				"%s may use Normalized addressing: the start of %s is not "
				"readable (needs CAP_DAC_READ_SEARCH)",
				s->region->name, m->decoder->name);
	}
	return NULL;
}

static const char *set_up_member(struct translator *t, struct region_map *s, struct segment *m)
{
	const struct window *w = s->window;
	const char *reason;
	int r;

	m->map = (struct interleave){
		.base = s->base,
		.dpa_size = dpa_size(m),
		.ways = s->ways,
		.granularity = s->granularity,
		.position = (unsigned int)m->position.value,
		.root_ways = (unsigned int)w->decoder->ways.value,
		.root_granularity =
			w->decoder->granularity.present &&
					w->decoder->granularity.value <= INTERLEAVE_GRANULARITY_MAX
				? (unsigned int)w->decoder->granularity.value
				: 0,
		.n_xormaps = w->n_xormaps,
	};
	for (unsigned int i = 0; i < w->n_xormaps; i++)
		m->map.xormaps[i] = w->xormaps[i];
	r = interleave_setup(&m->map, &reason);
	if (r == 0)
		return NULL;
	reason = translator_text(t, "%s in %s: %s", s->region->name, w->decoder->name, reason);
	if (r == -ERANGE)
		s->unusable = reason;
	return reason;
}

static const char *check_arithmetic(struct translator *t, struct region_map *s)
{
	const char *why = NULL;

	if (!s->window)
		return translator_text(t, "the window of %s is not known", s->region->name);
	if (s->window->unknown)
		return s->window->unknown;
	for (unsigned int i = 0; i < s->ways && !why; i++)
		why = set_up_member(t, s, s->members[i]);
	return why;
}

static const char *check_route(struct translator *t, struct region_map *s)
{
	unsigned int root_ways = s->members[0]->map.root_ways;
	const char *why = NULL;

	s->routing = route_check(t, s, &why);
	switch (s->routing) {
	case REGION_ROUTING_CONTRADICTED:
		return why;
	case REGION_ROUTING_UNKNOWN:
		/* Here Linux's positions are known not to be those of the hardware. */
		if (root_ways % 3 == 0 && s->ways > root_ways)
			return translator_text(
				t,
				"the order of several devices below each bridge of the %u-way "
				"window %s is not known",
				root_ways, s->window->decoder->name);
		return NULL;
	default:
		return NULL;
	}
}

static const char *first_failure(struct translator *t, struct region_map *s,
				 check_fn *const *checks, size_t n)
{
	const char *why = NULL;

	for (size_t i = 0; i < n && !why; i++)
		why = checks[i](t, s);
	return why;
}

void region_map_prepare(struct translator *t, struct region_map *s)
{
	static check_fn *const sound[] = {check_known, check_complete, check_committed, find_cache,
					  check_sizes, check_decoders, check_window};
	static check_fn *const exact[] = {check_mappings, check_arithmetic, check_route};

	if (!s->unusable)
		s->unusable = first_failure(t, s, sound, ARRAY_SIZE(sound));
	if (!s->unusable)
		s->no_arithmetic = first_failure(t, s, exact, ARRAY_SIZE(exact));
}
