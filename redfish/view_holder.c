// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view_holder.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

/* As many as there are threads in one server's pool; more threads than that share. */
enum { STRIPES = 4, CACHE_LINE = 64 };

struct view_hold {
	alignas(CACHE_LINE) atomic_uint references;
	struct view *view; /* a reference */
};

struct stripe {
	alignas(CACHE_LINE) pthread_mutex_t lock; /* held to look at `hold`, nothing else */
	struct view_hold *hold;
};

struct view_holder {
	struct stripe stripes[STRIPES];
};

static struct view_hold *view_hold_new(struct view *v)
{
	struct view_hold *hold = aligned_alloc(CACHE_LINE, sizeof(*hold));

	if (!hold)
		return NULL;
	atomic_init(&hold->references, 1);
	hold->view = view_ref(v);
	return hold;
}

const struct view *view_of_hold(const struct view_hold *hold)
{
	return hold->view;
}

struct view_hold *view_hold_release(struct view_hold *hold)
{
	if (!hold || atomic_fetch_sub_explicit(&hold->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	(void)view_unref(hold->view);
	free(hold);
	return NULL;
}

struct view_holder *view_holder_new(void)
{
	struct view_holder *h = aligned_alloc(CACHE_LINE, sizeof(*h));

	if (!h)
		return NULL;
	for (size_t i = 0; i < STRIPES; i++) {
		(void)pthread_mutex_init(&h->stripes[i].lock, NULL);
		h->stripes[i].hold = NULL;
	}
	return h;
}

struct view_holder *view_holder_free(struct view_holder *h)
{
	if (!h)
		return NULL;
	for (size_t i = 0; i < STRIPES; i++) {
		(void)view_hold_release(h->stripes[i].hold);
		(void)pthread_mutex_destroy(&h->stripes[i].lock);
	}
	free(h);
	return NULL;
}

static void swap(struct stripe *s, struct view_hold *hold)
{
	struct view_hold *old;

	(void)pthread_mutex_lock(&s->lock);
	old = s->hold;
	s->hold = hold;
	(void)pthread_mutex_unlock(&s->lock);
	(void)view_hold_release(old);
}

int view_holder_set(struct view_holder *h, struct view *v)
{
	struct view_hold *holds[STRIPES] = {0};
	int r = 0;

	for (size_t i = 0; i < STRIPES && r == 0; i++) {
		holds[i] = view_hold_new(v);
		if (!holds[i])
			r = -ENOMEM;
	}
	for (size_t i = 0; i < STRIPES; i++) {
		if (r == 0)
			swap(&h->stripes[i], holds[i]);
		else
			(void)view_hold_release(holds[i]);
	}
	(void)view_unref(v);
	return r;
}

const struct view *view_holder_view(const struct view_holder *h)
{
	return h->stripes[0].hold ? h->stripes[0].hold->view : NULL;
}

/* Threads are numbered as they come. */
static struct stripe *own_stripe(struct view_holder *h)
{
	static atomic_uint threads;
	static _Thread_local unsigned int number; /* 0: not numbered yet */

	if (number == 0)
		number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
	return &h->stripes[number % STRIPES];
}

struct view_hold *view_holder_take(struct view_holder *h)
{
	struct stripe *s = own_stripe(h);
	struct view_hold *hold;

	(void)pthread_mutex_lock(&s->lock);
	hold = s->hold;
	if (hold)
		atomic_fetch_add_explicit(&hold->references, 1, memory_order_relaxed);
	(void)pthread_mutex_unlock(&s->lock);
	return hold;
}
