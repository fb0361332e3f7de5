/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DESCRIBE_PAGE_H
#define CXLR_REDFISH_RESOURCES_DESCRIBE_PAGE_H

/*
 * The actions DescribePage of Memory, by DPA, and of ComputerSystem, by SPA: the use of the page at
 * an address, at one moment (pages/page_facts.h). Both change nothing, and are there on a captured
 * host, too.
 */

#include "redfish/core/resource_table.h"

int run_describe_dpa_page(struct exchange *x);
int run_describe_spa_page(struct exchange *x);
extern const struct parameters describe_dpa_page_parameters, describe_spa_page_parameters;

#endif
