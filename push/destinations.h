/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_DESTINATIONS_H
#define CXLR_PUSH_DESTINATIONS_H

/*
 * The addresses that events may be posted to: a list of the configuration, or without one all but
 * those of this host and of the link. Clients name the destinations, and would otherwise have the
 * service send requests to what only it can reach.
 *
 * A literal address in a URL is checked when the subscription is made; cxl-redfish-push checks
 * every address when it connects, so that a name cannot change its meaning in between. No state;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "common/cidr.h"
#include "common/error.h"

enum {
	PUSH_ALLOW_MAX = 64,	    /* members of the list */
	PUSH_ALLOW_TEXT_MAX = 4096, /* bytes of its text */
	PUSH_ADDRESS_MAX = 64,	    /* bytes of an address as a text */
};

struct push_allow {
	size_t n; /* 0: the default */
	struct cidr items[PUSH_ALLOW_MAX];
};

/* push_allow_parse() - members with blanks or commas between; "" is the default. 0 or -EINVAL. */
int push_allow_parse(const char *text, struct push_allow *ret, struct error *e);

/*
 * push_allow_admits() - whether events may be posted to an address
 * @ret: the address as a text; may be NULL
 */
bool push_allow_admits(const struct push_allow *p, const struct sockaddr *address,
		       char ret[PUSH_ADDRESS_MAX]);

/*
 * push_allow_admits_url() - the same for a URL; true for a host name, which is checked later
 * @ret: set when it is false
 */
bool push_allow_admits_url(const struct push_allow *p, const char *url,
			   char ret[static PUSH_ADDRESS_MAX]);

#endif
