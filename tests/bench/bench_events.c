// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoded records per second from pages of a trace ring: bench_events DIRECTORY (a captured host's
 * events/). The pages are filled with the captured records, repeatedly. The reference is
 * libtraceevent as rasdaemon uses it: its kbuffer for the pages, and each field looked up by name.
 *
 * Prints "records N ours/s N theirs/s N".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <event-parse.h>
#include <kbuffer.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/replay.h"
#include "tests/bench/ring_page.h"

enum { N_PAGES = 256, ROUNDS = 40, RECORDS_MAX = 64 };

static struct event_record records[RECORDS_MAX];
static size_t n_records;
static uint8_t pages[N_PAGES][RING_PAGE_BYTES];
static uint64_t n_seen, sum;

static void keep(const struct event_record *rec, void *userdata)
{
	(void)userdata;
	if (n_records < RECORDS_MAX)
		records[n_records++] = *rec;
}

/* Fills the pages with the records in turn. Return: their number. */
static size_t fill_pages(void)
{
	size_t n = 0;

	for (size_t i = 0; i < N_PAGES; i++)
		n += ring_page_fill(pages[i], records, n_records, n);
	return n;
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void see(const struct event_record *rec, void *userdata)
{
	(void)userdata;
	n_seen++;
	sum += rec->present + rec->number[FIELD_DPA];
}

static void ours(const struct event_formats *formats)
{
	struct event_ring ring;

	event_ring_init(&ring, formats, 0, "boot");
	for (size_t i = 0; i < N_PAGES; i++)
		(void)event_ring_page(&ring, pages[i], RING_PAGE_BYTES, see, NULL, NULL);
}

static void their_record(struct tep_handle *tep, void *data, unsigned long long ts, int size)
{
	struct tep_record record = {.ts = ts, .data = data, .size = size};
	struct tep_event *event = tep_find_event_by_record(tep, &record);
	unsigned long long value;
	int len;

	if (!event)
		return;
	n_seen++;
	for (struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC))
			sum += (uintptr_t)tep_get_field_raw(NULL, event, f->name, &record, &len, 0);
		else if (tep_get_field_val(NULL, event, f->name, &record, &value, 0) == 0)
			sum += value;
	}
}

static void theirs(struct tep_handle *tep)
{
	struct kbuffer *kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	unsigned long long ts;
	void *data;

	for (size_t i = 0; i < N_PAGES; i++) {
		(void)kbuffer_load_subbuffer(kbuf, pages[i]);
		for (data = kbuffer_read_event(kbuf, &ts); data;
		     data = kbuffer_next_event(kbuf, &ts))
			their_record(tep, data, ts, kbuffer_event_size(kbuf));
	}
	kbuffer_free(kbuf);
}

static void load_theirs(struct tep_handle *tep, int formats)
{
	for (size_t i = 0; i < n_records; i++) {
		_cleanup_free_ char *text = NULL;
		char path[EVENT_NAME_MAX + 16];
		size_t len;

		(void)snprintf(path, sizeof(path), "%s.format", records[i].event);
		if (tep_find_event_by_name(tep, "cxl", records[i].event) ||
		    read_file_at(formats, path, FORMAT_BYTES_MAX, &text, &len) < 0)
			continue;
		(void)tep_parse_event(tep, text, len, "cxl");
	}
}

int main(int argc, char **argv)
{
	const int dirfd = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	const int formats_fd = openat(dirfd, "formats", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct event_formats *formats;
	struct tep_handle *tep = tep_alloc();
	struct event_counts counts;
	struct error e = {0};
	double t, best[2] = {1e9, 1e9};
	size_t n;

	if (formats_fd < 0 || !tep || event_replay(dirfd, keep, NULL, &counts, &e) < 0 ||
	    event_formats_load_captured(formats_fd, &formats, &e) < 0 || n_records == 0) {
		fprintf(stderr, "usage: bench_events DIRECTORY %s\n", e.text);
		return 1;
	}
	load_theirs(tep, formats_fd);
	n = fill_pages();
	for (int round = 0; round < ROUNDS; round++) {
		t = now();
		ours(formats);
		t = now() - t;
		best[0] = t < best[0] ? t : best[0];
		t = now();
		theirs(tep);
		t = now() - t;
		best[1] = t < best[1] ? t : best[1];
	}
	if (n_seen != 2 * ROUNDS * n) {
		fprintf(stderr, "bench_events: not all records were read\n");
		return 1;
	}
	printf("records %zu ours/s %.0f theirs/s %.0f\n", n, (double)n / best[0],
	       (double)n / best[1]);
	event_formats_free(formats);
	tep_free(tep);
	return sum == 1;
}
