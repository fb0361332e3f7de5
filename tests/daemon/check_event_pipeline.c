// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's event pipeline: it follows the topology that is shown. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "common/log.h"
#include "daemon/events.h"
#include "daemon/trace.h"
#include "events/event_fill.h"
#include "redfish/resources/resources.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The linker replaces these by wrappers that count. */
int __real_event_mapping_new(const struct host *host, struct translator *translator,
			     struct event_mapping **ret, struct error *e);
int __wrap_event_mapping_new(const struct host *host, struct translator *translator,
			     struct event_mapping **ret, struct error *e);
void __real_trace_check(struct trace *t);
void __wrap_trace_check(struct trace *t);

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

static void setup(void)
{
	const struct events_options o = {.state = directory, .max_records = 100};
	struct error e;

	log_setup("check_event_pipeline", LOG_LEVEL_ERR);
	ck_assert_ptr_nonnull(mkdtemp(directory));
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
	ck_assert_uint_eq(n_mappings, 1);
	ck_assert_ptr_eq(mapped, hosts[0].host);
	n_mappings = n_checks = 0;
}

static void teardown(void)
{
	char command[64];

	ck_assert(events_stop(events, WAIT_MAX_MS));
	events = events_free(events);
	bus = event_bus_free(bus);
	publisher = publisher_free(publisher);
	service = service_free(service);
	event = sd_event_unref(event);
	for (int i = 0; i < 2; i++)
		empty_host_done(&hosts[i]);
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

/* The view shows the present reports of the trace instance, not earlier ones. */
START_TEST(missing_trace_instance_becomes_a_fault)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const char *text;

	if (access(TRACE_INSTANCE "/events", F_OK) == 0)
		return; /* a service uses it on this machine */
	do {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		text = publisher_view(publisher)
			       ->inputs.recording_faults.text[RECORDING_FAULT_NOT_RECORDED];
	} while (!text[0] && clock_monotonic_ms() < until);
	ck_assert_msg(strstr(text, TRACE_INSTANCE), "'%s'", text);
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
	tcase_add_test(t, missing_trace_instance_becomes_a_fault);
	suite_add_tcase(s, t);
	return s;
}
