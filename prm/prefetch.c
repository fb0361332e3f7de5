// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Sends the queries for many DPAs of a device in batches, before they are translated one by one.
#include "prm/firmware.h"
#include "prm/provider.h"
#include "prm/translate.h"

/* Return: whether prm_dpa_to_spa() would query firmware for the DPA. */
static bool uses_firmware(const struct memdev_map *d, uint64_t dpa)
{
	const struct decoder_map *dm = decoder_map_find(d, dpa);

	return dm && firmware_applies_to(dm);
}

void translate_prefetch(const struct translator *t, const struct memdev *memdev,
			const uint64_t *dpas, size_t n, struct firmware_timeout *timeout)
{
	const struct memdev_map *d = memdev_map_find(t, memdev);
	struct firmware_query queries[FIRMWARE_BATCH_MAX];
	struct firmware_answer answers[FIRMWARE_BATCH_MAX];
	size_t filled = 0;

	if (!t->firmware || !d || !d->has_query)
		return;
	for (size_t i = 0; i < n; i++) {
		if (uses_firmware(d, dpas[i])) {
			queries[filled] = d->query;
			queries[filled++].dpa = dpas[i];
		}
		if (filled == FIRMWARE_BATCH_MAX || (i + 1 == n && filled)) {
			firmware_translate(t->firmware, queries, filled, timeout, answers);
			filled = 0;
		}
	}
}
