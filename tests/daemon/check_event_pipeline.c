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
#include "daemon/trace.h"
#include "events/event_fill.h"
#include "events/store_reader.h"
#include "redfish/resources/resources.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The linker replaces these by wrappers that count. */
int __real_event_mapping_new(const struct host *host, struct translator *translator,
			     struct event_mapping **ret, struct error *e);
int __wrap_event_mapping_new(const struct host *host, struct translator *translator,
			     struct event_mapping **ret, struct error *e);
void __real_trace_check(struct trace *t);
void __wrap_trace_check(struct trace *t);

int __real_event_instance_open(const char *path, struct opener *opener, struct event_instance **ret,
			       struct error *e);
int __wrap_event_instance_open(const char *path, struct opener *opener, struct event_instance **ret,
			       struct error *e);

int __real_event_instance_read(struct event_instance *in, size_t pipe, size_t pages,
			       event_sink *sink, void *userdata, struct error *e);
int __wrap_event_instance_read(struct event_instance *in, size_t pipe, size_t pages,
			       event_sink *sink, void *userdata, struct error *e);

/* The trace instance of these tests; "" for the real one. */
static char instance[300];
static void count_read(void);

int __wrap_event_instance_read(struct event_instance *in, size_t pipe, size_t pages,
			       event_sink *sink, void *userdata, struct error *e)
{
	if (instance[0])
		count_read();
	return __real_event_instance_read(in, pipe, pages, sink, userdata, e);
}

int __wrap_event_instance_open(const char *path, struct opener *opener, struct event_instance **ret,
			       struct error *e)
{
	if (instance[0])
		count_read();
	return __real_event_instance_open(instance[0] ? instance : path, opener, ret, e);
}

static const struct host *mapped;
static size_t n_mappings, n_checks;
static bool fail;

int __wrap_event_mapping_new(const struct host *host, struct translator *translator,
			     struct event_mapping **ret, struct error *e)
{
	n_mappings++;
	if (fail)
		return error_set(e, ENOMEM, "out of memory");
	mapped = host;
	return __real_event_mapping_new(host, translator, ret, e);
}

void __wrap_trace_check(struct trace *t)
{
	n_checks++;
	__real_trace_check(t);
}

static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;
static struct empty_host hosts[2];
static struct event_bus *bus;
static struct events *events;
static char directory[] = "/tmp/check_event_pipeline.XXXXXX";

/* A service with the files of @directory. */
static void start(void)
{
	const struct events_options o = {.state = directory, .max_records = 100000};
	struct error e;

	for (int i = 0; i < 2; i++)
		empty_host_init(&hosts[i]);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, &service, NULL), 0);
	ck_assert_int_eq(
		publisher_new(event, service->view_holder, &redfish_resources, &publisher, NULL),
		0);
	ck_assert_uint_ne(empty_host_post(&hosts[0], publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	ck_assert_int_eq(event_bus_new(&bus, NULL), 0);
	ck_assert_msg(events_new(event, &hosts[0].root, &o, publisher, poller, bus, &events, &e) ==
			      0,
		      "%s", e.text);
}

static void stop(void)
{
	ck_assert(events_stop(events, WAIT_MAX_MS));
	events = events_free(events);
	bus = event_bus_free(bus);
	publisher = publisher_free(publisher);
	service = service_free(service);
	event = sd_event_unref(event);
	for (int i = 0; i < 2; i++)
		empty_host_done(&hosts[i]);
}

static void setup(void)
{
	log_setup("check_event_pipeline", LOG_LEVEL_ERR);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	start();
	ck_assert_uint_eq(n_mappings, 1);
	ck_assert_ptr_eq(mapped, hosts[0].host);
	n_mappings = n_checks = 0;
}

static void teardown(void)
{
	char command[64];

	stop();
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static void post_fault(const char *text)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_RECORDING_FAULTS)};

	(void)snprintf(post.values.recording_faults.text[RECORDING_FAULT_LOST],
		       RECORDING_FAULT_TEXT_MAX, "%s", text);
	ck_assert_uint_ne(publisher_post(publisher, &post), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

static void show_second_host(void)
{
	ck_assert_uint_ne(empty_host_post(&hosts[1], publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

START_TEST(new_topology_makes_a_new_mapping_and_checks_the_trace_instance)
{
	show_second_host();
	ck_assert_uint_eq(n_mappings, 1);
	ck_assert_ptr_eq(mapped, hosts[1].host);
	ck_assert_uint_eq(n_checks, 1);
}
END_TEST

START_TEST(other_inputs_and_idle_turns_of_the_loop_change_no_mapping)
{
	post_fault("3");
	for (int i = 0; i < 10; i++)
		ck_assert_int_ge(sd_event_run(event, 1000), 0);
	ck_assert_uint_eq(n_mappings, 0);
	ck_assert_uint_eq(n_checks, 0);
}
END_TEST

START_TEST(mapping_that_cannot_be_made_is_made_with_the_next_view)
{
	fail = true;
	show_second_host();
	ck_assert_uint_eq(n_mappings, 1);
	ck_assert_ptr_eq(mapped, hosts[0].host);
	fail = false;
	post_fault("3");
	ck_assert_uint_eq(n_mappings, 2);
	ck_assert_ptr_eq(mapped, hosts[1].host);
	post_fault("4");
	ck_assert_uint_eq(n_mappings, 2);
}
END_TEST

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

/* The hosts of this suite have no CXL memory. */
START_TEST(without_memory_a_missing_instance_is_a_fault_only_where_it_is_expected)
{
	if (access(TRACE_INSTANCE "/events", F_OK) == 0)
		return; /* a service uses it on this machine */
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

static struct scratch scratch;
static int ring = -1;
static uint64_t written; /* records */

static void make_instance(void)
{
	put_trace_instance(scratch.dirfd);
	put_directory(scratch.dirfd, "per_cpu");
	put_directory(scratch.dirfd, "per_cpu/cpu0");
	ck_assert_int_eq(mkfifoat(scratch.dirfd, "per_cpu/cpu0/trace_pipe_raw", 0600), 0);
	ring = openat(scratch.dirfd, "per_cpu/cpu0/trace_pipe_raw",
		      O_RDWR | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fcntl(ring, F_SETPIPE_SZ, PAGES * 4096), PAGES * 4096);
}

static uint64_t pages_in_ring(void)
{
	int bytes = 0;

	if (ioctl(ring, FIONREAD, &bytes) < 0)
		abort();
	return (uint64_t)bytes / 4096;
}

/*
 * The kernel does so with each reading. Here and in pages_in_ring() nothing is asserted: Check
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

/* A burst that fills the ring. Return: its records. */
static uint64_t fill_ring(void)
{
	const uint64_t before = written;
	uint8_t payload[TEST_EVENT_BYTES];
	struct page page;

	do {
		page_begin(&page, 1000 * (written + 1));
		for (uint64_t i = 0; i < PAGE_EVENTS; i++) {
			test_payload(payload, 64 * (written + i));
			page_event(&page, 1, payload, sizeof(payload));
		}
		page_end(&page, 0);
		written += PAGE_EVENTS;
	} while (write(ring, page.bytes, sizeof(page.bytes)) > 0);
	written -= PAGE_EVENTS;
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
	scratch_setup(&scratch);
	(void)snprintf(instance, sizeof(instance), "%s", scratch.path);
	make_instance();
	setup();
}

static void ring_teardown(void)
{
	teardown();
	(void)close(ring);
	scratch_teardown(&scratch);
}

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
	tcase_add_test(t, new_topology_makes_a_new_mapping_and_checks_the_trace_instance);
	tcase_add_test(t, other_inputs_and_idle_turns_of_the_loop_change_no_mapping);
	tcase_add_test(t, mapping_that_cannot_be_made_is_made_with_the_next_view);
	tcase_add_test(t, without_memory_a_missing_instance_is_a_fault_only_where_it_is_expected);
	suite_add_tcase(s, t);
	t = tcase_create("ring");
	tcase_set_timeout(t, 300);
	tcase_add_checked_fixture(t, ring_setup, ring_teardown);
	tcase_add_test(t, what_was_read_is_stored_at_the_end_whatever_other_threads_do);
	tcase_add_test(t, killed_service_leaves_the_number_of_what_it_had_read);
	tcase_add_test(t, while_nothing_can_be_stored_records_stay_in_the_ring);
	suite_add_tcase(s, t);
	return s;
}
