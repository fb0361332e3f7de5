/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_REGION_PLAN_H
#define CXLR_CLI_REGION_PLAN_H

/* cxl-spa region plan: prints how a region would be made, and the commands of cxl for it. */

#include "cli/cli.h"
#include "model/region_plan.h"

void region_plan_text(const struct region_plan *p);

/* Return: 0 or -ENOMEM. @p: NULL with the reason that there is none */
int region_plan_json(const struct region_plan *p, const char *window, const char *reason);

#endif
