// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "cli/output.h"
#include "common/strutil.h"

bool explain_region_is_complete(const struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (!r->targets[i].decoder || !r->targets[i].memdev)
			return false;
	return r->n_targets > 0;
}

static bool region_is_normalized(const struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder &&
		    decoder_mapping(r->targets[i].decoder) == MAPPING_NORMALIZED)
			return true;
	return false;
}

static void explain_place(struct explanation *x, const struct region *r)
{
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	if (!r->resource.present || !r->size.present || !r->size.value) {
		explain_problem(
			x, r->name,
			"it has no system addresses yet: nobody has set its size, or there was "
			"no room in %s",
			r->root ? r->root->name : "its window");
		return;
	}
	if (r->ways.present && r->granularity.present)
		explain_info(x, r->name,
			     "SPA %s, %s of %s, %" PRIu64 "-way at %" PRIu64 " B, in window %s",
			     range_text(r->resource, r->size, range), size_text(r->size, bytes),
			     decoder_mode_name(r->mode), r->ways.value, r->granularity.value,
			     r->root ? r->root->name : "unknown");
	else
		explain_info(x, r->name, "SPA %s, %s of %s",
			     range_text(r->resource, r->size, range), size_text(r->size, bytes),
			     decoder_mode_name(r->mode));
	if (r->extended_linear_cache_size.present && r->extended_linear_cache_size.value)
		explain_info(x, r->name,
			     "its first %s is ordinary DRAM that caches the CXL memory behind it "
			     "(extended linear cache): each line has two addresses",
			     size_text(r->extended_linear_cache_size, bytes));
}

/* Names the memory devices that are in no region: one of them may be the missing target. */
static void advise_missing(struct explanation *x, const struct region *r)
{
	struct names free_devices = {0};

	for (size_t i = 0; i < x->host->n_memdevs; i++) {
		const struct memdev *m = x->host->memdevs[i];
		bool in_region = false;

		for (size_t k = 0; m->endpoint && k < m->endpoint->n_decoders; k++)
			in_region = in_region || m->endpoint->decoders[k]->region;
		if (!in_region)
			names_add(&free_devices, "%s", m->name);
	}
	if (free_devices.shown)
		explain_advice(
			x, r->name,
			"in no region are: %s; 'cxl-spa explain' with one of these names says "
			"why",
			names_end(&free_devices));
	else
		explain_advice(
			x, r->name,
			"every memory device that Linux shows is in a region, so look for one "
			"that it does not show: lspci, and the kernel log of cxl_pci");
}

static void explain_targets(struct explanation *x, const struct region *r)
{
	struct names present = {0};
	size_t missing = 0;

	if (!r->n_targets) {
		explain_problem(x, r->name,
				"its number of targets is not known: interleave_ways is "
				"absent or not a legal number");
		return;
	}
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		if (t->memdev)
			names_add(&present, "%u %s (%s)", t->position, t->memdev->name,
				  t->decoder_name);
	}
	if (present.shown)
		explain_info(x, r->name, "targets by position: %s", names_end(&present));
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		if (!t->decoder_name)
			explain_problem(
				x, r->name,
				"incomplete: no memory device stands at position %u of 0..%zu",
				t->position, r->n_targets - 1);
		else if (!t->memdev)
			explain_problem(x, r->name,
					"incomplete: position %u names %s, which is not there",
					t->position, t->decoder_name);
		missing += !t->memdev;
	}
	if (missing)
		advise_missing(x, r);
}

/* Compares an endpoint decoder with the region it is in. */
static void check_target_decoder(struct explanation *x, const struct region *r,
				 const struct decoder *d)
{
	uint64_t cache =
		r->extended_linear_cache_size.present ? r->extended_linear_cache_size.value : 0;
	uint64_t wanted;

	if (!r->size.present || !r->ways.present || !r->ways.value || cache > r->size.value)
		return;
	wanted = r->size.value - cache;
	if (d->dpa_size.present && d->dpa_size.value != wanted / r->ways.value)
		explain_problem(x, r->name,
				"%s contributes 0x%" PRIx64
				" bytes of DPA, but a share of this region "
				"is 0x%" PRIx64 " bytes",
				d->name, d->dpa_size.value, wanted / r->ways.value);
	if (decoder_mapping(d) != MAPPING_ORDINARY)
		return;
	if (r->commit == REGION_COMMITTED && d->size.present && d->size.value != wanted)
		explain_problem(x, r->name,
				"%s decodes 0x%" PRIx64 " bytes, the region has 0x%" PRIx64
				" bytes",
				d->name, d->size.value, wanted);
	if (r->commit == REGION_COMMITTED && d->start.present && r->resource.present &&
	    d->start.value != r->resource.value + cache)
		explain_problem(x, r->name,
				"%s starts at 0x%" PRIx64 ", the region's CXL memory at 0x%" PRIx64,
				d->name, d->start.value, r->resource.value + cache);
	if (d->ways.present && d->ways.value != r->ways.value)
		explain_problem(x, r->name, "%s is %" PRIu64 "-way, the region is %" PRIu64 "-way",
				d->name, d->ways.value, r->ways.value);
}

static void explain_commit(struct explanation *x, const struct region *r)
{
	if (r->commit == REGION_NOT_COMMITTED) {
		explain_problem(
			x, r->name,
			"not committed: its decoders are not programmed, so its memory cannot "
			"be used%s",
			explain_region_is_complete(r)
				? ""
				: "; the kernel commits complete regions only");
		if (explain_region_is_complete(r))
			explain_advice(x, r->name,
				       "cxl enable-region %s, or write 1 to its commit "
				       "attribute; the kernel log says what it refuses",
				       r->name);
	} else if (r->commit == REGION_COMMITTED && !r->enabled) {
		explain_problem(x, r->name,
				"committed, but no driver is bound to it, so its memory has no dax "
				"device");
		explain_advice(x, r->name, "cxl enable-region %s", r->name);
	} else if (r->commit == REGION_COMMITTED) {
		explain_info(x, r->name, "committed and enabled");
	} else {
		explain_info(x, r->name, "whether it is committed cannot be read");
	}
}

static void explain_lock(struct explanation *x, const struct region *r)
{
	bool locked = opt_bool_is_true(r->locked);

	/* Kernels before 7.1 do not show it on the region, but on its decoders. */
	for (size_t i = 0; i < r->n_targets && !r->locked.present; i++)
		locked = locked ||
			 (r->targets[i].decoder && opt_bool_is_true(r->targets[i].decoder->locked));
	if (locked)
		explain_info(
			x, r->name,
			"locked: the kernel refuses to destroy or change it with EPERM "
			"('Operation not permitted'), also for root; only firmware can map this "
			"memory differently, at the next boot");
}

/* What /proc/iomem shows inside the region, innermost lines only. */
static void explain_owner(struct explanation *x, const struct region *r)
{
	const struct host *host = x->host;
	struct names owners = {0};
	uint64_t last;

	if (!host->n_iomem) {
		explain_info(x, r->name,
			     "who uses its addresses is not known: /proc/iomem is absent, or "
			     "shows no addresses because only root may see them");
		return;
	}
	if (!r->resource.present || !r->size.present || !r->size.value)
		return;
	last = r->resource.value + (r->size.value - 1);
	for (size_t i = 0; i < host->n_iomem; i++) {
		const struct iomem_range *m = &host->iomem[i];
		bool innermost = i + 1 == host->n_iomem || m[1].depth <= m->depth;

		if (innermost && m->start >= r->resource.value && m->last <= last &&
		    !str_equal(m->name, r->name))
			names_add(&owners, "%s 0x%" PRIx64 "-0x%" PRIx64, m->name, m->start,
				  m->last);
	}
	if (owners.shown)
		explain_info(x, r->name, "/proc/iomem shows in it: %s", names_end(&owners));
	else
		explain_problem(x, r->name, "/proc/iomem shows nobody who uses its addresses");
}

static void explain_dax_device(struct explanation *x, const struct region *r,
			       const struct dax_device *d)
{
	char node[32] = "";

	if (d->target_node.present)
		(void)snprintf(node, sizeof(node), ", NUMA node %d", d->target_node.value);
	if (d->mode != DAX_MODE_SYSTEM_RAM) {
		explain_info(x, r->name, "%s is in mode %s%s: programs use it through /dev/%s",
			     d->name, dax_mode_name(d->mode), node, d->name);
		return;
	}
	if (!d->online_blocks.present || !d->total_blocks.present) {
		explain_info(x, r->name, "%s is system RAM%s", d->name, node);
		return;
	}
	explain_info(x, r->name,
		     "%s is system RAM%s, %" PRIu64 " of %" PRIu64 " memory blocks are online",
		     d->name, node, d->online_blocks.value, d->total_blocks.value);
	if (d->online_blocks.value < d->total_blocks.value)
		explain_advice(
			x, r->name,
			"memory blocks that are offline hold no pages: daxctl online-memory %s",
			d->name);
}

static void explain_dax(struct explanation *x, const struct region *r)
{
	for (size_t i = 0; r->dax && i < r->dax->n_devices; i++)
		explain_dax_device(x, r, r->dax->devices[i]);
	if (r->mode == DECODER_MODE_RAM && r->enabled && (!r->dax || !r->dax->n_devices)) {
		explain_problem(x, r->name,
				"it has no dax device, so Linux does not use its memory "
				"through it");
		explain_advice(
			x, r->name,
			"is the driver dax_cxl loaded? If another driver or firmware owns the "
			"addresses (Soft Reserved), /proc/iomem names it");
	}
}

void explain_region(struct explanation *x, const struct region *r)
{
	const char *arithmetic = r->root ? translator_arithmetic(x->translator, r->root) : NULL;

	explain_place(x, r);
	explain_targets(x, r);
	explain_target_order(x, r);
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder)
			check_target_decoder(x, r, r->targets[i].decoder);
	explain_commit(x, r);
	explain_lock(x, r);
	if (region_is_normalized(r))
		explain_info(
			x, r->name,
			"Normalized addressing: its endpoint decoders hold device addresses, and "
			"only firmware knows the SPA of a DPA; the kernel gives no address (hpa "
			"is all-ones) with its events and poison lists");
	else
		explain_info(x, r->name, "the arithmetic of its window is %s",
			     arithmetic ? arithmetic : "not known (see the window)");
	explain_owner(x, r);
	explain_dax(x, r);
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder)
			explain_sources(x, r->name, r->targets[i].decoder);
}
