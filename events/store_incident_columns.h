/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_INCIDENT_COLUMNS_H
#define CXLR_EVENTS_STORE_INCIDENT_COLUMNS_H

/*
 * The columns of table `incidents`, as store_columns.h has those of `details`. Private to the
 * store. Pure functions; any thread.
 */

#include "common/sql.h"
#include "events/incident.h"

/* All of them, in their order, or without those that never change. Texts must live until the step.
 */
void incident_columns_bind(struct sql_binder *b, const struct incident *i, bool fixed);

/* A value that this program cannot have written is 0, or empty. */
void incident_columns_read(struct sql_row *row, struct incident *ret);

/* Return: the name of the @i-th; NULL behind the last. */
const char *incident_column_name(size_t i);

bool incident_column_is_fixed(size_t i);

/* Return: its type as SQL declares it. */
const char *incident_column_type(size_t i);

#endif
