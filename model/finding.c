// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/finding.h"

#include "common/strutil.h"

static bool opt_u64_equal(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool finding_items_equal(const struct finding_item *a, const struct finding_item *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!opt_u64_equal(a->position, b->position) ||
		    !str_equal(a->name ? a->name : "", b->name ? b->name : "") ||
		    !str_equal(a->detail ? a->detail : "", b->detail ? b->detail : "") ||
		    !opt_u64_equal(a->start, b->start) || !opt_u64_equal(a->size, b->size))
			return false;
	return !a && !b;
}

static bool finding_args_equal(const struct finding_arg *a, const struct finding_arg *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case FINDING_ARG_NONE:
		return true;
	case FINDING_ARG_NAME:
	case FINDING_ARG_TEXT:
		return str_equal(a->text, b->text);
	case FINDING_ARG_REASON:
		return a->reason == b->reason;
	case FINDING_ARG_EVENT_TYPE:
		return a->event_type == b->event_type;
	case FINDING_ARG_NUMBER:
	case FINDING_ARG_HEX:
	case FINDING_ARG_ENTRY:
	case FINDING_ARG_INCIDENT:
	case FINDING_ARG_TIME:
		return a->number == b->number;
	case FINDING_ARG_SEVERITY:
		return a->severity == b->severity;
	case FINDING_ARG_SIZE:
		return opt_u64_equal(a->range.size, b->range.size);
	case FINDING_ARG_RANGE:
		return opt_u64_equal(a->range.start, b->range.start) &&
		       opt_u64_equal(a->range.size, b->range.size);
	case FINDING_ARG_LIST:
		return finding_items_equal(a->list, b->list);
	}
	return false;
}

bool finding_equal(const struct finding *a, const struct finding *b)
{
	if (a->code != b->code)
		return false;
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (!finding_args_equal(&a->args[i], &b->args[i]))
			return false;
	return true;
}
