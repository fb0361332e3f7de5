/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_POISON_LINE_H
#define CXLR_CHANGE_POISON_LINE_H

/*
 * Inject Poison (4301h) and Clear Poison (4302h) of one line, by the files of debugfs that Linux
 * has for them (drivers/cxl/mem.c). Clear Poison writes zeros to the line, in the device. Any
 * thread; the signal of timed_write.h is used.
 */

#include <stdbool.h>
#include <stdint.h>

#define POISON_DEBUGFS "/sys/kernel/debug/cxl"

/* Return: "inject_poison" or "clear_poison". */
const char *poison_file(bool inject);

/*
 * poison_line_change() - of the live host
 * @memdev: "mem0"
 * @dpa: a multiple of 64; nothing is checked
 *
 * Return: 0; -ETIMEDOUT, -EINTR: it is not known whether the device did it; -ENOENT: the device has
 * no such file, -EPERM: the kernel is locked down; other errors of the device.
 */
int poison_line_change(const char *memdev, bool inject, uint64_t dpa);

#endif
