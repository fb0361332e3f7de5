// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/fabric_use.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "model/topology.h"

/* Adds a reason, once. */
static void add_use(struct fabric_use *u, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add_use(struct fabric_use *u, const char *fmt, ...)
{
	char text[FABRIC_USE_TEXT];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	for (size_t i = 0; i < u->n; i++)
		if (str_equal(u->reasons[i], text))
			return;
	if (u->n < FABRIC_USES_MAX)
		memcpy(u->reasons[u->n++], text, sizeof(text));
}

/* ---- this host --------------------------------------------------------------------------------
 */

static void add_dax(struct fabric_use *u, const struct region *r, const struct dax_device *d)
{
	switch (d->mode) {
	case DAX_MODE_SYSTEM_RAM:
		if (!d->online_blocks.present)
			add_use(u, "%s of %s may be online as memory", d->name, r->name);
		else if (d->online_blocks.value > 0)
			add_use(u, "%s of %s is online as memory, %" PRIu64 " blocks", d->name,
				r->name, d->online_blocks.value);
		break;
	case DAX_MODE_DEVDAX:
		add_use(u, "%s of %s is held as a device that programs can map", d->name, r->name);
		break;
	case DAX_MODE_UNKNOWN:
		break;
	}
}

static void add_region(struct fabric_use *u, const struct region *r, const struct memdev *m)
{
	if (!r->enabled && r->commit == REGION_NOT_COMMITTED)
		return;
	if (r->resource.present)
		add_use(u, "%s of %s is mapped at 0x%" PRIx64, r->name, m->name, r->resource.value);
	else
		add_use(u, "%s of %s is mapped", r->name, m->name);
	for (size_t i = 0; r->dax && i < r->dax->n_devices; i++)
		add_dax(u, r, r->dax->devices[i]);
	if (r->namespaces.present && r->namespaces.value > 0)
		add_use(u, "%s has %" PRIu64 " namespaces", r->name, r->namespaces.value);
}

static bool has_target(const struct region *r, const struct memdev *m)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].memdev == m)
			return true;
	return false;
}

static void add_memdev(struct fabric_use *u, const struct host *h, const struct memdev *m)
{
	const struct port *p = m->endpoint;

	for (size_t i = 0; i < h->n_regions; i++)
		if (has_target(h->regions[i], m))
			add_region(u, h->regions[i], m);
	for (size_t i = 0; p && i < p->n_decoders; i++) {
		const struct decoder *d = p->decoders[i];

		if (decoder_mapped_by(d))
			add_region(u, decoder_mapped_by(d), m);
		else if (decoder_is_committed(d))
			add_use(u, "%s of %s is committed without a region", d->name, m->name);
	}
}

/* Whether the way from the device up leads through the dport, or through any of the port. */
static bool is_below(const struct memdev *m, const struct port *port, const struct dport *dport)
{
	for (const struct port *p = m->endpoint; p; p = p->parent)
		if (p->parent == port && (!dport || p->parent_dport == dport))
			return true;
	return false;
}

/* Whether the device is below a bridge by its path, of which @address is a component. */
static bool is_on_path(const struct memdev *m, const char *address)
{
	const size_t len = address ? strlen(address) : 0;

	for (const char *s = m->path; s && len > 0; s = strchr(s, '/')) {
		s += *s == '/';
		if (strncmp(s, address, len) == 0 && (s[len] == '/' || s[len] == '\0'))
			return true;
	}
	return false;
}

/*
 * A device without endpoint has decoders that the kernel does not show, which firmware may have
 * committed. Return: the number of devices that the host sees there.
 */
static size_t add_below(struct fabric_use *u, const struct host *h, const struct port *port,
			const struct dport *dport)
{
	size_t n = 0;

	for (size_t i = 0; port && i < h->n_memdevs; i++) {
		const struct memdev *m = h->memdevs[i];

		if (is_below(m, port, dport))
			add_memdev(u, h, m);
		else if (!m->endpoint && is_on_path(m, dport ? dport->name : port->host))
			add_use(u, "%s may be mapped: its decoders are not known", m->name);
		else
			continue;
		n++;
	}
	return n;
}

/* ---- vPPBs ------------------------------------------------------------------------------------
 */

static bool may_have_memory(const struct port_reading *p)
{
	switch (p ? p->state.device_type : FMAPI_DEVICE_SLD) {
	case FMAPI_DEVICE_NONE:
	case FMAPI_DEVICE_PCIE:
	case FMAPI_DEVICE_TYPE1:
		return false;
	default:
		return true;
	}
}

static bool is_other_serial(const struct memdev *m, const struct fmapi_identity *i)
{
	return i->serial && m->serial.present && m->serial.value != i->serial;
}

/*
 * Whether what this host sees below a bridge is another device than the one that answers through
 * the mailbox there: then the bridge is another vPPB than its number says. @ld: NULL without
 */
static bool sees_other(const struct host *h, const struct fabric_port *bridge,
		       const struct device_reading *d, const struct ld_reading *ld)
{
	for (size_t i = 0; d && d->has_identity && i < h->n_memdevs; i++)
		if (is_below(h->memdevs[i], bridge->port, bridge->dport) &&
		    is_other_serial(h->memdevs[i], &d->identity) &&
		    (!ld || !ld->has_identity || is_other_serial(h->memdevs[i], &ld->identity)))
			return true;
	return false;
}

/* Adds the devices that this host sees below the bridge of a vPPB. Return: false when it is not
 * known. */
static bool add_bridge(struct fabric_use *u, const struct host *h, const struct fabric_vppb *v)
{
	const struct port_reading *p = v->port ? v->port->physical : NULL;
	const size_t n = add_below(u, h, v->bridge->port, v->bridge->dport);

	/* A device that it does not see may be held by another driver, and its memory by a guest.
	 */
	if (n == 0)
		return !may_have_memory(p);
	return !p || !sees_other(h, v->bridge, p->device, v->ld ? v->ld->reading : NULL);
}

/* Adds the devices that this host sees and that are bound to one of its vPPBs. Return: false when
 * it is not known. */
static bool add_own(struct fabric_use *u, const struct fabric *f, const struct fabric_vppb *v)
{
	const struct memdev *m = NULL;

	if (v->bridge && v->bridge->port)
		return add_bridge(u, f->host, v);
	if (v->ld)
		m = v->ld->memdev;
	else if (v->port && v->port->device)
		m = v->port->device->memdev;
	if (m)
		add_memdev(u, f->host, m);
	return m && m->endpoint;
}

static void add_vppb(struct fabric_use *u, const struct fabric *f, const struct fabric_vppb *v)
{
	const unsigned int vcs = v->vcs->reading->id;

	if (v->state->binding == FMAPI_UNBOUND) {
		if (v->vcs->own && v->bridge)
			(void)add_below(u, f->host, v->bridge->port, v->bridge->dport);
		return;
	}
	if (!v->vcs->own)
		add_use(u, "vPPB %u of VCS %u is bound: the host of this VCS may use it", v->index,
			vcs);
	else if (!add_own(u, f, v))
		add_use(u, "vPPB %u of VCS %u is bound to this host, which may use it", v->index,
			vcs);
}

/* All that is below the upstream port of a VCS. */
static void add_vcs(struct fabric_use *u, const struct fabric *f, const struct fabric_vcs *vcs)
{
	if (vcs->own)
		(void)add_below(u, f->host, vcs->sw->port, NULL);
	if (!vcs->reading->vppbs)
		add_use(u, "bindings of VCS %u are not known", vcs->reading->id);
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		if (vcs->vppbs[i].index > 0)
			add_vppb(u, f, &vcs->vppbs[i]);
}

static bool is_bound_to(const struct fabric_vppb *v, uint8_t port, uint16_t ld)
{
	switch (v->state->binding) {
	case FMAPI_UNBOUND:
		return false;
	case FMAPI_BOUND_PORT:
		return v->state->port == port;
	case FMAPI_BOUND_LD:
		return v->state->port == port && (ld == FMAPI_NO_LD || v->state->ld == ld);
	default: /* in progress, or by another identifier: to what is not known */
		return true;
	}
}

static const struct fabric_vcs *find_vcs(const struct fabric_switch *sw, uint8_t id)
{
	for (size_t i = 0; i < sw->n_vcs; i++)
		if (sw->vcs[i].reading->id == id)
			return &sw->vcs[i];
	return NULL;
}

/* A switch that reports some of its virtual switches may have bound anything in the others. */
static void add_unread(struct fabric_use *u, const struct fabric_switch *sw)
{
	for (unsigned int id = 0; id < FMAPI_VCS_MAX; id++) {
		const struct fabric_vcs *vcs = find_vcs(sw, (uint8_t)id);

		if (vcs ? !vcs->reading->vppbs : fmapi_bit(sw->reading->sw.active_vcs, id))
			add_use(u, "bindings of VCS %u are not known", id);
	}
}

/* @ld: FMAPI_NO_LD for all of the port */
static void add_bindings(struct fabric_use *u, const struct fabric *f,
			 const struct fabric_switch *sw, uint8_t port, uint16_t ld)
{
	if (sw->n_vcs == 0)
		add_use(u, "to which host port %u is bound is not known", port);
	add_unread(u, sw);
	for (size_t i = 0; i < sw->n_vcs; i++) {
		const struct fabric_vcs *vcs = &sw->vcs[i];

		for (size_t k = 0; k < vcs->n_vppbs; k++)
			if (vcs->vppbs[k].index > 0 && is_bound_to(&vcs->vppbs[k], port, ld))
				add_vppb(u, f, &vcs->vppbs[k]);
	}
}

/* Adds a bound port: it cannot be bound once more, whether its host uses it or not. */
static void add_bound(struct fabric_use *u, const struct fabric_switch *sw, uint8_t port,
		      uint16_t ld)
{
	add_unread(u, sw);
	for (size_t i = 0; i < sw->n_vcs; i++) {
		const struct fabric_vcs *vcs = &sw->vcs[i];

		for (size_t k = 0; k < vcs->n_vppbs; k++)
			if (vcs->vppbs[k].index > 0 && is_bound_to(&vcs->vppbs[k], port, ld))
				add_use(u, "vPPB %u of VCS %u has it, or may have it",
					vcs->vppbs[k].index, vcs->reading->id);
	}
}

/* ---- ports and LDs ----------------------------------------------------------------------------
 */

static bool is_empty(const struct port_reading *p)
{
	return p && !p->device && p->state.device_type == FMAPI_DEVICE_NONE;
}

/* The commands of virtual switches are for those that have more than one (CXL 3.2 7.6.7.2). */
static bool has_one_host(const struct switch_reading *r)
{
	return r->has_switch && r->sw.n_vcs <= 1;
}

static void add_upstream(struct fabric_use *u, const struct fabric *f,
			 const struct fabric_switch *sw, uint8_t port)
{
	bool found = false;

	if (sw->reading->has_switch && sw->reading->sw.ingress_port == port)
		(void)add_below(u, f->host, sw->port, NULL);
	for (size_t i = 0; i < sw->n_vcs; i++) {
		if (sw->vcs[i].reading->usp != port)
			continue;
		add_vcs(u, f, &sw->vcs[i]);
		found = true;
	}
	if (!found)
		add_use(u, "which host is connected to port %u is not known", port);
}

/* Adds the devices that the host sees behind the port, whatever is known of bindings. */
static bool add_seen(struct fabric_use *u, const struct fabric *f, const struct fabric_switch *sw,
		     const struct port_reading *physical)
{
	for (size_t i = 0; physical && i < sw->n_down; i++) {
		if (sw->down[i].physical != physical)
			continue;
		if (add_below(u, f->host, sw->down[i].port, sw->down[i].dport) == 0
			    ? may_have_memory(physical)
			    : sees_other(f->host, &sw->down[i], physical->device, NULL))
			add_use(u, "port %u has a device that this host may use",
				physical->state.id);
		return true;
	}
	return false;
}

static void add_port(struct fabric_use *u, const struct fabric *f, const struct fabric_switch *sw,
		     uint8_t port)
{
	const struct port_reading *p = switch_port(sw->reading, port);
	bool seen;

	if (p && p->state.config == FMAPI_PORT_USP) {
		add_upstream(u, f, sw, port);
		return;
	}
	/* A link to another switch has what is bound beyond it. */
	if (!p || (p->state.config != FMAPI_PORT_DSP && p->state.config != FMAPI_PORT_DISABLED))
		add_use(u, "what port %u is connected to is not known", port);
	seen = add_seen(u, f, sw, p);
	if (sw->n_vcs == 0 && (is_empty(p) || (seen && has_one_host(sw->reading))))
		return;
	add_bindings(u, f, sw, port, FMAPI_NO_LD);
}

/* Whether it has the serial number of the MLD, or of the LD, and is known as none of its LDs. */
static bool may_be_ld(const struct memdev *m, const struct fabric_device *d, uint16_t ld)
{
	const struct device_reading *r = d->reading;
	bool same =
		r->has_identity && r->identity.serial && opt_u64_is(m->serial, r->identity.serial);

	for (size_t i = 0; i < d->n_lds; i++) {
		const struct ld_reading *l = d->lds[i].reading;

		if (d->lds[i].memdev == m)
			return false;
		if (l->id == ld && l->has_identity && l->identity.serial)
			same |= opt_u64_is(m->serial, l->identity.serial);
	}
	return same;
}

static const struct fabric_device *find_device(const struct fabric_switch *sw, uint8_t port)
{
	for (size_t i = 0; i < sw->n_devices; i++)
		if (sw->devices[i].port->physical &&
		    sw->devices[i].port->physical->state.id == port)
			return &sw->devices[i];
	return NULL;
}

static void add_ld(struct fabric_use *u, const struct fabric *f, const struct fabric_switch *sw,
		   uint8_t port, uint16_t ld)
{
	const struct fabric_device *d = find_device(sw, port);
	const struct host *h = f->host;

	if (!d)
		add_use(u, "the device on port %u is not known any more", port);
	for (size_t i = 0; d && i < d->n_lds; i++)
		if (d->lds[i].reading->id == ld && d->lds[i].memdev)
			add_memdev(u, h, d->lds[i].memdev);
	for (size_t i = 0; d && sw->port && i < h->n_memdevs; i++)
		if (may_be_ld(h->memdevs[i], d, ld) && is_below(h->memdevs[i], sw->port, NULL))
			add_memdev(u, h, h->memdevs[i]);
	add_bindings(u, f, sw, port, ld);
}

/* ---- changes ----------------------------------------------------------------------------------
 */

/* vPPB 0 is the upstream one, by which all others are reached. */
static void add_vppb_of(struct fabric_use *u, const struct fabric *f,
			const struct fabric_switch *sw, const struct switch_change *c)
{
	const struct fabric_vcs *vcs = find_vcs(sw, c->vcs);

	if (!vcs || c->vppb >= vcs->n_vppbs)
		add_use(u, "the binding of vPPB %u of VCS %u is not known", c->vppb, c->vcs);
	else if (c->vppb == 0)
		add_vcs(u, f, vcs);
	else
		add_vppb(u, f, &vcs->vppbs[c->vppb]);
}

const struct fabric_switch *fabric_switch_of(const struct fabric *f, const char *name)
{
	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading && str_equal(sw->reading->name, name))
			return sw;
	}
	return NULL;
}

void fabric_use(const struct fabric *f, const struct switch_change *c, struct fabric_use *ret)
{
	const struct fabric_switch *sw = fabric_switch_of(f, c->name);

	ret->n = 0;
	if (!sw) {
		add_use(ret, "the switch %s is not known any more", c->name);
		return;
	}
	switch (c->kind) {
	case SWITCH_RESET_PORT:
	case SWITCH_RESET_PPB:
		add_port(ret, f, sw, c->port);
		break;
	case SWITCH_BIND:
		add_bound(ret, sw, c->port, c->ld);
		break;
	case SWITCH_UNBIND:
		add_vppb_of(ret, f, sw, c);
		break;
	case SWITCH_GENERATE_AER:
		if (c->aer.uncorrectable)
			add_vppb_of(ret, f, sw, c);
		break;
	case SWITCH_SET_LD_ALLOCATIONS:
		for (size_t i = 0; i < c->allocations.n; i++)
			add_ld(ret, f, sw, c->port, (uint16_t)(c->ld + i));
		break;
	case SWITCH_SET_QOS_CONTROL:
	case SWITCH_SET_ALLOCATED_BW:
	case SWITCH_SET_BW_LIMIT:
	case SWITCH_SET_DC_REGION:
		break;
	}
}
