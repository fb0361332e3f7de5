// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions that a change has left half-made, as Redfish shows them. */
#include <check.h>

#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"

#define CONDITION "Status/Conditions/0/"

/* A region is made in these steps (cxl create-region); the process may end after each. */
START_TEST(a_region_is_enabled_at_no_step_before_the_last)
{
	struct region *r = f.region;
	const struct opt_u64 resource = r->resource;

	r->dax = NULL;
	r->enabled = false;
	r->commit = REGION_NOT_COMMITTED;
	for (unsigned int step = 0; step < 6; step++) {
		const bool has_size = step >= 1, committed = step >= 3, bound = step >= 4;

		r->resource = has_size ? resource : (struct opt_u64){0};
		for (unsigned int i = 0; i < 2; i++)
			region_target(r, i)->memdev = step >= 2 ? f.memdevs[i] : NULL;
		for (unsigned int i = 0; i < 2; i++)
			region_target(r, i)->decoder =
				step >= 2 ? endpoint_decoder(f.memdevs[i], 0) : NULL;
		r->commit = committed ? REGION_COMMITTED : REGION_NOT_COMMITTED;
		r->enabled = bound;
		if (step == 5)
			(void)model_dax(&f.model, r, 1);
		fixture_ready(&f);
		ck_assert_uint_eq(get(&f, REGION), 200);
		ck_assert_str_eq(at(&f, "Status/State"), bound ? "Enabled" : "Disabled");
		ck_assert_str_eq(at(&f, "Status/Health"), step == 5 ? "OK" : "Warning");
		ck_assert_int_eq(value_at(&f, CONDITION "MessageId") != NULL, step != 5);
		/* It can be removed at each step. */
		ck_assert_str_eq(allow(REGION),
				 step == 5 ? "GET, HEAD, PATCH, DELETE" : "GET, HEAD, DELETE");
	}
}
END_TEST

START_TEST(a_driver_that_is_bound_makes_no_region_enabled_that_is_not_committed)
{
	f.region->commit = REGION_NOT_COMMITTED;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Status/State"), "Disabled");
}
END_TEST

START_TEST(memory_that_is_reserved_for_no_region_is_a_condition_of_device_and_window)
{
	struct decoder *d = endpoint_decoder(f.memdevs[2], 0);

	d->mode = DECODER_MODE_RAM;
	d->dpa_resource = OPT_U64(0);
	d->dpa_size = OPT_U64(128ULL << 20);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, MEM2), 200);
	ck_assert_str_eq(at(&f, "Status/Health"), "Warning");
	ck_assert_str_eq(at(&f, CONDITION "MessageId"), "CXLHost.1.0.DecoderDPAReserved");
	ck_assert_str_eq(at(&f, CONDITION "MessageArgs/1"), d->name);
	ck_assert_str_eq(at(&f, CONDITION "MessageArgs/0"), "134217728");
	ck_assert_uint_eq(get(&f, DOMAIN), 200);
	ck_assert_str_eq(at(&f, "Status/HealthRollup"), "Warning");
	ck_assert_str_eq(at(&f, CONDITION "OriginOfCondition/@odata.id"), MEM2);
	/* A decoder that a region has is in use. */
	d->region = f.region;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, MEM2), 200);
	ck_assert_ptr_null(value_at(&f, "Status/Conditions"));
}
END_TEST

SUITE(check_chunk_half_made)
{
	Suite *s = suite_create("chunk_half_made");
	TCase *t = change_case(s, "half-made", start_usual_changes, stop_changes);

	tcase_add_test(t, a_region_is_enabled_at_no_step_before_the_last);
	tcase_add_test(t, a_driver_that_is_bound_makes_no_region_enabled_that_is_not_committed);
	tcase_add_test(t,
		       memory_that_is_reserved_for_no_region_is_a_condition_of_device_and_window);
	return s;
}
