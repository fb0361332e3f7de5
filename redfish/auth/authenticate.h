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

#include "redfish/auth/basic.h"
#include "redfish/auth/sessions.h"

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

#endif
