// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/page_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/allow.h"
#include "common/arena.h"
#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "redfish/pages/page_fences.h"
#include "redfish/pages/page_keeper_private.h"
#include "sysfs/dax_blocks.h"

/* The place of an entry; without `here` nothing else is set. */
struct place {
	uint64_t id;
	bool here;
	struct page_wish wish;
	struct page_request request;
};
DEFINE_ARRAY(struct place, places);

struct page_plan {
	struct page_keeper *keeper;
	const struct host *host;
	struct arena *arena;		 /* of `ids` */
	const struct memdev_ids *ids;	 /* has the devices' names of the wishes */
	struct places places;		 /* by id */
	struct remembered_pages entries; /* as they were read last */
	struct pages_version version;
	uint64_t block_size; /* bytes; 0: not known */
	size_t away;
	unsigned int allowed; /* ALLOW_..., as the helper said last */
};

static bool must_stop(const struct page_stop *stop)
{
	return stop && stop->fn && stop->fn(stop->userdata);
}

/* ---- places -----------------------------------------------------------------------------------
 */

static void place_at(const struct page_plan *plan, const struct remembered_page *p,
		     const struct answer *a, struct place *ret)
{
	const struct page_take take = {
		.host = plan->host,
		.ids = plan->ids,
		.answer = a,
		.action = PAGE_SOFT,
		.cause = p->cause,
		.incident = p->incident,
	};
	struct page_result refused;

	if (page_keeper_wish(&take, &ret->wish, &refused) < 0)
		return;
	ret->wish.again = true;
	ret->request = page_keeper_request(&ret->wish, &take);
	ret->here = true;
}

static int add_place(struct page_plan *plan, const struct translator *t,
		     const struct remembered_page *p, struct firmware_timeout *timeout)
{
	struct place *place = places_add(&plan->places);
	struct answers answers = {0};
	int r;

	if (!place)
		return -ENOMEM;
	*place = (struct place){.id = p->id};
	r = page_keeper_locate(t, plan->ids, p, timeout, &answers);
	if (r == 1)
		place_at(plan, p, &answers.items[0], place);
	plan->away += !place->here;
	answers_done(&answers);
	return r < 0 ? r : 0;
}

static int find_places(struct page_plan *plan, const struct translator *t,
		       const struct page_stop *stop, struct error *e)
{
	struct firmware_timeout timeout = {PAGE_CALL_MS, PAGE_BUCKET_MS};
	int r = page_plan_refresh(plan, e);

	ARRAY_FOREACH(p, &plan->entries) {
		if (r == 0 && must_stop(stop))
			r = -ECANCELED;
		if (r == 0 && p->state != REMEMBERED_RETURNED)
			r = add_place(plan, t, p, &timeout);
	}
	return r;
}

int page_plan_new(struct page_keeper *k, const struct host *host, const struct translator *t,
		  const struct page_stop *stop, struct page_plan **ret, struct error *e)
{
	struct page_plan *plan = calloc(1, sizeof(*plan));
	int r = 0;

	if (!plan)
		return error_set(e, ENOMEM, "out of memory");
	plan->keeper = k;
	plan->host = host_ref(host);
	if (memory_block_size(host->root->dirfd, &plan->block_size) < 0)
		plan->block_size = 0;
	plan->arena = arena_new();
	plan->ids = plan->arena ? memdev_ids_new(plan->arena, host) : NULL;
	r = plan->ids ? find_places(plan, t, stop, e) : error_set(e, ENOMEM, "out of memory");
	if (r < 0)
		(void)page_plan_free(plan);
	else
		*ret = plan;
	return r;
}

struct page_plan *page_plan_free(struct page_plan *plan)
{
	if (!plan)
		return NULL;
	places_done(&plan->places);
	remembered_pages_done(&plan->entries);
	(void)arena_free(plan->arena);
	(void)host_unref(plan->host);
	free(plan);
	return NULL;
}

size_t page_plan_away(const struct page_plan *plan)
{
	return plan->away;
}

int page_plan_refresh(struct page_plan *plan, struct error *e)
{
	return state_read_changed_pages(plan->keeper->state, &plan->version, &plan->entries, e);
}

static const struct place *find_place(const struct page_plan *plan, uint64_t id)
{
	const size_t at = ARRAY_LOWER_BOUND(&plan->places, place, place->id < id);

	return at < plan->places.n && plan->places.items[at].id == id ? &plan->places.items[at]
								      : NULL;
}

static bool is_in_block(const struct place *p, const struct uevent *block)
{
	const struct page_wish *w = &p->wish;

	return !block || w->block == block->block || (w->alias && w->alias_block == block->block);
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

/* Pages that are reserved at a time: so many remembered ones of a block wait for one transaction.
 */
enum { RESERVED_MAX = PAGE_RUN_MAX };

struct batch {
	struct page_wish wishes[RESERVED_MAX];
	struct page_request requests[RESERVED_MAX];
	bool softened[RESERVED_MAX];		  /* are taken out softly, as this is not allowed */
	bool was_softened[RESERVED_MAX];	  /* were, when they were taken out last */
	const struct fence *fences[RESERVED_MAX]; /* that failed; NULL: none was tried */
	size_t n;
	/* While it is done: */
	struct page_reservation reserved[RESERVED_MAX];
	uint64_t ids[RESERVED_MAX];
	struct page_result results[RESERVED_MAX];
};

/* A result that is stored when the last page is out, and not before the next one is. */
struct settled {
	struct page_settlement settlement;
	char text[REMEMBERED_TEXT_MAX];
};
DEFINE_ARRAY(struct settled, settled_list);
enum { SETTLED_MAX = 1024 };

struct applying {
	struct page_plan *plan;
	const struct uevent *block; /* NULL: all */
	unsigned int allowed;
	bool stands; /* the reservation of each entry of the block: see block_stands() */
	struct batch batch;
	struct fences fences; /* by block */
	struct settled_list settled;
	struct page_round *round;
};

static const char *const softened_text =
	"The page is out of use softly, as it was free: it was taken out hard before, and hard-pages is not allowed now.";

/* Removes from the batch those that were not reserved. */
static void keep_reserved(struct batch *b, struct page_round *round)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct page_reservation *reserved = &b->reserved[i];

		round->over += reserved->error == 0 && reserved->verdict != PAGE_MAY_GO;
		if (!reserved->id)
			continue;
		b->ids[n] = reserved->id;
		b->wishes[n] = b->wishes[i];
		b->requests[n] = b->requests[i];
		b->was_softened[n] = b->was_softened[i];
		b->fences[n] = b->fences[i];
		b->softened[n++] = b->softened[i];
	}
	b->n = n;
}

/* The reservations count even if the results cannot be stored. */
static void settle_all(struct applying *a)
{
	const struct page_moment now = page_keeper_moment(a->plan->keeper);
	struct page_settlement s[PAGE_BATCH_MAX];
	size_t n = 0;

	for (size_t i = 0; i < a->settled.n; i++) {
		s[n] = a->settled.items[i].settlement;
		s[n++].text = a->settled.items[i].text;
		if (n < PAGE_BATCH_MAX && i + 1 < a->settled.n)
			continue;
		(void)state_settle_pages(a->plan->keeper->state, s, n, &now, NULL);
		n = 0;
	}
	a->settled.n = 0;
}

/* Without a reservation of now, the entry is as before. */
static bool was_not_tried(const struct applying *a, const struct page_result *r)
{
	return a->stands && r->outcome == PAGE_REFUSED &&
	       (r->error == -ECONNRESET || r->error == -EACCES);
}

static const char *text_of(const struct batch *b, size_t i, const struct page_result *result)
{
	if (result->error == 0 && b->fences[i])
		return b->fences[i]->reason;
	if ((result->outcome == PAGE_DONE && b->softened[i]) ||
	    (result->outcome == PAGE_ALREADY && b->was_softened[i]))
		return softened_text;
	return result->reason;
}

static void note_results(struct applying *a)
{
	const uint64_t since_ns = a->block ? a->block->received_ns : 0;
	const struct batch *b = &a->batch;

	for (size_t i = 0; i < b->n; i++) {
		const struct page_result *result = &b->results[i];
		struct settled *s = was_not_tried(a, result) ? NULL : settled_list_add(&a->settled);

		if (!s)
			continue;
		*s = (struct settled){
			.settlement = {.id = b->ids[i], .state = page_keeper_state_of(result)}};
		(void)snprintf(s->text, sizeof(s->text), "%s", text_of(b, i, result));
		if (since_ns && result->outcome == PAGE_DONE && a->round->done_ns > since_ns)
			s->settlement.online_us = (a->round->done_ns - since_ns) / 1000;
	}
}

static void count_results(struct applying *a)
{
	struct page_round *round = a->round;
	const struct batch *b = &a->batch;
	bool any = false;

	for (size_t i = 0; i < b->n; i++) {
		const struct page_result *result = &b->results[i];
		const uint32_t outcome = result->outcome;

		if (was_not_tried(a, result)) {
			round->waiting++;
			a->plan->allowed = 0;
			continue;
		}
		round->n[outcome < PAGE_OUTCOMES ? outcome : PAGE_UNVERIFIABLE]++;
		round->softened += outcome == PAGE_DONE && b->softened[i];
		any |= result->error == 0;
	}
	if (any)
		round->done_ns = clock_monotonic_ns();
}

static void send_batch(struct applying *a)
{
	struct batch *b = &a->batch;

	(void)page_client_run(a->plan->keeper->client, b->requests, b->n, b->results);
	count_results(a);
	note_results(a);
	if (a->settled.n >= SETTLED_MAX)
		settle_all(a);
}

/* Return: whether an entry was changed since the plan was read: one may be returned, or forgotten.
 */
static bool have_entries_changed(const struct applying *a)
{
	const struct pages_version *read = &a->plan->version;
	struct pages_version now = *read;
	struct remembered_pages list = {0};
	int r = state_read_changed_pages(a->plan->keeper->state, &now, &list, NULL);

	remembered_pages_done(&list);
	return r < 0 || now.own != read->own || now.others != read->others;
}

static int reserve_batch(struct applying *a, struct error *e)
{
	struct page_keeper *k = a->plan->keeper;
	const struct page_limits limits = page_keeper_limits(k);
	const struct page_moment now = page_keeper_moment(k);
	struct batch *b = &a->batch;

	a->stands = a->stands && !have_entries_changed(a);
	if (!a->stands)
		return state_reserve_pages(k->state, b->wishes, b->n, &limits, &now, b->reserved,
					   e);
	for (size_t i = 0; i < b->n; i++)
		b->reserved[i] = (struct page_reservation){.id = b->wishes[i].known->id};
	return 0;
}

static int run_batch(struct applying *a, struct error *e)
{
	struct batch *b = &a->batch;
	int r = b->n > 0 ? reserve_batch(a, e) : 0;

	if (r == 0)
		keep_reserved(b, a->round);
	if (r == 0 && b->n > 0)
		send_batch(a);
	b->n = 0;
	return r;
}

/* ---- reservations that stand -------------------------------------------------------------------
 */

/*
 * A page that was taken out before in this boot counts as used until its entry says otherwise, also
 * when this process is killed now: nothing has to be written first. Whatever is not clear is
 * decided by the database.
 */
static bool block_stands(const struct page_plan *plan, const struct remembered_pages *list,
			 const struct uevent *block)
{
	const struct page_limits limits = page_keeper_limits(plan->keeper);

	if (!block || !(plan->allowed & ALLOW_PAGES) || page_keeper_fences(plan->keeper) ||
	    page_keeper_count_used(plan->keeper, list, block->block) > limits.block)
		return false;
	for (size_t i = 0; i < list->n; i++) {
		const struct remembered_page *p = &list->items[i];
		const struct place *place = find_place(plan, p->id);

		if (p->state != REMEMBERED_RETURNED && place && place->here &&
		    is_in_block(place, block) && !page_keeper_stands(plan->keeper, p, &place->wish))
			return false;
	}
	return true;
}

/* A round of all is interrupted for a block, and leaves no page reserved that was not tried. */
static size_t batch_size(const struct applying *a)
{
	return a->block ? RESERVED_MAX : PAGE_BATCH_MAX;
}

/* ---- blocks that go offline instead ---------------------------------------------------------- */

static int find_fences(struct applying *a, const struct remembered_pages *list)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < list->n; i++) {
		const struct remembered_page *p = &list->items[i];
		const struct place *place = find_place(a->plan, p->id);
		bool wanted;

		if (p->state == REMEMBERED_RETURNED || !place || !place->here)
			continue;
		wanted = is_in_block(place, a->block);
		if (wanted || p->state == REMEMBERED_FENCED)
			r = fences_add_entry(&a->fences, p, &place->wish, i, wanted);
	}
	return r;
}

/* The helper, or a limit, decides. */
static void ask_for_fence(struct applying *a, const struct remembered_page *p,
			  const struct fence *f, struct page_result *ret)
{
	const struct page_limits limits = page_keeper_limits(a->plan->keeper);
	const char *refusal = fences_refusal(&a->fences, f, &limits,
					     a->plan->block_size / a->plan->host->page_size);
	struct page_request q = find_place(a->plan, p->id)->request;

	*ret = (struct page_result){0};
	if (refusal) {
		(void)page_result_set(ret, EDQUOT, PAGE_REFUSED, "%s.", refusal);
		return;
	}
	q.action = PAGE_FENCE;
	q.only_free = f->only_free;
	(void)page_client_run(a->plan->keeper->client, &q, 1, ret);
}

static void run_fence(struct applying *a, const struct remembered_page *p, struct fence *f)
{
	struct page_result result;

	ask_for_fence(a, p, f, &result);
	f->is_offline = result.error == 0;
	a->round->fenced += result.outcome == PAGE_DONE;
	a->round->not_fenced += result.error < 0;
	if (f->is_offline)
		(void)snprintf(
			f->reason, sizeof(f->reason),
			"All of memory%" PRIu64 ", %" PRIu64
			" bytes, is out of use (page-on-online = fence): to use it again, delete the entry, or set page-on-online = apply, and bring it online.",
			f->block, a->plan->block_size);
	else
		(void)snprintf(f->reason, sizeof(f->reason),
			       "The page is out of use, but not its memory block: %.240s",
			       result.reason);
}

static int settle_fenced(struct applying *a, const struct remembered_page *p, const struct fence *f,
			 struct error *e)
{
	const struct page_moment now = page_keeper_moment(a->plan->keeper);

	if (p->state == REMEMBERED_FENCED && str_equal(p->text, f->reason))
		return 0;
	return state_settle_page(a->plan->keeper->state, p->id, REMEMBERED_FENCED, f->reason, &now,
				 e);
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/* The mode and the cause are those of the entry now, the place that of the plan. */
static void add_to_batch(struct applying *a, const struct remembered_page *p,
			 const struct place *place)
{
	struct batch *b = &a->batch;
	const size_t i = b->n++;
	const bool hard = p->hard && a->allowed & ALLOW_HARD_PAGES;

	b->wishes[i] = place->wish;
	b->wishes[i].cause = p->cause;
	b->wishes[i].known = p;
	b->requests[i] = place->request;
	b->requests[i].action = hard ? PAGE_HARD : PAGE_SOFT;
	b->requests[i].only_free = !hard && (p->only_free || p->hard);
	b->softened[i] = p->hard && !hard;
	b->was_softened[i] = str_equal(p->text, softened_text);
	b->fences[i] = fences_find(&a->fences, place->wish.block);
}

static int apply_one(struct applying *a, const struct remembered_page *p, struct error *e)
{
	const struct place *place = find_place(a->plan, p->id);
	const struct fence *fence;
	int r;

	if (p->state == REMEMBERED_RETURNED)
		return 0;
	a->round->unplanned += !place;
	a->round->away += place && !place->here;
	if (!place || !place->here || !is_in_block(place, a->block))
		return 0;
	a->round->of_block++;
	fence = fences_find(&a->fences, place->wish.block);
	if (fence && fence->is_offline) {
		r = settle_fenced(a, p, fence, e);
		return r == -ENOENT ? 0 : r;
	}
	r = a->batch.n == batch_size(a) ? run_batch(a, e) : 0;
	if (r == 0)
		add_to_batch(a, p, place);
	return r;
}

static int apply_all(struct applying *a, const struct remembered_pages *list,
		     const struct page_stop *stop, struct error *e)
{
	int r = page_keeper_fences(a->plan->keeper) ? find_fences(a, list) : 0;

	/* Before any page is marked. */
	for (size_t i = 0; r == 0 && i < a->fences.n; i++) {
		struct fence *f = &a->fences.items[i];

		r = f->wanted && must_stop(stop) ? -ECANCELED : 0;
		if (r == 0 && f->wanted)
			run_fence(a, &list->items[f->entry], f);
	}
	for (size_t i = 0; r == 0 && i < list->n; i++) {
		const bool between = a->batch.n == 0 || a->batch.n == batch_size(a);

		r = between && must_stop(stop) ? -ECANCELED : apply_one(a, &list->items[i], e);
	}
	if (r == 0)
		r = run_batch(a, e);
	settle_all(a);
	return r;
}

int page_plan_apply(struct page_plan *plan, const struct uevent *block,
		    const struct page_stop *stop, struct page_round *ret, struct error *e)
{
	struct page_keeper *k = plan->keeper;
	const struct remembered_pages *list = &plan->entries;
	struct applying *a = calloc(1, sizeof(*a)); /* large, and mostly not written */
	int r = a ? page_plan_refresh(plan, e) : error_set(e, ENOMEM, "out of memory");

	*ret = (struct page_round){0};
	if (r == 0 && list->n > 0) {
		a->plan = plan;
		a->block = block;
		a->round = ret;
		a->stands = block_stands(plan, list, block);
		if (!a->stands)
			plan->allowed = k->client ? page_client_allowed(k->client) : 0;
		a->allowed = plan->allowed;
		/* Entries keep the outcome of before while nothing may be written. */
		if (a->allowed & ALLOW_PAGES)
			r = apply_all(a, list, stop, e);
		else
			ret->waiting = list->n;
	}
	page_keeper_count(k);
	if (a) {
		fences_done(&a->fences);
		settled_list_done(&a->settled);
	}
	free(a);
	return r;
}
