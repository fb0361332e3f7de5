// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/incident_notes.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/state/state_private.h"

DEFINE_ARRAY(struct incident_note, note_list);

struct incident_notes {
	struct state *st;	 /* NULL: in memory only */
	pthread_mutex_t changes; /* one change at a time, of file and memory; taken first */
	pthread_mutex_t lock;	 /* guards the rest; held for no longer than a copy */
	bool loaded;
	struct note_list list; /* by the time of their change */
};

static const struct state_field fields[] = {
	STATE_NUMBER("incident", struct incident_note, incident, UINT64_MAX),
	STATE_NUMBER("acknowledged", struct incident_note, acknowledged, 1),
	STATE_NUMBER("severity", struct incident_note, severity, EVENT_SEVERITIES - 1),
	STATE_TEXT("note", struct incident_note, text),
	STATE_TEXT("changed_by", struct incident_note, changed_by),
	STATE_NUMBER("changed", struct incident_note, changed_ns, UINT64_MAX),
};

bool incident_note_is_text(const char *text)
{
	if (strlen(text) > INCIDENT_NOTE_BYTES)
		return false;
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		/* The second range is that of U+0080 to U+009F. */
		if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
			return false;
	return true;
}

static bool is_same(const struct incident_note *a, const struct incident_note *b)
{
	return a->kind == b->kind && a->anchor.type == b->anchor.type &&
	       a->anchor.known == b->anchor.known && a->anchor.value == b->anchor.value &&
	       str_equal(a->device, b->device);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static void bind_identity(struct sql_binder *b, const struct incident_note *note)
{
	sql_bind_text(b, note->device);
	sql_bind_int(b, note->kind);
	sql_bind_int(b, note->anchor.type);
	sql_bind_int(b, note->anchor.known);
	sql_bind_u64(b, note->anchor.value);
}

static int put_row(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct incident_note *note = userdata;
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO incident_notes (device, kind, anchor, known,"
			      " place, body) VALUES (?, ?, ?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	bind_identity(&b, note);
	state_bind_row(&b, fields, ARRAY_SIZE(fields), note);
	return state_run(t, &b, e);
}

static int remove_row(struct state_transaction *t, const struct incident_note *note,
		      struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t,
			      "DELETE FROM incident_notes WHERE device = ? AND kind = ? AND"
			      " anchor = ? AND known = ? AND place = ?",
			      &b, e);

	if (r < 0)
		return r;
	bind_identity(&b, note);
	return state_run(t, &b, e);
}

static int remove_rows(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct note_list *list = userdata;
	int r = 0;

	for (size_t i = 0; i < list->n && r == 0; i++)
		r = remove_row(t, &list->items[i], e);
	return r;
}

/* The file is not trusted: a row that this program cannot have written is left out. */
static bool read_row(sqlite3_stmt *stmt, struct incident_note *ret)
{
	struct sql_row row = {.stmt = stmt};
	uint64_t kind, type, known;

	*ret = (struct incident_note){0};
	sql_row_text(&row, ret->device, sizeof(ret->device));
	kind = sql_row_u64(&row);
	type = sql_row_u64(&row);
	known = sql_row_u64(&row);
	ret->anchor.value = sql_row_u64(&row);
	if (kind >= INCIDENT_KINDS || type >= ANCHOR_TYPES || known >= 1 << LOCATION_PARTS)
		return false;
	ret->kind = (enum incident_kind)kind;
	ret->anchor.type = (uint8_t)type;
	ret->anchor.known = (uint8_t)known;
	return state_row_parse(fields, ARRAY_SIZE(fields),
			       (const char *)sqlite3_column_text(stmt, 5), ret) &&
	       incident_note_is_text(ret->text);
}

static int read_rows(struct state_transaction *t, void *userdata, struct error *e)
{
	struct note_list *list = userdata;
	struct sql_binder b;
	int rc = SQLITE_DONE,
	    r = state_prepare(t,
			      "SELECT device, kind, anchor, known, place, body FROM incident_notes",
			      &b, e);

	if (r < 0)
		return r;
	while (r == 0 && list->n < INCIDENT_NOTES_MAX &&
	       (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct incident_note *to = note_list_add(list);

		if (!to)
			r = error_set(e, ENOMEM, "out of memory");
		else if (!read_row(b.stmt, to))
			list->n--;
	}
	if (r == 0 && rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static int by_time(const void *a, const void *b)
{
	const struct incident_note *x = a, *y = b;

	return (x->changed_ns > y->changed_ns) - (x->changed_ns < y->changed_ns);
}

/* Reads them once the database can be used. With `changes` held. */
static int notes_load(struct incident_notes *n, struct error *e)
{
	struct note_list list = {0};
	int r;

	if (n->loaded || !n->st)
		return 0;
	r = state_read(n->st, read_rows, &list, e);
	if (r < 0) {
		note_list_done(&list);
		return r;
	}
	if (list.n)
		qsort(list.items, list.n, sizeof(list.items[0]), by_time);
	pthread_mutex_lock(&n->lock);
	n->list = list;
	n->loaded = true;
	pthread_mutex_unlock(&n->lock);
	return 0;
}

struct incident_notes *incident_notes_new(void)
{
	struct incident_notes *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	(void)pthread_mutex_init(&n->changes, NULL);
	(void)pthread_mutex_init(&n->lock, NULL);
	return n;
}

struct incident_notes *incident_notes_free(struct incident_notes *n)
{
	if (!n)
		return NULL;
	note_list_done(&n->list);
	(void)pthread_mutex_destroy(&n->changes);
	(void)pthread_mutex_destroy(&n->lock);
	free(n);
	return NULL;
}

void incident_notes_set_state(struct incident_notes *n, struct state *st)
{
	struct error e = {0};

	pthread_mutex_lock(&n->changes);
	n->st = st;
	if (notes_load(n, &e) < 0)
		log_warning("notes and acknowledgements of incidents cannot be read: %s", e.text);
	pthread_mutex_unlock(&n->changes);
}

/* Return: the place in the list; its length when there is none. */
static size_t notes_find(const struct incident_notes *n, const struct incident_note *like)
{
	size_t i = 0;

	while (i < n->list.n && !is_same(&n->list.items[i], like))
		i++;
	return i;
}

bool incident_notes_get(struct incident_notes *n, const struct incident *i,
			struct incident_note *ret)
{
	struct incident_note like = {.kind = i->kind, .anchor = i->anchor};
	bool found = false;
	size_t at;

	memcpy(like.device, i->device, sizeof(like.device));
	pthread_mutex_lock(&n->lock);
	at = notes_find(n, &like);
	/* One without a former one is the same incident, recorded again in a new log. */
	if (at < n->list.n && (n->list.items[at].incident == i->id || i->previous == 0)) {
		like = n->list.items[at];
		found = true;
	}
	pthread_mutex_unlock(&n->lock);
	*ret = like;
	return found;
}

/* With both locks held. */
static void take_out(struct incident_notes *n, size_t at)
{
	memmove(n->list.items + at, n->list.items + at + 1,
		(n->list.n - at - 1) * sizeof(n->list.items[0]));
	n->list.n--;
}

static int write_note(struct incident_notes *n, const struct incident_note *note, struct error *e)
{
	struct incident_note copy = *note;
	struct note_list oldest = {0};
	int r = notes_load(n, e);

	if (r < 0 || !n->st)
		return r;
	r = state_change(n->st, STATE_DURABLE, put_row, &copy, e);
	if (r == 0 && n->list.n == INCIDENT_NOTES_MAX && notes_find(n, note) == n->list.n) {
		oldest = (struct note_list){.items = n->list.items, .n = 1};
		r = state_change(n->st, STATE_DURABLE, remove_rows, &oldest, e);
	}
	return r;
}

int incident_notes_put(struct incident_notes *n, const struct incident_note *note, struct error *e)
{
	struct incident_note *to = NULL;
	size_t at;
	int r;

	pthread_mutex_lock(&n->changes);
	r = write_note(n, note, e);
	pthread_mutex_lock(&n->lock);
	at = notes_find(n, note);
	if (r == 0 && at < n->list.n)
		take_out(n, at);
	else if (r == 0 && n->list.n == INCIDENT_NOTES_MAX)
		take_out(n, 0);
	if (r == 0)
		to = note_list_add(&n->list);
	if (to)
		*to = *note;
	else if (r == 0)
		r = error_set(e, ENOMEM, "out of memory");
	pthread_mutex_unlock(&n->lock);
	pthread_mutex_unlock(&n->changes);
	return r;
}

int incident_notes_remove(struct incident_notes *n,
			  bool (*is_gone)(void *userdata, uint64_t incident), void *userdata,
			  struct error *e)
{
	struct note_list gone = {0};
	struct incident_note *to;
	int r;

	pthread_mutex_lock(&n->changes);
	r = notes_load(n, e);
	for (size_t i = 0; i < n->list.n && r == 0; i++) {
		if (!is_gone(userdata, n->list.items[i].incident))
			continue;
		to = note_list_add(&gone);
		if (to)
			*to = n->list.items[i];
		else
			r = error_set(e, ENOMEM, "out of memory");
	}
	if (r == 0 && gone.n && n->st)
		r = state_change(n->st, STATE_DURABLE, remove_rows, &gone, e);
	pthread_mutex_lock(&n->lock);
	for (size_t i = 0; i < gone.n && r == 0; i++)
		take_out(n, notes_find(n, &gone.items[i]));
	pthread_mutex_unlock(&n->lock);
	pthread_mutex_unlock(&n->changes);
	note_list_done(&gone);
	return r;
}
