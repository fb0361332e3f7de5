// SPDX-License-Identifier: LGPL-2.1-or-later
/* The presets of the model, and its event records. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/switch_model_private.h"

#define GIB		 (UINT64_C(1) << 30)
#define SERIAL_OF_SWITCH UINT64_C(0x5157000000000001)
#define SERIAL_OF_PORT	 UINT64_C(0x3d10000000000000) /* and the port, and above it the LD + 1 */
#define FIRST_RECORD_NS	 UINT64_C(1772600767000000000)
#define SECOND_NS	 UINT64_C(1000000000)

enum {
	VENDOR = 0x1e98,
	SPEEDS_TO_32GT = 0x1f,
	CONFIG_DSP = 3,
	CONFIG_USP = 4,
	LTSSM_DETECT = 0,
	LTSSM_L0 = 4,
	PRESENT = 4,
	BOUND_PORT = 2,
	BOUND_LD = 3,
};

static struct model_identity identity_of(uint16_t device, uint64_t serial, uint8_t component)
{
	return (struct model_identity){
		.vendor = VENDOR,
		.device = device,
		.subsystem_vendor = VENDOR,
		.subsystem = 0x1100,
		.serial = serial,
		.max_message = 11,
		.component = component,
	};
}

static void set_mld(struct model_device *d, uint8_t port, uint16_t n_lds)
{
	d->n_lds = n_lds;
	d->n_enabled = (uint8_t)n_lds;
	d->memory_size = 64 * GIB;
	d->telemetry = 3;
	d->backpressure = 7;
	/* Both mechanisms off, 10 and 25 percent, 8, 0, 64: the defaults of the specification. */
	memcpy(d->qos, (const uint8_t[]){0, 10, 25, 8, 0, 0, 64}, sizeof(d->qos));
	for (uint16_t i = 0; i < n_lds; i++) {
		d->lds[i].range1 = d->memory_size / (GIB / 4) / n_lds;
		d->lds[i].allocated = (uint8_t)(256 / n_lds < 255 ? 256 / n_lds : 255);
		d->lds[i].limit = 255;
		d->lds[i].identity =
			identity_of(0x0d93, SERIAL_OF_PORT + port + (i + UINT64_C(1)) * 256, 3);
	}
}

void switch_model_set_device(struct switch_model *m, uint8_t port, enum model_device_kind kind,
			     uint16_t n_lds)
{
	static const uint8_t types[] = {0, 1, 4, 5};
	struct model_port *p = &m->ports[port];
	const bool cxl = kind >= MODEL_SLD;

	p->exists = true;
	p->config = CONFIG_DSP;
	p->supported_modes = 0x06;
	p->max_width = 16;
	p->speeds = SPEEDS_TO_32GT;
	p->max_speed = 5;
	p->additional_lds = 15;
	p->device_mode = cxl ? 2 : 0;
	p->device_type = types[kind];
	p->width = kind != MODEL_NO_DEVICE ? 8 : 0;
	p->speed = kind != MODEL_NO_DEVICE ? 5 : 0;
	p->ltssm = kind != MODEL_NO_DEVICE ? LTSSM_L0 : LTSSM_DETECT;
	p->link_flags = kind != MODEL_NO_DEVICE ? PRESENT : 0;
	free(p->device.dcd);
	p->device = (struct model_device){.kind = kind};
	if (cxl)
		p->device.identity = identity_of(0x0d93, SERIAL_OF_PORT + port, 3);
	if (kind == MODEL_MLD)
		set_mld(&p->device, port, n_lds);
}

void switch_model_overlap_lds(struct model_device *d)
{
	d->memory_size = GIB;
}

static void set_usp(struct switch_model *m, uint8_t port)
{
	m->ports[port] = (struct model_port){
		.exists = true,
		.config = CONFIG_USP,
		.supported_modes = 0x06,
		.max_width = 16,
		.width = 16,
		.speeds = SPEEDS_TO_32GT,
		.max_speed = 5,
		.speed = 5,
		.ltssm = LTSSM_L0,
		.link_flags = PRESENT,
	};
}

static void set_vcs(struct switch_model *m, uint8_t vcs, uint8_t usp, uint16_t n_vppbs)
{
	struct model_vcs *v = &m->vcs[vcs];

	v->exists = true;
	v->enabled = true;
	v->usp = usp;
	v->n_vppbs = n_vppbs;
	v->vppbs[0] = (struct model_vppb){.binding = BOUND_PORT, .port = usp};
}

void switch_model_add_record(struct switch_model *m, unsigned int log, enum model_record_kind kind,
			     const uint8_t *body, size_t len)
{
	static const uint8_t uuids[][16] = {
		[MODEL_RECORD_PORT] = {0x77, 0xcf, 0x92, 0x71, 0x9c, 0x02, 0x47, 0x0b, 0x9f, 0xe4,
				       0xbc, 0x7b, 0x75, 0xf2, 0xda, 0x97},
		[MODEL_RECORD_VCS] = {0x40, 0xd2, 0x64, 0x25, 0x33, 0x96, 0x4c, 0x4d, 0xa5, 0xda,
				      0x3d, 0x47, 0x26, 0x3a, 0xf4, 0x25},
		[MODEL_RECORD_MLD] = {0x8d, 0xc4, 0x43, 0x63, 0x0c, 0x96, 0x47, 0x10, 0xb7, 0xbf,
				      0x04, 0xbb, 0x99, 0x53, 0x4c, 0x3f},
		[MODEL_RECORD_OTHER] = {0x6d, 0x6f, 0x64, 0x65, 0x6c},
	};
	struct model_log *l = &m->logs[log];
	struct model_out o;

	if (l->n == MODEL_RECORDS) {
		l->first_lost_ns = l->overflow ? l->first_lost_ns : m->time_ns;
		l->last_lost_ns = m->time_ns;
		l->overflow = true;
		l->n_lost++;
		m->time_ns += SECOND_NS;
		return;
	}
	memset(l->records[l->n], 0, MODEL_RECORD_SIZE);
	o = (struct model_out){.p = l->records[l->n], .max = MODEL_RECORD_SIZE};
	put_bytes(&o, uuids[kind], 16);
	put8(&o, MODEL_RECORD_SIZE);
	put8(&o, log);
	put_zeros(&o, 2);
	put16(&o, l->n + 1); /* a handle of 0 is reserved */
	put16(&o, 0);
	put64(&o, m->time_ns);
	put_zeros(&o, 16);
	put_bytes(&o, body, len);
	m->time_ns += SECOND_NS;
	l->n++;
}

static void add_records(struct switch_model *m)
{
	/* ERR_COR of the MLD on port 1; the link of port 3 went down. */
	static const uint8_t mld[] = {0, 1, 0, 0, 0x30, 0, 0, 0, 0x01, 0, 0, 0x30};
	static const uint8_t link[] = {3, 0, 0, 0, 0, CONFIG_DSP, 0, 0, 0, 6, 16, 0, 0x1f, 5};

	switch_model_add_record(m, 1, MODEL_RECORD_MLD, mld, sizeof(mld));
	switch_model_add_record(m, 0, MODEL_RECORD_PORT, link, sizeof(link));
}

static void make_small(struct switch_model *m)
{
	set_usp(m, 0);
	switch_model_set_device(m, 1, MODEL_MLD, 4);
	switch_model_set_device(m, 2, MODEL_SLD, 0);
	switch_model_set_device(m, 3, MODEL_NO_DEVICE, 0);
	switch_model_set_device(m, 4, MODEL_NO_DEVICE, 0);
	set_vcs(m, 0, 0, 5);
	m->vcs[0].vppbs[1] = (struct model_vppb){.binding = BOUND_LD, .port = 1, .ld = 0};
	m->vcs[0].vppbs[2] = (struct model_vppb){.binding = BOUND_PORT, .port = 2};
	add_records(m);
}

static void make_large(struct switch_model *m)
{
	enum { USPS = 4, MLDS = 16, LDS = 16, SLDS = 64 };

	for (uint8_t i = 0; i < USPS; i++) {
		set_usp(m, i);
		set_vcs(m, i, i, 1 + MLDS + SLDS / USPS);
	}
	for (size_t i = USPS; i < MODEL_PORTS; i++)
		switch_model_set_device(m, (uint8_t)i, MODEL_NO_DEVICE, 0);
	for (uint8_t i = 0; i < MLDS; i++) {
		switch_model_set_device(m, USPS + i, MODEL_MLD, LDS);
		for (uint8_t v = 0; v < USPS; v++)
			m->vcs[v].vppbs[1 + i] =
				(struct model_vppb){.binding = BOUND_LD, .port = USPS + i, .ld = v};
	}
	for (uint8_t i = 0; i < SLDS; i++) {
		switch_model_set_device(m, USPS + MLDS + i, MODEL_SLD, 0);
		m->vcs[i % USPS].vppbs[1 + MLDS + i / USPS] =
			(struct model_vppb){.binding = BOUND_PORT, .port = USPS + MLDS + i};
	}
	add_records(m);
}

struct switch_model *switch_model_new(enum switch_model_preset preset)
{
	struct switch_model *m = calloc(1, sizeof(*m));

	ck_assert_ptr_nonnull(m);
	(void)pthread_mutex_init(&m->lock, NULL);
	m->identity = identity_of(0xa123, SERIAL_OF_SWITCH, 0);
	m->n_hdm_decoders = 4;
	m->time_ns = FIRST_RECORD_NS;
	m->payload_max = 2048;
	m->step = 25;
	m->regs = 0x1000;
	m->mailbox = 0x200;
	m->bar_size = 0x10000;
	m->delay = 2;
	if (preset == MODEL_SMALL)
		make_small(m);
	else
		make_large(m);
	return m;
}
