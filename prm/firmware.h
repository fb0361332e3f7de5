/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_FIRMWARE_H
#define CXLR_PRM_FIRMWARE_H

/*
 * The client of /dev/cxl_prm: translates DPAs by the platform's PRM handler and caches its answers.
 *
 * One client exists for the life of a process and is used by each translator in turn: a new
 * snapshot gets the same client, and firmware_invalidate() drops the answers of the old one.
 * Answers are cached by 256-byte chunk in a bounded LRU. The device is opened for each batch and
 * closed again, so that the module can be unloaded and loaded again (as it must be when it is
 * wedged) while a daemon runs.
 *
 * Threads. Every function may be called from any thread; the client has its own lock, which is
 * never held while the device is used.
 *	firmware_translate(), firmware_translate_uncached(), firmware_geometry() with a timeout
 *			block: for worker threads and cxl-spa only
 *	all others	never wait for firmware: HTTP threads use firmware_peek()
 * Queries go to the device one batch at a time, on a thread that the client starts with the first
 * one, because an ioctl that is in firmware cannot be cancelled: a waiter returns at the end of
 * its timeout, and the answer goes into the cache when it arrives. Equal queries of several
 * threads are sent once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "opener/opener.h"
#include "prm/reason.h"

#define FIRMWARE_DEVICE "/dev/cxl_prm"

enum {
	FIRMWARE_BATCH_MAX = 256,	     /* queries of one call */
	FIRMWARE_CHUNKS_MAX = 65536,	     /* cached answers; 4 MiB when all are used */
	FIRMWARE_GEOMETRIES_MAX = 4096,	     /* decoders without region */
	FIRMWARE_FAILING_MAX = 64,	     /* devices whose last error is remembered */
	FIRMWARE_CACHE_AGE_MS = 3600 * 1000, /* all cached answers are dropped this often */
	FIRMWARE_RECHECK_MS = 1000,	     /* how often an unavailable device is tried */
	FIRMWARE_SLOW_CALL_MS = 50,    /* for one address; above, the state is FIRMWARE_SLOW */
	FIRMWARE_SLOW_BATCH_MS = 5000, /* for a batch in progress; likewise */
	FIRMWARE_TEXT_MAX = 192,
};

/* Whether firmware can be queried, and why not. */
enum firmware_state {
	FIRMWARE_READY,
	FIRMWARE_NO_DEVICE,	/* the module is not loaded */
	FIRMWARE_NO_PERMISSION, /* this user may not open the device */
	FIRMWARE_UNLOADED,	/* the module was unloaded while in use */
	FIRMWARE_NEWER,		/* the module's interface is newer than ours */
	FIRMWARE_BROKEN,	/* the device does not behave as the module does */
	FIRMWARE_NO_PRMT,	/* from here to FIRMWARE_WEDGED: the module's reasons */
	FIRMWARE_BAD_PRMT,
	FIRMWARE_NO_HANDLER,
	FIRMWARE_NULL_ADDRESS,
	FIRMWARE_BAD_ADDRESS,
	FIRMWARE_NO_MEMMAP,
	FIRMWARE_EFI_OFF,
	FIRMWARE_NOT_IN_KERNEL,
	FIRMWARE_WEDGED,
	FIRMWARE_NOT_READY, /* a reason of the module that this program does not know */
	FIRMWARE_SLOW,	    /* it answers, but slowly; set by firmware_status() only */
	FIRMWARE_STOPPED,   /* firmware_stop() was called */
	FIRMWARE_STATES
};

struct firmware_query {
	uint32_t segment; /* of the memory device's PCI address */
	uint8_t bus, devfn;
	uint64_t dpa;
};

enum firmware_result {
	FIRMWARE_TRANSLATED,   /* spa is firmware's answer */
	FIRMWARE_NOT_QUERIED,  /* not in the cache, and the caller did not wait */
	FIRMWARE_UNAVAILABLE,  /* `state` is the reason */
	FIRMWARE_RATE_LIMITED, /* the module's rate limit is reached */
	FIRMWARE_TOO_SLOW,     /* no answer within the timeout */
	FIRMWARE_ERROR,	       /* `error` is from the module or firmware */
	FIRMWARE_LOW_BITS,     /* spa and queried_dpa differ in their low 8 bits: rejected */
	FIRMWARE_SHARED,       /* `conflict` has the same SPA chunk: both are rejected */
};

struct firmware_answer {
	enum firmware_result result;
	enum firmware_state state;
	int error;
	uint64_t spa;
	uint64_t queried_dpa;
	struct firmware_query conflict;
};

/* How long a caller waits. It belongs to one thread at a time. */
struct firmware_timeout {
	unsigned int call_ms;	/* for each batch; 0: no time is left */
	unsigned int bucket_ms; /* left to wait at the rate limit; counts down */
};

struct firmware;

/*
 * firmware_new() - create a client and read the state of the device
 * @path: FIRMWARE_DEVICE
 *
 * A device that cannot be used is not an error: firmware_status() reports it, and it is tried again
 * later.
 *
 * Return: 0 or -ENOMEM.
 */
int firmware_new(const char *path, struct firmware **ret);

/* firmware_new_opener() - likewise, opening the device by @opener, which must outlive the client */
int firmware_new_opener(const char *path, struct opener *opener, struct firmware **ret);

/* Accepts NULL. No call may be in progress (firmware_stop() ends them). Return: NULL. */
struct firmware *firmware_free(struct firmware *f);

/* Makes all waiters return at once and all later queries fail. For shutdown. */
void firmware_stop(struct firmware *f);

/* Drops all cached answers: call it when the topology has changed. Accepts NULL. */
void firmware_invalidate(struct firmware *f);

/* Reads the state of the device again, without a query of firmware. Accepts NULL. */
void firmware_refresh(struct firmware *f);

/* Return: true with the cached answer; false when there is none. */
bool firmware_peek(struct firmware *f, const struct firmware_query *q, struct firmware_answer *ret);

/* Return: whether a query for an address of the device would be sent now; never waits. */
bool firmware_can_query(struct firmware *f, const struct firmware_query *q);

/*
 * firmware_translate() - from the cache or from firmware; may block
 * @n: at most FIRMWARE_BATCH_MAX
 * @timeout: NULL answers from the cache only, as firmware_peek() does
 * @ret: @n answers
 */
void firmware_translate(struct firmware *f, const struct firmware_query *q, size_t n,
			struct firmware_timeout *timeout, struct firmware_answer *ret);

/* As firmware_translate(), but each address is queried and the cache is not used. */
void firmware_translate_uncached(struct firmware *f, const struct firmware_query *q, size_t n,
				 struct firmware_timeout *timeout, struct firmware_answer *ret);

/*
 * The geometry that Linux derives for a Normalized decoder at start-up: cxl_prm_setup_root() in
 * drivers/cxl/core/atl.c. It limits a search and does not determine any single address.
 */
struct firmware_geometry {
	uint64_t base, last; /* SPA, multiples of 256 MiB */
	unsigned int ways, granularity;
};

/*
 * firmware_geometry() - base, ways and granularity of a decoder's DPA range
 * @q: the device, and the first DPA
 * @last: the last DPA
 * @timeout: as with firmware_translate()
 * @ret_why: with -ENODATA the answer that prevented it
 *
 * Takes 2 queries for one way, 3 to 19 for more, once.
 *
 * Return: 0; -ENODATA with @ret_why; -ERANGE when the answers describe no interleave set that
 * begins and ends at multiples of 256 MiB, with the first DPA in its first block and the last DPA
 * in its last.
 */
int firmware_geometry(struct firmware *f, const struct firmware_query *q, uint64_t last,
		      struct firmware_timeout *timeout, struct firmware_geometry *ret,
		      struct firmware_answer *ret_why);

struct firmware_status {
	enum firmware_state state;
	char text[FIRMWARE_TEXT_MAX]; /* a sentence without full stop, also when ready */
	bool known; /* the module answered; the counters up to `throttled` are from it */
	unsigned int rate, burst, in_flight_ms;
	uint64_t calls, errors, refused, throttled;
	uint64_t hits, queried,
		coalesced; /* chunks: from the cache, sent, joined to a query in flight */
	size_t n_chunks;   /* in the cache */
	/* The first rejected answer in the life of the client; "" none. */
	char rejected[FIRMWARE_TEXT_MAX];
	enum answer_reason rejected_reason; /* REASON_NONE none */
	/* Devices with an error that no later answer corrected, and the error of the first one.
	 */
	size_t n_failing;
	char failing[FIRMWARE_TEXT_MAX];
};

/*
 * firmware_failure() - the last error that firmware gave for an address of a device
 * @q: the device; the DPA does not matter
 * @text: "DPA 0x…: …", a clause
 *
 * Cleared when the same address is translated later.
 *
 * Return: false when there is none.
 */
bool firmware_failure(struct firmware *f, const struct firmware_query *q,
		      char text[FIRMWARE_TEXT_MAX]);

/*
 * firmware_note_rejected() - record that an answer of firmware was rejected
 * @text: a sentence without full stop about @reason
 *
 * The client itself records answers that are wrong for any host.
 */
void firmware_note_rejected(struct firmware *f, enum answer_reason reason, const char *text);

/* The last known state; nothing is opened. */
void firmware_status(struct firmware *f, struct firmware_status *ret);

/* A stable name for programs: "ready", "not-loaded", "wedged", ... */
const char *firmware_state_name(enum firmware_state state);

/* Return: the next step, a sentence without full stop; NULL when there is nothing to do. */
const char *firmware_state_advice(enum firmware_state state);

/* The reason why there is no answer; "" when there is one. */
void firmware_answer_text(const struct firmware_answer *a, char text[FIRMWARE_TEXT_MAX]);

/* Return: the code of firmware_answer_text(); REASON_NONE when there is an answer. */
enum answer_reason firmware_answer_reason(const struct firmware_answer *a);

/*
 * firmware_query_parse() - the query for a device, from "dddd:bb:dd.f"
 *
 * Return: 0, or -EINVAL when it is not a PCI address; the dpa is 0.
 */
int firmware_query_parse(const char *bdf, struct firmware_query *ret);

#endif
