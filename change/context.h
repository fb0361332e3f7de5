/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_CONTEXT_H
#define CXLR_CHANGE_CONTEXT_H

/*
 * The means of a change, which all operations (operations.h) use. A context belongs to the
 * caller of change_run() and is valid until that returns; operations are called on its thread.
 */

#include "change/change.h"
#include "sysfs/host_root.h"

struct change_context {
	const struct host_root *root; /* the live host */
	int image; /* CHANGE_FIRMWARE: its descriptor, read from the start; -1 none */
	const char *key_directory; /* where wrapped keys are kept (keys.h); NULL: the default */
	/* Called now and then, on the thread of change_run(). NULL: none. */
	void (*progress)(void *userdata, const struct change_progress *p);
	/* CHANGE_SCAN_MEDIA: its results, at most CHANGE_FOUND_MAX, in the order of their
	 * addresses, also when it fails afterwards; once, on that thread. NULL: nobody wants them.
	 * Return: 0; -ENOMEM */
	int (*found)(void *userdata, const struct found_poison *items, size_t n);
	/* Whether it is to end: what can be undone is undone then. Any thread. NULL: never. */
	bool (*cancelled)(void *userdata);
	void *userdata;
};

/* Passes progress on, when someone listens. @part: NULL the whole */
void change_report(const struct change_context *x, const char *part, uint64_t done, uint64_t total,
		   const char *unit);

bool change_is_cancelled(const struct change_context *x);

/* The object of a change: refused with -ENOENT, or -ESTALE when it is another one now; NULL then */
const struct memdev *change_find_memdev(const struct host *host, const struct change *c,
					struct change_result *ret);
const struct region *change_find_region(const struct host *host, const struct change *c,
					struct change_result *ret);

/* Refuses a change with the error of a check in model/, a sentence that follows the device's name.
 * Return: the error. */
int change_refuse(const struct memdev *m, const struct error *e, struct change_result *ret);

/*
 * change_write() - write an attribute of sysfs or debugfs
 * @path: absolute
 *
 * Return: 0, or the error of open() or write(); -EROFS on a captured host. Nothing is logged:
 * @value may be anything but a passphrase, which is never written to a file.
 */
int change_write(const struct host_root *root, const char *path, const char *value);

/* change_write_at() - the same, of an attribute of an open directory of the live host */
int change_write_at(int dirfd, const char *name, const char *value);

#endif
