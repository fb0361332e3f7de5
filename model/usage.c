// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/usage.h"

#include "model/partitions.h"
#include "model/topology.h"

/* Adds @bytes to the sum. Return: false when it is not known, or the sum does not fit. */
static bool add(uint64_t *sum, struct opt_u64 bytes)
{
	return bytes.present && !__builtin_add_overflow(*sum, bytes.value, sum);
}

/* Sets the others of a usage, unless more is taken than there is. */
static void set_taken(struct usage *u, uint64_t used, uint64_t reserved)
{
	uint64_t taken;

	if (!u->size.present || __builtin_add_overflow(used, reserved, &taken) ||
	    taken > u->size.value)
		return;
	u->used = OPT_U64(used);
	u->reserved = OPT_U64(reserved);
	u->free = OPT_U64(u->size.value - taken);
}

static bool has_no_mapping(const struct decoder *d)
{
	return d->port->kind == PORT_HOST_BRIDGE && !decoder_mapped_by(d) &&
	       decoder_is_committed(d);
}

/* Return: whether another host bridge before it decodes the same range. */
static bool is_counted(const struct host *host, size_t i)
{
	const struct decoder *d = host->decoders[i];

	for (size_t k = 0; k < i; k++)
		if (has_no_mapping(host->decoders[k]) && host->decoders[k]->start.present &&
		    host->decoders[k]->start.value == d->start.value)
			return true;
	return false;
}

/* Return: false when it is not known. */
static bool add_reserved(const struct host *host, const struct decoder *window, uint64_t *sum)
{
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *d = host->decoders[i];

		if (!has_no_mapping(d))
			continue;
		if (!d->start.present || !window->start.present)
			return false;
		if (decoder_is_in_window(d, window) && !is_counted(host, i) && !add(sum, d->size))
			return false;
	}
	return true;
}

struct usage window_usage(const struct host *host, const struct decoder *window)
{
	struct usage u = {.size = window->size};
	uint64_t used = 0, reserved = 0;

	for (size_t i = 0; i < host_n_mappings(host); i++) {
		const struct region *m = host_mapping_at(host, i);

		if (m->root == window && !m->of_region && !add(&used, m->size))
			return u;
	}
	if (add_reserved(host, window, &reserved))
		set_taken(&u, used, reserved);
	return u;
}

struct usage memdev_usage(const struct memdev *m)
{
	struct usage u = {.size = memdev_capacity(m)};
	uint64_t used = 0, reserved = 0;

	if (!m->endpoint)
		return u;
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (!add(region_of_decoder(d) ? &used : &reserved, d->dpa_size))
			return u;
	}
	set_taken(&u, used, reserved);
	return u;
}
