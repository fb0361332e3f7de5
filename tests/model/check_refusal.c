// SPDX-License-Identifier: LGPL-2.1-or-later
/* The expectations of Linux about decoders and windows that firmware programmed, by the version of
 * Linux. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "model/refusal.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

static struct refusal refusal;
static const struct cedt *table; /* of the test, NULL without */

static struct decoder *bridge_decoder(unsigned int bridge)
{
	return (struct decoder *)(uintptr_t)bridges[bridge]->decoders[0];
}

/* Firmware mapped the devices, and Linux has no region for them. */
static void derive(unsigned int ways)
{
	table = NULL;
	window->cap_ram = OPT_BOOL(true);
	region->mode = DECODER_MODE_RAM;
	for (unsigned int i = 0; i < ways; i++)
		endpoint_decoder(mem[i], 0)->mode = DECODER_MODE_RAM;
	model_derive_region(&m, region);
}

/* Two bridges of two devices, mapped by decoders that Linux has no region for. */
static void make(void)
{
	build_usual();
	m.host.kernel_release = "6.18.0";
	derive(4);
}

static void make_16_way(void)
{
	build(4, 16, BASE);
	derive(16);
}

static void make_coarse_window(void)
{
	make();
	window->granularity = OPT_U64(512);
}

static void make_later_region(void)
{
	static struct region later;
	struct decoder *other;

	make();
	later = (struct region){.name = "region9",
				.commit = REGION_COMMITTED,
				.resource = OPT_U64(BASE + (1ULL << 40))};
	other = model_idle_decoder(&m, (struct port *)(uintptr_t)bridges[0]);
	other->region = &later;
}

/* The XOR map uses a bit that the start of the window has. */
static void make_xor(void)
{
	static struct cedt_cxims cxims;
	static struct cedt_window xor_window;
	static struct cedt cedt;

	make();
	cxims = (struct cedt_cxims){.granularity = 256, .n_maps = 1};
	cxims.maps[0] = 256 | (window->start.value & -window->start.value);
	xor_window = (struct cedt_window){.base = window->start.value,
					  .size = window->size.value,
					  .ways = 2,
					  .granularity = 256,
					  .arithmetic = CEDT_XOR};
	cedt = (struct cedt){.windows = &xor_window, .n_windows = 1, .cxims = &cxims, .n_cxims = 1};
	table = &cedt;
}

static void make_one_way(void)
{
	build(2, 2, BASE);
	derive(2);
	bridge_decoder(0)->granularity = OPT_U64(256);
}

static void refuse(void)
{
	ck_assert_int_eq(refusal_of_mapping(&m.host, table, m.host.derived[0], m.arena, &refusal),
			 0);
}

static void expect_difference(const char *text, enum refusal_way_out way)
{
	refuse();
	ck_assert_ptr_nonnull(refusal.first_difference);
	ck_assert_str_eq(refusal.first_difference, text);
	ck_assert_int_eq(refusal.way_out, way);
}

static const struct refusal_level *level_of(const char *object)
{
	for (size_t i = 0; i < refusal.n; i++)
		if (strcmp(refusal.levels[i].object, object) == 0)
			return &refusal.levels[i];
	ck_abort_msg("no level of %s", object);
}

START_TEST(levels_agree_from_the_root_down)
{
	make();
	refuse();
	ck_assert_uint_eq(refusal.n, 1 + 2 + 4);
	for (size_t i = 0; i < refusal.n; i++)
		ck_assert_int_eq(refusal.levels[i].agrees, REFUSAL_AGREES);
	ck_assert_ptr_null(refusal.first_difference);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_NONE);
	ck_assert_ptr_null(refusal_advice(&refusal, m.arena));
	ck_assert_str_eq(refusal.levels[0].object, window->name);
	ck_assert_str_eq(level_of("decoder1.0")->expected, "2-way at 512 B");
}
END_TEST

START_TEST(the_first_decoder_that_differs_is_named)
{
	make();
	bridge_decoder(0)->granularity = OPT_U64(256);
	expect_difference(
		"decoder1.0: Linux expects 2-way at 512 B here, firmware programmed 256 B",
		WAY_OUT_FIRMWARE);
	bridge_decoder(0)->ways = OPT_U64(4);
	expect_difference(
		"decoder1.0: Linux expects 2-way at 512 B here, firmware programmed 4-way at 256 B",
		WAY_OUT_FIRMWARE);
}
END_TEST

/* The granularity is that of the region, not that of its window, since 6.7. */
START_TEST(the_version_of_linux_decides)
{
	make();
	window->granularity = OPT_U64(512);
	bridge_decoder(0)->granularity = bridge_decoder(1)->granularity = OPT_U64(1024);
	expect_difference(
		"decoder1.0: Linux expects 2-way at 512 B here, firmware programmed 1024 B",
		WAY_OUT_FIRMWARE);
	m.host.kernel_release = "6.6.1";
	refuse();
	ck_assert_int_eq(level_of("decoder1.0")->agrees, REFUSAL_AGREES);
	/* Without the version both count. */
	m.host.kernel_release = NULL;
	refuse();
	ck_assert_int_eq(level_of("decoder1.0")->agrees, REFUSAL_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(level_of("decoder1.0")->expected, "2-way at 1024 B"));
	ck_assert_ptr_nonnull(strstr(level_of("decoder1.0")->expected, "2-way at 512 B"));
}
END_TEST

/* A decoder of one way may have any granularity since 6.16. */
START_TEST(a_newer_kernel_is_a_way_out)
{
	make_one_way();
	m.host.kernel_release = "6.12.77";
	expect_difference(
		"decoder1.0: Linux expects 1-way at 512 B here, firmware programmed 256 B",
		WAY_OUT_KERNEL);
	ck_assert_ptr_nonnull(strstr(refusal_advice(&refusal, m.arena), "Linux 6.16 or newer"));
	m.host.kernel_release = "6.16.0";
	refuse();
	ck_assert_ptr_null(refusal.first_difference);
	m.host.kernel_release = NULL;
	refuse();
	ck_assert_ptr_null(refusal.first_difference);
	ck_assert_int_eq(level_of("decoder1.0")->agrees, REFUSAL_UNKNOWN);
}
END_TEST

START_TEST(a_kernel_without_regions_is_named)
{
	make();
	window->makes_ram = OPT_BOOL(false);
	m.host.kernel_release = "6.1.0-37-amd64";
	expect_difference(
		"Linux 6.1.0-37-amd64 makes no regions of decoders that firmware programmed: decoder0.0 has no create_ram_region, and that needs Linux 6.3 or newer, built with CONFIG_CXL_REGION",
		WAY_OUT_KERNEL);
	ck_assert(refusal.no_regions);
	m.host.kernel_release = "6.18.0";
	expect_difference(
		"Linux 6.18.0 makes no regions of decoders that firmware programmed: decoder0.0 has no create_ram_region, and that needs a kernel that is built with CONFIG_CXL_REGION",
		WAY_OUT_KERNEL);
	m.host.kernel_release = "6.1.0-37-amd64";
	window->makes_ram = (struct opt_bool){0};
	refuse();
	ck_assert_ptr_nonnull(strstr(refusal.first_difference, "it is older than 6.3"));
	/* A kernel of a distribution has the attribute that came with them. */
	window->makes_ram = OPT_BOOL(true);
	refuse();
	ck_assert(!refusal.no_regions);
	ck_assert_ptr_null(refusal.first_difference);
}
END_TEST

START_TEST(decoders_of_dvsec_ranges_need_a_reboot)
{
	make();
	bridge_decoder(0)->size = OPT_U64(0);
	refuse();
	ck_assert(!refusal.emulated);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_FIRMWARE);
	for (unsigned int i = 0; i < 4; i++) {
		endpoint_decoder(mem[i], 0)->ways = OPT_U64(1);
		endpoint_decoder(mem[i], 0)->granularity = OPT_U64(4096);
	}
	refuse();
	ck_assert(refusal.emulated);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_REBOOT);
}
END_TEST

START_TEST(restrictions_and_order_are_levels)
{
	struct decoder *other;

	make();
	window->cap_ram = OPT_BOOL(false);
	refuse();
	ck_assert_int_eq(level_of(window->name)->agrees, REFUSAL_DIFFERS);
	ck_assert_ptr_nonnull(strstr(level_of(window->name)->found, "no ram allowed"));
	window->cap_ram = OPT_BOOL(true);
	other = model_idle_decoder(&m, (struct port *)(uintptr_t)mem[0]->endpoint);
	other->start = OPT_U64(BASE - 1);
	other->size = OPT_U64(1);
	refuse();
	ck_assert_ptr_nonnull(strstr(refusal.first_difference, "ascend with the numbers"));
}
END_TEST

/* 6.8 finds regions in any order. */
START_TEST(a_region_of_higher_addresses_that_was_there_is_a_level)
{
	make_later_region();
	refuse();
	ck_assert_ptr_null(refusal.first_difference);
	m.host.kernel_release = "6.7.9";
	refuse();
	ck_assert_ptr_nonnull(refusal.first_difference);
	ck_assert_ptr_nonnull(strstr(refusal.first_difference, "region9 at 0x"));
	ck_assert_int_eq(refusal.way_out, WAY_OUT_KERNEL);
	ck_assert_ptr_nonnull(strstr(refusal_advice(&refusal, m.arena), "Linux 6.8 or newer"));
}
END_TEST

/* 7.0 translates by firmware's PRM handler. */
START_TEST(normalized_decoders_need_a_translation)
{
	struct decoder *d;

	make();
	d = endpoint_decoder(mem[0], 0);
	ck_assert_int_eq(refusal_of_decoder(&m.host, d, m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 0);
	d->start = d->dpa_resource = OPT_U64(0);
	d->ways = OPT_U64(1);
	d->size = d->dpa_size;
	d->region = NULL;
	d->derived = NULL;
	m.host.kernel_release = "6.12.95";
	ck_assert_int_eq(refusal_of_decoder(&m.host, d, m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 1);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_KERNEL);
	ck_assert_ptr_nonnull(strstr(refusal.first_difference, "the device addresses 0x0-"));
	m.host.kernel_release = "7.3.4";
	ck_assert_int_eq(refusal_of_decoder(&m.host, d, m.arena, &refusal), 0);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_FIRMWARE);
	m.host.kernel_release = "7.0.0";
	ck_assert_int_eq(refusal_of_decoder(&m.host, d, m.arena, &refusal), 0);
	ck_assert_int_eq(refusal.way_out, WAY_OUT_FIRMWARE);
}
END_TEST

/* ---- versions ---- */

/* The source of each rule: `rules` of model/refusal.c, docs/refusals.md. */
static const struct {
	void (*make)(void);
	unsigned int major, minor; /* the first version that accepts it */
	const char *advice;
} changes[] = {
	{make, 6, 3, "Linux 6.3 or newer"},
	{make_16_way, 6, 6, "Linux 6.6 or newer"},
	{make_coarse_window, 6, 7, "Linux 6.7 or newer"},
	{make_later_region, 6, 8, "Linux 6.8 or newer"},
	{make_xor, 6, 11, "Linux 6.11 or newer"},
	{make_one_way, 6, 16, "Linux 6.16 or newer"},
};

/* 6.9, 6.12 and 7.3 changed nothing that is compared. */
START_TEST(each_version_has_its_rules)
{
	static const unsigned int versions[][2] = {{6, 1},  {6, 3},  {6, 5},  {6, 6},  {6, 7},
						   {6, 8},  {6, 9},  {6, 10}, {6, 11}, {6, 12},
						   {6, 15}, {6, 16}, {7, 0},  {7, 1},  {7, 3}};
	char release[32];

	changes[_i].make();
	m.host.kernel_release = release;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		const unsigned int *v = versions[i];
		const bool accepts = v[0] > changes[_i].major ||
				     (v[0] == changes[_i].major && v[1] >= changes[_i].minor);

		(void)snprintf(release, sizeof(release), "%u.%u.4-amd64", v[0], v[1]);
		refuse();
		ck_assert_msg(!refusal.first_difference == accepts, "%s: %s", release,
			      refusal.first_difference);
		if (accepts)
			continue;
		ck_assert_int_eq(refusal.way_out, WAY_OUT_KERNEL);
		if (v[1] >= 3)
			ck_assert_msg(strstr(refusal_advice(&refusal, m.arena), changes[_i].advice),
				      "%s: %s", release, refusal_advice(&refusal, m.arena));
	}
}
END_TEST

/* Without the version, and for a window whose table is not known, nothing is said to differ. */
START_TEST(targets_of_xor_windows_need_version_and_table)
{
	make_xor();
	m.host.kernel_release = "6.10.0";
	expect_difference(
		"decoder0.0: Linux expects position 0 of an XOR window at target 1, before 6.11, here, it is at target 0",
		WAY_OUT_KERNEL);
	m.host.kernel_release = NULL;
	refuse();
	ck_assert_ptr_null(refusal.first_difference);
	ck_assert_int_eq(refusal.levels[1].agrees, REFUSAL_UNKNOWN);
	m.host.kernel_release = "6.10.0";
	table = NULL;
	refuse();
	ck_assert_ptr_null(refusal.first_difference);
}
END_TEST

/* The chunks of 512 bytes of 3 ways are counted as those of 256: the second and third change
 * places.
 */
START_TEST(targets_of_3_ways_are_computed_without_maps)
{
	static struct cedt_window xor_window;
	static struct cedt cedt = {.windows = &xor_window, .n_windows = 1};

	build(3, 3, BASE);
	derive(3);
	m.host.kernel_release = "6.10.0";
	window->start = ((struct region *)(uintptr_t)m.host.derived[0])->resource =
		OPT_U64(3 * BASE);
	xor_window = (struct cedt_window){.base = 3 * BASE,
					  .size = window->size.value,
					  .ways = 3,
					  .granularity = 256,
					  .arithmetic = CEDT_XOR};
	table = &cedt;
	refuse();
	ck_assert(!refusal.first_difference || !strstr(refusal.first_difference, "XOR"));
	xor_window.granularity = 512;
	refuse();
	ck_assert_ptr_nonnull(refusal.first_difference);
	ck_assert_ptr_nonnull(strstr(refusal.first_difference,
				     "position 1 of an XOR window at target 2, before 6.11,"));
}
END_TEST

/* Nothing that a table or register can hold ends the program or is believed. */
START_TEST(hostile_levels_differ_or_are_unknown)
{
	static const uint64_t values[] = {0, 1, 3, 5, 16, 255, 257, 1ULL << 63, UINT64_MAX};

	make();
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct opt_u64 v = OPT_U64(values[i]);
		struct region *r = (struct region *)(uintptr_t)m.host.derived[0];
		const struct decoder before = *bridge_decoder(0), root = *window;
		const struct region mapping = *r;

		bridge_decoder(0)->ways = bridge_decoder(0)->granularity = v;
		refuse();
		ck_assert_int_eq(level_of("decoder1.0")->agrees, REFUSAL_DIFFERS);
		*bridge_decoder(0) = before;
		window->ways = window->granularity = window->size = v;
		r->ways = r->granularity = v;
		refuse();
		ck_assert_uint_gt(refusal.n, 0);
		*window = root;
		*r = mapping;
	}
	((struct decoder_target *)(uintptr_t)bridge_decoder(0)->targets)[0].dport = NULL;
	expect_difference(
		"decoder1.0: Linux expects a port of it as each target here, a target is no port of it",
		WAY_OUT_FIRMWARE);
	((struct region *)(uintptr_t)m.host.derived[0])->root = NULL;
	refuse();
	ck_assert_ptr_nonnull(strstr(refusal.first_difference, "no window has these addresses"));
}
END_TEST

/* ---- windows ---- */

/* The windows of the host, and @w that Linux does not show. */
static void refuse_window(const struct cedt_window *w)
{
	static struct cedt_window windows[2];
	static struct cedt cedt;

	windows[0] = (struct cedt_window){
		.base = window->start.value, .size = window->size.value, .ways = 1};
	windows[1] = *w;
	windows[1].length = UINT16_MAX;
	if (!w->granularity)
		windows[1].granularity = 256;
	cedt = (struct cedt){.windows = windows, .n_windows = 2};
	ck_assert_int_eq(refusal_of_host(&m.host, &cedt, m.arena, &refusal), 0);
}

START_TEST(checks_of_windows_are_recomputed)
{
	static const struct {
		struct cedt_window window;
		const char *text;
	} rows[] = {
		{{.base = 1ULL << 50, .size = 1ULL << 28, .ways = 1, .arithmetic = 7},
		 "interleave arithmetic 7"},
		{{.base = (1ULL << 50) + 1, .size = 1ULL << 28, .ways = 1}, "multiples of 256 MiB"},
		{{.base = 1ULL << 50, .size = 1, .ways = 1}, "multiples of 256 MiB"},
		{{.base = 1ULL << 50, .size = 1ULL << 28, .ways = 1, .targets = {0x77}},
		 "target 0, 0x77, which is none"},
		{{.base = 1ULL << 50,
		  .size = 1ULL << 28,
		  .ways = 2,
		  .granularity = 256,
		  .arithmetic = CEDT_XOR,
		  .targets = {0, 1}},
		 "no CXIMS for 256 B"},
		{{.base = MODEL_WINDOW_BASE - (1ULL << 28), .size = 1ULL << 29, .ways = 1},
		 "another CFMWS"},
	};

	build_usual();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		refuse_window(&rows[i].window);
		ck_assert_ptr_nonnull(refusal.first_difference);
		ck_assert_msg(strstr(refusal.first_difference, rows[i].text), "%s",
			      refusal.first_difference);
		ck_assert_int_eq(refusal.way_out, WAY_OUT_FIRMWARE);
	}
}
END_TEST

/* Linux rejects each alone (cxl_acpi_cfmws_verify()); the table is still that of the others. */
START_TEST(a_window_with_an_invalid_number_is_a_level)
{
	static const struct {
		struct cedt_window window;
		const char *text;
	} rows[] = {
		{{.size = 1ULL << 28, .encoded_ways = 5, .granularity = 256, .length = 40},
		 "interleave ways encoded as 5"},
		{{.size = 1ULL << 28, .ways = 1, .encoded_granularity = 7, .length = 40},
		 "a granularity encoded as 7"},
		{{.size = 1ULL << 28, .ways = 2, .granularity = 256, .length = 40},
		 "firmware has length 40, and 44 for 2 targets"},
		{{.size = 0, .ways = 1, .granularity = 256, .length = 40},
		 "firmware has base 0x4000000000000, size 0x0"},
	};
	struct cedt_window w;
	struct cedt cedt = {.rejected = &w, .n_rejected = 1};

	build_usual();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		w = rows[i].window;
		w.base = 1ULL << 50;
		ck_assert_int_eq(refusal_of_host(&m.host, &cedt, m.arena, &refusal), 0);
		ck_assert_uint_eq(refusal.n, 1);
		ck_assert_int_eq(refusal.levels[0].agrees, REFUSAL_DIFFERS);
		ck_assert_msg(strstr(refusal.first_difference, rows[i].text), "%s",
			      refusal.first_difference);
	}
}
END_TEST

START_TEST(a_kernel_without_regions_is_a_level_of_the_host)
{
	build_usual();
	m.host.n_regions = 0;
	window->cap_ram = OPT_BOOL(true);
	window->makes_ram = OPT_BOOL(false);
	m.host.kernel_release = "6.1.0-37-amd64";
	ck_assert_int_eq(refusal_of_host(&m.host, NULL, m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 1);
	ck_assert_str_eq(
		refusal.first_difference,
		"Linux 6.1.0-37-amd64 makes no regions: decoder0.0 has no create_ram_region, and that needs Linux 6.3 or newer, built with CONFIG_CXL_REGION");
	ck_assert_int_eq(refusal.way_out, WAY_OUT_KERNEL);
	/* Whatever a kernel of 6.3 says about the window, it has made a region. */
	window->cap_pmem = OPT_BOOL(true);
	window->makes_pmem = OPT_BOOL(false);
	m.host.n_regions = 1;
	m.host.kernel_release = "6.18.0";
	ck_assert_int_eq(refusal_of_host(&m.host, NULL, m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 0);
	m.host.n_regions = 0;
	window->makes_ram = OPT_BOOL(true);
	window->makes_pmem = (struct opt_bool){0};
	ck_assert_int_eq(refusal_of_host(&m.host, NULL, m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 0);
}
END_TEST

START_TEST(windows_that_are_right_are_rejected_with_another)
{
	const struct cedt_window right = {.base = 1ULL << 50, .size = 1ULL << 28, .ways = 1};

	build_usual();
	refuse_window(&right);
	ck_assert_ptr_null(refusal.first_difference);
	ck_assert_int_eq(refusal.levels[1].agrees, REFUSAL_UNKNOWN);
	ck_assert_str_eq(refusal.others, "no check of Linux that is known here fails");
	window->size = OPT_U64(1);
	m.host.kernel_release = "6.7.0";
	refuse_window(&(struct cedt_window){
		.base = 1ULL << 50, .size = 1ULL << 28, .ways = 1, .targets = {0x77}});
	ck_assert_ptr_nonnull(refusal.others ? refusal.others : refusal.first_difference);
}
END_TEST

static void log_says(const char *text)
{
	static struct kernel_log_line lines[2];

	lines[0] = (struct kernel_log_line){.text = text};
	lines[1] = (struct kernel_log_line){.text = "cxl_core: a line that says nothing"};
	m.host.kernel_log = lines;
	m.host.n_kernel_log = 2;
}

/* Each line of Linux that means that a memory device has no endpoint. */
START_TEST(the_kernels_log_says_why_a_memory_device_has_no_endpoint)
{
	static const struct {
		const char *line;
		enum refusal_way_out way;
	} rows[] = {
		{"cxl_pci 0000:0d:00.0: Media not active (-16)", WAY_OUT_REBOOT},
		{"cxl_pci 0000:0d:00.0: Timeout awaiting memory active after 60 seconds",
		 WAY_OUT_REBOOT},
		{"cxl_pci 0000:0d:00.0: Device DVSEC not present, skip CXL.mem init",
		 WAY_OUT_FIRMWARE},
		{"cxl_pci 0000:0d:00.0: No component registers (-19)", WAY_OUT_FIRMWARE},
		{"cxl_pci 0000:0d:00.0: Range register decodes outside platform defined CXL ranges.",
		 WAY_OUT_FIRMWARE},
		{"cxl_mem mem0: CXL port topology not found", WAY_OUT_NONE},
		{"cxl_mem mem0: CXL port topology port1 not enabled", WAY_OUT_NONE},
		{"cxl_mem mem0: endpoint3 failed probe", WAY_OUT_NONE},
	};

	build_usual();
	mem[0]->bdf = "0000:0d:00.0";
	log_says(rows[0].line);
	ck_assert_int_eq(refusal_of_memdev(&m.host, mem[0], m.arena, &refusal), 0);
	ck_assert_uint_eq(refusal.n, 0);
	mem[0]->endpoint = NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		log_says(rows[i].line);
		ck_assert_int_eq(refusal_of_memdev(&m.host, mem[0], m.arena, &refusal), 0);
		ck_assert_uint_eq(refusal.n, 1);
		ck_assert_str_eq(refusal_kernel_says(&m.host, &refusal, "mem0"), rows[i].line);
		ck_assert_int_eq(refusal.way_out, rows[i].way);
		ck_assert_ptr_nonnull(refusal_advice(&refusal, m.arena));
	}
}
END_TEST

/* The endpoint's own line is nearer to the cause than that of the device. */
START_TEST(the_line_of_the_endpoint_is_found)
{
	static const struct kernel_log_line lines[] = {
		{.text = "cxl_port endpoint3: decoder3.1: Committed out of order"},
		{.text = "cxl_port endpoint4: decoder4.0: Committed with zero size"},
		{.text = "cxl_mem mem0: endpoint3 failed probe"},
	};

	build_usual();
	mem[0]->endpoint = NULL;
	m.host.kernel_log = lines;
	m.host.n_kernel_log = 3;
	ck_assert_int_eq(refusal_of_memdev(&m.host, mem[0], m.arena, &refusal), 0);
	ck_assert_str_eq(refusal.kernel_line, lines[0].text);
	ck_assert_str_eq(
		refusal.first_difference,
		"mem0: Linux expects decoders that are committed in their order, and its log says: decoder3.1: Committed out of order");
}
END_TEST

/* A name or words elsewhere in a line, or a longer name, are no refusal. */
START_TEST(lines_that_only_name_a_device_are_no_refusal)
{
	static const char *const lines[] = {
		"cxl_pci 0000:0d:00.0: note: registers not found: mbox",
		"cxl_pci 0000:0d:00.01: registers not found: mbox",
		"cxl_pci 10000:0d:00.0: registers not found: mbox",
		"cxl_pci: 0000:0d:00.0: registers not found: mbox",
		"cxl_pci  0000:0d:00.0: registers not found: mbox",
		"cxl_pci 0000:0d:00.0 registers not found: mbox",
		"cxl_pci 0000:0d:00.0: ",
		"cxl_pci",
		"",
	};
	char bdf[REFUSAL_BDF_MAX];

	build_usual();
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t at = 0;

		log_says(lines[i]);
		ck_assert_int_eq(refusal_of_function(&m.host, "0000:0d:00.0", m.arena, &refusal),
				 0);
		ck_assert_uint_eq(refusal.n, 0);
		if (refusal_next_function(&m.host, &at, bdf))
			ck_assert_str_ne(bdf, "0000:0d:00.0");
	}
}
END_TEST

SUITE(check_refusal)
{
	Suite *suite = suite_create("refusal");
	TCase *t = tcase_create("refusal");

	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_add_test(t, levels_agree_from_the_root_down);
	tcase_add_test(t, the_first_decoder_that_differs_is_named);
	tcase_add_test(t, the_version_of_linux_decides);
	tcase_add_test(t, a_newer_kernel_is_a_way_out);
	tcase_add_test(t, a_kernel_without_regions_is_named);
	tcase_add_test(t, decoders_of_dvsec_ranges_need_a_reboot);
	tcase_add_test(t, restrictions_and_order_are_levels);
	tcase_add_test(t, a_region_of_higher_addresses_that_was_there_is_a_level);
	tcase_add_test(t, normalized_decoders_need_a_translation);
	tcase_add_loop_test(t, each_version_has_its_rules, 0, ARRAY_SIZE(changes));
	tcase_add_test(t, targets_of_xor_windows_need_version_and_table);
	tcase_add_test(t, targets_of_3_ways_are_computed_without_maps);
	tcase_add_test(t, hostile_levels_differ_or_are_unknown);
	tcase_add_test(t, checks_of_windows_are_recomputed);
	tcase_add_test(t, a_window_with_an_invalid_number_is_a_level);
	tcase_add_test(t, a_kernel_without_regions_is_a_level_of_the_host);
	tcase_add_test(t, windows_that_are_right_are_rejected_with_another);
	tcase_add_test(t, the_kernels_log_says_why_a_memory_device_has_no_endpoint);
	tcase_add_test(t, the_line_of_the_endpoint_is_found);
	tcase_add_test(t, lines_that_only_name_a_device_are_no_refusal);
	suite_add_tcase(suite, t);
	return suite;
}
