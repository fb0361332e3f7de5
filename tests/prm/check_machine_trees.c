// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Some of the machines of check_machines, written as directories and read by the readers of live
 * and captured hosts: what they read must lead to the same addresses as the route of the hardware.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "prm/translate.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/machine.h"
#include "tests/lib/suites.h"

enum { MACHINES = 12, PLACES = 40 };

static struct scratch scratch;
static struct machine machine;
static struct host_root *root;
static const struct host *host;
static struct translator *translator;
static struct answers answers;

static void setup(void)
{
	scratch_setup(&scratch);
}

static void teardown(void)
{
	answers_done(&answers);
	translator = translator_unref(translator);
	host = host_unref(host);
	root = host_root_free(root);
	machine_done(&machine);
	scratch_teardown(&scratch);
}

static void enter_machine(uint64_t seed)
{
	char path[512];
	struct error e;
	int dirfd;

	machine_build(&machine, seed);
	(void)snprintf(path, sizeof(path), "%s/machine", scratch.path);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(machine_write(&machine, dirfd), 0);
	(void)close(dirfd);
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_int_eq(translator_new(host, NULL, &translator, &e), 0);
}

static const struct memdev *memdev_named(const char *name)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (strcmp(host->memdevs[i]->name, name) == 0)
			return host->memdevs[i];
	ck_abort_msg("seed %llu: %s was not read", (unsigned long long)machine.seed, name);
}

static void compare_at(uint64_t spa)
{
	struct machine_place p;
	const struct memdev *memdev;
	const struct answer *a;

	ck_assert(machine_route(&machine.host, spa, &p));
	memdev = memdev_named(p.memdev->name);
	answers_done(&answers);
	ck_assert_int_eq(translate_dpa(translator, memdev, p.dpa, p.dpa, &answers), 0);
	a = &answers.items[0];
	ck_assert_msg(a->has_spa && a->spa <= spa && spa <= a->spa_last &&
			      (a->exact || strstr(a->reason, "XOR arithmetic")),
		      "seed %llu: DPA 0x%llx of %s is SPA 0x%llx, not 0x%llx: %s",
		      (unsigned long long)machine.seed, (unsigned long long)p.dpa, memdev->name,
		      (unsigned long long)spa, (unsigned long long)a->spa, a->reason);
	answers_done(&answers);
	ck_assert_int_eq(translate_spa(translator, spa, spa, &answers), 0);
	a = &answers.items[0];
	ck_assert_msg(!a->exact || (a->memdev == memdev && a->dpa == p.dpa),
		      "seed %llu: SPA 0x%llx is DPA 0x%llx of %s, not 0x%llx of %s",
		      (unsigned long long)machine.seed, (unsigned long long)spa,
		      (unsigned long long)a->dpa, a->memdev->name, (unsigned long long)p.dpa,
		      memdev->name);
}

START_TEST(machines_that_are_read_are_translated_by_their_route)
{
	uint64_t base, size;

	enter_machine(1000 + (uint64_t)_i);
	ck_assert_uint_eq(host->n_memdevs, machine.host.n_memdevs);
	ck_assert_uint_eq(host->n_regions, machine.host.n_regions);
	ck_assert_uint_eq(host->n_decoders, machine.host.n_decoders);
	for (size_t i = 0; i < machine.host.n_regions; i++) {
		ck_assert(machine_region_base(machine.regions[i], &base, &size));
		for (unsigned int k = 0; k < PLACES; k++)
			compare_at(base + machine_random(&machine, size));
	}
}
END_TEST

SUITE(check_machine_trees)
{
	Suite *s = suite_create("machine-trees");
	TCase *t = tcase_create("read");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, machines_that_are_read_are_translated_by_their_route, 0, MACHINES);
	suite_add_tcase(s, t);
	return s;
}
