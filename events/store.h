/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_H
#define CXLR_EVENTS_STORE_H

/*
 * The store of events: one SQLite file, written by one thread, read through store_reader.h by any
 * number of others, in this process or in another.
 *
 * A commit survives the end of the process at any point and, as far as disk and file
 * system honour fsync, the loss of power: write-ahead log, synchronous=FULL, one transaction per
 * call. A call that fails changed nothing and may be repeated. Nothing may be published before the
 * call that stored it has returned.
 *
 * An event is stored once. Records with a header of the CXL event logs are identified by (serial,
 * log, handle, timestamp, UUID of the record type), those without one, or with a timestamp of 0,
 * by (boot id, event name, CPU, trace time, and their order among those of that time). An event
 * that was cleared or overwritten is a new one when it is read again.
 *
 * A pending event waits in the file for store_finish(), which makes it an entry, once. If the
 * process ends before, the next store_open() makes it an entry with the answer it has.
 *
 * Files that cannot be used:
 *	damaged, or not ours	renamed to PATH.damaged-TIME with its -wal and -shm, and a new one
 *				is created, with all that can be read of a damaged one; entries that
 *				cannot be read are entries of type EVENT_UNREADABLE there. Beyond
 *				STORE_ASIDE_MAX the smallest older one is removed
 *	empty or not there,	the same, from the name of its lock file, which remembers that the
 *	but written before	file was written
 *	of a newer version, or	left as it is; PATH.schema-HASH, of the tables of this program, is
 *	with other tables	used instead, so that neither the old history nor new events are
 *				lost
 * In a file that replaces another one numbers begin at the microseconds since 1970, which is above
 * all that the other can have reached, or where that one ended, so that none is given twice. Files
 * do not become smaller: the space of removed entries is used again.
 *
 * Errors of all calls: -ENOSPC no space on the disk (or in the quota, or a file size limit);
 * -EBADMSG the file is damaged: store_set_aside() and open the new one; -ESTALE the file was
 *removed or replaced, so that nothing that was written is in the file of that name: close and open;
 *-EROFS, -EACCES, -EBUSY, -EIO, -ENOMEM. Errors of arguments are named at each call.
 *
 * A `struct store` belongs to one thread at a time. Nothing here may run on a thread that must not
 * block: a commit waits for the disk.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/incident.h"
#include "events/stored_event.h"

/* The name of the file in the state directory, where readers of other processes find it. */
#define STORE_FILE "events.db"

/* Effects of a store that has max_records entries. */
enum store_policy {
	STORE_WRAPS_WHEN_FULL,	/* the oldest are removed */
	STORE_NEVER_OVERWRITES, /* new ones are refused, and counted as lost */
};

enum {
	STORE_PATH_MAX = 1024, /* with the NUL, and what is appended to the name */
	STORE_ASIDE_MAX = 8,   /* damaged files that are kept */
	STORE_STEP = 1000, /* entries removed in one transaction, so that others are not delayed */
	STORE_MESSAGES_MAX = 10000,    /* the oldest are removed */
	STORE_MESSAGE_MAX = 64 * 1024, /* bytes of one */
};

/* As in struct store_options. */
struct store_limits {
	uint64_t max_records, max_age_ns;
	enum store_policy policy;
};

struct store_options {
	const char *path;     /* of the file, in a directory that no other user can write to */
	uint64_t max_records; /* at least 1 */
	uint64_t max_age_ns;  /* since it was stored; 0: no limit */
	enum store_policy policy;
	/*
	 * Numbers up to this one are known to have been given: a new file begins above, at the
	 * time, as if it replaced a file that is no longer there. 0: none are.
	 */
	uint64_t numbers_given;
	/* The same of this process: an existing file continues above it, too. */
	uint64_t above;
	/* The boot of this host, and its time in ns; NULL: CLOCK_BOOTTIME. The name of the trace
	 * clock that shows the same time; NULL: "boot". See events/store_incidents.h. */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t machine; /* as of event_machine() */
	const uint64_t *boottime;
	const char *trace_clock;
	/* Called with a sentence for the operator, from within calls. May be NULL. */
	void (*notice)(void *userdata, const char *text);
	void *userdata;
	/* Read while a damaged file is replaced, to end that early. NULL: it is not ended. */
	const bool *stop;
};

struct store;

/*
 * store_open() - open or create the file, and finish what the last process left pending
 * @o: copied; path and userdata must outlive the store
 *
 * Return: 0; -EBUSY when another process writes to it; -EINVAL for max_records 0; or as above.
 */
int store_open(const struct store_options *o, struct store **ret, struct error *e);

/* Closes cleanly: the write-ahead log is emptied. Accepts NULL. Return: NULL. */
struct store *store_close(struct store *s);

/*
 * store_set_aside() - replace a damaged file, and close it
 * @why: part of the notice, "page 7 is never used"
 *
 * Takes some ten seconds for a million entries. Readers keep the old file until their next call.
 *
 * Return: NULL, always; the next store_open() fails if it could not be moved.
 */
struct store *store_set_aside(struct store *s, const char *why);

/* The file that is used; another one than requested when that has other tables. */
const char *store_path(const struct store *s);

/* Whether the last writer did not close the file, so that it should be checked. */
bool store_was_unclean(const struct store *s);

/*
 * store_append() - add events in one transaction
 * @events: outcome and seq of each are set on success
 *
 * Removes the oldest or refuses events, depending on the policy.
 */
int store_append(struct store *s, struct stored_event *events, size_t n, struct error *e);

struct store_final {
	uint64_t pending; /* the seq of store_append() */
	struct event_answer answer;
	uint64_t seq; /* set by the store; 0 when it was no longer pending */
};

/* store_finish() - make entries of pending events, each once, in this order and one transaction */
int store_finish(struct store *s, struct store_final *finals, size_t n, struct error *e);

/* store_resolve() - set or clear Resolved of an entry; -ENOENT */
int store_resolve(struct store *s, uint64_t seq, bool resolved, struct error *e);

/*
 * store_resolve_incident() - resolve or reopen an incident and all of its own entries
 *
 * One transaction, which takes some microseconds for each entry.
 *
 * Return: 0; -ENOENT; or as above.
 */
int store_resolve_incident(struct store *s, uint64_t id, bool resolved, struct error *e);

/*
 * store_acknowledge() - an open incident is acknowledged, or not any more; its entries stay
 *
 * Return: 0; -ENOENT; -EALREADY when it has ended; or as above.
 */
int store_acknowledge(struct store *s, uint64_t id, bool acknowledged, struct error *e);

/* store_clear_incidents() - remove those that have ended, with numbers up to @upto */
int store_clear_incidents(struct store *s, uint64_t upto, struct error *e);

/* store_replace_device() - close the open incidents of a device that is not in the host any more */
int store_replace_device(struct store *s, const char *device, struct error *e);

/*
 * store_clear() - remove entries; STORE_STEP of them
 * @device: those of one device; NULL: all
 * @upto: the last number to be removed; later entries stay
 * @ret_more: whether to call again
 */
int store_clear(struct store *s, const char *device, uint64_t upto, bool *ret_more,
		struct error *e);

/* store_set_limits() - other limits from now on; store_expire() removes what is above them */
void store_set_limits(struct store *s, const struct store_limits *limits);

/* store_expire() - remove entries above the limits of the options; @ret_more as store_clear() */
int store_expire(struct store *s, uint64_t now_ns, bool *ret_more, struct error *e);

/* Return: whether counts of incidents in the file are older than its entries, until store_expire().
 */
bool store_lags(const struct store *s);

/* store_probe() - write something, to see whether the disk has space again */
int store_probe(struct store *s, struct error *e);

/* All existing numbers are below this one, and all future ones are not. */
uint64_t store_next(const struct store *s);

/* A message that is delivered in order with the entries. */
struct store_message {
	const char *body;
	size_t len;
};

/*
 * store_put_messages() - store messages by one transaction
 * @n: at least one
 * @ret_seq: number of the last one; they have numbers in a row, from the sequence of the entries
 */
int store_put_messages(struct store *s, const struct store_message *messages, size_t n,
		       uint64_t *ret_seq, struct error *e);

#endif
