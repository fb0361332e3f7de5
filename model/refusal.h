/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REFUSAL_H
#define CXLR_MODEL_REFUSAL_H

/*
 * Refusals of Linux: its expectation of the decoders and windows that firmware programmed, level by
 * level, beside what is there. Linux makes no region of decoders that differ, and no window of a
 * CFMWS that does, and says so in its log at best.
 *
 * The formulas are those of drivers/cxl/core/region.c (cxl_port_setup_targets(),
 * cxl_region_attach()) and drivers/cxl/acpi.c, for the version of Linux that the host runs; when
 * that is not known, all versions count. A kernel of a distribution can have later rules than its
 * version says.
 *
 * Functions read the snapshot only; results are in the arena of the caller. Any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "prm/cedt.h"
#include "sysfs/host.h"

enum refusal_agreement { REFUSAL_AGREES, REFUSAL_DIFFERS, REFUSAL_UNKNOWN };

enum refusal_way_out {
	WAY_OUT_NONE,	  /* none of the others */
	WAY_OUT_ATTACH,	  /* a device that is missing */
	WAY_OUT_REBOOT,	  /* firmware programs the decoders again */
	WAY_OUT_FIRMWARE, /* it must program others */
	WAY_OUT_KERNEL,	  /* a newer one accepts them */
};

struct refusal_level {
	const char *object; /* a decoder, port, region, CFMWS, or the version of Linux */
	const char *expected, *found;
	enum refusal_agreement agrees;
};

/* Zero-initialised: nothing is refused. */
struct refusal {
	struct refusal_level *levels; /* from the root down to the devices */
	size_t n;
	const char *first_difference; /* a sentence; NULL when no level differs */
	/* Why windows are not shown that have nothing wrong; NULL when there are none. */
	const char *others;
	bool emulated;	 /* a route is missing, for decoders made of the DVSEC ranges of a device */
	bool windows;	 /* it is of windows that Linux does not show */
	bool no_regions; /* this kernel makes no regions of decoders at all */
	const char *kernel_line; /* what the kernel's log says of a level; NULL: see the levels */
	enum refusal_way_out way_out;
	const char *remedy; /* a sentence for it, where the level has its own; NULL without */
	const char *newer;  /* the first version of Linux that accepts it, with WAY_OUT_KERNEL */
};

/*
 * refusal_of_mapping() - why Linux has no complete region of it
 * @cedt: NULL when it is not known: the targets of XOR windows are not recomputed then
 * @r: a region that is not complete, or a mapping by decoders
 * @ret: no levels for any other region, but for one that is complete and whose commit or driver
 *	Linux refused by its log
 *
 * Return: 0 or -ENOMEM.
 */
int refusal_of_mapping(const struct host *host, const struct cedt *cedt, const struct region *r,
		       struct arena *arena, struct refusal *ret);

/*
 * refusal_of_decoder() - why Linux has no region of a Normalized decoder
 * @ret: one level; none for any other decoder
 *
 * Return: 0 or -ENOMEM.
 */
int refusal_of_decoder(const struct host *host, const struct decoder *d, struct arena *arena,
		       struct refusal *ret);

/*
 * refusal_of_host() - why Linux makes no region in any window, does not show windows of firmware's
 * table, or makes no memory device of PCI functions
 * @cedt: NULL when it is not known: no window is refused then
 * @ret: a level for Linux when it makes no regions, and one for each CFMWS unless all are shown, or
 *	their addresses may not be read, and one for each function
 *
 * Return: 0 or -ENOMEM.
 */
int refusal_of_host(const struct host *host, const struct cedt *cedt, struct arena *arena,
		    struct refusal *ret);

enum { REFUSAL_BDF_MAX = 32 };

/*
 * refusal_of_function(), refusal_of_memdev() - why Linux makes no memory device of a PCI function,
 * and no endpoint of a memory device, by the kernel's log
 * @ret: one level; none when no line is a refusal that is known here, or the device has an endpoint
 *
 * Return: 0 or -ENOMEM.
 */
int refusal_of_function(const struct host *host, const char *bdf, struct arena *arena,
			struct refusal *ret);
int refusal_of_memdev(const struct host *host, const struct memdev *m, struct arena *arena,
		      struct refusal *ret);

/*
 * refusal_next_function() - PCI functions that Linux refused by its log, each once
 * @at: the place in the log; 0 at first
 *
 * Functions with a memory device are left out. Return: whether there is a further one.
 */
bool refusal_next_function(const struct host *host, size_t *at, char bdf[static REFUSAL_BDF_MAX]);

/* Return: whether Linux shows the window. */
bool refusal_shows_window(const struct host *host, const struct cedt_window *w);

/*
 * refusal_kernel_says() - the first line of the kernel's log about what is refused
 * @subject: the name of the region, or of what else is looked at
 *
 * Return: the line, which belongs to the host; NULL when there is none, also where the log is not
 * known (host.kernel_log_absent).
 */
const char *refusal_kernel_says(const struct host *host, const struct refusal *r,
				const char *subject);

const char *refusal_way_out_name(enum refusal_way_out way); /* "attach", "reboot" */

/* Return: a sentence for it, static or in the arena; NULL when there is nothing to say. */
const char *refusal_advice(const struct refusal *refusal, struct arena *arena);

#endif
