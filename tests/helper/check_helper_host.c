// SPDX-License-Identifier: LGPL-2.1-or-later
/* The host as an ordinary user reads it: by the helper all of it, and without it a part. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "helper/server.h"
#include "opener/opener.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

/* The result of the child process, as its exit status. */
enum { COMPLETE, PARTIAL, DENIED, OTHER };

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_len = sizeof(address);

static void make_private(const char *path)
{
	ck_assert_msg(fchmodat(tree, path, 0400, 0) == 0, "%s", path);
}

static void setup(void)
{
	tree_setup();
	make_private(DECODER4_0 "/start");
	make_private(DECODER4_0 "/size");
	make_private(DECODER4_0 "/dpa_resource");
	make_private(ENDPOINT4 "/CDAT");
	make_private(PCI_MEM0 "/config");
}

static const struct decoder *find_decoder(const struct host *h)
{
	for (size_t i = 0; i < h->n_decoders; i++)
		if (strcmp(h->decoders[i]->name, "decoder4.0") == 0)
			return h->decoders[i];
	return NULL;
}

/* Return: what an ordinary user reads of the machine. */
static int read_as_user(bool helper)
{
	_cleanup_close_ int top = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct host_root live = {.dirfd = top};
	const struct decoder *d;
	const struct host *h;
	struct error e = {0};

	if (setgid(ORDINARY_USER) < 0 || setuid(ORDINARY_USER) < 0)
		return OTHER;
	if (helper) {
		if (opener_new((struct sockaddr *)&address, address_len, OPENER_SHARED,
			       &live.opener) < 0)
			return OTHER;
		opener_set_up(live.opener, true);
	}
	if (host_read(&live, &h, &e) < 0)
		return OTHER;
	d = find_decoder(h);
	if (!d)
		return OTHER;
	if (d->start.present && d->size.present && d->dpa_resource.present)
		return d->port->n_cdat > 0 ? COMPLETE : PARTIAL;
	return d->start.present || d->size.present ? PARTIAL : DENIED;
}

static void serve(struct server *s, int listener)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		(void)poll(&p, 1, -1);
		(void)server_accept(s, listener);
	}
}

/* This process loses the right to be another user when it enters the captured host. */
static int follow_and_read(int ready, bool helper)
{
	_cleanup_close_ int ns = -1;
	char path[64], byte;

	if (read(ready, &byte, 1) != 1)
		return OTHER;
	(void)snprintf(path, sizeof(path), "/proc/%d/ns/mnt", getppid());
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNS) < 0)
		return OTHER;
	return read_as_user(helper);
}

static int listen_somewhere(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &address_len), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	return fd;
}

/* Return: what a child process that is an ordinary user finds. */
static int run(bool helper)
{
	static struct files helper_files;
	static struct server server = {.serve = request_serve, .userdata = &helper_files};
	int status = 0, ready[2], listener = listen_somewhere();
	pid_t served, user;

	ck_assert_int_eq(pipe(ready), 0);
	user = fork();
	if (user == 0)
		_exit(follow_and_read(ready[0], helper));
	enter();
	helper_files =
		(struct files){.root = open("/", O_PATH | O_CLOEXEC), .any_filesystem = true};
	server.users[0] = ORDINARY_USER;
	server.n_users = 1;
	served = fork();
	if (served == 0)
		serve(&server, listener);
	ck_assert_int_eq(write(ready[1], "", 1), 1);
	ck_assert_int_eq(waitpid(user, &status, 0), user);
	(void)kill(served, SIGKILL);
	(void)waitpid(served, NULL, 0);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(an_ordinary_user_reads_the_whole_host_by_the_helper)
{
	ck_assert_int_eq(run(true), COMPLETE);
}
END_TEST

START_TEST(without_the_helper_what_only_root_may_read_is_absent)
{
	ck_assert_int_eq(run(false), DENIED);
}
END_TEST

SUITE(check_helper_host)
{
	Suite *s = suite_create("host by the helper");
	TCase *tc = tcase_create("host");

	if (geteuid() != 0) {
		puts("SKIP: only root can be another user");
		return NULL;
	}
	tcase_add_checked_fixture(tc, setup, tree_teardown);
	tcase_add_test(tc, an_ordinary_user_reads_the_whole_host_by_the_helper);
	tcase_add_test(tc, without_the_helper_what_only_root_may_read_is_absent);
	suite_add_tcase(s, tc);
	return s;
}
