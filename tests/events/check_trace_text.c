// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events as other programs print them. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/trace_text.h"

static struct trace_text text;
static struct error error;

static const struct event_record *read_line(const char *line)
{
	ck_assert_msg(trace_text_parse(line, &text, &error) == 1, "%s: %s", line, error.text);
	return &text.record;
}

static void expect_number(enum event_field field, uint64_t value)
{
	const struct opt_u64 number = event_number(&text.record, field);

	ck_assert_msg(opt_u64_is(number, value), "%s is %s0x%llx", event_field_name(field),
		      number.present ? "" : "absent, not ", (unsigned long long)number.value);
}

START_TEST(ftrace_prints_hexadecimal_with_and_without_prefix)
{
	const struct event_record *rec = read_line(
		" irq/48-0000:0d:-142 [000] .....    14.714924: cxl_general_media: memdev=mem2 "
		"host=0000:0d:00.0 serial=43968 log=Informational : time=17 "
		"uuid=fbcd0a77-c260-417f-85a9-088b1621eba6 flags='A B' : dpa=1000 dpa_flags='' "
		"hpa=110004000 hpa_alias0=ffffffffffffffff region=region1 "
		"region_uuid=00112233-4455-6677-8899-aabbccddeeff cme_count=0");
	size_t len;

	ck_assert_int_eq(rec->type, EVENT_GENERAL_MEDIA);
	ck_assert_str_eq(rec->memdev, "mem2");
	ck_assert_str_eq(rec->host, "0000:0d:00.0");
	ck_assert_str_eq(rec->region, "region1");
	expect_number(FIELD_SERIAL, 43968);
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_HPA, 0x110004000);
	ck_assert_uint_eq(event_bytes(rec, BYTES_REGION_UUID, &len)[1], 0x11);
	ck_assert_uint_eq(len, 16);
	ck_assert(text.has_region);

	rec = read_line("cat-9 [001] 1.5: cxl_poison: memdev=mem0 host=0000:0d:00.0 serial=-1 "
			"trace_type=List region= region_uuid=00000000-0000-0000-0000-000000000000 "
			"hpa=0xffffffffffffffff dpa=0x800 dpa_length=0x40 source=Injected flags=");
	ck_assert_int_eq(rec->type, EVENT_POISON);
	ck_assert_str_eq(rec->region, "");
	ck_assert(text.has_region);
	expect_number(FIELD_SERIAL, UINT64_MAX);
	expect_number(FIELD_DPA, 0x800);
	expect_number(FIELD_DPA_LENGTH, 0x40);
	ck_assert(!event_number(rec, FIELD_HPA).present);
	ck_assert_ptr_null(event_bytes(rec, BYTES_REGION_UUID, &len));
}
END_TEST

START_TEST(rasdaemon_separates_by_colons)
{
	const struct event_record *rec = read_line(
		"  <...>-77  [001] 12.5: cxl_dram WARNING 2026-11-21 21:43:41 +0000 memdev:mem2 "
		"host:0000:0d:00.0 serial:0xabc0 log type:Warning dpa:0x1000 dpa_flags:'VOLATILE "
		"CAPABLE' hpa:0x110004000 region:region0 ");

	ck_assert_int_eq(rec->type, EVENT_DRAM);
	ck_assert_str_eq(rec->memdev, "mem2");
	ck_assert_str_eq(rec->host, "0000:0d:00.0");
	ck_assert_str_eq(rec->region, "region0");
	expect_number(FIELD_SERIAL, 0xabc0);
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_HPA, 0x110004000);
}
END_TEST

START_TEST(cxl_monitor_prints_decimal_numbers_of_all_signs)
{
	const struct event_record *rec = read_line(
		"[1.5] [77] "
		"{\"event\":\"cxl_poison\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\","
		"\"serial\":43968,\"region\":\"region1\",\"hpa\":18446744073709551615,"
		"\"dpa\":4096,\"dpa_length\":64,\"uuid\":[-1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}");
	size_t len;

	ck_assert_int_eq(rec->type, EVENT_POISON);
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_SERIAL, 43968);
	expect_number(FIELD_DPA_LENGTH, 64);
	ck_assert(!event_number(rec, FIELD_HPA).present);
	ck_assert_uint_eq(event_bytes(rec, BYTES_REGION_UUID, &len)[0], 0xff);

	rec = read_line("{\"memdev\":\"mem2\",\"dpa\":\"0x1000\",\"hpa\":-1,"
			"\"serial\":9223372036854775808,\"region_name\":\"region1\"}");
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_SERIAL, UINT64_C(1) << 63);
	ck_assert(!event_number(rec, FIELD_HPA).present);
	ck_assert_str_eq(rec->region, "region1");
	(void)read_line("{\"memdev\":\"mem2\",\"dpa\":1,\"serial\":-9223372036854775808}");
	expect_number(FIELD_SERIAL, UINT64_C(1) << 63);
}
END_TEST

START_TEST(lines_without_device_or_address_are_skipped)
{
	static const char *const lines[] = {
		"",
		"# tracer: nop",
		"   ",
		"cxl_memory_module: memdev=mem2 host=0000:0d:00.0",
		"dpa=1000",
		"kernel: something {",
		"{}",
		"{\"memdev\":\"mem2\"}",
		"[1,2]",
		"= : '",
		"cxl_",
		"cxl_dram: memdev",
		"xcxl_dram: hpa=1 memdev=mem2",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(trace_text_parse(lines[i], &text, &error) == 0, "%s", lines[i]);
}
END_TEST

START_TEST(lines_that_cannot_be_read_are_refused_by_field)
{
	static const struct {
		const char *line, *field;
	} refused[] = {
		{"cxl_dram: memdev=mem2 dpa=xyz", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=-1", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=0x", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=0x0x1", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=10000000000000000", "dpa"},
		{"cxl_dram: memdev:mem2 dpa:1000", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=1000 dpa=2000", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=1000 hpa=bat", "hpa"},
		{"cxl_dram: memdev= dpa=1000", "memdev"},
		{"cxl_dram: memdev=mem2\033[2J dpa=1000", "memdev"},
		{"cxl_dram: memdev=mem2 dpa=1000 dpa_length=100", "dpa_length"},
		{"cxl_dram: memdev=mem012345678901234567890123456789 dpa=1000", "memdev"},
		{"{\"memdev\":\"mem2\",\"dpa\":1.5}", "dpa"},
		{"{\"memdev\":\"mem2\",\"dpa\":\"4096\"}", "dpa"},
		{"{\"memdev\":{},\"dpa\":1}", "memdev"},
		{"{\"memdev\":\"mem2\",\"dpa\":1,\"dpa\":2}", "JSON"},
		{"{\"memdev\":\"mem2\",\"dpa\":99999999999999999999999999999}", "JSON"},
		{"{\"memdev\":\"mem2\",\"dpa\":1", "JSON"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		ck_assert_msg(trace_text_parse(refused[i].line, &text, &error) < 0, "%s",
			      refused[i].line);
		ck_assert_msg(strstr(error.text, refused[i].field), "%s: %s", refused[i].line,
			      error.text);
		ck_assert_msg(!strchr(error.text, '\033'), "%s", error.text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace-text");
	TCase *t = tcase_create("lines");
	SRunner *runner;
	int failed;

	tcase_add_test(t, ftrace_prints_hexadecimal_with_and_without_prefix);
	tcase_add_test(t, rasdaemon_separates_by_colons);
	tcase_add_test(t, cxl_monitor_prints_decimal_numbers_of_all_signs);
	tcase_add_test(t, lines_without_device_or_address_are_skipped);
	tcase_add_test(t, lines_that_cannot_be_read_are_refused_by_field);
	suite_add_tcase(suite, t);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
