// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/requests.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/memdev_ioctl.h"
#include "opener/request.h"
#include "sysfs/page_use.h"

/* The directory that opener_request_parse() admits is this and a number. */
#define MEMORY_BLOCK_PATH "/" MEMORY_DIRECTORY "/memory"

_Static_assert(DAX_HOLDERS_MAX * sizeof(struct dax_holder) <= OPENER_LIST_MAX,
	       "all holders fit into a reply");
_Static_assert((int)KERNEL_LOG_TEXT_MAX <= (int)OPENER_LIST_MAX, "all lines fit into a reply");

static int request_open(const struct files *f, const struct opener_request *q,
			struct request_result *ret)
{
	const int fd = files_open(f, q->path);

	if (fd < 0)
		return fd;
	ret->fd = fd;
	return 0;
}

static int request_list(const struct files *f, const struct opener_request *q,
			struct request_result *ret)
{
	size_t len = 0;
	int r = files_list(f, q->path, ret->payload, &len);

	ret->reply.len = (uint32_t)len;
	return r;
}

static int request_stat(const struct files *f, const struct opener_request *q,
			struct request_result *ret)
{
	return files_stat(f, q->path, &ret->reply.value, &ret->reply.value2);
}

/*
 * The devices whose mailbox is in use, one for each request. A device that does not answer holds
 * the threads of its requests, and would hold all of them after enough captures that were given up.
 */
static struct {
	pthread_mutex_t lock;
	size_t n;
	uint32_t devices[REQUEST_DEVICES_MAX];
} in_use = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Return: 0; -EBUSY. */
static int device_enter(uint32_t device)
{
	size_t same = 0;
	int r = -EBUSY;

	(void)pthread_mutex_lock(&in_use.lock);
	for (size_t i = 0; i < in_use.n; i++)
		same += in_use.devices[i] == device;
	if (same < REQUEST_PER_DEVICE_MAX && in_use.n < ARRAY_SIZE(in_use.devices)) {
		in_use.devices[in_use.n++] = device;
		r = 0;
	}
	(void)pthread_mutex_unlock(&in_use.lock);
	return r;
}

static void device_leave(uint32_t device)
{
	size_t i = 0;

	(void)pthread_mutex_lock(&in_use.lock);
	while (in_use.devices[i] != device)
		i++;
	in_use.devices[i] = in_use.devices[--in_use.n];
	(void)pthread_mutex_unlock(&in_use.lock);
}

static int request_commands(const struct files *f, const struct opener_request *q,
			    struct request_result *ret)
{
	_cleanup_close_ int fd = files_open_memdev(f, q->device);
	uint32_t supported = 0;
	int r = fd < 0 ? fd : device_enter(q->device);

	if (r < 0)
		return r;
	r = memdev_query(fd, &supported);
	device_leave(q->device);
	ret->reply.value = supported;
	return r;
}

/* Only a row of the table; its payload is this program's own. */
static int request_command(const struct files *f, const struct opener_request *q,
			   struct request_result *ret)
{
	uint8_t *output = (uint8_t *)ret->payload;
	const struct mailbox_command *rows;
	_cleanup_close_ int fd = -1;
	unsigned int code = 0;
	size_t n;
	int r;

	rows = mailbox_commands(&n);
	if (q->row >= n || rows[q->row].opcode != q->opcode)
		return -EACCES;
	fd = files_open_memdev(f, q->device);
	r = fd < 0 ? fd : device_enter(q->device);
	if (r < 0)
		return r;
	r = memdev_send(fd, &rows[q->row], output, &code);
	device_leave(q->device);
	ret->reply.code = code;
	if (r > 0)
		ret->reply.len = r < MAILBOX_OUTPUT_MAX ? (uint32_t)r : MAILBOX_OUTPUT_MAX;
	return r;
}

static int request_block_pages(const struct files *f, const struct opener_request *q,
			       struct request_result *ret)
{
	uint64_t number;
	int r = parse_u64(q->path + sizeof(MEMORY_BLOCK_PATH) - 1, &number);

	if (r < 0)
		return r;
	ret->reply.len = sizeof(struct block_pages);
	return block_pages_read(f->root, number, (struct block_pages *)(void *)ret->payload);
}

static int request_page_use(const struct files *f, const struct opener_request *q,
			    struct request_result *ret)
{
	ret->reply.len = sizeof(struct page_use);
	return page_use_read(f->root, (uint64_t)q->row << 32 | q->device,
			     (struct page_use *)(void *)ret->payload);
}

static int request_dax_holders(const struct files *f, const struct opener_request *q,
			       struct request_result *ret)
{
	bool complete = false;
	size_t n = 0;
	int r = files_dax_holders(f, (struct dax_holder *)(void *)ret->payload, &n, &complete);

	(void)q;
	ret->reply.len = (uint32_t)(n * sizeof(struct dax_holder));
	ret->reply.value = complete;
	return r;
}

static int request_kernel_log(const struct files *f, const struct opener_request *q,
			      struct request_result *ret)
{
	_cleanup_free_ struct kernel_log *log = calloc(1, sizeof(*log));
	int r = log ? files_kernel_log(f, log) : -ENOMEM;

	(void)q;
	if (r == 0)
		ret->reply.len = (uint32_t)kernel_log_write(log, ret->payload);
	return r;
}

void request_run(const struct files *f, const struct opener_request *q, struct request_result *ret)
{
	static int (*const kinds[OPENER_KINDS])(const struct files *f,
						const struct opener_request *q,
						struct request_result *ret) = {
		[OPENER_OPEN] = request_open,
		[OPENER_LIST] = request_list,
		[OPENER_STAT] = request_stat,
		[OPENER_COMMANDS] = request_commands,
		[OPENER_COMMAND] = request_command,
		[OPENER_BLOCK_PAGES] = request_block_pages,
		[OPENER_DAX_HOLDERS] = request_dax_holders,
		[OPENER_KERNEL_LOG] = request_kernel_log,
		[OPENER_PAGE_USE] = request_page_use,
	};

	ret->reply = (struct opener_reply){0};
	ret->fd = -1;
	ret->reply.result =
		q->kind < OPENER_KINDS && kinds[q->kind] ? kinds[q->kind](f, q, ret) : -EBADMSG;
	if (ret->reply.result < 0)
		ret->reply.len = 0;
}

int request_serve(void *userdata, const void *packet, size_t len, struct request_result *ret)
{
	struct opener_request q;
	int r = opener_request_parse(packet, len, &q);

	if (r < 0)
		return r;
	if (q.kind == OPENER_WATCH)
		return REQUEST_WATCHES;
	request_run(userdata, &q, ret);
	return 0;
}
