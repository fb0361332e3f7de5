/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PCI configuration space, through the memory-mapped area of the MCFG table. */
#ifndef VM_FIRMWARE_PCI_H
#define VM_FIRMWARE_PCI_H

#include "uefi.h"

struct pci_function {
	uint8_t bus;
	uint8_t devfn;
	volatile uint8_t *config;
};

#define PCI_COMMAND	       0x04
#define PCI_COMMAND_MEMORY     0x2U
#define PCI_CLASS_DEVICE       0x0a
#define PCI_SECONDARY_BUS      0x19
#define PCI_CLASS_BRIDGE_PCI   0x0604U
#define PCI_CLASS_MEMORY_CXL   0x0502U
#define PCI_CAPABILITY_EXPRESS 0x10U
#define PCI_EXPRESS_LINK_CAP   0x0c

/** pci_init() - EFI_NOT_FOUND without an MCFG; only segment 0 is used. */
efi_status pci_init(struct efi_system_table *system);

/** pci_open() - 0 when there is no such function. */
int pci_open(uint8_t bus, uint8_t devfn, struct pci_function *ret_function);

uint8_t pci_read8(const struct pci_function *function, uint16_t offset);
uint16_t pci_read16(const struct pci_function *function, uint16_t offset);
uint32_t pci_read32(const struct pci_function *function, uint16_t offset);
void pci_write16(const struct pci_function *function, uint16_t offset, uint16_t value);

/** pci_enable_memory() - let the function accept (a bridge: forward) memory accesses. */
void pci_enable_memory(const struct pci_function *function);

/** pci_capability() - offset of the capability @id, 0 when there is none. */
uint16_t pci_capability(const struct pci_function *function, uint8_t id);

/** pci_cxl_dvsec() - offset of the CXL vendor-specific capability @id, 0 when there is none. */
uint16_t pci_cxl_dvsec(const struct pci_function *function, uint16_t id);

/** pci_bar() - the address in base address register @index, 64 bits wide if its type is. */
uint64_t pci_bar(const struct pci_function *function, uint8_t index);

#endif
