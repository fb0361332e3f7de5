// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/status.h"

#include <stdio.h>

#include "common/array.h"
#include "model/health.h"
#include "model/service_health.h"
#include "redfish/eventing/event_message.h"
#include "redfish/registry.h"
#include "redfish/view.h"
#include "redfish/uris.h"
#include "redfish/resource_table.h"

/* Devices that the host's Conditions name; the others are counted. */
enum { HOST_CONDITIONS_MAX = 32 };

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
};

/* A condition with the strings that it refers to. */
struct finding_condition {
	struct condition condition;
	char number[24], entry[RESOURCE_URI_MAX], when[EVENT_TIME_MAX];
};

static const char *number_text(struct finding_condition *c, const struct finding_arg *arg)
{
	(void)snprintf(c->number, sizeof(c->number), "%llu", (unsigned long long)arg->number);
	return c->number;
}

static void fill_corrected_errors(struct finding_condition *c, const struct finding *f,
				  const char *property)
{
	c->condition.args[0] = property;
	if (f->args[0].type == FINDING_ARG_NONE)
		return;
	c->condition.id = REGISTRY_WARNING_THRESHOLD_EXCEEDED;
	c->condition.args[1] = number_text(c, &f->args[0]);
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
	c->condition.args[0] = number_text(c, &f->args[0]);
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
}

static void put_health(struct json_writer *w, const char *key, struct opt_int level)
{
	if (level.present)
		put_string(w, key, health_name((enum health_level)level.value));
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

void put_status_of_memory(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	struct health h;

	health_of_view(v, m, &h);
	begin_status(w, m->enabled ? "Enabled" : "Disabled");
	put_health(w, "Health", h.level);
	if (h.n > 0) {
		put_array(w, "Conditions");
		put_findings(&h, w);
		put_end(w);
	}
	put_end(w);
}

static void put_related(const struct view *v, const struct memdev *m, struct opt_int level,
			struct json_writer *w)
{
	char origin[RESOURCE_URI_MAX];

	(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(v, m));
	put_condition(&(struct condition){.id = REGISTRY_CONDITION_IN_RELATED_RESOURCE,
					  .severity = (enum health_level)level.value,
					  .origin = origin},
		      w);
}

static void put_device(const struct view *v, const struct memdev *m, const char *state,
		       const char *key, struct json_writer *w)
{
	struct health h;

	health_of_view(v, m, &h);
	begin_status(w, state);
	put_health(w, key, h.level);
	if (h.n > 0) {
		put_array(w, "Conditions");
		put_related(v, m, h.level, w);
		put_end(w);
	}
	put_end(w);
}

void put_status_of_device(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w)
{
	put_device(v, m, state, "Health", w);
}

void put_status_of_module(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	put_device(v, m, "Enabled", "HealthRollup", w);
}

/*
 * The worst of all devices, and of the events that belong to none. What happened to devices that
 * were removed is in the log only.
 */
static struct opt_int host_health(const struct view *v, const struct health *events)
{
	struct health_rollup rollup = {0};
	struct health h;

	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		health_of_view(v, v->host->memdevs[i], &h);
		health_rollup_add(&rollup, h.level);
	}
	if (events->level.value > (int)rollup.worst)
		return events->level;
	return health_rollup_level(&rollup);
}

static void put_unhealthy_devices(const struct view *v, struct json_writer *w)
{
	enum health_level worst = HEALTH_OK; /* of those that are not named */
	struct health h;
	char more[24];
	size_t n = 0;

	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		health_of_view(v, v->host->memdevs[i], &h);
		if (h.level.value == HEALTH_OK)
			continue;
		if (n++ < HOST_CONDITIONS_MAX)
			put_related(v, v->host->memdevs[i], h.level, w);
		else if ((enum health_level)h.level.value > worst)
			worst = (enum health_level)h.level.value;
	}
	if (n <= HOST_CONDITIONS_MAX)
		return;
	(void)snprintf(more, sizeof(more), "%zu", n - HOST_CONDITIONS_MAX);
	put_condition(
		&(struct condition){.id = REGISTRY_MORE_DEVICES, .args = {more}, .severity = worst},
		w);
}

void put_status_of_host(const struct view *v, struct json_writer *w)
{
	struct health events;
	struct opt_int level;

	health_of_host_events(v->event_health, &events);
	level = host_health(v, &events);
	begin_status(w, "Enabled");
	put_health(w, "HealthRollup", level);
	if (level.value > HEALTH_OK) {
		put_array(w, "Conditions");
		put_unhealthy_devices(v, w);
		put_findings(&events, w);
		put_end(w);
	}
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

static bool has_problem(const struct finding *findings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (finding_severity(findings[i].code) == FINDING_PROBLEM)
			return true;
	return false;
}

void put_status_of_service(const struct view *v, struct json_writer *w)
{
	struct finding firmware[FIRMWARE_FINDINGS_MAX], recording[RECORDING_FAULTS];
	size_t n_firmware =
		v->needs_firmware ? firmware_findings(&v->inputs.firmware, firmware) : 0;
	size_t n_recording = recording_findings(&v->inputs.recording_faults, recording);
	bool unavailable = has_problem(firmware, n_firmware);

	begin_status(w, "Enabled");
	if (unavailable || n_recording > 0) {
		put_array(w, "Conditions");
		if (unavailable)
			put_firmware_findings(firmware, n_firmware, w);
		for (size_t i = 0; i < n_recording; i++)
			put_finding(&recording[i], HEALTH_OK, NULL, w);
		put_end(w);
	}
	put_end(w);
}
