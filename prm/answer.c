// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "prm/answer_private.h"

/* Notes the code, and ends what is there. Return: where the new sentence begins. */
static size_t reason_begin(struct answer *a, enum answer_reason code)
{
	size_t used = a->reasons ? strlen(a->reason) : 0;

	if (a->first_reason == REASON_NONE)
		a->first_reason = code;
	a->reasons |= 1ULL << code;
	if (used > 0 && used + 2 < sizeof(a->reason)) {
		memcpy(a->reason + used, "; ", 3);
		used += 2;
	}
	return used;
}

void reason_add(struct answer *a, enum answer_reason code, const char *fmt, ...)
{
	size_t used = reason_begin(a, code);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(a->reason + used, sizeof(a->reason) - used, fmt, ap);
	va_end(ap);
}

/* Look-ups do it by the million, so nothing is formatted. */
void reason_add_ready(struct answer *a, const struct reason *reason)
{
	size_t used, len;

	if (reason->code == REASON_NONE)
		return;
	used = reason_begin(a, reason->code);
	len = strnlen(reason->text, sizeof(a->reason) - 1 - used);
	memcpy(a->reason + used, reason->text, len);
	a->reason[used + len] = '\0';
}

static const char *ordinal_suffix(unsigned int n)
{
	/* Only these two of the valid numbers of ways do not end in "th". */
	return n == 2 ? "nd" : n == 3 ? "rd" : "th";
}

void reason_add_range(struct answer *a, uint64_t bytes, unsigned int ways, unsigned int granularity)
{
	if (bytes == 1)
		return;
	if (bytes == a->spa_last - a->spa + 1)
		reason_add(a, REASON_RANGE, "range: %llu bytes, contiguous",
			   (unsigned long long)bytes);
	else
		reason_add(a, REASON_RANGE,
			   "range: %llu bytes, every %u%s %u-byte chunk of 0x%llx..0x%llx",
			   (unsigned long long)bytes, ways, ordinal_suffix(ways), granularity,
			   (unsigned long long)a->spa, (unsigned long long)a->spa_last);
}

const char *answer_source_name(enum answer_source source)
{
	static const char *const names[] = {
		[SOURCE_NONE] = NULL,		[SOURCE_KERNEL] = "kernel",
		[SOURCE_PRM] = "prm",		[SOURCE_RECORDED] = "recorded",
		[SOURCE_EMULATED] = "emulated", [SOURCE_DECODER] = "decoder",
		[SOURCE_ESTIMATE] = "estimate",
	};

	return names[source];
}

const char *answer_why(const struct answer *a, const struct host *host, bool by_spa, bool is_range)
{
	if (!a->exact && !host_has_cxl(host))
		return "this host has no CXL memory";
	if (a->reason[0])
		return a->reason;
	if (a->exact)
		return NULL;
	if (by_spa ? !a->n_candidates && !a->memdev : !a->has_spa)
		return "no translation source has an answer";
	if (is_range)
		return "the input is a range, so its first and last address are given";
	return "only an interval that contains the address is known";
}

const char *answer_mapping_name(const struct answer *a)
{
	if (!a->mapping)
		return NULL;
	return a->mapping->by_decoders ? "decoders" : "region";
}
