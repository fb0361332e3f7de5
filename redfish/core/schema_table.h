/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SCHEMA_TABLE_H
#define CXLR_REDFISH_SCHEMA_TABLE_H

/*
 * The types of all served schemas with their properties, generated from CSDL by
 * scripts/schema-properties. redfish/core/schema.h answers questions about it. All of it is
 * constant.
 */

#include <stddef.h>

struct schema_type {
	const char *name;	/* "Memory", "Memory.CXL" */
	const char *version;	/* of a schema: "v1_23_0"; NULL: of an object in one */
	const char *properties; /* "+Written Read Object>Memory.CXL", a blank between them */
};

/* Return: all types. */
const struct schema_type *schema_types(size_t *ret_n);

#endif
