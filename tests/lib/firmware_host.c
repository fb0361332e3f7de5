// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/firmware_host.h"

#include <errno.h>

#include <check.h>

struct firmware_timeout timeout;
struct answers out;

fake_rule *const rules[2] = {fake_plain, fake_permuted};

int fake_page_of_errors(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa >= 0x4000 && dpa < 0x5000 ? -EIO : fake_plain(bus, dpa, ret_spa);
}

void firmware_host_setup(void)
{
	struct port *bridge;

	fake_setup();
	model_init(&m);
	bridge = model_bridge(&m);
	window = model_window(&m, &bridge, 1);
	mem[0] = model_memdev(&m, bridge);
	mem[1] = model_memdev(&m, bridge);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	timeout = (struct firmware_timeout){.call_ms = 60000};
}

void firmware_host_teardown(void)
{
	struct firmware *f = m.firmware;

	answers_done(&out);
	model_done(&m);
	(void)firmware_free(f);
	fake_teardown();
}

void ready(void)
{
	ck_assert_int_eq(firmware_new(fake.path, &m.firmware), 0);
	model_ready(&m);
}

const struct answer *query_range(unsigned int device, uint64_t first, uint64_t last)
{
	out.n = 0;
	ck_assert_int_eq(translate_dpa_wait(m.t, mem[device], first, last, &timeout, &out), 0);
	ck_assert_uint_ge(out.n, 1);
	return &out.items[0];
}

const struct answer *query_device(unsigned int device, uint64_t dpa)
{
	return query_range(device, dpa, dpa);
}

const struct answer *query_spa_range(uint64_t first, uint64_t last)
{
	out.n = 0;
	ck_assert_int_eq(translate_spa_wait(m.t, first, last, &timeout, &out), 0);
	ck_assert_uint_ge(out.n, 1);
	return &out.items[0];
}

const struct answer *query_spa(uint64_t spa)
{
	return query_spa_range(spa, spa);
}

void expect_exact(const struct answer *a, const struct memdev *memdev, uint64_t dpa, uint64_t spa)
{
	ck_assert_msg(a->exact && a->source == SOURCE_PRM, "%s: %s", answer_source_name(a->source),
		      a->reason);
	ck_assert_ptr_eq(a->memdev, memdev);
	ck_assert_uint_eq(a->dpa, dpa);
	ck_assert_uint_eq(a->dpa_last, dpa);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_uint_eq(a->spa_last, spa);
	ck_assert_str_eq(a->reason, "");
	ck_assert(!a->not_queried);
	ck_assert_ptr_eq(a->window, window);
}

void expect_estimated(const struct answer *a, uint64_t dpa, const char *reason)
{
	ck_assert_msg(!a->exact && a->source == SOURCE_ESTIMATE, "%s: %s",
		      answer_source_name(a->source), a->reason);
	ck_assert_uint_eq(a->spa, BASE + dpa / 256 * 512);
	ck_assert_uint_eq(a->spa_last, a->spa + 511);
	expect_reason(a, reason);
}
