// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/unit_defaults.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "daemon/unit_sockets.h"

#define UNIT_USER    "cxl-redfish"
#define DEFAULT_TCP  "http://127.0.0.1:8000"
#define DEFAULT_TCP6 "http://[::1]:8000"

bool unit_is_service(void)
{
	char pid[16];

	(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return str_equal(secure_getenv("SYSTEMD_EXEC_PID"), pid);
}

bool unit_restarts(void)
{
	uint64_t status;
	const char *text = secure_getenv(UNIT_RESTART_VARIABLE);

	return text && parse_u64(text, &status) == 0 && status == UNIT_EXIT_RESTART &&
	       secure_getenv("NOTIFY_SOCKET") && unit_is_service();
}

int unit_become_user(struct error *e)
{
	const struct passwd *user = geteuid() == 0 ? getpwnam(UNIT_USER) : NULL;

	if (!user)
		return 0;
	if (initgroups(UNIT_USER, user->pw_gid) < 0 || setgid(user->pw_gid) < 0 ||
	    setuid(user->pw_uid) < 0)
		return error_set(e, errno, "cannot become the user " UNIT_USER ": %s",
				 strerror(errno));
	return 0;
}

/* The path of a file in the directory that a variable of systemd names, in @ret. */
static bool path_in(const char *variable, const char *prefix, const char *file,
		    char ret[static PATH_MAX])
{
	const char *directory = secure_getenv(variable);
	int n;

	/* Several directories are separated by colons: then none of them is meant. */
	if (!directory || directory[0] != '/' || strchr(directory, ':'))
		return false;
	n = snprintf(ret, PATH_MAX, "%s%s/%s", prefix, directory, file);
	if (n > 0 && n < PATH_MAX)
		return true;
	ret[0] = '\0';
	return false;
}

/* The unit sets an empty line where there is no file with a password. */
static bool has_text(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	unsigned char first = '\n';

	return fd >= 0 && read(fd, &first, 1) == 1 && !isspace(first);
}

const char *unit_password_file(void)
{
	static char path[PATH_MAX];

	/* Unchanged after the first call: the configuration in use may refer to it. */
	if (!path[0] && !path_in("CREDENTIALS_DIRECTORY", "", "password", path))
		return NULL;
	return has_text(path) ? path : NULL;
}

const char *unit_reload_socket(void)
{
	static char spec[PATH_MAX];

	return path_in("RUNTIME_DIRECTORY", "unix:", "reload", spec) ? spec : NULL;
}

void unit_add_listeners(struct option_list *listeners)
{
	static char socket[PATH_MAX];

	if (!socket[0] && !path_in("RUNTIME_DIRECTORY", "unix:", "redfish.sock", socket))
		return;
	listeners->items[listeners->n++] = socket;
	listeners->items[listeners->n++] = DEFAULT_TCP;
	if (unit_socket_find(DEFAULT_TCP6) >= 0)
		listeners->items[listeners->n++] = DEFAULT_TCP6;
}
