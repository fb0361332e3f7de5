// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Memory.ScanMedia: the device scans its media for poison. The results become entries of the event
// log as the poison list does, but this service makes their records: the kernel traces none.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/client.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/event_log.h"
#include "events/scan_event.h"
#include "redfish/core/change_claims.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

enum {
	SCAN_RUN_MS = 24 * 60 * 60 * 1000, /* more than change/ gives a scan */
	ANSWERS_MS = 30 * 1000, /* for firmware to translate what was found, all together */
	SHOW_MS = 30 * 1000,
	STORED_AT_ONCE = STORE_BATCH_MAX,
};

#define ADDRESS	     "PhysicalAddress"
#define LENGTH	     "Length"
#define NO_EVENT_LOG "NoEventLog"

struct scan_work {
	struct change change;
	struct change_claims *claims;
	bool is_claimed;
	struct exchange *x; /* while the job runs */
	struct change_result result;
	struct found_poison *found; /* space for CHANGE_FOUND_MAX */
	size_t n_found, n_stored;
	uint64_t before, first, last; /* entries: the newest before, those of this scan */
};

static void free_scan(void *state)
{
	struct scan_work *s = state;

	if (s->is_claimed)
		change_claim_end(s->claims, s->change.object);
	free(s->found);
	free(s);
}

/* ---- the scan ---------------------------------------------------------------------------------
 */

static int on_found(void *userdata, const struct found_poison *items, size_t n)
{
	struct scan_work *s = userdata;

	if (n > CHANGE_FOUND_MAX - s->n_found)
		return -ENOMEM;
	memcpy(s->found + s->n_found, items, n * sizeof(*items));
	s->n_found += n;
	return 0;
}

static void on_progress(void *userdata, const struct change_progress *p)
{
	const struct scan_work *s = userdata;

	exchange_progress(s->x, p->done, p->total, p->unit);
}

static bool is_cancelled(void *userdata)
{
	const struct scan_work *s = userdata;

	return job_is_cancelled(s->x->job);
}

static void have_it_scanned(struct scan_work *s)
{
	const struct change_call call = {
		.change = &s->change,
		.image = -1,
		.progress = on_progress,
		.found = on_found,
		.cancelled = is_cancelled,
		.userdata = s,
	};
	char text[EXCHANGE_CHANGED_MAX];

	if (change_client_run(s->x->service->change_client, &call, &s->result) < 0)
		log_warning("%s: %s failed: %s", s->change.object, change_kind_name(s->change.kind),
			    s->result.text);
	(void)snprintf(text, sizeof(text), "%s %s: %s", change_kind_name(s->change.kind),
		       s->change.object, change_outcome_name(s->result.outcome));
	exchange_changed(s->x, text);
}

/* ---- its results ------------------------------------------------------------------------------
 */

/* Events are stored between two runs of the job. */
static int run_twice(struct store *store, void *userdata)
{
	bool *again = userdata;
	int r = *again;

	(void)store;
	*again = false;
	return r;
}

static int wait_until_stored(struct event_log *log)
{
	bool again = true;

	return event_log_do(log, run_twice, &again);
}

/* The device is that of the request: it may have another name by now. */
static int add_entries(struct scan_work *s, const struct event_mapping *m)
{
	struct event_log *log = log_of(s->x);
	struct firmware_timeout timeout = {s->x->service->limits.firmware_call_ms, ANSWERS_MS};
	struct scan_finding f = {.memdev = s->x->resource->object};
	const uint64_t until = clock_monotonic_ms() + ANSWERS_MS;
	struct stored_event *ev = malloc(sizeof(*ev));
	int r = ev ? 0 : -ENOMEM;

	f.boot_ns = clock_boottime_ms() * UINT64_C(1000000);
	f.wall_ns = clock_realtime_ns();
	for (size_t i = 0; r == 0 && i < s->n_found; i++) {
		const struct found_poison *p = &s->found[i];

		f.index = (unsigned int)i;
		f.dpa = p->range.address;
		f.length = p->range.length;
		f.source = p->source;
		scan_event_fill(m, event_log_traits(log)->boot_id, &f,
				clock_monotonic_ms() < until ? &timeout : NULL, ev);
		r = event_log_add(log, ev);
		if (r == 0 && (i + 1) % STORED_AT_ONCE == 0)
			r = wait_until_stored(log);
	}
	free(ev);
	return r == 0 ? wait_until_stored(log) : r;
}

static int on_entry(void *userdata, const struct stored_event *ev)
{
	struct scan_work *s = userdata;

	if (!opt_u64_is(event_number(&ev->record, FIELD_TRACE_TYPE), POISON_TRACE_SCAN))
		return 0;
	s->first = s->n_stored++ ? s->first : ev->seq;
	s->last = ev->seq;
	return 0;
}

/* A log that is full and never overwrites takes none. */
static int count_entries(struct scan_work *s)
{
	const struct event_filter filter = {
		.device = view_memory_id(s->x->view, s->x->resource->object),
		.types = 1U << EVENT_POISON};
	const struct event_page page = {.from = s->before, .max = STORE_PAGE_MAX};
	struct event_log *log = log_of(s->x);
	struct store_reader *reader = NULL;
	struct error e = {0};
	int r = event_log_reader_get(log, &reader, &e);

	if (r < 0)
		return r;
	r = store_read_page(reader, &filter, &page, on_entry, s, &e);
	event_log_reader_put(log, reader, r);
	return r;
}

static int store_all(struct scan_work *s)
{
	struct view_holder *holder = s->x->service->view_holder;
	struct view_hold *hold = view_holder_take(holder);
	const struct view *v = hold ? view_of_hold(hold) : s->x->view;
	struct event_mapping *m = NULL;
	struct error e = {0};
	int r = event_mapping_new(v->host, v->translator, &m, &e);

	if (r == 0)
		r = add_entries(s, m);
	(void)event_mapping_unref(m);
	(void)view_hold_release(hold);
	if (r == 0)
		r = count_entries(s);
	if (r == 0)
		(void)view_holder_read_again(holder, VIEW_INPUT_EVENT_HEALTH, NULL,
					     clock_monotonic_ms() + SHOW_MS);
	return r;
}

/* ---- the answer -------------------------------------------------------------------------------
 */

static void describe(const struct scan_work *s, char *text, size_t size)
{
	if (s->n_found == 0)
		(void)snprintf(text, size, "no poison was found");
	else
		(void)snprintf(text, size,
			       "poison was found in %zu ranges, which are entries %" PRIu64
			       " to %" PRIu64 " of its log",
			       s->n_found, s->first, s->last);
}

static int refuse_scan(struct exchange *x, enum message_id id, unsigned int status, const char *why)
{
	const struct memdev *m = x->resource->object;

	host_change_message(&x->message, id, m->name, why);
	if (status)
		x->message.status = status;
	return -EINVAL;
}

static int answer(struct exchange *x, const struct scan_work *s)
{
	const struct change_result *res = &s->result;
	char found[128], text[CHANGE_TEXT_MAX + sizeof(found) + 2];

	describe(s, found, sizeof(found));
	if (s->n_stored < s->n_found) {
		(void)snprintf(
			text, sizeof(text),
			"poison was found in %zu ranges, of which %zu became entries of the log: it is full, or cannot be written; make room, and scan again",
			s->n_found, s->n_stored);
		return refuse_scan(x, MESSAGE_CHANGE_INCOMPLETE, 0, text);
	}
	if (res->error == 0) {
		message_set(&x->message, MESSAGE_MEDIA_SCANNED, s->change.object, found, NULL);
		exchange_add_result(x);
		return 0;
	}
	if (res->outcome == CHANGE_REFUSED)
		return host_change_refuse(x, s->change.object, res->error, res->text, NULL);
	(void)snprintf(text, sizeof(text), "%s%s%s", res->text, s->n_found ? "; " : "",
		       s->n_found ? found : "");
	return refuse_scan(x,
			   res->outcome == CHANGE_INCOMPLETE ? MESSAGE_CHANGE_INCOMPLETE
							     : MESSAGE_CHANGE_UNKNOWN,
			   0, text);
}

static int run_scan(struct exchange *x, void *state)
{
	struct scan_work *s = state;
	const char *why = host_unchangeable_now(x, ALLOW_RAW);
	int r;

	s->x = x;
	if (!why && !x->service->change_client)
		why = "this service has nothing that sends the command";
	if (why)
		return refuse_scan(x, MESSAGE_CHANGE_REFUSED, 403, why);
	r = memory_log_newest(x, &s->before);
	if (r < 0)
		return r;
	have_it_scanned(s);
	if (s->n_found > 0 && store_all(s) < 0)
		log_warning("%s: what a scan found was not stored", s->change.object);
	r = answer(x, s);
	change_claim_end(s->claims, s->change.object);
	s->is_claimed = false;
	return r;
}

/* ---- parameters -------------------------------------------------------------------------------
 */

static const struct parameter scan_rows[] = {
	{.name = ADDRESS, .type = PARAMETER_TEXT, .required = true, PARAMETER_ADDRESS},
	{.name = LENGTH,
	 .type = PARAMETER_NUMBER,
	 .required = true,
	 .min = MEDIA_UNIT,
	 .max = INT64_MAX,
	 .description = "bytes, a multiple of 64"},
	{.name = NO_EVENT_LOG,
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether the device adds no records of it to its own event logs"},
};

const struct parameters scan_parameters = {
	PARAMETER_ROWS(scan_rows),
	.description =
		"A raw command, at the first of which since its start the kernel warns and is tainted (W), and which it allows only while root has Y in /sys/kernel/debug/cxl/mbox/raw_allow_all"};

const char *scan_unchangeable(const struct view *v, const struct resource *r)
{
	(void)r;
	return host_unchangeable(v, ALLOW_RAW);
}

/* Return: NULL when out of memory. */
static struct scan_work *new_scan(struct exchange *x)
{
	struct scan_work *s = calloc(1, sizeof(*s));
	struct change_scan *to;

	if (!s)
		return NULL;
	s->claims = x->service->change_claims;
	s->found = calloc(CHANGE_FOUND_MAX, sizeof(*s->found));
	if (!s->found) {
		free(s);
		return NULL;
	}
	change_of_memdev(&s->change, CHANGE_SCAN_MEDIA, x->resource->object);
	to = &s->change.scan;
	(void)parse_address(body_text(x, ADDRESS), &to->range.address);
	to->range.length = body_number(x, LENGTH).value;
	to->no_event_log = body_boolean(x, NO_EVENT_LOG).value;
	return s;
}

/* Return: 0, or -EINVAL with the message; -ENOMEM. */
static int check_scan(struct exchange *x, struct scan_work *s)
{
	const char *why = memory_not_recorded(x), *other = NULL;
	struct error e = {0};
	int r;

	if (memdev_check_scan(x->resource->object, &s->change.scan.range, &e) < 0)
		memory_note_error(x, LENGTH, &e);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	if (why)
		return refuse_scan(x, MESSAGE_CHANGE_REFUSED, 409, why);
	r = change_claim(s->claims, s->change.object, change_kind_name(s->change.kind), &other);
	if (r == -EBUSY)
		return exchange_refuse(x, MESSAGE_CHANGE_IN_PROGRESS, s->change.object, other,
				       NULL);
	s->is_claimed = r == 0;
	return r;
}

int run_scan_media(struct exchange *x)
{
	static const struct continuation c = {.class = JOB_SCANS,
					      .is_task = true,
					      .can_cancel = true,
					      .run_ms = SCAN_RUN_MS,
					      .run = run_scan,
					      .free = free_scan};
	struct scan_work *s = new_scan(x);
	int r = s ? check_scan(x, s) : -ENOMEM;

	if (r == 0)
		return exchange_continue(x, &c, s);
	if (s)
		free_scan(s);
	return r;
}
