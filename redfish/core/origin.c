// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/origin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "http/access.h"
#include "http/peer.h"
#include "http/request.h"

/* @ipv4: in network byte order */
static void origin_of_ipv4(uint32_t ipv4, struct login_origin *ret)
{
	if (ntohl(ipv4) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET)
		ipv4 = htonl(INADDR_LOOPBACK);
	*ret = (struct login_origin){AF_INET, ipv4};
}

static void origin_of_ipv6(const struct in6_addr *in6, struct login_origin *ret)
{
	uint32_t ipv4;

	if (IN6_IS_ADDR_LOOPBACK(in6)) {
		origin_of_ipv4(htonl(INADDR_LOOPBACK), ret);
		return;
	}
	if (IN6_IS_ADDR_V4MAPPED(in6)) {
		memcpy(&ipv4, &in6->s6_addr[12], sizeof(ipv4));
		origin_of_ipv4(ipv4, ret);
		return;
	}
	ret->family = AF_INET6;
	memcpy(&ret->address, in6->s6_addr, sizeof(ret->address));
}

void login_origin_of(const struct http_client *client, struct login_origin *ret)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	uid_t uid;

	if (http_address_is_loopback(client->address) && client->peer &&
	    http_peer_uid(client->peer, client->address, &uid)) {
		*ret = (struct login_origin){AF_UNIX, uid};
		return;
	}
	/* The sockaddr may be that of a buffer without the alignment of either. */
	if (client->transport == HTTP_OVER_UNIX) {
		*ret = (struct login_origin){AF_UNIX,
					     client->has_credentials ? client->uid : UINT64_MAX};
	} else if (client->address && client->address->sa_family == AF_INET) {
		memcpy(&in, client->address, sizeof(in));
		origin_of_ipv4(in.sin_addr.s_addr, ret);
	} else if (client->address && client->address->sa_family == AF_INET6) {
		memcpy(&in6, client->address, sizeof(in6));
		origin_of_ipv6(&in6.sin6_addr, ret);
	} else {
		*ret = (struct login_origin){AF_UNSPEC, 0};
	}
}

bool login_origin_equal(const struct login_origin *a, const struct login_origin *b)
{
	return a->family == b->family && a->address == b->address;
}

bool origin_is_root(const struct http_client *client)
{
	return client->transport == HTTP_OVER_UNIX && client->has_credentials && client->uid == 0;
}

static void describe_ipv6(const struct in6_addr *in6, char ret[static PRINCIPAL_FROM_MAX])
{
	if (IN6_IS_ADDR_V4MAPPED(in6))
		(void)inet_ntop(AF_INET, &in6->s6_addr[12], ret, PRINCIPAL_FROM_MAX);
	else
		(void)inet_ntop(AF_INET6, in6, ret, PRINCIPAL_FROM_MAX);
}

void origin_describe(const struct http_client *client, char ret[static PRINCIPAL_FROM_MAX])
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (client->transport == HTTP_OVER_UNIX && client->has_credentials) {
		(void)snprintf(ret, PRINCIPAL_FROM_MAX, "uid %u", (unsigned int)client->uid);
	} else if (client->transport == HTTP_OVER_UNIX) {
		(void)snprintf(ret, PRINCIPAL_FROM_MAX, "a local socket");
	} else if (client->address && client->address->sa_family == AF_INET) {
		memcpy(&in, client->address, sizeof(in));
		(void)inet_ntop(AF_INET, &in.sin_addr, ret, PRINCIPAL_FROM_MAX);
	} else if (client->address && client->address->sa_family == AF_INET6) {
		memcpy(&in6, client->address, sizeof(in6));
		describe_ipv6(&in6.sin6_addr, ret);
	} else {
		(void)snprintf(ret, PRINCIPAL_FROM_MAX, "an unknown address");
	}
}

/* Return: 0 when it has none. */
static uint16_t port_of(const struct sockaddr *address)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (address->sa_family == AF_INET) {
		memcpy(&in, address, sizeof(in));
		return ntohs(in.sin_port);
	}
	if (address->sa_family != AF_INET6)
		return 0;
	memcpy(&in6, address, sizeof(in6));
	return ntohs(in6.sin6_port);
}

void origin_stream_uri(const struct http_client *client, char ret[static ORIGIN_URI_MAX])
{
	char address[PRINCIPAL_FROM_MAX];
	uint16_t port = client->address ? port_of(client->address) : 0;

	ret[0] = '\0';
	if (port == 0)
		return;
	origin_describe(client, address);
	(void)snprintf(ret, ORIGIN_URI_MAX,
		       strchr(address, ':') ? "redfish-sse://[%s]:%u" : "redfish-sse://%s:%u",
		       address, (unsigned int)port);
}

struct budget_owner owner_of(const struct principal *p, uint64_t client_key)
{
	struct budget_owner o = {.principal = p->account, .client = client_key};

	o.administrator = p->role == ROLE_ADMINISTRATOR || p->means == AUTHENTICATION_NOT_REQUIRED;
	/* Users of the Unix socket, and named peers, are where they are; no account reaches this.
	 */
	if (p->account == 0 && p->means != AUTHENTICATION_NONE)
		o.principal = UINT64_C(1) << 63 | client_key;
	return o;
}

struct budget_owner owner_at(const struct principal *p, const struct login_origin *from)
{
	/* The family makes addresses of different kinds different. */
	return owner_of(p, from->family << 56 ^ from->address);
}
