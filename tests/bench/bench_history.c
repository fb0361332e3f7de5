// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The history of 1,024 devices: bench_history DIRECTORY DAYS. Temperatures change with every
 * sample, one device in ten corrects errors all the time, some samples are missing. Prints the
 * bytes of the file after the first day and after the last one, and the CPU time of a sample of all
 * devices; then bytes and CPU time of a bare file to which the same values are added as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "redfish/state/history.h"

enum { DEVICES = 1024, INTERVAL_S = 600, STORMS = 10, GAPS = 100 };
#define FIRST_S (UINT64_C(20784) * HISTORY_DAY_S)

/* The same numbers in each run. */
static uint32_t next_random(uint32_t below)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(state >> 33) % below;
}

static void fail(const char *what)
{
	(void)fprintf(stderr, "bench_history: %s\n", what);
	exit(EXIT_FAILURE);
}

static void init_devices(struct history_reading devices[static DEVICES])
{
	for (unsigned int i = 0; i < DEVICES; i++) {
		struct history_sample *s = &devices[i].sample;

		(void)snprintf(devices[i].device, sizeof(devices[i].device), "cxl-%016x", i + 1);
		history_set(s, HISTORY_TEMPERATURE, 40);
		history_set(s, HISTORY_LIFE_USED, 3);
		history_set(s, HISTORY_CORRECTED_VOLATILE, 0);
		history_set(s, HISTORY_CORRECTED_PERSISTENT, 0);
		history_set(s, HISTORY_DIRTY_SHUTDOWNS, 2);
		history_set(s, HISTORY_LINK_WIDTH, 16);
		history_set(s, HISTORY_LINK_SPEED, 320);
	}
}

/* The readings of an interval, without those of devices that did not answer. */
static void read_devices(struct history_reading devices[static DEVICES],
			 struct history_readings *ret)
{
	ret->n = 0;
	for (unsigned int i = 0; i < DEVICES; i++) {
		struct history_sample *s = &devices[i].sample;
		struct history_reading *to;

		s->values[HISTORY_TEMPERATURE] += next_random(5) - INT64_C(2);
		if (i % STORMS == 0)
			s->values[HISTORY_CORRECTED_VOLATILE] += next_random(200);
		else if (next_random(50) == 0)
			s->values[HISTORY_CORRECTED_VOLATILE]++;
		if (next_random(GAPS) == 0)
			continue;
		to = history_readings_add(ret);
		if (!to)
			fail("out of memory");
		*to = devices[i];
	}
}

static void write_bare(FILE *bare, const struct history_readings *readings)
{
	for (size_t i = 0; i < readings->n; i++)
		(void)fwrite(readings->items[i].sample.values,
			     sizeof(readings->items[i].sample.values), 1, bare);
	if (fflush(bare) != 0)
		fail("the bare file cannot be written");
}

static long long bytes_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		fail("the history has no file");
	return st.st_size;
}

static double cpu_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static const struct history_limits limits = {INTERVAL_S, 30};
	static struct history_reading devices[DEVICES];
	const unsigned int days = argc == 3 ? (unsigned int)atoi(argv[2]) : 0;
	const uint64_t end_s = FIRST_S + (uint64_t)days * HISTORY_DAY_S;
	struct history_readings readings = {0};
	struct history *history;
	struct error e = {0};
	long long first = 0;
	char path[512], bare_path[520];
	double spent_s = 0, bare_s = 0;
	FILE *bare;

	if (days == 0)
		fail("usage: bench_history DIRECTORY DAYS");
	(void)snprintf(path, sizeof(path), "%s/" HISTORY_FILE, argv[1]);
	if (history_new(path, &limits, &history, &e) < 0)
		fail(e.text);
	(void)snprintf(bare_path, sizeof(bare_path), "%s.bare", path);
	bare = fopen(bare_path, "w");
	if (!bare)
		fail("the bare file cannot be made");
	init_devices(devices);
	for (uint64_t at_s = FIRST_S; at_s < end_s; at_s += INTERVAL_S) {
		double begin_s;

		read_devices(devices, &readings);
		begin_s = cpu_s();
		if (history_write(history, at_s, at_s, &readings, &e) < 0)
			fail(e.text);
		spent_s += cpu_s() - begin_s;
		begin_s = cpu_s();
		write_bare(bare, &readings);
		bare_s += cpu_s() - begin_s;
		if (at_s == FIRST_S + HISTORY_DAY_S - INTERVAL_S)
			first = bytes_of(path);
	}
	(void)fclose(bare);
	(void)printf("first %lld last %lld cpu-ms %.3f", first, bytes_of(path),
		     spent_s * 1000 * INTERVAL_S / (double)(end_s - FIRST_S));
	(void)printf(" bare %lld bare-cpu-ms %.3f\n", bytes_of(bare_path),
		     bare_s * 1000 * INTERVAL_S / (double)(end_s - FIRST_S));
	history_readings_done(&readings);
	(void)history_free(history);
	return EXIT_SUCCESS;
}
