// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How values of each C type are bound and read.
#include <stdio.h>

#include "common/strutil.h"
#include "events/event_extents.h"
#include "events/store_columns_private.h"
#include "events/store_fields.h"

#define MEMBER(type, ev, column)      ((const type *)((const char *)(ev) + (column)->offset))
#define RET_MEMBER(type, ret, column) ((type *)((char *)(ret) + (column)->offset))
#define BIND_ARGUMENTS                                                                             \
	struct sql_binder *b, const struct stored_event *ev, const struct store_column *column
#define READ_ARGUMENTS                                                                             \
	struct sql_row *row, struct stored_event *ret, const struct store_column *column

static void bind_number(BIND_ARGUMENTS)
{
	sql_bind_u64(b, *MEMBER(uint64_t, ev, column));
}

static void read_number(READ_ARGUMENTS)
{
	*RET_MEMBER(uint64_t, ret, column) = sql_row_u64(row);
}

const struct store_column_kind kind_number = {"INTEGER NOT NULL", "0", bind_number, read_number};

static void bind_uint(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(unsigned int, ev, column));
}

static void read_uint(READ_ARGUMENTS)
{
	*RET_MEMBER(unsigned int, ret, column) = (unsigned int)sql_row_u64(row);
}

const struct store_column_kind kind_uint = {"INTEGER NOT NULL", "0", bind_uint, read_uint};

static void bind_u16(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(uint16_t, ev, column));
}

static void read_u16(READ_ARGUMENTS)
{
	*RET_MEMBER(uint16_t, ret, column) = (uint16_t)sql_row_u64(row);
}

const struct store_column_kind kind_number16 = {"INTEGER NOT NULL", "0", bind_u16, read_u16};

static void bind_flag(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(bool, ev, column));
}

static void read_flag(READ_ARGUMENTS)
{
	*RET_MEMBER(bool, ret, column) = sql_row_int(row) != 0;
}

const struct store_column_kind kind_flag = {"INTEGER NOT NULL", "0", bind_flag, read_flag};

static void bind_optional(BIND_ARGUMENTS)
{
	sql_bind_opt(b, *MEMBER(struct opt_u64, ev, column));
}

static void read_optional(READ_ARGUMENTS)
{
	*RET_MEMBER(struct opt_u64, ret, column) = sql_row_opt(row);
}

const struct store_column_kind kind_optional = {"INTEGER", NULL, bind_optional, read_optional};

static void bind_optional_int(BIND_ARGUMENTS)
{
	struct opt_int value = *MEMBER(struct opt_int, ev, column);

	sql_bind_opt(b, (struct opt_u64){.value = (uint64_t)(int64_t)value.value,
					 .present = value.present});
}

static void read_optional_int(READ_ARGUMENTS)
{
	struct opt_u64 value = sql_row_opt(row);

	*RET_MEMBER(struct opt_int, ret, column) =
		(struct opt_int){.value = (int)value.value, .present = value.present};
}

const struct store_column_kind kind_optional_int = {"INTEGER", NULL, bind_optional_int,
						    read_optional_int};

static void bind_text(BIND_ARGUMENTS)
{
	sql_bind_text(b, MEMBER(char, ev, column));
}

static void read_text(READ_ARGUMENTS)
{
	sql_row_text(row, RET_MEMBER(char, ret, column), column->size);
}

const struct store_column_kind kind_text = {"TEXT NOT NULL", "''", bind_text, read_text};

static void bind_bytes(BIND_ARGUMENTS)
{
	sql_bind_blob(b, MEMBER(uint8_t, ev, column), column->size);
}

static void read_bytes(READ_ARGUMENTS)
{
	(void)sql_row_blob(row, RET_MEMBER(uint8_t, ret, column), column->size);
}

const struct store_column_kind kind_bytes = {"BLOB NOT NULL", "x''", bind_bytes, read_bytes};

/* Enumerations by their names, because their order may change while files exist. */
static void bind_type(BIND_ARGUMENTS)
{
	sql_bind_text(b, event_type_name(*MEMBER(enum event_type, ev, column)));
}

static void read_type(READ_ARGUMENTS)
{
	char name[32];

	sql_row_text(row, name, sizeof(name));
	*RET_MEMBER(enum event_type, ret, column) = event_type_of_name(name);
}

const struct store_column_kind kind_type_name = {"TEXT NOT NULL", "''", bind_type, read_type};

static void bind_source(BIND_ARGUMENTS)
{
	sql_bind_text(b, answer_source_name(*MEMBER(enum answer_source, ev, column)));
}

static void read_source(READ_ARGUMENTS)
{
	char name[16];

	sql_row_text(row, name, sizeof(name));
	*RET_MEMBER(enum answer_source, ret, column) = SOURCE_NONE;
	for (unsigned int i = SOURCE_NONE + 1; i <= SOURCE_ESTIMATE; i++)
		if (str_equal(answer_source_name(i), name))
			*RET_MEMBER(enum answer_source, ret, column) = i;
}

const struct store_column_kind kind_source_name = {"TEXT", NULL, bind_source, read_source};

static void bind_severity(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(enum event_severity, ev, column));
}

static void read_severity(READ_ARGUMENTS)
{
	int64_t value = sql_row_int(row);

	*RET_MEMBER(enum event_severity, ret, column) = value < EVENT_OK || value > EVENT_CRITICAL
								? EVENT_CRITICAL
								: (enum event_severity)value;
}

const struct store_column_kind kind_severity = {"INTEGER NOT NULL", "0", bind_severity,
						read_severity};

/* The log is one of the record's numbers, which are all in `fields`; it has a column of its own for
 * the groups. */
unsigned int store_log_of(const struct stored_event *ev)
{
	struct opt_u64 log = event_number(&ev->record, FIELD_LOG);

	/* Whether a field of that name is a log is not known of other events. */
	return log.present && log.value < EVENT_NO_LOG && ev->record.type != EVENT_OTHER
		       ? (unsigned int)log.value
		       : EVENT_NO_LOG;
}

void store_set_log(struct stored_event *ev, unsigned int log)
{
	if (log >= EVENT_NO_LOG)
		return;
	ev->record.number[FIELD_LOG] = log;
	ev->record.present |= UINT64_C(1) << FIELD_LOG;
}

static void bind_log(BIND_ARGUMENTS)
{
	(void)column;
	sql_bind_int(b, store_log_of(ev));
}

static void read_log(READ_ARGUMENTS)
{
	int64_t value = sql_row_int(row);

	(void)column;
	if (value >= 0)
		store_set_log(ret, value < EVENT_NO_LOG ? (unsigned int)value : EVENT_NO_LOG);
}

const struct store_column_kind kind_log_number = {"INTEGER NOT NULL", "4", bind_log, read_log};

/* The record's numbers, and where its byte arrays are in the payload, see store_fields.c. */
static void bind_fields(BIND_ARGUMENTS)
{
	char buffer[FIELDS_TEXT_MAX];

	(void)column;
	fields_print(&ev->record, buffer);
	sql_bind_text_copy(b, buffer);
}

static void read_fields(READ_ARGUMENTS)
{
	char buffer[FIELDS_TEXT_MAX];

	(void)column;
	sql_row_text(row, buffer, sizeof(buffer));
	fields_parse(buffer, &ret->record);
}

const struct store_column_kind kind_fields = {"TEXT NOT NULL", "''", bind_fields, read_fields};

static void bind_payload(BIND_ARGUMENTS)
{
	(void)column;
	sql_bind_blob(b, ev->record.payload, ev->record.payload_len);
}

static void read_payload(READ_ARGUMENTS)
{
	struct event_record *rec = &ret->record;

	(void)column;
	rec->payload_len = (uint16_t)sql_row_blob(row, rec->payload, sizeof(rec->payload));
	/* `fields` was read before. */
	for (unsigned int i = 0; i < EVENT_BYTES; i++)
		if (rec->bytes[i].at + rec->bytes[i].len > rec->payload_len)
			rec->bytes[i].at = rec->bytes[i].len = 0;
}

const struct store_column_kind kind_payload = {"BLOB", NULL, bind_payload, read_payload};

/* Both ends of an interval; the last one decides whether there is one. */
static void bind_spa(BIND_ARGUMENTS)
{
	sql_bind_opt(b, (struct opt_u64){.value = *MEMBER(uint64_t, ev, column),
					 .present = ev->answer.has_spa});
}

static void read_spa(READ_ARGUMENTS)
{
	struct opt_u64 value = sql_row_opt(row);

	*RET_MEMBER(uint64_t, ret, column) = value.value;
	ret->answer.has_spa = value.present;
}

const struct store_column_kind kind_spa_first = {"INTEGER", NULL, bind_spa, read_spa};

static void read_spa_last(READ_ARGUMENTS)
{
	bool has_first = ret->answer.has_spa;

	read_spa(row, ret, column);
	ret->answer.has_spa = ret->answer.has_spa && has_first;
}

const struct store_column_kind kind_spa_last = {"INTEGER", NULL, bind_spa, read_spa_last};

static void bind_uuid(BIND_ARGUMENTS)
{
	sql_bind_blob(b, ev->answer.has_region_uuid ? MEMBER(uint8_t, ev, column) : NULL,
		      column->size);
}

static void read_uuid(READ_ARGUMENTS)
{
	size_t len = sql_row_blob(row, RET_MEMBER(uint8_t, ret, column), column->size);

	ret->answer.has_region_uuid = len == column->size;
}

const struct store_column_kind kind_region_uuid = {"BLOB", NULL, bind_uuid, read_uuid};

static void bind_extents(BIND_ARGUMENTS)
{
	char text[EVENT_EXTENTS_TEXT_MAX];

	(void)column;
	event_extents_print(&ev->answer, text);
	sql_bind_text_copy(b, text);
}

static void read_extents(READ_ARGUMENTS)
{
	char text[EVENT_EXTENTS_TEXT_MAX];

	(void)column;
	sql_row_text(row, text, sizeof(text));
	event_extents_parse(text, &ret->answer);
}

const struct store_column_kind kind_extents = {"TEXT NOT NULL", "''", bind_extents, read_extents};
