/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REPAIR_ROWS_H
#define CXLR_REDFISH_REPAIR_ROWS_H

/*
 * The rows of the table of repairs. Private to state_repairs.c, state_unasked.c and
 * state_repair_reports.c. Within a
 * transaction; errors are those of state_error().
 */

#include "redfish/repairs/repair_entry.h"
#include "redfish/state/state_private.h"

#define REPAIR_COLUMNS "id, device, state, incident, unasked, boot, body"

/* Return: -EBADMSG; the rest of the file is checked again. */
int repair_row_damage(struct state_transaction *t, struct error *e);

/* repair_row_get() - of a statement that selects REPAIR_COLUMNS. Return: whether it is valid. */
bool repair_row_get(sqlite3_stmt *stmt, struct repair_entry *ret);

/* Runs a statement to its first row, and finalizes it. Return: 1 with the row, 0 without. */
int repair_row_read(struct state_transaction *t, struct sql_binder *b, struct repair_entry *ret,
		    struct error *e);

/* Return: 0 with the row; -ENOENT. */
int repair_row_find_id(struct state_transaction *t, uint64_t id, struct repair_entry *ret,
		       struct error *e);

/* The entry that a device asked for at the place of @key. Return: 1 with it, 0 without. */
int repair_row_find_place(struct state_transaction *t, const struct repair_entry *key,
			  struct repair_entry *ret, struct error *e);

/*
 * repair_row_find_made() - the first other entry of the device of @of that was made, or may have
 * been, of which @is_wanted says so
 *
 * Return: 1 with it, 0 without.
 */
int repair_row_find_made(struct state_transaction *t, const struct repair_entry *of,
			 bool (*is_wanted)(const struct repair_entry *of,
					   const struct repair_entry *made),
			 struct repair_entry *ret, struct error *e);

/* Adds the row, or replaces that of the same id. */
int repair_row_put(struct state_transaction *t, const struct repair_entry *r, struct error *e);

/* A number that a statement without values selects. */
int repair_row_number(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e);

/* The next id, which is not used again. */
int repair_row_take_id(struct state_transaction *t, uint64_t *ret, struct error *e);

/* @ret: whether there is room for one more, perhaps of an entry that was removed for it */
int repair_row_make_room(struct state_transaction *t, const struct repair_entry *wanted, bool *ret,
			 struct error *e);

/* repair_row_add_new() - one that is not known, with a new id, and with what was repaired there */
int repair_row_add_new(struct state_transaction *t, const struct repair_entry *wanted, bool *ret,
		       struct error *e);

#endif
