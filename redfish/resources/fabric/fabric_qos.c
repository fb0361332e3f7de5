// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of the QoS of an MLD: DSP0288 1.2.0, table 2, rows 22 to 28, and 30 to 32.

#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_operations.h"

static const char no_qos[] = "the device behind the switch does not report QoS Control";

static const char *qos_unchangeable(const struct view *v, const struct fabric_device *d)
{
	return d && d->reading->has_qos ? fabric_unchangeable(v, d->sw) : no_qos;
}

static uint8_t port_of(const struct fabric_device *d)
{
	return d->port->physical->state.id;
}

/* ---- QoS Control ------------------------------------------------------------------------------
 */

static const struct parameter congestion[] = {
	{.name = "CongestionTelemetryEnabled", .type = PARAMETER_BOOLEAN},
	{.name = "EgressModeratePercentage", .type = PARAMETER_NUMBER, .min = 1, .max = 100},
	{.name = "EgressSeverePercentage", .type = PARAMETER_NUMBER, .min = 1, .max = 100},
	{.name = "BackpressureSampleInterval",
	 .type = PARAMETER_NUMBER,
	 .max = 15,
	 .description = "nanoseconds"},
	{.name = "MaxSustainedRequestCmpBias", .type = PARAMETER_NUMBER, .max = 65535},
	{.name = "CompletionCollectionInterval",
	 .type = PARAMETER_NUMBER,
	 .max = 255,
	 .description = "nanoseconds"},
};

static const struct parameter port_cxl[] = {
	{.name = "Congestion", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(congestion)},
};

static const struct parameter port_rows[] = {
	{.name = "CXL", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(port_cxl)},
};

const struct parameters device_port_patch_body = {PARAMETER_ROWS(port_rows)};

/* Return: the value, which the field of the command then takes; 0 when it is not given. */
static unsigned int take(const struct exchange *x, const char *path, struct switch_change *c,
			 unsigned int field)
{
	const struct opt_bool flag = body_boolean(x, path);

	if (!body_has(x, path))
		return 0;
	c->qos.fields |= field;
	return flag.present ? flag.value : (unsigned int)body_number(x, path).value;
}

#define CONGESTION(name) "CXL/Congestion/" name

static void take_congestion(const struct exchange *x, struct switch_change *c)
{
	struct fmapi_qos_control *q = &c->qos.values;

	q->egress_congestion =
		take(x, CONGESTION("CongestionTelemetryEnabled"), c, QOS_EGRESS_CONGESTION);
	q->moderate_percent =
		(uint8_t)take(x, CONGESTION("EgressModeratePercentage"), c, QOS_MODERATE_PERCENT);
	q->severe_percent =
		(uint8_t)take(x, CONGESTION("EgressSeverePercentage"), c, QOS_SEVERE_PERCENT);
	q->sample_interval_ns =
		(uint8_t)take(x, CONGESTION("BackpressureSampleInterval"), c, QOS_SAMPLE_INTERVAL);
	q->req_cmp_basis =
		(uint16_t)take(x, CONGESTION("MaxSustainedRequestCmpBias"), c, QOS_REQ_CMP_BASIS);
	q->completion_interval_ns = (uint8_t)take(x, CONGESTION("CompletionCollectionInterval"), c,
						  QOS_COMPLETION_INTERVAL);
}

/* Return: the change, whose values the caller takes. */
static struct switch_change *add_qos(struct fabric_changes *changes, const struct fabric_device *d)
{
	struct switch_change *c = fabric_changes_add(changes, d->sw, SWITCH_SET_QOS_CONTROL);

	c->port = port_of(d);
	return c;
}

int patch_device_port(struct exchange *x)
{
	const struct fabric_port *p = x->resource->object;
	struct fabric_changes changes = {0};

	take_congestion(x, add_qos(&changes, p->device));
	return fabric_changes_submit(x, &changes);
}

const char *device_port_unchangeable(const struct view *v, const struct resource *r)
{
	return qos_unchangeable(v, ((const struct fabric_port *)r->object)->device);
}

static const struct parameter cxl_device[] = {
	{.name = "TemporaryThroughputReductionEnabled", .type = PARAMETER_BOOLEAN},
};

static const struct parameter pcie_rows[] = {
	{.name = "CXLDevice", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(cxl_device)},
};

const struct parameters remote_pcie_device_patch_body = {PARAMETER_ROWS(pcie_rows)};

int patch_remote_pcie_device(struct exchange *x)
{
	const struct fabric_device *d = x->resource->object;
	struct fabric_changes changes = {0};
	struct switch_change *c = add_qos(&changes, d);

	c->qos.values.throughput_reduction = take(
		x, "CXLDevice/TemporaryThroughputReductionEnabled", c, QOS_THROUGHPUT_REDUCTION);
	return fabric_changes_submit(x, &changes);
}

const char *remote_pcie_device_unchangeable(const struct view *v, const struct resource *r)
{
	return qos_unchangeable(v, r->object);
}

/* ---- bandwidth of an LD -----------------------------------------------------------------------
 */

static const struct parameter qos_members[] = {
	{.name = "AllocatedBandwidth",
	 .type = PARAMETER_NUMBER,
	 .max = 100,
	 .description = "percent, which the device rounds to 256ths"},
	{.name = "LimitPercent",
	 .type = PARAMETER_NUMBER,
	 .max = 100,
	 .description = "percent, which the device rounds to 256ths"},
};

static const struct parameter ld_rows[] = {
	{.name = "QoS", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(qos_members)},
};

const struct parameters ld_patch_body = {PARAMETER_ROWS(ld_rows)};

static void add_bandwidth(const struct exchange *x, const struct fabric_ld *ld, const char *path,
			  struct fabric_changes *to, enum switch_change_kind kind)
{
	const struct opt_u64 percent = body_number(x, path);
	struct switch_change *c;

	if (!percent.present)
		return;
	c = fabric_changes_add(to, ld->device->sw, kind);
	c->port = port_of(ld->device);
	c->ld = ld->reading->id;
	c->fraction = fmapi_fraction_of_percent((unsigned int)percent.value);
}

int patch_remote_ld(struct exchange *x)
{
	const struct fabric_ld *ld = x->resource->object;
	struct fabric_changes changes = {0};

	add_bandwidth(x, ld, "QoS/AllocatedBandwidth", &changes, SWITCH_SET_ALLOCATED_BW);
	add_bandwidth(x, ld, "QoS/LimitPercent", &changes, SWITCH_SET_BW_LIMIT);
	return fabric_changes_submit(x, &changes);
}

const char *remote_ld_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_ld *ld = r->object;

	return ld->reading->allocated.present || ld->reading->limit.present
		       ? fabric_unchangeable(v, ld->device->sw)
		       : no_qos;
}
