// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The choice of a window's devices for a region, and of their order: the devices below it as a tree
// of ports, from which each number of ways is tried.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "model/region_fit.h"
#include "model/region_plan_private.h"

enum {
	DEPTH_MAX = 8,	   /* ports between a window and a device */
	CLASSES_MAX = 16,  /* QoS classes that are tried, beside that of the window */
	PORT_WAYS_MAX = 8, /* of decoders of bridges and switches (cxl_port_setup_targets()) */
};

/* A port, or an endpoint with what its device can give. */
struct node {
	const struct port *port;
	struct plan_device device;
	struct node *children; /* those below which there is a device */
	size_t n;
};

/* The properties that devices must have. */
struct filter {
	uint64_t share;
	bool one_class; /* only devices of qos_class */
	struct opt_int qos_class;
};

struct tree {
	const struct plan *plan;
	const struct plan_device *only; /* its devices are some of these; NULL: all of the host */
	size_t n_only;
	struct node bridges[INTERLEAVE_WAYS_MAX]; /* by target of the window */
	/* Free capacity of all devices in the tree. */
	uint64_t *free;
	struct opt_int classes[CLASSES_MAX];
	size_t n_devices, n_classes;
};

/* ---- the tree ---------------------------------------------------------------------------------
 */

static bool same_class(struct opt_int a, struct opt_int b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static void tree_add_device(struct tree *t, const struct plan_device *d)
{
	size_t i = 0;

	t->free[t->n_devices++] = d->free;
	while (i < t->n_classes && !same_class(t->classes[i], d->qos_class))
		i++;
	if (i == t->n_classes && i < CLASSES_MAX)
		t->classes[t->n_classes++] = d->qos_class;
}

static bool find_device(const struct tree *t, const struct port *endpoint, struct plan_device *ret)
{
	if (!endpoint->memdev)
		return false;
	for (size_t i = 0; t->only && i < t->n_only; i++) {
		if (t->only[i].memdev != endpoint->memdev)
			continue;
		*ret = t->only[i];
		return true;
	}
	return !t->only && plan_device(t->plan, endpoint->memdev, ret, NULL) == 0 && ret->free > 0;
}

/* PCI addresses are hexadecimal; of other names the numbers at their ends are decimal. */
static int compare_dports(const void *a, const void *b)
{
	const char *x = ((const struct node *)a)->port->parent_dport->name;
	const char *y = ((const struct node *)b)->port->parent_dport->name;
	const size_t n = strlen(x), m = strlen(y);

	return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

/*
 * Ports below a port are in the order of their dports, which are PCI addresses: that of their own
 * names is the order in which Linux probed them, and another one after the next boot.
 * Return: 1 when there is a device at or below the port; 0; -ENOMEM.
 */
static int node_init(struct tree *t, const struct port *port, unsigned int depth, struct node *ret)
{
	*ret = (struct node){.port = port};
	if (port->kind == PORT_ENDPOINT) {
		if (!find_device(t, port, &ret->device))
			return 0;
		tree_add_device(t, &ret->device);
		return 1;
	}
	if (depth == DEPTH_MAX || !port->n_children)
		return 0;
	ret->children = ARENA_ARRAY(t->plan->arena, port->n_children, struct node);
	if (!ret->children)
		return -ENOMEM;
	for (size_t i = 0; i < port->n_children; i++) {
		int r = node_init(t, port->children[i], depth + 1, &ret->children[ret->n]);

		if (r < 0)
			return r;
		ret->n += r > 0 && port->children[i]->parent_dport;
	}
	if (ret->n > 1)
		qsort(ret->children, ret->n, sizeof(*ret->children), compare_dports);
	return ret->n > 0;
}

static const struct port *below(const struct port *root, const struct dport *dport)
{
	for (size_t i = 0; dport && i < root->n_children; i++)
		if (root->children[i]->parent_dport == dport)
			return root->children[i];
	return NULL;
}

static int tree_init(struct tree *t, const struct plan *p, const struct plan_device *only,
		     size_t n_only)
{
	int r = 0;

	*t = (struct tree){.plan = p, .only = only, .n_only = n_only};
	t->free = ARENA_ARRAY(p->arena, p->host->n_ports, uint64_t);
	if (!t->free)
		return -ENOMEM;
	for (unsigned int i = 0; i < p->window_ways && r >= 0; i++) {
		const struct port *port = below(p->window->port, p->window->targets[i].dport);

		if (port)
			r = node_init(t, port, 0, &t->bridges[i]);
	}
	return r < 0 ? r : 0;
}

/* ---- whether a port can have so many of the region's devices below it -------------------------
 */

static bool device_fits(const struct plan_device *d, const struct filter *f)
{
	return d->memdev && d->free >= f->share &&
	       (!f->one_class || same_class(d->qos_class, f->qos_class));
}

static unsigned int port_ways(const struct node *n, unsigned int devices, uint64_t granularity,
			      const struct filter *f);

static bool node_can(const struct node *n, unsigned int devices, uint64_t granularity,
		     const struct filter *f)
{
	if (!n->port)
		return false;
	if (n->port->kind == PORT_ENDPOINT)
		return devices == 1 && device_fits(&n->device, f);
	return port_ways(n, devices, granularity, f) > 0;
}

static bool ways_are_possible(const struct node *n, unsigned int ways, unsigned int devices,
			      uint64_t granularity, const struct filter *f)
{
	const struct dport *last = NULL;
	unsigned int able = 0;

	for (size_t i = 0; i < n->n && able < ways; i++) {
		if (n->children[i].port->parent_dport == last ||
		    !node_can(&n->children[i], devices / ways, granularity * ways, f))
			continue;
		last = n->children[i].port->parent_dport;
		able++;
	}
	return able == ways;
}

/* Return: over how many of its ports a port is interleaved: the most that it can; 0 none. */
static unsigned int port_ways(const struct node *n, unsigned int devices, uint64_t granularity,
			      const struct filter *f)
{
	for (unsigned int ways = PORT_WAYS_MAX; ways > 0; ways /= 2)
		if (devices % ways == 0 && ways <= n->n &&
		    (ways == 1 || plan_port_granularity(granularity)) &&
		    ways_are_possible(n, ways, devices, granularity, f))
			return ways;
	return 0;
}

/* ---- the devices, in their positions ----------------------------------------------------------
 */

/* Positions @first, @first + @stride, ... of a region. */
struct positions {
	struct plan_device *devices;
	unsigned int first, stride, n;
};

/* Places devices below a port, for which node_can() is true. */
static void node_place(const struct node *n, const struct positions *at, uint64_t granularity,
		       const struct filter *f)
{
	const struct dport *last = NULL;
	unsigned int ways, k = 0;

	if (n->port->kind == PORT_ENDPOINT) {
		at->devices[at->first] = n->device;
		return;
	}
	ways = port_ways(n, at->n, granularity, f);
	for (size_t i = 0; i < n->n && k < ways; i++) {
		const struct positions next = {at->devices, at->first + k * at->stride,
					       at->stride * ways, at->n / ways};

		if (n->children[i].port->parent_dport == last ||
		    !node_can(&n->children[i], next.n, granularity * ways, f))
			continue;
		node_place(&n->children[i], &next, granularity * ways, f);
		last = n->children[i].port->parent_dport;
		k++;
	}
}

static bool tree_can(const struct tree *t, unsigned int ways, const struct filter *f)
{
	const struct plan *p = t->plan;

	for (unsigned int i = 0; i < p->window_ways; i++)
		if (!node_can(&t->bridges[i], ways / p->window_ways, plan_bridge_granularity(p), f))
			return false;
	return true;
}

static void tree_place(const struct tree *t, unsigned int ways, const struct filter *f,
		       struct plan_choice *ret)
{
	const struct plan *p = t->plan;

	for (unsigned int i = 0; i < p->window_ways; i++) {
		const struct positions at = {ret->devices, i, p->window_ways,
					     ways / p->window_ways};

		node_place(&t->bridges[i], &at, plan_bridge_granularity(p), f);
	}
	ret->ways = ways;
}

/* ---- how many, and how large ------------------------------------------------------------------
 */

/* Return: what each device has to give at least; 0 when so many cannot be. */
static uint64_t least_share(const struct plan *p, unsigned int ways, uint64_t size)
{
	if (size)
		return size % (ways * REGION_SHARE_BYTES) == 0 ? size / ways : 0;
	return p->extent / ways >= REGION_SHARE_BYTES ? REGION_SHARE_BYTES : 0;
}

/* Return: the most ways that devices with the filter have, 0 none. @ways: 0, or these only */
static unsigned int most_ways(const struct tree *t, unsigned int ways, uint64_t size,
			      struct filter *f)
{
	for (unsigned int i = INTERLEAVE_WAYS_MAX; i > 0; i--) {
		unsigned int each = i / t->plan->window_ways;

		if ((ways && i != ways) || i % t->plan->window_ways || (each & (each - 1)))
			continue;
		f->share = least_share(t->plan, i, size);
		if (f->share && tree_can(t, i, f))
			return i;
	}
	return 0;
}

static int compare_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sets the filter to the largest share that so many devices can give; t->free is sorted. */
static void raise_share(const struct tree *t, unsigned int ways, struct filter *f)
{
	size_t low = 0, high = t->n_devices;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct filter more = *f;

		more.share = t->free[middle];
		if (more.share <= f->share || tree_can(t, ways, &more)) {
			f->share = more.share > f->share ? more.share : f->share;
			low = middle + 1;
		} else {
			high = middle;
		}
	}
}

static void set_share(const struct plan *p, uint64_t size, struct plan_choice *c)
{
	c->share = size ? size / c->ways : p->extent / c->ways;
	for (unsigned int i = 0; i < c->ways && !size; i++)
		if (c->devices[i].free < c->share)
			c->share = c->devices[i].free;
	c->share = c->share / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
}

/* Tries one QoS class, and keeps it in @best when it has more ways. Return: whether it has. */
static bool try_class(const struct tree *t, unsigned int ways, uint64_t size, struct filter f,
		      struct filter *best, unsigned int *best_ways)
{
	unsigned int found = most_ways(t, ways, size, &f);

	if (found <= *best_ways)
		return false;
	*best = f;
	*best_ways = found;
	return true;
}

/* The class of the window first: what Linux says of its bandwidth is true for such devices only. */
static unsigned int best_class(const struct tree *t, unsigned int ways, uint64_t size,
			       struct filter *ret)
{
	struct opt_int class = t->plan->window->qos_class;
	unsigned int found = 0;

	if (class.present &&
	    try_class(t, ways, size, (struct filter){.one_class = true, .qos_class = class}, ret,
		      &found))
		return found;
	for (size_t i = 0; i < t->n_classes; i++)
		(void)try_class(t, ways, size,
				(struct filter){.one_class = true, .qos_class = t->classes[i]}, ret,
				&found);
	return found;
}

int plan_choose(const struct plan *p, const struct plan_device *only, size_t n, unsigned int ways,
		uint64_t size, struct plan_choice *ret)
{
	struct filter filter = {0};
	unsigned int found;
	struct tree t;
	int r = tree_init(&t, p, only, n);

	if (r < 0)
		return r;
	found = only ? most_ways(&t, ways, size, &filter) : best_class(&t, ways, size, &filter);
	if (!found)
		return 1;
	if (t.n_devices)
		qsort(t.free, t.n_devices, sizeof(*t.free), compare_u64);
	if (!size)
		raise_share(&t, found, &filter);
	*ret = (struct plan_choice){0};
	tree_place(&t, found, &filter, ret);
	set_share(p, size, ret);
	return 0;
}

/* ---- why there is no choice -------------------------------------------------------------------
 */

/* Counts the devices below a target of the window. @ret: the first that cannot be used, and why */
static size_t usable_below(const struct plan *p, const struct dport *dport, size_t *ret_all,
			   struct error *ret)
{
	struct plan_device d;
	size_t n = 0;

	for (size_t i = 0; i < p->host->n_memdevs; i++) {
		const struct memdev *m = p->host->memdevs[i];
		const struct port *step = plan_step(p->window->port, m);
		struct error e = {0};
		int r;

		if (!step || step->parent_dport != dport)
			continue;
		++*ret_all;
		r = plan_device(p, m, &d, &e);
		if (r == 0 && !d.free)
			r = plan_device_lacks(p, &d, REGION_SHARE_BYTES, &e);
		if (r == 0)
			n++;
		else if (!ret->code)
			*ret = e;
	}
	return n;
}

/* One target of the window without a device that can be used. Return: 0 when all have one. */
static int refuse_target(const struct plan *p, struct error *e)
{
	for (unsigned int i = 0; i < p->window_ways; i++) {
		const struct dport *dport = p->window->targets[i].dport;
		const char *name = dport ? dport->name : "its missing host bridge";
		struct error first = {0};
		size_t all = 0;

		if (usable_below(p, dport, &all, &first))
			continue;
		if (!all)
			return error_set(
				e, ENOSPC,
				"window %s needs a memory device below %s, and there is none: add one, or use another window",
				p->window->name, name);
		return error_set(
			e, first.code,
			"none of the %zu memory device%s below %s can be in a region of window %s: %s",
			all, all == 1 ? "" : "s", name, p->window->name, first.text);
	}
	return 0;
}

static int refuse_size(const struct plan *p, const struct plan_choice *most, uint64_t size,
		       struct error *e)
{
	char wanted[PLAN_SIZE_TEXT], total[PLAN_SIZE_TEXT], unit[PLAN_SIZE_TEXT];

	/* It is the window, and not the DPA, that a device cannot give more of. */
	if ((most->share + REGION_SHARE_BYTES) * most->ways > p->extent) {
		int r = plan_check_extent(p, size, e);

		if (r < 0)
			return r;
	}
	if (size > most->share * most->ways)
		return error_set(
			e, ENOSPC,
			"window %s has no %s for a region: the devices that can be interleaved have %s of free %s DPA together, %u-way; request at most that",
			p->window->name, plan_size(size, wanted),
			plan_size(most->share * most->ways, total), decoder_mode_name(p->mode),
			most->ways);
	return error_set(
		e, EINVAL,
		"%s cannot be divided among the devices of window %s: each gives whole multiples of 256 MiB, so %u devices need a multiple of %s",
		plan_size(size, wanted), p->window->name, most->ways,
		plan_size(most->ways * REGION_SHARE_BYTES, unit));
}

int plan_refuse(const struct plan *p, unsigned int ways, uint64_t size, struct error *e)
{
	struct plan_choice most;
	int r = refuse_target(p, e);

	if (r < 0)
		return r;
	r = plan_choose(p, NULL, 0, ways, 0, &most);
	if (r < 0)
		return r;
	if (r == 0)
		return refuse_size(p, &most, size, e);
	r = ways ? plan_choose(p, NULL, 0, 0, 0, &most) : 1;
	if (r < 0)
		return r;
	if (r == 0)
		return error_set(
			e, ENOSPC,
			"a region of %u ways cannot be made in window %s: at most %u of its devices with the same QoS class and free %s DPA can be interleaved evenly",
			ways, p->window->name, most.ways, decoder_mode_name(p->mode));
	return error_set(
		e, ENOSPC,
		"the devices of window %s cannot be interleaved: below each of its %u host bridges there has to be one with the same QoS class and 256 MiB of free %s DPA; name devices to mix classes",
		p->window->name, p->window_ways, decoder_mode_name(p->mode));
}
