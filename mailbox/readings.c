// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queries of a finished set of readings. */
#include "mailbox/readings.h"

#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "mailbox/readings_private.h"

struct readings *readings_new(size_t n_memdevs, size_t n_functions)
{
	struct arena *arena = arena_new();
	struct readings *r = arena ? ARENA_NEW(arena, struct readings) : NULL;

	if (r) {
		atomic_init(&r->references, 1);
		r->arena = arena;
		r->memdevs = ARENA_ARRAY(arena, n_memdevs, struct memdev_reading);
		r->n_memdevs = n_memdevs;
		r->functions = ARENA_ARRAY(arena, n_functions, struct function_reading);
		r->n_functions = n_functions;
	}
	if (r && r->memdevs && r->functions)
		return r;
	(void)arena_free(arena);
	return NULL;
}

struct readings *readings_ref(const struct readings *r)
{
	struct readings *mine = (struct readings *)(uintptr_t)r;

	atomic_fetch_add_explicit(&mine->references, 1, memory_order_relaxed);
	return mine;
}

struct readings *readings_unref(const struct readings *r)
{
	struct readings *mine = (struct readings *)(uintptr_t)r;

	if (mine && atomic_fetch_sub_explicit(&mine->references, 1, memory_order_acq_rel) == 1)
		(void)arena_free(mine->arena);
	return NULL;
}

static int cmp_memdev(const void *key, const void *element)
{
	const struct memdev_reading *reading = element;

	return str_natural_cmp(key, reading->name);
}

static bool same_serial(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

const struct memdev_reading *readings_of_memdev(const struct readings *r, const struct memdev *m)
{
	const struct memdev_reading *found = NULL;

	if (r && r->n_memdevs > 0)
		found = bsearch(m->name, r->memdevs, r->n_memdevs, sizeof(*found), cmp_memdev);
	/* After a hot-plug another device may have this name. */
	if (!found || !str_equal(found->name, m->name) || !same_serial(found->serial, m->serial) ||
	    (found->bdf != m->bdf && !str_equal(found->bdf, m->bdf)))
		return NULL;
	return found;
}

static int cmp_function(const void *key, const void *element)
{
	const struct function_reading *reading = element;

	return strcmp(key, reading->bdf);
}

const struct function_reading *readings_of_function(const struct readings *r, const char *bdf)
{
	if (!r || r->n_functions == 0 || !bdf)
		return NULL;
	return bsearch(bdf, r->functions, r->n_functions, sizeof(r->functions[0]), cmp_function);
}

const struct mailbox *readings_mailbox(const struct readings *r, const struct memdev *m)
{
	const struct memdev_reading *found = readings_of_memdev(r, m);

	return found ? &found->mailbox : NULL;
}

const struct memdev_security *readings_security(const struct readings *r, const struct memdev *m)
{
	const struct memdev_reading *found = readings_of_memdev(r, m);

	return found ? &found->security : NULL;
}

const struct memdev_scrub *readings_scrub(const struct readings *r, const struct memdev *m)
{
	const struct memdev_reading *found = readings_of_memdev(r, m);

	return found ? &found->scrub : NULL;
}

const struct scrub_set *readings_scrub_set(const struct readings *r, const struct memdev *m,
					   enum scrub_kind kind)
{
	const struct memdev_reading *found = readings_of_memdev(r, m);

	return found && found->scrub_sets[kind].time_ns > 0 ? &found->scrub_sets[kind] : NULL;
}

struct opt_bool readings_light(const struct readings *r, const struct memdev *m)
{
	const struct memdev_reading *found = readings_of_memdev(r, m);

	return found ? found->light : (struct opt_bool){0};
}

const struct aer_counters *readings_aer(const struct readings *r, const char *bdf)
{
	const struct function_reading *found = readings_of_function(r, bdf);

	return found ? &found->aer : NULL;
}

const char *const *readings_notes(const struct readings *r, size_t *ret_n)
{
	*ret_n = r ? r->n_notes : 0;
	return r ? r->notes : NULL;
}

static bool same_sets(const struct memdev_reading *a, const struct memdev_reading *b)
{
	for (size_t i = 0; i < SCRUB_KINDS; i++)
		if (a->scrub_sets[i].time_ns != b->scrub_sets[i].time_ns)
			return false;
	return true;
}

static bool same_memdev(const struct memdev_reading *a, const struct memdev_reading *b)
{
	return str_equal(a->name, b->name) && same_serial(a->serial, b->serial) &&
	       (a->bdf == b->bdf || str_equal(a->bdf, b->bdf)) &&
	       a->mailbox.kept == b->mailbox.kept &&
	       a->security.has_nvdimm == b->security.has_nvdimm &&
	       (a->security.state == b->security.state ||
		str_equal(a->security.state, b->security.state)) &&
	       a->light.present == b->light.present && a->light.value == b->light.value &&
	       memdev_scrub_equal(&a->scrub, &b->scrub) && same_sets(a, b) &&
	       a->record_len == b->record_len &&
	       (a->record_len == 0 || memcmp(a->record, b->record, a->record_len) == 0);
}

/* All members have one type, so that they can be compared as an array. */
static bool same_counters(const struct aer_counters *a, const struct aer_counters *b)
{
	const struct opt_u64 *x = (const struct opt_u64 *)a, *y = (const struct opt_u64 *)b;

	_Static_assert(sizeof(*a) % sizeof(*x) == 0, "an array of struct opt_u64");
	for (size_t i = 0; i < sizeof(*a) / sizeof(*x); i++)
		if (!same_serial(x[i], y[i]))
			return false;
	return true;
}

static bool same_notes(const struct readings *a, const struct readings *b)
{
	if (a->n_notes != b->n_notes)
		return false;
	for (size_t i = 0; i < a->n_notes; i++)
		if (!str_equal(a->notes[i], b->notes[i]))
			return false;
	return true;
}

bool readings_equal(const struct readings *a, const struct readings *b)
{
	if (!a || !b || a == b)
		return a == b;
	if (a->n_memdevs != b->n_memdevs || a->n_functions != b->n_functions || !same_notes(a, b))
		return false;
	for (size_t i = 0; i < a->n_memdevs; i++)
		if (!same_memdev(&a->memdevs[i], &b->memdevs[i]))
			return false;
	for (size_t i = 0; i < a->n_functions; i++)
		if (!str_equal(a->functions[i].bdf, b->functions[i].bdf) ||
		    !same_counters(&a->functions[i].aer, &b->functions[i].aer))
			return false;
	return true;
}
