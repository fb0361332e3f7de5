// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The row of a memory device as a PCIeDevice, whose PATCH sets the clock of the device (DSP0288
// 1.2.0, table 1, row 8).
#include <string.h>

#include "common/time_text.h"
#include "redfish/core/odata.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/fabric/pcie_device.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/rows.h"
#include "redfish/service/body_check.h"

#define TIMESTAMP "CXLDevice/Timestamp"

/* Edm.DateTimeOffset; of the forms that time_text_read() knows, those with a T and an offset. */
static bool is_date_time(const char *text)
{
	const size_t len = strlen(text);
	struct time_written at;

	return len >= strlen("2026-01-01T00:00:00Z") && text[10] == 'T' &&
	       (text[len - 1] == 'Z' || text[len - 6] == '+' || text[len - 6] == '-') &&
	       time_text_read(text, 0, &at) == 0 && at.first_ns > 0;
}

#define CLOCK                                                                                      \
	"the clock of the device, which goes on from it; Linux sets it again when it binds the device"

static const struct parameter members[] = {
	{.name = "Timestamp",
	 .type = PARAMETER_TEXT,
	 .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$",
	 .accepts = is_date_time,
	 .description = CLOCK},
};

static const struct parameter body_rows[] = {
	{.name = "CXLDevice", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(members)},
};

static const struct parameters device_body = {PARAMETER_ROWS(body_rows)};

static int patch_device(struct exchange *x)
{
	const char *text = body_text(x, TIMESTAMP);
	struct time_written at = {0};
	struct change c;
	int r = exchange_noted(x);

	if (r < 0)
		return r;
	host_change_of_memdev(&c, CHANGE_TIMESTAMP, x->resource->object);
	if (text && time_text_read(text, 0, &at) == 0)
		c.timestamp_ns = at.first_ns;
	return memory_submit(x, &c, 1, TIMESTAMP);
}

static const char *unchangeable(const struct view *v, const struct resource *r)
{
	const char *why = host_unchangeable(v, ALLOW_RAW);

	if (why)
		return why;
	return view_mailbox(v, r->object)->timestamp_ns.present
		       ? NULL
		       : "the device has not reported a timestamp";
}

static const struct resource_type device_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1",
	 SCHEMA("PCIeDevice", "v1_22_0"),
	 .enumerate = enumerate_modules,
	 .get = get_pcie_device,
	 .status = put_pcie_device_status,
	 .patch = patch_device,
	 .patch_body = &device_body,
	 .unchangeable = unchangeable},
};

const struct resource_rows pcie_device_rows = RESOURCE_ROWS(device_types);
