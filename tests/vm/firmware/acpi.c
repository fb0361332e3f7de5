// SPDX-License-Identifier: LGPL-2.1-or-later
#include "acpi.h"
#include "text.h"

struct acpi_rsdp {
	char signature[8];
	uint8_t checksum;
	char oem_id[6];
	uint8_t revision;
	uint32_t rsdt;
	uint32_t length;
	uint64_t xsdt;
} __attribute__((packed));

struct prmt {
	struct acpi_header header;
	struct efi_guid platform;
	uint32_t module_offset;
	uint32_t modules;
	struct {
		uint16_t revision;
		uint16_t length;
		struct efi_guid guid;
		uint16_t major;
		uint16_t minor;
		uint16_t handlers;
		uint32_t handler_offset;
		uint64_t mmio_list;
	} __attribute__((packed)) module;
	struct {
		uint16_t revision;
		uint16_t length;
		struct efi_guid guid;
		uint64_t address;
		uint64_t static_data;
		uint64_t acpi_parameters;
	} __attribute__((packed)) handler;
} __attribute__((packed));

_Static_assert(offsetof(struct prmt, module) == 60, "the PRMT's own fields take 60 bytes");
_Static_assert(sizeof(((struct prmt *)0)->module) == 38, "a module takes 38 bytes");
_Static_assert(sizeof(((struct prmt *)0)->handler) == 44, "a handler takes 44 bytes");

static const struct efi_guid platform_guid = {
	0x7c9d5ac1, 0x3e1f, 0x4c0b, {0x9b, 0x6e, 0x63, 0x78, 0x6c, 0x76, 0x6d, 0x01}};
static const struct efi_guid module_guid = {
	0x7c9d5ac1, 0x3e1f, 0x4c0b, {0x9b, 0x6e, 0x63, 0x78, 0x6c, 0x76, 0x6d, 0x02}};
static const struct efi_guid cxl_dpa_to_spa_guid = {
	0xee41b397, 0x25d4, 0x452c, {0xad, 0x54, 0x48, 0xc6, 0xe3, 0x48, 0x0b, 0x94}};
static const struct efi_guid unknown_guid = {
	0x7c9d5ac1, 0x3e1f, 0x4c0b, {0x9b, 0x6e, 0x63, 0x78, 0x6c, 0x76, 0x6d, 0x03}};

static int has_signature(const struct acpi_header *table, const char *signature)
{
	for (size_t i = 0; i < sizeof(table->signature); i++)
		if (table->signature[i] != signature[i])
			return 0;
	return 1;
}

const struct acpi_header *acpi_find(struct efi_system_table *system, const char *signature)
{
	const struct acpi_rsdp *rsdp = configuration_table(system, &efi_acpi_20_table_guid);
	const struct acpi_header *xsdt;
	const uint8_t *at;

	if (rsdp == NULL || rsdp->xsdt == 0)
		return NULL;
	xsdt = (const struct acpi_header *)rsdp->xsdt;
	at = (const uint8_t *)(xsdt + 1);
	for (; at + 8 <= (const uint8_t *)xsdt + xsdt->length; at += 8) {
		const struct acpi_header *table;

		/* The XSDT's entries are not aligned. */
		__builtin_memcpy(&table, at, sizeof(table));
		if (has_signature(table, signature))
			return table;
	}
	return NULL;
}

static uint8_t checksum(const void *table, size_t size)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)table)[i]);
	return (uint8_t)-sum;
}

efi_status acpi_install_prmt(struct efi_system_table *system, uint64_t handler, uint64_t data,
			     int known)
{
	struct efi_acpi_table_protocol *acpi;
	struct prmt table = {
		.header =
			{
				.signature = {'P', 'R', 'M', 'T'},
				.length = sizeof(table),
				.oem_id = {'C', 'X', 'L', 'R', 'F', ' '},
				.oem_table_id = {'T', 'E', 'S', 'T', 'V', 'M', ' ', ' '},
				.oem_revision = 1,
				.creator_id = {'C', 'X', 'L', 'R'},
				.creator_revision = 1,
			},
		.platform = platform_guid,
		.module_offset = offsetof(struct prmt, module),
		.modules = 1,
		.module =
			{
				.length = sizeof(table.module) + sizeof(table.handler),
				.guid = module_guid,
				.major = 1,
				.handlers = 1,
				.handler_offset = sizeof(table.module),
			},
		.handler =
			{
				.length = sizeof(table.handler),
				.guid = known ? cxl_dpa_to_spa_guid : unknown_guid,
				.address = handler,
				.static_data = data,
			},
	};
	efi_status status;
	size_t key;

	table.header.checksum = checksum(&table, sizeof(table));
	status = system->boot->locate_protocol(&efi_acpi_table_protocol_guid, NULL, (void **)&acpi);
	if (status != EFI_SUCCESS)
		return status;
	return acpi->install(acpi, &table, sizeof(table), &key);
}
