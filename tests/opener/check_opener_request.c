// SPDX-License-Identifier: LGPL-2.1-or-later
/* The form of a request to cxl-redfish-helper, and the paths that it may name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "opener/paths.h"
#include "opener/request.h"
#include "tests/lib/suites.h"

#define ENDPOINT "/sys/devices/platform/ACPI0017:00/root0/port1/endpoint4"
#define INSTANCE "/sys/kernel/tracing/instances/cxl-redfish"

static const struct {
	enum opener_kind kind;
	const char *path;
	enum opener_place place;
} listed[] = {
	{OPENER_OPEN, ENDPOINT "/decoder4.0/start", OPENER_SYSFS},
	{OPENER_OPEN, ENDPOINT "/decoder4.10/dpa_resource", OPENER_SYSFS},
	{OPENER_OPEN, ENDPOINT "/CDAT", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/devices/platform/ACPI0017:00/root0/decoder0.1/region1/resource",
	 OPENER_SYSFS},
	{OPENER_OPEN,
	 "/sys/devices/platform/ACPI0017:00/root0/decoder0.1/region1/dax_region1/dax1.0/mapping0/start",
	 OPENER_SYSFS},
	{OPENER_OPEN, "/sys/devices/pci0000:de/0000:de:01.0/0000:e0:00.0/config", OPENER_CONFIG},
	{OPENER_OPEN, "/sys/devices/pci10000:00/10000:00:01.7/config", OPENER_CONFIG},
	{OPENER_OPEN, "/sys/devices/virtual/dmi/id/product_uuid", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/devices/virtual/dmi/id/product_serial", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/firmware/dmi/tables/DMI", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/firmware/acpi/tables/CEDT", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/firmware/acpi/tables/HMAT", OPENER_SYSFS},
	{OPENER_OPEN, "/sys/firmware/memmap/12/type", OPENER_SYSFS},
	{OPENER_STAT, "/sys/firmware/acpi/tables/FACP", OPENER_SYSFS},
	{OPENER_OPEN, "/proc/iomem", OPENER_PROC},
	{OPENER_OPEN, "/dev/cxl_prm", OPENER_DEVICE},
	{OPENER_OPEN, INSTANCE "/per_cpu/cpu127/trace_pipe_raw", OPENER_TRACEFS},
	{OPENER_OPEN, INSTANCE "/events/cxl/cxl_poison/format", OPENER_TRACEFS},
	{OPENER_LIST, INSTANCE "/per_cpu", OPENER_TRACEFS},
	{OPENER_STAT, INSTANCE, OPENER_TRACEFS},
	{OPENER_STAT, "/sys/kernel/tracing/events/cxl", OPENER_TRACEFS},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory0", OPENER_SYSFS},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory4294967295", OPENER_SYSFS},
};

static const struct {
	enum opener_kind kind;
	const char *path;
} unlisted[] = {
	{OPENER_OPEN, ""},
	{OPENER_OPEN, "/"},
	{OPENER_OPEN, "proc/iomem"},
	{OPENER_OPEN, "/etc/shadow"},
	{OPENER_OPEN, "/proc/kcore"},
	{OPENER_OPEN, "/proc/1/environ"},
	{OPENER_OPEN, "/dev/mem"},
	{OPENER_OPEN, "/dev/cxl/mem0"}, /* no device node leaves the helper */
	{OPENER_OPEN, "//proc/iomem"},
	{OPENER_OPEN, "/proc//iomem"},
	{OPENER_OPEN, "/proc/iomem/"},
	{OPENER_OPEN, "/proc/./iomem"},
	{OPENER_OPEN, "/sys/../proc/iomem"},
	{OPENER_OPEN, ENDPOINT "/../endpoint4/CDAT"},
	{OPENER_OPEN, "/sys/devices/decoder4.0/start"}, /* nothing between them */
	{OPENER_OPEN, ENDPOINT "/decoder4.0/mode"},
	{OPENER_OPEN, ENDPOINT "/decoder4.0/uevent"},
	{OPENER_OPEN, ENDPOINT "/decoder4/start"},
	{OPENER_OPEN, ENDPOINT "/decoder4.01/start"},
	{OPENER_OPEN, ENDPOINT "/decoder4.0x/start"},
	{OPENER_OPEN, ENDPOINT "/decoder12345678901.0/start"},
	{OPENER_OPEN, ENDPOINT "/decoder4.0 /start"},
	{OPENER_OPEN, ENDPOINT "/decoder4.0/star"},
	{OPENER_OPEN, ENDPOINT "/decoder4.0/start size"},
	{OPENER_OPEN, "/sys/devices/pci0000:de/0000:de:01.0/rom"},
	{OPENER_OPEN, "/sys/devices/pci0000:de/0000:de:01.0/resource0"},
	{OPENER_OPEN, "/sys/devices/pci0000:de/0000:de:01.8/config"},
	{OPENER_OPEN, "/sys/devices/pci0000:de/config"},
	{OPENER_OPEN, "/sys/firmware/acpi/tables/FACP"},
	{OPENER_OPEN, "/sys/firmware/memmap/12"},
	{OPENER_OPEN, "/sys/firmware/memmap/12/../start"},
	{OPENER_OPEN, "/sys/firmware/acpi/tables/dynamic/SSDT1"},
	{OPENER_OPEN, "/sys/firmware/acpi/tables/data/BERT"},
	{OPENER_OPEN, "/sys/devices/virtual/dmi/id/board_serial"},
	{OPENER_OPEN, "/sys/kernel/tracing/trace_pipe"},
	{OPENER_OPEN, "/sys/kernel/tracing/instances/other/trace_clock"},
	{OPENER_OPEN, INSTANCE "/trace_pipe"},
	{OPENER_OPEN, INSTANCE "/free_buffer"}, /* closing it ends tracing */
	{OPENER_OPEN, INSTANCE "/events/sched/enable"},
	{OPENER_OPEN, INSTANCE "/per_cpu/cpu0/snapshot_raw"},
	{OPENER_LIST, "/sys"},
	{OPENER_LIST, INSTANCE},
	{OPENER_LIST, "/proc/iomem"},
	{OPENER_STAT, "/etc/shadow"},
	{OPENER_STAT, "/proc/iomem"},
	{OPENER_STAT, "/sys/kernel/tracing/events/mce"},
	{OPENER_COMMAND, "/proc/iomem"},
	/* Questions are answered about these; the files are not passed. */
	{OPENER_OPEN, "/proc/kpageflags"},
	{OPENER_OPEN, "/proc/1/maps"},
	{OPENER_OPEN, "/proc/1/fd/0"},
	{OPENER_LIST, "/proc"},
	{OPENER_LIST, "/proc/1/fd"},
	{OPENER_OPEN, "/dev/dax0.0"},
	{OPENER_OPEN, "/sys/devices/system/memory/memory0"},
	{OPENER_BLOCK_PAGES, "/proc/kpageflags"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory-1"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory01"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory0x10"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory12345678901"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/memory1/state"},
	{OPENER_BLOCK_PAGES, "/sys/devices/system/memory/../memory/memory1"},
	{OPENER_DAX_HOLDERS, "/dev/dax0.0"},
};

START_TEST(paths_of_the_list_are_found)
{
	for (size_t i = 0; i < ARRAY_SIZE(listed); i++)
		ck_assert_msg(opener_path_place(listed[i].kind, listed[i].path) == listed[i].place,
			      "%s", listed[i].path);
}
END_TEST

START_TEST(other_paths_are_nowhere)
{
	for (size_t i = 0; i < ARRAY_SIZE(unlisted); i++)
		ck_assert_msg(opener_path_place(unlisted[i].kind, unlisted[i].path) ==
				      OPENER_NOWHERE,
			      "%s", unlisted[i].path);
}
END_TEST

START_TEST(a_path_that_is_too_deep_or_too_long_is_nowhere)
{
	char path[2 * OPENER_PATH_MAX] = "/sys/devices";

	for (int i = 0; i < 40; i++)
		(void)strcat(path, "/a");
	(void)strcat(path, "/decoder4.0/start");
	ck_assert_int_eq(opener_path_place(OPENER_OPEN, path), OPENER_NOWHERE);
	(void)strcpy(path, "/sys/devices/");
	memset(path + strlen(path), 'a', OPENER_PATH_MAX);
	(void)strcat(path, "/decoder4.0/start");
	ck_assert_int_eq(opener_path_place(OPENER_OPEN, path), OPENER_NOWHERE);
}
END_TEST

static struct opener_request request(enum opener_kind kind, const char *path)
{
	struct opener_request q = {.version = OPENER_VERSION, .kind = (uint16_t)kind};

	(void)stpncpy(q.path, path, sizeof(q.path) - 1);
	return q;
}

static int parse(const struct opener_request *q, size_t len)
{
	struct opener_request ret;
	/* The address sanitizer knows where it ends. */
	void *packet = malloc(len);
	int r;

	memcpy(packet, q, len);
	r = opener_request_parse(packet, len, &ret);
	free(packet);
	return r;
}

START_TEST(a_request_of_each_kind_is_parsed)
{
	struct opener_request q = request(OPENER_OPEN, "/proc/iomem"), ret;

	ck_assert_int_eq(opener_request_parse(&q, opener_request_bytes(&q), &ret), 0);
	ck_assert_str_eq(ret.path, "/proc/iomem");
	q = request(OPENER_COMMANDS, "");
	q.device = OPENER_DEVICE_MAX;
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), 0);
	q.kind = OPENER_COMMAND;
	q.row = 3;
	q.opcode = 0x4201;
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), 0);
	q = request(OPENER_WATCH, "");
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), 0);
}
END_TEST

START_TEST(a_request_of_another_length_is_malformed)
{
	struct opener_request q = request(OPENER_OPEN, "/proc/iomem");
	const size_t len = opener_request_bytes(&q);

	for (size_t i = 1; i <= sizeof(q); i++)
		ck_assert_int_eq(parse(&q, i), i == len ? 0 : -EBADMSG);
	memset(q.path, 'a', sizeof(q.path)); /* no NUL */
	ck_assert_int_eq(parse(&q, sizeof(q)), -EBADMSG);
}
END_TEST

START_TEST(a_field_out_of_its_range_is_malformed)
{
	struct opener_request q = request(OPENER_COMMANDS, "");
	const size_t len = opener_request_bytes(&q);

	q.device = OPENER_DEVICE_MAX + 1;
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q = request(OPENER_COMMANDS, "");
	q.reserved = 1;
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q = request(OPENER_COMMANDS, "");
	q.opcode = 1; /* of another kind */
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q = request(OPENER_WATCH, "");
	q.device = 1;
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q = request(OPENER_COMMANDS, "/proc/iomem");
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), -EBADMSG);
	q = request((enum opener_kind)0, "");
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q = request(OPENER_KINDS, "");
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
	q.kind = UINT16_MAX;
	ck_assert_int_eq(parse(&q, len), -EBADMSG);
}
END_TEST

START_TEST(another_version_or_path_is_refused)
{
	struct opener_request q = request(OPENER_OPEN, "/proc/iomem");

	q.version++;
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), -EPROTO);
	q = request(OPENER_OPEN, "/etc/shadow");
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), -EACCES);
	q = request(OPENER_OPEN, "");
	ck_assert_int_eq(parse(&q, opener_request_bytes(&q)), -EACCES);
}
END_TEST

SUITE(check_opener_request)
{
	Suite *s = suite_create("opener requests");
	TCase *tc = tcase_create("requests");

	tcase_add_test(tc, paths_of_the_list_are_found);
	tcase_add_test(tc, other_paths_are_nowhere);
	tcase_add_test(tc, a_path_that_is_too_deep_or_too_long_is_nowhere);
	tcase_add_test(tc, a_request_of_each_kind_is_parsed);
	tcase_add_test(tc, a_request_of_another_length_is_malformed);
	tcase_add_test(tc, a_field_out_of_its_range_is_malformed);
	tcase_add_test(tc, another_version_or_path_is_refused);
	suite_add_tcase(s, tc);
	return s;
}
