// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Mailbox commands of memory devices, by CXL_MEM_SEND_COMMAND of /dev/cxl/memN, and only those that
// the driver lists as supported by the device.
//
// Sources: drivers/cxl/core/mbox.c; include/uapi/linux/cxl_mem.h.

#include "mailbox/transport.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/memdev_ioctl.h"

#define DEVICES_PATH "sys/bus/cxl/devices"

enum { NODE_PATH_MAX = 256 };

struct memdev_node {
	char *name;
	bool prepared;
	uint32_t supported; /* a bit for each command id */
};

DEFINE_ARRAY(struct memdev_node, memdev_node_list);

struct memdev_transport {
	struct mailbox_transport transport;
	int dirfd;
	struct memdev_node_list nodes; /* in strcmp() order */
};

static struct memdev_transport *of_memdev(const struct mailbox_transport *t)
{
	return (struct memdev_transport *)(uintptr_t)t;
}

static int node_order(const void *a, const void *b)
{
	const struct memdev_node *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int memdev_list(struct memdev_transport *t)
{
	const int fd = openat(t->dirfd, DEVICES_PATH, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd >= 0 && !dir)
		(void)close(fd);
	while (dir && (entry = readdir(dir))) {
		const char *number = str_after_prefix(entry->d_name, "mem");
		struct memdev_node *node;

		if (!number || !isdigit((unsigned char)*number))
			continue;
		node = memdev_node_list_add(&t->nodes);
		if (!node)
			return -ENOMEM;
		*node = (struct memdev_node){.name = strdup(entry->d_name)};
		if (!node->name)
			return -ENOMEM;
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
	const struct memdev_node key = {.name = (char *)device};

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

static int memdev_prepare(struct mailbox_transport *transport, const char *device)
{
	struct memdev_transport *t = of_memdev(transport);
	struct memdev_node *node = memdev_find_node(t, device);
	_cleanup_close_ int fd = -1;
	int r;

	if (!node)
		return -ENOENT;
	if (node->prepared)
		return 0;
	fd = memdev_open(t, device);
	if (fd < 0)
		return fd;
	r = memdev_query(fd, &node->supported);
	node->prepared = r == 0;
	return r;
}

static int memdev_transport_send(struct mailbox_transport *transport, const char *device,
				 const struct mailbox_command *command, uint8_t *output,
				 unsigned int *ret_code)
{
	const uint32_t id = memdev_command_id(command->opcode);
	struct memdev_transport *t = of_memdev(transport);
	const struct memdev_node *node = memdev_find_node(t, device);
	_cleanup_close_ int fd = -1;

	*ret_code = MAILBOX_SUCCESS;
	if (!node)
		return -ENOENT;
	if (!id || !(node->supported >> id & 1))
		return -EOPNOTSUPP;
	fd = memdev_open(t, device);
	return fd < 0 ? fd : memdev_send(fd, command, output, ret_code);
}

static void memdev_free(struct mailbox_transport *transport)
{
	struct memdev_transport *t = of_memdev(transport);

	ARRAY_FOREACH(node, &t->nodes)
		free(node->name);
	memdev_node_list_done(&t->nodes);
	cleanup_close(&t->dirfd);
	free(t);
}

static int memdev_init(struct memdev_transport *t, int dirfd, struct error *e)
{
	int r;

	t->dirfd = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	if (t->dirfd < 0)
		return error_set(e, errno, "cannot duplicate a descriptor: %s", strerror(errno));
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
		.send = memdev_transport_send,
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
