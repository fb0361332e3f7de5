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

enum { WEIGHT_MAX = 1000 };

/* @s: "0.5", in @n bytes. Return: thousandths; WEIGHT_MAX for what is no weight. */
static unsigned int weight_value(const char *s, size_t n)
{
	unsigned int weight, unit = WEIGHT_MAX;

	n = trimmed_length(s, n);
	if (n < 1 || n > 5 || s[0] != '0' || (n > 1 && s[1] != '.'))
		return WEIGHT_MAX;
	weight = 0;
	for (size_t i = 2; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return WEIGHT_MAX;
		unit /= 10;
		weight += (unsigned int)(s[i] - '0') * unit;
	}
	return weight;
}

/* The weight that the parameters of a media range, ";q=0.5;…" in @n bytes, give it. */
static unsigned int weight_of(const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end && *s == ';') {
		size_t len;

		s = skip_blanks(s + 1);
		len = strcspn(s, ";,");
		if (len >= 2 && strncasecmp(s, "q=", 2) == 0)
			return weight_value(s + 2, len - 2);
		s += len;
	}
	return WEIGHT_MAX;
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

/* The ranges of an Accept value that count. */
enum ranges { RANGES_COVERING, RANGES_NAMING };

/*
 * @version: other ranges do not count; NULL for any
 *
 * Return: the greatest weight, in thousandths; -1 when no range counts.
 */
static int best_weight(const char *accept, const char *content_type, enum ranges which,
		       const char *version)
{
	size_t type_len = strcspn(content_type, ";");
	const char *s = skip_blanks(accept);
	int best = -1;

	while (*s) {
		size_t item = strcspn(s, ","), range = strcspn(s, ",;");
		size_t len = trimmed_length(s, range);
		int weight = (int)weight_of(s + range, item - range);
		bool counts = which == RANGES_NAMING ? range_is(s, len, content_type, type_len)
						     : range_covers(s, len, content_type, type_len);

		if (counts && version && !version_fits(s + range, item - range, version))
			counts = false;
		if (counts && weight > best)
			best = weight;
		s += item;
		s = skip_blanks(s + (*s == ','));
	}
	return best;
}

bool accept_admits(const char *accept, const char *content_type)
{
	return *skip_blanks(accept) == '\0' ||
	       best_weight(accept, content_type, RANGES_COVERING, NULL) > 0;
}

bool accept_prefers(const char *accept, const char *content_type, const char *version,
		    const char *instead)
{
	const int weight = best_weight(accept, content_type, RANGES_NAMING, version);
	int other = best_weight(accept, instead, RANGES_NAMING, NULL);

	if (other < 0)
		other = best_weight(accept, instead, RANGES_COVERING, NULL);
	return weight > 0 && weight >= other;
}

bool prefer_has(const char *prefer, const char *name)
{
	const char *s = prefer;
	const size_t len = strlen(name);

	while (*s) {
		s += strspn(s, ", \t");
		if (strncasecmp(s, name, len) == 0 && (!s[len] || strchr(" \t,;=", s[len])))
			return true;
		s += strcspn(s, ",");
	}
	return false;
}

bool accept_encoding_admits_gzip(const char *accept_encoding)
{
	const char *s = skip_blanks(accept_encoding);
	bool any = false;

	while (*s) {
		size_t item = strcspn(s, ","), n = trimmed_length(s, strcspn(s, ",;"));
		bool admitted = weight_of(s + strcspn(s, ",;"), item - strcspn(s, ",;")) > 0;

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
