// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/cxl_record.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "events/record_vouch.h"

enum { UUID_BYTES = 16, HEADER = -1 };

static const struct {
	uint8_t uuid[UUID_BYTES];
	enum event_type type;
} kinds[] = {
	{{0xfb, 0xcd, 0x0a, 0x77, 0xc2, 0x60, 0x41, 0x7f, 0x85, 0xa9, 0x08, 0x8b, 0x16, 0x21, 0xeb,
	  0xa6},
	 EVENT_GENERAL_MEDIA},
	{{0x60, 0x1d, 0xcb, 0xb3, 0x9c, 0x06, 0x4e, 0xab, 0xb8, 0xaf, 0x4e, 0x9b, 0xfb, 0x5c, 0x96,
	  0x24},
	 EVENT_DRAM},
	{{0xfe, 0x92, 0x74, 0x75, 0xdd, 0x59, 0x43, 0x39, 0xa5, 0x86, 0x79, 0xba, 0xb1, 0x13, 0xb7,
	  0x74},
	 EVENT_MEMORY_MODULE},
};

/* A number, little endian; CXL r3.2 tables 8-55 to 8-59. */
static const struct {
	int type; /* HEADER: all records */
	unsigned at, size;
	enum event_field field;
} numbers[] = {
	{HEADER, 0, 1, FIELD_HDR_LENGTH},
	{HEADER, 1, 3, FIELD_HDR_FLAGS},
	{HEADER, 4, 2, FIELD_HDR_HANDLE},
	{HEADER, 6, 2, FIELD_HDR_RELATED_HANDLE},
	{HEADER, 8, 8, FIELD_HDR_TIMESTAMP},
	{HEADER, 16, 1, FIELD_HDR_MAINT_OP_CLASS},
	{HEADER, 17, 1, FIELD_HDR_MAINT_OP_SUB_CLASS},
	{HEADER, 18, 2, FIELD_HDR_LD_ID},
	{HEADER, 20, 1, FIELD_HDR_HEAD_ID},
	{EVENT_GENERAL_MEDIA, 32, 8, FIELD_DPA},
	{EVENT_GENERAL_MEDIA, 40, 1, FIELD_DESCRIPTOR},
	{EVENT_GENERAL_MEDIA, 41, 1, FIELD_TYPE},
	{EVENT_GENERAL_MEDIA, 42, 1, FIELD_TRANSACTION_TYPE},
	{EVENT_GENERAL_MEDIA, 43, 2, FIELD_VALIDITY_FLAGS},
	{EVENT_GENERAL_MEDIA, 45, 1, FIELD_CHANNEL},
	{EVENT_GENERAL_MEDIA, 46, 1, FIELD_RANK},
	{EVENT_GENERAL_MEDIA, 47, 3, FIELD_DEVICE},
	{EVENT_GENERAL_MEDIA, 66, 1, FIELD_CME_THRESHOLD_EV_FLAGS},
	{EVENT_GENERAL_MEDIA, 67, 3, FIELD_CME_COUNT},
	{EVENT_GENERAL_MEDIA, 70, 1, FIELD_SUB_TYPE},
	{EVENT_DRAM, 32, 8, FIELD_DPA},
	{EVENT_DRAM, 40, 1, FIELD_DESCRIPTOR},
	{EVENT_DRAM, 41, 1, FIELD_TYPE},
	{EVENT_DRAM, 42, 1, FIELD_TRANSACTION_TYPE},
	{EVENT_DRAM, 43, 2, FIELD_VALIDITY_FLAGS},
	{EVENT_DRAM, 45, 1, FIELD_CHANNEL},
	{EVENT_DRAM, 46, 1, FIELD_RANK},
	{EVENT_DRAM, 47, 3, FIELD_NIBBLE_MASK},
	{EVENT_DRAM, 50, 1, FIELD_BANK_GROUP},
	{EVENT_DRAM, 51, 1, FIELD_BANK},
	{EVENT_DRAM, 52, 3, FIELD_ROW},
	{EVENT_DRAM, 55, 2, FIELD_COLUMN},
	{EVENT_DRAM, 105, 1, FIELD_SUB_CHANNEL},
	{EVENT_DRAM, 106, 1, FIELD_CME_THRESHOLD_EV_FLAGS},
	{EVENT_DRAM, 107, 3, FIELD_CVME_COUNT},
	{EVENT_DRAM, 110, 1, FIELD_SUB_TYPE},
	{EVENT_MEMORY_MODULE, 32, 1, FIELD_EVENT_TYPE},
	{EVENT_MEMORY_MODULE, 33, 1, FIELD_HEALTH_STATUS},
	{EVENT_MEMORY_MODULE, 34, 1, FIELD_MEDIA_STATUS},
	{EVENT_MEMORY_MODULE, 35, 1, FIELD_ADD_STATUS},
	{EVENT_MEMORY_MODULE, 36, 1, FIELD_LIFE_USED},
	{EVENT_MEMORY_MODULE, 37, 2, FIELD_DEVICE_TEMP},
	{EVENT_MEMORY_MODULE, 39, 4, FIELD_DIRTY_SHUTDOWN_CNT},
	{EVENT_MEMORY_MODULE, 43, 4, FIELD_COR_VOL_ERR_CNT},
	{EVENT_MEMORY_MODULE, 47, 4, FIELD_COR_PER_ERR_CNT},
	{EVENT_MEMORY_MODULE, 51, 2, FIELD_VALIDITY_FLAGS},
	{EVENT_MEMORY_MODULE, 69, 1, FIELD_EVENT_SUB_TYPE},
};

static const struct {
	enum event_type type;
	unsigned at, size;
	enum event_bytes which;
} arrays[] = {
	{EVENT_GENERAL_MEDIA, 50, 16, BYTES_COMP_ID},
	{EVENT_DRAM, 57, 32, BYTES_COR_MASK},
	{EVENT_DRAM, 89, 16, BYTES_COMP_ID},
	{EVENT_MEMORY_MODULE, 53, 16, BYTES_COMP_ID},
};

static uint64_t little_endian(const uint8_t *at, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, at, size); /* as all machines with CXL */
	return value;
}

static void take_numbers(const uint8_t *bytes, size_t len, struct event_record *rec)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		uint64_t value;

		if ((numbers[i].type != HEADER && numbers[i].type != (int)rec->type) ||
		    numbers[i].at + numbers[i].size > len)
			continue;
		value = little_endian(bytes + numbers[i].at, numbers[i].size);
		if (numbers[i].field == FIELD_DEVICE_TEMP)
			value = (uint64_t)(int64_t)(int16_t)value;
		event_record_set(rec, numbers[i].field, value);
	}
}

/* Bits 1:0 of the address are its flags, and 5:2 are reserved, as the kernel reads them, too. */
static void take_address(struct event_record *rec)
{
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);

	if (!dpa.present)
		return;
	event_record_set(rec, FIELD_DPA_FLAGS, dpa.value & 3);
	event_record_set(rec, FIELD_DPA, dpa.value & ~UINT64_C(63));
}

static const enum event_type *kind_of(const uint8_t *uuid)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (memcmp(kinds[i].uuid, uuid, UUID_BYTES) == 0)
			return &kinds[i].type;
	return NULL;
}

bool cxl_record_decode(const uint8_t uuid[static 16], const uint8_t *bytes, size_t len,
		       struct event_record *rec)
{
	const enum event_type *type = kind_of(uuid);

	if (!type)
		return false;
	if (len > EVENT_PAYLOAD_MAX - UUID_BYTES)
		len = EVENT_PAYLOAD_MAX - UUID_BYTES;
	rec->type = *type;
	(void)snprintf(rec->event, sizeof(rec->event), "%s", event_of_type(*type));
	memcpy(rec->payload, uuid, UUID_BYTES);
	memcpy(rec->payload + UUID_BYTES, bytes, len);
	rec->payload_len = rec->payload_whole = (uint16_t)(UUID_BYTES + len);
	rec->bytes[BYTES_HDR_UUID].len = UUID_BYTES;
	take_numbers(bytes, len, rec);
	take_address(rec);
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		if (arrays[i].type == *type && arrays[i].at + arrays[i].size <= len) {
			rec->bytes[arrays[i].which].at = (uint16_t)(UUID_BYTES + arrays[i].at);
			rec->bytes[arrays[i].which].len = (uint16_t)arrays[i].size;
		}
	/* The severity is in the record's flags, and which of the device's logs it was in is not.
	 */
	if (event_number(rec, FIELD_HDR_FLAGS).present)
		event_record_set(rec, FIELD_LOG,
				 rec->number[FIELD_HDR_FLAGS] & EVENT_FLAG_SEVERITY);
	event_record_vouch(rec);
	return true;
}
