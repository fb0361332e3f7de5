/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MAILBOX_UTIL_H
#define CXLR_TESTS_LIB_MAILBOX_UTIL_H

/*
 * What the suites about the mailbox share: mem0 of normalized-7.3 as a live device, which answers
 * every command in the usual way, or one of them in another.
 */

#include <check.h>

#include "common/array.h"
#include "mailbox/commands.h"
#include "mailbox/decode.h"
#include "mailbox/device_reader.h"
#include "tests/lib/fake_mailbox.h"
#include "tests/lib/sysfs_util.h"

#define MIB256 (UINT64_C(256) << 20)

/* The kernel's ids. */
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

/* The answers to some commands, to be altered. */
extern const uint8_t identify[67], partition[32], health[18], alerts[16];

#define USUAL_TIMESTAMP UINT64_C(1772600767089000000)

/* All commands in the order in which they are sent, and what mem0 answers. */
enum { USUAL_COMMANDS = 9 };
extern const struct fake_command usual[USUAL_COMMANDS];

extern struct host_root live;
extern struct mailbox_client *client;

/* What came of the last question. */
extern struct read_notes found;
extern struct mailbox said;
extern struct mailbox_record record;

/* Fixture: the host is entered, the client is there. */
void mailbox_setup(void);
void mailbox_teardown(void);

/* Ask mem0; what fake_mailbox expects must be sent. */
void ask(void);

/* All of the usual commands; with another answer for that at @other; to those with @id. */
void ask_usual(void);
void ask_with(size_t other, struct fake_command command);
void answer_with(uint32_t id, const void *out, size_t len);

/* Return: the index of the first usual command with that id. */
size_t usual_of(uint32_t id);

/* Return: whether a note of the last question holds @text. */
bool found_note(const char *text);

#define must_be(o, v)	  ck_assert((o).present && (o).value == (v))
#define must_be_absent(o) ck_assert(!(o).present)

#endif
