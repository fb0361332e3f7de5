// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families with samples for each region, and for each window.
#include <string.h>

#include "daemon/metrics_scrape.h"
#include "model/health.h"
#include "model/usage.h"

static struct metric_labels labels_of_region(const struct region *region)
{
	struct metric_labels labels = {0};

	metric_label(&labels, "region", region->name);
	return labels;
}

void put_each_region(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;
	const struct metric_region_value *value = f->value;
	double n;

	for (size_t i = 0; i < host->n_regions; i++) {
		struct metric_labels labels = labels_of_region(host->regions[i]);

		if (value->get(x, host->regions[i], &n))
			metric_sample(&x->out, f, &labels, n);
	}
}

static bool of_u64(struct opt_u64 n, double *ret)
{
	*ret = (double)n.value;
	return n.present;
}

#define REGION_VALUE(name)                                                                         \
	static bool get_##name(const struct metrics_scrape *x, const struct region *region,        \
			       double *ret);                                                       \
	const struct metric_region_value metric_region_##name = {get_##name};                      \
	static bool get_##name(const struct metrics_scrape *x, const struct region *region,        \
			       double *ret)

REGION_VALUE(health)
{
	struct health h;

	if (health_of_region(x->view->host, x->view->translator, region, &h) < 0)
		return false;
	*ret = h.level.value;
	return h.level.present;
}

REGION_VALUE(enabled)
{
	(void)x;
	*ret = region->enabled;
	return true;
}

REGION_VALUE(committed)
{
	(void)x;
	*ret = region->commit == REGION_COMMITTED;
	return region->commit != REGION_COMMIT_UNKNOWN;
}

REGION_VALUE(size)
{
	(void)x;
	return of_u64(region->size, ret);
}

REGION_VALUE(ways)
{
	(void)x;
	return of_u64(region->ways, ret);
}

/* ---- its memory: that of its dax devices together ---------------------------------------------
 */

static size_t n_dax(const struct region *region)
{
	return region->dax ? region->dax->n_devices : 0;
}

/* All of them are on the same node. */
REGION_VALUE(numa_node)
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
REGION_VALUE(online)
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

REGION_VALUE(blocks)
{
	(void)x;
	return sum_blocks(region, false, ret);
}

REGION_VALUE(blocks_online)
{
	(void)x;
	return sum_blocks(region, true, ret);
}

void put_region_info(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;

	for (size_t i = 0; i < host->n_regions; i++) {
		const struct region *region = host->regions[i];
		struct metric_labels labels = labels_of_region(region);

		metric_label(&labels, "window", region->root ? region->root->name : NULL);
		metric_label(&labels, "mode", decoder_mode_name(region->mode));
		metric_sample(&x->out, f, &labels, 1);
	}
}

/* ---- windows ----------------------------------------------------------------------------------
 */

static bool is_window(const struct decoder *d)
{
	return d->port && d->port->kind == PORT_ROOT;
}

void put_window_size(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;

	for (size_t i = 0; i < host->n_decoders; i++)
		if (is_window(host->decoders[i]) && host->decoders[i]->size.present)
			metric_sample_with(&x->out, f, NULL, "window", host->decoders[i]->name,
					   (double)host->decoders[i]->size.value);
}

void put_window_used(struct metrics_scrape *x, const struct metric_family *f)
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
