/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_TRIM_H
#define CXLR_EVENTS_STORE_TRIM_H

/*
 * Removal of entries; what is not in store.h.
 */

#include "events/store_tables.h"

/* Removes what is above max_records, @n at most. Return: an SQLite code. */
int store_remove_surplus(struct store *s, uint64_t n);

#endif
