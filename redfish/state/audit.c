// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/audit.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "http/request.h"
#include "redfish/state/audit_sources.h"

enum {
	AUDIT_WHAT_MIN = 32,   /* bytes of a detail, for which what was changed is added */
	RETRY_MS = 1000,       /* until writing is tried again */
	READER_WAIT_MS = 2000, /* for what is queued */
	SHARE_IN_MEMORY_MAX = AUDIT_SHARE_MAX / 10,
	REFUSED_QUEUE_MAX = AUDIT_QUEUE_MAX / 2,
};

struct queue_entry {
	TAILQ_ENTRY(queue_entry) in;
	struct audit_record record;
};

TAILQ_HEAD(queue, queue_entry);

struct audit {
	struct worker worker; /* its lock guards what follows */
	struct state *state;  /* NULL: in memory */
	struct queue queue, memory;
	size_t n_queued; /* also those that are being written */
	size_t n_memory, n_share[AUDIT_SHARES];
	uint64_t last; /* number in memory */
	bool failing;
	uint64_t failing_since_ns, lost_since_ns; /* as audit_status() */
	char reason[ERROR_TEXT_MAX];
	uint64_t retry_ms, lost, lost_unrecorded;
	struct audit_sources failures, logins;
};

/* ---- texts ------------------------------------------------------------------------------------
 */

/* Return: whether a URI may have the character; sentences of the service also have spaces. */
static bool is_plain(char c, bool sentence)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("-._~/:@!$&'()*+,;=[]", c)) || (sentence && c == ' ');
}

static size_t encoded_length(const char *text, bool sentence)
{
	size_t n = 0;

	for (; *text; text++)
		n += is_plain(*text, sentence) ? 1 : 3;
	return n;
}

/* Percent-encodes what is not plain; a text that is too long ends with "...". NULL: "" */
static void copy_text(char *to, size_t size, const char *from, bool sentence)
{
	static const char hex[] = "0123456789ABCDEF", more[] = "...";
	const bool cut = from && encoded_length(from, sentence) >= size;
	const size_t end = size - 1 - (cut ? strlen(more) : 0);
	size_t n = 0;

	for (; from && *from && n + (is_plain(*from, sentence) ? 1 : 3) <= end; from++) {
		if (is_plain(*from, sentence)) {
			to[n++] = *from;
			continue;
		}
		to[n++] = '%';
		to[n++] = hex[(unsigned char)*from >> 4];
		to[n++] = hex[*from & 0xf];
	}
	memcpy(to + n, cut ? more : "", cut ? sizeof(more) : 1);
}

static const char *shown(const char *text)
{
	return text[0] ? text : "-";
}

const char *audit_show_detail(const struct audit_record *rec, char ret[static SHOWN_URI_MAX])
{
	const bool created = rec->kind == AUDIT_CHANGE && rec->status == 201;

	return created ? system_id_show(rec->detail, ret) : rec->detail;
}

/* The line in the service's log. Failed logins have their own, see lockout.h. */
static void log_record(const struct audit_record *rec)
{
	const char *user = shown(rec->user), *from = shown(rec->from);
	char uri[SHOWN_URI_MAX], detail[SHOWN_URI_MAX];

	switch (rec->kind) {
	case AUDIT_CHANGE:
		log_info("audit: %s %s by %s from %s: %u%s%s", rec->method,
			 system_id_show(rec->uri, uri), user, from, rec->status,
			 rec->detail[0] ? " " : "", audit_show_detail(rec, detail));
		break;
	case AUDIT_LOGIN:
		log_info("audit: login of %s from %s: %s", user, from, rec->detail);
		break;
	case AUDIT_SESSION_CREATED:
		log_info("audit: session %s created by %s from %s", rec->uri, user, from);
		break;
	case AUDIT_SESSION_ENDED:
		log_info("audit: session %s of %s from %s ended: %s", rec->uri, user, from,
			 rec->detail);
		break;
	case AUDIT_LOCKED_OUT:
		log_info("audit: account %s is locked out for %s", user, from);
		break;
	case AUDIT_CONFIGURATION:
		log_info("audit: configuration read again: %s", rec->detail);
		break;
	default:
		break;
	}
}

/* ---- the queue --------------------------------------------------------------------------------
 */

static void *audit_thread(void *userdata);

/* With the lock held. */
static void queue_record(struct audit *a, const struct audit_record *rec)
{
	const size_t most =
		audit_share(rec) == AUDIT_SHARE_REFUSED ? REFUSED_QUEUE_MAX : AUDIT_QUEUE_MAX;
	struct queue_entry *q = NULL;

	if (!a->worker.stop && !a->worker.started)
		(void)worker_start(&a->worker, audit_thread, a, NULL);
	if (a->worker.started && !a->worker.ended && a->n_queued < most)
		q = malloc(sizeof(*q));
	if (!q) {
		if (a->lost_unrecorded == 0)
			log_warning("audit records are lost: %s",
				    a->failing		  ? a->reason
				    : a->n_queued >= most ? "too many wait to be stored"
							  : "out of memory");
		if (a->lost++ == 0)
			a->lost_since_ns = clock_realtime_ns();
		a->lost_unrecorded++;
		return;
	}
	q->record = *rec;
	TAILQ_INSERT_TAIL(&a->queue, q, in);
	a->n_queued++;
	worker_wake(&a->worker);
}

static void record_init(struct audit_record *rec, enum audit_kind kind, const char *user,
			const char *from)
{
	*rec = (struct audit_record){.kind = kind, .count = 1, .time_ns = clock_realtime_ns()};
	copy_text(rec->user, sizeof(rec->user), user, false);
	copy_text(rec->from, sizeof(rec->from), from, true);
}

static void add_record(struct audit *a, const struct audit_record *rec)
{
	log_record(rec);
	worker_lock(&a->worker);
	queue_record(a, rec);
	worker_unlock(&a->worker);
}

static void free_queue(struct queue *queue)
{
	struct queue_entry *q;

	while ((q = TAILQ_FIRST(queue))) {
		TAILQ_REMOVE(queue, q, in);
		free(q);
	}
}

/* ---- memory, with the lock held ---------------------------------------------------------------
 */

/* The oldest record, of a share unless it is none. */
static void memory_drop(struct audit *a, enum audit_share share)
{
	struct queue_entry *q = TAILQ_FIRST(&a->memory);

	while (q && share != AUDIT_SHARE_NONE && audit_share(&q->record) != share)
		q = TAILQ_NEXT(q, in);
	if (!q)
		return;
	TAILQ_REMOVE(&a->memory, q, in);
	a->n_memory--;
	a->n_share[audit_share(&q->record)]--;
	free(q);
}

static void memory_add(struct audit *a, struct queue_entry *q)
{
	const enum audit_share share = audit_share(&q->record);

	q->record.seq = ++a->last;
	TAILQ_INSERT_TAIL(&a->memory, q, in);
	a->n_memory++;
	a->n_share[share]++;
	if (share != AUDIT_SHARE_NONE && a->n_share[share] > SHARE_IN_MEMORY_MAX)
		memory_drop(a, share);
	if (a->n_memory > AUDIT_MEMORY_MAX)
		memory_drop(a, AUDIT_SHARE_NONE);
}

/* ---- the thread, with the lock held -----------------------------------------------------------
 */

static void record_failures(struct audit *a, const struct audit_source *s)
{
	struct audit_record rec;

	record_init(&rec, AUDIT_LOGIN_FAILED, s->user, s->from);
	rec.count = s->n;
	queue_record(a, &rec);
}

static void queue_due(struct audit *a, uint64_t now_ms)
{
	struct audit_source s;

	while (audit_sources_due(&a->failures, now_ms, &s))
		record_failures(a, &s);
}

static void write_to_memory(struct audit *a)
{
	struct queue_entry *q;

	while ((q = TAILQ_FIRST(&a->queue))) {
		TAILQ_REMOVE(&a->queue, q, in);
		a->n_queued--;
		memory_add(a, q);
	}
}

/* The batch could not be written: it is tried again, before what came meanwhile. */
static void write_failed(struct audit *a, struct queue *batch, const struct error *why)
{
	struct queue_entry *q;

	while ((q = TAILQ_LAST(batch, queue))) {
		TAILQ_REMOVE(batch, q, in);
		TAILQ_INSERT_HEAD(&a->queue, q, in);
	}
	if (!a->failing || strcmp(a->reason, why->text) != 0)
		log_warning("audit records cannot be stored: %s; up to %d of them wait", why->text,
			    AUDIT_QUEUE_MAX);
	if (!a->failing)
		a->failing_since_ns = clock_realtime_ns();
	a->failing = true;
	(void)snprintf(a->reason, sizeof(a->reason), "%s", why->text);
	a->retry_ms = clock_monotonic_ms() + RETRY_MS;
}

static void write_succeeded(struct audit *a, struct queue *batch, size_t n)
{
	struct audit_record rec;

	free_queue(batch);
	a->n_queued -= n;
	if (a->failing)
		log_info("audit records can be stored again");
	if (a->lost_unrecorded) {
		record_init(&rec, AUDIT_LOST, "", "");
		rec.count = a->lost_unrecorded;
		copy_text(rec.detail, sizeof(rec.detail), a->reason, true);
		log_warning("audit records were lost: %" PRIu64, rec.count);
		a->lost_unrecorded = 0;
		queue_record(a, &rec);
	}
	a->failing = false;
	a->reason[0] = '\0';
}

static void write_to_state(struct audit *a)
{
	const struct audit_record *records[AUDIT_QUEUE_MAX];
	struct queue batch = TAILQ_HEAD_INITIALIZER(batch);
	struct queue_entry *q;
	struct error e = {0};
	size_t n = 0;
	int r;

	while (n < AUDIT_QUEUE_MAX && (q = TAILQ_FIRST(&a->queue))) {
		TAILQ_REMOVE(&a->queue, q, in);
		TAILQ_INSERT_TAIL(&batch, q, in);
		records[n++] = &q->record;
	}
	worker_unlock(&a->worker);
	r = state_add_audit(a->state, records, n, &e);
	worker_lock(&a->worker);
	if (r < 0)
		write_failed(a, &batch, &e);
	else
		write_succeeded(a, &batch, n);
}

static void write_queue(struct audit *a)
{
	if (a->state)
		write_to_state(a);
	else
		write_to_memory(a);
	/* Readers that wait for the queue, and audit_stop(). */
	worker_wake(&a->worker);
}

static uint64_t next_wake(const struct audit *a, uint64_t now_ms)
{
	uint64_t next = audit_sources_next(&a->failures);

	if (a->n_queued && a->retry_ms < next)
		next = a->retry_ms;
	return next == UINT64_MAX ? now_ms + WORKER_FOREVER : next;
}

static void *audit_thread(void *userdata)
{
	struct audit *a = userdata;

	worker_lock(&a->worker);
	while (!a->worker.stop) {
		uint64_t now = clock_monotonic_ms();

		queue_due(a, now);
		if (a->n_queued && a->retry_ms <= now)
			write_queue(a);
		else
			(void)worker_wait(&a->worker, next_wake(a, now));
	}
	/* Records that were only counted so far are due, too. */
	queue_due(a, UINT64_MAX);
	if (a->n_queued)
		write_queue(a);
	worker_unlock(&a->worker);
	worker_ended(&a->worker);
	return NULL;
}

/* ---- lifetime ---------------------------------------------------------------------------------
 */

struct audit *audit_new(void)
{
	struct audit *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	worker_init(&a->worker);
	TAILQ_INIT(&a->queue);
	TAILQ_INIT(&a->memory);
	a->logins.replaces = true;
	return a;
}

void audit_set_state(struct audit *a, struct state *st)
{
	a->state = st;
}

bool audit_stop(struct audit *a, unsigned int wait_ms)
{
	return !a || worker_stop(&a->worker, wait_ms);
}

struct audit *audit_free(struct audit *a)
{
	if (!a)
		return NULL;
	(void)audit_stop(a, UINT_MAX);
	worker_done(&a->worker);
	free_queue(&a->queue);
	free_queue(&a->memory);
	free(a);
	return NULL;
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void change_init(struct audit_record *rec, const struct principal *p, const char *method,
			const char *uri, unsigned int status, const char *detail)
{
	record_init(rec, AUDIT_CHANGE, p->name, p->from);
	rec->status = status;
	copy_text(rec->method, sizeof(rec->method), method, false);
	copy_text(rec->uri, sizeof(rec->uri), uri, false);
	copy_text(rec->detail, sizeof(rec->detail), detail, false);
}

void audit_change(struct audit *a, const struct principal *p, const char *method, const char *uri,
		  unsigned int status, const char *detail)
{
	audit_change_of(a, p, method, uri, status, detail, NULL);
}

void audit_change_of(struct audit *a, const struct principal *p, const char *method,
		     const char *uri, unsigned int status, const char *detail, const char *what)
{
	struct audit_record rec;
	size_t len;

	if (!a)
		return;
	change_init(&rec, p, method, uri, status, detail);
	len = strlen(rec.detail);
	if (what && what[0] && sizeof(rec.detail) - len > AUDIT_WHAT_MIN) {
		if (len > 0)
			rec.detail[len++] = ' ';
		copy_text(rec.detail + len, sizeof(rec.detail) - len, what, true);
	}
	add_record(a, &rec);
}

static const char *means_name(enum authentication means)
{
	switch (means) {
	case AUTHENTICATION_BASIC:
		return "password";
	case AUTHENTICATION_CERTIFICATE:
		return "certificate";
	case AUTHENTICATION_PEER:
		return "local user";
	default:
		return "session";
	}
}

uint64_t audit_login(struct audit *a, const struct principal *p)
{
	struct audit_source *slot;
	struct audit_record rec;
	uint64_t due_ms;
	bool first;

	if (!a)
		return 0;
	worker_lock(&a->worker);
	first = audit_sources_count(&a->logins, p->name, p->from, clock_monotonic_ms(),
				    AUDIT_LOGIN_MS, &slot);
	slot->n = 0; /* requests are not counted */
	due_ms = slot->due_ms;
	worker_unlock(&a->worker);
	if (!first)
		return due_ms;
	record_init(&rec, AUDIT_LOGIN, p->name, p->from);
	copy_text(rec.detail, sizeof(rec.detail), means_name(p->means), true);
	add_record(a, &rec);
	return due_ms;
}

void audit_login_failed(struct audit *a, const char *account, const char *from)
{
	struct audit_source *slot, one;

	if (!a)
		return;
	worker_lock(&a->worker);
	if (audit_sources_count(&a->failures, account ? account : "", from, clock_monotonic_ms(),
				AUDIT_MERGE_MS, &slot)) {
		one = *slot;
		one.n = 1;
		record_failures(a, &one);
	} else if (slot->n == 1) {
		/* The thread knows no time for this slot yet. */
		worker_wake(&a->worker);
	}
	worker_unlock(&a->worker);
}

void audit_session_created(struct audit *a, const struct principal *p, const char *uri)
{
	struct audit_record rec;

	if (!a)
		return;
	record_init(&rec, AUDIT_SESSION_CREATED, p->name, p->from);
	copy_text(rec.uri, sizeof(rec.uri), uri, false);
	add_record(a, &rec);
}

void audit_session_ended(struct audit *a, const char *user, const char *from, const char *uri,
			 const char *why)
{
	struct audit_record rec;

	if (!a)
		return;
	record_init(&rec, AUDIT_SESSION_ENDED, user, from);
	copy_text(rec.uri, sizeof(rec.uri), uri, false);
	copy_text(rec.detail, sizeof(rec.detail), why, true);
	add_record(a, &rec);
}

void audit_locked_out(struct audit *a, const char *account, const char *from)
{
	struct audit_record rec;

	if (!a)
		return;
	record_init(&rec, AUDIT_LOCKED_OUT, account, from);
	add_record(a, &rec);
}

void audit_configuration(struct audit *a, const char *result)
{
	struct audit_record rec;

	if (!a)
		return;
	record_init(&rec, AUDIT_CONFIGURATION, "", "");
	copy_text(rec.detail, sizeof(rec.detail), result, true);
	add_record(a, &rec);
}

void audit_decision(struct audit *a, const char *uri, const char *decision)
{
	struct audit_record rec;

	if (!a)
		return;
	record_init(&rec, AUDIT_DECISION, "", "");
	copy_text(rec.uri, sizeof(rec.uri), uri, false);
	copy_text(rec.detail, sizeof(rec.detail), decision, true);
	add_record(a, &rec);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

void audit_status(struct audit *a, struct audit_status *ret)
{
	*ret = (struct audit_status){0};
	if (!a)
		return;
	worker_lock(&a->worker);
	ret->persistent = a->state;
	ret->max_records = a->state ? AUDIT_RECORDS_MAX : AUDIT_MEMORY_MAX;
	ret->failing = a->failing;
	ret->failing_since_ns = a->failing_since_ns;
	ret->lost = a->lost;
	ret->lost_since_ns = a->lost_since_ns;
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", a->reason);
	worker_unlock(&a->worker);
}

enum health_level audit_health(const struct audit_status *s)
{
	if (s->failing)
		return HEALTH_CRITICAL;
	return s->lost > 0 ? HEALTH_WARNING : HEALTH_OK;
}

bool audit_is_ready(struct audit *a)
{
	bool ready;

	worker_lock(&a->worker);
	ready = !a->state && a->n_queued == 0;
	worker_unlock(&a->worker);
	return ready;
}

/* With the lock held: waits until what was added before is written, or is known not to be. */
static void wait_written(struct audit *a)
{
	const uint64_t until = clock_monotonic_ms() + READER_WAIT_MS;
	bool in_time = true;

	while (a->n_queued && !a->failing && !a->worker.stop && in_time)
		in_time = worker_await(&a->worker, until);
}

/* The records are copied, so that @each is called without the lock. */
static struct audit_record *memory_copy(struct audit *a, const struct audit_page *page,
					size_t *ret_n)
{
	struct audit_record *copy = calloc(AUDIT_MEMORY_MAX, sizeof(*copy));
	const struct queue_entry *q;
	uint64_t skip = page->skip;
	size_t n = 0;

	TAILQ_FOREACH(q, &a->memory, in)
	{
		if (!copy || n == page->max || n == AUDIT_MEMORY_MAX)
			break;
		/* cppcheck-suppress uninitvar */
		if (q->record.seq <= page->from)
			continue;
		if (skip > 0)
			skip--;
		else
			copy[n++] = q->record;
	}
	*ret_n = n;
	return copy;
}

static int memory_read(struct audit *a, const struct audit_page *page, audit_each *each,
		       void *userdata, uint64_t *ret_count)
{
	struct audit_record *copy;
	size_t n;
	int r = 0;

	worker_lock(&a->worker);
	copy = memory_copy(a, page, &n);
	if (ret_count)
		*ret_count = a->n_memory;
	worker_unlock(&a->worker);
	if (!copy)
		return -ENOMEM;
	for (size_t i = 0; i < n && r == 0; i++)
		r = each(userdata, &copy[i]);
	free(copy);
	return r;
}

int audit_read(struct audit *a, const struct audit_page *page, audit_each *each, void *userdata,
	       uint64_t *ret_count)
{
	worker_lock(&a->worker);
	wait_written(a);
	worker_unlock(&a->worker);
	if (a->state)
		return state_read_audit(a->state, page, each, userdata, ret_count, NULL);
	return memory_read(a, page, each, userdata, ret_count);
}

static int take_one(void *userdata, const struct audit_record *rec)
{
	*(struct audit_record *)userdata = *rec;
	return 0;
}

int audit_read_one(struct audit *a, uint64_t seq, struct audit_record *ret)
{
	const struct audit_page page = {.from = seq - 1, .max = 1};
	struct audit_record rec = {0};
	int r;

	if (seq == 0 || seq > INT64_MAX)
		return -ENOENT;
	r = audit_read(a, &page, take_one, &rec, NULL);
	if (r < 0)
		return r;
	if (rec.seq != seq)
		return -ENOENT;
	*ret = rec;
	return 0;
}

static void memory_clear(struct audit *a, const struct audit_record *rec)
{
	struct queue_entry *q = malloc(sizeof(*q));

	free_queue(&a->memory);
	a->n_memory = 0;
	memset(a->n_share, 0, sizeof(a->n_share));
	if (!q)
		return;
	q->record = *rec;
	memory_add(a, q);
}

int audit_clear(struct audit *a, const struct principal *p, const char *method, const char *uri,
		unsigned int status)
{
	struct audit_record rec;
	int r = 0;

	change_init(&rec, p, method, uri, status, NULL);
	worker_lock(&a->worker);
	wait_written(a);
	if (!a->state)
		memory_clear(a, &rec);
	worker_unlock(&a->worker);
	if (a->state)
		r = state_clear_audit(a->state, &rec, NULL);
	if (r < 0)
		return r;
	log_record(&rec);
	worker_lock(&a->worker);
	a->lost = 0;
	worker_unlock(&a->worker);
	return 0;
}
