// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/memory/memory_repairs.h"

#include "model/repairs.h"

static void put_repair(const struct memdev *m, const struct edac_repair *repair,
		       struct json_writer *w)
{
	const enum repair_when when = repair_when(m, repair);

	put_object(w, NULL);
	put_opt_number(w, "Number", OPT_U64(repair->number));
	put_string(w, "RepairType", edac_repair_type_word(repair->type));
	put_opt_bool(w, "Hard", repair->hard);
	put_opt_bool(w, "SafeWhenUsed", repair->safe_when_used);
	put_opt_hex(w, "FirstDevicePhysicalAddress", repair->first_dpa);
	put_opt_hex(w, "LastDevicePhysicalAddress", repair->last_dpa);
	put_string(w, "Possible", repair_when_name(when));
	put_string(w, "Reason", repair_when_text(when));
	put_end(w);
}

void put_repairs(const struct host *host, const struct memdev *m, struct json_writer *w)
{
	char absence[REPAIRS_ABSENCE_MAX];

	put_array(w, "Repairs");
	for (size_t i = 0; m->edac && i < m->edac->n_repairs; i++)
		put_repair(m, &m->edac->repairs[i], w);
	put_end(w);
	put_string(w, "NoRepairsReason", repairs_absence(host, m, absence));
}
