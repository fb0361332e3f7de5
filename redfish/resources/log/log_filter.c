// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/log/log_filter.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/feed/event_message.h"
#include "redfish/query/filter.h"
#include "redfish/core/registry.h"

struct range {
	uint64_t first, last; /* nothing when first > last */
};

static const char *message_of_type(unsigned int i);
static const char *name_of_severity(unsigned int i);
static const char *name_of_log(unsigned int i);

/* The properties that an expression may name, and the column of the store that each selects by. */
static const struct property {
	const char *path, *column;
	/* For a set: the text of a value; NULL: entries with it do not have the property. */
	const char *(*name)(unsigned int value);
	/* For a range. */
	int (*parse)(const char *text, uint64_t *ret);
	/* Values that no entry has: whether any is accepted, or only this one. */
	bool any_value;
	const char *unused_value;
} properties[] = {
	{"Severity", "severity", .name = name_of_severity},
	{"MessageId", "type", .name = message_of_type, .any_value = true},
	{"CXLEntryType", "log", .name = name_of_log, .unused_value = "DynamicCapacity"},
	{"Created", "wall", .parse = filter_time},
	{"Oem/CXLHost/SystemPhysicalAddress", "spa", .parse = parse_address},
};
enum { PROPERTIES = ARRAY_SIZE(properties) };

/* The entries that match: those that all sets and ranges contain. */
struct matches {
	unsigned int about; /* bit per property that was named, and may be narrower than all */
	unsigned int sets[PROPERTIES];
	struct range ranges[PROPERTIES];
};

static bool is_set(unsigned int property)
{
	return properties[property].name != NULL;
}

static unsigned int all_values(unsigned int property)
{
	return (1U << event_filter_values(properties[property].column)) - 1;
}

static void match_everything(struct matches *m)
{
	*m = (struct matches){0};
	for (unsigned int i = 0; i < PROPERTIES; i++) {
		m->sets[i] = all_values(i);
		m->ranges[i] = (struct range){0, UINT64_MAX};
	}
}

struct conversion {
	const struct filter *f;
	struct message *message;
};

/* ---- values -----------------------------------------------------------------------------------
 */

static const char *name_of_severity(unsigned int i)
{
	return event_severity_name(i);
}

static const char *message_of_type(unsigned int i)
{
	const struct stored_event ev = {.record.type = i};

	return event_message_id(&ev);
}

static const char *name_of_log(unsigned int i)
{
	struct stored_event ev = {0};

	ev.record.present = UINT64_C(1) << FIELD_LOG;
	ev.record.number[FIELD_LOG] = i;
	return event_log_name(&ev);
}

/* Return: the values of that name; 0 when there is none. */
static unsigned int values_of(const struct property *what, const char *text)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < event_filter_values(what->column); i++) {
		const char *name = what->name(i);

		if (name &&
		    (what->name == message_of_type ? message_id_matches(text, strlen(text), name)
						   : str_equal(name, text)))
			set |= 1U << i;
	}
	return set;
}

static int compare_set(struct conversion *c, unsigned int property, enum filter_compare op,
		       const char *value, struct matches *m)
{
	const struct property *what = &properties[property];
	unsigned int set;

	if (op != FILTER_EQ && op != FILTER_NE)
		return filter_refuse_unsupported(c->message, what->path);
	set = values_of(what, value);
	if (!set && !what->any_value &&
	    !(what->unused_value && str_equal(what->unused_value, value)))
		return filter_refuse_text(c->message, value);
	m->sets[property] = op == FILTER_EQ ? set : ~set & all_values(property);
	return 0;
}

static int compare_range(struct conversion *c, unsigned int property, enum filter_compare op,
			 const char *value, struct matches *m)
{
	const struct property *what = &properties[property];
	const struct range nothing = {1, 0};
	struct range r = {0, UINT64_MAX};
	uint64_t n;

	if (op == FILTER_NE)
		return filter_refuse_unsupported(c->message, what->path);
	if (what->parse(value, &n) < 0)
		return filter_refuse_text(c->message, value);
	if (op == FILTER_EQ)
		r = (struct range){n, n};
	else if (op == FILTER_GE)
		r.first = n;
	else if (op == FILTER_LE)
		r.last = n;
	else if (op == FILTER_GT && n < UINT64_MAX)
		r.first = n + 1;
	else if (op == FILTER_LT && n > 0)
		r.last = n - 1;
	else
		r = nothing;
	m->ranges[property] = r;
	return 0;
}

/* ---- the expression ----------------------------------------------------------------------------
 */

static int convert_comparison(struct conversion *c, const struct filter_node *node,
			      struct matches *ret)
{
	unsigned int which = 0;

	while (which < PROPERTIES && !str_equal(properties[which].path, node->path))
		which++;
	if (which == PROPERTIES)
		return filter_refuse_unsupported(c->message, node->path);
	match_everything(ret);
	ret->about = 1U << which;
	return is_set(which) ? compare_set(c, which, node->compare, node->literal, ret)
			     : compare_range(c, which, node->compare, node->literal, ret);
}

/* Return: the only set that both restrict; -1 otherwise. */
static int only_set(unsigned int about)
{
	for (unsigned int i = 0; i < PROPERTIES; i++)
		if (about == 1U << i && is_set(i))
			return (int)i;
	return -1;
}

static int filter_negate(struct conversion *c, struct matches *m)
{
	int which = only_set(m->about);

	if (which < 0)
		return filter_refuse_unsupported(c->message,
						 "not of a range, or of several properties");
	m->sets[which] = ~m->sets[which] & all_values((unsigned int)which);
	return 0;
}

static void filter_intersect(struct matches *m, const struct matches *with)
{
	m->about |= with->about;
	for (unsigned int i = 0; i < PROPERTIES; i++) {
		m->sets[i] &= with->sets[i];
		if (with->ranges[i].first > m->ranges[i].first)
			m->ranges[i].first = with->ranges[i].first;
		if (with->ranges[i].last < m->ranges[i].last)
			m->ranges[i].last = with->ranges[i].last;
	}
}

static int filter_unite(struct conversion *c, struct matches *m, const struct matches *with)
{
	int which = only_set(m->about | with->about);

	if (which < 0)
		return filter_refuse_unsupported(c->message,
						 "or of ranges, or of several properties");
	m->sets[which] |= with->sets[which];
	return 0;
}

/* As deep as the expression: FILTER_NODES_MAX at most. */
static int convert(struct conversion *c, unsigned int at, struct matches *ret)
{
	const struct filter_node *node = &c->f->nodes[at];
	struct matches right;
	int r;

	if (node->operation == FILTER_COMPARE)
		return convert_comparison(c, node, ret);
	r = convert(c, node->left, ret);
	if (r >= 0 && node->operation == FILTER_NOT)
		return filter_negate(c, ret);
	if (r >= 0)
		r = convert(c, node->right, &right);
	if (r >= 0 && node->operation == FILTER_OR)
		return filter_unite(c, ret, &right);
	if (r >= 0)
		filter_intersect(ret, &right);
	return r;
}

static void fill_in(const struct matches *m, struct event_filter *f)
{
	bool nothing = false;

	for (unsigned int i = 0; i < PROPERTIES; i++) {
		const char *column = properties[i].column;
		const struct range *r = &m->ranges[i];

		nothing |= is_set(i) ? !m->sets[i] : r->first > r->last;
		if (is_set(i))
			(void)event_filter_select(f, column,
						  m->sets[i] == all_values(i) ? 0 : m->sets[i]);
		else if (m->about & 1U << i)
			(void)event_filter_select_range(f, column, r->first, r->last);
	}
	/* The only way to select no entry is a range that is empty. */
	if (nothing)
		(void)event_filter_select_range(f, "wall", 1, 0);
}

int log_filter_parse(const char *text, struct event_filter *filter, struct message *ret_message)
{
	struct conversion c = {.message = ret_message};
	struct filter f;
	struct matches m;
	int r = filter_parse(text, &f, ret_message);

	if (r < 0)
		return r;
	c.f = &f;
	r = convert(&c, (unsigned int)f.n - 1, &m);
	if (r >= 0)
		fill_in(&m, filter);
	return r;
}
