// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions that are changed and removed by Redfish: PATCH and DELETE of MemoryChunks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/allow.h"
#include "common/array.h"
#include "prm/translate.h"
#include "redfish/pages/page_keeper.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"

#define DEVDAX "{\"Oem\":{\"CXLHost\":{\"DAXMode\":\"devdax\"}}}"

/* ---- DELETE -----------------------------------------------------------------------------------
 */

/* Whether it can be taken offline is found out by those who do it. */
START_TEST(memory_that_is_online_is_theirs_to_take_offline)
{
	changing.answer = (struct change_result){
		-EBUSY, CHANGE_REFUSED, "region0", 0,
		"the memory of region0 cannot be released: process 812 (qemu) has dax0.0 open"};
	ck_assert_uint_eq(destroy(NULL), 409);
	expect_extended(&f, 0, "ChangeRefused", "process 812 (qemu) has dax0.0 open");
	ck_assert_uint_eq(last_change(1)->force, 0);
	changing.answer = (struct change_result){0};
	ck_assert_uint_eq(destroy(FORCE), 204);
	ck_assert_uint_eq(last_change(2)->force, 1);
}
END_TEST

START_TEST(namespaces_are_kept_without_force)
{
	f.region->mode = DECODER_MODE_PMEM;
	f.region->namespaces = OPT_U64(1);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Releasable/Verdict"), "NotReleasable");
	ck_assert_uint_eq(destroy(NULL), 409);
	expect_extended(&f, 0, "ChangeRefused", "it has 1 namespace on the nvdimm region");
	last_change(0);
	ck_assert_uint_eq(destroy(FORCE), 204);
	last_change(1);
}
END_TEST

START_TEST(a_region_is_destroyed_and_gone_from_the_view)
{
	take_offline();
	ck_assert_uint_eq(destroy(NULL), 204);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_REGION_DESTROY);
	ck_assert_str_eq(last_change(1)->object, "region0");
	ck_assert_uint_eq(last_change(1)->identity, 12);
	ck_assert_uint_eq(last_change(1)->force, 0);
	ck_assert_uint_eq(get(&f, REGION), 404);
	ck_assert_uint_eq(get(&f, CHUNKS), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 0);
}
END_TEST

#define OLD_SPA "0x1000000240"

static struct log_fixture events;

static void start_with_events(void)
{
	events = (struct log_fixture){0};
	start_usual_changes();
	log_start(&events, f.service);
	fixture_ready(&f);
}

static void stop_with_events(void)
{
	stop_changes();
	log_end(&events);
}

static void expect_translations(const char *spa, const char *dpa)
{
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\":\"0x140\"}"), 200);
	ck_assert_str_eq(spa ? at(&f, "SystemPhysicalAddress") : at(&f, "Exact"),
			 spa ? spa : "false");
	ck_assert_int_eq(at(&f, "SystemPhysicalAddress") != NULL, spa != NULL);
	ck_assert_int_eq(at(&f, "Reason") != NULL, spa == NULL);
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddress\":\"" OLD_SPA "\"}"),
			  200);
	ck_assert_int_eq(at(&f, "DevicePhysicalAddress") != NULL, dpa != NULL);
	ck_assert_int_eq(at(&f, "Memory/@odata.id") != NULL, dpa != NULL);
	ck_assert_int_eq(at(&f, "Reason") != NULL, dpa == NULL);
	if (dpa)
		ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), dpa);
}

START_TEST(translations_end_with_the_answer_and_events_keep_their_addresses)
{
	struct stored_event ev;
	char uri[128];

	log_event(1, &ev);
	ev.answer.spa = ev.answer.spa_last = 0x1000000240;
	(void)snprintf(uri, sizeof(uri), "%s/Entries/%llu", HOST_LOG,
		       (unsigned long long)log_put(&events, &ev));
	take_offline();
	expect_translations(OLD_SPA, "0x140");
	ck_assert_uint_eq(destroy(NULL), 204);
	expect_translations(NULL, NULL);
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/SystemPhysicalAddress"), OLD_SPA);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Exact"), "true");
	/* Not to what is not there any more. */
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/MemoryChunks/@odata.id"));
}
END_TEST

START_TEST(a_wrong_body_of_a_delete_is_refused)
{
	take_offline();
	ck_assert_uint_eq(destroy("{\"Force\":true}"), 400);
	expect_extended(&f, 0, "PropertyUnknown", "#/Force");
	ck_assert_uint_eq(destroy("{\"Oem\":{\"CXLHost\":{\"Force\":1}}}"), 400);
	expect_extended(&f, 0, "PropertyValueTypeError", "#/Oem/CXLHost/Force");
	ck_assert_uint_eq(destroy("[]"), 400);
	ck_assert_uint_eq(destroy("{"), 400);
	last_change(0);
	ck_assert_uint_eq(destroy("{}"), 204);
}
END_TEST

/* ---- PATCH ------------------------------------------------------------------------------------
 */

START_TEST(memory_goes_offline_and_online_and_the_answer_has_it)
{
	ck_assert_uint_eq(patch(OFFLINE), 200);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_MEMORY_OFFLINE);
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Offline");
	ck_assert_uint_eq(patch("{\"RequestedOperationalState\":\"Online\",\"Oem\":{\"CXLHost\":{"
				"\"MemoryZone\":\"Kernel\"}}}"),
			  200);
	ck_assert_uint_eq(last_change(2)->kind, CHANGE_MEMORY_ONLINE);
	ck_assert_uint_eq(last_change(2)->zone, CHANGE_ZONE_KERNEL);
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Online");
	ck_assert_uint_eq(patch(DEVDAX), 200);
	ck_assert_uint_eq(last_change(3)->kind, CHANGE_MEMORY_DEVDAX);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/DAXMode"), "devdax");
	ck_assert_ptr_null(value_at(&f, "RequestedOperationalState"));
	ck_assert_uint_eq(patch(ONLINE), 200);
	ck_assert_uint_eq(last_change(4)->zone, CHANGE_ZONE_MOVABLE);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/DAXMode"), "system-ram");
}
END_TEST

/* ---- pages that are out of use ------------------------------------------------------------------
 */

static void answer_done(void *userdata, const struct page_request *requests, size_t n,
			struct page_result *ret)
{
	(void)userdata;
	(void)requests;
	memset(ret, 0, n * sizeof(*ret));
}

static unsigned int allow_pages(void *userdata)
{
	(void)userdata;
	return ALLOW_PAGES;
}

static char pages_directory[64];
static struct state *pages_state;
static struct page_client *pages_client;
static struct page_keeper *keeper;

static void start_with_pages(void)
{
	static const struct page_client_ops ops = {.run = answer_done, .allowed = allow_pages};
	static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};
	struct error error = {0};
	char path[96];

	start_usual_changes();
	(void)snprintf(pages_directory, sizeof(pages_directory), "/tmp/check_chunks.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(pages_directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, pages_directory);
	ck_assert_int_eq(state_new(path, &pages_state, &error), 0);
	pages_client = page_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(pages_client);
	ck_assert_int_eq(page_keeper_new(pages_state, pages_client, boot_id, &keeper), 0);
	f.service->page_keeper = keeper;
}

static void stop_with_pages(void)
{
	char command[96];

	stop_changes();
	keeper = page_keeper_free(keeper);
	pages_client = page_client_free(pages_client);
	pages_state = state_free(pages_state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", pages_directory);
	ck_assert_int_eq(system(command), 0);
}

static void take_out(uint64_t dpa)
{
	const struct view *v = service_view(f.service);
	struct answers list = {0};
	struct page_take t = {.host = v->host, .ids = v->ids, .action = PAGE_SOFT};
	struct page_result result;

	ck_assert_int_eq(translate_dpa(v->translator, f.memdevs[0], dpa, dpa, &list), 0);
	t.answer = &list.items[0];
	ck_assert_int_eq(page_keeper_take(keeper, &t, &result), 0);
	answers_done(&list);
}

#define SAID "@Message.ExtendedInfo/0/Message"

START_TEST(what_becomes_of_pages_that_are_out_of_use_is_said)
{
	char tag[64];

	ck_assert_uint_eq(patch(OFFLINE), 200);
	ck_assert_ptr_null(value_at(&f, SAID));
	ck_assert_uint_eq(patch(ONLINE), 200);
	take_out(0);
	take_out(0x40); /* of the same page */
	take_out(0x10000);
	ck_assert_uint_eq(patch(OFFLINE), 200);
	ck_assert_ptr_nonnull(strstr(
		at(&f, SAID),
		"region0 had 2 pages out of use in 1 memory block: once offline, such a block"));
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Offline");
	(void)snprintf(tag, sizeof(tag), "%s", at(&f, "@odata.etag"));
	ck_assert_str_eq(f.res.body->etag, tag);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_ptr_null(value_at(&f, SAID));
	ck_assert_str_eq(at(&f, "@odata.etag"), tag);
	ck_assert_uint_eq(patch(ONLINE), 200);
	ck_assert_ptr_null(value_at(&f, SAID));
	ck_assert_uint_eq(patch(DEVDAX), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, SAID), "a dax device that is made anew brings them"));
	changing.answer = (struct change_result){-EBUSY, CHANGE_REFUSED, "region0", 0, "it is so"};
	ck_assert_uint_eq(destroy(NULL), 409);
	expect_extended(&f, 0, "ChangeRefused", "it is so");
	ck_assert_ptr_null(value_at(&f, "error/@Message.ExtendedInfo/1"));
	changing.answer = (struct change_result){0};
	ck_assert_uint_eq(destroy(NULL), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, SAID), "region0 had 2 pages out of use"));
	ck_assert_uint_eq(get(&f, REGION), 404);
}
END_TEST

/* ---- scrub ------------------------------------------------------------------------------------
 */

#define PATROL(members) "{\"Oem\":{\"CXLHost\":{\"PatrolScrub\":{" members "}}}}"
#define SHOWN		"Oem/CXLHost/PatrolScrub/"

static struct memdev_scrub member_scrubs[2] = {
	{.patrol = {true, OPT_BOOL(true), OPT_U64(43200), OPT_U64(7200)}},
	{.patrol = {true, OPT_BOOL(true), OPT_U64(86400), OPT_U64(14400)}},
};

static void show_members(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(member_scrubs); i++)
		f.readings.scrubs[i] = &member_scrubs[i];
	fixture_ready(&f);
}

START_TEST(the_scrub_of_a_region_is_that_of_its_members)
{
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_ptr_null(value_at(&f, "Oem/CXLHost/PatrolScrub"));
	show_members();
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, SHOWN "MembersDiffer"), "true");
	ck_assert_ptr_null(value_at(&f, SHOWN "CycleSeconds"));
	ck_assert_int_eq(json_integer_value(value_at(&f, SHOWN "MinCycleSeconds")), 14400);
	member_scrubs[1].patrol.cycle_s = OPT_U64(43200);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, SHOWN "MembersDiffer"), "false");
	ck_assert_int_eq(json_integer_value(value_at(&f, SHOWN "CycleSeconds")), 43200);
	/* A member without scrub: Linux has no files for the region. */
	member_scrubs[1].patrol.found = false;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_ptr_null(value_at(&f, "Oem/CXLHost/PatrolScrub"));
}
END_TEST

START_TEST(a_rate_of_a_region_is_one_change_with_what_it_overwrote)
{
	static const char said[] = "region0: on, 4 h; overwritten: mem0: on, 12 h, mem1: on, 24 h";

	show_members();
	ck_assert_uint_eq(patch(PATROL("\"CycleSeconds\":10800")), 400);
	expect_extended(&f, 0, "ChangeRefused", "its cycle can be from 14400 to 918000 s");
	(void)snprintf(changing.answer.text, sizeof(changing.answer.text), "%s", said);
	ck_assert_uint_eq(patch(PATROL("\"CycleSeconds\":14400,\"Enabled\":true")), 200);
	ck_assert_uint_eq(last_change(1)->kind, CHANGE_REGION_SCRUB);
	ck_assert_str_eq(last_change(1)->object, "region0");
	ck_assert_uint_eq(last_change(1)->identity, 12);
	ck_assert_uint_eq(last_change(1)->scrub.fields, CHANGE_SCRUB_CYCLE | CHANGE_SCRUB_ENABLED);
	ck_assert_uint_eq(last_change(1)->scrub.cycle_s, 14400);
	ck_assert_str_eq(at(&f, SHOWN "LastSet/Text"), said);
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, SHOWN "LastSet/Text"), said);
}
END_TEST

START_TEST(scrub_of_a_region_needs_its_own_permission)
{
	show_members();
	allow_changes(&f, ALLOW_MEMORY, ALLOW_HOST);
	ck_assert_uint_eq(patch(PATROL("\"Enabled\":false")), 403);
	expect_extended(&f, 0, "ChangeRefused", "--allow=scrub");
	allow_changes(&f, ALLOW_SCRUB, ALLOW_HOST);
	ck_assert_uint_eq(patch(OFFLINE), 403);
	expect_extended(&f, 0, "ChangeRefused", "--allow=memory");
	last_change(0);
	ck_assert_uint_eq(patch(PATROL("\"Enabled\":false")), 200);
	last_change(1);
	allow_changes(&f, ALLOW_HOST, ALLOW_HOST);
}
END_TEST

START_TEST(the_zone_that_memory_is_in_is_shown_and_kept)
{
	struct dax_use use = {.online = OPT_U64(100), .movable = OPT_U64(0)};
	const struct memory_use all = {&use, 1};

	(void)snprintf(use.dax, sizeof(use.dax), "dax0.0");
	f.memory_use = &all;
	fixture_ready(&f);
	ck_assert_uint_eq(patch(ONLINE), 200);
	ck_assert_uint_eq(last_change(1)->zone, CHANGE_ZONE_KERNEL);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/MemoryZone"), "Kernel");
	use.movable = OPT_U64(100);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/MemoryZone"), "Movable");
	use.movable = OPT_U64(50);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_ptr_null(value_at(&f, "Oem/CXLHost/MemoryZone"));
	f.memory_use = NULL;
	fixture_ready(&f);
}
END_TEST

/* Fails the test unless a number of Releasable is that, or null. */
static void expect_bytes(const char *name, long long wanted)
{
	const json_t *value = json_object_get(value_at(&f, "Oem/CXLHost/Releasable"), name);

	ck_assert_ptr_nonnull(value);
	if (wanted < 0)
		ck_assert(json_is_null(value));
	else
		ck_assert_int_eq(json_integer_value(value), wanted);
}

static void expect_releasable(const char *verdict, long long online, long long movable,
			      long long pinned, size_t n_holders)
{
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_uint_eq(json_object_size(value_at(&f, "Oem/CXLHost/Releasable")), 7);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Releasable/Verdict"), verdict);
	expect_bytes("OnlineBytes", online);
	expect_bytes("MovableBytes", movable);
	expect_bytes("PinnedBytes", pinned);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Oem/CXLHost/Releasable/Holders")),
			  n_holders);
	ck_assert_ptr_nonnull(at(&f, "Oem/CXLHost/Releasable/Reasons/0"));
}

#define BLOCKS "Oem/CXLHost/Releasable/MemoryBlocks"

START_TEST(releasable_has_all_its_properties_whatever_is_known)
{
	struct dax_use use = {.online = OPT_U64(512 << 20),
			      .movable = OPT_U64(256 << 20),
			      .pinned = OPT_U64(128 << 20),
			      .unclear = OPT_U64(0),
			      .blocks = {{.number = 36,
					  .zone = "Normal",
					  .pages = {{[PAGES_SLAB] = 180, [PAGES_TABLES] = 32}}},
					 {.number = 37, .error = -EACCES}},
			      .n_blocks = 2,
			      .holders_known = OPT_BOOL(true),
			      .holders = {{.pid = 77, .name = "qemu"}},
			      .n_holders = 1};
	const struct memory_use all = {&use, 1};

	expect_releasable("Unknown", -1, -1, -1, 0);
	(void)snprintf(use.dax, sizeof(use.dax), "dax0.0");
	f.memory_use = &all;
	fixture_ready(&f);
	expect_releasable("NotReleasable", 512 << 20, 384 << 20, 128 << 20, 1);
	ck_assert_int_eq(
		json_integer_value(value_at(&f, "Oem/CXLHost/Releasable/Holders/0/ProcessId")), 77);
	ck_assert_str_eq(at(&f, BLOCKS "/0/KernelName"), "memory36");
	ck_assert_str_eq(at(&f, BLOCKS "/0/Zone"), "Normal");
	ck_assert_int_eq(json_integer_value(value_at(&f, BLOCKS "/0/UnmovablePages")), 212);
	ck_assert_int_eq(json_integer_value(value_at(&f, BLOCKS "/0/PageTablePages")), 32);
	ck_assert(json_is_null(value_at(&f, BLOCKS "/1/Zone")));
	ck_assert(json_is_null(value_at(&f, BLOCKS "/1/UnmovablePages")));
	ck_assert_ptr_nonnull(strstr(at(&f, "Oem/CXLHost/Releasable/Reasons/1"),
				     "memory36, zone Normal, 212 unmovable pages"));
	use.unclear = (struct opt_u64){0};
	fixture_ready(&f);
	expect_releasable("NotReleasable", 512 << 20, -1, 128 << 20, 1);
	/* It is read-only, and there without any permission to change something. */
	allow_changes(&f, 0, 0);
	expect_releasable("NotReleasable", 512 << 20, -1, 128 << 20, 1);
	f.memory_use = NULL;
	fixture_ready(&f);
}
END_TEST

static const struct {
	const char *body, *key, *text;
} wrong_patches[] = {
	{"{}", "EmptyJSON", NULL},
	{"{\"Oem\":{}}", "NoOperation", NULL},
	{"{\"RequestedOperationalState\":\"online\"}", "PropertyValueNotInList",
	 "#/RequestedOperationalState"},
	{"{\"RequestedOperationalState\":null}", "PropertyValueTypeError", NULL},
	{"{\"MemoryChunkSizeMiB\":1024}", "PropertyNotWritable", "#/MemoryChunkSizeMiB"},
	{"{\"Oem\":{\"CXLHost\":{\"MemoryZone\":\"Normal\"}}}", "PropertyValueNotInList",
	 "#/Oem/CXLHost/MemoryZone"},
	{"{\"Oem\":{\"CXLHost\":{\"DAXMode\":\"fsdax\"}}}", "PropertyValueNotInList",
	 "#/Oem/CXLHost/DAXMode"},
	{"{\"Oem\":{\"CXLHost\":{\"Releasable\":{\"Verdict\":\"Releasable\"}}}}",
	 "PropertyNotWritable", "#/Oem/CXLHost/Releasable"},
	{"{\"Oem\":{\"CXLHost\":{\"KernelName\":\"region7\"}}}", "PropertyNotWritable",
	 "#/Oem/CXLHost/KernelName"},
	{"{\"RequestedOperationalState\":\"Online\",\"Oem\":{\"CXLHost\":{\"DAXMode\":\"devdax\"}}"
	 "}",
	 "PropertyValueConflict", "#/RequestedOperationalState"},
	{"{\"RequestedOperationalState\":\"Offline\",\"Oem\":{\"CXLHost\":{\"MemoryZone\":"
	 "\"Movable\"}}}",
	 "PropertyValueConflict", "#/Oem/CXLHost/MemoryZone"},
};

START_TEST(a_wrong_patch_is_refused_and_nothing_is_changed)
{
	ck_assert_msg(patch(wrong_patches[_i].body) == 400, "%u for %s", f.res.status,
		      wrong_patches[_i].body);
	expect_extended(&f, 0, wrong_patches[_i].key, wrong_patches[_i].text);
	last_change(0);
}
END_TEST

START_TEST(offline_is_for_memory_that_the_kernel_has)
{
	changing.dax->mode = DAX_MODE_DEVDAX;
	changing.dax->online_blocks = (struct opt_u64){0};
	fixture_ready(&f);
	ck_assert_uint_eq(patch(OFFLINE), 400);
	expect_extended(&f, 0, "PropertyValueConflict", "DAXMode");
	/* Without memory that is online there is no zone to change. */
	ck_assert_uint_eq(patch("{\"Oem\":{\"CXLHost\":{\"MemoryZone\":\"Movable\"}}}"), 400);
	last_change(0);
}
END_TEST

SUITE(check_chunk_writes)
{
	Suite *s = suite_create("chunk_writes");
	TCase *t = change_case(s, "requests", start_usual_changes, stop_changes);

	tcase_add_test(t, memory_that_is_online_is_theirs_to_take_offline);
	tcase_add_test(t, namespaces_are_kept_without_force);
	tcase_add_test(t, a_region_is_destroyed_and_gone_from_the_view);
	tcase_add_test(t, a_wrong_body_of_a_delete_is_refused);
	tcase_add_test(t, memory_goes_offline_and_online_and_the_answer_has_it);
	tcase_add_test(t, the_scrub_of_a_region_is_that_of_its_members);
	tcase_add_test(t, a_rate_of_a_region_is_one_change_with_what_it_overwrote);
	tcase_add_test(t, scrub_of_a_region_needs_its_own_permission);
	tcase_add_test(t, the_zone_that_memory_is_in_is_shown_and_kept);
	tcase_add_test(t, releasable_has_all_its_properties_whatever_is_known);
	tcase_add_loop_test(t, a_wrong_patch_is_refused_and_nothing_is_changed, 0,
			    ARRAY_SIZE(wrong_patches));
	tcase_add_test(t, offline_is_for_memory_that_the_kernel_has);
	tcase_add_test(change_case(s, "events", start_with_events, stop_with_events),
		       translations_end_with_the_answer_and_events_keep_their_addresses);
	tcase_add_test(change_case(s, "pages", start_with_pages, stop_with_pages),
		       what_becomes_of_pages_that_are_out_of_use_is_said);
	return s;
}
