// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/subscription.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"
#include "push/protocol.h"
#include "push/post_parts.h"
#include "redfish/core/odata.h"
#include "redfish/core/system_id.h"

#define LINK_URI "@odata.id"

static const char *const protocols[] = {"Redfish", NULL};
static const char *const formats[] = {"Event", NULL};
static const char *const kinds[] = {"RedfishEvent", NULL};
static const char *const severities[] = {"OK", "Warning", "Critical", NULL};
static const char *const policies[] = {"TerminateAfterRetries", "SuspendRetries", "RetryForever",
				       "RetryForeverWithBackoff", NULL};
static const char *const event_types[] = {
	"StatusChange", "ResourceUpdated", "ResourceAdded", "ResourceRemoved",
	"Alert",	"MetricReport",	   "Other",	    NULL};

static int refuse_property(struct message *m, enum message_id id, const char *a, const char *b,
			   const struct parameter *p)
{
	message_set(m, id, a, b, NULL);
	message_set_property(m, p->name);
	return -EINVAL;
}

/* Rejects a value by its number of bytes. */
static int refuse_size(struct message *m, size_t size, size_t max, const struct parameter *p)
{
	char has[24], limit[24];

	(void)snprintf(has, sizeof(has), "%zu", size);
	(void)snprintf(limit, sizeof(limit), "%zu", max);
	message_set(m, MESSAGE_PROPERTY_TOO_LONG, p->name, has, limit);
	return -EINVAL;
}

/* Return: the number of bytes of a value as JSON. */
static size_t json_bytes(const json_t *value)
{
	return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

static const char *link_uri(const json_t *link)
{
	return json_string_value(json_object_get(link, LINK_URI));
}

/* Checks the size of all items of a list together; a link counts as its URI. */
static int check_list(const struct parameter *p, const json_t *value, struct message *m)
{
	size_t size = 0;

	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *one = json_array_get(value, i);

		size += json_bytes(p->type == PARAMETER_LINKS ? json_object_get(one, LINK_URI)
							      : one);
	}
	return size <= SUBSCRIPTION_LIST_BYTES_MAX
		       ? 0
		       : refuse_size(m, size, SUBSCRIPTION_LIST_BYTES_MAX, p);
}

/*
 * Return: the links without their other members, which may be of any size, and as this service has
 * them: they name the same resources when it has another Id.
 */
static json_t *keep_links(const json_t *value)
{
	json_t *kept = json_array();
	char own[RESOURCE_URI_MAX];

	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *uri = link_uri(json_array_get(value, i));

		if (json_array_append_new(
			    kept, json_pack("{s:s}", LINK_URI, system_id_read_any(uri, own))) < 0) {
			json_decref(kept);
			return NULL;
		}
	}
	return kept;
}

/* Their values may be secrets and are not repeated in messages. */
static int check_headers(const struct parameter *p, const json_t *value, struct message *m)
{
	size_t len = 0, n = 0;
	char limit[24];

	for (size_t i = 0; i < json_array_size(value); i++) {
		json_t *one = json_array_get(value, i), *text;
		const char *name;

		json_object_foreach(one, name, text) {
			if (!json_is_string(text) ||
			    !post_header_is_sane(name, json_string_value(text),
						 json_string_length(text)))
				return refuse_property(m, MESSAGE_PROPERTY_VALUE_ERROR, p->name,
						       NULL, p);
			len += strlen(name) + 2 + json_string_length(text) + 1;
			n++;
		}
	}
	(void)snprintf(limit, sizeof(limit), "%d", SUBSCRIPTION_HEADERS_MAX);
	if (n > SUBSCRIPTION_HEADERS_MAX)
		return refuse_property(m, MESSAGE_ARRAY_SIZE_TOO_LONG, p->name, limit, p);
	if (len > PUSH_HEADERS_MAX)
		return refuse_size(m, len, PUSH_HEADERS_MAX, p);
	return 0;
}

#define TEXT_ROW(property)                                                                         \
	.name = (property), .type = PARAMETER_TEXT, .max = SUBSCRIPTION_TEXT_MAX,                  \
	.null_is_default = true

#define TEXTS_ROW(property)                                                                        \
	.name = (property), .type = PARAMETER_TEXTS, .max = SUBSCRIPTION_TEXT_MAX,                 \
	.max_items = SUBSCRIPTION_LIST_MAX, .null_is_default = true, .fixed = true

#define HEADERS "HttpHeaders"
#define VERIFY	"VerifyCertificate"

/* In the order of output; what a PATCH may change is as in the schema. */
static const struct parameter rows[] = {
	{.name = "Destination",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .fixed = true,
	 .max = PUSH_URL_MAX,
	 .accepts = post_url_is_sane,
	 .description = "an http or https URL without user name and password"},
	{.name = "Protocol",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .fixed = true,
	 .values = protocols},
	{TEXT_ROW("SubscriptionType"), .fixed = true, .values = kinds},
	{TEXT_ROW("EventFormatType"), .fixed = true, .values = formats},
	{TEXT_ROW("Context"), .description = "sent with each event"},
	/* Their values may be secrets. */
	{.name = HEADERS,
	 .type = PARAMETER_OBJECTS,
	 .null_is_default = true,
	 .secret = true,
	 .max_items = SUBSCRIPTION_HEADERS_MAX,
	 .description = "sent with each event, and never shown"},
	{TEXT_ROW("DeliveryRetryPolicy"), .values = policies},
	{.name = VERIFY,
	 .type = PARAMETER_BOOLEAN,
	 .null_is_default = true,
	 .description = "true, if it is not given"},
	{TEXTS_ROW("RegistryPrefixes")},
	{TEXTS_ROW("ExcludeRegistryPrefixes")},
	{TEXTS_ROW("MessageIds")},
	{TEXTS_ROW("ExcludeMessageIds")},
	{TEXTS_ROW("Severities"), .values = severities},
	{TEXTS_ROW("ResourceTypes")},
	{.name = "OriginResources",
	 .type = PARAMETER_LINKS,
	 .null_is_default = true,
	 .fixed = true,
	 .max_items = SUBSCRIPTION_LIST_MAX},
	{.name = "SubordinateResources",
	 .type = PARAMETER_BOOLEAN,
	 .null_is_default = true,
	 .fixed = true},
	{.name = "IncludeOriginOfCondition",
	 .type = PARAMETER_BOOLEAN,
	 .null_is_default = true,
	 .fixed = true},
	{TEXTS_ROW("EventTypes"), .values = event_types},
};

const struct parameters subscription_body = {PARAMETER_ROWS(rows)};

/* Limits that the table has not. */
static int check_value(const struct parameter *p, const json_t *value, struct message *m)
{
	if (p->type == PARAMETER_TEXTS || p->type == PARAMETER_LINKS)
		return check_list(p, value, m);
	return str_equal(p->name, HEADERS) ? check_headers(p, value, m) : 0;
}

static int take_value(const struct parameter *p, const json_t *value, json_t *to, struct message *m)
{
	int r = check_value(p, value, m);

	if (r < 0)
		return r;
	if (json_is_null(value))
		return 0;
	/* A copy: a parsed string may have a buffer much longer than its text. */
	r = json_object_set_new(to, p->name,
				p->type == PARAMETER_LINKS ? keep_links(value)
							   : json_deep_copy(value));
	return r < 0 ? -ENOMEM : 0;
}

static int add_defaults(json_t *to, struct message *m)
{
	static const struct {
		const char *name, *value;
	} defaults[] = {
		{"SubscriptionType", "RedfishEvent"},
		{"EventFormatType", "Event"},
		{"Context", ""},
		{"DeliveryRetryPolicy", "RetryForeverWithBackoff"},
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].required && !json_object_get(to, rows[i].name))
			return refuse_property(m, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES,
					       rows[i].name, NULL, &rows[i]);
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		if (!json_object_get(to, defaults[i].name))
			r |= json_object_set_new(to, defaults[i].name,
						 json_string(defaults[i].value));
	/* The standard's default, not to verify, is not secure. */
	if (!json_object_get(to, VERIFY))
		r |= json_object_set_new(to, VERIFY, json_true());
	return r < 0 ? -ENOMEM : 0;
}

size_t subscription_size(const json_t *of)
{
	return json_dumpb(of, NULL, 0, JSON_COMPACT);
}

int subscription_too_long(struct message *m, size_t size, size_t max)
{
	char has[24], limit[24];

	(void)snprintf(has, sizeof(has), "%zu", size);
	(void)snprintf(limit, sizeof(limit), "%zu", max);
	message_set(m, MESSAGE_SUBSCRIPTION_TOO_LONG, has, limit, NULL);
	return -EINVAL;
}

/* The properties of one together, whatever each of them has. */
static int check_size(const json_t *of, struct message *m)
{
	const size_t size = subscription_size(of);

	return size <= SUBSCRIPTION_BYTES_MAX
		       ? 0
		       : subscription_too_long(m, size, SUBSCRIPTION_BYTES_MAX);
}

/* @to: what there is without the given values; taken over */
static int take_all(const json_t *given, json_t *to, json_t **ret, struct message *m)
{
	int r = to ? 0 : -ENOMEM;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && r >= 0; i++) {
		const json_t *value = json_object_get(given, rows[i].name);

		r = value ? take_value(&rows[i], value, to, m) : 0;
	}
	if (r >= 0)
		r = add_defaults(to, m);
	if (r >= 0)
		r = check_size(to, m);
	if (r < 0)
		json_decref(to);
	else
		*ret = to;
	return r;
}

int subscription_new(const json_t *given, json_t **ret, struct message *ret_message)
{
	return take_all(given, json_object(), ret, ret_message);
}

int subscription_change(const json_t *before, const json_t *given, json_t **ret,
			struct message *ret_message)
{
	return take_all(given, json_copy((json_t *)(uintptr_t)before), ret, ret_message);
}

static void put_links(struct json_writer *w, const char *name, const json_t *links)
{
	put_array(w, name);
	for (size_t i = 0; i < json_array_size(links); i++)
		put_link(w, NULL, "%s", link_uri(json_array_get(links, i)));
	put_end(w);
}

void put_subscription(struct json_writer *w, const json_t *from)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = rows[i].name;
		const json_t *value = json_object_get(from, name);
		char *text;

		if (str_equal(name, HEADERS)) {
			put_array(w, name);
			put_end(w);
			continue;
		}
		if (!value)
			continue;
		if (rows[i].type == PARAMETER_LINKS) {
			put_links(w, name, value);
			continue;
		}
		text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
		if (text)
			put_json(w, name, text, strlen(text));
		else
			w->failed = true;
		free(text);
	}
}

void put_subscription_headers(struct json_writer *w, const json_t *from)
{
	json_t *list = json_object_get(from, HEADERS);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name;
		json_t *text;

		json_object_foreach(json_array_get(list, i), name, text) {
			put_raw(w, name);
			put_raw(w, ": ");
			put_raw_bytes(w, json_string_value(text), json_string_length(text) + 1);
		}
	}
}
