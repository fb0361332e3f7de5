// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/kept_host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "prm/firmware.h"

#define EVENTS_FILE "sys/kernel/uevent_seqnum"

enum { EVENTS_BYTES_MAX = 64 };

/* The moment before the host was read. */
struct mark {
	struct opt_u64 events;	/* that the kernel had counted */
	struct opt_u64 devices; /* a hash of those that a mapping is made of */
};

struct kept_host {
	const struct host_root *root;
	pthread_mutex_t lock; /* of what follows */
	struct firmware *firmware;
	const struct host *host;
	struct translator *translator;
	struct mark mark;
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
	k->mark = (struct mark){0};
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

/* The order of a directory does not matter. An inode of sysfs has a number that no other has had.
 */
static int add_devices(const struct kept_host *k, const char *path, uint64_t *hash)
{
	int fd = openat(k->root->dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir)
		return fd < 0 ? -errno : -ENOMEM;
	errno = 0;
	while ((entry = readdir(dir))) {
		const uint64_t parts[] = {hash_bytes(entry->d_name, strlen(entry->d_name)),
					  entry->d_ino};

		if (entry->d_name[0] != '.')
			*hash += hash_bytes(parts, sizeof(parts));
	}
	return -errno;
}

static struct opt_u64 hash_devices(const struct kept_host *k)
{
	static const char *const directories[] = {"sys/bus/cxl/devices", "sys/bus/dax/devices"};
	uint64_t hash = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(directories); i++)
		r = add_devices(k, directories[i], &hash);
	if (r < 0)
		return (struct opt_u64){0};
	return OPT_U64(hash);
}

static bool is_same(struct opt_u64 a, struct opt_u64 b)
{
	return a.present && b.present && a.value == b.value;
}

/*
 * With the lock held. Changes while it is read make it one of before. The client of firmware is a
 * new one, because its answers are those of one mapping, and firmware may have been away before.
 */
static int read_now(struct kept_host *k, const struct mark *mark, struct error *e)
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
		k->mark = *mark;
	return r < 0 ? r : 1;
}

/* With the lock held. The events may be those of memory blocks, and of devices that are no memory.
 */
static int read_if_changed(struct kept_host *k, struct error *e)
{
	struct mark now = {.events = count_events(k)};

	if (k->host && is_same(now.events, k->mark.events))
		return 0;
	now.devices = hash_devices(k);
	if (!k->host || !is_same(now.devices, k->mark.devices))
		return read_now(k, &now, e);
	k->mark.events = now.events;
	return 0;
}

int kept_host_take(struct kept_host *k, const struct host **ret_host,
		   struct translator **ret_translator, struct error *e)
{
	int r;

	(void)pthread_mutex_lock(&k->lock);
	r = read_if_changed(k, e);
	if (r >= 0) {
		*ret_host = host_ref(k->host);
		*ret_translator = translator_ref(k->translator);
	}
	(void)pthread_mutex_unlock(&k->lock);
	return r;
}

bool kept_host_is_current(struct kept_host *k)
{
	struct opt_u64 events;
	bool current;

	(void)pthread_mutex_lock(&k->lock);
	events = count_events(k);
	current = !k->mark.events.present || is_same(events, k->mark.events) ||
		  is_same(hash_devices(k), k->mark.devices);
	if (current && events.present)
		k->mark.events = events;
	(void)pthread_mutex_unlock(&k->lock);
	return current;
}

void kept_host_forget(struct kept_host *k)
{
	(void)pthread_mutex_lock(&k->lock);
	drop(k);
	(void)pthread_mutex_unlock(&k->lock);
}
