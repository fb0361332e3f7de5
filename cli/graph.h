/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_GRAPH_H
#define CXLR_CLI_GRAPH_H

/*
 * cxl-spa graph: nodes and edges in Graphviz's language, and pictures by Graphviz's library.
 *
 * All strings are quoted, because the names in a capture are untrusted. Errors of the stream are
 * seen by its owner. One thread.
 */

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "model/fabric.h"

/*
 * The state of a node is its colour, and always a line of its label, too. A node with several has
 * the colour of the last of these.
 */
enum graph_state {
	GRAPH_PLAIN,
	GRAPH_GOOD,	  /* in use */
	GRAPH_UNUSED,	  /* nothing uses it, or nothing is below it */
	GRAPH_UNKNOWN,	  /* not readable */
	GRAPH_NORMALIZED, /* only firmware knows its addresses */
	GRAPH_OFFLINE,	  /* its memory, or a part of it, is offline */
	GRAPH_BAD,	  /* empty position, dead port, not committed, ... */
};

/* graph_begin_node() and graph_end_node() enclose the lines of a label. */
void graph_begin_node(FILE *to, const char *name, const char *shape);
void graph_label_line(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void graph_end_node(FILE *to, enum graph_state state);

/* Prints a line of the label that says a state. Return: the worse of it and @before. */
enum graph_state graph_label_state(FILE *to, enum graph_state before, enum graph_state state,
				   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* @label: NULL for none; @style: of Graphviz ("solid") */
void graph_edge(FILE *to, const char *from, const char *target, const char *label,
		const char *style);

/* Prints the switches that a mailbox describes. */
void graph_switches(FILE *to, const struct fabric *f);

/*
 * graph_svg() - draw a graph as SVG with the library of Graphviz, which is loaded now
 * @dot: the graph, ending in a NUL
 * @out: gets the picture
 *
 * The library stays loaded until the process ends.
 *
 * Return: 0; -ENOENT the library is not installed; -EINVAL Graphviz refused the graph; both with
 * @e.
 */
int graph_svg(const char *dot, FILE *out, struct error *e);

#endif
