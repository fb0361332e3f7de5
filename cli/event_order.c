// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/event_order.h"

#include <errno.h>
#include <string.h>

#include "cli/event_list.h"

/* What is behind the fixed part: the bytes of the payload in use, and the text. */
struct held_record {
	unsigned char fixed[offsetof(struct event_record, payload)];
	unsigned char rest[];
};

static struct ordered_event *add(struct event_order *o, const struct event_record *rec)
{
	const struct opt_u64 time = event_time_of(rec);
	struct ordered_event *item = event_order_add(o);

	if (item)
		*item = (struct ordered_event){
			.time = time.present ? time.value : 0,
			.seq = o->n,
			.trace_ns = rec->time_ns,
		};
	return item;
}

int event_order_add_entry(struct event_order *o, const struct stored_event *ev)
{
	struct ordered_event *item = add(o, &ev->record);

	if (!item)
		return -ENOMEM;
	item->seq = ev->seq;
	item->trace_ns = 0;
	return 0;
}

int event_order_add_record(struct event_order *o, const struct event_record *rec, struct error *e)
{
	const size_t text = strlen(rec->other_fields) + 1;
	struct held_record *held;
	struct ordered_event *item;

	if (o->n == EVENTS_HELD_MAX)
		return error_set(e, E2BIG,
				 "there are more than %d events: select fewer, by --memdev, --type "
				 "or --since",
				 EVENTS_HELD_MAX);
	held = malloc(sizeof(*held) + rec->payload_len + text);
	item = held ? add(o, rec) : NULL;
	if (!item) {
		free(held);
		return error_set(e, ENOMEM, "out of memory");
	}
	memcpy(held->fixed, rec, sizeof(held->fixed));
	memcpy(held->rest, rec->payload, rec->payload_len);
	memcpy(held->rest + rec->payload_len, rec->other_fields, text);
	item->record = held;
	return 0;
}

void event_order_record(const struct ordered_event *item, struct event_record *ret)
{
	const struct held_record *held = item->record;

	memset(ret, 0, sizeof(*ret));
	memcpy(ret, held->fixed, sizeof(held->fixed));
	memcpy(ret->payload, held->rest, ret->payload_len);
	memcpy(ret->other_fields, held->rest + ret->payload_len,
	       strlen((const char *)held->rest + ret->payload_len) + 1);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_traces(const void *a, const void *b)
{
	const struct ordered_event *x = a, *y = b;
	const int r = compare(x->trace_ns, y->trace_ns);

	return r ? r : compare(x->seq, y->seq);
}

static int compare_times(const void *a, const void *b)
{
	const struct ordered_event *x = a, *y = b;
	const int r = compare(x->time, y->time);

	return r ? r : compare_traces(a, b);
}

void event_order_sort(struct event_order *o)
{
	uint64_t time = 0;

	if (!o->n)
		return;
	qsort(o->items, o->n, sizeof(*o->items), compare_traces);
	/* Those before the first known time are from just before it. */
	for (size_t i = 0; i < o->n && !time; i++)
		time = o->items[i].time;
	for (size_t i = 0; i < o->n; i++) {
		if (!o->items[i].time)
			o->items[i].time = time;
		time = o->items[i].time;
	}
	qsort(o->items, o->n, sizeof(*o->items), compare_times);
}

void event_order_last(struct event_order *o, size_t n)
{
	const size_t drop = n && o->n > n ? o->n - n : 0;

	if (!drop)
		return;
	for (size_t i = 0; i < drop; i++)
		free(o->items[i].record);
	o->n -= drop;
	memmove(o->items, o->items + drop, o->n * sizeof(*o->items));
}

void event_order_free(struct event_order *o)
{
	ARRAY_FOREACH(item, o)
		free(item->record);
	event_order_done(o);
}
