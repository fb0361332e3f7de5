// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of the QoS of an MLD: DSP0288 1.2.0, table 2, rows 22 to 28, and 30 to 32.

#include "common/array.h"
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

static const struct body_property congestion[] = {
	{.name = "CongestionTelemetryEnabled", .kind = BODY_BOOLEAN},
	{.name = "EgressModeratePercentage", .kind = BODY_NUMBER, .min = 1, .max = 100},
	{.name = "EgressSeverePercentage", .kind = BODY_NUMBER, .min = 1, .max = 100},
	{.name = "BackpressureSampleInterval", .kind = BODY_NUMBER, .max = 15},
	{.name = "MaxSustainedRequestCmpBias", .kind = BODY_NUMBER, .max = 65535},
	{.name = "CompletionCollectionInterval", .kind = BODY_NUMBER, .max = 255},
};

static const struct body_property port_cxl[] = {
	{.name = "Congestion", .kind = BODY_OBJECT, BODY_MEMBERS(congestion)},
};

static const struct body_property port_properties[] = {
	{.name = "CXL", .kind = BODY_OBJECT, BODY_MEMBERS(port_cxl)},
};

/* Return: the value, which the field of the command then takes; 0 when it is not given. */
static unsigned int take(const struct exchange *x, const char *path, struct switch_change *c,
			 unsigned int field)
{
	const json_t *value = body_at(x, path);

	if (!value)
		return 0;
	c->qos.fields |= field;
	return json_is_boolean(value) ? json_is_true(value)
				      : (unsigned int)json_integer_value(value);
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

/* Checks the body. Return: 0 with the change, whose values the caller takes; or an error. */
static int begin_qos(struct exchange *x, const struct body_property *p, size_t n,
		     const struct fabric_device *d, struct fabric_changes *changes,
		     struct switch_change **ret)
{
	int r = body_check(x, p, n);

	if (r == 0)
		r = exchange_noted(x);
	if (r < 0)
		return r;
	*ret = fabric_changes_add(changes, d->sw, SWITCH_SET_QOS_CONTROL);
	(*ret)->port = port_of(d);
	return 0;
}

int patch_device_port(struct exchange *x)
{
	const struct fabric_port *p = x->resource->object;
	struct fabric_changes changes = {0};
	struct switch_change *c;
	int r = begin_qos(x, port_properties, ARRAY_SIZE(port_properties), p->device, &changes, &c);

	if (r < 0)
		return r;
	take_congestion(x, c);
	return fabric_changes_submit(x, &changes);
}

const char *device_port_unchangeable(const struct view *v, const struct resource *r)
{
	return qos_unchangeable(v, ((const struct fabric_port *)r->object)->device);
}

static const struct body_property cxl_device[] = {
	{.name = "TemporaryThroughputReductionEnabled", .kind = BODY_BOOLEAN},
};

static const struct body_property pcie_properties[] = {
	{.name = "CXLDevice", .kind = BODY_OBJECT, BODY_MEMBERS(cxl_device)},
};

int patch_remote_pcie_device(struct exchange *x)
{
	const struct fabric_device *d = x->resource->object;
	struct fabric_changes changes = {0};
	struct switch_change *c;
	int r = begin_qos(x, pcie_properties, ARRAY_SIZE(pcie_properties), d, &changes, &c);

	if (r < 0)
		return r;
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

static const struct body_property qos_members[] = {
	{.name = "AllocatedBandwidth", .kind = BODY_NUMBER, .max = 100},
	{.name = "LimitPercent", .kind = BODY_NUMBER, .max = 100},
};

static const struct body_property ld_properties[] = {
	{.name = "QoS", .kind = BODY_OBJECT, BODY_MEMBERS(qos_members)},
};

static void add_bandwidth(const struct exchange *x, const struct fabric_ld *ld, const char *path,
			  struct fabric_changes *to, enum switch_change_kind kind)
{
	const json_t *value = body_at(x, path);
	struct switch_change *c;

	if (!value)
		return;
	c = fabric_changes_add(to, ld->device->sw, kind);
	c->port = port_of(ld->device);
	c->ld = ld->reading->id;
	c->fraction = fmapi_fraction_of_percent((unsigned int)json_integer_value(value));
}

static int patch_bandwidth(struct exchange *x, const struct fabric_ld *ld)
{
	struct fabric_changes changes = {0};
	int r = body_check(x, ld_properties, ARRAY_SIZE(ld_properties));

	if (r == 0)
		r = exchange_noted(x);
	if (r < 0)
		return r;
	add_bandwidth(x, ld, "QoS/AllocatedBandwidth", &changes, SWITCH_SET_ALLOCATED_BW);
	add_bandwidth(x, ld, "QoS/LimitPercent", &changes, SWITCH_SET_BW_LIMIT);
	return fabric_changes_submit(x, &changes);
}

static const char *bandwidth_unchangeable(const struct view *v, const struct fabric_ld *ld)
{
	return ld->reading->allocated.present || ld->reading->limit.present
		       ? fabric_unchangeable(v, ld->device->sw)
		       : no_qos;
}

int patch_remote_ld(struct exchange *x)
{
	return patch_bandwidth(x, x->resource->object);
}

const char *remote_ld_unchangeable(const struct view *v, const struct resource *r)
{
	return bandwidth_unchangeable(v, r->object);
}

int patch_seen_ld(struct exchange *x)
{
	return patch_bandwidth(x, fabric_ld_of(x->view->fabric, x->resource->object));
}

const char *seen_ld_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_ld *ld = fabric_ld_of(v->fabric, r->object);

	return ld ? bandwidth_unchangeable(v, ld)
		  : "it is not known as a part of a device behind a switch";
}
