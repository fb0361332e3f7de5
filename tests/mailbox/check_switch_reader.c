// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading of switches: what is read, what it costs, and switches and devices that fail or lie. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/switch_query.h"
#include "mailbox/switch_reader.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

#define NAME "0000:0d:00.1"
#define GIB  (UINT64_C(1) << 30)

/* ---- a CCI that fails where the test says, before the model ---- */

struct failure {
	uint16_t opcode;
	enum cci_target_kind kind;
	uint8_t port;
	int error;
};

static struct {
	struct cci cci;
	struct cci *model;
	struct failure failures[4];
	size_t n_failures;
	size_t n_sent_to[256]; /* by port */
	void (*before)(void);  /* each command; NULL: nothing */
	bool damages;	       /* replies get some other bytes, or another length */
	bool events_go_on;     /* each Get Event Records returns the next records */
	size_t n_events, next_event;
} way;

static struct switch_model *m;
static struct switch_reader *reader;
static const struct switch_readings *set;
static const struct switch_reading *s;

/* A log that keeps a position for the reader, with one record in each reply. */
static int next_record(struct cci_reply *ret)
{
	uint8_t *p = ret->output;

	memset(p, 0, FMAPI_RECORDS_HEAD + FMAPI_RECORD_SIZE);
	ret->len = FMAPI_RECORDS_HEAD + FMAPI_RECORD_SIZE;
	p[0] = way.next_event + 1 < way.n_events ? 2 : 0;
	p[0x14] = 1;
	p[FMAPI_RECORDS_HEAD + 0x14] = (uint8_t)(way.next_event + 1);
	p[FMAPI_RECORDS_HEAD + 0x15] = (uint8_t)((way.next_event + 1) >> 8);
	way.next_event++;
	return 0;
}

static void damage(struct cci_reply *ret)
{
	if (rand() % 4 != 0 || ret->return_code != MAILBOX_SUCCESS || ret->len == 0)
		return;
	if (rand() % 8 == 0)
		ret->len = (size_t)rand() % CCI_PAYLOAD_MAX;
	for (int i = rand() % 4; i >= 0; i--)
		ret->output[(size_t)rand() % (rand() % 2 ? 8 : ret->len + 1)] = (uint8_t)rand();
}

static int way_send(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	int r;

	(void)c;
	if (way.before)
		way.before();
	if (q->target.kind != CCI_SWITCH)
		way.n_sent_to[q->target.port]++;
	for (size_t i = 0; i < way.n_failures; i++) {
		const struct failure *f = &way.failures[i];

		if (f->opcode == q->opcode && f->kind == q->target.kind &&
		    f->port == q->target.port)
			return f->error;
	}
	if (way.events_go_on && q->opcode == FMAPI_GET_EVENT_RECORDS && q->input[0] == 0)
		return next_record(ret);
	r = cci_send(way.model, q, ret);
	if (r == 0 && way.damages)
		damage(ret);
	return r;
}

static void way_free(struct cci *c)
{
	(void)c;
}

static void fail_at(uint16_t opcode, enum cci_target_kind kind, uint8_t port, int error)
{
	way.failures[way.n_failures++] = (struct failure){opcode, kind, port, error};
}

/* ---- fixtures ---- */

static void connect_model(void)
{
	static const struct cci_ops ops = {.send = way_send, .free = way_free};

	(void)cci_free(way.model);
	way.model = switch_model_cci(m, NAME);
	way.cci = *way.model;
	way.cci.ops = &ops;
}

static void setup_of(enum switch_model_preset preset)
{
	m = switch_model_new(preset);
	connect_model();
	reader = switch_reader_new();
	ck_assert_ptr_nonnull(reader);
}

static void setup(void)
{
	setup_of(MODEL_SMALL);
}

static void setup_large(void)
{
	setup_of(MODEL_LARGE);
}

static void teardown(void)
{
	set = switch_readings_unref(set);
	reader = switch_reader_free(reader);
	way.model = cci_free(way.model);
	m = switch_model_free(m);
}

static int try_read(enum switch_read what)
{
	const struct switch_source source = {.name = NAME, .cci = &way.cci};
	struct switch_readings *now = NULL;
	int r = switch_reader_read_sources(reader, &source, 1, what, &now);

	set = switch_readings_unref(set);
	s = NULL;
	if (r < 0)
		return r;
	set = now;
	ck_assert_uint_eq(set->n_switches, 1);
	s = &set->switches[0];
	return 0;
}

static void read_all(void)
{
	ck_assert_int_eq(try_read(SWITCH_READ_ALL), 0);
}

static void read_changes(void)
{
	ck_assert_int_eq(try_read(SWITCH_READ_CHANGES), 0);
}

static bool noted(const char *text)
{
	for (size_t i = 0; i < s->n_notes; i++)
		if (strstr(s->notes[i], text))
			return true;
	return false;
}

static void must_be_noted(const char *text)
{
	ck_assert_msg(noted(text), "no note has '%s'; the first is '%s'", text,
		      s->n_notes ? s->notes[0] : "");
}

static void no_notes(void)
{
	ck_assert_msg(s->n_notes == 0, "%s", s->n_notes ? s->notes[0] : "");
}

static const struct device_reading *device(unsigned int port)
{
	const struct port_reading *p = switch_port(s, port);

	ck_assert_ptr_nonnull(p);
	return p->device;
}

/* ---- what is read ---- */

START_TEST(small_switch_is_read)
{
	read_all();
	no_notes();
	ck_assert_str_eq(s->name, NAME);
	ck_assert(!s->recorded && !s->origin && s->has_identity && s->has_switch);
	ck_assert_uint_eq(s->identity.serial, m->identity.serial);
	ck_assert_uint_eq(s->n_ports, 5);
	for (size_t i = 0; i < 5; i++)
		ck_assert_uint_eq(s->ports[i].state.id, i);
	ck_assert_uint_eq(s->ports[0].state.config, FMAPI_PORT_USP);
	ck_assert_uint_eq(s->n_vcs, 1);
	ck_assert_uint_eq(s->vcs[0].n_vppbs, 5);
	ck_assert_uint_eq(s->vcs[0].vppbs[1].binding, FMAPI_BOUND_LD);
	ck_assert_uint_eq(s->vcs[0].vppbs[2].port, 2);
	ck_assert(s->logs[0].known && s->logs[1].known && s->logs[2].known && s->logs[3].known);
	ck_assert_uint_eq(s->logs[1].n, 1);
	ck_assert_uint_eq(s->logs[1].records[0].kind, FMAPI_RECORD_MLD);
	ck_assert_uint_eq(s->logs[2].n, 0);
}
END_TEST

START_TEST(devices_are_read_through_the_tunnel)
{
	const struct device_reading *d;

	read_all();
	ck_assert_ptr_null(device(0));
	ck_assert_ptr_null(device(3));
	d = device(2);
	ck_assert(d && d->has_identity && !d->has_ld_info && !d->has_qos);
	ck_assert_uint_eq(d->identity.serial, m->ports[2].device.identity.serial);
	d = device(1);
	ck_assert(d && d->has_identity && d->has_ld_info && d->has_qos);
	ck_assert_uint_eq(d->ld_info.memory_size, 64 * GIB);
	ck_assert(opt_u64_is(d->granularity, GIB / 4));
	ck_assert_uint_eq(d->n_lds, 4);
	ck_assert_uint_eq(d->qos.moderate_percent, 10);
	ck_assert(d->backpressure_percent.present && d->backpressure_percent.value == 7);
	for (size_t i = 0; i < 4; i++) {
		const struct ld_reading *ld = &d->lds[i];

		ck_assert_uint_eq(ld->id, i);
		ck_assert(opt_u64_is(ld->size, 16 * GIB));
		ck_assert(ld->allocated.present && ld->allocated.value == 64);
		ck_assert(ld->limit.present && ld->limit.value == 255);
		ck_assert(ld->has_identity);
		ck_assert_uint_eq(ld->identity.serial, m->ports[1].device.lds[i].identity.serial);
	}
}
END_TEST

START_TEST(lists_are_read_in_pieces_when_payloads_are_short)
{
	m->payload_max = 256;
	m->vcs[0].n_vppbs = 255;
	for (uint8_t i = 3; i < 30; i++)
		switch_model_set_device(m, i, MODEL_NO_DEVICE, 0);
	switch_model_set_device(m, 1, MODEL_MLD, 250);
	m->ports[1].device.lds[249].range1 = 3;
	m->ports[1].device.lds[249].limit = 17;
	connect_model();
	read_all();
	ck_assert_uint_eq(s->n_ports, 30);
	ck_assert_uint_eq(s->vcs[0].n_vppbs, 255);
	ck_assert_uint_eq(s->vcs[0].vppbs[2].port, 2);
	ck_assert_uint_eq(s->vcs[0].vppbs[254].binding, FMAPI_UNBOUND);
	ck_assert_uint_eq(device(1)->n_lds, 250);
	ck_assert(opt_u64_is(device(1)->lds[249].size, 3 * (GIB / 4)));
	ck_assert_int_eq(device(1)->lds[249].limit.value, 17);
	ck_assert(device(1)->lds[249].has_identity);
	no_notes();
}
END_TEST

START_TEST(ports_that_are_not_active_are_read)
{
	m->ports[4].config = FMAPI_PORT_DISABLED;
	read_all();
	ck_assert_uint_eq(s->n_ports, 5);
	ck_assert_uint_eq(s->ports[4].state.config, FMAPI_PORT_DISABLED);
	/* A switch may have no port with a number that is counted: port 4 is port 9. */
	m->ports[9] = m->ports[4];
	m->ports[4].exists = false;
	read_all();
	ck_assert_uint_eq(s->n_ports, 4);
	no_notes();
}
END_TEST

START_TEST(ld_without_memory_is_not_asked)
{
	m->ports[1].device.lds[2].range1 = 0;
	read_all();
	ck_assert_uint_eq(device(1)->n_lds, 4);
	ck_assert(opt_u64_is(device(1)->lds[2].size, 0));
	ck_assert(!device(1)->lds[2].has_identity && device(1)->lds[3].has_identity);
}
END_TEST

START_TEST(several_switches_are_in_the_order_of_their_names)
{
	const struct switch_source sources[] = {
		{.name = "0000:2d:00.1", .reason = "the kernel is locked down"},
		{.name = NAME, .cci = &way.cci},
	};
	struct switch_readings *now;

	ck_assert_int_eq(switch_reader_read_sources(reader, sources, 2, SWITCH_READ_ALL, &now), 0);
	set = now;
	ck_assert_uint_eq(set->n_switches, 2);
	ck_assert_str_eq(set->switches[0].name, NAME);
	s = &set->switches[1];
	ck_assert(!s->has_identity && s->n_ports == 0);
	ck_assert_uint_eq(s->n_notes, 1);
	ck_assert_str_eq(s->notes[0], "0000:2d:00.1: the kernel is locked down");
}
END_TEST

START_TEST(a_switch_that_cannot_be_read_keeps_its_serial_number)
{
	const struct switch_source away = {.name = NAME, .reason = "its helper is not there"};
	struct switch_readings *now;

	read_all();
	ck_assert(opt_u64_is(s->serial, s->identity.serial));
	ck_assert_int_eq(switch_reader_read_sources(reader, &away, 1, SWITCH_READ_ALL, &now), 0);
	ck_assert(!now->switches[0].has_identity);
	ck_assert(opt_u64_is(now->switches[0].serial, m->identity.serial));
	(void)switch_readings_unref(now);
}
END_TEST

/* ---- what it costs ---- */

/* The formula of switch_reader.h, for payloads of 2048 bytes: no device has dynamic capacity. */
START_TEST(large_switch_costs_what_is_stated)
{
	enum { PORTS = 3, VCS = 4, LOGS = 4, DEVICES = 80, MLDS = 16, LDS = 256 };
	const uint64_t all = 2 + PORTS + VCS + LOGS + 2 * DEVICES + MLDS * (3 + 3) + LDS;
	const void *record;
	size_t len;

	read_all();
	no_notes();
	ck_assert_uint_eq(s->n_ports, 256);
	ck_assert_uint_eq(s->n_vcs, VCS);
	ck_assert_uint_eq(device(19)->n_lds, 16);
	ck_assert_uint_eq(s->n_commands, all);
	record = malloc(set->record_len);
	len = set->record_len;
	memcpy((void *)(uintptr_t)record, set->record, len);

	read_changes();
	no_notes();
	ck_assert_uint_eq(s->n_commands, 2 + PORTS + VCS + LOGS + MLDS);
	/* And yet it has all that it had. */
	ck_assert_uint_eq(set->record_len, len);
	ck_assert_mem_eq(set->record, record, len);
	ck_assert_uint_eq(device(19)->n_lds, 16);
	ck_assert(device(19)->lds[15].has_identity && device(83)->has_identity);
	free((void *)(uintptr_t)record);
}
END_TEST

/* The CPU is measured against the shortest interval of polls, one second. The model's answers
 * count, too. */
START_TEST(poll_of_a_large_switch_takes_less_than_a_hundredth_of_a_cpu)
{
	enum { POLLS = 20, NS_MAX = 10 * 1000 * 1000 };
	struct timespec before, after;
	int64_t ns;

	read_all();
	ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before), 0);
	for (unsigned int i = 0; i < POLLS; i++)
		read_changes();
	ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after), 0);
	ns = (int64_t)(after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
	ck_assert_int_lt(ns / POLLS, NS_MAX);
}
END_TEST

START_TEST(readings_are_equal_until_something_changes)
{
	const struct switch_readings *first;

	read_all();
	first = switch_readings_ref(set);
	read_changes();
	ck_assert_uint_ne(s->n_commands, first->switches[0].n_commands);
	ck_assert(switch_readings_equal(first, set));
	m->ports[1].device.backpressure = 8;
	read_changes();
	ck_assert(!switch_readings_equal(first, set));
	ck_assert_int_eq(device(1)->backpressure_percent.value, 8);
	ck_assert_int_eq(first->switches[0].ports[1].device->backpressure_percent.value, 7);
	(void)switch_readings_unref(first);
}
END_TEST

START_TEST(device_that_was_replaced_is_read_again)
{
	read_all();
	m->ports[1].device.lds[0].range1 = 1; /* not seen: nothing says that it changed */
	switch_model_set_device(m, 2, MODEL_MLD, 2);
	memset(way.n_sent_to, 0, sizeof(way.n_sent_to));
	read_changes();
	ck_assert_uint_eq(device(2)->n_lds, 2);
	ck_assert_uint_eq(way.n_sent_to[1], 1); /* Get QoS Status */
	ck_assert(opt_u64_is(device(1)->lds[0].size, 16 * GIB));
}
END_TEST

START_TEST(device_that_was_removed_is_not_shown)
{
	read_all();
	switch_model_set_device(m, 1, MODEL_NO_DEVICE, 0);
	read_changes();
	ck_assert_ptr_null(device(1));
	switch_model_set_device(m, 1, MODEL_SLD, 0);
	read_changes();
	ck_assert(device(1) && !device(1)->has_ld_info);
}
END_TEST

START_TEST(event_has_all_devices_read_again)
{
	static const uint8_t body[] = {0, 1};

	read_all();
	m->ports[1].device.lds[0].range1 = 1;
	switch_model_add_record(m, 2, MODEL_RECORD_PORT, body, sizeof(body));
	read_changes();
	ck_assert_uint_eq(s->logs[2].n, 1);
	ck_assert(opt_u64_is(device(1)->lds[0].size, GIB / 4));
}
END_TEST

START_TEST(another_number_of_bindings_has_all_devices_read_again)
{
	read_all();
	m->ports[1].device.lds[0].range1 = 1;
	m->vcs[0].vppbs[2].binding = FMAPI_UNBOUND;
	read_changes();
	ck_assert(opt_u64_is(device(1)->lds[0].size, GIB / 4));
	ck_assert_uint_eq(s->vcs[0].vppbs[2].binding, FMAPI_UNBOUND);
}
END_TEST

START_TEST(all_is_read_again_after_some_minutes_and_on_request)
{
	read_all();
	m->ports[1].device.lds[0].range1 = 1;
	pass_monotonic_ms(SWITCH_READ_ALL_MS);
	read_changes();
	ck_assert(opt_u64_is(device(1)->lds[0].size, GIB / 4));
	m->ports[1].device.lds[0].range1 = 2;
	read_changes();
	ck_assert(opt_u64_is(device(1)->lds[0].size, GIB / 4));
	read_all();
	ck_assert(opt_u64_is(device(1)->lds[0].size, GIB / 2));
}
END_TEST

START_TEST(state_of_a_link_does_not_have_its_device_read_again)
{
	read_all();
	m->ports[2].ltssm = 6;
	memset(way.n_sent_to, 0, sizeof(way.n_sent_to));
	read_changes();
	ck_assert_uint_eq(way.n_sent_to[2], 0);
	ck_assert_uint_eq(s->ports[2].state.ltssm, 6);
}
END_TEST

/* ---- commands that fail ---- */

START_TEST(unsupported_commands_are_sent_once)
{
	const struct switch_readings *first;

	m->no_vcs_commands = true;
	m->no_events = true;
	read_all();
	no_notes();
	ck_assert_uint_eq(s->n_vcs, 0);
	ck_assert(!s->logs[0].known);
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_VCS_INFO), 1);
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_EVENT_RECORDS), 1);
	first = switch_readings_ref(set);
	read_all();
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_VCS_INFO), 1);
	ck_assert_uint_eq(switch_model_count(m, FMAPI_GET_EVENT_RECORDS), 1);
	ck_assert(switch_readings_equal(first, set));
	(void)switch_readings_unref(first);

	/* Another switch may support them. */
	m->no_vcs_commands = false;
	m->identity.serial++;
	read_changes();
	ck_assert_uint_eq(s->n_vcs, 1);
}
END_TEST

/* As QEMU's devices, which are said to be MLDs. */
START_TEST(mld_without_its_commands_is_shown_as_a_device)
{
	switch_model_set_device(m, 1, MODEL_SLD, 0);
	m->ports[1].device_type = FMAPI_DEVICE_MLD;
	read_all();
	no_notes();
	ck_assert(device(1) && device(1)->has_identity && !device(1)->has_ld_info);
	ck_assert_uint_eq(way.n_sent_to[1], 3);
	read_all();
	ck_assert_uint_eq(way.n_sent_to[1], 4);
}
END_TEST

START_TEST(mandatory_command_that_is_unsupported_is_noted)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_RETURN_CODE,
						    .opcode = FMAPI_GET_PORT_STATE,
						    .value = MAILBOX_UNSUPPORTED});
	read_all();
	must_be_noted(NAME ": Get Physical Port State (5101h): the return code is Unsupported");
	ck_assert_uint_eq(s->n_ports, 0);
	read_all();
	must_be_noted(NAME ": Get Physical Port State (5101h): the return code is Unsupported");
}
END_TEST

START_TEST(busy_command_is_sent_again)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_RETURN_CODE,
						    .opcode = FMAPI_GET_LD_INFO,
						    .level = 1,
						    .times = SWITCH_RETRIES_MAX,
						    .value = MAILBOX_BUSY});
	read_all();
	no_notes();
	ck_assert(device(1)->has_ld_info);
}
END_TEST

START_TEST(value_of_a_busy_command_is_absent)
{
	const struct switch_readings *first;

	read_all();
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_RETURN_CODE,
						    .opcode = FMAPI_GET_QOS_CONTROL,
						    .level = 1,
						    .value = MAILBOX_RETRY_REQUIRED});
	read_all();
	must_be_noted(NAME ": port 1: Get QoS Control (5403h): the return code is Retry Required");
	ck_assert(!device(1)->has_qos && device(1)->n_lds == 4);
	first = switch_readings_ref(set);
	/* It is tried with each poll, and the note stays the same. */
	read_changes();
	ck_assert(switch_readings_equal(first, set));
	ck_assert_str_eq(first->switches[0].notes[0], s->notes[0]);
	(void)switch_readings_unref(first);
	m->n_faults = 0;
	read_changes();
	no_notes();
	ck_assert(device(1)->has_qos);
}
END_TEST

START_TEST(failure_of_an_ld_is_noted_with_its_number)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_RETURN_CODE,
						    .opcode = FMAPI_IDENTIFY,
						    .level = 2,
						    .times = 1,
						    .value = 4});
	read_all();
	must_be_noted(NAME ": port 1: LD 0: Identify (0001h): the return code is Internal Error");
	ck_assert(!device(1)->lds[0].has_identity && device(1)->lds[1].has_identity);
}
END_TEST

START_TEST(switch_that_is_gone_gets_no_more_commands)
{
	fail_at(FMAPI_GET_PORT_STATE, CCI_SWITCH, 0, -ENODEV);
	read_all();
	ck_assert_uint_eq(s->n_commands, 3);
	ck_assert_uint_eq(s->n_notes, 1);
	must_be_noted(NAME ": Get Physical Port State (5101h): the PCI function is gone");
	ck_assert_uint_eq(s->n_ports + s->n_vcs, 0);
	/* When it is back nothing that was known of it holds. */
	way.n_failures = 0;
	read_changes();
	no_notes();
	ck_assert_uint_eq(device(1)->n_lds, 4);
}
END_TEST

START_TEST(switch_that_does_not_answer_gets_no_more_commands)
{
	read_all();
	fail_at(FMAPI_IDENTIFY, CCI_SWITCH, 0, -ETIMEDOUT);
	read_all();
	ck_assert_uint_eq(s->n_commands, 1);
	must_be_noted(NAME ": Identify (0001h): there was no answer in time");
	ck_assert(!s->has_identity && s->n_ports == 0);
}
END_TEST

START_TEST(device_that_does_not_answer_is_left_alone)
{
	fail_at(FMAPI_GET_LD_INFO, CCI_PORT, 1, -ETIMEDOUT);
	read_all();
	must_be_noted(NAME ": port 1: Get LD Info (5400h): there was no answer in time");
	ck_assert(device(1)->has_identity && !device(1)->has_ld_info);
	ck_assert(device(2)->has_identity);
	memset(way.n_sent_to, 0, sizeof(way.n_sent_to));
	read_changes();
	ck_assert_uint_eq(way.n_sent_to[1], 0);
	must_be_noted(NAME ": port 1: Get LD Info (5400h): there was no answer in time");
	way.n_failures = 0;
	read_all();
	no_notes();
	ck_assert(device(1)->has_ld_info);
}
END_TEST

START_TEST(invalid_replies_are_noted)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_SHORT,
						    .opcode = FMAPI_IDENTIFY_SWITCH,
						    .value = 10});
	read_all();
	must_be_noted(NAME ": Identify Switch Device (5100h): the reply is invalid");
	ck_assert(s->has_identity && !s->has_switch && s->n_ports == 0);
	m->n_faults = 0;
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_OTHER_COMMAND,
						    .opcode = FMAPI_GET_LD_INFO,
						    .level = 1,
						    .value = 0x5401});
	read_all();
	must_be_noted(NAME ": port 1: Get LD Info (5400h): the reply is invalid");
	ck_assert(!device(1)->has_ld_info && device(2)->has_identity);
}
END_TEST

static void pass_ten_seconds(void)
{
	pass_monotonic_ms(10000);
}

START_TEST(reading_has_a_limit_of_time)
{
	way.before = pass_ten_seconds;
	read_all();
	must_be_noted(NAME ": not everything could be read within 30 s; the rest is absent");
	ck_assert_uint_eq(s->n_commands, SWITCH_READ_MS / 10000);
	ck_assert_uint_eq(s->n_notes, 1);
	way.before = NULL;
	read_changes();
	no_notes();
	ck_assert_uint_eq(device(1)->n_lds, 4);
}
END_TEST

static void stop_reader(void)
{
	switch_reader_stop(reader);
}

START_TEST(stop_ends_a_reading_after_the_current_command)
{
	way.before = stop_reader;
	ck_assert_int_eq(try_read(SWITCH_READ_ALL), -ECANCELED);
	ck_assert_uint_eq(m->n_commands, 1);
}
END_TEST

/* ---- what contradicts itself ---- */

START_TEST(lds_that_overlap_are_not_shown)
{
	switch_model_overlap_lds(&m->ports[1].device);
	read_all();
	must_be_noted(NAME ": port 1: its LDs have more memory than the device");
	ck_assert(device(1)->has_ld_info && device(1)->has_qos);
	ck_assert_uint_eq(device(1)->n_lds, 0);
}
END_TEST

START_TEST(more_lds_than_the_device_supports_are_not_shown)
{
	m->ports[1].device.n_lds = 3;
	read_all();
	must_be_noted(NAME ": port 1: it has 4 LDs, but supports 3 only");
	ck_assert_uint_eq(device(1)->n_lds, 0);
}
END_TEST

START_TEST(sizes_with_a_reserved_granularity_are_absent)
{
	m->ports[1].device.granularity = 9;
	read_all();
	must_be_noted(NAME ": port 1: the granularity of its LDs is a reserved value");
	ck_assert_uint_eq(device(1)->n_lds, 4);
	ck_assert(!device(1)->lds[0].size.present && !device(1)->granularity.present);
}
END_TEST

START_TEST(tunnel_that_leads_to_the_switch_has_no_device)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_TUNNEL_TO_ITSELF, .value = 2});
	read_all();
	must_be_noted(NAME ": port 2: the tunnel is answered by a switch");
	ck_assert_ptr_null(device(2));
	ck_assert_ptr_nonnull(device(1));
}
END_TEST

START_TEST(wrong_number_of_ports_is_noted)
{
	static const uint8_t counts[] = {0, 1, 255};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		m->n_faults = 0;
		switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
							    .opcode = FMAPI_IDENTIFY_SWITCH,
							    .offset = 2,
							    .value = counts[i]});
		read_all();
		ck_assert_uint_eq(s->n_ports, 5);
		ck_assert_int_eq(noted("it has 5 active ports, but says that it has"),
				 counts[i] < 5);
	}
}
END_TEST

START_TEST(active_port_that_does_not_exist_is_noted)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
						    .opcode = FMAPI_IDENTIFY_SWITCH,
						    .offset = 4,
						    .value = 0x3f});
	read_all();
	must_be_noted(NAME ": port 5 is active, but there is none");
	ck_assert_uint_eq(s->n_ports, 5);
}
END_TEST

START_TEST(list_with_a_port_twice_is_rejected)
{
	/* Id of the second port of the reply */
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
						    .opcode = FMAPI_GET_PORT_STATE,
						    .offset = 4 + 16,
						    .value = 0});
	read_all();
	must_be_noted(NAME ": Get Physical Port State (5101h): the reply is invalid");
	ck_assert_uint_eq(s->n_ports, 0);
}
END_TEST

START_TEST(vcs_whose_upstream_port_is_none_is_not_shown)
{
	m->vcs[0].usp = 2;
	read_all();
	must_be_noted(NAME ": port 2 is the upstream port of VCS 0, but no upstream port");
	ck_assert_uint_eq(s->n_vcs, 0);
}
END_TEST

START_TEST(port_that_is_bound_twice_has_no_vcs)
{
	m->vcs[0].vppbs[3] = m->vcs[0].vppbs[2];
	read_all();
	must_be_noted(NAME ": port 2 is bound twice");
	ck_assert_uint_eq(s->n_vcs, 0);
}
END_TEST

START_TEST(vppb_bound_to_no_port_is_not_shown)
{
	m->vcs[0].vppbs[3] = (struct model_vppb){.binding = FMAPI_BOUND_PORT, .port = 77};
	read_all();
	must_be_noted(NAME ": a vPPB of VCS 0 is bound to port 77, which does not exist");
	ck_assert_uint_eq(s->n_vcs, 0);
}
END_TEST

START_TEST(two_vcs_with_one_upstream_port_are_not_shown)
{
	m->vcs[1] = (struct model_vcs){.exists = true, .enabled = true, .n_vppbs = 1};
	read_all();
	must_be_noted(NAME ": port 0 is the upstream port of VCS 0 and of VCS 1");
	ck_assert_uint_eq(s->n_vcs, 0);
}
END_TEST

START_TEST(wrong_number_of_vppbs_is_noted)
{
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
						    .opcode = FMAPI_IDENTIFY_SWITCH,
						    .offset = 0x44,
						    .value = 2});
	read_all();
	must_be_noted(NAME ": its VCSs have 5 vPPBs together, but it says that it has 2");
}
END_TEST

/* Checks that the values shown hold together, whatever the switch says. */
static void must_be_consistent(void)
{
	ck_assert_uint_le(s->n_ports, FMAPI_PORTS_MAX);
	for (size_t i = 0; i < s->n_ports; i++) {
		const struct device_reading *d = s->ports[i].device;
		uint64_t sum = 0;

		if (i > 0)
			ck_assert_uint_lt(s->ports[i - 1].state.id, s->ports[i].state.id);
		for (size_t k = 0; d && k < d->n_lds; k++) {
			ck_assert_uint_eq(d->lds[k].id, k);
			sum += d->lds[k].size.present ? d->lds[k].size.value : 0;
		}
		if (d)
			ck_assert_uint_le(sum, d->ld_info.memory_size);
	}
	for (size_t i = 0; i < s->n_vcs; i++) {
		if (i > 0)
			ck_assert_uint_lt(s->vcs[i - 1].id, s->vcs[i].id);
		for (size_t k = 0; k < s->vcs[i].n_vppbs; k++)
			if (s->n_ports > 0 && s->vcs[i].vppbs[k].binding == FMAPI_BOUND_PORT)
				ck_assert_ptr_nonnull(switch_port(s, s->vcs[i].vppbs[k].port));
	}
	for (size_t i = 0; i < FMAPI_LOGS; i++)
		ck_assert_uint_le(s->logs[i].n, SWITCH_RECORDS_MAX);
	ck_assert_uint_le(s->n_notes, HOST_NOTES_MAX);
}

START_TEST(damaged_replies_leave_consistent_readings)
{
	way.damages = true;
	for (unsigned int seed = 1; seed <= 150; seed++) {
		srand(seed);
		ck_assert_int_eq(try_read(seed % 3 ? SWITCH_READ_ALL : SWITCH_READ_CHANGES), 0);
		must_be_consistent();
		ck_assert_uint_lt(s->n_commands, 10000);
	}
	/* And none of it stays. */
	way.damages = false;
	read_all();
	no_notes();
	ck_assert_uint_eq(device(1)->n_lds, 4);
}
END_TEST

/* ---- events ---- */

START_TEST(log_that_begins_again_is_read_as_far_as_possible)
{
	static const uint8_t body[] = {0, 1};

	for (size_t i = 0; i < 20; i++)
		switch_model_add_record(m, 3, MODEL_RECORD_PORT, body, sizeof(body));
	read_all();
	ck_assert_uint_eq(s->logs[3].n, 15);
	ck_assert_uint_eq(s->logs[3].records[14].handle, 15);
	must_be_noted(NAME ": event log 3 has more records");
	ck_assert_uint_eq(m->logs[3].n, 20);
}
END_TEST

START_TEST(log_is_read_in_pieces)
{
	way.events_go_on = true;
	way.n_events = 100;
	read_all();
	no_notes();
	ck_assert_uint_eq(s->logs[0].n, 100);
	for (size_t i = 0; i < 100; i++)
		ck_assert_uint_eq(s->logs[0].records[i].handle, i + 1);
}
END_TEST

START_TEST(log_without_end_is_bounded)
{
	way.events_go_on = true;
	way.n_events = 100000;
	read_all();
	ck_assert_uint_eq(s->logs[0].n, SWITCH_RECORDS_MAX);
	ck_assert_uint_eq(way.next_event, SWITCH_RECORDS_MAX);
}
END_TEST

START_TEST(overflow_of_a_log_is_read)
{
	m->logs[0].overflow = true;
	m->logs[0].n_lost = 9;
	m->logs[0].first_lost_ns = 11;
	m->logs[0].last_lost_ns = 12;
	read_all();
	ck_assert(s->logs[0].overflow && !s->logs[1].overflow);
	ck_assert_uint_eq(s->logs[0].n_lost, 9);
	ck_assert_uint_eq(s->logs[0].last_lost_ns, 12);
}
END_TEST

static void add_costs(Suite *suite)
{
	TCase *t = tcase_create("costs"), *large = tcase_create("large");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, readings_are_equal_until_something_changes);
	tcase_add_test(t, device_that_was_replaced_is_read_again);
	tcase_add_test(t, device_that_was_removed_is_not_shown);
	tcase_add_test(t, event_has_all_devices_read_again);
	tcase_add_test(t, another_number_of_bindings_has_all_devices_read_again);
	tcase_add_test(t, all_is_read_again_after_some_minutes_and_on_request);
	tcase_add_test(t, state_of_a_link_does_not_have_its_device_read_again);
	suite_add_tcase(suite, t);
	tcase_set_timeout(large, 60);
	tcase_add_checked_fixture(large, setup_large, teardown);
	tcase_add_test(large, large_switch_costs_what_is_stated);
	tcase_add_test(large, poll_of_a_large_switch_takes_less_than_a_hundredth_of_a_cpu);
	suite_add_tcase(suite, large);
}

static void add_failures(Suite *suite)
{
	TCase *t = tcase_create("failures");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, unsupported_commands_are_sent_once);
	tcase_add_test(t, mld_without_its_commands_is_shown_as_a_device);
	tcase_add_test(t, mandatory_command_that_is_unsupported_is_noted);
	tcase_add_test(t, busy_command_is_sent_again);
	tcase_add_test(t, value_of_a_busy_command_is_absent);
	tcase_add_test(t, failure_of_an_ld_is_noted_with_its_number);
	tcase_add_test(t, switch_that_is_gone_gets_no_more_commands);
	tcase_add_test(t, switch_that_does_not_answer_gets_no_more_commands);
	tcase_add_test(t, device_that_does_not_answer_is_left_alone);
	tcase_add_test(t, invalid_replies_are_noted);
	tcase_add_test(t, reading_has_a_limit_of_time);
	tcase_add_test(t, stop_ends_a_reading_after_the_current_command);
	suite_add_tcase(suite, t);
}

static void add_contradictions(Suite *suite)
{
	TCase *t = tcase_create("contradictions");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, lds_that_overlap_are_not_shown);
	tcase_add_test(t, more_lds_than_the_device_supports_are_not_shown);
	tcase_add_test(t, sizes_with_a_reserved_granularity_are_absent);
	tcase_add_test(t, tunnel_that_leads_to_the_switch_has_no_device);
	tcase_add_test(t, wrong_number_of_ports_is_noted);
	tcase_add_test(t, active_port_that_does_not_exist_is_noted);
	tcase_add_test(t, list_with_a_port_twice_is_rejected);
	tcase_add_test(t, vcs_whose_upstream_port_is_none_is_not_shown);
	tcase_add_test(t, port_that_is_bound_twice_has_no_vcs);
	tcase_add_test(t, vppb_bound_to_no_port_is_not_shown);
	tcase_add_test(t, two_vcs_with_one_upstream_port_are_not_shown);
	tcase_add_test(t, wrong_number_of_vppbs_is_noted);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, damaged_replies_leave_consistent_readings);
	tcase_add_test(t, log_that_begins_again_is_read_as_far_as_possible);
	tcase_add_test(t, log_is_read_in_pieces);
	tcase_add_test(t, log_without_end_is_bounded);
	tcase_add_test(t, overflow_of_a_log_is_read);
	suite_add_tcase(suite, t);
}

SUITE(check_switch_reader)
{
	Suite *suite = suite_create("switch_reader");
	TCase *t = tcase_create("read");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, small_switch_is_read);
	tcase_add_test(t, devices_are_read_through_the_tunnel);
	tcase_add_test(t, lists_are_read_in_pieces_when_payloads_are_short);
	tcase_add_test(t, ports_that_are_not_active_are_read);
	tcase_add_test(t, ld_without_memory_is_not_asked);
	tcase_add_test(t, several_switches_are_in_the_order_of_their_names);
	tcase_add_test(t, a_switch_that_cannot_be_read_keeps_its_serial_number);
	suite_add_tcase(suite, t);
	add_costs(suite);
	add_failures(suite);
	add_contradictions(suite);
	return suite;
}
