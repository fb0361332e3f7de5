// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/delivery_filter.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/registry.h"
#include "redfish/core/system_id.h"

/* ---- the properties of a subscription ---------------------------------------------------------
 */

/* A prefix has no version; if a client gives one, it is ignored. */
static bool is_prefix_of(const char *prefix, size_t len, const char *id)
{
	const char *version = memchr(prefix, '.', len);

	if (version)
		len = (size_t)(version - prefix);
	return strncmp(id, prefix, len) == 0 && id[len] == '.';
}

static bool has_prefix(const json_t *list, const char *id)
{
	for (size_t i = 0; id && i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);

		if (is_prefix_of(json_string_value(one), json_string_length(one), id))
			return true;
	}
	return false;
}

static bool has_message(const json_t *list, const char *id)
{
	for (size_t i = 0; id && i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);

		if (message_id_matches(json_string_value(one), json_string_length(one), id))
			return true;
	}
	return false;
}

/* An empty list, or none, matches everything. */
static bool list_admits(const json_t *list, const char *value)
{
	if (json_array_size(list) == 0)
		return true;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (str_equal(json_string_value(json_array_get(list, i)), value))
			return true;
	return false;
}

/* A path, and with @below everything under it. */
static bool is_at(const char *uri, const char *path, bool below)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	if (!uri || strncmp(uri, path, n) != 0)
		return false;
	return uri[n] == '\0' || (below && uri[n] == '/');
}

static bool admits_origin(const json_t *properties, const char *origin)
{
	const json_t *list = json_object_get(properties, "OriginResources");
	bool below = json_is_true(json_object_get(properties, "SubordinateResources"));

	if (json_array_size(list) == 0)
		return true;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *link = json_array_get(list, i);

		if (is_at(origin, json_string_value(json_object_get(link, "@odata.id")), below))
			return true;
	}
	return false;
}

bool subscription_admits(const json_t *properties, const struct event_item *item)
{
	const json_t *prefixes = json_object_get(properties, "RegistryPrefixes");
	const json_t *messages = json_object_get(properties, "MessageIds");

	if (item->is_gap)
		return true;
	/* An event is delivered if it matches one of these two; all others exclude events. */
	if ((json_array_size(prefixes) || json_array_size(messages)) &&
	    !has_prefix(prefixes, item->message_id) && !has_message(messages, item->message_id))
		return false;
	if (has_prefix(json_object_get(properties, "ExcludeRegistryPrefixes"), item->message_id) ||
	    has_message(json_object_get(properties, "ExcludeMessageIds"), item->message_id))
		return false;
	return list_admits(json_object_get(properties, "Severities"), item->severity) &&
	       list_admits(json_object_get(properties, "EventTypes"), item->event_type) &&
	       list_admits(json_object_get(properties, "ResourceTypes"), item->resource_type) &&
	       admits_origin(properties, item->origin);
}

/* ---- $filter ----------------------------------------------------------------------------------
 */

enum { DEPTH_MAX = 16 };

/* Parses and evaluates in one pass, because the text is short. */
struct reader {
	const char *at;
	const struct event_item *item; /* NULL: only check the syntax */
	unsigned int depth;
	bool bad;
};

struct text {
	const char *at;
	size_t len;
};

static bool read_or(struct reader *r);

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t");
}

/* Consumes a keyword if it is next. Return: whether it was. */
static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(r);
	if (strncmp(r->at, word, n) != 0 || !strchr(" \t()'", r->at[n]))
		return false;
	r->at += n;
	return true;
}

static bool take_char(struct reader *r, char c)
{
	skip_blanks(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

/* A quoted string or an unquoted token. No value contains a quote. */
static struct text read_value(struct reader *r)
{
	bool quoted = take_char(r, '\'');
	struct text value = {r->at, strcspn(r->at, quoted ? "'" : " \t()'")};

	r->at += value.len;
	if (quoted ? !take_char(r, '\'') : value.len == 0)
		r->bad = true;
	return value;
}

static bool filter_equals(struct text value, const char *s)
{
	return s && strlen(s) == value.len && memcmp(s, value.at, value.len) == 0;
}

static bool matches_format(const struct event_item *item, struct text value)
{
	(void)item;
	return filter_equals(value, "Event");
}

static bool matches_message(const struct event_item *item, struct text value)
{
	return item->message_id && message_id_matches(value.at, value.len, item->message_id);
}

static bool matches_severity(const struct event_item *item, struct text value)
{
	return filter_equals(value, item->severity);
}

static bool matches_origin(const struct event_item *item, struct text value)
{
	char shown[SHOWN_URI_MAX];

	return item->origin && filter_equals(value, system_id_show(item->origin, shown));
}

static bool matches_prefix(const struct event_item *item, struct text value)
{
	return item->message_id && is_prefix_of(value.at, value.len, item->message_id);
}

static bool matches_type(const struct event_item *item, struct text value)
{
	return filter_equals(value, item->resource_type);
}

static bool read_comparison(struct reader *r)
{
	static const struct {
		const char *name;
		bool (*matches)(const struct event_item *item, struct text value);
	} terms[] = {
		{"EventFormatType", matches_format},   {"MessageId", matches_message},
		{"MessageSeverity", matches_severity}, {"OriginResource", matches_origin},
		{"RegistryPrefix", matches_prefix},    {"ResourceType", matches_type},
	};

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		struct text value;
		bool negated;

		if (!take_word(r, terms[i].name))
			continue;
		negated = take_word(r, "ne");
		if (!negated && !take_word(r, "eq"))
			break;
		value = read_value(r);
		return r->item && !r->bad && terms[i].matches(r->item, value) != negated;
	}
	r->bad = true;
	return false;
}

static bool read_operand(struct reader *r)
{
	bool result;

	if (++r->depth > DEPTH_MAX)
		r->bad = true;
	if (r->bad) {
		result = false;
	} else if (take_word(r, "not")) {
		result = !read_operand(r);
	} else if (take_char(r, '(')) {
		result = read_or(r);
		if (!take_char(r, ')'))
			r->bad = true;
	} else {
		result = read_comparison(r);
	}
	r->depth--;
	return result;
}

static bool read_and(struct reader *r)
{
	bool result = read_operand(r);

	while (!r->bad && take_word(r, "and")) {
		bool next = read_operand(r);

		result = result && next;
	}
	return result;
}

static bool read_or(struct reader *r)
{
	bool result = read_and(r);

	while (!r->bad && take_word(r, "or")) {
		bool next = read_and(r);

		result = result || next;
	}
	return result;
}

bool delivery_filter_check(const char *filter)
{
	struct reader r = {.at = filter};

	(void)read_or(&r);
	skip_blanks(&r);
	return !r.bad && *r.at == '\0';
}

bool delivery_filter_admits(const char *filter, const struct event_item *item)
{
	struct reader r = {.at = filter, .item = item};

	return item->is_gap || read_or(&r);
}
