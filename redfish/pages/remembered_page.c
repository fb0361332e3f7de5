// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/remembered_page.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

const struct page_limits page_limits_default = PAGE_LIMITS_DEFAULT;

/* ---- names ------------------------------------------------------------------------------------
 */

static const char *const cause_names[PAGE_CAUSES] = {
	[PAGE_BY_HAND] = "manual",
	[PAGE_BY_POLICY] = "automatic",
};

static const char *const state_names[REMEMBERED_STATES] = {
	[REMEMBERED_KNOWN] = "known",
	[REMEMBERED_RESERVED] = "reserved",
	[REMEMBERED_OUT] = "out",
	[REMEMBERED_REFUSED] = "refused",
	[REMEMBERED_FAILED] = "failed",
	[REMEMBERED_UNVERIFIABLE] = "unverifiable",
	[REMEMBERED_RETURNED] = "to-be-returned",
	[REMEMBERED_FENCED] = "fenced",
};

const char *page_cause_name(uint32_t cause)
{
	return cause < PAGE_CAUSES ? cause_names[cause] : "unknown";
}

const char *remembered_state_name(uint32_t state)
{
	return state < REMEMBERED_STATES ? state_names[state] : "unknown";
}

static int find_name(const char *const *names, size_t n, const char *name, uint32_t *ret)
{
	for (size_t i = 0; name && i < n; i++) {
		if (!str_equal(names[i], name))
			continue;
		*ret = (uint32_t)i;
		return 0;
	}
	return -EINVAL;
}

int page_cause_of_name(const char *name, uint32_t *ret)
{
	return find_name(cause_names, ARRAY_SIZE(cause_names), name, ret);
}

int remembered_state_of_name(const char *name, uint32_t *ret)
{
	return find_name(state_names, ARRAY_SIZE(state_names), name, ret);
}

bool remembered_may_be_out(const struct remembered_page *p)
{
	return p->state != REMEMBERED_KNOWN && p->state != REMEMBERED_REFUSED &&
	       p->state != REMEMBERED_FENCED;
}

int remembered_check(const struct remembered_page *p)
{
	const uint64_t rest = p->dpa % REMEMBERED_LINE + p->length % REMEMBERED_LINE;

	if (!p->device[0] || !memchr(p->device, 0, sizeof(p->device)) ||
	    !stable_id_fits(p->device) || strchr(p->device, ':'))
		return -EINVAL;
	if (rest || p->length == 0 || p->dpa > INT64_MAX || p->length > INT64_MAX - p->dpa)
		return -EINVAL;
	return p->cause < PAGE_CAUSES && p->state < REMEMBERED_STATES ? 0 : -EINVAL;
}

bool remembered_is_in_page(const struct remembered_page *p)
{
	return p->dpa / REMEMBERED_CHUNK == (p->dpa + p->length - 1) / REMEMBERED_CHUNK;
}

/* ---- limits -----------------------------------------------------------------------------------
 */

static const char *const verdict_texts[PAGE_VERDICTS] = {
	[PAGE_MAY_GO] = "",
	[PAGE_IS_OUT] = "The page is out of use already.",
	[PAGE_TRIED_ENOUGH] =
		"The page was tried three times in this boot: it is in use all the time. Stop the program that uses it, and take it out by hand.",
	[PAGE_OVER_BLOCK] =
		"The memory block has as many bad pages as page-limit-block allows: give up the whole block, by taking it offline.",
	[PAGE_OVER_TOTAL] =
		"As many pages are remembered as page-limit-total allows: replace the device, or delete entries that are not needed.",
	[PAGE_OVER_NODE] =
		"As many pages of the NUMA node are out as page-limit-node-share allows: replace the device.",
	[PAGE_NODE_NOT_KNOWN] =
		"The size of the NUMA node is not known, and so neither the share of it that is out: take the page out by hand.",
	[PAGE_OVER_HOUR] =
		"As many pages were taken out within an hour as page-limit-hour allows: look at the incident, and take the page out by hand.",
};

const char *page_verdict_text(enum page_verdict v)
{
	return verdict_texts[v];
}

static bool is_over_share(const struct page_counts *counts, const struct page_limits *limits)
{
	/* Divided first: no number of pages overflows, and the share is never rounded up. */
	const uint64_t allowed = counts->node_pages / 1000000 * limits->share_ppm +
				 counts->node_pages % 1000000 * limits->share_ppm / 1000000;

	return counts->node >= allowed;
}

enum page_verdict page_decide(const struct page_case *c, const struct page_counts *counts,
			      const struct page_limits *limits)
{
	if (c->by_policy && !c->again && c->is_out)
		return PAGE_IS_OUT;
	if (counts->block >= limits->block)
		return PAGE_OVER_BLOCK;
	if (c->again && !c->imported)
		return PAGE_MAY_GO;
	if (c->by_policy && !c->again && c->tries >= PAGE_LIMIT_TRIES)
		return PAGE_TRIED_ENOUGH;
	if (counts->total >= limits->total)
		return PAGE_OVER_TOTAL;
	if (counts->node_pages == 0)
		return PAGE_NODE_NOT_KNOWN;
	if (is_over_share(counts, limits))
		return PAGE_OVER_NODE;
	return c->by_policy && !c->again && counts->hour >= limits->hour ? PAGE_OVER_HOUR
									 : PAGE_MAY_GO;
}

/* ---- time -------------------------------------------------------------------------------------
 */

static uint64_t passed_since(const struct page_age *then, const struct page_moment *now)
{
	if (memcmp(then->boot_id, now->boot_id, sizeof(then->boot_id)) != 0)
		return now->boottime_ns;
	return now->boottime_ns > then->boottime_ns ? now->boottime_ns - then->boottime_ns : 0;
}

struct page_age page_age_at(const struct page_age *then, const struct page_moment *now)
{
	const uint64_t passed = passed_since(then, now);
	struct page_age age = {.boottime_ns = now->boottime_ns};

	age.age_ns = passed > INT64_MAX - then->age_ns ? INT64_MAX : then->age_ns + passed;
	memcpy(age.boot_id, now->boot_id, sizeof(age.boot_id));
	return age;
}
