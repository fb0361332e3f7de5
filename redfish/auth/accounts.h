/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_ACCOUNTS_H
#define CXLR_REDFISH_ACCOUNTS_H

/*
 * The accounts of the service, and the policy for passwords, lockout and sessions.
 *
 * Accounts are kept in memory and in the state database. The memory has what the database holds:
 * a change is written first, and is in force when the call returns. A database that fails
 * later changes nothing for accounts that were read before. Until it could be read for the first
 * time, no login by a password, a session or a certificate succeeds; reading it is retried.
 *
 * Without a state database there is one account, `admin`, with the password of the options. All
 * changes are refused then, with -EROFS.
 *
 * Calls that read never wait, and may be made from any thread. Calls that change something wait for
 * the disk and hash passwords for some 0.1 s: only jobs of class JOB_STORE may make them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "redfish/auth/account.h"
#include "redfish/auth/revocation.h"

struct accounts;
struct audit;
struct jobs;
struct state;

/* The account of the first password. */
#define ACCOUNT_FIRST "admin"

enum {
	/* How long a password that was accepted is not hashed again. */
	CREDENTIAL_KEPT_MS = 60 * 1000,
	/* Addresses of logins that succeeded last, which strangers do not keep out. */
	ORIGINS_KNOWN_MAX = 64,
};

/* ---- lifetime ---------------------------------------------------------------------------------
 */

/*
 * password_file_read() - read a password
 * @ret: the first line of the file, without the line's end; wiped and released by password_free()
 *
 * Return: 0; -EINVAL when the line is empty or has a NUL; -EFBIG; the errors of reading a file.
 */
int password_file_read(const char *path, char **ret, struct error *e);

/* Wipes the password. Accepts NULL. Return: NULL. */
char *password_free(char *password);

/*
 * accounts_new() - the accounts of the state database, or the one with the password of the options
 * @state: must outlive the accounts; NULL: there is none
 * @password: copied; of ACCOUNT_FIRST, with a state database only as long as that holds no account.
 *	      NULL: there is none
 *
 * Reads the database, and may write the first account to it: may block. A database that cannot be
 * read is no error.
 *
 * Return: 0; -EKEYREJECTED when the password is not allowed (its length is not checked against the
 * policy); -ENOMEM; -EIO no random numbers.
 */
int accounts_new(struct state *state, const char *password, struct accounts **ret, struct error *e);

/* No call may be under way. Wipes what it kept. Accepts NULL. Return: NULL. */
struct accounts *accounts_free(struct accounts *a);

/* @audit: receives lockouts, and sessions that end by themselves; NULL: none. No login is under
 * way. */
void accounts_set_audit(struct accounts *a, struct audit *audit);

/* accounts_on_revocation() - see redfish/auth/revocation.h; before the first request */
void accounts_on_revocation(struct accounts *a, revocation_listener *fn, void *userdata);

/*
 * accounts_reload() - the password of the options may have changed
 * @password: as for accounts_new(); NULL: the last one stays
 *
 * Does not wait. On failure nothing has changed. Return: as accounts_new().
 */
int accounts_reload(struct accounts *a, const char *password, struct error *e);

/*
 * accounts_retry() - read the state database if that has failed so far
 * @jobs: does it, as a job
 *
 * To be called about once a second. Does not wait.
 */
void accounts_retry(struct accounts *a, struct jobs *jobs);

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Return: whether changes are possible: there is a state database. */
bool accounts_are_writable(const struct accounts *a);

/* Return: whether they are known; if not, the state database could not be read yet. */
bool accounts_are_known(struct accounts *a);

/* Return: whether there is at least one account, or it is not known yet. */
bool accounts_exist(struct accounts *a);

/* Copies all accounts, by their number. Return: how many. */
size_t accounts_list(struct accounts *a, struct account ret[static ACCOUNTS_MAX]);

/* Return: whether the account exists. */
bool accounts_get(struct accounts *a, uint64_t number, struct account *ret);
bool accounts_find(struct accounts *a, const char *name, struct account *ret);

/*
 * accounts_still_admit() - whether a principal that was authenticated earlier still would be
 * @a: NULL: there are no accounts
 *
 * Only the account counts, as a session may have ended: it exists, may log in, and its password is
 * the same and need not be changed. One without an account (a peer of the Unix socket) stays.
 */
bool accounts_still_admit(struct accounts *a, const struct principal *p);

/*
 * accounts_privileges() - the present privileges of an account
 *
 * Return: PRIVILEGE_…; 0 when it does not exist, or can do nothing; all of them for account 0, of a
 * peer of the Unix socket, without accounts, and while the accounts are not known.
 */
unsigned int accounts_privileges(struct accounts *a, uint64_t number);

void accounts_policy(struct accounts *a, struct account_policy *ret);

/* ---- checks that need neither the disk nor a hash; changes make them, too -----------------------
 */

enum password_fault {
	PASSWORD_ALLOWED,
	PASSWORD_TOO_SHORT, /* for the policy */
	PASSWORD_TOO_LONG,  /* above PASSWORD_LENGTH_MAX */
	PASSWORD_BYTES,	    /* a control character */
};

enum password_fault accounts_password_fault(struct accounts *a, const char *password);

/* ---- changes: only in jobs of class JOB_STORE ---------------------------------------------------
 */

/* The requested values; absent: unchanged. */
struct account_change {
	const char *name;     /* NULL: stays */
	const char *password; /* NULL: stays. Otherwise password_change_required becomes false,
			       * unless the change has it, too */
	enum role role;	      /* ROLE_NONE: stays */
	struct opt_bool enabled;
	struct opt_bool locked; /* false also ends all lockouts of the account */
	struct opt_bool password_change_required;
};

/*
 * Errors of all changes, after which nothing has changed:
 *	-EROFS		there is no state database
 *	-EINVAL		the name is not valid, or a number of the policy
 *	-EKEYREJECTED	the password is not allowed, see accounts_password_fault()
 *	-EALREADY	the password must be changed, and is the same
 *	-EEXIST		another account has the name
 *	-ENOENT		the account does not exist
 *	-EPERM		no enabled and unlocked Administrator would be left
 *	-E2BIG		there are ACCOUNTS_MAX accounts
 *	-EBUSY		the accounts are not known yet
 *	those of state.h
 */

/* @c: name, password and role must be there; enabled unless said otherwise */
int accounts_create(struct accounts *a, const struct account_change *c, uint64_t *ret_number,
		    struct error *e);

/*
 * accounts_change() - change an account
 *
 * A new password, disabling or locking ends all sessions of the account, also that of the request.
 * A new role or name holds for them from their next request.
 */
int accounts_change(struct accounts *a, uint64_t number, const struct account_change *c,
		    struct error *e);

/* Ends its sessions. */
int accounts_remove(struct accounts *a, uint64_t number, struct error *e);

/* @p: all of it is set; see accounts_policy() */
int accounts_set_policy(struct accounts *a, const struct account_policy *p, struct error *e);

#endif
