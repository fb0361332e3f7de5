/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CLIENT_CONTEXT_H
#define CXLR_REDFISH_CLIENT_CONTEXT_H

/*
 * The query option clientcontext: a client reads the entries of a log from where its last read with
 * the same key ended. DSP0266 1.24 defines it; what is done here is what the schemas of 2026.1 say
 * (RedfishExtensions: ClientContext, ClientContextStatus, NextEntry).
 *
 * Each collection answers the option. The row of one whose members have ascending numbers has
 * QUERY_CONTEXT in its options: its `get` begins behind query.skiptoken, and says by
 * exchange_next_entry() where the next page begins. The record is kept by account, key and
 * collection (redfish/state/client_contexts.h), and moves with a reply to GET that has a body.
 */

#include "redfish/service/exchange.h"

/* client_context_begin() - decide whether the option applies; after the options were checked */
void client_context_begin(struct exchange *x);

/* Return: whether `get` must be called by client_context_continue(). */
bool client_context_applies(const struct exchange *x);

/*
 * client_context_continue() - read the record and call `get`, as a job; move the record just before
 * the client gets the entries
 *
 * Return: as `get`.
 */
int client_context_continue(struct exchange *x);

/* Return: whether client_context_put() is still to be called. */
bool client_context_is_asked(const struct exchange *x);

/* client_context_put() - write a collection again with the annotations */
void client_context_put(struct exchange *x, struct json_span collection, struct json_writer *w);

#endif
