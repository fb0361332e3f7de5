/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_ANSWER_NEXT_H
#define CXLR_CLI_ANSWER_NEXT_H

/*
 * Prints below the answer for an event where its device is, and what to do next: one line each, of
 * text. That follows from the present mapping alone. One thread.
 */

#include "cli/answer.h"

/* @shown, @ev: of the present mapping */
void answer_next_text(const struct shown_answer *shown, const struct stored_event *ev);

#endif
