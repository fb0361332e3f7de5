// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Logs, their entries, and what a client may do with them.
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "redfish/resources/resources.h"
#include "redfish/resources/log/cper_section.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* As its messages name it. */
#define MEM0_NAMED MEM0_ID " (mem0, 0000:0d:00.0)"

static struct log_fixture l;

static void setup(void)
{
	log_init(&l);
}

static void teardown(void)
{
	log_done(&l);
}

static const char *entry_uri(const char *log, uint64_t seq)
{
	static char uri[128];

	(void)snprintf(uri, sizeof(uri), "%s/Entries/%" PRIu64, log, seq);
	return uri;
}

static long long number(const char *path)
{
	ck_assert_msg(json_is_integer(value_at(&l.f, path)), "%s is no number", path);
	return json_integer_value(value_at(&l.f, path));
}

static void expect(const char *path, const char *text)
{
	const char *found = at(&l.f, path);

	ck_assert_msg(found && strcmp(found, text) == 0, "%s is %s", path,
		      found ? found : "absent");
}

static void expect_absent(const char *path)
{
	ck_assert_msg(!value_at(&l.f, path), "%s is there", path);
}

static size_t members(void)
{
	return json_array_size(value_at(&l.f, "Members"));
}

static void has(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->number[field] = value;
	rec->present |= UINT64_C(1) << field;
}

static void lacks(struct event_record *rec, enum event_field field)
{
	rec->present &= ~(UINT64_C(1) << field);
}

/* An event without the header of a device's logs. */
static void make_other(unsigned int i, enum event_type type, const char *name,
		       struct stored_event *ev)
{
	log_event(i, ev);
	ev->record.type = type;
	(void)snprintf(ev->record.event, sizeof(ev->record.event), "%s", name);
	ev->record.present = 0;
	memset(ev->record.bytes, 0, sizeof(ev->record.bytes));
}

START_TEST(entry_has_the_location_of_the_address)
{
	struct stored_event ev;
	uint64_t seq;

	log_ready(&l);
	log_event(5, &ev);
	has(&ev.record, FIELD_DPA, 0x1234567);
	has(&ev.record, FIELD_LOG, 2);
	ev.answer.spa = ev.answer.spa_last = 0x1004567890;
	seq = log_put(&l, &ev);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, seq)), 200);
	expect("@odata.id", entry_uri(HOST_LOG, seq));
	expect("EntryType", "CXL");
	expect("CXLEntryType", "Failure");
	expect("Severity", "Warning");
	expect("Created", "2025-11-13T02:13:20.005000000Z");
	expect("EventTimestamp", "2025-11-13T02:13:20.005000000Z");
	expect("MessageId", "CXLHost.1.0.DRAMEvent");
	expect("MessageArgs/0", MEM0_NAMED);
	expect("MessageArgs/1", "0x1234567");
	expect("MessageArgs/2", "0x1004567890");
	expect("MessageArgs/3", "Failure");
	expect("Resolved", "false");
	expect("SerialNumber", "000000000000abc0");
	expect("DiagnosticDataType", "CPERSection");
	expect("CPER/SectionType", "60606060-6060-6060-6060-606060606060");
	ck_assert_uint_eq(strlen(at(&l.f, "DiagnosticData")), CPER_SECTION_SIZE / 3 * 4);
	expect("Links/OriginOfCondition/@odata.id", MEM0);
	expect("Links/RelatedItem/0/@odata.id", REGION);
	expect("Oem/CXLHost/DevicePhysicalAddress", "0x1234567");
	expect("Oem/CXLHost/SystemPhysicalAddress", "0x1004567890");
	expect("Oem/CXLHost/Exact", "true");
	expect("Oem/CXLHost/TranslationSource", "decoder");
	expect("Oem/CXLHost/PageAddress", "0x1004567000");
	expect("Oem/CXLHost/MemoryChunks/@odata.id", REGION);
	ck_assert_int_eq(number("Oem/CXLHost/NUMANode"), 1);
	ck_assert_int_eq(number("Oem/CXLHost/Location/Channel"),
			 (long long)(made_random(5 + FIELD_CHANNEL) & 0xff));
	expect("Oem/CXLHost/EventRecordUUID", "60606060-6060-6060-6060-606060606060");
	ck_assert_ptr_nonnull(strstr(at(&l.f, "Oem/CXLHost/Fields"), "new_field=0x7"));

	ck_assert_uint_eq(log_get(&l, entry_uri(MEM0_LOG, seq)), 200);
	expect("@odata.id", entry_uri(MEM0_LOG, seq));
}
END_TEST

/* CXL 3.2 tables 8-55 and 8-58, behind the 32 bytes of UEFI 2.10 N.2.14. */
START_TEST(a_page_is_of_the_size_of_the_pages_of_the_host)
{
	struct stored_event ev;

	l.f.model.host.page_size = 65536;
	log_ready(&l);
	log_event(5, &ev);
	ev.answer.spa = ev.answer.spa_last = 0x1004567890;
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Oem/CXLHost/PageAddress", "0x1004560000");
}
END_TEST

START_TEST(a_section_has_the_fields_of_the_record_in_their_places)
{
	uint8_t s[CPER_SECTION_SIZE];
	struct stored_event ev;

	log_event(0x1234, &ev);
	has(&ev.record, FIELD_DPA, 0x1122334455667740);
	has(&ev.record, FIELD_DPA_FLAGS, 3);
	has(&ev.record, FIELD_ROW, 0x030201);
	has(&ev.record, FIELD_CVME_COUNT, 0x060504);
	ck_assert(cper_section(&ev.record, s));
	ck_assert_mem_eq(s, "\x90\0\0\0\6\0\0\0\0\0\0\0", 12);
	ck_assert_mem_eq(s + 24, "\xc0\xab\0\0\0\0\0\0", 8);
	ck_assert_mem_eq(s + 32, "\x80\x40\0\0\x34\x12\0\0", 8);
	ck_assert_uint_eq(s[32 + 16], 1);
	ck_assert_mem_eq(s + 64, "\x43\x77\x66\x55\x44\x33\x22\x11\3\2\4\xff\0", 13);
	ck_assert_mem_eq(s + 64 + 20, "\1\2\3", 3);
	ck_assert_mem_eq(s + 64 + 25, ev.record.payload + 64, 32);
	ck_assert_mem_eq(s + 64 + 75, "\4\5\6", 3);
	ev.record.bytes[BYTES_HDR_UUID].len = 0;
	ck_assert(!cper_section(&ev.record, s));
}
END_TEST

START_TEST(records_without_a_cper_are_shown_as_the_kernel_recorded_them)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(0, EVENT_AER_CORRECTABLE, "cxl_aer_correctable_error", &ev);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("DiagnosticDataType", "OEM");
	expect("OEMDiagnosticDataType", "LinuxTraceRecord");
	ck_assert_uint_eq(strlen(at(&l.f, "DiagnosticData")), MADE_PAYLOAD / 3 * 4);
	expect_absent("CPER");
}
END_TEST

START_TEST(an_interval_is_shown_as_one_with_its_reason)
{
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	ev.answer.exact = false;
	ev.answer.source = SOURCE_ESTIMATE;
	ev.answer.spa = 0x1000000000;
	ev.answer.spa_last = 0x10ffffffff;
	ev.answer.hpa_disagrees = true;
	strcpy(ev.answer.reason, "only firmware knows");
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Oem/CXLHost/SystemPhysicalAddress", "0x1000000000");
	expect("Oem/CXLHost/SystemPhysicalAddressLast", "0x10ffffffff");
	expect("Oem/CXLHost/Exact", "false");
	expect("Oem/CXLHost/Reason", "only firmware knows");
	expect("Oem/CXLHost/TranslationSource", "estimate");
	expect("Oem/CXLHost/KernelAddressDisagrees", "true");
	expect_absent("Oem/CXLHost/PageAddress");
	expect("MessageArgs/2", "0x1000000000-0x10ffffffff");
}
END_TEST

/* Two chunks, in pages that are not next to each other. */
START_TEST(a_long_record_is_shown_with_its_extents_and_pages)
{
	struct event_answer *a;
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	a = &ev.answer;
	a->spa = a->spa_last = 0x1000004f00;
	a->n_extents = 2;
	a->extents[0] = (struct event_extent){0x1000, 0x10ff, 0x1000004f00, 0x1000004fff, true};
	a->extents[1] = (struct event_extent){0x1100, 0x11ff, 0x1000006100, 0x10000061ff, true};
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	ck_assert_ptr_eq(at(&l.f, "Oem/CXLHost/Extents/2"), NULL);
	expect("Oem/CXLHost/Extents/1/DevicePhysicalAddress", "0x1100");
	expect("Oem/CXLHost/Extents/1/DevicePhysicalAddressLast", "0x11ff");
	expect("Oem/CXLHost/Extents/1/SystemPhysicalAddress", "0x1000006100");
	expect("Oem/CXLHost/Extents/1/SystemPhysicalAddressLast", "0x10000061ff");
	expect("Oem/CXLHost/PageRanges/0/First", "0x1000004000");
	expect("Oem/CXLHost/PageRanges/0/Last", "0x1000004fff");
	expect("Oem/CXLHost/PageRanges/1/First", "0x1000006000");
	expect("Oem/CXLHost/PageRanges/1/Last", "0x1000006fff");
	expect_absent("Oem/CXLHost/PageAddress");
	expect_absent("Oem/CXLHost/BytesBeyondExtents");
}
END_TEST

static void expect_range(int i, const char *first, const char *last)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "Oem/CXLHost/PageRanges/%d/First", i);
	expect(path, first);
	(void)snprintf(path, sizeof(path), "Oem/CXLHost/PageRanges/%d/Last", i);
	expect(path, last);
}

/* An extended linear cache: the same line has two addresses, and both pages are in use. */
START_TEST(page_of_the_alias_is_shown_with_that_of_the_address)
{
	struct event_answer *a;
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	has(&ev.record, FIELD_DPA, 0x1000);
	a = &ev.answer;
	a->spa = a->spa_last = 0x1000004f00;
	a->n_extents = 1;
	a->extents[0] = (struct event_extent){.dpa = 0x1000,
					      .dpa_last = 0x103f,
					      .spa = 0x1000004f00,
					      .spa_last = 0x1000004f3f,
					      .exact = true,
					      .alias = 0x800000000};
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Oem/CXLHost/PageAddress", "0x1000004000");
	expect("Oem/CXLHost/Extents/0/SystemPhysicalAddress", "0x1000004f00");
	expect("Oem/CXLHost/Extents/1/SystemPhysicalAddress", "0x800004f00");
	expect("Oem/CXLHost/Extents/1/SystemPhysicalAddressLast", "0x800004f3f");
	expect("Oem/CXLHost/Extents/1/DevicePhysicalAddress", "0x1000");
	expect_range(0, "0x800004000", "0x800004fff");
	expect_range(1, "0x1000004000", "0x1000004fff");
	expect_absent("Oem/CXLHost/PageRanges/2");
}
END_TEST

/* The kernel computes the length modulo 4 GiB: of 0 only the start is known. */
START_TEST(record_of_length_0_has_a_start_and_no_pages)
{
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	ev.record.type = EVENT_POISON;
	has(&ev.record, FIELD_DPA, 0x1000);
	has(&ev.record, FIELD_DPA_LENGTH, 0);
	ev.answer.spa = ev.answer.spa_last = 0x1000004f00;
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Oem/CXLHost/SystemPhysicalAddress", "0x1000004f00");
	expect("Oem/CXLHost/Exact", "true");
	expect_absent("Oem/CXLHost/PageAddress");
	expect_absent("Oem/CXLHost/Extents");
	expect_absent("Oem/CXLHost/PageRanges");
	expect_absent("Oem/CXLHost/BytesBeyondExtents");
}
END_TEST

START_TEST(unknown_values_are_absent)
{
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	for (unsigned int i = 0; i < EVENT_FIELDS; i++)
		if (i != FIELD_DPA)
			lacks(&ev.record, i);
	memset(ev.record.bytes, 0, sizeof(ev.record.bytes));
	ev.record.wall_ns.present = false;
	ev.record.payload_len = ev.record.payload_whole = 0;
	ev.record.other_fields[0] = '\0';
	ev.record.memdev[0] = ev.record.host[0] = '\0';
	ev.answer = (struct event_answer){.reason = "no region maps it"};
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect_absent("Created");
	expect_absent("EventTimestamp");
	expect_absent("CXLEntryType");
	expect_absent("SerialNumber");
	expect_absent("DiagnosticData");
	expect_absent("Links/RelatedItem");
	expect_absent("Oem/CXLHost/SystemPhysicalAddress");
	expect_absent("Oem/CXLHost/PageAddress");
	expect_absent("Oem/CXLHost/NUMANode");
	expect_absent("Oem/CXLHost/Location");
	expect_absent("Oem/CXLHost/EventRecordUUID");
	expect("Oem/CXLHost/Exact", "false");
	expect("MessageArgs/0", MEM0_ID);
	expect("MessageArgs/2", "unknown");
}
END_TEST

START_TEST(a_region_is_linked_only_while_it_is_the_same)
{
	static const uint8_t other_boot[EVENT_BOOT_ID_SIZE] = {9};
	struct stored_event ev;

	log_ready(&l);
	for (unsigned int i = 0; i < 5; i++) {
		log_event(i, &ev);
		if (i == 1)
			memcpy(ev.boot_id, other_boot, sizeof(other_boot));
		else if (i == 2)
			ev.answer.region_resource.value += 0x10000000;
		else if (i == 3)
			ev.answer.has_region_uuid = true;
		else if (i == 4)
			strcpy(ev.answer.region, "region1");
		ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
		ck_assert_msg((value_at(&l.f, "Links/RelatedItem") != NULL) == (i == 0), "case %u",
			      i);
		ck_assert_msg((value_at(&l.f, "Oem/CXLHost/MemoryChunks") != NULL) == (i == 0),
			      "case %u", i);
		ck_assert_ptr_nonnull(at(&l.f, "Oem/CXLHost/RegionKernelName"));
	}
}
END_TEST

START_TEST(a_device_that_is_gone_has_left_its_entries)
{
	struct stored_event ev;
	uint64_t seq;

	log_ready(&l);
	log_event(5, &ev);
	strcpy(ev.device, "cxl-00000000deadbeef");
	seq = log_put(&l, &ev);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, seq)), 200);
	expect("OriginOfConditionUnavailable", "true");
	expect_absent("Links/OriginOfCondition");
	expect("MessageArgs/0", "cxl-00000000deadbeef (mem0, 0000:0d:00.0)");
	ck_assert_uint_eq(log_get(&l, entry_uri(MEM0_LOG, seq)), 404);
}
END_TEST

/* DSP0288 1.2.0, comment 1. */
START_TEST(overflow_is_shown_in_the_entry_before_it)
{
	struct stored_event ev;
	uint64_t before;

	log_ready(&l);
	log_event(0, &ev);
	(void)log_put(&l, &ev);
	log_event(1, &ev);
	before = log_put(&l, &ev);
	log_event(2, &ev);
	strcpy(ev.device, MEM1_ID);
	(void)log_put(&l, &ev);
	make_other(3, EVENT_OVERFLOW, "cxl_overflow", &ev);
	has(&ev.record, FIELD_LOG, 1);
	has(&ev.record, FIELD_COUNT, 7);
	has(&ev.record, FIELD_FIRST_TS, MADE_TIME);
	has(&ev.record, FIELD_LAST_TS, MADE_TIME + 1000000000);
	(void)log_put(&l, &ev);

	ck_assert_uint_eq(log_get(&l, entry_uri(MEM0_LOG, before)), 200);
	ck_assert_int_eq(number("OverflowErrorCount"), 7);
	expect("FirstOverflowTimestamp", "2025-11-13T02:13:20.000000000Z");
	expect("LastOverflowTimestamp", "2025-11-13T02:13:21.000000000Z");
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_uint_eq(members(), 4);
	expect_absent("Members/0/OverflowErrorCount");
	ck_assert_int_eq(number("Members/1/OverflowErrorCount"), 7);
	expect_absent("Members/2/OverflowErrorCount");
	expect_absent("Members/3/OverflowErrorCount");
	expect("Members/3/MessageId", "CXLHost.1.0.LogOverflow");
	expect("Members/3/MessageArgs/2", "7");

	ck_assert_uint_eq(log_get(&l, MEM0_LOG), 200);
	expect("Overflow", "true");
	ck_assert_uint_eq(log_get(&l, HOST_LOG), 200);
	expect("Overflow", "true");
	ck_assert_uint_eq(log_get(&l, SYSTEM "/Memory/" MEM1_ID "/DeviceLog"), 200);
	expect("Overflow", "false");
}
END_TEST

START_TEST(query_above_its_budget_names_what_to_narrow)
{
	struct service_limits limits = *fixture_limits();

	log_done(&l);
	limits.query_steps = 1;
	log_init_with(&l, &limits);
	l.options.max_records = 20000;
	log_ready(&l);
	for (unsigned int i = 0; i < 10; i++)
		log_put_many(&l, i * 1000, 1000);
	ck_assert_uint_eq(
		log_query(&l, HOST_LOG "/Entries",
			  "$filter=Created ge '2001-01-01T00:00:00Z' and Severity eq 'Warning'"),
		400);
	expect("error/code", "Base.1.22.QueryParameterOutOfRange");
	expect("error/@Message.ExtendedInfo/0/MessageArgs/1", "$filter");
	ck_assert_ptr_nonnull(strstr(at(&l.f, "error/message"), "narrower limits of Created"));
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$skip=9000"), 400);
	ck_assert_ptr_nonnull(strstr(at(&l.f, "error/message"), "Members@odata.nextLink"));
	/* A request that searches nothing is not limited. */
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 10000);
}
END_TEST

START_TEST(entries_are_selected_by_the_time_that_they_show)
{
	struct stored_event ev;

	log_ready(&l);
	log_event(5, &ev);
	ev.record.wall_ns.present = false;
	has(&ev.record, FIELD_HDR_TIMESTAMP, UINT64_C(1700000000000000000));
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Created", "2023-11-14T22:13:20.000000000Z");
	ck_assert_uint_eq(
		log_query(&l, HOST_LOG "/Entries", "$filter=Created eq '2023-11-14T22:13:20Z'"),
		200);
	ck_assert_int_eq(number("Members@odata.count"), 1);
	ck_assert_uint_eq(
		log_query(&l, HOST_LOG "/Entries", "$filter=Created gt '2023-11-14T22:13:20Z'"),
		200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
}
END_TEST

START_TEST(remembered_count_is_not_that_of_other_entries)
{
	static const char query[] = "$filter=Created ge '2001-01-01T00:00:00Z'";

	log_ready(&l);
	log_put_many(&l, 0, 10);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", query), 200);
		ck_assert_int_eq(number("Members@odata.count"), 10);
	}
	ck_assert_uint_eq(log_query(&l, MEM0_LOG "/Entries", query), 200);
	log_put_many(&l, 10, 1);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", query), 200);
	ck_assert_int_eq(number("Members@odata.count"), 11);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, HOST_LOG "/Actions/LogService.ClearLog", "{}"),
			  204);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", query), 200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
}
END_TEST

START_TEST(every_type_of_event_has_its_message)
{
	static const struct {
		enum event_type type;
		const char *name, *id, *first_arg;
	} cases[] = {
		{EVENT_GENERAL_MEDIA, "cxl_general_media", "GeneralMediaEvent", MEM0_NAMED},
		{EVENT_DRAM, "cxl_dram", "DRAMEvent", MEM0_NAMED},
		{EVENT_MEMORY_MODULE, "cxl_memory_module", "MemoryModuleEvent", MEM0_NAMED},
		{EVENT_MEMORY_SPARING, "cxl_memory_sparing", "MemorySparingEvent", MEM0_NAMED},
		{EVENT_GENERIC, "cxl_generic_event", "UnknownRecord", MEM0_NAMED},
		{EVENT_POISON, "cxl_poison", "PoisonEvent", MEM0_NAMED},
		{EVENT_POISON_CLEARED, "cxl_poison", "PoisonCleared", MEM0_NAMED},
		{EVENT_OVERFLOW, "cxl_overflow", "LogOverflow", MEM0_NAMED},
		{EVENT_AER_CORRECTABLE, "cxl_aer_correctable_error", "CorrectableError",
		 MEM0_NAMED},
		{EVENT_AER_UNCORRECTABLE, "cxl_aer_uncorrectable_error", "UncorrectableError",
		 MEM0_NAMED},
		{EVENT_PORT_AER_CORRECTABLE, "cxl_port_aer_correctable_error",
		 "PortCorrectableError", "mem0"},
		{EVENT_PORT_AER_UNCORRECTABLE, "cxl_port_aer_uncorrectable_error",
		 "PortUncorrectableError", "mem0"},
		{EVENT_OTHER, "cxl_new_thing", "OtherEvent", "cxl_new_thing"},
		{EVENT_LOST, "lost", "RecordsLost", "the trace ring of CPU 3"},
		{EVENT_LOST_AT_END, "lost_at_end", "RecordsLostAtEnd", "unknown"},
		{EVENT_UNREADABLE, "unreadable", "EntriesUnreadable", "unknown"},
	};
	char id[64], filter[96];
	struct stored_event ev;

	ck_assert_uint_eq(ARRAY_SIZE(cases), EVENT_TYPES);
	log_ready(&l);
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		make_other(i, cases[i].type, cases[i].name, &ev);
		ev.record.cpu = 3;
		if (event_type_is_loss(cases[i].type))
			ev.device[0] = '\0';
		ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
		(void)snprintf(id, sizeof(id), "CXLHost.1.0.%s", cases[i].id);
		expect("MessageId", id);
		expect("MessageArgs/0", cases[i].first_arg);
		expect("Oem/CXLHost/EventName", cases[i].name);
		(void)snprintf(filter, sizeof(filter), "$filter=MessageId eq '%s'", id);
		ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", filter), 200);
		ck_assert_int_eq(number("Members@odata.count"), 1);
	}
}
END_TEST

START_TEST(pages_follow_each_other_by_the_number_of_the_last_entry)
{
	char query[64];
	const char *next;
	size_t seen = 0;

	log_ready(&l);
	log_put_many(&l, 0, 250);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_uint_eq(members(), 100);
	ck_assert_int_eq(number("Members@odata.count"), 250);
	for (;;) {
		seen += members();
		ck_assert_int_eq(number("Members@odata.count"), 250 + (seen > 100));
		next = at(&l.f, "Members@odata.nextLink");
		if (!next)
			break;
		ck_assert_ptr_nonnull(strstr(next, HOST_LOG "/Entries?$skiptoken="));
		(void)snprintf(query, sizeof(query), "%s", strchr(next, '?') + 1);
		/* An entry that arrives meanwhile is seen at the end, and moves nothing. */
		if (seen == 100)
			log_put_many(&l, 300, 1);
		ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", query), 200);
	}
	ck_assert_uint_eq(seen, 251);
}
END_TEST

START_TEST(top_and_skip_choose_a_part)
{
	uint64_t first;
	struct stored_event ev;
	char id[32];

	log_ready(&l);
	log_event(0, &ev);
	first = log_put(&l, &ev);
	log_put_many(&l, 1, 19);
	ck_assert_uint_eq(log_query(&l, MEM0_LOG "/Entries", "$top=3&$skip=5"), 200);
	ck_assert_uint_eq(members(), 3);
	(void)snprintf(id, sizeof(id), "%" PRIu64, first + 5);
	expect("Members/0/Id", id);
	ck_assert_int_eq(number("Members@odata.count"), 20);
	ck_assert_ptr_nonnull(strstr(at(&l.f, "Members@odata.nextLink"), "&$top=3"));
	ck_assert_uint_eq(log_query(&l, MEM0_LOG "/Entries", "$top=20"), 200);
	expect_absent("Members@odata.nextLink");
	ck_assert_uint_eq(log_query(&l, MEM0_LOG "/Entries", "$top=0"), 200);
	ck_assert_uint_eq(members(), 0);
	expect_absent("Members@odata.nextLink");
	ck_assert_uint_eq(log_query(&l, MEM0_LOG "/Entries", "$skip=2000"), 200);
	ck_assert_uint_eq(members(), 0);
	ck_assert_int_eq(number("Members@odata.count"), 20);
}
END_TEST

START_TEST(a_filter_goes_with_its_pages)
{
	struct stored_event ev;
	const char *next;

	log_ready(&l);
	for (unsigned int i = 0; i < 10; i++) {
		log_event(i, &ev);
		ev.severity = i % 2 ? EVENT_CRITICAL : EVENT_WARNING;
		ev.answer.spa = ev.answer.spa_last = 0x1000 * i;
		(void)log_put(&l, &ev);
	}
	ck_assert_uint_eq(
		log_query(&l, HOST_LOG "/Entries", "$top=2&$filter=Severity eq 'Critical'"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 5);
	expect("Members/1/Severity", "Critical");
	next = at(&l.f, "Members@odata.nextLink");
	ck_assert_ptr_nonnull(strstr(next, "&$filter=Severity%20eq%20'Critical'"));
	ck_assert_uint_eq(
		log_query(
			&l, HOST_LOG "/Entries",
			"$filter=Oem/CXLHost/SystemPhysicalAddress ge '0x2000' and Oem/CXLHost/SystemPhysicalAddress lt '0x05000'"),
		200);
	ck_assert_int_eq(number("Members@odata.count"), 3);
	expect("Members/0/Oem/CXLHost/SystemPhysicalAddress", "0x2000");
}
END_TEST

START_TEST(unknown_options_are_refused)
{
	static const struct {
		const char *query;
		unsigned int status;
		const char *message;
	} cases[] = {
		{"$top=x", 400, "QueryParameterValueTypeError"},
		{"$top=-1", 400, "QueryParameterValueTypeError"},
		{"$top=0x10", 400, "QueryParameterValueTypeError"},
		{"$top", 400, "QueryParameterValueTypeError"},
		{"$skip=99999999999999999999", 400, "QueryParameterOutOfRange"},
		{"$skip=9223372036854775808", 400, "QueryParameterOutOfRange"},
		{"$top=1&$top=2", 400, "QueryCombinationInvalid"},
		{"$filter=", 400, "QueryParameterValueFormatError"},
		{"$filter=Severity", 400, "QueryParameterValueFormatError"},
		{"$filter=Message eq 'x'", 501, "QueryParameterUnsupported"},
		{"$orderby=Id", 501, "QueryParameterUnsupported"},
		{"$select=", 400, "QueryParameterValueFormatError"},
		{"$expand=Members", 400, "QueryParameterValueFormatError"},
	};

	log_ready(&l);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(log_query(&l, HOST_LOG "/Entries", cases[i].query) == cases[i].status,
			      "%s", cases[i].query);
		ck_assert_str_eq(message(&l.f), cases[i].message);
	}
	/* Only collections have pages. */
	ck_assert_uint_eq(log_query(&l, HOST_LOG, "$top=1"), 400);
	ck_assert_uint_eq(log_query(&l, SYSTEM, "$top=1"), 400);
}
END_TEST

START_TEST(missing_entries_are_404)
{
	static const char *const ids[] = {
		"0", "99", "abc", "-1", "1x", "18446744073709551616", "%31", "Members"};
	char uri[128];

	log_ready(&l);
	log_put_many(&l, 0, 1);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		(void)snprintf(uri, sizeof(uri), HOST_LOG "/Entries/%s", ids[i]);
		ck_assert_msg(log_get(&l, uri) == 404, "%s", ids[i]);
		ck_assert_str_eq(message(&l.f), "ResourceMissingAtURI");
	}
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries/1/2"), 404);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries/1/Actions/LogService.ClearLog"), 404);
}
END_TEST

START_TEST(an_entry_is_resolved_by_patch)
{
	char *etag;
	struct stored_event ev;
	const char *uri;

	log_ready(&l);
	log_event(0, &ev);
	uri = entry_uri(MEM0_LOG, log_put(&l, &ev));
	ck_assert_uint_eq(log_get(&l, uri), 200);
	etag = strdup(at(&l.f, "@odata.etag"));
	ck_assert_uint_eq(log_send(&l, METHOD_PATCH, uri, "{\"Resolved\": true}"), 200);
	expect("Resolved", "true");
	ck_assert_str_ne(at(&l.f, "@odata.etag"), etag);
	ck_assert_uint_eq(log_ask(&l, &(struct http_request){.method = METHOD_PATCH,
							     .path = uri,
							     .headers[HEADER_IF_MATCH] = etag,
							     .body = "{\"Resolved\": false}",
							     .body_len = 19}),
			  412);
	ck_assert_str_eq(message(&l.f), "PreconditionFailed");
	ck_assert_uint_eq(log_get(&l, uri), 200);
	expect("Resolved", "true");
	ck_assert_uint_eq(log_ask(&l, &(struct http_request){.method = METHOD_PATCH,
							     .path = uri,
							     .headers[HEADER_IF_MATCH] = "*",
							     .body = "{\"Resolved\": false}",
							     .body_len = 19}),
			  200);
	expect("Resolved", "false");
	free(etag);
}
END_TEST

START_TEST(bodies_are_read_strictly)
{
	static const struct {
		const char *body, *message;
	} cases[] = {
		{"", "MalformedJSON"},
		{"[]", "UnrecognizedRequestBody"},
		{"{}", "EmptyJSON"},
		{"{\"@odata.id\": \"x\"}", "NoOperation"},
		{"{\"Resolved\": 1}", "PropertyValueTypeError"},
		{"{\"Resolved\": null}", "PropertyValueTypeError"},
		{"{\"Resolved\": true, \"Resolved\": false}", "MalformedJSON"},
		{"{\"Resolved\": true, \"Severity\": \"OK\"}", "PropertyNotWritable"},
		{"{\"Bogus\": true}", "PropertyUnknown"},
	};
	struct stored_event ev;
	const char *uri;

	log_ready(&l);
	log_event(0, &ev);
	uri = entry_uri(HOST_LOG, log_put(&l, &ev));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(log_send(&l, METHOD_PATCH, uri, cases[i].body) == 400, "%s",
			      cases[i].body);
		ck_assert_str_eq(message(&l.f), cases[i].message);
	}
	ck_assert_uint_eq(log_get(&l, uri), 200);
	expect("Resolved", "false");
	ck_assert_uint_eq(log_send(&l, METHOD_PATCH, HOST_LOG "/Entries/77", "{\"Resolved\":true}"),
			  404);
}
END_TEST

START_TEST(methods_that_are_not_for_it_are_named_with_those_that_are)
{
	log_ready(&l);
	log_put_many(&l, 0, 1);
	ck_assert_uint_eq(log_send(&l, METHOD_DELETE, HOST_LOG "/Entries/1", NULL), 405);
	ck_assert_str_eq(l.f.res.body->allow, "GET, HEAD, PATCH");
	ck_assert_uint_eq(log_send(&l, METHOD_POST, HOST_LOG "/Entries", "{}"), 405);
	ck_assert_str_eq(l.f.res.body->allow, "GET, HEAD");
	ck_assert_uint_eq(log_send(&l, METHOD_PATCH, SYSTEM, "{}"), 405);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Actions/LogService.ClearLog"), 405);
	ck_assert_str_eq(l.f.res.body->allow, "POST");
}
END_TEST

START_TEST(a_devices_log_is_cleared_alone)
{
	struct stored_event ev;

	log_ready(&l);
	log_put_many(&l, 0, 5);
	log_event(10, &ev);
	strcpy(ev.device, MEM1_ID);
	(void)log_put(&l, &ev);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0_LOG "/Actions/LogService.ClearLog",
				   "{\"LogEntriesETag\": 5, \"Bogus\": 1}"),
			  400);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0_LOG "/Actions/LogService.ClearLog", ""),
			  204);
	ck_assert_uint_eq(log_get(&l, MEM0_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 1);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, HOST_LOG "/Actions/LogService.ClearLog", "{}"),
			  204);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
}
END_TEST

/* A body with the entity tag of the entries that were just asked for. */
static void clear_body(char *ret, size_t size)
{
	char *etag = json_dumps(value_at(&l.f, "@odata.etag"), JSON_ENCODE_ANY);

	ck_assert_ptr_nonnull(etag);
	(void)snprintf(ret, size, "{\"LogEntriesETag\": %s}", etag);
	free(etag);
}

START_TEST(a_log_is_cleared_only_as_the_client_saw_it)
{
	static const char clear[] = HOST_LOG "/Actions/LogService.ClearLog";
	char body[128];

	log_ready(&l);
	log_put_many(&l, 0, 3);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	clear_body(body, sizeof(body));
	log_put_many(&l, 3, 1);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, clear, body), 428);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 4);
	clear_body(body, sizeof(body));
	ck_assert_uint_eq(log_send(&l, METHOD_POST, clear, body), 204);
}
END_TEST

START_TEST(the_log_shows_its_overwrite_policy)
{
	l.options.policy = STORE_NEVER_OVERWRITES;
	log_ready(&l);
	ck_assert_uint_eq(log_get(&l, HOST_LOG), 200);
	expect("ServiceEnabled", "true");
	expect("LogEntryType", "Multiple");
	expect("OverWritePolicy", "NeverOverWrites");
	ck_assert_int_eq(number("MaxNumberOfRecords"), 1000);
	expect("Persistency", "true");
	expect("Overflow", "false");
	expect("Status/State", "Enabled");
	expect("Entries/@odata.id", HOST_LOG "/Entries");
	expect("Actions/#LogService.ClearLog/target", HOST_LOG "/Actions/LogService.ClearLog");
	ck_assert_int_eq(number("Oem/CXLHost/DroppedEvents"), 0);
	ck_assert_uint_eq(log_get(&l, MEM0_LOG), 200);
	expect("OverWritePolicy", "NeverOverWrites");
	expect("Entries/@odata.id", MEM0_LOG "/Entries");
}
END_TEST

START_TEST(a_devices_log_describes_the_entries_that_are_served)
{
	static const struct mailbox said = {
		.event_records = OPT_U64(240),
		.log_persistent = OPT_BOOL(false),
	};

	l.f.readings.mailboxes[0] = &said;
	log_ready(&l);
	ck_assert_uint_eq(log_get(&l, MEM0_LOG), 200);
	expect("LogEntryType", "Multiple");
	expect("OverWritePolicy", "WrapsWhenFull");
	expect("Persistency", "true");
	ck_assert_int_eq(number("MaxNumberOfRecords"), 1000);
	expect("Oem/CXLHost/Device/OverWritePolicy", "NeverOverWrites");
	expect("Oem/CXLHost/Device/Persistency", "false");
	ck_assert_int_eq(number("Oem/CXLHost/Device/MaxNumberOfRecords"), 240);
}
END_TEST

START_TEST(an_entry_is_of_type_cxl_only_when_it_is_of_a_log_of_the_device)
{
	static const struct {
		enum event_type type;
		const char *entry_type, *cxl_type;
	} cases[] = {
		{EVENT_GENERIC, "CXL", "Fatal"},
		{EVENT_OVERFLOW, "CXL", "Fatal"},
		{EVENT_POISON, "Event", NULL},
		{EVENT_POISON_CLEARED, "Event", NULL},
		{EVENT_AER_CORRECTABLE, "Event", NULL},
		{EVENT_PORT_AER_UNCORRECTABLE, "Event", NULL},
		{EVENT_LOST, "Event", NULL},
		{EVENT_OTHER, "Oem", NULL},
	};
	struct stored_event ev;
	json_t *entry;
	size_t i;

	log_ready(&l);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make_other((unsigned int)i, cases[i].type, "cxl_event", &ev);
		if (cases[i].cxl_type || cases[i].type == EVENT_OTHER)
			has(&ev.record, FIELD_LOG, 3);
		ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
		expect("EntryType", cases[i].entry_type);
		if (cases[i].cxl_type)
			expect("CXLEntryType", cases[i].cxl_type);
		else
			expect_absent("CXLEntryType");
		ck_assert((value_at(&l.f, "OemRecordFormat") != NULL) ==
			  (cases[i].type == EVENT_OTHER));
	}
	/* A filter finds those that have the property. */
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$filter=CXLEntryType eq 'Fatal'"),
			  200);
	ck_assert_uint_eq(members(), 2);
	json_array_foreach(value_at(&l.f, "Members"), i, entry)
		ck_assert_str_eq(json_string_value(json_object_get(entry, "EntryType")), "CXL");
}
END_TEST

START_TEST(states_in_the_header_of_a_record_are_shown_with_advice)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(0, EVENT_GENERIC, "cxl_generic_event", &ev);
	has(&ev.record, FIELD_LOG, 0);
	has(&ev.record, FIELD_HDR_FLAGS, 2 | EVENT_FLAG_MAINTENANCE | EVENT_FLAG_REPLACE);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("CXLEntryType", "Informational");
	expect("Oem/CXLHost/RecordSeverity", "Failure");
	expect("Oem/CXLHost/RecordFlags/0", "MaintenanceNeeded");
	expect("Oem/CXLHost/RecordFlags/1", "HardwareReplacementNeeded");
	expect_absent("Oem/CXLHost/RecordFlags/2");
	expect("Resolution",
	       "Perform the maintenance that the device's vendor describes.  Move data away from the device, and replace it.");

	log_event(5, &ev);
	has(&ev.record, FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_UNCORRECTABLE);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("Oem/CXLHost/Uncorrectable", "true");
}
END_TEST

START_TEST(fields_have_byte_arrays_without_a_property)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(0, EVENT_AER_UNCORRECTABLE, "cxl_aer_uncorrectable_error", &ev);
	memset(ev.record.bytes, 0, sizeof(ev.record.bytes));
	ev.record.payload_len = ev.record.payload_whole = 8;
	memcpy(ev.record.payload, "\x03\0\0\x80\x04\0\xff\0", 8);
	ev.record.bytes[BYTES_HEADER_LOG].len = 8;
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	ck_assert_ptr_nonnull(
		strstr(at(&l.f, "Oem/CXLHost/Fields"), "header_log=030000800400ff00"));
	ck_assert_ptr_null(strstr(at(&l.f, "Oem/CXLHost/Fields"), "cor_mask"));
}
END_TEST

START_TEST(poison_is_worded_by_what_happened)
{
	static const struct {
		enum event_type type;
		uint64_t trace_type;
		const char *message;
	} cases[] = {
		{EVENT_POISON, POISON_TRACE_LIST,
		 MEM0_NAMED
		 " has poison at device address 0x1040, system address 0x1000001040: read from the device's poison list."},
		{EVENT_POISON, POISON_TRACE_INJECT,
		 MEM0_NAMED
		 " has poison at device address 0x1040, system address 0x1000001040: injected on request."},
		{EVENT_POISON_CLEARED, POISON_TRACE_CLEAR,
		 "Poison of " MEM0_NAMED
		 " at device address 0x1040, system address 0x1000001040, was cleared on request."},
	};
	struct stored_event ev;

	log_ready(&l);
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		make_other(i, cases[i].type, "cxl_poison", &ev);
		has(&ev.record, FIELD_DPA, 0x1040);
		has(&ev.record, FIELD_TRACE_TYPE, cases[i].trace_type);
		ev.answer.spa = ev.answer.spa_last = 0x1000001040;
		ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
		expect("Message", cases[i].message);
	}
	/* Clearing has resolved both. */
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	expect("Members/0/Resolved", "true");
	expect("Members/1/Resolved", "true");
}
END_TEST

START_TEST(lost_records_are_counted_by_place)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(3, EVENT_LOST, "lost", &ev);
	ev.device[0] = '\0';
	ev.record.cpu = 3;
	ev.record.lost = OPT_U64(17);
	(void)log_put(&l, &ev);
	ck_assert_uint_eq(log_get(&l, HOST_LOG), 200);
	expect("Overflow", "true");
	expect("Oem/CXLHost/LostRecords/0/Place", "cpu3");
	ck_assert_int_eq(number("Oem/CXLHost/LostRecords/0/Gaps"), 1);
	ck_assert_int_eq(number("Oem/CXLHost/LostRecords/0/Records"), 17);
}
END_TEST

START_TEST(without_a_store_the_logs_are_disabled_and_empty)
{
	fixture_ready(&l.f);
	ck_assert_uint_eq(log_get(&l, HOST_LOG), 200);
	expect("ServiceEnabled", "false");
	expect("Status/State", "Disabled");
	ck_assert_uint_eq(log_get(&l, MEM0_LOG "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries/1"), 404);
	ck_assert_uint_eq(log_send(&l, METHOD_PATCH, HOST_LOG "/Entries/1", "{\"Resolved\":true}"),
			  404);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, HOST_LOG "/Actions/LogService.ClearLog", "{}"),
			  503);
}
END_TEST

START_TEST(writes_and_long_reads_are_jobs_and_short_reads_are_not)
{
	log_ready(&l);
	log_put_many(&l, 0, 1);
	ck_assert_uint_eq(log_send(&l, METHOD_PATCH, HOST_LOG "/Entries/1", "{\"Resolved\":true}"),
			  200);
	ck_assert(l.f.in_job);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$skip=1001"), 200);
	ck_assert(l.f.in_job);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$filter=Severity eq 'OK'"), 200);
	ck_assert(l.f.in_job);
	ck_assert_uint_eq(log_get(&l, HOST_LOG "/Entries"), 200);
	ck_assert(!l.f.in_job);
}
END_TEST

/* ---- health ------------------------------------------------------------------------------------
 */

static int write_counts(struct store *s, void *userdata)
{
	bool more;
	int r = s ? store_expire(s, 0, &more, NULL) : -EIO;

	atomic_store((atomic_bool *)userdata, true);
	return r;
}

/* As the daemon does when entries came or were resolved. */
static void renew(void)
{
	struct view_inputs in = service_view(l.f.service)->inputs; /* its references */
	struct open_incidents *incidents;
	struct event_health *health;
	static atomic_bool written;
	struct store_reader *r;
	struct view *v;

	atomic_store(&written, false);
	ck_assert_int_eq(store_writer_do(l.writer, write_counts, &written), 0);
	for (unsigned int i = 0; !atomic_load(&written); i++) {
		ck_assert_uint_lt(i, 2 * WAIT_MAX_MS);
		(void)usleep(500);
	}
	ck_assert_int_eq(event_log_reader_get(l.log, &r, NULL), 0);
	ck_assert_int_eq(event_health_read(r, &health, NULL), 0);
	ck_assert_int_eq(open_incidents_read(r, &incidents, NULL), 0);
	event_log_reader_put(l.log, r, 0);
	in.readings = NULL;
	in.event_health = health;
	in.incidents = incidents;
	ck_assert_int_eq(view_new(&redfish_resources, &in, &v, NULL), 0);
	ck_assert(open_incidents_equal(v->inputs.incidents, incidents));
	(void)event_health_unref(health);
	(void)open_incidents_unref(incidents);
	ck_assert_int_eq(service_set_view(l.f.service, v), 0);
}

/* A general media event of a 2 MiB block. */
static uint64_t put_in_block(unsigned int i, uint64_t block, enum event_severity severity)
{
	struct stored_event ev;

	log_event(i, &ev);
	ev.record.type = EVENT_GENERAL_MEDIA;
	ev.record.present &= ~(UINT64_C(1) << FIELD_TRANSACTION_TYPE);
	for (unsigned int f = FIELD_CHANNEL; f <= FIELD_COLUMN; f++)
		ev.record.present &= ~(UINT64_C(1) << f);
	ev.record.number[FIELD_TYPE] = 0;
	ev.record.number[FIELD_LOG] = EVENT_LOG_WARNING;
	ev.record.number[FIELD_DESCRIPTOR] = severity == EVENT_CRITICAL;
	ev.record.number[FIELD_DPA] = block << 21;
	ev.severity = severity;
	return log_put(&l, &ev);
}

static void put_resolved(uint64_t seq)
{
	ck_assert_uint_eq(
		log_send(&l, METHOD_PATCH, entry_uri(HOST_LOG, seq), "{\"Resolved\":true}"), 200);
}

START_TEST(open_incidents_make_their_device_unhealthy)
{
	uint64_t warnings[10], critical;
	struct stored_event ev;

	log_ready(&l);
	for (unsigned int i = 0; i < 10; i++)
		warnings[i] = put_in_block(i, 5, EVENT_WARNING);
	critical = put_in_block(10, 1, EVENT_CRITICAL);
	log_event(11, &ev);
	ev.severity = EVENT_OK;
	(void)log_put(&l, &ev);
	renew();

	ck_assert_uint_eq(log_get(&l, MEM0), 200);
	expect("Status/Health", "Critical");
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Status/Conditions")), 2);
	expect("Status/Conditions/0/MessageId", "CXLHost.1.0.OpenIncident");
	expect("Status/Conditions/0/MessageArgs/0", "1 uncorrectable media error");
	expect("Status/Conditions/0/MessageArgs/2", "2025-11-13 02:13 UTC");
	expect("Status/Conditions/0/MessageArgs/4", "open");
	expect("Status/Conditions/0/Severity", "Critical");
	expect("Status/Conditions/0/Timestamp", "2025-11-13T02:13:20.010000000Z");
	expect("Status/Conditions/0/LogEntry/@odata.id",
	       entry_uri(SYSTEM "/LogServices/Incidents", critical));
	/* Ten entries of one cause. */
	expect("Status/Conditions/1/Severity", "Warning");
	expect("Status/Conditions/1/MessageArgs/0", "10 corrected media errors");
	expect("Status/Conditions/1/Timestamp", "2025-11-13T02:13:20.000000000Z");
	expect("Status/Conditions/1/LogEntry/@odata.id",
	       entry_uri(SYSTEM "/LogServices/Incidents", warnings[0]));
	ck_assert_uint_eq(log_get(&l, ROOT "/Chassis/" MEM0_ID), 200);
	expect("Status/HealthRollup", "Critical");
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect("Status/HealthRollup", "Critical");
	expect("Status/Conditions/0/OriginOfCondition/@odata.id", MEM0);
	ck_assert_uint_eq(log_get(&l, SYSTEM "/Memory/" MEM1_ID), 200);
	expect_absent("Status/Health");

	put_resolved(critical);
	renew();
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect("Status/HealthRollup", "Warning");
	for (unsigned int i = 0; i < 10; i++)
		put_resolved(warnings[i]);
	renew();
	ck_assert_uint_eq(log_get(&l, MEM0), 200);
	expect_absent("Status/Health");
	expect_absent("Status/Conditions");
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect_absent("Status/Conditions");
}
END_TEST

START_TEST(incidents_of_a_device_that_is_gone_are_the_systems)
{
	struct stored_event ev;

	log_ready(&l);
	log_event(0, &ev);
	strcpy(ev.device, "cxl-00000000deadbeef");
	(void)log_put(&l, &ev);
	renew();
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect("Status/HealthRollup", "Warning");
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Status/Conditions")), 1);
	expect("Status/Conditions/0/MessageId", "CXLHost.1.0.OpenIncident");
	ck_assert_ptr_nonnull(
		strstr(json_string_value(value_at(&l.f, "Status/Conditions/0/MessageArgs/0")),
		       " of cxl-00000000deadbeef, which is not there now"));
	expect_absent("Status/Conditions/0/OriginOfCondition");
	ck_assert_uint_eq(log_get(&l, MEM0), 200);
	expect_absent("Status/Health");
}
END_TEST

/* The queue is not of a CPU. */
START_TEST(loss_in_the_queue_names_the_queue)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(0, EVENT_LOST, "queue", &ev);
	ev.device[0] = '\0';
	ev.record.lost = OPT_U64(7);
	ck_assert_uint_eq(log_get(&l, entry_uri(HOST_LOG, log_put(&l, &ev))), 200);
	expect("MessageArgs/0", "the queue of the service");
	expect("Message",
	       "Records were lost in the queue of the service before they could be stored.  Number of lost records: 7.");
	expect_absent("Oem/CXLHost/CPU");
}
END_TEST

START_TEST(entries_of_no_device_are_the_hosts)
{
	struct stored_event ev;

	log_ready(&l);
	make_other(0, EVENT_LOST, "lost", &ev);
	ev.device[0] = '\0';
	(void)log_put(&l, &ev);
	renew();
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect("Status/HealthRollup", "Warning");
	expect("Status/Conditions/0/MessageArgs/1", "RecordsLost");
	expect_absent("Status/Conditions/0/OriginOfCondition");
}
END_TEST

START_TEST(of_many_unhealthy_devices_the_host_lists_some_and_counts_the_others)
{
	struct port *bridge = model_bridge(&l.f.model);
	struct stored_event ev;

	while (l.f.model.host.n_memdevs < 70)
		(void)model_memdev(&l.f.model, bridge);
	log_ready(&l);
	for (unsigned int i = 0; i < 70; i++) {
		log_event(i, &ev);
		ev.severity = i == 69 ? EVENT_CRITICAL : EVENT_WARNING;
		(void)snprintf(ev.device, sizeof(ev.device), "cxl-%016x", 0xabc0 + i);
		ck_assert_int_eq(store_writer_add(l.writer, &ev), 0);
	}
	log_wait_stored(&l, 70);
	renew();
	ck_assert_uint_eq(log_get(&l, SYSTEM), 200);
	expect("Status/HealthRollup", "Critical");
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Status/Conditions")), 33);
	expect("Status/Conditions/31/MessageId", "Base.1.22.ConditionInRelatedResource");
	expect("Status/Conditions/32/MessageId", "CXLHost.1.0.MoreDevices");
	expect("Status/Conditions/32/MessageArgs/0", "38");
	expect("Status/Conditions/32/Severity", "Critical");
}
END_TEST

SUITE(check_redfish_log)
{
	Suite *s = suite_create("redfish log");
	TCase *t = tcase_create("entries");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, entry_has_the_location_of_the_address);
	tcase_add_test(t, a_page_is_of_the_size_of_the_pages_of_the_host);
	tcase_add_test(t, a_section_has_the_fields_of_the_record_in_their_places);
	tcase_add_test(t, records_without_a_cper_are_shown_as_the_kernel_recorded_them);
	tcase_add_test(t, an_interval_is_shown_as_one_with_its_reason);
	tcase_add_test(t, a_long_record_is_shown_with_its_extents_and_pages);
	tcase_add_test(t, page_of_the_alias_is_shown_with_that_of_the_address);
	tcase_add_test(t, record_of_length_0_has_a_start_and_no_pages);
	tcase_add_test(t, unknown_values_are_absent);
	tcase_add_test(t, a_region_is_linked_only_while_it_is_the_same);
	tcase_add_test(t, a_device_that_is_gone_has_left_its_entries);
	tcase_add_test(t, overflow_is_shown_in_the_entry_before_it);
	tcase_add_test(t, query_above_its_budget_names_what_to_narrow);
	tcase_add_test(t, entries_are_selected_by_the_time_that_they_show);
	tcase_add_test(t, remembered_count_is_not_that_of_other_entries);
	tcase_add_test(t, every_type_of_event_has_its_message);
	tcase_add_test(t, pages_follow_each_other_by_the_number_of_the_last_entry);
	tcase_add_test(t, top_and_skip_choose_a_part);
	tcase_add_test(t, a_filter_goes_with_its_pages);
	tcase_add_test(t, unknown_options_are_refused);
	tcase_add_test(t, missing_entries_are_404);
	tcase_add_test(t, an_entry_is_resolved_by_patch);
	tcase_add_test(t, bodies_are_read_strictly);
	tcase_add_test(t, methods_that_are_not_for_it_are_named_with_those_that_are);
	tcase_add_test(t, a_devices_log_is_cleared_alone);
	tcase_add_test(t, a_log_is_cleared_only_as_the_client_saw_it);
	tcase_add_test(t, the_log_shows_its_overwrite_policy);
	tcase_add_test(t, a_devices_log_describes_the_entries_that_are_served);
	tcase_add_test(t, an_entry_is_of_type_cxl_only_when_it_is_of_a_log_of_the_device);
	tcase_add_test(t, states_in_the_header_of_a_record_are_shown_with_advice);
	tcase_add_test(t, fields_have_byte_arrays_without_a_property);
	tcase_add_test(t, poison_is_worded_by_what_happened);
	tcase_add_test(t, lost_records_are_counted_by_place);
	tcase_add_test(t, without_a_store_the_logs_are_disabled_and_empty);
	tcase_add_test(t, writes_and_long_reads_are_jobs_and_short_reads_are_not);
	tcase_add_test(t, open_incidents_make_their_device_unhealthy);
	tcase_add_test(t, incidents_of_a_device_that_is_gone_are_the_systems);
	tcase_add_test(t, entries_of_no_device_are_the_hosts);
	tcase_add_test(t, loss_in_the_queue_names_the_queue);
	tcase_add_test(t, of_many_unhealthy_devices_the_host_lists_some_and_counts_the_others);
	suite_add_tcase(s, t);
	return s;
}
