// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tunnels: what is sent to a switch, and what is accepted from it. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/cci.h"
#include "tests/lib/suites.h"

enum { TAG = 0x2a };

static uint8_t p[CCI_PAYLOAD_MAX];
static uint16_t opcode;
static struct cci_reply reply;

static const uint8_t limit[] = {1, 3};

static const struct cci_request to_switch = {
	.opcode = 0x5101, .input = limit, .len = sizeof(limit)};
static const struct cci_request to_port = {
	.target = {.kind = CCI_PORT, .port = 7}, .opcode = 0x5401, .input = limit, .len = 2};
static const struct cci_request to_ld = {.target = {.kind = CCI_LD, .port = 7, .ld = 3},
					 .opcode = 0x0001};

/* Get LD Allocations to port 7, as in Figure 7-19 and Table 7-37 of CXL 3.1. */
static const uint8_t port_request[] = {
	7, 0,	14, 0,				     /* port, type, size */
	0, TAG, 0,  0x01, 0x54, 2, 0, 0, 0, 0, 0, 0, /* message */
	1, 3,
};

/* Its reply. Reserved bits and the vendor's status are set. */
static const uint8_t port_reply[] = {
	16, 0, 0xff, 0xff, 0xf1, TAG, 0xff, 0x01, 0x54, 4, 0, 0xe0, 0, 0, 0xff, 0xff, 4, 1, 1, 0,
};

/* Identify of LD 3: a tunnel in the tunnel. */
static const uint8_t ld_request[] = {
	7, 0, 28, 0, 0, TAG, 0, 0x00, 0x53, 16, 0, 0, 0, 0, 0, 0,
	3, 0, 12, 0, 0, TAG, 0, 0x01, 0x00, 0,	0, 0, 0, 0, 0, 0,
};

static const uint8_t ld_reply[] = {
	30, 0, 0, 0, 1,	  TAG, 0,    0x00, 0x53, 18, 0, 0, 0, 0, 0, 0,	  14,
	0,  0, 0, 1, TAG, 0,   0x01, 0x00, 2,	 0,  0, 0, 0, 0, 0, 0xe5, 0x19,
};

/* Unwraps a copy in memory of its own, so that the address sanitizer knows its end. */
static int unwrap(const struct cci_request *q, const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int r;

	ck_assert_ptr_nonnull(copy);
	if (len > 0)
		memcpy(copy, bytes, len);
	memset(&reply, 0xee, sizeof(reply));
	r = cci_message_unwrap(q, TAG, 0, len > 0 ? copy : copy + 1, len, &reply);
	free(copy);
	return r;
}

static int unwrap_with(const uint8_t *bytes, size_t len, const struct cci_request *q, size_t at,
		       uint8_t value)
{
	uint8_t copy[sizeof(ld_reply)];

	memcpy(copy, bytes, len);
	copy[at] = value;
	return unwrap(q, copy, len);
}

START_TEST(commands_to_the_switch_are_sent_as_they_are)
{
	ck_assert_int_eq(cci_message_wrap(&to_switch, TAG, &opcode, p, sizeof(p)), 2);
	ck_assert_uint_eq(opcode, 0x5101);
	ck_assert_mem_eq(p, limit, 2);
	ck_assert_int_eq(unwrap(&to_switch, limit, 2), 0);
	ck_assert_uint_eq(reply.return_code, 0);
	ck_assert_uint_eq(reply.len, 2);
	ck_assert_mem_eq(reply.output, limit, 2);
	ck_assert_int_eq(cci_message_unwrap(&to_switch, TAG, 5, limit, 0, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 5);
	ck_assert_uint_eq(reply.len, 0);
}
END_TEST

START_TEST(tunnels_are_encoded)
{
	memset(p, 0xff, sizeof(p));
	ck_assert_int_eq(cci_message_wrap(&to_port, TAG, &opcode, p, sizeof(p)),
			 sizeof(port_request));
	ck_assert_uint_eq(opcode, 0x5300);
	ck_assert_mem_eq(p, port_request, sizeof(port_request));
	memset(p, 0xff, sizeof(p));
	ck_assert_int_eq(cci_message_wrap(&to_ld, TAG, &opcode, p, sizeof(p)), sizeof(ld_request));
	ck_assert_uint_eq(opcode, 0x5300);
	ck_assert_mem_eq(p, ld_request, sizeof(ld_request));
}
END_TEST

START_TEST(inputs_that_do_not_fit_are_not_sent)
{
	static uint8_t input[CCI_PAYLOAD_MAX + 1];
	struct cci_request q = {.opcode = 0x5101, .input = input, .len = sizeof(input)};

	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), -EMSGSIZE);
	q.len = CCI_PAYLOAD_MAX;
	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), CCI_PAYLOAD_MAX);
	q.target.kind = CCI_PORT;
	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), -EMSGSIZE);
	q.len = CCI_PAYLOAD_MAX - 16;
	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), CCI_PAYLOAD_MAX);
	q.target.kind = CCI_LD;
	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), -EMSGSIZE);
	q.len = SIZE_MAX;
	ck_assert_int_eq(cci_message_wrap(&q, TAG, &opcode, p, sizeof(p)), -EMSGSIZE);
}
END_TEST

START_TEST(payloads_get_shorter_by_each_tunnel)
{
	const struct cci c = {.payload_max = 256};

	ck_assert_uint_eq(cci_payload_max(&c, CCI_SWITCH), 256);
	ck_assert_uint_eq(cci_payload_max(&c, CCI_PORT), 240);
	ck_assert_uint_eq(cci_payload_max(&c, CCI_LD), 224);
}
END_TEST

START_TEST(replies_of_tunnels_are_unwrapped)
{
	ck_assert_int_eq(unwrap(&to_port, port_reply, sizeof(port_reply)), 0);
	ck_assert_uint_eq(reply.return_code, 0);
	ck_assert_uint_eq(reply.len, 4);
	ck_assert_mem_eq(reply.output, port_reply + 16, 4);
	ck_assert_int_eq(unwrap(&to_ld, ld_reply, sizeof(ld_reply)), 0);
	ck_assert_uint_eq(reply.len, 2);
	ck_assert_mem_eq(reply.output, ld_reply + 32, 2);
}
END_TEST

START_TEST(code_of_the_failing_level_is_reported)
{
	uint8_t copy[sizeof(ld_reply)];

	/* The switch did not make the tunnel; what it left in the payload is not looked at. */
	ck_assert_int_eq(cci_message_unwrap(&to_ld, TAG, 2, ld_reply, 3, &reply), 0);
	ck_assert_uint_eq(reply.return_code, 2);
	ck_assert_uint_eq(reply.len, 0);
	/* The device did not make the inner one. */
	ck_assert_int_eq(unwrap_with(ld_reply, sizeof(ld_reply), &to_ld, 12, 3), 0);
	ck_assert_uint_eq(reply.return_code, 3);
	ck_assert_uint_eq(reply.len, 0);
	/* The LD failed. */
	memcpy(copy, ld_reply, sizeof(copy));
	copy[16 + 12] = 0x34;
	copy[16 + 13] = 0x12;
	ck_assert_int_eq(unwrap(&to_ld, copy, sizeof(copy)), 0);
	ck_assert_uint_eq(reply.return_code, 0x1234);
	ck_assert_uint_eq(reply.len, 2);
}
END_TEST

START_TEST(truncated_replies_are_rejected)
{
	for (size_t len = 0; len < sizeof(port_reply); len++)
		ck_assert_int_eq(unwrap(&to_port, port_reply, len), -EBADMSG);
	for (size_t len = 0; len < sizeof(ld_reply); len++)
		ck_assert_int_eq(unwrap(&to_ld, ld_reply, len), -EBADMSG);
}
END_TEST

START_TEST(what_follows_the_message_is_ignored)
{
	uint8_t longer[64] = {0};

	memcpy(longer, port_reply, sizeof(port_reply));
	ck_assert_int_eq(unwrap(&to_port, longer, sizeof(longer)), 0);
	ck_assert_uint_eq(reply.len, 4);
}
END_TEST

/* Bytes of a tunnel whose value is fixed: length, category, tag, opcode, payload length. */
static const uint8_t fixed[] = {0, 1, 4, 5, 7, 8, 9, 10};

START_TEST(replies_to_another_command_are_rejected)
{
	for (size_t level = 0; level < 2; level++)
		for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
			for (unsigned int v = 0; v < 256; v++) {
				const size_t at = 16 * level + fixed[i];
				const bool same =
					fixed[i] == 4 ? (v & 0xf) == 1 : v == ld_reply[at];

				ck_assert_msg(unwrap_with(ld_reply, sizeof(ld_reply), &to_ld, at,
							  (uint8_t)v) == (same ? 0 : -EBADMSG),
					      "byte %zu is %u", at, v);
			}
}
END_TEST

START_TEST(request_that_comes_back_is_no_reply)
{
	ck_assert_int_eq(unwrap(&to_port, port_request, sizeof(port_request)), -EBADMSG);
	ck_assert_int_eq(unwrap(&to_ld, ld_request, sizeof(ld_request)), -EBADMSG);
}
END_TEST

START_TEST(long_outputs_are_rejected)
{
	static uint8_t output[CCI_PAYLOAD_MAX + 1];

	ck_assert_int_eq(unwrap(&to_switch, output, sizeof(output)), -EMSGSIZE);
	ck_assert_int_eq(unwrap(&to_switch, output, CCI_PAYLOAD_MAX), 0);
}
END_TEST

SUITE(check_cci_message)
{
	Suite *s = suite_create("cci_message");
	TCase *t = tcase_create("cci_message");

	tcase_add_test(t, commands_to_the_switch_are_sent_as_they_are);
	tcase_add_test(t, tunnels_are_encoded);
	tcase_add_test(t, inputs_that_do_not_fit_are_not_sent);
	tcase_add_test(t, payloads_get_shorter_by_each_tunnel);
	tcase_add_test(t, replies_of_tunnels_are_unwrapped);
	tcase_add_test(t, code_of_the_failing_level_is_reported);
	tcase_add_test(t, truncated_replies_are_rejected);
	tcase_add_test(t, what_follows_the_message_is_ignored);
	tcase_add_test(t, replies_to_another_command_are_rejected);
	tcase_add_test(t, request_that_comes_back_is_no_reply);
	tcase_add_test(t, long_outputs_are_rejected);
	suite_add_tcase(s, t);
	return s;
}
