// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The row of a memory device as a PCIeDevice, whose PATCH sets the clock of the device, and whether
// it reduces its throughput (DSP0288 1.2.0, table 1, rows 8, 15 and 16). All of these are raw
// commands.
#include <errno.h>
#include <string.h>

#include "change/client.h"
#include "common/time_text.h"
#include "redfish/core/odata.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/fabric/pcie_device.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/rows.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

#define TIMESTAMP "CXLDevice/Timestamp"
#define REDUCTION "CXLDevice/TemporaryThroughputReductionEnabled"

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
	{.name = "TemporaryThroughputReductionEnabled",
	 .type = PARAMETER_BOOLEAN,
	 .description = "Set SLD QoS Control; the other fields of the control stay"},
};

static const struct parameter body_rows[] = {
	{.name = "CXLDevice", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(members)},
};

#define TAINT                                                                                      \
	"Each is a raw command, at the first of which since its start the kernel warns and is tainted (W)"

static const struct parameters device_body = {PARAMETER_ROWS(body_rows), .description = TAINT};

/* ---- PATCH ------------------------------------------------------------------------------------
 */

#define CLOCK_SET                                                                                  \
	"Linux sets its timestamp again when it binds the device and after each reset, and the times of the device's records jump by as much as was changed"
#define REDUCTION_SET                                                                              \
	"Linux does not show its QoS control, which only CXLHostPCIeDevice.GetQoSControl reads"

/* Once for the whole answer, also where both were set. */
static void add_effects(struct exchange *x, const struct change_result *result)
{
	const bool clock = body_text(x, TIMESTAMP), reduction = body_boolean(x, REDUCTION).present;

	message_set(&x->message, MESSAGE_RAW_COMMAND_SENT, result->object,
		    clock && reduction ? CLOCK_SET "; " REDUCTION_SET
		    : clock	       ? CLOCK_SET
				       : REDUCTION_SET,
		    NULL);
	exchange_remark(x);
}

static void check_device(struct exchange *x)
{
	const struct mailbox *said = view_mailbox(x->view, x->resource->object);

	if (body_text(x, TIMESTAMP) && !said->timestamp_ns.present)
		memory_note(x, TIMESTAMP, 400, "the device has not reported a timestamp");
	if (body_boolean(x, REDUCTION).present && !device_reduces_throughput(said))
		memory_note(x, REDUCTION, 400,
			    "the device does not report that it can reduce its throughput");
}

static int patch_device(struct exchange *x)
{
	const char *text = body_text(x, TIMESTAMP);
	const struct opt_bool reduction = body_boolean(x, REDUCTION);
	struct change items[2];
	struct host_changes changes = {
		.items = items, .image = -1, .property = TIMESTAMP, .on_made = add_effects};
	struct time_written at = {0};

	check_device(x);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	if (text && time_text_read(text, 0, &at) == 0) {
		change_of_memdev(&items[0], CHANGE_TIMESTAMP, x->resource->object);
		items[changes.n++].timestamp_ns = at.first_ns;
	}
	if (reduction.present) {
		changes.property = changes.n ? NULL : REDUCTION;
		change_of_memdev(&items[changes.n], CHANGE_THROTTLING, x->resource->object);
		items[changes.n++].on = reduction.value;
	}
	return host_changes_submit(x, &changes);
}

static const char *unchangeable(const struct view *v, const struct resource *r)
{
	const char *why = host_unchangeable(v, ALLOW_RAW);
	const struct mailbox *said = view_mailbox(v, r->object);

	if (why)
		return why;
	return said->timestamp_ns.present || device_reduces_throughput(said)
		       ? NULL
		       : "the device has reported neither a timestamp nor a control of its throughput";
}

/* ---- GetQoSControl ----------------------------------------------------------------------------
 */

static const char *qos_unreadable(const struct view *v, const struct resource *r)
{
	const char *why = host_unchangeable(v, ALLOW_RAW);

	if (why)
		return why;
	return device_reduces_throughput(view_mailbox(v, r->object))
		       ? NULL
		       : "the device does not report that it can reduce its throughput";
}

static void put_qos(const struct sld_qos *qos, struct json_writer *w)
{
	put_object(w, NULL);
	put_bool(w, "TemporaryThroughputReductionEnabled", qos->temporary_throughput_reduction);
	put_bool(w, "EgressPortCongestionEnabled", qos->egress_port_congestion);
	put_number(w, "EgressModeratePercent", qos->egress_moderate);
	put_number(w, "EgressSeverePercent", qos->egress_severe);
	put_number(w, "BackpressureSampleIntervalNanoseconds",
		   qos->backpressure_sample_interval_ns);
	put_end(w);
}

static int read_qos(struct exchange *x, void *state)
{
	const char *why = host_unchangeable_now(x, ALLOW_RAW);
	struct change_result result;
	struct change c;
	const struct change_call call = {.change = &c, .image = -1};

	(void)state;
	change_of_memdev(&c, CHANGE_QOS_READ, x->resource->object);
	if (!why && !x->service->change_client)
		why = "this service has nothing that sends the command";
	if (why)
		return host_change_refuse(x, c.object, -EACCES, why, NULL);
	if (change_client_run(x->service->change_client, &call, &result) < 0)
		return host_change_refuse(x, c.object, result.error, result.text, NULL);
	put_qos(&result.qos, &x->w);
	return 0;
}

static int run_get_qos(struct exchange *x)
{
	static const struct continuation c = {.class = JOB_DEVICES, .run = read_qos};

	return exchange_continue(x, &c, NULL);
}

static const struct action device_actions[] = {
	{"CXLHostPCIeDevice.GetQoSControl", .unchangeable = qos_unreadable, .run = run_get_qos},
};

static const struct resource_type device_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1",
	 SCHEMA("PCIeDevice", "v1_22_0"),
	 .enumerate = enumerate_modules,
	 .get = get_pcie_device,
	 .status = put_pcie_device_status,
	 .patch = patch_device,
	 .patch_body = &device_body,
	 ACTIONS(device_actions),
	 .unchangeable = unchangeable},
};

const struct resource_rows pcie_device_rows = RESOURCE_ROWS(device_types);
