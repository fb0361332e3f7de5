// SPDX-License-Identifier: LGPL-2.1-or-later
/* Dynamic capacity of a device of the model, and the hosts that get it. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/switch_model_private.h"

#define GIB (UINT64_C(1) << 30)
#define MIB (UINT64_C(1) << 20)

enum {
	UNIT_SHIFT = 28, /* 256 MiB */
	REQUEST_HEAD = 32,
	EXTENT_LEN = 40,
	SHAREABLE = 1 << 3,
	READS_UNTIL_ANSWER = 2,
	ADD_FREE = 0,
	ADD_CONTIGUOUS = 1,
	ADD_PRESCRIPTIVE = 2,
	RELEASE_TAG = 0,
	FORCED = 1 << 4,
	SANITIZE = 1 << 5,
};

struct model_dcd *switch_model_add_dynamic(struct switch_model *m, uint8_t port)
{
	struct model_device *dev = &m->ports[port].device;
	struct model_dcd *d = calloc(1, sizeof(*d));

	ck_assert_ptr_nonnull(d);
	ck_assert_ptr_null(dev->dcd);
	d->n_hosts = dev->kind != MODEL_MLD	   ? 1
		     : dev->n_lds < MODEL_DC_HOSTS ? (uint8_t)dev->n_lds
						   : MODEL_DC_HOSTS;
	d->n_regions = 2;
	d->add_policies = 1 << ADD_FREE | 1 << ADD_CONTIGUOUS | 1 << ADD_PRESCRIPTIVE;
	d->release_policies = 3;
	d->sanitize = 1;
	d->capacity = 6 * GIB;
	d->regions[0] = (struct model_dc_region){.base = 64 * GIB,
						 .size = 4 * GIB,
						 .block = 256 * MIB,
						 .block_sizes = 256 * MIB | 64};
	d->regions[1] = (struct model_dc_region){.base = 96 * GIB,
						 .size = 2 * GIB,
						 .block = 2 * MIB,
						 .block_sizes = 2 * MIB | GIB,
						 .flags = SHAREABLE,
						 .sanitized = true};
	d->extents = 64;
	d->tags = 16;
	dev->dcd = d;
	return d;
}

/* ---- lists ---- */

static bool overlaps(const struct model_extent *a, const struct model_extent *b)
{
	return a->start < b->start + b->size && b->start < a->start + a->size;
}

static bool is_in(const struct model_extent *x, const struct model_extent *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (overlaps(x, &list[i]))
			return true;
	return false;
}

/* Whether the extent is one of the list, all of it. */
static bool is_one_of(const struct model_extent *x, const struct model_extent *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].start == x->start && list[i].size == x->size)
			return true;
	return false;
}

static uint64_t used(const struct model_dcd *d)
{
	uint64_t sum = 0;

	for (size_t h = 0; h < d->n_hosts; h++) {
		const struct model_dc_host *host = &d->hosts[h];

		for (size_t i = 0; i < host->n_accepted; i++)
			sum += host->accepted[i].size;
		for (size_t i = 0; i < host->n_offered; i++)
			sum += host->offered[i].size;
	}
	return sum;
}

static const struct model_dc_region *region_of(const struct model_dcd *d,
					       const struct model_extent *x)
{
	for (size_t i = 0; i < d->n_regions; i++) {
		const struct model_dc_region *r = &d->regions[i];

		if (x->start >= r->base && x->size <= r->size &&
		    x->start - r->base <= r->size - x->size)
			return r;
	}
	return NULL;
}

/* ---- the host ---- */

static void accept_offered(struct model_dcd *d, struct model_dc_host *h)
{
	for (size_t i = 0; i < h->n_offered; i++) {
		struct model_extent *to = &h->accepted[h->n_accepted++];

		*to = h->offered[i];
		if (d->forgets_tags)
			memset(to->tag, 0, sizeof(to->tag));
	}
	h->generation += h->n_offered > 0;
	h->n_offered = 0;
}

static void release(struct model_dc_host *h, const struct model_extent *x)
{
	for (size_t i = 0; i < h->n_accepted; i++)
		if (h->accepted[i].start == x->start && h->accepted[i].size == x->size) {
			h->accepted[i] = h->accepted[--h->n_accepted];
			h->generation++;
			return;
		}
}

static void release_asked(struct model_dc_host *h)
{
	for (size_t i = 0; i < h->n_released; i++)
		release(h, &h->released[i]);
	h->n_released = 0;
}

void switch_model_host_accepts(struct model_dcd *d, uint16_t host)
{
	accept_offered(d, &d->hosts[host]);
	release_asked(&d->hosts[host]);
}

void switch_model_host_rejects(struct model_dcd *d, uint16_t host)
{
	d->hosts[host].n_offered = 0;
	d->hosts[host].n_released = 0;
}

static void host_answers(struct model_dcd *d, uint16_t host)
{
	if (d->hosts[host].answer == MODEL_HOST_ACCEPTS)
		switch_model_host_accepts(d, host);
	if (d->hosts[host].answer == MODEL_HOST_REJECTS)
		switch_model_host_rejects(d, host);
	d->hosts[host].n_reads = 0;
}

/* ---- commands that read ---- */

static unsigned int get_info(struct model_dcd *d, struct model_in in, struct model_out *out)
{
	if (in.len != 0)
		return RC_INVALID_LENGTH;
	put8(out, d->n_hosts);
	put8(out, d->n_regions);
	put16(out, 0);
	put16(out, d->add_policies);
	put16(out, 0);
	put16(out, d->release_policies);
	put8(out, d->sanitize);
	put8(out, 0);
	put64(out, d->capacity >> UNIT_SHIFT);
	for (size_t i = 0; i < MODEL_DC_REGIONS; i++)
		put64(out, i < d->n_regions ? d->regions[i].block_sizes : 0);
	return RC_SUCCESS;
}

static void put_region(const struct model_dc_region *r, struct model_out *out)
{
	const uint64_t mask = (UINT64_C(1) << UNIT_SHIFT) - 1;

	put64(out, r->base);
	put64(out, (r->size + mask) >> UNIT_SHIFT);
	put64(out, r->size);
	put64(out, r->block);
	put8(out, r->flags);
	put_zeros(out, 3);
	put8(out, r->sanitized);
	put_zeros(out, 3);
}

static uint32_t free_of(uint32_t all, size_t taken)
{
	return taken < all ? all - (uint32_t)taken : 0;
}

static unsigned int get_regions(struct model_dcd *d, struct model_in in, struct model_out *out)
{
	size_t host, first, n;

	if (in.len != 4)
		return RC_INVALID_LENGTH;
	host = (size_t)take(in.p, 2);
	first = in.p[3];
	if (host >= d->n_hosts || first >= d->n_regions)
		return RC_INVALID_INPUT;
	n = d->n_regions - first < in.p[2] ? d->n_regions - first : in.p[2];
	put16(out, host);
	put8(out, d->n_regions);
	put8(out, n);
	for (size_t i = first; i < first + n; i++)
		put_region(&d->regions[i], out);
	put32(out, d->extents);
	put32(out, free_of(d->extents, d->hosts[host].n_accepted + d->hosts[host].n_offered));
	put32(out, d->tags);
	put32(out, d->tags);
	return RC_SUCCESS;
}

static unsigned int get_extents(struct model_dcd *d, struct model_in in, struct model_out *out)
{
	const size_t room = out->max > 24 ? (out->max - 24) / EXTENT_LEN : 0;
	struct model_dc_host *h;
	size_t first, n;

	if (in.len != 12)
		return RC_INVALID_LENGTH;
	if (take(in.p, 2) >= d->n_hosts)
		return RC_INVALID_INPUT;
	h = &d->hosts[take(in.p, 2)];
	if (h->answer == MODEL_HOST_WAITS && ++h->n_reads == READS_UNTIL_ANSWER)
		switch_model_host_accepts(d, (uint16_t)take(in.p, 2));
	h->generation += d->changes_while_read;
	first = (size_t)take(in.p + 8, 4);
	if (first > h->n_accepted)
		return RC_INVALID_INPUT;
	n = (size_t)take(in.p + 4, 4);
	n = n < h->n_accepted - first ? n : h->n_accepted - first;
	n = n < room ? n : room;
	put_bytes(out, in.p, 2);
	put16(out, 0);
	put32(out, first);
	put32(out, n);
	put32(out, h->n_accepted);
	put32(out, h->generation);
	put32(out, 0);
	for (size_t i = first; i < first + n; i++) {
		put64(out, h->accepted[i].start);
		put64(out, h->accepted[i].size);
		put_bytes(out, h->accepted[i].tag, 16);
		put16(out, h->accepted[i].sequence);
		put_zeros(out, 6);
	}
	return RC_SUCCESS;
}

/* ---- commands that change ---- */

static unsigned int set_region(struct model_dcd *d, struct model_in in)
{
	struct model_dc_region *r;
	uint64_t block;

	if (in.len != 16)
		return RC_INVALID_LENGTH;
	if (in.p[0] >= d->n_regions)
		return RC_UNSUPPORTED;
	r = &d->regions[in.p[0]];
	block = take(in.p + 4, 8);
	if (block == 0 || (block & (block - 1)) != 0 || !(block & r->block_sizes))
		return RC_INVALID_INPUT;
	if ((in.p[12] & 1) != r->sanitized && !(d->sanitize >> in.p[0] & 1))
		return RC_UNSUPPORTED;
	if (used(d) > 0)
		return RC_UNSUPPORTED;
	r->block = block;
	r->sanitized = in.p[12] & 1;
	return RC_SUCCESS;
}

static struct model_extent extent_at(const uint8_t *p)
{
	struct model_extent x = {
		.start = take(p, 8), .size = take(p + 8, 8), .sequence = (uint16_t)take(p + 32, 2)};

	memcpy(x.tag, p + 16, sizeof(x.tag));
	return x;
}

/* Return: as a command; the extent is offered to the host. */
static unsigned int offer(struct model_dcd *d, struct model_dc_host *h, struct model_extent x)
{
	const struct model_dc_region *r = region_of(d, &x);

	if (!r || x.size == 0 || (x.start - r->base) % r->block || x.size % r->block ||
	    is_in(&x, h->accepted, h->n_accepted) || is_in(&x, h->offered, h->n_offered))
		return RC_INVALID_EXTENTS;
	if (used(d) + x.size > d->capacity || h->n_accepted + h->n_offered >= d->extents ||
	    h->n_accepted + h->n_offered >= MODEL_EXTENTS)
		return RC_RESOURCES_EXHAUSTED;
	h->offered[h->n_offered++] = x;
	return RC_SUCCESS;
}

/* Takes one extent, or of the policy Free as many as it needs, each of free blocks. */
static unsigned int select_extents(struct model_dcd *d, struct model_dc_host *h, struct model_in in)
{
	const bool contiguous = in.p[2] == ADD_CONTIGUOUS;
	const struct model_dc_region *r;
	uint64_t left = take(in.p + 4, 8);

	if (in.p[3] >= d->n_regions)
		return RC_INVALID_INPUT;
	r = &d->regions[in.p[3]];
	if (left == 0 || left % r->block || left > r->size)
		return RC_INVALID_INPUT;
	for (uint64_t at = 0; at < r->size && left > 0; at += r->block) {
		struct model_extent x = {.start = r->base + at,
					 .size = contiguous ? left : r->block};

		memcpy(x.tag, in.p + 12, sizeof(x.tag));
		/* Blocks that follow one another are one extent. */
		if (!contiguous)
			while (x.size < left && at + x.size < r->size) {
				const struct model_extent next = {.start = x.start + x.size,
								  .size = r->block};

				if (is_in(&next, h->accepted, h->n_accepted))
					break;
				x.size += r->block;
			}
		if (offer(d, h, x) == RC_SUCCESS) {
			left -= x.size;
			at += x.size - r->block;
		}
	}
	return left == 0 ? RC_SUCCESS : RC_RESOURCES_EXHAUSTED;
}

static bool has_list(struct model_in in)
{
	return in.len >= REQUEST_HEAD &&
	       (in.len - REQUEST_HEAD) / EXTENT_LEN == take(in.p + 28, 4) &&
	       (in.len - REQUEST_HEAD) % EXTENT_LEN == 0;
}

static unsigned int add(struct model_dcd *d, struct model_in in)
{
	unsigned int code = RC_SUCCESS;
	struct model_dc_host *h;
	size_t before;

	if (!has_list(in))
		return RC_INVALID_LENGTH;
	if (take(in.p, 2) >= d->n_hosts || in.p[2] > 15 || !(d->add_policies >> in.p[2] & 1))
		return RC_INVALID_INPUT;
	h = &d->hosts[take(in.p, 2)];
	before = h->n_offered;
	if (in.p[2] != ADD_PRESCRIPTIVE)
		code = select_extents(d, h, in);
	for (size_t i = 0; in.p[2] == ADD_PRESCRIPTIVE && i < take(in.p + 28, 4) && code == 0; i++)
		code = offer(d, h, extent_at(in.p + REQUEST_HEAD + i * EXTENT_LEN));
	if (code != RC_SUCCESS)
		h->n_offered = before;
	else
		host_answers(d, (uint16_t)take(in.p, 2));
	return code;
}

/* Collects those with the tag until there is so much; whole extents only. */
static unsigned int collect_tagged(const struct model_dc_host *h, struct model_in in,
				   struct model_extent *ret, size_t *ret_n)
{
	uint64_t left = take(in.p + 4, 8);

	for (size_t i = 0; i < h->n_accepted && left > 0; i++) {
		if (memcmp(h->accepted[i].tag, in.p + 12, 16) != 0 || h->accepted[i].size > left)
			continue;
		left -= h->accepted[i].size;
		ret[(*ret_n)++] = h->accepted[i];
	}
	return left == 0 ? RC_SUCCESS : RC_RESOURCES_EXHAUSTED;
}

static unsigned int collect_listed(const struct model_dc_host *h, struct model_in in,
				   struct model_extent *ret, size_t *ret_n)
{
	for (size_t i = 0; i < take(in.p + 28, 4); i++) {
		ret[*ret_n] = extent_at(in.p + REQUEST_HEAD + i * EXTENT_LEN);
		if (!is_one_of(&ret[*ret_n], h->accepted, h->n_accepted))
			return RC_INVALID_EXTENTS;
		(*ret_n)++;
	}
	return RC_SUCCESS;
}

static unsigned int start_release(struct model_dcd *d, struct model_in in)
{
	struct model_dc_host *h;
	unsigned int code;

	if (!has_list(in) || take(in.p + 28, 4) > MODEL_EXTENTS)
		return RC_INVALID_LENGTH;
	if (take(in.p, 2) >= d->n_hosts || !(d->release_policies >> (in.p[2] & 15) & 1))
		return RC_INVALID_INPUT;
	h = &d->hosts[take(in.p, 2)];
	h->n_released = 0;
	code = (in.p[2] & 15) == RELEASE_TAG ? collect_tagged(h, in, h->released, &h->n_released)
					     : collect_listed(h, in, h->released, &h->n_released);
	if (code != RC_SUCCESS) {
		h->n_released = 0;
		return code;
	}
	for (size_t i = 0; in.p[2] & SANITIZE && i < h->n_released; i++)
		d->n_sanitized += h->released[i].size;
	if (in.p[2] & FORCED) {
		d->n_forced++;
		release_asked(h);
	} else {
		host_answers(d, (uint16_t)take(in.p, 2));
	}
	return RC_SUCCESS;
}

unsigned int model_dcd_command(struct model_dcd *d, uint16_t opcode, struct model_in in,
			       struct model_out *out)
{
	switch (opcode) {
	case 0x5600:
		return get_info(d, in, out);
	case 0x5601:
		return get_regions(d, in, out);
	case 0x5602:
		return set_region(d, in);
	case 0x5603:
		return get_extents(d, in, out);
	case 0x5604:
		return add(d, in);
	case 0x5605:
		return start_release(d, in);
	default:
		return RC_UNSUPPORTED;
	}
}
