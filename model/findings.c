// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/findings.h"

#include <errno.h>

#include "common/strutil.h"
#include "model/findings_private.h"

int findings_init(struct findings *f, const struct host *host, const struct translator *translator,
		  struct firmware *firmware, struct firmware_timeout timeout)
{
	*f = (struct findings){
		.host = host,
		.translator = translator,
		.firmware = firmware,
		.timeout = timeout,
		.arena = arena_new(),
	};
	return f->arena ? 0 : -ENOMEM;
}

void findings_done(struct findings *f)
{
	finding_array_done(&f->list);
	f->arena = arena_free(f->arena);
}

/* The targets of a region often give the same finding; one is enough. */
static bool findings_has(const struct findings *f, const struct finding *finding)
{
	for (size_t i = f->list.n; i > 0; i--) {
		const struct finding *old = &f->list.items[i - 1];

		if (!str_equal(old->object, finding->object))
			return false;
		if (finding_equal(old, finding))
			return true;
	}
	return false;
}

/* Return: 0 or -ENOMEM. */
static int finding_keep_texts(struct finding *finding, struct arena *a)
{
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++) {
		struct finding_arg *arg = &finding->args[i];

		if (arg->type != FINDING_ARG_TEXT)
			continue;
		arg->text = arena_strdup(a, arg->text);
		if (!arg->text)
			return -ENOMEM;
	}
	return 0;
}

void findings_add_finding(struct findings *f, const struct finding *finding)
{
	struct finding *kept;

	/* Advice belongs to the finding before it: it stays or goes with that. */
	if (finding_level(finding->code) == FINDING_ADVICE ? f->dropped
							   : findings_has(f, finding)) {
		f->dropped = true;
		return;
	}
	f->dropped = false;
	kept = finding_array_add(&f->list);
	if (!kept) {
		f->no_memory = true;
		return;
	}
	*kept = *finding;
	if (finding_keep_texts(kept, f->arena) < 0) {
		f->list.n--;
		f->no_memory = true;
	}
}

void finding_items_add(struct findings *f, struct finding_items *items,
		       const struct finding_item *item)
{
	struct finding_item *kept = ARENA_NEW(f->arena, struct finding_item);

	if (!kept) {
		f->no_memory = true;
		return;
	}
	*kept = *item;
	kept->next = NULL;
	if (items->last)
		items->last->next = kept;
	else
		items->first = kept;
	items->last = kept;
}

void finding_items_add_name(struct findings *f, struct finding_items *items, const char *name)
{
	finding_items_add(f, items, &(struct finding_item){.name = name});
}

void finding_items_add_iomem(struct findings *f, struct finding_items *items,
			     const struct iomem_range *range)
{
	finding_items_add(f, items,
			  &(struct finding_item){
				  .name = range->name,
				  .start = OPT_U64(range->start),
				  .size = OPT_U64(range->last - range->start + 1),
			  });
}

bool findings_nd_is_denied(const struct findings *f)
{
	for (size_t i = 0; i < f->host->n_denied; i++)
		if (str_after_prefix(f->host->denied[i], "nvdimm region"))
			return true;
	return false;
}
