// SPDX-License-Identifier: LGPL-2.1-or-later
/* Permissions to create, change and remove regions by Redfish, and the offers without permission.
 */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"

/* ---- what is allowed --------------------------------------------------------------------------
 */

static void expect_405(enum http_method method, const char *uri, const char *why)
{
	const char *body = method == METHOD_POST    ? SIZE_512
			   : method == METHOD_PATCH ? ONLINE
						    : NULL;

	ck_assert_uint_eq(ask_change(&f, method, uri, uri, body, NULL), 405);
	expect_extended(&f, 0, "NotChangeable", why);
}

static void expect_nothing_allowed(const char *regions, const char *memory)
{
	expect_405(METHOD_POST, CHUNKS, regions);
	expect_405(METHOD_DELETE, REGION, regions);
	expect_405(METHOD_PATCH, REGION, memory);
	ck_assert_str_eq(allow(CHUNKS), "GET, HEAD");
	ck_assert_str_eq(allow(REGION), "GET, HEAD");
	ck_assert_uint_eq(get(&f, DOMAIN), 200);
	ck_assert_str_eq(at(&f, "AllowsMemoryChunkCreation"), "false");
	last_change(0);
}

START_TEST(without_permission_each_change_is_405_with_the_reason)
{
	allow_changes(&f, 0, ALLOW_HOST);
	expect_nothing_allowed("are not allowed (--allow=regions)",
			       "are not allowed (--allow=memory)");
	allow_changes(&f, ALLOW_HOST, ALLOW_POISON);
	expect_nothing_allowed("does not allow them (--allow=regions)",
			       "does not allow them (--allow=memory)");
	allow_changes(&f, ALLOW_HOST, 0);
	expect_nothing_allowed("cxl-redfish-change-helper, which makes changes, does not answer",
			       "cxl-redfish-change-helper, which makes changes, does not answer");
	allow_changes(&f, ALLOW_HOST, ALLOW_HOST);
	f.model.root_directory.captured = true;
	fixture_ready(&f);
	expect_nothing_allowed("this is a captured host", "this is a captured host");
}
END_TEST

START_TEST(each_method_is_shown_by_its_own_permission)
{
	static const struct {
		unsigned int bits;
		const char *chunks, *region, *creation;
	} all[] = {
		{0, "GET, HEAD", "GET, HEAD", "false"},
		{ALLOW_REGIONS, "GET, HEAD, POST", "GET, HEAD, DELETE", "true"},
		{ALLOW_MEMORY, "GET, HEAD", "GET, HEAD, PATCH", "false"},
		{ALLOW_MEMORY | ALLOW_REGIONS, "GET, HEAD, POST", "GET, HEAD, PATCH, DELETE",
		 "true"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		allow_changes(&f, all[i].bits, ALLOW_HOST);
		ck_assert_str_eq(allow(CHUNKS), all[i].chunks);
		ck_assert_str_eq(allow(REGION), all[i].region);
		ck_assert_uint_eq(get(&f, DOMAIN), 200);
		ck_assert_str_eq(at(&f, "AllowsMemoryChunkCreation"), all[i].creation);
		ck_assert_uint_eq(get(&f, REGION), 200);
		ck_assert_int_eq(
			value_at(&f, "RequestedOperationalState@Redfish.AllowableValues") != NULL,
			(all[i].bits & ALLOW_MEMORY) != 0);
	}
}
END_TEST

START_TEST(what_can_never_be_destroyed_is_not_offered)
{
	model_normalize(f.region);
	fixture_ready(&f);
	ck_assert_str_eq(allow(REGION), "GET, HEAD, PATCH");
	expect_405(METHOD_DELETE, REGION, "Normalized addressing locks its decoders");
}
END_TEST

START_TEST(a_locked_region_is_not_offered_for_destruction)
{
	f.region->locked = OPT_BOOL(true);
	fixture_ready(&f);
	ck_assert_str_eq(allow(REGION), "GET, HEAD, PATCH");
	expect_405(METHOD_DELETE, REGION, "firmware has made and locked it");
}
END_TEST

START_TEST(memory_without_a_dax_device_has_no_state_to_change)
{
	f.region->dax = NULL;
	fixture_ready(&f);
	expect_405(METHOD_PATCH, REGION, "it has no dax device");
	f.region->mode = DECODER_MODE_PMEM;
	fixture_ready(&f);
	expect_405(METHOD_PATCH, REGION, "persistent memory, which its namespaces have");
	ck_assert_str_eq(allow(REGION), "GET, HEAD, DELETE");
}
END_TEST

START_TEST(each_change_demands_if_match)
{
	static const struct {
		enum http_method method;
		const char *uri, *body;
	} all[] = {{METHOD_POST, CHUNKS, SIZE_512},
		   {METHOD_PATCH, REGION, OFFLINE},
		   {METHOD_DELETE, REGION, NULL}};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		ck_assert_uint_eq(
			ask_change(&f, all[i].method, all[i].uri, NULL, all[i].body, NULL), 428);
		ck_assert_uint_eq(
			ask_change(&f, all[i].method, all[i].uri, ROOT, all[i].body, NULL), 412);
	}
	last_change(0);
}
END_TEST

/* ---- who may ----------------------------------------------------------------------------------
 */

static struct accounts_fixture accounts;

static void start_changes_with_accounts(void)
{
	start_accounts(&accounts, "check_chunk_permissions");
	start_changes(NULL, accounts.accounts);
}

static void stop_changes_with_accounts(void)
{
	stop_changes();
	stop_accounts(&accounts);
}

START_TEST(readers_change_nothing_and_only_administrators_force)
{
	char reader[TOKEN_CHARS], operator[TOKEN_CHARS], administrator[TOKEN_CHARS];

	(void)log_in(&f, "reader", "ReadOnly", reader);
	ck_assert_uint_eq(ask_change(&f, METHOD_POST, CHUNKS, CHUNKS, SIZE_512, reader), 403);
	ck_assert_uint_eq(ask_change(&f, METHOD_PATCH, REGION, REGION, OFFLINE, reader), 403);
	ck_assert_uint_eq(ask_change(&f, METHOD_DELETE, REGION, REGION, NULL, reader), 403);
	last_change(0);
	(void)log_in(&f, "ops", "Operator", operator);
	ck_assert_uint_eq(ask_change(&f, METHOD_DELETE, REGION, REGION, FORCE, operator), 403);
	expect_extended(&f, 0, "InsufficientPrivilege", "#/Oem/CXLHost/Force");
	last_change(0);
	ck_assert_uint_eq(ask_change(&f, METHOD_PATCH, REGION, REGION, OFFLINE, operator), 200);
	ck_assert_uint_eq(ask_change(&f, METHOD_POST, CHUNKS, CHUNKS, SIZE_512, operator), 201);
	(void)log_in(&f, "admin2", "Administrator", administrator);
	ck_assert_uint_eq(ask_change(&f, METHOD_DELETE, REGION, REGION, FORCE, administrator), 204);
	last_change(3);
}
END_TEST

SUITE(check_chunk_permissions)
{
	Suite *s = suite_create("chunk_permissions");
	TCase *t = change_case(s, "allowed", start_usual_changes, stop_changes);

	tcase_add_test(t, without_permission_each_change_is_405_with_the_reason);
	tcase_add_test(t, each_method_is_shown_by_its_own_permission);
	tcase_add_test(t, what_can_never_be_destroyed_is_not_offered);
	tcase_add_test(t, a_locked_region_is_not_offered_for_destruction);
	tcase_add_test(t, memory_without_a_dax_device_has_no_state_to_change);
	tcase_add_test(t, each_change_demands_if_match);
	tcase_add_test(
		change_case(s, "accounts", start_changes_with_accounts, stop_changes_with_accounts),
		readers_change_nothing_and_only_administrators_force);
	return s;
}
