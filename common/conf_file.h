/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_CONF_FILE_H
#define CXLR_COMMON_CONF_FILE_H

/*
 * The lines of a configuration file: "key = value".
 *
 *	- A line whose first character is '#' or ';' is a comment; empty lines are ignored.
 *	- Blanks (space, tab) around the key and around the value are ignored, as is a CR at the end
 *	  of a line. Nothing else is special in a value: neither quotes, nor backslashes, nor '#'.
 *	- A key consists of lower-case letters, digits and '-'. There are no sections, and no line
 *is continued on the next one.
 *
 * A file with a line of another form is refused. Nothing is cut: a line that is too long is an
 * error. Every error names the file and the line, and the key if there is one. No state; any
 * thread.
 */

#include <stddef.h>

#include "common/error.h"

enum {
	CONF_FILE_MAX = 256 * 1024, /* bytes of a file */
	CONF_LINES_MAX = 8192,	    /* lines of a file, comments included */
	CONF_LINE_MAX = 4096,	    /* bytes of a line without its end */
};

/*
 * Called for each line with a key.
 * @line: its number, from 1
 * @key, @value: valid during the call; the value may be empty
 * @e: on failure, a sentence about the value, which neither names the file nor the key
 *
 * Return: 0, or a negative errno, which ends the reading.
 */
typedef int conf_line_fn(void *userdata, unsigned int line, const char *key, const char *value,
			 struct error *e);

/*
 * conf_parse() - call @fn for the keys of a text
 * @name: of the file, for errors
 * @text: @len bytes and a NUL; is changed
 *
 * Return: 0; -EINVAL for a line that is not valid; -EFBIG for a line or a text that is too long; or
 * what @fn returned. Lines before that were passed to @fn.
 */
int conf_parse(const char *name, char *text, size_t len, conf_line_fn *fn, void *userdata,
	       struct error *e);

/*
 * conf_read_file() - the same for a file
 *
 * Return: also -ENOENT when there is none, and the other errors of reading it; @e is set for each.
 */
int conf_read_file(const char *path, conf_line_fn *fn, void *userdata, struct error *e);

#endif
