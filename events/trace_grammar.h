/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_GRAMMAR_H
#define CXLR_EVENTS_TRACE_GRAMMAR_H

/*
 * The fields of records with a device address, in the order in which each program prints them. One
 * place for all kernels and versions of a program: a field that only some of them print may be
 * absent, and one whose place has changed is there twice.
 *
 * Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

enum trace_program {
	TRACE_KERNEL,	   /* the text of the kernel: trace, trace_pipe; "dpa=1000" */
	TRACE_FIELDS_ONLY, /* libtraceevent without that text: trace-cmd, perf; "dpa=4096" */
	TRACE_RASDAEMON,   /* "dpa:0x1000" */
	TRACE_RAS_MC_CTL,  /* ras-mc-ctl --errors: "dpa=0x1000, " */
	TRACE_MONITOR,	   /* cxl monitor: {"dpa":4096} */
	TRACE_OWN,	   /* cxl-spa events --json: {"dpa":"0x1000"} */
};

struct trace_grammar {
	enum trace_program program;
	const char *event; /* NULL: the program does not print it with the record */
	/* With '|' between; before a name, '?' up to behind dpa, where only some versions print it,
	 * and a quote where the value is in quotes. The members of a JSON object may have another
	 * order. */
	const char *fields;
};

/*
 * trace_grammar_next() - the next way in which a program prints that event
 * @event: "": the record does not name it
 * @i: 0 at first; counts on
 *
 * Return: NULL behind the last.
 */
const struct trace_grammar *trace_grammar_next(enum trace_program program, const char *event,
					       size_t *i);

/* Return: whether a program prints a field of that name. */
bool trace_is_field(const char *name, size_t len);

/* Return: the length of a field's name, of any program, with '=' or ':' behind it, that the text
 * begins with; 0: there is none. */
size_t trace_field_length(const char *text);

/* Return: the characters that a program has between a name and its value. */
const char *trace_separators(enum trace_program program);

struct trace_name {
	size_t len;
	bool quoted; /* its value */
	bool skips;  /* fields before it that all versions print */
};

enum trace_place { TRACE_NO_FIELD, TRACE_IN_ORDER, TRACE_OUT_OF_ORDER };

/*
 * trace_grammar_field() - whether a text begins with the name of a field
 * @position: the fields of the grammar at first; moves behind the field
 * @ends: what has to follow the name; "": nothing
 * @ret: that field
 */
enum trace_place trace_grammar_field(const struct trace_grammar *g, const char **position,
				     const char *text, const char *ends, struct trace_name *ret);

#endif
