/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_OPTIONS_H
#define CXLR_PAGES_PAGE_OPTIONS_H

/* The options about pages that cxl-redfishd and cxl-redfish-page-helper share. Any thread. */

#include "common/options.h"
#include "common/strutil.h"
#include "pages/page.h"

/* @field: member of @structure, bool */
#define PAGE_HUGE_OPTION_ROW(structure, field)                                                     \
	{                                                                                          \
		.name = "offline-huge-pages",                                                      \
		.help = "take huge pages (hugetlbfs) out of use, too, which splits or moves "      \
			"them",                                                                    \
		.set = option_set_flag, .offset = offsetof(structure, field),                      \
	}

/* @field: const char *, NULL: apply */
#define PAGE_ONLINE_WORDS "apply, fence"
#define PAGE_ONLINE_OPTION_ROW(structure, field)                                                   \
	{                                                                                          \
		.name = "page-on-online", .argument = "MODE", .words = PAGE_ONLINE_WORDS,          \
		.help = "when a memory block with remembered pages comes online: apply (the "      \
			"default) takes these pages out, fence the block offline again",           \
		.set = option_set_text, .offset = offsetof(structure, field),                      \
	}

/* @field: unsigned int */
#define PAGE_LIMIT_BLOCK_OPTION_ROW(structure, field)                                              \
	{                                                                                          \
		.name = "page-limit-block", .argument = "N",                                       \
		.help = "take at most N pages of a memory block out of use, default 4",            \
		.set = option_set_uint, .offset = offsetof(structure, field),                      \
		.max = PAGE_LIMIT_BLOCK_MAX,                                                       \
	}

/* Return: whether such a value is fence. */
static inline bool page_online_is_fence(const char *value)
{
	return value && str_equal(value, "fence");
}

#endif
