// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/allow.h"

const char *page_action_name(uint32_t action)
{
	static const char *const names[PAGE_ACTIONS] = {
		[PAGE_SOFT] = "soft",
		[PAGE_HARD] = "hard",
		[PAGE_ONLINE] = "online",
		[PAGE_FENCE] = "fence",
	};

	return action < PAGE_ACTIONS && names[action] ? names[action] : "?";
}

const char *page_outcome_name(uint32_t outcome)
{
	static const char *const names[PAGE_OUTCOMES] = {
		[PAGE_DONE] = "done",
		[PAGE_ALREADY] = "already",
		[PAGE_REFUSED] = "refused",
		[PAGE_FAILED] = "failed",
		[PAGE_UNVERIFIABLE] = "unverifiable",
	};

	return outcome < PAGE_OUTCOMES ? names[outcome] : "?";
}

unsigned int page_needs(uint32_t action)
{
	switch (action) {
	case PAGE_SOFT:
	case PAGE_ONLINE:
	case PAGE_FENCE:
		return ALLOW_PAGES;
	case PAGE_HARD:
		return ALLOW_HARD_PAGES;
	default:
		return 0;
	}
}

int page_check(const struct page_request *q, struct error *e)
{
	const size_t len = strnlen(q->device, sizeof(q->device));

	if (page_needs(q->action) == 0)
		return error_set(e, EINVAL, "there is no action %u of a page", q->action);
	if (q->allow_huge > 1)
		return error_set(e, EINVAL, "allow_huge is %u, neither 0 nor 1", q->allow_huge);
	if (q->only_free > 1 || q->unused ||
	    (q->only_free && q->action != PAGE_SOFT && q->action != PAGE_FENCE))
		return error_set(e, EINVAL,
				 "only_free is %u, neither 0 nor, of a soft or fence request, 1",
				 q->only_free);
	if (len == 0 || len == sizeof(q->device) || !stable_id_fits(q->device))
		return error_set(e, EINVAL, "the device of a page has no valid identifier");
	for (size_t i = len; i < sizeof(q->device); i++)
		if (q->device[i] != '\0')
			return error_set(e, EINVAL,
					 "there is something behind the identifier of the device");
	return 0;
}

int page_result_set(struct page_result *ret, int code, enum page_outcome outcome, const char *fmt,
		    ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(ret->reason, sizeof(ret->reason), fmt, args);
	va_end(args);
	ret->error = code > 0 ? -code : code;
	ret->outcome = (uint32_t)outcome;
	return ret->error;
}
