// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/memory_ids.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ID_MAX = 64 };

struct id_entry {
	const struct memdev *memdev;
	const char *id;
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

/* An Id is a segment of a URI: what is long or would need percent-encoding cannot be one. */
static bool is_uri_safe(const char *s)
{
	if (*s == '\0' || *s == '.' || strlen(s) > ID_MAX)
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("-._", *s))
			return false;
	return true;
}

static const char *id_of(struct arena *a, const struct memdev *m, bool serial_is_unique)
{
	char *id;

	if (has_serial(m) && serial_is_unique)
		return arena_printf(a, "cxl-%016llx", (unsigned long long)m->serial.value);
	if (!m->bdf)
		return m->name;
	id = arena_strdup(a, m->bdf);
	if (!id)
		return NULL;
	for (char *s = id; *s; s++)
		if (*s == ':')
			*s = '-';
	return is_uri_safe(id) ? id : m->name;
}

struct memory_ids *memory_ids_new(struct arena *a, const struct host *host)
{
	struct memory_ids *ids = ARENA_NEW(a, struct memory_ids);
	struct id_entry *e = ARENA_ARRAY(a, host->n_memdevs, struct id_entry);

	if (!ids || !e)
		return NULL;
	for (size_t i = 0; i < host->n_memdevs; i++)
		e[i].memdev = host->memdevs[i];
	qsort(e, host->n_memdevs, sizeof(*e), compare_serials);
	for (size_t i = 0; i < host->n_memdevs; i++) {
		bool unique = (i == 0 || compare_serials(&e[i - 1], &e[i]) != 0) &&
			      (i + 1 == host->n_memdevs || compare_serials(&e[i], &e[i + 1]) != 0);

		e[i].id = id_of(a, e[i].memdev, unique);
		if (!e[i].id)
			return NULL;
	}
	qsort(e, host->n_memdevs, sizeof(*e), compare_addresses);
	ids->by_address = e;
	ids->n = host->n_memdevs;
	return ids;
}

const char *memory_id(const struct memory_ids *ids, const struct memdev *memdev)
{
	struct id_entry key = {.memdev = memdev};
	const struct id_entry *e;

	e = bsearch(&key, ids->by_address, ids->n, sizeof(key), compare_addresses);
	return e ? e->id : NULL;
}
