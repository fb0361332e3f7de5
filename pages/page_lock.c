// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"

enum { RETRY_MS = 5 };

/* Return: the descriptor of the file, or a negative errno. */
static int lock_open(const char *directory)
{
	_cleanup_close_ int dirfd = -1;
	int fd;

	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		return -errno;
	dirfd = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dirfd < 0)
		return -errno;
	fd = openat(dirfd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

static int lock_now(int fd)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	return fcntl(fd, F_OFD_SETLK, &l) < 0 ? -errno : 0;
}

static bool lock_is_taken(int r)
{
	return r == -EAGAIN || r == -EACCES;
}

static int lock_within(int fd)
{
	const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
	const uint64_t deadline = clock_monotonic_ms() + PAGE_LOCK_MS;
	int r = lock_now(fd);

	while (lock_is_taken(r) && clock_monotonic_ms() < deadline) {
		(void)nanosleep(&pause, NULL);
		r = lock_now(fd);
	}
	return r;
}

int page_lock_take(const char *directory, void (*use_privileges)(bool on), struct page_lock *ret,
		   struct error *e)
{
	_cleanup_close_ int fd = -1;
	int r;

	ret->fd = -1;
	/* Its file may be root's. */
	if (use_privileges)
		use_privileges(true);
	fd = lock_open(directory);
	if (use_privileges)
		use_privileges(false);
	if (fd < 0)
		return error_set(e, fd, "%s/lock, the lock of pages, cannot be opened: %s",
				 directory, strerror(-fd));
	r = lock_within(fd);
	if (lock_is_taken(r))
		return error_set(
			e, EBUSY,
			"pages of this host are being taken out by another request or program; repeat it when that has ended");
	if (r < 0)
		return error_set(e, r, "the lock of pages cannot be taken: %s", strerror(-r));
	ret->fd = STEAL_FD(fd);
	return 0;
}

void page_lock_release(struct page_lock *l)
{
	cleanup_close(&l->fd);
	l->fd = -1;
}
