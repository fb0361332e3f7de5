/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_ROOT_H
#define CXLR_SYSFS_HOST_ROOT_H

/*
 * The host that is read: the live machine, or a captured host.
 *
 * The live machine is opened by host_root_open_live(), a captured host by capture/captured_host.h.
 * All files but those below /sys are read relative to `dirfd`. One object per process, owned by
 * main; readable from any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "opener/opener.h"
#include "sysfs/acpi_dump.h"

struct host_root {
	bool captured;
	/* A captured host that is read where it lies, by `dirfd` alone: /sys of this process is
	 * that of another host. */
	bool in_place;
	char *path; /* as the user gave it, for messages; NULL for the live machine */
	int dirfd;  /* "/" of the live machine, or the capture's top directory */
	/* The UUID of this program's service on the live machine, 8-4-4-4-12; set by main before
	 * threads are started, "" when there is none. */
	char service_uuid[37];
	bool service_restarts; /* systemd starts the service again where it asks for that */
	/* ACPI tables that were handed in: by the user, or as files inside of the capture. */
	struct acpi_dump dump;
	/* The client that opens privileged files of the live machine; set by main before threads
	 * are started, who owns it; NULL: directly. */
	struct opener *opener;
	/* The client that is asked for what this process may not see itself: the processes that
	 * have a dax device, and the addresses of /proc/iomem; set by main. NULL: `opener`. */
	struct opener *admin;
};

/* In a captured host: the size of a page, as `getconf PAGESIZE` prints it. */
#define CAPTURE_PAGE_SIZE_PATH "cmd/getconf-PAGESIZE"

/* A captured host is untrusted: no more than this is unpacked or read. */
#define CAPTURE_BYTES_MAX  (256ULL * 1024 * 1024)
#define CAPTURE_FILES_MAX  400000
#define CAPTURE_MEMORY_MAX (1024ULL * 1024 * 1024) /* of the tmpfs: every file takes a page */

/* host_root_open_live() - the live machine. Return: 0; the error of opening "/"; -ENOMEM. */
int host_root_open_live(struct host_root **ret, struct error *e);

/* Accepts NULL. Return: NULL. The namespace stays until the process ends. */
struct host_root *host_root_free(struct host_root *root);

/* The longest path and the deepest nesting of a captured tree; real ones reach 150 and 14. */
enum { CAPTURE_PATH_MAX = 1024, CAPTURE_DEPTH_MAX = 64 };

/*
 * host_path_is_safe() - whether @path may be created or read below a capture's top directory
 *
 * Return: true for a relative path of plain components: none empty, "." or "..", no control
 * characters, not too long, not too deep.
 */
bool host_path_is_safe(const char *path);

/*
 * host_root_read() - read a file of the host
 * @path: relative to the host's "/", without a leading slash, e.g. "proc/iomem", "prm/pairs.txt"
 * @max, @ret, @ret_len: as read_file_at()
 *
 * "sys/..." is the host's sysfs in both cases. prm/, mbox/, events/ exist in captures only.
 *
 * Return: 0 or a negative errno.
 */
int host_root_read(const struct host_root *root, const char *path, size_t max, char **ret,
		   size_t *ret_len);

/*
 * host_root_open_sys() - a directory of the host's sysfs, for struct attr_dir
 * @path: absolute, "/sys/bus/cxl/devices"
 *
 * Return: a descriptor as of attr_open_dir(); -1 and errno.
 */
int host_root_open_sys(const struct host_root *root, const char *path);

#endif
