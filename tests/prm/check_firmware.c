// SPDX-License-Identifier: LGPL-2.1-or-later
/* The firmware of /dev/cxl_prm: its queries, its cache, and several threads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/firmware_util.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/suites.h"

START_TEST(a_chunk_is_queried_once)
{
	struct firmware_answer a;

	client_start();
	ck_assert(!peek(1, 0x1040, &a));
	expect_answer(a, FIRMWARE_NOT_QUERIED, "has not been queried");
	expect_spa(client_query(1, 0x1040), FAKE_BASE + 0x2140);
	expect_spa(client_query(1, 0x10ff), FAKE_BASE + 0x21ff);
	ck_assert(peek(1, 0x1000, &a));
	expect_spa(a, FAKE_BASE + 0x2100);
	ck_assert(!peek(0, 0x1040, &a));
	ck_assert(!peek(1, 0x1100, &a));
	ck_assert_uint_eq(fake.calls, 1);
	fake_wait_until_quick(firmware);
	ck_assert_int_eq(state("answers through"), FIRMWARE_READY);
}
END_TEST

START_TEST(invalidation_drops_cached_answers)
{
	struct firmware_answer a;

	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	firmware_invalidate(firmware);
	ck_assert(!peek(0, 0, &a));
	expect_spa(client_query(0, 0), FAKE_BASE);
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

/* As devtmpfs does: another node under the same name. */
static void make_node_again(void)
{
	char other[sizeof(fake.path) + 8];
	int fd;

	(void)snprintf(other, sizeof(other), "%s.again", fake.path);
	fd = open(other, O_CREAT | O_EXCL | O_RDWR, 0600);
	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	ck_assert_int_eq(rename(other, fake.path), 0);
}

START_TEST(loading_the_module_again_drops_cached_answers)
{
	struct firmware_answer a;

	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	firmware_refresh(firmware);
	ck_assert(peek(0, 0, &a));
	make_node_again();
	firmware_refresh(firmware);
	ck_assert(!peek(0, 0, &a));
}
END_TEST

START_TEST(statistics_that_begin_anew_drop_cached_answers)
{
	struct firmware_answer a;

	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	firmware_refresh(firmware);
	ck_assert(peek(0, 0, &a));
	fake.calls = 0;
	firmware_refresh(firmware);
	ck_assert(!peek(0, 0, &a));
}
END_TEST

/* More than the test itself may take. */
enum { MINUTES_MS = 30 * 60 * 1000 };

START_TEST(cached_answers_have_an_age)
{
	struct firmware_answer a;

	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	pass_monotonic_ms(FIRMWARE_CACHE_AGE_MS - MINUTES_MS);
	firmware_refresh(firmware);
	ck_assert(peek(0, 0, &a));
	pass_monotonic_ms(MINUTES_MS + 1);
	firmware_refresh(firmware);
	ck_assert(!peek(0, 0, &a));
	/* The new cache has a new age. */
	expect_spa(client_query(0, 0), FAKE_BASE);
	firmware_refresh(firmware);
	ck_assert(peek(0, 0, &a));
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(a_batch_is_one_ioctl_and_queries_each_chunk_once)
{
	struct firmware_query q[FIRMWARE_BATCH_MAX];
	struct firmware_answer a[FIRMWARE_BATCH_MAX];

	client_start();
	for (size_t i = 0; i < FIRMWARE_BATCH_MAX; i++)
		q[i] = query_of(0, i * 128);
	firmware_translate(firmware, q, FIRMWARE_BATCH_MAX, &client_timeout, a);
	for (size_t i = 0; i < FIRMWARE_BATCH_MAX; i++)
		expect_spa(a[i], FAKE_BASE + i / 2 * 512 + i % 2 * 128);
	ck_assert_uint_eq(fake.ioctls, 1);
	ck_assert_uint_eq(fake.calls, FIRMWARE_BATCH_MAX / 2);
	firmware_translate_uncached(firmware, q, FIRMWARE_BATCH_MAX, &client_timeout, a);
	expect_spa(a[1], FAKE_BASE + 128);
	ck_assert_uint_eq(fake.ioctls, 2);
	ck_assert_uint_eq(fake.calls, FIRMWARE_BATCH_MAX * 3 / 2);
}
END_TEST

static void *ask_one(void *arg)
{
	struct firmware_answer *ret = arg;
	struct firmware_timeout mine = {.call_ms = 60000};
	struct firmware_query q = query_of(1, 0x1000 + ret->queried_dpa);

	firmware_translate(firmware, &q, 1, &mine, ret);
	return NULL;
}

START_TEST(stopping_releases_all_waiters)
{
	struct firmware_answer a = {.queried_dpa = 0};
	pthread_t thread;

	fake.hold = true;
	client_start();
	ck_assert_int_eq(pthread_create(&thread, NULL, ask_one, &a), 0);
	fake_wait_for_ioctls(1);
	firmware_stop(firmware);
	pthread_join(thread, NULL);
	expect_answer(a, FIRMWARE_UNAVAILABLE, "shutting down");
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "shutting down");
	ck_assert_int_eq(state("shutting down"), FIRMWARE_STOPPED);
	/* While its thread is still in firmware. */
	firmware = firmware_free(firmware);
	fake_release();
	(void)usleep(20000);
}
END_TEST

START_TEST(equal_queries_of_many_threads_are_sent_once)
{
	enum { THREADS = 16 };
	struct firmware_answer a[THREADS] = {0};
	struct firmware_status s;
	pthread_t threads[THREADS];

	fake.hold = true;
	client_start();
	for (size_t i = 0; i < THREADS; i++) {
		a[i].queried_dpa = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_one, &a[i]), 0);
	}
	do {
		(void)usleep(1000);
		firmware_status(firmware, &s);
	} while (s.coalesced < THREADS - 1);
	fake_release();
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		expect_spa(a[i], FAKE_BASE + 0x2100 + i);
	}
	ck_assert_uint_eq(fake.calls, 1);
}
END_TEST

START_TEST(answers_to_queries_before_an_invalidation_are_not_cached)
{
	struct firmware_answer a = {.queried_dpa = 0}, b;
	pthread_t thread;

	fake.hold = true;
	client_start();
	ck_assert_int_eq(pthread_create(&thread, NULL, ask_one, &a), 0);
	fake_wait_for_ioctls(1);
	firmware_invalidate(firmware);
	fake_release();
	pthread_join(thread, NULL);
	expect_spa(a, FAKE_BASE + 0x2100);
	ck_assert(!peek(1, 0x1000, &b));
}
END_TEST

static void *hammer(void *arg)
{
	struct firmware_timeout mine = {.call_ms = 60000, .bucket_ms = 60000};
	unsigned int seed = (unsigned int)(uintptr_t)arg;

	for (int i = 0; i < 2000; i++) {
		uint64_t dpa = (uint64_t)(rand_r(&seed) % 0x40000);
		struct firmware_query q = query_of((uint8_t)(dpa & 1), dpa);
		struct firmware_answer a;
		uint64_t spa;

		if (i % 500 == 499)
			firmware_invalidate(firmware);
		if (i % 2 || !firmware_peek(firmware, &q, &a))
			firmware_translate(firmware, &q, 1, &mine, &a);
		(void)fake_plain(q.bus, dpa, &spa);
		expect_spa(a, spa);
	}
	return NULL;
}

START_TEST(threads_get_their_own_answers)
{
	pthread_t threads[4];

	client_start();
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, hammer, (void *)(uintptr_t)(i + 1)), 0);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* Queries the chunks of device 0 from @first to before @end; all have an answer. */
static void query_chunks(uint64_t first, uint64_t end)
{
	struct firmware_query q[FIRMWARE_BATCH_MAX];
	struct firmware_answer a[FIRMWARE_BATCH_MAX];

	while (first < end) {
		size_t n = 0;

		for (; n < FIRMWARE_BATCH_MAX && first < end; n++)
			q[n] = query_of(0, 256 * first++);
		firmware_translate(firmware, q, n, &client_timeout, a);
		for (size_t i = 0; i < n; i++)
			ck_assert_int_eq(a[i].result, FIRMWARE_TRANSLATED);
	}
}

static size_t cached_chunks(void)
{
	struct firmware_status s;

	firmware_status(firmware, &s);
	return s.n_chunks;
}

START_TEST(the_cache_keeps_the_newest_up_to_its_limit)
{
	enum { BEYOND = 1000 };
	struct firmware_answer a;

	client_start();
	query_chunks(0, FIRMWARE_CHUNKS_MAX);
	ck_assert_uint_eq(cached_chunks(), FIRMWARE_CHUNKS_MAX);
	/* The first one is used, and so it stays. */
	ck_assert(peek(0, 0, &a));
	query_chunks(FIRMWARE_CHUNKS_MAX, FIRMWARE_CHUNKS_MAX + BEYOND);
	ck_assert_uint_eq(cached_chunks(), FIRMWARE_CHUNKS_MAX);
	for (uint64_t i = 0; i < 2 * BEYOND; i++)
		ck_assert_int_eq(peek(0, 256 * i, &a), i == 0 || i > BEYOND);
	firmware_invalidate(firmware);
	ck_assert_uint_eq(cached_chunks(), 0);
}
END_TEST

/* Three chunks have the SPA of the first. */
static int first_again(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return fake_plain(bus, dpa / 256 > FIRMWARE_CHUNKS_MAX ? dpa % 256 : dpa, ret_spa);
}

START_TEST(an_evicted_chunk_conflicts_with_no_other)
{
	const uint64_t second = 256 * (FIRMWARE_CHUNKS_MAX + UINT64_C(1));

	fake.rule = first_again;
	client_start();
	query_chunks(0, FIRMWARE_CHUNKS_MAX + 1);
	expect_spa(client_query(0, second), FAKE_BASE);
	ck_assert_int_eq(client_query(0, second + 256).result, FIRMWARE_SHARED);
}
END_TEST

START_TEST(a_million_lookups_cost_no_more_calls_than_there_are_chunks)
{
	uint64_t x = 1;

	client_start();
	for (int i = 0; i < 1000000; i++) {
		struct firmware_answer a;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		a = client_query(0, (x >> 33) % 0x40000);
		ck_assert(a.result == FIRMWARE_TRANSLATED);
	}
	ck_assert_uint_eq(fake.calls, 1024);
}
END_TEST

static const struct {
	const char *bdf;
	bool good;
	uint32_t segment;
	uint8_t bus, devfn;
} bdfs[] = {
	{"0000:0d:00.0", true, 0, 0x0d, 0},
	{"00ff:E2:1f.7", true, 255, 0xe2, 0xff},
	{"10000:01:02.3", true, 0x10000, 1, 0x13},
	{"0000:0d:20.0", false},
	{"0000:0d:00.8", false},
	{"0000:0d:00.0x", false},
	{"000:0d:00.0", false},
	{"0000:0d:00", false},
	{"0000-0d-00.0", false},
	{"123456789:0d:00.0", false},
	{"", false},
	{NULL, false},
};

START_TEST(a_query_is_parsed_from_a_pci_address)
{
	struct firmware_query q;

	ck_assert_int_eq(firmware_query_parse(bdfs[_i].bdf, &q), bdfs[_i].good ? 0 : -EINVAL);
	if (!bdfs[_i].good)
		return;
	ck_assert_uint_eq(q.segment, bdfs[_i].segment);
	ck_assert_uint_eq(q.bus, bdfs[_i].bus);
	ck_assert_uint_eq(q.devfn, bdfs[_i].devfn);
	ck_assert_uint_eq(q.dpa, 0);
}
END_TEST

SUITE(check_firmware)
{
	Suite *s = suite_create("firmware");
	TCase *t = tcase_create("client");

	tcase_add_checked_fixture(t, client_setup, client_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_chunk_is_queried_once);
	tcase_add_test(t, invalidation_drops_cached_answers);
	tcase_add_test(t, loading_the_module_again_drops_cached_answers);
	tcase_add_test(t, statistics_that_begin_anew_drop_cached_answers);
	tcase_add_test(t, cached_answers_have_an_age);
	tcase_add_test(t, a_batch_is_one_ioctl_and_queries_each_chunk_once);
	tcase_add_test(t, stopping_releases_all_waiters);
	tcase_add_test(t, equal_queries_of_many_threads_are_sent_once);
	tcase_add_test(t, answers_to_queries_before_an_invalidation_are_not_cached);
	tcase_add_test(t, threads_get_their_own_answers);
	tcase_add_test(t, the_cache_keeps_the_newest_up_to_its_limit);
	tcase_add_test(t, an_evicted_chunk_conflicts_with_no_other);
	tcase_add_test(t, a_million_lookups_cost_no_more_calls_than_there_are_chunks);
	tcase_add_loop_test(t, a_query_is_parsed_from_a_pci_address, 0, ARRAY_SIZE(bdfs));
	suite_add_tcase(s, t);
	return s;
}
