// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of MemoryMetrics: the warning thresholds that Set Alert Configuration sets (CXL 3.2
// 8.2.10.9.3.3). Critical thresholds are the device's own.
#include <errno.h>
#include <stdio.h>

#include "common/array.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/memory/memory_operations.h"

#define ALERTS "Oem/CXLHost/Alerts/"

enum { PATH_MAX_CHARS = 96 };

/* A threshold makes its alert valid: CXL shows it only then. */
static void set_alert(struct exchange *x, enum mailbox_alert_kind kind, const char *path,
		      const char *valid_path, struct change_alerts *to)
{
	const struct mailbox *said = view_mailbox(x->view, x->resource->object);
	const struct opt_int threshold = body_integer(x, path), now = said->alerts[kind].warning;
	const struct opt_bool valid = body_boolean(x, valid_path);
	const bool on = !valid.present || valid.value;
	struct error e = {0};

	if (memdev_check_alert(said, kind, &e) < 0) {
		memory_note_error(x, threshold.present ? path : valid_path, &e);
	} else if (threshold.present && !on) {
		memory_note(x, path, 400, "a threshold makes the alert valid: give one of the two");
	} else if (on && !threshold.present && !now.present) {
		memory_note(x, valid_path, 400,
			    "the alert has no threshold yet: give WarningThreshold instead");
	} else if (threshold.present &&
		   memdev_check_threshold(said, kind, threshold.value, &e) < 0) {
		memory_note_error(x, path, &e);
	} else {
		to->fields |= 1U << kind;
		to->enable |= on ? 1U << kind : 0;
		to->thresholds[kind] = threshold.present ? threshold.value : now.value;
	}
}

static void read_alert(struct exchange *x, enum mailbox_alert_kind kind, struct change_alerts *to)
{
	const char *name = memory_alert_names[kind];
	char path[PATH_MAX_CHARS], valid_path[PATH_MAX_CHARS];

	(void)snprintf(path, sizeof(path), ALERTS "%s/WarningThreshold", name);
	(void)snprintf(valid_path, sizeof(valid_path), ALERTS "%s/Valid", name);
	if (body_has(x, path) || body_has(x, valid_path))
		set_alert(x, kind, path, valid_path, to);
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
	struct change c;
	int r;

	change_of_memdev(&c, CHANGE_ALERTS, m);
	for (unsigned int i = 0; i < MAILBOX_ALERTS; i++)
		read_alert(x, i, &c.alerts);
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
	for (size_t i = 0; i < MAILBOX_ALERTS; i++)
		any |= mb->alerts[i].programmable;
	return any ? NULL : "the device reports no alert that is programmable";
}
