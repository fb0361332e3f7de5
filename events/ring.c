// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/ring.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The layout of a page is that of the kernel's include/linux/ring_buffer.h and
 * kernel/trace/ring_buffer.c, and is part of its ABI (see events/header_page and header_event):
 * 8 bytes time stamp, 8 bytes commit with the length of the data and two flags, then the data. Each
 * entry is 5 bits type or length, 27 bits time delta, and data that depends on the type.
 */
enum {
	ENTRY_LENGTH_FOLLOWS = 0, /* in the next 32 bits, which it counts */
	ENTRY_LARGEST = 28,	  /* up to here: the length in 32-bit words */
	ENTRY_PADDING = 29,
	ENTRY_TIME_EXTEND = 30,
	ENTRY_TIME_STAMP = 31,
	DELTA_BITS = 27,
	/* The time delta of a discarded event: 0 would say that nothing follows, see
	 * rb_event_discard(). Any other is the time until that event, as check_buffer() adds it. */
	PADDING_NO_DELTA = 1,
};
/* In the low 32 bits; some kernels set all high ones along with COMMIT_MISSED. */
#define COMMIT_MISSED	    (1ULL << 31)
#define COMMIT_MISSED_COUNT (1ULL << 30) /* how many follows the data */
#define COMMIT_LENGTH	    ((1ULL << 27) - 1)
/* An absolute time stamp has 59 bits; the rest is that of the time before it. */
#define TIME_STAMP_HIGH (0xf8ULL << 56)

struct walk {
	const uint8_t *data;
	size_t at, len;
	uint64_t time_ns;
	/* the event found, if it was one */
	const uint8_t *payload;
	size_t payload_len;
};

static uint32_t read_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t read_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

void event_ring_init(struct event_ring *ring, const struct event_formats *formats, unsigned cpu,
		     const char *clock)
{
	memset(ring, 0, sizeof(*ring));
	ring->formats = formats;
	ring->cpu = cpu;
	(void)snprintf(ring->clock, sizeof(ring->clock), "%s", clock);
}

/* Sets the ring's knowledge of a record; of its payload and other_fields only the lengths are set.
 */
static void begin_record(const struct event_ring *ring, uint64_t time_ns, struct event_record *rec)
{
	memset(rec, 0, offsetof(struct event_record, payload));
	rec->other_fields[0] = '\0';
	rec->cpu = ring->cpu;
	rec->read = ring->read;
	rec->instance = ring->instance;
	rec->time_ns = time_ns;
	memcpy(rec->clock, ring->clock, sizeof(rec->clock));
	if (ring->wall_offset.present)
		rec->wall_ns = OPT_U64(time_ns + ring->wall_offset.value);
}

static void give_record(struct event_ring *ring, struct event_record *rec, event_sink *sink,
			void *userdata)
{
	ring->repeat = rec->time_ns == ring->last_ns ? ring->repeat + 1 : 0;
	ring->last_ns = rec->time_ns;
	rec->repeat = ring->repeat;
	sink(rec, userdata);
}

void event_ring_lost(struct event_ring *ring, struct opt_u64 count, uint64_t time_ns,
		     event_sink *sink, void *userdata)
{
	struct event_record rec;

	begin_record(ring, time_ns, &rec);
	rec.type = EVENT_LOST;
	memcpy(rec.event, "lost", sizeof("lost"));
	rec.lost = count;
	ring->counts.gaps++;
	if (count.present)
		ring->counts.lost += count.value;
	give_record(ring, &rec, sink, userdata);
}

void event_ring_compare(struct event_ring *ring, uint64_t time_ns, event_sink *sink, void *userdata)
{
	struct event_record rec;

	begin_record(ring, time_ns, &rec);
	rec.type = EVENT_LOST_AT_END;
	memcpy(rec.event, "lost_at_end", sizeof("lost_at_end"));
	sink(&rec, userdata);
}

void event_ring_note_read(struct event_ring *ring, event_sink *sink, void *userdata)
{
	struct event_record rec;

	begin_record(ring, ring->last_ns, &rec);
	rec.type = EVENT_LOST;
	memcpy(rec.event, "lost", sizeof("lost"));
	rec.lost = OPT_U64(0);
	sink(&rec, userdata);
}

static int bad_entry(const struct walk *w, struct error *e)
{
	return error_set(e, EBADMSG, "the entry at byte %zu of the page reaches beyond its end",
			 RING_PAGE_HEADER + w->at);
}

/* Entries with a second word, which is a length or more bits of the time. */
static int next_long_entry(struct walk *w, uint32_t type, uint32_t delta, struct error *e)
{
	const size_t left = w->len - w->at;
	size_t step = 8;
	uint32_t word;

	if (left < step)
		return bad_entry(w, e);
	word = read_u32(w->data + w->at + 4);
	if (type == ENTRY_TIME_EXTEND) {
		w->time_ns += ((uint64_t)word << DELTA_BITS) + delta;
	} else if (type == ENTRY_TIME_STAMP) {
		w->time_ns =
			(w->time_ns & TIME_STAMP_HIGH) + ((uint64_t)word << DELTA_BITS) + delta;
	} else {
		/* It counts itself, but not what is before it. */
		step = 4 + (((size_t)word + 3) & ~(size_t)3);
		if (word < 4 || step > left)
			return bad_entry(w, e);
	}
	if (type == ENTRY_LENGTH_FOLLOWS || (type == ENTRY_PADDING && delta != PADDING_NO_DELTA))
		w->time_ns += delta;
	if (type == ENTRY_LENGTH_FOLLOWS) {
		w->payload = w->data + w->at + 8;
		w->payload_len = step - 8;
	}
	w->at += step;
	return 0;
}

/* Advances by one entry; payload is NULL when that was no event. */
static int next_entry(struct walk *w, struct error *e)
{
	const size_t left = w->len - w->at;
	uint32_t type, delta;

	w->payload = NULL;
	if (left < 4)
		return bad_entry(w, e);
	type = read_u32(w->data + w->at) & 31;
	delta = read_u32(w->data + w->at) >> 5;
	if (type == ENTRY_PADDING && delta == 0) {
		w->at = w->len; /* nothing was written after it */
		return 0;
	}
	if (type == ENTRY_LENGTH_FOLLOWS || type > ENTRY_LARGEST)
		return next_long_entry(w, type, delta, e);
	if (4 * (size_t)type > left - 4)
		return bad_entry(w, e);
	w->time_ns += delta;
	w->payload = w->data + w->at + 4;
	w->payload_len = 4 * (size_t)type;
	w->at += 4 + w->payload_len;
	return 0;
}

/* Return: 0, -EBADMSG; *ret_lost is the loss before the page, if there was one. */
static int open_page(const uint8_t *page, size_t len, struct walk *ret, bool *ret_gap,
		     struct opt_u64 *ret_lost, struct error *e)
{
	uint64_t commit;

	if (len < RING_PAGE_HEADER)
		return error_set(
			e, EBADMSG,
			"the page of the trace ring has only %zu bytes, fewer than its header",
			len);
	len -= RING_PAGE_HEADER;
	*ret = (struct walk){.data = page + RING_PAGE_HEADER, .time_ns = read_u64(page)};
	commit = read_u64(page + 8);
	ret->len = commit & COMMIT_LENGTH;
	if (ret->len > len)
		return error_set(e, EBADMSG,
				 "the page is truncated: %zu bytes of data expected, %zu found",
				 ret->len, len);
	*ret_gap = commit & COMMIT_MISSED;
	if (*ret_gap && (commit & COMMIT_MISSED_COUNT) && len - ret->len >= 8)
		*ret_lost = OPT_U64(read_u64(ret->data + ret->len));
	return 0;
}

/* Return: whether it was an event of system cxl. */
static bool give_event(struct event_ring *ring, const struct walk *w, event_sink *sink,
		       void *userdata)
{
	struct event_record rec;

	begin_record(ring, w->time_ns, &rec);
	if (!event_formats_decode(ring->formats, w->payload, w->payload_len, &rec))
		return false;
	give_record(ring, &rec, sink, userdata);
	return true;
}

int event_ring_page(struct event_ring *ring, const uint8_t *page, size_t len, event_sink *sink,
		    void *userdata, struct error *e)
{
	struct opt_u64 lost = {0};
	bool gap = false;
	/* When the page has no time: that of the record before it. */
	struct walk w = {.time_ns = ring->last_ns};
	bool is_given = true; /* the number that were read, with the last record */
	int r;

	ring->counts.pages++;
	r = open_page(page, len, &w, &gap, &lost, e);
	while (r == 0 && w.at < w.len) {
		r = next_entry(&w, e);
		if (r < 0 || !w.payload)
			continue;
		if (gap)
			event_ring_lost(ring, lost, w.time_ns, sink, userdata);
		gap = false;
		ring->read.value++;
		is_given = give_event(ring, &w, sink, userdata);
		if (is_given)
			ring->counts.records++;
		else
			ring->counts.foreign++;
	}
	if (gap)
		event_ring_lost(ring, lost, w.time_ns, sink, userdata);
	if (!is_given && ring->read.present)
		event_ring_note_read(ring, sink, userdata);
	if (r < 0) {
		ring->counts.damaged++;
		event_ring_lost(ring, (struct opt_u64){0}, w.time_ns, sink, userdata);
	}
	return r;
}

/* Return: the number behind "NAME: " at the beginning of a line, or NULL. */
static const char *find_number(const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
		const char *number;

		if (strncmp(at, name, len) != 0 || at[len] != ':')
			continue;
		number = at + len + 1 + strspn(at + len + 1, " ");
		return isdigit((unsigned char)*number) ? number : NULL;
	}
	return NULL;
}

static struct opt_u64 count_of(const char *text, const char *name)
{
	const char *number = find_number(text, name);
	uint64_t count;

	if (!number || sscanf(number, "%19" SCNu64, &count) != 1)
		return (struct opt_u64){0};
	return OPT_U64(count);
}

/* "   14.051859"; clocks that do not count time have no point. */
static struct opt_u64 time_of(const char *text, const char *name)
{
	const char *number = find_number(text, name);
	uint64_t seconds;
	unsigned micros;

	if (!number || sscanf(number, "%10" SCNu64 ".%6u", &seconds, &micros) != 2)
		return (struct opt_u64){0};
	return OPT_U64(seconds * 1000000000 + (uint64_t)micros * 1000);
}

void ring_stats_parse(const char *text, struct ring_stats *ret)
{
	*ret = (struct ring_stats){
		.overrun = count_of(text, "overrun"),
		.commit_overrun = count_of(text, "commit overrun"),
		.dropped = count_of(text, "dropped events"),
		.read = count_of(text, "read events"),
		.now_ns = time_of(text, "now ts"),
		.wall_ns = time_of(text, "wall ts"),
	};
}

struct opt_u64 ring_stats_wall_offset(const struct ring_stats *stats)
{
	if (!stats->now_ns.present || !stats->wall_ns.present)
		return (struct opt_u64){0};
	return OPT_U64(stats->wall_ns.value - stats->now_ns.value);
}

bool ring_clock_parse(const char *text, char ret[EVENT_CLOCK_MAX])
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	const size_t len = close ? (size_t)(close - open - 1) : 0;

	ret[0] = '\0';
	if (len == 0 || len >= EVENT_CLOCK_MAX)
		return false;
	for (const char *c = open + 1; c < close; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_-", *c))
			return false;
	memcpy(ret, open + 1, len);
	ret[len] = '\0';
	return true;
}
