// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decodes the bytes of one event by the format of the kernel that wrote them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/formats_private.h"

/* The Header Log register of the CXL RAS capability, CXL r3.1 8.2.4.17.7: 512 bits. */
enum { HEADER_LOG_BYTES = 64 };

/* A value's bytes; NULL when they are not in the event. */
struct value {
	const uint8_t *at;
	size_t len;
};

static struct value value_of(const struct slot *slot, const uint8_t *payload, size_t len)
{
	size_t at = slot->offset, size = slot->size;
	uint32_t location;

	if (at > len || size > len - at)
		return (struct value){0};
	if (slot->place == PLACE_FIXED)
		return (struct value){payload + at, size};
	if (size != sizeof(location))
		return (struct value){0};
	memcpy(&location, payload + at, sizeof(location));
	at = (location & 0xffff) + (slot->place == PLACE_REL_LOC ? at + size : 0);
	size = location >> 16;
	if (at > len || size > len - at)
		return (struct value){0};
	return (struct value){payload + at, size};
}

static uint64_t number_of(const struct slot *slot, struct value v)
{
	uint64_t number = 0;

	memcpy(&number, v.at, v.len); /* little endian, as all machines with CXL */
	if (slot->is_signed && v.len < 8 && v.at[v.len - 1] & 0x80)
		number |= UINT64_MAX << (8 * v.len);
	return number;
}

/* Names come from drivers, and in captures from any source; they are shown to users. */
static void copy_text(struct value v, char *ret, size_t size)
{
	size_t n = strnlen((const char *)v.at, v.len);

	if (n >= size)
		n = size - 1;
	for (size_t i = 0; i < n; i++)
		ret[i] = isgraph(v.at[i]) ? (char)v.at[i] : '?';
	ret[n] = '\0';
}

static void take_bytes(struct event_record *rec, unsigned index, const uint8_t *payload,
		       struct value v)
{
	const size_t at = (size_t)(v.at - payload);

	/* The kernel's array is 512 bytes, for compatibility with old readers. Only the register's
	 * bytes are used; older kernels copied other registers after it. */
	if (index == BYTES_HEADER_LOG && v.len > HEADER_LOG_BYTES)
		v.len = HEADER_LOG_BYTES;
	if (v.len == 0 || at + v.len > rec->payload_len)
		return;
	rec->bytes[index].at = (uint16_t)at;
	rec->bytes[index].len = (uint16_t)v.len;
}

static void show_value(const struct slot *slot, struct value v, char *ret, size_t size)
{
	if (slot->is_text) {
		copy_text(v, ret, size);
		return;
	}
	if (slot->place == PLACE_FIXED && (v.len == 1 || v.len == 2 || v.len == 4 || v.len == 8)) {
		(void)snprintf(ret, size, slot->is_signed ? "%" PRId64 : "0x%" PRIx64,
			       number_of(slot, v));
		return;
	}
	ret[0] = '\0';
	for (size_t i = 0; i < v.len && 3 * i + 3 < size; i++)
		(void)snprintf(ret + 3 * i - (i > 0), size - 3 * i, i ? ":%02x" : "%02x", v.at[i]);
}

static void add_other(struct event_record *rec, const struct slot *slot, struct value v)
{
	const size_t used = strlen(rec->other_fields), left = sizeof(rec->other_fields) - used;
	char value[EVENT_OTHER_MAX];
	int n;

	show_value(slot, v, value, sizeof(value));
	n = snprintf(rec->other_fields + used, left, "%s%s=%s", used ? " " : "", slot->name, value);
	if (n < 0 || (size_t)n >= left)
		rec->other_fields[used] = '\0';
}

static void take_slot(struct event_record *rec, const struct slot *slot, const uint8_t *payload,
		      size_t len)
{
	const struct value v = value_of(slot, payload, len);

	if (!v.at)
		return;
	switch (slot->kind) {
	case SLOT_NUMBER:
		rec->number[slot->index] = number_of(slot, v);
		rec->present |= 1ULL << slot->index;
		break;
	case SLOT_BYTES:
		take_bytes(rec, slot->index, payload, v);
		break;
	case SLOT_MEMDEV:
		copy_text(v, rec->memdev, sizeof(rec->memdev));
		break;
	case SLOT_HOST:
		copy_text(v, rec->host, sizeof(rec->host));
		break;
	case SLOT_REGION:
		copy_text(v, rec->region, sizeof(rec->region));
		break;
	case SLOT_OTHER:
		add_other(rec, slot, v);
		break;
	}
}

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

static void forget_meaningless(struct event_record *rec)
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

static bool has_what_it_must(const struct event_record *rec)
{
	return rec->memdev[0] && rec->host[0] &&
	       (!event_type_has_address(rec->type) || event_number(rec, FIELD_DPA).present);
}

bool event_formats_decode(const struct event_formats *f, const uint8_t *payload, size_t len,
			  struct event_record *rec)
{
	const struct event_format *format;
	uint16_t id;

	if (len < sizeof(id))
		return false;
	memcpy(&id, payload, sizeof(id));
	format = event_formats_find(f, id);
	if (!format)
		return false;
	rec->type = format->type;
	memcpy(rec->event, format->name, sizeof(rec->event));
	rec->payload_whole = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
	rec->payload_len = (uint16_t)(len < EVENT_PAYLOAD_MAX ? len : EVENT_PAYLOAD_MAX);
	memcpy(rec->payload, payload, rec->payload_len);
	rec->other_fields[0] = '\0';
	for (size_t i = 0; i < format->slots.n; i++)
		take_slot(rec, &format->slots.items[i], payload, len);
	forget_meaningless(rec);
	if (rec->type == EVENT_POISON &&
	    opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), POISON_TRACE_CLEAR))
		rec->type = EVENT_POISON_CLEARED;
	if (!has_what_it_must(rec))
		rec->type = EVENT_OTHER;
	return true;
}
