// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_lock.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/lock_file.h"

enum { RETRY_MS = 5 };

static int lock_within(int fd)
{
	const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
	const uint64_t deadline = clock_monotonic_ms() + PAGE_LOCK_MS;
	int r = lock_file_lock(fd, 0);

	while (lock_file_is_taken(r) && clock_monotonic_ms() < deadline) {
		(void)nanosleep(&pause, NULL);
		r = lock_file_lock(fd, 0);
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
	fd = lock_file_open(directory);
	if (use_privileges)
		use_privileges(false);
	if (fd < 0)
		return error_set(e, fd, "%s/lock, the lock of pages, cannot be opened: %s",
				 directory, strerror(-fd));
	r = lock_within(fd);
	if (lock_file_is_taken(r))
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
