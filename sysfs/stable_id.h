/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_STABLE_ID_H
#define CXLR_SYSFS_STABLE_ID_H

/*
 * Identifiers of devices that stay the same from boot to boot, while memN and portN do not.
 *
 * Stored event records and Redfish Ids are made of them. An identifier is a segment of a URI
 * without percent-encoding: letters, digits and "-._", STABLE_ID_MAX bytes at most.
 *
 * The identifier of a memdev is "cxl-" and the 16 digits of its serial number; or, when that is 0,
 * absent or not unique, its PCI address with '-' for ':' ("0000-0d-00.0"); or, when it has none of
 * its own, its kernel name. Constant after memdev_ids_new(); any thread.
 */

#include <stdbool.h>

#include "common/arena.h"
#include "sysfs/host.h"

enum { STABLE_ID_MAX = 64 };

/* Return: whether an identifier can be made of the name of a device. */
bool stable_id_fits(const char *name);

/*
 * stable_id_of_name() - the identifier made of a name, with '-' for ':'
 * @name: after stable_id_fits()
 *
 * Return: the identifier, allocated from @a; NULL when out of memory.
 */
const char *stable_id_of_name(struct arena *a, const char *name);

/*
 * Return: whether an identifier has the serial number of a device in it, and so is that of no other
 * one: "cxl-" and 16 digits, or "dev-" and 16 digits (model/fabric.h), alone or between '-'.
 */
bool stable_id_has_serial(const char *id);

struct memdev_ids;

/* Return: the identifiers of all memdevs of the host, allocated from @a; NULL when out of memory.
 */
struct memdev_ids *memdev_ids_new(struct arena *a, const struct host *host);

/* Return: the identifier of a memdev of that host, NULL for any other pointer. */
const char *memdev_id(const struct memdev_ids *ids, const struct memdev *memdev);

/* Return: the memdev with that identifier, NULL without one. */
const struct memdev *memdev_by_id(const struct memdev_ids *ids, const char *id);

/*
 * Return: the serial number of a memdev of that host; absent when it is 0 or not unique, and so
 * identifies no device.
 */
struct opt_u64 memdev_unique_serial(const struct memdev_ids *ids, const struct memdev *memdev);

#endif
