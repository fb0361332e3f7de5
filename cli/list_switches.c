// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa list: switches by their mailboxes, as text.
#include <inttypes.h>

#include "cli/output.h"
#include "cli/switches.h"
#include "model/pcie_speed.h"

static void print_part(unsigned int depth, const char *name)
{
	out_indent(depth);
	out_styled(STYLE_NAME, "%s", name);
}

/* A reserved value is printed as a number. */
static void print_value(const char *what, const char *name, unsigned int value)
{
	if (name)
		out("  %s", name);
	else
		out("  %s %u", what, value);
}

static void print_bridge(const struct fabric_port *bridge)
{
	if (bridge && bridge->pci)
		out("  %s", bridge->pci->bdf);
}

static void print_speed(unsigned int speed, unsigned int width)
{
	const char *name = pcie_generation_name(speed);

	out("%s x%u", name ? name : "unknown speed", width);
}

/* ---- LDs and devices --------------------------------------------------------------------------
 */

/* As the device reports it: 256ths of what it has. */
static void print_bandwidth(const char *what, struct opt_int fraction)
{
	if (fraction.present)
		out("  %s %d/256", what, fraction.value);
}

void list_ld(unsigned int depth, const struct fabric_ld *ld)
{
	char name[SWITCH_NAME_MAX], bytes[SIZE_TEXT_MAX];

	print_part(depth, switch_ld_name(ld, name));
	out("  %s", size_text(ld->reading->size, bytes));
	print_bandwidth("bandwidth", ld->reading->allocated);
	print_bandwidth("limit", ld->reading->limit);
	if (ld->vppb)
		out("  %s", switch_vppb_name(ld->vppb, name));
	else if (switch_bindings_known(ld->device->sw))
		out_styled(STYLE_BAD, "  unbound");
	if (ld->memdev)
		out("  %s", ld->memdev->name);
	out_end();
}

static void print_mld(const struct fabric_device *d)
{
	const struct device_reading *r = d->reading;
	const struct opt_u64 left = switch_mld_free(d);
	char bytes[SIZE_TEXT_MAX];

	if (!r->has_ld_info)
		return;
	out("  %s in %u LD%s", size_text(OPT_U64(r->ld_info.memory_size), bytes), r->ld_info.n_lds,
	    plural_s(r->ld_info.n_lds));
	if (left.present && left.value > 0)
		out("  %s free", size_text(left, bytes));
	if (r->backpressure_percent.present)
		out("  backpressure %d %%", r->backpressure_percent.value);
}

static void print_device(unsigned int depth, const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;
	const struct fabric_device *d = p->device;
	const char *type = switch_device_type_name(state->device_type);

	if (state->config == FMAPI_PORT_USP || (!d && !type))
		return;
	out_indent(depth);
	out("%s", type ? type : "device");
	if (d && d->reading->has_identity && d->reading->identity.serial)
		out("  serial 0x%" PRIx64, d->reading->identity.serial);
	if (d && d->memdev)
		out("  %s", d->memdev->name);
	if (d)
		print_mld(d);
	out_end();
	for (size_t i = 0; d && i < d->n_lds; i++)
		list_ld(depth + 1, &d->lds[i]);
}

/* ---- ports ------------------------------------------------------------------------------------
 */

static void print_link(const struct fmapi_port *state)
{
	switch (switch_link_state(state)) {
	case SWITCH_LINK_UP:
		out("  ");
		print_speed(state->speed, state->width);
		if (state->speed == state->max_speed && state->width == state->max_width)
			break;
		out(", up to ");
		print_speed(state->max_speed, state->max_width);
		break;
	case SWITCH_LINK_EMPTY:
		out("  no device");
		break;
	case SWITCH_LINK_DOWN:
		out_styled(STYLE_BAD, "  link down");
		break;
	case SWITCH_LINK_UNKNOWN:
		break;
	}
	if (state->link_flags & FMAPI_LINK_PERST)
		out_styled(STYLE_BAD, "  in reset");
	if (state->link_flags & FMAPI_LINK_POWER_OFF)
		out_styled(STYLE_BAD, "  power off");
}

void list_switch_port(unsigned int depth, const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;
	char name[SWITCH_NAME_MAX];

	print_part(depth, switch_port_name(p, name));
	out("  port %u", state->id);
	print_value("state", switch_config_name(state->config), state->config);
	print_bridge(p);
	print_link(state);
	out_end();
	print_device(depth + 1, p);
}

/* ---- virtual switches -------------------------------------------------------------------------
 */

void list_vppb(unsigned int depth, const struct fabric_vppb *vppb)
{
	char name[SWITCH_NAME_MAX];

	print_part(depth, switch_vppb_name(vppb, name));
	if (vppb->ld)
		out("  %s", switch_ld_name(vppb->ld, name));
	else if (vppb->port)
		out("  %s", switch_port_name(vppb->port, name));
	else
		print_value("binding", switch_binding_name(vppb->state->binding),
			    vppb->state->binding);
	print_bridge(vppb->bridge);
	out_end();
}

void list_vcs(unsigned int depth, const struct fabric_vcs *vcs)
{
	char name[SWITCH_NAME_MAX];

	print_part(depth, switch_vcs_name(vcs, name));
	print_value("state", switch_vcs_state_name(vcs->reading->state), vcs->reading->state);
	if (vcs->usp)
		out("  at %s", switch_port_name(vcs->usp, name));
	if (vcs->own)
		out("  of this host");
	out_end();
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		list_vppb(depth + 1, &vcs->vppbs[i]);
}

/* ---- switches ---------------------------------------------------------------------------------
 */

static void print_switch_line(const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	out("switch ");
	out_styled(STYLE_NAME, "%s", sw->id);
	if (sw->port)
		out("  %s", sw->port->name);
	out("  mailbox ");
	out_styled(STYLE_NAME, "%s", r->name);
	if (r->has_identity)
		out("  %04x:%04x", r->identity.vendor, r->identity.device);
	if (r->has_identity && r->identity.serial)
		out("  serial 0x%" PRIx64, r->identity.serial);
	if (r->recorded)
		out("  recorded%s%s", r->origin ? ", " : "", r->origin ? r->origin : "");
	out_end();
}

void list_switch(const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	print_switch_line(sw);
	for (size_t i = 0; i < r->n_notes; i++) {
		out_indent(1);
		out_wrapped(r->notes[i], 2, 2);
		out_end();
	}
	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &r->ports[i]);

		if (p)
			list_switch_port(1, p);
	}
	for (size_t i = 0; i < sw->n_vcs; i++)
		list_vcs(1, &sw->vcs[i]);
}

void list_switches_text(const struct cli *cli)
{
	if (!cli->fabric)
		return;
	for (const struct fabric_item *i = cli->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			list_switch(sw);
	}
}
