// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/sessions.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <gnutls/gnutls.h>

#include "common/clock.h"
#include "redfish/auth/accounts_private.h"
#include "redfish/state/audit.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"

struct session_entry {
	SLIST_ENTRY(session_entry) next; /* once it has ended */
	const char *reason;		 /* then: why */
	bool is_revoked;		 /* then: what it opened ends, too */
	struct session session;		 /* idle_s is not used */
	uint64_t credential;		 /* of the account, when the session began */
	uint64_t used_ms, created_ms;	 /* by the accounts' clock */
	uint8_t digest[DIGEST_BYTES];
};

struct sessions {
	struct accounts *accounts;
	struct digest_key key;
	pthread_mutex_t lock; /* guards the following; taken before that of the accounts */
	uint64_t last_number;
	SLIST_HEAD(session_list, session_entry)
	ended; /* by themselves, until the lock is released */
	/* First bytes of the digests, of which a search reads little memory; 0: no session. */
	uint64_t tags[SESSIONS_MAX];
	struct session_entry *entries[SESSIONS_MAX]; /* NULL: no session */
};

static uint64_t tag_of(const uint8_t digest[DIGEST_BYTES])
{
	uint64_t tag;

	memcpy(&tag, digest, sizeof(tag));
	return tag ? tag : 1;
}

static struct revocation revocation_of(const struct session *session)
{
	struct revocation r = {
		.cause = REVOKED_SESSION,
		.account = session->account,
		.session = session->number,
	};

	memcpy(r.user, session->user, sizeof(r.user));
	return r;
}

/*
 * Records are added without the lock: no request waits for them. The end of a session is reported
 * once, by the thread that found it.
 */
static void sessions_unlock(struct sessions *s)
{
	struct session_entry *e, *ended = SLIST_FIRST(&s->ended);
	struct audit *audit = s->accounts->audit;
	char uri[RESOURCE_URI_MAX];

	SLIST_INIT(&s->ended);
	(void)pthread_mutex_unlock(&s->lock);
	while ((e = ended)) {
		ended = SLIST_NEXT(e, next);
		(void)snprintf(uri, sizeof(uri), URI_SESSION, e->session.number);
		audit_session_ended(audit, e->session.user, e->session.from, uri, e->reason);
		if (e->is_revoked) {
			const struct revocation r = revocation_of(&e->session);

			revocations_tell(&s->accounts->revocations, &r);
		}
		free(e);
	}
}

/* ---- with the lock held -----------------------------------------------------------------------
 */

/* Return: the entry, without its token. */
static struct session_entry *session_take(struct sessions *s, size_t i)
{
	struct session_entry *e = s->entries[i];

	explicit_bzero(e->digest, sizeof(e->digest));
	s->entries[i] = NULL;
	s->tags[i] = 0;
	return e;
}

/* Return: how long a session may be open; UINT64_MAX for any time. */
static uint64_t limit_ms(const struct account_policy *p)
{
	return p->session_is_limited ? (uint64_t)p->session_limit_s * 1000 : UINT64_MAX;
}

/*
 * Whether a session still exists; ends it if not. A change of the account that ends its sessions
 * changes the number of its credential, so the accounts know no sessions.
 */
static bool session_is_alive(struct sessions *s, size_t at, uint64_t now, struct principal *ret)
{
	struct session_entry *e = s->entries[at];
	struct accounts *a = s->accounts;
	const struct account_entry *i;

	e->reason = NULL;
	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, e->session.account);
	e->is_revoked = now - e->created_ms >= limit_ms(&a->policy);
	if (e->is_revoked)
		e->reason = "it was open for the absolute session timeout";
	else if (now - e->used_ms >= (uint64_t)a->policy.session_timeout_s * 1000)
		e->reason = "it was not used for the session timeout";
	else if (!i || i->credential != e->credential || !account_entry_is_usable(i))
		e->reason = "its account was changed or removed";
	else
		account_entry_describe(i, ret);
	(void)pthread_mutex_unlock(&a->lock);
	if (!e->reason) {
		memcpy(e->session.user, ret->name, sizeof(e->session.user));
	} else {
		(void)session_take(s, at);
		SLIST_INSERT_HEAD(&s->ended, e, next);
	}
	return !e->reason;
}

static void copy_session(const struct sessions *s, size_t i, uint64_t now, struct session *ret)
{
	const struct session_entry *e = s->entries[i];

	*ret = e->session;
	ret->idle_s = (unsigned int)((now - e->used_ms) / 1000);
	ret->age_s = (unsigned int)((now - e->created_ms) / 1000);
}

/* Return: the place of a new session; SESSIONS_MAX when there are too many. */
static size_t sessions_place(struct sessions *s, const struct budget_owner *owner, uint64_t now)
{
	struct budget_held held = {0};
	size_t place = SESSIONS_MAX;
	struct principal unused;

	for (size_t i = 0; i < SESSIONS_MAX; i++) {
		if (!s->entries[i] || !session_is_alive(s, i, now, &unused)) {
			place = place < i ? place : i;
			continue;
		}
		held.total++;
		held.principal += s->entries[i]->session.account == owner->principal;
	}
	return budget_admits(BUDGET_SESSIONS, &held, owner, 1) ? place : SESSIONS_MAX;
}

static size_t sessions_find(struct sessions *s, uint64_t number, uint64_t now)
{
	struct principal unused;

	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (s->entries[i] && s->entries[i]->session.number == number)
			return session_is_alive(s, i, now, &unused) ? i : SESSIONS_MAX;
	return SESSIONS_MAX;
}

/* ---- lifetime ---------------------------------------------------------------------------------
 */

int sessions_new(struct accounts *accounts, struct sessions **ret, struct error *e)
{
	struct sessions *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	(void)pthread_mutex_init(&s->lock, NULL);
	SLIST_INIT(&s->ended);
	s->accounts = accounts;
	r = digest_key_init(&s->key);
	if (r < 0) {
		(void)sessions_free(s);
		return error_set(e, r, "there are no random numbers");
	}
	*ret = s;
	return 0;
}

struct sessions *sessions_free(struct sessions *s)
{
	if (!s)
		return NULL;
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (s->entries[i])
			free(session_take(s, i));
	digest_key_done(&s->key);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
	return NULL;
}

/* ---- sessions ---------------------------------------------------------------------------------
 */

static void write_token(const uint8_t bytes[SESSION_TOKEN_BYTES],
			char token[static SESSION_TOKEN_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SESSION_TOKEN_BYTES; i++) {
		token[2 * i] = digits[bytes[i] >> 4];
		token[2 * i + 1] = digits[bytes[i] & 15];
	}
	token[SESSION_TOKEN_SIZE - 1] = '\0';
}

static int make_token(struct sessions *s, struct session_entry *e,
		      char token[static SESSION_TOKEN_SIZE])
{
	uint8_t bytes[SESSION_TOKEN_BYTES];
	int r = gnutls_rnd(GNUTLS_RND_KEY, bytes, sizeof(bytes)) < 0 ? -EIO : 0;

	if (r == 0)
		write_token(bytes, token);
	if (r == 0)
		r = digest_make(&s->key, token, SESSION_TOKEN_SIZE - 1, e->digest);
	explicit_bzero(bytes, sizeof(bytes));
	return r;
}

static void describe_new(const struct principal *p, struct session_entry *e)
{
	e->session.account = p->account;
	e->session.created = (time_t)(clock_realtime_ns() / 1000000000);
	memcpy(e->session.user, p->name, sizeof(e->session.user));
	memcpy(e->session.from, p->from, sizeof(e->session.from));
	e->credential = p->credential;
}

/* Return: 0, and @e is taken over; or as sessions_create(). */
static int sessions_add(struct sessions *s, struct session_entry *e,
			const struct budget_owner *owner, struct session *ret)
{
	struct principal unused;
	uint64_t now;
	size_t i;
	int r = 0;

	(void)pthread_mutex_lock(&s->lock);
	now = clock_boottime_ms();
	e->used_ms = e->created_ms = now;
	i = sessions_place(s, owner, now);
	if (i == SESSIONS_MAX) {
		r = -E2BIG;
	} else {
		e->session.number = ++s->last_number;
		s->entries[i] = e;
		s->tags[i] = tag_of(e->digest);
		if (session_is_alive(s, i, now, &unused))
			copy_session(s, i, now, ret);
		else
			r = -EACCES;
	}
	sessions_unlock(s);
	if (r == -E2BIG) {
		explicit_bzero(e, sizeof(*e));
		free(e);
	}
	return r;
}

int sessions_create(struct sessions *s, const struct principal *p, struct session *ret,
		    char token[static SESSION_TOKEN_SIZE])
{
	const struct budget_owner owner = owner_of(p, 0);
	struct session_entry *e = calloc(1, sizeof(*e));
	int r;

	if (!e)
		return -ENOMEM;
	r = make_token(s, e, token);
	if (r < 0) {
		free(e);
		return r;
	}
	describe_new(p, e);
	return sessions_add(s, e, &owner, ret);
}

/* With the lock held. Return: SESSIONS_MAX when there is none. */
static size_t find_digest(const struct sessions *s, const uint8_t digest[DIGEST_BYTES])
{
	uint64_t tag = tag_of(digest);

	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (s->tags[i] == tag && digest_equal(s->entries[i]->digest, digest))
			return i;
	return SESSIONS_MAX;
}

bool sessions_authenticate(struct sessions *s, const char *token, struct principal *ret)
{
	uint8_t digest[DIGEST_BYTES];
	bool found = false;
	uint64_t now;
	size_t i;

	if (strlen(token) != SESSION_TOKEN_SIZE - 1 ||
	    digest_make(&s->key, token, SESSION_TOKEN_SIZE - 1, digest) < 0)
		return false;
	(void)pthread_mutex_lock(&s->lock);
	/* With the lock held: it is not before the last use. */
	now = clock_boottime_ms();
	i = find_digest(s, digest);
	if (i < SESSIONS_MAX && session_is_alive(s, i, now, ret)) {
		s->entries[i]->used_ms = now;
		ret->means = AUTHENTICATION_SESSION;
		ret->session = s->entries[i]->session.number;
		found = true;
	}
	sessions_unlock(s);
	return found;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct session *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

size_t sessions_list(struct sessions *s, struct session ret[static SESSIONS_MAX])
{
	uint64_t now;
	struct principal unused;
	size_t n = 0;

	(void)pthread_mutex_lock(&s->lock);
	now = clock_boottime_ms();
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (s->entries[i] && session_is_alive(s, i, now, &unused))
			copy_session(s, i, now, &ret[n++]);
	sessions_unlock(s);
	qsort(ret, n, sizeof(*ret), compare_numbers);
	return n;
}

bool sessions_get(struct sessions *s, uint64_t number, struct session *ret)
{
	uint64_t now;
	size_t i;

	(void)pthread_mutex_lock(&s->lock);
	now = clock_boottime_ms();
	i = sessions_find(s, number, now);
	if (i < SESSIONS_MAX)
		copy_session(s, i, now, ret);
	sessions_unlock(s);
	return i < SESSIONS_MAX;
}

int sessions_remove(struct sessions *s, uint64_t number)
{
	struct revocation r = {0};
	uint64_t now;
	size_t i;

	(void)pthread_mutex_lock(&s->lock);
	now = clock_boottime_ms();
	i = sessions_find(s, number, now);
	if (i < SESSIONS_MAX) {
		r = revocation_of(&s->entries[i]->session);
		free(session_take(s, i));
	}
	sessions_unlock(s);
	if (i == SESSIONS_MAX)
		return -ENOENT;
	revocations_tell(&s->accounts->revocations, &r);
	return 0;
}

void sessions_expire(struct sessions *s)
{
	struct principal unused;
	uint64_t now;

	(void)pthread_mutex_lock(&s->lock);
	now = clock_boottime_ms();
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (s->entries[i])
			(void)session_is_alive(s, i, now, &unused);
	sessions_unlock(s);
}
