// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/spa_answer.h"

#include "redfish/core/odata.h"
#include "redfish/core/uris.h"
#include "redfish/resources/mapping.h"

static void put_dpa_range(uint64_t first, uint64_t last, struct json_writer *w)
{
	put_hex(w, "DevicePhysicalAddress", first);
	put_hex(w, "DevicePhysicalAddressLast", last);
}

void put_dpa_answer(const struct view *v, const struct answer *a, struct json_writer *w)
{
	put_hex(w, "DevicePhysicalAddress", a->dpa);
	if (a->has_spa) {
		put_hex(w, "SystemPhysicalAddress", a->spa);
		put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
	}
	put_provenance(a, w);
	put_link(w, "Memory", URI_MEMORY, view_memory_id(v, a->memdev));
}

void put_spa_answer(const struct view *v, const struct answer *a, struct json_writer *w)
{
	put_hex(w, "SystemPhysicalAddress", a->spa);
	if (a->has_dpa)
		put_dpa_range(a->dpa, a->dpa_last, w);
	put_provenance(a, w);
	if (a->memdev)
		put_link(w, "Memory", URI_MEMORY, view_memory_id(v, a->memdev));
	if (a->memdev || a->n_candidates == 0)
		return;
	put_array(w, "Candidates");
	for (size_t i = 0; i < a->n_candidates; i++) {
		put_object(w, NULL);
		put_link(w, "Memory", URI_MEMORY, view_memory_id(v, a->candidates[i].memdev));
		put_dpa_range(a->candidates[i].dpa, a->candidates[i].dpa_last, w);
		put_end(w);
	}
	put_end(w);
}
