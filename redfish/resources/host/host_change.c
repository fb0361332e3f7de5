// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/host_change.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change/client.h"
#include "change/protocol.h"
#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/thread.h"
#include "events/event_log.h"
#include "redfish/core/change_claims.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

enum {
	SHOW_MS = 30 * 1000, /* at most, for the views with the result */
	/* The changes of one request at once: the helper refuses more than its number, and has
	   other requests. */
	AT_ONCE_MAX = CHANGES_AT_A_TIME_MAX / 2,
	SAID_MAX = EXCHANGE_CHANGED_MAX / 2, /* of a result, for the audit log */
	/* A device with much memory is overwritten for hours. */
	CHANGES_RUN_MS = 24 * 60 * 60 * 1000,
};

/* ---- what is changed --------------------------------------------------------------------------
 */

void host_change_of_region(struct change *c, enum change_kind kind, const struct region *r)
{
	*c = (struct change){.kind = kind, .identity = r->inode};
	(void)snprintf(c->object, sizeof(c->object), "%s", r->name);
}

/* ---- what a job has ---------------------------------------------------------------------------
 */

/* One change of the job. */
struct change_attempt {
	struct work *work;
	size_t index; /* of the change */
	bool tried;
	struct change_result result; /* if it was tried */
};

struct work {
	struct host_changes changes;	 /* of its own */
	struct change_attempt *attempts; /* one for each change */
	struct change_claims *change_claims;
	size_t n_begun;	    /* whose objects are marked as being changed */
	atomic_size_t next; /* of those that are made at once: the first that no thread has begun */
	struct exchange *x;
};

static void wipe_changes(struct host_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		change_wipe(&c->items[i]);
	if (c->image >= 0)
		(void)close(c->image);
	c->image = -1;
}

/* Several changes of one object are marked once. */
static bool is_again(const struct host_changes *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (str_equal(c->items[k].object, c->items[i].object))
			return true;
	return false;
}

static void end_marks(struct work *work)
{
	/* A key that is named again may be another request's by now. */
	for (size_t i = 0; i < work->n_begun; i++)
		if (!is_again(&work->changes, i))
			change_claim_end(work->change_claims, work->changes.items[i].object);
	work->n_begun = 0;
}

static void free_work(void *state)
{
	struct work *work = state;

	end_marks(work);
	wipe_changes(&work->changes);
	free(work->changes.items);
	free(work->attempts);
	free(work);
}

/* @c: wiped, also on failure. Return: NULL when out of memory. */
static struct work *new_work(struct host_changes *c)
{
	struct work *work = calloc(1, sizeof(*work));
	struct change *items = calloc(c->n, sizeof(*items));
	struct change_attempt *attempts = calloc(c->n, sizeof(*attempts));

	if (!work || !items || !attempts) {
		wipe_changes(c);
		free(work);
		free(items);
		free(attempts);
		return NULL;
	}
	memcpy(items, c->items, c->n * sizeof(*items));
	*work = (struct work){.changes = *c, .attempts = attempts};
	work->changes.items = items;
	c->image = -1;
	wipe_changes(c);
	for (size_t i = 0; i < work->changes.n; i++)
		attempts[i] = (struct change_attempt){.work = work, .index = i};
	return work;
}

static const struct change *change_of(const struct change_attempt *m)
{
	return &m->work->changes.items[m->index];
}

/* ---- failures ---------------------------------------------------------------------------------
 */

/* The outcome of a change that failed without a report is not known. */
static enum change_outcome outcome_of(const struct change_result *res)
{
	const bool done = res->outcome == CHANGE_DONE;

	if (done != (res->error == 0) || res->outcome > CHANGE_UNKNOWN)
		return res->error == 0 ? CHANGE_DONE : CHANGE_UNKNOWN;
	return (enum change_outcome)res->outcome;
}

static enum message_id message_of(const struct change_result *res)
{
	switch (outcome_of(res)) {
	case CHANGE_REFUSED:
		return MESSAGE_CHANGE_REFUSED;
	case CHANGE_UNDONE:
		return MESSAGE_CHANGE_UNDONE;
	case CHANGE_INCOMPLETE:
		return MESSAGE_CHANGE_INCOMPLETE;
	default:
		return MESSAGE_CHANGE_UNKNOWN;
	}
}

static void failure_message(const struct change_attempt *m, size_t n_done, struct message *ret)
{
	const struct change_result *res = &m->result;
	const struct work *work = m->work;
	const char *why = res->text[0] ? res->text : "no reason is given";
	char text[CHANGE_TEXT_MAX + 64];

	if (n_done > 0 && !work->changes.parallel)
		(void)snprintf(text, sizeof(text), "%zu of %zu changes were made before; %s",
			       n_done, work->changes.n, why);
	else
		(void)snprintf(text, sizeof(text), "%s", why);
	host_change_message(ret, message_of(res), change_of(m)->object, text);
	if (res->outcome == CHANGE_REFUSED || res->outcome == CHANGE_UNDONE)
		ret->status = host_change_status(res->error);
}

static void end_part(const struct change_attempt *m)
{
	struct message why;

	if (m->result.error < 0)
		failure_message(m, 0, &why);
	exchange_end_part(m->work->x, change_of(m)->object, m->result.error,
			  m->result.error < 0 ? &why : NULL);
}

/* ---- the changes ------------------------------------------------------------------------------
 */

/* Each of several devices has a sub-task; their progress is that of the whole. */
static void on_progress(void *userdata, const struct change_progress *p)
{
	const struct change_attempt *m = userdata;
	struct exchange *x = m->work->x;

	if (m->work->changes.parallel)
		exchange_progress_part(x, change_of(m)->object, p->done, p->total, p->unit);
	else if (p->part[0])
		exchange_progress_part(x, p->part, p->done, p->total, p->unit);
	else
		exchange_progress(x, p->done, p->total, p->unit);
}

static bool is_cancelled(void *userdata)
{
	const struct change_attempt *m = userdata;

	return job_is_cancelled(m->work->x->job);
}

static void make_one(struct change_attempt *m)
{
	const struct change_call call = {
		.change = change_of(m),
		.image = m->work->changes.image,
		.progress = on_progress,
		.cancelled = is_cancelled,
		.userdata = m,
	};

	m->tried = true;
	if (change_client_run(m->work->x->service->change_client, &call, &m->result) < 0)
		log_warning("%s: %s failed: %s", call.change->object,
			    change_kind_name(call.change->kind), m->result.text);
	if (m->work->changes.parallel)
		end_part(m);
}

static void make_in_order(struct work *work)
{
	for (size_t i = 0; i < work->changes.n; i++) {
		make_one(&work->attempts[i]);
		if (work->attempts[i].result.error < 0)
			return;
	}
}

static void *make_some(void *userdata)
{
	struct work *work = userdata;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < work->changes.n)
		make_one(&work->attempts[i]);
	return NULL;
}

/* Changes for which no thread can be started are made by the other threads. */
static void make_at_once(struct work *work)
{
	pthread_t threads[AT_ONCE_MAX - 1];
	size_t n = 0;

	for (size_t i = 0; i < work->changes.n; i++)
		exchange_add_part(work->x, work->changes.items[i].object);
	while (n < ARRAY_SIZE(threads) && n + 1 < work->changes.n &&
	       thread_start(&threads[n], make_some, work) == 0)
		n++;
	(void)make_some(work);
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
}

/* ---- the view with them -----------------------------------------------------------------------
 */

/* Whether anything may be as it was not before. */
static bool may_have_changed(const struct change_attempt *m)
{
	return m->tried && (m->result.error == 0 || m->result.outcome != CHANGE_REFUSED);
}

static unsigned int inputs_of(const struct change *c)
{
	const unsigned int topology = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY);

	switch (c->kind) {
	case CHANGE_REGION_CREATE:
	case CHANGE_REGION_DESTROY:
	case CHANGE_MEMORY_ONLINE:
	case CHANGE_MEMORY_OFFLINE:
	case CHANGE_MEMORY_DEVDAX:
		return topology | VIEW_INPUT_BIT(VIEW_INPUT_MEMORY_USE);
	case CHANGE_POISON_INJECT:
	case CHANGE_POISON_CLEAR:
		return topology | VIEW_INPUT_BIT(VIEW_INPUT_READINGS) |
		       VIEW_INPUT_BIT(VIEW_INPUT_EVENT_HEALTH);
	default:
		return topology | VIEW_INPUT_BIT(VIEW_INPUT_READINGS);
	}
}

/* Events are stored between two runs of the job. */
static int run_twice(struct store *store, void *userdata)
{
	bool *again = userdata;
	int r = *again;

	(void)store;
	*again = false;
	return r;
}

/*
 * The kernel traced a record before it answered, and the main thread read the ring before it showed
 * the topology that was requested after the change.
 */
static int show_entries(struct work *work, uint64_t until)
{
	struct event_log *log = work->x->service->event_log;
	bool again = true;

	if (!log)
		return 0;
	(void)event_log_do(log, run_twice, &again);
	return view_holder_read_again(work->x->service->view_holder, VIEW_INPUT_EVENT_HEALTH, NULL,
				      until);
}

/*
 * Readings of a device or of memory are dropped when the topology is read after them: the topology
 * comes first. Mostly it brings the use of memory with it.
 */
static int show_all(struct work *work, unsigned int inputs, uint64_t until)
{
	struct view_holder *holder = work->x->service->view_holder;
	struct view_generation g = {.input = VIEW_INPUT_TOPOLOGY};
	int r = 0;

	if (view_holder_request(holder, VIEW_INPUT_TOPOLOGY, NULL, &g) == 0)
		r = view_holder_wait(holder, g, until);
	g.input = VIEW_INPUT_MEMORY_USE;
	if (r == 0 && inputs & VIEW_INPUT_BIT(VIEW_INPUT_MEMORY_USE) && !view_holder_has(holder, g))
		r = view_holder_read_again(holder, VIEW_INPUT_MEMORY_USE, NULL, until);
	for (size_t i = 0; i < work->changes.n && r == 0; i++) {
		const struct change *c = &work->changes.items[i];

		if (may_have_changed(&work->attempts[i]) &&
		    inputs_of(c) & VIEW_INPUT_BIT(VIEW_INPUT_READINGS))
			r = view_holder_read_again(holder, VIEW_INPUT_READINGS, c->object, until);
	}
	if (r == 0 && inputs & VIEW_INPUT_BIT(VIEW_INPUT_EVENT_HEALTH))
		r = show_entries(work, until);
	return r;
}

/* The change was made even if the view with it comes late. */
static void show_changes(struct work *work)
{
	unsigned int inputs = 0;

	for (size_t i = 0; i < work->changes.n; i++)
		if (may_have_changed(&work->attempts[i]))
			inputs |= inputs_of(&work->changes.items[i]);
	if (inputs && show_all(work, inputs, clock_monotonic_ms() + SHOW_MS) < 0)
		log_warning("%s: the host was not read again within %d s after a change",
			    work->changes.items[0].object, SHOW_MS / 1000);
}

/* ---- the answer -------------------------------------------------------------------------------
 */

/* Whether all that failed ended because the request was cancelled, and left nothing behind. */
static bool was_cancelled(const struct work *work)
{
	bool cancelled = false;

	for (size_t i = 0; i < work->changes.n; i++) {
		const struct change_result *res = &work->attempts[i].result;

		if (!work->attempts[i].tried || res->error == 0)
			continue;
		if (res->error != -ECANCELED ||
		    (res->outcome != CHANGE_UNDONE && res->outcome != CHANGE_REFUSED))
			return false;
		cancelled = true;
	}
	return cancelled;
}

static void note_failure(struct exchange *x, const struct change_attempt *m, size_t n_done)
{
	const char *property = m->work->changes.property;

	failure_message(m, n_done, &x->message);
	if (m->result.error == -EINVAL && property)
		body_point_to(x, property);
	exchange_note(x);
}

/* For the audit log, which has no bodies; of scrub also the setting, and what it overwrote. */
static void note_changed(struct exchange *x, const struct change_attempt *m)
{
	const struct change *c = change_of(m);
	const char *created =
		c->kind == CHANGE_REGION_CREATE && m->result.error == 0 ? m->result.object : "";
	const char *said =
		change_needs(c->kind) == ALLOW_SCRUB && m->result.error == 0 ? m->result.text : "";
	char text[EXCHANGE_CHANGED_MAX];

	(void)snprintf(text, sizeof(text), "%s %s%s%s: %s%s%.*s", change_kind_name(c->kind),
		       c->object, created[0] ? " " : "", created,
		       change_outcome_name(outcome_of(&m->result)), said[0] ? "; " : "", SAID_MAX,
		       said);
	exchange_changed(x, text);
}

static void note_failures(struct exchange *x, const struct work *work)
{
	size_t n_done = 0;

	for (size_t i = 0; i < work->changes.n; i++) {
		const struct change_attempt *m = &work->attempts[i];

		if (m->tried && m->result.error < 0)
			note_failure(x, m, n_done);
		else if (m->tried)
			n_done++;
	}
}

static int answer(struct exchange *x, struct work *work)
{
	for (size_t i = 0; i < work->changes.n; i++)
		if (work->attempts[i].tried)
			note_changed(x, &work->attempts[i]);
	if (was_cancelled(work))
		return -ECANCELED;
	note_failures(x, work);
	for (size_t i = 0; work->changes.on_made && i < work->changes.n; i++)
		if (work->attempts[i].tried && work->attempts[i].result.error == 0)
			work->changes.on_made(x, &work->attempts[i].result);
	if (exchange_noted(x) < 0)
		x->message = x->noted.items[0];
	return exchange_noted(x);
}

static void tell_done(struct exchange *x, const struct work *work)
{
	for (size_t i = 0; work->changes.on_done && i < work->changes.n; i++)
		if (work->attempts[i].tried && work->attempts[i].result.error == 0)
			work->changes.on_done(x, &work->changes.items[i],
					      &work->attempts[i].result);
}

/* ---- the job ----------------------------------------------------------------------------------
 */

/* The permission may have been withdrawn while the change waited. */
static int check_allowed(struct exchange *x, const struct work *work)
{
	const char *why = NULL;

	for (size_t i = 0; i < work->changes.n && !why; i++)
		why = host_unchangeable_now(x, change_needs(work->changes.items[i].kind));
	if (!why && !x->service->change_client)
		why = "this service has nothing that makes changes";
	if (why) {
		host_change_message(&x->message, MESSAGE_CHANGE_REFUSED,
				    work->changes.items[0].object, why);
		x->message.status = 403;
	}
	return why ? -EINVAL : 0;
}

static int run_work(struct exchange *x, void *state)
{
	struct work *work = state;
	int r = check_allowed(x, work);

	if (r < 0)
		return r;
	work->x = x;
	for (size_t i = 0; work->changes.on_begin && i < work->changes.n; i++)
		work->changes.on_begin(x, &work->changes.items[i]);
	if (work->changes.parallel)
		make_at_once(work);
	else
		make_in_order(work);
	tell_done(x, work);
	/* A change that failed may have been made in part. */
	show_changes(work);
	r = answer(x, work);
	/* Before the answer is sent: a client that has it may send the next request at once. */
	end_marks(work);
	return r;
}

/* Return: 0; -EINVAL with the message; -ENOMEM. */
static int begin_work(struct exchange *x, struct work *work)
{
	const char *other = NULL;

	work->change_claims = x->service->change_claims;
	for (size_t i = 0; i < work->changes.n; i++) {
		const struct change *c = &work->changes.items[i];
		int r;

		if (is_again(&work->changes, i))
			continue;
		r = change_claim(work->change_claims, c->object, change_kind_name(c->kind), &other);
		if (r == -EBUSY)
			return exchange_refuse(x, MESSAGE_CHANGE_IN_PROGRESS, c->object, other,
					       NULL);
		if (r < 0)
			return r;
		work->n_begun = i + 1;
	}
	return 0;
}

#define CONTINUATION(of_class)                                                                     \
	{                                                                                          \
		.class = of_class, .can_cancel = true, .run_ms = CHANGES_RUN_MS, .run = run_work,  \
		.free = free_work,                                                                 \
	}

/* Regions and memory have one lock, see change/lock.h: they are changed in the order of requests.
 */
static bool changes_memory(const struct host_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].kind <= CHANGE_MEMDEV_DISABLE)
			return true;
	return false;
}

int host_changes_submit(struct exchange *x, struct host_changes *c)
{
	static const struct continuation memory = CONTINUATION(JOB_CHANGES);
	static const struct continuation devices = CONTINUATION(JOB_DEVICE_CHANGES);
	struct work *work;
	int r;

	if (c->n == 0 || c->n > HOST_CHANGES_MAX) {
		wipe_changes(c);
		return -E2BIG;
	}
	work = new_work(c);
	if (!work)
		return -ENOMEM;
	r = begin_work(x, work);
	if (r < 0) {
		free_work(work);
		return r;
	}
	return exchange_continue(x, changes_memory(&work->changes) ? &memory : &devices, work);
}
