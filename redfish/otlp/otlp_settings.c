// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "push/protocol.h"
#include "push/post_parts.h"

_Static_assert((int)OTLP_HEADERS_FILE_MAX < (int)PUSH_HEADERS_MAX,
	       "they are sent with the media type");

int otlp_check_url(const char *argument, struct error *e)
{
	const size_t len = strlen(argument);

	if (len > OTLP_URL_MAX)
		return error_set(e, EINVAL, "the URL has more than %d bytes", OTLP_URL_MAX);
	if (!post_url_is_sane(argument) || strchr(argument, '?'))
		return error_set(
			e, EINVAL,
			"'%.64s' is no http:// or https:// URL of a host, with a port from 1 to 65535 or none, and without user name and query",
			argument);
	return 0;
}

/* Return: the bits of a list; 0 when it is none. */
static unsigned int parse_signals(const char *text)
{
	static const char *const names[OTLP_SIGNALS] = {
		[OTLP_LOGS] = "logs",
		[OTLP_METRICS] = "metrics",
	};
	unsigned int bits = 0;

	for (text += strspn(text, " \t,"); *text; text += strspn(text, " \t,")) {
		const size_t len = strcspn(text, " \t,");
		unsigned int i = 0;

		while (i < OTLP_SIGNALS &&
		       (strlen(names[i]) != len || memcmp(names[i], text, len) != 0))
			i++;
		if (i == OTLP_SIGNALS)
			return 0;
		bits |= 1U << i;
		text += len;
	}
	return bits;
}

int otlp_check_signals(const char *argument, struct error *e)
{
	return parse_signals(argument)
		       ? 0
		       : error_set(e, EINVAL, "'%.64s' is no list of logs and metrics", argument);
}

struct otlp_settings *otlp_settings_free(struct otlp_settings *s)
{
	if (!s)
		return NULL;
	/* Headers are secrets. */
	if (s->headers)
		explicit_bzero(s->headers, s->headers_len);
	free(s->headers);
	free(s->url);
	free(s->ca);
	free(s->certificate);
	free(s->key);
	free(s);
	return NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || str_equal(a, b);
}

bool otlp_settings_equal(const struct otlp_settings *a, const struct otlp_settings *b)
{
	if (!a || !b)
		return a == b;
	return str_equal(a->url, b->url) && a->encoding == b->encoding &&
	       a->signals == b->signals && a->interval == b->interval &&
	       a->headers_len == b->headers_len &&
	       memcmp(a->headers, b->headers, a->headers_len) == 0 && same_text(a->ca, b->ca) &&
	       same_text(a->certificate, b->certificate) && same_text(a->key, b->key);
}

/* ---- headers ----------------------------------------------------------------------------------
 */

static void append_header(struct otlp_settings *s, const char *name, const char *value)
{
	char *at = stpcpy(s->headers + s->headers_len, name);

	at = stpcpy(stpcpy(at, ": "), value);
	s->headers_len = (size_t)(at + 1 - s->headers);
}

/* @line: is written to. Return: whether it is a header. */
static bool split_header(char *line, const char **ret_value)
{
	char *colon = strchr(line, ':'), *value;

	if (!colon)
		return false;
	*colon = '\0';
	value = colon + 1 + strspn(colon + 1, " \t");
	*ret_value = value;
	return post_header_is_sane(line, value, strlen(value));
}

/* @text: is written to; it has @len bytes, of which @s->headers has room for more than twice. */
static int take_headers(struct otlp_settings *s, char *text, size_t len, const char *path,
			struct error *e)
{
	unsigned int line = 0, n = 0;
	const char *value;
	char *rest = text;

	if (strlen(text) != len)
		return error_set(e, EINVAL, "otlp-headers-file: %s has a byte 0", path);
	for (char *at; (at = strsep(&rest, "\n"));) {
		line++;
		at[strcspn(at, "\r")] = '\0';
		if (at[0] == '\0' || at[0] == '#')
			continue;
		if (++n > OTLP_HEADERS_MAX)
			return error_set(e, EINVAL,
					 "otlp-headers-file: %s has more than %d headers", path,
					 OTLP_HEADERS_MAX);
		if (!split_header(at, &value))
			return error_set(
				e, EINVAL,
				"otlp-headers-file: line %u of %s is no header that may be sent, which is written as 'Name: value'",
				line, path);
		append_header(s, at, value);
	}
	return 0;
}

static int load_headers(struct otlp_settings *s, const char *path, struct error *e)
{
	char *text = NULL;
	size_t len = 0;
	int r = 0;

	if (path)
		r = read_file_at(AT_FDCWD, path, OTLP_HEADERS_FILE_MAX, &text, &len);
	if (r == -EFBIG)
		return error_set(e, EINVAL, "otlp-headers-file: %s has more than %d bytes", path,
				 OTLP_HEADERS_FILE_MAX);
	if (r < 0)
		return error_set(e, EINVAL, "otlp-headers-file: cannot read %s: %s", path,
				 strerror(-r));
	/* Each header is longer by at most a blank and the NUL than its line. */
	s->headers = malloc(2 * len + PUSH_URL_MAX);
	r = s->headers ? 0 : error_set(e, ENOMEM, "out of memory");
	if (r == 0)
		append_header(s, "Content-Type", otlp_media_type(s->encoding));
	if (r == 0 && path)
		r = take_headers(s, text, len, path, e);
	if (text)
		explicit_bzero(text, len);
	free(text);
	return r;
}

/* ---- all --------------------------------------------------------------------------------------
 */

/* Return: 0; -ENOMEM. */
static int copy(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static int copy_options(struct otlp_settings *s, const struct otlp_options *o, struct error *e)
{
	if (copy(o->url, &s->url) < 0 || copy(o->ca, &s->ca) < 0 ||
	    copy(o->certificate, &s->certificate) < 0 || copy(o->key, &s->key) < 0)
		return error_set(e, ENOMEM, "out of memory");
	for (size_t n = strlen(s->url); n > 0 && s->url[n - 1] == '/'; n--)
		s->url[n - 1] = '\0';
	s->encoding = str_equal(o->encoding, "json") ? OTLP_JSON : OTLP_PROTOBUF;
	s->signals = parse_signals(o->signals ? o->signals : "logs,metrics");
	s->interval = o->interval;
	return 0;
}

int otlp_settings_load(const struct otlp_options *o, struct otlp_settings **ret,
		       const char **ret_option, struct error *e)
{
	struct otlp_settings *s;
	int r;

	*ret_option = o->key ? "otlp-key" : "otlp-certificate";
	if (!o->certificate != !o->key)
		return error_set(
			e, EINVAL,
			"otlp-certificate and otlp-key are given together, or neither of them");
	*ret_option = "otlp-headers-file";
	if (!o->url) {
		*ret = NULL;
		return 0;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	r = copy_options(s, o, e);
	if (r == 0)
		r = load_headers(s, o->headers_file, e);
	if (r < 0)
		(void)otlp_settings_free(s);
	else
		*ret = s;
	return r;
}
