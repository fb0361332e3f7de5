// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A memory device: is it connected, and what its decoders do.
#include <errno.h>
#include <inttypes.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "cli/output.h"
#include "model/topology.h"

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

void explain_memdev(struct explanation *x, const struct memdev *m, bool decoders_in_regions)
{
	size_t used = 0;

	explain_identity(x, m);
	explain_connection(x, m);
	explain_capacity(x, m);
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++)
		explain_decoder_order(x, m->name, m->endpoint->decoders[i]);
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++)
		used += decoder_is_used(m->endpoint->decoders[i]);
	if (m->endpoint)
		explain_info(x, m->name, "decoders in use: %zu of %zu", used,
			     m->endpoint->n_decoders);
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (decoder_is_used(d) && (decoders_in_regions || !d->region))
			explain_decoder(x, d);
	}
}
