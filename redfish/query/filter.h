/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_FILTER_H
#define CXLR_REDFISH_FILTER_H

/*
 * Expressions of $filter (DSP0266 1.20 7.3.4): eq ne gt ge lt le, and or not, parentheses; nested
 * properties as Status/Health; literals as 'text' with '' for a quote, or without quotes.
 *
 * One parser makes a tree of the expression. filter_matches() evaluates it for the JSON text of a
 * resource; resources/log_filter.h converts it to a query of the store instead.
 *
 * A comparison has the type of the property: a number is compared as a number, a boolean with true
 * and false, text by its bytes, and a date and time as a moment when the literal is one, too. A
 * property that is absent or null is equal to null alone, and not less or greater than anything. A
 * comparison with an array is true if it is for one of its items. A literal of another type than
 * the property is not equal to it.
 *
 * Pure functions; any thread. The text is a client's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/json_scan.h"
#include "redfish/core/messages.h"

enum {
	FILTER_TEXT_MAX = 1024,
	FILTER_DEPTH_MAX = 16, /* of parentheses */
	FILTER_NODES_MAX = 256,
	FILTER_WORD_MAX = 128, /* bytes of a property's path or of a literal, with the NUL */
};

enum filter_operation { FILTER_COMPARE, FILTER_AND, FILTER_OR, FILTER_NOT };

enum filter_compare { FILTER_EQ, FILTER_NE, FILTER_GT, FILTER_GE, FILTER_LT, FILTER_LE };

struct filter_node {
	enum filter_operation operation;
	unsigned int left, right; /* operands, nodes before this one; `not` has the left only */
	/* FILTER_COMPARE */
	enum filter_compare compare;
	const char *path, *literal;
	bool quoted;
};

struct filter {
	struct filter_node nodes[FILTER_NODES_MAX]; /* the last one is the whole expression */
	size_t n;
	/* The words that the nodes refer to: no part of the text is in it twice. */
	char words[2 * FILTER_TEXT_MAX];
	size_t words_len;
};

/*
 * filter_parse() - read an expression
 * @text: without percent-encoding
 * @ret: refers to itself: not to be copied
 *
 * Return: 0, or -EINVAL with an error message.
 */
int filter_parse(const char *text, struct filter *ret, struct message *ret_message);

/* Return: whether the object @resource meets the expression. */
bool filter_matches(const struct filter *f, struct json_span resource);

/* filter_time() - ns since 1970 of an RFC 3339 date and time; -EINVAL */
int filter_time(const char *text, uint64_t *ret);

/* Rejects an expression because of @text in it. Return: -EINVAL. */
int filter_refuse_text(struct message *m, const char *text);

/* Rejects it because @what is not supported by this collection. Return: -EINVAL. */
int filter_refuse_unsupported(struct message *m, const char *what);

#endif
