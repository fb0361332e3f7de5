// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The mailbox registers of a switch, driven against those of a model; time is that of the pauses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "mailbox/cci_registers.h"
#include "mailbox/command.h"
#include "mailbox/fmapi.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

static struct switch_model *m;
static struct cci *c;
static struct error error;
static uint64_t time_us;
static struct cci_reply reply;

/* Registers that tests replace: @value is read at @offset. */
static struct {
	bool used;
	size_t offset;
	uint32_t value;
} override;

static uint32_t model_read(void *ctx, size_t offset)
{
	const uint32_t value = switch_model_read32(ctx, m->regs + (uint32_t)offset);

	return override.used && override.offset == offset ? override.value : value;
}

static void model_write(void *ctx, size_t offset, uint32_t value)
{
	switch_model_write32(ctx, m->regs + (uint32_t)offset, value);
}

static uint64_t model_now(void *ctx)
{
	(void)ctx;
	return time_us / 1000;
}

static void model_sleep(void *ctx, unsigned int us)
{
	(void)ctx;
	time_us += us;
}

static int open_mailbox(int lock_fd)
{
	const struct register_access access = {
		.read32 = model_read,
		.write32 = model_write,
		.now_ms = model_now,
		.sleep_us = model_sleep,
		.ctx = m,
		.size = m->bar_size - m->regs,
	};

	error = (struct error){0};
	return cci_registers_new("0000:0d:00.1", &access, lock_fd, &c, &error);
}

static void setup(void)
{
	m = switch_model_new(MODEL_SMALL);
	override.used = false;
	time_us = 0;
	ck_assert_int_eq(open_mailbox(-1), 0);
}

static void teardown(void)
{
	c = cci_free(c);
	m = switch_model_free(m);
}

static int send_to(enum cci_target_kind kind, uint8_t port, uint8_t ld, uint16_t opcode,
		   const uint8_t *input, size_t len)
{
	const struct cci_request q = {.target = {.kind = kind, .port = port, .ld = ld},
				      .opcode = opcode,
				      .input = input,
				      .len = len};
	const uint64_t begin = time_us;
	int r = cci_send(c, &q, &reply);

	/* Whatever happens: not longer than the deadline and the last pause. */
	ck_assert_uint_le(time_us - begin, (CCI_DEADLINE_MS + 10) * 1000);
	return r;
}

static int ask(uint16_t opcode)
{
	return send_to(CCI_SWITCH, 0, 0, opcode, NULL, 0);
}

static void fault(enum model_fault_kind kind, uint16_t opcode, unsigned int times, uint32_t value)
{
	switch_model_fault(m,
			   &(struct model_fault){
				   .kind = kind, .opcode = opcode, .times = times, .value = value});
}

START_TEST(a_command_is_answered_by_its_target)
{
	const uint8_t ports[] = {2, 1, 2};

	m->delay = 3;
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert_uint_eq(reply.len, 0x49);
	ck_assert_uint_eq(reply.output[2], 5);
	/* An input whose length is no multiple of 4. */
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_GET_PORT_STATE, ports, sizeof(ports)), 0);
	ck_assert_uint_eq(reply.len, 4 + 32);
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, FMAPI_GET_LD_INFO, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert_int_eq(send_to(CCI_LD, 1, 2, FMAPI_IDENTIFY, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert_str_eq(m->complaint, "");
	ck_assert_uint_eq(c->n_commands, 4);
}
END_TEST

START_TEST(a_return_code_is_an_answer)
{
	ck_assert_int_eq(ask(0x7777), 0);
	ck_assert_uint_eq(reply.return_code, 3);
	/* The return code of a tunnel to a port without a device. */
	ck_assert_int_eq(send_to(CCI_PORT, 3, 0, FMAPI_IDENTIFY, NULL, 0), 0);
	ck_assert_uint_ne(reply.return_code, MAILBOX_SUCCESS);
}
END_TEST

START_TEST(a_command_that_never_completes_ends_at_the_deadline)
{
	fault(MODEL_NEVER_COMPLETES, FMAPI_IDENTIFY_SWITCH, 1, 0);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), -ETIMEDOUT);
	ck_assert_uint_ge(time_us, CCI_DEADLINE_MS * 1000);
	/* Nothing is written to a mailbox that still has a command, and nothing reset. */
	ck_assert_int_eq(ask(FMAPI_IDENTIFY), -EBUSY);
	ck_assert_str_eq(m->complaint, "");
	m->hangs = m->registers.hangs = false;
	ck_assert_int_eq(ask(FMAPI_IDENTIFY), 0);
}
END_TEST

START_TEST(a_second_completion_is_no_answer)
{
	fault(MODEL_COMPLETES_TWICE, FMAPI_IDENTIFY_SWITCH, 1, 0);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), -EBADMSG);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), 0);
	ck_assert_str_eq(m->complaint, "");
}
END_TEST

static size_t payload_reads;

/* The return code changes while the payload is read. */
static uint32_t changing_read(void *ctx, size_t offset)
{
	const uint32_t value = model_read(ctx, offset);

	payload_reads += offset == m->mailbox + 0x20;
	return offset == m->mailbox + 0x14 && payload_reads > 0 ? value + 1 : value;
}

START_TEST(an_answer_that_changes_while_it_is_read_is_none)
{
	const struct register_access access = {
		.read32 = changing_read,
		.write32 = model_write,
		.now_ms = model_now,
		.sleep_us = model_sleep,
		.ctx = m,
		.size = m->bar_size - m->regs,
	};

	c = cci_free(c);
	payload_reads = 0;
	ck_assert_int_eq(cci_registers_new("0000:0d:00.1", &access, -1, &c, &error), 0);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), -EBADMSG);
}
END_TEST

START_TEST(an_answer_to_another_command_is_none)
{
	fault(MODEL_OTHER_COMMAND, FMAPI_IDENTIFY_SWITCH, 1, FMAPI_IDENTIFY);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), -EBADMSG);
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_OTHER_COMMAND,
						    .level = 1,
						    .value = FMAPI_IDENTIFY_SWITCH});
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, FMAPI_IDENTIFY, NULL, 0), -EBADMSG);
}
END_TEST

START_TEST(lengths_that_are_not_possible_are_refused)
{
	static const struct {
		uint32_t len;
		int result;
	} cases[] = {
		{0, 0},
		{255, 0},
		{65535, -EBADMSG},
		{(1 << 20), -EBADMSG},
		{(1 << 20) + 1, -EBADMSG},
	};

	m->payload_max = 512;
	c = cci_free(c);
	ck_assert_int_eq(open_mailbox(-1), 0);
	ck_assert_uint_eq(c->payload_max, 512);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		fault(MODEL_LENGTH, FMAPI_IDENTIFY_SWITCH, 1, cases[i].len);
		ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), cases[i].result);
		if (cases[i].result == 0)
			ck_assert_uint_eq(reply.len, cases[i].len);
	}
}
END_TEST

START_TEST(an_output_that_is_longer_than_ours_is_refused)
{
	uint8_t input[CCI_PAYLOAD_MAX + 4] = {0};

	m->payload_max = 2 * CCI_PAYLOAD_MAX;
	c = cci_free(c);
	ck_assert_int_eq(open_mailbox(-1), 0);
	ck_assert_uint_eq(c->payload_max, CCI_PAYLOAD_MAX);
	fault(MODEL_LENGTH, FMAPI_IDENTIFY_SWITCH, 1, CCI_PAYLOAD_MAX + 1);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), -EMSGSIZE);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, 0x5101, input, sizeof(input)), -EMSGSIZE);
	ck_assert_int_eq(send_to(CCI_LD, 1, 0, 0x5101, input, CCI_PAYLOAD_MAX - 31), -EMSGSIZE);
}
END_TEST

START_TEST(a_function_that_vanishes_is_noticed_at_each_step)
{
	const uint8_t input[] = {0, 3, 4, 0, 0xff, 0xff};
	size_t reads, gone = 0;

	/* As many as a command with a tunnel takes, and one that starts an operation. */
	m->step = 40;
	reads = m->n_reads;
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, FMAPI_IDENTIFY, NULL, 0), 0);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, input, sizeof(input)), 0);
	reads = m->n_reads - reads;
	for (size_t i = 0; i < reads; i++) {
		teardown();
		setup();
		m->step = 40;
		fault(MODEL_VANISHES, 0, 0, (uint32_t)(m->n_reads + i));
		if (send_to(CCI_PORT, 1, 0, FMAPI_IDENTIFY, NULL, 0) == 0) {
			gone++;
			ck_assert_int_eq(
				send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, input, sizeof(input)),
				-ENODEV);
		}
		ck_assert_int_eq(ask(FMAPI_IDENTIFY), -ENODEV);
		ck_assert_uint_lt(time_us, 1000 * 1000);
	}
	ck_assert_uint_gt(gone, 0);
	ck_assert_uint_lt(gone, reads);
	c = cci_free(c);
	ck_assert_int_eq(open_mailbox(-1), -ENODEV);
}
END_TEST

START_TEST(an_operation_in_the_background_is_waited_for)
{
	const uint8_t bind[] = {0, 3, 4, 0, 0xff, 0xff}, unbind[] = {0, 3, 2};

	m->step = 7;
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, bind, sizeof(bind)), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	ck_assert(!m->background.running);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].binding, FMAPI_BOUND_PORT);
	fault(MODEL_BACKGROUND_CODE, 0, 1, 4);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_UNBIND_VPPB, unbind, sizeof(unbind)), 0);
	ck_assert_uint_eq(reply.return_code, 4);
}
END_TEST

START_TEST(an_operation_that_does_not_end_ends_at_the_deadline)
{
	const uint8_t bind[] = {0, 3, 4, 0, 0xff, 0xff}, other[] = {0, 4, 3, 0, 0xff, 0xff};

	fault(MODEL_BACKGROUND_STUCK, 0, 0, 0);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, bind, sizeof(bind)),
			 -ETIMEDOUT);
	/* Other commands are answered meanwhile, another operation is not. */
	ck_assert_int_eq(ask(FMAPI_IDENTIFY), 0);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, other, sizeof(other)), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_BUSY);
}
END_TEST

START_TEST(the_end_of_another_operation_is_none)
{
	const uint8_t bind[] = {0, 3, 4, 0, 0xff, 0xff};

	fault(MODEL_BACKGROUND_OTHER, 0, 0, FMAPI_PORT_CONTROL);
	ck_assert_int_eq(send_to(CCI_SWITCH, 0, 0, FMAPI_BIND_VPPB, bind, sizeof(bind)), -EBADMSG);
}
END_TEST

START_TEST(a_busy_switch_is_asked_again)
{
	fault(MODEL_RETURN_CODE, FMAPI_IDENTIFY_SWITCH, 3, MAILBOX_BUSY);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_SUCCESS);
	fault(MODEL_RETURN_CODE, FMAPI_IDENTIFY_SWITCH, 0, MAILBOX_BUSY);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY_SWITCH), 0);
	ck_assert_uint_eq(reply.return_code, MAILBOX_BUSY);
	ck_assert_uint_ge(time_us, CCI_DEADLINE_MS * 1000 / 2);
}
END_TEST

START_TEST(a_mailbox_that_another_process_uses_is_waited_for)
{
	const int fd = memfd_create("lock", MFD_CLOEXEC);
	char path[64];
	_cleanup_close_ int other = -1;

	ck_assert_int_ge(fd, 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(other, 0);
	c = cci_free(c);
	ck_assert_int_eq(open_mailbox(fd), 0);
	ck_assert_int_eq(flock(other, LOCK_EX), 0);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY), -EBUSY);
	ck_assert_uint_ge(time_us, CCI_DEADLINE_MS * 1000);
	ck_assert_int_eq(flock(other, LOCK_UN), 0);
	ck_assert_int_eq(ask(FMAPI_IDENTIFY), 0);
	/* It is locked during a command only. */
	ck_assert_int_eq(flock(other, LOCK_EX | LOCK_NB), 0);
}
END_TEST

/* The registers say @value at @offset: no mailbox is found. */
static void refused(size_t offset, uint32_t value, int result, const char *text)
{
	override.used = true;
	override.offset = offset;
	override.value = value;
	ck_assert_int_eq(open_mailbox(-1), result);
	ck_assert_msg(strstr(error.text, text), "%s", error.text);
	override.used = false;
}

START_TEST(registers_that_contradict_each_other_are_refused)
{
	const size_t element = 2 * 16;

	c = cci_free(c);
	refused(0, 0xffffffff, -ENODEV, "all ones");
	refused(0, 0x10001, -EBADMSG, "does not begin with a list");
	refused(4, 0, -ENXIO, "no primary mailbox");
	refused(4, 1, -ENXIO, "no primary mailbox");
	refused(4, 0xffff, -EBADMSG, "65535 elements");
	refused(element, 0x10003, -ENXIO, "no primary mailbox");
	refused(element + 4, 0xfffffff0, -EBADMSG, "not in its registers");
	refused(element + 4, m->mailbox + 4, -EBADMSG, "not in its registers");
	refused(element + 4, m->bar_size - m->regs - 0x20, -EBADMSG, "not in its registers");
	refused(element + 8, 0, -EBADMSG, "not in its registers");
	refused(element + 8, 0x1f, -EBADMSG, "not in its registers");
	refused(element + 8, 0xffffffff, -EBADMSG, "not in its registers");
	refused(element + 8, 0x40, -EBADMSG, "cannot have payloads");
	refused(m->mailbox, 7, -EBADMSG, "payloads of 2^7 bytes");
	refused(m->mailbox, 20, -EBADMSG, "payloads of 2^20 bytes");
	refused(m->mailbox, 31, -EBADMSG, "payloads of 2^31 bytes");
	m->bar_size = m->regs + 8;
	refused(SIZE_MAX, 0, -EBADMSG, "too short");
}
END_TEST

/* No tunnel to an LD of a device can be answered by the switch itself. */
START_TEST(a_tunnel_that_leads_to_the_switch_ends)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_TUNNEL_TO_ITSELF, .value = 1});
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, FMAPI_IDENTIFY, NULL, 0), 0);
	(void)send_to(CCI_LD, 1, 1, FMAPI_IDENTIFY, NULL, 0);
	ck_assert_uint_le(m->n_commands, 4);
}
END_TEST

/* ---- a device whose operation runs in the background ---- */

static struct {
	unsigned int started, runs;
	uint16_t opcode, return_code, status_code;
} device;

/* cci_ops of nothing: registers that answer tunnels by @device. */
static uint8_t regs[0x400];

static void put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

enum { DEVICE_MAILBOX = 0x100 };

static void device_answer(void)
{
	uint8_t *payload = regs + DEVICE_MAILBOX + 0x20;
	const uint16_t opcode = (uint16_t)(payload[7] | payload[8] << 8);
	uint8_t *message = payload + 4;

	message[0] = 1;
	put(message + 5, 0, 3);
	if (opcode == FMAPI_BACKGROUND_STATUS) {
		put(payload, 20, 2);
		put(message + 5, 8, 3);
		put(message + 8, device.status_code, 2);
		put(message + 12, device.runs > 0 ? 1 | 50 << 1 : 100 << 1, 2);
		put(message + 14, device.opcode, 2);
		put(message + 16, device.return_code, 2);
		device.runs -= device.runs > 0;
	} else {
		put(payload, 12, 2);
		put(message + 8, MAILBOX_BACKGROUND_STARTED, 2);
		message[7] = 0x80;
		device.started++;
	}
	put(regs + DEVICE_MAILBOX + 8,
	    FMAPI_TUNNEL | (uint64_t)(4 + 12 + (opcode == FMAPI_BACKGROUND_STATUS ? 8 : 0)) << 16,
	    8);
	put(regs + DEVICE_MAILBOX + 0x10, 0, 8);
}

static uint32_t device_read(void *ctx, size_t offset)
{
	uint32_t v;

	(void)ctx;
	memcpy(&v, regs + offset, 4);
	return v;
}

static void device_write(void *ctx, size_t offset, uint32_t value)
{
	(void)ctx;
	if (offset == DEVICE_MAILBOX + 4)
		device_answer();
	else
		put(regs + offset, value, 4);
}

static unsigned int n_write64;

static void device_write64(void *ctx, size_t offset, uint64_t value)
{
	(void)ctx;
	n_write64++;
	ck_assert_uint_eq(offset, DEVICE_MAILBOX + 8);
	put(regs + offset, value, 8);
}

static void open_device(void)
{
	const struct register_access access = {
		.read32 = device_read,
		.write32 = device_write,
		.write64 = device_write64,
		.now_ms = model_now,
		.sleep_us = model_sleep,
		.size = sizeof(regs),
	};

	c = cci_free(c);
	memset(regs, 0, sizeof(regs));
	regs[4] = 1;
	put(regs + 16, 2, 4);
	put(regs + 20, DEVICE_MAILBOX, 4);
	put(regs + 24, 0x20 + 256, 4);
	regs[DEVICE_MAILBOX] = 8;
	memset(&device, 0, sizeof(device));
	device.opcode = 0x4600;
	n_write64 = 0;
	ck_assert_int_eq(cci_registers_new("0000:0d:00.1", &access, -1, &c, &error), 0);
}

START_TEST(the_operation_of_a_device_behind_the_switch_is_waited_for)
{
	open_device();
	device.runs = 5;
	device.return_code = 4;
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, 0x4600, NULL, 0), 0);
	ck_assert_uint_eq(reply.return_code, 4);
	ck_assert_uint_eq(device.started, 1);
	/* The command register is written as a whole where that is possible. */
	ck_assert_uint_eq(n_write64, 1 + 6);
}
END_TEST

START_TEST(the_operation_of_a_device_has_a_deadline)
{
	open_device();
	device.runs = UINT32_MAX;
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, 0x4600, NULL, 0), -ETIMEDOUT);
	device.runs = 2;
	device.opcode = 0x4601;
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, 0x4600, NULL, 0), -EBADMSG);
	device.opcode = 0x4600;
	device.status_code = 3;
	ck_assert_int_eq(send_to(CCI_PORT, 1, 0, 0x4600, NULL, 0), -EBADMSG);
}
END_TEST

SUITE(check_cci_registers)
{
	TCase *t = tcase_create("registers");
	Suite *s = suite_create("cci_registers");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_command_is_answered_by_its_target);
	tcase_add_test(t, a_return_code_is_an_answer);
	tcase_add_test(t, a_command_that_never_completes_ends_at_the_deadline);
	tcase_add_test(t, a_second_completion_is_no_answer);
	tcase_add_test(t, an_answer_that_changes_while_it_is_read_is_none);
	tcase_add_test(t, an_answer_to_another_command_is_none);
	tcase_add_test(t, lengths_that_are_not_possible_are_refused);
	tcase_add_test(t, an_output_that_is_longer_than_ours_is_refused);
	tcase_add_test(t, a_function_that_vanishes_is_noticed_at_each_step);
	tcase_add_test(t, an_operation_in_the_background_is_waited_for);
	tcase_add_test(t, an_operation_that_does_not_end_ends_at_the_deadline);
	tcase_add_test(t, the_end_of_another_operation_is_none);
	tcase_add_test(t, a_busy_switch_is_asked_again);
	tcase_add_test(t, a_mailbox_that_another_process_uses_is_waited_for);
	tcase_add_test(t, registers_that_contradict_each_other_are_refused);
	tcase_add_test(t, a_tunnel_that_leads_to_the_switch_ends);
	tcase_add_test(t, the_operation_of_a_device_behind_the_switch_is_waited_for);
	tcase_add_test(t, the_operation_of_a_device_has_a_deadline);
	suite_add_tcase(s, t);
	return s;
}
