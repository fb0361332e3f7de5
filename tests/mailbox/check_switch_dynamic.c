// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading of dynamic capacity: what is read, and devices that contradict themselves. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

#define NAME "0000:0d:00.1"
#define GIB  (UINT64_C(1) << 30)
#define MIB  (UINT64_C(1) << 20)

enum { MLD = 1, SLD = 2 };

static struct switch_model *m;
static struct model_dcd *dcd; /* of the MLD */
static struct switch_reader *reader;
static struct cci *cci;
static const struct switch_readings *set;
static const struct switch_reading *s;

static void setup(void)
{
	m = switch_model_new(MODEL_SMALL);
	dcd = switch_model_add_dynamic(m, MLD);
	cci = switch_model_cci(m, NAME);
	reader = switch_reader_new();
	ck_assert_ptr_nonnull(reader);
}

static void teardown(void)
{
	set = switch_readings_unref(set);
	reader = switch_reader_free(reader);
	cci = cci_free(cci);
	m = switch_model_free(m);
}

static void read_as(enum switch_read what)
{
	const struct switch_source source = {.name = NAME, .cci = cci};
	struct switch_readings *now = NULL;

	ck_assert_int_eq(switch_reader_read_sources(reader, &source, 1, what, &now), 0);
	set = switch_readings_unref(set);
	set = now;
	s = &set->switches[0];
}

static const struct device_reading *device(unsigned int port)
{
	return switch_port(s, port)->device;
}

static const struct dc_host_reading *host(unsigned int n)
{
	const struct dc_host_reading *h = device_dc_host(device(MLD), n);

	ck_assert_ptr_nonnull(h);
	return h;
}

static void no_notes(void)
{
	ck_assert_msg(s->n_notes == 0, "%s", s->n_notes ? s->notes[0] : "");
}

static void must_be_noted(const char *text)
{
	bool found = false;

	for (size_t i = 0; i < s->n_notes; i++)
		found |= strstr(s->notes[i], text) != NULL;
	ck_assert_msg(found, "no note has '%s'; the first is '%s'", text,
		      s->n_notes ? s->notes[0] : "");
}

static struct model_extent *give(unsigned int to, uint64_t start, uint64_t size)
{
	struct model_dc_host *h = &dcd->hosts[to];

	h->generation++;
	h->accepted[h->n_accepted] = (struct model_extent){.start = start, .size = size};
	return &h->accepted[h->n_accepted++];
}

START_TEST(capacity_of_each_host_is_read)
{
	give(1, 64 * GIB + 512 * MIB, 256 * MIB)->tag[0] = 7;
	give(1, 64 * GIB, 512 * MIB)->sequence = 3;
	read_as(SWITCH_READ_ALL);
	no_notes();
	ck_assert(device(MLD)->has_dcd && !device(SLD)->has_dcd);
	ck_assert_uint_eq(device(MLD)->dcd.capacity, 6 * GIB);
	ck_assert_uint_eq(device(MLD)->n_dc_hosts, 4);
	ck_assert(host(0)->has_extents && host(0)->n_extents == 0);
	ck_assert_uint_eq(host(1)->config.n, 2);
	ck_assert_uint_eq(host(1)->config.regions[1].base, 96 * GIB);
	ck_assert_uint_eq(host(1)->config.extents, 64);
	ck_assert_uint_eq(host(1)->config.free_extents, 62);
	/* By their addresses. */
	ck_assert_uint_eq(host(1)->n_extents, 2);
	ck_assert_uint_eq(host(1)->extents[0].start, 64 * GIB);
	ck_assert_uint_eq(host(1)->extents[0].sequence, 3);
	ck_assert_uint_eq(host(1)->extents[1].tag[0], 7);
	ck_assert_int_eq(dc_region_of(host(1), 64 * GIB, 4 * GIB), 0);
	ck_assert_int_eq(dc_region_of(host(1), 97 * GIB, GIB), 1);
	ck_assert_int_eq(dc_region_of(host(1), 97 * GIB, GIB + 1), -1);
	ck_assert_int_eq(dc_region_of(host(1), 0, UINT64_MAX), -1);
}
END_TEST

START_TEST(device_without_lds_has_one_host)
{
	struct model_dcd *sld = switch_model_add_dynamic(m, SLD);

	sld->hosts[0].accepted[0] = (struct model_extent){.start = 96 * GIB, .size = 2 * MIB};
	sld->hosts[0].n_accepted = 1;
	read_as(SWITCH_READ_ALL);
	no_notes();
	ck_assert_uint_eq(device(SLD)->n_dc_hosts, 1);
	ck_assert_uint_eq(device_dc_host(device(SLD), 0)->n_extents, 1);
	ck_assert_ptr_null(device_dc_host(device(SLD), 1));
}
END_TEST

START_TEST(fewer_hosts_than_lds_are_read)
{
	dcd->n_hosts = 2;
	read_as(SWITCH_READ_ALL);
	no_notes();
	ck_assert_uint_eq(device(MLD)->n_dc_hosts, 2);
	ck_assert_uint_eq(device(MLD)->n_lds, 4);
}
END_TEST

/* A host accepts without a record in the log of the switch. */
START_TEST(extents_are_read_with_every_reading)
{
	const struct switch_readings *first;

	read_as(SWITCH_READ_ALL);
	first = switch_readings_ref(set);
	read_as(SWITCH_READ_CHANGES);
	ck_assert(switch_readings_equal(first, set));
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_DCD_INFO), 2);
	give(0, 64 * GIB, 256 * MIB);
	read_as(SWITCH_READ_CHANGES);
	ck_assert(!switch_readings_equal(first, set));
	ck_assert_uint_eq(host(0)->n_extents, 1);
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_DCD_INFO), 2);
	(void)switch_readings_unref(first);
}
END_TEST

START_TEST(lists_are_read_in_pieces_when_payloads_are_short)
{
	dcd->n_regions = 8;
	for (size_t i = 0; i < 8; i++)
		dcd->regions[i] = (struct model_dc_region){
			.base = i * GIB, .size = GIB, .block = 2 * MIB, .block_sizes = 2 * MIB};
	dcd->extents = 100;
	for (size_t i = 0; i < 100; i++)
		give(2, 2 * MIB * i, 2 * MIB);
	m->payload_max = 256;
	cci = cci_free(cci);
	cci = switch_model_cci(m, NAME);
	read_as(SWITCH_READ_ALL);
	no_notes();
	ck_assert_uint_eq(host(2)->config.n, 8);
	ck_assert_uint_eq(host(2)->config.regions[7].base, 7 * GIB);
	ck_assert_uint_eq(host(2)->n_extents, 100);
	ck_assert_uint_eq(host(2)->extents[99].start, 198 * MIB);
}
END_TEST

START_TEST(list_that_changes_while_it_is_read_is_not_shown)
{
	for (size_t i = 0; i < 40; i++)
		give(0, 96 * GIB + 2 * MIB * i, 2 * MIB);
	m->payload_max = 256;
	cci = cci_free(cci);
	cci = switch_model_cci(m, NAME);
	dcd->changes_while_read = true;
	read_as(SWITCH_READ_ALL);
	must_be_noted("port 1: the extents of host 0 change while they are read");
	ck_assert(!host(0)->has_extents && host(0)->n_extents == 0);
	/* A list in one part is that of one moment. */
	ck_assert(host(1)->has_extents);
	dcd->changes_while_read = false;
	read_as(SWITCH_READ_CHANGES);
	no_notes();
	ck_assert_uint_eq(host(0)->n_extents, 40);
}
END_TEST

static void outside(void)
{
	give(0, 64 * GIB - 256 * MIB, 256 * MIB);
}

static void across(void)
{
	give(0, 68 * GIB - 256 * MIB, 512 * MIB);
}

static void half_a_block(void)
{
	give(0, 64 * GIB, 128 * MIB);
}

static void beside_a_block(void)
{
	give(0, 64 * GIB + MIB, 256 * MIB);
}

static void overlapping(void)
{
	give(0, 64 * GIB + 256 * MIB, 256 * MIB);
	give(0, 64 * GIB, 512 * MIB);
}

static void twice(void)
{
	give(0, 64 * GIB, 256 * MIB);
	give(0, 64 * GIB, 256 * MIB);
}

static void more_than_there_is(void)
{
	dcd->capacity = GIB;
	give(0, 64 * GIB, 2 * GIB);
}

static void more_than_supported(void)
{
	dcd->extents = 1;
	give(0, 64 * GIB, 256 * MIB);
	give(0, 65 * GIB, 256 * MIB);
}

static void many_regions(void)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
						    .opcode = FMAPI_GET_DCD_INFO,
						    .level = 1,
						    .offset = 1,
						    .value = 1});
}

static const struct {
	void (*make)(void);
	const char *note;
} contradictions[] = {
	{outside, "the extent at 0xff0000000 of host 0 is in no region"},
	{across, "of host 0 is in no region"},
	{half_a_block, "of host 0 has no whole blocks"},
	{beside_a_block, "of host 0 has no whole blocks"},
	{overlapping, "of host 0 overlaps another one"},
	{twice, "of host 0 overlaps another one"},
	{more_than_there_is, "of host 0 is more than the device has"},
	{more_than_supported, "host 0 has 2 extents, but the device supports 1 only"},
	{many_regions, "host 0 has 2 regions of dynamic capacity, but the device supports 1 only"},
};

START_TEST(extents_that_contradict_the_info_are_not_shown)
{
	const struct dc_host_reading *h;

	contradictions[_i].make();
	read_as(SWITCH_READ_ALL);
	must_be_noted(contradictions[_i].note);
	h = device_dc_host(device(MLD), 0);
	ck_assert(!h || (!h->has_extents && h->n_extents == 0));
	/* The rest is. */
	ck_assert_uint_eq(device(MLD)->n_lds, 4);
	if (contradictions[_i].make != many_regions)
		ck_assert(host(1)->has_extents);
}
END_TEST

/* Each byte of each reply has some other value: what is shown is consistent. */
START_TEST(any_byte_may_have_any_value)
{
	static const uint16_t opcodes[] = {FMAPI_GET_DCD_INFO, FMAPI_GET_DC_REGIONS,
					   FMAPI_GET_EXTENTS};
	static const uint8_t values[] = {0, 1, 0x7f, 0xff};

	give(0, 64 * GIB, 512 * MIB);
	give(0, 96 * GIB, 2 * MIB);
	for (size_t i = 0; i < ARRAY_SIZE(opcodes) * 104 * ARRAY_SIZE(values); i++) {
		m->n_faults = 0;
		switch_model_fault(
			m, &(struct model_fault){.kind = MODEL_BYTE,
						 .opcode = opcodes[i % ARRAY_SIZE(opcodes)],
						 .level = 1,
						 .offset = i / ARRAY_SIZE(opcodes) % 104,
						 .value = values[i / ARRAY_SIZE(opcodes) / 104]});
		read_as(SWITCH_READ_ALL);
		for (size_t k = 0; k < device(MLD)->n_dc_hosts; k++) {
			const struct dc_host_reading *h = &device(MLD)->dc_hosts[k];

			for (size_t x = 0; x < h->n_extents; x++)
				ck_assert_int_ge(
					dc_region_of(h, h->extents[x].start, h->extents[x].size),
					0);
		}
	}
}
END_TEST

SUITE(check_switch_dynamic)
{
	Suite *suite = suite_create("switch_dynamic");
	TCase *t = tcase_create("switch_dynamic");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, capacity_of_each_host_is_read);
	tcase_add_test(t, device_without_lds_has_one_host);
	tcase_add_test(t, fewer_hosts_than_lds_are_read);
	tcase_add_test(t, extents_are_read_with_every_reading);
	tcase_add_test(t, lists_are_read_in_pieces_when_payloads_are_short);
	tcase_add_test(t, list_that_changes_while_it_is_read_is_not_shown);
	tcase_add_loop_test(t, extents_that_contradict_the_info_are_not_shown, 0,
			    ARRAY_SIZE(contradictions));
	tcase_add_test(t, any_byte_may_have_any_value);
	suite_add_tcase(suite, t);
	return suite;
}
