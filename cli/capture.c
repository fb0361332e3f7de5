// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/captured_host.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "mailbox/switch_access.h"
#include "prm/capture_pairs.h"

static void print_result(const struct cli *cli, const char *path, const struct capture_result *r)
{
	char text[SIZE_TEXT_MAX];

	out("%s: %zu file%s and %zu link%s, %s", path, r->n_files, plural_s(r->n_files), r->n_links,
	    plural_s(r->n_links), size_text(OPT_U64(r->bytes), text));
	out_end();
	if (!r->n_missed)
		return;
	out("not in the archive%s:", cli->mask ? "" : ", because they could not be read");
	out_end();
	for (size_t i = 0; i < r->n_missed; i++) {
		out_indent(1);
		out("%s", r->missed[i]);
		out_end();
	}
}

static int write_archive(struct cli *cli, const char *path, struct capture_result *ret,
			 struct error *e)
{
	struct recording recording = {0};
	struct capture_extra extra = {.path = RECORD_PATH};
	int r = 0;

	if (cli->switch_mailbox)
		r = switch_access_new(cli->root, NULL, cli->switch_mailbox, &extra.switches);
	if (r < 0)
		return r;
	if (!cli->root->captured)
		record_machine(cli->root, &recording);
	extra.data = recording.text;
	extra.len = recording.len;
	extra.missed = recording.missed[0] ? recording.missed : NULL;
	r = capture_write(cli->root, path, cli->mask, &extra, ret, e);
	(void)switch_access_free(extra.switches);
	free(recording.text);
	return r;
}

int command_capture(struct cli *cli, int n, char **operands)
{
	_cleanup_(capture_result_done) struct capture_result result = {0};
	struct error e = {0};
	int r;

	(void)n;
	r = host_root_open(cli->host_path, &cli->root, &e);
	cli_progress_begin("capture");
	/* Without it, what is there by that name is not this command's. */
	if (access(operands[0], F_OK) < 0 && errno == ENOENT)
		cli_remove_on_interrupt(operands[0]);
	if (r >= 0)
		r = write_archive(cli, operands[0], &result, &e);
	cli_remove_on_interrupt(NULL);
	cli_progress_end();
	if (r < 0) {
		log_err("capture: %s", e.text[0] ? e.text : strerror(-r));
		return STATUS_ERROR;
	}
	print_result(cli, operands[0], &result);
	return STATUS_OK;
}
