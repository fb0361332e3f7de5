/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_WORDS_H
#define CXLR_EVENTS_EVENT_WORDS_H

/*
 * The codes and flags of a record in words: one table for text, JSON and Redfish, so that they all
 * name a value alike. Pure functions; any thread.
 *
 * The names are those of the kernel's own trace output (drivers/cxl/core/trace.h), which has them
 * from the CXL specification: r3.2 8.2.10.2.1 (event records), 8.2.10.9.4.1 (poison list) and
 * 8.2.4.17 (RAS capability). A code without a name is "reserved (0x7f)", a flag "bit 14".
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/json_writer.h"
#include "events/record.h"

enum { EVENT_WORDS_MAX = 32, EVENT_WORD_SIZE = 56, EVENT_WORDS_TEXT_MAX = 512 };

/* A field that has names. */
struct event_words_field {
	const char *key;      /* in JSON, "transaction_type": the kernel's name where it has one */
	const char *property; /* "TransactionType", in Redfish */
	bool is_flags;	      /* any number of names, also none; otherwise exactly one */
};

struct event_words {
	size_t n;
	char word[EVENT_WORDS_MAX][EVENT_WORD_SIZE];
};

/* Return: the @i-th field with names; NULL behind the last. */
const struct event_words_field *event_words_field(size_t i);

/*
 * event_words_read() - the names of what a record has in that field
 *
 * Return: false when the record does not have it, or its type has other codes there.
 */
bool event_words_read(size_t i, const struct event_record *rec, struct event_words *ret);

/*
 * event_words_parse() - the inverse, of what programs print for a field of that type of records
 * @text: a name, or flags with '|' or ',' between, in any case and with '_' for a blank; or numbers
 *
 * Return: false when a name is not known.
 */
bool event_words_parse(enum event_type type, enum event_field field, const char *text,
		       uint64_t *ret);

/* All of them as members of the current JSON object: a string, or an array of those of flags. */
void event_words_put_keys(struct json_writer *w, const struct event_record *rec);
void event_words_put_properties(struct json_writer *w, const struct event_record *rec);

/*
 * event_words_text() - what happened and where, in one line: "ECC Error, Host Read, uncorrectable
 * event; channel 3, rank 1; Failure log"
 * @ret: "" when the record has nothing of that; cut at its end
 */
void event_words_text(const struct event_record *rec, char ret[static EVENT_WORDS_TEXT_MAX]);

/* The same where the device's log is named otherwise. */
void event_words_without_log(const struct event_record *rec, char ret[static EVENT_WORDS_TEXT_MAX]);

#endif
