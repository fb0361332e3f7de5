// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/pooled_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/strutil.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/switch_fixture.h"

enum { OTHER_USP = 5 };

#define SERIAL_OF_LD  0x3d10000000000101ULL
#define SERIAL_OF_SLD 0x3d10000000000002ULL

struct pooled pooled;
static uint64_t shown[VIEW_INPUT_COUNT];

void show_pooled(void)
{
	struct switch_reader *reader = switch_reader_new();
	struct switch_source source = {.name = MAILBOX};
	struct switch_readings *readings;

	ck_assert_ptr_nonnull(reader);
	switch_reader_set_plans(reader, f.service->extent_plans);
	source.cci = switch_model_cci(pooled.model, MAILBOX);
	ck_assert_int_eq(switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &readings),
			 0);
	(void)cci_free(source.cci);
	(void)switch_reader_free(reader);
	readings->may_change = !pooled.forbidden;
	readings->switches[0].recorded = pooled.recorded;
	(void)switch_readings_unref(pooled.readings);
	pooled.readings = readings;
	f.switches = readings;
	fixture_ready(&f);
}

/* As the daemon, but at once and on the thread that asks. */
static uint64_t read_on_request(void *userdata, enum view_input input, const char *memdev)
{
	(void)userdata;
	(void)memdev;
	if (input != VIEW_INPUT_SWITCHES && input != VIEW_INPUT_TOPOLOGY)
		return 0;
	show_pooled();
	shown[input] = service_view(f.service)->generation + shown[input] + 1;
	view_holder_advance(f.service->view_holder, shown);
	return shown[input];
}

static void make_host(void)
{
	struct port *above = port_above(f.memdevs[0]), *kernel;
	struct decoder *window = model_window(&f.model, &above, 1);

	kernel = model_switch(&f.model, above);
	pooled.ld = model_memdev(&f.model, kernel);
	pooled.ld->serial = OPT_U64(SERIAL_OF_LD);
	pooled.sld = model_memdev(&f.model, kernel);
	pooled.sld->serial = OPT_U64(SERIAL_OF_SLD);
	pooled.region = model_region(&f.model, window, window->start.value, &pooled.ld, 1);
	/* The bridges of the free vPPBs, with nothing below. */
	kernel->n_dports += 2;
	made_bridges(&f.model, kernel);
}

static void make_other_host(void)
{
	struct switch_model *m = pooled.model;

	m->ports[OTHER_USP] = m->ports[0];
	m->vcs[1] =
		(struct model_vcs){.exists = true, .enabled = true, .usp = OTHER_USP, .n_vppbs = 3};
	m->vcs[1].vppbs[0] = (struct model_vppb){.binding = 2, .port = OTHER_USP};
	m->vcs[1].vppbs[1] = (struct model_vppb){.binding = 3, .port = 1, .ld = 1};
}

void start_pooled(struct accounts *accounts)
{
	pooled = (struct pooled){.model = switch_model_new(MODEL_SMALL)};
	memset(shown, 0, sizeof(shown));
	fixture_init(&f, accounts);
	make_host();
	make_other_host();
	/* Any address: only the functions above use it. */
	f.service->switch_access = (struct switch_access *)&pooled;
	f.service->extent_plans = pooled.plans = extent_plans_new();
	ck_assert_ptr_nonnull(pooled.plans);
	view_holder_set_requester(f.service->view_holder, read_on_request, NULL);
	show_pooled();
}

struct model_dcd *start_pooled_dynamic(struct accounts *accounts)
{
	struct model_dcd *dcd;

	start_pooled(accounts);
	dcd = switch_model_add_dynamic(pooled.model, 1);
	show_pooled();
	return dcd;
}

void stop_pooled(void)
{
	fixture_done(&f);
	pooled.readings = switch_readings_unref(pooled.readings);
	f.switches = NULL;
	pooled.plans = extent_plans_free(pooled.plans);
	pooled.model = switch_model_free(pooled.model);
}

unsigned int change(enum http_method method, const char *uri, const char *of, const char *body)
{
	return ask_change(&f, method, uri, of, body, pooled.token);
}

unsigned int patch_pooled(const char *uri, const char *body)
{
	return change(METHOD_PATCH, uri, uri, body);
}

void expect_message(size_t i, const char *key, const char *text)
{
	expect_extended(&f, i, key, text);
}
