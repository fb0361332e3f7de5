// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plans of regions where attributes contradict each other, as a captured host may have them, and
 * requests with any numbers: refused with a reason, or all of the plan adds up.
 *
 *	check_region_plan_hostile [SEED]	one machine again
 */
#include "model/partitions.h"
#include "model/region_fit.h"
#include "tests/lib/suites.h"
#include "tests/model/region_plan_machine.h"

enum { MACHINES = 3000, TRIES = 6 };

static unsigned int n_planned, n_refused;

static uint64_t any_size(void)
{
	static const uint64_t sizes[] = {
		0,	    1,		REGION_SHARE_BYTES,
		1ULL << 63, UINT64_MAX, UINT64_MAX - REGION_SHARE_BYTES + 1};

	return sizes[machine_random(&m, sizeof(sizes) / sizeof(sizes[0]))] *
	       (1 + machine_random(&m, 3));
}

static struct region_request any_hostile_request(void)
{
	struct region_request q = any_request();

	if (machine_random(&m, 2))
		q.size = any_size();
	if (machine_random(&m, 4) == 0)
		q.granularity = any_size();
	if (machine_random(&m, 4) == 0)
		q.ways = (unsigned int)machine_random(&m, 40);
	if (machine_random(&m, 2))
		q.n_memdevs = machine_random(&m, INTERLEAVE_WAYS_MAX + 1);
	for (size_t i = 0; i < q.n_memdevs; i++)
		q.memdevs[i] = m.memdevs[machine_random(&m, m.host.n_memdevs)];
	q.any_order = machine_random(&m, 2);
	return q;
}

/* Numbers of such a machine may be any, but what is planned with them adds up. */
static void expect_no_overflow(const struct region_plan *p)
{
	ck_assert(p->ways > 0 && p->ways <= INTERLEAVE_WAYS_MAX);
	ck_assert(p->share > 0 && p->share <= UINT64_MAX / p->ways);
	ck_assert_uint_eq(p->size, p->share * p->ways);
	ck_assert_uint_eq(p->share % REGION_SHARE_BYTES, 0);
	if (p->spa.present)
		ck_assert_uint_le(p->spa.value, UINT64_MAX - (p->size - 1));
	for (unsigned int i = 0; i < p->ways; i++) {
		const struct region_plan_position *at = &p->positions[i];
		struct partition part;

		ck_assert(memdev_partition(at->memdev, decoder_mode_name(p->mode), &part));
		ck_assert(at->dpa >= part.offset && at->dpa - part.offset <= part.size);
		ck_assert_uint_le(p->share, part.size - (at->dpa - part.offset));
		ck_assert_ptr_eq(at->decoder->port, at->memdev->endpoint);
	}
}

static void try_hostile_request(void)
{
	struct region_request q = any_hostile_request();
	struct region_plan p;
	struct error e = {0};
	int r = region_plan_make(&m.host, &q, &p, &e);

	if (r == 0)
		expect_no_overflow(&p);
	else
		ck_assert_msg(e.text[0] != '\0', "refused without a reason");
	n_planned += r == 0;
	n_refused += r < 0;
}

static void try_hostile_machine(uint64_t seed)
{
	machine_build(&m, seed);
	for (unsigned int i = 0; i < 3; i++)
		machine_change(&m, machine_random(&m, UINT32_MAX));
	if (machine_random(&m, 2))
		forget_regions();
	for (size_t i = 0; i < m.host.n_ports; i++)
		if (m.ports[i]->kind != PORT_ROOT && machine_random(&m, 8))
			add_idle_decoders(m.ports[i]);
	for (size_t i = 0; i < m.host.n_regions; i++)
		add_to_window(writable(m.regions[i]->root), m.regions[i]);
	for (unsigned int i = 0; i < TRIES; i++)
		try_hostile_request();
	for (size_t i = 0; i < m.host.n_regions; i++) {
		const bool force = machine_random(&m, 2);
		struct error e = {0};

		if (region_destroy_check(&m.host, m.regions[i], force, &e) < 0)
			ck_assert_msg(e.text[0] != '\0', "refused without a reason");
	}
	machine_done(&m);
}

START_TEST(plans_on_a_machine_that_contradicts_itself_add_up)
{
	if (!try_machines(MACHINES, try_hostile_machine))
		return;
	ck_assert_uint_gt(n_planned, 200);
	ck_assert_uint_gt(n_refused, 1000);
}
END_TEST

SUITE(check_region_plan_hostile)
{
	return machines_suite("plans of regions on hostile machines",
			      plans_on_a_machine_that_contradicts_itself_add_up);
}
