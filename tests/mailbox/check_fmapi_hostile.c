// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All commands to a model of a switch that does something wrong: each ends, with an error, a return
 * code, or an output that is decoded or rejected; and the next command after it works.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/fmapi_dcd.h"
#include "mailbox/fmapi_events.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

static struct switch_model *m;
static struct cci *c;

static void setup(void)
{
	m = switch_model_new(MODEL_SMALL);
	switch_model_add_dynamic(m, 1)->hosts[0].answer = MODEL_HOST_ACCEPTS;
	c = switch_model_cci(m, "0000:0d:00.1");
}

static void teardown(void)
{
	c = cci_free(c);
	m = switch_model_free(m);
}

static const uint8_t port_ids[] = {0, 1, 2, 3, 4};

/* The first block of the region 1, whose configuration is set to what it is. */
#define FIRST_DPA   (UINT64_C(96) << 30)
#define EXTENT_SIZE (UINT64_C(2) << 20)
enum { EXTENTS = 8 }; /* that are asked for */

/* Return: the length of the input of a command for dynamic capacity; 0 of any other. */
static int dcd_input_of(uint16_t opcode, uint8_t *input, size_t size)
{
	static const struct fmapi_extent extent = {.start = FIRST_DPA, .size = EXTENT_SIZE};
	static const struct fmapi_dc_request add = {
		.policy = FMAPI_DC_ADD_PRESCRIPTIVE, .extents = &extent, .n = 1};
	static const struct fmapi_dc_request release = {
		.policy = FMAPI_DC_RELEASE_PRESCRIPTIVE, .extents = &extent, .n = 1};

	switch (opcode) {
	case FMAPI_GET_DC_REGIONS:
		return fmapi_encode_get_dc_regions(0, 0, 2, input, size);
	case FMAPI_SET_DC_REGION:
		return fmapi_encode_set_dc_region(1, EXTENT_SIZE, true, input, size);
	case FMAPI_GET_EXTENTS:
		return fmapi_encode_get_extents(0, 0, EXTENTS, input, size);
	case FMAPI_DC_ADD:
		return fmapi_encode_dc_add(&add, input, size);
	case FMAPI_DC_RELEASE:
		return fmapi_encode_dc_release(&release, input, size);
	default:
		return 0;
	}
}

static const uint8_t *input_of(uint16_t opcode, size_t *ret_len)
{
	static uint8_t input[CCI_PAYLOAD_MAX];
	static const struct fmapi_ld_allocation ld = {.range1 = 1};
	static const struct fmapi_qos_control qos = {.moderate_percent = 1, .severe_percent = 2};
	static const struct fmapi_aer aer = {.vppb = 1};
	const size_t size = sizeof(input);
	int len = 0;

	switch (opcode) {
	case FMAPI_GET_EVENT_RECORDS:
		len = fmapi_encode_get_event_records(FMAPI_LOG_WARNING, input, size);
		break;
	case FMAPI_GET_PORT_STATE:
		len = fmapi_encode_get_port_state(port_ids, sizeof(port_ids), input, size);
		break;
	case FMAPI_PORT_CONTROL:
		len = fmapi_encode_port_control(3, FMAPI_RESET_PPB, input, size);
		break;
	case FMAPI_GET_VCS_INFO:
		len = fmapi_encode_get_vcs_info(0, 0, 255, input, size);
		break;
	case FMAPI_BIND_VPPB:
		len = fmapi_encode_bind(0, 3, 1, 1, input, size);
		break;
	case FMAPI_UNBIND_VPPB:
		len = fmapi_encode_unbind(0, 1, FMAPI_UNBIND_SURPRISE, input, size);
		break;
	case FMAPI_GENERATE_AER:
		len = fmapi_encode_aer(&aer, input, size);
		break;
	case FMAPI_GET_LD_ALLOCATIONS:
		len = fmapi_encode_get_ld_allocations(0, 4, input, size);
		break;
	case FMAPI_SET_LD_ALLOCATIONS:
		len = fmapi_encode_set_ld_allocations(3, &ld, 1, input, size);
		break;
	case FMAPI_SET_QOS_CONTROL:
		len = fmapi_encode_qos_control(&qos, input, size);
		break;
	case FMAPI_GET_QOS_ALLOCATED_BW:
	case FMAPI_GET_QOS_BW_LIMIT:
		len = fmapi_encode_get_qos_bw(0, 4, input, size);
		break;
	case FMAPI_SET_QOS_ALLOCATED_BW:
	case FMAPI_SET_QOS_BW_LIMIT:
		len = fmapi_encode_set_qos_bw(0, port_ids, 4, input, size);
		break;
	default:
		len = dcd_input_of(opcode, input, size);
		break;
	}
	ck_assert_int_ge(len, 0);
	*ret_len = (size_t)len;
	return input;
}

/* Return: 0, or -EBADMSG; 0 when the output says nothing. */
static int decode(uint16_t opcode, const uint8_t *p, size_t len)
{
	static struct fmapi_record records[MODEL_RECORDS];
	static struct fmapi_extent extents[EXTENTS];
	struct fmapi_dc_regions regions;
	struct fmapi_extents list;
	struct fmapi_dcd_info dcd;
	struct fmapi_ld_allocations lds;
	struct fmapi_identity identity;
	struct fmapi_qos_control qos;
	struct fmapi_records head;
	struct fmapi_port ports[5];
	struct fmapi_ld_info info;
	struct fmapi_qos_bw bw;
	struct fmapi_switch sw;
	struct fmapi_vcs vcs;
	uint8_t percent;

	switch (opcode) {
	case FMAPI_IDENTIFY:
		return fmapi_decode_identity(p, len, &identity);
	case FMAPI_GET_EVENT_RECORDS:
		return fmapi_decode_event_records(p, len, FMAPI_LOG_WARNING, &head, records,
						  ARRAY_SIZE(records));
	case FMAPI_IDENTIFY_SWITCH:
		return fmapi_decode_switch(p, len, &sw);
	case FMAPI_GET_PORT_STATE:
		return fmapi_decode_port_state(p, len, port_ids, sizeof(port_ids), ports);
	case FMAPI_GET_VCS_INFO:
		return fmapi_decode_vcs_info(p, len, 0, 0, 255, &vcs);
	case FMAPI_GET_LD_INFO:
		return fmapi_decode_ld_info(p, len, &info);
	case FMAPI_GET_LD_ALLOCATIONS:
		return fmapi_decode_ld_allocations(p, len, 0, 4, &lds);
	case FMAPI_SET_LD_ALLOCATIONS:
		return fmapi_decode_set_ld_allocations(p, len, 3, 1, &lds);
	case FMAPI_GET_QOS_CONTROL:
	case FMAPI_SET_QOS_CONTROL:
		return fmapi_decode_qos_control(p, len, &qos);
	case FMAPI_GET_QOS_STATUS:
		return fmapi_decode_qos_status(p, len, &percent);
	case FMAPI_GET_QOS_ALLOCATED_BW:
	case FMAPI_SET_QOS_ALLOCATED_BW:
	case FMAPI_GET_QOS_BW_LIMIT:
	case FMAPI_SET_QOS_BW_LIMIT:
		return fmapi_decode_qos_bw(p, len, 0, 4, &bw);
	case FMAPI_GET_DCD_INFO:
		return fmapi_decode_dcd_info(p, len, &dcd);
	case FMAPI_GET_DC_REGIONS:
		return fmapi_decode_dc_regions(p, len, 0, 0, 2, &regions);
	case FMAPI_GET_EXTENTS:
		return fmapi_decode_extents(p, len, 0, 0, EXTENTS, &list, extents);
	default:
		return 0;
	}
}

/*
 * Sends the command and decodes a copy of the output, so that the address sanitizer knows its end.
 *
 * Return: 0, a return code, or an error.
 */
static int send_one(const struct fmapi_command *command, enum cci_target_kind kind)
{
	struct cci_request q = {.target = {.kind = kind, .port = kind != CCI_SWITCH},
				.opcode = command->opcode};
	static struct cci_reply reply;
	uint8_t *copy;
	int r;

	q.input = input_of(command->opcode, &q.len);
	ck_assert(fmapi_command_accepts(command, q.len));
	r = cci_send(c, &q, &reply);
	if (r < 0 || reply.return_code)
		return r < 0 ? r : (int)reply.return_code;
	ck_assert_uint_le(reply.len, CCI_PAYLOAD_MAX);
	copy = malloc(reply.len > 0 ? reply.len : 1);
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, reply.output, reply.len);
	r = decode(command->opcode, reply.len > 0 ? copy : copy + 1, reply.len);
	free(copy);
	return r;
}

/* Return: how many of all commands to all their targets failed. */
static size_t send_all(void)
{
	const struct fmapi_command *commands;
	size_t n, failed = 0;

	commands = fmapi_commands(&n);
	for (size_t i = 0; i < n; i++)
		for (int kind = CCI_SWITCH; kind <= CCI_LD; kind++)
			if (fmapi_command_find(commands[i].opcode, (enum cci_target_kind)kind))
				failed += send_one(&commands[i], (enum cci_target_kind)kind) != 0;
	return failed;
}

START_TEST(all_commands_succeed_without_a_fault)
{
	ck_assert_uint_eq(send_all(), 0);
	ck_assert_uint_eq(switch_model_count(m, FMAPI_IDENTIFY), 3);
}
END_TEST

START_TEST(all_commands_end_whatever_the_switch_does)
{
	const struct model_scenario *scenarios;
	size_t n;

	scenarios = switch_model_scenarios(&n);
	ck_assert_uint_ge(n, 30);
	for (size_t i = 0; i < n; i++) {
		teardown();
		setup();
		switch_model_spoil(m, &scenarios[i]);
		(void)send_all();
		ck_assert_uint_le(m->n_commands, 64);
		/* Nothing stays of it. */
		m->n_faults = 0;
		m->vanished = false;
		(void)send_all();
		ck_assert_msg(send_one(fmapi_command_find(FMAPI_IDENTIFY_SWITCH, CCI_SWITCH),
				       CCI_SWITCH) == 0,
			      "after \"%s\"", scenarios[i].name);
	}
}
END_TEST

/* Faults by which no reply is valid. */
START_TEST(no_reply_is_accepted_that_contradicts_itself)
{
	static const char *const none[] = {
		"never completes",     "completes twice",  "answers another command",
		"output of 0 bytes",   "length of 0",	   "length of 65535",
		"length of 2 MiB - 1", "vanishes at once", "is always busy",
	};
	const struct model_scenario *scenarios;
	size_t n, found = 0;

	scenarios = switch_model_scenarios(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(none); k++) {
			if (strcmp(scenarios[i].name, none[k]) != 0)
				continue;
			teardown();
			setup();
			switch_model_spoil(m, &scenarios[i]);
			ck_assert_msg(send_one(fmapi_command_find(FMAPI_GET_PORT_STATE, CCI_SWITCH),
					       CCI_SWITCH) != 0,
				      "\"%s\"", none[k]);
			found++;
		}
	ck_assert_uint_eq(found, ARRAY_SIZE(none));
}
END_TEST

SUITE(check_fmapi_hostile)
{
	Suite *s = suite_create("fmapi_hostile");
	TCase *t = tcase_create("fmapi_hostile");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, all_commands_succeed_without_a_fault);
	tcase_add_test(t, all_commands_end_whatever_the_switch_does);
	tcase_add_test(t, no_reply_is_accepted_that_contradicts_itself);
	suite_add_tcase(s, t);
	return s;
}
