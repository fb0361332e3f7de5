// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Switches by their mailboxes: their ports, virtual switches, and the devices and LDs behind them.
#include "common/array.h"
#include "model/findings_private.h"
#include "model/health_link.h"
#include "model/switch_port.h"

/* ---- names that live as long as the findings --------------------------------------------------
 */

static const char *keep(struct findings *f, const char *name)
{
	const char *kept = arena_strdup(f->arena, name);

	if (!kept)
		f->no_memory = true;
	return kept ? kept : "";
}

static const char *port_name(struct findings *f, const struct fabric_port *p)
{
	char name[SWITCH_NAME_MAX];

	return keep(f, switch_port_name(p, name));
}

static const char *vppb_name(struct findings *f, const struct fabric_vppb *vppb)
{
	char name[SWITCH_NAME_MAX];

	return keep(f, switch_vppb_name(vppb, name));
}

/* The PCI function that the host sees; NULL when it sees none. */
static const char *function_of(const struct fabric_port *bridge)
{
	return bridge && bridge->pci ? bridge->pci->bdf : NULL;
}

static const char *memdev_name_of(const struct memdev *m)
{
	return m ? m->name : NULL;
}

/* "64 GT/s x16"; NULL when one of them is not known. */
static const char *link_text(struct findings *f, unsigned int speed, unsigned int width)
{
	char text[HEALTH_LINK_TEXT];

	return *health_link_text(speed, width, text) ? keep(f, text) : NULL;
}

/* ---- LDs --------------------------------------------------------------------------------------
 */

/* Reports ports and LDs that no vPPB is bound to, when all vPPBs are known. */
static void findings_of_unbound(struct findings *f, const struct fabric_switch *sw,
				enum finding_code code, const char *object)
{
	if (!switch_bindings_known(sw))
		return;
	findings_add_finding(f, &(const struct finding){.code = code, .object = object});
	findings_add(f, SWITCH_BIND, object);
}

/* Several vPPBs that say they are bound to the same LD leave it without one, but not unbound. */
static bool any_vppb_names_ld(const struct fabric_ld *ld)
{
	const struct fabric_switch *sw = ld->device->sw;

	for (size_t i = 0; i < sw->n_vcs; i++)
		for (size_t k = 1; k < sw->vcs[i].n_vppbs; k++) {
			const struct fmapi_vppb *state = sw->vcs[i].vppbs[k].state;

			if (state->binding == FMAPI_BOUND_LD && state->ld == ld->reading->id &&
			    state->port == ld->device->port->physical->state.id)
				return true;
		}
	return false;
}

void findings_of_ld(struct findings *f, const struct fabric_ld *ld)
{
	const struct ld_reading *r = ld->reading;
	char text[SWITCH_NAME_MAX];
	const char *name = keep(f, switch_ld_name(ld, text));

	findings_add_args(f, LD_SIZE, name, finding_size(r->size));
	if (r->allocated.present && r->limit.present)
		findings_add_args(f, LD_BANDWIDTH, name,
				  finding_number((uint64_t)r->allocated.value),
				  finding_number((uint64_t)r->limit.value));
	if (ld->vppb)
		findings_add_args(f, LD_BOUND, name, finding_name(vppb_name(f, ld->vppb)),
				  finding_name(memdev_name_of(ld->memdev)));
	else if (!any_vppb_names_ld(ld) && r->size.present && r->size.value > 0)
		findings_of_unbound(f, ld->device->sw, FINDING_LD_UNBOUND, name);
}

static void findings_of_mld(struct findings *f, const struct fabric_device *d, const char *port)
{
	struct opt_u64 sum = switch_lds_size(d);
	uint64_t capacity = d->reading->ld_info.memory_size;

	if (!sum.present || capacity == 0)
		return;
	findings_add_args(f, MLD_MEMORY, port, finding_number(d->n_lds), finding_size(sum),
			  finding_size(OPT_U64(capacity)));
	if (sum.value < capacity)
		findings_add_args(f, MLD_UNALLOCATED, port, finding_size(switch_mld_free(d)),
				  finding_size(OPT_U64(capacity)));
	else if (sum.value > capacity)
		findings_add_args(f, MLD_OVERALLOCATED, port, finding_size(sum),
				  finding_size(OPT_U64(capacity)));
}

/* ---- ports ------------------------------------------------------------------------------------
 */

static void findings_of_link_up(struct findings *f, const struct fabric_port *p, const char *name)
{
	const struct fmapi_port *state = &p->physical->state;
	const char *now = link_text(f, state->speed, state->width);
	const char *supported = link_text(f, state->max_speed, state->max_width);

	if (!now)
		return;
	if (state->speed == state->max_speed && state->width == state->max_width)
		supported = NULL;
	findings_add_args(f, SWITCH_PORT_LINK, name, finding_text(now), finding_text(supported));
}

/* Adds a finding whose texts do not live as long as the others. */
static void keep_finding(struct findings *f, const char *name, struct finding finding)
{
	finding.object = name;
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (finding.args[i].type == FINDING_ARG_TEXT ||
		    finding.args[i].type == FINDING_ARG_NAME)
			finding.args[i].text = keep(f, finding.args[i].text);
	findings_add_finding(f, &finding);
}

static void findings_of_link(struct findings *f, const struct fabric_port *p, const char *name)
{
	const enum switch_link link = switch_link_state(&p->physical->state);
	struct health_link h;

	if (link == SWITCH_LINK_UP)
		findings_of_link_up(f, p, name);
	else if (link == SWITCH_LINK_EMPTY)
		findings_add(f, SWITCH_PORT_EMPTY, name);
	health_of_link(p, &h);
	if (h.has_finding)
		keep_finding(f, name, h.finding);
}

static bool any_vppb_names_port(const struct fabric_port *p)
{
	const struct fabric_switch *sw = p->sw;

	for (size_t i = 0; i < sw->n_vcs; i++)
		for (size_t k = 1; k < sw->vcs[i].n_vppbs; k++) {
			const struct fmapi_vppb *state = sw->vcs[i].vppbs[k].state;

			if (fmapi_vppb_is_bound(state) && state->port == p->physical->state.id)
				return true;
		}
	return false;
}

/* A part of an MLD that is no LD of a known number has no finding of its own. */
static const char *name_on_host(const struct fabric_device *d)
{
	const struct fabric_port *part = fabric_only_part(d);

	if (part && !part->ld)
		return part->memdev->name;
	return memdev_name_of(d->memdev);
}

static void findings_of_device(struct findings *f, const struct fabric_port *p, const char *name)
{
	const struct fmapi_port *state = &p->physical->state;
	const struct fabric_device *d = p->device;
	bool mld = d && d->reading->has_ld_info;
	const char *kind = switch_device_type_name(state->device_type);

	if (switch_link_state(state) == SWITCH_LINK_EMPTY || state->config == FMAPI_PORT_USP ||
	    !kind)
		return;
	findings_add_args(f, SWITCH_PORT_DEVICE, name, finding_name(kind),
			  d && d->reading->has_identity && d->reading->identity.serial
				  ? finding_hex(d->reading->identity.serial)
				  : (struct finding_arg){0},
			  finding_name(d ? name_on_host(d) : NULL));
	if (mld)
		findings_of_mld(f, d, name);
	else if (state->config == FMAPI_PORT_DSP && !any_vppb_names_port(p))
		findings_of_unbound(f, p->sw, FINDING_SWITCH_PORT_UNBOUND, name);
}

void findings_of_switch_port(struct findings *f, const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;
	const char *name = port_name(f, p);

	findings_add_args(f, SWITCH_PORT_PLACE, name, finding_number(state->id),
			  finding_name(switch_config_name(state->config)),
			  finding_name(function_of(p)));
	findings_of_link(f, p, name);
	findings_of_device(f, p, name);
	for (size_t i = 0; p->device && i < p->device->n_lds; i++)
		findings_of_ld(f, &p->device->lds[i]);
}

/* ---- virtual switches -------------------------------------------------------------------------
 */

void findings_of_vppb(struct findings *f, const struct fabric_vppb *vppb)
{
	char text[SWITCH_NAME_MAX];
	const char *to = NULL;

	if (vppb->ld)
		to = keep(f, switch_ld_name(vppb->ld, text));
	else if (vppb->port)
		to = port_name(f, vppb->port);
	findings_add_args(f, VPPB_STATE, vppb_name(f, vppb),
			  finding_name(switch_binding_name(vppb->state->binding)), finding_name(to),
			  finding_name(function_of(vppb->bridge)));
}

void findings_of_vcs(struct findings *f, const struct fabric_vcs *vcs)
{
	char text[SWITCH_NAME_MAX];
	const char *name = keep(f, switch_vcs_name(vcs, text));
	uint64_t bound = 0;

	for (size_t i = 0; i < vcs->n_vppbs; i++)
		bound += vcs->vppbs[i].state->binding != FMAPI_UNBOUND;
	findings_add_args(f, VCS_STATE, name,
			  finding_name(switch_vcs_state_name(vcs->reading->state)),
			  finding_name(vcs->usp ? port_name(f, vcs->usp) : NULL),
			  finding_number(bound), finding_number(vcs->n_vppbs));
	if (vcs->own)
		findings_add(f, VCS_OWN, name);
}

/* ---- switches ---------------------------------------------------------------------------------
 */

static const char *const doubt_texts[DOUBT_REASONS] = {
	[DOUBT_NO_SERIAL_HERE] = "this host reads no serial number of it",
	[DOUBT_NO_SERIAL_THERE] = "no serial number was read through the switch",
	[DOUBT_OTHER_SERIAL] = "they are at one port, but their serial numbers differ",
	[DOUBT_SHARED_HERE] = "other memory devices of this host have the same serial number",
	[DOUBT_SHARED_THERE] = "several devices behind switches have the same serial number",
	[DOUBT_SEVERAL] = "this host shows several devices below one bridge",
	[DOUBT_SEVERAL_VPPBS] = "several vPPBs are bound to the port",
	[DOUBT_OTHER_PORT] = "they have the same serial number, but are at different ports",
	[DOUBT_PORT] =
		"they have the same serial number, but whether they are at the same port is not known",
	[DOUBT_VPPB] = "which vPPB of the switch the bridge is is not known",
	[DOUBT_NUMBER] = "no port of the switch has the port number and the lanes of the bridge",
};

/* Without its doubts. */
static size_t count_notes(const struct fabric_switch *sw)
{
	const size_t n = sw->reading->n_notes;

	return n == 0 && switch_is_unreadable(sw) ? 1 : n;
}

size_t switch_notes_count(const struct fabric_switch *sw)
{
	return count_notes(sw) + sw->doubts.n;
}

static struct finding doubt_finding(const struct fabric_switch *sw, size_t n)
{
	const struct fabric_item *i = sw->doubts.first;
	const struct fabric_doubt *d;

	for (; n > 0; n--)
		i = i->next;
	d = i->object;
	return (struct finding){
		.code = FINDING_SWITCH_DOUBT,
		.object = sw->id,
		.args = {finding_name(d->host->memdev ? d->host->memdev->name
						      : d->host->dport->name),
			 finding_text(d->other), finding_text(doubt_texts[d->reason])},
	};
}

struct finding switch_note_finding(const struct fabric_switch *sw, size_t i)
{
	const struct switch_reading *r = sw->reading;

	if (i >= count_notes(sw))
		return doubt_finding(sw, i - count_notes(sw));
	return (struct finding){
		.code = switch_is_unreadable(sw) ? FINDING_SWITCH_UNREADABLE : FINDING_SWITCH_NOTE,
		.object = sw->id,
		.args = {finding_text(i < r->n_notes ? r->notes[i] : NULL)},
	};
}

/* Return: whether its mailbox said anything. */
static bool findings_of_mailbox(struct findings *f, const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	findings_add_args(f, SWITCH_MAILBOX, sw->id, finding_name(r->name));
	if (r->recorded)
		findings_add_args(f, SWITCH_RECORDED, sw->id, finding_name(r->origin));
	for (size_t i = 0; i < switch_notes_count(sw); i++) {
		const struct finding note = switch_note_finding(sw, i);

		findings_add_finding(f, &note);
	}
	return !switch_is_unreadable(sw);
}

void findings_of_switch(struct findings *f, const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	if (!findings_of_mailbox(f, sw))
		return;
	if (sw->port)
		findings_add_args(f, SWITCH_PLACE, sw->id, finding_name(sw->port->name));
	else
		findings_add(f, SWITCH_NO_PLACE, sw->id);
	if (r->has_switch)
		findings_add_args(f, SWITCH_COUNTS, sw->id, finding_number(r->sw.n_ports),
				  finding_number(r->sw.n_vcs), finding_number(r->sw.n_bound_vppbs),
				  finding_number(r->sw.n_vppbs));
	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &r->ports[i]);

		if (p)
			findings_of_switch_port(f, p);
	}
	for (size_t i = 0; i < sw->n_vcs; i++)
		findings_of_vcs(f, &sw->vcs[i]);
}

void findings_of_switches(struct findings *f)
{
	if (!f->fabric)
		return;
	for (const struct fabric_item *i = f->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			findings_of_switch(f, sw);
	}
}
