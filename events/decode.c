// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decodes the bytes of one event by the format of the kernel that wrote them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/formats_private.h"
#include "events/record_vouch.h"

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
	event_record_vouch(rec);
	if (rec->type == EVENT_POISON &&
	    opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), POISON_TRACE_CLEAR))
		rec->type = EVENT_POISON_CLEARED;
	if (!has_what_it_must(rec))
		rec->type = EVENT_OTHER;
	return true;
}
