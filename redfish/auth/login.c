// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/login.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "redfish/auth/accounts_private.h"
#include "redfish/state/audit.h"

struct login {
	TAILQ_ENTRY(login) in_all; /* guarded by the accounts' lock */
	struct accounts *all;
	struct login_origin origin;
	char from[PRINCIPAL_FROM_MAX];
	bool is_root; /* of the Unix socket: never locked out */
	bool is_stranger;
	bool is_known; /* to go on although the account is locked out there */
	char user[PRINCIPAL_NAME_MAX];
	char password[PASSWORD_LENGTH_MAX + 1];
};

/* With the lock held. The name under which failures are counted: all names that no account has look
 * alike. */
static lockout_account counted_as(struct accounts *a, const char *user)
{
	const struct account_entry *i = account_entry_find(a, user);
	uint8_t digest[DIGEST_BYTES];
	uint64_t ret;

	if (i)
		return i->account.number;
	if (digest_make(&a->key, user, strlen(user), digest) < 0)
		return UINT64_MAX;
	memcpy(&ret, digest, sizeof(ret));
	return ret | LOCKOUT_INVENTED;
}

/* With the lock held. Return: logins that are under way from there. */
static unsigned int logins_from(const struct accounts *a, const struct login_origin *o)
{
	const struct login *i;
	unsigned int n = 0;

	TAILQ_FOREACH(i, &a->logins, in_all)
	n += login_origin_equal(&i->origin, o);
	return n;
}

/* With the lock held. Return: logins that are under way from where none has succeeded lately. */
static unsigned int logins_of_strangers(const struct accounts *a)
{
	const struct login *i;
	unsigned int n = 0;

	TAILQ_FOREACH(i, &a->logins, in_all)
	n += i->is_stranger;
	return n;
}

/* With the lock held. */
static bool is_known(const struct accounts *a, const struct login_origin *o)
{
	for (size_t i = 0; i < a->n_known_origins; i++)
		if (login_origin_equal(&a->known_origins[i], o))
			return true;
	return false;
}

/* With the lock held. The one that was added first makes place. */
static void add_known(struct accounts *a, const struct login_origin *o)
{
	if (is_known(a, o))
		return;
	a->known_origins[a->next_known_origin] = *o;
	a->next_known_origin = (a->next_known_origin + 1) % ORIGINS_KNOWN_MAX;
	if (a->n_known_origins < ORIGINS_KNOWN_MAX)
		a->n_known_origins++;
}

/* With the lock held. */
static bool is_crowded(const struct accounts *a, const struct login *l)
{
	/* A login from where one has succeeded lately counts for its client alone. */
	const struct budget_held held = {.total = l->is_stranger ? logins_of_strangers(a) : 0,
					 .client = logins_from(a, &l->origin)};
	const struct budget_owner owner = {.client = UINT64_MAX};

	return !budget_admits(BUDGET_LOGINS, &held, &owner, 1);
}

unsigned int login_retry_s(uint64_t wait_ms)
{
	return wait_ms == UINT64_MAX ? 0 : (unsigned int)((wait_ms + 999) / 1000);
}

/* With the lock held. Return: as lockouts_wait(), but 0 for the credential of the last success. */
static uint64_t wait_of(struct accounts *a, struct login *l)
{
	const lockout_account account = counted_as(a, l->user);
	const uint64_t now = clock_boottime_ms();
	uint64_t wait = lockouts_wait(&a->lockouts, &l->origin, account, now);
	uint8_t digest[DIGEST_BYTES];

	if (!wait || accounts_digest(a, l->user, l->password, digest) < 0)
		return wait;
	l->is_known = known_logins_admit(&a->known_logins, &l->origin, account, digest, now);
	return l->is_known ? 0 : wait;
}

/* Whether the login is checked at all; it is in the list then. */
static int admit(struct login *l, unsigned int *ret_retry_s)
{
	struct accounts *a = l->all;
	uint64_t wait = 0;
	int r = 0;

	(void)pthread_mutex_lock(&a->lock);
	if (!l->is_root)
		wait = wait_of(a, l);
	l->is_stranger = !l->is_root && !is_known(a, &l->origin);
	if (wait)
		r = -EACCES;
	else if (is_crowded(a, l))
		r = -EBUSY;
	else
		TAILQ_INSERT_TAIL(&a->logins, l, in_all);
	(void)pthread_mutex_unlock(&a->lock);
	if (r == -EACCES && ret_retry_s)
		*ret_retry_s = login_retry_s(wait);
	if (r == -EACCES)
		login_log_failure(&a->log, l->from);
	return r;
}

static void wipe(struct login *l)
{
	explicit_bzero(l, sizeof(*l));
	free(l);
}

int login_begin(struct accounts *a, const struct http_client *client, const char *user,
		const char *password, struct login **ret, unsigned int *ret_retry_s)
{
	struct login *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	l->all = a;
	login_origin_of(client, &l->origin);
	origin_describe(client, l->from);
	l->is_root = origin_is_root(client);
	/* Names and passwords that are too long are checked like those of no account, as the empty
	 * name. */
	if (strlen(user) < sizeof(l->user) && strlen(password) < sizeof(l->password)) {
		memcpy(l->user, user, strlen(user) + 1);
		memcpy(l->password, password, strlen(password) + 1);
	}
	r = admit(l, ret_retry_s);
	if (r < 0)
		wipe(l);
	else
		*ret = l;
	return r;
}

struct login *login_free(struct login *l)
{
	struct accounts *a = l ? l->all : NULL;

	if (!l)
		return NULL;
	(void)pthread_mutex_lock(&a->lock);
	TAILQ_REMOVE(&a->logins, l, in_all);
	(void)pthread_mutex_unlock(&a->lock);
	wipe(l);
	return NULL;
}

/* ---- in the job -------------------------------------------------------------------------------
 */

/* An account as it was when the check began. */
struct candidate {
	uint64_t number, credential; /* 0: there is none */
	char hash[PASSWORD_HASH_MAX];
	uint8_t digest[DIGEST_BYTES];
	bool only; /* the account of the options, which has no hash */
};

/* Return: 0; -EACCES when it is locked out meanwhile. */
static int find_candidate(struct login *l, struct candidate *ret)
{
	struct accounts *a = l->all;
	const struct account_entry *i;
	uint64_t wait = 0;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_find(a, l->user);
	if (i) {
		ret->number = i->account.number;
		ret->credential = i->credential;
		memcpy(ret->hash, i->hash, sizeof(ret->hash));
		memcpy(ret->digest, i->digest, sizeof(ret->digest));
		ret->only = i->hash[0] == '\0';
	}
	if (!l->is_root && !l->is_known)
		wait = wait_of(a, l);
	(void)pthread_mutex_unlock(&a->lock);
	return wait ? -EACCES : 0;
}

/* Return: 0; -EACCES; -ENOMEM. */
static int check_password(const struct login *l, const struct candidate *c)
{
	uint8_t digest[DIGEST_BYTES];
	int r;

	if (!c->only)
		return password_verify(l->password, c->number ? c->hash : NULL);
	r = accounts_digest(l->all, l->user, l->password, digest);
	if (r < 0)
		return r;
	return digest_equal(digest, c->digest) ? 0 : password_verify(l->password, NULL);
}

/* With the lock held. The next request with the credential needs no hash. */
static void remember(struct accounts *a, const struct login *l, struct account_entry *i)
{
	const uint64_t now = clock_boottime_ms();
	uint8_t digest[DIGEST_BYTES];

	if (accounts_digest(a, l->user, l->password, digest) < 0)
		return;
	known_logins_add(&a->known_logins, &l->origin, i->account.number, digest, now);
	if (i->digest_until_ms == UINT64_MAX)
		return;
	memcpy(i->digest, digest, sizeof(digest));
	i->digest_until_ms = now + CREDENTIAL_KEPT_MS;
}

/* The account may have changed while the hash was made. */
static int login_accept(struct login *l, const struct candidate *c, struct principal *ret)
{
	struct accounts *a = l->all;
	struct account_entry *i;
	int r = -EACCES;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, c->number);
	if (i && i->credential == c->credential && account_entry_is_usable(i)) {
		/* The guesses of others stay counted. */
		if (!l->is_known)
			lockouts_succeed(&a->lockouts, &l->origin, c->number);
		add_known(a, &l->origin);
		remember(a, l, i);
		account_entry_describe(i, ret);
		memcpy(ret->from, l->from, sizeof(ret->from));
		ret->session = 0;
		ret->means = AUTHENTICATION_BASIC;
		r = 0;
	}
	(void)pthread_mutex_unlock(&a->lock);
	return r;
}

/* Lockouts of names that no account has are not recorded: users enter a password in its place. */
static void count_failure(struct login *l)
{
	struct accounts *a = l->all;
	struct lockout_rule rule;
	bool locks = false;

	(void)pthread_mutex_lock(&a->lock);
	rule = accounts_lockout_rule(a);
	if (!l->is_root)
		locks = lockouts_fail(&a->lockouts, &rule, &l->origin, counted_as(a, l->user),
				      clock_boottime_ms()) > 0 &&
			account_entry_find(a, l->user);
	(void)pthread_mutex_unlock(&a->lock);
	if (locks)
		audit_locked_out(a->audit, l->user, l->from);
}

int login_verify(struct login *l, struct principal *ret)
{
	struct accounts *a = l->all;
	struct candidate c = {0};
	int r;

	if (!accounts_are_known(a)) {
		(void)pthread_mutex_lock(&a->change);
		r = accounts_load(a);
		(void)pthread_mutex_unlock(&a->change);
		if (r < 0)
			return r;
	}
	if (find_candidate(l, &c) < 0) {
		login_log_failure(&a->log, l->from);
		return -EACCES;
	}
	r = check_password(l, &c);
	if (r == 0)
		r = login_accept(l, &c, ret);
	if (r == -EACCES) {
		count_failure(l);
		login_log_failure(&a->log, l->from);
	}
	explicit_bzero(&c, sizeof(c));
	return r;
}
