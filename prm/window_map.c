// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "prm/translator_text.h"
#include "prm/window_map.h"

static void set_xormaps(struct translator *t, struct window_map *w, const struct cedt_window *c)
{
	const struct cedt_cxims *x = cedt_cxims_find(t->cedt, c);
	unsigned int needed = interleave_xormap_count(c->ways);
	const char *name = w->decoder->name;

	w->arithmetic = "xor";
	if (needed == 0)
		return;
	if (!x) {
		w->unknown = translator_reason(
			t, REASON_ARITHMETIC_UNDEFINED,
			"unknown arithmetic: %s uses XOR and the CEDT has no XOR maps for a granularity of %u bytes",
			name, c->granularity);
		return;
	}
	if (x->n_maps < needed) {
		w->unknown = translator_reason(
			t, REASON_ARITHMETIC_UNDEFINED,
			"unknown arithmetic: %s needs %u XOR map%s and the CEDT has %u", name,
			needed, needed == 1 ? "" : "s", x->n_maps);
		return;
	}
	memcpy(w->xormaps, x->maps, needed * sizeof(*w->xormaps));
	w->n_xormaps = needed;
	w->is_ambiguous = !interleave_xormaps_one_to_one(x->maps, needed, c->granularity);
}

static struct reason without_cedt(struct translator *t, const struct decoder *d)
{
	/* With one way, and with three, where XOR changes nothing, modulo and XOR are the same. */
	if (d->ways.value == 1 || d->ways.value == 3)
		return (struct reason){0};
	if (t->cedt_missing)
		return translator_reason(
			t, REASON_ARITHMETIC_UNKNOWN,
			"unknown arithmetic: %s has %u ways and the CEDT, which distinguishes modulo from XOR, %s",
			d->name, (unsigned int)d->ways.value, t->cedt_missing);
	if (!d->start.present)
		return translator_reason(
			t, REASON_ARITHMETIC_UNKNOWN,
			"unknown arithmetic: the start of %s is not readable (needs CAP_DAC_READ_SEARCH), so its CEDT entry is unknown",
			d->name);
	return translator_reason(t, REASON_ARITHMETIC_UNKNOWN,
				 "unknown arithmetic: the CEDT does not describe %s", d->name);
}

/* Return: the first target that is another one in the CEDT, by its number; NULL when there is none.
 */
static const struct decoder_target *other_target(const struct decoder *d,
						 const struct cedt_window *c)
{
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct decoder_target *t = &d->targets[i];

		if (t->position < c->ways && t->id != c->targets[t->position])
			return t;
	}
	return NULL;
}

static bool has_other_granularity(const struct decoder *d, const struct cedt_window *c)
{
	return c->ways > 1 && d->granularity.present && d->granularity.value != c->granularity;
}

bool window_contradicts_cedt(const struct decoder *d, const struct cedt_window *c)
{
	return (d->ways.present && d->ways.value != c->ways) || has_other_granularity(d, c) ||
	       other_target(d, c);
}

/* Return: whether the CEDT has the same interleave; sets w->unknown when it has not. */
static bool agrees_with_cedt(struct translator *t, struct window_map *w,
			     const struct cedt_window *c)
{
	const struct decoder *d = w->decoder;
	const struct decoder_target *other;

	if (c->ways != d->ways.value) {
		w->unknown = translator_reason(
			t, REASON_CEDT_CONTRADICTED,
			"unknown arithmetic: %s has %u ways but its CEDT entry has %u", d->name,
			(unsigned int)d->ways.value, c->ways);
		return false;
	}
	if (has_other_granularity(d, c)) {
		w->unknown = translator_reason(
			t, REASON_CEDT_CONTRADICTED,
			"unknown arithmetic: %s has granularity %u but its CEDT entry has %u",
			d->name, (unsigned int)d->granularity.value, c->granularity);
		return false;
	}
	other = other_target(d, c);
	if (other)
		w->unknown = translator_reason(
			t, REASON_CEDT_CONTRADICTED,
			"unknown arithmetic: target %u of %s is %llu but its CEDT entry has %u",
			other->position, d->name, (unsigned long long)other->id,
			c->targets[other->position]);
	return !other;
}

void window_map_prepare(struct translator *t, struct window_map *w)
{
	const struct decoder *d = w->decoder;
	const struct cedt_window *c = NULL;

	if (!d->ways.present || !interleave_ways_valid(d->ways.value)) {
		w->unknown = translator_reason(t, REASON_ARITHMETIC_UNKNOWN,
					       "the interleave ways of %s are unknown", d->name);
		return;
	}
	if (t->cedt && d->start.present && d->size.present)
		c = cedt_window_find(t->cedt, d->start.value, d->size.value);
	if (!c) {
		w->unknown = without_cedt(t, d);
		if (!w->unknown.code)
			w->arithmetic = "modulo";
		return;
	}
	if (!agrees_with_cedt(t, w, c))
		return;
	switch (c->arithmetic) {
	case CEDT_MODULO:
		w->arithmetic = "modulo";
		break;
	case CEDT_XOR:
		set_xormaps(t, w, c);
		break;
	default:
		w->unknown = translator_reason(
			t, REASON_ARITHMETIC_UNDEFINED,
			"unknown arithmetic: the CEDT gives %s the reserved arithmetic %u", d->name,
			c->arithmetic);
	}
}
