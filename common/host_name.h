/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_HOST_NAME_H
#define CXLR_COMMON_HOST_NAME_H

/* Names of hosts, and hosts with ports, as in URLs. No state: any thread. */

#include <stddef.h>

#include "common/error.h"

enum { HOST_NAME_BYTES = 256 }; /* with the NUL */

/* host_name_check() - whether a text is a host name without a port. Return: 0 or -EINVAL. */
int host_name_check(const char *name, struct error *e);

enum authority_kind {
	AUTHORITY_NAME, /* as host_name_check() accepts it */
	AUTHORITY_IPV4, /* four numbers with points between */
	AUTHORITY_IPV6, /* in brackets */
	AUTHORITY_ZONE, /* the same with %ZONE in the brackets: it has a meaning on one host only */
};

enum { AUTHORITY_NO_PORT = -1 };

/* "HOST" or "HOST:PORT" of a URL (RFC 3986 3.2.2, 3.2.3), in its parts. */
struct authority {
	enum authority_kind kind;
	char host[HOST_NAME_BYTES]; /* without brackets, with the zone */
	int port; /* 0 to 65535; AUTHORITY_NO_PORT, also of a ':' without number */
};

/*
 * authority_parse() - take a text apart
 * @len: its bytes; a NUL byte in them is refused
 *
 * Whether a port is needed or may be 0, and which kinds are accepted, is a rule of each caller.
 * Return: 0 or -EINVAL.
 */
int authority_parse(const char *text, size_t len, struct authority *ret);

#endif
