// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/page_log.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"

enum {
	PAGE_TEXT_MAX = PAGE_DEVICE_MAX + 64,
	LINE_TEXT_MAX = 900, /* shorter than a line of the log by its beginning */
};

/* Pages with the same action and outcome, which are logged together. */
struct page_line {
	const struct ucred *peer;
	uint32_t action, outcome;
	size_t len;
	char text[LINE_TEXT_MAX];
};

static int page_text(char ret[static PAGE_TEXT_MAX], const struct page_request *q,
		     const struct page_result *r)
{
	return snprintf(ret, PAGE_TEXT_MAX, "pfn:0x%" PRIx64 " of %.*s DPA 0x%" PRIx64, r->pfn,
			PAGE_DEVICE_MAX - 1, q->device, q->dpa);
}

static void end_line(struct page_line *l)
{
	if (l->len > 0)
		log_info("process %d of user %u: %s, pages %s: %s", l->peer->pid, l->peer->uid,
			 page_action_name(l->action), page_outcome_name(l->outcome), l->text);
	l->len = 0;
}

static void add_page(struct page_line *l, const struct page_request *q, const struct page_result *r)
{
	if (l->len > 0 && (q->action != l->action || r->outcome != l->outcome ||
			   l->len + sizeof(", ") + PAGE_TEXT_MAX > sizeof(l->text)))
		end_line(l);
	if (l->len > 0) {
		memcpy(l->text + l->len, ", ", 2);
		l->len += 2;
	}
	l->action = q->action;
	l->outcome = r->outcome;
	l->len += (size_t)page_text(l->text + l->len, q, r);
}

static void log_other(struct server *s, const struct ucred *peer, const struct page_request *q,
		      const struct page_result *r)
{
	char page[PAGE_TEXT_MAX], text[PAGE_REASON_MAX + PAGE_TEXT_MAX + 32];

	(void)page_text(page, q, r);
	(void)snprintf(text, sizeof(text), "%s, page %s: %s: %s", page_action_name(q->action), page,
		       page_outcome_name(r->outcome), r->reason);
	if (r->outcome == PAGE_REFUSED)
		server_complain(s, peer, text);
	else
		log_warning("process %d of user %u: %s", peer->pid, peer->uid, text);
}

void page_log_batch(struct server *s, const struct ucred *peer, const struct page_request *requests,
		    const struct page_result *results, size_t n)
{
	struct page_line line = {.peer = peer};

	for (size_t i = 0; i < n; i++) {
		if (results[i].error == 0)
			add_page(&line, &requests[i], &results[i]);
		else
			log_other(s, peer, &requests[i], &results[i]);
	}
	end_line(&line);
}
