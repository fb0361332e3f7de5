/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_ODATA_H
#define CXLR_REDFISH_ODATA_H

/*
 * Redfish properties on top of common/json_writer.h: links, and sizes in mebibytes. As there, a
 * writer is used by one thread, and it keeps errors.
 */

#include "common/json_writer.h"

/*
 * A URI of this service as clients see it (system_id.h), formatted; by this, and by the functions
 * below, each URI in a body is written.
 */
void put_uri(struct json_writer *w, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* {"@odata.id": "..."} with a formatted URI (DSP0266 8.7). */
void put_link(struct json_writer *w, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "KEY": [{"@odata.id": "..."}], a list of exactly one link. */
void put_link_list(struct json_writer *w, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Opens "Oem": {"CXLHost": {"@odata.type": TYPE, and closes both. */
void put_oem_begin(struct json_writer *w, const char *type);
void put_oem_end(struct json_writer *w);

/* "Languages" and "Location" of a JsonSchemaFile or MessageRegistryFile with one file, in English;
 * @key: "Uri" or "PublicationUri", with a formatted URI. */
void put_file_location(struct json_writer *w, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Bytes as whole mebibytes, rounded down; absent as put_opt_number(). */
void put_opt_mib(struct json_writer *w, const char *key, struct opt_u64 bytes);

#endif
