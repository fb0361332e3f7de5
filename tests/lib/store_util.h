/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_STORE_UTIL_H
#define CXLR_TESTS_LIB_STORE_UTIL_H

/* Events made up for tests and benchmarks of the store. */

#include "events/stored_event.h"

enum {
	MADE_DEVICES = 8,
	MADE_PAYLOAD = 240, /* bytes; about what a DRAM event has in the ring */
};
#define MADE_SPA  UINT64_C(0x850000000)
#define MADE_SIZE (UINT64_C(64) << 30)
#define MADE_TIME UINT64_C(1763000000000000000)

/* Well spread and always the same: the @i-th random number. */
uint64_t made_random(uint64_t i);

/*
 * made_event() - a DRAM event, number @i of any number, of device "cxl-%u" of MADE_DEVICES, a
 * millisecond after the one before, somewhere in MADE_SPA and MADE_SIZE; one of 1,000 critical
 *
 * All parts that a record can have are there, so that nothing is lost unseen.
 */
void made_event(uint64_t i, struct stored_event *ret);

#endif
