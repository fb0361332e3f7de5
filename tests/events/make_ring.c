// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Fills the trace ring of an unpacked captured host with generated records:
 *
 *	make_ring HOST N
 *
 * N general media events on four CPUs, each a copy of the first one of the host with an address, a
 * handle and a time of its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/replay.h"
#include "tests/lib/events_util.h"

enum { CPUS = 4, PAGE = 4096, PAGE_EVENT_MAX = 512 };

struct template
{
	struct event_record rec;
	unsigned dpa, handle, timestamp; /* offsets */
};

static void keep_first(const struct event_record *rec, void *userdata)
{
	struct template *t = userdata;

	if (!t->rec.payload_len && rec->type == EVENT_GENERAL_MEDIA)
		t->rec = *rec;
}

static unsigned offset_of(const char *format, const char *field)
{
	const char *at = strstr(format, field);

	return at ? (unsigned)strtoul(at + strlen(field), NULL, 10) : 0;
}

static int read_template(int events, struct template *ret)
{
	_cleanup_free_ char *text = NULL;
	struct event_counts counts;
	struct error e = {0};

	if (event_replay(events, keep_first, ret, &counts, &e) < 0 || !ret->rec.payload_len ||
	    read_file_at(events, "formats/cxl_general_media.format", 1 << 20, &text, NULL) < 0) {
		fprintf(stderr, "make_ring: %s\n", e.text);
		return -1;
	}
	ret->dpa = offset_of(text, " dpa;\toffset:");
	ret->handle = offset_of(text, " hdr_handle;\toffset:");
	ret->timestamp = offset_of(text, " hdr_timestamp;\toffset:");
	return 0;
}

static void add_event(struct page *p, struct template *t, uint64_t i)
{
	const uint64_t dpa = i * 64 % (128 << 20), timestamp = UINT64_C(1700000000000000000) + i;
	const uint16_t handle = (uint16_t)i;

	memcpy(t->rec.payload + t->dpa, &dpa, sizeof(dpa));
	memcpy(t->rec.payload + t->handle, &handle, sizeof(handle));
	memcpy(t->rec.payload + t->timestamp, &timestamp, sizeof(timestamp));
	page_event(p, 1000, t->rec.payload, t->rec.payload_len);
}

static void write_cpu(int events, struct template *t, unsigned cpu, uint64_t n)
{
	_cleanup_fclose_ FILE *out = NULL;
	struct page p;
	char name[32];

	(void)snprintf(name, sizeof(name), "raw.cpu%u", cpu);
	out = fdopen(openat(events, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), "w");
	if (!out)
		exit(EXIT_FAILURE);
	for (uint64_t i = 0; i < n;) {
		page_begin(&p, UINT64_C(20000000000) + i * 1000);
		for (; i < n && p.at + PAGE_EVENT_MAX < PAGE; i++)
			add_event(&p, t, i * CPUS + cpu);
		page_end(&p, 0);
		(void)fwrite(p.bytes, PAGE, 1, out);
	}
}

int main(int argc, char **argv)
{
	static struct template t;
	char path[4096];
	uint64_t n;
	int events;

	if (argc != 3)
		return EXIT_FAILURE;
	n = strtoull(argv[2], NULL, 10);
	(void)snprintf(path, sizeof(path), "%s/events", argv[1]);
	events = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (events < 0 || read_template(events, &t) < 0)
		return EXIT_FAILURE;
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		write_cpu(events, &t, cpu, n / CPUS + (cpu < n % CPUS));
	(void)close(events);
	return EXIT_SUCCESS;
}
