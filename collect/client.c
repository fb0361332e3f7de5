// SPDX-License-Identifier: LGPL-2.1-or-later
#include "collect/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "collect/protocol.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"

enum {
	CPU_SECONDS = 300,
	END_MS = 1000, /* from its last message to its end */
};

struct collect_run {
	const struct collect_options *o;
	struct helper *helper;
	uint64_t done, total;
	uint32_t n_named;
};

/* Output of the process comes from the host, and is not trusted. */
static void make_printable(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static int report_end(struct collect_run *c, struct error *e)
{
	int status = 0;

	if (!helper_wait(c->helper, &status))
		return error_set(e, EIO, "cxl-redfish-collect closed its socket, but did not end");
	if (WIFSIGNALED(status))
		return error_set(e, EIO, "cxl-redfish-collect was ended by signal %d (%s)",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	return error_set(e, EIO, "cxl-redfish-collect ended unexpectedly");
}

static int send_request(struct collect_run *c, struct error *e)
{
	const struct collect_options *o = c->o;
	struct collect_request q = {0};
	const struct iovec part = {&q, sizeof(q)};
	int r;

	if (o->masked)
		q.flags |= COLLECT_MASKED;
	if (o->root->captured)
		q.flags |= COLLECT_CAPTURED;
	if (!o->root->captured && o->root->opener) {
		q.flags |= COLLECT_HELPER;
		opener_describe(o->root->opener, &q.helper);
	}
	if (!o->root->captured && o->switches) {
		q.flags |= COLLECT_SWITCHES;
		opener_describe(o->switches, &q.switches);
	}
	r = helper_send(c->helper, &part, 1);
	/* It has ended already, and may have sent the reason: that is read next. */
	if (r == -EPIPE)
		return 0;
	return r < 0 ? error_set(e, r, "cxl-redfish-collect: %s", strerror(-r)) : 0;
}

/* Only the caller cancels, or knows that there is no time left. */
static bool is_of_step(int code)
{
	return code == ECANCELED || code == ETIME;
}

/* Return: 1 when it is done; 0 when there is more to come. */
static int take_answer(struct collect_run *c, struct collect_answer *a, struct collect_totals *ret,
		       struct error *e)
{
	switch (a->kind) {
	case COLLECT_PROGRESS:
		c->done = a->done;
		c->total = a->total;
		return c->o->step(c->o->userdata, c->done, c->total);
	case COLLECT_MISSED:
		make_printable(a->error.text, sizeof(a->error.text));
		if (c->o->missed && c->n_named++ < COLLECT_MISSED_MAX)
			c->o->missed(c->o->userdata, a->error.text);
		return 0;
	case COLLECT_DONE:
		*ret = (struct collect_totals){a->bytes, a->files, a->links, a->missed};
		return 1;
	case COLLECT_FAILED:
		make_printable(a->error.text, sizeof(a->error.text));
		if (a->error.code > 0 && a->error.code < 4096 && a->error.text[0])
			return error_set(e, is_of_step(a->error.code) ? EIO : a->error.code, "%s",
					 a->error.text);
		break;
	}
	return error_set(e, EIO, "cxl-redfish-collect sent an invalid message");
}

/* Return: 1 when it is done; 0 when there is no message now. */
static int receive_answer(struct collect_run *c, struct collect_totals *ret, struct error *e)
{
	struct collect_answer a;
	size_t len;
	int r = helper_receive(c->helper, &a, sizeof(a), sizeof(a), &len);

	/* A process that did not read the request resets the connection: before what it sent. */
	if (r == -EPIPE)
		r = helper_receive(c->helper, &a, sizeof(a), sizeof(a), &len);
	if (r == -EAGAIN)
		return 0;
	if (r == -EPIPE)
		return report_end(c, e);
	return r < 0 ? error_set(e, EIO, "cxl-redfish-collect sent an invalid message")
		     : take_answer(c, &a, ret, e);
}

/* A process that sends without end does not delay the step. */
static int wait_for_end(struct collect_run *c, struct collect_totals *ret, struct error *e)
{
	uint64_t step_ms = 0;
	int r = 0;

	while (r == 0) {
		struct pollfd p = {.fd = c->helper->fd, .events = POLLIN};
		const uint64_t now = clock_monotonic_ms();

		if (now >= step_ms) {
			r = c->o->step(c->o->userdata, c->done, c->total);
			step_ms = now + COLLECT_STEP_MS;
		}
		if (r == 0)
			(void)poll(&p, 1, COLLECT_STEP_MS);
		if (r == 0 && p.revents)
			r = receive_answer(c, ret, e);
	}
	return r < 0 ? r : 0;
}

int collect_run(const struct collect_options *o, struct collect_totals *ret, struct error *e)
{
	static const struct helper_limit limits[] = {{RLIMIT_CORE, 0}, {RLIMIT_CPU, CPU_SECONDS}};
	struct collect_run c = {.o = o, .helper = o->process};
	int r;

	c.helper->options = (struct helper_options){
		.name = "cxl-redfish-collect",
		.program = o->program,
		.fds = {o->fd, o->root->dirfd},
		.n_fds = 2,
		.limits = limits,
		.n_limits = ARRAY_SIZE(limits),
		.message_max = sizeof(struct collect_answer),
		.stop_ms = END_MS,
	};
	r = helper_start(c.helper, e);
	if (r < 0)
		return r;
	r = send_request(&c, e);
	if (r == 0)
		r = wait_for_end(&c, ret, e);
	if (r < 0)
		(void)helper_kill(c.helper);
	else
		helper_stop(c.helper);
	return r;
}
