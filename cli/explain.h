/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EXPLAIN_H
#define CXLR_CLI_EXPLAIN_H

/*
 * cxl-spa explain: findings about an object, collected first and printed at the end, so that text
 * and JSON say the same. One thread.
 *
 * A finding does not repeat the name of its object: equal findings of several objects are
 * printed once for people.
 */

#include <stdbool.h>

#include "cli/cli.h"
#include "common/arena.h"
#include "common/array.h"

enum severity {
	SEVERITY_INFO,	  /* how it is */
	SEVERITY_PROBLEM, /* what is wrong or missing, and why */
	SEVERITY_ADVICE,  /* what to do next */
};

struct finding {
	enum severity severity;
	const char *object; /* belongs to the snapshot, or has static lifetime */
	const char *text;   /* belongs to the arena */
};

DEFINE_ARRAY(struct finding, findings);

struct explanation {
	const struct cli *cli;
	const struct host *host;
	const struct translator *translator;
	struct firmware_timeout timeout;
	struct arena *arena;
	struct findings findings;
	bool no_memory;
};

void explain_info(struct explanation *x, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void explain_problem(struct explanation *x, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void explain_advice(struct explanation *x, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void explain_host(struct explanation *x);

/* The path to firmware's handler on a live host, and its condition; nothing where it is no use. */
void explain_firmware(struct explanation *x);

void explain_region(struct explanation *x, const struct region *r);
void explain_decoder(struct explanation *x, const struct decoder *d);

/* @decoders_in_regions: false leaves out those whose region is explained anyway */
void explain_memdev(struct explanation *x, const struct memdev *m, bool decoders_in_regions);

/* Print the findings on standard output. */
void explain_text(struct explanation *x);
int explain_json(struct explanation *x, const char *subject);

/* ---- shared by the explain_*.c files ----------------------------------------------------------
 */

/* Firmware's handler for Normalized addressing, as the PRMT shows it. */
enum prm_state {
	PRM_PRESENT,
	PRM_NO_TABLE,
	PRM_UNREADABLE,
	PRM_DAMAGED,
	PRM_NO_HANDLER,
	PRM_NO_ADDRESS,
};

enum prm_state explain_prm_state(const struct explanation *x);

/* A sentence about the handler, without a final full stop. */
const char *explain_prm_text(enum prm_state state);

/* Return: true when some endpoint decoder of the host uses Normalized addressing. */
bool explain_host_is_normalized(const struct host *host);

/* Return: 1 when this host's kernel is that version or later, 0 when older, -1 when unknown. */
int explain_kernel_is(const struct host *host, unsigned int major, unsigned int minor);

/* Says under @object who translates the DPAs of an endpoint decoder, and what is lacking. */
void explain_sources(struct explanation *x, const char *object, const struct decoder *d);

/*
 * explain_order() - where the topology puts an endpoint decoder in its region
 *
 * As cxl_calc_interleave_pos() in drivers/cxl/core/region.c: position and ways of each port's
 * decoder, from the endpoint up to the window.
 *
 * Return: 0, or -ENODATA when the snapshot does not show enough.
 */
int explain_order(const struct region *r, const struct decoder *endpoint_decoder,
		  unsigned int *ret_position);

/* Says under the region when the decoders above do not send its positions to its targets. */
void explain_target_order(struct explanation *x, const struct region *r);

/* Says under @object when an endpoint decoder breaks the order of those with lower numbers. */
void explain_decoder_order(struct explanation *x, const char *object, const struct decoder *d);

/* Return: true when every position of the region has its device. */
bool explain_region_is_complete(const struct region *r);

/* What of a memory device no decoder maps, and whether and how a region could. */
void explain_capacity(struct explanation *x, const struct memdev *m);

/* A piece of address space that nothing uses. */
struct gap {
	uint64_t first, last;
};

DEFINE_ARRAY(struct gap, gaps);

/*
 * find_gaps() - what of @whole the @used ranges leave; they may overlap and are sorted in place
 *
 * Return: 0 or -ENOMEM.
 */
int find_gaps(struct gap whole, struct gap *used, size_t n_used, struct gaps *ret);

/*
 * find_window_gaps() - what of a window no region uses; nothing when its place is not known
 * @iomem: when not NULL, what this host's /proc/iomem shows in the window is used, too
 *
 * Return: 0 or -ENOMEM.
 */
int find_window_gaps(const struct decoder *window, const struct host *iomem, struct gaps *ret);

#endif
