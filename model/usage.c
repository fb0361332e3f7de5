// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/usage.h"

#include "model/partitions.h"
#include "model/topology.h"

/* Adds @bytes to the sum. Return: false when it is not known, or the sum does not fit. */
static bool add(uint64_t *sum, struct opt_u64 bytes)
{
	return bytes.present && !__builtin_add_overflow(*sum, bytes.value, sum);
}

/* Sets `free`, unless more is taken than there is. Return: whether it is set. */
static bool set_free(struct usage *u, uint64_t taken)
{
	if (!u->size.present || taken > u->size.value)
		return false;
	u->free = OPT_U64(u->size.value - taken);
	return true;
}

struct usage window_usage(const struct host *host, const struct decoder *window)
{
	struct usage u = {.size = window->size};
	uint64_t used = 0;

	for (size_t i = 0; i < host->n_regions; i++)
		if (host->regions[i]->root == window && !add(&used, host->regions[i]->size))
			return u;
	if (set_free(&u, used))
		u.used = OPT_U64(used);
	return u;
}

struct usage memdev_usage(const struct memdev *m)
{
	struct usage u = {.size = memdev_capacity(m)};
	uint64_t used = 0, reserved = 0, taken;

	if (!m->endpoint)
		return u;
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (!add(region_of_decoder(d) ? &used : &reserved, d->dpa_size))
			return u;
	}
	if (!__builtin_add_overflow(used, reserved, &taken) && set_free(&u, taken)) {
		u.used = OPT_U64(used);
		u.reserved = OPT_U64(reserved);
	}
	return u;
}
