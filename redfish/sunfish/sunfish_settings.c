// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/sunfish/sunfish_settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "push/post_parts.h"

/* Return: whether the URL has a host that is short enough; without brackets in @ret. */
static bool host_of(const char *url, char ret[static INET6_ADDRSTRLEN])
{
	const char *host = strstr(url, "://");
	size_t len;

	if (!host)
		return false;
	host += strlen("://");
	len = host[0] == '[' ? strcspn(++host, "]") : strcspn(host, ":/");
	if (len == 0 || len >= INET6_ADDRSTRLEN || memchr(host, '/', len) ||
	    !strchr(":/]", host[len]) || (host[len] == ']' && !strchr(":/", host[len + 1])))
		return false;
	memcpy(ret, host, len);
	ret[len] = '\0';
	return true;
}

int sunfish_core_address(const char *url, struct cidr *ret, struct error *e)
{
	char host[INET6_ADDRSTRLEN];

	if (host_of(url, host) && cidr_parse(host, ret, NULL) == 0)
		return 0;
	return error_set(
		e, EINVAL,
		"'%.64s' has no address of a host: name the core by its address, because the service gives rights to it",
		url);
}

bool sunfish_is_own_address(const char *address, const struct cidr *core)
{
	static const unsigned char any[sizeof(core->address)];
	struct cidr own;

	return cidr_parse(address, &own, NULL) == 0 && own.family == core->family &&
	       memcmp(own.address, any, core->family == AF_INET ? 4 : sizeof(any)) != 0;
}

int sunfish_check_url(const char *argument, struct error *e)
{
	struct cidr address;

	if (strlen(argument) >= SUNFISH_URL_MAX)
		return error_set(e, EINVAL, "the URL has more than %d bytes", SUNFISH_URL_MAX - 1);
	if (!post_url_is_sane(argument) || strchr(argument, '?'))
		return error_set(
			e, EINVAL,
			"'%.64s' is no http:// or https:// URL with a host, without user name and query",
			argument);
	return sunfish_core_address(argument, &address, e);
}

void sunfish_set_core(struct sunfish_settings *s, const char *url)
{
	size_t len;

	(void)snprintf(s->core, sizeof(s->core), "%s", url ? url : "");
	for (len = strlen(s->core); len > 0 && s->core[len - 1] == '/'; len--)
		s->core[len - 1] = '\0';
}
