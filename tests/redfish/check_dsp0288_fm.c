// SPDX-License-Identifier: LGPL-2.1-or-later
/* Every row of DSP0288's table 2 that docs/mapping.md lists is served. */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_table.h"
#include "redfish/view/view.h"
#include "tests/lib/mapping_document.h"
#include "tests/lib/remote_fixture.h"
#include "tests/lib/suites.h"

enum { TABLE_ROWS = 33 };

#define DEVICE0 ROOT "/Chassis/cxl-000000000000abc0/PCIeDevices/1"

/* As JSON. */
static const struct expectation {
	unsigned int row;
	const char *uri, *value;
} expectations[] = {
	{1, UPPER, "\"CXL\""},
	{2, UPPER, "2"},
	{3, UPPER, "12"},
	{4, UPPER, "4"},
	{5, UPPER "/Ports/D1", "\"DSP\""},
	{5, UPPER "/Ports/P8", "\"USP\""},
	{6, UPPER "/Ports/D1", "\"CXL68BFlitAndVH\""},
	{6, CPU_PORT, "\"CXL68BFlitAndVH\""},
	{7, UPPER "/Ports/P2", "\"Type3MLD\""},
	{7, CPU_PORT, "\"Type3SLD\""},
	{8, UPPER "/Ports/P8", "[\"CXL68BFlitAndVH\", \"Standard256BFlit\"]"},
	{8, CPU_PORT, "[\"CXL68BFlitAndVH\"]"},
	{9, UPPER "/Ports/P2", "15"},
	{10, UPPER "/Ports/P3", "8"},
	{10, CPU_PORT, "8"},
	{11, UPPER "/Ports/P3", "[40, 80, 128, 256, 512]"},
	{11, CPU_PORT, "[40, 80, 128, 256, 512]"},
	{12, UPPER "/Ports/P3", "512"},
	{12, CPU_PORT, "512"},
	{13, UPPER "/Ports/P3", "128"},
	{13, CPU_PORT, "128"},
	{14, UPPER "/Ports/P3", "\"" UPPER "/Ports/P3/Actions/Port.ResetPPB\""},
	{15, UPPER "/Ports/P3", "\"" UPPER "/Ports/P3/Actions/Port.Reset\""},
	{16, ROOT "/Chassis/cxl-000000000000abc0/MemoryDomains/1", "256"},
	{16, MLD_DOMAIN, "4096"},
	{17, DEVICE0, "1"},
	{17, MLD_DEVICE, "16"},
	{18, MLD_PORT, "true"},
	{18, DEVICE0, "true"},
	{19, DEVICE0, "false"},
	{19, MLD_DEVICE, "true"},
	{20, MLD_DOMAIN, "256"},
	{21, DEVICE0 "/CXLLogicalDevices/0", "256"},
	{21, MLD_LD(2), "512"},
	{22, MLD_PORT, "true"},
	{23, MLD_DEVICE, "false"},
	{24, MLD_PORT, "10"},
	{25, MLD_PORT, "25"},
	{26, MLD_PORT, "8"},
	{27, MLD_PORT, "300"},
	{28, MLD_PORT, "64"},
	{29, MLD_PORT "/Metrics", "37"},
	{30, MLD_LD(1), "50"},
	{31, MLD_LD(2), "99"},
	{32, MLD_DEVICE, "false"},
	{33, SWITCH_LOG "/Entries/Warning-3", "\"Warning\""},
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
	start_remote();
	remote.readings->may_change = true;
	remote.sw->ports[2].state.additional_lds = 15;
	remote.mld->lds[2].size = OPT_U64(512 << 20);
	(void)made_record(FMAPI_LOG_WARNING, FMAPI_RECORD_MLD, 3);
	((struct port *)(uintptr_t)f.model.host.memdevs[4]->endpoint->parent)->n_decoders = 2;
	dport_above(f.memdevs[0])->pci = &pci;
	f.memdevs[0]->pci = &pci;
	f.readings.mailboxes[0] = &answers;
}

/* Fails the test unless the resource has the row's property with that value. */
static void check_value(const struct mapping_row *row, const struct expectation *e)
{
	struct resource *r = resource_find(service_view(f.service)->index, e->uri);
	char *text;

	ck_assert_msg(r != NULL, "row %u: there is no %s", row->number, e->uri);
	ck_assert_str_eq(r->type->schema, row->resource);
	ck_assert_uint_eq(get(&f, e->uri), 200);
	text = json_dumps(value_at(&f, row->property), JSON_ENCODE_ANY);
	ck_assert_msg(text && str_equal(text, e->value), "row %u: %s of %s is %s", row->number,
		      row->property, e->uri, text ? text : "absent");
	free(text);
}

/* Whether the expectation is of this row, of which there may be one for each resource. */
static bool is_of_row(const struct expectation *e, const struct mapping_row *row)
{
	struct resource *r = resource_find(service_view(f.service)->index, e->uri);

	return e->row == row->number && r && str_equal(r->type->schema, row->resource);
}

/* Properties that the host sees are served without the mailbox, the rest is absent. */
START_TEST(without_the_mailbox_a_row_has_what_the_host_sees)
{
	static const struct {
		const char *uri, *path, *value;
	} rows[] = {
		{UPPER, "SwitchType", "\"CXL\""},
		{UPPER, "CXL/MaxVCSsSupported", NULL},
		{UPPER, "CXL/TotalNumbervPPBs", NULL},
		{UPPER, "CXL/VCS/HDMDecoders", "2"},
		{UPPER "/Ports/D1", "CXL/CurrentPortConfigurationState", "\"DSP\""},
		{UPPER "/Ports/D1", "CXL/ConnectedDeviceMode", NULL},
		{UPPER "/Ports/D1", "CXL/ConnectedDeviceType", NULL},
		{UPPER "/Ports/D1", "CXL/SupportedCXLModes", NULL},
		{UPPER "/Ports/D1", "CXL/MaxLogicalDeviceCount", NULL},
		{UPPER "/Ports/D1", "ActiveWidth", "4"},
		{UPPER "/Ports/D1", "LinkConfiguration", NULL},
		{UPPER "/Ports/D1", "MaxSpeedGbps", "512"},
		{UPPER "/Ports/D1", "CurrentSpeedGbps", "64"},
	};

	f.switches = NULL;
	fixture_ready(&f);
	f.switches = remote.readings;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text;

		ck_assert_uint_eq(get(&f, rows[i].uri), 200);
		text = json_dumps(value_at(&f, rows[i].path), JSON_ENCODE_ANY);
		ck_assert_msg(rows[i].value ? str_equal(text, rows[i].value) : !text, "%s is %s",
			      rows[i].path, text ? text : "absent");
		free(text);
	}
}
END_TEST

START_TEST(every_row_that_is_listed_is_served)
{
	struct mapping_row rows[MAPPING_ROWS_MAX];
	unsigned int before = 0, n_checked = 0;
	size_t n;

	fixture_ready(&f);
	n = mapping_document_read(2, rows);
	for (size_t i = 0; i < n; i++) {
		unsigned int n_of_row = 0;

		/* None is left out; one may be served in two resources. */
		ck_assert_uint_ge(rows[i].number, before);
		ck_assert_uint_le(rows[i].number, before + 1);
		before = rows[i].number;
		for (size_t k = 0; k < ARRAY_SIZE(expectations); k++) {
			if (!is_of_row(&expectations[k], &rows[i]))
				continue;
			check_value(&rows[i], &expectations[k]);
			n_of_row++;
		}
		ck_assert_msg(n_of_row > 0, "row %u is not tested", rows[i].number);
		n_checked += n_of_row;
	}
	ck_assert_uint_eq(before, TABLE_ROWS);
	ck_assert_uint_eq(n_checked, ARRAY_SIZE(expectations));
}
END_TEST

SUITE(check_dsp0288_fm)
{
	Suite *s = suite_create("dsp0288 fm");
	TCase *t = tcase_create("dsp0288 fm");

	tcase_add_checked_fixture(t, build, stop_remote);
	tcase_add_test(t, every_row_that_is_listed_is_served);
	tcase_add_test(t, without_the_mailbox_a_row_has_what_the_host_sees);
	suite_add_tcase(s, t);
	return s;
}
