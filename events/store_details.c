// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The row of `details`: all that is known of an event, and what tells it from others.
#include <string.h>

#include "common/strutil.h"
#include "events/store_private.h"

void details_bind_answer(struct sql_binder *b, const struct event_answer *a)
{
	sql_bind_text(b, answer_source_name(a->source)); /* NULL for none */
	sql_bind_int(b, a->exact);
	sql_bind_opt(b, (struct opt_u64){.value = a->spa, .present = a->has_spa});
	sql_bind_opt(b, (struct opt_u64){.value = a->spa_last, .present = a->has_spa});
	sql_bind_int(b, a->hpa_disagrees);
	sql_bind_text(b, a->reason);
	sql_bind_text(b, a->region);
	sql_bind_opt(b, a->region_resource);
	sql_bind_blob(b, a->has_region_uuid ? a->region_uuid : NULL, EVENT_UUID_SIZE);
	sql_bind_opt(b, (struct opt_u64){.value = (uint64_t)(int64_t)a->numa_node.value,
					 .present = a->numa_node.present});
	sql_bind_text(b, a->dax);
}

static void bind_record(struct sql_binder *b, const struct event_record *rec,
			struct details_text *text)
{
	sql_bind_text(b, rec->event);
	sql_bind_int(b, rec->cpu);
	sql_bind_u64(b, rec->time_ns);
	sql_bind_int(b, rec->repeat);
	sql_bind_text(b, rec->clock);
	sql_bind_opt(b, rec->wall_ns);
	sql_bind_text(b, rec->memdev);
	sql_bind_text(b, rec->host);
	sql_bind_text(b, rec->region);
	fields_print(rec, text->fields);
	sql_bind_text(b, text->fields);
	sql_bind_blob(b, rec->payload, rec->payload_len);
	sql_bind_int(b, rec->payload_whole);
	sql_bind_opt(b, rec->lost);
	sql_bind_text(b, rec->other_fields);
}

void details_bind(struct sql_binder *b, const struct stored_event *event, struct details_text *text)
{
	sql_bind_u64(b, event->stored_ns);
	sql_bind_text(b, event->device);
	sql_bind_text(b, event_type_name(event->record.type));
	sql_bind_int(b, event->severity);
	sql_bind_int(b, details_log(&event->record));
	sql_bind_int(b, event->resolved);
	sql_bind_blob(b, event->boot_id, EVENT_BOOT_ID_SIZE);
	bind_record(b, &event->record, text);
	details_bind_answer(b, &event->answer);
}

enum event_type details_type(const char *name)
{
	for (unsigned int i = 0; i < EVENT_TYPES; i++)
		if (str_equal(event_type_name(i), name))
			return i;
	return EVENT_OTHER;
}

int details_log(const struct event_record *rec)
{
	struct opt_u64 log = event_number(rec, FIELD_LOG);

	return log.present && log.value < EVENT_NO_LOG ? (int)log.value : EVENT_NO_LOG;
}

enum event_severity details_severity(int64_t number)
{
	return number < EVENT_OK || number > EVENT_CRITICAL ? EVENT_CRITICAL
							    : (enum event_severity)number;
}

static enum answer_source source_of(const char *name)
{
	for (unsigned int i = SOURCE_NONE + 1; i <= SOURCE_ESTIMATE; i++)
		if (str_equal(answer_source_name(i), name))
			return i;
	return SOURCE_NONE;
}

static void read_record(struct sql_row *c, struct event_record *ret)
{
	char fields[FIELDS_TEXT_MAX];

	sql_row_text(c, ret->event, sizeof(ret->event));
	ret->cpu = (unsigned int)sql_row_u64(c);
	ret->time_ns = sql_row_u64(c);
	ret->repeat = (unsigned int)sql_row_u64(c);
	sql_row_text(c, ret->clock, sizeof(ret->clock));
	ret->wall_ns = sql_row_opt(c);
	sql_row_text(c, ret->memdev, sizeof(ret->memdev));
	sql_row_text(c, ret->host, sizeof(ret->host));
	sql_row_text(c, ret->region, sizeof(ret->region));
	sql_row_text(c, fields, sizeof(fields));
	ret->payload_len = (uint16_t)sql_row_blob(c, ret->payload, sizeof(ret->payload));
	ret->payload_whole = (uint16_t)sql_row_u64(c);
	ret->lost = sql_row_opt(c);
	sql_row_text(c, ret->other_fields, sizeof(ret->other_fields));
	fields_parse(fields, ret);
}

static void read_answer(struct sql_row *c, struct event_answer *ret)
{
	struct opt_u64 spa, spa_last, node;
	char source[16];

	sql_row_text(c, source, sizeof(source));
	ret->source = source_of(source);
	ret->exact = sql_row_int(c) != 0;
	spa = sql_row_opt(c);
	spa_last = sql_row_opt(c);
	ret->has_spa = spa.present && spa_last.present;
	ret->spa = spa.value;
	ret->spa_last = spa_last.value;
	ret->hpa_disagrees = sql_row_int(c) != 0;
	sql_row_text(c, ret->reason, sizeof(ret->reason));
	sql_row_text(c, ret->region, sizeof(ret->region));
	ret->region_resource = sql_row_opt(c);
	ret->has_region_uuid =
		sql_row_blob(c, ret->region_uuid, EVENT_UUID_SIZE) == EVENT_UUID_SIZE;
	node = sql_row_opt(c);
	ret->numa_node = (struct opt_int){.value = (int)node.value, .present = node.present};
	sql_row_text(c, ret->dax, sizeof(ret->dax));
}

void details_read(struct sql_row *c, struct stored_event *ret)
{
	char type[32];

	ret->stored_ns = sql_row_u64(c);
	sql_row_text(c, ret->device, sizeof(ret->device));
	sql_row_text(c, type, sizeof(type));
	ret->record.type = details_type(type);
	ret->severity = details_severity(sql_row_int(c));
	c->at++; /* the log is among the fields */
	ret->resolved = sql_row_int(c) != 0;
	(void)sql_row_blob(c, ret->boot_id, sizeof(ret->boot_id));
	read_record(c, &ret->record);
	read_answer(c, &ret->answer);
	ret->outcome = STORE_FINAL;
}

/* Big-endian, so that what is told apart by time stands in the index in order of time. */
static uint8_t *put_be(uint8_t *at, uint64_t value, int size)
{
	for (int i = size - 1; i >= 0; i--)
		*at++ = (uint8_t)(value >> (8 * i));
	return at;
}

size_t details_identity(const struct stored_event *event, uint8_t ret[static IDENTITY_MAX])
{
	const struct event_record *rec = &event->record;
	struct opt_u64 time = event_number(rec, FIELD_HDR_TIMESTAMP);
	struct opt_u64 serial = event_number(rec, FIELD_SERIAL), log = event_number(rec, FIELD_LOG);
	struct opt_u64 handle = event_number(rec, FIELD_HDR_HANDLE);
	size_t len;
	const uint8_t *uuid = event_bytes(rec, BYTES_HDR_UUID, &len);
	uint8_t *at = ret;

	if (time.present && time.value && serial.present && log.present && handle.present && uuid &&
	    len == EVENT_UUID_SIZE) {
		*at++ = 'D'; /* the device's own numbering */
		at = put_be(at, time.value, 8);
		at = put_be(at, serial.value, 8);
		at = put_be(at, log.value, 4);
		at = put_be(at, handle.value, 2);
		memcpy(at, uuid, EVENT_UUID_SIZE);
		return (size_t)(at - ret) + EVENT_UUID_SIZE;
	}
	*at++ = 'T'; /* the trace ring's */
	memcpy(at, event->boot_id, EVENT_BOOT_ID_SIZE);
	at = put_be(at + EVENT_BOOT_ID_SIZE, rec->time_ns, 8);
	at = put_be(at, rec->cpu, 4);
	at = put_be(at, rec->repeat, 4);
	len = strnlen(rec->event, sizeof(rec->event));
	memcpy(at, rec->event, len);
	return (size_t)(at - ret) + len;
}
_Static_assert(1 + EVENT_BOOT_ID_SIZE + 16 + EVENT_NAME_MAX <= IDENTITY_MAX, "both forms fit");
