// SPDX-License-Identifier: LGPL-2.1-or-later
#include "acpi.h"
#include "hdm.h"
#include "machine.h"
#include "pci.h"
#include "text.h"

#define CEDT_CHBS  0
#define CEDT_CFMWS 1

struct cedt_entry {
	uint8_t type;
	uint8_t reserved;
	uint16_t length;
} __attribute__((packed));

/* A host bridge. In QEMU its unique ID is its bus number. */
struct cedt_chbs {
	struct cedt_entry entry;
	uint32_t uid;
	uint32_t version;
	uint32_t reserved;
	uint64_t base;
	uint64_t length;
} __attribute__((packed));

struct cedt_cfmws {
	struct cedt_entry entry;
	uint32_t reserved;
	uint64_t base;
	uint64_t size;
	uint8_t encoded_ways;
	uint8_t arithmetic;
	uint16_t reserved2;
	uint32_t granularity;
	uint16_t restrictions;
	uint16_t qos;
	uint32_t target[];
} __attribute__((packed));

#define DVSEC_DEVICE		0
#define DVSEC_DEVICE_CONTROL	0x0c
#define DVSEC_MEMORY_ENABLE	0x4U
#define DVSEC_RANGE1_SIZE_HIGH	0x18
#define DVSEC_RANGE1_SIZE_LOW	0x1c
#define DVSEC_REGISTER_LOCATOR	8
#define LOCATOR_FIRST		0x0c
#define LOCATOR_COMPONENT_BLOCK 1U

static const struct cedt_entry *cedt_next(const struct acpi_header *cedt,
					  const struct cedt_entry *entry)
{
	const uint8_t *at = entry == NULL ? (const uint8_t *)(cedt + 1)
					  : (const uint8_t *)entry + entry->length;
	const uint8_t *end = (const uint8_t *)cedt + cedt->length;

	entry = (const struct cedt_entry *)at;
	if (at + sizeof(*entry) > end || entry->length < sizeof(*entry) || at + entry->length > end)
		return NULL;
	return entry;
}

/* The window that targets this bridge only. */
static const struct cedt_cfmws *find_window(const struct acpi_header *cedt, uint32_t uid)
{
	const struct cedt_entry *entry = NULL;

	while ((entry = cedt_next(cedt, entry)) != NULL) {
		const struct cedt_cfmws *window = (const struct cedt_cfmws *)entry;

		if (entry->type == CEDT_CFMWS && window->encoded_ways == 0 &&
		    window->target[0] == uid)
			return window;
	}
	return NULL;
}

static uint64_t component_registers(const struct pci_function *endpoint)
{
	uint16_t locator = pci_cxl_dvsec(endpoint, DVSEC_REGISTER_LOCATOR);
	uint16_t end = (uint16_t)(locator + (pci_read32(endpoint, (uint16_t)(locator + 4)) >> 20));

	if (locator == 0)
		return 0;
	for (uint16_t at = (uint16_t)(locator + LOCATOR_FIRST); at < end; at = (uint16_t)(at + 8)) {
		uint32_t low = pci_read32(endpoint, at);
		uint64_t high = pci_read32(endpoint, (uint16_t)(at + 4));

		if (((low >> 8) & 0xff) == LOCATOR_COMPONENT_BLOCK)
			return pci_bar(endpoint, low & 7) + (high << 32 | (low & 0xffff0000));
	}
	return 0;
}

static uint64_t memory_size(const struct pci_function *endpoint, uint16_t dvsec)
{
	uint64_t high = pci_read32(endpoint, (uint16_t)(dvsec + DVSEC_RANGE1_SIZE_HIGH));
	uint32_t low = pci_read32(endpoint, (uint16_t)(dvsec + DVSEC_RANGE1_SIZE_LOW));

	return high << 32 | (low & 0xf0000000);
}

/* One device: its whole memory at HPA 0, as with Normalized addressing. */
static efi_status set_up_endpoint(const struct pci_function *endpoint, uint64_t *ret_size)
{
	uint16_t dvsec = pci_cxl_dvsec(endpoint, DVSEC_DEVICE);
	struct hdm_decoder decoder = {.ways = 1};
	uint16_t control;
	efi_status status;

	if (dvsec == 0)
		return EFI_NOT_FOUND;
	pci_enable_memory(endpoint);
	decoder.size = memory_size(endpoint, dvsec);
	status = hdm_program(component_registers(endpoint), &decoder);
	if (status != EFI_SUCCESS)
		return status;
	control = pci_read16(endpoint, (uint16_t)(dvsec + DVSEC_DEVICE_CONTROL));
	pci_write16(endpoint, (uint16_t)(dvsec + DVSEC_DEVICE_CONTROL),
		    control | DVSEC_MEMORY_ENABLE);
	*ret_size = decoder.size;
	return EFI_SUCCESS;
}

/* Return: 0 when there is no CXL memory device below the function. */
static int open_endpoint_below(const struct pci_function *port, struct pci_function *ret_endpoint)
{
	uint8_t bus;

	if (pci_read16(port, PCI_CLASS_DEVICE) != PCI_CLASS_BRIDGE_PCI)
		return 0;
	bus = pci_read8(port, PCI_SECONDARY_BUS);
	if (bus == 0)
		return 0;
	pci_enable_memory(port);
	return pci_open(bus, 0, ret_endpoint) &&
	       pci_read16(ret_endpoint, PCI_CLASS_DEVICE) == PCI_CLASS_MEMORY_CXL;
}

static uint8_t port_number(const struct pci_function *port)
{
	uint16_t express = pci_capability(port, PCI_CAPABILITY_EXPRESS);

	return (uint8_t)(pci_read32(port, (uint16_t)(express + PCI_EXPRESS_LINK_CAP)) >> 24);
}

/* Positions follow the root ports' device numbers. */
static efi_status set_up_bridge(const struct cedt_chbs *bridge, const struct cedt_cfmws *window,
				struct handler_data *data)
{
	struct hdm_decoder decoder = {.base = window->base};
	struct handler_device *first = &data->device[data->devices];

	for (uint32_t slot = 0; slot < 32; slot++) {
		struct pci_function port;
		struct pci_function endpoint;
		struct handler_device *device = &first[decoder.ways];
		efi_status status;

		if (!pci_open((uint8_t)bridge->uid, (uint8_t)(slot << 3), &port) ||
		    !open_endpoint_below(&port, &endpoint))
			continue;
		if (decoder.ways == sizeof(decoder.target) ||
		    data->devices + decoder.ways == HANDLER_MAX_DEVICES)
			return EFI_UNSUPPORTED;
		status = set_up_endpoint(&endpoint, &device->size);
		if (status != EFI_SUCCESS)
			return status;
		device->bus = endpoint.bus;
		device->devfn = endpoint.devfn;
		device->base = window->base;
		device->position = (uint8_t)decoder.ways;
		decoder.target[decoder.ways++] = port_number(&port);
		decoder.size += device->size;
	}
	if (decoder.ways == 0 || (decoder.ways & (decoder.ways - 1)) != 0)
		return EFI_UNSUPPORTED;
	for (uint32_t i = 0; i < decoder.ways; i++)
		first[i].ways = decoder.ways;
	data->devices += decoder.ways;
	return hdm_program(bridge->base, &decoder);
}

efi_status machine_set_up(struct efi_system_table *system, struct handler_data *data)
{
	const struct acpi_header *cedt = acpi_find(system, "CEDT");
	const struct cedt_entry *entry = NULL;
	efi_status status = pci_init(system);

	if (cedt == NULL || status != EFI_SUCCESS)
		return EFI_NOT_FOUND;
	while ((entry = cedt_next(cedt, entry)) != NULL) {
		const struct cedt_chbs *bridge = (const struct cedt_chbs *)entry;
		const struct cedt_cfmws *window;

		if (entry->type != CEDT_CHBS)
			continue;
		window = find_window(cedt, bridge->uid);
		if (window == NULL)
			return EFI_NOT_FOUND;
		print_hex("prm: host bridge", bridge->uid);
		status = set_up_bridge(bridge, window, data);
		if (status != EFI_SUCCESS)
			return status;
	}
	return data->devices > 0 ? EFI_SUCCESS : EFI_NOT_FOUND;
}
