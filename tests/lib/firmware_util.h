/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FIRMWARE_UTIL_H
#define CXLR_TESTS_LIB_FIRMWARE_UTIL_H

/* One firmware on the fake module, and short functions to query it. */

#include "prm/firmware.h"
#include "tests/lib/fake_module.h"

extern struct firmware *firmware;
extern struct firmware_timeout
	client_timeout; /* a minute for slow firmware, none at the rate limit */

/* The fixture; client_start() makes the firmware, or a new one, once the module is as the test
 * wants it. */
void client_setup(void);
void client_teardown(void);
void client_start(void);

struct firmware_query query_of(uint8_t bus, uint64_t dpa);
struct firmware_answer client_query(uint8_t bus, uint64_t dpa);
bool peek(uint8_t bus, uint64_t dpa, struct firmware_answer *ret);

void expect_spa(struct firmware_answer a, uint64_t spa);

/* Fails the test unless it is that result, and its text holds the part. */
void expect_answer(struct firmware_answer a, enum firmware_result result, const char *part);

/* Fails the test unless the status text holds the part. Return: the state. */
enum firmware_state state(const char *part);

#endif
