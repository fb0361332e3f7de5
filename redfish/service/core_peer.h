/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CORE_PEER_H
#define CXLR_REDFISH_CORE_PEER_H

/*
 * The core of Sunfish as a client, which has no login: its requests come from an address of the
 * configuration (HTTP_ACCESS_CORE). It reads what is offered to it, where it finds the objects of
 * its registration, and changes the Context of its own subscription.
 *
 * It copies whatever the links of an offered resource lead to and never looks again, so entries of
 * logs are not offered.
 */

#include <stdbool.h>

struct exchange;

/* The subscription that each core expects; the name is fixed in its code. */
#define SUNFISH_SERVER "SunfishServer"

/* core_peer_offers() - @schema: of the resource; NULL for a document */
bool core_peer_offers(const char *uri, const char *schema);

/* Return: whether a request of the core goes on; without a resource it does. */
bool core_peer_admits(const struct exchange *x);

#endif
