/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_ORIGIN_H
#define CXLR_REDFISH_ORIGIN_H

/*
 * Where a client is: as a key by which logins are counted, and as a text. No state, any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "http/budget.h"
#include "redfish/core/principal.h"

struct http_client;

/*
 * An IPv4 address; the first 64 bits of an IPv6 address, because one host can have all that begin
 * with them; on a Unix socket, and on the loopback interface, the user. Where that is not known,
 * all loopback addresses are 127.0.0.1, because each process of this machine can use any of them.
 */
struct login_origin {
	uint64_t family, address;
};

void login_origin_of(const struct http_client *client, struct login_origin *ret);
bool login_origin_equal(const struct login_origin *a, const struct login_origin *b);

/* Whether it is root on a Unix socket, which is never locked out. */
bool origin_is_root(const struct http_client *client);

/* Return: who holds what @p holds, see http/budget.h. @client_key: as http_client_key() */
struct budget_owner owner_of(const struct principal *p, uint64_t client_key);

/* Likewise, where all users of this host but those that are known have one address. */
struct budget_owner owner_at(const struct principal *p, const struct login_origin *from);

/* "127.0.0.1", "uid 0", or that it is not known. */
void origin_describe(const struct http_client *client, char ret[static PRINCIPAL_FROM_MAX]);

enum { ORIGIN_URI_MAX = PRINCIPAL_FROM_MAX + 32 };

/*
 * origin_stream_uri() - the Destination of a stream, as EventDestination has it:
 * "redfish-sse://192.0.2.1:40000", an IPv6 address in brackets; empty without an address
 */
void origin_stream_uri(const struct http_client *client, char ret[static ORIGIN_URI_MAX]);

#endif
