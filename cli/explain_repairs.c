// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/explain_repairs.h"

#include <errno.h>
#include <unistd.h>

#include "cli/page_list.h"
#include "redfish/repairs/state_repairs.h"
#include "sysfs/stable_id.h"

static struct memdev_repairs *repairs_of(struct memdev_repairs *all, size_t *n,
					 const struct memdev *m)
{
	for (size_t i = 0; i < *n; i++)
		if (all[i].memdev == m)
			return &all[i];
	all[*n] = (struct memdev_repairs){.memdev = m};
	return &all[(*n)++];
}

static int add_entries(struct findings *f, const struct repair_entries *list)
{
	const struct memdev_ids *ids = memdev_ids_new(f->arena, f->host);
	struct memdev_repairs *all = arena_alloc(f->arena, (f->host->n_memdevs + 1) * sizeof(*all));

	if (!ids || !all)
		return -ENOMEM;
	f->repairs = all;
	for (size_t i = 0; i < list->n; i++) {
		const struct repair_entry *entry = &list->items[i];
		const struct memdev *m = memdev_by_id(ids, entry->device);
		struct memdev_repairs *to;

		if (!m || entry->state == REPAIR_DONE)
			continue;
		to = repairs_of(all, &f->n_repairs, m);
		to->n++;
		to->asked += repair_entry_is_asked(entry);
	}
	return 0;
}

int explain_repairs(const struct cli *cli, struct findings *f)
{
	struct repair_entries list = {0};
	struct state *state = NULL;
	struct error e;
	int r = 0;

	if ((cli->root->captured && !cli->events.state) || geteuid() != 0)
		return 0;
	if (page_list_open_state(cli, &state, &e) == 0 &&
	    state_read_repairs(state, &list, &e) == 0 && list.n > 0)
		r = add_entries(f, &list);
	repair_entries_done(&list);
	(void)state_free(state);
	return r;
}
