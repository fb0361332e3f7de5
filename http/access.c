// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/access.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/strutil.h"

enum { GROUPS_USUAL = 64 };

/* ---- named peers ------------------------------------------------------------------------------
 */

enum http_access http_access_of(const struct http_access_rules *rules,
				const struct sockaddr *address)
{
	if (!rules || !rules->restricted)
		return HTTP_ACCESS_ALL;
	if (address && rules->has_core && cidr_has(&rules->core, address))
		return HTTP_ACCESS_CORE;
	for (size_t i = 0; address && i < rules->n_named; i++)
		if (cidr_has(&rules->named[i], address))
			return HTTP_ACCESS_READ_ONLY;
	return HTTP_ACCESS_REDIRECT;
}

/* ---- the other side of a Unix socket ----------------------------------------------------------
 */

static bool is_listed(const gid_t *groups, size_t n, gid_t group)
{
	for (size_t i = 0; i < n; i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* Whether one of the client's supplementary groups is @group; false when they are not known. */
static bool in_group(int fd, gid_t group)
{
	gid_t usual[GROUPS_USUAL];
	_cleanup_free_ gid_t *many = NULL;
	socklen_t len = sizeof(usual);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, usual, &len) == 0)
		return is_listed(usual, len / sizeof(usual[0]), group);
	/* The kernel has set the length that it needs. */
	if (errno != ERANGE || !(many = malloc(len)) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, many, &len) < 0)
		return false;
	return is_listed(many, len / sizeof(many[0]), group);
}

static void identify_process(struct http_client *c, int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 || len != sizeof(cred))
		return;
	c->has_credentials = true;
	c->uid = cred.uid;
	c->gid = cred.gid;
	c->pid = cred.pid;
	c->in_own_group = cred.gid == getegid() || in_group(fd, getegid());
}

void http_client_init(struct http_client *c, int fd, const struct sockaddr *address, bool is_tls,
		      const struct http_access_rules *rules)
{
	*c = (struct http_client){
		.transport = is_tls ? HTTP_OVER_TLS : HTTP_OVER_TCP,
		.access = http_access_of(rules, address),
		.address = address,
	};
	if (!address || address->sa_family != AF_UNIX)
		return;
	c->transport = HTTP_OVER_UNIX;
	identify_process(c, fd);
}

/* ---- the client as an owner -------------------------------------------------------------------
 */

bool http_address_is_loopback(const struct sockaddr *address)
{
	static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127};
	const unsigned char *bytes;

	if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
		return false;
	bytes = cidr_address_bytes(address);
	if (address->sa_family == AF_INET)
		return bytes[0] == IN_LOOPBACKNET;
	return memcmp(bytes, &in6addr_loopback, sizeof(in6addr_loopback)) == 0 ||
	       memcmp(bytes, mapped, sizeof(mapped)) == 0;
}

uint64_t http_client_key(const struct http_client *c)
{
	uint64_t key = 0;
	uint32_t ipv4;

	if (c->transport == HTTP_OVER_UNIX)
		return c->has_credentials ? UINT64_C(1) << 62 | c->uid : 0;
	if (!c->address || http_address_is_loopback(c->address))
		return 0;
	if (c->address->sa_family == AF_INET) {
		memcpy(&ipv4, cidr_address_bytes(c->address), sizeof(ipv4));
		return UINT64_C(1) << 61 | ipv4;
	}
	if (c->address->sa_family == AF_INET6)
		memcpy(&key, cidr_address_bytes(c->address), sizeof(key));
	return key;
}
