// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/negotiation.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* Length of @s up to @end without the blanks before it. */
static size_t trimmed_length(const char *s, size_t n)
{
	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return n;
}

/* Whether the parameters of a media range, ";q=0.5;…" in @n bytes, give it the weight 0. */
static bool weight_is_zero(const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end && *s == ';') {
		size_t len;

		s = skip_blanks(s + 1);
		len = strcspn(s, ";,");
		if (len >= 3 && strncasecmp(s, "q=0", 3) == 0)
			return strspn(s + 2, "0.") == trimmed_length(s + 2, len - 2);
		s += len;
	}
	return false;
}

/* @range: "application/json", "application" + "/" + "*", or "*" + "/" + "*" */
static bool range_covers(const char *range, size_t n, const char *type, size_t type_len)
{
	if (n == 3 && memcmp(range, "*/*", 3) == 0)
		return true;
	if (n >= 2 && memcmp(range + n - 2, "/*", 2) == 0)
		return n - 1 < type_len && strncasecmp(range, type, n - 1) == 0;
	return n == type_len && strncasecmp(range, type, n) == 0;
}

static bool range_is(const char *range, size_t n, const char *type, size_t type_len)
{
	return n == type_len && strncasecmp(range, type, n) == 0;
}

/* Whether the parameters of a media range, in @n bytes, have no version but that one. */
static bool version_fits(const char *s, size_t n, const char *version)
{
	const char *end = s + n;

	while (s < end && *s == ';') {
		size_t len, quoted;

		s = skip_blanks(s + 1);
		len = strcspn(s, ";,");
		if (len >= 8 && strncasecmp(s, "version=", 8) == 0) {
			quoted = s[8] == '"';
			s += 8 + quoted;
			len = trimmed_length(s, len - 8 - quoted);
			len -= quoted && len > 0 && s[len - 1] == '"';
			return len == strlen(version) && strncmp(s, version, len) == 0;
		}
		s += len;
	}
	return true;
}

/* @version: NULL for ranges of any version, which may cover other types as well */
static bool any_range(const char *accept, const char *content_type, const char *version)
{
	size_t type_len = strcspn(content_type, ";");
	const char *s = skip_blanks(accept);

	while (*s) {
		size_t item = strcspn(s, ","), range = strcspn(s, ",;");
		size_t len = trimmed_length(s, range);
		bool covers = version ? range_is(s, len, content_type, type_len) &&
						version_fits(s + range, item - range, version)
				      : range_covers(s, len, content_type, type_len);

		if (covers && !weight_is_zero(s + range, item - range))
			return true;
		s += item;
		s = skip_blanks(s + (*s == ','));
	}
	return false;
}

bool accept_admits(const char *accept, const char *content_type)
{
	return *skip_blanks(accept) == '\0' || any_range(accept, content_type, NULL);
}

bool accept_names(const char *accept, const char *content_type, const char *version)
{
	return any_range(accept, content_type, version);
}

bool accept_encoding_admits_gzip(const char *accept_encoding)
{
	const char *s = skip_blanks(accept_encoding);
	bool any = false;

	while (*s) {
		size_t item = strcspn(s, ","), n = trimmed_length(s, strcspn(s, ",;"));
		bool admitted = !weight_is_zero(s + strcspn(s, ",;"), item - strcspn(s, ",;"));

		if ((n == 4 && strncasecmp(s, "gzip", 4) == 0) ||
		    (n == 6 && strncasecmp(s, "x-gzip", 6) == 0))
			return admitted;
		any |= n == 1 && *s == '*' && admitted;
		s += item;
		s = skip_blanks(s + (*s == ','));
	}
	return any;
}

bool content_type_is_json(const char *content_type)
{
	const char *s = skip_blanks(content_type);
	size_t n = trimmed_length(s, strcspn(s, ";"));

	return n == strlen("application/json") && strncasecmp(s, "application/json", n) == 0;
}

/* Whether @n bytes are @etag, or that of the same body with the gzip coding. */
static bool is_etag(const char *one, size_t n, const char *etag)
{
	static const char gzip[] = ETAG_GZIP "\"";
	size_t len = strlen(etag), suffix = strlen(gzip);

	if (n == len)
		return memcmp(one, etag, len) == 0;
	return len > 0 && n == len - 1 + suffix && memcmp(one, etag, len - 1) == 0 &&
	       memcmp(one + len - 1, gzip, suffix) == 0;
}

/* Whether a list of entity tags names @etag, or anything by "*". */
static bool is_listed(const char *list, const char *etag, bool weakly)
{
	const char *s = skip_blanks(list);

	while (*s) {
		size_t n = strcspn(s, ",");
		size_t len = trimmed_length(s, n);
		const char *one = s;

		if (len == 1 && *s == '*')
			return true;
		if (weakly && len > 2 && strncmp(one, "W/", 2) == 0) {
			one += 2;
			len -= 2;
		}
		if (is_etag(one, len, etag))
			return true;
		s += n;
		s = skip_blanks(s + (*s == ','));
	}
	return false;
}

bool etag_listed(const char *if_none_match, const char *etag)
{
	return is_listed(if_none_match, etag, true);
}

bool etag_matches(const char *if_match, const char *etag)
{
	return is_listed(if_match, etag, false);
}

bool path_is_sane(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *s = path; *s; s++) {
		if ((unsigned char)*s <= 0x20 || *s == 0x7f)
			return false;
		if (*s != '/')
			continue;
		if (s[1] == '/')
			return false;
		if (s[1] == '.' &&
		    (s[2] == '/' || s[2] == '\0' || (s[2] == '.' && (s[3] == '/' || s[3] == '\0'))))
			return false;
	}
	return true;
}
