/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_MACHINE_H
#define CXLR_SYSFS_HOST_MACHINE_H

/* The machine by its firmware's names, the models of its CPUs. Private to sysfs/. */

#include "sysfs/host_build.h"

/* For build_packages(): the models of the sockets, and b->cpu. */
int build_cpu_models(struct build *b, struct cpu_package *packages, size_t n);

/* After build_packages(). */
int build_machine(struct build *b);

#endif
