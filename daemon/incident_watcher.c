// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/incident_watcher.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "daemon/found_keeper.h"
#include "daemon/incident_use.h"
#include "daemon/repaired_incidents.h"
#include "events/incident_now.h"
#include "redfish/feed/incident_message.h"
#include "redfish/repairs/repair_run.h"
#include "redfish/state/incident_notes.h"
#include "redfish/view/view_holder.h"

enum {
	MESSAGES_MAX_AT_ONCE = 1000, /* further ones are sent a second later */
	FULL_MS = 60 * 1000,	     /* a round also without a change */
};

/* The knowledge of subscribers about an incident. */
struct notice {
	uint64_t id;
	enum event_severity severity;
	enum incident_place place;
	enum incident_act act;
	bool is_partly;	  /* by a message of an earlier process, which has no act */
	bool is_open;	  /* it is among those of this round */
	uint64_t sent_ms; /* when a message said that it became worse; 0: never */
};
DEFINE_ARRAY(struct notice, notice_list);

struct incident_watcher {
	struct worker worker;
	struct service *service;
	struct event_log *log;
	struct event_service *es;

	/* The thread's. */
	struct found_keeper *found;
	struct store_reader *r;
	char path[STORE_PATH_MAX];
	bool has_notices;	    /* the messages of the store were read */
	struct notice_list notices; /* by number */
	uint64_t
		assumed; /* incidents up to this number were announced, by messages that are gone */
	uint64_t version; /* of the store, in the last round */
	uint64_t host;	  /* the topology, likewise */
	uint64_t round_ms;
	uint64_t repaired_ms; /* when incidents of repairs were closed; 0: not yet */
	bool more;	      /* to be sent later */
	bool said_full;	      /* of the worklist of repairs */
};

DEFINE_ARRAY(struct incident, incident_list);

/* A round over all open incidents. */
struct round {
	struct incident_watcher *w;
	const struct view *v;
	json_t *messages;
	struct incident_list critical; /* of this round */
	bool failed;
};

/* ---- messages that were sent ------------------------------------------------------------------
 */

/* Return: the place of an incident in the list, or where it would be. */
static size_t notice_place(const struct notice_list *list, uint64_t id)
{
	return ARRAY_LOWER_BOUND(list, notice, notice->id < id);
}

static struct notice *notice_find(const struct notice_list *list, uint64_t id)
{
	const size_t at = notice_place(list, id);

	return at < list->n && list->items[at].id == id ? &list->items[at] : NULL;
}

static struct notice *notice_insert(struct notice_list *list, uint64_t id)
{
	const size_t at = notice_place(list, id);

	if (!notice_list_add(list))
		return NULL;
	memmove(list->items + at + 1, list->items + at,
		(list->n - 1 - at) * sizeof(list->items[0]));
	list->items[at] = (struct notice){.id = id};
	return &list->items[at];
}

static void notice_remove(struct notice_list *list, size_t at)
{
	memmove(list->items + at, list->items + at + 1,
		(list->n - at - 1) * sizeof(list->items[0]));
	list->n--;
}

static enum event_severity severity_of(const char *name)
{
	return str_equal(name, "Critical") ? EVENT_CRITICAL
	       : str_equal(name, "OK")	   ? EVENT_OK
					   : EVENT_WARNING;
}

static enum incident_place place_of(const char *name)
{
	for (unsigned int p = 0; p < INCIDENT_PLACES; p++)
		if (str_equal(incident_place_name(p), name))
			return p;
	return PLACE_UNKNOWN;
}

static void read_record(struct incident_watcher *w, const json_t *record)
{
	const json_t *args = json_object_get(record, "MessageArgs");
	const char *id = json_string_value(json_object_get(record, "MessageId"));
	const char *number = json_string_value(json_array_get(args, 0));
	struct notice *t;
	uint64_t n;

	/* One about a page says nothing of the incident's place. */
	if (!id || !number || parse_u64(number, &n) < 0 ||
	    str_equal(id, registry_message_id(REGISTRY_INCIDENT_PAGE)))
		return;
	t = notice_find(&w->notices, n);
	if (str_equal(id, registry_message_id(REGISTRY_INCIDENT_CLOSED))) {
		if (t)
			notice_remove(&w->notices, (size_t)(t - w->notices.items));
		return;
	}
	if (!t)
		t = notice_insert(&w->notices, n);
	if (!t)
		return;
	t->severity = severity_of(json_string_value(json_object_get(record, "MessageSeverity")));
	t->place = place_of(json_string_value(json_array_get(args, 3)));
	t->is_partly = true;
}

struct message_reading {
	struct incident_watcher *w;
	uint64_t first, n;
};

static int read_message(void *userdata, uint64_t seq, const char *body, size_t len)
{
	struct message_reading *reading = userdata;
	json_t *json;

	if (reading->n++ == 0)
		reading->first = seq;
	/* Most are about something else, and need not be parsed. */
	if (!memmem(body, len, ".Incident", strlen(".Incident")))
		return 0;
	json = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
	read_record(reading->w, json_object_get(json, "Record"));
	json_decref(json);
	return 0;
}

static int read_notices(struct incident_watcher *w)
{
	struct message_reading reading = {.w = w};
	int r = store_read_messages(w->r, 0, STORE_MESSAGES_MAX, read_message, &reading, NULL);

	if (r < 0)
		return r;
	if (reading.n == STORE_MESSAGES_MAX)
		w->assumed = reading.first;
	w->has_notices = true;
	return 0;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static bool say(struct round *l, enum registry_message id, const struct incident *i,
		const struct incident_now *now)
{
	const char *type = incident_origin(l->v, i) ? "Memory" : NULL;
	struct incident_now latest = *now;
	struct incident_finding finding;
	json_t *record, *message;

	if (json_array_size(l->messages) >= MESSAGES_MAX_AT_ONCE) {
		l->w->more = true;
		return false;
	}
	if (incident_is_only_found(i) && store_read_finding(l->w->r, i->id, &finding, NULL) == 0)
		latest.finding = &finding;
	record = incident_record(id, l->v, i, &latest);
	message = record ? event_service_message(record, type) : NULL;
	if (!message || json_array_append_new(l->messages, message) < 0) {
		l->failed = true;
		return false;
	}
	return true;
}

static int take(void *userdata, const struct incident *i)
{
	struct incident *to = incident_list_add(userdata);

	if (!to)
		return -ENOMEM;
	*to = *i;
	return 0;
}

/* How much is to be done; acts have no order otherwise. */
static unsigned int rank_of(enum incident_act act)
{
	static const unsigned int ranks[INCIDENT_ACTS] = {
		[ACT_WATCH] = 1,      [ACT_UPDATE_FIRMWARE] = 2, [ACT_CHANGE_CONFIGURATION] = 2,
		[ACT_CHECK_LINK] = 2, [ACT_OFFLINE_PAGE] = 3,	 [ACT_REPAIR] = 4,
		[ACT_REPLACE] = 5,
	};

	return ranks[act];
}

static void note_notice(struct notice *t, const struct incident *i, const struct incident_now *now)
{
	t->severity = i->severity;
	t->place = now->place;
	t->act = now->act;
	t->is_partly = false;
}

/* The use of its page follows all openings: it may take long to find out. */
static void note_critical(struct round *l, const struct incident *i, enum event_severity before)
{
	if (i->severity == EVENT_CRITICAL && before != EVENT_CRITICAL && take(&l->critical, i) < 0)
		l->failed = true;
}

static void tell_worse(struct round *l, struct notice *t, const struct incident *i,
		       const struct incident_now *now)
{
	const bool is_worse = i->severity > t->severity || now->place > t->place ||
			      (!t->is_partly && rank_of(now->act) > rank_of(t->act));

	if (!is_worse) {
		/* The address may be known for a moment only: less to do is no news, nor is its
		 * return. */
		if (t->is_partly)
			note_notice(t, i, now);
		return;
	}
	if (t->sent_ms && clock_monotonic_ms() - t->sent_ms < INCIDENT_WORSENED_MS) {
		l->w->more = true;
		return;
	}
	if (!say(l, REGISTRY_INCIDENT_WORSENED, i, now))
		return;
	note_critical(l, i, t->severity);
	note_notice(t, i, now);
	t->sent_ms = clock_monotonic_ms();
}

static int acknowledge(struct store *store, void *userdata)
{
	return store ? store_acknowledge(store, *(const uint64_t *)userdata, true, NULL)
		     : -ESHUTDOWN;
}

/*
 * A person acknowledged it in a log that is not there any more.
 *
 * Return: false when it has to be tried again.
 */
static bool acknowledge_again(struct round *l, const struct incident *i)
{
	struct incident_notes *notes = l->w->service->incident_notes;
	struct incident_note note;
	struct error e = {0};
	uint64_t id = i->id;

	if (id <= l->w->assumed || !incident_notes_get(notes, i, &note))
		return true;
	if (note.acknowledged && i->severity <= note.severity && i->state == INCIDENT_OPEN &&
	    event_log_do(l->w->log, acknowledge, &id) < 0)
		return false;
	if (note.incident == id)
		return true;
	note.incident = id;
	if (incident_notes_put(notes, &note, &e) < 0)
		log_warning("the note about incident %" PRIu64 " is not kept: %s", id, e.text);
	return true;
}

static void tell_opened(struct round *l, const struct incident *i, const struct incident_now *now)
{
	struct notice *t;

	if (i->id > l->w->assumed && !say(l, REGISTRY_INCIDENT_OPENED, i, now))
		return;
	if (i->id > l->w->assumed)
		note_critical(l, i, EVENT_OK);
	t = notice_insert(&l->w->notices, i->id);
	if (!t) {
		l->failed = true;
		return;
	}
	note_notice(t, i, now);
	t->is_open = true;
}

/* ---- devices that were exchanged --------------------------------------------------------------
 */

static bool is_by_serial(const struct incident *i)
{
	char name[EVENT_DEVICE_MAX];

	(void)snprintf(name, sizeof(name), "cxl-%016" PRIx64, i->serial);
	return i->serial != 0 && str_equal(name, i->device);
}

static bool is_replaced(const struct view *v, const struct incident *i)
{
	const struct memdev *m = i->host[0] ? host_memdev_by_bdf(v->host, i->host) : NULL;
	struct opt_u64 serial;

	if (!m || !is_by_serial(i))
		return false;
	for (size_t k = 0; k < v->host->n_memdevs; k++)
		if (v->host->memdevs[k]->serial.present &&
		    v->host->memdevs[k]->serial.value == i->serial)
			return false;
	serial = memdev_unique_serial(v->ids, m);
	return serial.present && serial.value != i->serial;
}

static int replace(struct store *store, void *userdata)
{
	return store ? store_replace_device(store, userdata, NULL) : -ESHUTDOWN;
}

/* Return: whether its incidents were closed, so that the next round has the news. */
static bool close_replaced(struct round *l, const struct incident *i)
{
	char device[EVENT_DEVICE_MAX];

	if (!is_replaced(l->v, i))
		return false;
	memcpy(device, i->device, sizeof(device));
	if (event_log_do(l->w->log, replace, device) < 0)
		return false;
	log_info("%s was replaced by another device at %s: its incidents are closed", device,
		 i->host);
	l->w->more = true;
	return true;
}

/* ---- one round --------------------------------------------------------------------------------
 */

static void review(struct round *l, const struct incident *i)
{
	struct notice *t = notice_find(&l->w->notices, i->id);
	struct incident_now now;

	if (t)
		t->is_open = true;
	/* After the exchange of a device its incidents are reviewed again, closed. */
	if (close_replaced(l, i))
		return;
	if (incident_now(i, l->v->host, l->v->translator, l->v->ids, NULL, &now) < 0) {
		l->failed = true;
		return;
	}
	if (t) {
		tell_worse(l, t, i, &now);
		return;
	}
	if (acknowledge_again(l, i))
		tell_opened(l, i, &now);
	else
		l->w->more = true;
}

/* Return: whether it is done with. */
static bool tell_closed(struct round *l, uint64_t id)
{
	struct incident_now now;
	struct incident i;
	int r = store_read_incident(l->w->r, id, &i, NULL);

	if (r == -ENOENT)
		return true; /* it is not even there any more */
	if (r < 0 || incident_is_open(&i)) {
		l->w->more = true;
		return false;
	}
	if (incident_now(&i, l->v->host, l->v->translator, l->v->ids, NULL, &now) < 0) {
		l->failed = true;
		return false;
	}
	return say(l, REGISTRY_INCIDENT_CLOSED, &i, &now);
}

static void review_closed(struct round *l)
{
	struct notice_list *list = &l->w->notices;

	for (size_t k = list->n; k-- > 0;)
		if (!list->items[k].is_open && tell_closed(l, list->items[k].id))
			notice_remove(list, k);
}

static bool must_end(struct incident_watcher *w)
{
	bool stop;

	worker_lock(&w->worker);
	stop = w->worker.stop;
	worker_unlock(&w->worker);
	return stop;
}

static void tell_use(struct round *l, const struct incident *i)
{
	const char *type = incident_origin(l->v, i) ? "Memory" : NULL;
	struct incident_now now;
	json_t *record;

	if (incident_now(i, l->v->host, l->v->translator, l->v->ids, NULL, &now) < 0)
		return;
	record = incident_use_record(l->v, i, &now);
	if (record && event_service_notify(l->w->es, record, type, NULL) < 0)
		l->failed = true;
}

static int review_all(struct round *l)
{
	struct incident_list list = {0};
	int r = store_read_incidents(l->w->r, false, take, &list, NULL);

	/* Others are there now: the next round has them. */
	if (r == 0 && found_keeper_settle(l->w->found, list.items, list.n) != 0)
		l->w->more = true;
	ARRAY_FOREACH(t, &l->w->notices)
		t->is_open = false;
	ARRAY_FOREACH(i, &list) {
		if (r == 0)
			review(l, i);
	}
	if (r == 0)
		review_closed(l);
	incident_list_done(&list);
	if (r == 0 && json_array_size(l->messages) > 0 &&
	    event_service_notify_all(l->w->es, l->messages, false) < 0)
		l->failed = true;
	ARRAY_FOREACH(i, &l->critical) {
		if (r == 0 && !must_end(l->w))
			tell_use(l, i);
	}
	incident_list_done(&l->critical);
	return r;
}

static int open_reader(struct incident_watcher *w)
{
	struct store_status status;

	if (w->r)
		return 0;
	event_log_status(w->log, &status);
	return status.path[0] ? store_reader_open(status.path, &w->r, NULL) : -ENOENT;
}

/* Return: whether something may be new. */
static bool is_due(struct incident_watcher *w, const struct view *v, uint64_t version)
{
	const uint64_t host = (uint64_t)(uintptr_t)v->host;
	const bool due = w->more || version != w->version || host != w->host ||
			 clock_monotonic_ms() - w->round_ms >= FULL_MS;

	w->version = version;
	w->host = host;
	return due;
}

/* An error of the state database is reported by others, and the next round tries again. */
static void keep_repairs(struct incident_watcher *w)
{
	struct store_status status;
	struct error e = {0};
	size_t n_new;
	int r;

	event_log_status(w->log, &status);
	if (!w->service->state || !status.path[0])
		return;
	r = repairs_update(w->service->state, status.path, &n_new, &e);
	if (r == 0 && n_new > 0)
		w->said_full =
			false; /* there is room again, and the next time it is full is news */
	if (r != -ENOSPC || w->said_full)
		return;
	log_warning("the worklist of repairs is full: %s; repair places, or clear the cause "
		    "(cxl-spa repair)",
		    e.text);
	w->said_full = true;
}

/* The first round has those of repairs that were made at boot. */
static void close_repaired(struct incident_watcher *w)
{
	const uint64_t now_ms = clock_monotonic_ms();

	if (w->repaired_ms && now_ms - w->repaired_ms < FULL_MS)
		return;
	w->repaired_ms = now_ms;
	repaired_incidents_close(w->service, w->log, w->r);
}

static int watch_with(struct incident_watcher *w, const struct view *v)
{
	struct round l = {.w = w, .v = v};
	uint64_t version = 0;
	int r = open_reader(w);

	if (r == 0 && !w->has_notices)
		r = read_notices(w);
	if (r == 0)
		r = store_read_version(w->r, &version, NULL);
	if (r == 0) {
		r = found_keeper_look(w->found, v);
		w->more |= r > 0;
	}
	if (r < 0 || !is_due(w, v, version))
		return r;
	w->more = false;
	w->round_ms = clock_monotonic_ms();
	keep_repairs(w);
	close_repaired(w);
	l.messages = json_array();
	r = l.messages ? review_all(&l) : -ENOMEM;
	json_decref(l.messages);
	if (l.failed)
		log_warning("subscribers are not notified of incidents: out of memory");
	return r;
}

static void watch(struct incident_watcher *w)
{
	struct view_hold *hold = view_holder_take(w->service->view_holder);

	if (hold && watch_with(w, view_of_hold(hold)) < 0) {
		/* It is tried again, by a new connection; others report why. */
		w->r = store_reader_close(w->r);
		w->more = true;
	}
	(void)view_hold_release(hold);
}

static void *watcher_thread(void *userdata)
{
	struct incident_watcher *w = userdata;

	worker_lock(&w->worker);
	while (!w->worker.stop) {
		worker_unlock(&w->worker);
		watch(w);
		worker_lock(&w->worker);
		if (!w->worker.stop)
			(void)worker_wait(&w->worker, clock_monotonic_ms() + INCIDENT_WATCH_MS);
	}
	worker_unlock(&w->worker);
	worker_ended(&w->worker);
	return NULL;
}

int incident_watcher_new(struct service *service, struct event_log *log,
			 struct event_service *event_service, struct incident_watcher **ret,
			 struct error *e)
{
	struct incident_watcher *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return error_set(e, ENOMEM, "out of memory");
	w->service = service;
	w->log = log;
	w->es = event_service;
	w->found = found_keeper_new(log);
	if (!w->found) {
		free(w);
		return error_set(e, ENOMEM, "out of memory");
	}
	worker_init(&w->worker);
	r = worker_start(&w->worker, watcher_thread, w, e);
	if (r < 0) {
		worker_done(&w->worker);
		(void)found_keeper_free(w->found);
		free(w);
		return r;
	}
	*ret = w;
	return 0;
}

bool incident_watcher_free(struct incident_watcher *w, unsigned int wait_ms)
{
	if (!w)
		return true;
	if (!worker_stop(&w->worker, wait_ms))
		return false;
	(void)store_reader_close(w->r);
	notice_list_done(&w->notices);
	(void)found_keeper_free(w->found);
	worker_done(&w->worker);
	free(w);
	return true;
}
