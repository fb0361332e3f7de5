// SPDX-License-Identifier: LGPL-2.1-or-later
/* Memory that committed decoders map without a region of Linux, as a memory chunk. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "redfish/eventing/resource_event.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define CHUNKS SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks"

static struct fixture f;
static char chunk[128];

static void setup(void)
{
	fixture_init(&f, NULL);
	(void)snprintf(chunk, sizeof(chunk), CHUNKS "/spa-%016llx",
		       (unsigned long long)f.region->resource.value);
}

static void teardown(void)
{
	fixture_done(&f);
}

START_TEST(the_chunk_has_the_id_of_its_first_address)
{
	model_derive_region(&f.model, f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 404);
	ck_assert_uint_eq(get(&f, CHUNKS), 200);
	ck_assert_str_eq(at(&f, "Members/0/@odata.id"), chunk);
	ck_assert_uint_eq(get(&f, chunk), 200);
	ck_assert_str_eq(at(&f, "Id"), strrchr(chunk, '/') + 1);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Mapping"), "decoders");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/TranslationSource"), "decoder");
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/KernelName"));
	ck_assert_str_eq(at(&f, "InterleaveSets/0/Memory/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "Status/State"), "Enabled");
}
END_TEST

START_TEST(a_region_says_that_it_is_one)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Mapping"), "region");
}
END_TEST

START_TEST(an_address_in_it_names_the_chunk)
{
	model_derive_region(&f.model, f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\":\"0x1000\"}"), 200);
	ck_assert_str_eq(at(&f, "Exact"), "true");
	ck_assert_str_eq(at(&f, "TranslationSource"), "decoder");
	ck_assert_str_eq(at(&f, "MemoryChunks/@odata.id"), chunk);
	ck_assert_ptr_nonnull(strstr(at(&f, "Reason"), "Linux has no region"));
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Decoders/0/MemoryChunks/@odata.id"), chunk);
}
END_TEST

START_TEST(nothing_changes_it)
{
	static const enum http_method methods[] = {METHOD_PATCH, METHOD_DELETE};

	model_derive_region(&f.model, f.region);
	allow_changes(&f, ALLOW_REGIONS | ALLOW_MEMORY, ALLOW_REGIONS | ALLOW_MEMORY);
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		ck_assert_uint_eq(
			ask_change(&f, methods[i], chunk, chunk,
				   i == 0 ? "{\"RequestedOperationalState\":\"Offline\"}" : NULL,
				   NULL),
			405);
		ck_assert_ptr_nonnull(strstr(at(&f, "error/message"), "committed decoders map it"));
	}
}
END_TEST

static struct view *view_now(void)
{
	struct view_inputs in = {.host = &f.model.host};
	struct view *v;

	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(f.table, &in, &v, NULL), 0);
	(void)translator_unref(in.translator);
	return v;
}

/* Return: whether there is that event about the resource. */
static bool has_event(const json_t *news, const char *id, const char *uri)
{
	const json_t *message;
	size_t i;

	json_array_foreach(news, i, message) {
		const json_t *record = json_object_get(message, "Record");
		const json_t *origin = json_object_get(record, "OriginOfCondition");
		const char *named = json_string_value(json_object_get(origin, "@odata.id"));

		if (str_equal(json_string_value(json_object_get(record, "MessageId")), id) &&
		    (str_equal(named, uri) ||
		     str_equal(json_string_value(
				       json_array_get(json_object_get(record, "MessageArgs"), 0)),
			       uri)))
			return true;
	}
	return false;
}

START_TEST(a_region_in_its_place_is_another_resource)
{
	struct view *region = view_now(), *derived;
	struct resource_events events;

	model_derive_region(&f.model, f.region);
	derived = view_now();
	events = resource_events(region, derived);
	ck_assert(has_event(events.news, "ResourceEvent.1.4.ResourceRemoved", REGION));
	ck_assert(has_event(events.news, "ResourceEvent.1.4.ResourceCreated", chunk));
	resource_events_done(&events);
	events = resource_events(derived, region);
	ck_assert(has_event(events.news, "ResourceEvent.1.4.ResourceRemoved", chunk));
	ck_assert(has_event(events.news, "ResourceEvent.1.4.ResourceCreated", REGION));
	resource_events_done(&events);
	(void)view_unref(region);
	(void)view_unref(derived);
	fixture_ready(&f);
}
END_TEST

SUITE(check_redfish_derived)
{
	Suite *s = suite_create("derived memory chunks");
	TCase *t = tcase_create("chunks");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_chunk_has_the_id_of_its_first_address);
	tcase_add_test(t, a_region_says_that_it_is_one);
	tcase_add_test(t, an_address_in_it_names_the_chunk);
	tcase_add_test(t, nothing_changes_it);
	tcase_add_test(t, a_region_in_its_place_is_another_resource);
	suite_add_tcase(s, t);
	return s;
}
