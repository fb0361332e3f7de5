// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The sensor of a CXL device: its temperature, with the thresholds of its alerts. Every device has
// it, so that URIs do not depend on a mailbox; it shows the last readings.

#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

static void put_threshold(struct json_writer *w, const char *key, struct opt_int celsius)
{
	if (!celsius.present)
		return;
	put_object(w, key);
	put_opt_int(w, "Reading", celsius);
	put_end(w);
}

/* Get Alert Configuration, CXL 3.2 table 8-149. */
static void put_thresholds(const struct mailbox *mb, struct json_writer *w)
{
	const struct mailbox_alert *over = &mb->alerts[ALERT_OVER_TEMPERATURE],
				   *under = &mb->alerts[ALERT_UNDER_TEMPERATURE];

	if (!mb->has_alerts)
		return;
	put_object(w, "Thresholds");
	put_threshold(w, "UpperCaution", over->warning);
	put_threshold(w, "UpperCritical", over->critical);
	put_threshold(w, "LowerCaution", under->warning);
	put_threshold(w, "LowerCritical", under->critical);
	put_end(w);
}

static void render_temperature(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct mailbox *mb = view_mailbox(v, m);

	put_format(w, "Name", "Temperature of %s", m->name);
	put_string(w, "ReadingType", "Temperature");
	put_string(w, "ReadingUnits", "Cel");
	put_string(w, "Implementation", "PhysicalSensor");
	put_string(w, "PhysicalContext", "Memory");
	put_opt_int(w, "Reading", mb->temperature);
	put_thresholds(mb, w);
	put_link_list(w, "RelatedItem", URI_MEMORY, view_memory_id(v, m));
}

static int enumerate_parts(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct fabric_port *p = fabric_device_port(v->fabric, v->host->memdevs[i]);

		if (fabric_whole(p))
			r = resource_add(ix, t, p->memdev,
					 (const char *const[]){p->owner_id, p->memory_id});
	}
	return r;
}

static bool has_parts(const void *device)
{
	return ((const struct fabric_device *)device)->parts.n > 0;
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct mailbox *mb = view_mailbox(v, r->object);

	put_state(w, mb->temperature.present ? "Enabled" : "UnavailableOffline");
}

#define SENSORS                                                                                    \
	.pattern = "/redfish/v1/Chassis/{Chassis}/Sensors",                                        \
	COLLECTION("SensorCollection", "Sensor", "Sensors")
#define TEMPERATURE SCHEMA("Sensor", "v1_13_0"), .render = render_temperature, .status = put_status

static const struct resource_type sensor_types[] = {
	{SENSORS, .enumerate = enumerate_modules},
	{SENSORS, .enumerate = enumerate_remote_devices, .has = has_parts},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/Sensors/Temperature",
	 TEMPERATURE,
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/Sensors/Temperature-{Sensor}",
	 TEMPERATURE,
	 .enumerate = enumerate_parts},
};

const struct resource_rows sensor_rows = RESOURCE_ROWS(sensor_types);
