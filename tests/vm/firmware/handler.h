/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The PRM handler that translates a DPA, GUID EE41B397-25D4-452C-AD54-48C6E3480B94.
 *
 * It runs under Linux, in EFI runtime memory, with nothing but its two arguments: no boot
 * services, no global variables. All it knows is in the static data buffer. It shows its number
 * of calls to the guest in a register of QEMU's test device, and takes orders to misbehave there.
 */
#ifndef VM_FIRMWARE_HANDLER_H
#define VM_FIRMWARE_HANDLER_H

#include "rule.h"
#include "uefi.h"

/*
 * QEMU's pc-testdev has 32 bits of scratch register: the number of calls in the lower 24, and
 * the order in force in the upper 8. The guest reaches them through /dev/port.
 */
#define HANDLER_PORT_CALLS 0xe0
#define HANDLER_PORT_ORDER 0xe3

/* What the guest can order while it runs; numbers are known to guest/lib.sh. */
enum handler_order {
	ORDER_NONE,
	ORDER_ERROR_PAGE,  /* EFI_DEVICE_ERROR for HANDLER_ERROR_PAGE of every device */
	ORDER_SLOW,	   /* each call takes 0.1 s */
	ORDER_HOLD,	   /* a call does not return before the order changes */
	ORDER_LOW_BITS,	   /* wrong: the SPA's low 8 bits are not the DPA's */
	ORDER_OUTSIDE,	   /* wrong: an SPA that is in no window */
	ORDER_OTHER_BLOCK, /* wrong: the SPA of the next interleave block */
	ORDER_SHARED,	   /* wrong: all devices of a block get its first chunk */
	ORDER_COUNT,
};

#define HANDLER_ERROR_PAGE 0x4000U

struct handler_device {
	uint8_t segment;
	uint8_t bus;
	uint8_t devfn;
	uint8_t position;
	uint32_t ways;
	uint64_t size;
	uint64_t base;
};

#define HANDLER_MAX_DEVICES 16

/* The PRM static data buffer: a signature and length, then the module's own. */
struct handler_data {
	uint8_t signature[4];
	uint32_t length;
	uint64_t ticks_per_millisecond;
	uint32_t calls;
	enum rule rule;
	uint32_t devices;
	uint32_t padding;
	struct handler_device device[HANDLER_MAX_DEVICES];
};

struct handler_parameters {
	uint64_t dpa;
	uint8_t reserved;
	uint8_t devfn;
	uint8_t bus;
	uint8_t segment;
	uint64_t *ret_spa;
} __attribute__((packed));

struct handler_context {
	uint8_t signature[4];
	uint16_t revision;
	uint16_t reserved;
	struct efi_guid guid;
	struct handler_data *data;
	void *mmio_ranges;
} __attribute__((packed));

/** handler_start() - before the kernel: show no calls, put @order in force. */
void handler_start(enum handler_order order);

efi_status handler_dpa_to_spa(struct handler_parameters *parameters,
			      struct handler_context *context);

/** read_ticks() - the processor's time stamp counter. */
uint64_t read_ticks(void);

#endif
