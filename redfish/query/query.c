// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/query.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/system_id.h"

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
	{"day", QUERY_DAY},
	{"clientcontext", QUERY_CONTEXT},
};

/* Options without $ are ignored by resources that do not have them (DSP0266 1.20 7.3.1). */
enum { IGNORED_ELSEWHERE = QUERY_ORIGIN | QUERY_DAY | QUERY_CONTEXT };

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

/* strptime() also admits blanks, and numbers of fewer digits. */
static bool has_form_of_date(const char *s)
{
	static const char digits[] = "0123456789";

	return strspn(s, digits) == 4 && s[4] == '-' && strspn(s + 5, digits) == 2 && s[7] == '-' &&
	       strspn(s + 8, digits) == 2 && !s[10];
}

/* Return: whether the value is a date "2026-11-27", which exists. */
static bool read_day(const char *value, uint64_t *ret)
{
	struct tm tm = {0};
	int day;
	time_t t;

	if (!has_form_of_date(value) || !strptime(value, "%Y-%m-%d", &tm))
		return false;
	/* February 30 becomes March 2. */
	day = tm.tm_mday;
	t = timegm(&tm);
	if (t < 0 || tm.tm_mday != day)
		return false;
	*ret = (uint64_t)t / QUERY_DAY_S;
	return true;
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
	case QUERY_CONTEXT:
		q->context = value;
		if (value[0])
			return 0;
		break;
	case QUERY_DAY:
		if (read_day(value, &q->day))
			return 0;
		break;
	default: /* the others have no value */
		if (!value[0])
			return 0;
		break;
	}
	return query_refuse(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, value, o->name);
}

/*
 * `only` gives another resource than the one whose members the other options are about, and a
 * client context defines itself where a page begins.
 */
static bool is_combination(unsigned int given)
{
	if (given & QUERY_CONTEXT && given & (QUERY_SKIP | QUERY_SKIPTOKEN))
		return false;
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
		if (bit & IGNORED_ELSEWHERE && !(taken & bit))
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
	char text[3 * FILTER_TEXT_MAX + 1], shown[SHOWN_URI_MAX];
	size_t n;

	_Static_assert((int)SELECT_TEXT_MAX <= (int)FILTER_TEXT_MAX, "both fit into the text");
	_Static_assert((int)QUERY_CONTEXT_MAX <= (int)FILTER_TEXT_MAX, "a key does, too");
	if (q->given & QUERY_CONTEXT) {
		put_encoded(q->context, text);
		n = (size_t)snprintf(ret, QUERY_LINK_MAX, "%s?clientcontext=%s",
				     system_id_show(uri, shown), text);
	} else {
		n = (size_t)snprintf(ret, QUERY_LINK_MAX, "%s?%s=%" PRIu64,
				     system_id_show(uri, shown), position, at);
	}
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

enum { KEY_MAX = 128 };

/* Annotations that say what an object is. */
#define ODATA "@odata."

static int refuse_select(struct message *m, const char *text)
{
	message_set(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, text, "$select", NULL);
	return -EINVAL;
}

/* Names have letters, digits and what annotations add (DSP0266 9.5); '/' is between names. */
static bool is_path(const char *s, size_t n)
{
	static const char others[] = "_@.#-";

	if (n == 0 || s[0] == '/' || s[n - 1] == '/' || memmem(s, n, "//", 2))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '/' && !strchr(others, s[i]))
			return false;
	return true;
}

int select_parse(const char *text, struct selection *ret, struct message *ret_message)
{
	struct selection s = {.n = 0};
	const char *at = text;

	if (strlen(text) > SELECT_TEXT_MAX)
		return refuse_select(ret_message, text);
	for (;;) {
		size_t blanks = strspn(at, " "), n = strcspn(at += blanks, ","), len = n;

		while (len > 0 && at[len - 1] == ' ')
			len--;
		if (!is_path(at, len) || s.n == SELECT_PATHS_MAX)
			return refuse_select(ret_message, text);
		s.paths[s.n++] = (struct json_span){at, len};
		at += n;
		if (!*at)
			break;
		at++;
	}
	if (ret)
		*ret = s;
	return 0;
}

/* ---- $select ----------------------------------------------------------------------------------
 */

static bool has_prefix(struct json_span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && memcmp(s.at, prefix, n) == 0;
}

/* The key as the writer takes it; keys of this service are short. */
static bool copy_key(struct json_span key, char ret[static KEY_MAX])
{
	if (key.len >= KEY_MAX)
		return false;
	memcpy(ret, key.at, key.len);
	ret[key.len] = '\0';
	return true;
}

/*
 * Whether a whole property is selected, or an annotation of it, "Name@…". Otherwise @ret_within
 * has the paths that lead into it.
 */
static bool is_selected(const struct selection *s, struct json_span key,
			struct selection *ret_within)
{
	ret_within->n = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct json_span p = s->paths[i];

		if (p.len <= key.len && memcmp(p.at, key.at, p.len) == 0 &&
		    (p.len == key.len || key.at[p.len] == '@'))
			return true;
		if (p.len > key.len + 1 && memcmp(p.at, key.at, key.len) == 0 &&
		    p.at[key.len] == '/')
			ret_within->paths[ret_within->n++] =
				(struct json_span){p.at + key.len + 1, p.len - key.len - 1};
	}
	return false;
}

static void select_object(const struct selection *s, struct json_span object, const char *as,
			  struct json_writer *w);

/* The items that are objects, each reduced. */
static void select_items(const struct selection *s, struct json_span array, const char *as,
			 struct json_writer *w)
{
	struct json_cursor c;
	struct json_span item;

	if (!json_enter(array, '[', &c))
		return;
	put_array(w, as);
	while (json_next_item(&c, &item))
		if (item.at[0] == '{')
			select_object(s, item, NULL, w);
	put_end(w);
}

/* Applies the selection of a collection to its members; "Members/…" does the same. */
static void select_members(const struct selection *s, const struct selection *within,
			   struct json_span members, struct json_writer *w)
{
	struct selection both = *s;

	for (size_t i = 0; i < within->n && both.n < SELECT_PATHS_MAX; i++)
		both.paths[both.n++] = within->paths[i];
	select_items(&both, members, "Members", w);
}

static void select_object(const struct selection *s, struct json_span object, const char *as,
			  struct json_writer *w)
{
	struct json_span key, value;
	struct selection within;
	struct json_cursor c;
	char name[KEY_MAX];

	if (!json_enter(object, '{', &c))
		return;
	put_object(w, as);
	while (json_next_member(&c, &key, &value)) {
		bool whole = is_selected(s, key, &within);

		if (!copy_key(key, name))
			continue;
		if (whole || has_prefix(key, ODATA) || has_prefix(key, "Members@odata."))
			put_json(w, name, value.at, value.len);
		else if (str_equal(name, "Members") && value.at[0] == '[')
			select_members(s, &within, value, w);
		else if (within.n > 0 && value.at[0] == '{')
			select_object(&within, value, name, w);
		else if (within.n > 0)
			select_items(&within, value, name, w);
	}
	put_end(w);
}

void select_properties(const struct selection *s, struct json_span resource, struct json_writer *w)
{
	select_object(s, resource, NULL, w);
}

/* ---- excerpt ----------------------------------------------------------------------------------
 */

/* Required properties, and those with an Excerpt annotation (Sensor 1.13). */
static const char *const sensor_excerpt[] = {
	"Id",
	"Name",
	"ApparentVA",
	"ApparentkVAh",
	"CrestFactor",
	"DataSourceUri",
	"DeviceName",
	"LifetimeReading",
	"PhaseAngleDegrees",
	"PhysicalContext",
	"PhysicalSubContext",
	"PowerFactor",
	"ReactiveVAR",
	"ReactivekVARh",
	"Reading",
	"SensorResetTime",
	"SpeedRPM",
	"THDPercent",
	"Thresholds",
};

static bool is_in_excerpt(struct json_span key)
{
	for (size_t i = 0; i < ARRAY_SIZE(sensor_excerpt); i++)
		if (json_span_is(key, sensor_excerpt[i]))
			return true;
	return has_prefix(key, ODATA);
}

static bool is_sensor(struct json_span object)
{
	struct json_span type;

	return json_member(object, "@odata.type", &type) && has_prefix(type, "\"#Sensor.");
}

static void excerpt_value(const char *as, struct json_span value, struct json_writer *w);

static void excerpt_object(const char *as, struct json_span object, struct json_writer *w)
{
	bool sensor = is_sensor(object);
	struct json_span key, value;
	struct json_cursor c;
	char name[KEY_MAX];

	if (!json_enter(object, '{', &c))
		return;
	put_object(w, as);
	while (json_next_member(&c, &key, &value))
		if (copy_key(key, name) && (!sensor || is_in_excerpt(key)))
			excerpt_value(name, value, w);
	put_end(w);
}

static void excerpt_value(const char *as, struct json_span value, struct json_writer *w)
{
	struct json_cursor c;
	struct json_span item;

	if (value.at[0] == '{') {
		excerpt_object(as, value, w);
	} else if (json_enter(value, '[', &c)) {
		put_array(w, as);
		while (json_next_item(&c, &item))
			excerpt_value(NULL, item, w);
		put_end(w);
	} else {
		put_json(w, as, value.at, value.len);
	}
}

void put_excerpt(struct json_span resource, struct json_writer *w)
{
	excerpt_value(NULL, resource, w);
}
