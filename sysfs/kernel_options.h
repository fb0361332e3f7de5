/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_KERNEL_OPTIONS_H
#define CXLR_SYSFS_KERNEL_OPTIONS_H

/*
 * Options that the running kernel was built with, of /proc/config.gz, or of the file that
 * distributions install as /boot/config-RELEASE. No state; any thread.
 */

#include <stdbool.h>

#include "common/opt.h"
#include "sysfs/host_root.h"

enum { KERNEL_OPTIONS_FROM_MAX = 128 };

/* The options of drivers/cxl that EDAC devices depend on; all absent when no file can be read. */
struct kernel_options {
	struct opt_bool scrub, ecs, repair; /* CONFIG_CXL_EDAC_{SCRUB,ECS,MEM_REPAIR} */
	char from[KERNEL_OPTIONS_FROM_MAX]; /* the file, "/boot/config-6.12.9"; "" none */
};

/*
 * kernel_options_read() - read the options
 * @release: of the kernel, NULL when it is not known
 *
 * A file that is no configuration of a kernel, is damaged, or is longer than 1 MiB, is passed over.
 */
void kernel_options_read(const struct host_root *root, const char *release,
			 struct kernel_options *ret);

#endif
