// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The core with a resource table of the test: cached resources that can be written, nested dynamic
 * resources, privileges, and operations that continue as jobs.
 */
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "redfish/auth/accounts.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_index.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define THING	    "/Thing"
#define SLOW	    THING "/Actions/Thing.Slow"
#define SHELVES	    "/Shelves"
#define BOOKS	    SHELVES "/7/Books"
#define BOOK	    BOOKS "/12"
#define CREDENTIALS "Basic YWRtaW46c2VjcmV0" /* admin:secret */

static struct fixture f;
static int value, removed, opened;
static sem_t begun, release; /* of a slow action */

/* ---- a cached resource ------------------------------------------------------------------------
 */

static void render_thing(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_string(w, "Name", "Thing");
	put_number(w, "Value", (unsigned int)value);
	put_actions(r, w);
}

static int read_value(struct exchange *x, int *ret)
{
	const json_t *given = json_object_get(x->body, "Value");

	if (!json_is_integer(given))
		return exchange_refuse_property(x, MESSAGE_PROPERTY_MISSING, "Value", NULL);
	*ret = (int)json_integer_value(given);
	return 0;
}

/* As an operation whose effect the publisher shows in a new view. */
static void set_value(int to)
{
	value = to;
	fixture_ready(&f);
}

static int patch_run(struct exchange *x, void *state)
{
	(void)x;
	set_value(*(int *)state);
	return 0;
}

/* Even values are set at once, odd ones by a job. */
static int patch_thing(struct exchange *x)
{
	static const struct continuation c = {.class = JOB_DEVICES, .run = patch_run, .free = free};
	int *state, to, r = read_value(x, &to);

	if (r < 0)
		return r;
	if (to % 2 == 0) {
		set_value(to);
		return 0;
	}
	state = malloc(sizeof(*state));
	ck_assert_ptr_nonnull(state);
	*state = to;
	return exchange_continue(x, &c, state);
}

static int remove_thing(struct exchange *x)
{
	(void)x;
	removed++;
	return 0;
}

/* Occupies the thread of the devices. */
static int slow_run(struct exchange *x, void *state)
{
	(void)state;
	(void)sem_post(&begun);
	(void)sem_wait(&release);
	put_object(&x->w, NULL);
	put_end(&x->w);
	return 0;
}

static int run_slow(struct exchange *x)
{
	static const struct continuation c = {.class = JOB_DEVICES, .run = slow_run};

	return exchange_continue(x, &c, NULL);
}

static int run_nothing(struct exchange *x)
{
	(void)x;
	return 0;
}

/* The values of the thing that make it, or one action, unusable. */
enum {
	VALUE_SEALED = 100,
	VALUE_CLOSED = 102,
	VALUE_BOTH = 104,
	VALUE_HELD = 106,
	VALUE_OLD = 108
};

static const char *thing_unchangeable(const struct view *v, const struct resource *r)
{
	(void)v;
	(void)r;
	if (value == VALUE_OLD)
		return "it is old";
	return value == VALUE_SEALED || value == VALUE_BOTH ? "it is sealed" : NULL;
}

static const char *thing_unremovable(const struct view *v, const struct resource *r)
{
	(void)v;
	ck_assert_ptr_null(r->action);
	if (value == VALUE_HELD)
		return "it is held";
	return value == VALUE_SEALED || value == VALUE_BOTH ? "it is sealed" : NULL;
}

static const char *closed_unchangeable(const struct view *v, const struct resource *r)
{
	(void)v;
	ck_assert_ptr_nonnull(r->action);
	return value == VALUE_CLOSED || value == VALUE_BOTH ? "it is closed" : NULL;
}

static const struct action thing_actions[] = {
	{"Thing.Slow", .standard = true, .run = run_slow},
	{"Closing.Open", .unchangeable = closed_unchangeable, .run = run_nothing},
	{"Thing.Look", .standard = true, .only_reads = true, .run = run_nothing},
};

/* ---- nested dynamic resources -----------------------------------------------------------------
 */

static int get_shelves(struct exchange *x)
{
	put_string(&x->w, "Name", "Shelves");
	return 0;
}

/* Shelf 7 exists, and book 12 on it. */
static int get_below(struct exchange *x)
{
	const char *shelf = exchange_id(x, 0), *book = exchange_id(x, 1);

	if (strcmp(shelf, "7") != 0 || (book && strcmp(book, "12") != 0))
		return exchange_missing(x);
	put_string(&x->w, "Name", "Below");
	put_string(&x->w, "Shelf", shelf);
	if (book)
		put_string(&x->w, "Book", book);
	return 0;
}

static int create_book(struct exchange *x)
{
	(void)snprintf(x->location, sizeof(x->location), SHELVES "/%s/Books/12", exchange_id(x, 0));
	return 0;
}

static int run_open(struct exchange *x)
{
	ck_assert_str_eq(exchange_id(x, 1), "12");
	ck_assert_ptr_null(exchange_id(x, 2));
	opened++;
	return 0;
}

static const struct action book_actions[] = {
	{"Book.Open", .standard = true, .run = run_open},
};

/* ---- the table --------------------------------------------------------------------------------
 */

static int create_session(struct exchange *x)
{
	ck_assert_int_eq(x->principal.means, AUTHENTICATION_NONE);
	(void)snprintf(x->location, sizeof(x->location), "/Sessions/1");
	return 0;
}

static const struct resource_type types[] = {
	{.pattern = THING,
	 SCHEMA("Thing", "v1_0_0"),
	 .render = render_thing,
	 .patch = patch_thing,
	 .remove = remove_thing,
	 .unchangeable = thing_unchangeable,
	 .unremovable = thing_unremovable,
	 ACTIONS(thing_actions)},
	{.pattern = SHELVES,
	 COLLECTION_SCHEMA("ShelfCollection", "Shelf", "Shelves"),
	 .get = get_shelves},
	{.pattern = SHELVES "/{Shelf}",
	 SCHEMA("Shelf", "v1_0_0"),
	 .dynamic = true,
	 .get = get_below},
	{.pattern = SHELVES "/{Shelf}/Books",
	 COLLECTION_SCHEMA("BookCollection", "Book", "Books"),
	 .dynamic = true,
	 .get = get_below,
	 .create = create_book},
	{.pattern = SHELVES "/{Shelf}/Books/{Book}",
	 SCHEMA("Book", "v1_0_0"),
	 .dynamic = true,
	 .get = get_below,
	 ACTIONS(book_actions)},
	{.pattern = "/Sessions",
	 COLLECTION_SCHEMA("SessionCollection", "Session", "Sessions"),
	 .get = get_shelves,
	 .create = create_session},
	{.pattern = "/Forbidden", SCHEMA("Forbidden", "v1_0_0"), .render = render_thing},
};

static const struct resource_rows rows = RESOURCE_ROWS(types);
static const struct resource_rows *const lists[] = {&rows};

static const struct privilege_row privilege_rows[] = {
	{.schema = "SessionCollection", .needs = {PRIVILEGE_LOGIN, PRIVILEGE_NO_AUTH}},
	/* No principal has what is needed. */
	{.pattern = "/Forbidden", .needs = {0}},
};
static const struct privilege_map privileges = {privilege_rows, 2};

static const struct resource_table table = {lists, 1, &privileges};

static void setup(void)
{
	value = 2;
	removed = opened = 0;
	ck_assert_int_eq(sem_init(&begun, 0, 0), 0);
	ck_assert_int_eq(sem_init(&release, 0, 0), 0);
	fixture_init_with(&f, NULL, fixture_limits(), &table);
	fixture_ready(&f);
}

static void teardown(void)
{
	fixture_done(&f);
	(void)sem_destroy(&begun);
	(void)sem_destroy(&release);
}

static struct http_request request(enum http_method method, const char *path, const char *body,
				   const char *if_match)
{
	return (struct http_request){
		.method = method,
		.path = path,
		.headers = {[HEADER_IF_MATCH] = if_match},
		.body = body,
		.body_len = body ? strlen(body) : 0,
	};
}

static unsigned int do_request(enum http_method method, const char *path, const char *body,
			       const char *if_match)
{
	struct http_request req = request(method, path, body, if_match);

	return ask(&f, &req);
}

static const char *etag_of(const char *path)
{
	static char etag[ETAG_MAX];

	ck_assert_uint_eq(get(&f, path), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	return etag;
}

static json_int_t shown(void)
{
	return json_integer_value(value_at(&f, "Value"));
}

START_TEST(a_cached_resource_that_can_be_written_stays_cached)
{
	struct representation *first;

	ck_assert_uint_eq(get(&f, THING), 200);
	ck_assert(f.res.shared);
	first = f.res.body;
	ck_assert_str_eq(first->allow, "GET, HEAD, PATCH, DELETE");
	ck_assert_uint_eq(get(&f, THING), 200);
	ck_assert_ptr_eq(f.res.body, first);
}
END_TEST

START_TEST(a_patch_is_answered_with_the_resource_after_it)
{
	for (int to = 4; to <= 5; to++) {
		char body[32];

		(void)snprintf(body, sizeof(body), "{\"Value\": %d}", to);
		ck_assert_uint_eq(do_request(METHOD_PATCH, THING, body, NULL), 200);
		ck_assert(f.in_job == (to % 2 == 1));
		ck_assert_int_eq(shown(), to);
		ck_assert_str_eq(etag_of(THING), at(&f, "@odata.etag"));
		ck_assert_int_eq(shown(), to);
	}
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Other\": 1}", NULL), 400);
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{}", NULL), 400);
	ck_assert_int_eq(value, 5);
}
END_TEST

START_TEST(if_match_is_compared_with_the_cached_representation)
{
	const char *etag = etag_of(THING);

	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\": 6}", "\"other\""), 412);
	ck_assert_str_eq(message(&f), "PreconditionFailed");
	ck_assert_int_eq(value, 2);
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\": 6}", etag), 200);
	ck_assert_int_eq(shown(), 6);
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\": 8}", etag), 412);
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\": 8}", "*"), 200);
}
END_TEST

#define LOOK  THING "/Actions/Thing.Look"
#define CLOSE THING "/Actions/Oem/Closing.Open"

START_TEST(an_action_has_its_own_reason_and_the_others_stay)
{
	set_value(VALUE_CLOSED);
	ck_assert_uint_eq(post(&f, CLOSE, "{}"), 405);
	ck_assert_ptr_nonnull(strstr(f.res.body->bytes, "it is closed"));
	ck_assert_str_eq(f.res.body->allow, "OPTIONS");
	ck_assert_uint_eq(post(&f, LOOK, "{}"), 204);
	ck_assert_uint_eq(get(&f, THING), 200);
	ck_assert_ptr_nonnull(value_at(&f, "Actions/#Thing.Slow/target"));
	ck_assert_ptr_nonnull(value_at(&f, "Actions/#Thing.Look/target"));
	ck_assert_ptr_null(value_at(&f, "Actions/Oem"));
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\":2}", NULL), 200);
	ck_assert_ptr_nonnull(value_at(&f, "Actions/Oem/#Closing.Open/target"));
}
END_TEST

START_TEST(of_what_cannot_be_changed_the_actions_stay_that_read_or_say_so_themselves)
{
	set_value(VALUE_SEALED);
	ck_assert_uint_eq(post(&f, CLOSE, "{}"), 204);
	ck_assert_uint_eq(post(&f, LOOK, "{}"), 204);
	ck_assert_uint_eq(post(&f, SLOW, "{}"), 405);
	ck_assert_ptr_nonnull(strstr(f.res.body->bytes, "it is sealed"));
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\":2}", NULL), 405);
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD");
	ck_assert_uint_eq(get(&f, THING), 200);
	ck_assert_ptr_null(value_at(&f, "Actions/#Thing.Slow"));
	ck_assert_ptr_nonnull(value_at(&f, "Actions/Oem/#Closing.Open"));
	set_value(VALUE_BOTH);
	ck_assert_uint_eq(post(&f, CLOSE, "{}"), 405);
	ck_assert_ptr_nonnull(strstr(f.res.body->bytes, "it is closed"));
}
END_TEST

START_TEST(a_resource_can_be_removed_or_changed_each_for_its_own_reason)
{
	set_value(VALUE_HELD);
	ck_assert_uint_eq(do_request(METHOD_DELETE, THING, NULL, NULL), 405);
	ck_assert_ptr_nonnull(strstr(f.res.body->bytes, "it is held"));
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD, PATCH");
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\":108}", NULL), 200);
	set_value(VALUE_OLD);
	ck_assert_uint_eq(do_request(METHOD_PATCH, THING, "{\"Value\":2}", NULL), 405);
	ck_assert_ptr_nonnull(strstr(f.res.body->bytes, "it is old"));
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD, DELETE");
	ck_assert_uint_eq(post(&f, SLOW, "{}"), 405);
	ck_assert_uint_eq(do_request(METHOD_DELETE, THING, NULL, NULL), 204);
}
END_TEST

START_TEST(a_cached_resource_is_deleted_if_it_matches)
{
	ck_assert_uint_eq(do_request(METHOD_DELETE, THING, NULL, "\"other\""), 412);
	ck_assert_int_eq(removed, 0);
	ck_assert_uint_eq(do_request(METHOD_DELETE, THING, NULL, etag_of(THING)), 204);
	ck_assert_uint_eq(f.res.body->len, 0);
	ck_assert_uint_eq(do_request(METHOD_DELETE, THING, NULL, NULL), 204);
	ck_assert_int_eq(removed, 2);
}
END_TEST

START_TEST(a_change_while_a_patch_is_queued_fails_its_precondition)
{
	struct http_request slow = request(METHOD_POST, SLOW, NULL, NULL);
	struct http_request patch = request(METHOD_PATCH, THING, "{\"Value\": 7}", etag_of(THING));
	struct local_call calls[2];
	struct http_reply replies[2];

	local_call_init(&calls[0], &replies[0]);
	local_call_init(&calls[1], &replies[1]);
	local_call_start(&calls[0], f.service, &slow);
	local_call_start(&calls[1], f.service, &patch);
	ck_assert(calls[1].suspended);
	set_value(10);
	(void)sem_post(&release);
	for (size_t i = 0; i < 2; i++)
		local_call_wait(&calls[i]);
	ck_assert_uint_eq(replies[0].status, 200);
	ck_assert_uint_eq(replies[1].status, 412);
	ck_assert_int_eq(value, 10);
	for (size_t i = 0; i < 2; i++)
		http_reply_done(&replies[i]);
}
END_TEST

START_TEST(dynamic_resources_are_found_at_every_depth)
{
	ck_assert_uint_eq(get(&f, SHELVES), 200);
	ck_assert_uint_eq(get(&f, SHELVES "/7"), 200);
	ck_assert_str_eq(at(&f, "Shelf"), "7");
	ck_assert_str_eq(at(&f, "@odata.id"), SHELVES "/7");
	ck_assert_uint_eq(get(&f, SHELVES "/8"), 404);
	ck_assert_uint_eq(get(&f, BOOKS "/"), 200);
	ck_assert_uint_eq(get(&f, BOOK), 200);
	ck_assert_str_eq(at(&f, "Book"), "12");
	ck_assert_str_eq(at(&f, "Id"), "12");
	ck_assert_uint_eq(get(&f, BOOKS "/13"), 404);
	ck_assert_uint_eq(get(&f, BOOK "/Pages"), 404);
	ck_assert_uint_eq(get(&f, SHELVES "/7/Films"), 404);
	ck_assert_uint_eq(get(&f, THING "/7"), 404);
}
END_TEST

START_TEST(dynamic_resources_take_posts_and_actions_at_every_depth)
{
	ck_assert_uint_eq(post(&f, BOOKS, "{}"), 201);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), BOOK);
	ck_assert_str_eq(at(&f, "Book"), "12");
	ck_assert_uint_eq(post(&f, BOOKS "/Members", "{}"), 201);
	ck_assert_uint_eq(post(&f, SHELVES "/7", "{}"), 405);
	ck_assert_uint_eq(post(&f, BOOK "/Actions/Book.Open", "{}"), 204);
	ck_assert_int_eq(opened, 1);
	ck_assert_uint_eq(post(&f, BOOK "/Actions/Book.Close", "{}"), 404);
	ck_assert_uint_eq(get(&f, BOOK "/Actions/Book.Open"), 405);
}
END_TEST

START_TEST(a_body_that_was_not_read_changes_nothing)
{
	struct http_request req = request(METHOD_POST, BOOK "/Actions/Book.Open", NULL, NULL);

	req.fault = FAULT_BODY_NOT_READ;
	ck_assert_uint_eq(ask(&f, &req), 503);
	ck_assert_int_eq(opened, 0);
	req = request(METHOD_DELETE, THING, NULL, NULL);
	req.fault = FAULT_BODY_NOT_READ;
	ck_assert_uint_eq(ask(&f, &req), 204);
}
END_TEST

START_TEST(a_missing_privilege_is_403_and_login_comes_first)
{
	ck_assert_uint_eq(get(&f, "/Forbidden"), 403);
	ck_assert_str_eq(message(&f), "InsufficientPrivilege");
}
END_TEST

START_TEST(one_post_can_be_open_to_all)
{
	struct accounts *accounts;
	struct fixture g;
	struct http_request read = {.path = "/Forbidden",
				    .headers = {[HEADER_AUTHORIZATION] = CREDENTIALS}};

	ck_assert_int_eq(accounts_new(NULL, "secret", &accounts, NULL), 0);
	fixture_init_with(&g, accounts, fixture_limits(), &table);
	fixture_ready(&g);
	ck_assert_uint_eq(post(&g, "/Sessions", "{}"), 201);
	ck_assert_uint_eq(get(&g, "/Sessions"), 401);
	ck_assert_ptr_nonnull(http_reply_value(&g.res, "WWW-Authenticate"));
	ck_assert_uint_eq(get(&g, "/Forbidden"), 401);
	ck_assert_uint_eq(ask(&g, &read), 403);
	ck_assert_ptr_null(http_reply_value(&g.res, "WWW-Authenticate"));
	fixture_done(&g);
	(void)accounts_free(accounts);
}
END_TEST

START_TEST(a_stuck_job_leaves_no_request_without_a_reply)
{
	struct http_request slow = request(METHOD_POST, SLOW, NULL, NULL);
	struct local_call call;
	struct http_reply reply;

	local_call_init(&call, &reply);
	local_call_start(&call, f.service, &slow);
	(void)sem_wait(&begun);
	ck_assert(!service_stop(f.service, 50));
	local_call_wait(&call);
	ck_assert_uint_eq(reply.status, 503);
	http_reply_done(&reply);
	(void)sem_post(&release);
}
END_TEST

SUITE(check_resource_table)
{
	Suite *s = suite_create("resource table");
	TCase *t = tcase_create("table");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_cached_resource_that_can_be_written_stays_cached);
	tcase_add_test(t, a_patch_is_answered_with_the_resource_after_it);
	tcase_add_test(t, if_match_is_compared_with_the_cached_representation);
	tcase_add_test(t, an_action_has_its_own_reason_and_the_others_stay);
	tcase_add_test(t,
		       of_what_cannot_be_changed_the_actions_stay_that_read_or_say_so_themselves);
	tcase_add_test(t, a_resource_can_be_removed_or_changed_each_for_its_own_reason);
	tcase_add_test(t, a_cached_resource_is_deleted_if_it_matches);
	tcase_add_test(t, a_change_while_a_patch_is_queued_fails_its_precondition);
	tcase_add_test(t, dynamic_resources_are_found_at_every_depth);
	tcase_add_test(t, dynamic_resources_take_posts_and_actions_at_every_depth);
	tcase_add_test(t, a_body_that_was_not_read_changes_nothing);
	tcase_add_test(t, a_missing_privilege_is_403_and_login_comes_first);
	tcase_add_test(t, one_post_can_be_open_to_all);
	tcase_add_test(t, a_stuck_job_leaves_no_request_without_a_reply);
	suite_add_tcase(s, t);
	return s;
}
