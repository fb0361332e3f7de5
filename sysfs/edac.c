// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/edac.h"

#include "common/strutil.h"

/* drivers/edac/mem_repair.c and include/linux/edac.h, EDAC_REPAIR_* */
static const char *const type_words[EDAC_REPAIR_TYPE_COUNT] = {
	[EDAC_REPAIR_UNKNOWN] = "unknown",
	[EDAC_REPAIR_PPR] = "ppr",
	[EDAC_REPAIR_CACHELINE_SPARING] = "cacheline-sparing",
	[EDAC_REPAIR_ROW_SPARING] = "row-sparing",
	[EDAC_REPAIR_BANK_SPARING] = "bank-sparing",
	[EDAC_REPAIR_RANK_SPARING] = "rank-sparing",
};

const char *edac_repair_type_word(enum edac_repair_type type)
{
	return type_words[type];
}

enum edac_repair_type edac_repair_type_of(const char *word)
{
	for (int i = EDAC_REPAIR_UNKNOWN + 1; i < EDAC_REPAIR_TYPE_COUNT; i++)
		if (str_equal(word, type_words[i]))
			return (enum edac_repair_type)i;
	return EDAC_REPAIR_UNKNOWN;
}
