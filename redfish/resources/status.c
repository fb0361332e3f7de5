// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/status.h"

#include <stddef.h>
#include <stdio.h>

#include "common/array.h"
#include "prm/firmware.h"
#include "redfish/eventing/event_message.h"
#include "redfish/registry.h"
#include "redfish/view.h"
#include "redfish/uris.h"
#include "redfish/resource_table.h"

enum {
	DEVICE_CONDITIONS_MAX = 10,
	HOST_CONDITIONS_MAX = 32, /* devices that are named; of the others, their number */
};

struct device_conditions {
	struct condition list[DEVICE_CONDITIONS_MAX]; /* what the device says */
	size_t n;
	char thresholds[2][16];
	const struct event_health_group *events; /* what its events say */
	size_t n_events;
};

static struct condition *add(struct device_conditions *c, enum registry_message id)
{
	c->list[c->n] = (struct condition){.id = id};
	return &c->list[c->n++];
}

/* Messages of a level follow each other: warning, critical. */
static void add_level(struct device_conditions *c, struct opt_int level,
		      enum registry_message warning)
{
	if (level.present && (level.value == LEVEL_WARNING || level.value == LEVEL_CRITICAL))
		(void)add(c, warning + (unsigned int)(level.value - LEVEL_WARNING));
}

/* DSP0288 1.2.0, comment 4: one of the two flags is set. */
static void add_corrected(struct device_conditions *c, char threshold[static 16],
			  const struct mailbox_alert *alert, const char *property)
{
	struct condition *one;

	if (alert->warning.present) {
		one = add(c, REGISTRY_WARNING_THRESHOLD_EXCEEDED);
		(void)snprintf(threshold, 16, "%d", alert->warning.value);
		one->args[1] = threshold;
	} else {
		one = add(c, REGISTRY_CORRECTED_ERRORS_WARNING);
	}
	one->args[0] = property;
}

static void collect(struct device_conditions *c, const struct mailbox *mb)
{
	if (mb->unresponsive)
		(void)add(c, REGISTRY_DEVICE_NOT_ANSWERING);
	if (mb->media.present && mb->media.value > MEDIA_NORMAL && mb->media.value < MEDIA_STATES)
		(void)add(c, REGISTRY_MEDIA_NOT_READY +
				     (unsigned int)(mb->media.value - MEDIA_NOT_READY));
	if (mb->maintenance_needed)
		(void)add(c, REGISTRY_MAINTENANCE_NEEDED);
	if (mb->performance_degraded)
		(void)add(c, REGISTRY_PERFORMANCE_DEGRADED);
	if (mb->replacement_needed)
		(void)add(c, REGISTRY_REPLACEMENT_NEEDED);
	if (mb->capacity_degraded)
		(void)add(c, REGISTRY_CAPACITY_DEGRADED);
	add_level(c, mb->life_used_level, REGISTRY_LIFE_USED_WARNING);
	add_level(c, mb->temperature_level, REGISTRY_TEMPERATURE_WARNING);
	if (mb->corrected_volatile_warning)
		add_corrected(c, c->thresholds[0], &mb->corrected_volatile,
			      "CorrectedVolatileErrorCount");
	if (mb->corrected_persistent_warning)
		add_corrected(c, c->thresholds[1], &mb->corrected_persistent,
			      "CorrectedPersistentErrorCount");
}

static enum health worst_of_events(const struct event_health_group *groups, size_t n)
{
	enum health worst = HEALTH_OK;

	for (size_t i = 0; i < n; i++)
		if ((enum health)groups[i].severity > worst)
			worst = (enum health)groups[i].severity;
	return worst;
}

/*
 * A device's health; absent when it is not known to be unhealthy and was not heard, or is well but
 * for what has reserved values. Of one that does not answer this is all that is known, and worth a
 * warning.
 */
static struct opt_int health_of(const struct view *v, const struct memdev *m,
				struct device_conditions *c)
{
	const struct mailbox *mb = view_mailbox(v, m);
	enum health worst;

	c->n = 0;
	c->events = event_health_of(v->event_health, view_memory_id(v, m), &c->n_events);
	worst = worst_of_events(c->events, c->n_events);
	if (mb->has_health || mb->unresponsive)
		collect(c, mb);
	for (size_t i = 0; i < c->n; i++)
		if (registry_severity(c->list[i].id) > worst)
			worst = registry_severity(c->list[i].id);
	if (worst == HEALTH_OK && !(mb->has_health && mb->media.present &&
				    mb->life_used_level.present && mb->temperature_level.present))
		return (struct opt_int){0};
	return OPT_INT((int)worst);
}

struct opt_int health_of_memory(const struct view *v, const struct memdev *m)
{
	struct device_conditions c;

	return health_of(v, m, &c);
}

static bool is_unhealthy(const struct device_conditions *c)
{
	return c->n > 0 || c->n_events > 0;
}

/* One for each kind of log entries that nobody has resolved. */
static void put_event_conditions(const struct event_health_group *groups, size_t n,
				 struct json_writer *w)
{
	for (size_t i = 0; i < n; i++) {
		const struct event_health_group *g = &groups[i];
		char many[24], entry[RESOURCE_URI_MAX], when[EVENT_TIME_MAX];

		(void)snprintf(many, sizeof(many), "%llu", (unsigned long long)g->unresolved);
		event_entry_uri(g->newest, entry);
		event_time(g->newest_ns.value, when);
		put_condition(&(struct condition){.id = REGISTRY_UNRESOLVED_EVENTS,
						  .args = {many, event_type_key(g->type)},
						  .severity = (enum health)g->severity,
						  .log_entry = g->newest ? entry : NULL,
						  .timestamp = g->newest_ns.present ? when : NULL},
			      w);
	}
}

static void put_health(struct json_writer *w, const char *key, struct opt_int health)
{
	if (health.present)
		put_string(w, key, health_name((enum health)health.value));
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
	struct device_conditions c;
	struct opt_int health = health_of(v, m, &c);

	begin_status(w, m->enabled ? "Enabled" : "Disabled");
	put_health(w, "Health", health);
	if (is_unhealthy(&c)) {
		put_array(w, "Conditions");
		for (size_t i = 0; i < c.n; i++)
			put_condition(&c.list[i], w);
		put_event_conditions(c.events, c.n_events, w);
		put_end(w);
	}
	put_end(w);
}

static void put_related(const struct view *v, const struct memdev *m, struct opt_int health,
			struct json_writer *w)
{
	char origin[RESOURCE_URI_MAX];

	(void)snprintf(origin, sizeof(origin), URI_MEMORY, view_memory_id(v, m));
	put_condition(&(struct condition){.id = REGISTRY_CONDITION_IN_RELATED_RESOURCE,
					  .severity = (enum health)health.value,
					  .origin = origin},
		      w);
}

static void put_device(const struct view *v, const struct memdev *m, const char *state,
		       const char *key, struct json_writer *w)
{
	struct device_conditions c;
	struct opt_int health = health_of(v, m, &c);

	begin_status(w, state);
	put_health(w, key, health);
	if (is_unhealthy(&c)) {
		put_array(w, "Conditions");
		put_related(v, m, health, w);
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
 * The worst of all, and of the events that are no device's; that all are well can be said only when
 * all were heard. What happened to devices that are gone is in the log.
 */
static struct opt_int host_health(const struct view *v, const struct event_health_group *events,
				  size_t n_events)
{
	struct device_conditions c;
	struct opt_int worst = OPT_INT((int)worst_of_events(events, n_events));
	bool all = v->host->n_memdevs > 0;

	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		struct opt_int one = health_of(v, v->host->memdevs[i], &c);

		all &= one.present;
		if (one.present && one.value > worst.value)
			worst = one;
	}
	return worst.value > HEALTH_OK || all ? worst : (struct opt_int){0};
}

static void put_unhealthy_devices(const struct view *v, struct json_writer *w)
{
	struct device_conditions c;
	enum health worst = HEALTH_OK; /* of those that are not named */
	char more[24];
	size_t n = 0;

	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		struct opt_int one = health_of(v, v->host->memdevs[i], &c);

		if (one.value == HEALTH_OK)
			continue;
		if (n++ < HOST_CONDITIONS_MAX)
			put_related(v, v->host->memdevs[i], one, w);
		else if ((enum health)one.value > worst)
			worst = (enum health)one.value;
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
	size_t n_events;
	const struct event_health_group *events = event_health_of(v->event_health, "", &n_events);
	struct opt_int health = host_health(v, events, n_events);

	begin_status(w, "Enabled");
	put_health(w, "HealthRollup", health);
	if (health.value > HEALTH_OK) {
		put_array(w, "Conditions");
		put_unhealthy_devices(v, w);
		put_event_conditions(events, n_events, w);
		put_end(w);
	}
	put_end(w);
}

/* ---- firmware ----------------------------------------------------------------------------------
 */

/* What the client of firmware says is without capital and stop. */
static const char *sentence(char text[static FIRMWARE_TEXT_MAX * 2], const char *said)
{
	if (!said)
		return NULL;
	(void)snprintf(text, FIRMWARE_TEXT_MAX * 2, "%c%s.", said[0] & ~0x20, said + 1);
	return text;
}

static void put_firmware_conditions(const struct firmware_status *s, struct json_writer *w)
{
	char advice[FIRMWARE_TEXT_MAX * 2];
	struct condition state = {
		.id = s->state == FIRMWARE_SLOW ? REGISTRY_FIRMWARE_SLOW
						: REGISTRY_FIRMWARE_UNAVAILABLE,
		.args = {s->text},
		.resolution = sentence(advice, firmware_state_advice(s->state)),
	};
	struct condition rejected = {.id = REGISTRY_FIRMWARE_ANSWER_REJECTED,
				     .args = {s->rejected}};
	struct condition failing = {.id = REGISTRY_FIRMWARE_ERROR, .args = {s->failing}};

	if (s->state != FIRMWARE_READY)
		put_condition(&state, w);
	if (s->rejected[0])
		put_condition(&rejected, w);
	if (s->n_failing)
		put_condition(&failing, w);
}

/* ---- the recording of events -------------------------------------------------------------------
 */

static const enum registry_message fault_messages[] = {
	[RECORDING_FAULT_NOT_RECORDED] = REGISTRY_EVENTS_NOT_RECORDED,
	[RECORDING_FAULT_PARTLY] = REGISTRY_EVENTS_PARTLY_RECORDED,
	[RECORDING_FAULT_LOST] = REGISTRY_EVENTS_LOST,
	[RECORDING_FAULT_NOT_STORED] = REGISTRY_LOG_UNAVAILABLE,
	[RECORDING_FAULT_REPLACED] = REGISTRY_EVENT_STORE_REPLACED,
	[RECORDING_FAULT_LOG_FULL] = REGISTRY_EVENT_LOG_FULL,
};

static bool has_faults(const struct recording_faults *t)
{
	static const struct recording_faults none;

	return !recording_faults_equal(t, &none);
}

static void put_recording_conditions(const struct recording_faults *t, struct json_writer *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(fault_messages); i++)
		if (t->text[i][0])
			put_condition(
				&(struct condition){.id = fault_messages[i], .args = {t->text[i]}},
				w);
}

void put_status_of_service(const struct view *v, struct json_writer *w)
{
	const struct firmware_status *s = &v->firmware;
	const bool firmware =
		v->needs_firmware && (s->state != FIRMWARE_READY || s->rejected[0] || s->n_failing);

	begin_status(w, "Enabled");
	if (firmware || has_faults(&v->recording_faults)) {
		put_array(w, "Conditions");
		if (firmware)
			put_firmware_conditions(s, w);
		put_recording_conditions(&v->recording_faults, w);
		put_end(w);
	}
	put_end(w);
}
