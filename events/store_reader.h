/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_READER_H
#define CXLR_EVENTS_STORE_READER_H

/*
 * Reading the store, beside the thread or process that writes it.
 *
 * A `struct store_reader` is one connection and belongs to one thread at a time; each reading
 * thread has its own. It sees what was committed when a call began, and holds no lock between
 * calls, so it never keeps the writer waiting. When the file was set aside it opens the new one by
 * itself, on the next call. The file may be foreign: nothing in it can make a call run wild.
 *
 * Pages are kept apart by the number of their last entry, so that a page costs the same wherever
 * it is, and nothing is skipped or shown twice when entries arrive or go meanwhile.
 *
 * Errors of all calls: -ENOENT there is no store; -EBADMSG it is damaged, which its writer should
 * be told; -EPROTONOSUPPORT it is of a newer version; -EACCES, -EBUSY, -EIO, -ENOMEM.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/event_filter.h"
#include "events/stored_event.h"

enum { STORE_PAGE_MAX = 10000 };

struct store_reader;

/*
 * store_reader_open() - a connection for one thread
 * @path: as store_path() says; copied
 */
int store_reader_open(const char *path, struct store_reader **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct store_reader *store_reader_close(struct store_reader *r);

struct event_page {
	uint64_t from;	/* entries behind this one; 0: from the beginning, or the end */
	bool backwards; /* from the newest to the oldest */
	uint64_t skip;	/* so many first; costs time in proportion */
	size_t max;	/* at most STORE_PAGE_MAX */
};

/* Return: 0 to go on; anything else ends the call, which returns it. */
typedef int store_each_event(void *userdata, const struct stored_event *event);

/*
 * store_read_page() - entries in order of their number
 *
 * Return: 0; -EINVAL for a page above the limit; what @each returned; or as above.
 */
int store_read_page(struct store_reader *r, const struct event_filter *filter,
		    const struct event_page *page, store_each_event *each, void *userdata,
		    struct error *e);

/* store_read_one() - the entry of that number; -ENOENT */
int store_read_one(struct store_reader *r, uint64_t seq, struct stored_event *ret, struct error *e);

/* store_count() - the number of entries; without time and address it looks at none of them */
int store_count(struct store_reader *r, const struct event_filter *filter, uint64_t *ret,
		struct error *e);

/* All entries of one device, type and severity. */
struct event_group {
	char device[EVENT_DEVICE_MAX];
	enum event_type type;
	enum event_severity severity;
	uint64_t n, unresolved;
};

/* store_read_groups() - how much there is of what, for health and metrics */
int store_read_groups(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_group *group), void *userdata,
		      struct error *e);

struct event_loss {
	char place[32]; /* "cpu3": the ring of that CPU; "queue", "refused": here */
	uint64_t gaps;	/* how often */
	uint64_t n;	/* records, as far as it is known */
};

int store_read_losses(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_loss *loss), void *userdata,
		      struct error *e);

struct store_info {
	uint64_t oldest, newest; /* entries; 0 when there is none */
	/* The last that was overwritten, grew too old or stayed in a file that this one replaces;
	 * 0: none. */
	uint64_t wrapped;
};

int store_read_info(struct store_reader *r, struct store_info *ret, struct error *e);

/* store_read_messages() - those with a number above @from, @max of them */
int store_read_messages(struct store_reader *r, uint64_t from, size_t max,
			int (*each)(void *userdata, uint64_t seq, const char *body, size_t len),
			void *userdata, struct error *e);

/*
 * store_check() - look for damage, all over the file; takes seconds for a large one
 * @stop: looked at now and then; set by any thread to end it early. SQLite 3.40 looks when it has
 *	  been through the whole file, newer ones earlier.
 *
 * It reads one state of the file: until it ends, the write-ahead log is not begun anew and grows by
 * all that is written.
 *
 * Return: 0; -ECANCELED; -EBADMSG with the first finding in @e; or as above.
 */
int store_check(struct store_reader *r, const bool *stop, struct error *e);

#endif
