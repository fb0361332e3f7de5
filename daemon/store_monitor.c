// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/store_monitor.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "events/store_reader.h"
#include "model/event_health.h"
#include "model/open_incidents.h"
#include "model/recording_faults.h"

enum {
	LOSS_SHOWN_MS = 60 * 60 * 1000,
	LOSSES_MAX = 8192,
	ENDS_MAX = 512, /* entries about a loss at an end, searched for unresolved ones */
	/* Counts of incidents that go on are shown with each event, but no more often than that. */
	COUNTS_MS = 10 * 1000,
	FIRMWARE_MS = 500, /* for the pages of all incidents */
};

DEFINE_ARRAY(struct event_loss, losses);

struct store_monitor {
	struct store_monitor_options o;

	/* The thread's. */
	struct store_reader *store;
	struct event_health *health;
	struct open_incidents *read;	  /* as the log has them */
	struct open_incidents *incidents; /* as they are shown */
	uint64_t counts_ms;		  /* when these were read */
	uint64_t version;		  /* of the log when it was read; 0: it was not */
	struct losses losses;		  /* as last read */
	bool counted;			  /* they were read once: earlier losses are not reported */
	uint64_t lost_ms;		  /* when the last loss was noticed; 0: never */
	char lost[RECORDING_FAULT_TEXT_MAX];

	struct worker worker; /* its lock guards what follows */
	bool poked;	      /* something has changed */
	bool requested;	      /* somebody waits for a check */
	enum trace_state trace;
	char trace_text[ERROR_TEXT_MAX];
};

static const struct event_loss *find_loss(const struct losses *list, const char *place)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_equal(list->items[i].place, place))
			return &list->items[i];
	return NULL;
}

static int add_loss(void *userdata, const struct event_loss *loss)
{
	struct losses *list = userdata;
	struct event_loss *one = list->n < LOSSES_MAX ? losses_add(list) : NULL;

	if (!one)
		return -ENOMEM;
	*one = *loss;
	return 0;
}

static void describe_loss(const struct event_loss *loss, const struct event_loss *before,
			  char ret[static RECORDING_FAULT_TEXT_MAX])
{
	const uint64_t n = loss->n - (before ? before->n : 0);
	const char *cpu = str_after_prefix(loss->place, "cpu");
	char count[32];

	if (n)
		(void)snprintf(count, sizeof(count), "%llu", (unsigned long long)n);
	else
		(void)snprintf(count, sizeof(count), "an unknown number");
	if (cpu)
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX, "%s in the trace ring of CPU %s",
			       count, cpu);
	else
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX, "%s %s", count,
			       str_equal(loss->place, "refused")
				       ? "because the log is full"
				       : "because they could not be stored in time");
}

/* It has a fault of its own, until its entry is resolved. */
static bool is_of_end(const struct event_loss *loss)
{
	return str_equal(loss->place, event_type_name(EVENT_LOST_AT_END));
}

static void monitor_read_losses(struct store_monitor *m)
{
	struct losses now = {0};
	struct error e = {0};

	if (store_read_losses(m->store, add_loss, &now, &e) < 0) {
		losses_done(&now);
		return;
	}
	ARRAY_FOREACH(loss, &now) {
		const struct event_loss *before = find_loss(&m->losses, loss->place);

		if (!m->counted || (before && before->gaps >= loss->gaps) || is_of_end(loss))
			continue;
		describe_loss(loss, before, m->lost);
		m->lost_ms = clock_monotonic_ms();
		log_warning("records of CXL events were lost: %s", m->lost);
	}
	losses_done(&m->losses);
	m->losses = now;
	m->counted = true;
}

static bool monitor_open_store(struct store_monitor *m, const struct store_status *status)
{
	struct error e = {0};

	if (!m->store && status->path[0])
		(void)store_reader_open(status->path, &m->store, &e);
	return m->store != NULL;
}

static bool monitor_use(struct store_monitor *m, int r)
{
	if (r == -EBADMSG)
		store_writer_check(m->o.writer);
	else if (r < 0)
		store_writer_look(m->o.writer);
	if (r < 0) {
		m->store = store_reader_close(m->store);
		m->version = 0;
	}
	return r >= 0;
}

/* Return: whether the store could be read. */
static bool monitor_read_health(struct store_monitor *m)
{
	struct event_health *health;
	struct error e = {0};

	if (!monitor_use(m, event_health_read(m->store, &health, &e)))
		return false;
	(void)event_health_unref(m->health);
	m->health = health;
	return true;
}

/* The view that is composed of them finds the answers of firmware in its cache. */
static void monitor_query_firmware(struct store_monitor *m, struct open_incidents *incidents)
{
	struct view_inputs latest;

	publisher_latest(m->o.publisher, &latest);
	if (latest.host && view_host_needs_firmware(latest.host)) {
		(void)open_incidents_look(incidents, latest.host, latest.translator, FIRMWARE_MS);
		m->version = 0; /* its answers may come later, and others by another mapping */
	}
	view_inputs_done(&latest);
}

static bool monitor_read_incidents(struct store_monitor *m)
{
	struct open_incidents *incidents;
	struct error e = {0};

	if (!monitor_use(m, open_incidents_read(m->store, &incidents, &e)))
		return false;
	(void)open_incidents_unref(m->read);
	m->read = incidents;
	return true;
}

/* @requested: somebody has changed something, and waits for a view that shows it */
static void monitor_show_incidents(struct store_monitor *m, bool requested)
{
	const uint64_t now_ms = clock_monotonic_ms();

	if (!requested && m->incidents && now_ms - m->counts_ms < COUNTS_MS &&
	    open_incidents_alike(m->incidents, m->read))
		return;
	if (!open_incidents_equal(m->incidents, m->read))
		m->counts_ms = now_ms;
	(void)open_incidents_unref(m->incidents);
	m->incidents = open_incidents_ref(m->read);
}

/* Return: whether the store could be read, or is as it was. */
static bool monitor_read_log(struct store_monitor *m, bool requested)
{
	const uint64_t before = m->version;
	struct error e = {0};

	if (!monitor_use(m, store_read_version(m->store, &m->version, &e)))
		return false;
	if (m->version != before || !m->read) {
		if (!monitor_read_health(m) || !monitor_read_incidents(m))
			return false;
		monitor_query_firmware(m, m->read);
	}
	monitor_show_incidents(m, requested);
	return true;
}

/* Shown until the administrator has removed the damaged file. */
static void add_replaced_fault(const struct store_monitor *m, const struct store_status *status,
			       char ret[static RECORDING_FAULT_TEXT_MAX])
{
	char pattern[STORE_PATH_MAX + 16];
	glob_t found = {0};

	/* Without its -wal and -shm files. */
	(void)snprintf(pattern, sizeof(pattern), "%s.damaged-*[!lm]", m->o.path);
	if (status->path[0] && !str_equal(status->path, m->o.path))
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "%.120s has the tables of another version; %.120s is used instead",
			       m->o.path, status->path);
	else if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0 && found.gl_pathc > 0)
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "the log was damaged; its file was set aside as %.200s",
			       found.gl_pathv[0]);
	else if (status->replaced[0])
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX, "%.300s", status->replaced);
	globfree(&found);
}

static void add_full_log_fault(struct store_monitor *m, char ret[static RECORDING_FAULT_TEXT_MAX])
{
	enum store_policy policy;
	uint64_t most;
	const struct event_filter all = {0};
	struct error e = {0};
	uint64_t n;

	worker_lock(&m->worker);
	policy = m->o.policy;
	most = m->o.max_records;
	worker_unlock(&m->worker);
	if (policy == STORE_NEVER_OVERWRITES && m->store &&
	    store_count(m->store, &all, &n, &e) == 0 && n >= most)
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "it contains %llu entries, and --never-overwrite is set",
			       (unsigned long long)n);
}

/* "37 records of CPU 1 (entry 12), 5 of CPU 0 (entry 13), ..." */
static int add_end(void *userdata, const struct stored_event *ev)
{
	char *text = userdata, one[96];
	const size_t n = strlen(text);
	const struct event_record *rec = &ev->record;
	const char *records = n ? "" : rec->lost.value == 1 ? "record " : "records ";

	if (ev->resolved)
		return 0;
	(void)snprintf(one, sizeof(one), "%s%llu %sof CPU %u (entry %llu)", n ? ", " : "",
		       (unsigned long long)rec->lost.value, records, rec->cpu,
		       (unsigned long long)ev->seq);
	if (n + strlen(one) + sizeof(", ...") > RECORDING_FAULT_TEXT_MAX)
		(void)snprintf(one, sizeof(one), ", ...");
	memcpy(text + n, one, strlen(one) + 1);
	return str_equal(one, ", ...");
}

static void add_end_fault(struct store_monitor *m, char ret[static RECORDING_FAULT_TEXT_MAX])
{
	const struct event_filter ends = {.types = 1U << EVENT_LOST_AT_END};
	const struct event_page newest = {.backwards = true, .max = ENDS_MAX};
	const struct event_health_group *groups;
	struct error e = {0};
	size_t n;

	groups = event_health_of(m->health, "", &n);
	for (size_t i = 0; i < n; i++)
		if (groups[i].type == EVENT_LOST_AT_END)
			(void)store_read_page(m->store, &ends, &newest, add_end, ret, &e);
}

static void add_trace_faults(struct store_monitor *m, struct recording_faults *ret)
{
	static const enum recording_fault faults[] = {
		[TRACE_ABSENT] = RECORDING_FAULT_NOT_RECORDED,
		[TRACE_NO_EVENTS] = RECORDING_FAULT_NO_EVENTS,
		[TRACE_PARTLY] = RECORDING_FAULT_PARTLY,
	};

	worker_lock(&m->worker);
	if (m->trace != TRACE_READING)
		(void)snprintf(ret->text[faults[m->trace]], RECORDING_FAULT_TEXT_MAX, "%.300s",
			       m->trace_text);
	worker_unlock(&m->worker);
}

static void add_faults(struct store_monitor *m, const struct store_status *status,
		       struct recording_faults *ret)
{
	add_trace_faults(m, ret);
	if (m->lost_ms && clock_monotonic_ms() - m->lost_ms < LOSS_SHOWN_MS)
		memcpy(ret->text[RECORDING_FAULT_LOST], m->lost, RECORDING_FAULT_TEXT_MAX);
	if (status->state != STORE_READY)
		(void)snprintf(ret->text[RECORDING_FAULT_NOT_STORED], RECORDING_FAULT_TEXT_MAX,
			       "%.300s", status->text);
	add_replaced_fault(m, status, ret->text[RECORDING_FAULT_REPLACED]);
}

/* @number: of the last request that this check serves */
static void monitor_check(struct store_monitor *m, uint64_t number, bool requested)
{
	struct publisher_post post = {
		.inputs = VIEW_INPUT_BIT(VIEW_INPUT_EVENT_HEALTH) |
			  VIEW_INPUT_BIT(VIEW_INPUT_INCIDENTS) |
			  VIEW_INPUT_BIT(VIEW_INPUT_RECORDING_FAULTS),
		.number = number,
	};
	struct recording_faults *faults = &post.values.recording_faults;
	struct store_status status;

	store_writer_status(m->o.writer, &status);
	if (monitor_open_store(m, &status) && monitor_read_log(m, requested)) {
		monitor_read_losses(m);
		add_full_log_fault(m, faults->text[RECORDING_FAULT_LOG_FULL]);
		add_end_fault(m, faults->text[RECORDING_FAULT_LOST_AT_END]);
	}
	add_faults(m, &status, faults);
	post.values.event_health = m->health;
	post.values.incidents = m->incidents;
	(void)publisher_post(m->o.publisher, &post);
}

static void *monitor_thread(void *userdata)
{
	struct store_monitor *m = userdata;

	worker_lock(&m->worker);
	while (!m->worker.stop) {
		const uint64_t begun = clock_monotonic_ms();
		const uint64_t number = publisher_last_number(m->o.publisher);
		const bool requested = m->requested;

		m->poked = m->requested = false;
		worker_unlock(&m->worker);
		monitor_check(m, number, requested);
		worker_lock(&m->worker);
		while (!m->worker.stop && !m->requested &&
		       clock_monotonic_ms() < begun + STORE_MONITOR_MS &&
		       !(m->poked && clock_monotonic_ms() >= begun + STORE_MONITOR_PAUSE_MS))
			(void)worker_wait(&m->worker, begun + (m->poked ? STORE_MONITOR_PAUSE_MS
									: STORE_MONITOR_MS));
	}
	worker_unlock(&m->worker);
	worker_ended(&m->worker);
	return NULL;
}

/* publisher_request_fn */
static uint64_t monitor_on_request(void *userdata, const char *memdev)
{
	struct store_monitor *m = userdata;
	uint64_t number;

	(void)memdev;
	worker_lock(&m->worker);
	m->requested = true;
	number = publisher_next_number(m->o.publisher);
	worker_wake(&m->worker);
	worker_unlock(&m->worker);
	return number;
}

void store_monitor_set_limits(struct store_monitor *m, const struct store_limits *limits)
{
	worker_lock(&m->worker);
	m->o.max_records = limits->max_records;
	m->o.policy = limits->policy;
	m->poked = true;
	worker_wake(&m->worker);
	worker_unlock(&m->worker);
}

static void monitor_set_producer(struct store_monitor *m, publisher_request_fn *fn)
{
	publisher_set_producer(m->o.publisher, VIEW_INPUT_EVENT_HEALTH, fn, m);
	publisher_set_producer(m->o.publisher, VIEW_INPUT_INCIDENTS, fn, m);
	publisher_set_producer(m->o.publisher, VIEW_INPUT_RECORDING_FAULTS, fn, m);
}

int store_monitor_new(const struct store_monitor_options *o, struct store_monitor **ret,
		      struct error *e)
{
	struct store_monitor *m = calloc(1, sizeof(*m));
	struct store_status status;
	int r;

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->o = *o;
	worker_init(&m->worker);
	/* Now, so that all losses from here on are reported. */
	store_writer_status(o->writer, &status);
	if (monitor_open_store(m, &status))
		monitor_read_losses(m);
	r = worker_start(&m->worker, monitor_thread, m, e);
	if (r < 0) {
		(void)store_monitor_free(m);
		return r;
	}
	monitor_set_producer(m, monitor_on_request);
	*ret = m;
	return 0;
}

void store_monitor_poke(struct store_monitor *m)
{
	worker_lock(&m->worker);
	m->poked = true;
	worker_wake(&m->worker);
	worker_unlock(&m->worker);
}

void store_monitor_trace(struct store_monitor *m, enum trace_state state, const char *text)
{
	worker_lock(&m->worker);
	if (m->trace != state || strcmp(m->trace_text, text) != 0) {
		m->trace = state;
		(void)snprintf(m->trace_text, sizeof(m->trace_text), "%s", text);
		m->poked = true;
		worker_wake(&m->worker);
	}
	worker_unlock(&m->worker);
}

bool store_monitor_stop(struct store_monitor *m, unsigned int wait_ms)
{
	monitor_set_producer(m, NULL);
	return worker_stop(&m->worker, wait_ms);
}

struct store_monitor *store_monitor_free(struct store_monitor *m)
{
	if (!m)
		return NULL;
	(void)store_reader_close(m->store);
	(void)event_health_unref(m->health);
	(void)open_incidents_unref(m->read);
	(void)open_incidents_unref(m->incidents);
	losses_done(&m->losses);
	worker_done(&m->worker);
	free(m);
	return NULL;
}
