// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The Status of the parts of the fabric: ports by their links, switches, connections and zones by
// the ports and the devices that they have.

#include <stdio.h>

#include "common/array.h"
#include "model/health_link.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/uris.h"
#include "redfish/resources/finding_message.h"
#include "redfish/resources/status_private.h"
#include "redfish/view/view.h"

/* ---- ports ------------------------------------------------------------------------------------
 */

void put_status_of_port(const struct view *v, const struct fabric_port *p, const char *state,
			struct json_writer *w)
{
	const struct fabric_port *by = health_link_reporter(p);
	char uri[RESOURCE_URI_MAX];
	struct health_link h;

	health_of_link(p, &h);
	status_begin(w, state);
	status_put_level(w, "Health", h.level);
	if (h.has_finding) {
		put_array(w, "Conditions");
		port_uri(by, uri);
		if (by == p)
			put_finding_condition(v, &h.finding, NULL, w);
		else
			status_put_related(v, uri, h.level, w);
		put_end(w);
	}
	put_end(w);
}

static void visit_ports_of_switch(struct rollup *r, const void *object)
{
	const struct fabric_switch *sw = object;

	if (sw->port)
		status_add_port(r, &sw->up);
	for (size_t i = 0; i < sw->n_down; i++)
		status_add_port(r, &sw->down[i]);
	for (size_t i = 0; i < sw->n_others; i++)
		status_add_port(r, &sw->others[i]);
}

/* Each link has a port of a host bridge or of a switch, so that those of devices say no more. */
static void visit_links(struct rollup *r)
{
	status_add_bridge_ports(r);
	for (const struct fabric_item *i = r->view->fabric->switches.first; i; i = i->next)
		visit_ports_of_switch(r, i->object);
}

/* ---- the fabric and its zones -----------------------------------------------------------------
 */

/* Links whose health is not known do not make that of the devices unknown. */
static void visit_fabric(struct rollup *r, const void *object)
{
	visit_links(r);
	status_forget_unknown(r, 0);
	status_visit_memdevs(r, object);
}

void put_status_of_fabric(const struct view *v, struct json_writer *w)
{
	struct rollup links = {.view = v};
	struct health own = {.n = 0};

	visit_links(&links);
	own.level = health_rollup_level(&links.sum);
	status_put_rollup(v, "Enabled", (struct whole){visit_fabric, NULL, "fabric"}, &own,
			  "Health", w);
}

void put_status_of_host_zone(const struct view *v, struct json_writer *w)
{
	status_put_rollup(v, "Enabled", (struct whole){status_visit_memdevs, NULL, "zone"}, NULL,
			  NULL, w);
}

/* The devices of another host are known by their links. */
static void visit_vcs(struct rollup *r, const void *object)
{
	const struct fabric_vcs *vcs = object;

	for (size_t i = 0; i < vcs->n_vppbs; i++)
		if (vcs->vppbs[i].port)
			status_add_port(r, vcs->vppbs[i].port);
}

void put_status_of_vcs_zone(const struct view *v, const struct fabric_vcs *vcs,
			    struct json_writer *w)
{
	char name[SWITCH_NAME_MAX];

	status_put_rollup(v, "Enabled", (struct whole){visit_vcs, vcs, switch_vcs_name(vcs, name)},
			  NULL, NULL, w);
}

/* ---- connections ------------------------------------------------------------------------------
 */

/* A region, with its own health: it takes time to compute. */
struct connected_region {
	const struct region *region;
	struct opt_int level;
};

static void visit_connected_region(struct rollup *r, const void *object)
{
	const struct connected_region *c = object;
	char uri[RESOURCE_URI_MAX];

	(void)snprintf(uri, sizeof(uri), URI_MEMORY_CHUNKS, c->region->root->id, c->region->id);
	status_add(r, uri, c->level);
	status_visit_region(r, c->region);
}

void put_status_of_connection(const struct view *v, const struct region *region,
			      struct json_writer *w)
{
	struct health own;
	struct connected_region c = {.region = region};

	if (health_of_region(v->host, v->translator, region, &v->log, &own) < 0)
		own = (struct health){0};
	/* Its findings are those of the MemoryChunks, to which a Condition leads. */
	own.n = 0;
	c.level = own.level;
	status_put_rollup(v, "Enabled", (struct whole){visit_connected_region, &c, region->id},
			  &own, "Health", w);
}

static const struct memdev *memdev_of(const struct fabric_vppb *vppb)
{
	return vppb->ld ? vppb->ld->memdev : vppb->port->device->memdev;
}

static void visit_binding(struct rollup *r, const void *object)
{
	const struct fabric_vppb *vppb = object;

	status_add_port(r, vppb->port);
	if (memdev_of(vppb))
		status_add_memdev(r, memdev_of(vppb));
}

void put_status_of_binding(const struct view *v, const struct fabric_vppb *vppb,
			   struct json_writer *w)
{
	struct health own = {.n = 0};
	char name[SWITCH_NAME_MAX];
	struct health_link link;

	health_of_link(vppb->port, &link);
	own.level = link.level;
	status_put_rollup(v, "Enabled",
			  (struct whole){visit_binding, vppb, switch_vppb_name(vppb, name)}, &own,
			  "Health", w);
}

/* ---- switches ----------------------------------------------------------------------------------
 */

/* Each note is a condition of its own, which may come and go alone. */
static void put_switch_note(const struct view *v, const struct fabric_switch *sw, struct finding f,
			    struct json_writer *w)
{
	char note[512];

	if (f.code == FINDING_SWITCH_DOUBT)
		(void)snprintf(note, sizeof(note), "%s: %s: %s", sw->id, f.args[0].text,
			       f.args[1].text);
	else if (f.args[0].type == FINDING_ARG_TEXT)
		(void)snprintf(note, sizeof(note), "%s: %s", sw->id, f.args[0].text);
	else
		(void)snprintf(note, sizeof(note), "%s", sw->id);
	f.object = note;
	put_finding_condition(v, &f, NULL, w);
}

static void put_switch_notes(const struct view *v, const struct fabric_switch *sw, size_t n,
			     struct json_writer *w)
{
	char more[64];

	for (size_t i = 0; i < n && i < ROLLUP_CONDITIONS_MAX; i++)
		put_switch_note(v, sw, switch_note_finding(sw, i), w);
	if (n > ROLLUP_CONDITIONS_MAX) {
		(void)snprintf(more, sizeof(more), "there are %zu other such conditions",
			       n - ROLLUP_CONDITIONS_MAX);
		put_finding_condition(v,
				      &(struct finding){.code = FINDING_SWITCH_NOTE,
							.object = sw->id,
							.args = {finding_text(more)}},
				      NULL, w);
	}
}

/*
 * A switch whose mailbox answers all that it is asked works, as far as it is known; one that
 * answers nothing, or a part, does so for a reason that is not known.
 */
static struct opt_int level_of(const struct fabric_switch *sw)
{
	if (!sw->reading)
		return (struct opt_int){0};
	if (switch_is_unreadable(sw)) {
		const struct finding f = switch_note_finding(sw, 0);

		return OPT_INT((int)finding_severity(&f));
	}
	return sw->reading->has_switch && sw->reading->n_notes == 0 ? OPT_INT(HEALTH_OK)
								    : (struct opt_int){0};
}

/* Return: "Enabled" unless the host has disabled it; NULL: not known. */
static const char *state_of(const struct fabric_switch *sw)
{
	if (sw->port)
		return sw->port->enabled ? "Enabled" : "Disabled";
	return switch_is_unreadable(sw) ? NULL : "Enabled";
}

void put_status_of_switch(const struct view *v, const struct fabric_switch *sw,
			  struct json_writer *w)
{
	const size_t n = sw->reading ? switch_notes_count(sw) : 0;
	struct rollup ports = {.view = v}, named = {.view = v, .w = w};
	const struct opt_int own = level_of(sw);
	struct opt_int all;

	visit_ports_of_switch(&ports, sw);
	all = health_rollup_level(&ports.sum);
	put_object(w, "Status");
	put_string(w, "State", state_of(sw));
	status_put_level(w, "Health", own);
	if (own.present && own.value > HEALTH_OK && own.value > all.value)
		all = own;
	status_put_level(w, "HealthRollup", all);
	if (n > 0 || ports.n_unhealthy > 0 || all.value > HEALTH_OK) {
		put_array(w, "Conditions");
		put_switch_notes(v, sw, n, w);
		visit_ports_of_switch(&named, sw);
		status_put_rest(&named, sw->id);
		put_end(w);
	}
	put_end(w);
}
