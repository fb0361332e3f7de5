/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FABRIC_PRIVATE_H
#define CXLR_MODEL_FABRIC_PRIVATE_H

/* Declarations that the files of the fabric share while it is built. */

#include "model/fabric.h"

/* Adds @object unless it was the last one added. Return: 0, -ENOMEM. */
int fabric_list_add(struct arena *a, struct fabric_list *list, const void *object);

/* Connects the port at the device's end of a link with the one at the host's end, if not NULL. */
int fabric_connect(struct arena *a, struct fabric_port *up, struct fabric_port *down);

/* Serial numbers, ascending; each device has one once. */
struct fabric_serials {
	uint64_t *list;
	size_t n;
};

/* The knowledge that decides which devices of the host and of mailboxes are the same. */
struct fabric_joiner {
	struct arena *arena;
	struct fabric *f;
	const struct memdev_ids *ids;
	struct fabric_serials devices;	/* by their own Identify */
	struct fabric_serials all;	/* and by that of their LDs */
	struct fabric_port **by_serial; /* devices of the host that have one */
	size_t n_by_serial;
};

/* Return: 0, -ENOMEM. */
int fabric_joiner_init(struct fabric_joiner *j, struct arena *a, struct fabric *f,
		       const struct memdev_ids *ids, const struct switch_readings *readings);

/* Return: whether the device has a serial number that no other device behind switches has. */
bool fabric_serial_is_unique(const struct fabric_joiner *j, const struct device_reading *d);

/*
 * fabric_join() - join the devices of a switch with those of the host, and link all of them
 * @sw: with its ports, virtual switches and devices; LDs are connected with their vPPBs
 *
 * Return: 0, -ENOMEM.
 */
int fabric_join(struct fabric_joiner *j, struct fabric_switch *sw);

/* Notes devices with one serial number that are not joined; after all switches. Return: 0, -ENOMEM.
 */
int fabric_doubt_serials(struct fabric_joiner *j);

/* Sorts the ports of memory devices for fabric_device_port(). */
void fabric_sort_devices(struct fabric_port *devices, size_t n);

/*
 * fabric_add_mailboxes() - add what the mailboxes of the switches say (fabric_switches.c)
 * @f: complete but for that
 *
 * Return: 0, -ENOMEM.
 */
int fabric_add_mailboxes(struct arena *a, struct fabric *f, const struct memdev_ids *ids,
			 const struct switch_readings *readings);

/* fabric_add_dynamic() - regions and extents of a device, from its reading. Return: 0, -ENOMEM */
int fabric_add_dynamic(struct arena *a, struct fabric_device *d);

#endif
