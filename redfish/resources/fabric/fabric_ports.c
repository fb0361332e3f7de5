// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Port.Reset and Port.ResetPPB of the physical ports of a switch: DSP0288 1.2.0, table 2, rows 14
// and 15.

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_operations.h"

static const char *const reset_types[] = {"ForceRestart", NULL};

const char *switch_port_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_port *p = r->object;

	return p->physical ? fabric_unchangeable(v, p->sw)
			   : "it is not known as a physical port of a switch";
}

/* Checks the body, which has these parameters and Force. */
static int submit_control(struct exchange *x, enum switch_change_kind kind,
			  const struct body_property *parameters, size_t n)
{
	const struct fabric_port *p = x->resource->object;
	struct fabric_changes changes = {0};
	int r = body_check(x, parameters, n);
	const char *type = body_text(x, "ResetType");

	if (r < 0)
		return r;
	if (type && !str_equal(type, reset_types[0])) {
		(void)exchange_refuse(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, type,
				      "ResetType", x->resource->action->name);
		exchange_note(x);
	}
	r = fabric_force(x, &changes.force);
	if (r == 0)
		r = exchange_noted(x);
	if (r < 0)
		return r;
	fabric_changes_add(&changes, p->sw, kind)->port = p->physical->state.id;
	return fabric_changes_submit(x, &changes);
}

static int run_reset(struct exchange *x)
{
	const struct body_property parameters[] = {{.name = "ResetType", .kind = BODY_TEXT},
						   fabric_force_property};

	return submit_control(x, SWITCH_RESET_PORT, parameters, ARRAY_SIZE(parameters));
}

static int run_reset_ppb(struct exchange *x)
{
	return submit_control(x, SWITCH_RESET_PPB, &fabric_force_property, 1);
}

const struct action switch_port_actions[2] = {
	{.name = "Port.Reset",
	 .standard = true,
	 .demands_if_match = true,
	 .allowable = "ResetType@Redfish.AllowableValues",
	 .values = reset_types,
	 .run = run_reset},
	{.name = "Port.ResetPPB", .standard = true, .demands_if_match = true, .run = run_reset_ppb},
};
