/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_TRANSACTION_H
#define CXLR_EVENTS_STORE_TRANSACTION_H

/*
 * Transactions of the thread that writes.
 */

#include "events/store_tables.h"

int store_begin(struct store *s, struct error *e);
/* Commits, or rolls back when @rc is an error. */
int store_end(struct store *s, int rc, struct error *e);

#endif
