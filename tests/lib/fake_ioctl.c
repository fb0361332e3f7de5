// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/fake_ioctl.h"

#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int (*fake_ioctl)(int fd, unsigned long request, void *arg);

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fake_ioctl)
		return fake_ioctl(fd, request, arg);
	return (int)syscall(SYS_ioctl, fd, request, arg);
}
