// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The store with a million entries, in the given directory or one in $TMPDIR: records per second
 * with all indexes, each batch on the disk before the next is begun, and the time for a page of 100
 * by its key and by each filter, at a hundred random positions: median and maximum. The first page,
 * which also opens the file, is not counted. "bare" is SQLite alone: the same rows inserted into
 * the same tables and indexes, and a page of 100 rows by their number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "tests/bench/bench_bare_insert.h"
#include "tests/lib/store_util.h"

enum { ENTRIES = 1000000, BATCH = 256, PAGE = 100, ROUNDS = 100, BARE_ENTRIES = 200000 };

static struct error error;

static void must(int r)
{
	if (r >= 0)
		return;
	(void)fprintf(stderr, "bench_store: %s\n", error.text);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Return: records per second. */
static double append(struct store *s, uint64_t first, uint64_t n, size_t batch)
{
	static struct stored_event events[BATCH];
	double begun = now();

	for (uint64_t i = 0; i < n; i += batch) {
		for (size_t k = 0; k < batch; k++)
			made_event(first + i + k, &events[k]);
		must(store_append(s, events, batch, &error));
	}
	return (double)n / (now() - begun);
}

static int count(void *userdata, const struct stored_event *event)
{
	(void)event;
	++*(size_t *)userdata;
	return 0;
}

static double page_ms(struct store_reader *r, const struct event_filter *f, uint64_t from,
		      bool backwards)
{
	struct event_page page = {.from = from, .backwards = backwards, .max = PAGE};
	double begun = now();
	size_t n = 0;

	must(store_read_page(r, f, &page, count, &n, &error));
	return (now() - begun) * 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void time_pages(struct store_reader *r, const struct event_filter *f,
		       double ms[static ROUNDS])
{
	(void)page_ms(r, f, 0, true);
	for (uint64_t i = 0; i < ROUNDS; i++)
		ms[i] = page_ms(r, f, made_random(i) % ENTRIES, i % 2);
	qsort(ms, ROUNDS, sizeof(*ms), compare);
}

static double count_ms(struct store_reader *r, const struct event_filter *f, uint64_t *ret_n)
{
	double begun = now();

	must(store_count(r, f, ret_n, &error));
	return (now() - begun) * 1e3;
}

#define SPA(at, size)                                                                              \
	.has_spa = true, .spa_first = MADE_SPA + (at), .spa_last = MADE_SPA + (at) + (size)-1
#define TIME(at, n)                                                                                \
	.created_first = OPT_U64(MADE_TIME + (at)*UINT64_C(1000000)),                              \
	.created_last = OPT_U64(MADE_TIME + ((at) + (n)-1) * UINT64_C(1000000))

static const struct {
	const char *name;
	struct event_filter filter;
} filters[] = {
	{"key", {0}},
	{"device", {.device = "cxl-3"}},
	{"critical", {.severities = 1 << EVENT_CRITICAL}},
	{"critical-device", {.device = "cxl-3", .severities = 1 << EVENT_CRITICAL}},
	{"time-minute", {TIME(500000, 60000)}},
	{"time-half", {TIME(0, ENTRIES / 2)}},
	{"spa-4KiB", {SPA(UINT64_C(1) << 30, 4096)}},
	{"spa-256MiB", {SPA(UINT64_C(1) << 30, UINT64_C(256) << 20)}},
	{"spa-4GiB", {SPA(UINT64_C(1) << 30, UINT64_C(4) << 30)}},
	{"spa-half", {SPA(0, UINT64_C(32) << 30)}},
	{"spa-device-critical",
	 {SPA(0, UINT64_C(32) << 30), .device = "cxl-3", .severities = 1 << EVENT_CRITICAL}},
};

static void read_pages(struct store_reader *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		const struct event_filter *f = &filters[i].filter;
		double counted, ms[ROUNDS];
		uint64_t n;

		time_pages(r, f, ms);
		counted = count_ms(r, f, &n);
		printf("page %s entries %" PRIu64 " median %.2f slowest %.2f count %.2f\n",
		       filters[i].name, n, ms[ROUNDS / 2], ms[ROUNDS - 1], counted);
	}
}

static double rss_mib(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static double clear_rate(struct store *s)
{
	uint64_t next = store_next(s);
	double begun = now();
	bool more = true;

	while (more)
		must(store_clear(s, NULL, next, &more, &error));
	return ENTRIES / (now() - begun);
}

static void remove_file(const char *file)
{
	static const char *const ends[] = {"", "-wal", "-shm", ".lock"};
	char name[340];

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", file, ends[i]);
		(void)remove(name);
	}
}

int main(int argc, char **argv)
{
	char directory[256], path[320], bare_path[320];
	const char *base = argc > 1 ? argv[1] : getenv("TMPDIR");
	struct store_options o = {.path = path, .max_records = 2 * ENTRIES};
	struct bare_insert bare;
	struct store_reader *r;
	const double start_mib = rss_mib();
	struct store *s;

	(void)snprintf(directory, sizeof(directory), "%s/bench-store.XXXXXX", base ? base : "/tmp");
	if (!mkdtemp(directory)) {
		perror(directory);
		return EXIT_FAILURE;
	}
	(void)snprintf(path, sizeof(path), "%s/events.db", directory);
	must(store_open(&o, &s, &error));
	printf("append batch 1 rate %.0f\n", append(s, 10 * ENTRIES, 256, 1));
	printf("append batch 16 rate %.0f\n", append(s, 11 * ENTRIES, 4096, 16));
	printf("append batch %d rate %.0f\n", BATCH, append(s, 0, ENTRIES / BATCH * BATCH, BATCH));
	printf("rss %.1f start %.1f\n", rss_mib(), start_mib);
	(void)snprintf(bare_path, sizeof(bare_path), "%s/bare.db", directory);
	bare = bare_insert(path, bare_path, BATCH, BARE_ENTRIES);
	printf("bare rate %.0f page %.2f\n", (double)bare.n / bare.wall_s, bare_page_ms(bare_path));
	must(store_reader_open(path, &r, &error));
	read_pages(r);
	(void)store_reader_close(r);
	printf("clear rate %.0f\n", clear_rate(s));
	(void)store_close(s);
	remove_file(path);
	remove_file(bare_path);
	(void)remove(directory);
	return EXIT_SUCCESS;
}
