// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of MemoryMetrics: the warning thresholds that Set Alert Configuration sets (CXL 3.2
// 8.2.10.9.3.3). Critical thresholds are the device's own.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "common/array.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/memory/memory_operations.h"

#define ALERTS "Oem/CXLHost/Alerts/"

enum { PATH_MAX_CHARS = 96 };

static const struct alert {
	const char *name, *unit;
	uint32_t bit;
	size_t offset; /* into struct mailbox */
	int min, max;
	bool falls; /* the warning comes before the critical threshold from above */
} alerts[] = {
	{"LifeUsedPercent", "percent", CHANGE_ALERT_LIFE_USED, offsetof(struct mailbox, life_used),
	 0, 100, false},
	{"OverTemperatureCelsius", "degrees Celsius", CHANGE_ALERT_OVER_TEMPERATURE,
	 offsetof(struct mailbox, over_temperature), INT16_MIN, INT16_MAX, false},
	{"UnderTemperatureCelsius", "degrees Celsius", CHANGE_ALERT_UNDER_TEMPERATURE,
	 offsetof(struct mailbox, under_temperature), INT16_MIN, INT16_MAX, true},
	{"CorrectedVolatileErrorCount", "errors", CHANGE_ALERT_CORRECTED_VOLATILE,
	 offsetof(struct mailbox, corrected_volatile), 0, UINT16_MAX, false},
	{"CorrectedPersistentErrorCount", "errors", CHANGE_ALERT_CORRECTED_PERSISTENT,
	 offsetof(struct mailbox, corrected_persistent), 0, UINT16_MAX, false},
};

static const struct mailbox_alert *reported(const struct mailbox *mb, const struct alert *a)
{
	return (const struct mailbox_alert *)(const void *)((const char *)mb + a->offset);
}

static void put_threshold(struct change_alerts *to, uint32_t bit, int value)
{
	switch (bit) {
	case CHANGE_ALERT_LIFE_USED:
		to->life_used = (uint16_t)value;
		break;
	case CHANGE_ALERT_OVER_TEMPERATURE:
		to->over_temperature = (int16_t)value;
		break;
	case CHANGE_ALERT_UNDER_TEMPERATURE:
		to->under_temperature = (int16_t)value;
		break;
	case CHANGE_ALERT_CORRECTED_VOLATILE:
		to->corrected_volatile = (uint16_t)value;
		break;
	default:
		to->corrected_persistent = (uint16_t)value;
		break;
	}
}

/* ---- one alert --------------------------------------------------------------------------------
 */

/* Notes a threshold that cannot be. Return: whether it can. */
static bool check_threshold(struct exchange *x, const struct alert *a,
			    const struct mailbox_alert *now, const char *path, int value)
{
	if (value < a->min || value > a->max) {
		memory_note(x, path, 400, "its threshold can be from %d to %d %s", a->min, a->max,
			    a->unit);
		return false;
	}
	if (!now->critical.present ||
	    (a->falls ? value >= now->critical.value : value <= now->critical.value))
		return true;
	memory_note(x, path, 400,
		    "a warning at %d %s would come after the device's critical threshold of %d",
		    value, a->unit, now->critical.value);
	return false;
}

/* A threshold makes its alert valid: CXL shows it only then. */
static void set_alert(struct exchange *x, const struct alert *a, const struct mailbox_alert *now,
		      const char *path, const char *valid_path, struct change_alerts *to)
{
	const struct opt_int threshold = body_integer(x, path);
	const struct opt_bool valid = body_boolean(x, valid_path);
	const bool on = !valid.present || valid.value;

	if (threshold.present && !on) {
		memory_note(x, path, 400, "a threshold makes the alert valid: give one of the two");
		return;
	}
	if (on && !threshold.present && !now->warning.present) {
		memory_note(x, valid_path, 400,
			    "the alert has no threshold yet: give WarningThreshold instead");
		return;
	}
	if (threshold.present && !check_threshold(x, a, now, path, threshold.value))
		return;
	to->fields |= a->bit;
	to->enable |= on ? a->bit : 0;
	if (threshold.present)
		put_threshold(to, a->bit, threshold.value);
	else if (now->warning.present)
		put_threshold(to, a->bit, now->warning.value);
}

static void read_alert(struct exchange *x, const struct mailbox *mb, const struct alert *a,
		       struct change_alerts *to)
{
	const struct mailbox_alert *now = reported(mb, a);
	char path[PATH_MAX_CHARS], valid_path[PATH_MAX_CHARS];

	(void)snprintf(path, sizeof(path), ALERTS "%s/WarningThreshold", a->name);
	(void)snprintf(valid_path, sizeof(valid_path), ALERTS "%s/Valid", a->name);
	if (!body_has(x, path) && !body_has(x, valid_path))
		return;
	if (!now->programmable)
		memory_note(x, body_has(x, path) ? path : valid_path, 409,
			    "the device reports that this alert is not programmable");
	else
		set_alert(x, a, now, path, valid_path, to);
}

/* ---- the request ------------------------------------------------------------------------------
 */

static const struct parameter of_alert[] = {
	/* Each alert has a range of its own, which is reported with its unit. */
	{.name = "WarningThreshold",
	 .type = PARAMETER_NUMBER,
	 .min = INT64_MIN,
	 .max = INT64_MAX,
	 .description = "makes the alert valid"},
	{.name = "Valid", .type = PARAMETER_BOOLEAN},
};

#define ALERT(text)                                                                                \
	{                                                                                          \
		.name = (text), .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(of_alert)              \
	}

static const struct parameter all_alerts[] = {
	ALERT("LifeUsedPercent"),
	ALERT("OverTemperatureCelsius"),
	ALERT("UnderTemperatureCelsius"),
	ALERT("CorrectedVolatileErrorCount"),
	ALERT("CorrectedPersistentErrorCount"),
};

static const struct parameter cxl_host[] = {
	{.name = "Alerts", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(all_alerts)},
};

static const struct parameter oem[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(cxl_host)},
};

static const struct parameter rows[] = {
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(oem)},
};

const struct parameters memory_metrics_patch_body = {PARAMETER_ROWS(rows)};

int patch_memory_metrics(struct exchange *x)
{
	const struct memdev *m = x->resource->object;
	const struct mailbox *mb = view_mailbox(x->view, m);
	struct change c;
	int r;

	host_change_of_memdev(&c, CHANGE_ALERTS, m);
	for (size_t i = 0; i < ARRAY_SIZE(alerts); i++)
		read_alert(x, mb, &alerts[i], &c.alerts);
	r = exchange_noted(x);
	if (r < 0)
		return r;
	return memory_submit(x, &c, 1, NULL);
}

const char *memory_metrics_unchangeable(const struct view *v, const struct resource *r)
{
	const struct mailbox *mb = view_mailbox(v, r->object);
	const char *why = host_unchangeable(v, ALLOW_ALERTS);
	bool any = false;

	if (why)
		return why;
	if (!mb->has_alerts)
		return "the device has not reported an alert configuration";
	for (size_t i = 0; i < ARRAY_SIZE(alerts); i++)
		any |= reported(mb, &alerts[i])->programmable;
	return any ? NULL : "the device reports no alert that is programmable";
}
