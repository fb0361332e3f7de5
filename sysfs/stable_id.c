// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/stable_id.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool stable_id_fits(const char *name)
{
	if (*name == '\0' || *name == '.' || strlen(name) > STABLE_ID_MAX)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("-._:", *name))
			return false;
	return true;
}

const char *stable_id_of_name(struct arena *a, const char *name)
{
	char *id = arena_strdup(a, name);

	for (char *s = id; s && *s; s++)
		if (*s == ':')
			*s = '-';
	return id;
}

bool stable_id_has_serial(const char *id)
{
	enum { DIGITS = 16, KIND = 4 };

	for (const char *at = id;; at++) {
		const bool is_kind =
			strncmp(at, "cxl-", KIND) == 0 || strncmp(at, "dev-", KIND) == 0;

		if (is_kind && strspn(at + KIND, "0123456789abcdef") == DIGITS &&
		    strchr("-", at[KIND + DIGITS]))
			return true;
		at = strchr(at, '-');
		if (!at)
			return false;
	}
}

struct id_entry {
	const struct memdev *memdev;
	const char *id;
	bool serial_is_unique;
};

struct memdev_ids {
	struct id_entry *by_pointer, *by_id; /* sorted by these */
	size_t n;
};

static bool id_has_serial(const struct memdev *m)
{
	return m->serial.present && m->serial.value != 0;
}

static int id_serial_order(const void *a, const void *b)
{
	const struct memdev *x = ((const struct id_entry *)a)->memdev;
	const struct memdev *y = ((const struct id_entry *)b)->memdev;
	uint64_t sx = id_has_serial(x) ? x->serial.value : 0;
	uint64_t sy = id_has_serial(y) ? y->serial.value : 0;

	return sx < sy ? -1 : sx > sy;
}

static int id_pointer_order(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct id_entry *)a)->memdev;
	uintptr_t y = (uintptr_t)((const struct id_entry *)b)->memdev;

	return x < y ? -1 : x > y;
}

static int id_order(const void *a, const void *b)
{
	return strcmp(((const struct id_entry *)a)->id, ((const struct id_entry *)b)->id);
}

static const char *id_make(struct arena *a, const struct id_entry *e)
{
	const struct memdev *m = e->memdev;

	if (e->serial_is_unique)
		return arena_printf(a, "cxl-%016llx", (unsigned long long)m->serial.value);
	return m->bdf && stable_id_fits(m->bdf) ? stable_id_of_name(a, m->bdf) : m->name;
}

static void id_find_unique_serials(struct id_entry *e, size_t n)
{
	qsort(e, n, sizeof(*e), id_serial_order);
	for (size_t i = 0; i < n; i++)
		e[i].serial_is_unique = id_has_serial(e[i].memdev) &&
					(i == 0 || id_serial_order(&e[i - 1], &e[i]) != 0) &&
					(i + 1 == n || id_serial_order(&e[i], &e[i + 1]) != 0);
}

/*
 * A PCI function has one memdev. When two have the same identifier, which only the files of a
 * captured host can cause, their kernel names are used.
 */
static void id_resolve_duplicates(struct id_entry *e, size_t n)
{
	size_t end;

	qsort(e, n, sizeof(*e), id_order);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && id_order(&e[i], &e[end]) == 0; end++)
			;
		for (size_t k = i; end - i > 1 && k < end; k++)
			e[k].id = e[k].memdev->name;
	}
}

struct memdev_ids *memdev_ids_new(struct arena *a, const struct host *host)
{
	struct memdev_ids *ids = ARENA_NEW(a, struct memdev_ids);
	struct id_entry *e = ARENA_ARRAY(a, host->n_memdevs, struct id_entry);

	if (!ids || !e)
		return NULL;
	for (size_t i = 0; i < host->n_memdevs; i++)
		e[i].memdev = host->memdevs[i];
	id_find_unique_serials(e, host->n_memdevs);
	for (size_t i = 0; i < host->n_memdevs; i++) {
		e[i].id = id_make(a, &e[i]);
		if (!e[i].id)
			return NULL;
	}
	id_resolve_duplicates(e, host->n_memdevs);
	qsort(e, host->n_memdevs, sizeof(*e), id_order);
	ids->by_id = e;
	ids->by_pointer = arena_memdup(a, e, host->n_memdevs * sizeof(*e));
	if (!ids->by_pointer)
		return NULL;
	qsort(ids->by_pointer, host->n_memdevs, sizeof(*e), id_pointer_order);
	ids->n = host->n_memdevs;
	return ids;
}

static const struct id_entry *id_find(const struct memdev_ids *ids, const struct memdev *memdev)
{
	struct id_entry key = {.memdev = memdev};

	return bsearch(&key, ids->by_pointer, ids->n, sizeof(key), id_pointer_order);
}

const char *memdev_id(const struct memdev_ids *ids, const struct memdev *memdev)
{
	const struct id_entry *e = id_find(ids, memdev);

	return e ? e->id : NULL;
}

const struct memdev *memdev_by_id(const struct memdev_ids *ids, const char *id)
{
	const struct id_entry key = {.id = id},
			      *e = bsearch(&key, ids->by_id, ids->n, sizeof(key), id_order);

	return e ? e->memdev : NULL;
}

struct opt_u64 memdev_unique_serial(const struct memdev_ids *ids, const struct memdev *memdev)
{
	const struct id_entry *e = id_find(ids, memdev);

	return e && e->serial_is_unique ? memdev->serial : (struct opt_u64){0};
}
