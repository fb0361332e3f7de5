/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Console output and small helpers, for use before the kernel starts. Call text_init() first.
 */
#ifndef VM_FIRMWARE_TEXT_H
#define VM_FIRMWARE_TEXT_H

#include "uefi.h"

void text_init(struct efi_system_table *system);

/** print() - write @text (print_hex(): and " 0x@value") and a newline. */
void print(const char *text);
void print_hex(const char *text, uint64_t value);

/** text_value_is() - find @key ("rule=") in @setup and compare its value, up to white space. */
int text_value_is(const char *setup, size_t size, const char *key, const char *value);

/** configuration_table() - the table with @guid, or NULL. */
void *configuration_table(struct efi_system_table *system, const struct efi_guid *guid);

#endif
