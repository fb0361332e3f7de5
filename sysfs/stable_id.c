// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/stable_id.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

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
	static const char *const kinds[] = {"cxl-", "dev-", "switch-"};
	enum { DIGITS = 16 };

	for (const char *at = id;; at++) {
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			const char *digits = str_after_prefix(at, kinds[i]);

			if (digits && strspn(digits, "0123456789abcdef") == DIGITS &&
			    strchr("-", digits[DIGITS]))
				return true;
		}
		at = strchr(at, '-');
		if (!at)
			return false;
	}
}

/* ---- the rules --------------------------------------------------------------------------------
 */

/* An Id that an object may have; "": it has none of this kind. */
typedef void id_fn(const void *object, char ret[static STABLE_ID_MAX + 1]);

#define ID_TEXT(ret, ...) ((void)snprintf(ret, STABLE_ID_MAX + 1, __VA_ARGS__))

static unsigned long long value_of(struct opt_u64 v)
{
	return v.value;
}

/* Makes an Id of a name of the host, which may be any text. */
static void id_of_name(const char *before, const char *name, char ret[static STABLE_ID_MAX + 1])
{
	const size_t n = strlen(before);

	if (!name || !stable_id_fits(name) || n + strlen(name) > STABLE_ID_MAX)
		return;
	memcpy(ret, before, n);
	memcpy(ret + n, name, strlen(name) + 1);
	for (char *s = ret; *s; s++)
		if (*s == ':')
			*s = '-';
	/* Only a serial number may look like one. */
	if (stable_id_has_serial(ret))
		ret[0] = '\0';
}

static void memdev_serial(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	const struct memdev *m = object;

	if (m->serial.present && m->serial.value != 0)
		ID_TEXT(ret, "cxl-%016llx", value_of(m->serial));
}

static void memdev_address(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	id_of_name("", ((const struct memdev *)object)->bdf, ret);
}

static void memdev_name(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	ID_TEXT(ret, "%s", ((const struct memdev *)object)->name);
}

static void window_address(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	const struct decoder *d = object;

	if (d->start.present)
		ID_TEXT(ret, "window-%016llx", value_of(d->start));
}

static void window_name(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	ID_TEXT(ret, "%s", ((const struct decoder *)object)->name);
}

static void region_uuid(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	const struct region *r = object;

	/* The snapshot has none that is all zeros, or no UUID. */
	ID_TEXT(ret, "%s", r->uuid ? r->uuid : "");
	for (char *s = ret; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

static void region_address(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	const struct region *r = object;

	if (r->resource.present)
		ID_TEXT(ret, STABLE_ID_SPA, value_of(r->resource));
}

static void region_name(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	ID_TEXT(ret, "%s", ((const struct region *)object)->name);
}

static void switch_serial(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	const struct switch_facts *f = object;

	if (f->serial.present && f->serial.value != 0)
		ID_TEXT(ret, "switch-%016llx", value_of(f->serial));
}

static void switch_slot(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	id_of_name("switch-slot-", ((const struct switch_facts *)object)->slot, ret);
}

static void switch_address(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	id_of_name("switch-", ((const struct switch_facts *)object)->address, ret);
}

static void switch_name(const void *object, char ret[static STABLE_ID_MAX + 1])
{
	ID_TEXT(ret, "%s", ((const struct switch_facts *)object)->name);
}

enum { ID_STEPS = 4 };

/*
 * All rules. The Id of an object is the first that it has and no other object of its kind has; the
 * last of each rule is a name of the kernel, which is unique until the next boot only.
 */
static const struct id_rule {
	id_fn *steps[ID_STEPS];
} memdev_rule = {{memdev_serial, memdev_address, memdev_name}},
  window_rule = {{window_address, window_name}},
  region_rule = {{region_uuid, region_address, region_name}},
  switch_rule = {{switch_serial, switch_slot, switch_address, switch_name}};

/* ---- Ids of objects of one kind ---------------------------------------------------------------
 */

struct id_entry {
	const void *object;
	const char *id; /* NULL: to be given */
	unsigned int step;
};

struct id_claim {
	struct id_entry *by;
	char text[STABLE_ID_MAX + 1];
};

static int claim_order(const void *a, const void *b)
{
	return strcmp(((const struct id_claim *)a)->text, ((const struct id_claim *)b)->text);
}

/* Fills the claims of a step. An Id that was given is claimed, too. Return: how many are new. */
static size_t claim_ids(const struct id_rule *rule, unsigned int step, struct id_entry *e, size_t n,
			struct id_claim *claims)
{
	size_t n_new = 0;

	for (size_t i = 0; i < n; i++) {
		claims[i] = (struct id_claim){.by = &e[i]};
		if (e[i].id)
			ID_TEXT(claims[i].text, "%s", e[i].id);
		else
			rule->steps[step](e[i].object, claims[i].text);
		n_new += !e[i].id && claims[i].text[0];
	}
	return n_new;
}

static int grant_ids(struct arena *a, struct id_claim *claims, size_t n, unsigned int step,
		     bool last)
{
	qsort(claims, n, sizeof(*claims), claim_order);
	for (size_t i = 0; i < n; i++) {
		const bool doubled = (i > 0 && claim_order(&claims[i - 1], &claims[i]) == 0) ||
				     (i + 1 < n && claim_order(&claims[i], &claims[i + 1]) == 0);

		if (claims[i].by->id || !claims[i].text[0] || (doubled && !last))
			continue;
		claims[i].by->id = arena_strdup(a, claims[i].text);
		claims[i].by->step = step;
		if (!claims[i].by->id)
			return -ENOMEM;
	}
	return 0;
}

static int give_ids(struct arena *a, const struct id_rule *rule, struct id_entry *e, size_t n)
{
	struct id_claim *claims = n > 0 ? calloc(n, sizeof(*claims)) : NULL;
	int r = n > 0 && !claims ? -ENOMEM : 0;

	for (unsigned int step = 0; claims && r == 0 && step < ID_STEPS && rule->steps[step];
	     step++)
		if (claim_ids(rule, step, e, n, claims) > 0)
			r = grant_ids(a, claims, n, step,
				      step + 1 == ID_STEPS || !rule->steps[step + 1]);
	free(claims);
	return r;
}

/* ---- windows, regions, switches ---------------------------------------------------------------
 */

int window_ids_make(struct arena *a, struct decoder *const *list, size_t n)
{
	struct id_entry *e = ARENA_ARRAY(a, n, struct id_entry);
	int r;

	if (!e)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		e[i].object = list[i];
	r = give_ids(a, &window_rule, e, n);
	for (size_t i = 0; i < n; i++)
		list[i]->id = e[i].id;
	return r;
}

int region_ids_make(struct arena *a, struct region *const *list, size_t n)
{
	struct id_entry *e = ARENA_ARRAY(a, n, struct id_entry);
	int r;

	if (!e)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		e[i].object = list[i];
	r = give_ids(a, &region_rule, e, n);
	for (size_t i = 0; i < n; i++)
		list[i]->id = e[i].id;
	return r;
}

int switch_ids_make(struct arena *a, struct switch_facts *list, size_t n)
{
	struct id_entry *e = ARENA_ARRAY(a, n, struct id_entry);
	int r;

	if (!e)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		e[i] = (struct id_entry){.object = &list[i], .id = list[i].id};
	r = give_ids(a, &switch_rule, e, n);
	for (size_t i = 0; i < n; i++)
		list[i].id = e[i].id;
	return r;
}

/* ---- memdevs ----------------------------------------------------------------------------------
 */

struct memdev_ids {
	struct id_entry *by_pointer, *by_id; /* sorted by these */
	size_t n;
};

static int id_pointer_order(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct id_entry *)a)->object;
	uintptr_t y = (uintptr_t)((const struct id_entry *)b)->object;

	return x < y ? -1 : x > y;
}

static int id_order(const void *a, const void *b)
{
	return strcmp(((const struct id_entry *)a)->id, ((const struct id_entry *)b)->id);
}

struct memdev_ids *memdev_ids_new(struct arena *a, const struct host *host)
{
	struct memdev_ids *ids = ARENA_NEW(a, struct memdev_ids);
	struct id_entry *e = ARENA_ARRAY(a, host->n_memdevs, struct id_entry);

	if (!ids || !e)
		return NULL;
	for (size_t i = 0; i < host->n_memdevs; i++)
		e[i].object = host->memdevs[i];
	if (give_ids(a, &memdev_rule, e, host->n_memdevs) < 0)
		return NULL;
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
	struct id_entry key = {.object = memdev};

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

	return e ? e->object : NULL;
}

struct opt_u64 memdev_unique_serial(const struct memdev_ids *ids, const struct memdev *memdev)
{
	const struct id_entry *e = id_find(ids, memdev);

	return e && memdev_rule.steps[e->step] == memdev_serial ? memdev->serial
								: (struct opt_u64){0};
}
