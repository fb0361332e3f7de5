// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A scan of the media for poison (CXL 3.2 8.2.10.9.4.4 to 8.2.10.9.4.6). The device does it in the
// background, and the kernel passes neither its progress nor its end on: the scan is given the time
// that the device estimates, and then asked for its results, until it has some or a limit is
// reached.
//
// Results are lost in the device once they are sent: what was found is passed on whatever comes
// after it. A device that stops because its list of results is full is started again where it
// stopped.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "change/device.h"
#include "change/device_mailbox.h"
#include "change/operations.h"
#include "change/scan_results.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "model/memdev_change.h"

enum { GET_SCAN_MEDIA_CAPABILITIES = 0x4303, SCAN_MEDIA = 0x4304, GET_SCAN_MEDIA_RESULTS = 0x4305 };

enum {
	SCAN_MS_MAX = 24 * 60 * 60 * 1000, /* of all of it */
	/* A scan that takes much longer than its estimate does not end. */
	OVERDUE_FACTOR = 4,
	OVERDUE_MS = 60 * 1000,
	SLACK_MS = 200, /* for the clock of the device */
	POLL_MS = 200,
	STARTS_MAX = 64, /* of a device that stops for want of space */
	/* Outputs without a record that is new are none of a device that works. */
	OUTPUTS_MAX = CHANGE_FOUND_MAX,
};

struct scan {
	const struct change_context *x;
	const struct memdev *m;
	struct device_mailbox mb;
	struct media_range whole, now; /* as requested; what is being scanned */
	bool no_event_log;
	uint64_t begun_ms;
	uint64_t estimate_ms, started_ms; /* of `now`; 0: the device has none */
	struct scan_found found;
	struct scan_results last; /* the last output */
	uint8_t *output;
	uint32_t output_size;
	size_t n_outputs;
	struct change_result *ret;
};

/* ---- failures ---------------------------------------------------------------------------------
 */

static int refuse(const struct scan *s, int code, const char *why)
{
	return change_result_set(s->ret, code, CHANGE_REFUSED,
				 "the media of %s cannot be scanned: %s", s->m->name, why);
}

/* It goes on in the device, which cannot be told to end it. */
static int give_up(const struct scan *s, int code, const char *why)
{
	return change_result_set(
		s->ret, code, CHANGE_INCOMPLETE,
		"the scan of the media of %s has begun and cannot be ended: the device goes on from DPA 0x%" PRIx64
		", %s; it discards the results at the next scan",
		s->m->name, s->now.address, why);
}

/* Some was scanned: what was not is said. */
static int stop(const struct scan *s, int code, const char *why)
{
	return change_result_set(
		s->ret, code, CHANGE_INCOMPLETE,
		"the scan of the media of %s ended early: %s; scan it again from DPA 0x%" PRIx64
		" on. Found before were %zu ranges",
		s->m->name, why, s->now.address, s->found.n);
}

/* ---- the estimate -----------------------------------------------------------------------------
 */

static int read_estimate(struct scan *s)
{
	uint8_t input[MEDIA_RANGE_BYTES], output[MAILBOX_OUTPUT_MAX];
	const struct mailbox_command command = {
		.title = "Get Scan Media Capabilities",
		.opcode = GET_SCAN_MEDIA_CAPABILITIES,
		.input = input,
		.input_len = sizeof(input),
		.length = SCAN_ESTIMATE_BYTES,
	};
	uint32_t ms = 0;
	size_t len = 0;
	int r;

	media_range_encode(&s->now, input);
	r = device_mailbox_send(&s->mb, &command, output, &len, s->ret);
	if (r < 0)
		return r;
	if (scan_estimate_decode(output, len, &ms) < 0)
		return refuse(s, EIO, "Get Scan Media Capabilities returned no estimate");
	s->estimate_ms = ms;
	if (ms > SCAN_MS_MAX)
		return refuse(
			s, EINVAL,
			"the device estimates more than 24 hours; scan a shorter range at a time");
	return 0;
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* Return: until when `now` must have ended, by clock_monotonic_ms(). */
static uint64_t limit_of(const struct scan *s)
{
	const uint64_t end = s->begun_ms + SCAN_MS_MAX;
	const uint64_t overdue = s->started_ms + s->estimate_ms * OVERDUE_FACTOR + OVERDUE_MS;

	return s->estimate_ms == 0 || overdue > end ? end : overdue;
}

static int look_around(const struct scan *s)
{
	static const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t now = clock_monotonic_ms(), total = s->estimate_ms;
	const uint64_t elapsed = now - s->started_ms;

	if (change_is_cancelled(s->x))
		return give_up(s, ECANCELED, "and is not waited for any more");
	if (now >= limit_of(s))
		return give_up(s, ETIMEDOUT,
			       "much longer than it estimated, or for more than 24 hours");
	change_report(s->x, s->m->name, elapsed < total ? elapsed : total, total, "milliseconds");
	(void)nanosleep(&pause, NULL);
	return 0;
}

static int wait_estimate(const struct scan *s)
{
	const uint64_t until = s->started_ms + s->estimate_ms + s->estimate_ms / 8 + SLACK_MS;
	int r = 0;

	while (r == 0 && clock_monotonic_ms() < until)
		r = look_around(s);
	return r;
}

/* ---- the commands -----------------------------------------------------------------------------
 */

/* The kernel does not wait for the end of the operation, and says that it had no time to. */
static int send_scan(struct scan *s, bool *ret_ended)
{
	uint8_t input[SCAN_MEDIA_BYTES];
	struct memdev_payloads p = {.input = input};
	unsigned int code = MAILBOX_SUCCESS;
	int r;

	scan_media_encode(&s->now, s->no_event_log, input);
	s->started_ms = clock_monotonic_ms();
	r = device_mailbox_send_raw(&s->mb, s->x->root, SCAN_MEDIA, &p, &code, s->ret);
	*ret_ended = r == 0 && code == MAILBOX_SUCCESS;
	if (r == -ETIMEDOUT || (r == 0 && code == MAILBOX_BACKGROUND_STARTED))
		return 0;
	return device_mailbox_fail_raw(&s->mb, SCAN_MEDIA, r, code, s->ret);
}

/*
 * A device whose scan goes on is busy, or has no results yet: those of an earlier one were
 * discarded.
 *
 * Return: 0 with an output in s->last; -EAGAIN.
 */
static int read_output(struct scan *s)
{
	struct memdev_payloads p = {.output = s->output, .output_len = s->output_size};
	unsigned int code = MAILBOX_SUCCESS;
	int r = device_mailbox_send_raw(&s->mb, s->x->root, GET_SCAN_MEDIA_RESULTS, &p, &code,
					s->ret);

	if (r == 0 &&
	    (code == MAILBOX_BUSY || code == MAILBOX_RETRY_REQUIRED || code == MAILBOX_UNSUPPORTED))
		return -EAGAIN;
	r = device_mailbox_fail_raw(&s->mb, GET_SCAN_MEDIA_RESULTS, r, code, s->ret);
	if (r < 0) {
		s->ret->outcome = CHANGE_INCOMPLETE;
		return r;
	}
	if (scan_results_decode(s->output, p.output_len, &s->last) < 0)
		return stop(s, EIO, "Get Scan Media Results returned an output that is too short");
	return 0;
}

static int wait_output(struct scan *s)
{
	int r;

	while ((r = read_output(s)) == -EAGAIN) {
		r = look_around(s);
		if (r < 0)
			return r;
	}
	return r;
}

/* All outputs about `now`. */
static int read_outputs(struct scan *s)
{
	int r;

	do {
		r = wait_output(s);
		if (r == 0)
			r = scan_found_add(&s->found, &s->last, &s->now);
		if (r == -ENOMEM)
			return stop(s, ENOMEM, "there is no memory for its results");
		if (r < 0)
			return r;
		if (s->found.is_full)
			return stop(s, EIO, "the device has more results than are kept of a scan");
		if (s->last.more && (s->last.n == 0 || ++s->n_outputs >= OUTPUTS_MAX))
			return stop(s, EIO, "the device announces further results, and gives none");
	} while (s->last.more);
	return 0;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Whether the device has to be started again; s->now is then what is left. */
static int find_rest(struct scan *s, bool *ret_again)
{
	const struct media_range *rest = &s->last.restart;
	const uint64_t last = s->whole.address + (s->whole.length - 1);

	*ret_again = s->last.stopped;
	if (!s->last.stopped)
		return 0;
	if (rest->length == 0 || rest->address <= s->now.address || rest->address > last)
		return stop(s, EIO, "the device stopped, and names no later address to go on from");
	s->now = *rest;
	if (s->now.length - 1 > last - s->now.address)
		s->now.length = last - s->now.address + 1;
	return 0;
}

static int scan_one(struct scan *s)
{
	bool ended = false;
	int r = read_estimate(s);

	if (r == 0)
		r = send_scan(s, &ended);
	if (r == 0 && !ended)
		r = wait_estimate(s);
	return r == 0 ? read_outputs(s) : r;
}

static int scan_all(struct scan *s)
{
	bool again = true;
	int r = 0;

	s->begun_ms = clock_monotonic_ms();
	for (unsigned int i = 0; r == 0 && again; i++) {
		if (i == STARTS_MAX)
			return stop(s, EIO, "the device stopped again and again");
		r = scan_one(s);
		/* Refused is the first one only. */
		if (r < 0 && i > 0 && s->ret->outcome == CHANGE_REFUSED)
			s->ret->outcome = CHANGE_INCOMPLETE;
		if (r == 0)
			r = find_rest(s, &again);
	}
	return r;
}

static int finish(struct scan *s, int r)
{
	scan_found_merge(&s->found);
	if (s->x->found && s->found.n > 0 &&
	    s->x->found(s->x->userdata, s->found.items, s->found.n) < 0)
		r = change_result_set(
			s->ret, ENOMEM, CHANGE_INCOMPLETE,
			"the media of %s was scanned, and there is no memory for the %zu ranges that were found: scan it again",
			s->m->name, s->found.n);
	if (r == 0 && s->found.n_unusable > 0)
		r = change_result_set(
			s->ret, EIO, CHANGE_INCOMPLETE,
			"the media of %s was scanned, and %zu ranges were found; %zu further results are not of the scanned memory, or were not sent: update the firmware of the device",
			s->m->name, s->found.n, s->found.n_unusable);
	return r;
}

/* An output that is longer than the buffer would be lost. */
static int make_buffer(struct scan *s)
{
	const struct opt_u64 max = s->m->payload_max;

	if (!max.present || max.value < MEMDEV_PAYLOAD_MIN || max.value > MEMDEV_PAYLOAD_MAX)
		return refuse(s, EIO, "the kernel does not show how large its mailbox is");
	s->output_size = (uint32_t)max.value;
	s->output = malloc(s->output_size);
	return s->output ? 0 : refuse(s, ENOMEM, "there is no memory for its results");
}

int change_scan_media(const struct change_context *x, const struct change *c,
		      const struct host *host, struct change_result *ret)
{
	struct scan s = {.x = x,
			 .mb.fd = -1,
			 .whole = c->scan.range,
			 .now = c->scan.range,
			 .no_event_log = c->scan.no_event_log,
			 .ret = ret};
	struct error e = {0};
	int r;

	s.m = change_find_memdev(host, c, ret);
	if (!s.m)
		return ret->error;
	if (memdev_check_scan(s.m, &s.whole, &e) < 0)
		return change_refuse(s.m, &e, ret);
	r = make_buffer(&s);
	if (r == 0)
		r = device_mailbox_open(x->root, s.m, &s.mb, ret);
	if (r == 0)
		r = finish(&s, scan_all(&s));
	device_mailbox_close(&s.mb);
	scan_found_done(&s.found);
	free(s.output);
	return r;
}
