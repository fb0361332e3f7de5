// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/record.h"
#include "events/trace_grammar.h"
#include "events/trace_names.h"

struct field {
	const char *name, *value;
	size_t name_len, value_len;
	bool quoted;
};

struct text {
	char *bytes; /* TRACE_PERF_TEXT_MAX */
	size_t len;
	bool has_dpa;
};

static int refuse(const char *why, struct error *e)
{
	return error_set(e, EINVAL, "perf trace's record %s", why);
}

/* Return: where the name of the event begins; NULL: the line has no record. */
static const char *find_record(const char *line, const char **ret_fields)
{
	static const char first[] = "(memdev: \"";
	const char *fields = strstr(line, first), *name = fields;

	while (name && name > line && trace_is_name_char(name[-1]))
		name--;
	if (!name || !str_after_prefix(name, "cxl_") || fields - name >= EVENT_NAME_MAX)
		return NULL;
	*ret_fields = fields + 1;
	return name;
}

/* Return: the length of a value, with its quotes; 0: it has not ended. */
static size_t value_length(const char *value)
{
	const size_t sign = value[0] == '-', digits = strspn(value + sign, "0123456789");
	const char *end;

	if (value[0] != '"')
		return digits ? sign + digits : 0;
	end = strchr(value + 1, '"');
	return end ? (size_t)(end - value) + 1 : 0;
}

/* @at: where it begins; then the next one, or NULL behind the last. Return: 0 or -EINVAL. */
static int take_field(const char **at, struct field *ret, struct error *e)
{
	const char *name = *at, *value, *end;
	const size_t name_len = trace_name_length(name);
	size_t len;

	value = str_after_prefix(name + name_len, ": ");
	len = name_len && value ? value_length(value) : 0;
	if (!len)
		return refuse("has a field without a name or a value: some text is missing", e);
	end = value + len;
	*at = str_after_prefix(end, ", ");
	if (!*at && (*end != ')' || end[1 + strspn(end + 1, " \t")]))
		return refuse("does not end with its parenthesis: what follows is missing", e);
	*ret = (struct field){name, value, name_len, len, *value == '"'};
	if (ret->quoted) {
		ret->value++;
		ret->value_len -= 2;
	}
	return 0;
}

static int put(struct text *t, const char *name, size_t name_len, const char *value, size_t len,
	       struct error *e)
{
	const int n = snprintf(t->bytes + t->len, TRACE_PERF_TEXT_MAX - t->len, " %.*s=%.*s",
			       (int)name_len, name, (int)len, value);

	if (n < 0 || (size_t)n >= TRACE_PERF_TEXT_MAX - t->len)
		return refuse("is longer than any is", e);
	t->len += (size_t)n;
	t->has_dpa |= name_len == strlen("dpa") && memcmp(name, "dpa", name_len) == 0;
	return 0;
}

static bool is_one_of(const char *const *names, const char *name, size_t len)
{
	for (; *names; names++)
		if (strlen(*names) == len && memcmp(*names, name, len) == 0)
			return true;
	return false;
}

static bool is_dpa(const char *name, size_t len)
{
	static const char *const names[] = {"dpa", NULL};

	return is_one_of(names, name, len);
}

/* Names whose value is no number of the record, and no text. */
static bool is_array(const struct field *f)
{
	static const char *const names[] = {"hdr_uuid", "region_uuid", "uuid",	     "comp_id",
					    "cor_mask", "data",	       "header_log", NULL};

	return is_one_of(names, f->name, f->name_len);
}

/* Whether one that was left out is 0: all kernels have it. */
static bool is_zero(const struct text *t, const char *name, size_t len, bool optional)
{
	static const char *const behind_dpa[] = {"descriptor",	"type",	      "transaction_type",
						 "channel",	"device",     "rank",
						 "nibble_mask", "bank_group", "bank",
						 "row",		"column",     NULL};
	static const char *const address[] = {"hpa", NULL};

	if (t->has_dpa)
		return is_one_of(behind_dpa, name, len);
	return !optional && !is_one_of(address, name, len);
}

static int put_field(struct text *t, const struct field *f, struct error *e)
{
	if (is_array(f))
		return put(t, f->name, f->name_len, "0", 1, e);
	if (f->quoted &&
	    (memchr(f->value, ' ', f->value_len) || memchr(f->value, '=', f->value_len)))
		return refuse("has a name that is none", e);
	return put(t, f->name, f->name_len, f->value, f->value_len, e);
}

/* The names of the grammar from @position up to that of @f, as zeros. Return: 0 or -EINVAL. */
static int put_zeros(const char **position, const struct field *f, struct text *t, struct error *e)
{
	int r = 0;

	while (r == 0 && **position) {
		const bool optional = **position == '?';
		const char *name = *position + optional;
		const size_t len = strcspn(name, "|");

		*position = name + len + (name[len] == '|');
		if (f->name_len == len && memcmp(f->name, name, len) == 0)
			return 0;
		if (is_dpa(name, len))
			return refuse(
				"has no dpa: it is 0, which perf trace leaves out, or it is missing; perf script and the kernel's trace print it",
				e);
		if (is_zero(t, name, len, optional))
			r = put(t, name, len, "0", 1, e);
	}
	return r ? r : refuse("has a field that the kernel does not have there", e);
}

static int read_fields(const char *at, const struct trace_grammar *g, struct text *t,
		       struct error *e)
{
	const char *position = g ? g->fields : "";
	struct field field = {0};
	int r = 0;

	while (r == 0 && at) {
		r = take_field(&at, &field, e);
		if (r == 0 && g)
			r = put_zeros(&position, &field, t, e);
		if (r == 0)
			r = put_field(t, &field, e);
	}
	return r;
}

/* The event's fields as the format files of all kernels have them; NULL: without an address. */
static const struct trace_grammar *grammar_of(const char *event)
{
	const struct trace_grammar *g;
	size_t i = 0;

	do
		g = trace_grammar_next(TRACE_FIELDS_ONLY, event, &i);
	while (g && !str_equal(g->event, event));
	return g;
}

int trace_perf_read(const char *line, bool is_wrapped, char ret[static TRACE_PERF_TEXT_MAX],
		    struct error *e)
{
	struct text text = {.bytes = ret};
	const char *fields, *name = find_record(line, &fields);
	char event[EVENT_NAME_MAX];
	int r;

	if (!name)
		return 0;
	if (is_wrapped)
		return refuse("is in several lines: give it as one", e);
	(void)snprintf(event, sizeof(event), "%.*s", (int)(fields - 1 - name), name);
	text.len = (size_t)snprintf(ret, TRACE_PERF_TEXT_MAX, "%s: [FAILED TO PARSE]", event);
	r = read_fields(fields, grammar_of(event), &text, e);
	return r < 0 ? r : 1;
}
