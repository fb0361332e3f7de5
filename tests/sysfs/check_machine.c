// SPDX-License-Identifier: LGPL-2.1-or-later
/* The machine by its firmware's names, its CPUs, and whether it is a virtual one. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "sysfs/cpuinfo.h"
#include "sysfs/dmi_table.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define DMI	"sys/class/dmi/id/"
#define INTEL	"vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) 6972P\n"
#define REAL	"flags\t\t: fpu lm nohypervisor\n\n"
#define VIRTUAL "flags\t\t: fpu hypervisor lm\n\n"

static void set_names(const char *vendor, const char *product)
{
	(void)mkdirat(tree, "sys/class/dmi", 0755);
	(void)mkdirat(tree, "sys/class/dmi/id", 0755);
	set(DMI "sys_vendor", vendor);
	set(DMI "product_name", product);
}

START_TEST(names_are_those_of_the_firmware)
{
	set_names("Dell Inc.\n", "PowerEdge R770\n");
	set(DMI "product_serial", "7XK2A94\n");
	set(DMI "bios_version", "1.2.3\n");
	enter();
	ck_assert_str_eq(host->machine.manufacturer, "Dell Inc.");
	ck_assert_str_eq(host->machine.model, "PowerEdge R770");
	ck_assert_str_eq(host->machine.serial, "7XK2A94");
	ck_assert_str_eq(host->machine.bios_version, "1.2.3");
}
END_TEST

START_TEST(a_placeholder_is_no_name)
{
	set_names("To be filled by O.E.M.\n", "Default string\n");
	set(DMI "product_serial", "0000000000\n");
	set(DMI "bios_version", "masked\n");
	enter();
	ck_assert_ptr_null(host->machine.manufacturer);
	ck_assert_ptr_null(host->machine.model);
	ck_assert_ptr_null(host->machine.serial);
	ck_assert_ptr_null(host->machine.bios_version);
	ck_assert(!host->machine.is_virtual.present);
}
END_TEST

START_TEST(words_for_nothing_are_told_from_names)
{
	static const char *const nothing[] = {
		"",	"unknown", "Not Specified", "To Be Filled By O.E.M.", "OEM_Define1",
		"NULL", "00000000"};
	static const char *const names[] = {"M321R8GA0BB0-CQK", "7", "Unknown Worlds", "A0"};

	for (size_t i = 0; i < ARRAY_SIZE(nothing); i++)
		ck_assert_msg(dmi_is_placeholder(nothing[i]), "%s", nothing[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_msg(!dmi_is_placeholder(names[i]), "%s", names[i]);
}
END_TEST

/* -1: firmware and CPU do not decide it. */
static const struct {
	const char *vendor, *product, *cpu;
	int is_virtual;
} machines[] = {
	{"QEMU", "Standard PC", INTEL VIRTUAL, 1},
	{"QEMU", "Standard PC", "", 1},
	{"Microsoft Corporation", "Virtual Machine", INTEL VIRTUAL, 1},
	{"Amazon EC2", "m7i.metal-24xl", INTEL REAL, -1},
	{"Dell Inc.", "PowerEdge R770", INTEL REAL, 0},
	{"Dell Inc.", "PowerEdge R770", INTEL VIRTUAL, -1}, /* the first domain of Xen */
	{"Dell Inc.", "PowerEdge R770", "", -1},
	{"Microsoft Corporation", "Surface", INTEL REAL, 0},
	{"None", "None", INTEL VIRTUAL, 1},
	{"None", "None", INTEL REAL, -1},
	{"HPE", "RL300", "CPU implementer\t: 0xc0\nCPU architecture: 8\n\n", 0},
	{"None", "None", "CPU architecture: 8\n\n", -1},
};

START_TEST(a_machine_is_virtual_where_firmware_and_cpu_agree)
{
	set_names(machines[_i].vendor, machines[_i].product);
	set("proc/cpuinfo", machines[_i].cpu);
	enter();
	ck_assert_int_eq(host->machine.is_virtual.present ? (int)host->machine.is_virtual.value
							  : -1,
			 machines[_i].is_virtual);
}
END_TEST

START_TEST(each_cpu_is_read_within_its_lines)
{
	const char *at = "\n\nprocessor\t: 0\n" INTEL "physical id\t: 0\n" REAL
			 "processor\t: 1\nvendor_id\t: AuthenticAMD\nphysical id\t: many\n"
			 "no colon\n:\n: x\nflags:lm\n";
	struct cpuinfo c;

	ck_assert(cpuinfo_next(&at, &c));
	ck_assert_str_eq(c.vendor, "GenuineIntel");
	ck_assert_str_eq(c.model, "Intel(R) Xeon(R) 6972P");
	ck_assert(opt_u64_is(c.package, 0));
	ck_assert_int_eq(c.architecture, CPU_X86_64);
	ck_assert(c.hypervisor.present && !c.hypervisor.value);
	ck_assert(cpuinfo_next(&at, &c));
	ck_assert_str_eq(c.vendor, "AuthenticAMD");
	ck_assert_str_eq(c.model, "");
	ck_assert(!c.package.present);
	ck_assert_int_eq(c.architecture, CPU_X86_64);
	ck_assert(!cpuinfo_next(&at, &c));
}
END_TEST

START_TEST(what_is_long_or_not_printable_is_not_read)
{
	char text[512];
	const char *at = text;
	struct cpuinfo c;

	(void)snprintf(text, sizeof(text), "vendor_id\t: %0100d\nmodel name\t: a\x1b[2Jb\n", 0);
	ck_assert(cpuinfo_next(&at, &c));
	ck_assert_str_eq(c.vendor, "");
	ck_assert_str_eq(c.model, "");
	ck_assert_int_eq(c.architecture, CPU_UNKNOWN);
}
END_TEST

START_TEST(what_a_capture_has_of_a_cpu_is_read_as_before)
{
	static const char *const texts[] = {
		INTEL "physical id\t: 1\n" VIRTUAL, INTEL REAL, "CPU architecture: 8\n",
		"vendor_id\t: GenuineIntel\nphysical id\t: 18446744073709551615\nflags\t\t: x\n"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char reduced[CPUINFO_REDUCED_MAX];
		const char *at = texts[i], *again = reduced;
		struct cpuinfo before, after;

		ck_assert(cpuinfo_next(&at, &before));
		cpuinfo_write(&before, reduced);
		ck_assert(cpuinfo_next(&again, &after));
		ck_assert_str_eq(before.vendor, after.vendor);
		ck_assert_str_eq(before.model, after.model);
		ck_assert_int_eq(before.architecture, after.architecture);
		ck_assert_int_eq(before.package.present, after.package.present);
		ck_assert_uint_eq(before.package.value, after.package.value);
		ck_assert_int_eq(before.hypervisor.present, after.hypervisor.present);
		ck_assert_int_eq(before.hypervisor.value, after.hypervisor.value);
		ck_assert(!cpuinfo_next(&again, &after));
	}
}
END_TEST

SUITE(check_machine)
{
	Suite *s = suite_create("machine");
	TCase *t = tcase_create("machine"), *texts = tcase_create("texts");

	tcase_add_checked_fixture(t, tree_setup_empty, tree_teardown);
	tcase_add_test(t, names_are_those_of_the_firmware);
	tcase_add_test(t, a_placeholder_is_no_name);
	tcase_add_loop_test(t, a_machine_is_virtual_where_firmware_and_cpu_agree, 0,
			    ARRAY_SIZE(machines));
	suite_add_tcase(s, t);
	tcase_add_test(texts, words_for_nothing_are_told_from_names);
	tcase_add_test(texts, each_cpu_is_read_within_its_lines);
	tcase_add_test(texts, what_is_long_or_not_printable_is_not_read);
	tcase_add_test(texts, what_a_capture_has_of_a_cpu_is_read_as_before);
	suite_add_tcase(s, texts);
	return s;
}
