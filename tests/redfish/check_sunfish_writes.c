// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes that come back from the Sunfish core: as it sends them, and with the answers that it
 * takes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/service/service.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"

#define AGENT                                                                                      \
	"/redfish/v1/AggregationService/AggregationSources/0fa4bc06-79a8-4fec-bea5-26dfa7678c28"
#define MADE	   CHUNKS "/6fa4bc06-79a8-4fec-bea5-26dfa7678c28"
#define MANAGED_BY "Oem/Sunfish_RM/ManagingAgent/@odata.id"

/* The body of a new object, as the core completes it. */
#define NEW_OBJECT                                                                                 \
	"{\"@odata.id\":\"" MADE "\",\"@odata.type\":\"#MemoryChunks.v1_7_0.MemoryChunks\","       \
	"\"Id\":\"6fa4bc06-79a8-4fec-bea5-26dfa7678c28\",\"MemoryChunkSizeMiB\":512}"
#define CHANGED                                                                                    \
	"{\"@odata.id\":\"" REGION "\",\"Id\":\"region0\",\"Oem\":{\"Sunfish_RM\":{"               \
	"\"ManagingAgent\":{\"@odata.id\":\"" AGENT "\"}}},"                                       \
	"\"RequestedOperationalState\":\"Offline\"}"

static struct accounts_fixture accounts;

static bool offering;

static void write_agent(struct event_service *es, bool copies, char ret[static CORE_AGENT_MAX])
{
	(void)es;
	(void)snprintf(ret, CORE_AGENT_MAX, "%s", copies && offering ? "" : AGENT);
}

static void setup(void)
{
	start_accounts(&accounts, "check_sunfish_writes");
	start_changes(NULL, accounts.accounts);
	f.service->core_agent = write_agent;
	atomic_store(&f.service->core_writes, true);
}

static void teardown(void)
{
	stop_changes();
	stop_accounts(&accounts);
}

static unsigned int ask_as(enum http_access access, enum http_method method, const char *uri,
			   const char *body)
{
	const struct http_request req = {
		.method = method,
		.path = uri,
		.headers = {[HEADER_CONTENT_TYPE] = body ? "application/json" : NULL},
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.client = {.transport = HTTP_OVER_TCP, .access = access},
	};

	return ask(&f, &req);
}

static unsigned int ask_by_core(enum http_method method, const char *uri, const char *body)
{
	return ask_as(HTTP_ACCESS_CORE, method, uri, body);
}

START_TEST(a_new_object_comes_to_its_own_uri)
{
	ck_assert_msg(ask_by_core(METHOD_POST, MADE, NEW_OBJECT) == 200, "%.*s", ANSWER);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_REGION_CREATE);
	ck_assert_uint_eq(last_change(1)->region.size, 512ULL << 20);
	ck_assert_str_eq(at(&f, "@odata.id"), NEW_REGION);
	ck_assert_str_eq(at(&f, "Id"), "region1");
	ck_assert_str_eq(at(&f, MANAGED_BY), AGENT);
	/* A URI below no collection, and one that is used. */
	ck_assert_uint_eq(ask_by_core(METHOD_POST, MADE "/x", NEW_OBJECT), 404);
	ck_assert_uint_eq(ask_by_core(METHOD_POST, REGION, NEW_OBJECT), 405);
	last_change(1);
}
END_TEST

START_TEST(a_change_is_answered_with_its_agent)
{
	ck_assert_msg(ask_by_core(METHOD_PATCH, REGION, CHANGED) == 200, "%.*s", ANSWER);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_MEMORY_OFFLINE);
	ck_assert_str_eq(at(&f, "@odata.id"), REGION);
	ck_assert_str_eq(at(&f, MANAGED_BY), AGENT);
	/* The properties of the resource itself are still there. */
	ck_assert_ptr_nonnull(value_at(&f, "Oem/CXLHost"));
}
END_TEST

static unsigned int ask_if_by_core(enum http_method method, const char *name_of, const char *tag,
				   const char *body)
{
	struct http_request req = {
		.method = method,
		.path = REGION,
		.headers = {[HEADER_CONTENT_TYPE] = body ? "application/json" : NULL},
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.client = {.transport = HTTP_OVER_TCP, .access = HTTP_ACCESS_CORE},
	};

	req.headers[str_equal(name_of, "If-Match") ? HEADER_IF_MATCH : HEADER_IF_NONE_MATCH] = tag;
	return ask(&f, &req);
}

/* Copies the entity tag of what the core reads; it is that in the body, too. */
static void read_tag(char ret[static ETAG_MAX])
{
	ck_assert_uint_eq(ask_by_core(METHOD_GET, REGION, NULL), 200);
	ck_assert_str_eq(f.res.body->etag, at(&f, "@odata.etag"));
	ck_assert_ptr_nonnull(f.res.body->allow);
	ck_assert_ptr_nonnull(f.res.body->described_by);
	memcpy(ret, f.res.body->etag, ETAG_MAX);
}

START_TEST(what_the_core_reads_has_an_entity_tag)
{
	char offered[ETAG_MAX], tag[ETAG_MAX], shown[ETAG_MAX];

	offering = true;
	read_tag(offered);
	offering = false;
	read_tag(tag);
	ck_assert_uint_eq(ask_as(HTTP_ACCESS_READ_ONLY, METHOD_GET, REGION, NULL), 200);
	memcpy(shown, f.res.body->etag, sizeof(shown));
	ck_assert_str_eq(offered, shown);
	ck_assert_str_ne(tag, shown);
	ck_assert_uint_eq(ask_if_by_core(METHOD_GET, "If-None-Match", tag, NULL), 304);
	ck_assert_uint_eq(ask_if_by_core(METHOD_HEAD, "If-None-Match", tag, NULL), 304);
	ck_assert_uint_eq(ask_if_by_core(METHOD_GET, "If-None-Match", shown, NULL), 200);
}
END_TEST

START_TEST(the_entity_tags_of_the_core_are_conditions)
{
	char offered[ETAG_MAX], tag[ETAG_MAX];

	offering = true;
	read_tag(offered);
	offering = false;
	read_tag(tag);
	ck_assert_uint_eq(ask_if_by_core(METHOD_PATCH, "If-None-Match", tag, CHANGED), 412);
	ck_assert_uint_eq(ask_if_by_core(METHOD_PATCH, "If-Match", "\"other\"", CHANGED), 412);
	last_change(0);
	ck_assert_uint_eq(ask_if_by_core(METHOD_PATCH, "If-Match", tag, CHANGED), 200);
	ck_assert_str_eq(f.res.body->etag, at(&f, "@odata.etag"));
	ck_assert_str_ne(f.res.body->etag, tag);
	/* Both are of what there was before. */
	ck_assert_uint_eq(ask_if_by_core(METHOD_PATCH, "If-Match", tag, CHANGED), 412);
	ck_assert_uint_eq(ask_if_by_core(METHOD_PATCH, "If-Match", offered, CHANGED), 412);
	last_change(1);
}
END_TEST

/* It takes the whole Oem of a resource that it reads again. */
START_TEST(the_core_reads_whose_a_resource_is)
{
	offering = true;
	ck_assert_uint_eq(ask_by_core(METHOD_GET, REGION, NULL), 200);
	ck_assert_ptr_null(at(&f, MANAGED_BY));
	offering = false;
	ck_assert_uint_eq(ask_by_core(METHOD_GET, REGION, NULL), 200);
	ck_assert_str_eq(at(&f, MANAGED_BY), AGENT);
	ck_assert_ptr_nonnull(value_at(&f, "Oem/CXLHost"));
	/* Others do not see it, nor is it in what is kept for them. */
	ck_assert_uint_eq(ask_as(HTTP_ACCESS_READ_ONLY, METHOD_GET, REGION, NULL), 200);
	ck_assert_ptr_null(at(&f, MANAGED_BY));
	/* Its own subscription is no resource of the host. */
	ck_assert_uint_eq(ask_by_core(METHOD_GET, "/redfish/v1/AggregationService", NULL), 200);
	ck_assert_ptr_null(at(&f, MANAGED_BY));
}
END_TEST

START_TEST(a_removal_is_answered_without_a_body)
{
	take_offline();
	ck_assert_uint_eq(ask_by_core(METHOD_DELETE, REGION, NULL), 204);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_REGION_DESTROY);
}
END_TEST

START_TEST(a_change_that_fails_is_an_error)
{
	changing.answer =
		(struct change_result){-EBUSY, CHANGE_REFUSED, "region0", 0, "it is busy"};
	ck_assert_uint_eq(ask_by_core(METHOD_PATCH, REGION, CHANGED), 409);
	ck_assert_ptr_null(at(&f, MANAGED_BY));
	ck_assert_uint_eq(ask_by_core(METHOD_POST, MADE, "{\"MemoryChunkSizeMiB\":\"x\"}"), 400);
	ck_assert_uint_eq(ask_by_core(METHOD_POST, MADE, "[]"), 400);
	ck_assert_uint_eq(ask_by_core(METHOD_POST, MADE, "{"), 400);
	ck_assert_uint_eq(ask_by_core(METHOD_PATCH, REGION, "{\"Id\":\"region0\"}"), 400);
	ck_assert_uint_eq(ask_by_core(METHOD_PATCH, REGION, "{\"Id\":7,\"Oem\":7}"), 400);
	last_change(1);
}
END_TEST

/* The core follows none, even when its client asks for one. */
START_TEST(a_change_is_never_a_task)
{
	struct http_request req = {
		.method = METHOD_PATCH,
		.path = REGION,
		.headers = {[HEADER_CONTENT_TYPE] = "application/json",
			    [HEADER_PREFER] = "respond-async"},
		.body = CHANGED,
		.body_len = strlen(CHANGED),
		.client = {.transport = HTTP_OVER_TCP, .access = HTTP_ACCESS_CORE},
	};

	ck_assert_msg(ask(&f, &req) == 200, "%.*s", ANSWER);
	ck_assert_str_eq(at(&f, MANAGED_BY), AGENT);
	last_change(1);
}
END_TEST

static const struct {
	enum http_method method;
	const char *uri, *body;
} writes[] = {
	{METHOD_POST, MADE, NEW_OBJECT},
	{METHOD_POST, CHUNKS, NEW_OBJECT},
	{METHOD_PATCH, REGION, CHANGED},
	{METHOD_DELETE, REGION, NULL},
};

START_TEST(without_the_option_the_core_writes_nothing)
{
	atomic_store(&f.service->core_writes, false);
	ck_assert_uint_eq(ask_by_core(writes[_i].method, writes[_i].uri, writes[_i].body), 403);
	last_change(0);
}
END_TEST

START_TEST(no_other_peer_gains_a_write)
{
	static const enum http_access others[] = {HTTP_ACCESS_ALL, HTTP_ACCESS_READ_ONLY};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const unsigned int status =
			ask_as(others[i], writes[_i].method, writes[_i].uri, writes[_i].body);

		ck_assert_msg(status == 401 || status == 403 || status == 404, "%u", status);
	}
	last_change(0);
}
END_TEST

START_TEST(a_login_with_privileges_does_not_write_as_the_core_does)
{
	char administrator[TOKEN_CHARS];

	(void)log_in(&f, "admin2", "Administrator", administrator);
	ck_assert_uint_eq(ask_change(&f, METHOD_POST, MADE, NULL, NEW_OBJECT, administrator), 404);
	ck_assert_uint_eq(ask_change(&f, METHOD_PATCH, REGION, NULL, OFFLINE, administrator), 428);
	last_change(0);
	ck_assert_uint_eq(ask_change(&f, METHOD_PATCH, REGION, REGION, OFFLINE, administrator),
			  200);
	ck_assert_ptr_null(at(&f, MANAGED_BY));
}
END_TEST

START_TEST(other_trees_are_not_the_cores)
{
	static const struct {
		enum http_method method;
		const char *uri, *body;
	} rows[] = {
		{METHOD_POST, ROOT "/SessionService/Sessions",
		 "{\"UserName\":\"a\",\"Password\":\"b\"}"},
		{METHOD_POST, ROOT "/SessionService/Sessions/1",
		 "{\"UserName\":\"a\",\"Password\":\"b\"}"},
		{METHOD_POST, ROOT "/AccountService/Accounts", "{\"UserName\":\"a\"}"},
		{METHOD_POST, ROOT "/AccountService/Accounts/9", "{\"UserName\":\"a\"}"},
		{METHOD_PATCH, ROOT "/AccountService/Accounts/1", "{\"Password\":\"b\"}"},
		{METHOD_PATCH, ROOT "/SessionService", "{\"SessionTimeout\":60}"},
		{METHOD_POST, ROOT "/EventService/Subscriptions", "{}"},
		{METHOD_POST, ROOT "/EventService/Subscriptions/x", "{}"},
		{METHOD_POST, REGION "/Actions/x", "{}"},
		{METHOD_DELETE, REGION, FORCE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const unsigned int status = ask_by_core(rows[i].method, rows[i].uri, rows[i].body);

		ck_assert_msg(status == 403 || status == 404, "%s: %u", rows[i].uri, status);
	}
	last_change(0);
}
END_TEST

SUITE(check_sunfish_writes)
{
	Suite *s = suite_create("sunfish writes");
	TCase *t = change_case(s, "writes", setup, teardown);

	tcase_add_test(t, a_new_object_comes_to_its_own_uri);
	tcase_add_test(t, a_change_is_answered_with_its_agent);
	tcase_add_test(t, what_the_core_reads_has_an_entity_tag);
	tcase_add_test(t, the_entity_tags_of_the_core_are_conditions);
	tcase_add_test(t, the_core_reads_whose_a_resource_is);
	tcase_add_test(t, a_removal_is_answered_without_a_body);
	tcase_add_test(t, a_change_that_fails_is_an_error);
	tcase_add_test(t, a_change_is_never_a_task);
	tcase_add_loop_test(t, without_the_option_the_core_writes_nothing, 0,
			    (int)ARRAY_SIZE(writes));
	tcase_add_loop_test(t, no_other_peer_gains_a_write, 0, (int)ARRAY_SIZE(writes));
	tcase_add_test(t, a_login_with_privileges_does_not_write_as_the_core_does);
	tcase_add_test(t, other_trees_are_not_the_cores);
	return s;
}
