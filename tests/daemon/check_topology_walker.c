// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's topology walker: what is shown, logged and forgotten when the host changes, and when
 * only the state of firmware does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "daemon/device_poller.h"
#include "daemon/topology_walker.h"
#include "daemon/view_listeners.h"
#include "tests/lib/failing_calloc.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"
#include "tests/lib/wait.h"

enum {
	NEVER_S = 3600,
};

static const struct firmware_query query = {.bus = 1};
static struct host_root live;
static sd_event *event;
static struct firmware *firmware;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;
static struct topology_walker *walker;

static const struct view *shown(void)
{
	return publisher_view(publisher);
}

/* A host that needs firmware, which is ready, and one answer that is known. */
static void setup(void)
{
	struct firmware_timeout timeout = {.call_ms = 60000};
	struct firmware_answer answer;
	struct error e;

	fake_setup();
	tree_setup();
	enter();
	live = (struct host_root){.dirfd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	ck_assert_int_eq(firmware_new(fake.path, &firmware), 0);
	publisher_setup(&event, &service, &publisher);
	ck_assert_int_eq(view_listeners_add(publisher, service, firmware, NULL), 0);
	ck_assert_msg(topology_walker_walk(&live, firmware, publisher, &e) == 0, "%s", e.text);
	ck_assert(shown()->needs_firmware);
	ck_assert_int_eq(shown()->inputs.firmware.state, FIRMWARE_READY);
	ck_assert_msg(device_poller_new(publisher, NEVER_S, NULL, &poller, &e) == 0, "%s", e.text);
	ck_assert_msg(topology_walker_new(event, &live, firmware, publisher, &walker, &e) == 0,
		      "%s", e.text);
	firmware_translate(firmware, &query, 1, &timeout, &answer);
	ck_assert_int_eq(answer.result, FIRMWARE_TRANSLATED);
	fake_wait_until_quick(firmware);
}

static void teardown(void)
{
	calloc_set(CALLOC_WORKS);
	ck_assert(topology_walker_free(walker, WAIT_MAX_MS));
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher_teardown(&event, &service, &publisher);
	firmware = firmware_free(firmware);
	(void)close(live.dirfd);
	tree_teardown();
	fake_teardown();
}

/* Return: whether more than the readings differs. */
static bool is_other(const struct view *v, const struct view *before)
{
	return v->host != before->host || v->inputs.firmware.state != before->inputs.firmware.state;
}

/* Runs until a view is shown that is_other(). */
static const struct view *run_until_other(const struct view *before)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (!is_other(shown(), before) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(is_other(shown(), before));
	return shown();
}

static bool answer_is_known(void)
{
	struct firmware_answer answer;

	return firmware_peek(firmware, &query, &answer);
}

START_TEST(firmware_that_changes_is_shown_on_the_same_host)
{
	const struct view *before = view_ref(shown());
	const struct view *v;

	fake_lock();
	fake.reason = CXL_PRM_EFI_OFF;
	fake_unlock();
	v = run_until_other(before);
	ck_assert_int_eq(v->inputs.firmware.state, FIRMWARE_EFI_OFF);
	ck_assert_ptr_eq(v->host, before->host);
	/* The answer that it gave before is still true of the host. */
	ck_assert(answer_is_known());
	(void)view_unref(before);
}
END_TEST

START_TEST(another_walk_is_another_host_and_answers_of_firmware_are_dropped)
{
	const struct view *before = view_ref(shown());
	const struct view *v;

	topology_walker_poke(walker);
	v = run_until_other(before);
	ck_assert_ptr_ne(v->host, before->host);
	ck_assert_uint_eq(v->host->n_memdevs, before->host->n_memdevs);
	ck_assert(!answer_is_known());
	(void)view_unref(before);
}
END_TEST

#define REMOVED "removed: /redfish/v1/Systems/Host/Memory/cxl-000000000000abc3\n" /* mem0 */

static int log_fd = -1;
static size_t n_logged_before; /* a new view is shown */

static size_t count_logged(const char *text)
{
	_cleanup_free_ char *log = NULL;
	const char *at;
	size_t n = 0;

	if (log_fd < 0)
		return 0;
	ck_assert_int_eq(read_open_file(log_fd, 1 << 20, &log, NULL), 0);
	for (at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* publisher_listener_fn */
static void before_swap(void *userdata, const struct view *before, const struct view *now,
			unsigned int changed)
{
	(void)userdata;
	(void)before;
	(void)now;
	(void)changed;
	n_logged_before += count_logged("removed: ");
}

static void log_to_file(void)
{
	char path[] = "/tmp/check_topology.XXXXXX";

	log_fd = mkstemp(path);
	ck_assert_int_ge(log_fd, 0);
	(void)unlink(path);
	(void)fflush(stderr);
	ck_assert_int_ge(dup2(log_fd, STDERR_FILENO), 0);
	log_setup("test", LOG_LEVEL_INFO);
}

static void unplug_mem0(void)
{
	log_to_file();
	drop("sys/bus/cxl/devices/mem0");
	topology_walker_poke(walker);
}

#define NOT_SHOWN "the previous ones are kept"

/* The walk has memory, the view of its result has none. */
static void unplug_mem0_without_memory(void)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	calloc_set(CALLOC_FAILS_HERE);
	unplug_mem0();
	while (count_logged(NOT_SHOWN) == 0 && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_eq(count_logged(NOT_SHOWN), 1);
}

START_TEST(change_is_logged_after_it_is_shown)
{
	const struct publisher_listener listener = {.before_swap = before_swap};
	const struct view *before = view_ref(shown());

	ck_assert_int_eq(publisher_listen(publisher, &listener), 0);
	unplug_mem0();
	ck_assert_uint_eq(run_until_other(before)->host->n_memdevs, 3);
	ck_assert_uint_eq(n_logged_before, 0);
	ck_assert_uint_eq(count_logged(REMOVED), 1);
	ck_assert_uint_eq(count_logged("the topology was read again"), 1);
	(void)view_unref(before);
}
END_TEST

START_TEST(change_that_cannot_be_shown_is_not_logged)
{
	unplug_mem0_without_memory();
	ck_assert_uint_eq(count_logged("removed: "), 0);
	/* Also when it is tried again. */
	ck_assert_uint_eq(count_logged(NOT_SHOWN), 1);
	ck_assert_uint_eq(shown()->host->n_memdevs, 4);
}
END_TEST

START_TEST(change_that_could_not_be_shown_is_shown_later)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	unplug_mem0_without_memory();
	calloc_set(CALLOC_WORKS);
	/* The next post is that of the firmware check, which has no news itself. */
	while (shown()->host->n_memdevs != 3 && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_eq(shown()->host->n_memdevs, 3);
	ck_assert_uint_eq(count_logged(REMOVED), 1);
}
END_TEST

#define NOT_READ "cannot read the topology: "

START_TEST(walk_that_fails_keeps_the_view)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const struct host *before;

	log_to_file();
	before = shown()->host;
	calloc_set(CALLOC_FAILS_ELSEWHERE);
	topology_walker_poke(walker);
	while (count_logged(NOT_READ) == 0 && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_eq(count_logged(NOT_READ), 1);
	ck_assert_uint_eq(count_logged("; the previous one is kept\n"), 1);
	ck_assert_ptr_eq(shown()->host, before);
}
END_TEST

/* A job requests this after it has changed the host. */
START_TEST(request_is_answered_with_a_walk_begun_after_it)
{
	struct view_holder *holder = service->view_holder;
	struct view_generation g;

	drop("sys/bus/cxl/devices/mem0");
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_TOPOLOGY, NULL, &g), 0);
	ck_assert(!view_holder_has(holder, g));
	while (!view_holder_has(holder, g))
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_eq(shown()->host->n_memdevs, 3);
}
END_TEST

SUITE(check_topology_walker)
{
	Suite *s = suite_create("topology");
	TCase *t = tcase_create("topology");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, firmware_that_changes_is_shown_on_the_same_host);
	tcase_add_test(t, another_walk_is_another_host_and_answers_of_firmware_are_dropped);
	tcase_add_test(t, change_is_logged_after_it_is_shown);
	tcase_add_test(t, change_that_cannot_be_shown_is_not_logged);
	tcase_add_test(t, change_that_could_not_be_shown_is_shown_later);
	tcase_add_test(t, walk_that_fails_keeps_the_view);
	tcase_add_test(t, request_is_answered_with_a_walk_begun_after_it);
	suite_add_tcase(s, t);
	return s;
}
