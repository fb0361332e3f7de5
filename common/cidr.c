// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/cidr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "common/strutil.h"

/* Whether the first bits of two addresses are the same. */
static bool same_prefix(const unsigned char *a, const unsigned char *b, unsigned int bits)
{
	unsigned int bytes = bits / 8, rest = bits % 8;

	if (memcmp(a, b, bytes) != 0)
		return false;
	return rest == 0 || ((a[bytes] ^ b[bytes]) >> (8 - rest)) == 0;
}

static bool has_host_bits(const struct cidr *p, unsigned int size)
{
	for (unsigned int bit = p->prefix; bit < size; bit++)
		if (p->address[bit / 8] & (0x80u >> bit % 8))
			return true;
	return false;
}

int cidr_parse(const char *text, struct cidr *ret, struct error *e)
{
	struct cidr p = {.family = strchr(text, ':') ? AF_INET6 : AF_INET};
	unsigned int size = p.family == AF_INET ? 32 : 128;
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	char address[INET6_ADDRSTRLEN];
	uint64_t prefix = size;

	if (len >= sizeof(address))
		return error_set(e, EINVAL, "'%.64s' is no address", text);
	memcpy(address, text, len);
	address[len] = '\0';
	if (inet_pton(p.family, address, p.address) != 1)
		return error_set(e, EINVAL, "'%.64s' is no IPv4 or IPv6 address", text);
	if (slash && (strspn(slash + 1, "0123456789") != strlen(slash + 1) ||
		      parse_u64(slash + 1, &prefix) < 0 || prefix > size))
		return error_set(e, EINVAL, "'%.64s' has no prefix from 0 to %u", text, size);
	p.prefix = (unsigned int)prefix;
	if (has_host_bits(&p, size))
		return error_set(e, EINVAL, "'%.64s' has bits set behind its prefix", text);
	*ret = p;
	return 0;
}

const unsigned char *cidr_address_bytes(const struct sockaddr *address)
{
	return address->sa_family == AF_INET
		       ? (const unsigned char *)&((const struct sockaddr_in *)(const void *)address)
				 ->sin_addr
		       : (const unsigned char *)&(
				 (const struct sockaddr_in6 *)(const void *)address)
				 ->sin6_addr;
}

bool cidr_has(const struct cidr *c, const struct sockaddr *address)
{
	return c->family == address->sa_family &&
	       same_prefix(c->address, cidr_address_bytes(address), c->prefix);
}
