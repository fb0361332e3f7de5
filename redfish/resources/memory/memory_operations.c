// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/memory/memory_operations.h"

#include <stdarg.h>
#include <stdio.h>

#include "redfish/service/body_check.h"

const char *const memory_alert_names[MAILBOX_ALERTS] = {
	[ALERT_LIFE_USED] = "LifeUsedPercent",
	[ALERT_OVER_TEMPERATURE] = "OverTemperatureCelsius",
	[ALERT_UNDER_TEMPERATURE] = "UnderTemperatureCelsius",
	[ALERT_CORRECTED_VOLATILE] = "CorrectedVolatileErrorCount",
	[ALERT_CORRECTED_PERSISTENT] = "CorrectedPersistentErrorCount",
};

void memory_note(struct exchange *x, const char *path, unsigned int status, const char *fmt, ...)
{
	const struct memdev *m = x->resource->object;
	char text[MESSAGE_ARG_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	host_change_message(&x->message, MESSAGE_CHANGE_REFUSED, m->name, text);
	x->message.status = status;
	body_point_to(x, path);
	exchange_note(x);
}

void memory_note_error(struct exchange *x, const char *path, const struct error *e)
{
	memory_note(x, path, host_change_status(-e->code), "%s", e->text);
}

bool memory_may(struct exchange *x, unsigned int bit, const char *path)
{
	const char *why = host_unchangeable(x->view, bit);

	if (why)
		memory_note(x, path, 403, "%s", why);
	return !why;
}

int memory_submit(struct exchange *x, struct change *items, size_t n, const char *property)
{
	struct host_changes changes = {.items = items, .n = n, .image = -1, .property = property};

	return host_changes_submit(x, &changes);
}
