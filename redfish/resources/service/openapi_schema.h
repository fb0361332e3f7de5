/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OPENAPI_SCHEMA_H
#define CXLR_REDFISH_OPENAPI_SCHEMA_H

/*
 * The tables that bodies are checked by (redfish/core/parameters.h) as Schema Objects of OpenAPI
 * 3.0.3. No state, any thread.
 */

#include "redfish/core/parameters.h"

/*
 * put_openapi_schema() - the property "schema" of a body
 * @p: NULL: any object
 * @changes: of a PATCH: nothing is required, and what is fixed cannot be given
 *
 * Lengths of texts are in bytes, which OpenAPI cannot say: `maxLength` is an upper bound.
 */
void put_openapi_schema(const struct parameters *p, bool changes, struct json_writer *w);

#endif
