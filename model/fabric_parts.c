// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Lists, links and memory devices of a fabric, for all that build it.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/fabric_private.h"

int fabric_list_add(struct arena *a, struct fabric_list *list, const void *object)
{
	struct fabric_item *item;

	if (list->last && list->last->object == object)
		return 0;
	item = ARENA_NEW(a, struct fabric_item);
	if (!item)
		return -ENOMEM;
	item->object = (void *)(uintptr_t)object;
	if (list->last)
		list->last->next = item;
	else
		list->first = item;
	list->last = item;
	list->n++;
	return 0;
}

int fabric_connect(struct arena *a, struct fabric_port *up, struct fabric_port *down)
{
	int r;

	if (!down)
		return 0;
	up->above = down;
	r = fabric_list_add(a, &down->peers, up);
	return r < 0 ? r : fabric_list_add(a, &up->peers, down);
}

static int compare_devices(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct fabric_port *)a)->memdev;
	uintptr_t y = (uintptr_t)((const struct fabric_port *)b)->memdev;

	return (x > y) - (x < y);
}

void fabric_sort_devices(struct fabric_port *devices, size_t n)
{
	if (n > 1)
		qsort(devices, n, sizeof(*devices), compare_devices);
}

struct fabric_port *fabric_device_port(const struct fabric *f, const struct memdev *memdev)
{
	const struct fabric_port key = {.memdev = memdev};

	return bsearch(&key, f->devices, f->n_devices, sizeof(key), compare_devices);
}
