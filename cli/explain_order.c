// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Order: of the targets of a region, and of the decoders of an endpoint.
#include <inttypes.h>
#include <errno.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "cli/output.h"

/* One step up of explain_order(). Return: 0 or -ENODATA. */
static int order_step(const struct decoder *above, const struct port *below, unsigned int *position)
{
	for (size_t i = 0; i < above->n_targets; i++) {
		if (!below->parent_dport || above->targets[i].dport != below->parent_dport)
			continue;
		*position = *position * (unsigned int)above->n_targets + above->targets[i].position;
		return 0;
	}
	return -ENODATA;
}

/* Return: the decoder of that port that belongs to the region, or NULL. */
static const struct decoder *decoder_in_region(const struct port *port, const struct region *r)
{
	if (port->kind == PORT_ROOT)
		return r->root && r->root->port == port ? r->root : NULL;
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->decoders[i]->region == r)
			return port->decoders[i];
	return NULL;
}

int explain_order(const struct region *r, const struct decoder *endpoint_decoder,
		  unsigned int *ret_position)
{
	const struct port *port = endpoint_decoder->port;
	unsigned int position = 0;

	while (port->kind != PORT_ROOT) {
		const struct decoder *above;

		if (!port->parent)
			return -ENODATA;
		above = decoder_in_region(port->parent, r);
		if (!above || order_step(above, port, &position) < 0)
			return -ENODATA;
		port = port->parent;
	}
	*ret_position = position;
	return 0;
}

/* Linux's formula for positions does not hold where the window's ways have a factor of 3. */
static bool is_known_disagreement(const struct region *r)
{
	return r->root && r->root->ways.present && r->root->ways.value % 3 == 0 &&
	       r->ways.present && r->ways.value > r->root->ways.value;
}

static void explain_wrong_places(struct explanation *x, const struct region *r)
{
	bool named = false;

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];
		unsigned int position;

		if (explain_order(r, t->decoder, &position) < 0 || position == t->position)
			continue;
		named = true;
		explain_problem(x, r->name,
				"out of order: %s stands at position %u, but by the targets of the "
				"decoders above it, its place is %u",
				t->memdev->name, t->position, position);
	}
	if (!named)
		explain_problem(x, r->name,
				"out of order: the decoders above its memory devices do not send "
				"each position to the device that stands there");
	explain_advice(
		x, r->name,
		"programs are not affected, because the decoders alone route their accesses; but "
		"the address that the kernel gives with an event of these devices (hpa) may name "
		"a page of another one. Look for '%s' in the kernel log",
		r->name);
}

void explain_target_order(struct explanation *x, const struct region *r)
{
	if (!explain_region_is_complete(r)) {
		if (r->n_targets > 1)
			explain_info(x, r->name,
				     "the order of its targets means nothing until the region is "
				     "complete: until then they stand as they arrived");
		return;
	}
	/* The translator alone knows the arithmetic, and two opinions would contradict each other.
	 */
	if (translator_region_routing(x->translator, r) != REGION_ROUTING_CONTRADICTED)
		return;
	if (is_known_disagreement(r))
		explain_problem(x, r->name,
				"Linux's order of positions and the routing of the decoders "
				"disagree, which happens with several devices per host bridge "
				"below a 3-, 6- or 12-way window (%s is %" PRIu64
				"-way): an address can be given as an interval only",
				r->root->name, r->root->ways.value);
	else
		explain_wrong_places(x, r);
}

static bool is_committed(const struct decoder *d)
{
	return d->size.present && d->size.value;
}

static bool has_dpa(const struct decoder *d)
{
	return d->dpa_resource.present && d->dpa_size.present && d->dpa_size.value;
}

/* Compares two committed decoders of an endpoint, @low with the lower number. */
static void check_ascending(struct explanation *x, const char *object, const struct decoder *low,
			    const struct decoder *high)
{
	char high_range[RANGE_TEXT_MAX], low_range[RANGE_TEXT_MAX];

	if (has_dpa(low) && has_dpa(high) && high->dpa_resource.value < low->dpa_resource.value)
		explain_problem(
			x, object,
			"out of order: %s maps DPA %s, which is below DPA %s of %s; the addresses "
			"must ascend with the numbers of an endpoint's decoders",
			high->name, range_text(high->dpa_resource, high->dpa_size, high_range),
			range_text(low->dpa_resource, low->dpa_size, low_range), low->name);
	/* With Normalized addressing the start is a DPA, too. */
	if (decoder_mapping(low) == MAPPING_ORDINARY && decoder_mapping(high) == MAPPING_ORDINARY &&
	    low->start.present && high->start.present && high->start.value < low->start.value)
		explain_problem(x, object,
				"out of order: %s decodes SPA %s, which is below SPA %s of %s; the "
				"addresses must ascend with the numbers of an endpoint's decoders",
				high->name, range_text(high->start, high->size, high_range),
				range_text(low->start, low->size, low_range), low->name);
}

void explain_decoder_order(struct explanation *x, const char *object, const struct decoder *d)
{
	struct names idle = {0};

	if (!is_committed(d))
		return;
	for (size_t i = 0; i < d->port->n_decoders; i++) {
		const struct decoder *low = d->port->decoders[i];

		if (low->index >= d->index)
			continue;
		if (is_committed(low))
			check_ascending(x, object, low, d);
		else if (low->size.present)
			names_add(&idle, "%s", low->name);
	}
	if (idle.shown)
		explain_problem(
			x, object,
			"out of order: %s is committed, but not, with lower numbers: %s. Linux "
			"commits an endpoint's decoders in the order of their numbers, so these "
			"cannot be used before %s is free again",
			d->name, names_end(&idle), d->name);
}
