// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/feed/incident_message.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/uris.h"
#include "redfish/feed/event_message.h"
#include "redfish/view/view.h"

/* "cxl-000000000000abc0 (mem2, slot 2)"; the PCI function in place of a slot that is not known. */
static void name_device(const struct incident *i, const struct incident_now *now,
			char text[static INCIDENT_ARG_MAX])
{
	const char *slot = now->memdev ? now->memdev->slot : NULL;
	const char *name = now->memdev ? now->memdev->name : "";
	const char *place = slot ? slot : i->host;

	if (!i->device[0])
		(void)snprintf(text, INCIDENT_ARG_MAX, "%.80s",
			       now->finding && now->finding->object[0] ? now->finding->object
								       : "the host");
	else if (!name[0] && !place[0])
		(void)snprintf(text, INCIDENT_ARG_MAX, "%.80s", i->device);
	else
		(void)snprintf(text, INCIDENT_ARG_MAX, "%.80s (%.64s%s%s%.64s)", i->device, name,
			       name[0] && place[0] ? ", " : "", slot ? "slot " : "", place);
}

static const char *end_of(const struct incident *i)
{
	const char *text = incident_end_text(i->end);

	return text ? text : incident_state_name(i->state);
}

void incident_arguments(enum registry_message id, const struct incident *i,
			const struct incident_now *now, struct incident_arguments *ret)
{
	const bool has_number = id != REGISTRY_INCIDENT;
	char what[INCIDENT_WHAT_TEXT_MAX], act[INCIDENT_ACT_TEXT_MAX];
	size_t n = 0;

	*ret = (struct incident_arguments){0};
	if (has_number)
		(void)snprintf(ret->text[n++], INCIDENT_ARG_MAX, "%" PRIu64, i->id);
	name_device(i, now, ret->text[n++]);
	if (id == REGISTRY_INCIDENT_CLOSED) {
		(void)snprintf(ret->text[n], INCIDENT_ARG_MAX, "%s", end_of(i));
	} else {
		(void)snprintf(ret->text[n++], INCIDENT_ARG_MAX, "%s%s",
			       incident_is_only_found(i) && now->finding ? "a problem: " : "",
			       incident_what_text(i, now->finding, what));
		(void)snprintf(ret->text[n++], INCIDENT_ARG_MAX, "%s",
			       incident_place_name(now->place));
		if (id == REGISTRY_INCIDENT_WORSENED)
			(void)snprintf(ret->text[n], INCIDENT_ARG_MAX, "%s",
				       incident_act_text(now, act));
	}
	for (n = 0; n < REGISTRY_ARGS_MAX; n++)
		ret->args[n] = ret->text[n];
}

/* A finding has a next step, which is more specific than the reason of the act. */
void incident_resolution(const struct incident_now *now, char ret[static INCIDENT_RESOLUTION_MAX])
{
	const char *next = now->finding && now->act != ACT_NONE ? now->finding->next : "";
	char act[INCIDENT_ACT_TEXT_MAX];

	(void)snprintf(ret, INCIDENT_RESOLUTION_MAX, "To do: %s.  %s%s%s",
		       incident_act_text(now, act), now->reason, next[0] ? "  " : "", next);
}

void incident_entry_uri(uint64_t id, char ret[static RESOURCE_URI_MAX])
{
	(void)snprintf(ret, RESOURCE_URI_MAX, URI_HOST_INCIDENTS "/Entries/%" PRIu64, id);
}

const char *incident_origin(const struct view *v, const struct incident *i)
{
	char uri[RESOURCE_URI_MAX];
	const struct resource *r;

	if (!i->device[0])
		return NULL;
	(void)snprintf(uri, sizeof(uri), URI_MEMORY, i->device);
	r = resource_find(v->index, uri);
	return r ? r->uri : NULL;
}

/* @a: the arguments of the message */
static json_t *make_record(enum registry_message id, const struct view *v, const struct incident *i,
			   const struct incident_now *now, const struct incident_arguments *a)
{
	const bool has_ended = id == REGISTRY_INCIDENT_CLOSED;
	char time[EVENT_TIME_MAX], uri[RESOURCE_URI_MAX];
	char text[3 * INCIDENT_ARG_MAX], resolution[INCIDENT_RESOLUTION_MAX];
	const char *origin = incident_origin(v, i);
	json_t *list = json_array();

	event_time(clock_realtime_ns(), time);
	message_text(text, sizeof(text), registry_text(id), a->args);
	for (size_t n = 0; list && n < message_n_args(registry_text(id)); n++)
		(void)json_array_append_new(list, json_string(a->args[n]));
	incident_resolution(now, resolution);
	incident_entry_uri(i->id, uri);
	return json_pack("{s:s,s:s,s:s,s:s,s:o,s:s,s:s,s:{s:s},s:o*}", "EventType", "Alert",
			 "EventTimestamp", time, "MessageId", registry_message_id(id), "Message",
			 text, "MessageArgs", list, "MessageSeverity",
			 has_ended ? health_name(registry_severity(id))
				   : event_severity_name(i->severity),
			 "Resolution", has_ended ? registry_resolution(id) : resolution, "LogEntry",
			 "@odata.id", uri, "OriginOfCondition",
			 origin ? json_pack("{s:s}", "@odata.id", origin) : NULL);
}

json_t *incident_record(enum registry_message id, const struct view *v, const struct incident *i,
			const struct incident_now *now)
{
	struct incident_arguments a;

	incident_arguments(id, i, now, &a);
	return make_record(id, v, i, now, &a);
}

json_t *incident_page_record(const struct view *v, const struct incident *i,
			     const struct incident_now *now, const char *decision)
{
	struct incident_arguments a = {0};

	(void)snprintf(a.text[0], INCIDENT_ARG_MAX, "%" PRIu64, i->id);
	name_device(i, now, a.text[1]);
	(void)snprintf(a.text[2], INCIDENT_ARG_MAX, "%s", decision);
	for (size_t n = 0; n < 3; n++)
		a.args[n] = a.text[n];
	return make_record(REGISTRY_INCIDENT_PAGE, v, i, now, &a);
}
