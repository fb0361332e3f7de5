// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cost of incidents when events are stored, in the given directory or one in $TMPDIR: time of
 * the processor for the same events, in turn as records that belong to no incident, to one of each
 * device, and to more places than a device has incidents for.
 *
 * Prints "stored us N same N places N", then "opened ms N read ms N incidents N" of the first and
 * of the last.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "tests/lib/store_util.h"

enum { BATCH = 256, BATCHES = 40, ROUNDS = 12, RECORDS_MAX = 10000000, OPENINGS = 5 };

static struct error error;

static void must(int r)
{
	if (r >= 0)
		return;
	(void)fprintf(stderr, "bench_incidents: %s\n", error.text);
	exit(EXIT_FAILURE);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void as_repair(struct stored_event *ev, uint64_t i)
{
	(void)i;
	ev->record.type = EVENT_MEMORY_SPARING;
}

static void as_error(struct stored_event *ev, uint64_t place)
{
	struct event_record *rec = &ev->record;

	rec->number[FIELD_TYPE] = 0;
	rec->present |= UINT64_C(1) << FIELD_SUB_TYPE;
	rec->number[FIELD_CHANNEL] = place & 7;
	rec->number[FIELD_RANK] = place >> 3 & 3;
	rec->number[FIELD_BANK_GROUP] = place >> 5 & 7;
	rec->number[FIELD_BANK] = place >> 8 & 3;
}

static void as_same(struct stored_event *ev, uint64_t i)
{
	(void)i;
	as_error(ev, 0);
}

static void as_places(struct stored_event *ev, uint64_t i)
{
	as_error(ev, made_random(i));
}

static const struct {
	const char *name;
	void (*change)(struct stored_event *ev, uint64_t i);
} kinds[] = {{"stored", as_repair}, {"same", as_same}, {"places", as_places}};

static double append(struct store *s, size_t kind, uint64_t first)
{
	static struct stored_event events[BATCH];
	double begun, spent = 0;

	for (uint64_t i = 0; i < BATCHES; i++) {
		for (size_t k = 0; k < BATCH; k++) {
			made_event(first + i * BATCH + k, &events[k]);
			kinds[kind].change(&events[k], first + i * BATCH + k);
		}
		begun = seconds(CLOCK_THREAD_CPUTIME_ID);
		must(store_append(s, events, BATCH, &error));
		spent += seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
	}
	return spent;
}

static int count(void *userdata, const struct incident *i)
{
	(void)i;
	++*(size_t *)userdata;
	return 0;
}

/* Return: the shortest of some, in milliseconds. */
static double opening_ms(const struct store_options *o)
{
	double best = 0;

	for (unsigned int i = 0; i < OPENINGS; i++) {
		const double begun = seconds(CLOCK_MONOTONIC);
		struct store *s;
		double ms;

		must(store_open(o, &s, &error));
		ms = (seconds(CLOCK_MONOTONIC) - begun) * 1e3;
		best = i == 0 || ms < best ? ms : best;
		(void)store_close(s);
	}
	return best;
}

static void print_reading(const char *path)
{
	const struct store_options o = {.path = path, .max_records = RECORDS_MAX};
	struct store_reader *r;
	struct store *s;
	double begun;
	size_t n = 0;

	(void)printf(" opened ms %.2f", opening_ms(&o));
	must(store_open(&o, &s, &error));
	begun = seconds(CLOCK_MONOTONIC);
	must(store_reader_open(path, &r, &error));
	must(store_read_incidents(r, false, count, &n, &error));
	(void)printf(" read ms %.2f incidents %zu", (seconds(CLOCK_MONOTONIC) - begun) * 1e3, n);
	(void)store_reader_close(r);
	(void)store_close(s);
}

int main(int argc, char **argv)
{
	char directory[256], path[ARRAY_SIZE(kinds)][320], command[300];
	const char *base = argc > 1 ? argv[1] : getenv("TMPDIR");
	struct store_options o = {.max_records = RECORDS_MAX};
	struct store *stores[ARRAY_SIZE(kinds)];
	double spent[ARRAY_SIZE(kinds)] = {0};

	(void)snprintf(directory, sizeof(directory), "%s/bench-incidents.XXXXXX",
		       base ? base : "/tmp");
	if (!mkdtemp(directory)) {
		perror(directory);
		return EXIT_FAILURE;
	}
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		(void)snprintf(path[k], sizeof(path[k]), "%s/%s.db", directory, kinds[k].name);
		o.path = path[k];
		must(store_open(&o, &stores[k], &error));
	}
	for (uint64_t i = 0; i < ROUNDS; i++)
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
			spent[k] += append(stores[k], k, i * BATCH * BATCHES);
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		(void)printf("%s%s %.3f", k ? " " : "", k ? kinds[k].name : "stored us",
			     spent[k] * 1e6 / ROUNDS / BATCHES / BATCH);
		(void)store_close(stores[k]);
	}
	print_reading(path[0]); /* it has none */
	print_reading(path[ARRAY_SIZE(kinds) - 1]);
	(void)printf("\n");
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return system(command) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
