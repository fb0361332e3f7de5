// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/query.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

struct option_kind {
	const char *name;
	unsigned int bit;
};

static const struct option_kind kinds[] = {
	{"$top", QUERY_TOP},
	{"$skip", QUERY_SKIP},
	{"$skiptoken", QUERY_SKIPTOKEN},
	{"$filter", QUERY_FILTER},
	{"$expand", QUERY_EXPAND},
	{"$select", QUERY_SELECT},
	{"includeoriginofcondition", QUERY_ORIGIN},
	{"only", QUERY_ONLY},
	{"excerpt", QUERY_EXCERPT},
};

static unsigned int bit_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_equal(kinds[i].name, name))
			return kinds[i].bit;
	return 0;
}

static int query_refuse(struct message *m, enum message_id id, const char *a, const char *b)
{
	message_set(m, id, a, b, NULL);
	return -EINVAL;
}

/* Return: 0 when the value is a decimal number. */
static int read_number(const struct http_option *o, uint64_t *ret, struct message *m)
{
	const char *value = o->value ? o->value : "";

	/* parse_u64() also accepts 0x. */
	if (!value[0] || strspn(value, "0123456789") != strlen(value))
		return query_refuse(m, MESSAGE_QUERY_PARAMETER_VALUE_TYPE_ERROR, value, o->name);
	if (parse_u64(value, ret) < 0 || *ret > INT64_MAX) {
		message_set(m, MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, value, o->name,
			    "0 to 9223372036854775807");
		return -EINVAL;
	}
	return 0;
}

static int read_option(const struct http_option *o, struct query *q, struct message *m)
{
	const char *value = o->value ? o->value : "";

	switch (bit_of(o->name)) {
	case QUERY_TOP:
		return read_number(o, &q->top, m);
	case QUERY_SKIP:
		return read_number(o, &q->skip, m);
	case QUERY_SKIPTOKEN:
		return read_number(o, &q->skiptoken, m);
	case QUERY_EXPAND:
		return expansion_parse(value, &q->expand, m);
	case QUERY_SELECT:
		q->select = value;
		return select_parse(value, NULL, m);
	case QUERY_FILTER:
		q->filter = value;
		if (value[0] && strlen(value) <= QUERY_FILTER_MAX)
			return 0;
		break;
	default: /* the others have no value */
		if (!value[0])
			return 0;
		break;
	}
	return query_refuse(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, value, o->name);
}

/* `only` gives another resource than the one whose members the other options are about. */
static bool is_combination(unsigned int given)
{
	return !(given & QUERY_ONLY) || given == QUERY_ONLY;
}

int query_parse(const struct http_option *options, size_t n, unsigned int taken, struct query *ret,
		struct message *ret_message)
{
	struct query q = {.top = QUERY_TOP_DEFAULT};
	int r;

	for (size_t i = 0; i < n; i++) {
		unsigned int bit = bit_of(options[i].name);

		if (!bit)
			return query_refuse(ret_message, MESSAGE_QUERY_PARAMETER_UNSUPPORTED,
					    options[i].name, NULL);
		if (bit == QUERY_ORIGIN && !(taken & bit))
			continue;
		/* A repeated option is ambiguous. */
		if (q.given & bit)
			return query_refuse(ret_message, MESSAGE_QUERY_COMBINATION_INVALID, NULL,
					    NULL);
		q.given |= bit;
		r = read_option(&options[i], &q, ret_message);
		if (r < 0)
			return r;
	}
	if (q.given & ~taken)
		return query_refuse(ret_message, MESSAGE_QUERY_NOT_SUPPORTED_ON_RESOURCE, NULL,
				    NULL);
	if (!is_combination(q.given))
		return query_refuse(ret_message, MESSAGE_QUERY_COMBINATION_INVALID, NULL, NULL);
	if (q.top > QUERY_TOP_MAX)
		q.top = QUERY_TOP_MAX;
	*ret = q;
	return 0;
}

/* ---- links to the next page -------------------------------------------------------------------
 */

/* Characters allowed in a query without encoding (RFC 3986 3.4), without what separates options. */
static void put_encoded(const char *text, char *ret)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:@,*'()";
	static const char hex[] = "0123456789ABCDEF";

	for (; *text; text++) {
		if (strchr(plain, *text)) {
			*ret++ = *text;
			continue;
		}
		*ret++ = '%';
		*ret++ = hex[(unsigned char)*text >> 4];
		*ret++ = hex[*text & 0xf];
	}
	*ret = '\0';
}

void query_next_link(const struct query *q, const char *uri, const char *position, uint64_t at,
		     char ret[static QUERY_LINK_MAX])
{
	char text[3 * FILTER_TEXT_MAX + 1];
	size_t n = (size_t)snprintf(ret, QUERY_LINK_MAX, "%s?%s=%" PRIu64, uri, position, at);

	_Static_assert((int)SELECT_TEXT_MAX <= (int)FILTER_TEXT_MAX, "both fit into the text");
	if (q->given & QUERY_TOP)
		n += (size_t)snprintf(ret + n, QUERY_LINK_MAX - n, "&$top=%" PRIu64, q->top);
	if (q->given & QUERY_EXPAND)
		n += (size_t)snprintf(ret + n, QUERY_LINK_MAX - n, "&$expand=%c($levels=%u)",
				      (char)q->expand.links, q->expand.levels);
	if (q->given & QUERY_EXCERPT)
		n += (size_t)snprintf(ret + n, QUERY_LINK_MAX - n, "&excerpt");
	if (q->select) {
		put_encoded(q->select, text);
		n += (size_t)snprintf(ret + n, QUERY_LINK_MAX - n, "&$select=%s", text);
	}
	if (q->filter) {
		put_encoded(q->filter, text);
		(void)snprintf(ret + n, QUERY_LINK_MAX - n, "&$filter=%s", text);
	}
}
