// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/capture_private.h"
#include "capture/tree_check.h"
#include "mailbox/client.h"
#include "mailbox/commands.h"

static void record_command(struct capture_set *set, struct mailbox_client *client,
			   const char *memdev, const struct mailbox_command *command)
{
	uint8_t output[MAILBOX_OUTPUT_MAX] = {0};
	char path[CAPTURE_PATH_MAX];
	unsigned int code;
	int r;

	(void)snprintf(path, sizeof(path), "mbox/%s/%s.bin", memdev, command->name);
	r = mailbox_client_send(client, memdev, command, output, &code);
	/* Not missing: a command without a file is not supported on the captured host either. */
	if (r == -EOPNOTSUPP || (code == MAILBOX_INVALID_LOG && command->input))
		return;
	if (r < 0)
		capture_set_missed(set, path, strerror(-r));
	else if (code != MAILBOX_SUCCESS)
		capture_set_missed(set, path, mailbox_return_code_name(code));
	else
		(void)capture_set_add(set, path, MEMBER_DATA, 0444, output, (size_t)r);
}

static void record_memdev(struct capture_set *set, struct mailbox_client *client,
			  const char *memdev)
{
	const struct mailbox_command *commands;
	char node[CAPTURE_PATH_MAX];
	size_t n;
	int r;

	r = mailbox_client_prepare(client, memdev);
	if (r < 0) {
		(void)snprintf(node, sizeof(node), "dev/cxl/%s", memdev);
		capture_set_missed(set, node, strerror(-r));
		return;
	}
	commands = mailbox_commands(&n);
	for (size_t i = 0; i < n; i++)
		record_command(set, client, memdev, &commands[i]);
}

void capture_mailbox(struct capture_set *set, const struct host_root *root)
{
	struct mailbox_client *client;
	struct error e = {0};
	const char *memdev;

	if (mailbox_client_new(root, &client, &e) < 0) {
		capture_set_missed(set, "mbox", e.text);
		return;
	}
	for (size_t i = 0; (memdev = mailbox_client_memdev(client, i)); i++)
		record_memdev(set, client, memdev);
	(void)mailbox_client_free(client);
}
