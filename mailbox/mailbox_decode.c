// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Answers of the mailbox, taken apart. A device may say anything: each field is looked at only when
 * the answer reaches that far, and believed only when the specification allows its value.
 */
#include "mailbox/mailbox_commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

/* CXL gives capacities in multiples of this. */
#define CAPACITY_UNIT (UINT64_C(256) << 20)

enum { DOUBT_BYTES_MAX = 128, PERCENT_MAX = 100 };

/* What is said must not quote the answer: a device that makes up another one each time is said
 * once.
 */
static void doubt(const struct mailbox_answer *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void doubt(const struct mailbox_answer *a, const char *fmt, ...)
{
	char text[DOUBT_BYTES_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	read_notes_add(a->notes, "%s: %s (%04Xh): %s", a->memdev, a->command->title,
		       a->command->opcode, text);
}

static bool reaches(const struct mailbox_answer *a, size_t offset, size_t width)
{
	return offset + width <= a->len;
}

/* Return: the little-endian number of @width bytes, at most 8, at @offset. */
static struct opt_u64 number(const struct mailbox_answer *a, size_t offset, size_t width)
{
	uint64_t v = 0;

	if (!reaches(a, offset, width))
		return (struct opt_u64){0};
	for (size_t i = width; i-- > 0;)
		v = v << 8 | a->data[offset + i];
	return OPT_U64(v);
}

static struct opt_bool flag(const struct mailbox_answer *a, size_t offset, unsigned int bit)
{
	struct opt_u64 byte = number(a, offset, 1);

	return (struct opt_bool){.present = byte.present, .value = (byte.value >> bit & 1) != 0};
}

static struct opt_u64 capacity(const struct mailbox_answer *a, size_t offset, const char *what)
{
	struct opt_u64 units = number(a, offset, 8);

	if (!units.present)
		return units;
	if (units.value > UINT64_MAX / CAPACITY_UNIT) {
		doubt(a, "its %s is beyond 64 bits", what);
		return (struct opt_u64){0};
	}
	return OPT_U64(units.value * CAPACITY_UNIT);
}

static struct opt_int percent(const struct mailbox_answer *a, size_t offset, const char *what)
{
	struct opt_u64 v = number(a, offset, 1);

	if (v.present && v.value > PERCENT_MAX) {
		doubt(a, "its %s is more than %d percent", what, PERCENT_MAX);
		v.present = false;
	}
	return (struct opt_int){.present = v.present, .value = (int)v.value};
}

static struct opt_int celsius(const struct mailbox_answer *a, size_t offset)
{
	struct opt_u64 v = number(a, offset, 2);

	return (struct opt_int){.present = v.present, .value = (int16_t)v.value};
}

/* Identify Memory Device, table 8-142 */

static void check_total(const struct mailbox_answer *a, struct mailbox *m)
{
	/* An absent part has the value 0, and is no contradiction. */
	const uint64_t v = m->volatile_only_size.value, p = m->persistent_only_size.value;

	if (!m->total_size.present || (v <= m->total_size.value && p <= m->total_size.value - v))
		return;
	doubt(a, "its total capacity is less than the volatile and the persistent one");
	m->total_size = m->volatile_only_size = m->persistent_only_size = (struct opt_u64){0};
}

/* A log that holds nothing overflows with the first event: QEMU says so and means nothing. */
static struct opt_u64 event_records(const struct mailbox_answer *a)
{
	uint64_t sum = 0;

	if (!reaches(a, 0x30, 4 * 2))
		return (struct opt_u64){0};
	for (size_t log = 0; log < 4; log++)
		sum += number(a, 0x30 + log * 2, 2).value;
	if (sum > 0)
		return OPT_U64(sum);
	doubt(a, "its event logs hold no event");
	return (struct opt_u64){0};
}

void mailbox_decode_identify(const struct mailbox_answer *a, struct mailbox *m)
{
	m->total_size = capacity(a, 0x10, "total capacity");
	m->volatile_only_size = capacity(a, 0x18, "volatile only capacity");
	m->persistent_only_size = capacity(a, 0x20, "persistent only capacity");
	m->partition_alignment = capacity(a, 0x28, "partition alignment");
	check_total(a, m);
	m->event_records = event_records(a);
	m->label_storage_size = number(a, 0x38, 4);
	m->poison_list_records = number(a, 0x3c, 3);
	m->injects_poison = flag(a, 0x41, 0);
	m->scans_for_poison = flag(a, 0x41, 1);
	m->egress_port_congestion = flag(a, 0x42, 0);
	m->temporary_throughput_reduction = flag(a, 0x42, 1);
}

/* Get Partition Info, table 8-143 */
void mailbox_decode_partition_info(const struct mailbox_answer *a, struct mailbox *m)
{
	m->active_volatile = capacity(a, 0x00, "active volatile capacity");
	m->active_persistent = capacity(a, 0x08, "active persistent capacity");
	m->next_volatile = capacity(a, 0x10, "next volatile capacity");
	m->next_persistent = capacity(a, 0x18, "next persistent capacity");
	/* Zero in both says that no change is pending; one alone means nothing without the other.
	 */
	if (!m->next_volatile.present || !m->next_persistent.present ||
	    (m->next_volatile.value == 0 && m->next_persistent.value == 0))
		m->next_volatile = m->next_persistent = (struct opt_u64){0};
}

/* Get Health Info, table 8-148 */

static struct opt_int level(const struct mailbox_answer *a, unsigned int shift, const char *what)
{
	struct opt_u64 status = number(a, 0x02, 1);
	int v = (int)(status.value >> shift & 3);

	if (!status.present)
		return (struct opt_int){0};
	if (v < LEVELS)
		return OPT_INT(v);
	doubt(a, "the state of its %s is a reserved value", what);
	return (struct opt_int){0};
}

static struct opt_int media(const struct mailbox_answer *a)
{
	struct opt_u64 v = number(a, 0x01, 1);

	if (!v.present)
		return (struct opt_int){0};
	if (v.value < MEDIA_STATES)
		return OPT_INT((int)v.value);
	doubt(a, "its media status is a reserved value");
	return (struct opt_int){0};
}

void mailbox_decode_health_info(const struct mailbox_answer *a, struct mailbox *m)
{
	enum { LIFE_USED_NONE = 0xff, TEMPERATURE_NONE = 0x7fff };
	struct opt_int life_used;

	m->has_health = reaches(a, 0x00, 3);
	if (m->has_health) {
		m->maintenance_needed = flag(a, 0x00, 0).value;
		m->performance_degraded = flag(a, 0x00, 1).value;
		m->replacement_needed = flag(a, 0x00, 2).value;
		m->capacity_degraded = flag(a, 0x00, 3).value;
		m->corrected_volatile_warning = flag(a, 0x02, 4).value;
		m->corrected_persistent_warning = flag(a, 0x02, 5).value;
	}
	m->media = media(a);
	m->life_used_level = level(a, 0, "used life");
	m->temperature_level = level(a, 2, "temperature");
	if (number(a, 0x03, 1).value != LIFE_USED_NONE) {
		life_used = percent(a, 0x03, "used life");
		m->life_used_percent = (struct opt_u64){.present = life_used.present,
							.value = (uint64_t)life_used.value};
	}
	m->temperature = celsius(a, 0x04);
	if (m->temperature.value == TEMPERATURE_NONE)
		m->temperature = (struct opt_int){0};
	m->dirty_shutdowns = number(a, 0x06, 4);
	m->corrected_volatile_errors = number(a, 0x0a, 4);
	m->corrected_persistent_errors = number(a, 0x0e, 4);
}

/* Get Alert Configuration, table 8-149 */

enum threshold { THRESHOLD_NONE, THRESHOLD_PERCENT, THRESHOLD_CELSIUS, THRESHOLD_COUNT };

static struct opt_int threshold(const struct mailbox_answer *a, enum threshold kind, size_t offset)
{
	struct opt_u64 count;

	switch (kind) {
	case THRESHOLD_PERCENT:
		return percent(a, offset, "threshold of used life");
	case THRESHOLD_CELSIUS:
		return celsius(a, offset);
	case THRESHOLD_COUNT:
		count = number(a, offset, 2);
		return (struct opt_int){.present = count.present, .value = (int)count.value};
	case THRESHOLD_NONE:
		break;
	}
	return (struct opt_int){0};
}

void mailbox_decode_alert_config(const struct mailbox_answer *a, struct mailbox *m)
{
	const struct {
		struct mailbox_alert *alert; /* in the order of their bits */
		enum threshold kind, critical_kind;
		size_t critical, warning; /* offsets */
	} alerts[] = {
		{&m->life_used, THRESHOLD_PERCENT, THRESHOLD_PERCENT, 0x02, 0x03},
		{&m->over_temperature, THRESHOLD_CELSIUS, THRESHOLD_CELSIUS, 0x04, 0x08},
		{&m->under_temperature, THRESHOLD_CELSIUS, THRESHOLD_CELSIUS, 0x06, 0x0a},
		{&m->corrected_volatile, THRESHOLD_COUNT, THRESHOLD_NONE, 0, 0x0c},
		{&m->corrected_persistent, THRESHOLD_COUNT, THRESHOLD_NONE, 0, 0x0e},
	};

	m->has_alerts = reaches(a, 0x00, 2);
	for (unsigned int i = 0; m->has_alerts && i < ARRAY_SIZE(alerts); i++) {
		struct mailbox_alert *alert = alerts[i].alert;

		alert->valid = flag(a, 0x00, i).value;
		alert->programmable = flag(a, 0x01, i).value;
		alert->critical = threshold(a, alerts[i].critical_kind, alerts[i].critical);
		if (alert->valid)
			alert->warning = threshold(a, alerts[i].kind, alerts[i].warning);
	}
}

/* Get FW Info, table 8-77 */

static void take_revision(const struct mailbox_answer *a, unsigned int slot, char *revision)
{
	const size_t size = MAILBOX_REVISION_SIZE - 1, offset = 0x10 + (slot - 1) * size;

	if (!reaches(a, offset, size))
		return;
	memcpy(revision, a->data + offset, size);
	revision[size] = '\0';
	(void)str_chomp(revision);
	if (str_is_plain(revision))
		return;
	doubt(a, "the revision in slot %u is no text", slot);
	revision[0] = '\0';
}

static struct opt_u64 take_slot(const struct mailbox_answer *a, uint64_t slot, uint64_t slots,
				const char *what)
{
	if (slot >= 1 && slot <= slots)
		return OPT_U64(slot);
	doubt(a, "its %s slot is none of those it has", what);
	return (struct opt_u64){0};
}

void mailbox_decode_fw_info(const struct mailbox_answer *a, struct mailbox *m)
{
	struct opt_u64 slots = number(a, 0x00, 1), info = number(a, 0x01, 1);

	if (!info.present)
		return;
	if (slots.value < 1 || slots.value > MAILBOX_SLOTS_MAX) {
		doubt(a, "its number of slots is not 1 to %d", MAILBOX_SLOTS_MAX);
		return;
	}
	m->slots = slots;
	m->active_slot = take_slot(a, info.value & 7, slots.value, "active");
	if (info.value >> 3 & 7)
		m->staged_slot = take_slot(a, info.value >> 3 & 7, slots.value, "staged");
	m->activates_online = flag(a, 0x02, 0);
	for (unsigned int slot = 1; slot <= slots.value; slot++)
		take_revision(a, slot, m->slot_revision[slot - 1]);
}

/* Get Timestamp, table 8-80: nanoseconds since 1970, 0 while nobody has set it */
void mailbox_decode_timestamp(const struct mailbox_answer *a, struct mailbox *m)
{
	m->timestamp_ns = number(a, 0x00, 8);
	m->timestamp_ns.present &= m->timestamp_ns.value != 0;
}

/* Get Log Capabilities, table 8-102 */

void mailbox_decode_vendor_debug_log(const struct mailbox_answer *a, struct mailbox *m)
{
	m->vendor_debug_persistent = flag(a, 0x00, 3);
}

void mailbox_decode_state_dump_log(const struct mailbox_answer *a, struct mailbox *m)
{
	m->state_dump_persistent = flag(a, 0x00, 3);
}

/* Get Shutdown State, table 8-151 */
void mailbox_decode_shutdown_state(const struct mailbox_answer *a, struct mailbox *m)
{
	struct opt_u64 state = number(a, 0x00, 1);

	if (!state.present)
		return;
	if (state.value > 1)
		doubt(a, "its shutdown state is a reserved value");
	else
		m->shutdown_dirty = OPT_BOOL(state.value == 1);
}

void mailbox_decode(const struct mailbox_answer *a, struct mailbox *m)
{
	if (a->len < a->command->length)
		doubt(a, "the answer has fewer than %zu bytes; what is missing is unknown",
		      a->command->length);
	a->command->decode(a, m);
}

void mailbox_conclude(struct mailbox *m)
{
	struct opt_bool debug = m->vendor_debug_persistent, dump = m->state_dump_persistent;

	m->log_persistent = debug.present ? debug : dump;
	if (debug.present && dump.present && debug.value != dump.value)
		m->log_persistent = (struct opt_bool){0};
}
