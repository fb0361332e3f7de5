// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The route of a region's addresses: the window and the decoders of bridges and switches select a
 * target each, (address / granularity) modulo ways, and the endpoint stores one chunk of each
 * interleave block. So the chunk of a device is the one whose address is routed to it. Linux
 * computes it from the position that it gave the device instead. Both agree where each decoder uses
 * the address bits above those of its parent, and not for example below a 3-way window whose
 * bridges have two devices each.
 */
#include "common/array.h"
#include "prm/route.h"
#include "prm/route_levels.h"
#include "prm/translator_text.h"
#include "prm/region_order.h"
#include "sysfs/decoder_route.h"

static const struct reason ok;

static struct reason check_targets(struct translator *t, const struct region_map *rm,
				   const struct decoder *d)
{
	(void)rm;
	if (!d->ways.present || d->n_targets == 0 || d->ways.value == d->n_targets)
		return ok;
	return translator_reason(t, REASON_DECODER_TARGETS,
				 "%s has %llu interleave ways but lists %zu target%s", d->name,
				 (unsigned long long)d->ways.value, d->n_targets,
				 d->n_targets == 1 ? "" : "s");
}

/*
 * A decoder that selects another target inside a chunk, or another one for the same chunk of the
 * next block, does not give each device one chunk of every block.
 */
static struct reason check_fits(struct translator *t, const struct region_map *rm,
				const struct decoder *d)
{
	uint64_t granularity = d->granularity.value;

	if (!d->ways.present || d->ways.value <= 1 || !d->granularity.present)
		return ok;
	if (interleave_granularity_valid(granularity) && interleave_ways_valid(d->ways.value) &&
	    granularity >= rm->granularity && rm->block % (granularity * d->ways.value) == 0)
		return ok;
	return translator_reason(
		t, REASON_ROUTING_CONTRADICTED,
		"%s (%llu-way, granularity %llu) does not route %s (%u-way, granularity %u)",
		d->name, (unsigned long long)d->ways.value, (unsigned long long)granularity,
		region_map_witness(rm), rm->ways, rm->granularity);
}

/*
 * Decoders of one level that have as many ways use the same address bits. Each is compared with the
 * one above the first member.
 */
static struct reason check_level(struct translator *t, const struct region_map *rm,
				 const struct decoder *d)
{
	const struct port *port = rm->members[0]->device->memdev->endpoint->parent;
	const struct decoder *first;

	while (port && port->depth != d->port->depth)
		port = port->parent;
	first = port ? route_decoder(port, rm->region) : NULL;
	if (!first || !d->ways.present || d->ways.value <= 1 ||
	    !opt_u64_is(first->ways, d->ways.value) || !d->granularity.present ||
	    !first->granularity.present || first->granularity.value == d->granularity.value)
		return ok;
	return translator_reason(t, REASON_ROUTING_CONTRADICTED,
				 "%s has granularity %llu and %s has %llu, but both route %s",
				 first->name, (unsigned long long)first->granularity.value, d->name,
				 (unsigned long long)d->granularity.value, rm->region->name);
}

/* XOR changes the target bits of the window: decoders below it must not use them. */
static struct reason check_bits(struct translator *t, const struct region_map *rm,
				const struct decoder *d)
{
	const struct decoder *root = rm->region->root;
	uint64_t ways = d->ways.value, end, root_end;

	if (d == root || !d->ways.present || ways <= 1 || !d->granularity.present ||
	    !root->granularity.present)
		return ok;
	end = d->granularity.value * ways;
	root_end = root->granularity.value << rm->window->n_xormaps;
	if (d->granularity.value >= root_end || (ways % 3 != 0 && end <= root->granularity.value))
		return ok;
	return translator_reason(
		t, REASON_GEOMETRY_UNSUPPORTED,
		"%s selects its targets by address bits that the XOR arithmetic of %s uses",
		d->name, root->name);
}

struct reason route_check_xor(struct translator *t, const struct region_map *rm)
{
	return rm->window->n_xormaps > 0 ? route_check_above(t, rm, check_bits) : ok;
}

/*
 * Follows one address from the member's endpoint up to the root.
 *
 * @hpa: XOR undone
 * @ret: the decoder that routes it elsewhere
 */
static enum region_routing follow(const struct region_map *rm, const struct decoder_map *m,
				  uint64_t hpa, const struct decoder **ret)
{
	const struct port *port = NULL;

	switch (route_follow(m->device->memdev->endpoint, rm->region, hpa, &port)) {
	case ROUTE_TAKEN:
		return REGION_ROUTING_CONFIRMED;
	case ROUTE_UNKNOWN:
		return REGION_ROUTING_UNKNOWN;
	default:
		*ret = route_decoder(port, rm->region);
		return REGION_ROUTING_CONTRADICTED;
	}
}

/* Return: the target of the window for an SPA, by its arithmetic; NULL when unknown. */
static const struct decoder_target *window_target(const struct region_map *rm, uint64_t spa)
{
	const struct window_map *w = rm->window;
	const struct decoder *d = w->decoder;

	if (w->n_xormaps == 0)
		return route_target(d, spa);
	if (d->n_targets != d->ways.value || !d->granularity.present)
		return NULL;
	return &d->targets[interleave_xor_target(spa, (unsigned int)d->ways.value,
						 d->granularity.value, w->xormaps)];
}

static enum route_step window_step(const struct region_map *rm, const struct port *child,
				   uint64_t spa)
{
	const struct decoder_target *target = window_target(rm, spa);

	if (!target || !child->parent_dport)
		return ROUTE_UNKNOWN;
	return target->id == child->parent_dport->id ? ROUTE_TAKEN : ROUTE_ELSEWHERE;
}

enum region_routing route_reaches(const struct region_map *rm, const struct decoder_map *m,
				  uint64_t spa)
{
	const struct port *child = m->device->memdev->endpoint;
	enum region_routing result = REGION_ROUTING_CONFIRMED;

	for (; child && child->kind != PORT_ROOT; child = child->parent) {
		enum route_step step;

		if (child->parent && child->parent->kind == PORT_ROOT)
			step = window_step(rm, child, spa);
		else
			step = route_step(child, rm->region, spa);
		if (step == ROUTE_ELSEWHERE)
			return REGION_ROUTING_CONTRADICTED;
		if (step == ROUTE_UNKNOWN)
			result = REGION_ROUTING_UNKNOWN;
	}
	return child ? result : REGION_ROUTING_UNKNOWN;
}

static uint64_t slot_hpa(const struct region_map *rm, unsigned int slot)
{
	return rm->base + (uint64_t)slot * rm->granularity;
}

/* @slot: where the member's position would have its chunk */
static struct reason misrouted(struct translator *t, const struct region_map *rm,
			       const struct decoder_map *m, unsigned int slot)
{
	const struct decoder *d = rm->region->root;

	(void)follow(rm, m, slot_hpa(rm, slot), &d);
	return translator_reason(t, REASON_ROUTING_CONTRADICTED,
				 "%s routes position %d of %s to another device than %s", d->name,
				 m->position.value, rm->region->name, m->device->memdev->name);
}

/* Return: the child of the port below its dport of that id, or NULL. */
static const struct port *child_at(const struct port *port, uint64_t id)
{
	for (size_t i = 0; i < port->n_children; i++)
		if (port->children[i]->parent_dport && port->children[i]->parent_dport->id == id)
			return port->children[i];
	return NULL;
}

/* Whether a device is anywhere below a port. */
static bool has_endpoint(const struct port *port)
{
	bool has = port->kind == PORT_ENDPOINT;

	for (size_t i = 0; i < port->n_children && !has; i++)
		has = has_endpoint(port->children[i]);
	return has;
}

/* How far the decoders route an address, from the root down. */
struct way {
	const struct decoder *last, *next;   /* the last one that routes it; that of `port` */
	const struct decoder_target *target; /* of the last one */
	const struct port *port;	     /* NULL: none that a device is below is there */
	bool is_known;			     /* each port above routes it */
};

/* @hpa: XOR undone */
static struct way follow_down(const struct region_map *rm, uint64_t hpa)
{
	struct way w = {rm->region->root, rm->region->root, NULL, rm->region->root->port, true};

	while (w.port && w.port->kind != PORT_ENDPOINT) {
		uint64_t id = w.port->passes_through ? w.port->dports[0].id : 0;

		w.is_known = w.is_known && (w.next || w.port->passes_through);
		if (w.next) {
			w.last = w.next;
			w.target = route_target(w.last, hpa);
			if (!w.target)
				break;
			id = w.target->id;
		}
		w.port = child_at(w.port, id);
		if (w.port && !has_endpoint(w.port))
			w.port = NULL;
		w.next = w.port ? route_decoder(w.port, rm->region) : NULL;
		/* Above a device that Linux does not show. */
		if (w.port && !w.next && rm->n_members < rm->ways)
			w.next = region_decoder_at(w.port, rm->region);
	}
	return w;
}

/* @hpa: that of a chunk that reaches no member, or one that has another chunk of the block */
static struct reason not_one_to_one(struct translator *t, const struct region_map *rm, uint64_t hpa)
{
	const struct way w = follow_down(rm, hpa);
	const struct decoder *d = w.last;

	if (w.next && w.next->port->kind == PORT_ENDPOINT)
		return translator_reason(
			t, REASON_ROUTING_CONTRADICTED,
			"%s (%llu-way at %llu B) routes several chunks of each interleave block to %s, which has one (%u-way at %u B)",
			d->name, (unsigned long long)d->ways.value,
			(unsigned long long)d->granularity.value, w.next->name, rm->ways,
			rm->granularity);
	return translator_reason(
		t, REASON_ROUTING_CONTRADICTED,
		"%s routes SPA 0x%llx to %s, below which no endpoint decoder agrees with %s",
		d->name, (unsigned long long)hpa,
		w.target && w.target->dport ? w.target->dport->name : "a port that does not exist",
		region_map_witness(rm));
}

/* Whether a device decodes nothing; where the kernel does not count what is committed, by the
 * sizes.
 */
static bool is_idle(const struct port *endpoint)
{
	const struct opt_u64 committed = endpoint->decoders_committed;

	for (size_t i = 0; i < endpoint->n_decoders && !committed.present; i++)
		if (!opt_u64_is(endpoint->decoders[i]->size, 0))
			return false;
	return endpoint->n_decoders > 0 && (!committed.present || committed.value == 0);
}

/*
 * Whether no device is where the decoders route an address, or one that decodes nothing: nothing
 * there disagrees.
 */
static bool leads_to_none(const struct region_map *rm, uint64_t hpa)
{
	const struct way w = follow_down(rm, hpa);

	return w.is_known && (!w.port || is_idle(w.port)) && w.target && w.target->dport;
}

/* Return: the index of the member to which the decoders route the chunk; n_members: to none. */
static unsigned int member_at(const struct region_map *rm, uint64_t hpa)
{
	const struct decoder *d;
	unsigned int i = 0;

	while (i < rm->n_members && follow(rm, rm->members[i], hpa, &d) != REGION_ROUTING_CONFIRMED)
		i++;
	return i;
}

/* Sets the slot to which the decoders route each member. Return: `ok`, or why there is not one. */
static struct reason find_slots(struct translator *t, struct region_map *rm)
{
	const bool has_gaps = rm->n_members < rm->ways;
	uint32_t found = 0;

	for (unsigned int slot = 0; slot < rm->ways; slot++) {
		const unsigned int i = member_at(rm, slot_hpa(rm, slot));

		if (i == rm->n_members && has_gaps && leads_to_none(rm, slot_hpa(rm, slot)))
			continue;
		if (i == rm->n_members || (found >> i & 1))
			return not_one_to_one(t, rm, slot_hpa(rm, slot));
		found |= 1U << i;
		rm->slots[rm->members[i]->position.value] = slot;
	}
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (!(found >> i & 1))
			return misrouted(t, rm, rm->members[i],
					 (unsigned int)rm->members[i]->position.value);
	return ok;
}

/*
 * Return: whether Linux's formula (since 7.0) gives a position this slot. It rotates the positions
 * below an unaligned 3-, 6- or 12-way window; there it is wrong with several devices for each
 * target, and leaves out an extended linear cache.
 */
static bool kernel_has_slot(const struct region_map *rm, unsigned int position)
{
	const struct decoder *root = rm->region->root;
	const uint64_t ways = root->ways.value, unit = 256ULL << 20;

	if (ways % 3 != 0 || rm->first % (ways * unit) == 0)
		return rm->slots[position] == position;
	return rm->ways == ways && rm->cache == 0 &&
	       slot_hpa(rm, rm->slots[position]) / rm->granularity % ways == position;
}

/*
 * Positions do not take part in the arithmetic of a route that is known, but Linux derives them
 * from the same decoders: if they are neither what it derives nor the order of the slots, some of
 * these attributes are not those of the region.
 */
static struct reason check_positions(struct translator *t, struct region_map *rm)
{
	const struct decoder_map *misplaced = NULL;
	bool in_order = true;

	for (unsigned int i = 0; i < rm->n_members; i++) {
		const unsigned int own = (unsigned int)rm->members[i]->position.value;
		unsigned int position;

		in_order = in_order && rm->slots[own] == own;
		rm->kernel_errs =
			rm->kernel_errs || (!rm->region->by_decoders && !kernel_has_slot(rm, own));
		if (region_position_by_topology(rm->region, rm->members[i]->decoder, &position) <
			    0 ||
		    position != own)
			misplaced = misplaced ? misplaced : rm->members[i];
	}
	if (!misplaced || in_order)
		return ok;
	return misrouted(t, rm, misplaced, (unsigned int)misplaced->position.value);
}

static bool levels_are_known(const struct region_map *rm, const struct decoder_map *m)
{
	const struct port *child = m->device->memdev->endpoint;

	for (; child && child->kind != PORT_ROOT; child = child->parent)
		if (route_step(child, rm->region, 0) == ROUTE_UNKNOWN)
			return false;
	return child != NULL;
}

static bool route_is_known(const struct region_map *rm)
{
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (!levels_are_known(rm, rm->members[i]))
			return false;
	return true;
}

/* Return: a sibling that is below the same dport, or NULL. */
static const struct port *twin(const struct port *child)
{
	const struct port *port = child->parent;

	for (size_t i = 0; i < port->n_children; i++)
		if (port->children[i] != child &&
		    port->children[i]->parent_dport == child->parent_dport)
			return port->children[i];
	return NULL;
}

/* Without all devices nothing else shows that one of two is not where it says to be. */
static struct reason check_twins(struct translator *t, const struct region_map *rm)
{
	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct port *child = rm->members[i]->device->memdev->endpoint;

		for (; child->parent; child = child->parent)
			if (twin(child))
				return translator_reason(t, REASON_ROUTING_CONTRADICTED,
							 "%s and %s are both below %s", child->name,
							 twin(child)->name,
							 child->parent_dport->name);
	}
	return ok;
}

struct reason route_check_gaps(struct translator *t, struct region_map *rm)
{
	struct reason why;

	if (rm->n_members == rm->ways)
		return ok;
	if (!route_is_known(rm))
		return rm->incomplete;
	why = check_twins(t, rm);
	return why.code ? why : find_slots(t, rm);
}

struct reason route_find(struct translator *t, struct region_map *rm)
{
	static route_check_fn *const checks[] = {check_targets, check_fits, check_level};
	struct reason why = ok;

	for (size_t i = 0; i < ARRAY_SIZE(checks) && !why.code; i++)
		why = route_check_above(t, rm, checks[i]);
	if (!why.code && route_is_known(rm)) {
		why = find_slots(t, rm);
		if (!why.code)
			why = check_positions(t, rm);
		rm->routed = !why.code;
		rm->routing = rm->kernel_errs ? REGION_ROUTING_DIFFERS : REGION_ROUTING_CONFIRMED;
	}
	if (why.code == REASON_ROUTING_CONTRADICTED)
		rm->routing = REGION_ROUTING_CONTRADICTED;
	return why;
}

/* Return: the child of the port that the member is below, or NULL. */
static const struct port *child_towards(const struct port *port, const struct decoder_map *m)
{
	const struct port *child = m->device->memdev->endpoint;

	while (child && child->parent != port)
		child = child->parent;
	return child;
}

/* Return: how many ports between the member and the root have members below several children. */
static unsigned int branching_levels(const struct region_map *rm, const struct decoder_map *m)
{
	const struct port *child = m->device->memdev->endpoint;
	unsigned int n = 0;

	for (; child->parent && child->parent->kind != PORT_ROOT; child = child->parent) {
		bool branches = false;

		for (unsigned int i = 0; i < rm->n_members; i++) {
			const struct port *other = child_towards(child->parent, rm->members[i]);

			branches = branches || (other && other != child);
		}
		n += branches;
	}
	return n;
}

/*
 * Positions alone are an order of the devices where one decoder, or one level of them, selects all.
 * Any of several levels may use the lower bits of the address; and where an unaligned window of 3,
 * 6 or 12 ways begins with another target than the first, the positions may be in either order.
 */
struct reason route_check_positions(struct translator *t, struct region_map *rm)
{
	const struct decoder *root = rm->region->root, *d;

	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct decoder_map *m = rm->members[i];

		if (follow(rm, m, m->map.slot_base, &d) != REGION_ROUTING_CONTRADICTED)
			continue;
		rm->routing = REGION_ROUTING_CONTRADICTED;
		return misrouted(t, rm, m, m->map.slot);
	}
	if (root->ways.value % 3 == 0 && rm->ways > root->ways.value) {
		rm->kernel_errs = true;
		return translator_reason(
			t, REASON_ROUTING_UNKNOWN,
			"the order of the devices below each host bridge of the %u-way window %s is unknown",
			(unsigned int)root->ways.value, root->name);
	}
	for (unsigned int i = 0; i < rm->n_members; i++)
		if (rm->members[i]->map.unaligned_mod3 ||
		    branching_levels(rm, rm->members[i]) + (root->ways.value > 1) > 1)
			return translator_reason(
				t, REASON_ROUTING_UNKNOWN,
				"the order in which the decoders above %s select its devices is unknown",
				rm->region->name);
	return ok;
}
