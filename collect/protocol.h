/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COLLECT_PROTOCOL_H
#define CXLR_COLLECT_PROTOCOL_H

/*
 * The messages between the daemon and its helper process cxl-redfish-collect (common/helper.h), in
 * the byte order of the machine. The process gets one request, answers with any number of
 * COLLECT_PROGRESS and at most COLLECT_MISSED_MAX of COLLECT_MISSED, then with COLLECT_DONE or
 * COLLECT_FAILED, and ends. It ends as well when the daemon closes the socket.
 */

#include <stdint.h>

#include "common/error.h"
#include "common/helper.h"
#include "opener/opener.h"

enum {
	COLLECT_MISSED_MAX = 32, /* of what could not be read, those that are named */

	/* Descriptors of the process, beside HELPER_FD. */
	COLLECT_FD_OUT = HELPER_FD + 1, /* the archive: empty, open for writing */
	COLLECT_FD_HOST,		/* the top directory of the host */
};

enum collect_flag {
	COLLECT_MASKED = 1 << 0,
	COLLECT_CAPTURED = 1 << 1, /* a captured host, which is copied */
	COLLECT_HELPER = 1 << 2,   /* `helper` is set */
	COLLECT_SWITCHES = 1 << 3, /* `switches` is set */
	COLLECT_FLAGS = (1 << 4) - 1,
};

struct collect_request {
	uint32_t flags; /* enum collect_flag */
	struct opener_description helper, switches;
};

enum collect_kind { COLLECT_PROGRESS, COLLECT_MISSED, COLLECT_DONE, COLLECT_FAILED };

struct collect_answer {
	uint32_t kind; /* enum collect_kind */
	/* COLLECT_DONE: of files and links that are in the archive, and of what is not. */
	uint32_t files, links, missed;
	uint64_t done, total; /* COLLECT_PROGRESS: files */
	uint64_t bytes;	      /* COLLECT_DONE: of the files, before they were compressed */
	/* COLLECT_FAILED: why. COLLECT_MISSED: the text is "path: reason". */
	struct error error;
};

#endif
