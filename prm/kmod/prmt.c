// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks whether there is a handler that may be called.
 *
 * acpi_call_prm_handler() jumps to the mapped address of the handler in
 * the PRMT, even when that was zero or when it could not be mapped: see
 * acpi_parse_prmt(). So read the PRMT again, and reject what the kernel cannot
 * have mapped.
 */
#include <linux/acpi.h>
#include <linux/efi.h>
#include <linux/uuid.h>

#include "cxl_prm.h"

static const guid_t dpa_spa_guid = CXL_PRM_DPA_SPA_GUID;

/* The entry of the handler in the PRMT. */
struct prmt_handler {
	u64 address;
	u64 static_data;
};

/*
 * The descriptor with which the kernel's efi_pa_va_lookup() maps @pa: the first
 * runtime one that begins before it. A descriptor that begins at @pa does not
 * count, there and thus here.
 */
static const efi_memory_desc_t *runtime_desc(u64 pa)
{
	const efi_memory_desc_t *md;

	for_each_efi_memory_desc(md) {
		if ((md->attribute & EFI_MEMORY_RUNTIME) &&
		    md->phys_addr < pa &&
		    pa - md->phys_addr < md->num_pages << EFI_PAGE_SHIFT)
			return md;
	}
	return NULL;
}

static enum cxl_prm_reason check_addresses(const struct prmt_handler *handler)
{
	const efi_memory_desc_t *md;

	if (!handler->address)
		return CXL_PRM_NULL_ADDRESS;
	if (!efi_enabled(EFI_RUNTIME_SERVICES))
		return CXL_PRM_EFI_OFF;
	if (!efi_enabled(EFI_MEMMAP))
		return CXL_PRM_NO_MEMMAP;
	/*
	 * The memory map does not say whether the pages are executable: its
	 * EFI_MEMORY_XP is what the memory can do, not what it does.
	 */
	md = runtime_desc(handler->address);
	if (!md || md->type != EFI_RUNTIME_SERVICES_CODE || !md->virt_addr)
		return CXL_PRM_BAD_ADDRESS;
	/* May be absent, but the handler would be given NULL for a bad one. */
	if (handler->static_data) {
		md = runtime_desc(handler->static_data);
		if (!md || !md->virt_addr)
			return CXL_PRM_BAD_ADDRESS;
	}
	return CXL_PRM_READY;
}

/* Finds the handler in one module, which is inside the table. */
static int scan_module(const struct acpi_prmt_module_info *module,
		       struct prmt_handler *handler, unsigned int *found)
{
	const struct acpi_prmt_handler_info *info;
	u32 offset = module->handler_info_offset;
	u16 count = module->handler_info_count;

	if (!count)
		return 0;
	if (offset < sizeof(*module) || offset > module->length ||
	    count > (module->length - offset) / sizeof(*info))
		return -EINVAL;

	info = (const void *)((const u8 *)module + offset);
	for (; count; count--, info++) {
		/* The kernel steps by the size of the structure. */
		if (info->length != sizeof(*info))
			return -EINVAL;
		if (memcmp(info->handler_guid, &dpa_spa_guid,
			   sizeof(dpa_spa_guid)))
			continue;
		handler->address = info->handler_address;
		handler->static_data = info->static_data_buffer_address;
		(*found)++;
	}
	return 0;
}

/*
 * Walks the modules as the kernel does, which goes from the end of the header
 * to the end of the table and reads neither module_info_offset nor
 * module_info_count. Tables in which these differ are rejected, and so
 * are those that list the handler twice: which one the kernel calls depends on
 * the order of its lists.
 */
static enum cxl_prm_reason scan_table(const struct acpi_table_header *table,
				      struct prmt_handler *handler)
{
	const u32 first = sizeof(struct acpi_table_prmt) +
			  sizeof(struct acpi_table_prmt_header);
	const u8 *bytes = (const u8 *)table;
	const struct acpi_table_prmt_header *header =
		(const void *)(bytes + sizeof(struct acpi_table_prmt));
	const struct acpi_prmt_module_info *module;
	unsigned int modules = 0, found = 0;
	u32 at;

	if (table->length < first)
		return CXL_PRM_BAD_PRMT;
	if (header->module_info_count && header->module_info_offset != first)
		return CXL_PRM_BAD_PRMT;

	for (at = first; at < table->length; at += module->length) {
		module = (const void *)(bytes + at);
		if (table->length - at < sizeof(*module) ||
		    module->length < sizeof(*module) ||
		    module->length > table->length - at)
			return CXL_PRM_BAD_PRMT;
		if (scan_module(module, handler, &found))
			return CXL_PRM_BAD_PRMT;
		modules++;
	}
	if (modules != header->module_info_count || found > 1)
		return CXL_PRM_BAD_PRMT;

	return found ? CXL_PRM_READY : CXL_PRM_NO_HANDLER;
}

/**
 * cxl_prm_find_handler - check whether the handler may be called
 *
 * Return: CXL_PRM_READY, or why not. It does not change until the next boot,
 * except that EFI runtime services can be switched off.
 */
enum cxl_prm_reason cxl_prm_find_handler(void)
{
	struct prmt_handler handler = {};
	struct acpi_table_header *table;
	enum cxl_prm_reason reason;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_PRMT, 0, &table)))
		return CXL_PRM_NO_PRMT;
	reason = scan_table(table, &handler);
	acpi_put_table(table);
	if (reason != CXL_PRM_READY)
		return reason;
	return check_addresses(&handler);
}
