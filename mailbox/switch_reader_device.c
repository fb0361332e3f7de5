// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A device behind a port of a switch: a type 3 SLD, an MLD with its LDs, or whatever answers.
#include <string.h>

#include "mailbox/switch_reader_private.h"

enum {
	INPUT_BYTES = 16, /* of a request here, at most */
	BW_HEAD = 2,	  /* of the replies to Get QoS Allocated BW and BW Limit */
	BW_MAX = 255,	  /* LDs of one such request: their number is a byte */
};

/* ---- identity ---- */

static bool same_identity(const struct fmapi_identity *a, const struct fmapi_identity *b)
{
	return a->vendor == b->vendor && a->device == b->device && a->serial == b->serial &&
	       a->subsystem_vendor == b->subsystem_vendor && a->subsystem == b->subsystem;
}

static bool read_identity(struct switch_query *q, struct fmapi_identity *ret)
{
	return switch_query_send(q, FMAPI_IDENTIFY, NULL, 0) &&
	       switch_query_check(q, FMAPI_IDENTIFY,
				  fmapi_decode_identity(q->reply.output, q->reply.len, ret));
}

/* A tunnel that leads back to the switch, or to another one, has no device at its end. */
static bool is_device(struct switch_query *q, const struct fmapi_identity *identity,
		      const struct fmapi_identity *itself)
{
	if (identity->component != FMAPI_COMPONENT_SWITCH &&
	    !(itself && identity->serial && same_identity(identity, itself)))
		return true;
	switch_query_note(q, "the tunnel is answered by a switch, which is not shown as a device");
	return false;
}

/* ---- LDs ---- */

/* The allocations of all LDs, in pieces. Return: whether they are complete. */
static bool read_allocations(struct switch_query *q, struct fmapi_ld_allocations *ret)
{
	const uint8_t limit =
		(uint8_t)fmapi_ld_allocations_max(cci_payload_max(q->cci, q->target.kind));
	struct fmapi_ld_allocations part;
	uint8_t input[INPUT_BYTES];

	ret->n = 0;
	do {
		const int len =
			fmapi_encode_get_ld_allocations(ret->n, limit, input, sizeof(input));
		const bool first = ret->n == 0;

		if (!switch_query_send(q, FMAPI_GET_LD_ALLOCATIONS, input, len) ||
		    !switch_query_check(q, FMAPI_GET_LD_ALLOCATIONS,
					fmapi_decode_ld_allocations(q->reply.output, q->reply.len,
								    ret->n, limit, &part)))
			return false;
		if (first) {
			ret->n_lds = part.n_lds;
			ret->granularity = part.granularity;
		}
		if (part.n_lds != ret->n_lds || part.granularity != ret->granularity) {
			switch_query_note(
				q,
				"the parts of its list of LDs contradict each other; its LDs are not shown");
			return false;
		}
		memcpy(ret->lds + ret->n, part.lds, part.n * sizeof(part.lds[0]));
		ret->n = (uint8_t)(ret->n + part.n);
	} while (ret->n < ret->n_lds);
	return true;
}

/* Whether the LDs fit in the device: if not, at least two have the same memory. */
static bool allocations_fit(struct switch_query *q, const struct fmapi_ld_allocations *a,
			    const struct fmapi_ld_info *info)
{
	uint64_t left = info->memory_size;

	if (a->n_lds > info->n_lds) {
		switch_query_note(q, "it has %u LDs, but supports %u only; its LDs are not shown",
				  a->n_lds, info->n_lds);
		return false;
	}
	for (size_t i = 0; i < a->n && a->granularity; i++) {
		uint64_t size;

		if (!fmapi_ld_size(a, i, &size) || size > left) {
			switch_query_note(
				q, "its LDs have more memory than the device; they are not shown");
			return false;
		}
		left -= size;
	}
	if (!a->granularity && a->n)
		switch_query_note(
			q,
			"the granularity of its LDs is a reserved value; their sizes are not known");
	return true;
}

/* Return: whether there are LDs to be shown. */
static bool read_lds(struct switch_query *q, struct device_reading *d)
{
	struct fmapi_ld_allocations a = {0};

	if (!read_allocations(q, &a) || !allocations_fit(q, &a, &d->ld_info))
		return false;
	d->lds = ARENA_ARRAY(q->piece->arena, a.n, struct ld_reading);
	if (!d->lds) {
		q->piece->notes.out_of_memory = true;
		return false;
	}
	d->n_lds = a.n;
	if (a.granularity)
		d->granularity = OPT_U64(a.granularity);
	for (size_t i = 0; i < a.n; i++) {
		uint64_t size;

		d->lds[i].id = (uint16_t)i;
		if (a.granularity && fmapi_ld_size(&a, i, &size))
			d->lds[i].size = OPT_U64(size);
	}
	return d->n_lds > 0;
}

/* Reads one of the two bandwidths of all LDs, in pieces; absent unless complete. */
static bool read_bandwidth(struct switch_query *q, uint16_t opcode, size_t n,
			   uint8_t ret[static FMAPI_LDS_MAX])
{
	const size_t room = cci_payload_max(q->cci, q->target.kind) - BW_HEAD;
	const size_t limit = room < BW_MAX ? room : BW_MAX;
	struct fmapi_qos_bw part;
	uint8_t input[INPUT_BYTES];

	for (size_t first = 0; first < n; first += part.n) {
		const uint8_t wanted = (uint8_t)(n - first < limit ? n - first : limit);
		const int len =
			fmapi_encode_get_qos_bw((uint8_t)first, wanted, input, sizeof(input));

		if (!switch_query_send(q, opcode, input, len) ||
		    !switch_query_check(q, opcode,
					fmapi_decode_qos_bw(q->reply.output, q->reply.len,
							    (uint8_t)first, wanted, &part)))
			return false;
		memcpy(ret + first, part.fractions, part.n);
	}
	return true;
}

static void read_bandwidths(struct switch_query *q, struct device_reading *d)
{
	uint8_t fractions[FMAPI_LDS_MAX];

	if (read_bandwidth(q, FMAPI_GET_QOS_ALLOCATED_BW, d->n_lds, fractions))
		for (size_t i = 0; i < d->n_lds; i++)
			d->lds[i].allocated = OPT_INT(fractions[i]);
	if (read_bandwidth(q, FMAPI_GET_QOS_BW_LIMIT, d->n_lds, fractions))
		for (size_t i = 0; i < d->n_lds; i++)
			d->lds[i].limit = OPT_INT(fractions[i]);
}

/* An LD without memory need not answer. */
static void read_ld_identities(struct switch_query *q, struct known_device *k)
{
	struct device_reading *d = k->read;

	q->target.kind = CCI_LD;
	q->unsupported = &k->unsupported_by_lds;
	for (size_t i = 0; i < d->n_lds; i++) {
		struct ld_reading *ld = &d->lds[i];

		q->target.ld = (uint8_t)ld->id;
		if (!ld->size.present || ld->size.value > 0)
			ld->has_identity = read_identity(q, &ld->identity);
	}
}

static void read_mld(struct switch_query *q, struct known_device *k)
{
	struct device_reading *d = k->read;

	d->has_ld_info = switch_query_send(q, FMAPI_GET_LD_INFO, NULL, 0) &&
			 switch_query_check(
				 q, FMAPI_GET_LD_INFO,
				 fmapi_decode_ld_info(q->reply.output, q->reply.len, &d->ld_info));
	if (!d->has_ld_info)
		return;
	d->has_qos = switch_query_send(q, FMAPI_GET_QOS_CONTROL, NULL, 0) &&
		     switch_query_check(
			     q, FMAPI_GET_QOS_CONTROL,
			     fmapi_decode_qos_control(q->reply.output, q->reply.len, &d->qos));
	if (!read_lds(q, d))
		return;
	read_bandwidths(q, d);
	read_ld_identities(q, k);
}

/* ---- the device ---- */

void switch_read_device(struct switch_query *q, struct known_device *d,
			const struct fmapi_identity *itself)
{
	const bool mld = d->port.device_type == FMAPI_DEVICE_MLD;
	struct device_reading *read;

	switch_query_device(q, d);
	q->piece = &d->piece;
	q->quiet = !mld && d->port.device_type != FMAPI_DEVICE_SLD;
	read = ARENA_NEW(d->piece.arena, struct device_reading);
	if (!read) {
		d->piece.notes.out_of_memory = true;
		return;
	}
	d->read = read;
	read->has_identity = read_identity(q, &read->identity);
	if (read->has_identity && !is_device(q, &read->identity, itself)) {
		d->read = NULL;
	} else {
		if (mld)
			read_mld(q, d);
		if (!read->has_identity && !read->has_ld_info)
			d->read = NULL;
		else if (mld || d->port.device_type == FMAPI_DEVICE_SLD)
			switch_read_dcd_info(q, d, read);
	}
	q->quiet = false;
	d->due = q->incomplete && !q->silent;
}

void switch_read_backpressure(struct switch_query *q, struct known_device *d,
			      struct device_reading *ret)
{
	uint8_t percent;

	switch_query_device(q, d);
	if (switch_query_send(q, FMAPI_GET_QOS_STATUS, NULL, 0) &&
	    switch_query_check(q, FMAPI_GET_QOS_STATUS,
			       fmapi_decode_qos_status(q->reply.output, q->reply.len, &percent)))
		ret->backpressure_percent = OPT_INT(percent);
}
