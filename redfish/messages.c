// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/messages.h"

#include <stdio.h>
#include <string.h>

#include "redfish/body.h"
#include "redfish/registry.h"

struct message_kind {
	const char *key; /* NULL: the message `own` of this service's registry */
	unsigned int status;
	const char *severity;
	const char *text; /* %1 to %3 are the arguments, each at most once */
	const char *resolution;
	enum registry_message own;
};

#define CORRECT_VALUE                                                                              \
	"Correct the value for the parameter in the request body and resubmit the request if the " \
	"operation failed."

#define CORRECT_PROPERTY                                                                           \
	"Correct the value for the property in the request body and resubmit the request if the "  \
	"operation failed."
#define CORRECT_QUERY                                                                              \
	"Correct the value for the query parameter in the request and resubmit the request if "    \
	"the operation failed."

static const struct message_kind kinds[MESSAGE_COUNT] = {
	[MESSAGE_ACCESS_UNAUTHORIZED] = {"AccessUnauthorized", 401, "Critical", "Unauthorized.",
					 "Resubmit the request with valid credentials."},
	[MESSAGE_ACTION_PARAMETER_MISSING] =
		{"ActionParameterMissing", 400, "Critical",
		 "The action %1 requires the parameter %2 to be present in the request body.",
		 "Supply the action with the required parameter in the request body when the "
		 "request is resubmitted."},
	[MESSAGE_ACTION_PARAMETER_UNKNOWN] =
		{"ActionParameterUnknown", 400, "Warning",
		 "The action %1 was submitted with the invalid parameter %2.",
		 "Correct the invalid action parameter and resubmit the request if the operation "
		 "failed."},
	[MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT] = {"ActionParameterValueConflict", 400, "Warning",
						     "The parameter '%1' with the requested value "
						     "of '%2' does not meet the constraints "
						     "of the implementation.",
						     "None."},
	[MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR] =
		{"ActionParameterValueFormatError", 400, "Warning",
		 "The value '%1' for the parameter %2 in the action %3 is not a format that the "
		 "parameter can accept.",
		 CORRECT_VALUE},
	[MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR] =
		{"ActionParameterValueTypeError", 400, "Warning",
		 "The value '%1' for the parameter %2 in the action %3 is not a type that the "
		 "parameter can accept.",
		 CORRECT_VALUE},
	[MESSAGE_ARRAY_SIZE_TOO_LONG] =
		{"ArraySizeTooLong", 400, "Warning",
		 "The array provided for property %1 exceeds the size limit %2.",
		 "Resubmit the request with an appropriate array size."},
	[MESSAGE_EMPTY_JSON] =
		{"EmptyJSON", 400, "Warning",
		 "The request body submitted contained an empty JSON object and the service is "
		 "unable to process it.",
		 "Add properties in the JSON object and resubmit the request."},
	[MESSAGE_HEADER_INVALID] = {"HeaderInvalid", 400, "Critical", "Header '%1' is invalid.",
				    "Resubmit the request with a valid request header."},
	[MESSAGE_INSUFFICIENT_PRIVILEGE] =
		{"InsufficientPrivilege", 403, "Critical",
		 "There are insufficient privileges for the account or credentials associated with "
		 "the current session to perform the requested operation.",
		 "Either abandon the operation or change the associated access rights and resubmit "
		 "the request if the operation failed."},
	[MESSAGE_INSUFFICIENT_STORAGE] =
		{"InsufficientStorage", 507, "Critical",
		 "Insufficient storage or memory available to complete the request.",
		 "Increase the free storage space available to the service and resubmit the "
		 "request."},
	[MESSAGE_INTERNAL_ERROR] =
		{"InternalError", 500, "Critical",
		 "The request failed due to an internal service error.  The service is still "
		 "operational.",
		 "Resubmit the request.  If the problem persists, consider resetting the service."},
	[MESSAGE_INVALID_URI] = {"InvalidURI", 400, "Critical", "The URI %1 was not found.",
				 "Provide a valid URI and resubmit the request."},
	[MESSAGE_MALFORMED_JSON] =
		{"MalformedJSON", 400, "Critical",
		 "The request body submitted was malformed JSON and could not be parsed by the "
		 "receiving service.",
		 "Ensure that the request body is valid JSON and resubmit the request."},
	[MESSAGE_NO_OPERATION] =
		{"NoOperation", 400, "Warning",
		 "The request body submitted contain no data to act upon and no changes to the "
		 "resource took place.",
		 "Add properties in the JSON object and resubmit the request."},
	[MESSAGE_OPERATION_NOT_ALLOWED] = {"OperationNotAllowed", 405, "Critical",
					   "The HTTP method is not allowed on this resource.",
					   "None."},
	[MESSAGE_PAYLOAD_TOO_LARGE] =
		{"PayloadTooLarge", 413, "Critical",
		 "The supplied payload exceeds the maximum size supported by the service.",
		 "Check that the supplied payload is correct and supported by this service."},
	[MESSAGE_PRECONDITION_FAILED] =
		{"PreconditionFailed", 412, "Critical",
		 "The ETag supplied did not match the ETag required to change this resource.",
		 "Try the operation again using the appropriate ETag."},
	[MESSAGE_PROPERTY_MISSING] =
		{"PropertyMissing", 400, "Warning",
		 "The property %1 is a required property and must be included in the request.",
		 "Ensure that the property is in the request body and has a valid value and "
		 "resubmit the request if the operation failed."},
	[MESSAGE_PROPERTY_NOT_WRITABLE] =
		{"PropertyNotWritable", 400, "Warning",
		 "The property %1 is a read-only property and cannot be assigned a value.",
		 "Remove the property from the request body and resubmit the request if the "
		 "operation failed."},
	[MESSAGE_PROPERTY_UNKNOWN] =
		{"PropertyUnknown", 400, "Warning",
		 "The property %1 is not in the list of valid properties for the resource.",
		 "Remove the unknown property from the request body and resubmit the request if "
		 "the operation failed."},
	[MESSAGE_PROPERTY_VALUE_FORMAT_ERROR] =
		{"PropertyValueFormatError", 400, "Warning",
		 "The value '%1' for the property %2 is not a format that the property can accept.",
		 CORRECT_PROPERTY},
	[MESSAGE_PROPERTY_VALUE_TYPE_ERROR] =
		{"PropertyValueTypeError", 400, "Warning",
		 "The value '%1' for the property %2 is not a type that the property can accept.",
		 CORRECT_PROPERTY},
	[MESSAGE_QUERY_COMBINATION_INVALID] =
		{"QueryCombinationInvalid", 400, "Warning",
		 "Two or more query parameters in the request cannot be used together.",
		 "Remove one or more of the query parameters and resubmit the request if the "
		 "operation failed."},
	[MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE] =
		{"QueryParameterOutOfRange", 400, "Warning",
		 "The value '%1' for the query parameter %2 is out of range %3.",
		 "Reduce the value for the query parameter to a value that is within range, such "
		 "as a start or count value that is within bounds of the number of resources in a "
		 "collection or a page number that is within the range of valid pages."},
	[MESSAGE_QUERY_PARAMETER_UNSUPPORTED] =
		{"QueryParameterUnsupported", 501, "Warning",
		 "Query parameter '%1' is not supported.",
		 "Correct or remove the query parameter and resubmit the request."},
	[MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR] =
		{"QueryParameterValueFormatError", 400, "Warning",
		 "The value '%1' for the parameter %2 is not a format that the parameter can "
		 "accept.",
		 CORRECT_QUERY},
	[MESSAGE_QUERY_PARAMETER_VALUE_TYPE_ERROR] =
		{"QueryParameterValueTypeError", 400, "Warning",
		 "The value '%1' for the query parameter %2 is not a type that the parameter can "
		 "accept.",
		 CORRECT_QUERY},
	[MESSAGE_RESOURCE_MISSING_AT_URI] =
		{"ResourceMissingAtURI", 404, "Critical",
		 "The resource at the URI '%1' was not found.",
		 "Place a valid resource at the URI or correct the URI and resubmit the request."},
	[MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED] =
		{"EventSubscriptionLimitExceeded", 403, "Critical",
		 "The event subscription failed due to the number of simultaneous subscriptions "
		 "exceeding the limit of the implementation.",
		 "Reduce the number of other subscriptions before trying to establish the event "
		 "subscription or increase the limit of simultaneous subscriptions, if "
		 "supported."},
	[MESSAGE_PROPERTY_VALUE_ERROR] = {"PropertyValueError", 400, "Warning",
					  "The value provided for the property %1 is not valid.",
					  CORRECT_PROPERTY},
	[MESSAGE_PROPERTY_VALUE_NOT_IN_LIST] =
		{"PropertyValueNotInList", 400, "Warning",
		 "The value '%1' for the property %2 is not in the list of acceptable values.",
		 "Choose a value from the enumeration list that the implementation can support "
		 "and resubmit the request if the operation failed."},
	[MESSAGE_SERVICE_DISABLED] =
		{"ServiceDisabled", 503, "Warning",
		 "The operation failed because the service at %1 is disabled and cannot accept "
		 "requests.",
		 "Enable the service and resubmit the request if the operation failed."},
	[MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE] =
		{"ServiceTemporarilyUnavailable", 503, "Critical",
		 "The service is temporarily unavailable.  Retry in %1 seconds.",
		 "Wait for the indicated retry duration and retry the operation."},
	[MESSAGE_STRING_VALUE_TOO_LONG] =
		{"StringValueTooLong", 400, "Warning",
		 "The string '%1' exceeds the length limit %2.",
		 "Resubmit the request with an appropriate string length."},
	[MESSAGE_UNRECOGNIZED_REQUEST_BODY] =
		{"UnrecognizedRequestBody", 400, "Warning",
		 "The service detected a malformed request body that it was unable to interpret.",
		 "Correct the request body and resubmit the request if it failed."},
	[MESSAGE_PROPERTY_TOO_LONG] = {.status = 400, .own = REGISTRY_PROPERTY_TOO_LONG},
	[MESSAGE_SUBSCRIPTION_TOO_LONG] = {.status = 400, .own = REGISTRY_SUBSCRIPTION_TOO_LONG},
	/* As EventSubscriptionLimitExceeded. */
	[MESSAGE_SUBSCRIPTIONS_TOO_LONG] = {.status = 403, .own = REGISTRY_SUBSCRIPTIONS_TOO_LONG},
	[MESSAGE_EVENTS_NOT_DELIVERABLE] = {.status = 503, .own = REGISTRY_EVENTS_NOT_DELIVERABLE},
	[MESSAGE_TEST_EVENT_NOT_DELIVERED] = {.status = 500,
					      .own = REGISTRY_TEST_EVENT_NOT_DELIVERED},
};

static const char *message_text_of(const struct message *m)
{
	const struct message_kind *k = &kinds[m->id];

	return k->key ? k->text : registry_text(k->own);
}

static void put_message_id(const struct message *m, const char *key, struct json_writer *w)
{
	const struct message_kind *k = &kinds[m->id];

	if (k->key)
		put_format(w, key, BASE_REGISTRY ".%s", k->key);
	else
		put_string(w, key, registry_message_id(k->own));
}

void message_identifier(const struct message *m, char *text, size_t size)
{
	const struct message_kind *k = &kinds[m->id];

	if (k->key)
		(void)snprintf(text, size, BASE_REGISTRY ".%s", k->key);
	else
		(void)snprintf(text, size, "%s", registry_message_id(k->own));
}

/* Cut text must not end within a character: the JSON writer would show half of one. */
static void copy_cut(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	if (from[n] != '\0')
		while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	memcpy(to, from, n);
	to[n] = '\0';
}

void message_set(struct message *m, enum message_id id, const char *a, const char *b, const char *c)
{
	const char *args[MESSAGE_ARGS_MAX] = {a, b, c};

	*m = (struct message){.id = id, .status = kinds[id].status};
	for (size_t i = 0; i < MESSAGE_ARGS_MAX; i++)
		if (args[i])
			copy_cut(m->args[i], sizeof(m->args[i]), args[i]);
}

void message_sentence(const struct message *m, char *text, size_t size)
{
	const char *args[MESSAGE_ARGS_MAX];

	for (size_t i = 0; i < MESSAGE_ARGS_MAX; i++)
		args[i] = m->args[i];
	message_text(text, size, message_text_of(m), args);
}

static void put_text(const struct message *m, const char *key, struct json_writer *w)
{
	char text[PUT_FORMAT_MAX];

	message_sentence(m, text, sizeof(text));
	put_string(w, key, text);
}

static void put_message(const struct message *m, struct json_writer *w)
{
	const struct message_kind *k = &kinds[m->id];

	put_object(w, NULL);
	put_string(w, "@odata.type", "#Message.v1_3_0.Message");
	put_message_id(m, "MessageId", w);
	put_text(m, "Message", w);
	put_array(w, "MessageArgs");
	for (size_t i = 0; i < message_n_args(message_text_of(m)); i++)
		put_string(w, NULL, m->args[i]);
	put_end(w);
	if (m->property[0]) {
		put_array(w, "RelatedProperties");
		put_string(w, NULL, m->property);
		put_end(w);
	}
	put_string(w, "MessageSeverity",
		   k->key ? k->severity : health_name(registry_severity(k->own)));
	put_string(w, "Resolution", k->key ? k->resolution : registry_resolution(k->own));
	put_end(w);
}

struct representation *message_body(const struct message *m)
{
	struct json_writer w = {0};

	put_object(&w, NULL);
	put_object(&w, "error");
	put_message_id(m, "code", &w);
	put_text(m, "message", &w);
	put_array(&w, "@Message.ExtendedInfo");
	put_message(m, &w);
	put_end(&w);
	put_end(&w);
	put_end(&w);
	return redfish_body_new(&w, CONTENT_TYPE_JSON);
}
