// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints trace records as text, one per line, with all of their values:
 *
 *	dump_events HOST	the raw pages of a captured host
 *	dump_events		this machine's trace instance, until it has no record for a second
 *
 * Exit status: 0; 1 when they cannot be read, or a page is damaged.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "events/instance.h"
#include "events/replay.h"

DEFINE_CLEANUP(struct event_instance, event_instance_close);

static void print_bytes(const struct event_record *rec, enum event_bytes which)
{
	size_t len;
	const uint8_t *bytes = event_bytes(rec, which, &len);

	if (!bytes)
		return;
	printf(" %s=", event_bytes_name(which));
	for (size_t i = 0; i < len; i++)
		printf("%02x", bytes[i]);
}

static void print_record(const struct event_record *rec, void *userdata)
{
	(void)userdata;
	printf("%s %s cpu=%u time=%" PRIu64, event_type_name(rec->type), rec->event, rec->cpu,
	       rec->time_ns);
	if (rec->repeat)
		printf(" repeat=%u", rec->repeat);
	if (rec->clock[0])
		printf(" clock=%s", rec->clock);
	if (rec->wall_ns.present)
		printf(" wall=%" PRIu64, rec->wall_ns.value);
	if (rec->type == EVENT_LOST && rec->lost.present)
		printf(" lost=%" PRIu64, rec->lost.value);
	printf(" memdev=%s host=%s region=%s", rec->memdev, rec->host, rec->region);
	for (unsigned i = 0; i < EVENT_FIELDS; i++) {
		if (!event_number(rec, i).present)
			continue;
		if (event_field_is_signed(i))
			printf(" %s=%" PRId64, event_field_name(i), event_number_signed(rec, i));
		else
			printf(" %s=%#" PRIx64, event_field_name(i), rec->number[i]);
	}
	for (unsigned i = 0; i < EVENT_BYTES; i++)
		print_bytes(rec, i);
	printf(" payload=%u%s%s\n", rec->payload_whole, rec->other_fields[0] ? " : " : "",
	       rec->other_fields);
}

static int replay(const char *path, struct error *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct event_counts counts = {0};
	int r;

	if (fd < 0)
		return error_set(e, errno, "%s: %s", path, strerror(errno));
	r = event_replay(fd, print_record, NULL, &counts, e);
	fprintf(stderr,
		"%" PRIu64 " pages, %" PRIu64 " records, %" PRIu64 " of other systems, %" PRIu64
		" gaps, %" PRIu64 " damaged\n",
		counts.pages, counts.records, counts.foreign, counts.gaps, counts.damaged);
	return r;
}

static int follow(const char *path, struct error *e)
{
	_cleanup_(event_instance_closep) struct event_instance *in = NULL;
	_cleanup_free_ struct pollfd *fds = NULL;
	size_t n;
	int r;

	r = event_instance_open(path, NULL, &in, e);
	if (r == 0)
		r = event_instance_check(in, e);
	if (r < 0)
		return r;
	n = event_instance_pipes(in);
	fds = calloc(n, sizeof(*fds));
	if (!fds)
		return error_set(e, ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = event_instance_fd(in, i), .events = POLLIN};
	while (r == 0 && poll(fds, n, 1000) > 0)
		for (size_t i = 0; i < n && r == 0; i++)
			if (fds[i].revents)
				r = event_instance_read(in, i, INSTANCE_PAGES_PER_TURN,
							print_record, NULL, e);
	fprintf(stderr, "since %" PRIu64 "\n", event_instance_since(in).value);
	return r;
}

int main(int argc, char **argv)
{
	struct error e = {0};
	int r;

	r = argc > 1 ? replay(argv[1], &e) : follow(TRACE_INSTANCE, &e);
	if (r < 0)
		fprintf(stderr, "dump_events: %s\n", e.text);
	return r < 0;
}
