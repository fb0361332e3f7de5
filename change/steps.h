/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_STEPS_H
#define CXLR_CHANGE_STEPS_H

/*
 * A change that takes several writes, as a list of steps, each with what undoes it.
 *
 * When a step fails, or the change is cancelled before one, those that were made are undone in the
 * reverse order; also the rest of them when one cannot be. A list belongs to the caller, on whose
 * thread everything is called.
 */

#include "change/context.h"

struct change_step {
	const char *what; /* for messages: the attribute that is written */
	/* Return: 0 or a negative errno, and then nothing is changed. */
	int (*make)(void *userdata, unsigned int position);
	/* NULL: there is nothing to undo, or an earlier step's undoes it too. */
	int (*undo)(void *userdata, unsigned int position);
	bool final; /* neither it nor what was made before it can be undone */
};

/* A step of a list, at an interleave position when it has several. */
struct change_step_at {
	const struct change_step *step;
	unsigned int position;
};

/* The longest list: of a region with all positions, and decoders that are released before. */
enum { CHANGE_STEPS_MAX = 128 };

struct change_step_list {
	size_t n;
	struct change_step_at items[CHANGE_STEPS_MAX];
};

void change_steps_add(struct change_step_list *l, const struct change_step *step,
		      unsigned int position);

struct change_steps_result {
	enum change_outcome outcome;
	const struct change_step_at *failed; /* NULL: all are made */
	int error;			     /* of that; -ECANCELED: it was not begun */
	/* The earliest that stays made although a later one failed; NULL: none. */
	const struct change_step_at *kept;
	int kept_error; /* of undoing it; 0: it is final */
};

/*
 * change_steps_run() - make all steps, or none
 * @list: in their order
 *
 * Return: 0, or ret->error.
 */
int change_steps_run(const struct change_context *x, const struct change_step_list *list,
		     void *userdata, struct change_steps_result *ret);

#endif
