/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_PAGE_ROWS_H
#define CXLR_REDFISH_STATE_PAGE_ROWS_H

/*
 * The rows of the table of remembered pages. Private to state_pages.c and state_page_list.c. Within
 * a transaction; errors are those of state_error().
 */

#include "redfish/pages/remembered_page.h"
#include "redfish/state/state_private.h"

#define PAGE_COLUMNS "id, device, dpa, state, boot, block, node, body"

/* Return: -EBADMSG; the rest of the file is checked again. */
int page_row_damage(struct state_transaction *t, struct error *e);

/* page_row_get() - of a statement that selects PAGE_COLUMNS. Return: whether it is valid. */
bool page_row_get(sqlite3_stmt *stmt, struct remembered_page *ret);

/* Return: 1 with the row, 0 without, with @ret as it was. */
int page_row_find_range(struct state_transaction *t, const char *device, uint64_t dpa,
			struct remembered_page *ret, struct error *e);

/* Return: 1 with the row; -ENOENT. */
int page_row_find_id(struct state_transaction *t, uint64_t id, struct remembered_page *ret,
		     struct error *e);

/* Adds the row, or replaces that of the same id. */
int page_row_put(struct state_transaction *t, const struct remembered_page *p, struct error *e);

/* The next id, which is not used again. */
int page_row_take_id(struct state_transaction *t, uint64_t *ret, struct error *e);

/* A number that a statement without values selects. */
int page_row_count(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e);

/* All rows, by id; PAGE_LIMIT_TOTAL_MAX at most. @list: added to */
int page_rows_read(struct state_transaction *t, struct remembered_pages *list, struct error *e);

#endif
