// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Changes of accounts: checked, written to the state database, then shown in memory. One at a time:
// nothing that was checked changes before it is written.
#include "redfish/auth/accounts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "redfish/auth/accounts_private.h"

/* Takes the mutex of changes. Return: 0, and it is held; or the reason why nothing can change. */
static int change_begin(struct accounts *a, struct error *e)
{
	int r;

	if (!a->state)
		return error_set(e, EROFS,
				 "accounts can be changed only with a state directory (--state)");
	(void)pthread_mutex_lock(&a->change);
	r = accounts_load(a);
	if (r == 0)
		return 0;
	(void)pthread_mutex_unlock(&a->change);
	return error_set(e, EBUSY,
			 "the state database cannot be read, so the accounts are not known");
}

static int change_end(struct accounts *a, int r)
{
	(void)pthread_mutex_unlock(&a->change);
	return r;
}

static int check_password(struct accounts *a, const char *password, struct error *e)
{
	switch (accounts_password_fault(a, password)) {
	case PASSWORD_ALLOWED:
		break;
	case PASSWORD_TOO_SHORT:
		return error_set(e, EKEYREJECTED, "the password is too short");
	case PASSWORD_TOO_LONG:
		return error_set(e, EKEYREJECTED, "the password has more than %d bytes",
				 PASSWORD_LENGTH_MAX);
	case PASSWORD_BYTES:
		return error_set(e, EKEYREJECTED, "the password has a control character");
	}
	return 0;
}

static int check_name(struct accounts *a, const char *name, uint64_t number, struct error *e)
{
	struct account other;

	if (!account_name_is_valid(name))
		return error_set(e, EINVAL, "the user name is not allowed");
	if (accounts_find(a, name, &other) && other.number != number)
		return error_set(e, EEXIST, "there is an account of that name already");
	return 0;
}

/* An account whose password must be changed does not get it once more. */
static int check_differs(const struct account_change *c, const struct state_account *row,
			 struct error *e)
{
	if (!row->account.password_change_required || row->hash[0] == '\0' ||
	    (c->password_change_required.present && c->password_change_required.value))
		return 0;
	return password_verify(c->password, row->hash) == 0
		       ? error_set(e, EALREADY, "the password is the one that must be changed")
		       : 0;
}

/* Applies a change to a row that is not written yet. */
static int apply(struct accounts *a, const struct account_change *c, struct state_account *row,
		 struct error *e)
{
	struct account *to = &row->account;
	int r = 0;

	if (c->name)
		r = check_name(a, c->name, to->number, e);
	if (r == 0 && c->password)
		r = check_password(a, c->password, e);
	if (r == 0 && c->password)
		r = check_differs(c, row, e);
	if (r < 0)
		return r;
	if (c->name)
		(void)snprintf(to->name, sizeof(to->name), "%s", c->name);
	if (c->role != ROLE_NONE)
		to->role = c->role;
	if (c->enabled.present)
		to->enabled = c->enabled.value;
	if (c->locked.present)
		to->locked = c->locked.value;
	if (c->password)
		to->password_change_required = false;
	if (c->password_change_required.present)
		to->password_change_required = c->password_change_required.value;
	r = c->password ? password_hash(c->password, row->hash) : 0;
	return r < 0 ? error_set(e, r, "the password could not be hashed") : 0;
}

static bool is_administrator(const struct account *i)
{
	return i->role == ROLE_ADMINISTRATOR && i->enabled && !i->locked;
}

/*
 * Whether an administrator remains when the account @number becomes @now; NULL: it is removed.
 * Without one only root on the Unix socket could change accounts.
 */
static int check_administrators(struct accounts *a, uint64_t number, const struct account *now,
				struct error *e)
{
	bool was = false, left = now && is_administrator(now);

	(void)pthread_mutex_lock(&a->lock);
	for (size_t i = 0; i < a->n; i++) {
		const struct account *other = &a->entries[i].account;

		if (other->number == number)
			was = is_administrator(other);
		else
			left = left || is_administrator(other);
	}
	(void)pthread_mutex_unlock(&a->lock);
	if (!was || left)
		return 0;
	return error_set(e, EPERM, "the last enabled Administrator must stay");
}

static bool full(struct accounts *a)
{
	bool ret;

	(void)pthread_mutex_lock(&a->lock);
	ret = a->n == ACCOUNTS_MAX;
	(void)pthread_mutex_unlock(&a->lock);
	return ret;
}

static int create(struct accounts *a, const struct account_change *c, uint64_t *ret_number,
		  struct error *e)
{
	struct state_account row = {.account = {.enabled = true}};
	struct account_entry *i;
	int r;

	if (!c->name || !c->password || c->role == ROLE_NONE)
		return error_set(e, EINVAL, "an account needs a name, a password and a role");
	if (full(a))
		return error_set(e, E2BIG, "there are %d accounts already", ACCOUNTS_MAX);
	r = apply(a, c, &row, e);
	if (r == 0)
		r = state_put_account(a->state, &row, e);
	if (r == 0) {
		(void)pthread_mutex_lock(&a->lock);
		/* Numbers only grow. */
		i = &a->entries[a->n++];
		*i = (struct account_entry){.account = row.account};
		memcpy(i->hash, row.hash, sizeof(i->hash));
		account_entry_renew(a, i);
		(void)pthread_mutex_unlock(&a->lock);
		*ret_number = row.account.number;
	}
	explicit_bzero(&row, sizeof(row));
	return r;
}

int accounts_create(struct accounts *a, const struct account_change *c, uint64_t *ret_number,
		    struct error *e)
{
	int r = change_begin(a, e);

	return r < 0 ? r : change_end(a, create(a, c, ret_number, e));
}

/* Return: whether the account exists. */
static bool copy_row(struct accounts *a, uint64_t number, struct state_account *ret)
{
	const struct account_entry *i;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, number);
	if (i) {
		ret->account = i->account;
		memcpy(ret->hash, i->hash, sizeof(ret->hash));
	}
	(void)pthread_mutex_unlock(&a->lock);
	return i;
}

/* Return: whether something is revoked by the change of an account to @now. */
static bool revokes(const struct account *before, const struct account_change *c,
		    const struct account *now, enum revocation_cause *ret)
{
	if (!now->enabled || now->locked)
		*ret = REVOKED_ACCOUNT;
	else if (before->role != now->role)
		*ret = REVOKED_ROLE;
	else if (c->password ||
		 (now->password_change_required && !before->password_change_required))
		*ret = REVOKED_PASSWORD;
	else
		return false;
	return true;
}

static void tell(struct accounts *a, enum revocation_cause cause, const struct account *of)
{
	struct revocation r = {.cause = cause, .account = of->number};

	memcpy(r.user, of->name, sizeof(r.user));
	revocations_tell(&a->revocations, &r);
}

static void show(struct accounts *a, const struct account_change *c,
		 const struct state_account *row)
{
	enum revocation_cause cause;
	struct account_entry *i;
	struct account before;
	bool renewed;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, row->account.number);
	renewed = c->password || !row->account.enabled || row->account.locked;
	before = i->account;
	/* Credentials that were accepted had the old name. */
	if (c->name)
		i->digest_until_ms = 0;
	i->account = row->account;
	memcpy(i->hash, row->hash, sizeof(i->hash));
	if (renewed)
		account_entry_renew(a, i);
	if (c->locked.present && !c->locked.value)
		lockouts_clear(&a->lockouts, row->account.number);
	(void)pthread_mutex_unlock(&a->lock);
	if (revokes(&before, c, &row->account, &cause))
		tell(a, cause, &before);
}

static int not_found(uint64_t number, struct error *e)
{
	return error_set(e, ENOENT, "there is no account %llu", (unsigned long long)number);
}

static int change(struct accounts *a, uint64_t number, const struct account_change *c,
		  struct error *e)
{
	struct state_account row;
	int r;

	if (!copy_row(a, number, &row))
		return not_found(number, e);
	r = apply(a, c, &row, e);
	if (r == 0)
		r = check_administrators(a, number, &row.account, e);
	if (r == 0)
		r = state_put_account(a->state, &row, e);
	if (r == 0)
		show(a, c, &row);
	explicit_bzero(&row, sizeof(row));
	return r;
}

int accounts_change(struct accounts *a, uint64_t number, const struct account_change *c,
		    struct error *e)
{
	int r = change_begin(a, e);

	return r < 0 ? r : change_end(a, change(a, number, c, e));
}

static void forget(struct accounts *a, uint64_t number)
{
	struct account_entry *i;
	size_t behind;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, number);
	behind = (size_t)(&a->entries[a->n] - i) - 1;
	memmove(i, i + 1, behind * sizeof(*i));
	explicit_bzero(&a->entries[--a->n], sizeof(*i));
	lockouts_clear(&a->lockouts, number);
	(void)pthread_mutex_unlock(&a->lock);
}

static int remove_one(struct accounts *a, uint64_t number, struct error *e)
{
	struct account gone;
	int r;

	if (!accounts_get(a, number, &gone))
		return not_found(number, e);
	r = check_administrators(a, number, NULL, e);
	if (r == 0)
		r = state_remove_account(a->state, number, e);
	if (r == 0) {
		forget(a, number);
		tell(a, REVOKED_ACCOUNT, &gone);
	}
	return r;
}

int accounts_remove(struct accounts *a, uint64_t number, struct error *e)
{
	int r = change_begin(a, e);

	return r < 0 ? r : change_end(a, remove_one(a, number, e));
}

static int set_policy(struct accounts *a, const struct account_policy *p, struct error *e)
{
	int r;

	if (!account_policy_is_valid(p))
		return error_set(e, EINVAL, "a number of the policy is out of its range");
	r = state_set_account_policy(a->state, p, e);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&a->lock);
	a->policy = *p;
	(void)pthread_mutex_unlock(&a->lock);
	return 0;
}

int accounts_set_policy(struct accounts *a, const struct account_policy *p, struct error *e)
{
	int r = change_begin(a, e);

	return r < 0 ? r : change_end(a, set_policy(a, p, e));
}
