/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_ORIGIN_H
#define CXLR_EVENTS_STORE_ORIGIN_H

/*
 * Where the numbers of a new file begin.
 */

#include "events/store_tables.h"

/*
 * store_first_number() - the first number of a new file at s->path
 * @damaged: the file that it replaces; NULL: the last that was set aside, if any
 */
uint64_t store_first_number(const struct store *s, const char *damaged);

#endif
