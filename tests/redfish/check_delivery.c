// SPDX-License-Identifier: LGPL-2.1-or-later
/* The thread that delivers events, with a helper process that does not end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "push/client.h"
#include "redfish/eventing/event_service.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The linker replaces it: it waits as for a process in uninterruptible sleep. */
void __real_push_client_stop(struct push_client *c);
void __wrap_push_client_stop(struct push_client *c);

static atomic_bool hangs;

void __wrap_push_client_stop(struct push_client *c)
{
	while (atomic_load(&hangs))
		(void)usleep(1000);
	__real_push_client_stop(c);
}

static struct log_fixture l;
static struct event_bus *bus;
static struct state *state;
static struct event_service *es;

static void setup(void)
{
	static const struct event_service_options options = {.push_program = "/none"};
	char path[128];

	log_init(&l);
	log_ready(&l);
	(void)snprintf(path, sizeof(path), "%s/state.db", l.directory);
	ck_assert_int_eq(event_bus_new(&bus, NULL), 0);
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	ck_assert_int_eq(event_service_new(l.f.service, l.log, bus, state, &options, &es, NULL), 0);
}

static void teardown(void)
{
	state = state_free(state);
	bus = event_bus_free(bus);
	log_done(&l);
}

START_TEST(delivery_ends_at_once)
{
	ck_assert(event_service_free(es, WAIT_MAX_MS));
}
END_TEST

START_TEST(helper_that_does_not_end_delays_the_end_no_longer_than_the_limit)
{
	atomic_store(&hangs, true);
	ck_assert(!event_service_free(es, 50));
	atomic_store(&hangs, false);
	ck_assert(event_service_free(es, WAIT_MAX_MS));
}
END_TEST

SUITE(check_delivery)
{
	Suite *suite = suite_create("delivery");
	TCase *tests = tcase_create("end");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, delivery_ends_at_once);
	tcase_add_test(tests, helper_that_does_not_end_delays_the_end_no_longer_than_the_limit);
	suite_add_tcase(suite, tests);
	return suite;
}
