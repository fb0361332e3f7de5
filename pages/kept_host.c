// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/kept_host.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "prm/firmware.h"

#define EVENTS_FILE "sys/kernel/uevent_seqnum"

enum { EVENTS_BYTES_MAX = 64 };

struct kept_host {
	const struct host_root *root;
	pthread_mutex_t lock; /* of what follows */
	struct firmware *firmware;
	const struct host *host;
	struct translator *translator;
	struct opt_u64 events; /* that the kernel had counted before it was read */
};

struct kept_host *kept_host_new(const struct host_root *root)
{
	struct kept_host *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->root = root;
	(void)pthread_mutex_init(&k->lock, NULL);
	return k;
}

/* With the lock held. */
static void drop(struct kept_host *k)
{
	k->translator = translator_unref(k->translator);
	k->firmware = firmware_free(k->firmware);
	k->host = host_unref(k->host);
	k->events = (struct opt_u64){0};
}

struct kept_host *kept_host_free(struct kept_host *k)
{
	if (!k)
		return NULL;
	drop(k);
	(void)pthread_mutex_destroy(&k->lock);
	free(k);
	return NULL;
}

static struct opt_u64 count_events(const struct kept_host *k)
{
	_cleanup_free_ char *text = NULL;
	uint64_t n;

	if (read_file_at(k->root->dirfd, EVENTS_FILE, EVENTS_BYTES_MAX, &text, NULL) < 0 ||
	    parse_u64(str_chomp(text), &n) < 0)
		return (struct opt_u64){0};
	return OPT_U64(n);
}

/*
 * With the lock held. Events while it is read make it one of before. The client of firmware is a
 * new one, because its answers are those of one mapping, and firmware may have been away before.
 */
static int read_now(struct kept_host *k, struct opt_u64 events, struct error *e)
{
	int r;

	drop(k);
	r = host_read(k->root, &k->host, e);
	if (r == 0 && firmware_new_opener(FIRMWARE_DEVICE, k->root->opener, &k->firmware) < 0)
		r = error_set(e, ENOMEM, "out of memory");
	if (r == 0)
		r = translator_new(k->host, k->firmware, &k->translator, e);
	if (r < 0)
		drop(k);
	else
		k->events = events;
	return r < 0 ? r : 1;
}

int kept_host_take(struct kept_host *k, const struct host **ret_host,
		   struct translator **ret_translator, struct error *e)
{
	const struct opt_u64 events = count_events(k);
	int r = 0;

	(void)pthread_mutex_lock(&k->lock);
	if (!k->host || !events.present || !opt_u64_is(k->events, events.value))
		r = read_now(k, events, e);
	if (r >= 0) {
		*ret_host = host_ref(k->host);
		*ret_translator = translator_ref(k->translator);
	}
	(void)pthread_mutex_unlock(&k->lock);
	return r;
}

void kept_host_forget(struct kept_host *k)
{
	(void)pthread_mutex_lock(&k->lock);
	drop(k);
	(void)pthread_mutex_unlock(&k->lock);
}
