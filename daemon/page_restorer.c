// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_restorer.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"

enum {
	RETRIES_MAX =
		4, /* after one topology: of pages that are in use, or while the helper is away */
	RETRY_MS = 60 * 1000,
};

struct page_restorer {
	struct publisher *publisher;
	struct page_keeper *keeper;
	struct worker worker; /* its lock guards what follows */
	bool wanted;
	unsigned int retries;
	size_t waiting; /* of the round before, which was logged; the thread's own */
};

static bool must_stop(void *userdata)
{
	struct page_restorer *r = userdata;
	bool stop;

	worker_lock(&r->worker);
	stop = r->worker.stop;
	worker_unlock(&r->worker);
	return stop;
}

static void log_round(const struct page_round *round)
{
	const size_t not_out = round->n[PAGE_REFUSED] + round->n[PAGE_FAILED] +
			       round->n[PAGE_UNVERIFIABLE] + round->over;

	if (round->n[PAGE_DONE] > 0)
		log_info("remembered pages were taken out of use again: %zu", round->n[PAGE_DONE]);
	if (not_out > 0)
		log_warning(
			"remembered pages that could not be taken out of use: %zu; the entries of LogServices/HardwareIsolation have the reasons",
			not_out);
}

/* Once until it changes: each topology has several rounds. */
static void log_waiting(struct page_restorer *r, const struct page_round *round)
{
	if (round->waiting > 0 && round->waiting != r->waiting)
		log_warning(
			"%zu remembered pages wait, and may be in use: cxl-redfish-page-helper is away, or may not take pages out; look at systemctl status cxl-redfish-page-helper.socket, and at allow in cxl-redfishd.conf",
			round->waiting);
	r->waiting = round->waiting;
}

static bool is_to_be_repeated(const struct page_round *round)
{
	return round->n[PAGE_REFUSED] + round->n[PAGE_FAILED] + round->n[PAGE_UNVERIFIABLE] +
		       round->waiting >
	       0;
}

/* Return: whether the same round may have another result later. */
static bool run_round(struct page_restorer *r)
{
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct page_round round = {0};
	struct error e = {0};
	struct memdev_ids *ids;
	struct arena *arena = arena_new();
	int result;

	publisher_latest(r->publisher, &latest);
	ids = arena && latest.host ? memdev_ids_new(arena, latest.host) : NULL;
	result = ids ? page_keeper_restore(r->keeper, latest.host, latest.translator, ids,
					   must_stop, r, &round, &e)
		     : -ENOMEM;
	(void)arena_free(arena);
	if (result < 0 && result != -ECANCELED)
		log_err("remembered pages are not taken out of use again: %s",
			result == -ENOMEM ? "out of memory" : e.text);
	log_round(&round);
	if (result == 0)
		log_waiting(r, &round);
	return result < 0 || is_to_be_repeated(&round);
}

/* With the lock held. */
static void wait_for_work(struct page_restorer *r, bool again)
{
	const bool retry = again && r->retries < RETRIES_MAX;

	if (!worker_wait(&r->worker, clock_monotonic_ms() + (retry ? RETRY_MS : WORKER_FOREVER))) {
		r->wanted = true;
		r->retries++;
	}
}

static void *restorer_run(void *userdata)
{
	struct page_restorer *r = userdata;
	bool again = false;

	worker_lock(&r->worker);
	while (!r->worker.stop) {
		if (!r->wanted) {
			wait_for_work(r, again);
			continue;
		}
		r->wanted = false;
		worker_unlock(&r->worker);
		again = run_round(r);
		worker_lock(&r->worker);
	}
	worker_unlock(&r->worker);
	worker_ended(&r->worker);
	return NULL;
}

/* Each walk makes a host of its own, also one that equals the one before: a dax device that was
 * made anew has the same blocks. */
static void follow_topology(void *userdata, const struct view *before, const struct view *now,
			    unsigned int changed)
{
	struct page_restorer *r = userdata;

	(void)before;
	(void)now;
	if (!(changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY)))
		return;
	worker_lock(&r->worker);
	r->wanted = true;
	r->retries = 0;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
}

int page_restorer_new(struct publisher *publisher, struct page_keeper *keeper,
		      struct page_restorer **ret, struct error *e)
{
	struct page_restorer *r = calloc(1, sizeof(*r));
	const struct publisher_listener listener = {.after_swap = follow_topology, .userdata = r};
	int result;

	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	*r = (struct page_restorer){.publisher = publisher, .keeper = keeper, .wanted = true};
	worker_init(&r->worker);
	result = worker_start(&r->worker, restorer_run, r, e);
	if (result == 0 && publisher_listen(publisher, &listener) < 0) {
		(void)page_restorer_stop(r, UINT_MAX);
		result = error_set(e, ENOMEM, "out of memory");
	}
	if (result < 0) {
		worker_done(&r->worker);
		free(r);
		return result;
	}
	*ret = r;
	return 0;
}

bool page_restorer_stop(struct page_restorer *r, unsigned int wait_ms)
{
	return !r || worker_stop(&r->worker, wait_ms);
}

struct page_restorer *page_restorer_free(struct page_restorer *r)
{
	if (r)
		worker_done(&r->worker);
	free(r);
	return NULL;
}
