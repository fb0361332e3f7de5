// SPDX-License-Identifier: LGPL-2.1-or-later
#include "otlp/fields.h"

const struct otlp_field_row otlp_fields[OTLP_FIELDS] = {
#define OTLP_FIELD_ROW(name, message, number, json, type, kind, child)                             \
	[OTLP_FIELD_##name] = {OTLP_##message,	 number,	   json,                           \
			       OTLP_TYPE_##type, OTLP_KIND_##kind, OTLP_##child},
	OTLP_FIELD_ROWS(OTLP_FIELD_ROW)
#undef OTLP_FIELD_ROW
};
