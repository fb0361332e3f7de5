/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_TOPOLOGY_H
#define CXLR_MODEL_TOPOLOGY_H

/*
 * Facts about the objects of a snapshot that follow from more than one attribute: membership in
 * regions, positions, sockets, identifiers. Every front end uses these instead of its own rules.
 *
 * Functions read the snapshot only and keep nothing; any thread that holds a reference on it.
 */

#include <stdbool.h>

#include "common/opt.h"
#include "sysfs/host.h"
#include "sysfs/stable_id.h"

/* Return: the one socket whose NUMA nodes include @node, NULL when none or several do. */
const struct cpu_package *package_of_node(const struct host *host, struct opt_int node);

/* Return: 1 when the host runs that version of Linux or later, 0 when older, -1 when unknown. */
int host_kernel_is(const struct host *host, unsigned int major, unsigned int minor);

/*
 * Return: whether regions show that this kernel makes some of @mode, whatever attributes a window
 * has: one of that mode, or any one since Linux 6.3, which makes either.
 */
bool host_has_made_regions(const struct host *host, enum decoder_mode mode);

/*
 * Return: whether an endpoint decoder of the device, of the region, or of the host uses Normalized
 * addressing.
 */
bool memdev_is_normalized(const struct memdev *m);
bool region_is_normalized(const struct region *r);
bool host_is_normalized(const struct host *host);

/* Return: whether the decoder decodes a range; false when its size is not readable. */
bool decoder_is_committed(const struct decoder *d);

/* Return: whether the decoder is committed, reserves DPA or is part of a region. */
bool decoder_is_used(const struct decoder *d);

/*
 * Return: whether a decoder of a host bridge or switch decodes a part of the window: by its region,
 * or else by its address; false when neither is known.
 */
bool decoder_is_in_window(const struct decoder *d, const struct decoder *window);

/* Return: the interleave position of an endpoint decoder in a region, absent when it has none. */
struct opt_int position_in_region(const struct region *region, const struct decoder *d);

/*
 * Return: the mapping that an endpoint decoder is part of and that has a window, a region or one by
 * decoders; NULL when there is none, or when it does not list the decoder among its targets.
 */
const struct region *region_of_decoder(const struct decoder *d);

/* Return: whether a position has a device, and a decoder of it that refers to the region, too. */
bool target_is_mutual(const struct region *region, const struct region_target *t);

/*
 * Return: the first position of a region that is mutual and belongs to the memdev, NULL when none
 * does. With several positions of one memdev, links are made for this one only.
 */
const struct region_target *region_target_of(const struct region *region, const struct memdev *m);

/*
 * Return: whether the memory of a region is that of accelerators (type 2). Its user is the driver
 * of the accelerator, and Linux makes no dax device of it (drivers/cxl/core/region.c,
 * cxl_region_probe()).
 */
bool region_is_of_accelerators(const struct region *region);

/*
 * Return: whether the kernel has the attribute of the window by which a region of the mode is made;
 * absent for a window of which this is not known.
 * @other: the word of DECODER_MODE_OTHER
 */
struct opt_bool window_makes(const struct decoder *w, enum decoder_mode mode, const char *other);

/*
 * Return: whether the class code of a PCI function is that of a CXL memory device, whatever its
 * programming interface (CXL 3.2 8.1.12.1); false for NULL.
 */
bool is_cxl_memory_class(const struct pci_function *pci);

/*
 * Return: whether the memdev is a whole device (CXL 3.2 2.4: division needs a switch). Behind a
 * switch each logical device looks like a device of its own.
 */
bool memdev_is_undivided(const struct memdev *m);

/* The GCXLID of a logical device (CXL 3.2 2.4): its PCIe serial number and logical device number */
struct gcxlid {
	uint64_t serial;
	unsigned int ld_id;
};

/*
 * memdev_gcxlid() - the GCXLID of a memdev
 *
 * Known only for a device that cannot be divided (CXL 3.2 2.4: division needs a switch) and whose
 * serial number is unique on this host. Behind a switch each logical device looks like a device,
 * and Linux does not show its number.
 *
 * Return: true with @ret set; false when it is not known.
 */
bool memdev_gcxlid(const struct memdev_ids *ids, const struct memdev *m, struct gcxlid *ret);

#endif
