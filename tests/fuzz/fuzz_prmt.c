// SPDX-License-Identifier: LGPL-2.1-or-later
/* The PRMT parser on any bytes, with length and checksum updated first. */
#include <stdlib.h>
#include <string.h>

#include "prm/prmt.h"
#include "tests/fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_table(data, size, "PRMT");
	char guid[PRMT_GUID_TEXT];
	struct prmt *p = NULL;
	struct error e;

	if (table && prmt_parse(table, size, &p, &e) == 0) {
		FUZZ_MUST(p->n_handlers <= PRMT_HANDLERS_MAX);
		for (size_t i = 0; i < p->n_handlers; i++) {
			FUZZ_MUST(prmt_find(p, p->handlers[i].guid) == &p->handlers[i]);
			prmt_guid_format(p->handlers[i].guid, guid);
			FUZZ_MUST(strlen(guid) == PRMT_GUID_TEXT - 1);
		}
		(void)prmt_find(p, prmt_cxl_dpa_to_spa_guid);
	}
	prmt_free(p);
	free(table);
	return 0;
}
