// SPDX-License-Identifier: LGPL-2.1-or-later
/* Dynamic capacity is changed by Redfish, on the model of a switch: see pooled_fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"

#define GIB		  (UINT64_C(1) << 30)
#define MIB		  (UINT64_C(1) << 20)
#define EXTENTS		  MLD_DEVICE "/MemoryExtents"
#define REGIONS(ld)	  MLD_LD(ld) "/MemoryRegions"
#define TAG		  "01020304-0506-0708-090a-0b0c0d0e0f10"
#define ACTION(ld, which) MLD_LD(ld) "/Actions/CXLLogicalDevice.DynamicCapacity" which
#define FIRST(ld)	  EXTENTS "/LD" #ld "-0000001000000000"

/* An extent of the first block of region 0, with a tag. */
#define PROPOSAL     "{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":256,\"Tag\":\"" TAG "\"}"
#define LIST(uri)    "\"ExtentList\":[{\"@odata.id\":\"" uri "\"}]"
#define ADD_PROPOSED "{\"Policy\":\"Prescriptive\"," LIST(EXTENTS "/Proposed-1") "}"
#define ADD_BY(policy, length)                                                                     \
	"{\"Policy\":\"" policy "\",\"RegionNumber\":0,\"Length\":" #length ",\"Tag\":\"" TAG "\"}"
#define RELEASE(policy, forced, sanitize, more)                                                    \
	"{\"Policy\":\"" policy "\",\"ForcedRemoval\":" #forced                                    \
	",\"SanitizeOnRelease\":" #sanitize "," more "}"

static struct model_dcd *dcd;

static void start_all(void)
{
	dcd = start_pooled_dynamic(NULL);
}

static void answer(enum model_host_answer a)
{
	for (size_t i = 0; i < MODEL_DC_HOSTS; i++)
		dcd->hosts[i].answer = a;
}

/* Hosts do not answer, and are not waited for. */
static void silence(void)
{
	answer(MODEL_HOST_SILENT);
	f.service->limits.dynamic_ms = 0;
}

static unsigned int propose(const char *body)
{
	return change(METHOD_POST, EXTENTS, EXTENTS, body);
}

static unsigned int add(const char *body)
{
	return change(METHOD_POST, ACTION(1, "Add"), MLD_LD(1), body);
}

static unsigned int release(const char *body)
{
	return change(METHOD_POST, ACTION(1, "Release"), MLD_LD(1), body);
}

static void add_first(void)
{
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(add(ADD_PROPOSED), 204);
}

static void expect_number(const char *uri, const char *path, json_int_t value)
{
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_msg(json_is_integer(value_at(&f, path)), "%s: %s", uri, path);
	ck_assert_int_eq(json_integer_value(value_at(&f, path)), value);
}

/* ---- proposed extents -------------------------------------------------------------------------
 */

START_TEST(extent_is_proposed_and_withdrawn)
{
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	expect_number(EXTENTS "/Proposed-1", "ExtentOffsetMiB", 65536);
	expect(EXTENTS "/Proposed-1", "Tag", TAG);
	expect(EXTENTS "/Proposed-1", "Status/State", "StandbyOffline");
	expect(EXTENTS, "Members/0/@odata.id", EXTENTS "/Proposed-1");
	expect_number(REGIONS(1) "/dc0", "ExtentsCount", 0);
	/* Nothing is sent for it. */
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5604), 0);
	ck_assert_uint_eq(change(METHOD_DELETE, EXTENTS "/Proposed-1", NULL, NULL), 428);
	ck_assert_uint_eq(change(METHOD_DELETE, EXTENTS "/Proposed-1", EXTENTS "/Proposed-1", NULL),
			  204);
	ck_assert_uint_eq(get(&f, EXTENTS "/Proposed-1"), 404);
	/* No other one gets its Id. */
	ck_assert_uint_eq(propose("{\"ExtentOffsetMiB\":98304,\"ExtentSizeMiB\":2}"), 201);
	ck_assert_uint_eq(get(&f, EXTENTS "/Proposed-2"), 200);
	ck_assert_ptr_null(value_at(&f, "Tag"));
}
END_TEST

START_TEST(extent_that_no_host_can_have_is_refused)
{
	static const struct {
		const char *body, *key, *at;
	} wrong[] = {
		{"{\"ExtentOffsetMiB\":65537,\"ExtentSizeMiB\":256}", "PropertyValueOutOfRange",
		 "#/ExtentOffsetMiB"},
		{"{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":255}", "PropertyValueOutOfRange",
		 "#/ExtentOffsetMiB"},
		{"{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":4352}", "PropertyValueOutOfRange",
		 "#/ExtentOffsetMiB"},
		{"{\"ExtentOffsetMiB\":8796093022207,\"ExtentSizeMiB\":8796093022207}",
		 "PropertyValueOutOfRange", "#/ExtentOffsetMiB"},
		{"{\"ExtentOffsetMiB\":-1,\"ExtentSizeMiB\":256}", "PropertyValueOutOfRange",
		 "#/ExtentOffsetMiB"},
		{"{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":0}", "PropertyValueOutOfRange",
		 "#/ExtentSizeMiB"},
		{"{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":256,\"Tag\":\"x\"}",
		 "PropertyValueFormatError", "#/Tag"},
		{"{\"ExtentOffsetMiB\":65536}", "CreateFailedMissingReqProperties",
		 "#/ExtentSizeMiB"},
		{"{\"ExtentOffsetMiB\":65536,\"ExtentSizeMiB\":256,\"SequenceNumber\":1}",
		 "PropertyNotWritable", "#/SequenceNumber"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		ck_assert_msg(propose(wrong[i].body) == 400, "%s", wrong[i].body);
		expect_message(0, wrong[i].key, wrong[i].at);
	}
	ck_assert_uint_eq(change(METHOD_POST, EXTENTS, NULL, PROPOSAL), 428);
	expect_number(EXTENTS, "Members@odata.count", 0);
}
END_TEST

START_TEST(proposals_have_a_limit)
{
	for (size_t i = 0; i < EXTENT_PLANS_MAX; i++) {
		struct extent_plan plan = {.port = 9};

		ck_assert_int_eq(extent_plans_add(pooled.plans, &plan), 0);
	}
	ck_assert_uint_eq(propose(PROPOSAL), 507);
	expect_number(EXTENTS, "Members@odata.count", 0);
}
END_TEST

START_TEST(accepted_extent_is_not_deleted)
{
	add_first();
	ck_assert_uint_eq(change(METHOD_DELETE, FIRST(1), FIRST(1), NULL), 409);
	expect_message(0, "ResourceInUse", "");
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 1);
}
END_TEST

START_TEST(another_device_on_the_port_has_no_proposals)
{
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	pooled.model->ports[1].device.identity.serial++;
	show_pooled();
	ck_assert_uint_eq(get(&f, EXTENTS "/Proposed-1"), 404);
	/* They are gone for good. */
	pooled.model->ports[1].device.identity.serial--;
	show_pooled();
	expect_number(EXTENTS, "Members@odata.count", 0);
}
END_TEST

/* ---- add ---- */

START_TEST(proposed_extent_becomes_the_hosts)
{
	add_first();
	ck_assert_uint_eq(dcd->hosts[1].accepted[0].start, 64 * GIB);
	ck_assert_uint_eq(dcd->hosts[0].n_accepted, 0);
	expect(FIRST(1), "Tag", TAG);
	expect(FIRST(1), "Status/State", "Enabled");
	ck_assert_uint_eq(get(&f, EXTENTS "/Proposed-1"), 404);
	expect_number(EXTENTS, "Members@odata.count", 1);
	expect_number(MLD_LD(1), "AvailableExtents", 63);
}
END_TEST

START_TEST(device_selects_where_by_free_and_contiguous)
{
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(add(ADD_BY("Free", 536870912)), 204);
	ck_assert_uint_eq(add(ADD_BY("Contiguous", 268435456)), 204);
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 2);
	ck_assert_uint_eq(dcd->hosts[1].accepted[1].size, 256 * MIB);
	expect(FIRST(1), "Tag", TAG);
	expect_number(EXTENTS, "Members@odata.count", 2);
}
END_TEST

START_TEST(host_is_waited_for)
{
	answer(MODEL_HOST_WAITS);
	ck_assert_uint_eq(add(ADD_BY("Free", 536870912)), 204);
	expect_number(FIRST(1), "ExtentSizeMiB", 512);
}
END_TEST

/* As QEMU: then the address and the size alone say what was accepted. */
START_TEST(device_may_forget_tags)
{
	dcd->forgets_tags = true;
	add_first();
	ck_assert_uint_eq(get(&f, FIRST(1)), 200);
	ck_assert_ptr_null(value_at(&f, "Tag"));
	ck_assert_uint_eq(add(ADD_BY("Free", 268435456)), 204);
	expect_number(EXTENTS, "Members@odata.count", 2);
}
END_TEST

START_TEST(host_that_does_not_answer_has_it_pending)
{
	silence();
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(add(ADD_PROPOSED), 500);
	expect_message(0, "SwitchChangeFailed",
		       "the host of LD 1 has not accepted all of it within 0 s; it is pending");
	expect(EXTENTS "/Proposed-1", "Status/State", "Starting");
	expect(EXTENTS "/Proposed-1", "Links/MemoryRegions/0/@odata.id", REGIONS(1) "/dc0");
	expect_number(REGIONS(1) "/dc0", "ExtentsCount", 1);
	ck_assert(json_is_true(value_at(&f, "MemoryExtents/0/Pending")));
	/* It is offered once. */
	ck_assert_uint_eq(add(ADD_PROPOSED), 400);
	expect_message(0, "ActionParameterValueError", "#/ExtentList/0");
	switch_model_host_accepts(dcd, 1);
	show_pooled();
	ck_assert_uint_eq(get(&f, EXTENTS "/Proposed-1"), 404);
	expect(FIRST(1), "Status/State", "Enabled");
	show_pooled();
	expect_number(EXTENTS, "Members@odata.count", 1);
}
END_TEST

/* Where it will be is not known. */
START_TEST(pending_capacity_that_the_device_places_has_no_offset)
{
	silence();
	ck_assert_uint_eq(add(ADD_BY("Contiguous", 536870912)), 500);
	expect_number(EXTENTS "/Proposed-1", "ExtentSizeMiB", 512);
	ck_assert_ptr_null(value_at(&f, "ExtentOffsetMiB"));
	expect(EXTENTS "/Proposed-1", "Tag", TAG);
	/* More of it could not be told apart. */
	ck_assert_uint_eq(add(ADD_BY("Contiguous", 536870912)), 409);
	expect_message(0, "SwitchChangeFailed", "delete its record before more is added");
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5604), 1);
	/* The host rejects it, which no list shows: the record can be removed. */
	switch_model_host_rejects(dcd, 1);
	show_pooled();
	ck_assert_uint_eq(change(METHOD_DELETE, EXTENTS "/Proposed-1", EXTENTS "/Proposed-1", NULL),
			  204);
	expect_number(EXTENTS, "Members@odata.count", 0);
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(add(ADD_BY("Contiguous", 536870912)), 204);
}
END_TEST

/* A change that compares sums is alone; changes of addresses are not in each other's way. */
START_TEST(changes_of_one_host_that_could_be_confused_are_refused)
{
	struct extent_change other = {.name = MAILBOX, .port = 1, .host = 1, .adds = true};

	answer(MODEL_HOST_ACCEPTS);
	ck_assert_int_eq(extent_plans_begin(pooled.plans, &other), 0);
	ck_assert_uint_eq(add(ADD_BY("Free", 268435456)), 409);
	expect_message(0, "SwitchChangeFailed", "another change of this host's capacity");
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(add(ADD_PROPOSED), 204);
	extent_plans_end(pooled.plans, &other);
	other.counts = true;
	ck_assert_int_eq(extent_plans_begin(pooled.plans, &other), 0);
	ck_assert_uint_eq(release(RELEASE("Prescriptive", false, false, LIST(FIRST(1)))), 409);
	/* Another host's is no matter of this. */
	ck_assert_uint_eq(
		change(METHOD_POST, ACTION(2, "Add"), MLD_LD(2), ADD_BY("Free", 268435456)), 204);
	extent_plans_end(pooled.plans, &other);
	ck_assert_uint_eq(release(RELEASE("Prescriptive", false, false, LIST(FIRST(1)))), 204);
}
END_TEST

START_TEST(refused_command_leaves_the_proposal)
{
	add_first();
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(add("{\"Policy\":\"Prescriptive\"," LIST(EXTENTS "/Proposed-2") "}"),
			  409);
	expect_message(0, "SwitchChangeFailed",
		       "Initiate Dynamic Capacity Add (5604h): Invalid Extent List");
	expect(EXTENTS "/Proposed-2", "Status/State", "StandbyOffline");
	/* More than there is: nothing stays of it. */
	dcd->capacity = GIB;
	ck_assert_uint_eq(add(ADD_BY("Free", 4026531840)), 409);
	expect_number(EXTENTS, "Members@odata.count", 2);
}
END_TEST

START_TEST(offer_whose_effect_is_not_known_is_pending)
{
	const struct model_fault other = {.kind = MODEL_OTHER_COMMAND,
					  .opcode = 0x5604,
					  .level = 1,
					  .times = 1,
					  .value = 0x5605};

	ck_assert_uint_eq(propose(PROPOSAL), 201);
	switch_model_fault(pooled.model, &other);
	ck_assert_uint_eq(add(ADD_PROPOSED), 500);
	expect_message(0, "SwitchChangeFailed", "the reply is invalid");
	expect(EXTENTS "/Proposed-1", "Status/State", "Starting");
	switch_model_host_accepts(dcd, 1);
	show_pooled();
	expect(FIRST(1), "Status/State", "Enabled");
}
END_TEST

START_TEST(second_host_has_addresses_of_its_own)
{
	add_first();
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(change(METHOD_POST, ACTION(2, "Add"), MLD_LD(2),
				 "{\"Policy\":\"Prescriptive\"," LIST(EXTENTS "/Proposed-2") "}"),
			  204);
	ck_assert_uint_eq(get(&f, FIRST(1)), 200);
	ck_assert_uint_eq(get(&f, FIRST(2)), 200);
	/* One host's extent is not released from another. */
	ck_assert_uint_eq(release(RELEASE("Prescriptive", false, false, LIST(FIRST(2)))), 400);
	expect_message(0, "ActionParameterValueError", "#/ExtentList/0");
	ck_assert_uint_eq(dcd->hosts[2].n_accepted, 1);
}
END_TEST

/* The host's own device is changed below the Chassis that the host has of it. */
START_TEST(device_that_the_host_sees_undivided_is_changed)
{
#define OWN	ROOT "/Chassis/cxl-3d10000000000002/PCIeDevices/1"
#define OWN_LD	OWN "/CXLLogicalDevices/0"
#define OWN_ADD OWN_LD "/Actions/CXLLogicalDevice.DynamicCapacityAdd"
	struct model_dcd *own = switch_model_add_dynamic(pooled.model, 2);

	own->hosts[0].answer = MODEL_HOST_ACCEPTS;
	show_pooled();
	ck_assert_uint_eq(change(METHOD_POST, OWN "/MemoryExtents", OWN "/MemoryExtents", PROPOSAL),
			  201);
	ck_assert_uint_eq(
		change(METHOD_POST, OWN_ADD, OWN_LD,
		       "{\"Policy\":\"Prescriptive\"," LIST(OWN "/MemoryExtents/Proposed-1") "}"),
		204);
	ck_assert_uint_eq(own->hosts[0].n_accepted, 1);
	expect_number(OWN_LD, "AvailableExtents", 63);
	/* It is the resource of the host's device, too. */
	ck_assert_ptr_nonnull(value_at(&f, "Log/@odata.id"));
	ck_assert_uint_eq(change(METHOD_POST,
				 OWN_LD "/Actions/CXLLogicalDevice.DynamicCapacityRelease", OWN_LD,
				 RELEASE("Prescriptive", false, false,
					 LIST(OWN "/MemoryExtents/LD0-0000001000000000"))),
			  204);
	ck_assert_uint_eq(own->hosts[0].n_accepted, 0);
	pooled.forbidden = true;
	show_pooled();
	ck_assert_uint_eq(get(&f, OWN_LD), 200);
	ck_assert_ptr_null(value_at(&f, "Actions"));
#undef OWN_ADD
#undef OWN_LD
#undef OWN
}
END_TEST

/* Another fabric manager was there between two readings. */
START_TEST(list_is_read_again_before_a_release)
{
	add_first();
	dcd->hosts[1].n_accepted = 0;
	dcd->hosts[1].generation++;
	ck_assert_uint_eq(release(RELEASE("Prescriptive", true, false, LIST(FIRST(1)))), 409);
	expect_message(0, "SwitchChangeFailed", "an extent to be released is not the host's now");
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5605), 0);
}
END_TEST

/* ---- another fabric manager, between the service's reading and its command ---- */

static void another_manager_adds(void)
{
	dcd->hosts[1].accepted[dcd->hosts[1].n_accepted++] =
		(struct model_extent){.start = 64 * GIB, .size = 256 * MIB};
	dcd->hosts[1].generation++;
}

static void another_manager_offers(void)
{
	dcd->hosts[1].offered[dcd->hosts[1].n_offered++] =
		(struct model_extent){.start = 64 * GIB, .size = 256 * MIB};
}

static void another_manager_releases(void)
{
	dcd->hosts[1].n_accepted = 0;
	dcd->hosts[1].generation++;
}

START_TEST(what_another_manager_gave_meanwhile_is_not_offered)
{
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	pooled.meanwhile = another_manager_adds;
	ck_assert_uint_eq(add(ADD_PROPOSED), 409);
	expect_message(0, "SwitchChangeFailed",
		       "Initiate Dynamic Capacity Add (5604h): Invalid Extent List");
	/* It is the other's, without this one's tag, and the proposal is still one. */
	ck_assert_uint_eq(get(&f, FIRST(1)), 200);
	ck_assert_ptr_null(value_at(&f, "Tag"));
	expect(EXTENTS "/Proposed-1", "Status/State", "StandbyOffline");
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 1);
}
END_TEST

START_TEST(what_another_manager_offered_meanwhile_is_not_offered_twice)
{
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	pooled.meanwhile = another_manager_offers;
	ck_assert_uint_eq(add(ADD_PROPOSED), 409);
	expect(EXTENTS "/Proposed-1", "Status/State", "StandbyOffline");
	expect_number(EXTENTS, "Members@odata.count", 1);
	ck_assert_uint_eq(dcd->hosts[1].n_offered, 1);
}
END_TEST

START_TEST(what_another_manager_took_meanwhile_is_not_released)
{
	add_first();
	pooled.meanwhile = another_manager_releases;
	ck_assert_uint_eq(release(RELEASE("Prescriptive", true, true, LIST(FIRST(1)))), 409);
	expect_message(0, "SwitchChangeFailed",
		       "Initiate Dynamic Capacity Release (5605h): Invalid Extent List");
	ck_assert_uint_eq(get(&f, FIRST(1)), 404);
	ck_assert_uint_eq(dcd->n_forced, 0);
	ck_assert_uint_eq(dcd->n_sanitized, 0);
}
END_TEST

/* ---- release ---- */

START_TEST(listed_extents_are_released)
{
	add_first();
	ck_assert_uint_eq(release(RELEASE("Prescriptive", false, true, LIST(FIRST(1)))), 204);
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 0);
	ck_assert_uint_eq(dcd->n_sanitized, 256 * MIB);
	ck_assert_uint_eq(dcd->n_forced, 0);
	ck_assert_uint_eq(get(&f, FIRST(1)), 404);
}
END_TEST

START_TEST(tagged_capacity_is_released)
{
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(add(ADD_BY("Free", 536870912)), 204);
	ck_assert_uint_eq(release(RELEASE("TagBased", false, false,
					  "\"Length\":536870912,\"Tag\":\"" TAG "\"")),
			  204);
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 0);
	ck_assert_uint_eq(dcd->n_sanitized, 0);
	ck_assert_uint_eq(release(RELEASE("TagBased", false, false,
					  "\"Length\":536870912,\"Tag\":\"" TAG "\"")),
			  409);
	expect_message(0, "SwitchChangeFailed", "the host has less capacity with this tag");
}
END_TEST

/* Each use of it counts alone: by its address, its region, its host. */
START_TEST(tag_is_used_again)
{
	static const char both[] = "{\"Policy\":\"Prescriptive\",\"ExtentList\":["
				   "{\"@odata.id\":\"" EXTENTS "/Proposed-1\"},"
				   "{\"@odata.id\":\"" EXTENTS "/Proposed-2\"}]}";

	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(
		propose("{\"ExtentOffsetMiB\":98304,\"ExtentSizeMiB\":256,\"Tag\":\"" TAG "\"}"),
		201);
	ck_assert_uint_eq(add(both), 204);
	ck_assert_uint_eq(add(ADD_BY("Free", 268435456)), 204);
	ck_assert_uint_eq(
		change(METHOD_POST, ACTION(2, "Add"), MLD_LD(2), ADD_BY("Free", 268435456)), 204);
	expect_number(EXTENTS, "Members@odata.count", 4);
	expect_number(REGIONS(1) "/dc0", "ExtentsCount", 2);
	ck_assert_uint_eq(release(RELEASE("TagBased", false, false,
					  "\"Length\":268435456,\"Tag\":\"" TAG "\"")),
			  204);
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 2);
	ck_assert_uint_eq(dcd->hosts[2].n_accepted, 1);
	/* More than this host has with the tag, but not more than all hosts. */
	ck_assert_uint_eq(release(RELEASE("TagBased", false, false,
					  "\"Length\":805306368,\"Tag\":\"" TAG "\"")),
			  409);
	expect_message(0, "SwitchChangeFailed", "the host has less capacity with this tag");
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 2);
}
END_TEST

START_TEST(nothing_is_taken_from_a_host_without_force)
{
	add_first();
	silence();
	ck_assert_uint_eq(release(RELEASE("Prescriptive", false, false, LIST(FIRST(1)))), 500);
	expect_message(0, "SwitchChangeFailed",
		       "the host of LD 1 has not released all of it within 0 s");
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 1);
	expect(FIRST(1), "Status/State", "Enabled");
	ck_assert_uint_eq(release(RELEASE("Prescriptive", true, false, LIST(FIRST(1)))), 204);
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 0);
	ck_assert_uint_eq(dcd->n_forced, 1);
}
END_TEST

/* ---- regions ---- */

static unsigned int patch_region(const char *uri, const char *body)
{
	return change(METHOD_PATCH, uri, uri, body);
}

/* The region with the number is that of all hosts. */
START_TEST(region_is_configured_for_all_hosts)
{
	ck_assert_uint_eq(patch_region(REGIONS(1) "/dc1", "{\"BlockSizeMiB\":1024}"), 200);
	expect_number(REGIONS(2) "/dc1", "BlockSizeMiB", 1024);
	ck_assert(dcd->regions[1].sanitized);
	ck_assert_uint_eq(patch_region(REGIONS(2) "/dc0", "{\"SanitizeOnRelease\":true}"), 200);
	ck_assert_uint_eq(get(&f, REGIONS(1) "/dc0"), 200);
	ck_assert(json_is_true(value_at(&f, "SanitizeOnRelease")));
	ck_assert_uint_eq(dcd->regions[0].block, 256 * MIB);
}
END_TEST

START_TEST(region_that_cannot_be_configured_so_is_left_alone)
{
	static const struct {
		const char *uri, *body, *key, *at;
	} wrong[] = {
		{REGIONS(1) "/dc1", "{\"BlockSizeMiB\":3}", "PropertyValueOutOfRange",
		 "#/BlockSizeMiB"},
		{REGIONS(1) "/dc1", "{\"BlockSizeMiB\":4}", "PropertyValueOutOfRange",
		 "#/BlockSizeMiB"},
		{REGIONS(1) "/dc1", "{\"BlockSizeMiB\":0}", "PropertyValueOutOfRange",
		 "#/BlockSizeMiB"},
		{REGIONS(1) "/dc1", "{\"SanitizeOnRelease\":false}", "PropertyNotWritable",
		 "#/SanitizeOnRelease"},
		{REGIONS(1) "/dc1", "{\"RegionSizeMiB\":1}", "PropertyNotWritable",
		 "#/RegionSizeMiB"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		ck_assert_msg(patch_region(wrong[i].uri, wrong[i].body) == 400, "%s",
			      wrong[i].body);
		expect_message(0, wrong[i].key, wrong[i].at);
	}
	ck_assert_uint_eq(change(METHOD_PATCH, REGIONS(1) "/dc1", NULL, "{\"BlockSizeMiB\":1024}"),
			  428);
	/* Another host has capacity of the other region; of that one it has none. */
	dcd->hosts[2].accepted[0] = (struct model_extent){.start = 64 * GIB, .size = 256 * MIB};
	dcd->hosts[2].n_accepted = 1;
	show_pooled();
	ck_assert_uint_eq(patch_region(REGIONS(1) "/dc0", "{\"SanitizeOnRelease\":true}"), 409);
	expect_message(0, "SwitchChangeFailed", "LD 2 has capacity of region 0");
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5602), 0);
	/* A device may demand more. */
	ck_assert_uint_eq(patch_region(REGIONS(1) "/dc1", "{\"BlockSizeMiB\":1024}"), 409);
	expect_message(0, "SwitchChangeFailed", "Set DC Region Configuration (5602h): Unsupported");
	pooled.forbidden = true;
	show_pooled();
	ck_assert_uint_eq(patch_region(REGIONS(1) "/dc1", "{\"BlockSizeMiB\":1024}"), 405);
	expect_message(0, "NotChangeable", "--allow=fabric");
	expect_number(REGIONS(1) "/dc1", "BlockSizeMiB", 2);
}
END_TEST

/* ---- parameters ---- */

START_TEST(policies_are_those_that_the_device_lists)
{
	dcd->add_policies = 1 << 2;
	dcd->release_policies = 1 << 1;
	show_pooled();
	ck_assert_uint_eq(get(&f, MLD_LD(1)), 200);
#define POLICIES(which)                                                                            \
	"Actions/#CXLLogicalDevice.DynamicCapacity" which "/Policy@Redfish.AllowableValues/"
	ck_assert_str_eq(at(&f, POLICIES("Add") "0"), "Prescriptive");
	ck_assert_ptr_null(value_at(&f, POLICIES("Add") "1"));
	ck_assert_str_eq(at(&f, POLICIES("Release") "0"), "Prescriptive");
	ck_assert_ptr_null(value_at(&f, POLICIES("Release") "1"));
#undef POLICIES
	ck_assert_uint_eq(add(ADD_BY("Free", 536870912)), 400);
	expect_message(0, "ActionParameterNotSupported", "#/Policy");
	ck_assert_uint_eq(add(ADD_BY("EnableSharedAccess", 536870912)), 400);
	expect_message(0, "ActionParameterNotSupported", "#/Policy");
	ck_assert_uint_eq(add(ADD_BY("Guess", 536870912)), 400);
	expect_message(0, "ActionParameterValueNotInList", "#/Policy");
	ck_assert_uint_eq(release(RELEASE("TagBased", false, false,
					  "\"Length\":536870912,\"Tag\":\"" TAG "\"")),
			  400);
	expect_message(0, "ActionParameterNotSupported", "#/Policy");
	/* Without any, there is no action. */
	dcd->add_policies = 1 << 3;
	show_pooled();
	ck_assert_uint_eq(get(&f, MLD_LD(1)), 200);
	ck_assert_ptr_null(value_at(&f, "Actions/#CXLLogicalDevice.DynamicCapacityAdd"));
	ck_assert_uint_eq(add(ADD_BY("EnableSharedAccess", 536870912)), 405);
}
END_TEST

START_TEST(wrong_parameters_are_refused_and_nothing_is_sent)
{
	static const struct {
		bool releases;
		const char *body, *key, *at;
	} wrong[] = {
		{false, "{}", "ActionParameterMissing", "#/Policy"},
		{false, "{\"Policy\":\"Prescriptive\"}", "ActionParameterMissing", "#/ExtentList"},
		{false, "{\"Policy\":\"Free\",\"Length\":268435456,\"Tag\":\"" TAG "\"}",
		 "ActionParameterMissing", "#/RegionNumber"},
		{false, "{\"Policy\":\"Free\",\"RegionNumber\":0,\"Length\":268435456}",
		 "ActionParameterMissing", "#/Tag"},
		{false, ADD_BY("Free", 1), "ActionParameterValueError", "#/Length"},
		{false, ADD_BY("Free", 0), "ActionParameterValueError", "#/Length"},
		{false, ADD_BY("Free", 8589934592), "ActionParameterValueError", "#/Length"},
		{false,
		 "{\"Policy\":\"Free\",\"RegionNumber\":5,\"Length\":268435456,\"Tag\":\"" TAG
		 "\"}",
		 "ActionParameterValueError", "#/RegionNumber"},
		{false,
		 "{\"Policy\":\"Free\",\"RegionNumber\":0,\"Length\":268435456,\"Tag\":\"7\"}",
		 "ActionParameterValueFormatError", "#/Tag"},
		{false, "{\"Policy\":\"Prescriptive\"," LIST(EXTENTS "/Proposed-9") "}",
		 "ActionParameterValueError", "#/ExtentList/0"},
		{false, "{\"Policy\":\"Prescriptive\"," LIST(MLD_LD(1)) "}",
		 "ActionParameterValueError", "#/ExtentList/0"},
		{false, "{\"Policy\":\"Prescriptive\",\"ExtentList\":[]}", "ArraySizeTooShort",
		 "#/ExtentList"},
		{false,
		 "{\"Policy\":\"Prescriptive\",\"Length\":1," LIST(EXTENTS "/Proposed-1") "}",
		 "ActionParameterValueConflict", "#/Length"},
		{true, "{\"Policy\":\"Prescriptive\"," LIST(FIRST(1)) "}", "ActionParameterMissing",
		 "#/ForcedRemoval"},
		{true, RELEASE("TagBased", false, false, "\"Tag\":\"" TAG "\""),
		 "ActionParameterMissing", "#/Length"},
		{true, RELEASE("Prescriptive", false, false, LIST(EXTENTS "/Proposed-1")),
		 "ActionParameterValueError", "#/ExtentList/0"},
		{true, RELEASE("Prescriptive", 1, false, LIST(FIRST(1))),
		 "ActionParameterValueTypeError", "#/ForcedRemoval"},
	};

	ck_assert_uint_eq(propose(PROPOSAL), 201);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		ck_assert_msg((wrong[i].releases ? release : add)(wrong[i].body) == 400,
			      "row %zu: %u", i, f.res.status);
		expect_message(0, wrong[i].key, wrong[i].at);
	}
	ck_assert_uint_eq(change(METHOD_POST, ACTION(1, "Add"), NULL, ADD_PROPOSED), 428);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5604), 0);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5605), 0);
}
END_TEST

START_TEST(without_permission_there_is_nothing_to_be_changed)
{
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	pooled.forbidden = true;
	show_pooled();
	ck_assert_uint_eq(propose(PROPOSAL), 405);
	expect_message(0, "NotChangeable", "--allow=fabric");
	ck_assert_uint_eq(change(METHOD_DELETE, EXTENTS "/Proposed-1", EXTENTS "/Proposed-1", NULL),
			  405);
	ck_assert_uint_eq(add(ADD_PROPOSED), 405);
	expect_message(0, "NotChangeable", "--allow=fabric");
	ck_assert_uint_eq(get(&f, MLD_LD(1)), 200);
	ck_assert_ptr_null(value_at(&f, "Actions/#CXLLogicalDevice.DynamicCapacityAdd"));
}
END_TEST

/*
 * DSP2066 1.1.0, 8.4.3: the two ends are connected; then capacity is given, "and auto populates the
 * memory chunk information using the extents allocated by the device". The kernel here is the
 * model's: Linux 7.3 accepts no dynamic capacity.
 */
START_TEST(dsp2066_8_4_3_access_by_dynamic_allocation)
{
	static const struct dax_extent reported = {.name = "extent0.0", .last = 256 * MIB - 1};
	struct dax_region dax = {0};
	struct decoder *d = (struct decoder *)(uintptr_t)pooled.ld->endpoint->decoders[0];

	expect(BINDING(0, 1), "ConnectionType", "Memory");
	ck_assert_ptr_nonnull(value_at(&f, "Links/TargetEndpoints/0/@odata.id"));
	answer(MODEL_HOST_ACCEPTS);
	ck_assert_uint_eq(propose(PROPOSAL), 201);
	ck_assert_uint_eq(change(METHOD_POST, ACTION(0, "Add"), MLD_LD(0), ADD_PROPOSED), 204);
	ck_assert_uint_eq(get(&f, FIRST(0)), 200);
	ck_assert_ptr_null(value_at(&f, "MemoryChunks"));

	/* The host makes a region of it. */
	d->dpa_resource = OPT_U64(64 * GIB);
	if (pooled.region->dax)
		dax = *pooled.region->dax;
	dax.extents = &reported;
	dax.n_extents = 1;
	pooled.region->dax = &dax;
	show_pooled();
	ck_assert_uint_eq(get(&f, FIRST(0)), 200);
	ck_assert_ptr_nonnull(
		strstr(at(&f, "MemoryChunks/0/ChunkLink/@odata.id"), "/MemoryChunks/"));
	ck_assert_int_eq(json_integer_value(value_at(&f, "MemoryChunks/0/ChunkOffsetMiB")), 0);

	/* It uses the region, so it does not release the extent. */
	silence();
	ck_assert_uint_eq(change(METHOD_POST, ACTION(0, "Release"), MLD_LD(0),
				 RELEASE("Prescriptive", false, false, LIST(FIRST(0)))),
			  500);
	expect_message(0, "SwitchChangeFailed", "it keeps it until it does");
	ck_assert_uint_eq(dcd->hosts[0].n_accepted, 1);
	ck_assert_uint_eq(get(&f, FIRST(0)), 200);
	ck_assert_ptr_nonnull(value_at(&f, "MemoryChunks/0/ChunkLink/@odata.id"));
	pooled.region->dax = NULL;
}
END_TEST

/* ---- roles ---- */

static struct accounts_fixture accounts;
static char token[TOKEN_CHARS];

static void start_with_accounts(void)
{
	log_setup("check_dynamic_writes", LOG_LEVEL_ERR);
	start_accounts(&accounts, "check_dynamic_writes");
	dcd = start_pooled_dynamic(accounts.accounts);
}

static void stop_with_accounts(void)
{
	stop_pooled();
	stop_accounts(&accounts);
}

START_TEST(only_an_administrator_may_force)
{
	pooled.token = log_in(&f, "reader", "ReadOnly", token);
	ck_assert_uint_eq(propose(PROPOSAL), 403);
	ck_assert_uint_eq(add(ADD_BY("Free", 268435456)), 403);
	pooled.token = log_in(&f, "ops", "Operator", token);
	add_first();
	ck_assert_uint_eq(release(RELEASE("Prescriptive", true, false, LIST(FIRST(1)))), 403);
	expect_message(0, "InsufficientPrivilege", "#/ForcedRemoval");
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 1);
	pooled.token = log_in(&f, "admin2", "Administrator", token);
	ck_assert_uint_eq(release(RELEASE("Prescriptive", true, false, LIST(FIRST(1)))), 204);
	pooled.token = NULL;
	ck_assert_uint_eq(dcd->hosts[1].n_accepted, 0);
}
END_TEST

static TCase *writes_case(void)
{
	TCase *t = tcase_create("writes");

	tcase_add_checked_fixture(t, start_all, stop_pooled);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, extent_is_proposed_and_withdrawn);
	tcase_add_test(t, extent_that_no_host_can_have_is_refused);
	tcase_add_test(t, proposals_have_a_limit);
	tcase_add_test(t, accepted_extent_is_not_deleted);
	tcase_add_test(t, another_device_on_the_port_has_no_proposals);
	tcase_add_test(t, proposed_extent_becomes_the_hosts);
	tcase_add_test(t, device_selects_where_by_free_and_contiguous);
	tcase_add_test(t, host_is_waited_for);
	tcase_add_test(t, device_may_forget_tags);
	tcase_add_test(t, host_that_does_not_answer_has_it_pending);
	tcase_add_test(t, pending_capacity_that_the_device_places_has_no_offset);
	tcase_add_test(t, changes_of_one_host_that_could_be_confused_are_refused);
	tcase_add_test(t, refused_command_leaves_the_proposal);
	tcase_add_test(t, offer_whose_effect_is_not_known_is_pending);
	tcase_add_test(t, second_host_has_addresses_of_its_own);
	tcase_add_test(t, device_that_the_host_sees_undivided_is_changed);
	tcase_add_test(t, list_is_read_again_before_a_release);
	tcase_add_test(t, what_another_manager_gave_meanwhile_is_not_offered);
	tcase_add_test(t, what_another_manager_offered_meanwhile_is_not_offered_twice);
	tcase_add_test(t, what_another_manager_took_meanwhile_is_not_released);
	tcase_add_test(t, listed_extents_are_released);
	tcase_add_test(t, tagged_capacity_is_released);
	tcase_add_test(t, tag_is_used_again);
	tcase_add_test(t, nothing_is_taken_from_a_host_without_force);
	tcase_add_test(t, region_is_configured_for_all_hosts);
	tcase_add_test(t, region_that_cannot_be_configured_so_is_left_alone);
	tcase_add_test(t, policies_are_those_that_the_device_lists);
	tcase_add_test(t, wrong_parameters_are_refused_and_nothing_is_sent);
	tcase_add_test(t, without_permission_there_is_nothing_to_be_changed);
	tcase_add_test(t, dsp2066_8_4_3_access_by_dynamic_allocation);
	return t;
}

SUITE(check_dynamic_writes)
{
	Suite *s = suite_create("dynamic_writes");
	TCase *a = tcase_create("roles");

	suite_add_tcase(s, writes_case());
	tcase_add_checked_fixture(a, start_with_accounts, stop_with_accounts);
	tcase_set_timeout(a, 60);
	tcase_add_test(a, only_an_administrator_may_force);
	suite_add_tcase(s, a);
	return s;
}
