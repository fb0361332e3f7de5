// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/finding_message.h"

#include <stdio.h>

#include "model/finding_text.h"
#include "redfish/core/odata.h"
#include "redfish/feed/incident_message.h"
#include "redfish/core/registry.h"
#include "redfish/core/registry_version.h"
#include "redfish/core/resource_table.h"
#include "redfish/view/condition_times.h"
#include "redfish/view/view.h"

const char *finding_message_id(enum finding_code code, char id[static FINDING_MESSAGE_ID_MAX])
{
	const char *key = finding_row(code)->message.key;

	(void)snprintf(id, FINDING_MESSAGE_ID_MAX, OWN_REGISTRY_NAME ".%s", key ? key : "");
	return key ? id : NULL;
}

/* ---- conditions --------------------------------------------------------------------------------
 */

/* Return: an argument of a message, in @text or static. */
static const char *message_arg(const struct finding_arg *arg, char text[static FINDING_TEXT_MAX])
{
	if (arg->type == FINDING_ARG_NONE)
		return "unknown";
	if (arg->type == FINDING_ARG_EVENT_TYPE)
		return event_type_key(arg->event_type);
	return finding_arg_text(arg, text);
}

static const struct finding_arg *arg_of_type(const struct finding *f, enum finding_arg_type type)
{
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (f->args[i].type == type)
			return &f->args[i];
	return NULL;
}

void put_finding_message(const struct finding *f, struct json_writer *w)
{
	char texts[REGISTRY_ARGS_MAX][FINDING_TEXT_MAX], pattern[FINDING_TEXT_MAX];
	const char *args[REGISTRY_ARGS_MAX];

	for (size_t i = 0; i < REGISTRY_ARGS_MAX; i++)
		args[i] = message_arg(&f->args[i], texts[i]);
	put_own_message(finding_row(f->code)->message.key, finding_pattern(f->code, pattern), args,
			w);
}

static const char *resolution_of(const struct finding_row *row)
{
	return row->message.resolution ? row->message.resolution : row->next;
}

const char *condition_timestamp(const struct view *v, const char *message, const char *object,
				char text[static EVENT_TIME_MAX])
{
	const uint64_t since_ns = condition_since(v->times, message, object);

	if (since_ns == 0)
		return NULL;
	event_time(since_ns, text);
	return text;
}

void put_finding_condition(const struct view *v, const struct finding *f, const char *resolution,
			   struct json_writer *w)
{
	put_found_condition(v, f, resolution, NULL, w);
}

/* Return: whether there is one. */
static bool find_entry(const struct finding *f, const struct found_incident *found,
		       char uri[static RESOURCE_URI_MAX])
{
	const struct finding_arg *entry = arg_of_type(f, FINDING_ARG_ENTRY);
	const struct finding_arg *incident = arg_of_type(f, FINDING_ARG_INCIDENT);

	if (found || incident)
		incident_entry_uri(found ? found->id : incident->number, uri);
	else if (entry)
		event_entry_uri(entry->number, uri);
	return found || incident || entry;
}

void put_found_condition(const struct view *v, const struct finding *f, const char *resolution,
			 const struct found_incident *found, struct json_writer *w)
{
	const struct finding_arg *time = arg_of_type(f, FINDING_ARG_TIME);
	char uri[RESOURCE_URI_MAX], text[EVENT_TIME_MAX];
	const bool has_entry = find_entry(f, found, uri);
	const char *when = text;

	if (found && found->first_ns)
		event_time(found->first_ns, text);
	else if (time)
		event_time(time->number, text);
	else
		when = condition_timestamp(v, finding_row(f->code)->message.key,
					   has_entry ? uri : f->object, text);
	put_object(w, NULL);
	put_string(w, "Timestamp", when);
	put_finding_message(f, w);
	put_string(w, "Severity", health_name(finding_severity(f)));
	put_string(w, "Resolution", resolution ? resolution : resolution_of(finding_row(f->code)));
	if (has_entry)
		put_link(w, "LogEntry", "%s", uri);
	put_end(w);
}

/* ---- the registry ------------------------------------------------------------------------------
 */

/* "The first position without memory device, or unknown." */
static const char *param_sentence(const struct finding_param *param,
				  char text[static FINDING_TEXT_MAX])
{
	(void)snprintf(text, FINDING_TEXT_MAX, "%c%s%s.", param->what[0] & ~0x20, param->what + 1,
		       param->optional ? ", or unknown" : "");
	return text;
}

static void put_registry_row(enum finding_code code, struct json_writer *w)
{
	char texts[REGISTRY_ARGS_MAX][FINDING_TEXT_MAX], pattern[FINDING_TEXT_MAX];
	const struct finding_row *row = finding_row(code);
	const char *arguments[REGISTRY_ARGS_MAX] = {0};

	for (size_t i = 0; i < REGISTRY_ARGS_MAX && row->args[i].what; i++)
		arguments[i] = param_sentence(&row->args[i], texts[i]);
	put_registry_entry(
		&(struct registry_entry){
			.key = row->message.key,
			.severity = row->severity,
			.text = finding_pattern(code, pattern),
			.description = row->message.description,
			.resolution = resolution_of(row),
			.arguments = arguments,
		},
		w);
}

void put_finding_messages(struct json_writer *w)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++)
		if (finding_row((enum finding_code)i)->message.key)
			put_registry_row((enum finding_code)i, w);
}
