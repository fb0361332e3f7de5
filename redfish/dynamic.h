/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_DYNAMIC_H
#define CXLR_REDFISH_DYNAMIC_H

/*
 * Resources that are made anew for each request, because what they show changes without the view:
 * what stands in the store, subscriptions, and whatever a client may create, change or remove.
 *
 * A row of the resource table has `live` operations in one of two cases:
 *	it is in the view's index, and its `get` is called instead of its renderer
 *	it is a member of a live collection and not in the index: its pattern is the collection's
 *	plus "/{Id}", its enumerator is enumerate_none(), and its operations are called for any Id;
 *	they refuse the ones that are not there with MESSAGE_RESOURCE_MISSING_AT_URI
 * `get` is always there; another one that is NULL is answered with 405. The core checks login,
 * headers, query options, If-Match, and that a body is a JSON object without names twice; it
 * writes @odata.id, @odata.type and Id, and makes the entity tag. The rest is the operation's.
 *
 * All operations return 0; -EINVAL with a refusal in `refusal`; -EINPROGRESS when `may_wait` is
 * not set and they must wait: they are then called once more, from the beginning, on a thread that
 * may. Other errors are the service's own. They may run on several threads at once.
 */

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/json_writer.h"
#include "redfish/messages.h"
#include "redfish/query.h"
#include "redfish/resource_index.h"

struct event_log;
struct event_stream;
struct service;
struct view;

struct dynamic_request {
	struct service *service;
	struct event_log *log; /* NULL when the service has no store */
	const struct view *view;
	/* What is asked for: type, uri, id. Of a member, `object` is its collection's. */
	const struct resource *resource;
	const struct query *query; /* for `get`: the options that the row takes, checked */
	json_t *body;		   /* for `patch`, `create` and actions: an object */
	const char *last_event_id; /* for `open`; NULL when not given */
	bool may_wait;
	struct message *refusal;
	/* For `create` to fill in: the URI of the new resource, which `get` is then asked for. */
	char location[RESOURCE_URI_MAX];
};

struct dynamic_ops {
	unsigned int options; /* that `get` takes: QUERY_… */
	int (*get)(struct dynamic_request *q, struct json_writer *w);
	/* Instead of `get`: an answer without an end. */
	int (*open)(struct dynamic_request *q, struct event_stream **ret);
	int (*patch)(struct dynamic_request *q);  /* answered with what `get` says afterwards */
	int (*create)(struct dynamic_request *q); /* POST to a collection; 201 */
	int (*remove)(struct dynamic_request *q); /* DELETE; 204 */
};

/* A resource that is not in the index, while it is asked for. */
struct dynamic_location {
	struct resource resource;
	char uri[RESOURCE_URI_MAX];
};

/*
 * dynamic_find() - the member of a live collection that a path means, or the target of its action
 * @at: receives it
 *
 * Return: @at->resource, whether there is such a member or not; NULL when there is no such
 * collection.
 */
struct resource *dynamic_find(const struct view *v, const char *path, struct dynamic_location *at);

/*
 * dynamic_represent() - the resource as `get` makes it
 * @ret: one reference
 *
 * Return: 0; -ENOMEM; or as `get`.
 */
int dynamic_represent(struct dynamic_request *q, struct representation **ret);

/* Fills in the refusal, as message_set(). Return: -EINVAL. */
int dynamic_refuse(struct dynamic_request *q, enum message_id id, const char *a, const char *b,
		   const char *c);

/*
 * dynamic_refuse_property() - refuse a property of the body
 * @value: what it has, for messages that say so; NULL otherwise
 *
 * Return: -EINVAL.
 */
int dynamic_refuse_property(struct dynamic_request *q, enum message_id id, const char *name,
			    const json_t *value);

/* Refuses because the resource is not there. */
int dynamic_missing(struct dynamic_request *q);

#endif
