// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The boot loader on the disk: starts prm.efi with setup.txt as its load options, then the kernel's
 * EFI stub with cmdline.txt. A failure is printed on the console and shuts the machine down.
 */
#include "text.h"
#include "uefi.h"

#define MAX_TEXT 2048

static const efi_char driver_name[] = u"\\prm.efi";
static const efi_char setup_name[] = u"\\setup.txt";
static const efi_char kernel_name[] = u"\\vmlinuz";
static const efi_char cmdline_name[] = u"\\cmdline.txt";

static struct efi_system_table *system_table;

static efi_status read_text(efi_handle device, const efi_char *name, char *text, size_t *size)
{
	struct efi_simple_file_system *volume;
	struct efi_file *root;
	struct efi_file *file;
	efi_status status = system_table->boot->handle_protocol(
		device, &efi_simple_file_system_guid, (void **)&volume);

	if (status == EFI_SUCCESS)
		status = volume->open_volume(volume, &root);
	if (status != EFI_SUCCESS)
		return status;
	status = root->open(root, &file, name, EFI_FILE_MODE_READ, 0);
	if (status == EFI_SUCCESS) {
		status = file->read(file, size, text);
		file->close(file);
	}
	root->close(root);
	return status;
}

static size_t node_length(const struct efi_device_path *node)
{
	return (size_t)node->length[0] | (size_t)node->length[1] << 8;
}

/*
 * Writes the path of a file on @device: the device's path, a file node, an end node. The size of
 * @path is MAX_TEXT bytes.
 */
static efi_status make_path(efi_handle device, const efi_char *name, size_t name_size,
			    uint8_t *path)
{
	const struct efi_device_path *node;
	const uint8_t *start;
	size_t prefix;
	size_t file_node = sizeof(*node) + name_size;
	efi_status status =
		system_table->boot->handle_protocol(device, &efi_device_path_guid, (void **)&node);

	if (status != EFI_SUCCESS)
		return status;
	start = (const uint8_t *)node;
	while (node->type != 0x7f)
		node = (const struct efi_device_path *)((const uint8_t *)node + node_length(node));
	prefix = (size_t)((const uint8_t *)node - start);
	if (prefix + file_node + sizeof(*node) > MAX_TEXT)
		return EFI_UNSUPPORTED;
	__builtin_memcpy(path, start, prefix);
	path += prefix;
	*(struct efi_device_path *)path = (struct efi_device_path){
		.type = 4,    /* media */
		.subtype = 4, /* file path */
		.length = {(uint8_t)file_node, (uint8_t)(file_node >> 8)},
	};
	__builtin_memcpy(path + sizeof(*node), name, name_size);
	*(struct efi_device_path *)(path + file_node) = (struct efi_device_path){
		.type = 0x7f,
		.subtype = 0xff,
		.length = {sizeof(*node)},
	};
	return EFI_SUCCESS;
}

/* @options must stay valid until the image has read them. */
static efi_status start_image(efi_handle self, efi_handle device, const efi_char *name,
			      size_t name_size, void *options, size_t options_size)
{
	static uint8_t path[MAX_TEXT];
	struct efi_loaded_image *loaded;
	efi_handle image;
	efi_status status = make_path(device, name, name_size, path);

	if (status == EFI_SUCCESS)
		status = system_table->boot->load_image(0, self, (struct efi_device_path *)path,
							NULL, 0, &image);
	if (status == EFI_SUCCESS)
		status = system_table->boot->handle_protocol(image, &efi_loaded_image_guid,
							     (void **)&loaded);
	if (status != EFI_SUCCESS)
		return status;
	loaded->load_options = options;
	loaded->load_options_size = (uint32_t)options_size;
	return system_table->boot->start_image(image, NULL, NULL);
}

static efi_status start_driver(efi_handle self, efi_handle device)
{
	static char setup[MAX_TEXT];
	size_t size = sizeof(setup);
	efi_status status = read_text(device, setup_name, setup, &size);

	if (status != EFI_SUCCESS)
		return status;
	return start_image(self, device, driver_name, sizeof(driver_name), setup, size);
}

static efi_status start_kernel(efi_handle self, efi_handle device)
{
	static char text[MAX_TEXT];
	static efi_char cmdline[MAX_TEXT + 1];
	size_t size = sizeof(text);
	efi_status status = read_text(device, cmdline_name, text, &size);

	if (status != EFI_SUCCESS)
		return status;
	for (size_t i = 0; i < size; i++)
		cmdline[i] = text[i] == '\n' ? ' ' : (efi_char)text[i];
	return start_image(self, device, kernel_name, sizeof(kernel_name), cmdline,
			   (size + 1) * sizeof(cmdline[0]));
}

efi_status loader_entry(efi_handle image, struct efi_system_table *system);

efi_status loader_entry(efi_handle image, struct efi_system_table *system)
{
	struct efi_loaded_image *self;
	efi_status status;

	text_init(system);
	system_table = system;
	status = system->boot->handle_protocol(image, &efi_loaded_image_guid, (void **)&self);
	if (status != EFI_SUCCESS)
		return status;
	status = start_driver(image, self->device);
	if (status != EFI_SUCCESS)
		print_hex("loader: prm.efi failed:", status);
	else
		status = start_kernel(image, self->device);
	print_hex("loader: the kernel did not start:", status);
	system->runtime->reset_system(EFI_RESET_SHUTDOWN, status, 0, NULL);
	return status;
}
