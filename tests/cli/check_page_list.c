// SPDX-License-Identifier: LGPL-2.1-or-later
/* cxl-spa page import: lists that are malformed or too long, and the database beside the service.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "cli/page_list.h"
#include "common/array.h"
#include "tests/lib/suites.h"

#define ENTRY "{\"device\":\"cxl-000000000000abc0\",\"dpa\":\"0x1000\""

static char directory[64], path[96];
static struct state *service;
static struct error error;
static struct remembered_pages list;
static const struct host no_devices;

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_page_list.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
}

static void teardown(void)
{
	char command[96];

	service = state_free(service);
	remembered_pages_done(&list);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static int parse(const char *text)
{
	return page_list_parse(text, strlen(text), &no_devices, &list, &error);
}

START_TEST(a_list_has_what_is_kept_over_machines)
{
	ck_assert_int_eq(parse("{\"remembered\":[" ENTRY
			       ",\"serial\":\"0xabc0\",\"length\":128,\"cause\":\"automatic\","
			       "\"mode\":\"hard\",\"incident\":7,\"id\":3,"
			       "\"created\":\"1970-01-01T00:00:01.000000009Z\","
			       "\"only_free\":true,"
			       "\"state\":\"out\"}," ENTRY "}]}"),
			 0);
	ck_assert_uint_eq(list.n, 2);
	ck_assert_str_eq(list.items[0].device, "cxl-000000000000abc0");
	ck_assert_uint_eq(list.items[0].serial, 0xabc0);
	ck_assert_uint_eq(list.items[0].dpa, 0x1000);
	ck_assert_uint_eq(list.items[0].length, 128);
	ck_assert_uint_eq(list.items[0].cause, PAGE_BY_POLICY);
	ck_assert_uint_eq(list.items[0].incident, 7);
	ck_assert_uint_eq(list.items[0].created_ns, 1000000009);
	ck_assert_uint_eq(list.items[0].state, REMEMBERED_KNOWN);
	ck_assert(list.items[0].hard);
	ck_assert(list.items[0].only_free && !list.items[1].only_free);
	ck_assert_uint_eq(list.items[1].length, REMEMBERED_LINE);
}
END_TEST

START_TEST(a_range_of_several_pages_is_an_entry_for_each)
{
	ck_assert_int_eq(parse("{\"remembered\":[{\"device\":\"cxl-0\",\"dpa\":\"0x10c0\","
			       "\"length\":384,\"mode\":\"hard\"}]}"),
			 0);
	ck_assert_uint_eq(list.n, 3);
	ck_assert_uint_eq(list.items[0].dpa, 0x10c0);
	ck_assert_uint_eq(list.items[0].length, 64);
	ck_assert_uint_eq(list.items[1].dpa, 0x1100);
	ck_assert_uint_eq(list.items[1].length, 256);
	ck_assert_uint_eq(list.items[2].dpa, 0x1200);
	ck_assert_uint_eq(list.items[2].length, 64);
	ck_assert(list.items[2].hard);
}
END_TEST

static const struct {
	const char *text, *reason;
} malformed[] = {
	{"", "no JSON"},
	{"mem0 0x1000\n", "no JSON"},
	{"[]", "no list"},
	{"{\"remembered\":{}}", "no list"},
	{"{\"remembered\":[],\"remembered\":[]}", "no JSON"},
	{"{\"remembered\":[1]}", "entry 1: it must be an object"},
	{"{\"remembered\":[" ENTRY ",\"length\":63}]}",
	 "entry 1: length must be a multiple of 64 from 64 to 4096"},
	{"{\"remembered\":[" ENTRY "}," ENTRY ",\"length\":0}]}",
	 "entry 2: length must be a multiple of 64"},
	{"{\"remembered\":[" ENTRY ",\"length\":-64}]}",
	 "entry 1: length must be a multiple of 64"},
	{"{\"remembered\":[" ENTRY ",\"length\":4160}]}",
	 "from 64 to 4096, or null for 64: split a longer range up"},
	{"{\"remembered\":[" ENTRY ",\"length\":\"64\"}]}", "entry 1: length must be"},
	{"{\"remembered\":[" ENTRY ",\"cause\":\"foo\"}]}",
	 "entry 1: cause must be \"manual\" or \"automatic\""},
	{"{\"remembered\":[" ENTRY ",\"cause\":7}]}", "entry 1: cause must be"},
	{"{\"remembered\":[" ENTRY ",\"mode\":\"bar\"}]}",
	 "entry 1: mode must be \"soft\" or \"hard\""},
	{"{\"remembered\":[" ENTRY "}," ENTRY ",\"mode\":null}]}", "entry 2: mode must be"},
	{"{\"remembered\":[" ENTRY ",\"only_free\":1}]}",
	 "entry 1: only_free must be true or false"},
	{"{\"remembered\":[" ENTRY ",\"incident\":-1}]}",
	 "entry 1: incident must be a whole number of 0 or more, or null"},
	{"{\"remembered\":[" ENTRY ",\"incident\":1.5}]}", "entry 1: incident must be"},
	{"{\"remembered\":[" ENTRY ",\"created\":9}]}", "entry 1: created must be a time"},
	{"{\"remembered\":[" ENTRY ",\"created\":\"soon\"}]}", "entry 1: created must be a time"},
	{"{\"remembered\":[" ENTRY ",\"serial\":7}]}",
	 "entry 1: serial must be a text of a hexadecimal number"},
	{"{\"remembered\":[" ENTRY ",\"serial\":\"0x9999\"}]}",
	 "entry 1: serial must be \"0xabc0\" or null, as device is cxl-000000000000abc0: \"0x9999\" is of another device"},
	{"{\"remembered\":[" ENTRY ",\"serial\":\"0x0\"}]}",
	 "entry 1: serial must be \"0xabc0\" or null"},
	{"{\"remembered\":[{\"device\":\"0000-0d-00.0\",\"dpa\":\"0x0\",\"serial\":\"0x7\"}]}",
	 "entry 1: serial must be null, as device 0000-0d-00.0 is not named by one"},
	{"{\"remembered\":[{\"device\":\"../../etc\",\"dpa\":\"0x0\"}]}",
	 "entry 1: device must be the identifier of a device"},
	{"{\"remembered\":[{\"device\":\"0000:0d:00.0\",\"dpa\":\"0x0\"}]}",
	 "entry 1: device must be"},
	{"{\"remembered\":[{\"dpa\":\"0x0\"}]}", "entry 1: device must be"},
	{"{\"remembered\":[{\"device\":\"cxl-0\",\"dpa\":\"0x1\"}]}",
	 "entry 1: dpa must be a text of a hexadecimal number, a multiple of 64"},
	{"{\"remembered\":[{\"device\":\"cxl-0\",\"dpa\":\"0xffffffffffffffc0\"}]}",
	 "entry 1: dpa must be"},
	{"{\"remembered\":[{\"device\":\"cxl-0\",\"dpa\":4096}]}", "entry 1: dpa must be"},
	{"{\"remembered\":[{\"device\":\"cxl-0\"}]}", "entry 1: dpa must be"},
	{"{\"remembered\":[{\"device\":\"cxl-0\",\"dpa\":null}]}", "entry 1: dpa must be"},
};

START_TEST(a_malformed_list_is_refused)
{
	ck_assert_int_eq(parse(malformed[_i].text), -EINVAL);
	ck_assert_msg(strstr(error.text, malformed[_i].reason) != NULL, "%s", error.text);
}
END_TEST

START_TEST(a_number_that_is_null_is_absent)
{
	ck_assert_int_eq(parse("{\"remembered\":[" ENTRY ",\"serial\":null,\"length\":null,"
			       "\"incident\":null,\"created\":null}]}"),
			 0);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.items[0].length, REMEMBERED_LINE);
	ck_assert_uint_eq(list.items[0].serial, 0);
	ck_assert_uint_eq(list.items[0].incident, 0);
	ck_assert_uint_eq(list.items[0].created_ns, 0);
}
END_TEST

/* A device of 0x10000 bytes, and one of another machine. */
START_TEST(an_address_is_within_the_device_of_this_host)
{
	static const struct memdev memdev = {.name = "mem0",
					     .serial = {.present = true, .value = 0xabc0},
					     .ram_size = {.present = true, .value = 0x8000},
					     .pmem_size = {.present = true, .value = 0x8000}};
	static const struct memdev *const memdevs[] = {&memdev};
	const struct host host = {.memdevs = memdevs, .n_memdevs = 1};
	static const struct {
		const char *device, *dpa;
		int result;
	} rows[] = {
		{"cxl-000000000000abc0", "0xff80", 0},
		{"cxl-000000000000abc0", "0xffc0", -EINVAL},
		{"cxl-000000000000abc0", "0x10000", -EINVAL},
		{"cxl-000000000000abc1", "0x10000", 0},
	};
	char text[160];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)snprintf(
			text, sizeof(text),
			"{\"remembered\":[{\"device\":\"%s\",\"dpa\":\"%s\",\"length\":128}]}",
			rows[i].device, rows[i].dpa);
		ck_assert_int_eq(page_list_parse(text, strlen(text), &host, &list, &error),
				 rows[i].result);
		ck_assert(rows[i].result == 0 ||
			  strstr(error.text,
				 "entry 1: dpa and length must be within the 0x10000 bytes of "
				 "device cxl-000000000000abc0"));
	}
}
END_TEST

START_TEST(a_list_of_a_million_pages_is_refused)
{
	const size_t n = 1000000, entry = strlen("[],") + 1;
	char *text = malloc(n * entry + 64), *at = text;

	ck_assert_ptr_nonnull(text);
	at += sprintf(at, "{\"remembered\":[");
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, "[],");
	(void)sprintf(at, "[]]}");
	ck_assert_int_eq(parse(text), -E2BIG);
	ck_assert_uint_eq(list.n, 0);
	free(text);
}
END_TEST

/* Each has 16 pages. */
START_TEST(ranges_of_more_pages_than_can_be_remembered_are_refused)
{
	const size_t n = PAGE_LIMIT_TOTAL_MAX / 16 + 1;
	char *text = malloc(n * 64 + 64), *at = text;

	ck_assert_ptr_nonnull(text);
	at += sprintf(at, "{\"remembered\":[");
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, "%s{\"device\":\"cxl-0\",\"dpa\":\"0x%zx\",\"length\":4096}",
			      i ? "," : "", i * 4096);
	(void)sprintf(at, "]}");
	ck_assert_int_eq(parse(text), -E2BIG);
	ck_assert_msg(strstr(error.text, "entry 4097") != NULL, "%s", error.text);
	ck_assert_uint_eq(list.n, PAGE_LIMIT_TOTAL_MAX);
	free(text);
}
END_TEST

static int import_one(struct state *st)
{
	size_t n;

	ck_assert_int_eq(parse("{\"remembered\":[" ENTRY "}]}"), 0);
	return state_import_pages(st, &list, 9, &n, &error);
}

START_TEST(the_service_sees_what_was_imported_beside_it)
{
	struct remembered_pages seen = {0};
	struct state *beside;

	ck_assert_int_eq(state_new(path, &service, &error), 0);
	ck_assert_int_eq(state_new_beside(path, &beside, &error), 0);
	ck_assert_int_eq(import_one(beside), 0);
	(void)state_free(beside);
	ck_assert_int_eq(state_read_pages(service, &seen, &error), 0);
	ck_assert_uint_eq(seen.n, 1);
	ck_assert_int_eq(state_forget_page(service, seen.items[0].id, &error), 0);
	remembered_pages_done(&seen);
}
END_TEST

START_TEST(without_a_service_nothing_is_created)
{
	struct state *beside;

	ck_assert_int_eq(state_new_beside(path, &beside, &error), 0);
	ck_assert_int_eq(import_one(beside), -ENOENT);
	(void)state_free(beside);
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

SUITE(check_page_list)
{
	Suite *s = suite_create("page list");
	TCase *t = tcase_create("lists");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, a_list_has_what_is_kept_over_machines);
	tcase_add_test(t, a_range_of_several_pages_is_an_entry_for_each);
	tcase_add_loop_test(t, a_malformed_list_is_refused, 0, ARRAY_SIZE(malformed));
	tcase_add_test(t, a_number_that_is_null_is_absent);
	tcase_add_test(t, an_address_is_within_the_device_of_this_host);
	tcase_add_test(t, a_list_of_a_million_pages_is_refused);
	tcase_add_test(t, ranges_of_more_pages_than_can_be_remembered_are_refused);
	tcase_add_test(t, the_service_sees_what_was_imported_beside_it);
	tcase_add_test(t, without_a_service_nothing_is_created);
	suite_add_tcase(s, t);
	return s;
}
