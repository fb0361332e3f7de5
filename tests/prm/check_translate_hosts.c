// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Translation on the captured hosts: the answers of their firmware and kernels, compared with the
 * translator. Each test changes to its host's root and does not change back, which is harmless
 * because Check runs it in a child process.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "prm/cedt.h"
#include "prm/prmt.h"
#include "prm/translate.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;
static struct host_root *root;
static const struct host *host;
static struct translator *translator;

static void enter_path(const char *path)
{
	struct error e;

	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_int_eq(translator_new(host, NULL, &translator, &e), 0);
}

static void enter(const char *name)
{
	char path[4096];

	bundled_host(name, path, sizeof(path));
	enter_path(path);
}

/* Enters a copy of the host without some of its files. */
static void enter_without(const char *name, const char *hidden, const char *also_hidden)
{
	char path[512];
	int dirfd;

	dirfd = unpack_bundled(&scratch, name, "host");
	ck_assert_int_eq(unlinkat(dirfd, hidden, 0), 0);
	if (also_hidden)
		ck_assert_int_eq(unlinkat(dirfd, also_hidden, 0), 0);
	(void)close(dirfd);
	(void)snprintf(path, sizeof(path), "%s/host", scratch.path);
	enter_path(path);
}

static void setup(void)
{
	scratch_setup(&scratch);
}

static void teardown(void)
{
	translator = translator_unref(translator);
	host = host_unref(host);
	root = host_root_free(root);
	scratch_teardown(&scratch);
}

/* Translates one address. Return: the only answer, valid until the next call. */
static const struct answer *translate_one_dpa(const struct memdev *m, uint64_t dpa)
{
	static struct answers out;

	answers_done(&out);
	ck_assert_int_eq(translate_dpa(translator, m, dpa, dpa, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	ck_assert_ptr_eq(out.items[0].memdev, m);
	ck_assert(out.items[0].exact || out.items[0].reason[0]);
	return &out.items[0];
}

static const struct answer *translate_one_spa(uint64_t spa)
{
	static struct answers out;

	answers_done(&out);
	ck_assert_int_eq(translate_spa(translator, spa, spa, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	ck_assert(out.items[0].exact || out.items[0].reason[0]);
	return &out.items[0];
}

static void expect_exact(const char *bdf, uint64_t dpa, uint64_t spa, enum answer_source source)
{
	const struct memdev *m = host_memdev_by_bdf(host, bdf);
	const struct answer *a;

	ck_assert_ptr_nonnull(m);
	a = translate_one_dpa(m, dpa);
	ck_assert_msg(a->exact && a->has_spa, "%s %#llx: %s", bdf, (unsigned long long)dpa,
		      a->reason);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_uint_eq(a->spa_last, spa);
	ck_assert_int_eq(a->source, source);
	ck_assert_ptr_nonnull(a->window);
	a = translate_one_spa(spa);
	ck_assert_msg(a->exact && a->has_dpa, "SPA %#llx: %s", (unsigned long long)spa, a->reason);
	ck_assert_ptr_eq(a->memdev, m);
	ck_assert_uint_eq(a->dpa, dpa);
	ck_assert_int_eq(a->source, source);
	ck_assert_uint_eq(a->n_candidates, 1);
}

typedef void pair_fn(const char *bdf, uint64_t dpa, uint64_t spa);

/* Calls @fn for each recorded pair. */
static void for_each_pair(const char *text, pair_fn *fn)
{
	unsigned int n = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		char bdf[32], dpa[32], spa[32];
		uint64_t d, s;

		line += *line == '\n';
		if (sscanf(line, "%31s dpa %31s -> spa %31s", bdf, dpa, spa) != 3 || *line == '#')
			continue;
		ck_assert_int_eq(parse_address(dpa, &d), 0);
		ck_assert_int_eq(parse_address(spa, &s), 0);
		fn(bdf, d, s);
		n++;
	}
	ck_assert_uint_eq(n, 56);
}

static char *pairs_of(const char *name)
{
	int dirfd = unpack_bundled(&scratch, name, "pairs");
	_cleanup_close_ int fd = openat(dirfd, "prm/pairs.txt", O_RDONLY | O_CLOEXEC);
	char *text = calloc(1, 65536);

	ck_assert_ptr_nonnull(text);
	ck_assert_int_gt(read(fd, text, 65535), 0);
	(void)close(dirfd);
	return text;
}

static void expect_recorded(const char *bdf, uint64_t dpa, uint64_t spa)
{
	expect_exact(bdf, dpa, spa, SOURCE_RECORDED);
}

static void expect_emulated(const char *bdf, uint64_t dpa, uint64_t spa)
{
	expect_exact(bdf, dpa, spa, SOURCE_EMULATED);
}

/* The interval without any handler must hold the answer of the handler. */
static void expect_estimated(const char *bdf, uint64_t dpa, uint64_t spa)
{
	const struct memdev *m = host_memdev_by_bdf(host, bdf);
	const struct answer *a = translate_one_dpa(m, dpa);
	bool found = false;

	ck_assert(a->has_spa && !a->exact);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert(spa >= a->spa && spa <= a->spa_last);
	ck_assert_uint_eq(a->spa_last - a->spa, 511);
	a = translate_one_spa(spa);
	ck_assert(a->has_dpa && dpa >= a->dpa && dpa <= a->dpa_last);
	ck_assert(!a->exact && !a->memdev);
	ck_assert_uint_eq(a->n_candidates, 2);
	for (size_t i = 0; i < a->n_candidates; i++)
		found = found || (a->candidates[i].memdev == m && dpa >= a->candidates[i].dpa &&
				  dpa <= a->candidates[i].dpa_last);
	ck_assert(found);
}

static void expect_nothing(const char *bdf, uint64_t dpa, uint64_t spa)
{
	const struct answer *a = translate_one_dpa(host_memdev_by_bdf(host, bdf), dpa);

	ck_assert(!a->has_spa && !a->exact && a->source == SOURCE_NONE);
	ck_assert_ptr_nonnull(strstr(a->reason, "Normalized addressing and kernel 6.12.95"));
	a = translate_one_spa(spa);
	ck_assert(!a->has_dpa && a->n_candidates == 0 && a->source == SOURCE_NONE);
	ck_assert_ptr_nonnull(strstr(a->reason, "window decoder0."));
}

static const char *const normalized[] = {"normalized-7.3", "normalized-6.12"};

START_TEST(recorded_pairs_hold_in_both_directions)
{
	_cleanup_free_ char *pairs = pairs_of(normalized[_i]);
	size_t n_notes;

	enter(normalized[_i]);
	(void)translator_notes(translator, &n_notes);
	ck_assert_uint_eq(n_notes, 0);
	for_each_pair(pairs, expect_recorded);
}
END_TEST

START_TEST(a_rule_alone_gives_what_firmware_gave)
{
	_cleanup_free_ char *pairs = pairs_of(normalized[_i]);

	enter_without(normalized[_i], "prm/pairs.txt", NULL);
	for_each_pair(pairs, expect_emulated);
}
END_TEST

START_TEST(a_pair_defines_only_its_chunk)
{
	enter(normalized[_i]);
	expect_exact("0000:0d:00.0", 0x1080, 0x210002080, SOURCE_RECORDED);
	expect_exact("0000:0d:00.0", 0x10ff, 0x2100020ff, SOURCE_RECORDED);
	expect_exact("0000:0d:00.0", 0x1100, 0x210002200, SOURCE_EMULATED);
	expect_exact("0000:e0:00.0", 0x5000, 0x31000a100, SOURCE_EMULATED);
}
END_TEST

START_TEST(beyond_the_device_there_is_no_answer)
{
	const struct answer *a;

	enter(normalized[_i]);
	a = translate_one_dpa(host_memdev_by_bdf(host, "0000:0d:00.0"), 0x10000000);
	ck_assert(!a->has_spa);
	ck_assert_ptr_nonnull(
		strstr(a->reason, "beyond the capacity of the device (0x10000000 bytes)"));
}
END_TEST

START_TEST(without_handler_a_region_gives_intervals_with_the_right_address)
{
	_cleanup_free_ char *pairs = pairs_of("normalized-7.3");

	enter_without("normalized-7.3", "prm/pairs.txt", "prm/rule.json");
	for_each_pair(pairs, expect_estimated);
}
END_TEST

START_TEST(without_handler_and_region_there_is_a_reason_only)
{
	_cleanup_free_ char *pairs = pairs_of("normalized-6.12");

	enter_without("normalized-6.12", "prm/pairs.txt", "prm/rule.json");
	for_each_pair(pairs, expect_nothing);
}
END_TEST

START_TEST(a_platform_without_handler_gives_intervals_or_reasons)
{
	enter("normalized-no-prm-7.3");
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct answer *a = translate_one_dpa(host->memdevs[i], 0x40);

		ck_assert(!a->exact);
		ck_assert(!a->has_spa || a->source == SOURCE_ESTIMATE);
	}
	ck_assert_ptr_null(translator_prmt(translator));
}
END_TEST

START_TEST(the_region_is_given_with_its_dax_device)
{
	const struct answer *a;

	enter("normalized-7.3");
	a = translate_one_spa(0x210002140);
	ck_assert_str_eq(a->region->name, "region1");
	ck_assert_str_eq(a->window->name, "decoder0.1");
	ck_assert_str_eq(a->dax->name, "dax1.0");
	ck_assert(a->position.present && a->position.value == 1);
	ck_assert(a->numa_node.present);
	ck_assert_int_eq(a->numa_node.value, a->dax->target_node.value);
	ck_assert_ptr_nonnull(prmt_find(translator_prmt(translator), prmt_cxl_dpa_to_spa_guid));
	ck_assert_uint_eq(translator_cedt(translator)->n_windows, 3);
}
END_TEST

/* The text of a trace event: "... memdev=mem2 ... dpa=0x800 ... hpa=110002000 ...". */
static bool field_of(const char *line, const char *end, const char *name, uint64_t *ret)
{
	const char *at = strstr(line, name);

	if (!at || at > end)
		return false;
	*ret = strtoull(at + strlen(name), NULL, 16);
	return true;
}

static const char *const plain[] = {"plain-7.3", "plain-6.12"};

START_TEST(arithmetic_agrees_with_the_kernels_own_events)
{
	_cleanup_free_ char *text = NULL;
	unsigned int n = 0;

	enter(plain[_i]);
	ck_assert_int_eq(host_root_read(root, "events/trace.txt", 1 << 20, &text, NULL), 0);
	for (char *next, *line = text; line; line = next) {
		const char *name = strstr(line, "memdev=");
		char memdev[16];
		uint64_t dpa, hpa;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!name || !field_of(line, line + strlen(line), " dpa=", &dpa) ||
		    !field_of(line, line + strlen(line), " hpa=", &hpa))
			continue;
		ck_assert_int_eq(sscanf(name, "memdev=%15s", memdev), 1);
		expect_exact(host_memdev(host, memdev)->bdf, dpa, hpa, SOURCE_DECODER);
		n++;
	}
	ck_assert_uint_ge(n, 13);
}
END_TEST

START_TEST(ordinary_hosts_are_answered_by_arithmetic_everywhere)
{
	static const char *const names[] = {"plain-7.3", "plain-6.12", "switch-7.3"};
	size_t n_notes;

	enter(names[_i]);
	(void)translator_notes(translator, &n_notes);
	ck_assert_uint_eq(n_notes, 0);
	for (uint64_t dpa = 0; dpa < 0x10000000; dpa += 0x1234567)
		for (size_t i = 0; i < host->n_memdevs; i++) {
			const struct answer *a = translate_one_dpa(host->memdevs[i], dpa);

			ck_assert_msg(a->exact, "%s", a->reason);
			expect_exact(host->memdevs[i]->bdf, dpa, a->spa, SOURCE_DECODER);
		}
}
END_TEST

START_TEST(windows_have_an_arithmetic)
{
	enter("plain-7.3");
	ck_assert_str_eq(translator_arithmetic(translator, host_decoder(host, "decoder0.0")),
			 "modulo");
	ck_assert_ptr_null(translator_arithmetic(translator, host_decoder(host, "decoder1.0")));
}
END_TEST

START_TEST(the_example_of_the_convention_document_is_answered_by_its_rule)
{
	enter("zen5-doc");
	expect_exact("0000:e2:00.0", 0, 0x850000000, SOURCE_EMULATED);
	expect_exact("0000:e1:00.0", 0x40, 0x850000340, SOURCE_EMULATED);
	expect_exact("0000:e1:00.0", 0x1fffffffff, 0x884fffffff, SOURCE_EMULATED);
	ck_assert(!translate_one_spa(0x84fffffff)->has_dpa);
	ck_assert_ptr_nonnull(strstr(translate_one_spa(0x84fffffff)->reason, "no CXL window"));
}
END_TEST

START_TEST(idle_capacity_has_no_address)
{
	const struct answer *a;

	enter("idle-7.3");
	a = translate_one_dpa(host_memdev(host, "mem0"), 0x1000);
	ck_assert(!a->has_spa);
	ck_assert_str_eq(a->reason, "no endpoint decoder maps DPA 0x1000");
	a = translate_one_spa(0x110000000);
	ck_assert(!a->has_dpa);
	ck_assert_str_eq(a->window->name, "decoder0.0");
	ck_assert_str_eq(a->reason, "SPA 0x110000000 is in window decoder0.0 but in no region");
	a = translate_one_spa(0x1000);
	ck_assert_ptr_null(a->window);
	ck_assert_str_eq(a->reason, "SPA 0x1000 is in no CXL window");
}
END_TEST

SUITE(check_translate_hosts)
{
	Suite *s = suite_create("translate_hosts");
	TCase *t = tcase_create("hosts");

	if (!have_namespaces())
		return NULL;
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, recorded_pairs_hold_in_both_directions, 0, 2);
	tcase_add_loop_test(t, a_rule_alone_gives_what_firmware_gave, 0, 2);
	tcase_add_loop_test(t, a_pair_defines_only_its_chunk, 0, 2);
	tcase_add_loop_test(t, beyond_the_device_there_is_no_answer, 0, 2);
	tcase_add_test(t, without_handler_a_region_gives_intervals_with_the_right_address);
	tcase_add_test(t, without_handler_and_region_there_is_a_reason_only);
	tcase_add_test(t, a_platform_without_handler_gives_intervals_or_reasons);
	tcase_add_test(t, the_region_is_given_with_its_dax_device);
	tcase_add_loop_test(t, arithmetic_agrees_with_the_kernels_own_events, 0, 2);
	tcase_add_loop_test(t, ordinary_hosts_are_answered_by_arithmetic_everywhere, 0, 3);
	tcase_add_test(t, windows_have_an_arithmetic);
	tcase_add_test(t, the_example_of_the_convention_document_is_answered_by_its_rule);
	tcase_add_test(t, idle_capacity_has_no_address);
	suite_add_tcase(s, t);
	return s;
}
