// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/remote_fixture.h"

#include <string.h>

#include <check.h>

#define MLD_SERIAL 0x11d0
#define SLD_SERIAL 0x51d0

enum { RECORDS = 8 };

struct remote remote;

static struct fmapi_vppb bound_port(uint8_t port)
{
	return (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = port};
}

static struct fmapi_vppb bound_ld(uint8_t port, uint8_t ld)
{
	return (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = port, .ld = ld};
}

static void make_mld(struct port_reading *port)
{
	struct switch_readings *r = remote.readings;
	struct device_reading *d = made_device(r, port, MLD_SERIAL);

	port->state.device_type = FMAPI_DEVICE_MLD;
	made_lds(r, d, 3);
	d->ld_info.memory_size = 4ULL << 30;
	d->ld_info.n_lds = 16;
	d->ld_info.egress_congestion = true;
	d->ld_info.throughput_reduction = true;
	d->has_qos = true;
	d->qos = (struct fmapi_qos_control){.egress_congestion = true,
					    .moderate_percent = 10,
					    .severe_percent = 25,
					    .sample_interval_ns = 8,
					    .req_cmp_basis = 300,
					    .completion_interval_ns = 64};
	d->backpressure_percent = OPT_INT(37);
	for (int i = 0; i < 3; i++) {
		d->lds[i].allocated = OPT_INT(64 * (i + 1));
		d->lds[i].limit = OPT_INT(255 - i);
		d->lds[i].has_identity = i > 0;
		d->lds[i].identity = d->identity;
	}
	remote.mld = d;
}

static void make_switch(void)
{
	struct switch_readings *r = remote.readings;
	struct switch_reading *sw = made_switch(r, "0000:0d:00.1");
	struct port_reading *ports[4];

	for (uint8_t i = 0; i < 4; i++)
		ports[i] = made_port(r, sw, i, i == 0 ? FMAPI_PORT_USP : FMAPI_PORT_DSP);
	(void)made_port(r, sw, 8, FMAPI_PORT_USP);
	remote.known = made_device(r, ports[1], remote.below[0]->serial.value);
	make_mld(ports[2]);
	remote.sld = made_device(r, ports[3], SLD_SERIAL);
	remote.own = made_vcs(r, sw, 0, 0, 3);
	remote.own->vppbs[1] = bound_port(1);
	remote.own->vppbs[2] = bound_ld(2, 1);
	remote.other = made_vcs(r, sw, 1, 8, 3);
	remote.other->vppbs[1] = bound_ld(2, 2);
	remote.other->vppbs[2] = bound_port(3);
	for (unsigned int i = 0; i < FMAPI_LOGS; i++) {
		sw->logs[i].records = ARENA_ARRAY(r->arena, RECORDS, struct fmapi_record);
		ck_assert_ptr_nonnull(sw->logs[i].records);
	}
	remote.sw = sw;
}

void start_remote(void)
{
	struct port *kernel;

	start();
	remote = (struct remote){.readings = switch_readings_new()};
	ck_assert_ptr_nonnull(remote.readings);
	kernel = model_switch(&f.model, port_above(f.memdevs[0]));
	for (unsigned int i = 0; i < 2; i++)
		remote.below[i] = model_memdev(&f.model, kernel);
	remote.below[1]->serial = OPT_U64(MLD_SERIAL);
	made_bridges(&f.model, kernel);
	make_switch();
	f.switches = remote.readings;
}

void stop_remote(void)
{
	stop();
	remote.readings = NULL;
	f.switches = switch_readings_unref(f.switches);
}

struct fmapi_record *made_record(enum fmapi_event_log log, enum fmapi_record_kind kind,
				 uint16_t handle)
{
	static const uint8_t first_of_uuid[] = {0xee, 0x77, 0x40, 0x8d};
	struct event_log_reading *l = &remote.sw->logs[log];
	struct fmapi_record *rec = &l->records[l->n++];

	ck_assert_uint_le(l->n, RECORDS);
	l->known = true;
	rec->log = rec->severity = (uint8_t)log;
	rec->kind = kind;
	rec->handle = handle;
	rec->raw[0] = first_of_uuid[kind];
	rec->raw[0x11] = (uint8_t)log;
	rec->raw[0x14] = (uint8_t)handle;
	rec->raw[0x15] = (uint8_t)(handle >> 8);
	return rec;
}
