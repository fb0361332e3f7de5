/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SERVICE_UUID_H
#define CXLR_REDFISH_RESOURCES_SERVICE_UUID_H

/*
 * The identity of this service. Reads the view only; any thread that holds a reference on it.
 */

#include "redfish/view/view.h"

/*
 * put_service_uuid() - write the UUID of the service
 *
 * On the live machine that of host_root, which follows from the machine and is the same after each
 * start. A captured host has one that follows from the capture: the same wherever and whenever it
 * is served, and not that of the machine it was captured on, whose own service may run. Nothing is
 * written when there is none.
 */
void put_service_uuid(const struct view *v, struct json_writer *w, const char *key);

#endif
