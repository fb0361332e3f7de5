// SPDX-License-Identifier: LGPL-2.1-or-later
/* The lines of the kernel's log that are about CXL. */
#include "sysfs/host_kernel_log.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "sysfs/kernel_log.h"

static const char *kernel_log_absence(const struct build *b, int error)
{
	if (b->root->captured && error == -ENOENT)
		return "the captured host has no " KERNEL_LOG_CAPTURE_PATH;
	if (!b->root->captured && (error == -EACCES || error == -EPERM))
		return "Linux shows its log only with CAP_SYSLOG: run cxl-spa as root; the service needs cxl-redfish-helper with it";
	return arena_printf(b->arena, "the kernel log cannot be read: %s", strerror(-error));
}

static int kernel_log_publish(struct build *b, struct kernel_log *log)
{
	struct kernel_log_line *lines;
	char *text, *line;

	text = arena_alloc(b->arena, KERNEL_LOG_TEXT_MAX);
	lines = ARENA_ARRAY(b->arena, log->n, struct kernel_log_line);
	if (!text || !lines)
		return -ENOMEM;
	(void)kernel_log_write(log, text);
	for (size_t i = 0; i < log->n; i++) {
		line = strsep(&text, "\n");
		lines[i].text = kernel_log_split(line, &lines[i].us);
	}
	b->host->kernel_log = lines;
	b->host->n_kernel_log = log->n;
	b->host->n_kernel_log_left_out = log->n_dropped;
	return 0;
}

int build_kernel_log(struct build *b)
{
	_cleanup_free_ struct kernel_log *log = calloc(1, sizeof(*log));
	int r;

	if (!log)
		return -ENOMEM;
	r = kernel_log_read(b->root, log);
	if (r == -ENOMEM)
		return r;
	if (r == 0)
		return kernel_log_publish(b, log);
	b->host->kernel_log_absent = kernel_log_absence(b, r);
	return b->host->kernel_log_absent ? 0 : -ENOMEM;
}
