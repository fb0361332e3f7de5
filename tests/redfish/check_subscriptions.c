// SPDX-License-Identifier: LGPL-2.1-or-later
/* Properties of a subscription that are kept, and how long they may be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "push/protocol.h"
#include "redfish/eventing/subscription.h"
#include "tests/lib/suites.h"

static json_t *given;
static json_t *made;
static struct message message;

static void setup(void)
{
	given = json_pack("{s:s,s:s}", "Destination", "http://h/", "Protocol", "Redfish");
	made = NULL;
}

static void teardown(void)
{
	json_decref(given);
	json_decref(made);
}

static json_t *text_of(size_t len)
{
	_cleanup_free_ char *text = malloc(len);
	json_t *json;

	ck_assert_ptr_nonnull(text);
	memset(text, 'a', len);
	json = json_stringn(text, len);
	ck_assert_ptr_nonnull(json);
	return json;
}

static json_t *list_of(size_t n, size_t len)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(json_array_append_new(list, text_of(len)), 0);
	return list;
}

static json_t *links_of(size_t n, size_t len)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(
			json_array_append_new(list, json_pack("{s:o}", "@odata.id", text_of(len))),
			0);
	return list;
}

static json_t *headers_of(size_t n, size_t len)
{
	json_t *list = json_pack("[{}]");
	char name[16];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "X%zu", i);
		ck_assert_int_eq(json_object_set_new(json_array_get(list, 0), name, text_of(len)),
				 0);
	}
	return list;
}

static void expect_refused(enum message_id id, const char *property)
{
	ck_assert_int_eq(subscription_new(given, &made, &message), -EINVAL);
	ck_assert_int_eq(message.id, id);
	ck_assert_str_eq(message.property, property);
	ck_assert_ptr_null(made);
}

START_TEST(nothing_but_the_uri_of_a_link_is_kept)
{
	json_t *junk = list_of(600, 100), *link, *kept;

	link = json_pack("{s:s,s:o,s:i}", "@odata.id", "/redfish/v1/Systems/Host", "Junk", junk,
			 "More", 5);
	ck_assert_int_eq(json_object_set_new(given, "OriginResources", json_pack("[o]", link)), 0);
	ck_assert_int_eq(subscription_new(given, &made, &message), 0);
	kept = json_array_get(json_object_get(made, "OriginResources"), 0);
	ck_assert_uint_eq(json_object_size(kept), 1);
	ck_assert_str_eq(json_string_value(json_object_get(kept, "@odata.id")),
			 "/redfish/v1/Systems/Host");
	ck_assert_uint_lt(subscription_size(made), 400);
	/* Nothing of it refers to what was given, whose buffers may be longer. */
	ck_assert_ptr_ne(json_object_get(made, "Destination"),
			 json_object_get(given, "Destination"));
}
END_TEST

static json_t *long_members(void)
{
	return list_of(16, SUBSCRIPTION_LIST_BYTES_MAX / 16 + 1);
}

static json_t *long_links(void)
{
	return links_of(16, SUBSCRIPTION_LIST_BYTES_MAX / 16 + 1);
}

static json_t *many_headers(void)
{
	return headers_of(SUBSCRIPTION_HEADERS_MAX + 1, 1);
}

static json_t *long_headers(void)
{
	return headers_of(1, PUSH_HEADERS_MAX);
}

static const struct {
	const char *property;
	json_t *(*value)(void);
	enum message_id id;
} too_long[] = {
	{"MessageIds", long_members, MESSAGE_PROPERTY_TOO_LONG},
	{"OriginResources", long_links, MESSAGE_PROPERTY_TOO_LONG},
	{"HttpHeaders", many_headers, MESSAGE_ARRAY_SIZE_TOO_LONG},
	{"HttpHeaders", long_headers, MESSAGE_PROPERTY_TOO_LONG},
};

START_TEST(each_property_has_a_limit_and_its_message)
{
	char property[64];

	(void)snprintf(property, sizeof(property), "#/%s", too_long[_i].property);
	ck_assert_int_eq(json_object_set_new(given, too_long[_i].property, too_long[_i].value()),
			 0);
	expect_refused(too_long[_i].id, property);
}
END_TEST

/* Each is within its own limit. */
static const char *const lists[] = {"RegistryPrefixes", "ExcludeRegistryPrefixes", "MessageIds",
				    "ExcludeMessageIds", "ResourceTypes"};

START_TEST(properties_together_have_a_limit_and_its_message)
{
	json_t *patch = json_object();

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		ck_assert_int_eq(json_object_set_new(given, lists[i], list_of(8, 1020)), 0);
	expect_refused(MESSAGE_SUBSCRIPTION_TOO_LONG, "");
	/* By a change, too. */
	for (size_t i = 1; i < ARRAY_SIZE(lists); i++)
		ck_assert_int_eq(json_object_del(given, lists[i]), 0);
	ck_assert_int_eq(json_object_set_new(given, "ExcludeMessageIds", list_of(8, 1020)), 0);
	ck_assert_int_eq(json_object_set_new(given, "ResourceTypes", list_of(8, 1020)), 0);
	ck_assert_int_eq(subscription_new(given, &made, &message), 0);
	ck_assert_int_eq(json_object_set_new(patch, "HttpHeaders", headers_of(1, 8180)), 0);
	json_decref(given);
	given = NULL;
	ck_assert_int_eq(subscription_change(made, patch, &given, &message), -EINVAL);
	ck_assert_int_eq(message.id, MESSAGE_SUBSCRIPTION_TOO_LONG);
	json_decref(patch);
}
END_TEST

START_TEST(message_names_length_and_limit)
{
	char text[256];

	ck_assert_int_eq(json_object_set_new(given, "HttpHeaders", long_headers()), 0);
	expect_refused(MESSAGE_PROPERTY_TOO_LONG, "#/HttpHeaders");
	message_sentence(&message, text, sizeof(text));
	ck_assert_str_eq(
		text,
		"The value of the property HttpHeaders has 8197 bytes; at most 8192 are possible.");
}
END_TEST

SUITE(check_subscriptions)
{
	Suite *suite = suite_create("subscriptions");
	TCase *tests = tcase_create("properties");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nothing_but_the_uri_of_a_link_is_kept);
	tcase_add_loop_test(tests, each_property_has_a_limit_and_its_message, 0,
			    (int)ARRAY_SIZE(too_long));
	tcase_add_test(tests, properties_together_have_a_limit_and_its_message);
	tcase_add_test(tests, message_names_length_and_limit);
	suite_add_tcase(suite, tests);
	return suite;
}
