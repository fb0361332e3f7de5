/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_LINK_STATE_H
#define CXLR_SYSFS_LINK_STATE_H

/* The state of a PCI function's link at this moment. No state, any thread. */

#include "sysfs/host.h"
#include "sysfs/read_notes.h"

/*
 * link_state_read() - set `current_link_speed` and `current_link_width` of @ret, and nothing else
 * @bdf: its address, as build_pci() checked it
 * @notes: the speed is in its arena
 */
void link_state_read(const char *bdf, struct read_notes *notes, struct pci_function *ret);

#endif
