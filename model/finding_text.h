/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FINDING_TEXT_H
#define CXLR_MODEL_FINDING_TEXT_H

/*
 * The findings of model/ as English sentences, for cxl-spa and Redfish. The text in the row of a
 * code has the arguments as %1, %2, ...:
 *
 *	%2		the argument, formatted by its type
 *	%2{is|are}	by number: the first when the argument is 1, else the second
 *	[, serial %2]	left out when an argument in it is absent
 *
 * In the text of an advice each line after the first is a command.
 *
 * Functions keep nothing; any thread.
 */

#include "model/finding.h"

enum { FINDING_TEXT_MAX = 1024, FINDING_NEXT_MAX = 4 * FINDING_TEXT_MAX };

/*
 * finding_sentence() - a finding as a sentence without final stop, cut at its size
 *
 * Newlines are those of the format only: what a host calls its objects cannot look like a command.
 *
 * Return: @text.
 */
const char *finding_sentence(const struct finding *f, char text[static FINDING_TEXT_MAX]);

/* Return: @text, an argument as sentences have it; "" when it is absent. */
const char *finding_arg_text(const struct finding_arg *a, char text[static FINDING_TEXT_MAX]);

/*
 * finding_pattern() - the text of a finding as the pattern of a Redfish message
 *
 * A sentence with capital and final stop, in which each argument is always present. Clauses about a
 * log entry are left out, since Conditions have a property for it. The text has no plurals.
 *
 * Return: @text.
 */
const char *finding_pattern(enum finding_code code, char text[static FINDING_TEXT_MAX]);

/*
 * finding_next_step() - the advice behind a finding, with all of its commands
 * @f: a finding; the advices that follow it are in front of @end
 *
 * Several advices are lines that follow each other; cut at its size. Without advice it is the next
 * step of the row.
 *
 * Return: @text, or NULL without either.
 */
const char *finding_next_step(const struct finding *f, const struct finding *end,
			      char text[static FINDING_NEXT_MAX]);

/* Return: a reason as a clause; static. */
const char *finding_reason_text(enum finding_reason reason);

#endif
