// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events as other programs print them. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/trace_lines.h"
#include "events/trace_text.h"
#include "tests/lib/suites.h"

static struct trace_text text;
static struct error error;

/* Return: as trace_text_parse(). */
static int parse(const char *line)
{
	return trace_text_parse(&(struct trace_line){.text = line}, &text, &error);
}

static const struct event_record *read_line(const char *line)
{
	ck_assert_msg(parse(line) == 1, "%s: %s", line, error.text);
	ck_assert_uint_eq(text.record.instance, 0); /* whoever printed it */
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

	rec = read_line(
		"cat-9 [001] 1.5: cxl_poison: memdev=mem0 host=0000:0d:00.0 serial=-1 trace_type=List region= region_uuid=00000000-0000-0000-0000-000000000000 hpa=0xffffffffffffffff dpa=0x800 dpa_length=0x40 source=Injected flags=");
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
		"  <...>-77  [001] 12.5: cxl_dram WARNING 2026-11-21 21:43:41 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Warning dpa:0x1000 dpa_flags:'VOLATILE CAPABLE' hpa:0x110004000 region:region0 ");

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

	rec = read_line("{\"event\":\"cxl_dram\",\"memdev\":\"mem2\","
			"\"serial\":9223372036854775808,\"dpa\":4096,\"hpa\":-1,"
			"\"region_name\":\"region1\"}");
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_SERIAL, UINT64_C(1) << 63);
	ck_assert(!event_number(rec, FIELD_HPA).present);
	ck_assert_str_eq(rec->region, "region1");
	(void)read_line("{\"memdev\":\"mem2\",\"serial\":-9223372036854775808,\"dpa\":64}");
	expect_number(FIELD_SERIAL, UINT64_C(1) << 63);
}
END_TEST

START_TEST(cxl_spa_events_prints_addresses_as_text)
{
	const struct event_record *rec = read_line(
		"{\"entry\":5,\"event\":\"cxl_dram\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\","
		"\"serial\":\"0xabc0\",\"dpa\":\"0x1000\",\"later\":{},\"hpa\":\"0x110004000\","
		"\"region\":\"region1\",\"region_uuid\":null}");

	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_HPA, 0x110004000);
	expect_number(FIELD_SERIAL, 0xabc0);
	ck_assert_str_eq(rec->region, "region1");
}
END_TEST

/* trace-cmd and perf print the records of general media and DRAM so, and others with -R. */
START_TEST(libtraceevent_prints_decimal_numbers)
{
	static const char *const lines[] = {
		"<...>-173 [000] 14.116: cxl_general_media: [FAILED TO PARSE] memdev=mem2 host=0000:0d:00.0 log=0 hdr_uuid=0 serial=43968 hdr_flags=1 hdr_handle=1 hdr_timestamp=17 hdr_length=128 hdr_maint_op_class=0 dpa=4096 descriptor=3 type=3 transaction_type=192 channel=3 device=5 comp_id=lab component-0 hpa=4563419136 region_uuid=0 validity_flags=15 rank=17 dpa_flags=0 region_name=region0",
		"cat-9 [000] 1.5: cxl_poison:  memdev=mem2 host=0000:0d:00.0 serial=43968 trace_type=0 region=region0 overflow_ts=0 hpa=4563419136 hpa_alias0=18446744073709551615 dpa=4096 dpa_length=256 uuid= source=2 flags=0",
		"<...>-173 [000] ..... 0.000001 cxl_dram [ERROR] 2026-11-21 21:43:40 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Fatal <CANT FIND FIELD hdr_maint_op_sub_class>[FAILED TO PARSE] memdev=mem2 host=0000:0d:00.0 log=0 hdr_uuid=0 serial=43968 dpa=4096 descriptor=3 cor_mask=! hpa=4563419136 region_uuid=0 region_name=region0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct event_record *rec = read_line(lines[i]);

		expect_number(FIELD_DPA, 0x1000);
		expect_number(FIELD_HPA, 0x110004000);
		expect_number(FIELD_SERIAL, 0xabc0);
		ck_assert_str_eq(rec->region, "region0");
	}
}
END_TEST

START_TEST(ras_mc_ctl_prints_commas)
{
	const struct event_record *rec = read_line(
		"1 2026-11-21 21:43:16 +0000 error: memdev=mem2, host=0000:0d:00.0, serial=0xabc0, log=Informational, hdr_uuid=00000000-0000-0000-0000-000000000000, hdr_flags=0x1 , hdr_handle=0x1, hdr_related_handle=0x0, hdr_timestamp=2026-11-21 21:43:16 +0000, hdr_length=128, hdr_maint_op_class=0, hdr_maint_op_sub_class=0, dpa=0x1000, dpa_flags: , descriptor_flags: 'UNCORRECTABLE EVENT' , 'THRESHOLD EVENT' , memory event type: TE State Violation, transaction_type: unknown-type, channel=3, rank=17, device=0x5, component_id:6c 61 62 2d 63 6f 6d 70 6f 6e 65 6e 74 2d 30 00 pldm_entity_id:00 00 00 00 00 00 pldm_resource_id:00 00 00 00 hpa=0x110004000, region=region0, region_uuid=00000000-0000-0000-0000-000000000000, cme_threshold_ev_flags: , cme_count=0, ");

	ck_assert_str_eq(rec->memdev, "mem2");
	ck_assert_str_eq(rec->host, "0000:0d:00.0");
	ck_assert_str_eq(rec->region, "region0");
	expect_number(FIELD_DPA, 0x1000);
	expect_number(FIELD_HPA, 0x110004000);
	expect_number(FIELD_DESCRIPTOR, 3);
	rec = read_line(
		"1 2026-11-21 21:43:17 +0000 error: memdev=mem2, host=0000:0d:00.0, serial=0xabc0, trace_type=List, region=region0, hpa=0x110002000, dpa=0x800, dpa_length=0x100, source=Internal, flags=0, overflow timestamp=1970-01-01 00:00:00 +0000 ");
	expect_number(FIELD_DPA, 0x800);
	expect_number(FIELD_DPA_LENGTH, 0x100);
	expect_number(FIELD_TRACE_TYPE, POISON_TRACE_LIST);
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
		ck_assert_msg(parse(lines[i]) == 0, "%s", lines[i]);
}
END_TEST

struct refused_line {
	const char *line, *field;
};

static void expect_refused(const struct refused_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(parse(lines[i].line) < 0, "%s", lines[i].line);
		ck_assert_msg(strstr(error.text, lines[i].field), "%s: %s", lines[i].line,
			      error.text);
		ck_assert_msg(!strchr(error.text, '\033'), "%s", error.text);
	}
}

START_TEST(the_rest_of_a_record_and_two_of_them_are_refused)
{
	static const struct refused_line refused[] = {
		{"cxl_dram: memdev=mem2 dpa=204 ank=17", "ank"},
		{"cxl_dram: memdev=mem2 dpa=204 rank=17", "no multiple of 64"},
		/* The end of the address may be missing, too. */
		{"cxl_dram: memdev=mem2 log=Fatal : time=1 dpa=200 rank=17 cvme_count=0",
		 "missing"},
		{"cxl_dram: memdev=3Dmem2 host=3D0000:0d:00.0 dpa=3D1000 rank=3D17",
		 "quoted-printable"},
		{"cxl_poison: memdev=mem2 dpa=0x800 dpa_length=0x4 source=Internal", "dpa_length"},
		{"cxl_dram: memdev=mem2 dpa=0040 rank=17", "dpa"},
		{"cxl_dram: memdev=mem2 rank=17 dpa=1000 dpa_flags=''", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=1000 dpa_length=0x40 rank=17", "dpa_length"},
		{"cxl_dram: memdev=mem2 dpa=1000 rank=17 hpa=0x1000 region=", "hpa"},
		{"cxl_dram: memdev=mem2 serial=0xabc0 dpa=1000 rank=17", "serial"},
		{"cxl_dram: memdev=mem2 dpa=1000 descriptor=3 rank=17", "descriptor"},
		{"cxl_dram: memdev=mem2 dpa=1000 type='Scrub rank=17", "type"},
		{"cxl_dram: memdev=mem2 dpa:0x1000 rank=17", "dpa"},
		{"cxl_dram 2026 memdev:mem2 serial:0xabc0 dpa=1000", "dpa"},
		{"cxl_dram 2026 memdev:mem2 serial:43968 dpa:0x1000", "serial"},
		{"cxl_poison: memdev=mem2 hpa=0x1000 dpa=800 dpa_length=0x40 flags=", "dpa"},
		{"cxl_poison: memdev=mem2 dpa=0x800 dpa_length=0x40 hpa=0x1000 flags=", "hpa"},
		{"cxl_dram: memdev=mem2 dpa=1000 cxl_dram: memdev=mem3 dpa=2000", "cxl_dram"},
		{"cxl_dram: dpa=1000 memdev=mem2", "memdev"},
		{"dpa=0x20000 memdev=mem10", "memdev"},
		{"cxl_memory_module: memdev=mem2 dpa=1000 descriptor=''", "no address"},
		{"memdev=mem2, serial=0xabc0, dpa=1000,", "dpa"},
		{"memdev=mem2, serial=0xabc0, dpa=0x800 dpa_flags: , ", "comma"},
		{"memdev=mem2, serial=0xabc0, dpa_length=0x40, dpa=0x800, flags=0", "dpa"},
		{"[FAILED TO PARSE] memdev=mem2 host=a serial=1 dpa=0x1000 type=3", "dpa"},
		{"cxl_dram: memdev=mem2 dpa=1000 region_uuid=00112233-4455 cvme_count=1", "uuid"},
		/* Two values that became one, and names and addresses that are none of Linux. */
		{"cxl_dram: memdev=mem3c1 dpa=1000 rank=17", "memdev"},
		{"cxl_dram: memdev=0xabc0 dpa=1000 rank=17", "memdev"},
		{"cxl_dram: memdev=me...0000:0d:00.0 dpa=1000 rank=17", "memdev"},
		{"cxl_dram 1 memdev:mem2 host:0000:0d:00.0serial:0xabc0 dpa:0x1000", "host"},
		{"cxl_dram: memdev=mem2 host=0000:0d:...ist dpa=1000 rank=17", "host"},
		{"cxl_dram: memdev=mem2 host=0000:0d:0 dpa=1000 rank=17", "host"},
		{"cxl_dram: memdev=mem2 dpa=1000 hpa=1000 region=region1cvme", "region"},
		/* The beginning of one record, and the address of another one. */
		{"cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Fatal : time=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags=''",
		 "missing"},
		{"cxl_dram 1 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Fatal hdr_length:128 dpa:0x1000 dpa_flags:",
		 "missing"},
		/* Digits are missing in the middle of one of both addresses. */
		{"cxl_dram: memdev=mem2 dpa=100c0 rank=17 hpa=110004000 cvme_count=0", "hpa"},
		{"cxl_poison: memdev=mem2 hpa=0x110004000 dpa=0x10c0 dpa_length=0x40 flags=",
		 "low 8 bits"},
		/* Bare numbers without the name of an event. */
		{"msg=\"CXL poison\" memdev=mem2 dpa=4096", "memdev"},
		{"msg=\"CXL poison\" memdev=mem2 dpa=0x1000", "memdev"},
		{"CXL poison memdev=mem2 dpa=4096", "dpa"},
		{"memdev=mem2 host=0000:0d:00.0 serial=43968 dpa=1000 hpa=1000", "dpa"},
		{"{\"memdev\":\"mem2\",\"dpa\":\"0x1000\",\"hpa\":4096}", "hpa"},
		{"{\"memdev\":\"mem2\",\"dpa\":64,\"x\\u001b\":1}", "x"},
	};

	expect_refused(refused, ARRAY_SIZE(refused));
}
END_TEST

START_TEST(lines_that_cannot_be_read_are_refused_by_field)
{
	static const struct refused_line refused[] = {
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
		{"cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968", "no field dpa"},
		{"cxl_poison 2026-11-01 memdev:mem2 host:0000:0d:00.0", "no field dpa"},
		{"{\"event\":\"cxl_general_media\",\"memdev\":\"mem2\"}", "no field dpa"},
		{"{\"memdev\":\"mem2\",\"dpa\":1.5}", "dpa"},
		{"{\"memdev\":\"mem2\",\"dpa\":\"4096\"}", "dpa"},
		{"{\"memdev\":{},\"dpa\":1}", "memdev"},
		{"{\"memdev\":\"mem2\",\"dpa\":1,\"dpa\":2}", "JSON"},
		{"{\"memdev\":\"mem2\",\"dpa\":99999999999999999999999999999}", "JSON"},
		{"{\"memdev\":\"mem2\",\"dpa\":1", "JSON"},
	};

	expect_refused(refused, ARRAY_SIZE(refused));
}
END_TEST

/* ---- records over several lines ---- */

/* The first record of a text, with a device and an address. Return: as trace_text_parse(). */
static int read_first(const char *lines)
{
	struct trace_lines *t = trace_lines_new_text(lines, strlen(lines));
	struct trace_line line;
	int r = 0;

	ck_assert_ptr_nonnull(t);
	while (r == 0 && trace_lines_next(t, &line) == 1)
		r = trace_text_parse(&line, &text, &error);
	t = trace_lines_free(t);
	return r;
}

static const char wrapped[] =
	"  irq/48-142 [000] .....    14.714924: cxl_dram: memdev=mem10 host=0000:0d:00.0 serial=43968 log=Fatal : time=1 uuid=601dcbb3-9c06-4eab-b8af-4e9bfb5c9624 len=128 flags='A | B' handle=1 related_handle=0 maint_op_class=0 : dpa=12345600 dpa_flags='X' descriptor='U' hpa=212345600 hpa_alias0=ffffffffffffffff region=region10 region_uuid=00000000-0000-0000-0000-000000000000 cvme_count=0";

/* Breaks the line after each @width bytes, without the blanks at the ends where @trims. */
static void wrap(size_t width, bool trims, const char *margin, char *ret)
{
	for (size_t i = 0; wrapped[i]; i++) {
		if (i % width == 0) {
			while (trims && i && ret[-1] == ' ')
				ret--;
			ret += sprintf(ret, "%s%s", i ? "\n" : "", margin);
		}
		*ret++ = wrapped[i];
	}
	*ret = '\0';
}

static bool is_wrapped_record(void)
{
	return opt_u64_is(event_number(&text.record, FIELD_DPA), 0x12345600) &&
	       opt_u64_is(event_number(&text.record, FIELD_HPA), 0x212345600) &&
	       strcmp(text.record.memdev, "mem10") == 0 &&
	       strcmp(text.record.region, "region10") == 0;
}

/* Its hpa has to confirm it, unless the break is before or behind all that is read. */
START_TEST(wherever_a_terminal_wraps_a_record_no_digit_is_lost)
{
	static const char *const margins[] = {"", "> ", "    "};
	const char *margin = margins[_i % 3];
	const size_t end = (size_t)(strstr(wrapped, " cvme_count") - wrapped);
	size_t read = 0, widths = 0;
	char lines[8192];

	for (size_t width = 20; width <= sizeof(wrapped); width++) {
		const bool shows = width < sizeof(wrapped) / 2;

		wrap(width, _i >= 3, margin, lines);
		widths += shows;
		if (read_first(lines) != 1)
			continue;
		read += shows;
		ck_assert_msg(is_wrapped_record(), "%zu columns: %s", width, lines);
		ck_assert(text.divided == (width < end));
	}
	ck_assert_msg(read * 10 >= widths * 9, "%zu of %zu widths", read, widths);
}
END_TEST

/* A record that ends with one of its values, and other words behind it. */
START_TEST(words_behind_a_record_are_no_part_of_its_values)
{
	static const char *const ends[] = {
		"memdev=mem10 dpa=0x20000",
		"cxl_dram: memdev=mem10 host=0000:0e:00.0 serial=43969 dpa=20000 region=region1",
		"cxl_poison: memdev=mem10 dpa=0x20000 dpa_length=0x40",
		"cxl_dram: memdev=mem10 dpa=20000",
	};
	static const char *const words[] = {
		"a reboot helped",
		"5 times",
		"10 minutes later the host hung",
		"be careful",
		"73",
		"64 bytes were lost",
		"> 10 of these",
		" 73  dpa_flags=''",
		"0",
		"40 of these",
		"0 errors, flags='A' and more",
		"0.1 of it",
		":1",
	};
	char lines[512];

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		for (size_t k = 0; k < 2 * ARRAY_SIZE(words); k++) {
			(void)snprintf(
				lines, sizeof(lines), "%s%s\n%s\n",
				k % 2 ? "we saw these errors today, on node 7, and more than once, as it seems:\n"
				      : "",
				ends[i], words[k / 2]);
			ck_assert_msg(read_first(lines) != 1, "%s", lines);
			ck_assert_msg(strstr(error.text, "give the record as one line"), "%s: %s",
				      lines, error.text);
		}
}
END_TEST

START_TEST(words_that_cannot_be_digits_end_a_record)
{
	static const char *const words[] = {"and then it crashed", "Thanks", "5th time today",
					    "region is lost"};
	char lines[256];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		(void)snprintf(lines, sizeof(lines), "memdev=mem10 dpa=0x20000\n%s\n", words[i]);
		ck_assert_int_eq(read_first(lines), 1);
		expect_number(FIELD_DPA, 0x20000);
	}
}
END_TEST

/* Two lines that are as wide are no terminal's, where no field follows, or with numbers of lines.
 */
START_TEST(lines_of_the_same_width_may_be_chance)
{
	static const char *const lines[] = {
		"cxl_dram: memdev=mem10 dpa=20000\n10 minutes later, the host was\nhung up, too",
		"71 cxl_dram: memdev=mem10 dpa=2000\n72 dpa_flags='A' descriptor='BBBB'\n73 type=1",
		"cxl_dram: memdev=mem10 dpa=2000\n 7 dpa_flags='' descriptor='U'\n type=1",
		"{\"memdev\":\"mem10\",\"dpa\":20000\n10}",
		"memdev=mem2 dpa=0x1000\n10 errors=5 b dpa f 12\nb",
		"a memdev=mem1 dpa=2000\nb region=region1 x='A'\nc host=0000:0e:00.0",
		"> memdev=mem1\n>  dpa=0x1000\n00 type=1",
		"memdev=mem2 dpa=0x123400\n7 device: mem memdev - b\nand then",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(read_first(lines[i]) < 0, "%s", lines[i]);
}
END_TEST

/* Marks of a frame, or at the end of a line that goes on. */
START_TEST(marks_behind_a_value_are_no_end_of_it)
{
	static const char *const lines[] = {
		"\u2502 cxl_dram: memdev=mem10 host=0000:0e:00.0 dpa=2 \u2502\n"
		"\u2502 00000 region=region1 serial=43969 cme_count=0  \u2502",
		"cxl_dram: memdev=mem10 host=0000:0e:00.0 dpa=2 \\\n00000 region=region1 serial=4",
		"cxl_dram: memdev=mem10 dpa=2 ;\n00000 region=region1",
		"# cxl_dram: memdev=mem10 dpa=2 #\n# 00000 region=region1",
		"memdev=mem10 dpa=2 \u21b5",
		"dpa=0x20000 region=region1 memdev=mem1 |\n| 0 x=1",
		"dpa=0x20000 region=region1 memdev=mem1 \\\n0 x=1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(read_first(lines[i]) < 0, "%s", lines[i]);
}
END_TEST

/* Records of Linux 6.12 end with a UUID. */
START_TEST(lines_behind_a_whole_value_are_no_part_of_it)
{
	static const char *const behind[] = {
		"```",	  "--",	      "$ ",	  "[   15.1] pcieport: AER", "...", "5 times", "1",
		"a) foo", "Add this", "| a | b |"};
	static const char record[] =
		"cxl_dram: memdev=mem10 host=0000:0e:00.0 serial=43969 dpa=20000 hpa=1000 region=region1 region_uuid=fbcd0a77-c260-417f-85a9-088b1621eba6";
	char lines[512];

	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		(void)snprintf(lines, sizeof(lines), "%s\n%s\n", record, behind[i]);
		ck_assert_msg(read_first(lines) == 1, "%s: %s", lines, error.text);
		expect_number(FIELD_DPA, 0x20000);
		ck_assert_uint_eq(text.record.bytes[BYTES_REGION_UUID].len, 16);
	}
}
END_TEST

/* A limit is reached in the name of the region. */
START_TEST(a_value_that_is_cut_by_a_limit_is_refused)
{
	char lines[8192] = "cxl_dram: memdev=mem10 dpa=20000\ncor_mask=",
	     *at = lines + strlen(lines);

	for (unsigned int i = 0; i < 124; i++)
		at += sprintf(at, "\n00");
	(void)sprintf(at, "\nhpa=1000\nregion=region1\n0 sub_channel=1\n");
	ck_assert_int_eq(read_first(lines), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "it ends in its field region"));
}
END_TEST

/* The hpa confirms the first address of a record, not how long it is. */
START_TEST(a_length_at_the_end_of_a_line_is_refused)
{
	static const char *const divided[] = {
		"cxl_poison: memdev=mem1 hpa=0x1000 dpa=0x1000 dpa_length=0x100\nsource=Internal flags=0",
		"cxl_poison: memdev=mem1 hpa=0x1000 dpa=0x1000 dpa_length=0x1\n00 source=Internal flags=0",
		"{\"event\":\"cxl_poison\",\"memdev\":\"mem1\",\"hpa\":4096,\"dpa\":4096,\"dpa_length\":256\n,\"flags\":0}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(divided); i++)
		ck_assert_msg(read_first(divided[i]) == -EINVAL, "%s", divided[i]);
	ck_assert_int_eq(
		read_first(
			"cxl_poison: memdev=mem1\nhpa=0x1000 dpa=0x1000 dpa_length=0x100 source=Internal\nflags=0"),
		1);
	ck_assert(text.divided);
	ck_assert_int_eq(
		read_first(
			"cxl_poison: memdev=mem1 dpa=0x1000 dpa_length=0x100 source=Internal\nflags=0"),
		1);
	ck_assert(!text.divided);
}
END_TEST

START_TEST(the_longest_line_is_read)
{
	static const char head[] = "cxl_dram: memdev=mem1 dpa=20000 dpa_flags='";
	char *lines = malloc(TRACE_TEXT_LINE_MAX + 2);

	memset(lines, 'y', TRACE_TEXT_LINE_MAX);
	memcpy(lines, head, strlen(head));
	memcpy(lines + TRACE_TEXT_LINE_MAX - 1, "'", 2);
	ck_assert_int_eq(read_first(lines), 1);
	free(lines);
}
END_TEST

/* rasdaemon: a blank that was dropped is not the end of the record. */
START_TEST(fields_behind_a_number_are_fields)
{
	ck_assert_int_eq(
		read_first("cxl_dram 2026-11-21 memdev:mem1 host:0000:0e:00.0 serial:0xabc0\n"
			   "log type:Fatal dpa:0x20000 hpa:0x1000 region:region1 channel:1"),
		1);
	ck_assert(text.divided);
	expect_number(FIELD_SERIAL, 0xabc0);
	expect_number(FIELD_DPA, 0x20000);
}
END_TEST

SUITE(check_trace_text)
{
	Suite *suite = suite_create("trace-text");
	TCase *t = tcase_create("lines");

	tcase_add_test(t, ftrace_prints_hexadecimal_with_and_without_prefix);
	tcase_add_test(t, rasdaemon_separates_by_colons);
	tcase_add_test(t, cxl_monitor_prints_decimal_numbers_of_all_signs);
	tcase_add_test(t, cxl_spa_events_prints_addresses_as_text);
	tcase_add_test(t, libtraceevent_prints_decimal_numbers);
	tcase_add_test(t, ras_mc_ctl_prints_commas);
	tcase_add_test(t, lines_without_device_or_address_are_skipped);
	tcase_add_test(t, the_rest_of_a_record_and_two_of_them_are_refused);
	tcase_add_test(t, lines_that_cannot_be_read_are_refused_by_field);
	tcase_add_loop_test(t, wherever_a_terminal_wraps_a_record_no_digit_is_lost, 0, 6);
	tcase_add_test(t, words_behind_a_record_are_no_part_of_its_values);
	tcase_add_test(t, words_that_cannot_be_digits_end_a_record);
	tcase_add_test(t, lines_of_the_same_width_may_be_chance);
	tcase_add_test(t, marks_behind_a_value_are_no_end_of_it);
	tcase_add_test(t, lines_behind_a_whole_value_are_no_part_of_it);
	tcase_add_test(t, a_value_that_is_cut_by_a_limit_is_refused);
	tcase_add_test(t, a_length_at_the_end_of_a_line_is_refused);
	tcase_add_test(t, the_longest_line_is_read);
	tcase_add_test(t, fields_behind_a_number_are_fields);
	suite_add_tcase(suite, t);
	return suite;
}
