/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REPAIR_PLAN_H
#define CXLR_REDFISH_REPAIR_PLAN_H

/*
 * Whether an entry of the worklist can be repaired now, by which instance of the kernel, and why
 * not. A pure function of an entry and a snapshot; any thread.
 */

#include "model/repairs.h"
#include "redfish/repairs/repair_entry.h"

struct repair_plan {
	const struct memdev *memdev;	  /* of the host; NULL: it is not there */
	const struct edac_repair *repair; /* of it; NULL: none that fits */
	/* That the device asks for; UNKNOWN: Linux has no such. An entry that it did not ask for
	 * has the narrowest of those that may end the fault: one that is possible now, or else
	 * one that Linux offers. */
	enum edac_repair_type type;
	enum repair_when when;
	/* The kernel does not know the event any more, so it repairs only while the device is not
	 * in use, or after a new event. */
	bool forgot;
	bool possible;		      /* now */
	char reason[REPAIR_TEXT_MAX]; /* a clause: when, or why not */
};

/*
 * repair_plan_make() - plan the repair of an entry
 * @boot_id: of the host
 * @now_ns: since 1970, to compare with the clock of the device, which Linux sets when it binds it
 */
void repair_plan_make(const struct repair_entry *entry, const struct host *host,
		      const uint8_t boot_id[static REPAIR_BOOT_SIZE], uint64_t now_ns,
		      struct repair_plan *ret);

/* Return: whether it is possible now, and no earlier one of the entry may have used a spare. */
bool repair_plan_may_run(const struct repair_plan *plan, const struct repair_entry *entry);

/* Return: when it is possible, in a word: that of repair_when_name(), or "kernel-forgot". */
const char *repair_plan_word(const struct repair_plan *plan);

#endif
