/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_DAX_MEMORY_H
#define CXLR_SELFTEST_DAX_MEMORY_H

/*
 * The memory of a region by a map of its dax device, past the caches of the CPU: x86-64 with
 * clflush, arm64 with dc civac. A read of poisoned memory is an error, not the end of the process.
 *
 * While a map is open SIGBUS has a handler of its own. One map a process, one thread.
 */

#include "common/error.h"
#include "selftest/judge.h"

struct dax_memory;

/*
 * dax_memory_open() - map a dax device
 * @path: "/dev/dax0.0"
 * @first, @last: its SPAs, of one range: first is that of byte 0 of the device
 *
 * Return: 0; -EOPNOTSUPP: the CPU has no instruction for it that a program may use; the error of
 * the device, with @e.
 */
int dax_memory_open(const char *path, uint64_t first, uint64_t last, struct dax_memory **ret,
		    struct error *e);

/* Accepts NULL. Return: NULL. */
struct dax_memory *dax_memory_close(struct dax_memory *m);

/* The interface; it lives as long as the map. */
struct selftest_memory dax_memory_interface(struct dax_memory *m);

#endif
