// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/http_client.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <check.h>

#include "tests/lib/wait.h"

int http_client_send(const struct sockaddr_un *address, const char *text)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct timeval wait = {.tv_sec = WAIT_MAX_MS / 1000};

	ck_assert_int_eq(connect(fd, (const struct sockaddr *)address, sizeof(*address)), 0);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (text[0])
		ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
	return fd;
}

const char *http_client_receive(int fd)
{
	static _Thread_local char text[4096];
	size_t len = 0;
	ssize_t n;

	while ((n = recv(fd, text + len, sizeof(text) - 1 - len, 0)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	(void)close(fd);
	return text;
}
