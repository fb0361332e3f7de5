// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's event pipeline: it follows the topology that is shown. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "common/log.h"
#include "daemon/events.h"
#include "events/store_reader.h"
#include "redfish/service/service.h"
#include "tests/daemon/read_hook.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/events_util.h"
#include "tests/lib/failing_calloc.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;
static struct empty_host hosts[2];
static struct event_bus *bus;
static struct events *events;
static char directory[] = "/tmp/check_event_pipeline.XXXXXX";
static struct scratch scratch; /* the trace instance */
static bool no_mapping;	       /* there is no memory for one */

/* publisher_listener_fn, before that of the events: the view is shown already. */
static void on_view(void *userdata, const struct view *before, const struct view *now,
		    unsigned int changed)
{
	(void)userdata;
	(void)before;
	(void)now;
	(void)changed;
	calloc_set(no_mapping ? CALLOC_FAILS_HERE : CALLOC_WORKS);
}

/* Likewise, after it. */
static void after_events(void *userdata, const struct view *before, const struct view *now,
			 unsigned int changed)
{
	(void)userdata;
	(void)before;
	(void)now;
	(void)changed;
	calloc_set(CALLOC_WORKS);
}

static void run_publisher(void)
{
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

/* The device of the records. */
static const struct memdev mem0 = {.name = "mem0", .host = "host0", .serial = OPT_U64(0xabc0)};
#define MEM0_ID "cxl-000000000000abc0"
static const struct memdev *const memdevs[] = {&mem0};

/* The second host has it. */
static void init_hosts(void)
{
	struct host *second = &hosts[1].snapshot.host;

	for (int i = 0; i < 2; i++)
		empty_host_init(&hosts[i]);
	hosts[1].translator = translator_unref(hosts[1].translator);
	second->memdevs = memdevs;
	second->n_memdevs = 1;
	ck_assert_int_eq(translator_new(second, NULL, &hosts[1].translator, NULL), 0);
}

/* The devices that had events are read by a poller, which is asked for each. */
static void poll_nothing(void *userdata, struct poll_task *task)
{
	(void)userdata;
	(void)task;
}

/* A service with the files of @directory. */
static void start(void)
{
	struct poller_options polled = {.input = VIEW_INPUT_READINGS, .poll = poll_nothing};
	const struct publisher_listener listener = {.after_swap = on_view},
					last = {.after_swap = after_events};
	const struct events_options o = {
		.state = directory, .instance = scratch.path, .max_records = 100000};
	struct error e;

	init_hosts();
	publisher_setup(&event, &service, &publisher);
	ck_assert_int_eq(publisher_listen(publisher, &listener), 0);
	ck_assert_uint_ne(empty_host_post(&hosts[0], publisher), 0);
	run_publisher();
	polled.publisher = publisher;
	polled.not_periodic = true;
	ck_assert_int_eq(poller_new(&polled, &poller, NULL), 0);
	ck_assert_int_eq(event_bus_new(&bus, NULL), 0);
	ck_assert_msg(events_new(event, &hosts[0].root, &o, publisher, poller, bus, &events, &e) ==
			      0,
		      "%s", e.text);
	ck_assert_int_eq(publisher_listen(publisher, &last), 0);
}

static void stop(void)
{
	ck_assert(events_stop(events, WAIT_MAX_MS));
	events = events_free(events);
	bus = event_bus_free(bus);
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher_teardown(&event, &service, &publisher);
	for (int i = 0; i < 2; i++)
		empty_host_done(&hosts[i]);
}

static void setup(void)
{
	log_setup("check_event_pipeline", LOG_LEVEL_ERR);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	scratch_setup(&scratch);
	start();
}

static void teardown(void)
{
	char command[64];

	stop();
	scratch_teardown(&scratch);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static void post_fault(const char *text)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_RECORDING_FAULTS)};

	(void)snprintf(post.values.recording_faults.text[RECORDING_FAULT_LOST],
		       RECORDING_FAULT_TEXT_MAX, "%s", text);
	ck_assert_uint_ne(publisher_post(publisher, &post), 0);
	run_publisher();
}

static void show_second_host(void)
{
	ck_assert_uint_ne(empty_host_post(&hosts[1], publisher), 0);
	run_publisher();
}

/* Return: the fault, once it is there or not. */
static const char *shown_fault(enum recording_fault which, bool wanted)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const char *text;

	do {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		text = publisher_view(publisher)->inputs.recording_faults.text[which];
	} while ((text[0] != '\0') != wanted && clock_monotonic_ms() < until);
	return text;
}

/* The first host has no CXL memory. */
START_TEST(without_memory_a_missing_instance_is_a_fault_only_where_it_is_expected)
{
	for (int i = 0; i < 50; i++)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
	for (int i = 0; i < RECORDING_FAULTS; i++)
		ck_assert_str_eq(publisher_view(publisher)->inputs.recording_faults.text[i], "");
	/* Critical, also where the kernel has no events. */
	events_set_expected(events, true);
	ck_assert_str_ne(shown_fault(RECORDING_FAULT_NOT_RECORDED, true), "");
	events_set_expected(events, false);
	ck_assert_str_eq(shown_fault(RECORDING_FAULT_NOT_RECORDED, false), "");
}
END_TEST

/* ---- a trace instance of files ---- */

enum { PAGES = 64, PAGE_EVENTS = 30 };

static int ring = -1;
static uint64_t written; /* records */

static uint64_t pages_in_ring(void)
{
	int bytes = 0;

	if (ioctl(ring, FIONREAD, &bytes) < 0)
		abort();
	return (uint64_t)bytes / 4096;
}

/*
 * The kernel counts so what was read. Here and in pages_in_ring() nothing is asserted: Check
 * writes each assertion to a file, and half of one where files cannot grow is a file that it cannot
 * read.
 */
static void count_read(void)
{
	const int fd = openat(scratch.dirfd, "per_cpu/cpu0/stats",
			      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 ||
	    dprintf(fd, "entries: 0\nread events: %" PRIu64 "\n",
		    written - pages_in_ring() * PAGE_EVENTS) < 0 ||
	    close(fd) < 0)
		abort();
}

/* A pipe has no count of its own, as a ring of the kernel has. */
static void after_read(int fd)
{
	struct stat a, b;

	if (fstat(fd, &a) == 0 && fstat(ring, &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino)
		count_read();
}

static void make_instance(void)
{
	put_trace_instance(scratch.dirfd);
	put_directory(scratch.dirfd, "per_cpu");
	put_directory(scratch.dirfd, "per_cpu/cpu0");
	ck_assert_int_eq(mkfifoat(scratch.dirfd, "per_cpu/cpu0/trace_pipe_raw", 0600), 0);
	ring = openat(scratch.dirfd, "per_cpu/cpu0/trace_pipe_raw",
		      O_RDWR | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fcntl(ring, F_SETPIPE_SZ, PAGES * 4096), PAGES * 4096);
	count_read();
	read_hook_after = after_read;
}

/* Return: false when the ring is full. */
static bool put_page(void)
{
	uint8_t payload[TEST_EVENT_BYTES];
	struct page page;

	page_begin(&page, 1000 * (written + 1));
	for (uint64_t i = 0; i < PAGE_EVENTS; i++) {
		test_payload(payload, 64 * (written + i));
		page_event(&page, 1, payload, sizeof(payload));
	}
	page_end(&page, 0);
	written += PAGE_EVENTS;
	if (write(ring, page.bytes, sizeof(page.bytes)) > 0)
		return true;
	written -= PAGE_EVENTS;
	return false;
}

/* A burst that fills the ring. Return: its records. */
static uint64_t fill_ring(void)
{
	const uint64_t before = written;

	while (put_page())
		;
	return written - before;
}

/* Entries of a type in the log; of EVENT_LOST_AT_END the records that the newest one is about. */
static int add_lost(void *userdata, const struct stored_event *ev)
{
	*(uint64_t *)userdata += ev->record.lost.value;
	return 0;
}

static uint64_t stored(enum event_type type)
{
	const struct event_filter filter = {.types = 1U << type};
	const struct event_page newest = {.backwards = true, .max = 1};
	char file[64];
	struct store_reader *r;
	struct error e;
	uint64_t n = 0;

	(void)snprintf(file, sizeof(file), "%s/" STORE_FILE, directory);
	ck_assert_int_eq(store_reader_open(file, &r, &e), 0);
	if (type == EVENT_LOST_AT_END)
		ck_assert_int_eq(store_read_page(r, &filter, &newest, add_lost, &n, &e), 0);
	else
		ck_assert_int_eq(store_count(r, &filter, &n, &e), 0);
	r = store_reader_close(r);
	return n;
}

/* Runs the loop until so many pages were read; the writer may have stored them or not. */
static void run_until_read(uint64_t in_ring, uint64_t pages)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (pages_in_ring() + pages > in_ring && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_le(pages_in_ring() + pages, in_ring);
}

static void ring_setup(void)
{
	setup();
	stop();
	make_instance();
	start();
}

static void ring_teardown(void)
{
	read_hook_after = NULL;
	(void)close(ring);
	teardown();
}

/* ---- the topology by which records are understood ---- */

/* Stores and reads a page. */
static void record_page(void)
{
	ck_assert(put_page());
	run_until_read(1, 1);
}

/* Return: the entries of a device in the log. */
static uint64_t stored_of(const char *device)
{
	const struct event_filter filter = {.device = device};
	struct store_reader *r;
	char file[64];
	struct error e;
	uint64_t n = 0;

	(void)snprintf(file, sizeof(file), "%s/" STORE_FILE, directory);
	ck_assert_int_eq(store_reader_open(file, &r, &e), 0);
	ck_assert_int_eq(store_count(r, &filter, &n, &e), 0);
	r = store_reader_close(r);
	return n;
}

START_TEST(records_are_understood_by_the_topology_that_is_shown)
{
	record_page();
	show_second_host();
	record_page();
	post_fault("3");
	record_page();
	events_flush(events);
	ck_assert_uint_eq(stored_of("host0"), PAGE_EVENTS);
	ck_assert_uint_eq(stored_of(MEM0_ID), 2 * PAGE_EVENTS);
}
END_TEST

START_TEST(without_memory_for_the_topology_the_previous_one_is_used_until_the_next_view)
{
	no_mapping = true;
	show_second_host();
	record_page();
	post_fault("3");
	record_page();
	no_mapping = false;
	post_fault("4");
	record_page();
	events_flush(events);
	ck_assert_uint_eq(stored_of("host0"), 2 * PAGE_EVENTS);
	ck_assert_uint_eq(stored_of(MEM0_ID), PAGE_EVENTS);
}
END_TEST

static bool latest_fault_is(enum recording_fault which, bool wanted)
{
	struct view_inputs latest;
	bool is;

	publisher_latest(publisher, &latest);
	is = (latest.recording_faults.text[which][0] != '\0') == wanted;
	view_inputs_done(&latest);
	return is;
}

/* The loop, and with it the timer of the trace instance, does not run meanwhile. */
START_TEST(new_topology_has_the_trace_instance_looked_for)
{
	events_set_expected(events, true);
	ck_assert_str_ne(shown_fault(RECORDING_FAULT_NOT_RECORDED, true), "");
	make_instance();
	ck_assert(latest_fault_is(RECORDING_FAULT_NOT_RECORDED, true));
	show_second_host();
	WAIT_UNTIL(latest_fault_is(RECORDING_FAULT_NOT_RECORDED, false));
}
END_TEST

/* ---- nothing that was read is lost ---- */

/*
 * A service that reads half of the ring, in a process of its own, because threads and loops do not
 * survive fork(), and then ends.
 * @end: before its exit; NULL: it is killed
 */
static void run_service(uint64_t in_ring, void (*end)(struct events *ev))
{
	int status;
	pid_t child;

	stop();
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		start();
		run_until_read(in_ring, in_ring / 2);
		if (end)
			end(events);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

/* The end while another thread still works: the process exits as soon as events_flush() returns. */
START_TEST(what_was_read_is_stored_at_the_end_whatever_other_threads_do)
{
	const uint64_t n = fill_ring();

	run_service(pages_in_ring(), events_flush);
	ck_assert_uint_eq(stored(EVENT_OTHER) + pages_in_ring() * PAGE_EVENTS, n);
	start();
}
END_TEST

START_TEST(killed_service_leaves_the_number_of_what_it_had_read)
{
	uint64_t n = fill_ring(), read, kept;

	run_service(pages_in_ring(), NULL);
	read = n - pages_in_ring() * PAGE_EVENTS;
	kept = stored(EVENT_OTHER);
	/* Two transactions, and the page that is being read. */
	ck_assert_uint_le(read - kept, 2 * STORE_BATCH_MAX + PAGE_EVENTS);
	start();
	run_until_read(pages_in_ring(), pages_in_ring());
	events_flush(events);
	ck_assert_uint_eq(stored(EVENT_OTHER) + stored(EVENT_LOST_AT_END), n);
	ck_assert_uint_eq(stored(EVENT_LOST_AT_END), read - kept);
}
END_TEST

START_TEST(while_nothing_can_be_stored_records_stay_in_the_ring)
{
	const struct rlimit full = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
	const struct rlimit any = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
	uint64_t in_ring, n;

	(void)signal(SIGXFSZ, SIG_IGN);
	run_until_read(0, 0);
	n = fill_ring();
	in_ring = pages_in_ring();
	/* Nothing is asserted while files cannot grow, see count_read(). */
	if (setrlimit(RLIMIT_FSIZE, &full) < 0)
		abort();
	for (int i = 0; i < 100; i++)
		(void)sd_event_run(event, 10000);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &any), 0);
	ck_assert_uint_le((in_ring - pages_in_ring()) * PAGE_EVENTS,
			  2 * STORE_BATCH_MAX + PAGE_EVENTS);
	run_until_read(in_ring, in_ring);
	events_flush(events);
	ck_assert_uint_eq(stored(EVENT_OTHER), n);
}
END_TEST

SUITE(check_event_pipeline)
{
	Suite *s = suite_create("event pipeline");
	TCase *t = tcase_create("event pipeline");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, without_memory_a_missing_instance_is_a_fault_only_where_it_is_expected);
	tcase_add_test(t, new_topology_has_the_trace_instance_looked_for);
	suite_add_tcase(s, t);
	t = tcase_create("ring");
	tcase_set_timeout(t, 300);
	tcase_add_checked_fixture(t, ring_setup, ring_teardown);
	tcase_add_test(t, records_are_understood_by_the_topology_that_is_shown);
	tcase_add_test(
		t, without_memory_for_the_topology_the_previous_one_is_used_until_the_next_view);
	tcase_add_test(t, what_was_read_is_stored_at_the_end_whatever_other_threads_do);
	tcase_add_test(t, killed_service_leaves_the_number_of_what_it_had_read);
	tcase_add_test(t, while_nothing_can_be_stored_records_stay_in_the_ring);
	suite_add_tcase(s, t);
	return s;
}
