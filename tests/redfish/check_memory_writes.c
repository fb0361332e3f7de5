// SPDX-License-Identifier: LGPL-2.1-or-later
/* PATCH of Memory and MemoryMetrics: each request leads to exactly the changes it asks for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/auth/accounts.h"
#include "tests/lib/memory_fixture.h"
#include "tests/lib/suites.h"

#define MEM2_DEVICE	  ROOT "/Chassis/cxl-000000000000abc2/PCIeDevices/1"
#define CXL(members)	  "{\"CXL\":{" members "}}"
#define VOLATILE(mib)	  "\"StagedVolatileSizeMiB\":" mib
#define PERSISTENT(mib)	  "\"StagedNonVolatileSizeMiB\":" mib
#define ALERTS(members)	  "{\"Oem\":{\"CXLHost\":{\"Alerts\":{" members "}}}}"
#define OVER(members)	  "\"OverTemperatureCelsius\":{" members "}"
#define UNDER(members)	  "\"UnderTemperatureCelsius\":{" members "}"
#define THRESHOLD(number) "\"WarningThreshold\":" number
#define ALL_OF_MEMORY	  (ALLOW_PARTITIONS | ALLOW_MEMORY | ALLOW_SECURITY)

static void start_all(void)
{
	start_memory(NULL);
}

static unsigned int patch_mem2(const char *body)
{
	return change_memory(METHOD_PATCH, MEM2, MEM2, body);
}

static unsigned int patch_metrics(const char *body)
{
	return change_memory(METHOD_PATCH, MEM2_METRICS, MEM2_METRICS, body);
}

static const char *allow(const char *uri)
{
	ck_assert_uint_eq(change_memory(METHOD_OPTIONS, uri, NULL, NULL), 204);
	return mf.f.res.body->allow;
}

static void expect_one(const struct change *c)
{
	ck_assert_msg(mf.f.res.status == 200, "%u: %s", mf.f.res.status, mf.f.res.body->bytes);
	expect_changes(c, 1);
}

/* Fails the test unless it was refused with that, and nothing was asked for. */
static void expect_refusal(unsigned int status, const char *key, const char *text)
{
	ck_assert_msg(mf.f.res.status == status, "%u: %s", mf.f.res.status, mf.f.res.body->bytes);
	expect_text(0, key, text);
	expect_changes(NULL, 0);
}

/* ---- the clock of the PCIeDevice --------------------------------------------------------------
 */

#define CLOCK(text) "{\"CXLDevice\":{\"Timestamp\":" text "}}"

#define REMARK "@Message.ExtendedInfo/0"

static void expect_remark(const char *text)
{
	ck_assert_ptr_nonnull(at(&mf.f, REMARK "/MessageId"));
	ck_assert_ptr_nonnull(strstr(at(&mf.f, REMARK "/MessageId"), ".RawCommandSent"));
	ck_assert_msg(strstr(at(&mf.f, REMARK "/Message"), text) != NULL, "%s",
		      at(&mf.f, REMARK "/Message"));
}

static unsigned int patch_clock(const char *body)
{
	mf.mailbox.timestamp_ns = OPT_U64(1);
	show_memory();
	return change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, body);
}

START_TEST(a_timestamp_is_that_instant)
{
	struct change c = expected_change(CHANGE_TIMESTAMP);

	c.timestamp_ns = UINT64_C(1772600767089000000);
	(void)patch_clock(CLOCK("\"2026-03-04T05:06:07.089Z\""));
	expect_one(&c);
	(void)patch_clock(CLOCK("\"2026-03-04T06:06:07.089+01:00\""));
	expect_one(&c);
}
END_TEST

static const struct {
	const char *body, *key;
} clocks[] = {
	{CLOCK("\"yesterday\""), "PropertyValueFormatError"},
	{CLOCK("\"\""), "PropertyValueFormatError"},
	{CLOCK("\"2026-03-04\""), "PropertyValueFormatError"},
	{CLOCK("\"2026-03-04 05:06:07Z\""), "PropertyValueFormatError"},
	{CLOCK("\"2026-03-04T05:06:07\""), "PropertyValueFormatError"},
	{CLOCK("\"2026-13-04T05:06:07Z\""), "PropertyValueFormatError"},
	{CLOCK("\"1970-01-01T00:00:00Z\""), "PropertyValueFormatError"},
	{CLOCK("\"1969-12-31T23:59:59Z\""), "PropertyValueFormatError"},
	{CLOCK("5"), "PropertyValueTypeError"},
	{CLOCK("null"), "PropertyValueTypeError"},
	{"{\"CXLDevice\":{\"DeviceType\":\"Type1\"}}", "PropertyNotWritable"},
	{"{\"CXLDevice\":{}}", "NoOperation"},
};

START_TEST(a_timestamp_that_is_none_is_refused)
{
	ck_assert_uint_eq(patch_clock(clocks[_i].body), 400);
	expect_text(0, clocks[_i].key, "");
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(a_timestamp_needs_its_own_permission)
{
	mf.mailbox.timestamp_ns = OPT_U64(1);
	allow_changes(&mf.f, ALLOW_HOST & ~ALLOW_RAW, ALLOW_HOST);
	ck_assert_uint_eq(
		change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, CLOCK("\"2026-03-04T05:06:07Z\"")),
		405);
	expect_text(0, "NotChangeable", "--allow=raw");
	allow_changes(&mf.f, ALLOW_HOST, ALLOW_HOST & ~ALLOW_RAW);
	ck_assert_uint_eq(
		change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, CLOCK("\"2026-03-04T05:06:07Z\"")),
		405);
	expect_text(0, "NotChangeable", "cxl-redfish-change-helper");
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(the_effects_of_a_timestamp_are_in_the_answer)
{
	(void)snprintf(mf.result.object, sizeof(mf.result.object), "mem2");
	ck_assert_uint_eq(patch_clock(CLOCK("\"2026-03-04T05:06:07Z\"")), 200);
	ck_assert_str_eq(at(&mf.f, "Id"), "1");
	expect_remark("sets its timestamp again when it binds the device");
	ck_assert_ptr_nonnull(strstr(at(&mf.f, REMARK "/Message"), "records jump"));
	ck_assert_ptr_null(strstr(at(&mf.f, REMARK "/Message"), "QoS"));
	/* No other answer has it. */
	ck_assert_uint_eq(get(&mf.f, MEM2_DEVICE), 200);
	ck_assert_ptr_null(value_at(&mf.f, "@Message.ExtendedInfo"));
}
END_TEST

/* ---- its QoS control --------------------------------------------------------------------------
 */

#define REDUCTION(value) "{\"CXLDevice\":{\"TemporaryThroughputReductionEnabled\":" value "}}"
#define GET_QOS		 MEM2_DEVICE "/Actions/Oem/CXLHostPCIeDevice.GetQoSControl"

START_TEST(throughput_reduction_is_switched_on_and_off)
{
	struct change c = expected_change(CHANGE_THROTTLING);

	c.on = 1;
	(void)snprintf(mf.result.object, sizeof(mf.result.object), "mem2");
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, REDUCTION("true")), 200);
	expect_one(&c);
	expect_remark("GetQoSControl reads");
	ck_assert(json_is_null(value_at(&mf.f, "CXLDevice/TemporaryThroughputReductionEnabled")));
	c.on = 0;
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, REDUCTION("false")), 200);
	expect_one(&c);
}
END_TEST

START_TEST(a_clock_and_the_reduction_are_two_changes_and_one_remark)
{
	struct change items[] = {expected_change(CHANGE_TIMESTAMP),
				 expected_change(CHANGE_THROTTLING)};

	items[0].timestamp_ns = UINT64_C(1772600767000000000);
	items[1].on = 1;
	(void)patch_clock("{\"CXLDevice\":{\"TemporaryThroughputReductionEnabled\":true,"
			  "\"Timestamp\":\"2026-03-04T05:06:07Z\"}}");
	expect_changes(items, ARRAY_SIZE(items));
	expect_remark("records jump");
	ck_assert_ptr_nonnull(strstr(at(&mf.f, REMARK "/Message"), "QoS"));
	ck_assert_uint_eq(json_array_size(value_at(&mf.f, "@Message.ExtendedInfo")), 1);
}
END_TEST

START_TEST(a_device_without_the_control_refuses_its_value)
{
	mf.mailbox.temporary_throughput_reduction = OPT_BOOL(false);
	ck_assert_uint_eq(patch_clock(REDUCTION("true")), 400);
	expect_text(0, "ChangeRefused", "does not report that it can reduce its throughput");
	expect_changes(NULL, 0);
	ck_assert_uint_eq(get(&mf.f, MEM2_DEVICE), 200);
	ck_assert_ptr_null(value_at(&mf.f, "CXLDevice/TemporaryThroughputReductionEnabled"));
	ck_assert_ptr_null(value_at(&mf.f, "Actions"));
	/* Without a timestamp, too, nothing of the device can be set. */
	mf.mailbox.timestamp_ns = (struct opt_u64){0};
	show_memory();
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, REDUCTION("true")), 405);
	expect_text(0, "NotChangeable", "neither a timestamp nor a control");
}
END_TEST

START_TEST(a_device_without_a_timestamp_refuses_one)
{
	ck_assert_uint_eq(
		change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, CLOCK("\"2026-03-04T05:06:07Z\"")),
		400);
	expect_text(0, "ChangeRefused", "has not reported a timestamp");
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2_DEVICE, NULL, REDUCTION("1")), 400);
	expect_text(0, "PropertyValueTypeError", "");
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(the_qos_control_is_read_on_request)
{
	struct change c = expected_change(CHANGE_QOS_READ);

	mf.result.qos = (struct sld_qos){1, 0, 10, 25, 8};
	ck_assert_uint_eq(change_memory(METHOD_POST, GET_QOS, NULL, "{}"), 200);
	expect_one(&c);
	ck_assert_str_eq(at(&mf.f, "TemporaryThroughputReductionEnabled"), "false");
	ck_assert_str_eq(at(&mf.f, "EgressPortCongestionEnabled"), "true");
	ck_assert_int_eq(json_integer_value(value_at(&mf.f, "EgressModeratePercent")), 10);
	ck_assert_int_eq(json_integer_value(value_at(&mf.f, "EgressSeverePercent")), 25);
	ck_assert_int_eq(
		json_integer_value(value_at(&mf.f, "BackpressureSampleIntervalNanoseconds")), 8);
	(void)change_result_set(&mf.result, EOPNOTSUPP, CHANGE_REFUSED, "this kernel allows none");
	ck_assert_uint_eq(change_memory(METHOD_POST, GET_QOS, NULL, "{}"), 400);
	expect_text(0, "ChangeRefused", "this kernel allows none");
	expect_changes(&c, 1);
	allow_changes(&mf.f, ALLOW_HOST & ~ALLOW_RAW, ALLOW_HOST);
	ck_assert_uint_eq(change_memory(METHOD_POST, GET_QOS, NULL, "{}"), 405);
	expect_text(0, "NotChangeable", "--allow=raw");
	expect_changes(NULL, 0);
}
END_TEST

/* ---- partitions -------------------------------------------------------------------------------
 */

START_TEST(a_volatile_size_leaves_the_rest_persistent)
{
	struct change c = expected_change(CHANGE_PARTITIONS);

	c.volatile_bytes = 3 * MIB_256;
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_one(&c);
	(void)patch_mem2(CXL(PERSISTENT("1280")));
	expect_one(&c);
	(void)patch_mem2(CXL(VOLATILE("768") "," PERSISTENT("1280")));
	expect_one(&c);
}
END_TEST

START_TEST(the_least_and_the_most_volatile_memory_can_be_had)
{
	struct change c = expected_change(CHANGE_PARTITIONS);

	c.volatile_bytes = MIB_256;
	(void)patch_mem2(CXL(VOLATILE("256")));
	expect_one(&c);
	c.volatile_bytes = 6 * MIB_256;
	(void)patch_mem2(CXL(PERSISTENT("512")));
	expect_one(&c);
}
END_TEST

static const struct {
	const char *body, *text;
} wrong_sizes[] = {
	{CXL(VOLATILE("0")), "of 2048 MiB, from 256 MiB to 1536 MiB can be volatile"},
	{CXL(PERSISTENT("0")), "2048 MiB of volatile memory cannot be had"},
	{CXL(VOLATILE("1792")), "1792 MiB of volatile memory cannot be had"},
	{CXL(VOLATILE("2049")), "2049 MiB is more than its capacity of 2048 MiB"},
	{CXL(VOLATILE("9223372036854775807")), "is more than its capacity of 2048 MiB"},
	{CXL(PERSISTENT("17592186044416")), "is more than its capacity of 2048 MiB"},
	{CXL(VOLATILE("513")), "steps of 256 MiB from 256 MiB on"},
	{CXL(PERSISTENT("700")), "of volatile memory cannot be had"},
	{CXL(VOLATILE("768") "," PERSISTENT("768")),
	 "768 MiB and 768 MiB are not its capacity of 2048 MiB"},
};

START_TEST(a_size_that_cannot_be_had_is_refused_with_the_numbers)
{
	(void)patch_mem2(wrong_sizes[_i].body);
	expect_refusal(400, "ChangeRefused", wrong_sizes[_i].text);
}
END_TEST

START_TEST(a_device_without_known_partitions_has_none_to_set)
{
	mf.mailbox.partition_alignment = OPT_U64(0);
	show_memory();
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(400, "ChangeRefused", "cannot be partitioned");
	mf.mailbox.partition_alignment = (struct opt_u64){0};
	show_memory();
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(500, "ChangeRefused", "has no valid capacities");
	mf.mailbox.partition_alignment = OPT_U64(MIB_256);
	mf.mailbox.partition_doubt = PARTITION_SUM;
	show_memory();
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(500, "ChangeRefused", mailbox_partition_doubt_text(PARTITION_SUM));
}
END_TEST

/* ---- Enabled and SecurityState ----------------------------------------------------------------
 */

START_TEST(enabled_is_changed_only_when_it_is_another)
{
	struct change c = expected_change(CHANGE_MEMDEV_DISABLE);

	ck_assert_uint_eq(patch_mem2("{\"Enabled\":true}"), 200);
	expect_changes(NULL, 0);
	(void)patch_mem2("{\"Enabled\":false}");
	expect_one(&c);
	mf.f.memdevs[2]->enabled = false;
	show_memory();
	c = expected_change(CHANGE_MEMDEV_ENABLE);
	(void)patch_mem2("{\"Enabled\":true}");
	expect_one(&c);
}
END_TEST

START_TEST(the_security_state_can_be_frozen_and_the_other_states_name_the_action)
{
	struct change c = expected_change(CHANGE_FREEZE_SECURITY);

	(void)patch_mem2("{\"SecurityState\":\"Frozen\"}");
	expect_one(&c);
	(void)patch_mem2("{\"SecurityState\":\"Disabled\"}");
	expect_refusal(400, "ChangeRefused", "Memory.DisablePassphrase");
	(void)patch_mem2("{\"SecurityState\":\"Unlocked\"}");
	expect_refusal(400, "ChangeRefused", "Memory.UnlockUnit");
	(void)patch_mem2("{\"SecurityState\":\"Locked\"}");
	expect_refusal(400, "ChangeRefused", "next reset");
	(void)patch_mem2("{\"SecurityState\":\"frozen\"}");
	expect_refusal(400, "PropertyValueNotInList", "frozen");
	mf.security.state = "frozen";
	show_memory();
	ck_assert_uint_eq(patch_mem2("{\"SecurityState\":\"Frozen\"}"), 200);
	expect_changes(NULL, 0);
	mf.security = (struct memdev_security){"disabled", false};
	show_memory();
	(void)patch_mem2("{\"SecurityState\":\"Frozen\"}");
	expect_refusal(409, "ChangeRefused", "cxl_pmem");
}
END_TEST

/* ---- LocationIndicatorActive ------------------------------------------------------------------
 */

START_TEST(the_light_of_the_slot_is_switched)
{
	struct change c = expected_change(CHANGE_LIGHT);

	(void)patch_mem2("{\"LocationIndicatorActive\":true}");
	expect_refusal(409, "ChangeRefused", "no attention indicator");
	mf.f.memdevs[2]->slot_has_light = true;
	mf.f.readings.lights[2] = OPT_BOOL(true);
	show_memory();
	c.on = 1;
	(void)patch_mem2("{\"LocationIndicatorActive\":true}");
	expect_one(&c);
	ck_assert_ptr_nonnull(strstr(mf.f.res.body->bytes, "\"LocationIndicatorActive\":true"));
	c.on = 0;
	(void)patch_mem2("{\"LocationIndicatorActive\":false}");
	expect_one(&c);
	(void)patch_mem2("{\"LocationIndicatorActive\":\"Lit\"}");
	expect_refusal(400, "PropertyValueTypeError", "LocationIndicatorActive");
}
END_TEST

/* ---- several ----------------------------------------------------------------------------------
 */

#define SEVERAL "{\"Enabled\":false,\"SecurityState\":\"Frozen\",\"CXL\":{" VOLATILE("768") "}}"

START_TEST(several_properties_are_changes_in_an_order_that_works)
{
	struct change c[3] = {expected_change(CHANGE_PARTITIONS),
			      expected_change(CHANGE_FREEZE_SECURITY),
			      expected_change(CHANGE_MEMDEV_DISABLE)};

	c[0].volatile_bytes = 3 * MIB_256;
	ck_assert_uint_eq(patch_mem2(SEVERAL), 200);
	expect_changes(c, 3);
	mf.f.memdevs[2]->enabled = false;
	show_memory();
	c[2] = c[1];
	c[1] = c[0];
	c[0] = expected_change(CHANGE_MEMDEV_ENABLE);
	ck_assert_uint_eq(patch_mem2("{\"SecurityState\":\"Frozen\",\"CXL\":{" VOLATILE(
				  "768") "},\"Enabled\":true}"),
			  200);
	expect_changes(c, 3);
}
END_TEST

START_TEST(one_wrong_property_of_several_refuses_them_all)
{
	(void)patch_mem2("{\"Enabled\":false,\"CXL\":{" VOLATILE("513") "}}");
	expect_refusal(400, "ChangeRefused", "steps of 256 MiB");
	(void)patch_mem2("{\"Enabled\":false,\"Unknown\":1}");
	expect_refusal(400, "PropertyUnknown", "Unknown");
}
END_TEST

START_TEST(a_failure_ends_the_changes_and_says_how_many_were_made)
{
	(void)change_result_set(&mf.result, EBUSY, CHANGE_REFUSED, "mem2 is a target of region0");
	ck_assert_uint_eq(patch_mem2(SEVERAL), 409);
	expect_text(0, "ChangeRefused", "mem2 is a target of region0");
	ck_assert_uint_eq(mf.n_made, 1);
}
END_TEST

/* ---- what is not written ----------------------------------------------------------------------
 */

START_TEST(labels_and_what_the_device_decides_are_read_only)
{
	(void)patch_mem2(CXL("\"LabelStorageSizeBytes\":131072"));
	expect_refusal(400, "PropertyNotWritable", "CXL/LabelStorageSizeBytes");
	(void)patch_mem2("{\"SecurityStates\":{\"UserPassphraseAttemptCountReached\":false}}");
	expect_refusal(400, "PropertyNotWritable", "SecurityStates");
	(void)patch_mem2("{\"CapacityMiB\":1}");
	expect_refusal(400, "PropertyNotWritable", "CapacityMiB");
	(void)patch_mem2("{}");
	expect_refusal(400, "EmptyJSON", NULL);
}
END_TEST

static const char *const hostile_values[] = {"null",  "-1",   "0.5",  "1e300", "\"768\"",
					     "[768]", "[[]]", "true", "{}",    "{\"a\":1}"};

START_TEST(a_value_of_another_type_is_refused)
{
	char body[128];

	(void)snprintf(body, sizeof(body), CXL("\"StagedVolatileSizeMiB\":%s"), hostile_values[_i]);
	ck_assert_uint_eq(patch_mem2(body), 400);
	(void)snprintf(body, sizeof(body), "{\"CXL\":%s}", hostile_values[_i]);
	if (strcmp(hostile_values[_i], "{}") != 0)
		ck_assert_uint_eq(patch_mem2(body), 400);
	(void)snprintf(body, sizeof(body), "{\"SecurityState\":%s}", hostile_values[_i]);
	ck_assert_uint_eq(patch_mem2(body), 400);
	(void)snprintf(body, sizeof(body), "{\"Enabled\":%s}", hostile_values[_i]);
	if (strcmp(hostile_values[_i], "true") != 0)
		ck_assert_uint_eq(patch_mem2(body), 400);
	(void)snprintf(body, sizeof(body), ALERTS(OVER("\"WarningThreshold\":%s")),
		       hostile_values[_i]);
	if (strcmp(hostile_values[_i], "-1") != 0)
		ck_assert_uint_eq(patch_metrics(body), 400);
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(a_number_that_no_integer_holds_is_malformed)
{
	ck_assert_uint_eq(patch_mem2(CXL(VOLATILE("99999999999999999999"))), 400);
	expect_refusal(400, "MalformedJSON", NULL);
}
END_TEST

/* ---- alerts -----------------------------------------------------------------------------------
 */

START_TEST(a_threshold_enables_its_alert_and_leaves_the_others)
{
	struct change c = expected_change(CHANGE_ALERTS);

	c.alerts = (struct change_alerts){.fields = 1 << ALERT_OVER_TEMPERATURE,
					  .enable = 1 << ALERT_OVER_TEMPERATURE,
					  .thresholds[ALERT_OVER_TEMPERATURE] = 75};
	(void)patch_metrics(ALERTS(OVER(THRESHOLD("75"))));
	expect_one(&c);
	c.alerts = (struct change_alerts){.fields = 1 << ALERT_UNDER_TEMPERATURE,
					  .enable = 1 << ALERT_UNDER_TEMPERATURE,
					  .thresholds[ALERT_UNDER_TEMPERATURE] = -7};
	(void)patch_metrics(ALERTS(UNDER(THRESHOLD("-7") ",\"Valid\":true")));
	expect_one(&c);
}
END_TEST

START_TEST(an_alert_is_made_invalid_and_valid_again_with_its_threshold)
{
	struct change c = expected_change(CHANGE_ALERTS);

	c.alerts = (struct change_alerts){.fields = 1 << ALERT_OVER_TEMPERATURE,
					  .thresholds[ALERT_OVER_TEMPERATURE] = 70};
	(void)patch_metrics(ALERTS(OVER("\"Valid\":false")));
	expect_one(&c);
	c.alerts.enable = 1 << ALERT_OVER_TEMPERATURE;
	(void)patch_metrics(ALERTS(OVER("\"Valid\":true")));
	expect_one(&c);
	(void)patch_metrics(ALERTS(UNDER("\"Valid\":true")));
	expect_refusal(400, "ChangeRefused", "no threshold yet");
	(void)patch_metrics(ALERTS(OVER("\"Valid\":false," THRESHOLD("60"))));
	expect_refusal(400, "ChangeRefused", "give one of the two");
}
END_TEST

START_TEST(all_programmable_thresholds_are_one_change)
{
	struct change c = expected_change(CHANGE_ALERTS);

	c.alerts = (struct change_alerts){.fields = 0xf,
					  .enable = 0xf,
					  .thresholds[ALERT_LIFE_USED] = 95,
					  .thresholds[ALERT_OVER_TEMPERATURE] = 85,
					  .thresholds[ALERT_UNDER_TEMPERATURE] = -20,
					  .thresholds[ALERT_CORRECTED_VOLATILE] = 65535};
	(void)patch_metrics(ALERTS(
		OVER(THRESHOLD("85")) "," UNDER(THRESHOLD("-20")) ",\"LifeUsedPercent\":{" THRESHOLD(
			"95") "},\"CorrectedVolatileErrorCount\":{" THRESHOLD("65535") "}"));
	expect_one(&c);
}
END_TEST

static const struct {
	const char *body;
	const char *text;
} wrong_alerts[] = {
	{ALERTS(OVER(THRESHOLD("86"))), "after the device's critical threshold of 85"},
	{ALERTS(UNDER(THRESHOLD("-21"))), "after the device's critical threshold of -20"},
	{ALERTS(OVER(THRESHOLD("32768"))), "from -32768 to 32767"},
	{ALERTS(UNDER(THRESHOLD("-32769"))), "from -32768 to 32767"},
	{ALERTS("\"LifeUsedPercent\":{" THRESHOLD("101") "}"), "from 0 to 100 percent"},
	{ALERTS("\"LifeUsedPercent\":{" THRESHOLD("96") "}"), "critical threshold of 95"},
	{ALERTS("\"CorrectedVolatileErrorCount\":{" THRESHOLD("65536") "}"),
	 "from 0 to 65535 errors"},
	{ALERTS("\"CorrectedVolatileErrorCount\":{" THRESHOLD("9223372036854775807") "}"),
	 "from 0 to 65535 errors"},
	{ALERTS("\"CorrectedPersistentErrorCount\":{" THRESHOLD("5") "}"), "not programmable"},
	{ALERTS(OVER("\"CriticalThreshold\":90")), "CriticalThreshold"},
	{ALERTS(OVER("\"Programmable\":false")), "Programmable"},
	{ALERTS("\"Other\":{" THRESHOLD("5") "}"), "Other"},
};

START_TEST(a_threshold_that_cannot_be_set_is_refused_with_the_numbers)
{
	ck_assert_uint_eq(patch_metrics(wrong_alerts[_i].body), 400);
	expect_text(0,
		    strstr(wrong_alerts[_i].text, "ritical threshold") ||
				    strstr(wrong_alerts[_i].text, "from") ||
				    strstr(wrong_alerts[_i].text, "not programmable")
			    ? "ChangeRefused"
		    : strstr(wrong_alerts[_i].body, "Other") ? "PropertyUnknown"
							     : "PropertyNotWritable",
		    wrong_alerts[_i].text);
	expect_changes(NULL, 0);
}
END_TEST

/* ---- scrub ------------------------------------------------------------------------------------
 */

#define PATROL(members) "{\"Oem\":{\"CXLHost\":{\"PatrolScrub\":{" members "}}}}"
#define ECS(members)	"{\"Oem\":{\"CXLHost\":{\"ErrorCheckScrub\":{" members "}}}}"

static const struct memdev_scrub scrub_of_mem2 = {
	.patrol = {true, OPT_BOOL(true), OPT_U64(43200), OPT_U64(7200)},
	.n_frus = 2,
	.frus = {{OPT_U64(0), OPT_U64(1), OPT_U64(256)}, {OPT_U64(0), OPT_U64(0), OPT_U64(256)}},
};

static void show_scrub(void)
{
	mf.f.readings.scrubs[2] = &scrub_of_mem2;
	show_memory();
}

START_TEST(scrub_is_shown_and_what_frus_differ_in_is_not_common)
{
	show_scrub();
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/PatrolScrub/Enabled"), "true");
	ck_assert_int_eq(
		json_integer_value(value_at(&mf.f, "Oem/CXLHost/PatrolScrub/CycleSeconds")), 43200);
	ck_assert_int_eq(
		json_integer_value(value_at(&mf.f, "Oem/CXLHost/PatrolScrub/MinCycleSeconds")),
		7200);
	ck_assert_ptr_null(value_at(&mf.f, "Oem/CXLHost/PatrolScrub/LastSet"));
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/ErrorCheckScrub/LogEntryType"), "DRAM");
	ck_assert_ptr_null(value_at(&mf.f, "Oem/CXLHost/ErrorCheckScrub/CountMode"));
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/ErrorCheckScrub/FRUs/0/CountMode"), "Codewords");
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/ErrorCheckScrub/FRUs/1/CountMode"), "Rows");
	ck_assert_uint_eq(get(&mf.f, MEM0), 200);
	ck_assert_ptr_null(value_at(&mf.f, "Oem/CXLHost/PatrolScrub"));
}
END_TEST

START_TEST(a_setting_of_scrub_is_one_change_and_its_result_is_shown)
{
	struct change c = expected_change(CHANGE_SCRUB);

	show_scrub();
	(void)snprintf(mf.result.text, sizeof(mf.result.text), "mem2: on, 2 h; before: on, 12 h");
	c.scrub = (struct change_scrub){CHANGE_SCRUB_CYCLE, 0, 8000};
	(void)patch_mem2(PATROL("\"CycleSeconds\":8000"));
	expect_one(&c);
	show_memory();
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/PatrolScrub/LastSet/Text"),
			 "mem2: on, 2 h; before: on, 12 h");
	ck_assert_ptr_nonnull(at(&mf.f, "Oem/CXLHost/PatrolScrub/LastSet/Time"));
	/* The device of the fixture still has 12 h. */
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/PatrolScrub/LastSet/ChangedSince"), "true");
	ck_assert_ptr_null(value_at(&mf.f, "Oem/CXLHost/ErrorCheckScrub/LastSet"));
	c.scrub = (struct change_scrub){CHANGE_SCRUB_CYCLE, 0, 45000}; /* cut to 12 h */
	(void)patch_mem2(PATROL("\"CycleSeconds\":45000"));
	expect_one(&c);
	show_memory();
	ck_assert_uint_eq(get(&mf.f, MEM2), 200);
	ck_assert_str_eq(at(&mf.f, "Oem/CXLHost/PatrolScrub/LastSet/ChangedSince"), "false");
	c.scrub = (struct change_scrub){CHANGE_SCRUB_CYCLE | CHANGE_SCRUB_ENABLED, 0, 7200};
	(void)patch_mem2(PATROL("\"CycleSeconds\":7200,\"Enabled\":false"));
	expect_one(&c);
	c = expected_change(CHANGE_ECS);
	c.ecs = (struct change_ecs){
		CHANGE_ECS_PER_FRU | CHANGE_ECS_CODEWORDS | CHANGE_ECS_THRESHOLD, 1, 0, 4096};
	(void)patch_mem2(ECS("\"LogEntryType\":\"FRU\",\"CountMode\":\"Rows\","
			     "\"ThresholdPerGibit\":4096"));
	expect_one(&c);
}
END_TEST

static const struct {
	const char *body, *key, *text;
} wrong_scrub[] = {
	{PATROL("\"CycleSeconds\":7199"), "ChangeRefused",
	 "its cycle can be from 7200 to 918000 s, and 7199 s is not"},
	{PATROL("\"CycleSeconds\":3599"), "PropertyValueOutOfRange", ""},
	{PATROL("\"CycleSeconds\":918001"), "PropertyValueOutOfRange", ""},
	{PATROL("\"CycleSeconds\":\"1 h\""), "PropertyValueTypeError", ""},
	{PATROL("\"Enabled\":1"), "PropertyValueTypeError", ""},
	{PATROL("\"MinCycleSeconds\":3600"), "PropertyNotWritable", ""},
	{ECS("\"ThresholdPerGibit\":512"), "ChangeRefused", "is 256, 1024 or 4096"},
	{ECS("\"CountMode\":\"Bits\""), "PropertyValueNotInList", ""},
	{ECS("\"FRUs\":[]"), "PropertyNotWritable", ""},
};

START_TEST(a_wrong_setting_of_scrub_is_refused)
{
	show_scrub();
	ck_assert_uint_eq(patch_mem2(wrong_scrub[_i].body), 400);
	expect_text(0, wrong_scrub[_i].key, wrong_scrub[_i].text);
	expect_changes(NULL, 0);
}
END_TEST

START_TEST(a_device_that_shows_no_scrub_has_none_to_set)
{
	show_memory();
	(void)patch_mem2(PATROL("\"Enabled\":true"));
	expect_refusal(400, "ChangeRefused", "Linux shows no patrol scrub of it");
	(void)patch_mem2(ECS("\"ThresholdPerGibit\":256"));
	expect_refusal(400, "ChangeRefused", "Linux shows no error check scrub of it");
}
END_TEST

/* ---- permissions ------------------------------------------------------------------------------
 */

START_TEST(without_permission_nothing_is_written_and_the_answer_says_so)
{
	allow_changes(&mf.f,
		      ALLOW_HOST & ~(unsigned int)(ALL_OF_MEMORY | ALLOW_ALERTS | ALLOW_SCRUB),
		      ALLOW_HOST);
	ck_assert_str_eq(allow(MEM2), "GET, HEAD");
	ck_assert_str_eq(allow(MEM2_METRICS), "GET, HEAD");
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(405, "NotChangeable",
		       "--allow=partitions, memory, security, alerts or scrub");
	(void)patch_metrics(ALERTS(OVER(THRESHOLD("75"))));
	expect_refusal(405, "NotChangeable", "--allow=alerts");
	allow_changes(&mf.f, ALLOW_HOST, 0);
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(405, "NotChangeable", "does not answer");
	/* The reason is that of what is allowed here. */
	allow_changes(&mf.f, ALLOW_PARTITIONS, 0);
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(405, "NotChangeable", "does not answer");
	allow_changes(&mf.f, ALLOW_PARTITIONS, ALLOW_SECURITY);
	(void)patch_mem2(CXL(VOLATILE("768")));
	expect_refusal(405, "NotChangeable", "does not allow them (--allow=partitions)");
	allow_changes(&mf.f, ALLOW_HOST, ALLOW_HOST);
	ck_assert_str_eq(allow(MEM2), "GET, HEAD, PATCH");
	ck_assert_str_eq(allow(MEM2_METRICS), "GET, HEAD, PATCH");
	/* A device that has reported no alerts. */
	ck_assert_str_eq(allow(MEM0 "/MemoryMetrics"), "GET, HEAD");
}
END_TEST

static const struct {
	unsigned int bit;
	const char *body, *option;
} by_permission[] = {
	{ALLOW_PARTITIONS, CXL(VOLATILE("768")), "--allow=partitions"},
	{ALLOW_MEMORY, "{\"Enabled\":false}", "--allow=memory"},
	{ALLOW_SECURITY, "{\"SecurityState\":\"Frozen\"}", "--allow=security"},
	{ALLOW_SCRUB, PATROL("\"Enabled\":false"), "--allow=scrub"},
};

START_TEST(each_property_needs_its_own_permission)
{
	show_scrub();
	for (size_t i = 0; i < ARRAY_SIZE(by_permission); i++) {
		allow_changes(&mf.f, by_permission[_i].bit, ALLOW_HOST);
		(void)patch_mem2(by_permission[i].body);
		if ((int)i == _i) {
			ck_assert_uint_eq(mf.f.res.status, 200);
			ck_assert_uint_eq(mf.n_made, 1);
			mf.n_made = 0;
		} else {
			expect_refusal(403, "ChangeRefused", by_permission[i].option);
		}
	}
}
END_TEST

START_TEST(a_change_needs_if_match)
{
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2, NULL, CXL(VOLATILE("768"))), 428);
	ck_assert_uint_eq(change_memory(METHOD_PATCH, MEM2, MEM0, CXL(VOLATILE("768"))), 412);
	ck_assert_uint_eq(
		change_memory(METHOD_PATCH, MEM2_METRICS, NULL, ALERTS(OVER(THRESHOLD("75")))),
		428);
	expect_changes(NULL, 0);
}
END_TEST

/* ---- what became of it ------------------------------------------------------------------------
 */

static const struct {
	int error;
	enum change_outcome outcome;
	unsigned int status;
	const char *key;
} results[] = {
	{EINVAL, CHANGE_REFUSED, 400, "ChangeRefused"},
	{EOPNOTSUPP, CHANGE_REFUSED, 400, "ChangeRefused"},
	{EBUSY, CHANGE_REFUSED, 409, "ChangeRefused"},
	{ESTALE, CHANGE_REFUSED, 409, "ChangeRefused"},
	{EIO, CHANGE_INCOMPLETE, 500, "ChangeIncomplete"},
	{ETIMEDOUT, CHANGE_UNKNOWN, 500, "ChangeUnknown"},
};

START_TEST(what_the_device_answers_is_the_answer)
{
	(void)change_result_set(&mf.result, results[_i].error, results[_i].outcome,
				"mem2 has a reason");
	ck_assert_uint_eq(patch_mem2(CXL(VOLATILE("768"))), results[_i].status);
	expect_text(0, results[_i].key, "mem2 has a reason");
	ck_assert_uint_eq(mf.n_made, 1);
}
END_TEST

SUITE(check_memory_writes)
{
	Suite *s = suite_create("memory writes");
	TCase *t = tcase_create("patch");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, start_all, stop_memory);
	tcase_add_test(t, a_timestamp_is_that_instant);
	tcase_add_loop_test(t, a_timestamp_that_is_none_is_refused, 0, ARRAY_SIZE(clocks));
	tcase_add_test(t, a_timestamp_needs_its_own_permission);
	tcase_add_test(t, the_effects_of_a_timestamp_are_in_the_answer);
	tcase_add_test(t, throughput_reduction_is_switched_on_and_off);
	tcase_add_test(t, a_clock_and_the_reduction_are_two_changes_and_one_remark);
	tcase_add_test(t, a_device_without_the_control_refuses_its_value);
	tcase_add_test(t, a_device_without_a_timestamp_refuses_one);
	tcase_add_test(t, the_qos_control_is_read_on_request);
	tcase_add_test(t, a_volatile_size_leaves_the_rest_persistent);
	tcase_add_test(t, the_least_and_the_most_volatile_memory_can_be_had);
	tcase_add_loop_test(t, a_size_that_cannot_be_had_is_refused_with_the_numbers, 0,
			    ARRAY_SIZE(wrong_sizes));
	tcase_add_test(t, a_device_without_known_partitions_has_none_to_set);
	tcase_add_test(t, enabled_is_changed_only_when_it_is_another);
	tcase_add_test(t, the_security_state_can_be_frozen_and_the_other_states_name_the_action);
	tcase_add_test(t, the_light_of_the_slot_is_switched);
	tcase_add_test(t, several_properties_are_changes_in_an_order_that_works);
	tcase_add_test(t, one_wrong_property_of_several_refuses_them_all);
	tcase_add_test(t, a_failure_ends_the_changes_and_says_how_many_were_made);
	tcase_add_test(t, labels_and_what_the_device_decides_are_read_only);
	tcase_add_loop_test(t, a_value_of_another_type_is_refused, 0, ARRAY_SIZE(hostile_values));
	tcase_add_test(t, a_number_that_no_integer_holds_is_malformed);
	tcase_add_test(t, a_threshold_enables_its_alert_and_leaves_the_others);
	tcase_add_test(t, an_alert_is_made_invalid_and_valid_again_with_its_threshold);
	tcase_add_test(t, all_programmable_thresholds_are_one_change);
	tcase_add_loop_test(t, a_threshold_that_cannot_be_set_is_refused_with_the_numbers, 0,
			    ARRAY_SIZE(wrong_alerts));
	tcase_add_test(t, scrub_is_shown_and_what_frus_differ_in_is_not_common);
	tcase_add_test(t, a_setting_of_scrub_is_one_change_and_its_result_is_shown);
	tcase_add_loop_test(t, a_wrong_setting_of_scrub_is_refused, 0, ARRAY_SIZE(wrong_scrub));
	tcase_add_test(t, a_device_that_shows_no_scrub_has_none_to_set);
	tcase_add_test(t, without_permission_nothing_is_written_and_the_answer_says_so);
	tcase_add_loop_test(t, each_property_needs_its_own_permission, 0,
			    ARRAY_SIZE(by_permission));
	tcase_add_test(t, a_change_needs_if_match);
	tcase_add_loop_test(t, what_the_device_answers_is_the_answer, 0, ARRAY_SIZE(results));
	suite_add_tcase(s, t);
	return s;
}
