// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The columns of table `incidents`: one table from which its statements are made, and what is bound
// to them and read.
#include "events/store_incident_columns.h"

#include <string.h>

#include "common/array.h"
#include "events/incident_act.h"
#include "events/store_tables.h"

enum column_kind { NUMBER, TEXT, BYTES };

static const struct incident_column {
	const char *name;
	enum column_kind kind;
	size_t offset, size; /* of the member of struct incident */
	uint64_t max;	     /* of a number; a higher one in the file is 0 */
	bool is_fixed;	     /* never changes */
} columns[] = {
#define COLUMN(name, kind, member, max, ...)                                                       \
	{                                                                                          \
		name, kind, offsetof(struct incident, member),                                     \
			sizeof(((struct incident *)NULL)->member), max, ##__VA_ARGS__              \
	}
	COLUMN("id", NUMBER, id, STORE_SEQ_MAX, true),
	COLUMN("device", TEXT, device, 0, true),
	COLUMN("kind", NUMBER, kind, INCIDENT_KINDS - 1, true),
	COLUMN("anchor", NUMBER, anchor.type, ANCHOR_TYPES - 1, true),
	COLUMN("known", NUMBER, anchor.known, (1 << LOCATION_PARTS) - 1, true),
	COLUMN("place", NUMBER, anchor.value, UINT64_MAX, true),
	COLUMN("previous", NUMBER, previous, STORE_SEQ_MAX, true),
	COLUMN("host", TEXT, host, 0, true),
	COLUMN("serial", NUMBER, serial, UINT64_MAX, true),
	COLUMN("state", NUMBER, state, INCIDENT_STATES - 1),
	COLUMN("ended", NUMBER, end, INCIDENT_ENDS - 1),
	COLUMN("severity", NUMBER, severity, EVENT_SEVERITIES - 1),
	COLUMN("n", NUMBER, count, STORE_SEQ_MAX),
	COLUMN("minimum", NUMBER, count_is_minimum, 1),
	COLUMN("first", NUMBER, first_ns, UINT64_MAX),
	COLUMN("last", NUMBER, last_ns, UINT64_MAX),
	COLUMN("last_age", NUMBER, last_age, INT64_MAX),
	COLUMN("ended_age", NUMBER, ended_age, INT64_MAX),
	COLUMN("last_seq", NUMBER, last_seq, STORE_SEQ_MAX),
	COLUMN("flags", NUMBER, flags, EVENT_FLAG_STATES),
	COLUMN("fatal", NUMBER, fatal, 1),
	COLUMN("recurring", NUMBER, recurring, 1),
	COLUMN("live", NUMBER, any_live, 1),
	COLUMN("found", NUMBER, found, 1),
	COLUMN("recurred", NUMBER, recurred, 1),
	COLUMN("advised", NUMBER, advised, INCIDENT_ACTS - 1),
	COLUMN("source", NUMBER, source, SOURCE_ESTIMATE),
	COLUMN("hours", BYTES, rates.hour, 0),
	COLUMN("days", BYTES, rates.day, 0),
	COLUMN("weeks", BYTES, rates.week, 0),
	COLUMN("rates_age", NUMBER, rates.age, INT64_MAX),
	COLUMN("line", NUMBER, place.line.value, UINT64_MAX),
	COLUMN("lines", NUMBER, place.line.n, 2),
	COLUMN("row_number", NUMBER, place.row.value, UINT64_MAX),
	COLUMN("row_numbers", NUMBER, place.row.n, 2),
	COLUMN("column_number", NUMBER, place.column.value, UINT64_MAX),
	COLUMN("column_numbers", NUMBER, place.column.n, 2),
	COLUMN("without_row", NUMBER, place.without_row, UINT64_MAX),
	COLUMN("without_column", NUMBER, place.without_column, UINT64_MAX),
	COLUMN("nibbles", NUMBER, place.nibbles, UINT64_MAX),
	COLUMN("bits", NUMBER, place.bits, UINT64_MAX),
	COLUMN("more_nibbles", NUMBER, place.more_nibbles, 1),
	COLUMN("asked", NUMBER, place.asked, UINT8_MAX),
	COLUMN("n_pages", NUMBER, n_pages, INCIDENT_PAGES_MAX),
	COLUMN("more_pages", NUMBER, more_pages, 1),
	COLUMN("pages", BYTES, pages, 0),
};

/* ---- values -----------------------------------------------------------------------------------
 */

static uint64_t number_of(const struct incident *i, const struct incident_column *c)
{
	const char *member = (const char *)i + c->offset;
	uint64_t value = 0;

	switch (c->size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)member;
	case sizeof(uint32_t):
		return *(const uint32_t *)member;
	default:
		memcpy(&value, member, sizeof(value));
		return value;
	}
}

static void set_number(struct incident *i, const struct incident_column *c, uint64_t value)
{
	char *member = (char *)i + c->offset;

	switch (c->size) {
	case sizeof(uint8_t):
		*(uint8_t *)member = (uint8_t)value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)member = (uint32_t)value;
		break;
	default:
		memcpy(member, &value, sizeof(value));
	}
}

void incident_columns_bind(struct sql_binder *b, const struct incident *i, bool fixed)
{
	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		const struct incident_column *c = &columns[k];
		const char *member = (const char *)i + c->offset;

		if (c->is_fixed && !fixed)
			continue;
		if (c->kind == NUMBER)
			sql_bind_u64(b, number_of(i, c));
		else if (c->kind == TEXT)
			sql_bind_text(b, member);
		else
			sql_bind_blob(b, member, c->size);
	}
}

void incident_columns_read(struct sql_row *row, struct incident *ret)
{
	*ret = (struct incident){0};
	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		const struct incident_column *c = &columns[k];
		char *member = (char *)ret + c->offset;

		if (c->kind == NUMBER) {
			const uint64_t value = sql_row_u64(row);

			set_number(ret, c, value <= c->max ? value : 0);
		} else if (c->kind == TEXT) {
			sql_row_text(row, member, c->size);
		} else if (sql_row_blob(row, member, c->size) != c->size) {
			memset(member, 0, c->size);
		}
	}
}

/* ---- statements -------------------------------------------------------------------------------
 */

const char *incident_column_name(size_t i)
{
	return i < ARRAY_SIZE(columns) ? columns[i].name : NULL;
}

bool incident_column_is_fixed(size_t i)
{
	return columns[i].is_fixed;
}

const char *incident_column_type(size_t i)
{
	static const char *const types[] = {
		[NUMBER] = "INTEGER NOT NULL", [TEXT] = "TEXT NOT NULL", [BYTES] = "BLOB NOT NULL"};

	return i == 0 ? "INTEGER PRIMARY KEY" : types[columns[i].kind];
}
