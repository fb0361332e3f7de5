// SPDX-License-Identifier: LGPL-2.1-or-later
/* The worklist of repairs: what is an entry, when it is possible, and how a repair of it ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/store.h"
#include "redfish/repairs/repair_pages.h"
#include "redfish/repairs/repair_run.h"
#include "tests/lib/repair_records.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define SERIAL 0xabc9
#define DEVICE "cxl-000000000000abc9"

static char directory[64], path[96], log_file[96];
static struct state *state;
static struct store *store;
static struct error error;
static const uint8_t boot[EVENT_BOOT_ID_SIZE] = {1}, other_boot[EVENT_BOOT_ID_SIZE] = {2};

static void open_state(void)
{
	state = state_free(state);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
}

static void open_store(void)
{
	const struct store_options o = {.path = log_file, .max_records = 1000};

	ck_assert_msg(store_open(&o, &store, &error) == 0, "%s", error.text);
}

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_repairs.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	(void)snprintf(log_file, sizeof(log_file), "%s/" STORE_FILE, directory);
	open_state();
	open_store();
}

static void teardown(void)
{
	char command[96];

	state = state_free(state);
	store = store_close(store);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void number(struct stored_event *ev, enum event_field field, uint64_t value)
{
	event_record_set(&ev->record, field, value);
}

/* A DRAM record that asks for the sparing of a row. */
static struct stored_event request(uint64_t dpa)
{
	static uint64_t n;
	struct stored_event ev;

	made_event(n++, &ev);
	(void)snprintf(ev.device, sizeof(ev.device), DEVICE);
	memcpy(ev.boot_id, boot, sizeof(ev.boot_id));
	ev.record.number[FIELD_HDR_TIMESTAMP] = MADE_TIME;
	record_ask_repair(&ev, SERIAL, dpa, 2, 1);
	return ev;
}

static void ask_for_ppr(struct stored_event *ev)
{
	number(ev, FIELD_HDR_MAINT_OP_CLASS, 1);
	number(ev, FIELD_HDR_MAINT_OP_SUB_CLASS, 0);
}

static void log_event(struct stored_event *ev)
{
	ck_assert_msg(store_append(store, ev, 1, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ev->outcome, STORE_FINAL);
}

static size_t worklist(struct repair_entries *list)
{
	size_t n_new;

	ck_assert_msg(repairs_update(state, log_file, &n_new, &error) == 0, "%s", error.text);
	ck_assert_int_eq(state_read_repairs(state, list, &error), 0);
	return list->n;
}

static size_t count_entries(void)
{
	struct repair_entries list = {0};
	const size_t n = worklist(&list);

	repair_entries_done(&list);
	return n;
}

START_TEST(a_record_that_asks_for_maintenance_is_an_entry)
{
	struct stored_event ev = request(0x1000);
	struct repair_entries list = {0};

	log_event(&ev);
	ck_assert_uint_eq(worklist(&list), 1);
	ck_assert_uint_eq(list.items[0].id, 1);
	ck_assert_str_eq(list.items[0].device, DEVICE);
	ck_assert_uint_eq(list.items[0].serial, SERIAL);
	ck_assert_uint_eq(list.items[0].place.dpa, 0x1001); /* with its flags */
	ck_assert_uint_eq(list.items[0].asked, EDAC_REPAIR_ROW_SPARING);
	ck_assert_uint_eq(list.items[0].place.part[REPAIR_CHANNEL], 3);
	ck_assert_uint_eq(list.items[0].state, REPAIR_WAITING);
	ck_assert_uint_eq(list.items[0].event, ev.seq);
	repair_entries_done(&list);
}
END_TEST

static void no_request(struct stored_event *ev)
{
	number(ev, FIELD_HDR_FLAGS, EVENT_FLAG_PERMANENT | 1);
}
static void not_repairable(struct stored_event *ev)
{
	number(ev, FIELD_DPA_FLAGS, 3);
}
static void no_dpa_flags(struct stored_event *ev)
{
	ev->record.present &= ~(UINT64_C(1) << FIELD_DPA_FLAGS);
}
static void no_device(struct stored_event *ev)
{
	ev->device[0] = '\0';
}
static void lying_row(struct stored_event *ev)
{
	number(ev, FIELD_ROW, 0x1000000);
}
static void no_memory(struct stored_event *ev)
{
	ev->record.type = EVENT_MEMORY_MODULE;
}

static void (*const without_entry[])(struct stored_event *ev) = {
	no_request, not_repairable, no_dpa_flags, no_device, lying_row, no_memory,
};

START_TEST(any_other_record_is_none)
{
	struct stored_event ev = request(0x1000);
	struct repair_entry entry;

	ck_assert(repair_entry_of(&ev, &entry));
	without_entry[_i](&ev);
	ck_assert(!repair_entry_of(&ev, &entry));
}
END_TEST

START_TEST(the_same_place_is_one_entry_and_another_one_is_not)
{
	struct stored_event first = request(0x1000), again = request(0x1000), row = request(0x1000),
			    line = request(0x1040);
	struct repair_entries list = {0};

	number(&row, FIELD_ROW, 77);
	log_event(&first);
	ck_assert_uint_eq(count_entries(), 1);
	memcpy(again.boot_id, other_boot, sizeof(again.boot_id));
	log_event(&again);
	log_event(&row);
	log_event(&line);
	ck_assert_uint_eq(worklist(&list), 3);
	ck_assert_uint_eq(list.items[0].event, again.seq);
	ck_assert_mem_eq(list.items[0].boot_id, other_boot, sizeof(other_boot));
	repair_entries_done(&list);
}
END_TEST

START_TEST(an_entry_outlives_the_process_and_the_log)
{
	struct stored_event ev = request(0x1000);
	struct repair_entry entry;

	log_event(&ev);
	ck_assert_uint_eq(count_entries(), 1);
	store = store_close(store);
	ck_assert_int_eq(remove(log_file), 0);
	open_state();
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_int_eq(state_read_repair(state, 2, &entry, &error), -ENOENT);
}
END_TEST

static void make_requests(struct repair_entries *list, size_t n, const char *device)
{
	for (size_t i = 0; i < n; i++) {
		const struct stored_event ev = request(0x1000 + 64 * i);
		struct repair_entry *entry = repair_entries_add(list);

		ck_assert(entry && repair_entry_of(&ev, entry));
		(void)snprintf(entry->device, sizeof(entry->device), "%s", device);
	}
}

static void reserve(uint64_t id, enum edac_repair_type type, bool again, struct repair_entry *ret)
{
	const struct repair_attempt attempt = {.id = id, .type = type, .again = again};

	ck_assert_int_eq(state_reserve_repair(state, &attempt, ret, &error), 0);
}

START_TEST(a_device_that_asks_for_ever_takes_only_its_part)
{
	struct repair_entries list = {0}, all = {0};
	struct repairs_added added;
	struct repair_entry entry;

	make_requests(&list, REPAIRS_OF_DEVICE_MAX + 3, DEVICE);
	make_requests(&list, 2, "cxl-000000000000abca");
	ck_assert_int_eq(state_add_repairs(state, &list, 1, &added, &error), 0);
	ck_assert_uint_eq(added.n, REPAIRS_OF_DEVICE_MAX + 2);
	ck_assert_uint_eq(added.left_out, 3);
	reserve(7, EDAC_REPAIR_ROW_SPARING, false, &entry);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_DONE, 1, "", &error), 0);
	ck_assert_int_eq(state_add_repairs(state, &list, 2, &added, &error), 0);
	ck_assert_int_eq(state_read_repairs(state, &all, &error), 0);
	ck_assert_uint_eq(all.n, REPAIRS_OF_DEVICE_MAX + 2);
	repair_entries_done(&list);
	repair_entries_done(&all);
}
END_TEST

START_TEST(a_worklist_that_is_full_says_so_and_has_room_again)
{
	struct stored_event ev;
	struct repair_entry entry;
	size_t n_new = 0;

	for (uint64_t i = 0; i <= REPAIRS_OF_DEVICE_MAX; i++) {
		ev = request(0x1000 + 64 * i);
		log_event(&ev);
	}
	ck_assert_int_eq(repairs_update(state, log_file, &n_new, &error), -ENOSPC);
	ck_assert_msg(strstr(error.text, "1 places are not in the worklist"), "%s", error.text);
	ck_assert_uint_eq(n_new, REPAIRS_OF_DEVICE_MAX);
	reserve(1, EDAC_REPAIR_ROW_SPARING, false, &entry);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_DONE, 1, "", &error), 0);
	ev = request(0x80);
	log_event(&ev);
	ck_assert_int_eq(repairs_update(state, log_file, &n_new, &error), 0);
	ck_assert_uint_eq(n_new, 1);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), -ENOENT);
}
END_TEST

/* ---- the plan ---------------------------------------------------------------------------------
 */

static struct edac_repair instance;
static struct edac_device edac;
static struct port endpoint;
static struct memdev memdevs[2];
static const struct memdev *list_of_memdevs[2];
static struct host machine;

/* One device in use, whose sparing of rows is safe. */
static void make_machine(void)
{
	instance = (struct edac_repair){.type = EDAC_REPAIR_ROW_SPARING,
					.safe_when_used = OPT_BOOL(true),
					.first_dpa = OPT_U64(0),
					.last_dpa = OPT_U64(0xffff)};
	edac = (struct edac_device){.repairs = &instance, .n_repairs = 1};
	endpoint = (struct port){.kind = PORT_ENDPOINT, .decoders_committed = OPT_U64(1)};
	for (int i = 0; i < 2; i++) {
		memdevs[i] = (struct memdev){.name = i ? "mem1" : "mem0",
					     .serial = OPT_U64(SERIAL + (uint64_t)i),
					     .enabled = true,
					     .endpoint = &endpoint,
					     .edac = &edac};
		list_of_memdevs[i] = &memdevs[i];
	}
	machine = (struct host){
		.memdevs = list_of_memdevs, .n_memdevs = 2, .kernel_release = "7.3.4"};
}

static struct repair_plan plan_of(const struct stored_event *ev, const uint8_t *boot_id,
				  uint64_t now_ns)
{
	struct repair_entry entry;
	struct repair_plan plan;

	ck_assert(repair_entry_of(ev, &entry));
	repair_plan_make(&entry, &machine, boot_id, now_ns, &plan);
	return plan;
}

static void expect_plan(const struct repair_plan plan, bool possible, const char *word,
			const char *reason)
{
	ck_assert_msg(plan.possible == possible, "%s", plan.reason);
	ck_assert_str_eq(repair_plan_word(&plan), word);
	ck_assert_msg(strstr(plan.reason, reason), "%s", plan.reason);
}

#define DAYS (UINT64_C(24) * 3600 * 1000000000)

START_TEST(a_place_in_use_is_repaired_while_linux_knows_its_event)
{
	struct stored_event ev = request(0x1000);

	make_machine();
	expect_plan(plan_of(&ev, boot, MADE_TIME + 9 * DAYS), true, "now", "of this boot");
	expect_plan(plan_of(&ev, boot, MADE_TIME + 11 * DAYS), false, "kernel-forgot", "10 days");
	expect_plan(plan_of(&ev, other_boot, MADE_TIME), false, "kernel-forgot", "earlier boot");
	endpoint.decoders_committed = OPT_U64(0);
	expect_plan(plan_of(&ev, other_boot, MADE_TIME), true, "now", "no decoder");
	endpoint.decoders_committed = OPT_U64(1);
	instance.safe_when_used = OPT_BOOL(false);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-while-used", "loses data");
	instance.safe_when_used = OPT_BOOL(true);
	ev.record.type = EVENT_GENERAL_MEDIA;
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "kernel-forgot", "kept none");
}
END_TEST

START_TEST(linux_kept_no_event_as_far_as_is_known_unless_the_trace_instance_had_it)
{
	struct stored_event ev = request(0x1000), kept = request(0x2000), again = request(0x2000);
	struct repair_entries list = {0};

	make_machine();
	ev.live = kept.live = false;
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "kernel-forgot", "kept none as far as");
	endpoint.decoders_committed = OPT_U64(0);
	expect_plan(plan_of(&ev, boot, MADE_TIME), true, "now", "no decoder");
	/* It stays so in log and worklist, until a new record comes. */
	log_event(&kept);
	ck_assert_uint_eq(worklist(&list), 1);
	ck_assert_uint_eq(list.items[0].live, 0);
	repair_entries_done(&list);
	log_event(&again);
	list = (struct repair_entries){0};
	ck_assert_uint_eq(worklist(&list), 1);
	ck_assert_uint_eq(list.items[0].live, 1);
	repair_entries_done(&list);
}
END_TEST

START_TEST(a_device_that_is_not_identified_is_never_repaired)
{
	struct stored_event ev = request(0x1000);

	make_machine();
	memdevs[1].serial = OPT_U64(SERIAL);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "2 devices");
	machine.n_memdevs = 0;
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "no device of this host");
	number(&ev, FIELD_SERIAL, 0);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "no serial number");
}
END_TEST

START_TEST(an_entry_of_a_serial_number_that_was_doubled_repairs_no_other_device)
{
	struct stored_event ev = request(0x1000), later;
	struct repair_entry entry, newer;

	make_machine();
	(void)snprintf(ev.device, sizeof(ev.device), "0000-0e-00.0");
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "was not unique when");
	later = ev;
	later.seq = ev.seq + 1;
	number(&later, FIELD_SERIAL, SERIAL + 1);
	ck_assert(repair_entry_of(&ev, &entry) && repair_entry_of(&later, &newer));
	repair_entry_merge(&entry, &newer);
	ck_assert_uint_eq(entry.event, later.seq);
	ck_assert_uint_eq(entry.serial, SERIAL);
	(void)snprintf(ev.device, sizeof(ev.device), "cxl-0000000000001111");
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "has another Id");
}
END_TEST

START_TEST(a_record_without_what_the_repair_needs_is_shown_only)
{
	struct stored_event ev = request(0x20000);

	make_machine();
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "not to be believed");
	ev.record.present &= ~(UINT64_C(1) << FIELD_ROW);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "does not say the row");
	ask_for_ppr(&ev);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "offers no ppr");
}
END_TEST

START_TEST(a_cacheline_without_its_sub_channel_is_not_spared_while_nobody_compares_it)
{
	struct stored_event ev = request(0x1000);

	make_machine();
	instance.type = EDAC_REPAIR_CACHELINE_SPARING;
	number(&ev, FIELD_HDR_MAINT_OP_SUB_CLASS, 0);
	ev.record.present &= ~(UINT64_C(1) << FIELD_SUB_CHANNEL);
	expect_plan(plan_of(&ev, boot, MADE_TIME), true, "now", "of this boot");
	endpoint.decoders_committed = OPT_U64(0);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", "not say the sub_channel");
	number(&ev, FIELD_SUB_CHANNEL, 1);
	expect_plan(plan_of(&ev, boot, MADE_TIME), true, "now", "no decoder");
}
END_TEST

enum { ABSENT = -1 };
static const struct {
	int op_class, sub;
	enum edac_repair_type type;
} wishes[] = {
	{ABSENT, ABSENT, EDAC_REPAIR_PPR},
	{0, ABSENT, EDAC_REPAIR_PPR},
	{0, 0, EDAC_REPAIR_PPR},
	{1, 0, EDAC_REPAIR_PPR},
	{1, ABSENT, EDAC_REPAIR_PPR},
	{1, 1, EDAC_REPAIR_UNKNOWN},
	{2, 0, EDAC_REPAIR_CACHELINE_SPARING},
	{2, 3, EDAC_REPAIR_RANK_SPARING},
	{2, 4, EDAC_REPAIR_UNKNOWN},
	{2, ABSENT, EDAC_REPAIR_UNKNOWN},
	{3, 0, EDAC_REPAIR_UNKNOWN},
	{0xe0, 0, EDAC_REPAIR_UNKNOWN},
};

static void wish(struct stored_event *ev, enum event_field field, int value)
{
	if (value == ABSENT)
		ev->record.present &= ~(UINT64_C(1) << field);
	else
		number(ev, field, (uint64_t)value);
}

START_TEST(a_repair_that_linux_does_not_offer_is_not_replaced_by_another)
{
	struct stored_event ev = request(0x1000);
	char text[64];

	make_machine();
	instance.type = EDAC_REPAIR_PPR;
	wish(&ev, FIELD_HDR_MAINT_OP_CLASS, wishes[_i].op_class);
	wish(&ev, FIELD_HDR_MAINT_OP_SUB_CLASS, wishes[_i].sub);
	ck_assert_int_eq(plan_of(&ev, boot, MADE_TIME).type, wishes[_i].type);
	if (wishes[_i].type == EDAC_REPAIR_PPR)
		expect_plan(plan_of(&ev, boot, MADE_TIME), true, "now", "of this boot");
	if (wishes[_i].type != EDAC_REPAIR_UNKNOWN)
		return;
	(void)snprintf(text, sizeof(text), "Linux offers no such repair: class %d subclass %d",
		       wishes[_i].op_class, wishes[_i].sub == ABSENT ? 0 : wishes[_i].sub);
	expect_plan(plan_of(&ev, boot, MADE_TIME), false, "not-known", text);
}
END_TEST

/* ---- the repair -------------------------------------------------------------------------------
 */

static int repair_error;
static bool repair_is_unknown;
static struct stored_event *confirmed_by; /* logged while the repair is made */
static struct change made;
static void (*meanwhile)(void); /* by another program, while the repair is made */

static int run_change(void *userdata, const struct change_call *call, struct change_result *ret)
{
	(void)userdata;
	made = *call->change;
	memset(ret, 0, sizeof(*ret));
	if (confirmed_by)
		log_event(confirmed_by);
	if (meanwhile)
		meanwhile();
	if (!repair_error) {
		(void)snprintf(ret->text, sizeof(ret->text), "soft");
		return 0;
	}
	return change_result_set(ret, repair_error,
				 repair_is_unknown ? CHANGE_UNKNOWN : CHANGE_REFUSED, "a reason");
}

static const struct change_client_ops client_ops = {.run = run_change};

/* The idle device mem3 has the serial number, and an instance of a type. */
static void make_host(const char *type)
{
	tree_setup_from("idle-7.3");
	set("sys/bus/cxl/devices/mem3/serial", "0xabc9\n");
	put_text(tree, "sys/bus/cxl/devices/mem3/cxl_mem3/mem_repair0/repair_type", type);
	enter();
}

static int run_repair_of(uint64_t id, struct repair_entry *ret, bool again)
{
	const struct repair_job job = {.state = state,
				       .log = log_file,
				       .root = host->root,
				       .client = change_client_new(&client_ops, NULL),
				       .confirm_ms = confirmed_by ? REPAIR_CONFIRM_MS : 0,
				       .again = again};
	int r;

	ck_assert_ptr_nonnull(job.client);
	r = repair_run(&job, id, ret, &error);
	change_client_free(job.client);
	return r;
}

static int run_repair(struct repair_entry *ret, bool again)
{
	return run_repair_of(1, ret, again);
}

/* The event of the repair of the place of request(). */
static struct stored_event sparing_of(uint64_t dpa)
{
	struct stored_event sparing = request(dpa);

	record_report_sparing(&sparing);
	return sparing;
}

static struct stored_event wait_for_repair(const char *type)
{
	struct stored_event ev = request(0x1000);

	make_host(type);
	if (str_equal(type, "ppr\n"))
		ask_for_ppr(&ev);
	log_event(&ev);
	ck_assert_uint_eq(count_entries(), 1);
	return ev;
}

START_TEST(ppr_is_done_by_the_answer_of_the_device)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	ck_assert_msg(run_repair(&entry, false) == 0, "%s", error.text);
	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(entry.repaired, 1);
	ck_assert_str_eq(made.object, "mem3");
	ck_assert_uint_eq(made.identity, SERIAL);
	ck_assert_uint_eq(made.repair.type, EDAC_REPAIR_PPR);
	ck_assert_uint_eq(made.repair.dpa, 0x1001);
	ck_assert_int_eq(run_repair(&entry, false), -EALREADY);
	ck_assert_int_eq(run_repair(&entry, true), -EALREADY);
}
END_TEST

START_TEST(a_refused_repair_stays_with_its_reason)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	repair_error = EBUSY;
	ck_assert_int_eq(run_repair(&entry, false), -EBUSY);
	ck_assert_uint_eq(entry.state, REPAIR_REFUSED);
	ck_assert_str_eq(entry.text, "a reason");
	ck_assert_uint_eq(entry.tries, 1);
	repair_error = 0;
	ck_assert_int_eq(run_repair(&entry, false), 0);
	ck_assert_uint_eq(entry.tries, 2);
}
END_TEST

START_TEST(a_sparing_is_done_by_the_event_of_its_place)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");
	struct stored_event sparing = sparing_of(0x1000);

	(void)ev;
	confirmed_by = &sparing;
	ck_assert_msg(run_repair(&entry, false) == 0, "%s", error.text);
	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(made.repair.type, EDAC_REPAIR_ROW_SPARING);
}
END_TEST

START_TEST(a_sparing_that_failed_says_so_in_its_event)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");
	struct stored_event sparing = sparing_of(0x1000);

	(void)ev;
	number(&sparing, FIELD_RESULT, 2);
	confirmed_by = &sparing;
	ck_assert_int_eq(run_repair(&entry, false), -EIO);
	ck_assert_uint_eq(entry.state, REPAIR_REFUSED);
	ck_assert_ptr_nonnull(strstr(entry.text, "the result 2"));
}
END_TEST

START_TEST(an_unconfirmed_sparing_is_not_repeated_by_itself)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");
	struct stored_event again = request(0x1000);

	(void)ev;
	ck_assert_int_eq(run_repair(&entry, false), -EINPROGRESS);
	ck_assert_uint_eq(entry.state, REPAIR_UNCONFIRMED);
	ck_assert_int_eq(run_repair(&entry, false), -EBUSY);
	ck_assert_uint_eq(entry.tries, 1);
	log_event(&again); /* the device asks again */
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(run_repair(&entry, false), -EBUSY);
	ck_assert_int_eq(run_repair(&entry, true), -EINPROGRESS);
	ck_assert_uint_eq(entry.tries, 2);
}
END_TEST

/* Two addresses of one row, one of another row, and one of another device. */
static void log_rows(void)
{
	struct stored_event same = request(0x1040), row = request(0x1080), other = request(0x10c0);

	number(&row, FIELD_ROW, 77);
	number(&other, FIELD_SERIAL, SERIAL + 1);
	(void)snprintf(other.device, sizeof(other.device), "cxl-000000000000abca");
	log_event(&same);
	log_event(&row);
	log_event(&other);
	ck_assert_uint_eq(count_entries(), 4);
}

START_TEST(a_row_is_spared_once_whatever_its_addresses_are)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");

	(void)ev;
	log_rows();
	ck_assert_int_eq(run_repair_of(4, &entry, false), -EBUSY);
	ck_assert_int_eq(run_repair_of(1, &entry, false), -EINPROGRESS);
	ck_assert_int_eq(run_repair_of(2, &entry, false), -EBUSY);
	ck_assert_msg(strstr(error.text, "same place as repair 1, which is accepted-unconfirmed"),
		      "%s", error.text);
	ck_assert_int_eq(state_read_repair(state, 2, &entry, &error), 0);
	ck_assert_uint_eq(entry.tries, 0);
	ck_assert_uint_eq(entry.state, REPAIR_WAITING);
	ck_assert_int_eq(run_repair_of(3, &entry, false), -EINPROGRESS);
	ck_assert_int_eq(run_repair_of(2, &entry, true), -EINPROGRESS);
	ck_assert_uint_eq(entry.tries, 1);
}
END_TEST

START_TEST(a_repair_is_the_same_by_the_parts_that_its_type_uses)
{
	struct stored_event ev = request(0x1000), next = request(0x1040);
	struct repair_entry a, b;

	number(&next, FIELD_ROW, 77);
	ck_assert(repair_entry_of(&ev, &a) && repair_entry_of(&next, &b));
	ck_assert(!repair_entry_same(&a, &b, EDAC_REPAIR_ROW_SPARING));
	ck_assert(!repair_entry_same(&a, &b, EDAC_REPAIR_CACHELINE_SPARING));
	ck_assert(repair_entry_same(&a, &b, EDAC_REPAIR_BANK_SPARING));
	ck_assert(repair_entry_same(&a, &b, EDAC_REPAIR_RANK_SPARING));
	ck_assert(!repair_entry_same(&a, &b, EDAC_REPAIR_PPR));
	b.place.dpa = a.place.dpa ^ REPAIR_DPA_VOLATILE;
	ck_assert(repair_entry_same(&a, &b, EDAC_REPAIR_PPR));
	b.place.part[REPAIR_NIBBLE_MASK] ^= 1;
	ck_assert(!repair_entry_same(&a, &b, EDAC_REPAIR_PPR));
	ck_assert(!repair_entry_same(&a, &b, EDAC_REPAIR_BANK_SPARING));
}
END_TEST

START_TEST(events_of_other_places_and_queries_confirm_nothing)
{
	struct stored_event ev = request(0x1000), sparing = sparing_of(0x1000);
	struct repair_entry entry;

	ck_assert(repair_entry_of(&ev, &entry));
	ck_assert(repair_place_confirmed(&sparing.record, &entry.place, EDAC_REPAIR_ROW_SPARING));
	ck_assert(!repair_place_confirmed(&sparing.record, &entry.place, EDAC_REPAIR_BANK_SPARING));
	ck_assert(!repair_place_confirmed(&sparing.record, &entry.place, EDAC_REPAIR_PPR));
	ck_assert(!repair_place_confirmed(&ev.record, &entry.place, EDAC_REPAIR_ROW_SPARING));
	number(&sparing, FIELD_ROW, 9);
	ck_assert(!repair_place_confirmed(&sparing.record, &entry.place, EDAC_REPAIR_ROW_SPARING));
	sparing.record.present &= ~(UINT64_C(1) << FIELD_ROW);
	ck_assert(!repair_place_confirmed(&sparing.record, &entry.place, EDAC_REPAIR_ROW_SPARING));
}
END_TEST

START_TEST(a_device_that_asks_again_after_a_repair_was_repaired_once)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");
	struct stored_event again = request(0x1000);

	(void)ev;
	ask_for_ppr(&again);
	ck_assert_int_eq(run_repair(&entry, false), 0);
	log_event(&again);
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.state, REPAIR_WAITING);
	ck_assert_str_eq(entry.text, "the device asks again, though it was repaired 1 time");
}
END_TEST

START_TEST(a_repair_without_an_answer_is_unconfirmed)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	repair_error = ETIMEDOUT;
	repair_is_unknown = true;
	ck_assert_int_eq(run_repair(&entry, false), -EINPROGRESS);
	ck_assert_uint_eq(entry.state, REPAIR_UNCONFIRMED);
}
END_TEST

START_TEST(a_sparing_in_the_background_is_done_by_its_event)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");
	struct stored_event sparing = sparing_of(0x1000);

	(void)ev;
	repair_error = ETIMEDOUT;
	repair_is_unknown = true;
	ck_assert_int_eq(run_repair(&entry, false), -EINPROGRESS);
	ck_assert_uint_eq(entry.state, REPAIR_UNCONFIRMED);
	ck_assert_str_eq(entry.text, "it was begun, and no cxl_memory_sparing event of the place "
				     "came in time; a reason");
	confirmed_by = &sparing;
	ck_assert_msg(run_repair(&entry, true) == 0, "%s", error.text);
	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(entry.repaired, 1);
}
END_TEST

/* ---- an event that is read later ---------------------------------------------------------------
 */

/* Linux accepted the sparing of a row, in the boot `boot`, and its event is not read yet. */
static struct repair_entry accept_sparing(bool alone)
{
	const struct repair_attempt attempt = {
		.id = 1, .type = EDAC_REPAIR_ROW_SPARING, .alone = alone, .boot_id = boot};
	struct stored_event ev = request(0x1000);
	struct repair_entry entry;

	log_event(&ev);
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_reserve_repair(state, &attempt, &entry, &error), 0);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_UNCONFIRMED, 1, "", &error), 0);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	return entry;
}

/* @at_ms: of the boot clock */
static struct stored_event report_at(uint64_t at_ms)
{
	struct stored_event sparing = sparing_of(0x1000);

	sparing.record.time_ns = at_ms * 1000000;
	return sparing;
}

static struct repair_entry entry_with(struct stored_event report)
{
	struct repair_entry entry;

	log_event(&report);
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	return entry;
}

START_TEST(an_event_that_is_read_later_confirms_the_repair)
{
	const struct repair_entry accepted = accept_sparing(_i);
	const struct stored_event report =
		report_at(_i ? accepted.begun_ms : accepted.ended_ms + REPAIR_CONFIRM_MS);
	const struct repair_entry entry = entry_with(report);

	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(entry.repaired, 1);
	ck_assert_uint_ne(entry.confirmed, 0);
	ck_assert_uint_eq(entry.unresolved, 1);
	ck_assert_str_eq(entry.text, "confirmed by a cxl_memory_sparing event of the place");
}
END_TEST

START_TEST(an_event_that_is_read_later_may_say_that_it_failed)
{
	struct stored_event report = report_at(accept_sparing(true).ended_ms);
	struct repair_entry entry;

	number(&report, FIELD_RESULT, 2);
	entry = entry_with(report);
	ck_assert_uint_eq(entry.state, REPAIR_REFUSED);
	ck_assert_uint_eq(entry.repaired, 0);
	ck_assert_uint_eq(entry.unresolved, 0);
}
END_TEST

static void too_early(struct stored_event *ev, const struct repair_entry *accepted)
{
	ev->record.time_ns = accepted->begun_ms * 1000000 - 1;
}
static void too_late(struct stored_event *ev, const struct repair_entry *accepted)
{
	ev->record.time_ns = (accepted->ended_ms + REPAIR_CONFIRM_MS + 1) * 1000000;
}
static void of_another_boot(struct stored_event *ev, const struct repair_entry *accepted)
{
	(void)accepted;
	memcpy(ev->boot_id, other_boot, sizeof(ev->boot_id));
}
static void by_another_clock(struct stored_event *ev, const struct repair_entry *accepted)
{
	(void)accepted;
	(void)snprintf(ev->record.clock, sizeof(ev->record.clock), "local");
}
static void of_another_row(struct stored_event *ev, const struct repair_entry *accepted)
{
	(void)accepted;
	number(ev, FIELD_ROW, 77);
}
static void of_a_query(struct stored_event *ev, const struct repair_entry *accepted)
{
	(void)accepted;
	number(ev, FIELD_FLAGS, 1);
}
static void of_another_device(struct stored_event *ev, const struct repair_entry *accepted)
{
	(void)accepted;
	(void)snprintf(ev->device, sizeof(ev->device), "cxl-000000000000abca");
}

static void (*const other_reports[])(struct stored_event *ev,
				     const struct repair_entry *accepted) = {
	too_early,	too_late,   of_another_boot,   by_another_clock,
	of_another_row, of_a_query, of_another_device,
};

START_TEST(an_event_of_something_else_confirms_nothing_later)
{
	const struct repair_entry accepted = accept_sparing(true);
	struct stored_event report = report_at(accepted.ended_ms);
	struct repair_entry entry;

	other_reports[_i](&report, &accepted);
	entry = entry_with(report);
	ck_assert_uint_eq(entry.state, REPAIR_UNCONFIRMED);
	ck_assert_uint_eq(entry.confirmed, 0);
}
END_TEST

START_TEST(an_event_of_a_boot_that_is_not_known_confirms_nothing)
{
	struct repair_entry accepted = accept_sparing(true);
	struct stored_event report = report_at(accepted.ended_ms);

	ck_assert(repair_entry_reported(&accepted, &report));
	memset(accepted.begun_boot, 0, sizeof(accepted.begun_boot));
	memset(report.boot_id, 0, sizeof(report.boot_id));
	ck_assert(!repair_entry_reported(&accepted, &report));
}
END_TEST

START_TEST(an_event_that_the_service_reads_first_is_not_lost)
{
	const struct repair_attempt attempt = {
		.id = 1, .type = EDAC_REPAIR_ROW_SPARING, .boot_id = boot};
	struct stored_event ev = request(0x1000);
	struct repair_entry reserved, entry;

	log_event(&ev);
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_reserve_repair(state, &attempt, &reserved, &error), 0);
	entry = entry_with(report_at(reserved.begun_ms + 1));
	ck_assert_uint_eq(entry.state, REPAIR_RUNNING);
	ck_assert_int_eq(state_settle_repair(state, &reserved, REPAIR_UNCONFIRMED, 1, "", &error),
			 0);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.state, REPAIR_DONE);
	ck_assert_uint_eq(entry.repaired, 1);
}
END_TEST

START_TEST(the_incident_of_a_repair_is_left_to_the_service_and_taken_back)
{
	struct stored_event ev = request(0x1000);
	struct repair_entry entry;

	log_event(&ev);
	ck_assert_uint_eq(count_entries(), 1);
	ck_assert_int_eq(state_leave_incident(state, 1, true, &error), 0);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.unresolved, 0); /* it is not done */
	reserve(1, EDAC_REPAIR_ROW_SPARING, false, &entry);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_DONE, 1, "", &error), 0);
	ck_assert_int_eq(state_leave_incident(state, 1, true, &error), 0);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.unresolved, 1);
	ck_assert_int_eq(state_leave_incident(state, 1, false, &error), 0);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.unresolved, 0);
	ck_assert_int_eq(state_leave_incident(state, 2, true, &error), -ENOENT);
}
END_TEST

START_TEST(the_result_says_whether_it_is_soft)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	ck_assert_int_eq(run_repair(&entry, false), 0);
	ck_assert_str_eq(entry.text, "the device reports success; soft");
}
END_TEST

static void ask_again(void)
{
	struct stored_event again = request(0x1000);

	ask_for_ppr(&again);
	log_event(&again);
	ck_assert_uint_eq(count_entries(), 1);
}

START_TEST(a_request_that_comes_during_the_repair_is_not_lost)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	meanwhile = ask_again;
	ck_assert_int_eq(run_repair(&entry, false), 0);
	ck_assert_uint_eq(entry.state, REPAIR_WAITING);
	ck_assert_uint_eq(entry.repaired, 1);
	ck_assert_uint_gt(entry.event, ev.seq);
	ck_assert_str_eq(entry.text, "the device asks again, though it was repaired 1 time");
}
END_TEST

/* Pages of the device with lines at these addresses, which are to stay out of use. */
static void remember_pages(const uint64_t *dpas, size_t n, uint64_t incident)
{
	struct remembered_pages pages = {0};
	size_t added = 0;

	for (size_t i = 0; i < n; i++) {
		struct remembered_page *p = remembered_pages_add(&pages);

		ck_assert_ptr_nonnull(p);
		*p = (struct remembered_page){.serial = SERIAL,
					      .dpa = dpas[i],
					      .length = REMEMBERED_LINE,
					      .incident = incident};
		(void)snprintf(p->device, sizeof(p->device), DEVICE);
	}
	ck_assert_msg(state_import_pages(state, &pages, PAGE_LIMIT_TOTAL_DEFAULT, &added, &error) ==
			      0,
		      "%s", error.text);
	ck_assert_uint_eq(added, n);
	remembered_pages_done(&pages);
}

static size_t count_pages(const struct repair_entry *entry)
{
	struct remembered_pages pages = {0};
	size_t n;

	ck_assert_int_eq(repair_pages_read(state, entry, &pages, &error), 0);
	n = pages.n;
	remembered_pages_done(&pages);
	return n;
}

START_TEST(the_page_of_a_repaired_address_is_offered_until_it_is_brought_back)
{
	static const uint64_t dpas[] = {0x1000, 0x1040, 0x2000};
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	remember_pages(dpas, ARRAY_SIZE(dpas), 0);
	repair_error = EBUSY;
	ck_assert_int_eq(run_repair(&entry, false), -EBUSY);
	ck_assert_str_eq(entry.pages, "");
	repair_error = 0;
	ck_assert_int_eq(run_repair(&entry, false), 0);
	ck_assert_str_eq(entry.pages, "0x1000");
	ck_assert_uint_eq(count_pages(&entry), 1);
	ck_assert_int_eq(state_return_page(state, 1, "", &error), 0);
	ck_assert_uint_eq(count_pages(&entry), 0);
}
END_TEST

/* The incident has four pages: two in the row, one in another, and one without a record. */
START_TEST(pages_of_a_spared_row_are_offered_as_far_as_records_name_the_row)
{
	static const uint64_t dpas[] = {0x9000, 0xa000, 0xb000, 0xc000};
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("row-sparing\n");
	struct stored_event sparing = sparing_of(0x1000), in_row = request(0x9000),
			    other_row = request(0xa000), not_asked = request(0xb000);

	(void)ev;
	number(&other_row, FIELD_ROW, 77);
	number(&not_asked, FIELD_HDR_FLAGS, 1);
	log_event(&in_row);
	log_event(&other_row);
	log_event(&not_asked);
	store = store_close(store); /* with what the file has of incidents */
	open_store();
	ck_assert_uint_eq(count_entries(), 3);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_ne(entry.incident, 0);
	remember_pages(dpas, ARRAY_SIZE(dpas), entry.incident);
	confirmed_by = &sparing;
	ck_assert_msg(run_repair(&entry, false) == 0, "%s", error.text);
	ck_assert_str_eq(entry.pages, "0x9000 0xb000");
	ck_assert_uint_eq(count_pages(&entry), 2);
}
END_TEST

START_TEST(an_incident_has_open_repairs_until_all_its_entries_are_done)
{
	struct repair_entry items[] = {
		{.id = 1, .incident = 5, .state = REPAIR_DONE},
		{.id = 2, .incident = 6, .state = REPAIR_WAITING},
		{.id = 3, .incident = 5, .state = REPAIR_UNCONFIRMED},
		{.id = 4, .incident = 5, .state = REPAIR_REFUSED},
	};
	const struct repair_entries list = {.items = items, .n = ARRAY_SIZE(items)};
	uint64_t first = 77;

	ck_assert_uint_eq(repair_entries_open(&list, 5, &first), 2);
	ck_assert_uint_eq(first, 3);
	items[2].state = items[3].state = REPAIR_DONE;
	ck_assert_uint_eq(repair_entries_open(&list, 5, &first), 0);
	ck_assert_uint_eq(first, 0);
}
END_TEST

static void reserve_again(void)
{
	struct repair_entry entry;

	reserve(1, EDAC_REPAIR_PPR, true, &entry);
}

START_TEST(an_outcome_that_cannot_be_stored_is_not_lost_and_settles_no_other_try)
{
	struct repair_entry entry;
	struct stored_event ev = wait_for_repair("ppr\n");

	(void)ev;
	meanwhile = reserve_again;
	ck_assert_int_eq(run_repair(&entry, false), -EINPROGRESS);
	ck_assert_msg(strstr(error.text, "is done (the device reports success; soft), which could "
					 "not be stored: repair 1 was tried again"),
		      "%s", error.text);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, &error), 0);
	ck_assert_uint_eq(entry.state, REPAIR_RUNNING);
	ck_assert_uint_eq(entry.tries, 2);
	ck_assert_uint_eq(entry.repaired, 0);
}
END_TEST

SUITE(check_repair_worklist)
{
	Suite *s = suite_create("worklist of repairs");
	TCase *t = tcase_create("worklist");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_record_that_asks_for_maintenance_is_an_entry);
	tcase_add_loop_test(t, any_other_record_is_none, 0, ARRAY_SIZE(without_entry));
	tcase_add_test(t, the_same_place_is_one_entry_and_another_one_is_not);
	tcase_add_test(t, an_entry_outlives_the_process_and_the_log);
	tcase_add_test(t, a_device_that_asks_for_ever_takes_only_its_part);
	tcase_add_test(t, a_worklist_that_is_full_says_so_and_has_room_again);
	tcase_add_test(t, a_place_in_use_is_repaired_while_linux_knows_its_event);
	tcase_add_test(t, linux_kept_no_event_as_far_as_is_known_unless_the_trace_instance_had_it);
	tcase_add_test(t, a_device_that_is_not_identified_is_never_repaired);
	tcase_add_test(t, an_entry_of_a_serial_number_that_was_doubled_repairs_no_other_device);
	tcase_add_test(t, a_record_without_what_the_repair_needs_is_shown_only);
	tcase_add_loop_test(t, a_repair_that_linux_does_not_offer_is_not_replaced_by_another, 0,
			    ARRAY_SIZE(wishes));
	tcase_add_test(t,
		       a_cacheline_without_its_sub_channel_is_not_spared_while_nobody_compares_it);
	tcase_add_test(t, events_of_other_places_and_queries_confirm_nothing);
	suite_add_tcase(s, t);
	t = tcase_create("repair");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, ppr_is_done_by_the_answer_of_the_device);
	tcase_add_test(t, a_refused_repair_stays_with_its_reason);
	tcase_add_test(t, a_sparing_is_done_by_the_event_of_its_place);
	tcase_add_test(t, a_sparing_that_failed_says_so_in_its_event);
	tcase_add_test(t, an_unconfirmed_sparing_is_not_repeated_by_itself);
	tcase_add_test(t, a_row_is_spared_once_whatever_its_addresses_are);
	tcase_add_test(t, a_repair_is_the_same_by_the_parts_that_its_type_uses);
	tcase_add_test(t, a_device_that_asks_again_after_a_repair_was_repaired_once);
	tcase_add_test(t, a_repair_without_an_answer_is_unconfirmed);
	tcase_add_test(t, a_sparing_in_the_background_is_done_by_its_event);
	tcase_add_loop_test(t, an_event_that_is_read_later_confirms_the_repair, 0, 2);
	tcase_add_test(t, an_event_that_is_read_later_may_say_that_it_failed);
	tcase_add_loop_test(t, an_event_of_something_else_confirms_nothing_later, 0,
			    ARRAY_SIZE(other_reports));
	tcase_add_test(t, an_event_of_a_boot_that_is_not_known_confirms_nothing);
	tcase_add_test(t, an_event_that_the_service_reads_first_is_not_lost);
	tcase_add_test(t, the_incident_of_a_repair_is_left_to_the_service_and_taken_back);
	tcase_add_test(t, the_result_says_whether_it_is_soft);
	tcase_add_test(t, the_page_of_a_repaired_address_is_offered_until_it_is_brought_back);
	tcase_add_test(t, pages_of_a_spared_row_are_offered_as_far_as_records_name_the_row);
	tcase_add_test(t, an_incident_has_open_repairs_until_all_its_entries_are_done);
	tcase_add_test(t, a_request_that_comes_during_the_repair_is_not_lost);
	tcase_add_test(t, an_outcome_that_cannot_be_stored_is_not_lost_and_settles_no_other_try);
	suite_add_tcase(s, t);
	return s;
}
