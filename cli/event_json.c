// SPDX-License-Identifier: LGPL-2.1-or-later
#include <inttypes.h>
#include <stdio.h>

#include "cli/event_list.h"
#include "events/event_extents.h"
#include "events/event_strings.h"
#include "events/event_words.h"

enum { UUID_TEXT_MAX = EVENT_UUID_TEXT_MAX };

static const char *uuid_text(const uint8_t *uuid, char text[UUID_TEXT_MAX])
{
	event_uuid_text(uuid, text);
	return text;
}

static const char *boot_text(const uint8_t *id, char text[UUID_TEXT_MAX])
{
	for (size_t i = 0; i < EVENT_BOOT_ID_SIZE; i++)
		if (id[i])
			return uuid_text(id, text);
	return NULL;
}

void event_put_time(struct json_writer *w, const char *key, struct opt_u64 ns)
{
	char text[EVENT_TIME_TEXT_MAX];

	put_string(w, key, ns.present ? event_time_text(ns, text) : NULL);
}

static const char *null_if_empty(const char *s)
{
	return s[0] ? s : NULL;
}

/* All numbers and byte arrays by the kernel's field names; unsigned numbers in hexadecimal. */
static void event_put_fields(struct json_writer *w, const struct event_record *rec)
{
	put_object(w, "fields");
	for (unsigned int i = 0; i < EVENT_FIELDS; i++) {
		const struct opt_u64 number = event_number(rec, i);

		if (!number.present)
			continue;
		if (event_field_is_signed(i))
			put_opt_int(w, event_field_name(i),
				    OPT_INT((int)event_number_signed(rec, i)));
		else
			put_hex(w, event_field_name(i), number.value);
	}
	for (unsigned int i = 0; i < EVENT_BYTES; i++) {
		char text[2 * EVENT_PAYLOAD_MAX + 1];
		size_t len;
		const uint8_t *bytes = event_bytes(rec, i, &len);

		for (size_t k = 0; bytes && k < len && k < EVENT_PAYLOAD_MAX; k++)
			(void)snprintf(text + 2 * k, 3, "%02x", bytes[k]);
		if (bytes && len)
			put_string(w, event_bytes_name(i), text);
	}
	put_end(w);
}

/* The codes and flags of `fields` in words, and all of them in one sentence. */
static void event_put_names(struct json_writer *w, const struct event_record *rec)
{
	char text[EVENT_WORDS_TEXT_MAX];

	event_words_text(rec, text);
	put_string(w, "summary", null_if_empty(text));
	put_object(w, "names");
	event_words_put_keys(w, rec);
	put_end(w);
}

/* null for events that are no records of a device's log. */
static void event_put_flags(struct json_writer *w, const struct event_record *rec)
{
	const struct event_flag *flag;
	const char *severity = event_flag_severity(rec);

	put_string(w, "record_severity", severity);
	if (!severity) {
		put_null(w, "record_flags");
		return;
	}
	put_array(w, "record_flags");
	for (size_t i = 0; (flag = event_flag_at(i)); i++)
		if (event_flags_of(rec) & flag->bit)
			put_string(w, NULL, flag->words);
	put_end(w);
}

static void event_put_record(struct json_writer *w, const struct stored_event *ev, const char *slot)
{
	const struct event_record *rec = &ev->record;
	char uuid[UUID_TEXT_MAX];

	event_put_time(w, "time", rec->wall_ns);
	put_string(w, "severity", event_severity_word(ev->severity));
	put_string(w, "type", event_type_name(rec->type));
	put_string(w, "event", rec->event);
	put_string(w, "device", null_if_empty(ev->device));
	put_string(w, "memdev", null_if_empty(rec->memdev));
	put_string(w, "host", null_if_empty(rec->host));
	put_string(w, "slot", slot);
	put_opt_hex(w, "serial", event_number(rec, FIELD_SERIAL));
	put_opt_number(w, "cpu", event_cpu(rec));
	put_format(w, "trace_time", "%" PRIu64 ".%09" PRIu64, rec->time_ns / 1000000000,
		   rec->time_ns % 1000000000);
	put_string(w, "trace_clock", null_if_empty(rec->clock));
	put_string(w, "boot_id", boot_text(ev->boot_id, uuid));
	event_put_time(w, "device_time", event_number(rec, FIELD_HDR_TIMESTAMP));
	event_put_flags(w, rec);
	if (event_type_is_loss(rec->type) || rec->type == EVENT_UNREADABLE)
		put_opt_number(w, "lost", rec->lost);
}

static void put_dpa_last(struct json_writer *w, const struct event_record *rec)
{
	struct opt_u64 dpa = event_number(rec, FIELD_DPA);

	dpa.value = event_dpa_last(dpa.value, event_number(rec, FIELD_DPA_LENGTH).value);
	dpa.present = dpa.present && !event_length_is_unknown(rec);
	put_opt_hex(w, "dpa_last", dpa);
}

void event_json_alias(struct json_writer *w, bool has, uint64_t first, uint64_t last)
{
	if (!has)
		return;
	put_object(w, "alias");
	put_hex(w, "spa", first);
	put_hex(w, "spa_last", last);
	put_end(w);
}

void event_json_extents(struct json_writer *w, const struct stored_event *ev, uint64_t page_size)
{
	static const struct event_extent_keys keys = {
		.extents = "extents",
		.dpa = "dpa",
		.dpa_last = "dpa_last",
		.spa = "spa",
		.spa_last = "spa_last",
		.exact = "exact",
		.bytes_beyond = "bytes_beyond_extents",
		.page_ranges = "page_ranges",
		.first = "first",
		.last = "last",
	};

	event_put_extents(w, ev, page_size, &keys);
}

static void event_put_address(struct json_writer *w, const struct stored_event *ev,
			      uint64_t page_size)
{
	const struct event_answer *a = &ev->answer;
	const struct event_record *rec = &ev->record;
	uint64_t alias = 0, alias_last = 0;
	const bool has_alias = event_alias_span(a, &alias, &alias_last);
	char uuid[UUID_TEXT_MAX];

	put_opt_hex(w, "dpa", event_number(rec, FIELD_DPA));
	put_dpa_last(w, rec);
	put_opt_hex(w, "spa", (struct opt_u64){.value = a->spa, .present = a->has_spa});
	put_opt_hex(w, "spa_last", (struct opt_u64){.value = a->spa_last, .present = a->has_spa});
	event_json_alias(w, has_alias, alias, alias_last);
	put_bool(w, "exact", a->exact);
	put_string(w, "source", answer_source_name(a->source));
	put_string(w, "mapping", event_answer_mapping(a));
	put_opt_hex(w, "hpa", event_number(rec, FIELD_HPA));
	put_bool(w, "hpa_disagrees", a->hpa_disagrees);
	put_string(w, "region", null_if_empty(a->region));
	put_opt_hex(w, "region_resource", a->region_resource);
	put_string(w, "region_uuid", a->has_region_uuid ? uuid_text(a->region_uuid, uuid) : NULL);
	put_opt_int(w, "numa_node", a->numa_node);
	put_string(w, "dax", null_if_empty(a->dax));
	put_string(w, "reason", null_if_empty(a->reason));
	event_json_extents(w, ev, page_size);
}

void event_json(struct json_writer *w, const struct stored_event *ev, uint64_t page_size,
		const char *slot)
{
	put_object(w, NULL);
	put_opt_number(w, "entry", (struct opt_u64){.value = ev->seq, .present = ev->seq != 0});
	event_put_record(w, ev, slot);
	event_put_address(w, ev, page_size);
	put_bool(w, "resolved", ev->resolved);
	event_put_fields(w, &ev->record);
	event_put_names(w, &ev->record);
	put_string(w, "other_fields", null_if_empty(ev->record.other_fields));
	put_end(w);
}
