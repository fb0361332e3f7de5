// SPDX-License-Identifier: LGPL-2.1-or-later
/* CXLHostLogEntry.Repair: the places of an incident are repaired by its entry. */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "change/client.h"
#include "common/array.h"
#include "redfish/pages/state_pages.h"
#include "redfish/repairs/repair_run.h"
#include "tests/lib/sysfs_util.h"
#undef MEM0
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/repair_records.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define INCIDENTS SYSTEM "/LogServices/Incidents/Entries"
#define REPAIR	  "CXLHostLogEntry.Repair"

static struct log_fixture l;
static struct state *state;
static struct accounts_fixture accounts;
static struct change_client *client;
static struct change_result result;
static struct stored_event *confirmed_by; /* logged while the repair is made */
static struct change made[4];
static atomic_uint n_made;
static atomic_bool waits;
static const char *token;

static int on_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const unsigned int n = atomic_load(&n_made);

	(void)userdata;
	ck_assert_uint_lt(n, ARRAY_SIZE(made));
	made[n] = *call->change;
	atomic_store(&n_made, n + 1);
	while (atomic_load(&waits) && !call->cancelled(call->userdata))
		(void)usleep(1000);
	if (call->cancelled(call->userdata))
		return change_result_set(ret, ECANCELED, CHANGE_REFUSED, "it was cancelled");
	if (confirmed_by)
		(void)log_put(&l, confirmed_by);
	*ret = result;
	return ret->error;
}

static unsigned int on_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_HOST;
}

/* ---- the machine ------------------------------------------------------------------------------
 */

static struct edac_repair instances[] = {
	{.type = EDAC_REPAIR_PPR,
	 .safe_when_used = {true, true},
	 .first_dpa = {.present = true},
	 .last_dpa = {0xffff, true}},
	{.number = 1,
	 .type = EDAC_REPAIR_ROW_SPARING,
	 .safe_when_used = {true, true},
	 .first_dpa = {.present = true},
	 .last_dpa = {0xffff, true}},
};
static const struct edac_device edac = {.repairs = instances, .n_repairs = ARRAY_SIZE(instances)};

/* The tree that a repair reads again: an idle device has the serial number of the model's mem0. */
static void make_tree(void)
{
	tree_setup_from("idle-7.3");
	set("sys/bus/cxl/devices/mem1/serial", "0xabc9\n");
	set("sys/bus/cxl/devices/mem3/serial", "0xabc0\n");
	put_text(tree, "sys/bus/cxl/devices/mem3/cxl_mem3/mem_repair0/repair_type", "ppr\n");
	put_text(tree, "sys/bus/cxl/devices/mem3/cxl_mem3/mem_repair1/repair_type",
		 "row-sparing\n");
	enter();
}

static void start_with(struct accounts *who, const struct service_limits *limits)
{
	static const struct change_client_ops ops = {.run = on_run, .allowed = on_allowed};
	char path[128];

	make_tree();
	log_init_for(&l, who, limits);
	l.f.memdevs[0]->edac = &edac;
	l.f.model.root_directory = *host->root;
	l.f.model.root_directory.captured = false;
	l.f.changes_allowed = (struct changes_allowed){ALLOW_REPAIR, ALLOW_HOST};
	client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	l.f.service->change_client = client;
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, l.directory);
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	l.f.service->state = state;
	log_ready(&l);
}

static void start_all(void)
{
	struct service_limits limits = *fixture_limits();

	limits.repair_confirm_ms = 0;
	start_with(NULL, &limits);
}

static void start_confirmed(void)
{
	struct service_limits limits = *fixture_limits();

	limits.repair_confirm_ms = WAIT_MAX_MS;
	start_with(NULL, &limits);
}

static void start_with_accounts(void)
{
	start_accounts(&accounts, "check_incident_repair");
	start_with(accounts.accounts, fixture_limits());
}

static void stop_all(void)
{
	l.f.service->state = NULL;
	log_done(&l);
	state = state_free(state);
	client = change_client_free(client);
	tree_teardown();
}

static void stop_with_accounts(void)
{
	stop_all();
	stop_accounts(&accounts);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void number(struct stored_event *ev, enum event_field field, uint64_t value)
{
	event_record_set(&ev->record, field, value);
}

/* A DRAM record of mem0, of one bank, that asks for post package repair. */
static struct stored_event request(uint64_t dpa)
{
	static unsigned int n;
	struct stored_event ev;

	log_event(n++, &ev);
	/* Without a time by the device's clock no record is too old. */
	ev.record.present &= ~(UINT64_C(1) << FIELD_HDR_TIMESTAMP);
	ev.record.number[FIELD_HDR_TIMESTAMP] = 0;
	record_ask_repair(&ev, 0xabc0, dpa, 1, 0);
	return ev;
}

static struct stored_event request_sparing(uint64_t dpa)
{
	struct stored_event ev = request(dpa);

	number(&ev, FIELD_HDR_MAINT_OP_CLASS, 2);
	number(&ev, FIELD_HDR_MAINT_OP_SUB_CLASS, 1);
	return ev;
}

static struct stored_event sparing_of(uint64_t dpa)
{
	struct stored_event ev = request_sparing(dpa);

	record_report_sparing(&ev);
	return ev;
}

/* Return: the number of the entry, in the worklist, too. */
static uint64_t put(struct stored_event ev)
{
	const uint64_t seq = log_put(&l, &ev);
	struct error e = {0};
	size_t n;

	ck_assert_msg(repairs_update(state, l.path, &n, &e) == 0, "%s", e.text);
	return seq;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static const char *uri_of(uint64_t id, const char *below)
{
	static char uri[160];

	(void)snprintf(uri, sizeof(uri), INCIDENTS "/%" PRIu64 "%s", id, below);
	return uri;
}

static unsigned int repair(uint64_t id)
{
	return ask_change(&l.f, METHOD_POST, uri_of(id, "/Actions/Oem/" REPAIR), NULL, "{}", token);
}

static void expect(const char *path, const char *text)
{
	const char *found = at(&l.f, path);

	ck_assert_msg(found && strcmp(found, text) == 0, "%s is %s", path,
		      found ? found : "absent");
}

static void says(const char *text)
{
	ck_assert_msg(strstr(l.f.res.body->bytes, text), "'%s' is not in %.*s", text,
		      (int)l.f.res.body->len, l.f.res.body->bytes);
}

static void expect_repaired(uint64_t id)
{
	ck_assert_msg(repair(id) == 204, "%.*s", (int)l.f.res.body->len, l.f.res.body->bytes);
}

#define OF(k, property) "Oem/CXLHost/Incident/Repairs/" #k "/" property

static unsigned int read_incident(uint64_t id)
{
	return ask_change(&l.f, METHOD_GET, uri_of(id, ""), NULL, NULL, token);
}

/* Whether the action is shown at the incident, which is read. */
static bool has_action(uint64_t id)
{
	ck_assert_uint_eq(read_incident(id), 200);
	return value_at(&l.f, "Actions/Oem/#" REPAIR) != NULL;
}

static size_t n_repairs(void)
{
	return json_array_size(value_at(&l.f, "Oem/CXLHost/Incident/Repairs"));
}

/* ---- what is done -----------------------------------------------------------------------------
 */

START_TEST(a_repair_that_is_done_resolves_the_incident)
{
	const uint64_t id = put(request(0x1000));

	ck_assert(has_action(id));
	expect("Actions/Oem/#" REPAIR "/target", uri_of(id, "/Actions/Oem/" REPAIR));
	ck_assert_uint_eq(n_repairs(), 1);
	expect(OF(0, "State"), "waiting");
	expect(OF(0, "RepairType"), "ppr");
	expect(OF(0, "DevicePhysicalAddress"), "0x1000");
	expect(OF(0, "Possible"), "now");
	ck_assert(json_is_null(value_at(&l.f, OF(0, "Result"))));
	expect_repaired(id);
	ck_assert_uint_eq(atomic_load(&n_made), 1);
	ck_assert_uint_eq(made[0].kind, CHANGE_REPAIR);
	ck_assert_str_eq(made[0].object, "mem3"); /* as the host is named by now */
	ck_assert_uint_eq(made[0].identity, 0xabc0);
	ck_assert_uint_eq(made[0].repair.type, EDAC_REPAIR_PPR);
	ck_assert_uint_eq(made[0].repair.dpa, 0x1001);
	ck_assert_uint_eq(made[0].repair.part[REPAIR_CHANNEL], 3);
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "done");
	expect(OF(0, "Result"), "the device reports success");
	expect("Resolved", "true");
	expect("Oem/CXLHost/Note", "repaired by ppr (repair 1)");
	ck_assert_ptr_nonnull(at(&l.f, "Oem/CXLHost/ChangedBy"));
	ck_assert_uint_eq(repair(id), 409);
	says("repair 1 is done");
	ck_assert_uint_eq(atomic_load(&n_made), 1);
}
END_TEST

START_TEST(all_places_of_an_incident_are_repaired_before_it_is_resolved)
{
	const uint64_t id = put(request(0x1000));

	(void)put(request(0x1040));
	ck_assert(has_action(id));
	ck_assert_uint_eq(n_repairs(), 2);
	expect_repaired(id);
	ck_assert_uint_eq(atomic_load(&n_made), 2);
	ck_assert_uint_eq(made[1].repair.dpa, 0x1041);
	ck_assert(!has_action(id));
	expect("Resolved", "true");
	expect("Oem/CXLHost/Note", "repaired by ppr (repair 2)");
}
END_TEST

START_TEST(a_place_that_cannot_be_repaired_keeps_the_incident_open)
{
	const uint64_t id = put(request(0x1000));

	(void)put(request(0x20000)); /* behind what Linux offers */
	ck_assert(has_action(id));
	expect_repaired(id);
	ck_assert_uint_eq(atomic_load(&n_made), 1);
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "done");
	expect(OF(1, "State"), "waiting");
	expect(OF(1, "Possible"), "not-known");
	expect("Resolved", "false");
	ck_assert_uint_eq(repair(id), 409);
	says("not to be believed");
}
END_TEST

START_TEST(a_sparing_is_done_by_its_event)
{
	struct stored_event sparing = sparing_of(0x1000);
	const uint64_t id = put(request_sparing(0x1000));

	confirmed_by = &sparing;
	expect_repaired(id);
	ck_assert_uint_eq(made[0].repair.type, EDAC_REPAIR_ROW_SPARING);
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "done");
	expect("Resolved", "true");
}
END_TEST

/* ---- what is not ------------------------------------------------------------------------------
 */

START_TEST(a_sparing_without_an_event_is_unconfirmed_and_not_repeated)
{
	const uint64_t id = put(request_sparing(0x1000));

	ck_assert_uint_eq(repair(id), 500);
	says("ChangeUnknown");
	says("no cxl_memory_sparing event");
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "accepted-unconfirmed");
	expect("Resolved", "false");
	ck_assert_uint_eq(repair(id), 409);
	says("repair 1 is accepted-unconfirmed");
	ck_assert_uint_eq(atomic_load(&n_made), 1);
}
END_TEST

START_TEST(a_refusal_has_its_reason_and_can_be_tried_again)
{
	const uint64_t id = put(request(0x1000));

	(void)change_result_set(&result, EBUSY, CHANGE_REFUSED, "the device is in use");
	ck_assert_uint_eq(repair(id), 409);
	says("ChangeRefused");
	says("the device is in use");
	ck_assert(has_action(id));
	expect(OF(0, "State"), "refused");
	expect(OF(0, "Result"), "the device is in use");
	expect("Resolved", "false");
	result = (struct change_result){0};
	expect_repaired(id);
	ck_assert(!has_action(id));
	ck_assert_int_eq(json_integer_value(value_at(&l.f, OF(0, "Tries"))), 2);
}
END_TEST

START_TEST(a_helper_that_is_not_reached_refuses)
{
	const uint64_t id = put(request(0x1000));

	(void)change_result_set(&result, ENOTCONN, CHANGE_REFUSED, "the helper was not reached");
	ck_assert_uint_eq(repair(id), 503);
	ck_assert(has_action(id));
	expect(OF(0, "State"), "refused");
}
END_TEST

START_TEST(a_helper_that_exits_leaves_it_unconfirmed)
{
	const uint64_t id = put(request(0x1000));

	(void)change_result_set(&result, ECONNRESET, CHANGE_UNKNOWN, "the helper went away");
	ck_assert_uint_eq(repair(id), 500);
	says("ChangeUnknown");
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "accepted-unconfirmed");
	expect(OF(0, "Result"), "the helper went away");
}
END_TEST

START_TEST(it_needs_the_permission_and_the_helper)
{
	const uint64_t id = put(request(0x1000));

	allow_changes(&l.f, ALLOW_HOST & ~ALLOW_REPAIR, ALLOW_HOST);
	ck_assert(!has_action(id));
	ck_assert_uint_eq(n_repairs(), 1);
	ck_assert_uint_eq(repair(id), 405);
	says("--allow=repair");
	allow_changes(&l.f, ALLOW_REPAIR, ALLOW_HOST & ~ALLOW_REPAIR);
	ck_assert(!has_action(id));
	ck_assert_uint_eq(repair(id), 405);
	allow_changes(&l.f, ALLOW_REPAIR, 0);
	ck_assert(!has_action(id));
	ck_assert_uint_eq(repair(id), 405);
	says("does not answer");
	ck_assert_uint_eq(atomic_load(&n_made), 0);
}
END_TEST

/* A record of the same bank that asks for nothing. */
static struct stored_event plain(uint64_t dpa)
{
	struct stored_event ev = request(dpa);

	number(&ev, FIELD_HDR_FLAGS, 1);
	return ev;
}

START_TEST(an_incident_that_asks_for_none_is_repaired_when_a_person_says_so)
{
	struct stored_event sparing = sparing_of(0x1000);
	const uint64_t id = put(plain(0x1000));

	confirmed_by = &sparing;
	ck_assert(has_action(id));
	ck_assert_uint_eq(n_repairs(), 1);
	expect(OF(0, "AskedByDevice"), "false");
	expect(OF(0, "State"), "waiting");
	expect(OF(0, "RepairType"), "row-sparing");
	expect_repaired(id);
	ck_assert_uint_eq(atomic_load(&n_made), 1);
	ck_assert(!has_action(id));
	expect(OF(0, "State"), "done");
	expect("Resolved", "true");
	/* A request that comes then would use up a further spare. */
	ck_assert_uint_eq(repair(put(request_sparing(0x1000))), 409);
	says("a second one may use up a further spare");
}
END_TEST

START_TEST(an_incident_without_a_place_has_no_action)
{
	struct stored_event ev = plain(0x1000);
	uint64_t id;

	number(&ev, FIELD_DPA_FLAGS, 3);
	id = put(ev);
	ck_assert(!has_action(id));
	ck_assert(json_is_array(value_at(&l.f, "Oem/CXLHost/Incident/Repairs")));
	ck_assert_uint_eq(n_repairs(), 0);
	ck_assert_uint_eq(repair(id), 409);
	says("no place of it is in the worklist");
	ck_assert_uint_eq(repair(id + 1), 404);
}
END_TEST

static void remember_page(uint64_t dpa)
{
	struct remembered_page page = {
		.device = MEM0_ID, .serial = 0xabc0, .dpa = dpa, .length = REMEMBERED_LINE};
	const struct remembered_pages pages = {.items = &page, .n = 1};
	size_t added = 0;

	ck_assert_int_eq(state_import_pages(state, &pages, 16, &added, NULL), 0);
	ck_assert_uint_eq(added, 1);
}

START_TEST(pages_of_a_repaired_place_are_offered_for_return)
{
	const uint64_t id = put(request(0x1000));

	remember_page(0x1000);
	remember_page(0x2000);
	ck_assert(has_action(id));
	ck_assert_uint_eq(json_array_size(value_at(&l.f, OF(0, "RememberedPages"))), 0);
	ck_assert_uint_eq(repair(id), 200);
	says("PagesMayReturn");
	says("DPA 0x1000.");
	ck_assert(!has_action(id));
	ck_assert_uint_eq(json_array_size(value_at(&l.f, OF(0, "RememberedPages"))), 1);
	expect(OF(0, "RememberedPages/0"), "0x1000");
	expect("Resolved", "true");
}
END_TEST

/* A device that reports success, and goes on failing. */
START_TEST(an_incident_that_comes_again_says_that_it_was_repaired_once)
{
	const uint64_t id = put(request(0x1000));
	uint64_t again;

	ck_assert(has_action(id));
	expect(OF(0, "AskedByDevice"), "true");
	expect_repaired(id);
	again = put(request(0x1000));
	ck_assert_uint_ne(again, id);
	ck_assert(has_action(again));
	expect("Resolved", "false");
	ck_assert_uint_eq(n_repairs(), 1);
	ck_assert_int_eq(json_integer_value(value_at(&l.f, OF(0, "Number"))), 1);
	expect(OF(0, "State"), "waiting");
	expect(OF(0, "Result"), "the device asks again, though it was repaired 1 time");
	ck_assert_uint_eq(read_incident(id), 200);
	expect("Resolved", "true");
}
END_TEST

START_TEST(errors_that_go_on_without_a_request_say_so_and_are_not_repaired_again)
{
	const uint64_t id = put(request(0x1000));
	uint64_t again;

	expect_repaired(id);
	again = put(plain(0x1000));
	(void)has_action(again);
	ck_assert_uint_eq(n_repairs(), 1);
	expect(OF(0, "AskedByDevice"), "false");
	expect(OF(0, "Result"), "errors go on, though repair 1 repaired the same place 1 time");
}
END_TEST

/* Numbers of another log may be the same. */
START_TEST(an_entry_whose_record_is_not_in_the_log_is_of_no_incident)
{
	struct stored_event ev = request(0x1000), other = request(0x1040);
	struct repair_entries list = {0};
	const uint64_t id = log_put(&l, &ev);
	struct repair_entry *entry = repair_entries_add(&list);
	struct repairs_added added;

	ck_assert_ptr_nonnull(entry);
	other.seq = other.incident = id;
	ck_assert(repair_entry_of(&other, entry));
	ck_assert_int_eq(state_add_repairs(state, &list, id, &added, NULL), 0);
	repair_entries_done(&list);
	ck_assert(!has_action(id));
	ck_assert_uint_eq(n_repairs(), 0);
	ck_assert_uint_eq(repair(id), 409);
}
END_TEST

START_TEST(members_of_the_collection_have_it_too)
{
	char target[160];
	const uint64_t id = put(request(0x1000));

	(void)snprintf(target, sizeof(target), "%s", uri_of(id, "/Actions/Oem/" REPAIR));
	ck_assert_uint_eq(log_get(&l, INCIDENTS), 200);
	expect("Members/0/Actions/Oem/#" REPAIR "/target", target);
	ck_assert_uint_eq(log_query(&l, INCIDENTS, "$filter=Oem/CXLHost/Incident/State eq 'open'"),
			  200);
	expect("Members/0/Oem/CXLHost/Incident/Repairs/0/State", "waiting");
}
END_TEST

START_TEST(without_a_worklist_there_is_neither)
{
	const uint64_t id = put(request(0x1000));

	l.f.service->state = NULL;
	ck_assert(!has_action(id));
	ck_assert_ptr_null(value_at(&l.f, "Oem/CXLHost/Incident/Repairs"));
	ck_assert_uint_eq(repair(id), 409);
	says("no state directory");
}
END_TEST

/* ---- tasks and roles --------------------------------------------------------------------------
 */

static void start_tasks(void)
{
	struct service_limits limits = *fixture_limits();

	limits.task_after_ms = 0;
	limits.repair_confirm_ms = 0;
	start_with(NULL, &limits);
}

static bool task_is(unsigned int id, const char *wanted)
{
	char uri[64];

	(void)snprintf(uri, sizeof(uri), ROOT "/TaskService/Tasks/%u", id);
	return get(&l.f, uri) == 200 && strcmp(at(&l.f, "TaskState"), wanted) == 0;
}

START_TEST(a_long_repair_is_a_task_and_a_second_one_of_the_device_is_refused)
{
	const uint64_t id = put(request(0x1000));

	atomic_store(&waits, true);
	ck_assert_uint_eq(repair(id), 202);
	WAIT_UNTIL(atomic_load(&n_made) == 1);
	/* It may end before it becomes a task. */
	if (repair(id) == 202) {
		WAIT_UNTIL(task_is(2, "Exception"));
		(void)get(&l.f, ROOT "/TaskService/TaskMonitors/2");
	}
	ck_assert_uint_eq(l.f.res.status, 409);
	atomic_store(&waits, false);
	WAIT_UNTIL(task_is(1, "Completed"));
	ck_assert_uint_eq(atomic_load(&n_made), 1);
	ck_assert(!has_action(id));
	expect("Resolved", "true");
}
END_TEST

START_TEST(a_task_has_the_pages_in_its_messages)
{
	const uint64_t id = put(request(0x1000));

	remember_page(0x1000);
	ck_assert_uint_eq(repair(id), 202);
	WAIT_UNTIL(task_is(1, "Completed"));
	says("PagesMayReturn");
	says("DPA 0x1000.");
}
END_TEST

START_TEST(a_repair_that_is_cancelled_in_time_is_refused)
{
	const uint64_t id = put(request(0x1000));

	atomic_store(&waits, true);
	ck_assert_uint_eq(repair(id), 202);
	WAIT_UNTIL(atomic_load(&n_made) == 1);
	ck_assert_uint_lt(log_send(&l, METHOD_DELETE, ROOT "/TaskService/Tasks/1", NULL), 300);
	WAIT_UNTIL(read_incident(id) == 200 && value_at(&l.f, "Actions/Oem/#" REPAIR));
	expect(OF(0, "State"), "refused");
	expect("Resolved", "false");
}
END_TEST

START_TEST(who_may_configure_components_may_repair)
{
	const uint64_t id = put(request(0x1000));
	char text[TOKEN_CHARS];

	token = log_in(&l.f, "reader", "ReadOnly", text);
	ck_assert_uint_eq(repair(id), 403);
	ck_assert_uint_eq(atomic_load(&n_made), 0);
	token = log_in(&l.f, "ops", "Operator", text);
	expect_repaired(id);
	ck_assert(!has_action(id));
	expect("Oem/CXLHost/ChangedBy", "ops");
	token = NULL;
}
END_TEST

static TCase *add_case(Suite *s, const char *name, void (*begin)(void), void (*end)(void))
{
	TCase *t = tcase_create(name);

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, begin, end);
	suite_add_tcase(s, t);
	return t;
}

SUITE(check_incident_repair)
{
	Suite *s = suite_create("repair of an incident");
	TCase *t = add_case(s, "repairs", start_all, stop_all);

	tcase_add_test(t, a_repair_that_is_done_resolves_the_incident);
	tcase_add_test(t, all_places_of_an_incident_are_repaired_before_it_is_resolved);
	tcase_add_test(t, a_place_that_cannot_be_repaired_keeps_the_incident_open);
	tcase_add_test(t, a_sparing_without_an_event_is_unconfirmed_and_not_repeated);
	tcase_add_test(t, a_refusal_has_its_reason_and_can_be_tried_again);
	tcase_add_test(t, a_helper_that_is_not_reached_refuses);
	tcase_add_test(t, a_helper_that_exits_leaves_it_unconfirmed);
	tcase_add_test(t, it_needs_the_permission_and_the_helper);
	tcase_add_test(t, an_incident_without_a_place_has_no_action);
	tcase_add_test(t, pages_of_a_repaired_place_are_offered_for_return);
	tcase_add_test(t, an_incident_that_comes_again_says_that_it_was_repaired_once);
	tcase_add_test(t, errors_that_go_on_without_a_request_say_so_and_are_not_repaired_again);
	tcase_add_test(t, an_entry_whose_record_is_not_in_the_log_is_of_no_incident);
	tcase_add_test(t, members_of_the_collection_have_it_too);
	tcase_add_test(t, without_a_worklist_there_is_neither);
	t = add_case(s, "events", start_confirmed, stop_all);
	tcase_add_test(t, a_sparing_is_done_by_its_event);
	tcase_add_test(t, an_incident_that_asks_for_none_is_repaired_when_a_person_says_so);
	t = add_case(s, "tasks", start_tasks, stop_all);
	tcase_add_test(t, a_long_repair_is_a_task_and_a_second_one_of_the_device_is_refused);
	tcase_add_test(t, a_task_has_the_pages_in_its_messages);
	tcase_add_test(t, a_repair_that_is_cancelled_in_time_is_refused);
	t = add_case(s, "accounts", start_with_accounts, stop_with_accounts);
	tcase_add_test(t, who_may_configure_components_may_repair);
	return s;
}
