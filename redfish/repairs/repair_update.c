// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Fills the worklist of repairs from the event log: by the records that ask for a repair, and by
// the open incidents whose records ask for nothing.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/incident_place.h"
#include "events/store_reader.h"
#include "redfish/repairs/repair_run.h"

enum { BATCH = 256 };

DEFINE_CLEANUP(struct store_reader, store_reader_close);

/* ---- requests ---------------------------------------------------------------------------------
 */

struct filling {
	struct repair_entries list;
	struct repair_reports reports;
	uint64_t last;
	size_t n;
};

static int take_report(struct filling *f, const struct stored_event *event)
{
	struct stored_event *slot = repair_reports_add(&f->reports);

	if (!slot)
		return -ENOMEM;
	*slot = *event;
	return 0;
}

static int take_event(void *userdata, const struct stored_event *event)
{
	struct filling *f = userdata;
	struct repair_entry entry, *slot;

	f->last = event->seq;
	f->n++;
	if (event->record.type == EVENT_MEMORY_SPARING)
		return take_report(f, event);
	if (!repair_entry_of(event, &entry))
		return 0;
	slot = repair_entries_add(&f->list);
	if (!slot)
		return -ENOMEM;
	*slot = entry;
	return 0;
}

/* How far an update is. */
struct update {
	uint64_t mark, kept; /* the last entry that was looked at, and that of the database */
	struct repairs_added added;
};

static int keep(struct state *st, const struct repair_entries *list, struct update *u,
		struct error *e)
{
	struct repairs_added added = {0};
	int r = state_add_repairs(st, list, u->mark, &added, e);

	if (r < 0)
		return r;
	u->added.n += added.n;
	u->added.left_out += added.left_out;
	u->kept = u->mark;
	return 0;
}

/* Return: 1 when there may be more, 0 at the end. */
static int update_batch(struct state *st, struct store_reader *reader, struct update *u,
			struct error *e)
{
	const struct event_filter filter = {.types = 1u << EVENT_GENERAL_MEDIA | 1u << EVENT_DRAM |
						     1u << EVENT_MEMORY_SPARING};
	const struct event_page page = {.from = u->mark, .max = BATCH};
	struct filling f = {.last = u->mark};
	int r = store_read_page(reader, &filter, &page, take_event, &f, e);

	if (r == -ENOMEM)
		(void)error_set(e, ENOMEM, "out of memory");
	u->mark = f.last;
	if (r == 0 && f.reports.n > 0)
		r = state_confirm_repairs(st, &f.reports, e);
	if (r == 0 && f.list.n > 0)
		r = keep(st, &f.list, u, e);
	repair_reports_done(&f.reports);
	repair_entries_done(&f.list);
	return r < 0 ? r : f.n == BATCH;
}

/* A storm of errors that ask for nothing is one write. */
static int update_all(struct state *st, struct store_reader *reader, struct update *u,
		      struct error *e)
{
	const struct repair_entries none = {0};
	int r;

	do {
		r = update_batch(st, reader, u, e);
	} while (r > 0);
	return r == 0 && u->mark != u->kept ? keep(st, &none, u, e) : r;
}

/* ---- incidents without a request --------------------------------------------------------------
 */

/* An open incident of media errors. Poison is lost data, which says nothing of the media. */
struct open_incident {
	uint64_t id, newest; /* newest: its newest entry in the log */
	enum incident_place fault;
	char device[EVENT_DEVICE_MAX];
};
DEFINE_ARRAY(struct open_incident, open_incidents);

static int take_incident(void *userdata, const struct incident *i)
{
	char evidence[PLACE_EVIDENCE_MAX];
	struct open_incident *to;

	if (i->kind != INCIDENT_MEDIA_UNCORRECTABLE && i->kind != INCIDENT_MEDIA_CORRECTED)
		return 0;
	to = open_incidents_add(userdata);
	if (!to)
		return -ENOMEM;
	*to = (struct open_incident){
		.id = i->id, .newest = i->last_seq, .fault = incident_place_of(i, evidence)};
	memcpy(to->device, i->device, sizeof(to->device));
	return 0;
}

/* The worklist as it was read, by incident, and what is to be changed in it. */
struct review {
	struct store_reader *reader;
	struct repair_entries list, wanted;
	bool *keeps; /* of each entry of the list */
	struct repair_ids ended;
	size_t left_out;
};

static int by_incident(const void *a, const void *b)
{
	const struct repair_entry *x = a, *y = b;

	return (x->incident > y->incident) - (x->incident < y->incident);
}

static bool is_listed_only(const struct repair_entry *entry)
{
	return !repair_entry_is_asked(entry) && repair_entry_is_idle(entry);
}

/*
 * Whether the worklist has all that it can have of an incident: a request, a repair that may have
 * been made, or its newest record.
 *
 * @at: the first entry of it
 * @ret: the entry that is listed for it only; behind the list: none
 */
static bool is_known(const struct review *v, size_t at, const struct open_incident *o, size_t *ret)
{
	bool known = false;

	*ret = v->list.n;
	for (; at < v->list.n && v->list.items[at].incident == o->id; at++) {
		const struct repair_entry *entry = &v->list.items[at];

		if (!str_equal(entry->device, o->device))
			continue;
		if (is_listed_only(entry))
			*ret = at;
		known = known || (entry->state != REPAIR_DONE && !is_listed_only(entry)) ||
			entry->event >= o->newest;
	}
	return known;
}

/* An incident whose newest record was overwritten stays where it was. */
static int review_newest(struct review *v, const struct open_incident *o, bool *ret_keeps)
{
	struct stored_event newest;
	struct repair_entry entry, *to;
	int r = store_read_one(v->reader, o->newest, &newest, NULL);

	*ret_keeps = r == -ENOENT;
	if (r < 0 || newest.incident != o->id ||
	    !repair_entry_of_incident(&newest, o->fault, &entry))
		return r == -ENOENT ? 0 : r;
	to = repair_entries_add(&v->wanted);
	if (!to)
		return -ENOMEM;
	*to = entry;
	*ret_keeps = true;
	return 0;
}

static int review_one(struct review *v, size_t at, const struct open_incident *o)
{
	bool keeps = true;
	size_t known;
	int r = 0;

	if (!is_known(v, at, o, &known)) {
		if (v->wanted.n < REPAIRS_MAX)
			r = review_newest(v, o, &keeps);
		else
			v->left_out++;
	}
	if (known < v->list.n)
		v->keeps[known] = keeps;
	return r;
}

/* Both lists are in the order of the incidents. */
static int review_incidents(struct review *v, const struct open_incidents *open)
{
	size_t at = 0;
	int r = 0;

	if (v->list.n > 0)
		qsort(v->list.items, v->list.n, sizeof(v->list.items[0]), by_incident);
	for (size_t i = 0; i < open->n && r == 0; i++) {
		while (at < v->list.n && v->list.items[at].incident < open->items[i].id)
			at++;
		r = review_one(v, at, &open->items[i]);
	}
	for (size_t i = 0; i < v->list.n; i++)
		if (is_listed_only(&v->list.items[i]) && !v->keeps[i])
			v->ended.ids[v->ended.n++] = v->list.items[i].id;
	return r;
}

static int review_all(struct state *st, struct review *v, const struct open_incidents *open,
		      struct repairs_added *total, struct error *e)
{
	struct repairs_added added = {0};
	int r;

	v->keeps = calloc(v->list.n + 1, sizeof(*v->keeps));
	v->ended.ids = calloc(v->list.n + 1, sizeof(*v->ended.ids));
	r = v->keeps && v->ended.ids ? review_incidents(v, open) : -ENOMEM;
	if (r == 0 && (v->wanted.n > 0 || v->ended.n > 0))
		r = state_list_incidents(st, &v->wanted, &v->ended, &added, e);
	if (r == -ENOMEM)
		(void)error_set(e, ENOMEM, "out of memory");
	total->n += added.n;
	total->left_out += added.left_out + v->left_out;
	free(v->keeps);
	free(v->ended.ids);
	return r;
}

/* Nothing is written where nothing is new. */
static int update_incidents(struct state *st, struct store_reader *reader,
			    struct repairs_added *total, struct error *e)
{
	struct review v = {.reader = reader};
	struct open_incidents open = {0};
	int r = store_read_incidents(reader, false, take_incident, &open, e);

	if (r == -ENOMEM)
		(void)error_set(e, ENOMEM, "out of memory");
	if (r == 0)
		r = state_read_repairs(st, &v.list, e);
	if (r == 0)
		r = review_all(st, &v, &open, total, e);
	repair_entries_done(&v.list);
	repair_entries_done(&v.wanted);
	open_incidents_done(&open);
	return r;
}

int repairs_update(struct state *st, const char *log, size_t *ret_n, struct error *e)
{
	_cleanup_(store_reader_closep) struct store_reader *reader = NULL;
	struct update u = {0};
	int r = state_repairs_mark(st, &u.kept, e);

	*ret_n = 0;
	if (r < 0)
		return r;
	u.mark = u.kept;
	r = store_reader_open(log, &reader, e);
	if (r == 0)
		r = update_all(st, reader, &u, e);
	if (r == 0)
		r = update_incidents(st, reader, &u.added, e);
	if (r == -ENOENT)
		return 0;
	*ret_n = u.added.n;
	if (r == 0 && u.added.left_out > 0)
		r = error_set(
			e, ENOSPC,
			"%zu places are not in the worklist, which has %d entries that are not "
			"done, or %d of their device",
			u.added.left_out, REPAIRS_MAX, REPAIRS_OF_DEVICE_MAX);
	return r;
}
