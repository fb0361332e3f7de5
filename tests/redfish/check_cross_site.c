// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests of web pages, OPTIONS, conditions and several messages, without HTTP. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/host_name.h"
#include "redfish/auth/cross_site.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define PAGE "https://page.example"

static struct fixture f;

static void start(void)
{
	fixture_init(&f, NULL);
	fixture_ready(&f);
}

static void stop(void)
{
	fixture_done(&f);
}

static struct http_request action(const char *origin, const char *site, const char *host)
{
	static const char body[] = "{\"DevicePhysicalAddress\":\"0x0\"}";

	return (struct http_request){
		.method = METHOD_POST,
		.path = TRANSLATE_DPA,
		.body = body,
		.body_len = strlen(body),
		.headers = {[HEADER_CONTENT_TYPE] = "application/json",
			    [HEADER_ORIGIN] = origin,
			    [HEADER_SEC_FETCH_SITE] = site,
			    [HEADER_HOST] = host},
	};
}

static void allow(const char *origin)
{
	origins_set(&f.service->origins, &origin, 1);
}

/* ---- origins ----------------------------------------------------------------------------------
 */

START_TEST(an_origin_has_a_scheme_a_host_and_nothing_else)
{
	static const char *const good[] = {"https://page.example", "http://page.example:8080",
					   "https://[::1]:1", "HTTP://127.0.0.1", "http://a_b"};
	static const char *const bad[] = {"",
					  "*",
					  "null",
					  "page.example",
					  "ftp://page.example",
					  "https://",
					  "https://page.example/",
					  "https://page.example/path",
					  "https://user@page.example",
					  "https://page.example:",
					  "https://page.example:0",
					  "https://page.example:65536",
					  "https://page.example:80x",
					  "https://[::1]:",
					  "https://[fe80::1%25eth0]",
					  "https://[::1",
					  "https://[]",
					  "https://page.example\r\nX: y",
					  "https://page example"};
	char longest[ORIGIN_MAX + 1];
	struct error e = {0};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_msg(origin_check(good[i], &e) == 0, "%s: %s", good[i], e.text);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(origin_check(bad[i], &e) < 0, "'%s' is taken", bad[i]);
	(void)snprintf(longest, sizeof(longest), "https://%0*d:65535", HOST_NAME_BYTES, 0);
	ck_assert_int_lt(origin_check(longest, &e), 0);
	(void)snprintf(longest, sizeof(longest), "https://%0*d:65535", HOST_NAME_BYTES - 1, 0);
	ck_assert_uint_eq(strlen(longest), ORIGIN_MAX - 1);
	ck_assert_int_eq(origin_check(longest, &e), 0);
}
END_TEST

START_TEST(a_foreign_origin_changes_nothing)
{
	static const struct {
		const char *origin, *site, *host, *header; /* NULL: it may */
		enum http_transport transport;
	} cases[] = {
		{NULL, NULL, "host", NULL, HTTP_OVER_TLS},
		{"https://host", NULL, "host", NULL, HTTP_OVER_TLS},
		{"https://HOST:443", NULL, "host", NULL, HTTP_OVER_TLS},
		{"https://host", NULL, "host:443", NULL, HTTP_OVER_TLS},
		{"https://host", NULL, "host:", NULL, HTTP_OVER_TLS},
		{"https://[::1]:8", NULL, "[::1]:8", NULL, HTTP_OVER_TLS},
		{"http://host:8080", NULL, "host:8080", NULL, HTTP_OVER_TCP},
		{"http://host", NULL, "host:80", NULL, HTTP_OVER_TCP},
		{"https://host", NULL, "host", NULL, HTTP_OVER_UNIX},
		{"https://host", "same-origin", "host", NULL, HTTP_OVER_TLS},
		{NULL, "none", "host", NULL, HTTP_OVER_TLS},
		{"http://host", NULL, "host", "Origin", HTTP_OVER_TLS},
		{"https://host", NULL, "host", "Origin", HTTP_OVER_TCP},
		{"https://host:444", NULL, "host:443", "Origin", HTTP_OVER_TLS},
		{"https://host.evil.example", NULL, "host", "Origin", HTTP_OVER_TLS},
		{"https://hos", NULL, "host", "Origin", HTTP_OVER_TLS},
		{"https://host", NULL, NULL, "Origin", HTTP_OVER_TLS},
		{"null", NULL, "host", "Origin", HTTP_OVER_TLS},
		{"null", NULL, "null", "Origin", HTTP_OVER_TLS},
		{"https://a/b", NULL, "a/b", "Origin", HTTP_OVER_TLS},
		{"", NULL, "", "Origin", HTTP_OVER_TLS},
		{"https://", NULL, "", "Origin", HTTP_OVER_TLS},
		{"file://", NULL, "host", "Origin", HTTP_OVER_TLS},
		{NULL, "cross-site", "host", "Sec-Fetch-Site", HTTP_OVER_TLS},
		{NULL, "same-site", "host", "Sec-Fetch-Site", HTTP_OVER_TLS},
		{NULL, "", "host", "Sec-Fetch-Site", HTTP_OVER_TLS},
		{"https://host", "cross-site", "host", "Sec-Fetch-Site", HTTP_OVER_TLS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct http_request req = action(cases[i].origin, cases[i].site, cases[i].host);

		req.client.transport = cases[i].transport;
		ck_assert_msg(ask(&f, &req) == (cases[i].header ? 403 : 200), "case %zu: %u", i,
			      f.res.status);
		if (!cases[i].header)
			continue;
		ck_assert_str_eq(message(&f), "HeaderInvalid");
		ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"),
				 cases[i].header);
	}
}
END_TEST

START_TEST(every_method_that_writes_is_refused_whether_or_not_the_resource_exists)
{
	static const enum http_method methods[] = {METHOD_POST, METHOD_PATCH, METHOD_DELETE,
						   METHOD_OTHER};
	static const char *const paths[] = {TRANSLATE_DPA, SYSTEM, URI_SESSIONS, ROOT "/nothing"};

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		for (size_t k = 0; k < ARRAY_SIZE(paths); k++) {
			struct http_request req = action(PAGE, NULL, "host");

			req.method = methods[i];
			req.path = paths[k];
			ck_assert_uint_eq(ask(&f, &req), 403);
		}
}
END_TEST

START_TEST(reads_of_a_page_are_answered_but_opening_a_stream_is_a_change)
{
	struct http_request req = action(PAGE, "cross-site", "host");

	req.method = METHOD_GET;
	req.path = SYSTEM;
	ck_assert_uint_eq(ask(&f, &req), 200);
	ck_assert_ptr_null(http_reply_value(&f.res, "Access-Control-Allow-Origin"));
	ck_assert_ptr_null(http_reply_value(&f.res, "Vary"));
	req.path = ROOT "/EventService/SSE";
	ck_assert_uint_eq(ask(&f, &req), 403);
}
END_TEST

START_TEST(a_configured_origin_may_write_and_read_the_reply)
{
	struct http_request req = action("HTTPS://page.example:443", "cross-site", "host");
	struct http_request other = action("https://page.example:444", NULL, "host");

	allow(PAGE);
	ck_assert_uint_eq(ask(&f, &req), 200);
	/* The value that was sent: browsers compare it with theirs. */
	ck_assert_str_eq(http_reply_value(&f.res, "Access-Control-Allow-Origin"),
			 "HTTPS://page.example:443");
	ck_assert_str_eq(http_reply_value(&f.res, "Vary"), "Origin");
	ck_assert_ptr_nonnull(
		strstr(http_reply_value(&f.res, "Access-Control-Expose-Headers"), "X-Auth-Token"));
	ck_assert_ptr_null(http_reply_value(&f.res, "Access-Control-Allow-Credentials"));
	ck_assert_uint_eq(ask(&f, &other), 403);
	ck_assert_ptr_null(http_reply_value(&f.res, "Access-Control-Allow-Origin"));
	/* The answer depends on the origin even without one: a cache may not send it to another. */
	ck_assert_uint_eq(get(&f, SYSTEM), 200);
	ck_assert_str_eq(http_reply_value(&f.res, "Vary"), "Origin");
}
END_TEST

START_TEST(the_list_of_origins_can_be_replaced)
{
	struct http_request req = action(PAGE, NULL, "host");

	allow(PAGE);
	ck_assert_uint_eq(ask(&f, &req), 200);
	origins_set(&f.service->origins, NULL, 0);
	ck_assert_uint_eq(ask(&f, &req), 403);
}
END_TEST

/* ---- OPTIONS ----------------------------------------------------------------------------------
 */

START_TEST(options_name_the_methods_of_a_resource)
{
	struct http_request req = {.method = METHOD_OPTIONS, .path = SYSTEM};

	ck_assert_uint_eq(ask(&f, &req), 204);
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD");
	ck_assert_uint_eq(f.res.body->len, 0);
	req.path = TRANSLATE_DPA;
	req.headers[HEADER_ACCEPT] = "text/html";
	req.headers[HEADER_ORIGIN] = PAGE; /* without Access-Control-Request-Method: no preflight */
	ck_assert_uint_eq(ask(&f, &req), 204);
	ck_assert_str_eq(f.res.body->allow, "POST");
	req.path = ROOT "/nothing";
	ck_assert_uint_eq(ask(&f, &req), 404);
}
END_TEST

START_TEST(a_preflight_is_answered_for_configured_origins_only)
{
	struct http_request req = {
		.method = METHOD_OPTIONS,
		.path = ROOT "/nothing",
		.headers = {
			[HEADER_ORIGIN] = PAGE, [HEADER_ACCESS_CONTROL_REQUEST_METHOD] = "PATCH"}};

	ck_assert_uint_eq(ask(&f, &req), 403);
	ck_assert_ptr_null(http_reply_value(&f.res, "Access-Control-Allow-Methods"));
	allow(PAGE);
	ck_assert_uint_eq(ask(&f, &req), 204);
	ck_assert_str_eq(http_reply_value(&f.res, "Access-Control-Allow-Origin"), PAGE);
	ck_assert_str_eq(http_reply_value(&f.res, "Access-Control-Allow-Methods"),
			 "GET, HEAD, POST, PATCH, DELETE");
	ck_assert_ptr_nonnull(
		strstr(http_reply_value(&f.res, "Access-Control-Allow-Headers"), "Authorization"));
	req.headers[HEADER_ORIGIN] = "https://other.example";
	ck_assert_uint_eq(ask(&f, &req), 403);
}
END_TEST

/* ---- bodies -----------------------------------------------------------------------------------
 */

START_TEST(a_body_must_claim_json)
{
	struct http_request req = action(NULL, NULL, "host");

	req.headers[HEADER_CONTENT_TYPE] = NULL;
	req.headers[HEADER_CONTENT_LENGTH] = "31";
	ck_assert_uint_eq(ask(&f, &req), 415);
	ck_assert_str_eq(message(&f), "HeaderInvalid");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"), "Content-Type");
	req.headers[HEADER_CONTENT_LENGTH] = NULL;
	req.headers[HEADER_TRANSFER_ENCODING] = "chunked";
	ck_assert_uint_eq(ask(&f, &req), 415);
	/* Without a body there is nothing to claim: what is missing is the parameter. */
	req.body_len = 0;
	ck_assert_uint_eq(ask(&f, &req), 400);
	req.headers[HEADER_TRANSFER_ENCODING] = NULL;
	req.headers[HEADER_CONTENT_LENGTH] = "00";
	ck_assert_uint_eq(ask(&f, &req), 400);
}
END_TEST

/* ---- conditions -------------------------------------------------------------------------------
 */

static char content[32] = "first";

static int thing_get(struct exchange *x)
{
	put_string(&x->w, "Name", content);
	return 0;
}

static int patch_run(struct exchange *x, void *state)
{
	(void)state;
	(void)snprintf(content, sizeof(content), "%s",
		       json_string_value(json_object_get(x->body, "Name")));
	return 0;
}

static int thing_patch(struct exchange *x)
{
	static const struct continuation patching = {.class = JOB_STORE, .run = patch_run};

	return exchange_continue(x, &patching, NULL);
}

static int thing_remove(struct exchange *x)
{
	static const char *const names[] = {"A~b/c", "B"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		(void)exchange_refuse_property(x, MESSAGE_PROPERTY_UNKNOWN, names[i], NULL);
		exchange_note(x);
	}
	return exchange_noted(x);
}

static const struct resource_type things[] = {
	{.pattern = ROOT "/Free",
	 SCHEMA("Memory", "v1_24_0"),
	 .get = thing_get,
	 .patch = thing_patch,
	 .remove = thing_remove},
	{.pattern = ROOT "/Demanding",
	 SCHEMA("Memory", "v1_24_0"),
	 .get = thing_get,
	 .patch = thing_patch,
	 .remove = thing_remove,
	 .demands_if_match = true},
};

static const struct resource_rows thing_rows = RESOURCE_ROWS(things);
static const struct resource_rows *const thing_lists[] = {&thing_rows};
static const struct resource_table thing_table = {thing_lists, 1, NULL};

static void start_things(void)
{
	fixture_init_with(&f, NULL, fixture_limits(), &thing_table);
	fixture_ready(&f);
}

static unsigned int patch(const char *path, const char *if_match, const char *if_none_match)
{
	static const char body[] = "{\"Name\":\"second\"}";
	struct http_request req = {.method = METHOD_PATCH,
				   .path = path,
				   .body = body,
				   .body_len = strlen(body),
				   .headers = {[HEADER_CONTENT_TYPE] = "application/json",
					       [HEADER_IF_MATCH] = if_match,
					       [HEADER_IF_NONE_MATCH] = if_none_match}};

	return ask(&f, &req);
}

START_TEST(a_resource_may_demand_if_match)
{
	struct http_request req = {.method = METHOD_DELETE, .path = ROOT "/Demanding"};
	char etag[64], list[160];

	ck_assert_uint_eq(patch(ROOT "/Demanding", NULL, NULL), 428);
	ck_assert_str_eq(message(&f), "PreconditionRequired");
	ck_assert_uint_eq(ask(&f, &req), 428);
	ck_assert_uint_eq(patch(ROOT "/Demanding", "", NULL), 412);
	ck_assert_uint_eq(patch(ROOT "/Demanding", "garbage", NULL), 412);
	ck_assert_str_eq(message(&f), "PreconditionFailed");
	ck_assert_uint_eq(get(&f, ROOT "/Demanding"), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	/* If-Match compares strongly (RFC 9110 13.1.1). */
	(void)snprintf(list, sizeof(list), "W/%s", etag);
	ck_assert_uint_eq(patch(ROOT "/Demanding", list, NULL), 412);
	(void)snprintf(list, sizeof(list), "\"x\", %s", etag);
	ck_assert_uint_eq(patch(ROOT "/Demanding", list, NULL), 200);
	ck_assert_uint_eq(patch(ROOT "/Demanding", "*", NULL), 200);
	ck_assert_str_eq(at(&f, "Name"), "second");
}
END_TEST

START_TEST(conditions_hold_for_changes_that_demand_none)
{
	char etag[64], weak[80];

	ck_assert_uint_eq(patch(ROOT "/Free", NULL, NULL), 200);
	ck_assert_uint_eq(patch(ROOT "/Free", "\"x\"", NULL), 412);
	ck_assert_uint_eq(get(&f, ROOT "/Free"), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	(void)snprintf(weak, sizeof(weak), "W/%s", etag);
	ck_assert_uint_eq(patch(ROOT "/Free", NULL, "*"), 412);
	ck_assert_uint_eq(patch(ROOT "/Free", NULL, weak), 412);
	ck_assert_uint_eq(patch(ROOT "/Free", NULL, "\"x\""), 200);
	ck_assert_uint_eq(patch(ROOT "/Free", etag, "\"x\""), 200);
}
END_TEST

START_TEST(the_reply_of_a_job_can_be_read_by_the_page_too)
{
	static const char body[] = "{\"Name\":\"third\"}";
	struct http_request req = {
		.method = METHOD_PATCH,
		.path = ROOT "/Free",
		.body = body,
		.body_len = strlen(body),
		.headers = {[HEADER_CONTENT_TYPE] = "application/json", [HEADER_ORIGIN] = PAGE}};

	allow(PAGE);
	ck_assert_uint_eq(ask(&f, &req), 200);
	ck_assert(f.in_job);
	ck_assert_str_eq(http_reply_value(&f.res, "Access-Control-Allow-Origin"), PAGE);
	ck_assert_str_eq(http_reply_value(&f.res, "Vary"), "Origin");
}
END_TEST

START_TEST(each_wrong_property_has_a_message_that_names_it)
{
	struct http_request req = {.method = METHOD_DELETE, .path = ROOT "/Free"};

	ck_assert_uint_eq(ask(&f, &req), 400);
	ck_assert_str_eq(at(&f, "error/code"), "Base.1.22.GeneralError");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageId"),
			 "Base.1.22.PropertyUnknown");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"), "A~b/c");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/RelatedProperties/0"), "#/A~0b~1c");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/1/RelatedProperties/0"), "#/B");
	ck_assert_ptr_nonnull(at(&f, "error/@Message.ExtendedInfo/1/Resolution"));
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/1/MessageSeverity"), "Warning");
}
END_TEST

START_TEST(messages_that_do_not_fit_are_counted_as_one)
{
	struct message_list l = {0};
	struct message m;

	message_set(&m, MESSAGE_PROPERTY_UNKNOWN, "A", NULL, NULL);
	for (size_t i = 0; i < MESSAGES_MAX; i++)
		message_list_add(&l, &m);
	ck_assert_int_eq(l.items[MESSAGES_MAX - 1].id, MESSAGE_PROPERTY_UNKNOWN);
	for (size_t i = 0; i < 100; i++)
		message_list_add(&l, &m);
	ck_assert_uint_eq(l.n, MESSAGES_MAX);
	ck_assert_int_eq(l.items[MESSAGES_MAX - 2].id, MESSAGE_PROPERTY_UNKNOWN);
	ck_assert_int_eq(l.items[MESSAGES_MAX - 1].id, MESSAGE_MAXIMUM_ERRORS_EXCEEDED);
}
END_TEST

START_TEST(a_related_property_is_a_pointer_that_is_cut_between_characters)
{
	char name[3 * MESSAGE_ARG_MAX];
	struct message m;
	size_t n;

	message_set(&m, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, "1", "Name", NULL);
	ck_assert_str_eq(m.property, "#/Name");
	message_set(&m, MESSAGE_MALFORMED_JSON, NULL, NULL, NULL);
	ck_assert_str_eq(m.property, "");
	for (size_t odd = 0; odd < 2; odd++) {
		memset(name, 'x', odd);
		for (n = odd; n + 2 < sizeof(name); n += 2)
			memcpy(name + n, "\xc3\xa9", 2);
		name[n] = '\0';
		message_set_property(&m, name);
		n = strlen(m.property);
		ck_assert_uint_lt(n, MESSAGE_ARG_MAX);
		ck_assert_uint_eq((n - 2 - odd) % 2, 0);
	}
	memset(name, '~', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	message_set_property(&m, name);
	ck_assert_uint_lt(strlen(m.property), MESSAGE_ARG_MAX);
	ck_assert_int_eq(m.property[strlen(m.property) - 1], '0');
}
END_TEST

SUITE(check_cross_site)
{
	Suite *s = suite_create("cross_site");
	TCase *pages = tcase_create("pages"), *rows = tcase_create("rows");

	tcase_add_checked_fixture(pages, start, stop);
	tcase_add_test(pages, an_origin_has_a_scheme_a_host_and_nothing_else);
	tcase_add_test(pages, a_foreign_origin_changes_nothing);
	tcase_add_test(pages,
		       every_method_that_writes_is_refused_whether_or_not_the_resource_exists);
	tcase_add_test(pages, reads_of_a_page_are_answered_but_opening_a_stream_is_a_change);
	tcase_add_test(pages, a_configured_origin_may_write_and_read_the_reply);
	tcase_add_test(pages, the_list_of_origins_can_be_replaced);
	tcase_add_test(pages, options_name_the_methods_of_a_resource);
	tcase_add_test(pages, a_preflight_is_answered_for_configured_origins_only);
	tcase_add_test(pages, a_body_must_claim_json);
	suite_add_tcase(s, pages);
	tcase_add_checked_fixture(rows, start_things, stop);
	tcase_add_test(rows, a_resource_may_demand_if_match);
	tcase_add_test(rows, conditions_hold_for_changes_that_demand_none);
	tcase_add_test(rows, the_reply_of_a_job_can_be_read_by_the_page_too);
	tcase_add_test(rows, each_wrong_property_has_a_message_that_names_it);
	tcase_add_test(rows, messages_that_do_not_fit_are_counted_as_one);
	tcase_add_test(rows, a_related_property_is_a_pointer_that_is_cut_between_characters);
	suite_add_tcase(s, rows);
	return s;
}
