/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_JOB_H
#define CXLR_REDFISH_JOB_H

/*
 * Work that must not run on an HTTP thread because it blocks: on firmware, on a device, on the
 * disk. Each class of work has a bounded queue and a thread of its own, or several, so that a class
 * that is stuck delays no other; reading and changing are never the same class.
 *
 * The service owns the queues. A job is reference counted and may outlive the request that
 * submitted it. Any thread may call any of these functions unless stated otherwise. No callback is
 * called with a lock held.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/error.h"

enum job_class {
	JOB_FIRMWARE,	 /* translations by the PRM handler */
	JOB_DEVICES,	 /* mailbox commands */
	JOB_STORE,	 /* changes of the event log and of the state database */
	JOB_SLOW_READS,	 /* long reads of the event log, long expansions */
	JOB_RECEIVERS,	 /* waiting for other hosts */
	JOB_LOGINS,	 /* checking passwords */
	JOB_SWITCHES,	 /* changes of switches, one at a time */
	JOB_CLEARING,	 /* removing all entries of a log, which takes long */
	JOB_UPLOADS,	 /* writing what clients upload to a file, reading what they download */
	JOB_DIAGNOSTICS, /* collecting the state of the machine, one at a time */
	JOB_CHANGES,	 /* of the host's regions and memory, one at a time */
	JOB_CAPACITY,	 /* dynamic capacity, for which hosts are waited for: several at a time */
	JOB_DEVICE_CHANGES, /* of memory devices, which take up to hours: several at a time */
	JOB_SCANS,	    /* of media, which take up to a day: several at a time */
	JOB_CLASSES,
};

enum {
	JOBS_QUEUED_MAX = 64, /* in the queue of one class, besides the job that runs */
	JOB_QUEUE_MS = 10000, /* a job that waited longer in its queue is late */
	JOB_RUN_MS = 5000,    /* from its start to its deadline, unless the job has its own */
	JOB_CAPACITY_THREADS = 4,
	JOB_SCAN_THREADS = 8,
	JOB_THREADS_MAX = 16, /* of a class that runs several jobs at a time */
};

struct job_limits {
	unsigned int queued, queue_ms, run_ms;
};

extern const struct job_limits job_limits_default;

struct job;
struct jobs;

struct job_ops {
	enum job_class class;
	bool runs_late; /* run() is called also for a late job; see job_is_late() */

	/* On the thread of the class. Return: 0 or a negative errno. */
	int (*run)(struct job *job, void *state);
	/*
	 * Called exactly once: after run() with its result, or without run() with -ECANCELED,
	 * -ETIMEDOUT (it was late) or -ESHUTDOWN; then on any thread.
	 */
	void (*end)(struct job *job, void *state, int result);
	/*
	 * The jobs are being stopped and run() has not returned in time: a thread that waits for
	 * the job must stop waiting. run() may still be running. NULL: no thread waits.
	 */
	void (*abandon)(struct job *job, void *state);
	/* After end(). NULL: the state needs no release. */
	void (*free)(void *state);
};

/* @limits: copied */
int jobs_new(const struct job_limits *limits, struct jobs **ret, struct error *e);

/*
 * jobs_stop() - end all jobs and accept no more; can be repeated
 * @wait_ms: how long to wait for the jobs that are running, which are cancelled; those that are
 *           still running then are abandoned
 *
 * Return: whether all threads have ended. If not, nothing that a job uses may be freed.
 */
bool jobs_stop(struct jobs *jobs, unsigned int wait_ms);

/* Stops them first, and waits for those that are running. Accepts NULL. Return: NULL. */
struct jobs *jobs_free(struct jobs *jobs);

/*
 * job_submit() - put a job into the queue of its class
 * @state: taken over on success
 * @ret: one reference; NULL when the caller does not need the job any more
 *
 * Return: 0; -EBUSY when the queue is full; -ESHUTDOWN after jobs_stop(); -ENOMEM; -EAGAIN when no
 * thread could be started.
 */
int job_submit(struct jobs *jobs, const struct job_ops *ops, void *state, struct job **ret);

struct job *job_ref(struct job *job);

/* Accepts NULL. Return: NULL. */
struct job *job_unref(struct job *job);

/* The job is run even if it is late, see job_ops.runs_late; to be called before it is begun. */
void job_run_late(struct job *job);

/*
 * job_cancel() - cancel the job, if that is still possible
 *
 * A queued job ends before this returns. A running one sees job_is_cancelled(), and may end early
 * with -ECANCELED.
 */
void job_cancel(struct job *job);

/* ---- for run() --------------------------------------------------------------------------------
 */

bool job_is_cancelled(struct job *job);

/* Whether it waited in the queue for longer than the limit. */
bool job_is_late(const struct job *job);

/* Return: its deadline, as clock_monotonic_ms(); from its start on. Nothing enforces it. */
uint64_t job_deadline_ms(const struct job *job);

/* Replaces the limit JOB_RUN_MS, from its start to its deadline. */
void job_set_run_ms(struct job *job, unsigned int run_ms);

/*
 * job_wait() - wait until a time, or until the job is cancelled
 * @until_ms: as clock_monotonic_ms()
 *
 * Return: 0 at that time; -ECANCELED when the job is cancelled, at once.
 */
int job_wait(struct job *job, uint64_t until_ms);

DEFINE_CLEANUP(struct job, job_unref);
#define _cleanup_job_ _cleanup_(job_unrefp)

#endif
