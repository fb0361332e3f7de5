// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoding of output payloads. They are untrusted: a field is read only when the payload is long
 * enough, and used only when the specification allows its value.
 */
#include "mailbox/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

/* CXL gives capacities in multiples of this. */
#define CAPACITY_UNIT (UINT64_C(256) << 20)

enum { REASON_BYTES_MAX = 128, PERCENT_MAX = 100 };

/*
 * Notes that a value is not used. The note must not quote the payload: it is logged once as long as
 * it stays the same, and a device could send another value each time.
 */
static void note_invalid(const struct mailbox_output *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void note_invalid(const struct mailbox_output *o, const char *fmt, ...)
{
	char text[REASON_BYTES_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	read_notes_add(o->notes, "%s: %s (%04Xh): %s", o->memdev, o->command->title,
		       o->command->opcode, text);
}

static bool payload_has(const struct mailbox_output *o, size_t offset, size_t width)
{
	return offset + width <= o->len;
}

/* Return: the little-endian number of @width bytes, at most 8, at @offset. */
static struct opt_u64 payload_number(const struct mailbox_output *o, size_t offset, size_t width)
{
	uint64_t v = 0;

	if (!payload_has(o, offset, width))
		return (struct opt_u64){0};
	for (size_t i = width; i-- > 0;)
		v = v << 8 | o->data[offset + i];
	return OPT_U64(v);
}

static struct opt_bool payload_flag(const struct mailbox_output *o, size_t offset, unsigned int bit)
{
	struct opt_u64 byte = payload_number(o, offset, 1);

	return (struct opt_bool){.present = byte.present, .value = (byte.value >> bit & 1) != 0};
}

static struct opt_u64 payload_capacity(const struct mailbox_output *o, size_t offset,
				       const char *what)
{
	struct opt_u64 units = payload_number(o, offset, 8);

	if (!units.present)
		return units;
	if (units.value > UINT64_MAX / CAPACITY_UNIT) {
		note_invalid(o, "the %s does not fit in 64 bits", what);
		return (struct opt_u64){0};
	}
	return OPT_U64(units.value * CAPACITY_UNIT);
}

static struct opt_int payload_percent(const struct mailbox_output *o, size_t offset,
				      const char *what)
{
	struct opt_u64 v = payload_number(o, offset, 1);

	if (v.present && v.value > PERCENT_MAX) {
		note_invalid(o, "the %s is more than %d percent", what, PERCENT_MAX);
		v.present = false;
	}
	return (struct opt_int){.present = v.present, .value = (int)v.value};
}

static struct opt_int payload_celsius(const struct mailbox_output *o, size_t offset)
{
	struct opt_u64 v = payload_number(o, offset, 2);

	return (struct opt_int){.present = v.present, .value = (int16_t)v.value};
}

/* Identify Memory Device, table 8-142 */

static void identify_check_total(const struct mailbox_output *o, struct mailbox *m)
{
	/* An absent part has the value 0. */
	const uint64_t v = m->volatile_only_size.value, p = m->persistent_only_size.value;

	if (!m->total_size.present || (v <= m->total_size.value && p <= m->total_size.value - v))
		return;
	note_invalid(
		o,
		"the total capacity is less than the sum of the volatile and the persistent capacity");
	m->total_size = m->volatile_only_size = m->persistent_only_size = (struct opt_u64){0};
}

/* Logs without room for an event cannot work; QEMU reports 0, although its logs work. */
static struct opt_u64 identify_event_records(const struct mailbox_output *o)
{
	uint64_t sum = 0;

	if (!payload_has(o, 0x30, 4 * 2))
		return (struct opt_u64){0};
	for (size_t log = 0; log < 4; log++)
		sum += payload_number(o, 0x30 + log * 2, 2).value;
	if (sum > 0)
		return OPT_U64(sum);
	note_invalid(o, "the sizes of all event logs are 0");
	return (struct opt_u64){0};
}

void mailbox_decode_identify(const struct mailbox_output *o, struct mailbox *m)
{
	m->total_size = payload_capacity(o, 0x10, "total capacity");
	m->volatile_only_size = payload_capacity(o, 0x18, "volatile only capacity");
	m->persistent_only_size = payload_capacity(o, 0x20, "persistent only capacity");
	m->partition_alignment = payload_capacity(o, 0x28, "partition alignment");
	identify_check_total(o, m);
	m->event_records = identify_event_records(o);
	m->label_storage_size = payload_number(o, 0x38, 4);
	m->poison_list_records = payload_number(o, 0x3c, 3);
	m->injects_poison = payload_flag(o, 0x41, 0);
	m->scans_for_poison = payload_flag(o, 0x41, 1);
	m->egress_port_congestion = payload_flag(o, 0x42, 0);
	m->temporary_throughput_reduction = payload_flag(o, 0x42, 1);
}

/* Get Partition Info, table 8-143 */
void mailbox_decode_partition_info(const struct mailbox_output *o, struct mailbox *m)
{
	m->active_volatile = payload_capacity(o, 0x00, "active volatile capacity");
	m->active_persistent = payload_capacity(o, 0x08, "active persistent capacity");
	m->next_volatile = payload_capacity(o, 0x10, "next volatile capacity");
	m->next_persistent = payload_capacity(o, 0x18, "next persistent capacity");
	/* 0 in both: no change is pending. One is of no use without the other. */
	if (!m->next_volatile.present || !m->next_persistent.present ||
	    (m->next_volatile.value == 0 && m->next_persistent.value == 0))
		m->next_volatile = m->next_persistent = (struct opt_u64){0};
}

/* Get Health Info, table 8-148 */

static struct opt_int health_level(const struct mailbox_output *o, unsigned int shift,
				   const char *what)
{
	struct opt_u64 status = payload_number(o, 0x02, 1);
	int v = (int)(status.value >> shift & 3);

	if (!status.present)
		return (struct opt_int){0};
	if (v < LEVELS)
		return OPT_INT(v);
	note_invalid(o, "the state of the %s is a reserved value", what);
	return (struct opt_int){0};
}

static struct opt_int health_media(const struct mailbox_output *o)
{
	struct opt_u64 v = payload_number(o, 0x01, 1);

	if (!v.present)
		return (struct opt_int){0};
	if (v.value < MEDIA_STATES)
		return OPT_INT((int)v.value);
	note_invalid(o, "the media status is a reserved value");
	return (struct opt_int){0};
}

void mailbox_decode_health_info(const struct mailbox_output *o, struct mailbox *m)
{
	enum { LIFE_USED_NONE = 0xff, TEMPERATURE_NONE = 0x7fff };
	struct opt_int life_used;

	m->has_health = payload_has(o, 0x00, 3);
	if (m->has_health) {
		m->maintenance_needed = payload_flag(o, 0x00, 0).value;
		m->performance_degraded = payload_flag(o, 0x00, 1).value;
		m->replacement_needed = payload_flag(o, 0x00, 2).value;
		m->capacity_degraded = payload_flag(o, 0x00, 3).value;
		m->corrected_volatile_warning = payload_flag(o, 0x02, 4).value;
		m->corrected_persistent_warning = payload_flag(o, 0x02, 5).value;
	}
	m->media = health_media(o);
	m->life_used_level = health_level(o, 0, "used life");
	m->temperature_level = health_level(o, 2, "temperature");
	if (payload_number(o, 0x03, 1).value != LIFE_USED_NONE) {
		life_used = payload_percent(o, 0x03, "used life");
		m->life_used_percent = (struct opt_u64){.present = life_used.present,
							.value = (uint64_t)life_used.value};
	}
	m->temperature = payload_celsius(o, 0x04);
	if (m->temperature.value == TEMPERATURE_NONE)
		m->temperature = (struct opt_int){0};
	m->dirty_shutdowns = payload_number(o, 0x06, 4);
	m->corrected_volatile_errors = payload_number(o, 0x0a, 4);
	m->corrected_persistent_errors = payload_number(o, 0x0e, 4);
}

/* Get Alert Configuration, table 8-149 */

enum threshold { THRESHOLD_NONE, THRESHOLD_PERCENT, THRESHOLD_CELSIUS, THRESHOLD_COUNT };

static struct opt_int alert_threshold(const struct mailbox_output *o, enum threshold kind,
				      size_t offset)
{
	struct opt_u64 count;

	switch (kind) {
	case THRESHOLD_PERCENT:
		return payload_percent(o, offset, "threshold of used life");
	case THRESHOLD_CELSIUS:
		return payload_celsius(o, offset);
	case THRESHOLD_COUNT:
		count = payload_number(o, offset, 2);
		return (struct opt_int){.present = count.present, .value = (int)count.value};
	case THRESHOLD_NONE:
		break;
	}
	return (struct opt_int){0};
}

void mailbox_decode_alert_config(const struct mailbox_output *o, struct mailbox *m)
{
	static const struct {
		enum threshold kind, critical_kind;
		size_t critical, warning; /* offsets */
	} alerts[MAILBOX_ALERTS] = {
		{THRESHOLD_PERCENT, THRESHOLD_PERCENT, 0x02, 0x03},
		{THRESHOLD_CELSIUS, THRESHOLD_CELSIUS, 0x04, 0x08},
		{THRESHOLD_CELSIUS, THRESHOLD_CELSIUS, 0x06, 0x0a},
		{THRESHOLD_COUNT, THRESHOLD_NONE, 0, 0x0c},
		{THRESHOLD_COUNT, THRESHOLD_NONE, 0, 0x0e},
	};

	m->has_alerts = payload_has(o, 0x00, 2);
	for (unsigned int i = 0; m->has_alerts && i < MAILBOX_ALERTS; i++) {
		struct mailbox_alert *alert = &m->alerts[i];

		alert->valid = payload_flag(o, 0x00, i).value;
		alert->programmable = payload_flag(o, 0x01, i).value;
		alert->critical = alert_threshold(o, alerts[i].critical_kind, alerts[i].critical);
		if (alert->valid)
			alert->warning = alert_threshold(o, alerts[i].kind, alerts[i].warning);
	}
}

/* Get FW Info, table 8-77 */

static void fw_info_revision(const struct mailbox_output *o, unsigned int slot, char *revision)
{
	const size_t size = MAILBOX_REVISION_SIZE - 1, offset = 0x10 + (slot - 1) * size;

	if (!payload_has(o, offset, size))
		return;
	memcpy(revision, o->data + offset, size);
	revision[size] = '\0';
	(void)str_chomp(revision);
	if (str_is_plain(revision))
		return;
	note_invalid(o, "the firmware revision in slot %u is not printable text", slot);
	revision[0] = '\0';
}

static struct opt_u64 fw_info_slot(const struct mailbox_output *o, uint64_t slot, uint64_t slots,
				   const char *what)
{
	if (slot >= 1 && slot <= slots)
		return OPT_U64(slot);
	note_invalid(o, "the %s slot does not exist", what);
	return (struct opt_u64){0};
}

void mailbox_decode_fw_info(const struct mailbox_output *o, struct mailbox *m)
{
	struct opt_u64 slots = payload_number(o, 0x00, 1), info = payload_number(o, 0x01, 1);

	if (!info.present)
		return;
	if (slots.value < 1 || slots.value > MAILBOX_SLOTS_MAX) {
		note_invalid(o, "the number of firmware slots is not between 1 and %d",
			     MAILBOX_SLOTS_MAX);
		return;
	}
	m->slots = slots;
	m->active_slot = fw_info_slot(o, info.value & 7, slots.value, "active firmware");
	if (info.value >> 3 & 7)
		m->staged_slot =
			fw_info_slot(o, info.value >> 3 & 7, slots.value, "staged firmware");
	m->activates_online = payload_flag(o, 0x02, 0);
	for (unsigned int slot = 1; slot <= slots.value; slot++)
		fw_info_revision(o, slot, m->slot_revision[slot - 1]);
}

/* Get Timestamp, table 8-80: nanoseconds since 1970, 0 while it is not set */
void mailbox_decode_timestamp(const struct mailbox_output *o, struct mailbox *m)
{
	m->timestamp_ns = payload_number(o, 0x00, 8);
	m->timestamp_ns.present &= m->timestamp_ns.value != 0;
}

/* Get Log Capabilities, table 8-102 */

void mailbox_decode_vendor_debug_log(const struct mailbox_output *o, struct mailbox *m)
{
	m->vendor_debug_persistent = payload_flag(o, 0x00, 3);
}

void mailbox_decode_state_dump_log(const struct mailbox_output *o, struct mailbox *m)
{
	m->state_dump_persistent = payload_flag(o, 0x00, 3);
}

/* Get Shutdown State, table 8-151 */
void mailbox_decode_shutdown_state(const struct mailbox_output *o, struct mailbox *m)
{
	struct opt_u64 state = payload_number(o, 0x00, 1);

	if (!state.present)
		return;
	if (state.value > 1)
		note_invalid(o, "the shutdown state is a reserved value");
	else
		m->shutdown_dirty = OPT_BOOL(state.value == 1);
}

void mailbox_decode(const struct mailbox_output *o, struct mailbox *m)
{
	if (o->len < o->command->length)
		note_invalid(
			o,
			"the output payload has fewer than %zu bytes; the missing fields are unknown",
			o->command->length);
	o->command->decode(o, m);
}

const char *mailbox_partition_doubt_text(enum mailbox_partition_doubt doubt)
{
	static const char *const texts[PARTITION_DOUBTS] = {
		[PARTITION_SUM] =
			"the active capacities of Get Partition Info are not the total capacity of Identify Memory Device",
		[PARTITION_VOLATILE] =
			"the active volatile capacity of Get Partition Info is less than the volatile only capacity of Identify Memory Device",
		[PARTITION_PERSISTENT] =
			"the active persistent capacity of Get Partition Info is less than the persistent only capacity of Identify Memory Device",
	};

	return texts[doubt];
}

static bool is_less(struct opt_u64 a, struct opt_u64 b)
{
	return a.present && b.present && a.value < b.value;
}

/* Capacity that is only volatile, or only persistent, is always active (CXL 3.2 8.2.10.9.1.1). */
static enum mailbox_partition_doubt partition_doubt(const struct mailbox *m)
{
	uint64_t sum;

	if (is_less(m->active_volatile, m->volatile_only_size))
		return PARTITION_VOLATILE;
	if (is_less(m->active_persistent, m->persistent_only_size))
		return PARTITION_PERSISTENT;
	if (!m->total_size.present || !m->active_volatile.present || !m->active_persistent.present)
		return PARTITION_CONSISTENT;
	if (__builtin_add_overflow(m->active_volatile.value, m->active_persistent.value, &sum) ||
	    sum != m->total_size.value)
		return PARTITION_SUM;
	return PARTITION_CONSISTENT;
}

void mailbox_decode_finish(struct mailbox *m)
{
	struct opt_bool debug = m->vendor_debug_persistent, dump = m->state_dump_persistent;

	m->partition_doubt = partition_doubt(m);
	m->log_persistent = debug.present ? debug : dump;
	if (debug.present && dump.present && debug.value != dump.value)
		m->log_persistent = (struct opt_bool){0};
}
