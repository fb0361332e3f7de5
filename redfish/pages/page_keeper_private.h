/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PAGE_KEEPER_PRIVATE_H
#define CXLR_REDFISH_PAGE_KEEPER_PRIVATE_H

/* Shared by page_keeper.c and page_plan.c. */

#include <pthread.h>

#include "redfish/pages/page_keeper.h"

/* For the addresses of one round, or of one page. */
enum { PAGE_CALL_MS = 2000, PAGE_BUCKET_MS = 10000 };

struct firmware_timeout;

struct page_keeper {
	struct state *state;
	struct page_client *client;
	uint8_t boot_id[REMEMBERED_BOOT_SIZE];
	pthread_mutex_t lock; /* of the following members */
	struct page_limits limits;
	bool fence;
	struct page_tallies tallies; /* as last counted */
	struct page_online online;
};

bool page_keeper_fences(struct page_keeper *k);

struct page_moment page_keeper_moment(const struct page_keeper *k);

/* page_keeper_wish() - of a page, with its place. Return: 0, or -ERANGE with the reason. */
int page_keeper_wish(const struct page_take *t, struct page_wish *ret, struct page_result *result);

struct page_request page_keeper_request(const struct page_wish *w, const struct page_take *t);

/* The state of an entry after a write. */
enum remembered_state page_keeper_state_of(const struct page_result *r);

/* Return: 1 with the exact address of the entry now, 0 without one; -ENOMEM. */
int page_keeper_locate(const struct translator *t, const struct memdev_ids *ids,
		       const struct remembered_page *p, struct firmware_timeout *timeout,
		       struct answers *ret);

/* ---- page_stands.c: reservations of before ---- */

/* Return: whether an entry counts for the limits as out, in this boot and at this place; false for
 * one with an alias. */
bool page_keeper_stands(const struct page_keeper *k, const struct remembered_page *p,
			const struct page_wish *w);

/* Return: the pages of a block that count as used, and not fewer: one of several entries counts for
 * each. */
uint64_t page_keeper_count_used(const struct page_keeper *k, const struct remembered_pages *list,
				uint64_t block);

#endif
