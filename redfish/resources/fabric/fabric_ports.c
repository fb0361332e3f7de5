// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Port.Reset and Port.ResetPPB of the physical ports of a switch: DSP0288 1.2.0, table 2, rows 14
// and 15.

#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_operations.h"

static const char *const reset_types[] = {"ForceRestart", NULL};

const char *switch_port_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_port *p = r->object;

	return p->physical ? fabric_unchangeable(v, p->sw)
			   : "it is not known as a physical port of a switch";
}

static const struct parameter reset_rows[] = {
	{.name = "ResetType", .type = PARAMETER_TEXT, .values = reset_types},
	FABRIC_FORCE_ROW,
};
static const struct parameter reset_ppb_rows[] = {FABRIC_FORCE_ROW};

static const struct parameters reset_parameters = {PARAMETER_ROWS(reset_rows)};
static const struct parameters reset_ppb_parameters = {PARAMETER_ROWS(reset_ppb_rows)};

static int submit_control(struct exchange *x, enum switch_change_kind kind)
{
	const struct fabric_port *p = x->resource->object;
	struct fabric_changes changes = {0};
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	fabric_changes_add(&changes, p->sw, kind)->port = p->physical->state.id;
	return fabric_changes_submit(x, &changes);
}

static int run_reset(struct exchange *x)
{
	return submit_control(x, SWITCH_RESET_PORT);
}

static int run_reset_ppb(struct exchange *x)
{
	return submit_control(x, SWITCH_RESET_PPB);
}

const struct action switch_port_actions[2] = {
	{.name = "Port.Reset",
	 .parameters = &reset_parameters,
	 .standard = true,
	 .demands_if_match = true,
	 .run = run_reset},
	{.name = "Port.ResetPPB",
	 .parameters = &reset_ppb_parameters,
	 .standard = true,
	 .demands_if_match = true,
	 .run = run_reset_ppb},
};
