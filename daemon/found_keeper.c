// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/found_keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "events/store_found.h"
#include "model/found.h"

struct found_keeper {
	struct event_log *log;
	/* The inputs of the last look. */
	bool any_look;
	uint64_t host; /* its generation */
	const struct switch_readings *switches;
	const struct readings *readings;
	struct found configuration, health;
	uint64_t hash; /* of both */
	uint64_t sent; /* of those that the store was given */
	bool any_sent;
	size_t n_left_out; /* of those, by a store that has too many incidents */
};

struct found_keeper *found_keeper_new(struct event_log *log)
{
	struct found_keeper *k = calloc(1, sizeof(*k));

	if (k)
		k->log = log;
	return k;
}

struct found_keeper *found_keeper_free(struct found_keeper *k)
{
	if (!k)
		return NULL;
	found_done(&k->configuration);
	found_done(&k->health);
	(void)readings_unref(k->readings);
	(void)switch_readings_unref(k->switches);
	free(k);
	return NULL;
}

/* ---- findings ---------------------------------------------------------------------------------
 */

/* Replaces @to by @new, unless that is not complete. */
static int take(struct found *to, struct found *new, int r)
{
	if (r < 0) {
		found_done(new);
		return r;
	}
	found_done(to);
	*to = *new;
	return 0;
}

static int look_at_configuration(struct found_keeper *k, const struct view *v)
{
	struct found new;
	int r = found_init(&new);

	if (r == 0)
		r = found_add_configuration(&new, v->host, v->translator, v->fabric, v->ids);
	return take(&k->configuration, &new, r);
}

static int look_at_health(struct found_keeper *k, const struct view *v)
{
	struct found new;
	int r = found_init(&new);

	if (r == 0)
		r = found_add_readings(&new, v->host, v->readings, v->ids);
	return take(&k->health, &new, r);
}

/* References, so that others do not get their addresses. */
static void remember(struct found_keeper *k, const struct view *v)
{
	const struct readings *readings = v->readings ? readings_ref(v->readings) : NULL;
	const struct switch_readings *switches =
		v->inputs.switches ? switch_readings_ref(v->inputs.switches) : NULL;

	(void)readings_unref(k->readings);
	(void)switch_readings_unref(k->switches);
	k->readings = readings;
	k->switches = switches;
	k->host = v->host->generation;
	k->any_look = true;
}

int found_keeper_look(struct found_keeper *k, const struct view *v)
{
	const bool is_other_host = !k->any_look || v->host->generation != k->host;
	const bool is_other_setup = is_other_host || v->inputs.switches != k->switches;
	const bool is_other_health = is_other_host || v->readings != k->readings;
	int r = 0;

	if (is_other_setup)
		r = look_at_configuration(k, v);
	if (r == 0 && is_other_health)
		r = look_at_health(k, v);
	if (r < 0)
		return r;
	if (is_other_setup || is_other_health) {
		const uint64_t both[] = {found_hash(&k->configuration), found_hash(&k->health)};

		k->hash = hash_bytes(both, sizeof(both));
		remember(k, v);
	}
	return !k->any_sent || k->hash != k->sent;
}

/* ---- the store --------------------------------------------------------------------------------
 */

static int compare_found(const struct incident_found *a, const struct incident_found *b)
{
	return incident_identity_compare(a->device, a->kind, &a->anchor, b->device, b->kind,
					 &b->anchor);
}

static int compare_items(const void *a, const void *b)
{
	return compare_found(a, b);
}

/* Keeps one of each identity, the worst: more would be news for ever. @list: in order */
static void drop_doubles(struct found_array *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct incident_found *f = &list->items[i];

		if (n == 0 || compare_found(&list->items[n - 1], f) != 0)
			list->items[n++] = *f;
		else if (f->severity > list->items[n - 1].severity)
			list->items[n - 1] = *f;
	}
	list->n = n;
}

/* All that is found, by identity. */
static int list_all(const struct found_keeper *k, struct found_array *ret)
{
	const struct found *const parts[] = {&k->configuration, &k->health};

	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		for (size_t i = 0; i < parts[p]->list.n; i++) {
			struct incident_found *one = found_array_add(ret);

			if (!one)
				return -ENOMEM;
			*one = parts[p]->list.items[i];
		}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), compare_items);
	drop_doubles(ret);
	return 0;
}

/* Whether the incident of the store is another one than what is found. */
static bool is_other(const struct store_found *found, const struct incident *i, size_t *n_there)
{
	const struct incident_found key = {
		.device = i->device, .kind = i->kind, .anchor = i->anchor};
	const struct incident_found *f =
		found->n ? bsearch(&key, found->items, found->n, sizeof(key), compare_items) : NULL;

	if (f && i->found)
		++*n_there;
	if (!i->found)
		return false;
	/* Only the store knows how long an incident that recurred is held. */
	return !f && !i->recurred && !store_found_is_unknown(found, i);
}

/* A store that is full of incidents is not given the same ones again and again. */
static bool is_due(const struct found_keeper *k, const struct store_found *found,
		   const struct incident *open, size_t n)
{
	const bool is_new = !k->any_sent || k->hash != k->sent;
	bool any_other = false, any_found = found->n > 0;
	size_t n_there = 0;

	for (size_t i = 0; i < n; i++) {
		any_other |= is_other(found, &open[i], &n_there);
		any_found |= open[i].found;
	}
	return any_other || (is_new && any_found) || n_there + k->n_left_out < found->n;
}

static int set(struct store *store, void *userdata)
{
	return store ? store_set_found(store, userdata, NULL) : -ESHUTDOWN;
}

static int settle(struct found_keeper *k, const struct store_found *found,
		  const struct incident *open, size_t n)
{
	struct store_found now = *found;
	const bool due = is_due(k, found, open, n);
	int r = 0;

	now.now_ns = clock_realtime_ns();
	if (due)
		r = event_log_do(k->log, set, &now);
	if (r < 0)
		return r;
	if (due)
		k->n_left_out = now.n_left_out;
	k->sent = k->hash;
	k->any_sent = true;
	return due;
}

int found_keeper_settle(struct found_keeper *k, const struct incident *open, size_t n)
{
	struct found_array all = {0};
	int r = list_all(k, &all);
	const struct store_found found = {
		.items = all.items,
		.n = all.n,
		.unread = k->health.unread.items,
		.n_unread = k->health.unread.n,
	};

	if (r == 0)
		r = settle(k, &found, open, n);
	found_array_done(&all);
	return r;
}
