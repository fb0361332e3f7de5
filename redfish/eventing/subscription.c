// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/subscription.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"
#include "push/protocol.h"
#include "redfish/core/schema.h"

#define LINK_URI "@odata.id"

struct property {
	const char *name;
	/* Return: 0, or -EINVAL with the error message. */
	int (*check)(const struct property *p, const json_t *value, struct message *m);
	/* Return: what is kept of a checked value, a new reference; NULL: a copy of all of it. */
	json_t *(*keep)(const json_t *value);
	const char *const *words; /* the allowed values, ends with NULL; NULL: any text */
	const char *initially;	  /* the default; NULL: none */
	bool required, changeable;
};

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
			   const struct property *p)
{
	message_set(m, id, a, b, NULL);
	message_set_property(m, p->name);
	return -EINVAL;
}

/* @value: what the client sent, repeated in the message as it is or as JSON */
static int refuse_property_value(struct message *m, enum message_id id, const struct property *p,
				 const json_t *value)
{
	char *text = json_is_string(value) ? strdup(json_string_value(value))
					   : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	int r = refuse_property(m, id, text ? text : "", p->name, p);

	free(text);
	return r;
}

/* Checks a string's length and that it contains no NUL. @max: bytes */
static int check_string(const struct property *p, const json_t *value, size_t max,
			struct message *m)
{
	char limit[24];

	if (!json_is_string(value))
		return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, p, value);
	if (strlen(json_string_value(value)) != json_string_length(value))
		return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_FORMAT_ERROR, p, value);
	if (json_string_length(value) <= max)
		return 0;
	(void)snprintf(limit, sizeof(limit), "%zu", max);
	return refuse_property(m, MESSAGE_STRING_VALUE_TOO_LONG, json_string_value(value), limit,
			       p);
}

/* Rejects a value by its number of bytes. */
static int refuse_size(struct message *m, size_t size, size_t max, const struct property *p)
{
	char has[24], limit[24];

	(void)snprintf(has, sizeof(has), "%zu", size);
	(void)snprintf(limit, sizeof(limit), "%zu", max);
	message_set(m, MESSAGE_PROPERTY_TOO_LONG, p->name, has, limit);
	return -EINVAL;
}

static int check_text(const struct property *p, const json_t *value, struct message *m)
{
	int r = check_string(p, value, SUBSCRIPTION_TEXT_MAX, m);

	if (r < 0)
		return r;
	for (size_t i = 0; p->words; i++) {
		if (!p->words[i])
			return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_NOT_IN_LIST, p,
						     value);
		if (str_equal(p->words[i], json_string_value(value)))
			break;
	}
	return 0;
}

static int check_bool(const struct property *p, const json_t *value, struct message *m)
{
	if (json_is_boolean(value))
		return 0;
	return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, p, value);
}

/* http or https and a host; no user name and password, because the property is readable. */
static bool url_is_sane(const char *url)
{
	const char *host = str_after_prefix(url, "http://");
	size_t n;

	if (!host)
		host = str_after_prefix(url, "https://");
	if (!host)
		return false;
	for (const char *s = url; *s; s++)
		if ((unsigned char)*s <= 0x20 || (unsigned char)*s >= 0x7f ||
		    strchr("\"<>\\^`{|}#", *s))
			return false;
	n = strcspn(host, "/?");
	return n > 0 && host[0] != ':' && !memchr(host, '@', n);
}

static int check_destination(const struct property *p, const json_t *value, struct message *m)
{
	int r = check_string(p, value, PUSH_URL_MAX, m);

	if (r < 0 || url_is_sane(json_string_value(value)))
		return r;
	return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_FORMAT_ERROR, p, value);
}

static int check_list(const struct property *p, const json_t *value, size_t max, struct message *m)
{
	char limit[24];

	if (!json_is_array(value))
		return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, p, value);
	if (json_array_size(value) <= max)
		return 0;
	(void)snprintf(limit, sizeof(limit), "%zu", max);
	return refuse_property(m, MESSAGE_ARRAY_SIZE_TOO_LONG, p->name, limit, p);
}

/* Return: the number of bytes of a value as JSON. */
static size_t json_bytes(const json_t *value)
{
	return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

static int check_texts(const struct property *p, const json_t *value, struct message *m)
{
	int r = check_list(p, value, SUBSCRIPTION_LIST_MAX, m);
	size_t size = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(value); i++) {
		const json_t *one = json_array_get(value, i);

		r = check_text(p, one, m);
		size += r == 0 ? json_bytes(one) : 0;
	}
	if (r == 0 && size > SUBSCRIPTION_LIST_BYTES_MAX)
		return refuse_size(m, size, SUBSCRIPTION_LIST_BYTES_MAX, p);
	return r;
}

static int check_links(const struct property *p, const json_t *value, struct message *m)
{
	int r = check_list(p, value, SUBSCRIPTION_LIST_MAX, m);
	size_t size = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(value); i++) {
		const json_t *uri = json_object_get(json_array_get(value, i), LINK_URI);

		if (!uri)
			return refuse_property_value(m, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, p,
						     json_array_get(value, i));
		r = check_text(p, uri, m);
		size += r == 0 ? json_bytes(uri) : 0;
	}
	if (r == 0 && size > SUBSCRIPTION_LIST_BYTES_MAX)
		return refuse_size(m, size, SUBSCRIPTION_LIST_BYTES_MAX, p);
	return r;
}

/* Return: the links without their other members, which may be of any size. */
static json_t *keep_links(const json_t *value)
{
	json_t *kept = json_array();

	for (size_t i = 0; i < json_array_size(value); i++) {
		json_t *uri = json_object_get(json_array_get(value, i), LINK_URI);

		if (json_array_append_new(kept, json_pack("{s:o}", LINK_URI, json_deep_copy(uri))) <
		    0) {
			json_decref(kept);
			return NULL;
		}
	}
	return kept;
}

/* Headers that frame or describe the message cannot be set by the client (RFC 9110 5.6.2). */
static bool header_is_sane(const char *name, const json_t *value)
{
	static const char *const reserved[] = {
		"Connection",
		"Content-Encoding",
		"Content-Length",
		"Content-Type",
		"Expect",
		"Host",
		"Keep-Alive",
		"OData-Version",
		"TE",
		"Trailer",
		"Transfer-Encoding",
		"Upgrade",
	};

	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (strcasecmp(reserved[i], name) == 0)
			return false;
	if (!*name ||
	    strspn(name,
		   "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
		    strlen(name))
		return false;
	for (const unsigned char *s = (const unsigned char *)json_string_value(value); *s; s++)
		if ((*s < 0x20 && *s != '\t') || *s >= 0x7f)
			return false;
	/* libcurl removes a header that is given without a value. */
	return json_string_length(value) > 0 &&
	       strlen(json_string_value(value)) == json_string_length(value);
}

/* Their values may be secrets and are not repeated in messages. */
static int check_headers(const struct property *p, const json_t *value, struct message *m)
{
	size_t len = 0, n = 0;
	char limit[24];
	int r = check_list(p, value, SUBSCRIPTION_HEADERS_MAX, m);

	for (size_t i = 0; r == 0 && i < json_array_size(value); i++) {
		json_t *one = json_array_get(value, i), *text;
		const char *name;

		if (!json_is_object(one))
			return refuse_property(m, MESSAGE_PROPERTY_VALUE_ERROR, p->name, NULL, p);
		json_object_foreach(one, name, text) {
			if (!json_is_string(text) || !header_is_sane(name, text))
				return refuse_property(m, MESSAGE_PROPERTY_VALUE_ERROR, p->name,
						       NULL, p);
			len += strlen(name) + 2 + json_string_length(text) + 1;
			n++;
		}
	}
	(void)snprintf(limit, sizeof(limit), "%d", SUBSCRIPTION_HEADERS_MAX);
	if (r == 0 && n > SUBSCRIPTION_HEADERS_MAX)
		return refuse_property(m, MESSAGE_ARRAY_SIZE_TOO_LONG, p->name, limit, p);
	if (r == 0 && len > PUSH_HEADERS_MAX)
		return refuse_size(m, len, PUSH_HEADERS_MAX, p);
	return r;
}

/* In the order of output; writable as in the schema. */
static const struct property properties[] = {
	{"Destination", check_destination, .required = true},
	{"Protocol", check_text, .words = protocols, .required = true},
	{"SubscriptionType", check_text, .words = kinds, .initially = "RedfishEvent"},
	{"EventFormatType", check_text, .words = formats, .initially = "Event"},
	{"Context", check_text, .initially = "", .changeable = true},
	{"HttpHeaders", check_headers, .changeable = true},
	{"DeliveryRetryPolicy", check_text, .words = policies,
	 .initially = "RetryForeverWithBackoff", .changeable = true},
	{"VerifyCertificate", check_bool, .changeable = true},
	{"RegistryPrefixes", check_texts},
	{"ExcludeRegistryPrefixes", check_texts},
	{"MessageIds", check_texts},
	{"ExcludeMessageIds", check_texts},
	{"Severities", check_texts, .words = severities},
	{"ResourceTypes", check_texts},
	{"OriginResources", check_links, keep_links},
	{"SubordinateResources", check_bool},
	{"IncludeOriginOfCondition", check_bool},
	{"EventTypes", check_texts, .words = event_types},
};

static const struct property *property_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(properties); i++)
		if (str_equal(properties[i].name, name))
			return &properties[i];
	return NULL;
}

/* Return: 0, or -EINVAL with the error message. @ret: the property; NULL: an annotation */
static int check_property(const char *name, const json_t *value, bool is_new,
			  const struct property **ret, struct message *m)
{
	const struct property *p = property_find(name), unknown = {.name = name};

	*ret = NULL;
	if (strchr(name, '@')) /* annotations are ignored */
		return 0;
	if (!p)
		return refuse_property(m, schema_refusal("EventDestination", name), name, NULL,
				       &unknown);
	if (!is_new && !p->changeable)
		return refuse_property(m, MESSAGE_PROPERTY_NOT_WRITABLE, name, NULL, &unknown);
	*ret = p;
	if (json_is_null(value) && !p->required && is_new)
		return 0;
	return p->check(p, value, m);
}

/*
 * Checks the given properties and sets them in @to.
 * @ret_n: the number of properties that were given
 */
static int take_properties(const json_t *given, bool is_new, json_t *to, size_t *ret_n,
			   struct message *m)
{
	const char *name;
	json_t *value;
	size_t n = 0;

	json_object_foreach((json_t *)given, name, value) {
		const struct property *p;
		int r = check_property(name, value, is_new, &p, m);

		if (r < 0)
			return r;
		if (!p)
			continue;
		n++;
		if (json_is_null(value) && !p->required && is_new)
			continue;
		/* A copy: a parsed string may have a buffer much longer than its text. */
		if (json_object_set_new(to, name,
					p->keep ? p->keep(value) : json_deep_copy(value)) < 0)
			return -ENOMEM;
	}
	*ret_n = n;
	return 0;
}

static int add_defaults(json_t *to, struct message *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(properties); i++) {
		const struct property *p = &properties[i];

		if (json_object_get(to, p->name))
			continue;
		if (p->required)
			return refuse_property(m, MESSAGE_PROPERTY_MISSING, p->name, NULL, p);
		if (p->initially && json_object_set_new(to, p->name, json_string(p->initially)) < 0)
			return -ENOMEM;
	}
	/* The standard's default, not to verify, is not secure. */
	if (!json_object_get(to, "VerifyCertificate") &&
	    json_object_set_new(to, "VerifyCertificate", json_true()) < 0)
		return -ENOMEM;
	return 0;
}

void subscription_errors(const json_t *given, bool is_new, struct message_list *ret)
{
	const struct property *p;
	struct message m;
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)given, name, value) {
		if (check_property(name, value, is_new, &p, &m) < 0)
			message_list_add(ret, &m);
	}
	for (size_t i = 0; is_new && i < ARRAY_SIZE(properties); i++) {
		if (!properties[i].required || json_object_get(given, properties[i].name))
			continue;
		(void)refuse_property(&m, MESSAGE_PROPERTY_MISSING, properties[i].name, NULL,
				      &properties[i]);
		message_list_add(ret, &m);
	}
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

int subscription_new(const json_t *given, json_t **ret, struct message *ret_message)
{
	json_t *to = json_object();
	size_t n;
	int r;

	r = to ? take_properties(given, true, to, &n, ret_message) : -ENOMEM;
	if (r >= 0)
		r = add_defaults(to, ret_message);
	if (r >= 0)
		r = check_size(to, ret_message);
	if (r < 0)
		json_decref(to);
	else
		*ret = to;
	return r;
}

int subscription_change(const json_t *before, const json_t *given, json_t **ret,
			struct message *ret_message)
{
	json_t *to = json_copy((json_t *)before);
	size_t n;
	int r;

	r = to ? take_properties(given, false, to, &n, ret_message) : -ENOMEM;
	if (r >= 0 && n == 0) {
		message_set(ret_message,
			    json_object_size(given) ? MESSAGE_NO_OPERATION : MESSAGE_EMPTY_JSON,
			    NULL, NULL, NULL);
		r = -EINVAL;
	}
	if (r >= 0)
		r = check_size(to, ret_message);
	if (r < 0)
		json_decref(to);
	else
		*ret = to;
	return r;
}

void put_subscription(struct json_writer *w, const json_t *from)
{
	for (size_t i = 0; i < ARRAY_SIZE(properties); i++) {
		const char *name = properties[i].name;
		const json_t *value = json_object_get(from, name);
		char *text;

		if (properties[i].check == check_headers) {
			put_array(w, name);
			put_end(w);
			continue;
		}
		if (!value)
			continue;
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
	json_t *list = json_object_get(from, "HttpHeaders");

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
