/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_CHANGE_DEVICES_UTIL_H
#define CXLR_TESTS_CHANGE_DEVICES_UTIL_H

/*
 * For the suites about changes of memory devices: the bundled host mock-7.3 as a live one. Writes
 * to attributes and to debugfs are those of a function of the suite (fake_attributes.h),
 * commands those of fake_mailbox.
 *
 * mem3 has the serial number 0xa and nmem1, mem4 has 0x8a34567890abcdef and nmem3, mem10 has no
 * nvdimm; mem8 and mem9 are in region0. Each test is a process of its own.
 */

#include "change/operations.h"
#include "tests/lib/fake_mailbox.h"
#include "tests/lib/sysfs_util.h"

#define NMEM_OF_MEM3 "sys/bus/nd/devices/nmem1"

extern struct host_root devices_root;
extern struct change_context devices_context;
extern struct change_result result;

/* The kernel's side of a write, as fake_attribute_write(); NULL: none is expected. */
extern int (*devices_on_write)(const char *path, const char *value);

/*
 * Fixtures: idle-7.3, where mem3 has the serial number 0xa, 2 GiB and nmem1, and mem2 no nvdimm; or
 * normalized-7.3, where mem0 is in region2 by decoder4.0. devices_enter() after the tree was
 * changed, see sysfs_util.h.
 */
void devices_setup(void);
void devices_setup_used(void);
void devices_enter(void);
void devices_teardown(void);

/* Return: what the operation returns, which is also in `result`. */
int devices_change(change_operation *operation, const struct change *c);

/* A change of a memory device. */
struct change change_of(enum change_kind kind, const char *memdev);

/* Fail the test unless it was refused with that code and a text that contains @text. */
void must_be_refused(int r, int code, const char *text);
void must_be_done(int r);

#endif
