// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/firmware_util.h"

#include <string.h>

#include <check.h>

struct firmware *firmware;
struct firmware_timeout client_timeout;

void client_setup(void)
{
	fake_setup();
	client_timeout = (struct firmware_timeout){.call_ms = 60000};
}

void client_teardown(void)
{
	firmware = firmware_free(firmware);
	fake_teardown();
}

void client_start(void)
{
	firmware = firmware_free(firmware);
	ck_assert_int_eq(firmware_new(fake.path, &firmware), 0);
}

struct firmware_query query_of(uint8_t bus, uint64_t dpa)
{
	return (struct firmware_query){.bus = bus, .dpa = dpa};
}

struct firmware_answer client_query(uint8_t bus, uint64_t dpa)
{
	struct firmware_query q = query_of(bus, dpa);
	struct firmware_answer a;

	firmware_translate(firmware, &q, 1, &client_timeout, &a);
	return a;
}

bool peek(uint8_t bus, uint64_t dpa, struct firmware_answer *ret)
{
	struct firmware_query q = query_of(bus, dpa);

	return firmware_peek(firmware, &q, ret);
}

void expect_spa(struct firmware_answer a, uint64_t spa)
{
	char text[FIRMWARE_TEXT_MAX];

	firmware_answer_text(&a, text);
	ck_assert_msg(a.result == FIRMWARE_TRANSLATED, "%s", text);
	ck_assert_uint_eq(a.spa, spa);
	ck_assert_str_eq(text, "");
}

void expect_answer(struct firmware_answer a, enum firmware_result result, const char *part)
{
	char text[FIRMWARE_TEXT_MAX];

	firmware_answer_text(&a, text);
	ck_assert_msg(a.result == result, "%d: %s", (int)a.result, text);
	ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in '%s'", part, text);
}

enum firmware_state state(const char *part)
{
	struct firmware_status s;

	firmware_status(firmware, &s);
	ck_assert_msg(strstr(s.text, part) != NULL, "'%s' is not in '%s'", part, s.text);
	return s.state;
}
