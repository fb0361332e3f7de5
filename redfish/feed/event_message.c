// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/feed/event_message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_advice.h"
#include "events/event_words.h"
#include "redfish/core/registry.h"
#include "redfish/core/fabric_links.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"

enum { ARG_MAX_LEN = 256 };

struct arguments {
	char text[REGISTRY_ARGS_MAX][ARG_MAX_LEN];
	size_t n;
};

static enum registry_message message_of(const struct stored_event *ev)
{
	return REGISTRY_GENERAL_MEDIA_EVENT + (unsigned int)event_type_now(&ev->record);
}

const char *event_message_id(const struct stored_event *ev)
{
	return registry_message_id(message_of(ev));
}

const char *event_type_key(enum event_type type)
{
	return registry_key(REGISTRY_GENERAL_MEDIA_EVENT + (unsigned int)type);
}

const char *event_severity_name(enum event_severity severity)
{
	return health_name((enum health_level)severity);
}

/* ---- arguments: "unknown" if not known -------------------------------------------------
 */

static char *next_argument(struct arguments *a)
{
	return a->text[a->n++];
}

static void add_text(struct arguments *a, const char *text)
{
	(void)snprintf(next_argument(a), ARG_MAX_LEN, "%.*s", ARG_MAX_LEN - 1,
		       text && text[0] ? text : "unknown");
}

static void add_hex(struct arguments *a, struct opt_u64 value)
{
	char text[ARG_MAX_LEN];

	(void)snprintf(text, sizeof(text), "0x%" PRIx64, value.value);
	add_text(a, value.present ? text : NULL);
}

static void add_number(struct arguments *a, struct opt_u64 value)
{
	char text[ARG_MAX_LEN];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value.value);
	add_text(a, value.present ? text : NULL);
}

/* "cxl-000000000000abc0 (mem2, 0000:0d:00.0)": as the resource, and as the kernel named it then. */
static void add_device(struct arguments *a, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	const char *id = ev->device[0] ? ev->device : rec->memdev;
	const char *name = ev->device[0] ? rec->memdev : "";
	const char *gap = name[0] && rec->host[0] ? ", " : "";
	char text[ARG_MAX_LEN];

	if (!id[0] || (!name[0] && !rec->host[0])) {
		add_text(a, id);
		return;
	}
	(void)snprintf(text, sizeof(text), "%.80s (%.64s%s%.64s)", id, name, gap, rec->host);
	add_text(a, text);
}

static void add_spa(struct arguments *a, const struct event_answer *answer)
{
	char text[ARG_MAX_LEN];

	if (answer->spa == answer->spa_last)
		(void)snprintf(text, sizeof(text), "0x%" PRIx64, answer->spa);
	else
		(void)snprintf(text, sizeof(text), "0x%" PRIx64 "-0x%" PRIx64, answer->spa,
			       answer->spa_last);
	add_text(a, answer->has_spa ? text : NULL);
}

const char *event_log_name(const struct stored_event *ev)
{
	return event_log_number_name(event_number(&ev->record, FIELD_LOG));
}

static void add_poison(struct arguments *a, const struct event_record *rec)
{
	char words[EVENT_WORDS_TEXT_MAX], text[ARG_MAX_LEN];

	event_words_without_log(rec, words);
	(void)snprintf(text, sizeof(text), "%.200s", words[0] ? words : "unknown");
	add_text(a, text);
}

/* Adds the record's contents in words. */
static void add_words(struct arguments *a, const struct event_record *rec)
{
	char text[EVENT_WORDS_TEXT_MAX];

	event_words_without_log(rec, text);
	add_text(a, text);
}

static void add_place(struct arguments *a, const struct event_record *rec)
{
	char text[ARG_MAX_LEN];

	if (event_cpu(rec).present)
		(void)snprintf(text, sizeof(text), "the trace ring of CPU %u", rec->cpu);
	else
		(void)snprintf(text, sizeof(text), "the %.32s of the service", rec->event);
	add_text(a, text);
}

/* EVENT_UNREADABLE has none. */
static void add_cpu(struct arguments *a, const struct event_record *rec)
{
	if (rec->type == EVENT_LOST_AT_END)
		add_number(a, event_cpu(rec));
}

static void add_memory(struct arguments *a, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;

	add_device(a, ev);
	add_hex(a, event_number(rec, FIELD_DPA));
	add_spa(a, &ev->answer);
	if (rec->type == EVENT_POISON) {
		add_poison(a, rec);
	} else if (rec->type != EVENT_POISON_CLEARED) {
		add_text(a, event_log_name(ev));
		add_words(a, rec);
	}
}

static void add_arguments(struct arguments *a, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	char uuid[EVENT_UUID_TEXT_MAX];

	switch (rec->type) {
	case EVENT_GENERAL_MEDIA:
	case EVENT_DRAM:
	case EVENT_POISON:
	case EVENT_POISON_CLEARED:
		add_memory(a, ev);
		break;
	case EVENT_MEMORY_MODULE:
	case EVENT_MEMORY_SPARING:
		add_device(a, ev);
		add_text(a, event_log_name(ev));
		add_words(a, rec);
		break;
	case EVENT_GENERIC:
		add_device(a, ev);
		add_text(a, event_uuid(rec, BYTES_HDR_UUID, uuid) ? uuid : NULL);
		add_text(a, event_log_name(ev));
		break;
	case EVENT_OVERFLOW:
		add_device(a, ev);
		add_text(a, event_log_name(ev));
		add_number(a, event_number(rec, FIELD_COUNT));
		break;
	case EVENT_AER_CORRECTABLE:
	case EVENT_AER_UNCORRECTABLE:
		add_device(a, ev);
		add_hex(a, event_number(rec, FIELD_STATUS));
		add_words(a, rec);
		break;
	case EVENT_PORT_AER_CORRECTABLE:
	case EVENT_PORT_AER_UNCORRECTABLE:
		add_text(a, rec->memdev);
		add_hex(a, event_number(rec, FIELD_STATUS));
		add_words(a, rec);
		break;
	case EVENT_OTHER:
		add_text(a, rec->event);
		add_device(a, ev);
		break;
	case EVENT_LOST:
		add_place(a, rec);
		add_number(a, rec->lost);
		break;
	case EVENT_LOST_AT_END:
	case EVENT_UNREADABLE:
		add_number(a, rec->lost);
		add_cpu(a, rec);
		break;
	}
}

static void put_resolution(struct json_writer *w, const struct stored_event *ev)
{
	char text[EVENT_ADVICE_MAX];
	const char *advice = event_advice(&ev->record, text, NULL);

	put_string(w, "Resolution", advice ? advice : registry_resolution(message_of(ev)));
}

/* @args: refer to @a */
static void take_arguments(const struct stored_event *ev, struct arguments *a,
			   const char *args[static REGISTRY_ARGS_MAX])
{
	*a = (struct arguments){0};
	add_arguments(a, ev);
	for (size_t i = 0; i < REGISTRY_ARGS_MAX; i++)
		args[i] = a->text[i];
}

void event_message_text(const struct stored_event *ev, char *text, size_t size)
{
	const char *args[REGISTRY_ARGS_MAX];
	struct arguments a;

	take_arguments(ev, &a, args);
	message_text(text, size, registry_text(message_of(ev)), args);
}

void put_event_message(struct json_writer *w, const struct stored_event *ev)
{
	const char *args[REGISTRY_ARGS_MAX];
	struct arguments a;

	take_arguments(ev, &a, args);
	put_registry_message(message_of(ev), args, w);
	put_resolution(w, ev);
}

/* ---- related resources --------------------------------------------------------------------------
 */

void event_entry_uri(uint64_t seq, char ret[static RESOURCE_URI_MAX])
{
	(void)snprintf(ret, RESOURCE_URI_MAX, URI_HOST_LOG "/Entries/%" PRIu64, seq);
}

/* Return: the URI as the view has it, NULL when the resource does not exist. */
static const char *uri_in(const struct view *v, const char *uri)
{
	const struct resource *r = resource_find(v->index, uri);

	return r ? r->uri : NULL;
}

static bool is_port(const struct fabric_port *p, const char *bdf)
{
	return p->pci && str_equal(p->pci->bdf, bdf);
}

/* The port of a host bridge or of a switch that is this PCI function. */
static const struct fabric_port *port_of(const struct fabric *f, const char *bdf)
{
	for (const struct fabric_item *i = f->bridges.first; i; i = i->next) {
		const struct fabric_bridge *b = i->object;

		for (size_t k = 0; k < b->n_ports; k++)
			if (is_port(&b->ports[k], bdf))
				return &b->ports[k];
	}
	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (is_port(&sw->up, bdf))
			return &sw->up;
		for (size_t k = 0; k < sw->n_down; k++)
			if (is_port(&sw->down[k], bdf))
				return &sw->down[k];
	}
	return NULL;
}

const char *event_origin(const struct view *v, const struct stored_event *ev)
{
	const enum event_type type = ev->record.type;
	char uri[RESOURCE_URI_MAX];

	if (ev->device[0]) {
		(void)snprintf(uri, sizeof(uri), URI_MEMORY, ev->device);
		return uri_in(v, uri);
	}
	if (type == EVENT_PORT_AER_CORRECTABLE || type == EVENT_PORT_AER_UNCORRECTABLE) {
		const struct fabric_port *p = port_of(v->fabric, ev->record.memdev);

		if (!p)
			return NULL;
		port_uri(p, uri);
		return uri_in(v, uri);
	}
	return NULL;
}

static bool same_uuid(const struct region *region, const struct event_answer *a)
{
	char text[EVENT_UUID_TEXT_MAX];

	if (!a->has_region_uuid || !region->uuid)
		return !a->has_region_uuid && !region->uuid;
	event_uuid_text(a->region_uuid, text);
	return str_equal(region->uuid, text);
}

static const struct region *region_of_event(const struct view *v, const struct event_answer *a)
{
	const struct region *region = host_region(v->host, a->region);

	if (!region || !a->region_resource.present ||
	    !opt_u64_is(region->resource, a->region_resource.value) || !same_uuid(region, a))
		return NULL;
	return region;
}

/* Return: what decoders map at the address of an event, if they did so then. */
static const struct region *derived_of_event(const struct view *v, const struct event_answer *a)
{
	if (!event_answer_mapping(a))
		return NULL;
	for (size_t i = 0; i < v->host->n_derived; i++) {
		const struct region *m = v->host->derived[i];

		if (a->spa >= m->resource.value && a->spa - m->resource.value < m->size.value)
			return m;
	}
	return NULL;
}

const char *event_chunks(const struct view *v, const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
			 const struct stored_event *ev)
{
	static const uint8_t unknown[EVENT_BOOT_ID_SIZE];
	const struct event_answer *a = &ev->answer;
	const struct region *region;
	char uri[RESOURCE_URI_MAX];

	if (memcmp(ev->boot_id, unknown, sizeof(unknown)) == 0 ||
	    memcmp(ev->boot_id, boot_id, sizeof(unknown)) != 0)
		return NULL;
	region = a->region[0] ? region_of_event(v, a) : derived_of_event(v, a);
	if (!region || !region->root)
		return NULL;
	(void)snprintf(uri, sizeof(uri), URI_MEMORY_CHUNKS, region->root->id, region->id);
	return uri_in(v, uri);
}
