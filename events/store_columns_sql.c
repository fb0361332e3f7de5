// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Statements with the names of the columns.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "events/store_columns_private.h"
#include "events/store_incident_columns.h"

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

/* Puts a column, with its name for '%' and its type for '#'. */
static void put_column(struct sql_text *t, const char *name, const char *type, const char *format)
{
	for (const char *f = format; *f; f++) {
		const char *part = *f == '%' ? name : *f == '#' ? type : f;

		sql_put(t, part, part == f ? 1 : strlen(part));
	}
}

static const struct placeholder {
	const char *name;
	unsigned int uses; /* of a column of `details`; 0: the columns of `incidents` */
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
	{"incident", 0, 0, "%"},
	{"incident?", 0, 0, "?"},
	{"incident=", 0, 0, "% = ?"}, /* without those that never change */
	{"incident definitions", 0, 0, "% #"},
};

static void put_incident_columns(struct sql_text *t, const char *format)
{
	const bool fixed = strcmp(format, "% = ?") != 0;
	const size_t begun = t->len;
	const char *name;

	for (size_t i = 0; (name = incident_column_name(i)); i++) {
		if (!fixed && incident_column_is_fixed(i))
			continue;
		if (t->len > begun)
			sql_put(t, ", ", 2);
		put_column(t, name, incident_column_type(i), format);
	}
}

static void put_columns(struct sql_text *t, const struct placeholder *p)
{
	size_t begun = t->len;

	if (!p->uses) {
		put_incident_columns(t, p->format);
		return;
	}
	for (size_t i = 0; i < store_n_columns; i++) {
		const struct store_column *c = &store_columns[i];

		if (!store_column_has(c, p->uses) || c->since > p->since_max)
			continue;
		if (t->len > begun)
			sql_put(t, ", ", 2);
		put_column(t, c->name, c->kind->type, p->format);
	}
}

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
		if (!p || s[1 + name] != '}')
			return -EINVAL;
		put_columns(&t, p);
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
