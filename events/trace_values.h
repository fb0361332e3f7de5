/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_VALUES_H
#define CXLR_EVENTS_TRACE_VALUES_H

/*
 * The values of a record's fields as text, by the grammar of the program that printed it; what
 * trace_fields.c, trace_json.c and trace_text.c share. Pure functions; any thread.
 */

#include <jansson.h>

#include "common/error.h"
#include "events/record.h"
#include "events/trace_grammar.h"

enum { TRACE_VALUE_MAX = 128 };

/* A field that is read from a record. */
enum trace_slot {
	TRACE_MEMDEV,
	TRACE_HOST,
	TRACE_REGION,
	TRACE_REGION_UUID,
	TRACE_SERIAL,
	TRACE_DPA,
	TRACE_HPA,
	TRACE_DPA_LENGTH,
	/* which no address depends on, but the advice */
	TRACE_DESCRIPTOR,
	TRACE_TYPE_OF_TRACE,
	TRACE_LOG,
	TRACE_HDR_FLAGS,
	TRACE_TYPE,
	TRACE_SUB_TYPE,
	TRACE_THRESHOLD_FLAGS,
	TRACE_SLOTS,
};

struct trace_values {
	const struct trace_grammar *grammar;
	char event[EVENT_NAME_MAX]; /* "": not named */
	bool has[TRACE_SLOTS];
	char text[TRACE_SLOTS][TRACE_VALUE_MAX];
	/* In the line: from the first to the last field that the address depends on, and that one.
	 */
	size_t from, to;
	enum trace_slot last;
	bool others; /* there are fields that it does not depend on */
	/* The record has fields before its address, but not the one directly behind it. */
	bool has_gap;
};

const char *trace_slot_name(enum trace_slot slot);

/* Return: the slot of a field; TRACE_SLOTS: it is not read. */
enum trace_slot trace_slot_of(const char *name, size_t len);

/* Return: whether an address depends on it. */
bool trace_slot_has_address(enum trace_slot slot);

/* Return: whether an address depends on the field of that name. */
bool trace_name_has_address(const char *name, size_t len);

/*
 * trace_values_keep() - keep a value
 *
 * Return: 0; -EINVAL, with @e, when an address depends on it, and it is too long, has blanks, or is
 * another one than before. Other values are then "?", which is not known.
 */
int trace_values_keep(struct trace_values *v, enum trace_slot slot, const char *text, size_t len,
		      struct error *e);

/*
 * trace_json_load() - the JSON value that a text is
 *
 * Numbers from 2^63 on become the negative ones with the same bits.
 *
 * Return: NULL for another text, or when out of memory.
 */
json_t *trace_json_load(const char *text);

/*
 * trace_fields_read() - the values of a line of text
 * trace_json_read() - those of a JSON object
 *
 * Return: 1; 0 without device or address; -EINVAL for what is in no program's grammar, with @e.
 */
int trace_fields_read(const char *line, struct trace_values *ret, struct error *e);
int trace_json_read(json_t *object, struct trace_values *ret, struct error *e);

/* Return: 0, or -EINVAL, with @e, where records of that event have an address. */
int trace_no_address(const char *event, struct error *e);

#endif
