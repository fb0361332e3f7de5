// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sending one command to a memory device, or finding the record of what it answered. */
#include "mailbox/mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/cxl_mem.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/mailbox_commands.h"

/* Linux 7.3 has 25 commands, and lists them in the order of their ids. */
enum { QUERY_COMMANDS_MAX = 32, PATH_BYTES_MAX = 256 };

/* struct cxl_command_info, flags; since Linux 6.3 */
#define COMMAND_ENABLED (1U << 0)

struct device {
	const char *name;
	struct cxl_memdev *cxl;
	bool prepared;
	uint32_t supported; /* a bit for each command id */
};

DEFINE_ARRAY(struct device, device_list);

struct mailbox_client {
	atomic_uint references;	      /* its owner's, and one of each thread that asks */
	const struct host_root *root; /* a captured host, which has nothing of the rest, or NULL */
	int dirfd;		      /* of a live one */
	struct cxl_ctx *cxl;
	struct device_list devices;
};

/* What fails is said in a note, not by libcxl on standard error. */
static void quiet(struct cxl_ctx *ctx, int priority, const char *file, int line, const char *fn,
		  const char *format, va_list args)
{
	(void)ctx, (void)priority, (void)file, (void)line, (void)fn, (void)format, (void)args;
}

static int device_order(const void *a, const void *b)
{
	const struct device *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int list_devices(struct mailbox_client *c)
{
	struct cxl_memdev *memdev;

	cxl_memdev_foreach(c->cxl, memdev)
	{
		struct device *device = device_list_add(&c->devices);

		if (!device)
			return -ENOMEM;
		*device = (struct device){.name = cxl_memdev_get_devname(memdev), .cxl = memdev};
	}
	if (c->devices.n > 1)
		qsort(c->devices.items, c->devices.n, sizeof(c->devices.items[0]), device_order);
	return 0;
}

DEFINE_CLEANUP(struct mailbox_client, mailbox_client_free);

int mailbox_client_new(const struct host_root *root, struct mailbox_client **ret, struct error *e)
{
	_cleanup_(mailbox_client_freep) struct mailbox_client *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return error_set(e, ENOMEM, "out of memory");
	atomic_init(&c->references, 1);
	c->dirfd = -1;
	if (root->captured) {
		c->root = root;
	} else {
		/* A thread that hangs may come back when the root is gone. */
		c->dirfd = fcntl(root->dirfd, F_DUPFD_CLOEXEC, 0);
		if (c->dirfd < 0)
			return error_set(e, errno, "cannot duplicate a descriptor: %s",
					 strerror(errno));
		r = cxl_new(&c->cxl);
		if (r < 0)
			return error_set(e, r, "libcxl: %s", strerror(-r));
		cxl_set_log_fn(c->cxl, quiet);
		r = list_devices(c);
		if (r < 0)
			return error_set(e, r, "out of memory");
	}
	*ret = STEAL_PTR(c);
	return 0;
}

struct mailbox_client *mailbox_client_ref(struct mailbox_client *c)
{
	atomic_fetch_add_explicit(&c->references, 1, memory_order_relaxed);
	return c;
}

struct mailbox_client *mailbox_client_free(struct mailbox_client *c)
{
	if (!c || atomic_fetch_sub_explicit(&c->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	device_list_done(&c->devices);
	if (c->cxl)
		cxl_unref(c->cxl);
	cleanup_close(&c->dirfd);
	free(c);
	return NULL;
}

bool mailbox_client_is_live(const struct mailbox_client *c)
{
	return !c->root;
}

const char *mailbox_client_memdev(const struct mailbox_client *c, size_t i)
{
	return i < c->devices.n ? c->devices.items[i].name : NULL;
}

static struct device *find_device(struct mailbox_client *c, const char *memdev)
{
	const struct device key = {.name = memdev};

	if (c->devices.n == 0)
		return NULL;
	return bsearch(&key, c->devices.items, c->devices.n, sizeof(key), device_order);
}

static int open_node(const struct mailbox_client *c, const char *memdev)
{
	char path[PATH_BYTES_MAX];
	int fd;

	(void)snprintf(path, sizeof(path), "dev/cxl/%s", memdev);
	fd = openat(c->dirfd, path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * CXL_MEM_QUERY_COMMANDS lists what the driver knows, and flags what the device supports. Linux
 * before 6.3 has no such flag: then all must be tried, and ENOTTY says what is not supported.
 */
static uint32_t supported(const struct cxl_command_info *infos, size_t n)
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

int mailbox_prepare(struct mailbox_client *c, const char *memdev)
{
	union {
		struct cxl_mem_query_commands head;
		unsigned char room[sizeof(struct cxl_mem_query_commands) +
				   QUERY_COMMANDS_MAX * sizeof(struct cxl_command_info)];
	} query = {.head.n_commands = QUERY_COMMANDS_MAX};
	struct cxl_command_info infos[QUERY_COMMANDS_MAX];
	struct device *device = find_device(c, memdev);
	_cleanup_close_ int fd = -1;

	if (!device)
		return -ENOENT;
	if (device->prepared)
		return 0;
	fd = open_node(c, memdev);
	if (fd < 0)
		return fd;
	if (ioctl(fd, CXL_MEM_QUERY_COMMANDS, &query) < 0)
		return -errno;
	memcpy(infos, query.room + sizeof(query.head), sizeof(infos));
	device->supported = supported(infos, QUERY_COMMANDS_MAX);
	device->prepared = true;
	return 0;
}

static int ask_by_libcxl(const struct device *device, const struct mailbox_command *command,
			 uint8_t answer[MAILBOX_ANSWER_MAX], unsigned int *ret_code)
{
	struct cxl_cmd *cmd;
	int r;

	errno = 0;
	cmd = command->make(device->cxl);
	if (!cmd)
		return errno ? -errno : -EIO;
	r = cxl_cmd_set_output_payload(cmd, answer, MAILBOX_ANSWER_MAX);
	if (r == 0)
		r = cxl_cmd_submit(cmd);
	if (r >= 0) {
		*ret_code = (unsigned int)cxl_cmd_get_mbox_status(cmd);
		r = cxl_cmd_get_out_size(cmd);
	}
	cxl_cmd_unref(cmd);
	return r;
}

static int ask_by_ioctl(const struct mailbox_client *c, const char *memdev,
			const struct mailbox_command *command, uint8_t answer[MAILBOX_ANSWER_MAX],
			unsigned int *ret_code)
{
	struct cxl_send_command send = {
		.id = command->id,
		.in = {.size = command->input_len, .payload = (uintptr_t)command->input},
		.out = {.size = MAILBOX_ANSWER_MAX, .payload = (uintptr_t)answer},
	};
	_cleanup_close_ int fd = open_node(c, memdev);

	if (fd < 0)
		return fd;
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &send) < 0)
		return -errno;
	*ret_code = send.retval;
	return send.out.size > INT_MAX ? -EMSGSIZE : (int)send.out.size;
}

static int ask_live(struct mailbox_client *c, const char *memdev,
		    const struct mailbox_command *command, uint8_t answer[MAILBOX_ANSWER_MAX],
		    unsigned int *ret_code)
{
	const struct device *device = find_device(c, memdev);
	int r;

	if (!device)
		return -ENOENT;
	if (!(device->supported >> command->id & 1))
		return -EOPNOTSUPP;
	r = command->make ? ask_by_libcxl(device, command, answer, ret_code)
			  : ask_by_ioctl(c, memdev, command, answer, ret_code);
	return r == -ENOTTY ? -EOPNOTSUPP : r;
}

static int find_recorded(const struct mailbox_client *c, const char *memdev,
			 const struct mailbox_command *command, uint8_t answer[MAILBOX_ANSWER_MAX])
{
	_cleanup_free_ char *data = NULL;
	char path[PATH_BYTES_MAX];
	size_t len;
	int r;

	(void)snprintf(path, sizeof(path), "mbox/%s/%s.bin", memdev, command->name);
	r = host_root_read(c->root, path, MAILBOX_ANSWER_MAX, &data, &len);
	if (r < 0)
		return r == -ENOENT ? -EOPNOTSUPP : r;
	memcpy(answer, data, len);
	return (int)len;
}

int mailbox_ask(struct mailbox_client *c, const char *memdev, const struct mailbox_command *command,
		uint8_t answer[MAILBOX_ANSWER_MAX], unsigned int *ret_code)
{
	int r;

	*ret_code = MAILBOX_SUCCESS;
	r = c->root ? find_recorded(c, memdev, command, answer)
		    : ask_live(c, memdev, command, answer, ret_code);
	return r > MAILBOX_ANSWER_MAX ? -EMSGSIZE : r;
}
