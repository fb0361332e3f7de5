/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_TASK_H
#define CXLR_REDFISH_TASK_H

/*
 * A request that took so long that it was answered with 202, as it is kept and shown. Plain values,
 * except for the answer; nothing of the request's body or headers.
 */

#include <stdbool.h>
#include <stdint.h>

#include "redfish/core/principal.h"
#include "redfish/core/resource_table.h"

enum { TASK_UNIT_MAX = 32, TASK_METHOD_MAX = 8 };

/* The numbers are stored. The last four are final. */
enum task_state {
	TASK_PENDING, /* in a queue */
	TASK_RUNNING,
	TASK_CANCELLING, /* on request, and still running */
	TASK_COMPLETED,
	TASK_EXCEPTION, /* ended with an error */
	TASK_CANCELLED,
	TASK_INTERRUPTED, /* the process ended before it did */
	TASK_STATES,
};

struct task {
	uint64_t id; /* from 1, never used twice */
	enum task_state state;
	bool began;
	unsigned int percent;
	uint64_t done, total;	  /* of `unit`; total 0: not known */
	char unit[TASK_UNIT_MAX]; /* "entries" */
	uint64_t started_ns, ended_ns;
	char user[PRINCIPAL_NAME_MAX], from[PRINCIPAL_FROM_MAX];
	char method[TASK_METHOD_MAX];
	char uri[RESOURCE_URI_MAX];
	unsigned int n_parts; /* see task_parts.h; 0: it has none */
	/* The answer, when it has ended; 0 none. */
	unsigned int status;
	char location[RESOURCE_URI_MAX]; /* "" none */
};

static inline bool task_has_ended(const struct task *t)
{
	return t->state >= TASK_COMPLETED;
}

#endif
