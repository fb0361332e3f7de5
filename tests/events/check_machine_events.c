// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Property: a record of a random machine is never answered with a wrong exact address, also when
 * the regions were made anew under their old names before it is read. The truth is the route of
 * the hardware when the record was made; its hpa is what Linux 7.3 computes, right or wrong. It is
 * given only where the mapping is certainly the record's: regions of different routes can have the
 * same wrong hpa.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/clock.h"
#include "events/event_fill.h"
#include "tests/lib/machine.h"
#include "tests/lib/suites.h"

enum { FIXED_SEED = 1, FIXED_MACHINES = 250, RANDOM_MACHINES = 1000, PLACES = 10 };

static struct machine then, now;
static uint64_t count_exact, count_interval, count_none;

struct question {
	uint64_t spa;
	size_t region;
	struct machine_place place;
	struct event_record rec;
};

static void number(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->present |= UINT64_C(1) << field;
	rec->number[field] = value;
}

static uint64_t hpa_of(const struct region *r, const struct machine_place *p)
{
	for (unsigned int i = 0; i < r->n_targets; i++)
		if (r->targets[i].memdev == p->memdev)
			return machine_kernel_hpa(
				&then.host, r, i,
				p->dpa - r->targets[i].decoder->dpa_resource.value);
	ck_abort_msg("%s has no %s", r->name, p->memdev->name);
}

static void add_uuid(struct event_record *rec, const char *text)
{
	static const char digits[] = "0123456789abcdef";
	unsigned int n = 0;

	for (; *text; text++)
		if (*text != '-') {
			rec->payload[n / 2] = (uint8_t)(rec->payload[n / 2] << 4 |
							(strchr(digits, *text) - digits));
			n++;
		}
	ck_assert_uint_eq(n, 2 * EVENT_UUID_SIZE);
	rec->bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
	rec->payload_len = EVENT_UUID_SIZE;
}

static struct question choose(size_t region, bool is_old, bool has_hpa)
{
	const struct region *r = then.regions[region];
	struct question q = {.region = region, .rec = {.type = EVENT_DRAM}};
	uint64_t base, size;

	ck_assert(machine_region_base(r, &base, &size));
	q.spa = base + machine_random(&then, size);
	ck_assert(machine_route(&then.host, q.spa, &q.place));
	q.rec.wall_ns = OPT_U64(is_old ? 1 : clock_realtime_ns());
	strcpy(q.rec.event, "cxl_dram");
	(void)snprintf(q.rec.memdev, sizeof(q.rec.memdev), "%s", q.place.memdev->name);
	(void)snprintf(q.rec.host, sizeof(q.rec.host), "%s", q.place.memdev->bdf);
	(void)snprintf(q.rec.region, sizeof(q.rec.region), "%s", r->name);
	if (r->uuid)
		add_uuid(&q.rec, r->uuid);
	number(&q.rec, FIELD_SERIAL, q.place.memdev->serial.value);
	number(&q.rec, FIELD_LOG, 2);
	number(&q.rec, FIELD_DPA, q.place.dpa);
	if (has_hpa && machine_random(&then, 3) > 0)
		number(&q.rec, FIELD_HPA, hpa_of(r, &q.place));
	return q;
}

static void check_answer(const struct event_mapping *mapping, const struct question *q)
{
	static const uint8_t boot[EVENT_BOOT_ID_SIZE] = {1};
	struct stored_event ev;
	const struct event_answer *a = &ev.answer;

	event_fill(mapping, boot, &q->rec, &provenance_live, clock_realtime_ns(), &ev, NULL);
	count_exact += a->has_spa && a->exact;
	count_interval += a->has_spa && !a->exact;
	count_none += !a->has_spa;
	if (!a->has_spa || (q->spa >= a->spa && q->spa <= a->spa_last))
		return;
	ck_abort_msg(
		"%s: seed %llu (MACHINE_SEED=%llu ./check_machine_events): DPA 0x%llx of %s in %s, hpa 0x%llx, was SPA 0x%llx; the answer is 0x%llx-0x%llx, %s: %s",
		a->exact ? "wrong exact" : "interval without the SPA",
		(unsigned long long)then.seed, (unsigned long long)then.seed,
		(unsigned long long)q->place.dpa, q->place.memdev->name, q->rec.region,
		(unsigned long long)q->rec.number[FIELD_HPA], (unsigned long long)q->spa,
		(unsigned long long)a->spa, (unsigned long long)a->spa_last,
		answer_source_name(a->source), a->reason);
}

static void check_view(bool is_old, bool has_hpa)
{
	struct event_mapping *mapping;
	struct translator *t;

	ck_assert_int_eq(translator_new(&now.host, NULL, &t, NULL), 0);
	ck_assert_int_eq(event_mapping_new(&now.host, t, &mapping, NULL), 0);
	for (size_t i = 0; i < then.host.n_regions; i++)
		for (unsigned int k = 0; k < PLACES; k++) {
			struct question q = choose(i, is_old, has_hpa);

			check_answer(mapping, &q);
		}
	(void)event_mapping_unref(mapping);
	(void)translator_unref(t);
}

static void check_machine(uint64_t seed)
{
	machine_build(&then, seed);
	machine_build(&now, seed);
	check_view(false, true);
	check_view(true, false);
	machine_hide(&now);
	check_view(false, true);
	machine_done(&now);
	for (unsigned int i = 0; i < 4; i++) {
		machine_remake(&now, seed, seed * 16 + i);
		check_view(true, false);
		machine_done(&now);
	}
	machine_done(&then);
}

static void check_machines(uint64_t seed, unsigned int n)
{
	count_exact = count_interval = count_none = 0;
	for (unsigned int i = 0; i < n; i++)
		check_machine(seed + i);
	(void)printf("seeds from %llu on: %llu exact, %llu intervals, %llu without answer\n",
		     (unsigned long long)seed, (unsigned long long)count_exact,
		     (unsigned long long)count_interval, (unsigned long long)count_none);
	(void)fflush(stdout);
}

START_TEST(records_of_the_same_machines_each_time_are_right)
{
	uint64_t only;

	if (machine_only(&only))
		check_machine(only);
	else
		check_machines(FIXED_SEED, FIXED_MACHINES);
}
END_TEST

START_TEST(records_of_other_machines_each_time_are_right)
{
	uint64_t only;

	if (getenv("MACHINE_SECONDS") && !machine_only(&only))
		check_machines(clock_realtime_ns() >> 10 & 0xffffffffffff, RANDOM_MACHINES);
}
END_TEST

SUITE(check_machine_events)
{
	Suite *s = suite_create("machine-events");
	TCase *t = tcase_create("records");

	tcase_set_timeout(t, getenv("MACHINE_SECONDS") ? 1200 : 120);
	tcase_add_test(t, records_of_the_same_machines_each_time_are_right);
	tcase_add_test(t, records_of_other_machines_each_time_are_right);
	suite_add_tcase(s, t);
	return s;
}
