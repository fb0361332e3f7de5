// SPDX-License-Identifier: LGPL-2.1-or-later
/* Payloads of the QoS control and of scans of media, byte by byte, valid and hostile ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/raw_layouts.h"
#include "tests/lib/suites.h"

/* ---- QoS --------------------------------------------------------------------------------------
 */

START_TEST(the_qos_control_has_its_five_fields)
{
	static const uint8_t bytes[] = {0x02, 10, 25, 0x08};
	uint8_t again[SLD_QOS_BYTES];
	struct sld_qos qos;

	ck_assert_int_eq(sld_qos_decode(bytes, sizeof(bytes), &qos), 0);
	ck_assert_uint_eq(qos.egress_port_congestion, 0);
	ck_assert_uint_eq(qos.temporary_throughput_reduction, 1);
	ck_assert_uint_eq(qos.egress_moderate, 10);
	ck_assert_uint_eq(qos.egress_severe, 25);
	ck_assert_uint_eq(qos.backpressure_sample_interval_ns, 8);
	sld_qos_encode(&qos, again);
	ck_assert_mem_eq(again, bytes, sizeof(bytes));
}
END_TEST

START_TEST(reserved_bits_of_the_qos_control_are_neither_read_nor_sent)
{
	static const uint8_t bytes[] = {0xfd, 0xff, 0x00, 0xf0, 0xee}, sent[] = {0x01, 0xff, 0, 0};
	uint8_t again[SLD_QOS_BYTES];
	struct sld_qos qos;

	ck_assert_int_eq(sld_qos_decode(bytes, sizeof(bytes), &qos), 0);
	ck_assert_uint_eq(qos.egress_port_congestion, 1);
	ck_assert_uint_eq(qos.temporary_throughput_reduction, 0);
	ck_assert_uint_eq(qos.backpressure_sample_interval_ns, 0);
	sld_qos_encode(&qos, again);
	ck_assert_mem_eq(again, sent, sizeof(sent));
}
END_TEST

START_TEST(a_qos_control_that_is_too_short_is_none)
{
	static const uint8_t bytes[SLD_QOS_BYTES];
	struct sld_qos qos;

	for (size_t len = 0; len < SLD_QOS_BYTES; len++)
		ck_assert_int_eq(sld_qos_decode(bytes, len, &qos), -EMSGSIZE);
}
END_TEST

/* ---- what is sent -----------------------------------------------------------------------------
 */

START_TEST(a_scan_is_sent_in_units_of_64_bytes)
{
	static const struct media_range range = {UINT64_C(0x1234567800), UINT64_C(0x10000040)};
	static const uint8_t wanted[] = {0x00, 0x78, 0x56, 0x34, 0x12, 0, 0, 0,	  0x01,
					 0x00, 0x40, 0x00, 0,	 0,    0, 0, 0x01};
	uint8_t scan[SCAN_MEDIA_BYTES], capabilities[MEDIA_RANGE_BYTES];

	scan_media_encode(&range, true, scan);
	ck_assert_mem_eq(scan, wanted, sizeof(wanted));
	media_range_encode(&range, capabilities);
	ck_assert_mem_eq(capabilities, wanted, sizeof(capabilities));
	scan_media_encode(&range, false, scan);
	ck_assert_uint_eq(scan[SCAN_MEDIA_BYTES - 1], 0);
}
END_TEST

START_TEST(an_estimate_is_milliseconds)
{
	static const uint8_t bytes[] = {0x78, 0x56, 0x34, 0x12, 0xff};
	uint32_t ms = 0;

	for (size_t len = 0; len < SCAN_ESTIMATE_BYTES; len++)
		ck_assert_int_eq(scan_estimate_decode(bytes, len, &ms), -EMSGSIZE);
	ck_assert_int_eq(scan_estimate_decode(bytes, sizeof(bytes), &ms), 0);
	ck_assert_uint_eq(ms, 0x12345678);
}
END_TEST

static const struct {
	struct media_range range;
	bool valid;
} ranges[] = {
	{{0, 64}, true},
	{{UINT64_MAX - 63, 64}, true},
	{{64, UINT64_MAX - 127}, true},
	{{0, 0}, false},
	{{0, 63}, false},
	{{1, 64}, false},
	{{UINT64_MAX - 63, 128}, false},
	{{128, UINT64_MAX - 63}, false},
};

START_TEST(a_range_is_whole_units_that_end)
{
	ck_assert(media_range_is_valid(&ranges[_i].range) == ranges[_i].valid);
}
END_TEST

/* ---- results ----------------------------------------------------------------------------------
 */

static const struct media_range scanned = {0x1000, 0x1000};

/* Three records: one with a source and reserved bits, one partly below the scan, one beyond it. */
static const uint8_t results[] =
	{
		0x00, 0x18, 0,	  0,	0,    0,    0, 0, 0x20, 0,    0, 0,
		0,    0,    0,	  0, /* restart, its length */
		0x03, 0xff, 0x03, 0x00, 0,    0,    0, 0, 0,	0,    0, 0,
		0,    0,    0,	  0, /* flags, count */
		0x3b, 0x10, 0,	  0,	0,    0,    0, 0, 0x02, 0,    0, 0,
		0xff, 0xff, 0xff, 0xff, 0xc2, 0x0f, 0, 0, 0,	0,    0, 0,
		0x02, 0,    0,	  0,	0,    0,    0, 0, 0x02, 0x20, 0, 0,
		0,    0,    0,	  0,	0x01, 0,    0, 0, 0,	0,    0, 0,
};

START_TEST(results_have_records_and_where_to_go_on)
{
	struct scan_results r;
	struct found_poison p;

	ck_assert_int_eq(scan_results_decode(results, sizeof(results), &r), 0);
	ck_assert(r.more && r.stopped);
	ck_assert_uint_eq(r.restart.address, 0x1800);
	ck_assert_uint_eq(r.restart.length, 0x800);
	ck_assert_uint_eq(r.n, 3);
	ck_assert_uint_eq(r.n_cut, 0);
	ck_assert(scan_record_decode(&r, 0, &scanned, &p));
	ck_assert_uint_eq(p.range.address, 0x1000);
	ck_assert_uint_eq(p.range.length, 128);
	ck_assert_uint_eq(p.source, 3);
	/* Cut to what was scanned. */
	ck_assert(scan_record_decode(&r, 1, &scanned, &p));
	ck_assert_uint_eq(p.range.address, 0x1000);
	ck_assert_uint_eq(p.range.length, 64);
	ck_assert_uint_eq(p.source, 2);
	ck_assert(!scan_record_decode(&r, 2, &scanned, &p));
}
END_TEST

/* A payload of exactly that many bytes, so that a sanitizer sees a read behind it. */
START_TEST(records_that_are_not_in_the_output_are_counted_and_not_read)
{
	const size_t len = (size_t)_i;
	uint8_t *copy = malloc(len ? len : 1);
	struct scan_results r;
	struct found_poison p;
	int error;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, results, len);
	error = scan_results_decode(copy, len, &r);
	ck_assert_int_eq(error, len < SCAN_RESULTS_BYTES ? -EMSGSIZE : 0);
	for (size_t i = 0; error == 0 && i < r.n; i++)
		(void)scan_record_decode(&r, i, &scanned, &p);
	if (error == 0) {
		ck_assert_uint_eq(r.n, (len - SCAN_RESULTS_BYTES) / SCAN_RECORD_BYTES);
		ck_assert_uint_eq(r.n + r.n_cut, 3);
	}
	free(copy);
}
END_TEST

START_TEST(a_count_beyond_the_output_is_cut)
{
	uint8_t bytes[sizeof(results)];
	struct scan_results r;

	memcpy(bytes, results, sizeof(bytes));
	bytes[0x12] = bytes[0x13] = 0xff;
	ck_assert_int_eq(scan_results_decode(bytes, sizeof(bytes), &r), 0);
	ck_assert_uint_eq(r.n, 3);
	ck_assert_uint_eq(r.n_cut, 0xffff - 3);
}
END_TEST

static const struct {
	size_t at;
	uint8_t bytes[8];
} no_restarts[] = {
	{8, {0}},					       /* no length */
	{8, {0, 0, 0, 0, 0, 0, 0, 0x04}},		       /* more than 64 bits */
	{0, {0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, /* the end is beyond all */
};

START_TEST(a_restart_that_is_none_has_no_length)
{
	uint8_t bytes[sizeof(results)];
	struct scan_results r;

	memcpy(bytes, results, sizeof(bytes));
	memcpy(bytes + no_restarts[_i].at, no_restarts[_i].bytes, 8);
	ck_assert_int_eq(scan_results_decode(bytes, sizeof(bytes), &r), 0);
	ck_assert_uint_eq(r.restart.length, 0);
}
END_TEST

static const uint8_t wrong_records[][SCAN_RECORD_BYTES] = {
	{0x00, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},		      /* no length */
	{0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0}, /* ends beyond all */
	{0xc0, 0x0f, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0},		      /* below the scan */
	{0x00, 0x20, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},	      /* behind it */
};

START_TEST(a_record_of_no_scanned_memory_is_not_used)
{
	const struct scan_results r = {.n = 1, .records = wrong_records[_i]};
	struct found_poison p;

	ck_assert(!scan_record_decode(&r, 0, &scanned, &p));
}
END_TEST

START_TEST(the_longest_record_is_cut_to_the_scan)
{
	static const uint8_t record[SCAN_RECORD_BYTES] = {0, 0, 0,    0,    0,	  0,
							  0, 0, 0xff, 0xff, 0xff, 0xff};
	const struct scan_results r = {.n = 1, .records = record};
	struct found_poison p;

	ck_assert(scan_record_decode(&r, 0, &scanned, &p));
	ck_assert_uint_eq(p.range.address, scanned.address);
	ck_assert_uint_eq(p.range.length, scanned.length);
}
END_TEST

SUITE(check_raw_layouts)
{
	Suite *s = suite_create("payloads of raw commands");
	TCase *t = tcase_create("payloads");

	tcase_add_test(t, the_qos_control_has_its_five_fields);
	tcase_add_test(t, reserved_bits_of_the_qos_control_are_neither_read_nor_sent);
	tcase_add_test(t, a_qos_control_that_is_too_short_is_none);
	tcase_add_test(t, a_scan_is_sent_in_units_of_64_bytes);
	tcase_add_test(t, an_estimate_is_milliseconds);
	tcase_add_loop_test(t, a_range_is_whole_units_that_end, 0, ARRAY_SIZE(ranges));
	tcase_add_test(t, results_have_records_and_where_to_go_on);
	tcase_add_loop_test(t, records_that_are_not_in_the_output_are_counted_and_not_read, 0,
			    sizeof(results) + 1);
	tcase_add_test(t, a_count_beyond_the_output_is_cut);
	tcase_add_loop_test(t, a_restart_that_is_none_has_no_length, 0, ARRAY_SIZE(no_restarts));
	tcase_add_loop_test(t, a_record_of_no_scanned_memory_is_not_used, 0,
			    ARRAY_SIZE(wrong_records));
	tcase_add_test(t, the_longest_record_is_cut_to_the_scan);
	suite_add_tcase(s, t);
	return s;
}
