/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_AUDIT_H
#define CXLR_REDFISH_STATE_AUDIT_H

/*
 * Records of the audit log in the state database. Threads and errors are those of state.h.
 */

#include "redfish/state/audit_record.h"
#include "redfish/state/state.h"

/*
 * state_add_audit() - add records in one transaction, and remove the oldest above the limits
 * @records: their numbers are not used
 */
int state_add_audit(struct state *st, const struct audit_record *const *records, size_t n,
		    struct error *e);

/* state_clear_audit() - replace all records by this one, in one transaction */
int state_clear_audit(struct state *st, const struct audit_record *record, struct error *e);

/* state_read_audit() - a page; @ret_count: of all, NULL not wanted */
int state_read_audit(struct state *st, const struct audit_page *page, audit_each *each,
		     void *userdata, uint64_t *ret_count, struct error *e);

#endif
