// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The repairs of an incident: entries of the worklist, whether they are possible now,
// and the action by which they are made.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/allow.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "events/event_log.h"
#include "redfish/core/odata.h"
#include "redfish/repairs/repair_pages.h"
#include "redfish/repairs/repair_plan.h"
#include "redfish/repairs/state_repairs.h"
#include "redfish/resources/host/host_refusal.h"
#include "redfish/resources/incident/incident_entry.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/service/service.h"

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Return: 1 the entry is of that incident for certain, 0 it is not; an error of the log. */
static int is_certain(struct store_reader *r, const struct repair_entry *entry)
{
	struct stored_event newest;
	int result = store_read_one(r, entry->event, &newest, NULL);

	if (result < 0)
		return result == -ENOENT ? 0 : result;
	return repair_entry_is_of(entry, &newest);
}

/* Drops the entries that are of other incidents, or of none that is certain. */
static int keep_certain(struct store_reader *r, uint64_t incident, struct repair_entries *list)
{
	size_t n = 0;
	int result = 0;

	for (size_t i = 0; i < list->n && result >= 0; i++) {
		const struct repair_entry *entry = &list->items[i];

		if (entry->incident == 0 || (incident != 0 && entry->incident != incident))
			continue;
		result = is_certain(r, entry);
		if (result > 0)
			list->items[n++] = *entry;
	}
	list->n = n;
	return result < 0 ? result : 0;
}

int incident_repairs_read(const struct exchange *x, struct store_reader *r, uint64_t incident,
			  struct incident_repairs *ret)
{
	struct state *st = x->service->state;
	int result = -ENOENT;

	*ret = (struct incident_repairs){0};
	if (st && incident)
		result = state_read_incident_repairs(st, incident, &ret->list, NULL);
	else if (st)
		result = state_read_repairs(st, &ret->list, NULL);
	ret->known = result == 0;
	if (!ret->known) {
		repair_entries_done(&ret->list);
		return 0;
	}
	return keep_certain(r, incident, &ret->list);
}

bool incident_repair_plan(const struct exchange *x, const struct repair_entry *entry,
			  struct repair_plan *ret)
{
	repair_plan_make(entry, x->view->host, event_log_traits(log_of(x))->boot_id,
			 clock_realtime_ns(), ret);
	return repair_plan_may_run(ret, entry);
}

/* ---- the representation -----------------------------------------------------------------------
 */

/* Pages at the place of a repair that is done, which are to stay out of use still. */
static void put_pages(const struct exchange *x, const struct repair_entry *entry,
		      struct json_writer *w)
{
	struct remembered_pages pages = {0};

	if (entry->state == REPAIR_DONE)
		(void)repair_pages_read(x->service->state, entry, &pages, NULL);
	put_array(w, "RememberedPages");
	for (size_t i = 0; i < pages.n; i++)
		put_hex(w, NULL, pages.items[i].dpa);
	put_end(w);
	remembered_pages_done(&pages);
}

static void put_repair(const struct exchange *x, const struct repair_entry *entry,
		       struct json_writer *w)
{
	struct repair_plan plan;

	(void)incident_repair_plan(x, entry, &plan);
	put_object(w, NULL);
	put_number(w, "Number", entry->id);
	put_hex(w, "DevicePhysicalAddress", entry->place.dpa & ~(uint64_t)REPAIR_DPA_FLAGS);
	put_bool(w, "AskedByDevice", repair_entry_is_asked(entry));
	put_string(w, "RepairType", edac_repair_type_word(plan.type));
	put_string(w, "State", repair_state_name(entry->state));
	if (entry->text[0])
		put_string(w, "Result", entry->text);
	else
		put_null(w, "Result");
	put_string(w, "Possible", repair_plan_word(&plan));
	put_string(w, "Reason", plan.reason);
	put_number(w, "Tries", entry->tries);
	put_pages(x, entry, w);
	put_end(w);
}

void put_incident_repairs(const struct exchange *x, const struct incident *i,
			  const struct incident_repairs *repairs, struct json_writer *w)
{
	if (!repairs->known)
		return;
	put_array(w, "Repairs");
	for (size_t k = 0; k < repairs->list.n; k++)
		if (repairs->list.items[k].incident == i->id)
			put_repair(x, &repairs->list.items[k], w);
	put_end(w);
}

static bool can_repair(const struct exchange *x, const struct incident *i,
		       const struct incident_repairs *repairs)
{
	struct repair_plan plan;

	if (host_unchangeable(x->view, ALLOW_REPAIR))
		return false;
	for (size_t k = 0; k < repairs->list.n; k++)
		if (repairs->list.items[k].incident == i->id &&
		    incident_repair_plan(x, &repairs->list.items[k], &plan))
			return true;
	return false;
}

void put_incident_actions(const struct exchange *x, const struct resource_type *row,
			  const struct incident *i, const struct incident_repairs *repairs,
			  struct json_writer *w)
{
	char uri[RESOURCE_URI_MAX];
	const struct resource entry = {.type = row, .uri = uri};

	if (!can_repair(x, i, repairs))
		return;
	(void)snprintf(uri, sizeof(uri), URI_HOST_INCIDENTS "/Entries/%" PRIu64, i->id);
	put_actions(&entry, w);
}
