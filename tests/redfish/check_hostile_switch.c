// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A switch that does something wrong, through all layers: the registers of a model, the driver, the
 * reader, the view, Redfish, and the decision whether a change takes memory. See pooled_fixture.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "mailbox/cci_registers.h"
#include "mailbox/switch_reader.h"
#include "model/fabric_use.h"
#include "redfish/service/service.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"

enum { OTHER_USP = 5, ROUNDS = 40 };

static uint64_t time_us, random_state;

static uint32_t read_register(void *ctx, size_t offset)
{
	struct switch_model *m = ctx;

	return switch_model_read32(m, m->regs + (uint32_t)offset);
}

static void write_register(void *ctx, size_t offset, uint32_t value)
{
	struct switch_model *m = ctx;

	switch_model_write32(m, m->regs + (uint32_t)offset, value);
}

/* Time is that of the pauses. */
static uint64_t now_ms(void *ctx)
{
	(void)ctx;
	return time_us / 1000;
}

static void sleep_us(void *ctx, unsigned int us)
{
	(void)ctx;
	time_us += us;
}

static struct cci *open_registers(void)
{
	const struct register_access access = {
		.read32 = read_register,
		.write32 = write_register,
		.now_ms = now_ms,
		.sleep_us = sleep_us,
		.ctx = pooled.model,
		.size = pooled.model->bar_size - pooled.model->regs,
	};
	struct cci *c = NULL;

	ck_assert_int_eq(cci_registers_new(MAILBOX, &access, -1, &c, NULL), 0);
	return c;
}

static unsigned int random_below(unsigned int n)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (unsigned int)(random_state >> 33) % n;
}

/* ---- replies that are damaged ---- */

static struct {
	struct cci cci;
	struct cci *registers;
} damaging;

static int send_damaged(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	int r = cci_send(damaging.registers, q, ret);

	(void)c;
	if (r < 0)
		return r;
	if (random_below(40) == 0)
		ret->len = random_below(CCI_PAYLOAD_MAX + 1);
	for (unsigned int n = random_below(4); ret->len > 0 && n > 0; n--)
		if (random_below(3) == 0)
			ret->output[random_below((unsigned int)ret->len)] =
				(uint8_t)random_below(256);
	if (random_below(100) == 0)
		for (size_t i = 0; i < ret->len; i++)
			ret->output[i] = (uint8_t)random_below(256);
	return 0;
}

static struct cci *open_damaged(void)
{
	static const struct cci_ops ops = {.send = send_damaged};

	damaging.registers = open_registers();
	damaging.cci = *damaging.registers;
	damaging.cci.ops = &ops;
	return &damaging.cci;
}

/* ---- the tree ---- */

/* Reads by @c, which stays the caller's, as the daemon does, and shows what was read. */
static void show_by(struct cci *c, unsigned int times)
{
	struct switch_source source = {.name = MAILBOX, .cci = c};
	struct switch_reader *reader = switch_reader_new();

	ck_assert_ptr_nonnull(reader);
	while (times-- > 0) {
		struct switch_readings *readings;

		ck_assert_int_eq(
			switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &readings),
			0);
		readings->may_change = true;
		(void)switch_readings_unref(pooled.readings);
		pooled.readings = readings;
		f.switches = readings;
		fixture_ready(&f);
	}
	(void)switch_reader_free(reader);
}

static void check_links(const char *uri, json_t *value)
{
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_array(value))
		json_array_foreach(value, i, item)
			check_links(uri, item);
	if (!json_is_object(value))
		return;
	json_object_foreach(value, key, item) {
		char path[RESOURCE_URI_MAX], *end;

		check_links(uri, item);
		if (!str_equal(key, "@odata.id"))
			continue;
		(void)snprintf(path, sizeof(path), "%s", json_string_value(item));
		end = strchr(path, '#');
		if (end)
			*end = '\0';
		ck_assert_msg(resource_find(service_view(f.service)->index, path),
			      "%s has a link to %s", uri, path);
	}
}

static void check_tree(void)
{
	const struct resource *r;

	(void)links_are_answered();
	for (size_t i = 0; (r = resource_at(service_view(f.service)->index, i)); i++) {
		if (r->action || r->hidden ||
		    (!str_after_prefix(r->uri, ROOT "/Fabrics/") &&
		     !str_after_prefix(r->uri, ROOT "/Chassis/")))
			continue;
		ck_assert_msg(get(&f, r->uri) == 200 && f.body, "%s: %u", r->uri, f.res.status);
		check_links(r->uri, f.body);
	}
}

/* ---- memory in use ---- */

static size_t uses(struct switch_change c)
{
	struct fabric_use use;

	(void)snprintf(c.name, sizeof(c.name), "%s", MAILBOX);
	fabric_use(service_view(f.service)->fabric, &c, &use);
	return use.n;
}

static size_t of_port(enum switch_change_kind kind, uint8_t port)
{
	return uses((struct switch_change){.kind = kind, .port = port, .ld = FMAPI_NO_LD});
}

static size_t of_unbinding(uint8_t vcs, uint8_t vppb)
{
	return uses((struct switch_change){
		.kind = SWITCH_UNBIND, .vcs = vcs, .vppb = vppb, .port = 1, .ld = vcs});
}

static size_t of_allocation(uint16_t ld)
{
	return uses((struct switch_change){
		.kind = SWITCH_SET_LD_ALLOCATIONS, .port = 1, .ld = ld, .allocations.n = 1});
}

/* Port 1 has LD 0 with region1 of this host, and LD 1 of another one. */
static void check_memory_is_kept(const char *name)
{
	const struct {
		const char *what;
		size_t n;
	} changes[] = {
		{"reset of the port", of_port(SWITCH_RESET_PORT, 1)},
		{"reset of the PPB", of_port(SWITCH_RESET_PPB, 1)},
		{"reset of the host's port", of_port(SWITCH_RESET_PORT, 0)},
		{"reset of the other host's port", of_port(SWITCH_RESET_PORT, OTHER_USP)},
		{"unbinding", of_unbinding(0, 1)},
		{"unbinding of the other host", of_unbinding(1, 1)},
		{"allocation", of_allocation(0)},
		{"allocation of the other host", of_allocation(1)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		ck_assert_msg(changes[i].n > 0, "\"%s\": %s", name, changes[i].what);
}

/* ---- tests ---- */

static void start_all(void)
{
	start_pooled(NULL);
	time_us = 0;
}

START_TEST(any_wrong_switch_makes_a_tree_whose_links_are_answered)
{
	const struct model_scenario *s;
	struct cci *c = open_registers();
	size_t n;

	s = &switch_model_scenarios(&n)[_i];
	ck_assert_uint_lt((size_t)_i, n);
	switch_model_spoil(pooled.model, s);
	show_by(c, 2);
	check_tree();
	check_memory_is_kept(s->name);
	ck_assert_str_eq(pooled.model->complaint, "");
	c = cci_free(c);
}
END_TEST

/* A command that did not succeed says nothing, so that nothing of it is free. */
START_TEST(a_command_that_fails_does_not_free_memory)
{
	static const uint16_t opcodes[] = {0x0001, 0x5100, 0x5101, 0x5200, 0x5300,
					   0x5400, 0x5401, 0x5403, 0x5406, 0x5408};
	static const struct model_fault faults[] = {
		{.kind = MODEL_RETURN_CODE, .value = 4},
		{.kind = MODEL_RETURN_CODE, .value = 3},
		{.kind = MODEL_SHORT, .value = 5},
		{.kind = MODEL_NEVER_COMPLETES},
	};
	char name[64];

	for (size_t k = 0; k < ARRAY_SIZE(faults); k++)
		for (unsigned int times = 0; times <= 2; times++) {
			struct cci *c = open_registers();
			struct model_fault fault = faults[k];

			fault.level = -1;
			fault.opcode = opcodes[_i];
			fault.times = times;
			pooled.model->n_faults = 0;
			switch_model_fault(pooled.model, &fault);
			show_by(c, 1);
			check_tree();
			(void)snprintf(name, sizeof(name), "%04xh, fault %zu, %u times",
				       fault.opcode, k, times);
			check_memory_is_kept(name);
			c = cci_free(c);
		}
}
END_TEST

START_TEST(damaged_replies_make_a_tree_whose_links_are_answered)
{
	struct cci *c = open_damaged();

	random_state = (uint64_t)_i;
	show_by(c, 2);
	check_tree();
	damaging.registers = cci_free(damaging.registers);
}
END_TEST

SUITE(check_hostile_switch)
{
	Suite *s = suite_create("hostile_switch");
	TCase *t = tcase_create("hostile_switch");
	size_t n;

	(void)switch_model_scenarios(&n);
	tcase_add_checked_fixture(t, start_all, stop_pooled);
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, any_wrong_switch_makes_a_tree_whose_links_are_answered, 0, (int)n);
	tcase_add_loop_test(t, a_command_that_fails_does_not_free_memory, 0, 10);
	tcase_add_loop_test(t, damaged_replies_make_a_tree_whose_links_are_answered, 0, ROUNDS);
	suite_add_tcase(s, t);
	return s;
}
