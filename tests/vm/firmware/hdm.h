/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The HDM decoder capability in a CXL component's registers (CXL 3.2, 8.2.4.20). */
#ifndef VM_FIRMWARE_HDM_H
#define VM_FIRMWARE_HDM_H

#include "uefi.h"

struct hdm_decoder {
	uint64_t base;
	uint64_t size;
	uint32_t ways; /* a power of two, at 256 bytes granularity */
	/* A host bridge: port numbers in interleave order. An endpoint has none. */
	uint8_t target[8];
};

/**
 * hdm_program() - commit decoder 0 and enable decoding
 * @component: physical address of the component registers (identity-mapped before the kernel)
 *
 * Return: EFI_SUCCESS; EFI_NOT_FOUND: no HDM decoder capability; EFI_DEVICE_ERROR: the commit failed.
 */
efi_status hdm_program(uint64_t component, const struct hdm_decoder *decoder);

#endif
