/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_AUDIT_H
#define CXLR_REDFISH_AUDIT_H

/*
 * The audit log: who did what, from where, with which result. Logins, sessions, lockouts, each
 * request that changes something, each decision of the page policy, and each reading of the
 * configuration, as a line of the service's log and as a record that the Manager's LogService
 * shows.
 *
 * Never a secret: no bodies, tokens or passwords, no header of a request. The name that was sent
 * with a login that failed is recorded only when it is that of an account, because users enter a
 * password in its place. Texts of clients are percent-encoded but for the characters of a URI, so
 * none can end a line or look like another field.
 *
 * Records are written to the state database by a thread of the audit log, in order; adding one
 * never waits for the disk and never fails. While the database cannot be written AUDIT_QUEUE_MAX
 * records wait; further ones are lost, and counted: the log says so, audit_status() too, and a
 * record has their number once there is space. Without a state database the last AUDIT_MEMORY_MAX
 * are kept in memory only.
 *
 * Records that clients without an account can cause are limited: failed logins of one (account,
 * address) are one record at once, and then one each AUDIT_MERGE_MS with their number; so are,
 * beyond AUDIT_SOURCES_MAX, those of all other addresses together. AUDIT_SHARE_MAX failed logins
 * are kept, and as many changes that were refused, so that they do not replace the records of what
 * was done; the latter have half of the queue.
 *
 * Any thread may make any call. Calls with a NULL audit log do nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "model/health.h"
#include "redfish/core/system_id.h"
#include "redfish/core/system_id.h"
#include "redfish/state/state_audit.h"
#include "redfish/core/principal.h"

enum {
	AUDIT_MEMORY_MAX = 500, /* records, without a state database */
	AUDIT_QUEUE_MAX = 256,	/* records that wait to be written */
	AUDIT_MERGE_MS = 60 * 1000,
	AUDIT_LOGIN_MS = 60 * 60 * 1000, /* requests with the same credentials are one login */
};

struct audit;
struct state;

/* Return: the log, kept in memory until audit_set_state(); NULL when out of memory. */
struct audit *audit_new(void);

/*
 * audit_set_state() - keep the records in a state database; once, before the first record
 * @st: must outlive the audit log's thread
 */
void audit_set_state(struct audit *a, struct state *st);

/*
 * audit_stop() - write what is queued, with one attempt, and end the thread; can be repeated
 *
 * Return: whether it has ended within @wait_ms; if not, nothing may be freed. Later records are in
 * the log of the service only.
 */
bool audit_stop(struct audit *a, unsigned int wait_ms);

/* Stops it first. Accepts NULL. Return: NULL. */
struct audit *audit_free(struct audit *a);

/* ---- records ----------------------------------------------------------------------------------
 */

/*
 * audit_change() - a request that was answered
 * @p: who, and from where
 * @method: "POST", "PATCH", "DELETE"
 * @uri: as the client sent it
 * @status: the HTTP status
 * @detail: the MessageId of an error, the Location of a new resource; NULL none
 */
void audit_change(struct audit *a, const struct principal *p, const char *method, const char *uri,
		  unsigned int status, const char *detail);

/*
 * audit_change_of() - likewise, with what was changed
 * @what: "destroy region region0: done"; NULL or "": only what the request says
 */
void audit_change_of(struct audit *a, const struct principal *p, const char *method,
		     const char *uri, unsigned int status, const char *detail, const char *what);

/*
 * audit_login() - a request was authenticated by other means than a session
 *
 * Recorded once in AUDIT_LOGIN_MS for each account and address.
 *
 * Return: until when further ones of this account and address need not be reported, as
 * clock_monotonic_ms().
 */
uint64_t audit_login(struct audit *a, const struct principal *p);

/*
 * audit_login_failed() - credentials were refused
 * @account: the name of the account if it exists; NULL or "" otherwise
 * @from: the client's address
 */
void audit_login_failed(struct audit *a, const char *account, const char *from);

/*
 * audit_session_created() - a login has begun a session
 * @uri: of the session
 */
void audit_session_created(struct audit *a, const struct principal *p, const char *uri);

/*
 * audit_session_ended() - not by a request, which is recorded as one
 * @user, @from: of the session
 * @why: a sentence without its period, "it was not used for 1800 s"
 */
void audit_session_ended(struct audit *a, const char *user, const char *from, const char *uri,
			 const char *why);

/* audit_locked_out() - logins of an account are refused for an address from now on */
void audit_locked_out(struct audit *a, const char *account, const char *from);

/*
 * audit_configuration() - the configuration was read again
 * @result: "it is in force", or why it is not: no value of it
 */
void audit_configuration(struct audit *a, const char *result);

/*
 * audit_decision() - the page policy has decided about a page; its line in the log is the policy's
 * @uri: of the LogEntry of the incident
 * @decision: the page and the outcome, a sentence without its period
 */
void audit_decision(struct audit *a, const char *uri, const char *decision);

/* ---- reading ----------------------------------------------------------------------------------
 */

struct audit_status {
	bool persistent; /* kept in a state database */
	uint64_t max_records;
	bool failing;		   /* the state database cannot be written; queued records wait */
	uint64_t failing_since_ns; /* 1970 UTC */
	char reason[ERROR_TEXT_MAX];
	uint64_t lost;		/* since the start, or since the log was cleared */
	uint64_t lost_since_ns; /* 1970 UTC; of the first of them */
};

void audit_status(struct audit *a, struct audit_status *ret);

/* Return: of a log with that status. */
enum health_level audit_health(const struct audit_status *s);

/* Return: whether reading does not wait now: in memory, and nothing is queued. */
bool audit_is_ready(struct audit *a);

/*
 * audit_read() - records in the order of their numbers
 * @ret_count: of all; NULL not wanted
 *
 * Waits for the disk, and until what was added before is written or cannot be.
 *
 * Return: 0; what @each returned; or an error of redfish/state/state.h.
 */
int audit_read(struct audit *a, const struct audit_page *page, audit_each *each, void *userdata,
	       uint64_t *ret_count);

/* audit_read_one() - as audit_read(); -ENOENT */
int audit_read_one(struct audit *a, uint64_t seq, struct audit_record *ret);

/*
 * audit_show_detail() - the detail of a record, in which the Location of a new resource is as
 * clients see it
 *
 * Return: that of @rec, or @ret.
 */
const char *audit_show_detail(const struct audit_record *rec, char ret[static SHOWN_URI_MAX]);

/*
 * audit_clear() - replace all records by one of the request that clears them
 *
 * Waits for the disk. Return: 0; or an error of redfish/state/state.h, and nothing was removed.
 */
int audit_clear(struct audit *a, const struct principal *p, const char *method, const char *uri,
		unsigned int status);

#endif
