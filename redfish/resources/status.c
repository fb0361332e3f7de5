// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/status.h"

#include <stdio.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/health.h"
#include "model/service_health.h"
#include "model/switch_port.h"
#include "model/topology.h"
#include "redfish/eventing/event_message.h"
#include "redfish/core/registry.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_table.h"

/* Devices and regions that the Conditions of a resource name; the others are counted. */
enum { ROLLUP_CONDITIONS_MAX = 32 };

/* ---- findings as conditions --------------------------------------------------------------------
 */

static const enum registry_message finding_messages[FINDING_CODE_COUNT] = {
	[FINDING_FIRMWARE_UNAVAILABLE] = REGISTRY_FIRMWARE_UNAVAILABLE,
	[FINDING_FIRMWARE_SLOW] = REGISTRY_FIRMWARE_SLOW,
	[FINDING_FIRMWARE_ANSWER_REJECTED] = REGISTRY_FIRMWARE_ANSWER_REJECTED,
	[FINDING_FIRMWARE_ERROR] = REGISTRY_FIRMWARE_ERROR,
	[FINDING_EVENTS_NOT_RECORDED] = REGISTRY_EVENTS_NOT_RECORDED,
	[FINDING_EVENTS_PARTLY_RECORDED] = REGISTRY_EVENTS_PARTLY_RECORDED,
	[FINDING_EVENTS_LOST] = REGISTRY_EVENTS_LOST,
	[FINDING_EVENTS_NOT_STORED] = REGISTRY_LOG_UNAVAILABLE,
	[FINDING_EVENT_STORE_REPLACED] = REGISTRY_EVENT_STORE_REPLACED,
	[FINDING_EVENT_LOG_FULL] = REGISTRY_EVENT_LOG_FULL,
	[FINDING_HELPER_UNAVAILABLE] = REGISTRY_HELPER_UNAVAILABLE,
	[FINDING_STATE_UNAVAILABLE] = REGISTRY_STATE_UNAVAILABLE,
	[FINDING_DEVICE_NOT_ANSWERING] = REGISTRY_DEVICE_NOT_ANSWERING,
	[FINDING_MEDIA_NOT_READY] = REGISTRY_MEDIA_NOT_READY,
	[FINDING_WRITE_PERSISTENCY_LOST] = REGISTRY_WRITE_PERSISTENCY_LOST,
	[FINDING_ALL_DATA_LOST] = REGISTRY_ALL_DATA_LOST,
	[FINDING_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS] =
		REGISTRY_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS,
	[FINDING_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN] = REGISTRY_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN,
	[FINDING_WRITE_PERSISTENCY_LOSS_IMMINENT] = REGISTRY_WRITE_PERSISTENCY_LOSS_IMMINENT,
	[FINDING_ALL_DATA_LOSS_ON_POWER_LOSS] = REGISTRY_ALL_DATA_LOSS_ON_POWER_LOSS,
	[FINDING_ALL_DATA_LOSS_ON_SHUTDOWN] = REGISTRY_ALL_DATA_LOSS_ON_SHUTDOWN,
	[FINDING_ALL_DATA_LOSS_IMMINENT] = REGISTRY_ALL_DATA_LOSS_IMMINENT,
	[FINDING_PERMANENT_CONDITION] = REGISTRY_PERMANENT_CONDITION,
	[FINDING_MAINTENANCE_NEEDED] = REGISTRY_MAINTENANCE_NEEDED,
	[FINDING_PERFORMANCE_DEGRADED] = REGISTRY_PERFORMANCE_DEGRADED,
	[FINDING_REPLACEMENT_NEEDED] = REGISTRY_REPLACEMENT_NEEDED,
	[FINDING_CAPACITY_DEGRADED] = REGISTRY_CAPACITY_DEGRADED,
	[FINDING_LIFE_USED_WARNING] = REGISTRY_LIFE_USED_WARNING,
	[FINDING_LIFE_USED_CRITICAL] = REGISTRY_LIFE_USED_CRITICAL,
	[FINDING_TEMPERATURE_WARNING] = REGISTRY_TEMPERATURE_WARNING,
	[FINDING_TEMPERATURE_CRITICAL] = REGISTRY_TEMPERATURE_CRITICAL,
	[FINDING_CORRECTED_VOLATILE_ERRORS] = REGISTRY_CORRECTED_ERRORS_WARNING,
	[FINDING_CORRECTED_PERSISTENT_ERRORS] = REGISTRY_CORRECTED_ERRORS_WARNING,
	[FINDING_UNRESOLVED_EVENTS] = REGISTRY_UNRESOLVED_EVENTS,
	[FINDING_DECODER_DPA_RESERVED] = REGISTRY_MEMORY_RESERVED,
	[FINDING_REGION_NO_ADDRESS] = REGISTRY_REGION_WITHOUT_ADDRESS,
	[FINDING_REGION_TARGETS_UNKNOWN] = REGISTRY_REGION_POSITIONS_UNKNOWN,
	[FINDING_REGION_INCOMPLETE] = REGISTRY_REGION_POSITION_EMPTY,
	[FINDING_REGION_DEVICE_GONE] = REGISTRY_REGION_DEVICE_MISSING,
	[FINDING_REGION_NOT_COMMITTED] = REGISTRY_REGION_NOT_COMMITTED,
	[FINDING_REGION_NO_DRIVER] = REGISTRY_REGION_WITHOUT_DRIVER,
	[FINDING_REGION_NO_DAX_DEVICE] = REGISTRY_REGION_WITHOUT_DAX_DEVICE,
};

/* The first of the messages is also what a code without one has. */
static bool has_message(enum finding_code code)
{
	return finding_messages[code] != 0 || code == FINDING_FIRMWARE_UNAVAILABLE;
}

const char *finding_message_id(enum finding_code code)
{
	return has_message(code) ? registry_message_id(finding_messages[code]) : NULL;
}

const char *finding_health(enum finding_code code)
{
	if (finding_severity(code) != FINDING_PROBLEM)
		return health_name(HEALTH_OK);
	return health_name(has_message(code) ? registry_severity(finding_messages[code])
					     : HEALTH_WARNING);
}

/* A condition with the strings that it refers to. */
struct finding_condition {
	struct condition condition;
	char numbers[REGISTRY_ARGS_MAX][24], entry[RESOURCE_URI_MAX], when[EVENT_TIME_MAX];
};

/* Sets argument @i of the message to a number. */
static void fill_number(struct finding_condition *c, size_t i, const struct finding_arg *arg)
{
	(void)snprintf(c->numbers[i], sizeof(c->numbers[i]), "%llu",
		       (unsigned long long)arg->number);
	c->condition.args[i] = c->numbers[i];
}

static void fill_corrected_errors(struct finding_condition *c, const struct finding *f,
				  const char *property)
{
	c->condition.args[0] = property;
	if (f->args[0].type == FINDING_ARG_NONE)
		return;
	c->condition.id = REGISTRY_WARNING_THRESHOLD_EXCEEDED;
	fill_number(c, 1, &f->args[0]);
}

/* @args: the number of an entry of the log, and its time */
static void fill_entry(struct finding_condition *c, const struct finding_arg *args)
{
	if (args[0].type != FINDING_ARG_NONE) {
		event_entry_uri(args[0].number, c->entry);
		c->condition.log_entry = c->entry;
	}
	if (args[1].type != FINDING_ARG_NONE) {
		event_time(args[1].number, c->when);
		c->condition.timestamp = c->when;
	}
}

static void fill_unresolved_events(struct finding_condition *c, const struct finding *f)
{
	fill_number(c, 0, &f->args[0]);
	c->condition.args[1] = event_type_key(f->args[1].event_type);
	fill_entry(c, &f->args[2]);
}

/* Of the other findings, the arguments of the message are those that are texts. */
static void fill_texts(struct finding_condition *c, const struct finding *f)
{
	size_t n = 0;

	for (size_t i = 0; i < FINDING_ARGS_MAX && n < REGISTRY_ARGS_MAX; i++)
		if (f->args[i].type == FINDING_ARG_TEXT)
			c->condition.args[n++] = f->args[i].text;
}

/* A position of a region, which may be unknown, and the last one. */
static void fill_position(struct finding_condition *c, const struct finding *f)
{
	for (size_t i = 0; i < 2; i++)
		if (f->args[i].type == FINDING_ARG_NUMBER)
			fill_number(c, i, &f->args[i]);
		else
			c->condition.args[i] = "unknown";
}

/* @resolution: NULL for the registry's */
static void put_finding(const struct finding *f, enum health_level level, const char *resolution,
			struct json_writer *w)
{
	struct finding_condition c = {
		.condition = {.id = finding_messages[f->code],
			      .severity = level,
			      .resolution = resolution},
	};

	switch (f->code) {
	case FINDING_CORRECTED_VOLATILE_ERRORS:
		fill_corrected_errors(&c, f, "CorrectedVolatileErrorCount");
		break;
	case FINDING_CORRECTED_PERSISTENT_ERRORS:
		fill_corrected_errors(&c, f, "CorrectedPersistentErrorCount");
		break;
	case FINDING_UNRESOLVED_EVENTS:
		fill_unresolved_events(&c, f);
		break;
	case FINDING_PERMANENT_CONDITION:
	case FINDING_MAINTENANCE_NEEDED:
	case FINDING_PERFORMANCE_DEGRADED:
	case FINDING_REPLACEMENT_NEEDED:
		fill_entry(&c, f->args);
		break;
	case FINDING_DECODER_DPA_RESERVED:
		fill_number(&c, 0, &f->args[1]);
		c.condition.args[1] = f->args[0].text;
		break;
	case FINDING_REGION_INCOMPLETE:
	case FINDING_REGION_DEVICE_GONE:
		fill_position(&c, f);
		break;
	default:
		fill_texts(&c, f);
	}
	put_condition(&c.condition, w);
}

static void put_findings(const struct health *h, struct json_writer *w)
{
	for (size_t i = 0; i < h->n; i++)
		put_finding(&h->findings[i].finding, h->findings[i].level, NULL, w);
}

/* ---- devices and the host ----------------------------------------------------------------------
 */

static void health_of_view(const struct view *v, const struct memdev *m, struct health *ret)
{
	health_of_device(m->name, view_mailbox(v, m), v->event_health, view_memory_id(v, m), ret);
	health_add_reserved(m, ret);
}

static void put_health(struct json_writer *w, const char *key, struct opt_int level)
{
	if (level.present)
		put_string(w, key, health_name((enum health_level)level.value));
}

void put_reported_health(const struct mailbox *mb, struct json_writer *w)
{
	put_health(w, "ReportedHealth", health_level_of_device(mb, NULL, "device"));
}

static void begin_status(struct json_writer *w, const char *state)
{
	put_object(w, "Status");
	put_string(w, "State", state);
}

void put_state(struct json_writer *w, const char *state)
{
	begin_status(w, state);
	put_end(w);
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
	return m->enabled ? "Enabled" : "Disabled";
}

void put_status_of_memory(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	struct health h;

	health_of_view(v, m, &h);
	begin_status(w, memory_state(v, m));
	put_health(w, "Health", h.level);
	if (h.n > 0 || is_sanitizing(v, m)) {
		put_array(w, "Conditions");
		if (is_sanitizing(v, m))
			put_condition(&(struct condition){.id = REGISTRY_SANITIZING}, w);
		put_findings(&h, w);
		put_end(w);
	}
	put_end(w);
}

static void put_related(const char *origin, struct opt_int level, struct json_writer *w)
{
	put_condition(&(struct condition){.id = REGISTRY_CONDITION_IN_RELATED_RESOURCE,
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
	begin_status(w, state);
	put_health(w, "Health", h.level);
	if (h.n > 0) {
		(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(v, m));
		put_array(w, "Conditions");
		put_related(origin, h.level, w);
		put_end(w);
	}
	put_end(w);
}

/* ---- several devices and regions ---------------------------------------------------------------
 */

/*
 * Devices and regions that a resource combines. They are visited twice: for their health together,
 * and for the conditions, which refer to those that are unhealthy.
 */
struct rollup {
	const struct view *view;
	struct json_writer *w; /* NULL when no conditions are written */
	struct health_rollup sum;
	size_t n_unhealthy;
	enum health_level worst; /* of those that are not named */
};

typedef void rollup_visit_fn(struct rollup *r, const void *object);

static void rollup_add(struct rollup *r, const char *origin, struct opt_int level)
{
	health_rollup_add(&r->sum, level);
	if (level.value == HEALTH_OK || !r->w)
		return;
	if (r->n_unhealthy++ < ROLLUP_CONDITIONS_MAX)
		put_related(origin, level, r->w);
	else if ((enum health_level)level.value > r->worst)
		r->worst = (enum health_level)level.value;
}

static void rollup_add_memdev(struct rollup *r, const struct memdev *m)
{
	char origin[RESOURCE_URI_MAX];
	struct health h;

	health_of_view(r->view, m, &h);
	(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(r->view, m));
	rollup_add(r, origin, h.level);
}

/* One whose state is not known does not make that of the others unknown. */
static void rollup_add_region(struct rollup *r, const struct region *region)
{
	char origin[RESOURCE_URI_MAX];
	struct health h;

	if (!region->root || health_of_region(r->view->host, r->view->translator, region, &h) < 0 ||
	    !h.level.present)
		return;
	(void)snprintf(origin, sizeof(origin), URI_MEMORY_CHUNKS, region->root->name, region->name);
	rollup_add(r, origin, h.level);
}

static void rollup_put_rest(const struct rollup *r)
{
	char more[24];

	if (r->n_unhealthy <= ROLLUP_CONDITIONS_MAX)
		return;
	(void)snprintf(more, sizeof(more), "%zu", r->n_unhealthy - ROLLUP_CONDITIONS_MAX);
	put_condition(&(struct condition){.id = REGISTRY_MORE_DEVICES,
					  .args = {more},
					  .severity = r->worst},
		      r->w);
}

/*
 * put_rollup() - a Status with HealthRollup
 * @visit: adds the parts of @object
 * @own: the health and the findings of the resource itself; NULL without
 * @key: of the level in @own, "Health"; NULL when the resource has only HealthRollup
 */
static void put_rollup(const struct view *v, const char *state, rollup_visit_fn *visit,
		       const void *object, const struct health *own, const char *key,
		       struct json_writer *w)
{
	struct rollup parts = {.view = v}, named = {.view = v, .w = w};
	struct opt_int level;

	visit(&parts, object);
	level = health_rollup_level(&parts.sum);
	if (own && own->level.present && own->level.value > level.value)
		level = own->level;
	begin_status(w, state);
	if (key)
		put_health(w, key, own->level);
	put_health(w, "HealthRollup", level);
	if (level.value > HEALTH_OK) {
		put_array(w, "Conditions");
		if (own && key)
			put_findings(own, w);
		visit(&named, object);
		rollup_put_rest(&named);
		if (own && !key)
			put_findings(own, w);
		put_end(w);
	}
	put_end(w);
}

static void visit_memdev(struct rollup *r, const void *object)
{
	rollup_add_memdev(r, object);
}

static void visit_memdevs(struct rollup *r, const void *object)
{
	(void)object;
	for (size_t i = 0; i < r->view->host->n_memdevs; i++)
		rollup_add_memdev(r, r->view->host->memdevs[i]);
}

/* What happened to devices that were removed is in the log only. */
static void visit_host(struct rollup *r, const void *object)
{
	visit_memdevs(r, object);
	for (size_t i = 0; i < r->view->host->n_regions; i++)
		rollup_add_region(r, r->view->host->regions[i]);
}

static void visit_devices(struct rollup *r, const struct fabric_list *devices)
{
	for (const struct fabric_item *i = devices->first; i; i = i->next) {
		const struct fabric_port *device = i->object;

		rollup_add_memdev(r, device->memdev);
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
	for (size_t i = 0; i < r->view->host->n_regions; i++)
		if (r->view->host->regions[i]->root == object)
			rollup_add_region(r, r->view->host->regions[i]);
}

static void visit_region(struct rollup *r, const void *object)
{
	const struct region *region = object;

	for (size_t i = 0; i < region->n_targets; i++)
		if (region_target_of(region, region->targets[i].memdev) == &region->targets[i])
			rollup_add_memdev(r, region->targets[i].memdev);
}

void put_status_of_module(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w)
{
	put_rollup(v, state, visit_memdev, m, NULL, NULL, w);
}

void put_status_of_host(const struct view *v, struct json_writer *w)
{
	struct health events;

	health_of_host_events(v->event_health, &events);
	/* Without findings they are OK, which is not known of the host as a whole. */
	put_rollup(v, "Enabled", visit_host, NULL, &events, NULL, w);
}

void put_status_of_fabric(const struct view *v, struct json_writer *w)
{
	put_rollup(v, "Enabled", visit_memdevs, NULL, NULL, NULL, w);
}

void put_status_of_bridge(const struct view *v, const struct fabric_bridge *bridge,
			  struct json_writer *w)
{
	put_rollup(v, "Enabled", visit_bridge, bridge, NULL, NULL, w);
}

void put_status_of_window(const struct view *v, const struct decoder *window, struct json_writer *w)
{
	put_rollup(v, "Enabled", visit_window, window, NULL, NULL, w);
}

void put_status_of_region(const struct view *v, const struct region *region, struct json_writer *w)
{
	const bool usable = region->enabled && region->commit != REGION_NOT_COMMITTED;
	struct health h;

	if (health_of_region(v->host, v->translator, region, &h) < 0)
		h = (struct health){0};
	put_rollup(v, usable ? "Enabled" : "Disabled", visit_region, region, &h, "Health", w);
}

/* ---- switches ----------------------------------------------------------------------------------
 */

static void put_switch_note(const char *note, enum health_level severity, struct json_writer *w)
{
	put_condition(&(struct condition){.id = REGISTRY_SWITCH_NOT_READ,
					  .args = {note},
					  .severity = severity},
		      w);
}

static void put_switch_notes(const struct switch_reading *r, enum health_level severity,
			     struct json_writer *w)
{
	char more[64];

	put_array(w, "Conditions");
	for (size_t i = 0; i < r->n_notes && i < ROLLUP_CONDITIONS_MAX; i++)
		put_switch_note(r->notes[i], severity, w);
	if (r->n_notes > ROLLUP_CONDITIONS_MAX) {
		(void)snprintf(more, sizeof(more), "%zu other commands failed",
			       r->n_notes - ROLLUP_CONDITIONS_MAX);
		put_switch_note(more, severity, w);
	}
	put_end(w);
}

void put_status_of_switch(const struct fabric_switch *sw, struct json_writer *w)
{
	const struct switch_reading *r = sw->reading;
	bool silent = r && switch_is_unreadable(sw);

	put_object(w, "Status");
	if (sw->port)
		put_string(w, "State", sw->port->enabled ? "Enabled" : "Disabled");
	else if (!silent)
		put_string(w, "State", "Enabled");
	if (silent)
		put_string(w, "Health", health_name(HEALTH_WARNING));
	if (r && r->n_notes > 0)
		put_switch_notes(r, silent ? HEALTH_WARNING : HEALTH_OK, w);
	put_end(w);
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
static void put_firmware_findings(const struct finding *findings, size_t n, struct json_writer *w)
{
	const struct finding *last = &findings[n - 1];
	const char *resolution = NULL;
	char text[FIRMWARE_TEXT_MAX * 2];

	if (last->code == FINDING_FIRMWARE_ADVICE)
		resolution = sentence(text, last->args[0].text);
	for (size_t i = 0; i < n; i++)
		if (finding_severity(findings[i].code) == FINDING_PROBLEM)
			put_finding(&findings[i], HEALTH_OK, i == 0 ? resolution : NULL, w);
}

/* Return: the severity of the worst problem, HEALTH_OK without one. */
static enum health_level worst_problem(const struct finding *findings, size_t n)
{
	enum health_level worst = HEALTH_OK;

	for (size_t i = 0; i < n; i++) {
		enum health_level level = registry_severity(finding_messages[findings[i].code]);

		if (finding_severity(findings[i].code) == FINDING_PROBLEM && level > worst)
			worst = level;
	}
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
	enum health_level unavailable = worst_problem(firmware, n_firmware);
	enum health_level worst = worst_problem(others, n_others);

	begin_status(w, "Enabled");
	put_string(w, "Health", health_name(unavailable > worst ? unavailable : worst));
	if (unavailable || n_others > 0) {
		put_array(w, "Conditions");
		if (unavailable)
			put_firmware_findings(firmware, n_firmware, w);
		for (size_t i = 0; i < n_others; i++)
			put_finding(&others[i], HEALTH_OK, NULL, w);
		put_end(w);
	}
	put_end(w);
}
