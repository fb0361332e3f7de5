/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_SUBSCRIPTION_H
#define CXLR_REDFISH_EVENTING_SUBSCRIPTION_H

/*
 * The properties of an EventDestination that a client sets: checks, defaults, rendering.
 *
 * They are kept as a JSON object with copies of the values that are used, and with defaults, so
 * that the same object is stored, shown and compared with events. Nothing else of what the client
 * sent is kept: no annotations, and of a link only its URI. Such an object is immutable; a change
 * makes a new one. Pure functions; any thread.
 */

#include <jansson.h>

#include "common/json_writer.h"
#include "redfish/core/messages.h"
#include "redfish/core/parameters.h"

enum {
	SUBSCRIPTION_TEXT_MAX = 1024,		/* bytes of Context, and of one of a list */
	SUBSCRIPTION_LIST_MAX = 64,		/* members of a list */
	SUBSCRIPTION_LIST_BYTES_MAX = 8 * 1024, /* of all members of a list, as JSON */
	SUBSCRIPTION_HEADERS_MAX = 32,		/* names, in all objects of HttpHeaders */
	SUBSCRIPTION_BYTES_MAX = 32 * 1024,	/* of subscription_size() */
};

/* The body of a POST and of a PATCH. */
extern const struct parameters subscription_body;

/*
 * subscription_new() - the properties of a new subscription
 * @given: checked by the table; here by the limits that it has not
 * @ret: a new reference
 *
 * Return: 0; -EINVAL with @ret_message; -ENOMEM.
 */
int subscription_new(const json_t *given, json_t **ret, struct message *ret_message);

/* subscription_change() - @before with the changes of a PATCH; as above */
int subscription_change(const json_t *before, const json_t *given, json_t **ret,
			struct message *ret_message);

/* Fills in the message for a subscription that is longer than @max bytes. Return: -EINVAL. */
int subscription_too_long(struct message *m, size_t size, size_t max);

/* Return: the length of the properties as JSON text, in bytes. */
size_t subscription_size(const json_t *properties);

/* Writes them as GET shows them: headers may be secrets and are an empty list. */
void put_subscription(struct json_writer *w, const json_t *properties);

/* Writes the headers to be sent, each "Name: value" followed by a NUL. */
void put_subscription_headers(struct json_writer *w, const json_t *properties);

#endif
