// SPDX-License-Identifier: LGPL-2.1-or-later
/* Changes of a switch, made on the model of one: MODEL_SMALL, see switch_model.h. */
#include <errno.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "mailbox/command.h"
#include "mailbox/switch_change.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"

enum { MLD = 1, SLD = 2, FREE = 3, BOUND_VPPB = 1, SLD_VPPB = 2, FREE_VPPB = 3, DEADLINE_MS = 200 };

static struct switch_model *m;
static struct switch_change_context x;
static struct error e;
static unsigned int n_waits;

static int no_wait(void *userdata, uint64_t until_ms)
{
	(void)userdata;
	(void)until_ms;
	n_waits++;
	return 0;
}

static int ended(void *userdata, uint64_t until_ms)
{
	(void)userdata;
	(void)until_ms;
	return -ECANCELED;
}

static void start(void)
{
	m = switch_model_new(MODEL_SMALL);
	x = (struct switch_change_context){.cci = switch_model_cci(m, "0000:0d:00.1"),
					   .deadline_ms = clock_monotonic_ms() + DEADLINE_MS,
					   .wait = no_wait};
	n_waits = 0;
}

static void stop(void)
{
	x.cci = cci_free(x.cci);
	m = switch_model_free(m);
}

static void expect(struct switch_change c, int result, const char *text)
{
	int r;

	e = (struct error){0};
	r = switch_change_run(&x, &c, &e);
	ck_assert_msg(r == result, "%d instead of %d: %s", r, result, e.text);
	ck_assert_msg(!text || strstr(e.text, text), "'%s' is not in '%s'", text, e.text);
}

static void fault(enum model_fault_kind kind, uint16_t opcode, int level, unsigned int times,
		  uint32_t value)
{
	switch_model_fault(m, &(struct model_fault){.kind = kind,
						    .opcode = opcode,
						    .level = level,
						    .times = times,
						    .value = value});
}

static struct switch_change of_port(enum switch_change_kind kind, uint8_t number)
{
	return (struct switch_change){.kind = kind, .port = number, .ld = FMAPI_NO_LD};
}

static struct switch_change binding(uint8_t vppb, uint8_t port, uint16_t ld)
{
	return (struct switch_change){.kind = SWITCH_BIND, .vppb = vppb, .port = port, .ld = ld};
}

static struct switch_change unbinding(uint8_t vppb, uint8_t port, uint16_t ld)
{
	return (struct switch_change){.kind = SWITCH_UNBIND,
				      .vppb = vppb,
				      .port = port,
				      .ld = ld,
				      .option = FMAPI_UNBIND_MANAGED};
}

static const struct model_vppb *vppb(unsigned int i)
{
	return &m->vcs[0].vppbs[i];
}

/* ---- ports ------------------------------------------------------------------------------------
 */

START_TEST(a_reset_asserts_and_deasserts_perst)
{
	expect(of_port(SWITCH_RESET_PORT, MLD), 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].n_perst, 1);
	ck_assert_uint_eq(m->ports[MLD].link_flags & 2, 0);
	ck_assert_uint_eq(switch_model_count(m, 0x5102), 2);
	ck_assert_uint_gt(n_waits, 0);
	expect(of_port(SWITCH_RESET_PPB, MLD), 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].n_ppb_resets, 1);
}
END_TEST

/* Its PCI address is the mailbox of another one since the buses were numbered again. */
START_TEST(another_switch_is_not_changed)
{
	struct switch_change c = of_port(SWITCH_RESET_PORT, MLD);

	c.serial = m->identity.serial + 1;
	expect(c, -ESTALE, "the mailbox of another switch now");
	ck_assert_uint_eq(switch_model_count(m, 0x5102), 0);
	c.serial = m->identity.serial;
	expect(c, 0, NULL);
	/* A switch that does not say who it is is left alone. */
	fault(MODEL_RETURN_CODE, 0x0001, 0, 1, 2);
	expect(c, -EIO, "Identify (0001h)");
	ck_assert_uint_eq(switch_model_count(m, 0x5102), 2);
}
END_TEST

START_TEST(a_port_that_may_not_be_reset_stays_as_it_is)
{
	expect(of_port(SWITCH_RESET_PORT, SLD), -EIO,
	       "Physical Port Control (5102h): Invalid Input");
	ck_assert_uint_eq(switch_model_count(m, 0x5102), 1);
	ck_assert_uint_eq(m->ports[SLD].link_flags & 2, 0);
	expect(of_port(SWITCH_RESET_PPB, SLD), -EIO, "Invalid Input");
}
END_TEST

START_TEST(each_return_code_is_named)
{
	/* 1 is that a background operation was started. */
	for (unsigned int code = 2; code <= 0x16; code++) {
		if (code == 5 || code == 6)
			continue;
		m->n_faults = 0;
		fault(MODEL_RETURN_CODE, 0x5102, 0, 1, code);
		expect(of_port(SWITCH_RESET_PPB, MLD), -EIO, mailbox_return_code_name(code));
	}
	ck_assert_uint_eq(m->ports[MLD].n_ppb_resets, 0);
}
END_TEST

START_TEST(a_busy_switch_is_asked_again_some_times)
{
	fault(MODEL_RETURN_CODE, 0x5102, 0, 2, 6);
	expect(of_port(SWITCH_RESET_PPB, MLD), 0, NULL);
	fault(MODEL_RETURN_CODE, 0x5102, 0, 1, 5);
	expect(of_port(SWITCH_RESET_PPB, MLD), 0, NULL);
	fault(MODEL_RETURN_CODE, 0x5102, 0, 0, 6);
	expect(of_port(SWITCH_RESET_PPB, MLD), -EIO, "Busy");
	ck_assert_uint_eq(m->ports[MLD].n_ppb_resets, 2);
}
END_TEST

/* The first Deassert fails, then all do. */
START_TEST(perst_is_not_left_asserted_silently)
{
	struct switch_change c = of_port(SWITCH_RESET_PORT, MLD);
	struct cci_reply reply;
	uint8_t in[] = {MLD, 0};

	/* Asserting is never answered, but may have been done. */
	fault(MODEL_OTHER_COMMAND, 0x5102, 0, 1, 0x5101);
	expect(c, -EBADMSG, NULL);
	ck_assert_uint_eq(m->ports[MLD].link_flags & 2, 0);
	ck_assert_uint_eq(m->ports[MLD].n_perst, 1);
	/* The process ends in between. */
	x.wait = ended;
	expect(c, 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].link_flags & 2, 0);
	x.wait = no_wait;
	/* The port says that it is still asserted, whatever was answered. */
	ck_assert_int_eq(cci_send(x.cci,
				  &(struct cci_request){.opcode = 0x5102, .input = in, .len = 2},
				  &reply),
			 0);
	ck_assert_uint_ne(m->ports[MLD].link_flags & 2, 0);
	fault(MODEL_SHORT, 0x5101, 0, 0, 3);
	expect(c, -EBADMSG, "PERST of port 1 may be asserted");
}
END_TEST

/* A switch with one port, which refuses some of the commands to it. */
static struct {
	unsigned int n_sent, refused_from, refused_to; /* by their numbers, from 1 on */
	bool perst;
	bool stuck; /* PERST is reported whatever it is */
} port;

static int send_to_port(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	(void)c;
	ret->return_code = 0;
	ret->len = 0;
	if (q->opcode == 0x5101) {
		ret->len = 20;
		memset(ret->output, 0, ret->len);
		ret->output[0] = 1;
		ret->output[4] = q->input[1];
		ret->output[5] = FMAPI_PORT_DSP;
		ret->output[4 + 13] = port.perst || port.stuck ? FMAPI_LINK_PERST : 0;
		return 0;
	}
	port.n_sent++;
	if (port.n_sent >= port.refused_from && port.n_sent <= port.refused_to)
		ret->return_code = 4;
	else
		port.perst = q->input[1] == FMAPI_ASSERT_PERST;
	return 0;
}

static void expect_of_port(int result, const char *text)
{
	static const struct cci_ops ops = {.send = send_to_port};
	struct cci stub = {.ops = &ops, .name = "stub", .payload_max = 512};
	struct cci *model = x.cci;

	port.n_sent = 0;
	x.cci = &stub;
	expect(of_port(SWITCH_RESET_PORT, MLD), result, text);
	x.cci = model;
}

START_TEST(a_port_that_stays_in_reset_is_reported)
{
	port.refused_from = 2;
	port.refused_to = 1000;
	expect_of_port(-EIO, "PERST of port 1 is asserted");
	ck_assert_uint_eq(port.n_sent, 11);
}
END_TEST

/* As QEMU does for 100 ms after it was told to assert it. */
START_TEST(a_switch_that_needs_time_for_perst_is_asked_again)
{
	port.refused_from = 2;
	port.refused_to = 5;
	expect_of_port(0, NULL);
	ck_assert_uint_eq(port.n_sent, 6);
	ck_assert(!port.perst);
}
END_TEST

/* A switch may refuse to assert it twice. */
START_TEST(a_port_that_is_in_reset_is_taken_out_of_it)
{
	port.refused_from = port.refused_to = 1;
	port.perst = true;
	expect_of_port(0, NULL);
	ck_assert(!port.perst);
	expect_of_port(-EIO, "Internal Error");
	ck_assert_uint_eq(port.n_sent, 1);
	port.stuck = true;
	expect_of_port(-EIO, "Internal Error; PERST of port 1 is asserted, reset the port again");
	ck_assert(!port.perst);
}
END_TEST

/* ---- dynamic capacity ------------------------------------------------------------------------
 */

START_TEST(dynamic_region_is_configured)
{
	struct switch_change c = of_port(SWITCH_SET_DC_REGION, MLD);
	struct model_dcd *d = switch_model_add_dynamic(m, MLD);

	c.ld = 1;
	c.dc_region.number = 1;
	c.dc_region.block = UINT64_C(1) << 30;
	expect(c, 0, NULL);
	ck_assert_uint_eq(d->regions[1].block, UINT64_C(1) << 30);
	ck_assert(d->regions[1].sanitized);
	c.dc_region.number = 0;
	c.dc_region.block = 0;
	c.dc_region.sanitized = OPT_BOOL(true);
	expect(c, 0, NULL);
	ck_assert(d->regions[0].sanitized);
	ck_assert_uint_eq(d->regions[0].block, UINT64_C(256) << 20);
	/* The device refuses, or does nothing. */
	c.dc_region.block = 4096;
	expect(c, -EIO, "Set DC Region Configuration (5602h): Invalid Input");
	c.dc_region.block = 64;
	fault(MODEL_RETURN_CODE, 0x5602, 1, 1, 0);
	expect(c, -EIO, "the device reports blocks of 268435456 bytes that are sanitized");
	d->hosts[2].accepted[0].size = UINT64_C(256) << 20;
	d->hosts[2].n_accepted = 1;
	expect(c, -EIO, "Set DC Region Configuration (5602h): Unsupported");
	c.dc_region.number = 2;
	expect(c, -EIO, "Get Host DC Region Configuration (5601h)");
}
END_TEST

/* ---- vPPBs ------------------------------------------------------------------------------------
 */

START_TEST(an_ld_is_bound_and_unbound)
{
	expect(binding(FREE_VPPB, MLD, 2), 0, NULL);
	ck_assert_uint_eq(vppb(FREE_VPPB)->binding, 3);
	ck_assert_uint_eq(vppb(FREE_VPPB)->ld, 2);
	expect(unbinding(FREE_VPPB, MLD, 2), 0, NULL);
	ck_assert_uint_eq(vppb(FREE_VPPB)->binding, 0);
}
END_TEST

START_TEST(a_port_is_unbound_and_bound)
{
	expect(unbinding(SLD_VPPB, SLD, FMAPI_NO_LD), 0, NULL);
	ck_assert_uint_eq(vppb(SLD_VPPB)->binding, 0);
	expect(binding(FREE_VPPB, SLD, FMAPI_NO_LD), 0, NULL);
	ck_assert_uint_eq(vppb(FREE_VPPB)->binding, 2);
	ck_assert_uint_eq(vppb(FREE_VPPB)->port, SLD);
}
END_TEST

START_TEST(a_vppb_with_another_binding_than_expected_is_left_alone)
{
	expect(binding(BOUND_VPPB, FREE, FMAPI_NO_LD), -ESTALE,
	       "vPPB 1 of VCS 0 is bound to LD 0 of port 1 now");
	expect(unbinding(BOUND_VPPB, MLD, 1), -ESTALE, "bound to LD 0 of port 1 now");
	expect(unbinding(SLD_VPPB, FREE, FMAPI_NO_LD), -ESTALE, "bound to port 2 now");
	expect(unbinding(FREE_VPPB, FREE, FMAPI_NO_LD), -ESTALE, "unbound now");
	expect(unbinding(9, FREE, FMAPI_NO_LD), -EIO, "VCS 0 has no vPPB 9");
	ck_assert_uint_eq(switch_model_count(m, 0x5201), 0);
	ck_assert_uint_eq(switch_model_count(m, 0x5202), 0);
}
END_TEST

START_TEST(an_ld_that_is_bound_elsewhere_is_refused_by_the_switch)
{
	expect(binding(FREE_VPPB, MLD, 0), -EIO, "Bind vPPB (5201h): Invalid Input");
	ck_assert_uint_eq(vppb(FREE_VPPB)->binding, 0);
}
END_TEST

START_TEST(a_background_operation_that_fails_is_named)
{
	fault(MODEL_BACKGROUND_CODE, 0x5201, 0, 1, 4);
	expect(binding(FREE_VPPB, MLD, 2), -EIO, "Bind vPPB (5201h): Internal Error");
	fault(MODEL_BACKGROUND_CODE, 0x5202, 0, 1, 2);
	expect(unbinding(BOUND_VPPB, MLD, 0), -EIO, "Unbind vPPB (5202h): Invalid Input");
	ck_assert_uint_eq(vppb(BOUND_VPPB)->binding, 3);
}
END_TEST

START_TEST(a_binding_that_never_ends_is_reported_at_the_deadline)
{
	fault(MODEL_BACKGROUND_STUCK, 0x5201, 0, 0, 0);
	expect(binding(FREE_VPPB, MLD, 2), -ETIMEDOUT, "still being bound or unbound");
	x.wait = ended;
	x.deadline_ms = clock_monotonic_ms() + 60000;
	m->background.running = false;
	m->vcs[0].vppbs[FREE_VPPB].binding = 0;
	m->ports[MLD].config = 3;
	expect(binding(FREE_VPPB, MLD, 2), -ECANCELED, "being bound or unbound");
}
END_TEST

static int finish_in_wait(void *userdata, uint64_t until_ms)
{
	(void)userdata;
	(void)until_ms;
	if (++n_waits == 3) {
		m->background.running = false;
		m->vcs[0].vppbs[BOUND_VPPB] = (struct model_vppb){0};
	}
	return 0;
}

START_TEST(a_removal_that_takes_longer_than_a_command_is_followed_to_its_end)
{
	x.wait = finish_in_wait;
	x.deadline_ms = clock_monotonic_ms() + 60000;
	fault(MODEL_BACKGROUND_STUCK, 0x5202, 0, 0, 0);
	expect(unbinding(BOUND_VPPB, MLD, 0), 0, NULL);
	ck_assert_uint_eq(n_waits, 3);
}
END_TEST

START_TEST(a_command_that_never_completes_is_reported)
{
	fault(MODEL_NEVER_COMPLETES, 0x5201, 0, 0, 0);
	expect(binding(FREE_VPPB, MLD, 2), -ETIMEDOUT, NULL);
}
END_TEST

START_TEST(a_switch_that_vanishes_is_reported)
{
	fault(MODEL_VANISHES, 0, -1, 0, 0);
	expect(binding(FREE_VPPB, MLD, 2), -ENODEV, "the switch does not respond");
	expect(of_port(SWITCH_RESET_PORT, MLD), -ENODEV, NULL);
}
END_TEST

START_TEST(an_aer_event_has_its_header_and_severity)
{
	struct switch_change c = {.kind = SWITCH_GENERATE_AER, .vppb = BOUND_VPPB};

	c.aer = (struct fmapi_aer){.vppb = BOUND_VPPB, .uncorrectable = true, .bit = 14};
	c.aer.header[0] = 0x4a;
	expect(c, 0, NULL);
	ck_assert_uint_eq(m->aer[1], BOUND_VPPB);
	ck_assert_uint_eq(m->aer[4], 14);
	ck_assert_uint_eq(m->aer[7], 0x80);
	ck_assert_uint_eq(m->aer[8], 0x4a);
	c.aer.vppb = 99;
	expect(c, -EIO, "Generate AER Event (5203h): Invalid Input");
}
END_TEST

/* ---- LD allocations ---------------------------------------------------------------------------
 */

static struct switch_change allocating(uint16_t first, size_t n, uint64_t range1)
{
	struct switch_change c = {.kind = SWITCH_SET_LD_ALLOCATIONS, .port = MLD, .ld = first};

	c.allocations.n = n;
	for (size_t i = 0; i < n; i++)
		c.allocations.lds[i].range1 = range1;
	return c;
}

START_TEST(allocations_are_set_and_verified)
{
	expect(allocating(1, 2, 3), 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].device.lds[1].range1, 3);
	ck_assert_uint_eq(m->ports[MLD].device.lds[2].range1, 3);
	expect(allocating(3, 1, 0), 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].device.lds[3].range1, 0);
}
END_TEST

START_TEST(allocations_that_do_not_fit_change_nothing)
{
	const uint64_t before = m->ports[MLD].device.lds[1].range1;

	expect(allocating(1, 1, 1U << 20), -EIO, "Set LD Allocations (5402h): Invalid Input");
	ck_assert_uint_eq(m->ports[MLD].device.lds[1].range1, before);
}
END_TEST

START_TEST(allocations_that_were_made_in_part_are_counted)
{
	struct switch_change c = allocating(1, 2, 3);

	m->ports[MLD].device.partial_allocation = true;
	c.allocations.lds[1].range1 = 1U << 20;
	expect(c, -EIO, "1 of 2 allocations were made: LD 2 has ");
	ck_assert_uint_eq(m->ports[MLD].device.lds[1].range1, 3);
}
END_TEST

START_TEST(allocations_of_a_device_without_them_are_refused)
{
	struct switch_change c = allocating(0, 1, 3);

	c.port = SLD;
	expect(c, -EIO, "Get LD Allocations (5401h): Unsupported");
	expect(allocating(3, 2, 1), -EINVAL, "LD 4");
}
END_TEST

/* ---- QoS --------------------------------------------------------------------------------------
 */

START_TEST(qos_control_keeps_the_fields_that_are_not_set)
{
	struct switch_change c = of_port(SWITCH_SET_QOS_CONTROL, MLD);

	c.qos.fields = QOS_SEVERE_PERCENT;
	c.qos.values.severe_percent = 77;
	expect(c, 0, NULL);
	ck_assert_mem_eq(m->ports[MLD].device.qos, ((uint8_t[]){0, 10, 77, 8, 0, 0, 64}), 7);
	c.qos.fields = QOS_EGRESS_CONGESTION | QOS_THROUGHPUT_REDUCTION | QOS_MODERATE_PERCENT |
		       QOS_SAMPLE_INTERVAL | QOS_REQ_CMP_BASIS | QOS_COMPLETION_INTERVAL;
	c.qos.values = (struct fmapi_qos_control){.egress_congestion = true,
						  .throughput_reduction = true,
						  .moderate_percent = 5,
						  .sample_interval_ns = 15,
						  .req_cmp_basis = 0x1234,
						  .completion_interval_ns = 9};
	expect(c, 0, NULL);
	ck_assert_mem_eq(m->ports[MLD].device.qos, ((uint8_t[]){3, 5, 77, 15, 0x34, 0x12, 9}), 7);
}
END_TEST

START_TEST(percentage_that_the_device_has_not_set_must_be_given)
{
	struct switch_change c = of_port(SWITCH_SET_QOS_CONTROL, MLD);

	m->ports[MLD].device.qos[2] = 0;
	c.qos.fields = QOS_THROUGHPUT_REDUCTION;
	c.qos.values.throughput_reduction = true;
	expect(c, -EINVAL, "Egress Severe Percentage of the device is 0, which cannot be set");
	c.qos.fields |= QOS_SEVERE_PERCENT;
	c.qos.values.severe_percent = 20;
	expect(c, 0, NULL);
	ck_assert_mem_eq(m->ports[MLD].device.qos, ((uint8_t[]){2, 10, 20}), 3);
}
END_TEST

START_TEST(qos_that_the_device_does_not_take_is_reported)
{
	struct switch_change c = of_port(SWITCH_SET_QOS_CONTROL, MLD);

	m->ports[MLD].device.telemetry = 0;
	c.qos.fields = QOS_THROUGHPUT_REDUCTION;
	c.qos.values.throughput_reduction = true;
	expect(c, -EIO, "Set QoS Control: the device reports other values");
	c.qos.fields = QOS_MODERATE_PERCENT;
	c.qos.values.moderate_percent = 101;
	expect(c, -EINVAL, "out of its range");
	c.port = SLD;
	expect(c, -EIO, "Get QoS Control (5403h): Unsupported");
}
END_TEST

START_TEST(bandwidth_of_one_ld_is_set)
{
	struct switch_change c = {
		.kind = SWITCH_SET_ALLOCATED_BW, .port = MLD, .ld = 2, .fraction = 26};

	expect(c, 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].device.lds[2].allocated, 26);
	c.kind = SWITCH_SET_BW_LIMIT;
	c.fraction = 128;
	expect(c, 0, NULL);
	ck_assert_uint_eq(m->ports[MLD].device.lds[2].limit, 128);
	ck_assert_uint_eq(m->ports[MLD].device.lds[2].allocated, 26);
	ck_assert_uint_ne(m->ports[MLD].device.lds[1].limit, 128);
	switch_model_fault(m, &(struct model_fault){.kind = MODEL_BYTE,
						    .opcode = 0x5409,
						    .level = 1,
						    .times = 1,
						    .offset = 2,
						    .value = 7});
	expect(c, -EIO, "Set QoS BW Limit: LD 2 has 7/256 instead of 128/256");
	c.ld = 4;
	expect(c, -EIO, "Set QoS BW Limit (5409h): Invalid Input");
}
END_TEST

/* ---- what a transport may not do --------------------------------------------------------------
 */

static int fail_send(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	(void)q;
	(void)ret;
	return (int)c->n_commands == 1 ? *(const int *)x.userdata : -EIO;
}

START_TEST(errors_of_the_way_to_the_switch_are_said_in_words)
{
	static const struct cci_ops ops = {.send = fail_send};
	static const struct {
		int r;
		const char *text;
	} cases[] = {
		{-EACCES, "--allow=fabric"},   {-ECONNRESET, "has ended"},
		{-ENODATA, "are recorded"},    {-ENODEV, "does not respond"},
		{-EBADMSG, "is invalid"},      {-EMSGSIZE, "longer than the mailbox takes"},
		{-ETIMEDOUT, "effect is not"},
	};
	struct cci *model = x.cci;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cci stub = {.ops = &ops, .name = "stub", .payload_max = 512};

		x.cci = &stub;
		x.userdata = (void *)(uintptr_t)&cases[i].r;
		expect(of_port(SWITCH_RESET_PPB, MLD), cases[i].r, cases[i].text);
	}
	x.cci = model;
}
END_TEST

SUITE(check_switch_change)
{
	Suite *s = suite_create("switch_change");
	TCase *t = tcase_create("changes");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, a_reset_asserts_and_deasserts_perst);
	tcase_add_test(t, another_switch_is_not_changed);
	tcase_add_test(t, a_port_that_may_not_be_reset_stays_as_it_is);
	tcase_add_test(t, each_return_code_is_named);
	tcase_add_test(t, a_busy_switch_is_asked_again_some_times);
	tcase_add_test(t, perst_is_not_left_asserted_silently);
	tcase_add_test(t, a_port_that_stays_in_reset_is_reported);
	tcase_add_test(t, a_switch_that_needs_time_for_perst_is_asked_again);
	tcase_add_test(t, a_port_that_is_in_reset_is_taken_out_of_it);
	tcase_add_test(t, dynamic_region_is_configured);
	tcase_add_test(t, an_ld_is_bound_and_unbound);
	tcase_add_test(t, a_port_is_unbound_and_bound);
	tcase_add_test(t, a_vppb_with_another_binding_than_expected_is_left_alone);
	tcase_add_test(t, an_ld_that_is_bound_elsewhere_is_refused_by_the_switch);
	tcase_add_test(t, a_background_operation_that_fails_is_named);
	tcase_add_test(t, a_binding_that_never_ends_is_reported_at_the_deadline);
	tcase_add_test(t, a_removal_that_takes_longer_than_a_command_is_followed_to_its_end);
	tcase_add_test(t, a_command_that_never_completes_is_reported);
	tcase_add_test(t, a_switch_that_vanishes_is_reported);
	tcase_add_test(t, an_aer_event_has_its_header_and_severity);
	tcase_add_test(t, allocations_are_set_and_verified);
	tcase_add_test(t, allocations_that_do_not_fit_change_nothing);
	tcase_add_test(t, allocations_that_were_made_in_part_are_counted);
	tcase_add_test(t, allocations_of_a_device_without_them_are_refused);
	tcase_add_test(t, qos_control_keeps_the_fields_that_are_not_set);
	tcase_add_test(t, percentage_that_the_device_has_not_set_must_be_given);
	tcase_add_test(t, qos_that_the_device_does_not_take_is_reported);
	tcase_add_test(t, bandwidth_of_one_ld_is_set);
	tcase_add_test(t, errors_of_the_way_to_the_switch_are_said_in_words);
	suite_add_tcase(s, t);
	return s;
}
