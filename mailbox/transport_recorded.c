// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The output payloads that a captured host has in mbox/memN/COMMAND.bin. A command without a file
// is one that the device does not support. Only successful ones are recorded.

#include "mailbox/transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

enum { RECORDED_PATH_MAX = 256 };

struct recorded {
	struct mailbox_transport transport;
	const struct host_root *root;
};

/* The devices are those of the snapshot; this transport lists none of its own. */
static const char *recorded_device(const struct mailbox_transport *t, size_t i)
{
	(void)t, (void)i;
	return NULL;
}

static int recorded_prepare(struct mailbox_transport *t, const char *device)
{
	(void)t, (void)device;
	return 0;
}

static int recorded_send(struct mailbox_transport *t, const char *device,
			 const struct mailbox_command *command, uint8_t *output,
			 unsigned int *ret_code)
{
	const struct recorded *recorded = (const struct recorded *)t;
	_cleanup_free_ char *data = NULL;
	char path[RECORDED_PATH_MAX];
	size_t len;
	int r;

	*ret_code = MAILBOX_SUCCESS;
	(void)snprintf(path, sizeof(path), "mbox/%s/%s.bin", device, command->name);
	r = host_root_read(recorded->root, path, MAILBOX_OUTPUT_MAX, &data, &len);
	if (r < 0)
		return r == -ENOENT ? -EOPNOTSUPP : r;
	memcpy(output, data, len);
	return (int)len;
}

static void recorded_free(struct mailbox_transport *t)
{
	free(t);
}

int transport_recorded_new(const struct host_root *root, struct mailbox_transport **ret,
			   struct error *e)
{
	static const struct mailbox_transport_ops ops = {
		.directory = "mbox/",
		.device = recorded_device,
		.prepare = recorded_prepare,
		.send = recorded_send,
		.free = recorded_free,
	};
	struct recorded *recorded = calloc(1, sizeof(*recorded));

	if (!recorded)
		return error_set(e, ENOMEM, "out of memory");
	recorded->transport.ops = &ops;
	recorded->root = root;
	*ret = &recorded->transport;
	return 0;
}
