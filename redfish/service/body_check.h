/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_BODY_CHECK_H
#define CXLR_REDFISH_BODY_CHECK_H

/*
 * The body of a request, checked by the table of its operation (redfish/core/parameters.h), and its
 * values: nothing else parses it (scripts/lint-tree). Every property or parameter that is wrong is
 * noted (exchange_note()), so that the reply names all of them.
 *
 * A path names a value: "CXL/Congestion/Name", or "Sets/0/Name".
 */

#include "common/opt.h"
#include "redfish/service/exchange.h"

/*
 * body_check() - check names, types, ranges and values of the body, before the operation
 *
 * Annotations ("@odata.id") are ignored, and a property without a row is refused as
 * schema_refusal() says. An operation may do more checks of the values, which note
 * more, and exchange_noted(). Without a table, an action has no parameters, and another operation
 * checks its body itself.
 *
 * Return: 0; -EINVAL with the messages, also when a PATCH has nothing but annotations.
 */
int body_check(struct exchange *x);

/* ---- values -----------------------------------------------------------------------------------
 */

/* Return: whether there is a value at the path, of any type. */
bool body_has(const struct exchange *x, const char *path);

/* Return: whether the value is null, which is one of a nullable property only. */
bool body_is_null(const struct exchange *x, const char *path);

/* Absent, or NULL, when there is no value, or it is of another type. */
const char *body_text(const struct exchange *x, const char *path);
struct opt_bool body_boolean(const struct exchange *x, const char *path);
/* A number of either sign; one beyond the range of an int is its limit. */
struct opt_int body_integer(const struct exchange *x, const char *path);
struct opt_u64 body_number(const struct exchange *x, const char *path); /* not a negative one */

/* Return: the URI of {"@odata.id": …}; NULL without. */
const char *body_link(const struct exchange *x, const char *path);

/* Return: the number of items of an array; 0 without one. */
size_t body_size(const struct exchange *x, const char *path);

/* Return: the @i-th item of an array of texts. */
const char *body_item(const struct exchange *x, const char *path, size_t i);

/* body_record() - the values of the table's rows as an object, one reference; NULL when out of
 * memory */
json_t *body_record(const struct exchange *x);

/* ---- errors -----------------------------------------------------------------------------------
 */

/* The message that x->message is names the value at this path of the body. */
void body_point_to(struct exchange *x, const char *path);

/*
 * body_note() - note an error of a property, or of a parameter when the request is an action
 *
 * Messages that have the value show it as it was given, unless it is secret.
 */
void body_note(struct exchange *x, enum message_id id, const char *path);

/* The same for a text or an array that is too long, or too short. */
void body_note_length(struct exchange *x, enum message_id id, const char *path, size_t limit);

/* Notes two values that cannot be had together; the one at @path is named. */
void body_note_conflict(struct exchange *x, const char *path, const char *with);

/*
 * Overwrites a text of the body with zeros, when it is not needed any more: all of the body is when
 * it is freed (redfish/service/request_body.h), which may be much later.
 */
void body_wipe(struct exchange *x, const char *path);

#endif
