// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers of a switch in a captured host: recorded from the model, replayed, and damaged. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "mailbox/cci_recorded.h"
#include "mailbox/command.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

#define NAME "0000:0d:00.1"
#define HERE "mbox/switch-" NAME

static struct scratch scratch;
static struct host_root root;
static struct switch_model *m;
static struct switch_reader *reader;
static size_t n_files;
static char recorded[65536]; /* all paths, each with a newline */

static void setup(void)
{
	stop_monotonic();
	scratch_setup(&scratch);
	root = (struct host_root){.captured = true, .dirfd = scratch.dirfd};
	m = switch_model_new(MODEL_SMALL);
	reader = switch_reader_new();
	n_files = 0;
	recorded[0] = '\0';
}

static void teardown(void)
{
	reader = switch_reader_free(reader);
	m = switch_model_free(m);
	scratch_teardown(&scratch);
}

/* cci_record_fn */
static void write_file(void *userdata, const char *path, const void *data, size_t len)
{
	(void)userdata;
	ck_assert(host_path_is_safe(path));
	put_file(scratch.dirfd, path, data, len);
	n_files++;
	if (strlen(recorded) + strlen(path) + 2 < sizeof(recorded))
		(void)strcat(strcat(recorded, path), "\n");
}

/* Reads the model, and records what it answers. */
static struct switch_readings *record_model(void)
{
	struct cci *model = switch_model_cci(m, NAME), *recorder;
	struct switch_source source = {.name = NAME};
	struct switch_readings *ret;

	ck_assert_int_eq(cci_recorder_new(model, CCI_ORIGIN_MODEL, write_file, NULL, &recorder), 0);
	source.cci = recorder;
	ck_assert_int_eq(switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &ret), 0);
	(void)cci_free(recorder);
	(void)cci_free(model);
	return ret;
}

static struct switch_readings *replay(void)
{
	struct switch_reader *another = switch_reader_new();
	struct switch_access *access;
	struct switch_readings *ret;

	ck_assert_int_eq(switch_access_new(&root, NULL, NULL, &access), 0);
	ck_assert_int_eq(switch_reader_read(another, access, SWITCH_READ_ALL, &ret), 0);
	(void)switch_reader_free(another);
	(void)switch_access_free(access);
	return ret;
}

static void must_be_equal(const struct switch_readings *a, const struct switch_readings *b)
{
	ck_assert_uint_eq(a->record_len, b->record_len);
	ck_assert_mem_eq(a->record, b->record, a->record_len);
}

static struct cci *open_recorded(void)
{
	struct error e = {0};
	struct cci *c = NULL;

	ck_assert_msg(cci_recorded_new(&root, NAME, &c, &e) == 0, "%s", e.text);
	return c;
}

static int ask(uint16_t opcode, const uint8_t *input, size_t len, struct cci_reply *ret)
{
	const struct cci_request q = {.opcode = opcode, .input = input, .len = len};
	struct cci *c = open_recorded();
	int r = cci_send(c, &q, ret);

	(void)cci_free(c);
	return r;
}

static void put_mailbox(const char *text)
{
	put_text(scratch.dirfd, HERE "/mailbox", text);
}

static bool exists(const char *path)
{
	return faccessat(scratch.dirfd, path, F_OK, 0) == 0;
}

START_TEST(recorded_switch_reads_as_the_one_it_was)
{
	struct switch_readings *live, *again;

	m->no_events = true;
	live = record_model();
	again = replay();
	must_be_equal(live, again);
	ck_assert_uint_eq(again->n_switches, 1);
	ck_assert(again->switches[0].recorded && !live->switches[0].recorded);
	ck_assert_str_eq(again->switches[0].origin, "model");
	ck_assert_uint_eq(again->switches[0].n_notes, 0);
	ck_assert(!again->may_change);
	(void)switch_readings_unref(live);
	(void)switch_readings_unref(again);
	ck_assert(exists(HERE "/5100.bin") && exists(HERE "/5101-050001020304.bin"));
	ck_assert(exists(HERE "/port1/5400.bin") && exists(HERE "/port1/ld3/0001.bin"));
	ck_assert(exists(HERE "/0100-00.code") && !exists(HERE "/0100-00.bin"));
}
END_TEST

/* Background Operation Status is part of the transport: it says how far another command is. */
START_TEST(every_command_that_reads_is_recorded)
{
	static const char *const places[] = {
		[CCI_SWITCH] = HERE "/",
		[CCI_PORT] = HERE "/port1/",
		[CCI_LD] = HERE "/port1/ld3/",
	};
	const struct fmapi_command *commands;
	size_t n;

	(void)switch_model_add_dynamic(m, 1);
	(void)switch_readings_unref(record_model());
	commands = fmapi_commands(&n);
	for (size_t i = 0; i < n; i++) {
		for (size_t target = CCI_SWITCH; target <= CCI_LD; target++) {
			const bool wanted = commands[i].targets >> target & 1 &&
					    !commands[i].changes &&
					    commands[i].opcode != FMAPI_BACKGROUND_STATUS;
			char path[64];

			(void)snprintf(path, sizeof(path), "%s%04x", places[target],
				       (unsigned int)commands[i].opcode);
			ck_assert_msg((strstr(recorded, path) != NULL) == wanted, "%s", path);
		}
	}
}
END_TEST

/* The list of 127 ports does not fit in a name. */
START_TEST(large_switch_is_recorded_as_it_was_asked)
{
	struct switch_readings *live, *again;

	m = switch_model_free(m);
	m = switch_model_new(MODEL_LARGE);
	live = record_model();
	again = replay();
	must_be_equal(live, again);
	ck_assert_uint_eq(again->switches[0].n_ports, 256);
	ck_assert_uint_eq(live->switches[0].n_commands, again->switches[0].n_commands);
	ck_assert_uint_eq(n_files, live->switches[0].n_commands + 1);
	(void)switch_readings_unref(live);
	(void)switch_readings_unref(again);
}
END_TEST

START_TEST(bundled_host_has_the_switch_of_a_model)
{
	const struct device_reading *mld;
	const struct switch_reading *s;
	struct switch_readings *again;

	root.dirfd = unpack_bundled(&scratch, "switch-model-7.3", "host");
	again = replay();
	ck_assert_uint_eq(again->n_switches, 1);
	s = &again->switches[0];
	ck_assert_str_eq(s->origin, "model");
	ck_assert_uint_eq(s->n_notes, 0);
	ck_assert_uint_eq(s->n_ports, 6);
	ck_assert_uint_eq(s->n_vcs, 2);
	/* This host has three bridges: vPPB 1 is that of mem0, vPPB 2 that of mem1. */
	ck_assert_uint_eq(s->vcs[0].usp, s->sw.ingress_port);
	ck_assert_uint_eq(s->vcs[0].n_vppbs, 3);
	mld = switch_port(s, s->vcs[0].vppbs[1].port)->device;
	ck_assert_uint_eq(mld->n_lds, 4);
	ck_assert_uint_eq(mld->lds[s->vcs[0].vppbs[1].ld].identity.serial, 0xabc0);
	ck_assert(mld->has_qos && mld->backpressure_percent.present);
	ck_assert_uint_eq(switch_port(s, s->vcs[0].vppbs[2].port)->device->identity.serial, 0xabc1);
	(void)switch_readings_unref(again);
	(void)close(root.dirfd);
}
END_TEST

START_TEST(busy_is_no_answer)
{
	struct switch_readings *live;

	switch_model_fault(m, &(struct model_fault){.kind = MODEL_RETURN_CODE,
						    .opcode = 0x5100,
						    .times = 1,
						    .value = MAILBOX_BUSY});
	live = record_model();
	ck_assert(exists(HERE "/5100.bin") && !exists(HERE "/5100.code"));
	(void)switch_readings_unref(live);
}
END_TEST

START_TEST(return_codes_are_replayed)
{
	struct cci_reply reply;

	put_mailbox("origin hardware\npayload 512\n");
	put_text(scratch.dirfd, HERE "/5200-000101.code", "0x0003 Unsupported\n");
	put_text(scratch.dirfd, HERE "/5100.code", "0x0006");
	ck_assert_int_eq(ask(0x5200, (const uint8_t[]){0, 1, 1}, 3, &reply), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_UNSUPPORTED);
	ck_assert_int_eq(ask(0x5100, NULL, 0, &reply), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_BUSY);
	ck_assert_uint_eq(reply.len, 0);
}
END_TEST

START_TEST(what_was_not_recorded_has_no_answer)
{
	struct cci_reply reply;
	uint8_t input[CCI_RECORDED_INPUT + 1] = {0};

	put_mailbox("origin hardware\npayload 512\n");
	ck_assert_int_eq(ask(0x5100, NULL, 0, &reply), -ENODATA);
	ck_assert_int_eq(ask(0x5101, input, sizeof(input), &reply), -ENODATA);
}
END_TEST

START_TEST(reading_without_an_answer_has_nothing)
{
	struct switch_readings *again;

	put_mailbox("origin hardware\npayload 512\n");
	again = replay();
	ck_assert_uint_eq(again->n_switches, 1);
	ck_assert(!again->switches[0].has_identity && again->switches[0].n_ports == 0);
	(void)switch_readings_unref(again);
}
END_TEST

START_TEST(commands_that_change_something_are_refused)
{
	static const uint16_t opcodes[] = {0x5102, 0x5201, 0x5202, 0x5203};
	const struct cci_request to_port = {.target = {CCI_PORT, 1, 0}, .opcode = 0x5402};
	struct cci_reply reply;
	struct cci *c;

	put_mailbox("origin hardware\npayload 512\n");
	for (size_t i = 0; i < 4; i++) {
		char path[128];

		/* Even if there is an answer. */
		(void)snprintf(path, sizeof(path), HERE "/%04x.bin", opcodes[i]);
		put_text(scratch.dirfd, path, "");
		ck_assert_int_eq(ask(opcodes[i], NULL, 0, &reply), -EROFS);
	}
	c = open_recorded();
	ck_assert_int_eq(cci_send(c, &to_port, &reply), -EROFS);
	(void)cci_free(c);
}
END_TEST

START_TEST(damaged_answers_are_rejected)
{
	static const char *const codes[] = {"",	       "0",  "0x0000 Success",	   "busy",
					    "0x10000", "-3", "0x10000000000000006"};
	static char large[CCI_PAYLOAD_MAX + 1];
	struct cci_reply reply;

	put_mailbox("origin hardware\npayload 512\n");
	put_file(scratch.dirfd, HERE "/0001.bin", large, CCI_PAYLOAD_MAX);
	ck_assert_int_eq(ask(0x0001, NULL, 0, &reply), 0);
	ck_assert_uint_eq(reply.len, CCI_PAYLOAD_MAX);
	put_file(scratch.dirfd, HERE "/0001.bin", large, sizeof(large));
	ck_assert_int_eq(ask(0x0001, NULL, 0, &reply), -EMSGSIZE);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		put_text(scratch.dirfd, HERE "/5100.code", codes[i]);
		ck_assert_msg(ask(0x5100, NULL, 0, &reply) == -EBADMSG, "%s", codes[i]);
	}
	put_directory(scratch.dirfd, HERE "/0100-00.bin");
	ck_assert_int_eq(ask(0x0100, (const uint8_t[]){0}, 1, &reply), -EBADMSG);
	put_symlink(scratch.dirfd, HERE "/0100-01.bin", "/etc/passwd");
	ck_assert_int_eq(ask(0x0100, (const uint8_t[]){1}, 1, &reply), -EBADMSG);
}
END_TEST

START_TEST(file_about_the_mailbox_is_checked)
{
	static const char *const texts[] = {
		"",
		"origin hardware\n",
		"payload 512\n",
		"origin dream\npayload 512\n",
		"origin hardware\npayload 255\n",
		"origin hardware\npayload 2049\n",
		"origin hardware\npayload 99999999999999999999\n",
	};
	struct switch_readings *again;
	struct error e = {0};
	struct cci *c;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put_mailbox(texts[i]);
		ck_assert_msg(cci_recorded_new(&root, NAME, &c, &e) == -EINVAL, "%s", texts[i]);
		ck_assert_ptr_nonnull(strstr(e.text, HERE "/mailbox"));
	}
	/* The switch is there, with the reason. */
	again = replay();
	ck_assert_uint_eq(again->switches[0].n_notes, 1);
	ck_assert_ptr_nonnull(strstr(again->switches[0].notes[0], "needs the lines"));
	(void)switch_readings_unref(again);
}
END_TEST

START_TEST(only_addresses_are_names_of_switches)
{
	static const char *const others[] = {"0000:0D:00.1", "0000:0d:00.1x", "0000:0d:00", "..",
					     "memory"};
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], path[128];
	struct error e = {0};
	struct cci *c;

	ck_assert_uint_eq(cci_recorded_list(&root, names), 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		(void)snprintf(path, sizeof(path), "mbox/switch-%s", others[i]);
		put_directory(scratch.dirfd, path);
		ck_assert_int_eq(cci_recorded_new(&root, others[i], &c, &e), -ENOENT);
	}
	put_directory(scratch.dirfd, "mbox/switch-0000:1d:00.1");
	put_directory(scratch.dirfd, "mbox/switch-0000:0d:00.1");
	ck_assert_uint_eq(cci_recorded_list(&root, names), 2);
	ck_assert_str_eq(names[0], "0000:0d:00.1");
	ck_assert_str_eq(names[1], "0000:1d:00.1");
}
END_TEST

/* As the kernel makes them up for VMD. */
START_TEST(segment_of_more_than_16_bits_is_recorded_and_replayed)
{
	struct cci *model = switch_model_cci(m, "10000:e1:00.1"), *c;
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];
	struct error e = {0};

	ck_assert_int_eq(cci_recorder_new(model, CCI_ORIGIN_MODEL, write_file, NULL, &c), 0);
	(void)cci_free(c);
	(void)cci_free(model);
	ck_assert_uint_eq(cci_recorded_list(&root, names), 1);
	ck_assert_str_eq(names[0], "10000:e1:00.1");
	ck_assert_int_eq(cci_recorded_new(&root, names[0], &c, &e), 0);
	(void)cci_free(c);
}
END_TEST

START_TEST(number_of_switches_is_bounded)
{
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], path[128];

	for (unsigned int i = 0; i < CCI_SWITCHES_MAX + 9; i++) {
		(void)snprintf(path, sizeof(path), "mbox/switch-0000:%02x:00.1", i);
		put_directory(scratch.dirfd, path);
	}
	ck_assert_uint_eq(cci_recorded_list(&root, names), CCI_SWITCHES_MAX);
}
END_TEST

SUITE(check_cci_recorded)
{
	Suite *s = suite_create("cci_recorded");
	TCase *t = tcase_create("recorded");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, recorded_switch_reads_as_the_one_it_was);
	tcase_add_test(t, every_command_that_reads_is_recorded);
	tcase_add_test(t, large_switch_is_recorded_as_it_was_asked);
	tcase_add_test(t, bundled_host_has_the_switch_of_a_model);
	tcase_add_test(t, busy_is_no_answer);
	tcase_add_test(t, return_codes_are_replayed);
	tcase_add_test(t, what_was_not_recorded_has_no_answer);
	tcase_add_test(t, reading_without_an_answer_has_nothing);
	tcase_add_test(t, commands_that_change_something_are_refused);
	tcase_add_test(t, damaged_answers_are_rejected);
	tcase_add_test(t, file_about_the_mailbox_is_checked);
	tcase_add_test(t, only_addresses_are_names_of_switches);
	tcase_add_test(t, segment_of_more_than_16_bits_is_recorded_and_replayed);
	tcase_add_test(t, number_of_switches_is_bounded);
	suite_add_tcase(s, t);
	return s;
}
