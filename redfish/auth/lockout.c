// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/lockout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/log.h"

enum { DELAY_MS = 1000 };

/* ---- the table --------------------------------------------------------------------------------
 */

void lockouts_done(struct lockouts *l)
{
	free(l->items);
	*l = (struct lockouts){0};
}

static bool lockout_is(const struct lockout *i, const struct login_origin *o,
		       lockout_account account)
{
	return i->failures > 0 && i->account == account && login_origin_equal(&i->origin, o);
}

/* Return: the entry that counts for a login; NULL without. */
static struct lockout *lockout_find(const struct lockouts *l, const struct login_origin *o,
				    lockout_account account)
{
	for (size_t i = 0; i < l->n; i++)
		if (lockout_is(&l->items[i], o, account))
			return &l->items[i];
	return NULL;
}

uint64_t lockouts_wait(const struct lockouts *l, const struct login_origin *o,
		       lockout_account account, uint64_t now_ms)
{
	const struct lockout *i = l->n > 0 ? lockout_find(l, o, account) : NULL;

	if (!i || now_ms >= i->until_ms)
		return 0;
	return i->until_ms == UINT64_MAX ? UINT64_MAX : i->until_ms - now_ms;
}

/* Whether nothing follows from an entry any more. */
static bool lockout_is_over(const struct lockout *i, const struct lockout_rule *rule,
			    uint64_t now_ms)
{
	return now_ms >= i->until_ms && (i->locked || now_ms - i->last_ms > rule->reset_ms);
}

static void lockouts_expire(struct lockouts *l, const struct lockout_rule *rule, uint64_t now_ms)
{
	for (size_t i = 0; i < l->n; i++)
		if (lockout_is_over(&l->items[i], rule, now_ms))
			l->items[i].failures = 0;
	while (l->n > 0 && l->items[l->n - 1].failures == 0)
		l->n--;
}

static bool is_invented(const struct lockout *i)
{
	return i->failures > 0 && i->account & LOCKOUT_INVENTED;
}

/* Return: which of two entries is dropped before the other; @a may be NULL. */
static struct lockout *lesser(struct lockout *a, struct lockout *b)
{
	if (!a || b->failures < a->failures)
		return b;
	return b->failures == a->failures && b->last_ms < a->last_ms ? b : a;
}

/*
 * The entries of invented names.
 * @o: of this origin; NULL: of all
 * @ret_n: how many there are
 *
 * Return: the one that is dropped first; NULL without.
 */
static struct lockout *least_invented(const struct lockouts *l, const struct login_origin *o,
				      size_t *ret_n)
{
	struct lockout *least = NULL;

	*ret_n = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct lockout *item = &l->items[i];

		if (!is_invented(item) || (o && !login_origin_equal(&item->origin, o)))
			continue;
		least = lesser(least, item);
		(*ret_n)++;
	}
	return least;
}

/* Return: the free entry, or the one that is dropped. */
static struct lockout *lockouts_place(struct lockouts *l)
{
	struct lockout *least;
	size_t n;

	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].failures == 0)
			return &l->items[i];
	if (l->n < LOCKOUTS_MAX)
		return &l->items[l->n++];
	least = least_invented(l, NULL, &n);
	for (size_t i = 0; n == 0 && i < l->n; i++)
		least = lesser(least, &l->items[i]);
	return least;
}

static struct lockout *lockouts_add(struct lockouts *l, const struct login_origin *o,
				    lockout_account account)
{
	struct lockout *ret = NULL;
	size_t n = 0;

	if (account & LOCKOUT_INVENTED)
		ret = least_invented(l, o, &n);
	if (n < LOCKOUTS_PER_ADDRESS)
		ret = lockouts_place(l);
	*ret = (struct lockout){.origin = *o, .account = account};
	return ret;
}

static uint64_t delay_ms(unsigned int failures)
{
	uint64_t delay = DELAY_MS;

	if (failures < 2)
		return 0;
	for (unsigned int i = 2; i < failures && delay < LOCKOUT_DELAY_MAX_MS; i++)
		delay *= 2;
	return delay < LOCKOUT_DELAY_MAX_MS ? delay : LOCKOUT_DELAY_MAX_MS;
}

int lockouts_fail(struct lockouts *l, const struct lockout_rule *rule, const struct login_origin *o,
		  lockout_account account, uint64_t now_ms)
{
	struct lockout *i;
	bool was_locked;

	if (!l->items)
		l->items = calloc(LOCKOUTS_MAX, sizeof(*l->items));
	if (!l->items)
		return -ENOMEM;
	lockouts_expire(l, rule, now_ms);
	i = lockout_find(l, o, account);
	if (!i)
		i = lockouts_add(l, o, account);
	if (i->failures < UINT32_MAX)
		i->failures++;
	i->last_ms = now_ms;
	was_locked = i->locked && now_ms < i->until_ms;
	i->locked = rule->threshold > 0 && i->failures >= rule->threshold;
	if (!i->locked)
		i->until_ms = now_ms + delay_ms(i->failures);
	else
		i->until_ms = rule->duration_ms ? now_ms + rule->duration_ms : UINT64_MAX;
	return i->locked && !was_locked;
}

void lockouts_succeed(struct lockouts *l, const struct login_origin *o, lockout_account account)
{
	for (size_t i = 0; i < l->n; i++)
		if (lockout_is(&l->items[i], o, account))
			l->items[i].failures = 0;
}

void lockouts_clear(struct lockouts *l, lockout_account account)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].account == account)
			l->items[i].failures = 0;
}

bool lockouts_any(const struct lockouts *l, lockout_account account, uint64_t now_ms)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct lockout *item = &l->items[i];

		if (item->failures > 0 && item->account == account && item->locked &&
		    now_ms < item->until_ms)
			return true;
	}
	return false;
}

void login_log_init(struct login_log *l)
{
	*l = (struct login_log){0};
	(void)pthread_mutex_init(&l->lock, NULL);
}

void login_log_done(struct login_log *l)
{
	(void)pthread_mutex_destroy(&l->lock);
}

void login_log_failure(struct login_log *l, const char *from)
{
	const uint64_t now = clock_monotonic_ms();
	uint64_t n = 0;
	bool shown;

	(void)pthread_mutex_lock(&l->lock);
	shown = now >= l->due_ms;
	if (shown) {
		n = l->n_omitted;
		l->n_omitted = 0;
		l->due_ms = now + LOGIN_LOG_MS;
	} else {
		l->n_omitted++;
	}
	(void)pthread_mutex_unlock(&l->lock);
	if (!shown)
		return;
	if (n)
		log_warning("a login failed, from %s; since the last message %" PRIu64
			    " others failed",
			    from, n);
	else
		log_warning("a login failed, from %s", from);
}
