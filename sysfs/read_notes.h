/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_READ_NOTES_H
#define CXLR_SYSFS_READ_NOTES_H

/*
 * What a walk could not read or could not use, for struct host's `denied` and `notes`, and for the
 * notes of readings.
 *
 * Private to sysfs/. One owner, one thread; the texts lie in the snapshot's arena. Nothing here
 * fails: running out of memory is remembered in `out_of_memory`, and the walk asks once at its end.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "sysfs/limits.h"

/* There are about a dozen kinds of attribute we may be refused; more are not listed. */
enum { READ_NOTES_DENIED_MAX = 32 };

struct read_notes {
	struct arena *arena;
	const char *denied[READ_NOTES_DENIED_MAX];
	size_t n_denied;
	const char *notes[HOST_NOTES_MAX];
	size_t n_notes; /* all of them, also those that are not kept */
	bool out_of_memory;
};

/*
 * read_notes_denied() - note that permission is missing for a kind of thing, once
 * @kind, @what: "decoder", "start"
 */
void read_notes_denied(struct read_notes *f, const char *kind, const char *what);

/* read_notes_add() - one sentence about something unusable; begin it with the thing's name */
void read_notes_add(struct read_notes *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * read_notes_list() - the notes, in the arena; when there were too many the last one says so
 *
 * Nothing can be noted after that. Sets `out_of_memory` when there was not enough.
 */
const char *const *read_notes_list(struct read_notes *f, size_t *ret_n);

#endif
