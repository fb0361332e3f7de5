// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/event_health.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/incident.h"

/* Entries that are searched for the newest unresolved one. */
enum { NEWEST_AMONG = 64 };

DEFINE_ARRAY(struct event_health_group, health_groups);

struct event_health {
	atomic_uint references;
	struct health_groups groups; /* by device, then by severity */
};

static int event_health_add_group(void *userdata, const struct event_group *group)
{
	struct event_health *h = userdata;
	struct event_health_group *g;

	if (group->unresolved == 0 || group->severity == EVENT_OK)
		return 0;
	if (group->device[0] && incident_has_type(group->type))
		return 0;
	g = health_groups_add(&h->groups);
	if (!g)
		return -ENOMEM;
	*g = (struct event_health_group){
		.type = group->type,
		.severity = group->severity,
		.unresolved = group->unresolved,
	};
	memcpy(g->device, group->device, sizeof(g->device));
	return 0;
}

static int event_health_set_newest(void *userdata, const struct stored_event *ev)
{
	const struct event_health_entry entry = {ev->seq, ev->record.wall_ns};
	struct event_health_group *g = userdata;

	if (ev->resolved)
		return 0;
	if (g->newest.seq == 0)
		g->newest = entry;
	return 0;
}

static int event_health_find_newest(struct store_reader *r, struct event_health_group *g,
				    struct error *e)
{
	const struct event_page page = {.backwards = true, .max = NEWEST_AMONG};
	const struct event_filter filter = {
		.device = g->device,
		.severities = 1U << g->severity,
		.types = 1U << g->type,
	};

	return store_read_page(r, &filter, &page, event_health_set_newest, g, e);
}

static int compare_event_groups(const void *a, const void *b)
{
	const struct event_health_group *x = a, *y = b;
	int order = strcmp(x->device, y->device);

	if (order == 0)
		order = (int)y->severity - (int)x->severity;
	return order ? order : (int)x->type - (int)y->type;
}

int event_health_read(struct store_reader *r, struct event_health **ret, struct error *e)
{
	struct event_health *h = calloc(1, sizeof(*h));
	int result;

	if (!h)
		return error_set(e, ENOMEM, "out of memory");
	atomic_init(&h->references, 1);
	result = store_read_groups(r, event_health_add_group, h, e);
	for (size_t i = 0; i < h->groups.n && result >= 0; i++)
		result = event_health_find_newest(r, &h->groups.items[i], e);
	if (result < 0) {
		(void)event_health_unref(h);
		return result;
	}
	if (h->groups.n > 0)
		qsort(h->groups.items, h->groups.n, sizeof(*h->groups.items), compare_event_groups);
	*ret = h;
	return 0;
}

/* The count is not part of the value that `const` protects. */
static atomic_uint *references_of(const struct event_health *h)
{
	return (atomic_uint *)&h->references;
}

struct event_health *event_health_ref(const struct event_health *h)
{
	atomic_fetch_add_explicit(references_of(h), 1, memory_order_relaxed);
	return (struct event_health *)h;
}

struct event_health *event_health_unref(const struct event_health *h)
{
	if (!h || atomic_fetch_sub_explicit(references_of(h), 1, memory_order_acq_rel) != 1)
		return NULL;
	health_groups_done(&((struct event_health *)h)->groups);
	free((struct event_health *)h);
	return NULL;
}

static bool same_group(const struct event_health_group *a, const struct event_health_group *b)
{
	return strcmp(a->device, b->device) == 0 && a->type == b->type &&
	       a->severity == b->severity && a->unresolved == b->unresolved &&
	       a->newest.seq == b->newest.seq;
}

bool event_health_equal(const struct event_health *a, const struct event_health *b)
{
	static const struct event_health none;

	a = a ? a : &none;
	b = b ? b : &none;
	if (a->groups.n != b->groups.n)
		return false;
	for (size_t i = 0; i < a->groups.n; i++)
		if (!same_group(&a->groups.items[i], &b->groups.items[i]))
			return false;
	return true;
}

const struct event_health_group *event_health_of(const struct event_health *h, const char *device,
						 size_t *ret_n)
{
	const struct event_health_group *first;
	size_t low = 0, high = h ? h->groups.n : 0, end;

	*ret_n = 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(h->groups.items[middle].device, device) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!h || low == h->groups.n || strcmp(h->groups.items[low].device, device) != 0)
		return NULL;
	first = &h->groups.items[low];
	for (end = low; end < h->groups.n && strcmp(h->groups.items[end].device, device) == 0;)
		end++;
	*ret_n = end - low;
	return first;
}
