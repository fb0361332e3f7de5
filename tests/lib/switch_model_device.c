// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers of devices behind the ports of the model. */
#include <string.h>

#include "tests/lib/switch_model_private.h"

static uint64_t unit_of(const struct model_device *d)
{
	return UINT64_C(0x10000000) << (d->granularity & 3);
}

/* Return: how many LDs from @first on are enabled, at most @limit. */
static size_t count_lds(const struct model_device *d, uint64_t first, uint64_t limit)
{
	const size_t rest = first < d->n_enabled ? (size_t)(d->n_enabled - first) : 0;

	return rest < limit ? rest : (size_t)limit;
}

static unsigned int get_info(struct model_device *d, struct model_in in, struct model_out *out)
{
	if (in.len != 0)
		return RC_INVALID_LENGTH;
	put64(out, d->memory_size);
	put16(out, d->n_lds);
	put8(out, d->telemetry);
	return RC_SUCCESS;
}

static void put_allocations(const struct model_device *d, size_t first, size_t n,
			    struct model_out *out)
{
	for (size_t i = first; i < first + n; i++) {
		put64(out, d->lds[i].range1);
		put64(out, d->lds[i].range2);
	}
}

static unsigned int get_allocations(struct model_device *d, struct model_in in,
				    struct model_out *out)
{
	size_t n;

	if (in.len != 2)
		return RC_INVALID_LENGTH;
	if (in.p[1] == 0)
		return RC_INVALID_INPUT;
	n = count_lds(d, in.p[0], in.p[1]);
	put8(out, d->n_enabled);
	put8(out, d->granularity);
	put8(out, in.p[0]);
	put8(out, n);
	put_allocations(d, in.p[0], n, out);
	return RC_SUCCESS;
}

/* Return: whether LD @i can have these ranges beside what all others have. */
static bool fits(const struct model_device *d, size_t i, uint64_t range1, uint64_t range2)
{
	uint64_t rest = d->memory_size / unit_of(d);

	for (size_t k = 0; k < d->n_lds; k++) {
		if (k != i && d->lds[k].range1 + d->lds[k].range2 > rest)
			return false;
		rest -= k != i ? d->lds[k].range1 + d->lds[k].range2 : 0;
	}
	return range1 <= rest && range2 <= rest - range1;
}

/* Return: whether all of @blocks, those of the LDs from @first on, were allocated. */
static bool allocate(struct model_device *d, size_t first, size_t n, const uint8_t *blocks)
{
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		const uint64_t r1 = take(blocks + 16 * i, 8), r2 = take(blocks + 16 * i + 8, 8);

		if (!fits(d, first + i, r1, r2)) {
			all = false;
			continue;
		}
		d->lds[first + i].range1 = r1;
		d->lds[first + i].range2 = r2;
		if (first + i >= d->n_enabled && r1 + r2 > 0)
			d->n_enabled = (uint8_t)(first + i + 1);
	}
	return all;
}

static unsigned int set_allocations(struct model_device *d, struct model_in in,
				    struct model_out *out)
{
	const struct model_device before = *d;
	size_t n, first;

	if (in.len < 4 || in.len != 4 + 16 * (size_t)in.p[0])
		return RC_INVALID_LENGTH;
	n = in.p[0];
	first = in.p[1];
	if (n == 0 || first + n > d->n_lds)
		return RC_INVALID_INPUT;
	if (!allocate(d, first, n, in.p + 4) && !d->partial_allocation) {
		*d = before;
		return RC_INVALID_INPUT;
	}
	put8(out, n);
	put8(out, first);
	put_zeros(out, 2);
	put_allocations(d, first, n, out);
	return RC_SUCCESS;
}

static unsigned int get_qos(struct model_device *d, struct model_in in, struct model_out *out)
{
	if (in.len != 0)
		return RC_INVALID_LENGTH;
	put_bytes(out, d->qos, sizeof(d->qos));
	return RC_SUCCESS;
}

static unsigned int set_qos(struct model_device *d, struct model_in in, struct model_out *out)
{
	if (in.len != sizeof(d->qos))
		return RC_INVALID_LENGTH;
	if (in.p[1] < 1 || in.p[1] > 100 || in.p[2] < 1 || in.p[2] > 100 || in.p[3] > 15)
		return RC_INVALID_INPUT;
	memcpy(d->qos, in.p, sizeof(d->qos));
	d->qos[0] &= d->telemetry;
	put_bytes(out, d->qos, sizeof(d->qos));
	return RC_SUCCESS;
}

static unsigned int get_qos_status(struct model_device *d, struct model_in in,
				   struct model_out *out)
{
	if (!(d->telemetry & 1))
		return RC_UNSUPPORTED;
	if (in.len != 0)
		return RC_INVALID_LENGTH;
	put8(out, d->backpressure);
	return RC_SUCCESS;
}

/* Get and Set QoS Allocated BW and QoS BW Limit. */
static unsigned int bandwidth(struct model_device *d, struct model_in in, struct model_out *out,
			      bool limits, bool set)
{
	if (in.len < 2 || in.len != 2 + (set ? (size_t)in.p[0] : 0))
		return RC_INVALID_LENGTH;
	if (in.p[0] == 0 || (size_t)in.p[0] + in.p[1] > d->n_lds)
		return RC_INVALID_INPUT;
	put_bytes(out, in.p, 2);
	for (size_t i = 0; i < in.p[0]; i++) {
		struct model_ld *ld = &d->lds[in.p[1] + i];
		uint8_t *fraction = limits ? &ld->limit : &ld->allocated;

		if (set)
			*fraction = in.p[2 + i];
		put8(out, *fraction);
	}
	return RC_SUCCESS;
}

static unsigned int identify(const struct model_identity *id, struct model_in in,
			     struct model_out *out)
{
	if (in.len != 0)
		return RC_INVALID_LENGTH;
	put_identity(out, id);
	return RC_SUCCESS;
}

unsigned int model_device_command(struct model_device *d, uint16_t opcode, struct model_in in,
				  struct model_out *out)
{
	if (opcode == 0x0001)
		return identify(&d->identity, in, out);
	if (d->dcd && opcode >> 8 == 0x56)
		return model_dcd_command(d->dcd, opcode, in, out);
	if (d->kind != MODEL_MLD)
		return RC_UNSUPPORTED;
	switch (opcode) {
	case 0x5400:
		return get_info(d, in, out);
	case 0x5401:
		return get_allocations(d, in, out);
	case 0x5402:
		return set_allocations(d, in, out);
	case 0x5403:
		return get_qos(d, in, out);
	case 0x5404:
		return set_qos(d, in, out);
	case 0x5405:
		return get_qos_status(d, in, out);
	case 0x5406:
	case 0x5407:
	case 0x5408:
	case 0x5409:
		return bandwidth(d, in, out, opcode >= 0x5408, opcode & 1);
	default:
		return RC_UNSUPPORTED;
	}
}

unsigned int model_ld_command(const struct model_ld *ld, uint16_t opcode, struct model_in in,
			      struct model_out *out)
{
	return opcode == 0x0001 ? identify(&ld->identity, in, out) : RC_UNSUPPORTED;
}
