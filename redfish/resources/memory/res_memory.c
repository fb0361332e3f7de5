// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CXL memory devices.

#include "common/array.h"
#include "common/strutil.h"
#include "model/partitions.h"
#include "model/topology.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/memory/memory_actions.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/memory/memory_repairs.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/scrub.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

/*
 * Capacity that is neither volatile only nor persistent only may be made either. The three do not
 * contradict each other, see mailbox_decode_identify().
 */
static bool is_partitionable(const struct mailbox *mb)
{
	return mb->total_size.present && mb->volatile_only_size.present &&
	       mb->persistent_only_size.present &&
	       mb->total_size.value - mb->volatile_only_size.value > mb->persistent_only_size.value;
}

/* The modes that are supported, not only those in use. */
static void put_modes(const struct memdev *m, const struct mailbox *mb, struct json_writer *w)
{
	const bool both = is_partitionable(mb);

	if (!both && (!m->ram_size.present || !m->pmem_size.present))
		return;
	put_array(w, "OperatingMemoryModes");
	if (both || m->ram_size.value > 0)
		put_string(w, NULL, "Volatile");
	if (both || m->pmem_size.value > 0)
		put_string(w, NULL, "PMEM");
	put_end(w);
}

/*
 * The kernel's security state as Redfish's. The kernel reports disabled when no user passphrase is
 * set, before it checks anything else, and frozen also when either passphrase was tried too often
 * (drivers/cxl/core/memdev.c, security_state_show()). It shows the last response that the driver of
 * the nvdimm read, and zero while there was none: then disabled has no meaning.
 */
static const struct security {
	const char *kernel, *redfish;
	struct opt_bool passphrase; /* whether one is set */
	struct opt_bool attempts;   /* was either tried too often? */
} securities[] = {
	{"disabled", "Disabled", OPT_BOOL(false), {0}},
	{"unlocked", "Enabled", OPT_BOOL(true), OPT_BOOL(false)},
	{"locked", "Locked", OPT_BOOL(true), OPT_BOOL(false)},
	{"frozen", "Frozen", OPT_BOOL(true), {0}},
};

/* Return: the meaning of the kernel's state; all absent without one, or with one not known here. */
static const struct security *security_of(const struct view *v, const struct memdev *m)
{
	static const struct security unknown;
	const struct memdev_security now = view_security(v, m);

	if (str_equal(now.state, "disabled") && !now.has_nvdimm)
		return &unknown;
	for (size_t i = 0; i < ARRAY_SIZE(securities); i++)
		if (str_equal(now.state, securities[i].kernel))
			return &securities[i];
	return &unknown;
}

static void put_partition(struct json_writer *w, const char *id, const char *classification,
			  struct opt_u64 offset, struct opt_u64 size, struct opt_bool passphrase)
{
	if (size.value == 0)
		return;
	put_object(w, NULL);
	put_string(w, "RegionId", id);
	put_string(w, "MemoryClassification", classification);
	put_opt_mib(w, "OffsetMiB", offset);
	put_opt_mib(w, "SizeMiB", size);
	put_opt_bool(w, "PassphraseEnabled", passphrase);
	put_end(w);
}

/*
 * The partitions of the DPA space: volatile from 0 on, persistent behind it (CXL 3.2 8.2.10.9.2).
 * Passphrases are for what is persistent.
 */
static void put_partitions(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	if (!m->ram_size.present || !m->pmem_size.present)
		return;
	put_array(w, "Regions");
	put_partition(w, "ram", "Volatile", OPT_U64(0), m->ram_size, (struct opt_bool){0});
	put_partition(w, "pmem", "ByteAccessiblePersistent", m->ram_size, m->pmem_size,
		      security_of(v, m)->passphrase);
	for (size_t i = 0; i < m->n_named; i++)
		put_partition(w, m->named[i].name,
			      name_is_dynamic_capacity(m->named[i].name) ? "Volatile" : NULL,
			      m->named[i].base, m->named[i].size, (struct opt_bool){0});
	put_end(w);
}

static void put_security(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct security *s = security_of(v, m);

	put_string(w, "SecurityState", s->redfish);
	if (!s->attempts.present)
		return;
	put_object(w, "SecurityStates");
	put_opt_bool(w, "MasterPassphraseAttemptCountReached", s->attempts);
	put_opt_bool(w, "UserPassphraseAttemptCountReached", s->attempts);
	put_end(w);
}

/*
 * Return: whether firmware locked a decoder; absent when it is not known. Frozen security locks no
 * configuration of memory, and the kernel shows it also after too many attempts with a passphrase.
 */
static struct opt_bool configuration_locked(const struct memdev *m)
{
	struct opt_bool locked = {0};

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		struct opt_bool one = m->endpoint->decoders[i]->locked;

		if (one.present)
			locked = OPT_BOOL(opt_bool_is_true(locked) || one.value);
	}
	return locked;
}

/* Return: @first, or else @second. */
static struct opt_u64 either(struct opt_u64 first, struct opt_u64 second)
{
	return first.present ? first : second;
}

/* Return: a number that has 32 bits in the device; absent when an attribute is larger. */
static struct opt_u64 within_32_bits(struct opt_u64 n)
{
	return n.value <= UINT32_MAX ? n : (struct opt_u64){0};
}

static void put_cxl(const struct memdev *m, const struct mailbox *mb, struct json_writer *w)
{
	struct opt_u64 label =
		within_32_bits(either(m->label_storage_size, mb->label_storage_size));

	if (!label.present && !mb->next_volatile.present && !mb->next_persistent.present)
		return;
	put_object(w, "CXL");
	put_opt_number(w, "LabelStorageSizeBytes", label);
	put_opt_mib(w, "StagedVolatileSizeMiB", mb->next_volatile);
	put_opt_mib(w, "StagedNonVolatileSizeMiB", mb->next_persistent);
	put_end(w);
}

/* For a device that contradicts itself, the kernel's partitions are shown, and its own in Oem. */
static void put_limits(const struct memdev *m, const struct mailbox *mb, struct json_writer *w)
{
	const bool doubtful = mb->partition_doubt != PARTITION_CONSISTENT;

	put_opt_mib(w, "VolatileSizeLimitMiB",
		    doubtful ? m->ram_size : either(mb->active_volatile, m->ram_size));
	put_opt_mib(w, "NonVolatileSizeLimitMiB",
		    doubtful ? m->pmem_size : either(mb->active_persistent, m->pmem_size));
}

static void put_partition_info(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->active_volatile.present && !mb->active_persistent.present)
		return;
	put_object(w, "PartitionInfo");
	put_opt_hex(w, "ActiveVolatileSizeBytes", mb->active_volatile);
	put_opt_hex(w, "ActivePersistentSizeBytes", mb->active_persistent);
	put_bool(w, "Doubtful", mb->partition_doubt != PARTITION_CONSISTENT);
	put_string(w, "Reason", mailbox_partition_doubt_text(mb->partition_doubt));
	put_end(w);
}

static void put_standard(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct mailbox *mb = view_mailbox(v, m);

	put_string(w, "Name", m->name);
	put_string(w, "Description", "CXL memory device");
	put_string(w, "MemoryDeviceType", "Logical");
	put_opt_mib(w, "CapacityMiB", memdev_capacity(m));
	put_opt_mib(w, "VolatileSizeMiB", m->ram_size);
	put_opt_mib(w, "NonVolatileSizeMiB", m->pmem_size);
	put_limits(m, mb, w);
	/* 0: the device cannot be divided. */
	if (mb->partition_alignment.value > 0)
		put_opt_mib(w, "AllocationAlignmentMiB", mb->partition_alignment);
	put_opt_number(w, "PoisonListMaxMediaErrorRecords", mb->poison_list_records);
	put_modes(m, mb, w);
	put_partitions(v, m, w);
	put_serial_number(m, w);
	put_string(w, "Manufacturer", m->manufacturer);
	put_string(w, "PartNumber", m->part_number);
	put_memory_location(m, w);
	put_string(w, "FirmwareRevision", m->firmware_version);
	put_security(v, m, w);
	put_opt_bool(w, "ConfigurationLocked", configuration_locked(m));
	put_bool(w, "Enabled", m->enabled);
	put_opt_bool(w, "LocationIndicatorActive", readings_light(v->readings, m));
	put_cxl(m, mb, w);
	put_link(w, "Metrics", URI_MEMORY_METRICS, view_memory_id(v, m));
	put_link(w, "EnvironmentMetrics", URI_ENVIRONMENT_METRICS, view_memory_id(v, m));
	put_link(w, "Log", URI_DEVICE_LOG, view_memory_id(v, m));
}

/* @ld: NULL: of which logical device they are is not known, so they are not shown */
static void put_sources(const struct memdev *m, const char *chassis, const char *ld,
			struct json_writer *w)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	if (!ld)
		return;
	put_array(w, "MemoryRegionMediaSources");
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_MEMORY_REGION, chassis, ld, parts[i].id);
	for (size_t i = 0; i < m->n_named; i++)
		if (name_is_dynamic_capacity(m->named[i].name))
			put_link(w, NULL, URI_MEMORY_REGION, chassis, ld, m->named[i].name);
	put_end(w);
}

static void put_links(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct cpu_package *p = package_of_node(v->host, m->numa_node);

	const char *chassis = device_chassis_id(v, m);

	put_object(w, "Links");
	put_link(w, "Chassis", URI_CHASSIS, chassis);
	if (p)
		put_link_list(w, "Processors", URI_PROCESSOR, p->id);
	put_link_list(w, "Endpoints", URI_TARGET_ENDPOINT, view_memory_id(v, m));
	put_sources(m, chassis, device_ld_id(v, m), w);
	put_end(w);
}

static void put_pci(const struct pci_function *pci, struct json_writer *w)
{
	if (!pci)
		return;
	put_object(w, "PCIFunction");
	put_string(w, "Address", pci->bdf);
	put_opt_hex(w, "VendorId", pci->vendor);
	put_opt_hex(w, "DeviceId", pci->device);
	put_opt_hex(w, "SubsystemVendorId", pci->subsystem_vendor);
	put_opt_hex(w, "SubsystemId", pci->subsystem_device);
	put_opt_hex(w, "RevisionId", pci->revision);
	put_string(w, "CurrentLinkSpeed", pci->current_link_speed);
	put_opt_number(w, "CurrentLinkWidth", pci->current_link_width);
	put_string(w, "MaxLinkSpeed", pci->max_link_speed);
	put_opt_number(w, "MaxLinkWidth", pci->max_link_width);
	put_end(w);
}

static void put_decoder(const struct view *v, const struct memdev *m, const struct decoder *d,
			struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "KernelName", d->name);
	put_string(w, "Mode", decoder_mode_word(d));
	put_string(w, "Mapping", decoder_mapping_name(decoder_mapping(d)));
	put_opt_hex(w, "DevicePhysicalAddress", d->dpa_resource);
	put_opt_hex(w, "DevicePhysicalSizeBytes", d->dpa_size);
	put_opt_hex(w, "HostPhysicalAddress", d->start);
	put_opt_hex(w, "HostPhysicalSizeBytes", d->size);
	put_opt_bool(w, "Locked", d->locked);
	if (decoder_mapped_by(d))
		put_opt_int(w, "InterleavePosition", position_in_region(decoder_mapped_by(d), d));
	put_chunks_link(w, "MemoryChunks", region_of_decoder(d));
	put_string(w, "TranslationSource", usual_source(v, m, d));
	put_end(w);
}

/* Only of a device whose addresses are translated by firmware. */
static void put_firmware(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	struct firmware *firmware = translator_firmware(v->translator);
	struct firmware_query question;
	char failure[FIRMWARE_TEXT_MAX];

	if (!view_memdev_needs_firmware(v, m))
		return;
	put_object(w, "Firmware");
	put_string(w, "State", firmware_state_name(v->inputs.firmware.state));
	put_string(w, "Text", v->inputs.firmware.text);
	if (firmware_query_parse(m->bdf, &question) == 0 &&
	    firmware_failure(firmware, &question, failure))
		put_string(w, "Error", failure);
	put_end(w);
}

/* DSP0288 1.2.0, row 11: no published schema has it. */
static void put_poison_handling(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->injects_poison.present && !mb->scans_for_poison.present)
		return;
	put_object(w, "PoisonHandlingCapabilities");
	put_opt_bool(w, "InjectsPersistentPoison", mb->injects_poison);
	put_opt_bool(w, "ScansForPoison", mb->scans_for_poison);
	put_end(w);
}

static void put_oem(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct mailbox *mb = view_mailbox(v, m);

	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemory.v1_0_0.Memory");
	put_string(w, "KernelName", m->name);
	put_opt_hex(w, "VolatileSizeBytes", m->ram_size);
	put_opt_hex(w, "PersistentSizeBytes", m->pmem_size);
	put_opt_hex(w, "TotalSizeBytes", mb->total_size);
	put_opt_hex(w, "VolatileOnlySizeBytes", mb->volatile_only_size);
	put_opt_hex(w, "PersistentOnlySizeBytes", mb->persistent_only_size);
	put_opt_hex(w, "PartitionAlignmentBytes", mb->partition_alignment);
	put_opt_int(w, "VolatileQoSClass", m->ram_qos_class);
	put_opt_int(w, "PersistentQoSClass", m->pmem_qos_class);
	put_opt_int(w, "NUMANode", m->numa_node);
	put_opt_number(w, "MailboxPayloadMaxBytes", within_32_bits(m->payload_max));
	put_partition_info(mb, w);
	put_poison_handling(mb, w);
	put_memory_scrub(v, m, w);
	put_repairs(v->host, m, w);
	put_reported_health(mb, w);
	put_opt_time(w, "ReadingsKeptFrom", mb->kept_from_ns);
	put_firmware(v, m, w);
	put_pci(m->pci, w);
	if (m->endpoint) {
		put_string(w, "EndpointKernelName", m->endpoint->name);
		put_array(w, "Decoders");
		for (size_t i = 0; i < m->endpoint->n_decoders; i++)
			put_decoder(v, m, m->endpoint->decoders[i], w);
		put_end(w);
	}
	put_end(w);
	put_end(w);
}

static void render_memory(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct memdev *m = r->object;

	put_standard(v, m, w);
	put_links(v, m, w);
	put_actions(r, w);
	put_oem(v, m, w);
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_memory(v, r->object, w);
}

static const struct resource_type memory_types[] = {
	{.pattern = URI_SYSTEM "/Memory", COLLECTION("MemoryCollection", "Memory", "Memory")},
	{.pattern = URI_SYSTEM "/Memory/{Memory}",
	 SCHEMA("Memory", "v1_24_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_memory,
	 .status = put_status,
	 .patch = patch_memory,
	 .patch_body = &memory_patch_body,
	 .demands_if_match = true,
	 .unchangeable = memory_unchangeable,
	 ACTIONS(memory_actions)},
};

const struct resource_rows memory_rows = RESOURCE_ROWS(memory_types);
