/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LOGIN_H
#define CXLR_REDFISH_LOGIN_H

/*
 * A login by user name and password: refused at once when the account is locked out for the
 * client's address, otherwise checked in a job of class JOB_LOGINS, because hashing takes some
 * 0.1 s. Failures are counted and logged here.
 *
 *	on the HTTP thread	login_begin()		refused, or to be checked
 *	in the job		login_verify()		the principal
 *	at the end		login_free()		in any case, as the job's free
 *
 * A login belongs to one thread at a time.
 */

#include "http/request.h"
#include "redfish/auth/accounts.h"

struct login;

/*
 * login_begin() - a login is asked for; does not wait
 * @client: of the request
 * @user, @password: copied, and wiped by login_free()
 * @ret_retry_s: when -EACCES: seconds until a password is checked again, for Retry-After; 0 not
 *		 known. NULL: not wanted
 *
 * Return: 0; -EACCES refused without a check (401); -EBUSY too many logins of this address, or
 * of addresses that are not known, are being checked (503); -ENOMEM.
 */
int login_begin(struct accounts *a, const struct http_client *client, const char *user,
		const char *password, struct login **ret, unsigned int *ret_retry_s);

/*
 * login_verify() - check the password; only in a job of class JOB_LOGINS, once
 * @ret: name, from, role, privileges, account and password_change_required are set on success; the
 *	 means is AUTHENTICATION_BASIC
 *
 * Takes the same time whether the account exists or not.
 *
 * Return: 0; -EACCES the password is wrong, or the account does not exist, is disabled or locked
 * (401, without saying which); -EBUSY the accounts are not known yet (503); -ENOMEM.
 */
int login_verify(struct login *l, struct principal *ret);

/* Accepts NULL. Return: NULL. */
struct login *login_free(struct login *l);

#endif
