// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/repair_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "events/event_fill.h"
#include "events/store_reader.h"
#include "redfish/repairs/repair_pages.h"

enum { BATCH = 256, POLL_MS = 200 };

DEFINE_CLEANUP(struct store_reader, store_reader_close);
DEFINE_CLEANUP(const struct host, host_unref);

/* ---- the event of a sparing -------------------------------------------------------------------
 */

struct confirmation {
	const struct repair_entry *entry;
	enum edac_repair_type type;
	uint64_t last; /* entry that was looked at */
	bool found;
	enum repair_state outcome;
	char text[REPAIR_TEXT_MAX];
};

static int see_sparing(void *userdata, const struct stored_event *event)
{
	struct confirmation *c = userdata;

	c->last = event->seq;
	if (!repair_record_is_of(&event->record, &c->entry->place, c->type))
		return 0;
	c->found = true;
	c->outcome = repair_report_outcome(&event->record, c->text);
	return 1;
}

static bool is_cancelled(const struct repair_job *job)
{
	return job->cancelled && job->cancelled(job->userdata);
}

/* Waits for it. Return: 0; the error of the log. */
static int wait_confirmed(const struct repair_job *job, struct confirmation *c, struct error *e)
{
	const struct event_filter filter = {.device = c->entry->device,
					    .types = 1u << EVENT_MEMORY_SPARING};
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t deadline = clock_monotonic_ms() + job->confirm_ms;
	_cleanup_(store_reader_closep) struct store_reader *reader = NULL;
	int r = store_reader_open(job->log, &reader, e);

	while (r >= 0) {
		const struct event_page page = {.from = c->last, .max = BATCH};

		r = store_read_page(reader, &filter, &page, see_sparing, c, e);
		if (r < 0 || c->found || clock_monotonic_ms() >= deadline || is_cancelled(job))
			break;
		(void)nanosleep(&pause, NULL);
	}
	return r < 0 ? r : 0;
}

static int newest_entry(const char *log, uint64_t *ret, struct error *e)
{
	_cleanup_(store_reader_closep) struct store_reader *reader = NULL;
	struct store_info info = {0};
	int r = store_reader_open(log, &reader, e);

	if (r == 0)
		r = store_read_info(reader, &info, e);
	*ret = info.newest;
	return r;
}

/* ---- one repair -------------------------------------------------------------------------------
 */

struct repair_try {
	const struct repair_job *job;
	struct repair_entry entry;
	struct repair_plan plan;
	struct change_result result;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t before; /* newest entry of the log when it began */
	enum repair_state state;
	char text[REPAIR_TEXT_MAX];
};

/* Values of the record only. */
static void change_of(const struct repair_try *t, struct change *ret)
{
	*ret = (struct change){.kind = CHANGE_REPAIR, .identity = t->entry.serial};
	(void)snprintf(ret->object, sizeof(ret->object), "%s", t->plan.memdev->name);
	ret->repair.type = (uint32_t)t->plan.type;
	ret->repair.known = t->entry.place.known;
	ret->repair.dpa = t->entry.place.dpa;
	memcpy(ret->repair.part, t->entry.place.part, sizeof(ret->repair.part));
}

static void try_say(struct repair_try *t, enum repair_state state, const char *text)
{
	t->state = state;
	(void)snprintf(t->text, sizeof(t->text), "%s", text);
}

/* Adds what the change said: soft or hard, or that the device goes on. */
static void try_add(struct repair_try *t)
{
	const size_t len = strlen(t->text);

	if (t->result.text[0])
		(void)snprintf(t->text + len, sizeof(t->text) - len, "%s%.250s", len ? "; " : "",
			       t->result.text);
}

/* The service, which reads the event, begins after what is made at boot. */
static const char *unconfirmed(const struct repair_try *t)
{
	return t->job->alone ? "no cxl_memory_sparing event of the place was read yet"
			     : "and no cxl_memory_sparing event of the place came in time";
}

/* @accepted: what is known without the event */
static void confirm(struct repair_try *t, const char *accepted)
{
	struct confirmation c = {.entry = &t->entry, .type = t->plan.type, .last = t->before};
	struct error e = {0};
	int r = wait_confirmed(t->job, &c, &e);

	if (r < 0) {
		try_say(t, REPAIR_UNCONFIRMED, "");
		(void)snprintf(t->text, sizeof(t->text), "%s; the event log cannot be read: %.150s",
			       accepted, e.text);
	} else if (!c.found) {
		try_say(t, REPAIR_UNCONFIRMED, "");
		(void)snprintf(t->text, sizeof(t->text), "%s, %s", accepted, unconfirmed(t));
	} else {
		t->entry.confirmed = c.last;
		try_say(t, c.outcome, c.text);
		if (c.outcome != REPAIR_DONE || t->result.outcome == CHANGE_UNKNOWN)
			return;
	}
	try_add(t);
}

/* A repair in the background is not known to Linux, but its event is one like another. */
static void judge(struct repair_try *t, int r)
{
	const bool unknown = r < 0 && t->result.outcome == CHANGE_UNKNOWN;

	if (r < 0 && !unknown)
		try_say(t, REPAIR_REFUSED, t->result.text);
	else if (t->plan.type != EDAC_REPAIR_PPR)
		confirm(t, unknown ? "it was begun" : "Linux accepted it");
	else if (unknown)
		try_say(t, REPAIR_UNCONFIRMED, t->result.text);
	else {
		try_say(t, REPAIR_DONE, "the device reports success");
		try_add(t);
	}
}

static void make_repair(struct repair_try *t)
{
	struct change change;
	const struct change_call call = {.change = &change,
					 .image = -1,
					 .cancelled = t->job->cancelled,
					 .userdata = t->job->userdata};

	change_of(t, &change);
	judge(t, change_client_run(t->job->client, &call, &t->result));
}

static int check_plan(struct repair_try *t, const struct host *host, struct error *e)
{
	event_boot_id(t->job->root, t->boot_id);
	repair_plan_make(&t->entry, host, t->boot_id, clock_realtime_ns(), &t->plan);
	if (t->plan.possible && (!t->job->alone || t->plan.when == REPAIR_NOW))
		return 0;
	return error_set(e, EBUSY, "repair %" PRIu64 " of %s: %s", t->entry.id, t->entry.device,
			 t->plan.reason);
}

/* The repair is done, whether its pages are known or not. */
static void note_pages(struct repair_try *t)
{
	const size_t len = strlen(t->text);
	struct error e = {0};

	t->entry.pages[0] = '\0';
	if (t->state == REPAIR_DONE &&
	    repair_pages_find(t->job->state, t->job->log, &t->entry, t->entry.pages, &e) < 0)
		(void)snprintf(t->text + len, sizeof(t->text) - len,
			       "; not all remembered pages of the place are known: %.150s", e.text);
}

/* The device has done it, or not, whatever becomes of the database: the entry stays running. */
static int settle(const struct repair_try *t, struct error *e)
{
	struct error cause = {0};
	int r = state_settle_repair(t->job->state, &t->entry, t->state, clock_realtime_ns(),
				    t->text, &cause);

	return r == 0 ? 0
		      : error_set(e, EINPROGRESS,
				  "repair %" PRIu64
				  " of %s is %s (%.200s), which could not be stored: %.120s",
				  t->entry.id, t->entry.device, repair_state_name(t->state),
				  t->text, cause.text);
}

static int reserve_and_make(struct repair_try *t, struct error *e)
{
	const struct repair_attempt attempt = {
		.id = t->entry.id,
		.type = t->plan.type,
		.again = t->job->again,
		.alone = t->job->alone,
		.boot_id = t->boot_id,
	};
	int r = t->plan.type == EDAC_REPAIR_PPR ? 0 : newest_entry(t->job->log, &t->before, e);

	if (r < 0)
		return error_prefix(e, "the event of the repair could not be seen"), r;
	r = state_reserve_repair(t->job->state, &attempt, &t->entry, e);
	if (r < 0)
		return r;
	make_repair(t);
	note_pages(t);
	return settle(t, e);
}

static int code_of(const struct repair_try *t)
{
	const int code = -t->result.error;

	if (t->state == REPAIR_UNCONFIRMED)
		return EINPROGRESS;
	/* Others say something else here. */
	return code == 0 || code == EINPROGRESS || code == ENOENT ? EIO : code;
}

static int result_of(const struct repair_try *t, struct error *e)
{
	if (t->state == REPAIR_DONE)
		return 0;
	return error_set(e, code_of(t), "repair %" PRIu64 " of %s: %s", t->entry.id,
			 t->entry.device, t->text);
}

int repair_run(const struct repair_job *job, uint64_t id, struct repair_entry *ret, struct error *e)
{
	_cleanup_(host_unrefp) const struct host *host = NULL;
	struct repair_try t = {.job = job};
	int r = state_read_repair(job->state, id, &t.entry, e);

	if (r == 0)
		r = host_read(job->root, &host, e);
	if (r == 0)
		r = check_plan(&t, host, e);
	if (r == 0)
		r = reserve_and_make(&t, e);
	*ret = t.entry;
	if (r < 0)
		return r;
	if (state_read_repair(job->state, id, ret, e) < 0)
		ret->state = (uint32_t)t.state;
	else if (t.state == REPAIR_UNCONFIRMED && ret->state == REPAIR_DONE)
		t.state = REPAIR_DONE; /* its event was read meanwhile */
	return result_of(&t, e);
}

int repair_resolves(struct state *st, const struct repair_entry *done,
		    char note[static REPAIR_NOTE_MAX], struct error *e)
{
	struct repair_entries list = {0};
	uint64_t first = 0;
	size_t left = 0;
	int r = state_read_repairs(st, &list, e);

	if (r == 0)
		left = repair_entries_open(&list, done->incident, &first);
	repair_entries_done(&list);
	(void)snprintf(note, REPAIR_NOTE_MAX, "repaired by %s (repair %" PRIu64 ")",
		       edac_repair_type_word((enum edac_repair_type)done->used), done->id);
	if (r == 0 && done->incident && left > 0)
		r = error_set(e, EBUSY,
			      "%zu of its places are not repaired, the first is repair %" PRIu64,
			      left, first);
	return r < 0 ? r : done->incident != 0;
}
