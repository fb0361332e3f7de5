// SPDX-License-Identifier: LGPL-2.1-or-later
/* The DCD Management Command Set. */
#include "mailbox/fmapi_dcd.h"

#include "common/little_endian.h"
#include "mailbox/fmapi_private.h"

enum {
	INFO_LEN = 84,
	CAPACITY_SHIFT = 28, /* sizes in multiples of 256 MiB */
	REGIONS_HEAD = 4,
	REGION_LEN = 40,
	REGIONS_TAIL = 16,
	EXTENTS_HEAD = 24,
	EXTENT_LEN = 40,
	REQUEST_HEAD = 32,
	SET_REGION_LEN = 16,

	SANITIZE = 1 << 0,
	RELEASE_FORCED = 1 << 4,
	RELEASE_SANITIZED = 1 << 5,
};

static bool is_power_of_2(uint64_t v)
{
	return v != 0 && (v & (v - 1)) == 0;
}

/* Return: false when it is more than 64 bits. */
static bool units_to_bytes(uint64_t units, uint64_t *ret)
{
	*ret = units << CAPACITY_SHIFT;
	return *ret >> CAPACITY_SHIFT == units;
}

/*
 * 0 hosts; 1 regions; 4 policies to add (2); 8 policies to release (2); 10 sanitizing can be
 * configured; 12 capacity in 256 MiB (8); 20 block sizes of eight regions (8 each)
 */
int fmapi_decode_dcd_info(const uint8_t *p, size_t len, struct fmapi_dcd_info *ret)
{
	const uint64_t reserved = (UINT64_C(1) << FMAPI_DC_BLOCK_SHIFT_MIN) - 1;
	uint64_t capacity;

	if (len < INFO_LEN || p[1] > FMAPI_DC_REGIONS_MAX ||
	    !units_to_bytes(le64(p + 12), &capacity))
		return -EBADMSG;
	*ret = (struct fmapi_dcd_info){
		.n_hosts = p[0],
		.n_regions = p[1],
		.add_policies = le16(p + 4),
		.release_policies = le16(p + 8),
		.sanitize = p[10],
		.capacity = capacity,
	};
	for (size_t i = 0; i < ret->n_regions; i++)
		ret->block_sizes[i] = le64(p + 20 + 8 * i) & ~reserved;
	return 0;
}

/* ---- regions ---- */

/* 0 host (2); 2 number of regions; 3 first region */
int fmapi_encode_get_dc_regions(uint16_t host, uint8_t first, uint8_t limit, uint8_t *p,
				size_t size)
{
	if (limit < 1 || limit > FMAPI_DC_REGIONS_MAX)
		return -EINVAL;
	return FMAPI_ENCODE_BYTES(p, size, (uint8_t)host, (uint8_t)(host >> 8), limit, first);
}

/*
 * 0 base (8); 8 decode length in 256 MiB (8); 16 length (8); 24 block size (8); 32 flags;
 * 36 sanitized, bit 0
 */
static int decode_region(const uint8_t *p, struct fmapi_dc_region *ret)
{
	uint64_t end;

	*ret = (struct fmapi_dc_region){
		.base = le64(p),
		.size = le64(p + 16),
		.block = le64(p + 24),
		.flags = p[32],
		.sanitized = (p[36] & SANITIZE) != 0,
	};
	if (!units_to_bytes(le64(p + 8), &ret->decoded) || ret->size == 0 ||
	    ret->size > ret->decoded || __builtin_add_overflow(ret->base, ret->size, &end) ||
	    !is_power_of_2(ret->block) || ret->size < ret->block)
		return -EBADMSG;
	return 0;
}

static int decode_regions(const uint8_t *p, size_t n, struct fmapi_dc_region *ret)
{
	for (size_t i = 0; i < n; i++) {
		int r = decode_region(p + i * REGION_LEN, &ret[i]);

		if (r < 0 || (i > 0 && ret[i].base < ret[i - 1].base + ret[i - 1].size))
			return -EBADMSG;
	}
	return 0;
}

/*
 * 0 host (2); 2 regions of the host; 3 regions that follow; 4 the regions; then supported extents
 * (4), available ones (4), supported tags (4), available ones (4)
 */
int fmapi_decode_dc_regions(const uint8_t *p, size_t len, uint16_t host, uint8_t first,
			    uint8_t limit, struct fmapi_dc_regions *ret)
{
	const uint8_t *tail;
	size_t n;

	if (len < REGIONS_HEAD + REGIONS_TAIL || le16(p) != host || p[2] > FMAPI_DC_REGIONS_MAX ||
	    p[3] > limit || first + p[3] > p[2] || (p[3] == 0 && first < p[2]))
		return -EBADMSG;
	n = p[3];
	if (len < REGIONS_HEAD + n * REGION_LEN + REGIONS_TAIL)
		return -EBADMSG;
	tail = p + REGIONS_HEAD + n * REGION_LEN;
	*ret = (struct fmapi_dc_regions){
		.n_regions = p[2],
		.n = (uint8_t)n,
		.extents = le32(tail),
		.free_extents = le32(tail + 4),
		.tags = le32(tail + 8),
		.free_tags = le32(tail + 12),
	};
	if (ret->free_extents > ret->extents || ret->free_tags > ret->tags)
		return -EBADMSG;
	return decode_regions(p + REGIONS_HEAD, n, ret->regions);
}

size_t fmapi_dc_regions_max(size_t payload_max)
{
	const size_t frame = REGIONS_HEAD + REGIONS_TAIL;
	const size_t n = payload_max < frame ? 0 : (payload_max - frame) / REGION_LEN;

	return n < FMAPI_DC_REGIONS_MAX ? n : FMAPI_DC_REGIONS_MAX;
}

/* 0 region; 4 block size (8); 12 sanitized, bit 0 */
int fmapi_encode_set_dc_region(uint8_t region, uint64_t block, bool sanitized, uint8_t *p,
			       size_t size)
{
	int len;

	if (region >= FMAPI_DC_REGIONS_MAX || !is_power_of_2(block) ||
	    block >> FMAPI_DC_BLOCK_SHIFT_MIN == 0)
		return -EINVAL;
	len = fmapi_begin(p, size, SET_REGION_LEN);
	if (len < 0)
		return len;
	p[0] = region;
	put_le64(p + 4, block);
	p[12] = sanitized ? SANITIZE : 0;
	return len;
}

/* ---- extents ---- */

/* 0 host (2); 4 number of extents (4); 8 index of the first (4) */
int fmapi_encode_get_extents(uint16_t host, uint32_t first, uint32_t limit, uint8_t *p, size_t size)
{
	int len;

	if (limit < 1)
		return -EINVAL;
	len = fmapi_begin(p, size, 12);
	if (len < 0)
		return len;
	put_le16(p, host);
	put_le32(p + 4, limit);
	put_le32(p + 8, first);
	return len;
}

/* 0 start (8); 8 length (8); 16 tag (16); 32 sequence number (2) */
static int decode_extent(const uint8_t *p, struct fmapi_extent *ret)
{
	uint64_t end;

	*ret = (struct fmapi_extent){
		.start = le64(p),
		.size = le64(p + 8),
		.sequence = le16(p + 32),
	};
	memcpy(ret->tag, p + 16, FMAPI_TAG_LEN);
	return ret->size == 0 || __builtin_add_overflow(ret->start, ret->size, &end) ? -EBADMSG : 0;
}

/*
 * 0 host (2); 4 index of the first (4); 8 extents that follow (4); 12 extents of the list (4);
 * 16 generation (4); 24 the extents
 */
int fmapi_decode_extents(const uint8_t *p, size_t len, uint16_t host, uint32_t first,
			 uint32_t limit, struct fmapi_extents *ret, struct fmapi_extent *extents)
{
	if (len < EXTENTS_HEAD || le16(p) != host || le32(p + 4) != first)
		return -EBADMSG;
	*ret = (struct fmapi_extents){
		.n = le32(p + 8),
		.total = le32(p + 12),
		.generation = le32(p + 16),
	};
	/* A list that became shorter since the part before has no more of them. */
	if (ret->n > limit || ret->n > (ret->total > first ? ret->total - first : 0) ||
	    (ret->n == 0 && first < ret->total) || (len - EXTENTS_HEAD) / EXTENT_LEN < ret->n)
		return -EBADMSG;
	for (size_t i = 0; i < ret->n; i++)
		if (decode_extent(p + EXTENTS_HEAD + i * EXTENT_LEN, &extents[i]) < 0)
			return -EBADMSG;
	return 0;
}

size_t fmapi_extents_max(size_t payload_max)
{
	return payload_max < EXTENTS_HEAD ? 0 : (payload_max - EXTENTS_HEAD) / EXTENT_LEN;
}

/* ---- add, release ---- */

size_t fmapi_dc_request_max(size_t payload_max)
{
	return payload_max < REQUEST_HEAD ? 0 : (payload_max - REQUEST_HEAD) / EXTENT_LEN;
}

static bool request_is_valid(const struct fmapi_dc_request *q, bool prescriptive)
{
	if (!prescriptive)
		return q->size > 0 && q->n == 0 && q->region < FMAPI_DC_REGIONS_MAX;
	for (size_t i = 0; i < q->n; i++)
		if (q->extents[i].size == 0)
			return false;
	return q->n > 0;
}

/*
 * 0 host (2); 2 policy, or flags; 3 region (Release: reserved); 4 length (8); 12 tag (16);
 * 28 number of extents (4); 32 the extents
 */
static int encode_request(const struct fmapi_dc_request *q, bool prescriptive, uint8_t *p,
			  size_t size)
{
	int len;

	if (q->n > fmapi_dc_request_max(size))
		return -EMSGSIZE;
	if (!request_is_valid(q, prescriptive))
		return -EINVAL;
	len = fmapi_begin(p, size, REQUEST_HEAD + q->n * (size_t)EXTENT_LEN);
	if (len < 0)
		return len;
	put_le16(p, q->host);
	if (!prescriptive) {
		put_le64(p + 4, q->size);
		memcpy(p + 12, q->tag, FMAPI_TAG_LEN);
	}
	put_le32(p + 28, q->n);
	for (size_t i = 0; i < q->n; i++) {
		uint8_t *at = p + REQUEST_HEAD + i * EXTENT_LEN;

		put_le64(at, q->extents[i].start);
		put_le64(at + 8, q->extents[i].size);
		memcpy(at + 16, q->extents[i].tag, FMAPI_TAG_LEN);
		put_le16(at + 32, q->extents[i].sequence);
	}
	return len;
}

int fmapi_encode_dc_add(const struct fmapi_dc_request *q, uint8_t *p, size_t size)
{
	const bool prescriptive = q->policy == FMAPI_DC_ADD_PRESCRIPTIVE;
	int len = q->policy > FMAPI_DC_ADD_PRESCRIPTIVE ? -EINVAL
							: encode_request(q, prescriptive, p, size);

	if (len < 0)
		return len;
	p[2] = q->policy;
	p[3] = prescriptive ? 0 : q->region;
	return len;
}

/* 2 flags: bits 3:0 policy, bit 4 forced removal, bit 5 sanitize on release */
int fmapi_encode_dc_release(const struct fmapi_dc_request *q, uint8_t *p, size_t size)
{
	int len = q->policy > FMAPI_DC_RELEASE_PRESCRIPTIVE
			  ? -EINVAL
			  : encode_request(q, q->policy == FMAPI_DC_RELEASE_PRESCRIPTIVE, p, size);

	if (len < 0)
		return len;
	p[2] = (uint8_t)(q->policy | (q->forced ? RELEASE_FORCED : 0) |
			 (q->sanitize ? RELEASE_SANITIZED : 0));
	return len;
}
