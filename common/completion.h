/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_COMPLETION_H
#define CXLR_COMMON_COMPLETION_H

/*
 * Completion scripts for bash and zsh, printed from the tables from which a program parses its
 * command line, so that they cannot differ from it. The build writes them to files; a script itself
 * reads names of objects in /sys/bus/cxl/devices, or from what the subcommand list prints with the
 * --host of the command line.
 *
 * What completes an argument or operand follows from its name in the tables: FILE, PATH, DIRECTORY,
 * MEMDEV, REGION, WINDOW, OBJECT; lower-case words stand for themselves, and an option's row may
 * have the words that it takes, or examples. Operands are completed by their place. Anything else
 * is not completed.
 *
 * Stateless; all strings are the caller's.
 */

#include <stddef.h>
#include <stdio.h>

#include "common/options.h"

struct completion_command {
	const char *name;
	const char *operands; /* as in the usage line: "create|plan WINDOW [MEMDEV...]" */
	const char *summary;  /* one line without a quote */
	unsigned int bit;     /* as in struct option_row.commands */
};

struct completion_program {
	const char *name;
	const struct option_table *options;
	const struct completion_command *commands; /* NULL: it has no subcommands */
	size_t n_commands;
};

/*
 * completion_print() - print the script of a program
 * @shell: "bash" or "zsh"
 */
void completion_print(FILE *f, const struct completion_program *program, const char *shell);

#endif
