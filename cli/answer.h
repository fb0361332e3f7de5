/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_ANSWER_H
#define CXLR_CLI_ANSWER_H

/*
 * How one answer of the translation engine is shown: as an object of a JSON array, whose keys
 * scripts rely on, or as two or three lines for people.
 */

#include <stdbool.h>

#include "common/json_writer.h"
#include "prm/translate.h"

struct shown_answer {
	const struct host *host;
	const struct answer *answer;
	bool by_spa;   /* asked by SPA, else by DPA */
	bool is_range; /* asked as START-END */
};

void answer_json(struct json_writer *w, const struct shown_answer *shown);
void answer_text(const struct shown_answer *shown);

/*
 * The object for an input that is no address: null but for exact and reason, and no candidates when
 * SPAs are asked for.
 */
void answer_json_malformed(struct json_writer *w, const char *reason, bool by_spa);

/* Return: why the answer is not exact, or NULL when there is nothing to say about an exact one. */
const char *answer_why(const struct shown_answer *shown);

#endif
