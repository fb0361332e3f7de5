/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OEM_SCHEMAS_H
#define CXLR_REDFISH_OEM_SCHEMAS_H

/*
 * The CSDL files of schemas/, compiled in by embed-schemas.sh so that what is served is what the
 * code was built with. Constant.
 */

#include <stddef.h>

struct oem_schema {
	const char *file; /* "CXLHostMemory_v1.xml" */
	const unsigned char *bytes;
	size_t len;
};

/* Ends with an entry whose `file` is NULL. */
extern const struct oem_schema oem_schemas[];

#endif
