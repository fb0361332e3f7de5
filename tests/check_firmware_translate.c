// SPDX-License-Identifier: LGPL-2.1-or-later
/* Translating through firmware: which answers are believed, both directions, with and without
 * region. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "prm/firmware.h"
#include "prm/record.h"
#include "prm/verify.h"
#include "tests/fake_module.h"
#include "tests/model_host.h"

#define BASE MODEL_WINDOW_BASE

static struct model m;
static struct port *bridge;
static struct memdev *mem[4];
static struct decoder *window;
static struct region *region;
static struct firmware_patience patience;
static struct answers out;

/* Two devices in the 2-way Normalized region0 at BASE, as fake_plain() has them. */
static void setup(void)
{
	fake_setup();
	model_init(&m);
	bridge = model_bridge(&m);
	window = model_window(&m, &bridge, 1);
	mem[0] = model_memdev(&m, bridge);
	mem[1] = model_memdev(&m, bridge);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	patience = (struct firmware_patience){.call_ms = 60000};
}

static void teardown(void)
{
	struct firmware *f = m.firmware;

	answers_done(&out);
	model_done(&m);
	(void)firmware_free(f);
	fake_teardown();
}

static void ready(void)
{
	ck_assert_int_eq(firmware_new(fake.path, &m.firmware), 0);
	model_ready(&m);
}

static const struct answer *ask_range(unsigned int device, uint64_t first, uint64_t last)
{
	out.n = 0;
	ck_assert_int_eq(translate_dpa_asking(m.t, mem[device], first, last, &patience, &out), 0);
	ck_assert_uint_ge(out.n, 1);
	return &out.items[0];
}

static const struct answer *ask(unsigned int device, uint64_t dpa)
{
	return ask_range(device, dpa, dpa);
}

static const struct answer *find_range(uint64_t first, uint64_t last)
{
	out.n = 0;
	ck_assert_int_eq(translate_spa_asking(m.t, first, last, &patience, &out), 0);
	ck_assert_uint_ge(out.n, 1);
	return &out.items[0];
}

static const struct answer *find(uint64_t spa)
{
	return find_range(spa, spa);
}

static void expect_exact(const struct answer *a, const struct memdev *memdev, uint64_t dpa,
			 uint64_t spa)
{
	ck_assert_msg(a->exact && a->source == SOURCE_PRM, "%s: %s", answer_source_name(a->source),
		      a->reason);
	ck_assert_ptr_eq(a->memdev, memdev);
	ck_assert_uint_eq(a->dpa, dpa);
	ck_assert_uint_eq(a->dpa_last, dpa);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_uint_eq(a->spa_last, spa);
	ck_assert_str_eq(a->reason, "");
	ck_assert(!a->unasked);
	ck_assert_ptr_eq(a->window, window);
}

/* The estimate of a DPA of device 0 or 1, with that reason. */
static void expect_estimate(const struct answer *a, uint64_t dpa, const char *reason)
{
	ck_assert_msg(!a->exact && a->source == SOURCE_ESTIMATE, "%s: %s",
		      answer_source_name(a->source), a->reason);
	ck_assert_uint_eq(a->spa, BASE + dpa / 256 * 512);
	ck_assert_uint_eq(a->spa_last, a->spa + 511);
	expect_reason(a, reason);
}

static fake_rule *const rules[] = {fake_plain, fake_permuted};

START_TEST(every_answer_is_firmwares_in_both_directions)
{
	uint64_t spa, dpa;
	uint64_t x = 7;

	fake.rule = rules[_i % 2];
	if (_i >= 2)
		model_drop_region(&m, region);
	ready();
	for (unsigned int i = 0; i < 4000; i++) {
		uint8_t bus = (uint8_t)(i & 1);

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		dpa = i < 2 ? 0 : i < 4 ? MIB_256 - 1 : (x >> 20) % MIB_256;
		ck_assert_int_eq(fake.rule(bus, dpa, &spa), 0);
		expect_exact(ask(bus, dpa), mem[bus], dpa, spa);
		expect_exact(find(spa), mem[bus], dpa, spa);
	}
}
END_TEST

START_TEST(a_search_costs_no_more_than_a_question_for_each_member)
{
	ready();
	expect_exact(find(BASE + 0x2140), mem[1], 0x1040, BASE + 0x2140);
	ck_assert_uint_eq(fake.calls, 2);
	ck_assert_uint_eq(fake.ioctls, 1);
	/* The whole block is known now. */
	expect_exact(find(BASE + 0x2000), mem[0], 0x1000, BASE + 0x2000);
	expect_exact(ask(0, 0x10ff), mem[0], 0x10ff, BASE + 0x20ff);
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(without_region_the_geometry_is_found_once)
{
	model_drop_region(&m, region);
	ready();
	expect_exact(find(BASE + 0x2140), mem[1], 0x1040, BASE + 0x2140);
	/* For each decoder its ends and the next chunk; then a question to each. */
	ck_assert_uint_eq(fake.calls, 2 * 3 + 2);
	expect_exact(find(BASE + 0x4140), mem[1], 0x2040, BASE + 0x4140);
	ck_assert_uint_eq(fake.calls, 2 * 3 + 4);
	firmware_forget(m.firmware);
	expect_exact(find(BASE + 0x4140), mem[1], 0x2040, BASE + 0x4140);
	ck_assert_uint_eq(fake.calls, 2 * (2 * 3 + 2) + 2);
	/* An SPA in the window that no decoder reaches is asked of nobody. */
	ck_assert(!find(BASE + 4 * MIB_256)->has_dpa);
	ck_assert_uint_eq(fake.calls, 2 * (2 * 3 + 2) + 2);
}
END_TEST

/* The plain rule, moved to where no window is. */
static int fake_elsewhere(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	int r = fake_plain(bus, dpa, ret_spa);

	*ret_spa += 1ULL << 42;
	return r;
}

START_TEST(without_region_no_interval_lies_outside_the_windows)
{
	const struct answer *a;

	model_drop_region(&m, region);
	fake.rule = fake_elsewhere;
	ready();
	(void)find(BASE + 0x2140);
	a = ask(0, 0x1000);
	ck_assert(!a->has_spa && a->source == SOURCE_NONE);
	expect_reason(a, "lies in no CXL window");
}
END_TEST

static int errors_in_page(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa >= 0x4000 && dpa < 0x5000 ? -EIO : fake_plain(bus, dpa, ret_spa);
}

/* Right low bits, in the window, but each chunk one interleave block too far. */
static int fake_next_block(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	int r = fake_plain(bus, dpa, ret_spa);

	*ret_spa += 512;
	return r;
}

/* Right but for one chunk in the middle. */
static int fake_one_off(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa / 256 == 0x10 ? fake_next_block(bus, dpa, ret_spa)
				 : fake_plain(bus, dpa, ret_spa);
}

/* Both devices where the first one is. */
static int fake_shared(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return fake_plain(bus > 1 ? bus : 0, dpa, ret_spa);
}

START_TEST(without_region_answers_that_are_no_interleave_set_are_not_believed)
{
	const struct answer *a;

	model_drop_region(&m, region);
	fake.rule = fake_next_block;
	ready();
	a = ask((unsigned int)_i, 0x1040);
	ck_assert(!a->has_spa && !a->exact && a->source == SOURCE_NONE);
	expect_reason(a, "are not those of an interleave set, so none of its answers for mem");
	a = find(BASE + 0x2040);
	ck_assert(!a->has_dpa && !a->exact);
	expect_reason(a, "are not those of an interleave set");
	a = ask(1U - (unsigned int)_i, 0);
	ck_assert(!a->has_spa);
}
END_TEST

START_TEST(without_region_one_answer_outside_its_block_is_rejected)
{
	const struct answer *a;

	model_drop_region(&m, region);
	fake.rule = fake_one_off;
	ready();
	expect_estimate(ask(0, 0x1040), 0x1000, "lies outside the interleave block of 512 bytes");
	expect_exact(ask(0, 0x1240), mem[0], 0x1240, BASE + 0x2440);
	a = find(BASE + 0x2440);
	expect_exact(a, mem[0], 0x1240, BASE + 0x2440);
	a = find(BASE + 0x2040);
	ck_assert(!a->exact);
	expect_reason(a, "lies outside the interleave block of 512 bytes");
}
END_TEST

START_TEST(without_region_devices_at_the_same_place_are_both_disowned)
{
	const struct answer *a;

	model_drop_region(&m, region);
	fake.rule = fake_shared;
	ready();
	a = find(BASE + 0x2040);
	ck_assert(!a->has_dpa && !a->exact);
	expect_reason(a, "is rejected: it said the same of DPA");
	/* Now that it is known, for every address of both. */
	for (unsigned int i = 0; i < 2; i++) {
		a = ask(i, 0x7040);
		ck_assert(!a->exact && !a->has_spa);
		expect_reason(a, "is rejected: it said the same of DPA");
	}
}
END_TEST

START_TEST(without_region_an_spa_that_firmware_puts_elsewhere_is_explained)
{
	model_drop_region(&m, region);
	fake.rule = fake_elsewhere;
	ready();
	ck_assert(!find(BASE + 0x2040)->has_dpa);
	expect_reason(&out.items[0], "lies in no CXL window; SPA 0x1000002040 lies in window");
}
END_TEST

START_TEST(without_region_the_rate_limit_leaves_no_half_checked_answer)
{
	const struct answer *a;

	model_drop_region(&m, region);
	fake.bucket = 1;
	ready();
	a = ask(0, 0x1040);
	ck_assert(!a->has_spa);
	expect_reason(a, "rate limited");
	fake.bucket = 100;
	expect_exact(ask(0, 0x1040), mem[0], 0x1040, BASE + 0x2040);
}
END_TEST

static int errors_at_the_end(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa >= MIB_256 - 0x1000 ? -EIO : fake_plain(bus, dpa, ret_spa);
}

START_TEST(without_region_an_error_at_an_end_spoils_no_other_address)
{
	char text[FIRMWARE_TEXT_MAX];

	model_drop_region(&m, region);
	fake.rule = errors_at_the_end;
	ready();
	expect_exact(ask(0, 0x1040), mem[0], 0x1040, BASE + 0x2040);
	/* Who may not wait gets the same. */
	expect_exact(model_ask_dpa(&m, mem[0], 0x1040, 0x1040), mem[0], 0x1040, BASE + 0x2040);
	ck_assert(firmware_failure(m.firmware, &(struct firmware_question){.bus = 0}, text));
	ck_assert_str_eq(text, "DPA 0xfffffff: the PRM handler failed for this address "
			       "(EFI_DEVICE_ERROR)");
	ck_assert(!firmware_failure(m.firmware, &(struct firmware_question){.bus = 1}, text));
}
END_TEST

START_TEST(an_error_is_remembered_until_the_address_is_translated)
{
	struct firmware_status s;

	fake.rule = errors_in_page;
	ready();
	(void)ask(1, 0x4040);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 1);
	ck_assert_str_eq(s.failing, "0000:01:00.0, DPA 0x4040: the PRM handler failed for this "
				    "address (EFI_DEVICE_ERROR)");
	fake.rule = fake_plain;
	firmware_forget(m.firmware);
	(void)ask(1, 0x4140);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 1);
	(void)ask(1, 0x4080);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 0);
	ck_assert_str_eq(s.failing, "");
}
END_TEST

START_TEST(who_may_not_wait_gets_what_is_known_and_is_told_to_ask)
{
	const struct answer *a;

	ready();
	a = model_ask_dpa(&m, mem[0], 0x1040, 0x1040);
	expect_estimate(a, 0x1000, "firmware has not been asked yet; region0 uses Normalized");
	ck_assert(a->unasked);
	a = model_ask_spa(&m, BASE + 0x2040, BASE + 0x2040);
	ck_assert(a->unasked && a->source == SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->n_candidates, 2);
	ck_assert_uint_eq(fake.ioctls, 0);
	(void)ask(0, 0x1000);
	expect_exact(model_ask_dpa(&m, mem[0], 0x1040, 0x1040), mem[0], 0x1040, BASE + 0x2040);
	expect_exact(model_ask_spa(&m, BASE + 0x2040, BASE + 0x2040), mem[0], 0x1040,
		     BASE + 0x2040);
	ck_assert_uint_eq(fake.ioctls, 1);
}
END_TEST

START_TEST(without_region_nobody_waits_either)
{
	const struct answer *a;

	model_drop_region(&m, region);
	ready();
	a = model_ask_spa(&m, BASE + 0x2040, BASE + 0x2040);
	ck_assert(!a->has_dpa && a->unasked);
	expect_reason(a, "firmware has not been asked yet; SPA 0x1000002040 lies in window");
	(void)find(BASE + 0x2040);
	expect_exact(model_ask_spa(&m, BASE + 0x2040, BASE + 0x2040), mem[0], 0x1040,
		     BASE + 0x2040);
	a = model_ask_dpa(&m, mem[0], 0x9000, 0x9000);
	ck_assert(a->unasked);
	expect_estimate(a, 0x9000, "which firmware's other answers show");
}
END_TEST

/* Answers of firmware that cannot be true: an offset to the right one, by bus. */
static uint64_t wrong_by[2];

static int wrong(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)fake_plain(bus, dpa, ret_spa);
	*ret_spa += wrong_by[bus];
	return 0;
}

static const struct {
	uint64_t by[2];
	const char *reason;
} lies[] = {
	{{0x2000000000ULL, 0},
	 "firmware's SPA 0x3000002040 for DPA 0x1040 of mem0 lies in no CXL "
	 "window; region0 uses"},
	{{4 * MIB_256, 0},
	 "firmware's SPA 0x1040002040 for DPA 0x1040 of mem0 lies outside region0"},
	{{512, 0},
	 "firmware's SPA 0x1000002240 for DPA 0x1040 of mem0 lies outside its interleave "
	 "block of region0"},
	{{1, 0}, "firmware's SPA 0x1000002041 for DPA 0x1040 is rejected: it has other low bits"},
	{{256, 0},
	 "firmware's SPA 0x1000002140 for DPA 0x1040 is rejected: it said the same of DPA "
	 "0x1040 of 0000:01:00.0"},
};

START_TEST(an_answer_that_cannot_be_true_is_rejected_by_name)
{
	memcpy(wrong_by, lies[_i].by, sizeof(wrong_by));
	fake.rule = wrong;
	ready();
	if (lies[_i].by[0] == 256)
		(void)ask(1, 0x1040);
	expect_estimate(ask(0, 0x1040), 0x1000, lies[_i].reason);
	/* Nor does the search believe it. */
	ck_assert_int_eq(find(BASE + 0x2040)->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(out.items[0].n_candidates, 2);
	ck_assert_msg(strstr(out.items[0].reason, "firmware's SPA") != NULL, "%s",
		      out.items[0].reason);
}
END_TEST

START_TEST(an_error_for_one_page_leaves_the_estimate_there)
{
	fake.rule = errors_in_page;
	if (_i)
		model_drop_region(&m, region);
	ready();
	expect_estimate(ask(1, 0x4040), 0x4000, "EFI_DEVICE_ERROR");
	if (!_i)
		ck_assert_int_eq(find(BASE + 0x8040)->source, SOURCE_ESTIMATE);
	expect_reason(find(BASE + 0x8040), "EFI_DEVICE_ERROR");
	expect_exact(ask(1, 0x5040), mem[1], 0x5040, BASE + 0xa140);
}
END_TEST

START_TEST(a_path_that_is_closed_is_named)
{
	fake.reason = CXL_PRM_EFI_OFF;
	if (_i)
		model_drop_region(&m, region);
	ready();
	if (_i)
		expect_reason(ask(0, 0x1040), "switched off until the next boot");
	else
		expect_estimate(ask(0, 0x1040), 0x1000, "switched off until the next boot");
	ck_assert(!out.items[0].unasked);
	expect_reason(find(BASE + 0x2040), "switched off until the next boot");
}
END_TEST

START_TEST(at_the_rate_limit_the_interval_says_so)
{
	fake.bucket = 0;
	ready();
	expect_estimate(ask(0, 0x1040), 0x1000, "rate limited");
	ck_assert_int_eq(find(BASE + 0x2040)->source, SOURCE_ESTIMATE);
	expect_reason(&out.items[0], "rate limited");
}
END_TEST

START_TEST(a_range_is_exact_within_a_chunk_and_else_a_hull)
{
	const struct answer *a;

	ready();
	a = ask_range(0, 0x1010, 0x10f0);
	ck_assert_int_eq(a->source, SOURCE_PRM);
	ck_assert(!a->exact);
	ck_assert_uint_eq(a->spa, BASE + 0x2010);
	ck_assert_uint_eq(a->spa_last, BASE + 0x20f0);
	a = find_range(BASE + 0x2110, BASE + 0x2120);
	ck_assert_int_eq(a->source, SOURCE_PRM);
	ck_assert_ptr_eq(a->memdev, mem[1]);
	ck_assert_uint_eq(a->dpa, 0x1010);
	ck_assert_uint_eq(a->dpa_last, 0x1020);
	fake.calls = 0;
	a = ask_range(0, 0, MIB_256 - 1);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->spa_last, BASE + 2 * MIB_256 - 1);
	ck_assert_uint_eq(fake.calls, 0);
}
END_TEST

START_TEST(ordinary_decoders_are_never_firmwares)
{
	model_cedt(&m, 0, NULL, 0);
	for (unsigned int i = 0; i < 2; i++) {
		struct decoder *d = endpoint_decoder(mem[i], 0);

		d->start = OPT_U64(BASE);
		d->size = region->size;
		d->ways = OPT_U64(2);
	}
	ready();
	ck_assert_int_eq(ask(0, 0x1040)->source, SOURCE_DECODER);
	ck_assert_int_eq(find(BASE + 0x2040)->source, SOURCE_DECODER);
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(a_captured_host_is_not_this_machines_firmware)
{
	model_captured(&m, -1);
	ready();
	expect_estimate(ask(0, 0x1040), 0x1000, "only firmware knows");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(a_host_without_use_for_firmware_does_not_miss_it)
{
	fake.reason = CXL_PRM_NO_PRMT;
	for (unsigned int i = 0; i < 2; i++)
		endpoint_decoder(mem[i], 0)->start.present = false;
	endpoint_decoder(mem[0], 0)->ways.present = false;
	endpoint_decoder(mem[1], 0)->ways.present = false;
	ready();
	ck_assert_ptr_null(strstr(ask(0, 0x1040)->reason, "PRMT"));
}
END_TEST

START_TEST(a_device_without_pci_address_is_not_asked_about)
{
	mem[0]->bdf = NULL;
	ready();
	expect_estimate(ask(0, 0x1040), 0x1000, "only firmware knows");
	expect_exact(ask(1, 0x1040), mem[1], 0x1040, BASE + 0x2140);
}
END_TEST

START_TEST(verifying_counts_what_ways_and_granularity_describe)
{
	struct verification v;
	bool permuted = _i & 1, regionless = _i & 2;

	fake.rule = rules[permuted];
	if (regionless)
		model_drop_region(&m, region);
	ready();
	ck_assert_int_eq(translator_verify(m.t, endpoint_decoder(mem[1], 0), 1000, &patience, &v),
			 0);
	ck_assert_str_eq(v.reason, "");
	ck_assert_uint_eq(v.sampled, 1000);
	ck_assert_uint_eq(v.answered, 1000);
	ck_assert_uint_eq(v.in_block, 1000);
	ck_assert_uint_eq(v.ways, 2);
	ck_assert_uint_eq(v.granularity, 256);
	ck_assert_uint_eq(v.position, 1);
	ck_assert_int_eq(v.from_region, !regionless);
	ck_assert_int_eq(v.disagrees, permuted);
	if (permuted) {
		uint64_t spa;

		ck_assert(v.agree > 400 && v.agree < 600);
		(void)fake_permuted(1, v.dpa, &spa);
		ck_assert_uint_eq(v.spa, spa);
		(void)fake_plain(1, v.dpa, &spa);
		ck_assert_uint_eq(v.expected, spa);
	} else {
		ck_assert_uint_eq(v.agree, 1000);
	}
}
END_TEST

START_TEST(verifying_says_what_was_not_answered)
{
	struct verification v;

	fake.bucket = 100;
	ready();
	ck_assert_int_eq(translator_verify(m.t, endpoint_decoder(mem[0], 0), 1000, &patience, &v),
			 0);
	ck_assert_uint_eq(v.sampled, 1000);
	ck_assert_uint_eq(v.answered, 100);
	ck_assert_uint_eq(v.agree, 100);
	ck_assert_ptr_nonnull(strstr(v.reason, "rate limited"));
	ck_assert_int_eq(translator_verify(m.t, window, 10, &patience, &v), -EINVAL);
}
END_TEST

START_TEST(a_recording_is_what_firmware_said)
{
	const char *line;
	struct recording r;
	char text[128];
	size_t n = 0;

	fake.rule = errors_in_page;
	ready();
	ck_assert(record_wanted(m.t));
	ck_assert_int_eq(record_pairs(m.t, &r), 0);
	ck_assert_str_eq(r.missed, "");
	ck_assert_uint_eq(r.asked, r.written);
	ck_assert_uint_eq(fake.calls, r.asked);
	ck_assert_uint_ge(r.written, 2 * (RECORD_SPACED + RECORD_RANDOM));
	ck_assert_uint_eq(strlen(r.text), r.len);
	for (line = strchr(r.text, '\n'); line; line = strchr(line + 1, '\n'))
		n++;
	ck_assert_uint_eq(n, r.written + 2);
	(void)snprintf(text, sizeof(text),
		       "# mem0 %s serial 0xabc0 at 0000:00:00.0\n"
		       "0000:00:00.0 dpa 0 -> spa 0x1000000000\n",
		       endpoint_decoder(mem[0], 0)->name);
	ck_assert_ptr_nonnull(strstr(r.text, text));
	ck_assert_ptr_nonnull(strstr(r.text, "\n0000:01:00.0 dpa 0xfffffff -> spa 0x101fffffff\n"));
	ck_assert_ptr_nonnull(
		strstr(r.text, "\n0000:00:00.0 dpa 0x4000: error -5 (Input/output error)\n"));
	free(r.text);
}
END_TEST

START_TEST(a_recording_that_was_cut_short_says_why)
{
	struct recording r;

	ready();
	fake.translate_errno = ENODEV;
	ck_assert_int_eq(record_pairs(m.t, &r), 0);
	ck_assert_ptr_null(r.text);
	ck_assert_uint_eq(r.written, 0);
	ck_assert_str_eq(r.missed, "the kernel module cxl_prm was unloaded while in use");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("firmware translate");
	TCase *t = tcase_create("providers");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, every_answer_is_firmwares_in_both_directions, 0, 4);
	tcase_add_test(t, a_search_costs_no_more_than_a_question_for_each_member);
	tcase_add_test(t, without_region_the_geometry_is_found_once);
	tcase_add_test(t, without_region_no_interval_lies_outside_the_windows);
	tcase_add_loop_test(t, without_region_answers_that_are_no_interleave_set_are_not_believed,
			    0, 2);
	tcase_add_test(t, without_region_one_answer_outside_its_block_is_rejected);
	tcase_add_test(t, without_region_devices_at_the_same_place_are_both_disowned);
	tcase_add_test(t, without_region_an_spa_that_firmware_puts_elsewhere_is_explained);
	tcase_add_test(t, without_region_the_rate_limit_leaves_no_half_checked_answer);
	tcase_add_test(t, without_region_an_error_at_an_end_spoils_no_other_address);
	tcase_add_test(t, an_error_is_remembered_until_the_address_is_translated);
	tcase_add_test(t, who_may_not_wait_gets_what_is_known_and_is_told_to_ask);
	tcase_add_test(t, without_region_nobody_waits_either);
	tcase_add_loop_test(t, an_answer_that_cannot_be_true_is_rejected_by_name, 0,
			    ARRAY_SIZE(lies));
	tcase_add_loop_test(t, an_error_for_one_page_leaves_the_estimate_there, 0, 2);
	tcase_add_loop_test(t, a_path_that_is_closed_is_named, 0, 2);
	tcase_add_test(t, at_the_rate_limit_the_interval_says_so);
	tcase_add_test(t, a_range_is_exact_within_a_chunk_and_else_a_hull);
	tcase_add_test(t, ordinary_decoders_are_never_firmwares);
	tcase_add_test(t, a_captured_host_is_not_this_machines_firmware);
	tcase_add_test(t, a_host_without_use_for_firmware_does_not_miss_it);
	tcase_add_test(t, a_device_without_pci_address_is_not_asked_about);
	tcase_add_loop_test(t, verifying_counts_what_ways_and_granularity_describe, 0, 4);
	tcase_add_test(t, verifying_says_what_was_not_answered);
	tcase_add_test(t, a_recording_is_what_firmware_said);
	tcase_add_test(t, a_recording_that_was_cut_short_says_why);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
