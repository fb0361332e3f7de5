/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_UEVENT_H
#define CXLR_COMMON_UEVENT_H

/* A change of a device as far as it matters here. Plain data; it may come from another process. */

#include <stdint.h>

enum uevent_kind {
	UEVENT_OTHER,	     /* the topology may be another one */
	UEVENT_BLOCK_ONLINE, /* a memory block came online; the topology may be another one, too */
	UEVENT_LOST,	     /* events were lost: anything may have happened */
};

struct uevent {
	enum uevent_kind kind;
	uint64_t block;	      /* of UEVENT_BLOCK_ONLINE: the N of its memoryN */
	uint64_t received_ns; /* likewise: clock_monotonic_ns() when it was received */
};

#endif
