// SPDX-License-Identifier: LGPL-2.1-or-later
#undef _FORTIFY_SOURCE /* it defines inline functions with names of these */
#include "tests/change/fake_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/strutil.h"

/* The name of the file that is opened instead: its descriptor remembers the path. */
#define NAME_PREFIX "attribute:"

enum { NAME_MAX_BYTES = 249 }; /* of a memfd */

int (*fake_attribute_write)(const char *path, const char *value);
const char *fake_panic_on_warn;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int dirfd, const char *path, int flags, ...);
int __wrap_openat(int dirfd, const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);

static bool is_attribute(const char *path, int flags)
{
	return fake_attribute_write && (flags & O_ACCMODE) == O_WRONLY &&
	       str_after_prefix(path, "/sys/");
}

/* The path of a file that is written in an open directory of /sys; @path otherwise. */
static const char *whole_path(int dirfd, const char *path, int flags, char buf[PATH_MAX])
{
	char link[64];
	ssize_t n;

	if (!fake_attribute_write || path[0] == '/' || (flags & O_ACCMODE) != O_WRONLY)
		return path;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
	n = readlink(link, buf, PATH_MAX - NAME_MAX_BYTES);
	if (n < 0)
		return path;
	(void)snprintf(buf + n, NAME_MAX_BYTES, "/%s", path);
	return buf;
}

static bool is_panic_on_warn(const char *path)
{
	return fake_panic_on_warn && strstr(path, "sys/kernel/panic_on_warn");
}

/* Not a file of /sys, so that its name is not taken for one. */
static int open_text(const char *text)
{
	const int fd = memfd_create("text", MFD_CLOEXEC);

	ck_assert_int_eq(__real_write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static int open_attribute(const char *path)
{
	char name[NAME_MAX_BYTES];

	ck_assert_uint_lt(strlen(path) + sizeof(NAME_PREFIX), sizeof(name));
	(void)snprintf(name, sizeof(name), NAME_PREFIX "%s", path);
	return memfd_create(name, MFD_CLOEXEC);
}

/* Return: the path of an attribute, in @buf; NULL: it is another file. */
static const char *attribute_of(int fd, char buf[PATH_MAX])
{
	char link[64], *end;
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, buf, PATH_MAX - 1);
	if (n < 0)
		return NULL;
	buf[n] = '\0';
	end = strstr(buf, " (deleted)");
	if (end)
		*end = '\0';
	return str_after_prefix(buf, "/memfd:" NAME_PREFIX);
}

int __wrap_open(const char *path, int flags, ...)
{
	unsigned int mode;
	va_list ap;

	va_start(ap, flags);
	mode = va_arg(ap, unsigned int);
	va_end(ap);
	return is_attribute(path, flags) ? open_attribute(path) : __real_open(path, flags, mode);
}

int __wrap_openat(int dirfd, const char *path, int flags, ...)
{
	char buf[PATH_MAX];
	const char *whole = whole_path(dirfd, path, flags, buf);
	unsigned int mode;
	va_list ap;

	va_start(ap, flags);
	mode = va_arg(ap, unsigned int);
	va_end(ap);
	if (is_panic_on_warn(path))
		return open_text(fake_panic_on_warn);
	return is_attribute(whole, flags) ? open_attribute(whole)
					  : __real_openat(dirfd, path, flags, mode);
}

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	char buf[PATH_MAX];
	const char *path = fake_attribute_write ? attribute_of(fd, buf) : NULL;
	_cleanup_free_ char *value = NULL;
	int r;

	if (!path)
		return __real_write(fd, data, len);
	value = strndup(data, len);
	ck_assert_ptr_nonnull(value);
	r = fake_attribute_write(path, value);
	errno = -r;
	return r < 0 ? -1 : (ssize_t)len;
}
