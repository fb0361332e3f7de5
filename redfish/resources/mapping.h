/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_MAPPING_H
#define CXLR_REDFISH_RESOURCES_MAPPING_H

/*
 * Properties of memory devices, decoders and regions that several resources show. Reads the view
 * only; any thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/usage.h"
#include "prm/answer.h"
#include "redfish/view/view.h"

/*
 * usual_source() - name of the source that translates the addresses of an endpoint decoder
 *
 * As translator_usual_source(): "decoder", "prm", "emulated" or "estimate". Each answer names its
 * own source, which may be a better one ("recorded").
 *
 * Return: the name, static; NULL when no source translates them.
 */
const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d);

/*
 * "Identifiers" of a memdev's logical device: its GCXLID, by memdev_gcxlid(), or by the mailbox of
 * the switch above it; nothing when neither knows it.
 */
void put_gcxlid(const struct view *v, const struct memdev *m, struct json_writer *w);

/* A GCXLID as text; nothing when the serial number is absent. */
void put_gcxlid_as(struct json_writer *w, const char *key, struct opt_u64 serial,
		   unsigned int ld_id);

/* "Identifiers" with one GCXLID; nothing when the serial number is absent. */
void put_gcxlid_of(struct json_writer *w, struct opt_u64 serial, unsigned int ld_id);

/* "SerialNumber" of a memdev, also when others have the same; nothing when it is 0. */
void put_serial_number(const struct memdev *m, struct json_writer *w);

/* Return: the Id of the Chassis of a memdev: of the MLD that it is a part of, or its own. */
const char *device_chassis_id(const struct view *v, const struct memdev *m);

/* Return: the Id of the CXLLogicalDevice of a memdev; NULL: a part of an MLD whose LD is not known.
 */
const char *device_ld_id(const struct view *v, const struct memdev *m);

/* Links to the Chassis of memdevs that are modules of their own, as items of an array. Return: how
 * many there are. */
size_t put_module_links(const struct view *v, struct json_writer *w);

/* A link to the CXLLogicalDevice of a memdev, as an item of an array; nothing when it has none. */
void put_device_ld_link(const struct view *v, const struct memdev *m, struct json_writer *w);

/* "MemoryDomains" of a memdev: the one of its own memory. The windows that reach it are the host's.
 */
void put_domain_link(const struct view *v, const struct memdev *m, struct json_writer *w);

/*
 * The OEM properties of a usage: SizeBytes, UsedBytes, ReservedBytes and FreeBytes, as far as they
 * are known.
 */
void put_usage(struct json_writer *w, const struct usage *u);
/* A date and time, RFC 3339; @ns: since 1970 UTC; nothing when it is absent. */
void put_opt_time(struct json_writer *w, const char *key, struct opt_u64 ns);

/* "Location" of what is in a slot, by the text that stands next to it; absent when it is NULL. */
void put_slot_location(const char *label, struct json_writer *w);

/* The same of a memory device: what DMI says of it, or of its slot, or else the slot's name. */
void put_memory_location(const struct memdev *m, struct json_writer *w);

/* "DateTime" of now and "DateTimeLocalOffset": all times of this service are in UTC. */
void put_clock(struct json_writer *w);

/* "0x…" with all its digits; absent when the value is, or has more. */
void put_opt_digits(struct json_writer *w, const char *key, struct opt_u64 value,
		    unsigned int digits);

/* Properties of a PCIeFunction: class, and the numbers of vendor, device and subsystem. */
void put_pci_ids(const struct pci_function *pci, struct json_writer *w);

/* A link to the region's resource; nothing when the region is in no window. */
void put_chunks_link(struct json_writer *w, const char *key, const struct region *region);

/*
 * Properties of a PCIeFunction: its address. A segment of more than 16 bits, as Linux makes them up
 * for VMD, has no place in the schema.
 */
void put_pci_address(const char *bdf, struct json_writer *w);

/* Whether the answer is exact, its source and reason, and what maps the address. */
void put_provenance(const struct answer *a, struct json_writer *w);

#endif
