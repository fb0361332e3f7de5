/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_SLOT_LIGHT_H
#define CXLR_SYSFS_SLOT_LIGHT_H

/* The attention indicator of a device's slot, which people find the device by. No state, any
 * thread. */

#include "sysfs/host.h"
#include "sysfs/read_notes.h"

enum { SLOT_LIGHT_PATH_MAX = 320 };

/* By its values a slot with a problem is lit, and one that is searched for blinks (PCI Express Base
 * Specification 6.7.1.1.1). */
#define SLOT_LIGHT_OFF	  "0"
#define SLOT_LIGHT_BLINKS "2"

/* slot_light_path() - its file. Return: whether the device has one. */
bool slot_light_path(const struct memdev *m, char ret[static SLOT_LIGHT_PATH_MAX]);

/*
 * slot_light_read() - whether it is lit or blinks; absent without one, and when it does not say
 *
 * Waits for the hot-plug controller.
 */
struct opt_bool slot_light_read(const struct memdev *m, struct read_notes *notes);

#endif
