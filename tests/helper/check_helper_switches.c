// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * cxl-redfish-switch-helper and its client in one process, with the model of a switch in place of
 * registers: which commands are sent, and which requests are refused.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/frame.h"
#include "helper/server.h"
#include "helper/switches.h"
#include "mailbox/cci_helper.h"
#include "mailbox/command.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/switch_options.h"
#include "opener/opener.h"
#include "opener/request.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"
#include "tests/lib/wait.h"

#define NAME "0000:0d:00.1"

static struct scratch scratch;
static struct switches switches;
static struct server server = {.serve = switches_serve, .userdata = &switches};
static struct switch_model *model;
static struct opener *opener;
static struct helper_socket helper;
static struct error error;
static struct cci_reply reply;

/* As if the function was open. */
static void open_model(void)
{
	struct switch_slot *slot = calloc(1, sizeof(*slot));

	ck_assert_ptr_nonnull(slot);
	memcpy(slot->name, NAME, sizeof(NAME));
	(void)pthread_mutex_init(&slot->lock, NULL);
	slot->cci = switch_model_cci(model, NAME);
	switches.slots[switches.n++] = slot;
}

static void setup(void)
{
	struct switch_bus bus;

	scratch_setup(&scratch);
	put_text(scratch.dirfd, "sys/bus/pci/devices/" NAME "/class", "0x0c0b00\n");
	bus = (struct switch_bus){.root = scratch.dirfd};
	switches_set_up(&switches, &bus);
	switches_configure(&switches, NAME, false);
	model = switch_model_new(MODEL_SMALL);
	open_model();
	helper_socket_start(&helper, &server);
	opener = helper_socket_opener(&helper);
	opener_set_up(opener, true);
}

static void teardown(void)
{
	opener = opener_free(opener);
	helper_socket_stop(&helper);
	switches_configure(&switches, NULL, false);
	for (size_t i = 0; i < switches.n; i++)
		free(switches.slots[i]);
	model = switch_model_free(model);
	scratch_teardown(&scratch);
}

static int send_to(struct cci *c, enum cci_target_kind kind, uint8_t port, uint8_t ld,
		   uint16_t opcode, const uint8_t *input, size_t len)
{
	const struct cci_request q = {.target = {.kind = kind, .port = port, .ld = ld},
				      .opcode = opcode,
				      .input = input,
				      .len = len};

	return cci_send(c, &q, &reply);
}

START_TEST(commands_of_the_table_reach_their_targets)
{
	struct cci *c = NULL;

	ck_assert_int_eq(cci_helper_new(opener, NAME, &c, &error), 0);
	ck_assert_str_eq(c->name, NAME);
	ck_assert_uint_eq(c->payload_max, model->payload_max < CCI_PAYLOAD_MAX ? model->payload_max
									       : CCI_PAYLOAD_MAX);
	ck_assert_int_eq(send_to(c, CCI_SWITCH, 0, 0, FMAPI_IDENTIFY_SWITCH, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert_uint_eq(reply.len, 0x49);
	ck_assert_int_eq(send_to(c, CCI_PORT, 1, 0, FMAPI_GET_LD_INFO, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert_int_eq(send_to(c, CCI_LD, 1, 1, FMAPI_IDENTIFY, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	/* A return code is an answer. */
	ck_assert_int_eq(send_to(c, CCI_PORT, 3, 0, FMAPI_IDENTIFY, NULL, 0), 0);
	ck_assert_uint_ne(reply.return_code, MAILBOX_SUCCESS);
	c = cci_free(c);
	ck_assert_int_eq(cci_helper_new(opener, "0000:0d:00.2", &c, &error), -ENOENT);
}
END_TEST

START_TEST(commands_outside_of_the_table_are_refused)
{
	static const uint8_t input[CCI_PAYLOAD_MAX];
	const size_t before = model->n_commands;

	for (enum cci_target_kind kind = CCI_SWITCH; kind <= CCI_LD; kind++)
		for (uint32_t opcode = 0; opcode <= 0xffff; opcode++) {
			const struct cci_request q = {.target = {.kind = kind},
						      .opcode = (uint16_t)opcode,
						      .input = input,
						      .len = 4};

			if (!fmapi_command_find((uint16_t)opcode, kind))
				ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply),
						 -EACCES);
		}
	ck_assert_uint_eq(model->n_commands, before);
	/* A tunnel is made for a target, and can be requested of none. */
	for (enum cci_target_kind kind = CCI_SWITCH; kind <= CCI_LD; kind++)
		ck_assert_ptr_null(fmapi_command_find(FMAPI_TUNNEL, kind));
}
END_TEST

START_TEST(inputs_of_other_lengths_are_refused)
{
	static const uint8_t input[CCI_PAYLOAD_MAX];
	const struct fmapi_command *commands;
	size_t n;

	switches_configure(&switches, NAME, true);
	commands = fmapi_commands(&n);
	for (size_t i = 0; i < n; i++) {
		struct cci_request q = {.opcode = commands[i].opcode, .input = input};

		while (!fmapi_command_find(q.opcode, q.target.kind))
			q.target.kind++;
		q.len = commands[i].input_max + 1U;
		if (q.len <= CCI_PAYLOAD_MAX)
			ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), -EACCES);
		q.len = commands[i].input_min - 1U;
		if (commands[i].input_min > 0)
			ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), -EACCES);
	}
}
END_TEST

START_TEST(changes_are_refused_unless_they_are_allowed)
{
	const uint8_t bind[] = {0, 3, 4, 0, 0xff, 0xff};
	struct switch_function all[CCI_SWITCHES_MAX];
	const struct fmapi_command *commands;
	bool may_change = true;
	struct cci *c = NULL;
	size_t n;

	ck_assert_int_eq(cci_helper_new(opener, NAME, &c, &error), 0);
	commands = fmapi_commands(&n);
	for (size_t i = 0; i < n; i++) {
		struct cci_request q = {.opcode = commands[i].opcode,
					.input = (const uint8_t[CCI_PAYLOAD_MAX]){0},
					.len = commands[i].input_min};

		while (!fmapi_command_find(q.opcode, q.target.kind))
			q.target.kind++;
		if (commands[i].changes)
			ck_assert_int_eq(cci_send(c, &q, &reply), -EACCES);
	}
	ck_assert_int_eq(cci_helper_list(opener, all, &n, &may_change, &error), 0);
	ck_assert(!may_change);
	ck_assert_int_eq(send_to(c, CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, bind, sizeof(bind)),
			 -EACCES);
	ck_assert_uint_eq(model->vcs[0].vppbs[3].binding, FMAPI_UNBOUND);
	switches_configure(&switches, NAME, true);
	switches.slots[0]->cci = switch_model_cci(model, NAME);
	ck_assert_int_eq(cci_helper_list(opener, all, &n, &may_change, &error), 0);
	ck_assert(may_change);
	ck_assert_int_eq(send_to(c, CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, bind, sizeof(bind)), 0);
	c = cci_free(c);
}
END_TEST

START_TEST(only_the_configured_switch_is_used)
{
	static const char *const names[] = {"0000:0d:00.2", "auto", "", "../" NAME, NAME "x"};
	const struct cci_request q = {.opcode = FMAPI_IDENTIFY};
	struct switch_function all[CCI_SWITCHES_MAX];
	bool may_change;
	size_t n = 9;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_int_eq(switches_send(&switches, names[i], &q, &reply), -ENOENT);
	switches_configure(&switches, NULL, false);
	ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), -ENOENT);
	ck_assert_int_eq(cci_helper_list(opener, all, &n, &may_change, &error), 0);
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(names_of_no_switch_leave_room_for_others)
{
	const struct cci_request q = {.opcode = FMAPI_IDENTIFY_SWITCH};
	char name[CCI_NAME_MAX];

	switches_configure(&switches, SWITCH_MAILBOX_AUTO, false);
	for (unsigned int i = 0; i < 2 * CCI_SWITCHES_MAX; i++) {
		(void)snprintf(name, sizeof(name), "0000:%02x:00.0", i);
		ck_assert_int_eq(switches_send(&switches, name, &q, &reply), -ENODEV);
	}
	ck_assert_uint_le(switches.n, CCI_SWITCHES_MAX);
}
END_TEST

START_TEST(a_switch_that_cannot_be_used_says_why)
{
	struct switch_function all[CCI_SWITCHES_MAX];
	struct cci *c = NULL;
	bool may_change;
	size_t n;

	put_symlink(scratch.dirfd, "sys/bus/pci/devices/" NAME "/driver", "x/other");
	switches_configure(&switches, "auto", false);
	ck_assert_int_eq(cci_helper_list(opener, all, &n, &may_change, &error), 0);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(all[0].name, NAME);
	ck_assert_str_eq(all[0].reason,
			 "its configuration space cannot be opened: No such file or directory");
	ck_assert_uint_eq(all[0].payload_max, 0);
	ck_assert_int_eq(cci_helper_new(opener, NAME, &c, &error), -ENODEV);
	ck_assert_str_eq(error.text, all[0].reason);
}
END_TEST

START_TEST(a_switch_that_vanishes_is_opened_again)
{
	const struct cci_request q = {.opcode = FMAPI_IDENTIFY};

	ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), 0);
	switch_model_fault(model, &(struct model_fault){.kind = MODEL_VANISHES});
	ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), -ENODEV);
	ck_assert_ptr_null(switches.slots[0]->cci);
	ck_assert_int_eq(switches_send(&switches, NAME, &q, &reply), -ENODEV);
}
END_TEST

/* Return: whether the helper closed the connection for it. */
static bool closes(const void *packet, size_t len)
{
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	uint8_t answer[OPENER_REPLY_MAX];

	ck_assert_int_eq(send(fd, packet, len, MSG_NOSIGNAL), (ssize_t)len);
	return recv(fd, answer, sizeof(answer), 0) <= 0;
}

START_TEST(malformed_requests_end_the_connection)
{
	const struct opener_switch_request good = {.version = OPENER_VERSION,
						   .kind = OPENER_SWITCH_COMMAND,
						   .opcode = FMAPI_IDENTIFY,
						   .name = NAME};
	struct opener_switch_request q = good;

	ck_assert(!closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD - 1));
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD + 1));
	ck_assert(closes(&q, sizeof(q)));
	q.len = 0xffffffff;
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.target = 3; /* nested deeper than an LD */
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.port = 1;
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q.target = 1;
	ck_assert(!closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q.ld = 1;
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.reserved = 1;
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.version++;
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.name[20] = 'x'; /* behind the NUL */
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	memset(q.name, 'x', sizeof(q.name));
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
	q = good;
	q.kind = OPENER_SWITCHES; /* which has no other fields */
	ck_assert(closes(&q, OPENER_SWITCH_REQUEST_HEAD));
}
END_TEST

START_TEST(requests_of_the_other_helper_are_refused)
{
	struct opener_request q = {.version = OPENER_VERSION};
	struct opener_switch_request s = {.version = OPENER_VERSION};
	struct opener_request parsed;

	(void)stpcpy(q.path, "/sys/firmware/acpi/tables/a-path-as-long-as-a-request");
	for (q.kind = OPENER_OPEN; q.kind < OPENER_SWITCHES; q.kind++)
		ck_assert(closes(&q, opener_request_bytes(&q)));
	q.kind = OPENER_PAGE_USE;
	ck_assert(closes(&q, opener_request_bytes(&q)));
	for (s.kind = OPENER_SWITCHES; s.kind <= OPENER_SWITCH_COMMAND; s.kind++)
		for (size_t len = OPENER_REQUEST_MIN; len <= OPENER_SWITCH_REQUEST_HEAD; len++)
			ck_assert_int_lt(opener_request_parse(&s, len, &parsed), 0);
}
END_TEST

static atomic_uint n_received;

/* Receives requests, and ends each connection without a reply. */
static void *end_connections(void *userdata)
{
	const int *fd = userdata;

	for (;;) {
		_cleanup_close_ int c = accept4(*fd, NULL, NULL, SOCK_CLOEXEC);
		uint8_t packet[4096];

		if (c < 0)
			return NULL;
		if (recv(c, packet, sizeof(packet), 0) > 0)
			atomic_fetch_add(&n_received, 1);
	}
}

START_TEST(a_command_that_was_received_is_not_sent_again)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct opener_switch_request q = {.opcode = FMAPI_BIND_VPPB, .name = NAME};
	struct sockaddr_un here = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(here);
	struct opener *o = NULL;
	uint32_t code;
	pthread_t thread;
	size_t n;

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&here, sizeof(sa_family_t)), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&here, &len), 0);
	ck_assert_int_eq(listen(fd, 8), 0);
	ck_assert_int_eq(opener_new((struct sockaddr *)&here, len, OPENER_OWN, &o), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, end_connections, &fd), 0);
	ck_assert_int_eq(opener_switch_command(o, &q, reply.output, &n, &code), -ECONNRESET);
	(void)shutdown(fd, SHUT_RDWR);
	(void)pthread_join(thread, NULL);
	ck_assert_uint_eq(atomic_load(&n_received), 1);
	o = opener_free(o);
	(void)close(fd);
}
END_TEST

START_TEST(a_helper_that_is_away_is_named)
{
	struct opener *none = NULL;
	struct cci *c = NULL;
	const struct sockaddr_un nowhere = {.sun_family = AF_UNIX,
					    .sun_path = "/nonexistent/socket"};

	ck_assert_int_eq(opener_new((const struct sockaddr *)&nowhere, sizeof(nowhere),
				    OPENER_SHARED, &none),
			 0);
	ck_assert_int_eq(cci_helper_new(none, NAME, &c, &error), -ENOENT);
	ck_assert_msg(strstr(error.text, "start cxl-redfish-switch-helper.socket"), "%s",
		      error.text);
	none = opener_free(none);
}
END_TEST

SUITE(check_helper_switches)
{
	TCase *t = tcase_create("switches");
	Suite *s = suite_create("helper_switches");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, commands_of_the_table_reach_their_targets);
	tcase_add_test(t, commands_outside_of_the_table_are_refused);
	tcase_add_test(t, inputs_of_other_lengths_are_refused);
	tcase_add_test(t, changes_are_refused_unless_they_are_allowed);
	tcase_add_test(t, only_the_configured_switch_is_used);
	tcase_add_test(t, names_of_no_switch_leave_room_for_others);
	tcase_add_test(t, a_switch_that_cannot_be_used_says_why);
	tcase_add_test(t, a_switch_that_vanishes_is_opened_again);
	tcase_add_test(t, malformed_requests_end_the_connection);
	tcase_add_test(t, requests_of_the_other_helper_are_refused);
	tcase_add_test(t, a_command_that_was_received_is_not_sent_again);
	tcase_add_test(t, a_helper_that_is_away_is_named);
	suite_add_tcase(s, t);
	return s;
}
