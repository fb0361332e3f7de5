// SPDX-License-Identifier: LGPL-2.1-or-later
#include "hdm.h"

/* Cache and memory registers start 4 KiB into the component registers. */
#define CXL_CACHE_MEM_OFFSET 0x1000
#define CXL_CAPABILITY_HDM   5U

#define HDM_GLOBAL_CONTROL 0x04
#define HDM_GLOBAL_ENABLE  0x2U
#define HDM_DECODER0	   0x10

enum {
	DECODER_BASE_LOW = 0x00,
	DECODER_BASE_HIGH = 0x04,
	DECODER_SIZE_LOW = 0x08,
	DECODER_SIZE_HIGH = 0x0c,
	DECODER_CONTROL = 0x10,
	DECODER_TARGETS_LOW = 0x14, /* an endpoint's DPA skip */
	DECODER_TARGETS_HIGH = 0x18,
};

#define DECODER_WAYS_SHIFT 4
#define DECODER_COMMIT	   (1U << 9)
#define DECODER_COMMITTED  (1U << 10)
#define DECODER_HOST_ONLY  (1U << 12)

static uint32_t read(uint64_t address)
{
	return *(volatile uint32_t *)address;
}

static void write(uint64_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

static uint64_t find_hdm(uint64_t component)
{
	uint64_t registers = component + CXL_CACHE_MEM_OFFSET;
	uint32_t header = read(registers);

	if ((header & 0xffff) != 1) /* the ID of the capability array header */
		return 0;
	for (uint32_t i = 1; i <= header >> 24; i++) {
		uint32_t entry = read(registers + 4 * i);

		if ((entry & 0xffff) == CXL_CAPABILITY_HDM)
			return registers + (entry >> 20);
	}
	return 0;
}

static uint32_t targets(const uint8_t *target)
{
	return (uint32_t)target[0] | (uint32_t)target[1] << 8 | (uint32_t)target[2] << 16 |
	       (uint32_t)target[3] << 24;
}

efi_status hdm_program(uint64_t component, const struct hdm_decoder *decoder)
{
	uint64_t hdm = find_hdm(component);
	uint64_t at = hdm + HDM_DECODER0;
	uint32_t control =
		(uint32_t)__builtin_ctz(decoder->ways) << DECODER_WAYS_SHIFT | DECODER_HOST_ONLY;

	if (hdm == 0)
		return EFI_NOT_FOUND;
	write(at + DECODER_BASE_LOW, (uint32_t)decoder->base);
	write(at + DECODER_BASE_HIGH, (uint32_t)(decoder->base >> 32));
	write(at + DECODER_SIZE_LOW, (uint32_t)decoder->size);
	write(at + DECODER_SIZE_HIGH, (uint32_t)(decoder->size >> 32));
	write(at + DECODER_TARGETS_LOW, targets(decoder->target));
	write(at + DECODER_TARGETS_HIGH, targets(decoder->target + 4));
	write(at + DECODER_CONTROL, control);
	write(at + DECODER_CONTROL, control | DECODER_COMMIT);
	if ((read(at + DECODER_CONTROL) & DECODER_COMMITTED) == 0)
		return EFI_DEVICE_ERROR;
	write(hdm + HDM_GLOBAL_CONTROL, read(hdm + HDM_GLOBAL_CONTROL) | HDM_GLOBAL_ENABLE);
	return EFI_SUCCESS;
}
