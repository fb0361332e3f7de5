// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/client_context.h"

#include <stdio.h>
#include <string.h>

#include "common/json_scan.h"
#include "redfish/service/service.h"
#include "redfish/state/client_contexts.h"

enum { PROPERTY_NAME_MAX = 64 };

static struct client_context record_of(const struct exchange *x)
{
	return (struct client_context){
		.account = x->principal.account,
		.key = x->query.context,
		.collection = x->resource->uri,
	};
}

/* Clients without an account, as named peers, have no records. */
static enum context_status status_of(const struct exchange *x)
{
	if (!(x->resource->type->options & QUERY_CONTEXT) || !x->service->state ||
	    x->principal.account == 0)
		return CONTEXT_UNSUPPORTED;
	return strlen(x->query.context) > QUERY_CONTEXT_MAX ? CONTEXT_INVALID : CONTEXT_APPLIED;
}

/* The page is the first one of the collection, and its links lead on without the key. */
static void leave(struct exchange *x, enum context_status status)
{
	x->context = status;
	x->query.given &= ~(unsigned int)QUERY_CONTEXT;
}

void client_context_begin(struct exchange *x)
{
	enum context_status status;

	if (!x->query.context)
		return;
	status = status_of(x);
	if (status == CONTEXT_APPLIED)
		x->context = status;
	else
		leave(x, status);
}

bool client_context_applies(const struct exchange *x)
{
	return x->context == CONTEXT_APPLIED;
}

/* While the state database cannot be used, a client still reads the log. */
static int read_from_record(struct exchange *x, void *state)
{
	const struct client_context c = record_of(x);
	uint64_t next = 0;

	(void)state;
	if (client_context_get(x->service->state, &c, &next, NULL) < 0)
		leave(x, CONTEXT_NOT_FOUND);
	x->context_from = next;
	x->query.skiptoken = next > 0 ? next - 1 : 0;
	return x->resource->type->get(x);
}

static const struct continuation reading = {
	.class = JOB_SLOW_READS,
	.run = read_from_record,
};

/* HEAD and 304, which is not asked about, have no entries. */
static int keep_position(const struct exchange *x)
{
	const struct client_context c = record_of(x);

	if (!client_context_applies(x) || x->method != METHOD_GET)
		return 0;
	return client_context_move(x->service->state, &c, x->context_from, x->next_entry, NULL);
}

int client_context_continue(struct exchange *x)
{
	x->before_reply = keep_position;
	return exchange_continue(x, &reading, NULL);
}

void exchange_next_entry(struct exchange *x, uint64_t beyond, uint64_t last)
{
	x->next_entry = beyond ? beyond : last ? last + 1 : x->query.skiptoken + 1;
}

bool client_context_is_asked(const struct exchange *x)
{
	return x->query.context && !x->context_is_put;
}

static void put_annotations(const struct exchange *x, struct json_writer *w)
{
	static const char *const names[] = {
		[CONTEXT_APPLIED] = "Applied",
		[CONTEXT_INVALID] = "Invalid",
		[CONTEXT_NOT_FOUND] = "NotFound",
		[CONTEXT_UNSUPPORTED] = "Unsupported",
	};

	put_string(w, "@Redfish.ClientContext", x->query.context);
	put_string(w, "@Redfish.ClientContextStatus", names[x->context]);
	if (client_context_applies(x))
		put_format(w, "@Redfish.NextEntry", "%llu", (unsigned long long)x->next_entry);
}

void client_context_put(struct exchange *x, struct json_span collection, struct json_writer *w)
{
	struct json_span key, value;
	struct json_cursor c;
	char name[PROPERTY_NAME_MAX];

	x->context_is_put = true;
	if (x->next_entry == 0)
		exchange_next_entry(x, 0, 0);
	if (!json_enter(collection, '{', &c))
		return;
	put_object(w, NULL);
	while (json_next_member(&c, &key, &value)) {
		if (key.len >= sizeof(name))
			continue;
		(void)snprintf(name, sizeof(name), "%.*s", (int)key.len, key.at);
		put_json(w, name, value.at, value.len);
	}
	put_annotations(x, w);
	put_end(w);
}
