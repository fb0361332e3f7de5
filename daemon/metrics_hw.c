// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Metrics of the memory devices by the names that OpenTelemetry defines for hardware; docs/otlp.md
// has the version.
#include <stdio.h>

#include "daemon/metrics_scrape.h"

/* Values of hw.state. */
enum hw_state { HW_OK, HW_DEGRADED, HW_FAILED, HW_PREDICTED_FAILURE };

static const char *const states[] = {
	[HW_OK] = "ok",
	[HW_DEGRADED] = "degraded",
	[HW_FAILED] = "failed",
	[HW_PREDICTED_FAILURE] = "predicted_failure",
};

/* A device that asks to be replaced while it still works is about to fail. */
static bool state_of(const struct metric_device *d, enum hw_state *ret)
{
	const bool asks = d->mailbox && d->mailbox->has_health && d->mailbox->replacement_needed;

	if (!d->health.present)
		return false;
	*ret = d->health.value >= HEALTH_CRITICAL ? HW_FAILED
	       : asks				  ? HW_PREDICTED_FAILURE
	       : d->health.value == HEALTH_OK	  ? HW_OK
						  : HW_DEGRADED;
	return true;
}

static void put_status(const struct metrics_scrape *x, const struct metric_device *d)
{
	enum hw_state state;

	if (!state_of(d, &state))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		struct otlp_point p = {
			.kind = OTLP_METRIC_UPDOWN,
			.name = "hw.status",
			.unit = "1",
			.description = "Operational status: 1 for the present state, 0 for others.",
			.start_ns = x->out.since_ns,
			.value = i == state,
		};

		otlp_point_set(&p, "hw.type", "memory");
		otlp_point_set(&p, "hw.id", view_memory_id(x->view, d->memdev));
		otlp_point_set(&p, "hw.name", d->memdev->name);
		otlp_point_set(&p, "hw.state", states[i]);
		otlp_points_add(x->out.points, &p);
	}
}

static void put_temperature(const struct metrics_scrape *x, const struct metric_device *d)
{
	const char *id = view_memory_id(x->view, d->memdev);
	struct otlp_point p = {
		.kind = OTLP_METRIC_GAUGE,
		.name = "hw.temperature",
		.unit = "Cel",
		.description = "Temperature of the component.",
	};
	char sensor[128];

	if (!d->mailbox || !d->mailbox->temperature.present)
		return;
	(void)snprintf(sensor, sizeof(sensor), "%s-temperature", id);
	p.value = d->mailbox->temperature.value;
	otlp_point_set(&p, "hw.type", "temperature");
	otlp_point_set(&p, "hw.id", sensor);
	otlp_point_set(&p, "hw.parent", id);
	otlp_point_set(&p, "hw.name", d->memdev->name);
	otlp_points_add(x->out.points, &p);
}

void metrics_put_hardware(const struct metrics_scrape *x)
{
	for (size_t i = 0; i < x->n_devices; i++)
		put_status(x, &x->devices[i]);
	for (size_t i = 0; i < x->n_devices; i++)
		put_temperature(x, &x->devices[i]);
}
