// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Entries per second from pages of a trace ring to the disk, each translated: bench_pipeline HOST
 * DIRECTORY (a captured host, and the directory of the store). The same as the daemon in a burst of
 * events: one thread reads, translates and queues while there is room, another one stores.
 *
 * Prints "records N rate/s N cpu-us N rss MIB bare/s N bare-cpu-us N", the last two of SQLite alone
 * (bench_bare_insert.h).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "events/event_fill.h"
#include "events/replay.h"
#include "events/store_writer.h"
#include "tests/bench/bench_bare_insert.h"
#include "tests/bench/ring_page.h"

enum { RECORDS = 200000, TEMPLATES_MAX = 64 };

static struct event_record templates[TEMPLATES_MAX];
static size_t n_templates;
static struct event_mapping *mapping;
static struct store_writer *writer;
static uint8_t boot[EVENT_BOOT_ID_SIZE];
static uint64_t n_seen;
static struct error e;

static void must(int r)
{
	if (r >= 0)
		return;
	(void)fprintf(stderr, "bench_pipeline: %s\n", e.text);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Return: the CPU time of all threads, in seconds. */
static double cpu(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void keep(const struct event_record *rec, void *userdata)
{
	(void)userdata;
	if (n_templates < TEMPLATES_MAX)
		templates[n_templates++] = *rec;
}

/* With different times they are different events. */
static void take(const struct event_record *rec, void *userdata)
{
	struct event_record own = *rec;
	struct stored_event ev;

	(void)userdata;
	own.time_ns = n_seen;
	if (event_number(rec, FIELD_HDR_TIMESTAMP).present)
		own.number[FIELD_HDR_TIMESTAMP] += n_seen;
	event_fill(mapping, boot, &own, &provenance_live, n_seen + 1, &ev, NULL);
	while (store_writer_room(writer) == 0)
		(void)usleep(100);
	must(store_writer_add(writer, &ev));
	n_seen++;
}

static void ignore(void *userdata, const struct stored_event *events, size_t n)
{
	(void)userdata;
	(void)events;
	(void)n;
}

static void ignore_finals(void *userdata, const struct store_final *finals, size_t n)
{
	(void)userdata;
	(void)finals;
	(void)n;
}

static void wait_until_stored(void)
{
	while (store_writer_room(writer) < STORE_QUEUE_MAX)
		(void)usleep(100);
}

static void open_all(const char *host_path, const char *directory, struct event_formats **ret)
{
	const struct store_callbacks callbacks = {.committed = ignore, .finished = ignore_finals};
	struct store_options options = {.max_records = RECORDS * 2};
	struct translator *translator;
	struct event_counts counts;
	struct host_root *root;
	const struct host *host;
	char path[512];
	int events;

	(void)snprintf(path, sizeof(path), "%s/events.db", directory);
	options.path = path;
	must(host_root_open(host_path, &root, &e));
	must(host_read(root, &host, &e));
	must(translator_new(host, NULL, &translator, &e));
	must(event_mapping_new(host, translator, &mapping, &e));
	must(store_writer_new(&options, &callbacks, &writer, &e));
	events = openat(root->dirfd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	must(event_replay(events, keep, NULL, &counts, &e));
	must(event_formats_load_captured(openat(events, "formats", O_RDONLY | O_CLOEXEC), ret, &e));
}

int main(int argc, char **argv)
{
	struct event_formats *formats;
	char store[512], bare_path[512];
	uint8_t page[RING_PAGE_BYTES];
	struct bare_insert bare;
	struct event_ring ring;
	struct rusage usage;
	double begun, used;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: bench_pipeline HOST DIRECTORY\n");
		return EXIT_FAILURE;
	}
	open_all(argv[1], argv[2], &formats);
	event_ring_init(&ring, formats, 0, "boot");
	begun = now();
	used = cpu();
	for (size_t n = 0; n_seen < RECORDS;) {
		n += ring_page_fill(page, templates, n_templates, n);
		must(event_ring_page(&ring, page, sizeof(page), take, NULL, &e));
	}
	wait_until_stored();
	begun = now() - begun;
	used = cpu() - used;
	(void)getrusage(RUSAGE_SELF, &usage);
	writer = store_writer_free(writer);
	(void)snprintf(store, sizeof(store), "%s/" STORE_FILE, argv[2]);
	(void)snprintf(bare_path, sizeof(bare_path), "%s/bare.db", argv[2]);
	bare = bare_insert(store, bare_path, STORE_BATCH_MAX, RECORDS);
	printf("records %llu rate/s %.0f cpu-us %.1f rss %.1f bare/s %.0f bare-cpu-us %.1f\n",
	       (unsigned long long)n_seen, (double)n_seen / begun, used / (double)n_seen * 1e6,
	       (double)usage.ru_maxrss / 1024, (double)bare.n / bare.wall_s,
	       bare.cpu_s / (double)bare.n * 1e6);
	event_formats_free(formats);
	return EXIT_SUCCESS;
}
