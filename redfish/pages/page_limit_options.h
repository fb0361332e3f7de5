/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PAGE_LIMIT_OPTIONS_H
#define CXLR_REDFISH_PAGE_LIMIT_OPTIONS_H

/*
 * The options of the limits that hold whoever takes a page out: cxl-redfishd, and cxl-spa, which
 * reads the configuration of the service for them. page-limit-hour, of the policy alone, is not
 * among them. Constants only.
 */

#include "pages/page_options.h"
#include "redfish/pages/remembered_page.h"

/* Rows, for @limits: member of @structure, struct page_limits. */
#define PAGE_LIMIT_OPTION_ROWS(structure, limits)                                                  \
	{                                                                                          \
		.name = "page-limit-total",                                                        \
		.argument = "N",                                                                   \
		.help = "remember at most N pages that are to stay out of use, default 1024",      \
		.set = option_set_uint,                                                            \
		.offset = offsetof(structure, limits.total),                                       \
		.max = PAGE_LIMIT_TOTAL_MAX,                                                       \
	},                                                                                         \
		{                                                                                  \
			.name = "page-limit-node-share",                                           \
			.argument = "N",                                                           \
			.help = "take at most N of a million pages of a NUMA node out of use, "    \
				"default 1000",                                                    \
			.set = option_set_uint,                                                    \
			.offset = offsetof(structure, limits.share_ppm),                           \
			.max = PAGE_LIMIT_SHARE_MAX,                                               \
		},                                                                                 \
		PAGE_LIMIT_BLOCK_OPTION_ROW(structure, limits.block)

#endif
