// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/messages.h"

#include <stdio.h>
#include <string.h>

#include "redfish/core/render.h"
#include "redfish/core/registry.h"

enum { UTF8_MAX = 4 };

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

#define REMOVE_QUERY "Remove the query parameters and resubmit the request if the operation failed."

static const struct message_kind kinds[MESSAGE_COUNT] = {
	[MESSAGE_ACCESS_UNAUTHORIZED] = {"AccessUnauthorized", 401, "Critical", "Unauthorized.",
					 "Resubmit the request with valid credentials."},
	[MESSAGE_ACTION_PARAMETER_MISSING] =
		{"ActionParameterMissing", 400, "Critical",
		 "The action %1 requires the parameter %2 to be present in the request body.",
		 "Supply the action with the required parameter in the request body when the request is resubmitted."},
	[MESSAGE_ACTION_PARAMETER_UNKNOWN] =
		{"ActionParameterUnknown", 400, "Warning",
		 "The action %1 was submitted with the invalid parameter %2.",
		 "Correct the invalid action parameter and resubmit the request if the operation failed."},
	[MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT] =
		{"ActionParameterValueConflict", 400, "Warning",
		 "The parameter '%1' with the requested value of '%2' does not meet the constraints of the implementation.",
		 "None."},
	[MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR] =
		{"ActionParameterValueFormatError", 400, "Warning",
		 "The value '%1' for the parameter %2 in the action %3 is not a format that the parameter can accept.",
		 CORRECT_VALUE},
	[MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR] =
		{"ActionParameterValueTypeError", 400, "Warning",
		 "The value '%1' for the parameter %2 in the action %3 is not a type that the parameter can accept.",
		 CORRECT_VALUE},
	[MESSAGE_ARRAY_SIZE_TOO_LONG] =
		{"ArraySizeTooLong", 400, "Warning",
		 "The array provided for property %1 exceeds the size limit %2.",
		 "Resubmit the request with an appropriate array size."},
	[MESSAGE_EMPTY_JSON] =
		{"EmptyJSON", 400, "Warning",
		 "The request body submitted contained an empty JSON object and the service is unable to process it.",
		 "Add properties in the JSON object and resubmit the request."},
	[MESSAGE_HEADER_INVALID] = {"HeaderInvalid", 400, "Critical", "Header '%1' is invalid.",
				    "Resubmit the request with a valid request header."},
	[MESSAGE_INSUFFICIENT_PRIVILEGE] =
		{"InsufficientPrivilege", 403, "Critical",
		 "There are insufficient privileges for the account or credentials associated with the current session to perform the requested operation.",
		 "Either abandon the operation or change the associated access rights and resubmit the request if the operation failed."},
	[MESSAGE_INSUFFICIENT_STORAGE] =
		{"InsufficientStorage", 507, "Critical",
		 "Insufficient storage or memory available to complete the request.",
		 "Increase the free storage space available to the service and resubmit the request."},
	[MESSAGE_INTERNAL_ERROR] =
		{"InternalError", 500, "Critical",
		 "The request failed due to an internal service error.  The service is still operational.",
		 "Resubmit the request.  If the problem persists, consider resetting the service."},
	[MESSAGE_INVALID_URI] = {"InvalidURI", 400, "Critical", "The URI %1 was not found.",
				 "Provide a valid URI and resubmit the request."},
	[MESSAGE_MALFORMED_JSON] =
		{"MalformedJSON", 400, "Critical",
		 "The request body submitted was malformed JSON and could not be parsed by the receiving service.",
		 "Ensure that the request body is valid JSON and resubmit the request."},
	[MESSAGE_NO_OPERATION] =
		{"NoOperation", 400, "Warning",
		 "The request body submitted contain no data to act upon and no changes to the resource took place.",
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
		 "Ensure that the property is in the request body and has a valid value and resubmit the request if the operation failed."},
	[MESSAGE_PROPERTY_NOT_WRITABLE] =
		{"PropertyNotWritable", 400, "Warning",
		 "The property %1 is a read-only property and cannot be assigned a value.",
		 "Remove the property from the request body and resubmit the request if the operation failed."},
	[MESSAGE_PROPERTY_UNKNOWN] =
		{"PropertyUnknown", 400, "Warning",
		 "The property %1 is not in the list of valid properties for the resource.",
		 "Remove the unknown property from the request body and resubmit the request if the operation failed."},
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
		 "Remove one or more of the query parameters and resubmit the request if the operation failed."},
	[MESSAGE_QUERY_NOT_SUPPORTED_ON_OPERATION] =
		{"QueryNotSupportedOnOperation", 400, "Warning",
		 "Querying is not supported with the requested operation.", REMOVE_QUERY},
	[MESSAGE_QUERY_NOT_SUPPORTED_ON_RESOURCE] =
		{"QueryNotSupportedOnResource", 400, "Warning",
		 "Querying is not supported on the requested resource.", REMOVE_QUERY},
	[MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE] =
		{"QueryParameterOutOfRange", 400, "Warning",
		 "The value '%1' for the query parameter %2 is out of range %3.",
		 "Reduce the value for the query parameter to a value that is within range, such as a start or count value that is within bounds of the number of resources in a collection or a page number that is within the range of valid pages."},
	[MESSAGE_QUERY_PARAMETER_UNSUPPORTED] =
		{"QueryParameterUnsupported", 501, "Warning",
		 "Query parameter '%1' is not supported.",
		 "Correct or remove the query parameter and resubmit the request."},
	[MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR] =
		{"QueryParameterValueFormatError", 400, "Warning",
		 "The value '%1' for the parameter %2 is not a format that the parameter can accept.",
		 CORRECT_QUERY},
	[MESSAGE_QUERY_PARAMETER_VALUE_TYPE_ERROR] =
		{"QueryParameterValueTypeError", 400, "Warning",
		 "The value '%1' for the query parameter %2 is not a type that the parameter can accept.",
		 CORRECT_QUERY},
	[MESSAGE_RESOURCE_MISSING_AT_URI] =
		{"ResourceMissingAtURI", 404, "Critical",
		 "The resource at the URI '%1' was not found.",
		 "Place a valid resource at the URI or correct the URI and resubmit the request."},
	[MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED] =
		{"EventSubscriptionLimitExceeded", 403, "Critical",
		 "The event subscription failed due to the number of simultaneous subscriptions exceeding the limit of the implementation.",
		 "Reduce the number of other subscriptions before trying to establish the event subscription or increase the limit of simultaneous subscriptions, if supported."},
	[MESSAGE_PROPERTY_VALUE_ERROR] = {"PropertyValueError", 400, "Warning",
					  "The value provided for the property %1 is not valid.",
					  CORRECT_PROPERTY},
	[MESSAGE_PROPERTY_VALUE_NOT_IN_LIST] =
		{"PropertyValueNotInList", 400, "Warning",
		 "The value '%1' for the property %2 is not in the list of acceptable values.",
		 "Choose a value from the enumeration list that the implementation can support and resubmit the request if the operation failed."},
	[MESSAGE_SERVICE_DISABLED] =
		{"ServiceDisabled", 503, "Warning",
		 "The operation failed because the service at %1 is disabled and cannot accept requests.",
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
	[MESSAGE_ACTION_NOT_SUPPORTED] =
		{"ActionNotSupported", 400, "Critical",
		 "The action %1 is not supported by the resource.",
		 "Check the Actions property in the resource for the supported actions."},
	[MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED] =
		{"ActionParameterNotSupported", 400, "Warning",
		 "The parameter %1 for the action %2 is not supported on the target resource.",
		 "Remove the parameter supplied and resubmit the request if the operation failed."},
	[MESSAGE_ACTION_PARAMETER_VALUE_ERROR] =
		{"ActionParameterValueError", 400, "Warning",
		 "The value for the parameter %1 in the action %2 is invalid.",
		 "Correct the value for the parameter in the request body and resubmit the request if the operation failed."},
	[MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST] =
		{"ActionParameterValueNotInList", 400, "Warning",
		 "The value '%1' for the parameter %2 in the action %3 is not in the list of acceptable values.",
		 "Choose a value from the enumeration list that the implementation can support and resubmit the request if the operation failed."},
	[MESSAGE_ARRAY_SIZE_TOO_SHORT] =
		{"ArraySizeTooShort", 400, "Warning",
		 "The array provided for property %1 is under the minimum size limit %2.",
		 "Resubmit the request with an appropriate array size."},
	[MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES] =
		{"CreateFailedMissingReqProperties", 400, "Critical",
		 "The create operation failed because the required property %1 was missing from the request.",
		 "Correct the body to include the required property with a valid value and resubmit the request if the operation failed."},
	[MESSAGE_CREATE_LIMIT_REACHED_FOR_RESOURCE] =
		{"CreateLimitReachedForResource", 403, "Critical",
		 "The create operation failed because the resource has reached the limit of possible resources.",
		 "Either delete resources and resubmit the request if the operation failed or do not resubmit the request."},
	[MESSAGE_GENERAL_ERROR] =
		{"GeneralError", 400, "Critical",
		 "A general error has occurred.  See Resolution for information on how to resolve the error, or @Message.ExtendedInfo if Resolution is not provided.",
		 "None."},
	[MESSAGE_HEADER_MISSING] = {"HeaderMissing", 400, "Critical",
				    "Required header '%1' is missing in the request.",
				    "Resubmit the request with the required request header."},
	[MESSAGE_MAXIMUM_ERRORS_EXCEEDED] =
		{"MaximumErrorsExceeded", 400, "Critical",
		 "Too many errors have occurred to report them all.",
		 "Resolve other reported errors and retry the current operation."},
	[MESSAGE_NO_VALID_SESSION] =
		{"NoValidSession", 401, "Critical",
		 "There is no valid session established with the implementation.",
		 "Establish a session before attempting any operations."},
	[MESSAGE_PRECONDITION_REQUIRED] =
		{"PreconditionRequired", 428, "Critical",
		 "A precondition header or annotation is required to change this resource.",
		 "Try the operation again using an If-Match or If-None-Match header and appropriate ETag."},
	[MESSAGE_PROPERTY_VALUE_CONFLICT] =
		{"PropertyValueConflict", 400, "Warning",
		 "The property '%1' could not be written because its value would conflict with the value of the '%2' property.",
		 "None."},
	[MESSAGE_PROPERTY_VALUE_INCORRECT] =
		{"PropertyValueIncorrect", 400, "Warning",
		 "The property '%1' with the requested value of '%2' could not be written because the value is not acceptable for the property.",
		 "None."},
	[MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE] =
		{"PropertyValueOutOfRange", 400, "Warning",
		 "The value '%1' for the property %2 is not in the supported range of acceptable values.",
		 "Correct the value for the property in the request body and resubmit the request if the operation failed."},
	[MESSAGE_QUERY_PARAMETER_VALUE_ERROR] =
		{"QueryParameterValueError", 400, "Warning",
		 "The value for the parameter %1 is invalid.",
		 "Correct the value for the query parameter in the request and resubmit the request if the operation failed."},
	[MESSAGE_RESOURCE_ALREADY_EXISTS] =
		{"ResourceAlreadyExists", 409, "Critical",
		 "The requested resource of type %1 with the property %2 with the value '%3' already exists.",
		 "Do not repeat the create operation as the resource was already created."},
	[MESSAGE_RESOURCE_AT_URI_UNAUTHORIZED] =
		{"ResourceAtUriUnauthorized", 401, "Critical",
		 "While accessing the resource at '%1', the service received an authorization error '%2'.",
		 "Ensure that the appropriate access is provided for the service in order for it to access the URI."},
	[MESSAGE_RESOURCE_CANNOT_BE_DELETED] =
		{"ResourceCannotBeDeleted", 403, "Critical",
		 "The delete request failed because the resource requested cannot be deleted.",
		 "Do not attempt to delete a non-deletable resource."},
	[MESSAGE_RESOURCE_EXHAUSTION] =
		{"ResourceExhaustion", 503, "Critical",
		 "The resource '%1' was unable to satisfy the request due to unavailability of resources.",
		 "Ensure that the resources are available and resubmit the request."},
	[MESSAGE_RESOURCE_IN_USE] =
		{"ResourceInUse", 409, "Warning",
		 "The change to the requested resource failed because the resource is in use or in transition.",
		 "Remove the condition and resubmit the request if the operation failed."},
	[MESSAGE_RESTRICTED_ROLE] =
		{"RestrictedRole", 400, "Warning",
		 "The operation was not successful because the role '%1' is restricted.",
		 "No resolution is required.  For standard roles, consider using the role specified in the AlternateRoleId property in the Role resource."},
	[MESSAGE_SESSION_LIMIT_EXCEEDED] =
		{"SessionLimitExceeded", 503, "Critical",
		 "The session establishment failed due to the number of simultaneous sessions exceeding the limit of the implementation.",
		 "Reduce the number of other sessions before trying to establish the session or increase the limit of simultaneous sessions, if supported."},
	[MESSAGE_STRING_VALUE_TOO_SHORT] =
		{"StringValueTooShort", 400, "Warning",
		 "The string '%1' was under the minimum required length %2.",
		 "Resubmit the request with an appropriate string length."},
	[MESSAGE_SUCCESS] = {"Success", 200, "OK", "The request completed successfully.", "None."},
	[MESSAGE_PASSWORD_CHANGE_REQUIRED] =
		{"PasswordChangeRequired", 403, "Critical",
		 "The password provided for this account must be changed before access is granted.  PATCH the Password property for this account located at the target URI '%1' to complete this process.",
		 "Change the password for this account using a PATCH to the Password property at the URI provided."},
	[MESSAGE_PROPERTY_TOO_LONG] = {.status = 400, .own = REGISTRY_PROPERTY_TOO_LONG},
	[MESSAGE_SUBSCRIPTION_TOO_LONG] = {.status = 400, .own = REGISTRY_SUBSCRIPTION_TOO_LONG},
	/* As EventSubscriptionLimitExceeded. */
	[MESSAGE_SUBSCRIPTIONS_TOO_LONG] = {.status = 403, .own = REGISTRY_SUBSCRIPTIONS_TOO_LONG},
	[MESSAGE_EVENTS_NOT_DELIVERABLE] = {.status = 503, .own = REGISTRY_EVENTS_NOT_DELIVERABLE},
	[MESSAGE_SUBSCRIPTION_DISABLED] = {.status = 409, .own = REGISTRY_SUBSCRIPTION_DISABLED},
	[MESSAGE_DESTINATION_NOT_ALLOWED] = {.status = 400,
					     .own = REGISTRY_DESTINATION_NOT_ALLOWED},
	[MESSAGE_TEST_EVENT_NOT_DELIVERED] = {.status = 500,
					      .own = REGISTRY_TEST_EVENT_NOT_DELIVERED},
	[MESSAGE_ACCOUNTS_NOT_WRITABLE] = {.status = 403, .own = REGISTRY_ACCOUNTS_NOT_WRITABLE},
	[MESSAGE_NO_ACCOUNT] = {.status = 401, .own = REGISTRY_NO_ACCOUNT},
	[MESSAGE_LAST_ADMINISTRATOR] = {.status = 403, .own = REGISTRY_LAST_ADMINISTRATOR},
	[MESSAGE_PASSWORD_NOT_CHANGED] = {.status = 400, .own = REGISTRY_PASSWORD_NOT_CHANGED},
	[MESSAGE_CERTIFICATE_REJECTED] = {.status = 400, .own = REGISTRY_CERTIFICATE_REJECTED},
	[MESSAGE_TASK_NOT_CANCELLABLE] = {.status = 409, .own = REGISTRY_TASK_NOT_CANCELLABLE},
	[MESSAGE_TASK_INTERRUPTED] = {.status = 500, .own = REGISTRY_TASK_RESULT_UNKNOWN},
	[MESSAGE_NOT_CHANGEABLE] = {.status = 405, .own = REGISTRY_NOT_CHANGEABLE},
	[MESSAGE_MEMORY_IN_USE] = {.status = 409, .own = REGISTRY_MEMORY_IN_USE},
	[MESSAGE_SWITCH_CHANGE_FAILED] = {.status = 500, .own = REGISTRY_SWITCH_CHANGE_FAILED},
	[MESSAGE_CHANGE_REFUSED] = {.status = 409, .own = REGISTRY_CHANGE_REFUSED},
	[MESSAGE_CHANGE_UNDONE] = {.status = 500, .own = REGISTRY_CHANGE_UNDONE},
	[MESSAGE_CHANGE_INCOMPLETE] = {.status = 500, .own = REGISTRY_CHANGE_INCOMPLETE},
	[MESSAGE_CHANGE_UNKNOWN] = {.status = 500, .own = REGISTRY_CHANGE_UNKNOWN},
	[MESSAGE_CHANGE_IN_PROGRESS] = {.status = 409, .own = REGISTRY_CHANGE_IN_PROGRESS},
	[MESSAGE_UPLOAD_REFUSED] = {.status = 400, .own = REGISTRY_UPLOAD_REFUSED},
	[MESSAGE_PAGE_STAYS_OUT] = {.status = 200, .own = REGISTRY_PAGE_STAYS_OUT},
	[MESSAGE_PAGE_FAILED] = {.status = 500, .own = REGISTRY_PAGE_FAILED},
	[MESSAGE_PAGES_OUT_OF_USE] = {.status = 200, .own = REGISTRY_PAGES_OUT_OF_USE},
	[MESSAGE_FIRMWARE_WRITTEN] = {.status = 200, .own = REGISTRY_FIRMWARE_WRITTEN},
	[MESSAGE_RAW_COMMAND_SENT] = {.status = 200, .own = REGISTRY_RAW_COMMAND_SENT},
	[MESSAGE_PAGES_MAY_RETURN] = {.status = 200, .own = REGISTRY_PAGES_MAY_RETURN},
	[MESSAGE_MEDIA_SCANNED] = {.status = 200, .own = REGISTRY_MEDIA_SCANNED},
	[MESSAGE_DIAGNOSTICS_NOT_AVAILABLE] = {.status = 500,
					       .own = REGISTRY_DIAGNOSTICS_NOT_AVAILABLE},
};

/* The argument, from 1, that is the name of a property or of an action's parameter. */
static const unsigned char property_args[MESSAGE_COUNT] = {
	[MESSAGE_ACTION_PARAMETER_MISSING] = 2,
	[MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED] = 1,
	[MESSAGE_ACTION_PARAMETER_UNKNOWN] = 2,
	[MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT] = 1,
	[MESSAGE_ACTION_PARAMETER_VALUE_ERROR] = 1,
	[MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR] = 2,
	[MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST] = 2,
	[MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR] = 2,
	[MESSAGE_ARRAY_SIZE_TOO_LONG] = 1,
	[MESSAGE_ARRAY_SIZE_TOO_SHORT] = 1,
	[MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES] = 1,
	[MESSAGE_PROPERTY_MISSING] = 1,
	[MESSAGE_PROPERTY_NOT_WRITABLE] = 1,
	[MESSAGE_PROPERTY_TOO_LONG] = 1,
	[MESSAGE_PROPERTY_UNKNOWN] = 1,
	[MESSAGE_PROPERTY_VALUE_CONFLICT] = 1,
	[MESSAGE_PROPERTY_VALUE_ERROR] = 1,
	[MESSAGE_PROPERTY_VALUE_FORMAT_ERROR] = 2,
	[MESSAGE_PROPERTY_VALUE_INCORRECT] = 1,
	[MESSAGE_PROPERTY_VALUE_NOT_IN_LIST] = 2,
	[MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE] = 2,
	[MESSAGE_PROPERTY_VALUE_TYPE_ERROR] = 2,
	[MESSAGE_RESOURCE_ALREADY_EXISTS] = 2,
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

void message_set_property(struct message *m, const char *name)
{
	char *to = m->property, *end = m->property + sizeof(m->property) - 1;

	*to++ = '#';
	*to++ = '/';
	/* A JSON pointer (RFC 6901); a name that is too long is cut between characters. */
	for (; *name && end - to > UTF8_MAX; name++) {
		if (*name == '~' || *name == '/') {
			*to++ = '~';
			*to++ = *name == '~' ? '0' : '1';
		} else {
			*to++ = *name;
		}
	}
	for (; ((unsigned char)*name & 0xc0) == 0x80 && to < end; name++)
		*to++ = *name;
	*to = '\0';
}

void message_set(struct message *m, enum message_id id, const char *a, const char *b, const char *c)
{
	const char *args[MESSAGE_ARGS_MAX] = {a, b, c};

	*m = (struct message){.id = id, .status = kinds[id].status};
	for (size_t i = 0; i < MESSAGE_ARGS_MAX; i++)
		if (args[i])
			copy_cut(m->args[i], sizeof(m->args[i]), args[i]);
	if (property_args[id])
		message_set_property(m, m->args[property_args[id] - 1]);
}

void message_list_add(struct message_list *l, const struct message *m)
{
	if (l->n < MESSAGES_MAX)
		l->items[l->n++] = *m;
	else
		message_set(&l->items[MESSAGES_MAX - 1], MESSAGE_MAXIMUM_ERRORS_EXCEEDED, NULL,
			    NULL, NULL);
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
	char text[MESSAGE_SENTENCE_MAX];

	message_sentence(m, text, sizeof(text));
	put_string(w, key, text);
}

void put_extended_info(const struct message *m, struct json_writer *w)
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

void put_messages(const struct message *items, size_t n, struct json_writer *w)
{
	put_array(w, EXTENDED_INFO);
	for (size_t i = 0; i < n; i++)
		put_extended_info(&items[i], w);
	put_end(w);
}

struct representation *message_body(const struct message *items, size_t n)
{
	struct json_writer w = {0};
	struct message general;
	const struct message *code = items;

	if (n > 1) {
		message_set(&general, MESSAGE_GENERAL_ERROR, NULL, NULL, NULL);
		code = &general;
	}
	put_object(&w, NULL);
	put_object(&w, "error");
	put_message_id(code, "code", &w);
	put_text(code, "message", &w);
	put_messages(items, n, &w);
	put_end(&w);
	put_end(&w);
	return redfish_body_new(&w, CONTENT_TYPE_JSON);
}
