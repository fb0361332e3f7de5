// SPDX-License-Identifier: LGPL-2.1-or-later
#include "push/destinations.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"

enum { HOST_BYTES = 256 };

int push_allow_parse(const char *text, struct push_allow *ret, struct error *e)
{
	static const char between[] = " \t,";
	struct push_allow p = {0};
	char member[PUSH_ADDRESS_MAX];

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t len = strcspn(text, between);
		int r;

		if (len >= sizeof(member))
			return error_set(e, EINVAL, "'%.64s' is no address", text);
		if (p.n == PUSH_ALLOW_MAX)
			return error_set(e, EINVAL, "there are more than %d addresses",
					 PUSH_ALLOW_MAX);
		memcpy(member, text, len);
		member[len] = '\0';
		r = cidr_parse(member, &p.items[p.n++], e);
		if (r < 0)
			return r;
		text += len;
	}
	*ret = p;
	return 0;
}

/*
 * Where an IPv6 address has the IPv4 address that packets to it reach: mapped and compatible
 * addresses (RFC 4291 2.5.5), those of the prefix of translators (RFC 6052), and 6to4 (RFC 3056).
 */
static const uint8_t *embedded(const struct in6_addr *a)
{
	static const uint8_t translators[12] = {0x00, 0x64, 0xff, 0x9b};

	if (IN6_IS_ADDR_V4MAPPED(a) || IN6_IS_ADDR_V4COMPAT(a) ||
	    memcmp(a->s6_addr, translators, sizeof(translators)) == 0)
		return &a->s6_addr[12];
	return a->s6_addr[0] == 0x20 && a->s6_addr[1] == 0x02 ? &a->s6_addr[2] : NULL;
}

/* An IPv4 address in the form of IPv6 is the IPv4 address. */
static void normalize(const struct sockaddr *address, struct sockaddr_storage *ret)
{
	struct sockaddr_in6 in6;
	struct sockaddr_in in = {.sin_family = AF_INET};
	const uint8_t *ipv4;

	*ret = (struct sockaddr_storage){.ss_family = address->sa_family};
	if (address->sa_family == AF_INET)
		memcpy(ret, address, sizeof(in));
	if (address->sa_family != AF_INET6)
		return;
	memcpy(&in6, address, sizeof(in6));
	memcpy(ret, &in6, sizeof(in6));
	ipv4 = embedded(&in6.sin6_addr);
	if (!ipv4)
		return;
	memcpy(&in.sin_addr, ipv4, sizeof(in.sin_addr));
	memcpy(ret, &in, sizeof(in));
}

/* This host by its loopback and unspecified addresses, the link, and what is no single host. */
static bool is_near(const struct sockaddr *address)
{
	static const char *const near[] = {"0.0.0.0/8",	  "127.0.0.0/8", "169.254.0.0/16",
					   "224.0.0.0/3", "::/128",	 "::1/128",
					   "fe80::/10",	  "ff00::/8"};
	struct cidr c;

	for (size_t i = 0; i < ARRAY_SIZE(near); i++)
		if (cidr_parse(near[i], &c, NULL) == 0 && cidr_has(&c, address))
			return true;
	return false;
}

bool push_allow_admits(const struct push_allow *p, const struct sockaddr *address,
		       char ret[PUSH_ADDRESS_MAX])
{
	struct sockaddr_storage ss;
	const struct sockaddr *sa = (const struct sockaddr *)&ss;

	normalize(address, &ss);
	if (ret && getnameinfo(sa,
			       ss.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
							: sizeof(struct sockaddr_in),
			       ret, PUSH_ADDRESS_MAX, NULL, 0, NI_NUMERICHOST) != 0)
		(void)snprintf(ret, PUSH_ADDRESS_MAX, "that is not known");
	if (ss.ss_family != AF_INET && ss.ss_family != AF_INET6)
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (cidr_has(&p->items[i], sa))
			return true;
	return p->n == 0 && !is_near(sa);
}

/* Return: whether the URL has a host that is short enough; without brackets in @ret. */
static bool host_of(const char *url, char ret[static HOST_BYTES])
{
	const char *host = strstr(url, "://");
	size_t len;

	if (!host)
		return false;
	host += 3;
	if (*host == '[')
		len = strcspn(++host, "]%");
	else
		len = strcspn(host, ":/?");
	if (len == 0 || len >= HOST_BYTES)
		return false;
	memcpy(ret, host, len);
	ret[len] = '\0';
	return true;
}

/* libcurl takes it as the loopback addresses, as resolvers should (RFC 6761 6.3). */
static bool is_localhost(const char *host)
{
	static const char name[] = "localhost";
	size_t len = strlen(host), n = sizeof(name) - 1;

	len -= len > 0 && host[len - 1] == '.';
	return len >= n && strncasecmp(host + len - n, name, n) == 0 &&
	       (len == n || host[len - n - 1] == '.');
}

bool push_allow_admits_url(const struct push_allow *p, const char *url,
			   char ret[static PUSH_ADDRESS_MAX])
{
	/* Also the forms of inet_aton(3): 0x7f000001, 127.1. */
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
	struct addrinfo *ai = NULL;
	char host[HOST_BYTES];
	bool admitted;

	if (!host_of(url, host))
		return true;
	if (getaddrinfo(is_localhost(host) ? "127.0.0.1" : host, NULL, &hints, &ai) != 0)
		return true;
	admitted = push_allow_admits(p, ai->ai_addr, ret);
	freeaddrinfo(ai);
	return admitted;
}
