// SPDX-License-Identifier: LGPL-2.1-or-later
/* The fields of records in texts that no address depends on, and events without address. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/trace_details.h"
#include "events/trace_text.h"
#include "tests/lib/suites.h"

static struct trace_text text;
static struct event_record *rec = &text.record;
static struct error error;

static void read_record(const char *line)
{
	ck_assert_msg(trace_text_parse(&(struct trace_line){.text = line}, &text, &error) == 1,
		      "%s: %s", line, error.text);
}

static void expect(enum event_field field, uint64_t value)
{
	const struct opt_u64 number = event_number(rec, field);

	ck_assert_msg(opt_u64_is(number, value), "%s is %s0x%llx", event_field_name(field),
		      number.present ? "" : "absent, not ", (unsigned long long)number.value);
}

static void absent(enum event_field field)
{
	ck_assert_msg(!event_number(rec, field).present, "%s", event_field_name(field));
}

static void expect_byte(enum event_bytes which, size_t at, uint8_t value)
{
	size_t len;
	const uint8_t *bytes = event_bytes(rec, which, &len);

	ck_assert_msg(bytes && at < len, "%s", event_bytes_name(which));
	ck_assert_uint_eq(bytes[at], value);
}

#define MASK                                                                                       \
	"21 00 00 00 00 00 00 00 2c 00 00 00 00 00 00 00 37 00 00 00 00 00 00 00 42 00 00 00 00 "  \
	"00 00 00"
#define COMPONENT "6c 61 62 2d 63 6f 6d 70 6f 6e 65 6e 74 2d 30 00"

/* The same record of each program; its column is not valid. */
static void expect_dram(void)
{
	ck_assert_int_eq(rec->type, EVENT_DRAM);
	expect(FIELD_TYPE, 1);
	expect(FIELD_TRANSACTION_TYPE, 1);
	expect(FIELD_CHANNEL, 3);
	expect(FIELD_RANK, 17);
	expect(FIELD_NIBBLE_MASK, 0x3b00b2);
	expect(FIELD_BANK_GROUP, 7);
	expect(FIELD_BANK, 11);
	expect(FIELD_ROW, 2);
	expect_byte(BYTES_COR_MASK, 8, 0x2c);
	expect_byte(BYTES_COMP_ID, 0, 0x6c);
	absent(FIELD_COLUMN);
}

START_TEST(every_program_says_where_in_the_device)
{
	read_record(
		"x-1 [0] 1.5: cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Failure : time=17 uuid=601dcbb3-9c06-4eab-b8af-4e9bfb5c9624 len=128 flags='MAINTENANCE_NEEDED | LOGICAL_DEV_ID_VALID' handle=1f related_handle=0 maint_op_class=0 maint_op_sub_class=0 : dpa=10000 dpa_flags='VOLATILE' descriptor='UNCORRECTABLE_EVENT' type='Scrub Media ECC Error' sub_type='Not Reported' transaction_type='Host Read' channel=3 rank=17 nibble_mask=3b00b2 bank_group=7 bank=11 row=2 column=0 cor_mask=" MASK
		" validity_flags='CHANNEL|RANK|NIBBLE|BANK GROUP|BANK|ROW|CORRECTION MASK|COMPONENT|COMPONENT PLDM FORMAT' comp_id=" COMPONENT
		" comp_id_pldm_valid_flags='' pldm_entity_id=0x00 pldm_resource_id=0x00 hpa=110040000 region=region0 region_uuid=00112233-4455-6677-8899-aabbccddeeff sub_channel=0 cme_threshold_ev_flags='' cvme_count=5");
	expect_dram();
	expect(FIELD_HDR_HANDLE, 0x1f);
	expect(FIELD_HDR_TIMESTAMP, 17);
	expect(FIELD_CVME_COUNT, 5);
	expect(FIELD_DPA_FLAGS, 1);
	expect_byte(BYTES_REGION_UUID, 1, 0x11);
	absent(FIELD_HDR_MAINT_OP_SUB_CLASS);

	read_record(
		"<...>-77 [001] .... 12.5 cxl_dram ERROR 2026-11-21 21:43:41 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Failure hdr_uuid:601dcbb3-9c06-4eab-b8af-4e9bfb5c9624 hdr_handle:0x1f hdr_related_handle:0x0 hdr_timestamp:2026-11-21 21:43:41 +0000 hdr_length:128 hdr_maint_op_class:0 dpa:0x10000 dpa_flags:'VOLATILE' descriptor:'UNCORRECTABLE EVENT' memory_event_type:Scrub Media ECC Error memory_event_sub_type:Not Reported transaction_type:Host Read hpa:0x110040000 hpa_alias0:0xffffffffffffffff region:region0 region_uuid:00000000-0000-0000-0000-000000000000 channel:3 rank:17 nibble_mask:3866802 bank_group:7 bank:11 row:2 correction_mask:" MASK
		" comp_id:" COMPONENT " ");
	expect_dram();
	expect(FIELD_HDR_HANDLE, 0x1f);
	absent(FIELD_HDR_TIMESTAMP);

	read_record(
		"1 2026-11-21 21:43:16 +0000 error: memdev=mem2, host=0000:0d:00.0, serial=0xabc0, log=Failure, hdr_uuid=00000000-0000-0000-0000-000000000000, hdr_flags=0x1, , hdr_handle=0x1f, hdr_related_handle=0x0, hdr_timestamp=2026-11-21 21:43:16 +0000, hdr_length=128, hdr_maint_op_class=0, hdr_maint_op_sub_class=0, dpa=0x10000, dpa_flags: , descriptor_flags: 'UNCORRECTABLE EVENT' , memory event type: Scrub Media ECC Error, memory event sub type: Not Reported, transaction_type: Host Read, channel=3, sub_channel=0, rank=17, nibble_mask=3866802, bank_group=7, bank=11, row=2, column=0, correction_mask:" MASK
		" hpa=0x110040000, region=region0, region_uuid=00000000-0000-0000-0000-000000000000, component_id:" COMPONENT
		" cme_threshold_ev_flags: , cvme_count=0, ");
	expect_dram();
	ck_assert_str_eq(rec->event, "cxl_dram");

	read_record(
		"{\"event\":\"cxl_dram\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\",\"serial\":43968,\"dpa\":65536,\"type\":1,\"transaction_type\":1,\"channel\":3,\"rank\":17,\"nibble_mask\":3866802,\"bank_group\":7,\"bank\":11,\"row\":2,\"column\":9,\"validity_flags\":447,\"cor_mask\":[33,0,0,0,0,0,0,0,44,0,0,0,0,0,0,0,55,0,0,0,0,0,0,0,66,0,0,0,0,0,0,0],\"comp_id\":[108,97,98,45,99,111,109,112,111,110,101,110,116,45,48,0],\"hpa\":4563664896,\"region_name\":\"region0\"}");
	expect_dram();
	read_record(
		"{\"event\":\"cxl_dram\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\",\"serial\":\"0xabc0\",\"dpa\":\"0x10000\",\"fields\":{\"type\":\"0x1\",\"transaction_type\":\"0x1\",\"channel\":\"0x3\",\"rank\":\"0x11\",\"nibble_mask\":\"0x3b00b2\",\"bank_group\":\"0x7\",\"bank\":\"0xb\",\"row\":\"0x2\",\"validity_flags\":\"0x1bf\",\"cor_mask\":\"2100000000000000"
		"2c00000000000000"
		"3700000000000000"
		"4200000000000000\",\"comp_id\":\"6c61622d636f6d706f6e656e742d3000\"}}");
	expect_dram();
}
END_TEST

START_TEST(a_field_without_its_flag_is_absent)
{
	read_record(
		"cxl_general_media: memdev=mem2 host=0000:0d:00.0 serial=1 log=Fatal : dpa=1000 dpa_flags='' channel=3 rank=17 device=1f validity_flags='DEVICE' comp_id=" COMPONENT
		" hpa=1000 region= cme_count=0");
	expect(FIELD_DEVICE, 0x1f);
	absent(FIELD_CHANNEL);
	absent(FIELD_RANK);
	/* A flag that is not known: nothing is vouched for. */
	read_record(
		"cxl_general_media: memdev=mem2 serial=1 log=Fatal : dpa=1000 dpa_flags='' channel=3 rank=17 validity_flags='CHANNEL|NEW' hpa=1000 region= cme_count=0");
	absent(FIELD_CHANNEL);
	/* ras-mc-ctl prints zeros for what was not valid. */
	read_record(
		"1 2026-11-21 21:43:16 +0000 error: memdev=mem3, host=0000:0e:00.0, serial=0xabc1, log=Warning, dpa=0x2040, dpa_flags: , transaction_type: Host Read, channel=0, rank=5, device=0x0, hpa=0x110008240, ");
	ck_assert_int_eq(rec->type, EVENT_GENERAL_MEDIA);
	absent(FIELD_CHANNEL);
	absent(FIELD_DEVICE);
	expect(FIELD_RANK, 5);
}
END_TEST

START_TEST(poison_that_was_cleared_is_another_event)
{
	read_record(
		"cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=1 trace_type=Clear region=region0 region_uuid=00000000-0000-0000-0000-000000000000 hpa=0x1000 hpa_alias0=0xffffffffffffffff dpa=0x800 dpa_length=0x40 source=Unknown flags= overflow_time=0");
	ck_assert_int_eq(rec->type, EVENT_POISON_CLEARED);
	read_record(
		"cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=1 trace_type=List region=region0 hpa=0x1000 dpa=0x800 dpa_length=0x40 source=Internal flags=More|Overflow overflow_time=7");
	ck_assert_int_eq(rec->type, EVENT_POISON);
	expect(FIELD_SOURCE, 2);
	expect(FIELD_FLAGS, 3);
	absent(FIELD_HDR_FLAGS);
}
END_TEST

static void read_event(const char *line, enum event_type type)
{
	ck_assert_msg(trace_event_read(line, rec), "%s", line);
	ck_assert_int_eq(rec->type, type);
	ck_assert_str_eq(rec->event, event_of_type(type));
}

START_TEST(events_without_address_are_read)
{
	read_event(
		"x-1 [0] 1.5: cxl_aer_uncorrectable_error: memdev=mem2 host=0000:0d:00.0 serial=43968: status: 'Cache Address Parity Error | Receiver Overflow' first_error: 'Receiver Overflow'",
		EVENT_AER_UNCORRECTABLE);
	ck_assert_str_eq(rec->memdev, "mem2");
	ck_assert_str_eq(rec->host, "0000:0d:00.0");
	expect(FIELD_SERIAL, 0xabc0);
	expect(FIELD_STATUS, 1 << 1 | 1 << 11);
	expect(FIELD_FIRST_ERROR, 1 << 11);
	read_event(
		"cxl_aer_correctable_error: memdev=mem2 host=0000:0d:00.0 serial=-1: status: 'Retry Threshold'",
		EVENT_AER_CORRECTABLE);
	expect(FIELD_SERIAL, UINT64_MAX);
	expect(FIELD_STATUS, 8);
	read_event(
		"cxl_port_aer_correctable_error: device=0000:0c:00.0 host=pci0000:0c status='CRC Threshold Hit'",
		EVENT_PORT_AER_CORRECTABLE);
	ck_assert_str_eq(rec->memdev, "0000:0c:00.0");
	absent(FIELD_DEVICE);
	expect(FIELD_STATUS, 4);
	/* names that are under review */
	read_event(
		"cxl_port_aer_correctable_error: name=0000:0c:00.0 parent=pci0000:0c status='CRC Threshold Hit'",
		EVENT_PORT_AER_CORRECTABLE);
	read_event(
		"rasdaemon[7]: cxl_aer_uncorrectable_error CRIT 2026-11-21 21:43:22 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 error status:'Cache Address Parity Error' 'Receiver Overflow' first error:'Receiver Overflow' header log:",
		EVENT_AER_UNCORRECTABLE);
	expect(FIELD_STATUS, 1 << 1 | 1 << 11);
	read_event(
		"1 2026-11-21 21:43:22 +0000 error: memdev=mem2, host=0000:0d:00.0, serial=0xabc0, error_status: 'Cache Address Parity Error' , first_error: 'Cache Address Parity Error' , header_log:",
		EVENT_AER_UNCORRECTABLE);
	expect(FIELD_FIRST_ERROR, 2);
	read_event(
		"2 2026-11-21 21:43:21 +0000 error: memdev=mem3, host=0000:0e:00.0, serial=0xabc1, error_status: 'Received Error From Physical Layer' , ",
		EVENT_AER_CORRECTABLE);
	expect(FIELD_STATUS, 1 << 6);
	read_event(
		"cxl_overflow: memdev=mem2 host=0000:0d:00.0 serial=43968: log=Warning : 17 records from 5 to 9",
		EVENT_OVERFLOW);
	expect(FIELD_COUNT, 17);
	expect(FIELD_FIRST_TS, 5);
	expect(FIELD_LAST_TS, 9);
}
END_TEST

START_TEST(a_module_says_how_it_is)
{
	static const char *const lines[] = {
		"cxl_memory_module: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Informational : time=17 uuid=fe927475-dd59-4339-a586-79bab113b774 len=128 flags='PERMANENT_CONDITION' handle=2 related_handle=0 maint_op_class=0 maint_op_sub_class=0 : event_type='Temperature Change' event_sub_type='Not Reported' health_status='MAINTENANCE_NEEDED|PERFORMANCE_DEGRADED' media_status='All Data Loss in Event of Power Loss' as_life_used=Normal as_dev_temp=Normal as_cor_vol_err_cnt=Normal as_cor_per_err_cnt=Normal life_used=30 device_temp=-15 dirty_shutdown_cnt=4 cor_vol_err_cnt=3233 cor_per_err_cnt=1300",
		"cxl_memory_module ERROR 2026-11-21 21:43:41 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Informational hdr_handle:0x2 event_type:Temperature Change event_sub_type:Not Reported health_status:'MAINTENANCE_NEEDED' 'PERFORMANCE_DEGRADED' media_status:All Data Loss in Event of Power Loss as_life_used:Normal life_used:30 device_temp:4294967281 dirty_shutdown_cnt:4 cor_vol_err_cnt:3233 cor_per_err_cnt:1300 ",
		"1 2026-11-21 21:43:16 +0000 error: memdev=mem2, host=0000:0d:00.0, serial=0xabc0, log=Informational, hdr_handle=0x2, event_type: Temperature Change, event_sub_type: Not Reported, health_status: 'MAINTENANCE_NEEDED' , 'PERFORMANCE_DEGRADED' , media_status: All Data Loss in Event of Power Loss, life_used=30, dirty_shutdown_cnt=4, cor_vol_err_cnt=3233, cor_per_err_cnt=1300, device_temp=18446744073709551601, add_status=33 pldm_entity_id:00 00 ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		read_event(lines[i], EVENT_MEMORY_MODULE);
		expect(FIELD_EVENT_TYPE, 3);
		expect(FIELD_HEALTH_STATUS, 3);
		expect(FIELD_MEDIA_STATUS, 7);
		expect(FIELD_LIFE_USED, 30);
		expect(FIELD_DEVICE_TEMP, (uint64_t)-15);
		expect(FIELD_COR_PER_ERR_CNT, 1300);
		expect(FIELD_HDR_HANDLE, 2);
	}
}
END_TEST

START_TEST(other_lines_are_no_events)
{
	static const char *const lines[] = {
		"",
		"cxl_",
		"cxl_dram: memdev=mem2 dpa=1000",
		"cxl_overflow: memdev=mem2",
		"cxl_overflow: host=a memdev=m/2",
		"xcxl_overflow: memdev=mem2 host=a",
		"memdev=mem2, host=0000:0d:00.0, serial=0xabc0, ",
		"cxl_aer_correctable_error: memdev= host=",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(!trace_event_read(lines[i], rec), "%s", lines[i]);
}
END_TEST

SUITE(check_trace_details)
{
	Suite *s = suite_create("trace-details");
	TCase *t = tcase_create("lines");

	tcase_add_test(t, every_program_says_where_in_the_device);
	tcase_add_test(t, a_field_without_its_flag_is_absent);
	tcase_add_test(t, poison_that_was_cleared_is_another_event);
	tcase_add_test(t, events_without_address_are_read);
	tcase_add_test(t, a_module_says_how_it_is);
	tcase_add_test(t, other_lines_are_no_events);
	suite_add_tcase(s, t);
	return s;
}
