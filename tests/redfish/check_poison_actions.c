// SPDX-License-Identifier: LGPL-2.1-or-later
/* Actions of Memory that inject and clear poison, by DPA and by SPA. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "tests/lib/memory_fixture.h"
#include "tests/lib/suites.h"

#define OEM(name)  "/Actions/Oem/CXLHostMemory." name
#define INJECT	   MEM2 OEM("InjectPoison")
#define CLEAR	   MEM2 OEM("ClearPoison")
#define PERSISTENT MEM2 "/Actions/Memory.InjectPersistentPoison"
#define DPA(text)  "{\"DevicePhysicalAddress\":\"" text "\"}"
#define SPA(text)  "{\"SystemPhysicalAddress\":\"" text "\"}"

static void start_all(void)
{
	start_memory(NULL);
}

static unsigned int act(const char *uri, const char *body)
{
	return change_memory(METHOD_POST, uri, MEM2, body);
}

static struct change poison_of(enum change_kind kind, uint64_t dpa, uint64_t length)
{
	struct change c = expected_change(kind);

	c.poison = (struct change_poison){.address = dpa, .length = length};
	return c;
}

START_TEST(poison_is_injected_and_cleared_by_dpa)
{
	struct change c = poison_of(CHANGE_POISON_INJECT, 0x40, 64);

	ck_assert_uint_eq(act(INJECT, DPA("0x40")), 204);
	expect_changes(&c, 1);
	c = poison_of(CHANGE_POISON_CLEAR, 0, 64);
	ck_assert_uint_eq(act(CLEAR, DPA("0")), 204);
	expect_changes(&c, 1);
	c = poison_of(CHANGE_POISON_CLEAR, 0x7fffffc0, 64);
	ck_assert_uint_eq(act(CLEAR, DPA("0x7FFFFFC0")), 204);
	expect_changes(&c, 1);
	c = poison_of(CHANGE_POISON_CLEAR, 0x1000, 4096);
	ck_assert_uint_eq(act(CLEAR, "{\"DevicePhysicalAddress\":\"0x1000\",\"LengthBytes\":4096}"),
			  204);
	expect_changes(&c, 1);
}
END_TEST

/* SPAs of region0 are on mem0 and mem1 in turn, 256 bytes each, from the start of the window on. */
START_TEST(an_spa_is_translated_and_must_be_of_this_device)
{
	struct change c;

	ck_assert_uint_eq(
		change_memory(METHOD_POST, MEM0 OEM("InjectPoison"), MEM0, SPA("0x1000000240")),
		204);
	c = poison_of(CHANGE_POISON_INJECT, 0x140, 64);
	c.identity = 0xabc0;
	(void)snprintf(c.object, sizeof(c.object), "mem0");
	expect_changes(&c, 1);
	ck_assert_uint_eq(
		change_memory(METHOD_POST, MEM0 OEM("ClearPoison"), MEM0, SPA("0x1000000100")),
		400);
	expect_text(0, "ChangeRefused", "SPA 0x1000000100 is in mem1, not in mem0");
	ck_assert_uint_eq(act(CLEAR, SPA("0x1000")), 409);
	expect_text(0, "ChangeRefused", "has no exact DPA");
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(an_spa_that_has_no_exact_dpa_is_refused_with_the_reason)
{
	model_normalize(mf.f.region);
	show_memory();
	ck_assert_uint_eq(
		change_memory(METHOD_POST, MEM0 OEM("InjectPoison"), MEM0, SPA("0x1000000240")),
		409);
	expect_text(0, "ChangeRefused", "SPA 0x1000000240 has no exact DPA: ");
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(the_standard_action_takes_persistent_addresses_only)
{
	const struct change c = poison_of(CHANGE_POISON_INJECT, 0x40000000, 64);

	ck_assert_uint_eq(act(PERSISTENT, "{\"PhysicalAddress\":\"0x40000000\"}"), 204);
	expect_changes(&c, 1);
	ck_assert_uint_eq(act(PERSISTENT, "{\"PhysicalAddress\":\"0x3fffffc0\"}"), 400);
	expect_text(0, "ChangeRefused", "is volatile memory");
	mf.f.memdevs[2]->ram_size = (struct opt_u64){0};
	show_memory();
	ck_assert_uint_eq(act(PERSISTENT, "{\"PhysicalAddress\":\"0x40000000\"}"), 500);
	expect_text(0, "ChangeRefused", "is not known");
	expect_changes(NULL, 0);
}
END_TEST

static const struct {
	const char *uri, *body;
	const char *key, *text;
} wrong[] = {
	{INJECT, DPA("0x41"), "ChangeRefused", "0x41 is not the start of one"},
	{INJECT, DPA("0x20"), "ChangeRefused", "lines of 64 bytes"},
	{INJECT, DPA("0x80000000"), "ChangeRefused", "beyond its capacity of 0x80000000"},
	{INJECT, DPA("0xffffffffffffffc0"), "ChangeRefused", "beyond its capacity"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x7fffffc0\",\"LengthBytes\":128}", "ChangeRefused",
	 "128 bytes from DPA 0x7fffffc0 on are beyond"},
	{INJECT, DPA("64"), "ActionParameterValueFormatError", "64"},
	{INJECT, DPA(""), "ActionParameterValueFormatError", NULL},
	{INJECT, DPA("0x"), "ActionParameterValueFormatError", "0x"},
	{INJECT, DPA("0x10000000000000000"), "ActionParameterValueFormatError", NULL},
	{INJECT, "{\"DevicePhysicalAddress\":64}", "ActionParameterValueTypeError", "64"},
	{INJECT, "{\"DevicePhysicalAddress\":null}", "ActionParameterValueTypeError", "null"},
	{INJECT, "{}", "ActionParameterMissing", "DevicePhysicalAddress"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"SystemPhysicalAddress\":\"0x40\"}",
	 "ChangeRefused", "two addresses"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"LengthBytes\":0}",
	 "ActionParameterValueError", "LengthBytes"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"LengthBytes\":100}", "ChangeRefused",
	 "100 is no multiple"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"LengthBytes\":262208}",
	 "ActionParameterValueError", "LengthBytes"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"LengthBytes\":-64}",
	 "ActionParameterValueError", "LengthBytes"},
	{INJECT, "{\"SystemPhysicalAddress\":\"0x1000000240\",\"LengthBytes\":128}",
	 "ChangeRefused", "an SPA is one line"},
	{INJECT, "{\"DevicePhysicalAddress\":\"0x40\",\"Other\":1}", "ActionParameterUnknown",
	 "Other"},
	{PERSISTENT, DPA("0x40000000"), "ActionParameterUnknown", "DevicePhysicalAddress"},
	{PERSISTENT, "{\"PhysicalAddress\":\"0x40000001\"}", "ChangeRefused", "not the start"},
};

START_TEST(a_wrong_address_is_refused_with_the_numbers)
{
	ck_assert_msg(act(wrong[_i].uri, wrong[_i].body) == 400, "%u: %s", mf.f.res.status,
		      mf.f.res.body->bytes);
	expect_text(0, wrong[_i].key, wrong[_i].text);
	expect_changes(NULL, 0);
}
END_TEST

static void expect_absent(const char *reason)
{
	static const char *const uris[] = {INJECT, CLEAR, PERSISTENT};
	static const char *const bodies[] = {DPA("0x40"), DPA("0x40"),
					     "{\"PhysicalAddress\":\"0x40000000\"}"};

	for (size_t i = 0; i < ARRAY_SIZE(uris); i++) {
		ck_assert_uint_eq(act(uris[i], bodies[i]), 405);
		expect_text(0, "NotChangeable", reason);
		ck_assert_str_eq(mf.f.res.body->allow, "OPTIONS");
	}
	expect_changes(NULL, 0);
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_ptr_null(value_at(&mf.f, "Actions/Oem/#CXLHostMemory.InjectPoison"));
	ck_assert_ptr_null(value_at(&mf.f, "Actions/#Memory.InjectPersistentPoison"));
	ck_assert_uint_eq(get(&mf.f, MEM2 "/Oem/CXLHost/InjectPoisonActionInfo"), 404);
	ck_assert_uint_eq(get(&mf.f, MEM2 "/Oem/CXLHost/ClearPoisonActionInfo"), 404);
	ck_assert_uint_eq(get(&mf.f, MEM2 "/InjectPersistentPoisonActionInfo"), 404);
}

START_TEST(poison_is_only_where_it_is_allowed)
{
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_ptr_nonnull(value_at(&mf.f, "Actions/Oem/#CXLHostMemory.InjectPoison"));
	ck_assert_ptr_nonnull(value_at(&mf.f, "Actions/#Memory.InjectPersistentPoison"));
	ck_assert_uint_eq(get(&mf.f, MEM2 "/Oem/CXLHost/InjectPoisonActionInfo"), 200);
	ck_assert_str_eq(at(&mf.f, "Parameters/0/Name"), "DevicePhysicalAddress");
	ck_assert_uint_eq(get(&mf.f, MEM2 "/InjectPersistentPoisonActionInfo"), 200);
	ck_assert_str_eq(at(&mf.f, "Parameters/0/Name"), "PhysicalAddress");
	allow_changes(&mf.f, ALLOW_HOST & ~(unsigned int)ALLOW_POISON, ALLOW_HOST);
	expect_absent("--allow=poison");
	allow_changes(&mf.f, ALLOW_POISON, 0);
	expect_absent("does not answer");
}
END_TEST

START_TEST(poison_needs_if_match)
{
	ck_assert_uint_eq(change_memory(METHOD_POST, INJECT, NULL, DPA("0x40")), 428);
	ck_assert_uint_eq(change_memory(METHOD_POST, INJECT, MEM0, DPA("0x40")), 412);
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(what_the_device_refuses_is_the_answer)
{
	(void)change_result_set(&mf.result, EOPNOTSUPP, CHANGE_REFUSED,
				"the device does not support the command");
	ck_assert_uint_eq(act(INJECT, DPA("0x40")), 400);
	expect_text(0, "ChangeRefused", "the device does not support the command");
}
END_TEST

SUITE(check_poison_actions)
{
	Suite *s = suite_create("poison actions");
	TCase *t = tcase_create("poison");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, start_all, stop_memory);
	tcase_add_test(t, poison_is_injected_and_cleared_by_dpa);
	tcase_add_test(t, an_spa_is_translated_and_must_be_of_this_device);
	tcase_add_test(t, an_spa_that_has_no_exact_dpa_is_refused_with_the_reason);
	tcase_add_test(t, the_standard_action_takes_persistent_addresses_only);
	tcase_add_loop_test(t, a_wrong_address_is_refused_with_the_numbers, 0, ARRAY_SIZE(wrong));
	tcase_add_test(t, poison_is_only_where_it_is_allowed);
	tcase_add_test(t, poison_needs_if_match);
	tcase_add_test(t, what_the_device_refuses_is_the_answer);
	suite_add_tcase(s, t);
	return s;
}
