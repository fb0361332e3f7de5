// SPDX-License-Identifier: LGPL-2.1-or-later
/* The model of a switch, by which other suites test: what it answers on each of its levels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

enum { MAILBOX = 0x1200, CONTROL = MAILBOX + 4, COMMAND = MAILBOX + 8, PAYLOAD = MAILBOX + 0x20 };

static struct switch_model *m;
static struct cci *c;
static uint8_t out[MODEL_PAYLOAD_MAX];
static size_t out_len;

static void setup(void)
{
	m = switch_model_new(MODEL_SMALL);
	c = switch_model_cci(m, "0000:0d:00.1");
	memset(out, 0xee, sizeof(out));
}

static void teardown(void)
{
	ck_assert_str_eq(m->complaint, "");
	c = cci_free(c);
	m = switch_model_free(m);
}

static unsigned int command(uint16_t opcode, const uint8_t *in, size_t len)
{
	return switch_model_command(m, opcode, in, len, out, &out_len);
}

static int ask(enum cci_target_kind kind, uint8_t port, uint8_t ld, uint16_t opcode,
	       struct cci_reply *ret)
{
	const struct cci_request q = {.target = {.kind = kind, .port = port, .ld = ld},
				      .opcode = opcode};

	return cci_send(c, &q, ret);
}

START_TEST(switch_reports_its_ports)
{
	ck_assert_uint_eq(command(0x5100, NULL, 0), 0);
	ck_assert_uint_eq(out_len, 0x49);
	ck_assert_uint_eq(out[2], 5);
	ck_assert_uint_eq(out[4], 0x1f);
	ck_assert_uint_eq(le16(out + 0x44), 5);
	ck_assert_uint_eq(le16(out + 0x46), 3);
	ck_assert_uint_eq(command(0x5101, (const uint8_t[]){2, 1, 9}, 3), 0);
	ck_assert_uint_eq(out_len, 4 + 32);
	ck_assert_mem_eq(out, ((const uint8_t[]){2, 0, 0, 0, 1, 3, 2, 0, 5}), 9);
	ck_assert_uint_eq(out[4 + 16 + 1], 0xf);
	ck_assert_uint_eq(command(0x5101, (const uint8_t[]){2, 1}, 2), 0x16);
	ck_assert_uint_eq(command(0x4000, NULL, 0), 3);
}
END_TEST

START_TEST(tunnels_reach_devices_and_lds)
{
	struct cci_reply reply;

	ck_assert_int_eq(ask(CCI_PORT, 1, 0, 0x5400, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 0);
	ck_assert_uint_eq(reply.len, 11);
	ck_assert_uint_eq(le16(reply.output + 8), 4);
	ck_assert_int_eq(ask(CCI_PORT, 2, 0, 0x5400, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 3);
	ck_assert_int_eq(ask(CCI_PORT, 3, 0, 0x0001, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 2);
	ck_assert_int_eq(ask(CCI_LD, 1, 3, 0x0001, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 0);
	ck_assert_uint_eq(reply.len, 18);
	ck_assert_uint_eq(le64(reply.output + 8), m->ports[1].device.lds[3].identity.serial);
	ck_assert_int_eq(ask(CCI_LD, 1, 4, 0x0001, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 2);
	ck_assert_uint_eq(switch_model_count(m, 0x0001), 1);
}
END_TEST

START_TEST(bindings_are_background_operations)
{
	const uint8_t bind[] = {0, 3, 1, 0, 2, 0}, unbind[] = {0, 3, 2};

	ck_assert_uint_eq(command(0x5201, bind, sizeof(bind)), 1);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].binding, 1);
	ck_assert_uint_eq(command(0x5202, (const uint8_t[]){0, 2, 0}, 3), 6);
	for (unsigned int i = 1; i <= 4; i++) {
		ck_assert_uint_eq(command(0x0002, NULL, 0), 0);
		ck_assert_uint_eq(out[0], i * 25 << 1 | (i < 4));
		ck_assert_uint_eq(le16(out + 2), 0x5201);
	}
	ck_assert_uint_eq(m->vcs[0].vppbs[3].binding, 3);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].port, 1);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].ld, 2);
	ck_assert_uint_eq(m->logs[0].n, 2);
	ck_assert_uint_eq(command(0x5201, bind, sizeof(bind)), 2);
	m->step = 100;
	ck_assert_uint_eq(command(0x5202, unbind, sizeof(unbind)), 1);
	ck_assert_uint_eq(command(0x0002, NULL, 0), 0);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].binding, 0);
	ck_assert_uint_eq(m->ports[1].config, 3);
}
END_TEST

START_TEST(failed_binding_is_a_warning)
{
	const uint8_t bind[] = {0, 3, 3, 0, 0xff, 0xff};
	const struct cci_request q = {.opcode = 0x5201, .input = bind, .len = sizeof(bind)};
	const struct model_fault fail = {.kind = MODEL_BACKGROUND_CODE, .value = 4};
	const struct model_fault stuck = {.kind = MODEL_BACKGROUND_STUCK};
	struct cci_reply reply;

	switch_model_fault(m, &fail);
	ck_assert_int_eq(cci_send(c, &q, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 4);
	ck_assert_uint_eq(m->vcs[0].vppbs[3].binding, 0);
	ck_assert_uint_eq(m->logs[1].n, 2);
	m->n_faults = 0;
	switch_model_fault(m, &stuck);
	ck_assert_int_eq(cci_send(c, &q, &reply), -ETIMEDOUT);
}
END_TEST

START_TEST(faults_are_for_so_many_commands)
{
	const struct model_fault busy = {
		.kind = MODEL_RETURN_CODE, .opcode = 0x5400, .level = 1, .times = 2, .value = 6};
	const struct model_fault vanish = {.kind = MODEL_VANISHES, .value = 3};
	struct cci_reply reply;

	switch_model_fault(m, &busy);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(ask(CCI_PORT, 1, 0, 0x5400, &reply), 0);
		ck_assert_uint_eq(reply.return_code, i < 2 ? 6 : 0);
	}
	switch_model_fault(m, &vanish);
	ck_assert_int_eq(ask(CCI_SWITCH, 0, 0, 0x5100, &reply), -ENODEV);
}
END_TEST

START_TEST(replies_that_lie_are_rejected)
{
	static const struct model_fault faults[] = {
		{.kind = MODEL_TAG, .level = 1, .value = 1},
		{.kind = MODEL_CATEGORY, .level = 2, .value = 0},
		{.kind = MODEL_OTHER_COMMAND, .level = -1, .value = 0x5401},
		{.kind = MODEL_LENGTH, .level = 2, .value = 0x1fffff},
		{.kind = MODEL_LENGTH, .level = 0, .value = 0x1fffff},
		{.kind = MODEL_LENGTH, .level = 0, .value = 3},
		{.kind = MODEL_TUNNEL_LENGTH, .level = 1, .value = 65535},
		{.kind = MODEL_TUNNEL_LENGTH, .level = 2, .value = 0},
		{.kind = MODEL_SHORT, .level = 1, .value = 15},
	};
	struct cci_reply reply;

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		m->n_faults = 0;
		switch_model_fault(m, &faults[i]);
		ck_assert_int_eq(ask(CCI_LD, 1, 0, 0x0001, &reply), -EBADMSG);
	}
}
END_TEST

START_TEST(tunnel_may_lead_to_the_switch_itself)
{
	const struct model_fault f = {.kind = MODEL_TUNNEL_TO_ITSELF, .value = 2};
	struct cci_reply reply;

	switch_model_fault(m, &f);
	ck_assert_int_eq(ask(CCI_PORT, 2, 0, 0x0001, &reply), 0);
	ck_assert_uint_eq(le64(reply.output + 8), m->identity.serial);
	ck_assert_int_eq(ask(CCI_LD, 2, 2, 0x5100, &reply), 0);
	ck_assert_uint_eq(reply.len, 0x49);
}
END_TEST

static void ring(uint16_t opcode)
{
	unsigned int reads = 1;

	switch_model_write32(m, COMMAND, opcode);
	switch_model_write32(m, COMMAND + 4, 0);
	switch_model_write32(m, CONTROL, 1);
	while (switch_model_read32(m, CONTROL) & 1)
		reads++;
	ck_assert_uint_eq(reads, m->delay + 1);
}

START_TEST(registers_answer_as_the_commands)
{
	ck_assert_uint_eq(switch_model_read32(m, m->regs), 0x10000);
	ck_assert_uint_eq(switch_model_read32(m, m->regs + 4), 2);
	ck_assert_uint_eq(switch_model_read32(m, m->regs + 0x20), 0x10002);
	ck_assert_uint_eq(switch_model_read32(m, m->regs + 0x24), MAILBOX - m->regs);
	ck_assert_uint_eq(switch_model_read32(m, MAILBOX) & 0x1f, 11);
	ring(0x5100);
	ck_assert_uint_eq(command(0x5100, NULL, 0), 0);
	ck_assert_uint_eq(switch_model_read32(m, COMMAND), 0x5100 | 0x49 << 16);
	ck_assert_uint_eq(switch_model_read32(m, MAILBOX + 0x14), 0);
	for (uint32_t i = 0; i < 0x48; i += 4)
		ck_assert_uint_eq(switch_model_read32(m, PAYLOAD + i), le32(out + i));
}
END_TEST

START_TEST(misused_registers_are_complained_about)
{
	switch_model_write32(m, CONTROL, 1);
	switch_model_write32(m, PAYLOAD, 1);
	ck_assert_ptr_nonnull(strstr(m->complaint, "while the doorbell is set"));
	m->complaint[0] = '\0';
	while (switch_model_read32(m, CONTROL) & 1)
		;
	switch_model_write32(m, 0x10, 1);
	ck_assert_ptr_nonnull(strstr(m->complaint, "a write at 10h"));
	m->complaint[0] = '\0';
}
END_TEST

START_TEST(large_switch_has_all_ports)
{
	struct switch_model *large = switch_model_new(MODEL_LARGE);

	ck_assert_uint_eq(switch_model_command(large, 0x5100, NULL, 0, out, &out_len), 0);
	ck_assert_uint_eq(out[2], 255);
	for (size_t i = 0; i < 32; i++)
		ck_assert_uint_eq(out[4 + i], 0xff);
	ck_assert_uint_eq(le16(out + 0x44), 4 * 33);
	ck_assert_uint_eq(le16(out + 0x46), 4 * 33);
	large = switch_model_free(large);
}
END_TEST

SUITE(check_switch_model)
{
	Suite *s = suite_create("switch_model");
	TCase *t = tcase_create("switch_model");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, switch_reports_its_ports);
	tcase_add_test(t, tunnels_reach_devices_and_lds);
	tcase_add_test(t, bindings_are_background_operations);
	tcase_add_test(t, failed_binding_is_a_warning);
	tcase_add_test(t, faults_are_for_so_many_commands);
	tcase_add_test(t, replies_that_lie_are_rejected);
	tcase_add_test(t, tunnel_may_lead_to_the_switch_itself);
	tcase_add_test(t, registers_answer_as_the_commands);
	tcase_add_test(t, misused_registers_are_complained_about);
	tcase_add_test(t, large_switch_has_all_ports);
	suite_add_tcase(s, t);
	return s;
}
