/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_MAPPING_H
#define CXLR_REDFISH_RESOURCES_MAPPING_H

/*
 * Facts about decoders and regions that more than one renderer shows. Reads the view only.
 */

#include "common/json_writer.h"
#include "redfish/view.h"

/* Return: the interleave position of an endpoint decoder in a region, absent when it has none. */
struct opt_int position_in_region(const struct region *region, const struct decoder *d);

/*
 * Whether a PCI function says that it is a memory controller of the kind CXL memory device,
 * whatever its programming interface (CXL 3.2 8.1.12.1); false for NULL.
 */
bool is_cxl_memory_class(const struct pci_function *pci);

/*
 * Return: the region that an endpoint decoder is in and that has a resource; NULL when there is
 * none, or when the region does not count the decoder among its targets.
 */
const struct region *region_of_decoder(const struct decoder *d);

/* Return: whether a position has a device, and a decoder of it that knows of the region, too. */
bool target_is_mutual(const struct region *region, const struct region_target *t);

/*
 * Return: the first position of a region that is mutual and the memdev's, NULL when none is: a
 * link from one to the other is there once, should the memdev have several.
 */
const struct region_target *region_target_of(const struct region *region, const struct memdev *m);

/*
 * A partition of a device's memory: volatile from DPA 0 on, persistent behind it (CXL 3.2
 * 8.2.10.9.2). Its Id is also the kernel's word for the mode of the decoders that map it.
 */
struct partition {
	const char *id; /* "ram", "pmem" */
	bool persistent;
	uint64_t offset, size; /* bytes of DPA */
};

enum { PARTITIONS_MAX = 2 };

/* Return: how many partitions there are that are not empty; 0 when their sizes are not known. */
size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX]);

/* Return: the Id of the partition that an endpoint decoder of @m maps, NULL when it maps none. */
const char *partition_of_decoder(const struct memdev *m, const struct decoder *d);

/*
 * usual_source() - who answers for the addresses of an endpoint decoder
 *
 * The name of the source that answers in general, "decoder", "prm", "emulated" or "estimate"; an
 * answer for one address names its own source, which may be a better one ("recorded"). NULL when
 * nobody answers.
 */
const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d);

/*
 * "Identifiers" of a memdev's logical device: its GCXLID, of the PCIe serial number and the number
 * of the logical device. Nothing when the serial is not its own, or behind a switch: there each
 * part of a divided device looks like a device, and Linux does not say which part it is.
 */
void put_gcxlid(const struct view *v, const struct memdev *m, struct json_writer *w);

/* "SerialNumber" of a memdev: what it says, also when others say the same; 0 is none. */
void put_serial_number(const struct memdev *m, struct json_writer *w);

/* "MemoryDomains" of a memdev: the windows that reach it. */
void put_window_links(const struct view *v, const struct memdev *m, struct json_writer *w);

/* A link to the region's resource; nothing when the region lies in no window. */
void put_chunks_link(struct json_writer *w, const char *key, const struct region *region);

#endif
