/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_OPTIONS_H
#define CXLR_COMMON_OPTIONS_H

/*
 * The command line of a program: a table with one row for each long option, from which the options
 * are parsed, checked against the subcommand, and printed by --help. The same table names the keys
 * of a configuration file (common/option_files.h).
 *
 * Options and operands may be mixed, whatever POSIXLY_CORRECT says; "--" ends the options. An
 * abbreviated option is an error: it would become ambiguous as soon as a later version adds an
 * option with the same beginning. Called by main() before any thread is started, because
 * getopt_long() has global state. An empty argument is an error. Nothing is allocated: all strings
 * are argv's or static.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

enum {
	OPTIONS_MAX = 64,	   /* rows of a table */
	OPTION_LIST_MAX = 16,	   /* how often an option with a list can be given */
	OPTIONS_HELP_COLUMNS = 79, /* width of printed help */
};

struct option_row;

/*
 * How an option is stored.
 * @field: the row's field of the program's structure
 * @argument: NULL for an option without one; a flag in a file has "yes" or "no"
 * @e: on failure, what follows the name of the option in a sentence: "requires a number"
 *
 * Return: 0 or -EINVAL.
 */
typedef int (*option_setter)(const struct option_row *row, void *field, const char *argument,
			     struct error *e);

struct option_row {
	const char *name;     /* without the two dashes */
	char letter;	      /* -n, the same option; 0: none */
	const char *argument; /* its name in the help; NULL: the option takes none */
	const char *help;     /* text without newlines; printed in lines of the right length */
	option_setter set;
	/* The words that option_set_text() accepts, with ", " between; other setters accept it,
	 * too. NULL: anything. */
	const char *words;
	const char *examples; /* likewise what scripts/completion offers, or NULL */
	/* Checks an argument; NULL: the setter does. On failure, @e is a sentence of its own. */
	int (*check)(const char *argument, struct error *e);
	size_t offset; /* of the field, in the structure given to options_parse() */
	/* The range of a number, printed behind the help; a min of 0 is 1. */
	uint64_t min, max;
	unsigned int commands; /* bits of the subcommands that take it; 0: all of them */
	bool stop;	       /* the rest of the command line is not looked at (--help) */
	bool not_key;	       /* for the command line alone, as are those with `stop` */
	bool at_start;	       /* a change is used after a restart only */
};

struct option_table {
	const struct option_row *rows;
	size_t n_rows; /* at most OPTIONS_MAX */
	bool once; /* an option with one argument given twice is an error, else the last counts */
};

/* The result of options_parse(); `operands` points into argv. */
struct option_result {
	char **operands;
	int n_operands;
	uint64_t given; /* bit i: row i was given */
	bool stopped;	/* by an option with `stop` */
};

/* The arguments of an option that can be given several times, in their order. */
struct option_list {
	const char *items[OPTION_LIST_MAX];
	size_t n;
};

/* Setters for a field of type bool, const char * (the argument), uint64_t and unsigned int. */
int option_set_flag(const struct option_row *row, void *field, const char *argument,
		    struct error *e);
int option_set_text(const struct option_row *row, void *field, const char *argument,
		    struct error *e);
int option_set_u64(const struct option_row *row, void *field, const char *argument,
		   struct error *e);
int option_set_uint(const struct option_row *row, void *field, const char *argument,
		    struct error *e);

/* Setter for a struct option_list. */
int option_add_text(const struct option_row *row, void *field, const char *argument,
		    struct error *e);

/*
 * options_parse() - store all options of a command line
 * @argv: the operands are moved to its front, behind argv[0], in their order
 * @values: the structure that the rows' offsets refer to
 * @e: a sentence about the option that is wrong, without a final full stop
 *
 * Return: 0 or -EINVAL; then some options may have been stored.
 */
int options_parse(const struct option_table *t, int argc, char **argv, void *values,
		  struct option_result *ret, struct error *e);

/*
 * option_store() - check an argument and store it
 * @values: as in options_parse()
 * @prefix: what is put in front of the name of the option in a sentence; NULL: the sentence does
 *          not begin with the name
 *
 * Return: 0 or -EINVAL.
 */
int option_store(const struct option_row *row, const char *argument, const char *prefix,
		 void *values, struct error *e);

/* Return: whether several arguments of an option are kept. */
bool option_is_list(const struct option_row *row);

/*
 * option_differs() - compare the values of an option whose setter is one of those above
 * @a, @b: two structures as in options_parse()
 */
bool option_differs(const struct option_row *row, const void *a, const void *b);

/*
 * options_unsupported() - an option that was given and that a subcommand does not take
 * @command: the bit of the subcommand
 *
 * Return: the first such row of the table, or NULL.
 */
const struct option_row *options_unsupported(const struct option_table *t,
					     const struct option_result *result,
					     unsigned int command);

/*
 * options_print() - one entry for each option
 * @commands: print what all of these subcommands take; 0: all options
 */
void options_print(FILE *f, const struct option_table *t, unsigned int commands);

/*
 * options_print_text() - words in lines of at most OPTIONS_HELP_COLUMNS columns
 * @text: a newline in it ends a line
 * @indent: of all lines but the first one
 * @column: where the first line goes on
 */
void options_print_text(FILE *f, const char *text, size_t indent, size_t column);

#endif
