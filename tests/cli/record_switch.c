// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Puts the recorded answers of a model of a switch into a captured host, for the scripts:
 *
 *	record_switch DIRECTORY BDF
 *
 * DIRECTORY is a copy of tests/hosts/switch-7.3, whose switch it is with BDF 0000:0d:00.1: ports 1
 * and 2 have its two devices; port 3 has an MLD of four LDs and memory of none, LD 0 and LD 1 bound
 * by another host, whose upstream port is port 5; port 4 is empty, the link of port 6 is down.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "mailbox/cci_recorded.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/switch_model.h"

enum { LTSSM_POLLING = 1, BOUND_PORT = 2, BOUND_LD = 3 };

static void set_ports(struct switch_model *m)
{
	m->identity.serial = 0x5a17;
	switch_model_set_device(m, 1, MODEL_SLD, 0);
	m->ports[1].device.identity.serial = 0xabc0;
	switch_model_set_device(m, 2, MODEL_SLD, 0);
	m->ports[2].device.identity.serial = 0xabc1;
	switch_model_set_device(m, 3, MODEL_MLD, 4);
	m->ports[3].device.identity.serial = 0x5555;
	m->ports[3].device.memory_size += UINT64_C(16) << 30;
	m->ports[3].device.lds[0].allocated = 128;
	switch_model_set_device(m, 4, MODEL_NO_DEVICE, 0);
	m->ports[5] = m->ports[0];
	switch_model_set_device(m, 6, MODEL_PCIE, 0);
	m->ports[6].ltssm = LTSSM_POLLING;
	m->ports[6].width = 0;
}

static void set_virtual_switches(struct switch_model *m)
{
	m->vcs[0].n_vppbs = 3;
	m->vcs[0].vppbs[1] = (struct model_vppb){.binding = BOUND_PORT, .port = 1};
	m->vcs[0].vppbs[2] = (struct model_vppb){.binding = BOUND_PORT, .port = 2};
	m->vcs[1] = m->vcs[0];
	m->vcs[1].usp = 5;
	m->vcs[1].n_vppbs = 4;
	m->vcs[1].vppbs[0].port = 5;
	m->vcs[1].vppbs[1] = (struct model_vppb){.binding = BOUND_LD, .port = 3, .ld = 0};
	m->vcs[1].vppbs[2] = (struct model_vppb){.binding = BOUND_LD, .port = 3, .ld = 1};
	m->vcs[1].vppbs[3] = (struct model_vppb){0};
}

/* cci_record_fn */
static void write_file(void *userdata, const char *path, const void *data, size_t len)
{
	put_file(*(const int *)userdata, path, data, len);
}

static void record(struct switch_model *m, const char *name, int dirfd)
{
	struct switch_reader *reader = switch_reader_new();
	struct switch_source source = {.name = name};
	struct switch_readings *readings;
	struct cci *model = switch_model_cci(m, name);

	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(cci_recorder_new(model, CCI_ORIGIN_MODEL, write_file, &dirfd, &source.cci),
			 0);
	ck_assert_int_eq(switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &readings),
			 0);
	(void)switch_readings_unref(readings);
	(void)cci_free(source.cci);
	(void)cci_free(model);
	(void)switch_reader_free(reader);
}

/* Arguments of the program; it is a suite, because the functions that it uses report failures to
 * one. */
static const char *directory, *name_of_switch;

START_TEST(the_model_is_recorded)
{
	struct switch_model *m = switch_model_new(MODEL_SMALL);
	int dirfd = open(directory, O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ge(dirfd, 0);
	set_ports(m);
	set_virtual_switches(m);
	record(m, name_of_switch, dirfd);
	(void)switch_model_free(m);
	(void)close(dirfd);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("record_switch");
	TCase *t = tcase_create("record_switch");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (argc != 3)
		errx(2, "usage: record_switch DIRECTORY BDF");
	directory = argv[1];
	name_of_switch = argv[2];
	tcase_add_test(t, the_model_is_recorded);
	suite_add_tcase(suite, t);
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
