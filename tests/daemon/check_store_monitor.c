// SPDX-License-Identifier: LGPL-2.1-or-later
/* The store monitor: what of the store and of the recording of events becomes part of the view. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/clock.h"
#include "daemon/store_monitor.h"
#include "redfish/resources/resources.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct empty_host host;
static struct store_writer *writer;
static struct store_monitor *monitor;

static void on_committed(void *userdata, const struct stored_event *events, size_t n)
{
	(void)userdata;
	(void)events;
	(void)n;
}

static void setup(void)
{
	const struct store_callbacks callbacks = {.committed = on_committed};
	struct store_monitor_options o = {.path = path, .max_records = 100};

	store_setup();
	empty_host_init(&host);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, &service, NULL), 0);
	ck_assert_int_eq(
		publisher_new(event, service->view_holder, &redfish_resources, &publisher, NULL),
		0);
	ck_assert_uint_ne(empty_host_post(&host, publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	ck_assert_int_eq(store_writer_new(&options, &callbacks, &writer, NULL), 0);
	o.writer = writer;
	o.publisher = publisher;
	ck_assert_int_eq(store_monitor_new(&o, &monitor, NULL), 0);
}

static void teardown(void)
{
	ck_assert(store_monitor_stop(monitor, WAIT_MAX_MS));
	monitor = store_monitor_free(monitor);
	writer = store_writer_free(writer);
	publisher = publisher_free(publisher);
	service = service_free(service);
	event = sd_event_unref(event);
	empty_host_done(&host);
	store_teardown();
}

static void add_event(uint64_t i, struct stored_event *ret)
{
	made_event(i, ret);
	ret->pending = false;
	ck_assert_int_eq(store_writer_add(writer, ret), 0);
}

static bool shows_device(const char *device)
{
	size_t n;

	return event_health_of(publisher_view(publisher)->event_health, device, &n) != NULL;
}

START_TEST(unresolved_events_become_health)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct stored_event ev;

	add_event(1, &ev);
	while (!shows_device(ev.device) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(shows_device(ev.device));
}
END_TEST

START_TEST(state_of_the_trace_instance_becomes_a_fault)
{
	const struct recording_faults *faults = &publisher_view(publisher)->inputs.recording_faults;
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	store_monitor_trace(monitor, TRACE_ABSENT, "no instance");
	while (!faults->text[RECORDING_FAULT_NOT_RECORDED][0] && clock_monotonic_ms() < until) {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		faults = &publisher_view(publisher)->inputs.recording_faults;
	}
	ck_assert_str_eq(faults->text[RECORDING_FAULT_NOT_RECORDED], "no instance");
}
END_TEST

/* A job requests this after it has resolved or cleared an entry. */
START_TEST(request_is_answered_with_a_check_begun_after_it)
{
	struct view_holder *holder = service->view_holder;
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct view_generation health, faults;

	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_EVENT_HEALTH, NULL, &health), 0);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_RECORDING_FAULTS, NULL, &faults),
			 0);
	ck_assert(!view_holder_has(holder, health));
	while (!view_holder_has(holder, faults) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(view_holder_has(holder, faults));
	ck_assert(view_holder_has(holder, health));
}
END_TEST

START_TEST(monitor_that_has_ended_takes_no_requests)
{
	struct view_generation g;

	ck_assert(store_monitor_stop(monitor, WAIT_MAX_MS));
	ck_assert_int_lt(
		view_holder_request(service->view_holder, VIEW_INPUT_EVENT_HEALTH, NULL, &g), 0);
}
END_TEST

SUITE(check_store_monitor)
{
	Suite *s = suite_create("store monitor");
	TCase *t = tcase_create("store monitor");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, unresolved_events_become_health);
	tcase_add_test(t, state_of_the_trace_instance_becomes_a_fault);
	tcase_add_test(t, request_is_answered_with_a_check_begun_after_it);
	tcase_add_test(t, monitor_that_has_ended_takes_no_requests);
	suite_add_tcase(s, t);
	return s;
}
