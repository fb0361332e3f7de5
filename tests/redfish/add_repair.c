// SPDX-License-Identifier: LGPL-2.1-or-later
//
// add_repair STATE-DB SERIAL TYPE DPA: adds to the worklist of repairs what a record of an earlier
// boot would have: a place of the device with that serial number, with all its parts. For tests in
// a machine whose devices make no such record.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/repairs/state_repairs.h"

/* The same as those of guest/mock-long.d/25-repairs.sh. */
static const uint32_t parts[REPAIR_PARTS] = {
	[REPAIR_NIBBLE_MASK] = 0x123456, [REPAIR_CHANNEL] = 1,	   [REPAIR_RANK] = 2,
	[REPAIR_BANK_GROUP] = 3,	 [REPAIR_BANK] = 4,	   [REPAIR_ROW] = 0x123,
	[REPAIR_COLUMN] = 0x45,		 [REPAIR_SUB_CHANNEL] = 1,
};

static int parse(char **argv, struct repair_entry *ret)
{
	const enum edac_repair_type type = edac_repair_type_of(argv[3]);

	*ret = (struct repair_entry){
		.place.known = (1u << REPAIR_PARTS) - 1, .asked = (uint32_t)type, .is_dram = 1};
	memcpy(ret->place.part, parts, sizeof(parts));
	if (type == EDAC_REPAIR_UNKNOWN || parse_u64(argv[2], &ret->serial) < 0 ||
	    parse_u64(argv[4], &ret->place.dpa) < 0)
		return -EINVAL;
	ret->place.dpa |= REPAIR_DPA_VOLATILE;
	(void)snprintf(ret->device, sizeof(ret->device), "cxl-%016" PRIx64, ret->serial);
	return 0;
}

int main(int argc, char **argv)
{
	struct repair_entry entry;
	struct repair_entries list = {.items = &entry, .n = 1};
	struct repairs_added added = {0};
	struct state *state = NULL;
	struct error e = {0};
	int r;

	if (argc != 5 || parse(argv, &entry) < 0) {
		(void)fputs("usage: add_repair STATE-DB SERIAL TYPE DPA\n", stderr);
		return 2;
	}
	r = state_new_beside(argv[1], &state, &e);
	if (r == 0)
		r = state_add_repairs(state, &list, 0, &added, &e);
	(void)state_free(state);
	if (r < 0 || added.n != 1) {
		(void)fprintf(stderr, "add_repair: %s\n", r < 0 ? e.text : "it is there already");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
