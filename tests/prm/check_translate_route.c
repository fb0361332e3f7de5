// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions whose devices are ordered by their decoders, compared with a walk from the root to the
 * endpoint that knows nothing of positions and blocks.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/machine.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

/* BASE is 256 times 256 MiB, and so no multiple of three. */
#define ALIGNED_BASE (BASE + 2 * MIB_256)

static struct decoder *bridge_decoder(unsigned int bridge)
{
	return (struct decoder *)(uintptr_t)bridges[bridge]->decoders[0];
}

static const struct decoder *decoder_of_region(const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->kind == PORT_ROOT || port->decoders[i]->region == region)
			return port->decoders[i];
	ck_abort_msg("%s has no decoder of the region", port->name);
}

static const struct port *child_below(const struct port *port, uint64_t dport)
{
	for (size_t i = 0; i < m.host.n_ports; i++)
		if (m.ports[i]->parent == port && m.ports[i]->parent_dport->id == dport)
			return m.ports[i];
	ck_abort_msg("%s has no child at dport %u", port->name, (unsigned int)dport);
}

/* The XOR maps of the window; none is modulo. */
static uint64_t maps[4];
static unsigned int n_maps;

/* CXL 3.2 section 9.18.1.3: which target a window selects. */
static uint64_t window_target(uint64_t spa)
{
	uint64_t number = spa / window->granularity.value;
	uint64_t target = number % window->ways.value;

	if (n_maps == 0)
		return target;
	target = number / (1ULL << n_maps) % (window->ways.value >> n_maps) << n_maps;
	for (unsigned int i = 0; i < n_maps; i++) {
		uint64_t ones = 0;

		for (uint64_t left = spa & maps[i]; left; left >>= 1)
			ones ^= left & 1;
		target |= ones << i;
	}
	return target;
}

/* Where hardware takes an SPA: from target to target down to the endpoint, and there to a DPA. */
static const struct memdev *walk_down(uint64_t spa, uint64_t *ret_dpa)
{
	const struct port *port = m.root;
	uint64_t ways = region->ways.value, granularity = region->granularity.value;
	uint64_t offset;

	while (port->kind != PORT_ENDPOINT) {
		const struct decoder *d = decoder_of_region(port);
		uint64_t target = port == m.root ? window_target(spa)
						 : spa / d->granularity.value % d->ways.value;

		port = child_below(port, d->targets[target].id);
	}
	offset = spa - port->decoders[0]->start.value;
	*ret_dpa = offset / (ways * granularity) * granularity + offset % granularity;
	return port->memdev;
}

static void compare_at(uint64_t spa)
{
	uint64_t dpa = 0;
	const struct memdev *memdev = walk_down(spa, &dpa);

	expect_both_ways(&m, memdev, dpa, spa, SOURCE_DECODER);
}

/* The first two and the last block chunk by chunk, and addresses all over the region. */
static void compare_with_walk(void)
{
	const uint64_t granularity = region->granularity.value, size = region->size.value;
	const uint64_t block = granularity * region->ways.value, base = region->resource.value;
	uint64_t random = 1;

	for (uint64_t at = 0; at < 2 * block; at += granularity) {
		compare_at(base + at);
		compare_at(base + at + granularity - 1);
		compare_at(base + size - 1 - at);
	}
	for (unsigned int i = 0; i < 300; i++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		compare_at(base + (random >> 11) % size);
	}
}

static void set_granularities(unsigned int n_bridges, uint64_t of_window, uint64_t of_bridges,
			      uint64_t of_region)
{
	window->granularity = OPT_U64(of_window);
	region->granularity = OPT_U64(of_region);
	for (unsigned int i = 0; i < n_bridges; i++)
		bridge_decoder(i)->granularity = OPT_U64(of_bridges);
	for (unsigned int i = 0; i < region->ways.value; i++)
		endpoint_decoder(mem[i], 0)->granularity = OPT_U64(of_region);
}

/* Positions are those that Linux gives: target of the bridge times bridges, plus bridge. */
static const struct {
	unsigned int n_bridges, ways;
	uint64_t window, bridges, region; /* granularities */
	uint64_t base;
	bool kernel_errs;
} shapes[] = {
	/* Below a 3-way window, Linux's address is another device's for a third of them or more. */
	{3, 6, 512, 256, 256, BASE, true},
	{3, 6, 512, 256, 256, ALIGNED_BASE, true},
	{3, 6, 256, 256, 256, BASE, true},
	{3, 6, 256, 256, 256, ALIGNED_BASE, true},
	{3, 6, 2048, 1024, 1024, BASE, true},
	{3, 12, 1024, 256, 256, BASE, true},
	{3, 12, 1024, 256, 256, ALIGNED_BASE, true},
	{3, 12, 256, 256, 256, BASE, true},
	{6, 12, 256, 512, 256, BASE, true},
	{6, 12, 512, 256, 256, ALIGNED_BASE, true},
	{12, 12, 256, 256, 256, BASE, false},
	{3, 3, 256, 256, 256, BASE, false},
	{6, 6, 1024, 256, 1024, ALIGNED_BASE, false},
	/* A 3-way bridge below a window of another number of ways. */
	{1, 3, 256, 256, 256, ALIGNED_BASE, false},
	{1, 3, 256, 256, 256, BASE, true},
	{2, 6, 256, 512, 256, BASE, true},
	{2, 6, 256, 512, 256, ALIGNED_BASE, false},
	{2, 6, 256, 256, 256, BASE, true},
	{4, 12, 256, 1024, 256, BASE, true},
	{4, 12, 256, 256, 256, ALIGNED_BASE, true},
	/* A power of two, where the window uses other bits than Linux assumes. */
	{2, 4, 512, 256, 256, BASE, true},
	{4, 16, 1024, 256, 256, BASE, true},
	{2, 4, 256, 512, 256, BASE, false},
	{4, 8, 256, 1024, 256, BASE, false},
};

START_TEST(the_route_of_the_decoders_is_followed)
{
	unsigned int n = shapes[_i].n_bridges;

	build(n, shapes[_i].ways, shapes[_i].base);
	set_granularities(n, shapes[_i].window, shapes[_i].bridges, shapes[_i].region);
	model_cedt(&m, 0, NULL, 0);
	model_ready(&m);
	compare_with_walk();
	ck_assert_int_eq(translator_kernel_errs(m.t, region), shapes[_i].kernel_errs);
	ck_assert_int_eq(translator_region_routing(m.t, region),
			 shapes[_i].kernel_errs ? REGION_ROUTING_DIFFERS
						: REGION_ROUTING_CONFIRMED);
	ck_assert_int_eq(translator_region_reason(m.t, region)->code, REASON_NONE);
}
END_TEST

START_TEST(positions_in_the_order_of_the_route_are_followed_likewise)
{
	struct memdev *routed[6];

	for (unsigned int i = 0; i < 3; i++)
		bridges[i] = model_bridge(&m);
	window = model_window(&m, bridges, 3);
	for (unsigned int i = 0; i < 6; i++)
		routed[i] = model_memdev(&m, bridges[i / 2]);
	/* Chunk c is at bridge c % 3 and there at target c % 2. */
	for (unsigned int i = 0; i < 6; i++)
		mem[i] = routed[i % 3 * 2 + i % 2];
	region = model_region(&m, window, ALIGNED_BASE, mem, 6);
	for (unsigned int b = 0; b < 3; b++)
		for (unsigned int p = 0; p < 2; p++)
			((struct decoder_target *)(uintptr_t)&bridge_decoder(b)->targets[p])->id =
				routed[2 * b + p]->endpoint->parent_dport->id;
	model_ready(&m);
	compare_with_walk();
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_CONFIRMED);
}
END_TEST

/* Published maps first; then some that contain each other's target bits. */
static const struct {
	unsigned int n_bridges, ways, n;
	uint64_t bridges; /* granularity */
	uint64_t maps[4];
	bool kernel_errs;
} xored[] = {
	{4, 4, 2, 1024, {0x2020900 & ~0x800ULL, 0x4041200 & ~0x1000ULL}, false},
	{2, 4, 1, 512, {0x2020900}, false},
	{4, 8, 2, 1024, {0x2020900, 0x4041200}, false},
	{6, 6, 1, 256, {0x2020900}, false},
	{6, 12, 1, 512, {0x2020900}, true},
	{12, 12, 2, 256, {0x2020900, 0x4041200}, false},
	{2, 6, 1, 512, {0x2020100}, false},
	{4, 4, 2, 1024, {0x2020b00, 0x4041200}, true},
	{8, 8, 3, 2048, {0x2020700, 0x4041600, 0x1010c00}, true},
	{8, 8, 3, 2048, {0x2020500, 0x4041200, 0x1010400}, true},
	{16, 16, 4, 4096, {0x2020f00, 0x4041e00, 0x1011c00, 0x800}, true},
	{12, 12, 2, 256, {0x2020b00, 0x4041200}, true},
};

START_TEST(xor_windows_are_solved_in_both_directions)
{
	unsigned int n = xored[_i].n_bridges;

	build(n, xored[_i].ways, ALIGNED_BASE + MIB_256 * 12);
	for (unsigned int i = 0; i < n; i++)
		bridge_decoder(i)->granularity = OPT_U64(xored[_i].bridges);
	n_maps = xored[_i].n;
	memcpy(maps, xored[_i].maps, sizeof(maps));
	model_cedt(&m, 1, maps, n_maps);
	model_ready(&m);
	compare_with_walk();
	ck_assert_int_eq(translator_kernel_errs(m.t, region), xored[_i].kernel_errs);
}
END_TEST

START_TEST(xor_maps_of_other_target_bits_are_an_interval)
{
	static const uint64_t unordered[] = {0x4041200, 0x2020900};

	build(4, 4, BASE);
	model_cedt(&m, 1, unordered, 2);
	expect_interval(4, "the XOR maps are not in the order of the target bits");
	expect_reason_code(&m.out.items[0], REASON_XORMAP_ORDER);
	ck_assert(!answer_reason_lacks_data(REASON_XORMAP_ORDER));
}
END_TEST

START_TEST(a_bridge_that_uses_the_bits_of_xor_is_an_interval)
{
	static const uint64_t map = 0x2020900;

	/* Three ways use all bits from their granularity on. */
	build(2, 6, ALIGNED_BASE);
	set_granularities(2, 256, 256, 256);
	model_cedt(&m, 1, &map, 1);
	model_ready(&m);
	ck_assert(!query(0, 0)->exact);
	expect_reason(
		query(0, 0),
		"selects its targets by address bits that the XOR arithmetic of decoder0.0 uses");
	expect_reason_code(query(0, 0), REASON_GEOMETRY_UNSUPPORTED);
}
END_TEST

/*
 * One address bit stands for two targets' bits, or a map for none. The truth is the window's
 * selection of targets, tried for each chunk of the block.
 */
static const uint64_t not_one_to_one[][2] = {
	{0x2000100, 0x4000100}, {0x2000100, 0x4000000 | 0x100},
	{0x2000300, 0x4000300}, {0x2000100, 0},
	{0, 0x2000200},		{0, 0},
};

START_TEST(an_address_that_no_spa_reaches_has_no_answer)
{
	const uint64_t *xor_maps = not_one_to_one[_i];
	unsigned int unreached = 0;

	build(4, 4, BASE);
	model_cedt(&m, 1, xor_maps, 2);
	model_ready(&m);
	ck_assert(translator_is_ambiguous(m.t, window));
	for (uint64_t d = 0x40; d < 4 * MIB_256 / 4; d += 0x123100)
		for (unsigned int i = 0; i < 4; i++) {
			const uint64_t block = BASE + d / 256 * 1024;
			const struct answer *a = query(i, d);
			unsigned int n = 0;

			for (unsigned int c = 0; c < 4; c++) {
				const uint64_t spa = block + 256 * c + d % 256;

				if (machine_target(spa, 4, 256, xor_maps, 2) != i)
					continue;
				n++;
				ck_assert(a->has_spa && !a->exact && a->spa <= spa &&
					  a->spa_last >= spa);
			}
			unreached += n == 0;
			if (n > 0)
				continue;
			ck_assert_msg(!a->has_spa, "0x%llx", (unsigned long long)a->spa);
			expect_reason_code(a, REASON_NOT_REACHED);
			expect_reason_code(a, REASON_XORMAP_AMBIGUOUS);
			expect_reason(a, "no system address reaches DPA");
		}
	ck_assert_uint_gt(unreached, 0);
}
END_TEST

START_TEST(where_maps_are_not_one_to_one_all_devices_are_named)
{
	const uint64_t *xor_maps = not_one_to_one[_i];

	build(4, 4, BASE);
	model_cedt(&m, 1, xor_maps, 2);
	model_ready(&m);
	for (uint64_t spa = BASE + 0x40; spa < BASE + MIB_256; spa += 0x123100) {
		const struct answer *a = model_translate_spa(&m, spa, spa);
		const unsigned int target = machine_target(spa, 4, 256, xor_maps, 2);
		bool found = false;

		ck_assert(!a->exact);
		expect_reason_code(a, REASON_XORMAP_AMBIGUOUS);
		for (size_t i = 0; i < a->n_candidates; i++)
			found |= a->candidates[i].memdev == mem[target] &&
				 a->candidates[i].dpa <= (spa - BASE) / 1024 * 256 + spa % 256 &&
				 a->candidates[i].dpa_last >= (spa - BASE) / 1024 * 256 + spa % 256;
		ck_assert(found);
	}
}
END_TEST

START_TEST(bridges_that_are_not_known_below_xor_are_an_interval)
{
	static const uint64_t map = 0x2020900;

	build(2, 4, BASE);
	bridge_decoder(0)->region = NULL;
	model_cedt(&m, 1, &map, 1);
	expect_interval(
		4, "the order in which the decoders above region0 select its devices is unknown");
	expect_reason_code(&m.out.items[0], REASON_ROUTING_UNKNOWN);
}
END_TEST

/* A decoder of the region at a port, over the switches below it. */
static struct decoder *add_level(struct port *port, struct port *const *switches, unsigned int n,
				 uint64_t granularity)
{
	struct decoder *d = arena_alloc(m.arena, sizeof(*d));
	struct decoder_target *targets = arena_alloc(m.arena, n * sizeof(*targets));

	for (unsigned int i = 0; i < n; i++)
		targets[i] = (struct decoder_target){i, switches[i]->parent_dport->id,
						     switches[i]->parent_dport};
	*d = (struct decoder){.name = arena_printf(m.arena, "decoder%s", port->name),
			      .port = port,
			      .ways = OPT_U64(n),
			      .granularity = OPT_U64(granularity),
			      .targets = targets,
			      .n_targets = n,
			      .region = region};
	((const struct decoder **)(uintptr_t)port->decoders)[port->n_decoders++] = d;
	return d;
}

/* Two bridges with two switches with two devices each. */
static void build_switches(uint64_t of_bridges, uint64_t of_switches)
{
	struct port *switches[4];

	for (unsigned int i = 0; i < 2; i++)
		bridges[i] = model_bridge(&m);
	window = model_window(&m, bridges, 2);
	for (unsigned int i = 0; i < 4; i++)
		switches[i] = model_switch(&m, bridges[i / 2]);
	for (unsigned int i = 0; i < 8; i++)
		mem[i] = model_memdev(&m, switches[i % 2 * 2 + i / 2 % 2]);
	region = model_region(&m, window, BASE, mem, 8);
	for (unsigned int i = 0; i < 4; i++) {
		struct decoder *d = (struct decoder *)(uintptr_t)switches[i]->decoders[0];

		d->ways = OPT_U64(2);
		d->granularity = OPT_U64(of_switches);
	}
	for (unsigned int i = 0; i < 2; i++)
		add_level(bridges[i], switches + 2 * i, 2, of_bridges);
	model_cedt(&m, 0, NULL, 0);
}

START_TEST(switches_are_followed_level_by_level)
{
	build_switches(_i ? 1024 : 512, _i ? 512 : 1024);
	model_ready(&m);
	compare_with_walk();
	ck_assert_int_eq(translator_kernel_errs(m.t, region), _i);
}
END_TEST

START_TEST(positions_are_not_sufficient_below_several_levels)
{
	build_switches(512, 1024);
	bridge_decoder(0)->granularity.present = false;
	model_ready(&m);
	ck_assert(!query(0, 0)->exact && query(0, 0)->has_spa);
	expect_reason_code(query(0, 0), REASON_ROUTING_UNKNOWN);
	expect_reason(query(0, 0), "the order in which the decoders above region0 select its");
}
END_TEST

START_TEST(a_route_that_changes_from_block_to_block_is_an_interval)
{
	build_usual();
	bridge_decoder(1)->granularity = OPT_U64(1024);
	expect_interval(
		4, "(2-way, granularity 1024) does not route region0 (4-way, granularity 256)");
	expect_reason_code(&m.out.items[0], REASON_ROUTING_CONTRADICTED);
}
END_TEST

START_TEST(a_route_that_changes_inside_a_chunk_is_an_interval)
{
	build_usual();
	set_granularities(2, 256, 512, 512);
	model_cedt(&m, 0, NULL, 0);
	model_ready(&m);
	ck_assert(query(0, 0)->has_spa && !query(0, 0)->exact);
	expect_reason(query(0, 0), "decoder0.0 (2-way, granularity 256) does not route region0");
}
END_TEST

START_TEST(bridges_of_different_granularity_are_an_interval)
{
	build(2, 6, ALIGNED_BASE);
	set_granularities(2, 256, 512, 256);
	bridge_decoder(1)->granularity = OPT_U64(256);
	model_cedt(&m, 0, NULL, 0);
	model_ready(&m);
	ck_assert(query(0, 0)->has_spa && !query(0, 0)->exact);
	expect_reason(query(0, 0), "but both route region0");
	expect_reason_code(query(0, 0), REASON_ROUTING_CONTRADICTED);
}
END_TEST

START_TEST(two_chunks_for_one_device_are_an_interval)
{
	build_usual();
	bridge_decoder(0)->granularity = bridge_decoder(1)->granularity = OPT_U64(256);
	expect_interval(4, "decoder1.0 (2-way at 256 B) routes several chunks");
	expect_reason(query(0, 0), "to decoder3.0, which has one (4-way at 256 B)");
	expect_reason_code(query(0, 0), REASON_ROUTING_CONTRADICTED);
}
END_TEST

START_TEST(a_swapped_position_below_a_three_way_window_is_an_interval)
{
	struct region_target first;

	build(3, 6, ALIGNED_BASE);
	first = region->targets[0];
	*region_target(region, 0) = region->targets[1];
	*region_target(region, 1) = first;
	region_target(region, 0)->position = 0;
	region_target(region, 1)->position = 1;
	model_ready(&m);
	ck_assert(query(0, 0)->has_spa && !query(0, 0)->exact);
	expect_reason_code(query(0, 0), REASON_ROUTING_CONTRADICTED);
}
END_TEST

/* The translation of hardware, noted before an attribute is changed. */
static struct truth {
	const struct memdev *memdev;
	uint64_t dpa, spa;
} truths[24];

static void note_truths(void)
{
	const uint64_t block = region->granularity.value * region->ways.value;

	for (size_t i = 0; i < ARRAY_SIZE(truths); i++) {
		struct truth *t = &truths[i];

		/* Half of them chunk by chunk, the others with any bits. */
		t->spa = region->resource.value +
			 (i % 2 ? i / 2 * region->granularity.value
				: (i * 0x9e3779b97f4a7c15ULL >> 8) % (region->size.value - block));
		t->memdev = walk_down(t->spa, &t->dpa);
	}
}

static bool has_candidate(const struct answer *a, const struct truth *t)
{
	for (size_t i = 0; i < a->n_candidates; i++)
		if (a->candidates[i].memdev == t->memdev && t->dpa >= a->candidates[i].dpa &&
		    t->dpa <= a->candidates[i].dpa_last)
			return true;
	return false;
}

/*
 * With one attribute changed, an answer may be missing or less exact, but not wrong.
 *
 * Return: how many are exact.
 */
static unsigned int expect_truth_or_nothing(const struct decoder *d, const char *what)
{
	const char *name = d ? d->name : region->name;
	unsigned int n_exact = 0;

	model_ready(&m);
	for (size_t i = 0; i < ARRAY_SIZE(truths); i++) {
		const struct truth *t = &truths[i];
		const struct answer *a;

		m.out.n = 0;
		if (translate_dpa(m.t, t->memdev, t->dpa, t->dpa, &m.out) < 0 ||
		    translate_spa(m.t, t->spa, t->spa, &m.out) < 0 || m.out.n != 2)
			ck_abort_msg("%s of %s: %zu answers", what, name, m.out.n);
		a = &m.out.items[0];
		/* ck_assert() writes a mark to a file each time it holds. */
		if (a->has_spa && (a->spa > t->spa || a->spa_last < t->spa))
			ck_abort_msg("%s of %s: %s DPA %#llx is at %#llx, not %#llx", what, name,
				     t->memdev->name, (unsigned long long)t->dpa,
				     (unsigned long long)t->spa, (unsigned long long)a->spa);
		n_exact += a->exact;
		a = &m.out.items[1];
		if (a->has_dpa && !has_candidate(a, t))
			ck_abort_msg("%s of %s: SPA %#llx", what, name, (unsigned long long)t->spa);
	}
	m.t = translator_unref(m.t);
	return n_exact;
}

static void change_number(const struct decoder *d, const char *what, struct opt_u64 *number,
			  const uint64_t *values, size_t n)
{
	const struct opt_u64 before = *number;

	for (size_t i = 0; i < n; i++) {
		*number = OPT_U64(values[i]);
		(void)expect_truth_or_nothing(d, what);
	}
	number->present = false;
	(void)expect_truth_or_nothing(d, what);
	*number = before;
}

static void change_address(const struct decoder *d, const char *what, struct opt_u64 *address)
{
	const uint64_t values[] = {address->value + MIB_256, address->value - MIB_256,
				   address->value * 2,	     address->value / 2,
				   address->value + 4096,    0};

	change_number(d, what, address, values, ARRAY_SIZE(values));
}

static const uint64_t all_ways[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};
static const uint64_t granularities[] = {100, 256, 512, 1024, 2048, 4096, 16384, 32768};

static void change_targets(struct decoder *d)
{
	struct decoder_target *targets = (struct decoder_target *)(uintptr_t)d->targets;

	for (size_t i = 1; i < d->n_targets; i++) {
		const struct decoder_target first = targets[0], other = targets[i];

		targets[0] = other;
		(void)expect_truth_or_nothing(d, "targets");
		/* Another order of targets is another machine. */
		targets[i] = first;
		note_truths();
		(void)expect_truth_or_nothing(d, "order of targets");
		targets[0] = first;
		targets[i] = other;
		note_truths();
	}
	if (d->n_targets == 0)
		return;
	d->n_targets--;
	(void)expect_truth_or_nothing(d, "targets");
	d->n_targets++;
}

static void change_decoder(struct decoder *d)
{
	const struct region *before = d->region;

	change_number(d, "ways", &d->ways, all_ways, ARRAY_SIZE(all_ways));
	change_number(d, "granularity", &d->granularity, granularities, ARRAY_SIZE(granularities));
	change_address(d, "start", &d->start);
	change_address(d, "size", &d->size);
	change_targets(d);
	if (d->dpa_size.present) {
		change_address(d, "dpa_resource", &d->dpa_resource);
		change_address(d, "dpa_size", &d->dpa_size);
	}
	d->region = NULL;
	(void)expect_truth_or_nothing(d, "region");
	d->region = before;
}

static void change_region(void)
{
	change_number(NULL, "ways", &region->ways, all_ways, ARRAY_SIZE(all_ways));
	change_number(NULL, "granularity", &region->granularity, granularities,
		      ARRAY_SIZE(granularities));
	change_address(NULL, "resource", &region->resource);
	change_address(NULL, "size", &region->size);
	for (unsigned int i = 1; i < region->n_targets; i++) {
		const struct region_target first = region->targets[0], other = region->targets[i];

		*region_target(region, 0) = other;
		*region_target(region, i) = first;
		region_target(region, 0)->position = 0;
		region_target(region, i)->position = i;
		(void)expect_truth_or_nothing(NULL, "targets");
		*region_target(region, 0) = first;
		*region_target(region, i) = other;
	}
}

START_TEST(a_changed_attribute_gives_no_wrong_address)
{
	unsigned int n = shapes[_i].n_bridges;

	build(n, shapes[_i].ways, shapes[_i].base);
	set_granularities(n, shapes[_i].window, shapes[_i].bridges, shapes[_i].region);
	for (unsigned int i = 0; i < n; i++)
		bridge_decoder(i)->start = region->resource;
	model_cedt(&m, 0, NULL, 0);
	note_truths();
	ck_assert_uint_eq(expect_truth_or_nothing(NULL, "nothing"), ARRAY_SIZE(truths));
	for (size_t i = 0; i < m.host.n_decoders; i++)
		change_decoder((struct decoder *)(uintptr_t)m.host.decoders[i]);
	change_region();
}
END_TEST

SUITE(check_translate_route)
{
	Suite *s = suite_create("translate_route");
	TCase *t = tcase_create("addresses");

	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_add_loop_test(t, the_route_of_the_decoders_is_followed, 0, ARRAY_SIZE(shapes));
	tcase_add_loop_test(t, a_changed_attribute_gives_no_wrong_address, 0, ARRAY_SIZE(shapes));
	tcase_add_test(t, positions_in_the_order_of_the_route_are_followed_likewise);
	tcase_add_loop_test(t, xor_windows_are_solved_in_both_directions, 0, ARRAY_SIZE(xored));
	tcase_add_test(t, xor_maps_of_other_target_bits_are_an_interval);
	tcase_add_test(t, a_bridge_that_uses_the_bits_of_xor_is_an_interval);
	tcase_add_loop_test(t, an_address_that_no_spa_reaches_has_no_answer, 0,
			    ARRAY_SIZE(not_one_to_one));
	tcase_add_loop_test(t, where_maps_are_not_one_to_one_all_devices_are_named, 0,
			    ARRAY_SIZE(not_one_to_one));
	tcase_add_test(t, bridges_that_are_not_known_below_xor_are_an_interval);
	tcase_add_loop_test(t, switches_are_followed_level_by_level, 0, 2);
	tcase_add_test(t, positions_are_not_sufficient_below_several_levels);
	tcase_add_test(t, a_route_that_changes_from_block_to_block_is_an_interval);
	tcase_add_test(t, a_route_that_changes_inside_a_chunk_is_an_interval);
	tcase_add_test(t, bridges_of_different_granularity_are_an_interval);
	tcase_add_test(t, two_chunks_for_one_device_are_an_interval);
	tcase_add_test(t, a_swapped_position_below_a_three_way_window_is_an_interval);
	suite_add_tcase(s, t);
	return s;
}
