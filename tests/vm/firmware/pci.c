// SPDX-License-Identifier: LGPL-2.1-or-later
#include "acpi.h"
#include "pci.h"

#define PCI_CAPABILITY_LIST 0x34
#define PCI_EXTENDED_START  0x100
#define PCI_EXTENDED_DVSEC  0x23U
#define CXL_VENDOR	    0x1e98U

/* After the header and 8 reserved bytes: one entry for each segment group; QEMU has one. */
struct mcfg {
	struct acpi_header header;
	uint64_t reserved;
	uint64_t base;
} __attribute__((packed));

static uint64_t ecam;

efi_status pci_init(struct efi_system_table *system)
{
	const struct mcfg *mcfg = (const struct mcfg *)acpi_find(system, "MCFG");

	if (mcfg == NULL || mcfg->header.length < sizeof(*mcfg))
		return EFI_NOT_FOUND;
	ecam = mcfg->base;
	return EFI_SUCCESS;
}

int pci_open(uint8_t bus, uint8_t devfn, struct pci_function *ret_function)
{
	struct pci_function function = {
		.bus = bus,
		.devfn = devfn,
		.config = (volatile uint8_t *)(ecam + ((uint64_t)bus << 20) +
					       ((uint64_t)devfn << 12)),
	};

	if (pci_read16(&function, 0) == 0xffff)
		return 0;
	*ret_function = function;
	return 1;
}

uint8_t pci_read8(const struct pci_function *function, uint16_t offset)
{
	return function->config[offset];
}

uint16_t pci_read16(const struct pci_function *function, uint16_t offset)
{
	return *(volatile uint16_t *)(function->config + offset);
}

uint32_t pci_read32(const struct pci_function *function, uint16_t offset)
{
	return *(volatile uint32_t *)(function->config + offset);
}

void pci_write16(const struct pci_function *function, uint16_t offset, uint16_t value)
{
	*(volatile uint16_t *)(function->config + offset) = value;
}

void pci_enable_memory(const struct pci_function *function)
{
	uint16_t command = pci_read16(function, PCI_COMMAND);

	pci_write16(function, PCI_COMMAND, (uint16_t)(command | PCI_COMMAND_MEMORY));
}

uint16_t pci_capability(const struct pci_function *function, uint8_t id)
{
	uint16_t at = pci_read8(function, PCI_CAPABILITY_LIST);

	/* There is space for 48 capabilities; more are a loop. */
	for (int i = 0; i < 48 && at >= 0x40; i++) {
		if (pci_read8(function, at) == id)
			return at;
		at = pci_read8(function, (uint16_t)(at + 1)) & 0xfc;
	}
	return 0;
}

uint16_t pci_cxl_dvsec(const struct pci_function *function, uint16_t id)
{
	uint16_t at = PCI_EXTENDED_START;

	for (int i = 0; i < 480 && at >= PCI_EXTENDED_START; i++) {
		uint32_t header = pci_read32(function, at);

		if ((header & 0xffff) == PCI_EXTENDED_DVSEC &&
		    pci_read16(function, (uint16_t)(at + 4)) == CXL_VENDOR &&
		    pci_read16(function, (uint16_t)(at + 8)) == id)
			return at;
		at = (header >> 20) & 0xffc;
	}
	return 0;
}

uint64_t pci_bar(const struct pci_function *function, uint8_t index)
{
	uint16_t offset = (uint16_t)(0x10 + 4 * index);
	uint32_t low = pci_read32(function, offset);
	uint64_t address = low & ~0xfU;

	if ((low & 0x6) == 0x4)
		address |= (uint64_t)pci_read32(function, (uint16_t)(offset + 4)) << 32;
	return address;
}
