// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Sentences of a translator: notes and reasons, in its arena.
#include "prm/translator_text.h"

#include <stdarg.h>
#include <stdio.h>

void translator_note(struct translator *t, enum translator_note code, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	if (t->n_notes == TRANSLATOR_NOTES_MAX) {
		t->n_notes_dropped++;
		return;
	}
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	t->note_codes[t->n_notes] = code;
	t->notes[t->n_notes++] = translator_text(t, "%s", text);
}

struct reason translator_reason(struct translator *t, enum answer_reason code, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (struct reason){code, translator_text(t, "%s", text)};
}

const char *translator_text(struct translator *t, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	const char *copy;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	copy = arena_strdup(t->arena, text);
	if (copy)
		return copy;
	t->out_of_memory = true;
	return "out of memory";
}
