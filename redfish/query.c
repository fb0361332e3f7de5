// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query.h"

#include <errno.h>
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
	default:
		if (!value[0] || strlen(value) > QUERY_FILTER_MAX)
			return query_refuse(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, value,
					    o->name);
		q->filter = value;
		return 0;
	}
}

int query_parse(const struct http_option *options, size_t n, unsigned int taken, struct query *ret,
		struct message *ret_message)
{
	struct query q = {.top = QUERY_TOP_DEFAULT};
	int r;

	for (size_t i = 0; i < n; i++) {
		unsigned int bit = bit_of(options[i].name);

		if (!(taken & bit))
			return query_refuse(ret_message, MESSAGE_QUERY_PARAMETER_UNSUPPORTED,
					    options[i].name, NULL);
		/* A repeated option is ambiguous. */
		if (q.given & bit)
			return query_refuse(ret_message, MESSAGE_QUERY_COMBINATION_INVALID, NULL,
					    NULL);
		q.given |= bit;
		r = read_option(&options[i], &q, ret_message);
		if (r < 0)
			return r;
	}
	if (q.top > QUERY_TOP_MAX)
		q.top = QUERY_TOP_MAX;
	*ret = q;
	return 0;
}
