/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_PAGE_H
#define CXLR_CLI_PAGE_H

/*
 * A page that cxl-spa page is about, and how it is printed. One thread.
 */

#include "cli/cli.h"
#include "events/incident.h"
#include "pages/page.h"
#include "pages/page_facts.h"

struct page_item {
	uint64_t address; /* as it was given: DPA, SPA, or the number of a frame */
	bool is_frame;
	struct answer answer;
	struct page_facts facts;
	bool acted; /* `result` is of an action */
	struct page_result result;
	/* Open, with an address that is in the page now: the worst, then the newest; 0: none is
	 * known. */
	uint64_t incident;
	enum event_severity severity; /* of it */
	const char *reason; /* why something is not known or was not done; NULL: nothing */
};

/* cli_pages_print() - all of them, as text or JSON. Return: 0 or -ENOMEM. */
int cli_pages_print(const struct cli *cli, const struct page_item *items, size_t n);

#endif
