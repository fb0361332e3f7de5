// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's device poller: when devices are read, what is shown, and devices that hang. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/strutil.h"
#include "daemon/log_dedup.h"
#include "daemon/device_poller.h"
#include "mailbox/readings.h"
#include "redfish/service/service.h"
#include "tests/lib/fake_mailbox.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"
#include "tests/lib/wait.h"

enum {
	SHUTDOWN = 13, /* the one command that these devices know */
	MEMDEVS = 4,
	NEVER_S = 3600,
};

/* The resource that shows the shutdown state of mem0. */
#define MEM0_METRICS "/redfish/v1/Systems/Host/Memory/cxl-000000000000abc3/MemoryMetrics"

static const uint8_t states[] = {0, 1};
static struct host_root live;
static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;
static struct history_recorder recorder; /* without a history unless a test has one */

/* Posts the host that was entered, as if it were a live one. */
static void post_host(void)
{
	struct publisher_post post = {.values.host = host,
				      .inputs = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY)};

	((struct host *)(uintptr_t)host)->root = &live;
	ck_assert_int_eq(translator_new(host, NULL, &post.values.translator, NULL), 0);
	ck_assert_uint_ne(publisher_post(publisher, &post), 0);
	(void)translator_unref(post.values.translator);
}

static const struct view *shown(void)
{
	return publisher_view(publisher);
}

static void setup(void)
{
	fake_mailbox_setup();
	fake_mailbox.supported = 1U << SHUTDOWN;
	tree_setup();
	enter();
	live = fake_live_root();
	publisher_setup(&event, &service, &publisher);
	post_host();
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

static void teardown(void)
{
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher_teardown(&event, &service, &publisher);
	recorder.history = history_free(recorder.history);
	(void)close(live.dirfd);
	tree_teardown();
}

/* Sets the next answer of @n devices. */
static void expect(size_t n, uint8_t state)
{
	for (size_t i = 0; i < n; i++)
		fake_mailbox_expect(&(struct fake_command){
			.id = SHUTDOWN, .out = &states[state], .out_len = 1});
}

/* Lets the commands of so many polls go; those of the next one wait, however slow the test is. */
static void allow_polls(size_t n)
{
	fake_mailbox_hold(NULL);
	fake_mailbox_let_go(n * MEMDEVS);
}

static void begin(unsigned int poll_seconds)
{
	struct error e;

	ck_assert_msg(device_poller_new(publisher, poll_seconds, &recorder, &poller, &e) == 0, "%s",
		      e.text);
}

/* Return: 0 or 1, or -1 while it is not known. */
static int shown_state(const char *memdev)
{
	const struct view *v = shown();
	const struct mailbox *m = readings_mailbox(v->readings, host_memdev(v->host, memdev));

	return m && m->shutdown_dirty.present ? m->shutdown_dirty.value : -1;
}

static bool run_until_shown(const char *memdev, int state)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (shown_state(memdev) != state && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	return shown_state(memdev) == state;
}

static void run_until_sent(size_t n)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (fake_mailbox_sent() < n && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_ge(fake_mailbox_sent(), n);
}

static void run_for(uint64_t ms)
{
	const uint64_t until = clock_monotonic_ms() + ms;

	while (clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
}

START_TEST(first_readings_are_shown_at_once)
{
	expect(MEMDEVS, 0);
	begin(NEVER_S);
	/* Usually; on a machine that is this slow, soon. */
	ck_assert(run_until_shown("mem3", 0));
	ck_assert_int_eq(shown_state("mem0"), 0);
	fake_mailbox_finish();
}
END_TEST

START_TEST(devices_are_polled_again)
{
	const struct view *before;

	expect(MEMDEVS, 0);
	expect(MEMDEVS, 1);
	allow_polls(1);
	begin(1);
	ck_assert(run_until_shown("mem0", 0));
	before = view_ref(shown());
	allow_polls(1);
	ck_assert(run_until_shown("mem0", 1));
	fake_mailbox_finish();
	fake_mailbox_release();
	/* A new view of the same host; a thread with a reference on the old one can still read it.
	 */
	ck_assert_ptr_ne(shown(), before);
	ck_assert_ptr_eq(shown()->host, before->host);
	ck_assert_ptr_eq(shown()->translator, before->translator);
	ck_assert(!readings_mailbox(before->readings, host_memdev(before->host, "mem0"))
			   ->shutdown_dirty.value);
	(void)view_unref(before);
}
END_TEST

START_TEST(another_interval_is_used_at_once)
{
	expect(MEMDEVS, 0);
	expect(MEMDEVS, 1);
	expect(MEMDEVS, 0);
	allow_polls(2);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	poller_set_interval(poller, 1);
	ck_assert(run_until_shown("mem0", 1));
	/* And again, without a request. */
	allow_polls(1);
	ck_assert(run_until_shown("mem0", 0));
	fake_mailbox_finish();
	fake_mailbox_release();
}
END_TEST

START_TEST(readings_that_do_not_change_make_no_view)
{
	const struct view *v;

	expect((size_t)3 * MEMDEVS, 1);
	allow_polls(3);
	begin(1);
	ck_assert(run_until_shown("mem0", 1));
	v = shown();
	run_until_sent((size_t)3 * MEMDEVS);
	ck_assert_ptr_eq(shown(), v);
	fake_mailbox_release();
}
END_TEST

START_TEST(readings_that_changed_back_are_not_shown)
{
	expect(MEMDEVS, 0);
	allow_polls(1);
	begin(1);
	ck_assert(run_until_shown("mem0", 0));
	expect(MEMDEVS, 1);
	expect((size_t)2 * MEMDEVS, 0); /* the second poll shows that the first one has ended */
	allow_polls(3);
	while (fake_mailbox_sent() < (size_t)4 * MEMDEVS) /* the main thread is busy */
		(void)usleep(10000);
	ck_assert_int_ge(sd_event_run(event, 0), 0);
	ck_assert_int_eq(shown_state("mem0"), 0);
	fake_mailbox_release();
}
END_TEST

START_TEST(request_reads_that_device_alone)
{
	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem2", 0));
	fake_mailbox_finish();

	fake_mailbox.memdev = "mem2";
	expect(1, 1);
	for (size_t i = 0; i < 100; i++)
		(void)poller_request(poller, "mem2"); /* a storm */
	ck_assert(run_until_shown("mem2", 1));
	fake_mailbox_finish();
	ck_assert_int_eq(shown_state("mem1"), 0);
}
END_TEST

/* A client that sends If-None-Match does not get the rest of the host again. */
START_TEST(new_view_keeps_the_entity_tags_of_what_did_not_change)
{
	const struct view *now;
	const struct view *before;
	struct resource *r;
	size_t n = 0;

	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	before = view_ref(shown());
	expect(1, 1);
	(void)poller_request(poller, "mem0");
	ck_assert(run_until_shown("mem0", 1));
	now = shown();
	for (; (r = resource_at(before->index, n)); n++) {
		struct resource *again = resource_find(now->index, r->uri);
		const struct representation *old, *new;

		ck_assert_ptr_nonnull(again);
		/* Others are rendered for each request, and not from the view alone. */
		if (r->action || !r->type->render)
			continue;
		old = view_representation(before, r);
		new = view_representation(now, again);
		ck_assert(old != new && old->etag[0]);
		ck_assert_msg(str_equal(old->etag, new->etag) != str_equal(r->uri, MEM0_METRICS),
			      "%s: %s and %s", r->uri, old->etag, new->etag);
	}
	ck_assert_uint_gt(n, 100);
	(void)view_unref(before);
}
END_TEST

START_TEST(requests_for_several_devices_read_all)
{
	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem2", 0));
	expect(MEMDEVS, 1);
	(void)poller_request(poller, "mem2");
	(void)poller_request(poller, "mem1");
	(void)poller_request(poller,
			     "a name that is longer than any memory device's could ever be");
	ck_assert(run_until_shown("mem0", 1));
	fake_mailbox_finish();
}
END_TEST

START_TEST(hanging_device_blocks_no_other_thread)
{
	struct view_inputs latest;

	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	fake_mailbox_finish();
	fake_mailbox_hold(NULL);
	expect((size_t)2 * MEMDEVS, 0);
	(void)poller_request(poller, "mem0");
	fake_mailbox_wait_until_held();

	/* Each of these returns, although the device does not. */
	(void)poller_request(poller, "mem1");
	(void)poller_request(poller, NULL);
	publisher_latest(publisher, &latest);
	ck_assert_ptr_eq(latest.readings, shown()->readings);
	view_inputs_done(&latest);
	ck_assert(!poller_free(poller, 100));
	fake_mailbox_release();
}
END_TEST

START_TEST(hanging_device_does_not_delay_the_start)
{
	fake_mailbox_hold(NULL);
	expect(MEMDEVS, 1);
	begin(NEVER_S);
	ck_assert_int_eq(shown_state("mem0"), -1);
	fake_mailbox_wait_until_held();
	fake_mailbox_release();
	ck_assert(run_until_shown("mem0", 1));
}
END_TEST

START_TEST(devices_beside_a_hanging_one_are_read)
{
	const struct view *v;

	expect(MEMDEVS, 0);
	begin(1);
	ck_assert(run_until_shown("mem1", 0));
	fake_mailbox_finish();
	fake_mailbox_hold("mem1");
	expect((size_t)2 * (MEMDEVS - 1), 1);
	ck_assert(run_until_shown("mem3", 1));
	ck_assert_int_eq(shown_state("mem0"), 1);
	/* The state that it reported before is shown as such. */
	ck_assert_int_eq(shown_state("mem1"), 0);
	v = shown();
	ck_assert(readings_mailbox(v->readings, host_memdev(v->host, "mem1"))->unresponsive);
	ck_assert(readings_mailbox(v->readings, host_memdev(v->host, "mem1"))->kept);
	ck_assert(!readings_mailbox(v->readings, host_memdev(v->host, "mem2"))->unresponsive);

	/* It is not read again until it answers: once held, and all others twice. */
	run_until_sent(MEMDEVS + 2 * (size_t)(MEMDEVS - 1) + 1);
	expect(1, 0); /* the answer to the command that was given up */
	expect((size_t)8 * MEMDEVS - 1, 1);
	fake_mailbox_release();
	ck_assert(run_until_shown("mem1", 1));
}
END_TEST

START_TEST(reader_ends_while_a_device_hangs)
{
	expect(MEMDEVS, 0);
	begin(1);
	ck_assert(run_until_shown("mem1", 0));
	fake_mailbox_hold("mem1");
	expect(MEMDEVS - 1, 1);
	ck_assert(run_until_shown("mem3", 1));
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	poller = NULL;
	expect(1, 1);
	fake_mailbox_release();
}
END_TEST

START_TEST(readings_of_an_older_topology_are_not_shown)
{
	const struct host *first = host;
	struct error e;

	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	fake_mailbox_hold(NULL);
	expect(1, 1);	    /* of the request, for the old topology */
	expect(MEMDEVS, 0); /* for the new one */
	(void)poller_request(poller, "mem0");
	fake_mailbox_wait_until_held();

	ck_assert_msg(host_read(&live, &host, &e) == 0, "%s", e.text);
	post_host();
	ck_assert_int_eq(publisher_run(publisher, &e), 0);
	ck_assert_ptr_eq(shown()->host, host);
	/* The readings of the old topology are kept until there are new ones. */
	ck_assert_int_eq(shown_state("mem0"), 0);
	fake_mailbox_release();
	run_until_sent((size_t)MEMDEVS + 1 + MEMDEVS);
	run_for(200);
	ck_assert_int_eq(shown_state("mem0"), 0);
	fake_mailbox_finish();
	(void)host_unref(first);
}
END_TEST

START_TEST(readings_dropped_for_a_new_topology_are_read_again)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const struct host *first = host;
	struct view_generation wanted;
	struct error e;

	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	fake_mailbox_hold(NULL);
	expect(1, 1);	    /* of the request, for the old topology */
	expect(MEMDEVS, 1); /* for the new one */
	ck_assert_int_eq(
		view_holder_request(service->view_holder, VIEW_INPUT_READINGS, "mem0", &wanted), 0);
	fake_mailbox_wait_until_held();
	/* It is posted, but not shown: no listener has the devices read. */
	ck_assert_msg(host_read(&live, &host, &e) == 0, "%s", e.text);
	post_host();
	fake_mailbox_release();
	while (fake_mailbox_sent() < (size_t)MEMDEVS + 2 && clock_monotonic_ms() < until)
		(void)usleep(10000);
	ck_assert_uint_ge(fake_mailbox_sent(), (size_t)MEMDEVS + 2);
	ck_assert(run_until_shown("mem0", 1));
	ck_assert(view_holder_has(service->view_holder, wanted));
	(void)host_unref(first);
}
END_TEST

/* A job requests this after it has changed a device. */
START_TEST(request_is_answered_with_readings_begun_after_it)
{
	struct view_holder *holder = service->view_holder;
	struct view_generation first, second;

	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem0", 0));
	fake_mailbox_hold(NULL);
	expect(1, 0);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_READINGS, "mem0", &first), 0);
	fake_mailbox_wait_until_held();
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_READINGS, "mem0", &second), 0);
	ck_assert(!view_holder_has(holder, first));
	expect(1, 1);
	fake_mailbox_let_go(1);
	/* The first poll says nothing new and makes no view, but it answers the first request. */
	while (!view_holder_has(holder, first))
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(!view_holder_has(holder, second));
	ck_assert_int_eq(shown_state("mem0"), 0);
	fake_mailbox_release();
	while (!view_holder_has(holder, second))
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_int_eq(shown_state("mem0"), 1);
	fake_mailbox_finish();
}
END_TEST

/* ---- the history ---- */

#define DEVICE	   "cxl-000000000000abc3"
#define DEVICE_PCI "sys/devices/pci0000:de/0000:de:01.0/0000:e0:00.0/"

/* The history of a test, with an interval that no test sees the end of. */
static void make_history(char file[static 64])
{
	static const struct history_limits limits = {HISTORY_DAY_S, 30};
	struct error e;

	(void)snprintf(file, 64, "/tmp/check_history.XXXXXX");
	(void)close(mkstemp(file));
	(void)unlink(file);
	ck_assert_int_eq(history_new(file, &limits, &recorder.history, &e), 0);
	recorder.jobs = service->jobs;
}

static void remove_history(const char *file)
{
	char lock[80];

	(void)snprintf(lock, sizeof(lock), "%s.lock", file);
	(void)unlink(file);
	(void)unlink(lock);
}

/* Waits for the samples of mem0 of today and of tomorrow, which may have begun. */
static struct history_points recorded(size_t n)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const uint64_t now_s = clock_realtime_ns() / 1000000000;
	struct history_points points = {0};
	struct error e;

	do {
		history_points_done(&points);
		ck_assert_int_eq(history_read(recorder.history, DEVICE, now_s - HISTORY_DAY_S,
					      now_s + HISTORY_DAY_S / 2, &points, &e),
				 0);
	} while (points.n < n && clock_monotonic_ms() < until && usleep(10000) == 0);
	ck_assert_uint_ge(points.n, n);
	return points;
}

START_TEST(first_readings_of_an_interval_are_in_the_history)
{
	struct history_points points;
	char file[64];

	make_history(file);
	set(DEVICE_PCI "current_link_width", "8\n");
	expect(MEMDEVS, 0);
	begin(NEVER_S);
	points = recorded(1);
	ck_assert_uint_eq(points.items[0].at_s % HISTORY_DAY_S, 0);
	ck_assert_int_eq(points.items[0].sample.values[HISTORY_LINK_WIDTH], 8);
	ck_assert_int_eq(points.items[0].sample.values[HISTORY_LINK_SPEED], 320);
	/* These devices do not report their health. */
	ck_assert_uint_eq(points.items[0].sample.known,
			  1U << HISTORY_LINK_WIDTH | 1U << HISTORY_LINK_SPEED);
	history_points_done(&points);
	remove_history(file);
}
END_TEST

/* The others are copied from the readings before. */
START_TEST(readings_of_one_device_are_no_sample)
{
	uint64_t slot_s;
	char file[64];

	make_history(file);
	ck_assert(history_claim(recorder.history, clock_realtime_ns() / 1000000000, &slot_s));
	expect(MEMDEVS, 0);
	begin(NEVER_S);
	ck_assert(run_until_shown("mem2", 0));
	history_unclaim(recorder.history, slot_s);
	expect(1, 1);
	(void)poller_request(poller, "mem2");
	ck_assert(run_until_shown("mem2", 1));
	ck_assert(history_claim(recorder.history, slot_s, &slot_s));
	remove_history(file);
}
END_TEST

/* Repeated messages in the log. */

static struct log_dedup known;
static int log_fd;

static void log_setup_file(void)
{
	char path[] = "/tmp/check_reader.XXXXXX";

	log_dedup_init(&known, 30000);
	log_fd = mkstemp(path);
	ck_assert_int_ge(log_fd, 0);
	(void)unlink(path);
	(void)fflush(stderr);
	ck_assert_int_ge(dup2(log_fd, STDERR_FILENO), 0);
	log_setup("test", LOG_LEVEL_INFO);
}

static void log_teardown_file(void)
{
	log_dedup_done(&known);
}

static size_t count_logged(const char *text)
{
	_cleanup_free_ char *log = NULL;
	size_t len, n = 0;
	const char *at;

	ck_assert_int_eq(read_open_file(log_fd, 1 << 22, &log, &len), 0);
	/* The address sanitizer's strstr() looks for the end of all that follows each time. */
	for (at = log; (at = memmem(at, len - (size_t)(at - log), text, strlen(text))); at++)
		n++;
	return n;
}

START_TEST(message_is_logged_once)
{
	const char *const reasons[] = {"mem0: busy", "mem1: gone"};

	for (uint64_t minute = 0; minute < 600; minute++)
		log_dedup_log(&known, reasons, minute % 2 ? 1 : 2, minute * 60000);
	ck_assert_uint_eq(count_logged("mem0: busy\n"), 1);
	ck_assert_uint_eq(count_logged("mem1: gone\n"), 1); /* it comes and goes */
}
END_TEST

START_TEST(message_is_logged_again_after_long_absence)
{
	const char *const reasons[] = {"mem0: busy"};

	log_dedup_log(&known, reasons, 1, 0);
	log_dedup_log(&known, NULL, 0, 59 * 60000);
	log_dedup_log(&known, reasons, 1, 59 * 60000);
	ck_assert_uint_eq(count_logged("mem0: busy\n"), 1);
	log_dedup_log(&known, reasons, 1, 120 * 60000);
	ck_assert_uint_eq(count_logged("mem0: busy\n"), 2);
}
END_TEST

START_TEST(message_of_rare_polls_is_logged_once)
{
	const char *const reasons[] = {"mem0: busy"};

	for (uint64_t hours = 1; hours <= 24; hours += 23) {
		log_dedup_done(&known);
		log_dedup_init(&known, hours * 3600000);
		for (uint64_t poll = 0; poll < 4; poll++)
			log_dedup_log(&known, reasons, 1, poll * (hours * 3600000 + 1000));
	}
	ck_assert_uint_eq(count_logged("mem0: busy\n"), 2);
}
END_TEST

/* Fills @reasons with as many texts. */
static void make_reasons(const char **reasons, size_t n)
{
	static char texts[LOG_DEDUP_MAX + 64][24];

	ck_assert_uint_le(n, ARRAY_SIZE(texts));
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(texts[i], sizeof(texts[i]), "mem%zu: busy", i);
		reasons[i] = texts[i];
	}
}

START_TEST(more_messages_than_are_remembered_are_no_flood)
{
	enum { AT_ONCE = 64 };
	static const char *reasons[LOG_DEDUP_MAX + 64];

	make_reasons(reasons, ARRAY_SIZE(reasons));
	for (size_t from = 0; from < ARRAY_SIZE(reasons); from += AT_ONCE)
		for (uint64_t poll = 0; poll < 3; poll++)
			log_dedup_log(&known, reasons + from, AT_ONCE, from * 10 + poll);
	ck_assert_uint_eq(count_logged("\n"), ARRAY_SIZE(reasons));
	ck_assert_uint_eq(count_logged(" mem0: busy\n"), 1);
	ck_assert_uint_eq(known.list.n, LOG_DEDUP_MAX);
}
END_TEST

START_TEST(messages_of_a_thousand_devices_are_logged_once_each)
{
	static const char *reasons[8 * 1024];

	make_reasons(reasons, ARRAY_SIZE(reasons));
	for (uint64_t poll = 0; poll < 3; poll++)
		log_dedup_log(&known, reasons, ARRAY_SIZE(reasons), poll * 30000);
	ck_assert_uint_eq(count_logged("\n"), ARRAY_SIZE(reasons));
}
END_TEST

START_TEST(too_many_messages_at_a_time_are_cut_and_that_is_logged_once)
{
	static const char *reasons[LOG_DEDUP_MAX + 64];

	make_reasons(reasons, ARRAY_SIZE(reasons));
	for (uint64_t poll = 0; poll < 3; poll++)
		log_dedup_log(&known, reasons, ARRAY_SIZE(reasons), poll * 30000);
	ck_assert_uint_eq(count_logged("busy\n"), LOG_DEDUP_MAX);
	ck_assert_uint_eq(count_logged("further ones are not logged\n"), 1);
}
END_TEST

SUITE(check_device_poller)
{
	Suite *s = suite_create("poller");
	TCase *t = tcase_create("poller"), *reasons = tcase_create("reasons");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, first_readings_are_shown_at_once);
	tcase_add_test(t, devices_are_polled_again);
	tcase_add_test(t, another_interval_is_used_at_once);
	tcase_add_test(t, readings_that_do_not_change_make_no_view);
	tcase_add_test(t, readings_that_changed_back_are_not_shown);
	tcase_add_test(t, request_reads_that_device_alone);
	tcase_add_test(t, new_view_keeps_the_entity_tags_of_what_did_not_change);
	tcase_add_test(t, requests_for_several_devices_read_all);
	tcase_add_test(t, hanging_device_blocks_no_other_thread);
	tcase_add_test(t, hanging_device_does_not_delay_the_start);
	tcase_add_test(t, devices_beside_a_hanging_one_are_read);
	tcase_add_test(t, reader_ends_while_a_device_hangs);
	tcase_add_test(t, readings_of_an_older_topology_are_not_shown);
	tcase_add_test(t, readings_dropped_for_a_new_topology_are_read_again);
	tcase_add_test(t, request_is_answered_with_readings_begun_after_it);
	tcase_add_test(t, first_readings_of_an_interval_are_in_the_history);
	tcase_add_test(t, readings_of_one_device_are_no_sample);
	suite_add_tcase(s, t);
	tcase_set_timeout(reasons, 60);
	tcase_add_checked_fixture(reasons, log_setup_file, log_teardown_file);
	tcase_add_test(reasons, message_is_logged_once);
	tcase_add_test(reasons, message_is_logged_again_after_long_absence);
	tcase_add_test(reasons, message_of_rare_polls_is_logged_once);
	tcase_add_test(reasons, more_messages_than_are_remembered_are_no_flood);
	tcase_add_test(reasons, messages_of_a_thousand_devices_are_logged_once_each);
	tcase_add_test(reasons, too_many_messages_at_a_time_are_cut_and_that_is_logged_once);
	suite_add_tcase(s, reasons);
	return s;
}
