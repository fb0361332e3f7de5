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
#include "redfish/core/resource_index.h"
#include "redfish/resources/fabric/fabric_change.h"

/* Return: whether the vPPB is bound to memory whose Endpoint is known. */
bool fabric_vppb_is_connection(const struct fabric_vppb *v);

/* The Id: "switch-0000-0d-00.0-VCS0-vPPB2". */
void fabric_connection_id(const struct fabric_vppb *v, char ret[static RESOURCE_URI_MAX]);

/* Return: the initiator of this host that the virtual switch belongs to; NULL: it is not known. */
const struct fabric_initiator *fabric_vcs_initiator(const struct fabric_vcs *vcs);

/* An Endpoint of Connections, one of: */
struct connection_end {
	const struct fabric_initiator *initiator;
	const struct fabric_port *usp;	    /* by which another host is connected */
	const struct fabric_device *device; /* with `ld`, which is NULL when it is not divided */
	const struct fabric_ld *ld;
};

/* "Connections" of an Endpoint; nothing when it has none. @regions: of which those in use are
 * Connections, too; NULL none */
void put_connections(const struct fabric *f, const struct fabric_list *regions,
		     const struct connection_end *end, struct json_writer *w);

/* Begins MemoryChunkInfo with one chunk that can be read and written. The caller puts its
 * MemoryChunk, and ends the object and the array. */
void open_chunk_info(struct json_writer *w);

/* A change that binds or unbinds the vPPB. Return: it, without port and LD. */
struct switch_change *fabric_add_binding(struct fabric_changes *to, const struct fabric_vppb *v,
					 enum switch_change_kind kind);

/* Unbinds: its host is asked to release the device, unless @to is forced. */
void fabric_add_unbinding(struct fabric_changes *to, const struct fabric_vppb *v);

#endif
