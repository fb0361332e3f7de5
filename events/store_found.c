// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_found.h"

#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "events/store_incidents_private.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"

static uint64_t hash_words(const struct incident_found *f)
{
	const char *next = f->next ? f->next : "";
	const uint64_t words[] = {
		hash_bytes(f->code, strlen(f->code)), hash_bytes(f->object, strlen(f->object)),
		hash_bytes(f->text, strlen(f->text)), hash_bytes(next, strlen(next))};
	const uint64_t hash = hash_bytes(words, sizeof(words));

	return hash ? hash : 1;
}

/* ---- those that are there ---------------------------------------------------------------------
 */

static int save_words(struct store *s, struct incident_row *row, const struct incident_found *f)
{
	const uint64_t hash = hash_words(f);
	struct sql_binder b;

	if (row->text_hash == hash)
		return SQLITE_DONE;
	row->text_hash = hash;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_SAVE_FINDING)};
	sql_bind_u64(&b, row->now.id);
	sql_bind_text(&b, f->code);
	sql_bind_text(&b, f->object);
	sql_bind_text(&b, f->text);
	sql_bind_text(&b, f->next ? f->next : "");
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

/* A finding that was there all the time is not counted again, and nothing is written. */
static void update_row(struct store *s, struct incident_row *row, const struct incident_found *f,
		       uint64_t now_ns)
{
	const struct incident seen = row->now;
	const bool appears = !row->now.found || row->is_gone || row->now.count == 0;

	if (appears)
		incident_add_found(&row->now, store_incidents_age(s), now_ns);
	row->is_gone = false;
	row->now.advised = f->advised;
	if (f->severity > row->now.severity)
		row->now.severity = f->severity;
	if (row->now.state == INCIDENT_ACKNOWLEDGED && incident_is_worse(&row->now, &seen))
		row->now.state = INCIDENT_OPEN;
	if (appears || row->now.advised != seen.advised || row->now.severity != seen.severity)
		store_incidents_note(s, row);
}

/* @n_left_out: counts those for which there is no room */
static int set_one(struct store *s, const struct incident_found *f, uint64_t now_ns,
		   size_t *n_left_out)
{
	struct incident i;
	struct incident_row *row;
	int rc = SQLITE_DONE;

	incident_found_identify(f, &i);
	row = store_incidents_find_open(s, &i);
	if (!row)
		rc = store_incidents_open(s, &i, s->now.next, &row);
	if (rc == SQLITE_DONE && !row)
		++*n_left_out;
	if (rc != SQLITE_DONE || !row)
		return rc;
	if (row->now.id == s->now.next)
		s->now.next++;
	row->is_seen = true;
	update_row(s, row, f, now_ns);
	return save_words(s, row, f);
}

/* ---- those that are gone ----------------------------------------------------------------------
 */

static int compare_name(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

bool store_found_is_unknown(const struct store_found *found, const struct incident *i)
{
	return i->kind != INCIDENT_CONFIGURATION && found->n_unread &&
	       bsearch(i->device, found->unread, found->n_unread, sizeof(*found->unread),
		       compare_name);
}

struct search {
	const struct store_found *found;
	int *rc; /* SQLITE_DONE, or the first error */
};

static void look_for_gone(struct store *s, struct incident_row *row, const void *userdata)
{
	const struct search *search = userdata;
	const bool is_seen = row->is_seen;

	row->is_seen = false;
	if (*search->rc != SQLITE_DONE || !row->now.found || is_seen || row->is_gone ||
	    !incident_is_open(&row->now) || store_found_is_unknown(search->found, &row->now))
		return;
	if (!incident_is_only_found(&row->now)) {
		*search->rc = store_incidents_lose_finding(s, row);
	} else if (row->now.recurred) {
		row->is_gone = true;
		row->gone_age = store_incidents_age(s);
	} else {
		store_incidents_finish(s, row, INCIDENT_END_GONE);
	}
}

static void expire_one(struct store *s, struct incident_row *row, const void *userdata)
{
	const uint64_t age = store_incidents_age(s);

	(void)userdata;
	if (row->is_gone && incident_is_open(&row->now) && age >= row->gone_age &&
	    age - row->gone_age >= INCIDENT_HOLD_NS)
		store_incidents_finish(s, row, INCIDENT_END_GONE);
}

void store_expire_found(struct store *s)
{
	store_incidents_each(s, expire_one, NULL);
}

int store_set_found(struct store *s, struct store_found *found, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);
	const struct search gone = {found, &rc};

	if (r < 0)
		return r;
	found->n_left_out = 0;
	for (size_t i = 0; i < found->n && rc == SQLITE_DONE; i++)
		rc = set_one(s, &found->items[i], found->now_ns, &found->n_left_out);
	if (rc == SQLITE_DONE)
		store_incidents_each(s, look_for_gone, &gone);
	return store_end(s, rc, e);
}
