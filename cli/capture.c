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

/*
 * Records answers of firmware's PRM handler. A failure is listed as one missing item, and does not
 * prevent the capture of the rest of the machine.
 */
static void record_firmware_answers(struct cli *cli, struct recording *ret)
{
	struct firmware_status status;
	struct error e = {0};
	int r;

	r = host_read(cli->root, &cli->host, &e);
	if (r >= 0)
		r = firmware_new(FIRMWARE_DEVICE, &cli->firmware);
	if (r >= 0)
		r = translator_new(cli->host, cli->firmware, &cli->translator, &e);
	if (r >= 0) {
		firmware_status(cli->firmware, &status);
		/* A ready handler is recorded even when no decoder in use is Normalized. */
		if (status.state == FIRMWARE_READY)
			r = record_pairs(cli->translator, ret);
		else if (record_wanted(cli->translator))
			(void)snprintf(ret->missed, sizeof(ret->missed), "%s", status.text);
	}
	if (r < 0)
		(void)snprintf(ret->missed, sizeof(ret->missed), "%s",
			       e.text[0] ? e.text : strerror(-r));
	/* The firmware thread must end before the child process of the archive is forked. */
	cli->translator = translator_unref(cli->translator);
	cli->firmware = firmware_free(cli->firmware);
	cli->host = host_unref(cli->host);
}

static int write_archive(struct cli *cli, const char *path, struct capture_result *ret,
			 struct error *e)
{
	struct recording recording = {0};
	struct capture_extra extra = {.path = RECORD_PATH, .switches = cli->switch_mailbox};
	int r;

	if (!cli->root->captured)
		record_firmware_answers(cli, &recording);
	extra.data = recording.text;
	extra.len = recording.len;
	extra.missed = recording.missed[0] ? recording.missed : NULL;
	r = capture_write(cli->root, path, cli->mask, &extra, ret, e);
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
