// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cxl/libcxl.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/capture_set.h"
#include "sysfs/tree_check.h"

/* The read-only commands whose answers are kept, as the device sent them. */
static const struct {
	const char *name;
	struct cxl_cmd *(*make)(struct cxl_memdev *memdev);
} commands[] = {
	{"identify", cxl_cmd_new_identify},
	{"health_info", cxl_cmd_new_get_health_info},
	{"partition_info", cxl_cmd_new_get_partition},
	{"alert_config", cxl_cmd_new_get_alert_config},
};

/* Every device takes payloads of 256 bytes (CXL 3.2, 8.2.9.4.3), and no answer here is longer. */
enum { ANSWER_MAX = 256 };

/* Return: length of the answer, or a negative errno. */
static int ask(struct cxl_cmd *cmd, unsigned char answer[ANSWER_MAX])
{
	int r = cxl_cmd_set_output_payload(cmd, answer, ANSWER_MAX);

	if (r == 0)
		r = cxl_cmd_submit(cmd);
	if (r < 0)
		return r;
	if (cxl_cmd_get_mbox_status(cmd) != 0)
		return -EREMOTEIO;
	r = cxl_cmd_get_out_size(cmd);
	return r > ANSWER_MAX ? -EMSGSIZE : r;
}

/* Asked beforehand: libcxl does not say why it could not make a command. */
static bool may_ask(struct capture_set *set, const char *name)
{
	char node[CAPTURE_PATH_MAX];

	(void)snprintf(node, sizeof(node), "dev/cxl/%s", name);
	if (faccessat(set->dirfd, node, R_OK | W_OK, AT_EACCESS) == 0)
		return true;
	capture_set_missed(set, node, strerror(errno));
	return false;
}

static void ask_memdev(struct capture_set *set, struct cxl_memdev *memdev)
{
	if (!may_ask(set, cxl_memdev_get_devname(memdev)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		unsigned char answer[ANSWER_MAX] = {0};
		char path[CAPTURE_PATH_MAX];
		struct cxl_cmd *cmd;
		int n;

		(void)snprintf(path, sizeof(path), "mbox/%s/%s.bin", cxl_memdev_get_devname(memdev),
			       commands[i].name);
		cmd = commands[i].make(memdev);
		/* libcxl has asked the driver by then which commands it knows. */
		n = cmd ? ask(cmd, answer) : -EOPNOTSUPP;
		cxl_cmd_unref(cmd);
		if (n < 0)
			capture_set_missed(set, path, strerror(-n));
		else
			(void)capture_set_add(set, path, MEMBER_DATA, 0444, answer, (size_t)n);
	}
}

static void quiet(struct cxl_ctx *ctx, int priority, const char *file, int line, const char *fn,
		  const char *format, va_list args)
{
	(void)ctx, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

void capture_mailbox(struct capture_set *set)
{
	struct cxl_memdev *memdev;
	struct cxl_ctx *ctx;
	int r = cxl_new(&ctx);

	if (r < 0) {
		capture_set_missed(set, "mbox", strerror(-r));
		return;
	}
	/* What fails is listed with its path, not told by libcxl on standard error. */
	cxl_set_log_fn(ctx, quiet);
	cxl_memdev_foreach(ctx, memdev) ask_memdev(set, memdev);
	cxl_unref(ctx);
}
