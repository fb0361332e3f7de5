// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/event_order.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "cli/event_list.h"

/* The variable part: the bytes of the payload in use, and the text. */
struct held_record {
	unsigned char fixed[offsetof(struct event_record, payload)];
	unsigned char rest[];
};

static struct ordered_event *add(struct event_order *o, const struct event_record *rec)
{
	const struct opt_u64 time = event_created(rec);
	struct ordered_event *item = ordered_events_add(&o->list);

	if (item)
		*item = (struct ordered_event){
			.time = time.present ? time.value : 0,
			.seq = o->list.n,
			.trace_ns = rec->time_ns,
		};
	return item;
}

/* Events of a boot are beside each other in a log: what is not among the last ones is a new one. */
enum { RECENT_BOOTS = 16 };

/* Return: the number of a boot, from 1 on; 0 when out of memory. */
static size_t boot_number(struct event_order *o, const uint8_t id[static EVENT_BOOT_ID_SIZE])
{
	struct event_order_boot *boot;

	for (size_t i = o->boots.n; i > 0 && o->boots.n - i < RECENT_BOOTS; i--)
		if (memcmp(o->boots.items[i - 1].id, id, EVENT_BOOT_ID_SIZE) == 0)
			return i;
	boot = event_order_boots_add(&o->boots);
	if (!boot)
		return 0;
	*boot = (struct event_order_boot){0};
	memcpy(boot->id, id, EVENT_BOOT_ID_SIZE);
	return o->boots.n;
}

int event_order_add_entry(struct event_order *o, const struct stored_event *ev)
{
	static const uint8_t unknown[EVENT_BOOT_ID_SIZE];
	const bool has_boot = memcmp(ev->boot_id, unknown, EVENT_BOOT_ID_SIZE) != 0;
	const size_t boot = has_boot ? boot_number(o, ev->boot_id) : 0;
	struct ordered_event *item = add(o, &ev->record);

	if (!item || (has_boot && !boot))
		return -ENOMEM;
	item->seq = ev->seq;
	item->boot = boot;
	return 0;
}

int event_order_add_record(struct event_order *o, const struct event_record *rec, struct error *e)
{
	const size_t text = strlen(rec->other_fields) + 1;
	struct held_record *held;
	struct ordered_event *item;

	if (o->list.n == EVENTS_HELD_MAX)
		return error_set(
			e, E2BIG,
			"there are more than %d events: select fewer, by --memdev, --type or --since",
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

static int compare_numbers(const void *a, const void *b)
{
	const struct ordered_event *x = a, *y = b;

	return compare(x->seq, y->seq);
}

static int compare_traces(const void *a, const void *b)
{
	const struct ordered_event *x = a, *y = b;
	int r = compare(x->boot, y->boot);

	if (r == 0)
		r = compare(x->trace_ns, y->trace_ns);
	return r ? r : compare_numbers(a, b);
}

static int compare_times(const void *a, const void *b)
{
	const struct ordered_event *x = a, *y = b;
	const int r = compare(x->time, y->time);

	return r ? r : compare_traces(a, b);
}

/*
 * Makes `boot` the rank of the boot. An entry without boot or trace clock, such as that of a
 * damaged file, has those of the one before it.
 */
static void place_by_numbers(struct event_order *o)
{
	struct ordered_event before = {0};
	size_t n_ranks = 0;

	qsort(o->list.items, o->list.n, sizeof(*o->list.items), compare_numbers);
	ARRAY_FOREACH(item, &o->list) {
		if (item->boot) {
			struct event_order_boot *boot = &o->boots.items[item->boot - 1];

			if (!boot->rank)
				boot->rank = ++n_ranks;
			item->boot = boot->rank;
		} else {
			item->boot = before.boot;
		}
		if (!item->trace_ns && item->boot == before.boot)
			item->trace_ns = before.trace_ns;
		before = *item;
	}
}

void event_order_sort(struct event_order *o)
{
	uint64_t time = 0;

	if (!o->list.n)
		return;
	place_by_numbers(o);
	qsort(o->list.items, o->list.n, sizeof(*o->list.items), compare_traces);
	/* Events before the first known time are from just before it. */
	for (size_t i = 0; i < o->list.n && !time; i++)
		time = o->list.items[i].time;
	ARRAY_FOREACH(item, &o->list) {
		if (!item->time)
			item->time = time;
		time = item->time;
	}
	qsort(o->list.items, o->list.n, sizeof(*o->list.items), compare_times);
}

void event_order_last(struct event_order *o, size_t n)
{
	const size_t drop = n && o->list.n > n ? o->list.n - n : 0;

	if (!drop)
		return;
	for (size_t i = 0; i < drop; i++)
		free(o->list.items[i].record);
	o->list.n -= drop;
	memmove(o->list.items, o->list.items + drop, o->list.n * sizeof(*o->list.items));
}

void event_order_free(struct event_order *o)
{
	ARRAY_FOREACH(item, &o->list)
		free(item->record);
	ordered_events_done(&o->list);
	event_order_boots_done(&o->boots);
}
