/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_FIRMWARE_PRIVATE_H
#define CXLR_PRM_FIRMWARE_PRIVATE_H

/*
 * The internals of the client. Private to firmware*.c.
 */

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

#include "prm/firmware.h"
#include "prm/kmod/cxl_prm_uapi.h"

enum { FIRMWARE_CHUNK = 256 };

#define FIRMWARE_CHUNK_OF(address) ((address) & ~(uint64_t)(FIRMWARE_CHUNK - 1))

/* ---- firmware_cache.c: no lock of its own ------------------------------------------------------
 */

struct firmware_cache;

/* A cache for @limit chunks, at least 1. Return: NULL when out of memory. */
struct firmware_cache *firmware_cache_new(uint32_t limit);
struct firmware_cache *firmware_cache_free(struct firmware_cache *c);
void firmware_cache_clear(struct firmware_cache *c);
size_t firmware_cache_count(const struct firmware_cache *c);

/* Return: whether the chunk of the query is cached; it becomes the newest. */
bool firmware_cache_get(struct firmware_cache *c, const struct firmware_query *q,
			struct firmware_answer *ret);

/*
 * firmware_cache_put() - keep an answer, in place of the oldest one when the cache is full
 * @a: translated, a permanent error, or a rejected answer
 *
 * When another chunk has the same SPA chunk, both are marked as rejected.
 */
void firmware_cache_put(struct firmware_cache *c, const struct firmware_query *q,
			const struct firmware_answer *a);

/* ---- a batch under way -------------------------------------------------------------------------
 */

struct firmware_job {
	struct firmware_job *next;
	unsigned int refs; /* of the waiters, and of the queue or the thread */
	uint64_t epoch;	   /* see struct firmware */
	bool uncached;	   /* neither shared nor cached */
	bool done;
	size_t n;
	struct firmware_query queries[FIRMWARE_BATCH_MAX];
	struct firmware_answer answers[FIRMWARE_BATCH_MAX]; /* when done */
};

struct firmware_failure {
	struct firmware_query query; /* the last one with an error */
	int error;
};

struct firmware_geometry_slot {
	bool used;
	struct firmware_query device; /* and first DPA */
	uint64_t last;
	bool sound;
	struct firmware_geometry geometry;
};

/*
 * The identity of the loaded module that answers. Its device node is made anew each time; ctime is
 * there for file systems that use an inode number again.
 */
struct firmware_load {
	dev_t dev;
	ino_t ino;
	struct timespec ctime;
};

struct firmware {
	char *path;
	struct opener *opener;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t work;  /* for the thread: a job, or stopping */
	pthread_cond_t news;  /* for waiters: a job is done, or stopping */
	unsigned int refs;    /* of the owner and the thread */
	pthread_t thread;
	bool has_thread, stopping;

	struct firmware_job *queue, **queue_end;
	struct firmware_job *current; /* what the thread works on */
	uint64_t current_since_ms;

	/* Grows with firmware_invalidate(): older queries are neither cached nor shared. */
	uint64_t epoch;
	struct firmware_cache *cache;
	struct firmware_geometry_slot
		*geometries; /* open addressing, FIRMWARE_GEOMETRIES_MAX * 2 */
	size_t n_geometries;

	uint64_t cache_since_ms; /* when the cache became empty: see FIRMWARE_CACHE_AGE_MS */

	enum firmware_state state;
	uint64_t state_since_ms;   /* when it was read */
	struct firmware_load load; /* of the last time it was ready */
	bool was_ready, has_info;
	struct cxl_prm_info info;
	int open_error;	      /* errno of FIRMWARE_BROKEN */
	unsigned int call_ms; /* for one address, of the last batch */
	uint64_t hits, queried, coalesced;
	char rejected[FIRMWARE_TEXT_MAX];
	enum answer_reason rejected_reason;
	struct firmware_failure failing[FIRMWARE_FAILING_MAX]; /* one for each device */
	size_t n_failing;
};

/* firmware_worker.c: both with the lock held */

/* Return: 0, or -EAGAIN when there can be no thread. */
int firmware_submit(struct firmware *f, struct firmware_job *job);
struct firmware_job *firmware_job_unref(struct firmware_job *job);

/* firmware_text.c: records a rejected answer or an error for the status; with the lock held. */
void firmware_note_answer(struct firmware *f, const struct firmware_query *q,
			  const struct firmware_answer *a);

/* firmware_device.c: the result of one use of the device. No lock: of the client only what never
 * changes is used. */
struct firmware_visit {
	enum firmware_state state;
	int error; /* errno of the call that failed; 0 */
	bool has_info;
	struct cxl_prm_info info;
	struct firmware_load load;
};

/* Opens the device of @f and reads CXL_PRM_INFO. Return: the descriptor, negative unless ready. */
int firmware_device_open(const struct firmware *f, bool was_ready, struct firmware_visit *v);

/*
 * firmware_device_translate() - one batch
 * @entries: queries in, answers out when v->state stays ready or an entry was not EOPNOTSUPP
 *
 * Return: whether the entries are filled in.
 */
bool firmware_device_translate(const struct firmware *f, bool was_ready,
			       struct cxl_prm_entry *entries, size_t n, struct firmware_visit *v);

/*
 * firmware_visit.c: stores the result of a visit; with the lock held. Drops what is cached if the
 * module was loaded again since the last one, or the cache is too old.
 */
void firmware_note_visit(struct firmware *f, const struct firmware_visit *v);

#endif
