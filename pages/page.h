/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_H
#define CXLR_PAGES_PAGE_H

/*
 * A page of memory that is taken out of use, or brought back: the request, and what became of it.
 *
 * A request is prepared by cxl-spa, by an action of a Redfish resource or by the policy, and done
 * by page_run() (page_run.h): in the process of cxl-spa itself, or in cxl-redfish-page-helper,
 * which receives the bytes of requests from cxl-redfishd and trusts nothing in them. It names the
 * device and the address on it; both are translated again there, and another SPA than the expected
 * one is refused.
 *
 * Plain data only, no pointers; unused bytes are 0. Functions keep no state; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sysfs/stable_id.h"

enum {
	PAGE_BATCH_MAX = 256,		   /* requests that are done by one reading of the host */
	PAGE_RUN_MAX = 4 * PAGE_BATCH_MAX, /* of a call, and of a connection to the helper */
	PAGE_DEVICE_MAX = 72,		   /* a multiple of 8 above STABLE_ID_MAX */
	PAGE_REASON_MAX = 320,
	PAGE_TRIES_MAX = 3, /* of a page that is dirty or pinned, PAGE_TRY_MS apart */
	PAGE_TRY_MS = 50,
	/* Pages of one memory block (page-limit-block): with one, it never comes online again. */
	PAGE_LIMIT_BLOCK_DEFAULT = 4,
	PAGE_LIMIT_BLOCK_MAX = 65536,
};

enum page_action {
	PAGE_SOFT = 1, /* its contents move to another page */
	PAGE_HARD,     /* whoever uses it loses it; a clean page of a file is read again */
	PAGE_ONLINE,   /* brought back, by hwpoison-inject of the kernel */
	PAGE_FENCE,    /* its memory block goes offline, while none of its pages is marked */
	PAGE_ACTIONS
};

struct page_request {
	char device[PAGE_DEVICE_MAX]; /* memdev_id() (stable_id.h), with the NUL */
	uint64_t serial;	      /* compared when it is not 0; 0: the device has none */
	uint64_t dpa;		      /* any byte of the page */
	uint64_t spa;		      /* the exact address of `dpa` that the caller expects */
	uint32_t action;	      /* enum page_action */
	uint32_t allow_huge;	      /* 1: a huge page (hugetlbfs), too; the helper's
				       * configuration must allow it as well */
	/* 1, soft and fence: the contents of the page are lost, and moving it would read them; so
	 * only while nobody uses it. */
	uint32_t only_free;
	uint32_t unused; /* 0 */
};

enum page_outcome {
	/* Bit 19 of its kpageflags was 0 before and is 1 after; online: 1, 0; fence: its block was
	 * online before and is offline after. */
	PAGE_DONE,
	PAGE_ALREADY, /* it was so before: nothing was written */
	PAGE_REFUSED, /* by us, or by the kernel without effect */
	PAGE_FAILED, /* the kernel reports an error, or success, and the flag is not as it should */
	PAGE_UNVERIFIABLE, /* flags cannot be read afterwards, or the helper did not answer */
	PAGE_OUTCOMES
};

struct page_result {
	/*
	 * 0 when done or already so. -EBUSY: dirty, pinned, not free, of an unknown kind, or
	 * another request is at work: later. -EACCES not allowed by --allow; -EPERM no privilege,
	 * or its kind is not in the list; -ESTALE the device or the address is another one now;
	 * -ERANGE no exact address; -ENODEV no such device; -ENXIO not online; -EOPNOTSUPP the
	 * kernel cannot, in this boot; -EDQUOT over a limit; -EIO; -ECONNRESET the helper is away.
	 */
	int32_t error;
	uint32_t outcome; /* enum page_outcome */
	uint32_t tries;	  /* writes, of all of its pages */
	uint32_t has_alias;
	uint64_t pfn, before, after; /* kpageflags; 0 while they were not read */
	/* The page with the same lines of an extended linear cache, which goes with it. */
	uint64_t alias_pfn, alias_before, alias_after;
	/* A sentence, or several: what happened to what, why, what to do. "" when all is done. */
	char reason[PAGE_REASON_MAX];
};

/* Return: as JSON, logs and messages name it: "soft", "hard", "online", "fence". */
const char *page_action_name(uint32_t action);

/* Return: "done", "already", "refused", "failed", "unverifiable". */
const char *page_outcome_name(uint32_t outcome);

/* Return: the bits of --allow (common/allow.h) that an action needs; 0 when there is no such
 * action. */
unsigned int page_needs(uint32_t action);

/* page_check() - the form of a request. Return: 0 or -EINVAL. */
int page_check(const struct page_request *q, struct error *e);

/*
 * page_result_set() - for the error path of an operation
 * @fmt: the text, without a final newline
 *
 * Return: always -|code|.
 */
int page_result_set(struct page_result *ret, int code, enum page_outcome outcome, const char *fmt,
		    ...) __attribute__((format(printf, 4, 5)));

#endif
