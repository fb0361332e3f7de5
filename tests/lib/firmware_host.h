/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FIRMWARE_HOST_H
#define CXLR_TESTS_LIB_FIRMWARE_HOST_H

/*
 * A host that needs firmware, on the fake module: two devices in the 2-way Normalized region0 at
 * BASE, as fake_plain() has them, and short functions to translate an address.
 */

#include "prm/firmware.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/model_usual.h"

extern struct firmware_timeout timeout; /* a minute */
extern struct answers out;		/* the last ones */

/* fake_plain(), and with an odd number fake_permuted() */
extern fake_rule *const rules[2];

/* fake_plain(), but DPAs 0x4000 to 0x4fff are errors */
int fake_page_of_errors(uint8_t bus, uint64_t dpa, uint64_t *ret_spa);

/* The fixture; ready() makes the client and the translator when the host is as the test wants it.
 */
void firmware_host_setup(void);
void firmware_host_teardown(void);
void ready(void);

/* The first answer for the addresses of mem[device], and for SPAs; it is in `out`. */
const struct answer *query_device(unsigned int device, uint64_t dpa);
const struct answer *query_range(unsigned int device, uint64_t first, uint64_t last);
const struct answer *query_spa(uint64_t spa);
const struct answer *query_spa_range(uint64_t first, uint64_t last);

/* Fails the test unless it is exact and from firmware. */
void expect_exact(const struct answer *a, const struct memdev *memdev, uint64_t dpa, uint64_t spa);

/* Fails the test unless it is the estimate of a DPA, with that reason. */
void expect_estimated(const struct answer *a, uint64_t dpa, const char *reason);

#endif
