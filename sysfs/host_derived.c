// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Mappings of committed decoders that Linux has no region for.
 *
 * Firmware commits decoders, and Linux may make no region of them: assembly failed,
 * CONFIG_CXL_REGION is off, or the kernel is older than 6.3. The registers determine the addresses
 * all the same: the endpoint decoders of one interleave set have one HPA range, which a decoder of
 * each port above has, too, and a window contains. Here they are found and put into a struct
 * region; whether they agree in ways, granularity and targets is for prm/ to decide.
 *
 * A decoder is committed when it has a size and is in no region, because Linux sets the size of
 * others before it commits them; or when the port counts it as committed, since 6.7.
 */
#include "sysfs/host_derived.h"

#include <errno.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/names.h"
#include "sysfs/decoder_route.h"
#include "sysfs/linear_cache.h"
#include "sysfs/stable_id.h"

/* An endpoint decoder, and the range that it decodes. */
struct member {
	struct decoder *decoder;
	const struct decoder *window;
	uint64_t first, last;
};

DEFINE_ARRAY(struct member, member_list);

static bool has_range(const struct decoder *d, uint64_t first, uint64_t last)
{
	uint64_t own;

	return opt_range_last(d->start, d->size, &own) && d->start.value == first && own == last;
}

/* A decoder whose size is not known decodes nothing. */
static bool decodes_range(const struct decoder *d)
{
	return d->size.present && d->size.value > 0 && decoder_is_counted(d);
}

static bool is_committed(const struct decoder *d)
{
	if (!decodes_range(d))
		return false;
	return !d->region ||
	       (d->port->decoders_committed.present && d->region->commit == REGION_NOT_COMMITTED);
}

/* Return: the decoder of @port with that range, or NULL. */
static struct decoder *level_decoder(const struct port *port, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (is_committed(port->decoders[i]) && has_range(port->decoders[i], first, last))
			return (struct decoder *)(uintptr_t)port->decoders[i];
	return NULL;
}

/*
 * Normalized endpoint decoders decode DPAs, in one way: no decoder above them has that range. One
 * whose HPAs are equal to its DPAs is distinguished by the port above.
 */
static bool is_normalized(const struct decoder *d, uint64_t last)
{
	const struct port *above = d->port->parent;

	if (!opt_u64_is(d->start, d->dpa_resource.value) || d->ways.value != 1)
		return false;
	while (above && above->passes_through)
		above = above->parent;
	return !above || above->kind == PORT_ROOT || !level_decoder(above, d->start.value, last);
}

static const struct port *root_of(const struct port *port)
{
	while (port && port->kind != PORT_ROOT)
		port = port->parent;
	return port;
}

static bool window_has(const struct decoder *w, uint64_t first, uint64_t last)
{
	uint64_t end = 0;

	return opt_range_last(w->start, w->size, &end) && first <= end && last >= w->start.value;
}

/* Return: another window of the root with an address of the range, or NULL. */
static const struct decoder *other_window(const struct decoder *window, uint64_t first,
					  uint64_t last)
{
	const struct port *root = window->port;

	for (size_t i = 0; i < root->n_decoders; i++)
		if (root->decoders[i] != window && window_has(root->decoders[i], first, last))
			return root->decoders[i];
	return NULL;
}

/*
 * Return: the window of a range, or NULL. With a low memory hole (the kernel's
 * Documentation/driver-api/cxl/conventions/cxl-lmh.rst) the window begins where the decoders begin
 * and ends before them.
 */
static const struct decoder *find_window(const struct port *root, uint64_t first, uint64_t last)
{
	for (size_t i = 0; root && i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];
		uint64_t end;

		if (opt_range_last(w->start, w->size, &end) && first >= w->start.value &&
		    first <= end && (last <= end || first == w->start.value))
			return w;
	}
	return NULL;
}

/* Sets the window of the member, or `unmapped`. */
static void find_only_window(struct build *b, struct decoder *d, struct member *m)
{
	const struct decoder *w = find_window(root_of(d->port), m->first, m->last), *other;
	uint64_t end = m->last;

	if (!w) {
		d->unmapped =
			arena_printf(b->arena, "its range 0x%llx-0x%llx is in no CXL window",
				     (unsigned long long)m->first, (unsigned long long)m->last);
		return;
	}
	(void)opt_range_last(w->start, w->size, &end);
	other = other_window(w, m->first, m->last < end ? m->last : end);
	if (!other)
		m->window = w;
	else
		d->unmapped = arena_printf(b->arena,
					   "its range 0x%llx-0x%llx is in the windows %s and %s",
					   (unsigned long long)m->first,
					   (unsigned long long)m->last, w->name, other->name);
}

/* Return: whether the decoder is a member; sets `unmapped` when it should be and cannot. */
static bool describe_member(struct build *b, struct decoder *d, struct member *ret)
{
	*ret = (struct member){.decoder = d};
	if (d->port->kind != PORT_ENDPOINT || d->unmapped || !is_committed(d))
		return false;
	if (!d->start.present)
		d->unmapped = "its start is not readable (needs CAP_DAC_READ_SEARCH)";
	else if (!opt_range_last(d->start, d->size, &ret->last))
		d->unmapped = "its range exceeds 64 bits";
	else if (!d->dpa_resource.present || !d->dpa_size.present || d->dpa_size.value == 0)
		d->unmapped = "its DPA range is not known";
	else if (!d->ways.present)
		d->unmapped = "its interleave ways are unknown or invalid";
	else if (!d->port->memdev)
		d->unmapped = "its memory device has gone";
	if (d->unmapped || is_normalized(d, ret->last))
		return false;
	ret->first = d->start.value;
	find_only_window(b, d, ret);
	return ret->window;
}

static int member_order(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last < y->last ? -1 : 1;
	if (x->window != y->window)
		return str_natural_cmp(x->window->name, y->window->name);
	return str_natural_cmp(x->decoder->name, y->decoder->name);
}

static bool is_same_set(const struct member *a, const struct member *b)
{
	return a->first == b->first && a->last == b->last && a->window == b->window;
}

static void claim_levels(const struct region *mapping, const struct member *m)
{
	for (const struct port *p = m->decoder->port->parent; p && p->kind != PORT_ROOT;
	     p = p->parent) {
		struct decoder *d = level_decoder(p, m->first, m->last);

		if (d)
			d->derived = mapping;
	}
}

/* Where its decoders begin: after an extended linear cache. */
static uint64_t decoded_first(const struct region *mapping)
{
	return mapping->resource.value + mapping->extended_linear_cache_size.value;
}

/*
 * The extended linear cache before the addresses of a set, when firmware says that the lower half
 * of the window is one. Linux gives its region both halves, and so does a mapping, unless another
 * one has addresses there. Return: its bytes, 0 without.
 */
static uint64_t find_cache(struct build *b, const struct member *m)
{
	const uint64_t half = linear_cache_window(m->window, m->first, m->last);
	const struct opt_u64 cache =
		linear_cache_size(b->host->tables, m->window->start.value, m->last);

	if (!half || !cache.present || cache.value != half)
		return 0;
	ARRAY_FOREACH(r, &b->derived)
		if (window_has(m->window, (*r)->resource.value,
			       (*r)->resource.value + ((*r)->size.value - 1)))
			return 0;
	return half;
}

/* Return: whether each member has one chunk of the interleave block of its own; @ret: where. */
static bool find_slots(const struct region *mapping, const struct member *members, size_t n,
		       unsigned int *ret)
{
	uint32_t found = 0;

	for (unsigned int slot = 0; slot < mapping->ways.value; slot++) {
		const uint64_t hpa = decoded_first(mapping) + slot * mapping->granularity.value;
		bool is_taken = false;

		for (size_t i = 0; i < n; i++) {
			if (route_follow(members[i].decoder->port, mapping, hpa, NULL) !=
			    ROUTE_TAKEN)
				continue;
			if (is_taken || (found >> i & 1))
				return false;
			is_taken = true;
			found |= 1U << i;
			ret[i] = slot;
		}
	}
	return found == (1U << n) - 1;
}

static int place_members(struct build *b, struct region *mapping, const struct member *members,
			 size_t n)
{
	struct region_target *targets =
		ARENA_ARRAY(b->arena, mapping->ways.value, struct region_target);
	unsigned int slots[INTERLEAVE_WAYS_MAX];
	bool in_order;

	if (!targets)
		return -ENOMEM;
	in_order = find_slots(mapping, members, n, slots);
	for (unsigned int i = 0; i < mapping->ways.value; i++)
		targets[i].position = i;
	for (unsigned int i = 0; i < n; i++) {
		struct region_target *t = &targets[in_order ? slots[i] : i];

		t->decoder = members[i].decoder;
		t->decoder_name = members[i].decoder->name;
		t->memdev = members[i].decoder->port->memdev;
	}
	mapping->targets = targets;
	mapping->n_targets = mapping->ways.value;
	return 0;
}

static void set_mode(struct region *mapping, const struct member *members, size_t n)
{
	mapping->mode = members[0].decoder->mode;
	mapping->other_mode = members[0].decoder->other_mode;
	for (size_t i = 1; i < n; i++) {
		if (str_equal(decoder_mode_word(members[i].decoder), region_mode_word(mapping)))
			continue;
		mapping->mode = DECODER_MODE_MIXED;
		mapping->other_mode = NULL;
		return;
	}
}

static int add_mapping(struct build *b, const struct member *members, size_t n)
{
	const struct member *m = &members[0];
	const struct decoder *d = m->decoder;
	const uint64_t window_last = m->window->start.value + (m->window->size.value - 1);
	const uint64_t last = m->last < window_last ? m->last : window_last;
	const uint64_t cache = find_cache(b, m), first = m->first - cache;
	struct region *mapping = ARENA_NEW(b->arena, struct region), **slot;

	slot = mapping ? region_list_add(&b->derived) : NULL;
	if (!slot)
		return -ENOMEM;
	*slot = mapping;
	*mapping = (struct region){
		.name = arena_printf(b->arena, STABLE_ID_SPA, (unsigned long long)first),
		.by_decoders = true,
		.root = m->window,
		.resource = OPT_U64(first),
		.size = OPT_U64(last - first + 1),
		.extended_linear_cache_size = {.present = cache != 0, .value = cache},
		.ways = d->ways,
		.granularity = d->granularity,
		.commit = REGION_COMMITTED,
	};
	if (!mapping->name)
		return -ENOMEM;
	set_mode(mapping, members, n);
	for (size_t i = 0; i < n; i++) {
		members[i].decoder->derived = mapping;
		claim_levels(mapping, &members[i]);
	}
	return place_members(b, mapping, members, n);
}

static bool is_member(const struct decoder *d, const struct member *members, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (members[i].decoder == d)
			return true;
	return false;
}

/* Whether a region that is not complete has other decoders, too, which are not committed yet. */
static bool is_being_made(const struct member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct region *r = members[i].decoder->region;

		for (size_t k = 0; r && k < r->n_targets; k++)
			if (r->targets[k].decoder && !is_member(r->targets[k].decoder, members, n))
				return true;
	}
	return false;
}

static const char *first_member(const struct region *mapping)
{
	size_t i = 0;

	while (!mapping->targets[i].decoder_name)
		i++;
	return mapping->targets[i].decoder_name;
}

static const char *too_many(struct build *b, const struct member *members, size_t n)
{
	const struct decoder *d = members[0].decoder;
	struct names names = {0};

	for (size_t i = 0; i < n; i++)
		names_add(&names, "%s", members[i].decoder->name);
	return arena_printf(
		b->arena,
		"%zu endpoint decoders have the range 0x%llx-0x%llx with %llu interleave way%s in %s: %s",
		n, (unsigned long long)members[0].first, (unsigned long long)members[0].last,
		(unsigned long long)d->ways.value, d->ways.value == 1 ? "" : "s", d->name,
		names_end(&names));
}

/* A set of more members than ways, or a second one that begins at the same address, is no mapping.
 */
static int add_set(struct build *b, const struct member *members, size_t n)
{
	const struct member *m = &members[0];
	const struct region *before = b->derived.n ? b->derived.items[b->derived.n - 1] : NULL;
	const char *why = NULL;

	if (n > m->decoder->ways.value)
		why = too_many(b, members, n);
	else if (n < m->decoder->ways.value && is_being_made(members, n))
		why = "Linux makes a region of the decoders with its range";
	else if (before && decoded_first(before) == m->first)
		why = arena_printf(b->arena, "%s begins at 0x%llx, too, with another end",
				   first_member(before), (unsigned long long)m->first);
	else
		return add_mapping(b, members, n);
	for (size_t i = 0; i < n; i++) {
		members[i].decoder->contradicted = n <= m->decoder->ways.value;
		if (!members[i].decoder->region)
			members[i].decoder->unmapped = why;
	}
	return why ? 0 : -ENOMEM;
}

static bool is_same_opt(struct opt_u64 a, struct opt_u64 b)
{
	return a.present && b.present && a.value == b.value;
}

/* Whether the attributes of an incomplete region are those of the decoders. */
static bool is_region_of(const struct region *r, const struct region *mapping)
{
	return is_same_opt(r->resource, mapping->resource) && is_same_opt(r->size, mapping->size) &&
	       is_same_opt(r->ways, mapping->ways) &&
	       (mapping->ways.value == 1 || is_same_opt(r->granularity, mapping->granularity));
}

static int connect_regions(struct build *b)
{
	ARRAY_FOREACH(r, &b->regions) {
		struct region *mapping;
		char *name;

		if (!(*r)->resource.present)
			continue;
		name = arena_printf(b->arena, STABLE_ID_SPA,
				    (unsigned long long)(*r)->resource.value);
		if (!name)
			return -ENOMEM;
		mapping = region_list_find(&b->derived, name);
		if (!mapping || mapping->root != (*r)->root)
			continue;
		mapping->of_region = *r;
		if ((*r)->commit == REGION_NOT_COMMITTED && is_region_of(*r, mapping))
			(*r)->derived = mapping;
	}
	return 0;
}

int build_derived(struct build *b)
{
	_cleanup_(member_list_done) struct member_list members = {0};
	size_t n;

	ARRAY_FOREACH(d, &b->decoders) {
		struct member m, *slot;

		if (!describe_member(b, *d, &m))
			continue;
		slot = member_list_add(&members);
		if (!slot)
			return -ENOMEM;
		*slot = m;
	}
	if (members.n > 1)
		qsort(members.items, members.n, sizeof(members.items[0]), member_order);
	for (size_t i = 0; i < members.n; i += n) {
		int r;

		for (n = 1;
		     i + n < members.n && is_same_set(&members.items[i], &members.items[i + n]);)
			n++;
		r = add_set(b, &members.items[i], n);
		if (r < 0)
			return r;
	}
	LIST_SORT(&b->derived, region);
	return connect_regions(b);
}
