// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pending events: answers of firmware, firmware that hangs, and a topology that changes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "daemon/event_stats.h"
#include "daemon/prm_resolver.h"
#include "prm/firmware.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { EVENTS_MAX = 4096 };

static char directory[64], path[128];
static struct event_mapping *mapping;
static struct event_stats *stats;
static struct prm_resolver *resolver;
static struct store_writer *writer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct store_final finals[EVENTS_MAX]; /* guarded by it, as what follows */
static size_t n_finals, n_committed;

static void on_committed(void *userdata, const struct stored_event *events, size_t n)
{
	(void)userdata;
	prm_resolver_committed(resolver, writer, events, n);
	pthread_mutex_lock(&lock);
	n_committed += n;
	pthread_mutex_unlock(&lock);
}

static void on_finished(void *userdata, const struct store_final *f, size_t n)
{
	(void)userdata;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < n && n_finals < EVENTS_MAX; i++)
		finals[n_finals++] = f[i];
	pthread_mutex_unlock(&lock);
}

static void open_writer(void)
{
	const struct store_options options = {.path = path, .max_records = EVENTS_MAX};
	const struct store_callbacks callbacks = {.committed = on_committed,
						  .finished = on_finished};
	struct error e;

	ck_assert_int_eq(store_writer_new(&options, &callbacks, &writer, &e), 0);
}

/* Two devices in the 2-way Normalized region0, as fake_plain() has them. */
static void setup_with(unsigned int timeout_ms)
{
	struct error e;

	log_setup("check_prm_resolver", LOG_LEVEL_ERR);
	strcpy(directory, "/tmp/check_prm_resolver.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/events.db", directory);
	fake_setup();
	model_setup();
	bridges[0] = model_bridge(&m);
	window = model_window(&m, bridges, 1);
	mem[0] = model_memdev(&m, bridges[0]);
	mem[1] = model_memdev(&m, bridges[0]);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	ck_assert_int_eq(firmware_new(fake.path, &m.firmware), 0);
	m.host.kernel_release = "7.3.4";
	model_ready(&m);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, &e), 0);
	stats = event_stats_new();
	ck_assert_int_eq(prm_resolver_new(stats, timeout_ms, &resolver, &e), 0);
	open_writer();
	n_finals = n_committed = 0;
}

static void setup(void)
{
	setup_with(WAIT_MAX_MS);
}

static void setup_usual(void)
{
	setup_with(PRM_RESOLVER_TIMEOUT_MS);
}

static void stop(void)
{
	firmware_stop(m.firmware);
	ck_assert(prm_resolver_stop(resolver, WAIT_MAX_MS));
	writer = store_writer_free(writer);
	resolver = prm_resolver_free(resolver);
	stats = event_stats_free(stats);
}

static void teardown(void)
{
	struct firmware *f = m.firmware;
	char command[160];

	fake_lock();
	fake.hold = false;
	fake_unlock();
	fake_release();
	stop();
	mapping = event_mapping_unref(mapping);
	model_teardown();
	(void)firmware_free(f);
	fake_teardown();
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static struct event_record make_record(uint64_t i)
{
	struct event_record rec = {.type = EVENT_DRAM, .time_ns = i};

	strcpy(rec.event, "cxl_dram");
	strcpy(rec.memdev, mem[i & 1]->name);
	strcpy(rec.host, mem[i & 1]->bdf);
	strcpy(rec.region, region->name);
	rec.present = UINT64_C(1) << FIELD_DPA;
	rec.number[FIELD_DPA] = i * 0x1000 + 0x40;
	return rec;
}

static uint64_t interval_of(uint64_t i)
{
	return BASE + (i * 0x1000) * 2;
}

static uint64_t spa_of(uint64_t i)
{
	return interval_of(i) + (i & 1) * 0x100 + 0x40;
}

/* As the daemon does it. Return: whether it was pending. */
static bool give(uint64_t i)
{
	const struct event_record rec = make_record(i);
	static const uint8_t boot[EVENT_BOOT_ID_SIZE];
	struct event_question question;
	struct stored_event ev;

	event_fill(mapping, boot, &rec, &provenance_live, 1, &ev, &question);
	if (ev.pending)
		ev.pending = prm_resolver_expect(resolver, mapping, &question, &ev.answer);
	if (store_writer_add(writer, &ev) < 0 && ev.pending)
		prm_resolver_cancel(resolver);
	return ev.pending;
}

static size_t finished(void)
{
	size_t n;

	pthread_mutex_lock(&lock);
	n = n_finals;
	pthread_mutex_unlock(&lock);
	return n;
}

static void wait_for(size_t n)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (finished() < n && clock_monotonic_ms() < until)
		(void)usleep(1000);
	ck_assert_uint_eq(finished(), n);
}

START_TEST(answer_of_firmware_finishes_the_event)
{
	for (uint64_t i = 0; i < 600; i++)
		ck_assert(give(i));
	wait_for(600);
	for (size_t i = 0; i < 600; i++) {
		ck_assert(finals[i].seq && finals[i].answer.exact);
		ck_assert_int_eq(finals[i].answer.source, SOURCE_PRM);
		ck_assert_uint_eq(finals[i].answer.spa, spa_of(i));
	}
	ck_assert_uint_eq(prm_resolver_n_waiting(resolver), 0);
}
END_TEST

START_TEST(firmware_that_hangs_delays_two_seconds_and_leaves_the_interval)
{
	const uint64_t begun = clock_monotonic_ms();

	fake_lock();
	fake.hold = true;
	fake_unlock();
	for (uint64_t i = 0; i < 20; i++)
		ck_assert(give(i));
	wait_for(20);
	ck_assert_uint_ge(clock_monotonic_ms() - begun, PRM_RESOLVER_TIMEOUT_MS - 10);
	for (size_t i = 0; i < 20; i++) {
		ck_assert(finals[i].seq && !finals[i].answer.exact);
		ck_assert_int_eq(finals[i].answer.source, SOURCE_ESTIMATE);
		ck_assert_uint_eq(finals[i].answer.spa, interval_of(i));
		ck_assert_uint_eq(finals[i].answer.spa_last, interval_of(i) + 511);
	}
}
END_TEST

START_TEST(answer_for_another_topology_is_not_used)
{
	struct event_mapping *other;
	struct error e;

	fake_lock();
	fake.hold = true;
	fake_unlock();
	ck_assert(give(3));
	fake_wait_for_ioctls(1);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &other, &e), 0);
	prm_resolver_topology(resolver, other);
	(void)event_mapping_unref(other);
	fake_lock();
	fake.hold = false;
	fake_unlock();
	fake_release();
	wait_for(1);
	ck_assert_int_eq(finals[0].answer.source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(finals[0].answer.spa, interval_of(3));
}
END_TEST

/* A record that is read twice makes one entry with one answer. */
START_TEST(duplicate_is_resolved_once)
{
	fake_lock();
	fake.hold = true;
	fake_unlock();
	ck_assert(give(1));
	ck_assert(give(1));
	ck_assert(give(2));
	fake_wait_for_ioctls(1);
	fake_lock();
	fake.hold = false;
	fake_unlock();
	fake_release();
	wait_for(2);
	ck_assert_uint_eq(finals[0].answer.spa, spa_of(1));
	ck_assert_uint_eq(finals[1].answer.spa, spa_of(2));
	ck_assert_uint_eq(prm_resolver_n_waiting(resolver), 0);
}
END_TEST

START_TEST(too_many_at_a_time_are_not_pending)
{
	size_t pending = 0, given = 0;

	fake_lock();
	fake.hold = true;
	fake_unlock();
	for (; given < PRM_RESOLVER_EVENTS_MAX + 100; given++) {
		while (store_writer_room(writer) == 0)
			(void)usleep(1000);
		pending += give(given);
	}
	ck_assert_uint_le(prm_resolver_n_waiting(resolver), PRM_RESOLVER_EVENTS_MAX);
	ck_assert_uint_lt(pending, given);
	fake_lock();
	fake.hold = false;
	fake_unlock();
	fake_release();
	wait_for(pending);
}
END_TEST

START_TEST(event_that_the_full_queue_refuses_is_canceled)
{
	struct event_answer answer = {0};
	struct event_question question = {.dpa = OPT_U64(1)};

	ck_assert(prm_resolver_expect(resolver, mapping, &question, &answer));
	ck_assert(prm_resolver_expect(resolver, mapping, &question, &answer));
	prm_resolver_cancel(resolver);
	ck_assert_uint_eq(prm_resolver_n_waiting(resolver), 1);
	prm_resolver_cancel(resolver);
	ck_assert_uint_eq(prm_resolver_n_waiting(resolver), 0);
	ck_assert(give(5));
	wait_for(1);
	ck_assert_uint_eq(finals[0].answer.spa, spa_of(5));
}
END_TEST

/* With the answer known when it was stored: the next start makes an entry of it. */
START_TEST(stop_does_not_wait_for_firmware)
{
	fake_lock();
	fake.hold = true;
	fake_unlock();
	ck_assert(give(4));
	fake_wait_for_ioctls(1);
	firmware_stop(m.firmware);
	/* It ends while firmware is held. */
	ck_assert(prm_resolver_stop(resolver, WAIT_MAX_MS));
}
END_TEST

SUITE(check_prm_resolver)
{
	Suite *suite = suite_create("asking firmware about events");
	TCase *t = tcase_create("resolver"), *usual = tcase_create("with the usual timeout");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, answer_of_firmware_finishes_the_event);
	tcase_add_test(t, answer_for_another_topology_is_not_used);
	tcase_add_test(t, duplicate_is_resolved_once);
	tcase_add_test(t, too_many_at_a_time_are_not_pending);
	tcase_add_test(t, event_that_the_full_queue_refuses_is_canceled);
	tcase_add_test(t, stop_does_not_wait_for_firmware);
	suite_add_tcase(suite, t);
	tcase_add_checked_fixture(usual, setup_usual, teardown);
	tcase_add_test(usual, firmware_that_hangs_delays_two_seconds_and_leaves_the_interval);
	suite_add_tcase(suite, usual);
	return suite;
}
