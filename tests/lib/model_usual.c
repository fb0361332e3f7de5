// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/model_usual.h"

#include <check.h>

struct model m;
struct port *bridges[16];
struct memdev *mem[16];
struct decoder *window;
struct region *region;

void model_setup(void)
{
	model_init(&m);
}

void model_teardown(void)
{
	model_done(&m);
}

void build(unsigned int n_bridges, unsigned int ways, uint64_t resource)
{
	for (unsigned int i = 0; i < n_bridges; i++)
		bridges[i] = model_bridge(&m);
	window = model_window(&m, bridges, n_bridges);
	for (unsigned int i = 0; i < ways; i++)
		mem[i] = model_memdev(&m, bridges[i % n_bridges]);
	region = model_region(&m, window, resource, mem, ways);
}

void build_usual(void)
{
	build(2, 4, BASE);
	model_cedt(&m, 0, NULL, 0);
}

const struct answer *query(unsigned int device, uint64_t dpa)
{
	return model_translate_dpa(&m, mem[device], dpa, dpa);
}

void expect_no_answer(const char *reason)
{
	const struct answer *a;

	model_ready(&m);
	a = query(0, 0x1040);
	ck_assert(!a->has_spa && a->source == SOURCE_NONE);
	expect_reason(a, reason);
	a = model_translate_spa(&m, BASE + 0x4040, BASE + 0x4040);
	ck_assert(!a->has_dpa && a->n_candidates == 0 && a->source == SOURCE_NONE);
	expect_reason(a, reason);
}

void expect_interval(unsigned int ways, const char *reason)
{
	const struct answer *a;
	uint64_t block = 0x10ULL * 256 * ways;

	model_ready(&m);
	a = query(0, 0x1040);
	ck_assert_msg(a->has_spa && !a->exact, "%s", a->reason);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->spa, BASE + block);
	ck_assert_uint_eq(a->spa_last, BASE + block + 256 * ways - 1);
	expect_reason(a, reason);
	a = model_translate_spa(&m, BASE + block + 1, BASE + block + 1);
	ck_assert(!a->exact && a->source == SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->n_candidates, ways);
	for (unsigned int i = 0; i < ways; i++) {
		ck_assert_ptr_eq(a->candidates[i].memdev, mem[i]);
		ck_assert_uint_eq(a->candidates[i].dpa, 0x1000);
		ck_assert_uint_eq(a->candidates[i].dpa_last, 0x10ff);
	}
	expect_reason(a, reason);
}
