// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Query options: what each of them makes of a text, and what the service makes of all of them.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "redfish/query/expand.h"
#include "redfish/query/query.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"

#define MEMORY SYSTEM "/Memory"

static struct json_span span_of(const char *text)
{
	return (struct json_span){text, strlen(text)};
}

/* Return: the text of the writer, which it is released by; until the next call. */
static const char *text_of(struct json_writer *w)
{
	static char text[4096];

	ck_assert(!w->failed && w->len < sizeof(text));
	memcpy(text, w->text, w->len);
	text[w->len] = '\0';
	json_writer_done(w);
	return text;
}

/* ---- options ----------------------------------------------------------------------------------
 */

static int parse_all(const char *text, unsigned int taken, struct query *q, struct message *m)
{
	static char copy[8][FILTER_TEXT_MAX + 16];
	struct http_option options[8];
	size_t n = 0;

	for (; *text; text += *text == '&') {
		size_t len = strcspn(text, "&");
		char *value;

		memcpy(copy[n], text, len);
		copy[n][len] = '\0';
		value = strchr(copy[n], '=');
		if (value)
			*value++ = '\0';
		options[n] = (struct http_option){copy[n], value};
		n++;
		text += len;
	}
	return query_parse(options, n, taken, q, m);
}

START_TEST(options_are_read_and_may_be_combined)
{
	struct message m;
	struct query q;

	ck_assert_int_eq(
		parse_all(
			"$filter=a eq 1&$skip=2&$top=2000&$expand=*($levels=3)&excerpt&$select=a/b,c",
			QUERY_OF_COLLECTIONS, &q, &m),
		0);
	ck_assert_uint_eq(q.given, QUERY_OF_COLLECTIONS & ~(QUERY_ONLY | QUERY_CONTEXT));
	ck_assert_uint_eq(q.skip, 2);
	ck_assert_uint_eq(q.top, QUERY_TOP_MAX);
	ck_assert_uint_eq(q.expand.levels, 3);
	ck_assert_int_eq(q.expand.links, EXPAND_ALL);
	ck_assert_str_eq(q.filter, "a eq 1");
	ck_assert_str_eq(q.select, "a/b,c");
	ck_assert_int_eq(parse_all("only", QUERY_OF_COLLECTIONS, &q, &m), 0);
	ck_assert_uint_eq(q.given, QUERY_ONLY);
	ck_assert_int_eq(parse_all("$expand=~", QUERY_OF_RESOURCES, &q, &m), 0);
	ck_assert_uint_eq(q.expand.levels, 1);
}
END_TEST

START_TEST(options_are_refused_with_the_message_for_it)
{
	static const struct {
		const char *text;
		enum message_id id;
		unsigned int status;
	} cases[] = {
		{"$foo=1", MESSAGE_QUERY_PARAMETER_UNSUPPORTED, 501},
		{"$expand=.&$foo", MESSAGE_QUERY_PARAMETER_UNSUPPORTED, 501},
		{"$expand=x", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"$expand=.x", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"$expand=.($levels=-1)", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"$expand=.($levels=1))", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"$expand=.($levels=7)", MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, 400},
		{"$expand=.($levels=18446744073709551617)", MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE,
		 400},
		{"$select=a//b", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"$select=a,", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"only=1", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"excerpt=1", MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, 400},
		{"only&excerpt", MESSAGE_QUERY_COMBINATION_INVALID, 400},
		{"only&$top=1", MESSAGE_QUERY_COMBINATION_INVALID, 400},
		{"$expand=.&$expand=.", MESSAGE_QUERY_COMBINATION_INVALID, 400},
		{"$skiptoken=1", MESSAGE_QUERY_NOT_SUPPORTED_ON_RESOURCE, 400},
	};
	struct message m;
	struct query q;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(parse_all(cases[i].text, QUERY_OF_COLLECTIONS, &q, &m), -EINVAL);
		ck_assert_msg(m.id == cases[i].id && m.status == cases[i].status, "%s: %u",
			      cases[i].text, (unsigned int)m.id);
	}
	ck_assert_int_eq(parse_all("only", QUERY_OF_RESOURCES, &q, &m), -EINVAL);
	ck_assert_int_eq(m.id, MESSAGE_QUERY_NOT_SUPPORTED_ON_RESOURCE);
}
END_TEST

START_TEST(the_link_to_the_next_page_has_the_other_options)
{
	char link[QUERY_LINK_MAX], longest[2 * FILTER_TEXT_MAX + 64];
	struct message m;
	struct query q;

	ck_assert_int_eq(parse_all("$filter=a eq 'x&y'", QUERY_OF_COLLECTIONS, &q, &m), -EINVAL);
	ck_assert_int_eq(parse_all("$filter=a eq 'x+y'&$top=3&$expand=.&excerpt&$select=b/c",
				   QUERY_OF_COLLECTIONS, &q, &m),
			 0);
	query_next_link(&q, "/x", "$skip", 6, link);
	ck_assert_str_eq(
		link,
		"/x?$skip=6&$top=3&$expand=.($levels=1)&excerpt&$select=b/c&$filter=a%20eq%20'x%2By'");
	/* Nothing is cut. */
	strcpy(longest, "$filter=");
	memset(longest + 8, '%', FILTER_TEXT_MAX);
	strcpy(longest + 8 + FILTER_TEXT_MAX, "&$select=");
	memset(longest + 17 + FILTER_TEXT_MAX, 'a', SELECT_TEXT_MAX);
	longest[17 + FILTER_TEXT_MAX + SELECT_TEXT_MAX] = '\0';
	ck_assert_int_eq(parse_all(longest, QUERY_OF_COLLECTIONS, &q, &m), 0);
	query_next_link(&q, "/x", "$skip", UINT64_MAX, link);
	ck_assert_uint_eq(strlen(strstr(link, "$filter=")), 8 + 3 * FILTER_TEXT_MAX);
}
END_TEST

/* ---- $filter ----------------------------------------------------------------------------------
 */

static const char device[] =
	"{\"Id\":\"7\",\"Name\":\"mem\\\"0\\u00e9\\ud83d\\udcbe\",\"CapacityMiB\":256,\"Ratio\":2."
	"5,"
	"\"Enabled\":true,\"Nothing\":null,\"Made\":\"2026-01-02T03:04:05Z\",\"Status\":{\"State\":"
	"\"Enabled\",\"Conditions\":[{\"Code\":4},{\"Code\":9}]},\"Modes\":[\"Volatile\",\"PMEM\"],"
	"\"Empty\":[],\"Negative\":-3}";

struct filter_case {
	const char *text;
	bool matches;
};

static const struct filter_case by_type[] = {
	{"Id eq '7'", true},
	{"Id eq 7", true},
	{"Id eq '07'", false},
	{"Name eq 'mem\"0\xc3\xa9\xf0\x9f\x92\xbe'", true},
	{"Name gt 'mem'", true},
	{"Name lt 'men'", true},
	{"CapacityMiB eq 256", true},
	{"CapacityMiB eq 2.56e2", true},
	{"CapacityMiB eq '256'", true},
	{"CapacityMiB gt 30", true},
	{"CapacityMiB lt 30", false},
	{"CapacityMiB eq 0x100", false},
	{"CapacityMiB ne 'much'", true},
	{"CapacityMiB gt 'much'", false},
	{"CapacityMiB ne inf", true},
	{"Negative lt -2", true},
	{"Ratio ge 2.5", true},
	{"Ratio gt 2.5", false},
	{"Enabled eq true", true},
	{"Enabled ne false", true},
	{"Enabled eq 'true'", false},
	{"Enabled gt false", false},
};

static const struct filter_case by_structure[] = {
	{"Nothing eq null", true},
	{"Absent eq null", true},
	{"Absent ne 'x'", true},
	{"Absent eq 'x'", false},
	{"Absent lt 5", false},
	{"Id eq null", false},
	{"Id ne null", true},
	{"Made eq '2026-01-02T04:04:05+01:00'", true},
	{"Made ge 2026-01-02T03:04:05.000Z", true},
	{"Made gt '2026-01-02T03:04:05.5Z'", false},
	{"Status/State eq 'Enabled'", true},
	{"Status/Health eq null", true},
	{"Status ne null", true},
	{"Status/State/Deeper eq null", true},
	{"Status/Conditions/Code eq 9", true},
	{"Status/Conditions/Code eq 5", false},
	{"Status/Conditions/Code lt 5", true},
	{"Modes eq 'PMEM'", true},
	{"Modes ne 'PMEM'", true},
	{"not Modes eq 'PMEM'", false},
	{"Empty eq null", false},
	{"not not Id eq '7'", true},
	{"Id eq '7' and Name eq 'x' or CapacityMiB eq 256", true},
	{"Id eq '7' and (Name eq 'x' or CapacityMiB eq 256)", true},
	{"not (Id eq '7' or Name eq 'x')", false},
	{"not Id eq '8' and not Name eq 'x'", true},
};

static void try_filters(const struct filter_case *cases, size_t n)
{
	struct filter f;
	struct message m;

	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(filter_parse(cases[i].text, &f, &m) == 0, "%s", cases[i].text);
		ck_assert_msg(filter_matches(&f, span_of(device)) == cases[i].matches, "%s",
			      cases[i].text);
	}
}

START_TEST(a_filter_compares_by_the_type_of_the_property)
{
	try_filters(by_type, ARRAY_SIZE(by_type));
}
END_TEST

START_TEST(a_filter_goes_into_objects_and_arrays_and_has_null)
{
	try_filters(by_structure, ARRAY_SIZE(by_structure));
}
END_TEST

START_TEST(the_longest_filter_has_space)
{
	char text[FILTER_TEXT_MAX + 1] = "not a eq 1", more[] = " or not a eq 1";
	struct filter f;
	struct message m;

	while (strlen(text) + strlen(more) <= FILTER_TEXT_MAX)
		strcat(text, more);
	ck_assert_int_eq(filter_parse(text, &f, &m), 0);
	ck_assert(filter_matches(&f, span_of("{\"a\":2}")));
	ck_assert(!filter_matches(&f, span_of("{\"a\":1}")));
	ck_assert(!filter_matches(&f, span_of("{\"a\"")) || f.n > 0);
}
END_TEST

/* ---- $select, excerpt -------------------------------------------------------------------------
 */

static const char *selected(const char *paths, const char *text)
{
	struct json_writer w = {0};
	struct selection s;
	struct message m;

	ck_assert_int_eq(select_parse(paths, &s, &m), 0);
	select_properties(&s, span_of(text), &w);
	return text_of(&w);
}

START_TEST(a_selection_keeps_what_names_the_resource)
{
	static const char body[] =
		"{\"@odata.etag\":\"e\",\"@odata.id\":\"/a\",\"A\":1,\"A@Redfish.X\":2,\"AB\":3,"
		"\"S\":{\"@odata.type\":\"t\",\"P\":4,\"Q\":5},\"L\":[{\"P\":1,\"Q\":2},3]}";
	static const char members[] =
		"{\"@odata.id\":\"/a\",\"Name\":\"n\",\"Members\":[{\"@odata.id\":\"/a/"
		"1\",\"Id\":1,"
		"\"B\":2}],\"Members@odata.count\":1,\"Members@odata.nextLink\":\"/n\"}";

	ck_assert_str_eq(selected("A", body), "{\"@odata.etag\":\"e\",\"@odata.id\":\"/a\","
					      "\"A\":1,\"A@Redfish.X\":2}");
	ck_assert_str_eq(selected("S/P, L/Q", body),
			 "{\"@odata.etag\":\"e\",\"@odata.id\":\"/a\",\"S\":{\"@odata.type\":\"t\","
			 "\"P\":4},\"L\":[{\"Q\":2}]}");
	ck_assert_str_eq(selected("None,A/B", body),
			 "{\"@odata.etag\":\"e\",\"@odata.id\":\"/a\"}");
	ck_assert_str_eq(selected("Id", members),
			 "{\"@odata.id\":\"/a\",\"Members\":[{\"@odata.id\":\"/a/1\",\"Id\":1}],"
			 "\"Members@odata.count\":1,\"Members@odata.nextLink\":\"/n\"}");
	ck_assert_str_eq(selected("Members/B", members),
			 "{\"@odata.id\":\"/a\",\"Members\":[{\"@odata.id\":\"/a/1\",\"B\":2}],"
			 "\"Members@odata.count\":1,\"Members@odata.nextLink\":\"/n\"}");
	ck_assert_str_eq(selected("Members,Name", members), members);
}
END_TEST

START_TEST(an_excerpt_reduces_sensors_only)
{
	struct json_writer w = {0};

	put_excerpt(
		span_of("{\"@odata.type\":\"#SensorCollection.SensorCollection\",\"Name\":\"n\","
			"\"Members\":[{\"@odata.type\":\"#Sensor.v1_12_0.Sensor\",\"Id\":\"i\","
			"\"Name\":\"s\",\"ReadingType\":\"T\",\"Reading\":25}]}"),
		&w);
	ck_assert_str_eq(text_of(&w),
			 "{\"@odata.type\":\"#SensorCollection.SensorCollection\",\"Name\":\"n\","
			 "\"Members\":[{\"@odata.type\":\"#Sensor.v1_12_0.Sensor\",\"Id\":\"i\","
			 "\"Name\":\"s\",\"Reading\":25}]}");
}
END_TEST

/* ---- $expand ----------------------------------------------------------------------------------
 */

static unsigned int n_held;

/* "/x" is a resource that has a link to itself; "/fails" cannot be read; there are no others. */
static int find_x(void *userdata, struct json_span uri, struct json_span *ret, void **ret_held)
{
	if (json_span_is(uri, "/fails"))
		return -EIO;
	if (!json_span_is(uri, "/x"))
		return 0;
	*ret = span_of("{\"@odata.id\":\"/x\",\"I\":{\"@odata.id\":\"/x\"}}");
	*ret_held = userdata;
	n_held++;
	return 1;
}

static void drop_x(void *held)
{
	(void)held;
	n_held--;
}

static int expand(const char *how, const char *text, struct json_writer *w)
{
	const struct expansion_source source = {find_x, drop_x, NULL};
	struct expansion e;
	struct message m;

	ck_assert_int_eq(expansion_parse(how, &e, &m), 0);
	return expand_links(span_of(text), &e, &source, w);
}

START_TEST(links_are_replaced_where_they_are_wanted)
{
#define X    "{\"@odata.id\":\"/x\"}"
#define FULL "{\"@odata.id\":\"/x\",\"I\":" X "}"
	static const struct {
		const char *how, *text, *expanded;
	} cases[] = {
		{".", "{\"A\":" X ",\"Links\":{\"B\":[" X "]},\"C\":" X "}",
		 "{\"A\":" FULL ",\"Links\":{\"B\":[" X "]},\"C\":" FULL "}"},
		{"~", "{\"A\":" X ",\"Links\":{\"B\":[" X "]},\"C\":" X "}",
		 "{\"A\":" X ",\"Links\":{\"B\":[" FULL "]},\"C\":" X "}"},
		{"*", "{\"A\":" X ",\"Links\":{\"B\":[" X "]},\"C\":" X "}",
		 "{\"A\":" FULL ",\"Links\":{\"B\":[" FULL "]},\"C\":" FULL "}"},
		{"~", "{\"Links\":" X ",\"C\":" X "}", "{\"Links\":" FULL ",\"C\":" X "}"},
		{"~", "{\"Oem\":{\"Links\":{\"Links\":[],\"B\":" X "}},\"C\":" X "}",
		 "{\"Oem\":{\"Links\":{\"Links\":[],\"B\":" FULL "}},\"C\":" X "}"},
		{".", "{\"A\":\"Links\",\"B\":" X "}", "{\"A\":\"Links\",\"B\":" FULL "}"},
		{".", "{\"A\":\"{\\\"@odata.id\\\":\\\"/x\\\"}\"}",
		 "{\"A\":\"{\\\"@odata.id\\\":\\\"/x\\\"}\"}"},
		{".", "{\"A\":{\"@odata.id\":\"/y\"},\"B\":{\"@odata.id\":\"/x\",\"C\":1}}",
		 "{\"A\":{\"@odata.id\":\"/y\"},\"B\":{\"@odata.id\":\"/x\",\"C\":1}}"},
		{"*($levels=2)", X, "{\"@odata.id\":\"/x\",\"I\":" FULL "}"},
		{"*", "{\"A\":{\"@odata.id\":\"/x", "{\"A\":{\"@odata.id\":\"/x"},
	};
	struct json_writer w = {0};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(expand(cases[i].how, cases[i].text, &w), 0);
		ck_assert_str_eq(text_of(&w), cases[i].expanded);
	}
	ck_assert_int_eq(expand("*", "{\"A\":{\"@odata.id\":\"/fails\"}}", &w), -EIO);
	json_writer_done(&w);
	ck_assert_uint_eq(n_held, 0);
}
END_TEST

START_TEST(an_expansion_has_an_end)
{
	size_t n = EXPANSION_BYTES_MAX / strlen(X ","), len = strlen(X ",");
	char *text = malloc(n * len + 1);
	struct json_writer w = {0};

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, X ",", len);
	text[n * len] = '\0';
	ck_assert_int_eq(expand("*($levels=6)", text, &w), -E2BIG);
	ck_assert_uint_le(w.len, EXPANSION_BYTES_MAX);
	ck_assert_uint_eq(n_held, 0);
	json_writer_done(&w);
	free(text);
}
END_TEST

START_TEST(an_expansion_is_kept_for_those_who_may_read_all_of_it)
{
	static const struct expansion one = {EXPAND_ALL, 1}, two = {EXPAND_ALL, 2};
	struct expansion_needs needs = {0};
	struct expansions *all = expansions_new();
	struct resource r = {0}, other = {0};
	struct json_writer w = {0};
	struct representation *made;

	put_object(&w, NULL);
	put_end(&w);
	made = representation_new(&w, CONTENT_TYPE_JSON);
	expansion_needs_add(&needs, PRIVILEGE_LOGIN);
	expansion_needs_add(&needs, PRIVILEGE_LOGIN);
	expansion_needs_add(&needs, PRIVILEGE_CONFIGURE_MANAGER | PRIVILEGE_CONFIGURE_USERS);
	ck_assert_uint_eq(needs.n, 2);
	expansions_keep(all, &r, &one, &needs, made);
	expansions_keep(all, &r, &one, &needs, made);
	ck_assert_ptr_null(expansions_find(all, &r, &one, PRIVILEGE_LOGIN));
	ck_assert_ptr_null(expansions_find(all, &r, &one, PRIVILEGE_CONFIGURE_USERS));
	ck_assert_ptr_null(expansions_find(all, &r, &two, PRIVILEGES_ALL));
	ck_assert_ptr_null(expansions_find(all, &other, &one, PRIVILEGES_ALL));
	ck_assert_ptr_eq(
		expansions_find(all, &r, &one, PRIVILEGE_LOGIN | PRIVILEGE_CONFIGURE_USERS), made);
	for (unsigned int i = 0; i < 16; i++)
		expansion_needs_add(&needs, 1U << i);
	ck_assert(needs.too_many);
	expansions_keep(all, &r, &two, &needs, made);
	ck_assert_ptr_null(expansions_find(all, &r, &two, PRIVILEGES_ALL));
	(void)expansions_free(all);
	ck_assert_uint_eq(made->references, 1);
	(void)representation_unref(made);
}
END_TEST

/* ---- the service ------------------------------------------------------------------------------
 */

static struct log_fixture l;

static void start(void)
{
	log_init(&l);
	log_ready(&l);
}

static void stop(void)
{
	log_done(&l);
}

static size_t members(void)
{
	return json_array_size(value_at(&l.f, "Members"));
}

START_TEST(an_expansion_is_made_once_for_each_view)
{
	static const char all[] = "$expand=*($levels=2)";
	const struct representation *first;

	ck_assert_uint_eq(log_query(&l, MEMORY, "$expand=."), 200);
	ck_assert_uint_eq(members(), 4);
	ck_assert_str_eq(at(&l.f, "Members/0/@odata.type"), "#Memory.v1_24_0.Memory");
	first = l.f.res.body;
	ck_assert_uint_eq(log_query(&l, MEMORY, "$expand=."), 200);
	ck_assert(l.f.res.shared);
	ck_assert_ptr_eq(l.f.res.body, first);
	/* The log of a device is no part of the view, so this is not kept; it is long. */
	ck_assert_uint_eq(log_query(&l, MEMORY, all), 200);
	ck_assert(l.f.in_job);
	ck_assert_uint_eq(log_query(&l, MEMORY, all), 200);
	ck_assert(l.f.in_job);
	ck_assert(!l.f.res.shared);
}
END_TEST

START_TEST(an_expansion_that_is_too_long_is_refused)
{
	ck_assert_uint_eq(log_query(&l, SYSTEM, "$expand=*($levels=6)"), 400);
	ck_assert_str_eq(message(&l.f), "QueryParameterOutOfRange");
	ck_assert_str_eq(at(&l.f, "error/@Message.ExtendedInfo/0/MessageArgs/1"), "$expand");
}
END_TEST

START_TEST(pages_of_a_log_are_reduced_and_expanded)
{
	log_put_many(&l, 0, 3);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$select=Severity&$top=2"), 200);
	ck_assert_uint_eq(members(), 2);
	ck_assert_ptr_nonnull(at(&l.f, "Members/0/Severity"));
	ck_assert_ptr_nonnull(at(&l.f, "Members/0/@odata.id"));
	ck_assert_ptr_null(at(&l.f, "Members/0/Id"));
	ck_assert_ptr_nonnull(strstr(at(&l.f, "Members@odata.nextLink"), "$select=Severity"));
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$expand=~&$top=1"), 200);
	ck_assert_str_eq(at(&l.f, "Members/0/Links/OriginOfCondition/@odata.type"),
			 "#Memory.v1_24_0.Memory");
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "$filter=Severity eq 'OK'&$select=Id"),
			  200);
	ck_assert(l.f.in_job);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "only"), 200);
	ck_assert_uint_eq(members(), 3);
	ck_assert_uint_eq(log_query(&l, HOST_LOG, "$expand=."), 200);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries/Members")), 3);
}
END_TEST

START_TEST(the_only_entry_is_taken_instead_of_the_log)
{
	log_put_many(&l, 0, 1);
	ck_assert_uint_eq(log_query(&l, HOST_LOG "/Entries", "only"), 200);
	ck_assert_str_eq(at(&l.f, "@odata.id"), HOST_LOG "/Entries/1");
	ck_assert_str_eq(at(&l.f, "Id"), "1");
}
END_TEST

START_TEST(options_are_only_for_reading)
{
	struct http_request req = {.method = METHOD_POST,
				   .path = TRANSLATE_DPA,
				   .body = "{}",
				   .body_len = 2,
				   .options[0] = {"$select", "Id"},
				   .n_options = 1};

	ck_assert_uint_eq(log_ask(&l, &req), 400);
	ck_assert_str_eq(message(&l.f), "QueryNotSupportedOnOperation");
}
END_TEST

START_TEST(a_body_is_compressed_once_and_only_when_it_is_read)
{
	struct http_request req = {
		.method = METHOD_GET, .path = MEM0, .headers[HEADER_ACCEPT_ENCODING] = "gzip"};
	const struct representation *first;
	char etag[ETAG_MAX];

	ck_assert_uint_eq(log_get(&l, MEM0), 200);
	ck_assert_ptr_null(l.f.res.body->coding);
	strcpy(etag, l.f.res.body->etag);
	ck_assert_uint_eq(log_ask(&l, &req), 200);
	first = l.f.res.body;
	ck_assert_str_eq(first->coding, "gzip");
	ck_assert_str_ne(first->etag, etag);
	ck_assert_uint_eq(log_ask(&l, &req), 200);
	ck_assert_ptr_eq(l.f.res.body, first);
	req.headers[HEADER_IF_NONE_MATCH] = etag;
	ck_assert_uint_eq(log_ask(&l, &req), 304);
	req = (struct http_request){.method = METHOD_POST,
				    .path = TRANSLATE_SPA,
				    .body = "{\"SystemPhysicalAddress\":\"0x1\"}",
				    .body_len = 31,
				    .headers[HEADER_ACCEPT_ENCODING] = "gzip"};
	(void)log_ask(&l, &req);
	ck_assert_ptr_null(l.f.res.body->coding);
}
END_TEST

static void add_pure(Suite *s)
{
	TCase *t = tcase_create("texts");

	tcase_add_test(t, options_are_read_and_may_be_combined);
	tcase_add_test(t, options_are_refused_with_the_message_for_it);
	tcase_add_test(t, the_link_to_the_next_page_has_the_other_options);
	tcase_add_test(t, a_filter_compares_by_the_type_of_the_property);
	tcase_add_test(t, a_filter_goes_into_objects_and_arrays_and_has_null);
	tcase_add_test(t, the_longest_filter_has_space);
	tcase_add_test(t, a_selection_keeps_what_names_the_resource);
	tcase_add_test(t, an_excerpt_reduces_sensors_only);
	tcase_add_test(t, links_are_replaced_where_they_are_wanted);
	tcase_add_test(t, an_expansion_has_an_end);
	tcase_add_test(t, an_expansion_is_kept_for_those_who_may_read_all_of_it);
	suite_add_tcase(s, t);
}

SUITE(check_queries)
{
	Suite *s = suite_create("queries");
	TCase *t = tcase_create("service");

	add_pure(s);
	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, an_expansion_is_made_once_for_each_view);
	tcase_add_test(t, an_expansion_that_is_too_long_is_refused);
	tcase_add_test(t, pages_of_a_log_are_reduced_and_expanded);
	tcase_add_test(t, the_only_entry_is_taken_instead_of_the_log);
	tcase_add_test(t, options_are_only_for_reading);
	tcase_add_test(t, a_body_is_compressed_once_and_only_when_it_is_read);
	suite_add_tcase(s, t);
	return s;
}
