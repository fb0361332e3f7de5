// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/events.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "daemon/event_stats.h"
#include "daemon/prm_resolver.h"
#include "daemon/replayer.h"
#include "daemon/store_monitor.h"
#include "daemon/trace.h"
#include "events/event_fill.h"
#include "events/store_reader.h"
#include "model/findings.h"

enum {
	FIRST_REPLAY_MS = 1000,
	/* Records read from the ring and not stored yet: those of one transaction, and of the next
	 * one. They are lost when the process is killed. */
	UNSTORED_MAX = 2 * STORE_BATCH_MAX,
};

struct events {
	sd_event *event; /* the daemon's */
	const struct host_root *root;
	const char *instance;
	struct publisher *publisher;
	struct poller *poller;
	struct event_bus *bus;
	char path[STORE_PATH_MAX];
	char marker[STORE_PATH_MAX]; /* this file exists when the ring of this boot was read */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];

	struct store_writer *writer;
	struct event_stats *stats;
	struct prm_resolver *resolver;
	struct store_monitor *monitor;
	struct replayer *replayer; /* NULL without a saved ring, and after it was read */
	struct trace *trace;	   /* NULL on a captured host, and while a saved ring is read */
	sd_event_source *wake;
	int eventfd; /* written by other threads: the queue has room, or the saved ring was read */
	bool mapping_is_old; /* the one of the topology that is shown could not be made */
	bool expects_cxl;
	enum trace_state trace_state;
	char trace_text[ERROR_TEXT_MAX];
	size_t compared; /* events EVENT_LOST_AT_END, and how many of them were stored */
	atomic_size_t compared_stored;

	pthread_mutex_t lock; /* guards what follows */
	struct event_mapping *mapping;
};

static void wake_main(struct events *ev)
{
	const uint64_t one = 1;

	(void)!write(ev->eventfd, &one, sizeof(one));
}

/* ---- the mapping ---- */

/* From now on events are translated by the topology of that view. */
static int events_set_mapping(struct events *ev, const struct view *v, struct error *e)
{
	struct event_mapping *m, *old;
	int r;

	r = event_mapping_new(v->host, v->translator, &m, e);
	if (r < 0)
		return r;
	event_mapping_continue(m, ev->mapping);
	prm_resolver_topology(ev->resolver, m);
	pthread_mutex_lock(&ev->lock);
	old = ev->mapping;
	ev->mapping = m;
	pthread_mutex_unlock(&ev->lock);
	(void)event_mapping_unref(old);
	return 0;
}

/* Without CXL memory there is nothing to record, unless it is expected: that is a fact, and no
 * fault. */
static void report_trace(struct events *ev)
{
	const bool is_absent = host_memory_absence(publisher_view(ev->publisher)->host);

	if (is_absent && !ev->expects_cxl)
		store_monitor_trace(ev->monitor, TRACE_READING, "");
	else if (ev->trace_state == TRACE_NO_EVENTS && ev->expects_cxl)
		store_monitor_trace(ev->monitor, TRACE_ABSENT, ev->trace_text);
	else
		store_monitor_trace(ev->monitor, ev->trace_state, ev->trace_text);
}

/* publisher_listener_fn. The driver whose events are traced may have been loaded as well. */
static void events_on_view(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	const bool topology = changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY);
	struct events *ev = userdata;
	struct error e = {0};

	(void)before;
	if (topology || ev->mapping_is_old)
		ev->mapping_is_old = events_set_mapping(ev, now, &e) < 0;
	if (ev->mapping_is_old)
		log_err("cannot prepare the new topology for the translation of events: %s; the previous one is used",
			e.text);
	if (topology && ev->trace)
		trace_check(ev->trace);
	if (topology)
		report_trace(ev);
}

static struct event_mapping *current_mapping(struct events *ev)
{
	struct event_mapping *m;

	pthread_mutex_lock(&ev->lock);
	m = event_mapping_ref(ev->mapping);
	pthread_mutex_unlock(&ev->lock);
	return m;
}

/* ---- from record to store ---- */

/* The event is pending only if a firmware call can be made in time. */
static void expect_answer(struct events *ev, struct event_mapping *m,
			  const struct event_question *question, struct stored_event *event)
{
	static const char too_many[] =
		"firmware was not queried, because too many events were waiting for it";
	struct event_answer *a = &event->answer;

	event->pending = prm_resolver_expect(ev->resolver, m, question, a);
	if (event->pending)
		return;
	(void)snprintf(a->reason, sizeof(a->reason), "%s", too_many);
	event_stats_not_queried(ev->stats);
}

/* Return: the name of the event's device, NULL when it is not known; valid as long as @m. */
static const char *store_record(struct events *ev, struct event_mapping *m,
				const struct event_record *rec)
{
	const uint64_t begun_ns = clock_monotonic_ns();
	struct event_question question;
	struct stored_event event;

	event_fill(m, ev->boot_id, rec, &provenance_live, clock_realtime_ns(), &event, &question);
	if (event.pending)
		expect_answer(ev, m, &question, &event);
	if (!event.pending && event_number(rec, FIELD_DPA).present)
		event_stats_answered(ev->stats, event.answer.source,
				     clock_monotonic_ns() - begun_ns);
	if (store_writer_add(ev->writer, &event) < 0) {
		if (event.pending)
			prm_resolver_cancel(ev->resolver);
	} else if (rec->type == EVENT_LOST_AT_END) {
		ev->compared++;
	}
	event_stats_read(ev->stats);
	return question.memdev ? question.memdev->name : NULL;
}

static void take_live(const struct event_record *rec, void *userdata)
{
	struct events *ev = userdata;
	const char *memdev = store_record(ev, ev->mapping, rec);

	if (memdev)
		(void)poller_request(ev->poller, memdev);
}

static size_t events_room(void *userdata)
{
	struct events *ev = userdata;
	const size_t room = store_writer_room(ev->writer), kept = STORE_QUEUE_MAX - UNSTORED_MAX;

	return room > kept ? room - kept : 0;
}

static bool events_compared(void *userdata)
{
	struct events *ev = userdata;

	return atomic_load(&ev->compared_stored) == ev->compared;
}

static void take_replayed(const struct event_record *rec, void *userdata)
{
	struct events *ev = userdata;
	struct event_mapping *m = current_mapping(ev);

	(void)store_record(ev, m, rec);
	(void)event_mapping_unref(m);
}

/* ---- from the store to subscribers; on the store's thread ---- */

static void events_notify(struct events *ev, uint64_t newest)
{
	if (newest)
		event_bus_publish(ev->bus, newest);
	if (ev->monitor)
		store_monitor_poke(ev->monitor);
	wake_main(ev);
}

static void on_committed(void *userdata, const struct stored_event *events, size_t n)
{
	struct events *ev = userdata;
	uint64_t newest = 0;

	for (size_t i = 0; i < n; i++) {
		if (events[i].outcome == STORE_FINAL && events[i].seq > newest)
			newest = events[i].seq;
		if (events[i].record.type == EVENT_LOST_AT_END)
			atomic_fetch_add(&ev->compared_stored, 1);
	}
	prm_resolver_committed(ev->resolver, ev->writer, events, n);
	events_notify(ev, newest);
}

static void on_finished(void *userdata, const struct store_final *finals, size_t n)
{
	struct events *ev = userdata;
	uint64_t newest = 0;

	for (size_t i = 0; i < n; i++)
		if (finals[i].seq > newest)
			newest = finals[i].seq;
	events_notify(ev, newest);
}

/* Events may have room again, without one that is committed. */
static void on_notice(void *userdata, const char *text)
{
	log_warning("%s", text);
	wake_main(userdata);
}

/* Subscribers that lost their connection before the restart get the missed events at once. */
static void publish_stored(struct events *ev)
{
	struct store_reader *r = NULL;
	struct store_status status;
	struct store_info info;
	struct error e = {0};

	store_writer_status(ev->writer, &status);
	if (status.path[0] && store_reader_open(status.path, &r, &e) == 0 &&
	    store_read_info(r, &info, &e) == 0)
		event_bus_publish(ev->bus, info.newest);
	(void)store_reader_close(r);
}

/* ---- the loop ---- */

static void events_on_trace_state(void *userdata, enum trace_state state, const char *text)
{
	struct events *ev = userdata;

	ev->trace_state = state;
	(void)snprintf(ev->trace_text, sizeof(ev->trace_text), "%s", text);
	report_trace(ev);
}

static void begin_live(struct events *ev)
{
	const struct trace_callbacks callbacks = {.sink = take_live,
						  .room = events_room,
						  .is_compared = events_compared,
						  .state = events_on_trace_state,
						  .userdata = ev};
	struct error e = {0};

	if (trace_new(ev->event, ev->instance, ev->root->opener, &callbacks, &ev->trace, &e) < 0)
		log_err("CXL events are not recorded: %s", e.text);
}

static int events_on_wake(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct events *ev = userdata;
	uint64_t count;

	(void)source;
	(void)events;
	(void)!read(fd, &count, sizeof(count));
	if (ev->trace)
		trace_resume(ev->trace);
	if (!ev->replayer || !replayer_has_ended(ev->replayer))
		return 0;
	(void)replayer_stop(ev->replayer, 1000);
	ev->replayer = replayer_free(ev->replayer);
	if (!ev->root->captured)
		begin_live(ev);
	return 0;
}

static int events_add_to_loop(struct events *ev, struct error *e)
{
	int r;

	ev->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ev->eventfd < 0)
		return error_set(e, errno, "eventfd: %s", strerror(errno));
	r = sd_event_add_io(ev->event, &ev->wake, ev->eventfd, EPOLLIN, events_on_wake, ev);
	return r < 0 ? error_set(e, r, "cannot set up the event loop: %s", strerror(-r)) : 0;
}

/* ---- begin and end ---- */

static void on_replayed(void *userdata)
{
	wake_main(userdata);
}

static int begin_replay(struct events *ev, struct error *e)
{
	const struct replayer_options o = {
		.root = ev->root,
		.writer = ev->writer,
		.ring = TRACE_BOOT_RING,
		.marker = ev->marker,
		.boot_id = ev->boot_id,
		.sink = take_replayed,
		.ended = on_replayed,
		.userdata = ev,
	};
	int r = replayer_new(&o, &ev->replayer, e);

	if (r == -ENOENT) {
		if (!ev->root->captured)
			begin_live(ev);
		return 0;
	}
	/* The first request is to find the events of a captured host; they are read from files. */
	if (r >= 0 && ev->root->captured)
		replayer_wait(ev->replayer, FIRST_REPLAY_MS);
	return r;
}

/* Return: 0 when there is no such file. */
static uint64_t inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_ino : 0;
}

static int events_open_store(struct events *ev, const struct events_options *o, struct error *e)
{
	struct store_options store = {
		.path = ev->path,
		.max_records = o->max_records,
		.max_age_ns = o->max_age_ns,
		.policy = o->policy,
		.numbers_given = o->numbers_given,
		.notice = on_notice,
		.userdata = ev,
	};
	const struct store_callbacks callbacks = {
		.committed = on_committed, .finished = on_finished, .userdata = ev};
	const size_t longest = sizeof("/" STORE_FILE) + 64; /* with the longest suffix */
	uint64_t before;
	int r;

	if (strlen(o->state) + longest > sizeof(ev->path))
		return error_set(e, ENAMETOOLONG, "the path of the state directory is too long");
	(void)snprintf(ev->path, sizeof(ev->path), "%s/" STORE_FILE, o->state);
	(void)snprintf(ev->marker, sizeof(ev->marker), "%s/boot-ring", o->state);
	before = inode_of(ev->path);
	memcpy(store.boot_id, ev->boot_id, sizeof(store.boot_id));
	store.machine = event_machine(ev->root);
	r = store_writer_new(&store, &callbacks, &ev->writer, e);
	/* The rings that were read into a log that is not there any more are read again. */
	if (r >= 0 && inode_of(ev->path) != before)
		(void)unlink(ev->marker);
	return r;
}

static int events_start_monitor(struct events *ev, const struct events_options *o, struct error *e)
{
	const struct store_monitor_options monitor = {
		.writer = ev->writer,
		.publisher = ev->publisher,
		.path = ev->path,
		.max_records = o->max_records,
		.policy = o->policy,
	};

	return store_monitor_new(&monitor, &ev->monitor, e);
}

static int events_listen(struct events *ev, struct error *e)
{
	const struct publisher_listener listener = {.after_swap = events_on_view, .userdata = ev};
	int r;

	r = events_set_mapping(ev, publisher_view(ev->publisher), e);
	if (r >= 0 && publisher_listen(ev->publisher, &listener) < 0)
		r = error_set(e, ENOMEM, "out of memory");
	return r;
}

static int events_start(struct events *ev, const struct events_options *o, struct error *e)
{
	int r;

	ev->stats = event_stats_new();
	r = ev->stats ? prm_resolver_new(ev->stats, PRM_RESOLVER_TIMEOUT_MS, &ev->resolver, e)
		      : error_set(e, ENOMEM, "out of memory");
	if (r >= 0)
		r = events_add_to_loop(ev, e);
	if (r >= 0)
		r = events_open_store(ev, o, e);
	if (r >= 0)
		r = events_start_monitor(ev, o, e);
	if (r >= 0)
		r = events_listen(ev, e);
	if (r < 0)
		return r;
	publish_stored(ev);
	return begin_replay(ev, e);
}

int events_new(sd_event *event, const struct host_root *root, const struct events_options *o,
	       struct publisher *publisher, struct poller *poller, struct event_bus *bus,
	       struct events **ret, struct error *e)
{
	struct events *ev = calloc(1, sizeof(*ev));
	int r;

	if (!ev)
		return error_set(e, ENOMEM, "out of memory");
	ev->event = event;
	ev->root = root;
	ev->instance = o->instance;
	ev->publisher = publisher;
	ev->poller = poller;
	ev->bus = bus;
	ev->eventfd = -1;
	ev->expects_cxl = o->expects_cxl;
	(void)pthread_mutex_init(&ev->lock, NULL);
	event_boot_id(root, ev->boot_id);
	r = events_start(ev, o, e);
	if (r < 0) {
		if (events_stop(ev, 1000))
			(void)events_free(ev);
		return r;
	}
	*ret = ev;
	return 0;
}

void events_set_limits(struct events *ev, const struct store_limits *limits)
{
	store_writer_set_limits(ev->writer, limits);
	store_monitor_set_limits(ev->monitor, limits);
}

void events_set_expected(struct events *ev, bool expects_cxl)
{
	ev->expects_cxl = expects_cxl;
	report_trace(ev);
}

struct store_writer *events_writer(struct events *ev)
{
	return ev->writer;
}

struct event_stats *events_stats(struct events *ev)
{
	return ev->stats;
}

size_t events_waiting(struct events *ev)
{
	return prm_resolver_n_waiting(ev->resolver);
}

const uint8_t *events_boot_id(const struct events *ev)
{
	return ev->boot_id;
}

void events_flush(struct events *ev)
{
	ev->wake = sd_event_source_disable_unref(ev->wake);
	ev->trace = trace_free(ev->trace);
	if (ev->writer)
		store_writer_flush(ev->writer);
}

bool events_stop(struct events *ev, unsigned int wait_ms)
{
	bool ended = true;

	events_flush(ev);
	/* After these calls they do not use the writer, even if their threads have not ended. */
	if (ev->replayer)
		ended &= replayer_stop(ev->replayer, wait_ms);
	if (ev->resolver)
		ended &= prm_resolver_stop(ev->resolver, wait_ms);
	if (ev->monitor)
		ended &= store_monitor_stop(ev->monitor, wait_ms);
	/* The monitor reads the writer's status. */
	if (ended)
		ev->writer = store_writer_free(ev->writer);
	return ended;
}

struct events *events_free(struct events *ev)
{
	if (!ev)
		return NULL;
	(void)replayer_free(ev->replayer);
	(void)store_monitor_free(ev->monitor);
	(void)prm_resolver_free(ev->resolver);
	(void)event_stats_free(ev->stats);
	(void)event_mapping_unref(ev->mapping);
	if (ev->eventfd >= 0)
		(void)close(ev->eventfd);
	(void)pthread_mutex_destroy(&ev->lock);
	free(ev);
	return NULL;
}
