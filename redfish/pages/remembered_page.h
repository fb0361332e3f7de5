/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REMEMBERED_PAGE_H
#define CXLR_REDFISH_REMEMBERED_PAGE_H

/*
 * A remembered page: a range of a device's addresses whose page is to stay out of use, over
 * reboots and new dax devices, which both forget it. And the decision whether one more page may be
 * taken out.
 *
 * Its identity is the device and the first address of the range, never an SPA, which changes while
 * the fault stays. The device is the one of sysfs/stable_id.h: by its serial number, or by its slot
 * where that is 0 or not unique. The page, block and node are those of the last write, and count in
 * the boot of that write only.
 *
 * Plain values; pure functions; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/array.h"
#include "pages/page.h"
#include "sysfs/stable_id.h"

enum page_cause {
	PAGE_BY_HAND, /* an administrator, or an imported list */
	PAGE_BY_POLICY,
};
enum { PAGE_CAUSES = PAGE_BY_POLICY + 1 };

enum remembered_state {
	REMEMBERED_KNOWN, /* imported, not tried yet */
	/* A write was about to begin. It stays so when the process ended before the result: the
	 * page may be out, and counts as out. */
	REMEMBERED_RESERVED,
	REMEMBERED_OUT,
	REMEMBERED_REFUSED, /* nothing was changed */
	REMEMBERED_FAILED,
	REMEMBERED_UNVERIFIABLE,
	REMEMBERED_RETURNED, /* not taken out again, but still out until a new boot or dax device */
	REMEMBERED_FENCED,   /* in use by nobody: its memory block was taken offline */
};
enum { REMEMBERED_STATES = REMEMBERED_FENCED + 1 };

enum {
	REMEMBERED_LINE = 64,	/* bytes of device addresses that one record names */
	REMEMBERED_CHUNK = 256, /* bytes that are in one page, whatever the interleaving is */
	REMEMBERED_TEXT_MAX = 320,
	REMEMBERED_USER_MAX = 72,
	REMEMBERED_BOOT_SIZE = 16,
	/* The bits of the smallest page, 4 KiB. A place is kept as the first address of its page,
	 * so that two of them are equal when their pages are, also on a kernel with pages of 64
	 * KiB. */
	REMEMBERED_PAGE_BITS = 12,
};

struct remembered_page {
	uint64_t id; /* never used again */
	char device[STABLE_ID_MAX + 1];
	uint64_t serial;		 /* 0: it has none, or not a unique one */
	uint64_t dpa, length;		 /* of the range, in bytes; whole lines of one chunk */
	uint32_t cause;			 /* enum page_cause */
	uint32_t state;			 /* enum remembered_state */
	bool hard;			 /* as it was taken out */
	bool only_free;			 /* data is lost: not while it is used, see pages/page.h */
	uint64_t incident;		 /* 0: of none */
	uint64_t created_ns, settled_ns; /* since 1970, for people only */
	uint32_t tries;			 /* writes in the boot of the last one */
	uint64_t spa;			 /* of its page, at the last write; 0: none */
	uint64_t block;			 /* the N of its memoryN */
	uint64_t node;
	uint64_t alias, alias_block; /* of its alias, in the same node; SPA 0: none */
	/* Microseconds from the event that the block was online, as received, until the page was
	 * out; 0: not measured, as it was taken out otherwise. */
	uint64_t online_us;
	uint64_t age_ns; /* the struct page_age when it was remembered; 0: not known */
	uint8_t boot_id[REMEMBERED_BOOT_SIZE]; /* of the last write */
	char user[REMEMBERED_USER_MAX];	       /* by whom; "" by the policy */
	char text[REMEMBERED_TEXT_MAX];	       /* the outcome, a sentence; "" when all is well */
};

DEFINE_ARRAY(struct remembered_page, remembered_pages);

/* Return: "manual", "automatic"; "known", "reserved", "out", "refused", "failed", "unverifiable",
 * "to-be-returned", "fenced"; static. They never change. */
const char *page_cause_name(uint32_t cause);
const char *remembered_state_name(uint32_t state);

/* remembered_state_of_name() - the reverse; -EINVAL without such a name */
int page_cause_of_name(const char *name, uint32_t *ret);
int remembered_state_of_name(const char *name, uint32_t *ret);

/* Whether its page may be out of use in the boot of its last write. */
bool remembered_may_be_out(const struct remembered_page *p);

/* remembered_check() - the form of one that was read or imported. Return: 0 or -EINVAL. */
int remembered_check(const struct remembered_page *p);

/* Whether all bytes of the range are in one page. */
bool remembered_is_in_page(const struct remembered_page *p);

/* ---- limits ----------------------------------------------------------------------------------
 */

enum {
	PAGE_LIMIT_HOUR_DEFAULT = 16,
	PAGE_LIMIT_TOTAL_DEFAULT = 1024,
	PAGE_LIMIT_TOTAL_MAX = 65536,
	PAGE_LIMIT_SHARE_DEFAULT = 1000, /* 0.1 % */
	PAGE_LIMIT_SHARE_MAX = 100000,
	PAGE_AGE_DAYS_MAX = 3650,
	PAGE_LIMIT_TRIES =
		3, /* by the policy, of one range in one boot: a page may be busy for ever */
};

struct page_limits {
	unsigned int hour;  /* writes by the policy within an hour that the host ran */
	unsigned int total; /* remembered ranges, and pages that are aliases of theirs */
	unsigned int block; /* pages of one memory block: with one, it never comes online again */
	unsigned int share_ppm; /* pages of one node that may be out, of a million of them */
	unsigned int age_days;	/* an entry is forgotten after; 0: never */
};

#define PAGE_LIMITS_DEFAULT                                                                        \
	{                                                                                          \
		PAGE_LIMIT_HOUR_DEFAULT, PAGE_LIMIT_TOTAL_DEFAULT, PAGE_LIMIT_BLOCK_DEFAULT,       \
			PAGE_LIMIT_SHARE_DEFAULT, 0                                                \
	}

extern const struct page_limits page_limits_default;

/* The use of the limits, without the range that is decided about, but with its alias. */
struct page_counts {
	uint64_t hour, total, block, node;
	uint64_t node_pages; /* of the node, in use or not; 0: not known */
};

struct page_case {
	bool by_policy;
	bool again;	    /* remembered already, and put out again after a new boot or block */
	bool imported;	    /* likewise, and never tried on this host */
	bool is_out;	    /* the same page was taken out for this range in this boot */
	unsigned int tries; /* of the range in this boot */
};

enum page_verdict {
	PAGE_MAY_GO,
	PAGE_IS_OUT,
	PAGE_TRIED_ENOUGH,
	PAGE_OVER_BLOCK,
	PAGE_OVER_TOTAL,
	PAGE_OVER_NODE,
	PAGE_NODE_NOT_KNOWN,
	PAGE_OVER_HOUR,
};
enum { PAGE_VERDICTS = PAGE_OVER_HOUR + 1 };

/*
 * page_decide() - whether the page of a range may be taken out
 *
 * A remembered range that is put out again has the limit of its block only; one of a list that was
 * imported is new here. The hour's and the number of tries are for the policy alone: an
 * administrator names each page.
 */
enum page_verdict page_decide(const struct page_case *c, const struct page_counts *counts,
			      const struct page_limits *limits);

/* Return: why not, and what to do next, a sentence; "" of PAGE_MAY_GO; static. */
const char *page_verdict_text(enum page_verdict v);

/* ---- time ------------------------------------------------------------------------------------
 */

/* A moment by clocks that nobody can set, and the time of day for people. */
struct page_moment {
	uint64_t boottime_ns; /* CLOCK_BOOTTIME */
	uint8_t boot_id[REMEMBERED_BOOT_SIZE];
	uint64_t time_ns; /* since 1970 */
};

/* How long hosts ran since the first write, as of a moment. */
struct page_age {
	uint64_t age_ns, boottime_ns;
	uint8_t boot_id[REMEMBERED_BOOT_SIZE];
};

#define PAGE_HOUR_NS (UINT64_C(3600) * 1000000000)

/*
 * page_age_at() - the age at a moment
 *
 * All of the time that a later boot has run has passed since; the time before, while the host was
 * off, is not counted. It never runs backwards, whatever the arguments are.
 */
struct page_age page_age_at(const struct page_age *then, const struct page_moment *now);

#endif
