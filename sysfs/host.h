/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_H
#define CXLR_SYSFS_HOST_H

/*
 * The host as the kernel shows it: one immutable, reference counted snapshot.
 *
 * host_read() walks /sys/bus/cxl once and returns a `struct host`. After that nothing in it
 * changes, so any thread may read it without a lock as long as it holds a reference; all pointers
 * inside belong to the snapshot and are freed by the last host_unref().
 * host_read() itself costs milliseconds and writes /sys/bus/cxl/flush once when run as root, so
 * that drivers of new devices are done: never per request that only reads. It shares nothing
 * between calls, so several threads may walk at a time.
 *
 * Terms and names are the kernel's. An attribute that is missing, unreadable or invalid is absent
 * (see common/opt.h; strings are NULL), never zero. Addresses and sizes are bytes. Objects of one
 * kind are in natural order of their names (mem2 before mem10) unless noted otherwise.
 *
 * Sources: Documentation/ABI/testing/sysfs-bus-cxl, drivers/cxl/core/{port,region,memdev}.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "sysfs/cpuinfo.h"
#include "sysfs/edac.h"
#include "sysfs/host_root.h"
#include "sysfs/kernel_options.h"
#include "sysfs/limits.h"

struct port;
struct region;
struct memdev;
struct dax_device;

enum port_kind {
	PORT_ROOT,	  /* rootN: the ACPI0017 device, owner of the CFMWS windows */
	PORT_HOST_BRIDGE, /* portN whose parent is the root */
	PORT_SWITCH,	  /* portN below a host bridge */
	PORT_ENDPOINT,	  /* endpointN: the decoders of one memdev */
};

/*
 * The contents of configuration space beyond 64 bytes, which Linux shows to CAP_SYS_ADMIN only;
 * that it is missing is not noted. Registers are as they are read.
 */
struct pci_config {
	const char *max_link_speed; /* Link Capabilities, as the attribute; NULL when not known */
	struct opt_u64 max_link_width;
	struct opt_u64 port_number; /* Link Capabilities: of a bridge */
	struct opt_u64 link_speeds; /* Link Capabilities 2: bit n is the speed of PCIe n.0 */
	struct opt_bool flit_capable, flit_active;
	struct opt_bool common_clock; /* Link Control: with the other end; false is the default */
	struct opt_u64 slot_number;   /* of the slot below; ports with a slot only */
	struct opt_u64 serial;	      /* Device Serial Number (PCIe 6.0 7.9.3) */
	struct opt_bool slot_hot_plug;
	struct opt_u64 cxl_revision, cxl_capability; /* DVSEC of a CXL device (CXL 3.1 8.1.3) */
	struct opt_u64 flex_capability, flex_status; /* of a flex bus port (CXL 3.1 8.1.8) */
};

/* A PCI function, as far as its sysfs directory shows it. */
struct pci_function {
	const char *bdf; /* "0000:0d:00.0" */
	struct opt_u64 vendor, device, subsystem_vendor, subsystem_device, revision, class_code;
	struct opt_int numa_node;	/* absent when the kernel prints -1 */
	const char *current_link_speed; /* as printed, "32.0 GT/s PCIe"; NULL when absent */
	const char *max_link_speed;	/* of configuration space when the attribute is absent */
	struct opt_u64 current_link_width, max_link_width; /* lanes; 0 and 255 are absent */
	struct pci_config config;
};

/* The base class and subclass of a CXL memory device, bits 8 to 23 of the class code. */
enum { PCI_CLASS_CXL_MEMORY = 0x0502 };

/* A PCI function with the class of a CXL memory device, but without a memdev. */
struct unclaimed_function {
	const struct pci_function *pci;
	const char *driver; /* NULL when none is bound */
	const char *path;   /* as of struct memdev; NULL when unknown */
};

struct dport {
	const char *name;		/* "0000:0c:00.0", "pci0000:0c" */
	const char *physical_node;	/* last path component, NULL when absent */
	const char *firmware_node;	/* "ACPI0016:01", NULL when absent */
	uint64_t id;			/* the N of dportN: port number, or _UID of a host bridge */
	const struct pci_function *pci; /* NULL when it is not a PCI function */
};

/* OTHER: one of dynamic capacity ("dynamic_ram_a"), or of a newer kernel; its name is kept. */
enum decoder_mode {
	DECODER_MODE_NONE,
	DECODER_MODE_RAM,
	DECODER_MODE_PMEM,
	DECODER_MODE_MIXED,
	DECODER_MODE_OTHER,
};

struct decoder_target {
	unsigned int position;
	uint64_t id;
	const struct dport *dport; /* NULL when no dport of the port has that id */
};

struct decoder {
	const char *name;
	const char *id; /* of a window: stable_id.h; NULL of other decoders */
	const struct port *port;
	unsigned int index; /* the M of decoderN.M */

	/* An idle decoder has a size of 0; the other three are then absent. */
	struct opt_u64 start;	    /* HPA; needs CAP_DAC_READ_SEARCH (mode 0400) */
	struct opt_u64 size;	    /* bytes of HPA */
	struct opt_u64 ways;	    /* interleave_ways */
	struct opt_u64 granularity; /* interleave_granularity, bytes */
	struct opt_bool locked;
	const char *target_type; /* "expander", "accelerator", NULL when absent */

	/* In target_list order, which is position order. Root and switch decoders only. */
	const struct decoder_target *targets;
	size_t n_targets;

	/* Root decoders (CFMWS windows) only; the first four and `locked` are its restrictions. */
	struct opt_bool cap_ram, cap_pmem, cap_type2, cap_type3;
	/* Whether the kernel has the attribute with which such a region is made. */
	struct opt_bool makes_ram, makes_pmem;
	/* Other modes that it allows (cap_NAME), and of which the kernel makes regions
	 * (create_NAME_region), as "dynamic_ram_a"; in the order of their names. */
	const char *const *other_caps, *const *other_makes;
	size_t n_other_caps, n_other_makes;
	struct opt_int qos_class;
	const struct region *const *regions;
	size_t n_regions;

	/* Endpoint decoders only. */
	enum decoder_mode mode;
	const char *other_mode;	     /* the word of DECODER_MODE_OTHER; NULL otherwise */
	struct opt_u64 dpa_resource; /* absent when nothing is allocated */
	struct opt_u64 dpa_size;     /* 0 is present and means nothing is allocated */

	/* Switch and endpoint decoders only. */
	const struct region *region;  /* of Linux; NULL without one */
	const struct region *derived; /* of host.derived; NULL in none */
	/*
	 * The PCI function that the decoder of a bridge or switch leads to, when it has one target,
	 * is committed and in no mapping: it has no memory device, as an accelerator (type 2)
	 * without a driver. NULL in all other cases.
	 */
	const struct pci_function *function;
	/* Why an endpoint decoder that is committed is in neither; NULL when it is not committed,
	 * and when it decodes DPAs. */
	const char *unmapped;
	bool contradicted; /* its start is that of another set with another end */
};

/* A range of DPAs as the device describes it (CDAT 1.03, DSMAS); addresses inclusive. */
struct cdat_range {
	uint64_t first, last;
	bool nonvolatile, shareable, hardware_coherent;
};

struct port {
	const char *name;
	enum port_kind kind;
	unsigned int depth;	   /* 0 for the root */
	const char *host;	   /* uport: "pci0000:0c", a BDF, or "memN" for an endpoint */
	const struct port *parent; /* NULL for a root */
	const struct dport *parent_dport; /* dport of the parent it is below; NULL unknown */
	const struct bus *bus;
	bool enabled; /* a driver is bound */
	/*
	 * A port without HDM decoders and with one dport passes everything on to it. Linux shows a
	 * decoder that maps nothing, of one way at the size of a page.
	 */
	bool passes_through;
	struct opt_u64 decoders_committed; /* those with a lower index; since 6.7 */
	const char *slot;		   /* of a switch, as that of a memdev; NULL none */
	const struct pci_function *pci;	   /* uport of a switch; NULL otherwise */
	const struct memdev *memdev;	   /* endpoints only; NULL when it is missing */

	/* Endpoints only. Needs CAP_DAC_READ_SEARCH; that it is missing is not noted. */
	const struct cdat_range *cdat;
	size_t n_cdat;

	const struct dport *dports;
	size_t n_dports;
	const struct decoder *const *decoders;
	size_t n_decoders;
	const struct port *const *children; /* ports and endpoints right below */
	size_t n_children;
};

struct bus {
	const char *name;     /* "root0" */
	const char *provider; /* "ACPI.CXL", "cxl_test" */
	const struct port *root;
};

/* State of a region's decoders, by region/commit. */
enum region_commit { REGION_COMMIT_UNKNOWN, REGION_NOT_COMMITTED, REGION_COMMITTED };

struct region_target {
	unsigned int position;
	const char *decoder_name;      /* as in targetN; NULL when that position is empty */
	const struct decoder *decoder; /* NULL when empty, or when there is no such decoder */
	const struct memdev *memdev;   /* NULL likewise */
};

struct access_coordinate { /* megabytes/s and nanoseconds, region/accessN */
	struct opt_u64 read_bandwidth, write_bandwidth, read_latency, write_latency;
};

/*
 * A mapping: a region of Linux, or, with `by_decoders`, what committed decoders map of which Linux
 * has no region, or an incomplete one only. The latter has the name "spa-%016x" of its first
 * address and the attributes that the registers of its decoders have: it is committed, its targets
 * are in the order in which the decoders select them, in that of their names if this is not known,
 * and it has neither inode, UUID, lock nor dax region.
 */
struct region {
	const char *name;
	const char *id; /* stable_id.h */
	bool by_decoders;
	uint64_t inode; /* of its directory in sysfs, which a region made anew does not get; 0
			   unknown */
	const struct decoder *root; /* root decoder (window) that contains it */
	struct opt_u64 resource;    /* base SPA; absent when none is allocated */
	struct opt_u64 size;
	struct opt_u64 ways;
	struct opt_u64 granularity;
	enum decoder_mode mode;
	const char *other_mode; /* the word of DECODER_MODE_OTHER; NULL otherwise */
	enum region_commit commit;
	/* The mapping of the decoders at the addresses of a region that is not committed. */
	const struct region *derived;
	/* by_decoders: the region of Linux in its window that begins at its address; NULL in none.
	 */
	const struct region *of_region;
	bool enabled;		/* the cxl_region driver is bound */
	struct opt_bool locked; /* since 7.1 */
	const char *uuid;	/* pmem only; NULL without one */
	/*
	 * pmem only: the region of the nvdimm bus that has its addresses ("region0"; the number is
	 * another one), and its namespaces that have a size. Absent when there is none, or when
	 * addresses of the nvdimm bus may not be read (CAP_DAC_READ_SEARCH).
	 */
	const char *nd_region;
	struct opt_u64 namespaces;
	struct access_coordinate access[2];
	struct opt_u64 extended_linear_cache_size; /* since 6.19; no attribute when 0 */

	/* One per position 0..ways-1, in position order; n_targets is 0 when ways is absent. */
	const struct region_target *targets;
	size_t n_targets;

	const struct dax_region *dax;	/* NULL without one */
	const struct edac_device *edac; /* as of a memdev; NULL with by_decoders */
};

enum base_witness {
	BASE_UNKNOWN,
	BASE_BY_DECODER, /* the lowest dpa_resource of the decoders that map the partition */
	BASE_BY_MAILBOX, /* Get Dynamic Capacity Configuration, as a captured host has it */
};

/*
 * A partition of a device besides ram and pmem: memN/NAME/size. Partitions of dynamic capacity are
 * "dynamic_ram_a" to "dynamic_ram_h", or "dynamic_ram_1" to "dynamic_ram_8". Where in the device's
 * DPAs it begins does not follow from the sizes: there may be gaps.
 */
struct named_partition {
	const char *name;
	struct opt_u64 size;
	struct opt_int qos_class;
	struct opt_u64 base; /* its first DPA; absent without a witness, and when two contradict */
	enum base_witness base_by;
	const char *base_doubt; /* how the witnesses contradict each other, a clause, or NULL */

	/* By the recorded answer of the device's mailbox. */
	struct opt_u64 block_size;
	struct opt_bool sanitized; /* when capacity of it is released */
};

/* CXL 3.2 9.13.3 has eight regions of dynamic capacity; more than this are not read. */
enum { NAMED_PARTITIONS_MAX = 16 };

struct memdev {
	const char *name; /* "mem0" */
	struct opt_u64 serial;
	const char *bdf;		/* PCI function, NULL when the device is not on PCI */
	const struct pci_function *pci; /* NULL likewise */
	const char *host;		/* parent device as libcxl names it */
	/* The device's path below /sys/devices: "pci0000:0c/0000:0c:00.0/0000:0d:00.0" */
	const char *path;
	const char *slot;    /* by its name, or the number that the port above shows; NULL none */
	bool slot_has_light; /* the slot has an attention indicator, which its file switches on */
	/* By DMI records that are certainly about the device, see host_dmi.h; NULL: there is none.
	 */
	const char *slot_label, *manufacturer, *part_number, *locator;
	const char *firmware_version;
	struct opt_u64 payload_max, label_storage_size;
	struct opt_u64 ram_size, pmem_size;
	struct opt_int ram_qos_class, pmem_qos_class;
	const struct named_partition *named; /* by name */
	size_t n_named;
	struct opt_u64 dynamic_regions; /* that the device can have; by its mailbox, as above */
	struct opt_int numa_node;	/* nearest CPU node; absent when the kernel prints -1 */
	const char *security_state;	/* "disabled", "unlocked", ...; NULL when absent */
	bool has_nvdimm;		/* pmemN exists: only its driver reads the security state */
	bool enabled;			/* the cxl_mem driver is bound */
	const struct port *endpoint;	/* NULL when the device has no endpoint port */
	const struct edac_device *edac; /* NULL when the kernel offers nothing by EDAC */
};

enum dax_mode { DAX_MODE_UNKNOWN, DAX_MODE_DEVDAX, DAX_MODE_SYSTEM_RAM };

struct dax_range { /* SPAs, inclusive */
	uint64_t first, last;
};

/* Ranges of offline blocks that a dax device keeps; a tool that takes every second one is possible.
 */
enum { DAX_OFFLINE_MAX = 64 };

struct dax_device {
	const char *name; /* "dax1.0" */
	const struct dax_region *region;
	struct opt_u64 resource; /* base SPA of the first range; needs CAP_DAC_READ_SEARCH */
	struct opt_u64 size;	 /* of all ranges */
	/*
	 * Its ranges (mappingN), when it has more than one: it covers none of the SPAs between
	 * them. Empty when it has one, or when they are not readable; then `resource` is absent.
	 */
	const struct dax_range *ranges;
	size_t n_ranges;
	struct opt_u64 align;
	struct opt_int target_node; /* NUMA node of its memory when online */
	enum dax_mode mode;
	struct opt_u64 online_blocks, total_blocks; /* memory blocks, system-ram mode only */
	/* Ranges that are not online, adjacent ones as one; the first of them. */
	struct dax_range offline[DAX_OFFLINE_MAX];
	size_t n_offline, n_offline_more; /* more: blocks in no range of the array */
};

/* A range that the device gave of a region's dynamic capacity (dax_regionX/extentX.Y). */
struct dax_extent {
	const char *name;
	uint64_t first, last; /* relative to the region, inclusive, within it */
	const char *tag;      /* `uuid`, or `tag` of older patches; NULL without one */
};

/* More than this are not read, which is a doubt. */
enum { DAX_EXTENTS_MAX = 16384 };

struct dax_region {
	unsigned int id;
	const struct region *region; /* NULL when it does not belong to a CXL region */
	struct opt_u64 size, align;
	const struct dax_device *const *devices;
	size_t n_devices;
	const struct dax_extent *extents; /* in the order of their addresses, none overlaps */
	size_t n_extents;
	const char *extents_doubt; /* why there may be others, a clause; NULL: these are all */
};

/* One line of /proc/iomem. `depth` counts the indentation steps. */
struct iomem_range {
	uint64_t start, last; /* inclusive */
	unsigned int depth;
	const char *name;
};

/* Ranges of firmware's memory map that are kept; a large server has a few hundred. */
enum { FIRMWARE_RANGES_MAX = 8192 };

enum firmware_map_source {
	FIRMWARE_MAP_SYSFS, /* /sys/firmware/memmap */
	FIRMWARE_MAP_E820,  /* of a captured kernel log, as the next */
	FIRMWARE_MAP_EFI,
};

/* A range of firmware's memory map, as the kernel got it; in no order. */
struct firmware_range {
	uint64_t first, last; /* inclusive */
	const char *type;     /* as its source names it: "System RAM", "Reserved", "Conventional" */
	bool specific_purpose; /* EFI_MEMORY_SP, which Linux makes Soft Reserved */
	enum firmware_map_source source;
};

/* A NUMA node that is online. */
struct numa_node {
	int id;
	bool has_cpu;
	/* To each node of the host, in their order, 10 to itself; NULL when unknown. */
	const uint8_t *distances;
};

/* A CPU socket, topology/physical_package_id. */
struct cpu_package {
	unsigned int id;
	/* By /proc/cpuinfo; NULL and CPU_UNKNOWN where it is not known. */
	enum cpu_architecture architecture;
	const char *vendor, *model; /* "GenuineIntel", "Intel(R) Xeon(R) 6972P" */
	const int *nodes;	    /* NUMA nodes with CPUs of this package */
	size_t n_nodes;
};

/*
 * The machine as its firmware names it (/sys/class/dmi/id); NULL where it does not, or where it is
 * a placeholder (dmi_table.h).
 */
struct machine_names {
	const char *manufacturer, *model, *serial, *bios_version;
	/* Whether it is a virtual one; absent where firmware and CPU do not decide it. */
	struct opt_bool is_virtual;
};

/* The page of x86, and the smallest of the others: it is part of their page. */
enum { PAGE_SIZE_DEFAULT = 4096 };

/* An ACPI table as raw bytes; not validated, prm/ parses it. */
struct host_table {
	const uint8_t *data; /* NULL when `error` is set */
	size_t len;
	int error; /* 0; -ENOENT no such table; -EACCES no permission; other read errors */
	/* The file it was handed in with, see acpi_dump.h; NULL when the host itself shows it. */
	const char *from;
};

/* A line of the kernel's log: printable ASCII, without time and level. */
struct kernel_log_line {
	const char *text;
	struct opt_u64 us; /* since boot */
};

struct host {
	const struct host_root *root; /* the host that was read; outlives the snapshot */
	uint64_t generation;	      /* grows with every host_read() of this process */
	const char *kernel_release;   /* "7.3.4+deb13-amd64"; NULL unknown */
	const char *hostname;	      /* NULL on a captured host without it */
	/* Read only where a memory device lacks an EDAC instance of scrub, ECS or repair. */
	struct kernel_options options;
	const char *boot_id; /* the UUID of its boot; NULL unknown */
	/* The boot of a captured host, in s since 1970, and for how many s, with those of suspend,
	 * it ran until it was captured. */
	struct opt_u64 captured_boot_s, captured_uptime_s;
	const char *dmi_uuid; /* NULL when absent or unreadable */
	struct machine_names machine;
	uint64_t page_size; /* bytes; PAGE_SIZE_DEFAULT on a captured host that does not say it */
	struct opt_u64 memory_total; /* bytes of RAM that the kernel uses, MemTotal */

	const struct bus *buses;
	size_t n_buses;
	const struct port *const *ports; /* all of them, roots and endpoints included */
	size_t n_ports;
	const struct decoder *const *decoders; /* all of them */
	size_t n_decoders;
	const struct region *const *regions; /* of Linux */
	size_t n_regions;
	const struct region *const *derived; /* by_decoders: see host_mapping_at() for both */
	size_t n_derived;
	const struct memdev *const *memdevs;
	size_t n_memdevs;
	const struct dax_region *const *dax_regions;
	size_t n_dax_regions;
	const struct unclaimed_function *unclaimed; /* in no order */
	size_t n_unclaimed;
	const struct numa_node *nodes; /* by id; empty when unknown */
	size_t n_nodes;
	const struct cpu_package *packages; /* empty when the CPU topology is unknown */
	size_t n_packages;
	const struct iomem_range *iomem; /* empty when all zeros, as without privilege */
	size_t n_iomem;
	/*
	 * Where lines of /proc/iomem that are left out may have addresses; its name is the reason,
	 * a clause, NULL: none is left out.
	 */
	struct iomem_range iomem_unread;
	const struct firmware_range *firmware_map; /* empty when it is not known */
	size_t n_firmware_map;
	struct host_table tables[HOST_TABLE_COUNT];
	const struct kernel_log_line *kernel_log; /* about CXL (kernel_log.h), oldest first */
	size_t n_kernel_log;
	uint64_t n_kernel_log_left_out; /* further lines about CXL that were not kept */
	const char *kernel_log_absent;	/* why it is not known, a sentence; NULL: it is known */

	/* Attributes that could not be read for lack of permission, once each ("decoder start"). */
	const char *const *denied;
	size_t n_denied;
	/* Notes on values that were read and cannot be used (invalid attribute, vanished device),
	 * one sentence each, at most HOST_NOTES_MAX.
	 */
	const char *const *notes;
	size_t n_notes;
};

/*
 * host_read() - walk the host once
 * @root: the host to read; must outlive the snapshot
 * @ret: a snapshot with one reference, which the caller owns
 * @e: reason on failure
 *
 * A host without CXL is not an error: its snapshot has no buses. Devices that vanish during the
 * walk are left out.
 *
 * Return: 0; -EBADMSG when an ACPI table of root->dump is not that of this host; -ENOMEM.
 */
int host_read(const struct host_root *root, const struct host **ret, struct error *e);

/* Take and drop a reference; any thread. host_unref() accepts NULL and returns NULL. */
const struct host *host_ref(const struct host *h);
const struct host *host_unref(const struct host *h);

/* Return: whether the host has a CXL root or a memory device. */
static inline bool host_has_cxl(const struct host *h)
{
	return h->n_buses > 0 || h->n_memdevs > 0;
}

/* Look-ups by name. Return: the object inside the snapshot, or NULL. */
const struct memdev *host_memdev(const struct host *h, const char *name);
const struct memdev *host_memdev_by_bdf(const struct host *h, const char *bdf);
const struct region *host_region(const struct host *h, const char *name);
const struct region *host_mapping(const struct host *h, const char *name); /* a derived one, too */
const struct decoder *host_decoder(const struct host *h, const char *name);
const struct port *host_port(const struct host *h, const char *name);

/*
 * host_memdev_by_serial() - the memdev with this serial number
 * @ret_count: how many have it; the answer is the first of them
 */
const struct memdev *host_memdev_by_serial(const struct host *h, uint64_t serial,
					   size_t *ret_count);

/* All mappings: the regions of Linux, then what decoders map without one. */
static inline size_t host_n_mappings(const struct host *h)
{
	return h->n_regions + h->n_derived;
}

static inline const struct region *host_mapping_at(const struct host *h, size_t i)
{
	return i < h->n_regions ? h->regions[i] : h->derived[i - h->n_regions];
}

/*
 * Return: whether the port counts a decoder as committed; true where the kernel does not count.
 * Linux shows the last size of a decoder that it has reset, and the size of one that it will
 * commit.
 */
static inline bool decoder_is_counted(const struct decoder *d)
{
	const struct opt_u64 n = d->port->decoders_committed;

	return !n.present || d->index < n.value;
}

/* Return: the mapping that a switch or endpoint decoder is a part of, or NULL. */
static inline const struct region *decoder_mapped_by(const struct decoder *d)
{
	return d->derived ? d->derived : d->region;
}

/*
 * Return: the number of the device's region of dynamic capacity, from 0 on, that the name of a
 * partition or mode stands for; absent for another name.
 */
struct opt_u64 dynamic_region_number(const char *name);

/* Return: whether the name is that of a partition or mode of dynamic capacity. */
static inline bool name_is_dynamic_capacity(const char *name)
{
	return dynamic_region_number(name).present;
}

/* Return: whether only the extents of the mapping have memory. */
bool region_has_extents(const struct region *r);

/* Return: the bytes that its extents have of a range relative to the region, ends included. */
uint64_t region_extent_bytes(const struct region *r, uint64_t first, uint64_t last);

/* Return: the bytes of the mapping at which memory is: all, or those of its extents. Absent when
 * not all of them are known. */
struct opt_u64 region_backed(const struct region *r);

/* Return: the bytes of all partitions together, 0 included; absent when one is not known. */
struct opt_u64 memdev_capacity(const struct memdev *m);

/*
 * Return: the first number that is no DPA of the device; absent when the capacity is not known, and
 * with a partition of which is not known where it begins.
 */
struct opt_u64 memdev_dpa_end(const struct memdev *m);

/* Return: the page of an SPA: the unit in which the kernel takes failed memory out of use. */
static inline uint64_t host_page(const struct host *h, uint64_t spa)
{
	return spa & ~(h->page_size - 1);
}

/* Return: the innermost /proc/iomem range that holds all of @first..@last, or NULL. */
const struct iomem_range *host_iomem_find(const struct host *h, uint64_t first, uint64_t last);

/* The kernel's words for our enums, for output. */
const char *decoder_mode_name(enum decoder_mode mode); /* "none", "ram", "pmem", "mixed", "other" */
const char *decoder_mode_word(const struct decoder *d);
const char *region_mode_word(const struct region *r);
const char *base_witness_name(enum base_witness w); /* "decoder", "mailbox"; NULL unknown */
const char *port_kind_name(enum port_kind kind);
const char *dax_mode_name(enum dax_mode mode); /* "unknown", "devdax", "system-ram" */

#endif
