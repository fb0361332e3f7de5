/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EXPLAIN_PAGES_H
#define CXLR_CLI_EXPLAIN_PAGES_H

/* The pages that cxl-redfishd remembers, for explain. One thread. */

#include "cli/cli.h"
#include "model/findings.h"

/*
 * explain_pages() - give findings the remembered pages of each memory device
 *
 * For root only, as page list, and of a captured host only with --state; otherwise they are not
 * known. They live as long as the findings. Return: 0 or -ENOMEM.
 */
int explain_pages(const struct cli *cli, struct findings *f);

#endif
