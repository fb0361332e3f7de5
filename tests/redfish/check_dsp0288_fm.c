// SPDX-License-Identifier: LGPL-2.1-or-later
/* Every row of DSP0288's table 2 that docs/mapping.md lists is served. */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/resource_table.h"
#include "redfish/resources/dsp0288_fm.h"
#include "redfish/view.h"
#include "tests/lib/fabric_fixture.h"

#define DEVICE0 ROOT "/Chassis/cxl-000000000000abc0/PCIeDevices/1"

/* As JSON. */
static const struct expectation {
	unsigned int row;
	const char *uri, *value;
} expectations[] = {
	{1, UPPER, "\"CXL\""},
	{4, UPPER, "2"},
	{5, UPPER "/Ports/D1", "\"DSP\""},
	{6, CPU_PORT, "\"CXL68BFlitAndVH\""},
	{7, CPU_PORT, "\"Type3SLD\""},
	{8, CPU_PORT, "[\"CXL68BFlitAndVH\"]"},
	{10, CPU_PORT, "8"},
	{11, CPU_PORT, "[40, 80, 128, 256, 512]"},
	{12, CPU_PORT, "512"},
	{13, CPU_PORT, "128"},
	{16, ROOT "/Chassis/cxl-000000000000abc0/MemoryDomains/1", "256"},
	{17, DEVICE0, "1"},
	{18, DEVICE0, "true"},
	{19, DEVICE0, "false"},
	{21, DEVICE0 "/CXLLogicalDevices/0", "256"},
};

static struct pci_function pci = {
	.bdf = "0000:0c:00.0",
	.class_code = {0x050210, true},
	.current_link_speed = "16.0 GT/s PCIe",
	.max_link_speed = "32.0 GT/s PCIe",
	.current_link_width = {8, true},
	.max_link_width = {16, true},
	.config = {.link_speeds = {0x3e, true},
		   .flex_capability = {0x26, true},
		   .flex_status = {0x26, true}},
};
static const struct mailbox answers = {.egress_port_congestion = OPT_BOOL(true),
				       .temporary_throughput_reduction = OPT_BOOL(false)};

static void build(void)
{
	start();
	add_switches();
	((struct port *)(uintptr_t)f.model.host.memdevs[4]->endpoint->parent)->n_decoders = 2;
	dport_above(f.memdevs[0])->pci = &pci;
	f.memdevs[0]->pci = &pci;
	f.readings.mailboxes[0] = &answers;
}

static const struct expectation *expected_of(unsigned int row)
{
	for (size_t i = 0; i < ARRAY_SIZE(expectations); i++)
		if (expectations[i].row == row)
			return &expectations[i];
	return NULL;
}

START_TEST(every_row_that_is_listed_is_served)
{
	const struct dsp0288_fm_row *rows;
	unsigned int before = 0;
	size_t n;

	fixture_ready(&f);
	rows = dsp0288_fm_rows(&n);
	ck_assert_uint_eq(n, ARRAY_SIZE(expectations));
	for (size_t i = 0; i < n; i++) {
		const struct expectation *e = expected_of(rows[i].number);
		struct resource *r;
		char *text;

		ck_assert_uint_gt(rows[i].number, before);
		ck_assert_uint_le(rows[i].number, DSP0288_FM_ROWS);
		before = rows[i].number;
		ck_assert_msg(e != NULL, "row %u is not tested", rows[i].number);
		r = resource_find(service_view(f.service)->index, e->uri);
		ck_assert_ptr_nonnull(r);
		ck_assert_str_eq(r->type->schema, rows[i].resource);
		ck_assert_uint_eq(get(&f, e->uri), 200);
		text = json_dumps(value_at(&f, rows[i].property), JSON_ENCODE_ANY);
		ck_assert_msg(text && str_equal(text, e->value), "row %u: %s of %s is %s",
			      rows[i].number, rows[i].property, e->uri, text ? text : "absent");
		free(text);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("dsp0288 fm");
	TCase *t = tcase_create("dsp0288 fm");
	SRunner *runner = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(t, build, stop);
	tcase_add_test(t, every_row_that_is_listed_is_served);
	suite_add_tcase(s, t);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
