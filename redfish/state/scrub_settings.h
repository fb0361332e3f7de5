/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SCRUB_SETTINGS_H
#define CXLR_REDFISH_SCRUB_SETTINGS_H

/*
 * The settings of mailbox/scrub_sets.h in the state database, by device, so that they outlive the
 * service. The rate of a region is a setting of each of its devices. Threads and errors are those
 * of state.h.
 */

#include "mailbox/scrub_sets.h"
#include "redfish/state/state.h"
#include "sysfs/stable_id.h"

/*
 * scrub_settings_keep() - keep the setting of a device; durable
 * @device: its Id
 *
 * Beyond SCRUB_SETS_MAX devices the oldest one is removed.
 */
int scrub_settings_keep(struct state *st, const char *device, enum scrub_kind kind,
			const struct scrub_set *set, struct error *e);

/*
 * scrub_settings_load() - give the devices of a host the settings that were kept of them
 *
 * By scrub_set_note(), before readings of the devices are wanted that have them. A row that this
 * program cannot have written is left out.
 */
int scrub_settings_load(struct state *st, const struct host *host, struct error *e);

#endif
