// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/state_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"

static int cannot_create(const char *path, int error, struct error *e)
{
	return error_set(e, error, "cannot create the state directory %s: %s", path,
			 strerror(error));
}

static int check(const char *path, struct error *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, errno, "cannot open the state directory %s: %s", path,
				 strerror(errno));
	if (st.st_uid != geteuid())
		return error_set(e, EPERM, "the state directory %s belongs to another user", path);
	if (st.st_mode & (S_IWOTH | S_IWGRP))
		return error_set(
			e, EPERM,
			"the state directory %s can be written by other users; set its mode to 0700",
			path);
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return error_set(e, errno, "cannot write to the state directory %s: %s", path,
				 strerror(errno));
	return 0;
}

int state_directory_check(const char *path, struct error *e)
{
	_cleanup_free_ char *copy = NULL;

	if (access(path, F_OK) == 0 || errno != ENOENT)
		return check(path, e);
	copy = strdup(path);
	if (!copy)
		return error_set(e, ENOMEM, "out of memory");
	return access(dirname(copy), W_OK | X_OK) < 0 ? cannot_create(path, errno, e) : 0;
}

int state_directory_prepare(const char *path, struct error *e)
{
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return cannot_create(path, errno, e);
	return check(path, e);
}
