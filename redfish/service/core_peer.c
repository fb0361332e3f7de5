// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/core_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/negotiation.h"
#include "redfish/core/render.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"
#include "redfish/service/exchange.h"
#include "redfish/service/service.h"

#define OWN_SUBSCRIPTION URI_SUBSCRIPTIONS "/" SUNFISH_SERVER

static bool is_below(const char *uri, const char *top)
{
	const char *rest = str_after_prefix(uri, top);

	return rest && (rest[0] == '\0' || rest[0] == '/');
}

bool core_peer_offers(const char *uri, const char *schema)
{
	static const char *const trees[] = {"Systems", "Fabrics", "Chassis", "Managers"};
	const char *path = str_after_prefix(uri, URI_ROOT);

	if (!path || !schema || str_equal(schema, "LogEntry") ||
	    str_equal(schema, "LogEntryCollection"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++)
		if (is_below(path, trees[i]))
			return true;
	return false;
}

static bool may_read(const struct resource *r)
{
	return core_peer_offers(r->uri, r->type->schema) || str_equal(r->uri, URI_ROOT) ||
	       is_below(r->uri, URI_AGGREGATION_SERVICE) || str_equal(r->uri, OWN_SUBSCRIPTION);
}

/* Actions cannot be sent through a core. The operation checks what is allowed. */
static bool may_write(const struct exchange *x)
{
	const struct resource *r = x->resource;

	return atomic_load(&x->service->core_writes) && !r->action &&
	       (x->method == METHOD_POST || x->method == METHOD_PATCH ||
		x->method == METHOD_DELETE) &&
	       core_peer_offers(r->uri, r->type->schema);
}

bool core_peer_is(const struct exchange *x)
{
	return x->principal.means == AUTHENTICATION_CORE;
}

bool core_peer_admits(const struct exchange *x)
{
	const struct resource *r = x->resource;

	if (!r)
		return true;
	if (x->method == METHOD_PATCH && !r->action && str_equal(r->uri, OWN_SUBSCRIPTION))
		return true;
	if (x->method != METHOD_GET && x->method != METHOD_HEAD)
		return may_write(x);
	/* Query options lead to other resources. */
	return x->req->n_options == 0 && may_read(r);
}

void core_peer_find(struct exchange *x)
{
	char path[SHOWN_URI_MAX];
	struct resource *collection;
	char *slash;

	if (x->req->client.access != HTTP_ACCESS_CORE || x->method != METHOD_POST ||
	    (x->resource && !x->resource->type->dynamic) || strlen(x->req->path) >= sizeof(path))
		return;
	(void)snprintf(path, sizeof(path), "%s", x->req->path);
	slash = strrchr(path, '/');
	if (!slash || slash == path || !slash[1])
		return;
	*slash = '\0';
	collection = resource_find_shown(x->view->index, path);
	if (collection && !collection->action && collection->type->create)
		x->resource = collection;
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

#define OEM	     "Oem"
#define ETAG	     "@odata.etag"
#define SUNFISH	     "Sunfish_RM"
#define SUNFISH_TYPE "#SunfishExtensions.v1_0_0.ResourceExtensions"

/* Annotations are ignored in every body. */
void core_peer_strip(json_t *body)
{
	json_t *oem = json_object_get(body, OEM);

	(void)json_object_del(body, "Id");
	(void)json_object_del(oem, SUNFISH);
	if (json_is_object(oem) && json_object_size(oem) == 0)
		(void)json_object_del(body, OEM);
}

/* Return: 0 or -1. */
static int mark(json_t *object, const char *agent)
{
	json_t *oem = json_object_get(object, OEM);

	if (!oem) {
		oem = json_object();
		if (json_object_set_new(object, OEM, oem) < 0)
			return -1;
	}
	return json_object_set_new(oem, SUNFISH,
				   json_pack("{s:s,s:{s:s},s:s}", "@odata.type", SUNFISH_TYPE,
					     "ManagingAgent", "@odata.id", agent,
					     "BoundaryComponent", "owned"));
}

/* The tag that is replaced covers the resource, so that the new one covers all of it. */
static int set_tag(json_t *object, char ret[static ETAG_MAX])
{
	char digits[ETAG_DIGITS + 1];
	char *text = json_dumps(object, JSON_COMPACT);

	if (!text)
		return -1;
	etag_digits(text, strlen(text), digits);
	free(text);
	if (!digits[0])
		return 0;
	(void)snprintf(ret, ETAG_MAX, "\"%s\"", digits);
	return json_object_set_new(object, ETAG, json_string(ret));
}

static char *marked_text(const struct representation *body, const char *agent,
			 char ret_etag[static ETAG_MAX])
{
	json_t *object = json_loadb(body->bytes, body->len, 0, NULL);
	char *text = NULL;

	if (object && mark(object, agent) == 0 && set_tag(object, ret_etag) == 0)
		text = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	return text;
}

/* Return: one reference; NULL when out of memory. */
static struct representation *marked(const struct representation *body, const char *agent)
{
	_cleanup_writer_ struct json_writer w = {0};
	char etag[ETAG_MAX] = "";
	char *text = marked_text(body, agent, etag);
	struct representation *own;

	if (!text)
		return NULL;
	put_raw(&w, text);
	free(text);
	own = redfish_body_new(&w, CONTENT_TYPE_JSON);
	if (!own)
		return NULL;
	own->described_by = body->described_by;
	own->allow = body->allow;
	own->varies = body->varies;
	memcpy(own->etag, etag, sizeof(etag));
	return own;
}

static void agent_of(const struct exchange *x, bool copies, char ret[static CORE_AGENT_MAX])
{
	ret[0] = '\0';
	if (x->service->core_agent)
		x->service->core_agent(x->service->event_service, copies, ret);
}

/* Return: the agent that a resource names to the core; "": none. */
static void named_agent(const struct exchange *x, bool copies, char ret[static CORE_AGENT_MAX])
{
	ret[0] = '\0';
	if (core_peer_is(x) && core_peer_offers(x->resource->uri, x->resource->type->schema))
		agent_of(x, copies, ret);
}

struct representation *core_peer_answer(const struct exchange *x, struct representation *body)
{
	_cleanup_representation_ struct representation *old = body;
	char agent[CORE_AGENT_MAX];

	agent_of(x, false, agent);
	return body ? marked(body, agent) : NULL;
}

void core_peer_read(struct exchange *x)
{
	struct representation *body = x->reply->body, *own;
	char agent[CORE_AGENT_MAX];

	named_agent(x, true, agent);
	own = body && agent[0] ? marked(body, agent) : NULL;
	if (!own)
		return;
	if (!x->reply->shared)
		(void)representation_unref(body);
	x->reply->shared = false;
	x->reply->body = own;
}

struct representation *core_peer_tagged(const struct exchange *x, const struct representation *now)
{
	char agent[CORE_AGENT_MAX];

	named_agent(x, false, agent);
	return agent[0] ? marked(now, agent) : NULL;
}
