// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/publisher.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"

DEFINE_ARRAY(struct publisher_listener, listeners);

struct producer {
	publisher_request_fn *request; /* NULL without */
	void *userdata;
};

struct publisher {
	/* The main thread's. */
	struct view_holder *holder;
	const struct resource_table *table;
	sd_event_source *posted;
	sd_event_source *retry; /* off unless the last composition failed */
	bool failed;		/* it did, and that was logged */
	struct listeners listeners;

	int eventfd; /* something was posted */

	pthread_mutex_t lock; /* guards what follows */
	struct view_inputs latest;
	unsigned int pending; /* inputs that were posted and are not shown yet */
	uint64_t last_number;
	uint64_t numbers[VIEW_INPUT_COUNT]; /* of the latest values */
	struct producer producers[VIEW_INPUT_COUNT];
};

/* The inputs that one view is composed of. */
struct composition {
	struct view_inputs inputs; /* references */
	unsigned int changed;	   /* inputs that differ from those of the view that is shown */
	uint64_t numbers[VIEW_INPUT_COUNT];
};

/* ---- producers ---- */

/* Return: which of the inputs in the set differ. */
static unsigned int differing_inputs(const struct view_inputs *a, const struct view_inputs *b,
				     unsigned int set)
{
	unsigned int differ = 0;

	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++)
		if (set & VIEW_INPUT_BIT(i) && !view_inputs_equal(a, b, i))
			differ |= VIEW_INPUT_BIT(i);
	return differ;
}

/* With the lock held. A post with unchanged values only advances the numbers. */
static void publisher_store(struct publisher *p, const struct publisher_post *post, uint64_t number)
{
	const unsigned int changed = differing_inputs(&p->latest, &post->values, post->inputs);

	p->pending |= changed;
	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++) {
		if (!(post->inputs & VIEW_INPUT_BIT(i)))
			continue;
		if (changed)
			view_inputs_set(&p->latest, &post->values, i);
		if (p->numbers[i] < number)
			p->numbers[i] = number;
	}
}

uint64_t publisher_post(struct publisher *p, const struct publisher_post *post)
{
	const uint64_t one = 1;
	uint64_t number = 0;

	(void)pthread_mutex_lock(&p->lock);
	if (!post->read_from || post->read_from == p->latest.host) {
		number = post->number ? post->number : ++p->last_number;
		publisher_store(p, post, number);
	}
	(void)pthread_mutex_unlock(&p->lock);
	if (number)
		(void)!write(p->eventfd, &one, sizeof(one));
	return number;
}

void publisher_latest(struct publisher *p, struct view_inputs *ret)
{
	(void)pthread_mutex_lock(&p->lock);
	view_inputs_copy(ret, &p->latest);
	(void)pthread_mutex_unlock(&p->lock);
}

uint64_t publisher_next_number(struct publisher *p)
{
	uint64_t number;

	(void)pthread_mutex_lock(&p->lock);
	number = ++p->last_number;
	(void)pthread_mutex_unlock(&p->lock);
	return number;
}

uint64_t publisher_last_number(struct publisher *p)
{
	uint64_t number;

	(void)pthread_mutex_lock(&p->lock);
	number = p->last_number;
	(void)pthread_mutex_unlock(&p->lock);
	return number;
}

void publisher_set_producer(struct publisher *p, enum view_input input, publisher_request_fn *fn,
			    void *userdata)
{
	(void)pthread_mutex_lock(&p->lock);
	p->producers[input] = (struct producer){.request = fn, .userdata = userdata};
	(void)pthread_mutex_unlock(&p->lock);
}

/* view_request_fn of the holder */
static uint64_t publisher_request(void *userdata, enum view_input input, const char *memdev)
{
	struct publisher *p = userdata;
	struct producer producer;

	(void)pthread_mutex_lock(&p->lock);
	producer = p->producers[input];
	(void)pthread_mutex_unlock(&p->lock);
	return producer.request ? producer.request(producer.userdata, memdev) : 0;
}

/* ---- views ---- */

const struct view *publisher_view(const struct publisher *p)
{
	return view_holder_view(p->holder);
}

static void publisher_take(struct publisher *p, struct composition *ret)
{
	(void)pthread_mutex_lock(&p->lock);
	view_inputs_copy(&ret->inputs, &p->latest);
	ret->changed = p->pending;
	memcpy(ret->numbers, p->numbers, sizeof(ret->numbers));
	p->pending = 0;
	(void)pthread_mutex_unlock(&p->lock);
}

/* It is not shown: the next composition is to have it. */
static void publisher_give_back(struct publisher *p, const struct composition *c)
{
	(void)pthread_mutex_lock(&p->lock);
	p->pending |= c->changed;
	(void)pthread_mutex_unlock(&p->lock);
}

static int publisher_swap(struct publisher *p, const struct composition *c, struct error *e)
{
	_cleanup_view_ const struct view *before = NULL, *now = NULL;
	struct view *composed;
	int r;

	r = view_new(p->table, &c->inputs, &composed, e);
	if (r < 0)
		return r;
	composed->generation = publisher_next_number(p);
	if (publisher_view(p))
		before = view_ref(publisher_view(p));
	view_date_conditions(composed, before, clock_realtime_ns());
	now = composed;
	ARRAY_FOREACH(l, &p->listeners)
		if (l->before_swap)
			l->before_swap(l->userdata, before, now, c->changed);
	r = view_holder_set(p->holder, view_ref(now));
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	ARRAY_FOREACH(l, &p->listeners)
		if (l->after_swap)
			l->after_swap(l->userdata, before, now, c->changed);
	/* After the events about it: a change that waits for this view then ends its task. */
	view_holder_advance(p->holder, c->numbers);
	return 0;
}

static void publisher_plan_retry(struct publisher *p, bool wanted)
{
	if (wanted)
		(void)sd_event_source_set_time_relative(p->retry, PUBLISHER_RETRY_MS * 1000);
	(void)sd_event_source_set_enabled(p->retry, wanted ? SD_EVENT_ONESHOT : SD_EVENT_OFF);
}

int publisher_run(struct publisher *p, struct error *e)
{
	const struct view *shown = publisher_view(p);
	struct composition c;
	int r = 0;

	publisher_take(p, &c);
	/* An input may have changed and changed back before it was shown. */
	if (shown)
		c.changed = differing_inputs(&c.inputs, &shown->inputs, c.changed);
	if (!c.inputs.host) {
		publisher_give_back(p, &c); /* nothing can be composed yet */
	} else if (!c.changed) {
		view_holder_advance(p->holder, c.numbers);
	} else {
		r = publisher_swap(p, &c, e);
		if (r < 0)
			publisher_give_back(p, &c);
		publisher_plan_retry(p, r < 0);
	}
	view_inputs_done(&c.inputs);
	return r;
}

/* A failure is logged once, not with each retry. */
static void publisher_try(struct publisher *p)
{
	struct error e = {0};
	const bool failed = publisher_run(p, &e) < 0;

	if (failed && !p->failed)
		log_err("cannot update the Redfish resources: %s; the previous ones are kept",
			e.text);
	p->failed = failed;
}

static int publisher_on_posted(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	uint64_t count;

	(void)source;
	(void)events;
	(void)!read(fd, &count, sizeof(count));
	publisher_try(userdata);
	return 0;
}

static int publisher_on_retry(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	publisher_try(userdata);
	return 0;
}

int publisher_listen(struct publisher *p, const struct publisher_listener *l)
{
	struct publisher_listener *added = listeners_add(&p->listeners);

	if (!added)
		return -ENOMEM;
	*added = *l;
	return 0;
}

/* ---- begin and end ---- */

int publisher_new(sd_event *event, struct view_holder *holder, const struct resource_table *table,
		  struct publisher **ret, struct error *e)
{
	struct publisher *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->holder = holder;
	p->table = table;
	(void)pthread_mutex_init(&p->lock, NULL);
	p->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = p->eventfd < 0 ? -errno : 0;
	if (r == 0)
		r = sd_event_add_io(event, &p->posted, p->eventfd, EPOLLIN, publisher_on_posted, p);
	if (r >= 0)
		r = sd_event_add_time_relative(event, &p->retry, CLOCK_MONOTONIC, 0, 0,
					       publisher_on_retry, p);
	if (r >= 0)
		r = sd_event_source_set_enabled(p->retry, SD_EVENT_OFF);
	if (r < 0) {
		(void)publisher_free(p);
		return error_set(e, r, "cannot set up the event loop: %s", strerror(-r));
	}
	view_holder_set_requester(holder, publisher_request, p);
	*ret = p;
	return 0;
}

struct publisher *publisher_free(struct publisher *p)
{
	if (!p)
		return NULL;
	view_holder_set_requester(p->holder, NULL, NULL);
	p->posted = sd_event_source_disable_unref(p->posted);
	p->retry = sd_event_source_disable_unref(p->retry);
	listeners_done(&p->listeners);
	view_inputs_done(&p->latest);
	if (p->eventfd >= 0)
		(void)close(p->eventfd);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
	return NULL;
}
