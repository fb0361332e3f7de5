/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MAILBOX_UTIL_H
#define CXLR_TESTS_LIB_MAILBOX_UTIL_H

/*
 * For the suites about the mailbox: mem0 of normalized-7.3 as a live device, which returns the
 * usual output payload to every command, or another one to one of them.
 */

#include <check.h>

#include "common/array.h"
#include "mailbox/command.h"
#include "mailbox/decode.h"
#include "mailbox/device_reader.h"
#include "tests/lib/fake_mailbox.h"
#include "tests/lib/sysfs_util.h"

#define MIB256 (UINT64_C(256) << 20)

/* Command ids of the kernel. */
enum {
	IDENTIFY = 1,
	FW_INFO = 4,
	PARTITION = 5,
	HEALTH = 7,
	ALERTS = 11,
	SHUTDOWN = 13,
	TIMESTAMP = 21,
	LOG_CAPS = 22,
};

#define OUT(bytes) .out = bytes, .out_len = sizeof(bytes)
#define IN(bytes)  .in = bytes, .in_len = sizeof(bytes)

/* The output payloads of some commands, to be changed. */
extern const uint8_t identify[67], partition[32], health[18], alerts[16];

#define USUAL_TIMESTAMP UINT64_C(1772600767089000000)

/* All commands in the order in which they are sent, and the output of mem0. */
enum { USUAL_COMMANDS = 9 };
extern const struct fake_command usual[USUAL_COMMANDS];

extern struct host_root live;
extern struct mailbox_client *client;

/* The result of the last read_mem0(). */
extern struct read_notes notes;
extern struct mailbox values;
extern struct mailbox_record record;

/* Fixture: enters the host and creates the client. */
void mailbox_setup(void);
void mailbox_teardown(void);

/* Reads mem0; all commands that fake_mailbox expects must be sent. */
void read_mem0(void);

/* With all usual commands; with another output for that at @other; for those with @id. */
void read_usual(void);
void read_with(size_t other, struct fake_command command);
void read_with_output(uint32_t id, const void *out, size_t len);

/* Return: the index of the first usual command with that id. */
size_t usual_of(uint32_t id);

/* Return: whether a note of the last read_mem0() contains @text. */
bool has_note(const char *text);

#define must_be(o, v)	  ck_assert((o).present && (o).value == (v))
#define must_be_absent(o) ck_assert(!(o).present)

#endif
