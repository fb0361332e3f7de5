// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Opens the host, and warns once about data that could not be read.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/captured_host.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "model/finding_text.h"
#include "common/names.h"
#include "cli/switches.h"
#include "common/log.h"
#include "model/findings.h"
#include "model/topology.h"
#include "prm/addresses.h"

/* Return: true when this host needs firmware's PRM handler, and it cannot be queried. */
static bool prm_handler_is_unavailable(const struct cli *cli, struct firmware_status *ret)
{
	if (!cli->addresses.firmware)
		return false;
	firmware_status(cli->addresses.firmware, ret);
	if (ret->state == FIRMWARE_READY)
		return false;
	return host_is_normalized(cli->host);
}

static void warn_about_missing_data(const struct cli *cli)
{
	const struct host *host = cli->host;
	struct firmware_status status;
	struct names names = {0};
	bool unavailable = prm_handler_is_unavailable(cli, &status), denied = host->n_denied > 0;

	for (size_t i = 0; i < host->n_denied; i++)
		names_add(&names, "%s", host->denied[i]);
	if (unavailable && status.state == FIRMWARE_NO_PERMISSION) {
		names_add(&names, FIRMWARE_DEVICE);
		denied = true;
		unavailable = false;
	}
	if (names.shown)
		log_warning("could not read %s, so some answers are intervals or missing%s",
			    names_end(&names),
			    denied && geteuid() != 0 && !cli->root->captured ? "; run it as root"
									     : "");
	if (unavailable)
		log_warning(
			"firmware's PRM handler cannot be queried: %s; some answers are intervals or missing",
			status.text);
}

/* The files come first: in the namespace of a captured host /sys and /dev are its own. */
static int open_root(struct cli *cli, struct error *e)
{
	struct acpi_dump dump = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < cli->tables.n; i++)
		r = acpi_dump_add_file(&dump, cli->tables.items[i], e);
	if (r == 0)
		r = host_root_open(cli->host_path, &cli->root, e);
	if (r == 0)
		r = acpi_dump_merge(&cli->root->dump, &dump, e);
	acpi_dump_done(&dump);
	return r;
}

int cli_open(struct cli *cli)
{
	struct error e = {0};
	int r;

	r = open_root(cli, &e);
	if (r >= 0)
		r = addresses_read(cli->root, &cli->addresses, &e);
	cli->host = cli->addresses.host;
	if (r < 0) {
		cli_progress_end();
		log_err("%s", e.text[0] ? e.text : strerror(-r));
		return STATUS_ERROR;
	}
	cli_progress_pause(true);
	warn_about_missing_data(cli);
	cli_progress_pause(false);
	return STATUS_OK;
}

int cli_read_host(struct cli *cli, struct error *e)
{
	int r = host_read(cli->root, &cli->addresses.host, e);

	cli->host = cli->addresses.host;
	return r;
}

void cli_close(struct cli *cli)
{
	cli_close_switches(cli);
	addresses_done(&cli->addresses);
	cli->host = NULL;
	cli->root = host_root_free(cli->root);
}

void cli_print_notes(const struct cli *cli)
{
	const char *const *notes;
	size_t n;

	notes = translator_notes(cli->addresses.translator, &n);
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
