// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/mapping.h"

#include "common/strutil.h"
#include "redfish/resources/fabric_links.h"
#include "redfish/uris.h"
#include "redfish/odata.h"

struct opt_int position_in_region(const struct region *region, const struct decoder *d)
{
	for (size_t i = 0; i < region->n_targets; i++)
		if (region->targets[i].decoder == d)
			return OPT_INT((int)region->targets[i].position);
	return (struct opt_int){0};
}

bool is_cxl_memory_class(const struct pci_function *pci)
{
	return pci && pci->class_code.present && pci->class_code.value >> 8 == 0x0502;
}

const struct region *region_of_decoder(const struct decoder *d)
{
	return d->region && d->region->root && position_in_region(d->region, d).present ? d->region
											: NULL;
}

bool target_is_mutual(const struct region *region, const struct region_target *t)
{
	return t->memdev && t->decoder && region_of_decoder(t->decoder) == region;
}

const struct region_target *region_target_of(const struct region *region, const struct memdev *m)
{
	for (size_t i = 0; i < region->n_targets; i++)
		if (region->targets[i].memdev == m && target_is_mutual(region, &region->targets[i]))
			return &region->targets[i];
	return NULL;
}

size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX])
{
	uint64_t end;
	size_t n = 0;

	if (!m->ram_size.present || !m->pmem_size.present ||
	    __builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &end))
		return 0;
	if (m->ram_size.value > 0)
		ret[n++] = (struct partition){.id = "ram", .size = m->ram_size.value};
	if (m->pmem_size.value > 0)
		ret[n++] = (struct partition){
			.id = "pmem",
			.persistent = true,
			.offset = m->ram_size.value,
			.size = m->pmem_size.value,
		};
	return n;
}

const char *partition_of_decoder(const struct memdev *m, const struct decoder *d)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	if (!d->dpa_resource.present)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (str_equal(parts[i].id, decoder_mode_name(d->mode)) &&
		    d->dpa_resource.value >= parts[i].offset &&
		    d->dpa_resource.value - parts[i].offset < parts[i].size)
			return parts[i].id;
	return NULL;
}

const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d)
{
	struct answers out = {0};
	const char *name = NULL;
	uint64_t probe;

	if (!d->dpa_resource.present || !d->dpa_size.present || d->dpa_size.value == 0)
		return NULL;
	/*
	 * Recorded pairs are taken at round numbers and at the ends, and say nothing of the rest:
	 * three eighths and one chunk into the range is none of these.
	 */
	probe = d->dpa_resource.value + d->dpa_size.value / 8 * 3;
	if (d->dpa_size.value >= 4096)
		probe += 0x300;
	if (translate_dpa(v->translator, m, probe, probe, &out) >= 0 && out.n > 0)
		name = answer_source_name(out.items[0].not_queried ? SOURCE_PRM
								   : out.items[0].source);
	answers_done(&out);
	return name;
}

/*
 * Whether it is the one logical device of its device, number 0. A device that is divided needs a
 * switch (CXL 3.2 2.4), and behind one each of its parts looks like a device to the host.
 */
static bool is_single(const struct memdev *m)
{
	return m->endpoint && m->endpoint->parent && m->endpoint->parent->kind != PORT_SWITCH;
}

void put_gcxlid(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	struct opt_u64 serial = memory_unique_serial(v->ids, m);
	unsigned int octets[8];

	if (!serial.present || !is_single(m))
		return;
	for (int i = 0; i < 8; i++)
		octets[i] = (unsigned int)(serial.value >> (56 - 8 * i)) & 0xff;
	put_array(w, "Identifiers");
	put_object(w, NULL);
	put_string(w, "DurableNameFormat", "GCXLID");
	put_format(w, "DurableName", "%02X-%02X-%02X-%02X-%02X-%02X-%02X-%02X:0000", octets[0],
		   octets[1], octets[2], octets[3], octets[4], octets[5], octets[6], octets[7]);
	put_end(w);
	put_end(w);
}

void put_serial_number(const struct memdev *m, struct json_writer *w)
{
	if (m->serial.present && m->serial.value != 0)
		put_format(w, "SerialNumber", "%016llx", (unsigned long long)m->serial.value);
}

void put_window_links(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct fabric_bridge *bridge = fabric_bridge_of(fabric_device_port(v->fabric, m));

	if (bridge)
		put_fabric_list(w, "MemoryDomains", &bridge->windows, put_window_link);
}

void put_chunks_link(struct json_writer *w, const char *key, const struct region *region)
{
	if (region && region->root)
		put_link(w, key, URI_MEMORY_CHUNKS, region->root->name, region->name);
}
