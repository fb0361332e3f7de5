// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of memdevs in the DMI table: only of records that are certainly about one; damage is none.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "capture/captured_tree.h"
#include "sysfs/dmi_table.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

enum { TABLE_MAX = 4096, CXL_CARD = 0xa4, ON_BOARD = 0x03 };

/* The serial number of mem0, 0000:e0:00.0 below 0000:de:01.0. */
#define SERIAL "000000000000abc3"

static unsigned char table[TABLE_MAX];
static size_t table_len;

static struct host_root *here;

static void leave_tree(void)
{
	host = host_unref(host);
	here = host_root_free(here);
}

static void setup(void)
{
	tree_setup();
	table_len = 0;
}

static void teardown(void)
{
	leave_tree();
	tree_teardown();
}

static const struct memdev *mem0(void)
{
	return host_memdev(host, "mem0");
}

static unsigned char *begin(unsigned char type, unsigned char len, unsigned int handle)
{
	unsigned char *r = table + table_len;

	ck_assert_uint_le(table_len + len + 256, TABLE_MAX);
	memset(r, 0, len);
	r[0] = type;
	r[1] = len;
	put_le16(r + 2, (uint16_t)handle);
	table_len += len;
	return r;
}

/* @texts: each ends with NUL; "" none */
static void end(const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		memcpy(table + table_len, texts[i], strlen(texts[i]) + 1);
		table_len += strlen(texts[i]) + 1;
	}
	if (!n)
		table[table_len++] = 0;
	table[table_len++] = 0;
}

static void add_slot(const char *name, unsigned int bus, unsigned int device)
{
	unsigned char *r = begin(9, 0x11, 0x900);

	r[0x04] = 1;
	r[0x0f] = (unsigned char)bus;
	r[0x10] = (unsigned char)(device << 3);
	end(&name, 1);
}

static void add_array(unsigned int handle, unsigned int location)
{
	unsigned char *r = begin(16, 0x17, handle);

	r[0x04] = (unsigned char)location;
	end(NULL, 0);
}

static void add_memory(unsigned int array, const char *locator, const char *serial,
		       const char *part)
{
	const char *const texts[] = {locator, serial, part, "Maker"};
	unsigned char *r = begin(17, 0x28, 0x1100);

	put_le16(r + 0x04, (uint16_t)array);
	r[0x10] = 1;
	r[0x17] = 4;
	r[0x18] = 2;
	r[0x1a] = 3;
	end(texts, ARRAY_SIZE(texts));
}

/* Where it lies: a process enters one host only. */
static void read_again(void)
{
	char path[32];
	struct error e;

	leave_tree();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", tree);
	ck_assert_msg(captured_tree_open(path, &here, &e) == 0 && host_read(here, &host, &e) == 0,
		      "%s", e.text);
}

static void use_bytes(const unsigned char *bytes, size_t n)
{
	int fd;

	(void)mkdirat(tree, "sys/firmware/dmi", 0755);
	(void)mkdirat(tree, "sys/firmware/dmi/tables", 0755);
	fd = openat(tree, "sys/firmware/dmi/tables/DMI", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	(void)close(fd);
	read_again();
}

static void use_table(void)
{
	use_bytes(table, table_len);
}

START_TEST(a_record_with_the_serial_number_is_of_the_device)
{
	add_array(0x10, CXL_CARD);
	add_memory(0x10, "CXL_1", SERIAL, "  ABC-123  ");
	add_memory(0x10, "CXL_2", "0000000000009999", "ABC-124");
	use_table();
	ck_assert_str_eq(mem0()->part_number, "ABC-123");
	ck_assert_str_eq(mem0()->locator, "CXL_1");
	ck_assert_str_eq(mem0()->manufacturer, "Maker");
	ck_assert_ptr_null(host_memdev(host, "mem1")->part_number);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

/* Modules of the host have short serial numbers, which may be the same by chance. */
START_TEST(a_short_number_on_the_board_proves_nothing)
{
	add_array(0x10, ON_BOARD);
	add_memory(0x10, "DIMM_A1", "ABC3", "ABC-123");
	add_memory(0x11, "DIMM_A2", "0000ABC3", "ABC-123");
	use_table();
	ck_assert_ptr_null(mem0()->part_number);
	ck_assert_ptr_null(mem0()->locator);
}
END_TEST

START_TEST(two_records_of_one_number_are_of_none)
{
	add_array(0x10, CXL_CARD);
	add_memory(0x10, "CXL_1", SERIAL, "ABC-123");
	add_memory(0x10, "CXL_2", SERIAL, "ABC-124");
	use_table();
	ck_assert_ptr_null(mem0()->part_number);
}
END_TEST

START_TEST(words_for_nothing_are_no_names)
{
	static const char *const words[] = {"Unknown", "Not Specified", "", "   ", "a\tb"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		table_len = 0;
		add_array(0x10, CXL_CARD);
		add_memory(0x10, "CXL_1", SERIAL, words[i]);
		use_table();
		ck_assert_ptr_null(mem0()->part_number);
	}
}
END_TEST

START_TEST(a_slot_has_the_address_of_the_device_or_of_the_port_above)
{
	add_slot("PCIE 7", 0xe0, 0);
	add_slot("PCIE 8", 0xff, 0);
	add_slot("PCIE 9", 1, 0);
	use_table();
	ck_assert_str_eq(mem0()->slot_label, "PCIE 7");
	ck_assert_ptr_null(host_memdev(host, "mem1")->slot_label);
	add_slot("PCIE 10", 0xe0, 0);
	use_table();
	ck_assert_ptr_null(mem0()->slot_label);
	table_len = 0;
	add_slot("E3S 1", 0xde, 1); /* pci0000:de/0000:de:01.0 */
	use_table();
	ck_assert_str_eq(mem0()->slot_label, "E3S 1");
}
END_TEST

/* Cut at each byte, and each length wrong: never more than what is whole. */
START_TEST(a_damaged_table_is_read_within_its_bytes)
{
	unsigned char copy[TABLE_MAX];
	add_array(0x10, CXL_CARD);
	add_memory(0x10, "CXL_1", SERIAL, "ABC-123");
	for (size_t n = 0; n < table_len; n++) {
		use_bytes(table, n);
		ck_assert_ptr_null(mem0()->part_number);
	}
	for (size_t n = 0; n < table_len; n++) {
		memcpy(copy, table, table_len);
		copy[n] ^= 0xff;
		use_bytes(copy, table_len);
		ck_assert_uint_eq(host->n_notes, 0);
	}
}
END_TEST

static bool has_text(const char *text)
{
	return memmem(table, table_len, text, strlen(text));
}

/* A capture has no serial numbers of other parts of the machine. */
START_TEST(a_part_of_a_table_gives_the_same_names)
{
	static const char *const product[] = {"SecretServer", "SecretSerial"};

	(void)begin(1, 0x1b, 1);
	end(product, ARRAY_SIZE(product));
	add_array(0x10, ON_BOARD);
	add_memory(0x10, "DIMM_A1", "5EC2E7", "SecretPart");
	add_array(0x11, CXL_CARD);
	add_memory(0x11, "CXL_1", SERIAL, "ABC-123");
	table[table_len - strlen("ABC-123") - 2 - sizeof("Maker") - sizeof(SERIAL) -
	      sizeof("CXL_1") - 0x28 + 0x10] = 9; /* no number of a text: "CXL_1" is nobody's */
	add_slot("PCIE 7", 0xe0, 0);
	table_len = dmi_reduce(table, table_len);
	ck_assert(has_text(SERIAL) && has_text("ABC-123") && has_text("PCIE 7"));
	ck_assert(!has_text("Secret") && !has_text("5EC2E7") && !has_text("DIMM_A1"));
	ck_assert(!has_text("CXL_1"));
	use_table();
	ck_assert_str_eq(mem0()->part_number, "ABC-123");
	ck_assert_str_eq(mem0()->slot_label, "PCIE 7");
	ck_assert_str_eq(mem0()->manufacturer, "Maker");
	ck_assert_ptr_null(mem0()->locator);
	/* Cut anywhere, it is no longer than it was. */
	for (size_t n = 0; n < table_len; n++) {
		unsigned char *copy = malloc(n + 1);

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, table, n);
		ck_assert_uint_le(dmi_reduce(copy, n), n);
		free(copy);
	}
}
END_TEST

START_TEST(a_light_is_one_whose_file_is_there)
{
	(void)mkdirat(tree, "sys/bus/pci/slots", 0755);
	(void)mkdirat(tree, "sys/bus/pci/slots/5", 0755);
	set("sys/bus/pci/slots/5/address", "0000:e0:00\n");
	read_again();
	ck_assert(!mem0()->slot_has_light);
	set("sys/bus/pci/slots/5/attention", "0\n");
	read_again();
	ck_assert(mem0()->slot_has_light);
	ck_assert(!host_memdev(host, "mem1")->slot_has_light);
}
END_TEST

SUITE(check_dmi)
{
	Suite *s = suite_create("dmi");
	TCase *t = tcase_create("records");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_record_with_the_serial_number_is_of_the_device);
	tcase_add_test(t, a_short_number_on_the_board_proves_nothing);
	tcase_add_test(t, two_records_of_one_number_are_of_none);
	tcase_add_test(t, words_for_nothing_are_no_names);
	tcase_add_test(t, a_slot_has_the_address_of_the_device_or_of_the_port_above);
	tcase_add_test(t, a_damaged_table_is_read_within_its_bytes);
	tcase_add_test(t, a_part_of_a_table_gives_the_same_names);
	tcase_add_test(t, a_light_is_one_whose_file_is_there);
	suite_add_tcase(s, t);
	return s;
}
