/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_BODY_CHECK_H
#define CXLR_REDFISH_RESOURCES_BODY_CHECK_H

/*
 * Checks of the properties of a body by a table, on the HTTP thread. Every property that is wrong
 * is noted (exchange_note()), so that the reply names all of them.
 */

#include "redfish/service/exchange.h"

enum body_kind {
	BODY_BOOLEAN,
	BODY_NUMBER,
	BODY_INTEGER, /* of any sign; its range is checked by the caller */
	BODY_TEXT,
	BODY_TEXTS,
	BODY_LINK,
	BODY_LINK_OR_NULL,
	BODY_LINKS,   /* an array */
	BODY_OBJECT,  /* of `members`, which are checked likewise */
	BODY_OBJECTS, /* an array of those */
};

struct body_property {
	const char *name;
	enum body_kind kind;
	bool required;	   /* to create the resource */
	bool secret;	   /* the value is not repeated in a message */
	uint64_t min, max; /* of a number */
	const struct body_property *members;
	size_t n_members;
};

#define BODY_MEMBERS(list) .members = list, .n_members = sizeof(list) / sizeof((list)[0])

/*
 * body_check() - check the names, types and ranges of a body's properties
 * @p: those that can be written
 *
 * Of an action they are its parameters. Annotations ("@odata.id") are ignored. A property without a
 * row is refused as schema_refusal() says. To be followed by the caller's own checks of values,
 * which may note more, and exchange_noted().
 *
 * Return: 0, also when errors were noted; -EINVAL when a PATCH has nothing but annotations.
 */
int body_check(struct exchange *x, const struct body_property *p, size_t n);

/*
 * The values of a body that body_check() was called for; absent when it is missing or of another
 * type.
 */
const char *body_text(const struct exchange *x, const char *name);
struct opt_bool body_boolean(const struct exchange *x, const char *name);
struct opt_u64 body_number(const struct exchange *x, const char *name);

/* Return: the URI of {"@odata.id": …}; NULL without. */
const char *body_link(const struct exchange *x, const char *name);

/* Return: the value at "CXL/Congestion/Name", or "Sets/0/Name"; NULL without. */
const json_t *body_at(const struct exchange *x, const char *path);

/* The message that x->message is names the value at this path of the body. */
void body_point_to(struct exchange *x, const char *path);

/*
 * Notes an error of a property, or of a parameter when the request is an action. @name: may be a
 * path.
 * @value: as it was given, for the messages that have it; NULL otherwise
 */
void body_note(struct exchange *x, enum message_id id, const char *name, const json_t *value);

/* The same for messages whose first argument is a text that is not shown, then @limit. */
void body_note_length(struct exchange *x, enum message_id id, const char *name, unsigned int limit);

/*
 * Overwrites a text of the body with zeros, when it is not needed any more: all of the body is when
 * it is freed (redfish/service/request_body.h), which may be much later. @path: as for body_at()
 */
void body_wipe(struct exchange *x, const char *path);

#endif
