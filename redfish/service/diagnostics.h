/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_DIAGNOSTICS_H
#define CXLR_REDFISH_DIAGNOSTICS_H

/*
 * The collection of LogService.CollectDiagnosticData: archives, each kept for the account that
 * requested it until that has downloaded it, or until DIAGNOSTICS_KEEP_MS have passed.
 *
 * An archive is a file in the service's directory that has no name any more when its first byte is
 * written: nothing is left of it whatever ends. How one is made is the collector's matter
 * (daemon/collector.h). One is made at a time.
 *
 * The service owns the object. Any thread may make any call; those that wait for the disk are
 * marked. The collector is called without locks held.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "redfish/auth/revocation.h"
#include "redfish/core/principal.h"

enum {
	DIAGNOSTICS_MAX = 4, /* that are kept; those that were downloaded go first */
	DIAGNOSTICS_KEEP_MS = 60 * 60 * 1000,
	DIAGNOSTICS_RUN_MS = 10 * 60 * 1000, /* to collect one */
	DIAGNOSTICS_FREE_MIN = 16 << 20,     /* bytes that stay free in the file system */
	DIAGNOSTICS_NAMED_MAX = 32,	     /* files that are missing, those that are named */
	DIAGNOSTICS_NAME_MAX = 192,
};

/* The size of an archive, and of its files together: a larger one could not be opened again. */
#define DIAGNOSTICS_BYTES_MAX (256ULL << 20)

/* The log in which an archive is. */
enum diagnostic_place { DIAGNOSTIC_OF_MANAGER, DIAGNOSTIC_OF_SYSTEM };

enum diagnostic_state {
	DIAGNOSTIC_KEPT,
	DIAGNOSTIC_SENDING,
	DIAGNOSTIC_SENT, /* the archive is gone, the entry is there until its time has passed */
};

/* Plain values. */
struct diagnostic {
	uint64_t id; /* from 1, never used twice in the life of the process */
	enum diagnostic_place place;
	enum diagnostic_state state;
	bool standard; /* it was requested as a type of the standard, not as an OEM type */
	bool masked;
	uint64_t created_ns, expires_ns; /* wall clock */
	uint64_t size;			 /* bytes of the archive */
	uint64_t bytes;			 /* of its files, before they were compressed */
	uint32_t files, links;
	uint32_t missed; /* files that could not be read, or that masking left out */
	size_t n_named;
	char named[DIAGNOSTICS_NAMED_MAX][DIAGNOSTICS_NAME_MAX]; /* "path: reason" */
	uint64_t account;					 /* as of struct principal */
	char user[PRINCIPAL_NAME_MAX], from[PRINCIPAL_FROM_MAX];
};

/* How the collector is called, and what it reports meanwhile. */
struct diagnostic_order {
	bool masked;
	int fd; /* an empty file, open for writing; stays the caller's */
	/* To be called several times a second. @total: files; 0: not known yet. Return: 0; less
	 * than 0 ends the collection, which returns it. */
	int (*step)(void *userdata, uint64_t done, uint64_t total);
	void *userdata;
};

struct diagnostic_collector {
	/*
	 * Writes an archive; waits. @ret: fills in `bytes`, `files`, `links`, and what is missed
	 *
	 * Return: 0; the error of step(); others, with a sentence in @e.
	 */
	int (*collect)(void *userdata, const struct diagnostic_order *o, struct diagnostic *ret,
		       struct error *e);
	void *userdata;
	bool recorded;	      /* what is collected is a captured host */
	unsigned int keep_ms; /* 0: DIAGNOSTICS_KEEP_MS */
};

struct diagnostics;

/* Return: NULL when out of memory. */
struct diagnostics *diagnostics_new(void);

/* Accepts NULL. Return: NULL. */
struct diagnostics *diagnostics_free(struct diagnostics *d);

/*
 * diagnostics_set() - once, before the first request
 * @directory: only this process can write to it; copied
 * @c: copied
 *
 * Without this call nothing is collected. Return: 0 or -ENOMEM.
 */
int diagnostics_set(struct diagnostics *d, const char *directory,
		    const struct diagnostic_collector *c);

/* Return: whether something can be collected at all. */
bool diagnostics_are_set(const struct diagnostics *d);

/* Return: whether it is of a captured host. */
bool diagnostics_are_recorded(const struct diagnostics *d);

/*
 * diagnostics_begin() - reserve the place of one
 *
 * Return: 0, and diagnostics_end() must follow; -ENODEV: nothing can be collected; -EBUSY: another
 * one is being made; -EUSERS: DIAGNOSTICS_MAX are kept that were not downloaded.
 */
int diagnostics_begin(struct diagnostics *d);
void diagnostics_end(struct diagnostics *d);

/*
 * diagnostics_collect() - make one and keep it; after diagnostics_begin(); waits
 * @what: place, standard, masked, account, user and from are set
 * @step, @userdata: as of struct diagnostic_order; it also returns the error when there is no time
 *                   left
 * @ret_id: of the new one
 *
 * Return: 0; the error of @step; -ENOSPC: less than DIAGNOSTICS_FREE_MIN would stay free; -EFBIG:
 * larger than DIAGNOSTICS_BYTES_MAX; other errors. @e has a sentence, but for the error of @step.
 */
int diagnostics_collect(struct diagnostics *d, const struct diagnostic *what,
			int (*step)(void *userdata, uint64_t done, uint64_t total), void *userdata,
			uint64_t *ret_id, struct error *e);

/* Copies the Ids in that log, ascending. Return: how many. */
size_t diagnostics_list(struct diagnostics *d, enum diagnostic_place place,
			uint64_t ret[static DIAGNOSTICS_MAX]);

/* Return: whether it exists; then a copy is in @ret. */
bool diagnostics_get(struct diagnostics *d, enum diagnostic_place place, uint64_t id,
		     struct diagnostic *ret);

/* Removes all of that log; one that is being sent is sent to its end. */
void diagnostics_clear(struct diagnostics *d, enum diagnostic_place place);

/* Return: whether it existed. */
bool diagnostics_remove(struct diagnostics *d, enum diagnostic_place place, uint64_t id);

/* Removes those whose time has passed; to be called about once a second. */
void diagnostics_expire(struct diagnostics *d);

/*
 * diagnostics_open() - begin to send one to the one who requested it; diagnostics_sent() must
 * follow
 * @by: the account has to be the same, which has a number that no other one had; without one the
 *      user of the machine, or the address
 * @ret_fd: the caller closes it; NULL: it is not sent, only its size is wanted
 *
 * Return: 0; -ENOENT; -EACCES: another one requested it; -EBUSY: it is being sent; -ESTALE: it was
 * sent; the error of dup().
 */
int diagnostics_open(struct diagnostics *d, enum diagnostic_place place, uint64_t id,
		     const struct principal *by, int *ret_fd, uint64_t *ret_size);

/* diagnostics_revoke() - break off what is being sent to whom it concerns */
void diagnostics_revoke(struct diagnostics *d, const struct revocation *r);

/* Return: whether one that is being sent may be sent further. */
bool diagnostics_may_send(struct diagnostics *d, uint64_t id);

/*
 * diagnostics_sent() - @id: 0 is of none
 * @all: to its end, which removes the archive; otherwise it can be sent again
 */
void diagnostics_sent(struct diagnostics *d, uint64_t id, bool all);

#endif
