// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * PCI functions with the mailbox of a switch, in a directory that looks like sysfs: what is found,
 * what is refused and why, with configuration spaces that are hostile.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "mailbox/fmapi.h"
#include "mailbox/switch_function.h"
#include "mailbox/switch_locator.h"
#include "mailbox/switch_options.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define DEVICES	 "sys/bus/pci/devices/"
#define NAME	 "0000:0d:00.1"
#define FUNCTION DEVICES NAME

enum {
	CONFIG_BYTES = 4096,
	BAR_BYTES = 0x20000,
	BLOCK = 0x10000, /* of registers in the BAR */
	MAILBOX = 0x80,	 /* in the block */
	LOCATOR = 0x200, /* in configuration space */
	LOCATOR_BYTES = 0x1c,
};

static struct scratch scratch;
static uint8_t config[CONFIG_BYTES], bar[BAR_BYTES];
static struct switch_bus bus;
static struct cci *c;
static struct error error;

static void put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* A capability of configuration space that is no DVSEC, and then the locator with two blocks. */
static void make_config(void)
{
	memset(config, 0, sizeof(config));
	put(config, 0xa12319e5, 4);
	put(config + 4, 2, 2);
	put(config + 0x100, 0x0001 | 2 << 16 | 0x180U << 20, 4);
	put(config + 0x180, 0x23 | 1 << 16 | (uint32_t)LOCATOR << 20, 4);
	put(config + 0x184, 0x1e98 | 0x10U << 20, 4);
	put(config + 0x188, 7, 2);
	put(config + LOCATOR, 0x23 | 1 << 16, 4);
	put(config + LOCATOR + 4, 0x1e98 | (uint32_t)LOCATOR_BYTES << 20, 4);
	put(config + LOCATOR + 8, 8, 2);
	put(config + LOCATOR + 0xc, 0 | 1 << 8, 8);
	put(config + LOCATOR + 0x14, 0 | 3 << 8 | BLOCK, 8);
}

static void make_registers(void)
{
	uint8_t *block = bar + BLOCK;

	memset(bar, 0, sizeof(bar));
	put(block + 4, 1, 2);
	put(block + 0x10, 2, 2);
	put(block + 0x14, MAILBOX, 4);
	put(block + 0x18, 0x20 + 512, 4);
	put(block + MAILBOX, 9, 4);
}

static void put_config(void)
{
	put_file(scratch.dirfd, FUNCTION "/config", config, sizeof(config));
}

static void put_bars(const char *first)
{
	char text[512];

	(void)snprintf(text, sizeof(text),
		       "%s\n0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		       "0x000000000000c000 0x000000000000c0ff 0x0000000000040101\n"
		       "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		       "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		       "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		       "0x00000000f0000000 0x00000000f001ffff 0x0000000000046200\n",
		       first);
	put_text(scratch.dirfd, FUNCTION "/resource", text);
}

#define GOOD_BAR "0x00000000fe800000 0x00000000fe81ffff 0x0000000000140204"

static void setup(void)
{
	scratch_setup(&scratch);
	bus = (struct switch_bus){.root = scratch.dirfd};
	error = (struct error){0};
	make_config();
	make_registers();
	put_config();
	put_text(scratch.dirfd, FUNCTION "/class", "0x0c0b00\n");
	put_bars(GOOD_BAR);
	put_text(scratch.dirfd, FUNCTION "/enable", "0\n");
	put_file(scratch.dirfd, FUNCTION "/resource0", bar, sizeof(bar));
}

static void teardown(void)
{
	c = cci_free(c);
	scratch_teardown(&scratch);
}

static void replace(const char *path, const char *text)
{
	(void)unlinkat(scratch.dirfd, path, 0);
	if (text)
		put_text(scratch.dirfd, path, text);
}

static void refused(int result, const char *text)
{
	struct cci *none = NULL;

	error = (struct error){0};
	ck_assert_int_eq(switch_function_open(&bus, NAME, &none, &error), result);
	ck_assert_msg(strstr(error.text, text), "%s", error.text);
	ck_assert_uint_lt(strlen(error.text), SWITCH_REASON_MAX);
	ck_assert_ptr_null(none);
}

/* With the configuration space as it is now. */
static void config_refused(int result, const char *text)
{
	(void)unlinkat(scratch.dirfd, FUNCTION "/config", 0);
	put_config();
	refused(result, text);
}

START_TEST(functions_of_the_class_are_found_by_name)
{
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];
	size_t n;

	put_text(scratch.dirfd, DEVICES "0000:0d:00.0/class", "0x060400\n");
	put_text(scratch.dirfd, DEVICES "0000:0c:00.2/class", "0x0c0b10\n");
	put_text(scratch.dirfd, DEVICES "0000:0e:00.0/class", "0x0c0300\n");
	put_text(scratch.dirfd, DEVICES "10000:0e:00.0/class", "0x0c0b00\n");
	put_text(scratch.dirfd, DEVICES "odd/class", "0x0c0b00\n");
	put_directory(scratch.dirfd, DEVICES "0000:0f:00.0");
	ck_assert_int_eq(switch_functions_find(&bus, SWITCH_MAILBOX_AUTO, names, &n, &error), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(names[0], "0000:0c:00.2");
	ck_assert_str_eq(names[1], NAME);
	ck_assert_str_eq(names[2], "10000:0e:00.0");
	ck_assert_int_eq(switch_functions_find(&bus, "0000:77:00.0", names, &n, &error), 0);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(names[0], "0000:77:00.0");
	put_text(scratch.dirfd, DEVICES "0000:aa:00.0/class", "0x0c0b10\n");
	for (unsigned int i = 0; i < CCI_SWITCHES_MAX; i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), DEVICES "0000:%02x:00.0/class", 0x10 + i);
		put_text(scratch.dirfd, path, "0x0c0b00\n");
	}
	ck_assert_int_eq(switch_functions_find(&bus, SWITCH_MAILBOX_AUTO, names, &n, &error), 0);
	ck_assert_uint_eq(n, CCI_SWITCHES_MAX);
	ck_assert_str_eq(names[0], "0000:0c:00.2");
	ck_assert_str_eq(names[CCI_SWITCHES_MAX - 1], "0000:4d:00.0");
}
END_TEST

START_TEST(a_host_without_pci_has_none)
{
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];
	const struct switch_bus empty = {
		.root = openat(scratch.dirfd, FUNCTION, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	size_t n = 7;

	ck_assert_int_eq(switch_functions_find(&empty, SWITCH_MAILBOX_AUTO, names, &n, &error), 0);
	ck_assert_uint_eq(n, 0);
	(void)close(empty.root);
}
END_TEST

static int n_on, n_off;

static void count_privileges(bool on)
{
	n_on += on;
	n_off += !on;
}

START_TEST(registers_are_mapped_and_used)
{
	const struct cci_request q = {.opcode = FMAPI_IDENTIFY};
	const uint64_t sent = FMAPI_IDENTIFY;
	struct cci_reply reply;
	uint8_t byte = 1;
	int fd;

	bus.privileges = count_privileges;
	n_on = n_off = 0;
	ck_assert_int_eq(switch_function_open(&bus, NAME, &c, &error), 0);
	ck_assert_str_eq(c->name, NAME);
	ck_assert_uint_eq(c->payload_max, 512);
	/* For configuration space and registers, and not longer. */
	ck_assert_int_eq(n_on, 2);
	ck_assert_int_eq(n_off, 2);
	/* Memory completes nothing: the command is there, and the doorbell set. */
	ck_assert_int_eq(cci_send(c, &q, &reply), -ETIMEDOUT);
	fd = openat(scratch.dirfd, FUNCTION "/resource0", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(pread(fd, bar, sizeof(bar), 0), sizeof(bar));
	ck_assert_uint_eq(le64(bar + BLOCK + MAILBOX + 8), sent);
	ck_assert_uint_eq(bar[BLOCK + MAILBOX + 4], 1);
	/* A function that is removed takes its mapping away. */
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(cci_send(c, &q, &reply), -ENODEV);
	ck_assert_int_eq(pwrite(fd, &byte, 1, BAR_BYTES - 1), 1);
	ck_assert_int_eq(cci_send(c, &q, &reply), -ENODEV);
	(void)close(fd);
}
END_TEST

START_TEST(memory_decoding_is_enabled_by_the_kernel)
{
	char text[2] = "";
	int fd;

	put(config + 4, 0, 2);
	config_refused(-EIO, "memory decoding is off, and the kernel does not enable it");
	fd = openat(scratch.dirfd, FUNCTION "/enable", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(read(fd, text, 1), 1);
	ck_assert_str_eq(text, "1");
	(void)close(fd);
	replace(FUNCTION "/enable", NULL);
	refused(-ENOENT, "memory decoding is off");
}
END_TEST

START_TEST(what_is_no_mailbox_of_a_switch_is_refused)
{
	struct cci *none = NULL;

	replace(FUNCTION "/class", "0x060400\n");
	refused(-ENODEV, "its class is 060400, and not that of a switch's mailbox");
	replace(FUNCTION "/class", NULL);
	refused(-ENODEV, "its class cannot be read");
	ck_assert_int_eq(switch_function_open(&bus, "0000:55:00.0", &none, &error), -ENODEV);
	ck_assert_str_eq(error.text, "there is no such PCI function");
	ck_assert_int_eq(switch_function_open(&bus, "../devices/" NAME, &none, &error), -ENODEV);
	ck_assert_int_eq(switch_function_open(&bus, "auto", &none, &error), -ENODEV);
	ck_assert_int_eq(switch_function_open(&bus, "", &none, &error), -ENODEV);
}
END_TEST

START_TEST(another_driver_is_named)
{
	put_symlink(scratch.dirfd, FUNCTION "/driver", "../../../bus/pci/drivers/cxl_switchtec");
	refused(-EBUSY, "the driver cxl_switchtec is bound to it; unbind that, or bind vfio-pci");
}
END_TEST

START_TEST(vfio_is_refused_where_it_would_reset)
{
	put_symlink(scratch.dirfd, FUNCTION "/driver", "../../../bus/pci/drivers/vfio-pci");
	refused(-ENOTSUP, "in no IOMMU group");
	put_symlink(scratch.dirfd, FUNCTION "/iommu_group", "../../../kernel/iommu_groups/17");
	replace(FUNCTION "/reset_method", "flr pm\n");
	refused(-EBUSY, "vfio-pci would reset it when it is opened; write an empty line");
	replace(FUNCTION "/reset_method", "\n");
	refused(-ENOENT, "/dev/vfio/vfio cannot be opened");
	put_text(scratch.dirfd, "dev/vfio/vfio", "");
	refused(-ENOENT, "/dev/vfio/17 cannot be opened");
	put_text(scratch.dirfd, "dev/vfio/17", "");
	refused(-ENOTSUP, "VFIO has no IOMMU");
	replace(FUNCTION "/reset_method", NULL);
	replace(FUNCTION "/reset", "");
	refused(-EBUSY, "vfio-pci would reset it");
}
END_TEST

START_TEST(a_resource_that_is_not_there_is_refused)
{
	replace(FUNCTION "/resource0", "short");
	refused(-ENXIO, "resource0 of it is shorter than its BAR");
	replace(FUNCTION "/resource0", NULL);
	refused(-ENXIO, "the kernel has no resource0 of it");
	replace(FUNCTION "/resource", NULL);
	refused(-ENOENT, "its BARs cannot be read");
}
END_TEST

START_TEST(a_user_without_rights_is_refused)
{
	if (geteuid() == 0) {
		ck_assert_int_eq(fchmodat(scratch.dirfd, FUNCTION "/resource0", 0600, 0), 0);
		ck_assert_int_eq(seteuid(ORDINARY_USER), 0);
	} else {
		ck_assert_int_eq(fchmodat(scratch.dirfd, FUNCTION "/resource0", 0, 0), 0);
	}
	refused(-EACCES, "this process may not open resource0 of it, which takes root");
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

/* mmap() of this program fails with it; 0: it does not. */
static int mmap_error;

void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);

void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (mmap_error) {
		errno = mmap_error;
		return (void *)-1;
	}
	return __real_mmap(addr, len, prot, flags, fd, offset);
}

START_TEST(a_kernel_that_forbids_it_says_why)
{
	mmap_error = EPERM;
	refused(-EPERM, "the kernel is locked down (it does not say how), which forbids");
	replace("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	refused(-EPERM, "the kernel is locked down (integrity), which forbids access to its");
	mmap_error = EINVAL;
	refused(-EBUSY, "because a driver claimed it");
	mmap_error = 0;
}
END_TEST

/* ---- configuration spaces ---- */

START_TEST(configuration_spaces_that_loop_end)
{
	/* A ring of two capabilities, and one of one. */
	put(config + 0x180, 0x23 | 1 << 16 | 0x100U << 20, 4);
	config_refused(-EBADMSG, "is a ring");
	put(config + 0x100, 0x0001 | 1 << 16 | 0x100U << 20, 4);
	config_refused(-EBADMSG, "is a ring");
	/* A ring behind the locator is not reached. */
	make_config();
	put(config + LOCATOR, 0x23 | 1 << 16 | 0x100U << 20, 4);
	(void)unlinkat(scratch.dirfd, FUNCTION "/config", 0);
	put_config();
	ck_assert_int_eq(switch_function_open(&bus, NAME, &c, &error), 0);
}
END_TEST

START_TEST(configuration_spaces_without_registers_are_refused)
{
	put(config + LOCATOR + 8, 9, 2);
	config_refused(-ENXIO, "names no block of CXL device registers");
	make_config();
	put(config + LOCATOR + 4, 0x1234 | (uint32_t)LOCATOR_BYTES << 20, 4);
	config_refused(-ENXIO, "names no block");
	make_config();
	config[LOCATOR + 0x15] = 2;
	config_refused(-ENXIO, "names no block");
	/* Too short for its second block, and for any. */
	make_config();
	put(config + LOCATOR + 4, 0x1e98 | (uint32_t)(LOCATOR_BYTES - 1) << 20, 4);
	config_refused(-ENXIO, "names no block");
	put(config + LOCATOR + 4, 0x1e98 | 8U << 20, 4);
	config_refused(-ENXIO, "names no block");
	make_config();
	put(config + 0x180, 0x23 | 1 << 16 | 0xffcU << 20, 4);
	config_refused(-ENXIO, "names no block");
	memset(config + 0x100, 0, sizeof(config) - 0x100);
	config_refused(-ENXIO, "names no block");
	memset(config, 0xff, sizeof(config));
	config_refused(-ENODEV, "reads as all ones");
}
END_TEST

START_TEST(a_locator_that_leaves_configuration_space_is_refused)
{
	put(config + 0x180, 0x23 | 1 << 16 | 0xfe0U << 20, 4);
	put(config + 0xfe0, 0x23 | 1 << 16, 4);
	put(config + 0xfe4, 0x1e98 | 0xfffU << 20, 4);
	put(config + 0xfe8, 8, 2);
	config_refused(-EBADMSG, "longer than its configuration space");
	(void)unlinkat(scratch.dirfd, FUNCTION "/config", 0);
	put_file(scratch.dirfd, FUNCTION "/config", config, 64);
	refused(-EACCES, "its extended configuration space cannot be read");
}
END_TEST

START_TEST(registers_outside_of_a_bar_are_refused)
{
	for (uint8_t i = 6; i < 8; i++) {
		config[LOCATOR + 0x14] = i;
		config_refused(-ENXIO, "which it cannot have");
	}
	config[LOCATOR + 0x14] = 1;
	config_refused(-ENXIO, "BAR 1, which it does not have");
	config[LOCATOR + 0x14] = 2;
	config_refused(-EBADMSG, "BAR 2, which is not one of memory");
	make_config();
	put(config + LOCATOR + 0x14, 3 << 8 | BAR_BYTES, 8);
	config_refused(-EBADMSG, "its registers are at 0x20000 of BAR 0, which has 0x20000 bytes");
	put(config + LOCATOR + 0x18, 0xffffffff, 4);
	config_refused(-EBADMSG, "its registers are at 0xffffffff00020000");
}
END_TEST

START_TEST(bars_without_addresses_are_refused)
{
	static const struct {
		const char *line, *text;
		int result;
	} cases[] = {
		{"0x0000000000000000 0x000000000001ffff 0x0000000020140204", "no addresses",
		 -ENXIO},
		{"0x00000000fe800000 0x00000000fe81ffff 0x0000000020140204", "no addresses",
		 -ENXIO},
		{"0x00000000fe800000 0x00000000fe81ffff 0x0000000010140204", "no addresses",
		 -ENXIO},
		{"0x00000000fe800000 0x00000000fe7fffff 0x0000000000140204", "does not have",
		 -ENXIO},
		{"0x00000000fe800100 0x00000000fe8200ff 0x0000000000140204", "begin at a page",
		 -ENXIO},
		{"nonsense", "cannot have", -ENXIO},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		(void)unlinkat(scratch.dirfd, FUNCTION "/resource", 0);
		put_bars(cases[i].line);
		refused(cases[i].result, cases[i].text);
	}
}
END_TEST

/* A BAR may be large; what is mapped of it is not. */
START_TEST(a_large_bar_is_mapped_in_part)
{
	struct switch_location at;
	int fd;

	fd = openat(scratch.dirfd, FUNCTION "/config", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(switch_locate(fd, "0x100000000 0xffffffffffff 0x204\n", &at, &error), 0);
	ck_assert_uint_eq(at.bar, 0);
	ck_assert_uint_eq(at.offset, BLOCK);
	ck_assert_uint_eq(at.size, SWITCH_BLOCK_MAX);
	ck_assert_int_eq(switch_locate(fd, "", &at, &error), -ENXIO);
	(void)close(fd);
}
END_TEST

START_TEST(registers_without_a_mailbox_are_closed_again)
{
	memset(bar, 0xff, sizeof(bar));
	(void)unlinkat(scratch.dirfd, FUNCTION "/resource0", 0);
	put_file(scratch.dirfd, FUNCTION "/resource0", bar, sizeof(bar));
	refused(-ENODEV, "all ones");
}
END_TEST

static TCase *functions_case(void)
{
	TCase *t = tcase_create("functions");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, functions_of_the_class_are_found_by_name);
	tcase_add_test(t, a_host_without_pci_has_none);
	tcase_add_test(t, registers_are_mapped_and_used);
	tcase_add_test(t, memory_decoding_is_enabled_by_the_kernel);
	tcase_add_test(t, what_is_no_mailbox_of_a_switch_is_refused);
	tcase_add_test(t, another_driver_is_named);
	tcase_add_test(t, vfio_is_refused_where_it_would_reset);
	tcase_add_test(t, a_resource_that_is_not_there_is_refused);
	tcase_add_test(t, a_user_without_rights_is_refused);
	tcase_add_test(t, a_kernel_that_forbids_it_says_why);
	return t;
}

static TCase *config_case(void)
{
	TCase *t = tcase_create("configuration space");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, configuration_spaces_that_loop_end);
	tcase_add_test(t, configuration_spaces_without_registers_are_refused);
	tcase_add_test(t, a_locator_that_leaves_configuration_space_is_refused);
	tcase_add_test(t, registers_outside_of_a_bar_are_refused);
	tcase_add_test(t, bars_without_addresses_are_refused);
	tcase_add_test(t, a_large_bar_is_mapped_in_part);
	tcase_add_test(t, registers_without_a_mailbox_are_closed_again);
	return t;
}

SUITE(check_switch_function)
{
	Suite *s = suite_create("switch_function");

	suite_add_tcase(s, functions_case());
	suite_add_tcase(s, config_case());
	return s;
}
