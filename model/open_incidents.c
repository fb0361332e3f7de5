// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/open_incidents.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/incident_place.h"

enum { ENTRIES_MAX = 64 }; /* of an incident, searched for one that is not resolved */

DEFINE_ARRAY(struct device_incidents, device_list);
DEFINE_ARRAY(struct found_incident, found_list);

struct open_incidents {
	atomic_uint references;
	struct device_list devices; /* by name */
	struct found_list found;    /* by identity */
};

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Return: where the device is, or would be. */
static size_t place_of(const struct open_incidents *o, const char *device)
{
	return ARRAY_LOWER_BOUND(&o->devices, d, strcmp(d->device, device) < 0);
}

static struct device_incidents *find_device(const struct open_incidents *o, const char *device)
{
	const size_t i = place_of(o, device);

	return i < o->devices.n && str_equal(o->devices.items[i].device, device)
		       ? &o->devices.items[i]
		       : NULL;
}

/* Return: NULL when out of memory. */
static struct device_incidents *add_device(struct open_incidents *o, const char *device)
{
	struct device_incidents *d = find_device(o, device);
	const bool is_full = o->devices.n >= INCIDENT_DEVICES_MAX && device[0];
	size_t i;

	if (d)
		return d;
	if (is_full)
		return add_device(o, "");
	i = place_of(o, device);
	if (!device_list_add(&o->devices))
		return NULL;
	d = &o->devices.items[i];
	memmove(d + 1, d, (o->devices.n - 1 - i) * sizeof(*d));
	*d = (struct device_incidents){0};
	(void)snprintf(d->device, sizeof(d->device), "%s", device);
	return d;
}

static int name_incident(struct device_incidents *d, const struct incident *i)
{
	const enum incident_act act = incident_act_foreseen(i);
	size_t k;

	if (!d->named)
		d->named = calloc(INCIDENTS_NAMED_MAX, sizeof(*d->named));
	if (!d->named)
		return -ENOMEM;
	k = d->n < INCIDENTS_NAMED_MAX ? d->n++ : INCIDENTS_NAMED_MAX;
	for (;
	     k > 0 && incident_urgency(i, act, &d->named[k - 1].incident, d->named[k - 1].act) < 0;
	     k--)
		if (k < INCIDENTS_NAMED_MAX)
			d->named[k] = d->named[k - 1];
	if (k < INCIDENTS_NAMED_MAX)
		d->named[k] = (struct open_incident){.incident = *i, .act = act};
	return 0;
}

/* ---- those of findings ------------------------------------------------------------------------
 */

static int add_found(struct open_incidents *o, const struct incident *i)
{
	struct found_incident *f = found_list_add(&o->found);

	if (!f)
		return -ENOMEM;
	*f = (struct found_incident){
		.id = i->id,
		.first_ns = i->first_ns,
		.kind = i->kind,
		.anchor = i->anchor,
		.state = i->state,
		.severity = i->severity,
	};
	memcpy(f->device, i->device, sizeof(f->device));
	return 0;
}

static int compare_found(const void *a, const void *b)
{
	const struct found_incident *x = a, *y = b;

	return incident_identity_compare(x->device, x->kind, &x->anchor, y->device, y->kind,
					 &y->anchor);
}

const struct found_incident *open_incidents_found(const struct open_incidents *o,
						  const char *device, enum incident_kind kind,
						  const struct incident_anchor *anchor)
{
	struct found_incident key = {.kind = kind, .anchor = *anchor};

	if (!o || !o->found.n)
		return NULL;
	(void)snprintf(key.device, sizeof(key.device), "%s", device);
	return bsearch(&key, o->found.items, o->found.n, sizeof(key), compare_found);
}

static bool compare_all_found(const struct open_incidents *a, const struct open_incidents *b)
{
	if (a->found.n != b->found.n)
		return false;
	for (size_t i = 0; i < a->found.n; i++) {
		const struct found_incident *x = &a->found.items[i], *y = &b->found.items[i];

		if (x->id != y->id || x->state != y->state || x->severity != y->severity)
			return false;
	}
	return true;
}

/* ---- all of the log ---------------------------------------------------------------------------
 */

static int add_incident(void *userdata, const struct incident *i)
{
	struct open_incidents *o = userdata;
	struct device_incidents *d;

	if (!incident_is_open(i))
		return 0;
	d = add_device(o, i->device);
	if (!d)
		return -ENOMEM;
	if (i->found && add_found(o, i) < 0)
		return -ENOMEM;
	if (incident_is_only_found(i)) {
		d->found.n[i->kind][i->severity][i->state == INCIDENT_ACKNOWLEDGED]++;
		return 0;
	}
	d->tally.n[i->kind][i->severity][i->state == INCIDENT_ACKNOWLEDGED]++;
	return name_incident(d, i);
}

struct entries {
	uint64_t seq[ENTRIES_MAX];
	size_t n;
};

static int note_entry(void *userdata, uint64_t seq)
{
	struct entries *e = userdata;

	e->seq[e->n++] = seq;
	return 0;
}

/* Return: 1 when the entry is there and not resolved. */
static int is_unresolved(struct store_reader *r, uint64_t seq, struct error *e)
{
	struct stored_event ev;
	int result = store_read_one(r, seq, &ev, e);

	return result == -ENOENT ? 0 : result < 0 ? result : !ev.resolved;
}

/* Entries may have been overwritten, or resolved one by one, while their incident goes on. */
static int find_entry(struct store_reader *r, struct open_incident *i, struct error *e)
{
	struct entries entries = {.seq = {i->incident.last_seq}, .n = 1};
	int result = is_unresolved(r, i->incident.last_seq, e);

	if (result == 0) {
		entries.n = 0;
		result = store_read_incident_entries(r, i->incident.id, ENTRIES_MAX, note_entry,
						     &entries, e);
	}
	for (size_t k = 0; result == 0 && k < entries.n; k++) {
		result = is_unresolved(r, entries.seq[k], e);
		entries.seq[0] = entries.seq[k];
	}
	if (result == 1)
		i->entry = entries.seq[0];
	return result < 0 ? result : 0;
}

static int find_entries(struct store_reader *r, struct open_incidents *o, struct error *e)
{
	int result = 0;

	ARRAY_FOREACH(d, &o->devices)
		for (size_t k = 0; k < d->n && result == 0; k++)
			result = find_entry(r, &d->named[k], e);
	return result;
}

int open_incidents_read(struct store_reader *r, struct open_incidents **ret, struct error *e)
{
	struct open_incidents *o = calloc(1, sizeof(*o));
	int result;

	if (!o)
		return error_set(e, ENOMEM, "out of memory");
	atomic_init(&o->references, 1);
	result = store_read_incidents(r, false, add_incident, o, e);
	if (o->found.n)
		qsort(o->found.items, o->found.n, sizeof(*o->found.items), compare_found);
	if (result == 0)
		result = find_entries(r, o, e);
	if (result < 0) {
		(void)open_incidents_unref(o);
		return result;
	}
	*ret = o;
	return 0;
}

/* ---- references -------------------------------------------------------------------------------
 */

/* The count is not part of the value that `const` protects. */
static atomic_uint *references_of(const struct open_incidents *o)
{
	return (atomic_uint *)&o->references;
}

struct open_incidents *open_incidents_ref(const struct open_incidents *o)
{
	atomic_fetch_add_explicit(references_of(o), 1, memory_order_relaxed);
	return (struct open_incidents *)o;
}

struct open_incidents *open_incidents_unref(const struct open_incidents *o)
{
	struct open_incidents *mine = (struct open_incidents *)o;

	if (!o || atomic_fetch_sub_explicit(references_of(o), 1, memory_order_acq_rel) != 1)
		return NULL;
	ARRAY_FOREACH(d, &mine->devices)
		free(d->named);
	device_list_done(&mine->devices);
	found_list_done(&mine->found);
	free(mine);
	return NULL;
}

/* ---- look-up and comparison -------------------------------------------------------------------
 */

size_t incident_tally_unhealthy(const struct incident_tally *t)
{
	size_t sum = 0;

	for (int kind = 0; kind < INCIDENT_KINDS; kind++)
		for (int severity = EVENT_WARNING; severity < EVENT_SEVERITIES; severity++)
			sum += t->n[kind][severity][0] + (size_t)t->n[kind][severity][1];
	return sum;
}

void incident_tally_add(struct incident_tally *t, const struct incident_tally *more)
{
	for (int kind = 0; kind < INCIDENT_KINDS; kind++)
		for (int severity = 0; severity < EVENT_SEVERITIES; severity++)
			for (int state = 0; state < 2; state++)
				t->n[kind][severity][state] += more->n[kind][severity][state];
}

enum event_severity incident_tally_worst(const struct incident_tally *t, enum incident_state state)
{
	for (int severity = EVENT_SEVERITIES - 1; severity > EVENT_OK; severity--)
		for (int kind = 0; kind < INCIDENT_KINDS; kind++)
			if (t->n[kind][severity][state == INCIDENT_ACKNOWLEDGED])
				return (enum event_severity)severity;
	return EVENT_OK;
}

struct device_incidents *open_incidents_at(const struct open_incidents *o, size_t i)
{
	return o && i < o->devices.n ? &o->devices.items[i] : NULL;
}

const struct device_incidents *open_incidents_of(const struct open_incidents *o, const char *device)
{
	return o ? find_device(o, device) : NULL;
}

static bool is_alike(const struct open_incident *x, const struct open_incident *y)
{
	const struct incident *a = &x->incident, *b = &y->incident;
	char text[PLACE_EVIDENCE_MAX];

	return a->id == b->id && a->state == b->state && a->severity == b->severity &&
	       a->flags == b->flags && a->fatal == b->fatal && a->recurring == b->recurring &&
	       a->count_is_minimum == b->count_is_minimum &&
	       incident_place_of(a, text) == incident_place_of(b, text) &&
	       x->n_exact == y->n_exact && !x->entry == !y->entry;
}

static bool has_same_numbers(const struct open_incident *x, const struct open_incident *y)
{
	const struct incident *a = &x->incident, *b = &y->incident;

	return a->count == b->count && a->last_ns == b->last_ns && a->first_ns == b->first_ns &&
	       a->n_pages == b->n_pages && a->more_pages == b->more_pages && x->entry == y->entry;
}

/* Incidents of one device may have changed places by their times. */
static const struct open_incident *find_named(const struct device_incidents *d, uint64_t id)
{
	for (size_t k = 0; k < d->n; k++)
		if (d->named[k].incident.id == id)
			return &d->named[k];
	return NULL;
}

static bool compare_devices(const struct device_incidents *a, const struct device_incidents *b,
			    bool numbers)
{
	if (!str_equal(a->device, b->device) || a->n != b->n ||
	    memcmp(&a->tally, &b->tally, sizeof(a->tally)) != 0 ||
	    memcmp(&a->found, &b->found, sizeof(a->found)) != 0)
		return false;
	for (size_t k = 0; k < a->n; k++) {
		const struct open_incident *x = &a->named[k];
		const struct open_incident *y =
			numbers ? &b->named[k] : find_named(b, x->incident.id);

		if (!y || !is_alike(x, y) || (numbers && !has_same_numbers(x, y)))
			return false;
	}
	return true;
}

static bool compare(const struct open_incidents *a, const struct open_incidents *b, bool numbers)
{
	static const struct open_incidents none;

	a = a ? a : &none;
	b = b ? b : &none;
	if (a == b)
		return true;
	if (a->devices.n != b->devices.n || !compare_all_found(a, b))
		return false;
	for (size_t i = 0; i < a->devices.n; i++)
		if (!compare_devices(&a->devices.items[i], &b->devices.items[i], numbers))
			return false;
	return true;
}

bool open_incidents_equal(const struct open_incidents *a, const struct open_incidents *b)
{
	return compare(a, b, true);
}

bool open_incidents_alike(const struct open_incidents *a, const struct open_incidents *b)
{
	return compare(a, b, false);
}
