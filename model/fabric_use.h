/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FABRIC_USE_H
#define CXLR_MODEL_FABRIC_USE_H

/*
 * Whether a change of a switch would take memory from a host that uses it.
 *
 * This host uses the memory of a device while a region that the device is part of is committed or
 * has its driver, and while an HDM decoder of the device is committed without a region. The users
 * of such a region are named, too: memory that is online, a dax device that programs can map,
 * namespaces.
 *
 * Memory that is bound to another host is in use as long as it is bound: what that host does with
 * it is not known here. The same holds for what is bound to this host, but not known as one of its
 * devices, or without an endpoint that shows its decoders; for bindings that could not be read, be
 * it because a whole virtual switch could not; and for ports that lead to other switches. Pure
 * function of the fabric; any thread.
 */

#include <stddef.h>

#include "mailbox/switch_change.h"
#include "model/fabric.h"

enum { FABRIC_USES_MAX = 8, FABRIC_USE_TEXT = 120 };

struct fabric_use {
	size_t n;					/* 0: no memory is in use */
	char reasons[FABRIC_USES_MAX][FABRIC_USE_TEXT]; /* each names its object; the first ones */
};

/*
 * fabric_use() - why a change would take memory from a host
 *
 * Changes of QoS, and correctable AER events, take none. To bind something that is bound takes it
 * from the host it is bound to.
 */
void fabric_use(const struct fabric *f, const struct switch_change *c, struct fabric_use *ret);

/* Return: the switch with a mailbox of that name; NULL without. */
const struct fabric_switch *fabric_switch_of(const struct fabric *f, const char *name);

#endif
