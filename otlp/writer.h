/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OTLP_WRITER_H
#define CXLR_OTLP_WRITER_H

/*
 * Messages of OTLP, written sequentially into one growing buffer, in either encoding by the table
 * of otlp/fields.h: protobuf, or JSON by OTLP's rules (lowerCamelCase, integers of 64 bits as
 * strings, enumerations as integers).
 *
 * A field is written at most once in its message, and items of a repeated one follow each other.
 * Values that are zero are absent in both encodings, unless the table says otherwise. Bytes
 * that are no UTF-8 become U+FFFD. Running out of memory, or a field that the open message does not
 * have, sets `out.failed`, which the caller checks once. A writer belongs to one thread and is
 * freed with otlp_writer_done().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "otlp/fields.h"

enum otlp_encoding { OTLP_PROTOBUF, OTLP_JSON };

enum { OTLP_DEPTH_MAX = 12 };

/* An open message. */
struct otlp_level {
	enum otlp_message message;
	size_t start;		/* protobuf: of its contents */
	enum otlp_field listed; /* JSON: whose array is open; OTLP_FIELDS: none */
};

struct otlp_writer {
	enum otlp_encoding encoding;
	struct json_writer out; /* `text` and `len` are the message */
	unsigned int depth;
	struct otlp_level levels[OTLP_DEPTH_MAX];
};

/* Return: the media type of an encoding. */
const char *otlp_media_type(enum otlp_encoding encoding);

/* otlp_writer_begin() - an empty writer whose message is open */
void otlp_writer_begin(struct otlp_writer *w, enum otlp_encoding encoding,
		       enum otlp_message message);

void otlp_writer_done(struct otlp_writer *w);

#define _cleanup_otlp_ _cleanup_(otlp_writer_done)

/* Closes all messages that are open. Return: 0 or -ENOMEM. */
int otlp_writer_finish(struct otlp_writer *w);

/* Opens the message of a field; otlp_end() closes the innermost one. */
void otlp_begin(struct otlp_writer *w, enum otlp_field field);
void otlp_end(struct otlp_writer *w);

/* Values; NULL is no value. otlp_u64() is also for enumerations. */
void otlp_text(struct otlp_writer *w, enum otlp_field field, const char *value);
void otlp_bool(struct otlp_writer *w, enum otlp_field field, bool value);
void otlp_u64(struct otlp_writer *w, enum otlp_field field, uint64_t value);
void otlp_i64(struct otlp_writer *w, enum otlp_field field, int64_t value);
void otlp_double(struct otlp_writer *w, enum otlp_field field, double value);
void otlp_u64s(struct otlp_writer *w, enum otlp_field field, const uint64_t *values, size_t n);
void otlp_doubles(struct otlp_writer *w, enum otlp_field field, const double *values, size_t n);

/* An attribute of the open message; @list: its field for attributes. NULL is none. */
void otlp_attribute_text(struct otlp_writer *w, enum otlp_field list, const char *key,
			 const char *value);
void otlp_attribute_int(struct otlp_writer *w, enum otlp_field list, const char *key,
			int64_t value);
void otlp_attribute_bool(struct otlp_writer *w, enum otlp_field list, const char *key, bool value);

/* A place that a writer can be set back to while the messages open there are open. */
struct otlp_mark {
	struct json_writer out;
	struct otlp_level level;
};

struct otlp_mark otlp_mark(const struct otlp_writer *w);
void otlp_back(struct otlp_writer *w, const struct otlp_mark *mark);

#endif
