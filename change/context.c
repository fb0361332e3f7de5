// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

void change_report(const struct change_context *x, const char *part, uint64_t done, uint64_t total,
		   const char *unit)
{
	struct change_progress p = {.done = done, .total = total};

	if (!x->progress)
		return;
	(void)snprintf(p.unit, sizeof(p.unit), "%s", unit);
	(void)snprintf(p.part, sizeof(p.part), "%s", part ? part : "");
	x->progress(x->userdata, &p);
}

bool change_is_cancelled(const struct change_context *x)
{
	return x->cancelled && x->cancelled(x->userdata);
}

const struct memdev *change_find_memdev(const struct host *host, const struct change *c,
					struct change_result *ret)
{
	const struct memdev *m = host_memdev(host, c->object);
	struct change_memdev wanted = {.serial = c->identity};

	memcpy(wanted.place, c->place, sizeof(wanted.place));
	if (!m) {
		(void)change_result_set(
			ret, ENOENT, CHANGE_REFUSED,
			"there is no memory device %s on this host; it may have been removed",
			c->object);
		return NULL;
	}
	if (!change_memdev_is(&wanted, m)) {
		(void)change_result_set(
			ret, ESTALE, CHANGE_REFUSED,
			"%s is another memory device now: look at it, and repeat the request if it is still meant",
			c->object);
		return NULL;
	}
	return m;
}

const struct region *change_find_region(const struct host *host, const struct change *c,
					struct change_result *ret)
{
	const struct region *r = host_region(host, c->object);

	if (!r) {
		(void)change_result_set(
			ret, ENOENT, CHANGE_REFUSED,
			"there is no region %s on this host; it may have been destroyed",
			c->object);
		return NULL;
	}
	if (c->identity != 0 && r->inode != c->identity) {
		(void)change_result_set(
			ret, ESTALE, CHANGE_REFUSED,
			"%s is another region now: look at it, and repeat the request if it is still meant",
			c->object);
		return NULL;
	}
	return r;
}

int change_write_at(int dirfd, const char *name, const char *value)
{
	_cleanup_close_ int fd = openat(dirfd, name, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, value, strlen(value)) < 0 ? -errno : 0;
}

int change_refuse(const struct memdev *m, const struct error *e, struct change_result *ret)
{
	return change_result_set(ret, e->code, CHANGE_REFUSED, "%s: %s", m->name, e->text);
}

int change_write(const struct host_root *root, const char *path, const char *value)
{
	return root->captured ? -EROFS : change_write_at(AT_FDCWD, path, value);
}
