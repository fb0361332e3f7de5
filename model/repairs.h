/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REPAIRS_H
#define CXLR_MODEL_REPAIRS_H

/*
 * The repairs of a memory device that Linux can do at present, and why not: rules of
 * drivers/cxl/core/edac.c (cxl_mem_perform_ppr(), cxl_mem_perform_sparing()). All front ends, and
 * the change that repairs, use these. Pure functions on a snapshot; any thread.
 */

#include "sysfs/host.h"

enum repair_when {
	REPAIR_NOT_KNOWN,
	REPAIR_NOW,	    /* any address: no decoder of the device is committed */
	REPAIR_AFTER_EVENT, /* an address that was in an event of this boot */
	REPAIR_NOT_IN_USE,  /* only while no decoder of the device is committed */
	REPAIR_NOT_HERE,    /* firmware committed the decoders, and Linux cannot release them */
	REPAIR_WHENS,
};

/* Return: "now", "after-event", "not-while-used", "not-here", "not-known"; static. */
const char *repair_when_name(enum repair_when when);

/* Return: the same as a clause with the reason; static. */
const char *repair_when_text(enum repair_when when);

/* Return: when an instance of the device can repair. */
enum repair_when repair_when(const struct memdev *m, const struct edac_repair *repair);

/* Return: whether a decoder of the device is committed, as Linux counts them; absent: not known. */
struct opt_bool memdev_is_used(const struct memdev *m);

/*
 * repairs_absence() - why Linux offers no repair of a device
 *
 * Return: a clause in @ret; NULL when it offers some.
 */
enum { REPAIRS_ABSENCE_MAX = 256 };
const char *repairs_absence(const struct host *host, const struct memdev *m,
			    char ret[static REPAIRS_ABSENCE_MAX]);

/* repairs_text() - "ppr: now, no decoder ...; row-sparing, bank-sparing: ..."; of at least one */
enum { REPAIRS_TEXT_MAX = 1024 };
const char *repairs_text(const struct memdev *m, char ret[static REPAIRS_TEXT_MAX]);

#endif
