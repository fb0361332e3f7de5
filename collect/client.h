/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COLLECT_CLIENT_H
#define CXLR_COLLECT_CLIENT_H

/*
 * Captures the host that a daemon shows, in a process of its own: reading all of it takes memory
 * and time, may hang in a device, and needs libarchive. That process has no more rights than the
 * daemon, and reads privileged files by the same helpers.
 *
 * Any thread that lives as long as the call, which waits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/helper.h"
#include "opener/opener.h"
#include "sysfs/host_root.h"

struct collect_options {
	const char *program;	      /* cxl-redfish-collect */
	const struct host_root *root; /* of the daemon */
	struct opener *switches;      /* client of cxl-redfish-switch-helper; NULL: none */
	bool masked;		      /* as of capture/mask.h */
	int fd;			      /* an empty file, open for writing; stays the caller's */
	/* The caller owns it and keeps it between calls, initialized with any options: a process
	 * may be left that was killed, but is blocked in the kernel. One call uses it at a time. */
	struct helper *process;
	/*
	 * Called at least every COLLECT_STEP_MS, and for each percent. @total: files; 0: not known
	 * yet. Return: 0; less than 0 kills the process and is returned.
	 */
	int (*step)(void *userdata, uint64_t done, uint64_t total);
	/* Called for each that is named, @text is "path: reason", printable ASCII. NULL: not. */
	void (*missed)(void *userdata, const char *text);
	void *userdata;
};

enum { COLLECT_STEP_MS = 100 };

struct collect_totals {
	uint64_t bytes;		       /* of the files, before they were compressed */
	uint32_t files, links, missed; /* missed: not in the archive */
};

/*
 * collect_run() - write the capture of a host to a file
 *
 * Return: 0; the error of o->step(); the error of the process or of starting it, with a sentence in
 * @e; -EBUSY when that of an earlier call is blocked in the kernel; -EIO when it ended
 * unexpectedly.
 */
int collect_run(const struct collect_options *o, struct collect_totals *ret, struct error *e);

#endif
