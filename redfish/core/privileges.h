/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PRIVILEGES_H
#define CXLR_REDFISH_PRIVILEGES_H

/*
 * The privilege that a request needs: one table, by schema, with exceptions by URI and by action.
 * It is what a Redfish PrivilegeRegistry shows (DSP0266 1.20 13.4.5). Constant; any thread.
 */

#include <stddef.h>

#include "http/request.h"
#include "redfish/core/principal.h"

/* Each member is a set of PRIVILEGE_…, any one of which is sufficient. */
struct privilege_needs {
	unsigned int read, post, patch, remove;
};

struct privilege_row {
	const char *schema;  /* NULL in a row for one URI or one action */
	const char *pattern; /* of a resource type; NULL in a row for a schema or an action */
	const char *action;  /* "LogService.ClearLog"; then only `post` is used */
	/* A property of the schema whose change needs something else; then only `patch` is used. */
	const char *property;
	struct privilege_needs needs;
};

struct privilege_map {
	const struct privilege_row *rows;
	size_t n;
};

/* The table of this service; its rows for schemas are those of DMTF's registry 1.8.0. */
extern const struct privilege_map redfish_privileges;

/*
 * privileges_find() - the privileges that requests to a resource require
 * @schema: NULL for a document without one
 * @action: NULL for the resource itself
 *
 * A row of the action comes first, then one of the pattern, then one of the schema.
 *
 * Return: never NULL; without a row: Login to read and ConfigureManager to write.
 */
const struct privilege_needs *privileges_find(const struct privilege_map *map, const char *schema,
					      const char *pattern, const char *action);

/*
 * privileges_of_property() - what a PATCH of one property requires
 * @name: NULL: of any property that has a row of its own
 *
 * Return: the set; 0 when there is no such row, and the resource's own set holds.
 */
unsigned int privileges_of_property(const struct privilege_map *map, const char *schema,
				    const char *name);

/* Return: the set for a method, 0 for METHOD_OTHER. */
unsigned int privileges_for(const struct privilege_needs *needs, enum http_method method);

/* Return: the name of one privilege, "ConfigureManager"; NULL if @bit is not a privilege. */
const char *privilege_name(unsigned int bit);

#endif
