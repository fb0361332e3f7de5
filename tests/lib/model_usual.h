/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MODEL_USUAL_H
#define CXLR_TESTS_LIB_MODEL_USUAL_H

/* One window with one region at its base, in memory: the host that most tests of translation
 * modify. */

#include "tests/lib/model_host.h"

#define BASE MODEL_WINDOW_BASE

extern struct model m;
extern struct port *bridges[16];
extern struct memdev *mem[16]; /* by position */
extern struct decoder *window;
extern struct region *region;

void model_setup(void);
void model_teardown(void);

/* One window over @n_bridges with a region of @ways, positions as Linux assigns them. */
void build(unsigned int n_bridges, unsigned int ways, uint64_t resource);

/* Two bridges with two devices each, modulo. */
void build_usual(void);

/* Translates one DPA of the device at that position. */
const struct answer *query(unsigned int device, uint64_t dpa);

/* Prepares; both directions must give no answer, with the reason. */
void expect_no_answer(const char *reason);

/* Prepares; both directions must give the interval of device 0's DPA 0x1040, with the reason. */
void expect_interval(unsigned int ways, const char *reason);

#endif
