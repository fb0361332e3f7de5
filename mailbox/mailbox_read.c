// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading all that a memory device says, without waiting forever for it.
 *
 * An ioctl that waits for a device cannot be taken back. So each device is asked on a thread of
 * its own; when its time is up the thread is left alone with what it has, and ends when the device
 * lets it. Until then that device is not asked again, so that there is one such thread for each
 * device that hangs, and no more than HANGING_MAX.
 */
#include "mailbox/mailbox_commands.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

enum {
	/*
	 * The driver gives a device two seconds for a command (drivers/cxl/pci.c,
	 * CXL_MAILBOX_TIMEOUT_MS), and the first that it misses is the last, see is_final(). What
	 * takes longer than this waits for somebody else's command, or hangs.
	 */
	ANSWER_S = 5,
	HANGING_MAX = 16,
};

/* The reading of one device, of who asks and who waits; the one who is later frees it. */
struct job {
	struct mailbox_client *client; /* a reference */
	struct arena *arena;
	const char *memdev;
	struct read_notes notes;
	struct mailbox mailbox;
	struct mailbox_record record;
	atomic_bool given_up; /* nobody waits any more; set with the lock held */
	bool done;	      /* guarded by the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_done = PTHREAD_COND_INITIALIZER;
static struct job *hanging[HANGING_MAX]; /* guarded by the lock, as is their number */
static size_t n_hanging;

/* Errors after which the other commands need not be tried: each might take as long to fail. */
static bool is_final(int error)
{
	return error == -ENXIO || error == -ENODEV || error == -ENOENT || error == -ETIMEDOUT;
}

static void note_failure(struct read_notes *f, const char *memdev,
			 const struct mailbox_command *command, int error, unsigned int code)
{
	/* A device need not have each log, and says so in this way. */
	if (error == -EOPNOTSUPP || (code == MAILBOX_INVALID_LOG && command->input))
		return;
	if (error < 0)
		read_notes_add(f, "%s: %s (%04Xh): %s", memdev, command->title, command->opcode,
			       strerror(-error));
	else
		read_notes_add(f, "%s: %s (%04Xh): the device returned %s", memdev, command->title,
			       command->opcode, mailbox_return_code_name(code));
}

static void record(struct mailbox_record *rec, int result, unsigned int code, const uint8_t *answer)
{
	const int32_t head[] = {result, (int32_t)code};

	memcpy(rec->bytes + rec->len, head, sizeof(head));
	rec->len += sizeof(head);
	if (!answer || result <= 0 || code != MAILBOX_SUCCESS)
		return;
	memcpy(rec->bytes + rec->len, answer, (size_t)result);
	rec->len += (size_t)result;
}

/* Return: whether the next command is worth trying. */
static bool read_one(struct mailbox_client *c, const char *memdev,
		     const struct mailbox_command *command, struct read_notes *notes,
		     struct mailbox *m, struct mailbox_record *rec)
{
	uint8_t bytes[MAILBOX_ANSWER_MAX] = {0};
	struct mailbox_answer answer = {
		.memdev = memdev, .command = command, .data = bytes, .notes = notes};
	unsigned int code;
	int r;

	r = mailbox_ask(c, memdev, command, bytes, &code);
	record(rec, r, code, bytes);
	if (r < 0 || code != MAILBOX_SUCCESS) {
		note_failure(notes, memdev, command, r, code);
		m->unresponsive |= r == -ETIMEDOUT;
		return !is_final(r);
	}
	answer.len = (size_t)r;
	mailbox_decode(&answer, m);
	return true;
}

/* @given_up: once it is set no further command is sent */
static void read_all(struct mailbox_client *c, const char *memdev, const atomic_bool *given_up,
		     struct read_notes *notes, struct mailbox *ret, struct mailbox_record *rec)
{
	const struct mailbox_command *commands;
	bool go_on = true;
	size_t n;
	int r;

	*ret = (struct mailbox){0};
	rec->len = 0;
	r = mailbox_client_is_live(c) ? mailbox_prepare(c, memdev) : 0;
	if (r < 0) {
		record(rec, r, 0, NULL);
		read_notes_add(notes, "%s cannot be asked through /dev/cxl/%s: %s", memdev, memdev,
			       strerror(-r));
		return;
	}
	commands = mailbox_commands(&n);
	for (size_t i = 0; i < n && go_on && !atomic_load(given_up); i++)
		go_on = read_one(c, memdev, &commands[i], notes, ret, rec);
	mailbox_conclude(ret);
}

static struct job *job_free(struct job *job)
{
	if (!job)
		return NULL;
	(void)mailbox_client_free(job->client);
	(void)arena_free(job->arena);
	free(job);
	return NULL;
}

DEFINE_CLEANUP(struct job, job_free);

static struct job *job_new(struct mailbox_client *c, const char *memdev)
{
	_cleanup_(job_freep) struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->arena = arena_new();
	job->memdev = job->arena ? arena_strdup(job->arena, memdev) : NULL;
	if (!job->memdev)
		return NULL;
	job->notes.arena = job->arena;
	job->client = mailbox_client_ref(c);
	atomic_init(&job->given_up, false);
	return STEAL_PTR(job);
}

static void *work(void *userdata)
{
	struct job *job = userdata;
	bool given_up;

	read_all(job->client, job->memdev, &job->given_up, &job->notes, &job->mailbox,
		 &job->record);
	(void)pthread_mutex_lock(&lock);
	job->done = true;
	given_up = job->given_up;
	for (size_t i = 0; i < n_hanging; i++)
		if (hanging[i] == job)
			hanging[i] = hanging[--n_hanging];
	(void)pthread_cond_broadcast(&some_done);
	(void)pthread_mutex_unlock(&lock);
	if (given_up)
		(void)job_free(job);
	return NULL;
}

static int start(struct job *job)
{
	pthread_attr_t attr;
	pthread_t thread;
	int r;

	r = pthread_attr_init(&attr);
	if (r != 0)
		return -r;
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	r = pthread_create(&thread, &attr, work, job);
	(void)pthread_attr_destroy(&attr);
	return -r;
}

/* Return: 0; -ETIMEDOUT when it hangs; -EUSERS when there would be no place for it if it did. */
static int check_hanging(const char *memdev)
{
	int r;

	(void)pthread_mutex_lock(&lock);
	r = n_hanging < HANGING_MAX ? 0 : -EUSERS;
	for (size_t i = 0; i < n_hanging; i++)
		if (str_equal(hanging[i]->memdev, memdev))
			r = -ETIMEDOUT;
	(void)pthread_mutex_unlock(&lock);
	return r;
}

/* Return: whether it is done; if not, it is its thread's. */
static bool wait_for(struct job *job)
{
	struct timespec until;
	bool done;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ANSWER_S;
	(void)pthread_mutex_lock(&lock);
	while (!job->done &&
	       pthread_cond_clockwait(&some_done, &lock, CLOCK_MONOTONIC, &until) == 0)
		;
	done = job->done;
	if (!done) {
		/* There is a place, for only one thread at a time comes here after the check. */
		job->given_up = true;
		hanging[n_hanging++] = job;
	}
	(void)pthread_mutex_unlock(&lock);
	return done;
}

/* Return: 0; that of check_hanging(); or the error of making a thread. */
static int read_in_time(struct mailbox_client *c, const char *memdev, struct read_notes *notes,
			struct mailbox *ret, struct mailbox_record *rec)
{
	_cleanup_(job_freep) struct job *job = NULL;
	int r;

	r = check_hanging(memdev);
	if (r < 0)
		return r;
	job = job_new(c, memdev);
	if (!job)
		return -ENOMEM;
	r = start(job);
	if (r < 0)
		return r;
	if (!wait_for(job)) {
		job = NULL;
		return -ETIMEDOUT;
	}
	*ret = job->mailbox;
	*rec = job->record;
	for (size_t i = 0; i < job->notes.n_notes && i < HOST_NOTES_MAX; i++)
		read_notes_add(notes, "%s", job->notes.notes[i]);
	notes->out_of_memory |= job->notes.out_of_memory;
	return 0;
}

void mailbox_read(struct mailbox_client *c, const char *memdev, struct read_notes *notes,
		  struct mailbox *ret, struct mailbox_record *rec)
{
	static const atomic_bool never;
	int r;

	if (!mailbox_client_is_live(c)) {
		read_all(c, memdev, &never, notes, ret, rec);
		return;
	}
	r = read_in_time(c, memdev, notes, ret, rec);
	if (r == 0)
		return;
	*ret = (struct mailbox){.unresponsive = r == -ETIMEDOUT};
	rec->len = 0;
	record(rec, r, 0, NULL);
	if (r == -ETIMEDOUT)
		read_notes_add(notes,
			       "%s does not answer, and is not asked again until it does: look at "
			       "the kernel's log",
			       memdev);
	else if (r == -EUSERS)
		read_notes_add(notes, "%s is not asked: %d others do not answer", memdev,
			       HANGING_MAX);
	else
		read_notes_add(notes, "%s cannot be asked: %s", memdev, strerror(-r));
}
