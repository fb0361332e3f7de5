/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_AUDIT_H
#define CXLR_REDFISH_STATE_AUDIT_H

/*
 * One record of the audit log (redfish/state/audit.h), as it is kept and shown: plain values; and
 * records in the state database. Threads and errors of the functions are those of state.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redfish/core/principal.h"
#include "redfish/state/state.h"

enum {
	AUDIT_RECORDS_MAX = 10000, /* in the state database; the oldest are removed */
	AUDIT_SHARE_MAX = 1000,	   /* of these, of each audit_share(); in memory a tenth of that */
};

/* The numbers are stored: new ones are added at the end. */
enum audit_kind {
	AUDIT_CHANGE,	       /* a request that changes something, with its result */
	AUDIT_LOGIN,	       /* by other means than a session */
	AUDIT_LOGIN_FAILED,    /* `count` of them */
	AUDIT_SESSION_CREATED, /* `uri` */
	AUDIT_SESSION_ENDED,   /* `uri`; `detail`: why */
	AUDIT_LOCKED_OUT,      /* `user`, for `from` */
	AUDIT_CONFIGURATION,   /* read again; `detail`: the result */
	AUDIT_LOST,	       /* `count` records; `detail`: why */
	AUDIT_DECISION,	       /* of the page policy; `uri`: of the incident, `detail` */
	AUDIT_KINDS,
};

enum { AUDIT_TEXT_MAX = 256, AUDIT_METHOD_MAX = 8 };

/* All texts are "" when they are not known, and percent-encoded. */
struct audit_record {
	uint64_t seq; /* from 1, ascending; set when it is stored */
	uint64_t time_ns;
	enum audit_kind kind;
	unsigned int status; /* HTTP status of a change; 0 none */
	uint64_t count;
	char user[PRINCIPAL_NAME_MAX];
	char from[PRINCIPAL_FROM_MAX];
	char method[AUDIT_METHOD_MAX];
	char uri[AUDIT_TEXT_MAX];
	char detail[AUDIT_TEXT_MAX]; /* MessageId of an error, Location of what was created, why */
};

/* Records of which only a share is kept, so that they do not replace those of what was done. */
enum audit_share {
	AUDIT_SHARE_NONE,
	AUDIT_SHARE_FAILURES, /* of clients without an account: failed logins, lockouts */
	AUDIT_SHARE_REFUSED, /* changes that were refused, as those of clients that may only read */
	AUDIT_SHARES,
};

static inline enum audit_share audit_share(const struct audit_record *rec)
{
	if (rec->kind == AUDIT_LOGIN_FAILED || rec->kind == AUDIT_LOCKED_OUT)
		return AUDIT_SHARE_FAILURES;
	return rec->kind == AUDIT_CHANGE && rec->status >= 400 ? AUDIT_SHARE_REFUSED
							       : AUDIT_SHARE_NONE;
}

struct audit_page {
	uint64_t from; /* records after this one */
	uint64_t skip;
	size_t max;
};

/* Return: 0 to continue; any other value ends the call, which returns it. */
typedef int audit_each(void *userdata, const struct audit_record *record);

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
