/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_CIDR_H
#define CXLR_COMMON_CIDR_H

/*
 * Addresses with the same first bits, as "ADDRESS/PREFIX". No state; any thread.
 */

#include <stdbool.h>
#include <sys/socket.h>

#include "common/error.h"

struct cidr {
	int family; /* AF_INET or AF_INET6 */
	unsigned char address[16];
	unsigned int prefix; /* bits */
};

/*
 * cidr_parse() - "ADDRESS" or "ADDRESS/PREFIX", without host names
 *
 * Return: 0; -EINVAL when it is neither, or when bits behind the prefix are set.
 */
int cidr_parse(const char *text, struct cidr *ret, struct error *e);

/* Return: the bytes of an address of AF_INET, 4, or of AF_INET6, 16, in the order of the network.
 */
const unsigned char *cidr_address_bytes(const struct sockaddr *address);

/* Return: whether it has the address; false for one of another family. */
bool cidr_has(const struct cidr *c, const struct sockaddr *address);

#endif
