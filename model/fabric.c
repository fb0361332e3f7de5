// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/fabric.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/fabric_private.h"
#include "model/topology.h"

/* A port of the kernel that has dports, and the fabric ports of its dports. */
struct node {
	const struct port *port;
	struct fabric_port *down; /* one for each dport */
};

struct build {
	const struct host *host;
	const struct memdev_ids *ids;
	struct arena *arena;
	struct fabric *f;
	struct node *nodes; /* sorted by the address of the port */
	size_t n_nodes;
};

static int compare_pointers(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

	return (x > y) - (x < y);
}

static int compare_nodes(const void *a, const void *b)
{
	return compare_pointers(((const struct node *)a)->port, ((const struct node *)b)->port);
}

static int compare_windows(const void *a, const void *b)
{
	return compare_pointers(((const struct fabric_window *)a)->decoder,
				((const struct fabric_window *)b)->decoder);
}

/* Adds @object unless the list has it anywhere; for short lists. */
static int fabric_list_add_once(struct arena *a, struct fabric_list *list, const void *object)
{
	for (const struct fabric_item *i = list->first; i; i = i->next)
		if (i->object == object)
			return 0;
	return fabric_list_add(a, list, object);
}

/* ---- ports ------------------------------------------------------------------------------------
 */

static struct node *find_node(const struct build *b, const struct port *port)
{
	const struct node key = {.port = port};

	return bsearch(&key, b->nodes, b->n_nodes, sizeof(key), compare_nodes);
}

/* Return: the fabric port of a dport of @port; NULL when @dport is NULL or the port unknown. */
static struct fabric_port *find_down(const struct build *b, const struct port *port,
				     const struct dport *dport)
{
	struct node *node = dport ? find_node(b, port) : NULL;

	return node ? &node->down[dport - port->dports] : NULL;
}

static int make_down(struct build *b, const struct port *port, struct fabric_port **ret)
{
	struct arena *a = b->arena;
	struct fabric_port *down = ARENA_ARRAY(a, port->n_dports, struct fabric_port);

	if (!down)
		return -ENOMEM;
	for (size_t i = 0; i < port->n_dports; i++) {
		const struct dport *d = &port->dports[i];
		unsigned long long id = d->id;

		down[i].kind = port->kind == PORT_SWITCH ? FABRIC_SWITCH_DOWN : FABRIC_HOST_PORT;
		down[i].port = port;
		down[i].dport = d;
		down[i].pci = d->pci;
		if (port->kind == PORT_SWITCH)
			down[i].id = arena_printf(a, "D%llu", id);
		else if (stable_id_fits(d->name))
			down[i].id = stable_id_of_name(a, d->name);
		else
			down[i].id = arena_printf(a, "dport%llu", id);
		if (!down[i].id)
			return -ENOMEM;
	}
	*ret = down;
	return 0;
}

static int make_nodes(struct build *b)
{
	const struct host *h = b->host;
	int r = 0;

	b->nodes = ARENA_ARRAY(b->arena, h->n_ports, struct node);
	if (!b->nodes)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_ports && r >= 0; i++) {
		struct node *node = &b->nodes[b->n_nodes];

		if (h->ports[i]->kind == PORT_ENDPOINT)
			continue;
		node->port = h->ports[i];
		r = make_down(b, node->port, &node->down);
		b->n_nodes++;
	}
	if (r >= 0 && b->n_nodes > 1)
		qsort(b->nodes, b->n_nodes, sizeof(*b->nodes), compare_nodes);
	return r;
}

/* ---- host bridges -----------------------------------------------------------------------------
 */

/* @port: NULL for an RCH; @dport: of the root, NULL when not known; @ports: the bridge's own */
static int add_bridge(struct build *b, const struct port *port, const struct dport *dport,
		      struct fabric_port *ports, size_t n_ports)
{
	struct fabric_bridge *bridge = ARENA_NEW(b->arena, struct fabric_bridge);
	struct fabric_port *of_root = port ? find_down(b, port->parent, dport) : ports;

	if (!bridge)
		return -ENOMEM;
	bridge->name = dport ? dport->name : port->host;
	bridge->dport = dport;
	bridge->ports = ports;
	bridge->n_ports = n_ports;
	for (size_t i = 0; i < n_ports; i++)
		ports[i].bridge = bridge;
	/* connect_windows() looks it up there. */
	if (of_root)
		of_root->bridge = bridge;
	return fabric_list_add(b->arena, &b->f->bridges, bridge);
}

/* ---- switches ---------------------------------------------------------------------------------
 */

static int add_switch(struct build *b, const struct port *port)
{
	struct fabric_switch *sw = ARENA_NEW(b->arena, struct fabric_switch);
	struct node *node = find_node(b, port);

	if (!sw)
		return -ENOMEM;
	sw->port = port;
	sw->down = node->down;
	sw->n_down = port->n_dports;
	sw->up = (struct fabric_port){
		.kind = FABRIC_SWITCH_UP, .id = "U1", .port = port, .pci = port->pci, .sw = sw};
	for (size_t i = 0; i < sw->n_down; i++)
		sw->down[i].sw = sw;
	return fabric_list_add(b->arena, &b->f->switches, sw);
}

static int add_bridges_and_switches(struct build *b)
{
	const struct host *h = b->host;
	int r = 0;

	for (size_t i = 0; i < h->n_ports && r >= 0; i++) {
		const struct port *p = h->ports[i];

		if (p->kind == PORT_HOST_BRIDGE)
			r = add_bridge(b, p, p->parent_dport, find_node(b, p)->down, p->n_dports);
		else if (p->kind == PORT_SWITCH)
			r = add_switch(b, p);
	}
	return r;
}

static void name_switch(struct fabric_switch *sw, const char *id)
{
	sw->id = id;
	sw->up.owner_id = id;
	for (size_t i = 0; i < sw->n_down; i++)
		sw->down[i].owner_id = id;
}

static int name_switches(struct build *b)
{
	struct switch_facts *facts = ARENA_ARRAY(b->arena, b->f->switches.n, struct switch_facts);
	size_t n = 0;

	if (!facts)
		return -ENOMEM;
	for (const struct fabric_item *i = b->f->switches.first; i; i = i->next) {
		const struct port *p = ((const struct fabric_switch *)i->object)->port;

		facts[n++] = (struct switch_facts){.serial = p->pci ? p->pci->config.serial
								    : (struct opt_u64){0},
						   .slot = p->slot,
						   .address = p->host,
						   .name = p->name};
	}
	if (switch_ids_make(b->arena, facts, n) < 0)
		return -ENOMEM;
	n = 0;
	for (const struct fabric_item *i = b->f->switches.first; i; i = i->next)
		name_switch(i->object, facts[n++].id);
	return 0;
}

static int connect_switches(struct build *b)
{
	int r = 0;

	for (const struct fabric_item *i = b->f->switches.first; i && r >= 0; i = i->next) {
		struct fabric_switch *sw = i->object;

		r = fabric_connect(b->arena, &sw->up,
				   find_down(b, sw->port->parent, sw->port->parent_dport));
	}
	return r;
}

/* ---- devices ----------------------------------------------------------------------------------
 */

static int connect_device(struct build *b, struct fabric_port *device)
{
	const struct port *endpoint = device->memdev->endpoint;
	struct fabric_port *down;
	int r = 0;

	device->port = endpoint;
	if (!endpoint || !endpoint->parent)
		return 0;
	down = find_down(b, endpoint->parent, endpoint->parent_dport);
	if (down && endpoint->parent->kind == PORT_ROOT) {
		/* Only an RCH has its device on the root itself. */
		if (!down->bridge)
			r = add_bridge(b, NULL, down->dport, down, 1);
		else if (down->bridge->ports != down)
			return 0;
	}
	return r < 0 ? r : fabric_connect(b->arena, device, down);
}

static int add_devices(struct build *b)
{
	const struct host *h = b->host;
	struct fabric_port *devices = ARENA_ARRAY(b->arena, h->n_memdevs, struct fabric_port);
	int r = 0;

	if (!devices)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_memdevs; i++)
		devices[i] = (struct fabric_port){.kind = FABRIC_DEVICE_PORT,
						  .id = "1",
						  .owner_id = memdev_id(b->ids, h->memdevs[i]),
						  .pci = h->memdevs[i]->pci,
						  .memdev = h->memdevs[i],
						  .memory_id = memdev_id(b->ids, h->memdevs[i])};
	fabric_sort_devices(devices, h->n_memdevs);
	b->f->devices = devices;
	b->f->n_devices = h->n_memdevs;
	/* In the host's order, for the lists. */
	for (size_t i = 0; i < h->n_memdevs && r >= 0; i++)
		r = connect_device(b, fabric_device_port(b->f, h->memdevs[i]));
	return r;
}

/* ---- names of host bridges --------------------------------------------------------------------
 */

/* @firmware: firmware node of the bridge; NULL to use its kernel name */
static const char *bridge_id(struct build *b, const struct fabric_bridge *bridge,
			     const char *firmware, size_t number)
{
	if (firmware && stable_id_fits(firmware))
		return stable_id_of_name(b->arena, firmware);
	if (stable_id_fits(bridge->name))
		return stable_id_of_name(b->arena, bridge->name);
	return arena_printf(b->arena, "bridge%zu", number);
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp((*(struct fabric_bridge *const *)a)->id,
		      (*(struct fabric_bridge *const *)b)->id);
}

/*
 * Firmware describes each host bridge by a node of its own. A capture may claim the same node for
 * several; these get Ids from their kernel names.
 */
static int rename_duplicates(struct build *b, struct fabric_bridge **bridges, size_t n)
{
	size_t end;

	qsort(bridges, n, sizeof(*bridges), compare_ids);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && compare_ids(&bridges[i], &bridges[end]) == 0; end++)
			;
		for (size_t k = i; end - i > 1 && k < end; k++) {
			bridges[k]->id = bridge_id(b, bridges[k], NULL, k);
			if (!bridges[k]->id)
				return -ENOMEM;
		}
	}
	return 0;
}

static int name_bridges(struct build *b)
{
	struct fabric_bridge **bridges =
		ARENA_ARRAY(b->arena, b->f->bridges.n, struct fabric_bridge *);
	size_t n = 0;

	if (!bridges)
		return -ENOMEM;
	for (const struct fabric_item *i = b->f->bridges.first; i; i = i->next) {
		struct fabric_bridge *bridge = i->object;

		bridge->id = bridge_id(b, bridge,
				       bridge->dport ? bridge->dport->firmware_node : NULL, n);
		if (!bridge->id)
			return -ENOMEM;
		bridges[n++] = bridge;
	}
	if (n > 1 && rename_duplicates(b, bridges, n) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < bridges[i]->n_ports; k++)
			bridges[i]->ports[k].owner_id = bridges[i]->id;
	return 0;
}

/* ---- initiators -------------------------------------------------------------------------------
 */

static struct opt_int node_near(const struct fabric_port *p)
{
	const struct fabric_port *peer = p->peers.first ? p->peers.first->object : NULL;

	if (p->pci && p->pci->numa_node.present)
		return p->pci->numa_node;
	if (peer && peer->memdev)
		return peer->memdev->numa_node;
	return (struct opt_int){0};
}

static const struct cpu_package *package_of(const struct host *h,
					    const struct fabric_bridge *bridge)
{
	const struct cpu_package *found = NULL;

	for (size_t i = 0; i < bridge->n_ports; i++) {
		const struct cpu_package *one = package_of_node(h, node_near(&bridge->ports[i]));

		if (one && found && one != found)
			return NULL;
		if (one)
			found = one;
	}
	return found;
}

static struct fabric_initiator *new_initiator(struct build *b, const struct fabric_bridge *bridge,
					      const struct cpu_package *package)
{
	struct fabric_initiator *i = ARENA_NEW(b->arena, struct fabric_initiator);

	if (!i)
		return NULL;
	if (package) {
		i->id = arena_printf(b->arena, "CPU%u", package->id);
		i->package = package;
		b->f->by_package[package - b->host->packages] = i;
	} else {
		i->id = bridge->id;
		i->bridge = bridge;
		b->f->n_adapters++;
	}
	return i->id && fabric_list_add(b->arena, &b->f->initiators, i) >= 0 ? i : NULL;
}

static int add_initiator(struct build *b, struct fabric_bridge *bridge)
{
	const struct cpu_package *package = package_of(b->host, bridge);
	int r = 0;

	if (package)
		bridge->initiator = b->f->by_package[package - b->host->packages];
	if (!bridge->initiator)
		bridge->initiator = new_initiator(b, bridge, package);
	if (!bridge->initiator)
		return -ENOMEM;
	for (size_t i = 0; i < bridge->n_ports && r >= 0; i++)
		r = fabric_list_add(b->arena, &bridge->initiator->ports, &bridge->ports[i]);
	return r;
}

static int add_initiators(struct build *b)
{
	int r = 0;

	b->f->by_package = ARENA_ARRAY(b->arena, b->host->n_packages, struct fabric_initiator *);
	if (!b->f->by_package)
		return -ENOMEM;
	for (const struct fabric_item *i = b->f->bridges.first; i && r >= 0; i = i->next)
		r = add_initiator(b, i->object);
	return r;
}

/* ---- windows and regions ----------------------------------------------------------------------
 */

static struct fabric_window *find_window(const struct fabric *f, const struct decoder *decoder)
{
	const struct fabric_window key = {.decoder = decoder};

	return bsearch(&key, f->windows, f->n_windows, sizeof(key), compare_windows);
}

static int make_windows(struct build *b)
{
	const struct host *h = b->host;
	struct fabric *f = b->f;
	size_t n = 0;

	for (size_t i = 0; i < h->n_decoders; i++)
		n += h->decoders[i]->port->kind == PORT_ROOT;
	f->windows = ARENA_ARRAY(b->arena, n, struct fabric_window);
	if (!f->windows)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_decoders; i++)
		if (h->decoders[i]->port->kind == PORT_ROOT)
			f->windows[f->n_windows++].decoder = h->decoders[i];
	if (n > 1)
		qsort(f->windows, n, sizeof(f->windows[0]), compare_windows);
	return 0;
}

/* To each host bridge the windows that have it as a target, in the host's order. */
static int connect_windows(struct build *b)
{
	const struct host *h = b->host;

	for (size_t i = 0; i < h->n_decoders; i++) {
		const struct decoder *d = h->decoders[i];

		for (size_t k = 0; d->port->kind == PORT_ROOT && k < d->n_targets; k++) {
			struct fabric_port *p = find_down(b, d->port, d->targets[k].dport);
			struct fabric_list *windows = p && p->bridge ? &p->bridge->windows : NULL;

			/* A bridge may be the target in several positions. */
			if (!windows || (windows->last && windows->last->object == d))
				continue;
			if (fabric_list_add(b->arena, windows, d) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static struct fabric_bridge *bridge_above(const struct fabric_port *p)
{
	while (p && p->kind != FABRIC_HOST_PORT)
		if (p->kind == FABRIC_SWITCH_DOWN)
			/* The host does not reach a port that it does not see. */
			p = p->port ? &p->sw->up : NULL;
		else
			p = p->above;
	return p ? p->bridge : NULL;
}

/* To each host bridge and each of its windows the devices below it, in the host's order. */
static int add_windows(struct build *b)
{
	const struct host *h = b->host;
	int r;

	r = make_windows(b);
	if (r >= 0)
		r = connect_windows(b);
	for (size_t i = 0; i < h->n_memdevs && r >= 0; i++) {
		struct fabric_port *device = fabric_device_port(b->f, h->memdevs[i]);
		struct fabric_bridge *bridge = bridge_above(device);
		const struct fabric_item *w = bridge ? bridge->windows.first : NULL;

		if (bridge)
			r = fabric_list_add(b->arena, &bridge->devices, device);
		for (; w && r >= 0; w = w->next)
			r = fabric_list_add(b->arena, &find_window(b->f, w->object)->devices,
					    device);
	}
	return r;
}

static int add_target(struct build *b, struct fabric_region *fr, const struct memdev *memdev)
{
	struct fabric_port *device = memdev ? fabric_device_port(b->f, memdev) : NULL;
	const struct fabric_bridge *bridge;
	struct arena *a = b->arena;

	if (!device)
		return 0;
	if (fabric_list_add_once(a, &fr->targets, device) < 0 ||
	    fabric_list_add(a, &device->regions, fr) < 0)
		return -ENOMEM;
	bridge = fabric_bridge_of(device);
	if (!bridge)
		return 0;
	if (fabric_list_add_once(a, &fr->initiators, bridge->initiator) < 0)
		return -ENOMEM;
	return fabric_list_add(a, &bridge->initiator->regions, fr);
}

static int add_regions(struct build *b)
{
	const struct host *h = b->host;
	int r = 0;

	for (size_t i = 0; i < host_n_mappings(h) && r >= 0; i++) {
		const struct region *region = host_mapping_at(h, i);
		struct fabric_region *fr;

		if (!region->root)
			continue;
		fr = ARENA_NEW(b->arena, struct fabric_region);
		if (!fr)
			return -ENOMEM;
		fr->region = region;
		r = fabric_list_add(b->arena, &b->f->regions, fr);
		for (size_t k = 0; k < region->n_targets && r >= 0; k++)
			r = add_target(b, fr, region->targets[k].memdev);
	}
	return r;
}

struct fabric *fabric_new(struct arena *a, const struct host *host, const struct memdev_ids *ids,
			  const struct switch_readings *switches)
{
	static int (*const steps[])(struct build *) = {
		make_nodes,	add_bridges_and_switches,
		name_switches,	connect_switches,
		add_devices,	name_bridges,
		add_initiators, add_windows,
		add_regions,
	};
	struct build b = {
		.host = host,
		.ids = ids,
		.arena = a,
		.f = ARENA_NEW(a, struct fabric),
	};

	if (!b.f)
		return NULL;
	b.f->host = host;
	b.f->exists = host_has_cxl(host);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		if (steps[i](&b) < 0)
			return NULL;
	if (switches && fabric_add_mailboxes(a, b.f, ids, switches) < 0)
		return NULL;
	return b.f;
}

const struct fabric_list *fabric_window_devices(const struct fabric *f,
						const struct decoder *window)
{
	return &find_window(f, window)->devices;
}

const struct fabric_bridge *fabric_bridge_of(const struct fabric_port *p)
{
	return bridge_above(p);
}

const struct fabric_initiator *fabric_initiator_of(const struct fabric *f,
						   const struct cpu_package *package)
{
	return f->by_package[package - f->host->packages];
}

bool fabric_region_in_use(const struct fabric_region *fr)
{
	return fr->region->enabled;
}
