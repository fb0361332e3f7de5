// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/archive_child.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/tree_check.h"
#include "common/array.h"
#include "common/frame.h"
#include "sysfs/host_root.h"

/* The version that the headers of the build belong to; Debian calls the package libarchive13. */
#define LIBARCHIVE_SONAME "libarchive.so.13"

/* The child's descriptors. */
enum { CHILD_IN = HELPER_FD + 1, CHILD_OUT };

enum { CHILD_CPU_SECONDS = 60, CHILD_END_MS = 1000 /* from its report to its end */ };

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAVE_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_SANITIZER 1
#endif
#ifndef HAVE_SANITIZER
#define HAVE_SANITIZER 0 /* its shadow memory alone takes terabytes of address space */
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
		return error_set(
			e, ENOPKG,
			"reading and writing archives requires %s (Debian package: libarchive13)",
			LIBARCHIVE_SONAME);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		void *call = dlsym(lib, calls[i].name);

		if (!call)
			return error_set(e, ENOPKG, "%s is too old: it has no %s()",
					 LIBARCHIVE_SONAME, calls[i].name);
		memcpy((char *)la + calls[i].offset, &call, sizeof(call));
	}
	return 0;
}

static int archive_child_prepare(void *userdata, struct error *e)
{
	struct archive_child *c = userdata;

	/* A write beyond RLIMIT_FSIZE shall fail, not kill. */
	(void)signal(SIGXFSZ, SIG_IGN);
	return libarchive_load(&c->libarchive, e);
}

static int archive_child_run(void *userdata)
{
	struct archive_child *c = userdata;
	struct error e = {0};

	if (c->job(&c->libarchive, CHILD_IN, CHILD_OUT, c->arg, &e) == 0)
		e = (struct error){0};
	return frame_send_wait(HELPER_FD, &e, sizeof(e)) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int archive_child_start(struct archive_child *c, archive_job job, int in, int out, void *arg,
			enum archive_jail jail, struct error *e)
{
	static const struct helper_limit limits[] = {
		{RLIMIT_CORE, 0},
		{RLIMIT_CPU, CHILD_CPU_SECONDS},
		{RLIMIT_FSIZE, CAPTURE_BYTES_MAX},
		{RLIMIT_AS, 4ULL << 30},
	};
	struct helper_options o = {
		.name = "the process for archives",
		.prepare = archive_child_prepare,
		.run = archive_child_run,
		.userdata = c,
		.fds = {in, out},
		.n_fds = 2,
		.limits = limits,
		.n_limits = ARRAY_SIZE(limits) - (HAVE_SANITIZER ? 1 : 0),
		.message_max = sizeof(struct error),
		.stop_ms = CHILD_END_MS,
	};

	*c = (struct archive_child){.job = job, .arg = arg};
	/* An ordinary user may not; every path is resolved below @out in any case. */
	if (jail == ARCHIVE_JAIL_OUT)
		o.root = CHILD_OUT;
	helper_init(&c->helper, &o);
	return helper_start(&c->helper, e);
}

static int archive_child_ended(struct archive_child *c, struct error *e)
{
	int status = 0;

	if (!helper_wait(&c->helper, &status))
		return error_set(e, EIO,
				 "the process that reads or writes the archive did not end");
	if (!WIFSIGNALED(status))
		return error_set(e, EIO, "the process that reads or writes the archive failed");
	if (WTERMSIG(status) == SIGXCPU)
		return error_set(e, EFBIG,
				 "reading the archive takes longer than %d seconds, the limit",
				 CHILD_CPU_SECONDS);
	return error_set(e, EINVAL,
			 "the process that reads or writes the archive was ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* The archive may have taken control of the child: nothing in its message is trusted. */
static int archive_child_report(struct archive_child *c, struct error *ret)
{
	struct pollfd fd = {.fd = c->helper.fd, .events = POLLIN};
	size_t len;
	int r;

	do {
		(void)poll(&fd, 1, -1);
		r = helper_receive(&c->helper, ret, sizeof(*ret), sizeof(*ret), &len);
	} while (r == -EAGAIN);
	if (r < 0)
		return r;
	ret->text[sizeof(ret->text) - 1] = '\0';
	(void)tree_printable(ret->text);
	return ret->code >= 0 && ret->code < 4096 ? 0 : -EBADMSG;
}

int archive_child_wait(struct archive_child *c, struct error *e)
{
	struct error report = {0};
	int r;

	r = archive_child_report(c, &report);
	if (r == -EPIPE)
		r = archive_child_ended(c, e);
	else if (r < 0)
		r = error_set(
			e, EIO,
			"the process that reads or writes the archive sent an invalid report");
	else if (report.code)
		r = error_set(e, report.code, "%s", report.text);
	helper_stop(&c->helper);
	return r;
}

void archive_child_kill(struct archive_child *c)
{
	(void)helper_kill(&c->helper);
}
