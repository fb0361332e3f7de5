// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/log_filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/eventing/event_message.h"

enum {
	ALL_SEVERITIES = (1 << EVENT_SEVERITIES) - 1,
	ALL_TYPES = (1 << EVENT_TYPES) - 1,
	ALL_LOGS = (1 << (EVENT_NO_LOG + 1)) - 1,
	WORD_MAX = 128,
};

/* The subjects of an expression. */
enum { ABOUT_SEVERITY, ABOUT_TYPE, ABOUT_LOG, ABOUT_TIME, ABOUT_SPA, ABOUT_COUNT };

enum compare { EQ, NE, GT, GE, LT, LE };

struct range {
	uint64_t first, last; /* empty when first > last */
};

/* The entries that match: those in all five sets. */
struct matches {
	unsigned int about; /* bit per ABOUT_…: the subjects that the expression names */
	unsigned int masks[ABOUT_LOG + 1];
	struct range ranges[ABOUT_COUNT]; /* of time and address */
};

static const struct matches everything = {
	.masks = {ALL_SEVERITIES, ALL_TYPES, ALL_LOGS},
	.ranges = {[ABOUT_TIME] = {0, UINT64_MAX}, [ABOUT_SPA] = {0, UINT64_MAX}},
};

struct parser {
	const char *at;
	unsigned int depth;
	struct message *refusal;
};

static int refuse_text(struct parser *p, const char *text)
{
	message_set(p->refusal, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, text, "$filter", NULL);
	return -EINVAL;
}

static int refuse_unsupported(struct parser *p, const char *what)
{
	char text[WORD_MAX + 32];

	(void)snprintf(text, sizeof(text), "$filter: %s", what);
	message_set(p->refusal, MESSAGE_QUERY_PARAMETER_UNSUPPORTED, text, NULL, NULL);
	return -EINVAL;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

/* Takes @c if it comes next. */
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

static bool take_token(struct parser *p, const char *token)
{
	size_t n;

	skip_blanks(p);
	n = word_length(p->at);
	if (n != strlen(token) || memcmp(p->at, token, n) != 0)
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

/* 'text', with '' for a quote within it, or a token. */
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
		if (take_token(p, names[i])) {
			*ret = (enum compare)i;
			return 0;
		}
	}
	return refuse_text(p, p->at);
}

/* ---- subjects --------------------------------------------------------------------------------
 */

static const struct property {
	const char *path;
	unsigned int about;
} properties[] = {
	{"Severity", ABOUT_SEVERITY},
	{"MessageId", ABOUT_TYPE},
	{"CXLEntryType", ABOUT_LOG},
	{"Created", ABOUT_TIME},
	{"Oem/CXLHost/SystemPhysicalAddress", ABOUT_SPA},
};

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

/* Digits behind the decimal point, as nanoseconds; further digits are dropped. */
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
	/* 64 bits of nanoseconds end in 2554. */
	if (seconds < 0 || (uint64_t)seconds >= UINT64_MAX / 1000000000)
		return -EINVAL;
	*ret = (uint64_t)seconds * 1000000000 + ns;
	return 0;
}

/* Return: the value of a property for the @i-th severity, type or log; NULL when it is absent. */
static const char *value_of(unsigned int about, unsigned int i)
{
	struct stored_event ev = {0};

	switch (about) {
	case ABOUT_SEVERITY:
		return event_severity_name(i);
	case ABOUT_TYPE:
		ev.record.type = i;
		return event_message_id(&ev);
	default:
		ev.record.present = UINT64_C(1) << FIELD_LOG;
		ev.record.number[FIELD_LOG] = i;
		return event_log_name(&ev);
	}
}

static unsigned int mask_of(unsigned int about, const char *value, bool *ret_known)
{
	static const unsigned int counts[] = {EVENT_SEVERITIES, EVENT_TYPES, EVENT_NO_LOG};
	unsigned int mask = 0;

	for (unsigned int i = 0; i < counts[about]; i++) {
		const char *name = value_of(about, i);

		if (name && str_equal(name, value))
			mask |= 1U << i;
	}
	*ret_known = mask != 0;
	return mask;
}

static int compare_mask(struct parser *p, const struct property *what, enum compare op,
			const char *value, struct matches *m)
{
	unsigned int mask;
	bool known;

	if (op != EQ && op != NE)
		return refuse_unsupported(p, what->path);
	mask = mask_of(what->about, value, &known);
	/* A filter may name messages that never occur, and the log that Linux never reports.
	 */
	if (!known && (what->about == ABOUT_SEVERITY ||
		       (what->about == ABOUT_LOG && !str_equal(value, "DynamicCapacity"))))
		return refuse_text(p, value);
	m->masks[what->about] = op == EQ ? mask : ~mask & everything.masks[what->about];
	return 0;
}

static int compare_range(struct parser *p, const struct property *what, enum compare op,
			 const char *value, struct matches *m)
{
	const struct range nothing = {1, 0};
	struct range r = {0, UINT64_MAX};
	uint64_t n;

	if (op == NE)
		return refuse_unsupported(p, what->path);
	if ((what->about == ABOUT_TIME ? log_filter_time(value, &n) : parse_address(value, &n)) < 0)
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
	m->ranges[what->about] = r;
	return 0;
}

/* ---- the expression ----------------------------------------------------------------------------
 */

static int read_either(struct parser *p, struct matches *ret);

static int read_comparison(struct parser *p, struct matches *ret)
{
	char path[WORD_MAX], value[WORD_MAX];
	const struct property *what = NULL;
	enum compare op;

	if (read_word(p, path) < 0)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(properties); i++)
		if (str_equal(properties[i].path, path))
			what = &properties[i];
	if (!what)
		return refuse_unsupported(p, path);
	if (read_compare(p, &op) < 0 || read_literal(p, value) < 0)
		return -EINVAL;
	*ret = everything;
	ret->about = 1U << what->about;
	return what->about <= ABOUT_LOG ? compare_mask(p, what, op, value, ret)
					: compare_range(p, what, op, value, ret);
}

/* Return: the one mask that both are about; -1 when there is none. */
static int only_mask(unsigned int about)
{
	for (int i = 0; i <= ABOUT_LOG; i++)
		if (about == 1U << i)
			return i;
	return -1;
}

static int negate(struct parser *p, struct matches *m)
{
	int which = only_mask(m->about);

	if (which < 0)
		return refuse_unsupported(p, "not of a range, or of several properties");
	m->masks[which] = ~m->masks[which] & everything.masks[which];
	return 0;
}

static int read_one(struct parser *p, struct matches *ret)
{
	bool negated = false;
	int r;

	while (take_token(p, "not"))
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
	return r >= 0 && negated ? negate(p, ret) : r;
}

static void intersect(struct matches *m, const struct matches *with)
{
	m->about |= with->about;
	for (unsigned int i = 0; i <= ABOUT_LOG; i++)
		m->masks[i] &= with->masks[i];
	for (unsigned int i = ABOUT_TIME; i < ABOUT_COUNT; i++) {
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

	while (r >= 0 && take_token(p, "and")) {
		r = read_one(p, &next);
		if (r >= 0)
			intersect(ret, &next);
	}
	return r;
}

static int read_either(struct parser *p, struct matches *ret)
{
	struct matches next;
	int r = read_all(p, ret);

	while (r >= 0 && take_token(p, "or")) {
		int which;

		r = read_all(p, &next);
		if (r < 0)
			break;
		which = only_mask(ret->about | next.about);
		if (which < 0)
			return refuse_unsupported(p, "or of ranges, or of several properties");
		ret->masks[which] |= next.masks[which];
	}
	return r;
}

static void fill_in(const struct matches *m, struct event_filter *f)
{
	const struct range *time = &m->ranges[ABOUT_TIME], *spa = &m->ranges[ABOUT_SPA];
	bool nothing = !m->masks[ABOUT_SEVERITY] || !m->masks[ABOUT_TYPE] || !m->masks[ABOUT_LOG] ||
		       time->first > time->last || spa->first > spa->last;

	f->severities = m->masks[ABOUT_SEVERITY] == ALL_SEVERITIES ? 0 : m->masks[ABOUT_SEVERITY];
	f->types = m->masks[ABOUT_TYPE] == ALL_TYPES ? 0 : m->masks[ABOUT_TYPE];
	f->logs = m->masks[ABOUT_LOG] == ALL_LOGS ? 0 : m->masks[ABOUT_LOG];
	if (m->about & 1U << ABOUT_TIME) {
		f->created_first = OPT_U64(time->first);
		f->created_last = OPT_U64(time->last);
	}
	if (m->about & 1U << ABOUT_SPA) {
		f->has_spa = true;
		f->spa_first = spa->first;
		f->spa_last = spa->last;
	}
	/* In a filter, nothing at all is an empty range. */
	if (nothing) {
		f->created_first = OPT_U64(1);
		f->created_last = OPT_U64(0);
	}
}

int log_filter_parse(const char *text, struct event_filter *filter, struct message *ret_message)
{
	struct parser p = {.at = text, .refusal = ret_message};
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
