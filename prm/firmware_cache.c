// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Firmware's answers by 256-byte chunk: a bounded LRU with an index by query and one by SPA.
#include <stdlib.h>
#include <sys/random.h>

#include "prm/firmware_private.h"

/* Links are indices into `chunks`; 0 is none, and the anchor of the LRU. */
struct cache_chunk {
	uint64_t dpa, spa;
	uint64_t queried_dpa, conflict_dpa;
	uint32_t function, conflict_function; /* segment, bus, devfn */
	uint32_t next, next_by_spa;	      /* in their hash chains */
	uint32_t newer, older;
	int error;
	enum firmware_result result;
};

struct firmware_cache {
	uint32_t limit, n, mask;
	uint64_t seed; /* addresses come from clients, who must not be able to choose collisions */
	struct cache_chunk *chunks; /* limit + 1 */
	uint32_t *by_query, *by_spa;
};

static uint64_t hash_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ULL;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static uint32_t function_of(const struct firmware_query *q)
{
	return q->segment << 16 | (uint32_t)q->bus << 8 | q->devfn;
}

static struct firmware_query query_of(uint32_t function, uint64_t dpa)
{
	return (struct firmware_query){.segment = function >> 16,
				       .bus = (uint8_t)(function >> 8),
				       .devfn = (uint8_t)function,
				       .dpa = dpa};
}

static uint32_t *query_chain(const struct firmware_cache *c, uint32_t function, uint64_t dpa)
{
	return &c->by_query[hash_mix(hash_mix(dpa ^ c->seed) + function) & c->mask];
}

static uint32_t *spa_chain(const struct firmware_cache *c, uint64_t spa)
{
	return &c->by_spa[hash_mix(spa ^ c->seed) & c->mask];
}

struct firmware_cache *firmware_cache_new(uint32_t limit)
{
	struct firmware_cache *c = calloc(1, sizeof(*c));
	uint32_t chains = 1;

	if (!c)
		return NULL;
	while (chains < limit)
		chains *= 2;
	c->limit = limit;
	c->mask = chains - 1;
	/* Without a random seed the cache still works. */
	(void)!getrandom(&c->seed, sizeof(c->seed), GRND_NONBLOCK);
	c->chunks = calloc((size_t)limit + 1, sizeof(*c->chunks));
	c->by_query = calloc(chains, sizeof(*c->by_query));
	c->by_spa = calloc(chains, sizeof(*c->by_spa));
	if (!c->chunks || !c->by_query || !c->by_spa)
		return firmware_cache_free(c);
	return c;
}

struct firmware_cache *firmware_cache_free(struct firmware_cache *c)
{
	if (!c)
		return NULL;
	free(c->chunks);
	free(c->by_query);
	free(c->by_spa);
	free(c);
	return NULL;
}

void firmware_cache_clear(struct firmware_cache *c)
{
	if (c->n == 0)
		return; /* leaves its pages untouched */
	for (uint32_t i = 0; i <= c->mask; i++)
		c->by_query[i] = c->by_spa[i] = 0;
	c->chunks[0] = (struct cache_chunk){0};
	c->n = 0;
}

size_t firmware_cache_count(const struct firmware_cache *c)
{
	return c->n;
}

static bool has_spa(const struct cache_chunk *chunk)
{
	return chunk->result == FIRMWARE_TRANSLATED || chunk->result == FIRMWARE_SHARED;
}

static void lru_remove(struct firmware_cache *c, uint32_t i)
{
	const struct cache_chunk *chunk = &c->chunks[i];

	c->chunks[chunk->newer].older = chunk->older;
	c->chunks[chunk->older].newer = chunk->newer;
}

/* The anchor's `older` is the newest of all, its `newer` the oldest. */
static void lru_insert(struct firmware_cache *c, uint32_t i)
{
	struct cache_chunk *anchor = &c->chunks[0], *chunk = &c->chunks[i];

	chunk->newer = 0;
	chunk->older = anchor->older;
	c->chunks[anchor->older].newer = i;
	anchor->older = i;
}

static uint32_t chunk_find(const struct firmware_cache *c, uint32_t function, uint64_t dpa)
{
	uint32_t i = *query_chain(c, function, dpa);

	while (i && (c->chunks[i].dpa != dpa || c->chunks[i].function != function))
		i = c->chunks[i].next;
	return i;
}

bool firmware_cache_get(struct firmware_cache *c, const struct firmware_query *q,
			struct firmware_answer *ret)
{
	uint32_t i = chunk_find(c, function_of(q), FIRMWARE_CHUNK_OF(q->dpa));
	const struct cache_chunk *chunk = &c->chunks[i];

	if (!i)
		return false;
	lru_remove(c, i);
	lru_insert(c, i);
	*ret = (struct firmware_answer){
		.result = chunk->result,
		.error = chunk->error,
		.spa = has_spa(chunk) ? chunk->spa + (q->dpa - chunk->dpa) : chunk->spa,
		.queried_dpa = has_spa(chunk) ? q->dpa : chunk->queried_dpa,
		.conflict = query_of(chunk->conflict_function, chunk->conflict_dpa)};
	return true;
}

static void unlink_from(struct firmware_cache *c, uint32_t *link, uint32_t i, bool by_spa)
{
	while (*link != i)
		link = by_spa ? &c->chunks[*link].next_by_spa : &c->chunks[*link].next;
	*link = by_spa ? c->chunks[i].next_by_spa : c->chunks[i].next;
}

static void unlink_chunk(struct firmware_cache *c, uint32_t i)
{
	const struct cache_chunk *chunk = &c->chunks[i];

	lru_remove(c, i);
	unlink_from(c, query_chain(c, chunk->function, chunk->dpa), i, false);
	if (has_spa(chunk))
		unlink_from(c, spa_chain(c, chunk->spa), i, true);
}

/* Return: an unlinked chunk: the query's own, one never used, or the oldest. */
static uint32_t chunk_alloc(struct firmware_cache *c, uint32_t function, uint64_t dpa)
{
	uint32_t i = chunk_find(c, function, dpa);

	if (!i && c->n < c->limit)
		return ++c->n;
	if (!i)
		i = c->chunks[0].newer;
	unlink_chunk(c, i);
	return i;
}

/* No two chunks can have one SPA: marks @i and every chunk that has the same. */
static void mark_conflicts(struct firmware_cache *c, uint32_t i)
{
	struct cache_chunk *chunk = &c->chunks[i];

	for (uint32_t k = *spa_chain(c, chunk->spa); k; k = c->chunks[k].next_by_spa) {
		struct cache_chunk *other = &c->chunks[k];

		if (other->spa != chunk->spa)
			continue;
		other->result = chunk->result = FIRMWARE_SHARED;
		other->conflict_function = chunk->function;
		other->conflict_dpa = chunk->dpa;
		chunk->conflict_function = other->function;
		chunk->conflict_dpa = other->dpa;
	}
}

void firmware_cache_put(struct firmware_cache *c, const struct firmware_query *q,
			const struct firmware_answer *a)
{
	uint32_t function = function_of(q), *chain, i;
	uint64_t dpa = FIRMWARE_CHUNK_OF(q->dpa);
	struct cache_chunk *chunk;

	i = chunk_alloc(c, function, dpa);
	chunk = &c->chunks[i];
	*chunk = (struct cache_chunk){.dpa = dpa,
				      .function = function,
				      .spa = a->spa,
				      .queried_dpa = q->dpa,
				      .error = a->error,
				      .result = a->result};
	chain = query_chain(c, function, dpa);
	chunk->next = *chain;
	*chain = i;
	lru_insert(c, i);
	if (a->result != FIRMWARE_TRANSLATED)
		return;
	chunk->spa = FIRMWARE_CHUNK_OF(a->spa);
	mark_conflicts(c, i);
	chain = spa_chain(c, chunk->spa);
	chunk->next_by_spa = *chain;
	*chain = i;
}
