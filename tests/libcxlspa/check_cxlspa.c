// SPDX-License-Identifier: LGPL-2.1-or-later
/* The library by its header alone, against the translation engine on the same captured hosts. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "libcxlspa/cxlspa.h"
#include "prm/addresses.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

enum { DPAS = 61, DEVICES_MAX = 16 };

static const char *const hosts[] = {
	"normalized-7.3",   "normalized-6.12", "normalized-no-prm-7.3", "plain-7.3",
	"plain-6.12",	    "switch-7.3",      "three-bridges-7.3",	"zen5-doc",
	"switch-model-7.3", "idle-7.3",
};

static struct scratch scratch;
static char path[512];

static void unpack(const char *host)
{
	(void)close(unpack_bundled(&scratch, host, "host"));
	(void)snprintf(path, sizeof(path), "%s/host", scratch.path);
}

static void setup(void)
{
	scratch_setup(&scratch);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

static struct cxlspa *open_host(const char *host)
{
	struct cxlspa *c;

	unpack(host);
	ck_assert_int_eq(cxlspa_open(path, &c), 0);
	return c;
}

/* Addresses all over a device, and beyond it. */
static uint64_t dpa_of(unsigned int i)
{
	return i * 0x2f1c3c0ULL + (i % 3) * 0x40;
}

static void expect_same(const struct cxlspa_answer *a, const struct answer *b,
			const struct host *host, bool by_spa)
{
	const char *why = answer_why(b, host, by_spa, false);

	ck_assert_int_eq(!!(a->flags & CXLSPA_EXACT), b->exact);
	ck_assert_int_eq(!!(a->flags & CXLSPA_HAS_SPA), b->has_spa || by_spa);
	ck_assert_int_eq(!!(a->flags & CXLSPA_HAS_DPA), b->has_dpa || !by_spa);
	ck_assert_int_eq(!!(a->flags & CXLSPA_HAS_ALIAS), b->has_alias);
	if (b->has_spa)
		ck_assert(a->spa == b->spa && a->spa_last == b->spa_last);
	if (b->has_dpa)
		ck_assert(a->dpa == b->dpa && a->dpa_last == b->dpa_last);
	ck_assert_int_eq(a->source, (int)b->source);
	ck_assert_str_eq(a->memdev, b->memdev ? b->memdev->name : "");
	ck_assert_str_eq(a->region, b->region ? b->region->name : "");
	ck_assert_str_eq(a->window, b->window ? b->window->name : "");
	ck_assert_str_eq(a->reason, why ? why : "");
	ck_assert_int_eq(a->numa_node, b->numa_node.present ? b->numa_node.value : -1);
}

/* The library reads the host in place; the engine in the namespaces of the captured host. */
START_TEST(the_answers_are_those_of_the_engine)
{
	static struct cxlspa_answer dpas[DEVICES_MAX][DPAS], spas[DEVICES_MAX][DPAS];
	struct cxlspa *c = open_host(hosts[_i]);
	struct addresses addresses;
	struct host_root *root;
	struct answers answers = {0};
	struct error e;
	char name[24];

	for (unsigned int m = 0; m < DEVICES_MAX; m++) {
		(void)snprintf(name, sizeof(name), "mem%u", m);
		for (unsigned int i = 0; i < DPAS; i++) {
			dpas[m][i].size = spas[m][i].size = sizeof(struct cxlspa_answer);
			if (cxlspa_dpa_to_spa(c, name, dpa_of(i), &dpas[m][i]) == -ENODEV)
				dpas[m][i].size = 0;
			else
				ck_assert_int_eq(cxlspa_spa_to_dpa(c, dpas[m][i].spa, &spas[m][i]),
						 0);
		}
	}
	cxlspa_close(c);

	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(addresses_read(root, &addresses, &e) == 0, "%s", e.text);
	for (unsigned int m = 0; m < DEVICES_MAX; m++) {
		const struct memdev *memdev;

		(void)snprintf(name, sizeof(name), "mem%u", m);
		memdev = host_memdev(addresses.host, name);
		for (unsigned int i = 0; i < DPAS; i++) {
			ck_assert_int_eq(dpas[m][i].size != 0, memdev != NULL);
			if (!memdev)
				continue;
			answers.n = 0;
			ck_assert_int_eq(translate_dpa(addresses.translator, memdev, dpa_of(i),
						       dpa_of(i), &answers),
					 0);
			ck_assert_int_eq(translate_spa(addresses.translator, dpas[m][i].spa,
						       dpas[m][i].spa, &answers),
					 0);
			expect_same(&dpas[m][i], &answers.items[0], addresses.host, false);
			expect_same(&spas[m][i], &answers.items[1], addresses.host, true);
		}
	}
	answers_done(&answers);
	addresses_done(&addresses);
	(void)host_root_free(root);
}
END_TEST

START_TEST(an_exact_answer_leads_back)
{
	struct cxlspa *c = open_host("plain-7.3");
	struct cxlspa_answer a = {.size = sizeof(a)}, back = {.size = sizeof(back)};

	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0x2040, &a), 0);
	ck_assert(a.flags & CXLSPA_EXACT);
	ck_assert_str_eq(cxlspa_source_name(a.source), "decoder");
	ck_assert_int_eq(cxlspa_spa_to_dpa(c, a.spa, &back), 0);
	ck_assert(back.flags & CXLSPA_EXACT);
	ck_assert_str_eq(back.memdev, "mem0");
	ck_assert_uint_eq(back.dpa, 0x2040);
	ck_assert_uint_eq(back.n_candidates, 1);
	cxlspa_close(c);
}
END_TEST

/* Firmware's answers were not recorded for it: an interval or nothing, and the reason. */
START_TEST(a_host_without_its_handler_gives_no_exact_answer)
{
	struct cxlspa *c = open_host("normalized-no-prm-7.3");
	struct cxlspa_answer a = {.size = sizeof(a)};

	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0x2040, &a), 0);
	ck_assert(!(a.flags & CXLSPA_EXACT));
	ck_assert(!(a.flags & CXLSPA_HAS_SPA) || a.spa < a.spa_last);
	ck_assert_str_ne(a.reason, "");
	cxlspa_close(c);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
	struct cxlspa *c = open_host("plain-7.3");
	struct cxlspa_answer a = {.size = sizeof(a)}, before;

	memset(a.memdev, 'x', sizeof(a.memdev));
	before = a;
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem77", 0, &a), -ENODEV);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "serial:0xfffffffffffffff", 0, &a), -ENODEV);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem", 0, &a), -EINVAL);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "", 0, &a), -EINVAL);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "serial:x", 0, &a), -EINVAL);
	a.size = sizeof(a) - 1;
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0, &a), -EINVAL);
	ck_assert_int_eq(cxlspa_spa_to_dpa(c, 0, &a), -EINVAL);
	a.size = sizeof(a);
	ck_assert_mem_eq(&a, &before, sizeof(a));
	cxlspa_close(c);
}
END_TEST

/* A program that was built with a later header. */
START_TEST(members_that_are_not_known_are_cleared)
{
	struct {
		struct cxlspa_answer a;
		char later[64], end;
	} large;
	struct cxlspa *c = open_host("plain-7.3");

	memset(&large, 'x', sizeof(large));
	large.a.size = offsetof(__typeof__(large), end);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0, &large.a), 0);
	ck_assert_uint_eq(large.a.size, offsetof(__typeof__(large), end));
	for (size_t i = 0; i < sizeof(large.later); i++)
		ck_assert_int_eq(large.later[i], 0);
	ck_assert_int_eq(large.end, 'x');
	cxlspa_close(c);
}
END_TEST

START_TEST(directories_that_are_no_captured_host_are_refused)
{
	struct cxlspa *c = NULL;
	char archive[4096];

	bundled_host("plain-7.3", archive, sizeof(archive));
	ck_assert_int_eq(cxlspa_open(archive, &c), -ENOTDIR);
	ck_assert_int_eq(cxlspa_open("/nonexistent", &c), -ENOENT);
	ck_assert_int_eq(cxlspa_open("", &c), -ENOENT);
	ck_assert_int_eq(cxlspa_open(scratch.path, &c), -EINVAL);
	unpack("plain-7.3");
	put_directory(scratch.dirfd, "host/sys/extra");
	ck_assert_int_eq(symlinkat("../../../../../etc", scratch.dirfd, "host/sys/extra/out"), 0);
	ck_assert_int_eq(cxlspa_open(path, &c), -EINVAL);
	ck_assert_ptr_null(c);
	cxlspa_close(NULL);
}
END_TEST

/* ---- owners ---- */

struct parts {
	uint64_t next;
	unsigned int n, most;
	bool system_ram;
};

static int take_part(const struct cxlspa_owner *o, void *arg)
{
	struct parts *p = arg;

	ck_assert_uint_eq(o->size, sizeof(*o));
	ck_assert_uint_eq(o->first, p->next);
	ck_assert_uint_ge(o->last, o->first);
	ck_assert_ptr_nonnull(o->what);
	p->next = o->last + 1;
	p->system_ram |= strstr(o->what, "System RAM") != NULL;
	return ++p->n == p->most ? 7 : 0;
}

START_TEST(owners_cover_the_range)
{
	struct cxlspa *c = open_host("plain-7.3");
	struct cxlspa_answer a = {.size = sizeof(a)};
	struct parts p = {0};

	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0, &a), 0);
	p.next = a.spa - 0x1000;
	ck_assert_int_eq(cxlspa_owner(c, p.next, 0x2000, take_part, &p), 0);
	ck_assert_uint_eq(p.next, a.spa + 0x1000);
	ck_assert_uint_gt(p.n, 0);

	p = (struct parts){.most = 1};
	ck_assert_int_eq(cxlspa_owner(c, 0, UINT64_MAX, take_part, &p), 7);
	ck_assert_uint_eq(p.n, 1);

	ck_assert_int_eq(cxlspa_owner(c, 0, 0, take_part, &p), -EINVAL);
	ck_assert_int_eq(cxlspa_owner(c, 2, UINT64_MAX, take_part, &p), -EINVAL);
	p = (struct parts){.next = UINT64_MAX};
	ck_assert_int_eq(cxlspa_owner(c, UINT64_MAX, 1, take_part, &p), 0);
	cxlspa_close(c);
}
END_TEST

/* ---- handles ---- */

static size_t count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n;
}

START_TEST(a_handle_takes_its_descriptors_with_it)
{
	struct cxlspa *c = open_host("plain-7.3");
	size_t before;

	cxlspa_close(c);
	before = count_descriptors();
	for (int i = 0; i < 20; i++) {
		struct cxlspa_answer a = {.size = sizeof(a)};
		struct pollfd p = {.events = POLLIN};

		ck_assert_int_eq(cxlspa_open(path, &c), 0);
		p.fd = cxlspa_fd(c);
		ck_assert_int_ge(p.fd, 0);
		ck_assert_int_eq(cxlspa_fd(c), p.fd);
		ck_assert_int_eq(poll(&p, 1, 0), 0);
		ck_assert_int_eq(cxlspa_refresh(c), 0);
		ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0, &a), 0);
		cxlspa_close(c);
	}
	ck_assert_uint_eq(count_descriptors(), before);
}
END_TEST

START_TEST(a_handle_outlives_a_host_that_went_away)
{
	struct cxlspa *c = open_host("plain-7.3");
	struct cxlspa_answer a = {.size = sizeof(a)}, later = {.size = sizeof(a)};
	char moved[600], command[1400];

	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0x2040, &a), 0);
	(void)snprintf(moved, sizeof(moved), "%s.moved", path);
	(void)snprintf(command, sizeof(command), "mv %s/sys/bus %s", path, moved);
	ck_assert_int_eq(system(command), 0);
	/* Not an error: a host without CXL. */
	ck_assert_int_eq(cxlspa_refresh(c), 0);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0x2040, &later), -ENODEV);
	(void)snprintf(command, sizeof(command), "mv %s %s/sys/bus", moved, path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(cxlspa_refresh(c), 0);
	ck_assert_int_eq(cxlspa_dpa_to_spa(c, "mem0", 0x2040, &later), 0);
	ck_assert_uint_eq(later.spa, a.spa);
	cxlspa_close(c);
}
END_TEST

static void *translate_all(void *userdata)
{
	struct cxlspa_answer *ret = userdata;
	struct cxlspa *c;

	if (cxlspa_open(path, &c) < 0)
		return userdata;
	for (int i = 0; i < 100; i++)
		if (cxlspa_dpa_to_spa(c, "mem0", (uint64_t)i * 0x40, ret) < 0)
			return userdata;
	cxlspa_close(c);
	return NULL;
}

START_TEST(threads_have_handles_of_their_own)
{
	struct cxlspa_answer answers[4];
	pthread_t threads[4];
	void *failed;

	unpack("plain-7.3");
	for (int i = 0; i < 4; i++) {
		answers[i] = (struct cxlspa_answer){.size = sizeof(answers[i])};
		ck_assert_int_eq(pthread_create(&threads[i], NULL, translate_all, &answers[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
		ck_assert_ptr_null(failed);
		ck_assert_mem_eq(&answers[i], &answers[0], sizeof(answers[0]));
	}
}
END_TEST

/* It may have CXL memory or not; the machine of CI has none. */
START_TEST(this_machine_is_read)
{
	struct cxlspa_answer a = {.size = sizeof(a)};
	struct cxlspa *c;

	ck_assert_int_eq(cxlspa_open(NULL, &c), 0);
	ck_assert_int_eq(cxlspa_spa_to_dpa(c, 0, &a), 0);
	ck_assert(!(a.flags & CXLSPA_EXACT));
	ck_assert_str_ne(a.reason, "");
	ck_assert_int_eq(cxlspa_refresh(c), 0);
	cxlspa_close(c);
}
END_TEST

START_TEST(errors_and_sources_have_names)
{
	for (int i = 0; i < 140; i++)
		ck_assert_str_ne(cxlspa_strerror(-i), "");
	ck_assert_str_eq(cxlspa_strerror(-ENODEV), cxlspa_strerror(ENODEV));
	ck_assert_str_eq(cxlspa_strerror(-100000), "unknown error");
	ck_assert_str_eq(cxlspa_source_name(CXLSPA_SOURCE_PRM), "prm");
	ck_assert_str_eq(cxlspa_source_name(CXLSPA_SOURCE_NONE), "none");
	ck_assert_str_eq(cxlspa_source_name(-1), "unknown");
	ck_assert_str_eq(cxlspa_source_name(99), "unknown");
	ck_assert_str_eq(cxlspa_version(), PACKAGE_VERSION);
}
END_TEST

SUITE(check_cxlspa)
{
	Suite *s = suite_create("cxlspa");
	TCase *t = tcase_create("cxlspa");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_answers_are_those_of_the_engine, 0,
			    (int)(sizeof(hosts) / sizeof(hosts[0])));
	tcase_add_test(t, an_exact_answer_leads_back);
	tcase_add_test(t, a_host_without_its_handler_gives_no_exact_answer);
	tcase_add_test(t, wrong_arguments_are_refused);
	tcase_add_test(t, members_that_are_not_known_are_cleared);
	tcase_add_test(t, directories_that_are_no_captured_host_are_refused);
	tcase_add_test(t, owners_cover_the_range);
	tcase_add_test(t, a_handle_takes_its_descriptors_with_it);
	tcase_add_test(t, a_handle_outlives_a_host_that_went_away);
	tcase_add_test(t, threads_have_handles_of_their_own);
	tcase_add_test(t, this_machine_is_read);
	tcase_add_test(t, errors_and_sources_have_names);
	suite_add_tcase(s, t);
	return s;
}
