/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_RING_H
#define CXLR_EVENTS_RING_H

/*
 * Decodes the pages of a CPU's trace ring, as trace_pipe_raw returns them, into records.
 *
 * Pages are decoded here and not by libtraceevent's kbuffer, which does not validate the lengths in
 * them. Every loss is reported: records that the ring lost, and those after damage within a page,
 * become a record of type EVENT_LOST in front of the next one.
 *
 * One object for each CPU, owned by the reader of its pages; used by one thread at a time. The
 * formats must outlive it.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#include "common/error.h"
#include "common/opt.h"
#include "events/formats.h"
#include "events/record.h"

/* Called for each record; the record is valid until it returns. */
typedef void event_sink(const struct event_record *rec, void *userdata);

struct event_counts {
	uint64_t pages;
	uint64_t records; /* without EVENT_LOST */
	uint64_t foreign; /* events of other systems, which are skipped */
	uint64_t lost;	  /* records that the ring counted as lost */
	uint64_t gaps;	  /* losses, counted or not */
	uint64_t damaged; /* pages */
};

struct event_ring {
	const struct event_formats *formats;
	unsigned cpu;
	char clock[EVENT_CLOCK_MAX];
	/* The difference to add to the trace clock, modulo 2^64, for ns since 1970; absent when not
	 * known.
	 */
	struct opt_u64 wall_offset;
	struct event_counts counts;
	/* As in struct event_record: counted here, and set by the owner, who knows the kernel's. */
	struct opt_u64 read;
	uint64_t instance;

	uint64_t last_ns; /* time of the last record */
	/* private */
	unsigned repeat;
};

/*
 * event_ring_init() - prepare for the pages of a CPU
 * @clock: name of the trace clock; "" when unknown
 *
 * There is nothing to free.
 */
void event_ring_init(struct event_ring *ring, const struct event_formats *formats, unsigned cpu,
		     const char *clock);

/*
 * event_ring_page() - the records of one page, in their order
 * @page, @len: as read; may be shorter than a page should be
 *
 * Return: 0; -EBADMSG when the page is damaged: records before the damage have been given to @sink,
 * and an EVENT_LOST for the rest.
 */
int event_ring_page(struct event_ring *ring, const uint8_t *page, size_t len, event_sink *sink,
		    void *userdata, struct error *e);

/*
 * event_ring_lost() - note a loss that is not in the pages
 * @count: absent when unknown
 * @time_ns: by the trace clock, when it was noticed
 */
void event_ring_lost(struct event_ring *ring, struct opt_u64 count, uint64_t time_ns,
		     event_sink *sink, void *userdata);

/*
 * event_ring_compare() - have the records that were read before compared with those that were
 * stored
 *
 * Gives an EVENT_LOST_AT_END, whose number is the store's. Only with `read`.
 */
void event_ring_compare(struct event_ring *ring, uint64_t time_ns, event_sink *sink,
			void *userdata);

/* event_ring_note_read() - give only how many were read, as a loss of 0 records; only with `read`
 */
void event_ring_note_read(struct event_ring *ring, event_sink *sink, void *userdata);

/*
 * Statistics of a ring that tracefs shows as text: per_cpu/cpuN/stats and trace_clock. Pure
 * functions of a text; any thread.
 */

/* Each absent when the kernel does not show it. */
struct ring_stats {
	struct opt_u64 overrun;			/* overwritten unread; the pages show these, too */
	struct opt_u64 commit_overrun, dropped; /* lost, not shown in the pages */
	struct opt_u64 read; /* given to readers, of any kind and without padding */
	/* The time of the trace clock, in ns (with a resolution of microseconds); absent also
	 * for clocks that do not count time (counter, x86-tsc). */
	struct opt_u64 now_ns;
	/* Ns since 1970 at about the same time: not from the kernel, added when a ring is saved.
	 */
	struct opt_u64 wall_ns;
};

/* ring_stats_parse() - read the file as kernel/trace/trace.c, tracing_stats_read() writes it */
void ring_stats_parse(const char *text, struct ring_stats *ret);

/* Return: what to add to the trace clock for ns since 1970, modulo 2^64, where both are known. */
struct opt_u64 ring_stats_wall_offset(const struct ring_stats *stats);

/*
 * ring_clock_parse() - which clock is chosen in trace_clock: "local global [boot]"
 *
 * Return: false, and "" in @ret, when none is.
 */
bool ring_clock_parse(const char *text, char ret[EVENT_CLOCK_MAX]);

#endif
