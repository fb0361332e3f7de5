/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_PORT_H
#define CXLR_REDFISH_RESOURCES_PORT_H

/*
 * Properties that all Ports have in common. Reads the view only; any thread that holds a reference
 * on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

/* "Links": the other end of the link, and the Endpoints at both. */
void put_port_links(const struct fabric_port *p, struct json_writer *w);

#endif
