// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-reload SOCKET: lets the service of this socket read its configuration again, and
// waits for the result, so that `systemctl reload` fails when the configuration is refused.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "daemon/reload.h"

/* Return: the connection, or a negative errno. */
static int service_connect(const char *path)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = -1;

	if (strlen(path) >= sizeof(sun.sun_path))
		return -ENAMETOOLONG;
	memcpy(sun.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&sun, sizeof(sun)) < 0)
		return -errno;
	return STEAL_FD(fd);
}

/* The result, as in reload.h. Return: whether there is one. */
static bool result_read(int fd, char line[static RELOAD_LINE_MAX])
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, line + len, RELOAD_LINE_MAX - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	line[len] = '\0';
	return len >= 2 && line[1] == ' ';
}

int main(int argc, char **argv)
{
	_cleanup_close_ int fd = -1;
	char line[RELOAD_LINE_MAX];

	log_setup("cxl-redfish-reload", LOG_LEVEL_INFO);
	if (argc != 2) {
		(void)fputs("usage: cxl-redfish-reload SOCKET\n", stderr);
		return 2;
	}
	fd = service_connect(argv[1]);
	if (fd < 0)
		log_err("cannot reach the service at %s: %s", argv[1], strerror(-fd));
	else if (!result_read(fd, line))
		log_err("the service ended before the configuration was reloaded");
	else if (line[0] != '0')
		log_err("the configuration remains as it was: %s", line + 2);
	else
		return EXIT_SUCCESS;
	return EXIT_FAILURE;
}
