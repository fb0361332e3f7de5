/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MODEL_HANDLER_H
#define CXLR_TESTS_LIB_MODEL_HANDLER_H

/*
 * A captured host with the files of its PRM handler, for the suites about them: two devices,
 * 0000:00:00.0 and 0000:01:00.0, of 256 MiB each, in the 2-way Normalized region0 at BASE.
 */

#include "prm/handler.h"
#include "tests/lib/model_usual.h"

extern int host_dirfd; /* the host's top directory */

/* The fixture; tests then write files and call model_ready(). */
void handler_setup(void);
void handler_teardown(void);

void put_prm_file(const char *path, const char *text, size_t len);
void put_pairs(const char *text);
void put_rules(const char *text);

#define RULE(bdf, position)                                                                        \
	"{\"bdf\":\"" bdf "\",\"base\":\"0x1000000000\",\"ways\":2,\"granularity\":256,"           \
	"\"position\":" #position "}"

/* The rules that match the region of the host. */
#define RULES "[" RULE("0000:00:00.0", 0) "," RULE("0000:01:00.0", 1) "]"

/* Translates one DPA of mem0 or mem1. */
const struct answer *query(unsigned int device, uint64_t dpa);

/* Fails the test unless the answer is the estimate's block, and its reason holds the text. */
void expect_estimate(unsigned int device, uint64_t dpa, const char *reason);

void expect_note(const char *text);
void expect_no_notes(void);

#endif
