// SPDX-License-Identifier: LGPL-2.1-or-later
/* The problems of a host that are incidents: which, of which device or thing, and their act. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "events/incident_act.h"
#include "model/found.h"
#include "model/found_rows.h"
#include "model/health.h"
#include "tests/lib/model_host.h"
#include "tests/lib/suites.h"

static struct model m;
static struct port *bridge;
static struct decoder *window;
static struct memdev *device;
static struct found found;

static struct memdev *const *members(void)
{
	static struct memdev *one[1];

	one[0] = device;
	return one;
}

/* A device that nothing maps, on a host that lets it be mapped. */
static void setup(void)
{
	static const struct iomem_range line = {0, 0xfff, 0, "System RAM"};

	model_init(&m);
	bridge = model_bridge(&m);
	window = model_window(&m, &bridge, 1);
	window->cap_ram = OPT_BOOL(true);
	device = model_memdev(&m, bridge);
	device->enabled = true;
	for (size_t i = 0; i < m.host.n_ports; i++)
		((struct port *)(uintptr_t)m.ports[i])->enabled = true;
	m.host.root = &m.root_directory;
	m.host.iomem = &line;
	m.host.n_iomem = 1;
}

static void make_idle(void)
{
	for (size_t i = 0; i < m.host.n_ports; i++)
		if (m.ports[i]->kind != PORT_ROOT)
			(void)model_idle_decoder(&m, (struct port *)(uintptr_t)m.ports[i]);
	model_ready(&m);
}

static void teardown(void)
{
	found_done(&found);
	model_done(&m);
}

static void look(void)
{
	const struct memdev_ids *ids = memdev_ids_new(m.arena, &m.host);

	found_done(&found);
	ck_assert_int_eq(found_init(&found), 0);
	ck_assert_int_eq(found_add_configuration(&found, &m.host, m.t, NULL, ids), 0);
}

static const struct incident_found *find(const char *code)
{
	const struct incident_found *one = NULL;

	for (size_t i = 0; i < found.list.n; i++)
		if (strcmp(found.list.items[i].code, code) == 0) {
			ck_assert_msg(!one, "%s is there twice", code);
			one = &found.list.items[i];
		}
	return one;
}

static const struct incident_found *expect(const char *code)
{
	const struct incident_found *f = find(code);

	ck_assert_msg(f, "there is no %s", code);
	return f;
}

START_TEST(memory_that_is_not_mapped_is_an_incident_with_the_command_that_maps_it)
{
	const struct incident_found *f;

	make_idle();
	look();
	f = expect("CAPACITY_UNMAPPED");
	ck_assert_int_eq(f->kind, INCIDENT_CONFIGURATION);
	ck_assert_int_eq(f->severity, EVENT_WARNING);
	ck_assert_int_eq(f->anchor.type, ANCHOR_FINDING);
	ck_assert_int_eq(f->advised, ACT_CHANGE_CONFIGURATION);
	ck_assert_msg(strstr(f->next, "create-region") || strstr(f->next, "region create"), "%s",
		      f->next);
	ck_assert_str_eq(f->object, device->name);
	ck_assert_str_ne(f->device, "");
}
END_TEST

START_TEST(of_findings_of_one_code_the_incident_has_that_with_the_command)
{
	const struct incident_found *f;

	window->cap_pmem = OPT_BOOL(true);
	device->pmem_size = device->ram_size;
	make_idle();
	look();
	f = expect("CAPACITY_UNMAPPED");
	ck_assert_msg(strstr(f->next, "create-region"), "%s: %s", f->text, f->next);
	ck_assert_int_eq(f->advised, ACT_CHANGE_CONFIGURATION);
}
END_TEST

START_TEST(a_host_without_problems_has_no_incident)
{
	m.host.n_iomem = 0; /* it is not readable */
	(void)model_region(&m, window, MODEL_WINDOW_BASE, members(), 1);
	model_ready(&m);
	look();
	for (size_t i = 0; i < found.list.n; i++)
		ck_abort_msg("%s: %s", found.list.items[i].object, found.list.items[i].text);
}
END_TEST

START_TEST(an_explanation_is_part_of_the_problem_before_it)
{
	const struct incident_found *f;

	window->cap_ram = OPT_BOOL(false);
	make_idle();
	look();
	f = expect("CAPACITY_UNMAPPED");
	ck_assert_ptr_null(find("CAPACITY_NO_WINDOW"));
	ck_assert_ptr_null(find("CAPACITY_REFUSED"));
	ck_assert_msg(strstr(f->text, "; its ram cannot be mapped"), "%s", f->text);
	ck_assert_int_ne(f->advised, ACT_CHANGE_CONFIGURATION);
	ck_assert_uint_lt(strlen(f->text), INCIDENT_TEXT_MAX);
}
END_TEST

START_TEST(what_limits_knowledge_is_no_incident)
{
	static const char *const denied[] = {"decoder start"};

	m.host.denied = denied;
	m.host.n_denied = 1;
	model_ready(&m);
	look();
	ck_assert_ptr_null(find("HOST_ACCESS_DENIED"));
	ck_assert_ptr_null(find("WINDOW_CEDT_ABSENT"));
}
END_TEST

START_TEST(a_region_is_known_by_its_addresses_not_by_its_name)
{
	struct region *r = model_region(&m, window, MODEL_WINDOW_BASE, members(), 1);
	char thing[FOUND_THING_MAX];
	struct incident_anchor before;
	const struct incident_found *f;

	r->commit = REGION_NOT_COMMITTED;
	model_ready(&m);
	look();
	f = expect("REGION_NOT_COMMITTED");
	ck_assert_str_eq(f->device, "");
	before = f->anchor;
	ck_assert_str_eq(found_region_thing(r, thing), "region 0x1000000000");
	r->name = "region7";
	look();
	f = expect("REGION_NOT_COMMITTED");
	ck_assert_str_eq(f->object, "region7");
	ck_assert_uint_eq(f->anchor.value, before.value);
	r->uuid = "f3a0d1c2-0000-4000-8000-000000000001";
	look();
	ck_assert_uint_ne(expect("REGION_NOT_COMMITTED")->anchor.value, before.value);
}
END_TEST

START_TEST(a_problem_of_a_decoder_is_one_of_its_device)
{
	struct region *r = model_region(&m, window, MODEL_WINDOW_BASE, members(), 1);
	const struct incident_found *f;

	model_drop_region(&m, r);
	model_ready(&m);
	look();
	f = NULL;
	for (size_t i = 0; i < found.list.n; i++)
		if (strncmp(found.list.items[i].object, "decoder", 7) == 0)
			f = &found.list.items[i];
	ck_assert_ptr_nonnull(f);
	ck_assert_str_ne(f->device, "");
	ck_assert_uint_eq(f->anchor.value, incident_found_anchor(f->code, "").value);
}
END_TEST

START_TEST(a_host_without_memory_devices_has_nothing_to_set_up)
{
	m.host.n_memdevs = 0;
	m.host.n_decoders = 0;
	model_ready(&m);
	look();
	ck_assert_ptr_null(find("HOST_NO_MEMDEV"));
	ck_assert_ptr_null(find("HOST_NO_WINDOW"));
}
END_TEST

START_TEST(the_same_findings_have_the_same_hash)
{
	uint64_t before;

	make_idle();
	look();
	before = found_hash(&found);
	look();
	ck_assert_uint_eq(found_hash(&found), before);
	window->cap_ram = OPT_BOOL(false);
	look();
	ck_assert_uint_ne(found_hash(&found), before);
}
END_TEST

/* ---- readings ---- */

static const struct reading {
	enum finding_code code;
	enum incident_kind kind;
	enum incident_anchor_type anchor;
} readings[] = {
	{FINDING_TEMPERATURE_WARNING, INCIDENT_TEMPERATURE, ANCHOR_DEVICE},
	{FINDING_TEMPERATURE_CRITICAL, INCIDENT_TEMPERATURE, ANCHOR_DEVICE},
	{FINDING_LIFE_USED_CRITICAL, INCIDENT_WEAR, ANCHOR_DEVICE},
	{FINDING_ALL_DATA_LOST, INCIDENT_CAPACITY, ANCHOR_DEVICE},
	{FINDING_CAPACITY_DEGRADED, INCIDENT_CAPACITY, ANCHOR_FINDING},
	{FINDING_MAINTENANCE_NEEDED, INCIDENT_MAINTENANCE, ANCHOR_FINDING},
	{FINDING_REPLACEMENT_NEEDED, INCIDENT_MAINTENANCE, ANCHOR_FINDING},
	{FINDING_DECODER_DPA_RESERVED, INCIDENT_CONFIGURATION, ANCHOR_FINDING},
};

START_TEST(a_reading_has_the_kind_of_its_records)
{
	const struct reading *r = &readings[_i];
	struct incident_anchor anchor;
	enum incident_kind kind;

	ck_assert(found_identity(r->code, "", &kind, &anchor));
	ck_assert_int_eq(kind, r->kind);
	ck_assert_int_eq(anchor.type, r->anchor);
}
END_TEST

/* Each problem that a device reports is an incident, and none that the service has of itself. */
START_TEST(all_problems_are_decided)
{
	for (int code = 0; code < FINDING_CODE_COUNT; code++) {
		const struct found_row *row = found_row((enum finding_code)code);
		const bool is_problem = finding_level((enum finding_code)code) == FINDING_PROBLEM;

		if (row->use == FOUND_LIMIT || row->use == FOUND_PART)
			ck_assert_msg(is_problem, "%s", finding_row((enum finding_code)code)->name);
		if (row->use == FOUND_CHANGE)
			ck_assert_int_eq(finding_level((enum finding_code)code), FINDING_ADVICE);
		if (is_problem && row->use == FOUND_INCIDENT)
			ck_assert_int_ne(row->kind, INCIDENT_MEDIA_UNCORRECTABLE);
		ck_assert_uint_lt(strlen(finding_row((enum finding_code)code)->name),
				  INCIDENT_CODE_MAX);
	}
}
END_TEST

SUITE(check_host_problems)
{
	Suite *s = suite_create("host-problems");
	TCase *t = tcase_create("host-problems");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, memory_that_is_not_mapped_is_an_incident_with_the_command_that_maps_it);
	tcase_add_test(t, of_findings_of_one_code_the_incident_has_that_with_the_command);
	tcase_add_test(t, a_host_without_problems_has_no_incident);
	tcase_add_test(t, an_explanation_is_part_of_the_problem_before_it);
	tcase_add_test(t, what_limits_knowledge_is_no_incident);
	tcase_add_test(t, a_region_is_known_by_its_addresses_not_by_its_name);
	tcase_add_test(t, a_problem_of_a_decoder_is_one_of_its_device);
	tcase_add_test(t, a_host_without_memory_devices_has_nothing_to_set_up);
	tcase_add_test(t, the_same_findings_have_the_same_hash);
	tcase_add_loop_test(t, a_reading_has_the_kind_of_its_records, 0,
			    sizeof(readings) / sizeof(readings[0]));
	tcase_add_test(t, all_problems_are_decided);
	suite_add_tcase(s, t);
	return s;
}
