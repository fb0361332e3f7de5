/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_ACPI_TABLE_H
#define CXLR_SYSFS_ACPI_TABLE_H

/*
 * What all ACPI tables have in common: the 36-byte header and little endian numbers at any
 * alignment. Pure functions, any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { ACPI_HEADER_SIZE = 36 };

static inline uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)le16(p) | (uint32_t)le16(p + 2) << 16;
}

static inline uint64_t le64(const uint8_t *p)
{
	return (uint64_t)le32(p) | (uint64_t)le32(p + 4) << 32;
}

/*
 * acpi_table_check() - signature, length and checksum
 * @len: bytes available; must be the length in the header
 * @min: smallest length this table can have
 *
 * Return: 0 or -EBADMSG.
 */
int acpi_table_check(const uint8_t *data, size_t len, const char signature[4], size_t min,
		     struct error *e);

#endif
