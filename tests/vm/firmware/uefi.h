/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of UEFI that the test firmware uses, from the UEFI specification 2.10. Members that are not
 * called are plain pointers, to keep the layout.
 *
 * Everything is compiled for x86_64-unknown-windows, whose calling convention is that of UEFI.
 */
#ifndef VM_FIRMWARE_UEFI_H
#define VM_FIRMWARE_UEFI_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t efi_status;
typedef void *efi_handle;
typedef uint16_t efi_char;

#define EFI_ERROR_BIT	      (1ULL << 63)
#define EFI_SUCCESS	      0ULL
#define EFI_LOAD_ERROR	      (EFI_ERROR_BIT | 1)
#define EFI_INVALID_PARAMETER (EFI_ERROR_BIT | 2)
#define EFI_UNSUPPORTED	      (EFI_ERROR_BIT | 3)
#define EFI_DEVICE_ERROR      (EFI_ERROR_BIT | 7)
#define EFI_NOT_FOUND	      (EFI_ERROR_BIT | 14)

#define EFI_PAGE_SIZE 4096U

struct efi_guid {
	uint32_t a;
	uint16_t b;
	uint16_t c;
	uint8_t d[8];
};

/* Protocols and configuration tables, in guids.c. */
extern const struct efi_guid efi_loaded_image_guid;
extern const struct efi_guid efi_device_path_guid;
extern const struct efi_guid efi_simple_file_system_guid;
extern const struct efi_guid efi_acpi_table_protocol_guid;
extern const struct efi_guid efi_acpi_20_table_guid;
extern const struct efi_guid efi_memory_attributes_guid;

struct efi_table_header {
	uint64_t signature;
	uint32_t revision;
	uint32_t size;
	uint32_t crc32;
	uint32_t reserved;
};

struct efi_text_output {
	void *reset;
	efi_status (*output_string)(struct efi_text_output *self, const efi_char *text);
};

enum efi_memory_type {
	EFI_LOADER_DATA = 2,
	EFI_BOOT_SERVICES_DATA = 4,
	EFI_RUNTIME_SERVICES_DATA = 6,
};

enum efi_allocate_type {
	EFI_ALLOCATE_ANY_PAGES = 0,
};

#define EFI_MEMORY_XP (1ULL << 14)

struct efi_memory_descriptor {
	uint32_t type;
	uint32_t padding;
	uint64_t physical_start;
	uint64_t virtual_start;
	uint64_t pages;
	uint64_t attribute;
};

/* Followed by `entries` descriptors, each descriptor_size bytes. */
struct efi_memory_attributes_table {
	uint32_t version;
	uint32_t entries;
	uint32_t descriptor_size;
	uint32_t flags;
};

#define EFI_EVENT_EXIT_BOOT_SERVICES 0x00000201U
#define EFI_TPL_CALLBACK	     8U

struct efi_device_path {
	uint8_t type;
	uint8_t subtype;
	uint8_t length[2];
};

struct efi_boot_services {
	struct efi_table_header header;
	void *raise_tpl;
	void *restore_tpl;
	efi_status (*allocate_pages)(enum efi_allocate_type type, enum efi_memory_type memory,
				     size_t pages, uint64_t *ret_address);
	void *free_pages;
	void *get_memory_map;
	efi_status (*allocate_pool)(enum efi_memory_type memory, size_t size, void **ret_buffer);
	efi_status (*free_pool)(void *buffer);
	efi_status (*create_event)(uint32_t type, size_t tpl,
				   void (*notify)(void *event, void *context), void *context,
				   void **ret_event);
	void *set_timer;
	void *wait_for_event;
	void *signal_event;
	void *close_event;
	void *check_event;
	void *install_protocol_interface;
	void *reinstall_protocol_interface;
	void *uninstall_protocol_interface;
	efi_status (*handle_protocol)(efi_handle handle, const struct efi_guid *protocol,
				      void **ret_interface);
	void *reserved;
	void *register_protocol_notify;
	void *locate_handle;
	void *locate_device_path;
	void *install_configuration_table;
	efi_status (*load_image)(uint8_t boot_policy, efi_handle parent,
				 struct efi_device_path *path, void *source, size_t source_size,
				 efi_handle *ret_image);
	efi_status (*start_image)(efi_handle image, size_t *ret_exit_data_size,
				  efi_char **ret_exit_data);
	void *exit;
	void *unload_image;
	void *exit_boot_services;
	void *get_next_monotonic_count;
	efi_status (*stall)(size_t microseconds);
	void *set_watchdog_timer;
	void *connect_controller;
	void *disconnect_controller;
	void *open_protocol;
	void *close_protocol;
	void *open_protocol_information;
	void *protocols_per_handle;
	void *locate_handle_buffer;
	efi_status (*locate_protocol)(const struct efi_guid *protocol, void *registration,
				      void **ret_interface);
};

enum efi_reset_type {
	EFI_RESET_SHUTDOWN = 2,
};

struct efi_runtime_services {
	struct efi_table_header header;
	void *get_time;
	void *set_time;
	void *get_wakeup_time;
	void *set_wakeup_time;
	void *set_virtual_address_map;
	void *convert_pointer;
	void *get_variable;
	void *get_next_variable_name;
	void *set_variable;
	void *get_next_high_monotonic_count;
	void (*reset_system)(enum efi_reset_type type, efi_status status, size_t size, void *data);
};

struct efi_configuration_table {
	struct efi_guid guid;
	void *table;
};

struct efi_system_table {
	struct efi_table_header header;
	efi_char *firmware_vendor;
	uint32_t firmware_revision;
	efi_handle console_in_handle;
	void *console_in;
	efi_handle console_out_handle;
	struct efi_text_output *console_out;
	efi_handle standard_error_handle;
	struct efi_text_output *standard_error;
	struct efi_runtime_services *runtime;
	struct efi_boot_services *boot;
	size_t configuration_tables;
	struct efi_configuration_table *configuration_table;
};

struct efi_loaded_image {
	uint32_t revision;
	efi_handle parent;
	struct efi_system_table *system_table;
	efi_handle device;
	struct efi_device_path *file_path;
	void *reserved;
	uint32_t load_options_size;
	void *load_options;
	void *image_base;
	uint64_t image_size;
};

#define EFI_FILE_MODE_READ 1ULL

struct efi_file {
	uint64_t revision;
	efi_status (*open)(struct efi_file *self, struct efi_file **ret_file, const efi_char *name,
			   uint64_t mode, uint64_t attributes);
	efi_status (*close)(struct efi_file *self);
	void *delete;
	efi_status (*read)(struct efi_file *self, size_t *size, void *buffer);
};

struct efi_simple_file_system {
	uint64_t revision;
	efi_status (*open_volume)(struct efi_simple_file_system *self, struct efi_file **ret_root);
};

struct efi_acpi_table_protocol {
	efi_status (*install)(struct efi_acpi_table_protocol *self, void *table, size_t size,
			      size_t *ret_key);
	void *uninstall;
};

#endif
