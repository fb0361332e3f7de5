// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Lists, links, ports and devices of a fabric, for all that build or read it.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/fabric_private.h"

int fabric_list_add(struct arena *a, struct fabric_list *list, const void *object)
{
	struct fabric_item *item;

	if (list->last && list->last->object == object)
		return 0;
	item = ARENA_NEW(a, struct fabric_item);
	if (!item)
		return -ENOMEM;
	item->object = (void *)(uintptr_t)object;
	if (list->last)
		list->last->next = item;
	else
		list->first = item;
	list->last = item;
	list->n++;
	return 0;
}

int fabric_connect(struct arena *a, struct fabric_port *up, struct fabric_port *down)
{
	int r;

	if (!down)
		return 0;
	up->above = down;
	r = fabric_list_add(a, &down->peers, up);
	return r < 0 ? r : fabric_list_add(a, &up->peers, down);
}

static int compare_devices(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct fabric_port *)a)->memdev;
	uintptr_t y = (uintptr_t)((const struct fabric_port *)b)->memdev;

	return (x > y) - (x < y);
}

void fabric_sort_devices(struct fabric_port *devices, size_t n)
{
	if (n > 1)
		qsort(devices, n, sizeof(*devices), compare_devices);
}

struct fabric_port *fabric_device_port(const struct fabric *f, const struct memdev *memdev)
{
	const struct fabric_port key = {.memdev = memdev};

	return bsearch(&key, f->devices, f->n_devices, sizeof(key), compare_devices);
}

bool fabric_port_is_virtual(const struct fabric_port *p)
{
	return p->vppb && !p->physical;
}

struct fabric_port *fabric_physical_port(struct fabric_port *bridge)
{
	if (bridge->physical)
		return bridge;
	return bridge->vppb ? bridge->vppb->port : NULL;
}

const struct fabric_device *fabric_whole(const struct fabric_port *device)
{
	const struct fabric_device *d = device->memdev ? device->device : NULL;

	return d && d->memdev != device->memdev ? d : NULL;
}

const char *fabric_ld_id(const struct fabric_port *device)
{
	if (!fabric_whole(device))
		return "0";
	return device->ld ? device->ld->id : NULL;
}

const struct fabric_port *fabric_only_part(const struct fabric_device *d)
{
	return d->parts.n == 1 ? d->parts.first->object : NULL;
}

const struct fabric_vcs *fabric_device_vcs(const struct fabric_device *d)
{
	for (size_t i = 0; i < d->sw->n_vcs; i++) {
		const struct fabric_vcs *vcs = &d->sw->vcs[i];

		for (size_t k = 0; k < vcs->n_vppbs; k++)
			if (vcs->vppbs[k].state->binding == FMAPI_BOUND_PORT &&
			    vcs->vppbs[k].port == d->port)
				return vcs;
	}
	return NULL;
}

bool fabric_vcs_is_of_other_host(const struct fabric_vcs *vcs)
{
	return vcs && !vcs->own && vcs->usp;
}

bool fabric_device_is_sld(const struct fabric_device *d)
{
	const struct port_reading *on = d->port ? d->port->physical : NULL;

	return on && on->state.config == FMAPI_PORT_DSP &&
	       on->state.device_type == FMAPI_DEVICE_SLD && !d->reading->has_ld_info &&
	       d->parts.n == 0;
}

struct opt_u64 fabric_device_serial(const struct fabric_device *d)
{
	return d->serial_is_unique ? OPT_U64(d->reading->identity.serial) : (struct opt_u64){0};
}

struct opt_u64 fabric_ld_serial(const struct fabric_ld *ld)
{
	const struct ld_reading *r = ld->reading;
	struct opt_u64 serial = fabric_device_serial(ld->device);

	if (r->has_identity && r->identity.serial && r->identity.serial != serial.value)
		serial.present = false;
	return serial;
}
