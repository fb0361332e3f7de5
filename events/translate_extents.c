// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Translates all of a record, not only its first address. Interleaving moves whole chunks, so the
// record is divided at the boundaries of chunks, and each piece is translated by its first address.
// The rest of a record at the limit of pieces becomes intervals.
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "events/event_extents.h"
#include "events/event_fill_private.h"
#include "prm/firmware.h"

enum {
	INTERVALS_MAX = 4, /* endpoint decoders that the rest may lie in */
	PIECES_MAX = EVENT_EXTENTS_MAX - INTERVALS_MAX,
	/* Each with its alias. */
	CACHED_MAX = EVENT_EXTENTS_MAX / 2,
	FIRMWARE_CHUNK = 256, /* the smallest granularity: firmware gives one address for each */
};

struct extents_job {
	const struct event_mapping *m;
	const struct event_question *q;
	struct firmware_timeout *timeout;
	struct event_answer *ret;
	uint64_t at, last; /* DPAs that are left */
	unsigned int max;  /* extents */
	bool not_queried;
};

/* A low memory hole ends the mapping before its decoder. Return: the last DPA before one. */
static uint64_t before_hole(const struct answer *a, uint64_t dpa, uint64_t last)
{
	const struct region *m = a->mapping;
	uint64_t left;

	if (!m || !m->resource.present || !m->size.present || m->size.value == 0)
		return last;
	left = m->resource.value + (m->size.value - 1) - a->spa;
	return last - dpa > left ? dpa + left : last;
}

/* Return: the last DPA whose SPA follows from that of @dpa by addition. */
static uint64_t chunk_last(const struct answer *a, uint64_t dpa)
{
	const struct decoder *d = a->decoder;
	const struct region *m = a->mapping;
	uint64_t granularity = FIRMWARE_CHUNK, start, offset, last;

	if (!d || !d->dpa_resource.present || !d->dpa_size.present ||
	    dpa - d->dpa_resource.value >= d->dpa_size.value)
		return dpa | (FIRMWARE_CHUNK - 1);
	start = d->dpa_resource.value;
	offset = dpa - start;
	if (m && m->ways.present && m->granularity.value >= granularity &&
	    decoder_mapping(d) == MAPPING_ORDINARY)
		granularity =
			m->ways.value == 1 && a->exact ? d->dpa_size.value : m->granularity.value;
	last = offset / granularity * granularity + (granularity - 1);
	last = start + (last < d->dpa_size.value ? last : d->dpa_size.value - 1);
	return a->exact ? before_hole(a, dpa, last) : last;
}

static void add_extent(struct extents_job *job, uint64_t last, uint64_t spa, uint64_t spa_last,
		       bool exact, uint64_t alias)
{
	struct event_answer *ret = job->ret;
	struct event_extent *x =
		ret->n_extents ? &ret->extents[ret->n_extents - 1] : &ret->extents[0];

	if (alias > spa)
		alias = 0;
	if (alias)
		job->max = CACHED_MAX;
	if (ret->n_extents && x->exact && exact && x->dpa_last + 1 == job->at &&
	    x->spa_last + 1 == spa && x->alias == alias) {
		x->dpa_last = last;
		x->spa_last = spa_last;
		return;
	}
	if (ret->n_extents >= job->max) {
		ret->bytes_beyond += last - job->at + 1;
		return;
	}
	x = &ret->extents[ret->n_extents++];
	x->dpa = job->at;
	x->dpa_last = last;
	x->spa = spa;
	x->spa_last = spa_last;
	x->exact = exact;
	x->alias = alias;
}

static uint64_t alias_of(const struct answer *a)
{
	return a->has_alias ? a->spa - a->alias : 0;
}

/*
 * The distance of the alias of the first address. The kernel's is used where nothing else is. An
 * interval that the kernel's address widened may begin before the lines' own half: its alias then
 * begins with the region, and ends no earlier.
 */
static uint64_t alias_of_first(const struct extents_job *job, const struct answer *first)
{
	const struct event_question *q = job->q;
	const struct event_answer *ret = job->ret;

	if (first && first->has_alias) {
		const uint64_t base = first->mapping ? first->mapping->resource.value : 0;
		const uint64_t distance = alias_of(first);

		if (!ret->has_spa || ret->spa >= base + distance)
			return distance;
		return ret->spa > base ? ret->spa - base : 0;
	}
	return q->hpa.present && q->hpa_alias.present && q->hpa_alias.value < q->hpa.value
		       ? q->hpa.value - q->hpa_alias.value
		       : 0;
}

/* Ends the piece at @last. Return: whether something is left. */
static bool advance(struct extents_job *job, uint64_t last)
{
	if (last >= job->last)
		return false;
	job->at = last + 1;
	return true;
}

static int translate_piece(struct extents_job *job, uint64_t last, struct answers *out)
{
	const struct event_question *q = job->q;

	if (job->timeout)
		return translate_dpa_wait(job->m->translator, q->memdev, job->at, last,
					  job->timeout, out);
	return translate_dpa(job->m->translator, q->memdev, job->at, last, out);
}

/* A piece may lie in another region than the address of the record. */
static bool is_of_record(const struct extents_job *job, const struct answer *first,
			 const struct answer *a)
{
	return a->has_spa &&
	       (a->mapping == first->mapping || event_mapping_held(job->m, job->q, a));
}

/* Return: whether the next piece may be exact as well. */
static bool add_piece(struct extents_job *job, const struct answer *first, bool *ret_left)
{
	_cleanup_(answers_done) struct answers out = {0};
	const struct answer *a;
	uint64_t last;

	if (translate_piece(job, job->at, &out) < 0)
		return false;
	a = &out.items[0];
	job->not_queried |= a->not_queried;
	if (!a->exact || !is_of_record(job, first, a))
		return false;
	last = chunk_last(a, job->at);
	if (last > job->last)
		last = job->last;
	add_extent(job, last, a->spa, a->spa + (last - job->at), true, alias_of(a));
	*ret_left = advance(job, last);
	return *ret_left;
}

/* Adds the rest, as an interval for each endpoint decoder. */
static void add_rest(struct extents_job *job, const struct answer *first)
{
	_cleanup_(answers_done) struct answers out = {0};

	if (translate_piece(job, job->last, &out) < 0) {
		job->ret->bytes_beyond += job->last - job->at + 1;
		return;
	}
	ARRAY_FOREACH(a, &out) {
		job->at = a->dpa;
		job->not_queried |= a->not_queried;
		if (is_of_record(job, first, a))
			add_extent(job, a->dpa_last, a->spa, a->spa_last, a->exact, alias_of(a));
		else
			job->ret->bytes_beyond += a->dpa_last - a->dpa + 1;
	}
}

/* Many calls of firmware at once, instead of one for each piece. */
static void query_ahead(struct extents_job *job)
{
	uint64_t dpas[PIECES_MAX];
	size_t n = 0;

	for (uint64_t dpa = job->at; n < PIECES_MAX && dpa >= job->at && dpa <= job->last;
	     dpa = (dpa | (FIRMWARE_CHUNK - 1)) + 1)
		dpas[n++] = dpa;
	if (job->timeout && n)
		translate_prefetch(job->m->translator, job->q->memdev, dpas, n, job->timeout);
}

/* The part in the chunk of the address, which is translated already. Return: as advance(). */
static bool add_first(struct extents_job *job, const struct answer *first, bool is_mapped)
{
	struct event_answer *ret = job->ret;
	const uint64_t end =
		is_mapped ? chunk_last(first, job->at) : job->at | (FIRMWARE_CHUNK - 1);
	const uint64_t last = end < job->last ? end : job->last;
	uint64_t spa_last = ret->spa_last;

	if (!ret->has_spa)
		return true;
	/* An estimate holds the chunk; others were computed of the first address. */
	if (spa_last <= UINT64_MAX - (last - job->at))
		spa_last += last - job->at;
	if (!ret->exact && is_mapped && first->has_spa && !first->exact &&
	    ret->spa_last == first->spa_last)
		spa_last = ret->spa_last;
	add_extent(job, last, ret->spa, spa_last, ret->exact, alias_of_first(job, first));
	return advance(job, last);
}

/* Exact is only what is so to the last byte; else the interval holds all that is known. */
static void conclude(struct extents_job *job)
{
	struct event_answer *ret = job->ret;
	bool exact = ret->exact && !ret->bytes_beyond;
	char text[ANSWER_REASON_MAX];

	for (size_t i = 0; i < ret->n_extents; i++)
		exact &= ret->extents[i].exact;
	if (exact)
		return;
	ret->exact = false;
	ret->has_spa = ret->n_extents > 0;
	if (ret->has_spa) {
		ret->spa = ret->extents[0].spa;
		ret->spa_last = ret->extents[0].spa_last;
		(void)event_span(ret, &ret->spa, &ret->spa_last);
	}
	if (!ret->has_spa || (ret->n_extents == 1 && !ret->bytes_beyond))
		return;
	(void)snprintf(text, sizeof(text), "%s", ret->reason);
	(void)snprintf(ret->reason, sizeof(ret->reason),
		       "the record is %llu bytes long: %u extent%s, %llu bytes beyond them%s%.200s",
		       (unsigned long long)job->q->length, ret->n_extents,
		       ret->n_extents == 1 ? "" : "s", (unsigned long long)ret->bytes_beyond,
		       text[0] ? "; " : "", text);
}

/* A record that has no length, or none that is known. */
static void conclude_address(struct extents_job *job, const struct answer *first)
{
	struct event_answer *ret = job->ret;
	const uint64_t alias = alias_of_first(job, first);

	if (ret->has_spa && alias)
		add_extent(job, job->at, ret->spa, ret->spa_last, ret->exact, alias);
	if (job->q->length_is_unknown) {
		const size_t used = strlen(ret->reason);

		(void)snprintf(
			ret->reason + used, sizeof(ret->reason) - used,
			"%sthe record's length of 0 is any multiple of 4 GiB: only its first address is known",
			used ? "; " : "");
	}
}

bool event_translate_rest(const struct event_mapping *m, const struct event_question *q,
			  struct firmware_timeout *timeout, const struct answer *first,
			  bool is_mapped, struct event_answer *ret)
{
	struct extents_job job = {
		.m = m,
		.q = q,
		.timeout = timeout,
		.ret = ret,
		.at = q->dpa.value,
		.last = event_dpa_last(q->dpa.value, q->length),
		.max = EVENT_EXTENTS_MAX,
	};
	/* The kernel contradicts what translates the other pieces. */
	const bool disputed = ret->hpa_disagrees && !ret->exact;
	bool left;

	if (job.last == job.at) {
		conclude_address(&job, first);
		return false;
	}
	left = add_first(&job, first, is_mapped);
	if (left && is_mapped && (!ret->has_spa || ret->exact)) {
		query_ahead(&job);
		for (unsigned int i = 1;
		     i < job.max - INTERVALS_MAX && add_piece(&job, first, &left); i++)
			;
	}
	if (left && is_mapped && !disputed)
		add_rest(&job, first);
	else if (left)
		ret->bytes_beyond += job.last - job.at + 1;
	conclude(&job);
	return job.not_queried;
}
