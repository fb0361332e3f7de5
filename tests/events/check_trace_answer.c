// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The provenance of a record of a text, and its two addresses: a text of another host, boot or
 * kernel has no exact address then, whatever agrees by chance, and its address now is that of the
 * present mapping. The property is tested on random machines, whose kernels and regions were others
 * then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "events/trace_answer.h"
#include "tests/lib/machine.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

typedef unsigned long long ull;

static struct error e;

/* ---- the time of a line ---- */

static struct trace_when when_of(const char *line)
{
	struct trace_when when;

	trace_when_read(line, false, &when);
	return when;
}

static const uint64_t second = 1000000000, hour = 3600;
/* 2026-11-21 21:43:41 UTC */
static const uint64_t wall = 1795297421;

START_TEST(times_of_lines_are_read)
{
	static const struct {
		const char *line;
		uint64_t since_boot_us;
		int64_t wall_s, zones_s; /* against `wall`; 0: no time of day */
	} cases[] = {
		{" irq/48-142 [000] .....    14.714924: cxl_dram: memdev=mem2", 14714924, 0, 0},
		{"sh 9 [001]  12345.678901: cxl:cxl_poison: memdev=mem2", 12345678901, 0, 0},
		{"[   14.714924] cxl_dram: memdev=mem2", 14714924, 0, 0},
		{"x-77 [001] 16.0: cxl_dram WARNING 2026-11-21 21:43:41 +0000 memdev:mem2",
		 16000000, 1, 0},
		{"x-77 [001] 16.0: cxl_dram 2026-11-22 05:43:41 +0800 memdev:mem2", 16000000, 1, 0},
		{"1 2026-11-21 16:43:41 -0500 error: memdev=mem2", 0, 1, 0},
		{"2026-11-21T21:43:41.123456+00:00 n kernel: [ 9.500000] cxl_dram: memdev=mem2",
		 9500000, 1, 0},
		{"2026-11-21T21:43:41,714924+00:00 cxl_dram: memdev=mem2", 0, 1, 0},
		{"2026-11-21T21:43:41Z cxl_dram: memdev=mem2", 0, 1, 0},
		{"Sat 2026-11-21 21:43:41 UTC n kernel: cxl_dram: memdev=mem2", 0, 1, 0},
		/* without a zone all of them, of which there are 26 hours */
		{"2026-11-21 21:43:41 cxl_dram: memdev=mem2", 0, 1, 26},
		{"2026-11-21 21:43:41 MSK cxl_dram: memdev=mem2", 0, 1, 26},
		{"[Sat Nov 21 21:43:41 2026] cxl_dram: memdev=mem2", 0, 1, 26},
		{"Sat Nov 21 21:43:41 CET 2026 cxl_dram: memdev=mem2", 0, 1, 26},
		{"Sat Nov 21 21:43:41 UTC 2026 cxl_dram: memdev=mem2", 0, 1, 0},
		/* no year, no time; the device's clock is another one's */
		{"Nov 21 21:43:41 n kernel: cxl_dram: memdev=mem2", 0, 0, 0},
		{"cxl_dram: memdev=mem2 log=Fatal : time=1795297421000000000", 0, 0, 0},
		{"cxl_dram: memdev:mem2 hdr_timestamp:2026-11-21 21:43:41 +0000", 0, 0, 0},
		{"9999-99-99 99:99:99 cxl_dram: memdev=mem2", 0, 0, 0},
		{"2026-11-21 21:43 cxl_dram: memdev=mem2", 0, 0, 0},
		/* from 1970 on, so not from boot on */
		{"x-1 [000] 1795297421.123456: cxl_dram: memdev=mem2", 0, 0, 0},
		{"{\"event\":\"cxl_dram\",\"timestamp\":14052632532,\"memdev\":\"mem2\"", 14052632,
		 0, 0},
		{"{\"event\":\"cxl_dram\",\"timestamp\":1795297421123456789,\"memdev\":\"mem2\"", 0,
		 0, 0},
		{"{\"__REALTIME_TIMESTAMP\" : \"1795297421000000\",\"MESSAGE\":\"memdev=mem2\"}", 0,
		 1, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_when w = when_of(cases[i].line);

		ck_assert_msg(w.since_boot_ns.present == (cases[i].since_boot_us != 0) &&
				      w.since_boot_ns.value / 1000 == cases[i].since_boot_us,
			      "%s: %llu", cases[i].line, (ull)w.since_boot_ns.value);
		ck_assert_msg(w.wall_first_ns.present == (cases[i].wall_s != 0), "%s",
			      cases[i].line);
		if (!cases[i].wall_s)
			continue;
		ck_assert_msg(w.wall_first_ns.value <= wall * second &&
				      w.wall_last_ns.value >= wall * second,
			      "%s: %llu", cases[i].line, (ull)w.wall_first_ns.value);
		ck_assert_uint_eq(w.wall_last_ns.value - w.wall_first_ns.value,
				  (uint64_t)cases[i].zones_s * hour * second);
	}
}
END_TEST

START_TEST(all_times_of_a_line_count)
{
	const struct trace_when w = when_of(
		"2026-11-21T22:43:41Z n rasdaemon[7]: x-1 [0] 9.5: cxl_dram 2026-11-21 21:43:41 +0000 memdev:mem2");

	ck_assert_uint_eq(w.wall_first_ns.value, wall * second);
	ck_assert_uint_eq(w.wall_last_ns.value, (wall + hour) * second);
	ck_assert_str_eq(w.hostname, "n");
	ck_assert_str_eq(when_of("Nov 21 21:43:41 n17.example kernel: memdev=").hostname,
			 "n17.example");
	ck_assert_str_eq(when_of("21h43:41,5 kernel: memdev=").hostname, "");
	ck_assert_str_eq(when_of("{\"_HOSTNAME\":\"n18\",\"_BOOT_ID\":\"0123\"}").hostname, "n18");
	ck_assert_str_eq(when_of("{\"_HOSTNAME\":\"n18\",\"_BOOT_ID\":\"0123\"}").boot_id, "0123");
	ck_assert_str_eq(when_of("{\"MESSAGE\":\"\\\"_BOOT_ID\\\":\\\"0123\\\"\"}").boot_id, "");
}
END_TEST

/* ---- whose a record is ---- */

static struct event_record rec;
static char line_of_rec[1024];

static void number(enum event_field field, uint64_t value)
{
	rec.present |= UINT64_C(1) << field;
	rec.number[field] = value;
}

/* A record of the device, of a captured host that ran from `wall` on for an hour. */
static void record_of(const struct memdev *memdev)
{
	rec = (struct event_record){.type = EVENT_DRAM};
	(void)snprintf(rec.memdev, sizeof(rec.memdev), "%s", memdev->name);
	(void)snprintf(rec.host, sizeof(rec.host), "%s", memdev->bdf);
	number(FIELD_SERIAL, memdev->serial.value);
}

static void setup_host(void)
{
	model_setup();
	build_usual();
	m.root_directory.captured = true;
	m.host.root = &m.root_directory;
	m.host.captured_boot_s = OPT_U64(wall);
	m.host.captured_uptime_s = OPT_U64(hour);
	m.host.boot_id = "01234567-89ab-4def-8123-456789abcdef";
	m.host.hostname = "node17.example.com";
	record_of(mem[1]);
}

static void expect_from(const char *line, bool this_boot, enum provenance_of host,
			enum provenance_of boot)
{
	const struct trace_when w = when_of(line);
	const struct provenance p = provenance_of_text(&m.host, &rec, &w, this_boot);

	ck_assert_msg(p.host == host && p.boot == boot, "%s: %s host, %s boot", line,
		      provenance_name(p.host), provenance_name(p.boot));
	ck_assert_int_eq(p.kernel, boot == PROVENANCE_THIS ? PROVENANCE_THIS : PROVENANCE_UNKNOWN);
}

static const char no_time[] = "cxl_dram: memdev";
static const char in_boot[] = "2026-11-21 22:00:00 +0000 memdev";

START_TEST(serial_number_and_pci_address_tell_the_host)
{
	expect_from(no_time, false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	expect_from(in_boot, false, PROVENANCE_THIS, PROVENANCE_THIS);
	number(FIELD_SERIAL, 0x777);
	expect_from(no_time, false, PROVENANCE_ANOTHER, PROVENANCE_ANOTHER);
	expect_from(in_boot, true, PROVENANCE_ANOTHER, PROVENANCE_ANOTHER);
	/* One device whose number nobody can read may have it. */
	mem[3]->serial.present = false;
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(a_serial_number_that_is_no_proof_proves_nothing)
{
	number(FIELD_SERIAL, 0);
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
	expect_from(no_time, true, PROVENANCE_THIS, PROVENANCE_THIS);
	rec.present = 0;
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
	record_of(mem[1]);
	mem[2]->serial = mem[1]->serial;
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
	expect_from(no_time, true, PROVENANCE_THIS, PROVENANCE_THIS);
}
END_TEST

START_TEST(a_device_at_another_address_is_a_contradiction)
{
	(void)snprintf(rec.host, sizeof(rec.host), "0000:f0:00.0");
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
	expect_from(no_time, true, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
	rec.host[0] = '\0';
	expect_from(in_boot, false, PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(a_name_of_another_host_is_a_contradiction)
{
	expect_from("2026-11-21T22:00:00Z node18 kernel: memdev", false, PROVENANCE_UNKNOWN,
		    PROVENANCE_UNKNOWN);
	expect_from("2026-11-21T22:00:00Z node18 kernel: memdev", true, PROVENANCE_UNKNOWN,
		    PROVENANCE_UNKNOWN);
	expect_from("2026-11-21T22:00:00Z NODE17 kernel: memdev", false, PROVENANCE_THIS,
		    PROVENANCE_THIS);
	expect_from("2026-11-21T22:00:00Z localhost kernel: memdev", false, PROVENANCE_THIS,
		    PROVENANCE_THIS);
	expect_from("{\"_HOSTNAME\":\"node18\",\"memdev\"", false, PROVENANCE_UNKNOWN,
		    PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(times_prove_a_boot)
{
	static const struct {
		const char *line;
		enum provenance_of boot;
	} cases[] = {
		{"[  3000.000000] memdev", PROVENANCE_UNKNOWN}, /* of any boot that ran so long */
		{"[  4000.000000] memdev", PROVENANCE_ANOTHER}, /* later than an hour */
		{"{\"timestamp\":4000000000000,\"memdev\"", PROVENANCE_ANOTHER},
		{"2019-03-01 10:00:00 +0000 memdev", PROVENANCE_ANOTHER},
		{"2019-03-01 10:00:00 memdev", PROVENANCE_ANOTHER},
		{"2026-11-21 21:43:41 +0000 memdev", PROVENANCE_THIS},
		{"2026-11-21 22:43:41 +0000 memdev", PROVENANCE_THIS},
		{"2026-11-21 23:43:41 +0000 memdev", PROVENANCE_UNKNOWN}, /* after the capture */
		{"2039-01-01 00:00:00 +0000 memdev", PROVENANCE_UNKNOWN},
		{"2026-11-21 22:00:00 memdev", PROVENANCE_UNKNOWN}, /* of any zone */
		{"[Sat Nov 21 22:00:00 2026] memdev", PROVENANCE_UNKNOWN},
		{"Nov 21 22:00:00 node17 kernel: memdev", PROVENANCE_UNKNOWN}, /* before it, too */
		{"Mar 01 10:00:00 node17 kernel: memdev", PROVENANCE_ANOTHER},
		/* Two times of different boots; a clock that was wrong. */
		{"2026-11-21T22:00:00Z node17 rasdaemon: 2019-03-01 10:00:00 +0000 memdev",
		 PROVENANCE_UNKNOWN},
		{"2026-11-21T21:44:00Z kernel: [ 3000.000000] memdev", PROVENANCE_UNKNOWN},
		{"2026-11-21T22:43:00Z kernel: [ 3000.000000] memdev", PROVENANCE_THIS},
		{"2026-11-21T22:43:00Z kernel: [ 4000.000000] memdev", PROVENANCE_ANOTHER},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_from(cases[i].line, false, PROVENANCE_THIS, cases[i].boot);
	/* The user's word does not prevail over a proof. */
	expect_from("[  3000.000000] memdev", true, PROVENANCE_THIS, PROVENANCE_THIS);
	expect_from("2026-11-21 22:00:00 memdev", true, PROVENANCE_THIS, PROVENANCE_THIS);
	expect_from("[  4000.000000] memdev", true, PROVENANCE_THIS, PROVENANCE_ANOTHER);
	expect_from("2019-03-01 10:00:00 +0000 memdev", true, PROVENANCE_THIS, PROVENANCE_ANOTHER);
}
END_TEST

/* The capture is of 2026-11-21 22:43:40, and the host has run for three days. */
START_TEST(a_time_without_a_year_is_of_the_nearest_day_before_now)
{
	static const struct {
		const char *line;
		enum provenance_of boot;
		const char *why;
	} cases[] = {
		{"Nov 20 09:00:00 node17 kernel: memdev", PROVENANCE_THIS, NULL},
		{"Nov 19 13:00:00 node17 kernel: memdev", PROVENANCE_THIS, NULL},
		/* Noon in the east is before the boot. */
		{"Nov 19 12:00:00 node17 kernel: memdev", PROVENANCE_UNKNOWN, "before this boot"},
		{"Nov 18 09:00:00 node17 kernel: memdev", PROVENANCE_ANOTHER, NULL},
		{"Nov 21 22:43:00 node17 kernel: memdev", PROVENANCE_UNKNOWN, "not come yet"},
		{"2026-11-21 22:43:00 memdev", PROVENANCE_UNKNOWN, "not come yet"},
		/* These are of the year before. */
		{"Nov 24 09:00:00 node17 kernel: memdev", PROVENANCE_ANOTHER, NULL},
		{"Dec 31 23:59:59 node17 kernel: memdev", PROVENANCE_ANOTHER, NULL},
		/* A day that only some years have. */
		{"Feb 29 09:00:00 node17 kernel: memdev", PROVENANCE_ANOTHER, NULL},
		{"Feb 30 09:00:00 node17 kernel: memdev", PROVENANCE_UNKNOWN, NULL},
		/* The program's own date has a year. */
		{"Nov 18 09:00:00 node17 rasdaemon: 2026-11-20 10:00:00 +0000 memdev",
		 PROVENANCE_THIS, NULL},
	};

	m.host.captured_boot_s = OPT_U64(wall + hour - 72 * 3600);
	m.host.captured_uptime_s = OPT_U64(72 * 3600);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_when w = when_of(cases[i].line);
		const struct provenance p = provenance_of_text(&m.host, &rec, &w, false);

		expect_from(cases[i].line, false, PROVENANCE_THIS, cases[i].boot);
		ck_assert_msg(!p.why == !cases[i].why && (!p.why || strstr(p.why, cases[i].why)),
			      "%s: %s", cases[i].line, p.why);
	}
}
END_TEST

START_TEST(a_text_without_a_device_is_of_the_host_whose_name_it_has)
{
	static const struct {
		const char *line;
		enum provenance_of host, boot;
	} cases[] = {
		{"2026-11-21T22:00:00Z node17 kernel: x", PROVENANCE_THIS, PROVENANCE_THIS},
		{"2026-11-21T22:00:00Z node17.example.com kernel: x", PROVENANCE_THIS,
		 PROVENANCE_THIS},
		{"{\"__REALTIME_TIMESTAMP\":\"1795298400000000\",\"_HOSTNAME\":\"node17\"}",
		 PROVENANCE_THIS, PROVENANCE_THIS},
		{"2019-11-21T22:00:00Z node17 kernel: x", PROVENANCE_THIS, PROVENANCE_ANOTHER},
		{"node17 kernel: x", PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN},
		{"2026-11-21T22:00:00Z kernel: x", PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN},
		{"2026-11-21T22:00:00Z node18 kernel: x", PROVENANCE_UNKNOWN, PROVENANCE_UNKNOWN},
		{"2026-11-21T22:00:00Z node17.example.org kernel: x", PROVENANCE_UNKNOWN,
		 PROVENANCE_UNKNOWN},
		{"2026-11-21T22:00:00Z localhost kernel: x", PROVENANCE_UNKNOWN,
		 PROVENANCE_UNKNOWN},
	};

	rec = (struct event_record){0};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_from(cases[i].line, false, cases[i].host, cases[i].boot);
	m.host.hostname = "debian";
	expect_from("2026-11-21T22:00:00Z debian kernel: x", false, PROVENANCE_UNKNOWN,
		    PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(a_capture_that_does_not_know_its_time_proves_little)
{
	m.host.captured_uptime_s.present = false;
	expect_from("[  4000.000000] memdev", false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	expect_from("2039-01-01 00:00:00 +0000 memdev", false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	m.host.captured_boot_s.present = false;
	expect_from(in_boot, false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	expect_from("2019-03-01 10:00:00 +0000 memdev", false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	m.host.captured_boot_s = m.host.captured_uptime_s = OPT_U64(UINT64_MAX);
	expect_from(in_boot, false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(the_id_of_the_boot_tells_host_and_boot)
{
	static const char same[] = "{\"_BOOT_ID\":\"0123456789AB4DEF8123456789abcdef\",\"memdev\"";
	static const char other[] = "{\"_BOOT_ID\":\"0123456789ab4def8123456789abcdee\",\"memdev\"";
	/* of cxl-spa events, with a clock that was wrong */
	static const char own[] =
		"{\"time\":\"2026-11-21T22:00:00Z\",\"boot_id\":\"01234567-89ab-4def-8123-456789abcd00\",\"memdev\"";
	static const char same_old[] =
		"{\"_BOOT_ID\":\"0123456789ab4def8123456789abcdef\",\"timestamp\":4000000000000,\"memdev\"";

	expect_from(own, false, PROVENANCE_THIS, PROVENANCE_ANOTHER);
	expect_from(same, false, PROVENANCE_THIS, PROVENANCE_THIS);
	expect_from(other, false, PROVENANCE_THIS, PROVENANCE_ANOTHER);
	expect_from(other, true, PROVENANCE_THIS, PROVENANCE_ANOTHER);
	expect_from(same_old, true, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	number(FIELD_SERIAL, 0);
	expect_from(same, false, PROVENANCE_THIS, PROVENANCE_THIS);
	number(FIELD_SERIAL, 0x777);
	expect_from(same, false, PROVENANCE_ANOTHER, PROVENANCE_ANOTHER);
	record_of(mem[1]);
	m.host.boot_id = NULL;
	expect_from(same, false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
}
END_TEST

/* The clocks of the host; 0: those of this machine. */
static uint64_t set_realtime_ns, set_boottime_ms;

/* NOLINTBEGIN(bugprone-reserved-identifier): the names are those of the linker */
uint64_t __real_clock_realtime_ns(void);
uint64_t __wrap_clock_realtime_ns(void);
uint64_t __real_clock_boottime_ms(void);
uint64_t __wrap_clock_boottime_ms(void);

uint64_t __wrap_clock_realtime_ns(void)
{
	return set_realtime_ns ? set_realtime_ns : __real_clock_realtime_ns();
}

uint64_t __wrap_clock_boottime_ms(void)
{
	return set_boottime_ms ? set_boottime_ms : __real_clock_boottime_ms();
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void set_zone(const char *zone)
{
	ck_assert_int_eq(setenv("TZ", zone, 1), 0);
	tzset();
}

static void reset_clocks(void)
{
	set_realtime_ns = set_boottime_ms = 0;
	(void)unsetenv("TZ");
	tzset();
}

/* It is 2026-11-21 22:43:40 UTC, and the host has run for three days. */
START_TEST(a_time_of_the_last_hours_is_read_in_the_zone_of_a_live_host)
{
	static const char yearless[] = "Nov 21 22:43:00 node17 kernel: memdev";
	static const char dated[] = "[Sat Nov 21 22:43:00 2026] memdev";
	static const char *const lines[] = {yearless, dated};

	m.host.root = NULL;
	set_realtime_ns = (wall + hour) * UINT64_C(1000000000);
	set_boottime_ms = UINT64_C(72) * 3600 * 1000;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		set_zone("UTC0");
		expect_from(lines[i], false, PROVENANCE_THIS, PROVENANCE_THIS);
		set_zone("EST+5"); /* where it is 17:43 */
		expect_from(lines[i], false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
		set_zone("CET-1");
		expect_from(lines[i], false, PROVENANCE_THIS, PROVENANCE_THIS);
	}
	expect_from("2026-11-21 22:44:00 +0000 memdev", false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	set_boottime_ms = UINT64_C(3600) * 1000;
	expect_from(yearless, false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
}
END_TEST

START_TEST(a_live_host_has_the_clocks_of_this_machine)
{
	const time_t now = time(NULL);
	char line[64];
	struct tm tm;

	m.host.root = NULL;
	(void)strftime(line, sizeof(line), "%Y-%m-%dT%H:%M:%SZ memdev", gmtime_r(&now, &tm));
	expect_from(line, false, PROVENANCE_THIS, PROVENANCE_THIS);
	expect_from("[ 300000000.000000] memdev", false, PROVENANCE_THIS, PROVENANCE_ANOTHER);
	expect_from("[ 0.000001] memdev", false, PROVENANCE_THIS, PROVENANCE_UNKNOWN);
	expect_from("2001-03-01 10:00:00 +0000 memdev", false, PROVENANCE_THIS, PROVENANCE_ANOTHER);
}
END_TEST

/* ---- answers on one host ---- */

static struct event_mapping *mapping;
static struct trace_answer got;

static void ready(void)
{
	m.host.root = NULL;
	m.host.kernel_release = "7.3.4";
	model_ready(&m);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, &e), 0);
}

static void teardown_host(void)
{
	mapping = event_mapping_unref(mapping);
	model_teardown();
}

static void answer_line(struct translator *t, bool this_boot)
{
	struct trace_text text;
	const struct trace_line line = {.text = line_of_rec, .number = 1};
	int r = trace_text_parse(&line, &text, &e);

	ck_assert_msg(r == 1, "%s: %s", line_of_rec, r < 0 ? e.text : "no record");
	ck_assert_int_ge(trace_answer(mapping, t, &text, this_boot, NULL, &got), 0);
}

static void ask(const char *prefix, const char *fields, bool this_boot)
{
	(void)snprintf(line_of_rec, sizeof(line_of_rec),
		       "%scxl_dram: memdev=%s host=%s serial=%llu %s cvme_count=0", prefix,
		       mem[1]->name, mem[1]->bdf, (ull)mem[1]->serial.value, fields);
	answer_line(m.t, this_boot);
}

static void expect_moment(const struct trace_moment *moment, bool exact, uint64_t spa)
{
	const struct answer *a = &moment->answer;

	ck_assert_msg(a->exact == exact && a->has_spa == (spa != 0) && (!spa || a->spa == spa),
		      "%s: %s 0x%llx: %s", line_of_rec, a->exact ? "exact" : "not exact",
		      (ull)a->spa, a->reason);
}

static const char old[] = "2019-03-01T10:00:00+00:00 node17 kernel: ";

START_TEST(a_locked_mapping_is_exact_now_and_not_in_another_boot)
{
	endpoint_decoder(mem[1], 0)->locked = OPT_BOOL(true);
	ready();
	ask(old, "dpa=1040 hpa=ffffffffffffffff region=region0", false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
	ck_assert_msg(strstr(got.then.answer.reason, "another boot"), "%s", got.then.answer.reason);
	ask("", "dpa=1040 hpa=ffffffffffffffff region=region0", false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
	ask("", "dpa=1040 hpa=ffffffffffffffff region=region0", true);
	expect_moment(&got.then, true, BASE + 0x4140);
	expect_moment(&got.now, true, BASE + 0x4140);
	/* Against all appearances. */
	ask(old, "dpa=1040 hpa=ffffffffffffffff region=region0", true);
	expect_moment(&got.then, false, 0);
}
END_TEST

START_TEST(a_uuid_proves_the_mapping_in_this_boot_only)
{
	static const char fields[] =
		"dpa=1040 hpa=ffffffffffffffff region=region0 region_uuid=00112233-4455-6677-8899-aabbccddeeff";

	region->uuid = "00112233-4455-6677-8899-aabbccddeeff";
	ready();
	ask("", fields, true);
	expect_moment(&got.then, true, BASE + 0x4140);
	ask("", fields, false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
}
END_TEST

START_TEST(the_kernel_s_address_stands_alone_in_this_boot_only)
{
	ready();
	ask("", "dpa=1040 hpa=1000004140 region=region7", true);
	expect_moment(&got.then, true, BASE + 0x4140);
	ask("", "dpa=1040 hpa=1000004140 region=region7", false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
	/* All kernels agree with the decoders where nothing is XORed. */
	ask("", "dpa=1040 hpa=1000004140 region=region0", false);
	expect_moment(&got.then, true, BASE + 0x4140);
	ask("", "dpa=1040 hpa=1000004240 region=region0", false);
	expect_moment(&got.then, false, 0);
}
END_TEST

START_TEST(an_address_that_agrees_proves_no_other_part_of_a_record)
{
	ready();
	(void)snprintf(
		line_of_rec, sizeof(line_of_rec),
		"cxl_poison: memdev=%s host=%s serial=%llu trace_type=List region=region0 hpa=0x%llx dpa=0x0 dpa_length=0x200 source=Injected",
		mem[0]->name, mem[0]->bdf, (ull)mem[0]->serial.value, (ull)BASE);
	answer_line(m.t, false);
	ck_assert(got.then.answer.has_spa && !got.then.answer.exact);
	ck_assert_uint_eq(got.then.event.answer.bytes_beyond, 0x100);
	expect_moment(&got.now, true, BASE);
	ck_assert_uint_eq(got.now.event.answer.n_extents, 2);
}
END_TEST

START_TEST(no_device_of_this_host_no_page)
{
	ready();
	(void)snprintf(
		line_of_rec, sizeof(line_of_rec),
		"cxl_dram: memdev=%s host=%s serial=7777 dpa=1040 hpa=1000004140 region=region0 cvme_count=0",
		mem[1]->name, mem[1]->bdf);
	for (int this_boot = 0; this_boot < 2; this_boot++) {
		answer_line(m.t, this_boot);
		ck_assert_int_eq(got.from.host, PROVENANCE_ANOTHER);
		expect_moment(&got.then, false, 0);
		expect_moment(&got.now, false, 0);
		ck_assert(got.now.answer.reason[0]);
	}
	/* Nothing says that it is of this host. */
	(void)snprintf(
		line_of_rec, sizeof(line_of_rec),
		"cxl_dram: memdev=%s host=%s serial=0 dpa=1040 hpa=1000004140 region=region0 cvme_count=0",
		mem[1]->name, mem[1]->bdf);
	answer_line(m.t, false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, false, BASE + 0x4140);
	answer_line(m.t, true);
	expect_moment(&got.then, true, BASE + 0x4140);
	expect_moment(&got.now, true, BASE + 0x4140);
}
END_TEST

START_TEST(a_name_that_another_device_has_now_is_no_mapping)
{
	ready();
	(void)snprintf(
		line_of_rec, sizeof(line_of_rec),
		"cxl_dram: memdev=%s host=%s serial=%llu dpa=1040 hpa=1000004140 region=region0 cvme_count=0",
		mem[2]->name, mem[1]->bdf, (ull)mem[1]->serial.value);
	answer_line(m.t, false);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
	ck_assert_ptr_eq(got.now.answer.memdev, mem[1]);
}
END_TEST

START_TEST(the_record_of_nothing_then_has_a_page_now)
{
	ready();
	ask("",
	    "dpa=1040 hpa=ffffffffffffffff region= region_uuid=00000000-0000-0000-0000-000000000000",
	    true);
	expect_moment(&got.then, false, 0);
	expect_moment(&got.now, true, BASE + 0x4140);
	/* And the reverse, with the reason. */
	ask("", "dpa=7fffffffc0 hpa=ffffffffffffffff region=region0", true);
	expect_moment(&got.now, false, 0);
	ck_assert(got.then.answer.reason[0] && got.now.answer.reason[0]);
}
END_TEST

/* ---- machines ---- */

enum { MACHINES = 60, PLACES = 6 };

static struct machine then, now;
static const char *const releases[MACHINE_KERNELS] = {"6.10.3", "6.12.95", "7.3.4"};

struct truth {
	uint64_t spa;
	struct machine_place place;
};

static uint64_t n_then_exact, n_now_exact, n_lines;

static uint64_t hpa_of(enum machine_kernel kernel, const struct region *r,
		       const struct machine_place *p)
{
	for (unsigned int i = 0; i < r->n_targets; i++)
		if (r->targets[i].memdev == p->memdev)
			return machine_hpa_of_kernel(
				kernel, &then.host, r, i,
				p->dpa - r->targets[i].decoder->dpa_resource.value);
	ck_abort_msg("%s has no %s", r->name, p->memdev->name);
}

/* A line of the machine as it was then; half of them name a region that is gone. */
static struct truth choose_line(size_t index, enum machine_kernel kernel, uint64_t serial_xor)
{
	const struct region *r = then.regions[index];
	uint64_t base, size, hpa;
	struct truth t;

	ck_assert(machine_region_base(r, &base, &size));
	t.spa = base + machine_random(&then, size) / 64 * 64;
	ck_assert(machine_route(&then.host, t.spa, &t.place));
	hpa = machine_random(&then, 3) ? hpa_of(kernel, r, &t.place) : UINT64_MAX;
	(void)snprintf(
		line_of_rec, sizeof(line_of_rec),
		"cxl_dram: memdev=%s host=%s serial=%llu dpa=%llx hpa=%llx region=%s cvme_count=0",
		t.place.memdev->name, t.place.memdev->bdf,
		(ull)(t.place.memdev->serial.value ^ serial_xor), (ull)t.place.dpa, (ull)hpa,
		machine_random(&then, 2) ? r->name : "region99");
	return t;
}

static void check_then(const struct truth *t)
{
	const struct answer *a = &got.then.answer;

	n_then_exact += a->exact;
	if (a->has_spa && (t->spa < a->spa || t->spa > a->spa_last))
		ck_abort_msg("%s: seed %llu: %s: was SPA 0x%llx, the answer is 0x%llx-0x%llx: %s",
			     a->exact ? "wrong exact" : "interval without the SPA", (ull)then.seed,
			     line_of_rec, (ull)t->spa, (ull)a->spa, (ull)a->spa_last, a->reason);
}

static void check_now(const struct truth *t)
{
	const struct answer *a = &got.now.answer;
	struct machine_place place;

	n_now_exact += a->exact;
	if (a->exact && (!machine_route(&now.host, a->spa, &place) || place.dpa != t->place.dpa ||
			 strcmp(place.memdev->name, t->place.memdev->name) != 0))
		ck_abort_msg("wrong now: seed %llu: %s: SPA 0x%llx: %s", (ull)now.seed, line_of_rec,
			     (ull)a->spa, a->reason);
}

static void check_lines(enum machine_kernel kernel, uint64_t serial_xor)
{
	struct translator *t;

	ck_assert_int_eq(translator_new(&now.host, NULL, &t, NULL), 0);
	ck_assert_int_eq(event_mapping_new(&now.host, t, &mapping, NULL), 0);
	for (size_t i = 0; i < then.host.n_regions; i++)
		for (unsigned int k = 0; k < PLACES; k++) {
			const struct truth truth = choose_line(i, kernel, serial_xor);

			n_lines++;
			answer_line(t, false);
			check_then(&truth);
			check_now(&truth);
		}
	mapping = event_mapping_unref(mapping);
	(void)translator_unref(t);
}

/* @again: 0: regions are as they were */
static void check_pair(uint64_t seed, uint64_t again, uint64_t serial_xor)
{
	machine_build(&then, seed);
	for (unsigned int kernel = 0; kernel < MACHINE_KERNELS; kernel++)
		for (unsigned int reader = 0; reader < MACHINE_KERNELS; reader++) {
			if (again)
				machine_remake(&now, seed, again);
			else
				machine_build(&now, seed);
			now.host.kernel_release = releases[reader];
			check_lines(kernel, serial_xor);
			machine_done(&now);
		}
	machine_done(&then);
}

START_TEST(lines_of_another_boot_or_kernel_are_never_wrong)
{
	n_lines = n_then_exact = n_now_exact = 0;
	for (uint64_t seed = 1; seed <= MACHINES; seed++) {
		check_pair(seed, 0, 0);
		check_pair(seed, seed * 16 + 1, 0);
	}
	(void)printf("%llu lines: %llu exact then, %llu exact now\n", (ull)n_lines,
		     (ull)n_then_exact, (ull)n_now_exact);
	ck_assert_uint_gt(n_then_exact, 0);
	ck_assert_uint_gt(n_now_exact, n_then_exact);
}
END_TEST

START_TEST(lines_of_another_host_have_no_page)
{
	n_lines = n_then_exact = n_now_exact = 0;
	for (uint64_t seed = 1; seed <= MACHINES / 4; seed++)
		check_pair(seed, 0, UINT64_C(0x5a5a) << 40);
	ck_assert_uint_gt(n_lines, 0);
	ck_assert_uint_eq(n_then_exact + n_now_exact, 0);
}
END_TEST

SUITE(check_trace_answer)
{
	Suite *suite = suite_create("answers to text");
	TCase *times = tcase_create("times"), *whose = tcase_create("provenance"),
	      *answers = tcase_create("answers"), *machines = tcase_create("machines");

	tcase_add_test(times, times_of_lines_are_read);
	tcase_add_test(times, all_times_of_a_line_count);
	suite_add_tcase(suite, times);
	tcase_add_checked_fixture(whose, setup_host, teardown_host);
	tcase_add_checked_fixture(whose, NULL, reset_clocks);
	tcase_add_test(whose, serial_number_and_pci_address_tell_the_host);
	tcase_add_test(whose, a_serial_number_that_is_no_proof_proves_nothing);
	tcase_add_test(whose, a_device_at_another_address_is_a_contradiction);
	tcase_add_test(whose, a_name_of_another_host_is_a_contradiction);
	tcase_add_test(whose, times_prove_a_boot);
	tcase_add_test(whose, a_time_without_a_year_is_of_the_nearest_day_before_now);
	tcase_add_test(whose, a_time_of_the_last_hours_is_read_in_the_zone_of_a_live_host);
	tcase_add_test(whose, a_text_without_a_device_is_of_the_host_whose_name_it_has);
	tcase_add_test(whose, a_capture_that_does_not_know_its_time_proves_little);
	tcase_add_test(whose, the_id_of_the_boot_tells_host_and_boot);
	tcase_add_test(whose, a_live_host_has_the_clocks_of_this_machine);
	suite_add_tcase(suite, whose);
	tcase_add_checked_fixture(answers, setup_host, teardown_host);
	tcase_add_test(answers, a_locked_mapping_is_exact_now_and_not_in_another_boot);
	tcase_add_test(answers, a_uuid_proves_the_mapping_in_this_boot_only);
	tcase_add_test(answers, the_kernel_s_address_stands_alone_in_this_boot_only);
	tcase_add_test(answers, an_address_that_agrees_proves_no_other_part_of_a_record);
	tcase_add_test(answers, no_device_of_this_host_no_page);
	tcase_add_test(answers, a_name_that_another_device_has_now_is_no_mapping);
	tcase_add_test(answers, the_record_of_nothing_then_has_a_page_now);
	suite_add_tcase(suite, answers);
	tcase_set_timeout(machines, 120);
	tcase_add_test(machines, lines_of_another_boot_or_kernel_are_never_wrong);
	tcase_add_test(machines, lines_of_another_host_have_no_page);
	suite_add_tcase(suite, machines);
	return suite;
}
