// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/repair_records.h"

#include <stdio.h>

static void number(struct stored_event *ev, enum event_field field, uint64_t value)
{
	event_record_set(&ev->record, field, value);
}

void record_ask_repair(struct stored_event *ev, uint64_t serial, uint64_t dpa,
		       unsigned int op_class, unsigned int op_subclass)
{
	number(ev, FIELD_SERIAL, serial);
	number(ev, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE | 1);
	number(ev, FIELD_HDR_MAINT_OP_CLASS, op_class);
	number(ev, FIELD_HDR_MAINT_OP_SUB_CLASS, op_subclass);
	number(ev, FIELD_TYPE, 0); /* of the media, not of the path to it */
	number(ev, FIELD_DPA, dpa);
	number(ev, FIELD_DPA_FLAGS, 1);
	for (int f = FIELD_NIBBLE_MASK; f <= FIELD_COLUMN; f++)
		number(ev, (enum event_field)f, (uint64_t)f);
	number(ev, FIELD_CHANNEL, 3);
	number(ev, FIELD_RANK, 1);
}

void record_report_sparing(struct stored_event *ev)
{
	ev->record.type = EVENT_MEMORY_SPARING;
	(void)snprintf(ev->record.event, sizeof(ev->record.event), "cxl_memory_sparing");
	number(ev, FIELD_FLAGS, 0);
	number(ev, FIELD_SUB_TYPE, 1);
	number(ev, FIELD_RESULT, 0);
}
