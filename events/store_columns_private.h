/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_COLUMNS_PRIVATE_H
#define CXLR_EVENTS_STORE_COLUMNS_PRIVATE_H

/*
 * Declarations that the files of the table of columns share.
 */

#include "events/store_columns.h"

/* store_column_kinds.c: by the type of the member, or by name where that is not enough */
extern const struct store_column_kind kind_number, kind_uint, kind_number16, kind_flag,
	kind_optional, kind_optional_int, kind_text, kind_bytes, kind_type_name, kind_source_name,
	kind_severity, kind_log_number, kind_fields, kind_payload, kind_spa_first, kind_spa_last,
	kind_region_uuid, kind_extents;

/* store_columns.c */
bool store_column_has(const struct store_column *column, unsigned int uses);

#endif
