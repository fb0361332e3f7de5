// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Users of a window's addresses that are in no region: what keeps Linux from making one there.
#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/range_use.h"

struct shown_uses {
	struct findings *f;
	struct finding decoded; /* of the last range that decoders have */
	struct finding_items decoders, pci;
	uint64_t pci_last; /* of the addresses of PCI devices so far */
};

static void end_of_decoded(struct shown_uses *s)
{
	if (!s->decoders.first)
		return;
	s->decoded.args[1] = finding_list(s->decoders.first);
	findings_add_finding(s->f, &s->decoded);
	s->decoders = (struct finding_items){0};
}

/* Decoders of one range follow each other, and are one finding. */
static void show_decoder(struct shown_uses *s, const struct finding *f,
			 const struct finding_item *item)
{
	const struct finding_arg *old = &s->decoded.args[0], *new = &f->args[0];

	if (s->decoders.first && (old->range.start.value != new->range.start.value ||
				  old->range.size.value != new->range.size.value))
		end_of_decoded(s);
	s->decoded = *f;
	finding_items_add(s->f, &s->decoders, item);
}

/* A dax device is named with its System RAM; /proc/iomem has it beside sysfs. */
static bool is_named_otherwise(const struct range_use *use)
{
	return use->has_ram || (use->user == RANGE_OF_IOMEM && use->dax && use->dax != use->name &&
				str_equal(use->dax, use->name));
}

static void show_use(struct shown_uses *s, const struct range_use *use,
		     const struct decoder *window)
{
	struct finding_item item;
	struct finding f;

	range_use_finding(use, window, &f, &item);
	if (f.code == FINDING_WINDOW_DECODED) {
		show_decoder(s, &f, &item);
	} else if (f.code == FINDING_WINDOW_PCI) {
		finding_items_add(s->f, &s->pci, &item);
		if (use->last > s->pci_last)
			s->pci_last = use->last;
	} else if ((!s->pci.first || use->last > s->pci_last) && !is_named_otherwise(use)) {
		/* Others are drivers of PCI devices. */
		findings_add_finding(s->f, &f);
	}
}

static void findings_of_soft_reserved(struct findings *f, const struct decoder *w)
{
	for (size_t i = 0; i < f->host->n_iomem; i++) {
		const struct iomem_range *m = &f->host->iomem[i];

		if (str_equal(m->name, "Soft Reserved") && iomem_is_around_window(f->host, i, w))
			findings_add_args(
				f, WINDOW_SOFT_RESERVED_AROUND, w->name,
				finding_range(OPT_U64(m->start), OPT_U64(m->last - m->start + 1)));
	}
}

/* The decoders of a mapping, and the memory that is used in it, are told with the mapping. */
static bool is_of_mapping(const struct host *host, const struct range_use *use)
{
	if (use->user == RANGE_OF_DECODER)
		return use->decoder->derived;
	if (use->user != RANGE_OF_DAX && !range_use_is_ram(use))
		return false;
	for (size_t i = 0; i < host->n_derived; i++) {
		const struct region *m = host->derived[i];

		if (use->first >= m->resource.value &&
		    use->last <= m->resource.value + (m->size.value - 1))
			return true;
	}
	return false;
}

void findings_of_window_uses(struct findings *f, const struct decoder *window)
{
	struct range_uses uses = {0};
	struct shown_uses s = {.f = f};

	findings_of_soft_reserved(f, window);
	if (window_uses(f->host, window, &uses) < 0)
		f->no_memory = true;
	ARRAY_FOREACH(use, &uses)
		if (!use->has_region && !is_of_mapping(f->host, use))
			show_use(&s, use, window);
	end_of_decoded(&s);
	if (s.pci.first)
		findings_add_args(f, WINDOW_PCI, window->name, finding_list(s.pci.first));
	range_uses_done(&uses);
}
