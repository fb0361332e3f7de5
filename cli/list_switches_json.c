// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa list --json: switches by their mailboxes.
#include "cli/switches.h"
#include "model/pcie_speed.h"

/* Each is null without the part. */
static void put_ld_name(struct json_writer *w, const char *key, const struct fabric_ld *ld)
{
	char name[SWITCH_NAME_MAX];

	put_string(w, key, ld ? switch_ld_name(ld, name) : NULL);
}

static void put_port_name(struct json_writer *w, const char *key, const struct fabric_port *p)
{
	char name[SWITCH_NAME_MAX];

	put_string(w, key, p ? switch_port_name(p, name) : NULL);
}

static void put_vppb_name(struct json_writer *w, const char *key, const struct fabric_vppb *v)
{
	char name[SWITCH_NAME_MAX];

	put_string(w, key, v ? switch_vppb_name(v, name) : NULL);
}

static void put_bridge(struct json_writer *w, const struct fabric_port *bridge)
{
	put_string(w, "bdf", bridge && bridge->pci ? bridge->pci->bdf : NULL);
}

/* ---- devices ----------------------------------------------------------------------------------
 */

void list_put_ld(struct json_writer *w, const struct fabric_ld *ld)
{
	put_object(w, NULL);
	put_ld_name(w, "name", ld);
	put_number(w, "id", ld->reading->id);
	put_opt_number(w, "size", ld->reading->size);
	put_opt_int(w, "bandwidth_256ths", ld->reading->allocated);
	put_opt_int(w, "bandwidth_limit_256ths", ld->reading->limit);
	put_vppb_name(w, "vppb", ld->vppb);
	put_string(w, "memdev", ld->memdev ? ld->memdev->name : NULL);
	put_end(w);
}

static void put_identity(struct json_writer *w, bool known, const struct fmapi_identity *i)
{
	put_opt_hex(w, "vendor", known ? OPT_U64(i->vendor) : (struct opt_u64){0});
	put_opt_hex(w, "device", known ? OPT_U64(i->device) : (struct opt_u64){0});
	put_opt_hex(w, "serial", known && i->serial ? OPT_U64(i->serial) : (struct opt_u64){0});
}

static void put_device(struct json_writer *w, const struct fabric_device *d)
{
	const struct device_reading *r = d->reading;

	put_object(w, "device");
	put_identity(w, r->has_identity, &r->identity);
	put_string(w, "memdev", d->memdev ? d->memdev->name : NULL);
	put_opt_number(w, "size",
		       r->has_ld_info ? OPT_U64(r->ld_info.memory_size) : (struct opt_u64){0});
	put_opt_number(w, "free", switch_mld_free(d));
	put_opt_int(w, "backpressure_percent", r->backpressure_percent);
	put_array(w, "lds");
	for (size_t i = 0; i < d->n_lds; i++)
		list_put_ld(w, &d->lds[i]);
	put_end(w);
	put_end(w);
}

/* ---- ports ------------------------------------------------------------------------------------
 */

static void put_link(struct json_writer *w, const struct fmapi_port *state)
{
	static const char *const names[] = {
		[SWITCH_LINK_UNKNOWN] = NULL,
		[SWITCH_LINK_EMPTY] = "empty",
		[SWITCH_LINK_DOWN] = "down",
		[SWITCH_LINK_UP] = "up",
	};
	enum switch_link link = switch_link_state(state);
	bool up = link == SWITCH_LINK_UP;

	put_string(w, "link", names[link]);
	put_string(w, "speed", up ? pcie_generation_name(state->speed) : NULL);
	put_opt_number(w, "width", up ? OPT_U64(state->width) : (struct opt_u64){0});
	put_string(w, "max_speed", pcie_generation_name(state->max_speed));
	put_number(w, "max_width", state->max_width);
	put_bool(w, "in_reset", state->link_flags & FMAPI_LINK_PERST);
	put_bool(w, "power_off", state->link_flags & FMAPI_LINK_POWER_OFF);
}

void list_put_switch_port(struct json_writer *w, const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;

	put_object(w, NULL);
	put_port_name(w, "name", p);
	put_number(w, "id", state->id);
	put_string(w, "state", switch_config_name(state->config));
	put_bridge(w, p);
	put_link(w, state);
	put_string(w, "device_type",
		   state->config == FMAPI_PORT_USP ? NULL
						   : switch_device_type_name(state->device_type));
	if (p->device)
		put_device(w, p->device);
	else
		put_null(w, "device");
	put_end(w);
}

/* ---- virtual switches -------------------------------------------------------------------------
 */

void list_put_vppb(struct json_writer *w, const struct fabric_vppb *v)
{
	put_object(w, NULL);
	put_vppb_name(w, "name", v);
	put_string(w, "binding", switch_binding_name(v->state->binding));
	put_port_name(w, "port", v->port);
	put_ld_name(w, "ld", v->ld);
	put_bridge(w, v->bridge);
	put_end(w);
}

void list_put_vcs(struct json_writer *w, const struct fabric_vcs *vcs)
{
	char name[SWITCH_NAME_MAX];

	put_object(w, NULL);
	put_string(w, "name", switch_vcs_name(vcs, name));
	put_string(w, "state", switch_vcs_state_name(vcs->reading->state));
	put_port_name(w, "upstream_port", vcs->usp);
	put_bool(w, "of_this_host", vcs->own);
	put_array(w, "vppbs");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		list_put_vppb(w, &vcs->vppbs[i]);
	put_end(w);
	put_end(w);
}

/* ---- switches ---------------------------------------------------------------------------------
 */

static void put_notes(struct json_writer *w, const struct switch_reading *r)
{
	put_array(w, "notes");
	for (size_t i = 0; i < r->n_notes; i++)
		put_string(w, NULL, r->notes[i]);
	put_end(w);
}

void list_put_switch(struct json_writer *w, const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	put_object(w, NULL);
	put_string(w, "name", sw->id);
	put_string(w, "mailbox", r->name);
	put_bool(w, "recorded", r->recorded);
	put_string(w, "origin", r->origin);
	put_string(w, "port", sw->port ? sw->port->name : NULL);
	put_identity(w, r->has_identity, &r->identity);
	put_notes(w, r);
	put_array(w, "ports");
	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &r->ports[i]);

		if (p)
			list_put_switch_port(w, p);
	}
	put_end(w);
	put_array(w, "virtual_switches");
	for (size_t i = 0; i < sw->n_vcs; i++)
		list_put_vcs(w, &sw->vcs[i]);
	put_end(w);
	put_end(w);
}

void list_put_switches(struct json_writer *w, const struct cli *cli)
{
	put_array(w, "switches");
	for (const struct fabric_item *i = cli->fabric ? cli->fabric->switches.first : NULL; i;
	     i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			list_put_switch(w, sw);
	}
	put_end(w);
}
