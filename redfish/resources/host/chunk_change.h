/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CHUNK_CHANGE_H
#define CXLR_REDFISH_RESOURCES_CHUNK_CHANGE_H

/*
 * The operations by which regions of the host are made, changed and removed (host_change.h), for
 * the rows of MemoryChunks; docs/changes.md describes them for clients.
 *
 * Operations are called on an HTTP thread, and wait for nothing; what says why something is
 * unchangeable is a function of the view, for any thread.
 */

#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"

/* The collection of a window, struct decoder: creates a region. */
int create_region_chunk(struct exchange *x);
extern const struct parameters region_chunk_create_body;
const char *region_chunks_unchangeable(const struct view *v, const struct resource *r);

/* A region, struct region: its memory is brought online and offline. */
int patch_region_chunk(struct exchange *x);
extern const struct parameters region_chunk_patch_body;
const char *region_chunk_unchangeable(const struct view *v, const struct resource *r);

/* The same: destroys it. */
int remove_region_chunk(struct exchange *x);
extern const struct parameters region_chunk_remove_body;
const char *region_chunk_unremovable(const struct view *v, const struct resource *r);

#endif
