/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_DEVICE_H
#define CXLR_REDFISH_RESOURCES_FABRIC_DEVICE_H

/*
 * The report of a switch's mailbox on a device behind one of its ports, as properties: for devices
 * that only the mailbox knows, and for those that the host sees, too. DSP0288 1.2.0, table 2, rows
 * 16 to 31. A value that was not read is absent. Reads the view only; any thread that holds a
 * reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

/*
 * Return: CXLDevice/MaxNumberLogicalDevices: LD Count of an MLD, 1 of an SLD; absent when it is not
 * known which of them it is. @d may be NULL.
 */
struct opt_u64 device_ld_count(const struct fabric_device *d);

/* Return: CXLDevice/TemporaryThroughputReductionSupported of an MLD. @d may be NULL. */
struct opt_bool device_throughput_reduction(const struct fabric_device *d);

/* CXLDevice/TemporaryThroughputReductionEnabled of an MLD. @d may be NULL. */
void put_throughput_reduction_enabled(const struct fabric_device *d, struct json_writer *w);

/* A number of percent; nothing when it is more than 100, which a device may report. */
void put_percentage(struct json_writer *w, const char *key, unsigned int percent);

/* Members of Port/CXL: QoSTelemetryCapabilities and Congestion of an MLD. */
void put_port_qos(const struct fabric_device *d, struct json_writer *w);

/* Members of MemoryDomain: MemorySizeMiB and MemoryChunkIncrementMiB of an MLD. */
void put_domain_sizes(const struct fabric_device *d, struct json_writer *w);

/* "QoS" of a CXLLogicalDevice, in percent; nothing when neither of both values is known. */
void put_ld_qos(const struct fabric_ld *ld, struct json_writer *w);

/* Items of an Endpoint's "ConnectedEntities": the logical device, and its chunk. */
void put_ld_entities(const struct fabric_ld *ld, struct json_writer *w);
/* Its chunk; nothing when it has none. */
void put_ld_chunk_entity(const struct fabric_ld *ld, struct json_writer *w);

/* Whether an allocation of the logical device is known, which is a chunk of the MLD's memory. */
bool ld_has_chunk(const struct fabric_ld *ld);

/* One item of ConnectedEntities, without its end. */
void put_entity(struct json_writer *w, const char *type, const char *role);

#endif
