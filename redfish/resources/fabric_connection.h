/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_CONNECTION_H
#define CXLR_REDFISH_RESOURCES_FABRIC_CONNECTION_H

/*
 * Bound vPPBs as Connections (DSP2066 1.1.0, 8.4.3): the initiator is the host of the virtual
 * switch, the target the device or the LD that the vPPB is bound to. Reads the view only; any
 * thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"
#include "redfish/resource_index.h"

/* Return: whether the vPPB is bound to memory whose Endpoint is known. */
bool fabric_vppb_is_connection(const struct fabric_vppb *v);

/* The Id: "switch7-VCS0-vPPB2". */
void fabric_connection_id(const struct fabric_vppb *v, char ret[static RESOURCE_URI_MAX]);

/* Return: the initiator of this host that the virtual switch belongs to; NULL: it is not known. */
const struct fabric_initiator *fabric_vcs_initiator(const struct fabric_vcs *vcs);

/* A link to the Connection, an item of an array. */
void put_binding_connection(const struct fabric_vppb *v, struct json_writer *w);

#endif
