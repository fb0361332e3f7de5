/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REQUEST_BODY_H
#define CXLR_REDFISH_REQUEST_BODY_H

/*
 * The JSON of a request's body. Any thread.
 *
 * A body may have a password, a passphrase or a private key anywhere, also where it does not
 * belong. So all of them are overwritten when they are not needed any more: the bytes by the HTTP
 * server (http/transaction.c), what was parsed from them by request_bodies_init().
 *
 * Bodies are parsed on HTTP threads, and what JSON costs does not follow from its length: 1 MiB of
 * empty objects takes a hundred times as long as one string. So the parts of a body are counted
 * before memory is allocated for them, in about a millisecond for the longest body.
 */

#include <stddef.h>

#include <jansson.h>

#include "http/budget.h"
#include "redfish/core/messages.h"

enum {
	BODY_DEPTH_MAX = 32,
	BODY_MEMBERS_MAX = 1024, /* objects, arrays and names, of all objects together */
	/* All members and elements; the longest array that is accepted has 10,000. */
	BODY_VALUES_MAX = 16384,
	LOGIN_BODY_MAX = BUDGET_LOGIN_BODY_MAX, /* bytes of a body that needs no authentication */
};

/*
 * request_bodies_init() - have all memory of jansson overwritten with zeros before it is freed
 *
 * Also that of its buffers while it parses. For the whole process, from then on: before the first
 * body. Can be repeated.
 */
void request_bodies_init(void);

/*
 * request_body_parse() - parse a body
 * @text: may be NULL if @len is 0
 * @ret_why: if it fails, MESSAGE_MALFORMED_JSON or MESSAGE_PAYLOAD_TOO_LARGE
 *
 * Names of an object must not be repeated.
 *
 * Return: any JSON value, for json_decref(); NULL on failure.
 */
json_t *request_body_parse(const char *text, size_t len, enum message_id *ret_why);

#endif
