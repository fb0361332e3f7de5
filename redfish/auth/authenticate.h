/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_AUTHENTICATE_H
#define CXLR_REDFISH_AUTHENTICATE_H

/*
 * The sender of a request. The first of these that the request has decides, whether it is accepted
 *or not:
 *
 *	X-Auth-Token		a session
 *	Authorization		an account and its password (HTTP Basic)
 *	a client certificate	the account whose name is its CommonName
 *	a Unix socket's peer	root and the service's own user: Administrator; members of the
 *				service's group: ReadOnly
 *
 * Cookies are not read. A listener that serves named peers takes no credential at all, because it
 * would have crossed the network in plain text: such a client may read.
 */

#include "redfish/auth/sessions.h"
#include "http/handler.h"
#include "redfish/auth/accounts.h"
#include "redfish/core/job.h"

struct authenticator {
	struct accounts *accounts;
	struct sessions *sessions;
	struct basic *basic;
	uid_t uid; /* of this process */
};

/* Whether a request has a credential; the peer of a Unix socket is none. */
bool request_has_credential(const struct http_request *req);

/*
 * authenticate() - find the principal of a request; does not wait
 * @ret: empty but `from`; set on success
 * @ret_retry_s: when -EACCES, as login_begin()
 *
 * Return: 0; -EACCES refused; -EBUSY not possible at present; -EINPROGRESS by basic_check().
 */
int authenticate(const struct authenticator *a, const struct http_request *req,
		 struct principal *ret, unsigned int *ret_retry_s);

/*
 * HTTP Basic (RFC 7617). A credential that was accepted lately is recognized by a digest of it,
 * without a hash. Any other is checked by a job while its request is suspended; requests with the
 * same credential from the same address wait for one check.
 *
 * Any thread may make any call; none waits.
 */
struct basic;

/* @accounts, @jobs: must outlive it */
int basic_new(struct accounts *accounts, struct jobs *jobs, struct basic **ret, struct error *e);

/* After jobs_stop(). Accepts NULL. Return: NULL. */
struct basic *basic_free(struct basic *b);

/*
 * basic_authenticate() - the account of a request with an Authorization header
 * @ret: set on success, but `from`
 * @ret_retry_s: when -EACCES, as login_begin()
 *
 * Return: 0; -EACCES refused; -EBUSY it cannot be checked at present; -EINPROGRESS it must be
 * checked by basic_check().
 */
int basic_authenticate(struct basic *b, const struct http_request *req, struct principal *ret,
		       unsigned int *ret_retry_s);

/*
 * basic_check() - suspend a request and check its credential; after -EINPROGRESS
 *
 * The handler is then called again, and basic_authenticate() has the result.
 *
 * Return: 0, and the call was suspended; -EACCES, -EBUSY as above.
 */
int basic_check(struct basic *b, const struct http_request *req, struct http_call *call,
		unsigned int *ret_retry_s);

/*
 * basic_account() - the account that a refused credential is for, as the audit log shows it
 * @ret: its name; "" when there is none, because users enter a password in its place
 */
void basic_account(struct basic *b, const struct http_request *req,
		   char ret[static PRINCIPAL_NAME_MAX]);

#endif
