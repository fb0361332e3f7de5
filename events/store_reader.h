/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_READER_H
#define CXLR_EVENTS_STORE_READER_H

/*
 * Reads the store, concurrently with the thread or process that writes it.
 *
 * A `struct store_reader` is one connection and belongs to one thread at a time; each reading
 * thread has its own. It sees what was committed when a call began, and holds no lock between
 * calls,  so it never delays the writer. When the file was replaced it opens the new one by itself,
 * on the next call. The content of the file is not trusted: nothing in it can make a call run
 * without limits.
 *
 * The key of a page is the number of the last entry before it, so the cost of a page does not
 * depend on its position, and no entry is skipped or repeated when others come or go meanwhile.
 *
 * Errors of all calls: -ENOENT there is no store; -EBADMSG it is damaged (see
 * store_writer_check()); -EPROTONOSUPPORT it is of a newer version, or has other tables; -EACCES,
 * -EBUSY, -EIO, -ENOMEM.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/event_filter.h"
#include "events/incident.h"
#include "events/store_counts.h"
#include "events/stored_event.h"

enum { STORE_PAGE_MAX = 10000 };

struct store_reader;

/*
 * store_reader_open() - a connection for one thread
 * @path: that of store_path(); copied
 */
int store_reader_open(const char *path, struct store_reader **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct store_reader *store_reader_close(struct store_reader *r);

/*
 * An entry that cannot be read because the file is damaged is one of type EVENT_UNREADABLE, whose
 * `lost` is the highest number of entries that it stands for: one whose details are damaged, or all
 * numbers of a page that is. It has the last of these numbers, or the first one backwards, so that
 * the next page begins behind it; any filter selects it.
 */

/* Return: whether that happened since it was asked last: store_writer_check() repairs the file. */
bool store_reader_found_damage(struct store_reader *r);

/* Limits to the cost of a reader's calls, so that no query works for long or for a client that has
 * gone. */
struct store_limit {
	uint64_t steps; /* of SQLite's machine, some 10 ns each, in all calls together; 0: any */
	/* Called about every millisecond. Return: 0, or a negative errno that ends the call. */
	int (*interrupted)(void *userdata);
	void *userdata;
};

/*
 * store_reader_limit() - limit the calls from here on
 * @limit: copied; NULL: no limit
 *
 * They return -E2BIG when the steps are spent, and what @interrupted returned.
 */
void store_reader_limit(struct store_reader *r, const struct store_limit *limit);

struct event_page {
	uint64_t from;	/* entries after this one; 0: from the beginning, or the end */
	bool backwards; /* from the newest to the oldest */
	uint64_t skip;	/* entries to skip first; the cost is proportional */
	size_t max;	/* at most STORE_PAGE_MAX */
};

/* Return: 0 to continue; any other value ends the call, which returns it. */
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

/* store_count() - the number of entries; without time and address none of them is read */
int store_count(struct store_reader *r, const struct event_filter *filter, uint64_t *ret,
		struct error *e);

/* All entries of one device, type and severity. */
struct event_group {
	char device[EVENT_DEVICE_MAX];
	enum event_type type;
	enum event_severity severity;
	uint64_t n, unresolved;
};

/* store_read_groups() - counts of entries, for health and metrics */
int store_read_groups(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_group *group), void *userdata,
		      struct error *e);

/*
 * store_read_incidents() - incidents in the order of their numbers
 * @all: also those that have ended
 *
 * Return: 0; what @each returned, when that was not 0; or as above.
 */
int store_read_incidents(struct store_reader *r, bool all,
			 int (*each)(void *userdata, const struct incident *incident),
			 void *userdata, struct error *e);

/* The same of all with numbers above @from. */
int store_read_incidents_after(struct store_reader *r, uint64_t from,
			       int (*each)(void *userdata, const struct incident *incident),
			       void *userdata, struct error *e);

/* store_count_incidents() - how many there are, also those that have ended */
int store_count_incidents(struct store_reader *r, uint64_t *ret, struct error *e);

/* store_read_incident() - the one of that number; -ENOENT */
int store_read_incident(struct store_reader *r, uint64_t id, struct incident *ret, struct error *e);

/* store_read_finding() - the words of its finding; all are "" when it is none */
int store_read_finding(struct store_reader *r, uint64_t id, struct incident_finding *ret,
		       struct error *e);

/* store_read_incident_entries() - numbers of its entries, the newest first, @max of them */
int store_read_incident_entries(struct store_reader *r, uint64_t id, size_t max,
				int (*each)(void *userdata, uint64_t seq), void *userdata,
				struct error *e);

/* store_read_age() - the age clock of the incidents, as it was written last; 0 when never */
int store_read_age(struct store_reader *r, struct incident_age *ret, struct error *e);

/*
 * store_read_version() - a number that differs when the log has changed since the last call
 * @ret: not 0; comparable with those of the same reader only
 */
int store_read_version(struct store_reader *r, uint64_t *ret, struct error *e);

struct event_loss {
	char place[32]; /* "cpu3": the ring of that CPU; "queue", "refused": here */
	uint64_t gaps;	/* how often */
	uint64_t n;	/* records, as far as known */
};

int store_read_losses(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_loss *loss), void *userdata,
		      struct error *e);

/* Entries of one device and type that were ever added. */
struct event_total {
	char device[EVENT_DEVICE_MAX]; /* "" for entries of no device */
	enum event_type type;
	uint64_t n;
};

/*
 * store_read_totals() - by device, then by type
 *
 * Return: 0; what @each returned, when that was not 0; or as above.
 */
int store_read_totals(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_total *total), void *userdata,
		      struct error *e);

/* store_read_counts() - all counts without a device */
int store_read_counts(struct store_reader *r, uint64_t ret[static STORE_COUNTS], struct error *e);

struct store_info {
	uint64_t oldest, newest; /* entries; 0 when there is none */
	/* The last that was overwritten, expired, or was in a file that this one replaces; 0: none.
	 */
	uint64_t wrapped;
	/* As long as both of them are the same, so are the entries. */
	uint64_t next, entries; /* the number that is given next, and how many entries there are */
};

int store_read_info(struct store_reader *r, struct store_info *ret, struct error *e);

/* store_read_messages() - those with a number above @from, @max of them */
int store_read_messages(struct store_reader *r, uint64_t from, size_t max,
			int (*each)(void *userdata, uint64_t seq, const char *body, size_t len),
			void *userdata, struct error *e);

/*
 * store_check() - check the whole file for damage; takes seconds for a large one
 * @stop: read every millisecond; set by any thread to end it early
 *
 * Every entry is read, with its details and through each index, and the rows of the tables are
 * counted. Between the steps the thread sleeps as long as it worked, and the write-ahead log can be
 * reset. Bytes of a page that belong to no row are not checked.
 *
 * Return: 0; -ECANCELED; -EBADMSG with the first damage in @e; or as above.
 */
int store_check(struct store_reader *r, const bool *stop, struct error *e);

#endif
