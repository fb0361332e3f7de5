/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_ACPI_TABLE_H
#define CXLR_SYSFS_ACPI_TABLE_H

/*
 * The common part of all ACPI tables: the 36-byte header. Pure functions, any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/little_endian.h"

enum { ACPI_HEADER_SIZE = 36 };

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
