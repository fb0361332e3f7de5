/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_OPTIONS_H
#define CXLR_PAGES_PAGE_OPTIONS_H

/* The options about pages that cxl-redfishd and cxl-redfish-page-helper share. Constants only. */

#include "common/options.h"

/* @field: member of @structure, bool */
#define PAGE_HUGE_OPTION_ROW(structure, field)                                                     \
	{                                                                                          \
		.name = "offline-huge-pages",                                                      \
		.help = "take huge pages (hugetlbfs) out of use, too, which splits or moves "      \
			"them",                                                                    \
		.set = option_set_flag, .offset = offsetof(structure, field),                      \
	}

#endif
