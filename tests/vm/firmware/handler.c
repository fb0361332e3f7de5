// SPDX-License-Identifier: LGPL-2.1-or-later
#include "handler.h"

#define SLOW_MILLISECONDS 100

static void port_write(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static uint8_t port_read(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

uint64_t read_ticks(void)
{
	uint32_t low;
	uint32_t high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static void show_calls(uint32_t calls)
{
	for (uint16_t i = 0; i < 3; i++)
		port_write((uint16_t)(HANDLER_PORT_CALLS + i), (uint8_t)(calls >> (8 * i)));
}

void handler_start(enum handler_order order)
{
	show_calls(0);
	port_write(HANDLER_PORT_ORDER, (uint8_t)order);
}

static void wait_slowly(const struct handler_data *data)
{
	uint64_t end = read_ticks() + SLOW_MILLISECONDS * data->ticks_per_millisecond;

	while (read_ticks() < end)
		__asm__ volatile("pause");
}

static const struct handler_device *find_device(const struct handler_data *data,
						const struct handler_parameters *parameters)
{
	for (uint32_t i = 0; i < data->devices; i++) {
		const struct handler_device *device = &data->device[i];

		if (device->segment == parameters->segment && device->bus == parameters->bus &&
		    device->devfn == parameters->devfn)
			return device;
	}
	return NULL;
}

static uint64_t spoil(enum handler_order order, uint64_t spa, const struct handler_device *device)
{
	switch (order) {
	case ORDER_LOW_BITS:
		return spa ^ (RULE_CHUNK >> 1);
	case ORDER_OUTSIDE:
		return spa | 1ULL << 46;
	case ORDER_OTHER_BLOCK:
		return spa + device->ways * RULE_CHUNK;
	case ORDER_SHARED:
		return spa & ~((uint64_t)(device->ways - 1) << RULE_CHUNK_SHIFT);
	default:
		return spa;
	}
}

efi_status handler_dpa_to_spa(struct handler_parameters *parameters,
			      struct handler_context *context)
{
	struct handler_data *data = context->data;
	const struct handler_device *device;
	enum handler_order order = port_read(HANDLER_PORT_ORDER);
	uint64_t dpa = parameters->dpa;
	uint64_t spa;

	show_calls(++data->calls);
	if (order == ORDER_SLOW)
		wait_slowly(data);
	/* Linux calls with interrupts enabled, so each timer tick wakes the processor. */
	while (order == ORDER_HOLD && port_read(HANDLER_PORT_ORDER) == ORDER_HOLD)
		__asm__ volatile("hlt");

	device = find_device(data, parameters);
	if (device == NULL)
		return EFI_NOT_FOUND;
	if (dpa >= device->size)
		return EFI_INVALID_PARAMETER;
	if (order == ORDER_ERROR_PAGE && dpa / EFI_PAGE_SIZE == HANDLER_ERROR_PAGE / EFI_PAGE_SIZE)
		return EFI_DEVICE_ERROR;

	spa = rule_spa(data->rule, device->base, device->ways, device->position, dpa);
	*parameters->ret_spa = spoil(order, spa, device);
	return EFI_SUCCESS;
}
