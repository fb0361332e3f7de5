/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_OWNERS_H
#define CXLR_MODEL_OWNERS_H

/*
 * Owners of system addresses: what a range is, who made it so, whether Linux may use it,
 * whether it can be released, and what stays claimed then. The one rule of what is in use, for
 * explain, for findings, for plans, and for the check before a change.
 *
 * Witnesses are windows, mappings, committed decoders, dax devices with their offline memory
 * blocks, /proc/iomem with its ancestry, SRAT, and firmware's memory map. A witness that is missing
 * makes the answer unknown, never free.
 *
 * An entry of /proc/iomem around a window has the window's addresses, too, except Soft Reserved,
 * by which firmware asks Linux to leave memory to its drivers. Linux looks at no entry around a
 * window when it makes a region: System RAM, a PCI bus or Reserved there would share the addresses
 * of the region.
 *
 * Pure functions; any thread that holds a reference on the snapshot. Texts and lists belong to the
 * arena, names to the snapshot.
 */

#include <stdint.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/opt.h"
#include "model/finding.h"
#include "sysfs/host.h"
#include "sysfs/memory_use.h"

enum owner_kind {
	OWNER_FREE,    /* no one has this part of a window */
	OWNER_UNKNOWN, /* a witness is missing: it may be in use */
	OWNER_NOTHING, /* outside of all windows; or what only firmware's memory map names */
	OWNER_REGION,  /* of Linux */
	OWNER_DECODERS,
	OWNER_SYSTEM_RAM,
	OWNER_DAX,
	OWNER_PCI,
	OWNER_RESERVED,
	OWNER_SOFT_RESERVED,
	OWNER_OTHER,   /* a name of /proc/iomem */
	OWNER_WINDOWS, /* two of them overlap */
	OWNER_UNREAD,  /* a witness has more there than is read, or what cannot be read */
};

struct owner {
	uint64_t first, last; /* inclusive */
	enum owner_kind kind;
	/* An error of firmware: it gives addresses of a window to something else, too. */
	bool is_fault;
	/* Linux puts no region of the window there: it knows what is in the window. */
	bool is_avoided;
	/* Soft Reserved in the window has it, and keeps it until the next boot. */
	bool is_soft_reserved;
	bool is_in_soft_reserved;     /* that is around the window */
	const struct region *mapping; /* of Linux, or of decoders; NULL without */
	const char *name;	      /* of the region, the dax device, the entry; or NULL */
	const char *dax;	      /* NULL without */
	const struct decoder *const *decoders; /* committed ones that map it */
	size_t n_decoders;
	const char *what;	    /* "System RAM (kmem) of dax0.0 in region0" */
	const char *made_by;	    /* "driver kmem" */
	struct opt_bool usable;	    /* by Linux, as memory; absent: unknown */
	struct opt_bool releasable; /* absent: unknown, or there is nothing to release */
	/* Why it can or cannot be released, clauses; NULL: that was not looked at. */
	const char *release_reason;
	/* A sentence about what stays claimed; NULL when nothing is released. */
	const char *after_release;
};

DEFINE_ARRAY(struct owner, owners);

/*
 * range_owners() - the owners of the addresses from @first to @last, both included
 * @use: who uses the memory; NULL when it was not read: whether it can be released is not known
 * then
 * @ret: they are added in ascending order, without gap or overlap; neighbours with the same texts
 * are one
 *
 * Return: 0 or -ENOMEM.
 */
int range_owners(const struct host *host, const struct memory_use *use, uint64_t first,
		 uint64_t last, struct arena *arena, struct owners *ret);

/*
 * window_owners() - the owners of a window's addresses
 * @ret: as range_owners(), but neighbours with the same verdict are one; none when start or size
 *	of the window is not known
 *
 * Return: 0 or -ENOMEM.
 */
int window_owners(const struct host *host, const struct decoder *window, struct arena *arena,
		  struct owners *ret);

/* Return: why an address may be in use without being seen, a clause; NULL: all users are known. */
const char *owners_unseen(const struct host *host);

/* Return: whether a region there would have an owner's addresses. */
bool owner_is_in_the_way(const struct owner *o);

/*
 * owner_finding() - the verdict about a part of a window: the finding that it is
 * @ret: belongs to the arena; its object is the window
 *
 * Return: 0 or -ENOMEM.
 */
int owner_finding(const struct owner *o, const struct decoder *window, struct arena *arena,
		  struct finding *ret);

/* Return: whether a finding is the verdict about a window, a part of one, or a region's addresses.
 */
bool finding_is_of_owner(enum finding_code code);

/*
 * decoder_decodes_spa() - whether a decoder of a port is committed for system addresses
 *
 * Linux shows the last size of a decoder that it has reset; the number of committed ones of its
 * port, which newer kernels have, tells. Normalized decoders hold device addresses.
 */
bool decoder_decodes_spa(const struct decoder *d);

#endif
