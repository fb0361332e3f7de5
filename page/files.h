/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGE_FILES_H
#define CXLR_PAGE_FILES_H

/* The files of the page, as page/embed made a C source of them. */

#include <stddef.h>

struct page_file {
	const char *path; /* of the URI */
	const char *type; /* for Content-Type */
	const char *bytes;
	size_t len;
};

extern const struct page_file page_files[];
extern const size_t page_files_n;

#endif
