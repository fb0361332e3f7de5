// SPDX-License-Identifier: LGPL-2.1-or-later
/* Memory and what hangs below it: metrics, temperature, event log. */
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define METRICS	    MEM0 "/MemoryMetrics"
#define ENVIRONMENT MEM0 "/EnvironmentMetrics"
#define LOG	    MEM0 "/DeviceLog"
#define ALERTS	    "Oem/CXLHost/Alerts/"

static struct fixture f;
static struct mailbox mailbox;
static struct mailbox *const said = &mailbox; /* by mem0 */

static void setup(void)
{
	fixture_init(&f, NULL);
	mailbox = (struct mailbox){0};
	f.readings.mailboxes[0] = &mailbox;
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

static long long number(const char *path)
{
	ck_assert_msg(json_is_integer(value_at(&f, path)), "%s is no number", path);
	return json_integer_value(value_at(&f, path));
}

static void expect_absent(const char *path)
{
	ck_assert_msg(!value_at(&f, path), "%s is there", path);
}

START_TEST(subordinate_resources_exist_without_readings)
{
	static const struct {
		const char *uri, *property;
	} below[] = {{METRICS, "Metrics"}, {ENVIRONMENT, "EnvironmentMetrics"}, {LOG, "Log"}};

	for (size_t i = 0; i < ARRAY_SIZE(below); i++) {
		look(MEM0);
		ck_assert_str_eq(json_string_value(json_object_get(value_at(&f, below[i].property),
								   "@odata.id")),
				 below[i].uri);
		f.readings.mailboxes[0] = NULL;
		look(below[i].uri);
		expect_absent("CapacityUtilizationPercent");
		expect_absent("HealthData");
		expect_absent("CXL");
		expect_absent("Oem/CXLHost/Alerts");
		expect_absent("Oem/CXLHost/Device/MaxNumberOfRecords");
		expect_absent("TemperatureCelsius");
		expect_absent("MaxNumberOfRecords");
		expect_absent("Persistency");
	}
	ck_assert_str_eq(at(&f, "LogEntryType"), "Multiple");
	/* There is no store that would know. */
	expect_absent("OverWritePolicy");
	expect_absent("Overflow");
}
END_TEST

START_TEST(life_left_is_the_rest_of_life_used)
{
	said->has_health = true;
	said->life_used_percent = OPT_U64(97);
	look(METRICS);
	ck_assert_int_eq(number("CapacityUtilizationPercent"), 97);
	ck_assert_int_eq(number("HealthData/PredictedMediaLifeLeftPercent"), 3);
	said->life_used_percent.present = false;
	look(METRICS);
	expect_absent("CapacityUtilizationPercent");
	expect_absent("HealthData/PredictedMediaLifeLeftPercent");
}
END_TEST

START_TEST(health_data_shows_the_raised_alerts)
{
	said->has_health = true;
	said->media = OPT_INT(MEDIA_DATA_LOST);
	said->performance_degraded = true;
	said->life_used_level = OPT_INT(LEVEL_WARNING);
	said->temperature_level = OPT_INT(LEVEL_NORMAL);
	said->corrected_persistent_warning = true;
	said->shutdown_dirty = OPT_BOOL(true);
	look(METRICS);
	ck_assert_str_eq(at(&f, "HealthData/DataLossDetected"), "true");
	ck_assert_str_eq(at(&f, "HealthData/PerformanceDegraded"), "true");
	ck_assert_str_eq(at(&f, "HealthData/AlarmTrips/SpareBlock"), "true");
	ck_assert_str_eq(at(&f, "HealthData/AlarmTrips/Temperature"), "false");
	ck_assert_str_eq(at(&f, "HealthData/AlarmTrips/CorrectableECCError"), "true");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/ShutdownStateDirty"), "true");
	expect_absent("HealthData/LastShutdownSuccess");
	said->media.present = said->temperature_level.present = false;
	look(METRICS);
	expect_absent("HealthData/DataLossDetected");
	expect_absent("HealthData/AlarmTrips/Temperature");
}
END_TEST

START_TEST(thresholds_are_shown_as_far_as_they_are_known)
{
	said->has_alerts = true;
	said->alerts[ALERT_UNDER_TEMPERATURE] = (struct mailbox_alert){
		.valid = true, .critical = OPT_INT(-10), .warning = OPT_INT(-5)};
	said->alerts[ALERT_CORRECTED_VOLATILE] = (struct mailbox_alert){.programmable = true};
	look(METRICS);
	ck_assert_int_eq(number(ALERTS "UnderTemperatureCelsius/CriticalThreshold"), -10);
	ck_assert_int_eq(number(ALERTS "UnderTemperatureCelsius/WarningThreshold"), -5);
	ck_assert_str_eq(at(&f, ALERTS "UnderTemperatureCelsius/Valid"), "true");
	ck_assert_str_eq(at(&f, ALERTS "CorrectedVolatileErrorCount/Programmable"), "true");
	expect_absent(ALERTS "CorrectedVolatileErrorCount/WarningThreshold");
	ck_assert_str_eq(at(&f, "CXL/AlertCapabilities/Temperature"), "true");
	/* It can be programmed, and is not valid yet. */
	ck_assert_str_eq(at(&f, "CXL/AlertCapabilities/CorrectableECCError"), "true");
	ck_assert_str_eq(at(&f, "CXL/AlertCapabilities/SpareBlock"), "false");
	expect_absent("CXL/AlertCapabilities/UncorrectableECCError");
}
END_TEST

START_TEST(a_temperature_may_be_below_zero)
{
	said->temperature = OPT_INT(-40);
	look(ENVIRONMENT);
	ck_assert_int_eq(number("TemperatureCelsius/Reading"), -40);
}
END_TEST

START_TEST(the_security_state_is_that_of_the_kernel)
{
	static const struct {
		const char *kernel, *state, *passphrase;
		bool attempts;
	} words[] = {
		{"disabled", "Disabled", "false", false}, {"unlocked", "Enabled", "true", true},
		{"locked", "Locked", "true", true},	  {"frozen", "Frozen", "true", false},
		{"sanitize", NULL, NULL, false},	  {NULL, NULL, NULL, false},
	};

	f.memdevs[0]->pmem_size = OPT_U64(MIB_256);
	f.memdevs[0]->has_nvdimm = true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		f.memdevs[0]->security_state = words[i].kernel;
		look(MEM0);
		ck_assert_pstr_eq(at(&f, "SecurityState"), words[i].state);
		expect_absent("Regions/0/PassphraseEnabled");
		ck_assert_pstr_eq(at(&f, "Regions/1/PassphraseEnabled"), words[i].passphrase);
		ck_assert(words[i].attempts == (value_at(&f, "SecurityStates") != NULL));
	}
}
END_TEST

/* Whatever the kernel says but "disabled" it can only have from the device. */
START_TEST(security_is_disabled_only_when_the_device_was_queried)
{
	f.memdevs[0]->pmem_size = OPT_U64(MIB_256);
	f.memdevs[0]->security_state = "disabled";
	look(MEM0);
	expect_absent("SecurityState");
	expect_absent("Regions/1/PassphraseEnabled");
	f.memdevs[0]->security_state = "locked";
	look(MEM0);
	ck_assert_str_eq(at(&f, "SecurityState"), "Locked");
	ck_assert_str_eq(at(&f, "Regions/1/PassphraseEnabled"), "true");
}
END_TEST

START_TEST(frozen_security_is_no_locked_configuration)
{
	f.memdevs[0]->security_state = "frozen";
	look(MEM0);
	ck_assert_str_eq(at(&f, "SecurityState"), "Frozen");
	ck_assert_str_eq(at(&f, "ConfigurationLocked"), "false");
}
END_TEST

START_TEST(the_security_state_that_was_read_last_is_shown)
{
	static const struct memdev_security locked = {.state = "locked", .has_nvdimm = true};

	f.memdevs[0]->pmem_size = OPT_U64(MIB_256);
	f.memdevs[0]->security_state = "unlocked";
	f.readings.securities[0] = &locked;
	look(MEM0);
	ck_assert_str_eq(at(&f, "SecurityState"), "Locked");
	ck_assert_str_eq(at(&f, "Regions/1/PassphraseEnabled"), "true");
}
END_TEST

START_TEST(partitions_that_contradict_the_device_are_doubtful)
{
	said->active_volatile = OPT_U64(3 * MIB_256);
	said->active_persistent = OPT_U64(MIB_256);
	look(MEM0);
	ck_assert_int_eq(number("VolatileSizeLimitMiB"), 768);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/PartitionInfo/Doubtful"), "false");
	expect_absent("Oem/CXLHost/PartitionInfo/Reason");
	said->partition_doubt = PARTITION_SUM;
	look(MEM0);
	ck_assert_int_eq(number("VolatileSizeLimitMiB"), 256);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/PartitionInfo/ActiveVolatileSizeBytes"), "0x30000000");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/PartitionInfo/Doubtful"), "true");
	ck_assert_ptr_nonnull(at(&f, "Oem/CXLHost/PartitionInfo/Reason"));
}
END_TEST

START_TEST(values_that_are_kept_have_their_time)
{
	look(MEM0);
	expect_absent("Oem/CXLHost/ReadingsKeptFrom");
	said->kept = true;
	said->kept_from_ns = OPT_U64(1772600767089000000);
	look(MEM0);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/ReadingsKeptFrom"), "2026-03-04T05:06:07.089000000Z");
}
END_TEST

/* Ids of PCI stand in the PCIeFunction alone: those of Memory are JEDEC's. */
START_TEST(the_alignment_is_shown_and_no_id_of_the_function)
{
	struct pci_function pci = {.bdf = "0000:00:00.0"};

	pci.vendor = OPT_U64(0x1b36);
	f.memdevs[0]->pci = &pci;
	said->partition_alignment = OPT_U64(2 * MIB_256);
	look(MEM0);
	expect_absent("VendorID");
	expect_absent("ModuleManufacturerID");
	ck_assert_int_eq(number("AllocationAlignmentMiB"), 512);
	said->partition_alignment = OPT_U64(0);
	f.memdevs[0]->pci = NULL;
	look(MEM0);
	expect_absent("AllocationAlignmentMiB");
}
END_TEST

#define SENSOR ROOT "/Chassis/cxl-000000000000abc0/Sensors/Temperature"

START_TEST(the_sensor_has_the_thresholds_of_the_temperature)
{
	look(SENSOR);
	expect_absent("Reading");
	expect_absent("Thresholds");
	said->temperature = OPT_INT(41);
	said->has_alerts = true;
	said->alerts[ALERT_OVER_TEMPERATURE] = (struct mailbox_alert){
		.valid = true, .critical = OPT_INT(85), .warning = OPT_INT(75)};
	said->alerts[ALERT_UNDER_TEMPERATURE] = (struct mailbox_alert){.critical = OPT_INT(-5)};
	look(SENSOR);
	ck_assert_int_eq(number("Reading"), 41);
	ck_assert_int_eq(number("Thresholds/UpperCaution/Reading"), 75);
	ck_assert_int_eq(number("Thresholds/UpperCritical/Reading"), 85);
	expect_absent("Thresholds/LowerCaution");
	ck_assert_int_eq(number("Thresholds/LowerCritical/Reading"), -5);
	ck_assert_str_eq(at(&f, "RelatedItem/0/@odata.id"), MEM0);
	look(ENVIRONMENT);
	ck_assert_str_eq(at(&f, "TemperatureCelsius/DataSourceUri"), SENSOR);
	look(ROOT "/Chassis/cxl-000000000000abc0");
	ck_assert_str_eq(at(&f, "Sensors/@odata.id"), ROOT "/Chassis/cxl-000000000000abc0/Sensors");
	ck_assert_str_eq(at(&f, "EnvironmentMetrics/@odata.id"), ENVIRONMENT);
}
END_TEST

START_TEST(partitions_come_from_the_device_or_else_from_the_kernel)
{
	look(MEM0);
	ck_assert_int_eq(number("VolatileSizeLimitMiB"), 256);
	expect_absent("CXL");
	said->active_volatile = OPT_U64(3 * MIB_256);
	said->next_volatile = OPT_U64(0);
	said->next_persistent = OPT_U64(4 * MIB_256);
	look(MEM0);
	ck_assert_int_eq(number("VolatileSizeMiB"), 256);
	ck_assert_int_eq(number("VolatileSizeLimitMiB"), 768);
	ck_assert_int_eq(number("CXL/StagedVolatileSizeMiB"), 0);
	ck_assert_int_eq(number("CXL/StagedNonVolatileSizeMiB"), 1024);
}
END_TEST

START_TEST(memory_that_can_be_divided_supports_both_modes)
{
	look(MEM0);
	ck_assert_str_eq(at(&f, "OperatingMemoryModes/0"), "Volatile");
	expect_absent("OperatingMemoryModes/1");
	said->total_size = OPT_U64(4 * MIB_256);
	said->volatile_only_size = OPT_U64(2 * MIB_256);
	said->persistent_only_size = OPT_U64(MIB_256);
	look(MEM0);
	ck_assert_str_eq(at(&f, "OperatingMemoryModes/0"), "Volatile");
	ck_assert_str_eq(at(&f, "OperatingMemoryModes/1"), "PMEM");
	said->persistent_only_size = OPT_U64(2 * MIB_256);
	look(MEM0);
	expect_absent("OperatingMemoryModes/1");
	said->persistent_only_size.present = false;
	look(MEM0);
	expect_absent("OperatingMemoryModes/1");
}
END_TEST

START_TEST(sizes_that_no_device_has_leave_the_resource_sound)
{
	f.memdevs[0]->ram_size = f.memdevs[0]->pmem_size = OPT_U64(UINT64_MAX);
	f.memdevs[0]->label_storage_size = f.memdevs[0]->payload_max = OPT_U64(UINT64_MAX);
	said->active_volatile = said->next_volatile = said->total_size = OPT_U64(UINT64_MAX);
	said->poison_list_records = OPT_U64(0xffffff);
	look(MEM0);
	expect_absent("CapacityMiB");
	expect_absent("CXL/LabelStorageSizeBytes");
	expect_absent("Oem/CXLHost/MailboxPayloadMaxBytes");
	ck_assert_int_eq(number("VolatileSizeLimitMiB"), (long long)(UINT64_MAX >> 20));
	ck_assert_int_eq(number("CXL/StagedVolatileSizeMiB"), (long long)(UINT64_MAX >> 20));
	ck_assert_str_eq(at(&f, "Oem/CXLHost/TotalSizeBytes"), "0xffffffffffffffff");
}
END_TEST

START_TEST(no_action_is_advertised_that_is_not_there)
{
	f.memdevs[0]->security_state = "unlocked";
	said->injects_poison = said->scans_for_poison = OPT_BOOL(true);
	look(MEM0);
	ck_assert_uint_eq(json_object_size(value_at(&f, "Actions")), 1);
	ck_assert_ptr_nonnull(value_at(&f, "Actions/Oem"));
}
END_TEST

SUITE(check_redfish_memory)
{
	Suite *s = suite_create("redfish memory");
	TCase *memory = tcase_create("memory"), *below = tcase_create("below");

	tcase_add_checked_fixture(memory, setup, teardown);
	tcase_add_test(memory, the_security_state_is_that_of_the_kernel);
	tcase_add_test(memory, security_is_disabled_only_when_the_device_was_queried);
	tcase_add_test(memory, frozen_security_is_no_locked_configuration);
	tcase_add_test(memory, the_security_state_that_was_read_last_is_shown);
	tcase_add_test(memory, partitions_that_contradict_the_device_are_doubtful);
	tcase_add_test(memory, values_that_are_kept_have_their_time);
	tcase_add_test(memory, the_alignment_is_shown_and_no_id_of_the_function);
	tcase_add_test(memory, the_sensor_has_the_thresholds_of_the_temperature);
	tcase_add_test(memory, partitions_come_from_the_device_or_else_from_the_kernel);
	tcase_add_test(memory, memory_that_can_be_divided_supports_both_modes);
	tcase_add_test(memory, sizes_that_no_device_has_leave_the_resource_sound);
	tcase_add_test(memory, no_action_is_advertised_that_is_not_there);
	suite_add_tcase(s, memory);

	tcase_add_checked_fixture(below, setup, teardown);
	tcase_add_test(below, subordinate_resources_exist_without_readings);
	tcase_add_test(below, life_left_is_the_rest_of_life_used);
	tcase_add_test(below, health_data_shows_the_raised_alerts);
	tcase_add_test(below, thresholds_are_shown_as_far_as_they_are_known);
	tcase_add_test(below, a_temperature_may_be_below_zero);
	suite_add_tcase(s, below);
	return s;
}
