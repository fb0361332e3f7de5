// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The fields of a record that the record itself vouches for: the same rules for records of the
// trace ring, of CPER sections and of texts.
#include "events/record_vouch.h"

#include <string.h>

#include "common/array.h"

static void forget(struct event_record *rec, enum event_field field)
{
	rec->present &= ~(1ULL << field);
	rec->number[field] = 0;
}

static void forget_if(struct event_record *rec, enum event_field field, uint64_t meaningless)
{
	if (opt_u64_is(event_number(rec, field), meaningless))
		forget(rec, field);
}

/*
 * Fields that are valid only when a flag of the record is set: validity flags of CXL
 * r3.1 8.2.9.2.1.1 (general media), .2 (DRAM), .3 (memory module) and r3.2 8.2.10.2.1.4 (memory
 * sparing), event record flags of 8.2.10.2.1; also in the "print fmt" of the kernel's format files.
 */
static const struct {
	int type; /* -1: all that have these flags */
	enum event_field flags;
	unsigned bit;
	bool is_bytes;
	unsigned index; /* enum event_field or event_bytes */
} vouched[] = {
	{EVENT_GENERAL_MEDIA, FIELD_VALIDITY_FLAGS, 0, false, FIELD_CHANNEL},
	{EVENT_GENERAL_MEDIA, FIELD_VALIDITY_FLAGS, 1, false, FIELD_RANK},
	{EVENT_GENERAL_MEDIA, FIELD_VALIDITY_FLAGS, 2, false, FIELD_DEVICE},
	{EVENT_GENERAL_MEDIA, FIELD_VALIDITY_FLAGS, 3, true, BYTES_COMP_ID},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 0, false, FIELD_CHANNEL},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 1, false, FIELD_RANK},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 2, false, FIELD_NIBBLE_MASK},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 3, false, FIELD_BANK_GROUP},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 4, false, FIELD_BANK},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 5, false, FIELD_ROW},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 6, false, FIELD_COLUMN},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 7, true, BYTES_COR_MASK},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 8, true, BYTES_COMP_ID},
	{EVENT_DRAM, FIELD_VALIDITY_FLAGS, 10, false, FIELD_SUB_CHANNEL},
	{EVENT_MEMORY_MODULE, FIELD_VALIDITY_FLAGS, 0, true, BYTES_COMP_ID},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 0, false, FIELD_CHANNEL},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 1, false, FIELD_RANK},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 2, false, FIELD_NIBBLE_MASK},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 3, false, FIELD_BANK_GROUP},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 4, false, FIELD_BANK},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 5, false, FIELD_ROW},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 6, false, FIELD_COLUMN},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 7, true, BYTES_COMP_ID},
	{EVENT_MEMORY_SPARING, FIELD_VALIDITY_FLAGS, 9, false, FIELD_SUB_CHANNEL},
	{-1, FIELD_HDR_FLAGS, 6, false, FIELD_HDR_MAINT_OP_SUB_CLASS},
	{-1, FIELD_HDR_FLAGS, 7, false, FIELD_HDR_LD_ID},
	{-1, FIELD_HDR_FLAGS, 8, false, FIELD_HDR_HEAD_ID},
};

void event_record_mark_valid(struct event_record *rec)
{
	uint64_t flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(vouched); i++) {
		const bool has = vouched[i].is_bytes ? rec->bytes[vouched[i].index].len > 0
						     : event_number(rec, vouched[i].index).present;

		if (has && vouched[i].type == (int)rec->type)
			flags |= UINT64_C(1) << vouched[i].bit;
	}
	rec->number[FIELD_VALIDITY_FLAGS] = flags;
	rec->present |= UINT64_C(1) << FIELD_VALIDITY_FLAGS;
}

static void forget_unvouched(struct event_record *rec)
{
	for (size_t i = 0; i < ARRAY_SIZE(vouched); i++) {
		const struct opt_u64 flags = event_number(rec, vouched[i].flags);

		if (vouched[i].type >= 0 && vouched[i].type != (int)rec->type)
			continue;
		if (flags.present && flags.value >> vouched[i].bit & 1)
			continue;
		if (vouched[i].is_bytes)
			rec->bytes[vouched[i].index].len = 0;
		else
			forget(rec, vouched[i].index);
	}
}

/* A region of volatile memory has no UUID. */
static void forget_nil_uuid(struct event_record *rec)
{
	static const uint8_t nil[16];
	size_t len;
	const uint8_t *uuid = event_bytes(rec, BYTES_REGION_UUID, &len);

	if (uuid && len == sizeof(nil) && memcmp(uuid, nil, sizeof(nil)) == 0)
		rec->bytes[BYTES_REGION_UUID].len = 0;
}

void event_record_vouch(struct event_record *rec)
{
	static const enum event_field times[] = {
		FIELD_HDR_TIMESTAMP,
		FIELD_OVERFLOW_TS,
		FIELD_FIRST_TS,
		FIELD_LAST_TS,
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		forget_if(rec, times[i], 0);
	forget_if(rec, FIELD_HPA, UINT64_MAX);
	forget_if(rec, FIELD_HPA_ALIAS0, UINT64_MAX);
	if (!event_number(rec, FIELD_HPA).present)
		forget(rec, FIELD_HPA_ALIAS0);
	forget_unvouched(rec);
	forget_nil_uuid(rec);
}
