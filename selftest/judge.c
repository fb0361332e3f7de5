// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/judge.h"

#include "selftest/judge_private.h"

const char *judge_result_name(enum judge_result result)
{
	static const char *const names[JUDGE_RESULTS] = {
		[JUDGE_NOT_TRIED] = "not-tried", [JUDGE_RIGHT] = "right",
		[JUDGE_ELSEWHERE] = "elsewhere", [JUDGE_NOWHERE] = "nowhere",
		[JUDGE_SPREAD] = "spread",	 [JUDGE_DAMAGED] = "damaged",
		[JUDGE_FAILED] = "failed",
	};

	return names[result];
}

bool judge_has_line(const struct judge *j, uint64_t line)
{
	return line >= j->memory->first && line <= j->memory->last;
}

int judge_mark(const struct judge *j, uint64_t line, struct error *e)
{
	uint8_t marker[MARKER_LINE];

	marker_make(line, j->seed, marker);
	return j->memory->write(j->memory->userdata, line, marker, e);
}

int judge_look(const struct judge *j, uint64_t line, struct change_of_line *ret, struct error *e)
{
	uint8_t marker[MARKER_LINE], bytes[MARKER_LINE];
	int r = j->memory->read(j->memory->userdata, line, bytes, e);

	if (r < 0)
		return r;
	*ret = (struct change_of_line){.first = MARKER_LINE};
	if (marker_read(bytes, j->seed, &ret->marker_of) && ret->marker_of != line)
		ret->has_other_marker = true;
	marker_make(line, j->seed, marker);
	for (unsigned int i = 0; i < MARKER_LINE; i++) {
		if (bytes[i] == marker[i])
			continue;
		ret->changed++;
		ret->zeroed += bytes[i] == 0;
		if (ret->first == MARKER_LINE)
			ret->first = i;
	}
	return 0;
}
