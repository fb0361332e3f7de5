// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of the live host: drivers of dax devices by libdaxctl, memory blocks by their
// attributes. libdaxctl writes those of a whole device in one call that cannot be cancelled, says
// nothing of its progress, and leaves what it did when a block fails; so each block is written
// here.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <daxctl/libdaxctl.h>

#include "change/memory_steps.h"
#include "common/cleanup.h"
#include "common/clock.h"

enum {
	/* A block of 2 GiB in full use takes seconds to be emptied. Without room elsewhere the
	 * kernel tries for ever, until the process that wrote the attribute gets a signal. */
	BLOCK_MS = 120 * 1000,
	CANCEL_POLL_MS = 100,
	BLOCK_PATH_MAX = 64,
};

/* ---- memory blocks ----------------------------------------------------------------------------
 */

static int live_read_blocks(const struct change_context *x, const struct dax_device *d,
			    struct dax_blocks *ret)
{
	return dax_blocks_read(x->root->dirfd, d, ret);
}

static const char *block_command(enum block_state state)
{
	switch (state) {
	case BLOCK_MOVABLE:
		return "online_movable";
	case BLOCK_KERNEL:
		return "online_kernel";
	default:
		return "offline";
	}
}

/* Return: the status of the child; 0 when it is not known, and the block has to be looked at. */
static int child_status(pid_t pid)
{
	int status = 0;
	pid_t r;

	do
		r = waitpid(pid, &status, 0);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

/* Waits for the child; kills it when it is to end. Return: 0, or why it was killed. */
static int child_wait(const struct change_context *x, int pidfd, pid_t pid, bool can_cancel)
{
	const uint64_t until = clock_monotonic_ms() + BLOCK_MS;
	struct pollfd p = {.fd = pidfd, .events = POLLIN};

	for (;;) {
		if (poll(&p, 1, CANCEL_POLL_MS) > 0)
			return 0;
		if (can_cancel && change_is_cancelled(x)) {
			(void)kill(pid, SIGKILL);
			return -ECANCELED;
		}
		if (clock_monotonic_ms() > until) {
			(void)kill(pid, SIGKILL);
			return -ETIMEDOUT;
		}
	}
}

/*
 * A child writes the attribute, because only a signal ends the write of one that the kernel cannot
 * empty. Between fork() and _exit() it makes two system calls: other threads may hold locks.
 */
static int write_by_child(const struct change_context *x, int fd, const char *text, bool can_cancel)
{
	const size_t len = strlen(text);
	_cleanup_close_ int pidfd = -1;
	int r, status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(write(fd, text, len) < 0 ? errno & 0xff : 0);
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	/* Without one it is waited for as long as it takes. */
	r = pidfd < 0 ? 0 : child_wait(x, pidfd, pid, can_cancel);
	status = child_status(pid);
	return r < 0 && status != 0 ? r : -status;
}

static int live_set_block(const struct change_context *x, uint64_t number, enum block_state state,
			  bool can_cancel)
{
	char path[BLOCK_PATH_MAX];
	_cleanup_close_ int fd = -1;
	enum block_state now;
	int r;

	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%llu/state",
		       (unsigned long long)number);
	fd = openat(x->root->dirfd, path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	r = write_by_child(x, fd, block_command(state), can_cancel);
	if (r < 0)
		return r;
	r = memory_block_state(x->root->dirfd, number, &now);
	if (r < 0)
		return r;
	return now == state ? 0 : -EBUSY;
}

/* ---- drivers ----------------------------------------------------------------------------------
 */

static struct daxctl_dev *find_device(struct daxctl_ctx *ctx, const char *name)
{
	struct daxctl_region *region;
	struct daxctl_dev *dev;

	daxctl_region_foreach(ctx, region)
	{
		daxctl_dev_foreach(region, dev)
		{
			if (strcmp(daxctl_dev_get_devname(dev), name) == 0)
				return dev;
		}
	}
	return NULL;
}

static int switch_driver(struct daxctl_dev *dev, enum dax_mode mode)
{
	int r = daxctl_dev_is_enabled(dev) ? daxctl_dev_disable(dev) : 0;

	if (r < 0 || mode == DAX_MODE_UNKNOWN)
		return r;
	return mode == DAX_MODE_DEVDAX ? daxctl_dev_enable_devdax(dev) : daxctl_dev_enable_ram(dev);
}

/*
 * When kmem is unbound while a block is online, the memory stays in use without a driver, and the
 * next driver takes it from its users. libdaxctl does not look.
 */
static int refuse_online(const struct change_context *x, const struct dax_device *d)
{
	struct dax_blocks blocks = {0};
	const int r = dax_blocks_read(x->root->dirfd, d, &blocks);
	const bool online = dax_blocks_count(&blocks, BLOCK_OFFLINE) < blocks.n;

	dax_blocks_done(&blocks);
	return r < 0 ? r : online ? -EBUSY : 0;
}

/* libdaxctl knows only devices with a node in /dev. A context is a snapshot, so each call has one.
 */
static int live_set_mode(const struct change_context *x, const struct dax_device *d,
			 enum dax_mode mode)
{
	struct daxctl_ctx *ctx;
	struct daxctl_dev *dev;
	int r = daxctl_new(&ctx);

	if (r < 0)
		return r;
	dev = find_device(ctx, d->name);
	r = dev ? refuse_online(x, d) : -ENODEV;
	if (r == 0)
		r = switch_driver(dev, mode);
	daxctl_unref(ctx);
	return r;
}

const struct memory_access memory_access_live = {
	.read_blocks = live_read_blocks,
	.set_block = live_set_block,
	.set_mode = live_set_mode,
};
