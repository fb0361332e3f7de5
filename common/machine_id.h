/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_MACHINE_ID_H
#define CXLR_COMMON_MACHINE_ID_H

/* The id of a machine as /etc/machine-id has it (machine-id(5)), which must not be shown. Any
 * thread. */

#include <stdbool.h>
#include <stdint.h>

enum { MACHINE_ID_SIZE = 16 };

/*
 * machine_id_parse() - the bytes that the digits of the file stand for, in their order
 *
 * Return: whether the first line is 32 hexadecimal digits, not all 0; otherwise @ret is not
 * changed.
 */
bool machine_id_parse(const char *text, uint8_t ret[static MACHINE_ID_SIZE]);

#endif
