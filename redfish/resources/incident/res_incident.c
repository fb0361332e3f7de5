// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One incident: a LogEntry that has the entries of its cause together.
#include "redfish/resources/incident/incident_entry.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/event_log.h"
#include "events/incident_now.h"
#include "prm/translate.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"
#include "redfish/feed/event_message.h"
#include "redfish/feed/incident_message.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/resources/mapping.h"
#include "redfish/service/service.h"
#include "redfish/state/incident_notes.h"

/* ---- entries of the event log -----------------------------------------------------------------
 */

/* One more than are linked, to see whether there are more. */
struct related_reading {
	struct incident_related *to;
	size_t n;
};

static int take_related(void *userdata, uint64_t seq)
{
	struct related_reading *reading = userdata;

	if (reading->n < INCIDENT_RELATED_MAX)
		reading->to->seq[reading->n] = seq;
	reading->n++;
	return 0;
}

static int read_first(struct store_reader *r, const struct incident *i,
		      struct incident_related *ret)
{
	struct stored_event first;
	int result = store_read_one(r, i->id, &first, NULL);

	if (result < 0 || first.incident != i->id)
		return result == -ENOENT ? 0 : result;
	/* Entries are removed from the oldest on: with the first one, all of them are there. */
	if (!ret->total.present)
		ret->total = OPT_U64(i->count);
	if (!i->first_ns)
		ret->created = event_created(&first.record);
	return 0;
}

int incident_read_related(struct store_reader *r, const struct incident *i,
			  struct incident_related *ret)
{
	struct related_reading reading = {.to = ret};
	int result;

	*ret = (struct incident_related){0};
	if (incident_is_only_found(i)) {
		result = store_read_finding(r, i->id, &ret->finding, NULL);
		if (result < 0)
			return result;
	}
	result = store_read_incident_entries(r, i->id, INCIDENT_RELATED_MAX + 1, take_related,
					     &reading, NULL);
	/* It was removed meanwhile. */
	if (result == -ENOENT)
		return 0;
	if (result < 0)
		return result;
	ret->n = reading.n < INCIDENT_RELATED_MAX ? reading.n : INCIDENT_RELATED_MAX;
	if (reading.n <= INCIDENT_RELATED_MAX)
		ret->total = OPT_U64(reading.n);
	return ret->total.present && i->first_ns ? 0 : read_first(r, i, ret);
}

static void put_related(const struct incident_related *related, struct json_writer *w)
{
	char uri[RESOURCE_URI_MAX];

	put_array(w, "RelatedLogEntries");
	for (size_t k = 0; k < related->n; k++) {
		event_entry_uri(related->seq[k], uri);
		put_object(w, NULL);
		put_uri(w, "@odata.id", "%s", uri);
		put_end(w);
	}
	put_end(w);
	put_number(w, "RelatedLogEntries@odata.count", related->n);
}

/* ---- the representation -----------------------------------------------------------------------
 */

static void put_nullable(struct json_writer *w, const char *key, const char *text)
{
	if (text && text[0])
		put_string(w, key, text);
	else
		put_null(w, key);
}

static void put_nullable_time(struct json_writer *w, const char *key, uint64_t ns)
{
	char text[EVENT_TIME_MAX] = "";

	if (ns)
		event_time(ns, text);
	put_nullable(w, key, text);
}

static void put_rate(const struct incident *i, uint64_t age, struct json_writer *w)
{
	const struct incident_rate rate = incident_rate(i, age);

	put_object(w, "Rate");
	put_number(w, "Hour", rate.h1);
	put_number(w, "Day", rate.h24);
	put_number(w, "Week", rate.d7);
	put_end(w);
}

static void put_pages(const struct exchange *x, const struct incident *i,
		      const struct incident_now *now, struct json_writer *w)
{
	put_array(w, "PagesNow");
	for (size_t k = 0; k < now->n_pages; k++)
		put_hex(w, NULL, now->pages[k]);
	put_end(w);
	put_array(w, "PagesThen");
	for (size_t k = 0; k < i->n_pages; k++)
		if (i->pages[k].spa != UINT64_MAX)
			put_hex(w, NULL, host_page(x->view->host, i->pages[k].spa));
	put_end(w);
}

static void put_where(const struct incident *i, const struct incident_now *now,
		      struct json_writer *w)
{
	put_string(w, "Kind", incident_kind_name(i->kind));
	put_nullable(w, "Device", i->device);
	if (i->serial)
		put_hex(w, "SerialNumber", i->serial);
	else
		put_null(w, "SerialNumber");
	put_nullable(w, "Slot", now->memdev ? now->memdev->slot : NULL);
	put_string(w, "State", incident_state_name(i->state));
	put_nullable(w, "EndReason", incident_end_text(i->end));
	put_string(w, "Place", incident_place_name(now->place));
	put_string(w, "PlaceEvidence", now->evidence);
}

static void put_act(const struct incident_now *now, struct json_writer *w)
{
	char text[INCIDENT_ACT_TEXT_MAX];

	put_string(w, "Certainty", now->certainty);
	put_nullable(w, "Source", answer_source_name(now->source));
	put_string(w, "Act", incident_act_name(now->act));
	put_string(w, "ActReason", now->reason);
	put_string(w, "ActText", incident_act_text(now, text));
}

static void put_finding_of(const struct incident_finding *f, struct json_writer *w)
{
	if (!f) {
		put_null(w, "Finding");
		return;
	}
	put_object(w, "Finding");
	put_string(w, "Code", f->code);
	put_string(w, "ObjectName", f->object);
	put_string(w, "Text", f->text);
	put_nullable(w, "NextStep", f->next);
	put_end(w);
}

static void put_links_of(const struct incident *i, const struct incident_related *related,
			 struct json_writer *w)
{
	char id[24];

	if (related->total.present)
		put_number(w, "Entries", related->total.value);
	else
		put_null(w, "Entries");
	(void)snprintf(id, sizeof(id), "%" PRIu64, i->previous);
	put_nullable(w, "Previous", i->previous ? id : NULL);
}

struct shown_incident {
	const struct incident *i;
	const struct incident_related *related;
	const struct incident_note *note;
	struct incident_now now;
	const struct incident_reading *reading;
};

static void put_oem(const struct exchange *x, const struct shown_incident *s, struct json_writer *w)
{
	const struct incident *i = s->i;

	put_oem_begin(w, "#CXLHostLogEntry.v1_0_0.LogEntry");
	put_bool(w, "Acknowledged", i->state == INCIDENT_ACKNOWLEDGED);
	put_nullable(w, "Note", s->note->text);
	put_nullable(w, "ChangedBy", s->note->changed_by);
	put_object(w, "Incident");
	put_where(i, &s->now, w);
	put_number(w, "Count", i->count);
	put_bool(w, "CountIsMinimum", i->count_is_minimum);
	put_nullable_time(w, "First", i->first_ns);
	put_nullable_time(w, "Last", i->last_ns);
	put_number(w, "LastEntry", i->last_seq);
	put_rate(i, s->reading->age, w);
	put_pages(x, i, &s->now, w);
	put_act(&s->now, w);
	put_finding_of(s->now.finding, w);
	put_links_of(i, s->related, w);
	put_incident_repairs(x, i, &s->reading->repairs, w);
	put_end(w);
	put_oem_end(w);
}

static void put_times(const struct shown_incident *s, struct json_writer *w)
{
	const uint64_t last = s->i->last_ns, changed = s->note->changed_ns;
	const uint64_t modified = changed > last ? changed : last;

	put_opt_time(w, "Created", s->i->first_ns ? OPT_U64(s->i->first_ns) : s->related->created);
	put_opt_time(w, "Modified", (struct opt_u64){modified, modified != 0});
}

static void put_links(const struct exchange *x, const struct shown_incident *s,
		      struct json_writer *w)
{
	const char *origin = incident_origin(x->view, s->i);

	if (!origin)
		put_bool(w, "OriginOfConditionUnavailable", true);
	put_object(w, "Links");
	if (origin)
		put_link(w, "OriginOfCondition", "%s", origin);
	put_related(s->related, w);
	put_end(w);
}

int put_incident(const struct exchange *x, const struct incident *i,
		 const struct incident_related *related, const struct incident_reading *reading,
		 struct json_writer *w)
{
	struct incident_note note;
	struct shown_incident s = {.i = i, .related = related, .note = &note, .reading = reading};
	char resolution[INCIDENT_RESOLUTION_MAX];
	struct incident_arguments a;
	int r = incident_now(i, x->view->host, x->view->translator, x->view->ids, NULL, &s.now);

	if (r < 0)
		return r;
	if (related->finding.code[0])
		s.now.finding = &related->finding;
	(void)incident_notes_get(x->service->incident_notes, i, &note);
	put_format(w, "Name", "Incident %" PRIu64, i->id);
	put_string(w, "EntryType", "Event");
	put_string(w, "Severity", event_severity_name(i->severity));
	put_times(&s, w);
	incident_arguments(REGISTRY_INCIDENT, i, &s.now, &a);
	put_registry_message(REGISTRY_INCIDENT, a.args, w);
	incident_resolution(&s.now, resolution);
	put_string(w, "Resolution", resolution);
	put_bool(w, "Resolved", !incident_is_open(i));
	put_links(x, &s, w);
	put_incident_actions(x, reading->row, i, &reading->repairs, w);
	put_oem(x, &s, w);
	return 0;
}

/* ---- the resource -----------------------------------------------------------------------------
 */

int incident_reading_begin(const struct exchange *x, struct store_reader *r,
			   const struct resource_type *row, uint64_t incident,
			   struct incident_reading *ret)
{
	struct incident_age then;
	int result;

	*ret = (struct incident_reading){.row = row};
	result = store_read_age(r, &then, NULL);
	if (result < 0)
		return result;
	ret->age = incident_age_at(&then, event_log_traits(log_of(x))->boot_id,
				   clock_boottime_ms() * 1000000);
	return incident_repairs_read(x, r, incident, &ret->repairs);
}

void incident_reading_end(struct incident_reading *reading)
{
	repair_entries_done(&reading->repairs.list);
}

static int read_incident(struct exchange *x, struct store_reader *r, uint64_t id)
{
	struct incident_reading reading = {0};
	struct incident_related related;
	struct incident i;
	int result = store_read_incident(r, id, &i, NULL);

	if (result == 0)
		result = incident_reading_begin(x, r, x->resource->type, id, &reading);
	if (result == 0)
		result = incident_read_related(r, &i, &related);
	if (result >= 0)
		result = put_incident(x, &i, &related, &reading, &x->w);
	incident_reading_end(&reading);
	return result;
}

int get_incident(struct exchange *x)
{
	struct store_reader *r;
	uint64_t id;
	int result;

	if (!log_of(x))
		return exchange_missing(x);
	result = incident_number(x, &id);
	if (result == 0)
		result = event_log_reader_get(log_of(x), &r, NULL);
	if (result < 0)
		return result;
	result = read_incident(x, r, id);
	event_log_reader_put(log_of(x), r, result == -ENOENT ? 0 : result);
	return result == -ENOENT ? exchange_missing(x) : result;
}
