/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_ANSWER_H
#define CXLR_CLI_ANSWER_H

/*
 * Prints one answer of the translation engine: as an object of a JSON array, whose keys scripts
 * rely on, or as two or three lines of text.
 */

#include <stdbool.h>

#include "common/json_writer.h"
#include "events/trace_answer.h"
#include "prm/translate.h"

struct shown_answer {
	const struct host *host;
	const struct answer *answer;
	bool by_spa;   /* the input was an SPA, otherwise a DPA */
	bool is_range; /* the input was START-END */
	/* The line of --trace, from 1 on, and its record, whose answer `answer` is; else 0 and
	 * NULL. */
	size_t line;
	const struct trace_answer *trace;
	const char *malformed; /* why the input is none, and all else unknown; NULL: it is one */
};

void answer_json(struct json_writer *w, const struct shown_answer *shown);
void answer_text(const struct shown_answer *shown);

/* The text for a record of --trace: where its address was then, where it is now, and what to do. */
void answer_trace_text(const struct shown_answer *shown);

/*
 * The object for a malformed input: all keys are null except exact and reason, and @line of
 * --trace; for an SPA the list of candidates is empty.
 */
void answer_json_malformed(struct json_writer *w, const char *reason, bool by_spa, size_t line);

/* Return: why the answer is not exact; NULL for an exact answer without a remark. */
const char *answer_reason(const struct shown_answer *shown);

/*
 * Return: the file with the ACPI table CEDT that the answer was computed by; NULL when it is the
 * host's own table, and for other sources.
 */
const char *answer_cedt(const struct shown_answer *shown);

#endif
