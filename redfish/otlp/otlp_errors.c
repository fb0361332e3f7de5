// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_errors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/event_advice.h"
#include "events/incident.h"

/* error.type of OpenTelemetry. */
static const char *const kinds[OTLP_ERROR_KINDS] = {
	[OTLP_ERROR_CORRECTED] = "corrected",
	[OTLP_ERROR_UNCORRECTED] = "uncorrected",
	[OTLP_ERROR_FATAL] = "fatal",
};

static int take_row(void *userdata, const struct otlp_error_count *row)
{
	struct otlp_errors *x = userdata;
	struct otlp_error_count *c = otlp_error_counts_add(&x->list);

	if (!c)
		return -ENOMEM;
	*c = *row;
	return 0;
}

int otlp_errors_load(struct otlp_errors *x, struct state *st, const struct state_otlp *row,
		     struct error *e)
{
	int r;

	if (x->loaded)
		return 0;
	x->list.n = 0;
	r = state_read_otlp_errors(st, OTLP_ERROR_DEVICES_MAX + 1, take_row, x, e);
	if (r < 0)
		return r;
	x->counted = row->counted;
	x->since_ns = row->since_ns;
	x->loaded = true;
	return 0;
}

void otlp_errors_not_after(struct otlp_errors *x, uint64_t earliest_ns)
{
	if (x->since_ns <= earliest_ns)
		return;
	x->since_ns = earliest_ns;
	x->changed = true;
}

/* Return: the counts of a device, new ones where there are none; NULL when out of memory. */
static struct otlp_error_count *counts_of(struct otlp_errors *x, const char *device)
{
	struct otlp_error_count *c;

	ARRAY_FOREACH(it, &x->list)
		if (str_equal(it->device, device))
			return it;
	if (x->list.n >= OTLP_ERROR_DEVICES_MAX && !str_equal(device, OTLP_OTHER_DEVICES))
		return counts_of(x, OTLP_OTHER_DEVICES);
	c = otlp_error_counts_add(&x->list);
	if (!c)
		return NULL;
	*c = (struct otlp_error_count){0};
	(void)snprintf(c->device, sizeof(c->device), "%s", device);
	return c;
}

/* Return: whether it is an error of the device's memory. */
static bool kind_of(const struct stored_event *ev, enum otlp_error_kind *ret)
{
	struct incident i;

	if (!incident_identify(ev, &i))
		return false;
	*ret = i.kind == INCIDENT_MEDIA_CORRECTED		       ? OTLP_ERROR_CORRECTED
	       : event_record_severity(&ev->record) == EVENT_LOG_FATAL ? OTLP_ERROR_FATAL
								       : OTLP_ERROR_UNCORRECTED;
	return i.kind == INCIDENT_MEDIA_CORRECTED || i.kind == INCIDENT_MEDIA_UNCORRECTABLE;
}

int otlp_errors_count(struct otlp_errors *x, const struct stored_event *ev)
{
	struct otlp_error_count *c;
	enum otlp_error_kind kind;

	if (ev->stored_ns && ev->stored_ns < x->since_ns) {
		x->since_ns = ev->stored_ns;
		x->changed = true;
	}
	if (!kind_of(ev, &kind))
		return 0;
	c = counts_of(x, ev->device);
	if (!c)
		return -ENOMEM;
	c->n[kind]++;
	x->changed = true;
	return 0;
}

int otlp_errors_save(struct otlp_errors *x, struct state *st, struct error *e)
{
	int r = 0;

	if (x->changed)
		r = state_put_otlp_errors(st, &x->list, x->counted, x->since_ns, e);
	if (r == 0)
		x->changed = false;
	return r;
}

/* The Id of a device is made of its serial number, unless another one has the same. */
static const char *serial_of(const char *device, char ret[static 24])
{
	const char *digits = str_after_prefix(device, "cxl-");
	uint64_t serial;

	if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16 ||
	    sscanf(digits, "%" SCNx64, &serial) != 1)
		return NULL;
	(void)snprintf(ret, 24, "0x%" PRIx64, serial);
	return ret;
}

void otlp_errors_collect(const struct otlp_errors *x, struct otlp_points *points)
{
	for (size_t k = 0; k < x->list.n; k++) {
		const struct otlp_error_count *c = &x->list.items[k];
		char serial[24];

		for (unsigned int i = 0; i < OTLP_ERROR_KINDS; i++) {
			struct otlp_point p = {
				.kind = OTLP_METRIC_COUNTER,
				.name = "hw.errors",
				.unit = "{error}",
				.description = "Number of errors encountered by the component.",
				.start_ns = x->since_ns,
				.value = (double)c->n[i],
			};

			otlp_point_set(&p, "hw.type", "memory");
			otlp_point_set(&p, "hw.id", c->device);
			otlp_point_set(&p, "hw.serial_number", serial_of(c->device, serial));
			otlp_point_set(&p, "error.type", kinds[i]);
			otlp_points_add(points, &p);
		}
	}
}

void otlp_errors_done(struct otlp_errors *x)
{
	otlp_error_counts_done(&x->list);
}
