// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/dax_wait.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

#define DEVICES "sys/bus/cxl/devices"

enum { POLL_MS = 10, PATH_BYTES = 2 * CHANGE_NAME_MAX + sizeof(DEVICES) + 16 };

/* Return: NULL when there is none. */
static DIR *open_directory(const struct change_context *x, const char *path)
{
	const int fd = openat(x->root->dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		(void)close(fd);
	return d;
}

static bool is_dax_device(const char *name)
{
	const char *number = str_after_prefix(name, "dax");

	return number && *number >= '0' && *number <= '9' && strchr(number, '.');
}

static bool has_driver(DIR *d, const char *device)
{
	char path[NAME_MAX + sizeof("/driver")];

	(void)snprintf(path, sizeof(path), "%s/driver", device);
	return faccessat(dirfd(d), path, F_OK, 0) == 0;
}

/* The kernel makes the dax region together with the enabled region; its device comes later. */
static bool is_complete(const struct change_context *x, const char *region)
{
	char path[PATH_BYTES];
	_cleanup_closedir_ DIR *d = NULL;
	const struct dirent *entry;

	(void)snprintf(path, sizeof(path), DEVICES "/%.31s/dax_%.31s", region, region);
	d = open_directory(x, path);
	if (!d)
		return true;
	while ((entry = readdir(d)))
		if (is_dax_device(entry->d_name))
			return has_driver(d, entry->d_name);
	return false;
}

bool dax_wait(const struct change_context *x, const char *region, uint64_t limit_ms)
{
	static const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t start = clock_monotonic_ms();

	while (!is_complete(x, region)) {
		if (clock_monotonic_ms() - start >= limit_ms)
			return false;
		(void)nanosleep(&pause, NULL);
	}
	return true;
}

static bool is_new(const struct host *before, const char *name)
{
	const struct region *r = host_region(before, name);

	return str_after_prefix(name, "region") && !(r && r->enabled);
}

bool dax_wait_new(const struct change_context *x, const struct host *before, uint64_t limit_ms)
{
	_cleanup_closedir_ DIR *d = open_directory(x, DEVICES);
	const struct dirent *entry;
	bool complete = true;

	while (d && complete && (entry = readdir(d)))
		if (is_new(before, entry->d_name))
			complete = dax_wait(x, entry->d_name, limit_ms);
	return complete;
}
