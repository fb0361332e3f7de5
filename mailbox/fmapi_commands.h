/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_FMAPI_COMMANDS_H
#define CXLR_MAILBOX_FMAPI_COMMANDS_H

/*
 * The table of commands that may be sent to a switch, to the devices on its ports, and to their
 * LDs. It is the fixed list of the helper that drives the registers, and the source of names in
 * messages. A new one is a row here, its layout in fmapi.h. Constant data, any thread.
 *
 * Tunnel Management Command (5300h) is no row: a transport makes the tunnels of a command that is
 * in the table, and nothing else can be put into one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mailbox/cci.h"

struct fmapi_command {
	uint16_t opcode;
	const char *title;	       /* CXL's name for it */
	uint8_t targets;	       /* bits by enum cci_target_kind */
	uint16_t input_min, input_max; /* bytes, as the specification has them */
	bool changes;		       /* something, if only for the moment of a reset */
};

/* Return: the table, in ascending order of the opcodes. */
const struct fmapi_command *fmapi_commands(size_t *ret_n);

/* Return: the command as far as @target has it, NULL when it is not in the table. */
const struct fmapi_command *fmapi_command_find(uint16_t opcode, enum cci_target_kind target);

/* Return: CXL's name of any opcode, "an unknown command" when it is not in the table. */
const char *fmapi_command_title(uint16_t opcode);

/* Return: whether a payload of @len bytes may be sent with it. */
bool fmapi_command_accepts(const struct fmapi_command *c, size_t len);

#endif
