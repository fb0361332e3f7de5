// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/region_fit.h"
#include "model/region_plan.h"
#include "model/topology.h"
#include "prm/region_order.h"

static struct finding_arg window_name(const struct region *r)
{
	return finding_name(r->root ? r->root->name : NULL);
}

static void findings_of_range(struct findings *f, const struct region *r)
{
	bool interleave = r->ways.present && r->granularity.present;
	struct error none = {0};

	if (!r->resource.present || !r->size.present || !r->size.value) {
		findings_add_args(f, REGION_NO_ADDRESS, r->name, window_name(r));
		if (region_destroy_check(f->host, r, false, &none) == 0)
			findings_add_args(f, REGION_CREATE_ANEW, r->name, finding_name(r->name));
		return;
	}
	findings_add_args(f, REGION_RANGE, r->name, finding_range(r->resource, r->size),
			  finding_size(r->size), finding_name(region_mode_word(r)),
			  interleave ? finding_number(r->ways.value) : (struct finding_arg){0},
			  interleave ? finding_number(r->granularity.value)
				     : (struct finding_arg){0},
			  interleave ? window_name(r) : (struct finding_arg){0});
	if (r->extended_linear_cache_size.present && r->extended_linear_cache_size.value)
		findings_add_args(f, REGION_MEMORY_CACHE, r->name,
				  finding_size(r->extended_linear_cache_size));
}

/* Where memory is in a region of dynamic capacity. */
static void findings_of_extents(struct findings *f, const struct region *r)
{
	const struct opt_u64 bytes = region_backed(r);

	if (!region_has_extents(r))
		return;
	if (!r->dax)
		findings_add_args(f, REGION_EXTENTS_UNKNOWN, r->name,
				  finding_text("Linux shows no dax region of it"));
	else if (r->dax->extents_doubt)
		findings_add_args(f, REGION_EXTENTS_UNKNOWN, r->name,
				  finding_text(r->dax->extents_doubt));
	else if (bytes.value)
		findings_add_args(f, REGION_EXTENTS, r->name, finding_size(bytes),
				  finding_number(r->dax->n_extents));
	else
		findings_add(f, REGION_NO_EXTENT, r->name);
}

/* ---- targets ----------------------------------------------------------------------------------
 */

static void findings_of_present_targets(struct findings *f, const struct region *r)
{
	struct finding_items present = {0};

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		if (t->memdev)
			finding_items_add(f, &present,
					  &(struct finding_item){
						  .position = OPT_U64(t->position),
						  .name = t->memdev->name,
						  .detail = t->decoder_name,
					  });
	}
	if (present.first)
		findings_add_args(f, REGION_TARGETS, r->name, finding_list(present.first));
}

static void findings_of_targets(struct findings *f, const struct region *r)
{
	if (r->n_targets)
		findings_of_present_targets(f, r);
	else
		findings_add(f, REGION_TARGETS_UNKNOWN, r->name);
}

/* ---- decoders of the targets -------------------------------------------------------------------
 */

/* Compares an ordinary endpoint decoder with its region, which has @bytes behind a cache. */
static void findings_of_target_range(struct findings *f, const struct region *r,
				     const struct decoder *d, uint64_t bytes, uint64_t cache)
{
	bool committed = r->commit == REGION_COMMITTED;

	if (committed && d->size.present && d->size.value != bytes)
		findings_add_args(f, REGION_SIZE_MISMATCH, r->name, finding_name(d->name),
				  finding_hex(d->size.value), finding_hex(bytes));
	if (committed && d->start.present && r->resource.present &&
	    d->start.value != r->resource.value + cache)
		findings_add_args(f, REGION_START_MISMATCH, r->name, finding_name(d->name),
				  finding_hex(d->start.value),
				  finding_hex(r->resource.value + cache));
	if (d->ways.present && d->ways.value != r->ways.value)
		findings_add_args(f, REGION_WAYS_MISMATCH, r->name, finding_name(d->name),
				  finding_number(d->ways.value), finding_number(r->ways.value));
}

/*
 * Return: whether the window ends before the decoder, which goes on where a hole for device
 * registers is (Documentation/driver-api/cxl/conventions/cxl-lmh.rst of the kernel).
 */
static bool has_hole_in(const struct region *r, const struct decoder *d)
{
	const struct decoder *w = r->root;
	uint64_t decoded;

	return w && r->resource.present && opt_u64_is(w->start, r->resource.value) &&
	       opt_u64_is(w->size, r->size.value) && opt_u64_is(d->start, r->resource.value) &&
	       d->dpa_size.present &&
	       !__builtin_mul_overflow(d->dpa_size.value, r->ways.value, &decoded) &&
	       opt_u64_is(d->size, decoded) && decoded > r->size.value;
}

static bool has_hole(const struct region *r)
{
	if (!r->size.present || !r->ways.present || !r->n_targets ||
	    (r->extended_linear_cache_size.present && r->extended_linear_cache_size.value))
		return false;
	for (size_t i = 0; i < r->n_targets; i++)
		if (!r->targets[i].decoder || !has_hole_in(r, r->targets[i].decoder) ||
		    r->targets[i].decoder->size.value != r->targets[0].decoder->size.value)
			return false;
	return true;
}

static void findings_of_hole(struct findings *f, const struct region *r)
{
	const uint64_t decoded = r->targets[0].decoder->size.value;

	findings_add_args(f, REGION_LOW_MEMORY_HOLE, r->name, finding_hex(decoded),
			  finding_hex(r->size.value),
			  finding_size(OPT_U64(decoded - r->size.value)));
}

static void findings_of_target_decoder(struct findings *f, const struct region *r,
				       const struct decoder *d)
{
	uint64_t cache =
		r->extended_linear_cache_size.present ? r->extended_linear_cache_size.value : 0;

	if (!r->size.present || !r->ways.present || !r->ways.value || cache > r->size.value)
		return;
	if (d->dpa_size.present && d->dpa_size.value != region_share(r))
		findings_add_args(f, REGION_SHARE_MISMATCH, r->name, finding_name(d->name),
				  finding_hex(d->dpa_size.value), finding_hex(region_share(r)));
	if (decoder_mapping(d) == MAPPING_ORDINARY)
		findings_of_target_range(f, r, d, r->size.value - cache, cache);
}

/* ---- state ------------------------------------------------------------------------------------
 */

/* Return: whether the kernel's log has a reason why the region is not committed or enabled. */
static bool findings_of_refused_commit(struct findings *f, const struct region *r)
{
	struct refusal refusal;

	if (refusal_of_mapping(f->host, translator_cedt(f->translator), r, f->arena, &refusal) < 0)
		f->no_memory = true;
	return findings_of_log(f, r->name, &refusal);
}

/* Findings of a complete region. */
static void findings_of_commit(struct findings *f, const struct region *r)
{
	if (r->commit == REGION_NOT_COMMITTED) {
		findings_add(f, REGION_NOT_COMMITTED, r->name);
		if (findings_of_refused_commit(f, r))
			return;
		findings_add_args(f, REGION_COMMIT, r->name, finding_name(r->name));
	} else if (r->commit == REGION_COMMITTED && !r->enabled) {
		findings_add(f, REGION_NO_DRIVER, r->name);
		if (findings_of_refused_commit(f, r))
			return;
		findings_add_args(f, REGION_ENABLE, r->name, finding_name(r->name));
	} else if (r->commit == REGION_COMMITTED) {
		findings_add(f, REGION_ENABLED, r->name);
	} else {
		findings_add(f, REGION_COMMIT_UNKNOWN, r->name);
	}
}

static void findings_of_lock(struct findings *f, const struct region *r)
{
	bool locked = opt_bool_is_true(r->locked);

	/* Kernels before 7.1 show it on the decoders only. */
	for (size_t i = 0; i < r->n_targets && !r->locked.present; i++)
		locked = locked ||
			 (r->targets[i].decoder && opt_bool_is_true(r->targets[i].decoder->locked));
	if (locked)
		findings_add(f, REGION_LOCKED, r->name);
}

static void findings_of_arithmetic(struct findings *f, const struct region *r)
{
	const char *arithmetic = r->root ? translator_arithmetic(f->translator, r->root) : NULL;

	if (region_is_normalized(r))
		findings_add(f, REGION_NORMALIZED, r->name);
	else if (arithmetic)
		findings_add_args(f, REGION_ARITHMETIC, r->name, finding_name(arithmetic));
	else
		findings_add(f, REGION_ARITHMETIC_UNKNOWN, r->name);
}

/* ---- users of the memory -----------------------------------------------------------------------
 */

/* Extents without a dax device, or none yet: nothing uses a new region of dynamic capacity. */
static bool is_unclaimed(const struct region *r)
{
	return region_has_extents(r) && (!r->dax || !r->dax->n_devices);
}

/* Users that /proc/iomem shows inside the region, innermost lines only. */
static void findings_of_users(struct findings *f, const struct region *r)
{
	const struct host *host = f->host;
	const char *unread = host->iomem_unread.name;
	struct finding_items users = {0};
	uint64_t last;

	if (!host->n_iomem) {
		const char *why =
			"not known: /proc/iomem is absent, or shows no addresses because only root may see them";

		findings_add_args(f, REGION_USERS_UNKNOWN, r->name,
				  finding_text(unread ? unread : why));
		return;
	}
	if (!r->resource.present || !r->size.present || !r->size.value)
		return;
	last = r->resource.value + (r->size.value - 1);
	for (size_t i = 0; i < host->n_iomem; i++) {
		const struct iomem_range *m = &host->iomem[i];
		bool innermost = i + 1 == host->n_iomem || m[1].depth <= m->depth;

		if ((innermost || str_equal(m->name, "Soft Reserved")) &&
		    m->start >= r->resource.value && m->last <= last &&
		    !str_equal(m->name, r->name))
			finding_items_add_iomem(f, &users, m);
	}
	if (users.first)
		findings_add_args(f, REGION_USERS, r->name, finding_list(users.first));
	else if (unread && host->iomem_unread.start <= last &&
		 host->iomem_unread.last >= r->resource.value)
		findings_add_args(f, REGION_USERS_UNKNOWN, r->name, finding_text(unread));
	else if (!region_is_of_accelerators(r) && !r->by_decoders && !is_unclaimed(r))
		findings_add(f, REGION_NO_USER, r->name);
}

static void findings_of_system_ram(struct findings *f, const struct region *r,
				   const struct dax_device *d, struct finding_arg node)
{
	bool blocks = d->online_blocks.present && d->total_blocks.present;

	if (!blocks) {
		findings_add_args(f, REGION_SYSTEM_RAM, r->name, finding_name(d->name), node);
		return;
	}
	findings_add_args(f, REGION_SYSTEM_RAM, r->name, finding_name(d->name), node,
			  finding_number(d->online_blocks.value),
			  finding_number(d->total_blocks.value));
	if (d->online_blocks.value < d->total_blocks.value)
		findings_add_args(f, REGION_ONLINE_MEMORY, r->name, finding_name(d->name));
}

static void findings_of_region_dax_device(struct findings *f, const struct region *r,
					  const struct dax_device *d)
{
	struct finding_arg node = {0};

	if (d->target_node.present)
		node = finding_number((uint64_t)d->target_node.value);
	if (d->mode == DAX_MODE_SYSTEM_RAM)
		findings_of_system_ram(f, r, d, node);
	else
		findings_add_args(f, REGION_DAX_DEVICE, r->name, finding_name(d->name),
				  finding_name(dax_mode_name(d->mode)), node);
}

static void findings_of_dax(struct findings *f, const struct region *r)
{
	for (size_t i = 0; r->dax && i < r->dax->n_devices; i++)
		findings_of_region_dax_device(f, r, r->dax->devices[i]);
	if (region_is_of_accelerators(r)) {
		findings_add(f, REGION_OF_ACCELERATOR, r->name);
		return;
	}
	if (r->mode == DECODER_MODE_RAM && r->enabled && (!r->dax || !r->dax->n_devices)) {
		findings_add(f, REGION_NO_DAX_DEVICE, r->name);
		findings_add(f, REGION_CHECK_DAX_DRIVER, r->name);
	}
}

static void findings_of_namespaces(struct findings *f, const struct region *r)
{
	if (r->mode != DECODER_MODE_PMEM)
		return;
	if (r->namespaces.present && r->namespaces.value) {
		findings_add_args(f, REGION_NAMESPACES, r->name, finding_name(r->nd_region),
				  finding_number(r->namespaces.value));
	} else if (r->nd_region) {
		findings_add_args(f, REGION_NO_NAMESPACE, r->name, finding_name(r->nd_region));
		findings_add_args(f, REGION_CREATE_NAMESPACE, r->name, finding_name(r->nd_region));
	} else if (!findings_nd_is_denied(f)) {
		findings_add(f, REGION_NO_ND_REGION, r->name);
		findings_add(f, REGION_LOAD_PMEM, r->name);
	}
}

/* Users and translators of the addresses of a region that has decoders for them. */
static void findings_of_use(struct findings *f, const struct region *r)
{
	findings_of_arithmetic(f, r);
	if (r->by_decoders)
		findings_of_users(f, r);
	if (findings_is_contradicted(f, r))
		return;
	if (!r->by_decoders)
		findings_of_region_soft_reserved(f, r);
	if (r->enabled) {
		findings_of_users(f, r);
		findings_of_dax(f, r);
		findings_of_namespaces(f, r);
	}
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder)
			findings_of_sources(f, r->name, r->targets[i].decoder);
}

/* ---- mappings of decoders ----------------------------------------------------------------------
 */

/* Return: whether a level differs, so that Linux refuses the decoders. */
static bool findings_of_refusal(struct findings *f, const struct region *r)
{
	struct refusal refusal;
	struct finding_arg says;

	if (refusal_of_mapping(f->host, translator_cedt(f->translator), r, f->arena, &refusal) < 0)
		f->no_memory = true;
	if (refusal.way_out == WAY_OUT_NONE || refusal.way_out == WAY_OUT_ATTACH)
		return false;
	if (refusal.no_regions) {
		findings_add_args(f, MAPPING_UPDATE_KERNEL, r->name, finding_text(refusal.newer),
				  finding_name(f->host->kernel_release));
		return true;
	}
	says = findings_kernel_says(f, &refusal, r->name);
	findings_add_args(f, REGION_DECODER_UNEXPECTED, r->name,
			  finding_text(refusal.first_difference), says);
	findings_of_way_out(f, r->name, &refusal);
	return true;
}

static void findings_of_contradiction(struct findings *f, const struct region *r)
{
	const char *text;

	text = arena_strdup(f->arena, translator_region_reason(f->translator, r)->text);
	if (!text)
		f->no_memory = true;
	else
		findings_add_args(f, MAPPING_CONTRADICTED, r->name, finding_text(text));
}

/* The log has no name of a mapping: its line of the first decoder that it names. */
static struct finding_arg kernel_says_of_mapping(const struct findings *f, const struct region *r)
{
	struct finding_arg says = {0};

	for (size_t i = 0; i < r->n_targets && !says.text; i++)
		if (r->targets[i].decoder)
			says = findings_kernel_says(f, &(const struct refusal){0},
						    r->targets[i].decoder->name);
	return says;
}

static void findings_of_mapping(struct findings *f, const struct region *r, bool advise)
{
	if (findings_is_contradicted(f, r)) {
		findings_of_contradiction(f, r);
		return;
	}
	if (r->of_region) {
		findings_add_args(f, MAPPING_OF_REGION, r->name, finding_name(r->of_region->name));
		return;
	}
	findings_add(f, MAPPING_NO_REGION, r->name);
	findings_of_empty_positions(f, r, advise);
	if (!advise)
		return;
	if (!findings_of_refusal(f, r))
		findings_add_args(f, MAPPING_CHECK_KERNEL_LOG, r->name,
				  kernel_says_of_mapping(f, r));
}

static bool region_has_address(const struct region *r)
{
	return r->resource.present && r->size.present && r->size.value;
}

/*
 * A region that lacks a device or is not committed has one problem, and nothing below follows from
 * it: it has no users, and its addresses do not lead anywhere.
 *
 * Return: whether decoders for its addresses are in use, as far as is known.
 */
static bool findings_of_decoding(struct findings *f, const struct region *r, bool advise)
{
	findings_of_range(f, r);
	findings_of_extents(f, r);
	findings_of_targets(f, r);
	if (!region_has_address(r) && r->commit != REGION_COMMITTED)
		return false;
	if (has_hole(r))
		findings_of_hole(f, r);
	for (size_t i = 0; i < r->n_targets && !has_hole(r); i++)
		if (r->targets[i].decoder)
			findings_of_target_decoder(f, r, r->targets[i].decoder);
	findings_of_lock(f, r);
	if (r->by_decoders) {
		findings_of_mapping(f, r, advise);
		return true;
	}
	if (findings_is_decoded(f, r))
		findings_add_args(f, REGION_DECODED, r->name, finding_name(r->derived->name));
	if (r->n_targets && !region_is_complete(r)) {
		findings_of_empty_positions(f, r, advise);
		return false;
	}
	findings_of_target_order(f, r);
	findings_of_commit(f, r);
	return r->commit != REGION_NOT_COMMITTED;
}

void findings_of_region_state(struct findings *f, const struct region *r)
{
	if (findings_of_decoding(f, r, false) && r->enabled)
		findings_of_dax(f, r);
}

void findings_of_region(struct findings *f, const struct region *r)
{
	if (findings_of_decoding(f, r, true))
		findings_of_use(f, r);
}
