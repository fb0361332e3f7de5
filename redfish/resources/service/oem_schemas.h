/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_OEM_SCHEMAS_H
#define CXLR_REDFISH_RESOURCES_OEM_SCHEMAS_H

/*
 * The files of schemas/, compiled in by embed-schemas.sh, so that the schemas served are those that
 * the code was built with. Constant.
 */

#include <stddef.h>

struct oem_schema {
	const char *file; /* "CXLHostMemory_v1.xml", "CXLHostMemory.v1_0_0.json" */
	const unsigned char *bytes;
	size_t len;
};

/* CSDL, and the JSON schemas made of it. Each list ends with an entry whose `file` is NULL. */
extern const struct oem_schema oem_csdl[], oem_json_schemas[];

#endif
