// SPDX-License-Identifier: LGPL-2.1-or-later
/* Choices of a region's plan, and values that are not possible. */
#include "tests/lib/suites.h"
#include "tests/model/region_plan_fixture.h"

/* ---- choices ---- */

START_TEST(all_devices_are_interleaved_and_spread_over_bridges)
{
	make_host(2, 2);
	ready();
	EXPECT(0, 2, 1, 3);
	ck_assert_int_eq(plan.mode, DECODER_MODE_RAM);
	ck_assert_uint_eq(plan.granularity, 256);
	ck_assert_uint_eq(plan.share, MIB_256);
	ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE));
	for (unsigned int i = 0; i < 4; i++) {
		ck_assert_ptr_eq(plan.positions[i].decoder,
				 endpoint_decoder(plan.positions[i].memdev, 0));
		ck_assert_uint_eq(plan.positions[i].dpa, 0);
		ck_assert_ptr_null(plan.positions[i].left_behind);
	}
}
END_TEST

START_TEST(ports_of_switches_are_used_in_turn)
{
	struct port *sw[2];

	bridges[0] = model_bridge(&m);
	sw[0] = model_switch(&m, bridges[0]);
	sw[1] = model_switch(&m, bridges[0]);
	for (unsigned int i = 0; i < 4; i++)
		mem[i] = model_memdev(&m, sw[i / 2]);
	window = model_window(&m, bridges, 1);
	ready();
	EXPECT(0, 2, 1, 3);
	/* Two of them: one below each switch. */
	q.ways = 2;
	EXPECT(0, 2);
}
END_TEST

START_TEST(the_order_in_which_devices_were_probed_does_not_matter)
{
	const struct port **children;

	make_host(1, 4);
	ready();
	children = (const struct port **)(uintptr_t)bridges[0]->children;
	for (size_t i = 0; i < 2; i++) {
		const struct port *other = children[i];

		children[i] = children[3 - i];
		children[3 - i] = other;
	}
	EXPECT(0, 1, 2, 3);
	q.ways = 2;
	EXPECT(0, 1);
}
END_TEST

/* 02, 09, 0a, 1a: not 02, 1a, 09, 0a as numbers within text are ordered. */
START_TEST(pci_addresses_are_hexadecimal)
{
	static const char *const names[] = {"0000:02:00.0", "0000:09:00.0", "0000:0a:00.0",
					    "0000:1a:00.0"};

	make_host(1, 4);
	ready();
	for (size_t i = 0; i < 4; i++)
		((struct dport *)(uintptr_t)bridges[0]->children[i]->parent_dport)->name = names[i];
	EXPECT(0, 1, 2, 3);
}
END_TEST

START_TEST(devices_below_one_bridge_are_a_power_of_two)
{
	make_host(3, 3);
	ready();
	EXPECT(0, 3, 6, 1, 4, 7);
}
END_TEST

START_TEST(a_bridge_interleaves_over_eight_ports_at_most)
{
	make_host(1, 16);
	ready();
	make_plan();
	ck_assert_uint_eq(plan.ways, 8);
	q.ways = 16;
	REFUSED(ENOSPC, "16 ways", "at most 8", "evenly");
}
END_TEST

START_TEST(devices_with_more_memory_are_preferred)
{
	make_host(1, 3);
	mem[1]->ram_size = mem[2]->ram_size = OPT_U64(4 * MIB_256);
	ready();
	EXPECT(1, 2);
	ck_assert_uint_eq(plan.share, 4 * MIB_256);
	/* The size of the window is the limit otherwise. */
	window->size = OPT_U64(5 * MIB_256);
	EXPECT(1, 2);
	ck_assert_uint_eq(plan.share, 2 * MIB_256);
}
END_TEST

START_TEST(devices_of_one_qos_class_are_preferred)
{
	make_host(1, 6);
	window->qos_class = OPT_INT(1);
	for (unsigned int i = 0; i < 6; i++)
		mem[i]->ram_qos_class = OPT_INT(i < 4 ? 0 : 1);
	ready();
	EXPECT(4, 5);
	/* Without one of the window's class, the most that have the same. */
	window->qos_class = OPT_INT(7);
	EXPECT(0, 1, 2, 3);
	/* Devices that are named can be mixed. */
	NAME(0, 5);
	EXPECT(0, 5);
}
END_TEST

START_TEST(the_number_of_ways_follows_from_the_size)
{
	make_host(1, 4);
	for (unsigned int i = 0; i < 4; i++)
		mem[i]->ram_size = OPT_U64(8 * MIB_256);
	ready();
	q.size = 8 * MIB_256;
	make_plan();
	ck_assert_uint_eq(plan.ways, 4);
	q.size = 6 * MIB_256;
	make_plan();
	ck_assert_uint_eq(plan.ways, 2);
	ck_assert_uint_eq(plan.share, 3 * MIB_256);
	q.size = 3 * MIB_256;
	make_plan();
	ck_assert_uint_eq(plan.ways, 1);
}
END_TEST

START_TEST(named_devices_keep_their_positions_unless_any_order_will_do)
{
	make_host(2, 2);
	ready();
	NAME(1, 3, 0, 2);
	EXPECT(1, 3, 0, 2);
	NAME(0, 1, 2, 3);
	REFUSED(EINVAL, "mem1 cannot be at position 1", "root0.dport1", "root0.dport0",
		"this order is possible: mem0 mem2 mem1 mem3");
	q.any_order = true;
	EXPECT(0, 2, 1, 3);
	NAME(3, 1);
	EXPECT(1, 3);
	q.any_order = false;
	REFUSED(EINVAL, "mem3 cannot be at position 0", "this order is possible: mem1 mem3");
	/* No order of them is possible. */
	NAME(0, 1);
	q.any_order = true;
	REFUSED(EINVAL, "mem1 cannot be at position 1");
}
END_TEST

START_TEST(positions_below_a_switch_have_to_alternate)
{
	struct port *sw[2];

	bridges[0] = model_bridge(&m);
	sw[0] = model_switch(&m, bridges[0]);
	sw[1] = model_switch(&m, bridges[0]);
	for (unsigned int i = 0; i < 4; i++)
		mem[i] = model_memdev(&m, sw[i / 2]);
	window = model_window(&m, bridges, 1);
	ready();
	NAME(0, 1, 2, 3);
	REFUSED(EINVAL, "mem1 cannot be at position 1 while mem0 is at position 0",
		"host bridge port", "have to be below different ports",
		"this order is possible: mem0 mem2 mem1 mem3");
	NAME(2, 0, 3, 1);
	EXPECT(2, 0, 3, 1);
}
END_TEST

START_TEST(uneven_devices_below_ports_are_refused)
{
	struct port *sw;

	bridges[0] = model_bridge(&m);
	sw = model_switch(&m, bridges[0]);
	for (unsigned int i = 0; i < 3; i++)
		mem[i] = model_memdev(&m, sw);
	mem[3] = model_memdev(&m, bridges[0]);
	window = model_window(&m, bridges, 1);
	ready();
	NAME(0, 1, 2, 3);
	REFUSED(EINVAL, "mem1 cannot be at position 1 while mem0 is at position 0");
	q.any_order = true;
	REFUSED(EINVAL, "mem1 cannot be at position 1");
}
END_TEST

START_TEST(persistent_memory_comes_after_volatile_memory)
{
	make_host(1, 2);
	for (unsigned int i = 0; i < 2; i++) {
		mem[i]->ram_size = OPT_U64(2 * MIB_256);
		mem[i]->pmem_size = OPT_U64(3 * MIB_256);
	}
	ready();
	q.mode = DECODER_MODE_PMEM;
	make_plan();
	ck_assert_uint_eq(plan.share, 3 * MIB_256);
	ck_assert_uint_eq(plan.positions[0].dpa, 2 * MIB_256);
	/* The volatile memory below it cannot be had afterwards. */
	endpoint_decoder(mem[0], 0)->dpa_resource = OPT_U64(2 * MIB_256);
	endpoint_decoder(mem[0], 0)->dpa_size = OPT_U64(MIB_256);
	endpoint_decoder(mem[0], 0)->size = OPT_U64(MIB_256);
	make_plan();
	ck_assert_ptr_eq(plan.positions[0].decoder, endpoint_decoder(mem[0], 1));
	ck_assert_uint_eq(plan.positions[0].dpa, 3 * MIB_256);
	ck_assert_uint_eq(plan.share, 2 * MIB_256);
	q.mode = DECODER_MODE_RAM;
	NAME(0, 1);
	REFUSED(ENOSPC, "mem0 has no free volatile (ram) DPA", "512 MiB are in use");
}
END_TEST

START_TEST(a_window_for_persistent_memory_only_is_used_for_that)
{
	make_host(1, 1);
	mem[0]->pmem_size = OPT_U64(MIB_256);
	ready();
	window->cap_ram = OPT_BOOL(false);
	EXPECT(0);
	ck_assert_int_eq(plan.mode, DECODER_MODE_PMEM);
	q.mode = DECODER_MODE_RAM;
	REFUSED(EOPNOTSUPP, "does not allow ram", "restricts it to pmem; use that mode");
	/* Not the mode is named then that was not asked for. */
	q.mode = DECODER_MODE_NONE;
	window->cap_pmem = OPT_BOOL(false);
	REFUSED(EOPNOTSUPP, "allows neither ram nor pmem regions", "use another window");
	window->cap_type3 = OPT_BOOL(false);
	REFUSED(EOPNOTSUPP, "memory expanders (type 3)");
}
END_TEST

START_TEST(the_first_gap_that_is_large_enough_is_used)
{
	make_host(1, 2);
	(void)model_region(&m, window, MODEL_WINDOW_BASE + MIB_256, &mem[0], 1);
	mem[0]->ram_size = OPT_U64(8 * MIB_256);
	mem[1]->ram_size = OPT_U64(8 * MIB_256);
	ready();
	NAME(1);
	q.size = MIB_256;
	/* Before region0, but the decoders of the bridge have to ascend. */
	REFUSED(EBUSY, "0x1000000000, before region0 at 0x1010000000", "destroy region0 first");
	q.size = 2 * MIB_256;
	make_plan();
	ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE + 2 * MIB_256));
	q.size = 0;
	make_plan();
	ck_assert_uint_eq(plan.size, 8 * MIB_256);
	/* Addresses that Linux uses for something else are not free. */
	m.host.iomem = &(const struct iomem_range){.start = MODEL_WINDOW_BASE + 2 * MIB_256,
						   .last = MODEL_WINDOW_BASE + 3 * MIB_256 - 1,
						   .name = "Soft Reserved"};
	m.host.n_iomem = 1;
	make_plan();
	ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE + 3 * MIB_256));
}
END_TEST

/* ---- addresses that are in use ---- */

static void have_iomem(const struct iomem_range *lines, size_t n)
{
	m.host.iomem = lines;
	m.host.n_iomem = n;
}

#define WINDOW_LAST (MODEL_WINDOW_BASE + MODEL_WINDOW_SIZE - 1)

/* Linux asks only what is in the window (alloc_free_mem_region()): the plan asks what is around it.
 */
START_TEST(only_soft_reserved_around_the_window_leaves_it_free)
{
	static const char *const owners[][2] = {
		{"System RAM", "in use as System RAM"},
		{"System RAM (kmem)", "in use as System RAM"},
		{"dax0.0", "is memory of dax0.0"},
		{"region0", "in use by 'region0'"},
		{"Persistent Memory", "in use by 'Persistent Memory'"},
		{"PCI Bus 0000:00", "PCI Bus 0000:00 0x1000000000-0x"},
		{"Reserved", "firmware must not list addresses of a window as Reserved"},
		{"anything", "in use by 'anything'"},
	};
	struct iomem_range lines[] = {{MODEL_WINDOW_BASE, WINDOW_LAST, 0, "Soft Reserved"},
				      {MODEL_WINDOW_BASE, WINDOW_LAST, 1, "CXL Window 0"}};

	make_host(1, 1);
	ready();
	have_iomem(lines, ARRAY_SIZE(lines));
	for (int i = 0; i < 2; i++, lines[0].last += MIB_256) {
		make_plan();
		ck_assert(plan.uses_known);
		ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE));
	}
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		lines[0].name = owners[i][0];
		REFUSED(EBUSY, "Linux would put the region at 0x1000000000, but", owners[i][1],
			"no region can be made");
	}
	/* Inside of the window Linux sees them, too: it has no room. */
	lines[0] = lines[1];
	lines[0].depth = 0;
	lines[1].last = WINDOW_LAST;
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		lines[1].name = owners[i][0];
		REFUSED(ENOSPC, "0 MiB of free addresses", owners[i][1], "no region can be made");
	}
}
END_TEST

START_TEST(entries_in_the_window_are_passed_over_as_linux_does)
{
	static const char *const names[] = {"Soft Reserved", "PCI Bus 0000:0c", "Reserved",
					    "System RAM",    "CXL Window 7",	"anything"};
	struct iomem_range lines[] = {{MODEL_WINDOW_BASE, WINDOW_LAST, 0, "CXL Window 0"},
				      {MODEL_WINDOW_BASE, MODEL_WINDOW_BASE + 1, 1, NULL}};

	make_host(1, 1);
	ready();
	have_iomem(lines, ARRAY_SIZE(lines));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		lines[1].name = names[i];
		make_plan();
		ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE + MIB_256));
	}
}
END_TEST

static struct decoder *commit_idle(const struct port *port, uint64_t start)
{
	struct decoder *d = (struct decoder *)(uintptr_t)port->decoders[0];

	d->start = OPT_U64(start);
	d->size = OPT_U64(MIB_256);
	return d;
}

START_TEST(no_region_is_put_over_a_committed_decoder_of_any_level)
{
	struct port *levels[3];

	bridges[0] = model_bridge(&m);
	levels[1] = model_switch(&m, bridges[0]);
	mem[0] = model_memdev(&m, levels[1]);
	mem[1] = model_memdev(&m, levels[1]);
	window = model_window(&m, bridges, 1);
	ready();
	levels[0] = bridges[0];
	levels[2] = writable_port(mem[1]->endpoint);
	NAME(0);
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		struct decoder *d = commit_idle(levels[i], MODEL_WINDOW_BASE);

		REFUSED(EBUSY, "Linux would put the region at 0x1000000000", d->name,
			"no region has it");
		/* Its last value is shown still when it was reset. */
		levels[i]->decoders_committed = OPT_U64(0);
		make_plan();
		levels[i]->decoders_committed = OPT_U64(1);
		REFUSED(EBUSY, d->name);
		d->size = OPT_U64(0);
		levels[i]->decoders_committed = OPT_U64(0);
	}
	/* Where firmware has mapped memory behind, decoders would not be in order. */
	(void)commit_idle(levels[0], MODEL_WINDOW_BASE + 16 * MIB_256);
	levels[0]->decoders_committed = OPT_U64(1);
	REFUSED(EBUSY, "in use for higher ones, by firmware");
	/* Where Linux knows of that memory, it goes behind it. */
	have_iomem((const struct iomem_range[]){{MODEL_WINDOW_BASE, MODEL_WINDOW_BASE + MIB_256 - 1,
						 0, "System RAM"}},
		   1);
	(void)commit_idle(levels[0], MODEL_WINDOW_BASE);
	make_plan();
	ck_assert(opt_u64_is(plan.spa, MODEL_WINDOW_BASE + MIB_256));
}
END_TEST

START_TEST(no_region_is_put_over_a_dax_device)
{
	const struct dax_range ranges[] = {
		{0, 0xfff}, {MODEL_WINDOW_BASE + 0x1000, MODEL_WINDOW_BASE + 0x1fff}};
	struct dax_device d = {.name = "dax3.0"};
	const struct dax_device *const list[] = {&d};
	const struct dax_region r = {.id = 3, .devices = list, .n_devices = 1};
	const struct dax_region *const regions[] = {&r};

	make_host(1, 1);
	ready();
	m.host.dax_regions = regions;
	m.host.n_dax_regions = 1;
	make_plan();
	d.ranges = ranges;
	d.n_ranges = ARRAY_SIZE(ranges);
	REFUSED(EBUSY, "0x1000001000-0x1000001fff is memory of dax3.0");
	d.n_ranges = 0;
	d.resource = OPT_U64(MODEL_WINDOW_BASE);
	d.size = OPT_U64(UINT64_MAX);
	REFUSED(EBUSY, "is memory of dax3.0");
	m.host.n_dax_regions = 0;
}
END_TEST

/* A region that fits between what Linux does not know of is made as large as that. */
START_TEST(a_region_ends_before_memory_that_linux_does_not_know_of)
{
	make_host(1, 2);
	mem[0]->ram_size = OPT_U64(8 * MIB_256);
	ready();
	(void)commit_idle(mem[1]->endpoint, MODEL_WINDOW_BASE + 2 * MIB_256);
	NAME(0);
	make_plan();
	ck_assert_uint_eq(plan.size, 2 * MIB_256);
	q.size = 4 * MIB_256;
	REFUSED(EBUSY, "Linux would put the region at 0x1000000000", "decoder");
}
END_TEST

START_TEST(a_kernel_without_the_attribute_makes_no_regions)
{
	make_host(1, 1);
	ready();
	window->makes_ram = OPT_BOOL(false);
	window->makes_pmem = OPT_BOOL(true);
	m.host.kernel_release = "6.1.0-37-amd64";
	REFUSED(EOPNOTSUPP, "this kernel 6.1.0-37-amd64 makes no volatile regions", "Linux 6.3",
		"CONFIG_CXL_REGION");
	m.host.kernel_release = "6.18.0";
	REFUSED(EOPNOTSUPP, "which needs a kernel that is built with CONFIG_CXL_REGION; boot");
	window->makes_ram = OPT_BOOL(true);
	make_plan();
	ck_assert(!plan.uses_known);
}
END_TEST

START_TEST(the_address_is_unknown_when_that_of_the_window_is)
{
	make_host(1, 1);
	ready();
	window->start = (struct opt_u64){0};
	EXPECT(0);
	ck_assert(!plan.spa.present);
	window->size = OPT_U64(0);
	REFUSED(ENOSPC, "0 MiB of free addresses");
	window->size = (struct opt_u64){0};
	REFUSED(EINVAL, "size of window", "cannot be read");
}
END_TEST

/* ---- values that are not possible ---- */

START_TEST(ways_are_those_of_the_window_times_a_power_of_two)
{
	static const struct {
		unsigned int bridges, ways;
		bool possible;
	} rows[] = {{1, 1, true},  {1, 2, true},  {1, 3, false}, {1, 4, true},	 {1, 6, false},
		    {1, 8, true},  {2, 1, false}, {2, 2, true},	 {2, 3, false},	 {2, 4, true},
		    {2, 6, false}, {2, 8, true},  {2, 16, true}, {3, 1, false},	 {3, 3, true},
		    {3, 6, true},  {3, 9, false}, {3, 12, true}, {3, 15, false}, {4, 12, false},
		    {4, 16, true}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		teardown();
		setup();
		make_host(rows[i].bridges, 8);
		ready();
		q.ways = rows[i].ways;
		if (rows[i].possible) {
			make_plan();
			ck_assert_uint_eq(plan.ways, rows[i].ways);
		} else {
			REFUSED(EINVAL, "cannot have", "so possible are");
		}
	}
}
END_TEST

START_TEST(granularities_are_powers_of_two_and_the_windows_own)
{
	make_host(1, 2);
	bridges[1] = model_bridge(&m);
	mem[2] = model_memdev(&m, bridges[1]);
	(void)model_window(&m, bridges, 2);
	ready();
	for (uint64_t g = 128; g <= 32768; g *= 2) {
		q.granularity = g;
		if (g == 128 || g == 32768) {
			REFUSED(EINVAL, "power of two from 256 to 16384");
			continue;
		}
		make_plan();
		ck_assert_uint_eq(plan.granularity, g);
	}
	q.granularity = 768;
	REFUSED(EINVAL, "768 bytes is not possible");
	q.window = m.root->decoders[1];
	q.granularity = 512;
	REFUSED(EINVAL, "512 bytes is not possible", "2 host bridges at 256 bytes");
	q.granularity = 256;
	make_plan();
}
END_TEST

START_TEST(decoders_below_a_window_cannot_interleave_beyond_16_kib)
{
	make_host(2, 2);
	window->granularity = OPT_U64(16384);
	ready();
	/* Two devices per bridge would need 32 KiB there. */
	EXPECT(0, 2);
	NAME(0, 2, 1, 3);
	REFUSED(EINVAL, "at 32768 bytes", "at most at 16384", "lower granularity");
}
END_TEST

START_TEST(sizes_are_multiples_of_256_mib_of_each_device)
{
	make_host(2, 1);
	mem[0]->ram_size = mem[1]->ram_size = OPT_U64(8 * MIB_256);
	ready();
	q.size = 1;
	REFUSED(EINVAL, "1 bytes is not possible", "2 devices", "such as 512 MiB");
	q.size = 3 * MIB_256;
	REFUSED(EINVAL, "768 MiB is not possible", "multiple of 512 MiB", "such as 512 MiB");
	q.size = UINT64_MAX;
	REFUSED(EINVAL, "is not possible");
	q.size = 18 * MIB_256;
	REFUSED(ENOSPC, "no 4608 MiB", "4 GiB of free ram DPA", "2-way");
	NAME(0, 1);
	REFUSED(ENOSPC, "mem0 has 2 GiB of free volatile (ram) DPA of 2 GiB", "2304 MiB");
	q.size = MODEL_WINDOW_SIZE * 2;
	mem[0]->ram_size = mem[1]->ram_size = OPT_U64(MODEL_WINDOW_SIZE);
	REFUSED(ENOSPC, "at most 64 GiB of free addresses in one piece", "needs 128 GiB");
	q.size = 1ULL << 63;
	REFUSED(ENOSPC, "mem0 has 64 GiB of free");
	q.n_memdevs = 0;
	q.size = MODEL_WINDOW_SIZE * 2;
	REFUSED(ENOSPC, "at most 64 GiB of free addresses in one piece", "needs 128 GiB");
}
END_TEST

START_TEST(a_full_window_is_refused)
{
	make_host(1, 2);
	(void)model_region(&m, window, MODEL_WINDOW_BASE, &mem[0], 1);
	window->size = OPT_U64(MIB_256);
	ready();
	REFUSED(ENOSPC, "has 0 MiB of free addresses in one piece", "at least 256 MiB");
	NAME(1);
	REFUSED(ENOSPC, "0 MiB of free addresses", "at least 256 MiB", "destroy region0");
}
END_TEST

/* ---- the suite ---- */

static TCase *choices(void)
{
	TCase *tc = tcase_create("choices");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_devices_are_interleaved_and_spread_over_bridges);
	tcase_add_test(tc, ports_of_switches_are_used_in_turn);
	tcase_add_test(tc, the_order_in_which_devices_were_probed_does_not_matter);
	tcase_add_test(tc, pci_addresses_are_hexadecimal);
	tcase_add_test(tc, devices_below_one_bridge_are_a_power_of_two);
	tcase_add_test(tc, a_bridge_interleaves_over_eight_ports_at_most);
	tcase_add_test(tc, devices_with_more_memory_are_preferred);
	tcase_add_test(tc, devices_of_one_qos_class_are_preferred);
	tcase_add_test(tc, the_number_of_ways_follows_from_the_size);
	tcase_add_test(tc, named_devices_keep_their_positions_unless_any_order_will_do);
	tcase_add_test(tc, positions_below_a_switch_have_to_alternate);
	tcase_add_test(tc, uneven_devices_below_ports_are_refused);
	tcase_add_test(tc, persistent_memory_comes_after_volatile_memory);
	tcase_add_test(tc, a_window_for_persistent_memory_only_is_used_for_that);
	tcase_add_test(tc, the_first_gap_that_is_large_enough_is_used);
	tcase_add_test(tc, the_address_is_unknown_when_that_of_the_window_is);
	tcase_add_test(tc, only_soft_reserved_around_the_window_leaves_it_free);
	tcase_add_test(tc, entries_in_the_window_are_passed_over_as_linux_does);
	tcase_add_test(tc, no_region_is_put_over_a_committed_decoder_of_any_level);
	tcase_add_test(tc, no_region_is_put_over_a_dax_device);
	tcase_add_test(tc, a_region_ends_before_memory_that_linux_does_not_know_of);
	tcase_add_test(tc, a_kernel_without_the_attribute_makes_no_regions);
	return tc;
}

static TCase *values(void)
{
	TCase *tc = tcase_create("values");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, ways_are_those_of_the_window_times_a_power_of_two);
	tcase_add_test(tc, granularities_are_powers_of_two_and_the_windows_own);
	tcase_add_test(tc, decoders_below_a_window_cannot_interleave_beyond_16_kib);
	tcase_add_test(tc, sizes_are_multiples_of_256_mib_of_each_device);
	tcase_add_test(tc, a_full_window_is_refused);
	return tc;
}

SUITE(check_region_plan)
{
	Suite *suite = suite_create("plans of regions");

	suite_add_tcase(suite, choices());
	suite_add_tcase(suite, values());
	return suite;
}
