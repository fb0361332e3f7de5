/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_SENT_STATUSES_H
#define CXLR_REDFISH_EVENTING_SENT_STATUSES_H

/*
 * The last message about the Status of each resource that subscribers were sent, by those in the
 * store, which may be those of an earlier process of the service.
 */

#include <stdbool.h>

#include <jansson.h>

/*
 * sent_statuses_read() - read the messages of a store; waits for the disk
 * @path: of store_path()
 *
 * Return: for sent_status_differs(), NULL when it is not known.
 */
json_t *sent_statuses_read(const char *path);

/*
 * sent_status_differs() - whether a message about a Status says something else than the last one
 * @sent: NULL: all messages do
 * @body: of an event_service_message()
 *
 * Where nothing was sent, only a message that is not OK does.
 */
bool sent_status_differs(const json_t *sent, const char *body);

#endif
