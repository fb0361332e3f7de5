/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_CXL_LINK_H
#define CXLR_MODEL_CXL_LINK_H

/*
 * CXL properties that the configuration space of a PCI function shows: protocols, modes of the
 * link, revision of the specification. Functions read the snapshot only and accept NULL, as a
 * function that is not known; any thread that holds a reference on the snapshot.
 */

#include "common/opt.h"
#include "sysfs/host.h"

/* Connected Device Mode, CXL 3.1 7.6.7.1.3 */
enum cxl_mode {
	CXL_MODE_RCD,
	CXL_MODE_68B_FLIT_AND_VH,
	CXL_MODE_STANDARD_256B,
	CXL_MODE_LATENCY_OPTIMIZED_256B,
	CXL_MODE_PBR,
	CXL_MODES
};

/*
 * cxl_modes_supported() - the modes that a port can negotiate, 1 << enum cxl_mode
 *
 * A port that can more than CXL_MODE_RCD does not show whether it can that, too.
 *
 * Return: 0 when they are not known, or it is no CXL port.
 */
unsigned int cxl_modes_supported(const struct pci_function *pci);

/* Return: the mode the port negotiated; absent when it is not known, or not CXL. */
struct opt_int cxl_mode_active(const struct pci_function *pci);

/* Protocols that a CXL device implements beside CXL.io; absent when they are not known. */
struct opt_bool cxl_has_cache(const struct pci_function *pci);
struct opt_bool cxl_has_mem(const struct pci_function *pci);

/* Return: whether a device can be divided into logical devices; absent when it is not known. */
struct opt_bool cxl_is_multi_logical(const struct pci_function *pci);

#endif
