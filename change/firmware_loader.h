/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_FIRMWARE_LOADER_H
#define CXLR_CHANGE_FIRMWARE_LOADER_H

/*
 * The kernel's firmware loader of a memory device (since 6.5): a directory of sysfs with the
 * attributes loading, data, status, remaining_size, error and cancel
 * (Documentation/ABI/testing/sysfs-class-firmware). The kernel takes the whole image first, then
 * transfers it to the device and selects it for the next reset, in a worker of its own, which goes
 * on when the process that started it has ended.
 */

#include "change/context.h"

enum {
	FIRMWARE_PIECE = 64 * 1024, /* bytes of the image that are copied at a time */
	FIRMWARE_POLL_MS = 100,	    /* from one look at the progress to the next */
	/* Longest time without any progress: the kernel waits 30 s for a device, several times. */
	FIRMWARE_STALL_MS = 5 * 60 * 1000,
};

struct firmware_loader {
	const struct change_context *context;
	int dir;	    /* the loader's directory */
	const char *memdev; /* for messages */
	unsigned int slot;  /* to which the kernel writes, for messages */
	uint64_t size;	    /* bytes of the image, from 1 */
	bool cancelled;	    /* the kernel was asked to end */
};

/*
 * firmware_loader_open() - the directory of a device's loader, to be closed
 *
 * Return: the descriptor; -ENOENT when the device has none.
 */
int firmware_loader_open(const struct host_root *root, const char *memdev);

/*
 * firmware_load() - have the image of the context written, and wait until that has ended
 *
 * Return: 0; otherwise ret->error, and why.
 */
int firmware_load(struct firmware_loader *l, struct change_result *ret);

#endif
