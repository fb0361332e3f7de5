// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/head.h"

#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/limits.h"

struct header_kind {
	const char *name;
	size_t len;
	bool is_list; /* may be repeated */
};

#define HEADER(text, list)                                                                         \
	{                                                                                          \
		text, sizeof(text) - 1, list                                                       \
	}

static const struct header_kind kinds[HTTP_HEADERS] = {
	[HEADER_ACCEPT] = HEADER("Accept", true),
	[HEADER_ACCEPT_ENCODING] = HEADER("Accept-Encoding", true),
	[HEADER_ACCESS_CONTROL_REQUEST_METHOD] = HEADER("Access-Control-Request-Method", false),
	[HEADER_AUTHORIZATION] = HEADER("Authorization", false),
	[HEADER_CONTENT_LENGTH] = HEADER("Content-Length", false),
	[HEADER_CONTENT_TYPE] = HEADER("Content-Type", false),
	[HEADER_EXPECT] = HEADER("Expect", true),
	[HEADER_HOST] = HEADER("Host", false),
	[HEADER_IF_MATCH] = HEADER("If-Match", false),
	[HEADER_IF_NONE_MATCH] = HEADER("If-None-Match", true),
	[HEADER_LAST_EVENT_ID] = HEADER("Last-Event-ID", false),
	[HEADER_ODATA_VERSION] = HEADER("OData-Version", false),
	[HEADER_ORIGIN] = HEADER("Origin", false),
	[HEADER_PREFER] = HEADER("Prefer", true),
	[HEADER_SEC_FETCH_SITE] = HEADER("Sec-Fetch-Site", false),
	[HEADER_TRANSFER_ENCODING] = HEADER("Transfer-Encoding", false),
	[HEADER_X_AUTH_TOKEN] = HEADER("X-Auth-Token", false),
};

enum { CR_LF = 2, LF = 1 };

struct collector {
	struct http_request *req; /* its headers hold the last line of each */
	unsigned int counts[HTTP_HEADERS];

	size_t n, len;		/* headers, and their bytes without line ends */
	const char *last, *end; /* name of the last header, and where it ends */
	size_t line_end;	/* bytes of the line ends between headers; 0: not known yet */
};

static void head_fault(struct http_request *req, const char *header)
{
	if (req->fault != FAULT_NONE)
		return;
	req->fault = FAULT_HEADER;
	req->fault_header = header;
}

/* Whether a value has only bytes that it may have (RFC 9110 5.5). */
static bool value_is_sane(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)value[i] < 0x20 && value[i] != '\t') || value[i] == 0x7f)
			return false;
	return true;
}

static bool name_is_sane(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] <= ' ' || name[i] == 0x7f)
			return false;
	return true;
}

/*
 * Both pointers are into the memory of the connection, where the head was received.
 *
 * Return: the bytes from @from to @to, 0 if that is before or farther than any head is long.
 */
static size_t head_distance(const char *from, const char *to)
{
	return to > from && (size_t)(to - from) <= HTTP_HEAD_MAX ? (size_t)(to - from) : 0;
}

static bool is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != ' ' && text[i] != '\t')
			return false;
	return true;
}

/* The place of a header in the head that was received: no byte of it may have been left out. */
static void collect_place(struct collector *c, const char *name, size_t name_len, const char *value,
			  size_t value_len)
{
	size_t gap = c->end ? head_distance(c->end, name) : 0;
	size_t colon = head_distance(name + name_len, value);

	/* A name that had a line appended is elsewhere. After the name are a colon and blanks. */
	if (colon == 0 || !is_blank(name + name_len + 1, colon - 1))
		head_fault(c->req, name);
	else if (c->end && ((gap != CR_LF && gap != LF) || (c->line_end && gap != c->line_end)))
		head_fault(c->req, c->last);
	if (c->end)
		c->line_end = gap;
	c->n++;
	c->len += name_len + colon + value_len;
	c->last = name;
	c->end = value + value_len;
}

/* After all headers were collected: @len are the bytes of the request line without its end. */
static void check_length(struct collector *c, struct MHD_Connection *connection, size_t len)
{
	size_t lines = c->n + 2, all = len + c->len;
	size_t received =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)
			->header_size;

	if ((received == all + CR_LF * lines && c->line_end != LF) ||
	    (received == all + LF * lines && c->line_end != CR_LF))
		return;
	head_fault(c->req, c->last ? c->last : "Host");
}

static void collect_header(struct collector *c, const char *name, size_t name_len,
			   const char *value, size_t value_len)
{
	if (!name_is_sane(name, name_len) || !value_is_sane(value, value_len))
		head_fault(c->req, name);
	collect_place(c, name, name_len, value, value_len);
	for (size_t i = 0; i < HTTP_HEADERS; i++) {
		if (kinds[i].len != name_len || (kinds[i].name[0] ^ name[0]) & ~0x20 ||
		    strncasecmp(kinds[i].name, name, name_len) != 0)
			continue;
		c->req->headers[i] = value;
		if (c->counts[i]++ > 0 && !kinds[i].is_list)
			head_fault(c->req, kinds[i].name);
	}
}

/* Options beyond the limit are ignored: the ones before it are refused, for some are repeated. */
static void collect_option(struct http_request *req, const char *name, const char *value,
			   size_t value_len)
{
	bool has_nul = value && memchr(value, '\0', value_len);

	if (req->n_options < HTTP_OPTIONS_MAX && http_is_option(name))
		req->options[req->n_options++] =
			(struct http_option){name, has_nul ? "%00" : value};
}

static enum MHD_Result head_collect(void *cls, enum MHD_ValueKind kind, const char *name,
				    size_t name_len, const char *value, size_t value_len)
{
	struct collector *c = cls;

	if (kind == MHD_HEADER_KIND && !value)
		head_fault(c->req, name);
	else if (kind == MHD_HEADER_KIND)
		collect_header(c, name, name_len, value, value_len);
	else
		collect_option(c->req, name, value, value_len);
	return MHD_YES;
}

static enum http_method method_of(const char *method)
{
	static const struct {
		const char *name;
		enum http_method method;
	} methods[] = {
		{MHD_HTTP_METHOD_GET, METHOD_GET},	 {MHD_HTTP_METHOD_HEAD, METHOD_HEAD},
		{MHD_HTTP_METHOD_POST, METHOD_POST},	 {MHD_HTTP_METHOD_PATCH, METHOD_PATCH},
		{MHD_HTTP_METHOD_DELETE, METHOD_DELETE}, {MHD_HTTP_METHOD_OPTIONS, METHOD_OPTIONS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (str_equal(method, methods[i].name))
			return methods[i].method;
	return METHOD_OTHER;
}

/* The end of the body must be unambiguous. */
static void read_framing(struct collector *c, struct http_head *h)
{
	const char *length = c->req->headers[HEADER_CONTENT_LENGTH];
	const char *encoding = c->req->headers[HEADER_TRANSFER_ENCODING];

	if (length && encoding)
		head_fault(&h->req, kinds[HEADER_TRANSFER_ENCODING].name);
	if (encoding && strcasecmp(encoding, "chunked") != 0)
		head_fault(&h->req, kinds[HEADER_TRANSFER_ENCODING].name);
	if (length) {
		/* parse_u64() also accepts 0x, HTTP does not. */
		if (strspn(length, "0123456789") != strlen(length) ||
		    parse_u64(length, &h->req.length) < 0)
			head_fault(&h->req, kinds[HEADER_CONTENT_LENGTH].name);
		h->req.length_known = true;
	}
}

/*
 * A list in several lines is rare: the header then counts as absent, which is allowed for each of
 * them. Expect needs no value.
 */
static void drop_repeated(struct collector *c)
{
	for (size_t i = 0; i < HTTP_HEADERS; i++)
		if (c->counts[i] > 1)
			c->req->headers[i] = NULL;
}

bool http_is_option(const char *name)
{
	return name[0] == '$' || str_equal(name, "only") || str_equal(name, "excerpt") ||
	       str_equal(name, "includeoriginofcondition") || str_equal(name, "day") ||
	       str_equal(name, "clientcontext");
}

enum http_fault http_uri_fault(const char *raw)
{
	size_t len = strlen(raw), path = strcspn(raw, "?");

	if (len > HTTP_URI_MAX)
		return FAULT_URI_TOO_LONG;
	/* Decoded, these would end the path or add segments to it. */
	for (const char *s = raw; (s = memchr(s, '%', path - (size_t)(s - raw))); s++)
		if (strncmp(s, "%00", 3) == 0 || strncasecmp(s, "%2f", 3) == 0 ||
		    strncasecmp(s, "%5c", 3) == 0)
			return FAULT_URI;
	return FAULT_NONE;
}

bool http_has_framing(struct MHD_Connection *connection)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					   kinds[HEADER_CONTENT_LENGTH].name) ||
	       MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					   kinds[HEADER_TRANSFER_ENCODING].name);
}

bool http_announces_no_body(struct MHD_Connection *connection)
{
	const char *length;

	if (!MHD_lookup_connection_value(connection, MHD_HEADER_KIND, kinds[HEADER_EXPECT].name) ||
	    MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					kinds[HEADER_TRANSFER_ENCODING].name))
		return false;
	length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					     kinds[HEADER_CONTENT_LENGTH].name);
	return !length || strspn(length, "0") == strlen(length);
}

/*
 * A server must accept the absolute form, "GET http://host/path" (RFC 9112 3.2.2). Clients that
 * join an address that ends with a slash and a path begin it with two.
 */
static void read_target(const char *url, struct http_request *req)
{
	const char *authority = str_after_prefix(url, "http://");
	const char *path;

	if (!authority)
		authority = str_after_prefix(url, "https://");
	path = authority ? strchr(authority, '/') : NULL;
	req->authority = authority;
	req->authority_len = path ? (size_t)(path - authority) : authority ? strlen(authority) : 0;
	if (!path)
		path = url;
	while (path[0] == '/' && path[1] == '/')
		path++;
	req->path = path;
}

void http_head_read(struct MHD_Connection *connection, const char *method, const char *url,
		    const char *version, enum http_fault uri_fault, size_t uri_len,
		    const struct http_client *client, struct http_head *h)
{
	struct collector c = {.req = &h->req};

	*h = (struct http_head){
		.req = {.method = method_of(method), .fault = uri_fault, .client = *client},
	};
	read_target(url, &h->req);
	(void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND | MHD_GET_ARGUMENT_KIND,
					  head_collect, &c);
	/* With the two blanks of the request line. */
	check_length(&c, connection, strlen(method) + uri_len + strlen(version) + 2);
	if (!h->req.headers[HEADER_HOST] && str_equal(version, MHD_HTTP_VERSION_1_1))
		head_fault(&h->req, kinds[HEADER_HOST].name);
	h->expects_continue = h->req.headers[HEADER_EXPECT] != NULL;
	read_framing(&c, h);
	drop_repeated(&c);
}
