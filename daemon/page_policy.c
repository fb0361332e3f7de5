// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_policy.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "daemon/page_batch.h"
#include "daemon/page_reports.h"
#include "events/incident_now.h"
#include "redfish/pages/state_pages.h"
#include "redfish/view/view.h"

enum {
	BATCH = PAGE_BATCH_MAX, /* entries that are read at once; their pages are one request */
	RECOUNT_MAX = 20000,	/* numbers of entries that are counted again after a start */
	CALL_MS = 2000,		/* of firmware, for one entry */
	BUCKET_MS = 10000,
};

struct page_policy {
	struct page_policy_options o;
	struct worker worker; /* its lock guards what follows */
	struct page_rule rule;
	bool anew;			   /* the mode has changed since the last look */
	bool news;			   /* entries may have come since the last look */
	char other_clock[EVENT_CLOCK_MAX]; /* of the newest error; "": it is a reason */

	struct event_subscriber subscriber;

	/* The thread's. */
	struct page_rule in_use;
	struct store_reader *r;
	char path[STORE_PATH_MAX]; /* of the reader */
	bool knows_mark;
	struct policy_mark mark;
	uint64_t position; /* entries up to here were read */
	struct page_begin begun;
	struct corrected_counts *counts;
	struct page_candidate retries[PAGE_RETRIES_MAX];
	struct page_reports *reports;
	struct stored_event batch[BATCH];
	size_t n_batch;
	struct page_batch due;
	uint64_t due_position; /* entries up to here have no page in the batch */
};

/* The entry or candidate that is looked at, with the view of it. */
struct look {
	struct page_policy *p;
	const struct view *v;
	const struct incident *incident;
	struct incident_now now;
	struct firmware_timeout timeout;
};

/* Return: whether the rule is still the one of this look, so that another page may be taken out. */
static bool may_go_on(struct page_policy *p)
{
	bool may;

	worker_lock(&p->worker);
	may = !p->worker.stop && !p->anew;
	worker_unlock(&p->worker);
	return may;
}

/* ---- reports ----------------------------------------------------------------------------------
 */

/* With an entry, unless the incident is of a log that is not there any more. */
static void emit(struct page_policy *p, uint64_t incident, const char *device,
		 const struct page_report *r)
{
	log_info("page-policy: incident %" PRIu64 " of %s: %s", incident, device, r->text);
	if (p->o.report && r->incident)
		p->o.report(p->o.userdata, r);
}

/* @page: the first SPA of the page; NULL when that is not known */
static void report(struct look *l, const struct page_candidate *c, const uint64_t *page,
		   const struct page_result *result, const char *text)
{
	struct page_policy *p = l->p;
	char address[32] = "of an unknown address", line[PAGE_REPORT_MAX], counted[PAGE_REPORT_MAX];
	const struct page_decision d = {
		.device = c->device,
		.incident = c->incident,
		.page = page ? *page : c->dpa,
		.outcome = result->outcome,
		.error = result->error,
		.text = line,
	};
	struct page_report r = {
		.view = l->v, .incident = l->incident, .now = &l->now, .text = line};
	const struct page_report_count *count = NULL;

	if (page)
		(void)snprintf(address, sizeof(address), "0x%" PRIx64, *page);
	(void)snprintf(line, sizeof(line), "page %s (device address 0x%" PRIx64 ") %s", address,
		       c->dpa, text);
	switch (page_reports_add(p->reports, &d, clock_monotonic_ms(), &count)) {
	case PAGE_REPORT_NOTHING:
		return;
	case PAGE_REPORT_COUNT:
		page_report_text(count, counted);
		r.text = counted;
		break;
	case PAGE_REPORT_ITSELF:
		break;
	}
	emit(p, c->incident, c->device, &r);
}

static void report_count(struct page_policy *p, const struct page_report_count *count)
{
	struct view_hold *hold = view_holder_take(p->o.views);
	const struct view *v = hold ? view_of_hold(hold) : NULL;
	struct incident_now now;
	char text[PAGE_REPORT_MAX];
	struct page_report r = {.view = v, .now = &now, .text = text};
	struct incident i;

	page_report_text(count, text);
	if (v && p->r && store_read_incident(p->r, count->incident, &i, NULL) == 0 &&
	    str_equal(i.device, count->device) &&
	    incident_now(&i, v->host, v->translator, v->ids, NULL, &now) == 0)
		r.incident = &i;
	emit(p, count->incident, count->device, &r);
	if (hold)
		(void)view_hold_release(hold);
}

/* @at_once: before their hour has ended, too */
static void report_counts(struct page_policy *p, bool at_once)
{
	const struct page_report_count *count;

	while ((count = page_reports_due(p->reports, clock_monotonic_ms(), at_once)))
		report_count(p, count);
}

/* The next error at an address whose page was taken out is no news. */
static bool was_out(const struct page_result *result)
{
	return result->error == -EDQUOT &&
	       str_equal(result->reason, page_verdict_text(PAGE_IS_OUT));
}

static void report_result(struct look *l, const struct page_candidate *c, uint64_t page,
			  const struct page_result *result)
{
	char text[PAGE_REPORT_MAX];

	if (was_out(result))
		return;
	if (result->outcome == PAGE_DONE || result->outcome == PAGE_ALREADY)
		(void)snprintf(text, sizeof(text), "is out of use%s",
			       result->outcome == PAGE_ALREADY ? " already" : "");
	else
		(void)snprintf(text, sizeof(text), "is not taken out of use: %.300s",
			       result->reason);
	report(l, c, &page, result, text);
}

/* ---- one page ---------------------------------------------------------------------------------
 */

static void retry_later(struct page_policy *p, const struct page_candidate *c)
{
	for (size_t k = 0; k < PAGE_RETRIES_MAX; k++) {
		if (p->retries[k].retry_ms)
			continue;
		p->retries[k] = *c;
		p->retries[k].but_page = 0;
		p->retries[k].retry_ms = clock_monotonic_ms() + p->o.retry_ms;
		return;
	}
}

/* Return: 1 with the exact answer for an address, 0 with one that is not or none, -ENOMEM. */
static int translate(struct look *l, uint64_t dpa, struct answers *ret)
{
	int r = translate_dpa_wait(l->v->translator, l->now.memdev, dpa, dpa, &l->timeout, ret);

	if (r < 0)
		return r;
	return ret->n == 1 && ret->items[0].exact && ret->items[0].has_spa;
}

struct page_of {
	struct look *look;
	uint64_t page;
};

static bool is_in_page(void *userdata, uint64_t dpa)
{
	struct page_of *of = userdata;
	struct answers answers = {0};
	const bool is_in = translate(of->look, dpa, &answers) == 1 &&
			   host_page(of->look->v->host, answers.items[0].spa) == of->page;

	answers_done(&answers);
	return is_in;
}

static uint64_t since_of(const struct page_rule *rule)
{
	const uint64_t now_ns = clock_boottime_ms() * 1000000;
	const uint64_t hours_ns = rule->hours * PAGE_HOUR_NS;

	return now_ns > hours_ns ? now_ns - hours_ns : 0;
}

/* Corrected errors elsewhere in the page count, those of its neighbours do not. */
static bool are_many(struct look *l, const struct page_candidate *c, uint64_t page)
{
	const struct page_rule *rule = &l->p->in_use;
	struct page_of of = {l, page};

	return corrected_counts_sum(l->p->counts, c->device, c->dpa, l->v->host->page_size,
				    since_of(rule), is_in_page, &of) >= rule->corrected;
}

/* Return: whether the page is taken out by the rule, and not only reported. */
static bool acts(struct look *l, const struct page_candidate *c, uint64_t page)
{
	const struct page_result none = {0};

	if (l->p->in_use.mode == PAGE_POLICY_SOFT)
		return true;
	report(l, c, &page, &none,
	       c->is_lost
		       ? "would be taken out of use while nobody uses it (page-policy = observe does nothing)"
		       : "would be taken out of use (page-policy = observe does nothing)");
	return false;
}

static void conclude(struct page_policy *p, const struct page_due *due)
{
	struct look l = {.p = p,
			 .v = view_of_hold(p->due.hold),
			 .incident = &due->incident,
			 .now = due->now};

	report_result(&l, &due->c, due->page, &due->result);
	if (due->result.error == -EBUSY && due->result.outcome == PAGE_REFUSED)
		retry_later(p, &due->c);
}

/* By one request. Under another rule, or at the end, the entries are still to be decided about. */
static void take_due(struct page_policy *p)
{
	if (p->due.n == 0)
		return;
	if (may_go_on(p)) {
		page_batch_run(&p->due, p->o.keeper);
		for (size_t k = 0; k < p->due.n; k++)
			conclude(p, &p->due.items[k]);
	} else {
		p->position = p->due_position;
	}
	page_batch_clear(&p->due);
}

/* @answers: taken over when the page is added */
static void add_due(struct look *l, const struct page_candidate *c, struct answers *answers,
		    uint64_t page)
{
	struct page_policy *p = l->p;
	struct page_due due = {
		.c = *c,
		.incident = *l->incident,
		.now = l->now,
		.answers = *answers,
		.page = page,
	};

	if (!page_batch_has_place(&p->due, l->v))
		take_due(p);
	if (!may_go_on(p))
		return;
	if (p->due.n == 0)
		p->due_position = p->position;
	page_batch_add(&p->due, &due);
	*answers = due.answers;
}

/* A device has a name of its own by its serial number or its PCI address; memN is none. */
static const char *why_not(const struct look *l)
{
	const struct memdev *m = l->now.memdev;

	if (!m)
		return "is not taken out of use: the device is not there";
	if (!memdev_unique_serial(l->v->ids, m).present &&
	    str_equal(memdev_id(l->v->ids, m), m->name))
		return "is not taken out of use: the device has neither a serial number nor a PCI address of its own";
	return NULL;
}

static void decide_with(struct look *l, struct page_candidate *c)
{
	static const struct page_result unknown = {.error = -ERANGE, .outcome = PAGE_REFUSED};
	struct answers answers = {0};
	const char *reason = why_not(l);
	char text[PAGE_REPORT_MAX];
	uint64_t page;
	int r = reason ? 0 : translate(l, c->dpa, &answers);

	if (!reason && r == 0) {
		(void)snprintf(text, sizeof(text), "is not taken out of use: %.320s",
			       answers.n == 1 && answers.items[0].reason[0]
				       ? answers.items[0].reason
				       : "no memory of this host has the address");
		reason = text;
	}
	if (reason && !c->counted)
		report(l, c, NULL, &unknown, reason);
	if (r == 1) {
		page = host_page(l->v->host, answers.items[0].spa);
		if (page != c->but_page && (!c->counted || are_many(l, c, page)) &&
		    acts(l, c, page))
			add_due(l, c, &answers, page);
		c->but_page = page;
	}
	answers_done(&answers);
}

/* The mapping and the device are those of now. */
static void decide(struct page_policy *p, const struct incident *i, struct page_candidate *c)
{
	struct view_hold *hold = view_holder_take(p->o.views);
	struct look l = {.p = p, .incident = i, .timeout = {CALL_MS, BUCKET_MS}};

	if (!hold)
		return;
	l.v = view_of_hold(hold);
	if (incident_now(i, l.v->host, l.v->translator, l.v->ids, NULL, &l.now) == 0)
		decide_with(&l, c);
	page_batch_keep_hold(&p->due, hold);
}

/* ---- one entry --------------------------------------------------------------------------------
 */

static void condemn(struct page_policy *p, const struct incident *i, struct page_candidate c,
		    const struct event_record *rec)
{
	const uint64_t first = c.dpa, last = first + page_range_of(rec) - 1;

	/* A device has 256 bytes in each page that it has a part of, whatever the interleaving is.
	 */
	for (uint64_t chunk = first / PAGE_CHUNK; chunk <= last / PAGE_CHUNK && may_go_on(p);
	     chunk++) {
		c.dpa = chunk * PAGE_CHUNK < first ? first : chunk * PAGE_CHUNK;
		decide(p, i, &c);
	}
}

static uint64_t page_size_of(struct page_policy *p)
{
	struct view_hold *hold = view_holder_take(p->o.views);
	const uint64_t size = hold ? view_of_hold(hold)->host->page_size : PAGE_SIZE_DEFAULT;

	(void)view_hold_release(hold);
	return size;
}

static void count(struct page_policy *p, const struct incident *i, const struct stored_event *ev,
		  struct page_candidate *c)
{
	const struct page_rule *rule = &p->in_use;
	const uint64_t time_ns = ev->record.time_ns;

	/* A time that is to come is none. */
	if (rule->corrected == 0 || time_ns > (clock_boottime_ms() + 1) * 1000000)
		return;
	corrected_counts_add(p->counts, c->device, c->dpa, time_ns);
	c->counted = true;
	if (ev->seq > p->mark.decided &&
	    corrected_counts_sum(p->counts, c->device, c->dpa, page_size_of(p), since_of(rule),
				 NULL, NULL) >= rule->corrected)
		decide(p, i, c);
}

/* Return: whether there was one before. */
static bool set_other_clock(struct page_policy *p, const char *clock)
{
	bool was;

	worker_lock(&p->worker);
	was = p->other_clock[0];
	(void)snprintf(p->other_clock, sizeof(p->other_clock), "%s", clock);
	worker_unlock(&p->worker);
	return was;
}

/* Such an error is never a reason, which would stay unnoticed. */
static void note_clock(struct page_policy *p, const struct stored_event *ev)
{
	const bool is_new = ev->seq > p->mark.decided &&
			    memcmp(ev->boot_id, p->begun.boot_id, sizeof(ev->boot_id)) == 0;
	const char *clock = ev->record.clock[0] ? ev->record.clock : "unknown";

	if (!is_new || ev->pending)
		return;
	if (str_equal(clock, "boot"))
		(void)set_other_clock(p, "");
	else if (!set_other_clock(p, clock))
		log_warning(
			"page-policy: an error of %s is no reason to take its page out, because the clock of the trace instance is not boot but %s: see \"Records from boot on\" in events.md",
			ev->device, clock);
}

bool page_policy_clock(struct page_policy *p, char ret[static EVENT_CLOCK_MAX])
{
	worker_lock(&p->worker);
	memcpy(ret, p->other_clock, EVENT_CLOCK_MAX);
	worker_unlock(&p->worker);
	return ret[0];
}

static void look_at(struct page_policy *p, const struct stored_event *ev)
{
	struct page_candidate c = {.incident = ev->incident};
	struct incident i;

	if (ev->incident == 0 || store_read_incident(p->r, ev->incident, &i, NULL) < 0)
		return;
	(void)snprintf(c.device, sizeof(c.device), "%s", ev->device);
	c.dpa = event_number(&ev->record, FIELD_DPA).value;
	c.is_lost = page_is_lost(&ev->record, &i);
	note_clock(p, ev);
	switch (page_weigh(ev, &i, &p->begun)) {
	case PAGE_IS_CONDEMNED:
		/* Entries that were decided about are read again after a start, to be counted. */
		if (ev->seq > p->mark.decided)
			condemn(p, &i, c, &ev->record);
		break;
	case PAGE_IS_COUNTED:
		count(p, &i, ev, &c);
		break;
	case PAGE_WEIGHS_NOTHING:
		break;
	}
}

static void retry_due(struct page_policy *p)
{
	for (size_t k = 0; k < PAGE_RETRIES_MAX; k++) {
		struct page_candidate c = p->retries[k];
		struct incident i;

		if (!c.retry_ms || c.retry_ms > clock_monotonic_ms() || !may_go_on(p))
			continue;
		p->retries[k].retry_ms = 0;
		if (store_read_incident(p->r, c.incident, &i, NULL) == 0 && incident_is_open(&i))
			decide(p, &i, &c);
	}
	take_due(p);
}

/* ---- the mark ---------------------------------------------------------------------------------
 */

static void forget(struct page_policy *p)
{
	corrected_counts_clear(p->counts);
	memset(p->retries, 0, sizeof(p->retries));
	report_counts(p, true);
	page_reports_clear(p->reports);
	(void)set_other_clock(p, "");
}

/* An error of this boot is of before when it was switched on later in this boot. */
static void set_begun(struct page_policy *p)
{
	const uint8_t *boot_id = event_log_traits(p->o.log)->boot_id;
	const bool is_this = memcmp(boot_id, p->mark.boot_id, sizeof(p->mark.boot_id)) == 0;

	memcpy(p->begun.boot_id, boot_id, sizeof(p->begun.boot_id));
	p->begun.boottime_ns = is_this ? p->mark.boottime_ns : 0;
}

/* Entries up to @newest are of before. */
static int begin(struct page_policy *p, uint64_t newest, uint64_t inode)
{
	struct policy_mark mark = {.mode = p->in_use.mode, .store = inode};
	struct error e = {0};
	int r;

	if (mark.mode != PAGE_POLICY_OFF) {
		mark.since = mark.decided = newest;
		mark.boottime_ns = clock_boottime_ms() * 1000000;
		memcpy(mark.boot_id, event_log_traits(p->o.log)->boot_id, sizeof(mark.boot_id));
	}
	forget(p);
	r = state_put_policy(page_keeper_state(p->o.keeper), STATE_DURABLE, &mark, &e);
	if (r < 0)
		return r;
	p->mark = mark;
	p->position = newest;
	set_begun(p);
	if (mark.mode != PAGE_POLICY_OFF)
		log_info("page-policy: entries of the event log after %" PRIu64
			 " are decided about",
			 newest);
	return 0;
}

/* After a start: errors that were counted before it count again. */
static int load_mark(struct page_policy *p)
{
	int r = state_read_policy(page_keeper_state(p->o.keeper), &p->mark, NULL);
	const uint64_t decided = r < 0 ? 0 : p->mark.decided;

	if (r < 0)
		return r;
	p->knows_mark = true;
	set_begun(p);
	p->position = decided > RECOUNT_MAX ? decided - RECOUNT_MAX : 0;
	if (p->position < p->mark.since)
		p->position = p->mark.since;
	return 0;
}

/* The decisions of before the end of the process need not be in the file: the keeper has the pages.
 */
static void keep_mark(struct page_policy *p)
{
	if (p->position <= p->mark.decided)
		return;
	p->mark.decided = p->position;
	(void)state_put_policy(page_keeper_state(p->o.keeper), STATE_LAZY, &p->mark, NULL);
}

/* ---- one look ---------------------------------------------------------------------------------
 */

static int add_to_batch(void *userdata, const struct stored_event *ev)
{
	struct page_policy *p = userdata;

	p->batch[p->n_batch++] = *ev;
	return 0;
}

/* Return: whether there may be more; or an error. */
static int read_batch(struct page_policy *p, uint64_t upto)
{
	static const struct event_filter filter = {.types = 1U << EVENT_GENERAL_MEDIA |
							    1U << EVENT_DRAM | 1U << EVENT_POISON};
	const struct event_page page = {.from = p->position, .max = BATCH};
	bool more;
	int r;

	p->n_batch = 0;
	r = store_read_page(p->r, &filter, &page, add_to_batch, p, NULL);
	if (r < 0)
		return r;
	more = p->n_batch == BATCH;
	for (size_t k = 0; k < p->n_batch; k++) {
		look_at(p, &p->batch[k]);
		if (!may_go_on(p))
			break;
		p->position = p->batch[k].seq;
	}
	take_due(p);
	if (!more && may_go_on(p) && p->position < upto)
		p->position = upto;
	keep_mark(p);
	return more && may_go_on(p);
}

static int open_log(struct page_policy *p, struct stat *ret)
{
	struct store_status status;

	event_log_status(p->o.log, &status);
	if (!status.path[0] || stat(status.path, ret) < 0)
		return -ENOENT;
	if (p->r && !str_equal(p->path, status.path))
		p->r = store_reader_close(p->r);
	(void)snprintf(p->path, sizeof(p->path), "%s", status.path);
	return p->r ? 0 : store_reader_open(p->path, &p->r, NULL);
}

static int look(struct page_policy *p, bool anew)
{
	struct store_info info;
	struct stat st;
	int r = open_log(p, &st);

	if (r == 0 && !p->knows_mark)
		r = load_mark(p);
	if (r == 0)
		r = store_read_info(p->r, &info, NULL);
	if (r < 0)
		return r;
	if (info.next == 0)
		return -EBADMSG;
	if (anew || p->mark.mode != p->in_use.mode ||
	    (p->mark.mode != PAGE_POLICY_OFF &&
	     (p->mark.store != st.st_ino || info.next <= p->mark.decided)))
		return begin(p, info.next - 1, st.st_ino);
	if (p->mark.mode == PAGE_POLICY_OFF)
		return 0;
	report_counts(p, false);
	retry_due(p);
	do
		r = read_batch(p, info.next - 1);
	while (r > 0);
	return r;
}

static void run_look(struct page_policy *p)
{
	bool anew;

	worker_lock(&p->worker);
	p->in_use = p->rule;
	anew = p->anew;
	p->anew = p->news = false;
	worker_unlock(&p->worker);
	if (look(p, anew) >= 0)
		return;
	/* By a new connection and from the mark in the file; others report why. */
	p->r = store_reader_close(p->r);
	p->knows_mark = false;
	corrected_counts_clear(p->counts);
	if (!anew)
		return;
	worker_lock(&p->worker);
	p->anew = true;
	worker_unlock(&p->worker);
}

static void *policy_thread(void *userdata)
{
	struct page_policy *p = userdata;

	worker_lock(&p->worker);
	while (!p->worker.stop) {
		worker_unlock(&p->worker);
		run_look(p);
		worker_lock(&p->worker);
		if (!p->worker.stop && !p->anew && !p->news)
			(void)worker_wait(&p->worker, clock_monotonic_ms() + PAGE_POLICY_MS);
	}
	worker_unlock(&p->worker);
	report_counts(p, true);
	worker_ended(&p->worker);
	return NULL;
}

/* With the bus locked; the worker's lock is never held for long. */
static void wake_policy(struct event_subscriber *subscriber)
{
	struct page_policy *p =
		(void *)((char *)subscriber - offsetof(struct page_policy, subscriber));

	worker_lock(&p->worker);
	p->news = true;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

void page_policy_set(struct page_policy *p, const struct page_rule *rule)
{
	worker_lock(&p->worker);
	p->anew |= rule->mode != p->rule.mode;
	p->rule = *rule;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

/* Accepts NULL. Return: NULL. */
static struct page_policy *destroy(struct page_policy *p)
{
	if (p) {
		(void)store_reader_close(p->r);
		(void)corrected_counts_free(p->counts);
		(void)page_reports_free(p->reports);
	}
	free(p);
	return NULL;
}

int page_policy_new(const struct page_policy_options *o, struct page_policy **ret, struct error *e)
{
	struct page_policy *p = calloc(1, sizeof(*p));
	int r;

	if (p) {
		p->counts = corrected_counts_new();
		p->reports = page_reports_new();
	}
	if (!p || !p->counts || !p->reports) {
		(void)destroy(p);
		return error_set(e, ENOMEM, "out of memory");
	}
	p->o = *o;
	p->rule = o->rule;
	worker_init(&p->worker);
	r = worker_start(&p->worker, policy_thread, p, e);
	if (r < 0) {
		worker_done(&p->worker);
		(void)destroy(p);
		return r;
	}
	p->subscriber.wake = wake_policy;
	if (p->o.bus)
		event_bus_subscribe(p->o.bus, &p->subscriber);
	*ret = p;
	return 0;
}

bool page_policy_free(struct page_policy *p, unsigned int wait_ms)
{
	if (!p)
		return true;
	if (p->o.bus)
		event_bus_unsubscribe(p->o.bus, &p->subscriber);
	p->o.bus = NULL;
	if (!worker_stop(&p->worker, wait_ms))
		return false;
	worker_done(&p->worker);
	(void)destroy(p);
	return true;
}
