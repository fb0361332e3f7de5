/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The PRM handler that translates a DPA, GUID EE41B397-25D4-452C-AD54-48C6E3480B94.
 *
 * It runs under Linux, in EFI runtime memory, with its two arguments only: no boot services, no
 * global variables. Its data is in the static data buffer. A register of QEMU's test device has its
 * number of calls, and the order by which the guest selects its behaviour.
 */
#ifndef VM_FIRMWARE_HANDLER_H
#define VM_FIRMWARE_HANDLER_H

#include "rule.h"
#include "uefi.h"

/*
 * QEMU's pc-testdev has a scratch register of 32 bits: the number of calls in the lower 24, and the
 * current order in the upper 8. The guest accesses it through /dev/port.
 */
#define HANDLER_PORT_CALLS 0xe0
#define HANDLER_PORT_ORDER 0xe3

/* The behaviour that the guest can select at run time; order() of guest/lib.sh has the numbers. */
enum handler_order {
	ORDER_NONE,
	ORDER_ERROR_PAGE,  /* EFI_DEVICE_ERROR for HANDLER_ERROR_PAGE of every device */
	ORDER_SLOW,	   /* each call takes 0.1 s */
	ORDER_HOLD,	   /* a call does not return until the order changes */
	ORDER_LOW_BITS,	   /* wrong: the low 8 bits of DPA and SPA differ */
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

/* The PRM static data buffer: signature and length, then the module's data. */
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

/** handler_start() - before the kernel: set the number of calls to 0, and @order. */
void handler_start(enum handler_order order);

efi_status handler_dpa_to_spa(struct handler_parameters *parameters,
			      struct handler_context *context);

/** read_ticks() - the processor's time stamp counter. */
uint64_t read_ticks(void);

#endif
