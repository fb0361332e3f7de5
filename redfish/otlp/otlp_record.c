// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "common/strutil.h"
#include "common/time_text.h"
#include "events/event_advice.h"
#include "events/event_strings.h"
#include "redfish/core/registry.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"
#include "redfish/feed/event_message.h"
#include "redfish/view/view.h"

enum { TEXT_MAX = 2048, SHA1_SIZE = 20 };

#define ATTRIBUTES OTLP_FIELD_LOG_ATTRIBUTES

/* ---- the resource -----------------------------------------------------------------------------
 */

/* The fields of a request of one signal. */
static const struct {
	enum otlp_message request;
	enum otlp_field resources, schema, resource, scopes, scope;
} requests[OTLP_SIGNALS] = {
	[OTLP_LOGS] = {OTLP_EXPORT_LOGS, OTLP_FIELD_LOGS_RESOURCES, OTLP_FIELD_RESOURCE_LOGS_SCHEMA,
		       OTLP_FIELD_RESOURCE_LOGS_RESOURCE, OTLP_FIELD_RESOURCE_LOGS_SCOPES,
		       OTLP_FIELD_SCOPE_LOGS_SCOPE},
	[OTLP_METRICS] = {OTLP_EXPORT_METRICS, OTLP_FIELD_METRICS_RESOURCES,
			  OTLP_FIELD_RESOURCE_METRICS_SCHEMA, OTLP_FIELD_RESOURCE_METRICS_RESOURCE,
			  OTLP_FIELD_RESOURCE_METRICS_SCOPES, OTLP_FIELD_SCOPE_METRICS_SCOPE},
};

static void put_resource(struct otlp_writer *w, const uint8_t uuid[static STATE_UUID_SIZE],
			 const struct view *v)
{
	const enum otlp_field list = OTLP_FIELD_RESOURCE_ATTRIBUTES;
	char instance[EVENT_UUID_TEXT_MAX];
	const char *id;

	event_uuid_text(uuid, instance);
	otlp_attribute_text(w, list, "service.name", "cxl-redfishd");
	otlp_attribute_text(w, list, "service.version", PACKAGE_VERSION);
	otlp_attribute_text(w, list, "service.instance.id", instance);
	if (!v)
		return;
	id = v->host->root->service_uuid;
	otlp_attribute_text(w, list, "host.id", id[0] ? id : v->host->dmi_uuid);
	otlp_attribute_text(w, list, "host.name", v->host->hostname);
}

void otlp_begin_request(struct otlp_writer *w, enum otlp_encoding encoding, enum otlp_signal signal,
			const uint8_t uuid[static STATE_UUID_SIZE], const struct view *v)
{
	otlp_writer_begin(w, encoding, requests[signal].request);
	otlp_begin(w, requests[signal].resources);
	otlp_text(w, requests[signal].schema, "https://opentelemetry.io/schemas/" OTLP_CONVENTIONS);
	otlp_begin(w, requests[signal].resource);
	put_resource(w, uuid, v);
	otlp_end(w);
	otlp_begin(w, requests[signal].scopes);
	otlp_begin(w, requests[signal].scope);
	otlp_text(w, OTLP_FIELD_SCOPE_NAME, "cxl-redfish");
	otlp_text(w, OTLP_FIELD_SCOPE_VERSION, PACKAGE_VERSION);
	otlp_end(w);
}

/* ---- what all records have --------------------------------------------------------------------
 */

static const char *string_in(const json_t *record, const char *key)
{
	return json_string_value(json_object_get(record, key));
}

/* Return: the URI of the LogEntry of a message; NULL without. */
static const char *log_entry_of(const struct event_item *item)
{
	return string_in(json_object_get(item->record, "LogEntry"), "@odata.id");
}

/* Return: whether a message is about an incident, whose number is @ret. */
static bool incident_of(const struct event_item *item, uint64_t *ret)
{
	const char *uri = log_entry_of(item);
	const char *id = uri ? str_after_prefix(uri, URI_HOST_INCIDENTS "/Entries/") : NULL;

	return id && parse_u64(id, ret) == 0;
}

/* RFC 9562 5.5: a hash of the namespace and the name. */
bool otlp_record_uid(const uint8_t uuid[static STATE_UUID_SIZE], const struct event_item *item,
		     char ret[static OTLP_UID_MAX])
{
	uint8_t bytes[STATE_UUID_SIZE + 64], digest[SHA1_SIZE];
	uint64_t incident;
	char name[64];

	if (item->entry)
		(void)snprintf(name, sizeof(name), "entry/%" PRIu64, item->seq);
	else if (incident_of(item, &incident))
		(void)snprintf(name, sizeof(name), "incident/%" PRIu64 "/%" PRIu64, incident,
			       item->seq);
	else
		(void)snprintf(name, sizeof(name), "%s/%" PRIu64, item->is_gap ? "gap" : "message",
			       item->seq);
	memcpy(bytes, uuid, STATE_UUID_SIZE);
	memcpy(bytes + STATE_UUID_SIZE, name, strlen(name));
	if (gnutls_hash_fast(GNUTLS_DIG_SHA1, bytes, STATE_UUID_SIZE + strlen(name), digest) < 0)
		return false;
	digest[6] = (uint8_t)((digest[6] & 0x0f) | 0x50);
	digest[8] = (uint8_t)((digest[8] & 0x3f) | 0x80);
	event_uuid_text(digest, ret);
	return true;
}

static bool is_fatal(const struct event_item *item)
{
	return item->entry && event_record_severity(&item->entry->record) == EVENT_LOG_FATAL &&
	       item->entry->severity == EVENT_CRITICAL;
}

static unsigned int severity_of(const struct event_item *item)
{
	if (is_fatal(item))
		return OTLP_FATAL;
	if (str_equal(item->severity, "Critical"))
		return OTLP_ERROR;
	return str_equal(item->severity, "Warning") ? OTLP_WARN : OTLP_INFO;
}

/* The MessageId without the version of its registry: "CXLHost.DRAMEvent". */
static void put_event_name(struct otlp_writer *w, const char *message_id)
{
	const char *first = message_id ? strchr(message_id, '.') : NULL;
	const char *last = message_id ? strrchr(message_id, '.') : NULL;
	char name[256];

	if (!first)
		return;
	(void)snprintf(name, sizeof(name), "%.*s%.200s", (int)(first - message_id), message_id,
		       last);
	otlp_text(w, OTLP_FIELD_LOG_EVENT_NAME, name);
}

static void put_body(struct otlp_writer *w, const char *text)
{
	char cut[TEXT_MAX];

	(void)snprintf(cut, sizeof(cut), "%s", text);
	otlp_begin(w, OTLP_FIELD_LOG_BODY);
	otlp_text(w, OTLP_FIELD_ANY_STRING, cut);
	otlp_end(w);
}

static void attribute_text(struct otlp_writer *w, const char *key, const char *value)
{
	char cut[TEXT_MAX];

	if (!value || !value[0])
		return;
	(void)snprintf(cut, sizeof(cut), "%s", value);
	otlp_attribute_text(w, ATTRIBUTES, key, cut);
}

static void attribute_uri(struct otlp_writer *w, const char *key, const char *uri)
{
	char shown[SHOWN_URI_MAX];

	if (uri)
		attribute_text(w, key, system_id_show(uri, shown));
}

static void attribute_number(struct otlp_writer *w, const char *key, struct opt_u64 value)
{
	if (value.present && value.value <= INT64_MAX)
		otlp_attribute_int(w, ATTRIBUTES, key, (int64_t)value.value);
}

/* Addresses are unsigned and have a base: strings, as in Redfish. */
static void attribute_hex(struct otlp_writer *w, const char *key, struct opt_u64 value)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "0x%" PRIx64, value.value);
	attribute_text(w, key, value.present ? text : NULL);
}

/* ---- an entry of the log ----------------------------------------------------------------------
 */

static void put_answer(struct otlp_writer *w, const struct event_answer *a)
{
	if (a->has_spa) {
		attribute_hex(w, "cxl.spa.first", OPT_U64(a->spa));
		attribute_hex(w, "cxl.spa.last", OPT_U64(a->spa_last));
		otlp_attribute_bool(w, ATTRIBUTES, "cxl.spa.exact", a->exact);
		attribute_text(w, "cxl.spa.source", answer_source_name(a->source));
	}
	attribute_text(w, "cxl.spa.reason", a->reason);
	attribute_text(w, "cxl.region.name", a->region);
	if (a->numa_node.present)
		otlp_attribute_int(w, ATTRIBUTES, "cxl.numa_node", a->numa_node.value);
	attribute_text(w, "cxl.dax.name", a->dax);
}

static void put_entry_attributes(struct otlp_writer *w, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	char advice[EVENT_ADVICE_MAX], uri[RESOURCE_URI_MAX];

	attribute_text(w, "cxl.event.type", event_type_name(rec->type));
	attribute_text(w, "cxl.event.log", event_log_name(ev));
	attribute_text(w, "cxl.device.id", ev->device);
	attribute_text(w, "cxl.device.memdev", rec->memdev);
	attribute_text(w, "cxl.device.pci", rec->host);
	if (event_type_has_address(rec->type)) {
		attribute_hex(w, "cxl.dpa", event_number(rec, FIELD_DPA));
		put_answer(w, &ev->answer);
	}
	if (ev->incident)
		attribute_number(w, "cxl.incident.id", OPT_U64(ev->incident));
	attribute_number(w, "cxl.records_lost", rec->lost);
	attribute_text(w, "cxl.resolution", event_advice(rec, advice, NULL));
	event_entry_uri(ev->seq, uri);
	attribute_uri(w, "cxl.redfish.log_entry", uri);
}

static void put_entry(struct otlp_writer *w, const struct stored_event *ev)
{
	char text[TEXT_MAX];

	if (ev->record.wall_ns.present)
		otlp_u64(w, OTLP_FIELD_LOG_TIME, ev->record.wall_ns.value);
	otlp_u64(w, OTLP_FIELD_LOG_OBSERVED, ev->stored_ns);
	event_message_text(ev, text, sizeof(text));
	put_body(w, text);
	put_entry_attributes(w, ev);
}

/* ---- messages and notices ---------------------------------------------------------------------
 */

static void put_message(struct otlp_writer *w, const struct event_item *item)
{
	const char *time = string_in(item->record, "EventTimestamp");
	const char *text = string_in(item->record, "Message");
	struct time_written at = {0};
	uint64_t incident;

	if (time && time_text_read(time, 0, &at) == 0) {
		otlp_u64(w, OTLP_FIELD_LOG_TIME, at.first_ns);
		otlp_u64(w, OTLP_FIELD_LOG_OBSERVED, at.first_ns);
	}
	put_body(w, text ? text : "");
	if (incident_of(item, &incident))
		attribute_number(w, "cxl.incident.id", OPT_U64(incident));
	attribute_text(w, "cxl.resolution", string_in(item->record, "Resolution"));
	attribute_uri(w, "cxl.redfish.log_entry", log_entry_of(item));
}

static void put_gap(struct otlp_writer *w, uint64_t now_ns)
{
	otlp_u64(w, OTLP_FIELD_LOG_OBSERVED, now_ns);
	put_body(w,
		 "Events were overwritten in the log before they could be sent to the collector.");
}

void otlp_put_record(struct otlp_writer *w, const uint8_t uuid[static STATE_UUID_SIZE],
		     const struct event_item *item, uint64_t now_ns)
{
	char uid[OTLP_UID_MAX];

	otlp_begin(w, OTLP_FIELD_SCOPE_LOGS_RECORDS);
	otlp_u64(w, OTLP_FIELD_LOG_SEVERITY, severity_of(item));
	otlp_text(w, OTLP_FIELD_LOG_SEVERITY_TEXT, item->severity);
	put_event_name(w, item->message_id);
	if (item->entry)
		put_entry(w, item->entry);
	else if (item->record)
		put_message(w, item);
	else
		put_gap(w, now_ns);
	if (otlp_record_uid(uuid, item, uid))
		attribute_text(w, "log.record.uid", uid);
	attribute_number(w, "cxl.event.number", OPT_U64(item->seq));
	attribute_uri(w, "cxl.redfish.origin", item->origin);
	otlp_end(w);
}
