// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/switch_fixture.h"

#include <check.h>

enum { SWITCHES = 8, ARRAY = 300, NOTES = 8 };

static void *make(struct switch_readings *r, size_t n, size_t size)
{
	void *p = arena_array(r->arena, n, size);

	ck_assert_ptr_nonnull(p);
	return p;
}

struct switch_reading *made_switch(struct switch_readings *r, const char *name)
{
	struct switch_reading *sw;

	if (!r->switches)
		r->switches = make(r, SWITCHES, sizeof(*r->switches));
	ck_assert_uint_lt(r->n_switches, SWITCHES);
	sw = &r->switches[r->n_switches++];
	*sw = (struct switch_reading){
		.name = name,
		.has_identity = true,
		.identity = {.vendor = 0x19e5,
			     .device = 0xa128,
			     .serial = 0x5000 + r->n_switches,
			     .component = FMAPI_COMPONENT_SWITCH},
		.serial = OPT_U64(0x5000 + r->n_switches),
		.has_switch = true,
		.sw = {.n_vcs = 2, .n_vppbs = 12, .n_bound_vppbs = 3, .n_hdm_decoders = 4},
		.ports = make(r, ARRAY, sizeof(*sw->ports)),
		.vcs = make(r, ARRAY, sizeof(*sw->vcs)),
		.notes = make(r, NOTES, sizeof(*sw->notes)),
	};
	return sw;
}

struct port_reading *made_port(struct switch_readings *r, struct switch_reading *sw, uint8_t id,
			       enum fmapi_port_config config)
{
	struct port_reading *p;

	(void)r;
	ck_assert_uint_lt(sw->n_ports, ARRAY);
	p = &sw->ports[sw->n_ports++];
	p->state = (struct fmapi_port){
		.id = id,
		.config = (uint8_t)config,
		.supported_modes = FMAPI_SUPPORTS_68B | FMAPI_SUPPORTS_256B,
		.max_width = 16,
		.width = 8,
		.speeds = 0x1f,
		.max_speed = 5,
		.speed = 4,
		.ltssm = 7,
		.link_flags = FMAPI_LINK_PRESENT,
	};
	if (config == FMAPI_PORT_DSP) {
		p->state.device_mode = FMAPI_MODE_68B;
		p->state.device_type = FMAPI_DEVICE_SLD;
	}
	sw->sw.n_ports++;
	return p;
}

struct device_reading *made_device(struct switch_readings *r, struct port_reading *port,
				   uint64_t serial)
{
	struct device_reading *d = make(r, 1, sizeof(*d));

	d->has_identity = true;
	d->identity = (struct fmapi_identity){.vendor = 0x8086,
					      .device = 0x0d93,
					      .serial = serial,
					      .component = FMAPI_COMPONENT_TYPE3};
	port->device = d;
	return d;
}

void made_lds(struct switch_readings *r, struct device_reading *device, size_t n)
{
	device->has_ld_info = true;
	device->ld_info = (struct fmapi_ld_info){.memory_size = n << 28, .n_lds = (uint16_t)n};
	device->granularity = OPT_U64(1 << 28);
	device->lds = make(r, n, sizeof(*device->lds));
	device->n_lds = n;
	for (size_t i = 0; i < n; i++) {
		device->lds[i].id = (uint16_t)i;
		device->lds[i].size = OPT_U64(1 << 28);
	}
}

struct vcs_reading *made_vcs(struct switch_readings *r, struct switch_reading *sw, uint8_t id,
			     uint8_t usp, size_t n_vppbs)
{
	struct vcs_reading *v;

	ck_assert_uint_lt(sw->n_vcs, ARRAY);
	v = &sw->vcs[sw->n_vcs++];
	*v = (struct vcs_reading){
		.id = id,
		.state = FMAPI_VCS_ENABLED,
		.usp = usp,
		.vppbs = make(r, n_vppbs, sizeof(*v->vppbs)),
		.n_vppbs = n_vppbs,
	};
	if (n_vppbs > 0)
		v->vppbs[0] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = usp};
	return v;
}

void made_note(struct switch_readings *r, struct switch_reading *sw, const char *note)
{
	(void)r;
	ck_assert_uint_lt(sw->n_notes, NOTES);
	((const char **)(uintptr_t)sw->notes)[sw->n_notes++] = note;
}

static const struct pci_function *made_bridge(struct model *m, const char *bdf)
{
	struct pci_function *pci = ARENA_NEW(m->arena, struct pci_function);

	ck_assert_ptr_nonnull(pci);
	pci->bdf = bdf;
	pci->vendor = OPT_U64(0x19e5);
	pci->device = OPT_U64(0xa128);
	pci->class_code = OPT_U64(0x060400);
	pci->current_link_speed = "16.0 GT/s PCIe";
	pci->max_link_speed = "32.0 GT/s PCIe";
	pci->current_link_width = OPT_U64(4);
	pci->max_link_width = OPT_U64(16);
	return pci;
}

void made_bridges(struct model *m, struct port *sw)
{
	sw->host = "0000:0d:00.0";
	sw->pci = made_bridge(m, sw->host);
	for (size_t i = 0; i < sw->n_dports; i++) {
		struct dport *d = (struct dport *)(uintptr_t)&sw->dports[i];

		d->name = arena_printf(m->arena, "0000:0e:%02zx.0", i);
		d->id = i + 1;
		d->pci = made_bridge(m, d->name);
	}
}
