// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/requests.h"

#include <errno.h>

#include "common/cleanup.h"
#include "mailbox/commands.h"
#include "mailbox/memdev_ioctl.h"
#include "opener/request.h"

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

static int request_commands(const struct files *f, const struct opener_request *q,
			    struct request_result *ret)
{
	_cleanup_close_ int fd = files_open_memdev(f, q->device);
	uint32_t supported = 0;
	int r = fd < 0 ? fd : memdev_query(fd, &supported);

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
	if (fd < 0)
		return fd;
	r = memdev_send(fd, &rows[q->row], output, &code);
	ret->reply.code = code;
	if (r > 0)
		ret->reply.len = r < MAILBOX_OUTPUT_MAX ? (uint32_t)r : MAILBOX_OUTPUT_MAX;
	return r;
}

void request_run(const struct files *f, const struct opener_request *q, struct request_result *ret)
{
	static int (*const kinds[OPENER_KINDS])(const struct files *f,
						const struct opener_request *q,
						struct request_result *ret) = {
		[OPENER_OPEN] = request_open,	    [OPENER_LIST] = request_list,
		[OPENER_STAT] = request_stat,	    [OPENER_COMMANDS] = request_commands,
		[OPENER_COMMAND] = request_command,
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
