// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/select.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

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

/* Required properties, and those with an Excerpt annotation (Sensor 1.12). */
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
