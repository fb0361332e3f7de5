// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum {
	LINE_MAX_BYTES = 512,
	SOCKETS_MAX = 65536, /* lines that are read; more are not worth the time */
	ENDPOINT_MAX = 40,
	STATE_TIME_WAIT = 6, /* has no user any more */
};

/* The form of an address and a port in the list. */
static void write_endpoint(const struct sockaddr_storage *ss, bool as_ipv6,
			   char ret[static ENDPOINT_MAX])
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)ss;
	const struct sockaddr_in *in = (const struct sockaddr_in *)ss;
	uint32_t words[4] = {0, 0, htonl(0xffff), 0};

	if (ss->ss_family == AF_INET6)
		memcpy(words, in6->sin6_addr.s6_addr, sizeof(words));
	else
		words[3] = in->sin_addr.s_addr;
	if (as_ipv6)
		(void)snprintf(ret, ENDPOINT_MAX, "%08X%08X%08X%08X:%04X", words[0], words[1],
			       words[2], words[3],
			       ntohs(ss->ss_family == AF_INET6 ? in6->sin6_port : in->sin_port));
	else
		(void)snprintf(ret, ENDPOINT_MAX, "%08X:%04X", words[3], ntohs(in->sin_port));
}

/* Return: whether a line is that of the socket from @local to @remote, which has a user. */
static bool read_line(const char *line, const char *local, const char *remote, uid_t *ret)
{
	char from[ENDPOINT_MAX], to[ENDPOINT_MAX];
	unsigned int state, uid;
	unsigned long inode;

	if (sscanf(line, " %*u: %39s %39s %x %*s %*s %*s %u %*u %lu", from, to, &state, &uid,
		   &inode) != 5 ||
	    strcmp(from, local) != 0 || strcmp(to, remote) != 0 || state == STATE_TIME_WAIT ||
	    inode == 0)
		return false;
	*ret = uid;
	return true;
}

static bool find(const char *path, const char *local, const char *remote, uid_t *ret)
{
	char line[LINE_MAX_BYTES];
	bool found = false;
	FILE *f = fopen(path, "re");

	for (size_t i = 0; f && !found && i < SOCKETS_MAX && fgets(line, sizeof(line), f); i++)
		found = read_line(line, local, remote, ret);
	if (f)
		(void)fclose(f);
	return found;
}

/* An IPv4 connection is one of IPv6 in the list if the client's socket is. */
static bool look_up(int fd, const struct sockaddr *client, uid_t *ret)
{
	struct sockaddr_storage own = {0}, other = {0};
	char local[ENDPOINT_MAX], remote[ENDPOINT_MAX];
	socklen_t len = sizeof(own);

	if (getsockname(fd, (struct sockaddr *)&own, &len) < 0)
		return false;
	memcpy(&other, client,
	       client->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
					     : sizeof(struct sockaddr_in));
	if (own.ss_family != other.ss_family)
		return false;
	if (other.ss_family == AF_INET) {
		write_endpoint(&other, false, local);
		write_endpoint(&own, false, remote);
		if (find("/proc/net/tcp", local, remote, ret))
			return true;
	}
	write_endpoint(&other, true, local);
	write_endpoint(&own, true, remote);
	return find("/proc/net/tcp6", local, remote, ret);
}

bool http_peer_uid(struct http_peer *p, const struct sockaddr *client, uid_t *ret)
{
	if (!p->is_read)
		p->is_known = look_up(p->fd, client, &p->uid);
	p->is_read = true;
	if (p->is_known)
		*ret = p->uid;
	return p->is_known;
}
