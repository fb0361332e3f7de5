/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PAGE_KEEPER_H
#define CXLR_REDFISH_PAGE_KEEPER_H

/*
 * Pages are taken out of use within the limits, and remembered; they are put out again, and brought
 * back. The one way by which the service and cxl-spa do so: each write is reserved in the state
 * database before it and settled after it (state_pages.h).
 *
 * The keeper owns its mutex only. Calls wait for the disk and for the page helper: for workers,
 * jobs and cxl-spa, any of their threads.
 */

#include "pages/bad_pages.h"
#include "pages/page_client.h"
#include "prm/answer.h"
#include "redfish/pages/state_pages.h"
#include "sysfs/stable_id.h"

struct page_keeper;

/*
 * page_keeper_new() - with the limits of page_limits_default
 * @st, @client: must outlive it; @client NULL: nothing can be taken out or brought back
 * @boot_id: of this boot; zeros: not known
 */
int page_keeper_new(struct state *st, struct page_client *client,
		    const uint8_t boot_id[static REMEMBERED_BOOT_SIZE], struct page_keeper **ret);

/* Accepts NULL. Return: NULL. */
struct page_keeper *page_keeper_free(struct page_keeper *k);

void page_keeper_set_limits(struct page_keeper *k, const struct page_limits *limits);
struct page_limits page_keeper_limits(struct page_keeper *k);

/* page_keeper_set_fence() - whether blocks with remembered pages are taken offline instead */
void page_keeper_set_fence(struct page_keeper *k, bool fence);

/* The state database, to read what is remembered. */
struct state *page_keeper_state(const struct page_keeper *k);

/*
 * page_keeper_each_tally() - the remembered pages of each device by state, for metrics
 *
 * As of the last change by the keeper, or page_keeper_count(); never waits for the disk. @each runs
 * with a lock held.
 */
void page_keeper_each_tally(struct page_keeper *k,
			    void (*each)(void *userdata, const struct page_tally *tally),
			    void *userdata);

/* page_keeper_count() - count again; waits for the disk */
void page_keeper_count(struct page_keeper *k);

/* page_keeper_prepare() - the page helper gets ready for the next page; waits for its answer */
void page_keeper_prepare(struct page_keeper *k);

struct page_take {
	const struct host *host; /* that the answer is of */
	const struct memdev_ids *ids;
	const struct answer *answer; /* of translate_dpa() for one address, exact */
	uint32_t action; /* enum page_action; PAGE_ONLINE forgets the entries of the page */
	bool allow_huge;
	bool only_free; /* soft, and remembered: see struct page_request */
	enum page_cause cause;
	uint64_t incident; /* 0: none */
	const char *user;  /* NULL: the policy */
};

/*
 * page_keeper_take() - have one page taken out, and remember the line of the address; or brought
 * back, and forget it
 * @ret: always filled in; a limit, or a database that cannot be written, is PAGE_REFUSED with the
 *       reason, -EDQUOT or the error: nothing was written then
 *
 * Return: 0 when it is out, otherwise ret->error.
 */
int page_keeper_take(struct page_keeper *k, const struct page_take *t, struct page_result *ret);

/*
 * page_keeper_take_all() - the same of several pages, in their order: by one reservation, one
 * request and one settlement, so that each page has a result of its own
 * @takes: of one action; others are -EINVAL
 * @n: up to PAGE_BATCH_MAX; more are -E2BIG
 * @ret: @n results
 *
 * Return: 0 when all are out, otherwise the error of the first that is not.
 */
int page_keeper_take_all(struct page_keeper *k, const struct page_take *takes, size_t n,
			 struct page_result *ret);

/* The last blocks that came online with remembered pages. */
struct page_online {
	uint64_t blocks;	      /* so many since the start */
	uint64_t block, pages;	      /* of the last one: its number, and pages that went out */
	uint64_t last_ns, longest_ns; /* from the event, as received, until the last page was out */
};

/* page_keeper_note_online() - add one; its `blocks` and `longest_ns` are not used */
void page_keeper_note_online(struct page_keeper *k, const struct page_online *last);
struct page_online page_keeper_online(struct page_keeper *k);

/*
 * page_keeper_count_out() - remembered pages that may be out of use in this boot
 * @first, @last: system addresses, inclusive; an alias elsewhere does not count
 *
 * Return: 0; the error of the database; -ENOMEM.
 */
int page_keeper_count_out(struct page_keeper *k, uint64_t first, uint64_t last,
			  struct bad_pages *ret);

struct translator;

/*
 * page_keeper_bring_back() - bring the page of an entry back into use and forget the entry
 * @text: why it is still out, and until when, REMEMBERED_TEXT_MAX bytes; "" when it was forgotten
 *
 * A page that another entry is of, too, stays out, with the text; the entry is forgotten.
 * Where it cannot be brought back in this boot, the entry stays and is not put out again.
 *
 * Return: 0; -ENOENT; or the error of the database.
 */
int page_keeper_bring_back(struct page_keeper *k, const struct host *host,
			   const struct translator *t, const struct memdev_ids *ids, uint64_t id,
			   char text[static REMEMBERED_TEXT_MAX], struct error *e);

/*
 * page_keeper_forget_old() - entries that are older than the limits say
 * @ret_n: how many; their pages are in use again with the next boot or dax device
 */
int page_keeper_forget_old(struct page_keeper *k, size_t *ret_n, struct error *e);

/* page_keeper_forget_returned() - at the start: entries that were brought back in a boot before */
int page_keeper_forget_returned(struct page_keeper *k, struct error *e);

#endif
