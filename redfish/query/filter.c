// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "common/time_text.h"

struct parser {
	const char *at;
	unsigned int depth;
	struct filter *f;
	struct message *message;
};

int filter_refuse_text(struct message *m, const char *text)
{
	message_set(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, text, "$filter", NULL);
	return -EINVAL;
}

int filter_refuse_unsupported(struct message *m, const char *what)
{
	char text[FILTER_WORD_MAX + 32];

	(void)snprintf(text, sizeof(text), "$filter: %s", what);
	message_set(m, MESSAGE_QUERY_PARAMETER_UNSUPPORTED, text, NULL, NULL);
	return -EINVAL;
}

static int refuse_text(struct parser *p, const char *text)
{
	return filter_refuse_text(p->message, text);
}

/* ---- words ------------------------------------------------------------------------------------
 */

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

static int read_word(struct parser *p, char ret[static FILTER_WORD_MAX])
{
	size_t n;

	skip_blanks(p);
	n = word_length(p->at);
	if (n == 0 || n >= FILTER_WORD_MAX)
		return refuse_text(p, p->at);
	memcpy(ret, p->at, n);
	ret[n] = '\0';
	p->at += n;
	return 0;
}

/* 'text', with '' for a quote within it, or an unquoted token. */
static int read_literal(struct parser *p, char ret[static FILTER_WORD_MAX], bool *ret_quoted)
{
	const char *begin = p->at;
	size_t n = 0;

	*ret_quoted = take_char(p, '\'');
	if (!*ret_quoted)
		return read_word(p, ret);
	while (*p->at) {
		if (p->at[0] == '\'' && p->at[1] != '\'') {
			ret[n] = '\0';
			p->at++;
			return 0;
		}
		if (n == FILTER_WORD_MAX - 1)
			break;
		ret[n++] = *p->at;
		p->at += *p->at == '\'' ? 2 : 1;
	}
	return refuse_text(p, begin);
}

static int read_compare(struct parser *p, enum filter_compare *ret)
{
	static const char *const names[] = {
		[FILTER_EQ] = "eq", [FILTER_NE] = "ne", [FILTER_GT] = "gt",
		[FILTER_GE] = "ge", [FILTER_LT] = "lt", [FILTER_LE] = "le",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (take_word(p, names[i])) {
			*ret = (enum filter_compare)i;
			return 0;
		}
	}
	return refuse_text(p, p->at);
}

/* ---- dates and times
 * -----------------------------------------------------------------------------
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

int filter_time(const char *text, uint64_t *ret)
{
	struct calendar_time t = {0};
	const char *s = text;
	int century;

	if (read_two(&s, 99, &century) < 0 || read_two(&s, 99, &t.year) < 0 || *s++ != '-' ||
	    read_two(&s, 12, &t.month) < 0 || *s++ != '-' || read_two(&s, 31, &t.day) < 0 ||
	    (*s != 'T' && *s != 't'))
		return -EINVAL;
	s++;
	if (read_two(&s, 23, &t.hour) < 0 || *s++ != ':' || read_two(&s, 59, &t.minute) < 0 ||
	    *s++ != ':' || read_two(&s, 60, &t.second) < 0)
		return -EINVAL;
	t.year += century * 100;
	if (*s == '.' && s[1] >= '0' && s[1] <= '9') {
		s++;
		t.ns = read_fraction(&s);
	}
	if (read_zone(s, &t.zone_minutes) < 0)
		return -EINVAL;
	return calendar_time_ns(&t, ret);
}

/* ---- the expression ----------------------------------------------------------------------------
 */

static int read_either(struct parser *p, unsigned int *ret);

/* Return: the word in the memory of the filter. */
static int keep_word(struct parser *p, const char *word, const char **ret)
{
	size_t size = strlen(word) + 1;
	char *to = p->f->words + p->f->words_len;

	if (size > sizeof(p->f->words) - p->f->words_len)
		return refuse_text(p, word);
	*ret = memcpy(to, word, size);
	p->f->words_len += size;
	return 0;
}

static int add_node(struct parser *p, const struct filter_node *node, unsigned int *ret)
{
	if (p->f->n == FILTER_NODES_MAX)
		return filter_refuse_unsupported(p->message, "so many comparisons");
	*ret = (unsigned int)p->f->n;
	p->f->nodes[p->f->n++] = *node;
	return 0;
}

static int read_comparison(struct parser *p, unsigned int *ret)
{
	char path[FILTER_WORD_MAX], literal[FILTER_WORD_MAX];
	struct filter_node node = {.operation = FILTER_COMPARE};

	if (read_word(p, path) < 0 || read_compare(p, &node.compare) < 0 ||
	    read_literal(p, literal, &node.quoted) < 0 || keep_word(p, path, &node.path) < 0 ||
	    keep_word(p, literal, &node.literal) < 0)
		return -EINVAL;
	return add_node(p, &node, ret);
}

static int read_one(struct parser *p, unsigned int *ret)
{
	bool negated = false;
	int r;

	while (take_word(p, "not"))
		negated = !negated;
	if (take_char(p, '(')) {
		if (++p->depth > FILTER_DEPTH_MAX)
			return filter_refuse_unsupported(p->message, "so many parentheses");
		r = read_either(p, ret);
		if (r >= 0 && !take_char(p, ')'))
			r = refuse_text(p, p->at);
		p->depth--;
	} else {
		r = read_comparison(p, ret);
	}
	if (r >= 0 && negated)
		r = add_node(p, &(struct filter_node){.operation = FILTER_NOT, .left = *ret}, ret);
	return r;
}

static int read_all(struct parser *p, unsigned int *ret)
{
	struct filter_node node = {.operation = FILTER_AND};
	int r = read_one(p, ret);

	while (r >= 0 && take_word(p, "and")) {
		node.left = *ret;
		r = read_one(p, &node.right);
		if (r >= 0)
			r = add_node(p, &node, ret);
	}
	return r;
}

static int read_either(struct parser *p, unsigned int *ret)
{
	struct filter_node node = {.operation = FILTER_OR};
	int r = read_all(p, ret);

	while (r >= 0 && take_word(p, "or")) {
		node.left = *ret;
		r = read_all(p, &node.right);
		if (r >= 0)
			r = add_node(p, &node, ret);
	}
	return r;
}

int filter_parse(const char *text, struct filter *ret, struct message *ret_message)
{
	struct parser p = {.at = text, .f = ret, .message = ret_message};
	unsigned int whole;
	int r;

	ret->n = 0;
	ret->words_len = 0;
	r = read_either(&p, &whole);
	if (r < 0)
		return r;
	skip_blanks(&p);
	return *p.at ? refuse_text(&p, p.at) : 0;
}

/* ---- evaluation -------------------------------------------------------------------------------
 */

static bool holds(enum filter_compare compare, int order)
{
	switch (compare) {
	case FILTER_EQ:
		return order == 0;
	case FILTER_NE:
		return order != 0;
	case FILTER_GT:
		return order > 0;
	case FILTER_GE:
		return order >= 0;
	case FILTER_LT:
		return order < 0;
	case FILTER_LE:
		return order <= 0;
	}
	return false;
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Values without an order are only equal or not. */
static bool holds_equality(enum filter_compare compare, bool equal)
{
	return compare == FILTER_EQ ? equal : compare == FILTER_NE ? !equal : false;
}

static bool string_holds(const struct filter_node *node, struct json_span value)
{
	/* Cut text is longer than any literal, and has the same order. */
	char text[2 * FILTER_WORD_MAX];
	uint64_t a, b;

	if (!json_string_decode(value, text, sizeof(text)))
		return false;
	if (!node->quoted && str_equal(node->literal, "null"))
		return node->compare == FILTER_NE;
	if (filter_time(node->literal, &b) == 0 && filter_time(text, &a) == 0)
		return holds(node->compare, order_of(a, b));
	return holds(node->compare, strcmp(text, node->literal));
}

static bool number_holds(const struct filter_node *node, struct json_span value)
{
	char text[64], *end;
	double a, b;

	if (value.len >= sizeof(text))
		return false;
	memcpy(text, value.at, value.len);
	text[value.len] = '\0';
	a = strtod(text, NULL);
	b = strtod(node->literal, &end);
	/* Only what JSON has as a number: strtod() also reads "inf" and "0x1p3". */
	if (!*node->literal || *end ||
	    strspn(node->literal, "+-.0123456789eE") != strlen(node->literal))
		return node->compare == FILTER_NE;
	return holds(node->compare, (a > b) - (a < b));
}

static bool value_holds(const struct filter_node *node, struct json_span value)
{
	struct json_cursor c;
	struct json_span item;

	if (json_enter(value, '[', &c)) {
		while (json_next_item(&c, &item))
			if (value_holds(node, item))
				return true;
		return false;
	}
	if (value.at[0] == '"')
		return string_holds(node, value);
	if (value.at[0] == '{' || strchr("tfn", value.at[0]))
		return holds_equality(node->compare,
				      !node->quoted && json_span_is(value, node->literal));
	return number_holds(node, value);
}

/* Compares what stands at a path below @value, "A/B", in each item of arrays on the way. */
static bool path_holds(const struct filter_node *node, const char *path, struct json_span value)
{
	static const struct json_span null = {"null", 4};
	size_t n = strcspn(path, "/");
	struct json_cursor c;
	struct json_span key, inner;

	if (n == 0)
		return value_holds(node, value);
	if (json_enter(value, '[', &c)) {
		while (json_next_item(&c, &inner))
			if (path_holds(node, path, inner))
				return true;
		return false;
	}
	if (json_enter(value, '{', &c))
		while (json_next_member(&c, &key, &inner))
			if (key.len == n && memcmp(key.at, path, n) == 0)
				return path_holds(node, path + n + (path[n] == '/'), inner);
	return value_holds(node, null);
}

bool filter_matches(const struct filter *f, struct json_span resource)
{
	bool is[FILTER_NODES_MAX];

	/* Operands come before their operation, so each is evaluated once, in order. */
	for (size_t i = 0; i < f->n; i++) {
		const struct filter_node *node = &f->nodes[i];

		switch (node->operation) {
		case FILTER_COMPARE:
			is[i] = path_holds(node, node->path, resource);
			break;
		case FILTER_AND:
			is[i] = is[node->left] && is[node->right];
			break;
		case FILTER_OR:
			is[i] = is[node->left] || is[node->right];
			break;
		case FILTER_NOT:
			is[i] = !is[node->left];
			break;
		}
	}
	return f->n > 0 && is[f->n - 1];
}
