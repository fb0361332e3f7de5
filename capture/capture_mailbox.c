// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture_private.h"
#include "capture/tree_check.h"
#include "common/clock.h"
#include "common/thread.h"
#include "mailbox/client.h"
#include "mailbox/command.h"

static void record_command(struct capture_set *set, struct mailbox_client *client,
			   const char *memdev, const struct mailbox_command *command)
{
	uint8_t output[MAILBOX_OUTPUT_MAX] = {0};
	char path[CAPTURE_PATH_MAX];
	unsigned int code;
	int r;

	(void)snprintf(path, sizeof(path), "mbox/%s/%s.bin", memdev, command->name);
	r = mailbox_client_send(client, memdev, command, output, &code);
	/* Not missing: a command without a file is not supported on the captured host either. */
	if (r == -EOPNOTSUPP || (code == MAILBOX_INVALID_LOG && command->input))
		return;
	if (r < 0)
		capture_set_missed(set, path, strerror(-r));
	else if (code != MAILBOX_SUCCESS)
		capture_set_missed(set, path, mailbox_return_code_name(code));
	else
		(void)capture_set_add(set, path, MEMBER_DATA, 0444, output, (size_t)r);
}

static void record_memdev(struct capture_set *set, struct mailbox_client *client,
			  const char *memdev)
{
	const struct mailbox_command *commands;
	char node[CAPTURE_PATH_MAX];
	size_t n;
	int r;

	r = mailbox_client_prepare(client, memdev);
	if (r < 0) {
		(void)snprintf(node, sizeof(node), "dev/cxl/%s", memdev);
		capture_set_missed(set, node, strerror(-r));
		return;
	}
	commands = mailbox_commands(&n);
	for (size_t i = 0; i < n; i++)
		record_command(set, client, memdev, &commands[i]);
}

/* ---- devices that do not answer ---------------------------------------------------------------
 */

/*
 * The recording of one device. Shared by the thread that records and the one that waits; freed by
 * the last of the two: a device that hangs keeps what its thread uses.
 */
struct device_recording {
	struct capture_set set; /* of this device alone */
	struct capture_result result;
	struct mailbox_client *client; /* a reference */
	char *memdev;
	bool done, abandoned; /* guarded by the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t recorded;

static void recording_free(struct device_recording *d)
{
	capture_set_done(&d->set);
	capture_result_done(&d->result);
	(void)mailbox_client_free(d->client);
	free(d->memdev);
	free(d);
}

static struct device_recording *recording_new(struct mailbox_client *client, const char *memdev)
{
	struct device_recording *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->memdev = strdup(memdev);
	if (!d->memdev) {
		free(d);
		return NULL;
	}
	d->set.result = &d->result;
	d->client = mailbox_client_ref(client);
	return d;
}

static void *record_thread(void *userdata)
{
	struct device_recording *d = userdata;
	bool abandoned;

	record_memdev(&d->set, d->client, d->memdev);
	(void)pthread_mutex_lock(&lock);
	d->done = true;
	abandoned = d->abandoned;
	(void)pthread_cond_signal(&recorded);
	(void)pthread_mutex_unlock(&lock);
	if (abandoned)
		recording_free(d);
	return NULL;
}

static int take_member(struct member *m, void *userdata)
{
	if (m->kind == MEMBER_DATA)
		(void)capture_set_add(userdata, m->path, m->kind, m->permissions, m->data, m->len);
	return 0;
}

/* Moves what was recorded of a device to the set of the capture. */
static void take_recording(struct capture_set *set, const struct device_recording *d)
{
	(void)capture_set_foreach(&d->set, take_member, set);
	for (size_t i = 0; i < d->result.n_missed; i++) {
		char *reason = strstr(d->result.missed[i], ": ");

		*reason = '\0';
		capture_set_missed(set, d->result.missed[i], reason + 2);
	}
	set->out_of_memory |= d->set.out_of_memory;
}

/* Return: whether it was recorded in time. If not, its thread frees it. */
static bool recording_wait(struct device_recording *d)
{
	const uint64_t until = clock_monotonic_ms() + CAPTURE_DEVICE_MS;
	bool done;

	(void)pthread_mutex_lock(&lock);
	while (!d->done && thread_cond_wait_until(&recorded, &lock, until) == 0)
		;
	done = d->done;
	d->abandoned = !done;
	(void)pthread_mutex_unlock(&lock);
	return done;
}

/* Return: 0, also when it could not be recorded; -ETIMEDOUT: the client cannot be used any more. */
static int record_with_limit(struct capture_set *set, struct mailbox_client *client,
			     const char *memdev)
{
	struct device_recording *d = recording_new(client, memdev);
	char path[CAPTURE_PATH_MAX];
	pthread_t thread;
	int r = d ? thread_start(&thread, record_thread, d) : -ENOMEM;

	if (r < 0) {
		set->out_of_memory = true;
		if (d)
			recording_free(d);
		return 0;
	}
	(void)pthread_detach(thread);
	if (recording_wait(d)) {
		take_recording(set, d);
		recording_free(d);
		return 0;
	}
	(void)snprintf(path, sizeof(path), "mbox/%s", memdev);
	capture_set_missed(set, path, "the device does not answer");
	return -ETIMEDOUT;
}

/* ---- all devices ------------------------------------------------------------------------------
 */

static int new_client(struct capture_set *set, const struct host_root *root,
		      struct mailbox_client **ret)
{
	struct error e = {0};
	int r = mailbox_client_new(root, ret, &e);

	if (r < 0)
		capture_set_missed(set, "mbox", e.text);
	return r;
}

void capture_mailbox(struct capture_set *set, const struct host_root *root)
{
	struct mailbox_client *client;
	size_t n_hanging = 0;
	const char *memdev;
	int r = new_client(set, root, &client);

	if (r < 0)
		return;
	thread_cond_init(&recorded);
	for (size_t i = 0; r == 0 && (memdev = mailbox_client_memdev(client, i)); i++) {
		if (record_with_limit(set, client, memdev) == 0)
			continue;
		/* A device that hangs keeps the client: the other devices get a client of their
		 * own. */
		(void)mailbox_client_free(client);
		client = NULL;
		if (++n_hanging == CAPTURE_HANGING_MAX) {
			capture_set_missed(set, "mbox", "too many devices do not answer");
			return;
		}
		r = new_client(set, root, &client);
	}
	(void)mailbox_client_free(client);
}
