// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The effect of the cache of firmware's answers: the number of calls for a million lookups of
 * random DPAs in 256 KiB, and lookups per second with all chunks cached (warm), with each chunk
 * queried alone (cold) and with 256 in one query (batch).
 *
 *	bench_firmware			a fake module that answers at once
 *	bench_firmware DEVICE BDF	the module, for the first 256 KiB of that memory device. Its
 *					rate= must not be the limiting factor
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prm/firmware.h"
#include "tests/lib/fake_module.h"

enum { LOOKUPS = 1000000, AREA = 256 * 1024, CHUNK = 256, CHUNKS = AREA / CHUNK };

static struct firmware_timeout timeout = {.call_ms = 60000};
static struct firmware_query memdev;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(bool good, const char *why)
{
	if (good)
		return;
	(void)fprintf(stderr, "bench_firmware: %s\n", why);
	exit(EXIT_FAILURE);
}

static void must_be_answered(const struct firmware_answer *a)
{
	char text[FIRMWARE_TEXT_MAX];

	firmware_answer_text(a, text);
	must(a->result == FIRMWARE_TRANSLATED, text);
}

static struct firmware_query question(uint64_t dpa)
{
	struct firmware_query q = memdev;

	q.dpa = dpa;
	return q;
}

static void ask(struct firmware *f, uint64_t dpa)
{
	struct firmware_query q = question(dpa);
	struct firmware_answer a;

	firmware_translate(f, &q, 1, &timeout, &a);
	must_be_answered(&a);
}

static uint64_t n_queried(struct firmware *f)
{
	struct firmware_status status;

	firmware_status(f, &status);
	return status.queried;
}

static double random_lookups(struct firmware *f)
{
	double begun = now();
	uint64_t x = 1;

	for (int i = 0; i < LOOKUPS; i++) {
		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		ask(f, (x >> 33) % AREA);
	}
	return LOOKUPS / (now() - begun);
}

static double each_chunk(struct firmware *f)
{
	double begun = now();

	for (uint64_t i = 0; i < CHUNKS; i++)
		ask(f, i * CHUNK);
	return CHUNKS / (now() - begun);
}

static double in_batches(struct firmware *f)
{
	struct firmware_query q[FIRMWARE_BATCH_MAX];
	struct firmware_answer a[FIRMWARE_BATCH_MAX];
	double begun = now();

	for (uint64_t i = 0; i < CHUNKS; i += FIRMWARE_BATCH_MAX) {
		for (uint64_t k = 0; k < FIRMWARE_BATCH_MAX; k++)
			q[k] = question((i + k) * CHUNK);
		firmware_translate(f, q, FIRMWARE_BATCH_MAX, &timeout, a);
		for (uint64_t k = 0; k < FIRMWARE_BATCH_MAX; k++)
			must_be_answered(&a[k]);
	}
	return CHUNKS / (now() - begun);
}

static void measure(struct firmware *f)
{
	double cold, warm, batch;
	uint64_t calls;

	(void)random_lookups(f);
	calls = n_queried(f);
	warm = random_lookups(f);
	must(n_queried(f) == calls, "a cached chunk was queried again");
	firmware_invalidate(f);
	cold = each_chunk(f);
	firmware_invalidate(f);
	batch = in_batches(f);
	must(n_queried(f) == calls + 2 * CHUNKS, "an invalidated chunk was not queried");
	printf("firmware lookups %d calls %llu warm/s %.0f cold/s %.0f batch/s %.0f\n", LOOKUPS,
	       (unsigned long long)calls, warm, cold, batch);
}

int main(int argc, char **argv)
{
	const char *path = argc == 3 ? argv[1] : fake.path;
	struct firmware *f;

	must(argc == 1 || argc == 3, "usage: bench_firmware [DEVICE BDF]");
	if (argc == 1)
		fake_setup();
	else
		must(firmware_query_parse(argv[2], &memdev) == 0, "not a PCI address");
	must(firmware_new(path, &f) == 0, "out of memory");
	measure(f);
	(void)firmware_free(f);
	if (argc == 1)
		fake_teardown();
	return EXIT_SUCCESS;
}
