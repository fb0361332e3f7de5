// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The log of incidents: a LogService of the host, and its entries.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/log.h"
#include "events/event_log.h"
#include "events/store_incidents.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/resources/incident/incident_entry.h"
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_service.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/service/service.h"
#include "redfish/service/show_change.h"
#include "redfish/state/incident_notes.h"

/* Members of a page: each may link INCIDENT_RELATED_MAX entries. */
enum { PAGE_MAX = 50, ENTRY_ROW = 2 };

/* ---- LogService -------------------------------------------------------------------------------
 */

static int get_incident_log(struct exchange *x)
{
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Incidents");
	put_string(w, "Description", "Events of the CXL devices of the host that belong together");
	put_bool(w, "ServiceEnabled", log_of(x));
	put_string(w, "LogEntryType", "Event");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Diagnostic");
	put_end(w);
	put_number(w, "MaxNumberOfRecords", STORE_INCIDENTS_MAX + STORE_ENDED_INCIDENTS_MAX);
	put_string(w, "OverWritePolicy", "WrapsWhenFull");
	if (log_of(x)) {
		put_opt_bool(w, "Persistency", event_log_traits(log_of(x))->persistent);
		put_log_status(x->view, x->resource, w);
	} else {
		put_object(w, "Status");
		put_string(w, "State", "Disabled");
		put_end(w);
	}
	put_link(w, "Entries", "%s/Entries", x->resource->uri);
	put_actions(x->resource, w);
	return 0;
}

/* ---- ClearLog ---------------------------------------------------------------------------------
 */

static int remove_ended(struct store *store, void *userdata)
{
	return store_clear_incidents(store, *(const uint64_t *)userdata, NULL);
}

static bool is_gone(void *userdata, uint64_t incident)
{
	struct incident i;

	return store_read_incident(userdata, incident, &i, NULL) == -ENOENT;
}

static int remove_notes(struct exchange *x)
{
	struct error e = {0};
	struct store_reader *r;
	int result = event_log_reader_get(log_of(x), &r, NULL);

	if (result < 0)
		return result;
	result = incident_notes_remove(x->service->incident_notes, is_gone, r, &e);
	event_log_reader_put(log_of(x), r, 0);
	return result;
}

/* The newest number now: incidents that the client cannot have read stay. */
static int find_last(struct exchange *x, uint64_t *ret)
{
	struct store_info info;
	struct store_reader *r;
	int result = event_log_reader_get(log_of(x), &r, NULL);

	if (result < 0)
		return result;
	result = store_read_info(r, &info, NULL);
	event_log_reader_put(log_of(x), r, result);
	*ret = result == 0 ? info.next : 0;
	return result;
}

static int clear_incidents(struct exchange *x, void *state)
{
	const char *etag = state;
	char entries[] = URI_HOST_INCIDENTS "/Entries";
	uint64_t upto;
	int r = find_last(x, &upto);

	if (r >= 0 && *etag)
		r = log_check_entries(x, entries, etag);
	if (r >= 0)
		r = event_log_do(log_of(x), remove_ended, &upto);
	if (r >= 0)
		r = remove_notes(x);
	if (r >= 0)
		log_info("incidents that have ended were removed by %s", exchange_client(x));
	return r;
}

static const struct continuation clearing = {
	.class = JOB_CLEARING,
	.run = clear_incidents,
	.free = free,
};

static int run_clear_log(struct exchange *x)
{
	char *copy;

	if (!log_of(x))
		return -ENOENT;
	copy = log_clear_etag_copy(x);
	return copy ? exchange_continue(x, &clearing, copy) : -ENOMEM;
}

static const struct action log_actions[] = {
	{"LogService.ClearLog", &log_clear_parameters, .standard = true, .run = run_clear_log},
};

/* ---- Entries ----------------------------------------------------------------------------------
 */

DEFINE_ARRAY(struct incident, incident_list);

struct listing {
	struct exchange *x;
	const struct filter *filter; /* NULL: all */
	struct incident_reading reading;
	uint64_t matching, skipped;
	size_t max;
	struct incident_list page;
	uint64_t beyond; /* the number of the first one behind the page; 0 none */
	bool more;
};

static int take(struct listing *l, const struct incident *i)
{
	struct incident *to;

	l->more = l->page.n == l->max;
	if (l->more && l->beyond == 0)
		l->beyond = i->id;
	if (l->more)
		return 1;
	to = incident_list_add(&l->page);
	if (!to)
		return -ENOMEM;
	*to = *i;
	return 0;
}

static int take_any(void *userdata, const struct incident *i)
{
	struct listing *l = userdata;

	return l->skipped++ < l->x->query.skip ? 0 : take(l, i);
}

/* Links to entries are not in it: no filter is about them. Return: 1, 0 or a negative errno. */
static int matches(const struct listing *l, const struct incident *i)
{
	static const struct incident_related none;
	_cleanup_writer_ struct json_writer w = {0};
	int r;

	put_object(&w, NULL);
	r = put_incident(l->x, i, &none, &l->reading, &w);
	put_end(&w);
	if (r < 0 || w.failed)
		return -ENOMEM;
	return filter_matches(l->filter, (struct json_span){w.text, w.len});
}

/* All that match are counted, and those of the page are taken. */
static int take_matching(void *userdata, const struct incident *i)
{
	struct listing *l = userdata;
	const struct query *q = &l->x->query;
	int r = exchange_interrupted(l->x);

	if (r == 0)
		r = matches(l, i);
	if (r <= 0)
		return r;
	l->matching++;
	if (i->id <= q->skiptoken || l->skipped++ < q->skip)
		return 0;
	r = take(l, i);
	return r < 0 ? r : 0;
}

static int read_all(struct listing *l, struct store_reader *r)
{
	int result = store_read_incidents_after(r, l->x->query.skiptoken, take_any, l, NULL);

	return result < 0 ? result : store_count_incidents(r, &l->matching, NULL);
}

static int read_matching(struct listing *l, struct store_reader *r)
{
	struct filter *filter = malloc(sizeof(*filter));
	int result = filter ? filter_parse(l->x->query.filter, filter, &l->x->message) : -ENOMEM;

	l->filter = filter;
	if (result >= 0)
		result = store_read_incidents_after(r, 0, take_matching, l, NULL);
	free(filter);
	return result;
}

static int put_member(const struct listing *l, struct store_reader *r, const struct incident *i)
{
	struct json_writer *w = &l->x->w;
	struct incident_related related;
	int result = incident_read_related(r, i, &related);

	if (result < 0)
		return result;
	put_object(w, NULL);
	put_uri(w, "@odata.id", "%s/%" PRIu64, l->x->resource->uri, i->id);
	put_string(w, "@odata.type", LOG_ENTRY_TYPE);
	put_format(w, "Id", "%" PRIu64, i->id);
	result = put_incident(l->x, i, &related, &l->reading, w);
	put_end(w);
	return result;
}

/* By the number of the last one, so that those that come or go meanwhile do not shift the pages. */
static void put_next_link(const struct listing *l, struct json_writer *w)
{
	char link[QUERY_LINK_MAX];

	query_next_link(&l->x->query, l->x->resource->uri, "$skiptoken",
			l->page.items[l->page.n - 1].id, link);
	put_string(w, "Members@odata.nextLink", link);
}

static int put_page(struct listing *l, struct store_reader *r)
{
	struct json_writer *w = &l->x->w;
	int result = 0;

	put_string(w, "Name", l->x->resource->type->title);
	put_array(w, "Members");
	for (size_t k = 0; k < l->page.n && result >= 0; k++)
		result = put_member(l, r, &l->page.items[k]);
	put_end(w);
	put_number(w, "Members@odata.count", l->matching);
	exchange_next_entry(l->x, l->beyond, l->page.n > 0 ? l->page.items[l->page.n - 1].id : 0);
	if (l->more && l->page.n > 0)
		put_next_link(l, w);
	return result;
}

static int read_page(struct exchange *x, struct store_reader *r)
{
	struct listing l = {.x = x, .max = x->query.top < PAGE_MAX ? x->query.top : PAGE_MAX};
	int result = incident_reading_begin(x, r, &incident_rows.rows[ENTRY_ROW], 0, &l.reading);

	if (result >= 0)
		result = x->query.filter ? read_matching(&l, r) : read_all(&l, r);
	if (result >= 0)
		result = put_page(&l, r);
	incident_list_done(&l.page);
	incident_reading_end(&l.reading);
	return result < 0 ? result : 0;
}

static int read_incidents(struct exchange *x, void *state)
{
	struct store_reader *r;
	int result = event_log_reader_get(log_of(x), &r, NULL);

	(void)state;
	if (result < 0)
		return result;
	result = read_page(x, r);
	event_log_reader_put(log_of(x), r, result == -EINVAL ? 0 : result);
	return result;
}

static const struct continuation reading = {
	.class = JOB_SLOW_READS,
	.run = read_incidents,
};

static int get_incidents(struct exchange *x)
{
	if (!log_of(x))
		return put_no_entries(x);
	return x->job ? read_incidents(x, NULL) : exchange_continue(x, &reading, NULL);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static const struct action entry_actions[] = {
	{"CXLHostLogEntry.Repair", .run = run_incident_repair},
};

static const struct resource_type incident_types[] = {
	{.pattern = URI_HOST_INCIDENTS,
	 SCHEMA("LogService", "v1_9_0"),
	 .get = get_incident_log,
	 .status = put_log_status,
	 ACTIONS(log_actions)},
	{.pattern = URI_HOST_INCIDENTS "/Entries",
	 COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Incidents"),
	 .get = get_incidents,
	 .options = QUERY_PAGING | QUERY_FILTER | QUERY_CONTEXT},
	[ENTRY_ROW] = {.pattern = URI_HOST_INCIDENTS "/Entries/{LogEntry}",
		       SCHEMA("LogEntry", LOG_ENTRY_VERSION),
		       .dynamic = true,
		       .get = get_incident,
		       .patch = patch_incident,
		       .patch_body = &incident_patch_body,
		       ACTIONS(entry_actions)},
};

const struct resource_rows incident_rows = RESOURCE_ROWS(incident_types);
