/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine's CXL memory: found by CEDT and PCI, and set up with Normalized addressing. */
#ifndef VM_FIRMWARE_MACHINE_H
#define VM_FIRMWARE_MACHINE_H

#include "handler.h"
#include "uefi.h"

/**
 * machine_set_up() - give each host bridge a window of its own and interleave its devices in it
 * @data: gets an entry for each device
 *
 * Endpoint decoders map DPA to itself, 1-way: the interleave exists only in the handler and in
 * the host bridge's decoder.
 */
efi_status machine_set_up(struct efi_system_table *system, struct handler_data *data);

#endif
