// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/small_disk.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_map(const char *path, unsigned int id)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	char text[32];
	const int len = snprintf(text, sizeof(text), "%u %u 1", id, id);
	const bool written = fd >= 0 && write(fd, text, (size_t)len) == len;

	if (fd >= 0)
		(void)close(fd);
	return written;
}

bool small_disk_mount(const char *where, size_t bytes)
{
	const unsigned int uid = geteuid();
	char options[64];

	(void)snprintf(options, sizeof(options), "size=%zu,mode=0700", bytes);
	if (unshare(CLONE_NEWNS) < 0 &&
	    (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || !write_map("/proc/self/uid_map", uid)))
		return false;
	return mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", where, "tmpfs", 0, options) == 0;
}

bool small_disk_possible(void)
{
	const pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		_exit(small_disk_mount(".", 1 << 20) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
