// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/region_fit.h"

#include "common/strutil.h"
#include "prm/region_order.h"
#include "model/topology.h"

/* ---- what a device can give -------------------------------------------------------------------
 */

bool decoder_dpa(const struct decoder *d, uint64_t *ret_first, uint64_t *ret_last)
{
	if (!d->dpa_resource.present || !d->dpa_size.present || !d->dpa_size.value ||
	    d->dpa_size.value - 1 > UINT64_MAX - d->dpa_resource.value)
		return false;
	*ret_first = d->dpa_resource.value;
	*ret_last = d->dpa_resource.value + (d->dpa_size.value - 1);
	return true;
}

uint64_t memdev_mappable(const struct memdev *m, const struct partition *p)
{
	uint64_t first = p->offset, last = p->offset + (p->size - 1), dpa_first, dpa_last;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		if (!decoder_dpa(m->endpoint->decoders[i], &dpa_first, &dpa_last) ||
		    dpa_last < first)
			continue;
		if (dpa_last >= last)
			return 0;
		first = dpa_last + 1;
	}
	return (last - first + 1) / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
}

const struct decoder *memdev_next_decoder(const struct memdev *m)
{
	const struct decoder *next = NULL;

	for (size_t i = m->endpoint ? m->endpoint->n_decoders : 0; i > 0; i--) {
		if (decoder_is_used(m->endpoint->decoders[i - 1]))
			break;
		next = m->endpoint->decoders[i - 1];
	}
	return next;
}

const struct dport *memdev_root_dport(const struct memdev *m, const struct port **ret_root)
{
	const struct port *below = m->endpoint;

	/* A host bridge; of a restricted CXL device (RCD) the endpoint itself. */
	while (below && !(below->parent && below->parent->kind == PORT_ROOT))
		below = below->parent;
	if (!below)
		return NULL;
	if (ret_root)
		*ret_root = below->parent;
	return below->parent_dport;
}

uint64_t region_share(const struct region *r)
{
	uint64_t cache =
		r->extended_linear_cache_size.present ? r->extended_linear_cache_size.value : 0;

	if (!r->size.present || !r->ways.present || !r->ways.value || cache > r->size.value)
		return 0;
	return (r->size.value - cache) / r->ways.value;
}

/* A decoder whose DPA was reserved for such a region, as detaching a target leaves it. */
static bool is_reserved_for(const struct decoder *d, const struct region *r)
{
	return !d->region && str_equal(decoder_mode_word(d), region_mode_word(r)) &&
	       d->dpa_resource.present && opt_u64_is(d->dpa_size, region_share(r)) &&
	       (!decoder_is_committed(d) || region_decoder_at(d->port, r) == d);
}

static bool partition_has_share(const struct memdev *m, const struct region *r)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	/* Capacity of another mode has no known place, so none of it is known to be free. */
	if (r->mode == DECODER_MODE_OTHER)
		return false;
	for (size_t i = 0; i < n; i++)
		if (parts[i].persistent == (r->mode == DECODER_MODE_PMEM) &&
		    memdev_mappable(m, &parts[i]) >= region_share(r))
			return true;
	return false;
}

/* Sets the decoder of @fit. Return: whether its device can give the region's share. */
static bool fit_set_decoder(struct region_fit *fit, const struct region *r)
{
	const struct port *endpoint = fit->memdev->endpoint;

	for (size_t i = 0; i < endpoint->n_decoders; i++) {
		if (!is_reserved_for(endpoint->decoders[i], r))
			continue;
		fit->decoder = endpoint->decoders[i];
		fit->reserved = true;
		return true;
	}
	fit->decoder = memdev_next_decoder(fit->memdev);
	fit->reserved = false;
	return fit->decoder && partition_has_share(fit->memdev, r);
}

/* ---- routes -----------------------------------------------------------------------------------
 */

/* A device and its position among those below one port. */
struct route_member {
	const struct memdev *memdev;
	unsigned int index;
};

struct route {
	struct route_member members[INTERLEAVE_WAYS_MAX];
	size_t n;
	unsigned int ways; /* of all members, those that are missing included */
};

/* Return: the port or endpoint right below @port that leads to the device. */
static const struct port *step_to(const struct port *port, const struct memdev *m)
{
	const struct port *p = m->endpoint;

	while (p && p->parent != port)
		p = p->parent;
	return p;
}

/* Members with the same remainder must be below the same dport, others below different ones. */
static bool remainders_are_dports(const struct port *port, const struct route *route,
				  unsigned int ways)
{
	for (size_t i = 0; i < route->n; i++) {
		const struct port *a = step_to(port, route->members[i].memdev);

		for (size_t k = 0; k < i; k++) {
			const struct port *b = step_to(port, route->members[k].memdev);
			bool same =
				route->members[i].index % ways == route->members[k].index % ways;

			if (!a || !b || same != (a->parent_dport == b->parent_dport))
				return false;
		}
	}
	return true;
}

static bool route_exists(const struct port *port, const struct route *route);

/* Whether the members with each remainder have a route below their dport. */
static bool routes_below_exist(const struct port *port, const struct route *route,
			       unsigned int ways)
{
	for (unsigned int remainder = 0; remainder < ways; remainder++) {
		struct route below = {.ways = route->ways / ways};

		for (size_t i = 0; i < route->n; i++)
			if (route->members[i].index % ways == remainder)
				below.members[below.n++] = (struct route_member){
					route->members[i].memdev, route->members[i].index / ways};
		if (below.n && !route_exists(step_to(port, below.members[0].memdev), &below))
			return false;
	}
	return true;
}

/* Return: whether the decoders from @port down can interleave the members as their indexes say. */
static bool route_exists(const struct port *port, const struct route *route)
{
	if (!port || port->kind == PORT_ENDPOINT)
		return port && route->ways == 1;
	for (unsigned int ways = 1; ways <= route->ways; ways++)
		if (route->ways % ways == 0 && (!port->n_dports || ways <= port->n_dports) &&
		    remainders_are_dports(port, route, ways) &&
		    routes_below_exist(port, route, ways))
			return true;
	return false;
}

/* ---- the search -------------------------------------------------------------------------------
 */

/* Enough for any real host; a made-up one ends with fewer fits. */
enum { FIT_STEPS_MAX = 4096 };

struct fit_search {
	const struct host *host;
	const struct region *region;
	const struct memdev *members[INTERLEAVE_WAYS_MAX]; /* by position; NULL where empty */
	struct region_fits *fits;
	unsigned int steps;
};

static bool is_member(const struct fit_search *s, const struct memdev *m)
{
	for (size_t i = 0; i < s->region->n_targets; i++)
		if (s->members[i] == m)
			return true;
	return false;
}

/* Return: whether the members below the bridge of @position have a route. */
static bool position_has_route(const struct fit_search *s, unsigned int position)
{
	const struct decoder *window = s->region->root;
	unsigned int window_ways = (unsigned int)window->n_targets;
	struct route route = {.ways = (unsigned int)s->region->n_targets / window_ways};
	const struct dport *dport = window->targets[position % window_ways].dport;
	const struct port *bridge = NULL;

	for (unsigned int i = position % window_ways; i < s->region->n_targets; i += window_ways) {
		if (!s->members[i])
			continue;
		if (!dport || memdev_root_dport(s->members[i], NULL) != dport)
			return false;
		bridge = step_to(window->port, s->members[i]);
		route.members[route.n++] = (struct route_member){s->members[i], i / window_ways};
	}
	return bridge && route_exists(bridge, &route);
}

/* Return: whether the device can be the member at that position; it is then in s->members. */
static bool fit_try(struct fit_search *s, const struct memdev *m, unsigned int position,
		    struct region_fit *fit)
{
	*fit = (struct region_fit){.position = position, .memdev = m};
	if (!m->endpoint || !m->endpoint->enabled || is_member(s, m) ||
	    !fit_set_decoder(fit, s->region))
		return false;
	s->members[position] = m;
	if (position_has_route(s, position))
		return true;
	s->members[position] = NULL;
	return false;
}

/*
 * Fills the empty positions from @position on. @all: gives up unless all can be filled, and tries
 * other devices for the positions before; otherwise each position gets the first that fits.
 */
static bool fit_positions(struct fit_search *s, unsigned int position, bool all)
{
	struct region_fit fit;

	while (position < s->region->n_targets && s->members[position])
		position++;
	if (position == s->region->n_targets)
		return true;
	for (size_t i = 0; i < s->host->n_memdevs && s->steps < FIT_STEPS_MAX; i++) {
		if (!fit_try(s, s->host->memdevs[i], position, &fit))
			continue;
		s->steps++;
		s->fits->items[s->fits->n++] = fit;
		if (fit_positions(s, position + 1, all) || !all)
			return true;
		s->fits->n--;
		s->members[position] = NULL;
	}
	return all ? false : fit_positions(s, position + 1, false);
}

static void fit_search_reset(struct fit_search *s)
{
	for (size_t i = 0; i < s->region->n_targets; i++)
		s->members[i] = s->region->targets[i].memdev;
	s->fits->n = 0;
	s->steps = 0;
}

void region_find_fits(const struct host *host, const struct region *r, struct region_fits *ret)
{
	struct fit_search s = {.host = host, .region = r, .fits = ret};

	*ret = (struct region_fits){0};
	if (!r->root || !r->root->n_targets || !r->n_targets ||
	    r->n_targets > INTERLEAVE_WAYS_MAX || r->n_targets % r->root->n_targets ||
	    !region_share(r) || region_is_firmwares(r))
		return;
	fit_search_reset(&s);
	ret->complete = fit_positions(&s, 0, true);
	if (ret->complete)
		return;
	fit_search_reset(&s);
	(void)fit_positions(&s, 0, false);
}

/* ---- regions of firmware ----------------------------------------------------------------------
 */

bool region_is_firmwares(const struct region *r)
{
	if (region_is_complete(r) || r->commit == REGION_COMMITTED)
		return false;
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder && decoder_is_committed(r->targets[i].decoder) &&
		    r->targets[i].decoder->region != r)
			return true;
	return false;
}

size_t region_empty_positions(const struct region *r, unsigned int ret[static INTERLEAVE_WAYS_MAX])
{
	bool firmwares = region_is_firmwares(r), filled[INTERLEAVE_WAYS_MAX] = {false};
	size_t n = 0;

	if (r->n_targets > INTERLEAVE_WAYS_MAX)
		return 0;
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];
		unsigned int position = t->position;

		if (!t->memdev)
			continue;
		if (firmwares && region_position_by_topology(r, t->decoder, &position) < 0)
			return 0;
		if (position >= r->n_targets)
			return 0;
		filled[position] = true;
	}
	for (unsigned int i = 0; i < r->n_targets; i++)
		if (!filled[i])
			ret[n++] = i;
	return n;
}

static const struct port *port_below(const struct port *port, const struct dport *dport)
{
	for (size_t i = 0; i < port->n_children; i++)
		if (port->children[i]->parent_dport == dport)
			return port->children[i];
	return NULL;
}

const struct dport *region_port_to(const struct region *r, unsigned int position)
{
	const struct decoder *d = r->root;
	const struct dport *dport = NULL;
	bool firmwares = region_is_firmwares(r);

	while (d && d->n_targets) {
		const struct port *below;

		dport = d->targets[position % d->n_targets].dport;
		position /= (unsigned int)d->n_targets;
		below = dport ? port_below(d->port, dport) : NULL;
		d = firmwares && below && below->kind != PORT_ENDPOINT ? region_decoder_at(below, r)
								       : NULL;
	}
	return dport;
}
