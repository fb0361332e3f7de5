// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Base, ways and granularity of a Normalized decoder by queries of firmware, as
// cxl_prm_setup_root() in drivers/cxl/core/atl.c does, for kernels that create no region.
#include <errno.h>
#include <string.h>

#include "prm/firmware_private.h"
#include "prm/interleave.h"

#define ALIGNMENT (256ULL << 20)

enum { GRANULARITY_TRIED_MAX = 16 << 20 };

/* Return: the slot of the decoder, or a free one for it; with the lock held. */
static struct firmware_geometry_slot *geometry_slot(struct firmware *f,
						    const struct firmware_query *q, uint64_t last)
{
	uint64_t key = (q->dpa ^ last << 1) * 0x9e3779b97f4a7c15ULL;
	size_t i;

	key ^= ((uint64_t)q->segment << 16 | (uint64_t)q->bus << 8 | q->devfn) *
	       0xd6e8feb86659fd93ULL;
	for (i = key >> 32;; i++) {
		struct firmware_geometry_slot *s =
			&f->geometries[i % (FIRMWARE_GEOMETRIES_MAX * 2)];

		if (!s->used || (s->last == last && s->device.dpa == q->dpa &&
				 s->device.segment == q->segment && s->device.bus == q->bus &&
				 s->device.devfn == q->devfn))
			return s;
	}
}

static struct firmware_query query_at(const struct firmware_query *q, uint64_t dpa)
{
	struct firmware_query there = *q;

	there.dpa = dpa;
	return there;
}

/*
 * Return: 0; -ERANGE when known to be inconsistent; -ENOENT when not known. @ret_epoch is for
 * geometry_store().
 */
static int geometry_lookup(struct firmware *f, const struct firmware_query *q, uint64_t last,
			   struct firmware_geometry *ret, uint64_t *ret_epoch)
{
	const struct firmware_geometry_slot *s;
	int r = -ENOENT;

	pthread_mutex_lock(&f->lock);
	*ret_epoch = f->epoch;
	s = geometry_slot(f, q, last);
	if (s->used && s->sound)
		*ret = s->geometry;
	if (s->used)
		r = s->sound ? 0 : -ERANGE;
	pthread_mutex_unlock(&f->lock);
	return r;
}

/* A full table keeps its entries: further decoders are derived each time, from cached chunks. */
static void geometry_store(struct firmware *f, const struct firmware_query *q, uint64_t last,
			   uint64_t epoch, const struct firmware_geometry *g)
{
	struct firmware_geometry_slot *s;

	pthread_mutex_lock(&f->lock);
	s = geometry_slot(f, q, last);
	if (!s->used && epoch == f->epoch && f->n_geometries < FIRMWARE_GEOMETRIES_MAX) {
		*s = (struct firmware_geometry_slot){.used = true, .device = *q, .last = last};
		s->sound = g != NULL;
		if (g)
			s->geometry = *g;
		f->n_geometries++;
	}
	pthread_mutex_unlock(&f->lock);
}

/* Return: 0; -ENODATA with @ret_why. */
static int derive_granularity(struct firmware *f, const struct firmware_query *q, uint64_t last,
			      uint64_t spa, struct firmware_timeout *timeout, unsigned int *ret,
			      struct firmware_answer *ret_why)
{
	unsigned int granularity = INTERLEAVE_GRANULARITY_MIN;

	for (; granularity <= GRANULARITY_TRIED_MAX && granularity <= last - q->dpa;
	     granularity *= 2) {
		struct firmware_query there = query_at(q, q->dpa + granularity);

		firmware_translate(f, &there, 1, timeout, ret_why);
		if (ret_why->result != FIRMWARE_TRANSLATED)
			return -ENODATA;
		if (ret_why->spa != spa + granularity)
			break;
	}
	*ret = granularity;
	return 0;
}

/* The first DPA must be in the first interleave block, the last in the last. */
static bool ends_lie_in_their_blocks(const struct firmware_geometry *g, uint64_t first,
				     uint64_t last)
{
	uint64_t block = (uint64_t)g->ways * g->granularity;

	return first - g->base < block && g->last - last < block;
}

/* Return: 0; -ENODATA with @ret_why; -ERANGE. */
static int geometry_derive(struct firmware *f, const struct firmware_query *q, uint64_t last,
			   struct firmware_timeout *timeout, struct firmware_geometry *ret,
			   struct firmware_answer *ret_why)
{
	struct firmware_query ends[2] = {*q, query_at(q, last)};
	uint64_t size = last - q->dpa + 1, bytes, end;
	struct firmware_answer answers[2];
	struct firmware_geometry g = {.granularity = INTERLEAVE_GRANULARITY_MIN};
	int r = 0;

	firmware_translate(f, ends, 2, timeout, answers);
	for (size_t i = 0; i < 2; i++) {
		*ret_why = answers[i];
		if (answers[i].result != FIRMWARE_TRANSLATED)
			return -ENODATA;
	}
	g.base = answers[0].spa & ~(ALIGNMENT - 1);
	end = answers[1].spa | (ALIGNMENT - 1);
	if (size == 0 || end < g.base || end - g.base == UINT64_MAX)
		return -ERANGE;
	bytes = end - g.base + 1;
	if (bytes % size != 0 || !interleave_ways_valid(bytes / size))
		return -ERANGE;
	g.last = end;
	g.ways = (unsigned int)(bytes / size);
	if (g.ways > 1)
		r = derive_granularity(f, q, last, answers[0].spa, timeout, &g.granularity,
				       ret_why);
	if (r == 0 && (g.granularity > GRANULARITY_TRIED_MAX ||
		       !ends_lie_in_their_blocks(&g, answers[0].spa, answers[1].spa)))
		r = -ERANGE;
	if (r == 0)
		*ret = g;
	return r;
}

/* A geometry is invalid once another device has the SPA of one of its ends. */
static bool ends_are_rejected(struct firmware *f, const struct firmware_query *q, uint64_t last,
			      struct firmware_answer *ret_why)
{
	const struct firmware_query ends[2] = {*q, query_at(q, last)};
	struct firmware_answer answer;

	for (size_t i = 0; i < 2; i++) {
		if (!firmware_peek(f, &ends[i], &answer) || answer.result != FIRMWARE_SHARED)
			continue;
		*ret_why = answer;
		return true;
	}
	return false;
}

int firmware_geometry(struct firmware *f, const struct firmware_query *q, uint64_t last,
		      struct firmware_timeout *timeout, struct firmware_geometry *ret,
		      struct firmware_answer *ret_why)
{
	uint64_t epoch;
	int r = geometry_lookup(f, q, last, ret, &epoch);

	*ret_why = (struct firmware_answer){.result = FIRMWARE_TRANSLATED};
	if (r == 0 && ends_are_rejected(f, q, last, ret_why))
		return -ENODATA;
	if (r != -ENOENT)
		return r;
	r = geometry_derive(f, q, last, timeout, ret, ret_why);
	if (r == 0 || r == -ERANGE)
		geometry_store(f, q, last, epoch, r == 0 ? ret : NULL);
	return r;
}
