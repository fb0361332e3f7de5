// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A library for LD_PRELOAD that lets one write to sysfs fail, or ends or stops the process before it:
 *
 *	FAIL_WRITE=3 FAIL_WRITE_BY=kill|stop|EIO FAIL_WRITE_LOG=FILE LD_PRELOAD=fail_write.so PROGRAM
 *
 * Writes are numbered from 1, of all threads together; those to /sys/bus/cxl/flush, by which libcxl waits for
 * the kernel, are not counted. FILE gets the path of each, a line for each. Each of the three variables can be
 * missing. By strace a program that reads all of sysfs would take minutes on an emulated processor.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int n_writes;

static bool is_counted(int fd, char path[static PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, PATH_MAX - 1);
	if (n < 0)
		return false;
	path[n] = '\0';
	return strncmp(path, "/sys/", 5) == 0 && strcmp(path, "/sys/bus/cxl/flush") != 0;
}

static void record(const char *path)
{
	const char *file = getenv("FAIL_WRITE_LOG");
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%s\n", path);
	close(fd);
}

/* Return: whether it fails. A write that was stopped is made when the process is continued. */
static bool fails(void)
{
	const char *number = getenv("FAIL_WRITE"), *by = getenv("FAIL_WRITE_BY");

	if (++n_writes != (number ? atoi(number) : 0))
		return false;
	if (by && strcmp(by, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (by && strcmp(by, "stop") == 0)
		return kill(getpid(), SIGSTOP) != 0;
	return true;
}

ssize_t write(int fd, const void *data, size_t len)
{
	char path[PATH_MAX];

	if (is_counted(fd, path)) {
		record(path);
		if (fails()) {
			errno = EIO;
			return -1;
		}
	}
	return syscall(SYS_write, fd, data, len);
}
