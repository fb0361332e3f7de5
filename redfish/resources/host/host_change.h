/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_HOST_CHANGE_H
#define CXLR_REDFISH_RESOURCES_HOST_CHANGE_H

/*
 * Changes of the host's own CXL memory (change/change.h), as operations of resources ask for them:
 * the job that has them made, its progress and answer, and the view that shows the effect.
 * Whether they are allowed is host_refusal.h.
 *
 * An operation fills in what is to be changed, on the HTTP thread; the job has it made by
 * the change client and then waits for a view in which it is read again, so that the answer,
 * resource events and the audit log have it before a Task is completed.
 */

#include "change/change.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/host/host_refusal.h"
#include "redfish/view/view.h"

/* Fills in object and identity. */
void host_change_of_region(struct change *c, enum change_kind kind, const struct region *r);

struct host_changes {
	struct change *items; /* made in their order; the first that fails ends it */
	size_t n;
	int image;	      /* of CHANGE_FIRMWARE: taken over; -1 none */
	const char *property; /* that error messages name, a path; NULL none. Static */
	bool parallel;	      /* of several devices: all are tried, each a sub-task */
	/* Called for each change, in the job, before the first is made: adds a message to the
	 * answer of those that are; NULL: nothing. */
	void (*on_begin)(struct exchange *x, const struct change *c);
	/* Called for each change that was made, in the job, before the view that shows it is read;
	 * NULL: nothing. */
	void (*on_done)(struct exchange *x, const struct change *c,
			const struct change_result *result);
	/*
	 * Called for each change that was made: sets x->location, or adds a message to the answer;
	 * NULL: the answer has neither. In the job, with the new view, and after what failed was
	 * noted.
	 */
	void (*on_made)(struct exchange *x, const struct change_result *result);
};

enum { HOST_CHANGES_MAX = 64 };

/*
 * host_changes_submit() - continue as the job that has them made
 * @c: copied; what it has of passphrases is wiped, also on failure
 *
 * Return: as operations.
 */
int host_changes_submit(struct exchange *x, struct host_changes *c);

#endif
