// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/view_holder.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/thread.h"

/* As many as there are threads in one server's pool; more threads than that share. */
enum { STRIPES = 4, CACHE_LINE = 64 };

struct view_hold {
	alignas(CACHE_LINE) atomic_uint references;
	const struct view *view; /* a reference */
};

struct stripe {
	alignas(CACHE_LINE) pthread_mutex_t lock; /* only protects `hold` */
	struct view_hold *hold;
};

struct view_holder {
	struct stripe stripes[STRIPES];

	pthread_mutex_t lock; /* guards the following members */
	pthread_cond_t advanced;
	uint64_t numbers[VIEW_INPUT_COUNT]; /* numbers of the current view's inputs */
	bool canceled;
	view_request_fn *request;
	void *request_userdata;
};

static struct view_hold *view_hold_new(const struct view *v)
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
	memset(h, 0, sizeof(*h));
	for (size_t i = 0; i < STRIPES; i++)
		(void)pthread_mutex_init(&h->stripes[i].lock, NULL);
	(void)pthread_mutex_init(&h->lock, NULL);
	thread_cond_init(&h->advanced);
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
	(void)pthread_cond_destroy(&h->advanced);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
	return NULL;
}

static void stripe_swap(struct stripe *s, struct view_hold *hold)
{
	struct view_hold *old;

	(void)pthread_mutex_lock(&s->lock);
	old = s->hold;
	s->hold = hold;
	(void)pthread_mutex_unlock(&s->lock);
	(void)view_hold_release(old);
}

int view_holder_set(struct view_holder *h, const struct view *v)
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
			stripe_swap(&h->stripes[i], holds[i]);
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

static struct stripe *own_stripe(struct view_holder *h)
{
	return &h->stripes[thread_number() % STRIPES];
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

void view_holder_advance(struct view_holder *h, const uint64_t numbers[static VIEW_INPUT_COUNT])
{
	(void)pthread_mutex_lock(&h->lock);
	memcpy(h->numbers, numbers, sizeof(h->numbers));
	(void)pthread_cond_broadcast(&h->advanced);
	(void)pthread_mutex_unlock(&h->lock);
}

bool view_holder_has(struct view_holder *h, struct view_generation at_least)
{
	bool has;

	(void)pthread_mutex_lock(&h->lock);
	has = h->numbers[at_least.input] >= at_least.number;
	(void)pthread_mutex_unlock(&h->lock);
	return has;
}

int view_holder_wait(struct view_holder *h, struct view_generation at_least, uint64_t until_ms)
{
	const uint64_t *const number = &h->numbers[at_least.input];
	int r = 0;

	(void)pthread_mutex_lock(&h->lock);
	while (*number < at_least.number && !h->canceled && r == 0)
		r = thread_cond_wait_until(&h->advanced, &h->lock, until_ms);
	if (*number >= at_least.number)
		r = 0;
	else if (h->canceled)
		r = -ECANCELED;
	(void)pthread_mutex_unlock(&h->lock);
	return r;
}

void view_holder_cancel_waits(struct view_holder *h)
{
	(void)pthread_mutex_lock(&h->lock);
	h->canceled = true;
	(void)pthread_cond_broadcast(&h->advanced);
	(void)pthread_mutex_unlock(&h->lock);
}

void view_holder_set_requester(struct view_holder *h, view_request_fn *fn, void *userdata)
{
	(void)pthread_mutex_lock(&h->lock);
	h->request = fn;
	h->request_userdata = userdata;
	(void)pthread_mutex_unlock(&h->lock);
}

int view_holder_request(struct view_holder *h, enum view_input input, const char *memdev,
			struct view_generation *ret)
{
	view_request_fn *fn;
	void *userdata;
	uint64_t number;

	(void)pthread_mutex_lock(&h->lock);
	fn = h->request;
	userdata = h->request_userdata;
	(void)pthread_mutex_unlock(&h->lock);
	/* Without the lock: the producer has one of its own. */
	number = fn ? fn(userdata, input, memdev) : 0;
	if (number == 0)
		return -EOPNOTSUPP;
	*ret = (struct view_generation){.input = input, .number = number};
	return 0;
}

int view_holder_read_again(struct view_holder *h, enum view_input input, const char *memdev,
			   uint64_t until_ms)
{
	struct view_generation g;

	if (view_holder_request(h, input, memdev, &g) < 0)
		return 0;
	return view_holder_wait(h, g, until_ms);
}
