// SPDX-License-Identifier: LGPL-2.1-or-later
/* The thread that delivers events, with a helper process that does not end. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "redfish/eventing/event_service.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static atomic_bool hangs;

int __real_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);
int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);

/* The linker's --wrap: the signal that ends the helper does not arrive for a while. */
int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags)
{
	while (atomic_load(&hangs))
		(void)usleep(1000);
	return __real_pidfd_send_signal(pidfd, sig, info, flags);
}

static struct log_fixture l;
static struct event_bus *bus;
static struct state *state;
static struct event_service *es;

/* The helper program: it says by a file that it runs, and ignores the end of its input. */
static char program[128], running[128];

static void put_program(void)
{
	FILE *f;

	(void)snprintf(program, sizeof(program), "%s/push", l.directory);
	(void)snprintf(running, sizeof(running), "%s/running", l.directory);
	f = fopen(program, "we");
	ck_assert_ptr_nonnull(f);
	(void)fprintf(f, "#!/bin/sh\n: >%s\nexec sleep 3600\n", running);
	ck_assert_int_eq(fchmod(fileno(f), 0755), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* An event for a subscriber starts it. */
static void start_helper(void)
{
	json_t *given =
		json_pack("{s:s,s:s}", "Destination", "http://127.0.0.1:9/", "Protocol", "Redfish");
	const struct principal who = {0};
	struct stored_event ev;
	struct message message;
	uint64_t id;

	ck_assert_int_eq(event_service_subscribe(es, given, &who, &id, &message), 0);
	json_decref(given);
	log_event(1, &ev);
	event_bus_publish(bus, log_put(&l, &ev));
	WAIT_UNTIL(access(running, F_OK) == 0);
}

static void setup(void)
{
	static struct event_service_options options = {.allow = "127.0.0.0/8"};
	char path[128];

	log_init(&l);
	log_ready(&l);
	put_program();
	options.push_program = program;
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
	start_helper();
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
