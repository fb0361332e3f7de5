// SPDX-License-Identifier: LGPL-2.1-or-later
/* Several changes of regions at a time. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"

/* A request of another client, whose answer is waited for later. */
static struct other_call {
	struct local_call call;
	struct http_reply reply;
	char etag[128];
} first, second;

enum { CHANGES_MAX = 2 }; /* of a test */

/* Each change waits for it once. */
static sem_t hold;

static void start_held(void)
{
	start_usual_changes();
	http_reply_init(&first.reply);
	http_reply_init(&second.reply);
	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
	changing.hold = &hold;
}

static void stop_held(void)
{
	http_reply_done(&first.reply);
	http_reply_done(&second.reply);
	stop_changes();
	(void)sem_destroy(&hold);
}

static void begin_call(struct other_call *c, enum http_method method, const char *uri,
		       const char *body)
{
	struct http_request req = {
		.method = method,
		.path = uri,
		.body = body,
		.body_len = strlen(body),
		.client = {.transport = HTTP_OVER_UNIX, .has_credentials = true},
	};

	ck_assert_uint_eq(get(&f, uri), 200);
	(void)snprintf(c->etag, sizeof(c->etag), "%s", f.res.body->etag);
	req.headers[HEADER_IF_MATCH] = c->etag;
	req.headers[HEADER_CONTENT_TYPE] = "application/json";
	local_call_init(&c->call, &c->reply);
	local_call_start(&c->call, f.service, &req);
}

/* Its change has begun and is held; what comes next waits for it. */
static void begin_first(enum http_method method, const char *uri, const char *body)
{
	begin_call(&first, method, uri, body);
	(void)sem_wait(&changing.began);
}

static void expect_end(struct other_call *c, unsigned int status)
{
	local_call_wait(&c->call);
	ck_assert_uint_eq(c->reply.status, status);
}

/* Lets the first one end, and later ones pass. */
static void end_first(unsigned int status)
{
	for (unsigned int i = 0; i < CHANGES_MAX; i++)
		(void)sem_post(&hold);
	expect_end(&first, status);
}

START_TEST(a_second_change_of_the_same_object_is_refused_while_the_first_runs)
{
	begin_first(METHOD_PATCH, REGION, OFFLINE);
	ck_assert_uint_eq(patch(ONLINE), 409);
	expect_extended(&f, 0, "ChangeInProgress", "take memory offline");
	ck_assert_uint_eq(destroy(FORCE), 409);
	expect_extended(&f, 0, "ChangeInProgress", "region0");
	end_first(200);
	/* Then it can be changed again. */
	ck_assert_uint_eq(patch(ONLINE), 200);
	last_change(2);
}
END_TEST

START_TEST(two_requests_for_the_same_memory_get_one_region)
{
	begin_first(METHOD_POST, CHUNKS, SIZE_512);
	ck_assert_uint_eq(create(SIZE_512), 409);
	expect_extended(&f, 0, "ChangeInProgress", "create region");
	end_first(201);
	last_change(1);
}
END_TEST

START_TEST(changes_of_different_regions_are_made_one_after_the_other)
{
	begin_first(METHOD_PATCH, REGION, OFFLINE);
	begin_call(&second, METHOD_POST, CHUNKS, SIZE_512);
	(void)usleep(20000);
	ck_assert_uint_eq(changing.n_seen, 1);
	end_first(200);
	expect_end(&second, 201);
	ck_assert_uint_eq(changing.n_running_max, 1);
}
END_TEST

START_TEST(a_change_in_between_fails_the_condition_of_one_that_waited)
{
	begin_first(METHOD_POST, CHUNKS, SIZE_512);
	/* It waits in the queue; meanwhile the memory is taken offline by another program. */
	begin_call(&second, METHOD_PATCH, REGION, ONLINE);
	take_offline();
	end_first(201);
	expect_end(&second, 412);
	last_change(1);
}
END_TEST

START_TEST(a_permission_that_is_withdrawn_meanwhile_is_missing)
{
	begin_first(METHOD_PATCH, REGION, OFFLINE);
	begin_call(&second, METHOD_POST, CHUNKS, SIZE_512);
	f.changes_allowed.configured = ALLOW_MEMORY;
	end_first(200);
	expect_end(&second, 403);
	ck_assert_ptr_nonnull(strstr(second.reply.body->bytes, "--allow=regions"));
	last_change(1);
}
END_TEST

SUITE(check_chunk_order)
{
	Suite *s = suite_create("chunk_order");
	TCase *t = change_case(s, "order", start_held, stop_held);

	tcase_add_test(t, a_second_change_of_the_same_object_is_refused_while_the_first_runs);
	tcase_add_test(t, two_requests_for_the_same_memory_get_one_region);
	tcase_add_test(t, changes_of_different_regions_are_made_one_after_the_other);
	tcase_add_test(t, a_change_in_between_fails_the_condition_of_one_that_waited);
	tcase_add_test(t, a_permission_that_is_withdrawn_meanwhile_is_missing);
	return s;
}
