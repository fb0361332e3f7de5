// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families with samples for each region, and for each window.
#include <string.h>

#include "daemon/metrics_scrape.h"
#include "model/health.h"
#include "model/scrub.h"
#include "model/usage.h"

struct metric_labels metric_region_labels(const struct region *region)
{
	struct metric_labels labels = {0};

	metric_label(&labels, "region", region->name);
	return labels;
}

static bool of_u64(struct opt_u64 n, double *ret)
{
	*ret = (double)n.value;
	return n.present;
}

static bool region_health(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	struct health h;

	if (health_of_region(x->view->host, x->view->translator, region, NULL, &h) < 0)
		return false;
	*ret = h.level.value;
	return h.level.present;
}

static bool region_enabled(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	(void)x;
	*ret = region->enabled;
	return !region->by_decoders;
}

static bool region_committed(const struct metrics_scrape *x, const struct region *region,
			     double *ret)
{
	(void)x;
	*ret = region->commit == REGION_COMMITTED;
	return region->commit != REGION_COMMIT_UNKNOWN;
}

static bool region_size(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	(void)x;
	return of_u64(region->size, ret);
}

static bool region_ways(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	(void)x;
	return of_u64(region->ways, ret);
}

/* ---- scrub: that of its members ---------------------------------------------------------------
 */

static struct scrub scrub_of(const struct metrics_scrape *x, const struct region *region)
{
	struct scrub s;
	bool same;

	region_scrub(region, x->view->readings, &s, &same);
	return s;
}

static bool region_scrub_enabled(const struct metrics_scrape *x, const struct region *region,
				 double *ret)
{
	const struct opt_bool enabled = scrub_of(x, region).enabled;

	*ret = enabled.value;
	return enabled.present;
}

static bool region_scrub_cycle(const struct metrics_scrape *x, const struct region *region,
			       double *ret)
{
	return of_u64(scrub_of(x, region).cycle_s, ret);
}

/* ---- its memory: that of its dax devices together ---------------------------------------------
 */

static size_t n_dax(const struct region *region)
{
	return region->dax ? region->dax->n_devices : 0;
}

/* All of them are on the same node. */
static bool region_numa_node(const struct metrics_scrape *x, const struct region *region,
			     double *ret)
{
	struct opt_int node = {0};

	(void)x;
	for (size_t i = 0; i < n_dax(region); i++) {
		const struct opt_int one = region->dax->devices[i]->target_node;

		if (!one.present || (node.present && node.value != one.value))
			return false;
		node = one;
	}
	*ret = node.value;
	return node.present;
}

/* A region without a dax device has an entry under its own name, see memory_use.h. */
static bool region_online(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	const struct memory_use *u = x->view->inputs.memory_use;
	const struct dax_use *use;

	*ret = 0;
	if (n_dax(region) == 0) {
		use = memory_use_of(u, region->name);
		return use && of_u64(use->online, ret);
	}
	for (size_t i = 0; i < n_dax(region); i++) {
		use = memory_use_of(u, region->dax->devices[i]->name);
		if (!use || !use->online.present)
			return false;
		*ret += (double)use->online.value;
	}
	return true;
}

static bool sum_blocks(const struct region *region, bool online, double *ret)
{
	bool any = false;

	*ret = 0;
	for (size_t i = 0; i < n_dax(region); i++) {
		const struct dax_device *d = region->dax->devices[i];
		const struct opt_u64 n = online ? d->online_blocks : d->total_blocks;

		any |= n.present;
		*ret += n.present ? (double)n.value : 0;
	}
	return any;
}

static bool region_blocks(const struct metrics_scrape *x, const struct region *region, double *ret)
{
	(void)x;
	return sum_blocks(region, false, ret);
}

static bool region_blocks_online(const struct metrics_scrape *x, const struct region *region,
				 double *ret)
{
	(void)x;
	return sum_blocks(region, true, ret);
}

static void put_region_info(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;

	for (size_t i = 0; i < host_n_mappings(host); i++) {
		const struct region *region = host_mapping_at(host, i);
		struct metric_labels labels = metric_region_labels(region);

		metric_label(&labels, "window", region->root ? region->root->name : NULL);
		metric_label(&labels, "mode", region_mode_word(region));
		metric_label(&labels, "mapping", region->by_decoders ? "decoders" : "region");
		metric_sample(&x->out, f, &labels, 1);
	}
}

/* ---- windows ----------------------------------------------------------------------------------
 */

static bool is_window(const struct decoder *d)
{
	return d->port && d->port->kind == PORT_ROOT;
}

static void put_window_size(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;

	for (size_t i = 0; i < host->n_decoders; i++)
		if (is_window(host->decoders[i]) && host->decoders[i]->size.present)
			metric_sample_with(&x->out, f, NULL, "window", host->decoders[i]->name,
					   (double)host->decoders[i]->size.value);
}

static void put_window_used(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;

	for (size_t i = 0; i < host->n_decoders; i++) {
		struct usage u;

		if (!is_window(host->decoders[i]))
			continue;
		u = window_usage(host, host->decoders[i]);
		if (u.used.present)
			metric_sample_with(&x->out, f, NULL, "window", host->decoders[i]->name,
					   (double)u.used.value);
	}
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const struct metric_family region_rows[] = {
	{"cxl_region", METRIC_INFO, "region,window,mode,mapping",
	 "A CXL region, or with the mapping \"decoders\" what committed decoders map without one.",
	 .put = put_region_info},
	{"cxl_region_health", METRIC_GAUGE, "region",
	 "Health of the region as in Redfish: 0 OK, 1 warning, 2 critical.",
	 .of_region = region_health},
	{"cxl_region_enabled", METRIC_GAUGE, "region",
	 "Whether the driver cxl_region is bound to it.", .of_region = region_enabled},
	{"cxl_region_committed", METRIC_GAUGE, "region", "Whether its decoders are committed.",
	 .of_region = region_committed},
	{"cxl_region_size_bytes", METRIC_GAUGE, "region", "Size of the region.",
	 .of_region = region_size},
	{"cxl_region_interleave_ways", METRIC_GAUGE, "region", "Positions of the region.",
	 .of_region = region_ways},
	{"cxl_region_scrub_enabled", METRIC_GAUGE, "region",
	 "Whether its devices scrub their memory; absent when they differ.",
	 .of_region = region_scrub_enabled},
	{"cxl_region_scrub_cycle_seconds", METRIC_GAUGE, "region",
	 "Time in which its devices scrub their memory; absent when they differ.",
	 .of_region = region_scrub_cycle},
	{"cxl_region_numa_node", METRIC_GAUGE, "region",
	 "NUMA node that its memory has when it is online.", .of_region = region_numa_node},
	{"cxl_region_online_bytes", METRIC_GAUGE, "region",
	 "Its memory that is online as system memory.", .of_region = region_online},
	{"cxl_region_memory_blocks", METRIC_GAUGE, "region",
	 "Memory blocks that the kernel has made of it.", .of_region = region_blocks},
	{"cxl_region_memory_blocks_online", METRIC_GAUGE, "region",
	 "Memory blocks of it that are online.", .of_region = region_blocks_online},
	{"cxl_window_size_bytes", METRIC_GAUGE, "window",
	 "Size of a window (root decoder) for CXL memory.", .put = put_window_size},
	{"cxl_window_used_bytes", METRIC_GAUGE, "window", "Size of the regions in it.",
	 .put = put_window_used},
};

const struct metric_families metric_region_families = METRIC_FAMILIES(region_rows);
