/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ANSWER_H
#define CXLR_PRM_ANSWER_H

/*
 * The result of a translation: an address or an interval, its source, and why it is not exact.
 *
 * Plain data. The objects that an answer points to belong to the host of the translator that made
 * it; the answer itself belongs to the caller and holds no memory of its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "prm/reason.h"
#include "sysfs/host.h"

enum answer_source {
	SOURCE_NONE,	 /* no answer */
	SOURCE_KERNEL,	 /* the hpa field of a kernel event */
	SOURCE_PRM,	 /* firmware, by /dev/cxl_prm */
	SOURCE_RECORDED, /* firmware's answer, recorded in a capture */
	SOURCE_EMULATED, /* a capture's rule for an emulated handler */
	SOURCE_DECODER,	 /* decoder arithmetic */
	SOURCE_ESTIMATE, /* interval from region attributes */
};

enum { ANSWER_REASON_MAX = 320 };

struct answer_candidate {
	const struct memdev *memdev;
	uint64_t dpa, dpa_last;
};

/*
 * One answer for one address, or for one extent of a range.
 *
 * By DPA: memdev, dpa and dpa_last are the input (or the part of it that this extent covers).
 * By SPA: spa and spa_last are the input, memdev and dpa the answer; memdev is NULL
 * when several devices are possible, `candidates` lists all that are, and dpa..dpa_last holds
 * the DPAs of each.
 *
 * exact implies spa == spa_last: it applies to single addresses only, so an extent of more than one
 * byte is an interval, even when each address in it could be translated exactly.
 */
struct answer {
	bool has_dpa, has_spa;
	bool exact;
	bool not_queried; /* firmware can be queried and was not: translate_..._wait() may know more
			   */
	enum answer_source source;
	const struct memdev *memdev;
	uint64_t dpa, dpa_last;
	uint64_t spa, spa_last;
	/* The other addresses of the same lines of an extended linear cache, in DRAM for those in
	 * CXL memory and the other way round. */
	bool has_alias;
	uint64_t alias, alias_last;
	const struct region *mapping;  /* region or decoders; NULL when none maps the address */
	const struct region *region;   /* the mapping when it is a region of Linux, or NULL */
	const struct decoder *decoder; /* endpoint decoder, NULL when unknown */
	const struct decoder *window;  /* root decoder, NULL when unknown */
	struct opt_int position;       /* of the memdev in its region */
	struct opt_int numa_node;      /* node of the memory at that SPA */
	const struct dax_device *dax;  /* the dax device that covers all of spa..spa_last */
	struct answer_candidate candidates[INTERLEAVE_WAYS_MAX]; /* by SPA only */
	size_t n_candidates;
	uint32_t doubts;		 /* a bit for each, 1 << enum answer_doubt */
	enum answer_reason first_reason; /* of the first sentence in `reason` */
	uint64_t reasons; /* of all of them: a bit for each, 1 << enum answer_reason */
	char reason[ANSWER_REASON_MAX]; /* "" only when exact, or when there is nothing to report */
};

_Static_assert((int)ANSWER_REASONS <= 64, "answer.reasons has a bit for each");

static inline bool answer_has_reason(const struct answer *a, enum answer_reason reason)
{
	return a->reasons >> reason & 1;
}

static inline bool answer_has_doubt(const struct answer *a, enum answer_doubt doubt)
{
	return a->doubts >> doubt & 1;
}

/* Sets what maps the address of an answer; NULL: nothing. */
static inline void answer_set_mapping(struct answer *a, const struct region *mapping)
{
	a->mapping = mapping;
	a->region = mapping && !mapping->by_decoders ? mapping : NULL;
}

DEFINE_ARRAY(struct answer, answers);

/*
 * answer_why() - why an answer is not exact, in words, or a remark about one that is
 * @by_spa: the input was a system address
 * @is_range: the input was a range
 *
 * Return: a clause; NULL for an exact answer without a remark.
 */
const char *answer_why(const struct answer *a, const struct host *host, bool by_spa, bool is_range);

/* The kind of mapping in output: "region", "decoders"; NULL when nothing maps the address. */
const char *answer_mapping_name(const struct answer *a);

/* The name in output ("decoder", "recorded", ...); NULL for SOURCE_NONE. */
const char *answer_source_name(enum answer_source source);

#endif
