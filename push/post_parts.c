// SPDX-License-Identifier: LGPL-2.1-or-later
#include "push/post_parts.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"

/* @n: bytes of a host, which may be an address in brackets, and of a port, which may be empty */
static bool port_is_sane(const char *host, size_t n)
{
	const char *end = host + n, *from = host[0] == '[' ? memchr(host, ']', n) : host;
	const char *colon = from ? memchr(from, ':', (size_t)(end - from)) : NULL;
	char digits[8] = "";
	uint64_t port;

	if (!colon || colon + 1 == end)
		return from != NULL;
	if ((size_t)(end - colon) > sizeof(digits))
		return false;
	memcpy(digits, colon + 1, (size_t)(end - colon - 1));
	return strspn(digits, "0123456789") == strlen(digits) && parse_u64(digits, &port) == 0 &&
	       port > 0 && port <= UINT16_MAX;
}

bool post_url_is_sane(const char *url)
{
	const char *host = str_after_prefix(url, "http://");
	size_t n;

	if (!host)
		host = str_after_prefix(url, "https://");
	if (!host)
		return false;
	for (const char *s = url; *s; s++)
		if ((unsigned char)*s <= 0x20 || (unsigned char)*s >= 0x7f ||
		    strchr("\"<>\\^`{|}#", *s))
			return false;
	n = strcspn(host, "/?");
	return n > 0 && host[0] != ':' && !memchr(host, '@', n) && port_is_sane(host, n);
}

bool post_header_is_sane(const char *name, const char *value, size_t len)
{
	static const char *const reserved[] = {
		"Connection",
		"Content-Encoding",
		"Content-Length",
		"Content-Type",
		"Expect",
		"Host",
		"Keep-Alive",
		"OData-Version",
		"TE",
		"Trailer",
		"Transfer-Encoding",
		"Upgrade",
	};

	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (strcasecmp(reserved[i], name) == 0)
			return false;
	if (!*name ||
	    strspn(name,
		   "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
		    strlen(name))
		return false;
	for (const unsigned char *s = (const unsigned char *)value; *s; s++)
		if ((*s < 0x20 && *s != '\t') || *s >= 0x7f)
			return false;
	/* libcurl removes a header that is given without a value. */
	return len > 0 && strlen(value) == len;
}
