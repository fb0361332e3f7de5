// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sending mailbox commands, failures of that, recording and replaying their output. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/capture.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "tests/lib/mailbox_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static const uint8_t clean[] = {0};

START_TEST(commands_that_are_not_supported_are_not_sent)
{
	const struct mailbox nothing = {0};

	/* fake_mailbox fails the test when an unsupported command is sent. */
	fake_mailbox.supported = 1U << IDENTIFY | 1U << TIMESTAMP;
	fake_mailbox_expect(&usual[usual_of(IDENTIFY)]);
	fake_mailbox_expect(&usual[usual_of(TIMESTAMP)]);
	read_mem0();
	ck_assert_uint_eq(notes.n_notes, 0);
	must_be(values.event_records, 240);
	ck_assert(!values.has_health && !values.has_alerts);
	must_be_absent(values.active_volatile);
	must_be_absent(values.slots);
	ck_assert_str_eq(values.slot_revision[0], nothing.slot_revision[0]);
	must_be(values.timestamp_ns, USUAL_TIMESTAMP);
	must_be_absent(values.log_persistent);
	must_be_absent(values.shutdown_dirty);
}
END_TEST

START_TEST(all_commands_are_tried_when_the_driver_does_not_list_the_supported_ones)
{
	fake_mailbox.old_kernel = true;
	fake_mailbox.supported = 1U << IDENTIFY | 1U << SHUTDOWN;
	fake_mailbox_expect(&usual[usual_of(IDENTIFY)]);
	fake_mailbox_expect(&usual[usual_of(SHUTDOWN)]);
	read_mem0();
	ck_assert_uint_eq(notes.n_notes, 0);
	ck_assert_uint_eq(fake_mailbox.sent, USUAL_COMMANDS);
	must_be(values.shutdown_dirty, true);
}
END_TEST

START_TEST(driver_is_queried_once_for_the_supported_commands)
{
	read_usual();
	read_usual();
	ck_assert_uint_eq(fake_mailbox.queries, 1);
}
END_TEST

START_TEST(return_code_is_an_error_with_its_name)
{
	const size_t n = USUAL_COMMANDS;

	/* Its output payload is not used. */
	for (size_t i = 0; i < n; i++) {
		struct fake_command c = usual[i];

		c.return_code = 0x0007;
		read_with(i, c);
		ck_assert_uint_eq(notes.n_notes, 1);
		ck_assert(has_note("the device returned Media Disabled"));
	}
	must_be_absent(values.shutdown_dirty);
	must_be(values.total_size, 4 * MIB256);

	read_with(0, (struct fake_command){.id = IDENTIFY, .return_code = 0x20, OUT(identify)});
	ck_assert(has_note(
		"mem0: Identify Memory Device (4000h): the device returned Request Abort Not Supported by Background Operation"));
	must_be_absent(values.total_size);
	read_with(0, (struct fake_command){.id = IDENTIFY, .return_code = 0xffff});
	ck_assert(has_note("a reserved return code"));
	/* Not ignored for a command that is not about a log. */
	read_with(0, (struct fake_command){.id = IDENTIFY, .return_code = MAILBOX_INVALID_LOG});
	ck_assert(has_note("Invalid Log"));
}
END_TEST

START_TEST(command_that_fails_leaves_the_others)
{
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		struct fake_command c = usual[i];

		c.error = EPERM;
		read_with(i, c);
		ck_assert_uint_eq(notes.n_notes, 1);
		ck_assert(has_note("Operation not permitted"));
		if (usual[i].id != TIMESTAMP)
			must_be(values.timestamp_ns, USUAL_TIMESTAMP);
	}
}
END_TEST

enum { TRIES = 4 }; /* of a command to a busy device */

/* The device is busy with the usual command @at for so many tries. */
static void read_busy(size_t at, const struct fake_command *busy, unsigned int tries,
		      const struct mailbox_record *previous)
{
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		struct fake_command c = usual[i];

		c.error = busy->error;
		c.return_code = busy->return_code;
		for (unsigned int k = 0; i == at && k < tries; k++)
			fake_mailbox_expect(&c);
		if (i != at || tries < TRIES)
			fake_mailbox_expect(&usual[i]);
	}
	notes.n_notes = 0;
	mailbox_read(client, "mem0", &notes, previous, &values, &record);
	fake_mailbox_finish();
}

static const struct fake_command busies[] = {
	{.return_code = MAILBOX_BUSY}, {.return_code = MAILBOX_RETRY_REQUIRED}, {.error = EBUSY}};

START_TEST(a_command_is_sent_again_while_the_device_is_busy)
{
	for (unsigned int tries = 1; tries < TRIES; tries++) {
		read_busy(usual_of(HEALTH), &busies[_i], tries, NULL);
		ck_assert_uint_eq(notes.n_notes, 0);
		ck_assert(values.has_health && !values.kept);
	}
}
END_TEST

START_TEST(of_a_device_that_stays_busy_the_last_output_is_kept)
{
	struct mailbox_record previous;
	struct mailbox before;

	read_usual();
	previous = record;
	before = values;
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		read_busy(i, &busies[_i], TRIES, &previous);
		ck_assert_uint_eq(notes.n_notes, 1);
		ck_assert(has_note("the device is busy; its last output is kept"));
		ck_assert(values.kept);
		ck_assert_int_eq(values.media.value, before.media.value);
		must_be(values.total_size, 4 * MIB256);
		must_be(values.timestamp_ns, USUAL_TIMESTAMP);
		/* So nothing has changed, and nothing is announced. */
		ck_assert_uint_eq(record.len, previous.len);
		ck_assert_mem_eq(record.bytes, previous.bytes, record.len);
	}
	/* Without an earlier output the value is absent. */
	read_busy(usual_of(HEALTH), &busies[_i], TRIES, NULL);
	ck_assert(!values.has_health && !values.kept);
	ck_assert_uint_eq(notes.n_notes, 1);
	previous.len = 5;
	read_busy(usual_of(HEALTH), &busies[_i], TRIES, &previous);
	ck_assert(!values.has_health && !values.kept);
}
END_TEST

/* @at: index of the usual command that fails */
static void vanish(size_t at, int error, const char *text)
{
	struct fake_command c = usual[at];

	for (size_t i = 0; i < at; i++)
		fake_mailbox_expect(&usual[i]);
	c.error = error;
	fake_mailbox_expect(&c);
	read_mem0();
	ck_assert_uint_eq(notes.n_notes, 1);
	ck_assert(has_note(text));
	must_be_absent(values.shutdown_dirty);
}

START_TEST(no_further_command_is_sent_to_a_device_that_vanished)
{
	vanish(usual_of(IDENTIFY), ENXIO, "No such device or address");
	vanish(usual_of(HEALTH), ENODEV, "No such device");
	vanish(usual_of(TIMESTAMP), ETIMEDOUT, "timed out");
}
END_TEST

START_TEST(device_that_cannot_be_opened_is_noted)
{
	fake_mailbox.query_error = EACCES;
	read_mem0();
	ck_assert_uint_eq(notes.n_notes, 1);
	ck_assert(has_note(
		"mem0: no mailbox command can be sent through /dev/cxl/mem0: Permission denied"));
	/* Then it can be opened. */
	fake_mailbox.query_error = 0;
	read_usual();
	ck_assert_uint_eq(notes.n_notes, 0);
	must_be(values.event_records, 240);

	notes.n_notes = 0;
	mailbox_read(client, "mem77", &notes, NULL, &values, &record);
	ck_assert(has_note("mem77: no mailbox command can be sent"));
	must_be_absent(values.event_records);
}
END_TEST

START_TEST(output_longer_than_the_buffer_is_rejected)
{
	static const size_t claims[] = {MAILBOX_OUTPUT_MAX + 1, INT32_MAX, UINT32_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		for (size_t k = 0; k < USUAL_COMMANDS; k++) {
			struct fake_command c = usual[k];

			c.claimed_len = claims[i];
			read_with(k, c);
			ck_assert_uint_eq(notes.n_notes, 1);
		}
	must_be_absent(values.shutdown_dirty);
}
END_TEST

START_TEST(record_differs_when_an_output_payload_differs)
{
	struct mailbox_record before;

	read_usual();
	before = record;
	read_usual();
	ck_assert_uint_eq(before.len, record.len);
	ck_assert_mem_eq(before.bytes, record.bytes, record.len);
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		struct fake_command c = usual[i];

		c.out_len--;
		read_with(i, c);
		ck_assert(before.len != record.len ||
			  memcmp(before.bytes, record.bytes, record.len) != 0);
	}
	read_with(0, (struct fake_command){.id = IDENTIFY, .error = EPERM});
	before = record;
	read_with(0, (struct fake_command){.id = IDENTIFY, .error = EIO});
	ck_assert_uint_eq(before.len, record.len);
	ck_assert_mem_ne(before.bytes, record.bytes, record.len);
}
END_TEST

/* The same output payloads from the files of a captured host. */

static struct host_root as_captured(void)
{
	return (struct host_root){.captured = true, .dirfd = tree};
}

static void read_recorded(void)
{
	const struct host_root captured = as_captured();
	struct mailbox_client *c;

	ck_assert_int_eq(mailbox_client_new(&captured, &c, NULL), 0);
	notes.n_notes = 0;
	mailbox_read(c, "mem0", &notes, NULL, &values, &record);
	(void)mailbox_client_free(c);
}

START_TEST(recorded_output_payloads_are_replayed)
{
	struct mailbox_record from_device;
	struct mailbox_command command;
	char path[128];
	size_t n;

	read_recorded();
	ck_assert_uint_eq(notes.n_notes, 0); /* old captures have none */
	ck_assert(!values.has_health);
	read_usual();
	from_device = record;
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		command = mailbox_commands(&n)[i];
		(void)snprintf(path, sizeof(path), "mbox/mem0/%s.bin", command.name);
		put_file(tree, path, usual[i].out, usual[i].out_len);
	}
	read_recorded();
	ck_assert_uint_eq(notes.n_notes, 0);
	ck_assert_uint_eq(record.len, from_device.len);
	ck_assert_mem_eq(record.bytes, from_device.bytes, record.len);
	must_be(values.event_records, 240);
}
END_TEST

/* A transport of this suite: one device, which answers Identify Memory Device. */

static atomic_bool test_transport_is_free;

static const char *test_transport_device(const struct mailbox_transport *t, size_t i)
{
	(void)t;
	return i == 0 ? "switch0" : NULL;
}

static int test_transport_prepare(struct mailbox_transport *t, const char *device)
{
	(void)t;
	return str_equal(device, "switch0") ? 0 : -ENOENT;
}

static int test_transport_send(struct mailbox_transport *t, const char *device,
			       const struct mailbox_command *command, uint8_t *output,
			       unsigned int *ret_code)
{
	(void)t;
	ck_assert_str_eq(device, "switch0");
	*ret_code = MAILBOX_SUCCESS;
	if (command->opcode == 0x4200)
		return MAILBOX_OUTPUT_MAX + 1;
	if (command->opcode != 0x4000)
		return -EOPNOTSUPP;
	memcpy(output, identify, sizeof(identify));
	return sizeof(identify);
}

static void test_transport_free(struct mailbox_transport *t)
{
	(void)t;
	test_transport_is_free = true;
}

START_TEST(device_is_read_by_any_transport)
{
	const struct mailbox_transport_ops ops = {
		.directory = "/dev/test/",
		.may_hang = _i == 1,
		.device = test_transport_device,
		.prepare = test_transport_prepare,
		.send = test_transport_send,
		.free = test_transport_free,
	};
	struct mailbox_transport transport = {&ops};
	struct mailbox_client *c;

	ck_assert_int_eq(mailbox_client_new_transport(&transport, &c), 0);
	ck_assert_str_eq(mailbox_client_memdev(c, 0), "switch0");
	ck_assert_ptr_null(mailbox_client_memdev(c, 1));
	mailbox_read(c, "switch0", &notes, NULL, &values, &record);
	must_be(values.event_records, 240);
	ck_assert_uint_eq(notes.n_notes, 1);
	ck_assert(has_note("switch0: Get Health Info (4200h): Message too long"));
	mailbox_read(c, "switch1", &notes, NULL, &values, &record);
	ck_assert(has_note("switch1: no mailbox command can be sent through /dev/test/switch1"));
	ck_assert(!test_transport_is_free);
	/* The thread that read the device has a reference until it ends. */
	(void)mailbox_client_free(c);
	WAIT_UNTIL(test_transport_is_free);
}
END_TEST

START_TEST(invalid_records_are_noted)
{
	uint8_t large[MAILBOX_OUTPUT_MAX + 1] = {0};

	put_file(tree, "mbox/mem0/identify.bin", large, sizeof(large));
	put_directory(tree, "mbox/mem0/health_info.bin");
	ck_assert_int_eq(mkfifoat(tree, "mbox/mem0/alert_config.bin", 0644), 0);
	put_symlink(tree, "mbox/mem0/timestamp.bin", "/proc/self/environ");
	put_file(tree, "mbox/mem0/fw_info.bin", "", 0);
	put_file(tree, "mbox/mem0/shutdown_state.bin", clean, sizeof(clean));
	read_recorded();
	ck_assert(has_note("Identify Memory Device (4000h): File too large"));
	ck_assert(has_note("Get Health Info (4200h): "));
	ck_assert(has_note("Get Alert Configuration (4201h): "));
	ck_assert(has_note("Get Timestamp (0300h): "));
	ck_assert(has_note("Get FW Info (0200h): the output payload has fewer than 80 bytes"));
	must_be_absent(values.timestamp_ns);
	must_be(values.shutdown_dirty, false);
}
END_TEST

START_TEST(capture_records_every_command)
{
	struct capture_result res = {0};
	_cleanup_close_ int archive = -1;
	struct scratch scratch;
	struct error e = {0};
	size_t refused = 0;
	char out[300];
	int dirfd;

	scratch_setup(&scratch);
	(void)snprintf(out, sizeof(out), "%s/out.tar.zst", scratch.path);
	fake_mailbox.memdev = NULL;
	/* mem0 and mem2 support all, mem1 fails one, mem3 all. */
	for (size_t memdev = 0; memdev < 4; memdev++)
		for (size_t i = 0; i < USUAL_COMMANDS; i++) {
			struct fake_command c = usual[i];

			c.error = memdev == 3 ? EBUSY : 0;
			c.return_code = memdev == 1 && c.id == HEALTH ? 7 : 0;
			fake_mailbox_expect(&c);
		}
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	fake_mailbox_finish();

	archive = open(out, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(mkdirat(scratch.dirfd, "again", 0755), 0);
	dirfd = openat(scratch.dirfd, "again", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_msg(archive_unpack(archive, dirfd, &e) == 0, "%s", e.text);
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		_cleanup_free_ char *data = NULL;
		char path[128];
		size_t len, n;

		(void)snprintf(path, sizeof(path), "mbox/mem2/%s.bin",
			       mailbox_commands(&n)[i].name);
		ck_assert_msg(read_file_at(dirfd, path, 4096, &data, &len) == 0, "%s", path);
		ck_assert_uint_eq(len, usual[i].out_len);
		ck_assert_mem_eq(data, usual[i].out, len);
	}
	ck_assert_int_ne(faccessat(dirfd, "mbox/mem1/health_info.bin", F_OK, 0), 0);
	ck_assert_int_eq(faccessat(dirfd, "mbox/mem1/identify.bin", F_OK, 0), 0);
	ck_assert_int_ne(faccessat(dirfd, "mbox/mem3", F_OK, 0), 0);
	for (size_t i = 0; i < res.n_missed; i++)
		refused += str_after_prefix(res.missed[i], "mbox/") != NULL;
	ck_assert_uint_eq(refused, 1 + USUAL_COMMANDS);
	(void)close(dirfd);
	capture_result_done(&res);
	scratch_teardown(&scratch);
}
END_TEST

SUITE(check_mailbox)
{
	Suite *s = suite_create("mailbox");
	TCase *t = tcase_create("mailbox");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, mailbox_setup, mailbox_teardown);
	tcase_add_test(t, commands_that_are_not_supported_are_not_sent);
	tcase_add_test(t, all_commands_are_tried_when_the_driver_does_not_list_the_supported_ones);
	tcase_add_test(t, driver_is_queried_once_for_the_supported_commands);
	tcase_add_test(t, return_code_is_an_error_with_its_name);
	tcase_add_loop_test(t, a_command_is_sent_again_while_the_device_is_busy, 0,
			    ARRAY_SIZE(busies));
	tcase_add_loop_test(t, of_a_device_that_stays_busy_the_last_output_is_kept, 0,
			    ARRAY_SIZE(busies));
	tcase_add_test(t, command_that_fails_leaves_the_others);
	tcase_add_test(t, no_further_command_is_sent_to_a_device_that_vanished);
	tcase_add_test(t, device_that_cannot_be_opened_is_noted);
	tcase_add_test(t, output_longer_than_the_buffer_is_rejected);
	tcase_add_test(t, record_differs_when_an_output_payload_differs);
	tcase_add_test(t, recorded_output_payloads_are_replayed);
	tcase_add_loop_test(t, device_is_read_by_any_transport, 0, 2);
	tcase_add_test(t, invalid_records_are_noted);
	tcase_add_test(t, capture_records_every_command);
	suite_add_tcase(s, t);
	return s;
}
