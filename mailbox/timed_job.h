/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_TIMED_JOB_H
#define CXLR_MAILBOX_TIMED_JOB_H

/*
 * A call that waits for a device and cannot be cancelled, with a time limit. It runs in a thread of
 * its own; after the limit that thread keeps what it uses and ends when the device lets it. Until
 * then nothing of the same name is begun, so that there is at most one such thread for each name,
 * and no more than TIMED_JOBS_HANGING_MAX.
 */

#include <stdatomic.h>
#include <stddef.h>

enum {
	TIMED_JOBS_HANGING_MAX = 16,
	TIMED_JOB_NAME_MAX = 64,
	/*
	 * The driver gives a device two seconds for a command (drivers/cxl/pci.c,
	 * CXL_MAILBOX_TIMEOUT_MS), and the first that it misses is the last. A longer wait is for a
	 * command of another process, or the device hangs.
	 */
	TIMED_JOB_SECONDS = 5,
};

struct timed_job_ops {
	/* @abandoned: becomes true when no thread waits any more */
	void (*run)(void *state, const atomic_bool *abandoned);
	void (*free)(void *state);
};

/*
 * timed_job_run() - run it and wait; one thread at a time
 * @name: shorter than TIMED_JOB_NAME_MAX
 * @state: the caller's again when 0 is returned; otherwise it is freed, now or by the thread that
 * hangs
 *
 * Return: 0; -ETIMEDOUT when it hangs, or one of that name does; -EUSERS when
 * TIMED_JOBS_HANGING_MAX hang already; or the error of making a thread.
 */
int timed_job_run(const char *name, const struct timed_job_ops *ops, void *state);

#endif
