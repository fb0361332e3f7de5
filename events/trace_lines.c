// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_lines.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/trace_names.h"
#include "events/trace_values.h"
#include "sysfs/attr.h"

enum {
	BLOCK_BYTES = 1 << 20,
	PARTS_MAX = 128,     /* of a wrapped line */
	HOST_PARTS_MAX = 4,  /* of one of the kernel's own, which are shorter */
	HOST_WIDTH_MIN = 60, /* shorter lines are not wrapped */
	REST_MS = 200,	     /* how long the rest of a line that may be wrapped is waited for */
};

/* A line in the buffer, without its newline. */
struct part {
	const char *at;
	size_t len;
	bool too_long;
};

struct trace_lines {
	int fd;
	uint64_t bytes;
	bool ended;
	size_t number; /* of the line that was taken last */
	char *buffer;  /* BLOCK_BYTES, and the NUL behind a line */
	size_t from, to;
	bool skips; /* the rest of a line that is too long */
	int held;   /* of a line that cannot be read, behind the one that was kept; 0: none */

	/* The text that may go on in the next line. */
	char line[TRACE_TEXT_LINE_MAX + 1];
	size_t len, parts, first_number;
	size_t breaks[PARTS_MAX]; /* where each part behind the first begins, and one that is
				     missing */
	size_t width;		  /* of the longest part, with its margin */
	size_t last_width;	  /* of the last one */
	size_t before;		  /* the length of the line before it, in bytes */
	bool is_host;		  /* it is no record, but a line of the kernel's log */

	/* A JSON value whose lines end between its members; NULL: none. */
	char *document;
	size_t document_len, depth, prefix; /* prefix: what each of its lines has before it */
	uint64_t objects;		    /* which of its depths are objects */
	bool in_string, has_members, document_given, splits;

	char given[TRACE_TEXT_LINE_MAX + 1];
	size_t given_breaks[PARTS_MAX];
};

struct trace_lines *trace_lines_new(int fd)
{
	struct trace_lines *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->fd = fd;
	t->buffer = malloc(BLOCK_BYTES);
	return t->buffer ? t : trace_lines_free(t);
}

struct trace_lines *trace_lines_new_text(const char *text, size_t len)
{
	struct trace_lines *t = len <= BLOCK_BYTES ? trace_lines_new(-1) : NULL;

	if (!t)
		return NULL;
	memcpy(t->buffer, text, len);
	t->to = len;
	t->ended = true;
	return t;
}

void trace_lines_split(struct trace_lines *t)
{
	t->splits = true;
}

struct trace_lines *trace_lines_free(struct trace_lines *t)
{
	if (t) {
		free(t->buffer);
		free(t->document);
	}
	free(t);
	return NULL;
}

uint64_t trace_lines_bytes(const struct trace_lines *t)
{
	return t->bytes;
}

/* ---- physical lines ----------------------------------------------------------------------------
 */

/*
 * Reads more behind what is left. An event from a pipe is not kept until the next one comes.
 *
 * Return: 0; -EAGAIN; or another negative error.
 */
static int fill(struct trace_lines *t)
{
	struct pollfd input = {.fd = t->fd, .events = POLLIN};
	ssize_t n;

	if (t->parts && t->from == t->to && poll(&input, 1, REST_MS) <= 0)
		return -EAGAIN;
	memmove(t->buffer, t->buffer + t->from, t->to - t->from);
	t->to -= t->from;
	t->from = 0;
	n = read(t->fd, t->buffer + t->to, BLOCK_BYTES - t->to);
	if (n < 0)
		return -errno;
	t->ended = n == 0;
	t->to += (size_t)n;
	t->bytes += (uint64_t)n;
	return 0;
}

/* Return: 1, 0 at the end, or a negative error. */
static int take_part(struct trace_lines *t, struct part *ret)
{
	for (;;) {
		const char *at = t->buffer + t->from;
		const size_t left = t->to - t->from;
		const char *end = left ? memchr(at, '\n', left) : NULL;
		int r;

		if (end || (t->ended && left)) {
			const size_t len = end ? (size_t)(end - at) : left;

			*ret = (struct part){at, len, t->skips || len > TRACE_TEXT_LINE_MAX};
			t->from += len + (end != NULL);
			t->skips = false;
			t->number++;
			return 1;
		}
		if (t->ended)
			return 0;
		if (left == BLOCK_BYTES) {
			t->skips = true;
			t->from = t->to;
		}
		r = fill(t);
		if (r < 0)
			return r;
	}
}

/* ---- what a line is ----------------------------------------------------------------------------
 */

#define NO_BREAK_SPACE "\xc2\xa0"

static bool has(const char *text, size_t len, const char *word)
{
	return memmem(text, len, word, strlen(word)) != NULL;
}

static bool is_event(const char *text, size_t len)
{
	return has(text, len, "memdev") || has(text, len, "cxl_");
}

bool trace_may_be_report(const char *text, size_t len)
{
	static const char *const words[] = {
		"ardware Error",
		"emory failure",
		"oft offlin",
		"oft-offlin",
		"oft_offlin",
		"fflining page at",
		"already offlined",
		"exceeded threshold",
		"page offline addr",
		"EDAC",
		"BERT",
		"Bus Error",
		"memory_failure_",
		"mc_event",
		"aer_event",
		"mce_record",
		"addr ",
		"addr=0x",
		"\"MESSAGE\":[",
		"\"MESSAGE\": [",
		"page_type=",
		"extlog_mem",
		"hysical_address",
		"hysical address",
		"ardware memory error",
		"AER: ",
		"DPC: ",
		"aer_status",
		"state error detected",
		"orrected error: ",
		"atal) error: ",
		"atal error: ",
		"media_errors",
	};

	if (is_event(text, len))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (has(text, len, words[i]))
			return true;
	return false;
}

/* Whether the words of a line may be divided by what clean() removes. */
static bool has_marks(const struct part *p)
{
	return memchr(p->at, '\033', p->len) || has(p->at, p->len, NO_BREAK_SPACE);
}

/* Return: where the string of an OSC, DCS, SOS, PM or APC sequence ends: at BEL or ST (ECMA-48). */
static const char *skip_string(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at == '\a')
			return at + 1;
		if (*at == '\033')
			return at + 1 < end ? at + 2 : end;
	}
	return end;
}

/*
 * Return: where an escape sequence that leaves the text as it is ends: colours, the rest of a line
 * erased, strings, character sets. @at: it is another one, which may move the cursor, or there is
 * none.
 */
static const char *skip_escape(const char *at, const char *end)
{
	const char *next = at + 1;

	if (next == end)
		return at;
	if (strchr("]PX^_", *next))
		return skip_string(next + 1, end);
	if (*next != '[') {
		while (next < end && *next >= 0x20 && *next <= 0x2f)
			next++;
		return next < end ? next + 1 : end;
	}
	for (next++; next < end && *next >= 0x20 && *next <= 0x3f; next++)
		;
	return next < end && strchr("mK", *next) ? next + 1 : at;
}

static const char bar[] = "\xe2\x94\x82"; /* U+2502, of a frame */

/* Return: the length of @text without a frame behind it. */
static size_t without_frame(const char *text, size_t len)
{
	size_t n = len;

	if (n > strlen(bar) && memcmp(text + n - strlen(bar), bar, strlen(bar)) == 0)
		n -= strlen(bar);
	else if (n > 1 && text[n - 1] == '|')
		n--;
	if (n == len || !strchr(" \t", text[n - 1]))
		return len;
	while (n && strchr(" \t", text[n - 1]))
		n--;
	return n;
}

/*
 * Characters that word processors and web pages put for another one: quotes, the space that does
 * not break a line, and the mark at the beginning of a file.
 *
 * Return: the bytes at @at that stand for it; 0: there are none. @ret: that character; NUL: none.
 */
static size_t read_substitute(const char *at, const char *end, char *ret)
{
	static const struct {
		const char *bytes;
		char means;
	} rows[] = {
		{NO_BREAK_SPACE, ' '}, {"\xe2\x80\x98", '\''}, {"\xe2\x80\x99", '\''},
		{"\xe2\x80\x9c", '"'}, {"\xe2\x80\x9d", '"'},  {"\xef\xbb\xbf", '\0'},
	};

	if (!strchr("\xc2\xe2\xef", *at))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const size_t n = strlen(rows[i].bytes);

		if ((size_t)(end - at) < n || memcmp(at, rows[i].bytes, n) != 0)
			continue;
		*ret = rows[i].means;
		return n;
	}
	return 0;
}

/*
 * Without escape sequences, the carriage returns and a frame at its end, and with the characters
 * that were there before a substitute of them.
 *
 * Return: its length.
 */
static size_t clean(const struct part *p, char ret[static TRACE_TEXT_LINE_MAX + 1])
{
	const char *at = p->at, *end = p->at + p->len;
	size_t n = 0;

	while (at < end) {
		const char *next = *at == '\033' ? skip_escape(at, end) : at;
		char means = '\0';
		const size_t bytes = read_substitute(at, end, &means);

		if (next > at || *at == '\017') { /* of what ends colours on some terminals */
			at = next > at ? next : at + 1;
		} else if (bytes) {
			if (means)
				ret[n++] = means;
			at += bytes;
		} else {
			ret[n++] = *at++;
		}
	}
	while (n && ret[n - 1] == '\r')
		n--;
	n = without_frame(ret, n);
	ret[n] = '\0';
	return n;
}

/* Values have no '=', but they may have ':'. */
static bool begins_field(const char *at)
{
	const size_t n = trace_name_length(at);

	return (n > 0 && at[n] == '=') || trace_field_length(at);
}

static bool has_known_field(const char *at)
{
	while (*(at += strspn(at, " \t"))) {
		if (trace_field_length(at))
			return true;
		at += strcspn(at, " \t");
	}
	return false;
}

/* Return: whether a field of the line has that name. */
static bool has_field(const char *line, const char *name, size_t len)
{
	for (const char *at = line; (at = strstr(at, name)); at++)
		if ((at == line || !trace_is_name_char(at[-1])) &&
		    (at[len] == '=' || at[len] == ':'))
			return true;
	return false;
}

enum { NAME_MAX_LENGTH = 64 };

/*
 * The name of a field whose end @part begins with, and whose first letters may be at the end of
 * @line.
 *
 * Return: its length; 0: there is none.
 */
static size_t divided_name(const char *line, size_t len, const char *part,
			   char ret[static NAME_MAX_LENGTH])
{
	const size_t n = trace_name_length(part);
	size_t tail = 0;

	while (tail < len && trace_is_name_char(line[len - 1 - tail]))
		tail++;
	if (tail < len && !strchr(" \t", line[len - 1 - tail]))
		tail = 0;
	if (!strchr("=:", part[n]) || !part[n] || tail + n >= NAME_MAX_LENGTH)
		return 0;
	(void)snprintf(ret, NAME_MAX_LENGTH, "%.*s%.*s", (int)tail, line + len - tail, (int)n,
		       part);
	return trace_is_field(ret, tail + n) ? tail + n : 0;
}

/* Whether a field is in both, which a record has once: they are two. */
static bool repeats_field(const char *line, size_t len, const char *part)
{
	char name[NAME_MAX_LENGTH];

	for (const char *at = part; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) {
		const size_t n = divided_name(line, at == part ? len : 0, at, name);

		if (n && has_field(line, name, n))
			return true;
	}
	return false;
}

/* "[001]", "12.500000:" or the name of an event: what a line of a trace has before its fields. */
static bool begins_record(const char *line)
{
	if (line[0] == '#' || strchr(line, '{') || strstr(line, "cxl_") || strstr(line, "kernel:"))
		return true;
	for (const char *at = line; (at = strpbrk(at, "[.")); at++) {
		const size_t n = strspn(at + 1, "0123456789");

		if (n && *at == '[' && at[1 + n] == ']')
			return true;
		if (n >= 3 && *at == '.' && at > line && isdigit((unsigned char)at[-1]) &&
		    at[1 + n] == ':')
			return true;
	}
	return false;
}

/* Return: whether a JSON object has begun, and not ended. */
static bool is_open_object(const char *line)
{
	bool in_string = false;
	size_t depth = 0;
	const char *begin = strchr(line, '{');

	if (!begin || begin[1 + strspn(begin + 1, " \t")] != '"')
		return false;
	for (const char *at = begin; *at; at++) {
		if (in_string && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			in_string = !in_string;
		else if (!in_string && *at == '{')
			depth++;
		else if (!in_string && *at == '}' && depth-- == 1)
			return false;
	}
	return true;
}

/* ---- wrapped lines -----------------------------------------------------------------------------
 */

/* 'A B' */
static bool is_open_quote(const char *line)
{
	bool open = false;

	for (; *line; line++)
		open ^= *line == '\'';
	return open;
}

/*
 * Return: @part without the indentation, or the marks of a quotation or a frame, that lines have in
 * mails and terminals. No part of a record begins like that: the words of a list of flags may, but
 * no address depends on them.
 */
static const char *skip_margin(const char *part)
{
	for (;;) {
		const char *at = part + strspn(part, " \t>|");

		if (strncmp(at, bar, strlen(bar)) == 0)
			at += strlen(bar);
		if (at == part)
			return part;
		part = at;
	}
}

/* "6c 61 62 2d": of comp_id, whose bytes are words. */
static bool begins_bytes(const char *part)
{
	return isxdigit((unsigned char)part[0]) && isxdigit((unsigned char)part[1]) &&
	       (!part[2] || part[2] == ' ');
}

/* A word that cannot be digits: "minutes", "5th", "--". */
static bool is_no_number(const char *word)
{
	bool has_digit = false;

	for (; *word && !strchr(" \t", *word); word++) {
		if (isalpha((unsigned char)*word) && !isxdigit((unsigned char)*word) &&
		    !strchr("xX", *word))
			return true;
		has_digit |= isxdigit((unsigned char)*word) || strchr("xX", *word);
	}
	return !has_digit;
}

/* A UUID, and the hpa that is not known, show themselves that nothing is missing. */
static bool is_whole(const char *value)
{
	return attr_uuid_is_valid(value) || str_equal(value, "ffffffffffffffff");
}

/* Return: where the word begins that ends before @at: behind a blank or one of @marks. */
static const char *word_start(const struct trace_lines *t, const char *at, const char *marks)
{
	while (at > t->line && !strchr(" \t", at[-1]) && !strchr(marks, at[-1]))
		at--;
	return at;
}

/*
 * Return: the value that the line ends in, where a record is read from that field and the value may
 * go on; or NULL. rasdaemon leaves a UUID out.
 */
static const char *open_value(const struct trace_lines *t)
{
	const char *at = word_start(t, t->line + t->len, "");
	const size_t n = trace_name_length(at);

	if (!n || (at[n] != '=' && at[n] != ':') || !trace_name_has_address(at, n) ||
	    str_equal(at, "region_uuid:") || is_whole(at + n + 1))
		return NULL;
	return at + n + 1;
}

/* Whether @part may go on with a value. A number, also that of a name, has only digits. */
static bool may_be_rest(const char *value, const char *part)
{
	const size_t len = strlen(value);
	const unsigned char last = len ? (unsigned char)value[len - 1] : 0;

	if (isdigit(last) || (isxdigit(last) && !is_no_number(value)))
		return !is_no_number(part);
	return true;
}

/* Whether the line ends in a value that is whole. */
static bool ends_whole(const struct trace_lines *t)
{
	return is_whole(word_start(t, t->line + t->len, "=:"));
}

/* "Nov 21 21:43:41 ", "Sat Nov 21 ", "Sat 2026-11-21 " */
static bool begins_date(const char *part)
{
	static const char names[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec "
				    "Mon Tue Wed Thu Fri Sat Sun ";

	if (strlen(part) < strlen("Nov 21") || part[3] != ' ')
		return false;
	for (const char *name = names; *name; name += 4)
		if (memcmp(part, name, 4) == 0)
			return true;
	return false;
}

/* "_HOSTNAME=node17", a field of the journal. */
static bool begins_journal_field(const char *part)
{
	const size_t n = strspn(part, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return n > 2 && part[n] == '=';
}

/* "[  512.779203]", "<4>", "2026-...", "Nov 21": no rest of a line begins like these. */
static bool begins_log_line(const char *part)
{
	static const char *const words[] = {
		"EDAC ", "Memory failure", "Injecting ", "soft", "Soft", "BERT", "RAS:", "mce",
	};
	const size_t digits = strspn(part, "0123456789");

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_after_prefix(part, words[i]))
			return true;
	return begins_date(part) || begins_journal_field(part) || strchr("[<\"", *part) ||
	       (digits >= 4 && part[digits] == '-') || strstr(part, "]: ") ||
	       strstr(part, "PCIe Bus Error");
}

static bool host_goes_on(const struct trace_lines *t, const char *part)
{
	return t->parts < HOST_PARTS_MAX && t->last_width >= HOST_WIDTH_MIN &&
	       !begins_log_line(part);
}

static bool goes_on(const struct trace_lines *t, const char *part)
{
	const char *value;

	if (!*part || begins_record(part))
		return false;
	if (t->is_host)
		return host_goes_on(t, part);
	if (is_open_object(t->line))
		return true;
	if (repeats_field(t->line, t->len, part))
		return false;
	if (begins_field(part))
		return true;
	value = open_value(t);
	if (value || ends_whole(t))
		return (value && may_be_rest(value, part)) || has_known_field(part);
	/* A blank at the end of a terminal's line may have been dropped. */
	return has_known_field(part) || begins_bytes(part) || is_open_quote(t->line) ||
	       ((t->parts > 1 || t->before + 1 >= t->width) && t->last_width + 1 >= t->width);
}

/* Whether a field ends with the line: "dpa=1000", "cxl_dram:", "REPAIRABLE'". */
static bool ends_field(const char *line, size_t len)
{
	size_t n = 0;

	while (n < len && !strchr(" \t", line[len - 1 - n]))
		n++;
	return memchr(line + len - n, '=', n) || memchr(line + len - n, ':', n) ||
	       (len && line[len - 1] == '\'');
}

/* Return: the separator between the line and @part; NUL for nothing. */
static char separator(const struct trace_lines *t, const char *part)
{
	char name[NAME_MAX_LENGTH];
	const char *value;

	if (!t->len || t->is_host || is_open_object(t->line))
		return '\0';
	if (str_after_prefix(part, ": ")) /* between the parts of the kernel's records */
		return ' ';
	if (begins_field(part))
		return ends_field(t->line, t->len) || divided_name(t->line, t->len, part, name) <=
							      trace_name_length(part)
			       ? ' '
			       : '\0';
	if (ends_whole(t))
		return ' ';
	value = open_value(t);
	return value && !may_be_rest(value, part) ? ' ' : '\0';
}

/*
 * @width: of the part with its margin
 *
 * Return: whether there was space.
 */
static bool join(struct trace_lines *t, const char *part, size_t width)
{
	const size_t len = strlen(part);
	const char between = separator(t, part);

	if (t->parts == PARTS_MAX || t->len + (between != '\0') + len > TRACE_TEXT_LINE_MAX)
		return false;
	if (between)
		t->line[t->len++] = between;
	memcpy(t->line + t->len, part, len + 1);
	if (t->parts)
		t->breaks[t->parts - 1] = t->len;
	t->parts++;
	t->len += len;
	t->last_width = width;
	t->width = width > t->width ? width : t->width;
	return true;
}

static void begin(struct trace_lines *t, const char *part, size_t len)
{
	t->len = t->parts = t->width = 0;
	t->line[0] = '\0';
	(void)join(t, part, len);
	t->first_number = t->number;
	t->is_host = !is_event(part, strlen(part)) && !strstr(part, "{\"");
}

/* Hands out what was kept. */
static int give(struct trace_lines *t, struct trace_line *ret)
{
	const size_t n = t->parts - 1;

	memcpy(t->given, t->line, t->len + 1);
	memcpy(t->given_breaks, t->breaks, n * sizeof(*t->breaks));
	t->parts = 0;
	*ret = (struct trace_line){t->given, t->first_number, t->given_breaks, n};
	return 1;
}

/* A line that cannot be read; it was taken last. */
static int give_held(struct trace_lines *t, struct trace_line *ret)
{
	const int r = t->held;

	t->held = 0;
	*ret = (struct trace_line){.text = "", .number = t->number};
	return r;
}

/* ---- JSON of several lines --------------------------------------------------------------------
 */

/*
 * The brackets at a line's end that it has alone, or behind what a program prints before each of
 * its lines: an object whose members have their own lines.
 *
 * Return: where they begin; NULL: there is no brace, or something else.
 */
static const char *begins_with_brackets(const char *line, size_t len)
{
	const char *at = line + len;
	bool any = false;

	while (at > line && strchr(" \t[{", at[-1]))
		any |= *--at == '{';
	return any && (at == line || strchr(" \t", *at)) ? at : NULL;
}

/*
 * The same of an object that has members in its first line. A record is not one that a terminal
 * may have wrapped: that has no blank behind the brace.
 */
static const char *begins_with_members(const char *line, size_t len)
{
	const char *brace = strchr(line, '{');

	while (len && strchr(" \t", line[len - 1]))
		len--;
	if (!len || !strchr(",[{:", line[len - 1]) || !is_open_object(line) ||
	    (is_event(line, len) && !strchr(" \t", brace[1])))
		return NULL;
	return line[strspn(line, " \t[")] == '{' ? line : brace;
}

static const char *begins_document(const char *line, size_t len)
{
	const char *at = begins_with_brackets(line, len);

	return at ? at : begins_with_members(line, len);
}

/* Whether a line has the same before it, where times differ in their digits. */
static bool has_prefix(const struct trace_lines *t, const char *line, size_t len)
{
	const char digits[] = " 0123456789";

	if (len < t->prefix)
		return false;
	for (size_t i = 0; i < t->prefix; i++)
		if (line[i] != t->document[i] &&
		    (!strchr(digits, line[i]) || !strchr(digits, t->document[i])))
			return false;
	return true;
}

/* The bit of a depth, as far as they are kept: set for an object, not for an array. */
static uint64_t object_bit(size_t depth)
{
	return depth < 64 ? UINT64_C(1) << depth : 0;
}

static void count_brackets(struct trace_lines *t, const char *line)
{
	for (; *line; line++) {
		if (t->in_string && *line == '\\' && line[1])
			line++;
		else if (*line == '"')
			t->in_string = !t->in_string;
		else if (!t->in_string && *line == '{')
			t->objects |= object_bit(t->depth++);
		else if (!t->in_string && *line == '[')
			t->objects &= ~object_bit(t->depth++);
		else if (!t->in_string && t->depth && (*line == '}' || *line == ']'))
			t->depth--;
	}
}

/*
 * Whether a line may be the next one of an object that has members in its first line: behind a cut
 * one other records follow, which must not be taken for its members.
 */
static bool may_follow(const struct trace_lines *t, const char *line)
{
	const char *end = t->document + t->document_len, *next = line + strspn(line, " \t");

	if (!t->has_members)
		return true;
	if (t->in_string || !*next || t->depth > 64)
		return false;
	if (strchr(",]}", *next))
		return true;
	while (end > t->document && strchr(" \t\n", end[-1]))
		end--;
	if (end == t->document || !strchr(",:[{", end[-1]))
		return false;
	if (strchr(",{", end[-1]) && (t->objects & object_bit(t->depth - 1)))
		return *next == '"';
	return *next != '[' || strchr("{[\"]", next[1]) || !next[1];
}

static int give_document(struct trace_lines *t, struct trace_line *ret)
{
	t->document_given = true;
	*ret = (struct trace_line){.text = t->document, .number = t->first_number};
	return 1;
}

static void end_document(struct trace_lines *t)
{
	free(t->document);
	t->document = NULL;
	t->document_given = t->in_string = t->has_members = false;
	t->document_len = t->depth = 0;
}

/* Return: 0 to go on with the next line, 1 at the document's end, or a negative error. */
static int add_to_document(struct trace_lines *t, const struct part *p, const char *line,
			   size_t len, struct trace_line *ret)
{
	const size_t prefix = t->document ? t->prefix : 0;
	char *grown;

	if (t->document_len + len + 2 > TRACE_DOCUMENT_MAX ||
	    (t->document && (!has_prefix(t, line, len) || !may_follow(t, line + prefix)))) {
		t->from = (size_t)(p->at - t->buffer);
		t->number--;
		return give_document(t, ret);
	}
	line += prefix;
	len -= prefix;
	grown = realloc(t->document, t->document_len + len + 2);
	if (!grown)
		return -ENOMEM;
	count_brackets(t, t->document ? line : line + t->prefix);
	t->document = grown;
	memcpy(grown + t->document_len, line, len);
	t->document_len += len;
	grown[t->document_len++] = '\n';
	grown[t->document_len] = '\0';
	return t->depth == 0 ? give_document(t, ret) : 0;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

/* Return: 0 to go on with the next line, else what trace_lines_next() returns. */
static int use_part(struct trace_lines *t, const struct part *p, struct trace_line *ret)
{
	char text[TRACE_TEXT_LINE_MAX + 1];
	const char *rest, *brackets;
	size_t len;
	int r = 0;

	if (p->too_long || memchr(p->at, '\0', p->len)) {
		end_document(t);
		t->held = p->too_long ? -E2BIG : -EINVAL;
		return t->parts ? give(t, ret) : give_held(t, ret);
	}
	if (!t->parts && !t->document && !trace_may_be_report(p->at, p->len) &&
	    !memchr(p->at, '{', p->len) && !has_marks(p))
		return 0;
	len = clean(p, text);
	brackets = t->document || t->parts || t->splits ? NULL : begins_document(text, len);
	if (brackets) {
		t->first_number = t->number;
		t->prefix = (size_t)(brackets - text);
		t->has_members = !begins_with_brackets(text, len);
	}
	if (t->document || brackets)
		return add_to_document(t, p, text, len, ret);
	rest = skip_margin(text);
	if (t->parts && goes_on(t, rest) && join(t, rest, len))
		return 0;
	if (t->parts)
		r = give(t, ret);
	if (trace_may_be_report(text, len))
		begin(t, text, len);
	return r;
}

int trace_lines_next(struct trace_lines *t, struct trace_line *ret)
{
	struct part p;
	int r;

	if (t->held)
		return give_held(t, ret);
	if (t->document_given)
		end_document(t);
	for (;;) {
		r = take_part(t, &p);
		if (t->parts && (r == 0 || r == -EAGAIN))
			return give(t, ret);
		if (t->document && r == 0)
			return give_document(t, ret);
		if (r <= 0)
			return r;
		r = use_part(t, &p, ret);
		if (t->parts == 0 || t->first_number != t->number)
			t->before = p.len;
		if (r)
			return r;
	}
}
