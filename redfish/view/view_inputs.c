// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/view_inputs.h"

/* A new reference is taken before the old one is dropped: they may refer to the same value. */

static void set_topology(struct view_inputs *to, const struct view_inputs *from)
{
	const struct host *host = to->host;
	struct translator *translator = to->translator;

	to->host = from->host ? host_ref(from->host) : NULL;
	to->translator = from->translator ? translator_ref(from->translator) : NULL;
	(void)translator_unref(translator);
	(void)host_unref(host);
}

/* Hosts are not compared: each walk makes a new view. */
static bool equal_topology(const struct view_inputs *a, const struct view_inputs *b)
{
	return a->host == b->host && a->translator == b->translator;
}

static void set_firmware(struct view_inputs *to, const struct view_inputs *from)
{
	to->firmware = from->firmware;
}

/* The counters and the times in the text change with each call and do not make a new view. */
static bool equal_firmware(const struct view_inputs *a, const struct view_inputs *b)
{
	const struct firmware_status *x = &a->firmware, *y = &b->firmware;

	return x->state == y->state && (x->text[0] != '\0') == (y->text[0] != '\0') &&
	       (x->rejected[0] != '\0') == (y->rejected[0] != '\0') && x->n_failing == y->n_failing;
}

static void set_readings(struct view_inputs *to, const struct view_inputs *from)
{
	const struct readings *old = to->readings;

	to->readings = from->readings ? readings_ref(from->readings) : NULL;
	(void)readings_unref(old);
}

static bool equal_readings(const struct view_inputs *a, const struct view_inputs *b)
{
	return readings_equal(a->readings, b->readings);
}

static void set_switches(struct view_inputs *to, const struct view_inputs *from)
{
	const struct switch_readings *old = to->switches;

	to->switches = from->switches ? switch_readings_ref(from->switches) : NULL;
	(void)switch_readings_unref(old);
}

static bool equal_switches(const struct view_inputs *a, const struct view_inputs *b)
{
	return switch_readings_equal(a->switches, b->switches);
}

static void set_event_health(struct view_inputs *to, const struct view_inputs *from)
{
	const struct event_health *old = to->event_health;

	to->event_health = from->event_health ? event_health_ref(from->event_health) : NULL;
	(void)event_health_unref(old);
}

static bool equal_event_health(const struct view_inputs *a, const struct view_inputs *b)
{
	return event_health_equal(a->event_health, b->event_health);
}

static void set_recording_faults(struct view_inputs *to, const struct view_inputs *from)
{
	to->recording_faults = from->recording_faults;
}

static bool equal_recording_faults(const struct view_inputs *a, const struct view_inputs *b)
{
	return recording_faults_equal(&a->recording_faults, &b->recording_faults);
}

static void set_service_faults(struct view_inputs *to, const struct view_inputs *from)
{
	to->service_faults = from->service_faults;
}

static bool equal_service_faults(const struct view_inputs *a, const struct view_inputs *b)
{
	return service_faults_equal(&a->service_faults, &b->service_faults);
}

static void set_changes_allowed(struct view_inputs *to, const struct view_inputs *from)
{
	to->changes_allowed = from->changes_allowed;
}

static bool equal_changes_allowed(const struct view_inputs *a, const struct view_inputs *b)
{
	return a->changes_allowed.configured == b->changes_allowed.configured &&
	       a->changes_allowed.helper == b->changes_allowed.helper;
}

static void set_memory_use(struct view_inputs *to, const struct view_inputs *from)
{
	const struct memory_use *old = to->memory_use;

	to->memory_use = from->memory_use ? memory_use_ref(from->memory_use) : NULL;
	(void)memory_use_unref(old);
}

static bool equal_memory_use(const struct view_inputs *a, const struct view_inputs *b)
{
	return memory_use_equal(a->memory_use, b->memory_use);
}

static const struct {
	void (*set)(struct view_inputs *to, const struct view_inputs *from);
	bool (*equal)(const struct view_inputs *a, const struct view_inputs *b);
} rows[VIEW_INPUT_COUNT] = {
	[VIEW_INPUT_TOPOLOGY] = {set_topology, equal_topology},
	[VIEW_INPUT_FIRMWARE] = {set_firmware, equal_firmware},
	[VIEW_INPUT_READINGS] = {set_readings, equal_readings},
	[VIEW_INPUT_SWITCHES] = {set_switches, equal_switches},
	[VIEW_INPUT_EVENT_HEALTH] = {set_event_health, equal_event_health},
	[VIEW_INPUT_RECORDING_FAULTS] = {set_recording_faults, equal_recording_faults},
	[VIEW_INPUT_SERVICE_FAULTS] = {set_service_faults, equal_service_faults},
	[VIEW_INPUT_CHANGES_ALLOWED] = {set_changes_allowed, equal_changes_allowed},
	[VIEW_INPUT_MEMORY_USE] = {set_memory_use, equal_memory_use},
};

void view_inputs_set(struct view_inputs *to, const struct view_inputs *from, enum view_input input)
{
	rows[input].set(to, from);
}

bool view_inputs_equal(const struct view_inputs *a, const struct view_inputs *b,
		       enum view_input input)
{
	return rows[input].equal(a, b);
}

void view_inputs_copy(struct view_inputs *to, const struct view_inputs *from)
{
	*to = (struct view_inputs){0};
	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++)
		rows[i].set(to, from);
}

void view_inputs_done(struct view_inputs *in)
{
	static const struct view_inputs none;

	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++)
		rows[i].set(in, &none);
}
