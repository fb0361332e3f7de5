// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A library for LD_PRELOAD that lets one write to sysfs fail, or ends or stops the process before it:
 *
 *	FAIL_WRITE=3 FAIL_WRITE_BY=kill|stop|EIO FAIL_WRITE_LOG=FILE LD_PRELOAD=fail_write.so PROGRAM
 *
 * Writes are numbered from 1, of all threads together; those to /sys/bus/cxl/flush, by which libcxl waits for
 * the kernel, are not counted. FILE gets the path of each, a line for each. Each of the three variables can be
 * missing. FLIP_CLEAR=0x100 has a device clear poison at another DPA than the program says, with these bits
 * flipped: as one whose rule is not that of the program. By strace a program that reads all of sysfs would take minutes on an emulated processor.
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
	/* To this thread: as a signal of the process another one may take it, while this one writes. */
	if (by && strcmp(by, "stop") == 0)
		return raise(SIGSTOP) != 0;
	return true;
}

/* Return: what is written instead: another DPA, or 0. */
static size_t flipped(const char *path, const void *data, size_t len, char text[static 32])
{
	const char *bits = getenv("FLIP_CLEAR"), *name = strrchr(path, '/');

	if (!bits || !name || strcmp(name, "/clear_poison") != 0 || len >= 32)
		return 0;
	memcpy(text, data, len);
	text[len] = '\0';
	return (size_t)snprintf(text, 32, "0x%llx", strtoull(text, NULL, 0) ^ strtoull(bits, NULL, 0));
}

ssize_t write(int fd, const void *data, size_t len)
{
	char path[PATH_MAX], text[32];
	size_t n;

	if (is_counted(fd, path)) {
		record(path);
		n = flipped(path, data, len, text);
		if (n)
			return syscall(SYS_write, fd, text, n) == (ssize_t)n ? (ssize_t)len : -1;
		if (fails()) {
			errno = EIO;
			return -1;
		}
	}
	return syscall(SYS_write, fd, data, len);
}
