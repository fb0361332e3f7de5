// SPDX-License-Identifier: LGPL-2.1-or-later
/* The repairs of a device that are possible, and why others are not. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "model/repairs.h"
#include "tests/lib/suites.h"

/* A device with one endpoint decoder and an instance each of ppr and row sparing. */
struct machine {
	struct edac_repair repairs[2];
	struct edac_device edac;
	struct region region;
	struct decoder decoder, *decoders[1];
	struct port endpoint;
	struct memdev memdev;
	const struct memdev *memdevs[1];
	struct host host;
};

static struct machine m;

static void setup(void)
{
	memset(&m, 0, sizeof(m));
	m.repairs[0] = (struct edac_repair){.type = EDAC_REPAIR_ROW_SPARING};
	m.repairs[1] = (struct edac_repair){.number = 1, .type = EDAC_REPAIR_PPR};
	m.edac = (struct edac_device){.repairs = m.repairs, .n_repairs = 2};
	m.decoder = (struct decoder){.port = &m.endpoint};
	m.decoders[0] = &m.decoder;
	m.endpoint = (struct port){.kind = PORT_ENDPOINT,
				   .decoders = (const struct decoder *const *)m.decoders,
				   .n_decoders = 1};
	m.memdev = (struct memdev){
		.name = "mem0", .enabled = true, .endpoint = &m.endpoint, .edac = &m.edac};
	m.memdevs[0] = &m.memdev;
	m.host = (struct host){.memdevs = m.memdevs, .n_memdevs = 1, .kernel_release = "7.3.4"};
}

static void commit(bool locked)
{
	m.endpoint.decoders_committed = OPT_U64(1);
	m.decoder.size = OPT_U64(256);
	m.decoder.locked = OPT_BOOL(locked);
	m.decoder.region = &m.region;
}

static const struct {
	bool committed, locked, no_region;
	struct opt_bool safe;
	enum repair_when when;
} cases[] = {
	{false, false, false, OPT_BOOL(false), REPAIR_NOW},
	{false, false, false, {0}, REPAIR_NOW},
	{true, false, false, OPT_BOOL(true), REPAIR_AFTER_EVENT},
	{true, true, false, OPT_BOOL(true), REPAIR_AFTER_EVENT},
	{true, false, false, OPT_BOOL(false), REPAIR_NOT_IN_USE},
	{true, true, false, OPT_BOOL(false), REPAIR_NOT_HERE},
	{true, false, true, OPT_BOOL(false), REPAIR_NOT_HERE},
	{true, false, false, {0}, REPAIR_NOT_KNOWN},
};

START_TEST(a_repair_is_possible_when_linux_does_it)
{
	if (cases[_i].committed)
		commit(cases[_i].locked);
	else
		m.endpoint.decoders_committed = OPT_U64(0);
	if (cases[_i].no_region)
		m.decoder.region = NULL;
	m.repairs[0].safe_when_used = cases[_i].safe;
	ck_assert_str_eq(repair_when_name(repair_when(&m.memdev, &m.repairs[0])),
			 repair_when_name(cases[_i].when));
}
END_TEST

START_TEST(use_is_known_by_the_count_or_by_a_committed_decoder)
{
	ck_assert(!memdev_is_used(&m.memdev).present);
	m.decoder.size = OPT_U64(256);
	ck_assert(opt_bool_is_true(memdev_is_used(&m.memdev)));
	m.endpoint.decoders_committed = OPT_U64(0); /* the size is of one that was reset */
	ck_assert(memdev_is_used(&m.memdev).present && !memdev_is_used(&m.memdev).value);
	m.memdev.endpoint = NULL;
	ck_assert(memdev_is_used(&m.memdev).present && !memdev_is_used(&m.memdev).value);
}
END_TEST

static void expect_absence(const char *part)
{
	char text[REPAIRS_ABSENCE_MAX];
	const char *why = repairs_absence(&m.host, &m.memdev, text);

	ck_assert_ptr_nonnull(why);
	ck_assert_msg(strstr(why, part), "%s", why);
}

START_TEST(the_reason_for_no_repair_is_the_first_that_is_certain)
{
	char text[REPAIRS_ABSENCE_MAX];
	struct memdev other = m.memdev;
	const struct memdev *both[] = {&m.memdev, &other};

	ck_assert_ptr_null(repairs_absence(&m.host, &m.memdev, text));
	m.memdev.edac = NULL;
	expect_absence("or the device has none");
	m.host.options.repair = OPT_BOOL(false);
	(void)snprintf(m.host.options.from, sizeof(m.host.options.from), "/proc/config.gz");
	expect_absence("as /proc/config.gz says");
	m.host.options.repair = OPT_BOOL(true);
	expect_absence("the device offers no repair");
	m.host.options.repair = (struct opt_bool){0};
	m.host.memdevs = both;
	m.host.n_memdevs = 2;
	expect_absence("the device offers no repair");
	m.memdev.enabled = false;
	expect_absence("cxl_mem is not bound");
	m.host.kernel_release = "6.15.9";
	expect_absence("6.15.9 is too old");
}
END_TEST

START_TEST(types_with_the_same_answer_are_named_together)
{
	char text[REPAIRS_TEXT_MAX];

	m.endpoint.decoders_committed = OPT_U64(0);
	ck_assert_str_eq(repairs_text(&m.memdev, text),
			 "row-sparing, ppr: now, because no decoder of it is committed");
	commit(false);
	m.repairs[0].safe_when_used = OPT_BOOL(false);
	m.repairs[1].safe_when_used = OPT_BOOL(true);
	ck_assert_str_eq(
		repairs_text(&m.memdev, text),
		"ppr: while it is in use, of an address in an event of this boot; row-sparing: not while it is in use: the repair stops access or loses data");
}
END_TEST

SUITE(check_repairs)
{
	Suite *s = suite_create("repairs");
	TCase *t = tcase_create("repairs");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_loop_test(t, a_repair_is_possible_when_linux_does_it, 0, ARRAY_SIZE(cases));
	tcase_add_test(t, use_is_known_by_the_count_or_by_a_committed_decoder);
	tcase_add_test(t, the_reason_for_no_repair_is_the_first_that_is_certain);
	tcase_add_test(t, types_with_the_same_answer_are_named_together);
	suite_add_tcase(s, t);
	return s;
}
