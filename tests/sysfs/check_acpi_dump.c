// SPDX-License-Identifier: LGPL-2.1-or-later
/* ACPI tables that are handed in: what acpidump and acpixtract write, and every damage of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/acpi_dump.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"
#include "tests/prm/tables_fixture.h"

/* Printed by acpidump 20200925: line 1 is the first heading, line 7 the last line of the CEDT. */
static const char cedt_text[] =
	"CEDT @ 0x0000000000000000\n"
	"    0000: 43 45 44 54 44 00 00 00 01 2F 42 4F 43 48 53 20  CEDTD..../BOCHS \n"
	"    0010: 42 58 50 43 20 20 20 20 01 00 00 00 42 58 50 43  BXPC    ....BXPC\n"
	"    0020: 01 00 00 00 00 00 20 00 DE 00 00 00 01 00 00 00  ...... .........\n"
	"    0030: 00 00 00 00 00 00 00 00 01 00 00 00 00 00 01 00  ................\n"
	"    0040: 00 00 00 00                                      ....\n"
	"\n";

enum { CEDT_LEN = 0x44, CEDT_LINES = 6 };

static struct acpi_dump dump;
static struct error e;

static void teardown(void)
{
	acpi_dump_done(&dump);
}

static int add(const char *text)
{
	return acpi_dump_add(&dump, "file", text, strlen(text), &e);
}

static const struct acpi_dump_table *cedt(void)
{
	return &dump.tables[HOST_TABLE_CEDT];
}

static void expect_cedt(void)
{
	ck_assert_ptr_nonnull(cedt()->data);
	ck_assert_uint_eq(cedt()->len, CEDT_LEN);
	ck_assert_int_eq(memcmp(cedt()->data, "CEDTD", 5), 0);
	ck_assert_uint_eq(cedt()->data[0x28], 0xde);
	ck_assert_str_eq(cedt()->from, "file");
}

START_TEST(text_of_acpidump_is_read)
{
	ck_assert_msg(add(cedt_text) == 0, "%s", e.text);
	expect_cedt();
	ck_assert_ptr_null(dump.tables[HOST_TABLE_PRMT].data);
}
END_TEST

/* pmtools: two blanks, lower case; mail: carriage returns, no blanks at the ends of lines. */
START_TEST(older_text_and_text_from_mail_are_read)
{
	ck_assert_msg(
		add("\r\n"
		    "CEDT @ 0x7ffa5000\r\n"
		    "  0000: 43 45 44 54 44 00 00 00 01 2F 42 4f 43 48 53 20  CEDTD..../BOCHS\r\n"
		    "  0010: 42 58 50 43 20 20 20 20 01 00 00 00 42 58 50 43\r\n"
		    "  0020: 01 00 00 00 00 00 20 00 de 00 00 00 01 00 00 00  ...... .........\r\n"
		    "  0030: 00 00 00 00 00 00 00 00 01 00 00 00 00 00 01 00\r\n"
		    "  0040: 00 00 00 00") == 0,
		"%s", e.text);
	expect_cedt();
}
END_TEST

/* The RSDP has no table header, and a long table has offsets of more digits. */
START_TEST(other_tables_are_skipped)
{
	static char text[512 * 1024];
	size_t n = 0;

	n += (size_t)snprintf(text, sizeof(text),
			      "RSD PTR @ 0xf5ae0\n"
			      "  0000: 52 53 44 20 50 54 52 20 9b 42 4f 43 48 53 20 00  x\n"
			      "  0010: 40 15 fe 07\n\nDSDT @ 0x7ffa5000\n");
	for (size_t at = 0; at <= 0x10010; at += 16)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n,
			"   %4.4zX: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n", at);
	(void)snprintf(text + n, sizeof(text) - n, "%s", cedt_text);
	ck_assert_msg(add(text) == 0, "%s", e.text);
	expect_cedt();
}
END_TEST

START_TEST(raw_bytes_are_read)
{
	ck_assert_int_eq(acpi_dump_add(&dump, "prmt.dat", (const char *)prmt_two_modules,
				       sizeof(prmt_two_modules), &e),
			 0);
	ck_assert_uint_eq(dump.tables[HOST_TABLE_PRMT].len, sizeof(prmt_two_modules));
	ck_assert_int_eq(memcmp(dump.tables[HOST_TABLE_PRMT].data, prmt_two_modules,
				sizeof(prmt_two_modules)),
			 0);
}
END_TEST

/* One change of a line of `cedt_text`. */
struct damage {
	size_t line;	   /* from 1 */
	const char *with;  /* NULL: the line is removed; "+": it is there twice */
	const char *names; /* what the message contains */
};

/* Return: malloc'ed text. */
static char *damaged_text(const struct damage *d)
{
	char *text = calloc(1, 2 * sizeof(cedt_text) + 128), *p = text;
	const char *line = cedt_text;

	ck_assert_ptr_nonnull(text);
	for (size_t n = 1; *line; n++) {
		const char *next = strchr(line, '\n') + 1;
		int len = (int)(next - line);

		if (n != d->line)
			p += sprintf(p, "%.*s", len, line);
		else if (d->with && strcmp(d->with, "+") == 0)
			p += sprintf(p, "%.*s%.*s", len, line, len, line);
		else if (d->with)
			p += sprintf(p, "%s\n", d->with);
		line = next;
	}
	return text;
}

START_TEST(damaged_text_is_refused_by_line)
{
	static const struct damage damages[] = {
		{1, NULL, "line 1: bytes without a heading"},
		{1, "CEDT 0x0000", "line 1: neither a heading"},
		{1, "PRMT @ 0x0", "line 2: the table has a different signature"},
		{1, "+", "line 2: no bytes follow the heading in line 1"},
		{2, NULL, "line 2: offset 0x10 instead of 0x0"},
		{2, "    0000: 43 45 44 54 23 00 00 00 01 2F 42 4F 43 48 53 20", "length 35"},
		{2, "    0000: 43 45 44 54 44 00 00 10 01 2F 42 4F 43 48 53 20",
		 "line 2: the header of the table CEDT has length 268435524"},
		{2, "    0000: 43 45 44 54", "line 2: 4 bytes instead of 16"},
		{3, NULL, "line 3: offset 0x20 instead of 0x10"},
		{3, "+", "line 4: offset 0x10 instead of 0x20"},
		{3, "",
		 "line 3: the table CEDT, which begins in line 1, ends here with 16 of its 68"},
		{3, "    0010: 42 58 50 43 20 20 20 20 01 00 00 00 42 58 50  BXPC    ....BXPC",
		 "line 3: 15 bytes instead of 16"},
		{3, "    0010: 42 58 50 43 20 20 20 20 01 0G 00 00 42 58 50 43  BXPC    ....BXPC",
		 "line 3: 9 bytes instead of 16"},
		{3, "    0010: 42 58 50 43 20 20 20 20 01 000 00 00 42 58 50 43 BXPC    ....BXPC",
		 "line 3: 9 bytes instead of 16"},
		{3, "    0010: 42 58 50 44 20 20 20 20 01 00 00 00 42 58 50 43  BXPC    ....BXPC",
		 "line 3: the bytes and the characters"},
		{3, "    0010: 42 58 50 43 20 20 20 20 01 00 00 00 42 58 50 43 00",
		 "line 3: the bytes and the characters"},
		{4, "    0020: 01 00 00 01 00 00 20 00 DE 00 00 00 01 00 00 00  ...... .........",
		 "lines 1 to 7: CEDT: the checksum"},
		{4, "    some words", "line 4: neither a heading"},
		{6, NULL,
		 "line 6: the table CEDT, which begins in line 1, ends here with 64 of its 68"},
		{6, "    0040: 00 00 00", "line 6: 3 bytes instead of 4"},
		{6, "    0040: 00 00 00 00 00", "line 6: the bytes and the characters"},
		{7, "    0050: 00", "line 7: offset 0x50 instead of 0x44"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		_cleanup_free_ char *text = damaged_text(&damages[i]);

		ck_assert_msg(add(text) == -EBADMSG, "damage %zu was accepted", i);
		ck_assert_msg(strncmp(e.text, "file: line", 10) == 0 &&
				      strstr(e.text, damages[i].names),
			      "damage %zu: %s", i, e.text);
		ck_assert_ptr_null(cedt()->data);
	}
}
END_TEST

/* Wherever a text is cut, either all of the table is there, or it is refused. */
START_TEST(every_truncation_is_refused)
{
	static const char last[] = "    0040: 00 00 00 00";
	const size_t bytes_end = (size_t)(strstr(cedt_text, last) - cedt_text) + strlen(last);

	for (size_t len = 1; len < sizeof(cedt_text) - 1; len++) {
		_cleanup_free_ char *text = strndup(cedt_text, len);

		ck_assert_msg((add(text) == 0) == (len >= bytes_end), "cut to %zu bytes", len);
		acpi_dump_done(&dump);
	}
}
END_TEST

/* Every changed digit is found, by the characters, the structure or the checksum. */
START_TEST(every_changed_byte_is_refused)
{
	_cleanup_free_ char *text = strdup(cedt_text);

	for (size_t i = 0; text[i]; i++) {
		char right = text[i];

		if (!strchr("0123456789ABCDEF", right) || i < sizeof("CEDT @ 0x0000000000000000"))
			continue;
		text[i] = right == '7' ? '3' : '7';
		ck_assert_msg(add(text) == -EBADMSG, "changed at %zu", i);
		text[i] = right;
	}
}
END_TEST

START_TEST(invalid_raw_bytes_are_refused)
{
	static const struct {
		size_t offset;
		uint8_t value;
		size_t len;
		const char *names;
	} damages[] = {
		{4, 0x45, 0x44, "the length in the header"},
		{9, 0, 0x44, "the checksum is wrong"},
		{0, 'X', 0x44, "neither the text of acpidump nor"},
		{4, 0x44, 0x43, "the length in the header"},
		{4, 0x44, 35, "only 35 bytes"},
	};

	ck_assert_int_eq(add(cedt_text), 0);
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		struct acpi_dump other = {0};
		char data[CEDT_LEN];

		memcpy(data, cedt()->data, sizeof(data));
		data[damages[i].offset] = (char)damages[i].value;
		ck_assert_int_eq(acpi_dump_add(&other, "raw", data, damages[i].len, &e), -EBADMSG);
		ck_assert_msg(strstr(e.text, damages[i].names), "damage %zu: %s", i, e.text);
	}
}
END_TEST

START_TEST(a_table_may_be_given_twice_but_not_differently)
{
	ck_assert_int_eq(add(cedt_text), 0);
	ck_assert_int_eq(add(cedt_text), 0);
	ck_assert_int_eq(
		acpi_dump_add(&dump, "other", (const char *)cedt_xor, sizeof(cedt_xor), &e),
		-EBADMSG);
	ck_assert_str_eq(e.text, "other: the ACPI table CEDT differs from that of file");
	expect_cedt();
}
END_TEST

START_TEST(a_file_without_any_of_the_tables_is_refused)
{
	static const char *const texts[] = {"", "\n \n", "FACS @ 0x0\n 0000: 46 41 43 53\n\n"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		ck_assert_int_eq(add(texts[i]), -EBADMSG);
		ck_assert_ptr_nonnull(strstr(e.text, "contains none of the ACPI tables"));
	}
	ck_assert_int_eq(acpi_dump_add_file(&dump, "/no/such/file", &e), -ENOENT);
	ck_assert_ptr_nonnull(strstr(e.text, "/no/such/file: "));
}
END_TEST

/* ---- which one a host gets --------------------------------------------------------------------
 */

/* A host whose only file is @path. */
static int read_host_with(const char *path, const uint8_t *data, size_t len, bool captured,
			  struct host_table *ret)
{
	struct scratch s;
	struct host_root root = {.captured = captured, .dump = dump};
	const struct host *host = NULL;
	int r;

	scratch_setup(&s);
	put_file(s.dirfd, path, data, len);
	root.dirfd = s.dirfd;
	r = host_read(&root, &host, &e);
	if (r == 0) {
		*ret = host->tables[HOST_TABLE_CEDT];
		ret->data = NULL; /* belongs to the snapshot */
		ret->from = ret->from ? cedt()->from : NULL;
	}
	host_unref(host);
	scratch_teardown(&s);
	return r;
}

static const char own_cedt[] = "sys/firmware/acpi/tables/CEDT";
static const char own_facp[] = "sys/firmware/acpi/tables/FACP";

START_TEST(a_host_without_table_gets_the_one_that_is_handed_in)
{
	struct host_table t;

	ck_assert_int_eq(add(cedt_text), 0);
	for (int captured = 0; captured <= 1; captured++) {
		ck_assert_msg(read_host_with("proc/none", NULL, 0, captured, &t) == 0, "%s",
			      e.text);
		ck_assert_int_eq(t.error, 0);
		ck_assert_uint_eq(t.len, CEDT_LEN);
		ck_assert_str_eq(t.from, "file");
	}
	/* A capture may have been made without this table. */
	ck_assert_int_eq(read_host_with(own_facp, cedt()->data, CEDT_LEN, true, &t), 0);
	ck_assert_str_eq(t.from, "file");
}
END_TEST

START_TEST(the_same_table_is_the_hosts_own)
{
	struct host_table t;

	ck_assert_int_eq(add(cedt_text), 0);
	ck_assert_int_eq(read_host_with(own_cedt, cedt()->data, CEDT_LEN, false, &t), 0);
	ck_assert_uint_eq(t.len, CEDT_LEN);
	ck_assert_ptr_null(t.from);
}
END_TEST

START_TEST(a_table_that_contradicts_the_host_is_refused)
{
	struct host_table t;

	ck_assert_int_eq(add(cedt_text), 0);
	ck_assert_int_eq(read_host_with(own_cedt, cedt_xor, sizeof(cedt_xor), false, &t), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "file: its ACPI table CEDT differs from the one"));
	ck_assert_int_eq(read_host_with(own_facp, cedt_xor, sizeof(cedt_xor), false, &t), -EBADMSG);
	ck_assert_ptr_nonnull(
		strstr(e.text, "file: it has an ACPI table CEDT, but this host has none"));
}
END_TEST

SUITE(check_acpi_dump)
{
	Suite *suite = suite_create("acpi_dump");
	TCase *tc = tcase_create("files"), *host = tcase_create("host");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, text_of_acpidump_is_read);
	tcase_add_test(tc, older_text_and_text_from_mail_are_read);
	tcase_add_test(tc, other_tables_are_skipped);
	tcase_add_test(tc, raw_bytes_are_read);
	tcase_add_test(tc, damaged_text_is_refused_by_line);
	tcase_add_test(tc, every_truncation_is_refused);
	tcase_add_test(tc, every_changed_byte_is_refused);
	tcase_add_test(tc, invalid_raw_bytes_are_refused);
	tcase_add_test(tc, a_table_may_be_given_twice_but_not_differently);
	tcase_add_test(tc, a_file_without_any_of_the_tables_is_refused);
	tcase_add_checked_fixture(host, NULL, teardown);
	tcase_add_test(host, a_host_without_table_gets_the_one_that_is_handed_in);
	tcase_add_test(host, the_same_table_is_the_hosts_own);
	tcase_add_test(host, a_table_that_contradicts_the_host_is_refused);
	suite_add_tcase(suite, tc);
	suite_add_tcase(suite, host);
	return suite;
}
