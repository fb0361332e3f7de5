// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about pages that are to stay out of use.
#include "daemon/metrics_scrape.h"

struct page_family {
	struct metrics_scrape *x;
	const struct metric_family *f;
};

/* A device whose name is changed in a label could be two samples with the same labels. */
static void put_tally(void *userdata, const struct page_tally *tally)
{
	const struct page_family *p = userdata;
	struct metric_labels labels = {0};

	if (!metric_value_is_plain(tally->device))
		return;
	metric_label(&labels, "device", tally->device);
	for (uint32_t i = 0; i < REMEMBERED_STATES; i++)
		metric_sample_with(&p->x->out, p->f, &labels, "outcome", remembered_state_name(i),
				   (double)tally->n[i]);
}

static void put_offlined(struct metrics_scrape *x, const struct metric_family *f)
{
	struct page_family p = {x, f};

	if (x->keeper)
		page_keeper_each_tally(x->keeper, put_tally, &p);
}

/* Return: false before the first block. */
static bool last_online(const struct metrics_scrape *x, struct page_online *ret)
{
	if (!x->keeper)
		return false;
	*ret = page_keeper_online(x->keeper);
	return ret->blocks > 0;
}

static bool online_blocks(struct metrics_scrape *x, double *ret)
{
	struct page_online o = {0};

	(void)last_online(x, &o);
	*ret = (double)o.blocks;
	return x->keeper != NULL;
}

static bool online_seconds(struct metrics_scrape *x, double *ret)
{
	struct page_online o;

	if (!last_online(x, &o))
		return false;
	*ret = (double)o.last_ns / 1e9;
	return true;
}

static bool online_longest(struct metrics_scrape *x, double *ret)
{
	struct page_online o;

	if (!last_online(x, &o))
		return false;
	*ret = (double)o.longest_ns / 1e9;
	return true;
}

static const struct metric_family page_rows[] = {
	{"cxl_pages_offlined", METRIC_GAUGE, "device,outcome",
	 "Pages of memory that are to stay out of use, by the outcome of the last attempt.",
	 .put = put_offlined},
	{"cxl_pages_online_blocks", METRIC_COUNTER, "",
	 "Memory blocks that came online, and whose remembered pages were taken out" SINCE_START,
	 .value = online_blocks},
	{"cxl_pages_online_seconds", METRIC_GAUGE, "",
	 "How long the last of these blocks was online, as its event was received, with a remembered page in use.",
	 .value = online_seconds},
	{"cxl_pages_online_longest_seconds", METRIC_GAUGE, "", "The longest such time" SINCE_START,
	 .value = online_longest},
};

const struct metric_families metric_page_families = METRIC_FAMILIES(page_rows);
