// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Whether devices can be at given positions, as cxl_region_attach_position() and
// cxl_port_setup_targets() of drivers/cxl/core/region.c decide it.
#include <errno.h>
#include <inttypes.h>

#include "model/region_plan_private.h"

enum { GRANULARITY_MIN = 256, GRANULARITY_MAX = 16384, PORT_WAYS_MAX = 8 };

bool plan_port_granularity(uint64_t granularity)
{
	return granularity >= GRANULARITY_MIN && granularity <= GRANULARITY_MAX;
}

uint64_t plan_bridge_granularity(const struct plan *p)
{
	unsigned int ways = p->window_ways;

	/* The window divides by 3 itself; decoders below it use bits of the address. */
	return p->granularity * (ways % 3 ? ways : ways / 3);
}

/* Devices below one port: every @stride-th position from @first on. */
struct members {
	const struct plan *plan;
	const struct plan_device *devices;
	unsigned int first, stride, n;
	uint64_t granularity; /* of a decoder of that port */
};

static const struct memdev *member(const struct members *m, unsigned int i)
{
	return m->devices[m->first + i * m->stride].memdev;
}

static const struct dport *member_dport(const struct members *m, const struct port *port,
					unsigned int i)
{
	const struct port *step = plan_step(port, member(m, i));

	return step ? step->parent_dport : NULL;
}

static unsigned int count_dports(const struct members *m, const struct port *port)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < m->n; i++) {
		unsigned int k = 0;

		while (k < i && member_dport(m, port, k) != member_dport(m, port, i))
			k++;
		n += k == i;
	}
	return n;
}

static int refuse_ways(const struct members *m, const struct port *port, unsigned int ways,
		       struct error *e)
{
	return error_set(
		e, EINVAL,
		"%s %s cannot interleave the %u devices below it over %u ports: Linux accepts 1, 2, 4 or 8 ports with equally many devices each",
		port_kind_name(port->kind), port->name, m->n, ways);
}

static int refuse_granularity(const struct members *m, const struct port *port, struct error *e)
{
	return error_set(
		e, EINVAL,
		"%s %s would have to interleave at %" PRIu64
		" bytes, and decoders can at most at %d: use a lower granularity, or devices that are not below the same port",
		port_kind_name(port->kind), port->name, m->granularity, GRANULARITY_MAX);
}

/* Members @ways apart are below the same dport, and no others. */
static int check_dports(const struct members *m, const struct port *port, unsigned int ways,
			struct error *e)
{
	for (unsigned int i = 0; i < m->n; i++)
		for (unsigned int k = 0; k < i; k++) {
			const struct dport *a = member_dport(m, port, i);
			bool same = a == member_dport(m, port, k);

			if (a && same == (i % ways == k % ways))
				continue;
			return error_set(
				e, EINVAL,
				"%s cannot be at position %u while %s is at position %u: %s %s interleaves over %u ports, so these positions have to be below %s",
				member(m, i)->name, m->first + i * m->stride, member(m, k)->name,
				m->first + k * m->stride, port_kind_name(port->kind), port->name,
				ways, same ? "different ports" : "the same port");
		}
	return 0;
}

static int check_port(const struct members *m, const struct port *port, struct error *e)
{
	unsigned int ways = count_dports(m, port);
	int r;

	if (port->kind == PORT_ENDPOINT)
		return m->n == 1 ? 0 : refuse_ways(m, port, 0, e);
	if ((ways & (ways - 1)) || ways > PORT_WAYS_MAX || m->n % ways)
		return refuse_ways(m, port, ways, e);
	if (ways > 1 && !plan_port_granularity(m->granularity))
		return refuse_granularity(m, port, e);
	r = check_dports(m, port, ways, e);
	for (unsigned int i = 0; i < ways && r == 0; i++) {
		const struct members below = {
			m->plan,	  m->devices,  m->first + i * m->stride,
			m->stride * ways, m->n / ways, m->granularity * ways};

		r = check_port(&below, plan_step(port, member(m, i)), e);
	}
	return r;
}

static int check_target(const struct plan *p, const struct plan_device *d, unsigned int position,
			struct error *e)
{
	const struct dport *dport = p->window->targets[position % p->window_ways].dport;
	const struct port *step = plan_step(p->window->port, d->memdev);

	if (step->parent_dport == dport)
		return 0;
	return error_set(
		e, EINVAL,
		"%s cannot be at position %u: that is below %s in window %s, and %s is below %s",
		d->memdev->name, position, dport->name, p->window->name, d->memdev->name,
		step->parent_dport->name);
}

/* Restricted devices (RCD) have no host bridge with decoders; Linux does not mix them with others.
 */
static int check_kinds(const struct plan *p, const struct plan_device *devices, unsigned int ways,
		       struct error *e)
{
	const struct port *root = p->window->port;
	bool first = devices[0].memdev->endpoint->parent == root;

	for (unsigned int i = 1; i < ways; i++)
		if ((devices[i].memdev->endpoint->parent == root) != first)
			return error_set(
				e, EINVAL,
				"%s and %s cannot be in one region: only one of them is a restricted device (RCD)",
				devices[0].memdev->name, devices[i].memdev->name);
	return 0;
}

int plan_check_order(const struct plan *p, const struct plan_device *devices, unsigned int ways,
		     struct error *e)
{
	int r = check_kinds(p, devices, ways, e);

	for (unsigned int i = 0; i < ways && r == 0; i++)
		r = check_target(p, &devices[i], i, e);
	for (unsigned int i = 0; i < p->window_ways && r == 0; i++) {
		const struct members m = {p,
					  devices,
					  i,
					  p->window_ways,
					  ways / p->window_ways,
					  plan_bridge_granularity(p)};

		r = check_port(&m, plan_step(p->window->port, devices[i].memdev), e);
	}
	return r;
}
