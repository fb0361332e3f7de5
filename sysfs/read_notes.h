/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_READ_NOTES_H
#define CXLR_SYSFS_READ_NOTES_H

/*
 * A list of what could not be read or could not be used, for `denied` and `notes` of struct host
 * and for the notes of readings.
 *
 * One owner, one thread; the texts are in the arena of the result. Nothing here fails: running out
 * of memory sets `out_of_memory`, which the owner checks once at the end.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "sysfs/limits.h"

/* There are about a dozen kinds of attribute without permission; more are not listed. */
enum { READ_NOTES_DENIED_MAX = 32 };

struct read_notes {
	struct arena *arena;
	const char *denied[READ_NOTES_DENIED_MAX];
	size_t n_denied;
	const char *notes[HOST_NOTES_MAX];
	size_t n_notes; /* all of them, also those that were dropped */
	bool out_of_memory;
};

/*
 * read_notes_denied() - note that permission is missing for a kind of attribute, once
 * @kind, @what: "decoder", "start"
 */
void read_notes_denied(struct read_notes *f, const char *kind, const char *what);

/* read_notes_add() - one sentence about something unusable, which begins with its name */
void read_notes_add(struct read_notes *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * read_notes_list() - the notes, in the arena; when there were too many the last one counts the
 * others
 *
 * The last call. Sets `out_of_memory` when there was not enough.
 */
const char *const *read_notes_list(struct read_notes *f, size_t *ret_n);

#endif
