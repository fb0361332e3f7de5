// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/usage.h"

#include <stdlib.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "model/partitions.h"
#include "model/topology.h"

/* Adds @bytes to the sum. Return: false when it is not known, or the sum does not fit. */
static bool add(uint64_t *sum, struct opt_u64 bytes)
{
	return bytes.present && !__builtin_add_overflow(*sum, bytes.value, sum);
}

struct sums {
	uint64_t used, reserved;
	/* Not all extents of a region are known, so all of it is among the reserved. */
	bool extents_unknown;
};

/* Sets the others of a usage, unless more is taken than there is. */
static void set_taken(struct usage *u, const struct sums *s)
{
	uint64_t taken;

	if (!u->size.present || __builtin_add_overflow(s->used, s->reserved, &taken) ||
	    taken > u->size.value)
		return;
	if (!s->extents_unknown) {
		u->used = OPT_U64(s->used);
		u->reserved = OPT_U64(s->reserved);
	}
	u->free = OPT_U64(u->size.value - taken);
}

static bool has_no_mapping(const struct decoder *d)
{
	return d->port->kind == PORT_HOST_BRIDGE && !decoder_mapped_by(d) &&
	       decoder_is_committed(d);
}

DEFINE_ARRAY(const struct decoder *, unmapped_list);

/* The largest of those that begin at one address is first. */
static int compare_starts(const void *a, const void *b)
{
	const struct decoder *x = *(const struct decoder *const *)a;
	const struct decoder *y = *(const struct decoder *const *)b;

	if (x->start.value != y->start.value)
		return x->start.value < y->start.value ? -1 : 1;
	return (x->size.value < y->size.value) - (x->size.value > y->size.value);
}

/* Return: false when one is not known. */
static bool find_unmapped(const struct host *host, const struct decoder *window,
			  struct unmapped_list *ret)
{
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *d = host->decoders[i], **slot;

		if (!has_no_mapping(d))
			continue;
		if (!d->start.present || !window->start.present)
			return false;
		if (!decoder_is_in_window(d, window))
			continue;
		slot = unmapped_list_add(ret);
		if (!slot)
			return false;
		*slot = d;
	}
	return true;
}

/* Host bridges that decode the same range reserve it once. Return: false when it is not known. */
static bool add_reserved(const struct host *host, const struct decoder *window, uint64_t *sum)
{
	_cleanup_(unmapped_list_done) struct unmapped_list list = {0};
	bool known = find_unmapped(host, window, &list);

	if (list.n > 1)
		qsort(list.items, list.n, sizeof(list.items[0]), compare_starts);
	for (size_t i = 0; i < list.n && known; i++)
		if (i == 0 || list.items[i - 1]->start.value != list.items[i]->start.value)
			known = add(sum, list.items[i]->size);
	return known;
}

/*
 * Adds what a region maps, and the bytes of it at which memory is: those of the extents of dynamic
 * capacity are used, and the others are reserved for further ones. Return: as add().
 */
static bool add_mapped(struct sums *s, struct opt_u64 mapped, struct opt_u64 backed)
{
	if (!mapped.present)
		return false;
	if (!backed.present || backed.value > mapped.value) {
		s->extents_unknown = true;
		return add(&s->reserved, mapped);
	}
	return add(&s->used, backed) && add(&s->reserved, OPT_U64(mapped.value - backed.value));
}

struct usage window_usage(const struct host *host, const struct decoder *window)
{
	struct usage u = {.size = window->size};
	struct sums sums = {0};

	for (size_t i = 0; i < host_n_mappings(host); i++) {
		const struct region *m = host_mapping_at(host, i);

		if (m->root == window && !m->of_region &&
		    !add_mapped(&sums, m->size, region_backed(m)))
			return u;
	}
	if (add_reserved(host, window, &sums.reserved))
		set_taken(&u, &sums);
	return u;
}

/* Return: the bytes of a decoder's part of a region at which memory is. */
static struct opt_u64 backed_dpa(const struct region *r, const struct decoder *d)
{
	const struct opt_u64 backed = region_backed(r);

	if (!region_has_extents(r))
		return d->dpa_size;
	if (!backed.present || !r->ways.value || backed.value % r->ways.value)
		return (struct opt_u64){0};
	return OPT_U64(backed.value / r->ways.value);
}

struct usage memdev_usage(const struct memdev *m)
{
	struct usage u = {.size = memdev_capacity(m)};
	struct sums sums = {0};

	if (!m->endpoint)
		return u;
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		const struct region *r = region_of_decoder(d);

		if (r ? !add_mapped(&sums, d->dpa_size, backed_dpa(r, d))
		      : !add(&sums.reserved, d->dpa_size))
			return u;
	}
	set_taken(&u, &sums);
	return u;
}

/* Adds the memory of a partition of dynamic capacity. Return: false when it is not known. */
static bool add_dynamic(uint64_t *sum, const struct memdev *m, const char *mode)
{
	bool mapped = false;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		const struct region *r = region_of_decoder(d);

		if (!str_equal(decoder_mode_word(d), mode))
			continue;
		if (!r || !add(sum, backed_dpa(r, d)))
			return false;
		mapped = true;
	}
	return mapped;
}

struct opt_u64 memdev_memory(const struct memdev *m)
{
	uint64_t sum = 0;
	bool known = add(&sum, m->ram_size) && add(&sum, m->pmem_size);

	for (size_t i = 0; i < m->n_named && known; i++)
		known = name_is_dynamic_capacity(m->named[i].name)
				? add_dynamic(&sum, m, m->named[i].name)
				: add(&sum, m->named[i].size);
	return (struct opt_u64){.present = known, .value = known ? sum : 0};
}
