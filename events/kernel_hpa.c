// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The arithmetic behind the field hpa, drivers/cxl/core/region.c (cxl_dpa_to_hpa()), and where it
// is known to be wrong. Measured against the content of memory on Linux 6.12 and 7.3:
//
// - A region of 3, 6 or 12 ways is right only if the window alone interleaves by three and has one
//   device below each bridge; before 7.0 also only if the region begins at a multiple of its ways
//   times 256 MiB.
// - XOR maps are applied one after the other, which is right only if none changes what another one
//   reads. Before 6.11 they are not applied at all.
#include <stdio.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/event_fill_private.h"
#include "events/kernel_hpa.h"
#include "prm/cedt.h"
#include "prm/interleave.h"

typedef unsigned long long ull;

#define MIB_256 (UINT64_C(256) << 20)

struct xormaps {
	const uint64_t *maps;
	unsigned int n;
	unsigned int granularity;
};

static const struct cedt_window *cedt_of(const struct event_mapping *m, const struct decoder *w)
{
	const struct cedt *cedt = translator_cedt(m->translator);

	if (!cedt || !w->start.present || !w->size.present)
		return NULL;
	return cedt_window_find(cedt, w->start.value, w->size.value);
}

/* Return: whether they are known; none for modulo. */
static bool find_xormaps(const struct event_mapping *m, const struct decoder *w,
			 struct xormaps *ret)
{
	const struct cedt_window *c = cedt_of(m, w);
	const struct cedt_cxims *x;

	*ret = (struct xormaps){0};
	/* With one way and with three there is nothing to XOR. */
	if (opt_u64_is(w->ways, 1) || opt_u64_is(w->ways, 3))
		return true;
	if (!c || !opt_u64_is(w->ways, c->ways) || c->arithmetic > CEDT_XOR ||
	    (w->granularity.present && w->granularity.value != c->granularity))
		return false;
	if (c->arithmetic == CEDT_MODULO)
		return true;
	x = cedt_cxims_find(translator_cedt(m->translator), c);
	ret->n = interleave_xormap_count(c->ways);
	ret->granularity = c->granularity;
	if (!x || x->n_maps < ret->n)
		return false;
	ret->maps = x->maps;
	return true;
}

/* Whether no map changes a bit that another one reads, and each is the one of its bit. */
static bool are_independent(const struct xormaps *x)
{
	for (unsigned int i = 0; i < x->n; i++) {
		const uint64_t bit = (uint64_t)x->granularity << i;

		if ((x->maps[i] & -x->maps[i]) != bit)
			return false;
		for (unsigned int k = 0; k < x->n; k++)
			if (k != i && x->maps[k] & bit)
				return false;
	}
	return true;
}

/* As cxl_do_xormap_calc(). */
static uint64_t apply_xormaps(const struct xormaps *x, uint64_t hpa)
{
	for (unsigned int i = 0; i < x->n; i++) {
		const uint64_t bit = x->maps[i] & -x->maps[i];

		hpa = __builtin_parityll(hpa & x->maps[i]) ? hpa | bit : hpa & ~bit;
	}
	return hpa;
}

/* The numbers that the kernel's arithmetic depends on. */
struct geometry {
	uint64_t base, d; /* where CXL memory begins; offset in the device's share */
	uint64_t ways, granularity, root_ways, root_granularity, position;
	bool unaligned_mod3;
};

static bool find_geometry(unsigned int kernel, const struct answer *a, struct geometry *ret)
{
	const struct region *r = a->region;
	const struct decoder *d = a->decoder, *w = a->window;

	if (!r || !d || !w || decoder_mapping(d) == MAPPING_NORMALIZED || !r->resource.present ||
	    !r->ways.present || !interleave_ways_valid(r->ways.value) || !w->ways.present ||
	    !interleave_ways_valid(w->ways.value) || !r->granularity.present ||
	    !interleave_granularity_valid(r->granularity.value) || !d->dpa_resource.present ||
	    a->dpa < d->dpa_resource.value || !a->position.present)
		return false;
	*ret = (struct geometry){
		.base = r->resource.value + r->extended_linear_cache_size.value,
		.d = a->dpa - d->dpa_resource.value,
		.ways = r->ways.value,
		.granularity = r->granularity.value,
		.root_ways = w->ways.value,
		.root_granularity = w->granularity.value,
		.position = (uint64_t)a->position.value,
	};
	if (d->start.present)
		ret->base = d->start.value;
	ret->unaligned_mod3 = kernel >= KERNEL(7, 0) && ret->root_ways % 3 == 0 &&
			      r->resource.value % (ret->root_ways * MIB_256) != 0;
	if (ret->unaligned_mod3)
		ret->base = r->resource.value; /* where Linux leaves out the cache */
	return ret->position < ret->ways && ret->d < UINT64_MAX / 32;
}

/* As restore_parent(): chunk @position of a block of @ways. */
static uint64_t spread(uint64_t address, uint64_t position, uint64_t granularity, uint64_t ways)
{
	return address / granularity * granularity * ways + position * granularity +
	       address % granularity;
}

/* As unaligned_dpa_to_hpa(). */
static bool unaligned_hpa(const struct geometry *g, uint64_t *ret)
{
	const uint64_t per_bridge = g->ways / g->root_ways;
	uint64_t port = g->d;

	if (per_bridge == 0 || !interleave_granularity_valid(g->root_granularity))
		return false;
	if (g->root_granularity != g->granularity)
		port = spread(g->d, g->position % per_bridge, g->granularity, per_bridge);
	for (uint64_t i = 0; i < g->root_ways; i++) {
		const uint64_t hpa = spread(port, i, g->root_granularity, g->root_ways) + g->base;

		if (hpa / g->root_granularity % g->root_ways != g->position / per_bridge)
			continue;
		*ret = hpa;
		return true;
	}
	return false;
}

bool kernel_hpa(const struct event_mapping *m, unsigned int kernel, const struct answer *a,
		uint64_t *ret)
{
	struct geometry g;
	struct xormaps x;

	if (kernel == 0 || !find_geometry(kernel, a, &g) || !find_xormaps(m, a->window, &x))
		return false;
	if (g.unaligned_mod3)
		return x.n == 0 && unaligned_hpa(&g, ret);
	*ret = g.base + spread(g.d, g.position, g.granularity, g.ways);
	if (kernel >= KERNEL(6, 11))
		*ret = apply_xormaps(&x, *ret);
	return true;
}

/* Whether XOR is known, and does no harm. */
static bool is_xor_right(const struct event_mapping *m, unsigned int kernel,
			 const struct decoder *w)
{
	struct xormaps x;

	return find_xormaps(m, w, &x) &&
	       (x.n == 0 || (kernel >= KERNEL(6, 11) && are_independent(&x)));
}

bool kernel_hpa_is_right(const struct event_mapping *m, unsigned int kernel, const struct answer *a)
{
	const struct region *r = a->region;
	const struct decoder *w = a->window;

	if (!r || !w || !r->ways.present || !w->ways.present ||
	    (r->ways.value != 1 && !translator_kernel_is_right(m->translator, r)) ||
	    !is_xor_right(m, kernel, w))
		return false;
	if (r->ways.value % 3 != 0)
		return true;
	return r->ways.value == w->ways.value &&
	       (kernel >= KERNEL(7, 0) ||
		(r->resource.present && r->resource.value % (r->ways.value * MIB_256) == 0));
}

/* ---- an hpa without the region that it was computed for --------------------------------------
 */

/* Whether the port has, or may have, that many ports below it: each has one, which may not be
 * shown.
 */
static bool may_have_ports(const struct port *p, size_t n)
{
	size_t children = p->n_children;

	for (size_t i = 0; i < p->n_decoders; i++)
		if (p->decoders[i]->n_targets > children)
			children = p->decoders[i]->n_targets;
	return p->n_dports == 0 || p->n_dports < children || p->n_dports >= n;
}

/* Whether a bridge or switch may interleave by that many ways. */
static bool may_have_port_of_ways(const struct host *host, size_t ways)
{
	for (size_t i = 0; i < host->n_ports; i++) {
		const struct port *p = host->ports[i];

		if (p->kind != PORT_ROOT && p->kind != PORT_ENDPOINT && may_have_ports(p, ways))
			return true;
	}
	return false;
}

/*
 * Whether the kernel is right for each region of the window that there is now: one for which it
 * errs shows what firmware of this machine makes, and so may one that is not known in all.
 */
static bool is_right_in(const struct event_mapping *m, const struct decoder *w)
{
	for (size_t i = 0; i < w->n_regions; i++)
		if (!translator_kernel_is_right(m->translator, w->regions[i]))
			return false;
	return true;
}

/* With three ports a bridge or switch can interleave by three, whatever its window does. */
static bool stands_alone_in(const struct event_mapping *m, unsigned int kernel,
			    const struct decoder *w)
{
	return w->ways.present && w->ways.value % 3 != 0 && is_xor_right(m, kernel, w) &&
	       is_right_in(m, w) && !may_have_port_of_ways(m->host, 3);
}

/*
 * Whether a region of other ways, whose base and DPA differ by any multiple of 256 MiB, can give
 * the same hpa for the same address by the formula of aligned regions: chunk c at position p of w
 * ways is at c * w + p.
 */
static bool has_twin(const struct geometry *g)
{
	const int64_t n = (int64_t)(MIB_256 / g->granularity);
	const int64_t chunk = (int64_t)(g->d / g->granularity % (uint64_t)n);

	for (int64_t ways = 1; ways <= INTERLEAVE_WAYS_MAX; ways++) {
		int64_t position = chunk * ((int64_t)g->ways - ways) % n;

		if (ways == (int64_t)g->ways || !interleave_ways_valid((uint64_t)ways))
			continue;
		if (position < 0)
			position += n;
		position += (int64_t)g->position;
		if (position < ways || (position >= n && position - n < ways))
			return true;
	}
	return false;
}

bool kernel_hpa_identifies(const struct event_mapping *m, unsigned int kernel,
			   const struct answer *a)
{
	const struct decoder *w = a->window;
	struct geometry g;

	if (!w || !w->ways.present || !is_xor_right(m, kernel, w))
		return false;
	if (stands_alone_in(m, kernel, w))
		return true;
	/* Kernels differ in the formula for such windows. */
	if (kernel == 0 && w->ways.value % 3 == 0)
		return false;
	/* With one device below each bridge the error is the same for all regions of the window. */
	if (w->ways.value % 3 == 0 && is_right_in(m, w) && !may_have_port_of_ways(m->host, 2))
		return true;
	/* Unaligned regions of 3, 6 and 12 ways have the same hpa since 7.0. A granularity other
	 * than the window's cannot be made by Linux, which leaves no choice of it. */
	return w->ways.value > 1 && find_geometry(kernel, a, &g) && !g.unaligned_mod3 &&
	       !has_twin(&g);
}

/* Where the windows are may not be readable: then in each of them. */
static bool stands_alone_at(const struct event_mapping *m, unsigned int kernel,
			    const struct answer *there)
{
	const struct host *host = m->host;
	bool any = false;

	if (there->window)
		return stands_alone_in(m, kernel, there->window);
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *d = host->decoders[i];

		if (d->port->kind != PORT_ROOT)
			continue;
		if (!stands_alone_in(m, kernel, d))
			return false;
		any = true;
	}
	return any && answer_has_reason(there, REASON_WINDOWS_UNKNOWN);
}

bool kernel_hpa_stands_alone(const struct event_mapping *m, unsigned int kernel, uint64_t hpa,
			     char ret_why[static ANSWER_REASON_MAX])
{
	_cleanup_(answers_done) struct answers there = {0};
	const struct answer *a;

	if (translate_spa(m->translator, hpa, hpa, &there) < 0 || there.n != 1) {
		(void)snprintf(ret_why, ANSWER_REASON_MAX, "out of memory");
		return false;
	}
	a = &there.items[0];
	if (kernel >= KERNEL(6, 11) && stands_alone_at(m, kernel, a))
		return true;
	if (!a->window && answer_has_reason(a, REASON_NO_WINDOW))
		(void)snprintf(ret_why, ANSWER_REASON_MAX,
			       "the kernel's hpa 0x%llx is in no CXL window", (ull)hpa);
	else
		(void)snprintf(
			ret_why, ANSWER_REASON_MAX,
			kernel ? "the kernel's hpa 0x%llx cannot be confirmed, and this kernel's arithmetic may be wrong for regions of its window"
			       : "the kernel's hpa 0x%llx cannot be confirmed: the kernel that computed it is not known",
			(ull)hpa);
	return false;
}

/*
 * Reasons that may stand where the kernel's address is accepted alone. Everything else, also
 * reasons that are added to prm/reason.h later, contradicts the kernel's arithmetic or may do so.
 */
static const enum answer_reason missing[] = {
	REASON_ESTIMATED,	 /* follows from one of the others */
	REASON_LINEAR_CACHE,	 /* of an exact address */
	REASON_MAYBE_NORMALIZED, /* the start of a decoder is not readable; where addressing is
				      Normalized the kernel gives no hpa */
};

static const enum answer_doubt unreadable[] = {
	DOUBT_WINDOW_UNVERIFIED,
	DOUBT_DECODERS_UNVERIFIED,
	DOUBT_CACHE_INFERRED,
	DOUBT_DAX_INFERRED,
};

bool kernel_may_know_better(const struct event_mapping *m, unsigned int kernel,
			    const struct answer *a)
{
	uint64_t reasons = a->reasons;
	uint32_t doubts = a->doubts;

	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		reasons &= ~(UINT64_C(1) << missing[i]);
	for (size_t i = 0; i < ARRAY_SIZE(unreadable); i++)
		doubts &= ~(UINT32_C(1) << unreadable[i]);
	/* The route of such a region is not examined, and one way has none. */
	if (answer_has_reason(a, REASON_MAYBE_NORMALIZED) &&
	    !(a->region && opt_u64_is(a->region->ways, 1)))
		return false;
	return a->has_spa && !reasons && !doubts && kernel_hpa_is_right(m, kernel, a);
}

struct opt_u64 kernel_hpa_error_max(unsigned int kernel)
{
	const uint64_t longest_block = (uint64_t)INTERLEAVE_WAYS_MAX * INTERLEAVE_GRANULARITY_MAX;

	if (kernel == 0 || kernel >= KERNEL(7, 0))
		return (struct opt_u64){0};
	return OPT_U64(longest_block);
}
