// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/sunfish/sunfish_offer.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/uris.h"
#include "redfish/service/core_peer.h"

const char *sunfish_root(const struct view *v, size_t i)
{
	static const char *const tops[] = {"Systems", "Fabrics"};

	for (size_t k = 0; k < ARRAY_SIZE(tops); k++) {
		char uri[RESOURCE_URI_MAX];
		const struct resource *top, *r;

		(void)snprintf(uri, sizeof(uri), URI_ROOT "%s", tops[k]);
		top = resource_find(v->index, uri);
		for (r = top ? top->first_member : NULL; r; r = r->next_member)
			if (i-- == 0)
				return r->uri;
	}
	return NULL;
}

/* The core looks at the last part of the MessageId alone. */
static void begin(struct json_writer *w, const char *name, const char *context, const char *message)
{
	put_object(w, NULL);
	put_string(w, "@odata.type", "#Event.v1_7_0.Event");
	put_string(w, "Id", "1");
	put_string(w, "Name", name);
	put_string(w, "Context", context);
	put_array(w, "Events");
	put_object(w, NULL);
	put_string(w, "MemberId", "0");
	put_string(w, "EventType", "Other");
	put_string(w, "Severity", "OK");
	put_string(w, "Message", message);
}

static void end(struct json_writer *w, const char *origin)
{
	put_link(w, "OriginOfCondition", "%s", origin);
	put_end(w);
	put_end(w);
	put_end(w);
}

void sunfish_put_registration(struct json_writer *w, const char *agent, const char *method)
{
	char uri[RESOURCE_URI_MAX];

	begin(w, "AggregationSourceDiscovered", "", "A host with CXL memory can be aggregated.");
	put_string(w, "MessageId", "ResourceEvent.1.4.AggregationSourceDiscovered");
	put_array(w, "MessageArgs");
	put_string(w, NULL, "Redfish");
	put_string(w, NULL, agent);
	put_end(w);
	(void)snprintf(uri, sizeof(uri), URI_CONNECTION_METHODS "/%s", method);
	end(w, uri);
}

void sunfish_put_offer(struct json_writer *w, const char *source, const char *uri)
{
	begin(w, "ResourceCreated", source, "The resource was created successfully.");
	put_string(w, "MessageId", "ResourceEvent.1.4.ResourceCreated");
	put_array(w, "MessageArgs");
	put_end(w);
	end(w, uri);
}

/* Return: the part of a MessageId by which a core selects what it does. */
static const char *key_of(const char *id)
{
	const char *dot = id ? strrchr(id, '.') : NULL;

	return dot ? dot + 1 : id;
}

/* A test event has whatever its client gives: these would have the core do something else. */
static bool is_command(const char *key)
{
	return str_equal(key, "AggregationSourceDiscovered") || str_equal(key, "TriggerEvent");
}

bool sunfish_takes(const struct event_item *item, bool again, struct event_item *ret)
{
	const char *key = key_of(item->message_id);
	const bool offered = item->origin && core_peer_offers(item->origin, item->resource_type);
	const bool is_news = key && strncmp(key, "Resource", strlen("Resource")) == 0;

	if (!key || is_command(key) || (item->origin && !offered) || (is_news && !offered))
		return false;
	*ret = *item;
	/* The core may not have it yet. An event about a change is nothing without it. */
	if (again && !is_news)
		ret->origin = NULL;
	return true;
}
