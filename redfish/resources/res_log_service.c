// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The logs: of the whole host, and of each device, which are the same entries.
#include "redfish/resources/log_service.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/strutil.h"
#include "events/event_log.h"
#include "redfish/eventing/event_message.h"
#include "redfish/registry.h"
#include "redfish/resources.h"
#include "redfish/resources/dsp0288.h"
#include "redfish/resources/log_filter.h"
#include "redfish/resources/status.h"
#include "redfish/view.h"

/* Skipping costs time for each entry, and so does counting what matches: not on HTTP threads. */
enum { SKIP_AT_ONCE = 1000 };

const char *log_device(const struct dynamic_request *q)
{
	const struct memdev *m = q->resource->object;

	return m ? view_memory_id(q->view, m) : NULL;
}

/* ---- LogService --------------------------------------------------------------------------------
 */

struct facts {
	struct dynamic_request *q;
	struct json_writer *w;
	bool overflow;
	bool any; /* of what is listed */
};

static int look_at_group(void *userdata, const struct event_group *group)
{
	struct facts *f = userdata;
	const char *device = log_device(f->q);

	/* Until ClearLog; what was lost on the way here is the host's. */
	if (group->n > 0 && (!device || str_equal(device, group->device)))
		f->overflow |= group->type == EVENT_OVERFLOW || group->type == EVENT_LOST;
	return 0;
}

static int put_loss(void *userdata, const struct event_loss *loss)
{
	struct facts *f = userdata;

	if (!f->any)
		put_array(f->w, "LostRecords");
	f->any = true;
	put_object(f->w, NULL);
	put_string(f->w, "Place", loss->place);
	put_number(f->w, "Gaps", loss->gaps);
	put_number(f->w, "Records", loss->n);
	put_end(f->w);
	return 0;
}

/* "Status" of the store: what keeps it from taking more is a condition. */
static void put_store_status(const struct store_status *s, struct json_writer *w)
{
	const struct condition c = {.id = REGISTRY_LOG_UNAVAILABLE, .args = {s->text}};

	put_object(w, "Status");
	put_string(w, "State", s->state == STORE_READY ? "Enabled" : "UnavailableOffline");
	put_string(w, "Health", health_name(s->state == STORE_READY ? HEALTH_OK : HEALTH_WARNING));
	if (s->state != STORE_READY) {
		put_array(w, "Conditions");
		put_condition(&c, w);
		put_end(w);
	}
	put_end(w);
}

static int put_host_oem(struct dynamic_request *q, struct store_reader *r,
			const struct store_status *s, struct json_writer *w)
{
	struct facts f = {.q = q, .w = w};
	int result = 0;

	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostLogService.v1_0_0.LogService");
	put_number(w, "QueuedEvents", s->queued);
	put_number(w, "DroppedEvents", s->dropped);
	put_number(w, "RefusedEvents", s->refused);
	if (r)
		result = store_read_losses(r, put_loss, &f, NULL);
	if (f.any)
		put_end(w);
	put_end(w);
	put_end(w);
	return result;
}

static void put_common(struct dynamic_request *q, struct json_writer *w)
{
	put_bool(w, "ServiceEnabled", q->log);
	put_string(w, "LogEntryType", "CXL");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Diagnostic");
	put_end(w);
	put_link(w, "Entries", "%s/Entries", q->resource->uri);
	put_actions(q->resource, w);
}

/* Without a store nothing overflowed that is known of. */
static int put_overflow(struct dynamic_request *q, struct store_reader *r, struct json_writer *w)
{
	struct facts f = {.q = q};
	int result;

	if (!r)
		return 0;
	result = store_read_groups(r, look_at_group, &f, NULL);
	if (result >= 0)
		put_bool(w, "Overflow", f.overflow);
	return result;
}

static int put_host_log(struct dynamic_request *q, struct store_reader *r, struct json_writer *w)
{
	const struct event_log_traits *traits;
	struct store_status status;
	int result;

	put_string(w, "Name", "CXL Event Log");
	put_string(w, "Description", "The events of all CXL devices and ports of the host");
	put_common(q, w);
	if (!q->log) {
		put_state(w, "Disabled");
		return 0;
	}
	traits = event_log_traits(q->log);
	put_number(w, "MaxNumberOfRecords", traits->max_records);
	put_string(w, "OverWritePolicy",
		   traits->policy == STORE_WRAPS_WHEN_FULL ? "WrapsWhenFull" : "NeverOverWrites");
	result = put_overflow(q, r, w);
	event_log_status(q->log, &status);
	put_store_status(&status, w);
	return result < 0 ? result : put_host_oem(q, r, &status, w);
}

static int put_device_log(struct dynamic_request *q, struct store_reader *r, struct json_writer *w)
{
	const struct memdev *m = q->resource->object;

	put_format(w, "Name", "Event log of %s", m->name);
	/* A device that cannot log without overwriting sets Overflow (CXL 3.2 8.2.10.2.2). */
	put_string(w, "OverWritePolicy", "NeverOverWrites");
	put_dsp0288(w, "LogService", NULL, view_mailbox(q->view, m));
	put_common(q, w);
	return put_overflow(q, r, w);
}

/* A store that cannot be read now leaves out what it would say, but the log is there. */
static int get_log(struct dynamic_request *q, struct json_writer *w,
		   int (*put)(struct dynamic_request *q, struct store_reader *r,
			      struct json_writer *w))
{
	struct store_reader *r = NULL;
	int result;

	if (q->log && event_log_reader_get(q->log, &r, NULL) < 0)
		r = NULL;
	result = put(q, r, w);
	if (r)
		event_log_reader_put(q->log, r, result);
	return result;
}

static int get_host_log(struct dynamic_request *q, struct json_writer *w)
{
	return get_log(q, w, put_host_log);
}

static int get_device_log(struct dynamic_request *q, struct json_writer *w)
{
	return get_log(q, w, put_device_log);
}

const struct dynamic_ops log_service_ops = {.get = get_host_log};
const struct dynamic_ops device_log_ops = {.get = get_device_log};

/* ---- ClearLog ----------------------------------------------------------------------------------
 */

struct clearing {
	const char *device;
	uint64_t upto;
};

static int clear(struct store *store, void *userdata)
{
	struct clearing *c = userdata;
	bool more;
	int r = store_clear(store, c->device, c->upto, &more, NULL);

	return r < 0 ? r : more;
}

/* Whether the entries are still those that the client saw. Return: 0; -EINVAL with a refusal. */
static int check_entries(struct dynamic_request *q, const char *etag)
{
	_cleanup_representation_ struct representation *now = NULL;
	const struct query usual = {.top = QUERY_TOP_DEFAULT};
	struct dynamic_request entries = *q;
	char uri[RESOURCE_URI_MAX];
	int r;

	if (log_device(q))
		(void)snprintf(uri, sizeof(uri), URI_DEVICE_LOG "/Entries", log_device(q));
	else
		(void)snprintf(uri, sizeof(uri), "%s", URI_HOST_LOG "/Entries");
	entries.resource = resource_find(q->view->index, uri);
	entries.query = &usual;
	r = entries.resource ? dynamic_represent(&entries, &now) : -EINVAL;
	if (r < 0 || str_equal(etag, now->etag))
		return r;
	(void)dynamic_refuse(q, MESSAGE_PRECONDITION_FAILED, NULL, NULL, NULL);
	q->refusal->status = 428; /* as LogService v1_9_0 has it */
	return -EINVAL;
}

/* Return: 0 when the parameters are those of the schema. */
static int read_parameters(struct dynamic_request *q, const char **ret_etag)
{
	static const char action[] = "LogService.ClearLog", etag[] = "LogEntriesETag";
	const char *name;
	json_t *value;

	*ret_etag = NULL;
	json_object_foreach(q->body, name, value) {
		if (!str_equal(name, etag))
			return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_UNKNOWN, action, name,
					      NULL);
		if (!json_is_string(value))
			return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, "",
					      name, action);
		*ret_etag = json_string_value(value);
	}
	return 0;
}

/* The last entry there is, so that none is cleared that nobody can have seen. */
static int find_last(struct dynamic_request *q, uint64_t *ret)
{
	struct store_info info;
	struct store_reader *r;
	int result = event_log_reader_get(q->log, &r, NULL);

	if (result < 0)
		return result;
	result = store_read_info(r, &info, NULL);
	event_log_reader_put(q->log, r, result);
	if (result >= 0)
		*ret = info.newest;
	return result;
}

int run_clear_log(struct dynamic_request *q, struct json_writer *w)
{
	struct clearing c = {.device = log_device(q)};
	const char *etag;
	int r = read_parameters(q, &etag);

	(void)w;
	if (r < 0)
		return r;
	if (!q->log)
		return -ENOENT;
	if (!q->may_wait)
		return -EINPROGRESS;
	r = find_last(q, &c.upto);
	if (r >= 0 && etag)
		r = check_entries(q, etag);
	if (r < 0 || c.upto == 0)
		return r;
	return event_log_do(q->log, clear, &c);
}

/* ---- Entries -----------------------------------------------------------------------------------
 */

static int take_overflow(void *userdata, const struct stored_event *ev)
{
	struct log_overflow *o = userdata;

	o->happened = ev->record.type == EVENT_OVERFLOW;
	o->count = event_number(&ev->record, FIELD_COUNT);
	o->first_ns = event_number(&ev->record, FIELD_FIRST_TS);
	o->last_ns = event_number(&ev->record, FIELD_LAST_TS);
	return 0;
}

int log_overflow_after(struct store_reader *r, const struct stored_event *ev,
		       struct log_overflow *ret)
{
	const struct event_page page = {.from = ev->seq, .max = 1};
	const struct event_filter filter = {.device = ev->device};

	*ret = (struct log_overflow){0};
	if (!ev->device[0])
		return 0;
	return store_read_page(r, &filter, &page, take_overflow, ret, NULL);
}

struct listing {
	struct dynamic_request *q;
	struct json_writer *w;
	/* Another connection, for the first one is in a call; NULL when no log overflowed. */
	struct store_reader *overflows;
	uint64_t last;
	size_t n;
	bool more; /* there is a next page */
};

static int put_member(void *userdata, const struct stored_event *ev)
{
	struct listing *l = userdata;
	struct log_overflow overflow = {0};
	int r = 0;

	l->more = l->n == l->q->query->top;
	if (l->more)
		return 1;
	if (l->overflows)
		r = log_overflow_after(l->overflows, ev, &overflow);
	if (r < 0)
		return r;
	put_object(l->w, NULL);
	put_format(l->w, "@odata.id", "%s/%" PRIu64, l->q->resource->uri, ev->seq);
	put_string(l->w, "@odata.type", LOG_ENTRY_TYPE);
	put_format(l->w, "Id", "%" PRIu64, ev->seq);
	put_log_entry(l->q, ev, &overflow, l->w);
	put_end(l->w);
	l->last = ev->seq;
	l->n++;
	return 0;
}

/* What may stand in a query as it is (RFC 3986 3.4), without what separates options. */
static void put_encoded(const char *text, char *ret)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~/:'()";

	for (; *text; text++) {
		if (strchr(plain, *text))
			*ret++ = *text;
		else
			ret += sprintf(ret, "%%%02X", (unsigned char)*text);
	}
	*ret = '\0';
}

/* By the number of the last entry: what comes and goes meanwhile moves nothing. */
static void put_next_link(const struct listing *l, struct json_writer *w)
{
	const struct query *query = l->q->query;
	char filter[QUERY_FILTER_MAX * 3 + 1], link[sizeof(filter) + RESOURCE_URI_MAX + 80];
	size_t n;

	n = (size_t)snprintf(link, sizeof(link), "%s?$skiptoken=%" PRIu64, l->q->resource->uri,
			     l->last);
	if (query->given & QUERY_TOP)
		n += (size_t)snprintf(link + n, sizeof(link) - n, "&$top=%" PRIu64, query->top);
	if (query->filter) {
		put_encoded(query->filter, filter);
		(void)snprintf(link + n, sizeof(link) - n, "&$filter=%s", filter);
	}
	put_string(w, "Members@odata.nextLink", link);
}

static int put_page(struct listing *l, struct store_reader *r, const struct event_filter *filter)
{
	const struct query *query = l->q->query;
	const struct event_page page = {
		.from = query->skiptoken,
		.skip = query->skip,
		.max = query->top + 1, /* to see whether there is more */
	};
	uint64_t count;
	int result = store_count(r, filter, &count, NULL);

	if (result < 0)
		return result;
	put_string(l->w, "Name", l->q->resource->type->title);
	put_array(l->w, "Members");
	result = store_read_page(r, filter, &page, put_member, l, NULL);
	put_end(l->w);
	if (result < 0)
		return result;
	put_number(l->w, "Members@odata.count", count);
	if (l->more && l->n > 0)
		put_next_link(l, l->w);
	return 0;
}

/* Return: 1 when there is an overflow in this log, so that entries must be looked at for one. */
static int has_overflows(struct store_reader *r, const char *device)
{
	const struct event_filter filter = {.device = device, .types = 1U << EVENT_OVERFLOW};
	uint64_t n;
	int result = store_count(r, &filter, &n, NULL);

	return result < 0 ? result : n > 0;
}

static int read_page(struct dynamic_request *q, struct store_reader *r,
		     const struct event_filter *filter, struct json_writer *w)
{
	struct listing l = {.q = q, .w = w};
	int result = has_overflows(r, filter->device);

	if (result == 1)
		result = event_log_reader_get(q->log, &l.overflows, NULL);
	if (result >= 0)
		result = put_page(&l, r, filter);
	if (l.overflows)
		event_log_reader_put(q->log, l.overflows, result);
	return result;
}

static int put_nothing(struct dynamic_request *q, struct json_writer *w)
{
	put_string(w, "Name", q->resource->type->title);
	put_array(w, "Members");
	put_end(w);
	put_number(w, "Members@odata.count", 0);
	return 0;
}

static int get_entries(struct dynamic_request *q, struct json_writer *w)
{
	struct event_filter filter = {.device = log_device(q)};
	struct store_reader *r;
	int result = 0;

	if (q->query->filter)
		result = log_filter_parse(q->query->filter, &filter, q->refusal);
	if (result < 0)
		return result;
	if (!q->log)
		return put_nothing(q, w);
	if (!q->may_wait && (q->query->filter || q->query->skip > SKIP_AT_ONCE))
		return -EINPROGRESS;
	result = event_log_reader_get(q->log, &r, NULL);
	if (result < 0)
		return result;
	result = read_page(q, r, &filter, w);
	event_log_reader_put(q->log, r, result);
	return result;
}

const struct dynamic_ops log_entries_ops = {
	.options = QUERY_PAGING | QUERY_FILTER,
	.get = get_entries,
};
