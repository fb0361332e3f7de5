// SPDX-License-Identifier: LGPL-2.1-or-later
#include "opener/kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_kept_as(const struct kept_file *f, const struct stat *dir, const char *name)
{
	return f->inode == dir->st_ino && f->dev == dir->st_dev && strcmp(f->name, name) == 0;
}

int kept_files_get(const struct kept_files *k, int dirfd, const char *name)
{
	struct stat dir;
	int fd;

	if (k->n == 0 || fstat(dirfd, &dir) < 0)
		return -ENOENT;
	for (unsigned int i = 0; i < k->n; i++)
		if (is_kept_as(&k->items[i], &dir, name)) {
			fd = fcntl(k->items[i].fd, F_DUPFD_CLOEXEC, 0);
			return fd < 0 ? -ENOENT : fd;
		}
	return -ENOENT;
}

/* Return: whether there can be one more. */
static bool make_room(struct kept_files *k)
{
	struct rlimit files;

	if (!k->items) {
		if (getrlimit(RLIMIT_NOFILE, &files) < 0)
			return false;
		k->max = files.rlim_cur / 4 < KEPT_FILES_MAX ? (unsigned int)files.rlim_cur / 4
							     : KEPT_FILES_MAX;
		k->items = calloc(k->max ? k->max : 1, sizeof(*k->items));
		if (!k->items)
			return false;
	}
	/* Nothing says which of the files belong to devices that still exist. */
	if (k->n == k->max)
		while (k->n > 0)
			(void)close(k->items[--k->n].fd);
	return k->n < k->max;
}

void kept_files_add(struct kept_files *k, int dirfd, const char *name, int fd)
{
	struct kept_file *f;
	struct stat dir;
	int copy;

	if (strlen(name) >= KEPT_NAME_MAX || fstat(dirfd, &dir) < 0 || !make_room(k))
		return;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return;
	f = &k->items[k->n++];
	*f = (struct kept_file){.dev = dir.st_dev, .inode = dir.st_ino, .fd = copy};
	(void)stpcpy(f->name, name);
}

void kept_files_done(struct kept_files *k)
{
	while (k->n > 0)
		(void)close(k->items[--k->n].fd);
	free(k->items);
	*k = (struct kept_files){0};
}
