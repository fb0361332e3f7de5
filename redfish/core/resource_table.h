/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCE_TABLE_H
#define CXLR_REDFISH_RESOURCE_TABLE_H

/*
 * The resource table: the resources, their URIs, and what a client may do with them.
 *
 * The core knows resources only from the table it is given. A row defines how a resource is read
 * and, independently, how it may be changed:
 *
 *	reading, one of:
 *	  render	made from the view, cached in it with its entity tag
 *	  get		made for each request, with the query options of `options`
 *	  open		an endless stream
 *	writing, any of:
 *	  create (POST), patch, remove (DELETE), actions
 *
 * Resources that are not in the view's index, because a client may create them or because they are
 * in the store, are dynamic: their row has `dynamic` set and any Id fits the last {…} of its
 * pattern, below the nearest resource that is in the index. Dynamic resources may be nested.
 *
 * All of it is constant. Renderers and enumerators only read the view and may run on any thread; a
 * renderer omits properties that are not known. The core writes @odata.id, @odata.type and Id; a
 * renderer or `get` writes the others, Name first. Operations are described in
 *redfish/service/exchange.h.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/json_writer.h"
#include "http/representation.h"
#include "http/request.h"
#include "redfish/core/parameters.h"
#include "redfish/core/privileges.h"
#include "redfish/core/uris.h"

struct exchange;
struct http_stream_source;
struct resource;
struct resource_index;
struct view;

#define ACTION_PATH	"/Actions/" /* of the standard's actions */
#define OEM_ACTION_PATH ACTION_PATH "Oem/"

struct action {
	const char *name; /* "CXLHostMemory.TranslateDPA", "LogService.ClearLog" */
	/* They make its ActionInfo, too, and the lists of values beside its target. NULL: none. */
	const struct parameters *parameters;
	bool standard;	 /* of the resource's own schema, not OEM */
	bool only_reads; /* it changes nothing: not audited, never a task */
	bool needs_body; /* an empty body is rejected instead of read as {} */
	/* The body is multipart/form-data and goes to x->upload (redfish/service/upload.h); x->body
	 * is what UpdateParameters has. */
	bool receives;
	/* Without If-Match it is rejected (428). The entity tag is that of the resource. */
	bool demands_if_match;
	/*
	 * Why this action cannot be used, as struct resource_type has it for the whole resource,
	 * and in place of that. NULL: what the resource says; an action that only reads can be.
	 */
	const char *(*unchangeable)(const struct view *v, const struct resource *r);
	/* It writes the response, one JSON object, into x->w; writes nothing for 204. */
	int (*run)(struct exchange *x);
};

struct resource_type {
	const char *pattern; /* URI; a {…} stands for an Id */
	const char *schema;  /* "Memory"; NULL: a document, not a resource */
	const char *version; /* "v1_23_0"; NULL: the schema has no versions */
	const char *odata_type;
	const char *schema_uri;
	const char *content_type; /* NULL: JSON */
	const char *id;		  /* when it is not the last segment of the URI */

	bool dynamic;
	/* Adds the instances with resource_add(). NULL: there is exactly one. Not if dynamic. */
	int (*enumerate)(const struct view *v, const struct resource_type *type,
			 struct resource_index *ix);
	bool (*has)(const void *object); /* which of the enumerated objects; NULL: all */

	void (*render)(const struct view *v, const struct resource *r, struct json_writer *w);
	/*
	 * Writes the property "Status" where its values can change, behind what `render` wrote;
	 * `get` calls it itself. Subscribers are notified when a view has other values than the one
	 * before.
	 */
	void (*status)(const struct view *v, const struct resource *r, struct json_writer *w);
	int (*get)(struct exchange *x);
	int (*open)(struct exchange *x, struct http_stream_source **ret);
	unsigned int options; /* query options of `get` and `open`: QUERY_… */

	/*
	 * Whether the resource is the principal's own, for which ConfigureSelf is sufficient where
	 * it is required. NULL: it is no one's.
	 */
	bool (*own)(const struct exchange *x);

	int (*create)(struct exchange *x);
	int (*patch)(struct exchange *x);
	int (*remove)(struct exchange *x);
	/* Values that the bodies of these can have. A DELETE without the last one has no body, with
	 * it an empty one is {}. */
	const struct parameters *create_body, *patch_body, *remove_body;
	/* PATCH, DELETE and a POST that creates are rejected without If-Match (428). */
	bool demands_if_match;
	/*
	 * `get` reads only in a job, and PATCH and DELETE always continue as one: the entity tag is
	 * compared there, once.
	 */
	bool compared_in_job;
	/*
	 * Why a resource in the index cannot be changed, although its row has operations for that:
	 * the rest of the sentence "The resource cannot be changed: ...". Methods and actions that
	 * change it are then not shown, and answered with 405. NULL: it can be.
	 */
	const char *(*unchangeable)(const struct view *v, const struct resource *r);
	/*
	 * The same for DELETE, in place of `unchangeable`, where it needs another permission or
	 * another state than the other methods. NULL: what `unchangeable` says.
	 */
	const char *(*unremovable)(const struct view *v, const struct resource *r);
	/*
	 * The rest of the same sentence for the methods that this row does not have. NULL: that
	 * they are not allowed is all that is said.
	 */
	const char *not_changed;
	const struct action *actions;
	size_t n_actions;

	const char *title;   /* Name of a collection */
	const char *members; /* of a collection: schema of the members, one segment below */
};

struct resource {
	const struct resource_type *type;
	const struct action *action; /* set when this is the target URI of an action */
	const struct privilege_needs *needs;
	const char *unchangeable; /* why, see struct resource_type; NULL: it can be changed */
	const char *unremovable;  /* the same for DELETE */
	/* From the enumerator; may be NULL. A dynamic resource has that of the one in the index. */
	const void *object;
	const char *uri; /* its @odata.id */
	const char *id;	 /* its last segment */
	/* Members of a collection, in the order in which they were added. */
	struct resource *first_member, *last_member;
	size_t n_members;
	struct resource *next_member; /* within the collection this one is in */
	struct resource *next_action; /* the targets of its actions; of a target, the next one */
	bool hidden;		      /* another resource with this URI was added before */
	_Atomic(struct representation *) cached;
};

/* The rows of one file. */
struct resource_rows {
	const struct resource_type *rows;
	size_t n;
};

struct resource_table {
	const struct resource_rows *const *lists; /* in the order of their resources */
	size_t n;
	const struct privilege_map *privileges;
};

/* Defines the `struct resource_rows` of an array of rows. */
#define RESOURCE_ROWS(array)                                                                       \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}

#define ACTIONS(list) .actions = list, .n_actions = sizeof(list) / sizeof((list)[0])

#define DMTF_SCHEMAS "http://redfish.dmtf.org/schemas/v1/"

#define SCHEMA(name, ver)                                                                          \
	.schema = name, .version = ver, .odata_type = "#" name "." ver "." name,                   \
	.schema_uri = DMTF_SCHEMAS name "." ver ".json"

/* A collection without a function to read it; COLLECTION is one whose members are in the index. */
#define COLLECTION_SCHEMA(name, of, shown)                                                         \
	.schema = name, .odata_type = "#" name "." name, .schema_uri = DMTF_SCHEMAS name ".json",  \
	.members = of, .title = shown

#define COLLECTION(name, of, shown) COLLECTION_SCHEMA(name, of, shown), .render = render_collection

/* A place in the rows of all lists; zeros: before the first. */
struct resource_cursor {
	size_t list, row;
};

/* Return: the row at @at, which then is at the next one; NULL after the last. */
const struct resource_type *resource_table_next(const struct resource_table *t,
						struct resource_cursor *at);

/* Return: whether a row before @type is of the same schema. */
bool resource_table_repeats(const struct resource_table *t, const struct resource_type *type);

/* Whether a resource or an action's target supports that method, as it is now. */
bool resource_takes(const struct resource *r, enum http_method method);

/* Whether the row of a resource, or an action, supports that method. */
bool resource_type_takes(const struct resource *r, enum http_method method);

/* Return: why a method cannot be used, although its row has it; NULL: it can be. */
const char *resource_reason(const struct resource *r, enum http_method method);

/* resource_find_reason() - set `unchangeable` and `unremovable` of a resource of the view, or of an
 * action's target
 */
void resource_find_reason(const struct view *v, struct resource *r);

/* Return: the methods of a resource or of an action's target, as the Allow header has them. */
const char *resource_allow(const struct resource *r);

/* Return: the privileges that POST, PATCH, ... to the resource requires. */
unsigned int resource_needs(const struct resource *r, enum http_method method);

/* action_target() - the URI of an action of the resource at @uri; -EINVAL when it is too long */
int action_target(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX]);

/* Return: the name without the schema, "TranslateDPA". */
const char *action_short_name(const struct action *a);

/* action_info() - the URI of the ActionInfo of an action of the resource at @uri; as above */
int action_info(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX]);

/* Return: the action that follows ACTION_PATH in a path, "Oem/…" for OEM actions; NULL if none
 * does. */
const struct action *action_find(const struct resource_type *type, const char *name);

/* The properties of "Actions" for all actions of a resource that can be used. */
void put_actions(const struct resource *r, struct json_writer *w);

/* Renders a collection whose members are in the index. */
void render_collection(const struct view *v, const struct resource *r, struct json_writer *w);

#endif
