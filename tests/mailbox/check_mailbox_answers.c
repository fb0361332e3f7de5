// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoding of output payloads, valid and invalid ones. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "tests/lib/mailbox_util.h"
#include "tests/lib/suites.h"

#define must_be_alert(a, v, p) ck_assert((a).valid == (v) && (a).programmable == (p))

static const uint8_t volatile_log[] = {0x07, 0, 0, 0}, clean[] = {0};

START_TEST(every_command_is_sent_and_its_output_decoded)
{
	read_usual();
	ck_assert_uint_eq(notes.n_notes, 0);
	must_be(values.total_size, 4 * MIB256);
	must_be(values.volatile_only_size, MIB256);
	must_be(values.persistent_only_size, 0);
	must_be(values.partition_alignment, MIB256);
	must_be(values.event_records, 240);
	must_be(values.label_storage_size, 65536);
	must_be(values.poison_list_records, 300);
	must_be(values.injects_poison, true);
	must_be(values.scans_for_poison, true);
	must_be(values.egress_port_congestion, false);
	must_be(values.temporary_throughput_reduction, true);
	must_be(values.active_volatile, MIB256);
	must_be(values.active_persistent, 3 * MIB256);
	must_be(values.next_volatile, 2 * MIB256);
	must_be(values.next_persistent, 2 * MIB256);
	must_be(values.timestamp_ns, USUAL_TIMESTAMP);
	must_be(values.log_persistent, true);
	must_be(values.shutdown_dirty, true);
}
END_TEST

START_TEST(partition_info_that_contradicts_identify_is_doubtful)
{
	static const struct {
		uint8_t active_volatile, active_persistent;
		enum mailbox_partition_doubt doubt;
	} cases[] = {
		{1, 3, PARTITION_CONSISTENT}, {4, 0, PARTITION_CONSISTENT},
		{0, 4, PARTITION_VOLATILE},   {1, 2, PARTITION_SUM},
		{2, 3, PARTITION_SUM},
	};
	uint8_t info[sizeof(partition)];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		memcpy(info, partition, sizeof(info));
		info[0] = cases[i].active_volatile;
		info[8] = cases[i].active_persistent;
		read_with_output(PARTITION, info, sizeof(info));
		ck_assert_int_eq(values.partition_doubt, cases[i].doubt);
		ck_assert_uint_eq(notes.n_notes, cases[i].doubt != PARTITION_CONSISTENT);
		ck_assert(cases[i].doubt == PARTITION_CONSISTENT || has_note("Get Partition Info"));
	}
	/* A value that is missing contradicts nothing. */
	read_with_output(PARTITION, partition, 8);
	ck_assert_int_eq(values.partition_doubt, PARTITION_CONSISTENT);
}
END_TEST

START_TEST(health_info_is_decoded)
{
	read_usual();
	ck_assert(values.has_health);
	ck_assert(!values.maintenance_needed && values.performance_degraded);
	ck_assert(!values.replacement_needed && values.capacity_degraded);
	ck_assert(values.corrected_volatile_warning && !values.corrected_persistent_warning);
	must_be(values.media, MEDIA_PERSISTENCE_LOSS_IMMINENT);
	must_be(values.life_used_level, LEVEL_WARNING);
	must_be(values.temperature_level, LEVEL_CRITICAL);
	must_be(values.life_used_percent, 97);
	must_be(values.temperature, -10);
	must_be(values.dirty_shutdowns, 0x80000003);
	must_be(values.corrected_volatile_errors, 70000);
	must_be(values.corrected_persistent_errors, 17);
}
END_TEST

START_TEST(alerts_are_decoded)
{
	read_usual();
	ck_assert(values.has_alerts);
	must_be_alert(values.alerts[ALERT_LIFE_USED], true, false);
	must_be(values.alerts[ALERT_LIFE_USED].critical, 95);
	must_be(values.alerts[ALERT_LIFE_USED].warning, 80);
	must_be_alert(values.alerts[ALERT_OVER_TEMPERATURE], false, false);
	must_be(values.alerts[ALERT_OVER_TEMPERATURE].critical, 85);
	must_be_absent(values.alerts[ALERT_OVER_TEMPERATURE].warning);
	must_be_alert(values.alerts[ALERT_UNDER_TEMPERATURE], true, false);
	must_be(values.alerts[ALERT_UNDER_TEMPERATURE].critical, -5);
	must_be(values.alerts[ALERT_UNDER_TEMPERATURE].warning, 5);
	must_be_alert(values.alerts[ALERT_CORRECTED_VOLATILE], true, true);
	must_be_absent(values.alerts[ALERT_CORRECTED_VOLATILE].critical);
	must_be(values.alerts[ALERT_CORRECTED_VOLATILE].warning, 500);
	must_be_alert(values.alerts[ALERT_CORRECTED_PERSISTENT], true, false);
	must_be(values.alerts[ALERT_CORRECTED_PERSISTENT].warning, 600);
}
END_TEST

START_TEST(firmware_slots_are_decoded)
{
	static const uint8_t one_slot[80] = {1, 1, 0, [0x10] = '7'};

	read_usual();
	must_be(values.slots, 3);
	must_be(values.active_slot, 1);
	must_be(values.staged_slot, 2);
	must_be(values.activates_online, true);
	ck_assert_str_eq(values.slot_revision[0], "1.4");
	ck_assert_str_eq(values.slot_revision[1], "1.5-abcdefghijkl"); /* no room for a NUL */
	ck_assert_str_eq(values.slot_revision[2], "0.9");
	ck_assert_str_eq(values.slot_revision[3], "");

	read_with_output(FW_INFO, one_slot, sizeof(one_slot));
	ck_assert_uint_eq(notes.n_notes, 0);
	must_be(values.slots, 1);
	must_be_absent(values.staged_slot);
	must_be(values.activates_online, false);
}
END_TEST

START_TEST(values_that_mean_none_are_absent_without_a_note)
{
	static const uint8_t not_set[8] = {0}, not_pending[32] = {[0] = 2, [8] = 2};
	static const uint8_t not_implemented[18] = {[3] = 0xff, 0xff, 0x7f};

	read_with_output(TIMESTAMP, not_set, sizeof(not_set));
	must_be_absent(values.timestamp_ns);
	ck_assert_uint_eq(notes.n_notes, 0);
	read_with_output(PARTITION, not_pending, sizeof(not_pending));
	must_be(values.active_volatile, 2 * MIB256);
	must_be(values.active_persistent, 2 * MIB256);
	must_be_absent(values.next_volatile);
	must_be_absent(values.next_persistent);
	ck_assert_uint_eq(notes.n_notes, 0);
	read_with_output(HEALTH, not_implemented, sizeof(not_implemented));
	must_be_absent(values.life_used_percent);
	must_be_absent(values.temperature);
	must_be(values.dirty_shutdowns, 0);
	must_be(values.media, MEDIA_NORMAL);
	ck_assert_uint_eq(notes.n_notes, 0);
	read_with_output(SHUTDOWN, clean, sizeof(clean));
	must_be(values.shutdown_dirty, false);
}
END_TEST

START_TEST(persistency_is_known_when_all_logs_agree)
{
	const size_t first = usual_of(LOG_CAPS);
	const struct fake_command no_log = {.id = LOG_CAPS, .return_code = MAILBOX_INVALID_LOG};

	read_with(first, (struct fake_command){.id = LOG_CAPS, OUT(volatile_log)});
	must_be_absent(values.log_persistent);
	must_be(values.vendor_debug_persistent, false);
	must_be(values.state_dump_persistent, true);

	read_with(first, no_log);
	must_be(values.log_persistent, true);
	must_be_absent(values.vendor_debug_persistent);
	read_with(first + 1, no_log);
	must_be(values.log_persistent, true);
	ck_assert_uint_eq(notes.n_notes, 0); /* a device need not have each log */
}
END_TEST

START_TEST(short_output_gives_its_complete_fields)
{
	read_with_output(IDENTIFY, identify, 0x30);
	ck_assert(has_note(
		"mem0: Identify Memory Device (4000h): the output payload has fewer than 67 bytes"));
	must_be(values.partition_alignment, MIB256);
	must_be_absent(values.event_records);
	must_be_absent(values.label_storage_size);
	must_be_absent(values.injects_poison);

	/* Two of the four logs are not the sum of all. */
	read_with_output(IDENTIFY, identify, 0x34);
	must_be_absent(values.event_records);

	read_with_output(HEALTH, health, 2);
	ck_assert(!values.has_health && !values.performance_degraded);
	must_be(values.media, MEDIA_PERSISTENCE_LOSS_IMMINENT);
	must_be_absent(values.life_used_percent);

	read_with_output(PARTITION, partition, 24);
	must_be(values.active_persistent, 3 * MIB256);
	must_be_absent(values.next_volatile);

	read_with_output(ALERTS, alerts, 10);
	must_be(values.alerts[ALERT_LIFE_USED].warning, 80);
	must_be_absent(values.alerts[ALERT_UNDER_TEMPERATURE].warning);
	ck_assert(values.alerts[ALERT_UNDER_TEMPERATURE].valid);
}
END_TEST

/* Each in a buffer of its own size, so that the address sanitizer knows its end. */
START_TEST(output_of_any_length_is_survived)
{
	const struct mailbox_command *commands;
	size_t n;

	commands = mailbox_commands(&n);
	ck_assert_uint_eq(n, USUAL_COMMANDS);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(commands[i].length, usual[i].out_len);
		for (size_t len = 0; len <= commands[i].length; len++) {
			_cleanup_free_ uint8_t *bytes = malloc(len + 1);
			struct mailbox m = {0};

			ck_assert_ptr_nonnull(bytes);
			/* At the very end of the buffer. */
			memset(bytes + 1, 0xff, len);
			mailbox_decode(&(struct mailbox_output){"mem0", &commands[i], bytes + 1,
								len, &notes},
				       &m);
			mailbox_decode_finish(&m);
		}
	}
}
END_TEST

START_TEST(longer_output_of_a_newer_device_is_decoded)
{
	uint8_t longer[MAILBOX_OUTPUT_MAX + 10] = {0};

	memset(longer, 0xff, sizeof(longer));
	memcpy(longer, identify, sizeof(identify));
	read_with_output(IDENTIFY, longer, sizeof(longer));
	ck_assert_uint_eq(notes.n_notes, 0);
	must_be(values.event_records, 240);
	must_be(values.temporary_throughput_reduction, true);
}
END_TEST

START_TEST(sizes_beyond_64_bits_are_absent)
{
	uint8_t huge[sizeof(identify)], most[sizeof(partition)] = {0};

	memcpy(huge, identify, sizeof(huge));
	huge[0x10 + 4] = 0x10; /* 2^36 units are 2^64 bytes */
	read_with_output(IDENTIFY, huge, sizeof(huge));
	ck_assert_uint_eq(notes.n_notes, 1);
	ck_assert(has_note("the total capacity does not fit in 64 bits"));
	must_be_absent(values.total_size);
	must_be(values.volatile_only_size, MIB256);

	memset(most, 0xff, 4);
	most[4] = 0x0f;
	read_with_output(PARTITION, most, sizeof(most));
	ck_assert_int_eq(values.partition_doubt, PARTITION_SUM);
	must_be(values.active_volatile, UINT64_C(0xfffffffff0000000));
}
END_TEST

START_TEST(contradictory_capacities_are_absent)
{
	uint8_t nonsense[sizeof(identify)];

	memcpy(nonsense, identify, sizeof(nonsense));
	nonsense[0x20] = 4; /* 1 volatile and 4 persistent of 4 */
	read_with_output(IDENTIFY, nonsense, sizeof(nonsense));
	ck_assert(has_note("less than the sum of the volatile and the"));
	must_be_absent(values.total_size);
	must_be_absent(values.volatile_only_size);
	must_be_absent(values.persistent_only_size);
	must_be(values.event_records, 240);

	memset(nonsense + 0x30, 0, 8);
	read_with_output(IDENTIFY, nonsense, sizeof(nonsense));
	ck_assert(has_note("the sizes of all event logs are 0"));
	must_be_absent(values.event_records);
}
END_TEST

START_TEST(reserved_values_are_absent)
{
	static const uint8_t bad_health[18] = {0xf0, 10, 0xcf, 101};
	static const uint8_t bad_alerts[16] = {0xff, 0xff, 101, 200};
	static const uint8_t bad_slots[80] = {2, 0x1b, 0, [0x10] = 0x80, [0x20] = '2'};
	static const uint8_t bad_state[1] = {2};

	read_with_output(HEALTH, bad_health, sizeof(bad_health));
	ck_assert_uint_eq(notes.n_notes, 4);
	must_be_absent(values.media);
	must_be_absent(values.life_used_level);
	must_be_absent(values.temperature_level);
	must_be_absent(values.life_used_percent);
	ck_assert(values.has_health && !values.maintenance_needed &&
		  !values.corrected_volatile_warning);

	read_with_output(ALERTS, bad_alerts, sizeof(bad_alerts));
	ck_assert_uint_eq(notes.n_notes, 2);
	must_be_absent(values.alerts[ALERT_LIFE_USED].critical);
	must_be_absent(values.alerts[ALERT_LIFE_USED].warning);

	read_with_output(FW_INFO, bad_slots, sizeof(bad_slots));
	ck_assert(has_note("the active firmware slot does not exist"));
	ck_assert(has_note("the staged firmware slot does not exist"));
	ck_assert(has_note("the firmware revision in slot 1 is not printable text"));
	must_be(values.slots, 2);
	must_be_absent(values.active_slot);
	must_be_absent(values.staged_slot);
	ck_assert_str_eq(values.slot_revision[0], "");
	ck_assert_str_eq(values.slot_revision[1], "2");

	read_with_output(SHUTDOWN, bad_state, sizeof(bad_state));
	ck_assert(has_note("the shutdown state is a reserved value"));
	must_be_absent(values.shutdown_dirty);
}
END_TEST

/* Otherwise each poll would log another note. */
START_TEST(notes_do_not_depend_on_the_invalid_value)
{
	const struct mailbox_command *commands;
	struct read_notes before = {0};
	size_t n;

	commands = mailbox_commands(&n);
	for (size_t i = 0; i < 2 * n; i++) {
		uint8_t bytes[MAILBOX_OUTPUT_MAX];
		struct mailbox m = {0};

		memset(bytes, i % 2 ? 0xef : 0xdf, sizeof(bytes));
		notes.n_notes = 0;
		mailbox_decode(&(struct mailbox_output){"mem0", &commands[i / 2], bytes,
							commands[i / 2].length, &notes},
			       &m);
		ck_assert(i % 2 == 0 || notes.n_notes == before.n_notes);
		for (size_t k = 0; i % 2 && k < notes.n_notes; k++)
			ck_assert_str_eq(notes.notes[k], before.notes[k]);
		before = notes;
	}
}
END_TEST

SUITE(check_mailbox_answers)
{
	Suite *s = suite_create("mailbox, answers");
	TCase *t = tcase_create("mailbox, answers");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, mailbox_setup, mailbox_teardown);
	tcase_add_test(t, every_command_is_sent_and_its_output_decoded);
	tcase_add_test(t, partition_info_that_contradicts_identify_is_doubtful);
	tcase_add_test(t, health_info_is_decoded);
	tcase_add_test(t, alerts_are_decoded);
	tcase_add_test(t, firmware_slots_are_decoded);
	tcase_add_test(t, values_that_mean_none_are_absent_without_a_note);
	tcase_add_test(t, persistency_is_known_when_all_logs_agree);
	tcase_add_test(t, short_output_gives_its_complete_fields);
	tcase_add_test(t, output_of_any_length_is_survived);
	tcase_add_test(t, longer_output_of_a_newer_device_is_decoded);
	tcase_add_test(t, sizes_beyond_64_bits_are_absent);
	tcase_add_test(t, contradictory_capacities_are_absent);
	tcase_add_test(t, reserved_values_are_absent);
	tcase_add_test(t, notes_do_not_depend_on_the_invalid_value);
	suite_add_tcase(s, t);
	return s;
}
