/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_PRMT_H
#define CXLR_PRM_PRMT_H

/*
 * The Platform Runtime Mechanism Table: which firmware handlers exist. Platform Runtime Mechanism
 * Specification 1.1 section 4.1; include/acpi/actbl2.h; little endian, GUIDs mixed-endian.
 *
 * Untrusted, as the CEDT: checked before use, and rejected as a whole when invalid. The result
 * is one allocation owned by the caller, constant and readable from any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { PRMT_MODULES_MAX = 256, PRMT_HANDLERS_MAX = 4096, PRMT_GUID_TEXT = 37 };

/* EE41B397-25D4-452C-AD54-48C6E3480B94 in table byte order: CXL DPA to SPA. */
extern const uint8_t prmt_cxl_dpa_to_spa_guid[16];

struct prmt_handler {
	uint8_t guid[16];
	uint8_t module_guid[16];
	uint64_t address; /* physical; 0 when firmware gave none: must never be called */
	uint64_t static_data, acpi_buffer;
};

struct prmt {
	uint8_t platform_guid[16];
	const struct prmt_handler *handlers; /* of all modules, in table order */
	size_t n_handlers;
};

/*
 * prmt_parse() - read a PRMT; conventions and errors as cedt_parse(). Two handlers with one GUID
 * are rejected: Linux would silently use the first.
 */
int prmt_parse(const uint8_t *data, size_t len, struct prmt **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct prmt *prmt_free(struct prmt *p);

/* Return: the handler with that GUID, or NULL; its address may be 0. */
const struct prmt_handler *prmt_find(const struct prmt *p, const uint8_t guid[16]);

/* Writes "EE41B397-25D4-..." with a NUL. */
void prmt_guid_format(const uint8_t guid[16], char out[PRMT_GUID_TEXT]);

#endif
