// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Owners of a window's addresses, part by part: whether a region can be made there.
#include <errno.h>

#include "model/findings_private.h"
#include "model/owners.h"
#include "model/region_plan.h"

/* ---- windows ----------------------------------------------------------------------------------
 */

/* Addresses of PCI devices are one finding, that of the first. */
static void show_pci(struct findings *f, struct finding *pci, struct finding_items *items,
		     const struct finding *found)
{
	*pci = *found;
	finding_items_add(f, items, found->args[0].list);
	pci->args[0] = finding_list(items->first);
}

/* Return: whether the part is told with the region or the mapping of decoders that has it. */
static bool is_of_mapping(const struct owner *o)
{
	return o->mapping && !o->is_fault;
}

static bool is_soft_reserved(const struct owner *o)
{
	return o->is_soft_reserved && !(o->mapping && !o->mapping->by_decoders);
}

/* Neighbours that Soft Reserved has are one range, whoever uses them. */
static void findings_of_soft_reserved(struct findings *f, const struct decoder *w,
				      const struct owners *owners)
{
	for (size_t i = 0, n; i < owners->n; i += n) {
		const struct owner *o = &owners->items[i];

		for (n = 0; i + n < owners->n && is_soft_reserved(&o[n]); n++)
			;
		if (n)
			findings_add_args(f, WINDOW_SOFT_RESERVED, w->name,
					  finding_range(OPT_U64(o->first),
							OPT_U64(o[n - 1].last - o->first + 1)));
		else
			n = 1;
	}
}

static void findings_of_owners(struct findings *f, const struct decoder *w, struct owners *owners)
{
	struct finding_items pci_items = {0};
	struct finding found, pci;
	bool is_full = owners->n > 0;

	ARRAY_FOREACH(o, owners) {
		if (owner_finding(o, w, f->arena, &found) < 0)
			f->no_memory = true;
		else if (o->kind == OWNER_PCI)
			show_pci(f, &pci, &pci_items, &found);
		else if (!is_of_mapping(o) && o->kind != OWNER_SOFT_RESERVED)
			findings_add_finding(f, &found);
		is_full &= o->mapping != NULL;
	}
	if (pci_items.first)
		findings_add_finding(f, &pci);
	if (is_full)
		findings_add(f, WINDOW_FULL, w->name);
}

/* The verdict about the window, in the words of a plan. */
static void findings_of_room(struct findings *f, const struct decoder *w)
{
	struct error e = {0};
	uint64_t most;
	int r = region_plan_room(f->host, w, &most, &e);

	if (r == -ENOMEM)
		f->no_memory = true;
	else if (r < 0)
		findings_add_args(f, WINDOW_NO_ROOM, w->name, finding_text(e.text));
	else
		findings_add_args(f, WINDOW_ROOM, w->name, finding_size(OPT_U64(most)),
				  finding_text(owners_unseen(f->host)));
}

void findings_of_window_uses(struct findings *f, const struct decoder *window)
{
	struct owners owners = {0};

	findings_of_room(f, window);

	if (window_owners(f->host, window, f->arena, &owners) < 0)
		f->no_memory = true;
	if (owners.n && owners.items[0].is_in_soft_reserved)
		findings_add_args(f, WINDOW_SOFT_RESERVED_AROUND, window->name,
				  finding_range(window->start, window->size));
	findings_of_owners(f, window, &owners);
	findings_of_soft_reserved(f, window, &owners);
	owners_done(&owners);
}

/* ---- regions ----------------------------------------------------------------------------------
 */

/* Soft Reserved around the region or in it, but in its window: Linux keeps it. */
void findings_of_region_soft_reserved(struct findings *f, const struct region *r)
{
	struct owners owners = {0};
	struct opt_u64 first = {0};
	uint64_t last;

	if (!r->resource.present || !r->size.present || !r->size.value ||
	    __builtin_add_overflow(r->resource.value, r->size.value - 1, &last))
		return;
	if (range_owners(f->host, NULL, r->resource.value, last, f->arena, &owners) < 0)
		f->no_memory = true;
	ARRAY_FOREACH(o, &owners) {
		if (!o->is_soft_reserved)
			continue;
		first = first.present ? first : OPT_U64(o->first);
		last = o->last;
	}
	if (first.present)
		findings_add_args(f, REGION_SOFT_RESERVED, r->name,
				  finding_range(first, OPT_U64(last - first.value + 1)));
	owners_done(&owners);
}
