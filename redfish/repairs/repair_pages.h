/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REPAIR_PAGES_H
#define CXLR_REDFISH_REPAIR_PAGES_H

/*
 * The remembered pages at the place of a repair that was made. They are named, so that a person may
 * bring them back; no program does it by itself. Any thread that may wait for the disk.
 */

#include "redfish/pages/state_pages.h"
#include "redfish/repairs/repair_entry.h"

/*
 * repair_pages_find() - the pages of the device that lie at the place of an entry
 * @log: path of the event log
 * @entry: `used` says by what it was repaired
 * @ret: for `pages` of the entry; REPAIR_PAGES_MAX of them at most
 *
 * A page lies there if its range has the address of the entry. When a row, a bank or a rank was
 * spared, it does, too, if a record of its incident, within its range, names that row, bank or
 * rank: addresses of others are not known to be in it. The newest REPAIR_PAGE_RECORDS records of
 * each incident are looked at.
 *
 * Return: 0; an error of the log or the state database, and @ret has those that are known.
 */
enum { REPAIR_PAGE_RECORDS = 100 };
int repair_pages_find(struct state *st, const char *log, const struct repair_entry *entry,
		      char ret[static REPAIR_PAGES_TEXT_MAX], struct error *e);

/* repair_pages_read() - those of an entry that are to stay out of use still; @ret: added to */
int repair_pages_read(struct state *st, const struct repair_entry *entry,
		      struct remembered_pages *ret, struct error *e);

#endif
