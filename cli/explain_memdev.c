// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A memory device: is it connected, and who maps its capacity.
#include <errno.h>
#include <inttypes.h>

#include "cli/explain.h"
#include "cli/list.h"
#include "cli/names.h"
#include "cli/output.h"

static void explain_identity(struct explanation *x, const struct memdev *m)
{
	const struct {
		struct opt_u64 size;
		const char *kind;
	} parts[] = {{m->ram_size, "ram"}, {m->pmem_size, "pmem"}};
	struct names words = {0};
	char bytes[SIZE_TEXT_MAX];

	if (m->serial.present)
		names_add(&words, "serial 0x%" PRIx64, m->serial.value);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].size.present && parts[i].size.value)
			names_add(&words, "%s of %s", size_text(parts[i].size, bytes),
				  parts[i].kind);
	if (m->numa_node.present)
		names_add(&words, "near NUMA node %d", m->numa_node.value);
	explain_info(x, m->name, "at %s, %s",
		     m->bdf    ? m->bdf
		     : m->host ? m->host
			       : "an unknown device",
		     words.shown ? names_end(&words) : "of which nothing more is known");
}

static void explain_connection(struct explanation *x, const struct memdev *m)
{
	if (m->endpoint) {
		if (m->endpoint->parent)
			explain_info(x, m->name, "connected as %s below %s %s", m->endpoint->name,
				     port_kind_name(m->endpoint->parent->kind),
				     m->endpoint->parent->name);
		if (!m->endpoint->enabled)
			explain_problem(x, m->name, "its endpoint %s has no driver bound",
					m->endpoint->name);
		return;
	}
	explain_problem(
		x, m->name,
		"it has no endpoint: Linux did not find a way of CXL ports from a root to it, "
		"so its memory cannot be mapped%s",
		m->enabled ? "" : ", and the driver cxl_mem is not bound to it");
	explain_advice(
		x, m->name,
		"look for %s and 'cxl_mem' in the kernel log; cxl enable-memdev %s tries again",
		m->name, m->name);
}

/* Return: a window of one way that reaches the device and is not fixed by firmware, or NULL. */
static const struct decoder *one_way_window(const struct memdev *m)
{
	const struct port *bridge = m->endpoint;

	while (bridge && bridge->kind != PORT_HOST_BRIDGE)
		bridge = bridge->parent;
	if (!bridge || !bridge->parent)
		return NULL;
	for (size_t i = 0; i < bridge->parent->n_decoders; i++) {
		const struct decoder *w = bridge->parent->decoders[i];

		if (opt_u64_is(w->ways, 1) && w->n_targets == 1 && opt_bool_is_true(w->cap_ram) &&
		    !opt_bool_is_true(w->locked) && bridge->parent_dport &&
		    w->targets[0].dport == bridge->parent_dport)
			return w;
	}
	return NULL;
}

static void advise_on_capacity(struct explanation *x, const struct memdev *m)
{
	const struct decoder *window = one_way_window(m);

	if (explain_host_is_normalized(x->host))
		explain_advice(
			x, m->name,
			"on a host with Normalized addressing Linux cannot create regions: only "
			"firmware can map this capacity, at the next boot");
	else if (window)
		explain_advice(x, m->name,
			       "map it with, for example: cxl create-region -t ram -d %s -m %s",
			       window->name, m->name);
	else
		explain_advice(
			x, m->name,
			"map it with cxl create-region, in a window whose targets lead to this "
			"device and to the others of the region ('cxl-spa list' shows them)");
}

/* The parts of one partition that no endpoint decoder maps. */
static bool explain_partition(struct explanation *x, const struct memdev *m, const char *kind,
			      uint64_t first, uint64_t size)
{
	struct gaps used = {0}, gaps = {0};
	char bytes[SIZE_TEXT_MAX];
	bool free_space;

	if (!size || size - 1 > UINT64_MAX - first)
		return false;
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		struct gap *g;

		if (!d->dpa_resource.present || !d->dpa_size.present || !d->dpa_size.value ||
		    d->dpa_size.value - 1 > UINT64_MAX - d->dpa_resource.value)
			continue;
		g = gaps_add(&used);
		if (!g)
			x->no_memory = true;
		else
			*g = (struct gap){d->dpa_resource.value,
					  d->dpa_resource.value + (d->dpa_size.value - 1)};
	}
	if (find_gaps((struct gap){first, first + (size - 1)}, used.items, used.n, &gaps) < 0)
		x->no_memory = true;
	ARRAY_FOREACH(g, &gaps)
		explain_problem(
			x, m->name,
			"DPA 0x%" PRIx64 "-0x%" PRIx64 " (%s of %s) is mapped by no decoder: "
			"nobody can use it",
			g->first, g->last, size_text(OPT_U64(g->last - g->first + 1), bytes), kind);
	free_space = gaps.n > 0;
	gaps_done(&used);
	gaps_done(&gaps);
	return free_space;
}

static void explain_capacity(struct explanation *x, const struct memdev *m)
{
	bool ram, pmem = false;

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
	/* The persistent partition follows the volatile one. */
	ram = explain_partition(x, m, "ram", 0, m->ram_size.value);
	if (m->pmem_size.value <= UINT64_MAX - m->ram_size.value)
		pmem = explain_partition(x, m, "pmem", m->ram_size.value, m->pmem_size.value);
	if (m->endpoint && (ram || pmem))
		advise_on_capacity(x, m);
	if (!ram && !pmem)
		explain_info(x, m->name, "all of its capacity is assigned to decoders");
}

void explain_memdev(struct explanation *x, const struct memdev *m, bool decoders_in_regions)
{
	size_t used = 0;

	explain_identity(x, m);
	explain_connection(x, m);
	explain_capacity(x, m);
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++)
		used += list_decoder_is_used(m->endpoint->decoders[i]);
	if (m->endpoint)
		explain_info(x, m->name, "decoders in use: %zu of %zu", used,
			     m->endpoint->n_decoders);
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (list_decoder_is_used(d) && (decoders_in_regions || !d->region))
			explain_decoder(x, d);
	}
}
