// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The layouts of the FM-API, by payloads that were written from the tables of the specification:
 * what is encoded, what is decoded, and what is rejected.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_commands.h"
#include "tests/lib/suites.h"

#define GIB (UINT64_C(1) << 30)

/* Identify: CXL 3.2 8.2.10.1.1. */
static const uint8_t identity[] = {
	0xe5, 0x19,			    /* 00h vendor */
	0x23, 0xa1,			    /* 02h device */
	0x98, 0x1e,			    /* 04h subsystem vendor */
	0x00, 0x11,			    /* 06h subsystem */
	0x01, 0,    0, 0, 0, 0, 0x57, 0x51, /* 08h serial number */
	0x09,				    /* 10h maximum message size */
	0x03,				    /* 11h component type */
};

/* Identify Switch Device: Table 7-16 of CXL 3.1. */
static const uint8_t switch_device[] = {
	2,							 /* 00h ingress port */
	0xff,							 /* 01h reserved */
	40,							 /* 02h physical ports */
	3,							 /* 03h VCSs */
	0x05, 0,    0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 04h active ports */
	0,    0,    0, 0, 0,	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02, 0,
	0,    0,    0, 0, 0,	0, 0, 0, 0, 0, 0, 0, 0, 0, /* 24h active VCSs */
	0,    0,    0, 0, 0,	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x34, 0x12, /* 44h vPPBs */
	0x78, 0x01, /* 46h bound vPPBs */
	10,	    /* 48h HDM decoders */
};

/* Get Physical Port State of 1, 0, 7 and 9: Tables 7-18 and 7-19. Reserved bits are set. */
static const uint8_t port_ids[] = {1, 0, 7, 9};
static const uint8_t ports[] = {
	4,
	0xff,
	0xff,
	0xff,
	/* DSP with an MLD */
	1,    /* 0h Id */
	0xf3, /* 1h configuration: DSP */
	0xf3, /* 2h mode: 256B flits */
	0xff, /* 3h reserved */
	5,    /* 4h type: MLD */
	0x0e, /* 5h modes */
	0xd0, /* 6h maximum width: 16 */
	0xc8, /* 7h width: 8 */
	0xff, /* 8h speeds: to 64 GT/s */
	0xc6, /* 9h maximum speed */
	0xc5, /* Ah speed */
	4,    /* Bh LTSSM: L0 */
	2,    /* Ch first lane */
	0xf7,
	0xff, /* Dh flags */
	15,   /* Fh additional LDs */
	/* USP; mode and type are reserved */
	0,
	4,
	2,
	0,
	5,
	0x06,
	16,
	16,
	0x1f,
	5,
	5,
	4,
	0,
	0x04,
	0,
	0,
	/* no such port */
	7,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	0xff,
	/* DSP without modes, so that the type is reserved; a configuration that is not known */
	9,
	3,
	0,
	0,
	5,
	0,
	16,
	0,
	0x3f,
	6,
	0,
	0,
	0,
	0x02,
	0,
	0,
};

/* Get Virtual CXL Switch Info of VCS 5 from vPPB 2 on: Tables 7-31 and 7-32. */
static const uint8_t vcs[] = {
	1, 0xff, 0xff, 0xff, 5, /* 0h Id */
	1,			/* 1h enabled */
	8,			/* 2h upstream port */
	7,			/* 3h vPPBs */
	0, 0xff, 0xff, 0xff,	/* unbound */
	1, 3,	 0xff, 0xff,	/* in progress */
	2, 3,	 0xff, 0xff,	/* port */
	3, 4,	 2,    0xff,	/* LD */
	4, 0x34, 0xf2, 0xff,	/* PID */
};

/* Get LD Info: Table 7-44. */
static const uint8_t ld_info[] = {0, 0, 0, 0, 0x10, 0, 0, 0, 0x10, 0x01, 0xfe};

/* Get LD Allocations from LD 1 on: Tables 7-46 and 7-47. */
static const uint8_t allocations[] = {
	4, 1, 1, 3, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,	 0, 0, 0, 1, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x80,
};

/* Set LD Allocations of LDs 1 and 2, and its reply: Tables 7-48 and 7-49. */
static const uint8_t set_allocations[] = {
	2, 1, 0,    0,	  8,	0,    0,    0,	  0,	0,    0, 0, 1, 0, 0, 0, 0, 0,
	0, 0, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* QoS Control: Table 7-50. */
static const uint8_t qos_control[] = {0x02, 10, 25, 8, 0x34, 0x12, 64};

static const uint8_t qos_status[] = {42};

/* QoS Allocated BW and BW Limit of LDs 2 to 4: Tables 7-53, 7-54, 7-56, 7-57. */
static const uint8_t qos_bw[] = {3, 2, 0, 128, 255};

/* ---- all decoders ---- */

static struct fmapi_port got_ports[ARRAY_SIZE(port_ids)];
static struct fmapi_vcs got_vcs;
static struct fmapi_ld_allocations got_lds;
static struct fmapi_identity got_identity;
static struct fmapi_switch got_switch;
static struct fmapi_ld_info got_info;
static struct fmapi_qos_control got_qos;
static struct fmapi_qos_bw got_bw;
static uint8_t got_percent;

static int to_identity(const uint8_t *p, size_t len)
{
	return fmapi_decode_identity(p, len, &got_identity);
}

static int to_switch(const uint8_t *p, size_t len)
{
	return fmapi_decode_switch(p, len, &got_switch);
}

static int to_ports(const uint8_t *p, size_t len)
{
	return fmapi_decode_port_state(p, len, port_ids, ARRAY_SIZE(port_ids), got_ports);
}

static int to_vcs(const uint8_t *p, size_t len)
{
	return fmapi_decode_vcs_info(p, len, 5, 2, 10, &got_vcs);
}

static int to_info(const uint8_t *p, size_t len)
{
	return fmapi_decode_ld_info(p, len, &got_info);
}

static int to_allocations(const uint8_t *p, size_t len)
{
	return fmapi_decode_ld_allocations(p, len, 1, 3, &got_lds);
}

static int to_set_allocations(const uint8_t *p, size_t len)
{
	return fmapi_decode_set_ld_allocations(p, len, 1, 2, &got_lds);
}

static int to_qos(const uint8_t *p, size_t len)
{
	return fmapi_decode_qos_control(p, len, &got_qos);
}

static int to_status(const uint8_t *p, size_t len)
{
	return fmapi_decode_qos_status(p, len, &got_percent);
}

static int to_bw(const uint8_t *p, size_t len)
{
	return fmapi_decode_qos_bw(p, len, 2, 3, &got_bw);
}

static const struct decoder {
	int (*decode)(const uint8_t *p, size_t len);
	const uint8_t *reply;
	size_t len, min; /* min: from so many bytes on it is accepted */
} decoders[] = {
	{to_identity, identity, sizeof(identity), 0x11}, /* without the component type */
	{to_switch, switch_device, sizeof(switch_device), 0x49},
	{to_ports, ports, sizeof(ports), 4 + 4 * 16},
	{to_vcs, vcs, sizeof(vcs), 8 + 5 * 4},
	{to_info, ld_info, sizeof(ld_info), 11},
	{to_allocations, allocations, sizeof(allocations), 4 + 3 * 16},
	{to_set_allocations, set_allocations, sizeof(set_allocations), 4 + 2 * 16},
	{to_qos, qos_control, sizeof(qos_control), 7},
	{to_status, qos_status, sizeof(qos_status), 1},
	{to_bw, qos_bw, sizeof(qos_bw), 5},
};

/* Decodes a copy in memory of its own, so that the address sanitizer knows its end. */
static int decode_copy(const struct decoder *d, const uint8_t *p, size_t len)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int r;

	ck_assert_ptr_nonnull(copy);
	if (len > 0)
		memcpy(copy, p, len);
	r = d->decode(len > 0 ? copy : copy + 1, len);
	free(copy);
	return r;
}

START_TEST(short_replies_are_rejected)
{
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		for (size_t len = 0; len <= decoders[i].len; len++)
			ck_assert_msg(decode_copy(&decoders[i], decoders[i].reply, len) ==
					      (len < decoders[i].min ? -EBADMSG : 0),
				      "decoder %zu, %zu bytes", i, len);
}
END_TEST

START_TEST(what_follows_a_reply_is_ignored)
{
	uint8_t longer[256];

	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++) {
		memset(longer, 0xff, sizeof(longer));
		memcpy(longer, decoders[i].reply, decoders[i].len);
		ck_assert_int_eq(decode_copy(&decoders[i], longer, sizeof(longer)), 0);
	}
}
END_TEST

START_TEST(any_byte_may_have_any_value)
{
	uint8_t copy[256];

	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		for (size_t at = 0; at < decoders[i].len; at++)
			for (unsigned int v = 0; v < 256; v++) {
				memcpy(copy, decoders[i].reply, decoders[i].len);
				copy[at] = (uint8_t)v;
				(void)decode_copy(&decoders[i], copy, decoders[i].len);
			}
}
END_TEST

/* ---- what is decoded ---- */

START_TEST(identity_is_decoded)
{
	ck_assert_int_eq(to_identity(identity, sizeof(identity)), 0);
	ck_assert_uint_eq(got_identity.vendor, 0x19e5);
	ck_assert_uint_eq(got_identity.device, 0xa123);
	ck_assert_uint_eq(got_identity.subsystem_vendor, 0x1e98);
	ck_assert_uint_eq(got_identity.subsystem, 0x1100);
	ck_assert_uint_eq(got_identity.serial, UINT64_C(0x5157000000000001));
	ck_assert_uint_eq(got_identity.max_message, 9);
	ck_assert_uint_eq(got_identity.component, FMAPI_COMPONENT_TYPE3);
	ck_assert_int_eq(to_identity(identity, 0x11), 0);
	ck_assert_uint_eq(got_identity.component, FMAPI_COMPONENT_UNKNOWN);
}
END_TEST

START_TEST(switch_is_decoded)
{
	ck_assert_int_eq(to_switch(switch_device, sizeof(switch_device)), 0);
	ck_assert_uint_eq(got_switch.ingress_port, 2);
	ck_assert_uint_eq(got_switch.n_ports, 40);
	ck_assert_uint_eq(got_switch.n_vcs, 3);
	ck_assert_uint_eq(got_switch.n_vppbs, 0x1234);
	ck_assert_uint_eq(got_switch.n_bound_vppbs, 0x178);
	ck_assert_uint_eq(got_switch.n_hdm_decoders, 10);
	for (unsigned int i = 0; i < 300; i++) {
		ck_assert(fmapi_bit(got_switch.active_ports, i) ==
			  (i == 0 || i == 2 || i == 39 || i == 255));
		ck_assert(fmapi_bit(got_switch.active_vcs, i) == (i == 1 || i == 248));
	}
}
END_TEST

START_TEST(ports_are_decoded)
{
	const struct fmapi_port mld = {
		.id = 1,
		.config = FMAPI_PORT_DSP,
		.device_mode = FMAPI_MODE_256B,
		.device_type = FMAPI_DEVICE_MLD,
		.supported_modes =
			FMAPI_SUPPORTS_68B | FMAPI_SUPPORTS_256B | FMAPI_SUPPORTS_LATENCY_OPTIMIZED,
		.max_width = 16,
		.width = 8,
		.speeds = 0x3f,
		.max_speed = 6,
		.speed = 5,
		.ltssm = 4,
		.first_lane = 2,
		.link_flags = FMAPI_LINK_LANES_REVERSED | FMAPI_LINK_PERST | FMAPI_LINK_PRESENT,
		.additional_lds = 15,
	};

	ck_assert_int_eq(to_ports(ports, sizeof(ports)), 0);
	ck_assert_uint_eq(got_ports[0].id, mld.id);
	ck_assert_uint_eq(got_ports[0].config, mld.config);
	ck_assert_uint_eq(got_ports[0].device_mode, mld.device_mode);
	ck_assert_uint_eq(got_ports[0].device_type, mld.device_type);
	ck_assert_uint_eq(got_ports[0].supported_modes, mld.supported_modes);
	ck_assert_uint_eq(got_ports[0].max_width, mld.max_width);
	ck_assert_uint_eq(got_ports[0].width, mld.width);
	ck_assert_uint_eq(got_ports[0].speeds, mld.speeds);
	ck_assert_uint_eq(got_ports[0].max_speed, mld.max_speed);
	ck_assert_uint_eq(got_ports[0].speed, mld.speed);
	ck_assert_uint_eq(got_ports[0].ltssm, mld.ltssm);
	ck_assert_uint_eq(got_ports[0].first_lane, mld.first_lane);
	ck_assert_uint_eq(got_ports[0].link_flags, mld.link_flags);
	ck_assert_uint_eq(got_ports[0].additional_lds, mld.additional_lds);
}
END_TEST

START_TEST(reserved_fields_of_a_port_are_zero)
{
	ck_assert_int_eq(to_ports(ports, sizeof(ports)), 0);
	ck_assert_uint_eq(got_ports[1].config, FMAPI_PORT_USP);
	ck_assert_uint_eq(got_ports[1].device_mode, 0);
	ck_assert_uint_eq(got_ports[1].device_type, 0);
	ck_assert_uint_eq(got_ports[1].width, 16);
	ck_assert_uint_eq(got_ports[2].config, FMAPI_PORT_INVALID);
	ck_assert_uint_eq(got_ports[2].id, 7);
	ck_assert_uint_eq(got_ports[2].device_type, 0);
	ck_assert_uint_eq(got_ports[2].max_width, 0);
	ck_assert_uint_eq(got_ports[2].link_flags, 0);
	ck_assert_uint_eq(got_ports[2].additional_lds, 0);
	ck_assert_uint_eq(got_ports[3].device_type, 0);
	ck_assert_uint_eq(got_ports[3].link_flags, FMAPI_LINK_PERST);
}
END_TEST

START_TEST(vcs_is_decoded)
{
	const struct fmapi_vppb *v = got_vcs.vppbs;

	ck_assert_int_eq(to_vcs(vcs, sizeof(vcs)), 0);
	ck_assert_uint_eq(got_vcs.id, 5);
	ck_assert_uint_eq(got_vcs.state, FMAPI_VCS_ENABLED);
	ck_assert_uint_eq(got_vcs.usp, 8);
	ck_assert_uint_eq(got_vcs.n_vppbs, 7);
	ck_assert_uint_eq(got_vcs.n_listed, 5);
	ck_assert(v[0].binding == FMAPI_UNBOUND && v[0].port == 0 && v[0].ld == 0);
	ck_assert(v[1].binding == FMAPI_BINDING && v[1].port == 0);
	ck_assert(v[2].binding == FMAPI_BOUND_PORT && v[2].port == 3 && v[2].ld == 0);
	ck_assert(v[3].binding == FMAPI_BOUND_LD && v[3].port == 4 && v[3].ld == 2);
	ck_assert(v[4].binding == FMAPI_BOUND_PID && v[4].port == 0 && v[4].pid == 0x234);
}
END_TEST

START_TEST(only_the_listed_vppbs_are_decoded)
{
	uint8_t many[8 + 255 * 4] = {1, 0, 0, 0, 5, 1, 8, 255};

	ck_assert_int_eq(fmapi_decode_vcs_info(vcs, sizeof(vcs), 5, 2, 3, &got_vcs), 0);
	ck_assert_uint_eq(got_vcs.n_listed, 3);
	ck_assert_int_eq(fmapi_decode_vcs_info(vcs, 8, 5, 7, 255, &got_vcs), 0);
	ck_assert_uint_eq(got_vcs.n_listed, 0);
	ck_assert_uint_eq(got_vcs.n_vppbs, 7);
	ck_assert_int_eq(fmapi_decode_vcs_info(many, sizeof(many), 5, 0, 255, &got_vcs), 0);
	ck_assert_uint_eq(got_vcs.n_listed, 255);
	ck_assert_int_eq(fmapi_decode_vcs_info(many, sizeof(many) - 1, 5, 0, 255, &got_vcs),
			 -EBADMSG);
}
END_TEST

START_TEST(vcs_that_does_not_exist_has_no_fields)
{
	const uint8_t invalid[] = {1, 0, 0, 0, 5, 0xff, 8, 255};
	const uint8_t disabled[] = {1, 0, 0, 0, 5, 0, 8, 0};

	ck_assert_int_eq(to_vcs(invalid, sizeof(invalid)), 0);
	ck_assert_uint_eq(got_vcs.state, FMAPI_VCS_INVALID);
	ck_assert_uint_eq(got_vcs.usp, 0);
	ck_assert_uint_eq(got_vcs.n_vppbs, 0);
	ck_assert_uint_eq(got_vcs.n_listed, 0);
	ck_assert_int_eq(to_vcs(disabled, sizeof(disabled)), 0);
	ck_assert_uint_eq(got_vcs.state, FMAPI_VCS_DISABLED);
	ck_assert_uint_eq(got_vcs.usp, 0);
}
END_TEST

START_TEST(ld_info_is_decoded)
{
	ck_assert_int_eq(to_info(ld_info, sizeof(ld_info)), 0);
	ck_assert_uint_eq(got_info.memory_size, 64 * GIB);
	ck_assert_uint_eq(got_info.n_lds, 0x110);
	ck_assert(!got_info.egress_congestion);
	ck_assert(got_info.throughput_reduction);
}
END_TEST

START_TEST(allocations_are_decoded)
{
	uint64_t bytes = 0;

	ck_assert_int_eq(to_allocations(allocations, sizeof(allocations)), 0);
	ck_assert_uint_eq(got_lds.n_lds, 4);
	ck_assert_uint_eq(got_lds.granularity, GIB / 2);
	ck_assert_uint_eq(got_lds.first, 1);
	ck_assert_uint_eq(got_lds.n, 3);
	ck_assert(fmapi_ld_size(&got_lds, 0, &bytes) && bytes == 9 * GIB / 2);
	ck_assert(fmapi_ld_size(&got_lds, 1, &bytes) && bytes == 128 * GIB);
	ck_assert(!fmapi_ld_size(&got_lds, 2, &bytes)); /* more than 64 bits */
	ck_assert(!fmapi_ld_size(&got_lds, 3, &bytes));
	got_lds.lds[0] = (struct fmapi_ld_allocation){.range1 = UINT64_C(1) << 35};
	ck_assert(!fmapi_ld_size(&got_lds, 0, &bytes)); /* in bytes */
}
END_TEST

START_TEST(granularity_may_be_reserved)
{
	const uint64_t sizes[] = {GIB / 4, GIB / 2, GIB, 0, 0};
	uint8_t copy[sizeof(allocations)];
	uint64_t bytes;

	memcpy(copy, allocations, sizeof(copy));
	for (uint8_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		copy[1] = i;
		ck_assert_int_eq(to_allocations(copy, sizeof(copy)), 0);
		ck_assert_uint_eq(got_lds.granularity, sizes[i]);
		ck_assert(fmapi_ld_size(&got_lds, 0, &bytes) == (sizes[i] != 0));
	}
}
END_TEST

START_TEST(allocations_end_with_the_last_ld)
{
	uint8_t copy[sizeof(allocations)];

	memcpy(copy, allocations, sizeof(copy));
	copy[0] = 2; /* only LD 1 is left, although three are listed */
	ck_assert_int_eq(to_allocations(copy, sizeof(copy)), 0);
	ck_assert_uint_eq(got_lds.n, 1);
	copy[0] = 0;
	copy[3] = 0;
	ck_assert_int_eq(to_allocations(copy, 4), 0);
	ck_assert_uint_eq(got_lds.n, 0);
	copy[0] = 4; /* there are more, and none is listed: that would never end */
	ck_assert_int_eq(to_allocations(copy, sizeof(copy)), -EBADMSG);
}
END_TEST

START_TEST(qos_is_decoded)
{
	const uint8_t percents[][7] = {{0, 101, 1}, {0, 1, 255}, {0, 1, 1, 16}};
	const uint8_t unused[] = {0xfd, 0, 0, 0, 0, 0, 0};

	ck_assert_int_eq(to_qos(qos_control, sizeof(qos_control)), 0);
	ck_assert(!got_qos.egress_congestion);
	ck_assert(got_qos.throughput_reduction);
	ck_assert_uint_eq(got_qos.moderate_percent, 10);
	ck_assert_uint_eq(got_qos.severe_percent, 25);
	ck_assert_uint_eq(got_qos.sample_interval_ns, 8);
	ck_assert_uint_eq(got_qos.req_cmp_basis, 0x1234);
	ck_assert_uint_eq(got_qos.completion_interval_ns, 64);
	ck_assert_int_eq(to_qos(unused, sizeof(unused)), 0);
	ck_assert(got_qos.egress_congestion);
	ck_assert(!got_qos.throughput_reduction);
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		ck_assert_int_eq(to_qos(percents[i], sizeof(percents[i])), -EBADMSG);
	ck_assert_int_eq(to_status(qos_status, 1), 0);
	ck_assert_uint_eq(got_percent, 42);
	ck_assert_int_eq(to_status((const uint8_t[]){101}, 1), -EBADMSG);
	ck_assert_int_eq(to_bw(qos_bw, sizeof(qos_bw)), 0);
	ck_assert_uint_eq(got_bw.first, 2);
	ck_assert_uint_eq(got_bw.n, 3);
	ck_assert_mem_eq(got_bw.fractions, qos_bw + 2, 3);
}
END_TEST

/* ---- counts and Ids of another question ---- */

static const struct {
	int (*decode)(const uint8_t *p, size_t len);
	const uint8_t *reply;
	size_t len, at;
} answers[] = {
	{to_ports, ports, sizeof(ports), 0},
	{to_ports, ports, sizeof(ports), 4},
	{to_ports, ports, sizeof(ports), 4 + 3 * 16},
	{to_vcs, vcs, sizeof(vcs), 0},
	{to_vcs, vcs, sizeof(vcs), 4},
	{to_bw, qos_bw, sizeof(qos_bw), 0},
	{to_bw, qos_bw, sizeof(qos_bw), 1},
	{to_allocations, allocations, sizeof(allocations), 2},
	{to_set_allocations, set_allocations, sizeof(set_allocations), 0},
	{to_set_allocations, set_allocations, sizeof(set_allocations), 1},
};

START_TEST(answers_to_another_question_are_rejected)
{
	uint8_t copy[2048];

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		for (unsigned int v = 0; v < 256; v++) {
			memset(copy, 0, sizeof(copy));
			memcpy(copy, answers[i].reply, answers[i].len);
			copy[answers[i].at] = (uint8_t)v;
			ck_assert_msg(answers[i].decode(copy, sizeof(copy)) ==
					      (v == answers[i].reply[answers[i].at] ? 0 : -EBADMSG),
				      "answer %zu with %u", i, v);
		}
}
END_TEST

START_TEST(more_lds_than_asked_for_are_rejected)
{
	uint8_t copy[4 + 255 * 16] = {255, 0, 1, 4};

	ck_assert_int_eq(to_allocations(copy, sizeof(copy)), -EBADMSG);
	copy[3] = 255;
	ck_assert_int_eq(to_allocations(copy, sizeof(copy)), -EBADMSG);
	ck_assert_int_eq(fmapi_decode_ld_allocations(copy, sizeof(copy), 1, 255, &got_lds), 0);
	ck_assert_uint_eq(got_lds.n, 254);
	ck_assert_int_eq(fmapi_decode_ld_allocations(copy, sizeof(copy) - 1, 1, 255, &got_lds),
			 -EBADMSG);
}
END_TEST

/* ---- what is encoded ---- */

static uint8_t p[512];

static void must_encode(int len, const uint8_t *expected, size_t n)
{
	ck_assert_int_eq(len, (int)n);
	ck_assert_mem_eq(p, expected, n);
}

#define MUST_ENCODE(call, ...)                                                                     \
	must_encode((call), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

START_TEST(requests_to_a_switch_are_encoded)
{
	struct fmapi_aer aer = {.vcs = 1, .vppb = 2, .uncorrectable = true, .bit = 12};
	uint8_t expected[40] = {1, 2, 0, 0, 12, 0, 0, 0x80, 0x4a, 1, 2, 3};

	memset(p, 0xff, sizeof(p));
	MUST_ENCODE(fmapi_encode_get_port_state(port_ids, 4, p, sizeof(p)), 4, 1, 0, 7, 9);
	MUST_ENCODE(fmapi_encode_port_control(7, FMAPI_ASSERT_PERST, p, sizeof(p)), 7, 0);
	MUST_ENCODE(fmapi_encode_port_control(255, FMAPI_DEASSERT_PERST, p, sizeof(p)), 255, 1);
	MUST_ENCODE(fmapi_encode_port_control(0, FMAPI_RESET_PPB, p, sizeof(p)), 0, 2);
	MUST_ENCODE(fmapi_encode_get_vcs_info(5, 2, 10, p, sizeof(p)), 2, 10, 1, 5);
	MUST_ENCODE(fmapi_encode_bind(1, 2, 3, 0x104, p, sizeof(p)), 1, 2, 3, 0, 4, 1);
	MUST_ENCODE(fmapi_encode_bind(1, 2, 3, FMAPI_NO_LD, p, sizeof(p)), 1, 2, 3, 0, 255, 255);
	MUST_ENCODE(fmapi_encode_unbind(1, 2, FMAPI_UNBIND_MANAGED, p, sizeof(p)), 1, 2, 1);
	MUST_ENCODE(fmapi_encode_unbind(1, 2, FMAPI_UNBIND_SURPRISE, p, sizeof(p)), 1, 2, 2);
	memcpy(aer.header, (const uint8_t[]){0x4a, 1, 2, 3}, 4);
	must_encode(fmapi_encode_aer(&aer, p, sizeof(p)), expected, sizeof(expected));
	aer.uncorrectable = false;
	aer.bit = 31;
	expected[4] = 31;
	expected[7] = 0;
	must_encode(fmapi_encode_aer(&aer, p, sizeof(p)), expected, sizeof(expected));
	aer.bit = 32;
	ck_assert_int_eq(fmapi_encode_aer(&aer, p, sizeof(p)), -EINVAL);
}
END_TEST

START_TEST(requests_to_an_mld_are_encoded)
{
	const struct fmapi_ld_allocation lds[] = {{8, 1}, {UINT64_C(0x0123456789abcdef), 0}};
	const struct fmapi_qos_control qos = {.throughput_reduction = true,
					      .moderate_percent = 10,
					      .severe_percent = 25,
					      .sample_interval_ns = 8,
					      .req_cmp_basis = 0x1234,
					      .completion_interval_ns = 64};

	memset(p, 0xff, sizeof(p));
	MUST_ENCODE(fmapi_encode_get_ld_allocations(1, 3, p, sizeof(p)), 1, 3);
	must_encode(fmapi_encode_set_ld_allocations(1, lds, 2, p, sizeof(p)), set_allocations,
		    sizeof(set_allocations));
	must_encode(fmapi_encode_qos_control(&qos, p, sizeof(p)), qos_control, sizeof(qos_control));
	MUST_ENCODE(fmapi_encode_get_qos_bw(2, 3, p, sizeof(p)), 3, 2);
	must_encode(fmapi_encode_set_qos_bw(2, qos_bw + 2, 3, p, sizeof(p)), qos_bw,
		    sizeof(qos_bw));
}
END_TEST

START_TEST(nothing_is_written_beyond_the_buffer)
{
	const struct fmapi_qos_control qos = {.moderate_percent = 1, .severe_percent = 1};
	const struct fmapi_ld_allocation ld = {0};
	const struct fmapi_aer aer = {0};

	memset(p, 0xee, sizeof(p));
	ck_assert_int_eq(fmapi_encode_get_port_state(port_ids, 4, p, 4), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_port_control(0, FMAPI_RESET_PPB, p, 1), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_get_vcs_info(0, 0, 1, p, 3), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_bind(0, 1, 2, 3, p, 5), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_unbind(0, 1, FMAPI_UNBIND_MANAGED, p, 2), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_aer(&aer, p, 39), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_get_ld_allocations(0, 1, p, 1), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_set_ld_allocations(0, &ld, 1, p, 19), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_qos_control(&qos, p, 6), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_get_qos_bw(0, 1, p, 1), -EMSGSIZE);
	ck_assert_int_eq(fmapi_encode_set_qos_bw(0, port_ids, 4, p, 5), -EMSGSIZE);
	for (size_t i = 0; i < sizeof(p); i++)
		ck_assert_uint_eq(p[i], 0xee);
}
END_TEST

START_TEST(values_out_of_range_are_not_encoded)
{
	static const struct fmapi_ld_allocation lds[256];
	static const uint8_t fractions[256];
	struct fmapi_qos_control qos = {.moderate_percent = 1, .severe_percent = 100};

	ck_assert_int_eq(fmapi_encode_get_port_state(port_ids, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_port_state(fractions, 256, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_vcs_info(0, 0, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_ld_allocations(0, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_ld_allocations(0, lds, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_ld_allocations(0, lds, 256, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_ld_allocations(255, lds, 2, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_get_qos_bw(0, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_qos_bw(0, fractions, 0, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_qos_bw(2, fractions, 255, p, sizeof(p)), -EINVAL);
	ck_assert_int_eq(fmapi_encode_set_qos_bw(1, fractions, 255, p, sizeof(p)), 257);
	ck_assert_int_eq(fmapi_encode_qos_control(&qos, p, sizeof(p)), 7);
	qos.moderate_percent = 0;
	ck_assert_int_eq(fmapi_encode_qos_control(&qos, p, sizeof(p)), -EINVAL);
	qos.moderate_percent = 100;
	qos.severe_percent = 101;
	ck_assert_int_eq(fmapi_encode_qos_control(&qos, p, sizeof(p)), -EINVAL);
	qos.severe_percent = 1;
	qos.sample_interval_ns = 16;
	ck_assert_int_eq(fmapi_encode_qos_control(&qos, p, sizeof(p)), -EINVAL);
}
END_TEST

/* ---- properties ---- */

START_TEST(qos_control_survives_a_round_trip)
{
	struct fmapi_qos_control q = {0};

	srand(1);
	for (size_t i = 0; i < 10000; i++) {
		const unsigned int bits = (unsigned int)rand();

		memset(&q, 0, sizeof(q));
		memset(&got_qos, 0, sizeof(got_qos));
		q.egress_congestion = bits & 1;
		q.throughput_reduction = bits >> 1 & 1;
		q.moderate_percent = (uint8_t)(1 + rand() % 100);
		q.severe_percent = (uint8_t)(1 + rand() % 100);
		q.sample_interval_ns = bits >> 2 & 0xf;
		q.req_cmp_basis = (uint16_t)(bits >> 6);
		q.completion_interval_ns = (uint8_t)rand();
		ck_assert_int_eq(fmapi_encode_qos_control(&q, p, sizeof(p)), 7);
		ck_assert_int_eq(to_qos(p, 7), 0);
		ck_assert_mem_eq(&q, &got_qos, sizeof(q));
	}
}
END_TEST

START_TEST(lists_of_lds_survive_a_round_trip)
{
	struct fmapi_ld_allocation lds[31];
	uint8_t fractions[255];

	for (size_t i = 0; i < ARRAY_SIZE(lds); i++)
		lds[i] = (struct fmapi_ld_allocation){UINT64_C(1) << i << i, ~(uint64_t)i};
	for (size_t i = 0; i < sizeof(fractions); i++)
		fractions[i] = (uint8_t)(7 * i);
	for (size_t n = 1; n <= ARRAY_SIZE(lds); n++) {
		const int len = fmapi_encode_set_ld_allocations((uint8_t)n, lds, n, p, sizeof(p));

		ck_assert_int_eq(
			fmapi_decode_set_ld_allocations(p, (size_t)len, (uint8_t)n, n, &got_lds),
			0);
		ck_assert_uint_eq(got_lds.n, n);
		ck_assert_mem_eq(got_lds.lds, lds, n * sizeof(lds[0]));
	}
	for (size_t n = 1; n <= sizeof(fractions); n++) {
		const int len = fmapi_encode_set_qos_bw(1, fractions, n, p, sizeof(p));

		ck_assert_int_eq(fmapi_decode_qos_bw(p, (size_t)len, 1, (uint8_t)n, &got_bw), 0);
		ck_assert_mem_eq(got_bw.fractions, fractions, n);
	}
}
END_TEST

START_TEST(percentages_come_back_from_their_fractions)
{
	for (unsigned int i = 0; i <= 100; i++)
		ck_assert_uint_eq(fmapi_percent_of_fraction(fmapi_fraction_of_percent(i)), i);
	/* To the nearest, in both directions. */
	for (unsigned int i = 0; i < 256; i++) {
		const double exact = i * 100.0 / 256;
		const unsigned int percent = fmapi_percent_of_fraction((uint8_t)i);

		ck_assert(percent <= exact + 0.5 && percent >= exact - 0.5);
	}
	ck_assert_uint_eq(fmapi_fraction_of_percent(0), 0);
	ck_assert_uint_eq(fmapi_fraction_of_percent(25), 64);
	ck_assert_uint_eq(fmapi_fraction_of_percent(100), 255);
	ck_assert_uint_eq(fmapi_fraction_of_percent(1000), 255);
	ck_assert_uint_eq(fmapi_percent_of_fraction(255), 100);
}
END_TEST

START_TEST(requests_are_as_long_as_a_payload_allows)
{
	ck_assert_uint_eq(fmapi_port_states_max(256), 15);
	ck_assert_uint_eq(fmapi_port_states_max(2048), 127);
	ck_assert_uint_eq(fmapi_port_states_max(65536), 255);
	ck_assert_uint_eq(fmapi_port_states_max(3), 0);
	ck_assert_uint_eq(fmapi_vppbs_max(256), 62);
	ck_assert_uint_eq(fmapi_vppbs_max(2048), 255);
	ck_assert_uint_eq(fmapi_vppbs_max(7), 0);
	ck_assert_uint_eq(fmapi_ld_allocations_max(240), 14);
	ck_assert_uint_eq(fmapi_ld_allocations_max(65536), 255);
	ck_assert_uint_eq(fmapi_ld_allocations_max(0), 0);
}
END_TEST

/* ---- the table of commands ---- */

START_TEST(commands_are_found_by_opcode_and_target)
{
	const struct fmapi_command *c = fmapi_command_find(FMAPI_BIND_VPPB, CCI_SWITCH);

	ck_assert_ptr_nonnull(c);
	ck_assert_str_eq(c->title, "Bind vPPB");
	ck_assert(c->changes);
	ck_assert(fmapi_command_accepts(c, 6) && !fmapi_command_accepts(c, 5) &&
		  !fmapi_command_accepts(c, 7));
	ck_assert_ptr_null(fmapi_command_find(FMAPI_BIND_VPPB, CCI_PORT));
	ck_assert_ptr_null(fmapi_command_find(FMAPI_GET_LD_INFO, CCI_SWITCH));
	ck_assert_ptr_nonnull(fmapi_command_find(FMAPI_GET_LD_INFO, CCI_PORT));
	ck_assert_ptr_null(fmapi_command_find(FMAPI_GET_LD_INFO, CCI_LD));
	ck_assert_ptr_nonnull(fmapi_command_find(FMAPI_IDENTIFY, CCI_LD));
	ck_assert_ptr_null(fmapi_command_find(FMAPI_IDENTIFY, (enum cci_target_kind)3));
	ck_assert_ptr_null(fmapi_command_find(FMAPI_IDENTIFY, (enum cci_target_kind)40));
	ck_assert_ptr_null(fmapi_command_find(0x4000, CCI_SWITCH));
	ck_assert_str_eq(fmapi_command_title(FMAPI_GET_QOS_BW_LIMIT), "Get QoS BW Limit");
	ck_assert_str_eq(fmapi_command_title(FMAPI_TUNNEL), "Tunnel Management Command");
	ck_assert_str_eq(fmapi_command_title(0x4000), "an unknown command");
}
END_TEST

START_TEST(no_tunnel_can_be_sent_as_a_command)
{
	for (int kind = CCI_SWITCH; kind <= CCI_LD; kind++)
		ck_assert_ptr_null(fmapi_command_find(FMAPI_TUNNEL, (enum cci_target_kind)kind));
}
END_TEST

START_TEST(commands_that_change_something_are_marked)
{
	const uint16_t changing[] = {0x5102, 0x5201, 0x5202, 0x5203, 0x5402, 0x5404,
				     0x5407, 0x5409, 0x5602, 0x5604, 0x5605};
	const struct fmapi_command *c;
	size_t n, found = 0;

	c = fmapi_commands(&n);
	ck_assert_uint_eq(n, 26);
	for (size_t i = 0; i < n; i++) {
		bool is_one = false;

		for (size_t k = 0; k < ARRAY_SIZE(changing); k++)
			is_one |= changing[k] == c[i].opcode;
		ck_assert(c[i].changes == is_one);
		ck_assert(i == 0 || c[i - 1].opcode < c[i].opcode);
		ck_assert(c[i].input_min <= c[i].input_max && c[i].targets != 0);
		found += is_one;
	}
	ck_assert_uint_eq(found, ARRAY_SIZE(changing));
}
END_TEST

static TCase *decode_case(void)
{
	TCase *t = tcase_create("decode");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, short_replies_are_rejected);
	tcase_add_test(t, what_follows_a_reply_is_ignored);
	tcase_add_test(t, any_byte_may_have_any_value);
	tcase_add_test(t, identity_is_decoded);
	tcase_add_test(t, switch_is_decoded);
	tcase_add_test(t, ports_are_decoded);
	tcase_add_test(t, reserved_fields_of_a_port_are_zero);
	tcase_add_test(t, vcs_is_decoded);
	tcase_add_test(t, only_the_listed_vppbs_are_decoded);
	tcase_add_test(t, vcs_that_does_not_exist_has_no_fields);
	tcase_add_test(t, ld_info_is_decoded);
	tcase_add_test(t, allocations_are_decoded);
	tcase_add_test(t, granularity_may_be_reserved);
	tcase_add_test(t, allocations_end_with_the_last_ld);
	tcase_add_test(t, qos_is_decoded);
	tcase_add_test(t, answers_to_another_question_are_rejected);
	tcase_add_test(t, more_lds_than_asked_for_are_rejected);
	return t;
}

static TCase *encode_case(void)
{
	TCase *t = tcase_create("encode");

	tcase_add_test(t, requests_to_a_switch_are_encoded);
	tcase_add_test(t, requests_to_an_mld_are_encoded);
	tcase_add_test(t, nothing_is_written_beyond_the_buffer);
	tcase_add_test(t, values_out_of_range_are_not_encoded);
	tcase_add_test(t, qos_control_survives_a_round_trip);
	tcase_add_test(t, lists_of_lds_survive_a_round_trip);
	tcase_add_test(t, percentages_come_back_from_their_fractions);
	tcase_add_test(t, requests_are_as_long_as_a_payload_allows);
	tcase_add_test(t, commands_are_found_by_opcode_and_target);
	tcase_add_test(t, no_tunnel_can_be_sent_as_a_command);
	tcase_add_test(t, commands_that_change_something_are_marked);
	return t;
}

SUITE(check_fmapi)
{
	Suite *s = suite_create("fmapi");

	suite_add_tcase(s, decode_case());
	suite_add_tcase(s, encode_case());
	return s;
}
