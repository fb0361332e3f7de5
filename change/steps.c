// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/steps.h"

#include <errno.h>

void change_steps_add(struct change_step_list *l, const struct change_step *step,
		      unsigned int position)
{
	l->items[l->n++] = (struct change_step_at){step, position};
}

static int step_make(const struct change_context *x, const struct change_step_at *at,
		     void *userdata)
{
	if (change_is_cancelled(x))
		return -ECANCELED;
	return at->step->make(userdata, at->position);
}

/* Undoes the steps before @n. The kept one that is found last is the earliest. */
static void steps_undo(const struct change_step_at *list, size_t n, void *userdata,
		       struct change_steps_result *ret)
{
	int r;

	while (n-- > 0) {
		const struct change_step_at *at = &list[n];

		if (at->step->final) {
			ret->kept = at;
			ret->kept_error = 0;
			return;
		}
		if (!at->step->undo)
			continue;
		ret->outcome = CHANGE_UNDONE;
		r = at->step->undo(userdata, at->position);
		if (r < 0) {
			ret->kept = at;
			ret->kept_error = r;
		}
	}
}

int change_steps_run(const struct change_context *x, const struct change_step_list *list,
		     void *userdata, struct change_steps_result *ret)
{
	*ret = (struct change_steps_result){.outcome = CHANGE_DONE};
	for (size_t i = 0; i < list->n; i++) {
		ret->error = step_make(x, &list->items[i], userdata);
		if (ret->error == 0)
			continue;
		ret->failed = &list->items[i];
		ret->outcome = CHANGE_REFUSED;
		steps_undo(list->items, i, userdata, ret);
		if (ret->kept)
			ret->outcome = CHANGE_INCOMPLETE;
		return ret->error;
	}
	return 0;
}
