// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/page_keeper_private.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "pages/page_fence.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "sysfs/dax_blocks.h"

int page_keeper_new(struct state *st, struct page_client *client,
		    const uint8_t boot_id[static REMEMBERED_BOOT_SIZE], struct page_keeper **ret)
{
	struct page_keeper *k = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->state = st;
	k->client = client;
	memcpy(k->boot_id, boot_id, sizeof(k->boot_id));
	(void)pthread_mutex_init(&k->lock, NULL);
	k->limits = page_limits_default;
	*ret = k;
	return 0;
}

struct page_keeper *page_keeper_free(struct page_keeper *k)
{
	if (k) {
		page_tallies_done(&k->tallies);
		(void)pthread_mutex_destroy(&k->lock);
	}
	free(k);
	return NULL;
}

void page_keeper_set_limits(struct page_keeper *k, const struct page_limits *limits)
{
	(void)pthread_mutex_lock(&k->lock);
	k->limits = *limits;
	(void)pthread_mutex_unlock(&k->lock);
}

struct page_limits page_keeper_limits(struct page_keeper *k)
{
	struct page_limits limits;

	(void)pthread_mutex_lock(&k->lock);
	limits = k->limits;
	(void)pthread_mutex_unlock(&k->lock);
	return limits;
}

void page_keeper_set_fence(struct page_keeper *k, bool fence)
{
	(void)pthread_mutex_lock(&k->lock);
	k->fence = fence;
	(void)pthread_mutex_unlock(&k->lock);
}

bool page_keeper_fences(struct page_keeper *k)
{
	bool fence;

	(void)pthread_mutex_lock(&k->lock);
	fence = k->fence;
	(void)pthread_mutex_unlock(&k->lock);
	return fence;
}

struct state *page_keeper_state(const struct page_keeper *k)
{
	return k->state;
}

void page_keeper_count(struct page_keeper *k)
{
	struct page_tallies now = {0}, old;

	/* The counts of before stay while the database cannot be read. */
	if (state_count_pages(k->state, &now, NULL) < 0) {
		page_tallies_done(&now);
		return;
	}
	(void)pthread_mutex_lock(&k->lock);
	old = k->tallies;
	k->tallies = now;
	(void)pthread_mutex_unlock(&k->lock);
	page_tallies_done(&old);
}

void page_keeper_each_tally(struct page_keeper *k,
			    void (*each)(void *userdata, const struct page_tally *tally),
			    void *userdata)
{
	(void)pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < k->tallies.n; i++)
		each(userdata, &k->tallies.items[i]);
	(void)pthread_mutex_unlock(&k->lock);
}

void page_keeper_prepare(struct page_keeper *k)
{
	if (k->client)
		page_client_prepare(k->client);
}

void page_keeper_note_online(struct page_keeper *k, const struct page_online *last)
{
	struct page_online *o = &k->online;

	(void)pthread_mutex_lock(&k->lock);
	o->blocks++;
	o->block = last->block;
	o->pages = last->pages;
	o->last_ns = last->last_ns;
	o->longest_ns = last->last_ns > o->longest_ns ? last->last_ns : o->longest_ns;
	(void)pthread_mutex_unlock(&k->lock);
}

struct page_online page_keeper_online(struct page_keeper *k)
{
	struct page_online online;

	(void)pthread_mutex_lock(&k->lock);
	online = k->online;
	(void)pthread_mutex_unlock(&k->lock);
	return online;
}

struct page_moment page_keeper_moment(const struct page_keeper *k)
{
	struct page_moment now = {.boottime_ns = clock_boottime_ms() * 1000000,
				  .time_ns = clock_realtime_ns()};

	memcpy(now.boot_id, k->boot_id, sizeof(now.boot_id));
	return now;
}

/* ---- one page ---------------------------------------------------------------------------------
 */

/* Return: the number of the memory block; that of the smallest possible ones when it is not known.
 */
static uint64_t block_of(const struct host *host, uint64_t spa)
{
	uint64_t size;

	if (memory_block_size(host->root->dirfd, &size) < 0 || size == 0)
		size = UINT64_C(128) << 20;
	return spa / size;
}

int page_keeper_wish(const struct page_take *t, struct page_wish *ret, struct page_result *result)
{
	const struct answer *a = t->answer;
	const struct opt_int node = a->numa_node;
	struct opt_u64 serial;
	struct error e = {0};

	if (!a->exact || !a->has_spa || !a->memdev)
		return page_result_set(result, ERANGE, PAGE_REFUSED, "%s",
				       a->reason[0] ? a->reason
						    : "The address is not known exactly.");
	serial = memdev_unique_serial(t->ids, a->memdev);
	*ret = (struct page_wish){
		.device = memdev_id(t->ids, a->memdev),
		.user = t->user,
		.serial = serial.present ? serial.value : 0,
		.dpa = a->dpa - a->dpa % REMEMBERED_LINE,
		.length = REMEMBERED_LINE,
		.cause = t->cause,
		.hard = t->action == PAGE_HARD,
		.only_free = t->only_free,
		.incident = t->incident,
		.spa = host_page(t->host, a->spa),
		.block = block_of(t->host, a->spa),
		.node = node.present && node.value >= 0 ? (uint64_t)node.value : 0,
		.node_pages = node.present ? fence_node_pages(t->host, node.value) : 0,
		.alias = a->has_alias ? host_page(t->host, a->alias) : 0,
		.alias_block = a->has_alias ? block_of(t->host, a->alias) : 0,
	};
	if (page_wish_check(ret, &e) < 0)
		return page_result_set(result, ERANGE, PAGE_REFUSED,
				       "The page cannot be remembered: %s.", e.text);
	return 0;
}

struct page_request page_keeper_request(const struct page_wish *w, const struct page_take *t)
{
	struct page_request q = {
		.serial = w->serial,
		.dpa = t->answer->dpa,
		.spa = t->answer->spa,
		.action = t->action,
		.allow_huge = t->allow_huge,
		.only_free = t->only_free,
	};

	(void)snprintf(q.device, sizeof(q.device), "%s", w->device);
	return q;
}

enum remembered_state page_keeper_state_of(const struct page_result *r)
{
	static const enum remembered_state states[PAGE_OUTCOMES] = {
		[PAGE_DONE] = REMEMBERED_OUT,
		[PAGE_ALREADY] = REMEMBERED_OUT,
		[PAGE_REFUSED] = REMEMBERED_REFUSED,
		[PAGE_FAILED] = REMEMBERED_FAILED,
		[PAGE_UNVERIFIABLE] = REMEMBERED_UNVERIFIABLE,
	};

	return r->outcome < PAGE_OUTCOMES ? states[r->outcome] : REMEMBERED_UNVERIFIABLE;
}

/* Several pages; those that are to be sent come first, at any time. */
struct taking {
	struct page_keeper *k;
	const struct page_take *takes;
	struct page_result *ret; /* of all takes */
	size_t n;
	size_t of[PAGE_BATCH_MAX]; /* the take of each */
	struct page_wish wishes[PAGE_BATCH_MAX];
	struct page_reservation reserved[PAGE_BATCH_MAX];
	struct page_request requests[PAGE_BATCH_MAX];
	struct page_result results[PAGE_BATCH_MAX];
};

static void wish_all(struct taking *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		t->ret[i] = (struct page_result){0};
		if (!t->k->client)
			(void)page_result_set(
				&t->ret[i], EACCES, PAGE_REFUSED,
				"The service may not take pages out: allow pages (allow = pages).");
		else if (page_keeper_wish(&t->takes[i], &t->wishes[t->n], &t->ret[i]) == 0)
			t->of[t->n++] = i;
	}
}

/* Return: 0 when it was reserved; else the error of @ret. */
static int check_reserved(int r, const struct page_reservation *reserved, const char *why,
			  struct page_result *ret)
{
	if (r < 0)
		return page_result_set(
			ret, -r, PAGE_REFUSED,
			"The page is not taken out, because it cannot be remembered: %s.", why);
	if (reserved->verdict == PAGE_MAY_GO)
		return 0;
	return page_result_set(ret, EDQUOT, PAGE_REFUSED, "%s",
			       page_verdict_text(reserved->verdict));
}

/* All in one transaction: the limits count each page for those after it. */
static void reserve_all(struct taking *t)
{
	const struct page_limits limits = page_keeper_limits(t->k);
	const struct page_moment now = page_keeper_moment(t->k);
	struct error e = {0};
	size_t n = 0;
	int r = state_reserve_pages(t->k->state, t->wishes, t->n, &limits, &now, t->reserved, &e);

	for (size_t i = 0; i < t->n; i++) {
		if (check_reserved(r, &t->reserved[i], e.text, &t->ret[t->of[i]]) < 0)
			continue;
		t->of[n] = t->of[i];
		t->wishes[n] = t->wishes[i];
		t->reserved[n++] = t->reserved[i];
	}
	t->n = n;
}

/* The reservations count even if the results cannot be stored. */
static void settle_all(struct taking *t)
{
	const struct page_moment now = page_keeper_moment(t->k);
	struct page_settlement s[PAGE_BATCH_MAX];

	for (size_t i = 0; i < t->n; i++)
		s[i] = (struct page_settlement){
			.id = t->reserved[i].id,
			.state = page_keeper_state_of(&t->results[i]),
			.text = t->results[i].reason,
		};
	(void)state_settle_pages(t->k->state, s, t->n, &now, NULL);
}

static void run_all(struct taking *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->requests[i] = page_keeper_request(&t->wishes[i], &t->takes[t->of[i]]);
	if (t->n > 0)
		(void)page_client_run(t->k->client, t->requests, t->n, t->results);
}

/* A page that is back in use is not put out again. */
static void note_online(struct page_keeper *k, const struct page_wish *w,
			struct page_result *result)
{
	const struct page_moment now = page_keeper_moment(k);
	struct error e = {0};

	if (result->error == 0 &&
	    state_forget_place(k->state, w->device, w->dpa, w->spa, &now, &e) < 0)
		(void)page_result_set(
			result, EIO, PAGE_FAILED,
			"The page is in use again, but its entry could not be removed (%s): delete the entry, or it is taken out again.",
			e.text);
}

static void take_all(struct taking *t, size_t n)
{
	const bool back = t->takes[0].action == PAGE_ONLINE;

	wish_all(t, n);
	if (!back && t->n > 0)
		reserve_all(t);
	run_all(t);
	if (!back)
		settle_all(t);
	for (size_t i = 0; i < t->n; i++) {
		if (back)
			note_online(t->k, &t->wishes[i], &t->results[i]);
		t->ret[t->of[i]] = t->results[i];
	}
	page_keeper_count(t->k);
}

int page_keeper_take_all(struct page_keeper *k, const struct page_take *takes, size_t n,
			 struct page_result *ret)
{
	struct taking t = {.k = k, .takes = takes, .ret = ret};

	if (n > PAGE_BATCH_MAX)
		return -E2BIG;
	for (size_t i = 0; i < n; i++)
		if (takes[i].action != takes[0].action)
			return -EINVAL;
	if (n > 0)
		take_all(&t, n);
	for (size_t i = 0; i < n; i++)
		if (ret[i].error < 0)
			return ret[i].error;
	return 0;
}

int page_keeper_take(struct page_keeper *k, const struct page_take *t, struct page_result *ret)
{
	return page_keeper_take_all(k, t, 1, ret);
}

/* ---- where it is now ---------------------------------------------------------------------------
 */

int page_keeper_locate(const struct translator *t, const struct memdev_ids *ids,
		       const struct remembered_page *p, struct firmware_timeout *timeout,
		       struct answers *ret)
{
	/* A device has the Id of a slot only without a serial number of its own: another one in
	 * that slot, which has one, is not confused with it. */
	const struct memdev *m = memdev_by_id(ids, p->device);
	int r = m ? translate_dpa_wait(t, m, p->dpa, p->dpa, timeout, ret) : 0;

	if (r < 0)
		return r;
	return ret->n == 1 && ret->items[0].exact && ret->items[0].has_spa;
}

/* ---- back into use ----------------------------------------------------------------------------
 */

static bool is_this_boot(const struct page_keeper *k, const struct remembered_page *p)
{
	return memcmp(p->boot_id, k->boot_id, sizeof(p->boot_id)) == 0;
}

/* Return: whether the page of the entry is in use again; otherwise @result has the reason. */
static bool bring_back(struct page_keeper *k, const struct page_take *take,
		       struct page_result *result)
{
	struct page_request q;
	struct page_wish w;

	if (page_keeper_wish(take, &w, result) < 0)
		return false;
	q = page_keeper_request(&w, take);
	return page_client_run(k->client, &q, 1, result) == 0;
}

#define UNTIL "It is in use again with the next boot, or when its dax device is made anew."

static void describe_stay(const char *why, char text[static REMEMBERED_TEXT_MAX])
{
	(void)snprintf(text, REMEMBERED_TEXT_MAX, "%s%s%.*s", UNTIL, why[0] ? " " : "",
		       REMEMBERED_TEXT_MAX - (int)sizeof(UNTIL) - 2, why);
}

static int try_to_bring_back(struct page_keeper *k, const struct host *host,
			     const struct translator *t, const struct memdev_ids *ids,
			     const struct remembered_page *p, char text[static REMEMBERED_TEXT_MAX])
{
	struct firmware_timeout timeout = {PAGE_CALL_MS, PAGE_BUCKET_MS};
	struct page_result result = {.reason =
					     "Its device, or its exact address, is not known now."};
	struct answers answers = {0};
	int r = k->client ? page_keeper_locate(t, ids, p, &timeout, &answers) : 0;

	if (!k->client)
		page_result_set(
			&result, EACCES, PAGE_REFUSED,
			"The service may not bring pages back: allow pages (allow = pages).");
	text[0] = '\0';
	if (r >= 0) {
		const struct page_take take = {
			.host = host, .ids = ids, .answer = answers.items, .action = PAGE_ONLINE};

		if (r == 0 || !bring_back(k, &take, &result))
			describe_stay(result.reason, text);
	}
	answers_done(&answers);
	return r < 0 ? r : 0;
}

/* Return: 1 with the text when another entry has the same page out; 0; the error of the database.
 */
static int find_sharer(struct page_keeper *k, const struct remembered_page *of,
		       char text[static REMEMBERED_TEXT_MAX], struct error *e)
{
	uint64_t id = 0;
	int r = state_find_sharer(k->state, of, &id, e);

	if (r == 0 && id > 0)
		(void)snprintf(text, REMEMBERED_TEXT_MAX,
			       "Entry %" PRIu64 " is of the same page: delete that one, too.", id);
	return r < 0 ? r : id > 0;
}

int page_keeper_bring_back(struct page_keeper *k, const struct host *host,
			   const struct translator *t, const struct memdev_ids *ids, uint64_t id,
			   char text[static REMEMBERED_TEXT_MAX], struct error *e)
{
	struct remembered_page p;
	bool is_out;
	int shared = 0, r = state_read_page(k->state, id, &p, e);

	text[0] = '\0';
	is_out = r == 0 && remembered_may_be_out(&p) && is_this_boot(k, &p);
	if (is_out)
		r = shared = find_sharer(k, &p, text, e);
	if (is_out && r == 0)
		r = try_to_bring_back(k, host, t, ids, &p, text);
	if (r < 0)
		return r;
	r = text[0] && !shared ? state_return_page(k->state, id, text, e)
			       : state_forget_page(k->state, id, e);
	page_keeper_count(k);
	return r;
}

int page_keeper_forget_old(struct page_keeper *k, size_t *ret_n, struct error *e)
{
	const uint64_t days = page_keeper_limits(k).age_days;
	const struct page_moment now = page_keeper_moment(k);

	*ret_n = 0;
	if (days == 0)
		return 0;
	return state_forget_old_pages(k->state, days * 24 * PAGE_HOUR_NS,
				      "The entry is older than page-age allows. " UNTIL, &now,
				      ret_n, e);
}

int page_keeper_forget_returned(struct page_keeper *k, struct error *e)
{
	struct remembered_pages list = {0};
	int r = state_read_pages(k->state, &list, e);

	ARRAY_FOREACH(p, &list) {
		if (r == 0 && p->state == REMEMBERED_RETURNED && !is_this_boot(k, p))
			r = state_forget_page(k->state, p->id, e);
	}
	remembered_pages_done(&list);
	page_keeper_count(k);
	return r;
}
