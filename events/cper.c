// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/cper.h"

#include <stdio.h>
#include <string.h>

#include "events/cxl_record.h"

static const uint8_t protocol_error[16] = {0x80, 0xb9, 0xef, 0xb4, 0x52, 0xb5, 0x4d, 0xe3,
					   0xa7, 0x77, 0x68, 0x78, 0x4b, 0x77, 0x10, 0x48};

static uint64_t get(const uint8_t *bytes, size_t at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes + at, size); /* little endian, as all machines with CXL */
	return value;
}

/* function, device, bus, segment */
static void take_function(const uint8_t *at, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%04x:%02x:%02x.%x", (unsigned)get(at, 3, 2), at[2], at[1] & 0x1f,
		       at[0] & 7);
}

/* ---- component events -------------------------------------------------------------------------
 */

enum { VALID_DEVICE_ID = 1 << 0, VALID_SERIAL = 1 << 1, VALID_RECORD = 1 << 2 };

static bool decode_component(const uint8_t *uuid, const uint8_t *bytes, size_t len,
			     struct event_record *rec)
{
	uint64_t valid;

	if (len < CPER_COMPONENT_BYTES_MIN)
		return false;
	valid = get(bytes, 4, 8);
	if (!(valid & VALID_RECORD) || !cxl_record_decode(uuid, bytes + CPER_COMPONENT_BYTES_MIN,
							  len - CPER_COMPONENT_BYTES_MIN, rec))
		return false;
	if (valid & VALID_DEVICE_ID)
		take_function(bytes + 0x10, rec->host, sizeof(rec->host));
	if (valid & VALID_SERIAL)
		event_record_set(rec, FIELD_SERIAL, get(bytes, 0x18, 8));
	return !event_type_has_address(rec->type) || event_number(rec, FIELD_DPA).present;
}

/* ---- protocol errors --------------------------------------------------------------------------
 */

enum {
	VALID_AGENT_TYPE = 1 << 0,
	VALID_AGENT_ADDRESS = 1 << 1,
	VALID_PROTOCOL_SERIAL = 1 << 3,
	VALID_ERROR_LOG = 1 << 6,
	PROTOCOL_BYTES = 116,
	RAS_BYTES = 24 + 64, /* of the RAS capability: six registers and the header log */
	AGENT_RCH_PORT = 1,  /* whose address is no PCI function */
	AGENT_ROOT_PORT = 5, /* this and those behind it are ports */
	FIRST_ERROR_MASK = 0x3f,
};

/* The kernel's: of several errors the first one is that of the capability's pointer. */
static uint64_t first_error(uint64_t status, uint64_t control)
{
	const uint64_t bit = control & FIRST_ERROR_MASK;

	if ((status & (status - 1)) == 0)
		return status;
	return bit < 32 ? UINT64_C(1) << bit : 0;
}

static void take_ras(const uint8_t *ras, bool is_port, struct event_record *rec)
{
	const uint64_t uncorrectable = get(ras, 0, 4) & ~get(ras, 4, 4);
	const uint64_t correctable = get(ras, 12, 4) & ~get(ras, 16, 4);

	if (uncorrectable == 0 && correctable != 0) {
		rec->type = is_port ? EVENT_PORT_AER_CORRECTABLE : EVENT_AER_CORRECTABLE;
		event_record_set(rec, FIELD_STATUS, correctable);
		return;
	}
	event_record_set(rec, FIELD_STATUS, uncorrectable);
	event_record_set(rec, FIELD_FIRST_ERROR, first_error(uncorrectable, get(ras, 20, 4)));
	memcpy(rec->payload, ras + 24, 64);
	rec->payload_len = rec->payload_whole = 64;
	rec->bytes[BYTES_HEADER_LOG].len = 64;
}

static bool decode_protocol(const uint8_t *bytes, size_t len, struct event_record *rec)
{
	uint64_t valid;
	size_t ras;
	bool is_port;

	if (len < PROTOCOL_BYTES)
		return false;
	valid = get(bytes, 0, 8);
	is_port = valid & VALID_AGENT_TYPE && bytes[8] >= AGENT_ROOT_PORT;
	ras = PROTOCOL_BYTES + get(bytes, 108, 2);
	if (valid & VALID_ERROR_LOG && len < ras + RAS_BYTES)
		return false;
	rec->type = is_port ? EVENT_PORT_AER_UNCORRECTABLE : EVENT_AER_UNCORRECTABLE;
	if (valid & VALID_AGENT_ADDRESS && valid & VALID_AGENT_TYPE && bytes[8] != AGENT_RCH_PORT) {
		take_function(bytes + 16, rec->host, sizeof(rec->host));
		if (is_port)
			take_function(bytes + 16, rec->memdev, sizeof(rec->memdev));
	}
	if (valid & VALID_PROTOCOL_SERIAL && !is_port)
		event_record_set(rec, FIELD_SERIAL, get(bytes, 40, 8));
	if (valid & VALID_ERROR_LOG)
		take_ras(bytes + ras, is_port, rec);
	(void)snprintf(rec->event, sizeof(rec->event), "%s", event_of_type(rec->type));
	return rec->host[0] || event_number(rec, FIELD_SERIAL).present;
}

bool cper_is_cxl(const uint8_t uuid[static 16])
{
	struct event_record rec = {0};

	return memcmp(uuid, protocol_error, sizeof(protocol_error)) == 0 ||
	       cxl_record_decode(uuid, (const uint8_t[1]){0}, 0, &rec);
}

bool cper_decode(const uint8_t uuid[static 16], const uint8_t *bytes, size_t len,
		 struct event_record *rec)
{
	if (memcmp(uuid, protocol_error, sizeof(protocol_error)) == 0)
		return decode_protocol(bytes, len, rec);
	return decode_component(uuid, bytes, len, rec);
}
