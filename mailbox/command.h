/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_COMMAND_H
#define CXLR_MAILBOX_COMMAND_H

/*
 * The terms that tables, decoders and transports of mailbox commands share. Constants and plain
 * data only.
 *
 * Sources: CXL 3.2 8.2.9.4 (mailbox registers), 8.2.10 (commands).
 */

#include <stddef.h>
#include <stdint.h>

#include "mailbox/mailbox.h"
#include "sysfs/read_notes.h"

/*
 * Every device accepts payloads of 256 bytes (CXL 3.2 8.2.9.4.3), and no output payload used here
 * is longer.
 */
enum { MAILBOX_OUTPUT_MAX = 256, MAILBOX_COMMANDS_MAX = 16 };

/* Return codes that are handled in a way of their own. */
enum {
	MAILBOX_SUCCESS = 0x0000,
	MAILBOX_BACKGROUND_STARTED = 0x0001,
	MAILBOX_INVALID_INPUT = 0x0002,
	MAILBOX_UNSUPPORTED = 0x0003,
	MAILBOX_RETRY_REQUIRED = 0x0005,
	MAILBOX_BUSY = 0x0006,
	MAILBOX_INVALID_LOG = 0x0017,
};

struct mailbox_command;

/* The output payload of a command, and where to note what is wrong with it. */
struct mailbox_output {
	const char *memdev;
	const struct mailbox_command *command;
	const uint8_t *data;
	size_t len;
	struct read_notes *notes;
};

struct mailbox_command {
	const char *name;  /* of its file in a capture: mbox/memN/NAME.bin */
	const char *title; /* CXL's name for it */
	uint16_t opcode;
	const uint8_t *input; /* input payload; NULL when it has none */
	uint32_t input_len;
	size_t length; /* of the output payload when the command was first specified */
	void (*decode)(const struct mailbox_output *o, struct mailbox *m);
};

/*
 * commands.c: the table of mailbox commands that are sent, recorded and decoded: all of them only
 * read. A new one is a row there, its decoder in decode.c, and what each transport needs to send
 * it. Constant data, any thread.
 */

/* Return: the table, at most MAILBOX_COMMANDS_MAX rows, in the order in which they are sent. */
const struct mailbox_command *mailbox_commands(size_t *ret_n);

/* Return: CXL's name of a return code, never NULL. */
const char *mailbox_return_code_name(unsigned int code);

#endif
