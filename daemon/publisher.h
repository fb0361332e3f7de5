/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PUBLISHER_H
#define CXLR_DAEMON_PUBLISHER_H

/*
 * The one place that composes and shows views.
 *
 * Producers on threads of their own (topology walker, device poller, store monitor) post new values
 * of the view's inputs. The main thread composes a view of the latest value of each and swaps it
 * in, in the order in which they were posted; values that are posted faster than that are shown by
 * one view. A value equal to the current one makes no view.
 *
 * A view that cannot be composed leaves the previous one in place; it is tried again after
 * PUBLISHER_RETRY_MS, and with the next post.
 *
 * Functions are called on the main thread unless noted otherwise.
 */

#include <stdbool.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "redfish/view/view.h"
#include "redfish/view/view_holder.h"

enum { PUBLISHER_RETRY_MS = 1000 };

struct publisher;

/*
 * publisher_new() - a publisher without any input
 * @holder: where views are swapped in; must outlive the publisher
 * @table: the resources of the views; must outlive the publisher and all views
 */
int publisher_new(sd_event *event, struct view_holder *holder, const struct resource_table *table,
		  struct publisher **ret, struct error *e);

/* All producers have ended. The last view stays in the holder. Accepts NULL. Return: NULL. */
struct publisher *publisher_free(struct publisher *p);

/* ---- producers: any thread ---- */

struct publisher_post {
	struct view_inputs values; /* the caller's; references are taken */
	unsigned int inputs;	   /* which of them are posted: VIEW_INPUT_BIT()s */
	/*
	 * The host that the values were read from: they are dropped when a later one was posted
	 * meanwhile. NULL for values that do not depend on it.
	 */
	const struct host *read_from;
	/*
	 * publisher_last_number() when the producer began to read: what was requested before is
	 * in the values. 0 gives the post a number of its own.
	 */
	uint64_t number;
};

/*
 * publisher_post() - replace the values of some inputs, all of them in the same view
 *
 * Return: the number for view_holder_wait(), with any of the inputs; 0 when they were dropped.
 */
uint64_t publisher_post(struct publisher *p, const struct publisher_post *post);

/* Takes references on the latest values, shown or not; to be released by view_inputs_done(). */
void publisher_latest(struct publisher *p, struct view_inputs *ret);

/*
 * publisher_next_number(), publisher_last_number() - number requests
 *
 * A producer takes the next number for a request, and the last one when it begins to read, both
 * with the lock held that guards its requests; it posts what it has read with the latter.
 */
uint64_t publisher_next_number(struct publisher *p);
uint64_t publisher_last_number(struct publisher *p);

/*
 * A producer's part of view_holder_request(). Any thread.
 *
 * Return: the publisher_next_number() of the request.
 */
typedef uint64_t publisher_request_fn(void *userdata, const char *memdev);

/* publisher_set_producer() - have requests for an input served; NULL: no longer */
void publisher_set_producer(struct publisher *p, enum view_input input, publisher_request_fn *fn,
			    void *userdata);

/* ---- listeners ---- */

/*
 * Called on the main thread with each new view, in the order of their registration.
 *
 * @before: NULL with the first view
 * @changed: the inputs that differ: VIEW_INPUT_BIT()s
 */
typedef void publisher_listener_fn(void *userdata, const struct view *before,
				   const struct view *now, unsigned int changed);

struct publisher_listener {
	publisher_listener_fn *before_swap; /* no request sees the new view yet; NULL: none */
	/* Requests see it, those that wait for it do not go on yet (view_holder_wait()). */
	publisher_listener_fn *after_swap;
	void *userdata;
};

/* publisher_listen() - add a listener, for the life of the publisher. Return: 0 or -ENOMEM. */
int publisher_listen(struct publisher *p, const struct publisher_listener *l);

/* ---- views ---- */

/* Return: the view that is shown (not a reference), NULL before the first. */
const struct view *publisher_view(const struct publisher *p);

/*
 * publisher_run() - compose and show what was posted now, instead of in the next turn of the loop
 *
 * Return: 0, also when nothing is to be shown; -ENOMEM or -EINVAL and the previous view stays.
 */
int publisher_run(struct publisher *p, struct error *e);

#endif
