// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoders without region: kernels before 7.0 create none for Normalized addressing. The answers of
 * firmware for the ends of such a decoder imply the interleave set that a region would have. It
 * limits a search, gives an interval, and every answer is checked against it.
 */
#include <errno.h>
#include <stdio.h>

#include "prm/provider.h"

/* Linux gives a Normalized decoder a region only where one window contains its whole range. */
static bool lies_in_a_window(const struct translator *t, const struct firmware_geometry *g)
{
	const struct window_map *w = window_map_find(t, g->base);

	return !t->windows_known || (w && window_map_find(t, g->last) == w);
}

int unassigned_geometry(const struct translate_call *call, const struct decoder_map *dm,
			struct firmware_geometry *ret, struct firmware_answer *ret_why)
{
	struct firmware_query query = dm->device->query;
	struct firmware_geometry g;
	int r;

	*ret_why = (struct firmware_answer){.result = FIRMWARE_TRANSLATED};
	if (!call->t->firmware || !dm->device->has_query || dm->unusable.code ||
	    dm->decoder->region ||
	    (dm->mapping != MAPPING_NORMALIZED && dm->mapping != MAPPING_UNKNOWN))
		return -ENODATA;
	query.dpa = dm->first;
	r = firmware_geometry(call->t->firmware, &query, dm->last, call->timeout, &g, ret_why);
	if (r < 0)
		return r;
	if (!lies_in_a_window(call->t, &g))
		return -ERANGE;
	*ret = g;
	return 0;
}

enum answer_reason unassigned_why(const struct translate_call *call, const struct decoder_map *dm,
				  char text[ANSWER_REASON_MAX])
{
	struct firmware_query ends[2] = {dm->device->query, dm->device->query};
	struct firmware_answer answers[2];

	ends[0].dpa = dm->first;
	ends[1].dpa = dm->last;
	firmware_translate(call->t->firmware, ends, 2, call->timeout, answers);
	for (size_t i = 0; i < 2; i++) {
		enum answer_reason code;

		if (answers[i].result != FIRMWARE_TRANSLATED)
			continue;
		code = spa_check(call->t, dm, ends[i].dpa, answers[i].spa);
		if (code == REASON_NONE)
			continue;
		spa_check_text(call->t, code, dm, ends[i].dpa, answers[i].spa, "firmware's", text);
		return code;
	}
	(void)snprintf(
		text, ANSWER_REASON_MAX,
		"firmware's SPAs 0x%llx and 0x%llx for the first and last DPA of %s are not the ends of an interleave set, so all of its answers for %s are rejected",
		(unsigned long long)answers[0].spa, (unsigned long long)answers[1].spa,
		dm->decoder->name, dm->device->memdev->name);
	return REASON_SPA_NO_INTERLEAVE_SET;
}
