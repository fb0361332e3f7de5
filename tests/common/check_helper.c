// SPDX-License-Identifier: LGPL-2.1-or-later
/* Helper processes: their sandbox, their messages, their end and their restart. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/frame.h"
#include "common/helper.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { MESSAGE_MAX = 256, STOP_MS = 300, NEVER_MS = 60 * 60 * 1000 };

/* Replaces fork(), also for common/: it fails with this error when it is not 0. */
static int fork_error;

pid_t fork(void)
{
	pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");

	if (fork_error) {
		errno = fork_error;
		return -1;
	}
	return real();
}

static struct helper helper;

static void setup(void)
{
	fork_error = 0;
	helper_init(&helper, &(struct helper_options){.name = "none"});
}

static void teardown(void)
{
	helper_stop(&helper);
}

static void start_function(int (*run)(void *userdata))
{
	struct helper_options o = {
		.name = "test",
		.run = run,
		.message_max = MESSAGE_MAX,
		.stop_ms = STOP_MS,
	};
	struct error e;

	helper_init(&helper, &o);
	ck_assert_msg(helper_start(&helper, &e) == 0, "%s", e.text);
}

static void start_shell(const char *const *args)
{
	struct helper_options o = {
		.name = "shell",
		.program = "/bin/sh",
		.args = args,
		.message_max = MESSAGE_MAX,
		.stop_ms = STOP_MS,
	};
	struct error e;

	helper_init(&helper, &o);
	ck_assert_msg(helper_start(&helper, &e) == 0, "%s", e.text);
}

/* Return: what helper_receive() returned once there was a message, or the end. */
static int receive(void *buf, size_t min, size_t max, size_t *ret_len)
{
	struct pollfd fd = {.fd = helper.fd, .events = POLLIN};

	ck_assert_int_eq(poll(&fd, 1, NEVER_MS), 1);
	return helper_receive(&helper, buf, min, max, ret_len);
}

static void wait_for_end(void)
{
	struct pollfd fd = {.fd = helper.pidfd, .events = POLLIN};

	ck_assert_int_eq(poll(&fd, 1, NEVER_MS), 1);
}

static size_t count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n;
}

/* Functions of the helpers. */

static int helper_that_echoes(void *userdata)
{
	struct pollfd fd = {.fd = HELPER_FD, .events = POLLIN};
	char buf[MESSAGE_MAX];
	size_t len;
	int r;

	(void)userdata;
	for (;;) {
		(void)poll(&fd, 1, -1);
		r = frame_receive(HELPER_FD, buf, 1, sizeof(buf), &len);
		if (r == -EPIPE)
			return 0;
		if (r == 0 && frame_send_wait(HELPER_FD, buf, len) < 0)
			return 1;
	}
}

static int helper_that_ends(void *userdata)
{
	(void)userdata;
	return 3;
}

static int helper_that_hangs(void *userdata)
{
	(void)userdata;
	(void)signal(SIGTERM, SIG_IGN);
	while (pause() < 0)
		;
	return 0;
}

static int helper_that_babbles(void *userdata)
{
	static const char long_message[MESSAGE_MAX + 1];

	(void)frame_send_wait(HELPER_FD, long_message, sizeof(long_message));
	(void)frame_send_wait(HELPER_FD, long_message, 3);
	(void)frame_send_wait(HELPER_FD, "good", 4);
	return helper_that_hangs(userdata);
}

START_TEST(message_goes_to_the_helper_and_back)
{
	const struct iovec parts[] = {{(void *)"one, ", 5}, {(void *)"two", 3}};
	char buf[MESSAGE_MAX];
	size_t len = 0;

	start_function(helper_that_echoes);
	ck_assert_int_eq(helper_receive(&helper, buf, 1, sizeof(buf), &len), -EAGAIN);
	ck_assert_int_eq(helper_send(&helper, parts, ARRAY_SIZE(parts)), 0);
	ck_assert_int_eq(receive(buf, 1, sizeof(buf), &len), 0);
	ck_assert_uint_eq(len, 8);
	ck_assert_int_eq(memcmp(buf, "one, two", 8), 0);
}
END_TEST

START_TEST(message_longer_than_the_limit_is_not_sent)
{
	static char bytes[MESSAGE_MAX];
	const struct iovec parts[] = {{bytes, sizeof(bytes)}, {bytes, 1}};
	const struct iovec huge = {bytes, SIZE_MAX};

	start_function(helper_that_echoes);
	ck_assert_int_eq(helper_send(&helper, parts, 1), 0);
	ck_assert_int_eq(helper_send(&helper, parts, 2), -E2BIG);
	ck_assert_int_eq(helper_send(&helper, &huge, 1), -E2BIG);
}
END_TEST

START_TEST(oversized_and_short_messages_of_the_helper_are_rejected)
{
	char buf[MESSAGE_MAX];
	size_t len = 99;

	start_function(helper_that_babbles);
	ck_assert_int_eq(receive(buf, 4, sizeof(buf), &len), -EBADMSG);
	ck_assert_int_eq(receive(buf, 4, sizeof(buf), &len), -EBADMSG);
	ck_assert_uint_eq(len, 99);
	ck_assert_int_eq(receive(buf, 4, sizeof(buf), &len), 0);
	ck_assert_uint_eq(len, 4);
}
END_TEST

START_TEST(sending_never_blocks_and_a_full_socket_is_reported)
{
	static char bytes[MESSAGE_MAX];
	const struct iovec part = {bytes, sizeof(bytes)};
	int r = 0;

	start_function(helper_that_hangs);
	for (int i = 0; i < 100000 && r == 0; i++)
		r = helper_send(&helper, &part, 1);
	ck_assert_int_eq(r, -EAGAIN);
}
END_TEST

START_TEST(sending_to_a_helper_that_ended_raises_no_sigpipe)
{
	const struct iovec part = {(void *)"x", 1};
	char buf[MESSAGE_MAX];
	size_t len;

	(void)signal(SIGPIPE, SIG_DFL);
	start_function(helper_that_ends);
	wait_for_end();
	ck_assert_int_eq(helper_send(&helper, &part, 1), -EPIPE);
	ck_assert_int_eq(helper_receive(&helper, buf, 1, sizeof(buf), &len), -EPIPE);
	helper_stop(&helper);
	ck_assert_int_eq(helper_send(&helper, &part, 1), -EPIPE);
	ck_assert_int_eq(helper_receive(&helper, buf, 1, sizeof(buf), &len), -EPIPE);
}
END_TEST

/* If it did not, the test would end by its timeout. */
START_TEST(helper_ends_when_its_socket_is_closed)
{
	start_function(helper_that_echoes);
	helper.options.stop_ms = NEVER_MS;
	helper_stop(&helper);
	ck_assert(!helper_is_running(&helper));
}
END_TEST

START_TEST(helper_that_hangs_at_its_stop_is_killed_in_time)
{
	uint64_t begun, took;
	pid_t pid;

	start_function(helper_that_hangs);
	pid = helper.pid;
	begun = clock_monotonic_ms();
	helper_stop(&helper);
	took = clock_monotonic_ms() - begun;
	ck_assert_uint_ge(took, STOP_MS);
	ck_assert_int_eq(kill(pid, 0), -1);
	ck_assert_int_eq(errno, ESRCH);
	helper_stop(&helper); /* again, without a child */
}
END_TEST

START_TEST(helper_is_killed_without_waiting)
{
	start_function(helper_that_hangs);
	helper.options.stop_ms = NEVER_MS;
	ck_assert(helper_kill(&helper));
	ck_assert(!helper_is_running(&helper));
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(end_of_the_helper_is_known_by_status_or_signal)
{
	int status = -1;

	start_function(helper_that_ends);
	helper.options.stop_ms = NEVER_MS;
	ck_assert(helper_wait(&helper, &status));
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	helper_stop(&helper);
	start_function(helper_that_hangs);
	helper.options.stop_ms = NEVER_MS;
	ck_assert_int_eq(kill(helper.pid, SIGKILL), 0);
	ck_assert(helper_wait(&helper, &status));
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	ck_assert(helper_wait(&helper, &status));
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(helper_that_should_end_and_does_not_is_killed)
{
	int status = -1;

	start_function(helper_that_hangs);
	ck_assert(!helper_wait(&helper, &status));
	ck_assert_int_eq(status, 0);
	ck_assert(!helper_is_running(&helper));
	ck_assert_int_eq(helper.pid, 0);
}
END_TEST

/* pidfd_send_signal(): a process that is blocked in the kernel gets no signal. */
static bool is_blocked;

int __real_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);
int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);

int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags)
{
	return is_blocked ? 0 : __real_pidfd_send_signal(pidfd, sig, info, flags);
}

START_TEST(helper_that_is_blocked_in_the_kernel_delays_once)
{
	uint64_t begun = clock_monotonic_ms();
	struct error e = {0};

	start_function(helper_that_hangs);
	is_blocked = true;
	ck_assert(!helper_kill(&helper));
	ck_assert_uint_ge(clock_monotonic_ms() - begun, HELPER_KILL_MS);
	ck_assert(!helper_is_running(&helper));
	/* At least once all of this takes less: the machine may pause. */
	do {
		begun = clock_monotonic_ms();
		ck_assert(!helper_kill(&helper));
		helper_stop(&helper);
		ck_assert_int_eq(helper_run(&helper, 0, &e), -EBUSY);
		ck_assert_ptr_nonnull(strstr(e.text, "is blocked in the kernel"));
		ck_assert_int_eq(helper_run(&helper, 1, &e), -EAGAIN);
	} while (clock_monotonic_ms() - begun >= HELPER_KILL_MS);
	/* The signal comes later: the next start has its own child. */
	ck_assert_int_eq(kill(helper.pid, SIGKILL), 0);
	wait_for_end();
	ck_assert_int_eq(helper_start(&helper, &e), 0);
	ck_assert(helper_is_running(&helper));
	is_blocked = false;
}
END_TEST

START_TEST(helper_works_where_children_are_not_waited_for)
{
	int status = -1;

	(void)signal(SIGCHLD, SIG_IGN);
	start_function(helper_that_ends);
	wait_for_end();
	ck_assert(helper_wait(&helper, &status));
	ck_assert_int_eq(status, 0);
	helper_stop(&helper);
	start_function(helper_that_hangs);
	helper_stop(&helper);
	ck_assert(!helper_is_running(&helper));
}
END_TEST

/* The clock is a parameter: these tests do not wait. */
START_TEST(restart_of_a_helper_that_ends_at_once_is_deferred_ever_longer)
{
	static const unsigned int delays[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct helper_options o = {.name = "test", .run = helper_that_ends, .message_max = 1};
	uint64_t now = 1000000;
	struct error e;

	helper_init(&helper, &o);
	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		ck_assert_int_eq(helper_run(&helper, now, &e), 0);
		ck_assert(helper_is_running(&helper));
		ck_assert_int_eq(helper_run(&helper, now, &e), 0);
		wait_for_end();
		helper_lost(&helper, now);
		ck_assert(!helper_is_running(&helper));
		ck_assert_uint_eq(helper.due_ms, now + delays[i]);
		ck_assert_int_eq(helper_run(&helper, now + delays[i] - 1, &e), -EAGAIN);
		ck_assert(!helper_is_running(&helper));
		now += delays[i];
	}
	ck_assert_int_eq(helper_run(&helper, now, &e), 0);
	now += HELPER_STABLE_MS;
	helper_lost(&helper, now);
	ck_assert_uint_eq(helper.due_ms, now + delays[0]);
}
END_TEST

START_TEST(helper_that_cannot_be_forked_is_reported_and_deferred)
{
	struct helper_options o = {.name = "test", .run = helper_that_ends, .message_max = 1};
	const size_t before = count_descriptors();
	struct error e = {0};

	helper_init(&helper, &o);
	fork_error = EAGAIN;
	ck_assert_int_eq(helper_run(&helper, 500, &e), -ENOMEM);
	ck_assert_str_eq(e.text, "test cannot be started: fork: Resource temporarily unavailable");
	ck_assert_uint_eq(helper.due_ms, 500 + HELPER_BACKOFF_MS);
	ck_assert(!helper_is_running(&helper));
	ck_assert_uint_eq(count_descriptors(), before);
	fork_error = 0;
	ck_assert_int_eq(helper_run(&helper, helper.due_ms, &e), 0);
}
END_TEST

START_TEST(program_that_cannot_be_executed_is_reported)
{
	struct helper_options o = {.name = "test", .program = "/nowhere/program", .message_max = 1};
	const size_t before = count_descriptors();
	struct error e = {0};

	helper_init(&helper, &o);
	ck_assert_int_eq(helper_start(&helper, &e), -ENOENT);
	ck_assert_str_eq(e.text,
			 "/nowhere/program cannot be started: execve: No such file or directory");
	ck_assert(!helper_is_running(&helper));
	ck_assert_uint_eq(count_descriptors(), before);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

static int prepare_fails(void *userdata, struct error *e)
{
	(void)userdata;
	return error_set(e, ENOPKG, "the library is not installed");
}

START_TEST(failure_to_prepare_a_helper_is_reported_unchanged)
{
	struct helper_options o = {.name = "test",
				   .prepare = prepare_fails,
				   .run = helper_that_ends,
				   .message_max = 1};
	struct error e = {0};

	helper_init(&helper, &o);
	ck_assert_int_eq(helper_start(&helper, &e), -ENOPKG);
	ck_assert_str_eq(e.text, "the library is not installed");
}
END_TEST

START_TEST(starting_and_stopping_leaks_no_descriptor)
{
	size_t before;

	start_function(helper_that_ends);
	helper_stop(&helper);
	before = count_descriptors();
	for (int i = 0; i < 20; i++) {
		start_function(i % 2 ? helper_that_echoes : helper_that_ends);
		helper_stop(&helper);
	}
	ck_assert_uint_eq(count_descriptors(), before);
}
END_TEST

/* The report of a child about itself. */
struct sandbox {
	char descriptors[64]; /* their numbers, each with a blank */
	uint64_t capabilities;
	int no_new_privs, death_signal;
	rlim_t core;
	bool blocks_signals, root_is_given;
};

static void list_descriptors(char *ret, size_t size)
{
	struct stat st;
	size_t n = 0;

	ret[0] = '\0';
	for (int fd = 0; fd < 4096; fd++)
		if (fstat(fd, &st) == 0 && n < size)
			n += (size_t)snprintf(ret + n, size - n, "%d ", fd);
}

static uint64_t permitted_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data) < 0)
		return UINT64_MAX;
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

static int helper_that_looks_around(void *userdata)
{
	struct sandbox s = {0};
	struct rlimit limit = {.rlim_cur = 1};
	sigset_t blocked;

	(void)userdata;
	list_descriptors(s.descriptors, sizeof(s.descriptors));
	s.capabilities = permitted_capabilities();
	s.no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	(void)prctl(PR_GET_PDEATHSIG, &s.death_signal);
	(void)getrlimit(RLIMIT_CORE, &limit);
	s.core = limit.rlim_cur;
	(void)sigprocmask(SIG_SETMASK, NULL, &blocked);
	s.blocks_signals = sigismember(&blocked, SIGUSR1) == 1;
	s.root_is_given = access("/marker", F_OK) == 0;
	(void)frame_send_wait(HELPER_FD, &s, sizeof(s));
	return 0;
}

static struct sandbox look_around(const int *fds, size_t n_fds, int root)
{
	static const struct helper_limit limits[] = {{RLIMIT_CORE, 0}};
	struct helper_options o = {
		.name = "test",
		.run = helper_that_looks_around,
		.n_fds = n_fds,
		.root = root,
		.limits = limits,
		.n_limits = ARRAY_SIZE(limits),
		.message_max = sizeof(struct sandbox),
		.stop_ms = STOP_MS,
	};
	struct sandbox s = {0};
	struct error e;
	size_t len;

	for (size_t i = 0; i < n_fds; i++)
		o.fds[i] = fds[i];
	helper_init(&helper, &o);
	ck_assert_msg(helper_start(&helper, &e) == 0, "%s", e.text);
	ck_assert_int_eq(receive(&s, sizeof(s), sizeof(s), &len), 0);
	return s;
}

START_TEST(helper_has_no_privileges_and_ends_with_its_parent)
{
	struct sandbox s;
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	s = look_around(NULL, 0, 0);
	ck_assert_uint_eq(s.capabilities, 0);
	ck_assert_int_eq(s.no_new_privs, 1);
	ck_assert_int_eq(s.death_signal, SIGKILL);
	ck_assert_uint_eq(s.core, 0);
	ck_assert(!s.blocks_signals);
}
END_TEST

START_TEST(helper_has_only_the_descriptors_that_it_is_given)
{
	int secret = open("/dev/null", O_RDONLY); /* not closed on exec either */
	int given[] = {open("/dev/zero", O_RDONLY), HELPER_FD};
	static const char *const list[] = {"-c", "cd /proc/self/fd && echo * >&3", NULL};
	char buf[MESSAGE_MAX] = "";
	struct sandbox s;
	size_t len;

	/* A descriptor may have the number that the socket is to get. */
	ck_assert_int_ge(dup2(secret, HELPER_FD), 0);
	s = look_around(given, ARRAY_SIZE(given), 0);
	ck_assert_str_eq(s.descriptors, "0 1 2 3 4 5 ");
	helper_stop(&helper);
	start_shell(list);
	ck_assert_int_eq(receive(buf, 1, sizeof(buf) - 1, &len), 0);
	buf[len] = '\0';
	/* Descriptor 3 is open twice while the shell's builtin writes; it reads by another one. */
	ck_assert_msg(strncmp(buf, "0 1 2 3", 7) == 0 && !strstr(buf, "secret"), "%s", buf);
	ck_assert_ptr_null(strstr(buf, " 4 5"));
	(void)close(given[0]);
	(void)close(secret);
}
END_TEST

START_TEST(helper_has_the_root_directory_that_it_is_given)
{
	char path[] = "/tmp/check_helper.XXXXXX";
	struct sandbox s;
	int fd;

	if (geteuid() != 0)
		return; /* an ordinary user may not */
	ck_assert_ptr_nonnull(mkdtemp(path));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(mkdirat(fd, "marker", 0700), 0);
	s = look_around(&fd, 1, HELPER_FD + 1);
	ck_assert(s.root_is_given);
	ck_assert_int_eq(unlinkat(fd, "marker", AT_REMOVEDIR), 0);
	(void)close(fd);
	(void)rmdir(path);
}
END_TEST

START_TEST(program_has_no_privileges)
{
	static const char *const args[] = {
		"-c", "grep -E '^(CapPrm|CapEff|CapAmb|NoNewPrivs)' /proc/self/status >&3", NULL};
	char buf[MESSAGE_MAX] = "";
	size_t len;

	start_shell(args);
	ck_assert_int_eq(receive(buf, 1, sizeof(buf) - 1, &len), 0);
	buf[len] = '\0';
	ck_assert_str_eq(buf, "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"
			      "CapAmb:\t0000000000000000\nNoNewPrivs:\t1\n");
}
END_TEST

START_TEST(as_many_arguments_as_may_be_are_passed)
{
	const char *args[HELPER_ARGS_MAX + 1] = {"-c", "echo $# $1 >&3", "sh"};
	char buf[32], expected[32];
	size_t len = 0;

	for (size_t i = 3; i < HELPER_ARGS_MAX; i++)
		args[i] = "x";
	start_shell(args);
	ck_assert_int_eq(receive(buf, 1, sizeof(buf) - 1, &len), 0);
	buf[len] = '\0';
	(void)snprintf(expected, sizeof(expected), "%d x\n", HELPER_ARGS_MAX - 3);
	ck_assert_str_eq(buf, expected);
}
END_TEST

START_TEST(too_many_arguments_are_refused)
{
	const char *args[HELPER_ARGS_MAX + 2] = {NULL};
	struct helper_options o = {.name = "test", .program = "/bin/true", .args = args};
	struct error e;

	for (size_t i = 0; i <= HELPER_ARGS_MAX; i++)
		args[i] = "x";
	helper_init(&helper, &o);
	ck_assert_int_eq(helper_start(&helper, &e), -E2BIG);
}
END_TEST

SUITE(check_helper)
{
	Suite *s = suite_create("helper");
	TCase *tc = tcase_create("helper");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, message_goes_to_the_helper_and_back);
	tcase_add_test(tc, message_longer_than_the_limit_is_not_sent);
	tcase_add_test(tc, oversized_and_short_messages_of_the_helper_are_rejected);
	tcase_add_test(tc, sending_never_blocks_and_a_full_socket_is_reported);
	tcase_add_test(tc, sending_to_a_helper_that_ended_raises_no_sigpipe);
	tcase_add_test(tc, helper_ends_when_its_socket_is_closed);
	tcase_add_test(tc, helper_that_hangs_at_its_stop_is_killed_in_time);
	tcase_add_test(tc, helper_is_killed_without_waiting);
	tcase_add_test(tc, end_of_the_helper_is_known_by_status_or_signal);
	tcase_add_test(tc, helper_that_should_end_and_does_not_is_killed);
	tcase_add_test(tc, helper_that_is_blocked_in_the_kernel_delays_once);
	tcase_add_test(tc, helper_works_where_children_are_not_waited_for);
	tcase_add_test(tc, restart_of_a_helper_that_ends_at_once_is_deferred_ever_longer);
	tcase_add_test(tc, helper_that_cannot_be_forked_is_reported_and_deferred);
	tcase_add_test(tc, program_that_cannot_be_executed_is_reported);
	tcase_add_test(tc, failure_to_prepare_a_helper_is_reported_unchanged);
	tcase_add_test(tc, starting_and_stopping_leaks_no_descriptor);
	tcase_add_test(tc, helper_has_no_privileges_and_ends_with_its_parent);
	tcase_add_test(tc, helper_has_only_the_descriptors_that_it_is_given);
	tcase_add_test(tc, helper_has_the_root_directory_that_it_is_given);
	tcase_add_test(tc, program_has_no_privileges);
	tcase_add_test(tc, as_many_arguments_as_may_be_are_passed);
	tcase_add_test(tc, too_many_arguments_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
