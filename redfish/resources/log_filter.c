// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/log_filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/eventing/event_message.h"
#include "redfish/registry.h"

enum { WORD_MAX = 128 };

enum compare { EQ, NE, GT, GE, LT, LE };

struct range {
	uint64_t first, last; /* nothing when first > last */
};

static const char *message_of_type(unsigned int i);
static const char *name_of_severity(unsigned int i);
static const char *name_of_log(unsigned int i);

/* The properties that an expression may name, and the column of the store that each selects by. */
static const struct property {
	const char *path, *column;
	/* Of a set: the text for a value; NULL: entries with it do not have the property. */
	const char *(*name)(unsigned int value);
	/* Of a range. */
	int (*parse)(const char *text, uint64_t *ret);
	/* Values that no entry has: whether any is accepted, or only this one. */
	bool any_value;
	const char *unused_value;
} properties[] = {
	{"Severity", "severity", .name = name_of_severity},
	{"MessageId", "type", .name = message_of_type, .any_value = true},
	{"CXLEntryType", "log", .name = name_of_log, .unused_value = "DynamicCapacity"},
	{"Created", "wall", .parse = log_filter_time},
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

struct parser {
	const char *at;
	unsigned int depth;
	struct message *message;
};

static int refuse_text(struct parser *p, const char *text)
{
	message_set(p->message, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, text, "$filter", NULL);
	return -EINVAL;
}

static int refuse_unsupported(struct parser *p, const char *what)
{
	char text[WORD_MAX + 32];

	(void)snprintf(text, sizeof(text), "$filter: %s", what);
	message_set(p->message, MESSAGE_QUERY_PARAMETER_UNSUPPORTED, text, NULL, NULL);
	return -EINVAL;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

/* Consumes @c if it is next. */
static bool take_char(struct parser *p, char c)
{
	skip_blanks(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

/* The length of the next token: a name, an operator, a literal without quotes. */
static size_t word_length(const char *s)
{
	return strcspn(s, " \t()'");
}

static bool take_word(struct parser *p, const char *word)
{
	size_t n;

	skip_blanks(p);
	n = word_length(p->at);
	if (n != strlen(word) || memcmp(p->at, word, n) != 0)
		return false;
	p->at += n;
	return true;
}

static int read_word(struct parser *p, char ret[static WORD_MAX])
{
	size_t n;

	skip_blanks(p);
	n = word_length(p->at);
	if (n == 0 || n >= WORD_MAX)
		return refuse_text(p, p->at);
	memcpy(ret, p->at, n);
	ret[n] = '\0';
	p->at += n;
	return 0;
}

/* 'text', with '' for a quote within it, or an unquoted token. */
static int read_literal(struct parser *p, char ret[static WORD_MAX])
{
	const char *begin = p->at;
	size_t n = 0;

	if (!take_char(p, '\''))
		return read_word(p, ret);
	while (*p->at) {
		if (p->at[0] == '\'' && p->at[1] != '\'') {
			ret[n] = '\0';
			p->at++;
			return 0;
		}
		if (n == WORD_MAX - 1)
			break;
		ret[n++] = *p->at;
		p->at += *p->at == '\'' ? 2 : 1;
	}
	return refuse_text(p, begin);
}

static int read_compare(struct parser *p, enum compare *ret)
{
	static const char *const names[] = {
		[EQ] = "eq", [NE] = "ne", [GT] = "gt", [GE] = "ge", [LT] = "lt", [LE] = "le",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (take_word(p, names[i])) {
			*ret = (enum compare)i;
			return 0;
		}
	}
	return refuse_text(p, p->at);
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* Two decimal digits, @max at most. */
static int read_two(const char **s, int max, int *ret)
{
	const char *t = *s;

	if (t[0] < '0' || t[0] > '9' || t[1] < '0' || t[1] > '9')
		return -EINVAL;
	*ret = (t[0] - '0') * 10 + t[1] - '0';
	*s += 2;
	return *ret <= max ? 0 : -EINVAL;
}

/* "Z", or the distance from UTC in minutes. */
static int read_zone(const char *s, int *ret)
{
	int sign = *s == '-' ? -1 : 1, hours, minutes;

	*ret = 0;
	if (str_equal(s, "Z") || str_equal(s, "z"))
		return 0;
	if (*s != '+' && *s != '-')
		return -EINVAL;
	s++;
	if (read_two(&s, 23, &hours) < 0 || *s++ != ':' || read_two(&s, 59, &minutes) < 0 || *s)
		return -EINVAL;
	*ret = sign * (hours * 60 + minutes);
	return 0;
}

/* Fractional digits, as nanoseconds; the rest is truncated. */
static uint64_t read_fraction(const char **s)
{
	uint64_t ns = 0, unit = 100000000;

	for (; **s >= '0' && **s <= '9'; (*s)++) {
		ns += (uint64_t)(**s - '0') * unit;
		unit /= 10;
	}
	return ns;
}

static int days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

int log_filter_time(const char *text, uint64_t *ret)
{
	int century, year, zone;
	struct tm tm = {0};
	const char *s = text;
	uint64_t ns = 0;
	time_t seconds;

	if (read_two(&s, 99, &century) < 0 || read_two(&s, 99, &year) < 0 || *s++ != '-' ||
	    read_two(&s, 12, &tm.tm_mon) < 0 || *s++ != '-' || read_two(&s, 31, &tm.tm_mday) < 0 ||
	    (*s != 'T' && *s != 't'))
		return -EINVAL;
	s++;
	if (read_two(&s, 23, &tm.tm_hour) < 0 || *s++ != ':' || read_two(&s, 59, &tm.tm_min) < 0 ||
	    *s++ != ':' || read_two(&s, 60, &tm.tm_sec) < 0)
		return -EINVAL;
	year += century * 100;
	if (tm.tm_mon < 1 || tm.tm_mday < 1 || tm.tm_mday > days_in(year, tm.tm_mon))
		return -EINVAL;
	tm.tm_year = year - 1900;
	tm.tm_mon--;
	if (*s == '.' && s[1] >= '0' && s[1] <= '9') {
		s++;
		ns = read_fraction(&s);
	}
	if (read_zone(s, &zone) < 0)
		return -EINVAL;
	seconds = timegm(&tm) - (time_t)zone * 60;
	/* Nanoseconds in 64 bits end in 2554. */
	if (seconds < 0 || (uint64_t)seconds >= UINT64_MAX / 1000000000)
		return -EINVAL;
	*ret = (uint64_t)seconds * 1000000000 + ns;
	return 0;
}

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

static int compare_set(struct parser *p, unsigned int property, enum compare op, const char *value,
		       struct matches *m)
{
	const struct property *what = &properties[property];
	unsigned int set;

	if (op != EQ && op != NE)
		return refuse_unsupported(p, what->path);
	set = values_of(what, value);
	if (!set && !what->any_value &&
	    !(what->unused_value && str_equal(what->unused_value, value)))
		return refuse_text(p, value);
	m->sets[property] = op == EQ ? set : ~set & all_values(property);
	return 0;
}

static int compare_range(struct parser *p, unsigned int property, enum compare op,
			 const char *value, struct matches *m)
{
	const struct property *what = &properties[property];
	const struct range nothing = {1, 0};
	struct range r = {0, UINT64_MAX};
	uint64_t n;

	if (op == NE)
		return refuse_unsupported(p, what->path);
	if (what->parse(value, &n) < 0)
		return refuse_text(p, value);
	if (op == EQ)
		r = (struct range){n, n};
	else if (op == GE)
		r.first = n;
	else if (op == LE)
		r.last = n;
	else if (op == GT && n < UINT64_MAX)
		r.first = n + 1;
	else if (op == LT && n > 0)
		r.last = n - 1;
	else
		r = nothing;
	m->ranges[property] = r;
	return 0;
}

/* ---- the expression ----------------------------------------------------------------------------
 */

static int read_either(struct parser *p, struct matches *ret);

static int read_comparison(struct parser *p, struct matches *ret)
{
	char path[WORD_MAX], value[WORD_MAX];
	unsigned int which = 0;
	enum compare op;

	if (read_word(p, path) < 0)
		return -EINVAL;
	while (which < PROPERTIES && !str_equal(properties[which].path, path))
		which++;
	if (which == PROPERTIES)
		return refuse_unsupported(p, path);
	if (read_compare(p, &op) < 0 || read_literal(p, value) < 0)
		return -EINVAL;
	match_everything(ret);
	ret->about = 1U << which;
	return is_set(which) ? compare_set(p, which, op, value, ret)
			     : compare_range(p, which, op, value, ret);
}

/* Return: the only set that both restrict; -1 otherwise. */
static int only_set(unsigned int about)
{
	for (unsigned int i = 0; i < PROPERTIES; i++)
		if (about == 1U << i && is_set(i))
			return (int)i;
	return -1;
}

static int filter_negate(struct parser *p, struct matches *m)
{
	int which = only_set(m->about);

	if (which < 0)
		return refuse_unsupported(p, "not of a range, or of several properties");
	m->sets[which] = ~m->sets[which] & all_values((unsigned int)which);
	return 0;
}

static int read_one(struct parser *p, struct matches *ret)
{
	bool negated = false;
	int r;

	while (take_word(p, "not"))
		negated = !negated;
	if (take_char(p, '(')) {
		if (++p->depth > LOG_FILTER_DEPTH_MAX)
			return refuse_unsupported(p, "so many parentheses");
		r = read_either(p, ret);
		if (r >= 0 && !take_char(p, ')'))
			r = refuse_text(p, p->at);
		p->depth--;
	} else {
		r = read_comparison(p, ret);
	}
	return r >= 0 && negated ? filter_negate(p, ret) : r;
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

static int read_all(struct parser *p, struct matches *ret)
{
	struct matches next;
	int r = read_one(p, ret);

	while (r >= 0 && take_word(p, "and")) {
		r = read_one(p, &next);
		if (r >= 0)
			filter_intersect(ret, &next);
	}
	return r;
}

static int read_either(struct parser *p, struct matches *ret)
{
	struct matches next;
	int r = read_all(p, ret);

	while (r >= 0 && take_word(p, "or")) {
		int which;

		r = read_all(p, &next);
		if (r < 0)
			break;
		which = only_set(ret->about | next.about);
		if (which < 0)
			return refuse_unsupported(p, "or of ranges, or of several properties");
		ret->sets[which] |= next.sets[which];
	}
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
	struct parser p = {.at = text, .message = ret_message};
	struct matches m;
	int r = read_either(&p, &m);

	if (r < 0)
		return r;
	skip_blanks(&p);
	if (*p.at)
		return refuse_text(&p, p.at);
	fill_in(&m, filter);
	return 0;
}
