/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_PCIE_SPEED_H
#define CXLR_MODEL_PCIE_SPEED_H

/*
 * The speed of a lane of a PCIe link: tenths of GT/s, and its code in registers and in mailbox
 * commands, which is the generation of PCIe. No state; any thread.
 */

#include "common/opt.h"

enum { PCIE_GENERATIONS = 6 };

/* Return: the speed as the kernel prints it, "32.0 GT/s PCIe"; absent when it is none. */
struct opt_u64 pcie_speed(const char *printed);

/* Return: the generation of a speed as the kernel prints it; 0 when it has none. */
unsigned int pcie_generation(const char *printed);

/* Return: the speed of a generation from 1 on, "2.5 GT/s"; absent and NULL for a reserved code. */
struct opt_u64 pcie_generation_speed(unsigned int generation);
const char *pcie_generation_name(unsigned int generation);

#endif
