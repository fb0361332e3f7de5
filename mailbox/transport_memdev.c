// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/transport_memdev.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cxl/libcxl.h>
#include <linux/cxl_mem.h>

#include "common/array.h"
#include "common/cleanup.h"

/* Linux 7.3 has 25 commands, and lists them in the order of their ids. */
enum { QUERY_COMMANDS_MAX = 32, NODE_PATH_MAX = 256 };

/* struct cxl_command_info, flags; since Linux 6.3 */
#define COMMAND_ENABLED (1U << 0)

/*
 * How a command is sent. The ids are those of include/uapi/linux/cxl_mem.h, which never change; by
 * number, because the names are an enum there, in which the headers of Linux 6.1 lack the later
 * ones.
 */
struct memdev_command {
	uint16_t opcode;
	uint32_t id;
	struct cxl_cmd *(*make)(struct cxl_memdev *memdev); /* libcxl's call; NULL without one */
};

static const struct memdev_command memdev_commands[] = {
	{0x0200, 4, NULL},			    /* Get FW Info */
	{0x0300, 21, NULL},			    /* Get Timestamp, since Linux 6.3 */
	{0x0402, 22, NULL},			    /* Get Log Capabilities, since Linux 6.11 */
	{0x4000, 1, cxl_cmd_new_identify},	    /* Identify Memory Device */
	{0x4100, 5, cxl_cmd_new_get_partition},	    /* Get Partition Info */
	{0x4200, 7, cxl_cmd_new_get_health_info},   /* Get Health Info */
	{0x4201, 11, cxl_cmd_new_get_alert_config}, /* Get Alert Configuration */
	{0x4203, 13, NULL},			    /* Get Shutdown State */
};

struct memdev_node {
	const char *name;
	struct cxl_memdev *cxl;
	bool prepared;
	uint32_t supported; /* a bit for each command id */
};

DEFINE_ARRAY(struct memdev_node, memdev_node_list);

struct memdev_transport {
	struct mailbox_transport transport;
	int dirfd;
	struct cxl_ctx *cxl;
	struct memdev_node_list nodes; /* in strcmp() order */
};

static struct memdev_transport *of_memdev(const struct mailbox_transport *t)
{
	return (struct memdev_transport *)(uintptr_t)t;
}

/* Errors are reported by notes, not by libcxl on standard error. */
static void memdev_drop_log(struct cxl_ctx *ctx, int priority, const char *file, int line,
			    const char *fn, const char *format, va_list args)
{
	(void)ctx, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

static int node_order(const void *a, const void *b)
{
	const struct memdev_node *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int memdev_list(struct memdev_transport *t)
{
	struct cxl_memdev *memdev;

	cxl_memdev_foreach(t->cxl, memdev)
	{
		struct memdev_node *node = memdev_node_list_add(&t->nodes);

		if (!node)
			return -ENOMEM;
		*node = (struct memdev_node){.name = cxl_memdev_get_devname(memdev), .cxl = memdev};
	}
	if (t->nodes.n > 1)
		qsort(t->nodes.items, t->nodes.n, sizeof(t->nodes.items[0]), node_order);
	return 0;
}

static const char *memdev_device(const struct mailbox_transport *t, size_t i)
{
	const struct memdev_node_list *nodes = &of_memdev(t)->nodes;

	return i < nodes->n ? nodes->items[i].name : NULL;
}

static struct memdev_node *memdev_find_node(struct memdev_transport *t, const char *device)
{
	const struct memdev_node key = {.name = device};

	if (t->nodes.n == 0)
		return NULL;
	return bsearch(&key, t->nodes.items, t->nodes.n, sizeof(key), node_order);
}

static int memdev_open(const struct memdev_transport *t, const char *device)
{
	char path[NODE_PATH_MAX];
	int fd;

	(void)snprintf(path, sizeof(path), "dev/cxl/%s", device);
	fd = openat(t->dirfd, path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * CXL_MEM_QUERY_COMMANDS lists the commands that the driver knows, with a flag for those that the
 * device supports. Linux before 6.3 has no such flag: then all must be tried, and ENOTTY is the
 * answer to the others.
 */
static uint32_t supported_commands(const struct cxl_command_info *infos, size_t n)
{
	uint32_t known = 0, enabled = 0;

	for (size_t i = 0; i < n; i++) {
		if (infos[i].id == 0 || infos[i].id >= 32)
			continue;
		known |= 1U << infos[i].id;
		if (infos[i].flags & COMMAND_ENABLED)
			enabled |= 1U << infos[i].id;
	}
	return enabled ? enabled : known;
}

static int memdev_prepare(struct mailbox_transport *transport, const char *device)
{
	union {
		struct cxl_mem_query_commands head;
		unsigned char bytes[sizeof(struct cxl_mem_query_commands) +
				    QUERY_COMMANDS_MAX * sizeof(struct cxl_command_info)];
	} query = {.head.n_commands = QUERY_COMMANDS_MAX};
	struct cxl_command_info infos[QUERY_COMMANDS_MAX];
	struct memdev_transport *t = of_memdev(transport);
	struct memdev_node *node = memdev_find_node(t, device);
	_cleanup_close_ int fd = -1;

	if (!node)
		return -ENOENT;
	if (node->prepared)
		return 0;
	fd = memdev_open(t, device);
	if (fd < 0)
		return fd;
	if (ioctl(fd, CXL_MEM_QUERY_COMMANDS, &query) < 0)
		return -errno;
	memcpy(infos, query.bytes + sizeof(query.head), sizeof(infos));
	node->supported = supported_commands(infos, QUERY_COMMANDS_MAX);
	node->prepared = true;
	return 0;
}

static int memdev_send_by_libcxl(const struct memdev_node *node, const struct memdev_command *how,
				 uint8_t *output, unsigned int *ret_code)
{
	struct cxl_cmd *cmd;
	int r;

	errno = 0;
	cmd = how->make(node->cxl);
	if (!cmd)
		return errno ? -errno : -EIO;
	r = cxl_cmd_set_output_payload(cmd, output, MAILBOX_OUTPUT_MAX);
	if (r == 0)
		r = cxl_cmd_submit(cmd);
	if (r >= 0) {
		*ret_code = (unsigned int)cxl_cmd_get_mbox_status(cmd);
		r = cxl_cmd_get_out_size(cmd);
	}
	cxl_cmd_unref(cmd);
	return r;
}

static int memdev_send_by_ioctl(const struct memdev_transport *t, const char *device,
				const struct memdev_command *how,
				const struct mailbox_command *command, uint8_t *output,
				unsigned int *ret_code)
{
	struct cxl_send_command send = {
		.id = how->id,
		.in = {.size = command->input_len, .payload = (uintptr_t)command->input},
		.out = {.size = MAILBOX_OUTPUT_MAX, .payload = (uintptr_t)output},
	};
	_cleanup_close_ int fd = memdev_open(t, device);

	if (fd < 0)
		return fd;
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &send) < 0)
		return -errno;
	*ret_code = send.retval;
	return send.out.size > INT_MAX ? -EMSGSIZE : (int)send.out.size;
}

static const struct memdev_command *memdev_command_of(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(memdev_commands); i++)
		if (memdev_commands[i].opcode == opcode)
			return &memdev_commands[i];
	return NULL;
}

static int memdev_send(struct mailbox_transport *transport, const char *device,
		       const struct mailbox_command *command, uint8_t *output,
		       unsigned int *ret_code)
{
	const struct memdev_command *how = memdev_command_of(command->opcode);
	struct memdev_transport *t = of_memdev(transport);
	const struct memdev_node *node = memdev_find_node(t, device);
	int r;

	*ret_code = MAILBOX_SUCCESS;
	if (!node)
		return -ENOENT;
	if (!how || !(node->supported >> how->id & 1))
		return -EOPNOTSUPP;
	r = how->make ? memdev_send_by_libcxl(node, how, output, ret_code)
		      : memdev_send_by_ioctl(t, device, how, command, output, ret_code);
	return r == -ENOTTY ? -EOPNOTSUPP : r;
}

static void memdev_free(struct mailbox_transport *transport)
{
	struct memdev_transport *t = of_memdev(transport);

	memdev_node_list_done(&t->nodes);
	if (t->cxl)
		cxl_unref(t->cxl);
	cleanup_close(&t->dirfd);
	free(t);
}

static int memdev_init(struct memdev_transport *t, int dirfd, struct error *e)
{
	int r;

	t->dirfd = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	if (t->dirfd < 0)
		return error_set(e, errno, "cannot duplicate a descriptor: %s", strerror(errno));
	r = cxl_new(&t->cxl);
	if (r < 0)
		return error_set(e, r, "libcxl cannot be started: %s", strerror(-r));
	cxl_set_log_fn(t->cxl, memdev_drop_log);
	r = memdev_list(t);
	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

int transport_memdev_new(int dirfd, struct mailbox_transport **ret, struct error *e)
{
	static const struct mailbox_transport_ops ops = {
		.directory = "/dev/cxl/",
		.may_hang = true,
		.device = memdev_device,
		.prepare = memdev_prepare,
		.send = memdev_send,
		.free = memdev_free,
	};
	struct memdev_transport *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	t->transport.ops = &ops;
	t->dirfd = -1;
	r = memdev_init(t, dirfd, e);
	if (r < 0) {
		memdev_free(&t->transport);
		return r;
	}
	*ret = &t->transport;
	return 0;
}
