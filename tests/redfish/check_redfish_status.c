// SPDX-License-Identifier: LGPL-2.1-or-later
/* Health and conditions: what devices say of themselves, and who refers to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define MODULE ROOT "/Chassis/cxl-000000000000abc0"
#define ENTIRE ROOT "/Chassis/Host"

#define STATE	    "Status/State"
#define HEALTH	    "Status/Health"
#define ROLLUP	    "Status/HealthRollup"
#define CONDITION_0 "Status/Conditions/0/"
#define CONDITION_1 "Status/Conditions/1/"
#define REGISTRY    ROOT "/Registries/CXLHost.1.0.0/CXLHost.1.0.0.json"

static struct fixture f;
static struct mailbox mailboxes[4];
static struct mailbox *const said = &mailboxes[0]; /* by mem0 */

static void setup(void)
{
	fixture_init(&f, NULL);
	fixture_use_healthy(&f, mailboxes);
}

static void teardown(void)
{
	fixture_done(&f);
}

static void look(const char *uri)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, uri), 200);
}

static size_t n_conditions(void)
{
	return json_array_size(value_at(&f, "Status/Conditions"));
}

static void expect_one(const char *message_id, const char *health)
{
	look(MEM0);
	ck_assert_uint_eq(n_conditions(), 1);
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), message_id);
	ck_assert_str_eq(at(&f, CONDITION_0 "Severity"), health);
	ck_assert_str_eq(at(&f, HEALTH), health);
}

START_TEST(healthy_devices_have_health_and_no_conditions)
{
	static const char *const rollups[] = {MODULE, ENTIRE, SYSTEM};

	look(MEM0);
	ck_assert_str_eq(at(&f, STATE), "Enabled");
	ck_assert_str_eq(at(&f, HEALTH), "OK");
	ck_assert_uint_eq(n_conditions(), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rollups); i++) {
		look(rollups[i]);
		ck_assert_str_eq(at(&f, ROLLUP), "OK");
		ck_assert_uint_eq(n_conditions(), 0);
		ck_assert_ptr_null(at(&f, HEALTH));
	}
}
END_TEST

START_TEST(device_and_host_without_data_have_no_health)
{
	f.readings.mailboxes[0] = NULL;
	look(MEM0);
	ck_assert_str_eq(at(&f, STATE), "Enabled");
	ck_assert_ptr_null(at(&f, HEALTH));
	look(MODULE);
	ck_assert_ptr_null(at(&f, ROLLUP));
	look(SYSTEM);
	ck_assert_ptr_null(at(&f, ROLLUP));
	/* One unhealthy device still sets the health of the host. */
	mailboxes[3].replacement_needed = true;
	look(SYSTEM);
	ck_assert_str_eq(at(&f, ROLLUP), "Critical");
	ck_assert_uint_eq(n_conditions(), 1);
}
END_TEST

START_TEST(a_device_that_does_not_answer_is_a_condition_of_its_own)
{
	*said = (struct mailbox){.unresponsive = true};
	expect_one("CXLHost.1.0.DeviceNotAnswering", "Warning");
	look(SYSTEM);
	ck_assert_str_eq(at(&f, ROLLUP), "Warning");
}
END_TEST

START_TEST(device_with_incomplete_health_is_not_healthy)
{
	said->media.present = false;
	look(MEM0);
	ck_assert_ptr_null(at(&f, HEALTH));
	said->maintenance_needed = true;
	look(MEM0);
	ck_assert_str_eq(at(&f, HEALTH), "Warning");
	said->has_health = false;
	look(MEM0);
	ck_assert_ptr_null(at(&f, HEALTH));
	ck_assert_uint_eq(n_conditions(), 0);
}
END_TEST

START_TEST(each_state_of_the_media_is_its_own_condition)
{
	static const struct {
		const char *message_id, *health;
	} expected[MEDIA_STATES] = {
		[MEDIA_NOT_READY] = {"MediaNotReady", "Critical"},
		[MEDIA_PERSISTENCE_LOST] = {"WritePersistencyLost", "Critical"},
		[MEDIA_DATA_LOST] = {"AllDataLost", "Critical"},
		[MEDIA_POWERLOSS_PERSISTENCE_LOSS] = {"WritePersistencyLossOnPowerLoss", "Warning"},
		[MEDIA_SHUTDOWN_PERSISTENCE_LOSS] = {"WritePersistencyLossOnShutdown", "Warning"},
		[MEDIA_PERSISTENCE_LOSS_IMMINENT] = {"WritePersistencyLossImminent", "Critical"},
		[MEDIA_POWERLOSS_DATA_LOSS] = {"AllDataLossOnPowerLoss", "Warning"},
		[MEDIA_SHUTDOWN_DATA_LOSS] = {"AllDataLossOnShutdown", "Warning"},
		[MEDIA_DATA_LOSS_IMMINENT] = {"AllDataLossImminent", "Critical"},
	};
	char message_id[64];

	for (int state = MEDIA_NOT_READY; state < MEDIA_STATES; state++) {
		said->media = OPT_INT(state);
		(void)snprintf(message_id, sizeof(message_id), "CXLHost.1.0.%s",
			       expected[state].message_id);
		expect_one(message_id, expected[state].health);
	}
}
END_TEST

START_TEST(each_flag_and_level_is_its_own_condition)
{
	said->maintenance_needed = true;
	expect_one("CXLHost.1.0.MaintenanceNeeded", "Warning");
	said->maintenance_needed = false;
	said->performance_degraded = true;
	expect_one("CXLHost.1.0.PerformanceDegraded", "Warning");
	said->performance_degraded = false;
	said->replacement_needed = true;
	expect_one("CXLHost.1.0.ReplacementNeeded", "Critical");
	said->replacement_needed = false;
	said->capacity_degraded = true;
	expect_one("CXLHost.1.0.CapacityDegraded", "Warning");
	said->capacity_degraded = false;
	said->life_used_level = OPT_INT(LEVEL_WARNING);
	expect_one("CXLHost.1.0.LifeUsedWarning", "Warning");
	said->life_used_level = OPT_INT(LEVEL_CRITICAL);
	expect_one("CXLHost.1.0.LifeUsedCritical", "Critical");
	said->life_used_level = OPT_INT(LEVEL_NORMAL);
	said->temperature_level = OPT_INT(LEVEL_WARNING);
	expect_one("CXLHost.1.0.TemperatureWarning", "Warning");
	said->temperature_level = OPT_INT(LEVEL_CRITICAL);
	expect_one("CXLHost.1.0.TemperatureCritical", "Critical");
}
END_TEST

START_TEST(corrected_errors_above_a_threshold_are_reported_with_it)
{
	said->corrected_volatile_warning = true;
	said->alerts[ALERT_CORRECTED_VOLATILE].warning = OPT_INT(500);
	expect_one("CXLHost.1.0.CorrectedVolatileErrors", "Warning");
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageArgs/0"), "500");
	ck_assert_str_eq(
		at(&f, CONDITION_0 "Message"),
		"Corrected errors in volatile memory exceed the device's warning threshold, which is 500.");
	said->corrected_volatile_warning = false;
	said->corrected_persistent_warning = true;
	expect_one("CXLHost.1.0.CorrectedPersistentErrors", "Warning");
	ck_assert_str_eq(
		at(&f, CONDITION_0 "Message"),
		"Corrected errors in persistent memory exceed the device's warning threshold, which is unknown.");
}
END_TEST

START_TEST(a_device_may_have_all_conditions_at_once)
{
	*said = (struct mailbox){
		.has_health = true,
		.maintenance_needed = true,
		.performance_degraded = true,
		.replacement_needed = true,
		.capacity_degraded = true,
		.corrected_volatile_warning = true,
		.corrected_persistent_warning = true,
		.media = OPT_INT(MEDIA_DATA_LOST),
		.life_used_level = OPT_INT(LEVEL_CRITICAL),
		.temperature_level = OPT_INT(LEVEL_CRITICAL),
		.alerts[ALERT_CORRECTED_VOLATILE].warning = OPT_INT(1),
		.alerts[ALERT_CORRECTED_PERSISTENT].warning = OPT_INT(65535),
	};
	look(MEM0);
	ck_assert_uint_eq(n_conditions(), 9);
	ck_assert_str_eq(at(&f, "Status/Conditions/7/MessageArgs/0"), "1");
	ck_assert_str_eq(at(&f, "Status/Conditions/8/MessageArgs/0"), "65535");
}
END_TEST

START_TEST(conditions_of_related_resources_refer_to_the_memory)
{
	static const char *const related[] = {MODULE, ENTIRE, SYSTEM};

	said->replacement_needed = true;
	for (size_t i = 0; i < ARRAY_SIZE(related); i++) {
		look(related[i]);
		ck_assert_str_eq(at(&f, ROLLUP), "Critical");
		ck_assert_uint_eq(n_conditions(), 1);
		ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"),
				 "Base.1.22.ConditionInRelatedResource");
		ck_assert_str_eq(at(&f, CONDITION_0 "Severity"), "Critical");
		ck_assert_str_eq(at(&f, CONDITION_0 "OriginOfCondition/@odata.id"), MEM0);
	}
	mailboxes[1].maintenance_needed = true;
	look(SYSTEM);
	ck_assert_str_eq(at(&f, CONDITION_0 "Severity"), "Critical");
	ck_assert_str_eq(at(&f, CONDITION_1 "Severity"), "Warning");
	ck_assert_str_eq(at(&f, CONDITION_1 "OriginOfCondition/@odata.id"),
			 SYSTEM "/Memory/cxl-000000000000abc1");
}
END_TEST

#define WINDOW SYSTEM "/MemoryDomains/decoder0.0"
#define FABRIC ROOT "/Fabrics/CXL"

START_TEST(resources_above_a_device_combine_its_health)
{
	static const char *const combined[] = {REGION, WINDOW, FABRIC, MODULE "/FabricAdapters/1"};
	static const struct {
		bool critical;
		const char *rollup;
	} cases[] = {{false, "OK"}, {true, "Critical"}};

	for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
		said->replacement_needed = cases[k].critical;
		for (size_t i = 0; i < ARRAY_SIZE(combined); i++) {
			look(combined[i]);
			ck_assert_msg(at(&f, ROLLUP), "%s", combined[i]);
			ck_assert_str_eq(at(&f, ROLLUP), cases[k].rollup);
			ck_assert_uint_eq(n_conditions(), cases[k].critical);
			if (cases[k].critical)
				ck_assert_str_eq(at(&f, CONDITION_0 "OriginOfCondition/@odata.id"),
						 MEM0);
		}
	}
	/* The region itself has no fault. */
	look(REGION);
	ck_assert_str_eq(at(&f, HEALTH), "OK");
}
END_TEST

START_TEST(an_incomplete_region_is_unhealthy_with_the_reason)
{
	struct region_target *t = (struct region_target *)(uintptr_t)&f.region->targets[1];

	t->memdev = NULL;
	t->decoder = NULL;
	t->decoder_name = NULL;
	look(REGION);
	ck_assert_str_eq(at(&f, HEALTH), "Critical");
	ck_assert_str_eq(at(&f, ROLLUP), "Critical");
	ck_assert_uint_eq(n_conditions(), 1);
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), "CXLHost.1.0.RegionDeviceGone");
	ck_assert_str_eq(
		at(&f, CONDITION_0 "Message"),
		"The region is committed, but there is no memory device at position 1, of 0..1: accesses to that part of its memory fail.");
	f.region->commit = REGION_NOT_COMMITTED;
	look(REGION);
	ck_assert_str_eq(at(&f, HEALTH), "Warning");
	ck_assert_uint_eq(n_conditions(), 1);
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), "CXLHost.1.0.RegionIncomplete");
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageArgs/0"), "1");
	/* It is seen from above. */
	look(WINDOW);
	ck_assert_str_eq(at(&f, ROLLUP), "Warning");
	ck_assert_str_eq(at(&f, CONDITION_0 "OriginOfCondition/@odata.id"), REGION);
	look(SYSTEM);
	ck_assert_str_eq(at(&f, ROLLUP), "Warning");
	ck_assert_str_eq(at(&f, CONDITION_0 "OriginOfCondition/@odata.id"), REGION);
}
END_TEST

START_TEST(a_region_without_user_is_unhealthy_and_one_of_unknown_state_has_no_health)
{
	f.region->dax = NULL;
	look(REGION);
	ck_assert_str_eq(at(&f, HEALTH), "Warning");
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), "CXLHost.1.0.RegionNoDAXDevice");
	f.region->mode = DECODER_MODE_PMEM;
	look(REGION);
	ck_assert_str_eq(at(&f, HEALTH), "OK");
	f.region->enabled = false;
	look(REGION);
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), "CXLHost.1.0.RegionNoDriver");
	f.region->commit = REGION_COMMIT_UNKNOWN;
	look(REGION);
	ck_assert_ptr_null(at(&f, HEALTH));
	ck_assert_str_eq(at(&f, ROLLUP), "OK");
}
END_TEST

START_TEST(a_device_that_sanitizes_is_updating)
{
	static const struct memdev_security sanitize = {.state = "sanitize"};

	f.readings.securities[0] = &sanitize;
	look(MEM0);
	ck_assert_str_eq(at(&f, STATE), "Updating");
	ck_assert_str_eq(at(&f, HEALTH), "OK");
	ck_assert_uint_eq(n_conditions(), 1);
	ck_assert_str_eq(at(&f, CONDITION_0 "MessageId"), "CXLHost.1.0.Sanitizing");
	ck_assert_str_eq(at(&f, CONDITION_0 "Severity"), "OK");
	ck_assert_ptr_null(at(&f, "SecurityState"));
	f.readings.securities[0] = NULL;
	said->media = OPT_INT(MEDIA_NOT_READY);
	look(MEM0);
	ck_assert_str_eq(at(&f, STATE), "UnavailableOffline");
}
END_TEST

START_TEST(what_a_device_reports_itself_is_apart)
{
	static const char reported[] = "Oem/CXLHost/ReportedHealth";

	look(MEM0);
	ck_assert_str_eq(at(&f, reported), "OK");
	said->maintenance_needed = true;
	look(MEM0);
	ck_assert_str_eq(at(&f, reported), "Warning");
	f.readings.mailboxes[0] = NULL;
	look(MEM0);
	ck_assert_ptr_null(at(&f, reported));
}
END_TEST

START_TEST(a_host_lists_some_unhealthy_devices_and_counts_the_rest)
{
	static const struct mailbox unhealthy = {.has_health = true, .replacement_needed = true};

	said->maintenance_needed = true;
	f.readings.others = &unhealthy;
	for (int i = 0; i < 31; i++)
		(void)model_memdev(&f.model,
				   (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent);
	look(SYSTEM);
	ck_assert_uint_eq(n_conditions(), 32);
	ck_assert_str_eq(at(&f, "Status/Conditions/31/MessageId"),
			 "Base.1.22.ConditionInRelatedResource");
	(void)model_memdev(&f.model, (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent);
	(void)model_memdev(&f.model, (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent);
	look(SYSTEM);
	ck_assert_uint_eq(n_conditions(), 33);
	ck_assert_str_eq(at(&f, "Status/Conditions/32/MessageId"), "CXLHost.1.0.MoreDevices");
	ck_assert_str_eq(at(&f, "Status/Conditions/32/MessageArgs/0"), "2");
	ck_assert_str_eq(at(&f, "Status/Conditions/32/Severity"), "Critical");
	ck_assert_str_eq(at(&f, ROLLUP), "Critical");
}
END_TEST

START_TEST(a_condition_is_worded_as_the_registry_that_is_served)
{
	const char *message_id, *key;
	char path[96], text[256];

	said->corrected_volatile_warning = true;
	said->media = OPT_INT(MEDIA_POWERLOSS_DATA_LOSS);
	for (size_t i = 0; i < 2; i++) {
		look(MEM0);
		(void)snprintf(path, sizeof(path), "Status/Conditions/%zu/MessageId", i);
		message_id = at(&f, path);
		ck_assert_ptr_nonnull(message_id);
		key = strrchr(message_id, '.') + 1;
		(void)snprintf(path, sizeof(path), "Messages/%s/Message", key);
		(void)snprintf(text, sizeof(text), "%s",
			       at(&f, i == 0 ? CONDITION_0 "Message" : CONDITION_1 "Message"));
		ck_assert_uint_eq(get(&f, REGISTRY), 200);
		ck_assert_ptr_nonnull(at(&f, path));
		if (i == 0)
			ck_assert_str_eq(at(&f, path), text);
		else
			ck_assert_str_eq(
				at(&f, path),
				"Corrected errors in volatile memory exceed the device's warning threshold, which is %1.");
	}
}
END_TEST

START_TEST(the_registry_that_is_not_released_has_no_history)
{
	const char *key;
	json_t *message;

	look(REGISTRY);
	ck_assert_uint_gt(json_object_size(value_at(&f, "Messages")), 0);
	json_object_foreach(value_at(&f, "Messages"), key, message)
		ck_assert_msg(!json_object_get(message, "VersionAdded"), "%s", key);
	ck_assert_str_eq(at(&f, "RegistryVersion"), "1.0.0");
}
END_TEST

START_TEST(each_registry_file_has_its_location)
{
	look(ROOT "/Registries/CXLHost.1.0.0");
	ck_assert_str_eq(at(&f, "Registry"), "CXLHost.1.0");
	ck_assert_str_eq(at(&f, "Location/0/Uri"), REGISTRY);
	look(REGISTRY);
	ck_assert_str_eq(at(&f, "Id"), "CXLHost.1.0.0");
	ck_assert_ptr_null(at(&f, "@odata.id"));
	ck_assert_ptr_nonnull(strstr(f.res.body->described_by, "/MessageRegistry.v1_7_0.json"));
	look(ROOT "/Registries/ResourceEvent.1.4.3");
	ck_assert_str_eq(at(&f, "Location/0/PublicationUri"),
			 "https://redfish.dmtf.org/registries/ResourceEvent.1.4.3.json");
	ck_assert_ptr_null(at(&f, "Location/0/Uri"));
}
END_TEST

SUITE(check_redfish_status)
{
	Suite *s = suite_create("redfish status");
	TCase *status = tcase_create("status"), *registry = tcase_create("registry");

	tcase_add_checked_fixture(status, setup, teardown);
	tcase_add_test(status, healthy_devices_have_health_and_no_conditions);
	tcase_add_test(status, device_and_host_without_data_have_no_health);
	tcase_add_test(status, a_device_that_does_not_answer_is_a_condition_of_its_own);
	tcase_add_test(status, device_with_incomplete_health_is_not_healthy);
	tcase_add_test(status, each_state_of_the_media_is_its_own_condition);
	tcase_add_test(status, each_flag_and_level_is_its_own_condition);
	tcase_add_test(status, corrected_errors_above_a_threshold_are_reported_with_it);
	tcase_add_test(status, a_device_may_have_all_conditions_at_once);
	tcase_add_test(status, conditions_of_related_resources_refer_to_the_memory);
	tcase_add_test(status, resources_above_a_device_combine_its_health);
	tcase_add_test(status, an_incomplete_region_is_unhealthy_with_the_reason);
	tcase_add_test(status,
		       a_region_without_user_is_unhealthy_and_one_of_unknown_state_has_no_health);
	tcase_add_test(status, a_device_that_sanitizes_is_updating);
	tcase_add_test(status, what_a_device_reports_itself_is_apart);
	tcase_add_test(status, a_host_lists_some_unhealthy_devices_and_counts_the_rest);
	suite_add_tcase(s, status);

	tcase_add_checked_fixture(registry, setup, teardown);
	tcase_add_test(registry, a_condition_is_worded_as_the_registry_that_is_served);
	tcase_add_test(registry, the_registry_that_is_not_released_has_no_history);
	tcase_add_test(registry, each_registry_file_has_its_location);
	suite_add_tcase(s, registry);
	return s;
}
