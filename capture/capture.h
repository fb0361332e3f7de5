/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_CAPTURE_H
#define CXLR_CAPTURE_CAPTURE_H

/*
 * `cxl-spa capture`: one archive with everything that is read of the CXL memory of this machine, so
 * that every command and the daemon can run on it elsewhere with --host. Single-threaded; used by
 * the command line only.
 *
 *	sys/	the cxl, dax and nd buses, their devices with all attributes, the attributes of
 *		the devices above them, memory blocks, NUMA nodes, CPU topology, ACPI tables by
 *		name, debugfs cxl/, the formats of the cxl and ras trace events, trace_clock, and
 *		the settings and losses of the service's trace instance
 *	proc/	version, cmdline, iomem, meminfo, stat and uptime (when it was booted),
 *		sys/kernel/hostname, sys/kernel/random/boot_id
 *	cmd/	getconf-PAGESIZE: the size of a page
 *	dmesg.txt	the lines of the kernel's log about CXL (sysfs/kernel_log.h)
 *	dev/	empty files cxl/memN and daxX.Y
 *	prm/	added by the caller: recorded answers of the firmware
 *	mbox/	memN/COMMAND.bin: the output payload of each mailbox command in mailbox/commands.c;
 *		with a switch's mailbox, switch-BDF/: the answers to all commands by which it and
 *		the devices behind it are read, and what they are of (mailbox/cci_recorded.h)
 *
 * The records of a trace ring are not included: reading removes them, and the service that reads
 * the ring would lose them. docs/events.md describes how to add them to a capture by hand.
 *
 * Attributes without any read permission are triggers and are left out, and so are a few whose
 * reading has side effects (see capture_list.c). The kernel's log is reduced to
 * the lines about CXL.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "mailbox/switch_access.h"
#include "sysfs/host_root.h"

enum {
	CAPTURE_DEVICE_MS = 30 * 1000, /* for all commands of a memdev */
	CAPTURE_HANGING_MAX = 16,      /* memdevs that do not answer, before the rest is left out */
};

struct capture_result {
	size_t n_files, n_links;
	unsigned long long bytes;
	size_t n_missed;
	char **missed; /* "path: reason" of what could not be read or was left out, as found */
};

/* Members that the caller adds to the archive of the live machine. */
struct capture_extra {
	/* A file whose contents come from the caller. */
	const char *path; /* NULL: none */
	const void *data; /* NULL when there is none */
	size_t len;
	const char *missed; /* why it is missing or incomplete; NULL when it is complete */
	struct switch_access *switches; /* those whose mailboxes are read; NULL: none */
};

/*
 * How much is written, while it is. Return: less than 0 ends it with that error.
 */
typedef int (*capture_step_fn)(void *userdata, size_t done, size_t total);

struct capture_options {
	bool masked; /* replace what identifies the machine, see mask.h */
	bool copy;   /* a captured host may be captured without being masked, too */
	const struct capture_extra *extra; /* what is added of the live machine; NULL for none */
	capture_step_fn step;		   /* NULL: none */
	void *userdata;			   /* of step() */
};

/*
 * capture_write() - write the archive of the live machine, or a masked one of a captured host
 * @root: the live machine; a captured host only to be masked, otherwise -EINVAL
 * @out: path of the archive, which must not exist yet; removed again on failure
 * @masked: replace what identifies the machine, see mask.h
 * @extra: what is added of the live machine; NULL for none
 * @ret: what was written and what could not be read; free with capture_result_done()
 *
 * Return: 0 also when some files could not be read (they are listed); -EEXIST; other errors.
 */
int capture_write(const struct host_root *root, const char *out, bool masked,
		  const struct capture_extra *extra, struct capture_result *ret, struct error *e);

/*
 * capture_write_fd() - as capture_write(), into a file that is open
 * @fd: empty and open for writing; stays the caller's, also with what was written before an error
 *
 * Return: as capture_write(), but -EEXIST; -ENOSPC when the file system is full; the error of
 * o->step().
 */
int capture_write_fd(const struct host_root *root, int fd, const struct capture_options *o,
		     struct capture_result *ret, struct error *e);

void capture_result_done(struct capture_result *r);

#endif
