// SPDX-License-Identifier: LGPL-2.1-or-later
/* Event records of a switch: the reply to Get Event Records, and the records themselves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_events.h"
#include "tests/lib/suites.h"

#define PORT_UUID                                                                                  \
	0x77, 0xcf, 0x92, 0x71, 0x9c, 0x02, 0x47, 0x0b, 0x9f, 0xe4, 0xbc, 0x7b, 0x75, 0xf2, 0xda,  \
		0x97
#define VCS_UUID                                                                                   \
	0x40, 0xd2, 0x64, 0x25, 0x33, 0x96, 0x4c, 0x4d, 0xa5, 0xda, 0x3d, 0x47, 0x26, 0x3a, 0xf4,  \
		0x25
#define MLD_UUID                                                                                   \
	0x8d, 0xc4, 0x43, 0x63, 0x0c, 0x96, 0x47, 0x10, 0xb7, 0xbf, 0x04, 0xbb, 0x99, 0x53, 0x4c,  \
		0x3f
/* The part that all records have in common: 8.2.10.2.1. Length, severity 2, handle, related, time.
 */
#define COMMON                                                                                     \
	0x80, 0xfe, 0xff, 0xff, 0x34, 0x12, 0x33, 0x12, 8, 7, 6, 5, 4, 3, 2, 1, 0xff, 0xff, 0xff,  \
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff

static const uint8_t reply[FMAPI_RECORDS_HEAD + 4 * FMAPI_RECORD_SIZE] = {
	/* 00h flags: overflow, more; 01h reserved; 02h lost; 04h first; 0Ch last; 14h count */
	0xff,
	0xff,
	0x03,
	0x01,
	1,
	0,
	0,
	0,
	0,
	0,
	0,
	0x10,
	2,
	0,
	0,
	0,
	0,
	0,
	0,
	0x20,
	4,
	0,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	/* port 9: slot status */
	[0x20] = PORT_UUID,
	COMMON,
	9,
	1,
	/* VCS 1, vPPB 3: binding to LD 2 on port 4 */
	[0xa0] = VCS_UUID,
	COMMON,
	1,
	3,
	0,
	3,
	4,
	2,
	/* ERR_FATAL of the MLD on port 5 */
	[0x120] = MLD_UUID,
	COMMON,
	2,
	5,
	0xff,
	0xff,
	0x33,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	/* of a vendor */
	[0x1a0] = 1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	COMMON,
	9,
	9,
	9,
	9,
};

static struct fmapi_records got;
static struct fmapi_record records[8];

static int decode(const uint8_t *bytes, size_t len, size_t max)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int r;

	ck_assert_ptr_nonnull(copy);
	if (len > 0)
		memcpy(copy, bytes, len);
	r = fmapi_decode_event_records(len > 0 ? copy : copy + 1, len, FMAPI_LOG_FAILURE, &got,
				       records, max);
	free(copy);
	return r;
}

START_TEST(request_names_the_log)
{
	uint8_t p[1] = {0xff};

	ck_assert_int_eq(fmapi_encode_get_event_records(FMAPI_LOG_FATAL, p, 0), -EMSGSIZE);
	ck_assert_uint_eq(p[0], 0xff);
	ck_assert_int_eq(fmapi_encode_get_event_records(FMAPI_LOG_FATAL, p, 1), 1);
	ck_assert_uint_eq(p[0], 3);
}
END_TEST

START_TEST(head_is_decoded)
{
	uint8_t copy[sizeof(reply)];

	ck_assert_int_eq(decode(reply, sizeof(reply), 4), 0);
	ck_assert(got.overflow && got.more);
	ck_assert_uint_eq(got.n_lost, 0x103);
	ck_assert_uint_eq(got.first_lost_ns, UINT64_C(0x1000000000000001));
	ck_assert_uint_eq(got.last_lost_ns, UINT64_C(0x2000000000000002));
	ck_assert_uint_eq(got.n, 4);
	/* Without an overflow its fields say nothing. */
	memcpy(copy, reply, sizeof(copy));
	copy[0] = 0xfc;
	ck_assert_int_eq(decode(copy, sizeof(copy), 4), 0);
	ck_assert(!got.overflow && !got.more);
	ck_assert_uint_eq(got.n_lost, 0);
	ck_assert_uint_eq(got.first_lost_ns, 0);
	ck_assert_uint_eq(got.last_lost_ns, 0);
}
END_TEST

START_TEST(common_fields_are_decoded)
{
	ck_assert_int_eq(decode(reply, sizeof(reply), 8), 0);
	for (size_t i = 0; i < got.n; i++) {
		ck_assert_uint_eq(records[i].log, FMAPI_LOG_FAILURE);
		ck_assert_uint_eq(records[i].severity, FMAPI_LOG_FAILURE);
		ck_assert_uint_eq(records[i].handle, 0x1234);
		ck_assert_uint_eq(records[i].related_handle, 0x1233);
		ck_assert_uint_eq(records[i].timestamp_ns, UINT64_C(0x0102030405060708));
		ck_assert_mem_eq(records[i].raw, reply + 0x20 + 128 * i, 128);
	}
}
END_TEST

START_TEST(records_of_fabric_management_are_decoded)
{
	const struct fmapi_record *r = records;

	ck_assert_int_eq(decode(reply, sizeof(reply), 4), 0);
	ck_assert_uint_eq(r[0].kind, FMAPI_RECORD_PORT);
	ck_assert(r[0].port == 9 && r[0].event == 1);
	ck_assert_uint_eq(r[1].kind, FMAPI_RECORD_VCS);
	ck_assert(r[1].vcs == 1 && r[1].vppb == 3 && r[1].event == 0);
	ck_assert(r[1].binding == FMAPI_BOUND_LD && r[1].port == 4 && r[1].ld == 2);
	ck_assert_uint_eq(r[2].kind, FMAPI_RECORD_MLD);
	ck_assert(r[2].event == 2 && r[2].port == 5);
	ck_assert_mem_eq(r[2].message, ((const uint8_t[]){0x33, 2, 3, 4, 5, 6, 7, 8}), 8);
	ck_assert_uint_eq(r[3].kind, FMAPI_RECORD_OTHER);
	ck_assert(r[3].port == 0 && r[3].event == 0);
}
END_TEST

START_TEST(unbound_vppb_has_no_port)
{
	uint8_t copy[sizeof(reply)];

	memcpy(copy, reply, sizeof(copy));
	for (uint8_t binding = 0; binding < 6; binding++) {
		copy[0xa0 + 0x33] = binding;
		ck_assert_int_eq(decode(copy, sizeof(copy), 4), 0);
		ck_assert_uint_eq(records[1].binding, binding);
		ck_assert_uint_eq(records[1].port, binding == 2 || binding == 3 ? 4 : 0);
		ck_assert_uint_eq(records[1].ld, binding == 3 ? 2 : 0);
	}
}
END_TEST

START_TEST(short_replies_are_rejected)
{
	for (size_t len = 0; len < sizeof(reply); len++)
		ck_assert_int_eq(decode(reply, len, 8), -EBADMSG);
}
END_TEST

START_TEST(counts_that_lie_are_rejected)
{
	const uint16_t counts[] = {5, 255, 256, 65535};
	uint8_t copy[sizeof(reply)];

	memcpy(copy, reply, sizeof(copy));
	ck_assert_int_eq(decode(copy, sizeof(copy), 3), -EBADMSG);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		copy[0x14] = (uint8_t)counts[i];
		copy[0x15] = (uint8_t)(counts[i] >> 8);
		ck_assert_int_eq(decode(copy, sizeof(copy), SIZE_MAX), -EBADMSG);
		ck_assert_int_eq(decode(copy, sizeof(copy), 8), -EBADMSG);
	}
	copy[0x14] = 0;
	copy[0x15] = 0;
	ck_assert_int_eq(decode(copy, FMAPI_RECORDS_HEAD, 0), 0);
	ck_assert_uint_eq(got.n, 0);
}
END_TEST

SUITE(check_fmapi_events)
{
	Suite *s = suite_create("fmapi_events");
	TCase *t = tcase_create("fmapi_events");

	tcase_add_test(t, request_names_the_log);
	tcase_add_test(t, head_is_decoded);
	tcase_add_test(t, common_fields_are_decoded);
	tcase_add_test(t, records_of_fabric_management_are_decoded);
	tcase_add_test(t, unbound_vppb_has_no_port);
	tcase_add_test(t, short_replies_are_rejected);
	tcase_add_test(t, counts_that_lie_are_rejected);
	suite_add_tcase(s, t);
	return s;
}
