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
#include "model/recording_faults.h"

enum { LOSS_SHOWN_MS = 60 * 60 * 1000, LOSSES_MAX = 8192 };

DEFINE_ARRAY(struct event_loss, losses);

struct store_monitor {
	struct store_monitor_options o;

	/* The thread's own. */
	struct store_reader *store;
	struct event_health *health;
	struct losses losses; /* as last read */
	bool counted;	      /* they were read at all: what was lost before is no news */
	uint64_t lost_ms;     /* when the last loss was noticed; 0: none was */
	char lost[RECORDING_FAULT_TEXT_MAX];

	struct worker worker; /* its lock guards what follows */
	bool poked;
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

static void describe(const struct event_loss *loss, const struct event_loss *before,
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
				       : "because the store could not take them in time");
}

static void look_for_losses(struct store_monitor *w)
{
	struct losses now = {0};
	struct error e = {0};

	if (store_read_losses(w->store, add_loss, &now, &e) < 0) {
		losses_done(&now);
		return;
	}
	ARRAY_FOREACH(loss, &now) {
		const struct event_loss *before = find_loss(&w->losses, loss->place);

		if (!w->counted || (before && before->gaps >= loss->gaps))
			continue;
		describe(loss, before, w->lost);
		w->lost_ms = clock_monotonic_ms();
		log_warning("records of CXL events were lost: %s", w->lost);
	}
	losses_done(&w->losses);
	w->losses = now;
	w->counted = true;
}

static bool open_store(struct store_monitor *w, const struct store_status *status)
{
	struct error e = {0};

	if (!w->store && status->path[0])
		(void)store_reader_open(status->path, &w->store, &e);
	return w->store != NULL;
}

/* Return: whether the store could be read. */
static bool look_at_health(struct store_monitor *w)
{
	struct event_health *health;
	struct error e = {0};
	int r = event_health_read(w->store, &health, &e);

	if (r == -EBADMSG)
		store_writer_check(w->o.writer);
	if (r < 0) {
		w->store = store_reader_close(w->store);
		return false;
	}
	(void)event_health_unref(w->health);
	w->health = health;
	return true;
}

/* The file that was set aside is news until somebody has taken it away. */
static void look_for_replaced(const struct store_monitor *w, const struct store_status *status,
			      char ret[static RECORDING_FAULT_TEXT_MAX])
{
	char pattern[STORE_PATH_MAX + 16];
	glob_t found = {0};

	/* Not the -wal and -shm beside it. */
	(void)snprintf(pattern, sizeof(pattern), "%s.damaged-*[!lm]", w->o.path);
	if (status->path[0] && !str_equal(status->path, w->o.path))
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "%.120s is of a newer version; %.120s is used instead", w->o.path,
			       status->path);
	else if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0 && found.gl_pathc > 0)
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "the store was damaged and set aside as %.200s", found.gl_pathv[0]);
	globfree(&found);
}

static void look_for_full_log(struct store_monitor *w, char ret[static RECORDING_FAULT_TEXT_MAX])
{
	const struct event_filter all = {0};
	struct error e = {0};
	uint64_t n;

	if (w->o.policy == STORE_NEVER_OVERWRITES && w->store &&
	    store_count(w->store, &all, &n, &e) == 0 && n >= w->o.max_records)
		(void)snprintf(ret, RECORDING_FAULT_TEXT_MAX,
			       "it holds %llu entries and must not be overwritten",
			       (unsigned long long)n);
}

static void look_at_trace(struct store_monitor *w, struct recording_faults *ret)
{
	worker_lock(&w->worker);
	if (w->trace != TRACE_READING)
		(void)snprintf(ret->text[w->trace == TRACE_ABSENT ? RECORDING_FAULT_NOT_RECORDED
								  : RECORDING_FAULT_PARTLY],
			       RECORDING_FAULT_TEXT_MAX, "%.300s", w->trace_text);
	worker_unlock(&w->worker);
}

static void look(struct store_monitor *w)
{
	struct recording_faults faults = {0};
	struct store_status status;

	store_writer_status(w->o.writer, &status);
	if (open_store(w, &status) && look_at_health(w)) {
		look_for_losses(w);
		look_for_full_log(w, faults.text[RECORDING_FAULT_LOG_FULL]);
	}
	look_at_trace(w, &faults);
	if (w->lost_ms && clock_monotonic_ms() - w->lost_ms < LOSS_SHOWN_MS)
		memcpy(faults.text[RECORDING_FAULT_LOST], w->lost, RECORDING_FAULT_TEXT_MAX);
	if (status.state != STORE_READY)
		(void)snprintf(faults.text[RECORDING_FAULT_NOT_STORED], RECORDING_FAULT_TEXT_MAX,
			       "%.300s", status.text);
	look_for_replaced(w, &status, faults.text[RECORDING_FAULT_REPLACED]);
	device_poller_put_events(w->o.poller, w->health, &faults);
}

static void *work(void *userdata)
{
	struct store_monitor *w = userdata;

	worker_lock(&w->worker);
	while (!w->worker.stop) {
		uint64_t begun = clock_monotonic_ms();

		w->poked = false;
		worker_unlock(&w->worker);
		look(w);
		worker_lock(&w->worker);
		while (!w->worker.stop && clock_monotonic_ms() < begun + STORE_MONITOR_MS &&
		       !(w->poked && clock_monotonic_ms() >= begun + STORE_MONITOR_PAUSE_MS))
			(void)worker_wait(&w->worker, begun + (w->poked ? STORE_MONITOR_PAUSE_MS
									: STORE_MONITOR_MS));
	}
	worker_unlock(&w->worker);
	worker_ended(&w->worker);
	return NULL;
}

int store_monitor_new(const struct store_monitor_options *o, struct store_monitor **ret,
		      struct error *e)
{
	struct store_monitor *w = calloc(1, sizeof(*w));
	struct store_status status;
	int r;

	if (!w)
		return error_set(e, ENOMEM, "out of memory");
	w->o = *o;
	worker_init(&w->worker);
	/* Here already: from now on losses are news. */
	store_writer_status(o->writer, &status);
	if (open_store(w, &status))
		look_for_losses(w);
	r = worker_start(&w->worker, work, w, e);
	if (r < 0) {
		(void)store_monitor_free(w);
		return r;
	}
	*ret = w;
	return 0;
}

void store_monitor_poke(struct store_monitor *w)
{
	worker_lock(&w->worker);
	w->poked = true;
	worker_wake(&w->worker);
	worker_unlock(&w->worker);
}

void store_monitor_trace(struct store_monitor *w, enum trace_state state, const char *text)
{
	worker_lock(&w->worker);
	if (w->trace != state || strcmp(w->trace_text, text) != 0) {
		w->trace = state;
		(void)snprintf(w->trace_text, sizeof(w->trace_text), "%s", text);
		w->poked = true;
		worker_wake(&w->worker);
	}
	worker_unlock(&w->worker);
}

bool store_monitor_stop(struct store_monitor *w, unsigned int wait_ms)
{
	return worker_stop(&w->worker, wait_ms);
}

struct store_monitor *store_monitor_free(struct store_monitor *w)
{
	if (!w)
		return NULL;
	(void)store_reader_close(w->store);
	(void)event_health_unref(w->health);
	losses_done(&w->losses);
	worker_done(&w->worker);
	free(w);
	return NULL;
}
