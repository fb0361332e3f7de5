/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_OPERATIONS_H
#define CXLR_REDFISH_RESOURCES_FABRIC_OPERATIONS_H

/*
 * The operations by which resources of the fabric are changed (fabric_change.h), for the rows of
 * these resources; docs/fabric.md describes them for clients. For each: what `object` of the
 * resource must be, and why it cannot be changed.
 */

#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"

/* ---- QoS, fabric_qos.c ----------------------------------------------------------------------- */

/* Port of an MLD, struct fabric_port: CXL/Congestion. */
int patch_device_port(struct exchange *x);
extern const struct parameters device_port_patch_body;
const char *device_port_unchangeable(const struct view *v, const struct resource *r);

/* PCIeDevice of an MLD, struct fabric_device: CXLDevice/TemporaryThroughputReductionEnabled. */
int patch_remote_pcie_device(struct exchange *x);
extern const struct parameters remote_pcie_device_patch_body;
const char *remote_pcie_device_unchangeable(const struct view *v, const struct resource *r);

/* CXLLogicalDevice of an MLD, struct fabric_ld: QoS. */
int patch_remote_ld(struct exchange *x);
extern const struct parameters ld_patch_body;
const char *remote_ld_unchangeable(const struct view *v, const struct resource *r);

/* ---- vPPBs, fabric_binding.c ----------------------------------------------------------------- */

/* VirtualPCI2PCIBridge, struct fabric_vppb: Links/Port, and the action GenerateAEREvent. */
int patch_vppb(struct exchange *x);
extern const struct parameters vppb_patch_body;
extern const struct action vppb_actions[1];
const char *vppb_unchangeable(const struct view *v, const struct resource *r);

/* The collection of Connections: binds. */
int create_connection(struct exchange *x);
extern const struct parameters connection_create_body;
const char *connections_unchangeable(const struct view *v, const struct resource *r);

/* ---- memory, fabric_chunks.c ----------------------------------------------------------------- */

/* The collection of MemoryChunks of an MLD, struct fabric_device: allocates. */
int create_ld_chunk(struct exchange *x);
extern const struct parameters ld_chunk_create_body;
const char *ld_chunks_unchangeable(const struct view *v, const struct resource *r);

/* MemoryChunks of an LD, struct fabric_ld: takes the allocation back. */
int remove_ld_chunk(struct exchange *x);
const char *ld_chunk_unchangeable(const struct view *v, const struct resource *r);

#endif
