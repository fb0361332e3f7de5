/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ACPI tables: finding those of QEMU, and adding the PRMT. */
#ifndef VM_FIRMWARE_ACPI_H
#define VM_FIRMWARE_ACPI_H

#include "uefi.h"

struct acpi_header {
	char signature[4];
	uint32_t length;
	uint8_t revision;
	uint8_t checksum;
	char oem_id[6];
	char oem_table_id[8];
	uint32_t oem_revision;
	char creator_id[4];
	uint32_t creator_revision;
} __attribute__((packed));

/** acpi_find() - the table with @signature, or NULL. */
const struct acpi_header *acpi_find(struct efi_system_table *system, const char *signature);

/**
 * acpi_install_prmt() - install a PRMT with the handler
 * @known: with the GUID of the CXL translation; otherwise with an unknown one
 */
efi_status acpi_install_prmt(struct efi_system_table *system, uint64_t handler, uint64_t data,
			     int known);

#endif
