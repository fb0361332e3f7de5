// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The subordinate resources of a memory device: MemoryMetrics, EnvironmentMetrics, DeviceLog. Every
// device has them, so that URIs do not depend on a mailbox; they show its last readings.

#include "redfish/resources/memory/memory_operations.h"
#include "redfish/view/view.h"
#include "redfish/core/odata.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/enumerators.h"

/* Return: whether a level is beyond normal; absent when it is not known. */
static struct opt_bool is_raised(struct opt_int level)
{
	return (struct opt_bool){.present = level.present, .value = level.value != LEVEL_NORMAL};
}

static void put_alarm_trips(const struct mailbox *mb, struct json_writer *w)
{
	put_object(w, "AlarmTrips");
	put_bool(w, "CorrectableECCError",
		 mb->corrected_volatile_warning || mb->corrected_persistent_warning);
	put_opt_bool(w, "SpareBlock", is_raised(mb->life_used_level));
	put_opt_bool(w, "Temperature", is_raised(mb->temperature_level));
	put_end(w);
}

/*
 * LastShutdownSuccess is not among them: the shutdown state that a device reports is that of the
 * next one, which the kernel sets dirty when it binds persistent memory and an orderly shutdown
 * clears (drivers/cxl, cxl_arm_dirty_shutdown()). It is in Oem.
 */
static void put_health_data(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->has_health)
		return;
	put_object(w, "HealthData");
	if (mb->life_used_percent.present && mb->life_used_percent.value <= 100)
		put_number(w, "PredictedMediaLifeLeftPercent", 100 - mb->life_used_percent.value);
	put_bool(w, "PerformanceDegraded", mb->performance_degraded);
	if (mb->media.present)
		put_bool(w, "DataLossDetected", mb->media.value == MEDIA_DATA_LOST);
	put_alarm_trips(mb, w);
	put_end(w);
}

/* Valid Alerts and Programmable Alerts: what can be programmed is a capability before it is valid.
 */
static bool is_capable(const struct mailbox_alert *a)
{
	return a->valid || a->programmable;
}

/* DSP0288 1.2.0, row 29: CXL's five alerts are three of Redfish's four. */
static void put_alert_capabilities(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->has_alerts)
		return;
	put_object(w, "CXL");
	put_object(w, "AlertCapabilities");
	put_bool(w, "CorrectableECCError",
		 is_capable(&mb->alerts[ALERT_CORRECTED_VOLATILE]) ||
			 is_capable(&mb->alerts[ALERT_CORRECTED_PERSISTENT]));
	put_bool(w, "SpareBlock", is_capable(&mb->alerts[ALERT_LIFE_USED]));
	put_bool(w, "Temperature",
		 is_capable(&mb->alerts[ALERT_OVER_TEMPERATURE]) ||
			 is_capable(&mb->alerts[ALERT_UNDER_TEMPERATURE]));
	put_end(w);
	put_end(w);
}

static void put_alert(struct json_writer *w, const char *key, const struct mailbox_alert *a)
{
	put_object(w, key);
	put_bool(w, "Valid", a->valid);
	put_bool(w, "Programmable", a->programmable);
	put_opt_int(w, "CriticalThreshold", a->critical);
	put_opt_int(w, "WarningThreshold", a->warning);
	put_end(w);
}

static void put_oem(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->has_alerts && !mb->shutdown_dirty.present)
		return;
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemoryMetrics.v1_0_0.MemoryMetrics");
	put_opt_bool(w, "ShutdownStateDirty", mb->shutdown_dirty);
	if (mb->has_alerts) {
		put_object(w, "Alerts");
		for (unsigned int i = 0; i < MAILBOX_ALERTS; i++)
			put_alert(w, memory_alert_names[i], &mb->alerts[i]);
		put_end(w);
	}
	put_end(w);
	put_end(w);
}

static void render_memory_metrics(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct mailbox *mb = view_mailbox(v, m);

	put_format(w, "Name", "Metrics of %s", m->name);
	put_opt_number(w, "CapacityUtilizationPercent", mb->life_used_percent);
	put_opt_number(w, "CorrectedVolatileErrorCount", mb->corrected_volatile_errors);
	put_opt_number(w, "CorrectedPersistentErrorCount", mb->corrected_persistent_errors);
	put_opt_number(w, "DirtyShutdownCount", mb->dirty_shutdowns);
	put_health_data(mb, w);
	put_alert_capabilities(mb, w);
	put_oem(mb, w);
}

static void render_environment_metrics(const struct view *v, const struct resource *r,
				       struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct mailbox *mb = view_mailbox(v, m);
	const struct fabric_port *p = fabric_device_port(v->fabric, m);

	put_format(w, "Name", "Temperature of %s", m->name);
	if (!mb->temperature.present)
		return;
	put_object(w, "TemperatureCelsius");
	if (fabric_whole(p))
		put_uri(w, "DataSourceUri", URI_PART_TEMPERATURE, p->owner_id, p->memory_id);
	else
		put_uri(w, "DataSourceUri", URI_TEMPERATURE, p->owner_id);
	put_opt_int(w, "Reading", mb->temperature);
	put_end(w);
}

static const struct resource_type memory_metrics_types[] = {
	{.pattern = URI_SYSTEM "/Memory/{Memory}/MemoryMetrics",
	 SCHEMA("MemoryMetrics", "v1_8_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_memory_metrics,
	 .patch = patch_memory_metrics,
	 .patch_body = &memory_metrics_patch_body,
	 .demands_if_match = true,
	 .unchangeable = memory_metrics_unchangeable},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/EnvironmentMetrics",
	 SCHEMA("EnvironmentMetrics", "v1_6_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_environment_metrics},
};

const struct resource_rows memory_metrics_rows = RESOURCE_ROWS(memory_metrics_types);
