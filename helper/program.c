// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/helper.h"
#include "common/log.h"
#include "common/privileges.h"
#include "common/strutil.h"

DEFINE_CLEANUP(struct arena, arena_free);

enum {
	STATUS_USAGE = 2,
	RESTART_MS = 1000, /* after a child that ended */
	END_MS = 50,	   /* between two looks whether all has ended */
	PAUSE_MS = 100, /* when no connection can be accepted for want of memory or descriptors */
};

int program_reading_helper(struct opener **ret, struct error *e)
{
	static const struct sockaddr_un address = {.sun_family = AF_UNIX,
						   .sun_path = OPENER_SOCKET};
	int r = opener_new((const struct sockaddr *)&address, sizeof(address), OPENER_OWN, ret);

	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

static int find_user(const char *name, uid_t *ret, struct error *e)
{
	const struct passwd *pw;
	uint64_t number;

	if (parse_u64(name, &number) == 0 && number < (uid_t)-1) {
		*ret = (uid_t)number;
		return 0;
	}
	errno = 0;
	pw = getpwnam(name);
	if (!pw)
		return error_set(e, errno ? errno : ENOENT, "--user %s: there is no such user",
				 name);
	*ret = pw->pw_uid;
	return 0;
}

/* @names: with a comma between two */
static int find_users(const char *names, struct server *s, struct error *e)
{
	_cleanup_free_ char *copy = strdup(names);
	char *next = NULL;
	int r = 0;

	if (!copy)
		return error_set(e, ENOMEM, "out of memory");
	for (char *name = strtok_r(copy, ",", &next); r == 0 && name;
	     name = strtok_r(NULL, ",", &next)) {
		if (s->n_users == SERVER_USERS_MAX)
			return error_set(e, EINVAL, "--user %s: there are more than %d", names,
					 SERVER_USERS_MAX);
		r = find_user(name, &s->users[s->n_users++], e);
	}
	return r == 0 && s->n_users == 0 ? error_set(e, EINVAL, "--user %s: no user", names) : r;
}

static int find_listener(const struct program *p, bool child, struct error *e)
{
	int fd = HELPER_FD + 1, n;

	if (!child) {
		n = sd_listen_fds(1);
		if (n != 1)
			return error_set(e, EINVAL,
					 "%s sockets were passed; start %s.socket instead",
					 n < 1 ? "no" : "several", p->name);
		fd = SD_LISTEN_FDS_START;
	}
	if (sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 1) <= 0)
		return error_set(
			e, ENOTSOCK,
			"the descriptor that was passed is no listening socket of type SOCK_SEQPACKET");
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return error_set(e, errno, "the socket that was passed: %s", strerror(errno));
	return fd;
}

/* Return: milliseconds between two notifications of the watchdog; -1: it has none. */
static int watchdog_interval(void)
{
	uint64_t usec = 0;

	return sd_watchdog_enabled(1, &usec) > 0 ? (int)(usec / 2000) : -1;
}

/* ---- configuration ----------------------------------------------------------------------------
 */

/* A program that runs: the two are valid until the process ends. */
struct program_run {
	const struct program *program;
	uint64_t given; /* options of the command line */
};

/* Under the command line, which wins. With --check-config it is read, and not used. */
static int load_configuration(const struct program_run *r, struct error *e)
{
	const struct program *p = r->program;
	const struct program_options *line = p->line;
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	void *values = arena ? arena_alloc(arena, p->line_size) : NULL;
	void *overruled = arena ? arena_alloc(arena, p->line_size) : NULL;
	struct option_files f = {
		.table = p->options,
		.arena = arena,
		.values = values,
		.overruled = overruled,
		.given = r->given,
		.other_keys = true,
	};
	int result = 0;

	if (!values || !overruled)
		return error_set(e, ENOMEM, "out of memory");
	memcpy(values, p->line, p->line_size);
	memcpy(overruled, p->line, p->line_size);
	if (!line->child)
		result = option_files_read_all(&f, line->file, e);
	if (result == 0 && !line->check_config)
		p->configure(p->userdata, values);
	return result;
}

/* Before any thread is started, so that all threads block it. */
static int block_signals(const struct program *p, struct error *e)
{
	sigset_t set;
	int fd;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGHUP);
	if (p->end)
		(void)sigaddset(&set, SIGTERM);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_set(e, errno, "signalfd: %s", strerror(errno)) : fd;
}

/* A signal that was sent again before it was taken counts once. Return: whether the process is to
 * end. */
static bool take_signal(const struct program_run *r, int fd)
{
	struct signalfd_siginfo info;
	struct error e = {0};

	if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return false;
	if (info.ssi_signo == SIGTERM)
		return true;
	if (load_configuration(r, &e) < 0)
		log_err("the configuration remains as it was: %s", e.text);
	return false;
}

/* Connections are accepted no more. */
static void end_all(const struct program *p)
{
	(void)sd_notify(0, "STOPPING=1");
	while (!p->end(p->userdata)) {
		(void)sd_notify(0, "WATCHDOG=1");
		(void)poll(NULL, 0, END_MS);
	}
}

/* ---- the service ------------------------------------------------------------------------------
 */

/* Return: 0 after SIGTERM; the error that ended it. */
static int accept_all(const struct program_run *run, int listener, int signals, struct error *e)
{
	struct pollfd fds[] = {{.fd = listener, .events = POLLIN},
			       {.fd = signals, .events = POLLIN}};
	const int interval_ms = watchdog_interval();

	(void)sd_notify(0, "READY=1");
	for (;;) {
		int r;

		if (interval_ms >= 0)
			(void)sd_notify(0, "WATCHDOG=1");
		if (poll(fds, 2, interval_ms) < 0 && errno != EINTR)
			return error_set(e, errno, "poll: %s", strerror(errno));
		if (fds[1].revents && take_signal(run, signals)) {
			end_all(run->program);
			return 0;
		}
		r = server_accept(run->program->server, listener);
		if (r == -EINVAL || r == -EBADF || r == -ENOTSOCK)
			return error_set(e, r, "accept: %s", strerror(-r));
		if (r < 0 && r != -EAGAIN)
			(void)poll(NULL, 0, PAUSE_MS);
	}
}

static int program_serve(const struct program_run *run, int listener, struct error *e)
{
	const struct program *p = run->program;
	int r = 0, signals = -1;

	if (p->configure)
		r = signals = block_signals(p, e);
	if (r >= 0 && p->prepare)
		r = p->prepare(p->userdata, e);
	if (r < 0)
		return r;
	r = capabilities_drop(p->kept);
	if (r == 0)
		r = capabilities_use(p->used);
	if (r < 0)
		return error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r));
	r = p->configure ? load_configuration(run, e) : 0;
	return r < 0 ? r : accept_all(run, listener, signals, e);
}

/* Return: whether cxl-redfishd has ended; waits for that, or for the child. */
static bool parent_has_ended(int pidfd, int timeout_ms)
{
	struct pollfd fds[] = {{.fd = HELPER_FD, .events = POLLIN},
			       {.fd = pidfd, .events = POLLIN}};

	return poll(fds, pidfd < 0 ? 1 : 2, timeout_ms) < 0 ? errno != EINTR : fds[0].revents != 0;
}

/*
 * Serves until cxl-redfishd has ended. It started this program, and has dropped what another start
 * would need: so a child of this process serves, and is replaced when it ends.
 */
static int serve_by_child(const struct program_run *run, int listener, struct error *e)
{
	/* A child that ends its work first may outlive this process for that time. */
	const int at_end = run->program->end ? SIGTERM : SIGKILL;

	for (;;) {
		const pid_t parent = getpid(), pid = fork();
		_cleanup_close_ int pidfd = -1;
		bool ended;

		if (pid < 0)
			return error_set(e, errno, "fork: %s", strerror(errno));
		if (pid == 0) {
			(void)prctl(PR_SET_PDEATHSIG, at_end);
			return getppid() == parent ? program_serve(run, listener, e)
						   : error_set(e, ECHILD, "the parent has ended");
		}
		pidfd = pidfd_open(pid, 0);
		ended = parent_has_ended(pidfd, -1);
		(void)kill(pid, ended ? at_end : SIGKILL);
		if (ended && at_end != SIGKILL)
			return 0;
		(void)waitpid(pid, NULL, 0);
		if (ended || parent_has_ended(-1, RESTART_MS))
			return 0;
		log_warning("started again, because the process that serves has ended");
	}
}

/* ---- options ----------------------------------------------------------------------------------
 */

static void print_help(const struct program *p)
{
	(void)printf("Usage: %s --user USERS%s\n\n%s\n\nOptions:\n", p->name, p->usage, p->purpose);
	options_print(stdout, p->options, 0);
	if (p->configure)
		(void)puts("\nSIGHUP reads the configuration again.");
	(void)printf("\nExit status:\n"
		     "  0  the program that started it has ended%s\n"
		     "  1  there is no socket, or %s cannot be used\n"
		     "  2  wrong usage\n\n"
		     "Manual page: %s(8)\n",
		     p->configure ? "; the configuration is valid" : "",
		     p->configure ? "the configuration or the socket" : "it", p->name);
}

/* Return: whether to go on; otherwise the exit status is set. */
static bool parse_options(const struct program *p, int argc, char **argv, uint64_t *ret_given,
			  int *ret_status)
{
	const struct program_options *line = p->line;
	struct option_result result = {0};
	struct error e = {0};
	int r = options_parse(p->options, argc, argv, p->line, &result, &e);

	*ret_given = result.given;
	*ret_status = EXIT_SUCCESS;
	if (r == 0 && line->help) {
		print_help(p);
		return false;
	}
	if (r == 0 && line->version) {
		(void)printf("%s " PACKAGE_VERSION "\n", p->name);
		return false;
	}
	if (r == 0 && result.n_operands > 0)
		r = error_set(&e, EINVAL, "unexpected argument '%s'", result.operands[0]);
	if (r == 0 && !line->user && !line->check_config)
		r = error_set(&e, EINVAL, "--user is required");
	if (r < 0)
		log_err("%s; see --help", e.text);
	*ret_status = STATUS_USAGE;
	return r == 0;
}

/* Return: 0 when the program that started it has ended. */
static int run_program(const struct program_run *run, struct error *e)
{
	const struct program_options *line = run->program->line;
	int r = find_users(line->user, run->program->server, e);
	int listener = r < 0 ? r : find_listener(run->program, line->child, e);

	if (listener < 0)
		return listener;
	return line->child ? serve_by_child(run, listener, e) : program_serve(run, listener, e);
}

int program_main(const struct program *p, int argc, char **argv)
{
	const struct program_options *line = p->line;
	struct program_run run = {.program = p};
	struct error e = {0};
	int r, status;

	log_setup(p->name, LOG_LEVEL_INFO);
	if (!parse_options(p, argc, argv, &run.given, &status))
		return status;
	r = line->check_config ? load_configuration(&run, &e) : run_program(&run, &e);
	if (r < 0)
		log_err("%s", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
