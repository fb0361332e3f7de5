// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/repair_entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

static const char *const state_names[REPAIR_STATES] = {
	[REPAIR_WAITING] = "waiting",
	[REPAIR_RUNNING] = "running",
	[REPAIR_DONE] = "done",
	[REPAIR_REFUSED] = "refused",
	[REPAIR_UNCONFIRMED] = "accepted-unconfirmed",
};

const char *repair_state_name(uint32_t state)
{
	return state < REPAIR_STATES ? state_names[state] : "?";
}

const char *repair_state_obstacle(uint32_t state)
{
	switch (state) {
	case REPAIR_RUNNING:
		return "is being made, or its process ended before the result: the device may have done it";
	case REPAIR_DONE:
		return "is done";
	case REPAIR_UNCONFIRMED:
		return "was accepted, and no event confirmed it: a second one may use up a further spare";
	default:
		return NULL;
	}
}

/* All that every record has. */
static bool entry_begin(const struct stored_event *event, struct repair_entry *ret)
{
	const struct event_record *rec = &event->record;
	struct repair_place place;

	if (event->device[0] == '\0' || !repair_place_read(rec, &place))
		return false;
	*ret = (struct repair_entry){
		.serial = event_number(rec, FIELD_SERIAL).value,
		.place = place,
		.is_dram = rec->type == EVENT_DRAM,
		.event = event->seq,
		.incident = event->incident,
		.live = event->live,
		.device_ns = event_number(rec, FIELD_HDR_TIMESTAMP).value,
	};
	(void)snprintf(ret->device, sizeof(ret->device), "%s", event->device);
	memcpy(ret->boot_id, event->boot_id, sizeof(ret->boot_id));
	return true;
}

bool repair_entry_of(const struct stored_event *event, struct repair_entry *ret)
{
	struct repair_wish wish;
	struct repair_place place;

	if (!repair_place_of(&event->record, &place, &wish) || !entry_begin(event, ret))
		return false;
	ret->asked = (uint32_t)wish.type;
	ret->op_class = wish.op_class;
	ret->op_subclass = wish.op_subclass;
	return true;
}

bool repair_entry_of_incident(const struct stored_event *newest, enum incident_place fault,
			      struct repair_entry *ret)
{
	if (repair_is_asked(&newest->record) || !newest->incident || !entry_begin(newest, ret))
		return false;
	ret->unasked = 1;
	ret->fault = (uint32_t)fault;
	ret->asked = EDAC_REPAIR_UNKNOWN;
	return true;
}

bool repair_entry_is_asked(const struct repair_entry *r)
{
	return !r->unasked;
}

bool repair_entry_is_idle(const struct repair_entry *r)
{
	return r->state == REPAIR_WAITING || r->state == REPAIR_REFUSED;
}

bool repair_entry_is_of(const struct repair_entry *r, const struct stored_event *event)
{
	char known[REPAIR_KEY_MAX], found[REPAIR_KEY_MAX];
	struct repair_entry other;

	return event->seq == r->event && event->incident == r->incident &&
	       (r->unasked ? entry_begin(event, &other) : repair_entry_of(event, &other)) &&
	       str_equal(other.device, r->device) &&
	       str_equal(repair_entry_key(&other.place, found), repair_entry_key(&r->place, known));
}

bool repair_record_is_of(const struct event_record *rec, const struct repair_place *place,
			 enum edac_repair_type type)
{
	enum { SPARING_QUERY = 1 };

	return !(event_number(rec, FIELD_FLAGS).value & SPARING_QUERY) &&
	       repair_place_confirmed(rec, place, type);
}

bool repair_entry_reported(const struct repair_entry *r, const struct stored_event *report)
{
	const struct event_record *rec = &report->record;
	const uint64_t at_ms = rec->time_ns / 1000000;

	if (r->begun_boot[0] == 0 && r->begun_boot[1] == 0)
		return false;
	if ((r->state != REPAIR_RUNNING && r->state != REPAIR_UNCONFIRMED) ||
	    !str_equal(report->device, r->device) || !str_equal(rec->clock, "boot") ||
	    memcmp(report->boot_id, r->begun_boot, REPAIR_BOOT_SIZE) != 0)
		return false;
	if (at_ms < r->begun_ms || (r->ended_ms && at_ms > r->ended_ms + REPAIR_CONFIRM_MS))
		return false;
	return repair_record_is_of(rec, &r->place, (enum edac_repair_type)r->used);
}

enum repair_state repair_report_outcome(const struct event_record *rec,
					char text[static REPAIR_TEXT_MAX])
{
	const struct opt_u64 result = event_number(rec, FIELD_RESULT);

	if (result.present && result.value != 0) {
		(void)snprintf(text, REPAIR_TEXT_MAX,
			       "the event of the repair reports the result %" PRIu64, result.value);
		return REPAIR_REFUSED;
	}
	(void)snprintf(text, REPAIR_TEXT_MAX, "%s", REPAIR_CONFIRMED_TEXT);
	return REPAIR_DONE;
}

void repair_entry_settle(struct repair_entry *r, enum repair_state state, uint64_t now_ns,
			 const char *text)
{
	r->state = (uint32_t)state;
	r->settled_ns = now_ns;
	r->repaired += state == REPAIR_DONE;
	r->unresolved = state == REPAIR_DONE && r->alone > 0 && r->incident != 0;
	(void)snprintf(r->text, sizeof(r->text), "%s", text);
}

void repair_entry_ask_again(struct repair_entry *r)
{
	r->state = REPAIR_WAITING;
	r->unresolved = 0;
	(void)snprintf(r->text, sizeof(r->text),
		       "the device asks again, though it was repaired %" PRIu32 " time%s",
		       r->repaired, r->repaired == 1 ? "" : "s");
}

/* As repair_plan_make() chooses it by the fault. */
static bool is_same_repair(const struct repair_entry *a, const struct repair_entry *b)
{
	char x[REPAIR_KEY_MAX], y[REPAIR_KEY_MAX];

	if (a->fault != b->fault)
		return false;
	if (a->fault == PLACE_RANK)
		return repair_entry_same(a, b, EDAC_REPAIR_RANK_SPARING);
	if (a->fault == PLACE_BANK || a->fault == PLACE_COLUMN)
		return repair_entry_same(a, b, EDAC_REPAIR_BANK_SPARING);
	return str_equal(repair_entry_key(&a->place, x), repair_entry_key(&b->place, y));
}

bool repair_entry_move(struct repair_entry *known, const struct repair_entry *newer)
{
	struct repair_entry moved = *newer;

	if (newer->event <= known->event)
		return true;
	if (!is_same_repair(known, newer))
		return false;
	moved.id = known->id;
	moved.state = known->state;
	moved.tries = known->tries;
	moved.repaired = known->repaired;
	moved.used = known->used;
	moved.settled_ns = known->settled_ns;
	memcpy(moved.text, known->text, sizeof(moved.text));
	*known = moved;
	return true;
}

void repair_entry_goes_on(struct repair_entry *r, const struct repair_entry *done)
{
	r->repaired = done->repaired;
	(void)snprintf(r->text, sizeof(r->text),
		       "errors go on, though repair %" PRIu64 " repaired the same place %" PRIu32
		       " time%s",
		       done->id, done->repaired, done->repaired == 1 ? "" : "s");
}

/* An unconfirmed repair is never repeated by itself; one that was done did not help. The serial
 * number stays: an Id that was made without it may be another device's now. */
void repair_entry_merge(struct repair_entry *known, const struct repair_entry *newer)
{
	if (newer->event <= known->event)
		return;
	known->event = newer->event;
	known->incident = newer->incident;
	known->asked = newer->asked;
	known->op_class = newer->op_class;
	known->op_subclass = newer->op_subclass;
	known->is_dram = newer->is_dram;
	known->live = newer->live;
	known->device_ns = newer->device_ns;
	memcpy(known->boot_id, newer->boot_id, sizeof(known->boot_id));
	if (known->state == REPAIR_DONE)
		repair_entry_ask_again(known);
}

bool repair_entry_same(const struct repair_entry *a, const struct repair_entry *b,
		       enum edac_repair_type type)
{
	const struct repair_place *x = &a->place, *y = &b->place;
	const uint32_t common = repair_parts_used(type) & x->known & y->known;

	if (type == EDAC_REPAIR_PPR && (x->dpa ^ y->dpa) & ~(uint64_t)REPAIR_DPA_FLAGS)
		return false;
	for (int i = 0; i < REPAIR_PARTS; i++)
		if (common >> i & 1 && x->part[i] != y->part[i])
			return false;
	return true;
}

size_t repair_entries_open(const struct repair_entries *list, uint64_t incident, uint64_t *ret)
{
	size_t n = 0;

	*ret = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct repair_entry *entry = &list->items[i];

		if (entry->incident != incident || entry->state == REPAIR_DONE)
			continue;
		if (n++ == 0)
			*ret = entry->id;
	}
	return n;
}

bool repair_entry_check(const struct repair_entry *r)
{
	return r->id > 0 && r->device[0] != '\0' && r->asked < EDAC_REPAIR_TYPE_COUNT &&
	       r->used < EDAC_REPAIR_TYPE_COUNT && r->state < REPAIR_STATES &&
	       r->place.known < 1u << REPAIR_PARTS && r->unasked <= 1 &&
	       r->fault < INCIDENT_PLACES && r->live <= 1;
}

const char *repair_entry_key(const struct repair_place *place, char ret[static REPAIR_KEY_MAX])
{
	size_t at = (size_t)snprintf(ret, REPAIR_KEY_MAX, "%" PRIx64 ":%" PRIx32, place->dpa,
				     place->known);

	for (int i = 0; i < REPAIR_PARTS; i++)
		at += (size_t)snprintf(ret + at, REPAIR_KEY_MAX - at, ":%" PRIx32, place->part[i]);
	return ret;
}
