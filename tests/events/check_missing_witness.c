// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Property: what is absent may widen an answer, never narrow it. On random machines and captured
 * hosts, whose witnesses do not contradict each other, each witness is removed in turn. The answer
 * then contains the one of the whole host, or there is none; where the whole host has none, no
 * answer is exact.
 *
 *	MACHINE_SEED=N check_missing_witness		one machine again, the one that failed
 *	WITNESS_MACHINES=500 check_missing_witness	so many others, and all captured hosts
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/array.h"
#include "common/clock.h"
#include "events/event_extents.h"
#include "events/event_fill.h"
#include "events/event_uuid.h"
#include "prm/handler_types.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/machine.h"
#include "tests/lib/suites.h"
#include "tests/lib/witness.h"

enum { FIXED_SEED = 1, MACHINES = 20, PLACES = 2, QUESTIONS_MAX = 2048, DECODERS_MAX = 60 };

enum kind { BY_DPA, BY_SPA, OF_EVENT, KINDS };

struct question {
	enum kind kind;
	const struct memdev *memdev;
	uint64_t address;
	struct event_record rec;
	/* The answer of the whole machine. */
	struct answer full;
	struct event_answer full_event;
};

static struct machine machine;
static struct scratch scratch;
static struct question questions[QUESTIONS_MAX];
static size_t n_questions;
static char host_name[96]; /* which one it is, for a failure */
static const struct host *host;
static struct host_root *root;
static struct {
	uint64_t views, same, wider, none;
} count;

/* ---- failures ---- */

static void say(char *ret, size_t size, bool has, bool exact, uint64_t first, uint64_t last,
		const char *reason)
{
	if (!has)
		(void)snprintf(ret, size, "none: %s", reason);
	else
		(void)snprintf(ret, size, "%s 0x%llx-0x%llx: %s", exact ? "exact" : "interval",
			       (unsigned long long)first, (unsigned long long)last, reason);
}

__attribute__((noreturn)) static void narrower(const struct question *q, const struct witness *w,
					       const char *full, const char *now)
{
	static const char *const kinds[] = {"DPA", "SPA", "event"};

	ck_abort_msg("%s, without %s:\n  %s 0x%llx of %s, region '%s', hpa 0x%llx\n"
		     "  whole:   %s\n  without: %s",
		     host_name, w->name, kinds[q->kind], (unsigned long long)q->address,
		     q->memdev ? q->memdev->name : "-", q->rec.region,
		     (unsigned long long)event_number(&q->rec, FIELD_HPA).value, full, now);
}

static void counted(bool has, bool same)
{
	if (!has)
		count.none++;
	else if (same)
		count.same++;
	else
		count.wider++;
}

/* ---- comparison ---- */

/* Whether the node is that of the whole answer, or is not known. */
static bool node_is_kept(struct opt_int full, struct opt_int now)
{
	return !now.present || (full.present && full.value == now.value);
}

static bool has_candidate(const struct answer *a, const struct answer_candidate *c)
{
	for (size_t i = 0; i < a->n_candidates; i++)
		if (a->candidates[i].memdev == c->memdev && a->candidates[i].dpa <= c->dpa &&
		    a->candidates[i].dpa_last >= c->dpa_last)
			return true;
	return false;
}

static bool contains_dpas(const struct answer *full, const struct answer *now)
{
	if (now->exact && !full->exact)
		return false;
	for (size_t i = 0; i < full->n_candidates; i++)
		if (!has_candidate(now, &full->candidates[i]))
			return false;
	return true;
}

static bool contains_spas(const struct answer *full, const struct answer *now)
{
	if (!full->has_spa)
		return !now->exact;
	return now->spa <= full->spa && now->spa_last >= full->spa_last &&
	       (!now->exact || full->exact);
}

static void compare(const struct question *q, const struct witness *w, const struct answer *now)
{
	const struct answer *full = &q->full;
	const bool by_spa = q->kind == BY_SPA, has = by_spa ? now->has_dpa : now->has_spa;
	char texts[2][512];

	counted(has, now->exact);
	if ((!has || (by_spa ? contains_dpas(full, now) : contains_spas(full, now))) &&
	    node_is_kept(full->numa_node, now->numa_node))
		return;
	if (by_spa) {
		say(texts[0], sizeof(texts[0]), full->has_dpa, full->exact, full->dpa,
		    full->dpa_last, full->reason);
		say(texts[1], sizeof(texts[1]), now->has_dpa, now->exact, now->dpa, now->dpa_last,
		    now->reason);
	} else {
		say(texts[0], sizeof(texts[0]), full->has_spa, full->exact, full->spa,
		    full->spa_last, full->reason);
		say(texts[1], sizeof(texts[1]), now->has_spa, now->exact, now->spa, now->spa_last,
		    now->reason);
	}
	narrower(q, w, texts[0], texts[1]);
}

/* Whether the extents hold all of @first to @last, together. */
static bool holds(const struct event_answer *a, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < a->n_extents; i++) {
		const struct event_extent *x = &a->extents[i];

		if (x->spa > first || x->spa_last < first)
			continue;
		if (x->spa_last >= last)
			return true;
		first = x->spa_last + 1;
		i = (size_t)-1;
	}
	return false;
}

/* Whether each extent of the whole answer is in the extents, or among the bytes beyond them. */
static bool contains_extents(const struct event_answer *full, const struct event_answer *now)
{
	for (size_t i = 0; i < full->n_extents; i++)
		if (now->n_extents && !now->bytes_beyond &&
		    !holds(now, full->extents[i].spa, full->extents[i].spa_last))
			return false;
	return true;
}

static void compare_events(const struct question *q, const struct witness *w,
			   const struct event_answer *now)
{
	const struct event_answer *full = &q->full_event;
	char texts[2][512];

	counted(now->has_spa, now->exact);
	if (!now->has_spa)
		return;
	if (full->has_spa ? now->spa <= full->spa && now->spa_last >= full->spa_last &&
				    (!now->exact || full->exact) && contains_extents(full, now)
			  : !now->exact)
		return;
	say(texts[0], sizeof(texts[0]), full->has_spa, full->exact, full->spa, full->spa_last,
	    full->reason);
	say(texts[1], sizeof(texts[1]), now->has_spa, now->exact, now->spa, now->spa_last,
	    now->reason);
	narrower(q, w, texts[0], texts[1]);
}

/* ---- questions ---- */

static struct question *ask(enum kind kind, const struct memdev *memdev, uint64_t address)
{
	struct question *q = &questions[n_questions++];

	ck_assert_uint_le(n_questions, QUESTIONS_MAX);
	*q = (struct question){.kind = kind, .memdev = memdev, .address = address};
	return q;
}

static void number(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->present |= UINT64_C(1) << field;
	rec->number[field] = value;
}

static struct opt_u64 kernels_hpa(const struct region *r, const struct machine_place *p)
{
	for (unsigned int i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;

		if (r->targets[i].memdev != p->memdev)
			continue;
		if (decoder_mapping(d) == MAPPING_NORMALIZED || r->commit != REGION_COMMITTED)
			return (struct opt_u64){0};
		return OPT_U64(
			machine_kernel_hpa(&machine.host, r, i, p->dpa - d->dpa_resource.value));
	}
	return (struct opt_u64){0};
}

static void add_uuid(struct event_record *rec, const char *text)
{
	ck_assert(event_uuid_parse(text, rec->payload));
	rec->bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
	rec->payload_len = EVENT_UUID_SIZE;
}

/*
 * A record of that place: @i chooses what it names, how old and how long it is.
 *
 * @hpa: what the kernel computes
 */
static void ask_event(const struct region *r, const struct machine_place *p, struct opt_u64 hpa,
		      unsigned int i)
{
	struct question *q = ask(OF_EVENT, p->memdev, p->dpa);
	const bool is_old = i & 1, has_hpa = i & 2;

	q->rec.type = i & 4 ? EVENT_POISON : EVENT_DRAM;
	q->rec.wall_ns = OPT_U64(is_old ? 1 : clock_realtime_ns() + 3600 * UINT64_C(1000000000));
	strcpy(q->rec.event, i & 4 ? "cxl_poison" : "cxl_dram");
	(void)snprintf(q->rec.memdev, sizeof(q->rec.memdev), "%s", p->memdev->name);
	if (p->memdev->bdf)
		(void)snprintf(q->rec.host, sizeof(q->rec.host), "%s", p->memdev->bdf);
	if (i < 8)
		(void)snprintf(q->rec.region, sizeof(q->rec.region), "%s", r->name);
	else if (i < 12)
		(void)snprintf(q->rec.region, sizeof(q->rec.region), "region99");
	if (i < 8 && r->uuid)
		add_uuid(&q->rec, r->uuid);
	number(&q->rec, FIELD_SERIAL, p->memdev->serial.value);
	number(&q->rec, FIELD_LOG, 2);
	number(&q->rec, FIELD_DPA, p->dpa);
	if (i & 4)
		number(&q->rec, FIELD_DPA_LENGTH, 64 * (1 + i));
	if (has_hpa && hpa.present)
		number(&q->rec, FIELD_HPA, hpa.value);
}

/* An address of a region, where the machine has it. */
struct place {
	const struct region *region;
	uint64_t spa;
	struct machine_place at;
};

static void ask_place(const struct place *p)
{
	const struct region *r = p->region;
	uint64_t base, size;

	(void)ask(BY_DPA, p->at.memdev, p->at.dpa);
	(void)ask(BY_SPA, NULL, p->spa);
	if (machine_region_base(r, &base, &size) && base > r->resource.value)
		(void)ask(BY_SPA, NULL, p->spa - (base - r->resource.value));
	for (unsigned int i = 0; i < 3; i++)
		ask_event(r, &p->at, kernels_hpa(r, &p->at),
			  (unsigned int)machine_random(&machine, 16));
}

/* Addresses that nothing may map: beyond a device's last decoder, a window's end. */
static void ask_around(void)
{
	const size_t i = machine_random(&machine, machine.host.n_memdevs);
	const struct decoder *w =
		machine.root->decoders[machine_random(&machine, machine.root->n_decoders)];
	const uint64_t dpa = machine_random(&machine, machine.used[i] + 2 * MACHINE_UNIT);

	(void)ask(BY_DPA, machine.memdevs[i], dpa);
	(void)ask(BY_SPA, NULL, w->start.value + machine_random(&machine, w->size.value));
	(void)ask(BY_SPA, NULL, w->start.value + w->size.value);
}

static size_t choose_places(struct place *ret)
{
	uint64_t base, size;
	size_t n = 0;

	for (size_t i = 0; i < machine.host.n_regions; i++)
		for (unsigned int k = 0; k < PLACES; k++) {
			struct place *p = &ret[n++];

			p->region = machine.regions[i];
			ck_assert(machine_region_base(p->region, &base, &size));
			p->spa = base + machine_random(&machine, size);
			ck_assert(machine_route(&machine.host, p->spa, &p->at));
		}
	return n;
}

/* ---- answers ---- */

static void answer_of(const struct translator *t, const struct question *q, struct answer *ret)
{
	struct answers answers = {0};

	if (q->kind == BY_DPA)
		ck_assert_int_eq(translate_dpa(t, q->memdev, q->address, q->address, &answers), 0);
	else
		ck_assert_int_eq(translate_spa(t, q->address, q->address, &answers), 0);
	ck_assert_uint_eq(answers.n, 1);
	*ret = answers.items[0];
	answers_done(&answers);
}

static void event_answer_of(const struct event_mapping *mapping, const struct question *q,
			    struct event_answer *ret)
{
	static const uint8_t boot[EVENT_BOOT_ID_SIZE] = {1};
	static struct stored_event ev;

	event_fill(mapping, boot, &q->rec, &provenance_live, clock_realtime_ns(), &ev, NULL);
	*ret = ev.answer;
}

/* Answers all questions on the machine as it is. @w: what is absent; NULL: the whole machine */
static void answer_all(const struct witness *w)
{
	struct event_mapping *mapping;
	struct translator *t;

	ck_assert_int_eq(translator_new(host, NULL, &t, NULL), 0);
	ck_assert_int_eq(event_mapping_new(host, t, &mapping, NULL), 0);
	for (size_t i = 0; i < n_questions; i++) {
		struct question *q = &questions[i];
		struct event_answer event;
		struct answer a;

		if (q->kind == OF_EVENT) {
			event_answer_of(mapping, q, w ? &event : &q->full_event);
			if (w)
				compare_events(q, w, &event);
		} else {
			answer_of(t, q, w ? &a : &q->full);
			if (w)
				compare(q, w, &a);
		}
	}
	count.views++;
	(void)event_mapping_unref(mapping);
	(void)translator_unref(t);
}

/* Without the answers of firmware that were recorded, or its rules. */
static void remove_handler(const struct host_root *from)
{
	const struct witness w = {.name = "the PRM handler"};

	if (!from->captured)
		return;
	(void)unlinkat(from->dirfd, PAIRS_FILE, 0);
	(void)unlinkat(from->dirfd, RULES_FILE, 0);
	answer_all(&w);
}

static void remove_each(void)
{
	struct witness w;

	answer_all(NULL);
	for (size_t i = 0; witness_remove(host, i, &w); i++) {
		answer_all(&w);
		witness_restore(&w);
	}
	remove_handler(host->root);
}

/* ---- machines ---- */

/* Firmware that translates the Normalized region. */
static void put_handler(const struct region *r)
{
	char text[INTERLEAVE_WAYS_MAX * 256] = "[";

	for (size_t i = 0; i < r->n_targets; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
			       "%s{\"bdf\":\"%s\",\"base\":\"0x%llx\",\"ways\":%llu,"
			       "\"granularity\":%llu,\"position\":%zu}",
			       i ? "," : "", r->targets[i].memdev->bdf,
			       (unsigned long long)r->resource.value,
			       (unsigned long long)r->ways.value,
			       (unsigned long long)r->granularity.value, i);
	strcat(text, "]");
	put_text(scratch.dirfd, RULES_FILE, text);
	machine.root_directory.captured = true;
	machine.root_directory.dirfd = scratch.dirfd;
}

static bool begins_at_dpa_0(const struct region *r)
{
	uint64_t base, size;

	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder->dpa_resource.value != 0)
			return false;
	return machine_region_base(r, &base, &size) && base == r->resource.value;
}

static void become_normalized(struct region *r)
{
	machine_normalize(&machine, r);
	if (begins_at_dpa_0(r))
		put_handler(r);
}

static void become_uncommitted(struct region *r)
{
	r->commit = REGION_NOT_COMMITTED;
}

static void stay_legal(struct region *r)
{
	(void)r;
}

static void check_variant(void (*become)(struct region *r))
{
	struct place places[MACHINE_REGIONS_MAX * PLACES];
	const size_t n = choose_places(places);

	become(machine.regions[machine_random(&machine, machine.host.n_regions)]);
	n_questions = 0;
	for (size_t i = 0; i < n; i++)
		ask_place(&places[i]);
	for (unsigned int i = 0; i < 4; i++)
		ask_around();
	remove_each();
}

/* Return: whether it is small enough to be checked. */
static bool check_machine(uint64_t seed)
{
	static const struct {
		const char *name;
		void (*become)(struct region *r);
		unsigned int every; /* of so many machines one is like this, too */
	} variants[] = {{"legal", stay_legal, 1},
			{"Normalized", become_normalized, 2},
			{"not committed", become_uncommitted, 4}};
	bool is_small = true;

	for (size_t i = 0; i < ARRAY_SIZE(variants) && is_small; i++) {
		if (seed % variants[i].every != 0)
			continue;
		(void)snprintf(host_name, sizeof(host_name), "%s machine, MACHINE_SEED=%llu",
			       variants[i].name, (unsigned long long)seed);
		machine_build(&machine, seed);
		host = &machine.host;
		is_small = machine.host.n_decoders <= DECODERS_MAX;
		if (is_small)
			check_variant(variants[i].become);
		machine_done(&machine);
	}
	return is_small;
}

static void check_machines(uint64_t seed, unsigned long n)
{
	for (uint64_t i = 0; n > 0; i++)
		n -= check_machine(seed + i);
	(void)printf("seeds from %llu on: %llu views, %llu exact, %llu intervals, %llu none\n",
		     (unsigned long long)seed, (unsigned long long)count.views,
		     (unsigned long long)count.same, (unsigned long long)count.wider,
		     (unsigned long long)count.none);
	(void)fflush(stdout);
}

/* ---- captured hosts ---- */

static const char *const captured[] = {
	"plain-7.3",	     "normalized-7.3",	   "normalized-6.12", "plain-6.12",
	"three-bridges-7.3", "switch-7.3",	   "zen5-doc",	      "normalized-no-prm-7.3",
	"mock-7.3",	     "switch-mailbox-7.3", "idle-7.3",	      "switch-model-7.3",
};

enum { CAPTURED_ALWAYS = 2 };

static void ask_decoder(const struct memdev *m, const struct decoder *d)
{
	const uint64_t offsets[] = {0, 0x1040, d->dpa_size.value - 1};
	struct answer a;
	struct translator *t;

	ck_assert_int_eq(translator_new(host, NULL, &t, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		const struct machine_place p = {m, d->dpa_resource.value + offsets[i]};
		struct question *q = ask(BY_DPA, p.memdev, p.dpa);

		answer_of(t, q, &a);
		if (a.has_spa)
			(void)ask(BY_SPA, NULL, a.spa);
		for (unsigned int k = 0; d->region && k < 16; k++)
			ask_event(d->region, &p,
				  a.exact && a.source == SOURCE_DECODER ? OPT_U64(a.spa)
									: (struct opt_u64){0},
				  k);
	}
	(void)translator_unref(t);
}

static void ask_captured(void)
{
	n_questions = 0;
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];

		for (size_t k = 0; m->endpoint && k < m->endpoint->n_decoders; k++)
			if (m->endpoint->decoders[k]->dpa_resource.present &&
			    n_questions < QUESTIONS_MAX / 2)
				ask_decoder(m, m->endpoint->decoders[k]);
	}
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			(void)ask(BY_SPA, NULL, host->decoders[i]->start.value + 0x40);
}

static unsigned long machines_wanted(void)
{
	const char *text = getenv("WITNESS_MACHINES");

	return text ? strtoul(text, NULL, 10) : 0;
}

START_TEST(an_absent_witness_never_narrows_an_answer)
{
	uint64_t only;

	if (machine_only(&only))
		(void)check_machine(only);
	else
		check_machines(FIXED_SEED, MACHINES);
}
END_TEST

START_TEST(an_absent_witness_never_narrows_an_answer_of_other_machines)
{
	uint64_t only;

	if (machines_wanted() > 0 && !machine_only(&only))
		check_machines(clock_realtime_ns() >> 10 & 0xffffffffffff, machines_wanted());
}
END_TEST

START_TEST(an_absent_witness_never_narrows_an_answer_of_a_captured_host)
{
	char path[512];
	struct error e;

	if (!have_namespaces() || (_i >= CAPTURED_ALWAYS && machines_wanted() == 0))
		return;
	(void)snprintf(host_name, sizeof(host_name), "%s", captured[_i]);
	(void)close(unpack_bundled(&scratch, captured[_i], "host"));
	(void)snprintf(path, sizeof(path), "%s/host", scratch.path);
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ask_captured();
	remove_each();
	host = host_unref(host);
	root = host_root_free(root);
}
END_TEST

static void setup(void)
{
	scratch_setup(&scratch);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

SUITE(check_missing_witness)
{
	Suite *s = suite_create("missing-witness");
	TCase *t = tcase_create("witnesses");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300 + 10 * (double)machines_wanted());
	tcase_add_test(t, an_absent_witness_never_narrows_an_answer);
	tcase_add_test(t, an_absent_witness_never_narrows_an_answer_of_other_machines);
	tcase_add_loop_test(t, an_absent_witness_never_narrows_an_answer_of_a_captured_host, 0,
			    ARRAY_SIZE(captured));
	suite_add_tcase(s, t);
	return s;
}
