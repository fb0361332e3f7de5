/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_LOCATOR_H
#define CXLR_PAGES_PAGE_LOCATOR_H

/*
 * The address of a request, found again on the host as it was read: the device must be the one that
 * is meant, the address exact and the expected one, and its memory no device. Private to pages/.
 * For one thread and one batch; waits for firmware.
 */

#include "common/arena.h"
#include "pages/page.h"
#include "prm/firmware.h"
#include "prm/translate.h"

struct page_locator {
	int root; /* "/" of the host */
	const struct translator *translator;
	struct arena *arena; /* of `ids` */
	const struct memdev_ids *ids;
	struct firmware_timeout timeout;
	struct answers answers;	      /* of the last request */
	const struct dax_device *ram; /* was found to be system RAM since the host was read */
};

/*
 * page_locator_init() - with a host that outlives it, and the host's translator
 *
 * To be ended with page_locator_done() in any case. Return: 0 or -ENOMEM.
 */
int page_locator_init(struct page_locator *l, int root, const struct host *host,
		      const struct translator *translator);
void page_locator_done(struct page_locator *l);

/*
 * page_locator_ask() - query firmware for the addresses of requests, where it is needed, together
 * @n: up to PAGE_BATCH_MAX; they need not have been checked
 */
void page_locator_ask(struct page_locator *l, const struct page_request *requests, size_t n);

/* page_locate() - Return: the exact answer, until the next call; NULL with the reason in @ret. */
const struct answer *page_locate(struct page_locator *l, const struct page_request *q,
				 struct page_result *ret);

#endif
