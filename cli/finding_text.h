/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_FINDING_TEXT_H
#define CXLR_CLI_FINDING_TEXT_H

/*
 * The findings of model/ as English sentences for cxl-spa. One table has a format for each code,
 * with the arguments as %1, %2, ...:
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

enum { FINDING_TEXT_MAX = 1024 };

/*
 * finding_sentence() - a finding as a sentence without final stop, cut at its size
 *
 * Newlines are those of the format only: what a host calls its objects cannot look like a command.
 *
 * Return: @text.
 */
const char *finding_sentence(const struct finding *f, char text[static FINDING_TEXT_MAX]);

/* Return: a reason as a clause; static. */
const char *finding_reason_text(enum finding_reason reason);

/* Return: the format of a code, for tests; static, never NULL. */
const char *finding_format(enum finding_code code);

#endif
