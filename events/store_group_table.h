/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_GROUP_TABLE_H
#define CXLR_EVENTS_STORE_GROUP_TABLE_H

/*
 * The groups of entries and their counts, in the memory of the thread that writes. A transaction
 * changes the counts here, and its commit writes those that have changed, once each; so the file
 * has the counts of exactly its entries, at whatever point the process ends.
 */

#include <stdbool.h>
#include <stdint.h>

#include "events/store_tables.h"

struct store_group_table;

struct store_group {
	int64_t id;
	char device[EVENT_DEVICE_MAX];
	enum event_type type;
	enum event_severity severity;
	unsigned int log;
	struct store_group_counts {
		uint64_t n, unresolved; /* entries */
		uint64_t stored;	/* entries that were ever added */
	} now, committed;
	bool is_changed;
	struct store_group *next_changed;
};

/* store_group_table_load() - the groups of the file; frees those of before. An SQLite code. */
int store_group_table_load(struct store *s);

/* Accepts NULL. Return: NULL. */
struct store_group_table *store_group_table_free(struct store_group_table *t);

/* Return: the group of an event, a new one if there is none; NULL when out of memory. */
struct store_group *store_group_of(struct store *s, const struct stored_event *ev);

/* Return: the group of that number; NULL for none, which a damaged file may say. */
struct store_group *store_group_by_id(struct store *s, int64_t id);

/* An entry was added to the group, removed from it, or changed. */
void store_group_add(struct store *s, struct store_group *g, bool resolved);
void store_group_remove(struct store *s, struct store_group *g, bool resolved);
void store_group_resolve(struct store *s, struct store_group *g, bool resolved);

/* Writes the counts that have changed. Return: SQLITE_DONE, or an error. */
int store_group_table_save(struct store *s);

/* The transaction has ended: the counts are those of now, or again those before it. */
void store_group_table_end(struct store *s, bool committed);

#endif
