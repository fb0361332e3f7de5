// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Mailbox commands of memory devices, by cxl-redfish-helper, for a process that may not open
// /dev/cxl/memN. The helper sends only commands of the table (command.h).

#include "mailbox/transport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/memdev_ioctl.h"

_Static_assert((int)OPENER_OUTPUT_MAX == (int)MAILBOX_OUTPUT_MAX, "an output fits a reply");

struct helper_node {
	const char *name; /* in `names` */
	uint32_t number;
	bool prepared;
	uint32_t supported; /* a bit for each command id */
};

DEFINE_ARRAY(struct helper_node, helper_node_list);

struct helper_transport {
	struct mailbox_transport transport;
	struct opener *opener;
	char *names;
	struct helper_node_list nodes; /* in strcmp() order */
};

static struct helper_transport *of_helper(const struct mailbox_transport *t)
{
	return (struct helper_transport *)(uintptr_t)t;
}

static int helper_node_order(const void *a, const void *b)
{
	const struct helper_node *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int transport_list(struct helper_transport *t)
{
	size_t len;
	/* Every user may list it. */
	int r = opener_list(NULL, "/sys/bus/cxl/devices", &t->names, &len);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	for (const char *name = t->names; name < t->names + len; name += strlen(name) + 1) {
		const char *digits = str_after_prefix(name, "mem");
		struct helper_node *node;
		uint64_t number;

		if (!digits || parse_u64(digits, &number) < 0 || number > OPENER_DEVICE_MAX)
			continue;
		node = helper_node_list_add(&t->nodes);
		if (!node)
			return -ENOMEM;
		*node = (struct helper_node){.name = name, .number = (uint32_t)number};
	}
	if (t->nodes.n > 1)
		qsort(t->nodes.items, t->nodes.n, sizeof(t->nodes.items[0]), helper_node_order);
	return 0;
}

static const char *helper_device(const struct mailbox_transport *t, size_t i)
{
	const struct helper_node_list *nodes = &of_helper(t)->nodes;

	return i < nodes->n ? nodes->items[i].name : NULL;
}

static struct helper_node *helper_find_node(struct helper_transport *t, const char *device)
{
	const struct helper_node key = {.name = device};

	if (t->nodes.n == 0)
		return NULL;
	return bsearch(&key, t->nodes.items, t->nodes.n, sizeof(key), helper_node_order);
}

static int helper_prepare(struct mailbox_transport *transport, const char *device)
{
	struct helper_transport *t = of_helper(transport);
	struct helper_node *node = helper_find_node(t, device);
	int r;

	if (!node)
		return -ENOENT;
	if (node->prepared)
		return 0;
	r = opener_commands(t->opener, node->number, &node->supported);
	node->prepared = r == 0;
	return r;
}

/* Return: the index of a row of mailbox_commands(). */
static size_t row_of(const struct mailbox_command *command)
{
	const struct mailbox_command *rows;
	size_t n, i = 0;

	rows = mailbox_commands(&n);
	while (i < n && strcmp(rows[i].name, command->name) != 0)
		i++;
	return i;
}

static int helper_transport_send(struct mailbox_transport *transport, const char *device,
				 const struct mailbox_command *command, uint8_t *output,
				 unsigned int *ret_code)
{
	const uint32_t id = memdev_command_id(command->opcode);
	struct helper_transport *t = of_helper(transport);
	const struct helper_node *node = helper_find_node(t, device);

	*ret_code = MAILBOX_SUCCESS;
	if (!node)
		return -ENOENT;
	if (!id || !(node->supported >> id & 1))
		return -EOPNOTSUPP;
	return opener_command(t->opener, node->number, (uint16_t)row_of(command), command->opcode,
			      output, ret_code);
}

static void helper_transport_free(struct mailbox_transport *transport)
{
	struct helper_transport *t = of_helper(transport);

	helper_node_list_done(&t->nodes);
	free(t->names);
	(void)opener_free(t->opener);
	free(t);
}

int transport_helper_new(struct opener *opener, struct mailbox_transport **ret, struct error *e)
{
	static const struct mailbox_transport_ops ops = {
		.directory = "/dev/cxl/",
		.may_hang = true,
		.device = helper_device,
		.prepare = helper_prepare,
		.send = helper_transport_send,
		.free = helper_transport_free,
	};
	struct helper_transport *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	t->transport.ops = &ops;
	t->opener = opener_ref(opener);
	r = transport_list(t);
	if (r < 0) {
		helper_transport_free(&t->transport);
		return error_set(e, r, "/sys/bus/cxl/devices: %s", strerror(-r));
	}
	*ret = &t->transport;
	return 0;
}
