// SPDX-License-Identifier: LGPL-2.1-or-later
/* Repairs of places: the files that are written, in which order, and what is refused. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "tests/change/devices_util.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define EDAC  "sys/bus/cxl/devices/mem3/cxl_mem3"
#define ROW   EDAC "/mem_repair0"
#define PPR   EDAC "/mem_repair1"
#define EVERY (1u << REPAIR_PARTS) - 1

static char written[2048]; /* one line for each write, from the instance on */
static int error_of_repair;
static const char *deaf;  /* a file that does not show what is written */
static bool only_hard;	  /* the device offers no soft sparing */
static bool other_writes; /* another program writes the DPA before the row */

/* As the kernel does, the value can be read back. */
static int on_write(const char *path, const char *value)
{
	const char *file = strstr(path, "mem_repair");
	const size_t len = strlen(written);

	ck_assert_ptr_nonnull(file);
	(void)snprintf(written + len, sizeof(written) - len, "%s %s\n", file, value);
	if (strstr(file, "/repair"))
		return -error_of_repair;
	if (only_hard && str_equal(file, "mem_repair0/persist_mode") && str_equal(value, "0"))
		return -EOPNOTSUPP;
	if (other_writes && strstr(file, "/row"))
		set(ROW "/dpa", "0x2001");
	if (!deaf || !strstr(file, deaf))
		set(path + 1, value);
	return 0;
}

static void put_instance(const char *directory, const char *type)
{
	static const char *const files[] = {"persist_mode", "dpa",	  "nibble_mask", "channel",
					    "rank",	    "bank_group", "bank",	 "row"};
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", directory, files[i]);
		put_text(tree, path, "0x77\n");
	}
	(void)snprintf(path, sizeof(path), "%s/repair_type", directory);
	put_text(tree, path, type);
	(void)snprintf(path, sizeof(path), "%s/repair_safe_when_in_use", directory);
	put_text(tree, path, "0\n");
}

static void setup(void)
{
	devices_setup();
	put_instance(ROW, "row-sparing\n");
	put_instance(PPR, "ppr\n");
}

static void enter_and_write(void)
{
	devices_enter();
	devices_on_write = on_write;
}

static struct change repair_of(enum edac_repair_type type)
{
	struct change c = change_of(CHANGE_REPAIR, "mem3");

	c.identity = 0xa;
	c.repair = (struct change_repair){.type = (uint32_t)type, .known = EVERY, .dpa = 0x1001};
	for (uint32_t i = 0; i < REPAIR_PARTS; i++)
		c.repair.part[i] = i + 1;
	return c;
}

START_TEST(values_of_the_record_are_written_before_the_repair)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	enter_and_write();
	must_be_done(devices_change(change_repair, &c));
	ck_assert_str_eq(written, "mem_repair0/persist_mode 0\n"
				  "mem_repair0/dpa 0x1001\nmem_repair0/nibble_mask 0x1\n"
				  "mem_repair0/channel 0x2\nmem_repair0/rank 0x3\n"
				  "mem_repair0/bank_group 0x4\nmem_repair0/bank 0x5\n"
				  "mem_repair0/row 0x6\nmem_repair0/repair 1\n");
}
END_TEST

START_TEST(a_part_that_is_not_known_is_0_and_not_that_of_an_earlier_repair)
{
	struct change c = repair_of(EDAC_REPAIR_PPR);

	c.repair.known = 0;
	memset(c.repair.part, 0, sizeof(c.repair.part));
	enter_and_write();
	must_be_done(devices_change(change_repair, &c));
	ck_assert_str_eq(written, "mem_repair1/dpa 0x1001\nmem_repair1/nibble_mask 0x0\n"
				  "mem_repair1/repair 1\n");
}
END_TEST

START_TEST(a_file_that_shows_another_value_ends_it_before_the_repair)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	deaf = "/bank_group";
	enter_and_write();
	must_be_refused(devices_change(change_repair, &c), EIO, "another program may use it");
	ck_assert_ptr_null(strstr(written, "/repair "));
}
END_TEST

START_TEST(a_value_that_another_program_changes_later_ends_it_before_the_repair)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	other_writes = true;
	enter_and_write();
	must_be_refused(devices_change(change_repair, &c), EIO, "dpa does not show 0x1001");
	ck_assert_ptr_nonnull(strstr(written, "/row 0x6\n"));
	ck_assert_ptr_null(strstr(written, "/repair "));
}
END_TEST

START_TEST(a_sparing_is_soft_unless_the_device_offers_hard_ones_only)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	set(ROW "/persist_mode", "1\n");
	only_hard = _i == 1;
	enter_and_write();
	must_be_done(devices_change(change_repair, &c));
	ck_assert_str_eq(result.text,
			 only_hard ? "hard, permanent" : "soft, until the device is reset");
	ck_assert_ptr_nonnull(strstr(written, only_hard ? "persist_mode 0\nmem_repair0/"
							  "persist_mode 1\nmem_repair0/dpa "
							: "persist_mode 0\nmem_repair0/dpa "));
}
END_TEST

START_TEST(a_mode_that_cannot_be_read_back_ends_it_before_the_repair)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	deaf = "/persist_mode";
	enter_and_write();
	must_be_refused(devices_change(change_repair, &c), EIO, "persist_mode does not show 0x0");
	ck_assert_ptr_null(strstr(written, "/repair "));
}
END_TEST

START_TEST(a_cacheline_without_its_sub_channel_is_not_spared_on_an_idle_device)
{
	struct change c = repair_of(EDAC_REPAIR_CACHELINE_SPARING);

	set(ROW "/repair_type", "cacheline-sparing\n");
	c.repair.known &= ~(1u << REPAIR_SUB_CHANNEL);
	c.repair.part[REPAIR_SUB_CHANNEL] = 0;
	enter_and_write();
	must_be_refused(devices_change(change_repair, &c), EINVAL, "does not say the sub_channel");
	ck_assert_str_eq(written, "");
}
END_TEST

static const struct {
	int error;
	const char *text;
} errors[] = {
	{EIO, "the device refuses the repair"},
	{EBUSY, "carries out another operation"},
	{EINVAL, "Linux kept no event of this place"},
	{ENXIO, "or is busy with another operation; see the kernel log"},
	{ENODEV, "No such device"},
};

START_TEST(the_error_of_the_kernel_has_its_reason)
{
	const struct change c = repair_of(EDAC_REPAIR_PPR);

	error_of_repair = errors[_i].error;
	enter_and_write();
	must_be_refused(devices_change(change_repair, &c), errors[_i].error, errors[_i].text);
}
END_TEST

START_TEST(a_repair_in_the_background_is_not_known)
{
	const struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	error_of_repair = ETIMEDOUT;
	enter_and_write();
	ck_assert_int_eq(devices_change(change_repair, &c), -ETIMEDOUT);
	ck_assert_uint_eq(result.outcome, CHANGE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(result.text, "repairs in the background, and Linux does not "
						  "wait for its end"));
}
END_TEST

START_TEST(a_repair_that_is_not_offered_is_refused_with_the_reason)
{
	const struct change bank = repair_of(EDAC_REPAIR_BANK_SPARING);
	struct change other = repair_of(EDAC_REPAIR_PPR);

	enter_and_write();
	must_be_refused(devices_change(change_repair, &bank), EOPNOTSUPP,
			"mem3 cannot be repaired by bank-sparing: Linux offers no such repair");
	other.identity = 0xb;
	must_be_refused(devices_change(change_repair, &other), ESTALE, "mem3");
	ck_assert_str_eq(written, "");
}
END_TEST

START_TEST(a_device_in_use_that_is_not_safe_is_not_repaired)
{
	const struct change c = repair_of(EDAC_REPAIR_PPR);
	static const char *const counts[] = {
		ROOT_PORT "/port1/endpoint4/decoders_committed",
		ROOT_PORT "/port1/endpoint5/decoders_committed",
		ROOT_PORT "/port2/endpoint3/decoders_committed",
		ROOT_PORT "/port2/endpoint6/decoders_committed",
	};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		set(counts[i], "1\n");
	enter_and_write();
	ck_assert_int_eq(devices_change(change_repair, &c), -EBUSY);
	ck_assert_str_eq(written, "");
}
END_TEST

static void expect_no_form(const struct change *c, const char *text)
{
	struct error e = {0};

	ck_assert_int_eq(change_check(c, &e), -EINVAL);
	ck_assert_msg(strstr(e.text, text), "%s", e.text);
}

START_TEST(a_repair_has_the_values_that_its_type_needs)
{
	struct error e = {0};
	struct change c = repair_of(EDAC_REPAIR_ROW_SPARING);

	ck_assert_int_eq(change_check(&c, &e), 0);
	c.repair.known &= ~(1u << REPAIR_ROW);
	expect_no_form(&c, "does not have all that row-sparing needs");
	c = repair_of(EDAC_REPAIR_PPR);
	c.repair.known = 0;
	expect_no_form(&c, "not known has a value");
	c = repair_of(EDAC_REPAIR_PPR);
	c.repair.dpa = 0x1003;
	expect_no_form(&c, "not repairable");
	c = repair_of(EDAC_REPAIR_PPR);
	c.identity = 0;
	expect_no_form(&c, "without a serial number");
	c = repair_of(EDAC_REPAIR_TYPE_COUNT);
	expect_no_form(&c, "no such type");
	ck_assert_uint_eq(change_needs(CHANGE_REPAIR), ALLOW_REPAIR);
}
END_TEST

SUITE(check_repair)
{
	Suite *s = suite_create("repair");
	TCase *t = tcase_create("repair");

	tcase_add_checked_fixture(t, setup, devices_teardown);
	tcase_add_test(t, values_of_the_record_are_written_before_the_repair);
	tcase_add_test(t, a_part_that_is_not_known_is_0_and_not_that_of_an_earlier_repair);
	tcase_add_test(t, a_file_that_shows_another_value_ends_it_before_the_repair);
	tcase_add_test(t, a_value_that_another_program_changes_later_ends_it_before_the_repair);
	tcase_add_loop_test(t, a_sparing_is_soft_unless_the_device_offers_hard_ones_only, 0, 2);
	tcase_add_test(t, a_mode_that_cannot_be_read_back_ends_it_before_the_repair);
	tcase_add_test(t, a_cacheline_without_its_sub_channel_is_not_spared_on_an_idle_device);
	tcase_add_loop_test(t, the_error_of_the_kernel_has_its_reason, 0, ARRAY_SIZE(errors));
	tcase_add_test(t, a_repair_in_the_background_is_not_known);
	tcase_add_test(t, a_repair_that_is_not_offered_is_refused_with_the_reason);
	tcase_add_test(t, a_device_in_use_that_is_not_safe_is_not_repaired);
	suite_add_tcase(s, t);
	t = tcase_create("form");
	tcase_add_test(t, a_repair_has_the_values_that_its_type_needs);
	suite_add_tcase(s, t);
	return s;
}
