// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/read_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

/* Longer notes are cut: what they quote is untrusted. */
enum { NOTE_BYTES_MAX = 256 };

void read_notes_denied(struct read_notes *f, const char *kind, const char *what)
{
	const size_t n = strlen(kind);
	const char *text;

	for (size_t i = 0; i < f->n_denied; i++) {
		const char *known = f->denied[i];

		if (strncmp(known, kind, n) == 0 && known[n] == ' ' &&
		    str_equal(known + n + 1, what))
			return;
	}
	if (f->n_denied == READ_NOTES_DENIED_MAX)
		return;
	text = arena_printf(f->arena, "%s %s", kind, what);
	if (text)
		f->denied[f->n_denied++] = text;
	else
		f->out_of_memory = true;
}

void read_notes_add(struct read_notes *f, const char *fmt, ...)
{
	char text[NOTE_BYTES_MAX];
	va_list ap;

	if (f->n_notes < HOST_NOTES_MAX) {
		va_start(ap, fmt);
		(void)vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		f->notes[f->n_notes] = arena_strdup(f->arena, text);
		if (!f->notes[f->n_notes])
			f->out_of_memory = true;
	}
	f->n_notes++;
}

const char *const *read_notes_list(struct read_notes *f, size_t *ret_n)
{
	const char *const *notes;

	if (f->n_notes > HOST_NOTES_MAX) {
		f->notes[HOST_NOTES_MAX - 1] = arena_printf(f->arena, "%zu more notes were dropped",
							    f->n_notes - HOST_NOTES_MAX + 1);
		f->n_notes = HOST_NOTES_MAX;
	}
	notes = arena_memdup(f->arena, f->notes, f->n_notes * sizeof(f->notes[0]));
	if (!notes || (f->n_notes && !f->notes[f->n_notes - 1]))
		f->out_of_memory = true;
	*ret_n = f->n_notes;
	return notes;
}
