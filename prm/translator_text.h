/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_TRANSLATOR_TEXT_H
#define CXLR_PRM_TRANSLATOR_TEXT_H

/*
 * Sentences of a translator while it is made: notes and reasons, in its arena. Private to prm/.
 */

#include "prm/map_types.h"

/* Keeps a note, up to TRANSLATOR_NOTES_MAX. */
void translator_note(struct translator *t, enum translator_note code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Return: the code with its sentence in the arena. */
struct reason translator_reason(struct translator *t, enum answer_reason code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Return: the text in the arena; a stand-in (and t->out_of_memory) when there is no memory. */
const char *translator_text(struct translator *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
