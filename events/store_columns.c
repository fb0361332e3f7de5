// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_columns.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/store_private.h"

/* ---- kinds: how values are bound and read -----------------------------------------------------
 */

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

static const struct store_column_kind kind_number = {"INTEGER NOT NULL", "0", bind_number,
						     read_number};

static void bind_uint(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(unsigned int, ev, column));
}

static void read_uint(READ_ARGUMENTS)
{
	*RET_MEMBER(unsigned int, ret, column) = (unsigned int)sql_row_u64(row);
}

static const struct store_column_kind kind_uint = {"INTEGER NOT NULL", "0", bind_uint, read_uint};

static void bind_u16(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(uint16_t, ev, column));
}

static void read_u16(READ_ARGUMENTS)
{
	*RET_MEMBER(uint16_t, ret, column) = (uint16_t)sql_row_u64(row);
}

static const struct store_column_kind kind_number16 = {"INTEGER NOT NULL", "0", bind_u16, read_u16};

static void bind_flag(BIND_ARGUMENTS)
{
	sql_bind_int(b, *MEMBER(bool, ev, column));
}

static void read_flag(READ_ARGUMENTS)
{
	*RET_MEMBER(bool, ret, column) = sql_row_int(row) != 0;
}

static const struct store_column_kind kind_flag = {"INTEGER NOT NULL", "0", bind_flag, read_flag};

static void bind_optional(BIND_ARGUMENTS)
{
	sql_bind_opt(b, *MEMBER(struct opt_u64, ev, column));
}

static void read_optional(READ_ARGUMENTS)
{
	*RET_MEMBER(struct opt_u64, ret, column) = sql_row_opt(row);
}

static const struct store_column_kind kind_optional = {"INTEGER", NULL, bind_optional,
						       read_optional};

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

static const struct store_column_kind kind_optional_int = {"INTEGER", NULL, bind_optional_int,
							   read_optional_int};

static void bind_text(BIND_ARGUMENTS)
{
	sql_bind_text(b, MEMBER(char, ev, column));
}

static void read_text(READ_ARGUMENTS)
{
	sql_row_text(row, RET_MEMBER(char, ret, column), column->size);
}

static const struct store_column_kind kind_text = {"TEXT NOT NULL", "''", bind_text, read_text};

static void bind_bytes(BIND_ARGUMENTS)
{
	sql_bind_blob(b, MEMBER(uint8_t, ev, column), column->size);
}

static void read_bytes(READ_ARGUMENTS)
{
	(void)sql_row_blob(row, RET_MEMBER(uint8_t, ret, column), column->size);
}

static const struct store_column_kind kind_bytes = {"BLOB NOT NULL", "x''", bind_bytes, read_bytes};

/* Enumerations by their names, because files outlive the order of ours. */
static void bind_type(BIND_ARGUMENTS)
{
	sql_bind_text(b, event_type_name(*MEMBER(enum event_type, ev, column)));
}

static void read_type(READ_ARGUMENTS)
{
	char name[32];

	sql_row_text(row, name, sizeof(name));
	*RET_MEMBER(enum event_type, ret, column) = EVENT_OTHER;
	for (unsigned int i = 0; i < EVENT_TYPES; i++)
		if (str_equal(event_type_name(i), name))
			*RET_MEMBER(enum event_type, ret, column) = i;
}

static const struct store_column_kind kind_type_name = {"TEXT NOT NULL", "''", bind_type,
							read_type};

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

static const struct store_column_kind kind_source_name = {"TEXT", NULL, bind_source, read_source};

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

static const struct store_column_kind kind_severity = {"INTEGER NOT NULL", "0", bind_severity,
						       read_severity};

/* One of the record's numbers, which are all in `fields`; of its own for the groups. */
static unsigned int log_of(const struct stored_event *ev)
{
	struct opt_u64 log = event_number(&ev->record, FIELD_LOG);

	return log.present && log.value < EVENT_NO_LOG ? (unsigned int)log.value : EVENT_NO_LOG;
}

static void bind_log(BIND_ARGUMENTS)
{
	(void)column;
	sql_bind_int(b, log_of(ev));
}

static void read_log(READ_ARGUMENTS)
{
	int64_t value = sql_row_int(row);

	(void)column;
	if (value < 0 || value >= EVENT_NO_LOG)
		return;
	ret->record.number[FIELD_LOG] = (uint64_t)value;
	ret->record.present |= UINT64_C(1) << FIELD_LOG;
}

static const struct store_column_kind kind_log_number = {"INTEGER NOT NULL", "4", bind_log,
							 read_log};

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

static const struct store_column_kind kind_fields = {"TEXT NOT NULL", "''", bind_fields,
						     read_fields};

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

static const struct store_column_kind kind_payload = {"BLOB", NULL, bind_payload, read_payload};

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

static const struct store_column_kind kind_spa_first = {"INTEGER", NULL, bind_spa, read_spa};

static void read_spa_last(READ_ARGUMENTS)
{
	bool has_first = ret->answer.has_spa;

	read_spa(row, ret, column);
	ret->answer.has_spa = ret->answer.has_spa && has_first;
}

static const struct store_column_kind kind_spa_last = {"INTEGER", NULL, bind_spa, read_spa_last};

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

static const struct store_column_kind kind_region_uuid = {"BLOB", NULL, bind_uuid, read_uuid};

/* ---- the table --------------------------------------------------------------------------------
 */

static unsigned int severity_of(const struct stored_event *ev)
{
	return ev->severity;
}

static unsigned int type_of(const struct stored_event *ev)
{
	return ev->record.type;
}

static void select_wall(struct event_filter *f, uint64_t first, uint64_t last)
{
	f->created_first = OPT_U64(first);
	f->created_last = OPT_U64(last);
}

static void select_spa(struct event_filter *f, uint64_t first, uint64_t last)
{
	f->has_spa = true;
	f->spa_first = first;
	f->spa_last = last;
}

static const struct store_column_filter by_type = {
	.n_values = EVENT_TYPES,
	.offset = offsetof(struct event_filter, types),
	.value = type_of,
};
static const struct store_column_filter by_severity = {
	.n_values = EVENT_SEVERITIES,
	.offset = offsetof(struct event_filter, severities),
	.value = severity_of,
};
static const struct store_column_filter by_log = {
	.n_values = EVENT_NO_LOG + 1,
	.offset = offsetof(struct event_filter, logs),
	.value = log_of,
};
static const struct store_column_filter by_wall = {.select_range = select_wall};
static const struct store_column_filter by_spa = {.select_range = select_spa};

#define COLUMN(name, kind, member, ...)                                                            \
	{                                                                                          \
		name, &kind, offsetof(struct stored_event, member),                                \
			sizeof(((struct stored_event *)NULL)->member), __VA_ARGS__                 \
	}
#define GROUP (COLUMN_GROUP | COLUMN_ENTRY)

/* In the order of the file: version 1 first; new columns are added at the end. */
const struct store_column store_columns[] = {
	COLUMN("stored", kind_number, stored_ns, COLUMN_ENTRY, 1),
	COLUMN("device", kind_text, device, GROUP, 1),
	COLUMN("type", kind_type_name, record.type, GROUP, 1, &by_type),
	COLUMN("severity", kind_severity, severity, GROUP, 1, &by_severity),
	COLUMN("log", kind_log_number, record.number, GROUP, 1, &by_log),
	COLUMN("resolved", kind_flag, resolved, COLUMN_ENTRY, 1),
	COLUMN("boot_id", kind_bytes, boot_id, 0, 1),
	COLUMN("event", kind_text, record.event, 0, 1),
	COLUMN("cpu", kind_uint, record.cpu, 0, 1),
	COLUMN("time", kind_number, record.time_ns, 0, 1),
	COLUMN("repeat", kind_uint, record.repeat, 0, 1),
	COLUMN("clock", kind_text, record.clock, 0, 1),
	COLUMN("wall", kind_optional, record.wall_ns, COLUMN_ENTRY, 1, &by_wall),
	COLUMN("memdev", kind_text, record.memdev, 0, 1),
	COLUMN("host", kind_text, record.host, 0, 1),
	COLUMN("region", kind_text, record.region, 0, 1),
	COLUMN("fields", kind_fields, record, 0, 1),
	COLUMN("payload", kind_payload, record.payload, 0, 1),
	COLUMN("payload_whole", kind_number16, record.payload_whole, 0, 1),
	COLUMN("lost", kind_optional, record.lost, 0, 1),
	COLUMN("other_fields", kind_text, record.other_fields, 0, 1),
	COLUMN("source", kind_source_name, answer.source, COLUMN_ANSWER, 1),
	COLUMN("exact", kind_flag, answer.exact, COLUMN_ANSWER, 1),
	COLUMN("spa", kind_spa_first, answer.spa, COLUMN_ANSWER | COLUMN_ENTRY, 1, &by_spa),
	COLUMN("spa_last", kind_spa_last, answer.spa_last, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("hpa_disagrees", kind_flag, answer.hpa_disagrees, COLUMN_ANSWER, 1),
	COLUMN("reason", kind_text, answer.reason, COLUMN_ANSWER, 1),
	COLUMN("spa_region", kind_text, answer.region, COLUMN_ANSWER, 1),
	COLUMN("region_resource", kind_optional, answer.region_resource, COLUMN_ANSWER, 1),
	COLUMN("region_uuid", kind_region_uuid, answer.region_uuid, COLUMN_ANSWER, 1),
	COLUMN("numa_node", kind_optional_int, answer.numa_node, COLUMN_ANSWER, 1),
	COLUMN("dax", kind_text, answer.dax, COLUMN_ANSWER, 1),
};
const size_t store_n_columns = ARRAY_SIZE(store_columns);

/* ---- values -----------------------------------------------------------------------------------
 */

static bool column_has(const struct store_column *column, unsigned int uses)
{
	return (column->uses | COLUMN_ALL) & uses;
}

void store_columns_bind(struct sql_binder *b, const struct stored_event *ev, unsigned int uses)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (column_has(&store_columns[i], uses))
			store_columns[i].kind->bind(b, ev, &store_columns[i]);
}

void store_columns_read(struct sql_row *row, struct stored_event *ret, unsigned int uses)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (column_has(&store_columns[i], uses))
			store_columns[i].kind->read(row, ret, &store_columns[i]);
}

static const unsigned int *filter_set(const struct event_filter *f,
				      const struct store_column *column)
{
	return (const unsigned int *)((const char *)f + column->filter->offset);
}

bool store_columns_match(const struct event_filter *f, const struct stored_event *ev)
{
	if (f->device && !str_equal(f->device, ev->device))
		return false;
	for (size_t i = 0; i < store_n_columns; i++) {
		const struct store_column *column = &store_columns[i];
		unsigned int set = 0;

		if (column->filter && column->filter->n_values)
			set = *filter_set(f, column);
		if (set && !(set >> column->filter->value(ev) & 1))
			return false;
	}
	return true;
}

static const struct store_column_filter *find_filter(const char *name)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (str_equal(store_columns[i].name, name))
			return store_columns[i].filter;
	return NULL;
}

unsigned int event_filter_values(const char *column)
{
	const struct store_column_filter *filter = find_filter(column);

	return filter ? filter->n_values : 0;
}

int event_filter_select(struct event_filter *f, const char *column, unsigned int set)
{
	const struct store_column_filter *filter = find_filter(column);

	if (!filter || !filter->n_values)
		return -EINVAL;
	*(unsigned int *)((char *)f + filter->offset) = set;
	return 0;
}

int event_filter_select_range(struct event_filter *f, const char *column, uint64_t first,
			      uint64_t last)
{
	const struct store_column_filter *filter = find_filter(column);

	if (!filter || !filter->select_range)
		return -EINVAL;
	filter->select_range(f, first, last);
	return 0;
}

/* ---- statements -------------------------------------------------------------------------------
 */

struct sql_text {
	char *buffer;
	size_t size, len;
};

static void sql_put(struct sql_text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++, t->len++)
		if (t->len + 1 < t->size)
			t->buffer[t->len] = s[i];
}

/* @format: what is put for each column, with its name for '%' and its type for '#' */
static void put_columns(struct sql_text *t, unsigned int uses, int since_max, const char *format)
{
	size_t begun = t->len;

	for (size_t i = 0; i < store_n_columns; i++) {
		const struct store_column *c = &store_columns[i];

		if (!column_has(c, uses) || c->since > since_max)
			continue;
		if (t->len > begun)
			sql_put(t, ", ", 2);
		for (const char *f = format; *f; f++) {
			const char *part = *f == '%' ? c->name : *f == '#' ? c->kind->type : f;

			sql_put(t, part, part == f ? 1 : strlen(part));
		}
	}
}

static const struct placeholder {
	const char *name;
	unsigned int uses;
	int since_max;
	const char *format;
} placeholders[] = {
	{"columns", COLUMN_ALL, STORE_VERSION, "%"},
	{"columns?", COLUMN_ALL, STORE_VERSION, "?"},
	{"entry", COLUMN_ENTRY, STORE_VERSION, "%"},
	{"group", COLUMN_GROUP, STORE_VERSION, "%"},
	{"group?", COLUMN_GROUP, STORE_VERSION, "?"},
	{"answer=", COLUMN_ANSWER, STORE_VERSION, "% = ?"},
	{"definitions", COLUMN_ALL, 1, "% #"},
};

static const struct placeholder *find_placeholder(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(placeholders); i++)
		if (strlen(placeholders[i].name) == len &&
		    memcmp(placeholders[i].name, name, len) == 0)
			return &placeholders[i];
	return NULL;
}

int store_columns_expand(const char *statement, char *buffer, size_t size)
{
	struct sql_text t = {buffer, size, 0};

	for (const char *s = statement; *s;) {
		size_t n = strcspn(s, "{"), name;
		const struct placeholder *p;

		sql_put(&t, s, n);
		s += n;
		if (!*s)
			break;
		name = strcspn(s + 1, "}");
		p = find_placeholder(s + 1, name);
		if (!p)
			return -EINVAL;
		put_columns(&t, p->uses, p->since_max, p->format);
		s += name + 2;
	}
	if (t.len >= size)
		return -E2BIG;
	buffer[t.len] = '\0';
	return 0;
}

int store_columns_add(sqlite3 *db, int version)
{
	char sql[256];
	int rc = SQLITE_OK;

	for (size_t i = 0; i < store_n_columns && rc == SQLITE_OK; i++) {
		const struct store_column *c = &store_columns[i];
		const char *initial = c->kind->initial;

		if (c->since != version || version == 1)
			continue;
		(void)snprintf(sql, sizeof(sql), "ALTER TABLE details ADD COLUMN %s %s%s%s",
			       c->name, c->kind->type, initial ? " DEFAULT " : "",
			       initial ? initial : "");
		rc = sql_exec(db, sql);
	}
	return rc;
}
