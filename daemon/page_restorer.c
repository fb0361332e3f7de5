// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_restorer.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "redfish/pages/page_plan.h"

enum {
	RETRIES_MAX =
		4, /* after one topology: of pages that are in use, or while the helper is away */
	RETRY_MS = 60 * 1000,
	AGE_MS = 60 * 60 * 1000, /* how often entries are looked at that page-age forgets */
};

struct page_restorer {
	struct publisher *publisher;
	struct view_holder *views;
	struct page_keeper *keeper;
	struct page_plan *plan; /* the thread's; of the topology of the last round, NULL: none */
	size_t waiting, not_fenced; /* likewise: of the round before, which were logged */

	struct worker worker; /* its lock guards what follows */
	bool wanted;	      /* a round of all, by the latest topology */
	unsigned int retries;
	struct uevent blocks[PAGE_BLOCKS_MAX]; /* came online, in their order */
	size_t n_blocks;
};

/* A block is not to wait for the rest of a round. */
static bool must_stop(void *userdata)
{
	struct page_restorer *r = userdata;
	bool stop;

	worker_lock(&r->worker);
	stop = r->worker.stop || r->n_blocks > 0;
	worker_unlock(&r->worker);
	return stop;
}

static bool must_end(void *userdata)
{
	struct page_restorer *r = userdata;
	bool stop;

	worker_lock(&r->worker);
	stop = r->worker.stop;
	worker_unlock(&r->worker);
	return stop;
}

static void log_round(struct page_restorer *r, const struct page_round *round)
{
	const size_t not_out = round->n[PAGE_REFUSED] + round->n[PAGE_FAILED] +
			       round->n[PAGE_UNVERIFIABLE] + round->over;

	if (round->n[PAGE_DONE] > 0)
		log_info("remembered pages were taken out of use again: %zu", round->n[PAGE_DONE]);
	if (round->fenced > 0)
		log_warning(
			"memory blocks with remembered pages were taken offline: %zu (page-on-online = fence); the entries of LogServices/HardwareIsolation have their bytes",
			round->fenced);
	if (round->not_fenced > 0 && round->not_fenced != r->not_fenced)
		log_warning(
			"memory blocks with remembered pages could not be taken offline: %zu; their pages are taken out instead, and the entries of LogServices/HardwareIsolation have the reasons",
			round->not_fenced);
	r->not_fenced = round->not_fenced;
	if (round->softened > 0)
		log_warning(
			"remembered pages that were taken out hard are out softly now: %zu; allow hard-pages (allow = hard-pages) to take them out as before",
			round->softened);
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
static bool end_round(struct page_restorer *r, int result, const struct page_round *round,
		      const struct error *e)
{
	if (result < 0 && result != -ECANCELED)
		log_err("remembered pages are not taken out of use again: %s",
			e->text[0] ? e->text : strerror(-result));
	log_round(r, round);
	if (result == 0)
		log_waiting(r, round);
	return result < 0 || is_to_be_repeated(round);
}

static void forget_old(struct page_restorer *r)
{
	struct error e = {0};
	size_t n = 0;

	if (page_keeper_forget_old(r->keeper, &n, &e) < 0)
		log_warning("remembered pages that are older than page-age stay: %s", e.text);
	if (n > 0)
		log_info(
			"remembered pages that are older than page-age allows, and are not taken out of use again: %zu",
			n);
}

/*
 * @ret_interrupted: a block, or the end, came before all pages were looked at
 *
 * Return: as end_round().
 */
static bool run_round(struct page_restorer *r, bool *ret_interrupted)
{
	const struct page_stop end = {must_end, r}, stop = {must_stop, r};
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct page_round round = {0};
	struct error e = {0};
	int result = 0;

	publisher_latest(r->publisher, &latest);
	r->plan = page_plan_free(r->plan);
	forget_old(r);
	if (latest.host)
		result = page_plan_new(r->keeper, latest.host, latest.translator, &end, &r->plan,
				       &e);
	if (r->plan)
		result = page_plan_apply(r->plan, NULL, &stop, &round, &e);
	*ret_interrupted = result == -ECANCELED;
	/* The helper is not started where nothing will be asked of it. */
	if (!*ret_interrupted && round.of_block + round.away > 0)
		page_keeper_prepare(r->keeper);
	return end_round(r, result, &round, &e);
}

static void note_block(struct page_restorer *r, const struct uevent *block,
		       const struct page_round *round)
{
	const size_t pages = round->n[PAGE_DONE];
	struct page_online online = {.block = block->block, .pages = pages};

	if (pages == 0 || round->done_ns < block->received_ns)
		return;
	online.last_ns = round->done_ns - block->received_ns;
	page_keeper_note_online(r->keeper, &online);
	log_info("memory%" PRIu64
		 " came online: its remembered pages, %zu, were out of use after %" PRIu64 " us",
		 block->block, pages, online.last_ns / 1000);
}

/* Return: whether a round of all has to follow. */
static bool run_block(struct page_restorer *r, const struct uevent *block)
{
	const struct page_stop stop = {must_end, r};
	struct view_generation walked;
	struct page_round round = {0};
	struct error e = {0};
	bool again;
	int result;

	if (!r->plan)
		return true;
	result = page_plan_apply(r->plan, block, &stop, &round, &e);
	again = end_round(r, result, &round, &e);
	note_block(r, block, &round);
	/* Its entries may be among those that had no place under the mapping of before. */
	if (round.of_block == 0 && page_plan_away(r->plan) > 0)
		(void)view_holder_request(r->views, VIEW_INPUT_TOPOLOGY, NULL, &walked);
	return again || round.unplanned > 0;
}

/* With the lock held, which is released meanwhile. */
static void wait_for_work(struct page_restorer *r, bool again)
{
	const bool retry = again && r->retries < RETRIES_MAX;

	worker_unlock(&r->worker);
	/* The next block need not wait for it. */
	if (r->plan)
		(void)page_plan_refresh(r->plan, NULL);
	worker_lock(&r->worker);
	if (r->worker.stop || r->wanted || r->n_blocks > 0)
		return;
	if (worker_wait(&r->worker, clock_monotonic_ms() + (retry ? RETRY_MS : AGE_MS)))
		return;
	if (retry) {
		r->wanted = true;
		r->retries++;
		return;
	}
	worker_unlock(&r->worker);
	forget_old(r);
	worker_lock(&r->worker);
}

/* With the lock held, which is released meanwhile. Return: whether there was one. */
static bool run_next_block(struct page_restorer *r)
{
	struct uevent block;
	bool again;

	if (r->n_blocks == 0)
		return false;
	block = r->blocks[0];
	memmove(r->blocks, r->blocks + 1, --r->n_blocks * sizeof(r->blocks[0]));
	worker_unlock(&r->worker);
	again = run_block(r, &block);
	worker_lock(&r->worker);
	r->wanted |= again;
	return true;
}

static void *restorer_run(void *userdata)
{
	struct page_restorer *r = userdata;
	bool again = false, interrupted = false;

	worker_lock(&r->worker);
	while (!r->worker.stop) {
		/* The first round makes the plan that blocks need. */
		if (r->plan && run_next_block(r))
			continue;
		if (!r->wanted) {
			wait_for_work(r, again);
			continue;
		}
		r->wanted = false;
		worker_unlock(&r->worker);
		again = run_round(r, &interrupted);
		worker_lock(&r->worker);
		r->wanted |= interrupted;
		/* The next round, which makes a plan, is of their pages, too. */
		if (!r->plan)
			r->n_blocks = 0;
	}
	worker_unlock(&r->worker);
	worker_ended(&r->worker);
	return NULL;
}

static void add_block(struct page_restorer *r, const struct uevent *event)
{
	for (size_t i = 0; i < r->n_blocks; i++)
		if (r->blocks[i].block == event->block)
			return;
	if (r->n_blocks < PAGE_BLOCKS_MAX)
		r->blocks[r->n_blocks++] = *event;
	else
		r->wanted = true;
}

void page_restorer_notify(struct page_restorer *r, const struct uevent *event)
{
	if (event->kind == UEVENT_OTHER)
		return; /* the topology that it makes comes later */
	worker_lock(&r->worker);
	if (event->kind == UEVENT_BLOCK_ONLINE)
		add_block(r, event);
	else
		r->wanted = true;
	r->retries = 0;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
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

int page_restorer_new(struct publisher *publisher, struct view_holder *views,
		      struct page_keeper *keeper, struct page_restorer **ret, struct error *e)
{
	struct page_restorer *r = calloc(1, sizeof(*r));
	const struct publisher_listener listener = {.after_swap = follow_topology, .userdata = r};
	int result;

	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	*r = (struct page_restorer){
		.publisher = publisher, .views = views, .keeper = keeper, .wanted = true};
	worker_init(&r->worker);
	result = worker_start(&r->worker, restorer_run, r, e);
	if (result == 0 && publisher_listen(publisher, &listener) < 0) {
		(void)page_restorer_stop(r, UINT_MAX);
		result = error_set(e, ENOMEM, "out of memory");
	}
	if (result < 0) {
		(void)page_restorer_free(r);
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
	if (r) {
		(void)page_plan_free(r->plan);
		worker_done(&r->worker);
	}
	free(r);
	return NULL;
}
