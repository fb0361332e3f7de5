// SPDX-License-Identifier: LGPL-2.1-or-later
/* The device, severity and SPA of an event, on hosts built in memory. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/event_fill.h"
#include "prm/firmware.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/model_usual.h"

static struct event_mapping *mapping;
static struct event_record rec;
static struct stored_event ev;
static struct event_question question;
static const uint8_t boot[EVENT_BOOT_ID_SIZE] = {1, 2, 3};

static void setup(void)
{
	fake_setup();
	model_setup();
	mapping = NULL;
}

static void teardown(void)
{
	struct firmware *f = m.firmware;

	mapping = event_mapping_unref(mapping);
	model_teardown();
	(void)firmware_free(f);
	fake_teardown();
}

static void number(enum event_field field, uint64_t value)
{
	rec.present |= UINT64_C(1) << field;
	rec.number[field] = value;
}

/* A record of that device and address, as the kernel would write it on this host. */
static void record(enum event_type type, const struct memdev *memdev, uint64_t dpa)
{
	rec = (struct event_record){.type = type, .cpu = 3, .time_ns = 77};
	strcpy(rec.event, "cxl_test");
	strcpy(rec.memdev, memdev->name);
	strcpy(rec.host, memdev->bdf);
	number(FIELD_SERIAL, memdev->serial.value);
	number(FIELD_LOG, 2);
	if (event_type_has_address(type))
		number(FIELD_DPA, dpa);
	if (region && event_type_has_address(type))
		strcpy(rec.region, region->name);
}

static void ready(const char *kernel)
{
	struct error e;

	m.host.kernel_release = kernel;
	model_ready(&m);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, &e), 0);
}

static const struct event_answer *fill(void)
{
	event_fill(mapping, boot, &rec, 123456789, &ev, &question);
	return &ev.answer;
}

static void expect(enum answer_source source, uint64_t spa, uint64_t spa_last)
{
	const struct event_answer *a = fill();

	ck_assert_msg(a->source == source && a->has_spa, "%s: %s", answer_source_name(a->source),
		      a->reason);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_uint_eq(a->spa_last, spa_last);
	ck_assert_int_eq(a->exact, spa == spa_last);
}

static void expect_unknown(const char *reason)
{
	const struct event_answer *a = fill();

	ck_assert(!a->has_spa && !a->exact && a->source == SOURCE_NONE);
	ck_assert_msg(strstr(a->reason, reason), "%s", a->reason);
}

static void expect_why(const char *reason)
{
	ck_assert_msg(strstr(ev.answer.reason, reason), "%s", ev.answer.reason);
}

/* ---- ordinary decoders ---- */

START_TEST(without_hpa_the_decoders_answer)
{
	build_usual();
	(void)model_dax(&m, region, 5);
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	ck_assert_str_eq(ev.answer.region, region->name);
	ck_assert(opt_u64_is(ev.answer.region_resource, BASE));
	ck_assert(!ev.answer.has_region_uuid);
	ck_assert(ev.answer.numa_node.present && ev.answer.numa_node.value == 5);
	ck_assert_str_eq(ev.answer.dax, "dax0.0");
	ck_assert(!ev.answer.hpa_disagrees && !ev.pending);
	ck_assert_str_eq(ev.answer.reason, "");
}
END_TEST

START_TEST(the_rest_of_the_event_is_filled_in)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	ev.resolved = true;
	ev.seq = 99;
	(void)fill();
	ck_assert_str_eq(ev.device, "cxl-000000000000abc1");
	ck_assert_mem_eq(ev.boot_id, boot, sizeof(boot));
	ck_assert_uint_eq(ev.stored_ns, 123456789);
	ck_assert_uint_eq(ev.seq, 0);
	ck_assert(!ev.resolved && !ev.pending);
	ck_assert_uint_eq(ev.record.time_ns, 77);
	ck_assert_int_eq(ev.severity, EVENT_CRITICAL);
}
END_TEST

START_TEST(an_hpa_that_the_decoders_confirm_is_the_kernels)
{
	build_usual();
	ready("6.12.95");
	record(EVENT_POISON, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x4140);
	expect(SOURCE_KERNEL, BASE + 0x4140, BASE + 0x4140);
	ck_assert(!ev.answer.hpa_disagrees);
	ck_assert_str_eq(ev.answer.region, region->name);
}
END_TEST

START_TEST(an_hpa_that_contradicts_the_decoders_gives_an_interval_of_both)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x8140);
	expect(SOURCE_ESTIMATE, BASE + 0x4140, BASE + 0x8140);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("0x1000008140");
	number(FIELD_HPA, BASE + 0x140);
	expect(SOURCE_ESTIMATE, BASE + 0x140, BASE + 0x4140);
}
END_TEST

/* Linux before 7.0 and a 3-way window whose region is not at a multiple of 768 MiB. */
START_TEST(the_decoders_are_used_where_the_kernel_is_known_to_be_wrong)
{
	build(3, 3, BASE + MIB_256);
	model_cedt(&m, 0, NULL, 0);
	ready("6.12.95+deb13-amd64");
	record(EVENT_DRAM, mem[1], 0x1040);
	(void)fill();
	ck_assert_int_eq(ev.answer.source, SOURCE_DECODER);
	number(FIELD_HPA, ev.answer.spa + 0x100);
	expect(SOURCE_DECODER, ev.answer.spa, ev.answer.spa);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("the kernel's hpa");
}
END_TEST

START_TEST(a_newer_kernel_is_not_known_to_be_wrong)
{
	build(3, 3, BASE + MIB_256);
	model_cedt(&m, 0, NULL, 0);
	ready("7.0.0");
	record(EVENT_DRAM, mem[1], 0x1040);
	(void)fill();
	number(FIELD_HPA, ev.answer.spa + 0x100);
	(void)fill();
	ck_assert(!ev.answer.exact && ev.answer.hpa_disagrees);
}
END_TEST

/* Without a CEDT it is not known whether the window uses XOR. */
START_TEST(an_unconfirmed_hpa_is_accepted_by_kernel_version)
{
	static const struct {
		const char *kernel;
		bool accepted;
	} cases[] = {
		{"7.3.4", true}, {"6.12.95", true}, {"6.11-rc1", true}, {"6.10.14", false},
		{"5.19", false}, {NULL, false},	    {"unknown", false},
	};

	build(2, 4, BASE);
	ready(cases[_i].kernel);
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 0x4040);
	if (cases[_i].accepted) {
		expect(SOURCE_KERNEL, BASE + 0x4040, BASE + 0x4040);
		expect_why("which no other source confirms");
	} else {
		expect(SOURCE_ESTIMATE, BASE + 0x4000, BASE + 0x43ff);
		expect_why("not confirmed");
	}
}
END_TEST

START_TEST(an_hpa_outside_the_interval_is_not_accepted)
{
	build(2, 4, BASE);
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 0x10000);
	expect(SOURCE_ESTIMATE, BASE + 0x4000, BASE + 0x10000);
	ck_assert(ev.answer.hpa_disagrees);
}
END_TEST

/* ---- a mapping other than that of the event ---- */

START_TEST(a_region_that_was_removed_leaves_the_hpa)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.region, "region7");
	expect_unknown("the record names region7");
	ck_assert_str_eq(ev.answer.region, "region7");
	ck_assert(!ev.answer.region_resource.present);
	number(FIELD_HPA, 0x123440);
	expect(SOURCE_KERNEL, 0x123440, 0x123440);
	ck_assert(!ev.answer.hpa_disagrees && !ev.answer.numa_node.present);
	ck_assert_str_eq(ev.answer.dax, "");
}
END_TEST

START_TEST(the_hpa_of_an_old_kernel_is_not_accepted_for_a_removed_region)
{
	build_usual();
	ready("6.12.95");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.region, "region7");
	number(FIELD_HPA, 0x123440);
	expect_unknown("cannot be confirmed");
}
END_TEST

START_TEST(a_region_created_again_with_its_name_is_recognized_by_its_uuid)
{
	static const uint8_t uuid[EVENT_UUID_SIZE] = {0x11, 0x22, 0x33};

	build_usual();
	region->uuid = "11223300-0000-0000-0000-000000000000";
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	memcpy(rec.payload, uuid, sizeof(uuid));
	rec.bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	ck_assert(ev.answer.has_region_uuid);
	ck_assert_mem_eq(ev.answer.region_uuid, uuid, sizeof(uuid));
	rec.payload[0]++;
	expect_unknown("another");
}
END_TEST

START_TEST(a_device_that_was_removed_keeps_its_name)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_SERIAL, 0x1234);
	strcpy(rec.memdev, "mem9");
	expect_unknown("mem9 is no longer a device");
	ck_assert_str_eq(ev.device, "cxl-0000000000001234");
	number(FIELD_SERIAL, 0);
	(void)fill();
	ck_assert_str_eq(ev.device, "0000-01-00.0");
	rec.host[0] = '\0';
	(void)fill();
	ck_assert_str_eq(ev.device, "mem9");
}
END_TEST

START_TEST(a_name_that_another_device_has_now_does_not_match)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.memdev, mem[0]->name);
	/* It is the same device, but its driver was bound again. */
	expect_unknown("no longer a device of this host");
	ck_assert_str_eq(ev.device, "cxl-000000000000abc1");
	strcpy(rec.host, mem[0]->bdf);
	expect_unknown("no longer a device of this host");
}
END_TEST

START_TEST(a_record_without_region_is_answered_by_the_current_mapping)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.region[0] = '\0';
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	expect_why("names no region");
}
END_TEST

START_TEST(an_address_that_nothing_maps_has_no_answer)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], MIB_256);
	rec.region[0] = '\0';
	expect_unknown("beyond the capacity");
}
END_TEST

/* ---- events without address ---- */

START_TEST(an_event_without_address_has_no_answer_and_needs_no_reason)
{
	static const enum event_type types[] = {EVENT_MEMORY_MODULE, EVENT_OVERFLOW,
						EVENT_AER_CORRECTABLE, EVENT_GENERIC};

	build_usual();
	ready("7.3.4");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		record(types[i], mem[2], 0);
		expect_unknown("");
		ck_assert_str_eq(ev.answer.reason, "");
		ck_assert_str_eq(ev.answer.region, "");
		ck_assert_str_eq(ev.device, "cxl-000000000000abc2");
	}
}
END_TEST

START_TEST(a_port_is_named_by_its_function_and_a_loss_has_no_device)
{
	build_usual();
	ready("7.3.4");
	rec = (struct event_record){.type = EVENT_PORT_AER_UNCORRECTABLE};
	strcpy(rec.memdev, "0000:0c:00.0");
	strcpy(rec.host, "pci0000:0c");
	(void)fill();
	ck_assert_str_eq(ev.device, "0000-0c-00.0");
	ck_assert_ptr_null(question.memdev);
	rec = (struct event_record){.type = EVENT_LOST};
	(void)fill();
	ck_assert_str_eq(ev.device, "");
}
END_TEST

/* ---- firmware ---- */

/* Two devices in the 2-way Normalized region0, as fake_plain() has them. */
static void build_normalized(void)
{
	bridges[0] = model_bridge(&m);
	window = model_window(&m, bridges, 1);
	mem[0] = model_memdev(&m, bridges[0]);
	mem[1] = model_memdev(&m, bridges[0]);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	ck_assert_int_eq(firmware_new(fake.path, &m.firmware), 0);
	ready("7.3.4");
}

static bool query_firmware(struct event_answer *ret)
{
	struct firmware_timeout timeout = {.call_ms = 60000, .bucket_ms = 60000};
	const struct event_question *questions[] = {&question};

	event_ask_ahead(mapping, questions, 1, &timeout);
	return event_answer(mapping, &question, &timeout, ret);
}

START_TEST(normalized_is_pending_until_firmware_has_answered)
{
	struct event_answer answer;

	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_ESTIMATE, BASE + 0x2000, BASE + 0x21ff);
	ck_assert(ev.pending);
	ck_assert(!query_firmware(&answer));
	ck_assert_int_eq(answer.source, SOURCE_PRM);
	ck_assert(answer.exact);
	ck_assert_uint_eq(answer.spa, BASE + 0x2140);
	/* Firmware has answered. */
	expect(SOURCE_PRM, BASE + 0x2140, BASE + 0x2140);
	ck_assert(!ev.pending);
}
END_TEST

START_TEST(without_firmware_the_answer_is_the_interval)
{
	struct event_answer answer;

	fake.translate_errno = 5;
	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	(void)fill();
	ck_assert(ev.pending);
	(void)query_firmware(&answer);
	ck_assert_int_eq(answer.source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(answer.spa, BASE + 0x2000);
	ck_assert_uint_eq(answer.spa_last, BASE + 0x21ff);
}
END_TEST

/* Linux 7.x gives no hpa here; that of another version is as reliable as its arithmetic. */
START_TEST(an_hpa_of_normalized_addressing_waits_for_firmware)
{
	struct event_answer answer;

	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x2140);
	expect(SOURCE_ESTIMATE, BASE + 0x2000, BASE + 0x21ff);
	expect_why("not confirmed by firmware");
	ck_assert(ev.pending);
	(void)query_firmware(&answer);
	ck_assert_int_eq(answer.source, SOURCE_KERNEL);
	ck_assert_uint_eq(answer.spa, BASE + 0x2140);

	number(FIELD_HPA, BASE + 0x2040);
	expect(SOURCE_PRM, BASE + 0x2140, BASE + 0x2140);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("contradicts firmware");
}
END_TEST

/* ---- severity ---- */

static const struct {
	enum event_type type;
	enum event_severity severity;
	enum event_field field;
	uint64_t value;
	uint64_t log;
} severe[] = {
	{EVENT_GENERAL_MEDIA, EVENT_OK, FIELD_LOG, 0, 0},
	{EVENT_GENERAL_MEDIA, EVENT_WARNING, FIELD_LOG, 1, 1},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_LOG, 2, 2},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_LOG, 3, 3},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_DESCRIPTOR, 1, 0},
	{EVENT_DRAM, EVENT_CRITICAL, FIELD_DESCRIPTOR, 3, 0},
	{EVENT_GENERAL_MEDIA, EVENT_OK, FIELD_DESCRIPTOR, 2, 0},
	{EVENT_MEMORY_SPARING, EVENT_OK, FIELD_DESCRIPTOR, 1, 0},
	{EVENT_GENERIC, EVENT_OK, FIELD_HDR_FLAGS, 0x1c0, 0},
	{EVENT_GENERIC, EVENT_WARNING, FIELD_HDR_FLAGS, 1, 0},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 2, 0},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 3, 1},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 0, 3},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_PERMANENT, 0},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE, 0},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_DEGRADED, 0},
	{EVENT_DRAM, EVENT_CRITICAL, FIELD_HDR_FLAGS, EVENT_FLAG_REPLACE, 0},
	{EVENT_GENERAL_MEDIA, EVENT_WARNING, FIELD_LOG, 4, 4},
	{EVENT_DRAM, EVENT_OK, FIELD_DESCRIPTOR, 4, 0},
	{EVENT_MEMORY_SPARING, EVENT_OK, FIELD_LOG, 0, 0},
	{EVENT_GENERIC, EVENT_WARNING, FIELD_LOG, 1, 1},
	{EVENT_MEMORY_MODULE, EVENT_OK, FIELD_HEALTH_STATUS, 0, 0},
	{EVENT_POISON, EVENT_CRITICAL, FIELD_TRACE_TYPE, 0, 0},
	{EVENT_POISON, EVENT_CRITICAL, FIELD_TRACE_TYPE, 1, 0},
	{EVENT_POISON_CLEARED, EVENT_OK, FIELD_TRACE_TYPE, 2, 0},
	{EVENT_OVERFLOW, EVENT_WARNING, FIELD_COUNT, 9, 0},
	{EVENT_AER_CORRECTABLE, EVENT_WARNING, FIELD_STATUS, 1, 0},
	{EVENT_AER_UNCORRECTABLE, EVENT_CRITICAL, FIELD_STATUS, 1, 0},
	{EVENT_PORT_AER_CORRECTABLE, EVENT_WARNING, FIELD_STATUS, 1, 0},
	{EVENT_PORT_AER_UNCORRECTABLE, EVENT_CRITICAL, FIELD_STATUS, 1, 0},
};

START_TEST(severity_is_that_of_log_and_type)
{
	rec = (struct event_record){.type = severe[_i].type};
	number(FIELD_LOG, severe[_i].log);
	number(severe[_i].field, severe[_i].value);
	ck_assert_int_eq(event_severity_of(&rec), severe[_i].severity);
}
END_TEST

START_TEST(a_record_without_log_is_a_warning)
{
	rec = (struct event_record){.type = EVENT_OTHER};
	ck_assert_int_eq(event_severity_of(&rec), EVENT_WARNING);
	rec.type = EVENT_LOST;
	ck_assert_int_eq(event_severity_of(&rec), EVENT_WARNING);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("filling in events");
	TCase *t = tcase_create("fill");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, without_hpa_the_decoders_answer);
	tcase_add_test(t, the_rest_of_the_event_is_filled_in);
	tcase_add_test(t, an_hpa_that_the_decoders_confirm_is_the_kernels);
	tcase_add_test(t, an_hpa_that_contradicts_the_decoders_gives_an_interval_of_both);
	tcase_add_test(t, the_decoders_are_used_where_the_kernel_is_known_to_be_wrong);
	tcase_add_test(t, a_newer_kernel_is_not_known_to_be_wrong);
	tcase_add_loop_test(t, an_unconfirmed_hpa_is_accepted_by_kernel_version, 0, 7);
	tcase_add_test(t, an_hpa_outside_the_interval_is_not_accepted);
	tcase_add_test(t, a_region_that_was_removed_leaves_the_hpa);
	tcase_add_test(t, the_hpa_of_an_old_kernel_is_not_accepted_for_a_removed_region);
	tcase_add_test(t, a_region_created_again_with_its_name_is_recognized_by_its_uuid);
	tcase_add_test(t, a_device_that_was_removed_keeps_its_name);
	tcase_add_test(t, a_name_that_another_device_has_now_does_not_match);
	tcase_add_test(t, a_record_without_region_is_answered_by_the_current_mapping);
	tcase_add_test(t, an_address_that_nothing_maps_has_no_answer);
	tcase_add_test(t, an_event_without_address_has_no_answer_and_needs_no_reason);
	tcase_add_test(t, a_port_is_named_by_its_function_and_a_loss_has_no_device);
	tcase_add_test(t, normalized_is_pending_until_firmware_has_answered);
	tcase_add_test(t, without_firmware_the_answer_is_the_interval);
	tcase_add_test(t, an_hpa_of_normalized_addressing_waits_for_firmware);
	tcase_add_loop_test(t, severity_is_that_of_log_and_type, 0, ARRAY_SIZE(severe));
	tcase_add_test(t, a_record_without_log_is_a_warning);
	suite_add_tcase(suite, t);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
