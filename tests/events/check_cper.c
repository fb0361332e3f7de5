// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sections of CPER as bytes: they become the records that the kernel would have made of them. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/component_id.h"
#include "events/cper.h"
#include "tests/lib/suites.h"

static const uint8_t dram[16] = {0x60, 0x1d, 0xcb, 0xb3, 0x9c, 0x06, 0x4e, 0xab,
				 0xb8, 0xaf, 0x4e, 0x9b, 0xfb, 0x5c, 0x96, 0x24};
static const uint8_t media[16] = {0xfb, 0xcd, 0x0a, 0x77, 0xc2, 0x60, 0x41, 0x7f,
				  0x85, 0xa9, 0x08, 0x8b, 0x16, 0x21, 0xeb, 0xa6};
static const uint8_t module[16] = {0xfe, 0x92, 0x74, 0x75, 0xdd, 0x59, 0x43, 0x39,
				   0xa5, 0x86, 0x79, 0xba, 0xb1, 0x13, 0xb7, 0x74};
static const uint8_t protocol[16] = {0x80, 0xb9, 0xef, 0xb4, 0x52, 0xb5, 0x4d, 0xe3,
				     0xa7, 0x77, 0x68, 0x78, 0x4b, 0x77, 0x10, 0x48};

static uint8_t section[256];
static struct event_record rec;

static void put(size_t at, size_t size, uint64_t value)
{
	memcpy(section + at, &value, size);
}

/* A section of 0001:0e:03.1 with the serial number 0xabc000000001, its record at 32. */
static void component(uint64_t flags)
{
	memset(section, 0, sizeof(section));
	put(4, 8, 7);
	put(0x10, 1, 1);
	put(0x11, 1, 3);
	put(0x12, 1, 0x0e);
	put(0x13, 2, 1);
	put(0x18, 8, UINT64_C(0xabc000000001));
	put(32, 1, 0x80);
	put(33, 3, flags);
	put(36, 2, 0x1234);
	put(40, 8, UINT64_C(1795297421000000000));
}

static bool decode(const uint8_t *uuid, size_t len)
{
	rec = (struct event_record){0};
	return cper_decode(uuid, section, len, &rec);
}

static void expect(enum event_field field, uint64_t value)
{
	const struct opt_u64 number = event_number(&rec, field);

	ck_assert_msg(opt_u64_is(number, value), "%s is %s0x%llx", event_field_name(field),
		      number.present ? "" : "absent, not ", (unsigned long long)number.value);
}

static void absent(enum event_field field)
{
	ck_assert_msg(!event_number(&rec, field).present, "%s", event_field_name(field));
}

START_TEST(a_component_section_is_the_record_of_its_device)
{
	size_t len;

	component(2);
	put(64, 8, 0x10001); /* volatile */
	put(72, 1, 1);
	put(73, 1, 1);
	put(75, 2, 1 << 0 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7);
	put(77, 1, 3);
	put(78, 1, 17);
	put(82, 1, 7);
	put(83, 1, 11);
	put(84, 3, 0x10203);
	put(87, 2, 77);
	put(89, 1, 0x21);
	put(121, 1, 0x6c);
	ck_assert(decode(dram, 144));
	ck_assert_int_eq(rec.type, EVENT_DRAM);
	ck_assert_str_eq(rec.event, "cxl_dram");
	ck_assert_str_eq(rec.host, "0001:0e:03.1");
	ck_assert_str_eq(rec.memdev, "");
	expect(FIELD_SERIAL, UINT64_C(0xabc000000001));
	expect(FIELD_LOG, EVENT_LOG_FAILURE);
	expect(FIELD_DPA, 0x10000);
	expect(FIELD_DPA_FLAGS, 1);
	expect(FIELD_DESCRIPTOR, 1);
	expect(FIELD_CHANNEL, 3);
	expect(FIELD_BANK_GROUP, 7);
	expect(FIELD_BANK, 11);
	expect(FIELD_ROW, 0x10203);
	expect(FIELD_HDR_TIMESTAMP, UINT64_C(1795297421000000000));
	ck_assert_uint_eq(event_bytes(&rec, BYTES_COR_MASK, &len)[0], 0x21);
	ck_assert_uint_eq(len, 32);
	/* The record does not vouch for these. */
	absent(FIELD_RANK);
	absent(FIELD_COLUMN);
	absent(FIELD_NIBBLE_MASK);
	absent(FIELD_SUB_CHANNEL);
	absent(FIELD_HDR_LD_ID);
	ck_assert_ptr_null(event_bytes(&rec, BYTES_COMP_ID, &len));
}
END_TEST

START_TEST(fields_beyond_the_end_are_absent)
{
	component(0);
	put(64, 8, 0x1000);
	put(75, 2, 0xffff);
	ck_assert(decode(media, 32 + 47));
	expect(FIELD_RANK, 0);
	absent(FIELD_DEVICE);
	ck_assert(!decode(media, 32 + 39));
	ck_assert(!decode(media, 31));
	/* without a record, and of another type */
	put(4, 8, 3);
	ck_assert(!decode(media, 144));
	ck_assert(!decode((const uint8_t[16]){1}, 144));
	ck_assert(!cper_is_cxl((const uint8_t[16]){1}));
	ck_assert(cper_is_cxl(module) && cper_is_cxl(protocol));
}
END_TEST

START_TEST(a_module_has_a_temperature_below_zero)
{
	component(1 << 3);
	put(64, 1, 3);
	put(65, 1, 1);
	put(68, 1, 30);
	put(69, 2, (uint16_t)-15);
	put(71, 4, 4);
	ck_assert(decode(module, 144));
	expect(FIELD_EVENT_TYPE, 3);
	expect(FIELD_LIFE_USED, 30);
	expect(FIELD_DEVICE_TEMP, (uint64_t)-15);
	expect(FIELD_DIRTY_SHUTDOWN_CNT, 4);
	ck_assert(event_number(&rec, FIELD_HDR_FLAGS).value & EVENT_FLAG_MAINTENANCE);
}
END_TEST

/* With an error log behind a DVSEC of 8 bytes. */
static void protocol_error(uint8_t agent, uint32_t uncorrectable, uint32_t correctable)
{
	memset(section, 0, sizeof(section));
	put(0, 8, 0x7f);
	put(8, 1, agent);
	put(18, 1, 0x0d);
	put(40, 8, 0xabc0);
	put(108, 2, 8);
	put(110, 2, 88);
	put(124, 4, uncorrectable);
	put(136, 4, correctable);
	put(144, 4, 5);
	put(148, 4, 0xcafe);
}

START_TEST(a_protocol_error_is_the_record_of_the_link)
{
	size_t len;

	protocol_error(2, 0x22, 0);
	ck_assert(decode(protocol, 212));
	ck_assert_int_eq(rec.type, EVENT_AER_UNCORRECTABLE);
	ck_assert_str_eq(rec.event, "cxl_aer_uncorrectable_error");
	ck_assert_str_eq(rec.host, "0000:0d:00.0");
	expect(FIELD_SERIAL, 0xabc0);
	expect(FIELD_STATUS, 0x22);
	expect(FIELD_FIRST_ERROR, 0x20);
	ck_assert_uint_eq(event_bytes(&rec, BYTES_HEADER_LOG, &len)[0], 0xfe);
	ck_assert(!decode(protocol, 211));
	ck_assert(!decode(protocol, 115));
	protocol_error(2, 0, 2);
	ck_assert(decode(protocol, 212));
	ck_assert_int_eq(rec.type, EVENT_AER_CORRECTABLE);
	expect(FIELD_STATUS, 2);
	protocol_error(5, 1, 0);
	ck_assert(decode(protocol, 212));
	ck_assert_int_eq(rec.type, EVENT_PORT_AER_UNCORRECTABLE);
	ck_assert_str_eq(rec.memdev, "0000:0d:00.0");
	absent(FIELD_SERIAL);
}
END_TEST

START_TEST(a_component_is_named_by_pldm_where_the_record_says_so)
{
	static const struct {
		unsigned int validity, flags;
		const char *text;
	} rows[] = {
		{0x18, 3, "PLDM entity type 66 instance 3 container 1, resource 0x12345678"},
		{0x18, 1, "PLDM entity type 66 instance 3 container 1"},
		{0x18, 2, "PLDM resource 0x12345678"},
		{0x18, 0, "00420003000100785634120000000000"},
		{0x08, 3, "03420003000100785634120000000000"}, /* of the vendor */
		{0x10, 3, ""},				       /* not valid */
	};
	char text[COMPONENT_TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		component(0);
		put(64, 8, 0x1000);
		put(75, 2, rows[i].validity);
		put(82, 1, rows[i].flags);
		put(83, 2, 66);
		put(85, 2, 3);
		put(87, 2, 1);
		put(89, 4, 0x12345678);
		ck_assert(decode(media, 160));
		ck_assert_int_eq(component_id_text(&rec, text), rows[i].text[0] != '\0');
		ck_assert_str_eq(text, rows[i].text);
	}
}
END_TEST

START_TEST(a_component_is_found_by_what_people_write)
{
	char parsed[COMPONENT_TEXT_MAX];
	static const char *const names[] = {
		"PLDM entity type 66 instance 3 container 1, resource 0x12345678",
		"pldm entity type 66 instance 3 container 1, resource 0x12345678",
		"03420003000100785634120000000000",
		"03 42 00 03 00 01 00 78 56 34 12 00 00 00 00 00",
		"03:42:00:03:00:01:00:78:56:34:12:00:00:00:00:00",
	};
	static const char *const others[] = {
		"0342000300010078563412000000000",
		"034200030001007856341200000000000",
		"g3420003000100785634120000000000",
		"fbcd0a77-c260-417f-85a9-088b1621eba6",
		"0x110000000",
		"mem2",
		"",
	};

	component(0);
	put(64, 8, 0x1000);
	put(75, 2, 0x18);
	put(82, 1, 3);
	put(83, 2, 66);
	put(85, 2, 3);
	put(87, 2, 1);
	put(89, 4, 0x12345678);
	ck_assert(decode(media, 160));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		ck_assert_msg(component_id_parse(names[i], parsed), "%s", names[i]);
		ck_assert_msg(component_id_is(&rec, parsed), "%s", names[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_msg(!component_id_parse(others[i], parsed), "%s", others[i]);
	ck_assert(component_id_parse("03420003000100785634120000000001", parsed));
	ck_assert(!component_id_is(&rec, parsed));
	put(75, 2, 0); /* not valid: it is no name of the component */
	ck_assert(decode(media, 160));
	ck_assert(component_id_parse(names[2], parsed));
	ck_assert(!component_id_is(&rec, parsed));
}
END_TEST

SUITE(check_cper)
{
	Suite *s = suite_create("cper");
	TCase *t = tcase_create("sections");

	tcase_add_test(t, a_component_section_is_the_record_of_its_device);
	tcase_add_test(t, fields_beyond_the_end_are_absent);
	tcase_add_test(t, a_module_has_a_temperature_below_zero);
	tcase_add_test(t, a_protocol_error_is_the_record_of_the_link);
	tcase_add_test(t, a_component_is_named_by_pldm_where_the_record_says_so);
	tcase_add_test(t, a_component_is_found_by_what_people_write);
	suite_add_tcase(s, t);
	return s;
}
