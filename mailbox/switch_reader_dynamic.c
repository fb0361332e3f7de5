// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Dynamic capacity of a device behind a port: what its hosts have been given. Hosts accept and
// release without a record, so it is read each time.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mailbox/switch_reader_private.h"

enum {
	INPUT_BYTES = 16,			   /* of a request here, at most */
	LIST_READS_MAX = 3,			   /* of a list that changes while it is read */
	EXTENTS_OF_A_REPLY = CCI_PAYLOAD_MAX / 40, /* at most */
};

void switch_read_dcd_info(struct switch_query *q, struct known_device *d,
			  struct device_reading *ret)
{
	/* The LDs of an MLD were read last. */
	q->target.kind = CCI_PORT;
	q->unsupported = &d->unsupported;
	ret->has_dcd =
		switch_query_send(q, FMAPI_GET_DCD_INFO, NULL, 0) &&
		switch_query_check(q, FMAPI_GET_DCD_INFO,
				   fmapi_decode_dcd_info(q->reply.output, q->reply.len, &ret->dcd));
}

/* ---- regions ---- */

/* Return: false when the parts contradict each other; noted. */
static bool add_regions(struct switch_query *q, const struct fmapi_dc_regions *part,
			struct fmapi_dc_regions *ret)
{
	const struct fmapi_dc_region *last = ret->n > 0 ? &ret->regions[ret->n - 1] : NULL;

	if ((last && (part->n_regions != ret->n_regions ||
		      (part->n > 0 && part->regions[0].base < last->base + last->size))) ||
	    part->n > FMAPI_DC_REGIONS_MAX - ret->n) {
		switch_query_note(q, "the parts of its list of regions contradict each other");
		return false;
	}
	memcpy(ret->regions + ret->n, part->regions, part->n * sizeof(part->regions[0]));
	ret->n = (uint8_t)(ret->n + part->n);
	ret->n_regions = part->n_regions;
	ret->extents = part->extents;
	ret->free_extents = part->free_extents;
	ret->tags = part->tags;
	ret->free_tags = part->free_tags;
	return true;
}

static bool read_regions(struct switch_query *q, const struct fmapi_dcd_info *info, uint16_t host,
			 struct fmapi_dc_regions *ret)
{
	const uint8_t limit =
		(uint8_t)fmapi_dc_regions_max(cci_payload_max(q->cci, q->target.kind));
	struct fmapi_dc_regions part;
	uint8_t input[INPUT_BYTES];

	*ret = (struct fmapi_dc_regions){0};
	do {
		const int len =
			fmapi_encode_get_dc_regions(host, ret->n, limit, input, sizeof(input));

		if (!switch_query_send(q, FMAPI_GET_DC_REGIONS, input, len) ||
		    !switch_query_check(q, FMAPI_GET_DC_REGIONS,
					fmapi_decode_dc_regions(q->reply.output, q->reply.len, host,
								ret->n, limit, &part)) ||
		    !add_regions(q, &part, ret))
			return false;
	} while (ret->n < ret->n_regions);
	if (ret->n_regions <= info->n_regions)
		return true;
	switch_query_note(q,
			  "host %u has %u regions of dynamic capacity, but the device supports %u "
			  "only; they are not shown",
			  host, ret->n_regions, info->n_regions);
	return false;
}

/* ---- extents ---- */

/* A list while its parts are read. */
struct list {
	uint16_t host;
	struct fmapi_extents head; /* of the first part */
	struct fmapi_extent *items;
	uint32_t n;
};

enum part { PART_TAKEN, PART_CHANGED, PART_FAILED };

/* Makes space for as many as the first part says that there are. */
static bool begin_list(struct switch_query *q, struct list *l, const struct fmapi_extents *part)
{
	l->head = *part;
	if (part->total > SWITCH_EXTENTS_MAX) {
		switch_query_note(
			q, "host %u has %" PRIu32 " extents, more than %d; they are not shown",
			l->host, part->total, SWITCH_EXTENTS_MAX);
		return false;
	}
	l->items = ARENA_ARRAY(q->piece->arena, part->total > 0 ? part->total : 1,
			       struct fmapi_extent);
	if (!l->items)
		q->piece->notes.out_of_memory = true;
	return l->items != NULL;
}

static enum part read_part(struct switch_query *q, struct list *l, struct fmapi_extent *space,
			   uint32_t limit)
{
	struct fmapi_extents part;
	uint8_t input[INPUT_BYTES];
	const int len = fmapi_encode_get_extents(l->host, l->n, limit, input, sizeof(input));

	if (!switch_query_send(q, FMAPI_GET_EXTENTS, input, len) ||
	    !switch_query_check(q, FMAPI_GET_EXTENTS,
				fmapi_decode_extents(q->reply.output, q->reply.len, l->host, l->n,
						     limit, &part, space)))
		return PART_FAILED;
	if (l->n == 0 && !begin_list(q, l, &part))
		return PART_FAILED;
	if (part.total != l->head.total || part.generation != l->head.generation)
		return PART_CHANGED;
	memcpy(l->items + l->n, space, part.n * sizeof(space[0]));
	l->n += part.n;
	return PART_TAKEN;
}

/* Return: whether it was read as it was at one moment. */
static bool read_list(struct switch_query *q, struct list *l)
{
	struct fmapi_extent space[EXTENTS_OF_A_REPLY];
	const uint32_t limit = (uint32_t)fmapi_extents_max(cci_payload_max(q->cci, q->target.kind));

	for (unsigned int i = 0; i < LIST_READS_MAX; i++) {
		enum part part;

		l->n = 0;
		do
			part = read_part(q, l, space, limit);
		while (part == PART_TAKEN && l->n < l->head.total);
		if (part != PART_CHANGED)
			return part == PART_TAKEN;
	}
	switch_query_note(q,
			  "the extents of host %u change while they are read; they are not shown",
			  l->host);
	return false;
}

static int extent_order(const void *a, const void *b)
{
	const struct fmapi_extent *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Return: what is wrong with an extent of the list, in the order of addresses; NULL: nothing. */
static const char *extent_fault(const struct dc_host_reading *h, const struct fmapi_extent *list,
				size_t i)
{
	const int n = dc_region_of(h, list[i].start, list[i].size);
	const struct fmapi_dc_region *r = n >= 0 ? &h->config.regions[n] : NULL;

	if (!r)
		return "is in no region";
	if ((list[i].start - r->base) % r->block || list[i].size % r->block)
		return "has no whole blocks";
	if (i > 0 && list[i].start - list[i - 1].start < list[i - 1].size)
		return "overlaps another one";
	return NULL;
}

/* Checks the list against regions, info and limits: what contradicts them is not shown. */
static bool list_fits(struct switch_query *q, const struct fmapi_dcd_info *info,
		      const struct dc_host_reading *h, const struct list *l)
{
	uint64_t left = info->capacity;

	if (l->n > h->config.extents) {
		switch_query_note(q,
				  "host %u has %" PRIu32
				  " extents, but the device supports %" PRIu32
				  " only; they are not shown",
				  h->host, l->n, h->config.extents);
		return false;
	}
	for (size_t i = 0; i < l->n; i++) {
		const char *fault = extent_fault(h, l->items, i);

		if (!fault && l->items[i].size > left)
			fault = "is more than the device has";
		if (fault) {
			switch_query_note(q,
					  "the extent at 0x%" PRIx64
					  " of host %u %s; the extents of this host are not shown",
					  l->items[i].start, h->host, fault);
			return false;
		}
		left -= l->items[i].size;
	}
	return true;
}

static void read_extents(struct switch_query *q, const struct fmapi_dcd_info *info,
			 struct dc_host_reading *h)
{
	struct list l = {.host = h->host};

	if (!read_list(q, &l))
		return;
	if (l.n > 1)
		qsort(l.items, l.n, sizeof(l.items[0]), extent_order);
	h->has_extents = list_fits(q, info, h, &l);
	if (!h->has_extents)
		return;
	h->extents = l.items;
	h->n_extents = l.n;
}

/* ---- plans ---- */

/*
 * Takes the plans of the device over, with the record: a plan is a fact of the reading as a reply
 * is. An accepted plan is an extent now.
 */
static void take_plans(struct switch_query *q, struct device_reading *ret)
{
	const uint64_t serial = ret->has_identity ? ret->identity.serial : 0;
	struct extent_plan plans[EXTENT_PLANS_MAX];
	size_t n;

	n = extent_plans_of(q->plans, q->name, q->target.port, serial, plans);
	for (size_t i = 0; i < n; i++) {
		const struct dc_host_reading *h = plans[i].state == EXTENT_PROPOSED
							  ? NULL
							  : device_dc_host(ret, plans[i].host);

		if (!h || !dc_plan_is_accepted(h, &plans[i]))
			plans[ret->n_plans++] = plans[i];
		else if (plans[i].state == EXTENT_PENDING)
			(void)extent_plans_remove(q->plans, plans[i].id);
	}
	if (ret->n_plans == 0)
		return;
	switch_record_add(&q->piece->record, plans, ret->n_plans * sizeof(plans[0]));
	ret->plans = arena_memdup(q->piece->arena, plans, ret->n_plans * sizeof(plans[0]));
	if (!ret->plans)
		q->piece->notes.out_of_memory = true;
}

/* ---- hosts ---- */

static void read_host(struct switch_query *q, struct device_reading *d, uint16_t host)
{
	struct dc_host_reading *h = &d->dc_hosts[d->n_dc_hosts];

	*h = (struct dc_host_reading){.host = host};
	if (!read_regions(q, &d->dcd, host, &h->config))
		return;
	d->n_dc_hosts++;
	read_extents(q, &d->dcd, h);
}

void switch_read_dynamic(struct switch_query *q, struct known_device *d, struct device_reading *ret)
{
	/* The LDs of a device are its hosts; one without LDs has one. */
	const size_t n = ret->n_lds > 0 ? ret->n_lds : 1;

	switch_query_device(q, d);
	ret->dc_hosts = ARENA_ARRAY(q->piece->arena, n, struct dc_host_reading);
	if (!ret->dc_hosts) {
		q->piece->notes.out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < n && i < ret->dcd.n_hosts; i++)
		read_host(q, ret, ret->n_lds > 0 ? ret->lds[i].id : 0);
	if (q->plans)
		take_plans(q, ret);
}
