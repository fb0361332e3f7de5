// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/sql_file.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"

enum { NAME_MAX_LEN = SQL_PATH_MAX + 16 };

int sql_file_create(const char *path, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return error_set(e, EBADMSG, "%s is not a regular file", path);
	/* Not opened when it exists: closing it would release the locks of our readers. */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno != EEXIST)
		return error_set(e, errno, "cannot create %s: %s", path, strerror(errno));
	return 0;
}

int sql_file_lock(const char *path, struct error *e)
{
	char name[NAME_MAX_LEN];
	_cleanup_close_ int fd = -1;

	(void)snprintf(name, sizeof(name), "%s.lock", path);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_set(e, errno, "cannot open %s: %s", name, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return error_set(e, errno == EWOULDBLOCK ? EBUSY : errno,
				 "%s is in use by another process", path);
	return STEAL_FD(fd);
}

bool sql_file_has_log(const char *path)
{
	char name[NAME_MAX_LEN];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s-wal", path);
	return stat(name, &st) == 0 && st.st_size > 0;
}

uint64_t sql_file_noted(int lock_fd)
{
	uint64_t number;

	return pread(lock_fd, &number, sizeof(number), 0) == sizeof(number) ? le64toh(number) : 0;
}

void sql_file_note(int lock_fd, uint64_t number)
{
	number = htole64(number);
	(void)!pwrite(lock_fd, &number, sizeof(number), 0);
}

int sql_file_identify(const char *path, struct sql_file_id *ret)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	*ret = (struct sql_file_id){st.st_dev, st.st_ino};
	return 0;
}

bool sql_file_is(const char *path, const struct sql_file_id *id)
{
	struct sql_file_id now;

	return sql_file_identify(path, &now) == 0 && now.dev == id->dev && now.ino == id->ino;
}
