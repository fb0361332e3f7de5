// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/uevents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libudev.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

/* Onlining a terabyte sends thousands of events; the default of 208 KiB holds some hundred. */
enum { RECEIVE_BYTES = 4 * 1024 * 1024 };

struct uevents {
	struct udev *udev;
	struct udev_monitor *netlink;
};

DEFINE_CLEANUP(struct uevents, uevents_close);

struct uevents *uevents_close(struct uevents *u)
{
	if (!u)
		return NULL;
	udev_monitor_unref(u->netlink);
	udev_unref(u->udev);
	free(u);
	return NULL;
}

int uevents_open(struct uevents **ret)
{
	static const char *const subsystems[] = {"cxl", "dax", "memory", "pci"};
	_cleanup_(uevents_closep) struct uevents *u = calloc(1, sizeof(*u));
	int r;

	if (!u)
		return -ENOMEM;
	u->udev = udev_new();
	if (!u->udev)
		return -ENOMEM;
	errno = 0;
	/* "udev", not "kernel": only then /dev/cxl/memN exists and has its permissions. */
	u->netlink = udev_monitor_new_from_netlink(u->udev, "udev");
	if (!u->netlink)
		return errno > 0 ? -errno : -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(subsystems); i++) {
		r = udev_monitor_filter_add_match_subsystem_devtype(u->netlink, subsystems[i],
								    NULL);
		if (r < 0)
			return r;
	}
	/* Without privilege the default size stays; a lost event is noticed as well. */
	(void)udev_monitor_set_receive_buffer_size(u->netlink, RECEIVE_BYTES);
	r = udev_monitor_enable_receiving(u->netlink);
	if (r < 0)
		return r;
	*ret = STEAL_PTR(u);
	return 0;
}

int uevents_fd(const struct uevents *u)
{
	return udev_monitor_get_fd(u->netlink);
}

struct uevent uevent_describe(const char *subsystem, const char *action, const char *name)
{
	const char *number = name ? str_after_prefix(name, "memory") : NULL;
	struct uevent e = {.kind = UEVENT_OTHER};

	if (!subsystem || !str_equal(subsystem, "memory") || !action ||
	    !str_equal(action, "online") || !number || !*number ||
	    strspn(number, "0123456789") != strlen(number) || parse_u64(number, &e.block) < 0)
		return e;
	e.kind = UEVENT_BLOCK_ONLINE;
	return e;
}

bool uevents_receive(struct uevents *u, struct uevent *ret)
{
	struct udev_device *device;

	errno = 0;
	device = udev_monitor_receive_device(u->netlink);
	if (!device) {
		/* When the socket overflowed, there were events. */
		*ret = (struct uevent){.kind = UEVENT_LOST};
		return errno == ENOBUFS;
	}
	*ret = uevent_describe(udev_device_get_subsystem(device), udev_device_get_action(device),
			       udev_device_get_sysname(device));
	ret->received_ns = clock_monotonic_ns();
	udev_device_unref(device);
	return true;
}
