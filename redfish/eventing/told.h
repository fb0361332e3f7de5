/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_TOLD_H
#define CXLR_REDFISH_EVENTING_TOLD_H

/*
 * The last message about the Status of each resource that subscribers were sent, by those in the
 * store, which may be those of an earlier process of the service.
 */

#include <stdbool.h>

#include <jansson.h>

/*
 * told_read() - read the messages of a store; waits for the disk
 * @path: of store_path()
 *
 * Return: for told_differs(), NULL when it is not known.
 */
json_t *told_read(const char *path);

/*
 * told_differs() - whether a message about a Status says something else than the last one
 * @told: NULL: all messages do
 * @body: of an event_service_message()
 *
 * Where nothing was told, only a message that is not OK does.
 */
bool told_differs(const json_t *told, const char *body);

#endif
