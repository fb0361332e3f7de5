// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests that take long, as tasks: their answers, states, limits, and what is left of them after
 * the end of the process. */
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>
#include <sqlite3.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/service/exchange.h"
#include "redfish/resources/resources.h"
#include "redfish/resources/rows.h"
#include "redfish/tasks/state_tasks.h"
#include "redfish/tasks/task_parts.h"
#include "redfish/tasks/tasks.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define THING	 "/Thing"
#define WAITS	 THING "/Actions/Thing.Waits"
#define NOW	 THING "/Actions/Thing.Now"
#define OBEYS	 THING "/Actions/Thing.Obeys"
#define FAILS	 THING "/Actions/Thing.Fails"
#define PARTS	 THING "/Actions/Thing.Parts"
#define READS	 THING "/Actions/Thing.Reads"
#define TASK_URI ROOT "/TaskService/Tasks/"
#define MONITOR	 ROOT "/TaskService/TaskMonitors/"

enum { AFTER_MS = 20, TRIES = WAIT_MAX_MS };

static struct fixture f;
static struct service_limits limits;
static struct state *state;
static char directory[64], path[80];
static sem_t release;
static atomic_uint n_runs, n_events[TASK_REMOVED + 1];

/* ---- the operations ---------------------------------------------------------------------------
 */

static int waits(struct exchange *x, void *userdata)
{
	(void)userdata;
	atomic_fetch_add(&n_runs, 1);
	exchange_progress(x, 30, 120, "parts");
	(void)sem_wait(&release);
	put_object(&x->w, NULL);
	put_string(&x->w, "Answer", "real");
	put_end(&x->w);
	return 0;
}

static int obeys(struct exchange *x, void *userdata)
{
	(void)userdata;
	atomic_fetch_add(&n_runs, 1);
	exchange_progress(x, 5, 10, "parts");
	while (!job_is_cancelled(x->job))
		(void)usleep(1000);
	exchange_changed(x, "destroy region region0: done");
	exchange_changed(x, "destroy region \x1b[m: undone");
	return -ECANCELED;
}

static int fails(struct exchange *x, void *userdata)
{
	(void)userdata;
	(void)sem_wait(&release);
	return exchange_refuse(x, MESSAGE_NO_OPERATION, NULL, NULL, NULL);
}

/* Works on four objects: one is done, one fails, one is half done and one is not begun, when it
 * fails. */
static int parts(struct exchange *x, void *userdata)
{
	struct message m;

	(void)userdata;
	message_set(&m, MESSAGE_NOT_CHANGEABLE, "mem1 is locked", NULL, NULL);
	for (char name[] = "mem0"; name[3] < '4'; name[3]++)
		exchange_add_part(x, name);
	exchange_progress_part(x, "mem0", 10, 40, "blocks");
	exchange_end_part(x, "mem0", 0, NULL);
	exchange_progress_part(x, "mem1", 0, 0, "");
	exchange_end_part(x, "mem1", -EPERM, &m);
	exchange_end_part(x, "mem1", 0, NULL); /* too late */
	exchange_progress_part(x, "mem2", 50, 100, "percent");
	(void)sem_wait(&release);
	return exchange_refuse(x, MESSAGE_NOT_CHANGEABLE, "mem1 is locked", NULL, NULL);
}

static int many_parts(struct exchange *x, void *userdata)
{
	char name[8];

	(void)userdata;
	for (unsigned int i = 0; i < TASK_PARTS_MAX + 5; i++) {
		(void)snprintf(name, sizeof(name), "mem%u", i);
		exchange_progress_part(x, name, i, 0, "");
	}
	while (!job_is_cancelled(x->job))
		(void)usleep(1000);
	return -ECANCELED;
}

#define ACTION_RUN(name, body, ...)                                                                \
	static int name(struct exchange *x)                                                        \
	{                                                                                          \
		static const struct continuation c = {                                             \
			.class = JOB_DEVICES, .run = body, __VA_ARGS__};                           \
		return exchange_continue(x, &c, NULL);                                             \
	}

ACTION_RUN(run_waits, waits, .free = NULL)
ACTION_RUN(run_now, waits, .is_task = true)
ACTION_RUN(run_obeys, obeys, .can_cancel = true)
ACTION_RUN(run_fails, fails, .free = NULL)
ACTION_RUN(run_parts, parts, .free = NULL)
ACTION_RUN(run_many_parts, many_parts, .can_cancel = true)

static void render_thing(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_string(w, "Name", "Thing");
	put_actions(r, w);
}

static const struct parameter rows_of_waits[] = {
	{.name = "Password", .type = PARAMETER_TEXT, .secret = true},
};
static const struct parameters parameters_of_waits = {PARAMETER_ROWS(rows_of_waits)};

static const struct action actions[] = {
	{"Thing.Waits", &parameters_of_waits, .standard = true, .run = run_waits},
	{"Thing.Now", .standard = true, .run = run_now},
	{"Thing.Obeys", .standard = true, .run = run_obeys},
	{"Thing.Fails", .standard = true, .run = run_fails},
	{"Thing.Parts", .standard = true, .run = run_parts},
	{"Thing.ManyParts", .standard = true, .run = run_many_parts},
	{"Thing.Reads", .standard = true, .only_reads = true, .run = run_waits},
};

static const struct resource_type types[] = {
	{.pattern = THING, SCHEMA("Thing", "v1_0_0"), .render = render_thing, ACTIONS(actions)},
};
static const struct resource_rows rows = RESOURCE_ROWS(types);
static const struct resource_rows *const lists[] = {&rows, &task_rows, &audit_rows};
static const struct resource_table table = {lists, ARRAY_SIZE(lists), NULL};

/* ---- fixture ----------------------------------------------------------------------------------
 */

static void on_event(void *userdata, const struct task *t, enum task_event event)
{
	(void)userdata;
	(void)t;
	atomic_fetch_add(&n_events[event], 1);
}

static void begin(void)
{
	fixture_init_with(&f, NULL, &limits, &table);
	service_set_task_listener(f.service, on_event, NULL);
	if (path[0]) {
		ck_assert_int_eq(state_new(path, &state, NULL), 0);
		service_set_state(f.service, state);
	}
	fixture_ready(&f);
}

static void end(void)
{
	fixture_done(&f);
	state = state_free(state);
}

static void setup(void)
{
	limits = *fixture_limits();
	limits.task_after_ms = AFTER_MS;
	(void)sem_init(&release, 0, 0);
	atomic_store(&n_runs, 0);
}

static void setup_state(void)
{
	setup();
	(void)snprintf(directory, sizeof(directory), "/tmp/check_tasks.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/state.db", directory);
}

static void teardown(void)
{
	char command[96];

	end();
	(void)sem_destroy(&release);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	if (path[0])
		ck_assert_int_eq(system(command), 0);
}

static long long number_at(const char *where)
{
	return json_integer_value(value_at(&f, where));
}

static unsigned int task_is(unsigned int id, const char *wanted)
{
	char uri[64];

	(void)snprintf(uri, sizeof(uri), TASK_URI "%u", id);
	return get(&f, uri) == 200 && strcmp(at(&f, "TaskState"), wanted) == 0;
}

static void wait_task(unsigned int id, const char *wanted)
{
	for (unsigned int i = 0; !task_is(id, wanted); i++) {
		ck_assert_uint_lt(i, TRIES);
		(void)usleep(1000);
	}
}

/* Until the job has begun, which it need not when its request becomes a task, and has said so. */
static void wait_percent(unsigned int id, long long percent)
{
	for (unsigned int i = 0; !task_is(id, "Running") || number_at("PercentComplete") != percent;
	     i++) {
		ck_assert_uint_lt(i, TRIES);
		(void)usleep(1000);
	}
}

static unsigned int send_delete(const char *uri)
{
	return ask(&f, &(struct http_request){.method = METHOD_DELETE, .path = uri});
}

/* With If-Match; what is read of a task monitor is the answer to another request. */
static unsigned int send_delete_if(const char *uri, const char *tag)
{
	struct http_request req = {.method = METHOD_DELETE, .path = uri};

	req.headers[HEADER_IF_MATCH] = tag;
	return ask(&f, &req);
}

/* Return: whether the task in the answer has a message with that key. */
static bool has_message(const char *key)
{
	char where[32];

	for (unsigned int i = 0; i < 8; i++) {
		const char *id;

		(void)snprintf(where, sizeof(where), "Messages/%u/MessageId", i);
		id = at(&f, where);
		if (id && strcmp(strrchr(id, '.') + 1, key) == 0)
			return true;
	}
	return false;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

START_TEST(a_change_that_takes_long_becomes_a_task)
{
	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{\"Password\":\"secret\"}"), 202);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), MONITOR "1");
	ck_assert_str_eq(http_reply_value(&f.res, "Retry-After"), "1");
	ck_assert_str_eq(at(&f, "@odata.id"), TASK_URI "1");
	ck_assert_str_eq(at(&f, "Payload/TargetUri"), WAITS);
	ck_assert_ptr_null(memmem(f.res.body->bytes, f.res.body->len, "secret", 6));
	wait_percent(1, 25);
	ck_assert(has_message("TaskProgress"));
	ck_assert_ptr_null(value_at(&f, "EndTime"));
	ck_assert_uint_eq(get(&f, MONITOR "1"), 202);
	ck_assert_str_eq(at(&f, "@odata.id"), TASK_URI "1");
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), MONITOR "1");
	(void)sem_post(&release);
	wait_task(1, "Completed");
	ck_assert_int_eq(number_at("PercentComplete"), 100);
	ck_assert_str_eq(at(&f, "TaskStatus"), "OK");
	ck_assert_ptr_nonnull(at(&f, "EndTime"));
	ck_assert(has_message("TaskCompletedOK"));
	ck_assert_uint_eq(get(&f, MONITOR "1"), 200);
	ck_assert_str_eq(at(&f, "Answer"), "real");
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 1);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	ck_assert_uint_eq(get(&f, TASK_URI "1"), 404);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 404);
}
END_TEST

static unsigned int post_with(const char *prefer, const char *uri)
{
	return ask(&f, &(struct http_request){
			       .method = METHOD_POST,
			       .path = uri,
			       .headers = {[HEADER_CONTENT_TYPE] = "application/json",
					   [HEADER_PREFER] = prefer},
			       .body = "{}",
			       .body_len = 2,
		       });
}

/* They would not take as long as it takes to become a task. */
START_TEST(a_change_can_be_a_task_at_once)
{
	const unsigned int tasks = 50;
	char uri[64];

	limits.task_after_ms = 60000;
	begin();
	for (unsigned int i = 0; i < tasks + 2; i++)
		(void)sem_post(&release);
	for (unsigned int i = 1; i <= tasks; i++) {
		const bool always = i % 2;

		ck_assert_uint_eq(
			post_with(always ? NULL : "wait=9, respond-async", always ? NOW : WAITS),
			202);
		(void)snprintf(uri, sizeof(uri), MONITOR "%u", i);
		ck_assert_str_eq(http_reply_value(&f.res, "Location"), uri);
		wait_task(i, "Completed");
		ck_assert_uint_eq(get(&f, uri), 200);
		ck_assert_str_eq(at(&f, "Answer"), "real");
	}
	ck_assert_uint_eq(post_with("respond-asynchronously", WAITS), 200);
	ck_assert_uint_eq(post_with(NULL, WAITS), 200);
}
END_TEST

START_TEST(monitors_have_the_entity_tag_of_their_answer)
{
	char running[64], ended[64];

	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 202);
	(void)snprintf(running, sizeof(running), "%s", f.res.body->etag);
	(void)sem_post(&release);
	wait_task(1, "Completed");
	ck_assert_uint_eq(get(&f, MONITOR "1"), 200);
	(void)snprintf(ended, sizeof(ended), "%s", f.res.body->etag);
	ck_assert_str_ne(running, ended);
	ck_assert_uint_eq(send_delete_if(MONITOR "1", running), 412);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 200);
	ck_assert_uint_eq(send_delete_if(MONITOR "1", ended[0] ? ended : "*"), 204);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 404);
}
END_TEST

START_TEST(a_running_monitor_is_deleted_by_its_entity_tag)
{
	char tag[64];

	begin();
	ck_assert_uint_eq(post(&f, OBEYS, "{}"), 202);
	wait_percent(1, 50);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 202);
	(void)snprintf(tag, sizeof(tag), "%s", f.res.body->etag);
	ck_assert_uint_eq(send_delete_if(MONITOR "1", tag), 204);
	wait_task(1, "Cancelled");
	ck_assert_uint_eq(send_delete_if(MONITOR "1", "*"), 410);
}
END_TEST

START_TEST(a_quick_change_and_a_long_read_are_no_tasks)
{
	struct local_call call;
	struct http_reply reply;
	const struct http_request reads = {
		.method = METHOD_POST, .path = READS, .body = "{}", .body_len = 2};

	limits.task_after_ms = WAIT_MAX_MS;
	begin();
	(void)sem_post(&release);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 200);
	end();
	limits.task_after_ms = AFTER_MS;
	begin();
	local_call_init(&call, &reply);
	local_call_start(&call, f.service, &reads);
	(void)usleep(2 * AFTER_MS * 1000);
	ck_assert_uint_eq(call.completed, 0);
	(void)sem_post(&release);
	local_call_wait(&call);
	ck_assert_uint_eq(reply.status, 200);
	http_reply_done(&reply);
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 0);
}
END_TEST

START_TEST(a_queued_request_is_a_task_and_is_not_dropped_for_being_late)
{
	limits.jobs.queue_ms = 500;
	begin();
	/* The first one is a task at once, and so never late; the second one waits for its end. */
	ck_assert_uint_eq(post(&f, NOW, "{}"), 202);
	wait_percent(1, 25);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(get(&f, TASK_URI "2"), 200);
	ck_assert_str_eq(at(&f, "TaskState"), "Pending");
	(void)usleep(600 * 1000);
	(void)sem_post(&release);
	wait_task(2, "Running");
	(void)sem_post(&release);
	wait_task(2, "Completed");
	ck_assert_uint_eq(n_runs, 2);
}
END_TEST

START_TEST(a_queued_task_is_cancelled_by_delete)
{
	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(send_delete(MONITOR "2"), 204);
	wait_task(2, "Cancelled");
	ck_assert(has_message("TaskCancelled"));
	ck_assert_uint_eq(get(&f, MONITOR "2"), 410);
	ck_assert_uint_eq(send_delete(TASK_URI "2"), 204);
	ck_assert_uint_eq(get(&f, TASK_URI "2"), 404);
	(void)sem_post(&release);
	wait_task(1, "Completed");
	ck_assert_uint_eq(n_runs, 1);
}
END_TEST

START_TEST(a_running_task_is_cancelled_if_it_can_be)
{
	begin();
	ck_assert_uint_eq(post(&f, OBEYS, "{}"), 202);
	wait_percent(1, 50);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	wait_task(1, "Cancelled");
	ck_assert_str_eq(at(&f, "TaskStatus"), "Warning");
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	wait_percent(2, 25);
	ck_assert_uint_eq(send_delete(TASK_URI "2"), 409);
	ck_assert_ptr_nonnull(strstr(at(&f, "error/code"), ".TaskNotCancellable"));
	ck_assert(task_is(2, "Running"));
	(void)sem_post(&release);
	wait_task(2, "Completed");
	ck_assert_uint_eq(send_delete(TASK_URI "9"), 404);
	ck_assert_uint_eq(send_delete(TASK_URI "02"), 404);
}
END_TEST

/* The record of the request to cancel may come before that of what was cancelled, or after it. */
static bool is_audited(const char *text)
{
	static const char *const arguments[] = {"Members/1/MessageArgs/4",
						"Members/2/MessageArgs/4"};

	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++)
		if (strstr(at(&f, arguments[i]), text))
			return true;
	return false;
}

START_TEST(what_was_changed_is_in_the_audit_log)
{
	begin();
	ck_assert_uint_eq(post(&f, OBEYS, "{}"), 202);
	wait_percent(1, 50);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	wait_task(1, "Cancelled");
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service/LogServices/Audit/Entries"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 3);
	ck_assert(is_audited(" destroy region region0: done; destroy region %1B[m: undone"));
}
END_TEST

START_TEST(a_task_that_fails_has_the_error)
{
	begin();
	ck_assert_uint_eq(post(&f, FAILS, "{}"), 202);
	(void)sem_post(&release);
	wait_task(1, "Exception");
	ck_assert_str_eq(at(&f, "TaskStatus"), "Critical");
	ck_assert(has_message("NoOperation"));
	ck_assert(has_message("TaskAborted"));
	ck_assert_uint_eq(get(&f, MONITOR "1"), 400);
	ck_assert_str_eq(message(&f), "NoOperation");
	/* Both answers are in the audit log. */
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service/LogServices/Audit/Entries"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 2);
	ck_assert_str_eq(at(&f, "Members/0/MessageArgs/4"), "202 " MONITOR "1");
	ck_assert_str_eq(at(&f, "Members/1/MessageArgs/4"), "400 Base.1.22.NoOperation");
}
END_TEST

/* ---- sub-tasks --------------------------------------------------------------------------------
 */

static bool sub_task_is(unsigned int number, const char *wanted, long long percent)
{
	char uri[96];

	(void)snprintf(uri, sizeof(uri), TASK_URI "1/SubTasks/%u", number);
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_str_eq(at(&f, "@odata.id"), uri);
	return strcmp(at(&f, "TaskState"), wanted) == 0 && number_at("PercentComplete") == percent;
}

/* Its job may not have begun yet. */
static void wait_sub_task(unsigned int number)
{
	char uri[96];

	(void)snprintf(uri, sizeof(uri), TASK_URI "1/SubTasks/%u", number);
	for (unsigned int i = 0; get(&f, uri) != 200 || !at(&f, "StartTime"); i++) {
		ck_assert_uint_lt(i, TRIES);
		(void)usleep(1000);
	}
}

START_TEST(each_object_of_a_task_is_a_sub_task)
{
	begin();
	ck_assert_uint_eq(post(&f, PARTS, "{}"), 202);
	wait_sub_task(3);
	ck_assert_uint_eq(get(&f, TASK_URI "1"), 200);
	ck_assert_str_eq(at(&f, "SubTasks/@odata.id"), TASK_URI "1/SubTasks");
	/* 100, 100, 50 and 0 percent. */
	ck_assert_int_eq(number_at("PercentComplete"), 62);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 4);
	ck_assert_str_eq(at(&f, "Members/3/@odata.id"), TASK_URI "1/SubTasks/4");
	ck_assert(sub_task_is(1, "Completed", 100));
	ck_assert_str_eq(at(&f, "Name"), "mem0");
	ck_assert(sub_task_is(2, "Exception", 0));
	ck_assert_str_eq(at(&f, "TaskStatus"), "Critical");
	ck_assert(has_message("NotChangeable"));
	ck_assert(sub_task_is(3, "Running", 50));
	ck_assert(has_message("TaskProgress"));
	ck_assert(sub_task_is(4, "Pending", 0));
	ck_assert_ptr_null(value_at(&f, "StartTime"));
	(void)sem_post(&release);
	wait_task(1, "Exception");
	ck_assert(has_message("NotChangeable"));
	ck_assert(sub_task_is(1, "Completed", 100));
	ck_assert(sub_task_is(3, "Exception", 50));
	ck_assert(sub_task_is(4, "Cancelled", 0));
	ck_assert(has_message("SubTaskNotBegun"));
	ck_assert(!has_message("TaskCancelled"));
	/* Only whole tasks are removed. */
	ck_assert_uint_eq(send_delete(TASK_URI "1/SubTasks/1"), 405);
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 1);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/1"), 404);
}
END_TEST

START_TEST(sub_tasks_that_do_not_exist_are_not_found)
{
	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(get(&f, TASK_URI "1"), 200);
	ck_assert_ptr_null(value_at(&f, "SubTasks"));
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), 0);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/0"), 404);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/1"), 404);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/01"), 404);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/18446744073709551616"), 404);
	ck_assert_uint_eq(get(&f, TASK_URI "2/SubTasks"), 404);
	(void)sem_post(&release);
	wait_task(1, "Completed");
}
END_TEST

START_TEST(the_number_of_sub_tasks_is_limited)
{
	begin();
	ck_assert_uint_eq(post(&f, THING "/Actions/Thing.ManyParts", "{}"), 202);
	wait_sub_task(TASK_PARTS_MAX);
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), TASK_PARTS_MAX);
	ck_assert(sub_task_is(TASK_PARTS_MAX, "Running", 0));
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	wait_task(1, "Cancelled");
	ck_assert(sub_task_is(1, "Cancelled", 0));
	ck_assert(has_message("TaskCancelled"));
}
END_TEST

START_TEST(sub_tasks_are_kept_over_a_restart)
{
	begin();
	ck_assert_uint_eq(post(&f, PARTS, "{}"), 202);
	(void)sem_post(&release);
	wait_task(1, "Exception");
	end();
	begin();
	ck_assert(task_is(1, "Exception"));
	ck_assert(sub_task_is(1, "Completed", 100));
	ck_assert_str_eq(at(&f, "Name"), "mem0");
	ck_assert(sub_task_is(2, "Exception", 0));
	ck_assert(has_message("NotChangeable"));
	ck_assert(sub_task_is(4, "Cancelled", 0));
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	end();
	begin();
	ck_assert_uint_eq(get(&f, TASK_URI "1/SubTasks/1"), 404);
}
END_TEST

START_TEST(the_oldest_that_ended_go_and_running_ones_refuse_new_ones)
{
	limits.jobs.queued = 2 * TASKS_MAX;
	limits.task_after_ms = 1;
	begin();
	for (unsigned int i = 0; i < TASKS_MAX; i++)
		ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 503);
	ck_assert_ptr_nonnull(http_reply_value(&f.res, "Retry-After"));
	(void)sem_post(&release);
	wait_task(1, "Completed");
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_uint_eq(get(&f, TASK_URI "1"), 404);
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks"), 200);
	ck_assert_int_eq(number_at("Members@odata.count"), TASKS_MAX);
	for (unsigned int i = 0; i < TASKS_MAX; i++)
		(void)sem_post(&release);
	wait_task(TASKS_MAX + 1, "Completed");
}
END_TEST

/* A user who makes many changes removes the results of no other one. */
START_TEST(the_oldest_of_the_same_user_go_first)
{
	sqlite3 *db;

	limits.task_after_ms = 1;
	begin();
	for (unsigned int i = 1; i <= 2; i++) {
		ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
		(void)sem_post(&release);
		wait_task(i, "Completed");
	}
	end();
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(
		sqlite3_exec(
			db,
			"UPDATE tasks SET body = json_set(body, '$.user', 'other') WHERE id = 1",
			NULL, NULL, NULL),
		SQLITE_OK);
	ck_assert_int_eq(sqlite3_changes(db), 1);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	begin();
	for (unsigned int i = 3; i <= TASKS_MAX + 1; i++) {
		(void)sem_post(&release);
		ck_assert_uint_eq(post(&f, NOW, "{}"), 202);
		wait_task(i, "Completed");
	}
	ck_assert_uint_eq(get(&f, TASK_URI "1"), 200);
	ck_assert_uint_eq(get(&f, TASK_URI "2"), 404);
}
END_TEST

static void wait_events(enum task_event event, unsigned int n)
{
	for (unsigned int i = 0; atomic_load(&n_events[event]) < n; i++) {
		ck_assert_uint_lt(i, TRIES);
		(void)usleep(1000);
	}
}

START_TEST(each_change_of_state_is_an_event_once)
{
	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	wait_events(TASK_STARTED, 1);
	wait_events(TASK_PROGRESSED, 1);
	(void)sem_post(&release);
	wait_events(TASK_ENDED, 1);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
	wait_events(TASK_REMOVED, 1);
	ck_assert(service_stop(f.service, WAIT_MAX_MS));
	for (size_t i = 0; i <= TASK_REMOVED; i++)
		ck_assert_uint_eq(n_events[i], 1);
}
END_TEST

START_TEST(tasks_and_their_answers_are_kept_over_a_restart)
{
	begin();
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	(void)sem_post(&release);
	wait_task(1, "Completed");
	ck_assert_uint_eq(post(&f, FAILS, "{}"), 202);
	(void)sem_post(&release);
	wait_task(2, "Exception");
	end();
	begin();
	ck_assert(task_is(1, "Completed"));
	ck_assert_int_eq(number_at("PercentComplete"), 100);
	ck_assert_uint_eq(get(&f, MONITOR "1"), 200);
	ck_assert_str_eq(at(&f, "Answer"), "real");
	ck_assert(task_is(2, "Exception"));
	ck_assert(has_message("NoOperation"));
	/* Its number is not used again. */
	ck_assert_uint_eq(send_delete(TASK_URI "2"), 204);
	end();
	begin();
	ck_assert_uint_eq(get(&f, TASK_URI "2"), 404);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	ck_assert_str_eq(at(&f, "Id"), "3");
	(void)sem_post(&release);
	wait_task(3, "Completed");
}
END_TEST

START_TEST(the_end_of_the_service_interrupts_tasks)
{
	begin();
	ck_assert_uint_eq(post(&f, OBEYS, "{}"), 202);
	wait_percent(1, 50);
	ck_assert_uint_eq(post(&f, WAITS, "{}"), 202);
	end();
	begin();
	ck_assert(task_is(1, "Interrupted"));
	ck_assert_str_eq(at(&f, "TaskStatus"), "Warning");
	ck_assert(has_message("TaskInterrupted"));
	ck_assert(has_message("TaskAborted"));
	ck_assert_str_eq(at(&f, "Messages/1/MessageArgs/0"), "5");
	ck_assert_str_eq(at(&f, "Messages/1/MessageArgs/1"), "10");
	ck_assert(task_is(2, "Interrupted"));
	ck_assert(has_message("TaskNotBegun"));
	ck_assert_uint_eq(get(&f, MONITOR "1"), 500);
	ck_assert_uint_eq(send_delete(TASK_URI "1"), 204);
}
END_TEST

/* As a killed process leaves it. */
static void put_stored(uint64_t id, bool began)
{
	struct task t = {.id = id,
			 .state = began ? TASK_RUNNING : TASK_PENDING,
			 .began = began,
			 .method = "POST",
			 .uri = WAITS,
			 .started_ns = 1};

	ck_assert_int_eq(state_put_task(state, STATE_DURABLE, &t, NULL, NULL, 0, NULL), 0);
}

START_TEST(sub_tasks_of_a_killed_process_say_what_is_known)
{
	_cleanup_task_parts_ struct task_parts kept = {0};
	struct task t = {.id = 1, .state = TASK_RUNNING, .began = true, .n_parts = 3};

	task_part_end(task_parts_find(&kept, "mem0"), TASK_COMPLETED, NULL);
	task_part_progress(task_parts_find(&kept, "mem1"), 3, 10, "blocks");
	ck_assert_ptr_nonnull(task_parts_find(&kept, "mem2"));
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	ck_assert_int_eq(state_put_task(state, STATE_DURABLE, &t, &kept, NULL, 0, NULL), 0);
	state = state_free(state);
	begin();
	ck_assert(task_is(1, "Interrupted"));
	ck_assert(sub_task_is(1, "Completed", 100));
	ck_assert(sub_task_is(2, "Interrupted", 30));
	ck_assert(has_message("TaskInterrupted"));
	ck_assert_ptr_nonnull(at(&f, "EndTime"));
	ck_assert(sub_task_is(3, "Interrupted", 0));
	ck_assert(has_message("TaskNotBegun"));
}
END_TEST

START_TEST(a_task_of_a_killed_process_says_what_is_known)
{
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	put_stored(7, true);
	put_stored(8, false);
	state = state_free(state);
	begin();
	ck_assert(task_is(7, "Interrupted"));
	ck_assert_ptr_nonnull(at(&f, "EndTime"));
	ck_assert(has_message("TaskResultUnknown"));
	ck_assert(task_is(8, "Interrupted"));
	ck_assert(has_message("TaskNotBegun"));
	wait_events(TASK_ENDED, 2);
}
END_TEST

SUITE(check_tasks)
{
	Suite *suite = suite_create("tasks");
	TCase *memory = tcase_create("memory"), *kept = tcase_create("kept");

	log_setup("check_tasks", LOG_LEVEL_ERR);
	tcase_add_checked_fixture(memory, setup, teardown);
	tcase_set_timeout(memory, 60);
	tcase_add_test(memory, a_change_that_takes_long_becomes_a_task);
	tcase_add_test(memory, a_change_can_be_a_task_at_once);
	tcase_add_test(memory, monitors_have_the_entity_tag_of_their_answer);
	tcase_add_test(memory, a_running_monitor_is_deleted_by_its_entity_tag);
	tcase_add_test(memory, a_quick_change_and_a_long_read_are_no_tasks);
	tcase_add_test(memory, a_queued_request_is_a_task_and_is_not_dropped_for_being_late);
	tcase_add_test(memory, a_queued_task_is_cancelled_by_delete);
	tcase_add_test(memory, a_running_task_is_cancelled_if_it_can_be);
	tcase_add_test(memory, what_was_changed_is_in_the_audit_log);
	tcase_add_test(memory, a_task_that_fails_has_the_error);
	tcase_add_test(memory, each_object_of_a_task_is_a_sub_task);
	tcase_add_test(memory, sub_tasks_that_do_not_exist_are_not_found);
	tcase_add_test(memory, the_number_of_sub_tasks_is_limited);
	tcase_add_test(memory, the_oldest_that_ended_go_and_running_ones_refuse_new_ones);
	tcase_add_test(memory, each_change_of_state_is_an_event_once);
	suite_add_tcase(suite, memory);
	tcase_add_checked_fixture(kept, setup_state, teardown);
	tcase_set_timeout(kept, 60);
	tcase_add_test(kept, a_change_that_takes_long_becomes_a_task);
	tcase_add_test(kept, monitors_have_the_entity_tag_of_their_answer);
	tcase_add_test(kept, a_running_monitor_is_deleted_by_its_entity_tag);
	tcase_add_test(kept, a_queued_task_is_cancelled_by_delete);
	tcase_add_test(kept, tasks_and_their_answers_are_kept_over_a_restart);
	tcase_add_test(kept, sub_tasks_are_kept_over_a_restart);
	tcase_add_test(kept, the_oldest_of_the_same_user_go_first);
	tcase_add_test(kept, sub_tasks_of_a_killed_process_say_what_is_known);
	tcase_add_test(kept, the_end_of_the_service_interrupts_tasks);
	tcase_add_test(kept, a_task_of_a_killed_process_says_what_is_known);
	suite_add_tcase(suite, kept);
	return suite;
}
