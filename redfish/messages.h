/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_MESSAGES_H
#define CXLR_REDFISH_MESSAGES_H

/*
 * Error messages: those of DMTF's Base message registry 1.22, and those of this service's registry
 * (redfish/registry.h) where Base has none that fits.
 *
 * A step that rejects a request fills a `struct message` with an id and its arguments; the service
 * makes the error body and the status from it. Arguments may be the client's own bytes: they are
 * cut to a length and written by the JSON writer. A message owns nothing.
 */

#include <stddef.h>

#include "http/representation.h"

enum message_id {
	MESSAGE_ACCESS_UNAUTHORIZED,
	MESSAGE_ACTION_PARAMETER_MISSING,
	MESSAGE_ACTION_PARAMETER_UNKNOWN,
	MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT,
	MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR,
	MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR,
	MESSAGE_ARRAY_SIZE_TOO_LONG,
	MESSAGE_EMPTY_JSON,
	MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED,
	MESSAGE_HEADER_INVALID,
	MESSAGE_INSUFFICIENT_PRIVILEGE,
	MESSAGE_INSUFFICIENT_STORAGE,
	MESSAGE_INTERNAL_ERROR,
	MESSAGE_INVALID_URI,
	MESSAGE_MALFORMED_JSON,
	MESSAGE_NO_OPERATION,
	MESSAGE_OPERATION_NOT_ALLOWED,
	MESSAGE_PAYLOAD_TOO_LARGE,
	MESSAGE_PRECONDITION_FAILED,
	MESSAGE_PROPERTY_MISSING,
	MESSAGE_PROPERTY_NOT_WRITABLE,
	MESSAGE_PROPERTY_UNKNOWN,
	MESSAGE_PROPERTY_VALUE_ERROR,
	MESSAGE_PROPERTY_VALUE_FORMAT_ERROR,
	MESSAGE_PROPERTY_VALUE_NOT_IN_LIST,
	MESSAGE_PROPERTY_VALUE_TYPE_ERROR,
	MESSAGE_QUERY_COMBINATION_INVALID,
	MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE,
	MESSAGE_QUERY_PARAMETER_UNSUPPORTED,
	MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR,
	MESSAGE_QUERY_PARAMETER_VALUE_TYPE_ERROR,
	MESSAGE_RESOURCE_MISSING_AT_URI,
	MESSAGE_SERVICE_DISABLED,
	MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE,
	MESSAGE_STRING_VALUE_TOO_LONG,
	MESSAGE_UNRECOGNIZED_REQUEST_BODY,

	/* Of this service's registry. */
	MESSAGE_PROPERTY_TOO_LONG,
	MESSAGE_SUBSCRIPTION_TOO_LONG,
	MESSAGE_SUBSCRIPTIONS_TOO_LONG,
	MESSAGE_EVENTS_NOT_DELIVERABLE,
	MESSAGE_TEST_EVENT_NOT_DELIVERED,
	MESSAGE_COUNT,
};

enum { MESSAGE_ARGS_MAX = 3, MESSAGE_ARG_MAX = 128 };

struct message {
	enum message_id id;
	unsigned int status; /* HTTP status; message_set() gives the usual one of the id */
	char args[MESSAGE_ARGS_MAX][MESSAGE_ARG_MAX];
	char property[MESSAGE_ARG_MAX]; /* JSON pointer to the invalid property, "#/Name"; "" none
					 */
};

/* Fills @m; arguments that the message does not have are NULL, longer ones are truncated. */
void message_set(struct message *m, enum message_id id, const char *a, const char *b,
		 const char *c);

/* message_sentence() - the text of the message with its arguments, cut at @size */
void message_sentence(const struct message *m, char *text, size_t size);

/* message_identifier() - the MessageId, cut at @size */
void message_identifier(const struct message *m, char *text, size_t size);

/* Return: the error body, or NULL when out of memory. */
struct representation *message_body(const struct message *m);

#endif
