/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_POLICY_H
#define CXLR_REDFISH_STATE_POLICY_H

/*
 * The mark of the page policy in the state database: since which entry of the event log it is on,
 * and up to which one it has decided. Threads and errors are those of state.h.
 */

#include <stdint.h>

#include "redfish/state/remembered_page.h"
#include "redfish/state/state.h"

struct policy_mark {
	uint32_t mode;			       /* of the policy; 0: off, and nothing else counts */
	uint64_t since;			       /* the newest entry when it was switched on */
	uint64_t decided;		       /* the last entry that was decided about */
	uint64_t store;			       /* inode of the log's file */
	uint8_t boot_id[REMEMBERED_BOOT_SIZE]; /* when it was switched on */
	uint64_t boottime_ns;		       /* likewise, CLOCK_BOOTTIME */
};

/* state_read_policy() - zeros when it was never on */
int state_read_policy(struct state *st, struct policy_mark *ret, struct error *e);

/* state_put_policy() - keep it */
int state_put_policy(struct state *st, enum state_durability durability,
		     const struct policy_mark *mark, struct error *e);

#endif
