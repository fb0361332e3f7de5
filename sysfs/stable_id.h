/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_STABLE_ID_H
#define CXLR_SYSFS_STABLE_ID_H

/*
 * Identifiers of objects that stay the same from boot to boot, while memN, portN, regionN and
 * decoderN.M do not.
 *
 * Stored event records and Redfish Ids are made of them. An identifier is a segment of a URI
 * without percent-encoding: letters, digits and "-._", STABLE_ID_MAX bytes at most.
 *
 *	memdev	"cxl-" and its serial number; its PCI address with '-' for ':'
 *	window	"window-" and its first address
 *	region	its UUID; "spa-" and its first address
 *	switch	"switch-" and its serial number; "switch-slot-" and its slot; "switch-" and its PCI
 *		address
 *
 * Numbers have 16 hexadecimal digits. Each is taken when it is known, not 0 where 0 is none, and no
 * other object of its kind has the same; an object with none of them has its kernel name, which is
 * another one's after the next boot. So has a region without an address, while it is being made,
 * and all windows and regions while addresses cannot be read (CAP_DAC_READ_SEARCH). The rules are
 * one table in stable_id.c. Pure functions; what they made is constant, any thread.
 */

#include <stdbool.h>

#include "common/arena.h"
#include "sysfs/host.h"

enum { STABLE_ID_MAX = 64 };

/* The form with the first address, which is the name of a mapping of decoders, too (struct region).
 */
#define STABLE_ID_SPA "spa-%016llx"

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
 * one: "cxl-" and 16 digits, "dev-" and 16 digits (model/fabric.h), or "switch-" and 16 digits,
 * alone or between '-'.
 */
bool stable_id_has_serial(const char *id);

/* window_ids_make() - set `id` of all windows of a host. Return: 0, -ENOMEM. */
int window_ids_make(struct arena *a, struct decoder *const *list, size_t n);

/* region_ids_make() - set `id` of all mappings of a host. Return: 0, -ENOMEM. */
int region_ids_make(struct arena *a, struct region *const *list, size_t n);

struct switch_facts {
	struct opt_u64 serial;
	const char *slot;    /* NULL: not known */
	const char *address; /* of the PCI function, or a name in place of it; NULL likewise */
	const char *name;    /* the last resort; never NULL */
	const char *id;	     /* NULL: is made */
};

/*
 * switch_ids_make() - set the Ids that are NULL
 * @list: all switches; none gets an Id that one has already
 *
 * Return: 0, -ENOMEM.
 */
int switch_ids_make(struct arena *a, struct switch_facts *list, size_t n);

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
