// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the cache in front of firmware saves, on a fake module that answers at once: how many calls
 * a million lookups of random DPAs in 256 KiB cost, and lookups per second with all of them cached
 * (warm), with each chunk asked by itself (cold) and by 256 at once (batch).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prm/firmware.h"
#include "tests/fake_module.h"

enum { LOOKUPS = 1000000, AREA = 256 * 1024, CHUNK = 256, CHUNKS = AREA / CHUNK };

static struct firmware_patience patience = {.call_ms = 60000};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(bool good)
{
	if (good)
		return;
	(void)fputs("bench_firmware: firmware did not answer\n", stderr);
	exit(EXIT_FAILURE);
}

static void ask(struct firmware *f, uint64_t dpa)
{
	struct firmware_question q = {.dpa = dpa};
	struct firmware_answer a;

	firmware_ask(f, &q, 1, &patience, &a);
	must(a.result == FIRMWARE_TRANSLATED);
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
	struct firmware_question q[FIRMWARE_BATCH_MAX];
	struct firmware_answer a[FIRMWARE_BATCH_MAX];
	double begun = now();

	for (uint64_t i = 0; i < CHUNKS; i += FIRMWARE_BATCH_MAX) {
		for (uint64_t k = 0; k < FIRMWARE_BATCH_MAX; k++)
			q[k] = (struct firmware_question){.dpa = (i + k) * CHUNK};
		firmware_ask(f, q, FIRMWARE_BATCH_MAX, &patience, a);
		must(a[0].result == FIRMWARE_TRANSLATED);
	}
	return CHUNKS / (now() - begun);
}

int main(void)
{
	double cold, warm, batch;
	struct firmware *f;
	size_t calls;

	fake_setup();
	must(firmware_new(fake.path, &f) == 0);
	(void)random_lookups(f);
	calls = fake.calls;
	warm = random_lookups(f);
	must(fake.calls == calls);
	firmware_forget(f);
	cold = each_chunk(f);
	firmware_forget(f);
	batch = in_batches(f);
	printf("firmware lookups %d calls %zu warm/s %.0f cold/s %.0f batch/s %.0f\n", LOOKUPS,
	       calls, warm, cold, batch);
	(void)firmware_free(f);
	fake_teardown();
	return EXIT_SUCCESS;
}
