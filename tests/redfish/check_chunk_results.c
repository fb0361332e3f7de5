// SPDX-License-Identifier: LGPL-2.1-or-later
/* Results of a change of a region: its answer, its Task, the view, the audit log. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/state/audit.h"
#include "redfish/core/resource_index.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define AUDIT_ENTRIES ROOT "/Managers/Service/LogServices/Audit/Entries"

/* ---- the answer ------------------------------------------------------------------------------
 */

static const struct {
	int error;
	enum change_outcome outcome;
	unsigned int status;
	const char *key;
} results[] = {
	{-EINVAL, CHANGE_REFUSED, 400, "ChangeRefused"},
	{-EOPNOTSUPP, CHANGE_REFUSED, 400, "ChangeRefused"},
	{-EACCES, CHANGE_REFUSED, 403, "ChangeRefused"},
	{-EKEYREJECTED, CHANGE_REFUSED, 403, "ChangeRefused"},
	{-ENOENT, CHANGE_REFUSED, 404, "ChangeRefused"},
	{-EBUSY, CHANGE_REFUSED, 409, "ChangeRefused"},
	{-EPERM, CHANGE_REFUSED, 409, "ChangeRefused"},
	{-ESTALE, CHANGE_REFUSED, 409, "ChangeRefused"},
	{-ENODEV, CHANGE_REFUSED, 409, "ChangeRefused"},
	{-ENOSPC, CHANGE_REFUSED, 507, "ChangeRefused"},
	{-ENOTCONN, CHANGE_REFUSED, 503, "ChangeRefused"},
	{-ESHUTDOWN, CHANGE_REFUSED, 503, "ChangeRefused"},
	{-EIO, CHANGE_REFUSED, 500, "ChangeRefused"},
	{-EBUSY, CHANGE_UNDONE, 409, "ChangeUndone"},
	{-EIO, CHANGE_UNDONE, 500, "ChangeUndone"},
	{-ETIMEDOUT, CHANGE_UNDONE, 500, "ChangeUndone"},
	{-EBUSY, CHANGE_INCOMPLETE, 500, "ChangeIncomplete"},
	{-ECANCELED, CHANGE_INCOMPLETE, 500, "ChangeIncomplete"},
	{-EIO, CHANGE_UNKNOWN, 500, "ChangeUnknown"},
	{-EIO, CHANGE_DONE, 500, "ChangeUnknown"},
	{-EIO, (enum change_outcome)77, 500, "ChangeUnknown"},
};

START_TEST(each_result_has_its_status_and_its_message_with_the_whole_reason)
{
	char text[CHANGE_TEXT_MAX];

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text + sizeof(text) - 8, " end", 4);
	text[sizeof(text) - 4] = '\0';
	(void)change_result_set(&changing.answer, results[_i].error, results[_i].outcome, "%s",
				text);
	ck_assert_uint_eq(patch(OFFLINE), results[_i].status);
	expect_extended(&f, 0, results[_i].key, "region0");
	expect_extended(&f, 0, results[_i].key, "xxxx end");
	/* The value that cannot be had is pointed to, the others are no fault of the request. */
	ck_assert_int_eq(value_at(&f, "error/@Message.ExtendedInfo/0/RelatedProperties") != NULL,
			 results[_i].error == -EINVAL);
	/* The topology was read again if it may have been changed, not after a refusal. */
	ck_assert_int_eq(changing.n_requests[VIEW_INPUT_TOPOLOGY] > 0,
			 results[_i].outcome != CHANGE_REFUSED);
}
END_TEST

static const struct {
	const char *why, *message;
} sentences[] = {
	{"the memory of region0 cannot be released: it is held",
	 "The change was refused: the memory of region0 cannot be released: it is held."},
	{"it is held.", "The change was refused: region0: it is held."},
	{"region01 is another one", "The change was refused: region0: region01 is another one."},
	{"xregion0, region0", "The change was refused: xregion0, region0."},
	{"", "The change was refused: region0: no reason is given."},
};

START_TEST(a_message_names_the_region_once)
{
	(void)change_result_set(&changing.answer, EBUSY, CHANGE_REFUSED, "%s", sentences[_i].why);
	ck_assert_uint_eq(patch(OFFLINE), 409);
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/Message"), sentences[_i].message);
}
END_TEST

/* Fails the test unless the last record of the audit log ends with that text. */
static void expect_audited(const char *end)
{
	const char *text;
	char path[64];

	ck_assert_uint_eq(get(&f, AUDIT_ENTRIES), 200);
	(void)snprintf(path, sizeof(path), "Members/%lld/MessageArgs/4",
		       (long long)json_integer_value(value_at(&f, "Members@odata.count")) - 1);
	text = at(&f, path);
	ck_assert_ptr_nonnull(text);
	ck_assert_msg(strlen(text) >= strlen(end) &&
			      str_equal(text + strlen(text) - strlen(end), end),
		      "%s", text);
}

START_TEST(the_audit_log_says_what_was_changed_and_with_which_result)
{
	ck_assert_uint_eq(patch(OFFLINE), 200);
	expect_audited(" take memory offline region0: done");
	ck_assert_uint_eq(create(SIZE_512), 201);
	expect_audited(" create region decoder0.0 region1: done");
	(void)change_result_set(&changing.answer, -EBUSY, CHANGE_UNDONE, "it is in use");
	ck_assert_uint_eq(destroy(NULL), 409);
	expect_audited(".ChangeUndone destroy region region0: undone");
	(void)change_result_set(&changing.answer, -EIO, CHANGE_INCOMPLETE, "half of it is left");
	ck_assert_uint_eq(destroy(NULL), 500);
	expect_audited(".ChangeIncomplete destroy region region0: incomplete");
	(void)change_result_set(&changing.answer, -EIO, CHANGE_DONE, "a result that is none");
	ck_assert_uint_eq(destroy(NULL), 500);
	expect_audited(".ChangeUnknown destroy region region0: not known");
}
END_TEST

START_TEST(the_answer_waits_for_the_view_with_the_effect)
{
	changing.slow_ms = 100;
	ck_assert_uint_eq(patch(OFFLINE), 200);
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Offline");
	ck_assert_uint_eq(changing.n_requests[VIEW_INPUT_TOPOLOGY], 1);
	ck_assert_uint_eq(changing.n_requests[VIEW_INPUT_READINGS], 0);
	ck_assert_uint_eq(create(SIZE_512), 201);
	ck_assert_str_eq(at(&f, "@odata.id"), NEW_REGION);
	ck_assert_uint_eq(destroy(NULL), 204);
	ck_assert_uint_eq(get(&f, REGION), 404);
}
END_TEST

START_TEST(the_use_of_memory_is_read_again_only_when_the_topology_came_without_it)
{
	ck_assert_uint_eq(patch(OFFLINE), 200);
	ck_assert_uint_eq(changing.n_requests[VIEW_INPUT_MEMORY_USE], 0);
	changing.one_by_one = true;
	ck_assert_uint_eq(patch(ONLINE), 200);
	ck_assert_uint_eq(changing.n_requests[VIEW_INPUT_TOPOLOGY], 2);
	ck_assert_uint_eq(changing.n_requests[VIEW_INPUT_MEMORY_USE], 1);
}
END_TEST

/* ---- tasks ------------------------------------------------------------------------------------
 */

enum { AFTER_MS = 20 };

static void setup_tasks(void)
{
	struct service_limits limits = *fixture_limits();

	limits.task_after_ms = AFTER_MS;
	start_changes(&limits, NULL);
}

/* Return: the status of the monitor once the change has ended. */
static unsigned int wait_for_end(const char *monitor)
{
	for (unsigned int i = 0; get(&f, monitor) == 202; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS);
		(void)usleep(1000);
	}
	return f.res.status;
}

/* Fails the test unless the only task is in that state. */
static void expect_task(const char *state)
{
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks/1"), 200);
	ck_assert_str_eq(at(&f, "TaskState"), state);
}

START_TEST(what_takes_long_is_a_task_with_the_progress_of_the_kernel)
{
	char monitor[100], *messages;
	sem_t hold;

	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
	changing.hold = &hold;
	ck_assert_uint_eq(patch(OFFLINE), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	(void)sem_wait(&changing.began);
	expect_task("Running");
	ck_assert_int_eq(json_integer_value(value_at(&f, "PercentComplete")), 25);
	messages = json_dumps(value_at(&f, "Messages"), JSON_COMPACT);
	ck_assert_msg(strstr(messages, "\"3\",\"12\",\"blocks\""), "%s", messages);
	free(messages);
	(void)sem_post(&hold);
	ck_assert_uint_eq(wait_for_end(monitor), 200);
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Offline");
	expect_task("Completed");
	(void)sem_destroy(&hold);
}
END_TEST

START_TEST(a_task_is_completed_only_when_the_view_has_the_effect)
{
	char monitor[100];
	static sem_t hold; /* for the reader, which ends after this */

	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
	changing.hold_view = &hold;
	ck_assert_uint_eq(create(SIZE_512), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	WAIT_UNTIL(atomic_load(&changing.n_requests[VIEW_INPUT_TOPOLOGY]) > 0);
	expect_task("Running");
	ck_assert_uint_eq(get(&f, NEW_REGION), 404);
	(void)sem_post(&hold);
	ck_assert_uint_eq(wait_for_end(monitor), 201);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), NEW_REGION);
	ck_assert_str_eq(at(&f, "@odata.id"), NEW_REGION);
	ck_assert_uint_eq(get(&f, NEW_REGION), 200);
}
END_TEST

/* The state that subscribers could see when the event that the task has ended was sent. */
static struct {
	atomic_bool ended;
	bool in_view, audited;
} at_end;

static int note_record(void *userdata, const struct audit_record *rec)
{
	(void)userdata;
	at_end.audited |= strstr(rec->detail, " create region decoder0.0 region1: done") != NULL;
	return 0;
}

static void on_task(void *userdata, const struct task *t, enum task_event event)
{
	const struct audit_page all = {.max = AUDIT_MEMORY_MAX};
	struct view_hold *hold;

	(void)userdata;
	(void)t;
	if (event != TASK_ENDED)
		return;
	hold = view_holder_take(f.service->view_holder);
	at_end.in_view = resource_find(view_of_hold(hold)->index, (char[]){NEW_REGION}) != NULL;
	(void)view_hold_release(hold);
	ck_assert_int_eq(audit_read(f.service->audit, &all, note_record, NULL, NULL), 0);
	at_end.ended = true;
}

START_TEST(view_and_audit_log_have_the_change_before_the_event_of_the_tasks_end)
{
	static sem_t hold; /* for the reader, which ends after this */

	memset(&at_end, 0, sizeof(at_end));
	service_set_task_listener(f.service, on_task, NULL);
	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
	changing.hold_view = &hold;
	ck_assert_uint_eq(create(SIZE_512), 202);
	(void)sem_post(&hold);
	for (unsigned int i = 0; !at_end.ended; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS);
		(void)usleep(1000);
	}
	ck_assert(at_end.in_view);
	ck_assert(at_end.audited);
}
END_TEST

START_TEST(a_change_that_is_cancelled_and_undone_is_cancelled)
{
	changing.obeys = true;
	(void)change_result_set(&changing.answer, -ECANCELED, CHANGE_UNDONE, "it was cancelled");
	ck_assert_uint_eq(patch(OFFLINE), 202);
	(void)sem_wait(&changing.began);
	ck_assert_uint_eq(
		ask_change(&f, METHOD_DELETE, ROOT "/TaskService/Tasks/1", NULL, NULL, NULL), 204);
	for (unsigned int i = 0; i < WAIT_MAX_MS; i++) {
		ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks/1"), 200);
		if (str_equal(at(&f, "TaskState"), "Cancelled"))
			break;
		(void)usleep(1000);
	}
	expect_task("Cancelled");
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Online");
}
END_TEST

START_TEST(what_could_not_be_undone_is_said_in_the_task)
{
	char monitor[100];

	changing.obeys = true;
	(void)change_result_set(&changing.answer, -ECANCELED, CHANGE_INCOMPLETE,
				"2 of 4 blocks are offline and could not be brought online again");
	ck_assert_uint_eq(patch(OFFLINE), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	(void)sem_wait(&changing.began);
	ck_assert_uint_eq(
		ask_change(&f, METHOD_DELETE, ROOT "/TaskService/Tasks/1", NULL, NULL, NULL), 204);
	ck_assert_uint_eq(wait_for_end(monitor), 500);
	expect_extended(&f, 0, "ChangeIncomplete", "2 of 4 blocks are offline");
	expect_task("Exception");
}
END_TEST

START_TEST(devices_of_a_change_are_sub_tasks)
{
	char monitor[100];
	sem_t hold;

	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
	changing.hold = &hold;
	changing.part = "mem2";
	ck_assert_uint_eq(create(SIZE_512), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	(void)sem_wait(&changing.began);
	expect_task("Running");
	ck_assert_ptr_nonnull(value_at(&f, "SubTasks/@odata.id"));
	(void)sem_post(&hold);
	ck_assert_uint_eq(wait_for_end(monitor), 201);
	(void)sem_destroy(&hold);
}
END_TEST

SUITE(check_chunk_results)
{
	Suite *s = suite_create("chunk_results");
	TCase *t = change_case(s, "answers", start_usual_changes, stop_changes);

	tcase_add_loop_test(t, each_result_has_its_status_and_its_message_with_the_whole_reason, 0,
			    ARRAY_SIZE(results));
	tcase_add_loop_test(t, a_message_names_the_region_once, 0, ARRAY_SIZE(sentences));
	tcase_add_test(t, the_audit_log_says_what_was_changed_and_with_which_result);
	tcase_add_test(t, the_answer_waits_for_the_view_with_the_effect);
	tcase_add_test(t, the_use_of_memory_is_read_again_only_when_the_topology_came_without_it);
	t = change_case(s, "tasks", setup_tasks, stop_changes);
	tcase_add_test(t, what_takes_long_is_a_task_with_the_progress_of_the_kernel);
	tcase_add_test(t, a_task_is_completed_only_when_the_view_has_the_effect);
	tcase_add_test(t, view_and_audit_log_have_the_change_before_the_event_of_the_tasks_end);
	tcase_add_test(t, a_change_that_is_cancelled_and_undone_is_cancelled);
	tcase_add_test(t, what_could_not_be_undone_is_said_in_the_task);
	tcase_add_test(t, devices_of_a_change_are_sub_tasks);
	return s;
}
