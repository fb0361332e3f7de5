/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EXPLAIN_REPAIRS_H
#define CXLR_CLI_EXPLAIN_REPAIRS_H

/* The worklist of repairs, for explain. One thread. */

#include "cli/cli.h"
#include "model/findings.h"

/*
 * explain_repairs() - give findings the entries of the worklist of each memory device
 *
 * As of the last run of the service, or of cxl-spa repair. For root only, and of a captured host
 * only with --state, as explain_pages(). They live as long as the findings. Return: 0 or -ENOMEM.
 */
int explain_repairs(const struct cli *cli, struct findings *f);

#endif
