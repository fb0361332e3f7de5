/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMDEV_OPERAND_H
#define CXLR_SYSFS_MEMDEV_OPERAND_H

/*
 * Memory devices as people and programs write them: memN, a PCI address, a serial number, or the
 * Id of sysfs/stable_id.h. Pure functions, any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "sysfs/host.h"

/* Return: true when @s is written as a memory device: memN, dddd:bb:dd.f, cxl-... or serial:... */
bool operand_is_memdev(const char *s);

/* serial:NUMBER, hexadecimal with 0x or decimal. Return: 0 or -EINVAL. */
int operand_serial(const char *s, uint64_t *ret);

/* Return: 0, or -EINVAL when @s looks like a memory device but is written wrongly. */
int operand_check_memdev(const char *s, struct error *e);

/*
 * operand_memdev() - find the memory device that @s names
 * @e: names the operand and the existing devices; for a shared serial number, the PCI addresses of
 *     its devices
 *
 * Return: 0; -EINVAL malformed; -ENODEV no such device; -EEXIST a serial that several devices have.
 */
int operand_memdev(const struct host *host, const char *s, const struct memdev **ret,
		   struct error *e);

#endif
