// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/lock_file.h"
#include "common/strutil.h"

enum {
	BYTE_REGIONS = 0,
	BYTE_MEMDEV_0 = 1,
	MEMDEV_NUMBER_MAX = 1 << 20,
	RETRY_MS = 10,
	BYTES_MAX = 1 + INTERLEAVE_WAYS_MAX,
};

/* The bytes that one change locks. */
struct lock_bytes {
	size_t n;
	off_t bytes[BYTES_MAX];
};

static void add_byte(struct lock_bytes *l, off_t byte)
{
	l->bytes[l->n++] = byte;
}

static int add_memdev(struct lock_bytes *l, const char *name, struct error *e)
{
	const char *digits = str_after_prefix(name, "mem");
	uint64_t number;

	if (!digits || parse_u64(digits, &number) < 0 || number > MEMDEV_NUMBER_MAX)
		return error_set(e, ENOENT, "there is no memory device %s on this host", name);
	add_byte(l, BYTE_MEMDEV_0 + (off_t)number);
	return 0;
}

static int lock_bytes_of(const struct change *c, struct lock_bytes *ret, struct error *e)
{
	int r = 0;

	switch (c->kind) {
	case CHANGE_REGION_CREATE:
		add_byte(ret, BYTE_REGIONS);
		for (uint32_t i = 0; r == 0 && i < c->region.ways; i++)
			r = add_memdev(ret, c->region.positions[i].name, e);
		return r;
	case CHANGE_REGION_DESTROY:
	case CHANGE_MEMORY_ONLINE:
	case CHANGE_MEMORY_OFFLINE:
	case CHANGE_MEMORY_DEVDAX:
	case CHANGE_REGION_SCRUB:
		add_byte(ret, BYTE_REGIONS);
		return 0;
	case CHANGE_MEMDEV_ENABLE:
	case CHANGE_MEMDEV_DISABLE: /* its decoders come and go */
	case CHANGE_SCRUB:	    /* a region's rate is written to its members */
		add_byte(ret, BYTE_REGIONS);
		return add_memdev(ret, c->object, e);
	default:
		return add_memdev(ret, c->object, e);
	}
}

/* Locks already taken are not kept while waiting: two changes could wait for each other. */
static void unlock_all(int fd)
{
	struct flock l = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

	(void)fcntl(fd, F_OFD_SETLK, &l);
}

/* @ret_byte: the one that another process or thread has */
static int lock_all(int fd, const struct lock_bytes *l, off_t *ret_byte)
{
	int r;

	for (size_t i = 0; i < l->n; i++) {
		r = lock_file_lock(fd, l->bytes[i]);
		if (r < 0) {
			*ret_byte = l->bytes[i];
			unlock_all(fd);
			return r;
		}
	}
	return 0;
}

static int lock_within(int fd, const struct lock_bytes *l, off_t *ret_byte)
{
	const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
	const uint64_t deadline = clock_monotonic_ms() + CHANGE_LOCK_MS;
	int r = lock_all(fd, l, ret_byte);

	while (lock_file_is_taken(r) && clock_monotonic_ms() < deadline) {
		(void)nanosleep(&pause, NULL);
		r = lock_all(fd, l, ret_byte);
	}
	return r;
}

static int lock_error(int r, off_t byte, struct error *e)
{
	if (!lock_file_is_taken(r))
		return error_set(e, r, "the lock of changes cannot be taken: %s", strerror(-r));
	if (byte == BYTE_REGIONS)
		return error_set(
			e, EBUSY,
			"regions or memory of this host are being changed by another request or program; repeat it when that has ended");
	return error_set(
		e, EBUSY,
		"mem%lld is being changed by another request or program; repeat it when that has ended",
		(long long)(byte - BYTE_MEMDEV_0));
}

int change_lock_take_in(const char *directory, const struct change *c, struct change_lock *ret,
			struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct lock_bytes bytes = {0};
	off_t byte = 0;
	int r = lock_bytes_of(c, &bytes, e);

	ret->fd = -1;
	if (r < 0)
		return r;
	fd = lock_file_open(directory);
	if (fd < 0)
		return error_set(e, fd, "%s/lock, the lock of changes, cannot be opened: %s",
				 directory, strerror(-fd));
	r = lock_within(fd, &bytes, &byte);
	if (r < 0)
		return lock_error(r, byte, e);
	ret->fd = STEAL_FD(fd);
	return 0;
}

int change_lock_take(const struct change *c, struct change_lock *ret, struct error *e)
{
	return change_lock_take_in(CHANGE_LOCK_DIRECTORY, c, ret, e);
}

void change_lock_release(struct change_lock *l)
{
	cleanup_close(&l->fd);
	l->fd = -1;
}
