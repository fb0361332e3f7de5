/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_HOLDER_H
#define CXLR_REDFISH_VIEW_HOLDER_H

/*
 * The current view, for many readers and one thread that replaces it, and threads that wait for a
 * later one.
 *
 * A request holds the view for some microseconds. If all threads counted these references in one
 * place, they would spend more time on its cache line than on the answer. So there are several
 * holds on the same view, each with a count of its own, and a thread always uses the same one.
 *
 * To reply to a change with the result of it, a job requests a new value of the input that shows it
 * (view_holder_request()) after the change was made, and waits until a view has it
 * (view_holder_wait()). Values are numbered: a view that has the number of an input, or a higher
 * one, has everything that was requested of this input up to that number.
 */

#include "redfish/view/view.h"

struct view_holder;
struct view_hold;

/* A value of one input; all numbers come from one counter of the process and are never 0. */
struct view_generation {
	enum view_input input;
	uint64_t number;
};

/* Return: a holder without a view, NULL when out of memory. */
struct view_holder *view_holder_new(void);

/* Drops the view; no thread may use the holder any more. Accepts NULL. Return: NULL. */
struct view_holder *view_holder_free(struct view_holder *h);

/*
 * view_holder_set() - replace the view
 * @v: the reference is taken over, also on failure
 *
 * One thread at a time. The old view is freed when the last request that uses it is done.
 *
 * Return: 0, or -ENOMEM and the old view stays.
 */
int view_holder_set(struct view_holder *h, const struct view *v);

/* Return: the view (not a reference), NULL before the first; for the thread that sets it. */
const struct view *view_holder_view(const struct view_holder *h);

/* Return: a hold on the current view, NULL before the first one; any thread. */
struct view_hold *view_holder_take(struct view_holder *h);

const struct view *view_of_hold(const struct view_hold *hold);

/* Accepts NULL. Return: NULL. Any thread. */
struct view_hold *view_hold_release(struct view_hold *hold);

/* ---- waiting for a view: any thread ---- */

/* Return: whether the current view has this value of the input, or a later one. */
bool view_holder_has(struct view_holder *h, struct view_generation at_least);

/*
 * view_holder_wait() - wait until view_holder_has(); never on an HTTP thread or the main thread
 * @until_ms: deadline, as clock_monotonic_ms()
 *
 * Return: 0; -ETIMEDOUT after the deadline; -ECANCELED after view_holder_cancel_waits().
 */
int view_holder_wait(struct view_holder *h, struct view_generation at_least, uint64_t until_ms);

/* Cancels all waits, and later ones at once: for shutdown. */
void view_holder_cancel_waits(struct view_holder *h);

/*
 * view_holder_request() - request that an input is read again
 * @memdev: name of the memory device that was changed; NULL for all. Only readings are per device
 * @ret: what to wait for. If reading fails, it is never reached: wait with a deadline
 *
 * Returns at once; requests that come together are served together.
 *
 * Return: 0; -EOPNOTSUPP when the input cannot be requested, as without a daemon.
 */
int view_holder_request(struct view_holder *h, enum view_input input, const char *memdev,
			struct view_generation *ret);

/*
 * view_holder_read_again() - view_holder_request(), and wait for the view with it
 *
 * Return: as view_holder_wait(); 0 at once when the input cannot be requested: what is shown is all
 * that there is.
 */
int view_holder_read_again(struct view_holder *h, enum view_input input, const char *memdev,
			   uint64_t until_ms);

/* ---- for the publisher ---- */

/* @numbers: by input, of what the current view has. Wakes the threads that wait for them. */
void view_holder_advance(struct view_holder *h, const uint64_t numbers[static VIEW_INPUT_COUNT]);

/* Return: the number to wait for; 0 when the input cannot be requested. Any thread. */
typedef uint64_t view_request_fn(void *userdata, enum view_input input, const char *memdev);

/* Before the first request; NULL after the last one. */
void view_holder_set_requester(struct view_holder *h, view_request_fn *fn, void *userdata);

#endif
