// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The logs: of the whole host, and of each device, which are the same entries.
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_service.h"
#include "redfish/resources/log/log_store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/strutil.h"
#include "events/event_log.h"
#include "http/negotiation.h"
#include "redfish/feed/event_message.h"
#include "redfish/resources/finding_message.h"
#include "redfish/resources/log/log_filter.h"
#include "redfish/resources/status.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"
#include "redfish/service/show_change.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/enumerators.h"

/* Skipping entries and counting matches take time for each entry: above this number, a job does it.
 */
enum { SKIP_AT_ONCE = 1000 };

#define ENTRIES_ETAG "LogEntriesETag"

/* ---- LogService --------------------------------------------------------------------------------
 */

struct overflow_search {
	const char *device; /* NULL: of any */
	bool found;
};

static int look_at_group(void *userdata, const struct event_group *group)
{
	struct overflow_search *o = userdata;

	/* Until ClearLog. Records lost before the store are counted for the host. */
	if (group->n > 0 && (!o->device || str_equal(o->device, group->device)))
		o->found |= group->type == EVENT_OVERFLOW || event_type_is_loss(group->type);
	return 0;
}

struct loss_list {
	struct json_writer *w;
	bool begun;
};

static int put_loss(void *userdata, const struct event_loss *loss)
{
	struct loss_list *l = userdata;
	struct json_writer *w = l->w;

	if (!l->begun)
		put_array(w, "LostRecords");
	l->begun = true;
	put_object(w, NULL);
	put_string(w, "Place", loss->place);
	put_number(w, "Gaps", loss->gaps);
	put_number(w, "Records", loss->n);
	put_end(w);
	return 0;
}

void put_log_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const char *fault = v->inputs.recording_faults.text[RECORDING_FAULT_NOT_STORED];
	const struct finding f = {
		.code = FINDING_EVENTS_NOT_STORED,
		.object = "host",
		.args = {finding_text(fault)},
	};

	(void)r;
	put_object(w, "Status");
	put_string(w, "State", fault[0] ? "UnavailableOffline" : "Enabled");
	put_string(w, "Health", health_name(fault[0] ? finding_severity(&f) : HEALTH_OK));
	if (fault[0]) {
		put_array(w, "Conditions");
		put_finding_condition(v, &f, NULL, w);
		put_end(w);
	}
	put_end(w);
}

static int put_host_oem(struct store_reader *r, const struct store_status *s, struct json_writer *w)
{
	struct loss_list l = {w, false};
	int result = 0;

	put_oem_begin(w, "#CXLHostLogService.v1_0_0.LogService");
	put_number(w, "QueuedEvents", s->queued);
	put_number(w, "DroppedEvents", s->dropped);
	put_number(w, "RefusedEvents", s->refused);
	if (r)
		result = store_read_losses(r, put_loss, &l, NULL);
	if (l.begun)
		put_end(w);
	put_oem_end(w);
	return result;
}

static void put_common(struct exchange *x, struct json_writer *w)
{
	put_bool(w, "ServiceEnabled", log_of(x));
	/* Records of the devices' logs beside errors of links, poison and losses. */
	put_string(w, "LogEntryType", "Multiple");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Diagnostic");
	put_end(w);
	put_link(w, "Entries", "%s/Entries", x->resource->uri);
	put_actions(x->resource, w);
}

/*
 * Puts the properties of the entries that are served: those of a device are a part of the one log
 * of the service, which has one limit for all.
 */
static void put_traits(const struct event_log_traits *traits, struct json_writer *w)
{
	put_number(w, "MaxNumberOfRecords", traits->max_records);
	put_string(w, "OverWritePolicy",
		   traits->policy == STORE_WRAPS_WHEN_FULL ? "WrapsWhenFull" : "NeverOverWrites");
	put_opt_bool(w, "Persistency", traits->persistent);
}

/* Without a store no overflow is known. */
static int put_overflow(struct exchange *x, struct store_reader *r, struct json_writer *w)
{
	struct overflow_search o = {.device = log_device(x)};
	int result;

	if (!r)
		return 0;
	result = store_read_groups(r, look_at_group, &o, NULL);
	if (result >= 0)
		put_bool(w, "Overflow", o.found);
	return result;
}

static int put_host_log(struct exchange *x, struct store_reader *r, struct json_writer *w)
{
	struct store_status status;
	int result;

	put_string(w, "Name", "CXL Event Log");
	put_string(w, "Description", "The events of all CXL devices and ports of the host");
	put_common(x, w);
	if (!log_of(x)) {
		put_state(w, "Disabled");
		return 0;
	}
	put_traits(event_log_traits(log_of(x)), w);
	result = put_overflow(x, r, w);
	event_log_status(log_of(x), &status);
	put_log_status(x->view, x->resource, w);
	return result < 0 ? result : put_host_oem(r, &status, w);
}

/*
 * The device's own event logs, from which the kernel moves each record at once. They discard new
 * records when they are full, and report an overflow (CXL 3.2 8.2.10.2.2).
 */
static void put_device_oem(const struct mailbox *mb, struct json_writer *w)
{
	put_oem_begin(w, "#CXLHostLogService.v1_0_0.LogService");
	put_object(w, "Device");
	put_string(w, "OverWritePolicy", "NeverOverWrites");
	put_opt_bool(w, "Persistency", mb->log_persistent);
	put_opt_number(w, "MaxNumberOfRecords", mb->event_records);
	put_end(w);
	put_oem_end(w);
}

static int put_device_log(struct exchange *x, struct store_reader *r, struct json_writer *w)
{
	const struct memdev *m = x->resource->object;

	put_format(w, "Name", "Event log of %s", m->name);
	put_common(x, w);
	if (log_of(x)) {
		put_log_status(x->view, x->resource, w);
		put_traits(event_log_traits(log_of(x)), w);
	}
	put_device_oem(view_mailbox(x->view, m), w);
	return put_overflow(x, r, w);
}

/* While the store cannot be read, the log is shown without the properties that need it. */
static int get_log(struct exchange *x,
		   int (*put)(struct exchange *x, struct store_reader *r, struct json_writer *w))
{
	struct store_reader *r = NULL;
	int result;

	if (log_of(x) && event_log_reader_get(log_of(x), &r, NULL) < 0)
		r = NULL;
	result = put(x, r, &x->w);
	if (r)
		event_log_reader_put(log_of(x), r, result);
	return result;
}

static int get_host_log(struct exchange *x)
{
	return get_log(x, put_host_log);
}

static int get_device_log(struct exchange *x)
{
	return get_log(x, put_device_log);
}

/* ---- ClearLog ----------------------------------------------------------------------------------
 */

struct clear_job {
	struct exchange *x;
	const char *device;
	uint64_t upto;
	uint64_t done, total; /* entries */
	bool check_etag;
	char etag[ETAG_MAX]; /* then: what the entries must have */
};

static int log_clear(struct store *store, void *userdata)
{
	struct clear_job *c = userdata;
	bool more;
	int r;

	if (job_is_cancelled(c->x->job))
		return -ECANCELED;
	r = store_clear(store, c->device, c->upto, &more, NULL);
	if (r < 0)
		return r;
	c->done = more ? c->done + STORE_STEP : c->total;
	exchange_progress(c->x, c->done, c->total, "entries");
	return more;
}

static int refuse_changed(struct exchange *x)
{
	(void)exchange_refuse(x, MESSAGE_PRECONDITION_FAILED, NULL, NULL, NULL);
	x->message.status = 428; /* LogService v1_9_0, LogEntriesETag */
	return -EINVAL;
}

int log_check_entries(struct exchange *x, char *uri, const char *etag)
{
	_cleanup_representation_ struct representation *now = NULL;
	const struct query first_page = {.top = QUERY_TOP_DEFAULT};
	struct resource *entries;
	int r;

	/* Longer than any entity tag. */
	if (strlen(etag) >= ETAG_MAX)
		return refuse_changed(x);
	entries = resource_find(x->view->index, uri);
	r = entries ? exchange_represent(x, entries, &first_page, &now) : -EINVAL;
	if (r < 0)
		return r;
	return etag_matches(etag, now->etag) ? 0 : refuse_changed(x);
}

static int check_entries(struct exchange *x, const char *etag)
{
	char uri[RESOURCE_URI_MAX];

	if (log_device(x))
		(void)snprintf(uri, sizeof(uri), URI_DEVICE_LOG "/Entries", log_device(x));
	else
		(void)snprintf(uri, sizeof(uri), "%s", URI_HOST_LOG "/Entries");
	return log_check_entries(x, uri, etag);
}

static const struct parameter clear_rows[] = {
	{.name = ENTRIES_ETAG,
	 .type = PARAMETER_TEXT,
	 .description = "the entity tag of the entries: others than these are not cleared"},
};

const struct parameters log_clear_parameters = {PARAMETER_ROWS(clear_rows)};

const char *log_clear_etag(const struct exchange *x)
{
	return body_text(x, ENTRIES_ETAG);
}

/* An empty tag belongs to no representation. */
char *log_clear_etag_copy(const struct exchange *x)
{
	const char *etag = log_clear_etag(x);

	return strdup(etag && !*etag ? "\"\"" : etag ? etag : "");
}

/* The newest entry now: entries that the client cannot have read are not cleared. */
static int find_last(struct exchange *x, struct clear_job *c)
{
	const struct event_filter filter = {.device = c->device};
	struct store_info info;
	struct store_reader *r;
	int result = event_log_reader_get(log_of(x), &r, NULL);

	if (result < 0)
		return result;
	result = store_read_info(r, &info, NULL);
	if (result >= 0)
		result = store_count(r, &filter, &c->total, NULL);
	event_log_reader_put(log_of(x), r, result);
	if (result >= 0)
		c->upto = info.newest;
	return result;
}

static int clear_entries(struct exchange *x, void *state)
{
	struct clear_job *c = state;
	int r;

	c->x = x;
	c->device = log_device(x);
	r = find_last(x, c);
	if (r >= 0 && c->check_etag)
		r = check_entries(x, c->etag);
	if (r < 0 || c->upto == 0)
		return r;
	r = event_log_do(log_of(x), log_clear, c);
	/* A part of the entries may be gone when it failed. */
	show_change(x, VIEW_INPUT_EVENT_HEALTH);
	if (r >= 0)
		log_info("the log of %s was cleared by %s", c->device ? c->device : "all events",
			 exchange_client(x));
	return r;
}

static const struct continuation clearing = {
	.class = JOB_CLEARING,
	.can_cancel = true,
	.run = clear_entries,
	.free = free,
};

static int run_clear_log(struct exchange *x)
{
	const char *etag = log_clear_etag(x);
	struct clear_job *c;

	if (!log_of(x))
		return -ENOENT;
	/* Longer than any entity tag. */
	if (etag && strlen(etag) >= ETAG_MAX)
		return refuse_changed(x);
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->check_etag = etag;
	(void)snprintf(c->etag, sizeof(c->etag), "%s", etag ? etag : "");
	return exchange_continue(x, &clearing, c);
}

static const struct action log_actions[] = {
	{"LogService.ClearLog", &log_clear_parameters, .standard = true, .run = run_clear_log},
};

/* ---- Entries -----------------------------------------------------------------------------------
 */

struct listing {
	struct exchange *x;
	struct json_writer *w;
	/* Another connection, for the first one is in a call; NULL when no log overflowed. */
	struct store_reader *overflows;
	uint64_t last, beyond; /* numbers of the last entry of the page and of the next one; 0 */
	size_t n;
	bool more; /* there is a next page */
};

static int put_member(void *userdata, const struct stored_event *ev)
{
	struct listing *l = userdata;
	struct log_overflow overflow = {0};
	int r = 0;

	l->more = l->n == l->x->query.top;
	if (l->more) {
		l->beyond = ev->seq;
		return 1;
	}
	if (l->overflows)
		r = log_overflow_after(l->overflows, ev, &overflow);
	if (r < 0)
		return r;
	put_object(l->w, NULL);
	put_uri(l->w, "@odata.id", "%s/%" PRIu64, l->x->resource->uri, ev->seq);
	put_string(l->w, "@odata.type", LOG_ENTRY_TYPE);
	put_format(l->w, "Id", "%" PRIu64, ev->seq);
	put_log_entry(l->x, ev, &overflow, l->w);
	put_end(l->w);
	l->last = ev->seq;
	l->n++;
	return 0;
}

/* By the number of the last entry, so that entries added or removed meanwhile do not shift the
 * pages. */
static void put_next_link(const struct listing *l, struct json_writer *w)
{
	char link[QUERY_LINK_MAX];

	query_next_link(&l->x->query, l->x->resource->uri, "$skiptoken", l->last, link);
	put_string(w, "Members@odata.nextLink", link);
}

static int put_page(struct listing *l, struct store_reader *r, const struct event_filter *filter)
{
	const struct query *query = &l->x->query;
	const struct event_page page = {
		.from = query->skiptoken,
		.skip = query->skip,
		.max = query->top + 1, /* to see whether there is more */
	};
	uint64_t count;
	int result = event_log_count(log_of(l->x), r, filter, &count, NULL);

	if (result < 0)
		return result;
	put_string(l->w, "Name", l->x->resource->type->title);
	put_array(l->w, "Members");
	result = store_read_page(r, filter, &page, put_member, l, NULL);
	put_end(l->w);
	if (result < 0)
		return result;
	put_number(l->w, "Members@odata.count", count);
	exchange_next_entry(l->x, l->beyond, l->last);
	if (l->more && l->n > 0)
		put_next_link(l, l->w);
	return 0;
}

/* Return: 1 when this log has an overflow, so that each entry must be checked for one. */
static int has_overflows(struct store_reader *r, const char *device)
{
	const struct event_filter filter = {.device = device, .types = 1U << EVENT_OVERFLOW};
	uint64_t n;
	int result = store_count(r, &filter, &n, NULL);

	return result < 0 ? result : n > 0;
}

static int query_interrupted(void *userdata)
{
	return exchange_interrupted(userdata);
}

/* In a job: what makes it wait has a limit. */
static void limit_query(struct exchange *x, struct store_reader *r)
{
	const struct store_limit limit = {.steps = x->service->limits.query_steps,
					  .interrupted = query_interrupted,
					  .userdata = x};

	if (x->job)
		store_reader_limit(r, &limit);
}

static int read_page(struct exchange *x, struct store_reader *r, const struct event_filter *filter,
		     struct json_writer *w)
{
	struct listing l = {.x = x, .w = w};
	int result = has_overflows(r, filter->device);

	if (result == 1)
		result = event_log_reader_get(log_of(x), &l.overflows, NULL);
	if (l.overflows)
		limit_query(x, l.overflows);
	if (result >= 0)
		result = put_page(&l, r, filter);
	if (l.overflows)
		event_log_reader_put(log_of(x), l.overflows, result);
	return result;
}

static int read_entries(struct exchange *x, const struct event_filter *filter)
{
	struct store_reader *r;
	int result = event_log_reader_get(log_of(x), &r, NULL);

	if (result < 0)
		return result;
	limit_query(x, r);
	result = read_page(x, r, filter, &x->w);
	event_log_reader_put(log_of(x), r, result);
	return result;
}

/* The query would fail again: the message says how to make it smaller. */
static int refuse_too_much(struct exchange *x)
{
	char skip[32];

	if (x->query.filter)
		return exchange_refuse(
			x, MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, x->query.filter, "$filter",
			"that one query may search; use narrower limits of Created or of Oem/CXLHost/SystemPhysicalAddress");
	(void)snprintf(skip, sizeof(skip), "%" PRIu64, x->query.skip);
	return exchange_refuse(x, MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, skip, "$skip",
			       "that one query may search; follow Members@odata.nextLink instead");
}

static int read_slowly(struct exchange *x, void *state)
{
	int r = read_entries(x, state);

	return r == -E2BIG ? refuse_too_much(x) : r;
}

static const struct continuation slow_read = {
	.class = JOB_SLOW_READS,
	.run = read_slowly,
	.free = free,
};

static int continue_reading(struct exchange *x, const struct event_filter *filter)
{
	struct event_filter *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *filter; /* its device is the view's, which the exchange holds */
	return exchange_continue(x, &slow_read, copy);
}

static int get_entries(struct exchange *x)
{
	struct event_filter filter = {.device = log_device(x)};
	int r = 0;

	if (x->query.filter)
		r = log_filter_parse(x->query.filter, &filter, &x->message);
	if (r < 0)
		return r;
	if (!log_of(x))
		return put_no_entries(x);
	if (!x->job && (x->query.filter || x->query.skip > SKIP_AT_ONCE))
		return continue_reading(x, &filter);
	return read_entries(x, &filter);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* Entries of the host's log, and of each device's. */
#define LOG_ENTRIES                                                                                \
	COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Log Entries"),                        \
		.get = get_entries, .options = QUERY_PAGING | QUERY_FILTER | QUERY_CONTEXT
#define LOG_ENTRY                                                                                  \
	SCHEMA("LogEntry", LOG_ENTRY_VERSION), .dynamic = true, .get = get_log_entry,              \
					       .patch = patch_log_entry,                           \
					       .patch_body = &log_entry_patch_body

static const struct resource_type log_types[] = {
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog",
	 SCHEMA("LogService", "v1_9_0"),
	 .enumerate = enumerate_memdevs,
	 .get = get_device_log,
	 .status = put_log_status,
	 ACTIONS(log_actions)},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog/Entries",
	 LOG_ENTRIES,
	 .enumerate = enumerate_memdevs},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog/Entries/{LogEntry}", LOG_ENTRY},
	{.pattern = URI_HOST_LOGS,
	 COLLECTION("LogServiceCollection", "LogService", "Log Services")},
	{.pattern = URI_HOST_LOG,
	 SCHEMA("LogService", "v1_9_0"),
	 .get = get_host_log,
	 .status = put_log_status,
	 ACTIONS(log_actions)},
	{.pattern = URI_HOST_LOG "/Entries", LOG_ENTRIES},
	{.pattern = URI_HOST_LOG "/Entries/{LogEntry}", LOG_ENTRY},
};

const struct resource_rows log_rows = RESOURCE_ROWS(log_types);
