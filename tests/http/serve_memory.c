// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * serve_memory SOCKET: the host of memory_fixture.h, where all changes are allowed and none is
 * made, with a log, at a Unix socket, until the standard input ends. A captured host shows none of
 * that.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "http/server.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/memory_fixture.h"

static struct log_fixture l;

static struct http_server *serve(const char *path)
{
	const struct http_server_options o = {.handler = &service_handler,
					      .userdata = l.f.service,
					      .limits = &http_limits_default};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct http_server *server;

	ck_assert_uint_lt(strlen(path), sizeof(address.sun_path));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	(void)unlink(path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
	return server;
}

static const char *path_of_socket;

/* The fixtures can be used in a test only. */
START_TEST(until_the_input_ends)
{
	struct http_server *server;
	char c;

	log_init(&l);
	make_memory(&l.f);
	log_ready(&l);
	server = serve(path_of_socket);
	(void)puts("ready");
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	(void)service_stop(l.f.service, 10000);
	http_server_end(server);
	(void)http_server_free(server);
	log_done(&l);
	mf.client = change_client_free(mf.client);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("serve memory");
	TCase *t = tcase_create("serve");
	SRunner *r = srunner_create(s);
	int failed;

	if (argc != 2)
		return 2;
	path_of_socket = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	suite_add_tcase(s, t);
	tcase_add_test(t, until_the_input_ends);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
