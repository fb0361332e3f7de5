// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Endpoint decoders that may stand for ranges of the DVSEC: Linux shows them so for devices of
 * CXL 1.1, and where HDM decoding is off, in one way at 4096 bytes, whatever the interleaving is.
 * Several devices may then have one range, and an address is anywhere in the window from its start
 * on.
 */
#include "prm/emulated.h"

static bool is_emulated(const struct decoder_map *dm)
{
	const struct decoder *d = dm->decoder;

	if (dm->unusable.code || dm->mapping != MAPPING_ORDINARY || !d->start.present)
		return false;
	if (dm->region_map)
		return dm->region_map->emulated && !dm->region_map->unusable.code;
	return d->unmapped && !d->contradicted && !d->region && decoder_shows_dvsec(d);
}

static bool is_below(const struct decoder_map *dm, const struct dport *dport)
{
	const struct port *port = dm->decoder->port;

	while (port->parent && port->parent->kind != PORT_ROOT)
		port = port->parent;
	return dport && port->parent_dport == dport;
}

static void add(struct translator *t, struct decoder_map *dm)
{
	const struct span *s = spans_find(&t->window_spans, dm->decoder->start.value);
	struct window_map *w = s ? s->item : NULL;

	if (!w || !dm->decoder->start.present || w->doubts & 1U << DOUBT_WINDOWS_OVERLAP)
		return;
	if (!is_emulated(dm)) {
		w->has_others = true;
		return;
	}
	dm->emulated_in = w;
	if (w->n_emulated < INTERLEAVE_WAYS_MAX)
		w->emulated[w->n_emulated] = dm;
	w->n_emulated++;
}

void emulated_find(struct translator *t)
{
	for (size_t i = 0; i < t->n_devices; i++)
		for (size_t k = 0; k < t->devices[i].decoders.n; k++)
			add(t, t->devices[i].decoders.items[k].item);
}

/* Whether a decoder whose addresses are not known may have addresses of any window. */
static bool has_unknown_decoder(const struct host *h)
{
	for (size_t i = 0; i < h->n_memdevs; i++)
		if (!h->memdevs[i]->endpoint)
			return true;
	for (size_t i = 0; i < h->n_decoders; i++)
		if (h->decoders[i]->size.value && !h->decoders[i]->start.present)
			return true;
	return h->n_unclaimed > 0;
}

bool emulated_are_all(const struct translator *t, const struct window_map *w)
{
	/* The cache of another mapping may be at any address of the window. */
	if (!w || w->has_others || w->n_emulated == 0 || w->n_emulated > INTERLEAVE_WAYS_MAX ||
	    has_unknown_decoder(t->host))
		return false;
	for (size_t i = 0; i < w->decoder->n_targets; i++) {
		unsigned int k = 0;

		while (k < w->n_emulated && !is_below(w->emulated[k], w->decoder->targets[i].dport))
			k++;
		if (k == w->n_emulated)
			return false;
	}
	return true;
}
