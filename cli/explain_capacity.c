// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The capacity of a memory device: what nobody maps, and whether cxl create-region could.
#include <errno.h>
#include <inttypes.h>

#include "cli/explain.h"
#include "cli/output.h"
#include "model/topology.h"

/* Linux gives a region whole multiples of this from each device, and places it by this. */
#define SHARE_BYTES (256ULL << 20)

struct partition {
	bool pmem;
	uint64_t first, size;
};

static const char *kind_name(bool pmem)
{
	return pmem ? "pmem" : "ram";
}

/* Return: false when the device has no such partition, or does not show it. */
static bool get_partition(const struct memdev *m, bool pmem, struct partition *ret)
{
	uint64_t size = pmem ? m->pmem_size.value : m->ram_size.value;
	/* The persistent partition follows the volatile one. */
	uint64_t first = pmem ? m->ram_size.value : 0;

	if (!m->ram_size.present || !m->pmem_size.present || !size || size - 1 > UINT64_MAX - first)
		return false;
	*ret = (struct partition){pmem, first, size};
	return true;
}

/* ---- what is mapped ---------------------------------------------------------------------------
 */

static bool get_dpa(const struct decoder *d, struct gap *ret)
{
	if (!d->dpa_resource.present || !d->dpa_size.present || !d->dpa_size.value ||
	    d->dpa_size.value - 1 > UINT64_MAX - d->dpa_resource.value)
		return false;
	*ret = (struct gap){d->dpa_resource.value, d->dpa_resource.value + (d->dpa_size.value - 1)};
	return true;
}

/* Return: 0 or -ENOMEM. */
static int unmapped(const struct memdev *m, const struct partition *p, struct gaps *ret)
{
	struct gaps used = {0};
	struct gap dpa, *g;
	int r = 0;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders && r >= 0; i++) {
		if (!get_dpa(m->endpoint->decoders[i], &dpa))
			continue;
		g = gaps_add(&used);
		if (g)
			*g = dpa;
		else
			r = -ENOMEM;
	}
	if (r >= 0)
		r = find_gaps((struct gap){p->first, p->first + (p->size - 1)}, used.items, used.n,
			      ret);
	gaps_done(&used);
	return r;
}

/*
 * Return: the bytes of the partition that a new region can have. Linux maps a device from the
 * lowest DPA upwards, so nothing below the last decoder's DPA counts.
 */
static uint64_t mappable(const struct memdev *m, const struct partition *p)
{
	uint64_t first = p->first, last = p->first + (p->size - 1);
	struct gap dpa;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		if (!get_dpa(m->endpoint->decoders[i], &dpa) || dpa.last < first)
			continue;
		if (dpa.last >= last)
			return 0;
		first = dpa.last + 1;
	}
	return (last - first + 1) / SHARE_BYTES * SHARE_BYTES;
}

/* Linux takes the decoder behind the last one in use. Return: true when there is one. */
static bool has_next_decoder(const struct memdev *m)
{
	bool found = false;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++)
		found = !decoder_is_used(m->endpoint->decoders[i]);
	return found;
}

static const char *why_no_decoder(const struct port *endpoint)
{
	for (size_t i = 0; i < endpoint->n_decoders; i++)
		if (!decoder_is_used(endpoint->decoders[i]))
			return "its idle decoders have lower numbers than one in use, and Linux "
			       "takes them in the order of their numbers";
	return endpoint->n_decoders ? "all its decoders are in use" : "it shows no decoders";
}

/* ---- windows ----------------------------------------------------------------------------------
 */

/* Return: what of the root the device hangs on, or NULL. */
static const struct dport *root_dport(const struct memdev *m, const struct port **ret_root)
{
	const struct port *bridge = m->endpoint;

	while (bridge && bridge->kind != PORT_HOST_BRIDGE)
		bridge = bridge->parent;
	if (!bridge || !bridge->parent)
		return NULL;
	*ret_root = bridge->parent;
	return bridge->parent_dport;
}

static bool window_leads_to(const struct decoder *w, const struct dport *dport)
{
	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].dport == dport)
			return true;
	return false;
}

static bool window_takes(const struct decoder *w, bool pmem)
{
	bool type3 = !w->cap_type3.present || w->cap_type3.value;

	return type3 && opt_bool_is_true(pmem ? w->cap_pmem : w->cap_ram);
}

/* The largest region there is room for. Return: false when that is not known. */
static bool window_room(struct explanation *x, const struct decoder *w, uint64_t *ret)
{
	struct gaps gaps = {0};
	uint64_t room = 0;

	if (!w->size.present)
		return false;
	if (!w->start.present) {
		*ret = w->size.value / SHARE_BYTES * SHARE_BYTES;
		return w->n_regions == 0;
	}
	if (find_window_gaps(w, x->host, &gaps) < 0)
		x->no_memory = true;
	ARRAY_FOREACH(g, &gaps) {
		uint64_t skip = (SHARE_BYTES - g->first % SHARE_BYTES) % SHARE_BYTES;
		uint64_t bytes = g->last - g->first; /* one less, as it may be all of 2^64 */

		if (bytes >= skip && bytes - skip >= SHARE_BYTES - 1 && bytes - skip > room)
			room = (bytes - skip + 1) / SHARE_BYTES * SHARE_BYTES;
	}
	gaps_done(&gaps);
	*ret = room;
	return true;
}

static bool can_give_share(const struct memdev *m, bool pmem)
{
	struct partition p;

	return m->endpoint && m->endpoint->enabled && has_next_decoder(m) &&
	       get_partition(m, pmem, &p) && mappable(m, &p) > 0;
}

/* Return: true when a device with free capacity is behind each target of the window. */
static bool has_partners(const struct host *host, const struct decoder *w, bool pmem)
{
	for (size_t i = 0; i < w->n_targets; i++) {
		bool found = false;

		for (size_t k = 0; k < host->n_memdevs && !found; k++) {
			const struct port *root = NULL;
			const struct dport *dport = root_dport(host->memdevs[k], &root);

			found = dport && dport == w->targets[i].dport &&
				can_give_share(host->memdevs[k], pmem);
		}
		if (!found)
			return false;
	}
	return w->n_targets > 0;
}

enum verdict {
	WINDOW_GOOD,   /* for this device alone */
	WINDOW_SHARED, /* together with others */
	WINDOW_OTHER,  /* leads elsewhere, or is for another kind of memory */
	WINDOW_FIXED,
	WINDOW_FULL,
	WINDOW_TIGHT,
	WINDOW_UNKNOWN,
	WINDOW_LONELY,
};

/* Why not; by enum verdict, behind the window's name. */
static const char *const verdict_texts[] = {
	[WINDOW_FIXED] = "is locked by firmware",
	[WINDOW_FULL] = "is full",
	[WINDOW_TIGHT] = "has room left, but less than the smallest region needs",
	[WINDOW_UNKNOWN] = "may have room, but only root may see where it lies",
	[WINDOW_LONELY] = "interleaves over several host bridges, and not behind each of them is a "
			  "device with free capacity",
};

static enum verdict judge(struct explanation *x, const struct decoder *w, const struct dport *dport,
			  bool pmem, uint64_t *ret_room)
{
	uint64_t ways = w->ways.present ? w->ways.value : w->n_targets;

	if (!window_leads_to(w, dport) || !window_takes(w, pmem))
		return WINDOW_OTHER;
	if (opt_bool_is_true(w->locked))
		return WINDOW_FIXED;
	if (!window_room(x, w, ret_room))
		return WINDOW_UNKNOWN;
	if (!*ret_room)
		return WINDOW_FULL;
	if (*ret_room / SHARE_BYTES < ways)
		return WINDOW_TIGHT;
	if (ways == 1)
		return WINDOW_GOOD;
	return has_partners(x->host, w, pmem) ? WINDOW_SHARED : WINDOW_LONELY;
}

static void advise_window(struct explanation *x, const struct memdev *m, const struct decoder *w,
			  const struct partition *p, uint64_t room)
{
	uint64_t bytes = mappable(m, p);
	char size[32] = "";

	/* Without a size, cxl asks for all of the partition. */
	if (room < p->size || bytes < p->size)
		(void)snprintf(size, sizeof(size), " -s %" PRIu64 "M",
			       (bytes < room ? bytes : room) >> 20);
	explain_advice(x, m->name,
		       "map it with, for example: cxl create-region -t %s -d %s -m %s%s",
		       kind_name(p->pmem), w->name, m->name, size);
}

static void explain_windows(struct explanation *x, const struct memdev *m, const struct port *root,
			    const struct dport *dport, bool pmem)
{
	bool said = false;

	for (size_t i = 0; i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];
		uint64_t room = 0;
		enum verdict v = judge(x, w, dport, pmem, &room);

		if (v <= WINDOW_OTHER)
			continue;
		explain_problem(x, m->name, "its %s cannot be mapped: window %s %s",
				kind_name(pmem), w->name, verdict_texts[v]);
		said = true;
	}
	if (!said)
		explain_problem(x, m->name,
				"its %s cannot be mapped: no window that leads to it takes %s",
				kind_name(pmem), kind_name(pmem));
}

static void advise_partition(struct explanation *x, const struct memdev *m,
			     const struct partition *p)
{
	const struct port *root = NULL;
	const struct dport *dport = root_dport(m, &root);
	bool shared = false;

	if (!mappable(m, p)) {
		explain_problem(x, m->name,
				"its %s cannot be mapped: Linux maps a device from the lowest DPA "
				"upwards in pieces of 256 MiB, and there is none behind the DPA "
				"already mapped",
				kind_name(p->pmem));
		return;
	}
	for (size_t i = 0; dport && i < root->n_decoders; i++) {
		uint64_t room = 0;
		enum verdict v = judge(x, root->decoders[i], dport, p->pmem, &room);

		if (v == WINDOW_GOOD) {
			advise_window(x, m, root->decoders[i], p, room);
			return;
		}
		shared = shared || v == WINDOW_SHARED;
	}
	if (shared)
		explain_advice(
			x, m->name,
			"map it with cxl create-region -t %s, in a window whose targets lead to "
			"this device and to the others of the region ('cxl-spa list' shows them)",
			kind_name(p->pmem));
	else if (dport)
		explain_windows(x, m, root, dport, p->pmem);
}

/* ---- the findings -----------------------------------------------------------------------------
 */

/* Return: true when something of the partition is mapped by no decoder. */
static bool explain_partition(struct explanation *x, const struct memdev *m,
			      const struct partition *p)
{
	struct gaps gaps = {0};
	char bytes[SIZE_TEXT_MAX];
	bool found;

	if (unmapped(m, p, &gaps) < 0)
		x->no_memory = true;
	ARRAY_FOREACH(g, &gaps)
		explain_problem(x, m->name,
				"DPA 0x%" PRIx64 "-0x%" PRIx64 " (%s of %s) is mapped by no "
				"decoder: nobody can use it",
				g->first, g->last,
				size_text(OPT_U64(g->last - g->first + 1), bytes),
				kind_name(p->pmem));
	found = gaps.n > 0;
	gaps_done(&gaps);
	return found;
}

static void advise_on_capacity(struct explanation *x, const struct memdev *m,
			       const struct partition *parts, size_t n)
{
	/* What is wrong then is said with the connection. */
	if (!m->endpoint || !m->endpoint->enabled)
		return;
	if (explain_host_is_normalized(x->host)) {
		explain_advice(
			x, m->name,
			"on a host with Normalized addressing Linux cannot create regions: only "
			"firmware can map this capacity, at the next boot");
		return;
	}
	if (!has_next_decoder(m)) {
		explain_problem(x, m->name, "it cannot be mapped: %s", why_no_decoder(m->endpoint));
		return;
	}
	for (size_t i = 0; i < n; i++)
		advise_partition(x, m, &parts[i]);
}

void explain_capacity(struct explanation *x, const struct memdev *m)
{
	struct partition parts[2], p;
	size_t n = 0;

	if (!m->ram_size.present || !m->pmem_size.present) {
		explain_problem(x, m->name, "its capacity cannot be read");
		return;
	}
	if (!m->ram_size.value && !m->pmem_size.value) {
		explain_problem(x, m->name,
				"it reports no capacity at all: the media may not be ready, or the "
				"capacity is not assigned to a partition");
		return;
	}
	for (int pmem = 0; pmem < 2; pmem++)
		if (get_partition(m, pmem, &p) && explain_partition(x, m, &p))
			parts[n++] = p;
	if (n)
		advise_on_capacity(x, m, parts, n);
	else
		explain_info(x, m->name, "all of its capacity is assigned to decoders");
}
