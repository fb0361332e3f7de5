// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/status.h"
#include "redfish/resources/status_private.h"

#include <stdio.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/health.h"
#include "model/health_link.h"
#include "model/service_health.h"
#include "model/switch_port.h"
#include "model/topology.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/registry.h"
#include "redfish/feed/incident_message.h"
#include "redfish/view/condition_times.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/finding_message.h"

/* ---- devices and the host ----------------------------------------------------------------------
 */

static void put_findings(const struct view *v, const struct health *h, struct json_writer *w)
{
	char resolution[INCIDENT_RESOLUTION_MAX];

	for (size_t i = 0; i < h->n; i++) {
		if (h->incidents[i])
			incident_resolution(&h->incidents[i]->now, resolution);
		put_found_condition(v, &h->findings[i], h->incidents[i] ? resolution : NULL,
				    h->found[i], w);
	}
}

/* @object: tells the condition from others with its message */
static void put_condition_of(const struct view *v, const char *object, struct condition c,
			     struct json_writer *w)
{
	char when[EVENT_TIME_MAX];

	c.timestamp = condition_timestamp(v, registry_key(c.id), object, when);
	put_condition(&c, w);
}

static void health_of_view(const struct view *v, const struct memdev *m, struct health *ret)
{
	const char *id = view_memory_id(v, m);

	/* A kernel name may be that of another device in the next view. */
	health_of_device(id, view_mailbox(v, m), &v->log, id, ret);
	health_add_reserved(id, m, &v->log, id, ret);
}

void status_put_level(struct json_writer *w, const char *key, struct opt_int level)
{
	if (level.present)
		put_string(w, key, health_name((enum health_level)level.value));
}

void put_reported_health(const struct mailbox *mb, struct json_writer *w)
{
	status_put_level(w, "ReportedHealth", health_level_of_device(mb, NULL, "device"));
}

void status_begin(struct json_writer *w, const char *state)
{
	put_object(w, "Status");
	put_string(w, "State", state);
}

void put_state(struct json_writer *w, const char *state)
{
	status_begin(w, state);
	put_end(w);
}

const char *memdev_state(const struct memdev *m)
{
	return m->enabled ? "Enabled" : "Disabled";
}

/* Linux shows it in place of the security state (drivers/cxl/core/memdev.c). */
static bool is_sanitizing(const struct view *v, const struct memdev *m)
{
	return str_equal(view_security(v, m).state, "sanitize");
}

static const char *memory_state(const struct view *v, const struct memdev *m)
{
	if (is_sanitizing(v, m))
		return "Updating";
	if (view_mailbox(v, m)->media.present && view_mailbox(v, m)->media.value == MEDIA_NOT_READY)
		return "UnavailableOffline";
	return memdev_state(m);
}

void put_status_of_memory(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	struct health h;

	health_of_view(v, m, &h);
	status_begin(w, memory_state(v, m));
	status_put_level(w, "Health", h.level);
	if (h.n > 0 || is_sanitizing(v, m)) {
		put_array(w, "Conditions");
		if (is_sanitizing(v, m))
			put_condition_of(v, view_memory_id(v, m),
					 (struct condition){.id = REGISTRY_SANITIZING}, w);
		put_findings(v, &h, w);
		put_end(w);
	}
	put_end(w);
}

void status_put_related(const struct view *v, const char *origin, struct opt_int level,
			struct json_writer *w)
{
	put_condition_of(v, origin,
			 (struct condition){.id = REGISTRY_CONDITION_IN_RELATED_RESOURCE,
					    .severity = (enum health_level)level.value,
					    .origin = origin},
			 w);
}

void put_status_of_device(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w)
{
	char origin[RESOURCE_URI_MAX];
	struct health h;

	health_of_view(v, m, &h);
	status_begin(w, state);
	status_put_level(w, "Health", h.level);
	if (h.n > 0) {
		(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(v, m));
		put_array(w, "Conditions");
		status_put_related(v, origin, h.level, w);
		put_end(w);
	}
	put_end(w);
}

/* ---- several devices and regions ---------------------------------------------------------------
 */

void status_add(struct rollup *r, const char *origin, struct opt_int level)
{
	health_rollup_add(&r->sum, level);
	if (level.value == HEALTH_OK || !r->w)
		return;
	if (r->n_unhealthy++ < ROLLUP_CONDITIONS_MAX) {
		status_put_related(r->view, origin, level, r->w);
		return;
	}
	if ((enum health_level)level.value > r->worst)
		r->worst = (enum health_level)level.value;
	/* A later view may name it. */
	(void)condition_since(r->view->times, registry_key(REGISTRY_CONDITION_IN_RELATED_RESOURCE),
			      origin);
}

void status_add_memdev(struct rollup *r, const struct memdev *m)
{
	char origin[RESOURCE_URI_MAX];
	struct health h;

	health_of_view(r->view, m, &h);
	(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(r->view, m));
	status_add(r, origin, h.level);
}

void status_add_port(struct rollup *r, const struct fabric_port *p)
{
	char uri[RESOURCE_URI_MAX];
	struct health_link h;

	health_of_link(p, &h);
	if (!h.used || fabric_port_is_virtual(p))
		return;
	port_uri(p, uri);
	status_add(r, uri, h.level);
}

void status_add_bridge_ports(struct rollup *r)
{
	for (const struct fabric_item *i = r->view->fabric->bridges.first; i; i = i->next) {
		const struct fabric_bridge *bridge = i->object;

		for (size_t k = 0; k < bridge->n_ports; k++)
			status_add_port(r, &bridge->ports[k]);
	}
}

void status_forget_unknown(struct rollup *r, size_t n_before)
{
	r->sum.n -= r->sum.n_unknown - n_before;
	r->sum.n_unknown = n_before;
}

/* One whose state is not known does not make that of the others unknown. */
static void rollup_add_region(struct rollup *r, const struct region *region)
{
	char origin[RESOURCE_URI_MAX];
	struct health h;

	if (!region->root ||
	    health_of_region(r->view->host, r->view->translator, region, &r->view->log, &h) < 0 ||
	    !h.level.present)
		return;
	(void)snprintf(origin, sizeof(origin), URI_MEMORY_CHUNKS, region->root->id, region->id);
	status_add(r, origin, h.level);
}

void status_put_rest(const struct rollup *r, const char *name)
{
	char more[24];

	if (r->n_unhealthy <= ROLLUP_CONDITIONS_MAX)
		return;
	(void)snprintf(more, sizeof(more), "%zu", r->n_unhealthy - ROLLUP_CONDITIONS_MAX);
	put_condition_of(r->view, name,
			 (struct condition){
				 .id = REGISTRY_MORE_DEVICES, .args = {more}, .severity = r->worst},
			 r->w);
}

void status_put_rollup(const struct view *v, const char *state, struct whole whole,
		       const struct health *own, const char *key, struct json_writer *w)
{
	struct rollup parts = {.view = v}, named = {.view = v, .w = w};
	struct opt_int level;

	whole.visit(&parts, whole.object);
	level = health_rollup_level(&parts.sum);
	if (own && own->level.present && own->level.value > level.value)
		level = own->level;
	status_begin(w, state);
	if (key)
		status_put_level(w, key, own->level);
	status_put_level(w, "HealthRollup", level);
	if (level.value > HEALTH_OK) {
		put_array(w, "Conditions");
		if (own && key)
			put_findings(v, own, w);
		whole.visit(&named, whole.object);
		status_put_rest(&named, whole.name);
		if (own && !key)
			put_findings(v, own, w);
		put_end(w);
	}
	put_end(w);
}

static void visit_memdev(struct rollup *r, const void *object)
{
	status_add_memdev(r, object);
}

void status_visit_memdevs(struct rollup *r, const void *object)
{
	(void)object;
	for (size_t i = 0; i < r->view->host->n_memdevs; i++)
		status_add_memdev(r, r->view->host->memdevs[i]);
}

/* Incidents of devices that were removed are the host's own. */
static void visit_host(struct rollup *r, const void *object)
{
	size_t n_unknown;

	status_visit_memdevs(r, object);
	for (size_t i = 0; i < host_n_mappings(r->view->host); i++)
		rollup_add_region(r, host_mapping_at(r->view->host, i));
	n_unknown = r->sum.n_unknown;
	status_add_bridge_ports(r);
	status_forget_unknown(r, n_unknown);
}

static void visit_devices(struct rollup *r, const struct fabric_list *devices)
{
	for (const struct fabric_item *i = devices->first; i; i = i->next) {
		const struct fabric_port *device = i->object;

		status_add_memdev(r, device->memdev);
	}
}

static void visit_bridge(struct rollup *r, const void *object)
{
	const struct fabric_bridge *bridge = object;

	visit_devices(r, &bridge->devices);
}

static void visit_window(struct rollup *r, const void *object)
{
	visit_devices(r, fabric_window_devices(r->view->fabric, object));
	for (size_t i = 0; i < host_n_mappings(r->view->host); i++)
		if (host_mapping_at(r->view->host, i)->root == object)
			rollup_add_region(r, host_mapping_at(r->view->host, i));
}

void status_visit_region(struct rollup *r, const void *object)
{
	const struct region *region = object;

	for (size_t i = 0; i < region->n_targets; i++)
		if (region_target_of(region, region->targets[i].memdev) == &region->targets[i])
			status_add_memdev(r, region->targets[i].memdev);
}

void put_status_of_module(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w)
{
	status_put_rollup(v, state, (struct whole){visit_memdev, m, view_memory_id(v, m)}, NULL,
			  NULL, w);
}

static void visit_parts(struct rollup *r, const void *object)
{
	visit_devices(r, &((const struct fabric_device *)object)->parts);
}

void put_status_of_parts(const struct view *v, const struct fabric_device *d, struct json_writer *w)
{
	if (d->parts.n > 0)
		status_put_rollup(v, "Enabled", (struct whole){visit_parts, d, d->id}, NULL, NULL,
				  w);
	else
		put_state(w, "Enabled");
}

void put_status_of_host(const struct view *v, struct json_writer *w)
{
	struct health events;

	health_of_host_events(&v->log, &events);
	/* Without findings they are OK, which is not known of the host as a whole. */
	status_put_rollup(v, "Enabled", (struct whole){visit_host, NULL, "host"}, &events, NULL, w);
}

void put_status_of_bridge(const struct view *v, const struct fabric_bridge *bridge,
			  struct json_writer *w)
{
	status_put_rollup(v, "Enabled", (struct whole){visit_bridge, bridge, bridge->id}, NULL,
			  NULL, w);
}

void put_status_of_window(const struct view *v, const struct decoder *window, struct json_writer *w)
{
	status_put_rollup(v, "Enabled", (struct whole){visit_window, window, window->name}, NULL,
			  NULL, w);
}

void put_status_of_region(const struct view *v, const struct region *region, struct json_writer *w)
{
	const bool usable =
		region->by_decoders || (region->enabled && region->commit != REGION_NOT_COMMITTED);
	struct health h;

	if (health_of_region(v->host, v->translator, region, &v->log, &h) < 0)
		h = (struct health){0};
	status_put_rollup(v, usable ? "Enabled" : "Disabled",
			  (struct whole){status_visit_region, region, region->name}, &h, "Health",
			  w);
}

/* ---- the service -------------------------------------------------------------------------------
 */

/* A clause of the firmware client as a sentence: with a capital and a full stop. */
static const char *sentence(char text[static FIRMWARE_TEXT_MAX * 2], const char *clause)
{
	(void)snprintf(text, FIRMWARE_TEXT_MAX * 2, "%c%s.", clause[0] & ~0x20, clause + 1);
	return text;
}

/* The advice of the firmware client resolves the condition of its state. */
static void put_firmware_findings(const struct view *v, const struct finding *findings, size_t n,
				  struct json_writer *w)
{
	const struct finding *last = &findings[n - 1];
	const char *resolution = NULL;
	char text[FIRMWARE_TEXT_MAX * 2];

	if (last->code == FINDING_FIRMWARE_ADVICE)
		resolution = sentence(text, last->args[0].text);
	for (size_t i = 0; i < n; i++)
		if (finding_level(findings[i].code) == FINDING_PROBLEM)
			put_finding_condition(v, &findings[i], i == 0 ? resolution : NULL, w);
}

/* Return: the severity of the worst finding, HEALTH_OK without one. */
static enum health_level worst_of(const struct finding *findings, size_t n)
{
	enum health_level worst = HEALTH_OK;

	for (size_t i = 0; i < n; i++)
		if (finding_severity(&findings[i]) > worst)
			worst = finding_severity(&findings[i]);
	return worst;
}

/* Problems that have no more to them than their text. */
static size_t service_problems(const struct view *v,
			       struct finding ret[static RECORDING_FAULTS + SERVICE_FAULTS])
{
	size_t n = recording_findings(&v->inputs.recording_faults, ret);

	return n + service_findings(&v->inputs.service_faults, ret + n);
}

void put_status_of_service(const struct view *v, struct json_writer *w)
{
	struct finding firmware[FIRMWARE_FINDINGS_MAX], others[RECORDING_FAULTS + SERVICE_FAULTS];
	size_t n_firmware =
		v->needs_firmware ? firmware_findings(&v->inputs.firmware, firmware) : 0;
	size_t n_others = service_problems(v, others);
	enum health_level unavailable = worst_of(firmware, n_firmware);
	enum health_level worst = worst_of(others, n_others);

	status_begin(w, "Enabled");
	put_string(w, "Health", health_name(unavailable > worst ? unavailable : worst));
	if (unavailable || n_others > 0) {
		put_array(w, "Conditions");
		if (unavailable)
			put_firmware_findings(v, firmware, n_firmware, w);
		for (size_t i = 0; i < n_others; i++)
			put_finding_condition(v, &others[i], NULL, w);
		put_end(w);
	}
	put_end(w);
}
