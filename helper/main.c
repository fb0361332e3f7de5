// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-helper: reads what cxl-redfishd may not, from a fixed list, and parses nothing that a
// network client wrote. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include <systemd/sd-daemon.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/helper.h"
#include "common/log.h"
#include "common/options.h"
#include "common/privileges.h"
#include "common/strutil.h"
#include "helper/server.h"

enum {
	STATUS_USAGE = 2,
	RESTART_MS = 1000, /* after a child that ended */
	PAUSE_MS = 100, /* when no connection can be accepted for want of memory or descriptors */
};

#define KEPT_CAPABILITIES (UINT64_C(1) << CAP_DAC_READ_SEARCH | UINT64_C(1) << CAP_SYS_ADMIN)
#define USED_CAPABILITIES (UINT64_C(1) << CAP_DAC_READ_SEARCH)

struct helper_config {
	const char *user;
	bool child, help, version;
};

static const struct option_row option_rows[] = {
	{.name = "user",
	 .argument = "USER",
	 .help = "The user, by name or number, who may connect beside root.",
	 .set = option_set_text,
	 .offset = offsetof(struct helper_config, user),
	 .once = true,
	 .not_empty = true},
	{.name = "child",
	 .help = "Started by cxl-redfishd, which passes the socket; systemd does otherwise.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, child)},
	{.name = "help",
	 .help = "Print this text.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, help),
	 .stop = true},
	{.name = "version",
	 .help = "Print the version.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, version),
	 .stop = true},
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows)};

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

/* The socket that the process was started with. */
static int find_listener(const struct helper_config *c, struct error *e)
{
	int fd = HELPER_FD + 1, n;

	if (!c->child) {
		n = sd_listen_fds(1);
		if (n != 1)
			return error_set(e, EINVAL,
					 "%s sockets were passed; start cxl-redfish-helper.socket "
					 "instead",
					 n < 1 ? "no" : "several");
		fd = SD_LISTEN_FDS_START;
	}
	if (sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 1) <= 0)
		return error_set(e, ENOTSOCK,
				 "the descriptor that was passed is no listening socket of type "
				 "SOCK_SEQPACKET");
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return error_set(e, errno, "the socket that was passed: %s", strerror(errno));
	return fd;
}

/* @interval_ms: negative: no watchdog */
static int accept_connections(struct server *s, int listener, int interval_ms, struct error *e)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};

	for (;;) {
		int r;

		if (interval_ms >= 0)
			(void)sd_notify(0, "WATCHDOG=1");
		if (poll(&p, 1, interval_ms) < 0 && errno != EINTR)
			return error_set(e, errno, "poll: %s", strerror(errno));
		r = server_accept(s, listener);
		if (r == -EINVAL || r == -EBADF || r == -ENOTSOCK)
			return error_set(e, r, "accept: %s", strerror(-r));
		if (r < 0 && r != -EAGAIN)
			(void)poll(NULL, 0, PAUSE_MS);
	}
}

static int serve(uid_t user, int listener, struct error *e)
{
	static struct server s; /* threads use it until the process has ended */
	uint64_t watchdog_usec = 0;
	int r, interval_ms = -1;

	s.user = user;
	r = files_init(&s.files, e);
	if (r < 0)
		return r;
	r = capabilities_drop(KEPT_CAPABILITIES);
	if (r == 0)
		r = capabilities_use(USED_CAPABILITIES);
	if (r < 0)
		return error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r));
	if (!capabilities_has(CAP_DAC_READ_SEARCH))
		log_warning(
			"there is no CAP_DAC_READ_SEARCH, so only files that this user may read "
			"are opened");
	if (sd_watchdog_enabled(1, &watchdog_usec) > 0)
		interval_ms = (int)(watchdog_usec / 2000);
	(void)sd_notify(0, "READY=1");
	return accept_connections(&s, listener, interval_ms, e);
}

/* Return: whether cxl-redfishd has ended; waits for that, or for the child. */
static bool parent_has_ended(int pidfd, int timeout_ms)
{
	struct pollfd fds[] = {{.fd = HELPER_FD, .events = POLLIN},
			       {.fd = pidfd, .events = POLLIN}};

	return poll(fds, pidfd < 0 ? 1 : 2, timeout_ms) < 0 ? errno != EINTR : fds[0].revents != 0;
}

/*
 * Started by cxl-redfishd, which has dropped what another start would need: so a child of this
 * process serves, and is replaced when it ends.
 */
static int serve_by_child(uid_t user, int listener, struct error *e)
{
	for (;;) {
		const pid_t parent = getpid(), pid = fork();
		_cleanup_close_ int pidfd = -1;
		bool ended;

		if (pid < 0)
			return error_set(e, errno, "fork: %s", strerror(errno));
		if (pid == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			return getppid() == parent ? serve(user, listener, e)
						   : error_set(e, ECHILD, "the parent has ended");
		}
		pidfd = pidfd_open(pid, 0);
		ended = parent_has_ended(pidfd, -1);
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		if (ended || parent_has_ended(-1, RESTART_MS))
			return 0;
		log_warning("started again, because the process that serves has ended");
	}
}

static void print_help(void)
{
	(void)puts("Usage: cxl-redfish-helper --user USER\n\n"
		   "Opens for cxl-redfishd what an ordinary user may not.\n\n"
		   "Options:");
	options_print(stdout, &option_table, 0);
	(void)puts("\nExit status:\n"
		   "  0  the program that started it has ended\n"
		   "  1  there is no socket, or it cannot be used\n"
		   "  2  wrong usage\n\n"
		   "Manual page: cxl-redfish-helper(8)");
}

static bool parse_options(int argc, char **argv, struct helper_config *c, int *ret_status)
{
	struct option_result result = {0};
	struct error e = {0};
	int r = options_parse(&option_table, argc, argv, c, &result, &e);

	*ret_status = EXIT_SUCCESS;
	if (r == 0 && c->help) {
		print_help();
		return false;
	}
	if (r == 0 && c->version) {
		(void)printf("cxl-redfish-helper " PACKAGE_VERSION "\n");
		return false;
	}
	if (r == 0 && result.n_operands > 0)
		r = error_set(&e, EINVAL, "unexpected argument '%s'", result.operands[0]);
	if (r == 0 && !c->user)
		r = error_set(&e, EINVAL, "--user is required");
	if (r < 0)
		log_err("%s; see --help", e.text);
	*ret_status = STATUS_USAGE;
	return r == 0;
}

int main(int argc, char **argv)
{
	struct helper_config c = {0};
	int r, listener, status;
	struct error e = {0};
	uid_t user = 0;

	log_setup("cxl-redfish-helper", LOG_LEVEL_INFO);
	if (!parse_options(argc, argv, &c, &status))
		return status;
	r = find_user(c.user, &user, &e);
	listener = r < 0 ? r : find_listener(&c, &e);
	r = listener < 0 ? listener
	    : c.child	 ? serve_by_child(user, listener, &e)
			 : serve(user, listener, &e);
	if (r < 0)
		log_err("%s", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
