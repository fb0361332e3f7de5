// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>

#include "prm/emulated.h"
#include "prm/region_map.h"
#include "prm/route.h"
#include "prm/route_levels.h"
#include "prm/translator_text.h"
#include "sysfs/linear_cache.h"

/*
 * Checks once whether the attributes of a region are consistent with each other and with its
 * decoders. An inconsistent region is not used at all, because an interval computed from a wrong
 * attribute may not hold the address. Each check returns `ok` or a reason that names the
 * attributes.
 */

static const struct reason ok;

typedef struct reason check_fn(struct translator *t, struct region_map *rm);

static struct reason check_known(struct translator *t, struct region_map *rm)
{
	const struct region *r = rm->region;

	if (!r->resource.present)
		return translator_reason(t, REASON_REGION_NO_RANGE, "%s has no address range",
					 r->name);
	if (!rm->has_range)
		return translator_reason(t, REASON_REGION_UNKNOWN,
					 "the size of %s is unknown or invalid", r->name);
	if (!r->ways.present || !interleave_ways_valid(r->ways.value))
		return translator_reason(t, REASON_REGION_UNKNOWN,
					 "the interleave ways of %s are unknown or invalid",
					 region_map_witness(rm));
	if (!r->granularity.present || !interleave_granularity_valid(r->granularity.value))
		return translator_reason(t, REASON_REGION_UNKNOWN,
					 "the interleave granularity of %s is unknown or invalid",
					 region_map_witness(rm));
	rm->ways = (unsigned int)r->ways.value;
	rm->granularity = (unsigned int)r->granularity.value;
	rm->block = (uint64_t)rm->ways * rm->granularity;
	return ok;
}

/*
 * The decoders of a device determine its addresses without the other devices of its set, unless
 * Linux shows a decoder at one of the other positions that has no part in it.
 */
static bool may_have_gaps(const struct region_map *rm)
{
	const struct region *r = rm->region;
	unsigned int n = 0;

	for (size_t i = 0; i < r->n_targets; i++)
		n += r->targets[i].decoder_name != NULL;
	return r->by_decoders && n > 0 && n == rm->n_members;
}

static struct reason check_complete(struct translator *t, struct region_map *rm)
{
	const struct region *r = rm->region;

	if (r->n_targets != rm->ways)
		return translator_reason(t, REASON_REGION_INCOMPLETE,
					 "%s has %u interleave ways but lists %zu target%s",
					 r->name, rm->ways, r->n_targets,
					 r->n_targets == 1 ? "" : "s");
	for (unsigned int i = 0; i < rm->ways; i++) {
		if (rm->members[i])
			rm->members[rm->n_members++] = rm->members[i];
		else if (!rm->incomplete.code)
			rm->incomplete = translator_reason(
				t, REASON_REGION_INCOMPLETE,
				"%s is incomplete: no device at position %u of %u", r->name, i,
				rm->ways);
	}
	return may_have_gaps(rm) ? ok : rm->incomplete;
}

/* Where the window has one target, there is nothing to interleave, whatever its decoder stands for.
 */
static bool may_be_emulated(const struct region_map *rm)
{
	return rm->region->by_decoders && decoder_shows_dvsec(rm->members[0]->decoder);
}

/* An emulated decoder may have addresses of others: what is known of it is an interval. */
static struct reason check_overlap(struct translator *t, struct region_map *rm)
{
	(void)t;
	return may_be_emulated(rm) ? ok : rm->overlap;
}

static struct reason not_committed(struct translator *t, const struct region_map *rm,
				   const struct decoder *d)
{
	return translator_reason(t, REASON_REGION_NOT_COMMITTED, "%s of %s is not committed",
				 d->name, rm->region->name);
}

/* A port of one dport may have no HDM decoder that could be counted. */
static struct reason check_counted(struct translator *t, const struct region_map *rm,
				   const struct decoder *d)
{
	if (d->port->kind == PORT_ROOT || d->port->n_dports <= 1 || decoder_is_counted(d))
		return ok;
	return not_committed(t, rm, d);
}

static struct reason check_committed(struct translator *t, struct region_map *rm)
{
	const struct region *r = rm->region;

	if (r->commit == REGION_NOT_COMMITTED)
		return translator_reason(t, REASON_REGION_NOT_COMMITTED, "%s is not committed",
					 r->name);
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (rm->members[i]->mapping == MAPPING_IDLE ||
		    !decoder_is_counted(rm->members[i]->decoder))
			return not_committed(t, rm, rm->members[i]->decoder);
	return route_check_above(t, rm, check_counted);
}

static uint64_t dpa_size(const struct decoder_map *m)
{
	return m->last - m->first + 1;
}

/*
 * The extended linear cache: DRAM in front of the CXL memory, inside the region. The attribute
 * exists since 6.19; before, the decoders show it by covering the upper half only.
 */
static struct reason find_cache(struct translator *t, struct region_map *rm)
{
	const struct region *r = rm->region;
	const struct decoder *d = rm->members[0]->decoder;
	uint64_t size = r->size.value, half = size / 2;

	rm->cache = 0;
	if (r->extended_linear_cache_size.present)
		rm->cache = r->extended_linear_cache_size.value;
	else if (rm->members[0]->mapping == MAPPING_ORDINARY && d->start.present && size % 2 == 0 &&
		 d->start.value > rm->first && d->start.value - rm->first == half &&
		 half % rm->ways == 0 && half / rm->ways == dpa_size(rm->members[0]))
		rm->cache = half;
	if (rm->cache >= size)
		return translator_reason(
			t, REASON_REGION_INCONSISTENT,
			"the extended linear cache of %s (0x%llx bytes) is not smaller than the region (0x%llx bytes)",
			r->name, (unsigned long long)rm->cache, (unsigned long long)size);
	rm->base = rm->first + rm->cache;
	return ok;
}

/*
 * The low memory hole (Documentation/driver-api/cxl/conventions/cxl-lmh.rst of the kernel): the
 * window, and the region with it, ends where memory-mapped registers begin, and the decoders, whose
 * size has to be a multiple of 256 MiB times their ways, go on.
 */
static struct reason find_hole(struct translator *t, struct region_map *rm)
{
	const struct decoder *w = rm->window ? rm->window->decoder : NULL;
	const struct decoder *d = rm->members[0]->decoder;
	uint64_t decoded;

	(void)t;
	rm->decoded_last = rm->last;
	if (!w || rm->cache || rm->members[0]->mapping != MAPPING_ORDINARY ||
	    !opt_u64_is(w->start, rm->first) || !opt_u64_is(w->size, rm->last - rm->first + 1) ||
	    !opt_u64_is(d->start, rm->first) ||
	    __builtin_mul_overflow(dpa_size(rm->members[0]), rm->ways, &decoded) ||
	    !opt_u64_is(d->size, decoded) || decoded <= w->size.value ||
	    __builtin_add_overflow(rm->first, decoded - 1, &rm->decoded_last))
		rm->decoded_last = rm->last;
	return ok;
}

static struct reason check_sizes(struct translator *t, struct region_map *rm)
{
	const uint64_t size = rm->decoded_last - rm->first + 1;

	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct decoder_map *m = rm->members[i];

		if ((size - rm->cache) % rm->ways == 0 &&
		    (size - rm->cache) / rm->ways == dpa_size(m))
			continue;
		if (rm->cache)
			return translator_reason(
				t, REASON_REGION_INCONSISTENT,
				"the size of %s (0x%llx bytes) is not its cache (0x%llx bytes) and %u times 0x%llx bytes of %s",
				rm->region->name, (unsigned long long)size,
				(unsigned long long)rm->cache, rm->ways,
				(unsigned long long)dpa_size(m), m->decoder->name);
		if (rm->region->by_decoders)
			return translator_reason(
				t, REASON_REGION_INCONSISTENT,
				"%s decodes 0x%llx bytes of addresses, %u-way, but has 0x%llx bytes of DPA",
				m->decoder->name, (unsigned long long)m->decoder->size.value,
				rm->ways, (unsigned long long)dpa_size(m));
		return translator_reason(
			t, REASON_REGION_INCONSISTENT,
			"the size of %s (0x%llx bytes) is not %u times 0x%llx bytes of %s",
			rm->region->name, (unsigned long long)size, rm->ways,
			(unsigned long long)dpa_size(m), m->decoder->name);
	}
	return ok;
}

/* One way: as many bytes of HPA as of DPA. */
static struct reason check_normalized(struct translator *t, const struct decoder_map *m)
{
	if (m->mapping != MAPPING_NORMALIZED || !m->decoder->size.present ||
	    m->decoder->size.value == dpa_size(m))
		return ok;
	return translator_reason(t, REASON_DECODER_RANGE,
				 "%s decodes 0x%llx bytes, but has 0x%llx bytes of DPA",
				 m->decoder->name, (unsigned long long)m->decoder->size.value,
				 (unsigned long long)dpa_size(m));
}

/* Only an ordinary decoder has the attributes of the region; a Normalized one has its own. */
static struct reason check_decoder(struct translator *t, const struct region_map *rm,
				   const struct decoder_map *m)
{
	const struct decoder *d = m->decoder;

	if (m->mapping != MAPPING_ORDINARY)
		return check_normalized(t, m);
	if (d->start.present && d->start.value != rm->base)
		return translator_reason(
			t, REASON_REGION_INCONSISTENT,
			"%s starts at 0x%llx, but the CXL memory of %s starts at 0x%llx", d->name,
			(unsigned long long)d->start.value, rm->region->name,
			(unsigned long long)rm->base);
	if (d->ways.present && d->ways.value != rm->ways)
		return translator_reason(t, REASON_REGION_INCONSISTENT,
					 "%s has %llu interleave ways, but %s has %u", d->name,
					 (unsigned long long)d->ways.value, region_map_witness(rm),
					 rm->ways);
	if (rm->ways > 1 && d->granularity.present && d->granularity.value != rm->granularity)
		return translator_reason(t, REASON_REGION_INCONSISTENT,
					 "%s has granularity %llu, but %s has %u", d->name,
					 (unsigned long long)d->granularity.value,
					 region_map_witness(rm), rm->granularity);
	if (d->size.present && d->size.value != rm->decoded_last - rm->base + 1)
		return translator_reason(
			t, REASON_DECODER_RANGE,
			"%s decodes 0x%llx bytes, but the CXL memory of %s has 0x%llx bytes",
			d->name, (unsigned long long)d->size.value, rm->region->name,
			(unsigned long long)(rm->decoded_last - rm->base + 1));
	return ok;
}

static struct reason check_decoders(struct translator *t, struct region_map *rm)
{
	struct reason why = ok;

	for (unsigned int i = 0; i < rm->n_members && !why.code; i++)
		why = rm->members[i]->unusable.code ? rm->members[i]->unusable
						    : check_decoder(t, rm, rm->members[i]);
	return why;
}

/* Return: another window with an address of the region, or NULL. */
static const struct decoder *other_window(const struct region_map *rm)
{
	const struct port *root = rm->window->decoder->port;

	for (size_t i = 0; i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];
		uint64_t last;

		if (w != rm->window->decoder && opt_range_last(w->start, w->size, &last) &&
		    w->start.value <= rm->last && last >= rm->first)
			return w;
	}
	return NULL;
}

static struct reason check_window(struct translator *t, struct region_map *rm)
{
	const struct decoder *d = rm->window ? rm->window->decoder : NULL, *other;

	if (!d || !d->start.present || !d->size.present)
		return ok;
	other = other_window(rm);
	if (other)
		return translator_reason(t, REASON_DECODERS_OVERLAP,
					 "%s is in the windows %s and %s", rm->region->name,
					 d->name, other->name);
	if (rm->first >= d->start.value && rm->last - d->start.value < d->size.value)
		return ok;
	return translator_reason(t, REASON_REGION_INCONSISTENT,
				 "%s (0x%llx to 0x%llx) is not inside its window %s",
				 rm->region->name, (unsigned long long)rm->first,
				 (unsigned long long)rm->last, d->name);
}

/* A region that is not committed has no addresses, so one that may not be has none that is certain.
 */
static struct reason check_commit(struct translator *t, struct region_map *rm)
{
	if (rm->region->commit != REGION_COMMIT_UNKNOWN)
		return ok;
	return translator_reason(t, REASON_COMMIT_UNKNOWN,
				 "whether %s is committed is not readable", rm->region->name);
}

/* A mapping without a region of Linux needs all decoders on the way. */
static struct reason check_levels(struct translator *t, struct region_map *rm)
{
	return rm->region->by_decoders && !may_be_emulated(rm) ? route_check_levels(t, rm) : ok;
}

static struct reason check_gaps(struct translator *t, struct region_map *rm)
{
	return route_check_gaps(t, rm);
}

static struct reason check_emulated(struct translator *t, struct region_map *rm)
{
	struct reason why;

	if (!may_be_emulated(rm))
		return ok;
	why = rm->overlap.code ? rm->overlap : route_check_levels(t, rm);
	if (!why.code && rm->window && opt_u64_is(rm->window->decoder->ways, 1))
		return ok;
	rm->emulated = true;
	if (why.code)
		return why;
	return translator_reason(
		t, REASON_ROUTING_UNKNOWN,
		"%s may stand for a range of the DVSEC (1-way at 4096 B), which does not show how its window interleaves",
		rm->members[0]->decoder->name);
}

/* Nothing but its own decoders knows a mapping that Linux has no region for. */
static struct reason check_routed(struct translator *t, struct region_map *rm)
{
	if (!rm->region->by_decoders)
		return ok;
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (rm->ways > 1 && !rm->members[i]->decoder->granularity.present)
			return translator_reason(
				t, REASON_ROUTING_UNKNOWN,
				"the interleave granularity of %s is unknown or invalid",
				rm->members[i]->decoder->name);
	if (rm->routed)
		return ok;
	return translator_reason(t, REASON_ROUTING_UNKNOWN,
				 "a decoder above %s is not known, and Linux has no region for it",
				 rm->members[0]->decoder->name);
}

/* Whether the kind of its decoders allows arithmetic. */
static struct reason check_mappings(struct translator *t, struct region_map *rm)
{
	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct decoder_map *m = rm->members[i];

		if (m->mapping == MAPPING_NORMALIZED)
			return translator_reason(
				t, REASON_NORMALIZED,
				"%s uses Normalized addressing: only firmware knows the order of devices inside an interleave block",
				rm->region->name);
		if (m->mapping != MAPPING_ORDINARY)
			return translator_reason(
				t, REASON_MAYBE_NORMALIZED,
				"%s may use Normalized addressing: the start of %s is not readable (needs CAP_DAC_READ_SEARCH)",
				rm->region->name, m->decoder->name);
	}
	return ok;
}

/* Translates the result of interleave_setup(). */
static enum answer_reason setup_reason(int r)
{
	return r == -ERANGE	? REASON_XORMAP_INVALID
	       : r == -ENOTUNIQ ? REASON_XORMAP_AMBIGUOUS
	       : r == -EDOM	? REASON_XORMAP_ORDER
				: REASON_GEOMETRY_UNSUPPORTED;
}

static struct reason prepare_member(struct translator *t, struct region_map *rm,
				    struct decoder_map *m)
{
	const struct window_map *w = rm->window;
	const struct opt_u64 granularity = w->decoder->granularity;
	struct reason why;
	const char *text;
	int r;

	m->map = (struct interleave){
		.base = rm->base,
		.dpa_size = dpa_size(m),
		.ways = rm->ways,
		.granularity = rm->granularity,
		.position = (unsigned int)m->position.value,
		.root_ways = (unsigned int)w->decoder->ways.value,
		.root_granularity =
			granularity.present && granularity.value <= INTERLEAVE_GRANULARITY_MAX
				? (unsigned int)granularity.value
				: 0,
		.n_xormaps = w->n_xormaps,
		.routed = rm->routed,
		.slot = rm->slots[m->position.value],
	};
	for (unsigned int i = 0; i < w->n_xormaps; i++)
		m->map.xormaps[i] = w->xormaps[i];
	r = interleave_setup(&m->map, &text);
	rm->kernel_errs = rm->kernel_errs || (r == 0 && m->map.dependent);
	if (r == 0)
		return ok;
	why = translator_reason(t, setup_reason(r), "%s in %s: %s", rm->region->name,
				w->decoder->name, text);
	if (r == -ERANGE)
		rm->unusable = why;
	return why;
}

static struct reason find_route(struct translator *t, struct region_map *rm)
{
	if (!rm->window)
		return translator_reason(t, REASON_WINDOW_UNKNOWN, "the window of %s is unknown",
					 rm->region->name);
	if (rm->window->unknown.code && !answer_reason_lacks_data(rm->window->unknown.code))
		return rm->window->unknown;
	return route_find(t, rm);
}

static struct reason check_arithmetic(struct translator *t, struct region_map *rm)
{
	struct reason why = rm->window->unknown;

	if (!why.code)
		why = route_check_xor(t, rm);
	for (unsigned int i = 0; i < rm->n_members && !why.code; i++)
		why = prepare_member(t, rm, rm->members[i]);
	return why;
}

static struct reason check_positions(struct translator *t, struct region_map *rm)
{
	return rm->routed ? ok : route_check_positions(t, rm);
}

static struct reason check_ranges(struct translator *t, struct region_map *rm)
{
	return route_check_ranges(t, rm);
}

static struct reason first_failure(struct translator *t, struct region_map *rm,
				   check_fn *const *checks, size_t n)
{
	struct reason why = ok;

	for (size_t i = 0; i < n && !why.code; i++)
		why = checks[i](t, rm);
	return why;
}

/* Whether check_decoder() could compare all of the decoder with the region. */
static bool is_verified(const struct region_map *rm, const struct decoder_map *m)
{
	const struct decoder *d = m->decoder;

	return m->mapping != MAPPING_ORDINARY ||
	       (d->start.present && d->ways.present && (rm->ways == 1 || d->granularity.present));
}

/*
 * Decoders that map exactly the upper half of a window are as those behind an extended linear
 * cache: only firmware's tables tell whether the lower half is one.
 */
static bool may_be_cached(const struct translator *t, const struct region_map *rm)
{
	const struct decoder *w = rm->window ? rm->window->decoder : NULL;

	return rm->region->by_decoders && !rm->cache && w &&
	       linear_cache_window(w, rm->first, rm->last) &&
	       !opt_u64_is(linear_cache_size(t->host->tables, w->start.value, rm->last), 0);
}

/* Notes the attributes that the checks passed over, because they are not readable or not known. */
static void note_doubts(const struct translator *t, struct region_map *rm)
{
	const struct decoder *window = rm->window ? rm->window->decoder : NULL;

	if (!window || !window->start.present || !window->size.present)
		rm->doubts |= 1U << DOUBT_WINDOW_UNVERIFIED;
	if ((rm->cache && !rm->region->extended_linear_cache_size.present) || may_be_cached(t, rm))
		rm->doubts |= 1U << DOUBT_CACHE_INFERRED;
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (!is_verified(rm, rm->members[i]))
			rm->doubts |= 1U << DOUBT_DECODERS_UNVERIFIED;
	if (!rm->no_arithmetic.code && rm->routing == REGION_ROUTING_UNKNOWN)
		rm->doubts |= 1U << DOUBT_ROUTING_UNKNOWN;
}

/* Bytes of a member that the window reaches: with a hole, the chunks before its end. */
static uint64_t bytes_reached(const struct region_map *rm, const struct decoder_map *m)
{
	const uint64_t size = rm->last - rm->base + 1, rest = size % rm->block;
	const uint64_t blocks = size / rm->block * rm->granularity;
	const uint64_t before = m->map.slot_base - rm->base;

	if (rm->decoded_last == rm->last)
		return dpa_size(m);
	if (rm->no_arithmetic.code)
		return blocks + (rest ? rm->granularity : 0);
	if (rest <= before)
		return blocks;
	return blocks + (rest - before < rm->granularity ? rest - before : rm->granularity);
}

/* Return: "; no decoder is committed for position 2 of 4"; "": each has one. */
static const char *name_gap(struct translator *t, const struct region *m)
{
	for (size_t i = 0; i < m->n_targets; i++)
		if (!m->targets[i].decoder_name)
			return translator_text(t,
					       "; no decoder is committed for position %zu of %zu",
					       i, m->n_targets);
	return "";
}

/* Found once, because every answer says so. */
static void name_maker(struct translator *t, struct region_map *rm)
{
	const struct region *m = rm->region, *of = m->of_region;

	if (!m->by_decoders)
		return;
	rm->no_region = translator_reason(
		t, REASON_BY_DECODERS, "Linux has no region for 0x%llx-0x%llx%s%s%s",
		(unsigned long long)m->resource.value,
		(unsigned long long)(m->resource.value + (m->size.value - 1)), of ? " (" : "",
		of ? of->name : "", of ? " is not complete)" : "");
	rm->maps_exactly =
		translator_reason(t, REASON_BY_DECODERS, "%s: committed decoders map it%s",
				  rm->no_region.text, name_gap(t, m));
}

void region_map_prepare(struct translator *t, struct region_map *rm)
{
	static check_fn *const sound[] = {check_known,	   check_complete, check_overlap,
					  check_committed, find_cache,	   find_hole,
					  check_sizes,	   check_decoders, check_window,
					  check_ranges,	   check_levels,   check_gaps};
	static check_fn *const exact[] = {check_mappings, check_emulated,   find_route,
					  check_routed,	  check_arithmetic, check_positions,
					  check_commit};

	name_maker(t, rm);
	if (!rm->unusable.code)
		rm->unusable = first_failure(t, rm, sound, ARRAY_SIZE(sound));
	if (!rm->unusable.code)
		rm->no_arithmetic = first_failure(t, rm, exact, ARRAY_SIZE(exact));
	if (rm->unusable.code)
		return;
	note_doubts(t, rm);
	for (unsigned int i = 0; i < rm->n_members; i++)
		rm->members[i]->reached = bytes_reached(rm, rm->members[i]);
}
