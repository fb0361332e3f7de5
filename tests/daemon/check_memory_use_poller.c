// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's poller of who uses memory: when it reads, what is shown, and that it ends. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "daemon/memory_use_poller.h"
#include "redfish/resources/resources.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum {
	NEVER_S = 3600,
};

static struct empty_host host, other;
static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;

/* ---- what is read: a number of holders, which the tests set ---- */

static bool is_fake; /* in this suite; the program has others */
static atomic_uint n_reads, value, hold;

struct made {
	struct memory_use base;
	struct dax_use item;
	atomic_uint references;
};

int __real_memory_use_read(const struct host *h, const struct memory_use **ret, struct error *e);
const struct memory_use *__real_memory_use_ref(const struct memory_use *u);
const struct memory_use *__real_memory_use_unref(const struct memory_use *u);
int __wrap_memory_use_read(const struct host *h, const struct memory_use **ret, struct error *e);
const struct memory_use *__wrap_memory_use_ref(const struct memory_use *u);
const struct memory_use *__wrap_memory_use_unref(const struct memory_use *u);

int __wrap_memory_use_read(const struct host *h, const struct memory_use **ret, struct error *e)
{
	struct made *m;

	if (!is_fake)
		return __real_memory_use_read(h, ret, e);
	m = calloc(1, sizeof(*m));
	ck_assert_ptr_nonnull(m);
	atomic_fetch_add(&n_reads, 1);
	while (atomic_load(&hold))
		(void)usleep(1000);
	m->item.online = OPT_U64(atomic_load(&value));
	m->base = (struct memory_use){&m->item, 1};
	atomic_init(&m->references, 1);
	*ret = &m->base;
	return 0;
}

const struct memory_use *__wrap_memory_use_ref(const struct memory_use *u)
{
	if (!is_fake)
		return __real_memory_use_ref(u);
	atomic_fetch_add(&((struct made *)u)->references, 1);
	return u;
}

const struct memory_use *__wrap_memory_use_unref(const struct memory_use *u)
{
	struct made *m = (struct made *)u;

	if (!is_fake)
		return __real_memory_use_unref(u);
	if (m && atomic_fetch_sub(&m->references, 1) == 1)
		free(m);
	return NULL;
}

/* ---- fixtures ---- */

static void setup(void)
{
	is_fake = true;
	empty_host_init(&host);
	empty_host_init(&other);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, &service, NULL), 0);
	ck_assert_int_eq(
		publisher_new(event, service->view_holder, &redfish_resources, &publisher, NULL),
		0);
	ck_assert_uint_ne(empty_host_post(&host, publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	atomic_store(&value, 7);
}

static void teardown(void)
{
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher = publisher_free(publisher);
	service = service_free(service);
	event = sd_event_unref(event);
	empty_host_done(&host);
	empty_host_done(&other);
}

static void begin(unsigned int poll_seconds)
{
	struct error e = {0};

	ck_assert_msg(memory_use_poller_new(publisher, poll_seconds, &poller, &e) == 0, "%s",
		      e.text);
}

static uint64_t shown(void)
{
	const struct memory_use *use = publisher_view(publisher)->inputs.memory_use;

	return use ? use->items[0].online.value : 0;
}

static bool run_until_shown(uint64_t wanted)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (shown() != wanted && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	return shown() == wanted;
}

START_TEST(first_reading_is_shown)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	ck_assert_uint_eq(atomic_load(&n_reads), 1);
}
END_TEST

START_TEST(it_is_read_again_periodically)
{
	begin(1);
	ck_assert(run_until_shown(7));
	atomic_store(&value, 8);
	ck_assert(run_until_shown(8));
}
END_TEST

START_TEST(reading_without_a_change_makes_no_view)
{
	const struct view *v;

	begin(1);
	ck_assert(run_until_shown(7));
	v = publisher_view(publisher);
	while (atomic_load(&n_reads) < 3)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_int_ge(sd_event_run(event, 0), 0);
	ck_assert_ptr_eq(publisher_view(publisher), v);
}
END_TEST

/* A job requests this after it has taken memory offline. */
START_TEST(request_is_answered_with_its_own_effect)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct view_holder *holder = service->view_holder;
	struct view_generation wanted;

	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	atomic_store(&value, 9);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_MEMORY_USE, NULL, &wanted), 0);
	while (!view_holder_has(holder, wanted) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(view_holder_has(holder, wanted));
	ck_assert_uint_eq(shown(), 9);
}
END_TEST

START_TEST(new_topology_has_it_read_again)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	atomic_store(&value, 8);
	ck_assert_uint_ne(empty_host_post(&other, publisher), 0);
	ck_assert(run_until_shown(8));
}
END_TEST

START_TEST(another_interval_is_used_at_once)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	atomic_store(&value, 8);
	poller_set_interval(poller, 1);
	ck_assert(run_until_shown(8));
	atomic_store(&value, 9);
	ck_assert(run_until_shown(9));
}
END_TEST

START_TEST(captured_host_is_read_once)
{
	host.root.captured = true;
	begin(1);
	ck_assert(run_until_shown(7));
	for (const uint64_t until = clock_monotonic_ms() + 1500; clock_monotonic_ms() < until;)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
	ck_assert_uint_eq(atomic_load(&n_reads), 1);
	host.root.captured = false;
}
END_TEST

START_TEST(reading_that_hangs_does_not_delay_the_start_for_long_nor_the_end)
{
	/* Both return, although the reading does not. */
	atomic_store(&hold, 1);
	begin(NEVER_S);
	WAIT_UNTIL(atomic_load(&n_reads) == 1);
	ck_assert(!poller_free(poller, 100));
	atomic_store(&hold, 0);
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	poller = NULL;
}
END_TEST

SUITE(check_memory_use_poller)
{
	Suite *s = suite_create("memory use poller");
	TCase *t = tcase_create("memory use poller");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, first_reading_is_shown);
	tcase_add_test(t, it_is_read_again_periodically);
	tcase_add_test(t, reading_without_a_change_makes_no_view);
	tcase_add_test(t, request_is_answered_with_its_own_effect);
	tcase_add_test(t, new_topology_has_it_read_again);
	tcase_add_test(t, another_interval_is_used_at_once);
	tcase_add_test(t, captured_host_is_read_once);
	tcase_add_test(t, reading_that_hangs_does_not_delay_the_start_for_long_nor_the_end);
	suite_add_tcase(s, t);
	return s;
}
