// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/archive_child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/namespace.h"
#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/privileges.h"
#include "sysfs/host_root.h"

/* Of the headers this is compiled with; Debian calls the package libarchive13. */
#define LIBARCHIVE_SONAME "libarchive.so.13"

/* The child's descriptors; all others but the standard three are closed. */
enum { CHILD_IN = 3, CHILD_OUT, CHILD_REPORT, CHILD_FDS_END };

enum { CHILD_CPU_SECONDS = 60 };

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAVE_SANITIZER 1
#endif
#ifndef HAVE_SANITIZER
#define HAVE_SANITIZER 0 /* its shadow alone is terabytes of address space */
#endif

int libarchive_load(struct libarchive *la, struct error *e)
{
	static const struct {
		const char *name;
		size_t offset;
	} calls[] = {
#define X(name) {#name, offsetof(struct libarchive, name)},
		LIBARCHIVE_CALLS(X)
#undef X
	};
	void *lib = dlopen(LIBARCHIVE_SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		return error_set(e, ENOPKG, "archives need %s (Debian package: libarchive13)",
				 LIBARCHIVE_SONAME);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		void *call = dlsym(lib, calls[i].name);

		if (!call)
			return error_set(e, ENOPKG, "%s has no %s(), it is too old",
					 LIBARCHIVE_SONAME, calls[i].name);
		memcpy((char *)la + calls[i].offset, &call, sizeof(call));
	}
	return 0;
}

/* Puts @in, @out and @report where the child expects them and closes what else was open. */
static int arrange_descriptors(int in, int out, int report)
{
	const int given[] = {in, out, report};
	int high[ARRAY_SIZE(given)];

	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		high[i] = fcntl(given[i], F_DUPFD_CLOEXEC, CHILD_FDS_END);
		if (high[i] < 0)
			return -errno;
	}
	for (size_t i = 0; i < ARRAY_SIZE(given); i++)
		if (dup2(high[i], CHILD_IN + (int)i) < 0)
			return -errno;
	/* May be forbidden by an old seccomp profile; then there is only more that stays open. */
	(void)close_range(CHILD_FDS_END, ~0U, 0);
	return 0;
}

static int limit_resources(void)
{
	static const struct {
		__rlimit_resource_t what;
		rlim_t value;
	} limits[] = {
		{RLIMIT_CORE, 0},
		{RLIMIT_CPU, CHILD_CPU_SECONDS},
		{RLIMIT_FSIZE, CAPTURE_BYTES_MAX},
		{RLIMIT_AS, 4ULL << 30},
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct rlimit limit;

		if (limits[i].what == RLIMIT_AS && HAVE_SANITIZER)
			continue;
		if (getrlimit(limits[i].what, &limit) < 0)
			return -errno;
		if (limit.rlim_max < limits[i].value)
			continue;
		limit.rlim_cur = limit.rlim_max = limits[i].value;
		if (setrlimit(limits[i].what, &limit) < 0)
			return -errno;
	}
	/* Beyond RLIMIT_FSIZE a write shall fail, not kill. */
	(void)signal(SIGXFSZ, SIG_IGN);
	return 0;
}

static int child_run(archive_job job, void *arg, enum archive_jail jail, struct error *e)
{
	struct libarchive la;
	int r;

	r = libarchive_load(&la, e);
	if (r < 0)
		return r;
	if (jail == ARCHIVE_JAIL_OUT && fchdir(CHILD_OUT) < 0)
		return error_set(e, errno, "fchdir: %s", strerror(errno));
	/* An ordinary user may not; every path is resolved below CHILD_OUT in any case. */
	if (jail == ARCHIVE_JAIL_OUT)
		(void)!chroot(".");
	r = capabilities_drop(0, e);
	if (r < 0)
		return r;
	r = limit_resources();
	if (r < 0)
		return error_set(e, r, "limiting resources: %s", strerror(-r));
	return job(&la, CHILD_IN, CHILD_OUT, arg, e);
}

static void child_main(pid_t parent, archive_job job, int in, int out, int report, void *arg,
		       enum archive_jail jail) __attribute__((noreturn));

static void child_main(pid_t parent, archive_job job, int in, int out, int report, void *arg,
		       enum archive_jail jail)
{
	struct error e = {0};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	if (arrange_descriptors(in, out, report) < 0)
		_exit(EXIT_FAILURE);
	if (child_run(job, arg, jail, &e) == 0)
		e = (struct error){0};
	_Static_assert(sizeof(e) <= 4096, "a pipe takes this in one piece");
	(void)!write(CHILD_REPORT, &e, sizeof(e));
	_exit(EXIT_SUCCESS);
}

int archive_child_start(struct archive_child *c, archive_job job, int in, int out, void *arg,
			enum archive_jail jail, struct error *e)
{
	_cleanup_close_ int report_read = -1;
	_cleanup_close_ int report_write = -1;
	pid_t parent = getpid(), pid;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_set(e, errno, "pipe: %s", strerror(errno));
	report_read = fds[0];
	report_write = fds[1];
	pid = fork();
	if (pid < 0)
		return error_set(e, errno, "fork: %s", strerror(errno));
	if (pid == 0)
		child_main(parent, job, in, out, report_write, arg, jail);
	*c = (struct archive_child){.pid = pid, .report = STEAL_FD(report_read)};
	return 0;
}

/* The child may have been taken over by what it read: nothing in its message is trusted. */
static int read_report(int fd, struct error *ret)
{
	size_t len = 0;

	while (len < sizeof(*ret)) {
		ssize_t n = read(fd, (char *)ret + len, sizeof(*ret) - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EIO;
		len += (size_t)n;
	}
	ret->text[sizeof(ret->text) - 1] = '\0';
	(void)tree_printable(ret->text);
	return ret->code >= 0 && ret->code < 4096 ? 0 : -EIO;
}

static int died(int status, struct error *e)
{
	if (!WIFSIGNALED(status))
		return error_set(e, EIO, "the process reading or writing the archive failed");
	if (WTERMSIG(status) == SIGXCPU)
		return error_set(e, EFBIG, "the archive takes more than %d seconds to read",
				 CHILD_CPU_SECONDS);
	return error_set(e, EINVAL,
			 "the process reading or writing the archive was ended by "
			 "signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int archive_child_wait(struct archive_child *c, struct error *e)
{
	struct error told = {0};
	int have_told = read_report(c->report, &told);
	int status = 0;

	(void)close(c->report);
	/* ECHILD when our parent made us ignore SIGCHLD: the report counts, not the status. */
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	if (have_told < 0)
		return died(status, e);
	return told.code ? error_set(e, told.code, "%s", told.text) : 0;
}

void archive_child_kill(struct archive_child *c)
{
	if (c->pid <= 0)
		return;
	(void)kill(c->pid, SIGKILL);
	(void)archive_child_wait(c, NULL);
}
