/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_CHANGE_H
#define CXLR_REDFISH_RESOURCES_FABRIC_CHANGE_H

/*
 * Changes of the fabric by the mailbox of a switch, as operations of resources ask for them: who
 * may, whether memory is in use, the job that makes them, and the view that shows them.
 *
 * An operation fills in what is to be changed, on the HTTP thread. The job reads host and switch
 * again, rejects the change with all reasons when it would take memory from a host that uses it
 * (model/fabric_use.h), makes it (mailbox/switch_change.h) and waits for a view with the result.
 * One change is made at a time.
 *
 * {"Oem": {"CXLHost": {"Force": true}}} in the body of an Administrator makes a change in spite of
 * such reasons.
 */

#include "mailbox/switch_change.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"
#include "redfish/service/body_check.h"
#include "redfish/view/view.h"

enum { FABRIC_CHANGES_MAX = 2 };

struct fabric_changes {
	size_t n;
	struct switch_change items[FABRIC_CHANGES_MAX]; /* in their order */
	bool force;
	const char *property; /* that error messages name, a path; NULL none. Static */
};

/* Return: for `unchangeable` of a row: why the switch is not changed; NULL: it can be. */
const char *fabric_unchangeable(const struct view *v, const struct fabric_switch *sw);

/* The member Force of Oem/CXLHost. */
#define FABRIC_FORCE_MEMBER                                                                        \
	{                                                                                          \
		.name = "Force", .type = PARAMETER_BOOLEAN, .description = FABRIC_FORCE_TEXT,      \
	}
#define FABRIC_FORCE_TEXT                                                                          \
	"whether the change is made although it takes memory that is in use; of an Administrator"

/* The row "Oem" of a body that has no other OEM property than Force. */
#define FABRIC_FORCE_ROW                                                                           \
	{                                                                                          \
		.name = "Oem", .type = PARAMETER_OBJECT, .members = fabric_force_members,          \
		.n_members = 1                                                                     \
	}
extern const struct parameter fabric_force_members[1];

/* Return: whether the principal may force a change. */
bool fabric_is_administrator(const struct principal *p);

/*
 * fabric_force() - whether the body asks to force the change
 *
 * Return: 0; -EINVAL with the message when only an Administrator may.
 */
int fabric_force(struct exchange *x, bool *ret);

/* Return: the next change, to be filled in; its switch and kind are set. */
struct switch_change *fabric_changes_add(struct fabric_changes *c, const struct fabric_switch *sw,
					 enum switch_change_kind kind);

/* fabric_changes_submit() - continue as the job that makes them. @c: copied. Return: as operations
 */
int fabric_changes_submit(struct exchange *x, const struct fabric_changes *c);

#endif
