// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/device_reader.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/decode.h"
#include "mailbox/timed_job.h"

enum {
	/* Repetitions of all commands of a reading to a busy device; few enough for the time limit.
	 */
	RETRIES_MAX = 3,
	RETRY_PAUSE_MS = 100,
};

/* The reading of one device, by timed_job_run(). */
struct device_job {
	struct mailbox_client *client; /* a reference */
	struct arena *arena;
	const char *memdev;
	struct read_notes notes;
	struct mailbox mailbox;
	struct mailbox_record record, previous;
};

/* Errors after which no other command is tried: each might take as long to fail. */
static bool is_final(int error)
{
	return error == -ENXIO || error == -ENODEV || error == -ENOENT || error == -ETIMEDOUT;
}

static void device_note_failure(struct read_notes *notes, const char *memdev,
				const struct mailbox_command *command, int error, unsigned int code)
{
	/* With an input these commands are about one log, which a device need not have. */
	if (error == -EOPNOTSUPP || (code == MAILBOX_INVALID_LOG && command->input))
		return;
	if (error < 0)
		read_notes_add(notes, "%s: %s (%04Xh): %s", memdev, command->title, command->opcode,
			       strerror(-error));
	else
		read_notes_add(notes, "%s: %s (%04Xh): the device returned %s", memdev,
			       command->title, command->opcode, mailbox_return_code_name(code));
}

/* One command's part of a record: two numbers, then the output payload of a success. */
struct record_head {
	int32_t result; /* length of the output, or a negative error */
	int32_t code;
};

static void record_add(struct mailbox_record *record, int result, unsigned int code,
		       const uint8_t *output)
{
	const struct record_head head = {result, (int32_t)code};

	memcpy(record->bytes + record->len, &head, sizeof(head));
	record->len += sizeof(head);
	if (!output || result <= 0 || code != MAILBOX_SUCCESS)
		return;
	memcpy(record->bytes + record->len, output, (size_t)result);
	record->len += (size_t)result;
}

/* Copies the output of command @i to @output. Return: its length, 0 when the record has none. */
static size_t record_find(const struct mailbox_record *record, size_t i,
			  uint8_t output[static MAILBOX_OUTPUT_MAX])
{
	size_t at = 0;

	while (record && at + sizeof(struct record_head) <= record->len) {
		struct record_head head;
		size_t len;

		memcpy(&head, record->bytes + at, sizeof(head));
		at += sizeof(head);
		len = head.result > 0 && head.code == MAILBOX_SUCCESS ? (size_t)head.result : 0;
		if (len > MAILBOX_OUTPUT_MAX || len > record->len - at)
			return 0;
		if (i-- == 0) {
			memcpy(output, record->bytes + at, len);
			return len;
		}
		at += len;
	}
	return 0;
}

/* The reading of one device, on the thread that reads it. */
struct device_query {
	struct mailbox_client *client;
	const char *memdev;
	const atomic_bool *abandoned; /* once it is set no further command is sent */
	struct read_notes *notes;
	const struct mailbox_record *previous; /* NULL without */
	struct mailbox *mailbox;
	struct mailbox_record *record;
	unsigned int retries; /* that are left for all commands */
};

static bool is_busy(int result, unsigned int code)
{
	return result < 0 ? result == -EBUSY
			  : code == MAILBOX_BUSY || code == MAILBOX_RETRY_REQUIRED;
}

/* As mailbox_client_send(). */
static int device_send(struct device_query *q, const struct mailbox_command *command,
		       uint8_t output[static MAILBOX_OUTPUT_MAX], unsigned int *ret_code)
{
	static const struct timespec pause = {.tv_nsec = RETRY_PAUSE_MS * 1000000L};
	int r = mailbox_client_send(q->client, q->memdev, command, output, ret_code);

	while (is_busy(r, *ret_code) && q->retries > 0 && !atomic_load(q->abandoned)) {
		q->retries--;
		(void)nanosleep(&pause, NULL);
		r = mailbox_client_send(q->client, q->memdev, command, output, ret_code);
	}
	return r;
}

/* Uses the output of the last reading. Return: its length, 0 when there is none. */
static size_t device_keep(struct device_query *q, size_t i, const struct mailbox_command *command,
			  uint8_t output[static MAILBOX_OUTPUT_MAX])
{
	size_t len = record_find(q->previous, i, output);

	if (len == 0)
		return 0;
	q->mailbox->kept = true;
	read_notes_add(
		q->notes,
		"%s: %s (%04Xh): the device is busy; its last output is kept until it is not",
		q->memdev, command->title, command->opcode);
	return len;
}

static void device_set_clock(struct mailbox *m)
{
	m->timestamp_read_ns = OPT_U64(clock_realtime_ns());
	m->timestamp_read_ms = OPT_U64(clock_monotonic_ms());
}

/* Return: whether the next command is worth trying. */
static bool device_read_command(struct device_query *q, size_t i,
				const struct mailbox_command *command)
{
	uint8_t bytes[MAILBOX_OUTPUT_MAX] = {0};
	struct mailbox_output output = {
		.memdev = q->memdev, .command = command, .data = bytes, .notes = q->notes};
	unsigned int code;
	int r;

	r = device_send(q, command, bytes, &code);
	if (is_busy(r, code)) {
		size_t len = device_keep(q, i, command, bytes);

		r = len > 0 ? (int)len : r;
		code = len > 0 ? MAILBOX_SUCCESS : code;
	} else if (r > 0 && command->decode == mailbox_decode_timestamp &&
		   mailbox_client_may_hang(q->client)) {
		device_set_clock(q->mailbox);
	}
	record_add(q->record, r, code, bytes);
	if (r < 0 || code != MAILBOX_SUCCESS) {
		device_note_failure(q->notes, q->memdev, command, r, code);
		q->mailbox->unresponsive |= r == -ETIMEDOUT;
		return !is_final(r);
	}
	output.len = (size_t)r;
	mailbox_decode(&output, q->mailbox);
	return true;
}

static void device_read(struct device_query *q)
{
	const struct mailbox_command *commands;
	bool go_on = true;
	size_t n;
	int r;

	*q->mailbox = (struct mailbox){0};
	q->record->len = 0;
	q->retries = RETRIES_MAX;
	r = mailbox_client_prepare(q->client, q->memdev);
	if (r < 0) {
		record_add(q->record, r, 0, NULL);
		read_notes_add(q->notes, "%s: no mailbox command can be sent through %s%s: %s",
			       q->memdev, mailbox_client_directory(q->client), q->memdev,
			       strerror(-r));
		return;
	}
	commands = mailbox_commands(&n);
	for (size_t i = 0; i < n && go_on && !atomic_load(q->abandoned); i++)
		go_on = device_read_command(q, i, &commands[i]);
	mailbox_decode_finish(q->mailbox);
	if (q->mailbox->partition_doubt != PARTITION_CONSISTENT)
		read_notes_add(q->notes, "%s: %s", q->memdev,
			       mailbox_partition_doubt_text(q->mailbox->partition_doubt));
}

static struct device_job *device_job_free(struct device_job *job)
{
	if (!job)
		return NULL;
	(void)mailbox_client_free(job->client);
	(void)arena_free(job->arena);
	free(job);
	return NULL;
}

DEFINE_CLEANUP(struct device_job, device_job_free);

static struct device_job *device_job_new(struct mailbox_client *c, const char *memdev,
					 const struct mailbox_record *previous)
{
	_cleanup_(device_job_freep) struct device_job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->arena = arena_new();
	job->memdev = job->arena ? arena_strdup(job->arena, memdev) : NULL;
	if (!job->memdev)
		return NULL;
	job->notes.arena = job->arena;
	job->client = mailbox_client_ref(c);
	if (previous)
		job->previous = *previous;
	return STEAL_PTR(job);
}

static void device_job_run(void *state, const atomic_bool *abandoned)
{
	struct device_job *job = state;

	device_read(&(struct device_query){
		.client = job->client,
		.memdev = job->memdev,
		.abandoned = abandoned,
		.notes = &job->notes,
		.previous = &job->previous,
		.mailbox = &job->mailbox,
		.record = &job->record,
	});
}

static void device_job_end(void *state)
{
	(void)device_job_free(state);
}

/* Return: as timed_job_run(). */
static int device_read_in_time(struct mailbox_client *c, const char *memdev,
			       struct read_notes *notes, const struct mailbox_record *previous,
			       struct mailbox *ret, struct mailbox_record *record)
{
	static const struct timed_job_ops ops = {device_job_run, device_job_end};
	_cleanup_(device_job_freep) struct device_job *job = device_job_new(c, memdev, previous);
	int r;

	if (!job)
		return -ENOMEM;
	r = timed_job_run(memdev, &ops, job);
	if (r < 0) {
		job = NULL;
		return r;
	}
	*ret = job->mailbox;
	*record = job->record;
	for (size_t i = 0; i < job->notes.n_notes && i < HOST_NOTES_MAX; i++)
		read_notes_add(notes, "%s", job->notes.notes[i]);
	notes->out_of_memory |= job->notes.out_of_memory;
	return 0;
}

/* The values of a device that was not read are those of its last reading, and @record has them. */
static void device_keep_all(const char *memdev, struct read_notes *notes,
			    const struct mailbox_record *previous, struct mailbox *ret,
			    struct mailbox_record *record)
{
	const struct mailbox_command *commands;
	uint8_t bytes[MAILBOX_OUTPUT_MAX];
	size_t n;

	commands = mailbox_commands(&n);
	for (size_t i = 0; i < n; i++) {
		size_t len = record_find(previous, i, bytes);

		record_add(record, (int)len, MAILBOX_SUCCESS, bytes);
		if (len == 0)
			continue;
		ret->kept = true;
		mailbox_decode(&(struct mailbox_output){.memdev = memdev,
							.command = &commands[i],
							.data = bytes,
							.len = len,
							.notes = notes},
			       ret);
	}
	mailbox_decode_finish(ret);
}

static void device_note_not_read(struct read_notes *notes, const char *memdev, int error)
{
	if (error == -ETIMEDOUT)
		read_notes_add(
			notes,
			"%s: the device did not answer a mailbox command within %d seconds; no further command is sent until it does; see the kernel log",
			memdev, TIMED_JOB_SECONDS);
	else if (error == -EUSERS)
		read_notes_add(
			notes,
			"%s: no mailbox command was sent, because %d other devices do not answer; see the notes about them",
			memdev, TIMED_JOBS_HANGING_MAX);
	else
		read_notes_add(notes, "%s: no mailbox command was sent: %s", memdev,
			       strerror(-error));
}

void mailbox_read(struct mailbox_client *c, const char *memdev, struct read_notes *notes,
		  const struct mailbox_record *previous, struct mailbox *ret,
		  struct mailbox_record *record)
{
	static const atomic_bool never;
	int r;

	if (!mailbox_client_may_hang(c)) {
		device_read(&(struct device_query){
			.client = c,
			.memdev = memdev,
			.abandoned = &never,
			.notes = notes,
			.previous = previous,
			.mailbox = ret,
			.record = record,
		});
		return;
	}
	r = device_read_in_time(c, memdev, notes, previous, ret, record);
	if (r == 0)
		return;
	*ret = (struct mailbox){.unresponsive = r == -ETIMEDOUT};
	record->len = 0;
	device_keep_all(memdev, notes, previous, ret, record);
	/* A record that differs from one of a device that answers. */
	record_add(record, r, 0, NULL);
	device_note_not_read(notes, memdev, r);
}
