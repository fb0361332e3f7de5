// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/multipart.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

#include "common/array.h"

static int malformed(struct multipart *m, const char *why)
{
	m->why = why;
	m->error = -EINVAL;
	return -EINVAL;
}

/* ---- header values ----------------------------------------------------------------------------
 */

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* RFC 9110 5.6.2. */
static size_t token_length(const char *s)
{
	return strspn(
		s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/*
 * A token, or a string in quotation marks without them, in which a backslash takes the next byte
 * as it is. Return: what follows; NULL when it is neither, or does not fit.
 */
static const char *read_value(const char *s, char *ret, size_t size)
{
	size_t n = 0, len = token_length(s);

	if (*s != '"') {
		if (len == 0 || len >= size)
			return NULL;
		memcpy(ret, s, len);
		ret[len] = '\0';
		return s + len;
	}
	for (s++; *s != '"'; s++) {
		if (*s == '\\')
			s++;
		if (*s == '\0' || n + 1 >= size)
			return NULL;
		ret[n++] = *s;
	}
	ret[n] = '\0';
	return s + 1;
}

/* The parameter of a header that is looked for. */
struct parameter {
	const char *name;
	char *value; /* receives the value, and has @size bytes */
	size_t size;
	unsigned int n; /* how often it is there */
};

/* Return: what follows the parameter at @s; NULL when it is malformed, or does not fit. */
static const char *read_parameter(const char *s, struct parameter *p)
{
	char ignored[MULTIPART_LINE_MAX];
	const size_t len = token_length(s);
	const bool is_it = strlen(p->name) == len && strncasecmp(p->name, s, len) == 0;

	if (len == 0 || s[len] != '=')
		return NULL;
	if (!is_it)
		return read_value(s + len + 1, ignored, sizeof(ignored));
	p->n++;
	return read_value(s + len + 1, p->value, p->size);
}

/* Return: whether @s, from the first ";" on, is a list of parameters. */
static bool read_parameters(const char *s, struct parameter *p)
{
	for (s = skip_blanks(s); *s == ';'; s = skip_blanks(s)) {
		s = skip_blanks(s + 1);
		if (*s == '\0') /* some clients end with a semicolon */
			return true;
		s = read_parameter(s, p);
		if (!s)
			return false;
	}
	return *s == '\0';
}

/* Return: behind @type, if the value of a header is that; NULL otherwise. */
static const char *after_type(const char *s, const char *type)
{
	const size_t len = strlen(type);

	s = skip_blanks(s);
	if (strncasecmp(s, type, len) != 0)
		return NULL;
	return s[len] == '\0' || strchr("; \t", s[len]) ? s + len : NULL;
}

/* ---- the boundary -----------------------------------------------------------------------------
 */

/* RFC 2046 5.1.1. */
static bool is_boundary(const char *s)
{
	const size_t len = strlen(s);

	return len > 0 && s[len - 1] != ' ' &&
	       strspn(s,
		      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ") ==
		       len;
}

bool multipart_is_form_data(const char *content_type)
{
	return content_type && after_type(content_type, "multipart/form-data");
}

int multipart_init(struct multipart *m, const char *content_type, const struct multipart_ops *ops,
		   void *userdata)
{
	char boundary[MULTIPART_BOUNDARY_MAX + 1];
	struct parameter p = {"boundary", boundary, sizeof(boundary), 0};
	const char *rest;

	memset(m, 0, sizeof(*m));
	m->ops = ops;
	m->userdata = userdata;
	rest = content_type ? after_type(content_type, "multipart/form-data") : NULL;
	if (!rest)
		return malformed(m, "Content-Type is not multipart/form-data");
	if (!read_parameters(rest, &p) || p.n != 1 || !is_boundary(boundary))
		return malformed(m, "Content-Type has no valid boundary");
	memcpy(m->delimiter, "\r\n--", 4);
	memcpy(m->delimiter + 4, boundary, strlen(boundary));
	m->delimiter_len = 4 + strlen(boundary);
	/* The first one is not preceded by the end of a line. */
	m->matched = 2;
	return 0;
}

/* ---- headers of a part ------------------------------------------------------------------------
 */

static int read_disposition(struct multipart *m, const char *value)
{
	struct parameter p = {"name", m->part.name, sizeof(m->part.name), 0};
	const char *rest = after_type(value, "form-data");

	if (m->has_disposition || !rest || !read_parameters(rest, &p) || p.n != 1 ||
	    m->part.name[0] == '\0')
		return malformed(m, "a part has no valid Content-Disposition with one name");
	m->has_disposition = true;
	return 0;
}

static int read_type(struct multipart *m, const char *value)
{
	const size_t len = strlen(value);

	if (m->part.content_type[0] || len == 0 || len >= sizeof(m->part.content_type))
		return malformed(m, "a part has no valid Content-Type");
	if (strncasecmp(value, "multipart/", strlen("multipart/")) == 0)
		return malformed(m, "a part has parts itself");
	memcpy(m->part.content_type, value, len + 1);
	return 0;
}

static int read_encoding(struct multipart *m, const char *value)
{
	static const char *const plain[] = {"binary", "8bit", "7bit"};

	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (strcasecmp(value, plain[i]) == 0)
			return 0;
	return malformed(m, "a part has a Content-Transfer-Encoding");
}

static bool line_is_sane(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
			return false;
	return len > 0 && s[0] != ' ' && s[0] != '\t';
}

/* Headers with other names are ignored (RFC 7578 4.8). @line: without its end */
static int read_header(struct multipart *m, char *line)
{
	static const struct {
		const char *name;
		int (*read)(struct multipart *m, const char *value);
	} headers[] = {
		{"Content-Disposition", read_disposition},
		{"Content-Type", read_type},
		{"Content-Transfer-Encoding", read_encoding},
	};
	const size_t len = token_length(line);
	char *end;

	if (len == 0 || line[len] != ':')
		return malformed(m, "a part has a malformed header");
	for (end = line + strlen(line); end[-1] == ' ' || end[-1] == '\t'; end--)
		end[-1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		if (strlen(headers[i].name) == len && strncasecmp(headers[i].name, line, len) == 0)
			return headers[i].read(m, skip_blanks(line + len + 1));
	return 0;
}

static int begin_part(struct multipart *m)
{
	if (!m->has_disposition)
		return malformed(m, "a part has no Content-Disposition");
	m->state = MULTIPART_BODY;
	/* An empty part is followed by its delimiter at once. */
	m->matched = 0;
	return m->ops->begin(m->userdata, &m->part);
}

/* ---- the body ---------------------------------------------------------------------------------
 */

static int take_data(struct multipart *m, const char *data, size_t len)
{
	if (len == 0)
		return 0;
	if (m->n_parts == 0)
		return malformed(m, "the body does not begin with the boundary");
	return m->ops->data(m->userdata, data, len);
}

/* Bytes that looked like the delimiter are data. It begins with the only CR of the delimiter. */
static int release_matched(struct multipart *m)
{
	const size_t n = m->matched;

	m->matched = 0;
	return take_data(m, m->delimiter, n);
}

static int end_part(struct multipart *m)
{
	m->matched = 0;
	m->line_len = m->headers_len = 0;
	m->state = MULTIPART_DELIMITER;
	return m->n_parts > 0 ? m->ops->end(m->userdata) : 0;
}

/* Bytes of a part up to what may be its delimiter. Return: how many were used; negative errno. */
static ssize_t take_body(struct multipart *m, const char *data, size_t len)
{
	const char *cr;
	int r;

	if (m->matched > 0) {
		if (data[0] != m->delimiter[m->matched]) {
			r = release_matched(m);
			return r < 0 ? r : 0;
		}
		r = ++m->matched == m->delimiter_len ? end_part(m) : 0;
		return r < 0 ? r : 1;
	}
	cr = memchr(data, '\r', len);
	m->matched = cr ? 1 : 0;
	r = take_data(m, data, cr ? (size_t)(cr - data) : len);
	return r < 0 ? r : cr ? cr - data + 1 : (ssize_t)len;
}

/* Return: 1 when the line is complete, and in m->line without its end; 0; -EINVAL. */
static int take_line_byte(struct multipart *m, char c)
{
	if (m->line_len > 0 && m->line[m->line_len - 1] == '\r') {
		if (c != '\n')
			return malformed(m, "a line of a part's headers has no end");
		m->line[--m->line_len] = '\0';
		return 1;
	}
	if (m->line_len + 1 >= sizeof(m->line) || ++m->headers_len > MULTIPART_HEADERS_MAX)
		return malformed(m, "the headers of a part are too long");
	m->line[m->line_len++] = c;
	return 0;
}

static int take_header_byte(struct multipart *m, char c)
{
	const int complete = take_line_byte(m, c);
	size_t len = m->line_len;

	if (complete <= 0)
		return complete;
	m->line_len = 0;
	if (len == 0)
		return begin_part(m);
	if (!line_is_sane(m->line, len))
		return malformed(m, "a part has a malformed header");
	return read_header(m, m->line);
}

/* Behind a boundary: "--" after the last part; otherwise blanks, and the end of the line. */
static int take_delimiter_byte(struct multipart *m, char c)
{
	int complete;

	if (c == '-' && m->line_len < 2 && (m->line_len == 0 || m->line[0] == '-')) {
		m->line[m->line_len++] = c;
		if (m->line_len == 2)
			m->state = MULTIPART_AFTER;
		return 0;
	}
	complete = take_line_byte(m, c);
	if (complete <= 0)
		return complete;
	if (strspn(m->line, " \t") != m->line_len)
		return malformed(m, "the boundary is followed by something else");
	if (m->n_parts++ == MULTIPART_PARTS_MAX)
		return malformed(m, "the body has too many parts");
	m->part = (struct multipart_part){0};
	m->has_disposition = false;
	m->line_len = m->headers_len = 0;
	m->state = MULTIPART_HEADER;
	return 0;
}

/* The end of the line of the last delimiter. */
static int take_after_byte(struct multipart *m, char c)
{
	if ((m->line_len == 2 && c == '\r') || (m->line_len == 3 && c == '\n')) {
		m->line_len++;
		return 0;
	}
	return malformed(m, "something follows the last part");
}

/* Return: how many bytes were used; negative errno. */
static ssize_t take_some(struct multipart *m, const char *data, size_t len)
{
	int r = 0;

	switch (m->state) {
	case MULTIPART_BODY:
		return take_body(m, data, len);
	case MULTIPART_DELIMITER:
		r = take_delimiter_byte(m, data[0]);
		break;
	case MULTIPART_HEADER:
		r = take_header_byte(m, data[0]);
		break;
	case MULTIPART_AFTER:
		r = take_after_byte(m, data[0]);
		break;
	}
	return r < 0 ? r : 1;
}

int multipart_take(struct multipart *m, const char *data, size_t len)
{
	while (len > 0 && m->error == 0) {
		const ssize_t n = take_some(m, data, len);

		if (n < 0) {
			m->error = (int)n;
			break;
		}
		data += n;
		len -= (size_t)n;
	}
	return m->error;
}

int multipart_end(struct multipart *m)
{
	if (m->error < 0)
		return m->error;
	if (m->state != MULTIPART_AFTER)
		return malformed(m, "the body ends before its last delimiter");
	return 0;
}
