// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/scrub_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "mailbox/timed_job.h"

struct scrub_job {
	struct arena *arena;
	char memdev[TIMED_JOB_NAME_MAX];
	struct read_notes notes;
	struct memdev_scrub scrub;
};

static void scrub_job_free(void *state)
{
	struct scrub_job *job = state;

	(void)arena_free(job->arena);
	free(job);
}

static void scrub_job_run(void *state, const atomic_bool *abandoned)
{
	struct scrub_job *job = state;

	(void)abandoned;
	memdev_scrub_read(job->memdev, &job->notes, &job->scrub);
}

static struct scrub_job *scrub_job_new(const char *memdev)
{
	struct scrub_job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->arena = arena_new();
	if (!job->arena) {
		free(job);
		return NULL;
	}
	job->notes.arena = job->arena;
	(void)snprintf(job->memdev, sizeof(job->memdev), "%s", memdev);
	return job;
}

static void scrub_note_unread(const char *memdev, int error, struct read_notes *notes)
{
	if (error == -ETIMEDOUT)
		read_notes_add(
			notes,
			"%s: the files of its scrub settings did not answer within %d seconds; they are not read until they do; see the kernel log",
			memdev, TIMED_JOB_SECONDS);
	else
		read_notes_add(notes, "%s: its scrub settings were not read: %s", memdev,
			       strerror(-error));
}

void scrub_read_in_time(const char *memdev, struct read_notes *notes, struct memdev_scrub *ret)
{
	static const struct timed_job_ops ops = {scrub_job_run, scrub_job_free};
	struct scrub_job *job = scrub_job_new(memdev);
	char name[TIMED_JOB_NAME_MAX];
	int r = -ENOMEM;

	*ret = (struct memdev_scrub){.unread = true};
	(void)snprintf(name, sizeof(name), "scrub of %s", memdev);
	if (job)
		r = timed_job_run(name, &ops, job);
	if (r < 0) {
		scrub_note_unread(memdev, r, notes);
		return;
	}
	*ret = job->scrub;
	for (size_t i = 0; i < job->notes.n_notes && i < HOST_NOTES_MAX; i++)
		read_notes_add(notes, "%s", job->notes.notes[i]);
	notes->out_of_memory |= job->notes.out_of_memory;
	scrub_job_free(job);
}
