// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Property: on any machine, legal or with a changed attribute, no exact answer is wrong and no
 * interval is without the truth. The truth is the route of the hardware (tests/lib/machine.h).
 *
 *	MACHINE_SEED=N check_machines		one machine again, the one that failed
 *	MACHINE_SECONDS=600 check_machines	other machines each time, for that time
 *
 * Without it the machines are the same each time, so that the result depends on the program alone.
 *
 * An answer on a changed machine is right when it is that of the machine before the change, or when
 * the change made another legal machine of which it is right.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "prm/translate.h"
#include "tests/lib/machine.h"
#include "tests/lib/suites.h"

enum {
	FIXED_SEED = 1,
	FIXED_MACHINES = 250,
	CHANGES = 12, /* of each machine */
	REGIONLESS_CHANGES = 12,
	PLACES = 8, /* of each region */
	LEGAL_UNKNOWN = 2,
};

/* The known values of an address, before any change. */
struct truth {
	uint64_t spa, dpa;
	size_t memdev; /* index */
	size_t region; /* likewise */
};

static struct {
	uint64_t machines, views, addresses, exact, intervals, none, inexact_legal;
} count;

/* The machine that is looked at, and the same without its change. */
static struct machine now, before;
static bool is_regionless; /* the former: Linux made no region of its decoders */
static struct translator *translator;
static struct answers answers;
static uint8_t legal[MACHINE_REGIONS_MAX];

/* ---- failures ---- */

__attribute__((noreturn)) static void wrong(const char *what, const struct truth *t,
					    const struct answer *a)
{
	char path[64];
	int dirfd;

	(void)snprintf(path, sizeof(path), "machine-%llu", (unsigned long long)now.seed);
	(void)mkdir(path, 0755);
	dirfd = open(path, O_RDONLY | O_DIRECTORY);
	if (dirfd < 0 || machine_write(&now, dirfd) < 0)
		(void)fprintf(stderr, "%s: cannot be written\n", path);
	ck_abort_msg(
		"%s: seed %llu (MACHINE_SEED=%llu ./check_machines; tree in %s/), change: %s\n"
		"  truth: SPA 0x%llx is DPA 0x%llx of mem%zu in region%zu\n"
		"  answer: SPA 0x%llx-0x%llx, %s DPA 0x%llx-0x%llx, %zu candidates, %s, %s: %s",
		what, (unsigned long long)now.seed, (unsigned long long)now.seed, path,
		now.change[0] ? now.change : "none", (unsigned long long)t->spa,
		(unsigned long long)t->dpa, t->memdev, t->region, (unsigned long long)a->spa,
		(unsigned long long)a->spa_last, a->memdev ? a->memdev->name : "-",
		(unsigned long long)a->dpa, (unsigned long long)a->dpa_last, a->n_candidates,
		a->source ? answer_source_name(a->source) : "no source",
		a->exact ? "exact" : "not exact", a->reason);
}

/* ---- the machine after the change ---- */

static bool is_legal_now(const struct region *r)
{
	size_t i = 0;

	while (i < now.host.n_regions && now.regions[i] != r)
		i++;
	if (i == now.host.n_regions)
		return false;
	if (legal[i] == LEGAL_UNKNOWN)
		legal[i] = machine_is_legal(&now.host, r);
	return legal[i];
}

static const struct region *region_of_spa(uint64_t spa)
{
	for (size_t i = 0; i < now.host.n_regions; i++) {
		const struct region *r = now.regions[i];
		uint64_t base, size;

		if (machine_region_base(r, &base, &size) && spa >= base && spa - base < size)
			return r;
	}
	return NULL;
}

/* Whether the way of the hardware is what the changed machine says, wherever it leads. */
static bool is_way_now(uint64_t spa)
{
	const struct region *r = region_of_spa(spa);

	return is_regionless || (r && is_legal_now(r));
}

static bool is_right_now(uint64_t spa, const struct memdev *memdev, uint64_t dpa)
{
	struct machine_place p;

	return is_way_now(spa) && machine_route(&now.host, spa, &p) && p.memdev == memdev &&
	       p.dpa == dpa;
}

/* Whether the interval has the SPA that the device's DPA has on the changed machine. */
static bool interval_is_right_now(const struct answer *a, const struct memdev *memdev, uint64_t dpa)
{
	const struct machine_place p = {memdev, dpa};
	uint64_t spa;

	for (size_t i = 0; i < before.host.n_regions; i++)
		if (machine_find(&now.host, now.regions[i], &p, &spa) && is_way_now(spa) &&
		    spa >= a->spa && spa <= a->spa_last)
			return true;
	return false;
}

/* ---- answers ---- */

static void count_answer(const struct answer *a, bool has_answer)
{
	count.addresses++;
	if (!has_answer)
		count.none++;
	else if (a->exact)
		count.exact++;
	else
		count.intervals++;
}

static void check_spa_of(const struct answer *a, const struct truth *t)
{
	const struct memdev *memdev = now.memdevs[t->memdev];

	if (!a->has_spa)
		return;
	if (a->exact) {
		if (a->spa != t->spa && !is_right_now(a->spa, memdev, t->dpa))
			wrong("wrong exact SPA", t, a);
	} else if ((t->spa < a->spa || t->spa > a->spa_last) &&
		   !interval_is_right_now(a, memdev, t->dpa)) {
		wrong("interval without the SPA", t, a);
	}
}

static const struct answer *answer_holding_dpa(uint64_t dpa)
{
	for (size_t i = 0; i < answers.n; i++)
		if (dpa >= answers.items[i].dpa && dpa <= answers.items[i].dpa_last)
			return &answers.items[i];
	ck_abort_msg("no answer for DPA 0x%llx", (unsigned long long)dpa);
}

static void ask_dpas(const struct truth *t, uint64_t first, uint64_t last)
{
	answers_done(&answers);
	ck_assert_int_eq(translate_dpa(translator, now.memdevs[t->memdev], first, last, &answers),
			 0);
}

static bool has_candidate(const struct answer *a, const struct truth *t)
{
	for (size_t i = 0; i < a->n_candidates; i++)
		if (a->candidates[i].memdev == now.memdevs[t->memdev] &&
		    t->dpa >= a->candidates[i].dpa && t->dpa <= a->candidates[i].dpa_last)
			return true;
	return false;
}

static bool has_candidate_of_now(const struct answer *a, uint64_t spa)
{
	struct machine_place p;

	if (!is_way_now(spa) || !machine_route(&now.host, spa, &p))
		return false;
	for (size_t i = 0; i < a->n_candidates; i++)
		if (a->candidates[i].memdev == p.memdev && p.dpa >= a->candidates[i].dpa &&
		    p.dpa <= a->candidates[i].dpa_last)
			return true;
	return false;
}

/* A range of a region without one of its devices, which the answer says, is of the others only. */
static bool is_said_to_be_missing(const struct answer *a, const struct truth *t)
{
	for (size_t i = 0; i < a->n_candidates; i++)
		if (a->candidates[i].memdev == now.memdevs[t->memdev])
			return false;
	return answer_has_reason(a, REASON_REGION_INCOMPLETE);
}

static void check_dpa_of(const struct answer *a, const struct truth *t)
{
	if (a->n_candidates == 0 && !a->has_dpa)
		return;
	if (a->exact) {
		if ((a->memdev != now.memdevs[t->memdev] || a->dpa != t->dpa) &&
		    !is_right_now(t->spa, a->memdev, a->dpa))
			wrong("wrong exact DPA", t, a);
	} else if (!has_candidate(a, t) && !has_candidate_of_now(a, t->spa) &&
		   !is_said_to_be_missing(a, t)) {
		wrong("candidates without the device", t, a);
	}
}

static const struct answer *answer_holding_spa(uint64_t spa)
{
	for (size_t i = 0; i < answers.n; i++)
		if (spa >= answers.items[i].spa && spa <= answers.items[i].spa_last)
			return &answers.items[i];
	ck_abort_msg("no answer for SPA 0x%llx", (unsigned long long)spa);
}

static void ask_spas(uint64_t first, uint64_t last)
{
	answers_done(&answers);
	ck_assert_int_eq(translate_spa(translator, first, last, &answers), 0);
}

/* ---- addresses ---- */

static bool find_truth(const struct machine *m, size_t region, uint64_t spa, struct truth *ret)
{
	struct machine_place p;
	size_t i = 0;

	if (!machine_route(&m->host, spa, &p))
		return false;
	while (m->memdevs[i] != p.memdev)
		i++;
	*ret = (struct truth){.spa = spa, .dpa = p.dpa, .memdev = i, .region = region};
	return true;
}

/* The first and last block chunk by chunk, then anywhere. */
static struct truth choose_place(struct machine *m, size_t region)
{
	const struct region *r = m->regions[region];
	uint64_t base, size, block = r->ways.value * r->granularity.value, at;
	struct truth t;

	ck_assert(machine_region_base(r, &base, &size));
	switch (machine_random(m, 4)) {
	case 0:
		at = machine_random(m, block);
		break;
	case 1:
		at = size - 1 - machine_random(m, block);
		break;
	default:
		at = machine_random(m, size);
	}
	ck_assert_msg(find_truth(m, region, base + at, &t), "seed %llu: no route for 0x%llx",
		      (unsigned long long)m->seed, (unsigned long long)(base + at));
	return t;
}

static void check_one(const struct truth *t)
{
	ask_dpas(t, t->dpa, t->dpa);
	check_spa_of(&answers.items[0], t);
	count_answer(&answers.items[0], answers.items[0].has_spa);
	ask_spas(t->spa, t->spa);
	check_dpa_of(&answers.items[0], t);
	count_answer(&answers.items[0], answers.items[0].n_candidates > 0);
}

/* Two addresses and what is between them, in one question. */
static void check_range(const struct truth *t, const struct truth *u)
{
	uint64_t low = t->spa < u->spa ? t->spa : u->spa, high = t->spa < u->spa ? u->spa : t->spa;

	ask_spas(low, high);
	check_dpa_of(answer_holding_spa(t->spa), t);
	check_dpa_of(answer_holding_spa(u->spa), u);
	if (t->memdev != u->memdev)
		return;
	low = t->dpa < u->dpa ? t->dpa : u->dpa;
	high = t->dpa < u->dpa ? u->dpa : t->dpa;
	ask_dpas(t, low, high);
	check_spa_of(answer_holding_dpa(t->dpa), t);
	check_spa_of(answer_holding_dpa(u->dpa), u);
}

/* A line of an extended linear cache: never exact, and with the device of the line behind it. */
static void check_alias(const struct truth *t)
{
	const struct region *r = before.regions[t->region];
	uint64_t base, size;
	const struct answer *a;

	if (!machine_region_base(r, &base, &size) || base == r->resource.value)
		return;
	ask_spas(t->spa - (base - r->resource.value), t->spa - (base - r->resource.value));
	a = &answers.items[0];
	if (a->exact && !is_right_now(a->spa, a->memdev, a->dpa))
		wrong("exact DPA of a DRAM line", t, a);
	if (a->n_candidates > 0 && !has_candidate(a, t) && !has_candidate_of_now(a, a->spa) &&
	    !has_candidate_of_now(a, t->spa))
		wrong("DRAM line of another device", t, a);
}

/* A DPA at random, mapped or not: an exact answer must be where the hardware has it. */
static void check_any_dpa(void)
{
	size_t i = machine_random(&before, now.host.n_memdevs);
	uint64_t dpa = machine_random(&before, before.used[i] + 2 * MACHINE_UNIT);
	const struct memdev *then = before.memdevs[i];
	struct truth t = {.dpa = dpa, .memdev = i};
	struct machine_place p;
	const struct answer *a;

	ask_dpas(&t, dpa, dpa);
	a = &answers.items[0];
	if (a->exact &&
	    !(machine_route(&before.host, a->spa, &p) && p.memdev == then && p.dpa == dpa) &&
	    !is_right_now(a->spa, a->memdev, dpa))
		wrong("wrong exact SPA of any DPA", &t, a);
	count_answer(a, a->has_spa);
}

/* All that was chosen on the machine before its change, asked of the one after it. */
static void check_view(const struct truth *places, size_t n)
{
	memset(legal, LEGAL_UNKNOWN, sizeof(legal));
	ck_assert_int_eq(translator_new(&now.host, NULL, &translator, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		check_one(&places[i]);
		check_range(&places[i], &places[i / PLACES * PLACES]);
		check_alias(&places[i]);
	}
	for (unsigned int i = 0; i < 4; i++)
		check_any_dpa();
	count.views++;
	translator = translator_unref(translator);
}

/* ---- machines ---- */

/* XOR and a bridge that chooses by the same bits: the only legal machines without exact answers. */
static bool may_be_inexact(const struct region *r)
{
	const struct decoder *w = r->root;
	unsigned int n = machine_n_maps((unsigned int)w->ways.value);
	uint64_t first = w->granularity.value, last = first << n;

	if (!before.xored[w->index] || n == 0)
		return false;
	for (size_t i = 0; i < before.host.n_decoders; i++) {
		const struct decoder *d = before.decoders[i];
		uint64_t g = d->granularity.value, ways = d->ways.value;

		if (d->region == r && d->n_targets > 1 && g < last &&
		    (ways % 3 == 0 || g * ways > first))
			return true;
	}
	return false;
}

static void check_legal(const struct truth *places, size_t n)
{
	const struct answer *a;

	memset(legal, LEGAL_UNKNOWN, sizeof(legal));
	ck_assert_int_eq(translator_new(&now.host, NULL, &translator, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		const struct truth *t = &places[i];

		ck_assert_msg(is_regionless || is_legal_now(now.regions[t->region]),
			      "seed %llu: region%zu is not legal", (unsigned long long)now.seed,
			      t->region);
		ask_dpas(t, t->dpa, t->dpa);
		a = &answers.items[0];
		if (!a->exact && !may_be_inexact(before.regions[t->region]))
			wrong("legal and not exact", t, a);
		count.inexact_legal += !a->exact;
	}
	translator = translator_unref(translator);
}

static void changed(const struct truth *places, size_t n, uint64_t seed, unsigned int change)
{
	machine_build(&now, seed);
	if (change == 0)
		machine_hide(&now);
	else if (change == 1)
		machine_normalize(&now, now.regions[machine_random(&now, now.host.n_regions)]);
	else if (change > 2 || !machine_hide_routes(&now))
		machine_change(&now, seed * 1000 + change);
	check_view(places, n);
	machine_done(&now);
}

/* ---- the same machines, of whose decoders Linux made no region ---- */

/* Addresses before a low memory hole are exact, and those behind it have none. */
static void check_hole(const struct truth *places, size_t n)
{
	struct truth before_hole[MACHINE_REGIONS_MAX * PLACES];
	size_t n_before = 0;

	ck_assert_int_eq(translator_new(&now.host, NULL, &translator, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		const struct truth *t = &places[i];
		const struct decoder *w = now.regions[t->region]->root;

		if (t->spa - w->start.value < w->size.value) {
			before_hole[n_before++] = *t;
			continue;
		}
		ask_dpas(t, t->dpa, t->dpa);
		if (answers.items[0].has_spa)
			wrong("an SPA behind the low memory hole", t, &answers.items[0]);
		ask_spas(t->spa, t->spa);
		if (answers.items[0].has_dpa)
			wrong("a DPA behind the low memory hole", t, &answers.items[0]);
	}
	translator = translator_unref(translator);
	check_legal(before_hole, n_before);
}

/* All that is known of a legal machine is known without its regions. */
static void check_unchanged(const struct truth *places, size_t n, uint64_t seed,
			    void (*show)(struct machine *))
{
	machine_build(&now, seed);
	if (show)
		show(&now);
	machine_forget_regions(&now);
	check_legal(places, n);
	check_view(places, n);
	machine_done(&now);
}

/* The addresses of the devices that are left are those that they had beside the one that is lost.
 */
static void check_lost(const struct truth *places, size_t n, uint64_t seed)
{
	struct truth left[MACHINE_REGIONS_MAX * PLACES];
	const struct memdev *lost;
	size_t n_left = 0;

	machine_build(&now, seed);
	lost = machine_lose_device(&now);
	machine_forget_regions(&now);
	for (size_t i = 0; i < n; i++)
		if (now.memdevs[places[i].memdev] != lost)
			left[n_left++] = places[i];
	check_legal(left, n_left);
	check_view(left, n_left);
	machine_done(&now);
}

static void change_regionless(uint64_t seed, unsigned int change)
{
	switch (change) {
	case 0:
		machine_hide(&now);
		break;
	case 1:
		machine_normalize(&now, now.regions[machine_random(&now, now.host.n_regions)]);
		break;
	case 2:
		machine_emulate(&now);
		break;
	default:
		machine_change(&now, seed * 1000 + 500 + change);
	}
}

static void check_regionless(const struct truth *places, size_t n, uint64_t seed)
{
	is_regionless = true;
	check_unchanged(places, n, seed, NULL);
	check_unchanged(places, n, seed, machine_pass_through);
	check_lost(places, n, seed);
	machine_build(&now, seed);
	if (machine_make_hole(&now)) {
		machine_forget_regions(&now);
		check_hole(places, n);
	}
	machine_done(&now);
	for (unsigned int i = 0; i < REGIONLESS_CHANGES; i++) {
		machine_build(&now, seed);
		change_regionless(seed, i);
		machine_forget_regions(&now);
		check_view(places, n);
		machine_done(&now);
	}
	is_regionless = false;
}

static void check_machine(uint64_t seed)
{
	struct truth places[MACHINE_REGIONS_MAX * PLACES];
	size_t n = 0;

	machine_build(&before, seed);
	for (size_t i = 0; i < before.host.n_regions; i++)
		for (unsigned int k = 0; k < PLACES; k++)
			places[n++] = choose_place(&before, i);
	machine_build(&now, seed);
	check_legal(places, n);
	check_view(places, n);
	machine_done(&now);
	for (unsigned int i = 0; i < CHANGES; i++)
		changed(places, n, seed, i);
	check_regionless(places, n, seed);
	machine_done(&before);
	count.machines++;
}

static void print_counts(void)
{
	(void)printf(
		"%llu machines, %llu views of them, %llu addresses: %llu exact, %llu intervals, %llu without answer; %llu of unchanged machines not exact\n",
		(unsigned long long)count.machines, (unsigned long long)count.views,
		(unsigned long long)count.addresses, (unsigned long long)count.exact,
		(unsigned long long)count.intervals, (unsigned long long)count.none,
		(unsigned long long)count.inexact_legal);
	(void)fflush(stdout);
}

static void check_machines(uint64_t seed, unsigned int n)
{
	memset(&count, 0, sizeof(count));
	for (unsigned int i = 0; i < n; i++)
		check_machine(seed + i);
	answers_done(&answers);
	print_counts();
}

START_TEST(answers_on_the_same_machines_each_time_are_right)
{
	uint64_t only;

	if (machine_only(&only))
		check_machines(only, 1);
	else
		check_machines(FIXED_SEED, FIXED_MACHINES);
}
END_TEST

static uint64_t any_seed(void)
{
	return clock_realtime_ns() >> 10 & 0xffffffffffff;
}

START_TEST(answers_are_right_as_long_as_asked)
{
	const char *text = getenv("MACHINE_SECONDS");
	uint64_t seed = any_seed(), end, only;

	if (!text || machine_only(&only))
		return;
	(void)printf("seeds from %llu on\n", (unsigned long long)seed);
	(void)fflush(stdout);
	memset(&count, 0, sizeof(count));
	end = clock_realtime_ns() + strtoull(text, NULL, 10) * 1000000000;
	while (clock_realtime_ns() < end)
		check_machine(seed++);
	answers_done(&answers);
	print_counts();
}
END_TEST

SUITE(check_machines)
{
	const char *text = getenv("MACHINE_SECONDS");
	Suite *s = suite_create("machines");
	TCase *t = tcase_create("machines");

	tcase_set_timeout(t, 120 + (text ? (double)strtoull(text, NULL, 10) : 0));
	tcase_add_test(t, answers_on_the_same_machines_each_time_are_right);
	tcase_add_test(t, answers_are_right_as_long_as_asked);
	suite_add_tcase(s, t);
	return s;
}
