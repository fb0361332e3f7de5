/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DYNAMIC_CHANGE_H
#define CXLR_REDFISH_RESOURCES_DYNAMIC_CHANGE_H

/*
 * Dynamic capacity of devices behind switches is changed: extents are proposed, offered to the host
 * of a logical device, and asked back. The host answers later, and may never do so: the job waits
 * for the limit `dynamic_ms` of the service. Nothing is taken from a host that did not release it,
 * unless an Administrator forces that.
 *
 * Operations and their tables, for the rows of these resources; docs/fabric.md describes them for
 * clients.
 */

#include "model/fabric.h"
#include "redfish/core/resource_table.h"
#include "redfish/service/exchange.h"

/* The collection of MemoryExtents, struct fabric_device: makes a proposed one. */
int create_extent(struct exchange *x);
extern const struct parameters extent_create_body;
const char *extents_unchangeable(const struct view *v, const struct resource *r);

/* A proposed extent, struct fabric_plan: withdraws it. */
int remove_plan(struct exchange *x);
const char *plan_unchangeable(const struct view *v, const struct resource *r);

/* An extent that a host accepted, struct fabric_extent: it is not removed so. */
int remove_extent(struct exchange *x);
const char *extent_unchangeable(const struct view *v, const struct resource *r);

/* A dynamic region of a host, struct fabric_dc_region: BlockSizeMiB, SanitizeOnRelease. */
int patch_dc_region(struct exchange *x);
extern const struct parameters dc_region_patch_body;
const char *dc_region_unchangeable(const struct view *v, const struct resource *r);

/* DynamicCapacityAdd and -Release of struct fabric_ld; and of struct fabric_device, for LD 0. */
extern const struct action ld_dynamic_actions[2], device_dynamic_actions[2];

/* Whether the device has any policy for these actions. */
bool has_dynamic_actions(const struct fabric_device *d);

#endif
