// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/log/cper_section.h"

#include <string.h>

#include "common/array.h"
#include "events/stored_event.h"

enum {
	/* The section's own header; Device ID is left out, as the record does not have it. */
	AT_LENGTH = 0,
	AT_VALIDATION = 4,
	AT_SERIAL = 24,
	AT_RECORD = 32, /* the event record without its UUID */
	AT_DATA = AT_RECORD + 32,
	DATA_SIZE = 80,

	SERIAL_VALID = 1 << 1,
	LOG_VALID = 1 << 2,
};
_Static_assert(AT_DATA + DATA_SIZE == CPER_SECTION_SIZE, "an event record has 128 bytes");

struct number_place {
	enum event_field field;
	unsigned int at, size; /* within the record or its data; bytes, little endian */
};

struct bytes_place {
	enum event_bytes which;
	unsigned int at, size;
};

/* Table 8-55, Common Event Record Format, without its UUID. */
static const struct number_place header[] = {
	{FIELD_HDR_LENGTH, 0, 1},
	{FIELD_HDR_FLAGS, 1, 3},
	{FIELD_HDR_HANDLE, 4, 2},
	{FIELD_HDR_RELATED_HANDLE, 6, 2},
	{FIELD_HDR_TIMESTAMP, 8, 8},
	{FIELD_HDR_MAINT_OP_CLASS, 16, 1},
	{FIELD_HDR_MAINT_OP_SUB_CLASS, 17, 1},
	{FIELD_HDR_LD_ID, 18, 2},
	{FIELD_HDR_HEAD_ID, 20, 1},
};

/* The fields that follow it, by the type of the record: tables 8-57 to 8-60. */
static const struct number_place media[] = {
	{FIELD_DESCRIPTOR, 8, 1},	 {FIELD_TYPE, 9, 1},
	{FIELD_TRANSACTION_TYPE, 10, 1}, {FIELD_VALIDITY_FLAGS, 11, 2},
	{FIELD_CHANNEL, 13, 1},		 {FIELD_RANK, 14, 1},
	{FIELD_DEVICE, 15, 3},		 {FIELD_CME_THRESHOLD_EV_FLAGS, 34, 1},
	{FIELD_CME_COUNT, 35, 3},	 {FIELD_SUB_TYPE, 38, 1},
};

static const struct number_place dram[] = {
	{FIELD_DESCRIPTOR, 8, 1},
	{FIELD_TYPE, 9, 1},
	{FIELD_TRANSACTION_TYPE, 10, 1},
	{FIELD_VALIDITY_FLAGS, 11, 2},
	{FIELD_CHANNEL, 13, 1},
	{FIELD_RANK, 14, 1},
	{FIELD_NIBBLE_MASK, 15, 3},
	{FIELD_BANK_GROUP, 18, 1},
	{FIELD_BANK, 19, 1},
	{FIELD_ROW, 20, 3},
	{FIELD_COLUMN, 23, 2},
	{FIELD_SUB_CHANNEL, 73, 1},
	{FIELD_CME_THRESHOLD_EV_FLAGS, 74, 1},
	{FIELD_CVME_COUNT, 75, 3},
	{FIELD_SUB_TYPE, 78, 1},
};

static const struct number_place module[] = {
	{FIELD_EVENT_TYPE, 0, 1},	  {FIELD_HEALTH_STATUS, 1, 1},
	{FIELD_MEDIA_STATUS, 2, 1},	  {FIELD_ADD_STATUS, 3, 1},
	{FIELD_LIFE_USED, 4, 1},	  {FIELD_DEVICE_TEMP, 5, 2},
	{FIELD_DIRTY_SHUTDOWN_CNT, 7, 4}, {FIELD_COR_VOL_ERR_CNT, 11, 4},
	{FIELD_COR_PER_ERR_CNT, 15, 4},	  {FIELD_VALIDITY_FLAGS, 19, 2},
	{FIELD_EVENT_SUB_TYPE, 37, 1},
};

static const struct number_place sparing[] = {
	{FIELD_FLAGS, 2, 1},	    {FIELD_RESULT, 3, 1},      {FIELD_VALIDITY_FLAGS, 4, 2},
	{FIELD_RES_AVAIL, 12, 2},   {FIELD_CHANNEL, 14, 1},    {FIELD_RANK, 15, 1},
	{FIELD_NIBBLE_MASK, 16, 3}, {FIELD_BANK_GROUP, 19, 1}, {FIELD_BANK, 20, 1},
	{FIELD_ROW, 21, 3},	    {FIELD_COLUMN, 24, 2},     {FIELD_SUB_CHANNEL, 42, 1},
};

static const struct bytes_place media_bytes[] = {{BYTES_COMP_ID, 18, 16}};
static const struct bytes_place dram_bytes[] = {{BYTES_COR_MASK, 25, 32}, {BYTES_COMP_ID, 57, 16}};
static const struct bytes_place module_bytes[] = {{BYTES_COMP_ID, 21, 16}};
static const struct bytes_place sparing_bytes[] = {{BYTES_COMP_ID, 26, 16}};
static const struct bytes_place generic_bytes[] = {{BYTES_DATA, 0, DATA_SIZE}};

static const struct layout {
	const struct number_place *numbers;
	size_t n_numbers;
	const struct bytes_place *bytes;
	size_t n_bytes;
} layouts[EVENT_TYPES] = {
	[EVENT_GENERAL_MEDIA] = {media, ARRAY_SIZE(media), media_bytes, ARRAY_SIZE(media_bytes)},
	[EVENT_DRAM] = {dram, ARRAY_SIZE(dram), dram_bytes, ARRAY_SIZE(dram_bytes)},
	[EVENT_MEMORY_MODULE] = {module, ARRAY_SIZE(module), module_bytes,
				 ARRAY_SIZE(module_bytes)},
	[EVENT_MEMORY_SPARING] = {sparing, ARRAY_SIZE(sparing), sparing_bytes,
				  ARRAY_SIZE(sparing_bytes)},
	[EVENT_GENERIC] = {NULL, 0, generic_bytes, ARRAY_SIZE(generic_bytes)},
};

static void put_le(uint8_t *at, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> (8 * i));
}

static void put_numbers(const struct event_record *rec, const struct number_place *places, size_t n,
			uint8_t *to)
{
	for (size_t i = 0; i < n; i++)
		put_le(to + places[i].at, event_number(rec, places[i].field).value, places[i].size);
}

static void put_bytes(const struct event_record *rec, const struct bytes_place *places, size_t n,
		      uint8_t *to)
{
	for (size_t i = 0; i < n; i++) {
		size_t len;
		const uint8_t *bytes = event_bytes(rec, places[i].which, &len);

		if (bytes)
			memcpy(to + places[i].at, bytes,
			       len < places[i].size ? len : places[i].size);
	}
}

static void begin_section(struct opt_u64 serial, uint8_t ret[static CPER_SECTION_SIZE])
{
	uint64_t valid = LOG_VALID | (serial.present ? SERIAL_VALID : 0);

	memset(ret, 0, CPER_SECTION_SIZE);
	put_le(ret + AT_LENGTH, CPER_SECTION_SIZE, 4);
	put_le(ret + AT_VALIDATION, valid, 8);
	put_le(ret + AT_SERIAL, serial.value, 8);
}

void cper_section_of_raw(const uint8_t raw[static CPER_RECORD_SIZE], struct opt_u64 serial,
			 uint8_t ret[static CPER_SECTION_SIZE])
{
	begin_section(serial, ret);
	memcpy(ret + AT_RECORD, raw + EVENT_UUID_SIZE, CPER_RECORD_SIZE - EVENT_UUID_SIZE);
}

bool cper_section(const struct event_record *rec, uint8_t ret[static CPER_SECTION_SIZE])
{
	const struct layout *l = &layouts[rec->type];
	size_t uuid_len;

	if (l->n_bytes == 0 || !event_bytes(rec, BYTES_HDR_UUID, &uuid_len))
		return false;
	begin_section(event_number(rec, FIELD_SERIAL), ret);
	put_numbers(rec, header, ARRAY_SIZE(header), ret + AT_RECORD);
	put_numbers(rec, l->numbers, l->n_numbers, ret + AT_DATA);
	put_bytes(rec, l->bytes, l->n_bytes, ret + AT_DATA);
	/* The kernel takes flags off the address, which are its lowest bits. */
	if (rec->type == EVENT_GENERAL_MEDIA || rec->type == EVENT_DRAM)
		put_le(ret + AT_DATA,
		       event_number(rec, FIELD_DPA).value |
			       event_number(rec, FIELD_DPA_FLAGS).value,
		       8);
	return true;
}
