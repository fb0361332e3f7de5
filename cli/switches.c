// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Reads the mailboxes of switches in this process, for one run.
#include "cli/switches.h"

#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "common/log.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_reader.h"
#include "sysfs/stable_id.h"

/* Return: whether there is nothing to read, or STATUS_ERROR is due. */
static int cli_check_switch_option(const struct cli *cli)
{
	if (!cli->switch_mailbox)
		return STATUS_OK;
	if (cli->root->captured) {
		log_err("--switch-mailbox is for this machine: of a captured host the recorded answers are used, without this option");
		return STATUS_ERROR;
	}
	if (geteuid() != 0) {
		log_err("--switch-mailbox requires root: it drives the registers of a PCI function");
		return STATUS_ERROR;
	}
	return STATUS_OK;
}

/* Return: 0 or a negative errno. */
static int cli_read_switches(struct cli *cli)
{
	struct switch_reader *reader = switch_reader_new();
	struct switch_access *access = NULL;
	int r = reader ? switch_access_new(cli->root, NULL, cli->switch_mailbox, &access) : -ENOMEM;

	if (r >= 0)
		r = switch_reader_read(reader, access, SWITCH_READ_ALL, &cli->switches);
	switch_access_free(access);
	switch_reader_free(reader);
	return r;
}

/* Return: 0 or -ENOMEM. */
static int cli_make_fabric(struct cli *cli)
{
	const struct memdev_ids *ids;

	cli->arena = arena_new();
	ids = cli->arena ? memdev_ids_new(cli->arena, cli->host) : NULL;
	if (ids)
		cli->fabric = fabric_new(cli->arena, cli->host, ids, cli->switches);
	return cli->fabric ? 0 : -ENOMEM;
}

int cli_open_switches(struct cli *cli)
{
	int r;

	cli_progress_pause(true);
	r = cli_check_switch_option(cli);
	cli_progress_pause(false);
	if (r != STATUS_OK)
		return STATUS_ERROR;
	if (!cli->switch_mailbox && !cli->root->captured)
		return STATUS_OK;
	r = cli_read_switches(cli);
	cli_progress_pause(true);
	if (r >= 0 && cli->switch_mailbox && cli->switches->list_note)
		log_warning("%s", cli->switches->list_note);
	cli_progress_pause(false);
	if (r >= 0 && cli->switches->n_switches > 0)
		r = cli_make_fabric(cli);
	if (r >= 0)
		return STATUS_OK;
	cli_progress_end();
	log_err("cannot read the mailboxes of switches: %s", strerror(-r));
	return STATUS_ERROR;
}

void cli_close_switches(struct cli *cli)
{
	cli->fabric = NULL;
	cli->arena = arena_free(cli->arena);
	cli->switches = switch_readings_unref(cli->switches);
}
