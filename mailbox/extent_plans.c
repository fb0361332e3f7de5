// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/extent_plans.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"

struct extent_plans {
	pthread_mutex_t lock;
	uint32_t last_id;
	size_t n;
	struct extent_plan items[EXTENT_PLANS_MAX]; /* by their Ids */
	size_t n_changes;
	struct extent_change changes[EXTENT_CHANGES_MAX]; /* that are under way, in no order */
};

struct extent_plans *extent_plans_new(void)
{
	struct extent_plans *p = calloc(1, sizeof(*p));

	if (p)
		(void)pthread_mutex_init(&p->lock, NULL);
	return p;
}

struct extent_plans *extent_plans_free(struct extent_plans *p)
{
	if (p)
		(void)pthread_mutex_destroy(&p->lock);
	free(p);
	return NULL;
}

static struct extent_plan *find(struct extent_plans *p, uint32_t id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].id == id)
			return &p->items[i];
	return NULL;
}

static void drop(struct extent_plans *p, struct extent_plan *one)
{
	const size_t i = (size_t)(one - p->items);

	memmove(one, one + 1, (p->n - i - 1) * sizeof(*one));
	p->n--;
}

int extent_plans_add(struct extent_plans *p, struct extent_plan *plan)
{
	int r = -ENOSPC;

	(void)pthread_mutex_lock(&p->lock);
	if (p->n < EXTENT_PLANS_MAX) {
		plan->id = ++p->last_id;
		p->items[p->n++] = *plan;
		r = 0;
	}
	(void)pthread_mutex_unlock(&p->lock);
	return r;
}

static bool is_of_host(const struct extent_change *c, const char *name, uint8_t port, uint16_t host)
{
	return c->port == port && c->host == host && str_equal(c->name, name);
}

static int begin(struct extent_plans *p, const struct extent_change *c)
{
	for (size_t i = 0; i < p->n_changes; i++)
		if (is_of_host(c, p->changes[i].name, p->changes[i].port, p->changes[i].host) &&
		    (c->counts || p->changes[i].counts))
			return -EBUSY;
	for (size_t i = 0; c->adds && i < p->n; i++)
		if (is_of_host(c, p->items[i].name, p->items[i].port, p->items[i].host) &&
		    p->items[i].state == EXTENT_PENDING && !p->items[i].placed)
			return -EEXIST;
	if (p->n_changes == EXTENT_CHANGES_MAX)
		return -EBUSY;
	p->changes[p->n_changes++] = *c;
	return 0;
}

int extent_plans_begin(struct extent_plans *p, const struct extent_change *c)
{
	int r;

	(void)pthread_mutex_lock(&p->lock);
	r = begin(p, c);
	(void)pthread_mutex_unlock(&p->lock);
	return r;
}

void extent_plans_end(struct extent_plans *p, const struct extent_change *c)
{
	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < p->n_changes; i++) {
		const struct extent_change *one = &p->changes[i];

		if (!is_of_host(c, one->name, one->port, one->host) || one->adds != c->adds ||
		    one->counts != c->counts)
			continue;
		p->changes[i] = p->changes[--p->n_changes];
		break;
	}
	(void)pthread_mutex_unlock(&p->lock);
}

int extent_plans_ask(struct extent_plans *p, const uint32_t *ids, size_t n, uint16_t host)
{
	bool all = true;

	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < n; i++) {
		const struct extent_plan *one = find(p, ids[i]);

		all = all && one && one->state == EXTENT_PROPOSED;
	}
	for (size_t i = 0; all && i < n; i++) {
		struct extent_plan *one = find(p, ids[i]);

		one->state = EXTENT_ASKED;
		one->host = host;
	}
	(void)pthread_mutex_unlock(&p->lock);
	return all ? 0 : -ESTALE;
}

void extent_plans_set(struct extent_plans *p, const uint32_t *ids, size_t n,
		      enum extent_plan_state state)
{
	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < n; i++) {
		struct extent_plan *one = find(p, ids[i]);

		if (one)
			one->state = state;
	}
	(void)pthread_mutex_unlock(&p->lock);
}

int extent_plans_remove(struct extent_plans *p, uint32_t id)
{
	struct extent_plan *one;
	int r = -ENOENT;

	(void)pthread_mutex_lock(&p->lock);
	one = find(p, id);
	if (one)
		r = one->state == EXTENT_ASKED ? -EBUSY : 0;
	if (r == 0)
		drop(p, one);
	(void)pthread_mutex_unlock(&p->lock);
	return r;
}

void extent_plans_drop(struct extent_plans *p, const uint32_t *ids, size_t n)
{
	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < n; i++) {
		struct extent_plan *one = find(p, ids[i]);

		if (one)
			drop(p, one);
	}
	(void)pthread_mutex_unlock(&p->lock);
}

void extent_plans_keep(struct extent_plans *p, const char *name, uint8_t port, uint64_t serial)
{
	if (!p)
		return;
	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = p->n; i-- > 0;) {
		struct extent_plan *one = &p->items[i];

		if (one->port == port && one->serial != serial && one->state != EXTENT_ASKED &&
		    str_equal(one->name, name))
			drop(p, one);
	}
	(void)pthread_mutex_unlock(&p->lock);
}

size_t extent_plans_of(struct extent_plans *p, const char *name, uint8_t port, uint64_t serial,
		       struct extent_plan ret[static EXTENT_PLANS_MAX])
{
	size_t n = 0;

	if (!p)
		return 0;
	(void)pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].port == port && p->items[i].serial == serial &&
		    str_equal(p->items[i].name, name))
			ret[n++] = p->items[i];
	(void)pthread_mutex_unlock(&p->lock);
	return n;
}
