/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOGICAL_DEVICE_H
#define CXLR_REDFISH_RESOURCES_LOGICAL_DEVICE_H

/*
 * Facts that the host has of a memdev, as properties of its CXLLogicalDevice and PCIeDevice, which
 * are those of an MLD when the memdev is a part of one. Reads the view only; any thread that holds
 * a reference on it.
 */

#include "common/json_writer.h"
#include "sysfs/host.h"

struct fabric_port;
struct mailbox;

/* "SemanticsSupported": by the protocols of the device, or by its class while configuration space
 * cannot be read. */
void put_ld_semantics(const struct memdev *m, struct json_writer *w);

/* Links to the regions of the host that use its memory, as items of "MemoryChunks". */
void put_region_chunks(const struct memdev *m, struct json_writer *w);

/*
 * Versions of the firmware, PCIeInterface and Slot of a PCIeDevice.
 * @above: the port above the device as the host sees it; NULL: not known
 */
void put_seen_device(const struct memdev *m, const struct mailbox *said,
		     const struct fabric_port *above, struct json_writer *w);

/* Members of "CXLDevice" that the device reports to its host, with its clock at @clock; and
 * MaxNumberLogicalDevices. */
void put_seen_cxl_device(const struct memdev *m, const struct mailbox *said, struct opt_u64 count,
			 struct opt_u64 clock, struct json_writer *w);

/* Whether there is any. */
bool has_seen_cxl_device(const struct memdev *m, const struct mailbox *said);

/* Members of the PCIeDevice's "Oem": slots of firmware, the time when its clock was read. */
void put_seen_device_oem(const struct mailbox *mb, struct json_writer *w);

#endif
