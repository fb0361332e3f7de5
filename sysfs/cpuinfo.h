/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_CPUINFO_H
#define CXLR_SYSFS_CPUINFO_H

/*
 * The model of each CPU socket, by /proc/cpuinfo of x86 and of 64-bit Arm. The text is untrusted.
 * Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/opt.h"

/* Relative to the host's "/". */
#define CPUINFO_PATH "proc/cpuinfo"

enum {
	/* 8192 CPUs of x86 have some 12 MiB. */
	CPUINFO_BYTES_MAX = 16 * 1024 * 1024,
	CPUINFO_TEXT_MAX = 64,
	CPUINFO_REDUCED_MAX = 256, /* of cpuinfo_write() */
};

enum cpu_architecture { CPU_UNKNOWN, CPU_X86_64, CPU_ARM_64 };

struct cpuinfo {
	enum cpu_architecture architecture;
	struct opt_u64 package;					/* "physical id"; x86 only */
	char vendor[CPUINFO_TEXT_MAX], model[CPUINFO_TEXT_MAX]; /* "" when not known */
	struct opt_bool hypervisor; /* whether the CPU says that it is a virtual one; x86 only */
};

/* Return: false at the end; @at moves behind the CPU. */
bool cpuinfo_next(const char **at, struct cpuinfo *ret);

/* cpuinfo_write() - a CPU as the kernel prints it, without what cpuinfo_next() does not read */
void cpuinfo_write(const struct cpuinfo *c, char ret[static CPUINFO_REDUCED_MAX]);

#endif
