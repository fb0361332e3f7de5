// SPDX-License-Identifier: LGPL-2.1-or-later
/* Any bytes as the output payload of a mailbox command, which the first byte selects. */
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/decode.h"
#include "tests/fuzz/fuzz_table.h"

static void check_alert(const struct mailbox_alert *alert)
{
	FUZZ_MUST(alert->valid || !alert->warning.present);
}

/* Conditions that hold for any output. */
static void check(const struct mailbox *m)
{
	if (m->total_size.present && m->volatile_only_size.present)
		FUZZ_MUST(m->volatile_only_size.value <= m->total_size.value);
	FUZZ_MUST(!m->event_records.present || m->event_records.value > 0);
	FUZZ_MUST(m->next_volatile.present == m->next_persistent.present);
	FUZZ_MUST(!m->media.present || (unsigned int)m->media.value < MEDIA_STATES);
	FUZZ_MUST(!m->life_used_level.present || (unsigned int)m->life_used_level.value < LEVELS);
	FUZZ_MUST(!m->temperature_level.present ||
		  (unsigned int)m->temperature_level.value < LEVELS);
	FUZZ_MUST(!m->life_used_percent.present || m->life_used_percent.value <= 100);
	FUZZ_MUST(!m->alerts[ALERT_LIFE_USED].critical.present ||
		  (unsigned int)m->alerts[ALERT_LIFE_USED].critical.value <= 100);
	check_alert(&m->alerts[ALERT_LIFE_USED]);
	check_alert(&m->alerts[ALERT_OVER_TEMPERATURE]);
	check_alert(&m->alerts[ALERT_CORRECTED_PERSISTENT]);
	FUZZ_MUST(!m->slots.present || m->slots.value <= MAILBOX_SLOTS_MAX);
	FUZZ_MUST(!m->active_slot.present || m->active_slot.value - 1 < m->slots.value);
	FUZZ_MUST(!m->staged_slot.present || m->staged_slot.value - 1 < m->slots.value);
	FUZZ_MUST(!m->timestamp_ns.present || m->timestamp_ns.value != 0);
	for (size_t i = 0; i < MAILBOX_SLOTS_MAX; i++)
		FUZZ_MUST(memchr(m->slot_revision[i], '\0', MAILBOX_REVISION_SIZE) &&
			  str_is_plain(m->slot_revision[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mailbox_command *commands;
	struct read_notes notes = {.arena = arena_new()};
	struct mailbox_output output = {.memdev = "mem0", .notes = &notes};
	struct mailbox m = {0};
	uint8_t *bytes;
	size_t n;

	commands = mailbox_commands(&n);
	bytes = size ? malloc(size) : NULL;
	if (bytes && notes.arena) {
		/* A copy of this size, so that the address sanitizer knows its end. */
		memcpy(bytes, data, size);
		output.command = &commands[bytes[0] % n];
		output.data = bytes + 1;
		output.len = size - 1 < MAILBOX_OUTPUT_MAX ? size - 1 : MAILBOX_OUTPUT_MAX;
		mailbox_decode(&output, &m);
		mailbox_decode_finish(&m);
		check(&m);
		for (size_t i = 0; i < notes.n_notes && i < HOST_NOTES_MAX; i++)
			FUZZ_MUST(str_is_plain(notes.notes[i]));
	}
	free(bytes);
	(void)arena_free(notes.arena);
	return 0;
}
