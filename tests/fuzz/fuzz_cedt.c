// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The CEDT parser on any bytes. The length and checksum in the header are updated first,
 * because hardly any other input would be parsed further.
 */
#include <stdlib.h>
#include <string.h>

#include "prm/cedt.h"
#include "tests/fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_table(data, size, "CEDT");
	struct cedt *c = NULL;
	struct error e;

	if (table && cedt_parse(table, size, &c, &e) == 0) {
		for (size_t i = 0; i < c->n_windows; i++) {
			const struct cedt_window *w = &c->windows[i];

			FUZZ_MUST(interleave_ways_valid(w->ways));
			FUZZ_MUST(interleave_granularity_valid(w->granularity));
			FUZZ_MUST(w->size > 0 && w->base + (w->size - 1) >= w->base);
			FUZZ_MUST(cedt_window_find(c, w->base, w->size) == w);
			(void)cedt_cxims_find(c, w);
		}
		for (size_t i = 0; i < c->n_cxims; i++)
			FUZZ_MUST(c->cxims[i].n_maps <= CEDT_XORMAPS_MAX);
	}
	cedt_free(c);
	free(table);
	return 0;
}
