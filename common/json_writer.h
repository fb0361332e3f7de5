/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_JSON_WRITER_H
#define CXLR_COMMON_JSON_WRITER_H

/*
 * JSON text, written sequentially into one growing buffer.
 *
 * Bodies are only written, not read again, so no tree of values is built: 10,000 translations are
 * some megabytes of text and must not cost a node each. Running out of memory sets `failed`, which
 * the caller checks once, when it uses the text. Text from the host may contain any byte: the
 * output is ASCII, everything else is escaped, and what is not UTF-8 becomes U+FFFD.
 *
 * A property whose value is unknown (NULL, an absent opt_*) is omitted, or null with
 * `absent_is_null`. A zero-initialised writer is empty and valid; it belongs to one thread and is
 * freed with json_writer_done(). `key` is a literal of this program, which is not escaped; it is
 * NULL for the items of an array.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/cleanup.h"
#include "common/opt.h"

struct json_writer {
	char *text; /* no NUL at the end */
	size_t len, cap;
	uint64_t arrays; /* one bit per open level: 1 is an array */
	unsigned int depth;
	bool comma; /* the next value follows another one */
	bool failed;
	bool constant; /* the text is that of put_constant() */

	/* Chosen by the caller. */
	bool absent_is_null; /* write null for unknown values instead of omitting the property */
	bool omit_empty;     /* no property is an object without members */
	unsigned int break_depth; /* levels up to this deep get a line for each of their items */
};

void json_writer_done(struct json_writer *w);

#define _cleanup_writer_ _cleanup_(json_writer_done)

/*
 * json_writer_flush() - write the buffer to @f and empty it, in the middle of a document
 *
 * Return: 0; -ENOMEM when the writer had failed; -EIO with errno set.
 */
int json_writer_flush(struct json_writer *w, FILE *f);

/* Appends text without escaping; for other documents than JSON. */
void put_raw(struct json_writer *w, const char *text);
void put_raw_bytes(struct json_writer *w, const void *bytes, size_t len);

/*
 * put_constant() - the whole text, which is part of the program and is not copied
 *
 * For an empty writer; whatever is put after it sets `failed`.
 */
void put_constant(struct json_writer *w, const void *bytes, size_t len);

/* Opens an object or an array; put_end() closes the innermost one. */
void put_object(struct json_writer *w, const char *key);
void put_array(struct json_writer *w, const char *key);
void put_end(struct json_writer *w);

void put_null(struct json_writer *w, const char *key);

/* A value that is JSON text already. */
void put_json(struct json_writer *w, const char *key, const void *text, size_t len);
void put_bool(struct json_writer *w, const char *key, bool value);
void put_number(struct json_writer *w, const char *key, uint64_t value);
void put_string(struct json_writer *w, const char *key, const char *value);

/* A number of tenths, with its decimal when it has one: 25 is 2.5. */
void put_tenths(struct json_writer *w, const char *key, uint64_t tenths);

/* A formatted string value; cut at PUT_FORMAT_MAX bytes. */
enum { PUT_FORMAT_MAX = 512 };
void put_format(struct json_writer *w, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void put_format_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* "0x…": addresses and exact sizes are strings, because JSON numbers are exact up to 2^53 only. */
void put_hex(struct json_writer *w, const char *key, uint64_t value);

void put_opt_number(struct json_writer *w, const char *key, struct opt_u64 value);
void put_opt_int(struct json_writer *w, const char *key, struct opt_int value);
void put_opt_bool(struct json_writer *w, const char *key, struct opt_bool value);
void put_opt_hex(struct json_writer *w, const char *key, struct opt_u64 value);

#endif
