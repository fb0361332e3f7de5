// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * serve_memory SOCKET [switch]: the host of memory_fixture.h, where all changes are allowed and
 * none is made, with a log, or that of remote_fixture.h, whose switch can be changed, at a Unix
 * socket, until the standard input ends. A captured host shows no action that changes something.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "common/strutil.h"
#include "http/server.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/memory_fixture.h"
#include "tests/lib/remote_fixture.h"

static struct log_fixture l;

static const char *path_of_socket;

static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	ck_assert_uint_lt(strlen(path), sizeof(address.sun_path));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	(void)unlink(path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	return fd;
}

static void serve(struct service *s)
{
	const struct http_server_options o = {
		.handler = &service_handler, .userdata = s, .limits = &http_limits_default};
	struct http_server *server;
	char c;

	ck_assert_int_eq(http_server_new(&o, listen_at(path_of_socket), &server, NULL), 0);
	(void)puts("ready");
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	(void)service_stop(s, 10000);
	http_server_end(server);
	(void)http_server_free(server);
}

/* The fixtures can be used in a test only. */
START_TEST(memory_until_the_input_ends)
{
	log_init(&l);
	make_memory(&l.f);
	log_ready(&l);
	serve(l.f.service);
	log_done(&l);
	mf.client = change_client_free(mf.client);
}
END_TEST

START_TEST(switch_until_the_input_ends)
{
	start_remote();
	remote.readings->may_change = true;
	fixture_ready(&f);
	serve(f.service);
	stop_remote();
}
END_TEST

int main(int argc, char **argv)
{
	const bool of_switch = argc == 3 && str_equal(argv[2], "switch");
	Suite *s = suite_create("serve memory");
	TCase *t = tcase_create("serve");
	SRunner *r = srunner_create(s);
	int failed;

	if (argc != 2 && !of_switch)
		return 2;
	path_of_socket = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	suite_add_tcase(s, t);
	if (of_switch)
		tcase_add_test(t, switch_until_the_input_ends);
	else
		tcase_add_test(t, memory_until_the_input_ends);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
