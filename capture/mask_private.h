/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_MASK_PRIVATE_H
#define CXLR_CAPTURE_MASK_PRIVATE_H

/* Private to mask*.c: the identities of the machine, and their replacements. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/mask.h"

enum { MASK_NUMBER_TEXT = 20 /* "0x" and 16 digits, and room for a NUL */ };

/* Return: the replacement of a serial number; 0 for 0. */
uint64_t mask_number(const struct capture_mask *m, uint64_t serial);

/* Return: whether @text is one decimal number of 64 bits, which may be negative. */
bool mask_parse_signed(const char *text, uint64_t *ret);

/* Return: whether the first line of @text is a UUID, and not the nil UUID. */
bool mask_is_uuid(const char *text);

/* Return: the 8 bytes of the Device Serial Number in a PCI configuration space, or NULL. */
uint8_t *mask_find_dsn(uint8_t *config, size_t len);

/* Return: the 8 bytes of the serial number in the output payload of Identify, or NULL. */
uint8_t *mask_find_identify_serial(uint8_t *payload, size_t len);

/*
 * mask_everywhere() - replace identities wherever they are
 *
 * Those that cannot be taken for anything else: large serial numbers and UUIDs, as text and as
 * bytes in both orders.
 *
 * Return: 0 or -ENOMEM.
 */
int mask_everywhere(const struct capture_mask *m, char **data, size_t *len);

#endif
