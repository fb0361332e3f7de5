// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Repairs that no person asks for: which entries of the worklist are repaired at boot, by what
 * name of their device, and what is never repeated. The host is the captured idle-7.3 as a tree
 * that each reading sees as it is then; the change helper is a table of the test.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "capture/captured_tree.h"
#include "common/allow.h"
#include "common/array.h"
#include "common/strutil.h"
#include "daemon/boot_repairs.h"
#include "events/event_fill.h"
#include "events/store.h"
#include "tests/lib/repair_records.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define SERIAL	 0xabc9
#define DEVICE	 "cxl-000000000000abc9"
#define DEVICES	 "sys/bus/cxl/devices/"
#define ENDPOINT DEVICES "endpoint4/" /* of mem3 */

static char directory[64], path[96], log_file[96];
static struct state *state;
static struct store *store;
static struct host_root *root;
static struct error error;
static uint64_t n_requests;

static void setup(void)
{
	const struct store_options o = {.path = log_file, .max_records = 1000};
	char name[32];

	(void)snprintf(directory, sizeof(directory), "/tmp/check_boot_repairs.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	(void)snprintf(log_file, sizeof(log_file), "%s/" STORE_FILE, directory);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
	ck_assert_msg(store_open(&o, &store, &error) == 0, "%s", error.text);
	tree_setup_from("idle-7.3");
	put_text(tree, "proc/sys/kernel/random/boot_id", "d4a0f3b2-6a5c-4d8e-9b1f-0123456789ab\n");
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", tree);
	ck_assert_msg(captured_tree_open(name, &root, &error) == 0, "%s", error.text);
}

static void teardown(void)
{
	char command[96];

	root = host_root_free(root);
	tree_teardown();
	state = state_free(state);
	store = store_close(store);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* ---- the host ---------------------------------------------------------------------------------
 */

static void put_edac(const char *memdev, const char *type)
{
	char name[160];

	(void)snprintf(name, sizeof(name), DEVICES "%s/cxl_%s/mem_repair0/repair_type", memdev,
		       memdev);
	put_text(tree, name, type);
}

static void put_serial(const char *memdev, const char *serial)
{
	char name[96];

	(void)snprintf(name, sizeof(name), DEVICES "%s/serial", memdev);
	set(name, serial);
}

/* The device of the worklist has this name in the present boot. */
static void be_device(const char *memdev, const char *type)
{
	put_serial(memdev, "0xabc9\n");
	put_edac(memdev, type);
}

static void set_safe_when_used(const char *value)
{
	put_text(tree, DEVICES "mem3/cxl_mem3/mem_repair0/repair_safe_when_in_use", value);
}

/* ---- the worklist -----------------------------------------------------------------------------
 */

/* A record of an earlier boot, in which the device had another name, asks for post package repair.
 */
static struct stored_event request(uint64_t dpa)
{
	struct stored_event ev;

	made_event(n_requests++, &ev); /* whose boot is another one than that of the host */
	(void)snprintf(ev.device, sizeof(ev.device), DEVICE);
	(void)snprintf(ev.record.memdev, sizeof(ev.record.memdev), "mem7");
	ev.record.number[FIELD_HDR_TIMESTAMP] = MADE_TIME;
	record_ask_repair(&ev, SERIAL, dpa, 1, 0);
	return ev;
}

static void log_event(struct stored_event *ev)
{
	ck_assert_msg(store_append(store, ev, 1, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ev->outcome, STORE_FINAL);
}

static void ask_for_ppr(uint64_t dpa)
{
	struct stored_event ev = request(dpa);

	log_event(&ev);
}

static struct repair_entry entry_of(uint64_t id)
{
	struct repair_entry entry;

	ck_assert_msg(state_read_repair(state, id, &entry, &error) == 0, "%s", error.text);
	return entry;
}

static void expect_untouched(uint64_t id)
{
	const struct repair_entry entry = entry_of(id);

	ck_assert_uint_eq(entry.state, REPAIR_WAITING);
	ck_assert_uint_eq(entry.tries, 0);
	ck_assert_uint_eq(entry.alone, 0);
}

/* As of its process that ended before the result. */
static void interrupt(uint64_t id)
{
	const struct repair_attempt attempt = {.id = id, .type = EDAC_REPAIR_PPR};
	struct repair_entry entry;
	size_t n_new;

	ck_assert_int_eq(repairs_update(state, log_file, &n_new, &error), 0);
	ck_assert_int_eq(state_reserve_repair(state, &attempt, &entry, &error), 0);
}

/* ---- the change helper ------------------------------------------------------------------------
 */

static unsigned int allowed = ALLOW_REPAIR, n_made;
static int repair_error;
static bool repair_is_unknown;
static char made[CHANGE_NAME_MAX];
static void (*meanwhile)(void);

static int run_change(void *userdata, const struct change_call *call, struct change_result *ret)
{
	(void)userdata;
	n_made++;
	(void)snprintf(made, sizeof(made), "%s", call->change->object);
	memset(ret, 0, sizeof(*ret));
	if (meanwhile)
		meanwhile();
	return repair_error ? change_result_set(ret, repair_error,
						repair_is_unknown ? CHANGE_UNKNOWN : CHANGE_REFUSED,
						"a reason")
			    : 0;
}

static unsigned int get_allowed(void *userdata)
{
	(void)userdata;
	return allowed;
}

static const struct change_client_ops client_ops = {.run = run_change, .allowed = get_allowed};

/* ---- one boot ---------------------------------------------------------------------------------
 */

static unsigned int n_looks;
static void (*at_look)(void);

/* Asked before each wait for a device, and before each repair. */
static bool look(void *userdata)
{
	(void)userdata;
	n_looks++;
	if (at_look)
		at_look();
	return false;
}

/* Devices are waited for without an end, unless a test says so. */
static struct boot_repairs parameters(enum repair_policy policy)
{
	return (struct boot_repairs){
		.policy = policy,
		.state = state,
		.log = log_file,
		.root = root,
		.wait_ms = 24 * 60 * 60 * 1000,
		.begin_ms = BOOT_REPAIR_BEGIN_MS,
		.cancelled = look,
	};
}

static void run_with(struct boot_repairs b)
{
	b.client = change_client_new(&client_ops, NULL);
	ck_assert_ptr_nonnull(b.client);
	ck_assert_msg(boot_repairs_run(&b, &error) == 0, "%s", error.text);
	b.client = change_client_free(b.client);
}

static void boot(void)
{
	run_with(parameters(REPAIR_POLICY_UNUSED));
}

/* Why an entry was left, by the host as it is now. */
static const char *refusal_of(uint64_t id)
{
	static char text[REPAIR_TEXT_MAX];
	static struct repair_plan plan;
	const struct repair_entry entry = entry_of(id);
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	const struct host *now;
	const char *why;

	ck_assert_int_eq(host_read(root, &now, &error), 0);
	event_boot_id(root, boot_id);
	repair_plan_make(&entry, now, boot_id, MADE_TIME, &plan);
	why = boot_repair_refusal(&entry, &plan, text);
	if (why && why != text)
		(void)snprintf(text, sizeof(text), "%s", why);
	(void)host_unref(now);
	return why ? text : "";
}

static void expect_left(uint64_t id, const char *why)
{
	const char *found = refusal_of(id);

	ck_assert_msg(strstr(found, why), "%s", found);
	ck_assert_uint_eq(n_made, 0);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static const char *const names[] = {"mem0", "mem2", "mem3"};

START_TEST(a_device_that_is_not_used_is_repaired_by_whatever_name_it_has_now)
{
	struct repair_entry entry;

	be_device(names[_i], "ppr\n");
	ask_for_ppr(0x1000);
	boot();
	entry = entry_of(1);
	ck_assert_uint_eq(n_made, 1);
	ck_assert_str_eq(made, names[_i]);
	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(entry.alone, 1);
	ck_assert_uint_ne(entry.incident, 0);
	ck_assert_uint_eq(entry.unresolved, 1); /* nobody was there to close its incident */
	boot();
	ck_assert_uint_eq(n_made, 1);
}
END_TEST

START_TEST(all_places_are_repaired_one_after_the_other)
{
	be_device("mem3", "ppr\n");
	for (uint64_t i = 0; i < 4; i++)
		ask_for_ppr(0x1000 + 64 * i);
	boot();
	ck_assert_uint_eq(n_made, 4);
	for (uint64_t id = 1; id <= 4; id++)
		ck_assert_uint_eq(entry_of(id).state, REPAIR_DONE);
}
END_TEST

START_TEST(observe_makes_nothing)
{
	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	run_with(parameters(REPAIR_POLICY_OBSERVE));
	ck_assert_uint_eq(n_made, 0);
	expect_untouched(1);
	ck_assert_str_eq(refusal_of(1), "");
}
END_TEST

START_TEST(a_helper_that_allows_no_repair_is_not_asked_for_one)
{
	struct boot_repairs b = parameters(REPAIR_POLICY_UNUSED);

	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	allowed = ALLOW_SCRUB;
	b.wait_ms = 1;
	run_with(b);
	ck_assert_uint_eq(n_made, 0);
	expect_untouched(1);
}
END_TEST

static void allow_at_third_look(void)
{
	if (n_looks == 3)
		allowed = ALLOW_REPAIR;
}

START_TEST(a_helper_that_is_being_started_is_waited_for)
{
	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	allowed = 0;
	at_look = allow_at_third_look;
	boot();
	ck_assert_uint_eq(n_made, 1);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_DONE);
}
END_TEST

START_TEST(no_repair_is_begun_when_the_boot_was_held_up_for_long)
{
	struct boot_repairs b = parameters(REPAIR_POLICY_UNUSED);

	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	b.begin_ms = 0;
	run_with(b);
	ck_assert_uint_eq(n_made, 0);
	expect_untouched(1);
}
END_TEST

/* The record is of this boot, so that Linux would repair the place if somebody asked. */
START_TEST(a_device_in_use_is_left_though_it_is_safe)
{
	struct stored_event ev = request(0x1000);

	be_device("mem3", "ppr\n");
	set(ENDPOINT "decoders_committed", "1\n");
	set_safe_when_used("1\n");
	event_boot_id(root, ev.boot_id);
	log_event(&ev);
	boot();
	expect_left(1, "its device is in use; cxl-spa repair may repair it all the same");
	expect_untouched(1);
}
END_TEST

START_TEST(a_device_whose_decoders_firmware_committed_is_not_repaired_here)
{
	be_device("mem3", "ppr\n");
	set(ENDPOINT "decoders_committed", "1\n");
	set(ENDPOINT "decoder4.0/start", "0x100000000\n");
	set(ENDPOINT "decoder4.0/size", "0x10000000\n");
	set(ENDPOINT "decoder4.0/locked", "1\n");
	set_safe_when_used("0\n");
	ask_for_ppr(0x1000);
	boot();
	expect_left(1, "not here: decoders committed by firmware");
	set_safe_when_used("1\n");
	boot();
	expect_left(1, "the kernel forgot the event, which is of an earlier boot");
	expect_untouched(1);
}
END_TEST

static void make_region(void)
{
	set(ENDPOINT "decoders_committed", "1\n");
}

START_TEST(a_region_that_comes_during_the_round_ends_it_for_its_device)
{
	struct stored_event ev = request(0x1040);

	be_device("mem3", "ppr\n");
	set_safe_when_used("1\n");
	ask_for_ppr(0x1000);
	event_boot_id(root, ev.boot_id); /* Linux would repair this one in use */
	log_event(&ev);
	meanwhile = make_region;
	boot();
	ck_assert_uint_eq(n_made, 1);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_DONE);
	expect_untouched(2);
}
END_TEST

START_TEST(a_serial_number_that_is_none_or_doubled_is_never_repaired_nor_waited_for)
{
	struct stored_event none = request(0x1000), doubled = request(0x1040);

	be_device("mem3", "ppr\n");
	put_serial("mem2", "0xabc9\n");
	record_ask_repair(&none, 0, 0x1000, 1, 0);
	(void)snprintf(none.device, sizeof(none.device), "0000-e0-00.0");
	log_event(&none);
	log_event(&doubled);
	boot();
	expect_left(1, "the device has no serial number");
	expect_left(2, "2 devices of this host have its serial number");
	expect_untouched(1);
	expect_untouched(2);
}
END_TEST

START_TEST(a_device_that_is_gone_is_not_waited_for)
{
	ask_for_ppr(0x1000);
	boot();
	expect_left(1, "no device of this host has its serial number");
	expect_untouched(1);
}
END_TEST

/* An incident of errors of which the device asks nothing. */
START_TEST(a_place_that_no_device_asked_for_is_left_to_a_person)
{
	struct stored_event ev = request(0x1000);

	be_device("mem3", "ppr\n");
	event_record_set(&ev.record, FIELD_HDR_FLAGS, 1);
	log_event(&ev);
	boot();
	expect_left(1, "its device does not ask for it; cxl-spa repair 1 makes it");
	ck_assert(!repair_entry_is_asked((const struct repair_entry[]){entry_of(1)}));
	expect_untouched(1);
	ck_assert_uint_eq(n_looks, 0);
}
END_TEST

START_TEST(an_unconfirmed_repair_and_an_interrupted_one_are_never_repeated)
{
	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	ask_for_ppr(0x1040);
	interrupt(1);
	repair_error = ETIMEDOUT;
	repair_is_unknown = true;
	boot();
	ck_assert_uint_eq(n_made, 1);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_RUNNING);
	ck_assert_uint_eq(entry_of(2).state, REPAIR_UNCONFIRMED);
	repair_error = 0;
	n_made = 0;
	boot();
	expect_left(1, "its process ended before the result: the device may have done it");
	expect_left(2, "was accepted, and no event confirmed it");
	ck_assert_uint_eq(entry_of(2).tries, 1);
}
END_TEST

/* A person tries it, without success: the count begins anew. */
static void try_by_hand(uint64_t id)
{
	const struct repair_job job = {.state = state,
				       .log = log_file,
				       .root = root,
				       .client = change_client_new(&client_ops, NULL)};
	struct repair_entry entry;

	ck_assert_int_eq(repair_run(&job, id, &entry, &error), -EIO);
	change_client_free(job.client);
}

START_TEST(a_place_that_was_refused_three_times_is_left_to_a_person)
{
	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	repair_error = EIO;
	for (int i = 0; i < BOOT_REPAIR_TRIES_MAX + 2; i++)
		boot();
	ck_assert_uint_eq(n_made, BOOT_REPAIR_TRIES_MAX);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_REFUSED);
	ck_assert_str_eq(entry_of(1).text, "a reason");
	ck_assert_str_eq(refusal_of(1),
			 "it was tried 3 times without a person; cxl-spa repair 1 tries it");
	try_by_hand(1);
	ck_assert_str_eq(refusal_of(1), "");
	boot();
	ck_assert_uint_eq(n_made, BOOT_REPAIR_TRIES_MAX + 2);
}
END_TEST

START_TEST(a_device_that_asks_again_after_each_repair_is_repaired_three_times)
{
	be_device("mem3", "ppr\n");
	for (int i = 0; i < BOOT_REPAIR_TRIES_MAX + 2; i++) {
		ask_for_ppr(0x1000);
		boot();
	}
	ck_assert_uint_eq(n_made, BOOT_REPAIR_TRIES_MAX);
	ck_assert_uint_eq(entry_of(1).repaired, BOOT_REPAIR_TRIES_MAX);
}
END_TEST

static void bind_at_third_look(void)
{
	if (n_looks == 3)
		put_edac("mem3", "ppr\n");
}

START_TEST(a_device_that_is_bound_later_is_waited_for)
{
	put_serial("mem3", "0xabc9\n");
	ask_for_ppr(0x1000);
	at_look = bind_at_third_look;
	boot();
	ck_assert_uint_ge(n_looks, 3);
	ck_assert_uint_eq(n_made, 1);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_DONE);
}
END_TEST

START_TEST(a_device_that_is_never_bound_is_not_waited_for_without_an_end)
{
	struct boot_repairs b = parameters(REPAIR_POLICY_UNUSED);

	put_serial("mem3", "0xabc9\n");
	ask_for_ppr(0x1000);
	b.wait_ms = 1;
	run_with(b);
	ck_assert_uint_eq(n_made, 0);
	expect_untouched(1);
}
END_TEST

START_TEST(nothing_is_waited_for_when_no_place_is_to_be_tried)
{
	put_serial("mem3", "0xabc9\n");
	ask_for_ppr(0x1000);
	interrupt(1);
	boot();
	ck_assert_uint_eq(n_looks, 0);
}
END_TEST

static void boot_once_more(void)
{
	meanwhile = NULL;
	boot();
}

START_TEST(two_programs_make_a_repair_once)
{
	be_device("mem3", "ppr\n");
	ask_for_ppr(0x1000);
	ask_for_ppr(0x1040);
	meanwhile = boot_once_more; /* while the first place is being repaired */
	boot();
	ck_assert_uint_eq(n_made, 2);
	for (uint64_t id = 1; id <= 2; id++) {
		ck_assert_uint_eq(entry_of(id).state, REPAIR_DONE);
		ck_assert_uint_eq(entry_of(id).tries, 1);
	}
}
END_TEST

START_TEST(a_sparing_waits_for_the_service_to_see_its_event)
{
	struct stored_event ev = request(0x1000);

	be_device("mem3", "row-sparing\n");
	record_ask_repair(&ev, SERIAL, 0x1000, 2, 1);
	log_event(&ev);
	boot();
	ck_assert_uint_eq(n_made, 1);
	ck_assert_uint_eq(entry_of(1).state, REPAIR_UNCONFIRMED);
	ck_assert_str_eq(
		entry_of(1).text,
		"Linux accepted it, no cxl_memory_sparing event of the place was read yet");
}
END_TEST

START_TEST(a_place_that_was_spared_is_not_spared_again_without_a_person)
{
	const struct repair_plan plan = {.possible = true, .when = REPAIR_NOW};
	char text[REPAIR_TEXT_MAX];
	struct repair_entry entry;

	ask_for_ppr(0x1000);
	boot(); /* the device is not there */
	entry = entry_of(1);
	entry.repaired = 1;
	entry.used = EDAC_REPAIR_ROW_SPARING;
	ck_assert_ptr_nonnull(
		strstr(boot_repair_refusal(&entry, &plan, text), "repaired by a sparing before"));
	entry.used = EDAC_REPAIR_PPR;
	ck_assert_ptr_null(boot_repair_refusal(&entry, &plan, text));
}
END_TEST

static const struct {
	const char *word;
	enum repair_policy policy;
} words[] = {
	{NULL, REPAIR_POLICY_OFF},
	{"off", REPAIR_POLICY_OFF},
	{"observe", REPAIR_POLICY_OBSERVE},
	{"unused", REPAIR_POLICY_UNUSED},
};

START_TEST(a_mode_has_its_word)
{
	ck_assert_int_eq(repair_policy_of(words[_i].word), words[_i].policy);
}
END_TEST

SUITE(check_boot_repairs)
{
	Suite *s = suite_create("repairs at boot");
	TCase *t = tcase_create("boot");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_device_that_is_not_used_is_repaired_by_whatever_name_it_has_now, 0,
			    ARRAY_SIZE(names));
	tcase_add_test(t, all_places_are_repaired_one_after_the_other);
	tcase_add_test(t, observe_makes_nothing);
	tcase_add_test(t, a_helper_that_allows_no_repair_is_not_asked_for_one);
	tcase_add_test(t, a_helper_that_is_being_started_is_waited_for);
	tcase_add_test(t, no_repair_is_begun_when_the_boot_was_held_up_for_long);
	tcase_add_test(t, a_device_in_use_is_left_though_it_is_safe);
	tcase_add_test(t, a_device_whose_decoders_firmware_committed_is_not_repaired_here);
	tcase_add_test(t, a_region_that_comes_during_the_round_ends_it_for_its_device);
	tcase_add_test(t, a_serial_number_that_is_none_or_doubled_is_never_repaired_nor_waited_for);
	tcase_add_test(t, a_device_that_is_gone_is_not_waited_for);
	tcase_add_test(t, a_place_that_no_device_asked_for_is_left_to_a_person);
	tcase_add_test(t, an_unconfirmed_repair_and_an_interrupted_one_are_never_repeated);
	tcase_add_test(t, a_place_that_was_refused_three_times_is_left_to_a_person);
	tcase_add_test(t, a_device_that_asks_again_after_each_repair_is_repaired_three_times);
	tcase_add_test(t, a_device_that_is_bound_later_is_waited_for);
	tcase_add_test(t, a_device_that_is_never_bound_is_not_waited_for_without_an_end);
	tcase_add_test(t, nothing_is_waited_for_when_no_place_is_to_be_tried);
	tcase_add_test(t, two_programs_make_a_repair_once);
	tcase_add_test(t, a_sparing_waits_for_the_service_to_see_its_event);
	tcase_add_test(t, a_place_that_was_spared_is_not_spared_again_without_a_person);
	tcase_add_loop_test(t, a_mode_has_its_word, 0, ARRAY_SIZE(words));
	suite_add_tcase(s, t);
	return s;
}
