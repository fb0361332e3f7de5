// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets of readings: error counters, to which device they belong, reading again, comparison. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "mailbox/readings.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

/* The root port above mem0. */
#define ROOT_PORT0 "sys/devices/pci0000:de/0000:de:01.0"

static struct mailbox_client *client;
static struct readings *r;

static void enter_and_read(void)
{
	enter();
	ck_assert_int_eq(mailbox_client_new(host->root, &client, NULL), 0);
	ck_assert_int_eq(readings_read(client, host, NULL, NULL, &r), 0);
}

static void setup(void)
{
	tree_setup();
}

static void teardown(void)
{
	r = readings_unref(r);
	client = mailbox_client_free(client);
	tree_teardown();
}

/* Return: a set with a reference of the caller. */
static struct readings *read_again(const char *only)
{
	struct readings *again;

	ck_assert_int_eq(readings_read(client, host, r, only, &again), 0);
	return again;
}

static size_t count_notes(const struct readings *set, const char *text)
{
	const char *const *notes;
	size_t n, count = 0;

	notes = readings_notes(set, &n);
	for (size_t i = 0; i < n; i++) {
		ck_assert(str_is_plain(notes[i]));
		count += strstr(notes[i], text) != NULL;
	}
	return count;
}

#define must_be(o, v)	  ck_assert((o).present && (o).value == (v))
#define must_be_absent(o) ck_assert(!(o).present)

START_TEST(pci_functions_of_cxl_are_read)
{
	static const char *const functions[] = {
		"0000:0c:00.0",					/* root ports */
		"0000:0d:00.0",					/* the switch */
		"0000:0e:00.0", "0000:0e:01.0", "0000:0f:00.0", /* memory devices */
		"0000:10:00.0",
	};

	tree_teardown();
	tree_setup_from("switch-7.3");
	enter_and_read();
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct aer_counters *aer = readings_aer(r, functions[i]);

		ck_assert_msg(aer, "%s", functions[i]);
		must_be(aer->correctable, 0);
		must_be(aer->fatal, 0);
		must_be(aer->unsupported_request, 0);
		must_be_absent(aer->root_fatal);
	}
	ck_assert_ptr_null(readings_aer(r, "0000:0c:01.0")); /* nothing of CXL below it */
	ck_assert_ptr_null(readings_aer(r, ""));
	ck_assert_ptr_null(readings_aer(r, NULL));
	ck_assert_ptr_null(readings_aer(NULL, functions[0]));
	ck_assert_uint_eq(count_notes(r, ""), 0);
}
END_TEST

START_TEST(counters_are_read)
{
	const struct aer_counters *aer;

	set(PCI_MEM0 "/aer_dev_correctable",
	    "RxErr 1\nBadTLP 2\nBadDLLP 3\nRollover 4\nTimeout 5\nNonFatalErr 6\nCorrIntErr 7\n"
	    "HeaderOF 8\nTOTAL_ERR_COR 36\n");
	set(PCI_MEM0 "/aer_dev_nonfatal", "Undefined 0\nUnsupReq 10\nTOTAL_ERR_NONFATAL 11\n");
	set(PCI_MEM0 "/aer_dev_fatal", "Undefined 0\nUnsupReq 20\nTOTAL_ERR_FATAL 22\n");
	set(ROOT_PORT0 "/aer_rootport_total_err_cor", "7\n");
	set(ROOT_PORT0 "/aer_rootport_total_err_nonfatal", "8\n");
	set(ROOT_PORT0 "/aer_rootport_total_err_fatal", "18446744073709551615\n");
	enter_and_read();
	aer = readings_aer(r, "0000:e0:00.0");
	must_be(aer->receiver_error, 1);
	must_be(aer->bad_tlp, 2);
	must_be(aer->bad_dllp, 3);
	must_be(aer->replay_rollover, 4);
	must_be(aer->replay_timeout, 5);
	must_be(aer->correctable, 36);
	must_be(aer->nonfatal, 11);
	must_be(aer->fatal, 22);
	must_be(aer->unsupported_request, 30);
	must_be_absent(aer->root_correctable);
	aer = readings_aer(r, "0000:de:01.0");
	must_be(aer->root_correctable, 7);
	must_be(aer->root_nonfatal, 8);
	must_be(aer->root_fatal, UINT64_MAX);
	must_be(aer->correctable, 0);
	ck_assert_uint_eq(count_notes(r, ""), 0);
}
END_TEST

START_TEST(invalid_counters_are_absent_and_noted)
{
	const struct aer_counters *aer;

	set(PCI_MEM0 "/aer_dev_correctable",
	    "RxErr x\nBadTLP -1\nBadDLLP 18446744073709551616\nRollover \nTimeout  5\n"
	    "TOTAL_ERR_COR 1 2\n");
	/* Each alone fits, both together do not. */
	set(PCI_MEM0 "/aer_dev_nonfatal", "UnsupReq 18446744073709551615\nTOTAL_ERR_NONFATAL 9\n");
	set(PCI_MEM0 "/aer_dev_fatal", "UnsupReq 1\nTOTAL_ERR_FATAL\nUnsupReq2 7\nTOTAL_ERR 3");
	set(ROOT_PORT0 "/aer_rootport_total_err_cor", "many\n");
	enter_and_read();
	aer = readings_aer(r, "0000:e0:00.0");
	must_be_absent(aer->receiver_error);
	must_be_absent(aer->bad_tlp);
	must_be_absent(aer->bad_dllp);
	must_be_absent(aer->replay_rollover);
	must_be_absent(aer->replay_timeout);
	must_be_absent(aer->correctable);
	must_be(aer->nonfatal, 9);
	must_be_absent(aer->fatal);
	must_be_absent(aer->unsupported_request);
	ck_assert_uint_eq(
		count_notes(r, "0000:e0:00.0: BadTLP of aer_dev_correctable is not a number"), 1);
	ck_assert_uint_eq(count_notes(r, "0000:e0:00.0: "), 6);
	must_be_absent(readings_aer(r, "0000:de:01.0")->root_correctable);
	ck_assert_uint_eq(count_notes(r, "0000:de:01.0: aer_rootport_total_err_cor"), 1);
}
END_TEST

START_TEST(invalid_counter_files_are_survived)
{
	static char large[8192];

	memset(large, 'x', sizeof(large) - 1);
	set(PCI_MEM0 "/aer_dev_correctable", large);
	set(PCI_MEM0 "/aer_dev_nonfatal", "\n\n \n\x80\xff 1\nTOTAL_ERR_NONFATAL 1\n");
	drop(PCI_MEM0 "/aer_dev_fatal");
	put_directory(tree, PCI_MEM0 "/aer_dev_fatal");
	drop("sys/bus/pci/devices/0000:df:00.0");
	enter_and_read();
	ck_assert_uint_eq(count_notes(r, "0000:e0:00.0: aer_dev_correctable is longer than"), 1);
	must_be(readings_aer(r, "0000:e0:00.0")->nonfatal, 1);
	must_be_absent(readings_aer(r, "0000:e0:00.0")->fatal);
	must_be_absent(readings_aer(r, "0000:df:00.0")->correctable);
}
END_TEST

static void put_state(const char *memdev, uint8_t state)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "mbox/%s/shutdown_state.bin", memdev);
	(void)unlinkat(tree, path, 0);
	put_file(tree, path, &state, sizeof(state));
}

static const struct mailbox *mailbox(const struct readings *set, const char *memdev)
{
	return readings_mailbox(set, host_memdev(host, memdev));
}

START_TEST(equal_sets_compare_equal)
{
	struct readings *again;

	put_state("mem0", 0);
	enter_and_read();
	again = read_again(NULL);
	ck_assert(readings_equal(r, again) && readings_equal(again, r) && readings_equal(r, r));
	again = readings_unref(again);

	put_state("mem0", 1);
	again = read_again(NULL);
	ck_assert(!readings_equal(r, again));
	must_be(mailbox(r, "mem0")->shutdown_dirty, false);
	must_be(mailbox(again, "mem0")->shutdown_dirty, true);
	again = readings_unref(again);

	put_state("mem0", 0);
	set(PCI_MEM0 "/aer_dev_fatal", "TOTAL_ERR_FATAL 1\n");
	again = read_again(NULL);
	ck_assert(!readings_equal(r, again));
	again = readings_unref(again);

	ck_assert(readings_equal(NULL, NULL));
	ck_assert(!readings_equal(r, NULL) && !readings_equal(NULL, r));
}
END_TEST

START_TEST(one_device_is_read_again_alone)
{
	struct readings *again;

	put_state("mem0", 0);
	put_state("mem1", 7);
	enter_and_read();
	ck_assert_uint_eq(count_notes(r, "mem1: Get Shutdown State"), 1);
	for (const char *const *m = (const char *const[]){"mem0", "mem1", NULL}; *m; m++)
		put_state(*m, 1);
	set(PCI_MEM0 "/aer_dev_fatal", "TOTAL_ERR_FATAL 1\n");

	again = read_again("mem2");
	ck_assert(readings_equal(r, again));
	ck_assert_uint_eq(count_notes(again, "mem1: Get Shutdown State"), 1);
	again = readings_unref(again);

	again = read_again("mem0");
	must_be(mailbox(again, "mem0")->shutdown_dirty, true);
	must_be_absent(mailbox(again, "mem1")->shutdown_dirty);
	must_be(readings_aer(again, "0000:e0:00.0")->fatal, 1);
	ck_assert_uint_eq(count_notes(again, "mem1: Get Shutdown State"), 1);
	again = readings_unref(again);

	/* With an unknown name all are read. */
	again = read_again("mem99");
	must_be(mailbox(again, "mem1")->shutdown_dirty, true);
	ck_assert_uint_eq(count_notes(again, ""), 0);
	again = readings_unref(again);
}
END_TEST

/* No uevent reports a change of it. */
START_TEST(the_security_state_is_read_each_time)
{
	struct readings *again;

	set(MEM0 "/security/state", "unlocked\n");
	enter_and_read();
	ck_assert_str_eq(readings_security(r, host_memdev(host, "mem0"))->state, "unlocked");
	set(MEM0 "/security/state", "locked\n");
	again = read_again("mem1");
	ck_assert(readings_equal(r, again));
	ck_assert_str_eq(readings_security(again, host_memdev(host, "mem0"))->state, "unlocked");
	again = readings_unref(again);
	again = read_again(NULL);
	ck_assert(!readings_equal(r, again));
	ck_assert_str_eq(readings_security(again, host_memdev(host, "mem0"))->state, "locked");
	again = readings_unref(again);
	drop(MEM0 "/security/state");
	again = read_again(NULL);
	ck_assert(!readings_equal(r, again));
	ck_assert_ptr_null(readings_security(again, host_memdev(host, "mem0"))->state);
	again = readings_unref(again);
	ck_assert_ptr_null(readings_security(NULL, host_memdev(host, "mem0")));
}
END_TEST

START_TEST(the_light_of_a_slot_is_read_each_time)
{
	static const struct {
		const char *text;
		struct opt_bool light;
	} rows[] = {{"0\n", OPT_BOOL(false)}, {"2\n", OPT_BOOL(true)}, {"255\n", {0}}};
	struct readings *again;

	(void)mkdirat(tree, "sys/bus/pci/slots", 0755);
	(void)mkdirat(tree, "sys/bus/pci/slots/5", 0755);
	set("sys/bus/pci/slots/5/address", "0000:e0:00\n");
	set("sys/bus/pci/slots/5/attention", "1\n");
	enter_and_read();
	must_be(readings_light(r, host_memdev(host, "mem0")), true);
	must_be_absent(readings_light(r, host_memdev(host, "mem1")));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set("sys/bus/pci/slots/5/attention", rows[i].text);
		again = read_again(NULL);
		ck_assert_int_eq(readings_light(again, host_memdev(host, "mem0")).present,
				 rows[i].light.present);
		ck_assert_int_eq(readings_light(again, host_memdev(host, "mem0")).value,
				 rows[i].light.value);
		ck_assert(readings_equal(r, again) == (rows[i].light.value == true));
		again = readings_unref(again);
	}
}
END_TEST

/* ---- scrub ------------------------------------------------------------------------------------
 */

#define EDAC0 MEM0 "/cxl_mem0"

static void put_scrub(void)
{
	static const char *const directories[] = {EDAC0, EDAC0 "/scrub0", EDAC0 "/ecs_fru0",
						  EDAC0 "/ecs_fru1"};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		put_directory(tree, directories[i]);
	set(EDAC0 "/scrub0/enable_background", "1\n");
	set(EDAC0 "/scrub0/current_cycle_duration", "43200\n");
	set(EDAC0 "/scrub0/min_cycle_duration", "3600\n");
	for (size_t i = 2; i < ARRAY_SIZE(directories); i++) {
		char path[96];

		(void)snprintf(path, sizeof(path), "%s/log_entry_type", directories[i]);
		set(path, "1\n");
		(void)snprintf(path, sizeof(path), "%s/mode", directories[i]);
		set(path, "0\n");
		(void)snprintf(path, sizeof(path), "%s/threshold", directories[i]);
		set(path, "1024\n");
	}
}

static const struct memdev_scrub *scrub_of(const struct readings *set_of, const char *memdev)
{
	return readings_scrub(set_of, host_memdev(host, memdev));
}

START_TEST(scrub_is_read_with_the_other_values)
{
	struct readings *again;

	put_scrub();
	enter_and_read();
	ck_assert(scrub_of(r, "mem0")->patrol.found);
	must_be(scrub_of(r, "mem0")->patrol.enabled, true);
	must_be(scrub_of(r, "mem0")->patrol.cycle_s, 43200);
	must_be(scrub_of(r, "mem0")->patrol.min_cycle_s, 3600);
	ck_assert_uint_eq(scrub_of(r, "mem0")->n_frus, 2);
	must_be(memdev_ecs_common(scrub_of(r, "mem0"), offsetof(struct ecs_fru, threshold)), 1024);
	ck_assert(!scrub_of(r, "mem1")->patrol.found);
	ck_assert_uint_eq(scrub_of(r, "mem1")->n_frus, 0);
	ck_assert_ptr_null(readings_scrub(NULL, host_memdev(host, "mem0")));
	ck_assert_uint_eq(count_notes(r, "scrub"), 0);
	set(EDAC0 "/ecs_fru1/threshold", "4096\n");
	again = read_again("mem1");
	ck_assert(readings_equal(r, again));
	again = readings_unref(again);
	again = read_again(NULL);
	ck_assert(!readings_equal(r, again));
	must_be(scrub_of(again, "mem0")->frus[1].threshold, 4096);
	must_be_absent(
		memdev_ecs_common(scrub_of(again, "mem0"), offsetof(struct ecs_fru, threshold)));
	must_be(memdev_ecs_common(scrub_of(again, "mem0"), offsetof(struct ecs_fru, per_fru)), 1);
	again = readings_unref(again);
}
END_TEST

START_TEST(a_setting_is_shown_with_the_values_that_were_read_after_it)
{
	const struct scrub_set set_by = {1, "admin from 192.0.2.1",
					 "mem0: on, 2 h; before: on, 12 h"};
	struct memdev other;
	struct readings *again;

	put_scrub();
	enter_and_read();
	scrub_set_note(host_memdev(host, "mem0"), SCRUB_PATROL, &set_by);
	ck_assert_ptr_null(readings_scrub_set(r, host_memdev(host, "mem0"), SCRUB_PATROL));
	again = read_again("mem0");
	ck_assert(!readings_equal(r, again));
	ck_assert_str_eq(readings_scrub_set(again, host_memdev(host, "mem0"), SCRUB_PATROL)->text,
			 set_by.text);
	ck_assert_ptr_null(readings_scrub_set(again, host_memdev(host, "mem0"), SCRUB_ECS));
	ck_assert_ptr_null(readings_scrub_set(again, host_memdev(host, "mem1"), SCRUB_PATROL));
	/* Another device with the name was not set. */
	other = *host_memdev(host, "mem0");
	other.serial.value++;
	ck_assert_ptr_null(readings_scrub_set(again, &other, SCRUB_PATROL));
	again = readings_unref(again);
}
END_TEST

static const struct {
	const char *file, *text, *note;
} garbage[] = {
	{EDAC0 "/scrub0/enable_background", "2\n", "enable_background is \"2\", not 0 or 1"},
	{EDAC0 "/scrub0/enable_background", "", "enable_background"},
	{EDAC0 "/scrub0/current_cycle_duration", "0\n",
	 "current_cycle_duration is 0, which no device can have"},
	{EDAC0 "/scrub0/current_cycle_duration", "918001\n", "current_cycle_duration is 918001"},
	{EDAC0 "/scrub0/current_cycle_duration", "12 hours\n", "not a number"},
	{EDAC0 "/scrub0/min_cycle_duration", "99999999999999999999999\n", "not a number"},
	{EDAC0 "/scrub0/min_cycle_duration", "4294967295\n", "min_cycle_duration is 4294967295"},
	{EDAC0 "/ecs_fru0/log_entry_type", "2\n", "mem0 ecs_fru0: log_entry_type is 2"},
	{EDAC0 "/ecs_fru1/mode", "-1\n", "mem0 ecs_fru1: mode"},
	{EDAC0 "/ecs_fru1/threshold", "512\n",
	 "mem0 ecs_fru1: threshold is 512, which no device can have"},
};

static size_t count_present(const struct memdev_scrub *s)
{
	size_t n = (size_t)s->patrol.enabled.present + s->patrol.cycle_s.present +
		   s->patrol.min_cycle_s.present;

	for (size_t i = 0; i < s->n_frus; i++)
		n += (size_t)s->frus[i].per_fru.present + s->frus[i].codewords.present +
		     s->frus[i].threshold.present;
	return n;
}

START_TEST(scrub_values_that_are_none_are_absent_and_noted)
{
	put_scrub();
	set(garbage[_i].file, garbage[_i].text);
	enter_and_read();
	ck_assert_uint_eq(count_present(scrub_of(r, "mem0")), 8);
	if (garbage[_i].text[0])
		ck_assert_uint_eq(count_notes(r, garbage[_i].note), 1);
}
END_TEST

START_TEST(a_device_with_too_many_frus_is_read_up_to_a_limit)
{
	char path[96];

	put_scrub();
	for (int i = 2; i < SCRUB_FRUS_MAX + 3; i++) {
		(void)snprintf(path, sizeof(path), EDAC0 "/ecs_fru%d", i);
		put_directory(tree, path);
	}
	enter_and_read();
	ck_assert_uint_eq(scrub_of(r, "mem0")->n_frus, SCRUB_FRUS_MAX + 3);
	must_be_absent(memdev_ecs_common(scrub_of(r, "mem0"), offsetof(struct ecs_fru, threshold)));
	ck_assert_uint_eq(
		count_notes(r, "mem0: it has 35 FRUs with error check scrub, of which 32 are read"),
		1);
}
END_TEST

START_TEST(reading_of_another_device_of_that_name_is_not_used)
{
	struct memdev other;

	put_state("mem0", 0);
	enter_and_read();
	other = *host_memdev(host, "mem0");
	ck_assert_ptr_nonnull(readings_mailbox(r, &other));
	other.serial.value++;
	ck_assert_ptr_null(readings_mailbox(r, &other));
	other.serial = (struct opt_u64){0};
	ck_assert_ptr_null(readings_mailbox(r, &other));
	other = *host_memdev(host, "mem0");
	other.bdf = "0000:77:00.0";
	ck_assert_ptr_null(readings_mailbox(r, &other));
	other.bdf = NULL;
	ck_assert_ptr_null(readings_mailbox(r, &other));
	other = *host_memdev(host, "mem0");
	other.name = "mem9";
	ck_assert_ptr_null(readings_mailbox(r, &other));
	ck_assert_ptr_null(readings_mailbox(NULL, &other));
}
END_TEST

START_TEST(notes_of_one_device_do_not_displace_those_of_another)
{
	static const char *const memdevs[] = {"mem0", "mem1", "mem2", "mem3"};
	static const char *const functions[] = {
		"0000:0c:00.0", "0000:0c:01.0", "0000:0d:00.0", "0000:0e:00.0",
		"0000:de:00.0", "0000:de:01.0", "0000:df:00.0", "0000:e0:00.0",
	};
	char path[128];
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(memdevs); i++)
		put_state(memdevs[i], 9);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		(void)snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/aer_dev_correctable",
			       functions[i]);
		set(path, "RxErr x\nBadTLP x\nBadDLLP x\nRollover x\nTimeout x\nTOTAL_ERR_COR x\n");
		(void)snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/aer_dev_fatal",
			       functions[i]);
		set(path, "UnsupReq x\nTOTAL_ERR_FATAL x\n");
	}
	enter_and_read();
	(void)readings_notes(r, &n);
	ck_assert_uint_eq(n, ARRAY_SIZE(memdevs) + 8 * ARRAY_SIZE(functions));
	for (size_t i = 0; i < ARRAY_SIZE(memdevs); i++)
		ck_assert_uint_eq(count_notes(r, memdevs[i]), 1);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		ck_assert_uint_eq(count_notes(r, functions[i]), 8);
	(void)readings_notes(NULL, &n);
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(host_without_cxl_has_no_readings)
{
	tree_teardown();
	tree_setup_empty();
	enter_and_read();
	ck_assert_uint_eq(count_notes(r, ""), 0);
	ck_assert_ptr_null(readings_aer(r, "0000:e0:00.0"));
	ck_assert_ptr_null(readings_unref(NULL));
}
END_TEST

SUITE(check_readings)
{
	Suite *s = suite_create("readings");
	TCase *t = tcase_create("readings");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, pci_functions_of_cxl_are_read);
	tcase_add_test(t, counters_are_read);
	tcase_add_test(t, invalid_counters_are_absent_and_noted);
	tcase_add_test(t, invalid_counter_files_are_survived);
	tcase_add_test(t, equal_sets_compare_equal);
	tcase_add_test(t, one_device_is_read_again_alone);
	tcase_add_test(t, the_security_state_is_read_each_time);
	tcase_add_test(t, the_light_of_a_slot_is_read_each_time);
	tcase_add_test(t, scrub_is_read_with_the_other_values);
	tcase_add_test(t, a_setting_is_shown_with_the_values_that_were_read_after_it);
	tcase_add_loop_test(t, scrub_values_that_are_none_are_absent_and_noted, 0,
			    ARRAY_SIZE(garbage));
	tcase_add_test(t, a_device_with_too_many_frus_is_read_up_to_a_limit);
	tcase_add_test(t, reading_of_another_device_of_that_name_is_not_used);
	tcase_add_test(t, notes_of_one_device_do_not_displace_those_of_another);
	tcase_add_test(t, host_without_cxl_has_no_readings);
	suite_add_tcase(s, t);
	return s;
}
