/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_UEVENTS_H
#define CXLR_SYSFS_UEVENTS_H

/*
 * Changes of the devices that a snapshot of the host is made of, as udev reports them: subsystems
 * cxl, dax, memory and pci. One object, used by one thread.
 */

#include <stdbool.h>

#include "common/uevent.h"

struct uevents;

/* Return: 0, or the error of libudev. */
int uevents_open(struct uevents **ret);

/* Accepts NULL. Return: NULL. */
struct uevents *uevents_close(struct uevents *u);

/* Return: a descriptor that is readable while there are events; it stays @u's. */
int uevents_fd(const struct uevents *u);

/* Takes one event, without waiting. Return: whether there was one, or UEVENT_LOST. */
bool uevents_receive(struct uevents *u, struct uevent *ret);

/*
 * uevent_describe() - an event by its parts, which are NULL when they are not known
 * @action: "online" of KOBJ_ONLINE
 * @name: of the device in sysfs
 *
 * Return: without the time when it was received.
 */
struct uevent uevent_describe(const char *subsystem, const char *action, const char *name);

#endif
