/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_MESSAGES_H
#define CXLR_REDFISH_MESSAGES_H

/*
 * Error messages: those of DMTF's Base message registry 1.22, and those of this service's registry
 * (redfish/core/registry.h) where Base has none that fits.
 *
 * A step that rejects a request fills a `struct message` with an id and its arguments; the service
 * makes the error body and the status from it. A body with several wrong properties is rejected
 * with a message for each of them. Arguments may be the client's own bytes: they are cut to a
 * length and written by the JSON writer. A message owns nothing.
 */

#include <stddef.h>

#include "http/representation.h"

enum message_id {
	MESSAGE_ACCESS_UNAUTHORIZED,
	MESSAGE_ACTION_NOT_SUPPORTED,
	MESSAGE_ACTION_PARAMETER_MISSING,
	MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED,
	MESSAGE_ACTION_PARAMETER_UNKNOWN,
	MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT,
	MESSAGE_ACTION_PARAMETER_VALUE_ERROR,
	MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR,
	MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST,
	MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR,
	MESSAGE_ARRAY_SIZE_TOO_LONG,
	MESSAGE_ARRAY_SIZE_TOO_SHORT,
	MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES,
	MESSAGE_CREATE_LIMIT_REACHED_FOR_RESOURCE,
	MESSAGE_EMPTY_JSON,
	MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED,
	MESSAGE_GENERAL_ERROR,
	MESSAGE_HEADER_INVALID,
	MESSAGE_HEADER_MISSING,
	MESSAGE_INSUFFICIENT_PRIVILEGE,
	MESSAGE_INSUFFICIENT_STORAGE,
	MESSAGE_INTERNAL_ERROR,
	MESSAGE_INVALID_URI,
	MESSAGE_MALFORMED_JSON,
	MESSAGE_MAXIMUM_ERRORS_EXCEEDED,
	MESSAGE_NO_OPERATION,
	MESSAGE_NO_VALID_SESSION,
	MESSAGE_OPERATION_NOT_ALLOWED,
	MESSAGE_PASSWORD_CHANGE_REQUIRED,
	MESSAGE_PAYLOAD_TOO_LARGE,
	MESSAGE_PRECONDITION_FAILED,
	MESSAGE_PRECONDITION_REQUIRED,
	MESSAGE_PROPERTY_MISSING,
	MESSAGE_PROPERTY_NOT_WRITABLE,
	MESSAGE_PROPERTY_UNKNOWN,
	MESSAGE_PROPERTY_VALUE_CONFLICT,
	MESSAGE_PROPERTY_VALUE_ERROR,
	MESSAGE_PROPERTY_VALUE_FORMAT_ERROR,
	MESSAGE_PROPERTY_VALUE_INCORRECT,
	MESSAGE_PROPERTY_VALUE_NOT_IN_LIST,
	MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE,
	MESSAGE_PROPERTY_VALUE_TYPE_ERROR,
	MESSAGE_QUERY_COMBINATION_INVALID,
	MESSAGE_QUERY_NOT_SUPPORTED_ON_OPERATION,
	MESSAGE_QUERY_NOT_SUPPORTED_ON_RESOURCE,
	MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE,
	MESSAGE_QUERY_PARAMETER_UNSUPPORTED,
	MESSAGE_QUERY_PARAMETER_VALUE_ERROR,
	MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR,
	MESSAGE_QUERY_PARAMETER_VALUE_TYPE_ERROR,
	MESSAGE_RESOURCE_ALREADY_EXISTS,
	MESSAGE_RESOURCE_AT_URI_UNAUTHORIZED,
	MESSAGE_RESOURCE_CANNOT_BE_DELETED,
	MESSAGE_RESOURCE_EXHAUSTION,
	MESSAGE_RESOURCE_IN_USE,
	MESSAGE_RESOURCE_MISSING_AT_URI,
	MESSAGE_RESTRICTED_ROLE,
	MESSAGE_SERVICE_DISABLED,
	MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE,
	MESSAGE_SESSION_LIMIT_EXCEEDED,
	MESSAGE_STRING_VALUE_TOO_LONG,
	MESSAGE_STRING_VALUE_TOO_SHORT,
	MESSAGE_SUCCESS,
	MESSAGE_UNRECOGNIZED_REQUEST_BODY,

	/* Messages of this service's registry. */
	MESSAGE_PROPERTY_TOO_LONG,
	MESSAGE_SUBSCRIPTION_TOO_LONG,
	MESSAGE_SUBSCRIPTIONS_TOO_LONG,
	MESSAGE_EVENTS_NOT_DELIVERABLE,
	MESSAGE_SUBSCRIPTION_DISABLED,
	MESSAGE_DESTINATION_NOT_ALLOWED,
	MESSAGE_TEST_EVENT_NOT_DELIVERED,
	MESSAGE_ACCOUNTS_NOT_WRITABLE,
	MESSAGE_NO_ACCOUNT,
	MESSAGE_LAST_ADMINISTRATOR,
	MESSAGE_CERTIFICATE_REJECTED,
	MESSAGE_PASSWORD_NOT_CHANGED,
	MESSAGE_TASK_NOT_CANCELLABLE,
	MESSAGE_TASK_INTERRUPTED,
	MESSAGE_NOT_CHANGEABLE,
	MESSAGE_MEMORY_IN_USE,
	MESSAGE_SWITCH_CHANGE_FAILED,
	MESSAGE_CHANGE_REFUSED,
	MESSAGE_CHANGE_UNDONE,
	MESSAGE_CHANGE_INCOMPLETE,
	MESSAGE_CHANGE_UNKNOWN,
	MESSAGE_CHANGE_IN_PROGRESS,
	MESSAGE_UPLOAD_REFUSED,
	MESSAGE_FIRMWARE_WRITTEN,
	MESSAGE_RAW_COMMAND_SENT,
	MESSAGE_MEDIA_SCANNED,
	MESSAGE_PAGES_MAY_RETURN,
	MESSAGE_PAGE_STAYS_OUT,
	MESSAGE_PAGE_FAILED,
	MESSAGE_PAGES_OUT_OF_USE,
	MESSAGE_DIAGNOSTICS_NOT_AVAILABLE,
	MESSAGE_COUNT,
};

enum {
	MESSAGE_ARGS_MAX = 3,
	MESSAGE_ARG_MAX = 576, /* a reason with names and numbers, as of struct error, and a name */
	MESSAGE_SENTENCE_MAX = MESSAGE_ARG_MAX + 256,
	MESSAGES_MAX = 8
};

struct message {
	enum message_id id;
	unsigned int status; /* HTTP status; message_set() gives the usual one of the id */
	char args[MESSAGE_ARGS_MAX][MESSAGE_ARG_MAX];
	char property[MESSAGE_ARG_MAX]; /* JSON pointer to the invalid property, "#/Name"; "" none
					 */
};

/* The messages of one reply; the last of a full list is MaximumErrorsExceeded. */
struct message_list {
	size_t n;
	struct message items[MESSAGES_MAX];
};

/*
 * Fills @m; arguments that the message does not have are NULL, longer ones are truncated. The
 * property that an argument names is the related one.
 */
void message_set(struct message *m, enum message_id id, const char *a, const char *b,
		 const char *c);

/* message_sentence() - the text of the message with its arguments, cut at @size */
void message_sentence(const struct message *m, char *text, size_t size);

/* message_identifier() - the MessageId, cut at @size */
void message_identifier(const struct message *m, char *text, size_t size);

/* message_set_property() - name the related property, a member of the body */
void message_set_property(struct message *m, const char *name);

/* message_list_add() - append a message; those that do not fit are counted as one */
void message_list_add(struct message_list *l, const struct message *m);

#define EXTENDED_INFO "@Message.ExtendedInfo"

/* put_extended_info() - a member of EXTENDED_INFO, also of a reply that is not an error */
void put_extended_info(const struct message *m, struct json_writer *w);

/* EXTENDED_INFO of some messages. */
void put_messages(const struct message *items, size_t n, struct json_writer *w);

/*
 * message_body() - an error body
 * @items: @n messages, at least one; the code of several is GeneralError
 *
 * Return: the body, or NULL when out of memory.
 */
struct representation *message_body(const struct message *items, size_t n);

#endif
