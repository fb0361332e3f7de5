// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/explain_pages.h"

#include <errno.h>
#include <unistd.h>

#include "cli/page_list.h"
#include "sysfs/stable_id.h"

static int add_tallies(struct findings *f, const struct page_tallies *list)
{
	const struct memdev_ids *ids = memdev_ids_new(f->arena, f->host);
	struct memdev_pages *pages = arena_alloc(f->arena, (list->n + 1) * sizeof(*pages));

	if (!ids || !pages)
		return -ENOMEM;
	f->pages = pages;
	for (size_t i = 0; i < list->n; i++) {
		const struct page_tally *t = &list->items[i];
		struct memdev_pages p = {.memdev = memdev_by_id(ids, t->device)};

		for (uint32_t s = 0; s < REMEMBERED_STATES; s++)
			p.remembered += s == REMEMBERED_RETURNED ? 0 : t->n[s];
		p.out = t->n[REMEMBERED_OUT];
		if (p.memdev)
			pages[f->n_pages++] = p;
	}
	return 0;
}

int explain_pages(const struct cli *cli, struct findings *f)
{
	struct page_tallies list = {0};
	struct state *state = NULL;
	struct error e;
	int r = 0;

	/* The pages of this machine are none of a captured one, unless they are given with it. */
	if ((cli->root->captured && !cli->events.state) || geteuid() != 0)
		return 0;
	if (page_list_open_state(cli, &state, &e) == 0 &&
	    state_count_pages(state, &list, &e) == 0 && list.n > 0)
		r = add_tallies(f, &list);
	page_tallies_done(&list);
	(void)state_free(state);
	return r;
}
