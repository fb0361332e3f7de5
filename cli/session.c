// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Opening the host, and saying once what is missing from it.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/captured_host.h"
#include "cli/cli.h"
#include "cli/finding_text.h"
#include "cli/names.h"
#include "common/log.h"
#include "model/findings.h"
#include "model/topology.h"

/* Return: true when firmware's handler is needed here, and cannot be asked. */
static bool handler_out_of_reach(const struct cli *cli, struct firmware_status *ret)
{
	if (!cli->firmware)
		return false;
	firmware_status(cli->firmware, ret);
	if (ret->state == FIRMWARE_READY)
		return false;
	return host_is_normalized(cli->host);
}

static void say_what_is_denied(const struct cli *cli)
{
	const struct host *host = cli->host;
	struct firmware_status status;
	struct names names = {0};
	bool out_of_reach = handler_out_of_reach(cli, &status), denied = host->n_denied > 0;

	for (size_t i = 0; i < host->n_denied; i++)
		names_add(&names, "%s", host->denied[i]);
	if (out_of_reach && status.state == FIRMWARE_NO_PERMISSION) {
		names_add(&names, FIRMWARE_DEVICE);
		denied = true;
		out_of_reach = false;
	}
	if (names.shown)
		log_warning("could not read %s: some answers are less exact or missing%s",
			    names_end(&names),
			    denied && geteuid() != 0 && !cli->root->captured ? " (run it as root)"
									     : "");
	if (out_of_reach)
		log_warning("firmware cannot be asked: %s; some answers are less exact or missing",
			    status.text);
}

int cli_open(struct cli *cli)
{
	struct error e = {0};
	int r;

	cli->timeout = (struct firmware_timeout){CLI_CALL_MS, CLI_BUCKET_MS};
	r = host_root_open(cli->host_path, &cli->root, &e);
	if (r >= 0)
		r = host_read(cli->root, &cli->host, &e);
	if (r >= 0 && !cli->root->captured)
		r = firmware_new(FIRMWARE_DEVICE, &cli->firmware);
	if (r >= 0)
		r = translator_new(cli->host, cli->firmware, &cli->translator, &e);
	if (r < 0) {
		log_err("%s", e.text[0] ? e.text : strerror(-r));
		return STATUS_ERROR;
	}
	say_what_is_denied(cli);
	return STATUS_OK;
}

void cli_close(struct cli *cli)
{
	cli->translator = translator_unref(cli->translator);
	cli->firmware = firmware_free(cli->firmware);
	cli->host = host_unref(cli->host);
	cli->root = host_root_free(cli->root);
}

void cli_print_notes(const struct cli *cli)
{
	const char *const *notes;
	size_t n;

	notes = translator_notes(cli->translator, &n);
	for (size_t i = 0; i < n; i++)
		log_warning("%s", notes[i]);
}

bool cli_no_cxl(const struct host *host)
{
	return !host_has_cxl(host);
}

const char *cli_no_cxl_hint(const struct host *host)
{
	return finding_reason_text(host_cxl_absence(host));
}
