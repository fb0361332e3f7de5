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
 *
 * With core_writes of struct service it also sends the writes of its clients. A new object comes
 * to a URI that the core has made, not to the collection; there is no If-Match; the answer has to
 * be 200 with the object, which names the AggregationSource of this service, and cannot be a task.
 * DELETE alone is as elsewhere.
 */

#include <stdbool.h>

#include <jansson.h>

#include "http/representation.h"

struct exchange;

/* The subscription that each core expects; the name is fixed in its code. */
#define SUNFISH_SERVER "SunfishServer"

/* core_peer_offers() - @schema: of the resource; NULL for a document */
bool core_peer_offers(const char *uri, const char *schema);

/* Whether the request is the core's, once it is authenticated. */
bool core_peer_is(const struct exchange *x);

/* Return: whether a request of the core goes on; without a resource it does. */
bool core_peer_admits(const struct exchange *x);

/*
 * core_peer_find() - the resource that a request of the core is about
 *
 * Before it is authenticated: sets x->resource to the collection of a new object.
 */
void core_peer_find(struct exchange *x);

/* core_peer_strip() - leave out of its body what the core has added, and no table of ours has */
void core_peer_strip(json_t *body);

/*
 * core_peer_answer() - the body of the answer to a write that was made
 * @body: of the resource; one reference, taken over; NULL: it cannot be shown
 *
 * Return: one reference; NULL without @body, or when out of memory.
 */
struct representation *core_peer_answer(const struct exchange *x, struct representation *body);

/*
 * core_peer_read() - name this service's AggregationSource in what the core reads
 *
 * A core that reads a resource again takes its Oem instead of what it has, and would no longer know
 * whose the copy is. The entity tag is that of the body with it. Does nothing for others, and
 * while resources are offered. The reply has a body.
 */
void core_peer_read(struct exchange *x);

/*
 * core_peer_tagged() - a resource with the entity tag that the core has read
 *
 * Return: one reference; NULL when it is no other one than that of @now, or when out of memory.
 */
struct representation *core_peer_tagged(const struct exchange *x, const struct representation *now);

#endif
