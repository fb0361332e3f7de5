/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_PAGE_LOG_H
#define CXLR_HELPER_PAGE_LOG_H

/*
 * The lines of the journal about a batch of pages. Functions keep no state but that of the server;
 * any thread.
 */

#include "helper/server.h"
#include "pages/page.h"

/*
 * page_log_batch() - log each page: those that are done several in a line, others one by one
 * @results: of the @n requests
 *
 * What was refused to a client is logged with the limited rate of server_complain().
 */
void page_log_batch(struct server *s, const struct ucred *peer, const struct page_request *requests,
		    const struct page_result *results, size_t n);

#endif
