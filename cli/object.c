// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/object.h"

#include <errno.h>
#include <stdio.h>

#include "cli/operands.h"
#include "common/strutil.h"
#include "sysfs/memdev_operand.h"

static bool find_region(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_REGION;
	o->region = host_mapping(host, s);
	o->name = o->region ? o->region->name : NULL;
	return o->region;
}

static bool find_decoder(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_DECODER;
	o->decoder = host_decoder(host, s);
	o->name = o->decoder ? o->decoder->name : NULL;
	return o->decoder;
}

static bool find_port(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_PORT;
	o->port = host_port(host, s);
	o->name = o->port ? o->port->name : NULL;
	return o->port;
}

/* The device that a port is: "pci0000:0c", or the upstream port of a switch. */
static bool find_port_by_host(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_PORT;
	for (size_t i = 0; i < host->n_ports; i++) {
		if (!str_equal(host->ports[i]->host, s))
			continue;
		o->port = host->ports[i];
		o->name = o->port->name;
		return true;
	}
	return false;
}

static bool find_dport(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_DPORT;
	for (size_t i = 0; i < host->n_ports; i++)
		for (size_t k = 0; k < host->ports[i]->n_dports; k++) {
			if (!str_equal(host->ports[i]->dports[k].name, s))
				continue;
			o->port = host->ports[i];
			o->dport = &host->ports[i]->dports[k];
			o->name = o->dport->name;
			return true;
		}
	return false;
}

static bool find_dax_device(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_DAX_DEVICE;
	for (size_t i = 0; i < host->n_dax_regions; i++)
		for (size_t k = 0; k < host->dax_regions[i]->n_devices; k++) {
			if (!str_equal(host->dax_regions[i]->devices[k]->name, s))
				continue;
			o->dax_device = host->dax_regions[i]->devices[k];
			o->name = o->dax_device->name;
			return true;
		}
	return false;
}

static bool find_dax_region(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_DAX_REGION;
	for (size_t i = 0; i < host->n_dax_regions; i++) {
		(void)snprintf(o->text, sizeof(o->text), "dax_region%u", host->dax_regions[i]->id);
		if (!str_equal(o->text, s))
			continue;
		o->dax_region = host->dax_regions[i];
		o->name = o->text;
		return true;
	}
	return false;
}

static bool find_function(const struct host *host, const char *s, struct object *o)
{
	o->kind = OBJECT_FUNCTION;
	for (size_t i = 0; i < host->n_unclaimed; i++) {
		if (!str_equal(host->unclaimed[i].pci->bdf, s))
			continue;
		o->function = &host->unclaimed[i];
		o->name = o->function->pci->bdf;
		return true;
	}
	return false;
}

/* ---- switches ---------------------------------------------------------------------------------
 */

static bool find_ld(const struct fabric_device *d, const char *s, struct object *o)
{
	o->kind = OBJECT_LD;
	for (size_t i = 0; d && i < d->n_lds; i++) {
		o->ld = &d->lds[i];
		if (str_equal(switch_ld_name(o->ld, o->text), s))
			return true;
	}
	return false;
}

static bool find_switch_port(const struct fabric_switch *sw, const char *s, struct object *o)
{
	for (size_t i = 0; i < sw->reading->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &sw->reading->ports[i]);

		if (!p)
			continue;
		if (find_ld(p->device, s, o))
			return true;
		o->kind = OBJECT_SWITCH_PORT;
		o->switch_port = p;
		if (str_equal(switch_port_name(p, o->text), s))
			return true;
	}
	return false;
}

static bool find_vcs(const struct fabric_switch *sw, const char *s, struct object *o)
{
	for (size_t i = 0; i < sw->n_vcs; i++) {
		o->kind = OBJECT_VCS;
		o->vcs = &sw->vcs[i];
		if (str_equal(switch_vcs_name(o->vcs, o->text), s))
			return true;
		o->kind = OBJECT_VPPB;
		for (size_t k = 0; k < sw->vcs[i].n_vppbs; k++) {
			o->vppb = &sw->vcs[i].vppbs[k];
			if (str_equal(switch_vppb_name(o->vppb, o->text), s))
				return true;
		}
	}
	return false;
}

static bool find_in_switch(const struct fabric_switch *sw, const char *s, struct object *o)
{
	if (str_equal(sw->id, s) || str_equal(sw->reading->name, s)) {
		o->kind = OBJECT_SWITCH;
		o->sw = sw;
		o->name = sw->id;
		return true;
	}
	o->name = o->text;
	return find_switch_port(sw, s, o) || find_vcs(sw, s, o);
}

static bool find_switch(const struct fabric *f, const char *s, struct object *o)
{
	for (const struct fabric_item *i = f ? f->switches.first : NULL; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading && find_in_switch(sw, s, o))
			return true;
	}
	return false;
}

int object_find(const struct host *host, const struct fabric *f, const char *s, struct object *ret,
		struct error *e)
{
	static bool (*const kinds[])(const struct host *, const char *, struct object *) = {
		find_region, find_decoder,    find_port,       find_port_by_host,
		find_dport,  find_dax_device, find_dax_region, find_function,
	};
	bool memdev = operand_is_memdev(s);
	int r = -ENODEV;

	*ret = (struct object){.kind = OBJECT_HOST, .name = "host"};
	if (str_equal(s, ret->name))
		return 0;
	ret->kind = OBJECT_MEMDEV;
	if (memdev)
		r = operand_memdev(host, s, &ret->memdev, e);
	if (memdev && r >= 0) {
		ret->name = ret->memdev->name;
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i](host, s, ret))
			return 0;
	if (find_switch(f, s, ret))
		return 0;
	if (memdev)
		return r;
	return error_set(e, ENODEV, "%.64s: no such object; cxl-spa list shows the names", s);
}
