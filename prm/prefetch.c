// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Many DPAs of a device in few calls of firmware, before they are translated one by one.
#include "prm/firmware.h"
#include "prm/provider.h"
#include "prm/translate.h"

/* Return: whether the question is one that prm_dpa_to_spa() would ask. */
static bool has_question_for(const struct memdev_map *d, uint64_t dpa)
{
	const struct decoder_map *dm = decoder_map_find(d, dpa);

	return dm && firmware_applies_to(dm);
}

void translate_ask_ahead(const struct translator *t, const struct memdev *memdev,
			 const uint64_t *dpas, size_t n, struct firmware_timeout *timeout)
{
	const struct memdev_map *d = memdev_map_find(t, memdev);
	struct firmware_question questions[FIRMWARE_BATCH_MAX];
	struct firmware_answer answers[FIRMWARE_BATCH_MAX];
	size_t filled = 0;

	if (!t->firmware || !d || !d->has_question)
		return;
	for (size_t i = 0; i < n; i++) {
		if (has_question_for(d, dpas[i])) {
			questions[filled] = d->question;
			questions[filled++].dpa = dpas[i];
		}
		if (filled == FIRMWARE_BATCH_MAX || (i + 1 == n && filled)) {
			firmware_ask(t->firmware, questions, filled, timeout, answers);
			filled = 0;
		}
	}
}
