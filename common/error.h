/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_ERROR_H
#define CXLR_COMMON_ERROR_H

/*
 * The error value: a negative errno for the program and one sentence for the user.
 *
 * Functions that can fail for more than one reason take a `struct error *` as their last argument,
 * fill it once where the failure is detected (what happened to what, why, and what to do) and
 * return the negative errno. Callers pass it on unchanged; only the outermost caller prints it.
 * NULL when the sentence is not needed. It owns nothing and is on the stack of a caller; no thread
 * rules.
 */

enum { ERROR_TEXT_MAX = 512 };

struct error {
	int code;		   /* positive errno, 0 when nothing went wrong */
	char text[ERROR_TEXT_MAX]; /* one sentence without a final newline; cut when longer */
};

/*
 * error_set() - set code and sentence
 * @e: filled in; may be NULL
 * @code: positive or negative errno
 * @fmt: one sentence, no final newline
 *
 * Return: always -|code|, so that `return error_set(...)` is the whole error path.
 */
int error_set(struct error *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* error_prefix() - put "PREFIX: " before the text, when a caller knows the object */
void error_prefix(struct error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
