// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/cxl_link.h"

/* CXL 3.1 8.1.8.1 and 8.1.8.3: the same bits in capability and status; 8.1.3.1 has the first two */
enum {
	FLEX_CACHE = 1 << 0,
	FLEX_MEM = 1 << 2,
	FLEX_68B_FLIT_AND_VH = 1 << 5,
	FLEX_MULTI_LOGICAL = 1 << 6,
	FLEX_LATENCY_OPTIMIZED_256B = 1 << 13,
	FLEX_PBR = 1 << 14,
};

/* Return: the modes of a capability or status; PCIe's flit mode is the standard one (6.2.3). */
static unsigned int modes_of(struct opt_u64 flex, struct opt_bool flit)
{
	unsigned int modes = 0;

	if (!flex.present || !(flex.value & (FLEX_CACHE | FLEX_MEM)))
		return 0;
	if (flex.value & FLEX_68B_FLIT_AND_VH)
		modes |= 1U << CXL_MODE_68B_FLIT_AND_VH;
	if (opt_bool_is_true(flit))
		modes |= 1U << CXL_MODE_STANDARD_256B;
	if (flex.value & FLEX_LATENCY_OPTIMIZED_256B)
		modes |= 1U << CXL_MODE_LATENCY_OPTIMIZED_256B;
	if (flex.value & FLEX_PBR)
		modes |= 1U << CXL_MODE_PBR;
	return modes ? modes : 1U << CXL_MODE_RCD;
}

unsigned int cxl_modes_supported(const struct pci_function *pci)
{
	return pci ? modes_of(pci->config.flex_capability, pci->config.flit_capable) : 0;
}

struct opt_int cxl_mode_active(const struct pci_function *pci)
{
	unsigned int modes = pci ? modes_of(pci->config.flex_status, pci->config.flit_active) : 0;

	/* The later modes are refinements of those before. */
	for (int mode = CXL_MODES - 1; mode >= 0; mode--)
		if (modes & 1U << mode)
			return OPT_INT(mode);
	return (struct opt_int){0};
}

static struct opt_bool bit_of(struct opt_u64 value, uint64_t bit)
{
	return value.present ? OPT_BOOL(value.value & bit) : (struct opt_bool){0};
}

struct opt_bool cxl_has_cache(const struct pci_function *pci)
{
	return bit_of(pci ? pci->config.cxl_capability : (struct opt_u64){0}, FLEX_CACHE);
}

struct opt_bool cxl_has_mem(const struct pci_function *pci)
{
	return bit_of(pci ? pci->config.cxl_capability : (struct opt_u64){0}, FLEX_MEM);
}

struct opt_bool cxl_is_multi_logical(const struct pci_function *pci)
{
	return bit_of(pci ? pci->config.flex_capability : (struct opt_u64){0}, FLEX_MULTI_LOGICAL);
}
