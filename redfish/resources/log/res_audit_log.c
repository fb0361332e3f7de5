// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The audit log: a LogService of the Manager, and its entries. Reading them waits for the disk if
// they are kept there, so it is a job.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/state/audit.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/view/view.h"
#include "redfish/feed/event_message.h"
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_service.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

static struct audit *audit_of(const struct exchange *x)
{
	return x->service->audit;
}

/* ---- LogService -------------------------------------------------------------------------------
 */

static void put_audit_status(const struct audit_status *s, struct json_writer *w)
{
	char lost[24], failing_since[EVENT_TIME_MAX], lost_since[EVENT_TIME_MAX];
	const struct condition unavailable = {
		.id = REGISTRY_AUDIT_UNAVAILABLE, .args = {s->reason}, .timestamp = failing_since};
	const struct condition incomplete = {
		.id = REGISTRY_AUDIT_INCOMPLETE, .args = {lost}, .timestamp = lost_since};

	event_time(s->failing_since_ns, failing_since);
	event_time(s->lost_since_ns, lost_since);
	(void)snprintf(lost, sizeof(lost), "%" PRIu64, s->lost);
	put_object(w, "Status");
	put_string(w, "State", "Enabled");
	put_string(w, "Health", health_name(audit_health(s)));
	if (s->failing || s->lost > 0) {
		put_array(w, "Conditions");
		if (s->failing)
			put_condition(&unavailable, w);
		if (s->lost > 0)
			put_condition(&incomplete, w);
		put_end(w);
	}
	put_end(w);
}

/* As the view has it, for the events of its changes; a reader gets that of now. */
static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_object(w, "Status");
	put_string(w, "State", "Enabled");
	put_string(w, "Health", health_name(v->inputs.service_faults.audit));
	put_end(w);
}

static int get_audit_log(struct exchange *x)
{
	struct json_writer *w = &x->w;
	struct audit_status s;

	audit_status(audit_of(x), &s);
	put_string(w, "Name", "Audit Log");
	put_string(
		w, "Description",
		s.persistent
			? "Logins and changes, and who made them"
			: "Logins and changes, and who made them, since the service was started: it has no state directory to keep them");
	put_bool(w, "ServiceEnabled", true);
	put_clock(w);
	put_string(w, "LogEntryType", "Event");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Security");
	put_end(w);
	put_number(w, "MaxNumberOfRecords", s.max_records);
	put_string(w, "OverWritePolicy", "WrapsWhenFull");
	put_bool(w, "Persistency", s.persistent);
	put_audit_status(&s, w);
	put_link(w, "Entries", "%s/Entries", x->resource->uri);
	put_actions(x->resource, w);
	return 0;
}

static int clear_audit(struct exchange *x, void *state)
{
	const char *etag = state;
	char entries[] = URI_AUDIT_LOG "/Entries", uri[RESOURCE_URI_MAX];
	int r = *etag ? log_check_entries(x, entries, etag) : 0;

	if (r < 0)
		return r;
	(void)snprintf(uri, sizeof(uri), "%s", x->resource->uri);
	r = audit_clear(audit_of(x), &x->principal, "POST", uri, 204);
	x->audited = r >= 0;
	return r;
}

static const struct continuation clearing = {.class = JOB_STORE, .run = clear_audit, .free = free};

static int run_clear_audit(struct exchange *x)
{
	char *copy = log_clear_etag_copy(x);

	return copy ? exchange_continue(x, &clearing, copy) : -ENOMEM;
}

static const struct action audit_actions[] = {
	{"LogService.ClearLog", &log_clear_parameters, .standard = true, .run = run_clear_audit},
};

/* ---- LogEntry ---------------------------------------------------------------------------------
 */

static const char *known(const char *text)
{
	return text[0] ? text : "-";
}

struct arguments {
	char result[SHOWN_URI_MAX + 8], count[24], uri[SHOWN_URI_MAX];
	const char *args[REGISTRY_ARGS_MAX];
};

/* Return: the message of a record, with its arguments. */
static enum registry_message describe(const struct audit_record *rec, struct arguments *a)
{
	const char *user = known(rec->user), *from = known(rec->from), *detail = known(rec->detail);
	const char *uri = system_id_show(rec->uri, a->uri);
	char shown[SHOWN_URI_MAX];
	const struct arguments of_kind[AUDIT_KINDS] = {
		[AUDIT_CHANGE] = {.args = {rec->method, uri, user, from, a->result}},
		[AUDIT_LOGIN] = {.args = {user, from, detail}},
		[AUDIT_LOGIN_FAILED] = {.args = {user, from, a->count}},
		[AUDIT_SESSION_CREATED] = {.args = {uri, user, from}},
		[AUDIT_SESSION_ENDED] = {.args = {uri, user, from, detail}},
		[AUDIT_LOCKED_OUT] = {.args = {user, from}},
		[AUDIT_CONFIGURATION] = {.args = {detail}},
		[AUDIT_LOST] = {.args = {a->count, detail}},
		[AUDIT_DECISION] = {.args = {uri, detail}},
	};

	(void)snprintf(a->count, sizeof(a->count), "%" PRIu64, rec->count);
	(void)snprintf(a->result, sizeof(a->result), "%u%s%s", rec->status % 1000,
		       rec->detail[0] ? " " : "", audit_show_detail(rec, shown));
	memcpy(a->args, of_kind[rec->kind].args, sizeof(a->args));
	if (rec->kind == AUDIT_CHANGE && rec->status >= 400)
		return REGISTRY_AUDIT_REJECTED;
	return REGISTRY_AUDIT_CHANGE + (unsigned int)rec->kind;
}

/*
 * The numbers of sessions begin anew with the process: a link could refer to another one. A record
 * may be about itself.
 */
static bool is_never_linked(const char *uri)
{
	return str_after_prefix(uri, URI_SESSIONS "/") || str_after_prefix(uri, URI_AUDIT_LOG "/");
}

/*
 * The origin is the resource that was created, or the resource of the URI, that of an action too. A
 * collection is none: what could not be created, or deleted, has no origin.
 */
static void put_origin(const struct exchange *x, const struct audit_record *rec,
		       struct json_writer *w)
{
	const bool created = rec->kind == AUDIT_CHANGE && rec->status == 201 && rec->detail[0];
	const char *from = created ? rec->detail : rec->uri;
	const char *action = strstr(from, ACTION_PATH);
	const struct resource *r;
	char uri[RESOURCE_URI_MAX];

	if (!from[0])
		return;
	(void)snprintf(uri, sizeof(uri), "%.*s", action ? (int)(action - from) : (int)strlen(from),
		       from);
	r = resource_find(x->view->index, uri);
	if (r && (r->action || r->type->members || !r->type->schema))
		return;
	if (!r && (is_never_linked(uri) || !exchange_exists(x, uri))) {
		put_bool(w, "OriginOfConditionUnavailable", true);
		return;
	}
	put_object(w, "Links");
	put_link(w, "OriginOfCondition", "%s", r ? r->uri : uri);
	put_end(w);
}

static void put_record(const struct audit_record *rec, struct json_writer *w)
{
	struct arguments a;
	enum registry_message id = describe(rec, &a);
	bool by_client = rec->kind != AUDIT_CONFIGURATION && rec->kind != AUDIT_LOST &&
			 rec->kind != AUDIT_DECISION;

	put_format(w, "Name", "Log Entry %" PRIu64, rec->seq);
	put_string(w, "EntryType", "Event");
	put_string(w, "Severity", health_name(registry_severity(id)));
	put_opt_time(w, "Created", OPT_U64(rec->time_ns));
	put_opt_time(w, "EventTimestamp", OPT_U64(rec->time_ns));
	put_registry_message(id, a.args, w);
	put_string(w, "Resolution", registry_resolution(id));
	put_string(w, "OriginatorType", by_client ? "Client" : "Internal");
	if (rec->from[0])
		put_string(w, "Originator", rec->from);
	if (rec->user[0])
		put_string(w, "Username", rec->user);
}

static int get_audit_entry(struct exchange *x);

static int read_audit_entry(struct exchange *x, void *state)
{
	(void)state;
	return get_audit_entry(x);
}

static const struct continuation entry_reading = {
	.class = JOB_SLOW_READS,
	.run = read_audit_entry,
};

static int get_audit_entry(struct exchange *x)
{
	const char *id = x->resource->id;
	struct audit_record rec;
	uint64_t seq;
	int r;

	/* Only the canonical form of a number is an Id. */
	if (strspn(id, "0123456789") != strlen(id) || id[0] == '0' || parse_u64(id, &seq) < 0)
		return exchange_missing(x);
	if (!x->job && !audit_is_ready(audit_of(x)))
		return exchange_continue(x, &entry_reading, NULL);
	r = audit_read_one(audit_of(x), seq, &rec);
	if (r >= 0) {
		put_record(&rec, &x->w);
		put_origin(x, &rec, &x->w);
	}
	return r == -ENOENT ? exchange_missing(x) : r;
}

/* ---- Entries ----------------------------------------------------------------------------------
 */

DEFINE_ARRAY(struct audit_record, records);

struct listing {
	struct exchange *x;
	const struct filter *filter; /* NULL: all records */
	uint64_t matching, skipped;
	struct records page;
	uint64_t beyond; /* the number of the first record behind the page; 0 none */
	bool more;
};

static int take_record(struct listing *l, const struct audit_record *rec)
{
	struct audit_record *to;

	l->more = l->page.n == l->x->query.top;
	if (l->more && l->beyond == 0)
		l->beyond = rec->seq;
	if (l->more)
		return 1;
	to = records_add(&l->page);
	if (!to)
		return -ENOMEM;
	*to = *rec;
	return 0;
}

static void put_entry(const struct exchange *x, const struct audit_record *rec,
		      struct json_writer *w)
{
	put_object(w, NULL);
	put_uri(w, "@odata.id", "%s/%" PRIu64, x->resource->uri, rec->seq);
	put_string(w, "@odata.type", LOG_ENTRY_TYPE);
	put_format(w, "Id", "%" PRIu64, rec->seq);
	put_record(rec, w);
	put_origin(x, rec, w);
	put_end(w);
}

static int take_any(void *userdata, const struct audit_record *rec)
{
	return take_record(userdata, rec);
}

/* All that match are counted, and those of the page are taken. No filter is about the origin. */
static int take_matching(void *userdata, const struct audit_record *rec)
{
	struct listing *l = userdata;
	const struct query *q = &l->x->query;
	_cleanup_writer_ struct json_writer w = {0};

	put_object(&w, NULL);
	put_record(rec, &w);
	put_end(&w);
	if (w.failed)
		return -ENOMEM;
	if (!filter_matches(l->filter, (struct json_span){w.text, w.len}))
		return 0;
	l->matching++;
	if (rec->seq <= q->skiptoken || l->skipped++ < q->skip)
		return 0;
	return take_record(l, rec) < 0 ? -ENOMEM : 0;
}

static int read_all_records(struct listing *l, uint64_t *ret_count)
{
	const struct query *q = &l->x->query;
	const struct audit_page page = {
		.from = q->skiptoken,
		.skip = q->skip,
		.max = q->top + 1, /* to see whether there is more */
	};

	return audit_read(audit_of(l->x), &page, take_any, l, ret_count);
}

static int read_matching_records(struct listing *l, uint64_t *ret_count)
{
	const struct audit_page page = {.max = AUDIT_RECORDS_MAX};
	struct filter *filter = malloc(sizeof(*filter));
	int r = filter ? filter_parse(l->x->query.filter, filter, &l->x->message) : -ENOMEM;

	l->filter = filter;
	if (r >= 0)
		r = audit_read(audit_of(l->x), &page, take_matching, l, NULL);
	*ret_count = l->matching;
	free(filter);
	return r;
}

static void put_page(struct listing *l, uint64_t count)
{
	struct json_writer *w = &l->x->w;
	char next[QUERY_LINK_MAX];

	put_string(w, "Name", l->x->resource->type->title);
	put_array(w, "Members");
	ARRAY_FOREACH(rec, &l->page)
		put_entry(l->x, rec, w);
	put_end(w);
	put_number(w, "Members@odata.count", count);
	exchange_next_entry(l->x, l->beyond, l->page.n > 0 ? l->page.items[l->page.n - 1].seq : 0);
	if (!l->more || l->page.n == 0)
		return;
	query_next_link(&l->x->query, l->x->resource->uri, "$skiptoken",
			l->page.items[l->page.n - 1].seq, next);
	put_string(w, "Members@odata.nextLink", next);
}

static int read_audit_entries(struct exchange *x, void *state)
{
	struct listing l = {.x = x};
	uint64_t count = 0;
	int r;

	(void)state;
	r = x->query.filter ? read_matching_records(&l, &count) : read_all_records(&l, &count);
	if (r >= 0)
		put_page(&l, count);
	records_done(&l.page);
	return r < 0 ? r : 0;
}

static const struct continuation entries_reading = {
	.class = JOB_SLOW_READS,
	.run = read_audit_entries,
};

static int get_audit_entries(struct exchange *x)
{
	if (x->job || audit_is_ready(audit_of(x)))
		return read_audit_entries(x, NULL);
	return exchange_continue(x, &entries_reading, NULL);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static const struct resource_type audit_types[] = {
	{.pattern = URI_MANAGER_LOGS,
	 COLLECTION("LogServiceCollection", "LogService", "Log Services")},
	{.pattern = URI_AUDIT_LOG,
	 SCHEMA("LogService", "v1_9_0"),
	 .get = get_audit_log,
	 .status = put_status,
	 ACTIONS(audit_actions)},
	{.pattern = URI_AUDIT_LOG "/Entries",
	 COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Log Entries"),
	 .get = get_audit_entries,
	 .options = QUERY_PAGING | QUERY_FILTER | QUERY_CONTEXT},
	{.pattern = URI_AUDIT_LOG "/Entries/{LogEntry}",
	 SCHEMA("LogEntry", LOG_ENTRY_VERSION),
	 .dynamic = true,
	 .get = get_audit_entry},
};

const struct resource_rows audit_rows = RESOURCE_ROWS(audit_types);
