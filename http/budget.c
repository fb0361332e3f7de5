// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/budget.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { HOLDER_BUCKETS = 1024, MIB = 1024 * 1024 };

/* cxl-redfishd(8), LIMITS, has the same table. */
const struct budget_row budget_rows[BUDGET_KINDS] = {
	[BUDGET_CONNECTIONS] = {"connections", 1024, 64, 256, 512},
	[BUDGET_BODIES] = {"bytes of request bodies", 32 * MIB, 4 * MIB, 8 * MIB, 16 * MIB},
	[BUDGET_REPLIES] = {"bytes of replies", 160 * MIB, 32 * MIB, 48 * MIB, 96 * MIB},
	[BUDGET_STREAMS] = {"streams", BUDGET_STREAMS_TOTAL, 16, 32, 64},
	[BUDGET_SUBSCRIPTION_BYTES] = {"bytes of subscriptions", BUDGET_SUBSCRIPTION_BYTES_TOTAL,
				       MIB / 2, MIB, UINT64_MAX},
	[BUDGET_SUBSCRIPTIONS] = {"subscriptions", BUDGET_SUBSCRIPTIONS_TOTAL, 50, 250, UINT64_MAX},
	[BUDGET_SESSIONS] = {"sessions", BUDGET_SESSIONS_TOTAL, BUDGET_SESSIONS_RESERVE,
			     BUDGET_SESSIONS_PER_PRINCIPAL, UINT64_MAX},
	[BUDGET_LOGINS] = {"passwords that are being checked, of strangers",
			   BUDGET_LOGINS_OF_STRANGERS, 0, UINT64_MAX, BUDGET_LOGINS_PER_CLIENT},
};

bool budget_admits(enum budget_kind kind, const struct budget_held *held,
		   const struct budget_owner *owner, uint64_t more)
{
	const struct budget_row *row = &budget_rows[kind];
	const uint64_t total = row->total - (owner->administrator ? 0 : row->reserve);

	if (more > total || held->total > total - more)
		return false;
	if (owner->principal && (more > row->principal || held->principal > row->principal - more))
		return false;
	return owner->administrator || !owner->client ||
	       (more <= row->client && held->client <= row->client - more);
}

/* ---- the count --------------------------------------------------------------------------------
 */

/* A principal or a client. */
struct holder {
	struct holder *next;
	uint64_t key;
	bool is_client;
	uint64_t held[BUDGET_KINDS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the following */
static uint64_t totals[BUDGET_KINDS];
static struct holder *buckets[HOLDER_BUCKETS];

static struct holder **place_of(uint64_t key, bool is_client)
{
	struct holder **at = &buckets[(key * 0x9e3779b97f4a7c15 + is_client) >> 54];

	while (*at && ((*at)->key != key || (*at)->is_client != is_client))
		at = &(*at)->next;
	return at;
}

/* Return: what that one holds; 0 of a key of 0. */
static uint64_t held_by(uint64_t key, bool is_client, enum budget_kind kind)
{
	const struct holder *h = key ? *place_of(key, is_client) : NULL;

	return h ? h->held[kind] : 0;
}

static int holder_add(uint64_t key, bool is_client, enum budget_kind kind, uint64_t n)
{
	struct holder **at;

	if (!key)
		return 0;
	at = place_of(key, is_client);
	if (!*at) {
		*at = calloc(1, sizeof(**at));
		if (!*at)
			return -ENOMEM;
		(*at)->key = key;
		(*at)->is_client = is_client;
	}
	(*at)->held[kind] += n;
	return 0;
}

static void holder_sub(uint64_t key, bool is_client, enum budget_kind kind, uint64_t n)
{
	struct holder **at = place_of(key, is_client), *h = *at;

	if (!key || !h)
		return;
	h->held[kind] -= n;
	for (size_t i = 0; i < BUDGET_KINDS; i++)
		if (h->held[i])
			return;
	*at = h->next;
	free(h);
}

/* With the lock held. */
static void give(const struct budget_owner *o, enum budget_kind kind, uint64_t n)
{
	if (n == 0)
		return;
	totals[kind] -= n;
	holder_sub(o->principal, false, kind, n);
	holder_sub(o->client, true, kind, n);
}

/* With the lock held. @forced: without the limits. */
static int take(const struct budget_owner *o, enum budget_kind kind, uint64_t n, bool forced)
{
	const struct budget_held held = {totals[kind], held_by(o->principal, false, kind),
					 held_by(o->client, true, kind)};
	int r;

	if (n == 0)
		return 0;
	if (!forced && !budget_admits(kind, &held, o, n))
		return -EDQUOT;
	r = holder_add(o->principal, false, kind, n);
	if (r < 0)
		return r;
	r = holder_add(o->client, true, kind, n);
	if (r < 0) {
		holder_sub(o->principal, false, kind, n);
		return r;
	}
	totals[kind] += n;
	return 0;
}

/* ---- shares -----------------------------------------------------------------------------------
 */

static bool same_owner(const struct budget_owner *a, const struct budget_owner *b)
{
	return a->principal == b->principal && a->client == b->client &&
	       a->administrator == b->administrator;
}

/* With the lock held. The old owner's share is the new one's, as it would be anyway. */
static int change_owner(struct budget_share *s, const struct budget_owner *owner)
{
	uint64_t held[BUDGET_KINDS];
	int r = 0;

	for (size_t i = 0; i < BUDGET_KINDS; i++) {
		held[i] = s->held[i];
		s->held[i] = 0;
		give(&s->owner, (enum budget_kind)i, held[i]);
	}
	held[BUDGET_CONNECTIONS] = owner->principal != 0;
	for (size_t i = 0; i < BUDGET_KINDS && r == 0; i++) {
		r = take(owner, (enum budget_kind)i, held[i], i != BUDGET_CONNECTIONS);
		if (r == 0)
			s->held[i] = held[i];
	}
	s->owner = *owner;
	return r;
}

int budget_share_own(struct budget_share *s, const struct budget_owner *owner)
{
	int r;

	if (same_owner(&s->owner, owner) && s->held[BUDGET_CONNECTIONS] == (owner->principal != 0))
		return 0;
	(void)pthread_mutex_lock(&lock);
	r = change_owner(s, owner);
	(void)pthread_mutex_unlock(&lock);
	return r;
}

int budget_share_set(struct budget_share *s, enum budget_kind kind, uint64_t n)
{
	struct budget_owner owner = s->owner;
	int r = 0;

	if (n == s->held[kind])
		return 0;
	if (kind == BUDGET_BODIES && n <= BUDGET_LOGIN_BODY_MAX && !owner.principal)
		owner.administrator = true;
	(void)pthread_mutex_lock(&lock);
	if (n < s->held[kind])
		give(&owner, kind, s->held[kind] - n);
	else
		r = take(&owner, kind, n - s->held[kind], false);
	(void)pthread_mutex_unlock(&lock);
	if (r == 0)
		s->held[kind] = n;
	return r;
}

void budget_share_done(struct budget_share *s)
{
	(void)pthread_mutex_lock(&lock);
	for (size_t i = 0; i < BUDGET_KINDS; i++)
		give(&s->owner, (enum budget_kind)i, s->held[i]);
	(void)pthread_mutex_unlock(&lock);
	*s = (struct budget_share){0};
}
