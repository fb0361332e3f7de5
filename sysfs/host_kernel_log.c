// SPDX-License-Identifier: LGPL-2.1-or-later
/* The lines of the kernel's log that are about CXL. */
#include "sysfs/host_kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "sysfs/kernel_log.h"

/* Return: 0; the error of reading; -ENOMEM. */
static int kernel_log_read_captured(const struct host_root *root, struct kernel_log *log)
{
	_cleanup_free_ char *text = NULL;
	int r = host_root_read(root, KERNEL_LOG_CAPTURE_PATH, KERNEL_LOG_FILE_MAX, &text, NULL);

	if (r == 0)
		kernel_log_add_text(log, text);
	return r;
}

static int kernel_log_read_live(const struct host_root *root, struct kernel_log *log)
{
	_cleanup_close_ int fd = openat(root->dirfd, "dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : kernel_log_read_kmsg(log, fd);
}

/* As the user of this process, or by the helper, which may read more. */
static int kernel_log_read_by(const struct host_root *root, struct kernel_log *log)
{
	struct opener *o = root->admin ? root->admin : root->opener;
	_cleanup_free_ char *text = NULL;
	int r = -EACCES;

	if (opener_is_up(o)) {
		text = malloc(KERNEL_LOG_TEXT_MAX + 1);
		if (!text)
			return -ENOMEM;
		r = opener_kernel_log(o, text, KERNEL_LOG_TEXT_MAX + 1);
		if (r == 0)
			kernel_log_add_text(log, text);
	} else if (opener_may_open(o)) {
		r = kernel_log_read_live(root, log);
	}
	return r;
}

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
	r = b->root->captured ? kernel_log_read_captured(b->root, log)
			      : kernel_log_read_by(b->root, log);
	if (r == -ENOMEM)
		return r;
	if (r == 0)
		return kernel_log_publish(b, log);
	b->host->kernel_log_absent = kernel_log_absence(b, r);
	return b->host->kernel_log_absent ? 0 : -ENOMEM;
}
