// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/repair_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/store_reader.h"

DEFINE_CLEANUP(struct store_reader, store_reader_close);

/* ---- finding ----------------------------------------------------------------------------------
 */

static bool page_has(const struct remembered_page *p, uint64_t dpa)
{
	return dpa >= p->dpa && dpa - p->dpa < p->length;
}

static bool repairs_many_addresses(uint32_t type)
{
	return type == EDAC_REPAIR_ROW_SPARING || type == EDAC_REPAIR_BANK_SPARING ||
	       type == EDAC_REPAIR_RANK_SPARING;
}

/* All pages of the device, by incident, and those that lie there. */
struct search {
	const struct repair_entry *entry;
	struct store_reader *reader;
	struct remembered_pages pages;
	bool *found;
	size_t first, last; /* the pages of the incident that is read */
	struct error *e;
};

/* Both name all parts that the repair needs. */
static bool is_same_place(const struct repair_entry *entry, const struct event_record *rec)
{
	const enum edac_repair_type type = (enum edac_repair_type)entry->used;
	const uint32_t needed = repair_parts_needed(type);
	struct repair_entry other = {0};

	return repair_place_read(rec, &other.place) &&
	       (needed & ~(entry->place.known & other.place.known)) == 0 &&
	       repair_entry_same(entry, &other, type);
}

/* The newest entries of an incident. */
struct entries {
	uint64_t seq[REPAIR_PAGE_RECORDS];
	size_t n;
};

static int take_entry(void *userdata, uint64_t seq)
{
	struct entries *entries = userdata;

	entries->seq[entries->n++] = seq;
	return 0;
}

static int see_record(struct search *s, uint64_t seq)
{
	struct stored_event ev;
	uint64_t dpa;
	int r = store_read_one(s->reader, seq, &ev, s->e);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (!str_equal(ev.device, s->entry->device) || !is_same_place(s->entry, &ev.record))
		return 0;
	dpa = event_number(&ev.record, FIELD_DPA).value;
	for (size_t i = s->first; i < s->last; i++)
		if (page_has(&s->pages.items[i], dpa))
			s->found[i] = true;
	return 0;
}

/* An incident that is not in the log any more says nothing. */
static int look_at_incident(struct search *s, uint64_t incident)
{
	struct entries entries = {0};
	int r = store_read_incident_entries(s->reader, incident, REPAIR_PAGE_RECORDS, take_entry,
					    &entries, s->e);

	for (size_t i = 0; i < entries.n && r == 0; i++)
		r = see_record(s, entries.seq[i]);
	return r == -ENOENT ? 0 : r;
}

static int by_incident(const void *a, const void *b)
{
	const struct remembered_page *x = a, *y = b;
	const int order = (x->incident > y->incident) - (x->incident < y->incident);

	return order ? order : (x->dpa > y->dpa) - (x->dpa < y->dpa);
}

static int look_at_incidents(struct search *s)
{
	int r = 0;

	for (s->first = 0; s->first < s->pages.n && r == 0; s->first = s->last) {
		const uint64_t incident = s->pages.items[s->first].incident;

		s->last = s->first;
		while (s->last < s->pages.n && s->pages.items[s->last].incident == incident)
			s->last++;
		if (incident)
			r = look_at_incident(s, incident);
	}
	return r;
}

static int look_at_log(struct search *s, const char *log)
{
	_cleanup_(store_reader_closep) struct store_reader *reader = NULL;
	int r = store_reader_open(log, &reader, s->e);

	s->reader = reader;
	return r < 0 ? r : look_at_incidents(s);
}

/* Drops those of other devices, and those that are to come back already. */
static void keep_own(struct remembered_pages *pages, const char *device)
{
	size_t n = 0;

	for (size_t i = 0; i < pages->n; i++)
		if (str_equal(pages->items[i].device, device) &&
		    pages->items[i].state != REMEMBERED_RETURNED)
			pages->items[n++] = pages->items[i];
	pages->n = n;
	if (n > 0)
		qsort(pages->items, n, sizeof(pages->items[0]), by_incident);
}

static void write_found(const struct search *s, char *ret)
{
	size_t n = 0, len = 0;

	for (size_t i = 0; i < s->pages.n && n < REPAIR_PAGES_MAX; i++) {
		if (!s->found[i])
			continue;
		len += (size_t)snprintf(ret + len, REPAIR_PAGES_TEXT_MAX - len, "%s0x%" PRIx64,
					n > 0 ? " " : "", s->pages.items[i].dpa);
		n++;
	}
}

int repair_pages_find(struct state *st, const char *log, const struct repair_entry *entry,
		      char ret[static REPAIR_PAGES_TEXT_MAX], struct error *e)
{
	struct search s = {.entry = entry, .e = e};
	int r = state_read_pages(st, &s.pages, e);

	ret[0] = '\0';
	keep_own(&s.pages, entry->device);
	s.found = calloc(s.pages.n + 1, sizeof(*s.found));
	if (r == 0 && !s.found)
		r = error_set(e, ENOMEM, "out of memory");
	for (size_t i = 0; r == 0 && i < s.pages.n; i++)
		s.found[i] =
			page_has(&s.pages.items[i], entry->place.dpa & ~(uint64_t)REPAIR_DPA_FLAGS);
	if (r == 0 && s.pages.n > 0 && repairs_many_addresses(entry->used))
		r = look_at_log(&s, log);
	if (s.found)
		write_found(&s, ret);
	free(s.found);
	remembered_pages_done(&s.pages);
	return r;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The text may have been written by another program. */
static size_t read_addresses(const char *text, uint64_t ret[static REPAIR_PAGES_MAX])
{
	size_t n = 0;

	while (*text && n < REPAIR_PAGES_MAX) {
		char *end;

		ret[n] = strtoull(text, &end, 16);
		if (end == text)
			break;
		n++;
		text = end + strspn(end, " ");
	}
	return n;
}

int repair_pages_read(struct state *st, const struct repair_entry *entry,
		      struct remembered_pages *ret, struct error *e)
{
	uint64_t addresses[REPAIR_PAGES_MAX];
	const size_t n = read_addresses(entry->pages, addresses);
	int r = n > 0 ? state_find_pages(st, entry->device, addresses, n, ret, e) : 0;

	if (r == 0)
		keep_own(ret, entry->device);
	return r;
}
