// SPDX-License-Identifier: LGPL-2.1-or-later
/* The store monitor: what of the store and of the recording of events becomes part of the view. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/clock.h"
#include "daemon/store_monitor.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/publisher_fixture.h"
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
	publisher_setup(&event, &service, &publisher);
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
	publisher_teardown(&event, &service, &publisher);
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
	return open_incidents_of(publisher_view(publisher)->inputs.incidents, device) != NULL;
}

START_TEST(open_incidents_become_health)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct stored_event ev;

	add_event(1, &ev);
	while (!shows_device(ev.device) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(shows_device(ev.device));
}
END_TEST

static int resolve(struct store *s, void *userdata)
{
	return s ? store_resolve(s, *(uint64_t *)userdata, true, NULL) : -EIO;
}

static int acknowledge(struct store *s, void *userdata)
{
	return s ? store_acknowledge(s, *(uint64_t *)userdata, true, NULL) : -EIO;
}

/* Counts may be shown later; a state is shown as soon as it is read. */
START_TEST(states_of_incidents_are_shown_while_their_counts_grow)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const struct device_incidents *d = NULL;
	struct stored_event ev;
	uint64_t id = 1;

	add_event(1, &ev);
	while (!shows_device(ev.device) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_int_eq(store_writer_do(writer, acknowledge, &id), 0);
	do {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		d = open_incidents_of(publisher_view(publisher)->inputs.incidents, ev.device);
	} while (d->named[0].incident.state != INCIDENT_ACKNOWLEDGED &&
		 clock_monotonic_ms() < until);
	ck_assert_int_eq(d->named[0].incident.state, INCIDENT_ACKNOWLEDGED);
	ck_assert_int_eq(store_writer_do(writer, resolve, &id), 0);
	while (shows_device(ev.device) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(!shows_device(ev.device));
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

START_TEST(kernel_without_events_is_a_fault_of_its_own)
{
	const struct recording_faults *faults = &publisher_view(publisher)->inputs.recording_faults;
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	store_monitor_trace(monitor, TRACE_NO_EVENTS, "no events");
	while (!faults->text[RECORDING_FAULT_NO_EVENTS][0] && clock_monotonic_ms() < until) {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		faults = &publisher_view(publisher)->inputs.recording_faults;
	}
	ck_assert_str_eq(faults->text[RECORDING_FAULT_NO_EVENTS], "no events");
	ck_assert_str_eq(faults->text[RECORDING_FAULT_NOT_RECORDED], "");
}
END_TEST

/* Return: the fault of records that were lost when the service ended, once it is @wanted. */
static const char *end_fault(const char *wanted)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const char *text;

	do {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		text = publisher_view(publisher)
			       ->inputs.recording_faults.text[RECORDING_FAULT_LOST_AT_END];
	} while (strcmp(text, wanted) != 0 && clock_monotonic_ms() < until);
	return text;
}

/* Records of @cpu were read up to @read; with @type EVENT_LOST_AT_END by another process. */
static void add_read(enum event_type type, unsigned int cpu, uint64_t read)
{
	struct stored_event ev = {
		.severity = EVENT_WARNING,
		.record = {.type = type,
			   .event = "lost_at_end",
			   .cpu = cpu,
			   .time_ns = read,
			   .read = OPT_U64(read)},
	};

	if (type == EVENT_LOST)
		ev.record.lost = OPT_U64(0);
	ck_assert_int_eq(store_writer_add(writer, &ev), 0);
}

START_TEST(records_lost_at_an_end_are_a_fault_until_the_entry_is_resolved)
{
	uint64_t first = 1, second = 2;

	add_read(EVENT_LOST_AT_END, 0, 5);
	add_read(EVENT_LOST_AT_END, 0, 6);
	ck_assert_str_eq(end_fault("1 record of CPU 0 (entry 1)"), "1 record of CPU 0 (entry 1)");
	add_read(EVENT_LOST, 3, 1);
	add_read(EVENT_LOST_AT_END, 3, 40);
	ck_assert_str_eq(end_fault("39 records of CPU 3 (entry 2), 1 of CPU 0 (entry 1)"),
			 "39 records of CPU 3 (entry 2), 1 of CPU 0 (entry 1)");
	ck_assert_int_eq(store_writer_do(writer, resolve, &second), 0);
	ck_assert_str_eq(end_fault("1 record of CPU 0 (entry 1)"), "1 record of CPU 0 (entry 1)");
	ck_assert_int_eq(store_writer_do(writer, resolve, &first), 0);
	ck_assert_str_eq(end_fault(""), "");
	/* It is no loss within the last hour as well. */
	ck_assert_str_eq(
		publisher_view(publisher)->inputs.recording_faults.text[RECORDING_FAULT_LOST], "");
}
END_TEST

START_TEST(many_losses_at_ends_are_cut)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	char last[RECORDING_FAULT_TEXT_MAX] = "";

	for (uint64_t i = 0; i < 30; i++)
		add_read(EVENT_LOST_AT_END, 0, 1000000000 * (i + 1));
	while (!strstr(last, "...") && clock_monotonic_ms() < until) {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		strcpy(last, publisher_view(publisher)
				     ->inputs.recording_faults.text[RECORDING_FAULT_LOST_AT_END]);
	}
	ck_assert_ptr_nonnull(strstr(last, ", ..."));
	ck_assert_str_eq(strstr(last, ", ..."), ", ...");
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
	tcase_add_test(t, open_incidents_become_health);
	tcase_add_test(t, states_of_incidents_are_shown_while_their_counts_grow);
	tcase_add_test(t, state_of_the_trace_instance_becomes_a_fault);
	tcase_add_test(t, kernel_without_events_is_a_fault_of_its_own);
	tcase_add_test(t, records_lost_at_an_end_are_a_fault_until_the_entry_is_resolved);
	tcase_add_test(t, many_losses_at_ends_are_cut);
	tcase_add_test(t, request_is_answered_with_a_check_begun_after_it);
	tcase_add_test(t, monitor_that_has_ended_takes_no_requests);
	suite_add_tcase(s, t);
	return s;
}
