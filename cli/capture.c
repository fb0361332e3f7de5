// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "sysfs/capture.h"

static void print_result(const char *path, const struct capture_result *r)
{
	char text[SIZE_TEXT_MAX];

	out("%s: %zu files and %zu links, %s", path, r->n_files, r->n_links,
	    size_text(OPT_U64(r->bytes), text));
	out_end();
	if (!r->n_missed)
		return;
	out("could not be read and is not in it:");
	out_end();
	for (size_t i = 0; i < r->n_missed; i++) {
		out_indent(1);
		out("%s", r->missed[i]);
		out_end();
	}
}

int command_capture(struct cli *cli, int n, char **operands)
{
	_cleanup_(capture_result_done) struct capture_result result = {0};
	struct error e = {0};
	int r;

	(void)n;
	r = host_root_open(NULL, &cli->root, &e);
	if (r >= 0)
		r = capture_write(cli->root, operands[0], NULL, &result, &e);
	if (r < 0) {
		log_err("capture: %s", e.text[0] ? e.text : strerror(-r));
		return STATUS_ERROR;
	}
	print_result(operands[0], &result);
	return STATUS_OK;
}
