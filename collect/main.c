// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-collect: writes the capture of the host for LogService.CollectDiagnosticData. A
// process of its own, with one thread, that lives as long as one capture.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/capture.h"
#include "collect/protocol.h"
#include "common/cleanup.h"
#include "common/frame.h"
#include "common/log.h"
#include "mailbox/switch_access.h"
#include "prm/capture_pairs.h"

enum { PERCENT = 100 };

struct collection {
	struct collect_request request;
	struct host_root *root;
	struct opener *helper, *switches;
	size_t percent; /* as last sent */
};

static int send_answer(const struct collect_answer *a)
{
	return frame_send_wait(HELPER_FD, a, sizeof(*a));
}

/* capture_step_fn; when the daemon has closed the socket, there is no use in going on. */
static int on_step(void *userdata, size_t done, size_t total)
{
	struct collect_answer a = {.kind = COLLECT_PROGRESS, .done = done, .total = total};
	struct collection *c = userdata;
	const size_t percent = total ? done * PERCENT / total : 0;

	if (percent == c->percent)
		return 0;
	c->percent = percent;
	return send_answer(&a);
}

static int receive_request(struct collect_request *ret)
{
	struct pollfd p = {.fd = HELPER_FD, .events = POLLIN};
	size_t len;
	int r;

	do {
		(void)poll(&p, 1, -1);
		r = frame_receive(HELPER_FD, ret, sizeof(*ret), sizeof(*ret), &len);
	} while (r == -EAGAIN);
	return r == 0 && (ret->flags & ~(uint32_t)COLLECT_FLAGS) ? -EBADMSG : r;
}

static int open_host(struct collection *c, struct error *e)
{
	const uint32_t flags = c->request.flags;
	int r = 0;

	if (flags & COLLECT_CAPTURED) {
		c->root = calloc(1, sizeof(*c->root));
		if (!c->root)
			return error_set(e, ENOMEM, "out of memory");
		c->root->captured = true;
		c->root->dirfd = COLLECT_FD_HOST;
		return 0;
	}
	if (flags & COLLECT_HELPER)
		r = opener_new_described(&c->request.helper, &c->helper);
	if (r == 0 && (flags & COLLECT_SWITCHES))
		r = opener_new_described(&c->request.switches, &c->switches);
	if (r < 0)
		return error_set(e, r, "the helper cannot be reached: %s", strerror(-r));
	r = host_root_open_live(&c->root, e);
	if (r == 0)
		c->root->opener = c->helper;
	return r;
}

static int write_archive(struct collection *c, struct capture_result *ret, struct error *e)
{
	struct recording recording = {0};
	struct capture_extra extra = {.path = RECORD_PATH};
	const struct capture_options o = {
		.masked = (c->request.flags & COLLECT_MASKED) != 0,
		.copy = true,
		.extra = &extra,
		.step = on_step,
		.userdata = c,
	};
	int r = 0;

	if (c->switches)
		r = switch_access_new(c->root, c->switches, NULL, &extra.switches);
	if (r < 0)
		return r;
	/* First: afterwards a process is forked, and firmware is called by a thread. */
	if (!c->root->captured)
		record_machine(c->root, &recording);
	extra.data = recording.text;
	extra.len = recording.len;
	extra.missed = recording.missed[0] ? recording.missed : NULL;
	r = capture_write_fd(c->root, COLLECT_FD_OUT, &o, ret, e);
	(void)switch_access_free(extra.switches);
	free(recording.text);
	return r;
}

static int report(const struct capture_result *result)
{
	struct collect_answer a = {
		.kind = COLLECT_DONE,
		.files = (uint32_t)result->n_files,
		.links = (uint32_t)result->n_links,
		.missed = (uint32_t)result->n_missed,
		.bytes = result->bytes,
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < result->n_missed && i < COLLECT_MISSED_MAX; i++) {
		struct collect_answer missed = {.kind = COLLECT_MISSED};

		(void)snprintf(missed.error.text, sizeof(missed.error.text), "%s",
			       result->missed[i]);
		r = send_answer(&missed);
	}
	return r < 0 ? r : send_answer(&a);
}

static int collect_all(struct collection *c)
{
	_cleanup_(capture_result_done) struct capture_result result = {0};
	struct collect_answer failed = {.kind = COLLECT_FAILED};
	int r = open_host(c, &failed.error);

	if (r == 0)
		r = write_archive(c, &result, &failed.error);
	if (r == 0)
		return report(&result);
	failed.error.code = -r;
	if (!failed.error.text[0])
		(void)snprintf(failed.error.text, sizeof(failed.error.text), "%s", strerror(-r));
	return send_answer(&failed);
}

int main(void)
{
	struct collection c = {0};
	int type = 0, r;
	socklen_t len = sizeof(type);

	log_setup("cxl-redfish-collect", LOG_LEVEL_INFO);
	if (getsockopt(HELPER_FD, SOL_SOCKET, SO_TYPE, &type, &len) < 0 || type != SOCK_SEQPACKET) {
		(void)fputs("cxl-redfish-collect cannot be run by hand: cxl-redfishd starts it\n",
			    stderr);
		return 2;
	}
	/* A write beyond a limit of the file's size shall fail, not kill. */
	(void)signal(SIGXFSZ, SIG_IGN);
	r = receive_request(&c.request);
	if (r == 0)
		r = collect_all(&c);
	(void)host_root_free(c.root);
	(void)opener_free(c.helper);
	(void)opener_free(c.switches);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
