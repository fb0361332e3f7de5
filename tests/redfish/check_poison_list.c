// SPDX-License-Identifier: LGPL-2.1-or-later
/* CXLHostMemory.GetPoisonList: what the kernel reports of a list that it was asked to read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "change/client.h"
#include "common/array.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

#define LIST MEM0 "/Actions/Oem/CXLHostMemory.GetPoisonList"

static struct log_fixture l;
static struct change_client *client;
static struct change asked;
static struct change_result result;
static unsigned int n_asked, n_records, handles;
static enum event_type type_of_records;
static const char *device_of_records;

/* The first is exact, the second interleaved over two chunks, of the third nothing is known. */
static void set_answer(unsigned int i, struct event_answer *a)
{
	const uint64_t dpa = UINT64_C(0x1000) * (i + 1), spa = UINT64_C(0x100000) * (i + 1);

	*a = (struct event_answer){.source = SOURCE_DECODER, .has_spa = true, .exact = true};
	a->spa = a->spa_last = spa;
	a->n_extents = 1;
	a->extents[0] = (struct event_extent){dpa, dpa + 127, spa, spa + 127, true};
	if (i == 1) {
		a->n_extents = 2;
		a->extents[0] = (struct event_extent){dpa, dpa + 63, spa, spa + 63, true};
		a->extents[1] =
			(struct event_extent){dpa + 64, dpa + 127, spa + 256, spa + 319, true};
	}
	if (i != 2)
		return;
	*a = (struct event_answer){.source = SOURCE_NONE};
	(void)snprintf(a->reason, sizeof(a->reason), "no region maps it");
}

static void put_poison(unsigned int i, uint64_t kind)
{
	struct stored_event ev;

	log_event(handles++, &ev);
	ev.record.type = type_of_records;
	(void)snprintf(ev.device, sizeof(ev.device), "%s", device_of_records);
	memset(ev.record.bytes, 0, sizeof(ev.record.bytes));
	ev.record.present = UINT64_C(1) << FIELD_DPA | UINT64_C(1) << FIELD_DPA_LENGTH |
			    UINT64_C(1) << FIELD_TRACE_TYPE | UINT64_C(1) << FIELD_SOURCE |
			    UINT64_C(1) << FIELD_FLAGS;
	ev.record.number[FIELD_DPA] = 0x1000 * (i + 1);
	ev.record.number[FIELD_DPA_LENGTH] = 128;
	ev.record.number[FIELD_TRACE_TYPE] = kind;
	ev.record.number[FIELD_SOURCE] = 3;
	ev.record.number[FIELD_FLAGS] = 2;
	set_answer(i, &ev.answer);
	ck_assert_int_eq(store_writer_add(l.writer, &ev), 0);
}

/* As the kernel: the records are there when the write returns, and stored later. */
static int on_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	(void)userdata;
	asked = *call->change;
	n_asked++;
	for (unsigned int i = 0; i < n_records; i++)
		put_poison(i, POISON_TRACE_LIST);
	*ret = result;
	return ret->error;
}

static unsigned int on_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_HOST;
}

static void start_all(void)
{
	static const struct change_client_ops ops = {.run = on_run, .allowed = on_allowed};

	n_asked = n_records = 0;
	type_of_records = EVENT_POISON;
	device_of_records = MEM0_ID;
	result = (struct change_result){0};
	log_init(&l);
	l.f.changes_allowed = (struct changes_allowed){ALLOW_POISON, ALLOW_HOST};
	client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	l.f.service->change_client = client;
	log_ready(&l);
}

static void stop_all(void)
{
	log_done(&l);
	client = change_client_free(client);
}

static unsigned int list(void)
{
	return log_send(&l, METHOD_POST, LIST, "{}");
}

START_TEST(the_records_of_this_reading_are_the_list)
{
	struct change c;

	/* Records of an earlier reading, which are no part of it. */
	put_poison(7, POISON_TRACE_LIST);
	log_wait_stored(&l, 1);
	n_records = 3;
	ck_assert_uint_eq(list(), 200);
	memset(&c, 0, sizeof(c));
	c.kind = CHANGE_POISON_LIST;
	c.identity = 0xabc0;
	(void)snprintf(c.object, sizeof(c.object), "mem0");
	ck_assert_mem_eq(&asked, &c, sizeof(c));
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries")), 3);
	ck_assert_str_eq(at(&l.f, "Entries/0/DevicePhysicalAddress"), "0x1000");
	ck_assert_str_eq(at(&l.f, "Entries/0/DevicePhysicalAddressLast"), "0x107f");
	ck_assert_str_eq(at(&l.f, "Entries/0/Source"), "Injected");
	ck_assert_str_eq(at(&l.f, "Entries/2/DevicePhysicalAddress"), "0x3000");
	ck_assert_str_eq(at(&l.f, "Entries/2/LogEntry/@odata.id"), MEM0_LOG "/Entries/4");
	ck_assert_ptr_nonnull(at(&l.f, "Entries/0/SystemPhysicalAddress"));
	ck_assert_str_eq(at(&l.f, "Overflow"), "true");
	ck_assert_str_eq(at(&l.f, "ScanInProgress"), "false");
}
END_TEST

START_TEST(each_entry_has_its_addresses_or_the_reason)
{
	n_records = 3;
	ck_assert_uint_eq(list(), 200);
	ck_assert_str_eq(at(&l.f, "Entries/0/SystemPhysicalAddress"), "0x100000");
	ck_assert_str_eq(at(&l.f, "Entries/0/SystemPhysicalAddressLast"), "0x10007f");
	ck_assert_str_eq(at(&l.f, "Entries/0/Exact"), "true");
	ck_assert_ptr_nonnull(at(&l.f, "Entries/0/TranslationSource"));
	ck_assert_ptr_null(at(&l.f, "Entries/0/Reason"));
	/* All of it is in the interval. */
	ck_assert_str_eq(at(&l.f, "Entries/1/SystemPhysicalAddress"), "0x200000");
	ck_assert_str_eq(at(&l.f, "Entries/1/SystemPhysicalAddressLast"), "0x20013f");
	ck_assert_str_eq(at(&l.f, "Entries/1/Exact"), "false");
	ck_assert_ptr_nonnull(strstr(at(&l.f, "Entries/1/Reason"), "the log entry"));
	ck_assert_ptr_null(at(&l.f, "Entries/2/SystemPhysicalAddress"));
	ck_assert_str_eq(at(&l.f, "Entries/2/Exact"), "false");
	ck_assert_str_eq(at(&l.f, "Entries/2/Reason"), "no region maps it");
}
END_TEST

static const struct {
	const char *body, *dpas[3];
	int n_without_spa; /* -1: not said */
} parts[] = {
	{"{\"DevicePhysicalAddress\":\"0x1000\"}", {"0x1000"}, -1},
	{"{\"DevicePhysicalAddress\":\"0x107f\"}", {"0x1000"}, -1},
	{"{\"DevicePhysicalAddress\":\"0x1080\"}", {NULL}, -1},
	{"{\"DevicePhysicalAddress\":\"0x1080\",\"LengthBytes\":3969}", {"0x2000"}, -1},
	{"{\"DevicePhysicalAddress\":\"0\",\"LengthBytes\":9223372036854775807}",
	 {"0x1000", "0x2000", "0x3000"},
	 -1},
	{"{\"SystemPhysicalAddress\":\"0x10007f\"}", {"0x1000"}, 1},
	{"{\"SystemPhysicalAddress\":\"0x200040\"}", {NULL}, 1},
	{"{\"SystemPhysicalAddress\":\"0x20013f\"}", {"0x2000"}, 1},
	{"{\"SystemPhysicalAddress\":\"0x100080\",\"LengthBytes\":1048448}", {NULL}, 1},
	{"{\"SystemPhysicalAddress\":\"0x100080\",\"LengthBytes\":1048449}", {"0x2000"}, 1},
	{"{\"SystemPhysicalAddress\":\"0xffffffffffffffff\",\"LengthBytes\":4096}", {NULL}, 1},
};

START_TEST(a_part_of_it_is_what_is_at_the_address)
{
	size_t n = 0;

	n_records = 3;
	ck_assert_msg(log_send(&l, METHOD_POST, LIST, parts[_i].body) == 200, "%.*s",
		      (int)l.f.res.body->len, l.f.res.body->bytes);
	for (; n < 3 && parts[_i].dpas[n]; n++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "Entries/%zu/DevicePhysicalAddress", n);
		ck_assert_ptr_nonnull(at(&l.f, path));
		ck_assert_str_eq(at(&l.f, path), parts[_i].dpas[n]);
	}
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries")), n);
	ck_assert_str_eq(at(&l.f, "Overflow"), "true");
	if (parts[_i].n_without_spa < 0)
		ck_assert_ptr_null(value_at(&l.f, "EntriesWithoutSystemPhysicalAddress"));
	else
		ck_assert_int_eq(
			json_integer_value(value_at(&l.f, "EntriesWithoutSystemPhysicalAddress")),
			parts[_i].n_without_spa);
}
END_TEST

static const struct {
	const char *body, *text;
} wrong[] = {
	{"{\"DevicePhysicalAddress\":\"x\"}", "DevicePhysicalAddress"},
	{"{\"DevicePhysicalAddress\":4096}", "DevicePhysicalAddress"},
	{"{\"DevicePhysicalAddress\":\"0xffffffffff\"}", "beyond its capacity of 0x"},
	{"{\"DevicePhysicalAddress\":\"0\",\"SystemPhysicalAddress\":\"0\"}",
	 "two addresses were given"},
	{"{\"LengthBytes\":64}", "DevicePhysicalAddress"},
	{"{\"SystemPhysicalAddress\":\"0x10\",\"LengthBytes\":0}", "LengthBytes"},
	{"{\"SystemPhysicalAddress\":\"-1\"}", "SystemPhysicalAddress"},
};

START_TEST(a_wrong_address_is_refused_and_nothing_is_read)
{
	ck_assert_uint_eq(log_send(&l, METHOD_POST, LIST, wrong[_i].body), 400);
	ck_assert_msg(strstr(l.f.res.body->bytes, wrong[_i].text), "%.*s", (int)l.f.res.body->len,
		      l.f.res.body->bytes);
	ck_assert_uint_eq(n_asked, 0);
}
END_TEST

START_TEST(its_parameters_are_in_the_action_info)
{
	ck_assert_uint_eq(get(&l.f, MEM0), 200);
	ck_assert_str_eq(at(&l.f, "Actions/Oem/#CXLHostMemory.GetPoisonList/@Redfish.ActionInfo"),
			 MEM0 "/Oem/CXLHost/GetPoisonListActionInfo");
	ck_assert_uint_eq(get(&l.f, MEM0 "/Oem/CXLHost/GetPoisonListActionInfo"), 200);
	ck_assert_str_eq(at(&l.f, "Parameters/0/Name"), "DevicePhysicalAddress");
	ck_assert_str_eq(at(&l.f, "Parameters/1/Name"), "SystemPhysicalAddress");
	ck_assert_str_eq(at(&l.f, "Parameters/2/Name"), "LengthBytes");
	ck_assert_str_eq(at(&l.f, "Parameters/0/Required"), "false");
}
END_TEST

START_TEST(a_device_without_poison_has_an_empty_list)
{
	ck_assert_uint_eq(list(), 200);
	ck_assert_uint_eq(n_asked, 1);
	ck_assert(json_is_array(value_at(&l.f, "Entries")));
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries")), 0);
	ck_assert_str_eq(at(&l.f, "Overflow"), "false");
}
END_TEST

START_TEST(what_others_report_meanwhile_is_not_in_the_list)
{
	n_records = 2;
	device_of_records = MEM1_ID;
	ck_assert_uint_eq(list(), 200);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries")), 0);
	device_of_records = MEM0_ID;
	type_of_records = EVENT_POISON_CLEARED;
	ck_assert_uint_eq(list(), 200);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Entries")), 0);
}
END_TEST

START_TEST(a_list_that_cannot_be_read_is_refused_with_the_reason)
{
	(void)change_result_set(&result, EOPNOTSUPP, CHANGE_REFUSED,
				"the device does not support Get Poison List");
	ck_assert_uint_eq(list(), 400);
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "does not support Get Poison List"));
	(void)change_result_set(&result, ENOTCONN, CHANGE_REFUSED, "the helper cannot be reached");
	ck_assert_uint_eq(list(), 503);
	(void)change_result_set(&result, ETIMEDOUT, CHANGE_UNKNOWN, "the helper does not answer");
	ck_assert_uint_eq(list(), 500);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, LIST, "{\"Other\":1}"), 400);
	ck_assert_uint_eq(n_asked, 3);
}
END_TEST

START_TEST(without_permission_there_is_no_list)
{
	allow_changes(&l.f, ALLOW_SECURITY, ALLOW_HOST);
	ck_assert_uint_eq(list(), 405);
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "--allow=poison"));
	ck_assert_uint_eq(n_asked, 0);
}
END_TEST

static void start_without_log(void)
{
	fixture_init(&l.f, NULL);
	allow_changes(&l.f, ALLOW_POISON, ALLOW_HOST);
}

static void stop_without_log(void)
{
	fixture_done(&l.f);
}

START_TEST(without_a_log_the_list_could_not_arrive)
{
	ck_assert_uint_eq(post(&l.f, LIST, "{}"), 409);
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "keeps no events"));
}
END_TEST

SUITE(check_poison_list)
{
	Suite *s = suite_create("poison list");
	TCase *t = tcase_create("list"), *without = tcase_create("without a log");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, start_all, stop_all);
	tcase_add_test(t, the_records_of_this_reading_are_the_list);
	tcase_add_test(t, each_entry_has_its_addresses_or_the_reason);
	tcase_add_loop_test(t, a_part_of_it_is_what_is_at_the_address, 0, ARRAY_SIZE(parts));
	tcase_add_loop_test(t, a_wrong_address_is_refused_and_nothing_is_read, 0,
			    ARRAY_SIZE(wrong));
	tcase_add_test(t, its_parameters_are_in_the_action_info);
	tcase_add_test(t, a_device_without_poison_has_an_empty_list);
	tcase_add_test(t, what_others_report_meanwhile_is_not_in_the_list);
	tcase_add_test(t, a_list_that_cannot_be_read_is_refused_with_the_reason);
	tcase_add_test(t, without_permission_there_is_no_list);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(without, start_without_log, stop_without_log);
	tcase_add_test(without, without_a_log_the_list_could_not_arrive);
	suite_add_tcase(s, without);
	return s;
}
