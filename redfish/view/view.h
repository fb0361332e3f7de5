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
#include <stdbool.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/error.h"
#include "common/json_writer.h"
#include "http/interfaces.h"
#include "mailbox/mailbox.h"
#include "model/fabric.h"
#include "redfish/query/expand.h"
#include "redfish/core/resource_index.h"
#include "sysfs/host.h"
#include "sysfs/security.h"
#include "sysfs/stable_id.h"
#include "change/client.h"
#include "mailbox/readings.h"
#include "mailbox/switch_readings.h"
#include "model/health.h"
#include "model/open_incidents.h"
#include "model/recording_faults.h"
#include "model/service_faults.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "sysfs/memory_use.h"

/*
 * The inputs that a view is composed of.
 *
 * Each input has one producer, which replaces it as a whole. Values are immutable; those with
 * references are shared, the others are copied. A new input is a constant and a member here and a
 * row in view.c. A `struct view_inputs` itself belongs to one thread at a time; zeroed it
 * has no value of any input.
 */
enum view_input {
	VIEW_INPUT_TOPOLOGY, /* host and translator, always replaced together */
	VIEW_INPUT_FIRMWARE,
	VIEW_INPUT_READINGS,
	VIEW_INPUT_SWITCHES,
	VIEW_INPUT_EVENT_HEALTH,
	VIEW_INPUT_INCIDENTS,
	VIEW_INPUT_RECORDING_FAULTS,
	VIEW_INPUT_SERVICE_FAULTS,
	VIEW_INPUT_CHANGES_ALLOWED,
	VIEW_INPUT_MEMORY_USE,
	VIEW_INPUT_INTERFACES,
	VIEW_INPUT_COUNT
};

/* In sets of inputs. */
#define VIEW_INPUT_BIT(input) (1U << (input))

struct view_inputs {
	const struct host *host;
	struct translator *translator;
	struct firmware_status firmware;	 /* the text is "" while it is not known */
	const struct readings *readings;	 /* NULL before devices were read */
	const struct switch_readings *switches;	 /* NULL without a switch's mailbox */
	const struct event_health *event_health; /* NULL without events */
	const struct open_incidents *incidents;	 /* NULL without events */
	struct recording_faults recording_faults;
	struct service_faults service_faults;
	struct changes_allowed changes_allowed; /* zeros: nothing */
	const struct memory_use *memory_use;	/* NULL before it was read */
	const struct interfaces
		*interfaces; /* of this machine, also on a captured host; NULL: none */
};

struct view {
	const struct resource_table *table;
	struct view_inputs inputs; /* the view's own references */
	/* The same values under short names. */
	const struct host *host;
	struct translator *translator;
	const struct readings *readings;

	/* Set before the view is published; higher than that of the views and values before it. */
	uint64_t generation;
	struct memdev_ids *ids;
	struct fabric *fabric;
	struct health_log log; /* incidents by this mapping, and entries of none */
	struct resource_index *index;
	struct expansions *expansions; /* kept results of $expand */
	struct condition_times *times; /* NULL before view_date_conditions() */
	struct arena *arena;	       /* memory of ids, fabric, log, index and times */
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

/*
 * view_date_conditions() - give each Condition of the resources the time when it was first seen
 * @v: not published yet
 * @before: the view that is shown; NULL for the first one
 * @now_ns: since 1970 UTC
 *
 * Without memory for them, Conditions have no times. Takes time in proportion to the resources and
 * their conditions.
 */
void view_date_conditions(struct view *v, const struct view *before, uint64_t now_ns);

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

/*
 * view_put_status() - an object with the Status of a resource alone, into the emptied writer
 * @r: without Status, or NULL: an empty object
 */
void view_put_status(const struct view *v, const struct resource *r, struct json_writer *w);

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

/* Replaces one input of @to by that of @from; takes and drops references. */
void view_inputs_set(struct view_inputs *to, const struct view_inputs *from, enum view_input input);

/* Return: whether views that differ only in this input have the same contents. */
bool view_inputs_equal(const struct view_inputs *a, const struct view_inputs *b,
		       enum view_input input);

/* Takes a reference on every value of @from; @to is overwritten. */
void view_inputs_copy(struct view_inputs *to, const struct view_inputs *from);

/* Drops all references; @in is zeroed. */
void view_inputs_done(struct view_inputs *in);

#define _cleanup_view_inputs_ _cleanup_(view_inputs_done)

/* The resources that were created or removed between two views, as by a hot-plug. */
enum view_change { RESOURCE_REMOVED, RESOURCE_CREATED };

/* @r: of the old view when it was removed, of the new one when it was created. Same thread. */
typedef void view_change_fn(void *userdata, enum view_change change, const struct resource *r);

/*
 * view_compare() - call @fn for each resource that only one of two views has
 *
 * First for all that were removed, then for all that were created, in the order of the index.
 * Resources are compared by URI. Targets of actions are not reported. Any thread; takes time in
 * proportion to the resources of both.
 */
void view_compare(const struct view *before, const struct view *now, view_change_fn *fn,
		  void *userdata);

#endif
