/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SCHEMA_H
#define CXLR_REDFISH_SCHEMA_H

/*
 * The properties that the published schema of a resource has, and those of them that a client may
 * write by that schema, whether this service supports them or not. Stateless; any thread.
 */

#include <stddef.h>

#include "redfish/core/messages.h"

enum schema_property {
	SCHEMA_UNKNOWN,	  /* the schema has no such property */
	SCHEMA_READ_ONLY, /* or an object, whose members have permissions of their own */
	SCHEMA_WRITABLE,
};

/*
 * schema_property() - look up a property
 * @schema: of a resource: "Memory"
 * @path: of names, and indices of arrays: "CXL/LabelStorageSizeBytes", "Oem/CXLHost/KernelName",
 *        "InterleaveSets/0/Memory"
 */
enum schema_property schema_property(const char *schema, const char *path);

/*
 * schema_refusal() - why a property that this service does not write is refused
 *
 * Return: MESSAGE_PROPERTY_NOT_WRITABLE when the schema has it, and MESSAGE_PROPERTY_UNKNOWN.
 */
enum message_id schema_refusal(const char *schema, const char *path);

/* Return: the version of a schema that is served, "v1_23_0"; NULL when none is. */
const char *schema_version(const char *schema);

/*
 * The types of all served schemas with their properties, generated from CSDL by
 * scripts/schema-properties into schema_table.c. Constant.
 */
struct schema_type {
	const char *name;	/* "Memory", "Memory.CXL" */
	const char *version;	/* of a schema: "v1_23_0"; NULL: of an object in one */
	const char *properties; /* "+Written Read Object>Memory.CXL", a blank between them */
};

/* Return: all types. */
const struct schema_type *schema_types(size_t *ret_n);

#endif
