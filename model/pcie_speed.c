// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/pcie_speed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

static const struct {
	uint64_t speed;
	const char *name;
} generations[PCIE_GENERATIONS + 1] = {
	{0},
	{25, "2.5 GT/s"},
	{50, "5 GT/s"},
	{80, "8 GT/s"},
	{160, "16 GT/s"},
	{320, "32 GT/s"},
	{640, "64 GT/s"},
};

struct opt_u64 pcie_speed(const char *printed)
{
	size_t n = printed ? strspn(printed, "0123456789") : 0;
	uint64_t tenths;

	if (n == 0 || n > 4)
		return (struct opt_u64){0};
	tenths = strtoul(printed, NULL, 10) * 10;
	printed += n;
	/* Some versions of the kernel leave out tenths that are zero. */
	if (printed[0] == '.' && isdigit((unsigned char)printed[1])) {
		tenths += (uint64_t)(printed[1] - '0');
		printed += 2;
	}
	return (struct opt_u64){
		.value = tenths,
		.present = tenths > 0 && str_after_prefix(printed, " GT/s"),
	};
}

unsigned int pcie_generation(const char *printed)
{
	const struct opt_u64 speed = pcie_speed(printed);

	for (unsigned int i = 1; speed.present && i < ARRAY_SIZE(generations); i++)
		if (generations[i].speed == speed.value)
			return i;
	return 0;
}

struct opt_u64 pcie_generation_speed(unsigned int generation)
{
	return generation >= 1 && generation < ARRAY_SIZE(generations)
		       ? OPT_U64(generations[generation].speed)
		       : (struct opt_u64){0};
}

const char *pcie_generation_name(unsigned int generation)
{
	return generation < ARRAY_SIZE(generations) ? generations[generation].name : NULL;
}
