/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_DMI_H
#define CXLR_SYSFS_HOST_DMI_H

/*
 * Names that the machine's firmware has for memdevs in its DMI table (SMBIOS, DSP0134), which root
 * may read: the one that is printed at the slot, the part number and the locator. A memdev gets
 * them from a record that is certainly about it, and from no other. Private to sysfs/.
 */

#include "sysfs/host_build.h"

/* build_dmi() - behind build_slots(). A table that is missing or damaged is no note: it is
 * optional. */
int build_dmi(struct build *b);

#endif
