// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Findings about hosts built in memory: each row of the table makes a host and names the findings
 * it must have. A last test checks that the rows together have every code.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/findings.h"
#include "model/topology.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"
#include "tests/prm/tables_fixture.h"

/* ---- hosts ------------------------------------------------------------------------------------
 */

static struct memdev *writable(const struct memdev *memdev)
{
	return (struct memdev *)(uintptr_t)memdev;
}

static struct dport *bridge_dport(unsigned int bridge)
{
	return (struct dport *)(uintptr_t)bridges[bridge]->parent_dport;
}

static struct port *endpoint_of(unsigned int device)
{
	return (struct port *)(uintptr_t)mem[device]->endpoint;
}

/* Two host bridges with two devices each, in a 4-way region of 1 GiB: nothing is wrong. */
static void usual(void)
{
	build_usual();
	for (size_t i = 0; i < m.host.n_memdevs; i++)
		mem[i]->enabled = true;
	for (size_t i = 0; i < m.host.n_ports; i++)
		((struct port *)(uintptr_t)m.ports[i])->enabled = true;
	m.root->enabled = true;
	window->cap_ram = OPT_BOOL(true);
	m.host.root = &m.root_directory;
}

/* A device of dynamic capacity. */
static void dynamic_device(void)
{
	static const struct named_partition part = {
		.name = "dynamic_ram_a", .size = OPT_U64(MIB_256), .qos_class = OPT_INT(3)};

	usual();
	mem[0]->named = &part;
	mem[0]->n_named = 1;
}

static void contradicted_base(void)
{
	static const struct named_partition part = {.name = "dynamic_ram_a",
						    .size = OPT_U64(MIB_256),
						    .base_doubt = "two witnesses differ"};

	usual();
	mem[0]->named = &part;
	mem[0]->n_named = 1;
}

/* region0 is of dynamic capacity, with @n extents. */
static void dynamic_region(size_t n, const char *doubt)
{
	static const struct dax_extent extents[] = {{"extent0.0", 0, 0xfff, NULL}};
	static struct dax_region dax;

	usual();
	dax = (struct dax_region){
		.region = region, .extents = extents, .n_extents = n, .extents_doubt = doubt};
	region->mode = DECODER_MODE_OTHER;
	region->other_mode = "dynamic_ram_a";
	region->dax = &dax;
}

static void one_extent(void)
{
	dynamic_region(1, NULL);
}

static void no_extent(void)
{
	dynamic_region(0, NULL);
}

static void doubtful_extents(void)
{
	dynamic_region(1, "extent0.1 is left out");
}

static void no_cxl(void)
{
	m.host.n_buses = 0;
}

static void no_root(void)
{
	usual();
	m.host.n_buses = 0;
}

static void empty_bus(void)
{
}

static void larger_device(void)
{
	usual();
	mem[0]->ram_size = OPT_U64(2 * MIB_256);
}

static void not_readable(void)
{
	static const char *const denied[] = {"/proc/iomem"};

	usual();
	m.host.denied = denied;
	m.host.n_denied = 1;
	m.host.tables[HOST_TABLE_CEDT] = (struct host_table){.error = -EACCES};
}

static void cedt_given(void)
{
	usual();
	m.host.tables[HOST_TABLE_CEDT].from = "cedt.dat";
}

static void cedt_absent(void)
{
	usual();
	m.host.tables[HOST_TABLE_CEDT] = (struct host_table){.error = -ENOENT};
}

static void cedt_unreadable(void)
{
	usual();
	m.host.tables[HOST_TABLE_CEDT] = (struct host_table){.error = -EIO};
}

static void cedt_without_window(void)
{
	usual();
	(void)model_window(&m, bridges, 2);
}

static void cedt_of_another(void)
{
	usual();
	m.host.tables[HOST_TABLE_CEDT].from = "cedt.dat";
	(void)model_window(&m, bridges, 1);
}

static void cedt_of_another_interleave(void)
{
	usual();
	m.host.tables[HOST_TABLE_CEDT].from = "cedt.dat";
	window->granularity = OPT_U64(2 * window->granularity.value);
}

static void no_window_in_cedt(void)
{
	model_cedt(&m, 0, NULL, 0);
}

/* The last window of the table is not shown. */
static void window_missing(void)
{
	usual();
	(void)model_window(&m, bridges, 1);
	model_cedt(&m, 0, NULL, 0);
	m.root->n_decoders--;
	m.host.n_decoders--;
}

static void xor_maps_not_one_to_one(void)
{
	static const uint64_t map = 0x2000000;

	usual();
	model_cedt(&m, 1, &map, 1);
}

static void notes(void)
{
	static const char *const texts[] = {"something was refused"};

	usual();
	m.host.notes = texts;
	m.host.n_notes = 1;
}

static void start_unknown(void)
{
	usual();
	window->start.present = false;
}

static void locked_window(void)
{
	usual();
	window->locked = OPT_BOOL(true);
}

static void iomem(void)
{
	static const struct iomem_range lines[] = {
		{BASE, BASE + 4 * MIB_256 - 1, 0, "System RAM"},
		{BASE + 5 * MIB_256, BASE + 6 * MIB_256 - 1, 0, "System RAM"},
	};

	usual();
	m.host.iomem = lines;
	m.host.n_iomem = 2;
}

/* One user of each kind, from the region on, with what is around the window. */
static void window_uses(void)
{
	static const struct iomem_range lines[] = {
		{BASE, BASE + MODEL_WINDOW_SIZE - 1, 0, "Soft Reserved"},
		{BASE, BASE + MODEL_WINDOW_SIZE - 1, 1, "CXL Window 0"},
		{BASE + 4 * MIB_256, BASE + 5 * MIB_256 - 1, 2, "System RAM"},
		{BASE + 5 * MIB_256, BASE + 6 * MIB_256 - 1, 2, "Reserved"},
		{BASE + 6 * MIB_256, BASE + 7 * MIB_256 - 1, 2, "Soft Reserved"},
		{BASE + 7 * MIB_256, BASE + 8 * MIB_256 - 1, 2, "PCI Bus 0000:0c"},
		{BASE + 8 * MIB_256, BASE + 9 * MIB_256 - 1, 2, "dax9.0"},
		{BASE + 9 * MIB_256, BASE + 10 * MIB_256 - 1, 2, "unknown"},
	};

	usual();
	m.host.iomem = lines;
	m.host.n_iomem = ARRAY_SIZE(lines);
}

static void soft_reserved_region(void)
{
	static const struct iomem_range lines[] = {
		{BASE, BASE + MODEL_WINDOW_SIZE - 1, 0, "CXL Window 0"},
		{BASE, BASE + 4 * MIB_256 - 1, 1, "Soft Reserved"},
		{BASE, BASE + 4 * MIB_256 - 1, 2, "region0"},
	};

	usual();
	m.host.iomem = lines;
	m.host.n_iomem = ARRAY_SIZE(lines);
}

static void soft_reserved_in_region(void)
{
	static const struct iomem_range lines[] = {
		{BASE, BASE + MODEL_WINDOW_SIZE - 1, 0, "CXL Window 0"},
		{BASE, BASE + 4 * MIB_256 - 1, 1, "region0"},
		{BASE, BASE + MIB_256 - 1, 2, "Soft Reserved"},
	};

	usual();
	m.host.iomem = lines;
	m.host.n_iomem = ARRAY_SIZE(lines);
}

static void windows_overlap(void)
{
	usual();
	model_window(&m, bridges, 1)->start = OPT_U64(BASE + 8 * MIB_256);
}

/* More ranges than Linux nests. */
static void crowd(void)
{
	static struct iomem_range lines[200];

	usual();
	for (unsigned int i = 0; i < ARRAY_SIZE(lines); i++)
		lines[i] = (struct iomem_range){BASE, BASE + 8 * MIB_256 - 1, i, "nested"};
	m.host.iomem = lines;
	m.host.n_iomem = ARRAY_SIZE(lines);
}

static void iomem_elsewhere(void)
{
	static const struct iomem_range line = {0, 0xfff, 0, "System RAM"};

	usual();
	m.host.iomem = &line;
	m.host.n_iomem = 1;
}

static void iomem_unread(void)
{
	iomem_elsewhere();
	m.host.iomem_unread = (struct iomem_range){
		BASE, UINT64_MAX, 0, "not known: a line of /proc/iomem has an unknown format"};
}

static void missing_dport(void)
{
	usual();
	((struct decoder_target *)(uintptr_t)window->targets)[1].dport = NULL;
}

/* ---- regions ----------------------------------------------------------------------------------
 */

static void no_region(void)
{
	usual();
	model_drop_region(&m, region);
	window->n_regions = 0;
}

static void unmapped(void)
{
	no_region();
	endpoint_decoder(mem[0], 0)->unmapped = "its DPA range is not known";
}

/* The decoders map what the region had. */
static void derived(void)
{
	usual();
	window->n_regions = 0;
	model_derive_region(&m, region);
}

static void derived_by_old_kernel(void)
{
	derived();
	m.host.kernel_release = "6.1.0";
}

/* Linux shows no device at the last position. */
static void derived_without_a_device(void)
{
	struct region_target *last;
	struct port *endpoint, *parent;

	derived();
	last = (struct region_target *)(uintptr_t)&m.host.derived[0]
		       ->targets[m.host.derived[0]->n_targets - 1];
	endpoint = (struct port *)(uintptr_t)last->memdev->endpoint;
	parent = (struct port *)(uintptr_t)endpoint->parent;
	ck_assert_ptr_eq(parent->children[parent->n_children - 1], endpoint);
	parent->n_children--;
	((struct memdev *)(uintptr_t)last->memdev)->endpoint = NULL;
	((struct decoder *)(uintptr_t)last->decoder)->size = OPT_U64(0);
	last->decoder = NULL;
	last->decoder_name = NULL;
	last->memdev = NULL;
}

/* Linux found only some of the decoders. */
static void derived_and_incomplete(void)
{
	static const struct region *list[1];

	derived();
	list[0] = region;
	region->commit = REGION_NOT_COMMITTED;
	region->derived = m.host.derived[0];
	((struct region *)(uintptr_t)m.host.derived[0])->of_region = region;
	m.host.regions = list;
	m.host.n_regions = 1;
}

static void derived_and_contradicted(void)
{
	derived();
	endpoint_decoder(mem[1], 0)->ways = OPT_U64(2);
}

/* The window ends before the decoders, which need a multiple of 256 MiB for each way. */
static void low_memory_hole(void)
{
	usual();
	window->start = region->resource;
	window->size = region->size = OPT_U64(region->size.value - MIB_256);
}

static void region_in_window(void)
{
	static const struct region *list[1];

	usual();
	list[0] = region;
	window->regions = list;
	window->n_regions = 1;
}

static void full_window(void)
{
	region_in_window();
	window->size = region->size;
}

static void no_address(void)
{
	usual();
	region->resource.present = false;
}

static void cached_region(void)
{
	usual();
	region->extended_linear_cache_size = OPT_U64(MIB_256);
}

static void targets_unknown(void)
{
	usual();
	region->n_targets = 0;
}

static void empty_position(void)
{
	usual();
	*region_target(region, 2) = (struct region_target){.position = 2};
	region->commit = REGION_NOT_COMMITTED;
}

static void idle_decoder(struct decoder *d)
{
	d->region = NULL;
	d->size = OPT_U64(0);
	d->dpa_size = OPT_U64(0);
	d->dpa_resource.present = false;
}

/* Linux has not attached a decoder that is committed for the region. */
static void refused_device(void)
{
	struct decoder *d;

	empty_position();
	d = endpoint_decoder(mem[2], 0);
	d->region = NULL;
	d->mode = region->mode;
}

static struct decoder *bridge_decoder(void)
{
	return (struct decoder *)(uintptr_t)bridges[0]->decoders[0];
}

static void emulated_device(void)
{
	refused_device();
	idle_decoder(bridge_decoder());
	endpoint_decoder(mem[2], 0)->ways = OPT_U64(1);
	endpoint_decoder(mem[2], 0)->granularity = OPT_U64(4096);
}

/* A bridge with one target, the granularity of which Linux compares before 6.16. */
static void one_way_bridge(void)
{
	build(2, 2, BASE);
	region->mode = DECODER_MODE_RAM;
	window->cap_ram = OPT_BOOL(true);
	bridge_decoder()->granularity = OPT_U64(256);
	m.host.root = &m.root_directory;
	m.host.kernel_release = "6.12.77";
	model_derive_region(&m, region);
}

/* Firmware programmed the endpoint, and not the bridge. */
static void half_programmed(void)
{
	refused_device();
	idle_decoder(bridge_decoder());
}

static void unexpected_device(void)
{
	refused_device();
	bridge_decoder()->granularity = OPT_U64(256);
}

static void unused_device(void)
{
	empty_position();
	idle_decoder(endpoint_decoder(mem[2], 0));
}

static void reserved_device(void)
{
	struct decoder *d;

	empty_position();
	d = endpoint_decoder(mem[2], 0);
	d->region = NULL;
	d->size = OPT_U64(0);
	d->mode = region->mode;
}

/* The missing device is below the bridge of its position, but has no driver. */
static void disabled_device(void)
{
	unused_device();
	mem[2]->enabled = false;
	writable(mem[2])->endpoint = NULL;
	mem[2]->path = "pci0000:00/0000:0d:00.0";
	bridge_dport(0)->name = "pci0000:00";
}

/* A PCI function below the bridge of position 2. */
static void put_function(const char *driver)
{
	static const struct pci_function pci = {.bdf = "0000:0e:00.0"};
	static struct unclaimed_function function;

	function = (struct unclaimed_function){&pci, driver, "pci0000:00/0000:0e:00.0"};
	m.host.unclaimed = &function;
	m.host.n_unclaimed = 1;
}

static void driverless_device(void)
{
	empty_position();
	bridge_dport(0)->name = "pci0000:00";
	mem[0]->bdf = "0000:0d:00.0";
	put_function(NULL);
}

static void log_says(const char *text)
{
	static struct kernel_log_line line;

	line = (struct kernel_log_line){.text = text};
	m.host.kernel_log = &line;
	m.host.n_kernel_log = 1;
}

static void device_without_mailbox(void)
{
	driverless_device();
	log_says("cxl_pci 0000:0e:00.0: registers not found: mbox ");
}

static void refused_device_that_is_gone(void)
{
	usual();
	log_says("cxl_pci 0000:0f:00.0: registers not found: status mbox memdev");
}

static void refused_memdev(void)
{
	usual();
	writable(mem[0])->endpoint = NULL;
	mem[0]->bdf = "0000:0d:00.0";
	log_says("cxl_pci 0000:0d:00.0: Media not active (-16)");
}

static void only_function(void)
{
	usual();
	for (size_t i = 0; i < m.host.n_memdevs; i++)
		mem[i]->bdf = NULL;
	put_function(NULL);
}

static void other_driver(void)
{
	usual();
	put_function("vfio-pci");
}

static void driver_without_memdev(void)
{
	usual();
	put_function("cxl_pci");
}

/* Firmware committed the decoders; Linux connects none with the region until it is complete. */
static void firmwares_region(void)
{
	empty_position();
	idle_decoder(endpoint_decoder(mem[2], 0));
	for (size_t i = 0; i < m.host.n_decoders; i++) {
		struct decoder *d = (struct decoder *)(uintptr_t)m.decoders[i];

		d->region = NULL;
		if (d->port->kind == PORT_HOST_BRIDGE)
			d->start = region->resource;
	}
}

static void firmwares_region_unreadable(void)
{
	firmwares_region();
	for (size_t i = 0; i < m.host.n_decoders; i++)
		if (m.decoders[i]->port->kind == PORT_HOST_BRIDGE)
			((struct decoder *)(uintptr_t)m.decoders[i])->start.present = false;
}

static void missing_decoder(void)
{
	usual();
	*region_target(region, 1) =
		(struct region_target){.position = 1, .decoder_name = "decoder99.0"};
}

static void swapped_targets(void)
{
	struct region_target first;

	usual();
	first = region->targets[0];
	*region_target(region, 0) = region->targets[1];
	*region_target(region, 1) = first;
	region_target(region, 0)->position = 0;
	region_target(region, 1)->position = 1;
}

/* Two devices at each bridge of a 3-way window, in the order that Linux gives them. */
static void six_way(void)
{
	build(3, 6, BASE + 2 * MIB_256);
	model_cedt(&m, 0, NULL, 0);
}

/* The second bridge selects its devices by an address bit above the interleave block. */
static void misrouting_bridge(void)
{
	usual();
	((struct decoder *)(uintptr_t)bridges[1]->decoders[0])->granularity = OPT_U64(1024);
}

static void wrong_numbers(void)
{
	struct decoder *d;

	usual();
	d = endpoint_decoder(mem[1], 0);
	d->dpa_size.value /= 2;
	d->size.value /= 2;
	d->start.value += MIB_256;
	d->ways = OPT_U64(2);
}

static void not_committed(void)
{
	usual();
	region->commit = REGION_NOT_COMMITTED;
}

static void commit_unknown(void)
{
	usual();
	region->commit = REGION_COMMIT_UNKNOWN;
}

static void no_driver(void)
{
	usual();
	region->enabled = false;
}

static void locked_region(void)
{
	usual();
	region->locked = OPT_BOOL(true);
}

static void system_ram(void)
{
	struct dax_device *d;

	usual();
	region->mode = DECODER_MODE_RAM;
	d = model_dax(&m, region, 1);
	d->mode = DAX_MODE_SYSTEM_RAM;
	d->online_blocks = OPT_U64(1);
	d->total_blocks = OPT_U64(4);
}

static void devdax(void)
{
	usual();
	(void)model_dax(&m, region, 1);
}

static void no_dax(void)
{
	usual();
	region->mode = DECODER_MODE_RAM;
}

static void one_way(void)
{
	build(1, 1, BASE);
	region->enabled = mem[0]->enabled = true;
	m.host.root = &m.root_directory;
	m.host.tables[HOST_TABLE_CEDT] = (struct host_table){.error = -ENOENT};
}

static void accelerator(void)
{
	no_dax();
	endpoint_decoder(mem[0], 0)->target_type = "accelerator";
}

/* ---- decoders ---------------------------------------------------------------------------------
 */

static void decoder_without_dpa(void)
{
	usual();
	endpoint_decoder(mem[0], 0)->dpa_size = OPT_U64(0);
}

static void refused_commit(void)
{
	not_committed();
	log_says("cxl_region region0: Failed to synchronize CPU cache state");
}

static void decoder_not_committed(void)
{
	usual();
	endpoint_decoder(mem[0], 0)->size = OPT_U64(0);
}

static void dpa_reserved(void)
{
	decoder_not_committed();
	endpoint_decoder(mem[0], 0)->region = NULL;
}

static void start_not_readable(void)
{
	struct decoder *d;

	no_region();
	d = endpoint_decoder(mem[0], 0);
	d->start.present = false;
	d->ways = OPT_U64(1);
	d->size = d->dpa_size;
}

static void outside_windows(void)
{
	no_region();
	endpoint_decoder(mem[0], 0)->start = OPT_U64(0x1000);
}

/* mem0 has a second decoder, for a region of its own in a second window. */
static void second_decoder(void)
{
	struct decoder *own;

	usual();
	mem[0]->ram_size = OPT_U64(2 * MIB_256);
	own = model_window(&m, bridges, 1);
	own->cap_ram = OPT_BOOL(true);
	(void)model_region(&m, own, own->start.value, mem, 1);
	model_cedt(&m, 0, NULL, 0);
}

static void descending_dpa(void)
{
	second_decoder();
	endpoint_decoder(mem[0], 0)->dpa_resource = OPT_U64(MIB_256);
	endpoint_decoder(mem[0], 1)->dpa_resource = OPT_U64(0);
}

static void descending_spa(void)
{
	second_decoder();
	endpoint_decoder(mem[0], 1)->start = OPT_U64(0x1000);
}

static void after_idle(void)
{
	second_decoder();
	idle_decoder(endpoint_decoder(mem[0], 0));
}

/* ---- Normalized addressing ---------------------------------------------------------------------
 */

static void normalized(void)
{
	usual();
	model_normalize(region);
}

static void put_prmt(void)
{
	m.host.tables[HOST_TABLE_PRMT] =
		(struct host_table){.data = prmt_captured, .len = sizeof(prmt_captured)};
}

static void normalized_captured(void)
{
	normalized();
	put_prmt();
	model_captured(&m, -1);
}

static void prmt_denied(void)
{
	normalized();
	m.host.tables[HOST_TABLE_PRMT] = (struct host_table){.error = -EACCES};
}

static void normalized_no_region(void)
{
	normalized();
	put_prmt();
	model_drop_region(&m, region);
}

static void old_kernel(void)
{
	normalized_no_region();
	m.host.kernel_release = "6.12.1";
}

static void normalized_capacity(void)
{
	normalized();
	mem[0]->ram_size = OPT_U64(2 * MIB_256);
}

/* ---- devices and capacity ----------------------------------------------------------------------
 */

static void no_serial(void)
{
	usual();
	mem[0]->serial = OPT_U64(0);
}

static void same_serial(void)
{
	usual();
	mem[0]->serial = mem[1]->serial = OPT_U64(7);
}

static struct memdev_pages bad_pages;

static void pages_out(void)
{
	usual();
	bad_pages = (struct memdev_pages){.memdev = mem[0], .remembered = 3, .out = 1};
}

static struct memdev_repairs bad_places;

static void listed_repairs(void)
{
	usual();
	bad_places = (struct memdev_repairs){.memdev = mem[0], .n = 3, .asked = 1};
}

static void persistent(void)
{
	usual();
	region->mode = DECODER_MODE_PMEM;
	region->nd_region = "region7";
	region->namespaces = OPT_U64(1);
}

static void no_namespace(void)
{
	persistent();
	region->namespaces = OPT_U64(0);
}

static void no_nd_region(void)
{
	usual();
	region->mode = DECODER_MODE_PMEM;
}

static void device_gone(void)
{
	usual();
	endpoint_of(0)->memdev = NULL;
}

static void no_dax_in_region(void)
{
	devdax();
	((struct dax_region *)(uintptr_t)m.host.dax_regions[0])->n_devices = 0;
}

/* A decoder of a bridge leads to a port that has nothing below it. */
static void empty_port(void)
{
	usual();
	bridges[1]->n_children--;
}

static void no_port_driver(void)
{
	usual();
	endpoint_of(0)->enabled = false;
}

static void no_endpoint(void)
{
	usual();
	writable(mem[0])->endpoint = NULL;
}

static void no_endpoint_nor_driver(void)
{
	no_endpoint();
	mem[0]->enabled = false;
}

static void capacity_unreadable(void)
{
	usual();
	mem[0]->ram_size.present = false;
}

static void no_capacity(void)
{
	usual();
	mem[0]->ram_size = OPT_U64(0);
}

/* No region, and no decoder is used. */
static void idle(void)
{
	static const struct iomem_range line = {0, 0xfff, 0, "System RAM"};

	no_region();
	m.host.iomem = &line;
	m.host.n_iomem = 1;
	for (size_t i = 0; i < m.host.n_decoders; i++)
		if (m.decoders[i]->port->kind != PORT_ROOT)
			idle_decoder((struct decoder *)(uintptr_t)m.decoders[i]);
}

static void idle_unseen(void)
{
	idle();
	m.host.n_iomem = 0;
}

static void idle_more_devices(void)
{
	struct memdev *more;

	idle();
	more = model_memdev(&m, bridges[0]);
	more->enabled = true;
	((struct port *)(uintptr_t)more->endpoint)->enabled = true;
	(void)model_idle_decoder(&m, (struct port *)(uintptr_t)more->endpoint);
}

static void own_window(void)
{
	idle();
	model_window(&m, bridges, 1)->cap_ram = OPT_BOOL(true);
}

static void decoders_passed(void)
{
	after_idle();
}

static void no_decoder(void)
{
	idle();
	endpoint_of(0)->n_decoders = 0;
}

static void too_small(void)
{
	idle();
	mem[0]->ram_size = OPT_U64(MIB_256 / 2);
}

static void idle_locked_window(void)
{
	idle();
	window->locked = OPT_BOOL(true);
}

static void idle_full_window(void)
{
	idle();
	window->size = OPT_U64(MIB_256 / 2);
}

static void idle_small_window(void)
{
	idle();
	window->size = OPT_U64(MIB_256);
}

static void idle_unknown_window(void)
{
	idle();
	window->size.present = false;
}

static void idle_unpaired_window(void)
{
	idle();
	mem[1]->ram_size = mem[3]->ram_size = OPT_U64(0);
}

static void no_window_for_ram(void)
{
	idle();
	window->cap_ram = OPT_BOOL(false);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

enum { ROW_CODES_MAX = 16 };

/* The findings of one object of a host. */
struct row {
	void (*build)(void);
	const char *object; /* NULL for any */
	enum finding_code codes[ROW_CODES_MAX];
	size_t n;
};

#define ROW(build_, object_, ...)                                                                  \
	{                                                                                          \
		.build = build_, .object = object_, .codes = {__VA_ARGS__},                        \
		.n = sizeof((enum finding_code[]){__VA_ARGS__}) / sizeof(enum finding_code)        \
	}

static const struct row rows[] = {
	ROW(no_cxl, "host", FINDING_HOST_NO_CXL),
	ROW(no_root, "host", FINDING_HOST_NO_ROOT),
	ROW(empty_bus, "host", FINDING_HOST_NO_WINDOW_SHOWN, FINDING_HOST_NO_MEMDEV,
	    FINDING_HOST_FIND_MEMDEV),
	ROW(no_window_in_cedt, "host", FINDING_HOST_NO_WINDOW),
	ROW(window_missing, "host", FINDING_HOST_WINDOWS_MISSING, FINDING_HOST_CHECK_WINDOWS),
	ROW(usual, "host", FINDING_HOST_SUMMARY, FINDING_HOST_ALL_MAPPED,
	    FINDING_HOST_NOT_NORMALIZED),
	ROW(usual, "mem0", FINDING_MEMDEV_IDENTITY, FINDING_MEMDEV_CONNECTED,
	    FINDING_MEMDEV_DECODERS, FINDING_CAPACITY_MAPPED),
	ROW(usual, "region0", FINDING_REGION_RANGE, FINDING_REGION_TARGETS, FINDING_REGION_ENABLED,
	    FINDING_REGION_ARITHMETIC, FINDING_REGION_USERS_UNKNOWN, FINDING_SOURCES),
	ROW(usual, NULL, FINDING_WINDOW_RANGE, FINDING_WINDOW_INTERLEAVE, FINDING_WINDOW_ALLOWS,
	    FINDING_WINDOW_ARITHMETIC, FINDING_WINDOW_ROOM, FINDING_WINDOW_GAP_UNKNOWN,
	    FINDING_DECODER_TARGETS, FINDING_PORT_DECODER_RANGE, FINDING_PORT_DECODER_INTERLEAVE,
	    FINDING_DECODER_IN_REGION, FINDING_DECODER_DPA, FINDING_DECODER_ORDINARY),
	ROW(region_in_window, NULL, FINDING_WINDOW_REGIONS),
	ROW(larger_device, "host", FINDING_HOST_PARTLY_MAPPED),
	ROW(larger_device, "mem0", FINDING_CAPACITY_UNMAPPED, FINDING_CAPACITY_DECODERS_USED),
	ROW(not_readable, "host", FINDING_HOST_ACCESS_DENIED, FINDING_RUN_AS_ROOT),
	ROW(not_readable, NULL, FINDING_WINDOW_CEDT_DENIED, FINDING_WINDOW_READ_CEDT),
	ROW(not_readable, "region0", FINDING_REGION_ARITHMETIC_UNKNOWN, FINDING_SOURCE_INTERVAL,
	    FINDING_SOURCE_READ_ADDRESSES),
	ROW(cedt_given, NULL, FINDING_HOST_TABLE_GIVEN, FINDING_WINDOW_CEDT_GIVEN),
	ROW(cedt_of_another, NULL, FINDING_WINDOW_CEDT_OTHER, FINDING_HOST_NOTE),
	ROW(cedt_of_another_interleave, NULL, FINDING_WINDOW_CEDT_OTHER, FINDING_HOST_NOTE),
	ROW(soft_reserved_region, "region0", FINDING_REGION_SOFT_RESERVED),
	ROW(soft_reserved_in_region, "region0", FINDING_REGION_SOFT_RESERVED),
	ROW(refused_device, "region0", FINDING_REGION_ATTACH_REFUSED,
	    FINDING_REGION_CHECK_KERNEL_LOG),
	ROW(emulated_device, "region0", FINDING_REGION_DECODER_EMULATED, FINDING_REGION_REBOOT),
	ROW(one_way_bridge, "spa-0000001000000000", FINDING_REGION_DECODER_UNEXPECTED,
	    FINDING_BOOT_NEWER_KERNEL),
	ROW(half_programmed, "region0", FINDING_REGION_DECODER_UNEXPECTED,
	    FINDING_REGION_CHANGE_FIRMWARE),
	ROW(unexpected_device, "region0", FINDING_REGION_DECODER_UNEXPECTED,
	    FINDING_REGION_CHANGE_FIRMWARE),
	ROW(cedt_absent, NULL, FINDING_WINDOW_CEDT_ABSENT),
	ROW(cedt_unreadable, NULL, FINDING_WINDOW_CEDT_UNREADABLE),
	ROW(cedt_without_window, NULL, FINDING_WINDOW_NOT_IN_CEDT),
	ROW(xor_maps_not_one_to_one, NULL, FINDING_WINDOW_XOR_AMBIGUOUS,
	    FINDING_WINDOW_UPDATE_FIRMWARE),
	ROW(notes, "host", FINDING_HOST_NOTE),
	ROW(start_unknown, NULL, FINDING_WINDOW_START_UNKNOWN),
	ROW(locked_window, NULL, FINDING_WINDOW_LOCKED),
	ROW(usual, NULL, FINDING_WINDOW_NO_REGION),
	ROW(full_window, NULL, FINDING_WINDOW_FULL),
	ROW(window_uses, NULL, FINDING_WINDOW_SOFT_RESERVED_AROUND, FINDING_WINDOW_SYSTEM_RAM,
	    FINDING_WINDOW_RESERVED, FINDING_WINDOW_SOFT_RESERVED, FINDING_WINDOW_PCI,
	    FINDING_WINDOW_DAX_DEVICE, FINDING_WINDOW_UNKNOWN_USE, FINDING_WINDOW_GAP),
	ROW(windows_overlap, NULL, FINDING_WINDOW_OVERLAP, FINDING_WINDOW_NO_ROOM),
	ROW(crowd, NULL, FINDING_WINDOW_UNREAD),
	ROW(iomem_unread, NULL, FINDING_WINDOW_UNREAD),
	ROW(iomem_unread, "region0", FINDING_REGION_USERS_UNKNOWN),
	ROW(no_region, NULL, FINDING_WINDOW_DECODED),
	ROW(iomem, "region0", FINDING_REGION_USERS),
	ROW(iomem_elsewhere, "region0", FINDING_REGION_NO_USER),
	ROW(missing_dport, NULL, FINDING_DECODER_TARGET_MISSING),

	ROW(no_region, "host", FINDING_HOST_NOTHING_MAPPED),
	ROW(no_region, NULL, FINDING_DECODER_NO_REGION, FINDING_DECODER_ALONE_IN_WINDOW,
	    FINDING_DECODER_CHECK_KERNEL_LOG, FINDING_SOURCE_NONE),
	ROW(unmapped, NULL, FINDING_DECODER_UNMAPPED),
	ROW(derived, NULL, FINDING_HOST_DECODERS_MAP, FINDING_WINDOW_MAPPINGS,
	    FINDING_DECODER_IN_REGION, FINDING_MAPPING_NO_REGION, FINDING_MAPPING_CHECK_KERNEL_LOG),
	ROW(derived_without_a_device, NULL, FINDING_MAPPING_INCOMPLETE),
	ROW(derived_by_old_kernel, NULL, FINDING_MAPPING_UPDATE_KERNEL),
	ROW(derived_and_incomplete, NULL, FINDING_MAPPING_OF_REGION, FINDING_REGION_DECODED),
	ROW(derived_and_contradicted, NULL, FINDING_MAPPING_CONTRADICTED),
	ROW(low_memory_hole, "region0", FINDING_REGION_LOW_MEMORY_HOLE),
	ROW(no_address, "region0", FINDING_REGION_NO_ADDRESS),
	ROW(cached_region, "region0", FINDING_REGION_MEMORY_CACHE),
	ROW(targets_unknown, "region0", FINDING_REGION_TARGETS_UNKNOWN),
	ROW(no_address, "region0", FINDING_REGION_CREATE_ANEW),
	ROW(empty_position, "region0", FINDING_REGION_INCOMPLETE, FINDING_REGION_FIND_MEMDEV),
	ROW(unused_device, "region0", FINDING_REGION_INCOMPLETE, FINDING_REGION_ATTACH,
	    FINDING_REGION_COMMIT),
	ROW(unused_device, "mem2", FINDING_CAPACITY_AWAITED),
	ROW(reserved_device, "region0", FINDING_REGION_ATTACH_RESERVED),
	ROW(reserved_device, "mem2", FINDING_CAPACITY_AWAITED),
	ROW(disabled_device, "region0", FINDING_REGION_INCOMPLETE, FINDING_REGION_ENABLE_MEMDEV),
	ROW(driverless_device, "region0", FINDING_REGION_INCOMPLETE, FINDING_REGION_BIND_FUNCTION),
	ROW(driverless_device, "0000:0e:00.0", FINDING_FUNCTION_NO_DRIVER, FINDING_FUNCTION_BIND),
	ROW(device_without_mailbox, "0000:0e:00.0", FINDING_FUNCTION_NO_DRIVER,
	    FINDING_KERNEL_REFUSED, FINDING_KERNEL_REFUSED_NEXT),
	ROW(refused_device_that_is_gone, "0000:0f:00.0", FINDING_KERNEL_REFUSED,
	    FINDING_KERNEL_REFUSED_NEXT),
	ROW(refused_memdev, "mem0", FINDING_MEMDEV_NO_ENDPOINT, FINDING_KERNEL_REFUSED,
	    FINDING_KERNEL_REFUSED_NEXT),
	ROW(refused_commit, "region0", FINDING_REGION_NOT_COMMITTED, FINDING_KERNEL_REFUSED,
	    FINDING_KERNEL_REFUSED_NEXT),
	ROW(firmwares_region, "region0", FINDING_REGION_INCOMPLETE, FINDING_REGION_FIND_MEMDEV),
	ROW(firmwares_region_unreadable, "region0", FINDING_REGION_INCOMPLETE,
	    FINDING_REGION_CHECK_KERNEL_LOG),
	ROW(missing_decoder, "region0", FINDING_REGION_DEVICE_GONE, FINDING_REGION_DISABLE),
	ROW(swapped_targets, "region0", FINDING_REGION_TARGET_MISPLACED,
	    FINDING_REGION_ORDER_EFFECT),
	ROW(six_way, "region0", FINDING_REGION_KERNEL_ADDRESS),
	ROW(misrouting_bridge, "region0", FINDING_REGION_TARGETS_MISROUTED),
	ROW(wrong_numbers, "region0", FINDING_REGION_SHARE_MISMATCH, FINDING_REGION_SIZE_MISMATCH,
	    FINDING_REGION_START_MISMATCH, FINDING_REGION_WAYS_MISMATCH),
	ROW(not_committed, "region0", FINDING_REGION_NOT_COMMITTED, FINDING_REGION_COMMIT),
	ROW(commit_unknown, "region0", FINDING_REGION_COMMIT_UNKNOWN),
	ROW(no_driver, "region0", FINDING_REGION_NO_DRIVER, FINDING_REGION_ENABLE),
	ROW(locked_region, "region0", FINDING_REGION_LOCKED),
	ROW(system_ram, "region0", FINDING_REGION_SYSTEM_RAM, FINDING_REGION_ONLINE_MEMORY),
	ROW(devdax, "region0", FINDING_REGION_DAX_DEVICE),
	ROW(no_dax, "region0", FINDING_REGION_NO_DAX_DEVICE, FINDING_REGION_CHECK_DAX_DRIVER),

	ROW(accelerator, "region0", FINDING_REGION_OF_ACCELERATOR),

	ROW(decoder_without_dpa, NULL, FINDING_DECODER_NO_DPA, FINDING_DECODER_SIZE_MISMATCH),
	ROW(decoder_not_committed, NULL, FINDING_DECODER_NOT_COMMITTED),
	ROW(dpa_reserved, NULL, FINDING_DECODER_DPA_RESERVED, FINDING_DECODER_FREE_DPA),
	ROW(start_not_readable, NULL, FINDING_DECODER_MAPPING_UNKNOWN,
	    FINDING_DECODER_START_UNKNOWN, FINDING_RUN_AS_ROOT),
	ROW(outside_windows, NULL, FINDING_DECODER_OUTSIDE_WINDOWS),
	ROW(idle, NULL, FINDING_DECODER_IDLE),
	ROW(descending_dpa, "mem0", FINDING_DECODER_DPA_NOT_ASCENDING),
	ROW(descending_spa, "mem0", FINDING_DECODER_SPA_NOT_ASCENDING),
	ROW(after_idle, "mem0", FINDING_DECODER_AFTER_IDLE),

	ROW(normalized, "host", FINDING_HOST_NORMALIZED, FINDING_HOST_HANDLER_MISSING),
	ROW(normalized, "region0", FINDING_REGION_NORMALIZED, FINDING_REGION_LOCKED,
	    FINDING_SOURCE_INTERVAL, FINDING_SOURCE_NEEDS_HANDLER),
	ROW(normalized, NULL, FINDING_DECODER_NORMALIZED, FINDING_DECODER_LOCKED),
	ROW(normalized_captured, "host", FINDING_HOST_HANDLER_PRESENT),
	ROW(normalized_captured, "region0", FINDING_SOURCE_NOT_RECORDED),
	ROW(prmt_denied, "region0", FINDING_SOURCE_READ_PRMT),
	ROW(normalized_no_region, NULL, FINDING_DECODER_NORMALIZED_NO_REGION,
	    FINDING_DECODER_CHECK_KERNEL),
	ROW(old_kernel, NULL, FINDING_DECODER_KERNEL_TOO_OLD, FINDING_DECODER_UPDATE_KERNEL),
	ROW(normalized_capacity, "mem0", FINDING_CAPACITY_NORMALIZED),

	ROW(no_port_driver, "mem0", FINDING_MEMDEV_NO_PORT_DRIVER),
	ROW(no_endpoint, "mem0", FINDING_MEMDEV_NO_ENDPOINT, FINDING_MEMDEV_CHECK_KERNEL_LOG),
	ROW(no_endpoint_nor_driver, "mem0", FINDING_MEMDEV_NO_DRIVER, FINDING_MEMDEV_ENABLE),
	ROW(no_port_driver, "mem0", FINDING_MEMDEV_ENABLE_PORT),
	ROW(no_port_driver, "endpoint3", FINDING_PORT_DISABLED, FINDING_PORT_ENABLE),
	ROW(no_serial, "mem0", FINDING_MEMDEV_SERIAL_ZERO, FINDING_MEMDEV_NAME_BY_PLACE),
	ROW(same_serial, "mem0", FINDING_MEMDEV_SERIAL_SHARED, FINDING_MEMDEV_NAME_BY_PLACE),
	ROW(pages_out, "mem0", FINDING_MEMDEV_PAGES, FINDING_MEMDEV_LIST_PAGES),
	ROW(listed_repairs, "mem0", FINDING_MEMDEV_WORKLIST, FINDING_MEMDEV_LIST_REPAIRS),
	ROW(persistent, "region0", FINDING_REGION_NAMESPACES),
	ROW(no_namespace, "region0", FINDING_REGION_NO_NAMESPACE, FINDING_REGION_CREATE_NAMESPACE),
	ROW(no_nd_region, "region0", FINDING_REGION_NO_ND_REGION, FINDING_REGION_LOAD_PMEM),
	ROW(usual, NULL, FINDING_PORT_PLACE, FINDING_PORT_CHILDREN, FINDING_DPORT_PLACE),
	ROW(device_gone, NULL, FINDING_ENDPOINT_NO_MEMDEV, FINDING_PORT_RESCAN),
	ROW(empty_port, NULL, FINDING_PORT_NO_CHILD, FINDING_DPORT_LEADS_NOWHERE,
	    FINDING_PORT_RESCAN),
	ROW(devdax, "dax0.0", FINDING_DAX_RANGE),
	ROW(devdax, "dax_region0", FINDING_DAX_REGION_DEVICES),
	ROW(no_dax_in_region, "dax_region0", FINDING_DAX_REGION_EMPTY),
	ROW(only_function, "0000:0e:00.0", FINDING_FUNCTION_LOAD_DRIVER),
	ROW(other_driver, "0000:0e:00.0", FINDING_FUNCTION_OTHER_DRIVER),
	ROW(driver_without_memdev, "0000:0e:00.0", FINDING_FUNCTION_NO_MEMDEV,
	    FINDING_FUNCTION_CHECK_KERNEL_LOG),
	ROW(capacity_unreadable, "mem0", FINDING_CAPACITY_UNREADABLE),
	ROW(dynamic_device, "mem0", FINDING_CAPACITY_NAMED, FINDING_CAPACITY_BASE_UNKNOWN),
	ROW(contradicted_base, "mem0", FINDING_CAPACITY_BASE_CONTRADICTED),
	ROW(one_extent, "region0", FINDING_REGION_EXTENTS),
	ROW(no_extent, "region0", FINDING_REGION_NO_EXTENT),
	ROW(doubtful_extents, "region0", FINDING_REGION_EXTENTS_UNKNOWN),
	ROW(no_capacity, "mem0", FINDING_CAPACITY_NONE),
	ROW(decoders_passed, "mem0", FINDING_CAPACITY_DECODERS_PASSED),
	ROW(no_decoder, "mem0", FINDING_CAPACITY_NO_DECODER),
	ROW(too_small, "mem0", FINDING_CAPACITY_TOO_SMALL),
	ROW(own_window, "mem0", FINDING_CAPACITY_CREATE_REGION),
	ROW(idle, "mem0", FINDING_CAPACITY_CREATE_SHARED),
	ROW(idle_unseen, "mem0", FINDING_CAPACITY_CREATE_CHECKED),
	ROW(idle_locked_window, "mem0", FINDING_CAPACITY_REFUSED),
	ROW(idle_full_window, "mem0", FINDING_CAPACITY_REFUSED),
	ROW(idle_small_window, "mem0", FINDING_CAPACITY_REFUSED),
	ROW(idle_unknown_window, "mem0", FINDING_CAPACITY_REFUSED),
	ROW(idle_unpaired_window, "mem0", FINDING_CAPACITY_REFUSED),
	ROW(idle_more_devices, "mem4", FINDING_CAPACITY_LEFT_OUT),
	ROW(no_window_for_ram, "mem0", FINDING_CAPACITY_NO_WINDOW),
};

static struct findings f;

/* All findings of the host, and of every decoder, port and dax device. */
static void collect(void)
{
	model_ready(&m);
	ck_assert_int_eq(findings_init(&f, &m.host, m.t, NULL, (struct firmware_timeout){0}), 0);
	f.pages = &bad_pages;
	f.n_pages = bad_pages.memdev != NULL;
	f.repairs = &bad_places;
	f.n_repairs = bad_places.memdev != NULL;
	findings_of_host(&f);
	for (size_t i = 0; i < m.host.n_decoders; i++)
		findings_of_decoder(&f, m.host.decoders[i]);
	for (size_t i = 0; i < m.host.n_ports; i++) {
		findings_of_port(&f, m.host.ports[i]);
		for (size_t k = 0; k < m.host.ports[i]->n_dports; k++)
			findings_of_dport(&f, m.host.ports[i], &m.host.ports[i]->dports[k]);
	}
	for (size_t i = 0; i < m.host.n_dax_regions; i++) {
		findings_of_dax_region(&f, "dax_region0", m.host.dax_regions[i]);
		for (size_t k = 0; k < m.host.dax_regions[i]->n_devices; k++)
			findings_of_dax_device(&f, m.host.dax_regions[i]->devices[k]);
	}
	ARRAY_FOREACH(one, &f.list)
		ck_assert_msg(finding_is_typed(one), "%s", finding_row(one->code)->name);
	ck_assert(!f.no_memory);
}

static const struct finding *finding_of(const char *object, enum finding_code code)
{
	ARRAY_FOREACH(one, &f.list)
		if (one->code == code && (!object || str_equal(one->object, object)))
			return one;
	return NULL;
}

static void teardown(void)
{
	bad_pages = (struct memdev_pages){0};
	bad_places = (struct memdev_repairs){0};
	findings_done(&f);
	model_teardown();
}

START_TEST(a_host_has_the_findings_of_its_row)
{
	const struct row *row = &rows[_i];

	row->build();
	collect();
	for (size_t i = 0; i < row->n; i++)
		ck_assert_msg(finding_of(row->object, row->codes[i]), "row %d, %s: no %s", _i,
			      row->object ? row->object : "any object",
			      finding_row(row->codes[i])->name);
}
END_TEST

/* Linux answers the same to a write of the user as it did to itself. */
START_TEST(a_refused_decoder_is_not_attached_by_hand)
{
	void (*const builds[])(void) = {refused_device, emulated_device, unexpected_device,
					half_programmed};

	builds[_i]();
	collect();
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_ATTACH));
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_ATTACH_RESERVED));
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_COMMIT));
}
END_TEST

static void region_is_locked(void)
{
	region->locked = OPT_BOOL(true);
}

static void decoder_is_locked(void)
{
	endpoint_decoder(mem[1], 0)->locked = OPT_BOOL(true);
}

static void region_has_namespaces(void)
{
	region->namespaces = OPT_U64(1);
}

/* Firmware's, after the region's on the same device: Linux frees DPA from the last one downwards.
 */
static void later_decoder_is_used(void)
{
	struct decoder *later = model_idle_decoder(&m, endpoint_of(0));

	later->dpa_resource = OPT_U64(MIB_256);
	later->dpa_size = later->size = OPT_U64(MIB_256);
}

START_TEST(no_region_is_to_be_destroyed_that_linux_would_not_remove)
{
	void (*const obstacles[])(void) = {region_is_locked, decoder_is_locked,
					   region_has_namespaces, later_decoder_is_used};

	no_address();
	obstacles[_i]();
	collect();
	ck_assert_ptr_nonnull(finding_of("region0", FINDING_REGION_NO_ADDRESS));
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_CREATE_ANEW));
}
END_TEST

START_TEST(only_the_last_decoder_is_to_be_freed)
{
	struct decoder *first, *later;

	dpa_reserved();
	first = endpoint_decoder(mem[0], 0);
	later = model_idle_decoder(&m, endpoint_of(0));
	later->dpa_resource = OPT_U64(MIB_256);
	later->dpa_size = OPT_U64(MIB_256);
	collect();
	ck_assert_ptr_nonnull(finding_of(first->name, FINDING_DECODER_DPA_RESERVED));
	ck_assert_ptr_null(finding_of(first->name, FINDING_DECODER_FREE_DPA));
	ck_assert_ptr_nonnull(finding_of(later->name, FINDING_DECODER_FREE_DPA));
}
END_TEST

/* Attaching the device to the region that lacks it is the advice. */
START_TEST(memory_that_a_region_waits_for_is_not_to_be_freed)
{
	reserved_device();
	collect();
	ck_assert_ptr_nonnull(finding_of(NULL, FINDING_DECODER_DPA_RESERVED));
	ck_assert_ptr_null(finding_of(NULL, FINDING_DECODER_FREE_DPA));
}
END_TEST

/* Neither volatile nor persistent: nothing that a region could be made of. */
START_TEST(no_region_is_to_be_created_of_empty_partitions)
{
	idle();
	mem[0]->ram_size = mem[0]->pmem_size = OPT_U64(0);
	collect();
	ck_assert_ptr_nonnull(finding_of("mem0", FINDING_CAPACITY_NONE));
	ARRAY_FOREACH(one, &f.list)
		ck_assert_msg(!str_equal(one->object, "mem0") ||
				      finding_level(one->code) != FINDING_ADVICE,
			      "%s", finding_row(one->code)->name);
}
END_TEST

START_TEST(a_table_of_another_machine_gives_no_arithmetic)
{
	cedt_of_another();
	collect();
	ck_assert_ptr_null(translator_cedt(m.t));
	ck_assert_ptr_null(finding_of(NULL, FINDING_WINDOW_CEDT_GIVEN));
	ck_assert_ptr_null(finding_of("host", FINDING_HOST_TABLE_GIVEN));
	ck_assert_ptr_null(finding_of(window->name, FINDING_WINDOW_ARITHMETIC));
}
END_TEST

START_TEST(a_host_in_order_has_no_problems)
{
	usual();
	collect();
	ARRAY_FOREACH(one, &f.list)
		ck_assert_msg(finding_level(one->code) != FINDING_PROBLEM, "%s: %s", one->object,
			      finding_row(one->code)->name);
}
END_TEST

START_TEST(the_region_of_an_accelerator_needs_no_dax_device)
{
	accelerator();
	collect();
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_NO_DAX_DEVICE));
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_CHECK_DAX_DRIVER));
}
END_TEST

START_TEST(the_region_of_an_accelerator_needs_its_driver)
{
	accelerator();
	region->enabled = false;
	collect();
	ck_assert_ptr_nonnull(finding_of("region0", FINDING_REGION_NO_DRIVER));
}
END_TEST

START_TEST(the_arithmetic_of_one_way_is_known_without_cedt)
{
	one_way();
	collect();
	ck_assert_ptr_null(finding_of("region0", FINDING_REGION_ARITHMETIC_UNKNOWN));
	ck_assert_ptr_nonnull(finding_of("region0", FINDING_REGION_ARITHMETIC));
	ck_assert_ptr_null(finding_of("decoder0.0", FINDING_WINDOW_CEDT_ABSENT));
}
END_TEST

/* Codes that need more than a host in memory. */
static bool is_tested_elsewhere(enum finding_code code)
{
	switch (code) {
	case FINDING_SOURCES_PARTLY: /* these three: recorded answers, tests/cli/explain.sh */
	case FINDING_SOURCE_INTERVAL_PARTLY:
	case FINDING_SOURCE_FEW_RECORDED:
	case FINDING_MEMDEV_REPAIRS: /* these two: check_repairs, tests/cli/repair.sh */
	case FINDING_MEMDEV_NO_REPAIRS:
	case FINDING_SOURCE_NEEDS_FIRMWARE: /* a test below */
	case FINDING_SOURCE_NONE_PARTLY:    /* none: needs firmware that fails for some addresses */
		return true;
	default:
		/* check_findings_switch, check_health */
		return code >= FINDING_SWITCH_MAILBOX;
	}
}

START_TEST(every_code_has_a_row)
{
	bool found[FINDING_CODE_COUNT] = {false};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t k = 0; k < rows[i].n; k++)
			found[rows[i].codes[k]] = true;
	for (int i = 0; i < FINDING_CODE_COUNT; i++)
		ck_assert_msg(found[i] || is_tested_elsewhere((enum finding_code)i), "%s",
			      finding_row((enum finding_code)i)->name);
}
END_TEST

START_TEST(firmware_out_of_reach_is_a_finding_of_each_decoder_and_of_the_device)
{
	struct firmware_timeout timeout = {0};

	normalized();
	put_prmt();
	ck_assert_int_eq(firmware_new("/nonexistent/cxl_prm", &m.firmware), 0);
	model_ready(&m);
	ck_assert_int_eq(findings_init(&f, &m.host, m.t, m.firmware, timeout), 0);
	findings_of_host(&f);
	ck_assert_ptr_nonnull(finding_of("region0", FINDING_SOURCE_NEEDS_FIRMWARE));
	ck_assert_ptr_nonnull(finding_of(FIRMWARE_DEVICE, FINDING_FIRMWARE_UNAVAILABLE));
	ck_assert_ptr_nonnull(finding_of(FIRMWARE_DEVICE, FINDING_FIRMWARE_ADVICE));
	ck_assert_ptr_null(finding_of(NULL, FINDING_FIRMWARE_READY));
	m.t = translator_unref(m.t);
	m.firmware = firmware_free(m.firmware);
}
END_TEST

START_TEST(firmware_out_of_reach_is_no_finding_where_it_is_not_needed)
{
	struct firmware_timeout timeout = {0};

	usual();
	ck_assert_int_eq(firmware_new("/nonexistent/cxl_prm", &m.firmware), 0);
	model_ready(&m);
	ck_assert_int_eq(findings_init(&f, &m.host, m.t, m.firmware, timeout), 0);
	findings_of_host(&f);
	ck_assert_ptr_null(finding_of(FIRMWARE_DEVICE, FINDING_FIRMWARE_UNAVAILABLE));
	m.t = translator_unref(m.t);
	m.firmware = firmware_free(m.firmware);
}
END_TEST

/* ---- arguments --------------------------------------------------------------------------------
 */

START_TEST(arguments_have_types_and_values)
{
	const struct finding *one;

	larger_device();
	collect();
	one = finding_of("mem0", FINDING_CAPACITY_UNMAPPED);
	ck_assert_int_eq(one->args[0].type, FINDING_ARG_RANGE);
	ck_assert_uint_eq(one->args[0].range.start.value, MIB_256);
	ck_assert_uint_eq(one->args[0].range.size.value, MIB_256);
	ck_assert_int_eq(one->args[1].type, FINDING_ARG_SIZE);
	ck_assert_uint_eq(one->args[1].range.size.value, MIB_256);
	ck_assert_str_eq(one->args[2].text, "ram");
	ck_assert_int_eq(one->args[3].type, FINDING_ARG_NONE);
	one = finding_of("host", FINDING_HOST_SUMMARY);
	ck_assert_str_eq(one->args[0].text, m.host.kernel_release);
	ck_assert_uint_eq(one->args[3].number, 4);
}
END_TEST

START_TEST(a_list_names_each_target_with_its_position)
{
	const struct finding_item *item;
	unsigned int n = 0;

	usual();
	collect();
	item = finding_of("region0", FINDING_REGION_TARGETS)->args[0].list;
	for (; item; item = item->next, n++) {
		ck_assert_uint_eq(item->position.value, n);
		ck_assert_str_eq(item->name, mem[n]->name);
		ck_assert_str_eq(item->detail, region->targets[n].decoder_name);
	}
	ck_assert_uint_eq(n, 4);
}
END_TEST

START_TEST(equal_findings_of_one_object_are_kept_once)
{
	size_t sources = 0;

	usual();
	collect();
	ARRAY_FOREACH(one, &f.list)
		sources += one->code == FINDING_SOURCES && str_equal(one->object, "region0");
	ck_assert_uint_eq(sources, 1); /* of four targets */
}
END_TEST

START_TEST(a_device_of_a_region_has_its_decoders_when_asked_for)
{
	usual();
	model_ready(&m);
	ck_assert_int_eq(findings_init(&f, &m.host, m.t, NULL, (struct firmware_timeout){0}), 0);
	findings_of_memdev(&f, mem[0], false);
	ck_assert_ptr_null(finding_of(NULL, FINDING_DECODER_IN_REGION));
	findings_of_memdev(&f, mem[0], true);
	ck_assert_ptr_nonnull(finding_of(NULL, FINDING_DECODER_IN_REGION));
}
END_TEST

START_TEST(findings_are_equal_by_code_and_arguments)
{
	const struct finding_item items[] = {{.name = "a", .next = &items[1]}, {.name = "b"}};
	const struct finding_item copies[] = {{.name = "a", .next = &copies[1]}, {.name = "b"}};
	struct finding a = {
		.code = FINDING_HOST_NORMALIZED,
		.object = "host",
		.args = {finding_list(items), finding_text("x"), finding_hex(1),
			 finding_size(OPT_U64(2)), finding_range(OPT_U64(3), OPT_U64(4)),
			 finding_reason(REASON_NO_PRMT)},
	};
	struct finding b = a;

	b.object = "other";
	b.args[0] = finding_list(copies);
	ck_assert(finding_equal(&a, &b));
	b.args[0] = finding_list(&copies[1]);
	ck_assert(!finding_equal(&a, &b));
	b = a;
	b.args[1] = finding_text("y");
	ck_assert(!finding_equal(&a, &b));
	b = a;
	b.args[2] = finding_number(1);
	ck_assert(!finding_equal(&a, &b));
	b = a;
	b.args[4].range.size.present = false;
	ck_assert(!finding_equal(&a, &b));
	b = a;
	b.args[5] = finding_reason(REASON_NO_HANDLER);
	ck_assert(!finding_equal(&a, &b));
	b = a;
	b.code = FINDING_HOST_NOTE;
	ck_assert(!finding_equal(&a, &b));
}
END_TEST

SUITE(check_findings)
{
	Suite *suite = suite_create("findings");
	TCase *t = tcase_create("findings");

	tcase_add_checked_fixture(t, model_setup, teardown);
	tcase_add_loop_test(t, a_host_has_the_findings_of_its_row, 0, (int)ARRAY_SIZE(rows));
	tcase_add_test(t, a_host_in_order_has_no_problems);
	tcase_add_loop_test(t, a_refused_decoder_is_not_attached_by_hand, 0, 4);
	tcase_add_loop_test(t, no_region_is_to_be_destroyed_that_linux_would_not_remove, 0, 4);
	tcase_add_test(t, only_the_last_decoder_is_to_be_freed);
	tcase_add_test(t, memory_that_a_region_waits_for_is_not_to_be_freed);
	tcase_add_test(t, no_region_is_to_be_created_of_empty_partitions);
	tcase_add_test(t, a_table_of_another_machine_gives_no_arithmetic);
	tcase_add_test(t, every_code_has_a_row);
	tcase_add_test(t, the_region_of_an_accelerator_needs_no_dax_device);
	tcase_add_test(t, the_region_of_an_accelerator_needs_its_driver);
	tcase_add_test(t, the_arithmetic_of_one_way_is_known_without_cedt);
	tcase_add_test(t, firmware_out_of_reach_is_a_finding_of_each_decoder_and_of_the_device);
	tcase_add_test(t, firmware_out_of_reach_is_no_finding_where_it_is_not_needed);
	tcase_add_test(t, arguments_have_types_and_values);
	tcase_add_test(t, a_list_names_each_target_with_its_position);
	tcase_add_test(t, equal_findings_of_one_object_are_kept_once);
	tcase_add_test(t, a_device_of_a_region_has_its_decoders_when_asked_for);
	tcase_add_test(t, findings_are_equal_by_code_and_arguments);
	suite_add_tcase(suite, t);
	return suite;
}
