/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_H
#define CXLR_REDFISH_VIEW_H

/*
 * One generation of everything that is shown: the host's snapshot, the translator made for it,
 * the resources with their URIs, and their bodies once somebody asked for them.
 *
 * Made by the daemon after each walk, and made anew when devices say something else; handed to the
 * service, and freed with its last reference. Apart from the bodies it never changes. Any thread
 * may read it while it holds a reference.
 */

#include <stdatomic.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/error.h"
#include "mailbox/readings.h"
#include "model/event_health.h"
#include "model/fabric.h"
#include "model/recording_faults.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "redfish/resource_index.h"
#include "sysfs/host.h"
#include "sysfs/memory_ids.h"

struct view {
	const struct resource_table *table;
	const struct host *host;
	struct translator *translator;
	const struct readings *readings;	 /* NULL until devices were asked */
	const struct event_health *event_health; /* NULL without events */
	struct recording_faults recording_faults;
	struct memory_ids *ids;
	struct fabric *fabric;
	struct resource_index *index;
	struct arena *arena; /* holds ids, fabric and index */
	bool needs_firmware; /* has decoders that firmware may have to be asked for, and may ask */
	struct firmware_status firmware; /* then: its condition when the view was made */
	atomic_uint references;
};

/*
 * view_new() - lay out the resources of a host
 * @table: which resources there are; must outlive the view
 * @host: a reference is taken
 * @translator: taken over, also on failure
 * @readings: a reference is taken; NULL for none
 * @ret: one reference
 */
int view_new(const struct resource_table *table, const struct host *host,
	     struct translator *translator, const struct readings *readings, struct view **ret,
	     struct error *e);

/*
 * view_renew() - the same host and translator with what devices say now
 * @old: stays as it is; firmware's condition is taken from it, too
 * @readings: a reference is taken
 * @ret: one reference
 */
int view_renew(const struct view *old, const struct readings *readings, struct view **ret,
	       struct error *e);

/*
 * view_set_event_health() - what events say of devices; before the view is given to the service
 * @h: a reference is taken; NULL for none. view_renew() takes it over from the old view
 */
void view_set_event_health(struct view *v, const struct event_health *h);

/* view_set_recording_faults() - the same of how events are recorded */
void view_set_recording_faults(struct view *v, const struct recording_faults *t);

struct view *view_ref(struct view *v);

/* Accepts NULL. Return: NULL. */
struct view *view_unref(struct view *v);

/*
 * view_representation() - the body of a resource, made on first use
 * @r: a resource of the view that is no action's target
 *
 * Return: the representation, which lives as long as the view; NULL when out of memory.
 */
struct representation *view_representation(const struct view *v, struct resource *r);

/* Return: whether firmware may have to be asked for addresses of the device. */
bool view_memdev_needs_firmware(const struct view *v, const struct memdev *memdev);

/* Return: the Id of the memdev in this view. */
const char *view_memory_id(const struct view *v, const struct memdev *memdev);

/* Return: what the memdev said through its mailbox; with all absent when it was not heard. */
const struct mailbox *view_mailbox(const struct view *v, const struct memdev *memdev);

/* Return: the one socket whose NUMA nodes include @node, NULL when none or several are known. */
const struct cpu_package *view_package_of_node(const struct view *v, struct opt_int node);

DEFINE_CLEANUP(struct view, view_unref);
#define _cleanup_view_ _cleanup_(view_unrefp)

#endif
