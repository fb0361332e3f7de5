// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/host_name.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS	"0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { PORT_DIGITS_MAX = 5 };

static bool is_name(const char *text)
{
	const size_t n = strspn(text, LETTERS DIGITS "-._");

	return n > 0 && n < HOST_NAME_BYTES && text[n] == '\0' && text[0] != '.';
}

int host_name_check(const char *name, struct error *e)
{
	if (is_name(name))
		return 0;
	return error_set(e, EINVAL,
			 "'%.64s' is no host name: give it without scheme, port and path", name);
}

/* @text: what follows the host */
static int parse_port(const char *text, int *ret)
{
	const size_t n = *text == ':' ? strspn(text + 1, DIGITS) : 0;
	const unsigned long port = n && n <= PORT_DIGITS_MAX ? strtoul(text + 1, NULL, 10) : 0;

	if (*text != '\0' &&
	    (*text != ':' || n > PORT_DIGITS_MAX || text[1 + n] != '\0' || port > UINT16_MAX))
		return -EINVAL;
	*ret = n ? (int)port : AUTHORITY_NO_PORT;
	return 0;
}

/* @host: of the brackets, cut at its zone while it is looked at */
static int parse_ipv6(char *host, enum authority_kind *ret)
{
	struct in6_addr unused;
	char *zone = strchr(host, '%');
	int r;

	if (zone && (zone[1] == '\0' || zone[1 + strspn(zone + 1, LETTERS DIGITS "-._~")] != '\0'))
		return -EINVAL;
	if (zone)
		*zone = '\0';
	r = inet_pton(AF_INET6, host, &unused);
	if (zone)
		*zone = '%';
	*ret = zone ? AUTHORITY_ZONE : AUTHORITY_IPV6;
	return r == 1 ? 0 : -EINVAL;
}

static int parse_host(char *host, bool brackets, enum authority_kind *ret)
{
	struct in_addr unused;

	if (brackets)
		return parse_ipv6(host, ret);
	*ret = inet_pton(AF_INET, host, &unused) == 1 ? AUTHORITY_IPV4 : AUTHORITY_NAME;
	return is_name(host) ? 0 : -EINVAL;
}

int authority_parse(const char *text, size_t len, struct authority *ret)
{
	char copy[HOST_NAME_BYTES + sizeof("[]:65535")];
	const bool brackets = len > 0 && text[0] == '[';
	struct authority a = {0};
	const char *rest;
	size_t n;

	if (len >= sizeof(copy) || memchr(text, '\0', len))
		return -EINVAL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	n = strcspn(copy + brackets, brackets ? "]" : ":");
	rest = copy + brackets + n;
	if (n >= sizeof(a.host) || (brackets && *rest++ != ']'))
		return -EINVAL;
	memcpy(a.host, copy + brackets, n);
	if (parse_host(a.host, brackets, &a.kind) < 0 || parse_port(rest, &a.port) < 0)
		return -EINVAL;
	*ret = a;
	return 0;
}
