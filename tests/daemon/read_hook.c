// SPDX-License-Identifier: LGPL-2.1-or-later
#undef _FORTIFY_SOURCE /* it defines an inline function of this name */
#include "tests/daemon/read_hook.h"

#include <errno.h>
#include <unistd.h>

void (*_Atomic read_hook_before)(int fd);
void (*_Atomic read_hook_after)(int fd);

ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	void (*hook)(int fd) = read_hook_before;
	ssize_t n;
	int error;

	if (hook)
		hook(fd);
	n = __real_read(fd, buf, len);
	error = errno;
	hook = read_hook_after;
	if (n > 0 && hook)
		hook(fd);
	errno = error;
	return n;
}
