// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/memory_ids.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/resource_id.h"

struct id_entry {
	const struct memdev *memdev;
	const char *id;
	bool serial_is_unique;
};

struct memory_ids {
	struct id_entry *by_address; /* sorted by the memdev pointer */
	size_t n;
};

static bool has_serial(const struct memdev *m)
{
	return m->serial.present && m->serial.value != 0;
}

static int compare_serials(const void *a, const void *b)
{
	const struct memdev *x = ((const struct id_entry *)a)->memdev;
	const struct memdev *y = ((const struct id_entry *)b)->memdev;
	uint64_t sx = has_serial(x) ? x->serial.value : 0;
	uint64_t sy = has_serial(y) ? y->serial.value : 0;

	return sx < sy ? -1 : sx > sy;
}

static int compare_addresses(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct id_entry *)a)->memdev;
	uintptr_t y = (uintptr_t)((const struct id_entry *)b)->memdev;

	return x < y ? -1 : x > y;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(((const struct id_entry *)a)->id, ((const struct id_entry *)b)->id);
}

static const char *id_of(struct arena *a, const struct id_entry *e)
{
	const struct memdev *m = e->memdev;

	if (e->serial_is_unique)
		return arena_printf(a, "cxl-%016llx", (unsigned long long)m->serial.value);
	return m->bdf && resource_id_fits(m->bdf) ? resource_id_new(a, m->bdf) : m->name;
}

static void find_unique_serials(struct id_entry *e, size_t n)
{
	qsort(e, n, sizeof(*e), compare_serials);
	for (size_t i = 0; i < n; i++)
		e[i].serial_is_unique = has_serial(e[i].memdev) &&
					(i == 0 || compare_serials(&e[i - 1], &e[i]) != 0) &&
					(i + 1 == n || compare_serials(&e[i], &e[i + 1]) != 0);
}

/*
 * A function has one memdev. Should two say that they are the same one, as only somebody else's
 * capture can, their names tell them apart.
 */
static void part_doubles(struct id_entry *e, size_t n)
{
	size_t end;

	qsort(e, n, sizeof(*e), compare_ids);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && compare_ids(&e[i], &e[end]) == 0; end++)
			;
		for (size_t k = i; end - i > 1 && k < end; k++)
			e[k].id = e[k].memdev->name;
	}
}

struct memory_ids *memory_ids_new(struct arena *a, const struct host *host)
{
	struct memory_ids *ids = ARENA_NEW(a, struct memory_ids);
	struct id_entry *e = ARENA_ARRAY(a, host->n_memdevs, struct id_entry);

	if (!ids || !e)
		return NULL;
	for (size_t i = 0; i < host->n_memdevs; i++)
		e[i].memdev = host->memdevs[i];
	find_unique_serials(e, host->n_memdevs);
	for (size_t i = 0; i < host->n_memdevs; i++) {
		e[i].id = id_of(a, &e[i]);
		if (!e[i].id)
			return NULL;
	}
	part_doubles(e, host->n_memdevs);
	qsort(e, host->n_memdevs, sizeof(*e), compare_addresses);
	ids->by_address = e;
	ids->n = host->n_memdevs;
	return ids;
}

static const struct id_entry *entry_of(const struct memory_ids *ids, const struct memdev *memdev)
{
	struct id_entry key = {.memdev = memdev};

	return bsearch(&key, ids->by_address, ids->n, sizeof(key), compare_addresses);
}

const char *memory_id(const struct memory_ids *ids, const struct memdev *memdev)
{
	const struct id_entry *e = entry_of(ids, memdev);

	return e ? e->id : NULL;
}

struct opt_u64 memory_unique_serial(const struct memory_ids *ids, const struct memdev *memdev)
{
	const struct id_entry *e = entry_of(ids, memdev);

	return e && e->serial_is_unique ? memdev->serial : (struct opt_u64){0};
}
