// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/mapping.h"

#include <stdio.h>

#include "common/clock.h"
#include "events/event_strings.h"
#include "model/topology.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"

const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d)
{
	return answer_source_name(translator_usual_source(v->translator, m, d));
}

void put_gcxlid_as(struct json_writer *w, const char *key, struct opt_u64 serial,
		   unsigned int ld_id)
{
	unsigned int octets[8];

	if (!serial.present)
		return;
	for (int i = 0; i < 8; i++)
		octets[i] = (unsigned int)(serial.value >> (56 - 8 * i)) & 0xff;
	put_format(w, key, "%02X-%02X-%02X-%02X-%02X-%02X-%02X-%02X:%04X", octets[0], octets[1],
		   octets[2], octets[3], octets[4], octets[5], octets[6], octets[7], ld_id);
}

void put_gcxlid_of(struct json_writer *w, struct opt_u64 serial, unsigned int ld_id)
{
	if (!serial.present)
		return;
	put_array(w, "Identifiers");
	put_object(w, NULL);
	put_string(w, "DurableNameFormat", "GCXLID");
	put_gcxlid_as(w, "DurableName", serial, ld_id);
	put_end(w);
	put_end(w);
}

void put_gcxlid(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct fabric_port *p = fabric_device_port(v->fabric, m);
	const struct fabric_device *d = p->device;
	const struct fabric_ld *ld = p->ld;
	struct gcxlid id;

	if (memdev_gcxlid(v->ids, m, &id))
		put_gcxlid_of(w, OPT_U64(id.serial), id.ld_id);
	else if (ld)
		put_gcxlid_of(w, fabric_ld_serial(ld), ld->reading->id);
	else if (d && fabric_device_is_sld(d))
		put_gcxlid_of(w, fabric_device_serial(d), 0);
}

void put_serial_number(const struct memdev *m, struct json_writer *w)
{
	if (m->serial.present && m->serial.value != 0)
		put_format(w, "SerialNumber", "%016llx", (unsigned long long)m->serial.value);
}

void put_opt_time(struct json_writer *w, const char *key, struct opt_u64 ns)
{
	char text[EVENT_TIME_MAX];

	if (!ns.present)
		return;
	event_time(ns.value, text);
	put_string(w, key, text);
}

void put_slot_location(const char *label, struct json_writer *w)
{
	if (!label)
		return;
	put_object(w, "Location");
	put_object(w, "PartLocation");
	put_string(w, "LocationType", "Slot");
	put_string(w, "ServiceLabel", label);
	put_end(w);
	put_end(w);
}

void put_memory_location(const struct memdev *m, struct json_writer *w)
{
	put_slot_location(m->locator ? m->locator : m->slot_label ? m->slot_label : m->slot, w);
}

void put_clock(struct json_writer *w)
{
	put_opt_time(w, "DateTime", OPT_U64(clock_realtime_ns()));
	put_string(w, "DateTimeLocalOffset", "+00:00");
}

void put_opt_digits(struct json_writer *w, const char *key, struct opt_u64 value,
		    unsigned int digits)
{
	if (value.present && value.value >> 4 * digits == 0)
		put_format(w, key, "0x%0*llx", (int)digits, (unsigned long long)value.value);
}

void put_domain_link(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	put_link_list(w, "MemoryDomains", URI_DEVICE_DOMAIN, device_chassis_id(v, m));
}

const char *device_chassis_id(const struct view *v, const struct memdev *m)
{
	return fabric_device_port(v->fabric, m)->owner_id;
}

const char *device_ld_id(const struct view *v, const struct memdev *m)
{
	return fabric_ld_id(fabric_device_port(v->fabric, m));
}

size_t put_module_links(const struct view *v, struct json_writer *w)
{
	size_t n = 0;

	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		const struct memdev *m = v->host->memdevs[i];

		/* The enclosure of an MLD that hosts share is not known. */
		if (fabric_whole(fabric_device_port(v->fabric, m)))
			continue;
		put_link(w, NULL, URI_CHASSIS, view_memory_id(v, m));
		n++;
	}
	return n;
}

void put_device_ld_link(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const char *ld = device_ld_id(v, m);

	if (ld)
		put_link(w, NULL, URI_NTH_LOGICAL_DEVICE, device_chassis_id(v, m), ld);
}

void put_usage(struct json_writer *w, const struct usage *u)
{
	put_opt_hex(w, "SizeBytes", u->size);
	put_opt_hex(w, "UsedBytes", u->used);
	put_opt_hex(w, "ReservedBytes", u->reserved);
	put_opt_hex(w, "FreeBytes", u->free);
}

void put_pci_ids(const struct pci_function *pci, struct json_writer *w)
{
	if (is_cxl_memory_class(pci))
		put_string(w, "DeviceClass", "MemoryController");
	put_opt_digits(w, "ClassCode", pci->class_code, 6);
	put_opt_digits(w, "VendorId", pci->vendor, 4);
	put_opt_digits(w, "DeviceId", pci->device, 4);
	put_opt_digits(w, "SubsystemVendorId", pci->subsystem_vendor, 4);
	put_opt_digits(w, "SubsystemId", pci->subsystem_device, 4);
	put_opt_digits(w, "RevisionId", pci->revision, 2);
}

void put_chunks_link(struct json_writer *w, const char *key, const struct region *region)
{
	if (region && region->root)
		put_link(w, key, URI_MEMORY_CHUNKS, region->root->id, region->id);
}

void put_pci_address(const char *bdf, struct json_writer *w)
{
	unsigned int segment, bus, device, function;

	if (sscanf(bdf, "%x:%x:%x.%x", &segment, &bus, &device, &function) != 4)
		return;
	put_number(w, "FunctionId", function);
	put_opt_digits(w, "SegmentNumber", OPT_U64(segment), 4);
	put_opt_digits(w, "BusNumber", OPT_U64(bus), 2);
	put_opt_digits(w, "DeviceNumber", OPT_U64(device), 2);
	put_opt_digits(w, "FunctionNumber", OPT_U64(function), 1);
}

void put_provenance(const struct answer *a, struct json_writer *w)
{
	put_bool(w, "Exact", a->exact);
	put_string(w, "TranslationSource", answer_source_name(a->source));
	if (a->reason[0])
		put_string(w, "Reason", a->reason);
	put_opt_int(w, "InterleavePosition", a->position);
	put_opt_int(w, "NUMANode", a->numa_node);
	put_chunks_link(w, "MemoryChunks", a->mapping);
}
