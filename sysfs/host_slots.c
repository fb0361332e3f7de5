// SPDX-License-Identifier: LGPL-2.1-or-later
/* The slots of PCI devices, by the names that the kernel and firmware give them. */
#include "sysfs/host_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/cleanup.h"

enum { SLOTS_MAX = 4096 };

/* "0000:0d:00" of the slot, "0000:0d:00.0" of the function. */
static bool is_in_slot(const char *bdf, const char *address)
{
	const char *function = bdf ? str_after_prefix(bdf, address) : NULL;

	return function && function[0] == '.';
}

static int take_slot(struct build *b, int slots_fd, const char *name)
{
	_cleanup_close_ int fd = attr_open_dir(slots_fd, name);
	char address[ATTR_BYTES_MAX + 1];

	if (fd < 0 ||
	    attr_read_text(&(struct attr_dir){fd, "slot", name, &b->notes}, "address", address) < 0)
		return 0;
	ARRAY_FOREACH(memdev, &b->memdevs) {
		if (!is_in_slot((*memdev)->bdf, address))
			continue;
		(*memdev)->slot = build_name(b, name);
		if (!(*memdev)->slot)
			return -ENOMEM;
	}
	return 0;
}

int build_slots(struct build *b)
{
	_cleanup_close_ int fd = attr_open_dir(AT_FDCWD, "/sys/bus/pci/slots");
	_cleanup_closedir_ DIR *dir = fd >= 0 ? build_open_list(fd) : NULL;
	const struct dirent *entry;
	int n = 0, r;

	while (dir && (entry = readdir(dir)) && n < SLOTS_MAX) {
		if (entry->d_name[0] == '.')
			continue;
		n++;
		r = take_slot(b, fd, entry->d_name);
		if (r < 0)
			return r;
	}
	return 0;
}
