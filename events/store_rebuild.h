/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_REBUILD_H
#define CXLR_EVENTS_STORE_REBUILD_H

/*
 * A new file with all that can be read of a damaged one.
 */

#include "events/store_tables.h"

#define STORE_REBUILT ".rebuilt"

/*
 * store_rebuild() - replace a damaged file, which is closed, by one with all that can be read of it
 * @ret_aside: the new name of the damaged one
 *
 * Entries keep their numbers; those that cannot be read are entries of type EVENT_UNREADABLE. The
 * new file is complete before it has the name. As long as that takes nothing is stored: some ten
 * seconds for a million entries.
 *
 * Return: 0; -ENODATA when nothing can be read of it; -ECANCELED; or as store.h. The damaged file
 * is unchanged then.
 */
int store_rebuild(const struct store *s, char ret_aside[static STORE_PATH_MAX], struct error *e);

#endif
