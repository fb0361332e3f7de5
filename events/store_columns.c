// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_columns.h"

#include <errno.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/store_columns_private.h"

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
	.value = store_log_of,
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
	COLUMN("boot_id", kind_bytes, boot_id, COLUMN_ENTRY, 1),
	COLUMN("event", kind_text, record.event, 0, 1),
	COLUMN("cpu", kind_uint, record.cpu, 0, 1),
	COLUMN("time", kind_number, record.time_ns, COLUMN_ENTRY, 1),
	COLUMN("repeat", kind_uint, record.repeat, 0, 1),
	COLUMN("clock", kind_text, record.clock, COLUMN_ENTRY, 1),
	COLUMN("wall", kind_optional, record.wall_ns, COLUMN_ENTRY, 1, &by_wall),
	COLUMN("memdev", kind_text, record.memdev, 0, 1),
	COLUMN("host", kind_text, record.host, COLUMN_ENTRY, 1),
	COLUMN("region", kind_text, record.region, 0, 1),
	COLUMN("fields", kind_fields, record, COLUMN_ENTRY, 1),
	COLUMN("payload", kind_payload, record.payload, 0, 1),
	COLUMN("payload_whole", kind_number16, record.payload_whole, 0, 1),
	COLUMN("lost", kind_optional, record.lost, 0, 1),
	COLUMN("other_fields", kind_text, record.other_fields, 0, 1),
	COLUMN("source", kind_source_name, answer.source, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("exact", kind_flag, answer.exact, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("spa", kind_spa_first, answer.spa, COLUMN_ANSWER | COLUMN_ENTRY, 1, &by_spa),
	COLUMN("spa_last", kind_spa_last, answer.spa_last, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("hpa_disagrees", kind_flag, answer.hpa_disagrees, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("reason", kind_text, answer.reason, COLUMN_ANSWER, 1),
	COLUMN("spa_region", kind_text, answer.region, COLUMN_ANSWER, 1),
	COLUMN("region_resource", kind_optional, answer.region_resource, COLUMN_ANSWER, 1),
	COLUMN("region_uuid", kind_region_uuid, answer.region_uuid, COLUMN_ANSWER, 1),
	COLUMN("numa_node", kind_optional_int, answer.numa_node, COLUMN_ANSWER, 1),
	COLUMN("dax", kind_text, answer.dax, COLUMN_ANSWER, 1),
	COLUMN("bytes_beyond", kind_number, answer.bytes_beyond, COLUMN_ANSWER, 1),
	COLUMN("extents", kind_extents, answer.extents, COLUMN_ANSWER | COLUMN_ENTRY, 1),
	COLUMN("live", kind_flag, live, COLUMN_ENTRY, 1),
};
const size_t store_n_columns = ARRAY_SIZE(store_columns);

/* ---- values -----------------------------------------------------------------------------------
 */

bool store_column_has(const struct store_column *column, unsigned int uses)
{
	return (column->uses | COLUMN_ALL) & uses;
}

void store_columns_bind(struct sql_binder *b, const struct stored_event *ev, unsigned int uses)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (store_column_has(&store_columns[i], uses))
			store_columns[i].kind->bind(b, ev, &store_columns[i]);
}

void store_columns_read(struct sql_row *row, struct stored_event *ret, unsigned int uses)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (store_column_has(&store_columns[i], uses))
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
