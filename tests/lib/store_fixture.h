/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_STORE_FIXTURE_H
#define CXLR_TESTS_LIB_STORE_FIXTURE_H

/* A store in a scratch directory, one reader of it, and short words for using both. */

#include <sys/resource.h>

#include "events/store.h"
#include "events/store_reader.h"
#include "tests/lib/store_util.h"

enum { LISTED_MAX = 4096 };

extern char directory[256], path[300];
extern struct store_options options; /* 100 records, no limit of age, wraps */
extern struct store *store;
extern struct store_reader *reader;
extern struct error error;
extern char notices[4096]; /* notices to operators, a line each */

/* Fixtures; store_setup() opens nothing. */
void store_setup(void);
void store_teardown(void);

/* Opens or opens again, with `options`; reopen_reader() also makes the reader. */
void reopen(void);
void shut(void);

/* Stores event @i, changed by @change (or NULL). Return: the event with what became of it. */
struct stored_event put(uint64_t i, void (*change)(struct stored_event *event));

/* A change for put(). */
void as_pending(struct stored_event *event);

/* Stores @n events from @first on in one transaction; fails the test unless all are final. */
void put_many(uint64_t first, size_t n);

struct listed {
	size_t n;
	uint64_t seq[LISTED_MAX];
};

/* Return: the numbers of the entries that match. */
struct listed list(const struct event_filter *filter, const struct event_page *page);

/* All entries, in order. */
struct listed list_all(void);

/* The entry as it is read; fails the test when it is not there. */
struct stored_event get_event(uint64_t seq);

uint64_t count(const struct event_filter *filter);

/* The name of the one file beside the store that was set aside; fails the test without. */
const char *aside(void);

/* How many files of the directory begin so, without -wal and -shm. */
size_t count_files(const char *prefix);

/* Writes @text at @offset of a file; offset -1: at its end. */
void scribble(const char *name, long offset, const void *bytes, size_t len);

/* The bytes of a file; the caller frees them. */
char *contents(const char *name, size_t *ret_len);

/* No file may become longer, as on a full disk; RLIM_INFINITY: any length again. */
void limit_files(rlim_t bytes);

/* Fails the test unless there was such a notice. */
void expect_notice(const char *part);

/* Runs statements on a database file that nothing else has open. */
void run_sql(const char *name, const char *sql);

/* A store of 20 events; closed. */
void make_store(void);

#endif
