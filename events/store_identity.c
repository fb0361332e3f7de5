// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The identity of an event, by which duplicates are detected.
#include <string.h>

#include "events/store_identity.h"

/* Big-endian, so that the index is in order of time. */
static uint8_t *put_be(uint8_t *at, uint64_t value, int size)
{
	for (int i = size - 1; i >= 0; i--)
		*at++ = (uint8_t)(value >> (8 * i));
	return at;
}

size_t store_identity(const struct stored_event *event, uint8_t ret[static IDENTITY_MAX])
{
	const struct event_record *rec = &event->record;
	struct opt_u64 time = event_number(rec, FIELD_HDR_TIMESTAMP);
	struct opt_u64 serial = event_number(rec, FIELD_SERIAL), log = event_number(rec, FIELD_LOG);
	struct opt_u64 handle = event_number(rec, FIELD_HDR_HANDLE);
	size_t len;
	const uint8_t *uuid = event_bytes(rec, BYTES_HDR_UUID, &len);
	uint8_t *at = ret;

	if (time.present && time.value && serial.present && log.present && handle.present && uuid &&
	    len == EVENT_UUID_SIZE) {
		*at++ = 'D'; /* the device's own numbering */
		at = put_be(at, time.value, 8);
		at = put_be(at, serial.value, 8);
		at = put_be(at, log.value, 4);
		at = put_be(at, handle.value, 2);
		memcpy(at, uuid, EVENT_UUID_SIZE);
		return (size_t)(at - ret) + EVENT_UUID_SIZE;
	}
	*at++ = 'T'; /* the trace ring's */
	memcpy(at, event->boot_id, EVENT_BOOT_ID_SIZE);
	at = put_be(at + EVENT_BOOT_ID_SIZE, rec->time_ns, 8);
	at = put_be(at, rec->cpu, 4);
	at = put_be(at, rec->repeat, 4);
	len = strnlen(rec->event, sizeof(rec->event));
	memcpy(at, rec->event, len);
	return (size_t)(at - ret) + len;
}
_Static_assert(1 + EVENT_BOOT_ID_SIZE + 16 + EVENT_NAME_MAX <= IDENTITY_MAX, "both forms fit");
