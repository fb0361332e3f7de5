// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The layouts of the commands for dynamic capacity, by payloads that were written from the tables
 * of the specification: what is encoded, what is decoded, and what is rejected.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/fmapi_dcd.h"
#include "tests/lib/suites.h"

#define GIB  (UINT64_C(1) << 30)
#define MIB  (UINT64_C(1) << 20)
#define FULL 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff

/* Get DCD Info: 7.6.7.6.1. */
static const uint8_t info[84] = {
	3,	    /* 00h hosts */
	2,	    /* 01h regions */
	0xff, 0xff, /* 02h reserved */
	0x07, 0x00, /* 04h policies to add: free, contiguous, prescriptive */
	0xff, 0xff, /* 06h reserved */
	0x03, 0x00, /* 08h policies to release */
	0x02,	    /* 0Ah sanitizing can be configured of region 1 */
	0xff,	    /* 0Bh reserved */
	24,   0,    0,	  0,	0, 0, 0, 0, /* 0Ch capacity: 6 GiB */
	0x3f, 0,    0,	  0x10, 0, 0, 0, 0, /* 14h block sizes: 256 MiB, and reserved bits */
	0x40, 0,    0x20, 0,	1, 0, 0, 0, /* 1Ch 64 bytes, 2 MiB, 4 GiB */
	FULL,				    /* 24h that of a region that there is not */
};

/* Get Host DC Region Configuration of host 0102h from region 1 on: 7.6.7.6.2. */
static const uint8_t regions[4 + 2 * 40 + 16] = {
	0x02, 0x01,			       /* 00h host */
	3,				       /* 02h regions of the host */
	2,				       /* 03h regions of the reply */
	0,    0,    0,	  0,	0x10, 0, 0, 0, /* 04h base: 64 GiB */
	16,   0,    0,	  0,	0,    0, 0, 0, /* decode length: 4 GiB */
	0,    0,    0,	  0xc0, 0,    0, 0, 0, /* length: 3 GiB */
	0,    0,    0,	  0x10, 0,    0, 0, 0, /* block size: 256 MiB */
	0x2b,				       /* flags: shareable, interconnect, reserved */
	0xff, 0xff, 0xff, 0xfe,		       /* not sanitized */
	0xff, 0xff, 0xff, 0,	0,    0, 0, 0x11, 0, 0, 0, /* base: 68 GiB */
	4,    0,    0,	  0,	0,    0, 0, 0,		   /* decode length: 1 GiB */
	0,    0,    0,	  0x40, 0,    0, 0, 0,		   /* length: 1 GiB */
	0,    0,    0x20, 0,	0,    0, 0, 0,		   /* block size: 2 MiB */
	0x54,				    /* flags: nonvolatile, coherent, read-only */
	0,    0,    0,	  1,		    /* sanitized */
	0,    0,    0,	  64,	0,    0, 0, /* supported extents */
	0xfe, 0,    0,	  0,		    /* available extents: too many, see below */
	16,   1,    0,	  0,		    /* supported tags */
	15,   1,    0,	  0,		    /* available tags */
};

enum { AVAILABLE = 4 + 2 * 40 + 4 };

/* Get DC Region Extent Lists of host 2 from extent 5 on: 7.6.7.6.4. */
static const uint8_t extents[24 + 2 * 40] = {
	2,    0,				     /* 00h host */
	0xff, 0xff,				     /* 02h reserved */
	5,    0,    0,	  0,			     /* 04h first */
	2,    0,    0,	  0,			     /* 08h extents of the reply */
	8,    0,    0,	  0,			     /* 0Ch extents of the list */
	0x78, 0x56, 0x34, 0x12,			     /* 10h generation */
	0xff, 0xff, 0xff, 0xff,			     /* 14h reserved */
	0,    0,    0,	  0x10, 0x10, 0,    0,	  0, /* start: 64.25 GiB */
	0,    0,    0,	  0x20, 0,    0,    0,	  0, /* length: 512 MiB */
	0,    1,    2,	  3,	4,    5,    6,	  7,	8, 9, 10,   11, 12, 13, 14, 15, /* tag */
	0x34, 0x12,							       /* sequence number */
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,	  0,	0, 0, 0x11, 0,	0,  0, /* start: 68 GiB */
	0,    0,    0x20, 0,	0,    0,    0,	  0,			       /* length: 2 MiB */
	0,    0,    0,	  0,	0,    0,    0,	  0,	0, 0, 0,    0,	0,  0,	0,  0,
	0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

static struct fmapi_dcd_info got_info;
static struct fmapi_dc_regions got_regions;
static struct fmapi_extents got_list;
static struct fmapi_extent got_extents[4];
static uint8_t copy[256];

static int decode_info(const uint8_t *p, size_t len)
{
	return fmapi_decode_dcd_info(p, len, &got_info);
}

static int decode_regions(const uint8_t *p, size_t len)
{
	return fmapi_decode_dc_regions(p, len, 0x102, 1, 2, &got_regions);
}

static int decode_extents(const uint8_t *p, size_t len)
{
	return fmapi_decode_extents(p, len, 2, 5, 4, &got_list, got_extents);
}

static const struct {
	const uint8_t *p;
	size_t len;
	int (*decode)(const uint8_t *p, size_t len);
} payloads[] = {
	{info, sizeof(info), decode_info},
	{regions, sizeof(regions), decode_regions},
	{extents, sizeof(extents), decode_extents},
};

/* Copies a payload to where it ends with the memory. Return: what the decoder returns. */
static int decode_at_end(size_t i, size_t len)
{
	uint8_t *at = malloc(len > 0 ? len : 1);
	int r;

	ck_assert_ptr_nonnull(at);
	memcpy(at, payloads[i].p, len);
	if (payloads[i].p == regions && len > AVAILABLE)
		at[AVAILABLE] = 62;
	r = payloads[i].decode(len > 0 ? at : at + 1, len);
	free(at);
	return r;
}

START_TEST(short_replies_are_rejected)
{
	for (size_t i = 0; i < ARRAY_SIZE(payloads); i++) {
		for (size_t len = 0; len < payloads[i].len; len++)
			ck_assert_msg(decode_at_end(i, len) == -EBADMSG, "payload %zu, %zu", i,
				      len);
		ck_assert_int_eq(decode_at_end(i, payloads[i].len), 0);
	}
}
END_TEST

START_TEST(any_byte_may_have_any_value)
{
	for (size_t i = 0; i < ARRAY_SIZE(payloads); i++)
		for (size_t at = 0; at < payloads[i].len; at++)
			for (unsigned int v = 0; v < 256; v++) {
				memcpy(copy, payloads[i].p, payloads[i].len);
				copy[at] = (uint8_t)v;
				(void)payloads[i].decode(copy, payloads[i].len);
			}
}
END_TEST

START_TEST(info_is_decoded)
{
	ck_assert_int_eq(decode_info(info, sizeof(info)), 0);
	ck_assert_uint_eq(got_info.n_hosts, 3);
	ck_assert_uint_eq(got_info.n_regions, 2);
	ck_assert_uint_eq(got_info.add_policies, 7);
	ck_assert_uint_eq(got_info.release_policies, 3);
	ck_assert_uint_eq(got_info.sanitize, 2);
	ck_assert_uint_eq(got_info.capacity, 6 * GIB);
	ck_assert_uint_eq(got_info.block_sizes[0], 256 * MIB);
	ck_assert_uint_eq(got_info.block_sizes[1], 4 * GIB | 2 * MIB | 64);
	ck_assert_uint_eq(got_info.block_sizes[2], 0);
}
END_TEST

START_TEST(info_beyond_64_bits_or_of_nine_regions_is_rejected)
{
	memcpy(copy, info, sizeof(info));
	copy[12 + 4] = 0x10;
	ck_assert_int_eq(decode_info(copy, sizeof(info)), -EBADMSG);
	copy[12 + 4] = 0x0f;
	ck_assert_int_eq(decode_info(copy, sizeof(info)), 0);
	copy[1] = 9;
	ck_assert_int_eq(decode_info(copy, sizeof(info)), -EBADMSG);
}
END_TEST

static void valid_regions(void)
{
	memcpy(copy, regions, sizeof(regions));
	copy[AVAILABLE] = 62;
}

START_TEST(regions_are_decoded)
{
	valid_regions();
	ck_assert_int_eq(decode_regions(copy, sizeof(regions)), 0);
	ck_assert_uint_eq(got_regions.n_regions, 3);
	ck_assert_uint_eq(got_regions.n, 2);
	ck_assert_uint_eq(got_regions.regions[0].base, 64 * GIB);
	ck_assert_uint_eq(got_regions.regions[0].decoded, 4 * GIB);
	ck_assert_uint_eq(got_regions.regions[0].size, 3 * GIB);
	ck_assert_uint_eq(got_regions.regions[0].block, 256 * MIB);
	ck_assert(got_regions.regions[0].flags & FMAPI_DC_SHAREABLE);
	ck_assert(got_regions.regions[0].flags & FMAPI_DC_INTERCONNECT);
	ck_assert(!(got_regions.regions[0].flags & FMAPI_DC_COHERENT));
	ck_assert(!got_regions.regions[0].sanitized && got_regions.regions[1].sanitized);
	ck_assert_uint_eq(got_regions.regions[1].base, 68 * GIB);
	ck_assert_uint_eq(got_regions.regions[1].flags & 0x7c, 0x54);
	ck_assert_uint_eq(got_regions.extents, 64);
	ck_assert_uint_eq(got_regions.free_extents, 62);
	ck_assert_uint_eq(got_regions.tags, 272);
	ck_assert_uint_eq(got_regions.free_tags, 271);
}
END_TEST

/* One byte of the regions makes them contradict themselves, or the request. */
START_TEST(regions_that_contradict_themselves_are_rejected)
{
	static const struct {
		size_t offset;
		uint8_t value;
	} wrong[] = {
		{0, 3},		     /* another host */
		{2, 9},		     /* regions of the host */
		{2, 2},		     /* fewer than the request and the reply have */
		{3, 0},		     /* none of them */
		{3, 3},		     /* more than asked for */
		{4 + 8, 8},	     /* decodes less than its length */
		{4 + 8 + 4, 0x10},   /* decodes more than 64 bits */
		{4 + 16 + 3, 0},     /* empty */
		{4 + 7, 0xff},	     /* behind the next one */
		{4 + 24 + 3, 0x30},  /* blocks of 768 MiB */
		{4 + 24 + 3, 0},     /* of nothing */
		{4 + 24 + 4, 1},     /* likewise, of 4 GiB and 256 MiB */
		{4 + 40 + 4, 0x10},  /* the second one overlaps the first */
		{AVAILABLE, 65},     /* more than supported */
		{AVAILABLE + 8, 17}, /* tags */
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		valid_regions();
		copy[wrong[i].offset] = wrong[i].value;
		ck_assert_msg(decode_regions(copy, sizeof(regions)) == -EBADMSG, "row %zu", i);
	}
}
END_TEST

START_TEST(extents_are_decoded)
{
	ck_assert_int_eq(decode_extents(extents, sizeof(extents)), 0);
	ck_assert_uint_eq(got_list.n, 2);
	ck_assert_uint_eq(got_list.total, 8);
	ck_assert_uint_eq(got_list.generation, 0x12345678);
	ck_assert_uint_eq(got_extents[0].start, 64 * GIB + 256 * MIB);
	ck_assert_uint_eq(got_extents[0].size, 512 * MIB);
	ck_assert_uint_eq(got_extents[0].tag[15], 15);
	ck_assert_uint_eq(got_extents[0].sequence, 0x1234);
	ck_assert_uint_eq(got_extents[1].start, 68 * GIB);
	ck_assert_uint_eq(got_extents[1].sequence, 0);
}
END_TEST

START_TEST(extents_that_contradict_the_request_are_rejected)
{
	static const struct {
		size_t offset;
		uint8_t value;
	} wrong[] = {
		{0, 3},		    /* another host */
		{1, 1},		    /* likewise */
		{4, 4},		    /* from another one on */
		{8, 0},		    /* none, although there are more */
		{8, 3},		    /* more than follow */
		{8, 5},		    /* more than asked for */
		{8 + 3, 0x80},	    /* likewise, of 32 bits */
		{12, 6},	    /* beyond the list */
		{12, 0},	    /* of an empty list */
		{24 + 8 + 3, 0},    /* empty */
		{24 + 8 + 7, 0xff}, /* hardly wraps */
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		memcpy(copy, extents, sizeof(extents));
		copy[wrong[i].offset] = wrong[i].value;
		if (wrong[i].value == 0xff)
			copy[24 + 7] = 0x10;
		ck_assert_msg(decode_extents(copy, sizeof(extents)) == -EBADMSG, "row %zu", i);
	}
}
END_TEST

/* A list that got shorter while its parts are read. */
START_TEST(part_after_the_end_of_a_list_is_empty)
{
	memcpy(copy, extents, 24);
	copy[8] = 0;
	copy[12] = 4;
	ck_assert_int_eq(decode_extents(copy, 24), 0);
	ck_assert_uint_eq(got_list.n, 0);
	ck_assert_uint_eq(got_list.total, 4);
}
END_TEST

/* ---- what is encoded ---- */

static uint8_t p[128];

static void must_encode(int len, const uint8_t *expected, size_t n)
{
	ck_assert_int_eq(len, (int)n);
	ck_assert_mem_eq(p, expected, n);
}

#define MUST_ENCODE(call, ...)                                                                     \
	must_encode((call), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

START_TEST(requests_that_read_are_encoded)
{
	memset(p, 0xff, sizeof(p));
	MUST_ENCODE(fmapi_encode_get_dc_regions(0x102, 1, 2, p, sizeof(p)), 2, 1, 2, 1);
	MUST_ENCODE(fmapi_encode_get_extents(0x102, 0x12345, 6, p, sizeof(p)), 2, 1, 0, 0, 6, 0, 0,
		    0, 0x45, 0x23, 1, 0);
	MUST_ENCODE(fmapi_encode_set_dc_region(7, 2 * MIB, true, p, sizeof(p)), 7, 0, 0, 0, 0, 0,
		    0x20, 0, 0, 0, 0, 0, 1, 0, 0, 0);
	ck_assert_int_eq(fmapi_encode_get_dc_regions(0, 0, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_dc_regions(0, 0, 9, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_dc_regions(0, 0, 1, p, 3), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_get_extents(0, 0, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_extents(0, 0, 1, p, 11), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_set_dc_region(8, MIB, true, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_dc_region(0, 3 * MIB, true, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_dc_region(0, 32, true, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_dc_region(0, MIB, true, p, 15), -EMSGSIZE);
}
END_TEST

static const struct fmapi_extent one = {
	.start = 64 * GIB, .size = 256 * MIB, .tag = {1, 2, 3}, .sequence = 0x405};

START_TEST(capacity_is_added_by_each_policy)
{
	struct fmapi_dc_request q = {.host = 0x201,
				     .policy = FMAPI_DC_ADD_CONTIGUOUS,
				     .region = 3,
				     .size = GIB,
				     .tag = {9}};

	memset(p, 0xff, sizeof(p));
	MUST_ENCODE(fmapi_encode_dc_add(&q, p, sizeof(p)), 1, 2, 1, 3, 0, 0, 0, 0x40, 0, 0, 0, 0, 9,
		    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	q.policy = FMAPI_DC_ADD_FREE;
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), 32);
	ck_assert_uint_eq(p[2], 0);
	/* The extents have their own tags, and the region is that which they are in. */
	q = (struct fmapi_dc_request){.host = 1,
				      .policy = FMAPI_DC_ADD_PRESCRIPTIVE,
				      .region = 3,
				      .extents = &one,
				      .n = 1};
	MUST_ENCODE(fmapi_encode_dc_add(&q, p, sizeof(p)), 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0,
		    0, 0, 0, 0x10, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4,
		    0, 0, 0, 0, 0, 0);
}
END_TEST

START_TEST(capacity_is_released_by_each_policy)
{
	struct fmapi_dc_request q = {
		.policy = FMAPI_DC_RELEASE_TAG, .size = GIB, .tag = {9}, .forced = true};

	memset(p, 0xff, sizeof(p));
	MUST_ENCODE(fmapi_encode_dc_release(&q, p, sizeof(p)), 0, 0, 0x10, 0, 0, 0, 0, 0x40, 0, 0,
		    0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	q = (struct fmapi_dc_request){
		.policy = FMAPI_DC_RELEASE_PRESCRIPTIVE, .sanitize = true, .extents = &one, .n = 1};
	ck_assert_int_eq(fmapi_encode_dc_release(&q, p, sizeof(p)), 72);
	ck_assert_uint_eq(p[2], 0x21);
	q.forced = true;
	ck_assert_int_eq(fmapi_encode_dc_release(&q, p, sizeof(p)), 72);
	ck_assert_uint_eq(p[2], 0x31);
	ck_assert_uint_eq(p[28], 1);
}
END_TEST

START_TEST(requests_without_contents_are_not_encoded)
{
	const struct fmapi_extent empty = {.start = GIB};
	struct fmapi_dc_request q = {.policy = FMAPI_DC_ADD_SHARED, .size = GIB};

	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_dc_release(&q, p, sizeof(p)), -EINVAL);
	q.policy = FMAPI_DC_ADD_FREE;
	q.size = 0;
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), -EINVAL);
	q = (struct fmapi_dc_request){.size = GIB, .region = 8};
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), -EINVAL);
	q = (struct fmapi_dc_request){.policy = FMAPI_DC_ADD_PRESCRIPTIVE};
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), -EINVAL);
	q.extents = &empty;
	q.n = 1;
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, sizeof(p)), -EINVAL);
	q.extents = &one;
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, 71), -EMSGSIZE);
	q.n = UINT32_MAX;
	ck_assert_int_eq(fmapi_encode_dc_add(&q, p, 71), -EMSGSIZE);
}
END_TEST

START_TEST(lists_are_as_long_as_a_payload_allows)
{
	ck_assert_uint_eq(fmapi_extents_max(0), 0);
	ck_assert_uint_eq(fmapi_extents_max(240), 5);
	ck_assert_uint_eq(fmapi_dc_request_max(31), 0);
	ck_assert_uint_eq(fmapi_dc_request_max(240), 5);
	ck_assert_uint_eq(fmapi_dc_regions_max(240), 5);
	ck_assert_uint_eq(fmapi_dc_regions_max(19), 0);
	ck_assert_uint_eq(fmapi_dc_regions_max(65536), 8);
}
END_TEST

SUITE(check_fmapi_dcd)
{
	Suite *s = suite_create("fmapi_dcd");
	TCase *t = tcase_create("payloads");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, short_replies_are_rejected);
	tcase_add_test(t, any_byte_may_have_any_value);
	tcase_add_test(t, info_is_decoded);
	tcase_add_test(t, info_beyond_64_bits_or_of_nine_regions_is_rejected);
	tcase_add_test(t, regions_are_decoded);
	tcase_add_test(t, regions_that_contradict_themselves_are_rejected);
	tcase_add_test(t, extents_are_decoded);
	tcase_add_test(t, extents_that_contradict_the_request_are_rejected);
	tcase_add_test(t, part_after_the_end_of_a_list_is_empty);
	tcase_add_test(t, requests_that_read_are_encoded);
	tcase_add_test(t, capacity_is_added_by_each_policy);
	tcase_add_test(t, capacity_is_released_by_each_policy);
	tcase_add_test(t, requests_without_contents_are_not_encoded);
	tcase_add_test(t, lists_are_as_long_as_a_payload_allows);
	suite_add_tcase(s, t);
	return s;
}
