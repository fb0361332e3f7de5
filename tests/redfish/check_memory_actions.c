// SPDX-License-Identifier: LGPL-2.1-or-later
/* Actions of Memory with passphrases: each leads to exactly one change, and no secret is repeated.
 */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/state/audit.h"
#include "redfish/service/exchange.h"
#include "redfish/core/uris.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/memory_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define ACTION(name)		 MEM2 "/Actions/Memory." name
#define SECRET			 "correct horse \\u00e4 battery"
#define SECRET_BYTES		 "correct horse \xc3\xa4 battery"
#define OLD_SECRET		 "an earlier one"
#define BODY(region, passphrase) "{\"RegionId\":\"" region "\",\"Passphrase\":\"" passphrase "\"}"

static void start_all(void)
{
	keep_log();
	start_memory(NULL);
}

static unsigned int act(const char *uri, const char *body)
{
	return change_memory(METHOD_POST, uri, MEM2, body);
}

static void set_secret(struct change_secret *s, const char *text)
{
	s->len = (uint32_t)strlen(text);
	memcpy(s->bytes, text, s->len);
}

/* The state of the security in which an action can be made. */
static void show_state(const char *state)
{
	mf.security.state = state;
	show_memory();
}

static const struct made_action {
	const char *uri, *info;
	enum change_kind kind;
	bool master, is_new, of_all;
} actions[] = {
	{ACTION("SetPassphrase"), MEM2 "/SetPassphraseActionInfo", CHANGE_SET_PASSPHRASE, false,
	 true, false},
	{ACTION("DisablePassphrase"), MEM2 "/DisablePassphraseActionInfo",
	 CHANGE_DISABLE_PASSPHRASE, false, false, false},
	{ACTION("SetMasterPassphrase"), MEM2 "/SetMasterPassphraseActionInfo",
	 CHANGE_SET_PASSPHRASE, true, true, false},
	{ACTION("DisableMasterPassphrase"), MEM2 "/DisableMasterPassphraseActionInfo",
	 CHANGE_DISABLE_PASSPHRASE, true, false, false},
	{ACTION("UnlockUnit"), MEM2 "/UnlockUnitActionInfo", CHANGE_UNLOCK, false, false, false},
	{ACTION("SecureEraseUnit"), MEM2 "/SecureEraseUnitActionInfo", CHANGE_SECURE_ERASE, false,
	 false, true},
};

/* ---- what is asked for ------------------------------------------------------------------------
 */

START_TEST(an_action_is_one_change_with_the_passphrase)
{
	const struct made_action *a = &actions[_i];
	struct change c = expected_change(a->kind);

	show_state(a->kind == CHANGE_SET_PASSPHRASE ? "disabled" : "unlocked");
	c.security.master = a->master;
	set_secret(a->is_new ? &c.security.new : &c.security.old, SECRET_BYTES);
	ck_assert_uint_eq(act(a->uri, BODY("pmem", SECRET)), 204);
	expect_changes(&c, 1);
	expect_nowhere(SECRET_BYTES);
	expect_nowhere("battery");
}
END_TEST

START_TEST(a_passphrase_is_replaced_by_another_one)
{
	struct change c = expected_change(CHANGE_SET_PASSPHRASE);

	set_secret(&c.security.new, SECRET_BYTES);
	set_secret(&c.security.old, OLD_SECRET);
	ck_assert_uint_eq(act(ACTION("SetPassphrase"),
			      "{\"RegionId\":\"pmem\",\"Passphrase\":\"" SECRET
			      "\",\"Oem\":{\"CXLHost\":{\"OldPassphrase\":\"" OLD_SECRET "\"}}}"),
			  204);
	expect_changes(&c, 1);
	ck_assert_uint_eq(act(ACTION("UnlockUnit"),
			      "{\"RegionId\":\"pmem\",\"Passphrase\":\"x\",\"Oem\":{\"CXLHost\":{"
			      "\"OldPassphrase\":\"" OLD_SECRET "\"}}}"),
			  400);
	expect_text(0, "ActionParameterUnknown", "Oem");
	expect_changes(NULL, 0);
	expect_nowhere(OLD_SECRET);
}
END_TEST

START_TEST(the_longest_passphrase_is_taken_and_a_longer_one_is_not)
{
	struct change c = expected_change(CHANGE_UNLOCK);
	char text[CHANGE_SECRET_MAX + 2], body[256];

	memset(text, 'Q', sizeof(text));
	text[CHANGE_SECRET_MAX] = '\0';
	set_secret(&c.security.old, text);
	(void)snprintf(body, sizeof(body), BODY("pmem", "%s"), text);
	ck_assert_uint_eq(act(ACTION("UnlockUnit"), body), 204);
	expect_changes(&c, 1);
	text[CHANGE_SECRET_MAX] = 'Q';
	text[CHANGE_SECRET_MAX + 1] = '\0';
	(void)snprintf(body, sizeof(body), BODY("pmem", "%s"), text);
	ck_assert_uint_eq(act(ACTION("UnlockUnit"), body), 400);
	expect_text(0, "StringValueTooLong", "128");
	expect_changes(NULL, 0);
	expect_nowhere("QQQQ");
}
END_TEST

START_TEST(freezing_and_erasing_all_take_no_passphrase)
{
	struct change c = expected_change(CHANGE_FREEZE_SECURITY);

	ck_assert_uint_eq(act(ACTION("FreezeSecurityState"), "{}"), 204);
	expect_changes(&c, 1);
	ck_assert_uint_eq(act(ACTION("FreezeSecurityState"), NULL), 204);
	expect_changes(&c, 1);
	show_state("disabled");
	c = expected_change(CHANGE_OVERWRITE);
	ck_assert_uint_eq(act(ACTION("OverwriteUnit"), "{\"RegionId\":\"all\"}"), 204);
	expect_changes(&c, 1);
	c = expected_change(CHANGE_SECURE_ERASE);
	ck_assert_uint_eq(act(ACTION("SecureEraseUnit"), BODY("all", "")), 204);
	expect_changes(&c, 1);
}
END_TEST

static const struct {
	const char *state, *uri, *body, *text;
	unsigned int status;
} by_state[] = {
	{"frozen", ACTION("UnlockUnit"), BODY("pmem", SECRET), "frozen until the next reset", 409},
	{"sanitize", ACTION("UnlockUnit"), BODY("pmem", SECRET), "being overwritten", 409},
	{"locked", ACTION("DisablePassphrase"), BODY("pmem", SECRET), "unlock it first", 409},
	{"disabled", ACTION("UnlockUnit"), BODY("pmem", SECRET), "has no passphrase", 400},
	{"disabled", ACTION("SecureEraseUnit"), BODY("pmem", SECRET), "is erased, too", 400},
	{"unlocked", ACTION("SetPassphrase"), BODY("pmem", SECRET), "give it as the old one", 403},
	{"unlocked", ACTION("SetMasterPassphrase"), BODY("pmem", SECRET), "disable that first",
	 409},
	{"unlocked", ACTION("OverwriteUnit"), "{\"RegionId\":\"all\"}", "disable the passphrase",
	 409},
};

START_TEST(a_state_in_which_the_device_would_refuse_is_refused_before_the_job)
{
	show_state(by_state[_i].state);
	ck_assert_uint_eq(act(by_state[_i].uri, by_state[_i].body), by_state[_i].status);
	expect_text(0, "ChangeRefused", by_state[_i].text);
	expect_changes(NULL, 0);
}
END_TEST

/* ---- what is refused --------------------------------------------------------------------------
 */

static const struct {
	const char *uri, *body, *key, *text;
} wrong[] = {
	{ACTION("SetPassphrase"), "{\"RegionId\":\"pmem\"}", "ActionParameterMissing",
	 "Passphrase"},
	{ACTION("SetPassphrase"), "{\"Passphrase\":\"" SECRET "\"}", "ActionParameterMissing",
	 "RegionId"},
	{ACTION("SetPassphrase"), BODY("pmem", ""), "StringValueTooShort", NULL},
	{ACTION("SetPassphrase"), BODY("ram", SECRET), "ActionParameterValueNotInList", "RegionId"},
	/* The two in each other's place. */
	{ACTION("UnlockUnit"), BODY(SECRET, "pmem"), "ActionParameterValueNotInList", "****"},
	{ACTION("UnlockUnit"), "{\"RegionId\":[\"" SECRET "\"],\"Passphrase\":\"a\"}",
	 "ActionParameterValueTypeError", "****"},
	{ACTION("UnlockUnit"), "{\"RegionId\":\"pmem\",\"Passphrase\":[\"" SECRET "\"]}",
	 "ActionParameterValueTypeError", "****"},
	{ACTION("UnlockUnit"), "{\"RegionId\":\"pmem\",\"Passphrase\":{\"a\":\"" SECRET "\"}}",
	 "ActionParameterValueTypeError", "****"},
	{ACTION("UnlockUnit"), "{\"RegionId\":\"pmem\",\"Passphrase\":null}",
	 "ActionParameterValueTypeError", "****"},
	{ACTION("UnlockUnit"), "{\"RegionId\":\"pmem\",\"Passphrase\":\"" SECRET "\",\"More\":1}",
	 "ActionParameterUnknown", "More"},
	{ACTION("UnlockUnit"), BODY("pmem", SECRET "\\u0000x"), "MalformedJSON", NULL},
	{ACTION("UnlockUnit"), BODY("pmem", SECRET "\xff"), "MalformedJSON", NULL},
	{ACTION("UnlockUnit"), "{\"RegionId\":\"pmem\",\"Passphrase\":\"" SECRET "\"",
	 "MalformedJSON", NULL},
	{ACTION("UnlockUnit"), "[\"" SECRET "\"]", "UnrecognizedRequestBody", NULL},
	{ACTION("UnlockUnit"), "", "MalformedJSON", NULL},
	{ACTION("SetPassphrase"),
	 "{\"RegionId\":\"pmem\",\"Passphrase\":\"a\",\"Oem\":{\"CXLHost\":{\"OldPassphrase\":["
	 "\"" SECRET "\"]}}}",
	 "ActionParameterValueTypeError", "****"},
	{ACTION("SetPassphrase"),
	 "{\"RegionId\":\"pmem\",\"Passphrase\":\"" SECRET
	 "\",\"Oem\":{\"CXLHost\":{\"OldPassphrase\":\"\"}}}",
	 "StringValueTooShort", NULL},
	{ACTION("OverwriteUnit"), BODY("all", SECRET), "ChangeRefused", "takes no passphrase"},
	{ACTION("OverwriteUnit"), BODY("pmem", SECRET), "ActionParameterValueNotInList",
	 "RegionId"},
	{ACTION("SecureEraseUnit"), BODY("all", SECRET), "ChangeRefused", "takes no passphrase"},
	{ACTION("SecureEraseUnit"), "{\"RegionId\":\"pmem\"}", "ActionParameterMissing",
	 "Passphrase"},
	{ACTION("FreezeSecurityState"), BODY("pmem", SECRET), "ActionParameterUnknown", NULL},
};

START_TEST(a_wrong_body_is_refused_without_what_is_secret)
{
	ck_assert_msg(act(wrong[_i].uri, wrong[_i].body) == 400, "%u: %s", mf.f.res.status,
		      mf.f.res.body->bytes);
	expect_text(0, wrong[_i].key, wrong[_i].text);
	expect_changes(NULL, 0);
	expect_nowhere("horse");
	expect_nowhere("battery");
}
END_TEST

START_TEST(a_change_that_fails_is_answered_without_the_passphrase)
{
	(void)change_result_set(&mf.result, EKEYREJECTED, CHANGE_REFUSED,
				"mem2 rejects the passphrase");
	ck_assert_uint_eq(act(ACTION("UnlockUnit"), BODY("pmem", SECRET)), 403);
	expect_text(0, "ChangeRefused", "mem2 rejects the passphrase");
	expect_nowhere("horse");
}
END_TEST

static int no_secret(void *userdata, const struct audit_record *record)
{
	size_t *n = userdata;

	ck_assert_ptr_null(memmem(record, sizeof(*record), "horse", strlen("horse")));
	(*n)++;
	return 0;
}

START_TEST(the_audit_log_has_the_request_and_not_the_passphrase)
{
	const struct audit_page all = {.max = 100};
	size_t n = 0;

	show_state("disabled");
	ck_assert_uint_eq(act(ACTION("SetPassphrase"), BODY("pmem", SECRET)), 204);
	ck_assert_uint_eq(act(ACTION("UnlockUnit"), BODY(SECRET, SECRET)), 400);
	ck_assert_int_eq(audit_read(mf.f.service->audit, &all, no_secret, &n, NULL), 0);
	ck_assert_uint_eq(n, 2);
}
END_TEST

/* ---- where the actions are --------------------------------------------------------------------
 */

static bool is_shown(const char *uri)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "Actions/#%s/target", strrchr(uri, '/') + 1);
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	return at(&mf.f, path);
}

/* Fails the test unless it is shown with its ActionInfo, or is 405 with that reason. */
static void expect_action(const char *uri, const char *info, const char *reason)
{
	ck_assert_int_eq(is_shown(uri), !reason);
	if (info)
		ck_assert_uint_eq(get(&mf.f, info), reason ? 404 : 200);
	ck_assert_uint_eq(change_memory(METHOD_OPTIONS, uri, NULL, NULL), 204);
	ck_assert_str_eq(mf.f.res.body->allow, reason ? "OPTIONS" : "POST");
	if (!reason)
		return;
	ck_assert_uint_eq(act(uri, BODY("pmem", SECRET)), 405);
	expect_text(0, "NotChangeable", reason);
	expect_changes(NULL, 0);
}

static void expect_all(const char *of_passphrases, const char *of_erasing)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		expect_action(actions[i].uri, actions[i].info,
			      actions[i].of_all ? of_erasing : of_passphrases);
	expect_action(ACTION("FreezeSecurityState"), NULL, of_passphrases);
	expect_action(ACTION("OverwriteUnit"), MEM2 "/OverwriteUnitActionInfo", of_erasing);
}

START_TEST(the_actions_are_where_they_are_allowed_and_possible)
{
	expect_all(NULL, NULL);
	allow_changes(&mf.f, ALLOW_HOST & ~(unsigned int)ALLOW_SECURITY, ALLOW_HOST);
	expect_all("--allow=security", "--allow=security");
	allow_changes(&mf.f, ALLOW_HOST, ALLOW_HOST & ~(unsigned int)ALLOW_SECURITY);
	expect_all("cxl-redfish-change-helper", "cxl-redfish-change-helper");
	allow_changes(&mf.f, ALLOW_SECURITY, ALLOW_HOST);
	mf.security = (struct memdev_security){"disabled", false};
	show_memory();
	expect_all("cxl_pmem", NULL);
	mf.security = (struct memdev_security){0};
	show_memory();
	expect_all("cxl_pmem", "no security state");
}
END_TEST

START_TEST(an_action_that_is_not_possible_leaves_the_others)
{
	allow_changes(&mf.f, 0, 0);
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_ptr_nonnull(at(&mf.f, "Actions/Oem/#CXLHostMemory.TranslateDPA/target"));
	ck_assert_uint_eq(post(&mf.f, MEM2 "/Actions/Oem/CXLHostMemory.TranslateDPA",
			       "{\"DevicePhysicalAddress\":\"0x40\"}"),
			  200);
}
END_TEST

START_TEST(an_action_needs_if_match)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		ck_assert_uint_eq(
			change_memory(METHOD_POST, actions[i].uri, NULL, BODY("pmem", SECRET)),
			428);
	ck_assert_uint_eq(
		change_memory(METHOD_POST, ACTION("OverwriteUnit"), MEM0, "{\"RegionId\":\"all\"}"),
		412);
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(an_action_info_has_the_parameters_and_the_regions)
{
	ck_assert_uint_eq(get(&mf.f, MEM2 "/SecureEraseUnitActionInfo"), 200);
	ck_assert_str_eq(at(&mf.f, "Parameters/0/Name"), "RegionId");
	ck_assert_str_eq(at(&mf.f, "Parameters/0/AllowableValues/0"), "pmem");
	ck_assert_str_eq(at(&mf.f, "Parameters/0/AllowableValues/1"), "all");
	ck_assert_str_eq(at(&mf.f, "Parameters/1/Required"), "false");
	ck_assert_uint_eq(get(&mf.f, MEM2 "/OverwriteUnitActionInfo"), 200);
	ck_assert_str_eq(at(&mf.f, "Parameters/0/AllowableValues/0"), "all");
	ck_assert_str_eq(at(&mf.f, "Parameters/1/Required"), "false");
	ck_assert_uint_eq(get(&mf.f, MEM2 "/SetPassphraseActionInfo"), 200);
	ck_assert_str_eq(at(&mf.f, "Parameters/1/Required"), "true");
	ck_assert_str_eq(at(&mf.f, "Parameters/2/Name"), "Oem");
}
END_TEST

/* ---- memory -----------------------------------------------------------------------------------
 */

static atomic_bool watching;
static atomic_uint freed, with_secret;

void __wrap_free(void *p);
void __real_free(void *p);

/* In place of free() for all that the service frees: the linker does that (local.mk). */
void __wrap_free(void *p)
{
	if (p && atomic_load(&watching)) {
		atomic_fetch_add(&freed, 1);
		if (memmem(p, malloc_usable_size(p), "horse", strlen("horse")))
			atomic_fetch_add(&with_secret, 1);
	}
	__real_free(p);
}

static void expect_wiped(const char *uri, const char *body)
{
	atomic_store(&freed, 0);
	atomic_store(&with_secret, 0);
	atomic_store(&watching, true);
	(void)act(uri, body);
	/* A job frees its state after the reply. */
	(void)service_stop(mf.f.service, WAIT_MAX_MS);
	atomic_store(&watching, false);
	ck_assert_uint_gt(atomic_load(&freed), 10);
	ck_assert_uint_eq(atomic_load(&with_secret), 0);
}

START_TEST(no_memory_that_a_request_frees_has_the_passphrase)
{
	show_state("disabled");
	expect_wiped(ACTION("SetPassphrase"), BODY("pmem", SECRET));
	ck_assert_uint_eq(mf.f.res.status, 204);
}
END_TEST

START_TEST(no_memory_that_a_refused_request_frees_has_the_passphrase)
{
	expect_wiped(wrong[_i].uri, wrong[_i].body);
	ck_assert_uint_eq(mf.f.res.status, 400);
}
END_TEST

/* Memory that jansson frees by itself is not seen by __wrap_free(): it must free by a function that
 * wipes. */
START_TEST(the_parser_frees_by_what_overwrites)
{
	json_malloc_t allocating;
	json_free_t freeing;
	char *p = strdup("a horse");

	ck_assert_ptr_nonnull(p);
	json_get_alloc_funcs(&allocating, &freeing);
	atomic_store(&freed, 0);
	atomic_store(&with_secret, 0);
	atomic_store(&watching, true);
	freeing(p);
	atomic_store(&watching, false);
	ck_assert_uint_eq(atomic_load(&freed), 1);
	ck_assert_uint_eq(atomic_load(&with_secret), 0);
}
END_TEST

/* So that those before this can fail. */
START_TEST(memory_that_is_not_overwritten_is_noticed)
{
	char *p = strdup("a horse");

	ck_assert_ptr_nonnull(p);
	atomic_store(&with_secret, 0);
	atomic_store(&watching, true);
	free(p);
	atomic_store(&watching, false);
	ck_assert_uint_eq(atomic_load(&with_secret), 1);
}
END_TEST

/* ---- roles ------------------------------------------------------------------------------------
 */

static struct accounts_fixture accounts;
static char token[TOKEN_CHARS];

static void start_with_accounts(void)
{
	start_accounts(&accounts, "check_memory_actions");
	start_memory(accounts.accounts);
}

static void stop_with_accounts(void)
{
	stop_memory();
	stop_accounts(&accounts);
}

#define POISON(name) MEM2 "/Actions/Oem/CXLHostMemory." name

static const struct {
	enum http_method method;
	const char *uri, *of, *body;
	unsigned int status; /* for who may */
} writes[] = {
	{METHOD_PATCH, MEM2, MEM2, "{\"Enabled\":false}", 200},
	{METHOD_PATCH, MEM2_METRICS, MEM2_METRICS,
	 "{\"Oem\":{\"CXLHost\":{\"Alerts\":{\"OverTemperatureCelsius\":{\"Valid\":true}}}}}", 200},
	{METHOD_POST, ACTION("SetPassphrase"), MEM2, BODY("pmem", SECRET), 204},
	{METHOD_POST, ACTION("OverwriteUnit"), MEM2, "{\"RegionId\":\"all\"}", 204},
	{METHOD_POST, ACTION("FreezeSecurityState"), MEM2, "{}", 204},
	{METHOD_POST, ACTION("InjectPersistentPoison"), MEM2,
	 "{\"PhysicalAddress\":\"0x40000000\"}", 204},
	{METHOD_POST, POISON("InjectPoison"), MEM2, "{\"DevicePhysicalAddress\":\"0x40\"}", 204},
	{METHOD_POST, POISON("ClearPoison"), MEM2, "{\"DevicePhysicalAddress\":\"0x40\"}", 204},
};

static void send_all(bool may)
{
	show_state("disabled");
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		const unsigned int status = change_memory(writes[i].method, writes[i].uri,
							  writes[i].of, writes[i].body);

		ck_assert_msg(status == (may ? writes[i].status : 403), "%s: %u", writes[i].uri,
			      status);
	}
	ck_assert_uint_eq(mf.n_made, may ? ARRAY_SIZE(writes) : 0);
	mf.n_made = 0;
}

START_TEST(who_may_configure_components_may_change_devices)
{
	mf.token = log_in(&mf.f, "ops", "Operator", token);
	send_all(true);
	mf.token = log_in(&mf.f, "reader", "ReadOnly", token);
	send_all(false);
	mf.token = NULL;
}
END_TEST

SUITE(check_memory_actions)
{
	Suite *s = suite_create("memory actions");
	TCase *t = tcase_create("passphrases"), *a = tcase_create("accounts");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, start_all, stop_memory);
	tcase_add_loop_test(t, an_action_is_one_change_with_the_passphrase, 0, ARRAY_SIZE(actions));
	tcase_add_test(t, a_passphrase_is_replaced_by_another_one);
	tcase_add_test(t, the_longest_passphrase_is_taken_and_a_longer_one_is_not);
	tcase_add_test(t, freezing_and_erasing_all_take_no_passphrase);
	tcase_add_loop_test(t, a_state_in_which_the_device_would_refuse_is_refused_before_the_job,
			    0, ARRAY_SIZE(by_state));
	tcase_add_loop_test(t, a_wrong_body_is_refused_without_what_is_secret, 0,
			    ARRAY_SIZE(wrong));
	tcase_add_test(t, a_change_that_fails_is_answered_without_the_passphrase);
	tcase_add_test(t, the_audit_log_has_the_request_and_not_the_passphrase);
	tcase_add_test(t, the_actions_are_where_they_are_allowed_and_possible);
	tcase_add_test(t, an_action_that_is_not_possible_leaves_the_others);
	tcase_add_test(t, an_action_needs_if_match);
	tcase_add_test(t, an_action_info_has_the_parameters_and_the_regions);
	tcase_add_test(t, no_memory_that_a_request_frees_has_the_passphrase);
	tcase_add_loop_test(t, no_memory_that_a_refused_request_frees_has_the_passphrase, 0,
			    ARRAY_SIZE(wrong));
	tcase_add_test(t, the_parser_frees_by_what_overwrites);
	tcase_add_test(t, memory_that_is_not_overwritten_is_noticed);
	suite_add_tcase(s, t);
	tcase_set_timeout(a, 60);
	tcase_add_checked_fixture(a, start_with_accounts, stop_with_accounts);
	tcase_add_test(a, who_may_configure_components_may_change_devices);
	suite_add_tcase(s, a);
	return s;
}
