// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The capacity of a memory device: what no decoder maps, and whether cxl create-region could.
#include <errno.h>

#include "model/findings_private.h"
#include "model/gaps.h"
#include "model/partitions.h"
#include "model/region_fit.h"
#include "model/topology.h"

/* ---- what is mapped ---------------------------------------------------------------------------
 */

static uint64_t partition_last(const struct partition *p)
{
	return p->offset + (p->size - 1);
}

/* The parts of a partition that no decoder maps. Return: 0 or -ENOMEM. */
static int unmapped_gaps(const struct memdev *m, const struct partition *p, struct gaps *ret)
{
	struct gaps used = {0};
	struct gap dpa, *g;
	int r = 0;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders && r >= 0; i++) {
		if (!decoder_dpa(m->endpoint->decoders[i], &dpa.first, &dpa.last))
			continue;
		g = gaps_add(&used);
		if (g)
			*g = dpa;
		else
			r = -ENOMEM;
	}
	if (r >= 0)
		r = find_gaps((struct gap){p->offset, partition_last(p)}, used.items, used.n, ret);
	gaps_done(&used);
	return r;
}

static void findings_of_decoder_shortage(struct findings *f, const struct memdev *m)
{
	const struct port *endpoint = m->endpoint;
	bool idle = false;

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		idle = idle || !decoder_is_used(endpoint->decoders[i]);
	if (idle)
		findings_add(f, CAPACITY_DECODERS_PASSED, m->name);
	else if (endpoint->n_decoders)
		findings_add(f, CAPACITY_DECODERS_USED, m->name);
	else
		findings_add(f, CAPACITY_NO_DECODER, m->name);
}

/* ---- windows ----------------------------------------------------------------------------------
 */

static bool window_leads_to(const struct decoder *w, const struct dport *dport)
{
	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].dport == dport)
			return true;
	return false;
}

static bool window_accepts(const struct decoder *w, bool persistent)
{
	bool type3 = !w->cap_type3.present || w->cap_type3.value;

	return type3 && opt_bool_is_true(persistent ? w->cap_pmem : w->cap_ram);
}

/* The largest region that fits into a gap. */
static uint64_t gap_capacity(const struct gap *g)
{
	uint64_t skip = (REGION_SHARE_BYTES - g->first % REGION_SHARE_BYTES) % REGION_SHARE_BYTES;
	uint64_t bytes = g->last - g->first; /* one less, as it may be all of 2^64 */

	if (bytes < skip || bytes - skip < REGION_SHARE_BYTES - 1)
		return 0;
	return (bytes - skip + 1) / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
}

/* The largest region that fits into a window. Return: false when that is not known. */
static bool window_capacity(struct findings *f, const struct decoder *w, uint64_t *ret)
{
	struct gaps gaps = {0};
	uint64_t largest = 0;

	if (!w->size.present)
		return false;
	if (!w->start.present) {
		*ret = w->size.value / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
		return w->n_regions == 0;
	}
	if (find_window_gaps(w, f->host, &gaps) < 0)
		f->no_memory = true;
	ARRAY_FOREACH(g, &gaps)
		if (gap_capacity(g) > largest)
			largest = gap_capacity(g);
	gaps_done(&gaps);
	*ret = largest;
	return true;
}

static bool can_give_share(const struct memdev *m, bool persistent)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	if (!m->endpoint || !m->endpoint->enabled || !memdev_next_decoder(m))
		return false;
	for (size_t i = 0; i < n; i++)
		if (parts[i].persistent == persistent && memdev_mappable(m, &parts[i]) > 0)
			return true;
	return false;
}

static bool has_device_with_share(const struct host *host, const struct dport *dport,
				  bool persistent)
{
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct port *root = NULL;
		const struct dport *own = memdev_root_dport(host->memdevs[i], &root);

		if (own && own == dport && can_give_share(host->memdevs[i], persistent))
			return true;
	}
	return false;
}

/* Return: whether a device with free capacity is below each target of the window. */
static bool all_targets_can_give(const struct host *host, const struct decoder *w, bool persistent)
{
	for (size_t i = 0; i < w->n_targets; i++)
		if (!has_device_with_share(host, w->targets[i].dport, persistent))
			return false;
	return w->n_targets > 0;
}

enum window_fit {
	WINDOW_FITS,	  /* a region of this device alone */
	WINDOW_FITS_MANY, /* a region together with other devices */
	WINDOW_UNRELATED, /* leads to other devices, or is for another kind of memory */
	WINDOW_LOCKED,
	WINDOW_FULL,
	WINDOW_SMALL,
	WINDOW_UNKNOWN,
	WINDOW_UNPAIRED,
};

/* @ret_bytes: set with WINDOW_FITS: the largest region */
static enum window_fit window_fit(struct findings *f, const struct decoder *w,
				  const struct dport *dport, bool persistent, uint64_t *ret_bytes)
{
	uint64_t ways = w->ways.present ? w->ways.value : w->n_targets;

	if (!window_leads_to(w, dport) || !window_accepts(w, persistent))
		return WINDOW_UNRELATED;
	if (opt_bool_is_true(w->locked))
		return WINDOW_LOCKED;
	if (!window_capacity(f, w, ret_bytes))
		return WINDOW_UNKNOWN;
	if (!*ret_bytes)
		return WINDOW_FULL;
	if (*ret_bytes / REGION_SHARE_BYTES < ways)
		return WINDOW_SMALL;
	if (ways == 1)
		return WINDOW_FITS;
	return all_targets_can_give(f->host, w, persistent) ? WINDOW_FITS_MANY : WINDOW_UNPAIRED;
}

static void advise_window(struct findings *f, const struct memdev *m, const struct decoder *w,
			  const struct partition *p, uint64_t free_bytes)
{
	uint64_t bytes = memdev_mappable(m, p);
	struct finding_arg mib = {0};

	/* Without a size, cxl requests all of the partition. */
	if (free_bytes < p->size || bytes < p->size)
		mib = finding_number((bytes < free_bytes ? bytes : free_bytes) >> 20);
	findings_add_args(f, CAPACITY_CREATE_REGION, m->name, finding_name(p->id),
			  finding_name(w->name), finding_name(m->name), mib);
}

/* Return: whether the fit is worth a finding. */
static bool findings_of_fit(struct findings *f, const struct memdev *m, const char *partition,
			    const struct decoder *w, enum window_fit fit)
{
	static const enum finding_code codes[] = {
		[WINDOW_LOCKED] = FINDING_CAPACITY_WINDOW_LOCKED,
		[WINDOW_FULL] = FINDING_CAPACITY_WINDOW_FULL,
		[WINDOW_SMALL] = FINDING_CAPACITY_WINDOW_SMALL,
		[WINDOW_UNKNOWN] = FINDING_CAPACITY_WINDOW_UNKNOWN,
		[WINDOW_UNPAIRED] = FINDING_CAPACITY_WINDOW_UNPAIRED,
	};

	if (fit <= WINDOW_UNRELATED)
		return false;
	findings_add_finding(f, &(const struct finding){
					.code = codes[fit],
					.object = m->name,
					.args = {finding_name(partition), finding_name(w->name)},
				});
	return true;
}

static void findings_of_windows(struct findings *f, const struct memdev *m, const struct port *root,
				const struct dport *dport, const struct partition *p)
{
	bool found = false;

	for (size_t i = 0; i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];
		uint64_t bytes = 0;

		found |= findings_of_fit(f, m, p->id, w,
					 window_fit(f, w, dport, p->persistent, &bytes));
	}
	if (!found)
		findings_add_args(f, CAPACITY_NO_WINDOW, m->name, finding_name(p->id));
}

static void advise_partition(struct findings *f, const struct memdev *m, const struct partition *p)
{
	const struct port *root = NULL;
	const struct dport *dport = memdev_root_dport(m, &root);
	bool shared = false;

	if (!memdev_mappable(m, p)) {
		findings_add_args(f, CAPACITY_TOO_SMALL, m->name, finding_name(p->id));
		return;
	}
	for (size_t i = 0; dport && i < root->n_decoders; i++) {
		uint64_t bytes = 0;
		enum window_fit fit =
			window_fit(f, root->decoders[i], dport, p->persistent, &bytes);

		if (fit == WINDOW_FITS) {
			advise_window(f, m, root->decoders[i], p, bytes);
			return;
		}
		shared = shared || fit == WINDOW_FITS_MANY;
	}
	if (shared)
		findings_add_args(f, CAPACITY_CREATE_SHARED, m->name, finding_name(p->id));
	else if (dport)
		findings_of_windows(f, m, root, dport, p);
}

/* ---- the findings -----------------------------------------------------------------------------
 */

/* Capacity that a region needs is not lost, and is not for another region. */
static void findings_of_gap(struct findings *f, const struct memdev *m, const struct partition *p,
			    const struct gap *g)
{
	struct opt_u64 size = OPT_U64(g->last - g->first + 1);
	struct finding_arg range = finding_range(OPT_U64(g->first), size);
	const struct region *region;
	const struct region_fit *fit = findings_awaited(f, m, &region);

	if (fit && p->persistent == (region->mode == DECODER_MODE_PMEM))
		findings_add_args(f, CAPACITY_AWAITED, m->name, range, finding_size(size),
				  finding_name(p->id), finding_name(region->name),
				  finding_number(fit->position));
	else
		findings_add_args(f, CAPACITY_UNMAPPED, m->name, range, finding_size(size),
				  finding_name(p->id));
}

/* Return: whether some of the partition is mapped by no decoder. */
static bool findings_of_partition(struct findings *f, const struct memdev *m,
				  const struct partition *p)
{
	struct gaps gaps = {0};
	bool found;

	if (unmapped_gaps(m, p, &gaps) < 0)
		f->no_memory = true;
	ARRAY_FOREACH(g, &gaps)
		findings_of_gap(f, m, p, g);
	found = gaps.n > 0;
	gaps_done(&gaps);
	return found;
}

/* Return: whether no decoder reserves DPA without decoding it. */
static bool all_dpa_is_committed(const struct memdev *m)
{
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (decoder_is_used(d) &&
		    (!decoder_is_committed(d) ||
		     (d->region && d->region->commit == REGION_NOT_COMMITTED)))
			return false;
	}
	return true;
}

static void advise_on_capacity(struct findings *f, const struct memdev *m,
			       const struct partition *parts, size_t n)
{
	const struct region *region;

	if (findings_awaited(f, m, &region))
		return;
	if (host_is_normalized(f->host)) {
		findings_add(f, CAPACITY_NORMALIZED, m->name);
		return;
	}
	if (!memdev_next_decoder(m)) {
		findings_of_decoder_shortage(f, m);
		return;
	}
	for (size_t i = 0; i < n; i++)
		advise_partition(f, m, &parts[i]);
}

/* Return: whether DPA of the device is reserved for a region that lacks the device. */
static bool findings_of_reserved_share(struct findings *f, const struct memdev *m)
{
	const struct region *region;
	const struct region_fit *fit = findings_awaited(f, m, &region);

	if (!fit || !fit->reserved)
		return false;
	findings_add_args(f, CAPACITY_AWAITED, m->name,
			  finding_range(fit->decoder->dpa_resource, fit->decoder->dpa_size),
			  finding_size(fit->decoder->dpa_size),
			  finding_name(decoder_mode_name(region->mode)), finding_name(region->name),
			  finding_number(fit->position));
	return true;
}

void findings_of_capacity(struct findings *f, const struct memdev *m)
{
	struct partition parts[PARTITIONS_MAX], unmapped[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts), n_unmapped = 0;

	if (!m->ram_size.present || !m->pmem_size.present) {
		findings_add(f, CAPACITY_UNREADABLE, m->name);
		return;
	}
	if (!m->ram_size.value && !m->pmem_size.value) {
		findings_add(f, CAPACITY_NONE, m->name);
		return;
	}
	/* Otherwise the findings of the connection say why. */
	if (!m->endpoint || !m->endpoint->enabled)
		return;
	for (size_t i = 0; i < n; i++)
		if (findings_of_partition(f, m, &parts[i]))
			unmapped[n_unmapped++] = parts[i];
	if (n_unmapped)
		advise_on_capacity(f, m, unmapped, n_unmapped);
	else if (!findings_of_reserved_share(f, m) && all_dpa_is_committed(m))
		findings_add(f, CAPACITY_MAPPED, m->name);
}
