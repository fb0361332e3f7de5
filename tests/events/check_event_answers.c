// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The records of the captured hosts, translated: compared with the kernel's hpa, and with the rule
 * that the captures contain beside the firmware's own answers. Each test changes to its host's root
 * and does not change back, which is harmless because Check runs it in a child process.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/event_fill.h"
#include "events/replay.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;
static struct host_root *root;
static const struct host *host;
static struct translator *translator;
static struct event_mapping *mapping;
static struct records got;
static struct stored_event ev;

static void enter_host(const char *name)
{
	_cleanup_close_ int fd = -1;
	struct event_counts counts;
	struct error e = {0};
	char path[4096];

	bundled_host(name, path, sizeof(path));
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_int_eq(translator_new(host, NULL, &translator, &e), 0);
	ck_assert_int_eq(event_mapping_new(host, translator, &mapping, &e), 0);
	fd = openat(root->dirfd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_msg(event_replay(fd, collect, &got, &counts, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(got.n, 17);
}

static void setup(void)
{
	scratch_setup(&scratch);
	got = (struct records){0};
}

static void teardown(void)
{
	records_done(&got);
	mapping = event_mapping_unref(mapping);
	translator = translator_unref(translator);
	host = host_unref(host);
	root = host_root_free(root);
	scratch_teardown(&scratch);
}

static const struct event_answer *fill(const struct event_record *rec)
{
	uint8_t boot[EVENT_BOOT_ID_SIZE];

	event_boot_id(root, boot);
	event_fill(mapping, boot, rec, &provenance_live, 1, &ev, NULL);
	ck_assert(!ev.pending && !ev.answer.hpa_disagrees);
	return &ev.answer;
}

static bool is_normalized(const char *name)
{
	return str_after_prefix(name, "normalized") != NULL;
}

/* normalized-*: two 2-way sets of 256 bytes, from 0x210000000 and 0x310000000 on. */
static uint64_t spa_by_rule(const struct event_record *rec)
{
	static const struct {
		const char *bdf;
		uint64_t base, position;
	} rules[] = {{"0000:0d:00.0", 0x210000000, 0},
		     {"0000:0e:00.0", 0x210000000, 1},
		     {"0000:df:00.0", 0x310000000, 0},
		     {"0000:e0:00.0", 0x310000000, 1}};
	const uint64_t dpa = rec->number[FIELD_DPA];

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (str_equal(rules[i].bdf, rec->host))
			return rules[i].base + dpa / 256 * 512 + rules[i].position * 256 +
			       dpa % 256;
	ck_abort_msg("%s", rec->host);
	return 0;
}

START_TEST(every_address_follows_the_rules_of_the_kernel_version)
{
	const char *name = hosts_with_events[_i];
	size_t addressed = 0;

	enter_host(name);
	ARRAY_FOREACH(rec, &got) {
		const struct event_answer *a = fill(rec);
		const uint64_t expected =
			is_normalized(name) ? spa_by_rule(rec) : rec->number[FIELD_HPA];

		if (!event_type_has_address(rec->type)) {
			ck_assert(!a->has_spa);
			continue;
		}
		addressed++;
		ck_assert(a->has_spa && a->exact);
		ck_assert_uint_eq(a->spa, expected);
		ck_assert_str_eq(a->region, rec->region);
		if (is_normalized(name))
			ck_assert(a->source == SOURCE_RECORDED || a->source == SOURCE_EMULATED);
		else
			ck_assert_int_eq(a->source, SOURCE_KERNEL);
	}
	ck_assert_uint_eq(addressed, 13);
}
END_TEST

START_TEST(decoders_and_kernel_agree)
{
	enter_host(hosts_with_events[_i]);
	ARRAY_FOREACH(rec, &got) {
		_cleanup_(answers_done) struct answers answers = {0};
		const struct opt_u64 hpa = event_number(rec, FIELD_HPA);
		const uint64_t dpa = rec->number[FIELD_DPA];
		const struct answer *a;

		if (!hpa.present)
			continue;
		ck_assert_int_eq(translate_dpa(translator, host_memdev_by_bdf(host, rec->host), dpa,
					       dpa, &answers),
				 0);
		a = &answers.items[0];
		ck_assert(a->exact && opt_u64_is(hpa, a->spa));
		ck_assert_int_eq(a->source, SOURCE_DECODER);
		ck_assert_str_eq(a->dax->name, "dax0.0");
		ck_assert(a->numa_node.present);
	}
}
END_TEST

/* Nothing says that the mapping of the capture is the one under which its records were made. */
START_TEST(a_captured_record_without_hpa_is_not_exact)
{
	enter_host(hosts_with_events[_i]);
	ARRAY_FOREACH(rec, &got) {
		if (!event_number(rec, FIELD_HPA).present)
			continue;
		rec->present &= ~(UINT64_C(1) << FIELD_HPA);
		(void)fill(rec);
		ck_assert(!ev.answer.has_spa && !ev.answer.exact);
		ck_assert_msg(strstr(ev.answer.reason, "may be older"), "%s", ev.answer.reason);
	}
}
END_TEST

START_TEST(devices_are_named_by_their_serial_numbers)
{
	enter_host(hosts_with_events[_i]);
	ARRAY_FOREACH(rec, &got) {
		(void)fill(rec);
		ck_assert_str_eq(ev.device, rec->number[FIELD_SERIAL] == 0xabc0
						    ? "cxl-000000000000abc0"
						    : "cxl-000000000000abc1");
	}
}
END_TEST

START_TEST(a_capture_without_the_id_of_its_boot_has_one_of_its_own)
{
	static const uint8_t unknown[EVENT_BOOT_ID_SIZE];
	uint8_t boot[EVENT_BOOT_ID_SIZE], again[EVENT_BOOT_ID_SIZE];

	enter_host(hosts_with_events[_i]);
	event_boot_id(root, boot);
	event_boot_id(root, again);
	ck_assert_mem_eq(boot, again, sizeof(boot));
	ck_assert_mem_ne(boot, unknown, sizeof(boot));
	ck_assert_uint_eq(boot[6] >> 4, 8);
}
END_TEST

SUITE(check_event_answers)
{
	Suite *suite = suite_create("translated events of captured hosts");
	TCase *t = tcase_create("hosts");
	int n = ARRAY_SIZE(hosts_with_events);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, every_address_follows_the_rules_of_the_kernel_version, 0, n);
	tcase_add_loop_test(t, decoders_and_kernel_agree, 0, n);
	tcase_add_loop_test(t, a_captured_record_without_hpa_is_not_exact, 0, n);
	tcase_add_loop_test(t, devices_are_named_by_their_serial_numbers, 0, n);
	tcase_add_loop_test(t, a_capture_without_the_id_of_its_boot_has_one_of_its_own, 0, n);
	suite_add_tcase(suite, t);
	return suite;
}
