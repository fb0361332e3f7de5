// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "selftest/marker.h"
#include "selftest/random.h"

enum {
	LINE_MASK = MARKER_LINE - 1,
	ADDRESS_BITS = 64,
	CHUNK_LINES = 2, /* first and last */
	/* Without random ones; a bit has a line on each side of it. */
	FIXED_MAX = 2 + PLAN_BLOCKS * CHUNK_LINES * INTERLEAVE_WAYS_MAX + 2 * ADDRESS_BITS +
		    INTERLEAVE_WAYS_MAX * (2 + 2 * ADDRESS_BITS),
};

struct maker {
	const struct plan_region *r;
	struct plan_sample *items;
	size_t n;
};

const char *plan_kind_name(enum plan_kind kind)
{
	static const char *const names[PLAN_KINDS] = {
		[PLAN_REGION_START] = "region-start",	[PLAN_REGION_END] = "region-end",
		[PLAN_CHUNK] = "chunk-boundary",	[PLAN_ADDRESS_BIT] = "address-bit",
		[PLAN_DEVICE_START] = "device-start",	[PLAN_DEVICE_END] = "device-end",
		[PLAN_DEVICE_BIT] = "device-bit",	[PLAN_RANDOM] = "random",
		[PLAN_DEVICE_RANDOM] = "device-random",
	};

	return names[kind];
}

static bool has_sample(const struct maker *m, const struct plan_sample *s)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].by_dpa == s->by_dpa && m->items[i].position == s->position &&
		    m->items[i].address == s->address)
			return true;
	return false;
}

static void add(struct maker *m, const struct plan_sample *s)
{
	m->items[m->n] = *s;
	m->items[m->n++].address &= ~(uint64_t)LINE_MASK;
}

/* Adds the line of an SPA that is in the region, unless it is there. */
static void add_spa(struct maker *m, enum plan_kind kind, uint64_t spa)
{
	const struct plan_sample s = {.kind = kind, .address = spa & ~(uint64_t)LINE_MASK};

	if (spa >= m->r->first && spa <= m->r->last && !has_sample(m, &s))
		add(m, &s);
}

static void add_dpa(struct maker *m, enum plan_kind kind, unsigned int position, uint64_t dpa)
{
	const struct plan_device *d = &m->r->devices[position];
	const struct plan_sample s = {.kind = kind,
				      .by_dpa = true,
				      .position = position,
				      .address = dpa & ~(uint64_t)LINE_MASK};

	if (dpa >= d->first && dpa <= d->last && !has_sample(m, &s))
		add(m, &s);
}

static void add_block(struct maker *m, uint64_t block)
{
	const uint64_t g = m->r->granularity;

	for (unsigned int k = 0; k < m->r->ways; k++) {
		add_spa(m, PLAN_CHUNK, block + k * g);
		add_spa(m, PLAN_CHUNK, block + k * g + g - MARKER_LINE);
	}
}

static void add_blocks(struct maker *m)
{
	const struct plan_region *r = m->r;
	const uint64_t size = (uint64_t)r->ways * r->granularity;
	const uint64_t n = (r->last - r->base) / size;

	add_block(m, r->base);
	add_block(m, r->base + n / 2 * size);
	add_block(m, r->base + n * size);
}

/* Both sides of each power of two from a line on: there a rule uses another bit of the address. */
static void add_bits(struct maker *m)
{
	const uint64_t length = m->r->last - m->r->base;

	for (uint64_t bit = MARKER_LINE; bit && bit <= length; bit <<= 1) {
		add_spa(m, PLAN_ADDRESS_BIT, m->r->base + bit - MARKER_LINE);
		add_spa(m, PLAN_ADDRESS_BIT, m->r->base + bit);
	}
}

static void add_device(struct maker *m, unsigned int position)
{
	const struct plan_device *d = &m->r->devices[position];
	const uint64_t length = d->last - d->first;

	add_dpa(m, PLAN_DEVICE_START, position, d->first);
	add_dpa(m, PLAN_DEVICE_END, position, d->last);
	for (uint64_t bit = MARKER_LINE; bit && bit <= length; bit <<= 1) {
		add_dpa(m, PLAN_DEVICE_BIT, position, d->first + bit - MARKER_LINE);
		add_dpa(m, PLAN_DEVICE_BIT, position, d->first + bit);
	}
}

static uint64_t random_in(uint64_t *state, uint64_t first, uint64_t last)
{
	const uint64_t number = selftest_random(state);

	return last - first == UINT64_MAX ? number : first + number % (last - first + 1);
}

static void add_random(struct maker *m)
{
	const struct plan_region *r = m->r;
	uint64_t state = r->seed;

	for (size_t i = 0; i < r->random; i++) {
		const struct plan_sample s = {.kind = PLAN_RANDOM,
					      .address = random_in(&state, r->first, r->last)};

		add(m, &s);
	}
	for (size_t i = 0; i < r->random; i++) {
		const unsigned int position = (unsigned int)(i % r->ways);
		const struct plan_device *d = &r->devices[position];
		const struct plan_sample s = {.kind = PLAN_DEVICE_RANDOM,
					      .by_dpa = true,
					      .position = position,
					      .address = random_in(&state, d->first, d->last)};

		add(m, &s);
	}
}

int plan_make(const struct plan_region *r, struct plan_sample **ret, size_t *ret_n)
{
	struct maker m = {.r = r, .items = calloc(FIXED_MAX + 2 * r->random, sizeof(*m.items))};

	if (!m.items)
		return -ENOMEM;
	add_spa(&m, PLAN_REGION_START, r->first);
	add_spa(&m, PLAN_REGION_END, r->last);
	add_blocks(&m);
	add_bits(&m);
	for (unsigned int i = 0; i < r->ways; i++)
		add_device(&m, i);
	add_random(&m);
	*ret = m.items;
	*ret_n = m.n;
	return 0;
}
