/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_EXTENT_PLANS_H
#define CXLR_MAILBOX_EXTENT_PLANS_H

/*
 * Extents that are not yet a host's: those that a client proposed, and those that a device was
 * asked to add and whose host has not accepted them. No command reads the latter, so they are known
 * only as long as the service runs. The reader of the switches shows them with the device
 * (switch_readings.h), and forgets a pending one that was accepted.
 *
 * A plan is of the device that was on the port when it was made, by its serial number; another
 * device there has none. Any thread may call these functions; the owner frees the object last.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "mailbox/cci.h"
#include "mailbox/fmapi_dcd.h"

enum { EXTENT_PLANS_MAX = 256, EXTENT_CHANGES_MAX = 16 };

enum extent_plan_state {
	EXTENT_PROPOSED,
	EXTENT_ASKED,	/* a job waits for the host */
	EXTENT_PENDING, /* the host did not answer in time, and may do so at any time */
};

struct extent_plan {
	uint32_t id;		 /* that no other plan gets, from 1 on */
	char name[CCI_NAME_MAX]; /* of the switch's mailbox */
	uint8_t port;
	uint64_t serial; /* of the device; 0: it has none */
	enum extent_plan_state state;
	uint16_t host; /* that is to have it; not of a proposed one */
	bool placed;   /* false: the device selects where, in the region */
	uint8_t region;
	uint64_t before; /* not placed: the result of dc_region_bytes() before it was asked for */
	struct fmapi_extent extent;
};

/* A host whose dynamic capacity is being changed. */
struct extent_change {
	char name[CCI_NAME_MAX];
	uint8_t port;
	uint16_t host;
	bool adds;
	/* How much the host has is compared before and after: no other change may be under way. */
	bool counts;
};

struct extent_plans;

/* Return: no plans; NULL when out of memory. */
struct extent_plans *extent_plans_new(void);

/* Accepts NULL. Return: NULL. */
struct extent_plans *extent_plans_free(struct extent_plans *p);

/* extent_plans_add() - @plan: its Id is set. Return: 0; -ENOSPC: there are EXTENT_PLANS_MAX */
int extent_plans_add(struct extent_plans *p, struct extent_plan *plan);

/*
 * extent_plans_begin() - begin a change
 *
 * Return: 0; -EBUSY: there is another change of this host, and one of both counts, or there are
 * EXTENT_CHANGES_MAX; -EEXIST: it adds, and capacity that the device places is pending for the
 * host.
 */
int extent_plans_begin(struct extent_plans *p, const struct extent_change *c);

/* extent_plans_end() - end a change that was begun */
void extent_plans_end(struct extent_plans *p, const struct extent_change *c);

/*
 * extent_plans_ask() - the device is asked to add these for the host
 *
 * Return: 0; -ESTALE, with nothing changed: one of them is gone, or no proposal any more.
 */
int extent_plans_ask(struct extent_plans *p, const uint32_t *ids, size_t n, uint16_t host);

/* extent_plans_set() - the state of those that are asked for, unless they are gone */
void extent_plans_set(struct extent_plans *p, const uint32_t *ids, size_t n,
		      enum extent_plan_state state);

/* extent_plans_remove() - Return: 0; -ENOENT; -EBUSY: a job waits for its host, and it stays */
int extent_plans_remove(struct extent_plans *p, uint32_t id);

/* extent_plans_drop() - remove them whatever their state is */
void extent_plans_drop(struct extent_plans *p, const uint32_t *ids, size_t n);

/*
 * extent_plans_keep() - the device on a port has this serial number now
 *
 * The plans of another one that was there are removed, but for those that a job waits for. Accepts
 * NULL.
 */
void extent_plans_keep(struct extent_plans *p, const char *name, uint8_t port, uint64_t serial);

/* Writes those of a device, at most EXTENT_PLANS_MAX. Return: their number. Accepts NULL. */
size_t extent_plans_of(struct extent_plans *p, const char *name, uint8_t port, uint64_t serial,
		       struct extent_plan ret[static EXTENT_PLANS_MAX]);

DEFINE_CLEANUP(struct extent_plans, extent_plans_free);

#endif
