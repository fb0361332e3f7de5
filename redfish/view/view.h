/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_H
#define CXLR_REDFISH_VIEW_H

/*
 * An immutable snapshot of the service's data: the inputs it is composed of, the resources with
 * their URIs, and the cached bodies of those that were requested.
 *
 * Composed by the daemon's publisher whenever an input changes and swapped in by the view holder;
 * freed with its last reference. Only the cached bodies and expansions change. Any thread may read
 * it while it has a reference.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/error.h"
#include "mailbox/mailbox.h"
#include "model/fabric.h"
#include "redfish/query/expansions.h"
#include "redfish/core/resource_index.h"
#include "redfish/view/view_inputs.h"
#include "sysfs/host.h"
#include "sysfs/security.h"
#include "sysfs/stable_id.h"

struct view {
	const struct resource_table *table;
	struct view_inputs inputs; /* the view's own references */
	/* The same values under short names. */
	const struct host *host;
	struct translator *translator;
	const struct readings *readings;
	const struct event_health *event_health;

	/* Set before the view is published; higher than that of the views and values before it. */
	uint64_t generation;
	struct memdev_ids *ids;
	struct fabric *fabric;
	struct resource_index *index;
	struct expansions *expansions; /* kept results of $expand */
	struct arena *arena;	       /* memory of ids, fabric and index */
	/* Some address may need a firmware call, and there is a client for it: inputs.firmware
	 * is shown. */
	bool needs_firmware;
	atomic_uint references;
};

/*
 * view_new() - compose a view
 * @table: the resources; must outlive the view
 * @in: with a topology; references are taken
 * @ret: one reference
 *
 * Return: 0, -ENOMEM, or -EINVAL when a name on the host makes a URI too long.
 */
int view_new(const struct resource_table *table, const struct view_inputs *in, struct view **ret,
	     struct error *e);

/* Return: @v, with one more reference. */
const struct view *view_ref(const struct view *v);

/* Drops a reference. Accepts NULL. Return: NULL. */
struct view *view_unref(const struct view *v);

/*
 * view_representation() - the body of a resource, rendered on first use
 * @r: a resource of the view that is no action's target
 *
 * Return: the representation, which lives as long as the view; NULL when out of memory.
 */
struct representation *view_representation(const struct view *v, struct resource *r);

/* Return: whether an address of some device of the host may need a firmware call. */
bool view_host_needs_firmware(const struct host *host);

/* Return: whether an address of the device may need a firmware call, and a client exists. */
bool view_memdev_needs_firmware(const struct view *v, const struct memdev *memdev);

/* Return: the Id of the memdev in this view. */
const char *view_memory_id(const struct view *v, const struct memdev *memdev);

/* Return: the last mailbox readings of the memdev; all fields are absent when there are none. */
const struct mailbox *view_mailbox(const struct view *v, const struct memdev *memdev);

/* Return: the last security state that was read; that of the topology when there is none. */
struct memdev_security view_security(const struct view *v, const struct memdev *memdev);

DEFINE_CLEANUP(const struct view, view_unref);
#define _cleanup_view_ _cleanup_(view_unrefp)

#endif
