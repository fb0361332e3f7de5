// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Records a model of a switch: `record_switch_model DIRECTORY` writes mbox/switch-0000:0d:00.1/ of
 * a captured host there, for the switch of switch-7.3; see make-switch-host.
 *
 * VCS 0 is that host's: the upstream port, LD 0 of an MLD at its first downstream bridge, an SLD at
 * the second one. VCS 1 is another host's, with LD 1 of the MLD and a vPPB without device. Two LDs
 * of the MLD are free, as are two ports.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "mailbox/cci_recorded.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/switch_model.h"

#define NAME "0000:0d:00.1"
#define MIB  (UINT64_C(1) << 20)

enum {
	USP = 0,
	MLD = 1,
	SLD = 2,
	OTHER_USP = 5,
	SERIAL_OF_MEM0 = 0xabc0, /* behind the first downstream bridge */
	SERIAL_OF_MEM1 = 0xabc1,
	CODE_32GT = 5,
	SPEEDS_TO_64GT = 0x3f,
	CODE_64GT = 6,
};

static struct model_identity as_memdev(struct model_identity i)
{
	i.vendor = 0x8086;
	i.subsystem_vendor = 0x1af4;
	return i;
}

static void set_devices(struct switch_model *m)
{
	struct model_device *mld = &m->ports[MLD].device;

	mld->identity = as_memdev(mld->identity);
	mld->memory_size = 1024 * MIB;
	mld->qos[0] = 1; /* egress congestion is enabled */
	for (size_t i = 0; i < 4; i++) {
		mld->lds[i].identity = as_memdev(mld->lds[i].identity);
		mld->lds[i].range1 = 1; /* of 256 MiB */
		mld->lds[i].limit = (uint8_t)(128 + i * 32);
	}
	mld->lds[0].identity.serial = SERIAL_OF_MEM0;
	m->ports[SLD].device.identity = as_memdev(m->ports[SLD].device.identity);
	m->ports[SLD].device.identity.serial = SERIAL_OF_MEM1;
}

static void set_ports(struct switch_model *m)
{
	m->ports[OTHER_USP] = m->ports[USP];
	for (size_t i = MLD; i <= SLD; i++) {
		m->ports[i].width = 16;
		m->ports[i].speed = CODE_32GT;
	}
	for (size_t i = MLD; i < OTHER_USP; i++) {
		m->ports[i].speeds = SPEEDS_TO_64GT;
		m->ports[i].max_speed = CODE_64GT;
	}
}

static void set_vcs(struct switch_model *m)
{
	m->vcs[0].n_vppbs = 3; /* as many as this host has bridges */
	m->vcs[1] = (struct model_vcs){.exists = true, .enabled = true, .usp = OTHER_USP};
	m->vcs[1].n_vppbs = 3;
	m->vcs[1].vppbs[0] = (struct model_vppb){.binding = FMAPI_BOUND_PORT, .port = OTHER_USP};
	m->vcs[1].vppbs[1] = (struct model_vppb){.binding = FMAPI_BOUND_LD, .port = MLD, .ld = 1};
}

/* Makes the directories above a file. */
static int make_parents(int dirfd, const char *path)
{
	char part[CCI_RECORDED_PATH];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		(void)snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdirat(dirfd, part, 0755) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

struct writing {
	int dirfd, error;
};

/* cci_record_fn */
static void write_file(void *userdata, const char *path, const void *data, size_t len)
{
	struct writing *w = userdata;
	_cleanup_close_ int fd = -1;

	if (make_parents(w->dirfd, path) == 0)
		fd = openat(w->dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		w->error = -errno;
}

static int target = -1;

/* The model is made for tests: it checks what it does by ck_assert(). */
START_TEST(record)
{
	struct writing w = {.dirfd = target};
	struct switch_model *m = switch_model_new(MODEL_SMALL);
	struct cci *model = switch_model_cci(m, NAME);
	struct switch_source source = {.name = NAME};
	struct switch_reader *reader = switch_reader_new();
	struct switch_readings *readings;

	set_devices(m);
	set_ports(m);
	set_vcs(m);
	ck_assert_int_eq(cci_recorder_new(model, CCI_ORIGIN_MODEL, write_file, &w, &source.cci), 0);
	ck_assert_int_eq(switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &readings),
			 0);
	ck_assert_msg(w.error == 0, "%s", strerror(-w.error));
	ck_assert_uint_eq(readings->switches[0].n_notes, 0);
	(void)switch_readings_unref(readings);
	(void)switch_reader_free(reader);
	(void)cci_free(source.cci);
	(void)cci_free(model);
	(void)switch_model_free(m);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s;
	TCase *t;
	SRunner *sr;
	int failed;

	if (argc == 2)
		target = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target < 0) {
		fprintf(stderr, "usage: record_switch_model DIRECTORY\n");
		return EXIT_FAILURE;
	}
	s = suite_create("record_switch_model");
	t = tcase_create("record");
	tcase_add_test(t, record);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_MINIMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	(void)close(target);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
