/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FABRIC_PRIVATE_H
#define CXLR_MODEL_FABRIC_PRIVATE_H

/* Declarations that the files of the fabric share while it is built. */

#include "model/fabric.h"

/* Adds @object unless it was the last one added. Return: 0, -ENOMEM. */
int fabric_list_add(struct arena *a, struct fabric_list *list, const void *object);

/* Connects the port at the device's end of a link with the one at the host's end, if not NULL. */
int fabric_connect(struct arena *a, struct fabric_port *up, struct fabric_port *down);

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

#endif
