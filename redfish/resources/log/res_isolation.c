// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The log of pages that are to stay out of use, in the form of bmcweb's HardwareIsolation. Its
// entries are the remembered pages. All of it waits for the disk, so it is jobs.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_service.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/view/view.h"

/* A page helper that does not answer is given up after PAGE_SILENCE_MS. */
enum { BACK_RUN_MS = PAGE_SILENCE_MS + 10 * 1000 };

static struct page_keeper *keeper_of(const struct exchange *x)
{
	return x->service->page_keeper;
}

static int get_isolation(struct exchange *x)
{
	struct json_writer *w = &x->w;
	const bool is_kept = keeper_of(x);

	put_string(w, "Name", "Hardware Isolation");
	put_string(
		w, "Description",
		"Pages of CXL memory that are to stay out of use, over reboots and new dax devices");
	put_bool(w, "ServiceEnabled", is_kept);
	put_string(w, "LogEntryType", "Event");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Operations");
	put_end(w);
	put_state(w, is_kept ? "Enabled" : "Disabled");
	if (is_kept) {
		put_number(w, "MaxNumberOfRecords", page_keeper_limits(keeper_of(x)).total);
		put_string(w, "OverWritePolicy", "NeverOverWrites");
		put_bool(w, "Persistency", true);
	}
	put_link(w, "Entries", "%s/Entries", x->resource->uri);
	put_actions(x->resource, w);
	return 0;
}

/* ---- LogEntry ---------------------------------------------------------------------------------
 */

static const char *describe_state(const struct remembered_page *p)
{
	static const char *const texts[REMEMBERED_STATES] = {
		[REMEMBERED_KNOWN] = "was imported, and is to be taken out of use",
		[REMEMBERED_RESERVED] = "was being taken out of use: the result is not known",
		[REMEMBERED_OUT] = "is out of use",
		[REMEMBERED_REFUSED] = "was not taken out of use",
		[REMEMBERED_FAILED] = "could not be taken out of use",
		[REMEMBERED_UNVERIFIABLE] =
			"was to be taken out of use: the result cannot be verified",
		[REMEMBERED_RETURNED] = "is not taken out of use again",
		[REMEMBERED_FENCED] = "is in a memory block that was taken offline",
	};

	return texts[p->state];
}

static void put_isolated(const struct remembered_page *p, struct json_writer *w)
{
	put_oem_begin(w, "#CXLHostLogEntry.v1_0_0.LogEntry");
	put_object(w, "IsolatedPage");
	put_string(w, "State", remembered_state_name(p->state));
	put_string(w, "Cause", page_cause_name(p->cause));
	put_string(w, "Mode", p->hard ? "Hard" : "Soft");
	put_hex(w, "DevicePhysicalAddress", p->dpa);
	put_number(w, "LengthBytes", p->length);
	/* The mapping may be another one since the last write. */
	if (p->spa)
		put_hex(w, "LastSystemPhysicalAddress", p->spa);
	if (p->online_us)
		put_number(w, "OutAfterOnlineMicroseconds", p->online_us);
	if (p->incident)
		put_number(w, "Incident", p->incident);
	put_opt_time(w, "LastResultTime",
		     p->settled_ns ? OPT_U64(p->settled_ns) : (struct opt_u64){0});
	put_end(w);
	put_oem_end(w);
}

static void put_origin(const struct exchange *x, const struct remembered_page *p,
		       struct json_writer *w)
{
	char uri[RESOURCE_URI_MAX];

	(void)snprintf(uri, sizeof(uri), URI_MEMORY, p->device);
	if (!resource_find(x->view->index, uri)) {
		put_bool(w, "OriginOfConditionUnavailable", true);
		return;
	}
	put_object(w, "Links");
	put_link(w, "OriginOfCondition", "%s", uri);
	put_end(w);
}

static void put_entry(const struct exchange *x, const struct remembered_page *p,
		      struct json_writer *w)
{
	put_string(w, "Name", "Hardware Isolation Entry");
	put_string(w, "EntryType", "Event");
	put_string(w, "Severity",
		   health_name(p->cause == PAGE_BY_POLICY ? HEALTH_CRITICAL : HEALTH_WARNING));
	put_opt_time(w, "Created", OPT_U64(p->created_ns));
	put_opt_time(w, "EventTimestamp", OPT_U64(p->created_ns));
	put_format(w, "Message", "The page at device address 0x%" PRIx64 " of %s %s.%s%s", p->dpa,
		   p->device, describe_state(p), p->text[0] ? " " : "", p->text);
	put_bool(w, "Resolved", p->state == REMEMBERED_RETURNED);
	put_string(w, "OriginatorType", p->cause == PAGE_BY_POLICY ? "Internal" : "Client");
	/* As in the audit log. */
	if (p->user[0] && x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER)
		put_string(w, "Username", p->user);
	put_origin(x, p, w);
	put_isolated(p, w);
}

/* Only the canonical form of a number is an Id. Return: 0: there is no such entry. */
static uint64_t id_of(const struct exchange *x)
{
	const char *text = exchange_id(x, 0);
	uint64_t id;

	if (!keeper_of(x) || !text || strspn(text, "0123456789") != strlen(text) ||
	    text[0] == '0' || parse_u64(text, &id) < 0 || id > INT64_MAX)
		return 0;
	return id;
}

static int read_entry(struct exchange *x, void *state)
{
	struct remembered_page p;
	int r = state_read_page(page_keeper_state(keeper_of(x)), id_of(x), &p, NULL);

	(void)state;
	if (r == 0)
		put_entry(x, &p, &x->w);
	return r == -ENOENT ? exchange_missing(x) : r;
}

static const struct continuation entry_reading = {.class = JOB_SLOW_READS, .run = read_entry};

static int get_entry(struct exchange *x)
{
	if (id_of(x) == 0)
		return exchange_missing(x);
	return x->job ? read_entry(x, NULL) : exchange_continue(x, &entry_reading, NULL);
}

/* ---- Entries ----------------------------------------------------------------------------------
 */

static void put_members(const struct exchange *x, const struct remembered_pages *list,
			struct json_writer *w)
{
	const struct query *q = &x->query;
	uint64_t skipped = 0, shown = 0, last = 0;
	char next[QUERY_LINK_MAX];

	put_array(w, "Members");
	for (size_t i = 0; i < list->n; i++) {
		const struct remembered_page *p = &list->items[i];

		if (p->id <= q->skiptoken || skipped++ < q->skip || shown++ >= q->top)
			continue;
		put_object(w, NULL);
		put_uri(w, "@odata.id", "%s/%" PRIu64, x->resource->uri, p->id);
		put_string(w, "@odata.type", LOG_ENTRY_TYPE);
		put_format(w, "Id", "%" PRIu64, p->id);
		put_entry(x, p, w);
		put_end(w);
		last = p->id;
	}
	put_end(w);
	put_number(w, "Members@odata.count", list->n);
	if (shown <= q->top || last == 0)
		return;
	query_next_link(q, x->resource->uri, "$skiptoken", last, next);
	put_string(w, "Members@odata.nextLink", next);
}

static int read_entries(struct exchange *x, void *state)
{
	struct remembered_pages list = {0};
	int r = 0;

	(void)state;
	if (keeper_of(x))
		r = state_read_pages(page_keeper_state(keeper_of(x)), &list, NULL);
	put_string(&x->w, "Name", x->resource->type->title);
	if (r == 0)
		put_members(x, &list, &x->w);
	remembered_pages_done(&list);
	return r;
}

static const struct continuation entries_reading = {.class = JOB_SLOW_READS, .run = read_entries};

static int get_entries(struct exchange *x)
{
	if (x->job || !keeper_of(x))
		return read_entries(x, NULL);
	return exchange_continue(x, &entries_reading, NULL);
}

/* ---- back into use ----------------------------------------------------------------------------
 */

/* Return: as page_keeper_bring_back(); an entry that stays is noted in the answer. */
static int bring_back(struct exchange *x, uint64_t id)
{
	char text[REMEMBERED_TEXT_MAX], number[24];
	struct error e = {0};
	int r = page_keeper_bring_back(keeper_of(x), x->view->host, x->view->translator,
				       x->view->ids, id, text, &e);

	if (r < 0 && r != -ENOENT)
		log_err("entry %" PRIu64 " of the hardware isolation log is not removed: %s", id,
			e.text);
	if (r < 0 || !text[0])
		return r;
	(void)snprintf(number, sizeof(number), "%" PRIu64, id);
	message_set(&x->message, MESSAGE_PAGE_STAYS_OUT, number, text, NULL);
	exchange_add_result(x);
	return 0;
}

static int remove_in_job(struct exchange *x, void *state)
{
	int r = bring_back(x, id_of(x));

	(void)state;
	return r == -ENOENT ? exchange_missing(x) : r;
}

static const struct continuation removing = {
	.class = JOB_CHANGES,
	.run_ms = BACK_RUN_MS,
	.run = remove_in_job,
};

static int remove_entry(struct exchange *x)
{
	return id_of(x) ? exchange_continue(x, &removing, NULL) : exchange_missing(x);
}

static int clear_list(struct exchange *x, const struct remembered_pages *list)
{
	int r = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (job_is_cancelled(x->job))
			return -ECANCELED;
		/* Resolved already: the next boot brings it back. */
		if (list->items[i].state != REMEMBERED_RETURNED)
			r = bring_back(x, list->items[i].id);
		if (r < 0 && r != -ENOENT)
			return r;
		exchange_progress(x, i + 1, list->n, "entries");
	}
	return 0;
}

static int clear_in_job(struct exchange *x, void *state)
{
	const char *etag = state;
	char uri[] = URI_ISOLATION "/Entries";
	struct remembered_pages list = {0};
	int r = *etag ? log_check_entries(x, uri, etag) : 0;

	if (r == 0)
		r = state_read_pages(page_keeper_state(keeper_of(x)), &list, NULL);
	if (r == 0)
		r = clear_list(x, &list);
	remembered_pages_done(&list);
	return r;
}

static const struct continuation clearing = {
	.class = JOB_CHANGES,
	.is_task = true,
	.can_cancel = true,
	.run_ms = BACK_RUN_MS,
	.run = clear_in_job,
	.free = free,
};

static int run_clear(struct exchange *x)
{
	char *copy;

	if (!keeper_of(x))
		return -ENOENT;
	copy = log_clear_etag_copy(x);
	return copy ? exchange_continue(x, &clearing, copy) : -ENOMEM;
}

static const struct action isolation_actions[] = {
	{"LogService.ClearLog", &log_clear_parameters, .standard = true, .run = run_clear},
};

/* ---- rows -------------------------------------------------------------------------------------
 */

static const struct resource_type isolation_types[] = {
	{.pattern = URI_ISOLATION,
	 SCHEMA("LogService", "v1_9_0"),
	 .get = get_isolation,
	 ACTIONS(isolation_actions)},
	{.pattern = URI_ISOLATION "/Entries",
	 COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Log Entries"),
	 .get = get_entries,
	 .options = QUERY_PAGING},
	{.pattern = URI_ISOLATION "/Entries/{LogEntry}",
	 SCHEMA("LogEntry", LOG_ENTRY_VERSION),
	 .dynamic = true,
	 .get = get_entry,
	 .compared_in_job = true,
	 .remove = remove_entry},
};

const struct resource_rows isolation_rows = RESOURCE_ROWS(isolation_types);
