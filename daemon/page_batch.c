// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_batch.h"

#include <errno.h>

#include "common/strutil.h"

bool page_batch_has_place(const struct page_batch *b, const struct view *v)
{
	return b->n == 0 || (b->n < PAGE_BATCH_MAX && view_of_hold(b->hold) == v);
}

static bool is_same_line(const struct page_candidate *a, const struct page_candidate *b)
{
	return a->dpa / REMEMBERED_LINE == b->dpa / REMEMBERED_LINE &&
	       str_equal(a->device, b->device);
}

void page_batch_add(struct page_batch *b, struct page_due *due)
{
	bool has_line = false;

	for (size_t i = 0; i < b->n; i++) {
		struct page_candidate *other = &b->items[i].c;

		if (b->items[i].page != due->page)
			continue;
		due->c.is_lost |= other->is_lost;
		other->is_lost |= due->c.is_lost;
		has_line |= is_same_line(other, &due->c);
	}
	if (has_line) {
		answers_done(&due->answers);
		return;
	}
	b->items[b->n++] = *due;
	due->answers = (struct answers){0};
}

void page_batch_keep_hold(struct page_batch *b, struct view_hold *hold)
{
	if (b->n > 0 && !b->hold)
		b->hold = hold;
	else
		(void)view_hold_release(hold);
}

static struct page_take take_of(const struct page_due *due, const struct view *v)
{
	return (struct page_take){
		.host = v->host,
		.ids = v->ids,
		.answer = &due->answers.items[0],
		.action = PAGE_SOFT,
		.cause = PAGE_BY_POLICY,
		.only_free = due->c.is_lost,
		.incident = due->c.incident,
	};
}

/* @of: the places of @n pages in the batch */
static void run_these(struct page_batch *b, struct page_keeper *keeper, const size_t *of, size_t n)
{
	const struct view *v = view_of_hold(b->hold);
	struct page_take takes[PAGE_BATCH_MAX];
	struct page_result results[PAGE_BATCH_MAX];

	for (size_t i = 0; i < n; i++)
		takes[i] = take_of(&b->items[of[i]], v);
	(void)page_keeper_take_all(keeper, takes, n, results);
	for (size_t i = 0; i < n; i++)
		b->items[of[i]].result = results[i];
}

/* Return: the pages of these that a limit forbids, now first; 0 when it still does. */
static size_t keep_limited(const struct page_batch *b, size_t *of, size_t n)
{
	bool was_refused = false;
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		const struct page_result *r = &b->items[of[i]].result;

		if (r->error == -EDQUOT)
			of[left++] = of[i];
		else
			was_refused |= r->outcome == PAGE_REFUSED;
	}
	return was_refused ? left : 0;
}

void page_batch_run(struct page_batch *b, struct page_keeper *keeper)
{
	size_t of[PAGE_BATCH_MAX], n = b->n;

	for (size_t i = 0; i < n; i++)
		of[i] = i;
	while (n > 0) {
		run_these(b, keeper, of, n);
		n = keep_limited(b, of, n);
	}
}

void page_batch_clear(struct page_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		answers_done(&b->items[i].answers);
	b->n = 0;
	b->hold = view_hold_release(b->hold);
}
