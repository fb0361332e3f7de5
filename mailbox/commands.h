/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_COMMANDS_H
#define CXLR_MAILBOX_COMMANDS_H

/*
 * The table of mailbox commands that are sent, recorded and decoded: all of them only read. A new
 * one is a row here, its decoder in decode.c, and what each transport needs to send it. Constant
 * data, any thread.
 */

#include "mailbox/command.h"

/* Return: the table, at most MAILBOX_COMMANDS_MAX rows, in the order in which they are sent. */
const struct mailbox_command *mailbox_commands(size_t *ret_n);

/* Return: CXL's name of a return code, never NULL. */
const char *mailbox_return_code_name(unsigned int code);

#endif
